/*-------------------------------------------------------------------------
 *
 * lock.h
 *		Who may touch a filter while other threads work on it without the
 *		interpreter's lock.
 *
 * Batches release that lock, and so another thread may come to the same
 * filter.  Any number of batches may read it at a time, and one may write it
 * alone.  What is done to a filter under the interpreter's lock, all at once,
 * only has to wait for batches.  Nobody waits for the interpreter's lock within
 * a batch, so there is no deadlock.
 *
 * All functions are called under the interpreter's lock, and may release it in
 * between: what was known about a filter before has to be asked again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_LOCK_H
#define BF_LOCK_H

#include "python.h"

typedef struct BfLock
{
	PyThread_type_lock busy;	/* held while there is any batch */
	int			readers;
	bool		writing;
	int			forks;			/* those before the process that made or renewed it */
} BfLock;

/* To be called once.  Returns false, with an exception set, if there is no memory. */
extern bool bf_lock_watch_forks(void);

/* Returns false, with an exception set, if there is no memory. */
extern bool bf_lock_init(BfLock *lock);
extern void bf_lock_destroy(BfLock *lock);

/*
 * Wait until no batch writes, or until there is none at all.  Like the functions
 * below, return false, with an exception set, if a batch wrote when this process
 * was forked: its thread is not here, so the filter stays half changed.
 */
extern bool bf_lock_wait_to_read(BfLock *lock);
extern bool bf_lock_wait_to_write(BfLock *lock);

/* The same of two filters at a time, which may be one. */
extern bool bf_lock_wait_to_write_both(BfLock *a, BfLock *b);

/* A batch that reads, and one that writes. */
extern bool bf_lock_begin_read(BfLock *lock);
extern void bf_lock_end_read(BfLock *lock);
extern bool bf_lock_begin_write(BfLock *lock);
extern void bf_lock_end_write(BfLock *lock);

#endif							/* BF_LOCK_H */
