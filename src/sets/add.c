/*-------------------------------------------------------------------------
 *
 * add.c
 *		bloom_set_add, bloom_set_add_all: adding values to a set, and telling
 *		those that were certainly not in it.
 *
 * What is written is always computed from the newest version of a row, or a
 * value of another session would be lost:
 *
 * - A call first reads the rows of its values, in their order, without a lock.
 *	 A value that is there is known, and stays so, since bits are only set.
 *	 If all are there, nothing is locked and nothing is written.
 * - One row is replaced if it is still as it was read.  That waits for others,
 *	 and fails if they leave another version; UPDATE compares what that holds.
 * - Several rows, or one that has changed meanwhile, are first locked, in the
 *	 order of their segments, so that calls do not block each other.  What is
 *	 locked is the newest version, and is read.  The UPDATE that follows has a
 *	 newer snapshot in READ COMMITTED.  In REPEATABLE READ and above locking
 *	 raises 40001 if the newest version is not the visible one.
 *
 * The head is read together with the rows of the first values, and the values
 * are hashed anew if it is not as it was before.  It comes first in the order
 * of segments.  It changes once, with the first value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "core/blocks.h"
#include "sets/direct.h"
#include "sets/layout.h"
#include "sets/rows.h"
#include "type/hashing/callsite.h"
#include "type/hashing/compatible.h"

BF_SQL_FUNCTION(bloomfilter_set_add);
BF_SQL_FUNCTION(bloomfilter_set_add_all);

/*
 * So many segments are read, locked and written at a time.  Their rows take
 * half a megabyte, of which there are some copies.
 */
#define SEGMENTS_AT_A_TIME	1024

/* A value to be added. */
typedef struct Candidate
{
	uint64_t	hash;
	int32		segment;
	int32		place;			/* in the array */
	bool		fresh;			/* was it certainly not in the set? */
} Candidate;

/* What is added to a set. */
typedef struct Addition
{
	BfSet	   *set;
	const BfElement *element;
	const BfArray *array;
	bool	   *fresh;			/* the result, for each value of the array */
	BfSetHead	head;			/* the values are hashed by it */
	BfSetHead	stored;			/* the same, but without the family if the set
								 * has none */
	Candidate  *items;			/* by segment, and place in the array */
	Size		nitems;
} Addition;

/* Some segments, with their items and rows. */
typedef struct Piece
{
	Candidate  *end;			/* where the items of the next piece begin */
	int			n;				/* segments */
	int32		segments[1 + SEGMENTS_AT_A_TIME];
	bytea	   *rows[1 + SEGMENTS_AT_A_TIME];
	Candidate  *first[SEGMENTS_AT_A_TIME];
	Candidate  *last[SEGMENTS_AT_A_TIME];
} Piece;

static int
compare_items(const void *a, const void *b)
{
	const Candidate *left = a;
	const Candidate *right = b;

	if (left->segment != right->segment)
		return left->segment < right->segment ? -1 : 1;
	return left->place < right->place ? -1 : left->place > right->place;
}

/* Hash the values as the head says. */
static void
hash_values(Addition *addition)
{
	const BfHeader *header = &addition->head.header;
	const BfArray *array = addition->array;
	int			place;

	addition->nitems = 0;
	for (place = 0; place < array->n; place++)
	{
		Candidate  *item = &addition->items[addition->nitems];

		if (array->nulls[place])
			continue;
		CHECK_FOR_INTERRUPTS();
		item->hash = bf_hash_value(addition->element, bf_strips_blanks(header),
								   array->values[place], (uint64_t) header->seed);
		item->segment = bf_set_segment(item->hash, header->blocks);
		item->place = place;
		item->fresh = false;
		addition->nitems++;
	}
	if (addition->nitems > 1)
		qsort(addition->items, addition->nitems, sizeof(Candidate), compare_items);
}

/* Hash the values by the head that the set now has, or had when it was read. */
static void
use_head(Addition *addition, const BfSetHead *stored)
{
	addition->head = addition->stored = *stored;
	if (stored->header.family == BF_FAMILY_NONE)
		bf_set_head_adopt(&addition->head, stored, addition->element);
	hash_values(addition);
}

static bool
accepts(const Addition *addition, const BfSetHead *head)
{
	return bf_family_accepts(&head->header, addition->element);
}

/*
 * The head that the values are hashed by at first.  That a value is not
 * accepted is an error only if the head has been read now.
 */
static void
find_head(Addition *addition)
{
	BfSetHead	head;

	if (!bf_set_recall_head(addition->set, false, &head) && !accepts(addition, &head))
		bf_set_read_head(addition->set, false, &head);
	bf_require_accepts(&head.header, addition->element);
	use_head(addition, &head);
}

/* ---------- pieces ---------- */

/* The next segments that have items from "from" on. */
static void
cut_piece(const Addition *addition, Piece *piece, Candidate *from)
{
	Candidate  *end = addition->items + addition->nitems;
	Candidate  *item;

	piece->n = 0;
	for (item = from; item < end; item++)
	{
		if (item == from || item->segment != piece->segments[piece->n - 1])
		{
			if (piece->n == SEGMENTS_AT_A_TIME)
				break;
			piece->segments[piece->n] = item->segment;
			piece->first[piece->n++] = item;
		}
		piece->last[piece->n - 1] = item;
	}
	piece->end = item;
}

/* Put the head in front of a piece, and take it away again. */
static void
add_head_segment(Piece *piece)
{
	memmove(piece->segments + 1, piece->segments, piece->n * sizeof(int32));
	piece->segments[0] = BF_SET_HEAD;
	piece->n++;
}

static void
remove_head_segment(Piece *piece)
{
	piece->n--;
	memmove(piece->segments, piece->segments + 1, piece->n * sizeof(int32));
	memmove(piece->rows, piece->rows + 1, piece->n * sizeof(bytea *));
}

static void
check_rows(const Addition *addition, const Piece *piece)
{
	int			i;

	for (i = 0; i < piece->n; i++)
		bf_set_check_row(addition->set, &addition->head.header, piece->segments[i], piece->rows[i]);
}

/*
 * Read the rows of the first piece together with the head.  If the head is not
 * as it was, start again with the head that was read.
 */
static void
read_first_piece(Addition *addition, Piece *piece)
{
	for (;;)
	{
		BfSetHead	head;

		cut_piece(addition, piece, addition->items);
		add_head_segment(piece);
		bf_set_read_rows(addition->set, BF_SET_READ, false, piece->segments, piece->n, piece->rows);
		if (bf_set_rows_equal(piece->rows[0], addition->stored.row))
			break;
		bf_set_take_head(addition->set, piece->rows[0], &head);
		bf_require_accepts(&head.header, addition->element);
		use_head(addition, &head);
	}
	remove_head_segment(piece);
}

/*
 * Record the family with the first value.  Waits for others that do so.
 * Returns false if the head has changed.
 */
static bool
record_family(Addition *addition)
{
	BfSetHead	head;

	if (addition->stored.header.family != BF_FAMILY_NONE)
		return true;
	if (bf_set_replace_row(addition->set, BF_SET_HEAD, addition->stored.row, addition->head.row))
	{
		bf_set_remember(addition->set, addition->head.row);
		addition->stored = addition->head;
		return true;
	}
	bf_set_read_head(addition->set, false, &head);
	if (bf_set_rows_equal(head.row, addition->stored.row))
		bf_set_report_not_updated(addition->set);
	bf_require_accepts(&head.header, addition->element);
	use_head(addition, &head);
	return false;
}

/* ---------- changing rows ---------- */

static uint8_t *
block_of(const Addition *addition, bytea *row, uint64_t hash)
{
	return (uint8_t *) VARDATA_ANY(row) + bf_set_offset(hash, addition->head.header.blocks);
}

/* Are all items of the i-th segment in its row? */
static bool
all_known(const Addition *addition, const Piece *piece, int i)
{
	const Candidate *item;

	for (item = piece->first[i]; item <= piece->last[i]; item++)
		if (!bf_block_contains_fast(block_of(addition, piece->rows[i], item->hash), item->hash,
									addition->head.header.hashes))
			return false;
	return true;
}

/* Keep only the segments with items that are not in their rows. */
static void
keep_unknown(const Addition *addition, Piece *piece)
{
	int			kept = 0;
	int			i;

	for (i = 0; i < piece->n; i++)
	{
		if (all_known(addition, piece, i))
			continue;
		piece->segments[kept] = piece->segments[i];
		piece->rows[kept] = piece->rows[i];
		piece->first[kept] = piece->first[i];
		piece->last[kept++] = piece->last[i];
	}
	piece->n = kept;
}

/* A copy of the row of the i-th segment with its items added. */
static bytea *
row_with_items(const Addition *addition, Piece *piece, int i)
{
	int			k = addition->head.header.hashes;
	Size		len = VARSIZE_ANY_EXHDR(piece->rows[i]);
	bytea	   *row = palloc(VARHDRSZ + len);
	Candidate  *item;

	SET_VARSIZE(row, VARHDRSZ + len);
	memcpy(VARDATA(row), VARDATA_ANY(piece->rows[i]), len);
	for (item = piece->first[i]; item <= piece->last[i]; item++)
	{
		uint8_t    *block = block_of(addition, row, item->hash);

		item->fresh = !bf_block_contains_fast(block, item->hash, k);
		bf_block_add(block, item->hash, k);
	}
	return row;
}

/* Lock the rows, and add the items to what they are then. */
static void
change_locked(Addition *addition, Piece *piece)
{
	int			i;

	bf_set_read_rows(addition->set, BF_SET_LOCK, false, piece->segments, piece->n, piece->rows);
	check_rows(addition, piece);
	keep_unknown(addition, piece);
	for (i = 0; i < piece->n; i++)
		piece->rows[i] = row_with_items(addition, piece, i);
	SPI_freetuptable(SPI_tuptable);
	if (piece->n > 0)
		bf_set_write_rows(addition->set, piece->segments, piece->rows, piece->n);
}

/* Add the items to one row if it is still as it was read. */
static bool
change_one(Addition *addition, Piece *piece, const BfSetChange *change)
{
	bytea	   *row = row_with_items(addition, piece, 0);
	Candidate  *item;

	if (change != NULL ? bf_set_replace_directly(change, row) :
		bf_set_replace_row(addition->set, piece->segments[0], piece->rows[0], row))
		return true;
	for (item = piece->first[0]; item <= piece->last[0]; item++)
		item->fresh = false;
	return false;
}

/*
 * Add the items without locking rows first.  Returns false if that is needed: also
 * where what is read is old, so that what it has may have been taken out since.
 */
static bool
change_unlocked(Addition *addition, Piece *piece, const BfSetChange *change)
{
	check_rows(addition, piece);
	if (IsolationUsesXactSnapshot())
		return false;
	keep_unknown(addition, piece);
	return piece->n == 0 || (piece->n == 1 && change_one(addition, piece, change));
}

/*
 * All items are of one segment, and the set has a family: read its row and
 * replace it at once.  Returns false if that cannot be done, or the head or
 * the row is not as it was.
 */
static bool
change_directly(Addition *addition, Piece *piece)
{
	BfSetChange change;
	bool		done = false;

	cut_piece(addition, piece, addition->items);
	if (piece->n != 1 || addition->stored.header.family == BF_FAMILY_NONE ||
		!bf_set_begin_change(addition->set, piece->segments[0], &change))
		return false;
	if (change.head != NULL && change.row != NULL &&
		bf_set_rows_equal(change.head, addition->stored.row))
	{
		piece->rows[0] = change.row;
		done = change_unlocked(addition, piece, &change);
	}
	bf_set_end_change(&change);
	return done;
}

static void
change_piece(Addition *addition, Piece *piece)
{
	if (!change_unlocked(addition, piece, NULL))
		change_locked(addition, piece);
}

/* ---------- the functions ---------- */

static void
report_fresh(const Addition *addition)
{
	Size		i;

	for (i = 0; i < addition->nitems; i++)
		addition->fresh[addition->items[i].place] = addition->items[i].fresh;
}

/* Piece by piece, of which rows are kept until the next. */
static void
change_all(Addition *addition, Piece *piece)
{
	MemoryContext mcxt = AllocSetContextCreate(CurrentMemoryContext, "bloomfilter set rows",
											   ALLOCSET_DEFAULT_SIZES);
	MemoryContext old;

	do
		read_first_piece(addition, piece);
	while (!record_family(addition));

	old = MemoryContextSwitchTo(mcxt);
	change_piece(addition, piece);
	while (piece->end < addition->items + addition->nitems)
	{
		SPITupleTable *read;

		CHECK_FOR_INTERRUPTS();
		MemoryContextReset(mcxt);
		cut_piece(addition, piece, piece->end);
		SPI_tuptable = NULL;
		bf_set_read_rows(addition->set, BF_SET_READ, false, piece->segments, piece->n, piece->rows);
		read = SPI_tuptable;
		change_piece(addition, piece);
		SPI_freetuptable(read);
	}
	MemoryContextSwitchTo(old);
}

static void
add_items(BfSet *set, void *argument)
{
	Addition   *addition = argument;
	Piece	   *piece = palloc(sizeof(Piece));

	addition->set = set;
	addition->items = MemoryContextAllocHuge(CurrentMemoryContext,
											 addition->array->n * sizeof(Candidate));
	find_head(addition);
	if (!change_directly(addition, piece))
		change_all(addition, piece);
	report_fresh(addition);
}

/* Add the values of the array.  Sets fresh[i] if the i-th was certainly new. */
static void
add_values(Oid table, const BfElement *element, const BfArray *array, bool *fresh)
{
	Addition	addition = {.element = element, .array = array, .fresh = fresh};

	bf_set_use(table, RowExclusiveLock, add_items, &addition);
}

/* A null set would lose the values. */
static Oid
table_argument(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("cannot add to a null set")));
	return PG_GETARG_OID(0);
}

Datum
bloomfilter_set_add(PG_FUNCTION_ARGS)
{
	Datum		value;
	bool		isnull = false;
	bool		fresh = false;
	BfArray		array = {&value, &isnull, 1};

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	value = PG_GETARG_DATUM(1);
	add_values(table_argument(fcinfo), bf_call_site_of_value(fcinfo, 1, sizeof(BfElement)),
			   &array, &fresh);
	PG_RETURN_BOOL(fresh);
}

/* The elements that were new. */
static ArrayType *
new_elements(BfArray *array, const bool *fresh, Oid typid)
{
	int16		len;
	bool		byval;
	char		align;
	int			n = 0;
	int			i;

	for (i = 0; i < array->n; i++)
		if (fresh[i])
			array->values[n++] = array->values[i];
	get_typlenbyvalalign(typid, &len, &byval, &align);
	return construct_array(array->values, n, typid, len, byval, align);
}

Datum
bloomfilter_set_add_all(PG_FUNCTION_ARGS)
{
	ArrayType  *array;
	BfArray		elements;
	bool	   *fresh;

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	array = PG_GETARG_ARRAYTYPE_P(1);
	if (!bf_array_open(&elements, array))
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(ARR_ELEMTYPE(array)));
	fresh = palloc0(elements.n * sizeof(bool));
	add_values(table_argument(fcinfo), bf_call_site_of_array(fcinfo, array, sizeof(BfElement)),
			   &elements, fresh);
	PG_RETURN_ARRAYTYPE_P(new_elements(&elements, fresh, ARR_ELEMTYPE(array)));
}
