/*-------------------------------------------------------------------------
 *
 * probe_key.c
 *		The key of a row that is tested by a filter: its columns and its hash.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/plannodes.h"
#include "utils/rel.h"

#include "joins/keys/probe_key.h"

bool
bf_join_hash_by_calls(const BfJoinProbeKey *key, TupleTableSlot *slot, HeapTuple tuple,
					  ExprContext *econtext, uint32 *hash)
{
	MemoryContext old_context;
	bool		result;

	ResetExprContext(econtext);
	old_context = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	econtext->ecxt_outertuple = slot;
	result = bf_join_hash_columns(key, slot, tuple, econtext, hash);
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

/* ---------- pages ---------- */

/*
 * The offset of a column in the data of tuples that have no NULL before it, if it
 * does not depend on the values before it; otherwise -1.  A value of varying
 * length is aligned or not, as its header tells: where the offset is aligned
 * anyway, both are the same.
 */
static int
fixed_offset(TupleDesc table, AttrNumber attribute)
{
	int			result = 0;
	int			i;

	for (i = 0; i < attribute; i++)
	{
		Form_pg_attribute column = TupleDescAttr(table, i);
		int			aligned = (int) att_align_nominal(result, column->attalign);

		if (i == attribute - 1)
			return column->attlen == -1 && aligned != result ? -1 : aligned;
		if (column->attlen <= 0)
			return -1;
		result = aligned + column->attlen;
	}
	return -1;
}

/* The table's column that a scan returns as this column; 0: it is no such column. */
static AttrNumber
scanned_attribute(const ScanState *child, AttrNumber number)
{
	const Scan *plan = (const Scan *) child->ps.plan;
	const TargetEntry *entry = list_nth_node(TargetEntry, plan->plan.targetlist, number - 1);
	const Var  *var = (const Var *) entry->expr;

	return IsA(var, Var) && var->varno == (int) plan->scanrelid && var->varattno > 0 ?
		var->varattno : 0;
}

void
bf_join_init_page_key(BfJoinProbeKey *key, const ScanState *child)
{
	TupleDesc	table = RelationGetDescr(child->ss_currentRelation);
	int			i;

	for (i = 0; i < key->ncolumns; i++)
	{
		BfJoinProbeColumn *column = &key->columns[i];

		column->attribute = column->expression == NULL ?
			scanned_attribute(child, column->number) : 0;
		if (column->attribute == 0)
			return;
		column->offset = fixed_offset(table, column->attribute);
		column->length = TupleDescAttr(table, column->attribute - 1)->attlen;
		column->by_value = TupleDescAttr(table, column->attribute - 1)->attbyval;
	}
	key->table = table;
}
