/*-------------------------------------------------------------------------
 *
 * binding.c
 *		What the JavaScript of this client calls: filters of clients/core, by
 *		their addresses in the memory of the WebAssembly module.
 *
 * JavaScript has seen to it that values are of the filter's family before it
 * tests or adds them one by one; here nothing is checked again.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "core/sizing.h"
#include "counting.h"
#include "filter.h"

#define EXPORT(name)	__attribute__((export_name(#name)))

/* Values that are hashed before the first of them is tested. */
#define BATCH	256

/* Where JavaScript writes short values; enough for one of any type but text. */
#define SCRATCH_BYTES	16384

static BfError error;
static uint8_t scratch[SCRATCH_BYTES] __attribute__((aligned(16)));
static BfInfo info;

/* ---------- no system ---------- */

/*
 * The C library's printf could complain, of a long double, to a file.  It never
 * does, but would have the module import these from a system, which browsers
 * do not have.  They fail as what is not supported: WASI's errno 58.
 */
#define NOT_SUPPORTED	58

#define NO_SYSTEM(name, parameters) \
	extern int	__imported_wasi_snapshot_preview1_ ## name parameters; \
	int \
	__imported_wasi_snapshot_preview1_ ## name parameters \
	{ \
		return NOT_SUPPORTED; \
	}

NO_SYSTEM(fd_close, (int fd __attribute__((unused))))
NO_SYSTEM(fd_seek, (int fd __attribute__((unused)), int64_t offset __attribute__((unused)),
					int whence __attribute__((unused)), int result __attribute__((unused))))
NO_SYSTEM(fd_write, (int fd __attribute__((unused)), int list __attribute__((unused)),
					 int len __attribute__((unused)), int result __attribute__((unused))))

/* ---------- memory ---------- */

EXPORT(init) void
init(void)
{
	bf_clients_init();
}

EXPORT(scratch) uint8_t *
get_scratch(void)
{
	return scratch;
}

EXPORT(scratch_bytes) size_t
get_scratch_bytes(void)
{
	return sizeof(scratch);
}

EXPORT(allocate) void *
allocate(size_t bytes)
{
	return malloc(bytes > 0 ? bytes : 1);
}

EXPORT(release) void
release(void *memory)
{
	free(memory);
}

/* The parts of the last error, in the order of BfError. */
EXPORT(error_part) const char *
error_part(int part)
{
	return part == 0 ? error.sqlstate : part == 1 ? error.message :
		part == 2 ? error.detail : error.hint;
}

/* ---------- filters ---------- */

EXPORT(create) BfFilter *
create(double expected_items, double rate, int64_t seed)
{
	return bf_filter_create(expected_items, rate, seed, &error);
}

EXPORT(parse) BfFilter *
parse(const uint8_t *input, size_t len)
{
	return bf_filter_parse(input, len, &error);
}

EXPORT(from_text) BfFilter *
from_text(const char *text, size_t len)
{
	return bf_filter_from_text(text, len, &error);
}

EXPORT(from_bytes) BfFilter *
from_bytes(const uint8_t *bytes, size_t len)
{
	return bf_filter_from_bytes(bytes, len, &error);
}

EXPORT(copy) BfFilter *
copy(const BfFilter *filter)
{
	return bf_filter_copy(filter, &error);
}

EXPORT(free) void
free_filter(BfFilter *filter)
{
	bf_filter_free(filter);
}

EXPORT(bytes_length) size_t
bytes_length(const BfFilter *filter)
{
	return bf_filter_bytes_length(filter);
}

EXPORT(write_bytes) void
write_bytes(const BfFilter *filter, uint8_t *dst)
{
	bf_filter_write_bytes(filter, dst);
}

EXPORT(text_room) size_t
text_room(const BfFilter *filter)
{
	return bf_filter_text_room(filter);
}

EXPORT(write_text) size_t
write_text(BfFilter *filter, char *dst)
{
	return bf_filter_write_text(filter, dst, &error);
}

/* ---------- families ---------- */

EXPORT(family) int
family_of(const BfFilter *filter)
{
	return filter->header.family;
}

EXPORT(accepts) bool
accepts(const BfFilter *filter, int family, const char *type_name)
{
	return bf_filter_accepts(filter, (BfFamily) family, type_name, &error);
}

EXPORT(adopt) bool
adopt(BfFilter *filter, int family)
{
	return bf_filter_adopt(filter, (BfFamily) family, NULL, &error);
}

/* Its name, in the buffer; the length of that, 0 if there is none. */
EXPORT(element_type) size_t
element_type(const BfFilter *filter, char *buffer)
{
	const char *name = bf_filter_element_type(filter, buffer);

	if (name == NULL)
		return 0;
	/* where it may be already */
	memmove(buffer, name, strlen(name));
	return strlen(name);
}

/* ---------- values ---------- */

/*
 * For each of the kinds of canonical bytes: the hash of a value, whether it is
 * in the filter, and to add it.
 */
#define VALUE_FUNCTIONS(kind, parameters, hash) \
	EXPORT(hash_ ## kind) uint64_t \
	hash_ ## kind parameters \
	{ \
		return hash; \
	} \
	EXPORT(has_ ## kind) bool \
	has_ ## kind parameters \
	{ \
		return bf_filter_contains_hash(filter, hash); \
	} \
	EXPORT(add_ ## kind) bool \
	add_ ## kind parameters \
	{ \
		return bf_filter_add_hash(filter, hash, &error); \
	}

VALUE_FUNCTIONS(word8, (BfFilter *filter, int64_t value),
				bf_filter_hash_word8(filter, value))

/* An integer as a number of JavaScript's. */
VALUE_FUNCTIONS(integer, (BfFilter *filter, double value),
				bf_filter_hash_word8(filter, (int64_t) value))
VALUE_FUNCTIONS(word4, (BfFilter *filter, uint32_t value),
				bf_filter_hash_word4(filter, value))
VALUE_FUNCTIONS(float8, (BfFilter *filter, double value),
				bf_filter_hash_float8(filter, value))
VALUE_FUNCTIONS(bytes, (BfFilter *filter, const uint8_t *bytes, size_t len),
				bf_filter_hash_bytes(filter, bytes, len))
VALUE_FUNCTIONS(text, (BfFilter *filter, const char *text, size_t len),
				bf_filter_hash_text(filter, text, len))

/* A hash by itself. */
VALUE_FUNCTIONS(hash, (BfFilter *filter, uint64_t hash), ((void) filter, hash))

/* ---------- batches ---------- */

/* What typed arrays hold. */
typedef enum ArrayKind
{
	ARRAY_INT64,
	ARRAY_INT32,
	ARRAY_FLOAT64
} ArrayKind;

static void
hash_array(const BfFilter *filter, int kind, const void *values, int n, uint64_t *hashes)
{
	int			i;

	for (i = 0; i < n; i++)
		hashes[i] = kind == ARRAY_INT64 ?
			bf_filter_hash_word8(filter, ((const int64_t *) values)[i]) :
			kind == ARRAY_INT32 ?
			bf_filter_hash_word8(filter, ((const int32_t *) values)[i]) :
			bf_filter_hash_float8(filter, ((const double *) values)[i]);
}

static const void *
array_item(int kind, const void *values, size_t i)
{
	return (const uint8_t *) values + i * (kind == ARRAY_INT32 ? 4 : 8);
}

/* Test an array's values: 0 or 1 for each, and how many there are. */
EXPORT(has_array) size_t
has_array(const BfFilter *filter, int kind, const void *values, size_t count, uint8_t *found)
{
	uint64_t	hashes[BATCH];
	size_t		hits = 0;
	size_t		done;

	for (done = 0; done < count; done += BATCH)
	{
		int			n = count - done < BATCH ? (int) (count - done) : BATCH;

		hash_array(filter, kind, array_item(kind, values, done), n, hashes);
		hits += bf_filter_contains_hashes(filter, hashes, n, found + done);
	}
	return hits;
}

EXPORT(add_array) bool
add_array(BfFilter *filter, int kind, const void *values, size_t count)
{
	uint64_t	hashes[BATCH];
	size_t		done;

	for (done = 0; done < count; done += BATCH)
	{
		int			n = count - done < BATCH ? (int) (count - done) : BATCH;

		hash_array(filter, kind, array_item(kind, values, done), n, hashes);
		if (!bf_filter_add_hashes(filter, hashes, n, &error))
			return false;
	}
	return true;
}

/* ---------- whole filters ---------- */

EXPORT(unite) bool
unite(BfFilter *a, BfFilter *b)
{
	return bf_filter_unite(a, b, &error);
}

EXPORT(intersect) bool
intersect(BfFilter *a, BfFilter *b)
{
	return bf_filter_intersect(a, b, &error);
}

EXPORT(shrink) BfFilter *
shrink(BfFilter *filter, int32_t factor)
{
	return bf_filter_shrink(filter, factor, &error);
}

/* 1, 0, or -1 if there is no memory. */
EXPORT(equal) int
equal(BfFilter *a, BfFilter *b)
{
	bool		result;

	return bf_filter_equal(a, b, &result, &error) ? result : -1;
}

/* Find out what the next one gives. */
EXPORT(look) bool
look(BfFilter *filter)
{
	return bf_filter_info(filter, &info, &error);
}

/* All numbers but the seed are exact as a double. */
EXPORT(fact) double
fact(const BfFilter *filter, int which)
{
	switch (which)
	{
		case 0:
			return filter->header.representation;
		case 1:
			return (double) filter->header.capacity;
		case 2:
			return filter->header.rate;
		case 3:
			return filter->header.blocks;
		case 4:
			return filter->header.hashes;
		case 5:
			return (double) bf_filter_count(filter);
		case 6:
			return (double) info.bits_set;
		case 7:
			return (double) info.items;
		case 8:
			return info.rate;
		default:
			return (double) info.bytes;
	}
}

EXPORT(seed) int64_t
seed(const BfFilter *filter)
{
	return filter->header.seed;
}

/* ---------- counting filters ---------- */

EXPORT(counting_parse) BfCountingFilter *
counting_parse(const uint8_t *input, size_t len)
{
	return bf_counting_parse(input, len, &error);
}

EXPORT(counting_from_text) BfCountingFilter *
counting_from_text(const char *text, size_t len)
{
	return bf_counting_from_text(text, len, &error);
}

EXPORT(counting_from_bytes) BfCountingFilter *
counting_from_bytes(const uint8_t *bytes, size_t len)
{
	return bf_counting_from_bytes(bytes, len, &error);
}

EXPORT(counting_free) void
counting_free(BfCountingFilter *filter)
{
	bf_counting_free(filter);
}

/* The filter of its bits, which is the caller's from now on. */
EXPORT(counting_take_bits) BfFilter *
counting_take_bits(BfCountingFilter *filter)
{
	BfFilter   *bits = filter->bits;

	filter->bits = NULL;
	return bits;
}

/* For the functions that write filters. */
EXPORT(counting_counters) BfFilter *
counting_counters(BfCountingFilter *filter)
{
	return filter->counters;
}

EXPORT(counting_count) int
counting_count(const BfCountingFilter *filter, uint64_t hash)
{
	return bf_counting_count_hash(filter, hash);
}

/* ---------- for those who look inside ---------- */

EXPORT(block_index) uint32_t
block_index(const BfFilter *filter, uint64_t hash)
{
	return bf_block_index(hash, filter->header.blocks);
}

/* The word of its first bit there. */
EXPORT(block_start) uint32_t
block_start(uint64_t hash)
{
	return bf_block_start(hash);
}

/* The block that a hash alone would make. */
EXPORT(hash_block) void
hash_block(const BfFilter *filter, uint64_t hash, uint8_t *block)
{
	memset(block, 0, BF_BLOCK_BYTES);
	bf_block_add(block, hash, filter->header.hashes);
}

/* Blocks from one on, also those that a list would make. */
EXPORT(write_blocks) bool
write_blocks(BfFilter *filter, uint32_t first, uint32_t count, uint8_t *dst)
{
	return bf_filter_write_blocks(filter, first, count, dst, &error);
}

/* The number of bits set in every block. */
EXPORT(count_blocks) bool
count_blocks(BfFilter *filter, uint16_t *bits_set)
{
	return bf_filter_count_blocks(filter, bits_set, &error);
}

EXPORT(expected_rate) double
expected_rate(double n, uint32_t blocks, int hashes)
{
	return bf_expected_rate(n, blocks, hashes);
}
