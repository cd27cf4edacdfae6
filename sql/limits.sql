-- Arguments out of range, filters that would be too large, and the limit of
-- right-sized aggregation.

-- The outcome of a statement: its result, or its error.
CREATE FUNCTION pg_temp.outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- The functions that take an expected number of items or a rate.
CREATE TEMP TABLE functions (id int, call text);
INSERT INTO functions VALUES
	(1, 'bloom_create(%s, %s)'),
	(2, 'bloom_create(%s, %s, 1)'),
	(3, 'bloom_size(%s, %s)'),
	(4, 'bloom_agg(1, %s, %s)');

-- expected_items below 1 or not a number; all four say the same
SELECT n, outcome, count(*)
FROM unnest(ARRAY['0', '-0.0', '0.5', '0.999999', '-1', '-1e300', '-Infinity', 'NaN'])
		WITH ORDINALITY AS u (n, i),
	functions,
	split_part(pg_temp.outcome(format('SELECT ' || call, quote_literal(n) || '::float8', '0.01')), ',', 1)
		AS outcome
GROUP BY i, n, outcome ORDER BY i, outcome;

SELECT call, pg_temp.outcome('SELECT ' || call)
FROM unnest(ARRAY[
	'bloom_create(0)',
	'bloom_create(0.5)',
	'bloom_size(0)',
	'bloom_size(''NaN'')',
	'bloom_agg(1, -1)',
	'bloom_agg(1, ''-Infinity''::float8)'
]) WITH ORDINALITY AS u (call, i) ORDER BY i;

-- a rate in the place of the number
SELECT bloom_create(0.01, 1000);
SELECT bloom_agg(1, 0.01);
SELECT counting_bloom_create(0.01);
SELECT bloom_size(0);

-- a rate that is not one
SELECT p, outcome, count(*)
FROM unnest(ARRAY['0', '-0.01', '1', '1.5', '100', '1e300', '0.0000009', '1e-300', 'NaN', 'Infinity',
		'-Infinity']) WITH ORDINALITY AS u (p, i),
	functions,
	pg_temp.outcome(format('SELECT ' || call, '100', quote_literal(p) || '::float8')) AS outcome
GROUP BY i, p, outcome ORDER BY i, outcome;

SELECT pg_temp.outcome('SELECT bloom_agg(1, NULL, 0)') AS zero,
	pg_temp.outcome('SELECT bloom_agg(1, NULL, 1)') AS one;

-- the rates next to the limits are good
SELECT p, pg_temp.outcome('SELECT bloom_size(100, ' || p || ') > 0') AS size,
	pg_temp.outcome('SELECT bloom_create(100, ' || p || ') IS NOT NULL') AS "create",
	pg_temp.outcome('SELECT bloom_agg(1, 100, ' || p || ') @> 1') AS agg,
	pg_temp.outcome('SELECT bloom_agg(1, NULL, ' || p || ') @> 1') AS right_sized
FROM unnest(ARRAY['0.000001', '0.5', '0.999999', '0.9999999999999999']) WITH ORDINALITY AS u (p, i)
ORDER BY i;

-- shards
SELECT s, pg_temp.outcome(format('SELECT bloom_shard(42, %s) BETWEEN 0 AND %s - 1', s, s))
FROM unnest(ARRAY['0', '-1', '-2147483647', '1', '2', '2147483647']) WITH ORDINALITY AS u (s, i)
ORDER BY i;

-- Too many items: the error tells how many there may be, and that is true:
-- as many are good, and one more is not.
CREATE FUNCTION pg_temp.largest(call text, rate float8) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	result text;
BEGIN
	EXECUTE format('SELECT ' || call, '1e15', rate) INTO result;
	RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN substring(detail FROM 'enough for (\d+) items at this rate');
END $$;

SELECT p, count(DISTINCT n) AS limits,
	bool_and(pg_temp.outcome(format('SELECT ' || call || ' IS NOT NULL', n::numeric, p)) = 'true') AS works,
	bool_and(pg_temp.outcome(format('SELECT ' || call, n::numeric + 1, p)) LIKE '54000 %too large') AS beyond_fails,
	bool_and(bloom_size(n, p) BETWEEN 536870000 AND 536870912 + 68) AS just_512_mb,
	round(min(n) / 1e6) AS millions
FROM unnest(ARRAY[0.000001, 0.0001, 0.001, 0.01, 0.1, 0.5]) AS p, functions,
	pg_temp.largest(call, p) AS n
GROUP BY p ORDER BY p;

\set VERBOSITY default
SELECT bloom_create(1e9);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_size(500000000, 0.001);
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY terse
SELECT n, outcome, count(*)
FROM unnest(ARRAY['1e9', '9007199254740992', '9007199254740993', '1e18', '1e300', 'Infinity'])
		WITH ORDINALITY AS u (n, i),
	functions,
	left(pg_temp.outcome(format('SELECT ' || call, quote_literal(n) || '::float8', '0.01')), 22) AS outcome
GROUP BY i, n, outcome ORDER BY i, outcome;

-- the largest filter takes no space until it is filled
SELECT expected_items, bits = 2^32 AS full_size, bytes
FROM bloom_info(bloom_add_all(bloom_create(pg_temp.largest('bloom_size(%s, %s)', 0.5), 0.5), ARRAY[1, 2, 3]));

-- expected_items is rounded up, and takes what counts and products come as
SELECT (bloom_info(bloom_create(1))).expected_items AS one,
	(bloom_info(bloom_create(1.0000001))).expected_items AS just_above,
	(bloom_info(bloom_create(1e6))).expected_items AS float,
	(bloom_info(bloom_create(1000 * 1.2))).expected_items AS product,
	(bloom_info(bloom_create(1000.5::real))).expected_items AS real,
	(bloom_info(bloom_create(7::smallint))).expected_items AS small,
	(bloom_info(bloom_create(400000000::bigint))).expected_items AS large;
SELECT (bloom_info(bloom_create(count(*)))).expected_items AS count,
	(bloom_info(bloom_agg(i, 99.01))).expected_items AS agg,
	(bloom_info(bloom_agg(i, 99 + i / 100.0))).expected_items AS agg_rounds_alike
FROM generate_series(1, 50) AS i;
SELECT bloom_create(99.5) = bloom_create(100) AS "create", bloom_size(9999.5) = bloom_size(10000) AS size;

-- seeds: all of bigint; the hash in a filter is that of bloom_hash
CREATE FUNCTION pg_temp.little_endian(bigint) RETURNS bytea LANGUAGE sql AS $$
	SELECT string_agg(substr(int8send($1), n, 1), '' ORDER BY n DESC) FROM generate_series(1, 8) AS n
$$;
CREATE TEMP TABLE seeds (seed bigint);
INSERT INTO seeds VALUES (0), (1), (-1), (4294967296), (9223372036854775807), (-9223372036854775808);
SELECT seeds.seed, (bloom_info(f)).seed = seeds.seed AS told, f @> 1 AS contains,
	f::text::bloomfilter = f AS text, f::bytea::bloomfilter = f AS bytea,
	substr(f::bytea, 4 + 64 + 1, 8) = pg_temp.little_endian(bloom_hash(1, seeds.seed)) AS bloom_hash,
	bloom_add_all(empty, ARRAY(SELECT generate_series(1, 50))) @> 50 AS dense
FROM seeds, bloom_create(100, 0.01, seeds.seed) AS empty, bloom_add(empty, 1) AS f
ORDER BY seeds.seed;
SELECT count(DISTINCT bloom_hash(1, seed)) AS hashes FROM seeds;

-- bloomfilter.max_exact_hashes: what it may be
SHOW bloomfilter.max_exact_hashes;
\set VERBOSITY sqlstate
SET bloomfilter.max_exact_hashes = 0;
SET bloomfilter.max_exact_hashes = -1;
SET bloomfilter.max_exact_hashes = 67108865;
SET bloomfilter.max_exact_hashes = 'many';
SET bloomfilter.no_such_setting = 1;
\set VERBOSITY default
SHOW bloomfilter.max_exact_hashes;
SET bloomfilter.max_exact_hashes = 67108864;
SHOW bloomfilter.max_exact_hashes;

-- exactly as many distinct values are good, one more is not, however often
-- each comes; an error leaves the session as it was
SET bloomfilter.max_exact_hashes = 1000;
SELECT expected_items, estimated_items BETWEEN 950 AND 1050 AS estimate
FROM (SELECT bloom_agg(i % 1000) AS f FROM generate_series(1, 5000) AS i) AS s, bloom_info(f);
SELECT bloom_agg(i % 1001) FROM generate_series(1, 5000) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, NULL) FROM generate_series(1, 1001) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, NULL, 0.1) FROM generate_series(1, 1001) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT (bloom_info(bloom_agg(i))).expected_items FROM generate_series(1, 1000) AS i;
SELECT bool_and(f @> i)
FROM generate_series(1, 1000) AS i, (SELECT bloom_agg(i) AS f FROM generate_series(1, 1000) AS i) AS s;

-- the limit is each group's own
SELECT count(*), min((bloom_info(f)).expected_items)
FROM (SELECT bloom_agg(i) AS f FROM generate_series(1, 5000) AS i GROUP BY i % 5) AS s;

-- where the number is given, sparse or dense, there is no limit
SELECT (bloom_info(bloom_agg(i, 10000))).representation FROM generate_series(1, 1001) AS i;
SELECT (bloom_info(bloom_agg(i, 1e6))).representation FROM generate_series(1, 1001) AS i;
SELECT (bloom_info(bloom_add_all(bloom_create(1e6), ARRAY(SELECT generate_series(1, 1001))))).representation;

-- the smallest limit
SET bloomfilter.max_exact_hashes = 1;
SELECT bloom_agg(1) @> 1 AS one FROM generate_series(1, 100);
SELECT bloom_agg(i) FROM generate_series(1, 2) AS i;
\echo :LAST_ERROR_SQLSTATE
RESET bloomfilter.max_exact_hashes;
SELECT (bloom_info(bloom_agg(i))).expected_items FROM generate_series(1, 2) AS i;
