/*-------------------------------------------------------------------------
 *
 * known.h
 *		What the second pass of CREATE INDEX CONCURRENTLY knows to be in the index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_KNOWN_H
#define BF_INDEX_KNOWN_H

#include "nodes/execnodes.h"
#include "utils/rel.h"

#include "index/file/directory.h"
#include "index/write/bits.h"

typedef struct BfKnown BfKnown;

/* In the context of info; NULL: this is not that pass. */
extern BfKnown *bf_known_begin(Relation index, IndexInfo *info);

/*
 * Are the bits of both levels set that a value of a row in this group needs in this
 * slab?  False if it is not known.
 */
extern bool bf_known_has(BfKnown *known, Relation index, const BfDirectory *directory,
						 uint32 group, uint32 column, const BfTarget *targets);

#endif							/* BF_INDEX_KNOWN_H */
