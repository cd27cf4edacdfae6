/*-------------------------------------------------------------------------
 *
 * skips.c
 *		What a scan can skip, as plans record it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "joins/skips.h"

static List *
bound_to_list(const BfJoinBound *bound)
{
	return list_make3(list_make3_int(bound->strategy, bound->modulus, bound->remainder),
					  list_make1_oid(bound->function),
					  copyObject(bound->constants));
}

static BfJoinBound *
bound_from_list(List *list)
{
	BfJoinBound *bound = palloc(sizeof(BfJoinBound));
	List	   *integers = linitial(list);

	bound->strategy = linitial_int(integers);
	bound->modulus = lsecond_int(integers);
	bound->remainder = lthird_int(integers);
	bound->function = linitial_oid(lsecond(list));
	bound->constants = lthird(list);
	return bound;
}

List *
bf_join_skip_to_list(const BfJoinSkip *skip)
{
	List	   *bounds = NIL;
	ListCell   *lc;

	foreach(lc, skip->bounds)
		bounds = lappend(bounds, bound_to_list(lfirst(lc)));
	return list_make3(list_make4_int(skip->kind, skip->key, skip->attribute, (int) skip->made_by),
					  list_make2_oid(skip->index, skip->function),
					  bounds);
}

BfJoinSkip *
bf_join_skip_from_list(List *list)
{
	BfJoinSkip *skip = palloc0(sizeof(BfJoinSkip));
	List	   *integers = linitial(list);
	ListCell   *lc;

	skip->kind = linitial_int(integers);
	skip->key = lsecond_int(integers);
	skip->attribute = (AttrNumber) lthird_int(integers);
	skip->made_by = (TransactionId) lfourth_int(integers);
	skip->index = linitial_oid(lsecond(list));
	skip->function = lsecond_oid(lsecond(list));
	foreach(lc, lthird(list))
		skip->bounds = lappend(skip->bounds, bound_from_list(lfirst(lc)));
	return skip;
}
