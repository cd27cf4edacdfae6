-- Filters of the same parameters: bloom_create_like, bloom_compatible.
CREATE AGGREGATE like_state ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter);

-- Filters of all kinds, in a table and out of line where they are large enough.
CREATE TABLE kinds (name text PRIMARY KEY, f bloomfilter);
INSERT INTO kinds
SELECT 'none', bloom_create(1000)
UNION ALL SELECT 'none, other rate', bloom_create(1000, 0.001)
UNION ALL SELECT 'none, other seed', bloom_create(1000, 0.01, 7)
-- one more item, and the same number of blocks; fewer, and another one
UNION ALL SELECT 'none, as many blocks', bloom_create(1001)
UNION ALL SELECT 'none, fewer blocks', bloom_create(900)
UNION ALL SELECT 'int, list', bloom_agg(i, 1000) FROM generate_series(1, 5) i
UNION ALL SELECT 'int, blocks', bloom_agg(i, 1000) FROM generate_series(1, 1000) i
UNION ALL SELECT 'int, other seed', bloom_add(bloom_create(1000, 0.01, 7), 1)
UNION ALL SELECT 'int, united', bloom_create(1001, 0.01) | bloom_add(bloom_create(1000), 1)
UNION ALL SELECT 'int, large list', bloom_agg(i, 100000) FROM generate_series(1, 1000) i
UNION ALL SELECT 'int, large', bloom_agg(i, 100000) FROM generate_series(1, 10000) i
UNION ALL SELECT 'text', bloom_agg(i::text, 1000) FROM generate_series(1, 5) i
UNION ALL SELECT 'bpchar', bloom_add(bloom_create(1000), 'a'::char(2))
UNION ALL SELECT 'numeric, list', bloom_agg(i::numeric, 1000) FROM generate_series(1, 5) i
UNION ALL SELECT 'numeric, large', bloom_agg(i::numeric, 100000) FROM generate_series(1, 10000) i
UNION ALL SELECT 'numeric[]', bloom_add(bloom_create(1000), ARRAY[1.5])
UNION ALL SELECT 'jsonb', bloom_add(bloom_create(1000), '{}'::jsonb)
UNION ALL SELECT 'unsized', like_state(i) FROM generate_series(1, 5) i
UNION ALL SELECT 'unsized, large', like_state(i) FROM generate_series(1, 1000) i
UNION ALL SELECT 'unsized text', like_state(i::text) FROM generate_series(1, 5) i;

-- An empty filter with every parameter as it is recorded.
SELECT name, bloom_create_like(f) FROM kinds ORDER BY name COLLATE "C";
SELECT bloom_create_like(bloom_create(n, p, seed)) = bloom_create(n, p, seed) AS the_same
  FROM (VALUES (1, 0.5, 0), (1e6, 0.000001, -1), (4e8, 0.01, 42)) v (n, p, seed);
-- values of any type can be added, and what comes of it combines if they are
-- of the first one's type
SELECT bool_and(bloom_add(bloom_create_like(f), 'x'::text) @> 'x'::text) AS of_another_type FROM kinds;
SELECT (bloom_add(bloom_create_like(f), 20000) | f) @> 20000 AS combined FROM kinds WHERE name = 'int, large';
-- of a filter in memory that is being added to, and which stays as it is
DO $$
DECLARE
	f bloomfilter := bloom_create(100, 0.1, 5);
	empty bloomfilter;
BEGIN
	FOR i IN 1 .. 300 LOOP
		f := bloom_add(f, i);
		empty := bloom_create_like(f);
		ASSERT empty = bloom_create(100, 0.1, 5) AND f @> i;
		ASSERT bloom_compatible(f, empty) AND bloom_compatible(empty, f);
	END LOOP;
	ASSERT f = (SELECT bloom_add_all(bloom_create(100, 0.1, 5), array_agg(i)) FROM generate_series(1, 300) i);
END $$;

-- Compatible are exactly those that unite.
CREATE FUNCTION unites(a bloomfilter, b bloomfilter) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RETURN (a | b) IS NOT NULL AND (a & b) IS NOT NULL;
EXCEPTION WHEN datatype_mismatch OR invalid_parameter_value THEN
	RETURN false;
END $$;
SELECT count(*) AS pairs, count(*) FILTER (WHERE bloom_compatible(a.f, b.f)) AS compatible,
	bool_and(bloom_compatible(a.f, b.f) = unites(a.f, b.f)) AS exactly_those_that_unite,
	bool_and(bloom_compatible(a.f, b.f) = bloom_compatible(b.f, a.f)) AS either_way
  FROM kinds a, kinds b;
SELECT string_agg(b.name, '; ' ORDER BY b.name COLLATE "C") AS with_a_list_of_integers
  FROM kinds a, kinds b WHERE a.name = 'int, list' AND bloom_compatible(a.f, b.f);
SELECT bool_and(bloom_compatible(f, bloom_create_like(f))) AS like_it FROM kinds;
SELECT bloom_compatible(NULL, f), bloom_compatible(f, NULL), bloom_create_like(NULL) FROM kinds WHERE name = 'none';

-- A constraint that keeps a column in step.
CREATE TABLE in_step (users bloomfilter CHECK (bloom_compatible(users, bloom_create(1000, 0.001))));
INSERT INTO in_step VALUES (bloom_create(1000, 0.001)), (bloom_add(bloom_create(1000, 0.001), 1)), (NULL);
\set VERBOSITY terse
INSERT INTO in_step VALUES (bloom_create(1000, 0.01));
\set VERBOSITY default
UPDATE in_step SET users = bloom_add(users, 2) WHERE users IS NOT NULL;

-- Of a filter out of line the header is read, and nothing else.
CREATE FUNCTION buffers(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan->0->'Plan'->>'Shared Hit Blocks')::bigint + (plan->0->'Plan'->>'Shared Read Blocks')::bigint;
END $$;
SELECT pg_column_size(f) / 2000 AS chunks FROM kinds WHERE name = 'int, large';
SELECT buffers($$SELECT bloom_cardinality(f) FROM kinds WHERE name = 'int, large'$$) >= 16 AS whole,
	buffers($$SELECT bloom_create_like(f) FROM kinds WHERE name = 'int, large'$$) < 10 AS create_like,
	buffers($$SELECT bloom_compatible(f, bloom_create(1000)) FROM kinds WHERE name = 'int, large'$$) < 10 AS compatible;
-- compressed, in line and out of line: blocks that an intersection left nearly
-- empty
CREATE TABLE compressed (f bloomfilter);
ALTER TABLE compressed ALTER f SET STORAGE EXTENDED, ALTER f SET COMPRESSION pglz;
INSERT INTO compressed SELECT bloom_agg(i, 20000) & bloom_agg(i + 1000, 20000) FROM generate_series(1, 1000) i;
INSERT INTO compressed SELECT bloom_agg(i, 1e6) & bloom_agg(i + 1e6::int, 1e6) FROM generate_series(1, 20000) i;
SELECT pg_column_compression(f) IS NOT NULL AS compressed, pg_column_size(f) < 2000 AS in_line, bloom_create_like(f),
	bloom_compatible(f, bloom_create(1e6)) FROM compressed;

DROP TABLE kinds, in_step, compressed;
DROP AGGREGATE like_state("any");
DROP FUNCTION unites(bloomfilter, bloomfilter), buffers(text);
