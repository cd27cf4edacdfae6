/*-------------------------------------------------------------------------
 *
 * candidates.h
 *		The filters that the joins of a statement may have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_CANDIDATES_H
#define BF_JOIN_CANDIDATES_H

#include "joins/choice/gain.h"
#include "joins/rules/places.h"
#include "joins/rules/statement.h"
#include "joins/spec.h"

/* A filter that may be added; the number in spec is 0 until it is. */
typedef struct BfJoinCandidate
{
	BfJoinSides sides;
	int			order;			/* number in the order of finding */
	List	   *descents;		/* BfJoinDescent of each key; same places */
	BfJoinEstimate estimate;
	double		added_gain;		/* gain beyond the filters chosen before */
	bool		wants_few_rows; /* its join's rows may not all be read */
	BfJoinFilterSpec spec;
} BfJoinCandidate;

/* What was found about a key of a hash join or merge join. */
typedef struct BfJoinVerdict
{
	const Join *join;
	int			key;			/* its number, from 0; -1: all keys of the join */
	BfJoinReason refusal;		/* the first rule that forbids a filter */
	BfJoinCandidate *candidate; /* if no rule does; see its estimate */
	BfJoinDescent *descent;		/* of the key */
} BfJoinVerdict;

/*
 * Learn what is needed of the statement, of which only stmt is set, and find
 * the filters that are allowed and expected to pay: a list of BfJoinCandidate,
 * the topmost joins first.  If verdicts is not NULL, it receives a list of
 * BfJoinVerdict, also for the joins without a filter.
 */
extern List *bf_join_find_candidates(BfJoinStatement *statement, int cursor_options,
									 List **verdicts);

#endif							/* BF_JOIN_CANDIDATES_H */
