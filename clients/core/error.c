/*-------------------------------------------------------------------------
 *
 * error.c
 *		Errors in the server's words, and the locale in which errors and
 *		filters are written.
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "core/sizing.h"
#include "crc32c.h"
#include "internal.h"

/* ---------- the locale ---------- */

/* WebAssembly has only the C locale. */
#ifndef __wasm__

static locale_t c_locale;

static void
init_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
}

BfLocale
bf_locale_enter(void)
{
	BfLocale	locale = {uselocale(c_locale)};

	return locale;
}

void
bf_locale_leave(BfLocale locale)
{
	uselocale((locale_t) locale.callers);
}

#else

static void
init_locale(void)
{
}

BfLocale
bf_locale_enter(void)
{
	BfLocale	locale = {NULL};

	return locale;
}

void
bf_locale_leave(BfLocale locale)
{
	(void) locale;
}

#endif

void
bf_clients_init(void)
{
	init_locale();
	bf_crc32c_init();
	bf_blocks_init();
	bf_sizing_init();
}

/* ---------- errors ---------- */

static bool
write_error(char *dst, size_t room, const char *format, va_list arguments)
{
	BfLocale	locale = bf_locale_enter();

	vsnprintf(dst, room, format, arguments);
	bf_locale_leave(locale);
	return false;
}

bool
bf_error_set(BfError *error, const char *sqlstate, const char *format,...)
{
	va_list		arguments;

	memcpy(error->sqlstate, sqlstate, sizeof(error->sqlstate));
	error->detail[0] = '\0';
	error->hint[0] = '\0';
	va_start(arguments, format);
	write_error(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	return false;
}

bool
bf_error_detail(BfError *error, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	write_error(error->detail, sizeof(error->detail), format, arguments);
	va_end(arguments);
	return false;
}

bool
bf_error_hint(BfError *error, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	write_error(error->hint, sizeof(error->hint), format, arguments);
	va_end(arguments);
	return false;
}

bool
bf_error_memory(BfError *error)
{
	return bf_error_set(error, BF_ERROR_MEMORY, "out of memory");
}

bool
bf_error_list_limit(BfError *error)
{
	bf_error_set(error, BF_ERROR_LIMIT,
				 "more than %" PRIu64 " distinct values in a bloomfilter without expected_items",
				 BF_MAX_LIST);
	return bf_error_hint(error, "Give expected_items.");
}
