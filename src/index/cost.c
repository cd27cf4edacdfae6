/*-------------------------------------------------------------------------
 *
 * cost.c
 *		The costs of scanning a filter index: amcostestimate.
 *
 * A lookup reads one page per cover and value, one page per value and group that
 * has no cover or a hit in it, one page per range with a hit, and then the heap
 * pages of the sets with a hit, true or false.  How many are false is what the bits
 * of the index tell now (rates.c).  The filter of a whole table leads to all of its
 * pages, or none.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/index_selfuncs.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/spccache.h"

#include "compat.h"
#include "index/cost.h"
#include "index/file/directory.h"
#include "index/file/options.h"
#include "index/file/sizes.h"
#include "index/file/table.h"
#include "index/key_cost.h"
#include "index/rates.h"

/*
 * Testing a block, in units of cpu_operator_cost: 126 blocks take about as long
 * as 6 calls of a simple operator.
 */
#define BLOCK_TEST_COST	0.05

/* What the index is like. */
typedef struct Shape
{
	bool		of_table;		/* one filter of the table: one range, one set */
	double		groups;
	double		covers;
	double		covered;		/* groups */
	double		range_pages;
	double		set_pages;
} Shape;

/* What a scan reads. */
typedef struct Reading
{
	double		index_pages;
	double		heap_pages;
	double		blocks;			/* tested */
} Reading;

/* For an index that does not exist, as the planner may be asked about. */
static Shape
imagine_shape(double heap_pages, double rows)
{
	Shape		shape = {0};

	shape.set_pages = bf_choose_set_pages(rows / heap_pages);
	shape.range_pages = BF_SLOTS * shape.set_pages;
	shape.groups = ceil(heap_pages / (BF_SLOTS * shape.range_pages));
	if (shape.groups < BF_LEAST_COVERED)
		return shape;
	shape.covers = ceil(shape.groups / BF_SLOTS);
	shape.covered = shape.groups;
	return shape;
}

static Shape
shape_of_table(double heap_pages)
{
	Shape		shape = {.of_table = true,.range_pages = heap_pages,.set_pages = heap_pages};

	return shape;
}

/* Have all columns that have values there a cover of the group? */
static bool
is_covered(const BfDirectory *directory, uint32 group)
{
	uint32		column;
	uint32		member;

	for (column = 0; column < directory->columns; column++)
		if (bf_slab_exists(bf_directory_slab(directory, group, column)) &&
			bf_directory_cover_of(directory, group, column, &member) == NULL)
			return false;
	return bf_directory_cover_row(directory, group) != BF_NO_GROUP;
}

/* From the directory, as far as the table reaches: the rest is not searched. */
static Shape
shape_of_ranges(Relation index, double heap_pages)
{
	const BfDirectory *directory = bf_directory(index, true);
	Shape		shape = {0};
	double		ranges = 0;
	double		sets = 0;
	double		pages = 0;
	uint32		last_cover = BF_NO_GROUP;
	uint32		group;

	for (group = 0; group < directory->groups; group++)
	{
		uint32		cover = bf_directory_cover_row(directory, group);
		const BfSlab *slab = bf_directory_slab(directory, group, 0);

		if (slab->first_heap_page >= heap_pages)
			break;
		shape.groups++;
		if (is_covered(directory, group))
		{
			shape.covered++;
			shape.covers += cover != last_cover;
			last_cover = cover;
		}
		ranges += slab->ranges;
		sets += (double) slab->ranges * BF_SLOTS;
		pages += (double) slab->ranges * bf_range_pages(slab);
	}
	shape.range_pages = ranges > 0 ? pages / ranges : BF_SLOTS;
	shape.set_pages = sets > 0 ? pages / sets : 1;
	return shape;
}

static Shape
find_shape(Relation index, double heap_pages)
{
	return bf_is_table_filter(index) ? shape_of_table(heap_pages) :
		shape_of_ranges(index, heap_pages);
}

/* Of n pieces, how many have at least one of the rows, which are scattered? */
static double
pieces_hit(double n, double rows)
{
	return n * -expm1(-rows / n);
}

/*
 * One condition: how many values it looks for, and how many rows have one of
 * them.
 */
static double
count_values(PlannerInfo *root, const IndexClause *clause)
{
	double		values = 1;
	ListCell   *cell;

	foreach(cell, clause->indexquals)
	{
		const RestrictInfo *rinfo = lfirst_node(RestrictInfo, cell);

		if (IsA(rinfo->clause, ScalarArrayOpExpr))
			values *= BF_ESTIMATE_ARRAY_LENGTH(root,
											   lsecond(((ScalarArrayOpExpr *) rinfo->clause)->args));
	}
	return Max(values, 1);
}

/* What the conditions of a scan look for, and find. */
typedef struct Conditions
{
	double		values;			/* of all conditions together */
	double		lookups;		/* of a value in a cover or a group */
	double		in_vain;		/* part of the ranges without rows that is read */
	double		sets_in_vain;	/* part of the sets without rows, of ranges that are read */
	double		found;			/* values of all conditions that a range that is read seems to have */
} Conditions;

#define NO_CONDITIONS	{.in_vain = 1, .sets_in_vain = 1}

/* The part of ranges, or sets, without rows that seem to have one of the values. */
static double
found_in_vain(double rate, double values)
{
	return -expm1(values * log1p(-rate));
}

/*
 * How often one of the values is looked up in a cover or a group, if each is looked
 * for in every group without cover.
 */
static double
group_lookups(const Shape *shape, const BfRates *rates, double values, double rows)
{
	double		result = values * (shape->groups - shape->covered + shape->covers);
	double		hits;

	if (shape->covered == 0)
		return result;
	hits = values * pieces_hit(shape->covered, rows / values * shape->covered / shape->groups);
	return result + hits + (values * shape->covered - hits) * rates->cover;
}

/*
 * Add a condition with so many values.  A set is tested only for the values that
 * its range seems to have, which are few of many.
 */
static void
add_condition(Conditions *conditions, const Shape *shape, const BfRates *rates,
			  double heap_pages, double values, double rows)
{
	double		ranges = Max(heap_pages / shape->range_pages, 1);
	double		in_vain = found_in_vain(rates->range, values);
	double		hits = pieces_hit(ranges, rows);
	double		pairs = values * pieces_hit(ranges, rows / values);
	double		found;

	conditions->lookups += group_lookups(shape, rates, values, rows);
	pairs += (values * ranges - pairs) * rates->range;
	hits += (ranges - hits) * in_vain;
	found = Max(pairs / hits, 1);
	conditions->values += values;
	conditions->in_vain *= in_vain;
	conditions->sets_in_vain *= found_in_vain(rates->set, found);
	conditions->found += found;
}

/* The parts of pieces of so many rows that have each key, truly. */
static double *
parts_with_keys(const BfKeyCondition *keys, double rows)
{
	int			count = keys->queries->nhashes;
	double	   *parts = palloc(Max(count, 1) * sizeof(double));
	int			i;

	for (i = 0; i < count; i++)
		parts[i] = -expm1(-rows * keys->frequencies[i]);
	return parts;
}

/*
 * Add a condition on keys.  A range is read if it has the keys, although perhaps no
 * row has them all; and its sets are tested for those that the range seems to have.
 */
static void
add_key_condition(Conditions *conditions, const Shape *shape, const BfRates *rates,
				  const BfKeyCondition *keys, double rows_per_page, double rows)
{
	double	   *in_range = parts_with_keys(keys, rows_per_page * shape->range_pages);
	double	   *in_set = parts_with_keys(keys, rows_per_page * shape->set_pages);
	double		found = 0;
	int			i;

	for (i = 0; i < keys->queries->nhashes; i++)
	{
		double		seems = in_range[i] + (1 - in_range[i]) * rates->range;
		double		in_found = seems > 0 ? in_set[i] / seems : 0;

		conditions->lookups += group_lookups(shape, rates, 1, keys->frequencies[i] * rows);
		in_range[i] = seems;
		in_set[i] = in_found + (1 - in_found) * rates->set;
		found += seems;
	}
	conditions->values += keys->queries->nhashes;
	conditions->in_vain *= bf_key_matching(keys, in_range);
	conditions->sets_in_vain *= bf_key_matching(keys, in_set);
	conditions->found += Max(found, 1);
	pfree(in_range);
	pfree(in_set);
}

/*
 * Pages read by a scan with these conditions.  A range, or a set, is read if it
 * seems to have a value of every condition.  No page of the index is read twice.
 */
static Reading
estimate_reading(const Conditions *conditions, const Shape *shape, double index_pages,
				 double heap_pages, double rows)
{
	double		ranges = Max(heap_pages / shape->range_pages, 1);
	double		sets = Max(heap_pages / shape->set_pages, 1);
	double		hits = pieces_hit(ranges, rows);
	double		set_hits = pieces_hit(sets, rows);
	Reading		reading;

	if (shape->of_table)
	{
		/* all of the table, if there is a row or seems to be one */
		hits = Min(rows, 1);
		reading.index_pages = Min(conditions->values, Max(index_pages, 1));
		reading.heap_pages = (hits + (1 - hits) * conditions->in_vain) * heap_pages;
		reading.blocks = conditions->values;
		return reading;
	}
	hits += (ranges - hits) * conditions->in_vain;
	set_hits += (hits / ranges * sets - set_hits) * conditions->sets_in_vain;
	reading.index_pages = Min(1 + conditions->lookups + hits * conditions->found,
							  Max(index_pages, 1));
	reading.heap_pages = Min(Max(set_hits, 0) * shape->set_pages, heap_pages);
	reading.blocks = conditions->lookups * ranges / Max(shape->groups, 1) +
		hits * conditions->found * BF_SLOTS;
	return reading;
}

/* The same for the conditions of a path; index is NULL for one that does not exist. */
static Reading
estimate_path(PlannerInfo *root, const IndexPath *path, Relation index, double heap_pages,
			  double tuples, double rows)
{
	Shape		shape = index == NULL ? imagine_shape(heap_pages, tuples) :
		find_shape(index, heap_pages);
	Conditions	conditions = NO_CONDITIONS;
	ListCell   *cell;

	foreach(cell, path->indexclauses)
	{
		const IndexClause *clause = lfirst_node(IndexClause, cell);
		BfRates		rates = index == NULL ? bf_rates_asked(BF_DEFAULT_RANGE_RATE) :
			bf_rates_now(index, (uint32) clause->indexcol, heap_pages);
		BfKeyCondition keys;

		if (index != NULL && bf_key_condition(&keys, root, index, clause, rows / tuples))
			add_key_condition(&conditions, &shape, &rates, &keys, tuples / heap_pages, tuples);
		else
			add_condition(&conditions, &shape, &rates, heap_pages, count_values(root, clause),
						  rows);
	}
	return estimate_reading(&conditions, &shape, path->indexinfo->pages, heap_pages, rows);
}

BfLookupPages
bf_index_lookup_pages(Relation index, AttrNumber attribute, double heap_pages, double values,
					  double rows)
{
	Shape		shape = find_shape(index, heap_pages);
	Conditions	conditions = NO_CONDITIONS;
	BfLookupPages result = {0};
	BfRates		rates;
	Reading		reading;

	if (values < 1 || heap_pages < 1)
		return result;
	rates = bf_rates_now(index, (uint32) (attribute - 1), heap_pages);
	add_condition(&conditions, &shape, &rates, heap_pages, values, rows);
	reading = estimate_reading(&conditions, &shape, RelationGetNumberOfBlocks(index), heap_pages,
							   rows);
	result.index = reading.index_pages;
	result.heap = reading.heap_pages;
	return result;
}

/* What a path with conditions reads. */
static Reading
read_path(PlannerInfo *root, const IndexPath *path, double heap_pages, double tuples,
		  double rows)
{
	const IndexOptInfo *info = path->indexinfo;
	Relation	index = info->hypothetical ? NULL : index_open(info->indexoid, NoLock);
	Reading		reading = estimate_path(root, path, index, heap_pages, tuples, rows);

	if (index != NULL)
		index_close(index, NoLock);
	return reading;
}

/* Is it = ANY of a parameter that has no value yet? */
static bool
has_unknown_array(const Expr *expr)
{
	const Node *array;

	if (!IsA(expr, ScalarArrayOpExpr))
		return false;
	array = lsecond(((const ScalarArrayOpExpr *) expr)->args);
	/* of varchar, as text */
	if (IsA(array, ArrayCoerceExpr))
		array = (const Node *) ((const ArrayCoerceExpr *) array)->arg;
	else if (IsA(array, RelabelType))
		array = (const Node *) ((const RelabelType *) array)->arg;
	return IsA(array, Param) && ((const Param *) array)->paramkind == PARAM_EXTERN;
}

static bool
any_has_unknown_array(const List *clauses)
{
	ListCell   *clause;
	ListCell   *qual;

	foreach(clause, clauses)
		foreach(qual, lfirst_node(IndexClause, clause)->indexquals)
			if (has_unknown_array(lfirst_node(RestrictInfo, qual)->clause))
				return true;
	return false;
}

/* By how many processes the server divides what a scan of the table computes. */
static double
parallel_divisor(const RelOptInfo *rel)
{
	int			workers = rel->consider_parallel ?
		compute_parallel_worker((RelOptInfo *) rel, rel->pages, -1, max_parallel_workers_per_gather) : 0;
	double		leader = parallel_leader_participation ? Max(1 - 0.3 * workers, 0) : 0;

	return workers > 0 ? workers + leader : 1;
}

/*
 * What an array must cost that is not known yet.  It may have thousands of values,
 * among which the server looks for each row of the pages, one after the other; only
 * those of a constant it hashes.  So plans for the values themselves shall stay
 * cheaper than one for all: reading the whole table, with a hash, is the most that they
 * cost, two operators a row.  And the one for all shall not read the table, for
 * which the server expects to look among five values a row.  Four are between.
 */
#define UNKNOWN_ARRAY_OPERATORS	4

static Cost
cost_of_unknown_array(const RelOptInfo *rel, double tuples)
{
	double		divisor = parallel_divisor(rel);
	double		rows_cost = tuples * (cpu_tuple_cost + UNKNOWN_ARRAY_OPERATORS * cpu_operator_cost);
	double		seq_page_cost;

	get_tablespace_page_costs(rel->reltablespace, NULL, &seq_page_cost);
	return rel->pages * seq_page_cost +
		Min(rows_cost, divisor > 1 ? rows_cost / divisor + parallel_setup_cost : rows_cost);
}

/* Is there an index of the table in the order that the query asks for? */
static bool
may_be_in_order(PlannerInfo *root, const RelOptInfo *rel)
{
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *info = lfirst_node(IndexOptInfo, cell);
		ScanDirection direction;

		if (info->sortopfamily == NULL)
			continue;
		for (direction = BackwardScanDirection; direction <= ForwardScanDirection; direction += 2)
			if (pathkeys_contained_in(root->query_pathkeys, build_index_pathkeys(root, info, direction)))
				return true;
	}
	return root->query_pathkeys == NIL;
}

/* Is there a path for min() or max() along an index?  It comes before all others. */
static bool
may_be_first_or_last(PlannerInfo *root)
{
	ListCell   *cell;

	foreach(cell, root->upper_rels[UPPERREL_GROUP_AGG])
		if (lfirst_node(RelOptInfo, cell)->pathlist != NIL)
			return true;
	return false;
}

/*
 * The part of the rows found after which the query may end, as with LIMIT, EXISTS and
 * min().  Other scans stop there and cost as much less, whatever is in the array.
 */
static double
part_wanted(PlannerInfo *root, RelOptInfo *rel)
{
	const Query *query = root->parse;
	bool		of_group = query->groupClause != NIL || query->hasAggs || query->hasWindowFuncs ||
		query->distinctClause != NIL;
	double		wanted = root->tuple_fraction;
	double		rows;

	if (may_be_first_or_last(root))
		wanted = 1;
	else if (wanted <= 0 || of_group || !may_be_in_order(root, rel))
		return 1;
	if (wanted < 1)
		return wanted;
	/* of all partitions */
	rows = rel->top_parent_relids == NULL ? rel->rows :
		find_base_rel(root, bms_singleton_member(rel->top_parent_relids))->rows;
	return Min(wanted / Max(rows, 1), 1);
}

/*
 * The number of rows from which the server's estimate of a bitmap heap scan,
 * made for scattered rows (Mackert and Lohman), gives so many pages.
 */
static double
rows_for_pages(double pages, double heap_pages)
{
	return 2 * heap_pages * pages / (2 * heap_pages - pages);
}

void
bf_index_cost(PlannerInfo *root, IndexPath *path, double loop_count, Cost *startup_cost,
			  Cost *total_cost, Selectivity *selectivity, double *correlation, double *pages)
{
	IndexOptInfo *info = path->indexinfo;
	RelOptInfo *rel = info->rel;
	List	   *quals = get_quals_from_indexclauses(path->indexclauses);
	double		heap_pages = Max(rel->pages, 1);
	double		tuples = Max(rel->tuples, 1);
	Selectivity selected = clauselist_selectivity(root, add_predicate_to_index_quals(info, quals),
												  rel->relid, JOIN_INNER, NULL);
	Reading		reading;
	double		rows_per_page = tuples / heap_pages;
	double		tuple_cost = cpu_tuple_cost + cpu_operator_cost * list_length(quals);
	double		said_rows;
	double		random_page_cost;

	if (quals == NIL)
	{
		/* the whole table, by way of the index */
		reading.index_pages = 1;
		reading.heap_pages = heap_pages;
		reading.blocks = 0;
	}
	else
		reading = read_path(root, path, heap_pages, tuples, selected * tuples);

	/* repeated scans find pages in the cache */
	if (loop_count > 1)
		reading.index_pages = index_pages_fetched(reading.index_pages * loop_count,
												  info->pages, info->pages, root) / loop_count;

	/*
	 * The bitmap heap scan derives from the selectivity how many pages it
	 * reads, as if these rows were scattered, and how many rows it tests.
	 * Here whole pages are tested: so the selectivity says the pages, and what
	 * testing the other rows costs is added to the index's costs.
	 */
	said_rows = Min(rows_for_pages(reading.heap_pages, heap_pages), tuples);
	*selectivity = Max(said_rows / tuples, selected);
	get_tablespace_page_costs(info->reltablespace, &random_page_cost, NULL);
	*startup_cost = 0;
	*total_cost = reading.index_pages * random_page_cost +
		reading.blocks * BLOCK_TEST_COST * cpu_operator_cost +
		Max(reading.heap_pages * rows_per_page - *selectivity * tuples, 0) * tuple_cost;
	if (path->path.param_info == NULL && any_has_unknown_array(path->indexclauses))
		*total_cost = Max(*total_cost,
						  part_wanted(root, rel) * cost_of_unknown_array(rel, tuples) -
						  reading.heap_pages * (random_page_cost + rows_per_page * tuple_cost));
	*correlation = 0;
	*pages = reading.index_pages;
}
