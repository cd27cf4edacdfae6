/*-------------------------------------------------------------------------
 *
 * checks.h
 *		What the CHECK constraints of a table say of its rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_CHECKS_H
#define BF_JOIN_CHECKS_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "nodes/pg_list.h"
#include "utils/relcache.h"

/*
 * The conditions that a constraint consists of: each is true or NULL for all
 * rows of the table.  NIL if the constraint is not valid.  Comparisons have
 * their constants, as far as these are known, on the right side, as the
 * constraints of partitions do.  Conditions with stable or volatile functions
 * are left out: they were true when a row was written, and may be false now.
 */
extern List *bf_check_conditions(const ConstrCheck *check);

/*
 * Was the constraint made for the table itself?  One that it only inherits may be
 * of another column: DETACH PARTITION CONCURRENTLY of a partitioned table leaves
 * one to its partitions, whose columns may have another order, with the numbers
 * of its own columns (seen in 15.20).  made_by: the transaction that made or
 * changed it last.
 */
extern bool bf_check_is_own(Relation table, const ConstrCheck *check, TransactionId *made_by);

#endif							/* BF_JOIN_CHECKS_H */
