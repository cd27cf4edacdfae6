/*-------------------------------------------------------------------------
 *
 * selectivity.h
 *		How many rows a test lets through.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SELECTIVITY_H
#define BF_SELECTIVITY_H

#include "postgres.h"

#include "nodes/supportnodes.h"

/* Answer a request for the selectivity of one of the testing functions. */
extern void bf_estimate_selectivity(SupportRequestSelectivity *req);

#endif							/* BF_SELECTIVITY_H */
