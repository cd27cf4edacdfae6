/*-------------------------------------------------------------------------
 *
 * compatible.c
 *		Which filters and values can be used together, and the errors if they
 *		cannot.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "common/string.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "type/hashing/compatible.h"
#include "type/hashing/conversion.h"
#include "type/hashing/environment.h"

/* As filters name it; its arrays begin so, too. */
#define NUMERIC_NAME	"pg_catalog.numeric"

/* Raise the error for a filter whose hashes come from another environment. */
BF_NORETURN static void
report_other_environment(const BfHeader *header, const BfElement *element)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("bloomfilter of type %s was built in another environment",
					bf_element_type_name(header)),
			 errdetail("The filter's hashes depend on %s, this database's on %s.",
					   bf_environment_in_words(header->environment, element->environment),
					   bf_environment_in_words(element->environment, header->environment)),
			 errhint("Build the filter here, or from text in which equal values are always written alike, such as trim_scale(n)::text and lower(c::text).")));
}

/*
 * Does the cast to the filter's type change values?  It rounds numbers to
 * integers, and timestamps to days.
 */
static bool
cast_rounds(const BfHeader *header, const BfElement *element)
{
	if (header->family == BF_FAMILY_INTEGER)
		return element->family == BF_FAMILY_FLOAT || getBaseType(element->typid) == NUMERICOID;
	return header->family == BF_FAMILY_DATE &&
		(element->family == BF_FAMILY_TIMESTAMP || element->family == BF_FAMILY_TIMESTAMPTZ);
}

/* Would a cast to the filter's type keep 6 or 15 digits of the value or its elements? */
static bool
cast_shortens(const char *type, const BfElement *element)
{
	Oid			base = get_base_element_type(element->typid);

	if (!OidIsValid(base))
		base = getBaseType(element->typid);
	return strncmp(type, NUMERIC_NAME, strlen(NUMERIC_NAME)) == 0 &&
		(base == FLOAT4OID || base == FLOAT8OID);
}

/* A hint: what to use instead of a value of another type. */
static int
hint_at_value(const BfHeader *header, const BfElement *element)
{
	const char *type = header->family == BF_FAMILY_OWN ? bf_element_type_name(header) :
		bf_family_cast_type(header->family);
	bool		wants_array = pg_str_endswith(type, "[]");
	bool		is_array = OidIsValid(get_base_element_type(element->typid));

	if (is_array && !wants_array)
		return errhint("To use the elements of an array, call bloom_contains_any, bloom_contains_all or bloom_add_all; of a set, bloom_set_add_all; of an index, unnest it.");
	if (wants_array && !is_array)
		return errhint("Give an array of type %s as one value. To add the elements of an array, call bloom_add_all.", type);
	if (cast_rounds(header, element))
		return errhint("Cast the value to %s only where value = value::%s. Any other value cannot be in the filter, and the cast would round it.",
					   type, type);
	if (cast_shortens(type, element))
		return errhint("Build the filter from values that are cast to %s. A cast to %s would round the value.",
					   format_type_be(element->typid), type);
	if (element->family == BF_FAMILY_TEXT)
		return errhint("Cast the value to %s. A text that cannot be cast cannot be in the filter.", type);
	if (header->family == BF_FAMILY_TEXT && element->family == BF_FAMILY_OWN)
		return errhint("Cast the value to text as it was when the filter was built. Equal values may be written differently: use trim_scale(n)::text, lower(c::text).");
	return errhint("Cast the value to %s.", type);
}

void
bf_report_not_accepted(const BfHeader *header, const BfElement *element)
{
	bool		same_type = header->family == BF_FAMILY_OWN &&
		element->family == BF_FAMILY_OWN &&
		header->name_len == element->name_len &&
		memcmp(header->name, element->name, element->name_len) == 0;

	if (same_type)
		report_other_environment(header, element);
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("bloomfilter and value are of different types"),
			 errdetail("The filter holds values of type %s, the value is of type %s.",
					   bf_element_type_name(header), format_type_be(element->typid)),
			 hint_at_value(header, element)));
}

/* Raise the error for two filters from different environments. */
BF_NORETURN static void
report_different_environments(const BfHeader *a, const BfHeader *b)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("bloomfilters of type %s were built in different environments",
					bf_element_type_name(a)),
			 errdetail("The hashes of one depend on %s, those of the other on %s.",
					   bf_environment_in_words(a->environment, b->environment),
					   bf_environment_in_words(b->environment, a->environment)),
			 errhint("Build both in one database, or from text in which equal values are always written alike, such as trim_scale(n)::text and lower(c::text).")));
}

void
bf_report_family_mismatch(const BfHeader *a, const BfHeader *b)
{
	if (a->family == BF_FAMILY_OWN && b->family == BF_FAMILY_OWN && bf_names_equal(a, b))
		report_different_environments(a, b);
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("bloomfilters hold values of different types"),
			 errdetail("One holds values of type %s, the other of type %s.",
					   bf_element_type_name(a), bf_element_type_name(b)),
			 errhint("Build both from values cast to the same type.")));
}

char *
bf_element_type_name(const BfHeader *header)
{
	char	   *utf8;
	char	   *result;
	Size		len;

	if (header->family == BF_FAMILY_NONE)
		return NULL;
	if (header->family != BF_FAMILY_OWN)
		return pstrdup(bf_family_name(header->family));

	utf8 = palloc(header->name_len);
	len = bf_type_name_readable(header->name, header->name_len, utf8);
	result = bf_try_from_utf8(utf8, len);
	pfree(utf8);
	return result != NULL ? result : pnstrdup(header->name, header->name_len);
}

void
bf_require_combinable(const BfHeader *a, const BfHeader *b)
{
	bf_require_combinable_hinting(a, b, NULL);
}

void
bf_require_combinable_hinting(const BfHeader *a, const BfHeader *b, const char *hint)
{
	char		in_a[BF_PARAMETERS_ROOM];
	char		in_b[BF_PARAMETERS_ROOM];

	if (!bf_families_combine(a, b))
		bf_report_family_mismatch(a, b);
	if (!bf_parameters_combine(a, b))
	{
		bf_parameters_describe(a, in_a);
		bf_parameters_describe(b, in_b);
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bloomfilters of different parameters cannot be combined"),
				 errdetail("One has %s, the other %s.", in_a, in_b),
				 errhint("%s", hint != NULL ? hint : bf_parameters_hint(a, b))));
	}
}
