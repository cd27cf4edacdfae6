/*-------------------------------------------------------------------------
 *
 * expected.h
 *		What a plan is expected to cost with its filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_EXPECTED_H
#define BF_JOIN_EXPECTED_H

#include "postgres.h"

#include "nodes/plannodes.h"

/*
 * The cost of the rows that are expected to be fetched, by the plan with the
 * filters that bf_join_add_filters() would add.  Nothing is added.  skips, if
 * not NULL: is a part of what the filters save what scans skip?
 */
extern Cost bf_join_expected_cost(PlannedStmt *stmt, int cursor_options, bool *skips);

/*
 * Does a plan have more nodes than another of kinds that settings such as
 * enable_seqscan disable?  Up to 17, its cost tells.
 */
extern bool bf_join_has_more_disabled(const PlannedStmt *stmt, const PlannedStmt *other);

#endif							/* BF_JOIN_EXPECTED_H */
