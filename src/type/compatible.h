/*-------------------------------------------------------------------------
 *
 * compatible.h
 *		Which filters and values go together, and the errors for those that
 *		do not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COMPATIBLE_H
#define BF_COMPATIBLE_H

#include "postgres.h"

#include "compat.h"
#include "core/format.h"
#include "type/element.h"

/* Does the filter's header accept values of the element type? */
static inline bool
bf_family_accepts(const BfHeader *header, const BfElement *element)
{
	if (header->family == element->family)
		return header->family != BF_FAMILY_OWN ||
			(header->environment == element->environment &&
			 header->name_len == element->name_len &&
			 memcmp(header->name, element->name, element->name_len) == 0);
	if (header->family == BF_FAMILY_NONE)
		return true;
	return (header->family == BF_FAMILY_TEXT && element->family == BF_FAMILY_BPCHAR) ||
		(header->family == BF_FAMILY_BPCHAR && element->family == BF_FAMILY_TEXT);
}

/* Raise the error for a filter that does not. */
BF_NORETURN extern void bf_report_not_accepted(const BfHeader *header, const BfElement *element);

static inline void
bf_require_accepts(const BfHeader *header, const BfElement *element)
{
	if (unlikely(!bf_family_accepts(header, element)))
		bf_report_not_accepted(header, element);
}

/* Raise the error for two filters of different families. */
BF_NORETURN extern void bf_report_family_mismatch(const BfHeader *a, const BfHeader *b);

/* Are the filters' families the same, or one of them without any? */
extern bool bf_families_combine(const BfHeader *a, const BfHeader *b);

/*
 * The family's name in the database encoding, palloc'd; NULL if there is
 * none yet.
 */
extern char *bf_element_type_name(const BfHeader *header);

/* Can the filters be combined? */
extern bool bf_combinable(const BfHeader *a, const BfHeader *b);

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

#endif							/* BF_COMPATIBLE_H */
