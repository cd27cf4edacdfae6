/*-------------------------------------------------------------------------
 *
 * conversion.c
 *		A conversion from LATIN1 to UTF-8 that takes pairs of characters that
 *		are not ASCII for each other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(swapped_latin1_to_utf8);

Datum
swapped_latin1_to_utf8(PG_FUNCTION_ARGS)
{
	const unsigned char *from = (const unsigned char *) PG_GETARG_CSTRING(2);
	unsigned char *to = (unsigned char *) PG_GETARG_CSTRING(3);
	int			len = PG_GETARG_INT32(4);
	int			i;

	for (i = 0; i < len; i++)
	{
		unsigned char swapped = from[i] ^ 1;

		if (from[i] < 0x80)
			*to++ = from[i];
		else
		{
			*to++ = 0xC0 | swapped >> 6;
			*to++ = 0x80 | (swapped & 0x3F);
		}
	}
	*to = '\0';
	PG_RETURN_INT32(len);
}
