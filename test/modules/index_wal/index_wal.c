/*-------------------------------------------------------------------------
 *
 * index_wal.c
 *		Compares the WAL that filter indexes write with that of the server's
 *		generic WAL.
 *
 * index_wal_differs(index, changes) changes random blocks in a few pages of
 * an index, each time once as src/index/write/bits.c does, and, after the pages
 * were put back, once by GenericXLog.  It returns the first difference of the
 * records or of the pages, or NULL.  The index is of no use afterwards.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/relation.h"
#include "access/xlog.h"
#include "access/xlog_internal.h"
#include "access/xlogreader.h"
#include "access/xlogutils.h"
#include "common/pg_prng.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "compat.h"

/* on every server: what is to be found out is whether it is known */
#undef BF_KNOWS_GENERIC_WAL
#define BF_KNOWS_GENERIC_WAL	1

#include "index/write/bits.c"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(index_wal_differs);

/* The record that this process wrote last. */
static XLogReaderState *
read_record(void)
{
	XLogReaderState *reader = XLogReaderAllocate(wal_segment_size, NULL,
												 XL_ROUTINE(.page_read = &read_local_xlog_page,
															.segment_open = &wal_segment_open,
															.segment_close = &wal_segment_close),
												 NULL);
	char	   *error;

	XLogFlush(XactLastRecEnd);
	XLogBeginRead(reader, ProcLastRecPtr);
	if (XLogReadRecord(reader, &error) == NULL)
		elog(ERROR, "the record cannot be read: %s", error);
	return reader;
}

static const char *
compare_blocks(XLogReaderState *a, XLogReaderState *b, int block)
{
	Size		a_size = 0;
	Size		b_size = 0;
	const char *a_data;
	const char *b_data;

	if (XLogRecHasBlockRef(a, block) != XLogRecHasBlockRef(b, block))
		return "one has a block that the other has not";
	if (!XLogRecHasBlockRef(a, block))
		return NULL;
	if (XLogRecHasBlockImage(a, block) || XLogRecHasBlockImage(b, block))
		return "there are images: set full_page_writes = off";
	if (XLogRecGetBlock(a, block)->blkno != XLogRecGetBlock(b, block)->blkno ||
		XLogRecGetBlock(a, block)->flags != XLogRecGetBlock(b, block)->flags)
		return "a block has another number or other flags";
	a_data = XLogRecGetBlockData(a, block, &a_size);
	b_data = XLogRecGetBlockData(b, block, &b_size);
	if (a_size != b_size || memcmp(a_data, b_data, a_size) != 0)
		return "the data of a block differ";
	return NULL;
}

static const char *
compare_records(XLogReaderState *a, XLogReaderState *b)
{
	const char *result = NULL;
	int			block;

	if (XLogRecGetRmid(a) != RM_GENERIC_ID || XLogRecGetRmid(b) != RM_GENERIC_ID)
		return "one is not a record of generic WAL";
	if (XLogRecGetInfo(a) != XLogRecGetInfo(b) || XLogRecGetTotalLen(a) != XLogRecGetTotalLen(b) ||
		XLogRecGetDataLen(a) != XLogRecGetDataLen(b))
		return "the records differ in their lengths or flags";
	for (block = 0; block <= BF_MAX_TARGETS && result == NULL; block++)
		result = compare_blocks(a, b, block);
	return result;
}

/* Most values of a target, in blocks that may be next to each other. */
#define MOST_VALUES		4

static uint32
random_up_to(uint32 most)
{
	return (uint32) pg_prng_uint64_range(&pg_global_prng_state, 0, most);
}

static void
random_target(BfTarget *target, BfBits *bits, Relation index, BlockNumber page)
{
	/* the edges, too, where pieces end */
	static const uint32 edges[] = {0, 1, 62, BF_SLOTS - 2, BF_SLOTS - 1};
	uint32		stride = 1 + random_up_to(2);
	uint32		slot = 0;
	int			i;

	target->values = bits;
	target->count = 1 + (int) random_up_to(MOST_VALUES - 1);
	for (i = 0; i < target->count; i++)
	{
		slot = Min(slot + random_up_to(1), stride - 1);
		bits[i].place.page = page;
		bits[i].place.stride = stride;
		bits[i].place.slot = slot;
		bits[i].hash = pg_prng_uint64(&pg_global_prng_state);
	}
	target->slab = 1;
	target->set = (pg_prng_bool(&pg_global_prng_state) ? random_up_to(BF_SLOTS - 1) :
				   edges[random_up_to(lengthof(edges) - 1)]) / stride;
	target->k = 1 + (int) random_up_to(BF_MAX_HASHES - 1);
	target->buffer = ReadBuffer(index, page);
	target->missing = random_up_to(3) > 0;
}

/* Only the LSN may differ. */
static bool
same_page(const char *a, const char *b)
{
	return memcmp(a + sizeof(PageXLogRecPtr), b + sizeof(PageXLogRecPtr),
				  BLCKSZ - sizeof(PageXLogRecPtr)) == 0;
}

static const char *
change_both_ways(Relation index, BfTarget *targets, int count)
{
	PGAlignedBlock before[BF_MAX_TARGETS];
	PGAlignedBlock after[BF_MAX_TARGETS];
	XLogReaderState *ours;
	XLogReaderState *generic;
	GenericXLogState *xlog;
	const char *result;
	bool		any = false;
	int			i;

	for (i = 0; i < count; i++)
		memcpy(before[i].data, BufferGetPage(targets[i].buffer), BLCKSZ);
	if (!bf_set_bits(index, targets, count))
		return "a page is not of the first slab";
	for (i = 0; i < count; i++)
		any |= targets[i].missing;
	if (!any)
		return NULL;
	ours = read_record();

	for (i = 0; i < count; i++)
	{
		memcpy(after[i].data, BufferGetPage(targets[i].buffer), BLCKSZ);
		LockBuffer(targets[i].buffer, BUFFER_LOCK_EXCLUSIVE);
		memcpy(BufferGetPage(targets[i].buffer), before[i].data, BLCKSZ);
	}
	xlog = GenericXLogStart(index);
	for (i = 0; i < count; i++)
		if (targets[i].missing)
			add_values(GenericXLogRegisterBuffer(xlog, targets[i].buffer, 0), &targets[i]);
	GenericXLogFinish(xlog);
	generic = read_record();
	result = compare_records(ours, generic);
	for (i = 0; i < count; i++)
	{
		if (!same_page(after[i].data, BufferGetPage(targets[i].buffer)))
			result = "the pages differ";
		LockBuffer(targets[i].buffer, BUFFER_LOCK_UNLOCK);
	}
	XLogReaderFree(ours);
	XLogReaderFree(generic);
	return result;
}

Datum
index_wal_differs(PG_FUNCTION_ARGS)
{
	Relation	index = relation_open(PG_GETARG_OID(0), ExclusiveLock);
	int			changes = PG_GETARG_INT32(1);
	/* the first slab, of an index of one group */
	BlockNumber pages = RelationGetNumberOfBlocks(index) - 2;
	int			count = (int) Min(pages, BF_MAX_TARGETS);
	const char *result = NULL;

	for (; changes > 0 && result == NULL; changes--)
	{
		BfTarget	targets[BF_MAX_TARGETS];
		BfBits		bits[BF_MAX_TARGETS][MOST_VALUES];
		BlockNumber first = 1 + (BlockNumber) (changes % (pages - (BlockNumber) count + 1));
		int			i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < count; i++)
			random_target(&targets[i], bits[i], index, first + (BlockNumber) i);
		result = change_both_ways(index, targets, count);
		for (i = 0; i < count; i++)
			ReleaseBuffer(targets[i].buffer);
	}
	relation_close(index, ExclusiveLock);
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(result));
}
