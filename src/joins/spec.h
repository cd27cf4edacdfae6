/*-------------------------------------------------------------------------
 *
 * spec.h
 *		Join filters: what planning, build node and probe node share.
 *
 * A hash join throws away the rows of its outer side that have no match
 * among those that it hashed.  A join filter does so earlier: a build node
 * below the Hash makes a filter of the join's keys as they pass, and a probe
 * node, at the deepest place of the outer side where that is allowed, drops
 * the rows whose key is not in it.
 *
 *		Hash Join
 *		  ->  HashAggregate
 *		        ->  Custom Scan (Bloom Filter)			the probe
 *		              ->  Seq Scan
 *		  ->  Hash
 *		        ->  Custom Scan (Bloom Filter Build)	the build
 *		              ->  Seq Scan
 *
 * The build hands the filter over in a slot of its EState's executor
 * parameters, which no expression refers to: a mailbox.  A probe lets every
 * row pass until there is a complete filter of its own EState in it.
 *
 * Where a Gather lies between the join and a probe, a handover node below the
 * Gather copies the finished filter to all of its processes.  Probes below it
 * have another mailbox, which the handover fills in each process.
 *
 * A probe may stop testing, and begin late, where each row is for itself.
 * Groups are kept whole: if the join drops a group, nobody minds what is in it,
 * but HAVING or an expression above might fail for what is left of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SPEC_H
#define BF_JOIN_SPEC_H

#include "postgres.h"

#include "nodes/extensible.h"
#include "nodes/plannodes.h"

/* ---------- in the plan ---------- */

/* Rows that meet in one group between a probe and its join. */
typedef enum BfJoinGroups
{
	BF_JOIN_GROUPS_NONE,
	BF_JOIN_GROUPS_ADJACENT,	/* they pass the probe one after the other */
	BF_JOIN_GROUPS_SCATTERED
} BfJoinGroups;

/*
 * What build and probe have to know of a filter.  In custom_private it is a
 * list of these, since plans are copied and sent to workers as text.
 */
typedef struct BfJoinFilterSpec
{
	int			number;			/* 1, 2, ...: its name in EXPLAIN */
	int			param;			/* the mailbox */
	int			source;			/* of a handover: the mailbox of the build */
	List	   *operators;		/* of the join, one per key */
	List	   *collations;
	double		rows;			/* estimate of what is hashed, by all workers */
	double		max_pass;		/* to be switched off if more of the rows pass */
	List	   *orders;			/* per key: see BfKeySet; 0: nobody skips by it */
	List	   *types;			/* of the inner keys */
	BfJoinGroups groups;		/* of a probe */
	List	   *skips;			/* of a probe: BfJoinSkip */
} BfJoinFilterSpec;

extern List *bf_join_filter_spec_to_list(const BfJoinFilterSpec *spec);
extern void bf_join_filter_spec_from_list(List *list, BfJoinFilterSpec *spec);

/*
 * Nodes above a child, whose rows they hand on as they are.
 *
 * A build has one filter; its custom_exprs are the join's inner keys.  A
 * probe has one or more; its custom_exprs are the Vars of all their keys, in
 * the order of the filters.  A handover has one or more filters.
 */
extern const CustomScanMethods bf_join_build_methods;
extern const CustomScanMethods bf_join_probe_methods;
extern const CustomScanMethods bf_join_handover_methods;

static inline bool
bf_is_join_probe(const Plan *plan)
{
	return IsA(plan, CustomScan) &&
		((const CustomScan *) plan)->methods == &bf_join_probe_methods;
}

/* Is it any of these nodes? */
static inline bool
bf_is_join_filter_node(const Plan *plan)
{
	return bf_is_join_probe(plan) ||
		(IsA(plan, CustomScan) &&
		 (((const CustomScan *) plan)->methods == &bf_join_build_methods ||
		  ((const CustomScan *) plan)->methods == &bf_join_handover_methods));
}

/* ---------- limits ---------- */

/*
 * The expected false positive rate of join filters: they are made for it if
 * the number of keys is known.
 */
#define BF_JOIN_FILTER_RATE		0.01

/*
 * Bytes that a key takes: four for its hash, and ten bits, rounded up, of a
 * filter for that rate.  The filter of a Parallel Hash takes the latter only.
 */
#define BF_JOIN_HASH_BYTES		4
#define BF_JOIN_FILTER_BYTES	1.3
#define BF_JOIN_KEY_BYTES		(BF_JOIN_HASH_BYTES + BF_JOIN_FILTER_BYTES)

/*
 * Most bytes that a filter and the hashes that it is made of may take, in
 * all participants together.
 */
extern Size bf_join_filter_max_bytes(int participants);

#endif							/* BF_JOIN_SPEC_H */
