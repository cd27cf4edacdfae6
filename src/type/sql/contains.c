/*-------------------------------------------------------------------------
 *
 * contains.c
 *		Testing values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/primnodes.h"

#include "compat.h"
#include "core/data.h"
#include "type/hashing/callsite.h"
#include "type/hashing/compatible.h"
#include "type/hashing/declared.h"
#include "type/hashing/element.h"
#include "type/memory/arrays.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/sql/functions.h"
#include "type/stored/cache.h"
#include "type/stored/search.h"

BF_SQL_FUNCTION(bloomfilter_may_match);

/*
 * A filter in memory of at least LARGE_FILTER bytes is moved to huge pages
 * once its tests have cost about as much as moving it: one test per
 * BYTES_PER_TEST bytes.  Smaller filters gain nothing, because the translation
 * buffers cover them.
 */
#define LARGE_FILTER	((Size) 8 * 1024 * 1024)
#define BYTES_PER_TEST	512

/*
 * The part of a header that decides how values are tested: all fields up to
 * the seed.  The fields after it, capacity, rate and count, add nothing once
 * the length is known.
 */
#define DECISIVE_BYTES	BF_OFF_CAPACITY

/*
 * What a call site remembers: how its values are hashed, the decisive part of
 * the header of the last filter that was not an expanded object, and, if that
 * filter was stored out of line, which one it was.  A filter with the same
 * header and length is not checked again.  The contents of filters in memory
 * are never remembered: other contents may come to the same address.
 */
typedef struct BfCallSite
{
	BfElement	element;
	Size		payload_len;	/* zero: no header seen yet */
	Size		header_len;
	BfHeader	header;
	uint8_t		header_bytes[DECISIVE_BYTES];
	BfCacheRef	stored;			/* if current, the header is this filter's */
	Size		ntests;			/* tests of large filters in memory */
	const void *collapsed;		/* the filter moved to huge pages */
} BfCallSite;

/* Where the bits or hashes of a filter are. */
typedef enum BfTargetKind
{
	BF_TARGET_FLAT,				/* in memory, as they are stored */
	BF_TARGET_EXPANDED,			/* in the body of an expanded object */
	BF_TARGET_STORED			/* out of line */
} BfTargetKind;

/* A filter that accepts the call site's values, ready to be tested. */
typedef struct BfTarget
{
	BfTargetKind kind;
	const BfHeader *header;
	union
	{
		const uint8_t *data;	/* flat: blocks, or a list in order */
		const BfExpanded *expanded;
		struct varlena *pointer;	/* stored */
	};
	struct varlena *detoasted;	/* to be freed; or NULL */
} BfTarget;

/*
 * Does the call site know this header, and that a filter with it accepts the
 * values?
 */
static inline bool
header_is_known(const BfCallSite *site, const uint8_t *payload, Size len)
{
	uint64_t	differences = 0;
	int			i;

	if (len != site->payload_len || len == 0)
		return false;
	for (i = 0; i < DECISIVE_BYTES; i += 8)
		differences |= bf_load_u64(payload + i) ^ bf_load_u64(site->header_bytes + i);
	/* with the padding: one name may be a prefix of another */
	return differences == 0 &&
		(site->header.name_len == 0 ||
		 memcmp(payload + BF_HEADER_BYTES, site->header.name,
				site->header_len - BF_HEADER_BYTES) == 0);
}

static void
learn_header(BfFilterType type, BfCallSite *site, const uint8_t *payload, Size len)
{
	site->payload_len = 0;
	site->stored.generation = 0;
	bf_stored_header_read(type, payload, len, &site->header);
	bf_require_accepts(&site->header, &site->element);
	/*
	 * the payload may be freed; an own-hash name is the same as the element's
	 */
	site->header.name = site->element.name;
	memcpy(site->header_bytes, payload, DECISIVE_BYTES);
	site->header_len = bf_header_length(&site->header);
	site->payload_len = len;
}

/*
 * Count a test of a large filter.  If another filter comes to the address of
 * one that was moved, it is assumed to be on huge pages, too; if it is not,
 * tests are only slower.
 */
static void
count_test(BfCallSite *site, const struct varlena *flat, Size len)
{
	if (++site->ntests * BYTES_PER_TEST < len)
		return;
	site->ntests = 0;
	if (flat == site->collapsed)
		return;
	site->collapsed = flat;
	bf_collapse_pages(flat, len);
}

static inline void
target_open_flat(BfFilterType type, BfTarget *target, BfCallSite *site, struct varlena *flat)
{
	const uint8_t *payload = (const uint8_t *) VARDATA_ANY(flat);
	Size		len = VARSIZE_ANY_EXHDR(flat);

	if (unlikely(!header_is_known(site, payload, len)))
		learn_header(type, site, payload, len);
	if (unlikely(len >= LARGE_FILTER))
		count_test(site, flat, len);
	target->kind = BF_TARGET_FLAT;
	target->header = &site->header;
	target->data = payload + site->header_len;
}

static void
target_open_expanded(BfFilterType type, BfTarget *target, BfCallSite *site, Datum filter)
{
	BfExpanded *expanded = bf_expanded_get(type, filter);

	bf_expanded_flush(expanded);
	bf_require_accepts(&expanded->header, &site->element);
	target->kind = BF_TARGET_EXPANDED;
	target->header = &expanded->header;
	target->expanded = expanded;
}

/* Remember the header of a filter out of line. */
static void
learn_stored_header(BfFilterType type, BfCallSite *site, struct varlena *pointer)
{
	Size		len = bf_toast_payload_length(pointer);
	struct varlena *start = NULL;
	const uint8_t *payload;
	BfCacheRef	ref;

	bf_cache_find(&ref, pointer);
	payload = bf_cache_payload(&ref, pointer);
	if (payload == NULL)
	{
		start = bf_cache_slice(&ref, pointer, 0, BF_HEADER_SLICE);
		payload = (const uint8_t *) VARDATA_ANY(start);
	}
	if (!header_is_known(site, payload, len))
		learn_header(type, site, payload, len);
	site->stored = ref;
	if (start != NULL)
		pfree(start);
}

static inline void
target_open_stored(BfFilterType type, BfTarget *target, BfCallSite *site,
				   struct varlena *pointer)
{
	if (unlikely(!bf_cache_is_same(&site->stored, pointer)))
		learn_stored_header(type, site, pointer);
	target->kind = BF_TARGET_STORED;
	target->header = &site->header;
	target->pointer = pointer;
}

static pg_attribute_always_inline void
target_open(BfFilterType type, BfTarget *target, FunctionCallInfo fcinfo, int argno)
{
	BfCallSite *site = fcinfo->flinfo->fn_extra;
	Datum		filter = PG_GETARG_DATUM(argno);
	struct varlena *flat = (struct varlena *) DatumGetPointer(filter);

	target->detoasted = NULL;
	if (VARATT_IS_EXTERNAL_EXPANDED(flat))
		target_open_expanded(type, target, site, filter);
	else if (VARATT_IS_EXTERNAL_ONDISK(flat))
		target_open_stored(type, target, site, flat);
	else
	{
		/* in line: used in place, unless it is compressed */
		if (unlikely(VARATT_IS_COMPRESSED(flat) || VARATT_IS_EXTERNAL(flat)))
			flat = target->detoasted = PG_DETOAST_DATUM_PACKED(filter);
		target_open_flat(type, target, site, flat);
	}
}

static inline void
target_close(BfTarget *target)
{
	if (unlikely(target->detoasted != NULL))
		pfree(target->detoasted);
}

/*
 * How often was the hash added, at most?  "type" is a constant, for inlining.
 */
static pg_attribute_always_inline int
data_count(BfFilterType type, const BfHeader *header, const uint8_t *data, uint64_t hash)
{
	if (type == BF_PLAIN && likely(header->representation == BF_DENSE))
		return bf_block_contains_fast(data + bf_block_offset(hash, header->blocks),
									  hash, header->hashes);
	return bf_data_count(header, data, hash);
}

static pg_attribute_always_inline int
expanded_count(BfFilterType type, const BfExpanded *filter, uint64_t hash)
{
	if (filter->header.representation == BF_DENSE)
		return data_count(type, &filter->header, filter->body->blocks, hash);
	return type == BF_PLAIN ? bf_hashset_contains(&filter->body->set, hash) :
		bf_expanded_count_in_list(filter, hash);
}

/*
 * How often was the value added to the filter, at most?  0 or 1 for a
 * bloomfilter.  "type" is a constant, for inlining.
 */
static pg_attribute_always_inline int
target_count(BfFilterType type, const BfTarget *target, BfCallSite *site, Datum value)
{
	const BfHeader *header = target->header;
	const uint8_t *payload;
	uint64_t	hash = bf_hash_value(&site->element, bf_strips_blanks(header), value,
									 (uint64_t) header->seed);

	switch (target->kind)
	{
		case BF_TARGET_FLAT:
			return data_count(type, header, target->data, hash);
		case BF_TARGET_EXPANDED:
			return expanded_count(type, target->expanded, hash);
		case BF_TARGET_STORED:
			/* look it up only now: computing the hash may call any function */
			payload = bf_cache_payload(&site->stored, target->pointer);
			if (unlikely(payload == NULL))
				return bf_parts_count(&site->stored, target->pointer, header, hash);
			return data_count(type, header, payload + site->header_len, hash);
	}
	pg_unreachable();
}

static pg_attribute_always_inline int
count(BfFilterType type, FunctionCallInfo fcinfo, int filter_argno, int value_argno)
{
	BfCallSite *site = bf_call_site_of_value(fcinfo, value_argno, sizeof(BfCallSite));
	BfTarget	target;
	int			result;

	target_open(type, &target, fcinfo, filter_argno);
	result = target_count(type, &target, site, PG_GETARG_DATUM(value_argno));
	target_close(&target);
	return result;
}

static pg_attribute_always_inline Datum
contains(BfFilterType type, FunctionCallInfo fcinfo)
{
	PG_RETURN_BOOL(count(type, fcinfo, 0, 1) > 0);
}

static pg_attribute_always_inline Datum
contained_by(BfFilterType type, FunctionCallInfo fcinfo)
{
	PG_RETURN_BOOL(count(type, fcinfo, 1, 0) > 0);
}

BF_SQL_OF_BOTH(contains, contains);
BF_SQL_OF_BOTH(contained_by, contained_by);

/* A parameter would not do: an expression of PL/pgSQL outlives its value. */
static bool
argument_is_constant(const FmgrInfo *flinfo, int argno)
{
	return flinfo->fn_expr != NULL && IsA(flinfo->fn_expr, FuncExpr) &&
		IsA(list_nth(((FuncExpr *) flinfo->fn_expr)->args, argno), Const);
}

/*
 * Test a column for another server, which assumes that the column has the type
 * with this name.  If it has another type, every value passes.  A constant
 * name is checked only once: the call site exists only after a successful
 * check.
 */
Datum
bloomfilter_may_match(PG_FUNCTION_ARGS)
{
	BfElement  *element = fcinfo->flinfo->fn_extra;

	if ((element == NULL || !bf_element_is_current(element) ||
		 !argument_is_constant(fcinfo->flinfo, 2)) &&
		!bf_argument_is_declared(fcinfo, 1, PG_GETARG_TEXT_PP(2)))
		PG_RETURN_BOOL(true);
	PG_RETURN_BOOL(count(BF_PLAIN, fcinfo, 0, 1) > 0);
}

int
bf_sql_count(FunctionCallInfo fcinfo)
{
	return count(BF_COUNTING, fcinfo, 0, 1);
}

/*
 * Is there an element of the array that the filter contains (wanted is true),
 * or does not contain (wanted is false)?  Stops at the first such element.
 */
static pg_attribute_always_inline bool
some_element_is(BfFilterType type, FunctionCallInfo fcinfo, bool wanted)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(1);
	BfCallSite *site;
	BfTarget	target;
	BfArray		elements;
	bool		found = false;
	int			i;

	if (!bf_array_open(&elements, array))
		return false;
	site = bf_call_site_of_array(fcinfo, array, sizeof(BfCallSite));
	target_open(type, &target, fcinfo, 0);
	for (i = 0; i < elements.n && !found; i++)
	{
		CHECK_FOR_INTERRUPTS();
		found = !elements.nulls[i] &&
			(target_count(type, &target, site, elements.values[i]) > 0) == wanted;
	}
	target_close(&target);
	return found;
}

static pg_attribute_always_inline Datum
contains_any(BfFilterType type, FunctionCallInfo fcinfo)
{
	PG_RETURN_BOOL(some_element_is(type, fcinfo, true));
}

static pg_attribute_always_inline Datum
contains_all(BfFilterType type, FunctionCallInfo fcinfo)
{
	PG_RETURN_BOOL(!some_element_is(type, fcinfo, false));
}

BF_SQL_OF_BOTH(contains_any, contains_any);
BF_SQL_OF_BOTH(contains_all, contains_all);
