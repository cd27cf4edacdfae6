/*-------------------------------------------------------------------------
 *
 * reasons.h
 *		Why a join has no filter, or why rows are not tested deeper.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_REASONS_H
#define BF_JOIN_REASONS_H

#include "nodes/plannodes.h"

typedef enum BfJoinReason
{
	BF_JOIN_ALLOWED,			/* no rule forbids it */

	/* of a join */
	BF_JOIN_KEEPS_UNMATCHED,
	BF_JOIN_DEPENDS_ON_PARAMETER,
	BF_JOIN_ROWS_MAY_CHANGE,
	BF_JOIN_VOLATILE_KEY,
	BF_JOIN_VOLATILE_HASHED,
	BF_JOIN_CHANGES_SHARED,

	/* of a key */
	BF_JOIN_NOT_A_COLUMN,
	BF_JOIN_NOT_STRICT,
	BF_JOIN_NO_COLLATION,
	BF_JOIN_BEHIND_OTHER_KEY,

	/* of the way down: about the node at which it ends */
	BF_JOIN_LEAF,				/* nothing is below the node */
	BF_JOIN_COMPUTED,
	BF_JOIN_GROUPING_SETS,
	BF_JOIN_OTHER_GROUPS,
	BF_JOIN_OTHER_EQUALITY,
	BF_JOIN_INNER_SIDE,
	BF_JOIN_OUTER_DEPENDS,
	BF_JOIN_HASHED_NOT_INNER,
	BF_JOIN_OTHER_SIDE_VOLATILE,
	BF_JOIN_OTHER_PROCESSES,
	BF_JOIN_KEEPS_ROWS,
	BF_JOIN_ENDS_EARLY,
	BF_JOIN_FEW_ROWS,
	BF_JOIN_FIRST_ROW,
	BF_JOIN_KEPT_VOLATILE,
	BF_JOIN_READ_ON_VOLATILE,
	BF_JOIN_STOPS_ANEW,
	BF_JOIN_ENDLESS,
	BF_JOIN_NOT_CALM,
	BF_JOIN_NOT_KNOWN,
	BF_JOIN_HIDDEN_ROWS,
	BF_JOIN_TELLING_HASH,
	BF_JOIN_LIMIT,
	BF_JOIN_LOCKS,
	BF_JOIN_SET_OPERATION,
	BF_JOIN_SET_FUNCTION,
	BF_JOIN_WORKERS,
	BF_JOIN_UNSAFE_HASH,
	BF_JOIN_CTE,
	BF_JOIN_FOREIGN,
	BF_JOIN_CUSTOM,
	BF_JOIN_CUSTOM_CHILDREN,

	/* of a possible filter */
	BF_JOIN_FEW_TESTED,
	BF_JOIN_NO_GAIN,
	BF_JOIN_TOO_MANY_KEYS,
	BF_JOIN_TESTED_BY_HAND,
	BF_JOIN_OTHERS_GAIN_MORE,

	/* of a join other than a hash join */
	BF_JOIN_BY_INDEX,
	BF_JOIN_LOOPS,
	BF_JOIN_MERGES,

	/* of a foreign table that gets no filter */
	BF_JOIN_NO_LOCAL_TABLE,
	BF_JOIN_NO_EXTENSION,
	BF_JOIN_OTHER_WRAPPER,
	BF_JOIN_NOT_LISTED,
	BF_JOIN_CHANGES_ROWS,
	BF_JOIN_VOLATILE_CONDITION,
	BF_JOIN_ROW_SECURITY,
	BF_JOIN_NOT_A_TABLE,
	BF_JOIN_OTHER_HASH,
	BF_JOIN_NOT_SENT,
	BF_JOIN_LOOSE_COLLATION,
	BF_JOIN_OTHER_ENCODING,
	BF_JOIN_LONG_LIST,
	BF_JOIN_JOINED_THERE,
	BF_JOIN_LONG_PLANNING,
	BF_JOIN_DEARER_PLAN
} BfJoinReason;

/* A sentence; BF_JOIN_ALLOWED and BF_JOIN_LEAF have none. */
extern const char *bf_join_reason_text(BfJoinReason reason);

/*
 * Why the search does not go below this kind of node; BF_JOIN_LEAF if it has
 * no child.
 */
extern BfJoinReason bf_join_node_refusal(const Plan *plan);

#endif							/* BF_JOIN_REASONS_H */
