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
 * Another one after it has the role: others may execute a plan that is kept.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/makefuncs.h"

#include "evidence/arm.h"

#define NO_CACHE	(-1)

/* Of the three arms: no other extension will use the same numbers. */
#define FIRST_MARK	0xB100F117

static void
add_mark(PlannedStmt *stmt, uint32 value)
{
	PlanInvalItem *mark = makeNode(PlanInvalItem);

	mark->cacheId = NO_CACHE;
	mark->hashValue = value;
	stmt->invalItems = lappend(stmt->invalItems, mark);
}

void
bf_arm_mark(PlannedStmt *stmt, BfArm arm)
{
	if (arm == BF_ARM_NONE)
		return;
	add_mark(stmt, FIRST_MARK + arm);
	add_mark(stmt, GetUserId());
}

/* Returns the place of the mark, or -1. */
static int
find_mark(const PlannedStmt *stmt, BfArm *arm)
{
	ListCell   *lc;

	foreach(lc, stmt->invalItems)
	{
		const PlanInvalItem *item = lfirst(lc);
		uint32		number = item->hashValue - FIRST_MARK;

		if (item->cacheId == NO_CACHE && number > BF_ARM_NONE && number <= BF_ARM_GUARDED)
		{
			*arm = (BfArm) number;
			return foreach_current_index(lc);
		}
	}
	*arm = BF_ARM_NONE;
	return -1;
}

BfArm
bf_arm_of(const PlannedStmt *stmt)
{
	BfArm		result;

	(void) find_mark(stmt, &result);
	return result;
}

Oid
bf_arm_role(const PlannedStmt *stmt)
{
	BfArm		arm;
	int			place = find_mark(stmt, &arm);

	Assert(place >= 0);
	return ((const PlanInvalItem *) list_nth(stmt->invalItems, place + 1))->hashValue;
}
