/*-------------------------------------------------------------------------
 *
 * arm.c
 *		The arm of a trial to which a plan belongs.
 *
 * A plan without filters has no node of ours, and a plan may be copied and kept
 * for later executions.  So the mark is an element of a list that is copied
 * with the plan: that of the catalog entries whose change makes the plan
 * invalid.  The server only compares an element's cache and hash value with those
 * of a change.  There is no cache of this number, so the element never matches.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"

#include "evidence/arm.h"

#define NO_CACHE	(-1)

/* Of the three arms: no other extension will use the same numbers. */
#define FIRST_MARK	0xB100F117

void
bf_arm_mark(PlannedStmt *stmt, BfArm arm)
{
	PlanInvalItem *mark;

	if (arm == BF_ARM_NONE)
		return;
	mark = makeNode(PlanInvalItem);
	mark->cacheId = NO_CACHE;
	mark->hashValue = FIRST_MARK + arm;
	stmt->invalItems = lappend(stmt->invalItems, mark);
}

BfArm
bf_arm_of(const PlannedStmt *stmt)
{
	ListCell   *lc;

	foreach(lc, stmt->invalItems)
	{
		const PlanInvalItem *item = lfirst(lc);
		uint32		arm = item->hashValue - FIRST_MARK;

		if (item->cacheId == NO_CACHE && arm > BF_ARM_NONE && arm <= BF_ARM_GUARDED)
			return (BfArm) arm;
	}
	return BF_ARM_NONE;
}
