/*-------------------------------------------------------------------------
 *
 * steady.c
 *		Expressions that have the same result whatever the settings.
 *
 * The sub-select that makes the keys runs when postgres_fdw first needs them:
 * while it has DateStyle, IntervalStyle, extra_float_digits and search_path set
 * for the text that it sends.  A condition that sees these would leave out keys
 * that the join has.  So would a stable function, whose result may be another when
 * later rows are joined: between two FETCHes, anything can be set.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "joins/remote/steady.h"

/*
 * An immutable function may still make text of a value, as float8out() does; call
 * functions of the types that values are made of; or look for a dictionary.
 */
static bool
may_have_type(Oid type)
{
	switch (type)
	{
		case CSTRINGOID:
		case RECORDOID:
		case RECORDARRAYOID:
		case REGCONFIGOID:
		case REGDICTIONARYOID:
			return false;
		default:
			return !IsPolymorphicType(type) || type == ANYENUMOID;
	}
}

static bool
is_unsteady_function(Oid function, void *context pg_attribute_unused())
{
	Oid		   *types;
	int			ntypes;
	int			i;

	if (function >= FirstGenbkiObjectId || func_volatile(function) != PROVOLATILE_IMMUTABLE ||
		!may_have_type(get_func_signature(function, &types, &ntypes)))
		return true;
	for (i = 0; i < ntypes; i++)
		if (!may_have_type(types[i]))
			return true;
	return false;
}

bool
bf_remote_is_virtual(Oid table, AttrNumber column)
{
	return column > 0 && get_attgenerated(table, column) == BF_GENERATED_VIRTUAL;
}

static bool
is_unsteady(Node *node, Oid *table)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
			/* a whole row has its virtual columns */
			return ((Var *) node)->varattno == 0 ||
				bf_remote_is_virtual(*table, ((Var *) node)->varattno);
		case T_FuncExpr:
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
		case T_ScalarArrayOpExpr:
			if (check_functions_in_node(node, is_unsteady_function, NULL))
				return true;
			break;
		case T_List:
		case T_Const:
		case T_Param:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_RelabelType:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_CaseTestExpr:
		case T_CoalesceExpr:
		case T_ArrayExpr:
		case T_ArrayCoerceExpr:
			break;
		default:
			return true;
	}
	return expression_tree_walker(node, BF_WALKER(is_unsteady), table);
}

bool
bf_remote_is_steady(Node *expression, Oid table)
{
	return !is_unsteady(expression, &table);
}
