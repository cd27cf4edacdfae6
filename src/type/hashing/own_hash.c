/*-------------------------------------------------------------------------
 *
 * own_hash.c
 *		Types with their own hash function: that function, and the name under
 *		which a type is recorded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/hash.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "core/name.h"
#include "type/hashing/conversion.h"
#include "type/hashing/generation.h"
#include "type/hashing/own_hash.h"

/* ---------- the function ---------- */

/*
 * The server's type cache contains the operator family, and is invalidated
 * when another family applies, but not when the family's function changes.
 */
Oid
bf_own_hash_function(Oid typid)
{
	TypeCacheEntry *entry;
	Oid			function = InvalidOid;

	bf_watch(TYPEOID, typid);
	entry = lookup_type_cache(typid, TYPECACHE_EQ_OPR | TYPECACHE_HASH_EXTENDED_PROC);
	/*
	 * As in the server, the hash must fit the type's "=".  An array or range
	 * whose elements have no "=" has none either, and is refused because of
	 * its elements.
	 */
	if (OidIsValid(entry->hash_opf) &&
		(!OidIsValid(entry->eq_opr) ||
		 entry->eq_opr == get_opfamily_member(entry->hash_opf, entry->hash_opintype,
											  entry->hash_opintype, HTEqualStrategyNumber)))
		function = get_opfamily_proc(entry->hash_opf, entry->hash_opintype,
									 entry->hash_opintype, HASHEXTENDED_PROC);
	if (!OidIsValid(function))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("could not identify an extended hash function for type %s",
						format_type_be(typid)),
				 errhint("Cast the value to a type that can be hashed: money to numeric, json to jsonb, others to text if equal values are always written alike.")));
	return function;
}

/* ---------- names ---------- */

/*
 * Append an identifier, given in the database encoding.  Returns false if it
 * has no equivalent in Unicode: a SQL_ASCII database may contain names that
 * are not text in any encoding.
 */
static bool
append_identifier(StringInfo buf, const char *identifier)
{
	char	   *utf8 = bf_try_to_utf8(identifier, strlen(identifier));
	Size		len;
	Size		written;

	if (utf8 == NULL)
		return false;
	len = strlen(utf8);
	enlargeStringInfo(buf, (int) BF_IDENTIFIER_ROOM(len));
	written = bf_identifier_write(utf8, len, buf->data + buf->len);
	buf->len += (int) written;
	buf->data[buf->len] = '\0';
	pfree(utf8);
	return written > 0;
}

static bool
append_qualified_name(StringInfo buf, Oid schema, const char *name)
{
	char	   *schema_name;

	bf_watch(NAMESPACEOID, schema);
	schema_name = get_namespace_name(schema);
	if (schema_name == NULL)
		elog(ERROR, "cache lookup failed for namespace %u", schema);
	if (!append_identifier(buf, schema_name))
		return false;
	appendStringInfoChar(buf, '.');
	return append_identifier(buf, name);
}

char *
bf_qualified_name(Oid schema, const char *name)
{
	StringInfoData buf;

	initStringInfo(&buf);
	return append_qualified_name(&buf, schema, name) ? buf.data : NULL;
}

/* Append the name of a type that is not named after its element type. */
static bool
append_own_name(StringInfo buf, Oid typid)
{
	HeapTuple	tuple;
	Form_pg_type form;
	bool		result;

	bf_watch(TYPEOID, typid);
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(typid));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", typid);
	form = (Form_pg_type) GETSTRUCT(tuple);
	result = append_qualified_name(buf, form->typnamespace, NameStr(form->typname));
	ReleaseSysCache(tuple);
	return result;
}

char *
bf_own_hash_name(Oid typid)
{
	StringInfoData buf;
	int			dimensions = 0;
	Oid			element;

	/* an array's elements can be arrays only if their type is a domain */
	while (OidIsValid(element = get_element_type(typid)) && get_array_type(element) == typid)
	{
		typid = getBaseType(element);
		dimensions++;
	}
	/* text and varchar have the same "=" */
	if (dimensions > 0 && typid == VARCHAROID)
		typid = TEXTOID;

	initStringInfo(&buf);
	if (!append_own_name(&buf, typid))
		return NULL;
	for (; dimensions > 0; dimensions--)
		appendStringInfoString(&buf, "[]");
	return buf.len <= BF_MAX_NAME ? buf.data : NULL;
}
