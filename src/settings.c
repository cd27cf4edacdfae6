/*-------------------------------------------------------------------------
 *
 * settings.c
 *		The extension's settings, bloomfilter.*.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/guc.h"

#include "core/format.h"
#include "settings.h"

/*
 * By default 16 million: 130 to 260 MB while aggregating.  At most as many as a
 * partial state may have to be stored or sent.
 */
#define DEFAULT_MAX_EXACT_HASHES	16000000
#define LARGEST_MAX_EXACT_HASHES	((int) BF_MAX_LIST)

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
