/*-------------------------------------------------------------------------
 *
 * summary.h
 *		What indexes are like, and how worn they are: of one, or summed up over
 *		the indexes of partitions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_SUMMARY_H
#define BF_INDEX_SUMMARY_H

#include "utils/rel.h"

/* All zero at first. */
typedef struct BfSummary
{
	int64		pages;
	double		rows;			/* as of the last VACUUM or build; unknown: 0 */

	/* groups, or filters of tables, whose rates have doubled since they were new */
	int64		worn;

	/* the rates asked */
	double		lowest_target;
	double		highest_target;

	/* indexes of ranges */
	int64		of_ranges;
	int64		groups;
	double		ranges;			/* that hold values */
	double		worst_rate;		/* of a column of a group */
	double		sets;			/* that were seen */
	double		set_rate;		/* sum over these */
	int64		covers;			/* rows of them */
	int64		covered;		/* groups */
	double		cover_filters;	/* of covered groups, for each column that has values there */
	double		cover_rate;		/* sum over these */

	/* filters of whole tables */
	int64		of_tables;
	int64		capacity;		/* distinct values */
	double		values;			/* the same, that they hold */

	/* of ranges, for each column, and of tables */
	double		filters;
	double		filter_rate;	/* sum over these */
} BfSummary;

/*
 * Add an index with pages: from all of its pages, or from a sample of them.  Raises
 * an error (XX002) for a damaged page.
 */
extern void bf_summary_add(BfSummary *summary, Relation index, bool sample);

/* The scope; NULL: there is no index, or their scopes differ. */
extern const char *bf_summary_scope(const BfSummary *summary);

/* A column of a result: NULL unless the value is known. */
extern void bf_put_int(Datum *value, bool *isnull, bool known, int64 number);
extern void bf_put_float(Datum *value, bool *isnull, bool known, double number);

/*
 * Three columns: the rate asked, NULL if the indexes differ; and the mean rates of
 * the filters of ranges or tables, and of the sets of ranges.
 */
extern void bf_put_rates(Datum *values, bool *nulls, const BfSummary *summary);

#endif							/* BF_INDEX_SUMMARY_H */
