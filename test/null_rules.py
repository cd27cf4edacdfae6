"""What the functions and operators of the extension make of NULL, found out by calling them.

A function is called with NULL for each of its arguments in turn, and for all of them; each other argument is
VALUES' for its type.
"""
import re

import scratch

VALUES = {'bloomfilter': 'bloom_add(bloom_create(10), 1)', 'counting_bloomfilter': 'bloom_add(counting_bloom_create(10), 1)',
          'anycompatible': '1', 'anycompatiblearray': 'ARRAY[1]', 'double precision': '10', 'bigint': '1', 'integer': '1',
          'regclass': "'pg_class'", 'text': "'SELECT 1'", 'bytea': 'bloom_create(10)::bytea'}
NULLS = {'anycompatible': 'NULL::integer', 'anycompatiblearray': 'NULL::integer[]'}
NAMES = {'false_positive_rate': '0.01'}

# Not the operators that call a function of these: they are the same.  Not the functions that only raise an error.
CALLS = """
SELECT name, kind, array_to_string(ARRAY(SELECT t::regtype FROM unnest(types) t), ','), array_to_string(names, ',')
  FROM (SELECT proname::text AS name, prokind::text AS kind, proargtypes::oid[] AS types,
               proargnames[:pronargs] AS names, p.oid AS oid, 'pg_proc'::regclass AS class
          FROM pg_proc p WHERE proname !~ '^(counting_)?bloomfilter_' AND pronargs > 0
                                   AND prokind = 'f' AND NOT proretset
                                   AND obj_description(p.oid, 'pg_proc') !~ '^Raises an error'
        UNION ALL
        SELECT oprname, 'o', ARRAY[oprleft, oprright], ARRAY['a', 'b'], o.oid, 'pg_operator'::regclass
          FROM pg_operator o WHERE (SELECT proname FROM pg_proc f WHERE f.oid = oprcode) ~ '^(counting_)?bloomfilter_') c
 WHERE (class, oid) IN (SELECT classid, objid FROM pg_depend WHERE deptype = 'e' AND refobjid =
                          (SELECT oid FROM pg_extension WHERE extname = 'bloomfilter'))
 ORDER BY class, oid;"""

OUTCOME = """
CREATE FUNCTION pg_temp.outcome(call text, filter text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
  is_null boolean;
BEGIN
  EXECUTE format('SELECT x::text, x IS NULL FROM (SELECT %s) s(x)', call) INTO result, is_null;
  IF coalesce(is_null, true) THEN RETURN 'NULL'; END IF;
  EXECUTE format('SELECT CASE $1 WHEN (%s)::text THEN ''the filter that is not NULL, unchanged''
                                 WHEN ((%1$s), NULL::integer[])::text THEN ''the filter, unchanged, and NULL for the new values''
                                 ELSE ''another result: '' || $1 END', filter) USING result INTO result;
  RETURN result;
EXCEPTION WHEN null_value_not_allowed THEN
  RETURN 'error 22004';
END $$;
"""
REST = 'every other function and operator, with NULL for any argument'
ALL_NULL = 'these functions, with NULL for every argument'


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def shape(name, kind, arguments):
    """A call of this function or operator."""
    return f' {name} '.join(arguments) if kind == 'o' else f'{name}({", ".join(arguments)})'


def calls():
    """Each call with NULL: of what, how it reads, whether all arguments are NULL, and how pg_temp.outcome is asked for it."""
    for name, kind, types, names in scratch.query(CALLS):
        types, names = types.split(','), names.split(',')
        if names == ['filter', 'filter']:
            names = ['a', 'b']
        given = [NAMES.get(n, VALUES[t]) for n, t in zip(names, types)]
        absent = [NULLS.get(t, f'NULL::{t}') for t in types]
        for case in [{k} for k in range(len(types))] + [set(range(len(types)))] * (len(types) > 1):
            read = shape(name, kind, ['NULL' if k in case else n for k, n in enumerate(names)])
            call = shape(name, kind, [absent[k] if k in case else g for k, g in enumerate(given)])
            filter = next((g for k, g in enumerate(given) if k not in case and 'filter' in types[k]), "'no filter'")
            yield name, read, len(case) == len(types), f'pg_temp.outcome({quoted(call)}, {quoted(filter)})'


def rules():
    """The rows of the table: calls, and their outcome."""
    found = list(calls())
    outcomes = [row[0] for row in scratch.query(OUTCOME + ''.join(f'SELECT {asked};\n' for *_, asked in found))]
    exceptional = {name for (name, *_), outcome in zip(found, outcomes) if outcome != 'NULL'}
    rows = {}
    for (name, read, all_null, _), outcome in zip(found, outcomes, strict=True):
        if name not in exceptional:
            read = REST
        elif all_null and outcome == 'NULL':
            read = ALL_NULL
        else:
            read = f'`{read}`'.replace('|', '\\|')
        rows.setdefault(outcome, {})[read] = None
    rows['NULL'] = sorted(rows['NULL'], key=lambda read: (read == REST, read == ALL_NULL))
    return [(('; ' if outcome == 'NULL' else ', ').join(reads), outcome) for outcome, reads in sorted(rows.items(), key=lambda row: row[0] == 'NULL')]
