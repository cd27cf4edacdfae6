/*-------------------------------------------------------------------------
 *
 * bounds.c
 *		What the bounds of a partition say about one of its columns.
 *
 * They are those of all levels: of the partition itself and of the partitioned
 * tables above it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/hash.h"
#include "access/nbtree.h"
#include "access/table.h"
#include "catalog/pg_proc.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"

#include "estimates/expression.h"
#include "joins/choice/bounds.h"
#include "joins/choice/lineage.h"
#include "joins/rules/keys.h"

bool
bf_join_may_call(const BfJoinColumn *column, Oid function)
{
	if (OidIsValid(function))
		bf_join_watch_function(column->statement, function);
	return OidIsValid(function) && bf_join_function_is_harmless(function) &&
		(column->statement->gather_params == NULL || func_parallel(function) == PROPARALLEL_SAFE);
}

/* The values compared here may come from hidden rows, too. */
Oid
bf_join_comparison(const BfJoinColumn *column, Oid type)
{
	Oid			result = get_opfamily_proc(column->family, column->inner_type, type, BTORDER_PROC);

	if (!bf_join_may_call(column, result) ||
		(!get_func_leakproof(result) &&
		 (column->statement->hides_rows || column->statement->has_policies)))
		return InvalidOid;
	return result;
}

/* In partition bounds the table has the number 1. */
static bool
is_column(const BfJoinColumn *column, const Node *node)
{
	return bf_is_column(node, 1, column->attribute);
}

static bool
are_known(List *constants)
{
	ListCell   *lc;

	foreach(lc, constants)
		if (!IsA(lfirst(lc), Const) || ((Const *) lfirst(lc))->constisnull)
			return false;
	return constants != NIL;
}

/* The operator's strategy in the family, and the type of its right side. */
static int
strategy_of(const BfJoinColumn *column, Oid operator, Oid *type)
{
	int			strategy;
	Oid			left;

	if (!op_in_opfamily(operator, column->family))
		return 0;
	get_op_opfamily_properties(operator, column->family, false, &strategy, &left, type);
	return strategy;
}

static BfJoinBound *
new_bound(int strategy, Oid function, List *constants)
{
	BfJoinBound *bound = palloc0(sizeof(BfJoinBound));

	bound->strategy = strategy;
	bound->function = function;
	bound->constants = constants;
	return bound;
}

/*
 * The column is compared to constants, and the operator holds for any of them.
 */
static BfJoinBound *
comparison_bound(const BfJoinColumn *column, Oid operator, Oid collation, List *args,
				 List *constants)
{
	Oid			type;
	int			strategy;
	Oid			function;

	if (list_length(args) != 2 || !is_column(column, linitial(args)) ||
		collation != column->collation || !are_known(constants))
		return NULL;
	strategy = strategy_of(column, operator, &type);
	/* of a list only equality is used, of a range only a single constant */
	if (strategy == 0 || (strategy != BTEqualStrategyNumber && list_length(constants) > 1))
		return NULL;
	function = bf_join_comparison(column, type);
	return OidIsValid(function) ? new_bound(strategy, function, constants) : NULL;
}

static bool
lock_ancestors(const BfJoinColumn *column)
{
	return column->relation->rd_rel->relispartition &&
		bf_join_lock_ancestors(column->statement, RelationGetRelid(column->relation));
}

/* Are rows with equal keys in the same partition? */
static bool
follows_equality(PartitionKey key)
{
	return key->strategy != PARTITION_STRATEGY_HASH ||
		bf_join_hash_follows_equality(key->partsupfunc[0].fn_oid, key->partcollation[0]);
}

/* Is a row in the partition that the hash of any equal key leads to? */
static bool
hashes_equal_alike(const BfJoinColumn *column, PartitionKey key, Oid inner)
{
	return follows_equality(key) &&
		bf_join_hash_follows_equality(inner, column->collation);
}

/*
 * The function by which a table with a single partition key hashes an inner
 * key; InvalidOid if it must not be called, or does not tell.
 */
static Oid
partition_hash(const BfJoinColumn *column, Oid table)
{
	Relation	relation = table_open(table, AccessShareLock);
	PartitionKey key = RelationGetPartitionKey(relation);
	Oid			result = InvalidOid;

	if (key->partcollation[0] == column->collation && op_in_opfamily(column->operator, key->partopfamily[0]))
		result = get_opfamily_proc(key->partopfamily[0], column->inner_type, column->inner_type,
								   HASHEXTENDED_PROC);
	if (OidIsValid(result) && !hashes_equal_alike(column, key, result))
		result = InvalidOid;
	table_close(relation, NoLock);
	return bf_join_may_call(column, result) ? result : InvalidOid;
}

/* satisfies_hash_partition(table, modulus, remainder, column); the table is locked. */
static BfJoinBound *
hash_bound(const BfJoinColumn *column, List *args)
{
	BfJoinBound *result = new_bound(0, InvalidOid, NIL);

	if (list_length(args) != 4 || !is_column(column, lfourth(args)))
		return NULL;
	result->modulus = DatumGetInt32(lsecond_node(Const, args)->constvalue);
	result->remainder = DatumGetInt32(lthird_node(Const, args)->constvalue);
	result->function = partition_hash(column,
									  DatumGetObjectId(linitial_node(Const, args)->constvalue));
	return OidIsValid(result->function) ? result : NULL;
}

static BfJoinBound *find_bound(const BfJoinColumn *column, Node *node);

/*
 * "column IS NULL OR ...", the constraint of a list that has NULL.  NULL has
 * no match, since the join's operator is strict.
 */
static BfJoinBound *
bound_or_null(const BfJoinColumn *column, BoolExpr *node)
{
	NullTest   *test = linitial(node->args);

	if (list_length(node->args) != 2 || !IsA(test, NullTest) ||
		test->nulltesttype != IS_NULL || !is_column(column, (Node *) test->arg))
		return NULL;
	return find_bound(column, lsecond(node->args));
}

/*
 * The bound that a part of the constraint gives; NULL if it is not understood.
 */
static BfJoinBound *
find_bound(const BfJoinColumn *column, Node *node)
{
	if (IsA(node, OpExpr))
	{
		OpExpr	   *op = (OpExpr *) node;

		return comparison_bound(column, op->opno, op->inputcollid, op->args,
								list_make1(llast(op->args)));
	}
	if (IsA(node, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *op = (ScalarArrayOpExpr *) node;
		ArrayExpr  *array = lsecond(op->args);

		if (op->useOr && IsA(array, ArrayExpr) && !array->multidims)
			return comparison_bound(column, op->opno, op->inputcollid, op->args, array->elements);
	}
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcid == F_SATISFIES_HASH_PARTITION)
		return hash_bound(column, ((FuncExpr *) node)->args);
	return is_orclause(node) ? bound_or_null(column, (BoolExpr *) node) : NULL;
}

/* The bounds that the parts of a constraint give the column. */
static List *
bounds_of(const BfJoinColumn *column, List *constraint)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, constraint)
	{
		BfJoinBound *bound = find_bound(column, lfirst(lc));

		if (bound != NULL)
			result = lappend(result, bound);
	}
	return result;
}

List *
bf_join_find_bounds(const BfJoinColumn *column)
{
	if (!lock_ancestors(column))
		return NIL;
	return bounds_of(column, RelationGetPartitionQual(column->relation));
}

/*
 * Is the table partitioned by this column alone, with the join operator's
 * equality?
 */
static bool
is_partitioned_by(const BfJoinColumn *column, Relation relation)
{
	PartitionKey key = RelationGetPartitionKey(relation);

	return key != NULL && key->partnatts == 1 && key->partattrs[0] == column->attribute &&
		key->partcollation[0] == column->collation &&
		op_in_opfamily(column->operator, key->partopfamily[0]) && follows_equality(key);
}

/*
 * The same column in the column's own table, or in a partitioned table above
 * it.
 */
static BfJoinColumn
column_of(const BfJoinColumn *column, Oid table)
{
	BfJoinColumn result = *column;

	result.relation = table_open(table, AccessShareLock);
	result.attribute = get_attnum(table, get_attname(RelationGetRelid(column->relation),
													 column->attribute, false));
	return result;
}

List *
bf_join_find_common_bounds(const BfJoinColumn *column, Oid *owner)
{
	Oid			table = RelationGetRelid(column->relation);
	List	   *levels;			/* the table, then the tables above it */
	List	   *result = NIL;
	int			i;

	if (!lock_ancestors(column))
		return NIL;
	levels = lcons_oid(table, bf_join_ancestors(column->statement, table));
	for (i = list_length(levels) - 1; i > 0; i--)
	{
		BfJoinColumn above = column_of(column, list_nth_oid(levels, i));
		BfJoinColumn below;
		bool		common = is_partitioned_by(&above, above.relation);

		table_close(above.relation, NoLock);
		if (!common)
			break;
		*owner = list_nth_oid(levels, i - 1);
		below = column_of(column, *owner);
		result = bounds_of(&below, RelationGetPartitionQual(below.relation));
		table_close(below.relation, NoLock);
	}
	return result;
}
