/*-------------------------------------------------------------------------
 *
 * phase.c
 *		Whether rows are tested by a filter of a probe, and by which first.
 *
 * Whether a filter pays is decided per window of rows.  If more rows pass than
 * the plan's limit, the filter is switched off; later it is tried again,
 * because data is clustered.  The rests between trials become longer as long
 * as the filter does not pay.
 *
 * Where rows get into groups, either all rows of a key are dropped or none.  So
 * a filter that is not complete before the first row tests none, and no filter
 * is switched off (its max_pass is 1): to remember which keys were dropped before
 * took longer than to test all rows, where 99 % of the groups match.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"

#include "joins/run/phase.h"
#include "joins/run/shared.h"

/*
 * Rows in a trial of a filter that was switched off: enough to know the
 * fraction to three percent.  If the filter pays there, a whole window
 * follows.
 */
#define RETRY_ROWS		1024

/*
 * Rows for which a filter rests when it is switched off: each time twice as
 * many as the time before, until a whole window pays again.
 *
 * Counted on 4,000,000 rows in the order of a day, 2,000 a day: the part of
 * the rows without a match that is dropped, with rests of always 250,000 rows
 * and whole windows, and with these rests: 94.5 and 100 % if 21 days match,
 * 74.7 and 95.9 % if 61 days of each year do, 6.7 and 45.6 % if two days of
 * each week do (with first rests of 8192 rows: 99.4, 97.4, 15.2 %).  If all
 * rows match, 131,072 and 29,696 rows are tested.
 */
#define FIRST_REST_ROWS	2048
#define LAST_REST_ROWS	250000

void
bf_phase_rest(BfJoinProbeState *probe)
{
	uint32		shortest = LAST_REST_ROWS;
	int			i;

	for (i = 0; i < probe->nfilters; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];

		if (pf->phase != BF_JOIN_PROBE_OFF && pf->phase != BF_JOIN_PROBE_NEVER)
			return;
		if (pf->phase == BF_JOIN_PROBE_OFF)
			shortest = Min(shortest, pf->rest);
	}
	probe->resting = shortest;
	probe->handed_on = 0;
	ExecSetExecProcNode(&probe->css.ss.ps, probe->hand_on);
}

void
bf_phase_count_rest(BfJoinProbeFilter *pf, uint32 rows)
{
	/* other filters here may have come to rest meanwhile, for longer */
	pf->rest -= Min(rows, pf->rest);
	if (pf->rest == 0)
	{
		pf->seen += pf->rest_rows;
		pf->window_rows = RETRY_ROWS;
		/* after a rescan, there may be another filter by now */
		pf->phase = BF_JOIN_PROBE_WAITING;
	}
}

void
bf_phase_wake_up(BfJoinProbeState *probe)
{
	int			i;

	for (i = 0; i < probe->nfilters; i++)
		if (probe->filters[i].phase == BF_JOIN_PROBE_OFF)
			bf_phase_count_rest(&probe->filters[i], probe->handed_on);
	probe->handed_on = 0;
	ExecSetExecProcNode(&probe->css.ss.ps, probe->test_rows);
}

/* Test no more rows by this filter in this scan. */
static void
stop(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	pf->phase = BF_JOIN_PROBE_NEVER;
	bf_phase_rest(probe);
}

static void
switch_off(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	if (pf->off_count++ == 0)
		pf->off_after = pf->seen;
	probe->counts.switched_off++;
	if (probe->css.ss.ps.instrument)
		probe->css.ss.ps.instrument->ntuples2 += 1;
	pf->phase = BF_JOIN_PROBE_OFF;
	pf->rest_rows = pf->rest_rows == 0 ? FIRST_REST_ROWS : Min(2 * pf->rest_rows, LAST_REST_ROWS);
	pf->rest = pf->rest_rows;
	bf_phase_rest(probe);
}

/* At the end of a window: continue, or switch off. */
static void
judge(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	pf->seen += pf->window_rows;
	if (pf->passed <= pf->max_pass * pf->window_rows)
	{
		if (pf->window_rows == BF_WINDOW_ROWS)
			pf->rest_rows = 0;
		pf->window_rows = BF_WINDOW_ROWS;
	}
	else
		switch_off(probe, pf);
	pf->tested = pf->passed = 0;
}

/* Use the filter in the mailbox, if there is one. */
static void
find_filter(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	BfJoinFilter *filter = bf_mailbox_take(pf->mailbox, probe->css.ss.ps.state);

	if (filter == NULL)
		return;
	pf->filter = filter;
	if (filter->shared != NULL)
		bf_join_shared_open(filter);
	if (filter->blocks == NULL)
	{
		probe->counts.too_many_keys += !pf->had_too_many;
		pf->had_too_many = true;
		stop(probe, pf);
	}
	else
		pf->phase = BF_JOIN_PROBE_TESTING;
}

void
bf_phase_prepare(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	find_filter(probe, pf);
	if (pf->spec.groups && pf->phase == BF_JOIN_PROBE_WAITING)
		stop(probe, pf);
}

void
bf_phase_count(BfJoinProbeState *probe, BfJoinProbeFilter *pf, uint32 tested, uint32 passed)
{
	pf->passed += passed;
	pf->tested += tested;
	if (pf->tested == pf->window_rows)
		judge(probe, pf);
}

/* ---------- order ---------- */

/* One of so many batches is timed: reading the clock takes as long as a row or two. */
#define TIMED_BATCHES	8

/*
 * Sampled rows of two filters by which these are compared: enough to know the
 * fractions to some percent.
 */
#define SAMPLE_ROWS		512

/* Fewer rows take no longer than reading the clock. */
#define LEAST_TIMED_ROWS	16

/* Filters change their places for a gain of a quarter, not to and fro by chance. */
#define LEAST_GAIN		1.25

bool
bf_phase_is_timed(BfJoinProbeState *probe)
{
	return probe->nfilters > 1 && probe->batches++ % TIMED_BATCHES == 0;
}

/* The least time: whatever else the processor did in between only adds to it. */
void
bf_phase_sample(BfJoinProbeFilter *pf, uint32 tested, uint32 dropped, double seconds)
{
	pf->sampled += tested;
	pf->sampled_dropped += dropped;
	if (tested >= LEAST_TIMED_ROWS && (pf->row_time == 0 || seconds / tested < pf->row_time))
		pf->row_time = seconds / tested;
}

static bool
is_known(const BfJoinProbeFilter *pf)
{
	return pf->sampled >= SAMPLE_ROWS && pf->row_time > 0;
}

/* Dropped rows per second. */
static double
drop_rate(const BfJoinProbeFilter *pf)
{
	return (double) pf->sampled_dropped / pf->sampled / pf->row_time;
}

void
bf_phase_reorder(BfJoinProbeState *probe)
{
	int			i;

	for (i = 1; i < probe->nfilters; i++)
	{
		BfJoinProbeFilter *before = probe->order[i - 1];
		BfJoinProbeFilter *pf = probe->order[i];

		if (!is_known(before) || !is_known(pf))
			continue;
		if (drop_rate(pf) > LEAST_GAIN * drop_rate(before))
		{
			probe->order[i - 1] = pf;
			probe->order[i] = before;
		}
		/* what follows another filter, sees other rows; and data changes */
		before->sampled = before->sampled_dropped = 0;
		pf->sampled = pf->sampled_dropped = 0;
	}
}
