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
	double		false_positive_rate;
} IndexOptions;

static relopt_kind option_kind;

/*
 * A new rate concerns the groups that are made from then on, so that nothing
 * has to wait for it.
 */
void
bf_index_options_init(void)
{
	option_kind = add_reloption_kind();
	add_real_reloption(option_kind, "false_positive_rate",
					   "Rate at which a lookup reads a part of the table in vain",
					   BF_DEFAULT_INDEX_RATE, BF_MIN_RATE, BF_MAX_INDEX_RATE,
					   ShareUpdateExclusiveLock);
}

bytea *
bf_index_options(Datum reloptions, bool validate)
{
	static const relopt_parse_elt elements[] = {
		{
			.optname = "false_positive_rate",
			.opttype = RELOPT_TYPE_REAL,
			.offset = offsetof(IndexOptions, false_positive_rate)
		}
	};

	return (bytea *) build_reloptions(reloptions, validate, option_kind, sizeof(IndexOptions),
									  elements, lengthof(elements));
}

double
bf_index_rate(Relation index)
{
	const IndexOptions *options = (const IndexOptions *) index->rd_options;

	return options == NULL ? BF_DEFAULT_INDEX_RATE : options->false_positive_rate;
}
