/*-------------------------------------------------------------------------
 *
 * validate.h
 *		Checking operator classes of filter indexes: amvalidate and
 *		amadjustmembers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_VALIDATE_H
#define BF_INDEX_VALIDATE_H

#include "nodes/pg_list.h"

/* amadjustmembers: scans take every operator of a class of values for =. */
extern void bf_index_adjust_members(Oid family, Oid opclass, List *operators, List *functions);

/* amvalidate */
extern bool bf_index_validate(Oid opclass);

#endif							/* BF_INDEX_VALIDATE_H */
