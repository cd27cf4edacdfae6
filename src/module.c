/*-------------------------------------------------------------------------
 *
 * module.c
 *		Module magic and initialization.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "counting/changes.h"
#include "index/handler.h"
#include "joins/join_filters.h"
#include "settings.h"
#include "type/blocks.h"
#include "type/expanded.h"
#include "type/plain.h"

BF_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	bf_settings_init();
	bf_blocks_init();
	bf_expanded_init();
	bf_plain_init();
	bf_counting_init();
	bf_index_init();
	bf_join_filters_init();
}
