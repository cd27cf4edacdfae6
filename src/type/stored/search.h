/* search.h: declarations of search.c */
#ifndef BF_STORED_SEARCH_H
#define BF_STORED_SEARCH_H

#include "type/stored/cache.h"

/*
 * bf_data_count() of the filter behind the pointer, which has this header.
 * Call this if bf_cache_payload() returns NULL.
 */
extern int	bf_parts_count(BfCacheRef *ref, const struct varlena *pointer,
						   const BfHeader *header, uint64_t hash);

#endif							/* BF_STORED_SEARCH_H */
