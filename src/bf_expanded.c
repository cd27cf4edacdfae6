/*-------------------------------------------------------------------------
 *
 * bf_expanded.c
 *		A filter in memory, to be added to: an expanded object.
 *
 * The object and all it holds live in one memory context of their own, which
 * is a child of the aggregate's context where it is a transition state: so
 * hash aggregation sees how much memory a group takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "bf_expanded.h"

static Size get_flat_size(ExpandedObjectHeader *eohptr);
static void flatten_into(ExpandedObjectHeader *eohptr, void *result, Size allocated_size);

static const ExpandedObjectMethods methods = {
	get_flat_size,
	flatten_into
};

static void
allocate_blocks(BfExpanded *filter)
{
	Size		bytes = (Size) filter->header.blocks * BF_BLOCK_BYTES;

	filter->chunk = MemoryContextAllocExtended(filter->hdr.eoh_context,
											   bytes + BF_BLOCK_BYTES,
											   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	filter->blocks = (uint8_t *) TYPEALIGN(BF_BLOCK_BYTES, filter->chunk);
}

/* Have the object own the name that its header points to. */
static void
own_name(BfExpanded *filter)
{
	char	   *copy;

	if (filter->header.name_len == 0)
		return;
	copy = MemoryContextAlloc(filter->hdr.eoh_context, filter->header.name_len);
	memcpy(copy, filter->header.name, filter->header.name_len);
	filter->header.name = copy;
}

BfExpanded *
bf_expanded_create(const BfHeader *parameters, MemoryContext parent)
{
	MemoryContext mcxt;
	BfExpanded *filter;

	/* small at first: there may be a million groups of a few values each */
	mcxt = AllocSetContextCreate(parent, "bloomfilter", ALLOCSET_SMALL_MINSIZE,
								 ALLOCSET_SMALL_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE);
	filter = MemoryContextAlloc(mcxt, sizeof(BfExpanded));
	EOH_init_header(&filter->hdr, &methods, mcxt);
	filter->magic = BF_EXPANDED_MAGIC;
	filter->npending = 0;
	filter->header = *parameters;
	filter->header.count = 0;
	filter->blocks = NULL;
	own_name(filter);
	if (filter->header.representation == BF_DENSE)
		allocate_blocks(filter);
	else
		bf_hashset_init(&filter->set, mcxt);
	return filter;
}

BfExpanded *
bf_expanded_get(Datum filter)
{
	BfExpanded *expanded = (BfExpanded *) DatumGetEOHP(filter);

	if (expanded->magic != BF_EXPANDED_MAGIC)
		elog(ERROR, "expanded object is no bloomfilter");
	return expanded;
}

static inline uint8_t *
block_of(BfExpanded *filter, uint64_t hash)
{
	return filter->blocks + bf_block_offset(hash, filter->header.blocks);
}

/*
 * Turn the list into blocks.  It is read in order, so that the blocks are
 * written in order too.
 */
static void
densify(BfExpanded *filter)
{
	allocate_blocks(filter);
	BF_HASHSET_FOREACH(&filter->set, hash,
					   bf_block_add(block_of(filter, hash), hash, filter->header.hashes));
	bf_hashset_free(&filter->set);
	filter->header.representation = BF_DENSE;
	filter->header.count = 0;
}

static void
add_to_blocks(BfExpanded *filter, const uint64_t *hashes, int n)
{
	int			i;

	for (i = 0; i < n; i++)
		BF_PREFETCH(block_of(filter, hashes[i]));
	for (i = 0; i < n; i++)
		bf_block_add(block_of(filter, hashes[i]), hashes[i], filter->header.hashes);
}

static void
add_to_list(BfExpanded *filter, const uint64_t *hashes, int n)
{
	bf_hashset_insert(&filter->set, hashes, n);
	filter->header.count = bf_hashset_count(&filter->set);

	if (filter->header.representation == BF_SPARSE)
	{
		if (filter->header.count > filter->header.blocks)
			densify(filter);
	}
	else if (filter->header.count > (uint64_t) bf_max_exact_hashes)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("more than %d distinct values in a bloomfilter without expected_items",
						bf_max_exact_hashes),
				 errdetail("Until their number is known, a hash of each is kept in memory."),
				 errhint("Give expected_items, or raise bloomfilter.max_exact_hashes.")));
}

static void
add_hashes(BfExpanded *filter, const uint64_t *hashes, int n)
{
	if (filter->header.representation == BF_DENSE)
		add_to_blocks(filter, hashes, n);
	else
		add_to_list(filter, hashes, n);
}

void
bf_expanded_flush(BfExpanded *filter)
{
	/* adding twice does no harm, so after an error the rest just waits */
	add_hashes(filter, filter->pending, filter->npending);
	filter->npending = 0;
}

void
bf_expanded_accept(BfExpanded *filter, const BfElement *element)
{
	bf_require_accepts(&filter->header, element);
	if (filter->header.family != BF_FAMILY_NONE)
		return;
	filter->header.name = element->name;
	filter->header.name_len = element->name_len;
	own_name(filter);
	filter->header.environment = element->environment;
	filter->header.family = element->family;
}

/* Take over what a combination takes from the other filter's header. */
static void
combine_header(BfExpanded *filter, const BfView *other)
{
	bool		had_family = filter->header.family != BF_FAMILY_NONE;

	bf_expanded_flush(filter);
	bf_require_combinable(&filter->header, &other->header);
	bf_combine_headers(&filter->header, &other->header);
	if (!had_family)
		own_name(filter);
}

/* Add a list of hashes that is not in our byte order or alignment. */
static void
add_list(BfExpanded *filter, const uint8_t *list, uint64_t count)
{
	uint64_t	batch[BF_PENDING];
	uint64_t	done = 0;

	while (done < count)
	{
		int			n = (int) Min(count - done, BF_PENDING);
		int			i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
			batch[i] = bf_load_u64(list + 8 * (done + i));
		add_hashes(filter, batch, n);
		done += n;
	}
}

BfExpanded *
bf_expanded_copy(Datum filter, MemoryContext parent)
{
	BfView		view;
	BfExpanded *copy;

	bf_view_open(&view, filter);
	copy = bf_expanded_create(&view.header, parent);
	if (view.header.representation == BF_DENSE)
		memcpy(copy->blocks, view.data, bf_data_length(&view.header));
	else
	{
		bf_hashset_reserve(&copy->set, view.header.count);
		add_list(copy, view.data, view.header.count);
	}
	bf_view_close(&view);
	return copy;
}

BfExpanded *
bf_expanded_writable(Datum filter, MemoryContext parent)
{
	if (VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(filter)))
		return bf_expanded_get(filter);
	return bf_expanded_copy(filter, parent);
}

void
bf_expanded_union(BfExpanded *filter, const BfView *other)
{
	BfBlockScan scan;
	uint32_t	block;

	combine_header(filter, other);
	if (other->header.representation != BF_DENSE)
	{
		add_list(filter, other->data, other->header.count);
		return;
	}

	if (filter->header.representation != BF_DENSE)
		densify(filter);
	bf_block_scan_begin(&scan, other);
	for (block = 0; block < filter->header.blocks; block++)
	{
		const uint8_t *theirs = bf_block_scan_next(&scan);
		uint8_t    *ours = filter->blocks + (size_t) block * BF_BLOCK_BYTES;
		int			word;

		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			bf_store_u64(ours + word, bf_load_u64(ours + word) | bf_load_u64(theirs + word));
	}
}

/* Keep only those hashes of our list that the other filter contains. */
static void
intersect_list(BfExpanded *filter, const BfView *other)
{
	BfHashSet	old = filter->set;

	bf_hashset_init(&filter->set, old.mcxt);
	BF_HASHSET_FOREACH(&old, hash,
					   if (bf_view_contains(other, hash))
					   bf_hashset_insert(&filter->set, &hash, 1));
	filter->header.count = bf_hashset_count(&filter->set);
	bf_hashset_free(&old);
}

/* Replace our blocks by those hashes of the other's list that are in them. */
static void
intersect_with_list(BfExpanded *filter, const BfView *other)
{
	BfHashSet	set;
	uint64_t	i;

	bf_hashset_init(&set, filter->hdr.eoh_context);
	for (i = 0; i < other->header.count; i++)
	{
		uint64_t	hash = bf_load_u64(other->data + 8 * i);

		if (bf_block_contains(block_of(filter, hash), hash, filter->header.hashes))
			bf_hashset_insert(&set, &hash, 1);
	}
	pfree(filter->chunk);
	filter->blocks = NULL;
	filter->set = set;
	filter->header.representation = BF_SPARSE;
	filter->header.count = bf_hashset_count(&set);
}

void
bf_expanded_intersect(BfExpanded *filter, const BfView *other)
{
	BfBlockScan scan;
	uint32_t	block;

	combine_header(filter, other);
	if (filter->header.representation != BF_DENSE)
	{
		intersect_list(filter, other);
		return;
	}
	if (other->header.representation != BF_DENSE)
	{
		intersect_with_list(filter, other);
		return;
	}

	bf_block_scan_begin(&scan, other);
	for (block = 0; block < filter->header.blocks; block++)
	{
		const uint8_t *theirs = bf_block_scan_next(&scan);
		uint8_t    *ours = filter->blocks + (size_t) block * BF_BLOCK_BYTES;
		int			word;

		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			bf_store_u64(ours + word, bf_load_u64(ours + word) & bf_load_u64(theirs + word));
	}
}

static Size
get_flat_size(ExpandedObjectHeader *eohptr)
{
	BfExpanded *filter = (BfExpanded *) eohptr;

	bf_expanded_flush(filter);
	return bf_flat_size(&filter->header);
}

static void
flatten_into(ExpandedObjectHeader *eohptr, void *result, Size allocated_size)
{
	BfExpanded *filter = (BfExpanded *) eohptr;
	uint8_t    *payload = (uint8_t *) VARDATA(result);
	uint8_t    *data = payload + bf_header_length(&filter->header);

	Assert(filter->npending == 0);
	Assert(allocated_size == bf_flat_size(&filter->header));
	SET_VARSIZE(result, allocated_size);
	bf_header_write(&filter->header, payload);
	if (filter->header.representation == BF_DENSE)
		memcpy(data, filter->blocks, bf_data_length(&filter->header));
	else
		bf_hashset_read_sorted(&filter->set, data);
}
