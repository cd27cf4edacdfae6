/* rows.h: declarations of rows.c */
#ifndef BF_SETS_ROWS_H
#define BF_SETS_ROWS_H

#include "sets/head.h"
#include "sets/set.h"

/*
 * Read the rows of n segments, which are in ascending order, by BF_SET_READ or
 * BF_SET_LOCK.  Sets rows[i] to the row of the i-th, in the memory of
 * SPI_tuptable or palloc'd.  Raises XX001 unless each is there once.
 */
extern void bf_set_read_rows(BfSet *set, BfSetStatement statement, bool read_only,
							 const int32 *segments, int n, bytea **rows);

/* The segment and the row of the i-th row in SPI_tuptable. */
extern bytea *bf_set_result_row(const BfSet *set, uint64 i, int32 *segment);

/* Raise XX001 unless the row of a segment with blocks is as long as it should be. */
extern void bf_set_check_row(const BfSet *set, const BfHeader *header, int32 segment,
							 const bytea *row);

/*
 * Replace a row if it is still the old one.  Returns false if it is not, or
 * was not updated for another reason.
 */
extern bool bf_set_replace_row(BfSet *set, int32 segment, bytea *old_row, bytea *new_row);

/* Write n rows that are locked.  Raises an error if not all were written. */
extern void bf_set_write_rows(BfSet *set, const int32 *segments, bytea **rows, int n);

/* Raise the error for rows that UPDATE leaves out. */
BF_NORETURN extern void bf_set_report_not_updated(const BfSet *set);

/* The head of the set, as it is now. */
extern void bf_set_read_head(BfSet *set, bool read_only, BfSetHead *head);

/* Decode a head that was read, and remember it.  Raises 42809 if it is none. */
extern void bf_set_take_head(BfSet *set, bytea *row, BfSetHead *head);

/*
 * The head as it was read last, or as it is now.  Returns true if it is as it
 * is now.
 */
extern bool bf_set_recall_head(BfSet *set, bool read_only, BfSetHead *head);

#endif							/* BF_SETS_ROWS_H */
