/*-------------------------------------------------------------------------
 *
 * spec.c
 *		Join filters: what planning, build node and probe node share.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/value.h"

#include "joins/skips.h"
#include "joins/spec.h"
#include "settings.h"

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

static List *
skip_to_list(const BfJoinSkip *skip)
{
	List	   *bounds = NIL;
	ListCell   *lc;

	foreach(lc, skip->bounds)
		bounds = lappend(bounds, bound_to_list(lfirst(lc)));
	return list_make3(list_make4_int(skip->kind, skip->key, skip->attribute, (int) skip->attached_by),
					  list_make2_oid(skip->index, skip->function),
					  bounds);
}

static BfJoinSkip *
skip_from_list(List *list)
{
	BfJoinSkip *skip = palloc0(sizeof(BfJoinSkip));
	List	   *integers = linitial(list);
	ListCell   *lc;

	skip->kind = linitial_int(integers);
	skip->key = lsecond_int(integers);
	skip->attribute = (AttrNumber) lthird_int(integers);
	skip->attached_by = (TransactionId) lfourth_int(integers);
	skip->index = linitial_oid(lsecond(list));
	skip->function = lsecond_oid(lsecond(list));
	foreach(lc, lthird(list))
		skip->bounds = lappend(skip->bounds, bound_from_list(lfirst(lc)));
	return skip;
}

/*
 * A specification as a list of nodes that can be copied, written and read:
 * integers, operators, collations, numbers, and what is read: orders, types,
 * skips.  Numbers are strings, since a Float without a fraction is read as an
 * Integer.
 */
List *
bf_join_filter_spec_to_list(const BfJoinFilterSpec *spec)
{
	List	   *skips = NIL;
	ListCell   *lc;

	foreach(lc, spec->skips)
		skips = lappend(skips, skip_to_list(lfirst(lc)));
	return list_make5(list_make5_int(spec->number, spec->param, spec->groups, spec->source,
									  spec->before_conditions),
					  list_copy(spec->operators),
					  list_copy(spec->collations),
					  list_make2(makeString(psprintf("%g", spec->rows)),
								 makeString(psprintf("%g", spec->max_pass))),
					  list_make3(list_copy(spec->orders), list_copy(spec->types), skips));
}

void
bf_join_filter_spec_from_list(List *list, BfJoinFilterSpec *spec)
{
	List	   *integers = linitial(list);
	List	   *numbers = lfourth(list);
	List	   *reading = list_nth(list, 4);
	ListCell   *lc;

	spec->number = linitial_int(integers);
	spec->param = lsecond_int(integers);
	spec->groups = lthird_int(integers);
	spec->source = lfourth_int(integers);
	spec->before_conditions = list_nth_int(integers, 4);
	spec->operators = lsecond(list);
	spec->collations = lthird(list);
	spec->rows = strtod(strVal(linitial(numbers)), NULL);
	spec->max_pass = strtod(strVal(lsecond(numbers)), NULL);
	spec->orders = linitial(reading);
	spec->types = lsecond(reading);
	spec->skips = NIL;
	foreach(lc, lthird(reading))
		spec->skips = lappend(spec->skips, skip_from_list(lfirst(lc)));
}

Size
bf_join_filter_max_bytes(int participants)
{
	return (Size) Min((double) bf_join_filter_memory * 1024,
					  (double) get_hash_memory_limit() * participants);
}
