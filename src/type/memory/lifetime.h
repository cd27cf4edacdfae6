/*-------------------------------------------------------------------------
 *
 * lifetime.h
 *		Who owns a filter in memory, and when it is freed.
 *
 * For expanded.c and plain.c, which make filters in memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_LIFETIME_H
#define BF_LIFETIME_H

#include "type/memory/object.h"

/* Called once when the library is loaded. */
extern void bf_lifetime_init(const ExpandedObjectMethods *methods);

/*
 * An object whose home is the current context; and an aggregate's state, in a
 * context that all states share.  Both without header and body.
 */
extern BfExpanded *bf_object_create(BfFilterType type, const BfTypeMethods *type_methods);
extern BfExpanded *bf_object_create_state(BfFilterType type, const BfTypeMethods *type_methods,
										  MemoryContext states);

/*
 * An empty body for the object.  Unless the object is a state, the body has a
 * context of its own, which is a child of the current context until an object
 * owns the body.
 */
extern BfBody *bf_body_create(const BfExpanded *filter);

/* Make the object an owner of the body, instead of the body that it owned. */
extern void bf_body_own(BfExpanded *filter, BfBody *body);

#endif							/* BF_LIFETIME_H */
