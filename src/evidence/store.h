/*-------------------------------------------------------------------------
 *
 * store.h
 *		Where evidence is kept: in memory that all sessions share, or else in
 *		the session's own.
 *
 * It is shared if the library is in shared_preload_libraries, and from 17 on in
 * any case.  Elsewhere a session sees what it did itself: whoever tries filters by
 * LOAD would else see nothing, and each caller would have to do without a store.
 * After a restart, and after a crash of any process, it is empty.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_STORE_H
#define BF_EVIDENCE_STORE_H

#include "storage/lwlock.h"

#include "evidence/table.h"

/* The tables of the store. */
typedef enum BfEvidence
{
	BF_EVIDENCE_TABLES,			/* of BfCountsEntry, as the next */
	BF_EVIDENCE_INDEXES,
	BF_EVIDENCE_TRIALS,			/* of BfTrialEntry */
	BF_EVIDENCE_KINDS
} BfEvidence;

/* Ask for shared memory, if that is possible.  Called when the library is loaded. */
extern void bf_store_init(void);

/*
 * Find the store or make it, which may raise an error.  To be called before
 * the first lock.
 */
extern void bf_store_open(void);

/* Do all sessions see the store? */
extern bool bf_store_is_shared(void);

/*
 * Lock one of the tables of the open store.  Hold the lock for a short time, and
 * raise no error meanwhile.
 */
extern BfTable *bf_store_lock(BfEvidence kind, LWLockMode mode);
extern void bf_store_unlock(void);

/*
 * A copy of this database's entries of one of the tables, as a palloc'd array,
 * their number, and how many of all databases had to go.
 */
extern void *bf_store_copy(BfEvidence kind, int *count, int64 *evicted);

#endif							/* BF_EVIDENCE_STORE_H */
