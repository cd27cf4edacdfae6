/*-------------------------------------------------------------------------
 *
 * fuzz_counting.c
 *		Counting filters in memory: adding, removing, sums, sharing of bodies.
 *
 * The input is a series of steps over a few filters, each with a model beside
 * it: how often each of a small number of hashes is in it, or its counters, one
 * by one.  Steps make another filter of one, or change an aggregate's state in
 * place, with or without an allocation that fails.  Whenever a filter is looked
 * at, it must flatten to the bytes that its model says, and count what that
 * counts: what is made of it, and whatever fails, it is what it was.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "counting/changes.h"
#include "counting/sum.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/memory/plain.h"
#include "fuzz.h"
#include "server.h"

#define SLOTS		3
#define MAX_STEPS	60
#define MAX_BATCH	80

/* All hashes there are, in ascending order. */
#define HASHES		40

static uint64_t hashes[HASHES];

/* A filter and its model; nothing but zeros: none. */
typedef struct Slot
{
	Datum		filter;			/* read-write expanded */
	BfHeader	header;			/* count is the model's */
	uint8_t		listed[HASHES]; /* how often is each in the list */
	uint8_t	   *counters;		/* dense: a byte for each counter */
} Slot;

/* What is to be done where an error can be caught. */
typedef struct Step
{
	enum
	{
		ADD, REMOVE, SUM, COPY_STATE
	}			what;
	Datum		filter;
	bool		in_place;
	Datum		other;
	const uint64_t *changed;
	int			n;
	Datum		result;
} Step;

/* Where filters of variables go, and aggregates' states, and all else. */
static MemoryContext variables;
static MemoryContext harness;
static MemoryContext states;

/* ---------- the model, by docs/format.md ---------- */

/* The numbers of the hash's counters among all, no two the same. */
static int
model_counters(const Slot *slot, uint64_t hash, size_t *numbers)
{
	uint64_t	upper = hash >> 32;
	size_t		block = (size_t) (upper * slot->header.blocks >> 32);
	unsigned	start = (unsigned) (hash >> 29) % 8;
	int			n = 0;
	int			i;
	int			j;

	for (i = 0; i < slot->header.hashes; i++)
	{
		uint64_t	g = i < 8 ? hash * UINT64_C(0x9E3779B97F4A7C15) :
			(hash ^ upper) * UINT64_C(0xD6E8FEB86659FD93);
		unsigned	word = (start + (unsigned) i) % 8;
		size_t		number = block * 512 + word * 64 + (g >> (58 - 8 * word)) % 64;

		for (j = 0; j < n && numbers[j] != number; j++)
			;
		if (j == n)
			numbers[n++] = number;
	}
	return n;
}

static int
index_of(uint64_t hash)
{
	int			i;

	for (i = 0; hashes[i] != hash; i++)
		;
	return i;
}

static int
model_count(const Slot *slot, uint64_t hash)
{
	size_t		numbers[16];
	int			n;
	int			least = 15;

	if (slot->header.representation != BF_DENSE)
		return slot->listed[index_of(hash)];
	n = model_counters(slot, hash, numbers);
	while (n-- > 0)
		if (slot->counters[numbers[n]] < least)
			least = slot->counters[numbers[n]];
	return least;
}

static void
change(uint8_t *count, int times)
{
	if (*count != 15)
		*count = (uint8_t) (*count + times > 15 ? 15 : *count + times);
}

static void
model_change_counters(Slot *slot, uint64_t hash, int times)
{
	size_t		numbers[16];
	int			n = model_counters(slot, hash, numbers);

	while (n-- > 0)
		change(&slot->counters[numbers[n]], times);
}

static void
model_densify(Slot *slot)
{
	int			i;

	if (slot->header.representation == BF_DENSE)
		return;
	slot->counters = calloc(slot->header.blocks, 512);
	for (i = 0; i < HASHES; i++)
		if (slot->listed[i] > 0)
			model_change_counters(slot, hashes[i], slot->listed[i]);
	memset(slot->listed, 0, sizeof(slot->listed));
	slot->header.representation = BF_DENSE;
	slot->header.count = 0;
}

static void
model_change(Slot *slot, uint64_t hash, int times)
{
	int			i;

	if (slot->header.representation == BF_DENSE)
	{
		model_change_counters(slot, hash, times);
		return;
	}
	change(&slot->listed[index_of(hash)], times);
	slot->header.count = 0;
	for (i = 0; i < HASHES; i++)
		slot->header.count += slot->listed[i] > 0;
	if (slot->header.count > slot->header.blocks)
		model_densify(slot);
}

static void
model_sum(Slot *slot, const Slot *other)
{
	size_t		i;

	if (other->header.representation != BF_DENSE)
	{
		for (i = 0; i < HASHES; i++)
			if (other->listed[i] > 0)
				model_change(slot, hashes[i], other->listed[i]);
		return;
	}
	model_densify(slot);
	for (i = 0; i < (size_t) slot->header.blocks * 512; i++)
		change(&slot->counters[i], other->counters[i]);
}

static void
model_copy(Slot *to, const Slot *from)
{
	free(to->counters);
	to->header = from->header;
	memcpy(to->listed, from->listed, sizeof(to->listed));
	to->counters = NULL;
	if (from->counters != NULL)
	{
		to->counters = malloc((size_t) from->header.blocks * 512);
		memcpy(to->counters, from->counters, (size_t) from->header.blocks * 512);
	}
}

/* The data as they are stored. */
static size_t
model_data(const Slot *slot, uint8_t *data)
{
	size_t		len = 0;
	size_t		i;

	if (slot->header.representation == BF_DENSE)
	{
		for (i = 0; i < (size_t) slot->header.blocks * 512; i += 2)
			data[len++] = (uint8_t) (slot->counters[i] | slot->counters[i + 1] << 4);
		return len;
	}
	for (i = 0; i < HASHES; i++)
		if (slot->listed[i] > 0)
		{
			bf_store_u64(data + len, hashes[i]);
			len += 8;
		}
	for (i = 0; i < HASHES; i++)
		if (slot->listed[i] > 0)
			data[len++] = slot->listed[i];
	return len;
}

/* ---------- filters ---------- */

static BfExpanded *
expanded(Datum filter)
{
	return bf_expanded_get(BF_COUNTING, filter);
}

static void
take_step(void *argument)
{
	Step	   *step = argument;
	BfExpanded *filter;
	BfElement	element = {.family = BF_FAMILY_INTEGER};
	BfView		other;
	int			i;

	if (step->what == COPY_STATE)
	{
		filter = bf_state_copy(BF_COUNTING, step->filter, states);
		step->result = EOHPGetRWDatum(&filter->hdr);
		return;
	}
	if (step->what == SUM)
		bf_view_open(BF_COUNTING, &other, step->other);
	filter = step->in_place ? expanded(step->filter) :
		bf_expanded_derive(BF_COUNTING, step->filter);
	if (step->what == SUM)
	{
		bf_counting_sum(filter, &other);
		bf_view_close(&other);
	}
	for (i = 0; i < step->n; i++)
	{
		if (step->what == ADD)
			bf_expanded_accept(filter, &element);
		if (step->what == ADD)
			bf_expanded_change(filter, step->changed[i], 1);
		else if (bf_counting_count(filter, step->changed[i]) > 0)
			bf_expanded_change(filter, step->changed[i], -1);
	}
	step->result = EOHPGetRWDatum(&filter->hdr);
	REQUIRE(step->in_place == (step->result == step->filter));
}

/* ---------- what must hold ---------- */

static void
check_slot(const Slot *slot)
{
	size_t		room = BF_HEADER_BYTES + (size_t) slot->header.blocks * 256 + HASHES * 9;
	uint8_t    *payload;
	struct varlena *flat;
	size_t		len;
	BfHeader	header;
	int			i;

	if (slot->filter == 0)
		return;
	for (i = 0; i < HASHES; i++)
		REQUIRE(bf_counting_count(expanded(slot->filter), hashes[i]) == model_count(slot, hashes[i]));
	payload = malloc(room);
	bf_header_write(&slot->header, payload);
	len = BF_HEADER_BYTES + model_data(slot, payload + BF_HEADER_BYTES);
	flat = server_flatten(slot->filter);
	REQUIRE(VARSIZE(flat) == VARHDRSZ + len);
	REQUIRE(memcmp(VARDATA(flat), payload, len) == 0);
	REQUIRE(bf_validate(BF_COUNTING, payload, len, &header) == NULL);
	pfree(flat);
	free(payload);
}

/* The model of a step that succeeded. */
static void
model_step(Slot *slot, const Step *step, const Slot *other)
{
	int			i;

	if (step->what == SUM)
	{
		if (slot->header.family == BF_FAMILY_NONE)
			slot->header.family = other->header.family;
		model_sum(slot, other);
	}
	for (i = 0; i < step->n; i++)
	{
		if (step->what == ADD)
			slot->header.family = BF_FAMILY_INTEGER;
		if (step->what == ADD || model_count(slot, step->changed[i]) > 0)
			model_change(slot, step->changed[i], step->what == ADD ? 1 : -1);
	}
}

static void
make_empty(Slot *slot, const BfHeader *header)
{
	uint8_t    *data;
	struct varlena *flat = bf_flat_create(header, &data);

	free(slot->counters);
	memset(slot, 0, sizeof(*slot));
	slot->header = *header;
	slot->filter = EOHPGetRWDatum(&bf_expanded_derive(BF_COUNTING, PointerGetDatum(flat))->hdr);
	pfree(flat);
}

/* As PL/pgSQL does when a variable is given another value. */
static void
assign(Slot *slot, Datum filter)
{
	Datum		old = slot->filter;

	if (!bf_is_state(expanded(filter)))
		MemoryContextSetParent(expanded(filter)->hdr.eoh_context, variables);
	slot->filter = filter;
	if (!bf_is_state(expanded(old)) && expanded(old)->hdr.eoh_context != NULL)
		MemoryContextDelete(expanded(old)->hdr.eoh_context);
}

/* What the bytes of the input say is to be done next. */
static void
take_next_step(FuzzInput *input, Slot *slots, const BfHeader *header)
{
	unsigned	choice = (unsigned) fuzz_take(input, 2);
	Slot	   *from = &slots[choice % SLOTS];
	Slot	   *to = &slots[choice / SLOTS % SLOTS];
	Slot	   *other = &slots[choice / SLOTS / SLOTS % SLOTS];
	MemoryContext expression = AllocSetContextCreate(TopMemoryContext, "expression",
													 ALLOCSET_DEFAULT_SIZES);
	uint64_t	changed[MAX_BATCH];
	Step		step = {.what = choice / 32 % 4, .filter = from->filter, .other = other->filter};
	Slot		before = {0};
	int			error;
	int			i;

	step.changed = changed;
	if (step.what == ADD || step.what == REMOVE)
	{
		int			first = (int) fuzz_take(input, 1);

		step.n = first % MAX_BATCH;
		for (i = 0; i < step.n; i++)
			changed[i] = hashes[(first + i * (int) (choice / 128 % 7)) % HASHES];
	}
	/* only a state is ever changed in place, and not by itself */
	step.in_place = step.what != COPY_STATE && choice / 1024 % 2 == 1 && from == to &&
		other != from && bf_is_state(expanded(from->filter));
	model_copy(&before, other);

	CurrentMemoryContext = expression;
	if (choice / 2048 % 4 == 0)
		server_fail_allocation(1 + choice / 8192 % 8);
	error = server_try(take_step, &step);
	server_fail_allocation(0);
	CurrentMemoryContext = harness;
	REQUIRE(error == 0 || error == ERRCODE_OUT_OF_MEMORY);
	if (error == 0)
	{
		if (from != to)
			model_copy(to, from);
		if (!step.in_place)
			assign(to, step.result);
		model_step(to, &step, &before);
		if (choice / 512 % 2 == 0)
			check_slot(to);
	}
	else if (step.in_place)
		/* of no use after an error */
		make_empty(from, header);
	else
		check_slot(from);
	MemoryContextDelete(expression);
	free(before.counters);
}

static void
start(void)
{
	server_start();
	bf_blocks_init();
	bf_expanded_init();
	bf_plain_init();
	bf_counting_init();
	harness = AllocSetContextCreate(TopMemoryContext, "harness", ALLOCSET_DEFAULT_SIZES);
	CurrentMemoryContext = harness;
	variables = AllocSetContextCreate(TopMemoryContext, "variables", ALLOCSET_DEFAULT_SIZES);
	states = AllocSetContextCreate(TopMemoryContext, "states", ALLOCSET_DEFAULT_SIZES);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	BfHeader	header = {.type = BF_COUNTING, .representation = BF_SPARSE, .capacity = 1, .rate = 0.5};
	Slot		slots[SLOTS] = {{0}};
	int			i;

	start();
	header.blocks = 1 + (uint32_t) fuzz_take(&input, 1) % 20;
	header.hashes = 1 + (int) fuzz_take(&input, 1) % 16;
	for (i = 0; i < HASHES; i++)
		hashes[i] = (uint64_t) i * (UINT64_MAX / HASHES) + (uint64_t) i * i * UINT64_C(0x9E3779B1);
	for (i = 0; i < SLOTS; i++)
		make_empty(&slots[i], &header);

	for (i = 0; i < MAX_STEPS && input.left > 0; i++)
		take_next_step(&input, slots, &header);
	for (i = 0; i < SLOTS; i++)
	{
		check_slot(&slots[i]);
		free(slots[i].counters);
	}
	return 0;
}
