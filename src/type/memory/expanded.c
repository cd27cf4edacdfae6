/*-------------------------------------------------------------------------
 *
 * expanded.c
 *		A filter in memory, to which values can be added: an expanded object.
 *
 * An object consists of a small head and a body, which is the blocks or the
 * set of hashes.  Hashes that were recently added, or removed from a counting
 * filter, are pending in the head, so that a batch of them can be applied with
 * overlapping cache misses.
 *
 * All states of an aggregate are in one memory context, a child of the
 * aggregate's.  So hash aggregation knows how much memory the groups use
 * without visiting a context of every group each time.  SQL functions change
 * states in place, but no other objects.
 *
 * The value of any other object never changes: the server shows the same
 * object, even by a read-write pointer, to several readers (the slots of a
 * ProjectSet, the parameters of EXECUTE).  So a function that adds to an
 * object must return another object.  To be cheap, that is a new head on the
 * same body, with the pending hashes copied and the new ones after them.
 * After f := bloom_add(f, x) PL/pgSQL frees the old head.  The new head is
 * then the only owner of the body, and may apply the pending hashes in place,
 * since no other object can see that.  So the cost of a call does not depend
 * on the size of the filter.  A body with several owners never changes; it is
 * copied once so many hashes are pending that the copy costs no more than they
 * did.
 *
 * lifetime.c describes when heads and bodies are freed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "settings.h"
#include "type/memory/arrays.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/memory/lifetime.h"

static Size get_flat_size(ExpandedObjectHeader *eohptr);
static void flatten_into(ExpandedObjectHeader *eohptr, void *result, Size allocated_size);

static const ExpandedObjectMethods methods = {
	get_flat_size,
	flatten_into
};

static const BfTypeMethods *type_methods[BF_COUNTING + 1];

int
bf_expanded_count_in_list(const BfExpanded *filter, uint64_t hash)
{
	return filter->type_methods->count_in_list(filter->body, hash);
}

void
bf_expanded_write_list(const BfExpanded *filter, uint8_t *list)
{
	/*
	 * The current context may be of a kind in which nothing can be freed: from
	 * 17 on, the server forms tuples for a sort in such a context.
	 */
	MemoryContext old_context = MemoryContextSwitchTo(filter->body->mcxt);

	filter->type_methods->write_list(filter->body, list);
	MemoryContextSwitchTo(old_context);
}

/* ---------- bodies ---------- */

/* Allocate the blocks of a body, not initialized. */
static void
allocate_blocks(const BfExpanded *filter, BfBody *body)
{
	const BfHeader *header = &filter->header;
	Size		bytes = (Size) header->blocks * bf_block_bytes(header->type);

	body->chunk = bf_allocate_unset_array(body->mcxt, bytes + BF_BLOCK_BYTES);
	body->blocks = (uint8_t *) TYPEALIGN(BF_BLOCK_BYTES, body->chunk);
}

/* A copy of another body. */
static BfBody *
copy_body(const BfExpanded *filter, const BfBody *from)
{
	BfBody	   *body = bf_body_create(filter);

	if (filter->header.representation == BF_DENSE)
	{
		allocate_blocks(filter, body);
		memcpy(body->blocks, from->blocks, bf_data_length(&filter->header));
	}
	else
	{
		filter->type_methods->init_list(filter, body);
		filter->type_methods->copy_list(body, from);
	}
	return body;
}

void
bf_expanded_unshare(BfExpanded *filter)
{
	if (bf_is_shared(filter))
		bf_body_own(filter, copy_body(filter, filter->body));
}

/* ---------- heads ---------- */

void
bf_expanded_set_header(BfExpanded *filter, BfHeader header)
{
	if (header.name_len > 0)
	{
		char	   *copy = MemoryContextAlloc(filter->mcxt, header.name_len);

		/* a filter that already has a name keeps it */
		Assert(filter->header.name_len == 0);
		memcpy(copy, header.name, header.name_len);
		header.name = copy;
	}
	filter->header = header;
}

void
bf_expanded_aim_prefetch(BfExpanded *filter)
{
	const BfBody *body = filter->body;

	if (filter->header.representation == BF_DENSE)
	{
		filter->prefetch_base = body->blocks;
		filter->prefetch_range = filter->header.blocks;
		/* BF_COUNTER_BLOCK_BYTES, BF_BLOCK_BYTES */
		filter->prefetch_shift = filter->header.type == BF_COUNTING ? 8 : 6;
	}
	else if (filter->max_pending == BF_PENDING && body->set.slots != NULL)
	{
		filter->prefetch_base = (uint8_t *) body->set.slots;
		filter->prefetch_range = body->set.nhomes;
		filter->prefetch_shift = 3;
	}
	else
	{
		/*
		 * A log needs no prefetch, and cache lines that are prefetched for a
		 * large buffer would be evicted before the flush.
		 */
		filter->prefetch_base = (uint8_t *) filter->pending;
		filter->prefetch_range = 1;
		filter->prefetch_shift = 0;
	}
}

/*
 * Resize the buffer of pending changes to so many words; the changes are kept.
 */
static void
resize_pending(BfExpanded *filter, int wanted)
{
	uint64_t   *pending = filter->pending_space;

	Assert(wanted >= BF_PENDING && wanted >= filter->npending);
	if (wanted == filter->max_pending)
		return;
	if (wanted > BF_PENDING)
		pending = MemoryContextAllocHuge(filter->mcxt, wanted * sizeof(uint64_t));
	memcpy(pending, filter->pending, filter->npending * sizeof(uint64_t));
	if (filter->pending != filter->pending_space)
		pfree(filter->pending);
	filter->pending = pending;
	filter->max_pending = wanted;
}

/* A new object, without a body. */
static BfExpanded *
create_object(const BfHeader *header)
{
	BfExpanded *filter = bf_object_create(header->type, type_methods[header->type]);

	bf_expanded_set_header(filter, *header);
	return filter;
}

/* A state, without a body. */
static BfExpanded *
create_state(const BfHeader *header, MemoryContext states)
{
	BfExpanded *filter = bf_object_create_state(header->type, type_methods[header->type], states);

	bf_expanded_set_header(filter, *header);
	return filter;
}

/* Give the filter the body of an empty list. */
static void
make_empty(BfExpanded *filter)
{
	Assert(filter->header.representation != BF_DENSE);
	bf_body_own(filter, bf_body_create(filter));
	filter->type_methods->init_list(filter, filter->body);
	filter->header.count = 0;
	bf_expanded_aim_prefetch(filter);
}

BfExpanded *
bf_state_create(const BfHeader *parameters, MemoryContext states)
{
	BfExpanded *filter = create_state(parameters, states);

	make_empty(filter);
	return filter;
}

/* A new head on the body of another object, with the same changes pending. */
static BfExpanded *
create_sharing(const BfExpanded *other)
{
	BfExpanded *filter = create_object(&other->header);

	Assert(!bf_is_state(other) && other->napplied == 0);
	bf_body_own(filter, other->body);
	bf_expanded_aim_prefetch(filter);

	if (other->npending > filter->max_pending)
		resize_pending(filter, 2 * other->npending);
	memcpy(filter->pending, other->pending, other->npending * sizeof(uint64_t));
	filter->npending = other->npending;
	return filter;
}

void
bf_expanded_begin_blocks(BfExpanded *filter)
{
	BfBody	   *body = filter->body;

	Assert(!bf_is_shared(filter));
	/* left by an attempt that raised an error */
	if (body->chunk != NULL)
		pfree(body->chunk);
	body->chunk = NULL;
	allocate_blocks(filter, body);
	memset(body->blocks, 0, (Size) filter->header.blocks * bf_block_bytes(filter->header.type));
}

void
bf_expanded_end_blocks(BfExpanded *filter)
{
	filter->type_methods->free_list(filter->body);
	filter->header.representation = BF_DENSE;
	filter->header.count = 0;
}

/*
 * The limit is not checked when hashes are applied, because mere readers may
 * apply them, but when a filter grows or is passed on.  Hashes are counted
 * exactly only when they are applied, which is not necessary far below the
 * limit.
 */
void
bf_expanded_check_limit(BfExpanded *filter)
{
	if (filter->header.representation != BF_UNSIZED ||
		filter->header.count + filter->npending <= (uint64_t) bf_max_exact_hashes)
		return;
	bf_expanded_flush(filter);
	if (filter->header.count <= (uint64_t) bf_max_exact_hashes)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("more than %d distinct values in a bloomfilter without expected_items",
					bf_max_exact_hashes),
			 errdetail("A hash of each value is kept in memory until the number of values is known."),
			 errhint("Give expected_items, or raise bloomfilter.max_exact_hashes. A million values take 8 to 18 MB of memory.")));
}

/* ---------- changes ---------- */

void
bf_expanded_flush(BfExpanded *filter)
{
	if (filter->npending == 0)
		return;
	bf_expanded_unshare(filter);
	filter->type_methods->apply(filter);
	filter->npending = 0;
	filter->napplied = 0;
	resize_pending(filter, BF_PENDING);
	bf_expanded_aim_prefetch(filter);
}

void
bf_expanded_settle(BfExpanded *filter)
{
	bf_expanded_flush(filter);
	if (filter->header.representation == BF_UNSIZED)
		filter->header.count = bf_hashset_count(&filter->body->set);
}

/* The number of cache lines that a copy of the body moves. */
static uint64_t
body_lines(const BfExpanded *filter)
{
	if (filter->header.representation == BF_DENSE)
		return bf_data_length(&filter->header) / BF_BLOCK_BYTES;
	return filter->type_methods->list_bytes(filter->body) / BF_BLOCK_BYTES;
}

/*
 * Flush.  While the body is shared the buffer grows instead, up to one word
 * per cache line, an eighth of the body: a copy of the body then costs no more
 * than adding the pending hashes.
 */
void
bf_expanded_make_room(BfExpanded *filter)
{
	if (bf_is_shared(filter) && (uint64_t) filter->max_pending < body_lines(filter))
	{
		resize_pending(filter, 2 * filter->max_pending);
		return;
	}
	bf_expanded_flush(filter);
	bf_expanded_check_limit(filter);
}

void
bf_expanded_adopt(BfExpanded *filter, const BfElement *element)
{
	BfHeader	header = filter->header;

	header.name = element->name;
	header.name_len = element->name_len;
	header.environment = element->environment;
	header.family = element->family;
	bf_expanded_set_header(filter, header);
}

/* ---------- copies ---------- */

/* A new object, or a state if a context for states is given. */
static BfExpanded *
create(const BfHeader *header, MemoryContext states)
{
	return states != NULL ? create_state(header, states) : create_object(header);
}

static BfExpanded *
copy_flat(BfFilterType type, Datum filter, MemoryContext states)
{
	BfHeader	header;
	const uint8_t *data;
	void	   *allocated = bf_flat_open(type, filter, &header, &data);
	BfExpanded *copy = create(&header, states);

	if (header.representation == BF_DENSE)
	{
		bf_body_own(copy, bf_body_create(copy));
		allocate_blocks(copy, copy->body);
		memcpy(copy->body->blocks, data, bf_data_length(&header));
	}
	else
	{
		make_empty(copy);
		copy->type_methods->read_list(copy, data, header.count);
	}
	bf_expanded_aim_prefetch(copy);
	if (allocated != NULL)
		pfree(allocated);
	return copy;
}

static BfExpanded *
copy_expanded(BfExpanded *filter, MemoryContext states)
{
	BfExpanded *copy;

	bf_expanded_flush(filter);
	copy = create(&filter->header, states);
	bf_body_own(copy, copy_body(copy, filter->body));
	bf_expanded_aim_prefetch(copy);
	return copy;
}

BfExpanded *
bf_state_copy(BfFilterType type, Datum filter, MemoryContext states)
{
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return copy_expanded(bf_expanded_get(type, filter), states);
	return copy_flat(type, filter, states);
}

/*
 * Are so many hashes pending that the body should be copied, rather than the
 * hashes from head to head?  At four times the square root of the number of
 * cache lines, all copies of hashes together have moved as many bytes as one
 * copy of the body does.
 */
static bool
has_many_pending(const BfExpanded *filter)
{
	return (uint64_t) filter->npending * filter->npending > 16 * body_lines(filter);
}

BfExpanded *
bf_expanded_derive(BfFilterType type, Datum filter)
{
	BfExpanded *other;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return copy_flat(type, filter, NULL);

	other = bf_expanded_get(type, filter);
	if (bf_is_state(other))
		return copy_expanded(other, NULL);
	if (!bf_is_shared(other) || has_many_pending(other))
		bf_expanded_flush(other);
	return create_sharing(other);
}

/* ---------- methods of the object ---------- */

static Size
get_flat_size(ExpandedObjectHeader *eohptr)
{
	BfExpanded *filter = (BfExpanded *) eohptr;

	bf_expanded_settle(filter);
	bf_expanded_check_limit(filter);
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
		memcpy(data, filter->body->blocks, bf_data_length(&filter->header));
	else
		bf_expanded_write_list(filter, data);
}

/* ---------- loading ---------- */

void
bf_expanded_set_methods(BfFilterType type, const BfTypeMethods *of_type)
{
	type_methods[type] = of_type;
}

void
bf_expanded_init(void)
{
	bf_lifetime_init(&methods);
}
