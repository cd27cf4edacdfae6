/*-------------------------------------------------------------------------
 *
 * nodes.h
 *		Nodes of plans: their kinds, their children and their expressions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_NODES_H
#define BF_JOIN_NODES_H

#include "access/attnum.h"
#include "nodes/plannodes.h"

#include "joins/rules/reasons.h"

/* Call visit for every node of a tree, for children before their parents. */
extern void bf_join_walk(Plan *plan, void (*visit) (Plan *plan, void *context), void *context);

/* The children of a node other than its outer and its inner child. */
extern List *bf_join_other_children(Plan *plan);

/*
 * The variable in a column of a target list, below changes of the type only;
 * NULL if the column is something else.
 */
extern Var *bf_join_listed_var(List *targetlist, AttrNumber column);

/*
 * The number of the child's (or relation varno's) column that a node's column
 * returns unchanged; 0 if the column is anything else.  Types may differ if
 * their values have the same representation.
 */
extern AttrNumber bf_join_passed_column(Plan *plan, AttrNumber column, int varno);

/*
 * All expressions that a node evaluates itself.  False: the kind of node is
 * not known, nor what it does.
 */
extern bool bf_join_node_expressions(Plan *plan, List **result);

/*
 * What EXPLAIN calls this kind of node; of a join, without its type.  NULL: no
 * rows are tested above such a node, or the kind is not known.
 */
extern const char *bf_join_node_name(const Plan *plan);

/*
 * The number of the relation that the node scans, or of anything in the place
 * of a relation; 0 if it is not a scan of a known kind, or scans several.
 */
extern Index bf_join_scanned_relation(const Plan *plan);

/*
 * Does the node return rows of its outer child as they are, so that the planner
 * may join them to others in any order?
 */
extern bool bf_join_is_within_join(const Plan *plan);

/*
 * Why the search does not go below this kind of node; BF_JOIN_LEAF if it has
 * no child.
 */
extern BfJoinReason bf_join_node_refusal(const Plan *plan);

/* Does a plan read exactly one table or partition, and nothing else? */
extern bool bf_join_is_table_scan(const Plan *plan);

/*
 * The table's column that a column of such a scan is, unchanged, in the table or
 * in an index; 0 if it is anything else.
 */
extern AttrNumber bf_join_scanned_column(Plan *scan, AttrNumber column);

#endif							/* BF_JOIN_NODES_H */
