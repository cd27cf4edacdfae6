/* compatible.h: declarations of compatible.c */
#ifndef BF_COMPATIBLE_H
#define BF_COMPATIBLE_H

#include "compat.h"
#include "core/combine.h"
#include "type/hashing/element.h"

/* Does the filter's header accept values of the element type? */
static inline bool
bf_family_accepts(const BfHeader *header, const BfElement *element)
{
	if (header->family == element->family)
		return header->family != BF_FAMILY_OWN ||
			(header->environment == element->environment &&
			 header->name_len == element->name_len &&
			 memcmp(header->name, element->name, element->name_len) == 0);
	return bf_family_takes(header->family, element->family);
}

/* Raise the error for a filter that does not accept the values. */
BF_NORETURN extern void bf_report_not_accepted(const BfHeader *header, const BfElement *element);

static inline void
bf_require_accepts(const BfHeader *header, const BfElement *element)
{
	if (unlikely(!bf_family_accepts(header, element)))
		bf_report_not_accepted(header, element);
}

/* Raise the error for two filters of different families. */
BF_NORETURN extern void bf_report_family_mismatch(const BfHeader *a, const BfHeader *b);

/*
 * The family's name for people to read, in the database encoding if that can
 * represent it, palloc'd; NULL if the filter has no family yet.
 */
extern char *bf_element_type_name(const BfHeader *header);

/*
 * Raise the error for filters that cannot be combined: of different families
 * (42804), or of different sizes or seeds (22023).
 */
extern void bf_require_combinable(const BfHeader *a, const BfHeader *b);

/* The same, with a hint of one's own for different sizes or seeds; or NULL. */
extern void bf_require_combinable_hinting(const BfHeader *a, const BfHeader *b, const char *hint);

#endif							/* BF_COMPATIBLE_H */
