/*-------------------------------------------------------------------------
 *
 * lock.c
 *		Who may touch a filter while other threads work on it without the
 *		interpreter's lock.
 *
 * The numbers are guarded by the interpreter's lock; the filter's own one is
 * there to wait for.
 *
 *-------------------------------------------------------------------------
 */
#include "lock.h"

bool
bf_lock_init(BfLock *lock)
{
	lock->busy = PyThread_allocate_lock();
	if (lock->busy == NULL)
		PyErr_NoMemory();
	return lock->busy != NULL;
}

void
bf_lock_destroy(BfLock *lock)
{
	if (lock->busy != NULL)
		PyThread_free_lock(lock->busy);
}

static void
wait_for_batches(BfLock *lock)
{
	Py_BEGIN_ALLOW_THREADS
	PyThread_acquire_lock(lock->busy, WAIT_LOCK);
	PyThread_release_lock(lock->busy);
	Py_END_ALLOW_THREADS
}

static bool
has_batches(const BfLock *lock)
{
	return lock->writing || lock->readers > 0;
}

void
bf_lock_wait_to_read(BfLock *lock)
{
	while (lock->writing)
		wait_for_batches(lock);
}

void
bf_lock_wait_to_write(BfLock *lock)
{
	while (has_batches(lock))
		wait_for_batches(lock);
}

void
bf_lock_wait_to_write_both(BfLock *a, BfLock *b)
{
	while (has_batches(a) || has_batches(b))
		wait_for_batches(has_batches(a) ? a : b);
}

/*
 * The first batch takes the lock, the last one releases it.  If one who waits
 * has it, then for a moment only, and without the interpreter's.
 */
void
bf_lock_begin_read(BfLock *lock)
{
	bf_lock_wait_to_read(lock);
	if (lock->readers++ == 0)
		PyThread_acquire_lock(lock->busy, WAIT_LOCK);
}

void
bf_lock_end_read(BfLock *lock)
{
	if (--lock->readers == 0)
		PyThread_release_lock(lock->busy);
}

void
bf_lock_begin_write(BfLock *lock)
{
	bf_lock_wait_to_write(lock);
	lock->writing = true;
	PyThread_acquire_lock(lock->busy, WAIT_LOCK);
}

void
bf_lock_end_write(BfLock *lock)
{
	lock->writing = false;
	PyThread_release_lock(lock->busy);
}
