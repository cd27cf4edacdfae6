/*-------------------------------------------------------------------------
 *
 * dropped.h
 *		The keys of rows that a filter below groups has dropped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_DROPPED_H
#define BF_JOIN_DROPPED_H

#include "joins/keys/hash.h"
#include "joins/run/filter.h"

/*
 * Maximum number of dropped rows, below groups, up to which a filter may be
 * switched off; and the number of bits that record their keys, as a power of
 * two.  The bits take 8 kB, which stay in the processor's cache; at most 6
 * percent of them are set.
 */
#define MAX_DROPPED_ROWS	4096
#define DROPPED_BITS		16

/* The number of the bit for a hash. */
static inline uint32
bf_dropped_bit(uint32 hash)
{
	return (uint32) (bf_join_hash_spread(hash) >> (64 - DROPPED_BITS));
}

/* Were so few rows dropped that all of their keys are recorded? */
static inline bool
bf_dropped_few(const BfJoinFilter *filter)
{
	return filter->dropped_rows <= MAX_DROPPED_ROWS;
}

static inline void
bf_dropped_note(BfJoinFilter *filter, bool has_key, uint32 hash)
{
	uint32		bit = bf_dropped_bit(hash);

	if (!bf_dropped_few(filter))
		return;
	filter->dropped_rows++;
	if (!has_key)
	{
		filter->dropped_null = true;
		return;
	}
	if (filter->dropped_keys == NULL)
		filter->dropped_keys = MemoryContextAllocZero(filter->owner->es_query_cxt,
													  (1 << DROPPED_BITS) / 8);
	filter->dropped_keys[bit / 64] |= UINT64CONST(1) << (bit % 64);
}

/* Were rows of this key dropped?  Rarely true of a key of which none were. */
static inline bool
bf_dropped_before(const BfJoinFilter *filter, bool has_key, uint32 hash)
{
	uint32		bit = bf_dropped_bit(hash);

	if (!has_key)
		return filter->dropped_null;
	return filter->dropped_keys != NULL && ((filter->dropped_keys[bit / 64] >> (bit % 64)) & 1) != 0;
}

#endif							/* BF_JOIN_DROPPED_H */
