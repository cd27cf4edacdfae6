/*-------------------------------------------------------------------------
 *
 * verdict.h
 *		Compares the times of two samples of plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_VERDICT_H
#define BF_EVIDENCE_VERDICT_H

/* Logarithms of times: number, mean, and sum of squared differences from it. */
typedef struct BfSample
{
	int64		executions;		/* of these plans, for who reads it */
	int64		plans;
	double		mean;
	double		squares;
} BfSample;

/*
 * Fewest plans of each sample that are compared.  Times are not normally
 * distributed, not even their logarithms, but means of so many nearly are; and
 * the interval is at most 9 % wider than for a variance that is known.
 */
#define BF_LEAST_PLANS	16

/* The 97.5 % quantile of the normal distribution: for an interval of 95 %. */
#define BF_95_PERCENT	1.959964

typedef enum BfVerdict
{
	BF_TOO_FEW,
	BF_FASTER,
	BF_SLOWER,
	BF_NO_DIFFERENCE
} BfVerdict;

/* The ratio of the geometric means, and its interval; not if there are too few. */
typedef struct BfComparison
{
	BfVerdict	verdict;		/* of the first sample */
	double		ratio;
	double		low;
	double		high;
} BfComparison;

/* The logarithm of a time in milliseconds. */
extern double bf_log_time(double milliseconds);

/* Add the logarithm of a plan's time to a sample, or remove one that was added. */
extern void bf_sample_add(BfSample *sample, double value);
extern void bf_sample_remove(BfSample *sample, double value);

/* All plans of two samples. */
extern BfSample bf_sample_merge(const BfSample *a, const BfSample *b);

/* By an interval as wide as this quantile of the normal distribution says. */
extern BfComparison bf_compare(const BfSample *with, const BfSample *without, double quantile);

#endif							/* BF_EVIDENCE_VERDICT_H */
