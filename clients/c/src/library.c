/*-------------------------------------------------------------------------
 *
 * library.c
 *		libpgbloomfilter's version, its initialization, and errors.
 *
 *-------------------------------------------------------------------------
 */
#include "library.h"

#include <pthread.h>
#include <stdlib.h>

_Static_assert(sizeof(((pgbf_error *) NULL)->sqlstate) >= sizeof(((BfError *) NULL)->sqlstate) &&
			   sizeof(((pgbf_error *) NULL)->message) >= sizeof(((BfError *) NULL)->message) &&
			   sizeof(((pgbf_error *) NULL)->detail) >= sizeof(((BfError *) NULL)->detail) &&
			   sizeof(((pgbf_error *) NULL)->hint) >= sizeof(((BfError *) NULL)->hint),
			   "an error of clients/core fits into one of the library's");

const char *
pgbf_version(void)
{
	return PGBF_VERSION;
}

/*
 * Not when the library is loaded: constructors of C++ objects may make filters
 * before that, where the library is linked statically.
 */
void
bf_library_begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, bf_clients_init);
}

bool
bf_refuse(pgbf_error *error, const char *sqlstate, const char *message, const char *detail,
		  const char *hint)
{
	if (error == NULL)
		return false;
	memset(error->sqlstate, 0, sizeof(error->sqlstate));
	strcpy(error->sqlstate, sqlstate);
	strcpy(error->message, message);
	strcpy(error->detail, detail != NULL ? detail : "");
	strcpy(error->hint, hint != NULL ? hint : "");
	return false;
}

bool
bf_report(const BfError *from, pgbf_error *to)
{
	return bf_refuse(to, from->sqlstate, from->message, from->detail, from->hint);
}

void
pgbf_release(void *memory)
{
	free(memory);
}
