/*-------------------------------------------------------------------------
 *
 * summaries.c
 *		What a BRIN index records of the ranges of its table's blocks.
 *
 * Summaries are read as the index's own scan reads them.  A summary is widened
 * before the transaction that wrote a row commits or goes on to another
 * command.  A summary that was made anew after the snapshot was taken may lack
 * versions of rows that only old snapshots see: HOT-updated versions
 * (BF_BRIN_FORGETS_OLD_VERSIONS), and on a standby all versions that no
 * snapshot of the primary sees.  So if a transaction has committed that the
 * snapshot does not see, a range is skipped only if all of its pages are
 * all-visible: it has no old versions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/brin_internal.h"
#include "access/brin_revmap.h"
#include "access/brin_tuple.h"
#include "access/transam.h"
#include "access/visibilitymap.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/memutils.h"

#include "compat.h"
#include "joins/ranges/bounds.h"
#include "joins/ranges/maps.h"

/*
 * Number of summaries that are read before deciding whether to read them all.
 * If none of 64 allows skipping, less than 1/14 of the table can be skipped
 * with a probability of 99 % (wherever that part lies): (13/14)^64 < 0.01.
 */
#define SAMPLE_RANGES	64

/*
 * Maximum number of transactions not seen by the snapshot that are checked for
 * having committed: some 50 ns each, together less than reading a page.
 */
#define MAX_UNSEEN		1000

/* One reading of an index's summaries. */
typedef struct Reading
{
	AttrNumber	attribute;
	FmgrInfo	compare;		/* compares a key with a value in the index */
	const BfKeySet *set;
	Relation	table;
	Snapshot	snapshot;
	BrinRevmap *revmap;
	BrinDesc   *desc;
	BrinMemTuple *memory;
	BrinTuple  *copy;
	Size		copy_size;
	Buffer		buffer;
	MemoryContext mcxt;			/* reset for each range */
	BlockNumber nblocks;
	BlockNumber pages_per_range;
	BlockNumber nranges;
} Reading;

/* Copy the summary of a range.  False: there is none. */
static bool
copy_summary(Reading *reading, BlockNumber block)
{
	OffsetNumber offset;
	Size		size;
	BrinTuple  *tuple = BF_BRIN_GET_TUPLE(reading->revmap, block, &reading->buffer, &offset,
										  &size, BUFFER_LOCK_SHARE, reading->snapshot);

	if (tuple == NULL)
		return false;
	reading->copy = brin_copy_tuple(tuple, size, reading->copy, &reading->copy_size);
	LockBuffer(reading->buffer, BUFFER_LOCK_UNLOCK);
	return true;
}

/* May a range have a row that matches?  A range without a summary may. */
static bool
range_matches(Reading *reading, BlockNumber range)
{
	BrinValues *values;
	MemoryContext old_context;
	bool		result;

	CHECK_FOR_INTERRUPTS();
	if (!copy_summary(reading, range * reading->pages_per_range))
		return true;
	reading->memory = brin_deform_tuple(reading->desc, reading->copy, reading->memory);
	if (reading->memory->bt_placeholder)
		return true;
	values = &reading->memory->bt_columns[reading->attribute - 1];
	if (values->bv_allnulls)
		return false;
	old_context = MemoryContextSwitchTo(reading->mcxt);
	result = bf_keys_meet(reading->set, &reading->compare, values->bv_values[0],
						  values->bv_values[1]);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(reading->mcxt);
	return result;
}

/* Can any of a few ranges, evenly spread, be skipped? */
static bool
is_promising(Reading *reading)
{
	BlockNumber i;

	if (reading->nranges <= SAMPLE_RANGES)
		return true;
	for (i = 0; i < SAMPLE_RANGES; i++)
		if (!range_matches(reading, (BlockNumber) ((uint64) i * reading->nranges / SAMPLE_RANGES)))
			return true;
	return false;
}

/* ---------- old versions ---------- */

/* Has a transaction committed that the snapshot does not see? */
static bool
any_committed_since(Snapshot snapshot)
{
	TransactionId next = ReadNextTransactionId();
	TransactionId xid;
	uint32		i;

	if (snapshot->suboverflowed || next - snapshot->xmax > MAX_UNSEEN ||
		snapshot->xcnt > MAX_UNSEEN || snapshot->subxcnt > MAX_UNSEEN)
		return true;
	for (xid = snapshot->xmax; xid != next; xid++)
		if (TransactionIdDidCommit(xid))
			return true;
	for (i = 0; i < snapshot->xcnt; i++)
		if (TransactionIdDidCommit(snapshot->xip[i]))
			return true;
	for (i = 0; i < (uint32) snapshot->subxcnt; i++)
		if (TransactionIdDidCommit(snapshot->subxip[i]))
			return true;
	return false;
}

/*
 * Do the summaries that were read so far cover all rows that the snapshot
 * sees?
 */
static bool
cover_old_versions(Snapshot snapshot)
{
	if (snapshot->takenDuringRecovery)
		return false;
	return !BF_BRIN_FORGETS_OLD_VERSIONS || !any_committed_since(snapshot);
}

static bool
range_is_all_visible(Reading *reading, BlockNumber range, Buffer *map)
{
	BlockNumber first = range * reading->pages_per_range;
	BlockNumber pages = Min(reading->pages_per_range, reading->nblocks - first);
	BlockNumber i;

	for (i = 0; i < pages; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!VM_ALL_VISIBLE(reading->table, first + i, map))
			return false;
	}
	return true;
}

/*
 * Mark ranges that might have old versions as to be read; returns how many.
 * The pages are checked after the summaries were read: a row that is
 * all-visible then was there before, and so was its summary.
 */
static BlockNumber
keep_old_versions(Reading *reading, uint64 *bits)
{
	Buffer		map = InvalidBuffer;
	BlockNumber result = 0;
	BlockNumber i;

	for (i = 0; i < reading->nranges; i++)
	{
		uint64		bit = UINT64CONST(1) << (i % 64);

		if ((bits[i / 64] & bit) != 0 || range_is_all_visible(reading, i, &map))
			continue;
		bits[i / 64] |= bit;
		result++;
	}
	if (map != InvalidBuffer)
		ReleaseBuffer(map);
	return result;
}

/* ---------- maps ---------- */

/* The map of all ranges; NULL if too few can be skipped. */
static uint64 *
read_all(Reading *reading)
{
	uint64	   *bits = palloc0(((Size) reading->nranges / 64 + 1) * sizeof(uint64));
	BlockNumber skipped = 0;
	BlockNumber i;

	for (i = 0; i < reading->nranges; i++)
	{
		if (range_matches(reading, i))
			bits[i / 64] |= UINT64CONST(1) << (i % 64);
		else
			skipped++;
	}
	if (skipped > 0 && !cover_old_versions(reading->snapshot))
		skipped -= keep_old_versions(reading, bits);
	if (skipped >= Max(reading->nranges * BF_LEAST_SKIPPED, 1))
		return bits;
	pfree(bits);
	return NULL;
}

bool
bf_summaries_map(Relation index, const BfJoinSkip *skip, const BfKeySet *set, Relation table,
				 BlockNumber nblocks, Snapshot snapshot, BfRangeMap *map)
{
	Reading		reading = {
		.attribute = skip->attribute,
		.set = set,
		.table = table,
		.snapshot = snapshot,
		.nblocks = nblocks,
		.buffer = InvalidBuffer
	};

	/*
	 * As index_beginscan() does for a BRIN index.  A row that another
	 * transaction has inserted into the table, but not yet into the index, is
	 * not seen here, and its block may be skipped: the conflict is found when
	 * that transaction inserts it into the index.
	 */
	PredicateLockRelation(index, snapshot);
	fmgr_info(skip->function, &reading.compare);
	reading.revmap = BF_BRIN_REVMAP_INITIALIZE(index, &reading.pages_per_range, snapshot);
	reading.desc = brin_build_desc(index);
	reading.memory = brin_new_memtuple(reading.desc);
	reading.mcxt = AllocSetContextCreate(CurrentMemoryContext, "join filter range",
										 ALLOCSET_SMALL_SIZES);
	reading.nranges = nblocks / reading.pages_per_range + (nblocks % reading.pages_per_range > 0);
	map->pages_per_range = reading.pages_per_range;
	map->bits = is_promising(&reading) ? read_all(&reading) : NULL;
	if (reading.buffer != InvalidBuffer)
		ReleaseBuffer(reading.buffer);
	MemoryContextDelete(reading.mcxt);
	brinRevmapTerminate(reading.revmap);
	brin_free_desc(reading.desc);
	return map->bits != NULL;
}
