/*-------------------------------------------------------------------------
 *
 * query.c
 *		Conditions on columns of keys: what they look for, and where it may be.
 *
 * GIN asks its functions about an item whose keys it knows.  Here they are asked
 * about many rows at once: of a set, a range, or a group.  If a filter does not have
 * a key, no row has it; else some may.  So a key is GIN_FALSE or GIN_MAYBE, never
 * GIN_TRUE; and where a function says GIN_FALSE, no row can match, whatever the
 * maybes are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/gin.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "core/sorted.h"
#include "index/file/hash.h"
#include "index/file/keys.h"
#include "index/read/query.h"

/*
 * GIN's consistent functions know no maybe: they are called for each way in which the
 * maybes may turn out, up to 2 to the power of this number.  With more, a row may match.
 */
#define MOST_MAYBES		8

/* ---------- what is looked for ---------- */

/* As GIN does, where a function returns less than it may. */
static void
normalize(BfQuery *query)
{
	if (query->mode < GIN_SEARCH_MODE_DEFAULT || query->mode > GIN_SEARCH_MODE_ALL)
		query->mode = GIN_SEARCH_MODE_ALL;
	if (query->keys == NULL || query->nkeys < 0)
		query->nkeys = 0;
	if (query->nulls == NULL)
		query->nulls = palloc0(Max(query->nkeys, 1) * sizeof(bool));
}

static void
extract(BfQueries *queries, FmgrInfo *function, BfQuery *query, Datum value)
{
	memset(query, 0, sizeof(BfQuery));
	query->value = value;
	query->no_keys_place = -1;
	query->mode = GIN_SEARCH_MODE_DEFAULT;
	query->keys = (Datum *) DatumGetPointer(FunctionCall7Coll(function, queries->collation, value,
															  PointerGetDatum(&query->nkeys),
															  UInt16GetDatum(queries->strategy),
															  PointerGetDatum(&query->partial),
															  PointerGetDatum(&query->extra),
															  PointerGetDatum(&query->nulls),
															  PointerGetDatum(&query->mode)));
	normalize(query);
	query->places = palloc(Max(query->nkeys, 1) * sizeof(int));
	query->check = palloc(Max(query->nkeys, 1));
	query->last_check = palloc(Max(query->nkeys, 1));
}

/* May the query be true only of rows with one of its keys, or without any keys? */
static bool
needs_one(const BfQuery *query)
{
	return query->mode != GIN_SEARCH_MODE_ALL;
}

/* Has the key to be looked up?  Otherwise it may be anywhere. */
static bool
is_looked_up(const BfQuery *query, int key)
{
	return query->partial == NULL || !query->partial[key];
}

/* Of those not less than the hash, the first. */
static int
find_place(const BfQueries *queries, uint64 hash)
{
	return (int) bf_count_below(queries->hashes, queries->nhashes, hash);
}

int
bf_queries_find(const BfQueries *queries, uint64 hash)
{
	int			place = find_place(queries, hash);

	return place < queries->nhashes && queries->hashes[place] == hash ? place : -1;
}

/* Hash the keys of all queries, and note where each hash is among them. */
static void
hash_queries(BfQueries *queries, Relation index, int column)
{
	Size		room = 0;
	Size		count = 0;
	uint64	   *hashes;
	int			i;
	int			key;

	for (i = 0; i < queries->count; i++)
		room += queries->queries[i].nkeys + 1;
	if (room > INT_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("condition on index \"%s\" has too many keys", RelationGetRelationName(index)),
				 errdetail("It has more than %d.", INT_MAX),
				 errhint("Compare with fewer values at once.")));
	hashes = MemoryContextAllocHuge(CurrentMemoryContext, Max(room, 1) * sizeof(uint64));
	queries->hashes = MemoryContextAllocHuge(CurrentMemoryContext, Max(room, 1) * sizeof(uint64));
	for (i = 0; i < queries->count; i++)
	{
		const BfQuery *query = &queries->queries[i];

		for (key = 0; key < query->nkeys; key++)
		{
			CHECK_FOR_INTERRUPTS();
			if (is_looked_up(query, key))
				hashes[count++] = bf_key_hash(index, column, query->keys[key], query->nulls[key]);
		}
		if (query->mode == GIN_SEARCH_MODE_INCLUDE_EMPTY)
			hashes[count++] = bf_no_keys_hash();
	}
	memcpy(queries->hashes, hashes, count * sizeof(uint64));
	queries->nhashes = bf_sort_hashes(queries->hashes, (int) count);
	count = 0;
	for (i = 0; i < queries->count; i++)
	{
		BfQuery    *query = &queries->queries[i];

		for (key = 0; key < query->nkeys; key++)
			query->places[key] = is_looked_up(query, key) ?
				find_place(queries, hashes[count++]) : -1;
		if (query->mode == GIN_SEARCH_MODE_INCLUDE_EMPTY)
			query->no_keys_place = find_place(queries, hashes[count++]);
	}
	pfree(hashes);
}

/* ---------- deciding ---------- */

/* GIN's consistent: GIN_MAYBE becomes true or false in all ways. */
static bool
may_be_consistent(BfQueries *queries, BfQuery *query)
{
	int			maybes[MOST_MAYBES];
	int			count = 0;
	uint32		way;
	int			i;

	for (i = 0; i < query->nkeys; i++)
	{
		if (query->check[i] != GIN_MAYBE)
			continue;
		if (count == MOST_MAYBES)
			return true;
		maybes[count++] = i;
	}
	/* first all of them true, which mostly decides */
	for (way = UINT32_C(1) << count; way-- > 0;)
	{
		bool		recheck = true;

		for (i = 0; i < count; i++)
			query->check[maybes[i]] = (char) (way >> i & 1);
		if (DatumGetBool(FunctionCall8Coll(queries->consistent, queries->collation,
										   PointerGetDatum(query->check),
										   UInt16GetDatum(queries->strategy), query->value,
										   UInt32GetDatum(query->nkeys),
										   PointerGetDatum(query->extra),
										   PointerGetDatum(&recheck),
										   PointerGetDatum(query->keys),
										   PointerGetDatum(query->nulls))))
			return true;
	}
	return false;
}

static bool
call_consistent(BfQueries *queries, BfQuery *query)
{
	MemoryContext old_context = MemoryContextSwitchTo(queries->call_context);
	bool		result;

	if (!queries->knows_maybe)
		result = may_be_consistent(queries, query);
	else
		result = DatumGetGinTernaryValue(FunctionCall7Coll(queries->consistent, queries->collation,
														   PointerGetDatum(query->check),
														   UInt16GetDatum(queries->strategy),
														   query->value,
														   UInt32GetDatum(query->nkeys),
														   PointerGetDatum(query->extra),
														   PointerGetDatum(query->keys),
														   PointerGetDatum(query->nulls))) != GIN_FALSE;
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(queries->call_context);
	return result;
}

/*
 * Can a row with no more keys than check says match?  Next to each other, members
 * mostly have the same keys, so the last answer is kept.
 */
static bool
may_match(BfQueries *queries, BfQuery *query)
{
	if (query->was_called && memcmp(query->check, query->last_check, query->nkeys) == 0)
		return query->last_answer;
	memcpy(query->last_check, query->check, query->nkeys);
	query->was_called = false;
	query->last_answer = call_consistent(queries, query);
	query->was_called = true;
	return query->last_answer;
}

static bool
member_may_match(BfQueries *queries, BfQuery *query, const BfMask *found, uint32 member)
{
	bool		has_one = !needs_one(query);
	int			i;

	for (i = 0; i < query->nkeys; i++)
	{
		bool		maybe = query->places[i] < 0 || bf_mask_has(&found[query->places[i]], member);

		query->check[i] = maybe ? GIN_MAYBE : GIN_FALSE;
		has_one |= maybe;
	}
	if (query->no_keys_place >= 0)
		has_one |= bf_mask_has(&found[query->no_keys_place], member);
	return has_one && may_match(queries, query);
}

BfMask
bf_queries_decide(BfQueries *queries, const BfMask *found, uint32 members)
{
	BfMask		result = {{0}};
	uint32		member;
	int			i;

	for (i = 0; i < queries->count; i++)
		for (member = 0; member < members; member++)
		{
			CHECK_FOR_INTERRUPTS();
			if (!bf_mask_has(&result, member) &&
				member_may_match(queries, &queries->queries[i], found, member))
				result.words[member / 64] |= UINT64CONST(1) << member % 64;
		}
	return result;
}

/* Each key is a call, whose time grows with their number. */
#define MOST_REQUIRED	64

void
bf_query_required(BfQueries *queries, BfQuery *query, bool *required)
{
	int			i;

	memset(required, false, query->nkeys);
	for (i = 0; i < query->nkeys && query->nkeys <= MOST_REQUIRED; i++)
	{
		memset(query->check, GIN_MAYBE, query->nkeys);
		query->check[i] = GIN_FALSE;
		required[i] = !call_consistent(queries, query);
	}
}

/* ---------- the queries of a condition ---------- */

/* What is the answer of a query that looks for no key? */
static bool
may_match_anywhere(BfQueries *queries, BfQuery *query)
{
	/* GIN does not call the function either if it reads everything */
	if (query->nkeys == 0)
		return true;
	memset(query->check, GIN_MAYBE, query->nkeys);
	return may_match(queries, query);
}

/* Can the query be true of any row, by its keys?  In GIN's default mode, it needs one. */
static bool
is_possible(const BfQuery *query)
{
	return query->nkeys > 0 || query->mode != GIN_SEARCH_MODE_DEFAULT;
}

/* Does the query look for a key? */
static bool
looks_up_a_key(const BfQuery *query)
{
	int			i;

	for (i = 0; i < query->nkeys; i++)
		if (is_looked_up(query, i))
			return true;
	return query->mode == GIN_SEARCH_MODE_INCLUDE_EMPTY;
}

static void
add_query(BfQueries *queries, FmgrInfo *function, Datum value)
{
	BfQuery    *query = &queries->queries[queries->count];

	extract(queries, function, query, value);
	if (!is_possible(query))
		return;
	if (looks_up_a_key(query))
		queries->count++;
	else if (may_match_anywhere(queries, query))
		queries->everywhere = true;
}

BfQueries *
bf_queries_make(Relation index, const ScanKeyData *key)
{
	BfQueries  *queries = palloc0(sizeof(BfQueries));
	int			column = key->sk_attno - 1;
	FmgrInfo   *function = index_getprocinfo(index, key->sk_attno, BF_EXTRACT_QUERY_PROC);
	Datum	   *values;
	bool	   *nulls;
	int			count;
	int			i;

	if (key->sk_flags & SK_ISNULL)
		return queries;
	queries->consistent = index_getprocinfo(index, key->sk_attno, BF_CONSISTENT_PROC);
	queries->knows_maybe = get_func_rettype(queries->consistent->fn_oid) != BOOLOID;
	queries->collation = bf_key_collation(index, column);
	queries->strategy = key->sk_strategy;
	queries->call_context = AllocSetContextCreate(CurrentMemoryContext, "deciding by keys",
												  ALLOCSET_DEFAULT_SIZES);
	count = bf_condition_values(key, &values, &nulls);
	queries->queries = MemoryContextAllocHuge(CurrentMemoryContext,
											  Max(count, 1) * sizeof(BfQuery));
	for (i = 0; i < count && !queries->everywhere; i++)
		if (!nulls[i])
			add_query(queries, function, values[i]);
	hash_queries(queries, index, column);
	return queries;
}
