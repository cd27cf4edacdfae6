/* direct.h: declarations of direct.c */
#ifndef BF_SETS_DIRECT_H
#define BF_SETS_DIRECT_H

#include "access/htup.h"
#include "utils/relcache.h"

#include "sets/set.h"

/*
 * Read the rows of n segments as BF_SET_READ does.  rows[i] is palloc'd, or
 * NULL if it is missing.  Returns false if only a statement can tell what the
 * caller may see, or there is no index.
 */
extern bool bf_set_read_directly(const BfSet *set, bool read_only, const int32 *segments, int n,
								 bytea **rows);

/* A row that is being replaced.  Its version stays as long as that takes. */
typedef struct BfSetChange
{
	bytea	   *head;			/* NULL if it is missing */
	bytea	   *row;			/* the same */
	/* private to direct.c */
	const BfSet *set;
	Relation	table;
	HeapTuple	tuple;
} BfSetChange;

/*
 * Read the row of a segment, and the head, in one snapshot.  Returns false if
 * only the executor can do all that an UPDATE of the row is to do: triggers,
 * rules, policies, constraints, generated columns, other indexes.  If true,
 * bf_set_end_change must follow.
 */
extern bool bf_set_begin_change(const BfSet *set, int32 segment, BfSetChange *change);

/*
 * Replace the row.  Waits for others that do so.  Returns false if it is then
 * not as it was read.
 */
extern bool bf_set_replace_directly(const BfSetChange *change, bytea *row);

extern void bf_set_end_change(BfSetChange *change);

#endif							/* BF_SETS_DIRECT_H */
