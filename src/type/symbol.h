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
 * Is the SQL function the extension's C function of this name, whatever its own
 * name and schema?  Its address would not tell: one with settings, or watched by
 * another extension, is called through the server's fmgr_security_definer().
 */
extern bool bf_has_symbol(Oid function, const char *symbol);

#endif							/* BF_SYMBOL_H */
