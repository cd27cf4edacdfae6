/* head.h: declarations of head.c */
#ifndef BF_SETS_HEAD_H
#define BF_SETS_HEAD_H

#include "type/hashing/element.h"

/* A head, and the row that it was read from or is to be written to. */
typedef struct BfSetHead
{
	bytea	   *row;
	BfHeader	header;			/* its name points into the row */
} BfSetHead;

/* A head with these parameters. */
extern void bf_set_head_make(BfSetHead *head, const BfHeader *header);

/* The same parameters, and the family of the element. */
extern void bf_set_head_adopt(BfSetHead *head, const BfSetHead *from, const BfElement *element);

/* Read the row.  Returns NULL, or the reason why it is no head. */
extern const char *bf_set_head_read(BfSetHead *head, bytea *row);

/* Are both rows the same? */
extern bool bf_set_rows_equal(const bytea *a, const bytea *b);

#endif							/* BF_SETS_HEAD_H */
