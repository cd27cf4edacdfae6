/*-------------------------------------------------------------------------
 *
 * hash.c
 *		The hash of a join's key, on either side.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "joins/keys/hash.h"

static BfJoinHashKind
hash_kind(Oid function)
{
	if (function == F_HASHINT4)
		return BF_JOIN_HASH_INT4;
	if (function == F_HASHINT8)
		return BF_JOIN_HASH_INT8;
	return BF_JOIN_HASH_CALL;
}

/*
 * How the key of one side of an operator is hashed.  If the other side's hash
 * function is called, this side's is called, too: smallint's, for example,
 * calls hash_uint32().  The server's own operators never call two different
 * integers equal; values that a user's operator calls equal need only have the
 * same hash.
 */
static BfJoinHashKind
side_kind(Oid operator, Oid function, Oid other)
{
	if (get_opcode(operator) >= FirstGenbkiObjectId || hash_kind(other) == BF_JOIN_HASH_CALL)
		return BF_JOIN_HASH_CALL;
	return hash_kind(function);
}

BfJoinHash *
bf_join_hash_init(List *operators, List *collations, bool outer)
{
	BfJoinHash *result = palloc0(list_length(operators) * sizeof(BfJoinHash));
	BfJoinHash *hash = result;
	ListCell   *operator;
	ListCell   *collation;

	forboth(operator, operators, collation, collations)
	{
		Oid			left;
		Oid			right;
		Oid			function;

		/* the hash join itself has looked this up */
		if (!get_op_hash_functions(lfirst_oid(operator), &left, &right))
			elog(ERROR, "could not find hash function for hash operator %u", lfirst_oid(operator));
		function = outer ? left : right;
		hash->kind = side_kind(lfirst_oid(operator), function, outer ? right : left);
		hash->collation = lfirst_oid(collation);
		fmgr_info(function, &hash->function);
		hash++;
	}
	return result;
}
