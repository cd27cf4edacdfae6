/*-------------------------------------------------------------------------
 *
 * probe_key.c
 *		The key of a row that is tested by a filter: its columns and its hash.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"

#include "joins/run/probe_key.h"

bool
bf_join_hash_columns_by_calls(const BfJoinProbeKey *key, TupleTableSlot *slot,
							  ExprContext *econtext, uint32 *hash)
{
	MemoryContext old_context;
	bool		result;

	ResetExprContext(econtext);
	old_context = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	result = bf_join_hash_columns(key, slot, hash);
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

void
bf_join_init_probe_key(BfJoinProbeKey *key, const BfJoinFilterSpec *spec, List *vars,
					   PlanState *child)
{
	int			i;

	key->ncolumns = list_length(spec->operators);
	key->columns = palloc(key->ncolumns * sizeof(BfJoinProbeColumn));
	key->hashes = bf_join_hash_init(spec->operators, spec->collations, true);
	for (i = 0; i < key->ncolumns; i++)
	{
		AttrNumber	number = list_nth_node(Var, vars, i)->varattno;

		key->columns[i].number = number;
		key->columns[i].fixed_offset = has_fixed_offset(ExecGetResultType(child), number);
		key->last_column = Max(key->last_column, number);
		key->has_calls |= key->hashes[i].kind == BF_JOIN_HASH_CALL;
	}
}
