/* view.h: declarations of view.c */
#ifndef BF_VIEW_H
#define BF_VIEW_H

#include "compat.h"
#include "core/data.h"

/*
 * A filter opened for reading, as a filter of its type.  Datums that are in
 * line, compressed, out of line, with a short header or expanded all look the
 * same.  The view is valid as long as the datum is valid and, if the datum is
 * an expanded object, does not change.
 */
typedef struct BfView
{
	BfHeader	header;
	const uint8_t *data;		/* blocks, or hashes in ascending order and
								 * then their counts; little-endian, not
								 * aligned */
	void	   *allocated;		/* what bf_view_close() frees */
} BfView;

extern void bf_view_open(BfFilterType type, BfView *view, Datum filter);
extern void bf_view_close(BfView *view);

/*
 * The header of a filter, of which no more is read than that.  Pending changes
 * may be missing from its count.  Returns what the caller must free when
 * header->name is no longer used, or NULL.
 */
extern void *bf_view_header(BfFilterType type, Datum filter, BfHeader *header);

/* bf_flat_size() of a filter, without reading it. */
extern Size bf_view_flat_size(BfFilterType type, Datum filter);

/*
 * Is the filter a list?  Sets the number of its hashes.  Also returns false if
 * reading only the header would not be much cheaper than reading the whole
 * filter.
 */
extern bool bf_view_is_list(BfFilterType type, Datum filter, uint64_t *count);

/* Does the filter contain the hash, or all its bits? */
static inline bool
bf_view_contains(const BfView *view, uint64_t hash)
{
	return bf_data_contains(&view->header, view->data, hash);
}

/*
 * A block of bits of a dense filter.  A counting filter's block is made from
 * the counters, in "made".
 */
extern const uint8_t *bf_view_block(const BfView *view, uint32_t index, uint8_t *made);

/*
 * Reads the blocks of bits in order.  They are stored, or are made from
 * counters or from a list of hashes, which is in the order of the blocks.  Not
 * for unsized filters.
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

/* The number of bits set; for a list, that of the dense filter. */
extern uint64_t bf_view_bits_set(const BfView *view);

#endif							/* BF_VIEW_H */
