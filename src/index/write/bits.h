/*-------------------------------------------------------------------------
 *
 * bits.h
 *		Setting bits in pages of a filter index, with WAL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_BITS_H
#define BF_INDEX_BITS_H

#include "access/generic_xlog.h"
#include "utils/rel.h"

#include "index/file/slab.h"

/* The bits of a value in a level: where the block of the first set or range is, and the hash. */
typedef struct BfBits
{
	BfPlace		place;
	uint64		hash;
} BfBits;

/* The bits of values in a page. */
typedef struct BfTarget
{
	const BfBits *values;		/* in one page, in the order of their slots */
	int			count;
	uint32		slab;			/* number of the slab that the page belongs to */
	uint32		set;			/* or range */
	int			k;
	Buffer		buffer;
	bool		missing;		/* are not all bits set? */
} BfTarget;

/* Most pages that are changed at a time: as many as a record of generic WAL can have. */
#define BF_MAX_TARGETS	MAX_GENERIC_XLOG_PAGES

static inline BlockNumber
bf_target_page(const BfTarget *target)
{
	return target->values[0].place.page;
}

/* Are the bits of all its values set in the target's page? */
extern bool bf_target_is_set(const BfTarget *target);

/*
 * Set the bits of the targets that are missing, of up to BF_MAX_TARGETS, and write
 * WAL.  Their pages are pinned, and different.  Locks them in their order.  Returns
 * false, and sets nothing, if a page does not belong to its slab any more.
 */
extern bool bf_set_bits(Relation index, BfTarget *targets, int count);

/*
 * Most bytes of WAL for a target: a change of pd_lower, and all that it lets
 * in, or else the bytes of the blocks with the places of changes, which are joined if
 * they are not further apart than a place takes.
 */
#define BF_MAX_DELTA	(BLCKSZ + 64)

/*
 * Set the bits in the page, and describe the change as generic WAL does.
 * Returns the number of bytes of the description.
 */
extern int	bf_set_bits_delta(Page page, const BfTarget *target, char *delta);

#endif							/* BF_INDEX_BITS_H */
