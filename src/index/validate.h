/*-------------------------------------------------------------------------
 *
 * validate.h
 *		Checking operator classes of filter indexes: amvalidate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_VALIDATE_H
#define BF_INDEX_VALIDATE_H

/* amvalidate */
extern bool bf_index_validate(Oid opclass);

#endif							/* BF_INDEX_VALIDATE_H */
