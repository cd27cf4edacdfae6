/*-------------------------------------------------------------------------
 *
 * io.h
 *		The types' input functions, by which they are recognized.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_IO_H
#define BF_IO_H

#include "postgres.h"
#include "fmgr.h"

#include "compat.h"

extern PGDLLEXPORT Datum bloomfilter_in(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum counting_bloomfilter_in(PG_FUNCTION_ARGS);

#endif							/* BF_IO_H */
