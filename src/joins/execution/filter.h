/*-------------------------------------------------------------------------
 *
 * filter.h
 *		A join filter in memory, as a build node hands it to probe nodes.
 *
 * The build hands the filter over in a slot of its EState's executor parameters,
 * the mailbox, which no expression refers to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_FILTER_H
#define BF_JOIN_FILTER_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "joins/execution/keyset.h"

typedef struct BfJoinShared BfJoinShared;

/*
 * A filter: what the mailbox points to once it is complete.  One that is
 * shared is there from the start.
 */
typedef struct BfJoinFilter
{
	/*
	 * The only EState in which it may be used.  EvalPlanQual runs a plan anew
	 * with other rows, and copies all parameters from the EState it is called
	 * in.
	 */
	EState	   *owner;
	BfJoinShared *shared;		/* of a Parallel Hash: is it complete? */
	MemoryContext mcxt;			/* of blocks that are not in shared memory */

	/*
	 * Aligned.  NULL if there were too many keys, while rows are hashed anew, and
	 * of one that is shared until it is found complete.
	 */
	const uint8 *blocks;
	uint32		nblocks;
	int			k;

	/*
	 * Of all probes from which rows get into groups, since rows of one group may
	 * come by several, and of all scans: once they are switched off, no keys are
	 * dropped but those of which rows were dropped before.
	 */
	bool		groups_off;
	uint32		dropped_rows;	/* counted while they are few */
	bool		dropped_null;
	uint64	   *dropped_keys;	/* a bit for each hash; NULL while there are none */

	/*
	 * The keys of all processes, for scans that skip what cannot match: a set for
	 * each column of the key that any of them skips by, and else NULL.  They are
	 * known even if there were too many keys for the blocks.
	 */
	int			nkeys;
	BfKeySet  **keys;			/* NULL: nobody skips anything */
	bool		keys_complete;
} BfJoinFilter;

#endif							/* BF_JOIN_FILTER_H */
