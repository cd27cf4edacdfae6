/*-------------------------------------------------------------------------
 *
 * trial.c
 *		Trials: queries that get join filters are sometimes planned without
 *		them, and the times of both are compared.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/pg_prng.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/plancache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "evidence/entries.h"
#include "evidence/store.h"
#include "evidence/trial.h"
#include "settings.h"

/*
 * Filters that make a query slower by less than this factor are left alone: a
 * plan without them may be worse tomorrow.
 */
#define MOST_SLOWER		1.05

static BfEntryKey
key_of(Oid role, uint64 query)
{
	BfEntryKey	key = {.database = MyDatabaseId, .object = role, .query = query};

	return key;
}

/* ---------- the guard ---------- */

/* Called with the lock; entry may be NULL. */
static bool
is_guarded(const BfTrialEntry *entry)
{
	return bf_join_filter_guard && entry != NULL && entry->guarded_since != 0;
}

/* After its time the guard ends, and counting begins anew: the data may have changed. */
static void
end_guard_in_time(BfTrialEntry *entry, TimestampTz now)
{
	if (!is_guarded(entry) ||
		!TimestampDifferenceExceeds(entry->guarded_since, now, bf_join_filter_guard_time * 1000))
		return;
	bf_periods_begin(&entry->periods, now);
	entry->guarded_since = 0;
	entry->entry.since = now;
}

static void
guard_if_slower(BfTrialEntry *entry, TimestampTz now)
{
	BfComparison comparison;

	if (!bf_join_filter_guard)
		return;
	comparison = bf_periods_look(&entry->periods);
	if (comparison.ratio > MOST_SLOWER && comparison.verdict == BF_SLOWER)
		entry->guarded_since = now;
}

/*
 * Plans that this session keeps are made anew, once for each change.  Some are not
 * in the plan cache: up to 17, those of a function in SQL live as long as the query
 * that calls it.  They would have all others planned again for each row.
 */
static void
replace_plans(TimestampTz changed)
{
	static TimestampTz replaced = 0;

	if (changed < replaced && GetCurrentStatementStartTimestamp() < replaced)
		return;
	ResetPlanCache();
	replaced = GetCurrentTimestamp();
}

/* ---------- plans ---------- */

/*
 * A plan must not be changed, so what was counted of each that this session has is
 * beside it, in its memory context: when a plan goes, that goes, too.
 */

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

/* It is zero at first, and lives as long as the plan. */
static BfPlanTimes *
times_of(const PlannedStmt *stmt)
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

/* ---------- trials ---------- */

BfArm
bf_trial_choose(uint64 query)
{
	BfEntryKey	key = key_of(GetUserId(), query);
	TimestampTz now;
	BfTrialEntry *entry;
	bool		guarded;

	if (query == 0)
	{
		/* compute_query_id may have been off when the setting was assigned */
		EnableQueryId();
		return BF_ARM_NONE;
	}
	now = GetCurrentTimestamp();
	bf_store_open();
	entry = (BfTrialEntry *) bf_table_find(bf_store_lock(BF_EVIDENCE_TRIALS, LW_EXCLUSIVE), &key);
	end_guard_in_time(entry, now);
	guarded = is_guarded(entry);
	bf_store_unlock();
	if (guarded)
		return BF_ARM_GUARDED;
	return pg_prng_double(&pg_global_prng_state) < bf_join_filter_trial ?
		BF_ARM_WITHOUT : BF_ARM_WITH;
}

/* A new entry has no text and no period. */
static BfTrialEntry *
use_entry(BfTable *table, const BfEntryKey *key, const char *text, int length)
{
	BfTrialEntry *entry = (BfTrialEntry *) bf_table_use(table, key);

	if (entry->periods.current.since == 0)
	{
		bf_periods_begin(&entry->periods, entry->entry.since);
		memcpy(entry->text, text, length);
	}
	return entry;
}

void
bf_trial_note(const PlannedStmt *stmt, double milliseconds, const char *text, int length)
{
	BfEntryKey	key = key_of(bf_arm_role(stmt), (uint64) stmt->queryId);
	BfArm		arm = bf_arm_of(stmt);
	BfPlanTimes *plan = times_of(stmt);
	TimestampTz now = GetCurrentTimestamp();
	BfTrialEntry *entry;
	TimestampTz changed;
	bool		guarded;

	length = pg_mbcliplen(text, length, BF_TRIAL_TEXT - 1);
	bf_store_open();
	entry = use_entry(bf_store_lock(BF_EVIDENCE_TRIALS, LW_EXCLUSIVE), &key, text, length);
	end_guard_in_time(entry, now);
	if (arm != BF_ARM_GUARDED && !is_guarded(entry))
	{
		bf_periods_count(&entry->periods, plan, arm, milliseconds, now);
		guard_if_slower(entry, now);
	}
	guarded = is_guarded(entry);
	changed = guarded ? entry->guarded_since : entry->entry.since;
	bf_store_unlock();
	if ((arm == BF_ARM_WITH && guarded) || (arm == BF_ARM_GUARDED && !guarded))
		replace_plans(changed);
}
