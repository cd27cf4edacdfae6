/*-------------------------------------------------------------------------
 *
 * plan.h
 *		Which covers of an index have to be made, and of what.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_PLAN_H
#define BF_INDEX_PLAN_H

#include "utils/rel.h"

#include "index/file/directory.h"

/*
 * A row of covers that will be made.  It takes the place of one row, or of the last ones
 * or of none if it covers groups that have no cover.
 */
typedef struct BfCoverPlan
{
	uint32		row;			/* the first in whose place it comes */
	uint32		first;			/* group */
	uint32		end;			/* the group after the last */
	bool		extends;		/* does it cover groups that have no cover? */
	BfSlab		slabs[INDEX_MAX_KEYS];	/* sized; of columns whose covers stay: no blocks */

	/* which of the groups' filters, from the first on, are not copied */
	bool		is_read[INDEX_MAX_KEYS][BF_SLOTS];
} BfCoverPlan;

/*
 * Plan to make the covers of a row anew that are missing or worn; false: none is.  Only
 * the caller of bf_rebuild_worn_groups() may ask, as below.
 */
extern bool bf_cover_plan_worn(BfCoverPlan *plan, Relation index, uint32 row);

/*
 * Plan to cover groups that have no cover, and to merge the covers in front of them with
 * theirs; false: there are too few.
 */
extern bool bf_cover_plan_next(BfCoverPlan *plan, Relation index);

#endif							/* BF_INDEX_PLAN_H */
