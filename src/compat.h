/*-------------------------------------------------------------------------
 *
 * compat.h
 *		Differences between server versions, in this one place.
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
 * The library is built with hidden symbols.  Up to 15 the server leaves
 * PGDLLEXPORT empty where the default is to show everything.
 */
#if PG_VERSION_NUM < 160000 && defined(__GNUC__)
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#endif

/* Declare a function for SQL, shown although all other symbols are hidden. */
#define BF_SQL_FUNCTION(name) \
	extern PGDLLEXPORT Datum name(PG_FUNCTION_ARGS); \
	PG_FUNCTION_INFO_V1(name)

/* 16 added soft input errors; before, every input error is a hard one. */
#if PG_VERSION_NUM < 160000
#define ereturn(context, dummy_value, ...) \
	do { \
		(void) (context); \
		ereport(ERROR, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#endif

/*
 * A callback of a tree walker.  Up to 15 these are declared without
 * parameters, which C23, the default of gcc from 15 on, takes to mean that
 * there are none.  void (*)(void) stands for any function in casts.
 */
#if PG_VERSION_NUM < 160000
#define BF_WALKER(function) ((bool (*) ()) (void (*) (void)) (function))
#else
#define BF_WALKER(function) (function)
#endif

/* The same for that of a mutator. */
#if PG_VERSION_NUM < 160000
#define BF_MUTATOR(function) ((Node *(*) ()) (void (*) (void)) (function))
#else
#define BF_MUTATOR(function) (function)
#endif

/* 19 made a type of the numbers of syscaches. */
#if PG_VERSION_NUM >= 190000
#define BfSysCacheId	SysCacheIdentifier
#else
#define BfSysCacheId	int
#endif

/* 18 made C11's keyword of an attribute. */
#if PG_VERSION_NUM >= 180000
#define BF_NORETURN	pg_noreturn
#else
#define BF_NORETURN	pg_attribute_noreturn()
#endif

/* 18 lets a module tell its name and version. */
#if PG_VERSION_NUM >= 180000
#define BF_MODULE_MAGIC	PG_MODULE_MAGIC_EXT(.name = "bloomfilter", .version = "1.0.0")
#else
#define BF_MODULE_MAGIC	PG_MODULE_MAGIC
#endif

/* 17 has a provider of locales of its own, with this version of Unicode. */
#if PG_VERSION_NUM >= 170000
#include "common/unicode_version.h"
#endif

/* 17 renamed the ICU locale when it gained other providers. */
#if PG_VERSION_NUM >= 170000
#define BF_ANUM_DATABASE_LOCALE		Anum_pg_database_datlocale
#define BF_ANUM_COLLATION_LOCALE	Anum_pg_collation_colllocale
#else
#define BF_ANUM_DATABASE_LOCALE		Anum_pg_database_daticulocale
#define BF_ANUM_COLLATION_LOCALE	Anum_pg_collation_colliculocale
#endif

/* 16 added rules to it. */
#if PG_VERSION_NUM >= 160000
#define BF_ANUM_DATABASE_RULES		Anum_pg_database_daticurules
#define BF_ANUM_COLLATION_RULES		Anum_pg_collation_collicurules
#else
#define BF_ANUM_DATABASE_RULES		InvalidAttrNumber
#define BF_ANUM_COLLATION_RULES		InvalidAttrNumber
#endif

/*
 * Up to 16 what a snapshot shows may be removed once the snapshot is older
 * than old_snapshot_threshold; 17 abolished that.
 */
#if PG_VERSION_NUM < 170000
#define BF_SNAPSHOTS_EXPIRE	(old_snapshot_threshold >= 0)
#else
#define BF_SNAPSHOTS_EXPIRE	false
#endif

/* 16 has one function for the privileges of all kinds of objects. */
#if PG_VERSION_NUM >= 160000
#define BF_PUBLIC_MAY_EXECUTE(function) \
	(object_aclcheck(ProcedureRelationId, function, ACL_ID_PUBLIC, ACL_EXECUTE) == ACLCHECK_OK)
#else
#define BF_PUBLIC_MAY_EXECUTE(function) \
	(pg_proc_aclcheck(function, ACL_ID_PUBLIC, ACL_EXECUTE) == ACLCHECK_OK)
#endif

/* 16 tells of a column which outer joins may make NULL of it. */
#if PG_VERSION_NUM >= 160000
#define BF_IS_NULLED(var)	((var)->varnullingrels != NULL)
#else
#define BF_IS_NULLED(var)	false
#endif

/* 16 wants to know of outer joins that the join completes. */
#if PG_VERSION_NUM >= 160000
#define BF_JOIN_EQUALITIES(root, relids, outer_relids, inner) \
	generate_join_implied_equalities(root, relids, outer_relids, inner, NULL)
#else
#define BF_JOIN_EQUALITIES(root, relids, outer_relids, inner) \
	generate_join_implied_equalities(root, relids, outer_relids, inner)
#endif

/*
 * Where parse_relation.h is included.  16 keeps apart from a query's tables what
 * is to be checked of them: it has to be copied with them.
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

/* 16 added anti joins, 18 semi joins, that hash the side which they return. */
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

/* 19 tells the planner which EXPLAIN it plans for. */
#if PG_VERSION_NUM >= 190000
#define BF_PLANNER_PARAMETERS \
	Query *parse, const char *query_string, int cursor_options, ParamListInfo params, \
	ExplainState *es
#define BF_PLANNER_ARGUMENTS	parse, query_string, cursor_options, params, es
#else
#define BF_PLANNER_PARAMETERS \
	Query *parse, const char *query_string, int cursor_options, ParamListInfo params
#define BF_PLANNER_ARGUMENTS	parse, query_string, cursor_options, params
#endif

/* A query that is planned without parameters, and not for EXPLAIN. */
#if PG_VERSION_NUM >= 190000
#define BF_PLANNER_NO_PARAMS	NULL, NULL
#else
#define BF_PLANNER_NO_PARAMS	NULL
#endif

/*
 * 17 no longer has these look whether the snapshot has expired.  For files that
 * include brin_revmap.h.
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
 * From 16 on an update may be HOT although it changes columns of BRIN indexes.  A
 * range that is summarized later then lacks the old value, which an old snapshot
 * still sees.
 */
#define BF_BRIN_FORGETS_OLD_VERSIONS	(PG_VERSION_NUM >= 160000)

/* 19 can scan a part of a table in parallel: no part means all of it. */
#if PG_VERSION_NUM >= 190000
#define BF_PARALLELSCAN_START(relation, worker, scan) \
	table_block_parallelscan_startblock_init(relation, worker, scan, InvalidBlockNumber, \
											 InvalidBlockNumber)
#else
#define BF_PARALLELSCAN_START(relation, worker, scan) \
	table_block_parallelscan_startblock_init(relation, worker, scan)
#endif

/* 19 gave nodes a type of instrumentation of their own. */
#if PG_VERSION_NUM >= 190000
#define BF_NODE_INSTRUMENTATION	NodeInstrumentation
#else
#define BF_NODE_INSTRUMENTATION	Instrumentation
#endif

/* 19 asks what elements are like once for each array, not for each element. */
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
 * 18 lets PL/pgSQL functions take over any expanded object that they are given
 * read-write; before, only arrays.
 */
#define BF_PLPGSQL_TAKES_OVER	(PG_VERSION_NUM >= 180000)

/*
 * Do variables of a PL/pgSQL function live in the context?  It is the one that
 * SPI makes for the function, in all versions, and nothing but its name tells;
 * t/016_variables.pl sees to it that it still has that name.
 */
#define BF_HOLDS_PLPGSQL_VARIABLES(mcxt)	(strcmp((mcxt)->name, "SPI Proc") == 0)

/* Before 19 a callback that will not be needed has to be taken from the list. */
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

/*
 * Where EXPLAIN is included.  18 moved what writes properties out of
 * explain.h, and its range table may have one entry more than the statement.
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
