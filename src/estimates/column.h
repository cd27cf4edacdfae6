/*-------------------------------------------------------------------------
 *
 * column.h
 *		What is known of a column of filters: where they are stored, and their
 *		size.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COLUMN_H
#define BF_COLUMN_H

#include "nodes/pathnodes.h"

typedef struct BfColumn
{
	int			varno;			/* of its table */
	bool		out_of_line;	/* most of its filters are stored out of line */
	double		bytes;			/* average size of a filter; 0: unknown */
} BfColumn;

/*
 * Examine a filter that is a column of a table.  Returns false for any other
 * expression.  root may be NULL, or not yet be set up.
 */
extern bool bf_examine_column(PlannerInfo *root, Node *filter, BfColumn *column);

#endif							/* BF_COLUMN_H */
