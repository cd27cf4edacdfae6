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
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "joins/rules/steady.h"

/*
 * An immutable function may still make text of a value, as float8out() does; call
 * functions of the types that values are made of; look for a dictionary or a table; or,
 * by a method of jsonpath, read or write a time.
 */
static bool
may_have_type(Oid type)
{
	switch (type)
	{
		case CSTRINGOID:
		case RECORDOID:
		case RECORDARRAYOID:
		case REGCLASSOID:
		case REGCONFIGOID:
		case REGDICTIONARYOID:
		case JSONPATHOID:
			return false;
		default:
			return !IsPolymorphicType(type) || type == ANYENUMOID;
	}
}

/* May it take the name of a time zone?  timezone_abbreviations, from 18 on TimeZone, say which. */
static bool
may_name_time_zone(List *types)
{
	return list_member_oid(types, TIMESTAMPTZOID) && list_member_oid(types, TEXTOID);
}

static bool
is_unsteady_function(Oid function, void *context pg_attribute_unused())
{
	List	   *types;
	Oid		   *arguments;
	int			narguments;
	ListCell   *lc;
	int			i;

	/* quote_ident() looks at quote_all_identifiers */
	if (function >= FirstGenbkiObjectId || function == F_QUOTE_IDENT ||
		func_volatile(function) != PROVOLATILE_IMMUTABLE)
		return true;
	types = list_make1_oid(get_func_signature(function, &arguments, &narguments));
	for (i = 0; i < narguments; i++)
		types = lappend_oid(types, arguments[i]);
	foreach(lc, types)
		if (!may_have_type(lfirst_oid(lc)))
			return true;
	return may_name_time_zone(types);
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
