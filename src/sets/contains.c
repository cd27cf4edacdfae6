/*-------------------------------------------------------------------------
 *
 * contains.c
 *		bloom_set_contains: is a value in a set?
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "core/blocks.h"
#include "sets/layout.h"
#include "sets/rows.h"
#include "type/hashing/callsite.h"
#include "type/hashing/compatible.h"

BF_SQL_FUNCTION(bloomfilter_set_contains);

static bool
row_contains(const bytea *row, const BfHeader *header, uint64_t hash)
{
	return bf_block_contains_fast((const uint8_t *) VARDATA_ANY(row) +
								  bf_set_offset(hash, header->blocks),
								  hash, header->hashes);
}

/* A value to be tested. */
typedef struct Test
{
	const BfElement *element;
	Datum		value;
	bool		found;
} Test;

/*
 * The head that was read last says where to look, and is read again together
 * with the row.  If it is not as it was, the row may be another one.
 */
static void
test_value(BfSet *set, void *argument)
{
	Test	   *test = argument;
	BfSetHead	head;

	if (!bf_set_recall_head(set, true, &head) && !bf_family_accepts(&head.header, test->element))
		bf_set_read_head(set, true, &head);
	for (;;)
	{
		uint64_t	hash;
		int32		segments[2] = {BF_SET_HEAD};
		bytea	   *rows[2];

		bf_require_accepts(&head.header, test->element);
		hash = bf_hash_value(test->element, bf_strips_blanks(&head.header), test->value,
							 (uint64_t) head.header.seed);
		segments[1] = bf_set_segment(hash, head.header.blocks);
		bf_set_read_rows(set, BF_SET_READ, true, segments, 2, rows);
		if (bf_set_rows_equal(rows[0], head.row))
		{
			bf_set_check_row(set, &head.header, segments[1], rows[1]);
			test->found = row_contains(rows[1], &head.header, hash);
			return;
		}
		bf_set_take_head(set, rows[0], &head);
	}
}

Datum
bloomfilter_set_contains(PG_FUNCTION_ARGS)
{
	Test		test = {
		.element = bf_call_site_of_value(fcinfo, 1, sizeof(BfElement)),
		.value = PG_GETARG_DATUM(1)
	};

	bf_set_use(PG_GETARG_OID(0), AccessShareLock, test_value, &test);
	PG_RETURN_BOOL(test.found);
}
