/* declared.h: declarations of declared.c */
#ifndef BF_DECLARED_H
#define BF_DECLARED_H

#include "fmgr.h"

/*
 * The name of a type with its modifier, which is the same on every server and
 * for every search_path.  NULL unless the hashes of the type's values depend
 * on no server and no setting, and the values reach another server unchanged.
 */
extern char *bf_declared_name(Oid typid, int32 typmod);

/*
 * Does another server see the values of a call's argument as values of the
 * type with this name, each with the same hash?  Never raises an error.
 */
extern bool bf_argument_is_declared(FunctionCallInfo fcinfo, int argno, const text *name);

#endif							/* BF_DECLARED_H */
