/*-------------------------------------------------------------------------
 *
 * attempt.h
 *		Work that a caller can do without, in a subtransaction.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_ATTEMPT_H
#define BF_INDEX_ATTEMPT_H

/* May something be attempted now?  Not beside the workers of a parallel VACUUM, up to 16. */
extern bool bf_can_attempt(void);

/*
 * Call the function in a subtransaction.  Returns NULL, or the error that it raised,
 * palloc'd; then locks, pins and other resources that it took are released, but not
 * memory.  A cancellation, or whatever else an operator asks for, is raised again.
 */
extern ErrorData *bf_attempt(void (*work) (void *state), void *state);

#endif							/* BF_INDEX_ATTEMPT_H */
