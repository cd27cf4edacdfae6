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
	return list_make3(list_make2_int(skip->key, skip->attribute),
					  list_make2_oid(skip->index, skip->function),
					  bounds);
}

BfJoinSkip *
bf_join_skip_from_list(List *list)
{
	BfJoinSkip *skip = palloc0(sizeof(BfJoinSkip));
	ListCell   *lc;

	skip->key = linitial_int(linitial(list));
	skip->attribute = (AttrNumber) lsecond_int(linitial(list));
	skip->index = linitial_oid(lsecond(list));
	skip->function = lsecond_oid(lsecond(list));
	foreach(lc, lthird(list))
		skip->bounds = lappend(skip->bounds, bound_from_list(lfirst(lc)));
	return skip;
}
