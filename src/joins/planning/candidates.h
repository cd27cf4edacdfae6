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

/* A filter that may be added; the number in spec is 0 unless it is. */
typedef struct BfJoinCandidate
{
	HashJoin   *join;
	int			order;			/* in which it was found */
	List	   *keys;			/* BfJoinPlanKey */
	List	   *descents;		/* BfJoinDescent, of each key; places are the same */
	BfJoinEstimate estimate;
	double		added_gain;		/* to the filters that were chosen before */
	BfJoinFilterSpec spec;
} BfJoinCandidate;

/* What was found of a key of a hash join. */
typedef struct BfJoinVerdict
{
	HashJoin   *join;
	int			key;			/* its number, from 0; -1: all keys of the join */
	BfJoinReason refusal;		/* the first rule that forbids a filter */
	BfJoinCandidate *candidate; /* unless one does; whether it pays is in estimate */
	BfJoinDescent *descent;		/* of the key */
} BfJoinVerdict;

/* Is there a hash join in it? */
extern bool bf_join_has_hash_join(PlannedStmt *stmt);

/*
 * The filters that may be made and are expected to pay: a list of
 * BfJoinCandidate, the topmost joins first.  Who wants to know why others are
 * not gets a list of BfJoinVerdict; verdicts is NULL for all others.
 */
extern List *bf_join_find_candidates(BfJoinStatement *statement, int cursor_options,
									 List **verdicts);

#endif							/* BF_JOIN_CANDIDATES_H */
