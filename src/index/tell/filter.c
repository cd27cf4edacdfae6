/*-------------------------------------------------------------------------
 *
 * filter.c
 *		The filter of a table, which its index keeps up, for SQL:
 *		bloom_index_filter and bloom_index_contains.
 *
 * A filter tells of rows, so it is for those who may read them.  What these see
 * by their snapshot is in the filter, because it was read later.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "catalog/partition.h"
#include "catalog/pg_class_d.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "core/combine.h"
#include "index/file/table_hash.h"
#include "index/read/stream.h"
#include "index/tell/open.h"
#include "type/hashing/callsite.h"
#include "type/hashing/compatible.h"
#include "type/memory/flat.h"

BF_SQL_FUNCTION(bloomfilter_index_filter);
BF_SQL_FUNCTION(bloomfilter_index_contains);

/* ---------- who may know ---------- */

static void
check_privileges(Relation heap, Relation index)
{
	Oid			table = RelationGetRelid(heap);
	AttrNumber	column = index->rd_index->indkey.values[0];
	AclResult	result = pg_class_aclcheck(table, GetUserId(), ACL_SELECT);

	/* expressions and predicates may read any column */
	if (result != ACLCHECK_OK && column != 0 &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL))
		result = pg_attribute_aclcheck(table, column, GetUserId(), ACL_SELECT);
	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_TABLE, RelationGetRelationName(heap));
	if (check_enable_rls(table, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("row-level security hides rows of table \"%s\"",
						RelationGetRelationName(heap)),
				 errdetail("The filter of index \"%s\" tells of all rows.",
						   RelationGetRelationName(index))));
}

/* ---------- which filters ---------- */

/* Another index of one partition would not belong to the one that was asked for. */
static const char *
way_out(Relation index)
{
	if (bf_index_scope_asked(index) == BF_SCOPE_TABLE)
		return "Rebuild the index with REINDEX.";
	if (index->rd_rel->relispartition)
		return "Give it scope = 'table' with ALTER INDEX and rebuild it with REINDEX, or create another index of the partitioned table. This one finds the pages of rows.";
	return "Create another index of the column with scope = 'table'. This one finds the pages of rows.";
}

static void
check_index(Relation index)
{
	bf_index_check_readable(index);
	if (index->rd_rel->relkind == RELKIND_PARTITIONED_INDEX || bf_is_table_filter(index))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_WRONG_OBJECT_TYPE),
			 errmsg("index \"%s\" is not one filter of its table", RelationGetRelationName(index)),
			 index->rd_rel->relispartition ?
			 errdetail("It is a partition of index \"%s\".",
					   get_rel_name(get_partition_parent(RelationGetRelid(index), true))) : 0,
			 errhint("%s", way_out(index))));
}

/*
 * The part is used, as by a scan; what the call reads of it counts as read for
 * serializable transactions, too.
 */
static Relation
open_part(Oid part)
{
	Relation	index = index_open(part, AccessShareLock);

	check_index(index);
	pgstat_count_index_scan(index);
	if (ActiveSnapshotSet())
		PredicateLockRelation(index, GetActiveSnapshot());
	/* after the snapshot was taken */
	bf_table_filter(index, true);
	return index;
}

/* Does the filter lack rows that the caller's snapshot may see?  After it was read. */
static bool
is_behind(Relation index)
{
	return ActiveSnapshotSet() && bf_table_is_behind(index, GetActiveSnapshot());
}

/* ---------- bloom_index_filter ---------- */

/* The pages of a filter, in their order. */
typedef struct Pages
{
	BlockNumber next;
	BlockNumber end;
} Pages;

static BlockNumber
next_page(void *state)
{
	Pages	   *pages = state;

	return pages->next < pages->end ? pages->next++ : InvalidBlockNumber;
}

/*
 * Add the bits of a filter to those of others.  Returns false if its pages have been
 * given away.
 */
static bool
read_blocks(Relation index, const BfTableFilter *filter, uint8 *blocks)
{
	const BfSlab *slab = &filter->meta.slab;
	Pages		pages = {slab->first_page, slab->first_page + (BlockNumber) bf_slab_pages(slab)};
	BfStream   *stream = bf_stream_begin(index, next_page, &pages);
	bool		result = true;
	Buffer		buffer;

	while (result && BufferIsValid(buffer = bf_stream_next(stream)))
	{
		CHECK_FOR_INTERRUPTS();
		result = bf_table_read_page(index, buffer, filter, blocks);
		ReleaseBuffer(buffer);
	}
	bf_stream_end(stream);
	return result;
}

/* The index takes text of any bytes, of which a filter must hold only ASCII. */
static void
check_encoding(Relation index, const BfElement *element)
{
	if (GetDatabaseEncoding() == PG_SQL_ASCII &&
		(element->family == BF_FAMILY_TEXT || element->family == BF_FAMILY_BPCHAR))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("filter of index \"%s\" can be used only in the index",
						RelationGetRelationName(index)),
				 errdetail("The database's encoding is SQL_ASCII, and a database with another encoding could hash the same text differently."),
				 errhint("Use bloom_index_contains, or make a filter with bloom_agg, which takes ASCII text.")));
}

/* The newest filter of an index, and the header of its value. */
static BfTableFilter
read_header(BfHeader *header, Relation index)
{
	BfTableHasher *hasher = palloc0(sizeof(BfTableHasher));
	const BfElement *element;
	BfTableFilter filter;

	hasher->mcxt = CurrentMemoryContext;
	/* first, because what is known of the filter may not outlive lookups in catalogs */
	element = bf_table_element(hasher, index);
	check_encoding(index, element);
	filter = *bf_table_filter(index, true);
	bf_table_header(header, &filter, element);
	return filter;
}

static void
require_not_behind(Relation index)
{
	if (is_behind(index))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" was built after this transaction began to read",
						RelationGetRelationName(index)),
				 errhint("Ask again in a new transaction.")));
}

/* A union of filters. */
typedef struct Union
{
	struct varlena *result;		/* NULL: of none yet */
	BfHeader	header;
	uint8_t    *blocks;
} Union;

static void
begin_union(Union *all, const BfHeader *header)
{
	if (all->result != NULL)
		pfree(all->result);
	all->header = *header;
	all->result = bf_flat_create(header, &all->blocks);
	memset(all->blocks, 0, bf_data_length(header));
}

static void
add_part(Union *all, Relation index)
{
	bool		is_first = all->result == NULL;
	BfTableFilter filter;
	BfHeader	header;

	do
	{
		filter = read_header(&header, index);
		/* also again, if it was made anew in another size */
		if (is_first)
			begin_union(all, &header);
		/* each partition is made for its own rows, unless there is expected_items */
		bf_require_combinable_hinting(&all->header, &header,
									  "Give the indexes of all partitions the same expected_items, and rebuild them with REINDEX.");
	} while (!read_blocks(index, &filter, all->blocks));
	require_not_behind(index);
	bf_combine_headers(&all->header, &header);
}

/* The union of the filters of all parts. */
static struct varlena *
unite_parts(const List *parts)
{
	Union		all = {0};
	ListCell   *cell;

	foreach(cell, parts)
	{
		Relation	index = open_part(lfirst_oid(cell));

		add_part(&all, index);
		index_close(index, AccessShareLock);
	}
	if (all.result != NULL)
		bf_header_write(&all.header, (uint8_t *) VARDATA(all.result));
	return all.result;
}

Datum
bloomfilter_index_filter(PG_FUNCTION_ARGS)
{
	Relation	heap;
	Relation	index = bf_index_open_any(PG_GETARG_OID(0), &heap);
	struct varlena *result;

	check_privileges(heap, index);
	check_index(index);
	result = unite_parts(bf_index_parts(heap, index, true));
	bf_index_close(index, heap);
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(result);
}

/* ---------- bloom_index_contains ---------- */

/*
 * Raises the error for a value of another type than the column's; of types with
 * hash functions of their own, only after looking closely.
 */
static void
require_accepts(Relation index, const BfElement *element)
{
	BfTableHasher hasher = {.mcxt = CurrentMemoryContext};
	const BfElement *column;
	BfHeader	header;

	if (element->family == bf_table_filter(index, false)->meta.family &&
		element->family != BF_FAMILY_OWN)
		return;
	column = bf_table_element(&hasher, index);
	bf_table_header(&header, bf_table_filter(index, false), column);
	bf_require_accepts(&header, element);
}

static bool
part_contains(Oid part, const BfElement *element, Datum value)
{
	Relation	index = open_part(part);
	uint64		hash;
	bool		result;

	require_accepts(index, element);
	hash = bf_hash_value(element, bf_table_filter(index, false)->meta.family == BF_FAMILY_BPCHAR, value, 0);
	result = bf_table_contains(index, hash);
	result = is_behind(index) || result;
	index_close(index, AccessShareLock);
	return result;
}

Datum
bloomfilter_index_contains(PG_FUNCTION_ARGS)
{
	BfElement  *element = bf_call_site_of_value(fcinfo, 1, sizeof(BfElement));
	Relation	heap;
	Relation	index = bf_index_open_any(PG_GETARG_OID(0), &heap);
	bool		result = false;
	ListCell   *cell;

	check_privileges(heap, index);
	check_index(index);
	bf_element_keep_bytes(element);
	foreach(cell, bf_index_parts(heap, index, true))
		result = part_contains(lfirst_oid(cell), element, PG_GETARG_DATUM(1)) || result;
	bf_index_close(index, heap);
	PG_RETURN_BOOL(result);
}
