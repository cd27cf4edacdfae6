/* set.h: declarations of set.c */
#ifndef BF_SETS_SET_H
#define BF_SETS_SET_H

#include "executor/spi.h"
#include "lib/ilist.h"
#include "storage/lockdefs.h"

#include "compat.h"

/* The statements; set.c has their text. */
typedef enum BfSetStatement
{
	BF_SET_READ,				/* rows of the segments $1 */
	BF_SET_LOCK,				/* the same, locked in this order */
	/*
	 * In segment $1, the row $2 by $3.  An addition that cannot be direct takes
	 * 31 microseconds of the processor with this, 56 with LOCK and WRITE.
	 */
	BF_SET_REPLACE,
	BF_SET_WRITE,				/* to the segments $1, the rows $2 */
	BF_SET_READ_ALL
} BfSetStatement;

#define BF_SET_STATEMENTS	(BF_SET_READ_ALL + 1)

typedef struct BfSet
{
	Oid			table;
	char	   *name;			/* for messages */
	AttrNumber	segment_column;
	AttrNumber	filter_column;
	Oid			index;			/* see index.h */
	/* the head as it was read last; it may have changed since.  Or NULL */
	bytea	   *head;
	/* private to set.c */
	SPIPlanPtr	plans[BF_SET_STATEMENTS];
	int			users;			/* calls that use it now */
	bool		changed;		/* the table is to be looked at again */
	bool		stale;			/* it is to be freed by the last of them */
	dlist_node	link;			/* in the list of those that are not stale */
	MemoryContext mcxt;
} BfSet;

/*
 * Call the function with the set in this table, connected to SPI.  The table
 * is locked, and stays so; before a lock above ROW EXCLUSIVE its rows must be
 * the caller's to update.  Raises 42P01 if there is no such table, 42809 if it
 * is no set, 42501.
 */
typedef void (*BfSetUse) (BfSet *set, void *argument);

extern void bf_set_use(Oid table, LOCKMODE lock, BfSetUse use, void *argument);

/* Remember the head. */
extern void bf_set_remember(BfSet *set, const bytea *head);

/*
 * Execute a statement with the rights of the caller.  A statement that is not
 * read-only sees what was committed before it, in READ COMMITTED.  Rows are
 * then in SPI_tuptable, their number in SPI_processed.
 */
extern void bf_set_execute(BfSet *set, BfSetStatement statement, Datum *arguments, bool read_only);

/*
 * The prepared statement, for a cursor.  Raises 55000 if it would be of another
 * table than the set's, whose schema was renamed.  bf_set_execute() does so, too.
 */
extern SPIPlanPtr bf_set_plan(BfSet *set, BfSetStatement statement);

/*
 * Raise 55000 if the statement, whose cursor was opened, is of another table.
 * bf_set_execute() does so itself.
 */
extern void bf_set_check_table(BfSet *set, BfSetStatement statement);

/* Raise XX001 for a row that is missing, or not as it should be. */
BF_NORETURN extern void bf_set_report_damage(const BfSet *set, int32 segment, const char *what);

/* Raise the error of a missing row: a set without its head may yet be copied. */
BF_NORETURN extern void bf_set_report_missing(const BfSet *set, int32 segment);

#endif							/* BF_SETS_SET_H */
