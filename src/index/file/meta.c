/*-------------------------------------------------------------------------
 *
 * meta.c
 *		The metapage of a filter index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"

#include "index/file/meta.h"

void
bf_meta_init(Page page, Relation index)
{
	BfMeta	   *meta;

	bf_page_init(page, BF_METAPAGE, BF_PAGE_META, 0);
	meta = BF_PAGE_META(page);
	memset(meta, 0, offsetof(BfMeta, directory));
	meta->magic = BF_INDEX_MAGIC;
	meta->version = BF_INDEX_VERSION;
	meta->columns = RelationGetNumberOfAttributes(index);
	meta->successors[BF_GROUP_ROW].row = BF_NO_GROUP;
	meta->successors[BF_COVER_ROW].row = BF_NO_GROUP;
	((PageHeader) page)->pd_lower = (char *) meta->directory - (char *) page;
}

static void
check_remade_row(Relation index, const BfSuccessors *successors, uint32 rows)
{
	if (successors->row != BF_NO_GROUP && successors->row >= rows)
		bf_page_damaged(index, BF_METAPAGE, "What is made anew is not in the directory.");
}

static void
check_meta(Relation index, const BfMeta *meta)
{
	bf_page_check_format(index, meta->magic, meta->version);
	if (meta->columns != (uint32) RelationGetNumberOfAttributes(index))
		bf_page_damaged(index, BF_METAPAGE,
						psprintf("The metapage has %u columns, the index %d.", meta->columns,
								 RelationGetNumberOfAttributes(index)));
	check_remade_row(index, &meta->successors[BF_GROUP_ROW], meta->groups);
	/* or the next one that there will be */
	check_remade_row(index, &meta->successors[BF_COVER_ROW], meta->covers + 1);
	if (meta->covers > meta->covered || meta->covered > meta->groups ||
		(meta->covers == 0 && meta->covered > 0))
		bf_page_damaged(index, BF_METAPAGE, "There are covers of groups that are not in the directory.");
}

Buffer
bf_meta_read(Relation index, int lock)
{
	Buffer		buffer = bf_page_read(index, BF_METAPAGE, BF_PAGE_META, 0, lock);

	check_meta(index, BF_PAGE_META(BufferGetPage(buffer)));
	return buffer;
}

bool
bf_meta_is_current(Relation index, uint32 generation)
{
	Buffer		buffer = ReadBuffer(index, BF_METAPAGE);
	Page		page = BufferGetPage(buffer);
	bool		result;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (bf_page_is_of_kind(page, BF_PAGE_TABLE_META))
		result = BF_TABLE_META(page)->generation == generation;
	else
	{
		bf_page_check(index, buffer, BF_PAGE_META, 0);
		check_meta(index, BF_PAGE_META(page));
		result = BF_PAGE_META(page)->generation == generation;
	}
	UnlockReleaseBuffer(buffer);
	return result;
}

void
bf_meta_set_standby_horizon(Relation index, FullTransactionId horizon)
{
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog = GenericXLogStart(index);
	BfMeta	   *meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0));

	meta->standby_horizon = horizon;
	meta->generation++;
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
}
