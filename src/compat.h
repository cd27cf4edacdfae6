/*-------------------------------------------------------------------------
 *
 * compat.h
 *		Differences between server versions.  No other file tests the version.
 *
 * Include after postgres.h and fmgr.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COMPAT_H
#define BF_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "bloomfilter needs PostgreSQL 15 or newer"
#endif

/* 16 moved the varlena macros out of postgres.h. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/*
 * The library is built with hidden symbols.  The headers of 15 leave
 * PGDLLEXPORT empty if symbols are visible by default.
 */
#if PG_VERSION_NUM < 160000 && defined(__GNUC__)
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#endif

/* Declare a function for SQL and export it: all other symbols are hidden. */
#define BF_SQL_FUNCTION(name) \
	extern PGDLLEXPORT Datum name(PG_FUNCTION_ARGS); \
	PG_FUNCTION_INFO_V1(name)

/* 16 added soft input errors; in 15 every input error is a hard error. */
#if PG_VERSION_NUM < 160000
#define ereturn(context, dummy_value, ...) \
	do { \
		(void) (context); \
		ereport(ERROR, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#endif

/*
 * A callback of a tree walker.  15 declares these callbacks without
 * parameters, and C23, the default of gcc from version 15 on, reads that as
 * "no parameters".  In casts, void (*)(void) stands for any function.
 */
#if PG_VERSION_NUM < 160000
#define BF_WALKER(function) ((bool (*) ()) (void (*) (void)) (function))
#else
#define BF_WALKER(function) (function)
#endif

/* The same for the callback of a mutator. */
#if PG_VERSION_NUM < 160000
#define BF_MUTATOR(function) ((Node *(*) ()) (void (*) (void)) (function))
#else
#define BF_MUTATOR(function) (function)
#endif

/*
 * Up to 16, nobody may begin a subtransaction while there are workers, not even
 * to catch errors, as PL/pgSQL does.
 */
#define BF_PARALLEL_MODE_IS_STRICT (PG_VERSION_NUM < 170000)

/*
 * Up to 15, hashbpcharextended() hashes the blanks at the end, which = ignores, if
 * the collation is not deterministic; hashbpchar() does not.
 */
#define BF_BPCHAR_HASH_HAS_BLANKS (PG_VERSION_NUM < 160000)

/* For files that include typcache.h.  19 tells whether one of them is volatile, too. */
#if PG_VERSION_NUM >= 190000
#include "utils/typcache.h"

static inline bool
bf_domain_has_constraints(Oid domain)
{
	bool		has_volatile;

	return DomainHasConstraints(domain, &has_volatile);
}
#else
#define bf_domain_has_constraints	DomainHasConstraints
#endif

/* From 18 on, generated columns may be virtual. */
#ifdef ATTRIBUTE_GENERATED_VIRTUAL
#define BF_GENERATED_VIRTUAL	ATTRIBUTE_GENERATED_VIRTUAL
#else
#define BF_GENERATED_VIRTUAL	'v'
#endif

/* 19 has a type for the identifiers of syscaches. */
#if PG_VERSION_NUM >= 190000
#define BfSysCacheId	SysCacheIdentifier
#else
#define BfSysCacheId	int
#endif

/* 18 uses the keyword of C11 instead of an attribute. */
#if PG_VERSION_NUM >= 180000
#define BF_NORETURN	pg_noreturn
#else
#define BF_NORETURN	pg_attribute_noreturn()
#endif

/* 18 records a module's name and version. */
#if PG_VERSION_NUM >= 180000
#define BF_MODULE_MAGIC	PG_MODULE_MAGIC_EXT(.name = "bloomfilter", .version = "1.0.0")
#else
#define BF_MODULE_MAGIC	PG_MODULE_MAGIC
#endif

/* 17 has a locale provider of its own, which uses this version of Unicode. */
#if PG_VERSION_NUM >= 170000
#include "common/unicode_version.h"
#endif

/* 17 renamed the column of the ICU locale: other providers use it too. */
#if PG_VERSION_NUM >= 170000
#define BF_ANUM_DATABASE_LOCALE		Anum_pg_database_datlocale
#define BF_ANUM_COLLATION_LOCALE	Anum_pg_collation_colllocale
#else
#define BF_ANUM_DATABASE_LOCALE		Anum_pg_database_daticulocale
#define BF_ANUM_COLLATION_LOCALE	Anum_pg_collation_colliculocale
#endif

/* 16 added the rules of ICU collations. */
#if PG_VERSION_NUM >= 160000
#define BF_ANUM_DATABASE_RULES		Anum_pg_database_daticurules
#define BF_ANUM_COLLATION_RULES		Anum_pg_collation_collicurules
#else
#define BF_ANUM_DATABASE_RULES		InvalidAttrNumber
#define BF_ANUM_COLLATION_RULES		InvalidAttrNumber
#endif

/*
 * Up to 16, rows that a snapshot can see may be removed once the snapshot is
 * older than old_snapshot_threshold.  17 removed that setting.
 */
#if PG_VERSION_NUM < 170000
#define BF_SNAPSHOTS_EXPIRE	(old_snapshot_threshold >= 0)
#else
#define BF_SNAPSHOTS_EXPIRE	false
#endif

/* 16 checks privileges on all kinds of objects with one function. */
#if PG_VERSION_NUM >= 160000
#define BF_PUBLIC_MAY_EXECUTE(function) \
	(object_aclcheck(ProcedureRelationId, function, ACL_ID_PUBLIC, ACL_EXECUTE) == ACLCHECK_OK)
#define BF_SCHEMA_ACLCHECK(schema) \
	object_aclcheck(NamespaceRelationId, schema, GetUserId(), ACL_USAGE)
#else
#define BF_PUBLIC_MAY_EXECUTE(function) \
	(pg_proc_aclcheck(function, ACL_ID_PUBLIC, ACL_EXECUTE) == ACLCHECK_OK)
#define BF_SCHEMA_ACLCHECK(schema) \
	pg_namespace_aclcheck(schema, GetUserId(), ACL_USAGE)
#endif

/* 16 records in a Var which outer joins may set it to NULL. */
#if PG_VERSION_NUM >= 160000
#define BF_IS_NULLED(var)	((var)->varnullingrels != NULL)
#else
#define BF_IS_NULLED(var)	false
#endif

/* 16 requires the outer joins that the join completes. */
#if PG_VERSION_NUM >= 160000
#define BF_JOIN_EQUALITIES(root, relids, outer_relids, inner) \
	generate_join_implied_equalities(root, relids, outer_relids, inner, NULL)
#else
#define BF_JOIN_EQUALITIES(root, relids, outer_relids, inner) \
	generate_join_implied_equalities(root, relids, outer_relids, inner)
#endif

/*
 * For files that include parse_relation.h.  From 16 on, the permissions to be
 * checked for a table are not in its range table entry: copy them separately.
 */
#if PG_VERSION_NUM >= 160000
#define BF_COPY_PERMISSIONS(to, to_rte, from, from_rte) \
	do { \
		RTEPermissionInfo *copied_ = \
			copyObject(getRTEPermissionInfo((from)->rteperminfos, from_rte)); \
		(to)->rteperminfos = lappend((to)->rteperminfos, copied_); \
		(to_rte)->perminfoindex = list_length((to)->rteperminfos); \
	} while (0)
#else
#define BF_COPY_PERMISSIONS(to, to_rte, from, from_rte)	((void) 0)
#endif

/* 16 added anti joins, and 18 semi joins, that hash the side they return. */
#if PG_VERSION_NUM >= 160000
#define BF_IS_RIGHT_ANTI(jointype)	((jointype) == JOIN_RIGHT_ANTI)
#else
#define BF_IS_RIGHT_ANTI(jointype)	false
#endif
#if PG_VERSION_NUM >= 180000
#define BF_IS_RIGHT_SEMI(jointype)	((jointype) == JOIN_RIGHT_SEMI)
#else
#define BF_IS_RIGHT_SEMI(jointype)	false
#endif

/* 18 counts disabled nodes, which earlier versions make expensive. */
#if PG_VERSION_NUM >= 180000
#define BF_DISABLED_NODES(plan)	((plan)->disabled_nodes)
#else
#define BF_DISABLED_NODES(plan)	((void) (plan), 0)
#endif

/* 17 raised postgres_fdw's default of fdw_tuple_cost. */
#if PG_VERSION_NUM >= 170000
#define BF_FDW_TUPLE_COST	0.2
#else
#define BF_FDW_TUPLE_COST	0.01
#endif

/*
 * For files that include planner.h.  A call of the planner: 19 passes the state
 * of EXPLAIN, too.
 */
#ifdef PLANNER_H
#if PG_VERSION_NUM >= 190000
#define BF_PLANNER_HOOK(name) \
	PlannedStmt *name(Query *query, const char *text, int cursor_options, \
					  ParamListInfo params, ExplainState *explain)
#define BF_PLANNER_CALL	{query, text, cursor_options, params, explain}
#define BF_CALL_PLANNER(planner, call) \
	planner((call)->query, (call)->text, (call)->cursor_options, (call)->params, (call)->explain)
#define BF_NO_PARAMS	NULL, NULL
#else
#define BF_PLANNER_HOOK(name) \
	PlannedStmt *name(Query *query, const char *text, int cursor_options, ParamListInfo params)
#define BF_PLANNER_CALL	{query, text, cursor_options, params}
#define BF_CALL_PLANNER(planner, call) \
	planner((call)->query, (call)->text, (call)->cursor_options, (call)->params)
#define BF_NO_PARAMS	NULL
#endif

typedef struct BfPlannerCall
{
	Query	   *query;
	const char *text;
	int			cursor_options;
	ParamListInfo params;
#if PG_VERSION_NUM >= 190000
	ExplainState *explain;
#endif
} BfPlannerCall;
#endif

/*
 * For files that include brin_revmap.h.  Up to 16, these functions check
 * whether the snapshot has expired.
 */
#if PG_VERSION_NUM >= 170000
#define BF_BRIN_REVMAP_INITIALIZE(index, pages_per_range, snapshot) \
	((void) (snapshot), brinRevmapInitialize(index, pages_per_range))
#define BF_BRIN_GET_TUPLE(revmap, block, buffer, offset, size, mode, snapshot) \
	((void) (snapshot), brinGetTupleForHeapBlock(revmap, block, buffer, offset, size, mode))
#else
#define BF_BRIN_REVMAP_INITIALIZE(index, pages_per_range, snapshot) \
	brinRevmapInitialize(index, pages_per_range, snapshot)
#define BF_BRIN_GET_TUPLE(revmap, block, buffer, offset, size, mode, snapshot) \
	brinGetTupleForHeapBlock(revmap, block, buffer, offset, size, mode, snapshot)
#endif

/*
 * From 16 on, an update may be HOT although it changes columns of BRIN
 * indexes.  If a range is summarized after such an update, its summary does
 * not cover the old value, which an old snapshot still sees.
 */
#define BF_BRIN_FORGETS_OLD_VERSIONS	(PG_VERSION_NUM >= 160000)

/* 19 can scan a part of a table in parallel; no part means the whole table. */
#if PG_VERSION_NUM >= 190000
#define BF_PARALLELSCAN_START(relation, worker, scan) \
	table_block_parallelscan_startblock_init(relation, worker, scan, InvalidBlockNumber, \
											 InvalidBlockNumber)
#else
#define BF_PARALLELSCAN_START(relation, worker, scan) \
	table_block_parallelscan_startblock_init(relation, worker, scan)
#endif

/*
 * For files that include pgstat.h: count rows that a sequential scan has read, as
 * pgstat_count_heap_getnext() does for one.  16 renamed the counter.
 */
#if PG_VERSION_NUM >= 160000
#define BF_ROWS_READ(relation)	((relation)->pgstat_info->counts.tuples_returned)
#else
#define BF_ROWS_READ(relation)	((relation)->pgstat_info->t_counts.t_tuples_returned)
#endif
#define BF_COUNT_ROWS_READ(relation, n) \
	do { \
		if (pgstat_should_count_relation(relation)) \
			BF_ROWS_READ(relation) += (n); \
	} while (0)

/*
 * For files that include tableam.h and executor.h: begin the scan of a SeqScan, as
 * SeqNext() does.  19 tells whether the statement writes to the table, and counts
 * reads.
 */
#if PG_VERSION_NUM >= 190000
#define BF_BEGIN_SEQ_SCAN(node) \
	table_beginscan((node)->ss_currentRelation, (node)->ps.state->es_snapshot, 0, NULL, \
					(ScanRelIsReadOnly(node) ? SO_HINT_REL_READ_ONLY : SO_NONE) | \
					(((node)->ps.state->es_instrument & INSTRUMENT_IO) != 0 ? \
					 SO_SCAN_INSTRUMENT : SO_NONE))
#else
#define BF_BEGIN_SEQ_SCAN(node) \
	table_beginscan((node)->ss_currentRelation, (node)->ps.state->es_snapshot, 0, NULL)
#endif

/*
 * For files that include tableam.h.  Up to 15, an update tells only whether
 * indexes need an entry; 19 takes options, for what REPACK does.
 */
#if PG_VERSION_NUM >= 160000
#define BfUpdateIndexes	TU_UpdateIndexes
#else
#define BfUpdateIndexes	bool
#endif
#if PG_VERSION_NUM >= 190000
#define BF_TABLE_TUPLE_UPDATE(table, tid, slot, cid, snapshot, failure, mode, indexes) \
	table_tuple_update(table, tid, slot, cid, 0, snapshot, InvalidSnapshot, true, failure, mode, indexes)
#else
#define BF_TABLE_TUPLE_UPDATE(table, tid, slot, cid, snapshot, failure, mode, indexes) \
	table_tuple_update(table, tid, slot, cid, snapshot, InvalidSnapshot, true, failure, mode, indexes)
#endif

/* 19 gave nodes a type of instrumentation of their own. */
#if PG_VERSION_NUM >= 190000
#define BF_NODE_INSTRUMENTATION	NodeInstrumentation
#else
#define BF_NODE_INSTRUMENTATION	Instrumentation
#endif

/* 19 passes properties of the element type once per array, not per element. */
#if PG_VERSION_NUM >= 190000
#define BF_ARRAY_ITER_SETUP(it, array, len, byval, align) \
	array_iter_setup(it, array, len, byval, align)
#define BF_ARRAY_ITER_NEXT(it, isnull, i, len, byval, align)	array_iter_next(it, isnull, i)
#else
#define BF_ARRAY_ITER_SETUP(it, array, len, byval, align)	array_iter_setup(it, array)
#define BF_ARRAY_ITER_NEXT(it, isnull, i, len, byval, align) \
	array_iter_next(it, isnull, i, len, byval, align)
#endif

/*
 * Do variables of a PL/pgSQL function live in the context?  In all versions
 * SPI creates that context for the function, and only its name identifies it.
 * t/016_variables.pl checks that the name has not changed.
 */
#define BF_HOLDS_PLPGSQL_VARIABLES(mcxt)	(strcmp((mcxt)->name, "SPI Proc") == 0)

/* Up to 18, to unregister a callback means to take it off the list. */
#if PG_VERSION_NUM >= 190000
#define BF_UNREGISTER_RESET_CALLBACK(mcxt, callback) \
	MemoryContextUnregisterResetCallback(mcxt, callback)
#else
#define BF_UNREGISTER_RESET_CALLBACK(mcxt, callback) \
	do { \
		MemoryContextCallback **link_ = &(mcxt)->reset_cbs; \
		while (*link_ != (callback)) \
			link_ = &(*link_)->next; \
		*link_ = (callback)->next; \
	} while (0)
#endif

/* 18 counts the searches of an index scan; nobody is told of them. */
#if PG_VERSION_NUM >= 180000
#define BF_BEGIN_BITMAP_SCAN(index, snapshot, nkeys) \
	index_beginscan_bitmap(index, snapshot, NULL, nkeys)
#else
#define BF_BEGIN_BITMAP_SCAN(index, snapshot, nkeys) \
	index_beginscan_bitmap(index, snapshot, nkeys)
#endif

/*
 * For files that include tidbitmap.h: the pages of a bitmap, one after another.
 * 18 renamed the iterator of one process, and copies what it returns.
 */
#if PG_VERSION_NUM >= 180000
#define BfBitmapIterator	TBMPrivateIterator
#define BF_BITMAP_BEGIN(bitmap)	tbm_begin_private_iterate(bitmap)
#define BF_BITMAP_END(iterator)	tbm_end_private_iterate(iterator)
#define BF_BITMAP_NEXT(iterator, page) \
	do { \
		TBMIterateResult result_; \
		*(page) = tbm_private_iterate(iterator, &result_) ? result_.blockno : InvalidBlockNumber; \
	} while (0)
#else
#define BfBitmapIterator	TBMIterator
#define BF_BITMAP_BEGIN(bitmap)	tbm_begin_iterate(bitmap)
#define BF_BITMAP_END(iterator)	tbm_end_iterate(iterator)
#define BF_BITMAP_NEXT(iterator, page) \
	do { \
		TBMIterateResult *result_ = tbm_iterate(iterator); \
		*(page) = result_ != NULL ? result_->blockno : InvalidBlockNumber; \
	} while (0)
#endif

/* 16 has indexes that store only which pages have a value. */
#if PG_VERSION_NUM >= 160000
#define BF_AM_SUMMARIZING	.amsummarizing = true,
#else
#define BF_AM_SUMMARIZING
#endif

/* Up to 18, the server frees what the handler of an access method returns. */
#if PG_VERSION_NUM >= 190000
#define BF_RETURN_AM_ROUTINE(routine)	PG_RETURN_POINTER(&(routine))
#else
#define BF_RETURN_AM_ROUTINE(routine) \
	do { \
		IndexAmRoutine *copy_ = palloc(sizeof(IndexAmRoutine)); \
		*copy_ = (routine); \
		PG_RETURN_POINTER(copy_); \
	} while (0)
#endif

/*
 * Majors whose generic WAL is known: t/023_index_wal.pl has compared records on
 * these.  Not on 16, for which there are no packages.
 */
#define BF_KNOWS_GENERIC_WAL \
	(PG_MAJORVERSION_NUM == 15 || PG_MAJORVERSION_NUM == 17 || PG_MAJORVERSION_NUM == 18 || \
	 PG_MAJORVERSION_NUM == 19)

/* 17 reads pages that are known in advance. */
#define BF_HAVE_READ_STREAM		(PG_VERSION_NUM >= 170000)

/* For files that include relscan.h.  18 counts the searches of an index scan. */
#if PG_VERSION_NUM >= 180000
#define BF_COUNT_INDEX_SEARCH(scan) \
	do { \
		if ((scan)->instrument != NULL) \
			(scan)->instrument->nsearches++; \
	} while (0)
#else
#define BF_COUNT_INDEX_SEARCH(scan)	((void) (scan))
#endif

/*
 * For files that include bufmgr.h.  Up to 16, old_snapshot_threshold lets VACUUM
 * remove rows that an old snapshot sees; then reading a page that has changed
 * since raises an error.
 */
#if PG_VERSION_NUM < 170000
#define BF_TEST_FOR_OLD_SNAPSHOT(snapshot, relation, page) \
	TestForOldSnapshot(snapshot, relation, page)
#else
#define BF_TEST_FOR_OLD_SNAPSHOT(snapshot, relation, page)	((void) (snapshot))
#endif

/* A processor's pause in a loop that waits.  Versions after 18 have a header for it. */
#if __has_include("port/spin_delay.h")
#include "port/spin_delay.h"
#define BF_SPIN_DELAY()	pg_spin_delay()
#else
#include "storage/s_lock.h"
#define BF_SPIN_DELAY()	SPIN_DELAY()
#endif

/* For files that include vacuum.h.  18 distinguishes VACUUM from ANALYZE. */
#if PG_VERSION_NUM >= 180000
#define BF_VACUUM_DELAY_POINT()	vacuum_delay_point(false)
#else
#define BF_VACUUM_DELAY_POINT()	vacuum_delay_point()
#endif

/* For files that include miscadmin.h and autovacuum.h.  17 renamed it. */
#if PG_VERSION_NUM >= 170000
#define BF_IS_AUTOVACUUM_WORKER()	AmAutoVacuumWorkerProcess()
#else
#define BF_IS_AUTOVACUUM_WORKER()	IsAutoVacuumWorkerProcess()
#endif

/* 17 uses statistics to estimate the length of an array. */
#if PG_VERSION_NUM >= 170000
#define BF_ESTIMATE_ARRAY_LENGTH(root, array)	estimate_array_length(root, array)
#else
#define BF_ESTIMATE_ARRAY_LENGTH(root, array)	((void) (root), estimate_array_length(array))
#endif

/* 17 restricts the search path of functions in indexes that are maintained. */
#if PG_VERSION_NUM >= 170000
#define BF_RESTRICT_SEARCH_PATH()	RestrictSearchPath()
#else
#define BF_RESTRICT_SEARCH_PATH()	((void) 0)
#endif

/* 19 names a tranche of locks for all processes; before, each process does. */
#if PG_VERSION_NUM >= 190000
#define BF_NEW_TRANCHE_ID(name)			LWLockNewTrancheId(name)
#define BF_REGISTER_TRANCHE(id, name)	((void) (id))
#else
#define BF_NEW_TRANCHE_ID(name)			LWLockNewTrancheId()
#define BF_REGISTER_TRANCHE(id, name)	LWLockRegisterTranche(id, name)
#endif

/*
 * 17 has shared memory that is found by a name and made when it is first
 * needed; 19 passes an argument to the function that fills it.
 */
#define BF_HAVE_NAMED_SEGMENTS	(PG_VERSION_NUM >= 170000)
#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#endif
#if PG_VERSION_NUM >= 190000
#define BF_SEGMENT_CALLBACK(name)	void name(void *segment, void *arg pg_attribute_unused())
#define BF_NAMED_SEGMENT(name, bytes, fill, found) \
	GetNamedDSMSegment(name, bytes, fill, found, NULL)
#else
#define BF_SEGMENT_CALLBACK(name)	void name(void *segment)
#define BF_NAMED_SEGMENT(name, bytes, fill, found)	GetNamedDSMSegment(name, bytes, fill, found)
#endif

/* 16 moved the identifiers of queries. */
#if PG_VERSION_NUM >= 160000
#include "nodes/queryjumble.h"
#else
#include "utils/queryjumble.h"
#endif

/* For files that include executor.h.  18 no longer says that a run is the only one. */
#if PG_VERSION_NUM >= 180000
#define BF_EXECUTOR_RUN_HOOK(name) \
	void name(QueryDesc *query, ScanDirection direction, uint64 count)
#define BF_CALL_EXECUTOR_RUN(run)	run(query, direction, count)
#else
#define BF_EXECUTOR_RUN_HOOK(name) \
	void name(QueryDesc *query, ScanDirection direction, uint64 count, bool once)
#define BF_CALL_EXECUTOR_RUN(run)	run(query, direction, count, once)
#endif

/* 18 lets extensions add to what EXPLAIN shows of a plan. */
#define BF_HAVE_EXPLAIN_PER_PLAN	(PG_VERSION_NUM >= 180000)

/*
 * For files that include explain.h.  18 moved the functions that write
 * properties to other headers, and its range table may have one entry more
 * than the statement.
 */
#ifdef EXPLAIN_H
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#define BF_EXPLAIN_RELATIONS(es)	((es)->rtable_size)
#else
#define BF_EXPLAIN_RELATIONS(es)	list_length((es)->rtable)
#endif
#endif

#endif							/* BF_COMPAT_H */
