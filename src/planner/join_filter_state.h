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

#include "access/parallel.h"
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
	BfJoinShared *shared;		/* of all participants, in a Parallel Hash */
} BfJoinBuildState;

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
	int			nkeys;
	AttrNumber *columns;
	BfJoinHash *hashes;
	bool		has_calls;		/* is any of them not inline? */
	AttrNumber	last_column;	/* the highest of them */
	bool		in_group;		/* did rows of this scan pass untested? */
	bool		group_has_key;	/* of the last of them: is its key not NULL? */
	uint32		group_hash;
	uint32		max_passed;		/* of a window's rows, or else it is switched off */
	uint32		tested;			/* rows of this window */
	uint32		passed;
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
	uint32		resting;		/* rows that all filters rest for */
	uint32		handed_on;		/* of these, so far */
} BfJoinProbeState;

/* What EXPLAIN says of them (join_filter_explain.c). */
extern void bf_join_explain_build(CustomScanState *node, List *ancestors,
								  struct ExplainState *es);
extern void bf_join_explain_probe(CustomScanState *node, List *ancestors,
								  struct ExplainState *es);

/*
 * The filter that all participants of a Parallel Hash share
 * (join_filter_shared.c): the server's callbacks of a build,
 */
extern Size bf_join_shared_estimate(CustomScanState *node, ParallelContext *pcxt);
extern void bf_join_shared_initialize(CustomScanState *node, ParallelContext *pcxt,
									  void *coordinate);
extern void bf_join_shared_reinitialize(CustomScanState *node, ParallelContext *pcxt,
										void *coordinate);
extern void bf_join_shared_attach(CustomScanState *node, shm_toc *toc, void *coordinate);
extern void bf_join_shared_detach(CustomScanState *node);

/*
 * what a participant does when it asks for its first row, when it has to
 * leave keys out, when it has gathered some hashes, which are freed (false:
 * there are too many), and when its part of the input has ended,
 */
extern void bf_join_shared_start(BfJoinShared *shared);
extern void bf_join_shared_give_up(BfJoinShared *shared);
extern bool bf_join_shared_merge(BfJoinShared *shared, BfJoinGather *gather);
extern void bf_join_shared_end(BfJoinShared *shared);

/*
 * and what a probe asks: are all keys in it, and if so, where is it?  NULL if
 * there were too many.
 */
extern bool bf_join_shared_is_complete(BfJoinShared *shared);
extern const uint8 *bf_join_shared_blocks(BfJoinShared *shared);

/*
 * Most bytes that a filter and the hashes that it is made of may take, in
 * all participants together.
 */
extern Size bf_join_filter_max_bytes(int participants);

#endif							/* BF_JOIN_FILTER_STATE_H */
