/*-------------------------------------------------------------------------
 *
 * compare.c
 *		Comparison of two filters: inclusion, equality, and whether they can
 *		be combined.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/hashing/compatible.h"
#include "type/hashing/element.h"
#include "type/memory/flat.h"
#include "type/sql/functions.h"
#include "type/stored/toast.h"
#include "type/stored/view.h"

BF_SQL_FUNCTION(bloomfilter_is_superset);

/* Is every bit of the part set in the whole? */
static bool
blocks_include(const BfView *whole, const BfView *part)
{
	BfBlockScan whole_scan;
	BfBlockScan part_scan;
	uint32_t	block;

	bf_block_scan_begin(&whole_scan, whole);
	bf_block_scan_begin(&part_scan, part);
	for (block = 0; block < whole->header.blocks; block++)
	{
		const uint8_t *outer = bf_block_scan_next(&whole_scan);
		const uint8_t *inner = bf_block_scan_next(&part_scan);
		uint64_t	missing = 0;
		int			word;

		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			missing |= bf_load_u64(inner + word) & ~bf_load_u64(outer + word);
		if (missing != 0)
			return false;
	}
	return true;
}

static bool
includes(const BfView *whole, const BfView *part)
{
	uint64_t	i;

	if (part->header.representation == BF_DENSE)
		return blocks_include(whole, part);
	for (i = 0; i < part->header.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!bf_view_contains(whole, bf_load_u64(part->data + 8 * i)))
			return false;
	}
	return true;
}

Datum
bloomfilter_is_superset(PG_FUNCTION_ARGS)
{
	BfView		whole;
	BfView		part;
	bool		result;

	bf_view_open(BF_PLAIN, &whole, PG_GETARG_DATUM(0));
	bf_view_open(BF_PLAIN, &part, PG_GETARG_DATUM(1));
	bf_require_combinable(&whole.header, &part.header);
	result = includes(&whole, &part);
	bf_view_close(&whole);
	bf_view_close(&part);
	PG_RETURN_BOOL(result);
}

/*
 * The part of a stored filter that is read first: a chunk, and at least the
 * header and something behind it.  The header may be longer than a chunk if
 * pages have less than 8 kB.
 */
#define FIRST_PART	Max(TOAST_MAX_CHUNK_SIZE, BF_HEADER_SLICE + BF_BLOCK_BYTES)

/* One of two filters that are compared byte by byte. */
typedef struct Side
{
	const struct varlena *stored;	/* to be read in parts; NULL: in the view */
	struct varlena *part;		/* current part; the first has the header */
	BfView		view;
	Size		header_len;
	Size		data_len;
	uint8_t		header[BF_HEADER_BYTES + BF_MAX_NAME];
} Side;

static void
side_open(BfFilterType type, Side *side, Datum filter)
{
	const struct varlena *datum = (const struct varlena *) DatumGetPointer(filter);

	side->part = NULL;
	side->stored = bf_toast_has_parts(datum) ? datum : NULL;
	if (side->stored == NULL)
		bf_view_open(type, &side->view, filter);
	else
	{
		side->part = bf_toast_slice(datum, 0, FIRST_PART);
		bf_stored_header_read(type, (const uint8_t *) VARDATA_ANY(side->part),
							  bf_toast_payload_length(datum), &side->view.header);
		side->view.allocated = NULL;
	}
	bf_header_write(&side->view.header, side->header);
	side->header_len = bf_header_length(&side->view.header);
	side->data_len = bf_data_length(&side->view.header);
}

static void
side_close(Side *side)
{
	bf_view_close(&side->view);
	if (side->part != NULL)
		pfree(side->part);
}

/* A part of the data, valid until the next call. */
static const uint8_t *
side_read(Side *side, Size offset, Size len)
{
	if (side->stored == NULL)
		return side->view.data + offset;
	if (offset == 0)
		return (const uint8_t *) VARDATA_ANY(side->part) + side->header_len;
	pfree(side->part);
	side->part = bf_toast_slice(side->stored, side->header_len + offset, len);
	return (const uint8_t *) VARDATA_ANY(side->part);
}

/*
 * Compare the headers and, if they are equal, the data.  Data are read in
 * growing parts that end at the ends of chunks, because filters of different
 * values usually differ near the start.  Each part after the first is large
 * enough that reading it costs at least as much as finding it.
 */
static bool
sides_equal(Side *a, Side *b)
{
	Size		step = 16 * TOAST_MAX_CHUNK_SIZE;
	Size		len = FIRST_PART - a->header_len;
	Size		done;

	if (a->header_len != b->header_len || memcmp(a->header, b->header, a->header_len) != 0)
		return false;
	for (done = 0; done < a->data_len; done += len, len = step)
	{
		CHECK_FOR_INTERRUPTS();
		len = Min(len, a->data_len - done);
		if (memcmp(side_read(a, done, len), side_read(b, done, len), len) != 0)
			return false;
		if (done > 0)
			step = Min(4 * step, BF_TOAST_PIECE);
	}
	return true;
}

/* Do both point to the same value in a TOAST table? */
static bool
same_pointer(const struct varlena *a, const struct varlena *b)
{
	return VARATT_IS_EXTERNAL_ONDISK(a) && VARATT_IS_EXTERNAL_ONDISK(b) &&
		memcmp(VARDATA_EXTERNAL(a), VARDATA_EXTERNAL(b), sizeof(struct varatt_external)) == 0;
}

/*
 * Equality of the stored bytes.  Never raises an error for filters that cannot
 * be combined, so that ANALYZE, DISTINCT and replica identities work on any
 * column.
 */
static bool
is_equal(BfFilterType type, FunctionCallInfo fcinfo)
{
	Datum		left = PG_GETARG_DATUM(0);
	Datum		right = PG_GETARG_DATUM(1);
	Side		a;
	Side		b;
	bool		result;

	if (same_pointer((const struct varlena *) DatumGetPointer(left),
					 (const struct varlena *) DatumGetPointer(right)))
		return true;
	if (bf_view_flat_size(type, left) != bf_view_flat_size(type, right))
		return false;
	side_open(type, &a, left);
	side_open(type, &b, right);
	result = sides_equal(&a, &b);
	side_close(&a);
	side_close(&b);
	return result;
}

static Datum
eq(BfFilterType type, FunctionCallInfo fcinfo)
{
	PG_RETURN_BOOL(is_equal(type, fcinfo));
}

static Datum
ne(BfFilterType type, FunctionCallInfo fcinfo)
{
	PG_RETURN_BOOL(!is_equal(type, fcinfo));
}

static uint64_t
seeded_hash(BfFilterType type, Datum filter, uint64_t seed)
{
	BfView		view;
	uint8_t		header[BF_HEADER_BYTES + BF_MAX_NAME];
	uint64_t	hash;

	bf_view_open(type, &view, filter);
	bf_header_write(&view.header, header);
	hash = bf_xxh3(header, bf_header_length(&view.header), seed);
	hash = bf_xxh3(view.data, bf_data_length(&view.header), hash);
	bf_view_close(&view);
	return hash;
}

static Datum
hash(BfFilterType type, FunctionCallInfo fcinfo)
{
	/* hash opclasses require the lower half of the extended hash with seed 0 */
	PG_RETURN_UINT32((uint32) seeded_hash(type, PG_GETARG_DATUM(0), 0));
}

static Datum
hash_extended(BfFilterType type, FunctionCallInfo fcinfo)
{
	PG_RETURN_UINT64(seeded_hash(type, PG_GETARG_DATUM(0), (uint64_t) PG_GETARG_INT64(1)));
}

static Datum
compatible(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfHeader	a;
	BfHeader	b;
	void	   *allocated_a = bf_view_header(type, PG_GETARG_DATUM(0), &a);
	void	   *allocated_b = bf_view_header(type, PG_GETARG_DATUM(1), &b);
	bool		result = bf_combinable(&a, &b);

	if (allocated_a != NULL)
		pfree(allocated_a);
	if (allocated_b != NULL)
		pfree(allocated_b);
	PG_RETURN_BOOL(result);
}

BF_SQL_OF_BOTH(eq, eq);
BF_SQL_OF_BOTH(ne, ne);
BF_SQL_OF_BOTH(hash, hash);
BF_SQL_OF_BOTH(hash_extended, hash_extended);
BF_SQL_OF_BOTH(compatible, compatible);
