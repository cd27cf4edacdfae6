"""How queries are run: what is sent, and how what comes back is read."""

# Rows are fetched by the protocol's own messages, a few at a time, as drivers do.
PORTAL = 'portal'

LOOP = '''CREATE FUNCTION pg_temp.each_of() RETURNS SETOF text LANGUAGE plpgsql AS $loop$
DECLARE
	row_of_query record;
BEGIN
	FOR row_of_query IN {0} LOOP
		RETURN NEXT row_of_query::text;
	END LOOP;
END $loop$;
SELECT pg_temp.each_of(); DROP FUNCTION pg_temp.each_of()'''


def scrolled(results):
    """The rows, if those fetched backward and then again are the same."""
    first, back, few, rest = results
    rows = few + rest
    seen = 4 if len(first) == 5 else len(first)     # on the fifth row, or behind the last
    if first != rows[:5] or back != rows[:seen][::-1]:
        return results
    return [rows]


def each(results):
    return results


# Scripts of statements, and what makes of their results such as may be compared as multisets.
SCRIPTS = {
    'cursor': ('BEGIN; DECLARE c SCROLL CURSOR FOR {0}; FETCH 5 FROM c; FETCH ALL FROM c; MOVE ABSOLUTE 0 IN c; '
               'FETCH ALL FROM c; FETCH BACKWARD ALL FROM c; COMMIT',
               lambda results: [results[0] + results[1]] + results[2:]),
    'hold': ('BEGIN; DECLARE c SCROLL CURSOR WITH HOLD FOR {0}; FETCH 3 FROM c; COMMIT; FETCH ALL FROM c; '
             'FETCH BACKWARD ALL FROM c; CLOSE c', lambda results: [results[0] + results[1]] + results[2:]),
    'fetch': ('BEGIN; DECLARE c NO SCROLL CURSOR FOR {0}; FETCH 1 FROM c; FETCH 2 FROM c; FETCH 3 FROM c; FETCH 10 FROM c; '
              'FETCH ALL FROM c; COMMIT', lambda results: [sum(results, [])]),
    'scroll': ('BEGIN; DECLARE c SCROLL CURSOR FOR {0}; FETCH 5 FROM c; FETCH BACKWARD ALL FROM c; FETCH 3 FROM c; '
               'FETCH ALL FROM c; COMMIT', scrolled),
    'loop': (LOOP, each),
    'prepared': ('SET plan_cache_mode = force_generic_plan; PREPARE p (int) AS {0}; '
                 'EXECUTE p (0); EXECUTE p (1); EXECUTE p (0); DEALLOCATE p', each),
    # a plan that was kept, of indexes and partitions that change
    'changing': ('SET plan_cache_mode = force_generic_plan; PREPARE p (int) AS {0}; '
                 'BEGIN; EXECUTE p (0); {2}; EXECUTE p (0); EXECUTE p (1); ROLLBACK; EXECUTE p (0); DEALLOCATE p', each),
    'table': ('CREATE TEMP TABLE made AS {0}; SELECT * FROM made; DROP TABLE made', each),
    # one after another: a parallel plan runs without workers and shared memory
    'rows': ('CREATE FUNCTION pg_temp.rows_of() RETURNS SETOF record LANGUAGE sql AS $rows${0}$rows$; '
             'SELECT pg_temp.rows_of(); DROP FUNCTION pg_temp.rows_of()', each),
    'exists': ('SELECT EXISTS ({0})', each),
    'first': ('SELECT count(*) FROM ({0} LIMIT 7) AS few', each),
    'delete': ('BEGIN; {0}; ROLLBACK', each),
    'update': ('BEGIN; {0}; ROLLBACK', each),
    'lock': ('BEGIN; {0}; ROLLBACK', each),
    'merge': ('BEGIN; {0}; SELECT id, c_int FROM {1}; ROLLBACK', each),
}


def statements(query):
    """What to send, and how to read what comes back, as a list of lists of results."""
    script, read = SCRIPTS.get(query.mode, ('{0}', each))
    return script.format(query.text, query.target, query.between), read


def explained(query):
    """The query, as EXPLAIN takes it."""
    if query.mode in ('exists', 'first'):
        return statements(query)[0]
    return query.text.replace('$1', '0')
