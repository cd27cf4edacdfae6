/*-------------------------------------------------------------------------
 *
 * element.c
 *		Element families: the types of values, the types that are refused, and
 *		how values are hashed.
 *
 * A value whose hash today differs from its hash when it was added would be a
 * false negative.  So a hash must be a function of what the type's "="
 * compares, and of nothing else.  The types known here are hashed by canonical
 * bytes of our own.  All other types are hashed by their extended hash
 * function, and everything that it depends on is recorded in the filter.  A
 * type whose hash is not reliable at all is refused with an error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_range.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "type/hashing/conversion.h"
#include "type/hashing/element.h"
#include "type/hashing/environment.h"
#include "type/hashing/own_hash.h"
#include "type/hashing/symbol.h"

/*
 * The seed with which bloom_shard() calls an own-hash type's function.  Any
 * value will do: XXH64 is applied to the result.
 */
#define SHARD_SEED	0

static void
refuse(Oid typid, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("values of type %s cannot be in a bloomfilter",
					format_type_be(typid)),
			 errdetail_internal("%s", detail),
			 errhint("%s", hint)));
}

/*
 * Types whose values are or hold OIDs of catalog objects.
 */
static bool
is_catalog_reference(Oid typid)
{
	switch (typid)
	{
		case REGPROCOID:
		case REGPROCEDUREOID:
		case REGOPEROID:
		case REGOPERATOROID:
		case REGCLASSOID:
		case REGCOLLATIONOID:
		case REGTYPEOID:
		case REGCONFIGOID:
		case REGDICTIONARYOID:
		case REGNAMESPACEOID:
		case REGROLEOID:
#ifdef REGDATABASEOID
		case REGDATABASEOID:
#endif
		case ACLITEMOID:
			return true;
		default:
			return false;
	}
}

bool
bf_is_filter(Oid typid, BfFilterType *type)
{
	Oid			typinput;
	Oid			typioparam;
	const char *symbol;

	if (typid < FirstNormalObjectId)
		return false;
	getTypeInputInfo(typid, &typinput, &typioparam);
	symbol = bf_symbol(typinput);
	*type = strcmp(symbol, "counting_bloomfilter_in") == 0 ? BF_COUNTING : BF_PLAIN;
	return *type == BF_COUNTING || strcmp(symbol, "bloomfilter_in") == 0;
}

static void
check_collation(Oid typid, Oid collation)
{
	if (!type_is_collatable(typid))
		return;
	if (!OidIsValid(collation))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_COLLATION),
				 errmsg("could not determine which collation to use for a value of a bloomfilter"),
				 errhint("Use the COLLATE clause to set the collation explicitly.")));
	if (!get_collation_isdeterministic(collation))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values under a nondeterministic collation cannot be in a bloomfilter"),
				 errdetail("Collation \"%s\" calls strings with different bytes, and so with different hashes, equal.",
						   get_collation_name(collation)),
				 errhint("Use a deterministic collation, as in value COLLATE \"C\". To ignore case, add and test lower(value).")));
}

static bool
is_temporary(Oid typid)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(typid));
	Oid			schema;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", typid);
	schema = ((Form_pg_type) GETSTRUCT(tuple))->typnamespace;
	ReleaseSysCache(tuple);
	return isAnyTempNamespace(schema);
}

/*
 * The bounds of a range are compared by the range's operator class, but hashed
 * by the default operator class of the subtype.
 */
static void
check_range_operators(Oid typid)
{
	HeapTuple	tuple = SearchSysCache1(RANGETYPE, ObjectIdGetDatum(typid));
	Form_pg_range form;
	bool		is_default;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for range type %u", typid);
	form = (Form_pg_range) GETSTRUCT(tuple);
	is_default = form->rngsubopc == GetDefaultOpClass(form->rngsubtype, BTREE_AM_OID);
	ReleaseSysCache(tuple);
	if (!is_default)
		refuse(typid, "Its operator class is not the default of its subtype, but its hash is that of the default.",
			   "Add the bounds, in a form in which equal values are alike.");
}

/*
 * Refuse types that have no stable hash, at any depth of nesting.
 */
static void
check_stable(Oid typid)
{
	Oid			element;
	BfFilterType filter_type;

	check_stack_depth();
	typid = getBaseType(typid);

	if (is_catalog_reference(typid))
		refuse(typid, "Its values refer to catalog objects by OID, which a restore changes.",
			   typid == ACLITEMOID ? "Cast the value to text." :
			   "Cast the value to text with an empty search_path, which then names the schema, or to oid if the number itself is meant.");

	if (is_temporary(typid))
		refuse(typid, "A temporary type's name means another type in every session.",
			   "Create the type in a permanent schema, or cast the value to text if equal values are always written alike.");

	element = get_element_type(typid);
	if (OidIsValid(element))
	{
		check_stable(element);
		return;
	}

	switch (get_typtype(typid))
	{
		case TYPTYPE_ENUM:
			refuse(typid, "An enum value's hash is made of its OID, which a restore changes.",
				   "Cast the value to text. If a value of the enum is renamed, build the filter again.");
			break;
		case TYPTYPE_COMPOSITE:
			refuse(typid, "A composite type's hash changes with its columns.",
				   "Add one of the columns, or a text of several in which equal values are always written alike, whatever the settings.");
			break;
		case TYPTYPE_RANGE:
			check_range_operators(typid);
			check_stable(get_range_subtype(typid));
			if (OidIsValid(get_range_collation(typid)))
				check_collation(get_range_subtype(typid), get_range_collation(typid));
			break;
		case TYPTYPE_MULTIRANGE:
			check_stable(get_multirange_range(typid));
			break;
		case TYPTYPE_PSEUDO:
			if (typid == RECORDOID)
				refuse(typid, "A record's hash changes with the types of its columns.",
					   "Add one of the columns, or a text of several in which equal values are always written alike, whatever the settings.");
			refuse(typid, "The type of its values is not known.",
				   "Cast the value to a definite type.");
			break;
		default:
			if (bf_is_filter(typid, &filter_type))
				refuse(typid, "A filter holds values, not other filters.",
					   filter_type == BF_COUNTING ?
					   "To ask whether one filter contains another, cast both to bloomfilter and use bloom_is_superset; to add counting filters up, use bloom_sum." :
					   "To ask whether one filter contains another, use bloom_is_superset; to combine them, use bloom_union or bloom_union_agg.");
			break;
	}
}

/*
 * A copy with zero bytes up to the next multiple of 8, as in a filter's
 * header.
 */
static char *
pad_name(const char *name, size_t len, MemoryContext mcxt)
{
	char	   *padded = MemoryContextAllocZero(mcxt, TYPEALIGN(8, len));

	memcpy(padded, name, len);
	return padded;
}

/*
 * The collation with which to call the type's hash function.  The server's own
 * text types, in arrays and ranges, compare by bytes under every deterministic
 * collation.  Other collatable types may hash differently under different
 * collations, and only that of the database is recorded.
 */
static Oid
own_hash_collation(Oid typid, Oid collation)
{
	Oid			element = get_element_type(typid);
	Oid			base = OidIsValid(element) ? getBaseType(element) : typid;

	if (!type_is_collatable(base) || base < FirstNormalObjectId)
		return C_COLLATION_OID;
	if (collation != DEFAULT_COLLATION_OID)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values of type %s under collation \"%s\" cannot be in a bloomfilter",
						format_type_be(typid), get_collation_name(collation)),
				 errdetail("Their hash may depend on the collation, and a filter records only the database's own."),
				 errhint("Use value COLLATE \"default\", or cast the value to text if equal values are always written alike.")));
	return DEFAULT_COLLATION_OID;
}

static void
init_own_hash(BfElement *element, Oid typid, Oid collation, MemoryContext mcxt)
{
	char	   *name;

	check_stable(typid);
	element->environment = bf_own_hash_environment(typid);
	name = bf_own_hash_name(typid);
	if (name == NULL)
		refuse(typid, "Its name cannot be recorded.",
			   "Rename the type or its schema, or cast the value to text if equal values are always written alike.");
	element->family = BF_FAMILY_OWN;
	element->kind = BF_KIND_OWN;
	element->name_len = strlen(name);
	element->name = pad_name(name, element->name_len, mcxt);
	element->hasher = bf_hasher_create(typid, own_hash_collation(typid, collation), mcxt);
}

/* The types that are hashed by canonical bytes of our own. */
static const struct
{
	Oid			typid;
	BfFamily	family;
	BfHashKind	kind;
}			known_types[] =
{
	{INT2OID, BF_FAMILY_INTEGER, BF_KIND_INT2},
	{INT4OID, BF_FAMILY_INTEGER, BF_KIND_INT4},
	{INT8OID, BF_FAMILY_INTEGER, BF_KIND_INT8},
	{TEXTOID, BF_FAMILY_TEXT, BF_KIND_TEXT},
	{VARCHAROID, BF_FAMILY_TEXT, BF_KIND_TEXT},
	{NAMEOID, BF_FAMILY_TEXT, BF_KIND_NAME},
	{UNKNOWNOID, BF_FAMILY_TEXT, BF_KIND_CSTRING},
	{BPCHAROID, BF_FAMILY_BPCHAR, BF_KIND_BPCHAR},
	{FLOAT4OID, BF_FAMILY_FLOAT, BF_KIND_FLOAT4},
	{FLOAT8OID, BF_FAMILY_FLOAT, BF_KIND_FLOAT8},
	{BOOLOID, BF_FAMILY_BOOLEAN, BF_KIND_BYTE},
	{DATEOID, BF_FAMILY_DATE, BF_KIND_WORD4},
	{TIMEOID, BF_FAMILY_TIME, BF_KIND_INT8},
	{TIMESTAMPOID, BF_FAMILY_TIMESTAMP, BF_KIND_INT8},
	{TIMESTAMPTZOID, BF_FAMILY_TIMESTAMPTZ, BF_KIND_INT8},
	{UUIDOID, BF_FAMILY_UUID, BF_KIND_UUID},
	{BYTEAOID, BF_FAMILY_BYTEA, BF_KIND_BYTEA},
	{OIDOID, BF_FAMILY_OID, BF_KIND_WORD4},
	{CHAROID, BF_FAMILY_CHAR, BF_KIND_BYTE},
};

/* Set family and kind if the base type is a known type. */
static bool
find_known_type(BfElement *element, Oid base)
{
	size_t		i;

	for (i = 0; i < lengthof(known_types); i++)
		if (known_types[i].typid == base)
		{
			element->family = known_types[i].family;
			element->kind = known_types[i].kind;
			return true;
		}
	return false;
}

void
bf_element_init(BfElement *element, Oid typid, Oid collation, MemoryContext mcxt)
{
	/* any invalidation from here on makes the element outdated */
	uint64		generation = bf_generation;
	Oid			base = getBaseType(typid);

	if (element->name != NULL)
		pfree(element->name);
	if (element->hasher != NULL)
		bf_hasher_free(element->hasher);
	memset(element, 0, sizeof(*element));
	/* a literal without a type is text and may have a COLLATE clause */
	if (base != UNKNOWNOID)
		check_collation(base, collation);
	else if (OidIsValid(collation))
		check_collation(TEXTOID, collation);
	if (!find_known_type(element, base))
		init_own_hash(element, base, collation, mcxt);
	element->to_utf8 = bf_needs_conversion();
	element->typid = typid;
	/* last, so that an error above leaves the element outdated */
	element->generation = generation;
}

void
bf_element_keep_bytes(BfElement *element)
{
	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		element->to_utf8 = false;
}

bool
bf_element_init_plain(BfElement *element, Oid typid, Oid collation)
{
	memset(element, 0, sizeof(*element));
	if (!find_known_type(element, getBaseType(typid)))
		return false;
	if (type_is_collatable(typid) &&
		(!OidIsValid(collation) || !get_collation_isdeterministic(collation) ||
		 bf_needs_conversion()))
		return false;
	element->typid = typid;
	element->generation = bf_generation;
	return true;
}

void
bf_element_init_from_arg(BfElement *element, FunctionCallInfo fcinfo, int argno)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, argno);

	if (!OidIsValid(typid))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine the data type of a value of a bloomfilter")));
	bf_element_init(element, typid, PG_GET_COLLATION(), fcinfo->flinfo->fn_mcxt);
}

static uint64_t
hash_string(const BfElement *element, bool strip_blanks, const char *s, size_t len,
			BfHashBytes hash, uint64_t seed)
{
	char	   *utf8;
	uint64_t	result;

	/*
	 * a blank is one byte in every server encoding, so strip before conversion
	 */
	if (strip_blanks)
		len = bf_length_without_blanks(s, len);
	if (likely(!element->to_utf8) || bf_is_ascii(s, len))
		return hash(s, len, seed);

	utf8 = bf_to_utf8(s, len);
	result = hash(utf8, strlen(utf8), seed);
	pfree(utf8);
	return result;
}

/*
 * Something was changed before or while the hash function ran.  If it is not a
 * C function, it may have run as it is now, not as it is recorded.
 */
static void
check_unchanged(const BfElement *element)
{
	Oid			base = getBaseType(element->typid);

	if (bf_own_hash_environment(base) != element->environment)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hash of type %s was changed while a value was hashed",
						format_type_be(element->typid)),
				 errhint("Run the statement again.")));
}

static uint64_t
hash_own(const BfElement *element, Datum value, BfHashBytes hash, uint64_t seed)
{
	uint64		own = bf_hasher_hash(element->hasher, value, seed);

	if (unlikely(!bf_element_is_current(element)))
		check_unchanged(element);
	return bf_hash_word8((int64_t) own, hash, seed);
}

uint64_t
bf_hash_variable(const BfElement *element, bool strip_blanks, Datum value,
				 BfHashBytes hash, uint64_t seed)
{
	struct varlena *packed;
	const char *s;
	uint64_t	result;

	if (element->kind == BF_KIND_OWN)
		return hash_own(element, value, hash, seed);
	if (element->kind == BF_KIND_NAME || element->kind == BF_KIND_CSTRING)
	{
		s = element->kind == BF_KIND_NAME ? NameStr(*DatumGetName(value)) :
			DatumGetCString(value);
		return hash_string(element, strip_blanks, s, strlen(s), hash, seed);
	}

	packed = PG_DETOAST_DATUM_PACKED(value);
	s = VARDATA_ANY(packed);
	if (element->kind == BF_KIND_BYTEA)
		result = hash(s, VARSIZE_ANY_EXHDR(packed), seed);
	else
		result = hash_string(element, strip_blanks || element->kind == BF_KIND_BPCHAR,
							 s, VARSIZE_ANY_EXHDR(packed), hash, seed);
	if ((Pointer) packed != DatumGetPointer(value))
		pfree(packed);
	return result;
}

static uint64_t
xxh64(const void *bytes, size_t len, uint64_t seed)
{
	return XXH64(bytes, len, seed);
}

uint64_t
bf_shard_hash(const BfElement *element, Datum value)
{
	/* equal values of char(n) and text must be in the same shard */
	return bf_hash_with(element, true, value, xxh64, SHARD_SEED);
}
