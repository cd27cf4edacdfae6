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

/*
 * The hasher for values that the column is compared with.  Returns false if the
 * filter cannot tell about them.
 */
static bool
init_hasher(BfTableHasher *hasher, Relation index, const ScanKeyData *key)
{
	const BfTableFilter *filter = bf_table_filter(index);

	if (!OidIsValid(key->sk_subtype) || key->sk_subtype == index->rd_opcintype[0])
	{
		bf_table_element(hasher, index);
		return true;
	}
	/* families of types that are compared with each other are hashed alike */
	return bf_element_init_plain(&hasher->element, key->sk_subtype, index->rd_indcollation[0]) &&
		hasher->element.family == filter->family;
}

static bool
may_have(BfTableHasher *hasher, Relation index, Datum value)
{
	return bf_table_contains(index, bf_table_hash(hasher, index, value));
}

/* Is one of the elements in the filter? */
static bool
may_have_element(BfTableHasher *hasher, Relation index, Datum array)
{
	BfArray		elements;
	int			i;

	if (!bf_array_open(&elements, DatumGetArrayTypeP(array)))
		return false;
	for (i = 0; i < elements.n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!elements.nulls[i] && may_have(hasher, index, elements.values[i]))
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
		return may_have_element(&hasher, index, key->sk_argument);
	return may_have(&hasher, index, key->sk_argument);
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
