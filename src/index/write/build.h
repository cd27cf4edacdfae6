/*-------------------------------------------------------------------------
 *
 * build.h
 *		Building a filter index: ambuild and ambuildempty.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_BUILD_H
#define BF_INDEX_BUILD_H

#include "access/genam.h"
#include "nodes/execnodes.h"

/* Phases of pg_stat_progress_create_index, after "initializing". */
#define BF_PHASE_SCAN	2
#define BF_PHASE_WAL	3

extern void bf_index_set_phase(int phase);

/* ambuild */
extern IndexBuildResult *bf_index_build(Relation heap, Relation index, IndexInfo *info);

/* ambuildempty: the init fork of an unlogged index */
extern void bf_index_build_empty(Relation index);

/* ambuildphasename */
extern char *bf_index_phase_name(int64 phase);

#endif							/* BF_INDEX_BUILD_H */
