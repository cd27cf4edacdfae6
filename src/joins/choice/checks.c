/*-------------------------------------------------------------------------
 *
 * checks.c
 *		What the CHECK constraints of a table say of its rows.
 *
 * The server evaluates the constraint's constants for each statement that
 * writes.  The parser leaves casts of constants as they are: a column of type
 * numeric is compared to 5::numeric.  Only casts by functions of the server are
 * evaluated here: the IMMUTABLE function of a user may well return another
 * value than when rows were written.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_constraint.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "estimates/expression.h"
#include "joins/choice/checks.h"

/* Neither too large nor too small; 0 is left out, too. */
static bool
fits_float8(Datum numeric)
{
	double		value = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, numeric));

	return !isinf(value) && value != 0;
}

/*
 * Does a cast of the constant raise no error?  A table without rows may have a
 * constraint that nothing fulfils because it would.
 */
static bool
succeeds(Oid cast, const Const *constant)
{
	switch (cast)
	{
		case F_INT4_INT2:
		case F_INT8_INT2:
		case F_INT8_INT4:
		case F_NUMERIC_INT2:
		case F_NUMERIC_INT4:
		case F_NUMERIC_INT8:
		case F_FLOAT4_INT2:
		case F_FLOAT4_INT4:
		case F_FLOAT4_INT8:
		case F_FLOAT8_INT2:
		case F_FLOAT8_INT4:
		case F_FLOAT8_INT8:
		case F_FLOAT8_FLOAT4:
			return true;
		case F_FLOAT8_NUMERIC:
			return fits_float8(constant->constvalue);
		default:
			return false;
	}
}

static bool
is_cast_of_constant(const Expr *expression)
{
	const FuncExpr *cast = (const FuncExpr *) expression;
	const Const *constant;

	if (!IsA(cast, FuncExpr) ||
		(cast->funcformat != COERCE_EXPLICIT_CAST && cast->funcformat != COERCE_IMPLICIT_CAST))
		return false;
	constant = (const Const *) bf_strip_relabel(linitial(cast->args));
	return IsA(constant, Const) && !constant->constisnull && succeeds(cast->funcid, constant);
}

/* The expression as a Const if it is constant, or else unchanged. */
static Expr *
evaluate(Expr *expression)
{
	Expr	   *result = bf_strip_relabel(expression);

	if (is_cast_of_constant(result))
		result = (Expr *) eval_const_expressions(NULL, (Node *) result);
	return IsA(result, Const) ? result : expression;
}

static void
simplify_comparison(OpExpr *op)
{
	Expr	   *left;
	Expr	   *right;

	if (list_length(op->args) != 2)
		return;
	left = evaluate(linitial(op->args));
	right = evaluate(lsecond(op->args));
	if (IsA(left, Const) && OidIsValid(get_commutator(op->opno)))
	{
		op->opno = get_commutator(op->opno);
		op->args = list_make2(right, left);
	}
	else
		op->args = list_make2(left, right);
}

/* A list of varchar is cast to text[], without a change of its elements. */
static Expr *
strip_array_cast(Expr *array)
{
	const ArrayCoerceExpr *cast = (const ArrayCoerceExpr *) array;

	return IsA(cast, ArrayCoerceExpr) && IsA(bf_strip_relabel(cast->elemexpr), CaseTestExpr) ?
		cast->arg : array;
}

static void
simplify_list(ScalarArrayOpExpr *op)
{
	Expr	   *array = strip_array_cast(lsecond(op->args));
	ListCell   *lc;

	if (!IsA(array, ArrayExpr))
		return;
	foreach(lc, ((ArrayExpr *) array)->elements)
		lfirst(lc) = evaluate(lfirst(lc));
	op->args = list_make2(linitial(op->args), array);
}

/* The node is changed in place. */
static void
simplify(Node *node)
{
	ListCell   *lc;

	if (IsA(node, OpExpr))
		simplify_comparison((OpExpr *) node);
	else if (IsA(node, ScalarArrayOpExpr))
		simplify_list((ScalarArrayOpExpr *) node);
	else if (IsA(node, BoolExpr))
		foreach(lc, ((BoolExpr *) node)->args)
			simplify(lfirst(lc));
}

static List *
add_conditions(List *result, Node *node)
{
	ListCell   *lc;

	if (!is_andclause(node))
		return contain_mutable_functions(node) ? result : lappend(result, node);
	foreach(lc, ((BoolExpr *) node)->args)
		result = add_conditions(result, lfirst(lc));
	return result;
}

static bool
tests_null(const Node *condition)
{
	return IsA(condition, NullTest) ||
		(is_orclause(condition) && IsA(linitial(((const BoolExpr *) condition)->args), NullTest));
}

/*
 * Has it the form of a partition's constraint, as DETACH PARTITION CONCURRENTLY
 * leaves it?  If the partition is partitioned itself, its own partitions inherit
 * it with the column numbers of their parent (seen in 15.20).  Where their columns
 * have another order, it is valid and of a wrong column.
 */
static bool
is_of_partition(const List *conditions)
{
	ListCell   *lc;

	foreach(lc, conditions)
		if (tests_null(lfirst(lc)))
			return true;
	return false;
}

/* A constraint that is not enforced is not valid either. */
List *
bf_check_conditions(const ConstrCheck *check)
{
	List	   *result;
	ListCell   *lc;

	if (!check->ccvalid)
		return NIL;
	result = add_conditions(NIL, stringToNode(check->ccbin));
	if (is_of_partition(result))
		return NIL;
	foreach(lc, result)
		simplify(lfirst(lc));
	return result;
}

TransactionId
bf_check_made_by(Relation table, const ConstrCheck *check)
{
	Oid			constraint = get_relation_constraint_oid(RelationGetRelid(table), check->ccname,
														 false);
	HeapTuple	tuple = SearchSysCache1(CONSTROID, ObjectIdGetDatum(constraint));
	TransactionId result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for constraint %u", constraint);
	result = HeapTupleHeaderGetXmin(tuple->t_data);
	ReleaseSysCache(tuple);
	return result;
}
