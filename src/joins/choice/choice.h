/*-------------------------------------------------------------------------
 *
 * choice.h
 *		Chooses among the filters that a statement may have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_CHOICE_H
#define BF_JOIN_CHOICE_H

#include "nodes/pg_list.h"

/*
 * Choose among a list of BfJoinCandidate.  At most ten filters are tested at
 * each place, and each is expected to gain more than it costs on the rows that
 * the others let pass.  The result is in no particular order.
 */
extern List *bf_join_choose(List *candidates);

#endif							/* BF_JOIN_CHOICE_H */
