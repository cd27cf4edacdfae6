/*-------------------------------------------------------------------------
 *
 * skip.c
 *		What the scan below a probe does not read, because no hashed key lies
 *		there.
 *
 * The decision is made once in each scan, before the first row is read, by the
 * filters that are complete then.  A scan that has begun is not changed: rows
 * that it has returned would be returned again, or others never.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "storage/predicate.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "joins/ranges/maps.h"
#include "joins/run/shared.h"
#include "joins/run/skip.h"
#include "settings.h"

static EState *
estate_of(const BfSkip *skip)
{
	return skip->probe->css.ss.ps.state;
}

static ScanState *
child_of(const BfSkip *skip)
{
	return (ScanState *) outerPlanState(skip->probe);
}

/*
 * The keys that a filter's join hashed, if all are known.  NULL: any value may
 * be a key.
 */
static const BfKeySet *
find_keys(const BfSkip *skip, const BfSkipItem *item)
{
	BfJoinFilter *filter = bf_mailbox_take(item->filter->mailbox, estate_of(skip));
	const BfKeySet *keys;

	if (filter == NULL || filter->keys == NULL)
		return NULL;
	if (filter->shared != NULL)
		bf_join_shared_read_keys(filter);
	keys = filter->keys_complete ? filter->keys[item->plan->key] : NULL;
	return keys == NULL || keys->unknown ? NULL : keys;
}

/*
 * Does the snapshot see only rows within the bounds?  When a partition was
 * attached, rows were not tested that are deleted and seen by older snapshots
 * only.  An own transaction may have taken its snapshot before it attached one.
 */
static bool
sees_attached(const BfSkip *skip, const BfSkipItem *item)
{
	return !TransactionIdIsCurrentTransactionId(item->plan->attached_by) &&
		!XidInMVCCSnapshot(item->plan->attached_by, estate_of(skip)->es_snapshot);
}

static bool
is_out_of_bounds(const BfSkip *skip, const BfSkipItem *item)
{
	const BfKeySet *keys = find_keys(skip, item);

	return keys != NULL && sees_attached(skip, item) &&
		!bf_bounds_admit(item->plan->bounds, keys);
}

/* False: no row of the child can match. */
static bool
any_row_may_match(BfSkip *skip)
{
	PlanState  *child = outerPlanState(skip->probe);
	int			i;

	for (i = 0; i < skip->nitems; i++)
	{
		if (skip->items[i].plan->bounds == NIL || !is_out_of_bounds(skip, &skip->items[i]))
			continue;
		/* other scans would lock what they find: no row that comes later can match */
		if (IsA(child_of(skip), SeqScanState))
			PredicateLockRelation(child_of(skip)->ss_currentRelation,
								  estate_of(skip)->es_snapshot);
		skip->probe->counts.partitions_skipped++;
		if (child->instrument != NULL && !IsA(child, CustomScanState))
			BF_SKIPPED_SCANS(child->instrument) += 1;
		return false;
	}
	return true;
}

/* Returns the number of maps. */
static int
make_maps(BfSkip *skip, BlockNumber npages, BfRangeMap *maps)
{
	int			n = 0;
	int			i;

	for (i = 0; i < skip->nitems; i++)
	{
		const BfSkipItem *item = &skip->items[i];
		const BfKeySet *keys = item->plan->bounds == NIL ? find_keys(skip, item) : NULL;

		if (keys != NULL &&
			bf_map_by_index(item->plan, list_nth_oid(item->filter->spec.operators, item->plan->key),
							keys, child_of(skip)->ss_currentRelation, npages,
							estate_of(skip)->es_snapshot, &maps[n]))
			n++;
	}
	return n;
}

/*
 * Serializable transactions require a predicate lock on the whole table before
 * any part of it is examined: a row that is inserted later, and skipped, is a
 * conflict.
 */
static void
decide_pages(BfSkip *skip)
{
	BfPageReader *reader = &skip->probe->reader;
	ScanState  *child = child_of(skip);
	BlockNumber npages;

	PredicateLockRelation(child->ss_currentRelation, estate_of(skip)->es_snapshot);
	/* once: the table may grow while the maps are made */
	npages = bf_pages_count(child);
	reader->maps = palloc(skip->nitems * sizeof(BfRangeMap));
	reader->nmaps = make_maps(skip, npages, reader->maps);
	if (reader->nmaps > 0)
		bf_pages_begin(reader, npages);
}

void
bf_skip_decide(BfSkip *skip)
{
	MemoryContext old_context;

	skip->decided = true;
	/* EvalPlanQual reads other rows */
	if (!bf_join_skip || estate_of(skip)->es_epq_active != NULL ||
		!ScanDirectionIsForward(estate_of(skip)->es_direction))
		return;
	old_context = MemoryContextSwitchTo(skip->mcxt);
	skip->whole = !any_row_may_match(skip);
	if (!skip->whole && skip->has_index)
		decide_pages(skip);
	MemoryContextSwitchTo(old_context);
}

/* ---------- states ---------- */

BfSkip *
bf_skip_init(BfJoinProbeState *probe)
{
	BfSkip	   *skip;
	int			n = 0;
	int			i;
	ListCell   *lc;

	for (i = 0; i < probe->nfilters; i++)
		n += list_length(probe->filters[i].spec.skips);
	if (n == 0)
		return NULL;
	skip = palloc0(sizeof(BfSkip));
	skip->probe = probe;
	skip->mcxt = AllocSetContextCreate(probe->css.ss.ps.state->es_query_cxt,
									   "what a join filter skips", ALLOCSET_SMALL_SIZES);
	skip->items = palloc0(n * sizeof(BfSkipItem));
	for (i = 0; i < probe->nfilters; i++)
		foreach(lc, probe->filters[i].spec.skips)
		{
			BfSkipItem *item = &skip->items[skip->nitems++];

			item->plan = lfirst(lc);
			item->filter = &probe->filters[i];
			skip->has_index |= item->plan->bounds == NIL;
		}
	return skip;
}

void
bf_skip_rescan(BfSkip *skip)
{
	skip->decided = skip->whole = false;
	MemoryContextReset(skip->mcxt);
}
