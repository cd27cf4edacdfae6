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
#include "evidence/clock.h"
#include "evidence/store.h"
#include "index/ddl/hook.h"
#include "index/handler.h"
#include "joins/hooks/hooks.h"
#include "settings.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/plain.h"

BF_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	bf_blocks_init();
	bf_expanded_init();
	bf_plain_init();
	bf_counting_init();
	bf_index_init(bf_index_watch_definitions);
	bf_join_filters_init();
	bf_settings_init(bf_join_hooks_install, bf_clock_install);
	bf_store_init();
}
