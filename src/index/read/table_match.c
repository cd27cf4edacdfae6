/*-------------------------------------------------------------------------
 *
 * table_match.c
 *		Conditions against the filter of a table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "index/file/table_hash.h"
#include "index/read/table_match.h"
#include "type/hashing/callsite.h"

static bool
is_of_column(Relation index, const ScanKeyData *key)
{
	return !OidIsValid(key->sk_subtype) || key->sk_subtype == index->rd_opcintype[0];
}

/*
 * The hasher for values that the column is compared with.  Returns false if the
 * filter cannot tell about them.
 */
static bool
init_hasher(BfTableHasher *hasher, Relation index, const ScanKeyData *key)
{
	if (is_of_column(index, key))
	{
		bf_table_element(hasher, index);
		return true;
	}
	/* families of types that are compared with each other are hashed alike */
	return bf_element_init_plain(&hasher->element, key->sk_subtype, index->rd_indcollation[0]) &&
		hasher->element.family == bf_table_filter(index, false)->meta.family;
}

/* An element of another type than the column's is never made anew: it stays what it is. */
static bool
may_have(BfTableHasher *hasher, Relation index, const ScanKeyData *key, Datum value)
{
	const BfElement *element = &hasher->element;

	return bf_table_contains(index, is_of_column(index, key) ? bf_table_hash(hasher, index, value) :
							 bf_hash_value(element, element->family == BF_FAMILY_BPCHAR, value, 0));
}

/* Is one of the elements in the filter? */
static bool
may_have_element(BfTableHasher *hasher, Relation index, const ScanKeyData *key)
{
	BfArray		elements;
	int			i;

	if (!bf_array_open(&elements, DatumGetArrayTypeP(key->sk_argument)))
		return false;
	for (i = 0; i < elements.n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!elements.nulls[i] && may_have(hasher, index, key, elements.values[i]))
			return true;
	}
	return false;
}

static bool
may_match(Relation index, const ScanKeyData *key)
{
	BfTableHasher hasher = {.mcxt = CurrentMemoryContext};

	if (key->sk_flags & SK_ISNULL)
		return false;
	if (!init_hasher(&hasher, index, key))
		return true;
	if (key->sk_flags & SK_SEARCHARRAY)
		return may_have_element(&hasher, index, key);
	return may_have(&hasher, index, key, key->sk_argument);
}

bool
bf_table_may_match(Relation index, const ScanKeyData *keys, int nkeys)
{
	int			i;

	for (i = 0; i < nkeys; i++)
		if (!may_match(index, &keys[i]))
			return false;
	return true;
}
