/*-------------------------------------------------------------------------
 *
 * bits.c
 *		Setting bits in pages of a filter index, with WAL.
 *
 * Generic WAL finds out what changed by comparing whole pages, which takes five
 * times as long as all else that an insert does.  What changes is known here.
 * So the record is written here: the one that generic WAL would write for the
 * same change, byte for byte, as t/023_index_wal.pl checks.  The format is the
 * server's own.  It is used only for majors on which that test has run
 * (BF_KNOWS_GENERIC_WAL); for others, generic WAL does it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "compat.h"
#include "index/write/bits.h"

/*
 * Generic WAL joins changes that are not more than this number of bytes apart:
 * the bytes that say where a change is.
 */
#define PIECE_HEADER	((int) (2 * sizeof(OffsetNumber)))

static char *
write_piece(char *delta, Page page, int start, int end)
{
	OffsetNumber header[2];

	header[0] = (OffsetNumber) start;
	header[1] = (OffsetNumber) (end - start);
	memcpy(delta, header, sizeof(header));
	memcpy(delta + sizeof(header), page + start, end - start);
	return delta + sizeof(header) + (end - start);
}

/*
 * Describe what differs between the old bytes and the page from start on.  What is behind
 * them is all new.
 */
static char *
write_changes(char *delta, const uint8 *old, int old_length, Page page, int start, int length)
{
	int			first = -1;		/* of a piece */
	int			last = -1;
	int			i;

	for (i = 0; i < length; i++)
	{
		if (i < old_length && old[i] == (uint8) page[start + i])
			continue;
		if (first >= 0 && i - last - 1 > PIECE_HEADER)
		{
			delta = write_piece(delta, page, start + first, start + last + 1);
			first = -1;
		}
		if (first < 0)
			first = i;
		last = i;
	}
	return first < 0 ? delta : write_piece(delta, page, start + first, start + last + 1);
}

static void
add_values(Page page, const BfTarget *target)
{
	int			i;

	for (i = 0; i < target->count; i++)
		bf_place_add(page, &target->values[i].place, target->set, target->values[i].hash,
					 target->k);
}

int
bf_set_bits_delta(Page page, const BfTarget *target, char *delta)
{
	PageHeader	header = (PageHeader) page;
	LocationIndex lower = header->pd_lower;
	int			start = (int) bf_place_offset(&target->values[0].place, target->set);
	int			end = (int) bf_place_offset(&target->values[target->count - 1].place, target->set) +
		BF_BLOCK_BYTES;
	uint8		old[BLCKSZ];
	char	   *last;

	/* what is beyond pd_lower is not part of the page */
	start = Min(start, lower);
	memcpy(old, page + start, Min(end, lower) - start);
	add_values(page, target);
	last = write_changes(delta, (const uint8 *) &lower, sizeof(lower), page,
						 offsetof(PageHeaderData, pd_lower), sizeof(lower));
	last = write_changes(last, old, Min(end, lower) - start, page, start, end - start);
	return (int) (last - delta);
}

#if BF_KNOWS_GENERIC_WAL

static void
change_pages(Relation index, BfTarget *targets, int count)
{
	static char deltas[BF_MAX_TARGETS][BF_MAX_DELTA];
	XLogRecPtr	lsn;
	uint8		registered = 0;
	int			i;

	START_CRIT_SECTION();
	if (RelationNeedsWAL(index))
		XLogBeginInsert();
	for (i = 0; i < count; i++)
	{
		int			size;

		if (!targets[i].missing)
			continue;
		size = bf_set_bits_delta(BufferGetPage(targets[i].buffer), &targets[i], deltas[i]);
		MarkBufferDirty(targets[i].buffer);
		if (RelationNeedsWAL(index))
		{
			XLogRegisterBuffer(registered, targets[i].buffer, REGBUF_STANDARD);
			XLogRegisterBufData(registered, deltas[i], size);
			registered++;
		}
	}
	if (RelationNeedsWAL(index))
	{
		lsn = XLogInsert(RM_GENERIC_ID, 0);
		for (i = 0; i < count; i++)
			if (targets[i].missing)
				PageSetLSN(BufferGetPage(targets[i].buffer), lsn);
	}
	END_CRIT_SECTION();
}

#else

static void
change_pages(Relation index, BfTarget *targets, int count)
{
	GenericXLogState *xlog = GenericXLogStart(index);
	int			i;

	for (i = 0; i < count; i++)
		if (targets[i].missing)
			add_values(GenericXLogRegisterBuffer(xlog, targets[i].buffer, 0), &targets[i]);
	GenericXLogFinish(xlog);
}

#endif

bool
bf_target_is_set(const BfTarget *target)
{
	Page		page = BufferGetPage(target->buffer);
	int			i;

	for (i = 0; i < target->count; i++)
		if (!bf_place_contains(page, &target->values[i].place, target->set, target->values[i].hash,
							   target->k))
			return false;
	return true;
}

/* While it was only pinned, it may have been given away. */
static bool
has_page(const BfTarget *target)
{
	return bf_page_is_of_slab(BufferGetPage(target->buffer), bf_target_page(target), target->slab);
}

/*
 * Rows are appended, so all writers change one page of the second level, each
 * for about a microsecond; to sleep until it is free takes several.  With these
 * numbers, 8 clients on two cores take 1.4 times as long as without the index,
 * and 1.8 times if they sleep at once.  Half as many attempts, or a quarter of the
 * pauses, are slower; twice as many, or four times the pauses, no faster.
 */
#define LOCK_ATTEMPTS			100
#define PAUSES_BEFORE_ATTEMPT	8

static void
lock_exclusively(Buffer buffer)
{
	int			attempt;
	int			pause;

	for (attempt = 0; attempt < LOCK_ATTEMPTS; attempt++)
	{
		if (ConditionalLockBuffer(buffer))
			return;
		for (pause = 0; pause < PAUSES_BEFORE_ATTEMPT; pause++)
			BF_SPIN_DELAY();
	}
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
}

/* Lock the page; false: all bits are set by now. */
static bool
lock_if_missing(const BfTarget *target)
{
	lock_exclusively(target->buffer);
	if (!has_page(target) || !bf_target_is_set(target))
		return true;
	LockBuffer(target->buffer, BUFFER_LOCK_UNLOCK);
	return false;
}

bool
bf_set_bits(Relation index, BfTarget *targets, int count)
{
	bool		any = false;
	bool		all_there = true;
	int			i;

	for (i = 0; i < count; i++)
	{
		targets[i].missing = targets[i].missing && lock_if_missing(&targets[i]);
		any |= targets[i].missing;
		all_there &= !targets[i].missing || has_page(&targets[i]);
	}
	if (any && all_there)
		change_pages(index, targets, count);
	/* first the page that others wait for */
	for (i = count - 1; i >= 0; i--)
		if (targets[i].missing)
			LockBuffer(targets[i].buffer, BUFFER_LOCK_UNLOCK);
	return all_there;
}
