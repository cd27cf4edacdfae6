/*-------------------------------------------------------------------------
 *
 * page.c
 *		The pages of a filter index: their kinds, their layout, and how a
 *		damaged page is told.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "index/file/page.h"

StaticAssertDecl(MAXALIGN(SizeOfPageHeaderData) <= BF_FIRST_SLOT &&
				 BF_FIRST_SLOT + BF_SLOTS * BF_BLOCK_BYTES <= BLCKSZ - MAXALIGN(sizeof(BfPageTail)),
				 "slots do not fit between header and tail");

void
bf_page_init(Page page, BlockNumber block, BfPageKind kind, uint32 slab)
{
	BfPageTail *tail;

	PageInit(page, BLCKSZ, sizeof(BfPageTail));
	tail = (BfPageTail *) PageGetSpecialPointer(page);
	tail->block = block;
	tail->slab = slab;
	tail->kind = kind;
	tail->page_id = BF_PAGE_ID;
	if (kind == BF_PAGE_SLAB)
		((PageHeader) page)->pd_lower = BF_FIRST_SLOT;
}

void
bf_page_damaged(Relation index, BlockNumber block, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("page %u of index \"%s\" is damaged", block, RelationGetRelationName(index)),
			 errdetail_internal("%s", detail),
			 errhint("Rebuild the index with REINDEX.")));
}

void
bf_page_check_format(Relation index, uint32 magic, uint32 version)
{
	if (magic != BF_INDEX_MAGIC)
		bf_page_damaged(index, BF_METAPAGE, "It is not the metapage of a filter index.");
	if (version != BF_INDEX_VERSION)
		bf_page_damaged(index, BF_METAPAGE,
						psprintf("The index has format version %u; this version of the extension "
								 "reads version %u.", version, BF_INDEX_VERSION));
}

void
bf_page_check(Relation index, Buffer buffer, BfPageKind kind, uint32 slab)
{
	Page		page = BufferGetPage(buffer);
	BlockNumber block = BufferGetBlockNumber(buffer);
	const BfPageTail *tail;

	if (PageIsNew(page))
		bf_page_damaged(index, block, "The page is empty.");
	if (!bf_page_has_header(page))
		bf_page_damaged(index, block, "The page header is not that of a filter index.");
	tail = (const BfPageTail *) PageGetSpecialPointer(page);
	if (tail->page_id != BF_PAGE_ID || tail->kind != kind)
		bf_page_damaged(index, block,
						psprintf("The page is of kind %u, not %u.", tail->kind, (unsigned) kind));
	if (tail->block != block)
		bf_page_damaged(index, block, psprintf("The page was page %u.", tail->block));
	if (tail->slab != slab)
		bf_page_damaged(index, block,
						psprintf("The page belongs to slab %u, not to slab %u.", tail->slab, slab));
	if (kind == BF_PAGE_SLAB && !bf_page_has_slots(page))
		bf_page_damaged(index, block, "The page header is not that of a slab.");
}

Buffer
bf_page_read(Relation index, BlockNumber block, BfPageKind kind, uint32 slab, int lock)
{
	Buffer		buffer = ReadBuffer(index, block);

	LockBuffer(buffer, lock);
	bf_page_check(index, buffer, kind, slab);
	return buffer;
}
