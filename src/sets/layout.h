/*-------------------------------------------------------------------------
 *
 * layout.h
 *		How the blocks of a set's filter lie in the rows of its table.
 *
 * A set is a table (segment integer, filter bytea).  Row 0, the head, has the
 * parameters: the binary form of an empty filter, with the family of the
 * values once there are any.  Rows 1, 2, ... have the blocks of the filter
 * that bloom_agg would build with these parameters, so many in each row, in
 * order.  So the rows put together are that filter.
 *
 * The values in a table outlive the extension's version: all this is frozen.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETS_LAYOUT_H
#define BF_SETS_LAYOUT_H

#include "postgres.h"

#include "core/block.h"

/*
 * 31 blocks are 1,984 bytes: with the row's header four versions of rows fit
 * on a page of 8 kB, two rows and a newer version of each.
 */
#define BF_SET_BLOCKS	31
#define BF_SET_FILLFACTOR	50

/* The segment of the head. */
#define BF_SET_HEAD		0

/* The number of segments with blocks. */
static inline int32
bf_set_segments(uint32_t blocks)
{
	return (int32) ((blocks + BF_SET_BLOCKS - 1) / BF_SET_BLOCKS);
}

/* The segment of a hash, and the byte in it where its block starts. */
static inline int32
bf_set_segment(uint64_t hash, uint32_t blocks)
{
	return 1 + (int32) (bf_block_index(hash, blocks) / BF_SET_BLOCKS);
}

static inline Size
bf_set_offset(uint64_t hash, uint32_t blocks)
{
	return (Size) (bf_block_index(hash, blocks) % BF_SET_BLOCKS) * BF_BLOCK_BYTES;
}

/* The bytes in a segment with blocks; the last one may have fewer. */
static inline Size
bf_set_segment_bytes(int32 segment, uint32_t blocks)
{
	uint32_t	before = (uint32_t) (segment - 1) * BF_SET_BLOCKS;

	return (Size) Min(blocks - before, BF_SET_BLOCKS) * BF_BLOCK_BYTES;
}

#endif							/* BF_SETS_LAYOUT_H */
