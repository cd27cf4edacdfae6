/*-------------------------------------------------------------------------
 *
 * skip.h
 *		What the scan below a probe does not read, because no hashed key lies
 *		there.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SKIP_H
#define BF_JOIN_SKIP_H

#include "executor/executor.h"
#include "nodes/execnodes.h"

#include "joins/ranges/bounds.h"
#include "joins/ranges/pages.h"
#include "joins/run/state.h"

/* What is known of the table by one of the keys. */
typedef struct BfSkipItem
{
	const BfJoinSkip *plan;
	const BfJoinProbeFilter *filter;
	BfBound    *bounds;			/* NULL: it is an index */
} BfSkipItem;

typedef struct BfSkip
{
	BfJoinProbeState *probe;
	MemoryContext mcxt;			/* of one scan */
	int			nitems;
	BfSkipItem *items;
	bool		decided;		/* in this scan */
	bool		whole;			/* is the whole table or partition skipped? */
	bool		by_pages;		/* is the reader used? */
	BfPageReader reader;
} BfSkip;

/* Returns NULL if nothing can be skipped. */
extern BfSkip *bf_skip_init(BfJoinProbeState *probe);
extern void bf_skip_rescan(BfSkip *skip);
extern void bf_skip_end(BfSkip *skip);

/* Decide what is read, before the first row of a scan. */
extern void bf_skip_decide(BfSkip *skip);

/* The next row of the probe's child. */
static inline TupleTableSlot *
bf_skip_next_row(BfSkip *skip)
{
	if (unlikely(!skip->decided))
		bf_skip_decide(skip);
	if (skip->whole)
		return NULL;
	return skip->by_pages ? bf_pages_next_row(&skip->reader) :
		ExecProcNode(outerPlanState(skip->probe));
}

#endif							/* BF_JOIN_SKIP_H */
