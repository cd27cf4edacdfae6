/*-------------------------------------------------------------------------
 *
 * keys.c
 *		The keys of hash joins, and what their operators imply.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "joins/rules/keys.h"

/* Types without a collation are compared as they are. */
static bool
is_deterministic(Oid collation)
{
	return !OidIsValid(collation) || get_collation_isdeterministic(collation);
}

/* Of names, the server hashes the bytes, whatever = calls equal. */
bool
bf_join_hash_follows_equality(Oid function, Oid collation)
{
	switch (function)
	{
		case F_HASHNAME:
		case F_HASHNAMEEXTENDED:
			return is_deterministic(collation);
		case F_HASHBPCHAREXTENDED:
			return !BF_BPCHAR_HASH_HAS_BLANKS || is_deterministic(collation);
		default:
			/* in citext, for instance, the order is by the collation, and = is not */
			return function < FirstGenbkiObjectId || is_deterministic(collation);
	}
}

bool
bf_join_hashes_follow_equality(Oid operator, Oid collation)
{
	Oid			left;
	Oid			right;

	return get_op_hash_functions(operator, &left, &right) &&
		bf_join_hash_follows_equality(left, collation) &&
		bf_join_hash_follows_equality(right, collation);
}

/*
 * Values that the grouping takes for equal must be equal to the join, too,
 * which compares hashes first.  Otherwise 'a' and 'A', one group under a
 * collation that ignores case, would be treated apart when only one of them has
 * a match.
 */
bool
bf_join_groups_agree(Oid operator, Oid collation, const BfJoinPlanKey *key)
{
	return equality_ops_are_compatible(operator, key->operator) &&
		bf_join_hashes_follow_equality(key->operator, key->collation) &&
		(collation == key->collation ||
		 (is_deterministic(collation) && is_deterministic(key->collation)));
}

/*
 * The server's own functions are harmless, except those of containers, which
 * call the functions of the types that they contain.  No hash function is
 * marked leakproof, because they are hardly ever called in queries.
 */
bool
bf_join_function_is_harmless(Oid function)
{
	return get_func_leakproof(function) ||
		(function < FirstGenbkiObjectId &&
		 function != F_HASH_ARRAY && function != F_HASH_RECORD &&
		 function != F_HASH_RANGE && function != F_HASH_MULTIRANGE &&
		 function != F_BTARRAYCMP && function != F_BTRECORDCMP &&
		 function != F_BTRECORDIMAGECMP &&
		 function != F_RANGE_CMP && function != F_MULTIRANGE_CMP);
}

bool
bf_join_hash_is_harmless(Oid operator)
{
	Oid			left;
	Oid			right;

	return get_op_hash_functions(operator, &left, &right) &&
		bf_join_function_is_harmless(left) &&
		bf_join_function_is_harmless(right);
}

bool
bf_join_hash_is_parallel_safe(Oid operator)
{
	Oid			left;
	Oid			right;

	return get_op_hash_functions(operator, &left, &right) &&
		func_parallel(left) == PROPARALLEL_SAFE;
}

void
bf_join_watch_hash(BfJoinStatement *statement, Oid operator)
{
	Oid			left;
	Oid			right;

	if (!get_op_hash_functions(operator, &left, &right))
		return;
	bf_join_watch_function(statement, left);
	bf_join_watch_function(statement, right);
}
