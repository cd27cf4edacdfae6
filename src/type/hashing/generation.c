/*-------------------------------------------------------------------------
 *
 * generation.c
 *		Detects when what was looked up about types may have changed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/inval.h"
#include "utils/plancache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "type/hashing/generation.h"

uint64		bf_generation = 1;

/*
 * The catalog rows on which the current generation depends, one bit for each,
 * chosen by the row's hash value in the syscache.  With 65,536 bits, 8 kB, the
 * types created with other tables hardly ever hit one of these bits.
 */
#define WATCHED_BITS	65536

static uint64 watched[WATCHED_BITS / 64];

static inline uint64 *
watched_word(uint32 hash)
{
	return &watched[hash % WATCHED_BITS / 64];
}

static inline uint64
watched_bit(uint32 hash)
{
	return UINT64CONST(1) << hash % 64;
}

/*
 * Invalidation callback.  A hash of 0 stands for any row.
 *
 * The functions that accept values are immutable, and so the planner may have
 * called them: a plan may contain a constant that depends on the name of a
 * type.  Such plans have to be made again.
 */
static void
row_changed(Datum any_row, BfSysCacheId cacheid, uint32 hash)
{
	(void) cacheid;
	if (!DatumGetBool(any_row) && hash != 0 && (*watched_word(hash) & watched_bit(hash)) == 0)
		return;
	bf_generation++;
	memset(watched, 0, sizeof(watched));
	ResetPlanCache();
}

/* Callbacks cannot be unregistered: they stay for the life of the process. */
static void
register_callbacks(void)
{
	static const int by_oid[] = {TYPEOID, NAMESPACEOID, PROCOID, LANGOID, RANGETYPE, COLLOID};
	static bool registered = false;
	size_t		i;

	if (registered)
		return;
	registered = true;
	for (i = 0; i < lengthof(by_oid); i++)
		CacheRegisterSyscacheCallback(by_oid[i], row_changed, BoolGetDatum(false));
	CacheRegisterSyscacheCallback(CLAOID, row_changed, BoolGetDatum(true));
	CacheRegisterSyscacheCallback(AMPROCNUM, row_changed, BoolGetDatum(true));
}

void
bf_watch(int cacheid, Oid oid)
{
	uint32		hash = GetSysCacheHashValue1(cacheid, ObjectIdGetDatum(oid));

	register_callbacks();
	*watched_word(hash) |= watched_bit(hash);
}
