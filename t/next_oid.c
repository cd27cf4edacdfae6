/*-------------------------------------------------------------------------
 *
 * next_oid.c
 *		Let the counter of OIDs come around, for 008_stored_filters.pl.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "fmgr.h"
#include "storage/lwlock.h"

PG_MODULE_MAGIC;

/* 17 renamed it. */
#if PG_VERSION_NUM >= 170000
#define VARIABLES	TransamVariables
#else
#define VARIABLES	ShmemVariableCache
#endif

extern PGDLLEXPORT Datum set_next_oid(PG_FUNCTION_ARGS);

PG_FUNCTION_INFO_V1(set_next_oid);

/* The next OID that is assigned will be this one, if it is free. */
Datum
set_next_oid(PG_FUNCTION_ARGS)
{
	LWLockAcquire(OidGenLock, LW_EXCLUSIVE);
	VARIABLES->nextOid = PG_GETARG_OID(0);
	VARIABLES->oidCount = 0;
	LWLockRelease(OidGenLock);
	PG_RETURN_VOID();
}
