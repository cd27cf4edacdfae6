-- Filters that do not go together: every function of two filters says so, and
-- why, and what to do.

-- The error of an expression over two filters a and b.
CREATE FUNCTION pg_temp.outcome(expression text, a bloomfilter, b bloomfilter) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	detail text;
	hint text;
BEGIN
	EXECUTE format('SELECT (%s)::text FROM (SELECT $1 AS a, $2 AS b) AS s', expression) INTO result USING a, b;
	RETURN 'result: ' || coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN format(E'%s %s\nDETAIL: %s\nHINT: %s', SQLSTATE, SQLERRM, detail, hint);
END $$;
CREATE TEMP TABLE functions (call text);
INSERT INTO functions VALUES
	('bloom_union(a, b)'),
	('a | b'),
	('bloom_intersection(a, b)'),
	('a & b'),
	('bloom_is_superset(a, b)'),
	('bloom_union_cardinality(a, b)'),
	('bloom_intersection_cardinality(a, b)'),
	('bloom_jaccard(a, b)'),
	('(SELECT bloom_union_agg(f ORDER BY i) FROM (VALUES (1, a), (2, b)) AS v (i, f))'),
	('(SELECT bloom_intersection_agg(f ORDER BY i) FROM (VALUES (1, a), (2, b)) AS v (i, f))');

CREATE TEMP TABLE pairs (id int, what text, a bloomfilter, b bloomfilter);
INSERT INTO pairs VALUES
	(1, 'items', bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10000), 1)),
	(2, 'items, both empty', bloom_create(10), bloom_create(10000)),
	(3, 'items, dense', bloom_add_all(bloom_create(10), ARRAY[1, 2, 3]), bloom_add_all(bloom_create(100), ARRAY[1, 2, 3])),
	(4, 'rate', bloom_add(bloom_create(1000, 0.01), 1), bloom_add(bloom_create(1000, 0.001), 1)),
	(5, 'hashes only', bloom_create(10, 0.1), bloom_create(10, 0.001)),
	(6, 'seed', bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10, 0.01, -9223372036854775808), 1)),
	(7, 'seed, empty', bloom_create(10), bloom_create(10, 0.01, 1)),
	(8, 'type', bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10), '1'::text)),
	(9, 'type, dense', bloom_add_all(bloom_create(10), ARRAY[1, 2, 3]), bloom_add_all(bloom_create(10), ARRAY[1, 2, 3]::float8[])),
	(10, 'type before size', bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10000), 1::numeric)),
	(11, 'text and char(n)', bloom_add(bloom_create(10), 'a'::text), bloom_add(bloom_create(10), 'a'::char(1))),
	(12, 'own-hash types', bloom_add(bloom_create(10), '{}'::jsonb), bloom_add(bloom_create(10), 1::numeric)),
	(13, 'arrays', bloom_add(bloom_create(10), '{a}'::text[]), bloom_add(bloom_create(10), '{1}'::int[])),
	(14, 'array and element', bloom_add(bloom_create(10), 1::numeric), bloom_add(bloom_create(10), '{1}'::numeric[]));
-- the same type, hashed in other environments: byte order, encoding, locale, char
INSERT INTO pairs VALUES
	(15, 'byte order',
		'bloomfilter(1, pg_catalog.numeric, env=0000000000000001, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=af47b7ea, 8N68mnhWNBI=)',
		'bloomfilter(1, pg_catalog.numeric, env=0000000000000002, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=b70904de, 8N68mnhWNBI=)'),
	(16, 'encoding',
		'bloomfilter(1, pg_catalog.jsonb, env=0000000000000701, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=cfc672f8, 8N68mnhWNBI=)',
		'bloomfilter(1, pg_catalog.jsonb, env=0000000000000901, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=415b1506, 8N68mnhWNBI=)'),
	(17, 'locale',
		'bloomfilter(1, public.citext, env=1111111111110705, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=57efc540, 8N68mnhWNBI=)',
		'bloomfilter(1, public.citext, env=2222222222220705, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=f7541682, 8N68mnhWNBI=)'),
	(18, 'unknown encoding',
		'bloomfilter(1, pg_catalog.jsonb, env=0000000000000701, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=cfc672f8, 8N68mnhWNBI=)',
		'bloomfilter(1, pg_catalog.jsonb, env=000000000000ff01, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=78769ab9, 8N68mnhWNBI=)'),
	(19, 'char',
		'bloomfilter(1, pg_catalog.char[], env=0000000000000004, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=6bbcb954, 8N68mnhWNBI=)',
		'bloomfilter(1, pg_catalog.char[], env=0000000000000008, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=0a867584, 8N68mnhWNBI=)'),
	(20, 'everything',
		'bloomfilter(1, public.citext, env=1111111111110705, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=57efc540, 8N68mnhWNBI=)',
		'bloomfilter(1, public.citext, env=000000000022090a, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=14c712e6, 8N68mnhWNBI=)'),
	(21, 'no part at all',
		'bloomfilter(1, public.citext, env=1111111111110705, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=57efc540, 8N68mnhWNBI=)',
		'bloomfilter(1, public.citext, env=0000000000000000, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=ae5540cf, 8N68mnhWNBI=)');

-- each function says the same, in the order of its arguments
\x
SELECT id, what, count(*) AS functions, outcome
FROM pairs, functions, pg_temp.outcome(call, a, b) AS outcome
GROUP BY id, what, outcome ORDER BY id, outcome;
\x
SELECT id, what, count(*) AS functions, split_part(outcome, E'\n', 1) AS error
FROM pairs, functions, pg_temp.outcome(call, b, a) AS outcome
GROUP BY id, what, error ORDER BY id, error;
SELECT pg_temp.outcome('a | b', b, a) AS error FROM pairs WHERE id = 8;

-- equality just finds them different
SELECT count(*) AS pairs, bool_or(a = b) AS "=", bool_and(a <> b) AS "<>" FROM pairs;

-- neither filter has changed, and the session goes on
SELECT count(*) AS pairs, bool_and(a | a = a AND b | b = b) AS intact FROM pairs;
SELECT bloom_create(10) | bloom_create(10) = bloom_create(10) AS usable;

-- a filter that was built elsewhere refuses values here
\set VERBOSITY sqlstate
SELECT b @> '{}'::jsonb FROM pairs WHERE id = 18;
SELECT '{}'::jsonb <@ b FROM pairs WHERE id = 18;
SELECT bloom_contains_any(b, ARRAY['{}'::jsonb]) FROM pairs WHERE id = 18;
SELECT bloom_contains_all(b, ARRAY['{}'::jsonb]) FROM pairs WHERE id = 18;
SELECT bloom_add(b, '{}'::jsonb) FROM pairs WHERE id = 18;
SELECT bloom_add_all(b, ARRAY['{}'::jsonb]) FROM pairs WHERE id = 18;
\set VERBOSITY default

-- A call site sees one filter after the other, in this order: of other seeds,
-- sizes and numbers of hashes, full and empty; each has its own answers.
CREATE TABLE in_turn AS
	SELECT n, p, seed, f, even
	FROM (VALUES (10, 0.01, 0), (10, 0.01, 1), (10, 0.1, 1), (10000, 0.01, 1), (10000, 0.01, 2), (10, 0.01, 2)) AS v (n, p, seed),
		LATERAL (SELECT bloom_create(n, p, seed) AS e) AS e,
		LATERAL (VALUES (bloom_add_all(e, ARRAY[2, 4, 6]), true), (e, NULL), (bloom_add_all(e, ARRAY[1, 3]), false)) AS w (f, even)
	ORDER BY n, seed, p, even;
SELECT even, count(*), bool_and(f @> 2) AS two, bool_and(f @> 3) AS three, bool_and(bloom_contains_all(f, ARRAY[2, 4, 6])) AS "2, 4, 6",
	bool_and(bloom_contains_any(f, ARRAY[7, 3])) AS "7 or 3", bool_and(bloom_add(f, 9) @> 9) AS added
FROM in_turn GROUP BY even ORDER BY even;
DROP TABLE in_turn;

-- what goes together: other items and rates of the same size, no type and any,
-- all representations
SELECT count(*), bool_and(pg_temp.outcome(call, a, b) LIKE 'result%') AS combine
FROM functions, (VALUES
	(bloom_create(1980), bloom_create(1985)),
	(bloom_create(1980, 0.01), bloom_create(1980, 0.0101)),
	(bloom_create(10), bloom_add(bloom_create(10), 1::numeric)),
	(bloom_add(bloom_create(10), 1::numeric), bloom_create(10)),
	(bloom_add(bloom_create(10), 1::numeric), bloom_add_all(bloom_create(10), '{1, 2, 3}'::numeric[]))) AS v (a, b);
