/* plain.h: declarations of plain.c */
#ifndef BF_PLAIN_H
#define BF_PLAIN_H

#include "type/memory/expanded.h"

/* Called once when the library is loaded. */
extern void bf_plain_init(void);

/* Turn the list of a body that is not shared into blocks. */
extern void bf_plain_densify(BfExpanded *filter);

/* Add a list, in its stored form, to a body that is not shared. */
extern void bf_plain_add_list(BfExpanded *filter, const uint8_t *list, uint64_t count);

/*
 * A new body for the object, with an empty list; and, once this list is
 * complete, replace the object's body by it.
 */
extern BfBody *bf_plain_begin_list(BfExpanded *filter);
extern void bf_plain_end_list(BfExpanded *filter, BfBody *body);

#endif							/* BF_PLAIN_H */
