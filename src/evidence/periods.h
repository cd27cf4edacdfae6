/*-------------------------------------------------------------------------
 *
 * periods.h
 *		What counts of a trial: the plans that ran in its last two periods.
 *
 * A plan's executions resemble each other: they may share a session, a parameter
 * or a moment.  Its arm was drawn once for all of them.  So a plan counts once,
 * with the mean of its executions, in the last period in which it ran.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_PERIODS_H
#define BF_EVIDENCE_PERIODS_H

#include "datatype/timestamp.h"

#include "evidence/arm.h"
#include "evidence/verdict.h"

/* A period of a trial ends when each arm has so many plans. */
#define BF_MOST_PLANS	256

typedef struct BfPeriod
{
	TimestampTz since;			/* no two periods have the same; 0: there was none */
	BfSample	with;
	BfSample	without;
} BfPeriod;

typedef struct BfPeriods
{
	BfPeriod	current;
	BfPeriod	previous;
	int64		looks;			/* of the guard, in all periods */
	int64		next_look;		/* plans in the smaller sample of this period when it looks next */
} BfPeriods;

/* What a plan has contributed to the sample of its arm. */
typedef struct BfPlanTimes
{
	TimestampTz period;			/* in which it ran last; 0: it never ran */
	int64		executions;		/* in that period */
	double		mean;			/* of the logarithms of their times */
} BfPlanTimes;

/* Forget all, and begin the first period. */
extern void bf_periods_begin(BfPeriods *periods, TimestampTz now);

/*
 * Count an execution of a plan with filters or without.  Before that, a period
 * ends that is full, or that is older than the guard's time and has enough plans
 * to compare.
 */
extern void bf_periods_count(BfPeriods *periods, BfPlanTimes *plan, BfArm arm, double time,
							 TimestampTz now);

/* A sample of both periods. */
extern BfSample bf_periods_with(const BfPeriods *periods);
extern BfSample bf_periods_without(const BfPeriods *periods);

/*
 * If the guard is to look now, compares the samples, by an interval that is wider
 * the more often it has looked.  Otherwise BF_TOO_FEW.
 */
extern BfComparison bf_periods_look(BfPeriods *periods);

#endif							/* BF_EVIDENCE_PERIODS_H */
