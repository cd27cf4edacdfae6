/*-------------------------------------------------------------------------
 *
 * column.h
 *		What is known of a column of filters: where they are, how large.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COLUMN_H
#define BF_COLUMN_H

#include "postgres.h"

#include "nodes/pathnodes.h"

typedef struct BfColumn
{
	int			varno;			/* of its table */
	bool		out_of_line;	/* most of its filters are */
	double		bytes;			/* of a filter, on average; 0: not known */
} BfColumn;

/*
 * Look at a filter that is a column of a table.  Returns false for any other
 * expression.  The root may be NULL, or at the start of its work.
 */
extern bool bf_examine_column(PlannerInfo *root, Node *filter, BfColumn *column);

#endif							/* BF_COLUMN_H */
