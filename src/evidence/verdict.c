/*-------------------------------------------------------------------------
 *
 * verdict.c
 *		Compares the times of two samples of plans.
 *
 * Times of a query differ by factors, by parameters and load, so logarithms are
 * compared.  Their means and variances are updated as Welford does, "Note on a
 * method for calculating corrected sums of squares and products", 1962; the
 * interval of the difference of the means is that of Welch, "The generalization
 * of 'Student's' problem when several different population variances are
 * involved", 1947.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "evidence/verdict.h"

/* A clock has no finer unit than a nanosecond, in milliseconds. */
#define SHORTEST		1e-6

double
bf_log_time(double milliseconds)
{
	return log(Max(milliseconds, SHORTEST));
}

void
bf_sample_add(BfSample *sample, double value)
{
	double		difference = value - sample->mean;

	sample->plans++;
	sample->mean += difference / sample->plans;
	sample->squares += difference * (value - sample->mean);
}

void
bf_sample_remove(BfSample *sample, double value)
{
	double		difference = value - sample->mean;

	if (--sample->plans == 0)
	{
		sample->mean = sample->squares = 0;
		return;
	}
	sample->mean -= difference / sample->plans;
	sample->squares = Max(sample->squares - difference * (value - sample->mean), 0);
}

BfSample
bf_sample_merge(const BfSample *a, const BfSample *b)
{
	BfSample	result = {
		.executions = a->executions + b->executions,
		.plans = a->plans + b->plans
	};
	double		difference = b->mean - a->mean;
	double		weight = result.plans == 0 ? 0 : (double) b->plans / result.plans;

	result.mean = a->mean + difference * weight;
	result.squares = a->squares + b->squares + difference * difference * weight * a->plans;
	return result;
}

/*
 * The quantile of Student's distribution where that of the normal distribution
 * is z: the expansion 26.7.5 of Abramowitz and Stegun, "Handbook of Mathematical
 * Functions", whose error, from 15 degrees of freedom on, is below 0.0001 for the
 * 97.5 % quantile.
 */
static double
student_quantile(double z, double freedom)
{
	double		z3 = z * z * z;
	double		z5 = z3 * z * z;
	double		z7 = z5 * z * z;

	return z + (z3 + z) / (4 * freedom) +
		(5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
		(3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

/* The variance of a sample's mean. */
static double
mean_variance(const BfSample *sample)
{
	return sample->squares / (sample->plans - 1) / sample->plans;
}

/* Half of the interval's width. */
static double
margin(const BfSample *a, const BfSample *b, double quantile)
{
	double		va = mean_variance(a);
	double		vb = mean_variance(b);
	double		freedom;

	if (va + vb <= 0)
		return 0;
	freedom = (va + vb) * (va + vb) / (va * va / (a->plans - 1) + vb * vb / (b->plans - 1));
	return student_quantile(quantile, freedom) * sqrt(va + vb);
}

BfComparison
bf_compare(const BfSample *with, const BfSample *without, double quantile)
{
	BfComparison result = {.verdict = BF_TOO_FEW};
	double		difference = with->mean - without->mean;
	double		half;

	if (Min(with->plans, without->plans) < BF_LEAST_PLANS)
		return result;
	half = margin(with, without, quantile);
	result.ratio = exp(difference);
	result.low = exp(difference - half);
	result.high = exp(difference + half);
	result.verdict = result.high < 1 ? BF_FASTER : result.low > 1 ? BF_SLOWER : BF_NO_DIFFERENCE;
	return result;
}
