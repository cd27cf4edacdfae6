/*-------------------------------------------------------------------------
 *
 * table_hash.c
 *		The hashes in the filter of a table: those of the type.
 *
 * The type hashes values alike if the type's = calls them equal.  So the index
 * must compare by this operator.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "index/file/hash.h"
#include "index/file/table_hash.h"

static Oid
column_type(Relation index)
{
	return TupleDescAttr(RelationGetDescr(index), 0)->atttypid;
}

static void
init_element(BfTableHasher *hasher, Relation index, Oid type)
{
	bf_element_init(&hasher->element, type, index->rd_indcollation[0], hasher->mcxt);
	bf_element_keep_bytes(&hasher->element);
}

/*
 * The type that a new index hashes values as.  What regclass and its like call
 * equal is an OID, which a filter that is stored does not take as such, since
 * it may be restored elsewhere; an index is built anew there.
 */
static Oid
type_to_hash(Relation index)
{
	return index->rd_opcintype[0] == OIDOID ? OIDOID : column_type(index);
}

/*
 * The type that an index hashes values as.  ALTER TABLE keeps the index,
 * with its operator class, where values of the new type are also such of the old
 * one, as those of regclass and oid are.
 */
static Oid
hashed_type(Relation index, const BfTableFilter *filter)
{
	Oid			class_type = index->rd_opcintype[0];
	BfElement	element;

	return bf_element_init_plain(&element, class_type, index->rd_indcollation[0]) &&
		element.family == filter->meta.family ? class_type : column_type(index);
}

static void
check_operator(Relation index)
{
	Oid			type = column_type(index);
	Oid			class_type = index->rd_opcintype[0];
	Oid			equal = get_opfamily_member(index->rd_opfamily[0], class_type, class_type,
											BF_EQUAL_STRATEGY);

	if (equal == lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("operator class of index \"%s\" does not compare values of type %s as filters do",
					RelationGetRelationName(index), format_type_be(type)),
			 errhint("Use the default operator class, or scope = 'ranges'.")));
}

void
bf_table_hasher_init(BfTableHasher *hasher, Relation index, BfTableFilter *filter)
{
	check_operator(index);
	init_element(hasher, index, type_to_hash(index));
	filter->meta.family = hasher->element.family;
	filter->meta.environment = hasher->element.environment;
}

const BfElement *
bf_table_element(BfTableHasher *hasher, Relation index)
{
	/* a copy, since the relation's may go while catalogs are read */
	const BfTableFilter filter = *bf_table_filter(index, false);

	init_element(hasher, index, hashed_type(index, &filter));
	if (filter.meta.family != hasher->element.family ||
		filter.meta.environment != hasher->element.environment)
	{
		/* not to be used by whoever catches the error */
		hasher->element.generation = 0;
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("values of index \"%s\" are hashed in another way than when it was built",
						RelationGetRelationName(index)),
				 errhint("Rebuild the index with REINDEX.")));
	}
	return &hasher->element;
}

void
bf_table_header(BfHeader *header, const BfTableFilter *filter, const BfElement *element)
{
	memset(header, 0, sizeof(*header));
	header->type = BF_PLAIN;
	header->representation = BF_DENSE;
	header->hashes = filter->meta.slab.k;
	header->blocks = filter->meta.slab.blocks;
	header->family = element->family;
	header->environment = element->environment;
	header->capacity = filter->meta.capacity;
	header->rate = filter->meta.rate;
	header->name = element->name;
	header->name_len = element->name_len;
}
