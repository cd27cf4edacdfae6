/*-------------------------------------------------------------------------
 *
 * hasher.c
 *		The hash of a type with its own hash function, and of arrays, ranges
 *		and multiranges of such types.
 *
 * The server hashes the parts of arrays, ranges and multiranges by the
 * functions in its type cache.  The type cache does not notice that a function
 * was replaced (it keeps the address of the old one, or its parsed text), nor
 * that an operator family got another function.  The hash would then not be
 * that of the function recorded in the filter.  So these three are hashed
 * here, in the same way as by hash_array_extended(), hash_range_extended() and
 * hash_multirange_extended(), but by functions that were looked up in the
 * catalogs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

#include "compat.h"
#include "type/hashing/hasher.h"
#include "type/hashing/own_hash.h"

struct BfHasher
{
	MemoryContext mcxt;			/* for the hasher and its parts, nothing else */
	Oid			typid;
	Oid			function;
	FmgrInfo	finfo;			/* not for arrays, ranges, multiranges */
	Oid			collation;
	BfHasher   *part;			/* of elements, bounds, ranges */
	/* arrays: properties of the element type */
	int16		len;
	bool		byval;
	char		align;
	/* ranges */
	TypeCacheEntry *typcache;
};

/* ---------- creating ---------- */

static BfHasher *create(Oid typid, Oid collation, MemoryContext mcxt);

static BfHasher *
allocate(Oid typid, Oid function, Oid collation, MemoryContext mcxt)
{
	BfHasher   *hasher = MemoryContextAllocZero(mcxt, sizeof(BfHasher));

	hasher->mcxt = mcxt;
	hasher->typid = typid;
	hasher->function = function;
	hasher->collation = collation;
	return hasher;
}

/* The hasher of a part; a domain is hashed as its base type. */
static BfHasher *
create_part(Oid typid, Oid collation, MemoryContext mcxt)
{
	check_stack_depth();
	return create(getBaseType(typid), collation, mcxt);
}

/*
 * Add the hasher of the bounds.  Ranges in a multirange are hashed by their
 * bounds even if the range type has another hash function.
 */
static void
add_bounds(BfHasher *range, MemoryContext mcxt)
{
	range->typcache = lookup_type_cache(range->typid, TYPECACHE_RANGE_INFO);
	range->part = create_part(get_range_subtype(range->typid), get_range_collation(range->typid),
							  mcxt);
}

static BfHasher *
create(Oid typid, Oid collation, MemoryContext mcxt)
{
	BfHasher   *hasher = allocate(typid, bf_own_hash_function(typid), collation, mcxt);
	Oid			element;

	switch (hasher->function)
	{
		case F_HASH_ARRAY_EXTENDED:
			element = get_element_type(typid);
			get_typlenbyvalalign(element, &hasher->len, &hasher->byval, &hasher->align);
			hasher->part = create_part(element, collation, mcxt);
			break;
		case F_HASH_RANGE_EXTENDED:
			add_bounds(hasher, mcxt);
			break;
		case F_HASH_MULTIRANGE_EXTENDED:
			hasher->part = allocate(get_multirange_range(typid), F_HASH_RANGE_EXTENDED,
									InvalidOid, mcxt);
			add_bounds(hasher->part, mcxt);
			break;
		default:
			fmgr_info_cxt(hasher->function, &hasher->finfo, mcxt);
			break;
	}
	return hasher;
}

/*
 * A hasher has a context of its own, which is also that of its FmgrInfos.
 * What functions keep in fn_extra, as functions in SQL and hash functions of
 * rows do, is freed with that context; there is no other way to free it.
 */
BfHasher *
bf_hasher_create(Oid typid, Oid collation, MemoryContext mcxt)
{
	MemoryContext own = AllocSetContextCreate(CurrentMemoryContext, "bloomfilter hasher",
											  ALLOCSET_SMALL_SIZES);
	BfHasher   *hasher = create(typid, collation, own);

	/* only now: until here an error frees the context with its parent */
	MemoryContextSetParent(own, mcxt);
	return hasher;
}

void
bf_hasher_free(BfHasher *hasher)
{
	MemoryContextDelete(hasher->mcxt);
}

/* ---------- hashing ---------- */

static uint64
function_hash(BfHasher *hasher, Datum value, uint64 seed)
{
	LOCAL_FCINFO(fcinfo, 2);
	Datum		result;

	InitFunctionCallInfoData(*fcinfo, &hasher->finfo, 2, hasher->collation, NULL, NULL);
	fcinfo->args[0].value = value;
	fcinfo->args[0].isnull = false;
	fcinfo->args[1].value = UInt64GetDatum(seed);
	fcinfo->args[1].isnull = false;
	result = FunctionCallInvoke(fcinfo);
	if (fcinfo->isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("hash function of type %s returned NULL",
						format_type_be(hasher->typid)),
				 errhint("A hash function must return a number for every value.")));
	return DatumGetUInt64(result);
}

/*
 * Append the hash of a part to that of a sequence, with the server's formula.
 */
static inline uint64
append_hash(uint64 sequence, uint64 part)
{
	return sequence * 31 + part;
}

static uint64
array_hash(BfHasher *hasher, Datum value, uint64 seed)
{
	AnyArrayType *array = DatumGetAnyArrayP(value);
	int			n = ArrayGetNItems(AARR_NDIM(array), AARR_DIMS(array));
	array_iter	iterator;
	int			i;
	uint64		result = 1;

	BF_ARRAY_ITER_SETUP(&iterator, array, hasher->len, hasher->byval, hasher->align);
	for (i = 0; i < n; i++)
	{
		bool		isnull;
		Datum		element = BF_ARRAY_ITER_NEXT(&iterator, &isnull, i, hasher->len,
												 hasher->byval, hasher->align);

		CHECK_FOR_INTERRUPTS();
		result = append_hash(result, isnull ? 0 : bf_hasher_hash(hasher->part, element, seed));
	}
	if (!VARATT_IS_EXPANDED_HEADER(array) && (Pointer) array != DatumGetPointer(value))
		pfree(array);
	return result;
}

static uint64
range_value_hash(BfHasher *hasher, RangeType *range, uint64 seed)
{
	const char	flags = range_get_flags(range);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	uint64		result;

	range_deserialize(hasher->typcache, range, &lower, &upper, &empty);
	result = hash_bytes_uint32_extended((uint32) flags, seed);
	if (RANGE_HAS_LBOUND(flags))
		result ^= bf_hasher_hash(hasher->part, lower.val, seed);
	result = ROTATE_HIGH_AND_LOW_32BITS(result);
	if (RANGE_HAS_UBOUND(flags))
		result ^= bf_hasher_hash(hasher->part, upper.val, seed);
	return result;
}

static uint64
range_hash(BfHasher *hasher, Datum value, uint64 seed)
{
	RangeType  *range = DatumGetRangeTypeP(value);
	uint64		result = range_value_hash(hasher, range, seed);

	if ((Pointer) range != DatumGetPointer(value))
		pfree(range);
	return result;
}

static uint64
multirange_hash(BfHasher *hasher, Datum value, uint64 seed)
{
	MultirangeType *multirange = DatumGetMultirangeTypeP(value);
	uint32		i;
	uint64		result = 1;

	for (i = 0; i < multirange->rangeCount; i++)
	{
		RangeType  *range;

		CHECK_FOR_INTERRUPTS();
		range = multirange_get_range(hasher->part->typcache, multirange, (int) i);
		result = append_hash(result, range_value_hash(hasher->part, range, seed));
		pfree(range);
	}
	if ((Pointer) multirange != DatumGetPointer(value))
		pfree(multirange);
	return result;
}

uint64
bf_hasher_hash(BfHasher *hasher, Datum value, uint64 seed)
{
	switch (hasher->function)
	{
		case F_HASH_ARRAY_EXTENDED:
			return array_hash(hasher, value, seed);
		case F_HASH_RANGE_EXTENDED:
			return range_hash(hasher, value, seed);
		case F_HASH_MULTIRANGE_EXTENDED:
			return multirange_hash(hasher, value, seed);
		default:
			return function_hash(hasher, value, seed);
	}
}
