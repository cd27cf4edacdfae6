/*-------------------------------------------------------------------------
 *
 * settings.c
 *		The extension's settings, bloomfilter.*.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/guc.h"

#include "settings.h"

/*
 * By default 16 million: 130 to 260 MB while aggregating.  At most 2^26, so
 * that a partial state (8 bytes each) stays well below the server's limit of
 * 1 GB for a value.
 */
#define DEFAULT_MAX_EXACT_HASHES	16000000
#define LARGEST_MAX_EXACT_HASHES	67108864

int			bf_max_exact_hashes = DEFAULT_MAX_EXACT_HASHES;

void
bf_settings_init(void)
{
	DefineCustomIntVariable("bloomfilter.max_exact_hashes",
							"Sets how many distinct values bloom_agg takes without expected_items.",
							"It keeps a hash of each until their number is known, and takes up to 16 bytes for it.",
							&bf_max_exact_hashes,
							DEFAULT_MAX_EXACT_HASHES,
							1,
							LARGEST_MAX_EXACT_HASHES,
							PGC_USERSET,
							0,
							NULL,
							NULL,
							NULL);
	MarkGUCPrefixReserved("bloomfilter");
}
