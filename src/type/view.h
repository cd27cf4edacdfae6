/*-------------------------------------------------------------------------
 *
 * view.h
 *		Read access to a filter, whatever form its datum has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_VIEW_H
#define BF_VIEW_H

#include "postgres.h"

#include "compat.h"
#include "core/data.h"

/*
 * A filter opened for reading, as one of its type: in line, compressed, out of
 * line, with a short header or expanded, it looks the same.  The view is valid
 * as long as the datum is and, if that is an expanded object, until that
 * changes.
 */
typedef struct BfView
{
	BfHeader	header;
	const uint8_t *data;		/* blocks, or hashes in ascending order and
								 * their counts; little-endian, not aligned */
	void	   *allocated;		/* what bf_view_close() frees */
} BfView;

extern void bf_view_open_as(BfFilterType type, BfView *view, Datum filter);
extern void bf_view_close(BfView *view);

/* The first, of a bloomfilter. */
static inline void
bf_view_open(BfView *view, Datum filter)
{
	bf_view_open_as(BF_PLAIN, view, filter);
}

/* bf_flat_size() of a filter, for which nothing has to be read. */
extern Size bf_view_flat_size(BfFilterType type, Datum filter);

/*
 * Is the filter a list, and of how many hashes?  False if its header is not
 * to be had much more cheaply than the whole.
 */
extern bool bf_view_is_list(BfFilterType type, Datum filter, uint64_t *count);

/* Is the hash, or are its bits, in the filter? */
static inline bool
bf_view_contains(const BfView *view, uint64_t hash)
{
	return bf_data_contains(&view->header, view->data, hash);
}

/*
 * A block of bits of a dense filter.  If it has counters instead, it is made of
 * those, where the caller says.
 */
extern const uint8_t *bf_view_block(const BfView *view, uint32_t index, uint8_t *made);

/*
 * Blocks of bits, one after the other, whether they are stored or have to be
 * made from counters or from a list of hashes: the list is in the order of the
 * blocks.  Not for unsized filters.
 */
typedef struct BfBlockScan
{
	const BfView *view;
	uint32_t	next_block;
	uint64_t	next_hash;
	uint8_t		made[BF_BLOCK_BYTES];
} BfBlockScan;

extern void bf_block_scan_begin(BfBlockScan *scan, const BfView *view);
extern const uint8_t *bf_block_scan_next(BfBlockScan *scan);

/* The number of bits set, or that would be set if the filter were dense. */
extern uint64_t bf_view_bits_set(const BfView *view);

#endif							/* BF_VIEW_H */
