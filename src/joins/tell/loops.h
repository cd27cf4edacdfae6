/*-------------------------------------------------------------------------
 *
 * loops.h
 *		Why a join that has no keys to hash has no filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_LOOPS_H
#define BF_JOIN_LOOPS_H

#include "nodes/plannodes.h"

#include "joins/rules/reasons.h"

/* Of a nested loop, or of a merge join without merge clauses. */
extern BfJoinReason bf_join_loop_reason(Join *join);

#endif							/* BF_JOIN_LOOPS_H */
