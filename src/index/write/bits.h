/*-------------------------------------------------------------------------
 *
 * bits.h
 *		Setting bits in pages of a filter index, with WAL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_BITS_H
#define BF_INDEX_BITS_H

#include "utils/rel.h"

#include "index/file/slab.h"

/* The bits of a value in a level, and the page that they are in. */
typedef struct BfTarget
{
	BfPlace		place;
	uint32		slab;			/* number of the slab that the page belongs to */
	uint32		set;			/* or range */
	uint64		hash;
	int			k;
	Buffer		buffer;
	bool		missing;		/* are not all bits set? */
} BfTarget;

/*
 * Set the bits of the targets that are missing, of up to two, and write WAL.
 * Their pages are pinned, and different.  Locks them in their order.  Returns
 * false, and sets nothing, if a page does not belong to its slab any more.
 */
extern bool bf_set_bits(Relation index, BfTarget *targets, int count);

/*
 * Most bytes of WAL for a target: a change of pd_lower, and all that it lets
 * in, or else the bytes of a block with the places of changes.
 */
#define BF_MAX_DELTA	(BLCKSZ + 64)

/*
 * Set the bits in the page, and describe the change as generic WAL does.
 * Returns the number of bytes of the description.
 */
extern int	bf_set_bits_delta(Page page, const BfTarget *target, char *delta);

#endif							/* BF_INDEX_BITS_H */
