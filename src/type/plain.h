/*-------------------------------------------------------------------------
 *
 * plain.h
 *		A bloomfilter in memory: how hashes come in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_PLAIN_H
#define BF_PLAIN_H

#include "type/expanded.h"

/* To be called when the library is loaded. */
extern void bf_plain_init(void);

/* Make blocks of the list in a body that is not shared. */
extern void bf_plain_densify(BfExpanded *filter);

/* Add a list, as it is stored, to a body that is not shared. */
extern void bf_plain_add_list(BfExpanded *filter, const uint8_t *list, uint64_t count);

/*
 * Another body for the object, with an empty list; and to replace what it
 * has by that list, once this is complete.
 */
extern BfBody *bf_plain_begin_list(BfExpanded *filter);
extern void bf_plain_end_list(BfExpanded *filter, BfBody *body);

#endif							/* BF_PLAIN_H */
