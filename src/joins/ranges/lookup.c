/*-------------------------------------------------------------------------
 *
 * lookup.c
 *		Which blocks of a table a filter index names for the keys of a join.
 *
 * The index is scanned as for "column = ANY (keys)", by the same interface as a
 * bitmap index scan.  That names every block with a row that the snapshot sees
 * and that has one of the keys: what holds for the server's own scans holds
 * here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/skey.h"
#include "miscadmin.h"
#include "nodes/tidbitmap.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "index/cost.h"
#include "joins/ranges/maps.h"
#include "settings.h"

/*
 * A page that is read in random order takes as long as so many in sequence, as
 * the server's default costs have it.
 */
#define RANDOM_PAGE		4

/*
 * Maximum part of the time of reading the table.  In an index of some 27 bits a
 * row, all pages may be read where the table has up to 150 rows a page.
 */
#define MOST_SPENT		0.25

/*
 * Does looking up all keys take a small part of the time of reading the table,
 * so that little is lost if it is in vain?  The planner knew only an estimate of
 * their number.  Each is expected to have one row.
 */
static bool
is_cheap(Relation index, AttrNumber attribute, const BfKeySet *set, BlockNumber nblocks)
{
	BfLookupPages pages;

	if (bf_join_filters == BF_JOIN_FILTERS_FORCE)
		return true;
	pages = bf_index_lookup_pages(index, attribute, nblocks, set->n, set->n);
	return pages.index * RANDOM_PAGE <= nblocks * MOST_SPENT;
}

static ArrayType *
make_array(const BfKeySet *set)
{
	Datum	   *keys = palloc(Max(set->n, 1) * sizeof(Datum));
	int16		len;
	bool		byval;
	char		align;
	int			i;

	get_typlenbyvalalign(set->type, &len, &byval, &align);
	for (i = 0; i < set->n; i++)
		keys[i] = set->intervals[i].low;
	return construct_array(keys, set->n, set->type, len, byval, align);
}

/* The blocks that the index names. */
static TIDBitmap *
scan_index(Relation index, AttrNumber attribute, Oid operator, const BfKeySet *set,
		   Snapshot snapshot)
{
	TIDBitmap  *result = tbm_create((Size) work_mem * 1024, NULL);
	IndexScanDesc scan = BF_BEGIN_BITMAP_SCAN(index, snapshot, 1);
	int			column = attribute - 1;
	ScanKeyData key;
	int			strategy;
	Oid			left;
	Oid			right;

	get_op_opfamily_properties(operator, index->rd_opfamily[column], false,
							   &strategy, &left, &right);
	ScanKeyEntryInitialize(&key, SK_SEARCHARRAY, attribute, (StrategyNumber) strategy,
						   right, index->rd_indcollation[column],
						   get_opcode(operator), PointerGetDatum(make_array(set)));
	index_rescan(scan, &key, 1, NULL, 0);
	(void) index_getbitmap(scan, result);
	index_endscan(scan);
	return result;
}

/* Mark the blocks of a bitmap; returns how many there are. */
static BlockNumber
mark_blocks(TIDBitmap *bitmap, BlockNumber nblocks, uint64 *bits)
{
	BfBitmapIterator *iterator = BF_BITMAP_BEGIN(bitmap);
	BlockNumber result = 0;
	BlockNumber block;

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		BF_BITMAP_NEXT(iterator, &block);
		if (block == InvalidBlockNumber)
			break;
		/* others may have made the table longer meanwhile */
		if (block >= nblocks)
			continue;
		bits[block / 64] |= UINT64CONST(1) << (block % 64);
		result++;
	}
	BF_BITMAP_END(iterator);
	return result;
}

bool
bf_lookup_map(Relation index, const BfJoinSkip *skip, Oid operator, const BfKeySet *set,
			  BlockNumber nblocks, Snapshot snapshot, BfRangeMap *map)
{
	TIDBitmap  *bitmap;
	BlockNumber found;

	if (!set->exact || !is_cheap(index, skip->attribute, set, nblocks))
		return false;
	bitmap = scan_index(index, skip->attribute, operator, set, snapshot);
	map->pages_per_range = 1;
	map->bits = MemoryContextAllocExtended(CurrentMemoryContext,
										   ((Size) nblocks / 64 + 1) * sizeof(uint64),
										   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	found = mark_blocks(bitmap, nblocks, map->bits);
	tbm_free(bitmap);
	if (nblocks - found >= Max(nblocks * BF_LEAST_SKIPPED, 1))
		return true;
	pfree(map->bits);
	return false;
}
