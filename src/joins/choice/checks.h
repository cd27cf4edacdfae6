/*-------------------------------------------------------------------------
 *
 * checks.h
 *		What the CHECK constraints of a table say of its rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_CHECKS_H
#define BF_JOIN_CHECKS_H

#include "access/tupdesc.h"
#include "nodes/pg_list.h"
#include "utils/relcache.h"

/*
 * The conditions that a constraint consists of: each is true or NULL for all
 * rows of the table.  NIL if the constraint is not valid, or has the form of a
 * partition's.  Comparisons have their constants, as far as these are known, on
 * the right side, as the constraints of partitions do.  Conditions with stable
 * or volatile functions are left out: they were true when a row was written, and
 * may be false now.
 */
extern List *bf_check_conditions(const ConstrCheck *check);

/* The transaction that made the constraint, or changed it last. */
extern TransactionId bf_check_made_by(Relation table, const ConstrCheck *check);

#endif							/* BF_JOIN_CHECKS_H */
