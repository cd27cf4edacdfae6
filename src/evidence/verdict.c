/*-------------------------------------------------------------------------
 *
 * verdict.c
 *		Compares the times of two samples of executions.
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

/* The 97.5 % quantile of the normal distribution. */
#define NORMAL_QUANTILE	1.959964

/* A clock has no finer unit than a nanosecond, in milliseconds. */
#define SHORTEST		1e-6

void
bf_sample_add(BfSample *sample, double time)
{
	double		value = log(Max(time, SHORTEST));
	double		difference = value - sample->mean;

	sample->count++;
	sample->mean += difference / sample->count;
	sample->squares += difference * (value - sample->mean);
}

/*
 * The 97.5 % quantile of Student's distribution: the expansion 26.7.5 of
 * Abramowitz and Stegun, "Handbook of Mathematical Functions", whose error is
 * below 0.0001 from 15 degrees of freedom on.
 */
static double
student_quantile(double freedom)
{
	double		z = NORMAL_QUANTILE;
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
	return sample->squares / (sample->count - 1) / sample->count;
}

/* Half of the interval's width. */
static double
margin(const BfSample *a, const BfSample *b)
{
	double		va = mean_variance(a);
	double		vb = mean_variance(b);
	double		freedom;

	if (va + vb <= 0)
		return 0;
	freedom = (va + vb) * (va + vb) / (va * va / (a->count - 1) + vb * vb / (b->count - 1));
	return student_quantile(freedom) * sqrt(va + vb);
}

BfComparison
bf_compare(const BfSample *with, const BfSample *without)
{
	BfComparison result = {.verdict = BF_TOO_FEW};
	double		difference = with->mean - without->mean;
	double		half;

	if (Min(with->count, without->count) < BF_LEAST_EXECUTIONS)
		return result;
	half = margin(with, without);
	result.ratio = exp(difference);
	result.low = exp(difference - half);
	result.high = exp(difference + half);
	result.verdict = result.high < 1 ? BF_FASTER : result.low > 1 ? BF_SLOWER : BF_NO_DIFFERENCE;
	return result;
}
