/*-------------------------------------------------------------------------
 *
 * internal.h
 *		What the sources of filter.h share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INTERNAL_H
#define BF_INTERNAL_H

#include "filter.h"

/*
 * Start an error: its SQLSTATE and message, as printf writes it.  The detail
 * and the hint are empty then, and written by the next two.  All return false.
 */
extern bool bf_error_set(BfError *error, const char *sqlstate, const char *format,...)
			__attribute__((format(printf, 3, 4)));
extern bool bf_error_detail(BfError *error, const char *format,...)
			__attribute__((format(printf, 2, 3)));
extern bool bf_error_hint(BfError *error, const char *format,...)
			__attribute__((format(printf, 2, 3)));

/* There is no memory. */
extern bool bf_error_memory(BfError *error);

/* An unsized filter cannot hold more. */
extern bool bf_error_list_limit(BfError *error);

/* In between numbers have a point, whatever the program's locale. */
typedef struct BfLocale
{
	void	   *callers;
} BfLocale;

extern BfLocale bf_locale_enter(void);
extern void bf_locale_leave(BfLocale locale);

/*
 * What a filter keeps its data in: room for a payload of these lengths, of
 * which the header ends on a cache line's boundary.
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
 * A filter with that header, whose name is copied, and with that storage, which
 * is its own from now on, also if there is no memory.
 */
extern BfFilter *bf_filter_make(const BfHeader *header, BfStorage storage, BfError *error);

/* Give a filter other data, and a header that differs in all but the name. */
extern void bf_filter_replace(BfFilter *filter, const BfHeader *header, BfStorage storage);

/*
 * What filter.h has of bloomfilters, of either type.  A counting filter in a
 * BfFilter is one to be written again or freed, nothing else.
 */
extern BfFilter *bf_filter_from_bytes_as(BfFilterType type, const uint8_t *bytes, size_t len,
										 BfError *error);
extern BfFilter *bf_filter_from_text_as(BfFilterType type, const char *text, size_t len,
										BfError *error);
extern BfFilter *bf_filter_parse_as(BfFilterType type, const uint8_t *input, size_t len,
									BfError *error);

/* Put a list that is being added to in one piece again. */
extern bool bf_filter_settle(BfFilter *filter, BfError *error);

/* Turn its list into blocks. */
extern bool bf_filter_densify(BfFilter *filter, BfError *error);

#endif							/* BF_INTERNAL_H */
