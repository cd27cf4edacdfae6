/*-------------------------------------------------------------------------
 *
 * column.c
 *		Arrays of values, of numpy and of whoever else exports a buffer.
 *
 *-------------------------------------------------------------------------
 */
#include "column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

/* ---------- datetime64 ---------- */

/* From one of them to microseconds; days stay what they are. */
static const struct
{
	const char *name;
	BfUnit		unit;
}			units[] =
{
	{"D", {1, 1}},
	{"h", {INT64_C(3600000000), 1}},
	{"m", {INT64_C(60000000), 1}},
	{"s", {INT64_C(1000000), 1}},
	{"ms", {1000, 1}},
	{"us", {1, 1}},
	{"ns", {1, 1000}},
	{"ps", {1, INT64_C(1000000)}},
	{"fs", {1, INT64_C(1000000000)}},
	{"as", {1, INT64_C(1000000000000)}},
};

/* Parse "[us]" or, for steps of 25 microseconds, "[25us]". */
static bool
parse_unit(const char *s, BfKind *kind, BfUnit *unit)
{
	char	   *end;
	long		steps;
	size_t		i;

	if (*s++ != '[')
		return false;
	steps = strtol(s, &end, 10);
	if (end == s)
		steps = 1;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
	{
		size_t		len = strlen(units[i].name);

		if (strncmp(end, units[i].name, len) == 0 && strcmp(end + len, "]") == 0)
		{
			*kind = i == 0 ? BF_PY_DATE64 : BF_PY_DATETIME64;
			*unit = units[i].unit;
			return steps > 0 && !__builtin_mul_overflow(unit->multiply, steps, &unit->multiply);
		}
	}
	return false;
}

/*
 * numpy exports no buffer of datetime64s, and of a single one its bytes.  What
 * it is, the name of its dtype tells, "datetime64[us]", or "<M8[us]" or
 * ">M8[us]" if that is not the machine's order of bytes; and as integers it
 * can be had.  Sets *integers to these, or to NULL if it is something else.
 */
static int
open_datetime64(const BfModule *module, PyObject *values, BfColumn *column, PyObject **integers)
{
	PyObject   *dtype = PyObject_GetAttrString(values, "dtype");
	PyObject   *name;
	const char *s;
	const char *view;
	const char *bracket;
	int			result = 0;

	*integers = NULL;
	if (dtype == NULL)
	{
		PyErr_Clear();
		return 0;
	}
	name = PyObject_Str(dtype);
	Py_DECREF(dtype);
	s = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
	if (s == NULL)
		result = -1;
	else if (strncmp(s, "timedelta64", 11) == 0 || strncmp(s, "<m8", 3) == 0 ||
			 strncmp(s, ">m8", 3) == 0)
		result = bf_raise_no_element(module, s, "It is an interval, which only the server can hash.");
	else if (strncmp(s, "datetime64", 10) == 0 || strncmp(s, "<M8", 3) == 0 ||
			 strncmp(s, ">M8", 3) == 0)
	{
		bracket = strchr(s, '[');
		view = s[0] == 'd' ? "i8" : s[0] == '<' ? "<i8" : ">i8";
		if (bracket == NULL || !parse_unit(bracket, &column->kind, &column->unit))
			result = bf_raise_no_element(module, s,
										 "Only dates, in days, and timestamps, in hours or less, can.");
		else if ((*integers = PyObject_CallMethod(values, "view", "s", view)) == NULL)
			result = -1;
	}
	Py_XDECREF(name);
	return result;
}

/* ---------- formats ---------- */

/* Is the order of bytes that a format begins with not the machine's? */
static bool
is_swapped(char order)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return order == '<';
#else
	return order == '>' || order == '!';
#endif
}

/*
 * Take apart the format of an item, as the module struct writes it.  The
 * item's size is the buffer's.
 */
static bool
parse_format(const char *format, BfColumn *column)
{
	Py_ssize_t	size = column->view.itemsize;
	bool		counted;

	column->swapped = false;
	if (strchr("@=<>!", *format) != NULL && *format != '\0')
		column->swapped = is_swapped(*format++);
	counted = *format >= '0' && *format <= '9';
	while (*format >= '0' && *format <= '9')
		format++;
	if (format[0] == '\0' || format[1] != '\0')
		return false;

	/* characters may be many to an item, numbers may not */
	switch (*format)
	{
		case 's':
			column->item = BF_ITEM_BYTES;
			column->kind = BF_PY_BYTES;
			return true;
		case 'w':
			column->item = BF_ITEM_UCS4;
			column->kind = BF_PY_STR;
			/* without a number it is an array of characters, not of texts */
			return counted && size % 4 == 0;
		default:
			if (counted)
				return false;
	}

	if (strchr("bhilqn", *format) != NULL || strchr("BHILQN", *format) != NULL)
	{
		column->item = *format >= 'a' ? BF_ITEM_SIGNED : BF_ITEM_UNSIGNED;
		column->kind = BF_PY_INT;
		return size == 1 || size == 2 || size == 4 || size == 8;
	}
	if (strchr("efd", *format) != NULL)
	{
		column->item = BF_ITEM_FLOAT;
		column->kind = BF_PY_FLOAT;
		return size == 2 || size == 4 || size == 8;
	}
	column->item = *format == '?' ? BF_ITEM_BOOL : BF_ITEM_OBJECT;
	column->kind = BF_PY_BOOL;
	return (*format == '?' && size == 1) ||
		(*format == 'O' && size == (Py_ssize_t) sizeof(PyObject *));
}

/* Understand an open buffer. */
static int
describe(const BfModule *module, BfColumn *column)
{
	const char *format = column->view.format != NULL ? column->view.format : "B";
	BfKind		datetime = column->kind;	/* if there is a unit */
	int			i;

	if (!parse_format(format, column))
		return bf_raise_no_element(module, format, "This is the format of an array's items.");
	if (column->unit.multiply != 0)
	{
		/* anybody can have a dtype of that name, and a view of something else */
		if (column->item != BF_ITEM_SIGNED || column->view.itemsize != 8)
			return bf_raise_no_element(module, format, "A datetime64 is an integer of 8 bytes.");
		column->kind = datetime;
	}
	if (column->view.suboffsets != NULL)
		return bf_raise_no_element(module, format, "The array's rows are scattered in memory.");

	column->count = 1;
	for (i = 0; i < column->view.ndim; i++)
		column->count *= column->view.shape[i];
	if (column->item == BF_ITEM_UCS4)
	{
		/* a character takes no more in UTF-8 than in UCS-4 */
		column->scratch = malloc((size_t) column->view.itemsize + 1);
		if (column->scratch == NULL)
		{
			PyErr_NoMemory();
			return -1;
		}
	}
	return 1;
}

int
bf_column_open(const BfModule *module, PyObject *values, BfColumn *column)
{
	int			result;

	memset(column, 0, sizeof(*column));
	if (open_datetime64(module, values, column, &column->owner) < 0)
		return -1;
	if (column->owner != NULL)
		values = column->owner;
	else if (!PyObject_CheckBuffer(values))
		return 0;

	if (PyObject_GetBuffer(values, &column->view, PyBUF_FULL_RO) < 0)
	{
		column->view.obj = NULL;
		result = -1;
	}
	else
		result = describe(module, column);
	if (result < 0)
		bf_column_close(column);
	return result;
}

void
bf_column_close(BfColumn *column)
{
	free(column->scratch);
	if (column->view.obj != NULL)
		PyBuffer_Release(&column->view);
	Py_XDECREF(column->owner);
}

/* ---------- the way through them ---------- */

void
bf_walk_begin(BfWalk *walk, const BfColumn *column)
{
	const Py_buffer *view = &column->view;

	memset(walk, 0, sizeof(*walk));
	walk->column = column;
	walk->item = view->buf;
	if (view->ndim == 0 || PyBuffer_IsContiguous(view, 'C'))
	{
		walk->stride = view->itemsize;
		walk->left = column->count;
		return;
	}
	walk->outer = view->ndim - 1;
	walk->stride = view->strides[walk->outer];
	walk->left = column->count == 0 ? 0 : view->shape[walk->outer];
}

/* Go to the next row.  Returns false if there is none. */
static bool
next_row(BfWalk *walk)
{
	const Py_buffer *view = &walk->column->view;
	int			i;

	for (i = walk->outer - 1; i >= 0; i--)
	{
		if (++walk->index[i] < view->shape[i])
			break;
		walk->index[i] = 0;
	}
	if (i < 0)
		return false;
	walk->item = view->buf;
	for (i = 0; i < walk->outer; i++)
		walk->item += walk->index[i] * view->strides[i];
	walk->left = view->shape[walk->outer];
	return true;
}

Py_ssize_t
bf_walk_next(BfWalk *walk, Py_ssize_t max, const char **items)
{
	Py_ssize_t	n;

	if (walk->left == 0 && (walk->column->count == 0 || !next_row(walk)))
		return 0;
	n = walk->left < max ? walk->left : max;
	*items = walk->item;
	walk->item += n * walk->stride;
	walk->left -= n;
	return n;
}

/* ---------- hashes ---------- */

/* The bits of a number of that size, extended by its sign or by zeros. */
static BF_ALWAYS_INLINE int64_t
load_int(const char *item, int size, bool is_signed, bool swapped)
{
	uint64_t	value;

	if (size == 1)
		value = (uint8_t) *item;
	else if (size == 2)
	{
		uint16_t	word;

		memcpy(&word, item, sizeof(word));
		value = swapped ? __builtin_bswap16(word) : word;
	}
	else if (size == 4)
	{
		uint32_t	word;

		memcpy(&word, item, sizeof(word));
		value = swapped ? __builtin_bswap32(word) : word;
	}
	else
	{
		memcpy(&value, item, sizeof(value));
		return (int64_t) (swapped ? __builtin_bswap64(value) : value);
	}
	if (is_signed)
	{
		uint64_t	sign = UINT64_C(1) << (8 * size - 1);

		value = (value ^ sign) - sign;
	}
	return (int64_t) value;
}

static BF_ALWAYS_INLINE Py_ssize_t
hash_ints(const BfColumn *column, const BfHashing *hashing, const char *items, Py_ssize_t stride,
		  Py_ssize_t n, uint64_t *hashes, const BfProblem **problem, int size, bool is_signed)
{
	Py_ssize_t	i;

	for (i = 0; i < n; i++)
	{
		int64_t		value = load_int(items + i * stride, size, is_signed, column->swapped);

		if (size == 8 && !is_signed && value < 0)
		{
			*problem = &bf_integer_out_of_range;
			return i;
		}
		if (hashing->family == BF_FAMILY_INTEGER)
			hashes[i] = bf_hash_word8(value, bf_xxh3, hashing->seed);
		else if (!bf_hash_int(hashing->family, value, hashing->seed, &hashes[i], problem))
			return i;
	}
	return n;
}

static Py_ssize_t
hash_integers(const BfColumn *column, const BfHashing *hashing, const char *items,
			  Py_ssize_t stride, Py_ssize_t n, uint64_t *hashes, const BfProblem **problem)
{
	bool		is_signed = column->item == BF_ITEM_SIGNED;

#define HASH_INTS(size, is_signed) \
	hash_ints(column, hashing, items, stride, n, hashes, problem, size, is_signed)

	switch (column->view.itemsize)
	{
		case 1:
			return is_signed ? HASH_INTS(1, true) : HASH_INTS(1, false);
		case 2:
			return is_signed ? HASH_INTS(2, true) : HASH_INTS(2, false);
		case 4:
			return is_signed ? HASH_INTS(4, true) : HASH_INTS(4, false);
		default:
			return is_signed ? HASH_INTS(8, true) : HASH_INTS(8, false);
	}
#undef HASH_INTS
}

static Py_ssize_t
hash_datetimes(const BfColumn *column, const BfHashing *hashing, const char *items,
			   Py_ssize_t stride, Py_ssize_t n, uint64_t *hashes, const BfProblem **problem)
{
	Py_ssize_t	i;

	for (i = 0; i < n; i++)
		if (!bf_hash_datetime64(column->kind, column->unit,
								load_int(items + i * stride, 8, true, column->swapped),
								hashing->seed, &hashes[i], problem))
			return i;
	return n;
}

/* IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
static double
half_to_double(uint16_t half)
{
	int			exponent = half >> 10 & 31;
	int			fraction = half & 1023;
	double		value;

	if (exponent == 31)
		value = fraction == 0 ? INFINITY : NAN;
	else if (exponent == 0)
		value = ldexp(fraction, -24);
	else
		value = ldexp(fraction + 1024, exponent - 25);
	return (half & 0x8000) != 0 ? -value : value;
}

static double
load_double(const char *item, Py_ssize_t size, bool swapped)
{
	int64_t		bits = load_int(item, (int) size, false, swapped);
	uint32_t	bits4 = (uint32_t) bits;
	float		single;
	double		value;

	switch (size)
	{
		case 2:
			return half_to_double((uint16_t) bits);
		case 4:
			memcpy(&single, &bits4, sizeof(single));
			return single;
		default:
			memcpy(&value, &bits, sizeof(value));
			return value;
	}
}

/*
 * Write a text of UCS-4, up to its padding, in UTF-8.  Returns the length, or
 * -1 if there are surrogates or what is no character at all.
 */
static Py_ssize_t
ucs4_to_utf8(const char *item, Py_ssize_t size, bool swapped, char *dst)
{
	char	   *end = dst;
	Py_ssize_t	i;

	while (size > 0 && load_int(item + size - 4, 4, false, swapped) == 0)
		size -= 4;
	for (i = 0; i < size; i += 4)
	{
		uint32_t	c = (uint32_t) load_int(item + i, 4, false, swapped);

		if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
			return -1;
		if (c < 0x80)
			*end++ = (char) c;
		else if (c < 0x800)
		{
			*end++ = (char) (0xC0 | c >> 6);
			*end++ = (char) (0x80 | (c & 63));
		}
		else if (c < 0x10000)
		{
			*end++ = (char) (0xE0 | c >> 12);
			*end++ = (char) (0x80 | (c >> 6 & 63));
			*end++ = (char) (0x80 | (c & 63));
		}
		else
		{
			*end++ = (char) (0xF0 | c >> 18);
			*end++ = (char) (0x80 | (c >> 12 & 63));
			*end++ = (char) (0x80 | (c >> 6 & 63));
			*end++ = (char) (0x80 | (c & 63));
		}
	}
	return end - dst;
}

static Py_ssize_t
hash_texts(const BfColumn *column, const BfHashing *hashing, const char *items,
		   Py_ssize_t stride, Py_ssize_t n, uint64_t *hashes, const BfProblem **problem)
{
	Py_ssize_t	i;

	for (i = 0; i < n; i++)
	{
		Py_ssize_t	len = ucs4_to_utf8(items + i * stride, column->view.itemsize, column->swapped,
									   column->scratch);

		if (len < 0)
			*problem = &bf_not_utf8;
		if (len < 0 || !bf_hash_utf8(hashing->family, hashing->strip_blanks, column->scratch,
									 (size_t) len, hashing->seed, &hashes[i], problem))
			return i;
	}
	return n;
}

static Py_ssize_t
hash_byte_strings(const BfColumn *column, const BfHashing *hashing, const char *items,
				  Py_ssize_t stride, Py_ssize_t n, uint64_t *hashes, const BfProblem **problem)
{
	Py_ssize_t	i;

	for (i = 0; i < n; i++)
	{
		const char *item = items + i * stride;
		Py_ssize_t	len = column->view.itemsize;

		/* zero bytes at the end are numpy's padding, but are part of a uuid */
		while (hashing->family != BF_FAMILY_UUID && len > 0 && item[len - 1] == '\0')
			len--;
		if (!bf_hash_bytes(hashing->family, item, (size_t) len, hashing->seed, &hashes[i],
						   problem))
			return i;
	}
	return n;
}

Py_ssize_t
bf_column_hash(const BfColumn *column, const BfHashing *hashing, const char *items,
			   Py_ssize_t stride, Py_ssize_t n, uint64_t *hashes, const BfProblem **problem)
{
	Py_ssize_t	i;

	switch (column->item)
	{
		case BF_ITEM_BOOL:
			for (i = 0; i < n; i++)
				hashes[i] = bf_hash_bool(items[i * stride] != 0, hashing->seed);
			return n;
		case BF_ITEM_FLOAT:
			for (i = 0; i < n; i++)
				hashes[i] = bf_hash_double(load_double(items + i * stride, column->view.itemsize,
													   column->swapped), hashing->seed);
			return n;
		case BF_ITEM_BYTES:
			return hash_byte_strings(column, hashing, items, stride, n, hashes, problem);
		case BF_ITEM_UCS4:
			return hash_texts(column, hashing, items, stride, n, hashes, problem);
		default:
			if (column->unit.multiply != 0)
				return hash_datetimes(column, hashing, items, stride, n, hashes, problem);
			return hash_integers(column, hashing, items, stride, n, hashes, problem);
	}
}
