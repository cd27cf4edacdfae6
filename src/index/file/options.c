/*-------------------------------------------------------------------------
 *
 * options.c
 *		The storage parameters of a filter index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/reloptions.h"

#include "compat.h"
#include "core/sizing.h"
#include "index/file/options.h"

typedef struct IndexOptions
{
	int32		vl_len_;
	int			scope;			/* BfIndexScope */
	double		false_positive_rate;
	double		expected_items;
} IndexOptions;

/* What was not given; no value that can be given. */
#define NOT_GIVEN		(-1)

/* More values than a filter can be made for: what fits depends on the rate. */
#define MAX_ITEMS		1e12

static relopt_kind option_kind;

static relopt_enum_elt_def scopes[] = {
	{"ranges", BF_SCOPE_RANGES},
	{"table", BF_SCOPE_TABLE},
	{NULL, 0}
};

/*
 * New values concern what is made from then on, so that nothing has to wait
 * for them: groups, or the index when it is built again.
 */
void
bf_index_options_init(void)
{
	option_kind = add_reloption_kind();
	add_enum_reloption(option_kind, "scope",
					   "Whether there is a filter of each range of the table's pages, or one of the table",
					   scopes, BF_SCOPE_RANGES,
					   gettext_noop("Valid values are \"ranges\" and \"table\"."),
					   ShareUpdateExclusiveLock);
	add_real_reloption(option_kind, "false_positive_rate",
					   "Rate at which an absent value is found in a filter",
					   NOT_GIVEN, BF_MIN_RATE, BF_MAX_INDEX_RATE, ShareUpdateExclusiveLock);
	add_real_reloption(option_kind, "expected_items",
					   "Number of distinct values that the filter of the table is made for",
					   NOT_GIVEN, 1, MAX_ITEMS, ShareUpdateExclusiveLock);
}

bytea *
bf_index_options(Datum reloptions, bool validate)
{
	static const relopt_parse_elt elements[] = {
		{
			.optname = "scope",
			.opttype = RELOPT_TYPE_ENUM,
			.offset = offsetof(IndexOptions, scope)
		},
		{
			.optname = "false_positive_rate",
			.opttype = RELOPT_TYPE_REAL,
			.offset = offsetof(IndexOptions, false_positive_rate)
		},
		{
			.optname = "expected_items",
			.opttype = RELOPT_TYPE_REAL,
			.offset = offsetof(IndexOptions, expected_items)
		}
	};
	IndexOptions *options = build_reloptions(reloptions, validate, option_kind,
											 sizeof(IndexOptions), elements, lengthof(elements));

	if (validate && options != NULL && options->expected_items != NOT_GIVEN &&
		options->scope != BF_SCOPE_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("expected_items needs scope = 'table'"),
				 errdetail("The filters of ranges are made for the rows that are there.")));
	return (bytea *) options;
}

BfIndexScope
bf_index_scope_asked(Relation index)
{
	const IndexOptions *options = (const IndexOptions *) index->rd_options;

	return options == NULL ? BF_SCOPE_RANGES : (BfIndexScope) options->scope;
}

double
bf_index_rate(Relation index)
{
	const IndexOptions *options = (const IndexOptions *) index->rd_options;

	if (options != NULL && options->false_positive_rate != NOT_GIVEN)
		return options->false_positive_rate;
	return bf_index_scope_asked(index) == BF_SCOPE_TABLE ? BF_DEFAULT_TABLE_RATE :
		BF_DEFAULT_RANGE_RATE;
}

double
bf_index_expected_items(Relation index)
{
	const IndexOptions *options = (const IndexOptions *) index->rd_options;

	return options == NULL || options->expected_items == NOT_GIVEN ? 0 : options->expected_items;
}
