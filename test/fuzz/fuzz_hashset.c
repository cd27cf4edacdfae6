/*-------------------------------------------------------------------------
 *
 * fuzz_hashset.c
 *		The exact set of hashes against a sorted array.
 *
 * The input is a series of steps: inserting hashes (scattered, next to each
 * other, all in one place, some of those that are there), reserving room,
 * copying, all with or without an allocation that fails.  After every step
 * the set must hold what the array holds, in every way of asking; after a
 * failed one at least what it held before, and nothing that was not given to
 * it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "type/hashset.h"
#include "fuzz.h"
#include "hash_list.h"
#include "server.h"

/* Enough for several rounds of growth and for partitioned insertion. */
#define MAX_STEPS	12
#define MAX_HASHES	20000

/* Ascending, without repetitions. */
typedef struct Model
{
	uint64_t   *hashes;
	size_t		count;
} Model;

typedef struct Insertion
{
	BfHashSet  *set;
	uint64_t   *hashes;
	int			count;
	uint64_t	reserve;
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

/* The hashes of the set in ascending order, from malloc(). */
static uint64_t *
read_sorted(const BfHashSet *set)
{
	size_t		count = bf_hashset_count(set);
	uint64_t   *hashes = malloc(count > 0 ? count * sizeof(uint64_t) : 1);
	size_t		i;

	bf_hashset_read_sorted(set, (uint8_t *) hashes);
	for (i = 0; i < count; i++)
	{
		hashes[i] = bf_load_u64(&hashes[i]);
		REQUIRE(i == 0 || hashes[i - 1] < hashes[i]);
	}
	return hashes;
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
check_set(const BfHashSet *set, const Model *model)
{
	uint64_t   *hashes = read_sorted(set);
	size_t		step = model->count / 500 + 1;
	size_t		i;

	REQUIRE(bf_hashset_count(set) == model->count);
	REQUIRE(model->count == 0 ||
			memcmp(hashes, model->hashes, model->count * sizeof(uint64_t)) == 0);
	free(hashes);

	check_scan(set, model);
	for (i = 0; i < model->count; i += step)
	{
		uint64_t	hash = model->hashes[i];

		REQUIRE(bf_hashset_contains(set, hash));
		REQUIRE(bf_hashset_contains(set, hash + 1) == model_contains(model, hash + 1));
	}
	REQUIRE(bf_hashset_contains(set, 0) == model_contains(model, 0));
	REQUIRE(bf_hashset_contains(set, UINT64_MAX) == model_contains(model, UINT64_MAX));
	REQUIRE(bf_hashset_batch(set) >= 1);
}

/* Everything of the old model and nothing beyond the new one. */
static void
check_between(const BfHashSet *set, const Model *old, const Model *new)
{
	uint64_t   *hashes = read_sorted(set);
	size_t		i;

	for (i = 0; i < old->count; i++)
		REQUIRE(bf_hashset_contains(set, old->hashes[i]));
	for (i = 0; i < bf_hashset_count(set); i++)
		REQUIRE(model_contains(new, hashes[i]));
	free(hashes);
}

static void
insert(void *argument)
{
	Insertion  *this = argument;

	if (this->reserve > 0)
		bf_hashset_reserve(this->set, this->reserve);
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
		switch (pattern % 5)
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
			default:			/* what is there already, or nearly */
				hashes[i] = model->count > 0 ?
					model->hashes[mix(base + i) % model->count] + (pattern / 8 == i % 32) : base;
		}
}

static void
insert_step(FuzzInput *input, BfHashSet *set, Model *model)
{
	int			count = (int) fuzz_take(input, 2) % 6000;
	unsigned	failing = (unsigned) fuzz_take(input, 1);
	uint64_t   *hashes = malloc((count + 1) * sizeof(uint64_t));
	Insertion	insertion = {set, hashes, count, 0};
	Model		before = {NULL, 0};

	/* most batches are small */
	if (failing % 4 != 0)
		count = insertion.count = count % 64;
	if (failing % 8 == 7)
		insertion.reserve = model->count + count;
	make_hashes(input, model, hashes, count);
	model_insert(&before, model->hashes, model->count);
	model_insert(model, hashes, count);

	server_fail_allocation(failing % 16 < 4 ? 1 + failing / 16 % 4 : 0);
	if (server_try(insert, &insertion) != 0)
	{
		check_between(set, &before, model);
		/* and it can go on */
		server_fail_allocation(0);
		REQUIRE(server_try(insert, &insertion) == 0);
	}
	server_fail_allocation(0);
	free(hashes);
	free(before.hashes);
}

/* A copy is the same, and its own. */
static void
copy_step(FuzzInput *input, BfHashSet *set, const Model *model)
{
	BfHashSet	copy;
	uint64_t	hash = fuzz_take(input, 8);
	bool		there = bf_hashset_contains(set, hash);

	bf_hashset_init(&copy, CurrentMemoryContext);
	bf_hashset_copy(&copy, set);
	check_set(&copy, model);
	bf_hashset_insert(&copy, &hash, 1);
	REQUIRE(bf_hashset_contains(&copy, hash));
	REQUIRE(bf_hashset_contains(set, hash) == there);
	bf_hashset_free(&copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	BfHashSet	set;
	Model		model = {NULL, 0};
	int			steps;

	server_start();
	bf_hashset_init(&set, CurrentMemoryContext);
	for (steps = 0; steps < MAX_STEPS && input.left > 0 && model.count < MAX_HASHES; steps++)
	{
		if (fuzz_take(&input, 1) % 8 == 0)
			copy_step(&input, &set, &model);
		else
			insert_step(&input, &set, &model);
		check_set(&set, &model);
	}
	bf_hashset_free(&set);
	free(model.hashes);
	return 0;
}
