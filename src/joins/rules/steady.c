/*-------------------------------------------------------------------------
 *
 * steady.c
 *		Expressions that have the same result whatever the settings.
 *
 * Within a query anything can be set: by set_config() for each of its rows, and between
 * two FETCHes.  And the sub-select that makes the keys for another server runs when
 * postgres_fdw first needs them: while it has DateStyle, IntervalStyle,
 * extra_float_digits and search_path set for the text that it sends.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "joins/rules/steady.h"

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

static bool
is_unsteady(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_FuncExpr:
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
		case T_ScalarArrayOpExpr:
			if (check_functions_in_node(node, is_unsteady_function, NULL))
				return true;
			break;
		case T_List:
		case T_TargetEntry:
		case T_Var:
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
	return expression_tree_walker(node, BF_WALKER(is_unsteady), context);
}

bool
bf_join_is_steady(Node *expression)
{
	return !is_unsteady(expression, NULL);
}
