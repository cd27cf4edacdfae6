/*-------------------------------------------------------------------------
 *
 * declared.h
 *		Whether a column is what another server takes it for.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_DECLARED_H
#define BF_DECLARED_H

#include "postgres.h"

#include "fmgr.h"

/*
 * A name of a type with its modifier that every server gives it, whatever its
 * search_path.  NULL unless values of the type have hashes that no server and no
 * setting changes, and reach another server as the values that they are.
 */
extern char *bf_declared_name(Oid typid, int32 typmod);

/*
 * Are the values of a call's argument those that another server sees as values
 * of the type of that name, each with the same hash?  Never raises an error.
 */
extern bool bf_argument_is_declared(FunctionCallInfo fcinfo, int argno, const text *name);

#endif							/* BF_DECLARED_H */
