/*-------------------------------------------------------------------------
 *
 * clock.h
 *		Takes the time of executions, in the server's executor.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_CLOCK_H
#define BF_EVIDENCE_CLOCK_H

/* Hook into the executor and EXPLAIN, if that is not done yet. */
extern void bf_clock_install(void);

#endif							/* BF_EVIDENCE_CLOCK_H */
