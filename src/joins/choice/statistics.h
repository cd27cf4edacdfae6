/*-------------------------------------------------------------------------
 *
 * statistics.h
 *		What the statistics of a table's column say about its values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STATISTICS_H
#define BF_JOIN_STATISTICS_H

#include "access/attnum.h"

/* A column that has statistics. */
typedef struct BfStatisticsColumn
{
	Oid			table;
	AttrNumber	number;
	bool		of_partitions;	/* of all partitions of the table together */
} BfStatisticsColumn;

/*
 * The absolute correlation of the order of the rows with the column, from 0 to
 * 1; 0: not known.
 */
extern double bf_join_correlation(const BfStatisticsColumn *column);

/*
 * The number of different values in so many rows, 0 if it is not known, and the
 * fraction of the rows that have none.
 */
extern double bf_join_distinct(const BfStatisticsColumn *column, double rows, double *nulls);

/*
 * The fraction of the inner column's values that lie within the range of the
 * outer column; 0: not known.  Values are compared only by LEAKPROOF
 * functions, as by the planner for columns that the user may not read.  Only
 * values passed by value are compared, which outlive the statistics.
 */
extern double bf_join_fraction_in_range(const BfStatisticsColumn *inner,
										const BfStatisticsColumn *outer);

#endif							/* BF_JOIN_STATISTICS_H */
