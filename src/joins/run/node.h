/*-------------------------------------------------------------------------
 *
 * node.h
 *		What the nodes of a join filter have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_NODE_H
#define BF_JOIN_NODE_H

#include "nodes/execnodes.h"

/*
 * Begin, end and rescan the child of a node that returns its child's slots.
 * The method returns the node's next slot.
 */
extern void bf_join_begin_child(CustomScanState *node, EState *estate, int eflags,
								ExecProcNodeMtd method);
extern void bf_join_end_child(CustomScanState *node);
extern void bf_join_rescan_child(CustomScanState *node);

/* Mark and restore the child's position, for the inner side of a merge join. */
extern void bf_join_mark_child(CustomScanState *node);
extern void bf_join_restore_child(CustomScanState *node);

/* ExecCustomScan of all nodes, which the server requires. */
extern TupleTableSlot *bf_join_exec(CustomScanState *node);

#endif							/* BF_JOIN_NODE_H */
