/*-------------------------------------------------------------------------
 *
 * periods.c
 *		What counts of a trial: the plans that ran in its last two periods.
 *
 * What is older is forgotten, since data and load change.  With two periods a
 * verdict is never of a few plans alone because a period has just ended.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "utils/timestamp.h"

#include "evidence/periods.h"
#include "settings.h"

void
bf_periods_begin(BfPeriods *periods, TimestampTz now)
{
	memset(periods, 0, sizeof(*periods));
	periods->current.since = now;
}

static int64
smaller_sample(const BfPeriod *period)
{
	return Min(period->with.plans, period->without.plans);
}

/* Of a query that runs rarely, plans are kept until there are enough to compare. */
static bool
has_ended(const BfPeriod *period, TimestampTz now)
{
	int64		plans = smaller_sample(period);

	return plans >= BF_MOST_PLANS ||
		(plans >= BF_LEAST_PLANS &&
		 TimestampDifferenceExceeds(period->since, now, bf_join_filter_guard_time * 1000));
}

static void
begin_next(BfPeriods *periods, TimestampTz now)
{
	periods->previous = periods->current;
	memset(&periods->current, 0, sizeof(periods->current));
	/* the clock may have been set back */
	periods->current.since = Max(now, periods->previous.since + 1);
	periods->next_look = 0;
}

static BfSample *
sample_of(BfPeriod *period, BfArm arm)
{
	return arm == BF_ARM_WITH ? &period->with : &period->without;
}

/* Take away what the plan has contributed, unless that is forgotten. */
static void
withdraw(BfPeriods *periods, const BfPlanTimes *plan, BfArm arm)
{
	if (plan->period == 0)
		return;
	if (plan->period == periods->current.since)
		bf_sample_remove(sample_of(&periods->current, arm), plan->mean);
	else if (plan->period == periods->previous.since)
		bf_sample_remove(sample_of(&periods->previous, arm), plan->mean);
}

static void
add_execution(BfPlanTimes *plan, TimestampTz period, double time)
{
	if (plan->period != period)
	{
		plan->period = period;
		plan->executions = 0;
		plan->mean = 0;
	}
	plan->executions++;
	plan->mean += (bf_log_time(time) - plan->mean) / plan->executions;
}

void
bf_periods_count(BfPeriods *periods, BfPlanTimes *plan, BfArm arm, double time, TimestampTz now)
{
	BfSample   *sample;

	if (has_ended(&periods->current, now))
		begin_next(periods, now);
	withdraw(periods, plan, arm);
	add_execution(plan, periods->current.since, time);
	sample = sample_of(&periods->current, arm);
	bf_sample_add(sample, plan->mean);
	sample->executions++;
}

BfSample
bf_periods_with(const BfPeriods *periods)
{
	return bf_sample_merge(&periods->previous.with, &periods->current.with);
}

BfSample
bf_periods_without(const BfPeriods *periods)
{
	return bf_sample_merge(&periods->previous.without, &periods->current.without);
}

/*
 * A query that filters do not change has a chance of 2.5 % to be found slower in
 * the first look, and of at most that divided by n^2 in the n-th, together 4.2 %,
 * however often the guard looks.  That is because the tail of the normal
 * distribution is its density times a factor that falls, and
 *
 *		exp(-(z^2 + 4 ln n) / 2) = exp(-z^2 / 2) / n^2
 */
static double
quantile_of_look(int64 look)
{
	return sqrt(BF_95_PERCENT * BF_95_PERCENT + 4 * log((double) look));
}

BfComparison
bf_periods_look(BfPeriods *periods)
{
	const BfComparison none = {.verdict = BF_TOO_FEW};
	BfSample	with = bf_periods_with(periods);
	BfSample	without = bf_periods_without(periods);
	int64		plans = smaller_sample(&periods->current);

	if (plans < Max(periods->next_look, BF_LEAST_PLANS))
		return none;
	periods->next_look = plans + BF_LEAST_PLANS;
	periods->looks++;
	return bf_compare(&with, &without, quantile_of_look(periods->looks));
}
