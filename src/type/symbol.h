/*-------------------------------------------------------------------------
 *
 * symbol.h
 *		Which C function of the extension an SQL function is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SYMBOL_H
#define BF_SYMBOL_H

#include "postgres.h"

/*
 * The name of the extension's C function that an SQL function is, whatever its
 * own name and schema; empty if it is none.  Its address would not tell: one with
 * settings, or watched by another extension, is called through the server's
 * fmgr_security_definer().
 */
extern const char *bf_symbol(Oid function);

#endif							/* BF_SYMBOL_H */
