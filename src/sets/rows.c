/*-------------------------------------------------------------------------
 *
 * rows.c
 *		Reading and writing the rows of a set.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "sets/direct.h"
#include "sets/layout.h"
#include "sets/rows.h"

enum
{
	SEGMENT = 1, FILTER = 2		/* columns of rows that are read */
};

static Datum
array_of_segments(const int32 *segments, int n)
{
	Datum	   *elements = palloc(n * sizeof(Datum));
	int			i;

	for (i = 0; i < n; i++)
		elements[i] = Int32GetDatum(segments[i]);
	return PointerGetDatum(construct_array(elements, n, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

/* The place of a segment in an ascending list. */
static int
place_of(int32 segment, const int32 *segments, int n)
{
	int			low = 0;
	int			high = n - 1;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (segments[middle] < segment)
			low = middle + 1;
		else
			high = middle;
	}
	if (n == 0 || segments[low] != segment)
		elog(ERROR, "row of segment %d was not asked for", segment);
	return low;
}

bytea *
bf_set_result_row(const BfSet *set, uint64 i, int32 *segment)
{
	HeapTuple	tuple = SPI_tuptable->vals[i];
	Datum		value;
	bool		isnull;

	value = SPI_getbinval(tuple, SPI_tuptable->tupdesc, SEGMENT, &isnull);
	*segment = DatumGetInt32(value);
	value = SPI_getbinval(tuple, SPI_tuptable->tupdesc, FILTER, &isnull);
	if (isnull)
		bf_set_report_damage(set, *segment, "is null");
	return DatumGetByteaPP(value);
}

/* Read the rows by a statement.  A row that is missing is NULL. */
static void
read_by_statement(BfSet *set, BfSetStatement statement, bool read_only,
				  const int32 *segments, int n, bytea **rows)
{
	Datum		argument = array_of_segments(segments, n);
	uint64		i;

	memset(rows, 0, n * sizeof(bytea *));
	bf_set_execute(set, statement, &argument, read_only);
	for (i = 0; i < SPI_processed; i++)
	{
		int32		segment;
		bytea	   *row = bf_set_result_row(set, i, &segment);
		int			place = place_of(segment, segments, n);

		if (rows[place] != NULL)
			bf_set_report_damage(set, segment, "is there twice");
		rows[place] = row;
	}
}

void
bf_set_read_rows(BfSet *set, BfSetStatement statement, bool read_only,
				 const int32 *segments, int n, bytea **rows)
{
	int			place;

	if (statement != BF_SET_READ || !bf_set_read_directly(set, read_only, segments, n, rows))
		read_by_statement(set, statement, read_only, segments, n, rows);
	for (place = 0; place < n; place++)
		if (rows[place] == NULL)
			bf_set_report_missing(set, segments[place]);
}

void
bf_set_check_row(const BfSet *set, const BfHeader *header, int32 segment, const bytea *row)
{
	if (VARSIZE_ANY_EXHDR(row) != bf_set_segment_bytes(segment, header->blocks))
		bf_set_report_damage(set, segment, psprintf("has %zu bytes, not %zu",
													(Size) VARSIZE_ANY_EXHDR(row),
													bf_set_segment_bytes(segment, header->blocks)));
}

bool
bf_set_replace_row(BfSet *set, int32 segment, bytea *old_row, bytea *new_row)
{
	Datum		arguments[] = {
		Int32GetDatum(segment), PointerGetDatum(old_row), PointerGetDatum(new_row)
	};

	bf_set_execute(set, BF_SET_REPLACE, arguments, false);
	return SPI_processed == 1;
}

void
bf_set_report_not_updated(const BfSet *set)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("could not change set \"%s\"", set->name),
			 errdetail("A trigger, rule or policy of the table kept a row from being updated.")));
}

void
bf_set_write_rows(BfSet *set, const int32 *segments, bytea **rows, int n)
{
	Datum	   *elements = palloc(n * sizeof(Datum));
	Datum		arguments[2];
	int			i;

	for (i = 0; i < n; i++)
		elements[i] = PointerGetDatum(rows[i]);
	arguments[0] = array_of_segments(segments, n);
	arguments[1] = PointerGetDatum(construct_array(elements, n, BYTEAOID, -1, false, TYPALIGN_INT));
	bf_set_execute(set, BF_SET_WRITE, arguments, false);
	if (SPI_processed != (uint64) n)
		bf_set_report_not_updated(set);
	pfree(DatumGetPointer(arguments[1]));
}

/* ---------- the head ---------- */

void
bf_set_take_head(BfSet *set, bytea *row, BfSetHead *head)
{
	const char *reason = bf_set_head_read(head, row);

	if (reason != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a set", set->name),
				 errdetail("The row of segment 0 cannot be read: %s.", reason),
				 errhint("Sets are made by bloom_set_create.")));
	bf_set_remember(set, row);
}

void
bf_set_read_head(BfSet *set, bool read_only, BfSetHead *head)
{
	int32		segment = BF_SET_HEAD;
	bytea	   *row;

	bf_set_read_rows(set, BF_SET_READ, read_only, &segment, 1, &row);
	bf_set_take_head(set, row, head);
}

bool
bf_set_recall_head(BfSet *set, bool read_only, BfSetHead *head)
{
	bytea	   *copy;

	if (set->head == NULL)
	{
		bf_set_read_head(set, read_only, head);
		return true;
	}
	/* a copy: triggers may use the set meanwhile */
	copy = palloc(VARSIZE(set->head));
	memcpy(copy, set->head, VARSIZE(set->head));
	if (bf_set_head_read(head, copy) != NULL)
		elog(ERROR, "head of a set in memory cannot be read");
	return false;
}
