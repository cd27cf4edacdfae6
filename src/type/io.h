/*-------------------------------------------------------------------------
 *
 * io.h
 *		The type's input function, by which the type recognizes itself.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_IO_H
#define BF_IO_H

#include "postgres.h"
#include "fmgr.h"

#include "compat.h"

extern PGDLLEXPORT Datum bloomfilter_in(PG_FUNCTION_ARGS);

#endif							/* BF_IO_H */
