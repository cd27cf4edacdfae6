/* symbol.h: declarations of symbol.c */
#ifndef BF_SYMBOL_H
#define BF_SYMBOL_H

/*
 * The name of the extension's C function that implements an SQL function,
 * whatever name and schema that has; empty if there is none.  Addresses cannot
 * be compared: functions with settings, or watched by another extension, are
 * called through the server's fmgr_security_definer().
 */
extern const char *bf_symbol(Oid function);

#endif							/* BF_SYMBOL_H */
