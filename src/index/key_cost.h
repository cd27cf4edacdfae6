/*-------------------------------------------------------------------------
 *
 * key_cost.h
 *		How often the keys that a condition looks for occur.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_KEY_COST_H
#define BF_INDEX_KEY_COST_H

#include "nodes/pathnodes.h"
#include "utils/relcache.h"

#include "index/read/query.h"

typedef struct BfKeyCondition
{
	BfQueries  *queries;
	double	   *frequencies;	/* of each hash, the part of the rows that have it */
} BfKeyCondition;

/*
 * What a condition of an index on a column of keys looks for.  rows is the part of
 * the rows that match: so often is a key expected if statistics tell nothing of it.
 * Returns false if the value that is compared with is not known yet, or the column is
 * one of values.
 */
extern bool bf_key_condition(BfKeyCondition *condition, PlannerInfo *root, Relation index,
							 const IndexClause *clause, double rows);

/* The part of a table that seems to match, if such parts seem to have each hash. */
extern double bf_key_matching(const BfKeyCondition *condition, const double *parts);

#endif							/* BF_INDEX_KEY_COST_H */
