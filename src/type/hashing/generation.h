/*-------------------------------------------------------------------------
 *
 * generation.h
 *		Detects when what was looked up about types may have changed.
 *
 * What call sites remember about a type can outlive a statement: in an open
 * cursor, or in the expressions of PL/pgSQL.  So it belongs to a generation,
 * and a new generation begins as soon as any of it may be outdated: a type,
 * schema or function is renamed, a range gets another collation, or a type
 * another hash operator class or function.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_GENERATION_H
#define BF_GENERATION_H

/* The current generation.  Never 0, which means "not initialized". */
extern uint64 bf_generation;

/*
 * Call this before a lookup in a syscache whose key is an OID: TYPEOID,
 * NAMESPACEOID, PROCOID, LANGOID, RANGETYPE or COLLOID.  From then on a change
 * of that row begins a new generation.  So does a change of any operator
 * class, or of the functions of any operator family.
 */
extern void bf_watch(int cacheid, Oid oid);

#endif							/* BF_GENERATION_H */
