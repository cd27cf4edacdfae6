/*-------------------------------------------------------------------------
 *
 * clear.c
 *		bloom_set_clear: taking all values out of a set.
 *
 * The rows are updated, not truncated, so that others can read the set as it
 * was until the transaction commits, and in older snapshots.  They are locked
 * in the order of their segments, as by those who add, also where they are
 * empty: who adds meanwhile waits, and adds to what is left.  The head stays,
 * with the family: filters of the set from before and after can be united.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "sets/layout.h"
#include "sets/rows.h"

BF_SQL_FUNCTION(bloomfilter_set_clear);

/* Rows locked and written at a time: half a megabyte. */
#define ROWS_AT_A_TIME	1024

static bool
is_empty(const bytea *row)
{
	const char *bytes = VARDATA_ANY(row);
	Size		i;

	for (i = 0; i < VARSIZE_ANY_EXHDR(row); i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

static bytea *
empty_copy(const bytea *row)
{
	Size		size = VARHDRSZ + VARSIZE_ANY_EXHDR(row);
	bytea	   *copy = palloc0(size);

	SET_VARSIZE(copy, size);
	return copy;
}

/* Lock n segments from the first one on, and empty those that are not. */
static void
clear_rows(BfSet *set, const BfHeader *header, int32 first, int n)
{
	int32	   *segments = palloc(n * sizeof(int32));
	bytea	  **rows = palloc(n * sizeof(bytea *));
	int			kept = 0;
	int			i;

	for (i = 0; i < n; i++)
		segments[i] = first + i;
	bf_set_read_rows(set, BF_SET_LOCK, false, segments, n, rows);
	for (i = 0; i < n; i++)
	{
		bf_set_check_row(set, header, segments[i], rows[i]);
		if (is_empty(rows[i]))
			continue;
		segments[kept] = segments[i];
		rows[kept++] = empty_copy(rows[i]);
	}
	SPI_freetuptable(SPI_tuptable);
	if (kept > 0)
		bf_set_write_rows(set, segments, rows, kept);
}

static void
clear_all_rows(BfSet *set, void *unused)
{
	MemoryContext mcxt = AllocSetContextCreate(CurrentMemoryContext, "bloomfilter set rows",
											   ALLOCSET_DEFAULT_SIZES);
	BfSetHead	head;
	int32		last;
	int32		first;

	(void) unused;
	bf_set_read_head(set, false, &head);
	last = bf_set_segments(head.header.blocks);
	for (first = 1; first <= last; first += ROWS_AT_A_TIME)
	{
		MemoryContext old = MemoryContextSwitchTo(mcxt);

		CHECK_FOR_INTERRUPTS();
		clear_rows(set, &head.header, first, Min(last - first + 1, ROWS_AT_A_TIME));
		MemoryContextSwitchTo(old);
		MemoryContextReset(mcxt);
	}
}

Datum
bloomfilter_set_clear(PG_FUNCTION_ARGS)
{
	/* who adds what is there already locks no row, and must not see it taken out */
	bf_set_use(PG_GETARG_OID(0), ShareRowExclusiveLock, clear_all_rows, NULL);
	PG_RETURN_VOID();
}
