/*-------------------------------------------------------------------------
 *
 * table.h
 *		A table of a fixed number of entries, from which the entry that was
 *		used the longest ago goes when there is no room for another.
 *
 * It may lie in shared memory, at different addresses in different processes,
 * and contains no pointers.  Whoever calls these functions holds the lock of
 * the table, if others see it.  None of them raises an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_TABLE_H
#define BF_EVIDENCE_TABLE_H

#include "datatype/timestamp.h"

/* Without padding: keys are compared and hashed as bytes. */
typedef struct BfEntryKey
{
	Oid			database;
	Oid			object;			/* a table, an index, or a role */
	uint64		query;			/* the identifier of a query, or 0 */
} BfEntryKey;

/* What each entry begins with. */
typedef struct BfEntry
{
	BfEntryKey	key;
	TimestampTz since;			/* when it was made */
	int32		next;			/* of the same bucket, or among those not used */
	int32		newer;			/* used next after it */
	int32		older;			/* used last before it */
} BfEntry;

typedef struct BfTable
{
	Size		entry_bytes;
	int32		capacity;
	int32		newest;			/* numbers of entries; -1: none */
	int32		oldest;
	int32		unused;
	int64		evicted;		/* how many entries had to go */
} BfTable;

/* The bytes of a table. */
extern Size bf_table_bytes(int capacity, Size entry_bytes);

/* Make an empty table. */
extern void bf_table_init(BfTable *table, int capacity, Size entry_bytes);

/* An entry; NULL if there is none. */
extern BfEntry *bf_table_find(BfTable *table, const BfEntryKey *key);

/*
 * An entry that is used now.  If there is none it is made, and what follows its
 * first part is zero.
 */
extern BfEntry *bf_table_use(BfTable *table, const BfEntryKey *key);

/* The entry used last before another, or, if that is NULL, the last of all. */
extern BfEntry *bf_table_older(BfTable *table, const BfEntry *entry);

/* Remove the entries of a database. */
extern void bf_table_clear(BfTable *table, Oid database);

#endif							/* BF_EVIDENCE_TABLE_H */
