/*-------------------------------------------------------------------------
 *
 * candidates.h
 *		The filters that the hash joins of a statement may have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_CANDIDATES_H
#define BF_JOIN_CANDIDATES_H

#include "postgres.h"

#include "joins/planning/gain.h"
#include "joins/planning/places.h"
#include "joins/planning/statement.h"
#include "joins/spec.h"

/* A filter that may be added. */
typedef struct BfJoinCandidate
{
	HashJoin   *join;
	int			order;			/* in which it was found */
	List	   *keys;			/* BfJoinPlanKey */
	List	   *descents;		/* BfJoinDescent, of each key; places are the same */
	BfJoinEstimate estimate;
	BfJoinFilterSpec spec;
} BfJoinCandidate;

/* Is there a hash join in it? */
extern bool bf_join_has_hash_join(PlannedStmt *stmt);

/*
 * The filters that may be made and are expected to pay: a list of
 * BfJoinCandidate, the topmost joins first.
 */
extern List *bf_join_find_candidates(BfJoinStatement *statement, int cursor_options);

#endif							/* BF_JOIN_CANDIDATES_H */
