/*-------------------------------------------------------------------------
 *
 * lifetime.h
 *		Who owns a filter in memory, and when it is freed.
 *
 * For those who make filters in memory: expanded.c and plain.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_LIFETIME_H
#define BF_LIFETIME_H

#include "type/expanded.h"

/* To be called when the library is loaded. */
extern void bf_lifetime_init(const ExpandedObjectMethods *methods);

/*
 * An object at home in the current context, or an aggregate's state in a
 * context that all of them share; without a header or a body.
 */
extern BfExpanded *bf_object_create(BfFilterType type, const BfTypeMethods *type_methods);
extern BfExpanded *bf_object_create_state(BfFilterType type, const BfTypeMethods *type_methods,
										  MemoryContext states);

/*
 * A body for the object, with nothing in it.  Unless the object is a state, the
 * body has a context of its own, which goes with the current context until an
 * object owns the body.
 */
extern BfBody *bf_body_create(const BfExpanded *filter);

/* Make the object an owner of the body, and of no other body. */
extern void bf_body_own(BfExpanded *filter, BfBody *body);

#endif							/* BF_LIFETIME_H */
