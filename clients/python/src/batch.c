/*-------------------------------------------------------------------------
 *
 * batch.c
 *		Many values at a time.
 *
 * Arrays of anything but objects are hashed, tested and added without the
 * interpreter's lock.
 *
 *-------------------------------------------------------------------------
 */
#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "value.h"

/* Hashes that are made, and then used, at a time: they stay in the L1 cache. */
#define CHUNK	1024

/*
 * Values between two looks for signals, with the interpreter's lock and
 * without the filter's: some milliseconds.
 */
#define SLICE	(1024 * CHUNK)

/* ---------- one value ---------- */

static BfTarget
target_for(const BfObject *self, BfFamily wanted)
{
	const BfHeader *header = &self->filter->header;
	BfTarget	target = {
		.wanted = wanted,
		.strip_blanks = header->family == BF_FAMILY_BPCHAR,
		.seed = (uint64_t) header->seed
	};

	return target;
}

/*
 * Hash a value, and wait until the filter can be touched.  Hashing may run code
 * that gives the filter its family, and so changes how text is hashed: then it
 * is done again.
 */
static int
hash_value(BfObject *self, PyObject *value, BfFamily wanted, bool (*wait) (BfLock *lock),
		   BfFamily *family, uint64_t *hash)
{
	BfTarget	target;

	do
	{
		target = target_for(self, wanted);
		if (bf_value_hash(self->module, &target, value, family, hash) < 0)
			return -1;
		if (!wait(&self->lock))
			return -1;
	} while (target.strip_blanks != target_for(self, wanted).strip_blanks);
	return 0;
}

/*
 * Raise the error of values, of that family, that the filter has not taken.  A
 * cast is what SQL has: where an int or a UUID was expected, say it in Python.
 */
static int
raise_not_taken(BfObject *self, BfFamily family, BfError *error)
{
	if (strcmp(error->sqlstate, BF_ERROR_MISMATCH) == 0 &&
		self->filter->header.family == BF_FAMILY_INTEGER)
	{
		if (family == BF_FAMILY_TEXT)
			snprintf(error->hint, sizeof(error->hint), "Give it as an int: int(value).");
		else if (family == BF_FAMILY_FLOAT)
			snprintf(error->hint, sizeof(error->hint), "%s", BF_HINT_FLOAT);
	}
	if (strcmp(error->sqlstate, BF_ERROR_MISMATCH) == 0 &&
		self->filter->header.family == BF_FAMILY_UUID && family == BF_FAMILY_TEXT)
		snprintf(error->hint, sizeof(error->hint), "Give it as a UUID: uuid.UUID(value).");
	return bf_object_raise(self, error);
}

int
bf_hash_for(BfObject *self, PyObject *value, BfFamily wanted, uint64_t *hash)
{
	BfFamily	family;
	BfError		error;

	if (hash_value(self, value, wanted, bf_lock_wait_to_read, &family, hash) < 0)
		return -1;
	if (!bf_filter_accepts(self->filter, family, NULL, &error))
		return raise_not_taken(self, family, &error);
	return 0;
}

int
bf_test_value(BfObject *self, PyObject *value, BfFamily wanted)
{
	uint64_t	hash;

	if (bf_hash_for(self, value, wanted, &hash) < 0)
		return -1;
	return bf_filter_contains_hash(self->filter, hash);
}

int
bf_add_value(BfObject *self, PyObject *value, BfFamily wanted)
{
	BfFamily	family;
	uint64_t	hash;
	BfError		error;

	if (hash_value(self, value, wanted, bf_lock_wait_to_write, &family, &hash) < 0)
		return -1;
	if (!bf_filter_adopt(self->filter, family, NULL, &error) ||
		!bf_filter_add_hash(self->filter, hash, &error))
		return raise_not_taken(self, family, &error);
	return 0;
}

/* ---------- values, one after the other ---------- */

/* Values between two looks for signals and other threads: about a millisecond. */
#define TURN	8192

/*
 * Called after each value.  A statement lets the interpreter look whether a
 * thread has asked for its lock, and for signals.  To release the lock here
 * would not do: a thread asks for it after it has waited for some milliseconds
 * without a release, and when it wakes up from one, the lock is taken again.
 */
static int
give_way(const BfModule *module, Py_ssize_t *done)
{
	PyObject   *result;

	if (++*done % TURN != 0)
		return 0;
	result = PyEval_EvalCode(module->statement, module->variables, module->variables);
	Py_XDECREF(result);
	return result == NULL ? -1 : 0;
}

PyObject *
bf_test_each(BfObject *self, PyObject *values, BfFamily wanted)
{
	PyObject   *list = PyList_New(0);
	PyObject   *iterator = PyObject_GetIter(values);
	PyObject   *value;
	Py_ssize_t	done = 0;
	int			found = 0;

	while (list != NULL && iterator != NULL && found >= 0 &&
		   (value = PyIter_Next(iterator)) != NULL)
	{
		found = bf_test_value(self, value, wanted);
		Py_DECREF(value);
		if (found >= 0 &&
			(PyList_Append(list, found ? Py_True : Py_False) < 0 || give_way(self->module, &done) < 0))
			found = -1;
	}
	Py_XDECREF(iterator);
	if (PyErr_Occurred())
		Py_CLEAR(list);
	return list;
}

int
bf_add_each(BfObject *self, PyObject *values, BfFamily wanted)
{
	PyObject   *iterator = PyObject_GetIter(values);
	PyObject   *value;
	Py_ssize_t	done = 0;
	int			result = 0;

	while (iterator != NULL && result == 0 && (value = PyIter_Next(iterator)) != NULL)
	{
		result = bf_add_value(self, value, wanted);
		Py_DECREF(value);
		if (result == 0)
			result = give_way(self->module, &done);
	}
	Py_XDECREF(iterator);
	return PyErr_Occurred() ? -1 : 0;
}

/* ---------- arrays ---------- */

/* What is being done with an array, and how far it is. */
typedef struct Batch
{
	BfObject   *self;
	BfColumn	column;
	BfFamily	family;			/* of its values */
	BfWalk		walk;
	Py_ssize_t	done;			/* values so far */
	uint8_t    *found;			/* the next answers; NULL: add */
	const BfProblem *problem;	/* with the value at the position done */
	bool		failed;			/* for the reason of the error */
	BfError		error;
} Batch;

/* Hash and use the next values.  Returns their number, 0 at an end. */
static Py_ssize_t
do_chunk(Batch *batch, const BfHashing *hashing)
{
	BfFilter   *filter = batch->self->filter;
	uint64_t	hashes[CHUNK];
	const char *items = NULL;
	Py_ssize_t	n = bf_walk_next(&batch->walk, CHUNK, &items);
	Py_ssize_t	hashed = bf_column_hash(&batch->column, hashing, items, batch->walk.stride, n,
										hashes, &batch->problem);

	/* a filter takes no family from values that it does not get */
	if (hashed == 0)
		return 0;
	if (batch->found != NULL)
		batch->failed = !bf_filter_accepts(filter, batch->family, NULL, &batch->error);
	else
		batch->failed = !bf_filter_adopt(filter, batch->family, NULL, &batch->error) ||
			!bf_filter_add_hashes(filter, hashes, (int) hashed, &batch->error);
	if (batch->failed)
		return 0;
	if (batch->found != NULL)
	{
		bf_filter_contains_hashes(filter, hashes, (int) hashed, batch->found);
		batch->found += hashed;
	}
	batch->done += hashed;
	return hashed < n ? 0 : n;
}

/*
 * Hash values, and add them to a list together.  Returns true if these were as
 * many as there are hashes to be written.
 */
static bool
do_list(Batch *batch, const BfHashing *hashing, uint64_t *hashes, Py_ssize_t count)
{
	BfFilter   *filter = batch->self->filter;
	Py_ssize_t	n = 0;
	Py_ssize_t	hashed;

	do
	{
		const char *items = NULL;
		Py_ssize_t	found = bf_walk_next(&batch->walk, count - n, &items);

		hashed = bf_column_hash(&batch->column, hashing, items, batch->walk.stride, found,
								hashes + n, &batch->problem);
		n += hashed;
	} while (hashed > 0 && batch->problem == NULL && n < count);

	/* a filter takes no family from values that it does not get */
	if (n > 0)
		batch->failed = !bf_filter_adopt(filter, batch->family, NULL, &batch->error) ||
			!bf_filter_add_many(filter, hashes, (int) n, &batch->error);
	if (!batch->failed)
		batch->done += n;
	return n == count && !batch->failed && batch->problem == NULL;
}

/*
 * The values up to the next look for signals.  Without the interpreter, but
 * with the filter's lock.  Returns false at an end.
 */
static bool
do_slice(Batch *batch)
{
	const BfHeader *header = &batch->self->filter->header;
	BfHashing	hashing = {
		.family = batch->family,
		.strip_blanks = batch->family == BF_FAMILY_BPCHAR || header->family == BF_FAMILY_BPCHAR,
		.seed = (uint64_t) header->seed
	};
	Py_ssize_t	start = batch->done;
	Py_ssize_t	left = batch->column.count - start;

	if (batch->found == NULL && left > CHUNK && header->representation != BF_DENSE)
	{
		Py_ssize_t	count = left < SLICE ? left : SLICE;
		uint64_t   *hashes = malloc((size_t) count * sizeof(*hashes));

		/* without the memory it works as well, if slower */
		if (hashes != NULL)
		{
			bool		more = do_list(batch, &hashing, hashes, count);

			free(hashes);
			return more;
		}
	}
	while (batch->done - start < SLICE)
		if (do_chunk(batch, &hashing) == 0)
			return false;
	return true;
}

static int
do_numbers(Batch *batch)
{
	BfObject   *self = batch->self;
	bool		more = batch->column.count > 0;

	while (more)
	{
		if (!(batch->found != NULL ? bf_lock_begin_read : bf_lock_begin_write) (&self->lock))
			return -1;
		Py_BEGIN_ALLOW_THREADS
		more = do_slice(batch);
		Py_END_ALLOW_THREADS
		if (batch->found != NULL)
			bf_lock_end_read(&self->lock);
		else
			bf_lock_end_write(&self->lock);
		if (batch->failed)
			return raise_not_taken(self, batch->family, &batch->error);
		if (batch->problem != NULL)
			return bf_raise_problem(self->module, batch->problem, batch->done);
		if (more && PyErr_CheckSignals() < 0)
			return -1;
	}
	return 0;
}

static int
do_objects(Batch *batch, BfFamily wanted)
{
	const char *items;

	while (bf_walk_next(&batch->walk, 1, &items) > 0)
	{
		PyObject   *value = *(PyObject *const *) (const void *) items;
		int			result;

		/* numpy has NULL for None in arrays that were never written */
		if (value == NULL)
			value = Py_None;
		Py_INCREF(value);
		if (batch->found != NULL)
			result = bf_test_value(batch->self, value, wanted);
		else
			result = bf_add_value(batch->self, value, wanted);
		Py_DECREF(value);
		if (result < 0)
			return -1;
		if (batch->found != NULL)
			*batch->found++ = (uint8_t) result;
		if (give_way(batch->self->module, &batch->done) < 0)
			return -1;
	}
	return 0;
}

static int
do_array(BfObject *self, PyObject *array, uint8_t *found, Py_ssize_t room, BfFamily wanted)
{
	Batch		batch = {.self = self, .found = found};
	int			result = bf_column_open(self->module, array, &batch.column);

	if (result <= 0)
	{
		if (result == 0)
			PyErr_SetString(PyExc_TypeError, "an array with the buffer protocol is expected");
		return -1;
	}
	bf_walk_begin(&batch.walk, &batch.column);
	result = -1;
	if (found != NULL && room != batch.column.count)
		PyErr_SetString(PyExc_ValueError, "as many bytes as values are expected");
	else if (batch.column.item == BF_ITEM_OBJECT)
		result = do_objects(&batch, wanted);
	else
	{
		batch.family = bf_kind_family(batch.column.kind, wanted);
		if (batch.family == BF_FAMILY_NONE)
			bf_raise_wrong_kind(self->module, batch.column.kind, wanted);
		else
			result = do_numbers(&batch);
	}
	bf_column_close(&batch.column);
	return result;
}

int
bf_test_array(BfObject *self, PyObject *array, PyObject *found, BfFamily wanted)
{
	Py_buffer	view;
	uint8_t		nothing;
	int			result;

	if (PyObject_GetBuffer(found, &view, PyBUF_WRITABLE | PyBUF_CONTIG) < 0)
		return -1;
	/* an empty buffer may have no address */
	result = do_array(self, array, view.len > 0 ? view.buf : &nothing, view.len, wanted);
	PyBuffer_Release(&view);
	return result;
}

int
bf_add_array(BfObject *self, PyObject *array, BfFamily wanted)
{
	return do_array(self, array, NULL, 0, wanted);
}
