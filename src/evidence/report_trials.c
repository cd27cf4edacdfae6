/*-------------------------------------------------------------------------
 *
 * report_trials.c
 *		Shows trials: the function of the view bloom_join_filter_trials.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_authid_d.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "evidence/entries.h"
#include "evidence/store.h"

BF_SQL_FUNCTION(bloomfilter_trials);

/* The columns of bloom_join_filter_trials. */
enum
{
	USERID, QUERYID, QUERY, EXECUTIONS_WITH, EXECUTIONS_WITHOUT, PLANS_WITH, PLANS_WITHOUT,
	MEAN_MS_WITH, MEAN_MS_WITHOUT, RATIO, RATIO_LOW, RATIO_HIGH, VERDICT, GUARDED_SINCE, SINCE, EVICTED, SCOPE, NCOLUMNS
};

static const char *const verdicts[] = {
	[BF_TOO_FEW] = "too few",
	[BF_FASTER] = "faster",
	[BF_SLOWER] = "slower",
	[BF_NO_DIFFERENCE] = "no difference seen"
};

/* Others' queries are hidden, as in pg_stat_statements. */
static bool
may_see(Oid role)
{
	return role == GetUserId() || has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS);
}

static void
set_sample(Datum *values, bool *nulls, int executions, int plans, int mean, const BfSample *sample)
{
	values[executions] = Int64GetDatum(sample->executions);
	values[plans] = Int64GetDatum(sample->plans);
	values[mean] = Float8GetDatum(exp(sample->mean));
	nulls[mean] = sample->plans == 0;
}

static void
set_comparison(Datum *values, bool *nulls, const BfPeriods *periods)
{
	BfSample	with = bf_periods_with(periods);
	BfSample	without = bf_periods_without(periods);
	BfComparison comparison = bf_compare(&with, &without, BF_95_PERCENT);

	set_sample(values, nulls, EXECUTIONS_WITH, PLANS_WITH, MEAN_MS_WITH, &with);
	set_sample(values, nulls, EXECUTIONS_WITHOUT, PLANS_WITHOUT, MEAN_MS_WITHOUT, &without);
	values[RATIO] = Float8GetDatum(comparison.ratio);
	values[RATIO_LOW] = Float8GetDatum(comparison.low);
	values[RATIO_HIGH] = Float8GetDatum(comparison.high);
	nulls[RATIO] = nulls[RATIO_LOW] = nulls[RATIO_HIGH] = comparison.verdict == BF_TOO_FEW;
	values[VERDICT] = CStringGetTextDatum(verdicts[comparison.verdict]);
}

/* When the older of the periods that count began. */
static TimestampTz
counted_since(const BfPeriods *periods)
{
	return periods->previous.since != 0 ? periods->previous.since : periods->current.since;
}

static void
put_row(ReturnSetInfo *result, const BfTrialEntry *entry, int64 evicted)
{
	Datum		values[NCOLUMNS];
	bool		nulls[NCOLUMNS] = {false};

	nulls[QUERYID] = nulls[QUERY] = !may_see(entry->entry.key.object);
	values[USERID] = ObjectIdGetDatum(entry->entry.key.object);
	values[QUERYID] = Int64GetDatum((int64) entry->entry.key.query);
	values[QUERY] = CStringGetTextDatum(entry->text);
	set_comparison(values, nulls, &entry->periods);
	nulls[GUARDED_SINCE] = entry->guarded_since == 0;
	values[GUARDED_SINCE] = TimestampTzGetDatum(entry->guarded_since);
	values[SINCE] = TimestampTzGetDatum(counted_since(&entry->periods));
	values[EVICTED] = Int64GetDatum(evicted);
	values[SCOPE] = CStringGetTextDatum(bf_store_is_shared() ? "shared" : "session");
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum
bloomfilter_trials(PG_FUNCTION_ARGS)
{
	BfTrialEntry *entries;
	int			count;
	int64		evicted;
	int			i;

	InitMaterializedSRF(fcinfo, 0);
	entries = bf_store_copy(BF_EVIDENCE_TRIALS, &count, &evicted);
	for (i = 0; i < count; i++)
		put_row((ReturnSetInfo *) fcinfo->resultinfo, &entries[i], evicted);
	return (Datum) 0;
}
