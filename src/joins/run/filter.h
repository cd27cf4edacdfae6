/*-------------------------------------------------------------------------
 *
 * filter.h
 *		A join filter in memory, as a build node passes it to probe nodes in
 *		its mailbox.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_FILTER_H
#define BF_JOIN_FILTER_H

#include "nodes/execnodes.h"

#include "joins/ranges/keyset.h"

typedef struct BfJoinShared BfJoinShared;

/*
 * A filter.  The mailbox points to it once it is complete; to a shared filter,
 * from the start.
 */
typedef struct BfJoinFilter
{
	EState	   *owner;			/* the only EState in which it may be used */
	BfJoinShared *shared;		/* of a Parallel Hash: is it complete? */
	MemoryContext mcxt;			/* for blocks that are not in shared memory */

	/*
	 * Aligned.  NULL if there were too many keys, and while rows are hashed
	 * anew; and in a shared filter until a probe finds it complete.
	 */
	const uint8 *blocks;
	uint32		nblocks;
	int			k;

	/*
	 * The keys of all processes, for scans that skip what cannot match.  The
	 * array has a set for each column of the key by which a scan skips, and
	 * NULL for the others.  They are known even if there were too many keys for
	 * the blocks.
	 */
	BfKeySet  **keys;			/* NULL: no scan skips anything */
	bool		keys_complete;
} BfJoinFilter;

#endif							/* BF_JOIN_FILTER_H */
