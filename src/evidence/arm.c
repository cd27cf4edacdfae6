/*-------------------------------------------------------------------------
 *
 * arm.c
 *		The arm of a trial to which a plan belongs.
 *
 * A plan without filters has no node of ours, and a plan may be copied and kept
 * for later executions, also by other roles.  So the mark is an element of a list
 * that is copied with the plan: that of the catalog entries whose change makes the
 * plan invalid.  The server only compares an element's cache and hash value with
 * those of a change.  The arm is in the place of the number of a cache, of which
 * none is negative, so the element never matches; the role is in that of the value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/makefuncs.h"

#include "evidence/arm.h"

/* As a number of a cache, negative: no other extension will use those of the arms. */
#define FIRST_MARK	0xB100F117

void
bf_arm_mark(PlannedStmt *stmt, BfArm arm)
{
	PlanInvalItem *mark;

	if (arm == BF_ARM_NONE)
		return;
	mark = makeNode(PlanInvalItem);
	mark->cacheId = (int) (FIRST_MARK + arm);
	mark->hashValue = GetUserId();
	stmt->invalItems = lappend(stmt->invalItems, mark);
}

static BfArm
arm_of_item(const PlanInvalItem *item)
{
	uint32		arm = (uint32) item->cacheId - FIRST_MARK;

	return arm <= BF_ARM_GUARDED ? (BfArm) arm : BF_ARM_NONE;
}

/* Returns NULL if the plan is not marked. */
static const PlanInvalItem *
find_mark(const PlannedStmt *stmt)
{
	ListCell   *lc;

	foreach(lc, stmt->invalItems)
	{
		const PlanInvalItem *item = lfirst(lc);

		if (arm_of_item(item) != BF_ARM_NONE)
			return item;
	}
	return NULL;
}

BfArm
bf_arm_of(const PlannedStmt *stmt)
{
	const PlanInvalItem *mark = find_mark(stmt);

	return mark == NULL ? BF_ARM_NONE : arm_of_item(mark);
}

Oid
bf_arm_role(const PlannedStmt *stmt)
{
	return find_mark(stmt)->hashValue;
}
