/*-------------------------------------------------------------------------
 *
 * match.h
 *		Testing many filters, side by side in a page, for one value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_MATCH_H
#define BF_INDEX_MATCH_H

#include "port/pg_bitutils.h"

#include "index/file/slab.h"

#define BF_MASK_WORDS	((BF_SLOTS + 63) / 64)

/* A set of the ranges of a group, or of the sets of a range. */
typedef struct BfMask
{
	uint64		words[BF_MASK_WORDS];
} BfMask;

/* Choose the fastest code; called once when the library is loaded. */
extern void bf_match_init(void);

/*
 * Which of the first sets' (or ranges') blocks in the page hold all bits of the
 * hash?
 */
extern BfMask bf_match(const char *page, const BfPlace *place, uint32 sets, uint64 hash, int k);

static inline bool
bf_mask_has(const BfMask *mask, uint32 member)
{
	return (mask->words[member / 64] >> member % 64 & 1) != 0;
}

/* The first member that is not less than the given one; or BF_SLOTS or more. */
static inline uint32
bf_mask_next(const BfMask *mask, uint32 member)
{
	uint32		word = member / 64;
	uint64		rest;

	if (word >= BF_MASK_WORDS)
		return BF_SLOTS;
	rest = mask->words[word] & (PG_UINT64_MAX << member % 64);
	while (rest == 0)
	{
		if (++word == BF_MASK_WORDS)
			return BF_SLOTS;
		rest = mask->words[word];
	}
	return word * 64 + pg_rightmost_one_pos64(rest);
}

/* Go through the members of a mask. */
#define BF_MASK_FOREACH(member, mask) \
	for (member = bf_mask_next(mask, 0); member < BF_SLOTS; member = bf_mask_next(mask, member + 1))

static inline bool
bf_mask_is_empty(const BfMask *mask)
{
	uint64		any = 0;
	int			i;

	for (i = 0; i < BF_MASK_WORDS; i++)
		any |= mask->words[i];
	return any == 0;
}

static inline void
bf_mask_or(BfMask *mask, const BfMask *other)
{
	int			i;

	for (i = 0; i < BF_MASK_WORDS; i++)
		mask->words[i] |= other->words[i];
}

static inline void
bf_mask_and(BfMask *mask, const BfMask *other)
{
	int			i;

	for (i = 0; i < BF_MASK_WORDS; i++)
		mask->words[i] &= other->words[i];
}

#endif							/* BF_INDEX_MATCH_H */
