/*-------------------------------------------------------------------------
 *
 * warn.c
 *		What VACUUM says of filters that it could not rebuild.
 *
 * Filters are rebuilt for speed.  If there is no disk space for new ones, a page is
 * damaged or a row cannot be evaluated, VACUUM must go on all the same: it protects
 * the table from the wraparound of transaction numbers, and gives space back.
 *
 * Changes of the index are not undone.  They are made in an order in which each may
 * be the last (rebuild.c, cover.c, table_rebuild.c), because a crash may come at any
 * time, too.  Pages that were added for nothing are free (space.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "index/upkeep/warn.h"

/*
 * The server's hint, which names a full disk, or ours for a page that is damaged.
 * Nothing keeps a row that was seen from being deleted before it is hashed, nor VACUUM
 * of the TOAST table from removing what was stored there.
 */
static const char *
hint_of(const ErrorData *error)
{
	if (error->hint == NULL && error->sqlerrcode == ERRCODE_DATA_CORRUPTED)
		return "Unless the next VACUUM says so again, the row was deleted meanwhile, and nothing is wrong.";
	return error->hint;
}

void
bf_warn_of_attempt(Relation index, const ErrorData *error)
{
	const char *hint = hint_of(error);

	ereport(WARNING,
			(errcode(error->sqlerrcode),
			 errmsg("could not rebuild filters of index \"%s\": %s",
					RelationGetRelationName(index), error->message),
			 errdetail("The index keeps its old filters, which find as much as before, and more in vain."),
			 hint != NULL ? errhint("%s", hint) : 0));
}
