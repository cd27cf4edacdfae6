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
#include "access/hash.h"
#include "access/htup_details.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_type_d.h"
#include "commands/defrem.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "index/hash.h"
#include "index/validate.h"

/*
 * The server's own hash operator classes use some functions for types that
 * these are not declared for.
 */
static bool
is_used_by_hash(Oid function, Oid type)
{
	Oid			hash_class = GetDefaultOpClass(type, HASH_AM_OID);

	return OidIsValid(hash_class) &&
		get_opfamily_proc(get_opclass_family(hash_class), type, type, HASHEXTENDED_PROC) == function;
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
				 !is_used_by_hash(form->amproc, form->amproclefttype))
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
