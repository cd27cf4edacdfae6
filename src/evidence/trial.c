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

/* Begin anew: the data may have changed. */
static void
end_guard(BfTrialEntry *entry, TimestampTz now)
{
	memset(&entry->with, 0, sizeof(entry->with));
	memset(&entry->without, 0, sizeof(entry->without));
	entry->next_look = 0;
	entry->guarded_since = 0;
	entry->entry.since = now;
}

/* Called with the lock; entry may be NULL. */
static bool
is_guarded(BfTrialEntry *entry, TimestampTz now)
{
	if (!bf_join_filter_guard || entry == NULL || entry->guarded_since == 0)
		return false;
	if (!TimestampDifferenceExceeds(entry->guarded_since, now, bf_join_filter_guard_time * 1000))
		return true;
	end_guard(entry, now);
	return false;
}

/*
 * Each look at a query that filters do not change has a chance of 2.5 % to find
 * them slower.  So the guard looks only when the smaller sample has doubled.
 */
static void
look(BfTrialEntry *entry, TimestampTz now)
{
	int64		executions = Min(entry->with.count, entry->without.count);
	BfComparison comparison;

	if (!bf_join_filter_guard || executions < entry->next_look)
		return;
	entry->next_look = 2 * executions;
	comparison = bf_compare(&entry->with, &entry->without);
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

/* ---------- trials ---------- */

BfArm
bf_trial_choose(uint64 query)
{
	BfEntryKey	key = key_of(GetUserId(), query);
	TimestampTz now;
	BfTable    *table;
	bool		guarded;

	if (query == 0)
	{
		/* compute_query_id may have been off when the setting was assigned */
		EnableQueryId();
		return BF_ARM_NONE;
	}
	now = GetCurrentTimestamp();
	bf_store_open();
	table = bf_store_lock(BF_EVIDENCE_TRIALS, LW_EXCLUSIVE);
	guarded = is_guarded((BfTrialEntry *) bf_table_find(table, &key), now);
	bf_store_unlock();
	if (guarded)
		return BF_ARM_GUARDED;
	return pg_prng_double(&pg_global_prng_state) < bf_join_filter_trial ?
		BF_ARM_WITHOUT : BF_ARM_WITH;
}

void
bf_trial_note(Oid role, uint64 query, BfArm arm, double milliseconds, const char *text,
			  int length)
{
	BfEntryKey	key = key_of(role, query);
	TimestampTz now = GetCurrentTimestamp();
	BfTable    *table;
	BfTrialEntry *entry;
	TimestampTz changed;
	bool		guarded;

	length = pg_mbcliplen(text, length, BF_TRIAL_TEXT - 1);
	bf_store_open();
	table = bf_store_lock(BF_EVIDENCE_TRIALS, LW_EXCLUSIVE);
	entry = (BfTrialEntry *) bf_table_use(table, &key);
	if (entry->text[0] == '\0')
		memcpy(entry->text, text, length);
	guarded = is_guarded(entry, now);
	if (arm != BF_ARM_GUARDED && !guarded)
	{
		bf_sample_add(arm == BF_ARM_WITH ? &entry->with : &entry->without, milliseconds);
		look(entry, now);
		guarded = is_guarded(entry, now);
	}
	changed = guarded ? entry->guarded_since : entry->entry.since;
	bf_store_unlock();
	if ((arm == BF_ARM_WITH && guarded) || (arm == BF_ARM_GUARDED && !guarded))
		replace_plans(changed);
}
