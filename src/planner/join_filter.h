/*-------------------------------------------------------------------------
 *
 * join_filter.h
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
 * A probe may stop testing, and begin late, where each row is for itself.
 * Groups are kept whole: if the join drops a group, nobody minds what is in it,
 * but HAVING or an expression above might fail for what is left of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_FILTER_H
#define BF_JOIN_FILTER_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "nodes/extensible.h"
#include "nodes/plannodes.h"

#include "core/block.h"

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
	List	   *operators;		/* of the join, one per key */
	List	   *collations;
	double		rows;			/* estimate of what is hashed, by all workers */
	double		max_pass;		/* to be switched off if more of the rows pass */
	BfJoinGroups groups;		/* of a probe */
} BfJoinFilterSpec;

extern List *bf_join_filter_spec_to_list(const BfJoinFilterSpec *spec);
extern void bf_join_filter_spec_from_list(List *list, BfJoinFilterSpec *spec);

/*
 * Nodes above a child, whose rows they hand on as they are.
 *
 * A build has one filter; its custom_exprs are the join's inner keys.  A
 * probe has one or more; its custom_exprs are the Vars of all their keys, in
 * the order of the filters.
 */
extern const CustomScanMethods bf_join_build_methods;
extern const CustomScanMethods bf_join_probe_methods;

static inline bool
bf_is_join_probe(const Plan *plan)
{
	return IsA(plan, CustomScan) &&
		((const CustomScan *) plan)->methods == &bf_join_probe_methods;
}

/* ---------- in execution ---------- */

typedef struct BfJoinShared BfJoinShared;

/*
 * A filter: what the mailbox points to once it is complete.  One that is
 * shared is there from the start.
 */
typedef struct BfJoinFilter
{
	/*
	 * The only EState in which it may be used.  EvalPlanQual runs a plan anew
	 * with other rows, and copies all parameters from the EState it is called
	 * in.
	 */
	EState	   *owner;
	BfJoinShared *shared;		/* of a Parallel Hash: is it complete? */

	/*
	 * Aligned.  NULL if there were too many keys, while rows are hashed anew, and
	 * of one that is shared until it is found complete.
	 */
	const uint8 *blocks;
	uint32		nblocks;
	int			k;

	/*
	 * Of all probes from which rows get into groups, since rows of one group may
	 * come by several, and of all scans: once they are switched off, no keys are
	 * dropped but those of which rows were dropped before.
	 */
	bool		groups_off;
	uint32		dropped_rows;	/* counted while they are few */
	bool		dropped_null;
	uint64	   *dropped_keys;	/* a bit for each hash; NULL while there are none */
} BfJoinFilter;

/*
 * Begin, end and rescan the child of a node that hands on its child's slots.
 * The method is what returns the next of them.
 */
extern void bf_join_begin_child(CustomScanState *node, EState *estate, int eflags,
								ExecProcNodeMtd method);
extern void bf_join_end_child(CustomScanState *node);
extern void bf_join_rescan_child(CustomScanState *node);

/* ExecCustomScan of both nodes, which the server requires. */
extern TupleTableSlot *bf_join_exec(CustomScanState *node);

#endif							/* BF_JOIN_FILTER_H */
