/*-------------------------------------------------------------------------
 *
 * blocks.c
 *		Operations on whole filters that check for interrupts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/memory/blocks.h"

/* Blocks between two checks for interrupts: 4 MiB, about a millisecond. */
#define INTERRUPT_BLOCKS	65536

void
bf_blocks_add_set(uint8_t *blocks, uint32_t nblocks, int k, const BfHashSet *set)
{
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	int			n;

	/*
	 * hashes come nearly in order, so blocks are written nearly in order, too
	 */
	bf_hashset_scan_begin(&scan, set);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		bf_blocks_add(blocks, nblocks, k, hashes, n);
	}
}

/*
 * OR or AND; "intersect" is a constant.  Bitwise operations do not depend on
 * the byte order, and the compiler vectorizes the loop over single bytes.
 */
static pg_attribute_always_inline void
combine_blocks(uint8_t *ours, const uint8_t *theirs, uint32_t n, bool intersect)
{
	uint32_t	done = 0;

	while (done < n)
	{
		size_t		bytes = (size_t) Min(n - done, INTERRUPT_BLOCKS) * BF_BLOCK_BYTES;
		size_t		i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < bytes; i++)
			ours[i] = intersect ? ours[i] & theirs[i] : ours[i] | theirs[i];
		ours += bytes;
		theirs += bytes;
		done += INTERRUPT_BLOCKS;
	}
}

void
bf_blocks_or(uint8_t *ours, const uint8_t *theirs, uint32_t n)
{
	combine_blocks(ours, theirs, n, false);
}

void
bf_blocks_and(uint8_t *ours, const uint8_t *theirs, uint32_t n)
{
	combine_blocks(ours, theirs, n, true);
}
