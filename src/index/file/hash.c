/*-------------------------------------------------------------------------
 *
 * hash.c
 *		The hashes of an index's values, and of the values in conditions.
 *
 * What is stored on disk depends on these hashes: a change would make every
 * index forget its rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "core/hash.h"
#include "index/file/hash.h"

/*
 * The seed of the types' hash functions: any number but 0, which hash joins
 * use, and the one of hash partitions.  All values of a hash partition have
 * the same remainder by that seed.
 */
#define HASH_SEED	INT64CONST(0x6266696E646578)

/* The string is freed. */
static Datum
hash_text(Oid collation, Datum string)
{
	Datum		result = DirectFunctionCall2Coll(hashtextextended, collation, string,
												 Int64GetDatum(HASH_SEED));

	pfree(DatumGetPointer(string));
	return result;
}

/*
 * The server compares names by their collation, but hashes them by their bytes.
 * As text they are hashed by both; and if the collation is deterministic, alike.
 */
static Datum
hash_name(Oid collation, Datum name)
{
	return hash_text(collation, DirectFunctionCall1(name_text, name));
}

/*
 * The server compares char(n) without the blanks at the end, but hashes them, too, up
 * to 15 and if the collation is not deterministic.
 */
static Datum
hash_bpchar(FmgrInfo *function, Oid collation, Datum value)
{
	BpChar	   *string;
	text	   *trimmed;

	if (!BF_BPCHAR_HASH_HAS_BLANKS || get_collation_isdeterministic(collation))
		return FunctionCall2Coll(function, collation, value, Int64GetDatum(HASH_SEED));
	string = DatumGetBpCharPP(value);
	trimmed = cstring_to_text_with_len(VARDATA_ANY(string),
									   bpchartruelen(VARDATA_ANY(string), VARSIZE_ANY_EXHDR(string)));
	return hash_text(collation, PointerGetDatum(trimmed));
}

static Datum
hash_value(FmgrInfo *function, Oid collation, Datum value)
{
	switch (function->fn_oid)
	{
		case F_HASHNAMEEXTENDED:
			return hash_name(collation, value);
		case F_HASHBPCHAREXTENDED:
			return hash_bpchar(function, collation, value);
		case F_HASHCHAREXTENDED:
			/* the server's depends on whether the machine's char has a sign */
			return hash_uint32_extended((uint32) (int32) (int8) DatumGetChar(value), HASH_SEED);
		default:
			return FunctionCall2Coll(function, collation, value, Int64GetDatum(HASH_SEED));
	}
}

/*
 * Mixed, because the function may be anyone's, and its bits need not be
 * random.
 */
uint64
bf_hash_by(FmgrInfo *function, Oid collation, Datum value)
{
	return bf_hash_word8(DatumGetInt64(hash_value(function, collation, value)), bf_xxh3, 0);
}

uint64
bf_index_hash(Relation index, int column, Datum value)
{
	return bf_hash_by(index_getprocinfo(index, column + 1, BF_HASH_PROC),
					 index->rd_indcollation[column], value);
}

/* A value of another type than the column's has a hash function of its own. */
static FmgrInfo *
key_function(Relation index, const ScanKeyData *key)
{
	int			column = key->sk_attno - 1;
	Oid			family = index->rd_opfamily[column];
	FmgrInfo   *function;
	Oid			oid;

	if (!OidIsValid(key->sk_subtype) || key->sk_subtype == index->rd_opcintype[column])
		return index_getprocinfo(index, key->sk_attno, BF_HASH_PROC);
	oid = get_opfamily_proc(family, key->sk_subtype, key->sk_subtype, BF_HASH_PROC);
	if (!OidIsValid(oid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("operator family of index \"%s\" has no hash function for type %s",
						RelationGetRelationName(index), format_type_be(key->sk_subtype)),
				 errhint("Add the function with ALTER OPERATOR FAMILY.")));
	function = palloc(sizeof(FmgrInfo));
	fmgr_info(oid, function);
	return function;
}

static int
compare_hashes(const void *a, const void *b)
{
	uint64		x = *(const uint64 *) a;
	uint64		y = *(const uint64 *) b;

	return (x > y) - (x < y);
}

int
bf_sort_hashes(uint64 *hashes, int count)
{
	int			kept = 0;
	int			i;

	qsort(hashes, count, sizeof(uint64), compare_hashes);
	for (i = 0; i < count; i++)
		if (kept == 0 || hashes[i] != hashes[kept - 1])
			hashes[kept++] = hashes[i];
	return kept;
}

int
bf_condition_values(const ScanKeyData *key, Datum **values, bool **nulls)
{
	ArrayType  *array;
	int16		len;
	bool		byval;
	char		align;
	int			count;

	if (!(key->sk_flags & SK_SEARCHARRAY))
	{
		*values = palloc(sizeof(Datum));
		*nulls = palloc0(sizeof(bool));
		**values = key->sk_argument;
		return 1;
	}
	array = DatumGetArrayTypeP(key->sk_argument);
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &len, &byval, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), len, byval, align, values, nulls, &count);
	return count;
}

uint64 *
bf_key_hashes(Relation index, const ScanKeyData *key, int *count)
{
	Oid			collation = index->rd_indcollation[key->sk_attno - 1];
	Datum	   *values;
	bool	   *nulls;
	int			nvalues;
	FmgrInfo   *function;
	uint64	   *hashes;
	int			i;

	*count = 0;
	if (key->sk_flags & SK_ISNULL)
		return NULL;
	function = key_function(index, key);
	nvalues = bf_condition_values(key, &values, &nulls);
	hashes = palloc(Max(nvalues, 1) * sizeof(uint64));
	for (i = 0; i < nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			hashes[(*count)++] = bf_hash_by(function, collation, values[i]);
	}
	*count = bf_sort_hashes(hashes, *count);
	return hashes;
}
