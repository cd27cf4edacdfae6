/*-------------------------------------------------------------------------
 *
 * covers.c
 *		The third level of an index that is being built.
 *
 * The hashes of a group are in memory when it ends, so the table is read once.  How
 * many groups there will be is not known, and in a page of a cover all groups have a
 * part: so the filter of each group is put into a temporary file, and at the end of a
 * region (directory.h), or of the table, the files become covers.
 *
 * The filters of a row are sized for its first group with values.  If that has far
 * fewer than the others, the cover is bad, and VACUUM makes it anew (upkeep/cover.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "index/file/directory.h"
#include "index/file/sizes.h"
#include "index/write/covers.h"
#include "index/write/space.h"

void
bf_covers_init(BfCovers *covers, Relation index, uint32 *newest_slab)
{
	memset(covers, 0, sizeof(BfCovers));
	covers->index = index;
	covers->columns = RelationGetNumberOfAttributes(index);
	covers->newest_slab = newest_slab;
	PrepareTempTablespaces();
}

static inline Size
filter_bytes(const BfSlab *slab)
{
	return (Size) slab->blocks * BF_BLOCK_BYTES;
}

/* ---------- filters become a cover ---------- */

/* Put blocks of a filter, from the first block on, into the pages in memory that have them. */
static void
put_blocks(char *pages, const BfSlab *slab, uint32 member, const uint8 *blocks, uint32 first,
		   uint32 count)
{
	uint32		per_page = bf_blocks_per_page(slab);
	uint32		i;

	for (i = 0; i < count; i++)
	{
		BfPlace		place = bf_block_place(slab, first + i);
		Page		page = pages + (Size) (i / per_page) * BLCKSZ;
		uint32		offset = bf_place_offset(&place, member);

		memcpy(page + offset, blocks + (Size) i * BF_BLOCK_BYTES, BF_BLOCK_BYTES);
		((PageHeader) page)->pd_lower =
			(LocationIndex) Max(((PageHeader) page)->pd_lower, offset + BF_BLOCK_BYTES);
	}
}

/* Fill pages in memory, from the cover's page of this number on, with all filters. */
static void
fill_pages(const BfCovers *covers, BfCoverFilters *filters, uint32 first_page, uint32 count,
		   char *pages)
{
	const BfSlab *slab = &filters->slab;
	uint32		per_page = bf_blocks_per_page(slab);
	uint32		first = first_page * per_page;
	uint32		blocks = Min(count * per_page, slab->blocks - first);
	uint8	   *part = MemoryContextAllocHuge(CurrentMemoryContext, (Size) blocks * BF_BLOCK_BYTES);
	uint32		member;
	uint32		page;

	for (page = 0; page < count; page++)
		bf_page_init(pages + (Size) page * BLCKSZ, slab->first_page + first_page + page,
					 BF_PAGE_SLAB, slab->number);
	for (member = filters->first; member < covers->members; member++)
	{
		int64		offset = (int64) (member - filters->first) * filter_bytes(slab) +
			(int64) first * BF_BLOCK_BYTES;

		CHECK_FOR_INTERRUPTS();
		if (BufFileSeek(filters->file, 0, offset, SEEK_SET) != 0 ||
			BufFileRead(filters->file, part, (Size) blocks * BF_BLOCK_BYTES) !=
			(Size) blocks * BF_BLOCK_BYTES)
			elog(ERROR, "a temporary file ends early");
		put_blocks(pages, slab, member, part, first, blocks);
	}
	pfree(part);
}

/* Append the cover of a column to the index. */
static void
append_cover(BfCovers *covers, BfCoverFilters *filters)
{
	BfSlab	   *slab = &filters->slab;
	uint32		pages;
	uint32		room;
	uint32		page;
	char	   *memory;

	slab->first_heap_page = covers->first_heap_page;
	slab->ranges = (uint16) covers->members;
	slab->number = ++*covers->newest_slab;
	slab->first_page = RelationGetNumberOfBlocks(covers->index);
	pages = (uint32) bf_slab_pages(slab);
	/* half of the memory: as much is what is read from the file */
	room = (uint32) Min(Max((uint64) maintenance_work_mem * 1024 / 2 / BLCKSZ, 1), pages);
	memory = MemoryContextAllocHuge(CurrentMemoryContext, (Size) room * BLCKSZ);
	for (page = 0; page < pages; page += room)
	{
		uint32		count = Min(room, pages - page);

		fill_pages(covers, filters, page, count, memory);
		bf_space_append(covers->index, slab->first_page + page, count, memory);
	}
	pfree(memory);
}

/* Forget the row that is being filled, whose filters have become covers, or will not. */
static void
begin_row(BfCovers *covers)
{
	uint32		column;

	for (column = 0; column < covers->columns; column++)
		if (covers->filters[column].file != NULL)
			BufFileClose(covers->filters[column].file);
	memset(covers->filters, 0, sizeof(covers->filters));
	covers->members = 0;
}

static void
end_row(BfCovers *covers)
{
	Size		size = (Size) (covers->count + 1) * covers->columns * sizeof(BfSlab);
	uint32		column;

	covers->slabs = covers->slabs == NULL ? palloc(size) : repalloc(covers->slabs, size);
	for (column = 0; column < covers->columns; column++)
	{
		BfCoverFilters *filters = &covers->filters[column];

		filters->slab.first_heap_page = covers->first_heap_page;
		if (filters->file != NULL)
			append_cover(covers, filters);
		covers->slabs[(Size) covers->count * covers->columns + column] = filters->slab;
	}
	covers->count++;
	covers->covered += covers->members;
	begin_row(covers);
}

/* ---------- groups ---------- */

/* Does a new region begin with the group? */
static bool
begins_region(const BfCovers *covers, const BfSlab *geometry)
{
	return covers->members == BF_SLOTS || (!covers->has_full && geometry->ranges == BF_SLOTS);
}

/* Put the filter of a group behind those of the others. */
static void
write_filter(BfCovers *covers, BfCoverFilters *filters, const BfGathered *gathered, double values)
{
	uint8	   *filter;

	if (filters->file == NULL)
	{
		bf_cover_set_size(&filters->slab, values, bf_cover_rate(covers->region));
		filters->file = BufFileCreateTemp(false);
		filters->first = covers->members;
	}
	filter = MemoryContextAllocExtended(CurrentMemoryContext, filter_bytes(&filters->slab),
										MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	bf_gather_cover(gathered, &filters->slab, filter);
	BufFileWrite(filters->file, filter, filter_bytes(&filters->slab));
	pfree(filter);
}

void
bf_covers_add_group(BfCovers *covers, const BfSlab *geometry, const BfGathered *gathered,
					const double *values)
{
	uint32		column;

	if (covers->members > 0 && begins_region(covers, geometry))
	{
		end_row(covers);
		covers->region++;
	}
	if (!covers->has_full && geometry->ranges == BF_SLOTS)
	{
		covers->has_full = true;
		covers->region = 0;
	}
	if (covers->count == bf_directory_max_covers(covers->columns))
		return;
	if (covers->members == 0)
		covers->first_heap_page = geometry->first_heap_page;
	for (column = 0; column < covers->columns; column++)
		/* an estimate of the values may be 0 though there are some */
		if (gathered[column].count > 0 || covers->filters[column].file != NULL)
			write_filter(covers, &covers->filters[column], &gathered[column], values[column]);
	covers->members++;
}

/* The last row has the last group, which may be taken out (groups.c); then it has others. */
void
bf_covers_end(BfCovers *covers)
{
	if (covers->members > 1 && covers->covered + covers->members >= BF_LEAST_COVERED)
		end_row(covers);
	else
		begin_row(covers);
}
