/*-------------------------------------------------------------------------
 *
 * table.c
 *		A table of a fixed number of entries, from which the entry that was
 *		used the longest ago goes when there is no room for another.
 *
 * After its first part the table has the heads of its buckets, as many as
 * entries, and then the entries.  An entry is in the list of its bucket and in
 * the list of all, in the order of their use, or else among those not used.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "storage/shmem.h"
#include "utils/timestamp.h"

#include "evidence/table.h"

#define NO_ENTRY	(-1)

StaticAssertDecl(sizeof(BfEntryKey) == 2 * sizeof(Oid) + sizeof(uint64), "keys have no padding");

static int32 *
buckets(BfTable *table)
{
	return (int32 *) ((char *) table + MAXALIGN(sizeof(BfTable)));
}

static char *
entries(BfTable *table)
{
	return (char *) buckets(table) + MAXALIGN(table->capacity * sizeof(int32));
}

static BfEntry *
entry_at(BfTable *table, int32 number)
{
	return number == NO_ENTRY ? NULL : (BfEntry *) (entries(table) + number * table->entry_bytes);
}

static int32
number_of(BfTable *table, const BfEntry *entry)
{
	return (int32) (((const char *) entry - entries(table)) / table->entry_bytes);
}

static int32 *
bucket_of(BfTable *table, const BfEntryKey *key)
{
	uint32		hash = hash_bytes((const unsigned char *) key, sizeof(*key));

	return &buckets(table)[hash % (uint32) table->capacity];
}

Size
bf_table_bytes(int capacity, Size entry_bytes)
{
	Size		result = MAXALIGN(sizeof(BfTable));

	result = add_size(result, MAXALIGN(mul_size(capacity, sizeof(int32))));
	return add_size(result, mul_size(capacity, MAXALIGN(entry_bytes)));
}

void
bf_table_init(BfTable *table, int capacity, Size entry_bytes)
{
	int32		i;

	table->entry_bytes = MAXALIGN(entry_bytes);
	table->capacity = capacity;
	table->newest = table->oldest = table->unused = NO_ENTRY;
	table->evicted = 0;
	for (i = 0; i < capacity; i++)
	{
		buckets(table)[i] = NO_ENTRY;
		entry_at(table, i)->next = table->unused;
		table->unused = i;
	}
}

BfEntry *
bf_table_find(BfTable *table, const BfEntryKey *key)
{
	BfEntry    *entry = entry_at(table, *bucket_of(table, key));

	while (entry != NULL && memcmp(&entry->key, key, sizeof(*key)) != 0)
		entry = entry_at(table, entry->next);
	return entry;
}

BfEntry *
bf_table_older(BfTable *table, const BfEntry *entry)
{
	return entry_at(table, entry == NULL ? table->newest : entry->older);
}

/* ---------- the order of use ---------- */

static void
unlink_from_order(BfTable *table, BfEntry *entry)
{
	BfEntry    *newer = entry_at(table, entry->newer);
	BfEntry    *older = entry_at(table, entry->older);

	*(newer == NULL ? &table->newest : &newer->older) = entry->older;
	*(older == NULL ? &table->oldest : &older->newer) = entry->newer;
}

static void
make_newest(BfTable *table, BfEntry *entry)
{
	BfEntry    *older = entry_at(table, table->newest);
	int32		number = number_of(table, entry);

	entry->newer = NO_ENTRY;
	entry->older = table->newest;
	*(older == NULL ? &table->oldest : &older->newer) = number;
	table->newest = number;
}

/* ---------- entries ---------- */

static void
remove_entry(BfTable *table, BfEntry *entry)
{
	int32		number = number_of(table, entry);
	int32	   *link = bucket_of(table, &entry->key);

	while (*link != number)
		link = &entry_at(table, *link)->next;
	*link = entry->next;
	unlink_from_order(table, entry);
	entry->next = table->unused;
	table->unused = number;
}

static BfEntry *
make_entry(BfTable *table, const BfEntryKey *key)
{
	BfEntry    *entry;
	int32	   *bucket = bucket_of(table, key);

	if (table->unused == NO_ENTRY)
	{
		remove_entry(table, entry_at(table, table->oldest));
		table->evicted++;
	}
	entry = entry_at(table, table->unused);
	table->unused = entry->next;
	memset(entry, 0, table->entry_bytes);
	entry->key = *key;
	entry->since = GetCurrentTimestamp();
	entry->next = *bucket;
	*bucket = number_of(table, entry);
	return entry;
}

BfEntry *
bf_table_use(BfTable *table, const BfEntryKey *key)
{
	BfEntry    *entry = bf_table_find(table, key);

	if (entry != NULL)
		unlink_from_order(table, entry);
	else
		entry = make_entry(table, key);
	make_newest(table, entry);
	return entry;
}

void
bf_table_clear(BfTable *table, Oid database)
{
	BfEntry    *entry = bf_table_older(table, NULL);

	while (entry != NULL)
	{
		BfEntry    *older = bf_table_older(table, entry);

		if (entry->key.database == database)
			remove_entry(table, entry);
		entry = older;
	}
}
