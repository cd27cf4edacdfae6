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

#include <pthread.h>

/* The forks between the process that loaded the module and this one. */
static int	forks = 0;

static void
count_fork(void)
{
	forks++;
}

bool
bf_lock_watch_forks(void)
{
	static bool watching = false;

	if (!watching && pthread_atfork(NULL, NULL, count_fork) != 0)
	{
		PyErr_NoMemory();
		return false;
	}
	watching = true;
	return true;
}

bool
bf_lock_init(BfLock *lock)
{
	PyThread_type_lock busy = PyThread_allocate_lock();

	if (busy == NULL)
	{
		PyErr_NoMemory();
		return false;
	}
	lock->busy = busy;
	lock->forks = forks;
	return true;
}

/* A lock of another process may be held for ever, and then must not be freed. */
void
bf_lock_destroy(BfLock *lock)
{
	if (lock->busy != NULL && lock->forks == forks)
		PyThread_free_lock(lock->busy);
}

/* After a fork, the threads whose batches are noted are not here. */
static bool
renew(BfLock *lock)
{
	if (lock->forks == forks)
		return true;
	if (lock->writing)
	{
		PyErr_SetString(PyExc_RuntimeError,
						"another thread was changing the filter when this process was forked");
		return false;
	}
	lock->readers = 0;
	return bf_lock_init(lock);
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

bool
bf_lock_wait_to_read(BfLock *lock)
{
	if (!renew(lock))
		return false;
	while (lock->writing)
		wait_for_batches(lock);
	return true;
}

bool
bf_lock_wait_to_write(BfLock *lock)
{
	if (!renew(lock))
		return false;
	while (has_batches(lock))
		wait_for_batches(lock);
	return true;
}

bool
bf_lock_wait_to_write_both(BfLock *a, BfLock *b)
{
	if (!renew(a) || !renew(b))
		return false;
	while (has_batches(a) || has_batches(b))
		wait_for_batches(has_batches(a) ? a : b);
	return true;
}

/*
 * The first batch takes the lock, the last one releases it.  If one who waits
 * has it, then for a moment only, and without the interpreter's.
 */
bool
bf_lock_begin_read(BfLock *lock)
{
	if (!bf_lock_wait_to_read(lock))
		return false;
	if (lock->readers++ == 0)
		PyThread_acquire_lock(lock->busy, WAIT_LOCK);
	return true;
}

void
bf_lock_end_read(BfLock *lock)
{
	if (--lock->readers == 0)
		PyThread_release_lock(lock->busy);
}

bool
bf_lock_begin_write(BfLock *lock)
{
	if (!bf_lock_wait_to_write(lock))
		return false;
	lock->writing = true;
	PyThread_acquire_lock(lock->busy, WAIT_LOCK);
	return true;
}

void
bf_lock_end_write(BfLock *lock)
{
	lock->writing = false;
	PyThread_release_lock(lock->busy);
}
