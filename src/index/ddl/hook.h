/*-------------------------------------------------------------------------
 *
 * hook.h
 *		What the server does to the definitions of filter indexes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_DDL_HOOK_H
#define BF_INDEX_DDL_HOOK_H

/* Begin to watch in this session.  May be called again. */
extern void bf_index_watch_definitions(void);

#endif							/* BF_INDEX_DDL_HOOK_H */
