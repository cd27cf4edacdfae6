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

#include <time.h>

/* Is a thread about to fork? */
static bool forking = false;

/* Batches that run, and threads that wait for their end. */
static int	at_work = 0;

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
	at_work++;
	Py_BEGIN_ALLOW_THREADS
	PyThread_acquire_lock(lock->busy, WAIT_LOCK);
	PyThread_release_lock(lock->busy);
	Py_END_ALLOW_THREADS
	at_work--;
}

/* A lock would not do: who waits for it may have it while another one forks. */
static void
wait_shortly(void)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};

	Py_BEGIN_ALLOW_THREADS
	nanosleep(&millisecond, NULL);
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
	while (forking || lock->writing)
	{
		if (forking)
			wait_shortly();
		else
			wait_for_batches(lock);
	}
	at_work++;
	if (lock->readers++ == 0)
		PyThread_acquire_lock(lock->busy, WAIT_LOCK);
}

void
bf_lock_end_read(BfLock *lock)
{
	at_work--;
	if (--lock->readers == 0)
		PyThread_release_lock(lock->busy);
}

void
bf_lock_begin_write(BfLock *lock)
{
	while (forking || has_batches(lock))
	{
		if (forking)
			wait_shortly();
		else
			wait_for_batches(lock);
	}
	at_work++;
	lock->writing = true;
	PyThread_acquire_lock(lock->busy, WAIT_LOCK);
}

void
bf_lock_end_write(BfLock *lock)
{
	at_work--;
	lock->writing = false;
	PyThread_release_lock(lock->busy);
}

PyObject *
bf_lock_begin_fork(PyObject *module, PyObject *unused)
{
	(void) module;
	(void) unused;
	while (forking)
		wait_shortly();
	forking = true;
	while (at_work > 0)
		wait_shortly();
	Py_RETURN_NONE;
}

PyObject *
bf_lock_end_fork(PyObject *module, PyObject *unused)
{
	(void) module;
	(void) unused;
	forking = false;
	Py_RETURN_NONE;
}
