/*-------------------------------------------------------------------------
 *
 * fuzz_hashset.c
 *		The exact set of hashes against a sorted array.
 *
 * The input is a series of steps: inserting hashes (scattered, next to each
 * other, all in one place, some of those that are there, the same one many
 * times), copying, all with or without an allocation that fails, for a set that
 * stays a table or one that becomes a log; reading its list into another set, which
 * goes on in its place.  After each step the set must hold what the array holds, in
 * the ways of asking that the input chooses; after a failed one at least what it
 * held before, and nothing that was not given to it.
 *
 * script/fuzz makes runs, pages and what counts as large so small that some
 * hundred hashes reach all code.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "settings.h"
#include "type/memory/hashset.h"
#include "fuzz.h"
#include "hash_list.h"
#include "server.h"

#define MAX_STEPS	12
#define MAX_BATCH	600
#define MAX_HASHES	2000

/* Ascending, without repetitions. */
typedef struct Model
{
	uint64_t   *hashes;
	size_t		count;
} Model;

typedef struct Insertion
{
	BfHashSet  *set;
	uint64_t	hashes[MAX_BATCH];
	int			count;
} Insertion;

static void
model_insert(Model *model, const uint64_t *hashes, size_t n)
{
	model->count = list_add(&model->hashes, model->count, hashes, n);
}

static bool
model_contains(const Model *model, uint64_t hash)
{
	return list_contains(model->hashes, model->count, hash);
}

/* The hashes of the set in ascending order, to an array that is large enough. */
static void
read_sorted(const BfHashSet *set, uint64_t *hashes)
{
	size_t		i;

	REQUIRE(bf_hashset_count(set) <= MAX_HASHES);
	bf_hashset_read_sorted(set, (uint8_t *) hashes);
	for (i = 0; i < bf_hashset_count(set); i++)
		hashes[i] = bf_load_u64(&hashes[i]);
}

static void
check_order(const BfHashSet *set, const Model *model)
{
	uint64_t	hashes[MAX_HASHES];

	REQUIRE(bf_hashset_count(set) == model->count);
	REQUIRE(bf_hashset_counted(set) == model->count);
	read_sorted(set, hashes);
	REQUIRE(model->count == 0 ||
			memcmp(hashes, model->hashes, model->count * sizeof(uint64_t)) == 0);
}

/* Scanning gives every hash once: as many as there are, none of them other. */
static void
check_scan(const BfHashSet *set, const Model *model)
{
	BfHashSetScan scan;
	uint64_t	batch[BF_SCAN_BATCH];
	uint64_t	sum = 0;
	size_t		seen = 0;
	size_t		i;
	int			n;

	bf_hashset_scan_begin(&scan, set);
	while ((n = bf_hashset_scan_next(&scan, batch)) > 0)
	{
		REQUIRE(n <= BF_SCAN_BATCH);
		seen += n;
		while (n > 0)
			sum += batch[--n];
	}
	REQUIRE(seen == model->count);
	for (i = 0; i < model->count; i++)
		sum -= model->hashes[i];
	REQUIRE(sum == 0);
}

static void
check_contains(const BfHashSet *set, const Model *model)
{
	size_t		step = model->count / 50 + 1;
	size_t		i;

	REQUIRE(bf_hashset_counted(set) <= model->count);
	for (i = 0; i < model->count; i += step)
	{
		uint64_t	hash = model->hashes[i];

		REQUIRE(bf_hashset_contains(set, hash));
		REQUIRE(bf_hashset_contains(set, hash + 1) == model_contains(model, hash + 1));
	}
	REQUIRE(bf_hashset_contains(set, 0) == model_contains(model, 0));
	REQUIRE(bf_hashset_contains(set, UINT64_MAX) == model_contains(model, UINT64_MAX));
}

/* A log is not in order before somebody wants it to be. */
static void
check_set(const BfHashSet *set, const Model *model, unsigned ways)
{
	if (ways & 1)
		check_contains(set, model);
	if (ways & 2)
		check_scan(set, model);
	if (ways & 4)
		check_order(set, model);
}

/* Everything of the old model and nothing beyond the new one. */
static void
check_between(const BfHashSet *set, const Model *old, const Model *new)
{
	uint64_t	hashes[MAX_HASHES];
	size_t		i;

	for (i = 0; i < old->count; i++)
		REQUIRE(bf_hashset_contains(set, old->hashes[i]));
	read_sorted(set, hashes);
	for (i = 0; i < bf_hashset_count(set); i++)
		REQUIRE(model_contains(new, hashes[i]));
}

static void
insert(void *argument)
{
	Insertion  *this = argument;

	bf_hashset_insert(this->set, this->hashes, this->count);
}

static uint64_t
mix(uint64_t x)
{
	x = (x ^ x >> 31) * UINT64_C(0x7FB5D329728EA185);
	x = (x ^ x >> 27) * UINT64_C(0x81DADEF4BC2DD44D);
	return x ^ x >> 33;
}

/* Hashes in one of several patterns. */
static void
make_hashes(FuzzInput *input, const Model *model, uint64_t *hashes, int count)
{
	unsigned	pattern = (unsigned) fuzz_take(input, 1);
	uint64_t	base = fuzz_take(input, 8);
	int			i;

	for (i = 0; i < count; i++)
		switch (pattern % 6)
		{
			case 0:				/* uniform, as they should be */
				hashes[i] = mix(base + i);
				break;
			case 1:				/* next to each other */
				hashes[i] = base + i;
				break;
			case 2:				/* ascending, a stride apart */
				hashes[i] = base + (uint64_t) i * ((uint64_t) pattern << 40 | 1);
				break;
			case 3:				/* descending in a part of the range */
				hashes[i] = base - (mix(i) >> (8 + pattern / 8));
				break;
			case 4:				/* what is there already, or nearly */
				hashes[i] = model->count > 0 ?
					model->hashes[mix(base + i) % model->count] + (pattern / 8 == i % 32) : base;
				break;
			default:			/* few, again and again, in turn or in a row */
				hashes[i] = mix(base + (pattern / 8 % 2 ? i % 7 : i / 90));
		}
}

static void
insert_step(FuzzInput *input, BfHashSet *set, Model *model)
{
	unsigned	size = (unsigned) fuzz_take(input, 2);
	unsigned	failing = (unsigned) fuzz_take(input, 1);
	Model		before = {NULL, 0};
	Insertion	insertion = {.set = set};

	/* most batches are small */
	insertion.count = size % (failing % 4 != 0 ? 64 : MAX_BATCH);
	if (model->count + insertion.count > MAX_HASHES)
		return;
	make_hashes(input, model, insertion.hashes, insertion.count);
	model_insert(&before, model->hashes, model->count);
	model_insert(model, insertion.hashes, insertion.count);

	server_fail_allocation(failing % 16 < 4 ? 1 + failing / 16 % 4 : 0);
	if (server_try(insert, &insertion) != 0)
	{
		check_between(set, &before, model);
		/* and it can go on */
		server_fail_allocation(0);
		REQUIRE(server_try(insert, &insertion) == 0);
	}
	server_fail_allocation(0);
	free(before.hashes);
}

/* A copy is the same, and its own, whichever kind it may become. */
static void
copy_step(FuzzInput *input, BfHashSet *set, Model *model)
{
	uint64_t	hash = fuzz_take(input, 8);
	bool		there;
	BfHashSet	copy;

	if (hash % 2)
		bf_hashset_init_gathering(&copy, CurrentMemoryContext);
	else
		bf_hashset_init(&copy, CurrentMemoryContext);
	bf_hashset_copy(&copy, set);
	check_set(&copy, model, (unsigned) (hash / 2));
	there = model_contains(model, hash);
	bf_hashset_insert(&copy, &hash, 1);
	REQUIRE(bf_hashset_contains(&copy, hash));
	REQUIRE(bf_hashset_contains(set, hash) == there);
	bf_hashset_free(&copy);
}

/* What was written is read into a set in its place. */
static void
reread_step(BfHashSet *set)
{
	uint64_t	hashes[MAX_HASHES];
	uint32_t	count = (uint32_t) bf_hashset_count(set);

	bf_hashset_read_sorted(set, (uint8_t *) hashes);
	bf_hashset_free(set);
	bf_hashset_init(set, CurrentMemoryContext);
	bf_hashset_read_list(set, (const uint8_t *) hashes, count);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	unsigned	kind = (unsigned) fuzz_take(&input, 1);
	BfHashSet	set;
	Model		model = {NULL, 0};
	int			steps;

	server_start();
	/* from there on, a log does not believe a sample of its hashes */
	bf_max_exact_hashes = kind & 2 ? 500 : 1000000;
	if (kind & 1)
		bf_hashset_init_gathering(&set, CurrentMemoryContext);
	else
		bf_hashset_init(&set, CurrentMemoryContext);
	for (steps = 0; steps < MAX_STEPS && input.left > 0; steps++)
	{
		unsigned	step = (unsigned) fuzz_take(&input, 1);

		if (step % 8 == 0)
			copy_step(&input, &set, &model);
		else if (step % 8 == 1)
			reread_step(&set);
		else
			insert_step(&input, &set, &model);
		check_set(&set, &model, step / 8);
	}
	check_set(&set, &model, 7);
	bf_hashset_free(&set);
	free(model.hashes);
	return 0;
}
