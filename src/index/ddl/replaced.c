/*-------------------------------------------------------------------------
 *
 * replaced.c
 *		Keeping the counts of an index that REINDEX CONCURRENTLY replaces.
 *
 * The new index gets the name of the old one, which is called NAME_ccold from
 * then on, and is dropped at the end; or by hand, if REINDEX failed.  Nobody
 * tells more of which index replaced which.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/index.h"
#include "catalog/pg_class_d.h"
#include "commands/defrem.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "evidence/counts.h"
#include "index/ddl/replaced.h"

/* What the server appends to the name, and perhaps a number. */
#define OLD_LABEL	"ccold"

/* The label in a name, or NULL. */
static const char *
find_label(const char *name)
{
	const char *underscore = strrchr(name, '_');
	const char *label = underscore == NULL ? NULL : underscore + 1;

	if (label == NULL || strncmp(label, OLD_LABEL, strlen(OLD_LABEL)) != 0 ||
		strspn(label + strlen(OLD_LABEL), "0123456789") != strlen(label + strlen(OLD_LABEL)))
		return NULL;
	return label;
}

/* Is it the name, maybe cut off, that the server gives an index that is replaced? */
static bool
is_old_name_of(const char *old_name, const char *label, const char *name)
{
	return name != NULL && strcmp(makeObjectName(name, NULL, label), old_name) == 0;
}

/* The index of the same table that has the name now, or InvalidOid. */
static Oid
find_replacement(Oid old, const char *old_name, const char *label)
{
	Relation	heap = table_open(IndexGetRelation(old, false), AccessShareLock);
	List	   *indexes = RelationGetIndexList(heap);
	Oid			result = InvalidOid;
	ListCell   *cell;

	foreach(cell, indexes)
		if (lfirst_oid(cell) != old && is_old_name_of(old_name, label, get_rel_name(lfirst_oid(cell))))
			result = lfirst_oid(cell);
	list_free(indexes);
	table_close(heap, NoLock);
	return result;
}

void
bf_index_keep_counts(Oid relation)
{
	char	   *name = get_rel_name(relation);
	const char *label = name == NULL ? NULL : find_label(name);
	Oid			replacement;

	/* an index of such a name that is valid has not been replaced */
	if (label == NULL || get_rel_relkind(relation) != RELKIND_INDEX || get_index_isvalid(relation))
		return;
	replacement = find_replacement(relation, name, label);
	if (OidIsValid(replacement))
		bf_counts_move(relation, replacement);
}
