/*-------------------------------------------------------------------------
 *
 * state.h
 *		The states of the nodes of a join filter while they run.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STATE_H
#define BF_JOIN_STATE_H

#include "nodes/execnodes.h"

#include "evidence/counts.h"
#include "joins/keys/hash.h"
#include "joins/keys/probe_key.h"
#include "joins/ranges/pages.h"
#include "joins/run/filter.h"
#include "joins/run/hash_buffer.h"
#include "joins/run/mailbox.h"
#include "joins/spec.h"

/* The phases of a build. */
typedef enum BfJoinBuildPhase
{
	BF_JOIN_BUILD_NOT_STARTED,	/* no row was asked for */
	BF_JOIN_BUILD_COLLECTING,
	BF_JOIN_BUILD_COMPLETE,
	BF_JOIN_BUILD_GIVEN_UP		/* too many keys */
} BfJoinBuildPhase;

/*
 * One column of a key: its number in the child's rows if it is a plain column,
 * or else the expression.
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
	BfMailbox  *mailbox;
	int			nkeys;
	BfJoinKey  *keys;
	BfJoinHash *hashes;
	BfJoinBuildPhase phase;
	BfHashBuffer collected;
	BfKeySet  **keysets;		/* of this process; NULL: no scan skips */
	BfKeySet  **merged;			/* of all that share the filter */
	bool		keys_finished;
	BfJoinFilter filter;
} BfJoinBuildState;

/* A filter that a handover passes on. */
typedef struct BfJoinHanded
{
	BfJoinFilterSpec spec;
	BfMailbox  *source;			/* the build's mailbox, in the leader */
	BfMailbox  *mailbox;		/* mailbox of the probes below Gather */
	BfJoinFilter filter;		/* in a worker: the copy */
} BfJoinHanded;

typedef struct BfJoinHandoverState
{
	CustomScanState css;
	int			nfilters;
	BfJoinHanded *filters;
	bool		decided;		/* are the mailboxes of the probes set? */
	Size		bytes;			/* of the shared memory; 0: never any */
} BfJoinHandoverState;

/* The phases of a probe's filter. */
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
	BfMailbox  *mailbox;
	BfJoinFilter *filter;		/* while testing */
	BfJoinProbeKey key;
	bool		tests_batch;	/* were the rows of the batch tested, or counted? */
	double		max_pass;		/* switched off if more of a window pass */
	uint32		window_rows;	/* size of this window */
	uint32		tested;			/* rows of this window, so far */
	uint32		passed;
	uint32		rest_rows;		/* last rest; 0 after a window paid */
	uint32		rest;			/* while off: rows until the next trial */
	uint64		seen;			/* rows of earlier windows and rests */
	uint64		off_after;		/* rows seen when first switched off */
	uint64		off_count;		/* how often it was switched off */
	bool		had_too_many;	/* too many keys, in any scan */

	/* of some batches, for the order of the filters */
	uint32		sampled;		/* rows tested */
	uint32		sampled_dropped;
	double		row_time;		/* seconds, the least of a batch; 0: unknown */
} BfJoinProbeFilter;

/* A row of a page: its number in rs_vistuples. */
typedef struct BfBatchRow
{
	uint16		index;
	bool		tested;			/* by any filter */
} BfBatchRow;

/* Rows of a page that the scan below the probe has not returned yet. */
typedef struct BfBatch
{
	int			n;				/* those that pass */
	int			next;			/* the next of them to be returned */
	int			tested;			/* rows that were tested by any filter */
	BfBatchRow	rows[MaxHeapTuplesPerPage];

	/* while they are tested */
	uint64		hashes[MaxHeapTuplesPerPage];
	uint8		found[MaxHeapTuplesPerPage];
} BfBatch;

/*
 * The node's instrumentation counts, for all processes together: rows removed
 * (nfiltered1), rows tested (nfiltered2), and how often filters were switched
 * off (ntuples2).
 */
typedef struct BfJoinProbeState
{
	CustomScanState css;
	int			nfilters;
	BfJoinProbeFilter *filters;
	BfJoinProbeFilter **order;	/* in which they test the rows of a page */
	uint32		batches;
	struct BfSkip *skip;		/* NULL: there is nothing to be skipped */
	BfPageReader reader;		/* of the child, if that is a SeqScan */
	BfBatch    *batch;			/* NULL: rows are not tested on their pages */
	ExecProcNodeMtd test_rows;	/* the node's methods: while filters are in use */
	ExecProcNodeMtd hand_on;	/* and while all rest */
	uint32		resting;		/* number of rows for which all filters rest */
	uint32		handed_on;		/* number of these returned so far */
	BfTableCounts counts;		/* of this process */
} BfJoinProbeState;

#endif							/* BF_JOIN_STATE_H */
