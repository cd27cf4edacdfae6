/*-------------------------------------------------------------------------
 *
 * state.h
 *		The states of the nodes of a join filter while they run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STATE_H
#define BF_JOIN_STATE_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "joins/execution/filter.h"
#include "joins/execution/gather.h"
#include "joins/execution/hash.h"
#include "joins/execution/probe_key.h"
#include "joins/spec.h"

/* Where a build stands. */
typedef enum BfJoinBuildPhase
{
	BF_JOIN_BUILD_NOT_STARTED,	/* no row was asked for */
	BF_JOIN_BUILD_GATHERING,
	BF_JOIN_BUILD_COMPLETE,
	BF_JOIN_BUILD_GIVEN_UP		/* too many keys */
} BfJoinBuildPhase;

/*
 * One column of the keys: where it is in the child's rows, if it is a plain
 * column, or the expression.
 */
typedef struct BfJoinKey
{
	AttrNumber	column;
	ExprState  *expression;
} BfJoinKey;

typedef struct BfJoinBuildState
{
	CustomScanState css;
	BfJoinFilterSpec spec;
	ParamExecData *mailbox;
	int			nkeys;
	BfJoinKey  *keys;
	BfJoinHash *hashes;
	BfJoinBuildPhase phase;
	BfJoinGather gather;
	BfKeySet  **keysets;		/* of this process; NULL: nobody skips anything */
	BfKeySet  **merged;			/* of all that share the filter, while it is shared */
	bool		keys_finished;
	BfJoinFilter filter;
} BfJoinBuildState;

/* A filter that a handover hands over. */
typedef struct BfJoinHanded
{
	BfJoinFilterSpec spec;
	ParamExecData *source;		/* the build's mailbox, in the leader */
	ParamExecData *mailbox;		/* that of the probes below Gather */
	BfJoinFilter filter;		/* of a worker: the copy */
} BfJoinHanded;

typedef struct BfJoinHandoverState
{
	CustomScanState css;
	int			nfilters;
	BfJoinHanded *filters;
	bool		decided;		/* do the probes below have what there is? */
	Size		bytes;			/* of that memory; 0: there never was any */
} BfJoinHandoverState;

/* What a probe does with one of its filters. */
typedef enum BfJoinProbePhase
{
	BF_JOIN_PROBE_WAITING,		/* for the filter to be complete */
	BF_JOIN_PROBE_WAITING_FOR_GROUP,	/* for the first row of another group */
	BF_JOIN_PROBE_TESTING,
	BF_JOIN_PROBE_OFF,			/* too many rows passed */
	BF_JOIN_PROBE_NEVER			/* there is no filter in this scan */
} BfJoinProbePhase;

typedef struct BfJoinProbeFilter
{
	BfJoinProbePhase phase;
	BfJoinFilterSpec spec;
	ParamExecData *mailbox;
	BfJoinFilter *filter;		/* while testing */
	BfJoinProbeKey key;
	bool		in_group;		/* did rows of this scan pass untested? */
	bool		group_has_key;	/* of the last of them: is its key not NULL? */
	uint32		group_hash;
	double		max_pass;		/* of a window's rows, or else it is switched off */
	uint32		window_rows;	/* of this window, in all */
	uint32		tested;			/* rows of this window, so far */
	uint32		passed;
	uint32		rest_rows;		/* of the last rest, 0 since a window paid */
	uint32		rest;			/* rows until the next look, while off */
	uint64		seen;			/* rows of windows, and rests, before */
	uint64		off_after;		/* rows seen when first switched off */
	uint64		off_count;		/* how many times */
} BfJoinProbeFilter;

/*
 * Of all processes together its instrumentation has: rows removed
 * (nfiltered1), rows tested (nfiltered2), how many times filters were
 * switched off (ntuples2).
 */
typedef struct BfJoinProbeState
{
	CustomScanState css;
	int			nfilters;
	BfJoinProbeFilter *filters;
	struct BfSkip *skip;		/* NULL: there is nothing to be skipped */
	uint32		resting;		/* rows that all filters rest for */
	uint32		handed_on;		/* of these, so far */
} BfJoinProbeState;

#endif							/* BF_JOIN_STATE_H */
