/*-------------------------------------------------------------------------
 *
 * rules.c
 *		Which statements, tables and keys may have filters on another server.
 *
 * A filter is made of the keys of a local table, which the statement reads one
 * more time for that, by the same snapshot.  The rows that the other server
 * withholds have no match.  The rules ensure that the statement's results and
 * effects stay the same.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/reloptions.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_foreign_table.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "commands/defrem.h"
#include "commands/extension.h"
#include "foreign/foreign.h"
#include "mb/pg_wchar.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#include "utils/varlena.h"

#include "compat.h"
#include "joins/remote/rules.h"
#include "type/hashing/declared.h"

/* The extension's name, here and in the option of a foreign server. */
#define EXTENSION	"bloomfilter"

/* ---------- functions ---------- */

/*
 * A function of the extension, or InvalidOid.  The extension may be in any
 * schema, and functions of that name that are not its own may exist.
 */
static Oid
find_function(Oid extension, const char *name, const Oid *types, int ntypes)
{
	CatCList   *functions = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
	Oid			result = InvalidOid;
	int			i;

	for (i = 0; i < functions->n_members && !OidIsValid(result); i++)
	{
		Form_pg_proc form = (Form_pg_proc) GETSTRUCT(&functions->members[i]->tuple);

		if (form->pronargs == ntypes &&
			memcmp(form->proargtypes.values, types, ntypes * sizeof(Oid)) == 0 &&
			getExtensionOfObject(ProcedureRelationId, form->oid) == extension)
			result = form->oid;
	}
	ReleaseSysCacheList(functions);
	return result;
}

/*
 * Everybody must be allowed to call the functions: a plan may be run by
 * another role than the role for which it was made.
 */
BfJoinReason
bf_remote_find_functions(BfRemoteFunctions *functions)
{
	Oid			extension = get_extension_oid(EXTENSION, true);
	Oid			aggregate[] = {ANYOID, FLOAT8OID};
	Oid			test[] = {InvalidOid, ANYOID, TEXTOID};

	if (!OidIsValid(extension))
		return BF_JOIN_NO_EXTENSION;
	functions->aggregate = find_function(extension, "bloom_agg", aggregate, lengthof(aggregate));
	if (!OidIsValid(functions->aggregate))
		return BF_JOIN_NO_EXTENSION;
	functions->filter_type = get_func_rettype(functions->aggregate);
	test[0] = functions->filter_type;
	functions->test = find_function(extension, "bloomfilter_may_match", test, lengthof(test));
	return OidIsValid(functions->test) && BF_PUBLIC_MAY_EXECUTE(functions->aggregate) &&
		BF_PUBLIC_MAY_EXECUTE(functions->test) ? BF_JOIN_ALLOWED : BF_JOIN_NO_EXTENSION;
}

/* ---------- statements ---------- */

/* Does any query below the outermost query change or lock rows? */
static bool
changes_rows(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Query	   *query = (Query *) node;

		return query->commandType != CMD_SELECT || query->rowMarks != NIL ||
			query_tree_walker(query, BF_WALKER(changes_rows), context, 0);
	}
	return expression_tree_walker(node, BF_WALKER(changes_rows), context);
}

/*
 * May a condition call a volatile function?
 *
 * Conditions are evaluated for fewer rows if the other server withholds rows,
 * and a condition of a query may be evaluated in a query that is part of it.
 * The outermost query's output is computed from the rows of its joins, which
 * stay the same.
 */
static bool
conditions_are_volatile(const Query *query)
{
	Query		below = *query;

	below.targetList = NIL;
	below.returningList = NIL;
	return contain_volatile_functions((Node *) &below);
}

/*
 * Might the statement insert rows into foreign tables?  Then rows could be
 * read from another server while others are written there.
 */
static bool
inserts_elsewhere(const Query *query)
{
	return query->resultRelation > 0 &&
		rt_fetch(query->resultRelation, query->rtable)->relkind != RELKIND_RELATION;
}

BfJoinReason
bf_remote_statement_refusal(Query *query)
{
	if ((query->commandType != CMD_SELECT && query->commandType != CMD_INSERT) ||
		inserts_elsewhere(query) || query->rowMarks != NIL || query->hasModifyingCTE ||
		query_tree_walker(query, BF_WALKER(changes_rows), NULL, 0))
		return BF_JOIN_CHANGES_ROWS;
	return conditions_are_volatile(query) ? BF_JOIN_VOLATILE_CONDITION : BF_JOIN_ALLOWED;
}

/* ---------- sub-selects ---------- */

bool
bf_remote_is_simple(const Query *query)
{
	return query->commandType == CMD_SELECT && query->setOperations == NULL &&
		!query->hasAggs && !query->hasWindowFuncs && !query->hasTargetSRFs &&
		!query->hasDistinctOn &&
		query->groupClause == NIL && query->groupingSets == NIL && query->havingQual == NULL &&
		query->limitOffset == NULL && query->limitCount == NULL;
}

/* ---------- foreign tables ---------- */

/* The first option of this name; NULL: it is not set. */
static DefElem *
find_option(List *options, const char *name)
{
	ListCell   *lc;

	foreach(lc, options)
		if (strcmp(lfirst_node(DefElem, lc)->defname, name) == 0)
			return lfirst(lc);
	return NULL;
}

/* Does the foreign server's option list the extension? */
static bool
lists_extension(const ForeignServer *server)
{
	DefElem    *option = find_option(server->options, "extensions");
	List	   *names;
	ListCell   *lc;

	if (option == NULL || !SplitIdentifierString(pstrdup(defGetString(option)), ',', &names))
		return false;
	foreach(lc, names)
		if (strcmp(lfirst(lc), EXTENSION) == 0)
			return true;
	return false;
}

/*
 * The server of a foreign table, and the options of the table before those of the
 * server.  Partitions are not locked, so any of them may be dropped meanwhile: NULL.
 */
static ForeignServer *
find_server(Oid table, List **options)
{
	HeapTuple	tuple = SearchSysCache1(FOREIGNTABLEREL, ObjectIdGetDatum(table));
	bool		isnull;
	Datum		own;
	ForeignServer *result;

	*options = NIL;
	if (!HeapTupleIsValid(tuple))
		return NULL;
	own = SysCacheGetAttr(FOREIGNTABLEREL, tuple, Anum_pg_foreign_table_ftoptions, &isnull);
	result = GetForeignServerExtended(((Form_pg_foreign_table) GETSTRUCT(tuple))->ftserver,
									  FSV_MISSING_OK);
	if (result != NULL)
		*options = list_concat(isnull ? NIL : untransformRelOptions(own), result->options);
	ReleaseSysCache(tuple);
	return result;
}

static bool
is_postgres(const ForeignServer *server)
{
	ForeignDataWrapper *wrapper = GetForeignDataWrapperExtended(server->fdwid, FDW_MISSING_OK);
	char	   *handler = wrapper == NULL ? NULL : get_func_name(wrapper->fdwhandler);

	return handler != NULL && strcmp(handler, "postgres_fdw_handler") == 0;
}

/* May the server of a foreign table test its rows? */
static BfJoinReason
server_refusal(Oid table)
{
	List	   *options;
	ForeignServer *server = find_server(table, &options);

	if (server == NULL || !is_postgres(server))
		return BF_JOIN_OTHER_WRAPPER;
	return lists_extension(server) ? BF_JOIN_ALLOWED : BF_JOIN_NOT_LISTED;
}

bool
bf_remote_asks_for_estimates(Oid table)
{
	List	   *options;
	ForeignServer *server = find_server(table, &options);
	DefElem    *option = find_option(options, "use_remote_estimate");

	return server != NULL && is_postgres(server) && option != NULL && defGetBoolean(option);
}

Cost
bf_remote_tuple_cost(Oid table)
{
	List	   *options;
	DefElem    *cost;

	(void) find_server(table, &options);
	cost = find_option(options, "fdw_tuple_cost");
	return cost == NULL ? BF_FDW_TUPLE_COST : strtod(defGetString(cost), NULL);
}

static List *
tables_of(const RangeTblEntry *rte)
{
	return rte->inh ? find_all_inheritors(rte->relid, NoLock, NULL) : list_make1_oid(rte->relid);
}

/*
 * One partition whose server gets a filter is enough: the rows of the others
 * are tested here.
 */
bool
bf_remote_is_foreign(const RangeTblEntry *rte, BfJoinReason *refusal, int *ntables)
{
	int			nforeign = 0;
	ListCell   *lc;

	*ntables = 0;
	if (rte->rtekind != RTE_RELATION ||
		(rte->relkind != RELKIND_FOREIGN_TABLE && !rte->inh))
		return false;
	foreach(lc, tables_of(rte))
	{
		if (get_rel_relkind(lfirst_oid(lc)) != RELKIND_FOREIGN_TABLE)
			continue;
		nforeign++;
		*refusal = server_refusal(lfirst_oid(lc));
		*ntables += *refusal == BF_JOIN_ALLOWED;
	}
	if (*ntables > 0)
		*refusal = BF_JOIN_ALLOWED;
	if (rte->securityQuals != NIL)
		*refusal = BF_JOIN_ROW_SECURITY;
	return nforeign > 0;
}

/* ---------- local tables ---------- */

/*
 * Does a plan read the same rows each time that it names the table?  A
 * partitioned table has the same partitions each time.  A table from which
 * others inherit may have other children.
 */
static bool
is_one_set_of_rows(const RangeTblEntry *rte)
{
	ListCell   *lc;

	if (rte->relkind == RELKIND_RELATION || rte->relkind == RELKIND_MATVIEW)
		return !rte->inh || !has_subclass(rte->relid);
	if (rte->relkind != RELKIND_PARTITIONED_TABLE)
		return false;
	foreach(lc, tables_of(rte))
		if (get_rel_relkind(lfirst_oid(lc)) == RELKIND_FOREIGN_TABLE)
			return false;
	return true;
}

BfJoinReason
bf_remote_local_refusal(const RangeTblEntry *rte)
{
	if (rte->rtekind != RTE_RELATION || rte->tablesample != NULL)
		return BF_JOIN_NOT_A_TABLE;
	if (rte->securityQuals != NIL)
		return BF_JOIN_ROW_SECURITY;
	return is_one_set_of_rows(rte) ? BF_JOIN_ALLOWED : BF_JOIN_NOT_A_TABLE;
}

/* ---------- keys ---------- */

/* Text cannot be compared without a collation. */
static bool
is_known_deterministic(Oid collation)
{
	return OidIsValid(collation) && get_collation_isdeterministic(collation);
}

/*
 * Is the operator the server's own equality of the type, or of the type and
 * another type?  Types that it compares and hashes alike are also of one
 * family to our hash functions.
 */
static bool
is_own_equality(Oid operator, Oid type)
{
	Oid			left;
	Oid			right;

	return operator < FirstUnpinnedObjectId && op_strict(operator) &&
		get_op_hash_functions(operator, &left, &right) &&
		equality_ops_are_compatible(operator,
									lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr);
}

/*
 * Text is hashed in UTF-8.  In another encoding, or in SQL_ASCII, the other
 * server's bytes may differ from those that arrive here.
 */
static BfJoinReason
text_refusal(const OpExpr *comparison, const Var *key, const Var *foreign)
{
	if (!type_is_collatable(key->vartype) && !type_is_collatable(foreign->vartype))
		return BF_JOIN_ALLOWED;
	if (!is_known_deterministic(comparison->inputcollid) ||
		!is_known_deterministic(key->varcollid) || !is_known_deterministic(foreign->varcollid))
		return BF_JOIN_LOOSE_COLLATION;
	return GetDatabaseEncoding() == PG_UTF8 ? BF_JOIN_ALLOWED : BF_JOIN_OTHER_ENCODING;
}

BfJoinReason
bf_remote_key_refusal(const OpExpr *comparison, const Var *key, const Var *foreign)
{
	/* casts that change the type alone were left out: the types are the columns' */
	if (foreign->varattno <= 0 || key->varattno <= 0 ||
		bf_declared_name(key->vartype, key->vartypmod) == NULL ||
		bf_declared_name(foreign->vartype, foreign->vartypmod) == NULL ||
		!is_own_equality(comparison->opno, getBaseType(key->vartype)) ||
		!is_own_equality(comparison->opno, getBaseType(foreign->vartype)))
		return BF_JOIN_OTHER_HASH;
	return text_refusal(comparison, key, foreign);
}
