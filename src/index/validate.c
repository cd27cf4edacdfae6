/*-------------------------------------------------------------------------
 *
 * validate.c
 *		Checking operator classes of filter indexes: amvalidate and
 *		amadjustmembers.
 *
 * There are two kinds of classes.  One of values has the operator =, as strategy 1,
 * and the type's extended hash function, as support function 1.  Its family may have
 * operators between its types, which then need a hash function each.
 *
 * One of keys has GIN's support functions as numbers 2 to 4, and the operators and
 * strategies that these know.  Function 1 hashes the keys, unless their type has a
 * default hash function.
 *
 * CREATE OPERATOR CLASS refuses operators with other results by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/amapi.h"
#include "access/amvalidate.h"
#include "access/htup_details.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_type_d.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "index/file/hash.h"
#include "index/file/keys.h"
#include "index/validate.h"

/*
 * Some types are hashed by functions that are declared for other types with the
 * same values in memory, as in the server's hash operator classes up to 17.
 */
static const struct
{
	Oid			function;
	Oid			type;
}			borrowed[] = {
	{F_HASHCHAREXTENDED, BOOLOID},
	{F_HASHVARLENAEXTENDED, BYTEAOID},
	{F_HASHINT4EXTENDED, CIDOID},
	{F_HASHINT4EXTENDED, DATEOID},
	{F_HASHINT4EXTENDED, XIDOID},
	{F_HASHINT8EXTENDED, XID8OID},
	{F_TIMESTAMP_HASH_EXTENDED, TIMESTAMPTZOID}
};

static bool
is_borrowed(Oid function, Oid type)
{
	Size		i;

	for (i = 0; i < lengthof(borrowed); i++)
		if (borrowed[i].function == function && borrowed[i].type == type)
			return true;
	return false;
}

/* What is wrong is shown, as other access methods do. */
static bool
is_wrong(const char *class_name, const char *wrong, const char *what)
{
	ereport(INFO,
			(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
			 errmsg("operator class \"%s\" of access method bloomfilter is wrong", class_name),
			 errdetail_internal("%s: %s.", wrong, what)));
	return false;
}

/* Has the family the support function for the type? */
static bool
has_function(CatCList *functions, Oid type, int number)
{
	int			i;

	for (i = 0; i < functions->n_members; i++)
	{
		Form_pg_amproc form = (Form_pg_amproc) GETSTRUCT(&functions->members[i]->tuple);

		if (form->amproclefttype == type && form->amprocrighttype == type &&
			form->amprocnum == number)
			return true;
	}
	return false;
}

/* Are it the keys of the type's values that the family has? */
static bool
is_of_keys(CatCList *functions, Oid type)
{
	return has_function(functions, type, BF_EXTRACT_VALUE_PROC);
}

/* The type that a class hashes: its own, or that of the keys. */
static Oid
hashed_type(Form_pg_opclass class)
{
	return OidIsValid(class->opckeytype) ? class->opckeytype : class->opcintype;
}

static bool
hashes(Oid function, Oid type)
{
	return check_amproc_signature(function, INT8OID, false, 2, 2, type, INT8OID) ||
		is_borrowed(function, type);
}

/* Are the function's arguments and result those of GIN's? */
static bool
is_like_gin(Oid function, int number, Oid type)
{
	switch (number)
	{
		case BF_EXTRACT_VALUE_PROC:
			return check_amproc_signature(function, INTERNALOID, false, 2, 3, type, INTERNALOID,
										  INTERNALOID);
		case BF_EXTRACT_QUERY_PROC:
			return check_amproc_signature(function, INTERNALOID, false, 5, 7, type, INTERNALOID,
										  INT2OID, INTERNALOID, INTERNALOID, INTERNALOID,
										  INTERNALOID);
		default:
			return check_amproc_signature(function, CHAROID, false, 7, 7, INTERNALOID, INT2OID,
										  type, INT4OID, INTERNALOID, INTERNALOID, INTERNALOID) ||
				check_amproc_signature(function, BOOLOID, false, 6, 8, INTERNALOID, INT2OID, type,
									   INT4OID, INTERNALOID, INTERNALOID, INTERNALOID, INTERNALOID);
	}
}

/* What is wrong with a support function; NULL: nothing. */
static const char *
find_mistake(Form_pg_amproc form, CatCList *functions, Form_pg_opclass class)
{
	static const char *const of_gin[] = {
		"its arguments or its result are not those of GIN's extractValue",
		"its arguments or its result are not those of GIN's extractQuery",
		"its arguments or its result are not those of GIN's triConsistent, nor of consistent"
	};
	Oid			type = form->amproclefttype;
	bool		is_own = type == class->opcintype;

	if (type != form->amprocrighttype)
		return "it is for two types";
	if (!is_of_keys(functions, type))
	{
		if (form->amprocnum != BF_HASH_PROC)
			return "there is no function 2, which extracts keys of a value";
		return hashes(form->amproc, type) ? NULL :
			"it does not take the type and bigint, or does not return bigint";
	}
	if (form->amprocnum != BF_HASH_PROC)
		return is_like_gin(form->amproc, form->amprocnum, type) ? NULL :
			of_gin[form->amprocnum - BF_EXTRACT_VALUE_PROC];
	/* which keys another class of the family has is not known here */
	return !is_own || hashes(form->amproc, hashed_type(class)) ? NULL :
		"it does not take the type of the keys and bigint, or does not return bigint";
}

static bool
validate_functions(CatCList *functions, Form_pg_opclass class)
{
	bool		result = true;
	int			i;

	for (i = 0; i < functions->n_members; i++)
	{
		Form_pg_amproc form = (Form_pg_amproc) GETSTRUCT(&functions->members[i]->tuple);
		const char *mistake = find_mistake(form, functions, class);

		if (mistake != NULL)
			result = is_wrong(NameStr(class->opcname), format_procedure(form->amproc), mistake);
	}
	return result;
}

static bool
validate_operators(CatCList *operators, CatCList *functions, const char *class_name)
{
	bool		result = true;
	int			i;

	for (i = 0; i < operators->n_members; i++)
	{
		Form_pg_amop form = (Form_pg_amop) GETSTRUCT(&operators->members[i]->tuple);

		if (form->amopstrategy != BF_EQUAL_STRATEGY)
			result = is_wrong(class_name, format_operator(form->amopopr),
							  "its strategy is not 1, the only one of values");
		if (!has_function(functions, form->amoplefttype, BF_HASH_PROC) ||
			!has_function(functions, form->amoprighttype, BF_HASH_PROC))
			result = is_wrong(class_name, format_operator(form->amopopr),
							  "one of its types has no hash function");
	}
	return result;
}

/* Has the type a hash of its keys?  That of polymorphic ones is looked up later. */
static bool
has_default_hash(Oid type)
{
	return IsPolymorphicType(type) ||
		OidIsValid(lookup_type_cache(getBaseType(type),
									 TYPECACHE_HASH_EXTENDED_PROC)->hash_extended_proc);
}

static bool
validate_class_of_keys(Form_pg_opclass class, CatCList *operators, CatCList *functions)
{
	const char *name = NameStr(class->opcname);
	char	   *type = format_type_be(class->opcintype);
	bool		result = true;

	if (operators->n_members == 0)
		result = is_wrong(name, type, "there is no operator");
	if (!has_function(functions, class->opcintype, BF_HASH_PROC) &&
		!has_default_hash(hashed_type(class)))
		result = is_wrong(name, format_type_be(hashed_type(class)),
						  "there is no hash function of the keys");
	if (!has_function(functions, class->opcintype, BF_EXTRACT_QUERY_PROC))
		result = is_wrong(name, type, "there is no function 3, which extracts keys of a query");
	if (!has_function(functions, class->opcintype, BF_CONSISTENT_PROC))
		result = is_wrong(name, type, "there is no function 4, which decides by keys");
	return result;
}

/* The class's own type has an operator and a function. */
static bool
validate_class(Form_pg_opclass class, CatCList *functions)
{
	const char *name = NameStr(class->opcname);
	char	   *type = format_type_be(class->opcintype);
	bool		result = true;

	if (!OidIsValid(get_opfamily_member(class->opcfamily, class->opcintype, class->opcintype,
										BF_EQUAL_STRATEGY)))
		result = is_wrong(name, type, "there is no operator");
	if (!has_function(functions, class->opcintype, BF_HASH_PROC))
		result = is_wrong(name, type, "there is no hash function");
	if (hashed_type(class) != class->opcintype)
		result = is_wrong(name, type, "values are not stored as another type");
	return result;
}

bool
bf_index_validate(Oid opclass)
{
	HeapTuple	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	Form_pg_opclass form;
	CatCList   *operators;
	CatCList   *functions;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator class %u", opclass);
	form = (Form_pg_opclass) GETSTRUCT(tuple);
	operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(form->opcfamily));
	functions = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(form->opcfamily));
	result = validate_functions(functions, form);
	if (is_of_keys(functions, form->opcintype))
		result = validate_class_of_keys(form, operators, functions) && result;
	else
	{
		result = validate_operators(operators, functions, NameStr(form->opcname)) && result;
		result = validate_class(form, functions) && result;
	}
	ReleaseCatCacheList(functions);
	ReleaseCatCacheList(operators);
	ReleaseSysCache(tuple);
	return result;
}

/*
 * Has the family, or what is added to it, a function that extracts keys?  Its operators
 * may be declared for polymorphic types.
 */
static bool
extracts_keys(Oid family, List *functions)
{
	CatCList   *members;
	bool		result = false;
	ListCell   *cell;
	int			i;

	foreach(cell, functions)
	{
		const OpFamilyMember *member = lfirst(cell);

		if (member->number == BF_EXTRACT_VALUE_PROC)
			return true;
	}
	members = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(family));
	for (i = 0; i < members->n_members; i++)
		result |= ((Form_pg_amproc) GETSTRUCT(&members->members[i]->tuple))->amprocnum ==
			BF_EXTRACT_VALUE_PROC;
	ReleaseCatCacheList(members);
	return result;
}

void
bf_index_adjust_members(Oid family, Oid opclass pg_attribute_unused(), List *operators,
						List *functions)
{
	ListCell   *cell;

	foreach(cell, operators)
	{
		const OpFamilyMember *member = lfirst(cell);

		if (member->number != BF_EQUAL_STRATEGY &&
			!extracts_keys(family, functions))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
					 errmsg("operator number %d for type %s is only for classes of keys",
							member->number, format_type_be(member->lefttype)),
					 errdetail("A class of values compares by =, operator number 1."),
					 errhint("Give function 2, which extracts keys of a value, with or before the operator.")));
	}
}
