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
#include "joins/run/state.h"

/* What is known of the table by one of the keys. */
typedef struct BfSkipItem
{
	const BfJoinSkip *plan;
	const BfJoinProbeFilter *filter;
} BfSkipItem;

typedef struct BfSkip
{
	BfJoinProbeState *probe;
	MemoryContext mcxt;			/* of one scan */
	int			nitems;
	BfSkipItem *items;
	bool		has_index;		/* does any item have no bounds? */
	bool		decided;		/* in this scan */
	bool		whole;			/* is the whole table or partition skipped? */
} BfSkip;

/* Returns NULL if nothing can be skipped. */
extern BfSkip *bf_skip_init(BfJoinProbeState *probe);

/* Called after bf_pages_end(). */
extern void bf_skip_rescan(BfSkip *skip);

/* Decide what is read, before the first row of a scan; the reader gets its maps. */
extern void bf_skip_decide(BfSkip *skip);

#endif							/* BF_JOIN_SKIP_H */
