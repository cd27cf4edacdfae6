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
#include "access/tupmacs.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "nodes/execnodes.h"

#include "joins/keys/hash.h"
#include "joins/spec.h"

typedef struct BfJoinProbeColumn
{
	AttrNumber	number;			/* number in the child's rows */
	bool		fixed_offset;	/* is its offset the same in all rows? */
	ExprState  *expression;		/* in the place of a column; NULL: none */

	/* where the child is a scan of a table, and tests rows on their pages */
	AttrNumber	attribute;		/* the column in the table's rows */
	int			offset;			/* in rows without NULLs before it; -1: it varies */
	int16		length;
	bool		by_value;
} BfJoinProbeColumn;

typedef struct BfJoinProbeKey
{
	int			ncolumns;
	BfJoinProbeColumn *columns;
	AttrNumber	last_column;	/* the highest of the columns' numbers */
	BfJoinHash *hashes;
	bool		has_calls;		/* is any column or hash computed by a call? */
	TupleDesc	table;			/* of the child's table; NULL: not tested on pages */
} BfJoinProbeKey;

/* Make the key from as many of the first expressions as the filter has operators. */
extern void bf_join_init_probe_key(BfJoinProbeKey *key, const BfJoinFilterSpec *spec,
								   List *expressions, PlanState *probe);

/*
 * Let the key be read on the pages of the table that the child, a scan, reads.
 * Nothing happens if a column is not one of the table's.
 */
extern void bf_join_init_page_key(BfJoinProbeKey *key, const ScanState *child);

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

/* Are the first n columns of a tuple not NULL? */
static inline bool
bf_has_first_columns(const HeapTupleHeaderData *tuple, int n)
{
	const uint8 *bits = tuple->t_bits;

	if ((tuple->t_infomask & HEAP_HASNULL) == 0)
		return true;
	for (; n >= 8; n -= 8)
		if (*bits++ != 0xff)
			return false;
	return (~*bits & ((1 << n) - 1)) == 0;
}

/*
 * The value of a column in a tuple on its page.  The tuple may be older than the
 * column.
 */
static pg_attribute_always_inline Datum
bf_join_page_value(const BfJoinProbeColumn *column, HeapTuple tuple, TupleDesc table, bool *isnull)
{
	HeapTupleHeader header = tuple->t_data;

	if (column->offset >= 0 && column->attribute <= HeapTupleHeaderGetNatts(header) &&
		bf_has_first_columns(header, column->attribute))
	{
		*isnull = false;
		return fetch_att((char *) header + header->t_hoff + column->offset,
						 column->by_value, column->length);
	}
	return heap_getattr(tuple, column->attribute, table, isnull);
}

/* econtext: for expressions; NULL: there are none. */
static pg_attribute_always_inline bool
bf_join_hash_columns(const BfJoinProbeKey *key, TupleTableSlot *slot, HeapTuple tuple,
					 ExprContext *econtext, uint32 *hash)
{
	int			i;

	*hash = 0;
	for (i = 0; i < key->ncolumns; i++)
	{
		BfJoinProbeColumn *column = &key->columns[i];
		bool		isnull;
		Datum		value;

		if (tuple != NULL)
			value = bf_join_page_value(column, tuple, key->table, &isnull);
		else if (econtext != NULL && column->expression != NULL)
			value = ExecEvalExpr(column->expression, econtext, &isnull);
		else
			value = bf_join_probe_value(key, i, slot, &isnull);
		if (isnull)
			return false;
		*hash = bf_join_hash_combine(*hash, bf_join_hash_value(&key->hashes[i], value));
	}
	return true;
}

/* The same with expressions, and functions that may leave garbage. */
extern bool bf_join_hash_by_calls(const BfJoinProbeKey *key, TupleTableSlot *slot,
								  HeapTuple tuple, ExprContext *econtext, uint32 *hash);

/*
 * The hash of the key of a row: of a tuple on its page or, if that is NULL, of the
 * slot.  Callers pass a constant NULL for the other.  False if a column is NULL: a
 * NULL has no match, since the operators of joins with filters are strict.
 */
static pg_attribute_always_inline bool
bf_join_hash_key(const BfJoinProbeKey *key, TupleTableSlot *slot, HeapTuple tuple,
				 ExprContext *econtext, uint32 *hash)
{
	return key->has_calls ? bf_join_hash_by_calls(key, slot, tuple, econtext, hash) :
		bf_join_hash_columns(key, slot, tuple, NULL, hash);
}

#endif							/* BF_JOIN_PROBE_KEY_H */
