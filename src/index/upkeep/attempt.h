/*-------------------------------------------------------------------------
 *
 * attempt.h
 *		Work that VACUUM can do without.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_ATTEMPT_H
#define BF_INDEX_ATTEMPT_H

#include "utils/rel.h"

/* May something be attempted now?  Not beside the workers of a parallel VACUUM, up to 16. */
extern bool bf_can_attempt(void);

/*
 * Call the function in a subtransaction.  Returns NULL, or the error that it raised,
 * palloc'd; then locks, pins and other resources that it took are released, but not
 * memory.  A cancellation, or whatever else an operator asks for, is raised again.
 */
extern ErrorData *bf_attempt(void (*work) (void *state), void *state);

/* Warn that an attempt to rebuild filters of the index has failed. */
extern void bf_warn_of_attempt(Relation index, const ErrorData *error);

#endif							/* BF_INDEX_ATTEMPT_H */
