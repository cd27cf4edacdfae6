/*-------------------------------------------------------------------------
 *
 * hook.c
 *		What the server does to the definitions of filter indexes.
 *
 * The access method is not asked about indexes of partitioned tables, which have
 * no pages, nor about storage parameters together with the columns.  So what no
 * index can be is refused by a hook, when it is asked for and not first by what
 * builds the index later: a new partition, REINDEX, TRUNCATE.
 *
 * The hook is installed when a session has to do with a filter index for the
 * first time, which is before the access method knows of a new one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_class_d.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "index/ddl/hook.h"
#include "index/file/options.h"
#include "index/handler.h"
#include "index/write/stable.h"
#include "index/write/table_build.h"

static bool installed = false;
static object_access_hook_type previous = NULL;

/* Raise an error if no index can be what this one shall be. */
static void
check_definition(Relation index)
{
	if (bf_index_scope_asked(index) == BF_SCOPE_TABLE)
		bf_table_check_definition(index);
	else
		bf_index_require_stable(index);
}

/* The server makes the new entries of the catalogs visible right after the hook, too. */
static void
check_new(Oid oid)
{
	/* without asking for a lock: others do not see the relation yet */
	Relation	index = RelationIdGetRelation(oid);

	if (index == NULL)
		return;
	if (index->rd_rel->relkind == RELKIND_PARTITIONED_INDEX)
	{
		CommandCounterIncrement();
		if (bf_is_partitioned_filter_index(index))
			check_definition(index);
	}
	RelationClose(index);
}

/* The storage parameters of an index may have changed. */
static void
check_altered(Oid oid)
{
	char		kind = get_rel_relkind(oid);
	Relation	index;

	if (kind != RELKIND_INDEX && kind != RELKIND_PARTITIONED_INDEX)
		return;
	/* ALTER TABLE ... SET SCHEMA has locked only the table */
	index = RelationIdGetRelation(oid);
	if (index == NULL)
		return;
	if (bf_is_filter_index(index) || bf_is_partitioned_filter_index(index))
	{
		CommandCounterIncrement();
		check_definition(index);
	}
	RelationClose(index);
}

static void
watch(ObjectAccessType access, Oid class, Oid object, int part, void *arg)
{
	if (previous != NULL)
		previous(access, class, object, part, arg);
	if (class != RelationRelationId || part != 0)
		return;
	if (access == OAT_POST_CREATE)
		check_new(object);
	else if (access == OAT_POST_ALTER && !((ObjectAccessPostAlter *) arg)->is_internal)
		check_altered(object);
}

void
bf_index_watch_definitions(void)
{
	if (installed)
		return;
	installed = true;
	previous = object_access_hook;
	object_access_hook = watch;
}
