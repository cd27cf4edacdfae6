/*-------------------------------------------------------------------------
 *
 * keys.c
 *		What an index holds of a row: a hash of each column's value, or of each
 *		of the keys in it.
 *
 * As in GIN, a NULL among the keys is a key, and a value without keys has one that
 * stands for that.  So each value that is not NULL has at least one hash, and is
 * found by queries for empty values.
 *
 * What is stored on disk depends on these hashes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_index.h"
#include "catalog/pg_opclass.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "core/hash.h"
#include "index/file/hash.h"
#include "index/file/keys.h"

/* The hashes of what is no value of the key's type: others may collide with them. */
#define NULL_KEY	bf_hash_word8(1, bf_xxh3, 0)
#define NO_KEYS		bf_hash_word8(2, bf_xxh3, 0)

bool
bf_index_has_keys(Relation index, int column)
{
	return OidIsValid(index_getprocid(index, (AttrNumber) (column + 1), BF_EXTRACT_VALUE_PROC));
}

bool
bf_index_has_any_keys(Relation index)
{
	int			column;

	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
		if (bf_index_has_keys(index, column))
			return true;
	return false;
}

/* As GIN does: a type without collation may have keys of a type with one. */
Oid
bf_key_collation(Relation index, int column)
{
	Oid			collation = index->rd_indcollation[column];

	return OidIsValid(collation) ? collation : DEFAULT_COLLATION_OID;
}

/* The type that the operator class of a column stores, or InvalidOid. */
static Oid
storage_type(Relation index, int column)
{
	bool		isnull;
	Datum		classes = SysCacheGetAttr(INDEXRELID, index->rd_indextuple, Anum_pg_index_indclass, &isnull);
	HeapTuple	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(((oidvector *) DatumGetPointer(classes))->values[column]));
	Oid			result = InvalidOid;

	if (HeapTupleIsValid(tuple))
	{
		result = ((Form_pg_opclass) GETSTRUCT(tuple))->opckeytype;
		ReleaseSysCache(tuple);
	}
	return result;
}

Oid
bf_key_type(Relation index, int column)
{
	Oid			type = index->rd_opcintype[column];

	if (IsPolymorphicType(type) || OidIsValid(storage_type(index, column)))
		type = TupleDescAttr(RelationGetDescr(index), column)->atttypid;
	return getBaseType(type);
}

/* The default hash function of the keys' type. */
static TypeCacheEntry *
key_type(Relation index, int column)
{
	return lookup_type_cache(bf_key_type(index, column),
							 TYPECACHE_HASH_EXTENDED_PROC | TYPECACHE_HASH_EXTENDED_PROC_FINFO);
}

Oid
bf_key_hash_function(Relation index, int column)
{
	Oid			function = index_getprocid(index, (AttrNumber) (column + 1), BF_HASH_PROC);

	return OidIsValid(function) ? function : key_type(index, column)->hash_extended_proc;
}

/*
 * The type whose default hash function is that of a column's keys; NULL: the operator
 * class has one.  There was one when the index was built; the type may have lost it.
 */
static TypeCacheEntry *
hashing_type(Relation index, int column)
{
	TypeCacheEntry *type;

	if (OidIsValid(index_getprocid(index, (AttrNumber) (column + 1), BF_HASH_PROC)))
		return NULL;
	type = key_type(index, column);
	if (!OidIsValid(type->hash_extended_proc))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("type %s of the keys in index \"%s\" has no extended hash function",
						format_type_be(type->type_id), RelationGetRelationName(index)),
				 errhint("Give a default hash operator class to the type and REINDEX, or drop the index.")));
	return type;
}

static uint64
hash_key(Relation index, int column, TypeCacheEntry *type, Datum key, bool isnull)
{
	FmgrInfo   *function = type != NULL ? &type->hash_extended_proc_finfo :
		index_getprocinfo(index, (AttrNumber) (column + 1), BF_HASH_PROC);

	return isnull ? NULL_KEY : bf_hash_by(function, bf_key_collation(index, column), key);
}

uint64
bf_key_hash(Relation index, int column, Datum key, bool isnull)
{
	return hash_key(index, column, hashing_type(index, column), key, isnull);
}

uint64
bf_no_keys_hash(void)
{
	return NO_KEYS;
}

/* Returns the number of hashes of a value's keys, at least one. */
static int
hash_keys(Relation index, int column, Datum value, uint64 **hashes)
{
	TypeCacheEntry *type = hashing_type(index, column);
	int32		count = 0;
	bool	   *nulls = NULL;
	Datum	   *keys;
	int32		i;

	keys = (Datum *) DatumGetPointer(FunctionCall3Coll(index_getprocinfo(index, (AttrNumber) (column + 1),
																		 BF_EXTRACT_VALUE_PROC),
													   bf_key_collation(index, column), value,
													   PointerGetDatum(&count),
													   PointerGetDatum(&nulls)));
	if (keys == NULL || count <= 0)
	{
		*hashes = palloc(sizeof(uint64));
		**hashes = NO_KEYS;
		return 1;
	}
	*hashes = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(uint64));
	for (i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		(*hashes)[i] = hash_key(index, column, type, keys[i], nulls != NULL && nulls[i]);
	}
	return bf_sort_hashes(*hashes, count);
}

bool
bf_row_hashes(BfRowHashes *row, Relation index, const Datum *values, const bool *isnull)
{
	bool		result = false;
	int			column;

	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
	{
		row->counts[column] = 0;
		if (isnull[column])
			continue;
		if (bf_index_has_keys(index, column))
			row->counts[column] = hash_keys(index, column, values[column], &row->hashes[column]);
		else
		{
			row->single[column] = bf_index_hash(index, column, values[column]);
			row->hashes[column] = &row->single[column];
			row->counts[column] = 1;
		}
		result = true;
	}
	return result;
}
