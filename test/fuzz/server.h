/*-------------------------------------------------------------------------
 *
 * server.h
 *		A stand-in for the server, for harnesses of sources that need its
 *		memory contexts and its errors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SERVER_H
#define SERVER_H

/* Forget everything: to be called before each input. */
extern void server_start(void);

/* How an action ended: 0, or the SQLSTATE of the error that it raised. */
extern int	server_try(void (*action) (void *), void *argument);

/* The message of that error. */
extern const char *server_message(void);

/*
 * Let the n-th allocation from now on fail, for once; 0 for none.
 */
extern void server_fail_allocation(unsigned n);

/* The flat form of an expanded object that the datum points at. */
extern struct varlena *server_flatten(Datum datum);

/* The number of contexts that exist, and of chunks allocated in all of them. */
extern unsigned server_contexts(void);
extern unsigned server_chunks(void);

#endif							/* SERVER_H */
