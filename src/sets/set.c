/*-------------------------------------------------------------------------
 *
 * set.c
 *		A set that is in use, with its statements.
 *
 * A set is read and written by SQL.  So privileges, row-level security,
 * triggers, rules, isolation levels and replication work as for statements
 * that the caller writes.  The names of all objects in the statements are
 * qualified.
 *
 * A backend keeps the sets that it used last, and the prepared statements of some.
 * They contain names.  The table is locked before they are looked up, so that it
 * cannot be renamed any more, and then they are used only if nothing happened
 * to the table since it was looked at.  Its schema can be renamed, though, and
 * another table may get its name: so each statement is asked what it is of,
 * before it is executed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class_d.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/plancache.h"
#include "utils/rel.h"
#include "utils/resowner.h"

#include "compat.h"
#include "sets/index.h"
#include "sets/layout.h"
#include "sets/set.h"

/*
 * Sets that are kept, of 1 kB each, and those of them with statements, of some
 * 20 kB each.
 */
#define KEPT	128
#define KEPT_PREPARED	16

/* The most recently used first; and their number. */
static dlist_head sets = DLIST_STATIC_INIT(sets);
static int	nsets = 0;

/* Counts changes of tables that this backend has learnt of. */
static uint64 changes = 0;

/*
 * FOR NO KEY UPDATE is the lock that UPDATE takes.  The rows are locked in the
 * order of their segments: LockRows is above the sort.
 */
static struct
{
	const char *text;
	int			narguments;
	Oid			types[3];
}			statements[BF_SET_STATEMENTS] =
{
	[BF_SET_READ] =
	{
		"SELECT segment, filter FROM ONLY %s"
		" WHERE segment OPERATOR(pg_catalog.=) ANY ($1)",
		1, {INT4ARRAYOID}
	},
	[BF_SET_LOCK] =
	{
		"SELECT segment, filter FROM ONLY %s"
		" WHERE segment OPERATOR(pg_catalog.=) ANY ($1)"
		" ORDER BY segment USING OPERATOR(pg_catalog.<) FOR NO KEY UPDATE",
		1, {INT4ARRAYOID}
	},
	[BF_SET_REPLACE] =
	{
		"UPDATE ONLY %s SET filter = $3"
		" WHERE segment OPERATOR(pg_catalog.=) $1 AND filter OPERATOR(pg_catalog.=) $2",
		3, {INT4OID, BYTEAOID, BYTEAOID}
	},
	[BF_SET_WRITE] =
	{
		"UPDATE ONLY %s AS s SET filter = n.filter"
		" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2)) AS n (segment, filter)"
		" WHERE s.segment OPERATOR(pg_catalog.=) n.segment",
		2, {INT4ARRAYOID, BYTEAARRAYOID}
	},
	[BF_SET_READ_ALL] =
	{
		"SELECT segment, filter FROM ONLY %s", 0, {InvalidOid}
	}
};

/* ---------- the list ---------- */

static void
free_set(BfSet *set)
{
	int			i;

	Assert(set->users == 0);
	for (i = 0; i < BF_SET_STATEMENTS; i++)
		if (set->plans[i] != NULL)
			SPI_freeplan(set->plans[i]);
	MemoryContextDelete(set->mcxt);
}

/* Take the set off the list, and free it as soon as nobody uses it. */
static void
discard(BfSet *set)
{
	Assert(!set->stale);
	set->stale = true;
	dlist_delete(&set->link);
	nsets--;
	if (set->users == 0)
		free_set(set);
}

static BfSet *
find(Oid table)
{
	dlist_iter	iter;

	dlist_foreach(iter, &sets)
	{
		BfSet	   *set = dlist_container(BfSet, link, iter.cur);

		if (set->table == table)
			return set;
	}
	return NULL;
}

/* Invalidation callback.  InvalidOid stands for any table. */
static void
table_changed(Datum unused, Oid table)
{
	dlist_iter	iter;

	(void) unused;
	changes++;
	dlist_foreach(iter, &sets)
	{
		BfSet	   *set = dlist_container(BfSet, link, iter.cur);

		if (table == InvalidOid || table == set->table)
			set->changed = true;
	}
}

/* Callbacks cannot be unregistered: this one stays for the life of the process. */
static void
register_callback(void)
{
	static bool registered = false;

	if (!registered)
		CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
	registered = true;
}

/* Has nothing happened to the table since the statements were prepared? */
static bool
is_current(const BfSet *set)
{
	int			i;

	if (set->changed)
		return false;
	for (i = 0; i < BF_SET_STATEMENTS; i++)
		if (set->plans[i] != NULL && !SPI_plan_is_valid(set->plans[i]))
			return false;
	return true;
}

/* ---------- opening ---------- */

static bool
has_column(Oid table, const char *name, Oid type)
{
	AttrNumber	number = get_attnum(table, name);

	return number != InvalidAttrNumber && get_atttype(table, number) == type;
}

static void
require_set(Relation relation)
{
	Oid			table = RelationGetRelid(relation);

	if (relation->rd_rel->relkind != RELKIND_RELATION ||
		!has_column(table, "segment", INT4OID) || !has_column(table, "filter", BYTEAOID))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a set", RelationGetRelationName(relation)),
				 errhint("Sets are made by bloom_set_create. The set comes first, then the value.")));
}

/* Forget those that were not used for long. */
static void
make_room(void)
{
	while (nsets >= KEPT)
		discard(dlist_tail_element(BfSet, link, &sets));
}

static bool
is_prepared(const BfSet *set)
{
	int			i;

	for (i = 0; i < BF_SET_STATEMENTS; i++)
		if (set->plans[i] != NULL)
			return true;
	return false;
}

/* The same for statements. */
static void
make_room_for_statements(void)
{
	dlist_mutable_iter iter;
	int			n = 0;

	dlist_foreach_modify(iter, &sets)
	{
		BfSet	   *set = dlist_container(BfSet, link, iter.cur);

		if (is_prepared(set) && ++n >= KEPT_PREPARED)
			discard(set);
	}
}

static BfSet *
create_set(Relation relation)
{
	MemoryContext mcxt = AllocSetContextCreate(CurrentMemoryContext, "bloomfilter set",
											   ALLOCSET_SMALL_SIZES);
	BfSet	   *set = MemoryContextAllocZero(mcxt, sizeof(BfSet));
	uint64		before = changes;

	register_callback();
	set->table = RelationGetRelid(relation);
	set->segment_column = get_attnum(set->table, "segment");
	set->filter_column = get_attnum(set->table, "filter");
	set->index = bf_set_find_index(relation);
	set->mcxt = mcxt;
	set->name = MemoryContextStrdup(mcxt, RelationGetRelationName(relation));
	set->changed = changes != before;
	/* all of it is there: from now on nothing fails */
	make_room();
	MemoryContextSetParent(mcxt, CacheMemoryContext);
	dlist_push_head(&sets, &set->link);
	nsets++;
	return set;
}

/* Is the statement of the set's table?  One that a rule has emptied is of none. */
static bool
is_of_table(const BfSet *set, SPIPlanPtr plan)
{
	ListCell   *lc;

	foreach(lc, SPI_plan_get_plan_sources(plan))
	{
		const CachedPlanSource *source = lfirst(lc);

		if (source->relationOids != NIL && !list_member_oid(source->relationOids, set->table))
			return false;
	}
	return true;
}

static void
report_renamed(const BfSet *set)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the schema of set \"%s\" was renamed", set->name),
			 errdetail("Another table has the name now that the set had when the call began."),
			 errhint("Call it again.")));
}

/* As it is now: the schema can be renamed although the table is locked. */
static char *
qualified_name(const BfSet *set)
{
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(set->table)), set->name);
}

/* A statement of another table is not kept: nothing would tell that it is not valid. */
static SPIPlanPtr
prepare(BfSet *set, BfSetStatement statement)
{
	SPIPlanPtr *plan = &set->plans[statement];

	if (*plan == NULL)
	{
		char	   *sql = psprintf(statements[statement].text, qualified_name(set));
		SPIPlanPtr	prepared = SPI_prepare_cursor(sql, statements[statement].narguments,
												  statements[statement].types,
												  CURSOR_OPT_GENERIC_PLAN);

		if (prepared != NULL && !is_of_table(set, prepared))
			report_renamed(set);
		if (!is_prepared(set))
			make_room_for_statements();
		if (prepared == NULL || SPI_keepplan(prepared) != 0)
			elog(ERROR, "could not prepare \"%s\": %s", sql, SPI_result_code_string(SPI_result));
		*plan = prepared;
	}
	return *plan;
}

static void
make_plan(SPIPlanPtr plan)
{
	CachedPlan *current = SPI_plan_get_cached_plan(plan);

	if (current == NULL)
		elog(ERROR, "could not plan a statement of a set");
	ReleaseCachedPlan(current, CurrentResourceOwner);
}

void
bf_set_check_table(BfSet *set, BfSetStatement statement)
{
	if (is_of_table(set, set->plans[statement]))
		return;
	/* the statement is planned for the other table, and valid */
	if (!set->stale)
		discard(set);
	report_renamed(set);
}

/*
 * A plan that is not valid any more when it is made is made again, but not for
 * ever: with debug_discard_caches none is.
 */
#define MOST_TRIES	10

/*
 * If something was renamed, the statement is planned anew, for what has the
 * name now.  So this is done before its table is looked at.  Planning waits for
 * locks of indexes, and may learn then of what was renamed: until it takes no
 * new lock.  What is learnt of later is noticed after the execution.
 */
SPIPlanPtr
bf_set_plan(BfSet *set, BfSetStatement statement)
{
	SPIPlanPtr	plan = prepare(set, statement);
	int			tries = 0;

	do
	{
		CHECK_FOR_INTERRUPTS();
		make_plan(plan);
		bf_set_check_table(set, statement);
	} while (!SPI_plan_is_valid(plan) && ++tries < MOST_TRIES);
	return plan;
}

/* The server checked the schema when a statement was prepared, maybe for another user. */
static void
require_usage(Oid schema)
{
	AclResult	result = BF_SCHEMA_ACLCHECK(schema);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_SCHEMA, get_namespace_name(schema));
}

/*
 * As LOCK TABLE asks before it waits: writers queue behind who waits for a strong
 * lock, so that must be somebody who may update the rows.
 */
static void
require_update(Oid table)
{
	Oid			schema = get_rel_namespace(table);
	AttrNumber	filter = get_attnum(table, "filter");

	if (!OidIsValid(schema))
		return;					/* reported when it is opened */
	require_usage(schema);
	if (pg_class_aclcheck(table, GetUserId(), ACL_UPDATE) != ACLCHECK_OK &&
		(filter == InvalidAttrNumber ||
		 pg_attribute_aclcheck(table, filter, GetUserId(), ACL_UPDATE) != ACLCHECK_OK))
		aclcheck_error(ACLCHECK_NO_PRIV, get_relkind_objtype(get_rel_relkind(table)),
					   get_rel_name(table));
}

static BfSet *
open_set(Oid table, LOCKMODE lock)
{
	Relation	relation;
	BfSet	   *set;

	if (lock > RowExclusiveLock)
		require_update(table);
	relation = try_relation_open(table, lock);
	if (relation == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", table),
				 errhint("The set comes first, by its name, then the value: bloom_set_add('name', 1).")));
	require_usage(RelationGetNamespace(relation));
	set = find(table);
	if (set != NULL && !is_current(set))
	{
		discard(set);
		set = NULL;
	}
	if (set == NULL)
	{
		require_set(relation);
		set = create_set(relation);
	}
	else
		dlist_move_head(&sets, &set->link);
	set->users++;
	relation_close(relation, NoLock);
	return set;
}

static void
close_set(BfSet *set)
{
	set->users--;
	if (set->stale && set->users == 0)
		free_set(set);
}

void
bf_set_use(Oid table, LOCKMODE lock, BfSetUse use, void *argument)
{
	BfSet	   *volatile set;

	SPI_connect();
	set = open_set(table, lock);
	PG_TRY();
	{
		use(set, argument);
	}
	PG_FINALLY();
	{
		close_set(set);
	}
	PG_END_TRY();
	SPI_finish();
}

void
bf_set_remember(BfSet *set, const bytea *head)
{
	Size		size = VARHDRSZ + VARSIZE_ANY_EXHDR(head);
	bytea	   *copy = MemoryContextAlloc(set->mcxt, size);

	SET_VARSIZE(copy, size);
	memcpy(VARDATA(copy), VARDATA_ANY(head), size - VARHDRSZ);
	if (set->head != NULL)
		pfree(set->head);
	set->head = copy;
}

void
bf_set_execute(BfSet *set, BfSetStatement statement, Datum *arguments, bool read_only)
{
	int			result = SPI_execute_plan(bf_set_plan(set, statement), arguments, NULL, read_only, 0);

	if (result < 0)
		elog(ERROR, "could not execute a statement of a set: %s", SPI_result_code_string(result));
	/* what was learnt of at the very last would else be a wrong answer */
	bf_set_check_table(set, statement);
}

void
bf_set_report_damage(const BfSet *set, int32 segment, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("set \"%s\" is damaged", set->name),
			 errdetail("The row of segment %d %s.", segment, what),
			 errhint("Rows of a set must not be removed, hidden or changed by hand. Restore the table, or make a new set.")));
}

void
bf_set_report_missing(const BfSet *set, int32 segment)
{
	if (segment != BF_SET_HEAD)
		bf_set_report_damage(set, segment, "is missing");
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("set \"%s\" has no first row", set->name),
			 errdetail("The copy of its rows from another server has not ended, or rows were removed or hidden."),
			 errhint("Wait for the copy. If there is none, restore the table, or make a new set.")));
}
