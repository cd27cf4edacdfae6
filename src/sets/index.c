/*-------------------------------------------------------------------------
 *
 * index.c
 *		The index by which the rows of a set are found.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "catalog/pg_am_d.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "sets/index.h"

static bool
is_usable(Relation index, AttrNumber segment)
{
	Form_pg_index form = index->rd_index;

	return index->rd_rel->relam == BTREE_AM_OID && form->indisvalid && form->indisunique &&
		form->indimmediate && form->indnkeyatts == 1 && form->indkey.values[0] == segment &&
		RelationGetIndexPredicate(index) == NIL;
}

Oid
bf_set_find_index(Relation table)
{
	AttrNumber	segment = get_attnum(RelationGetRelid(table), "segment");
	List	   *indexes;
	Oid			found = InvalidOid;
	ListCell   *cell;

	/* rows are found as those of catalogs are, which are heaps */
	if (table->rd_rel->relam != HEAP_TABLE_AM_OID)
		return InvalidOid;
	indexes = RelationGetIndexList(table);
	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		if (is_usable(index, segment))
			found = lfirst_oid(cell);
		index_close(index, AccessShareLock);
	}
	list_free(indexes);
	return found;
}
