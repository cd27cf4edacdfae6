/*-------------------------------------------------------------------------
 *
 * eligible.h
 *		Which hash joins may have a filter at all, whatever their keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_ELIGIBLE_H
#define BF_JOIN_ELIGIBLE_H

#include "nodes/plannodes.h"

#include "joins/rules/reasons.h"
#include "joins/rules/statement.h"

/* The first rule that forbids the join any filter; BF_JOIN_ALLOWED: none does. */
extern BfJoinReason bf_join_refusal(BfJoinStatement *statement, const HashJoin *join);

/*
 * May the join fetch a row of its outer side before it hashes the inner side,
 * to see whether there is any row?  This is the condition of
 * ExecHashJoinImpl(), without the parts that depend on earlier scans, and
 * without the rule that a Parallel Hash comes first.  That rule holds in
 * parallel mode only, and a plan whose rows are fetched one by one does not
 * run in parallel mode.
 */
extern bool bf_join_fetches_outer_row_first(const HashJoin *join);

#endif							/* BF_JOIN_ELIGIBLE_H */
