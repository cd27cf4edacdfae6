/*-------------------------------------------------------------------------
 *
 * lines.h
 *		The lines that vectors.py makes: their fields, and the values in them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LINES_H
#define LINES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pgbloomfilter.h"

/* Longer than any line, and more than any line has. */
#define LINE_ROOM	(1 << 20)
#define MAX_FIELDS	32

typedef struct Line
{
	char		text[LINE_ROOM];
	char	   *fields[MAX_FIELDS];	/* "" behind the last */
} Line;

static inline int
line_read(FILE *file, Line *line)
{
	char	   *end;
	int			i;

	if (fgets(line->text, LINE_ROOM, file) == NULL)
		return 0;
	end = strchr(line->text, '\n');
	if (end == NULL)
		abort();
	*end = '\0';
	line->fields[0] = line->text;
	for (i = 1; i < MAX_FIELDS; i++)
	{
		char	   *tab = strchr(line->fields[i - 1], '\t');

		line->fields[i] = tab != NULL ? tab + 1 : end;
		if (tab != NULL)
			*tab = '\0';
	}
	return 1;
}

/* Bytes of a field, which take its place, with a zero byte behind them. */
typedef struct Bytes
{
	char	   *start;
	size_t		length;
} Bytes;

static inline int
hex_digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

static inline Bytes
decode(char *field)
{
	Bytes		bytes;
	size_t		i;

	bytes.start = field;
	bytes.length = strlen(field) / 2;
	for (i = 0; i < bytes.length; i++)
		field[i] = (char) (hex_digit(field[2 * i]) << 4 | hex_digit(field[2 * i + 1]));
	field[bytes.length] = '\0';
	return bytes;
}

/* Three fields. */
typedef struct Value
{
	pgbf_family family;
	char		passed;			/* n, f or b */
	int64_t		number;
	double		real;
	Bytes		bytes;
} Value;

static inline Value
read_value(char **fields)
{
	Value		value;

	memset(&value, 0, sizeof(value));
	value.family = (pgbf_family) atoi(fields[0]);
	value.passed = fields[1][0];
	if (value.passed == 'n')
		value.number = strtoll(fields[2], NULL, 10);
	else if (value.passed == 'f')
		value.real = strtod(fields[2], NULL);
	else
		value.bytes = decode(fields[2]);
	return value;
}

static inline bool
add_value(pgbf_filter *filter, const Value *value, pgbf_error *error)
{
	return value->passed == 'n' ? pgbf_add_number(filter, value->family, value->number, error) :
		value->passed == 'f' ? pgbf_add_float(filter, value->real, error) :
		pgbf_add_bytes(filter, value->family, value->bytes.start, value->bytes.length, error);
}

static inline int
has_value(const pgbf_filter *filter, const Value *value, pgbf_error *error)
{
	return value->passed == 'n' ? pgbf_has_number(filter, value->family, value->number, error) :
		value->passed == 'f' ? pgbf_has_float(filter, value->real, error) :
		pgbf_has_bytes(filter, value->family, value->bytes.start, value->bytes.length, error);
}

#endif							/* LINES_H */
