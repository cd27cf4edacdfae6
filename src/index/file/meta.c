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
	meta->rebuilt_group = BF_NO_GROUP;
	((PageHeader) page)->pd_lower = (char *) meta->directory - (char *) page;
}

static void
check_meta(Relation index, const BfMeta *meta)
{
	bf_page_check_format(index, meta->magic, meta->version);
	if (meta->columns != (uint32) RelationGetNumberOfAttributes(index))
		bf_page_damaged(index, BF_METAPAGE,
						psprintf("The metapage has %u columns, the index %d.", meta->columns,
								 RelationGetNumberOfAttributes(index)));
	if (meta->rebuilt_group != BF_NO_GROUP && meta->rebuilt_group >= meta->groups)
		bf_page_damaged(index, BF_METAPAGE, "The group that is rebuilt is not in the directory.");
}

Buffer
bf_meta_read(Relation index, int lock)
{
	Buffer		buffer = bf_page_read(index, BF_METAPAGE, BF_PAGE_META, 0, lock);

	check_meta(index, BF_PAGE_META(BufferGetPage(buffer)));
	return buffer;
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
