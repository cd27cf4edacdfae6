/*-------------------------------------------------------------------------
 *
 * plan_times.c
 *		What was counted of each plan that this session has.
 *
 * A plan must not be changed, so the counts are beside it, in its memory
 * context: when a plan goes, what was counted of it goes, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "evidence/plan_times.h"

/* Most sessions keep fewer plans; more are possible. */
#define FIRST_PLANS		64

typedef struct PlanEntry
{
	const PlannedStmt *stmt;	/* the key */
	BfPlanTimes *times;
} PlanEntry;

/* In the memory of the plan. */
typedef struct Kept
{
	BfPlanTimes times;			/* must be first */
	const PlannedStmt *stmt;
	MemoryContextCallback callback;
} Kept;

static HTAB *plans = NULL;

static void
forget(void *arg)
{
	(void) hash_search(plans, &((Kept *) arg)->stmt, HASH_REMOVE, NULL);
}

static Kept *
keep(const PlannedStmt *stmt)
{
	MemoryContext context = GetMemoryChunkContext((void *) stmt);
	Kept	   *kept = MemoryContextAllocZero(context, sizeof(Kept));

	kept->stmt = stmt;
	kept->callback.func = forget;
	kept->callback.arg = kept;
	MemoryContextRegisterResetCallback(context, &kept->callback);
	return kept;
}

static void
make_table(void)
{
	HASHCTL		control = {.keysize = sizeof(PlannedStmt *), .entrysize = sizeof(PlanEntry)};

	plans = hash_create("bloomfilter plans in trials", FIRST_PLANS, &control,
						HASH_ELEM | HASH_BLOBS);
}

BfPlanTimes *
bf_plan_times(const PlannedStmt *stmt)
{
	PlanEntry  *entry;
	Kept	   *kept;

	if (plans == NULL)
		make_table();
	entry = hash_search(plans, &stmt, HASH_FIND, NULL);
	if (entry != NULL)
		return entry->times;
	kept = keep(stmt);
	entry = hash_search(plans, &stmt, HASH_ENTER, NULL);
	entry->times = &kept->times;
	return &kept->times;
}
