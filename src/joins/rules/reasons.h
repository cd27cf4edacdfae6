/*-------------------------------------------------------------------------
 *
 * reasons.h
 *		Why a join has no filter, or why rows are not tested deeper.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_REASONS_H
#define BF_JOIN_REASONS_H

/* As the server's cmdtaglist.h: names and texts stand side by side. */
#define BF_REASON(name, text)	name,

typedef enum BfJoinReason
{
#include "joins/rules/reasonlist.h"
} BfJoinReason;

#undef BF_REASON

/* A sentence; BF_JOIN_ALLOWED and BF_JOIN_LEAF have none. */
extern const char *bf_join_reason_text(BfJoinReason reason);

#endif							/* BF_JOIN_REASONS_H */
