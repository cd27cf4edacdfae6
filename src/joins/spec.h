/*-------------------------------------------------------------------------
 *
 * spec.h
 *		Join filters: what planning, build node and probe node share.
 *
 * A hash join drops the rows of its outer side that have no match among the
 * rows that it hashed.  A join filter drops them earlier: a build node below
 * the Hash makes a filter of the join's keys from the rows that it returns.  A
 * probe node, at the deepest allowed place of the outer side, drops the rows
 * whose key is not in the filter.
 *
 *		Hash Join
 *		  ->  HashAggregate
 *		        ->  Custom Scan (bloomfilter probe)
 *		              ->  Seq Scan
 *		  ->  Hash
 *		        ->  Custom Scan (bloomfilter build)
 *		              ->  Seq Scan
 *
 * The build hands the filter over in its mailbox: a slot of its EState's
 * executor parameters, to which no expression refers.  A probe returns every
 * row until its mailbox has a complete filter of its own EState.
 *
 * Where a Gather lies between the join and a probe, a handover node below the
 * Gather copies the finished filter to all of its processes.  Probes below it
 * have another mailbox, which the handover fills in each process.
 *
 * A merge join does the same with a side that is sorted: the build is below its
 * Sort.  If that is the inner side, two more nodes make it run first.
 *
 *		Merge Join
 *		  ->  Custom Scan (bloomfilter wait)
 *		        ->  GroupAggregate
 *		              ->  Sort
 *		                    ->  Custom Scan (bloomfilter probe)
 *		                          ->  Seq Scan
 *		  ->  Custom Scan (bloomfilter first)
 *		        ->  Sort
 *		              ->  Custom Scan (bloomfilter build)
 *		                    ->  Seq Scan
 *
 * A probe that has no groups above it may stop testing at any row, and may
 * begin at any row.  Groups are kept or dropped whole: if the join drops a
 * group, its contents do not matter, but HAVING or an expression above might
 * raise an error for a part of a group.  So a probe below groups tests all rows
 * or none.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SPEC_H
#define BF_JOIN_SPEC_H

#include "nodes/extensible.h"
#include "nodes/plannodes.h"

/* ---------- in the plan ---------- */

/*
 * What build and probe need to know of a filter.  In custom_private a node has
 * a list of these specifications as lists, since plans are copied and sent to
 * workers as text.
 */
typedef struct BfJoinFilterSpec
{
	int			number;			/* 1, 2, ...: its name in EXPLAIN */
	int			param;			/* the mailbox */
	int			source;			/* of a handover: the mailbox of the build */
	List	   *operators;		/* of the join, one per key */
	List	   *collations;
	double		rows;			/* estimate of what is hashed, by all workers */
	double		max_pass;		/* if a larger fraction passes, switch off */
	List	   *orders;			/* per key: see BfKeySet; 0: not for skips */
	List	   *types;			/* of the inner keys */
	bool		groups;			/* of a probe: do its rows get into groups below the join? */
	bool		before_conditions;	/* of a probe: see bf_join_may_test_first() */
	List	   *skips;			/* of a probe: BfJoinSkip */
} BfJoinFilterSpec;

extern List *bf_join_filter_spec_to_list(const BfJoinFilterSpec *spec);
extern void bf_join_filter_spec_from_list(List *list, BfJoinFilterSpec *spec);

/*
 * Nodes that return the rows of their child unchanged.
 *
 * A build has one filter; its custom_exprs are the join's inner keys.  A
 * probe has one or more; its custom_exprs are all their keys, in the order of the
 * filters.  A handover has one or more filters.  The two nodes that order a merge
 * join's sides have the number of a parameter.
 *
 * EXPLAIN shows a node by the name by which workers find its methods.  These
 * names are shared by all extensions of a server, and the server refuses a
 * second extension that takes one: hence each begins with this extension's.
 */
#define BF_JOIN_BUILD_NAME		"bloomfilter build"
#define BF_JOIN_PROBE_NAME		"bloomfilter probe"
#define BF_JOIN_HANDOVER_NAME	"bloomfilter copy"
#define BF_JOIN_FIRST_NAME		"bloomfilter first"
#define BF_JOIN_WAIT_NAME		"bloomfilter wait"

extern const CustomScanMethods bf_join_build_methods;
extern const CustomScanMethods bf_join_probe_methods;
extern const CustomScanMethods bf_join_handover_methods;
extern const CustomScanMethods bf_join_first_methods;
extern const CustomScanMethods bf_join_wait_methods;

static inline bool
bf_is_join_probe(const Plan *plan)
{
	return IsA(plan, CustomScan) &&
		((const CustomScan *) plan)->methods == &bf_join_probe_methods;
}

static inline bool
bf_is_join_wait(const Plan *plan)
{
	return IsA(plan, CustomScan) && ((const CustomScan *) plan)->methods == &bf_join_wait_methods;
}

/* Is the node one of these? */
static inline bool
bf_is_join_filter_node(const Plan *plan)
{
	return bf_is_join_probe(plan) || bf_is_join_wait(plan) ||
		(IsA(plan, CustomScan) &&
		 (((const CustomScan *) plan)->methods == &bf_join_build_methods ||
		  ((const CustomScan *) plan)->methods == &bf_join_handover_methods ||
		  ((const CustomScan *) plan)->methods == &bf_join_first_methods));
}

/* ---------- limits ---------- */

/* The false positive rate of join filters if the number of keys is known. */
#define BF_JOIN_FILTER_RATE		0.01

/*
 * Bytes per key: four for its hash, and ten bits, rounded up, in a filter of
 * BF_JOIN_FILTER_RATE.  A filter of a Parallel Hash needs only the ten bits.
 */
#define BF_JOIN_HASH_BYTES		4
#define BF_JOIN_FILTER_BYTES	1.3
#define BF_JOIN_KEY_BYTES		(BF_JOIN_HASH_BYTES + BF_JOIN_FILTER_BYTES)

/*
 * Maximum size of a filter and of the hashes that it is made of, in all
 * participants together.
 */
extern Size bf_join_filter_max_bytes(int participants);

#endif							/* BF_JOIN_SPEC_H */
