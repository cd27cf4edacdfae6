/*-------------------------------------------------------------------------
 *
 * validate.c
 *		Checking operator classes of filter indexes: amvalidate.
 *
 * A class has the operator =, as strategy 1, and the type's extended hash
 * function, as support function 1.  Its family may have operators between its
 * types, which then need a hash function each.  CREATE OPERATOR CLASS refuses
 * other strategies and results by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

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

#include "index/file/hash.h"
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

static bool
validate_functions(CatCList *functions, const char *class_name)
{
	bool		result = true;
	int			i;

	for (i = 0; i < functions->n_members; i++)
	{
		Form_pg_amproc form = (Form_pg_amproc) GETSTRUCT(&functions->members[i]->tuple);
		char	   *name = format_procedure(form->amproc);

		if (form->amproclefttype != form->amprocrighttype)
			result = is_wrong(class_name, name, "it is for two types");
		else if (!check_amproc_signature(form->amproc, INT8OID, false, 2, 2,
										 form->amproclefttype, INT8OID) &&
				 !is_borrowed(form->amproc, form->amproclefttype))
			result = is_wrong(class_name, name,
							  "it does not take the type and bigint, or does not return bigint");
	}
	return result;
}

/* Has the family a hash function for the type? */
static bool
has_function(CatCList *functions, Oid type)
{
	int			i;

	for (i = 0; i < functions->n_members; i++)
	{
		Form_pg_amproc form = (Form_pg_amproc) GETSTRUCT(&functions->members[i]->tuple);

		if (form->amproclefttype == type && form->amprocrighttype == type)
			return true;
	}
	return false;
}

static bool
validate_operators(CatCList *operators, CatCList *functions, const char *class_name)
{
	bool		result = true;
	int			i;

	for (i = 0; i < operators->n_members; i++)
	{
		Form_pg_amop form = (Form_pg_amop) GETSTRUCT(&operators->members[i]->tuple);

		if (!has_function(functions, form->amoplefttype) ||
			!has_function(functions, form->amoprighttype))
			result = is_wrong(class_name, format_operator(form->amopopr),
							  "one of its types has no hash function");
	}
	return result;
}

/* The class's own type has an operator and a function. */
static bool
validate_class(Form_pg_opclass form, CatCList *functions, const char *class_name)
{
	char	   *type = format_type_be(form->opcintype);
	bool		result = true;

	if (!OidIsValid(get_opfamily_member(form->opcfamily, form->opcintype, form->opcintype,
										BF_EQUAL_STRATEGY)))
		result = is_wrong(class_name, type, "there is no operator");
	if (!has_function(functions, form->opcintype))
		result = is_wrong(class_name, type, "there is no hash function");
	return result;
}

bool
bf_index_validate(Oid opclass)
{
	HeapTuple	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	Form_pg_opclass form;
	const char *name;
	CatCList   *operators;
	CatCList   *functions;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator class %u", opclass);
	form = (Form_pg_opclass) GETSTRUCT(tuple);
	name = NameStr(form->opcname);
	operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(form->opcfamily));
	functions = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(form->opcfamily));
	result = validate_functions(functions, name);
	result = validate_operators(operators, functions, name) && result;
	result = validate_class(form, functions, name) && result;
	ReleaseCatCacheList(functions);
	ReleaseCatCacheList(operators);
	ReleaseSysCache(tuple);
	return result;
}
