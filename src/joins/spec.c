/*-------------------------------------------------------------------------
 *
 * spec.c
 *		Join filters: what planning, build node and probe node share.
 *
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/value.h"

#include "joins/spec.h"
#include "settings.h"

/*
 * A specification as a list of nodes that can be copied, written and read:
 * integers, operators, collations, numbers.  These are strings, since a Float
 * without a fraction is read as an Integer.
 */
List *
bf_join_filter_spec_to_list(const BfJoinFilterSpec *spec)
{
	return list_make4(list_make3_int(spec->number, spec->param, spec->groups),
					  list_copy(spec->operators),
					  list_copy(spec->collations),
					  list_make2(makeString(psprintf("%g", spec->rows)),
								 makeString(psprintf("%g", spec->max_pass))));
}

void
bf_join_filter_spec_from_list(List *list, BfJoinFilterSpec *spec)
{
	List	   *integers = linitial(list);
	List	   *numbers = lfourth(list);

	spec->number = linitial_int(integers);
	spec->param = lsecond_int(integers);
	spec->groups = lthird_int(integers);
	spec->operators = lsecond(list);
	spec->collations = lthird(list);
	spec->rows = strtod(strVal(linitial(numbers)), NULL);
	spec->max_pass = strtod(strVal(lsecond(numbers)), NULL);
}

Size
bf_join_filter_max_bytes(int participants)
{
	return (Size) Min((double) bf_join_filter_memory * 1024,
					  (double) get_hash_memory_limit() * participants);
}
