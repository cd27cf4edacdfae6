/*-------------------------------------------------------------------------
 *
 * compatible.c
 *		Which filters and values go together, and the errors for those that
 *		do not.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "type/compatible.h"
#include "type/own_hash.h"

void
bf_report_not_accepted(const BfHeader *header, const BfElement *element)
{
	uint64_t	theirs = header->environment;
	uint64_t	ours = element->environment;
	bool		same_type = header->family == BF_FAMILY_OWN &&
		element->family == BF_FAMILY_OWN &&
		header->name_len == element->name_len &&
		memcmp(header->name, element->name, element->name_len) == 0;

	if (same_type)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("bloomfilter of type %s was built in another environment",
						bf_element_type_name(header)),
				 errdetail("The filter's hashes depend on %s, this database's on %s.",
						   bf_environment_description(theirs), bf_environment_description(ours)),
				 errhint("Build the filter here, or from values cast to text, whose hash depends on nothing.")));
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("bloomfilter and value are of different types"),
			 errdetail("The filter holds values of type %s, the value is of type %s.",
					   bf_element_type_name(header), format_type_be(element->typid)),
			 errhint("Cast the value to %s.", bf_element_type_name(header))));
}

bool
bf_families_combine(const BfHeader *a, const BfHeader *b)
{
	if (a->family == BF_FAMILY_NONE || b->family == BF_FAMILY_NONE)
		return true;
	return a->family == b->family && a->environment == b->environment &&
		a->name_len == b->name_len &&
		(a->name_len == 0 || memcmp(a->name, b->name, a->name_len) == 0);
}

void
bf_report_family_mismatch(const BfHeader *a, const BfHeader *b)
{
	char	   *name_a = bf_element_type_name(a);
	char	   *name_b = bf_element_type_name(b);

	if (strcmp(name_a, name_b) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("bloomfilters of type %s were built in different environments", name_a),
				 errdetail("The hashes of one depend on %s, those of the other on %s.",
						   bf_environment_description(a->environment),
						   bf_environment_description(b->environment)),
				 errhint("Build both in one database, or from values cast to text, whose hash depends on nothing.")));
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("bloomfilters hold values of different types"),
			 errdetail("One holds values of type %s, the other of type %s.", name_a, name_b),
			 errhint("Build both from values cast to the same type.")));
}

char *
bf_element_type_name(const BfHeader *header)
{
	if (header->family == BF_FAMILY_NONE)
		return NULL;
	if (header->family != BF_FAMILY_OWN)
		return pstrdup(bf_family_name(header->family));
	return bf_convert_encoding(header->name, header->name_len, PG_UTF8, GetDatabaseEncoding());
}

static char *
describe_parameters(const BfHeader *header)
{
	if (header->representation == BF_UNSIZED)
		return psprintf("no size yet, seed %lld", (long long) header->seed);
	return psprintf("%u blocks, %d hashes, seed %lld (expected_items %llu, false_positive_rate %g)",
					header->blocks, header->hashes, (long long) header->seed,
					(unsigned long long) header->capacity, header->rate);
}

/* Unsized filters have zeroes where others have a size. */
static bool
parameters_combine(const BfHeader *a, const BfHeader *b)
{
	return a->seed == b->seed && a->blocks == b->blocks && a->hashes == b->hashes;
}

bool
bf_combinable(const BfHeader *a, const BfHeader *b)
{
	return bf_families_combine(a, b) && parameters_combine(a, b);
}

void
bf_require_combinable(const BfHeader *a, const BfHeader *b)
{
	if (!bf_families_combine(a, b))
		bf_report_family_mismatch(a, b);
	if (!parameters_combine(a, b))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bloomfilters of different parameters cannot be combined"),
				 errdetail("One has %s, the other %s.",
						   describe_parameters(a), describe_parameters(b)),
				 errhint("Create both with the same expected_items, false_positive_rate and seed.")));
}

void
bf_combine_headers(BfHeader *a, const BfHeader *b)
{
	if (a->family == BF_FAMILY_NONE)
	{
		a->family = b->family;
		a->environment = b->environment;
		a->name = b->name;
		a->name_len = b->name_len;
	}
	a->capacity = Max(a->capacity, b->capacity);
	a->rate = Min(a->rate, b->rate);
}
