/*-------------------------------------------------------------------------
 *
 * expanded.c
 *		A filter in memory, to be added to: an expanded object.
 *
 * An object consists of a small head and a body, the blocks or the set of
 * hashes.  Hashes that were added lately, or removed from a counting filter,
 * wait in the head, so that a batch of them can be applied with overlapping
 * cache misses.
 *
 * The states of an aggregate all live in one memory context, a child of the
 * aggregate's: so hash aggregation sees how much memory the groups take, and
 * does not have to visit a context of every group each time it looks.  Only
 * they are ever changed by SQL functions.
 *
 * Any other object is what it was made to be, for as long as it exists: the
 * server shows the same one, even by a read-write pointer, to several readers
 * (the slots of a ProjectSet, the parameters of EXECUTE).  So a function that
 * adds to it must return another one.  To be cheap, that is a new head on the
 * same body, with the pending hashes copied and the new ones behind them.
 * After f := bloom_add(f, x) PL/pgSQL frees the old head, and the new one is
 * the body's only owner and may apply what is pending in place, which nobody
 * sees: so the cost of a call does not depend on the size of the filter.  A
 * body that has several owners never changes; it is copied once there is so
 * much pending that the copy is paid for.
 *
 * Nor does an object go away under a reader's eyes.  PL/pgSQL takes over what
 * a read-write pointer leads to, by moving its context, and deletes it with
 * the variable, while that pointer may still be in a slot (from 18 on; up to
 * 17 it does so with arrays, and with what it returns).  So there is nothing
 * in the context that can be moved: heads and bodies live in a context of their
 * own, for as long as that one exists, or the object's home, after whose end no
 * slot holds it: the context that was current when the object was made, or, if
 * that ended while the object was elsewhere, as what a function made ends with
 * the function that returned it, the one where the object was then.
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

/* So the server keeps contexts that held little for the next use. */
#define SMALL_CONTEXT_SIZES \
	ALLOCSET_SMALL_MINSIZE, ALLOCSET_SMALL_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE

/* Where heads and bodies live that are no states. */
static MemoryContext objects;

static const BfTypeMethods *type_methods[BF_COUNTING + 1];

static inline const BfTypeMethods *
methods_of(const BfExpanded *filter)
{
	return type_methods[filter->header.type];
}

int
bf_expanded_count_in_list(const BfExpanded *filter, uint64_t hash)
{
	return methods_of(filter)->count_in_list(filter->body, hash);
}

void
bf_expanded_write_list(const BfExpanded *filter, uint8_t *list)
{
	/*
	 * The current context may be one in which nothing can be freed: from 17 on
	 * the server forms what it sorts in such a one.
	 */
	MemoryContext old_context = MemoryContextSwitchTo(filter->body->mcxt);

	methods_of(filter)->write_list(filter->body, list);
	MemoryContextSwitchTo(old_context);
}

/* ---------- bodies ---------- */

/* Room for blocks, which hold what the memory happens to hold. */
static void
allocate_blocks(const BfExpanded *filter, BfBody *body)
{
	const BfHeader *header = &filter->header;
	Size		bytes = (Size) header->blocks * bf_block_bytes(header->type);

	body->chunk = bf_allocate_unset_array(body->mcxt, bytes + BF_BLOCK_BYTES);
	body->blocks = (uint8_t *) TYPEALIGN(BF_BLOCK_BYTES, body->chunk);
}

/*
 * A body for the object, with nothing in it.  Unless the object is a state,
 * the body has a context of its own, which goes with the current one until
 * the object owns it.
 */
static BfBody *
create_body(const BfExpanded *filter)
{
	MemoryContext mcxt = filter->mcxt;
	BfBody	   *body;

	if (!bf_is_state(filter))
		mcxt = AllocSetContextCreate(CurrentMemoryContext, "bloomfilter body",
									 SMALL_CONTEXT_SIZES);
	body = MemoryContextAllocZero(mcxt, sizeof(BfBody));
	body->mcxt = mcxt;
	return body;
}

/* A body like another one. */
static BfBody *
copy_body(const BfExpanded *filter, const BfBody *from)
{
	BfBody	   *body = create_body(filter);

	if (filter->header.representation == BF_DENSE)
	{
		allocate_blocks(filter, body);
		memcpy(body->blocks, from->blocks, bf_data_length(&filter->header));
	}
	else
	{
		methods_of(filter)->init_list(filter, body);
		methods_of(filter)->copy_list(body, from);
	}
	return body;
}

/* Free a state's body. */
static void
free_body(const BfExpanded *filter, BfBody *body)
{
	if (body->chunk != NULL)
		pfree(body->chunk);
	methods_of(filter)->free_list(body);
	pfree(body);
}

static void
let_go_of_body(BfExpanded *filter)
{
	BfBody	   *body = filter->body;

	filter->body = NULL;
	if (body == NULL)
		return;
	Assert(body->references > 0);
	if (--body->references > 0)
		return;
	if (bf_is_state(filter))
		free_body(filter, body);
	else
		MemoryContextDelete(body->mcxt);
}

/* Make the object an owner of the body, and of no other one. */
static void
own_body(BfExpanded *filter, BfBody *body)
{
	let_go_of_body(filter);
	if (body->references == 0 && !bf_is_state(filter))
		MemoryContextSetParent(body->mcxt, objects);
	body->references++;
	filter->body = body;
}

void
bf_expanded_unshare(BfExpanded *filter)
{
	if (bf_is_shared(filter))
		own_body(filter, copy_body(filter, filter->body));
}

/* ---------- heads ---------- */

void
bf_expanded_set_header(BfExpanded *filter, BfHeader header)
{
	if (header.name_len > 0)
	{
		char	   *copy = MemoryContextAlloc(filter->mcxt, header.name_len);

		/* a filter that has a name keeps it */
		Assert(filter->header.name_len == 0);
		memcpy(copy, header.name, header.name_len);
		header.name = copy;
	}
	filter->header = header;
}

/* A head in mcxt; PL/pgSQL may move or delete the other context. */
static BfExpanded *
create_head(BfFilterType type, MemoryContext mcxt, MemoryContext eoh_context)
{
	BfExpanded *filter = MemoryContextAlloc(mcxt, sizeof(BfExpanded));

	EOH_init_header(&filter->hdr, &methods, eoh_context);
	filter->magic = BF_EXPANDED_MAGIC + (int) type;
	filter->mcxt = mcxt;
	filter->body = NULL;
	filter->npending = 0;
	filter->napplied = 0;
	filter->max_pending = BF_PENDING;
	filter->pending = filter->pending_space;
	memset(&filter->header, 0, sizeof(BfHeader));
	return filter;
}

/* Free the object, unless it has a home or somebody who could take it over. */
static void
free_object(BfExpanded *filter)
{
	if (filter->home != NULL || filter->hdr.eoh_context != NULL)
		return;
	let_go_of_body(filter);
	if (filter->pending != filter->pending_space)
		pfree(filter->pending);
	if (filter->header.name_len > 0)
		pfree(unconstify(char *, filter->header.name));
	filter->magic = 0;
	pfree(filter);
}

static void
enter_home(BfExpanded *filter, MemoryContext home)
{
	filter->home = home;
	MemoryContextRegisterResetCallback(home, &filter->home_gone);
}

static void
home_gone(void *arg)
{
	BfExpanded *filter = arg;

	filter->home = NULL;
	if (filter->hdr.eoh_context != NULL)
		enter_home(filter, MemoryContextGetParent(filter->hdr.eoh_context));
	else
		free_object(filter);
}

/*
 * Does nobody but PL/pgSQL know the object?  What is in a variable others see
 * by a read-only pointer only, or, from 18 on, are given for good.  The context
 * of a function's variables is the one that SPI made for the function.
 */
static bool
is_variable(const BfExpanded *filter)
{
	return strcmp(filter->home->name, "SPI Proc") == 0;
}

/*
 * From now on nobody can take the object over: its pointers are read-only.
 * Where it was at home, or only a variable, there are none left.
 */
static void
taker_gone(void *arg)
{
	BfExpanded *filter = arg;
	MemoryContext place = MemoryContextGetParent(filter->hdr.eoh_context);

	if (filter->home == place || is_variable(filter))
	{
		BF_UNREGISTER_RESET_CALLBACK(filter->home, &filter->home_gone);
		filter->home = NULL;
	}
	SET_VARTAG_EXTERNAL(filter->hdr.eoh_rw_ptr, VARTAG_EXPANDED_RO);
	filter->hdr.eoh_context = NULL;
	free_object(filter);
}

/* An object without a body that is no state. */
static BfExpanded *
create_object(const BfHeader *header)
{
	MemoryContext eoh_context = AllocSetContextCreate(CurrentMemoryContext, "bloomfilter",
													  SMALL_CONTEXT_SIZES);
	BfExpanded *filter = create_head(header->type, objects, eoh_context);

	/* from here on it is freed, whatever may happen */
	filter->home_gone.func = home_gone;
	filter->home_gone.arg = filter;
	enter_home(filter, CurrentMemoryContext);
	filter->taker_gone.func = taker_gone;
	filter->taker_gone.arg = filter;
	MemoryContextRegisterResetCallback(eoh_context, &filter->taker_gone);

	bf_expanded_set_header(filter, *header);
	return filter;
}

/* A state without a body. */
static BfExpanded *
create_state(const BfHeader *header, MemoryContext states)
{
	BfExpanded *filter = create_head(header->type, states, states);

	bf_expanded_set_header(filter, *header);
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
		 * A log needs none, and what a large buffer fetches would be out of
		 * the cache again by the time of the flush.
		 */
		filter->prefetch_base = (uint8_t *) filter->pending;
		filter->prefetch_range = 1;
		filter->prefetch_shift = 0;
	}
}

/* Room for so many words of changes, with those that there are. */
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

/* Give it the body of an empty list. */
static void
make_empty(BfExpanded *filter)
{
	Assert(filter->header.representation != BF_DENSE);
	own_body(filter, create_body(filter));
	methods_of(filter)->init_list(filter, filter->body);
	filter->header.count = 0;
	aim_prefetch(filter);
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
	own_body(filter, other->body);
	aim_prefetch(filter);

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
	/* left by an attempt that failed */
	if (body->chunk != NULL)
		pfree(body->chunk);
	body->chunk = NULL;
	allocate_blocks(filter, body);
	memset(body->blocks, 0, (Size) filter->header.blocks * bf_block_bytes(filter->header.type));
}

void
bf_expanded_end_blocks(BfExpanded *filter)
{
	methods_of(filter)->free_list(filter->body);
	filter->header.representation = BF_DENSE;
	filter->header.count = 0;
}

/* ---------- bloomfilters ---------- */

static void
init_list(const BfExpanded *filter, BfBody *body)
{
	if (bf_is_state(filter) && filter->header.representation == BF_UNSIZED)
		/* to be sized in the end */
		bf_hashset_init_gathering(&body->set, body->mcxt);
	else
		bf_hashset_init(&body->set, body->mcxt);
}

static void
copy_list(BfBody *body, const BfBody *from)
{
	bf_hashset_copy(&body->set, &from->set);
}

static void
free_list(BfBody *body)
{
	if (body->set.slots != NULL || body->set.log != NULL)
		bf_hashset_free(&body->set);
}

static int
count_in_list(const BfBody *body, uint64_t hash)
{
	return bf_hashset_contains(&body->set, hash) ? 1 : 0;
}

static void
write_list(const BfBody *body, uint8_t *list)
{
	bf_hashset_read_sorted(&body->set, list);
}

static Size
list_bytes(const BfBody *body)
{
	return (Size) body->set.nslots * sizeof(uint64_t);
}

void
bf_expanded_densify(BfExpanded *filter)
{
	BfBody	   *body = filter->body;

	bf_expanded_begin_blocks(filter);
	bf_blocks_add_set(body->blocks, filter->header.blocks, filter->header.hashes, &body->set);
	bf_expanded_end_blocks(filter);
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
 * wherever a filter grows or is passed on.  Hashes are only counted once they
 * are applied; far from the limit that need not be.
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
			 errdetail("Until their number is known, a hash of each is kept in memory."),
			 errhint("Give expected_items, or raise bloomfilter.max_exact_hashes.")));
}

/* Add hashes to the body. */
static void
add_hashes(BfExpanded *filter, const uint64_t *hashes, int n)
{
	Assert(!bf_is_shared(filter));
	if (filter->header.representation == BF_DENSE)
		bf_blocks_add(filter->body->blocks, filter->header.blocks,
					  filter->header.hashes, hashes, n);
	else
		add_to_list(filter, hashes, n);
}

static void
apply_pending(BfExpanded *filter)
{
	/* adding twice does no harm, so after an error the rest just waits */
	add_hashes(filter, filter->pending, filter->npending);
}

static void
read_list(BfExpanded *filter, const uint8_t *list, uint64_t count)
{
	bf_hashset_reserve(&filter->body->set, count);
	bf_expanded_add_list(filter, list, count);
}

static const BfTypeMethods plain_methods = {
	init_list, copy_list, free_list, read_list, write_list, count_in_list, list_bytes,
	apply_pending
};

/* ---------- changes ---------- */

void
bf_expanded_flush(BfExpanded *filter)
{
	if (filter->npending == 0)
		return;
	bf_expanded_unshare(filter);
	methods_of(filter)->apply(filter);
	filter->npending = 0;
	filter->napplied = 0;
	resize_pending(filter, BF_PENDING);
	aim_prefetch(filter);
}

void
bf_expanded_settle(BfExpanded *filter)
{
	bf_expanded_flush(filter);
	if (filter->header.representation == BF_UNSIZED)
		filter->header.count = bf_hashset_count(&filter->body->set);
}

/* The cache lines that a copy of the body has to move. */
static uint64_t
body_lines(const BfExpanded *filter)
{
	if (filter->header.representation == BF_DENSE)
		return bf_data_length(&filter->header) / BF_BLOCK_BYTES;
	return methods_of(filter)->list_bytes(filter->body) / BF_BLOCK_BYTES;
}

/*
 * Flush.  While the body is shared the buffer grows instead, up to one word
 * per cache line, an eighth of the body: then a copy of the body costs no more
 * than adding them.
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

BfBody *
bf_expanded_begin_list(BfExpanded *filter)
{
	BfBody	   *body = create_body(filter);

	init_list(filter, body);
	return body;
}

void
bf_expanded_end_list(BfExpanded *filter, BfBody *body)
{
	own_body(filter, body);
	if (filter->header.representation == BF_DENSE)
		filter->header.representation = BF_SPARSE;
	filter->header.count = bf_hashset_count(&body->set);
	Assert(filter->header.representation == BF_UNSIZED ||
		   filter->header.count <= filter->header.blocks);
	aim_prefetch(filter);
}

/* ---------- copies ---------- */

/* A new object or, if there is a context for them, a state. */
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
		own_body(copy, create_body(copy));
		allocate_blocks(copy, copy->body);
		memcpy(copy->body->blocks, data, bf_data_length(&header));
	}
	else
	{
		make_empty(copy);
		methods_of(copy)->read_list(copy, data, header.count);
	}
	aim_prefetch(copy);
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
	own_body(copy, copy_body(copy, filter->body));
	aim_prefetch(copy);
	return copy;
}

BfExpanded *
bf_state_copy_as(BfFilterType type, Datum filter, MemoryContext states)
{
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return copy_expanded(bf_expanded_get_as(type, filter), states);
	return copy_flat(type, filter, states);
}

/*
 * May so many pending hashes be copied from head to head?  With four times
 * the square root of the number of cache lines, all copies together move as
 * many bytes as one copy of the body does; then it is time for that.
 */
static bool
has_many_pending(const BfExpanded *filter)
{
	return (uint64_t) filter->npending * filter->npending > 16 * body_lines(filter);
}

BfExpanded *
bf_expanded_derive_as(BfFilterType type, Datum filter)
{
	BfExpanded *other;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return copy_flat(type, filter, NULL);

	other = bf_expanded_get_as(type, filter);
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
	bf_expanded_set_methods(BF_PLAIN, &plain_methods);
	objects = AllocSetContextCreate(TopMemoryContext, "bloomfilter objects",
									ALLOCSET_DEFAULT_SIZES);
}
