/*-------------------------------------------------------------------------
 *
 * layout.h
 *		How the blocks of a set's filter lie in the rows of its table.
 *
 * A set is a table (segment integer, filter bytea).  Row 0, the head, has the
 * parameters: the binary form of an empty filter, with the family of the
 * values once there are any.  Rows 1, 2, ... have the blocks of the dense filter
 * with these parameters and all values, so many in each row, in order.  So the
 * rows put together are that filter.
 *
 * The values in a table outlive the extension's version: all this is frozen.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETS_LAYOUT_H
#define BF_SETS_LAYOUT_H

#include "core/block.h"

/*
 * 7 blocks are 448 bytes: a page of 8 kB has eight rows, and room for as many
 * newer versions.  So updates stay on the page, also if some old versions are
 * still needed.  Measured with 4 sessions that add 100 values at a time to a
 * set for 10 million: with 31 blocks a row, two on a page, the table grew from
 * 24 to 40 MB within 1.1 million updates, with 15 one of 40,000 updates left
 * its page, with 7 none of 1.6 million, and a call was a third faster than
 * with 31.
 */
#define BF_SET_BLOCKS	7
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
