/*-------------------------------------------------------------------------
 *
 * arm.h
 *		The arm of a trial to which a plan belongs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_ARM_H
#define BF_EVIDENCE_ARM_H

#include "nodes/plannodes.h"

typedef enum BfArm
{
	BF_ARM_NONE,				/* the plan takes part in no trial */
	BF_ARM_WITH,
	BF_ARM_WITHOUT,
	BF_ARM_GUARDED				/* without, because filters made the query slower */
} BfArm;

/* Mark a plan that is not marked yet, as one that was made for the current role. */
extern void bf_arm_mark(PlannedStmt *stmt, BfArm arm);

/* The arm by which a plan is marked; in parallel workers none. */
extern BfArm bf_arm_of(const PlannedStmt *stmt);

/* The role that a plan was made for, which is marked. */
extern Oid	bf_arm_role(const PlannedStmt *stmt);

#endif							/* BF_EVIDENCE_ARM_H */
