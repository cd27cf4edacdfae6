/*-------------------------------------------------------------------------
 *
 * verdict.h
 *		Compares the times of two samples of executions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_VERDICT_H
#define BF_EVIDENCE_VERDICT_H

/* Logarithms of times: their number, mean, and sum of squared differences from it. */
typedef struct BfSample
{
	int64		count;
	double		mean;
	double		squares;
} BfSample;

/*
 * Fewest executions of each sample that are compared.  Times are not normally
 * distributed, not even their logarithms, but means of so many nearly are; and
 * the interval is at most 9 % wider than for a variance that is known.
 */
#define BF_LEAST_EXECUTIONS	16

typedef enum BfVerdict
{
	BF_TOO_FEW,
	BF_FASTER,
	BF_SLOWER,
	BF_NO_DIFFERENCE
} BfVerdict;

/* The ratio of the geometric means, and its 95 % interval; not if there are too few. */
typedef struct BfComparison
{
	BfVerdict	verdict;		/* of the first sample */
	double		ratio;
	double		low;
	double		high;
} BfComparison;

/* Add a time, of any unit, to a sample. */
extern void bf_sample_add(BfSample *sample, double time);

extern BfComparison bf_compare(const BfSample *with, const BfSample *without);

#endif							/* BF_EVIDENCE_VERDICT_H */
