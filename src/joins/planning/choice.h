/*-------------------------------------------------------------------------
 *
 * choice.h
 *		Which of the filters that a statement may have it gets.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_CHOICE_H
#define BF_JOIN_CHOICE_H

#include "postgres.h"

#include "nodes/pg_list.h"

/*
 * Choose among a list of BfJoinCandidate.  At each place no more than ten are
 * tested, and each is expected to gain more than it costs where the others have
 * dropped their rows.  The result is in no particular order.
 */
extern List *bf_join_choose(List *candidates);

#endif							/* BF_JOIN_CHOICE_H */
