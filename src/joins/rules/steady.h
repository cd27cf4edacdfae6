/*-------------------------------------------------------------------------
 *
 * steady.h
 *		Expressions that have the same result whatever the settings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STEADY_H
#define BF_JOIN_STEADY_H

#include "nodes/nodes.h"

/*
 * Does the expression, or a list of them, depend on no setting?  It does not if it
 * has only immutable functions of the server's own (those of 15 to 19 were looked
 * through), and these make no text of other values and look for no names.  Columns are
 * taken to be as they are.  False if in doubt.
 */
extern bool bf_join_is_steady(Node *expression);

#endif							/* BF_JOIN_STEADY_H */
