/*-------------------------------------------------------------------------
 *
 * column.h
 *		Arrays of values, of numpy and of whoever else exports a buffer.
 *
 * Items are hashed without the interpreter.  They may lie anywhere and in any
 * order of bytes; they are taken row by row, as numpy's flat takes them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COLUMN_H
#define BF_COLUMN_H

#include "python.h"

/* As many dimensions as a buffer can have (Python's PyBUF_MAX_NDIM). */
#define BF_MAX_DIMENSIONS	64

/* How an item is written. */
typedef enum BfItem
{
	BF_ITEM_OBJECT,				/* a pointer to an object of Python's */
	BF_ITEM_SIGNED,
	BF_ITEM_UNSIGNED,
	BF_ITEM_BOOL,
	BF_ITEM_FLOAT,
	BF_ITEM_BYTES,				/* padded with zero bytes */
	BF_ITEM_UCS4				/* padded with U+0000 */
} BfItem;

typedef struct BfColumn
{
	Py_buffer	view;
	PyObject   *owner;			/* of the buffer, if it was made for this */
	BfItem		item;
	BfKind		kind;			/* but for objects */
	bool		swapped;		/* the other order of bytes */
	BfUnit		unit;			/* of a datetime64 */
	Py_ssize_t	count;			/* of all items */
	char	   *scratch;		/* room for a text in UTF-8 */
} BfColumn;

/* What to hash items as. */
typedef struct BfHashing
{
	BfFamily	family;
	bool		strip_blanks;
	uint64_t	seed;
} BfHashing;

/*
 * Open an object that exports a buffer, or datetime64s.  Returns 1; 0 without
 * an exception if it does not export any; -1 with one if its values cannot be
 * hashed.
 */
extern int	bf_column_open(const BfModule *module, PyObject *values, BfColumn *column);

extern void bf_column_close(BfColumn *column);

/* A walk over all items. */
typedef struct BfWalk
{
	const BfColumn *column;
	const char *item;			/* the next one */
	Py_ssize_t	stride;			/* from item to item */
	Py_ssize_t	left;			/* items in this row */
	int			outer;			/* dimensions around the row */
	Py_ssize_t	index[BF_MAX_DIMENSIONS];
} BfWalk;

extern void bf_walk_begin(BfWalk *walk, const BfColumn *column);

/*
 * The next items, at most max of them, each walk->stride behind the one
 * before.  Returns their number, 0 at the end.
 */
extern Py_ssize_t bf_walk_next(BfWalk *walk, Py_ssize_t max, const char **items);

/*
 * Hash n items, of which none is an object.  Returns how many it could; if
 * these are fewer, the problem with the next one is set.
 */
extern Py_ssize_t bf_column_hash(const BfColumn *column, const BfHashing *hashing,
								 const char *items, Py_ssize_t stride, Py_ssize_t n,
								 uint64_t *hashes, const BfProblem **problem);

#endif							/* BF_COLUMN_H */
