/*-------------------------------------------------------------------------
 *
 * health.c
 *		Rows of the view bloom_indexes: what an index is like, by a sample of it.
 *
 * A view of all indexes must not wait for one, nor fail because of one.  So what
 * is locked, or cannot be read, is NULL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_authid_d.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "compat.h"
#include "index/file/attempt.h"
#include "index/handler.h"
#include "index/tell/open.h"
#include "index/tell/summary.h"

BF_SQL_FUNCTION(bloomfilter_index_health);

#define HEALTH_COLUMNS	7

/* ---------- what can be read ---------- */

/* NULL: there is no such relation, or somebody changes it. */
static Relation
try_open(Oid oid)
{
	Relation	relation;

	if (!ConditionalLockRelationOid(oid, AccessShareLock))
		return NULL;
	relation = try_relation_open(oid, NoLock);
	if (relation == NULL)
		UnlockRelationOid(oid, AccessShareLock);
	return relation;
}

/* As for the server's functions that read a relation to tell statistics of it. */
static bool
may_read(Relation index)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_STAT_SCAN_TABLES) ||
		pg_class_aclcheck(index->rd_index->indrelid, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

static bool
is_readable(Relation index)
{
	return bf_is_filter_index(index) && index->rd_index->indisvalid &&
		bf_index_is_here(index) && may_read(index);
}

/* Is it the index's file that is damaged or lost? */
static bool
is_of_file(const ErrorData *error)
{
	switch (error->sqlerrcode)
	{
		case ERRCODE_INDEX_CORRUPTED:
		case ERRCODE_DATA_CORRUPTED:
		case ERRCODE_IO_ERROR:
		case ERRCODE_UNDEFINED_FILE:
			return true;
		default:
			return false;
	}
}

typedef struct Attempt
{
	Relation	index;
	BfSummary	summary;
} Attempt;

static void
summarize(void *state)
{
	Attempt    *attempt = state;

	bf_summary_add(&attempt->summary, attempt->index, true);
}

/* False: the index is damaged. */
static bool
try_summary(BfSummary *summary, Relation index)
{
	Attempt		attempt = {.index = index};
	ErrorData  *error = bf_attempt(summarize, &attempt);

	if (error != NULL && !is_of_file(error))
		ReThrowError(error);
	*summary = attempt.summary;
	return error == NULL;
}

/* ---------- the columns ---------- */

static void
describe(const BfSummary *summary, Datum *values, bool *nulls)
{
	bool		of_ranges = summary->of_ranges > 0;

	nulls[0] = false;
	values[0] = CStringGetTextDatum(bf_summary_scope(summary));
	bf_put_int(&values[1], &nulls[1], true, summary->pages * BLCKSZ);
	bf_put_int(&values[2], &nulls[2], of_ranges, summary->groups);
	bf_put_int(&values[3], &nulls[3], true, summary->worn);
	bf_put_rates(&values[4], &nulls[4], summary);
}

Datum
bloomfilter_index_health(PG_FUNCTION_ARGS)
{
	Relation	index = try_open(PG_GETARG_OID(0));
	BfSummary	summary = {0};
	Datum		values[HEALTH_COLUMNS] = {0};
	bool		nulls[HEALTH_COLUMNS];
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	memset(nulls, true, sizeof(nulls));
	if (index != NULL)
	{
		if (is_readable(index) && try_summary(&summary, index))
			describe(&summary, values, nulls);
		relation_close(index, AccessShareLock);
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
