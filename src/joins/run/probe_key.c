/*-------------------------------------------------------------------------
 *
 * probe_key.c
 *		The key of a row that is tested by a filter: its columns and its hash.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "joins/run/probe_key.h"

bool
bf_join_hash_columns_by_calls(const BfJoinProbeKey *key, TupleTableSlot *slot,
							  ExprContext *econtext, uint32 *hash)
{
	MemoryContext old_context;
	bool		result;

	ResetExprContext(econtext);
	old_context = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	econtext->ecxt_outertuple = slot;
	result = bf_join_hash_columns(key, slot, econtext, hash);
	MemoryContextSwitchTo(old_context);
	return result;
}

static bool
has_fixed_offset(TupleDesc desc, AttrNumber column)
{
	int			i;

	for (i = 0; i < column - 1; i++)
		if (TupleDescAttr(desc, i)->attlen <= 0)
			return false;
	return true;
}

static void
init_column(BfJoinProbeKey *key, int i, Expr *expression, PlanState *probe)
{
	BfJoinProbeColumn *column = &key->columns[i];

	if (IsA(expression, Var))
	{
		column->number = ((Var *) expression)->varattno;
		column->fixed_offset = has_fixed_offset(ExecGetResultType(outerPlanState(probe)),
												column->number);
		key->last_column = Max(key->last_column, column->number);
	}
	else
		column->expression = ExecInitExpr(expression, probe);
	key->has_calls |= column->expression != NULL || key->hashes[i].kind == BF_JOIN_HASH_CALL;
}

void
bf_join_init_probe_key(BfJoinProbeKey *key, const BfJoinFilterSpec *spec, List *expressions,
					   PlanState *probe)
{
	int			i;

	key->ncolumns = list_length(spec->operators);
	key->columns = palloc0(key->ncolumns * sizeof(BfJoinProbeColumn));
	key->hashes = bf_join_hash_init(spec->operators, spec->collations, true);
	for (i = 0; i < key->ncolumns; i++)
		init_column(key, i, list_nth(expressions, i), probe);
}
