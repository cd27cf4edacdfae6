/*-------------------------------------------------------------------------
 *
 * join_filter_state.h
 *		The states of the two nodes of a join filter while they run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_FILTER_STATE_H
#define BF_JOIN_FILTER_STATE_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "planner/join_filter.h"
#include "planner/join_filter_gather.h"
#include "planner/join_filter_hash.h"

/* Where a build stands. */
typedef enum BfJoinBuildPhase
{
	BF_JOIN_BUILD_NOT_STARTED,	/* no row was asked for */
	BF_JOIN_BUILD_GATHERING,
	BF_JOIN_BUILD_COMPLETE,
	BF_JOIN_BUILD_GIVEN_UP		/* too many keys */
} BfJoinBuildPhase;

typedef struct BfJoinShared BfJoinShared;

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
	BfJoinFilter filter;
	uint64		key_count;		/* rows whose keys are in the filter */
	BfJoinShared *shared;		/* of all participants in a Parallel Hash */
} BfJoinBuildState;

/* What a probe does with one of its filters. */
typedef enum BfJoinProbePhase
{
	BF_JOIN_PROBE_WAITING,		/* for the filter to be complete */
	BF_JOIN_PROBE_TESTING,
	BF_JOIN_PROBE_OFF,			/* too many rows passed */
	BF_JOIN_PROBE_NEVER			/* there is no filter in this scan */
} BfJoinProbePhase;

typedef struct BfJoinProbeFilter
{
	BfJoinProbePhase phase;
	BfJoinFilterSpec spec;
	ParamExecData *mailbox;
	const BfJoinFilter *filter; /* while testing */
	int			nkeys;
	AttrNumber *columns;
	BfJoinHash *hashes;
	AttrNumber	last_column;	/* the highest of them */
	uint32		max_passed;		/* of a window's rows, or else it is switched off */
	uint32		tested;			/* rows of this window */
	uint32		passed;
	uint32		rest;			/* rows until the next look, while off */
	uint64		tested_before;	/* rows of windows before */
	uint64		off_after;		/* rows tested when first switched off */
	uint64		off_count;		/* how many times */
} BfJoinProbeFilter;

typedef struct BfJoinProbeState
{
	CustomScanState css;
	int			nfilters;
	BfJoinProbeFilter *filters;
	uint32		rest;			/* rows to hand on unseen, while all are off */
} BfJoinProbeState;

/*
 * Most bytes that a filter and the hashes that it is made of may take, in
 * all participants together.
 */
extern Size bf_join_filter_max_bytes(int participants);

#endif							/* BF_JOIN_FILTER_STATE_H */
