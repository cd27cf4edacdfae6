/*-------------------------------------------------------------------------
 *
 * probe_key.h
 *		The key of a row that is tested by a filter: its columns and its hash.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PROBE_KEY_H
#define BF_JOIN_PROBE_KEY_H

#include "access/htup_details.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "nodes/execnodes.h"

#include "joins/run/hash.h"
#include "joins/spec.h"

typedef struct BfJoinProbeColumn
{
	AttrNumber	number;			/* number in the child's rows */
	bool		fixed_offset;	/* is its offset the same in all rows? */
	ExprState  *expression;		/* in the place of a column; NULL: none */
} BfJoinProbeColumn;

typedef struct BfJoinProbeKey
{
	int			ncolumns;
	BfJoinProbeColumn *columns;
	AttrNumber	last_column;	/* the highest of the columns' numbers */
	BfJoinHash *hashes;
	bool		has_calls;		/* is any column or hash computed by a call? */
} BfJoinProbeKey;

/* Make the key from as many of the first expressions as the filter has operators. */
extern void bf_join_init_probe_key(BfJoinProbeKey *key, const BfJoinFilterSpec *spec,
								   List *expressions, PlanState *probe);

/* bf_join_hash_columns() for expressions, and functions that may leave garbage. */
extern bool bf_join_hash_columns_by_calls(const BfJoinProbeKey *key, TupleTableSlot *slot,
										  ExprContext *econtext, uint32 *hash);

/*
 * The value of a column.  If the row is a table's tuple without NULLs, and the
 * column has the same offset in all such tuples, only its value is read.
 * Reading the columns before it, as the slot does, takes as long as the test,
 * and the columns of a dropped row are not needed.
 */
static inline Datum
bf_join_probe_value(const BfJoinProbeKey *key, int i, TupleTableSlot *slot, bool *isnull)
{
	int			column = key->columns[i].number;

	if (column > slot->tts_nvalid)
	{
		if (key->columns[i].fixed_offset && TTS_IS_BUFFERTUPLE(slot))
		{
			HeapTuple	tuple = ((BufferHeapTupleTableSlot *) slot)->base.tuple;

			/* the tuple may be older than the column */
			if (!HeapTupleHasNulls(tuple) && column <= HeapTupleHeaderGetNatts(tuple->t_data))
				return fastgetattr(tuple, column, slot->tts_tupleDescriptor, isnull);
		}
		slot_getsomeattrs(slot, key->last_column);
	}
	*isnull = slot->tts_isnull[column - 1];
	return slot->tts_values[column - 1];
}

/* econtext: for expressions; NULL: there are none. */
static pg_attribute_always_inline bool
bf_join_hash_columns(const BfJoinProbeKey *key, TupleTableSlot *slot, ExprContext *econtext,
					 uint32 *hash)
{
	int			i;

	*hash = 0;
	for (i = 0; i < key->ncolumns; i++)
	{
		bool		isnull;
		Datum		value = econtext != NULL && key->columns[i].expression != NULL ?
			ExecEvalExpr(key->columns[i].expression, econtext, &isnull) :
			bf_join_probe_value(key, i, slot, &isnull);

		if (isnull)
			return false;
		*hash = bf_join_hash_combine(*hash, bf_join_hash_value(&key->hashes[i], value));
	}
	return true;
}

/*
 * The hash of a row's key.  False if a column is NULL: a NULL has no match,
 * since the operators of joins with filters are strict.
 */
static inline bool
bf_join_hash_probe_key(const BfJoinProbeKey *key, TupleTableSlot *slot, ExprContext *econtext,
					   uint32 *hash)
{
	return key->has_calls ? bf_join_hash_columns_by_calls(key, slot, econtext, hash) :
		bf_join_hash_columns(key, slot, NULL, hash);
}

#endif							/* BF_JOIN_PROBE_KEY_H */
