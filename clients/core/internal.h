/*-------------------------------------------------------------------------
 *
 * internal.h
 *		Declarations shared by the sources that implement filter.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INTERNAL_H
#define BF_INTERNAL_H

#include "filter.h"

/*
 * Set an error's SQLSTATE and message, formatted as by printf(), and clear its
 * detail and hint; the next two functions set these.  All return false.
 */
extern bool bf_error_set(BfError *error, const char *sqlstate, const char *format,...)
			__attribute__((format(printf, 3, 4)));
extern bool bf_error_detail(BfError *error, const char *format,...)
			__attribute__((format(printf, 2, 3)));
extern bool bf_error_hint(BfError *error, const char *format,...)
			__attribute__((format(printf, 2, 3)));

/* Set the error for want of memory. */
extern bool bf_error_memory(BfError *error);

/* Set the error for too many hashes in an unsized filter. */
extern bool bf_error_list_limit(BfError *error);

/*
 * Between these calls numbers have a decimal point, whatever the program's
 * locale.
 */
typedef struct BfLocale
{
	void	   *callers;
} BfLocale;

extern BfLocale bf_locale_enter(void);
extern void bf_locale_leave(BfLocale locale);

/*
 * Memory for a filter's data, with room for a payload.  The header ends, and
 * the data begin, on a cache line's boundary.
 */
typedef struct BfStorage
{
	void	   *allocated;		/* to be freed */
	uint8_t    *payload;
	uint8_t    *data;
} BfStorage;

extern bool bf_storage_allocate(BfStorage *storage, size_t header_len, size_t data_len,
								BfError *error);

/*
 * Make a filter with this header, whose name is copied, and with this storage,
 * which the filter takes over.  Without memory, the storage is freed.
 */
extern BfFilter *bf_filter_make(const BfHeader *header, BfStorage storage, BfError *error);

/*
 * Replace a filter's data and header.  The filter takes over the header's
 * name, and must not have had another name.
 */
extern void bf_filter_replace(BfFilter *filter, const BfHeader *header, BfStorage storage);

/*
 * The functions of filter.h for bloomfilters, for either type.  A BfFilter
 * that holds a counting filter may only be written or freed.
 */
extern BfFilter *bf_filter_from_bytes_as(BfFilterType type, const uint8_t *bytes, size_t len,
										 BfError *error);
extern BfFilter *bf_filter_from_text_as(BfFilterType type, const char *text, size_t len,
										BfError *error);
extern BfFilter *bf_filter_parse_as(BfFilterType type, const uint8_t *input, size_t len,
									BfError *error);

/* Turn the tree into a list in one piece, if there is a tree. */
extern bool bf_filter_settle(BfFilter *filter, BfError *error);

/* Turn a filter's list into blocks. */
extern bool bf_filter_densify(BfFilter *filter, BfError *error);

#endif							/* BF_INTERNAL_H */
