/*-------------------------------------------------------------------------
 *
 * layout.c
 *		Where the fields of libpgbloomfilter's structs are, and the numbers
 *		that its constants are.  No struct has a pointer, so that they are the
 *		same on all machines.
 *
 *-------------------------------------------------------------------------
 */
#include <stddef.h>
#include <stdio.h>

#include "pgbloomfilter.h"

#define SIZE(type)	printf("size %s %zu\n", #type, sizeof(type))
#define FIELD(type, field) \
	printf("field %s.%s %zu %zu\n", #type, #field, offsetof(type, field), \
		   sizeof(((type *) NULL)->field))
#define CONSTANT(name)	printf("constant %s %d\n", #name, (int) name)

int
main(void)
{
	SIZE(pgbf_family);
	SIZE(pgbf_error);
	FIELD(pgbf_error, sqlstate);
	FIELD(pgbf_error, message);
	FIELD(pgbf_error, detail);
	FIELD(pgbf_error, hint);
	SIZE(pgbf_info);
	FIELD(pgbf_info, expected_items);
	FIELD(pgbf_info, target_rate);
	FIELD(pgbf_info, seed);
	FIELD(pgbf_info, bits);
	FIELD(pgbf_info, bits_set);
	FIELD(pgbf_info, fill);
	FIELD(pgbf_info, estimated_items);
	FIELD(pgbf_info, estimated_rate);
	FIELD(pgbf_info, bytes);
	FIELD(pgbf_info, hashes);
	FIELD(pgbf_info, representation);
	FIELD(pgbf_info, element_type);
	CONSTANT(PGBF_NONE);
	CONSTANT(PGBF_INTEGER);
	CONSTANT(PGBF_TEXT);
	CONSTANT(PGBF_BPCHAR);
	CONSTANT(PGBF_FLOAT);
	CONSTANT(PGBF_BOOLEAN);
	CONSTANT(PGBF_DATE);
	CONSTANT(PGBF_TIME);
	CONSTANT(PGBF_TIMESTAMP);
	CONSTANT(PGBF_TIMESTAMPTZ);
	CONSTANT(PGBF_UUID);
	CONSTANT(PGBF_BYTEA);
	CONSTANT(PGBF_OID);
	CONSTANT(PGBF_CHAR);
	CONSTANT(PGBF_OWN);
	CONSTANT(PGBF_SPARSE);
	CONSTANT(PGBF_DENSE);
	CONSTANT(PGBF_UNSIZED);
	return 0;
}
