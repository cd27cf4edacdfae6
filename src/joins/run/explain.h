/*-------------------------------------------------------------------------
 *
 * explain.h
 *		What EXPLAIN shows for the nodes of join filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_EXPLAIN_H
#define BF_JOIN_EXPLAIN_H

#include "commands/explain.h"
#include "nodes/execnodes.h"

#include "compat.h"

/* The ExplainCustomScan callbacks. */
extern void bf_join_explain_build(CustomScanState *node, List *ancestors,
								  ExplainState *es);
extern void bf_join_explain_handover(CustomScanState *node, List *ancestors,
									 ExplainState *es);
extern void bf_join_explain_probe(CustomScanState *node, List *ancestors,
								  ExplainState *es);

#endif							/* BF_JOIN_EXPLAIN_H */
