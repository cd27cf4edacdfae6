/*-------------------------------------------------------------------------
 *
 * plan.h
 *		Adds the nodes of join filters to a finished plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLAN_H
#define BF_JOIN_PLAN_H

#include "joins/choice/outcome.h"

/* Add the nodes of the plan's filters. */
extern void bf_join_add_filters(BfJoinOutcome *outcome);

#endif							/* BF_JOIN_PLAN_H */
