/*-------------------------------------------------------------------------
 *
 * bf_view.h
 *		Read access to a filter, whatever form its datum has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_VIEW_H
#define BF_VIEW_H

#include "postgres.h"

#include "bf_compat.h"
#include "bf_format.h"

/*
 * A filter opened for reading: in line, compressed, out of line, with a short
 * header or expanded, it looks the same.  The view is valid as long as the
 * datum is and, if that is an expanded object, until that changes.
 */
typedef struct BfView
{
	BfHeader	header;
	const uint8_t *data;		/* blocks, or hashes in ascending order;
								 * little-endian, not aligned */
	void	   *allocated;		/* what bf_view_close() frees */
} BfView;

/* Raise data_corrupted (XX001), which only a damaged disk can bring about. */
BF_NORETURN extern void bf_report_corrupt(const char *reason);

/* Decode a stored value's header. */
extern void bf_stored_header_read(const uint8_t *payload, Size len, BfHeader *header);

extern void bf_view_open(BfView *view, Datum filter);
extern void bf_view_close(BfView *view);

/* Is the hash, or are its bits, in the filter? */
extern bool bf_view_contains(const BfView *view, uint64_t hash);
extern bool bf_list_contains(const uint8_t *hashes, uint64_t count, uint64_t hash);

/* Size in bytes of the filter as a stored value, uncompressed. */
extern Size bf_flat_size(const BfHeader *header);

/*
 * A new flat filter with this header; its data, bf_data_length() bytes, are
 * not initialized.
 */
extern struct varlena *bf_flat_create(const BfHeader *header, uint8_t **data);

/*
 * Blocks of a filter, one after the other, whether they are stored or have to
 * be made from a list of hashes: the list is in the order of the blocks.
 * Not for unsized filters.
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

/*
 * Raise the error for filters that cannot be combined: of different families
 * (42804), or of different sizes or seeds (22023).
 */
extern void bf_require_combinable(const BfHeader *a, const BfHeader *b);

/*
 * The header that a combination of a and b starts from: a's, with b's family
 * if a has none, the larger capacity and the lower rate.  The count is a's.
 */
extern void bf_combine_headers(BfHeader *a, const BfHeader *b);

#endif							/* BF_VIEW_H */
