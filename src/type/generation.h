/*-------------------------------------------------------------------------
 *
 * generation.h
 *		Notices when what was looked up of types may have changed.
 *
 * What call sites remember of a type can outlive a statement: in an open
 * cursor, or in the expressions of PL/pgSQL.  So it is of a generation, and a
 * new one begins as soon as anything of it may be otherwise: a type, schema or
 * function has another name, a range another collation, a type another hash
 * operator class or function.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_GENERATION_H
#define BF_GENERATION_H

#include "postgres.h"

/* The present generation.  Never 0, so that this stands for none. */
extern uint64 bf_generation;

/*
 * To be called before something is looked up in a syscache whose key is an
 * OID: TYPEOID, NAMESPACEOID, PROCOID, LANGOID, RANGETYPE or COLLOID.  From then
 * on a change of that row begins a new generation; so does a change of any
 * operator class, or of the functions of any.
 */
extern void bf_watch(int cacheid, Oid oid);

#endif							/* BF_GENERATION_H */
