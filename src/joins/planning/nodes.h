/*-------------------------------------------------------------------------
 *
 * nodes.h
 *		Nodes of plans: their children and their expressions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_NODES_H
#define BF_JOIN_NODES_H

#include "postgres.h"

#include "access/attnum.h"
#include "nodes/plannodes.h"

/* Call visit for every node of a tree, a node after those below it. */
extern void bf_join_walk(Plan *plan, void (*visit) (Plan *plan, void *context), void *context);

/* The children of a node that are neither its outer nor its inner one. */
extern List *bf_join_other_children(Plan *plan);

/*
 * The column of a child (or relation) varno that a column of a node is,
 * unchanged; 0 if it is anything else.  Types may differ if their values look
 * the same.
 */
extern AttrNumber bf_join_passed_column(Plan *plan, AttrNumber column, int varno);

/*
 * All expressions that a node evaluates itself.  False: the node is not
 * known, nor what it does.
 */
extern bool bf_join_node_expressions(Plan *plan, List **result);

/* Is it a scan of any relation, or of what stands for one, that is known? */
extern bool bf_join_is_scan(const Plan *plan);

/* Does a plan read one table, or a partition, and nothing else? */
extern bool bf_join_is_table_scan(const Plan *plan);

#endif							/* BF_JOIN_NODES_H */
