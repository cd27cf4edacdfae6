/*-------------------------------------------------------------------------
 *
 * steady.h
 *		Expressions that have the same result whatever the settings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_STEADY_H
#define BF_REMOTE_STEADY_H

#include "nodes/nodes.h"

/*
 * Does the expression, whose columns are those of the table, depend on no
 * setting?  It does not if it has only immutable functions of the server's own, and
 * these make no text of other values and look for no names.  False if in doubt.
 */
extern bool bf_remote_is_steady(Node *expression, Oid table);

/* Is the column virtual: an expression that is computed where it is read? */
extern bool bf_remote_is_virtual(Oid table, AttrNumber column);

#endif							/* BF_REMOTE_STEADY_H */
