/*-------------------------------------------------------------------------
 *
 * fuzz_set.c
 *		Filters in memory: adding, union and intersection, sharing of bodies.
 *
 * The input is a series of steps over a few filters, each with a model beside
 * it: the list of hashes or the blocks that the filter should consist of.
 * Steps change an aggregate's state in place, or make another filter of one,
 * with or without an allocation that fails.  Variables take filters over, one
 * after the other the same one, too, and free them, as those of PL/pgSQL, while
 * others, as slots, still read them.
 * Whenever a filter is looked at, it must flatten to the bytes that its model
 * says: what is made of it, and whatever fails, it is what it was.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "settings.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/memory/plain.h"
#include "type/sql/setops.h"
#include "fuzz.h"
#include "hash_list.h"
#include "server.h"

#define SLOTS		4
#define READERS		3
#define MAX_STEPS	40
#define MAX_BATCH	200

typedef struct Slot
{
	Datum		filter;			/* read-write expanded; 0: empty */
	BfHeader	header;			/* the model's; name is not used */
	uint64_t   *hashes;			/* list: ascending */
	uint8_t    *blocks;			/* dense */
} Slot;

/*
 * One that was given a filter by the expression that made it, and may read it
 * as long as that one's memory is there.
 */
typedef struct Reader
{
	Slot		seen;
	const Slot *slot;			/* it had that one's filter */
	MemoryContext expression;	/* NULL: nobody reads */
} Reader;

/* What is to be done where an error can be caught. */
typedef struct Step
{
	enum
	{
		ADD, UNION, INTERSECT, EXPAND, STATE, COPY_STATE
	}			what;
	Datum		filter;
	bool		in_place;
	Datum		other;
	const BfHeader *header;
	const uint64_t *hashes;
	int			count;
	Datum		result;
} Step;

/* Where filters of variables go, and aggregates' states. */
static MemoryContext variables;
static MemoryContext states;

static Reader readers[READERS];

/* Has the memory been out when a filter was to be ready for others? */
static bool not_for_others;

/* ---------- the model ---------- */

static void
model_free(Slot *slot)
{
	free(slot->hashes);
	free(slot->blocks);
	slot->hashes = NULL;
	slot->blocks = NULL;
}

static void
model_copy(Slot *to, const Slot *from)
{
	BfHeader	header = from->header;
	size_t		len = bf_data_length(&header);
	void	   *data = malloc(len + 1);

	if (header.representation == BF_DENSE)
		memcpy(data, from->blocks, len);
	else if (len > 0)
		memcpy(data, from->hashes, len);
	model_free(to);
	to->header = header;
	if (header.representation == BF_DENSE)
		to->blocks = data;
	else
		to->hashes = data;
}

static void
model_set_bits(Slot *slot, const uint64_t *hashes, size_t n)
{
	size_t		i;

	for (i = 0; i < n; i++)
		bf_block_add(slot->blocks + bf_block_offset(hashes[i], slot->header.blocks),
					 hashes[i], slot->header.hashes);
}

static void
model_densify(Slot *slot)
{
	if (slot->header.representation == BF_DENSE)
		return;
	slot->blocks = calloc(slot->header.blocks, BF_BLOCK_BYTES);
	model_set_bits(slot, slot->hashes, slot->header.count);
	free(slot->hashes);
	slot->hashes = NULL;
	slot->header.representation = BF_DENSE;
	slot->header.count = 0;
}

static void
model_add(Slot *slot, const uint64_t *hashes, size_t n)
{
	if (n == 0)
		return;
	if (slot->header.representation == BF_DENSE)
	{
		model_set_bits(slot, hashes, n);
		return;
	}
	slot->header.count = list_add(&slot->hashes, slot->header.count, hashes, n);
	if (slot->header.representation == BF_SPARSE && slot->header.count > slot->header.blocks)
		model_densify(slot);
}

static bool
model_contains(const Slot *slot, uint64_t hash)
{
	if (slot->header.representation == BF_DENSE)
		return bf_block_contains(slot->blocks + bf_block_offset(hash, slot->header.blocks),
								 hash, slot->header.hashes);
	return list_contains(slot->hashes, slot->header.count, hash);
}

/* docs/format.md, "Combining filters" */
static bool
model_combines(const BfHeader *a, const BfHeader *b)
{
	return a->seed == b->seed && a->blocks == b->blocks && a->hashes == b->hashes &&
		(a->family == b->family || a->family == BF_FAMILY_NONE || b->family == BF_FAMILY_NONE);
}

static void
model_combine_headers(BfHeader *a, const BfHeader *b)
{
	if (a->family == BF_FAMILY_NONE)
		a->family = b->family;
	if (b->capacity > a->capacity)
		a->capacity = b->capacity;
	if (b->rate < a->rate)
		a->rate = b->rate;
}

static void
model_union(Slot *slot, const Slot *other)
{
	size_t		i;

	model_combine_headers(&slot->header, &other->header);
	if (other->header.representation != BF_DENSE)
	{
		model_add(slot, other->hashes, other->header.count);
		return;
	}
	model_densify(slot);
	for (i = 0; i < bf_data_length(&slot->header); i++)
		slot->blocks[i] |= other->blocks[i];
}

/* Those of the list that the other filter contains. */
static void
model_filter(Slot *slot, const uint64_t *list, uint64_t count, const Slot *other)
{
	uint64_t   *kept = malloc(count * sizeof(uint64_t) + 1);
	uint64_t	n = 0;
	uint64_t	i;

	for (i = 0; i < count; i++)
		if (model_contains(other, list[i]))
			kept[n++] = list[i];
	model_free(slot);
	slot->hashes = kept;
	slot->header.count = n;
	if (slot->header.representation == BF_DENSE)
		slot->header.representation = BF_SPARSE;
}

static void
model_intersect(Slot *slot, const Slot *other)
{
	size_t		i;

	model_combine_headers(&slot->header, &other->header);
	if (slot->header.representation != BF_DENSE)
		model_filter(slot, slot->hashes, slot->header.count, other);
	else if (other->header.representation != BF_DENSE)
		model_filter(slot, other->hashes, other->header.count, slot);
	else
		for (i = 0; i < bf_data_length(&slot->header); i++)
			slot->blocks[i] &= other->blocks[i];
}

/* ---------- filters ---------- */

static Datum
read_write(BfExpanded *filter)
{
	return EOHPGetRWDatum(&filter->hdr);
}

static Datum
read_only(Datum filter)
{
	return EOHPGetRODatum(&bf_expanded_get(BF_PLAIN, filter)->hdr);
}

static bool
is_state(Datum filter)
{
	return bf_is_state(bf_expanded_get(BF_PLAIN, filter));
}

/* As PL/pgSQL does when a variable is given another value. */
static void
free_filter(Datum filter)
{
	if (filter != 0 && !is_state(filter))
		MemoryContextDelete(bf_expanded_get(BF_PLAIN, filter)->hdr.eoh_context);
}

static void
add(BfExpanded *filter, const uint64_t *hashes, int count)
{
	BfElement	element = {.family = BF_FAMILY_INTEGER};
	int			i;

	bf_expanded_accept(filter, &element);
	for (i = 0; i < count; i++)
		bf_expanded_add(filter, hashes[i]);
}

static void
take_step(void *argument)
{
	Step	   *step = argument;
	BfExpanded *filter;
	BfView		other;

	switch (step->what)
	{
		case EXPAND:
			filter = bf_expanded_derive(BF_PLAIN, step->filter);
			break;
		case STATE:
			filter = bf_state_create(step->header, states);
			break;
		case COPY_STATE:
			filter = bf_state_copy(BF_PLAIN, step->filter, states);
			break;
		case ADD:
			filter = step->in_place ? bf_expanded_get(BF_PLAIN, step->filter) :
				bf_expanded_derive(BF_PLAIN, step->filter);
			add(filter, step->hashes, step->count);
			break;
		default:
			bf_view_open(BF_PLAIN, &other, step->other);
			filter = step->in_place ? bf_expanded_get(BF_PLAIN, step->filter) :
				bf_expanded_derive(BF_PLAIN, step->filter);
			if (step->what == UNION)
				bf_expanded_union(filter, &other);
			else
				bf_expanded_intersect(filter, &other);
			bf_view_close(&other);
	}
	step->result = read_write(filter);
	REQUIRE(step->in_place == (step->result == step->filter));
}

/* ---------- what must hold ---------- */

static void
check_slot(const Slot *slot)
{
	struct varlena *flat;
	const uint8_t *payload;
	uint8_t		expected[BF_HEADER_BYTES];
	size_t		len = bf_data_length(&slot->header);
	BfHeader	header;

	if (slot->filter == 0)
		return;
	flat = server_flatten(slot->filter);
	payload = (const uint8_t *) VARDATA(flat);
	bf_header_write(&slot->header, expected);
	REQUIRE(VARSIZE(flat) == VARHDRSZ + BF_HEADER_BYTES + len);
	REQUIRE(memcmp(payload, expected, BF_HEADER_BYTES) == 0);
	REQUIRE(len == 0 || memcmp(payload + BF_HEADER_BYTES,
							   slot->header.representation == BF_DENSE ?
							   (const void *) slot->blocks : (const void *) slot->hashes, len) == 0);
	REQUIRE(bf_validate(BF_PLAIN, payload, BF_HEADER_BYTES + len, &header) == NULL);
	pfree(flat);
}

/* Flat and expanded, a filter contains what the model does. */
static void
check_contains(const Slot *slot, uint64_t hash)
{
	BfView		view;

	if (slot->filter == 0)
		return;
	bf_view_open(BF_PLAIN, &view, slot->filter);
	REQUIRE(bf_view_contains(&view, hash) == model_contains(slot, hash));
	bf_view_close(&view);
	bf_view_open(BF_PLAIN, &view, PointerGetDatum(server_flatten(slot->filter)));
	REQUIRE(bf_view_contains(&view, hash) == model_contains(slot, hash));
	bf_view_close(&view);
}

/* The bits that are, or would be, set; block by block and in all. */
static void
check_bits(const Slot *slot)
{
	Slot		dense = {0};
	BfView		view;
	BfBlockScan scan;
	uint64_t	bits = 0;
	uint32_t	block;
	int			i;

	if (slot->filter == 0 || slot->header.representation == BF_UNSIZED)
		return;
	model_copy(&dense, slot);
	model_densify(&dense);
	bf_view_open(BF_PLAIN, &view, slot->filter);
	bf_block_scan_begin(&scan, &view);
	for (block = 0; block < slot->header.blocks; block++)
	{
		const uint8_t *expected = dense.blocks + (size_t) block * BF_BLOCK_BYTES;

		REQUIRE(memcmp(bf_block_scan_next(&scan), expected, BF_BLOCK_BYTES) == 0);
		for (i = 0; i < BF_BLOCK_WORDS; i++)
			bits += __builtin_popcountll(bf_load_u64(expected + 8 * i));
	}
	REQUIRE(bf_view_bits_set(&view) == bits);
	bf_view_close(&view);
	model_free(&dense);
}

/* ---------- steps ---------- */

static void
replace(Slot *slot, Datum filter)
{
	if (slot->filter != filter)
		free_filter(slot->filter);
	slot->filter = filter;
}

/* Everybody can take it over, whoever else has done so, and nobody what cannot be. */
static void
check_reader(const Reader *reader)
{
	Pointer		pointer = DatumGetPointer(reader->seen.filter);

	if (reader->expression == NULL)
		return;
	if (VARATT_IS_EXTERNAL_EXPANDED_RO(pointer))
		REQUIRE(not_for_others);
	else
		REQUIRE(bf_expanded_get(BF_PLAIN, reader->seen.filter)->hdr.eoh_context != NULL);
	check_slot(&reader->seen);
}

/*
 * Another variable of the same function takes the filter over and is given
 * another value; then the function returns what the slot has.
 */
static void
take_over(const Reader *reader)
{
	Datum		filter = reader->seen.filter;

	if (VARATT_IS_EXTERNAL_EXPANDED_RO(DatumGetPointer(filter)))
		return;
	free_filter(filter);
	if (reader->slot->filter == filter)
		MemoryContextSetParent(bf_expanded_get(BF_PLAIN, filter)->hdr.eoh_context, variables);
}

static void
end_reader(Reader *reader, bool takes)
{
	if (reader->expression == NULL)
		return;
	check_reader(reader);
	if (takes)
		take_over(reader);
	MemoryContextDelete(reader->expression);
	model_free(&reader->seen);
	memset(reader, 0, sizeof(Reader));
}

/* The slot's filter is in an expression's result, too, for a while. */
static void
begin_reader(Reader *reader, const Slot *slot, MemoryContext expression)
{
	end_reader(reader, false);
	model_copy(&reader->seen, slot);
	reader->seen.filter = slot->filter;
	reader->slot = slot;
	reader->expression = expression;
}

/* The parameters of a new filter: few, so that some fit one another. */
static void
make_header(FuzzInput *input, BfHeader *header)
{
	static const uint32_t sizes[] = {0, 1, 2, 5, 9, 40, 200, 700};
	unsigned	choice = (unsigned) fuzz_take(input, 1);

	memset(header, 0, sizeof(*header));
	header->blocks = sizes[choice % 8];
	header->rate = choice / 64 % 2 == 0 ? 0.01 : 0.001;
	header->seed = choice / 128;
	if (header->blocks == 0)
	{
		header->representation = BF_UNSIZED;
		return;
	}
	header->representation = BF_SPARSE;
	header->hashes = choice / 8 % 2 == 0 ? 6 : 11;
	header->capacity = 1 + choice / 16 % 4;
}

static int
make_hashes(FuzzInput *input, uint64_t *hashes)
{
	unsigned	pattern = (unsigned) fuzz_take(input, 1);
	int			count = (int) fuzz_take(input, 1) % MAX_BATCH;
	uint64_t	base = fuzz_take(input, pattern % 2 == 0 ? 1 : 8);
	int			i;

	for (i = 0; i < count; i++)
		hashes[i] = pattern % 4 == 3 ? base + i :
			(base + i) * UINT64_C(0x9E3779B97F4A7C15) ^ (base + i) << 23;
	return count;
}

/*
 * Evaluate an expression.  A variable takes over what comes of it; returns the
 * expression's memory, in which the filter was made.
 */
static int
attempt(Step *step, unsigned failing, MemoryContext *expression)
{
	MemoryContext outer = CurrentMemoryContext;
	int			error;

	*expression = AllocSetContextCreate(TopMemoryContext, "expression", ALLOCSET_DEFAULT_SIZES);
	CurrentMemoryContext = *expression;
	server_fail_allocation(failing % 8 == 0 ? 1 + failing / 8 % 8 : 0);
	error = server_try(take_step, step);
	server_fail_allocation(0);
	CurrentMemoryContext = outer;
	if (error == 0 && !is_state(step->result))
		MemoryContextSetParent(bf_expanded_get(BF_PLAIN, step->result)->hdr.eoh_context, variables);
	return error;
}

/*
 * The slot has the result; perhaps somebody reads it, too, or there is no memory
 * to let somebody take over what it had.
 */
static void
settle(Slot *slot, Step *step, MemoryContext expression, unsigned how)
{
	server_fail_allocation(how / 16);
	not_for_others |= how / 16 == 1;
	replace(slot, step->result);
	server_fail_allocation(0);
	if (!is_state(slot->filter) && how % 4 < READERS)
		begin_reader(&readers[how % 4], slot, expression);
	else
		MemoryContextDelete(expression);
}

static void
drop(Slot *slot)
{
	replace(slot, 0);
	model_free(slot);
}

static void
new_step(FuzzInput *input, Slot *slot)
{
	BfHeader	header;
	bool		as_state = fuzz_take(input, 1) % 2 == 1;
	uint8_t    *data;
	MemoryContext expression;
	Step		step = {.what = STATE, .header = &header};

	make_header(input, &header);
	if (!as_state)
	{
		step.what = EXPAND;
		step.filter = PointerGetDatum(bf_flat_create(&header, &data));
	}
	REQUIRE(attempt(&step, 1, &expression) == 0);
	model_free(slot);
	slot->header = header;
	settle(slot, &step, expression, READERS);
}

static void
change_model(Slot *slot, const Step *step, const Slot *other)
{
	switch (step->what)
	{
		case ADD:
			slot->header.family = BF_FAMILY_INTEGER;
			model_add(slot, step->hashes, step->count);
			break;
		case UNION:
			model_union(slot, other);
			break;
		default:
			model_intersect(slot, other);
	}
}

/*
 * target := operation(source, other), where all may be the same; or the
 * source, a state, is changed itself.  Returns the error, after which nothing
 * but such a state has changed.
 */
static int
change(Slot *target, Slot *source, const Slot *other, Step *step, unsigned failing,
	   unsigned how)
{
	MemoryContext expression;
	Slot		model = {0};
	int			error;

	step->in_place = target == source && is_state(source->filter);
	step->filter = step->in_place || how / 4 % 2 == 0 ? source->filter :
		read_only(source->filter);
	error = attempt(step, failing, &expression);
	if (error != 0)
	{
		MemoryContextDelete(expression);
		if (step->in_place)
			drop(source);
		return error;
	}
	model_copy(&model, source);
	change_model(&model, step, other);
	model_copy(target, &model);
	model_free(&model);
	settle(target, step, expression, how);
	return 0;
}

static void
add_step(FuzzInput *input, Slot *target, Slot *source, unsigned failing, unsigned how)
{
	uint64_t	hashes[MAX_BATCH];
	Step		step = {.what = ADD, .hashes = hashes};

	step.count = make_hashes(input, hashes);
	(void) change(target, source, NULL, &step, failing, how);
}

/* The other one may be the source itself, except for a state in place. */
static void
combine_step(Slot *target, Slot *source, Slot *other, bool intersect, unsigned failing,
			 unsigned how)
{
	Step		step = {.what = intersect ? INTERSECT : UNION};
	bool		fits = model_combines(&source->header, &other->header);
	int			error;

	if (other == source && is_state(source->filter))
		return;
	step.other = how / 8 % 2 == 0 ? other->filter : read_only(other->filter);
	error = change(target, source, other, &step, failing, how);
	REQUIRE(error == ERRCODE_OUT_OF_MEMORY ||
			error == (fits ? 0 : ERRCODE_INVALID_PARAMETER_VALUE));
}

/* target := a copy of the source, made from its flat form or as a state. */
static void
copy_step(Slot *target, Slot *source, bool as_state)
{
	MemoryContext expression;
	Step		step = {.what = EXPAND};

	step.filter = PointerGetDatum(server_flatten(source->filter));
	if (as_state)
	{
		step.what = COPY_STATE;
		step.filter = read_only(source->filter);
	}
	REQUIRE(attempt(&step, 1, &expression) == 0);
	if (target != source)
		model_copy(target, source);
	settle(target, &step, expression, READERS);
}

static void
step(FuzzInput *input, Slot *slots)
{
	unsigned	what = (unsigned) fuzz_take(input, 1);
	unsigned	which = (unsigned) fuzz_take(input, 1);
	unsigned	failing = (unsigned) fuzz_take(input, 1);
	unsigned	how = what / 8;
	Slot	   *target = &slots[which % SLOTS];
	Slot	   *source = &slots[which / SLOTS % SLOTS];
	Slot	   *other = &slots[which / SLOTS / SLOTS % SLOTS];

	if (target->filter == 0 || what % 8 == 0)
		new_step(input, target);
	else if (what % 8 <= 2)
		add_step(input, target, target, failing, how);
	else if (source->filter == 0)
		return;
	else if (what % 8 <= 4)
		add_step(input, target, source, failing, how);
	else if (what % 8 == 5)
		copy_step(target, source, how % 2 == 1);
	else if (other->filter != 0)
		combine_step(target, source, other, what % 8 == 7, failing, how);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	Slot		slots[SLOTS] = {{0}};
	MemoryContext harness;
	int			steps;
	int			i;

	server_start();
	not_for_others = false;
	bf_blocks_init();
	bf_expanded_init();
	bf_plain_init();
	harness = AllocSetContextCreate(TopMemoryContext, "harness", ALLOCSET_DEFAULT_SIZES);
	CurrentMemoryContext = harness;
	variables = AllocSetContextCreate(TopMemoryContext, "variables", ALLOCSET_DEFAULT_SIZES);
	states = AllocSetContextCreate(TopMemoryContext, "states", ALLOCSET_DEFAULT_SIZES);
	for (steps = 0; steps < MAX_STEPS && input.left > 0; steps++)
	{
		unsigned	look = (unsigned) fuzz_take(&input, 1);

		step(&input, slots);
		/* not always: looking applies what is pending */
		for (i = 0; i < SLOTS; i++)
			if (look >> i & 1)
				check_slot(&slots[i]);
		if (look % 32 == 31)
			check_contains(&slots[look / 32 % SLOTS], fuzz_take(&input, 8));
		if (look >= 0xC0)
			end_reader(&readers[look % READERS], look / 4 % 2 == 1);
	}
	for (i = 0; i < SLOTS; i++)
	{
		check_slot(&slots[i]);
		check_bits(&slots[i]);
		drop(&slots[i]);
	}
	for (i = 0; i < READERS; i++)
		end_reader(&readers[i], false);
	MemoryContextDelete(variables);
	MemoryContextDelete(states);
	CurrentMemoryContext = TopMemoryContext;
	MemoryContextDelete(harness);
	/* the top one, and that of the objects, in which none is left */
	REQUIRE(server_contexts() == 2);
	REQUIRE(server_chunks() == 0);
	return 0;
}
