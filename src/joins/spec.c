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
		skips = lappend(skips, bf_join_skip_to_list(lfirst(lc)));
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
		spec->skips = lappend(spec->skips, bf_join_skip_from_list(lfirst(lc)));
}

Size
bf_join_filter_max_bytes(int participants)
{
	return (Size) Min((double) bf_join_filter_memory * 1024,
					  (double) get_hash_memory_limit() * participants);
}
