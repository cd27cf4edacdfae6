/*-------------------------------------------------------------------------
 *
 * keyset.c
 *		The keys that a join hashed, as intervals that cover them all.
 *
 * Integers, dates and times are kept while there are few different ones: then it
 * is known which of them lie far from all others, as 'infinity' does.  More are
 * added to a bitmap.  Values of other types are kept in the
 * order in which they come, and sorted from time to time by calls of their
 * comparison function.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "joins/ranges/bitmap.h"
#include "joins/ranges/keyset.h"

typedef struct KeysEntry
{
	uint64		key;
	char		status;			/* simplehash.h's */
} KeysEntry;

#define SH_PREFIX			keys
#define SH_ELEMENT_TYPE		KeysEntry
#define SH_KEY_TYPE			uint64
#define SH_KEY				key
#define SH_HASH_KEY(tb, key)	murmurhash32((uint32) ((key) ^ ((key) >> 32)))
#define SH_EQUAL(tb, a, b)	((a) == (b))
#define SH_SCOPE			static inline
#define SH_DEFINE
#define SH_DECLARE
#include "lib/simplehash.h"

/*
 * For values that are compared by calls: the number of intervals that are left
 * when there are too many in slots, and the number of additions after which the set
 * is given up, if there were not too many different ones before.  To sort them takes
 * some 13 comparisons each: 2 microseconds for numeric and for texts in most
 * languages, 5 for some.  The planner does not know whether anything will be skipped
 * for it.
 */
#define COARSE_INTERVALS	1024
#define MAX_CALLED_KEYS		65536

/* Maximum bytes of keys that are not passed by value. */
#define MAX_KEY_BYTES		(1024 * 1024)

/* ---------- integers ---------- */

/* The kind of keys that a comparison function compares. */
static BfKeyKind
kind_of(Oid compare)
{
	switch (compare)
	{
		case F_BTINT2CMP:
			return BF_KEYS_INT2;
		case F_BTINT4CMP:
		case F_DATE_CMP:
			return BF_KEYS_INT4;
		case F_BTINT8CMP:
		case F_TIMESTAMP_CMP:
		case F_TIMESTAMPTZ_CMP:
		case F_TIME_CMP:
			return BF_KEYS_INT8;
		case F_BTOIDCMP:
			return BF_KEYS_OID;
		default:
			return BF_KEYS_BY_CALL;
	}
}

/* The opposite of bf_to_integer(). */
static Datum
from_integer(BfKeyKind kind, uint64 integer)
{
	switch (kind)
	{
		case BF_KEYS_INT2:
			return Int16GetDatum((int16) (integer ^ BF_SIGN_BIT));
		case BF_KEYS_INT4:
			return Int32GetDatum((int32) (integer ^ BF_SIGN_BIT));
		case BF_KEYS_INT8:
			return Int64GetDatum((int64) (integer ^ BF_SIGN_BIT));
		default:
			return ObjectIdGetDatum((Oid) integer);
	}
}

/* The few integers, sorted. */
static uint64 *
sort_few(BfKeySet *set, int *n)
{
	uint64	   *result = MemoryContextAlloc(set->mcxt, set->few->members * sizeof(uint64));
	keys_iterator iterator;
	KeysEntry  *entry;

	*n = 0;
	keys_start_iterate(set->few, &iterator);
	while ((entry = keys_iterate(set->few, &iterator)) != NULL)
		result[(*n)++] = entry->key;
	qsort(result, *n, sizeof(uint64), bf_compare_integers);
	return result;
}

/* They are no longer few: from now on, only the bitmap has them. */
static void
leave_to_bitmap(BfKeySet *set)
{
	int			n;
	uint64	   *integers = sort_few(set, &n);

	set->bitmap = MemoryContextAlloc(set->mcxt, sizeof(BfBitmap));
	bf_bitmap_start(set->bitmap, integers, n);
	pfree(integers);
	keys_destroy(set->few);
	set->few = NULL;
}

/* Allocated with the first key: most sets have none. */
static void
add_few(BfKeySet *set, uint64 integer)
{
	bool		found;

	if (set->few == NULL)
		set->few = keys_create(set->mcxt, 64, NULL);
	(void) keys_insert(set->few, integer, &found);
	if (set->few->members > BF_MAX_EXACT_KEYS)
		leave_to_bitmap(set);
}

static void
append_integers(BfKeySet *set, uint64 low, uint64 high)
{
	set->intervals[set->n].low = from_integer(set->kind, low);
	set->intervals[set->n].high = from_integer(set->kind, high);
	set->n++;
}

/* Make an interval for each of a few integers. */
static void
take_few(BfKeySet *set)
{
	int			n;
	uint64	   *integers = sort_few(set, &n);
	int			i;

	set->intervals = MemoryContextAlloc(set->mcxt, n * sizeof(BfInterval));
	set->n = 0;
	for (i = 0; i < n; i++)
		append_integers(set, integers[i], integers[i]);
	pfree(integers);
	set->exact = true;
}

/* Make an interval for each run of the bitmap, and for each integer apart. */
static void
take_runs(BfKeySet *set)
{
	const BfBitmap *bitmap = set->bitmap;
	BfBitmapRun run = {0};
	uint64		from = 0;
	int			i;

	set->intervals = MemoryContextAlloc(set->mcxt, BF_BITMAP_MOST_INTERVALS * sizeof(BfInterval));
	set->n = 0;
	set->exact = false;
	for (i = 0; i < bitmap->nfar && bitmap->far[i] < bitmap->low; i++)
		append_integers(set, bitmap->far[i], bitmap->far[i]);
	while (bf_bitmap_next_run(bitmap, from, &run))
	{
		append_integers(set, run.low, run.high);
		if (run.high == bitmap->high)
			break;
		from = run.high + 1;
	}
	for (; i < bitmap->nfar; i++)
		append_integers(set, bitmap->far[i], bitmap->far[i]);
	Assert(set->n <= BF_BITMAP_MOST_INTERVALS);
}

/* ---------- other types ---------- */

static void
give_up(BfKeySet *set)
{
	bf_keys_reset(set);
	set->unknown = true;
}

/* Copy a value into the set's memory.  False: there are too many bytes. */
static bool
keep_value(BfKeySet *set, Datum *value)
{
	MemoryContext old_context;

	if (set->typbyval)
		return true;
	old_context = MemoryContextSwitchTo(set->mcxt);
	if (set->typlen == -1)
		*value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(*value));
	set->bytes += datumGetSize(*value, false, set->typlen);
	if (set->bytes <= MAX_KEY_BYTES)
		*value = datumCopy(*value, false, set->typlen);
	MemoryContextSwitchTo(old_context);
	return set->bytes <= MAX_KEY_BYTES;
}

/* Make room for another interval.  False: there are too many different ones, sorted. */
static bool
make_room(BfKeySet *set)
{
	if (set->intervals == NULL)
	{
		set->room = 2 * BF_MAX_EXACT_KEYS;
		set->intervals = MemoryContextAlloc(set->mcxt, set->room * sizeof(BfInterval));
	}
	if (set->n < set->room)
		return true;
	bf_intervals_sort(set);
	return set->n <= BF_MAX_EXACT_KEYS;
}

static void
append(BfKeySet *set, Datum low, Datum high)
{
	set->intervals[set->n].low = low;
	set->intervals[set->n].high = high;
	set->n++;
}

static void
add_interval(BfKeySet *set, Datum low, Datum high)
{
	if (!make_room(set))
		bf_intervals_coarsen(set, COARSE_INTERVALS);
	append(set, low, high);
}

/*
 * Is the key that of the last interval?  That is the last key added, or after a
 * sort the highest: equal keys often follow each other.
 */
static bool
is_last(const BfKeySet *set, Datum key)
{
	/* a value stored out of line, or expanded, is not in one piece */
	if (set->typlen == -1 && VARATT_IS_EXTERNAL(DatumGetPointer(key)))
		return false;
	return set->n > 0 &&
		datumIsEqual(set->intervals[set->n - 1].low, key, set->typbyval, set->typlen);
}

static void
add_by_call(BfKeySet *set, Datum key)
{
	if (is_last(set, key))
		return;
	set->added++;
	if (set->added > MAX_CALLED_KEYS || !keep_value(set, &key) || !make_room(set))
		give_up(set);
	else
		append(set, key, key);
}

/* ---------- sets ---------- */

/* An empty set.  compare: the btree comparison of two keys. */
static BfKeySet *
create(Oid compare, Oid collation, Oid type, MemoryContext parent)
{
	BfKeySet   *set = MemoryContextAllocZero(parent, sizeof(BfKeySet));

	set->mcxt = AllocSetContextCreate(parent, "keys of a join filter", ALLOCSET_DEFAULT_SIZES);
	set->kind = kind_of(compare);
	fmgr_info_cxt(compare, &set->compare, parent);
	set->collation = collation;
	set->type = type;
	get_typlenbyval(type, &set->typlen, &set->typbyval);
	bf_keys_reset(set);
	return set;
}

BfKeySet **
bf_keys_create_all(List *compares, List *collations, List *types, MemoryContext parent)
{
	BfKeySet  **result = MemoryContextAllocZero(parent,
												list_length(compares) * sizeof(BfKeySet *));
	ListCell   *compare;
	ListCell   *collation;
	ListCell   *type;

	forthree(compare, compares, collation, collations, type, types)
		if (OidIsValid(lfirst_oid(compare)))
			result[foreach_current_index(compare)] =
				create(lfirst_oid(compare), lfirst_oid(collation), lfirst_oid(type), parent);
	return result;
}

void
bf_keys_reset(BfKeySet *set)
{
	MemoryContextReset(set->mcxt);
	set->unknown = false;
	set->intervals = NULL;
	set->n = 0;
	set->exact = true;
	set->few = NULL;
	set->bitmap = NULL;
	set->room = 0;
	set->added = 0;
	set->bytes = 0;
}

void
bf_keys_add(BfKeySet *set, Datum key)
{
	if (set->unknown)
		return;
	if (set->kind == BF_KEYS_BY_CALL)
		add_by_call(set, key);
	else if (set->bitmap != NULL)
		bf_bitmap_add(set->bitmap, bf_to_integer(set->kind, key));
	else
		add_few(set, bf_to_integer(set->kind, key));
}

void
bf_keys_finish(BfKeySet *set)
{
	if (set->unknown)
		return;
	if (set->few != NULL)
		take_few(set);
	else if (set->bitmap != NULL)
		take_runs(set);
	else
	{
		bf_intervals_sort(set);
		bf_intervals_coarsen(set, BF_MAX_EXACT_KEYS);
	}
}

/* ---------- slots ---------- */

/* The start of a slot; the intervals' bounds follow, each aligned. */
typedef struct Slot
{
	int32		n;				/* intervals */
	bool		unknown;
	bool		exact;
	char		bounds[FLEXIBLE_ARRAY_MEMBER];
} Slot;

#define SLOT_HEADER		MAXALIGN(offsetof(Slot, bounds))
#define SLOT_ROOM		(BF_KEYS_SLOT_BYTES - SLOT_HEADER)

static Size
bound_bytes(const BfKeySet *set, Datum bound)
{
	return set->typbyval ? sizeof(Datum) :
		MAXALIGN(datumGetSize(bound, false, set->typlen));
}

static Size
intervals_bytes(const BfKeySet *set)
{
	Size		result = 0;
	int			i;

	for (i = 0; i < set->n; i++)
		result += bound_bytes(set, set->intervals[i].low) + bound_bytes(set, set->intervals[i].high);
	return result;
}

static char *
write_bound(const BfKeySet *set, Datum bound, char *to)
{
	if (set->typbyval)
		memcpy(to, &bound, sizeof(Datum));
	else
		memcpy(to, DatumGetPointer(bound), datumGetSize(bound, false, set->typlen));
	return to + bound_bytes(set, bound);
}

void
bf_keys_clear_slot(char *slot)
{
	((Slot *) slot)->n = 0;
	((Slot *) slot)->unknown = false;
	((Slot *) slot)->exact = true;
}

static void
write_slot(const BfKeySet *set, char *slot)
{
	Slot	   *to = (Slot *) slot;
	char	   *next = slot + SLOT_HEADER;
	int			i;

	to->n = set->n;
	to->exact = set->exact;
	to->unknown = set->unknown || intervals_bytes(set) > SLOT_ROOM;
	if (to->unknown)
		return;
	for (i = 0; i < set->n; i++)
	{
		next = write_bound(set, set->intervals[i].low, next);
		next = write_bound(set, set->intervals[i].high, next);
	}
}

/* The set itself does not change: this process may skip by it. */
void
bf_keys_write(const BfKeySet *set, char *slot)
{
	BfKeySet	coarse = *set;

	if (intervals_bytes(set) <= SLOT_ROOM)
	{
		write_slot(set, slot);
		return;
	}
	coarse.intervals = MemoryContextAlloc(set->mcxt, set->n * sizeof(BfInterval));
	memcpy(coarse.intervals, set->intervals, set->n * sizeof(BfInterval));
	while (coarse.n > 1 && intervals_bytes(&coarse) > SLOT_ROOM)
		bf_intervals_coarsen(&coarse, set->typbyval ?
							 (int) (SLOT_ROOM / (2 * sizeof(Datum))) : coarse.n / 2);
	write_slot(&coarse, slot);
	pfree(coarse.intervals);
}

/* Read a bound from a slot; a bound that is not passed by value stays there. */
static Datum
read_bound(const BfKeySet *set, const char **from)
{
	Datum		result = PointerGetDatum(*from);

	if (set->typbyval)
		memcpy(&result, *from, sizeof(Datum));
	*from += bound_bytes(set, result);
	return result;
}

void
bf_keys_read(BfKeySet *set, const char *slot)
{
	const Slot *from = (const Slot *) slot;
	const char *next = slot + SLOT_HEADER;
	int			i;

	if (set->unknown)
		return;
	if (from->unknown)
	{
		give_up(set);
		return;
	}
	for (i = 0; i < from->n; i++)
	{
		Datum		low = read_bound(set, &next);
		Datum		high = read_bound(set, &next);

		if (!keep_value(set, &low) || !keep_value(set, &high))
		{
			give_up(set);
			return;
		}
		add_interval(set, low, high);
	}
	set->exact &= from->exact;
}
