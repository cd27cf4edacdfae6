/*-------------------------------------------------------------------------
 *
 * expanded.c
 *		A filter in memory, to be added to: an expanded object.
 *
 * An object consists of a small head and a body, the blocks or the set of
 * hashes.  Hashes that were added lately wait in the head, so that a batch of
 * them can be applied with overlapping cache misses.
 *
 * The states of an aggregate all live in one memory context, a child of the
 * aggregate's: so hash aggregation sees how much memory the groups take, and
 * does not have to visit a context of every group each time it looks.
 *
 * Elsewhere the body has a context of its own, and objects share it.  In
 * PL/pgSQL, f := bloom_add(f, x) hands us a read-only object before version
 * 18, and we must return another one.  That gets a new head on the same body,
 * with the pending hashes copied and one more behind them.  The assignment
 * then frees the old head, and the new one is the body's only owner and may
 * apply what is pending in place: so the cost of a call does not depend on
 * the size of the filter.  A body that really has several owners is copied
 * once there is so much pending that the copy is paid for.
 *
 * A shared body never changes.  From its first sharing on it is a child of
 * TopMemoryContext; each owner's context has a reset callback that lets go of
 * it, and the last one frees it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "settings.h"
#include "type/blocks.h"
#include "type/expanded.h"
#include "type/flat.h"
#include "type/memory.h"

static Size get_flat_size(ExpandedObjectHeader *eohptr);
static void flatten_into(ExpandedObjectHeader *eohptr, void *result, Size allocated_size);

static const ExpandedObjectMethods methods = {
	get_flat_size,
	flatten_into
};

/* ---------- bodies ---------- */

static void
allocate_blocks(BfBody *body, uint32_t nblocks)
{
	body->chunk = bf_allocate_array(body->mcxt, ((Size) nblocks + 1) * BF_BLOCK_BYTES);
	body->blocks = (uint8_t *) TYPEALIGN(BF_BLOCK_BYTES, body->chunk);
}

/* A body without bits or hashes, in its own context or in the one given. */
static BfBody *
create_body(const BfHeader *header, MemoryContext parent, bool own_context)
{
	MemoryContext mcxt = parent;
	BfBody	   *body;

	if (own_context)
		mcxt = AllocSetContextCreate(parent, "bloomfilter body", ALLOCSET_SMALL_MINSIZE,
									 ALLOCSET_SMALL_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE);
	body = MemoryContextAllocZero(mcxt, sizeof(BfBody));
	body->mcxt = mcxt;
	body->references = 1;
	if (header->representation == BF_DENSE)
		allocate_blocks(body, header->blocks);
	else if (header->representation == BF_UNSIZED && !own_context)
		/* an aggregate's state, to be sized in the end */
		bf_hashset_init_gathering(&body->set, mcxt);
	else
		bf_hashset_init(&body->set, mcxt);
	return body;
}

static BfBody *
copy_body(const BfHeader *header, const BfBody *from, MemoryContext parent, bool own_context)
{
	BfBody	   *body = create_body(header, parent, own_context);

	if (header->representation == BF_DENSE)
		memcpy(body->blocks, from->blocks, bf_data_length(header));
	else
		bf_hashset_copy(&body->set, &from->set);
	return body;
}

static inline bool
is_shared(const BfExpanded *filter)
{
	return filter->body->references > 1;
}

/* Reset callback of an owner's context. */
static void
release_body(void *arg)
{
	BfExpanded *filter = arg;

	if (filter->body_is_top_level && --filter->body->references == 0)
		MemoryContextDelete(filter->body->mcxt);
	filter->body_is_top_level = false;
}

/* Prepare the object for letting go of its body, which others may own too. */
static void
own_top_level_body(BfExpanded *filter)
{
	filter->body_is_top_level = true;
	if (filter->release_registered)
		return;
	filter->release.func = release_body;
	filter->release.arg = filter;
	MemoryContextRegisterResetCallback(filter->hdr.eoh_context, &filter->release);
	filter->release_registered = true;
}

void
bf_expanded_unshare(BfExpanded *filter)
{
	BfBody	   *copy;

	if (!is_shared(filter))
		return;
	copy = copy_body(&filter->header, filter->body, filter->hdr.eoh_context, true);
	filter->body->references--;
	filter->body = copy;
	filter->body_is_top_level = false;
}

/* ---------- objects ---------- */

void
bf_expanded_set_header(BfExpanded *filter, BfHeader header)
{
	if (header.name_len > 0)
	{
		char	   *copy = MemoryContextAlloc(filter->hdr.eoh_context, header.name_len);

		memcpy(copy, header.name, header.name_len);
		header.name = copy;
	}
	filter->header = header;
}

/* An object without a body. */
static BfExpanded *
create_head(const BfHeader *parameters, MemoryContext mcxt)
{
	BfExpanded *filter = MemoryContextAlloc(mcxt, sizeof(BfExpanded));

	EOH_init_header(&filter->hdr, &methods, mcxt);
	filter->magic = BF_EXPANDED_MAGIC;
	filter->body = NULL;
	filter->npending = 0;
	filter->max_pending = BF_PENDING;
	filter->pending = filter->pending_space;
	filter->body_is_top_level = false;
	filter->release_registered = false;
	bf_expanded_set_header(filter, *parameters);
	return filter;
}

/*
 * Note where the next hashes' cache lines are.  To be called whenever that
 * may have changed; a stale address is no worse than a wasted prefetch.
 */
static void
aim_prefetch(BfExpanded *filter)
{
	const BfBody *body = filter->body;

	if (filter->header.representation == BF_DENSE)
	{
		filter->prefetch_base = body->blocks;
		filter->prefetch_range = filter->header.blocks;
		filter->prefetch_shift = 6;	/* BF_BLOCK_BYTES */
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
		 * A log needs none, and what a large buffer fetches would be out of
		 * the cache again by the time of the flush.
		 */
		filter->prefetch_base = (uint8_t *) filter->pending;
		filter->prefetch_range = 1;
		filter->prefetch_shift = 0;
	}
}

/* Nothing is pending; the buffer is the small one again. */
static void
drop_pending(BfExpanded *filter)
{
	if (filter->pending != filter->pending_space)
		pfree(filter->pending);
	filter->pending = filter->pending_space;
	filter->max_pending = BF_PENDING;
	filter->npending = 0;
}

/* An object without values. */
static BfExpanded *
create_empty(const BfHeader *parameters, MemoryContext mcxt, bool own_context)
{
	BfExpanded *filter = create_head(parameters, mcxt);

	filter->header.count = 0;
	filter->body = create_body(&filter->header, mcxt, own_context);
	aim_prefetch(filter);
	return filter;
}

/* A context for an object that is no aggregate's state. */
static MemoryContext
create_context(MemoryContext parent)
{
	return AllocSetContextCreate(parent, "bloomfilter", ALLOCSET_SMALL_MINSIZE,
								 ALLOCSET_SMALL_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE);
}

BfExpanded *
bf_state_create(const BfHeader *parameters, MemoryContext states)
{
	return create_empty(parameters, states, false);
}

/* A new head on the body of another object, with the same hashes pending. */
static BfExpanded *
create_sharing(BfExpanded *other, MemoryContext parent)
{
	BfExpanded *filter = create_head(&other->header, create_context(parent));
	int			i;

	MemoryContextSetParent(other->body->mcxt, TopMemoryContext);
	own_top_level_body(other);
	filter->body = other->body;
	filter->body->references++;
	own_top_level_body(filter);
	aim_prefetch(filter);

	for (i = 0; i < other->npending; i++)
		bf_expanded_add(filter, other->pending[i]);
	return filter;
}

void
bf_expanded_densify(BfExpanded *filter)
{
	BfBody	   *body = filter->body;

	allocate_blocks(body, filter->header.blocks);
	bf_blocks_add_set(body->blocks, filter->header.blocks, filter->header.hashes, &body->set);
	bf_hashset_free(&body->set);
	filter->header.representation = BF_DENSE;
	filter->header.count = 0;
}

static void
add_to_list(BfExpanded *filter, const uint64_t *hashes, int n)
{
	bf_hashset_insert(&filter->body->set, hashes, n);
	filter->header.count = bf_hashset_counted(&filter->body->set);

	if (filter->header.representation == BF_SPARSE &&
		filter->header.count > filter->header.blocks)
		bf_expanded_densify(filter);
}

/*
 * Not while hashes are applied, which a mere reader may bring about, but
 * wherever a filter grows or is passed on.
 */
void
bf_expanded_check_limit(const BfExpanded *filter)
{
	if (filter->header.representation == BF_UNSIZED &&
		filter->header.count > (uint64_t) bf_max_exact_hashes)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("more than %d distinct values in a bloomfilter without expected_items",
						bf_max_exact_hashes),
				 errdetail("Until their number is known, a hash of each is kept in memory."),
				 errhint("Give expected_items, or raise bloomfilter.max_exact_hashes.")));
}

/* Add hashes to a body that is not shared. */
static void
add_hashes(BfExpanded *filter, const uint64_t *hashes, int n)
{
	if (filter->header.representation == BF_DENSE)
		bf_blocks_add(filter->body->blocks, filter->header.blocks,
					  filter->header.hashes, hashes, n);
	else
		add_to_list(filter, hashes, n);
}

void
bf_expanded_flush(BfExpanded *filter)
{
	bool		overfull;

	/* where memory ran out in a union, a part of the other's list is in ours */
	if (filter->header.representation != BF_DENSE)
		filter->header.count = bf_hashset_counted(&filter->body->set);
	overfull = filter->header.representation == BF_SPARSE &&
		filter->header.count > filter->header.blocks;
	if (filter->npending == 0 && !overfull)
		return;
	bf_expanded_unshare(filter);
	/* adding twice does no harm, so after an error the rest just waits */
	add_hashes(filter, filter->pending, filter->npending);
	drop_pending(filter);
	aim_prefetch(filter);
}

void
bf_expanded_settle(BfExpanded *filter)
{
	bf_expanded_flush(filter);
	if (filter->header.representation == BF_UNSIZED)
		filter->header.count = bf_hashset_count(&filter->body->set);
}

/*
 * While the body is shared the buffer grows, up to one hash per block, an
 * eighth of the body: then a copy of the body costs no more than adding them.
 */
void
bf_expanded_make_room(BfExpanded *filter)
{
	uint64_t   *larger;

	if (!is_shared(filter) || (uint32_t) filter->max_pending >= filter->header.blocks)
	{
		bf_expanded_flush(filter);
		bf_expanded_check_limit(filter);
		return;
	}
	larger = MemoryContextAlloc(filter->hdr.eoh_context,
								2 * filter->max_pending * sizeof(uint64_t));
	memcpy(larger, filter->pending, filter->npending * sizeof(uint64_t));
	if (filter->pending != filter->pending_space)
		pfree(filter->pending);
	filter->pending = larger;
	filter->max_pending *= 2;
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

void
bf_expanded_add_list(BfExpanded *filter, const uint8_t *list, uint64_t count)
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

/* A copy of a filter that is flat. */
static BfExpanded *
copy_flat(Datum filter, MemoryContext mcxt, bool own_context)
{
	BfHeader	header;
	const uint8_t *data;
	void	   *allocated = bf_flat_open(filter, &header, &data);
	BfExpanded *copy = create_empty(&header, mcxt, own_context);

	if (header.representation == BF_DENSE)
		memcpy(copy->body->blocks, data, bf_data_length(&header));
	else
	{
		bf_hashset_reserve(&copy->body->set, header.count);
		bf_expanded_add_list(copy, data, header.count);
		aim_prefetch(copy);
	}
	if (allocated != NULL)
		pfree(allocated);
	return copy;
}

static BfExpanded *
copy_expanded(BfExpanded *filter, MemoryContext mcxt, bool own_context)
{
	BfExpanded *copy;

	bf_expanded_flush(filter);
	copy = create_head(&filter->header, mcxt);
	copy->body = copy_body(&filter->header, filter->body, mcxt, own_context);
	aim_prefetch(copy);
	return copy;
}

static BfExpanded *
create_copy(Datum filter, MemoryContext mcxt, bool own_context)
{
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return copy_expanded(bf_expanded_get(filter), mcxt, own_context);
	return copy_flat(filter, mcxt, own_context);
}

BfExpanded *
bf_state_copy(Datum filter, MemoryContext states)
{
	return create_copy(filter, states, false);
}

BfExpanded *
bf_state_writable(Datum filter, MemoryContext states)
{
	if (VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(filter)))
		return bf_expanded_get(filter);
	return bf_state_copy(filter, states);
}

/*
 * May so many pending hashes be copied from head to head?  With four times
 * the square root of the number of blocks, all copies together move as many
 * bytes as one copy of the body does; then it is time for that.
 */
static bool
has_many_pending(const BfExpanded *filter)
{
	return (uint64_t) filter->npending * filter->npending >
		16 * (uint64_t) filter->header.blocks;
}

BfExpanded *
bf_expanded_writable(Datum filter, MemoryContext parent)
{
	BfExpanded *other;

	if (VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(filter)))
		return bf_expanded_get(filter);
	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return create_copy(filter, create_context(parent), true);

	other = bf_expanded_get(filter);
	/* an aggregate's state has no body that could be shared */
	if (other->body->mcxt == other->hdr.eoh_context)
		return create_copy(filter, create_context(parent), true);
	if (!is_shared(other) || has_many_pending(other))
		bf_expanded_flush(other);
	return create_sharing(other, parent);
}

Datum
bf_expanded_unchanged(Datum filter, MemoryContext parent)
{
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return EOHPGetRWDatum(&bf_expanded_writable(filter, parent)->hdr);
	return filter;
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
		bf_hashset_read_sorted(&filter->body->set, data);
}
