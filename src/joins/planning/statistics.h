/*-------------------------------------------------------------------------
 *
 * ranges.h
 *		How many values of a column lie within the range of another column's, by
 *		the statistics of both.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_RANGES_H
#define BF_JOIN_RANGES_H

#include "postgres.h"

#include "access/attnum.h"

/* A column that has statistics. */
typedef struct BfStatisticsColumn
{
	Oid			table;
	AttrNumber	number;
	bool		of_partitions;	/* of all partitions of the table together */
} BfStatisticsColumn;

/*
 * The fraction of the inner column's values that lie within the range of the
 * outer column; 0: not known.  Values are compared only by LEAKPROOF
 * functions, as by the planner for columns that the user may not read.  Only
 * values passed by value are compared, which outlive the statistics.
 */
extern double bf_join_fraction_in_range(const BfStatisticsColumn *inner,
										const BfStatisticsColumn *outer);

#endif							/* BF_JOIN_RANGES_H */
