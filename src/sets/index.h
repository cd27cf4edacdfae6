/* index.h: declarations of index.c */
#ifndef BF_SETS_INDEX_H
#define BF_SETS_INDEX_H

#include "utils/relcache.h"

/* A unique index of the column "segment" alone, or InvalidOid. */
extern Oid	bf_set_find_index(Relation table);

#endif							/* BF_SETS_INDEX_H */
