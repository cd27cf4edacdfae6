/*-------------------------------------------------------------------------
 *
 * once.h
 *		Filters that are the same for all rows are computed once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_ONCE_H
#define BF_ONCE_H

#include "nodes/supportnodes.h"

/*
 * The call of a test with its filter in a sub-select, which the executor
 * computes once; NULL if the call stays as it is.
 */
extern Node *bf_compute_once(SupportRequestSimplify *req);

#endif							/* BF_ONCE_H */
