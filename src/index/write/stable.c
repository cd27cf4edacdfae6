/*-------------------------------------------------------------------------
 *
 * stable.c
 *		Refusing columns whose equal values may have different hashes.
 *
 * The server's hash functions of what has elements do not see all that their =
 * sees.  A hash index of such a column loses rows, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/transam.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/typcache.h"

#include "compat.h"
#include "index/file/hash.h"
#include "index/file/keys.h"
#include "index/write/stable.h"

static void
refuse(Relation index, Oid type, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("values of type %s cannot be in index \"%s\"", format_type_be(type),
					RelationGetRelationName(index)),
			 errdetail_internal("%s", detail),
			 errhint("%s", hint)));
}

/* Does the function hash by what the type is made of?  None is found for some such types. */
static bool
hashes_parts(Oid function)
{
	switch (function)
	{
		case InvalidOid:
		case F_HASH_ARRAY_EXTENDED:
		case F_HASH_RECORD_EXTENDED:
		case F_HASH_RANGE_EXTENDED:
		case F_HASH_MULTIRANGE_EXTENDED:
			return true;
		default:
			return false;
	}
}

/* The function by which what is made of the type hashes it, or InvalidOid. */
static Oid
default_hash(Oid type)
{
	return lookup_type_cache(getBaseType(type), TYPECACHE_HASH_EXTENDED_PROC)->hash_extended_proc;
}

static void check_parts(Relation index, Oid type, Oid collation);

/* A type of which others are made, hashed by its default function. */
static void
check_part(Relation index, Oid type, Oid collation)
{
	Oid			function = default_hash(type);

	if (function == F_HASHNAMEEXTENDED && !get_collation_isdeterministic(collation))
		refuse(index, type, "The collation calls names with different bytes equal, but their hashes are of the bytes.",
			   "Use a deterministic collation, or text in the place of name.");
	if (BF_BPCHAR_HASH_HAS_BLANKS && function == F_HASHBPCHAREXTENDED &&
		!get_collation_isdeterministic(collation))
		refuse(index, type, "The collation is not deterministic; with it, this version of PostgreSQL hashes the blanks at the end.",
			   "Use a deterministic collation, or text in the place of char(n).");
	if (hashes_parts(function))
		check_parts(index, type, collation);
}

static void
check_range(Relation index, Oid type)
{
	TypeCacheEntry *range = lookup_type_cache(type, TYPECACHE_RANGE_INFO);
	Oid			subtype = range->rngelemtype->type_id;

	if (range->rng_cmp_proc_finfo.fn_oid != lookup_type_cache(subtype, TYPECACHE_CMP_PROC)->cmp_proc)
		refuse(index, type, "Its operator class is not the default of its subtype, but its hash is that of the default.",
			   "Use a B-tree index.");
	/*
	 * Bounds are compared by the order, not by the = of the subtype, which may be
	 * finer.  check_part() knows which of the server's hashes follow a collation.
	 */
	if (OidIsValid(range->rng_collation) && !get_collation_isdeterministic(range->rng_collation) &&
		default_hash(subtype) >= FirstNormalObjectId)
		refuse(index, type, "It is compared by a collation that is not deterministic, but the hash of its subtype may be by another.",
			   "Use a B-tree index.");
	check_part(index, subtype, range->rng_collation);
}

static void
check_parts(Relation index, Oid type, Oid collation)
{
	Oid			base = getBaseType(type);
	Oid			element = get_element_type(base);

	check_stack_depth();
	if (OidIsValid(element))
	{
		check_part(index, element, collation);
		return;
	}
	switch (get_typtype(base))
	{
		case TYPTYPE_COMPOSITE:
			refuse(index, type, "A composite type's hash changes with its columns.",
				   "Index its columns, as in ((value).column), or use a B-tree index.");
			break;
		case TYPTYPE_RANGE:
			check_range(index, base);
			break;
		case TYPTYPE_MULTIRANGE:
			check_range(index, get_multirange_range(base));
			break;
		default:
			refuse(index, type, "The type has no default hash function with a seed.", "Index values of another type.");
			break;
	}
}

/* The type of what a column of the index hashes: its values, or their keys. */
static Oid
hashed_type(Relation index, int column)
{
	return bf_index_has_keys(index, column) ? bf_key_type(index, column) :
		TupleDescAttr(RelationGetDescr(index), column)->atttypid;
}

/* Of the values of a column, or of their keys; InvalidOid: none is found. */
static Oid
hash_function(Relation index, int column)
{
	return bf_index_has_keys(index, column) ? bf_key_hash_function(index, column) :
		index_getprocid(index, column + 1, BF_HASH_PROC);
}

/* CREATE OPERATOR CLASS does not require them. */
static void
require_functions(Relation index, int column)
{
	int			number;

	if (!bf_index_has_keys(index, column))
		return;
	for (number = BF_EXTRACT_QUERY_PROC; number <= BF_SUPPORT_FUNCTIONS; number++)
		if (!OidIsValid(index_getprocid(index, column + 1, number)))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("an operator class of index \"%s\" has no support function %d",
							RelationGetRelationName(index), number),
					 errhint("A class with function 2 holds keys, and needs functions 3 and 4.")));
}

/* Keys of a type that has no hash function, nor is made of what has none. */
static void
require_hash_function(Relation index, int column)
{
	Oid			type = getBaseType(hashed_type(index, column));

	if (OidIsValid(hash_function(index, column)) || OidIsValid(get_element_type(type)) ||
		get_typtype(type) != TYPTYPE_BASE)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("type %s of the keys in index \"%s\" has no extended hash function",
					format_type_be(type), RelationGetRelationName(index)),
			 errhint("Give a default hash operator class to the type, or function 1 to the operator class of the index.")));
}

/* Trigrams of texts that a collation calls equal, for instance, are others. */
static void
require_collation(Relation index, int column)
{
	Oid			collation = index->rd_indcollation[column];

	if (bf_index_has_keys(index, column) && OidIsValid(collation) &&
		!get_collation_isdeterministic(collation) &&
		!type_is_collatable(hashed_type(index, column)))
		refuse(index, hashed_type(index, column), "The collation of the column calls values with different bytes equal, but the type of their keys has no collation.",
			   "Use a deterministic collation.");
}

void
bf_index_require_stable(Relation index)
{
	int			column;

	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
	{
		require_functions(index, column);
		require_hash_function(index, column);
		require_collation(index, column);
		if (hashes_parts(hash_function(index, column)))
			check_parts(index, hashed_type(index, column), bf_key_collation(index, column));
	}
}
