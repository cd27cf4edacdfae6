/* flat.h: declarations of flat.c */
#ifndef BF_FLAT_H
#define BF_FLAT_H

#include "compat.h"
#include "core/format.h"

/* Raise data_corrupted (XX001).  Only a damaged disk can cause this. */
BF_NORETURN extern void bf_report_corrupt(const char *reason);

/* Decode the header of a stored value of the type. */
extern void bf_stored_header_read(BfFilterType type, const uint8_t *payload, Size len,
								  BfHeader *header);

/*
 * Open a filter of the type that is not an expanded object; it is detoasted if
 * necessary.  Returns what the caller must free afterwards, or NULL.
 *
 * A list is checked: its order and, in a counting filter, its counts.  The
 * check takes 0.3 ns per hash, as long as copying the list (measured).  Tests
 * of values do not call this function and do not check the order: a test reads
 * some 20 hashes of a list, and the check would read all of them, 0.15 ms for
 * 500,000.
 */
extern void *bf_flat_open(BfFilterType type, Datum filter, BfHeader *header,
						  const uint8_t **data);

/* Size in bytes of the filter as a stored value, uncompressed. */
extern Size bf_flat_size(const BfHeader *header);

/*
 * A new flat filter with this header.  Its data, bf_data_length() bytes, are
 * not initialized.
 */
extern struct varlena *bf_flat_create(const BfHeader *header, uint8_t **data);

#endif							/* BF_FLAT_H */
