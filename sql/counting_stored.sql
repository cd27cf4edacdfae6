-- Counting filters in tables and in variables: read in parts, kept, never
-- changed under anybody's eyes, and a loop does not copy them.
CREATE TABLE cs (name text, f counting_bloomfilter, members int[]);
INSERT INTO cs
	SELECT name, bloom_add_all(bloom_add_all(counting_bloom_create(n, p), members), members[1:10]), members
	FROM (VALUES ('empty', 100, 0.01, 0), ('short list', 100000, 0.01, 20), ('long list', 100000, 0.01, 1500), ('few counters', 20, 0.01, 40), ('counters', 20000, 0.01, 20000), ('two rounds', 3000, 0.00001, 4000)) AS v (name, n, p, size),
		LATERAL (SELECT ARRAY(SELECT generate_series(1, size)) AS members) AS m;
CREATE TABLE cs_main AS SELECT * FROM cs WHERE false;
ALTER TABLE cs_main ALTER COLUMN f SET STORAGE MAIN;
CREATE TABLE cs_extended AS SELECT * FROM cs WHERE false;
ALTER TABLE cs_extended ALTER COLUMN f SET STORAGE EXTENDED;
-- made anew, since a stored value is copied as it is
INSERT INTO cs_main SELECT name, f::text::counting_bloomfilter, members FROM cs WHERE name <> 'counters';
INSERT INTO cs_extended SELECT name, f::text::counting_bloomfilter, members FROM cs;
SELECT name, (bloom_info(f)).representation, pg_column_size(f) > 2000 AS out_of_line FROM cs ORDER BY name;
SELECT pg_relation_size(reltoastrelid) > 60000 AS toasted FROM pg_class WHERE oid = 'cs'::regclass;

-- One value of each filter, and many values of one: the same answers, whatever
-- is read for them.
SELECT name, bloom_count(f, 5) AS five, bloom_count(f, 15) AS fifteen, f @> -1 AS absent, f @> cardinality(members) AS last FROM cs ORDER BY name;
SELECT name, count(*) FILTER (WHERE NOT f @> x) AS missed, count(*) FILTER (WHERE bloom_count(f, x) < CASE WHEN x <= 10 THEN 2 ELSE 1 END) AS too_low,
	count(*) FILTER (WHERE bloom_count(f, x) > CASE WHEN x <= 10 THEN 2 ELSE 1 END) * 5 <= count(*) AS few_too_high
FROM cs, unnest(members) AS x GROUP BY name ORDER BY name;
SELECT s.name, bool_and(bloom_count(s.f, x) = bloom_count(m.f, x) AND bloom_count(s.f, x) = bloom_count(e.f, x) AND bloom_count(s.f, x) = bloom_count(s.f + NULL, x)
	AND (s.f @> x) = (s.f::bloomfilter @> x)) AS same
FROM cs AS s JOIN cs_extended AS e USING (name) LEFT JOIN cs_main AS m0 USING (name), LATERAL (SELECT coalesce(m0.f, s.f) AS f) AS m, generate_series(-100, 100) AS x
GROUP BY s.name ORDER BY s.name;
SELECT name, bloom_contains_all(f, members) AS "all", bloom_contains_any(f, ARRAY[-1, 0]) AS "any" FROM cs ORDER BY name;
-- Counts of a list that is too large to be kept, behind a type's name.
CREATE TABLE cs_named AS SELECT counting_bloom_agg(ARRAY[x], 3e6) AS f FROM generate_series(1, 20000) AS x, generate_series(1, 1 + x % 3);
SET work_mem = '64kB';
SET bloomfilter.stored_filter_memory = 0;
SELECT (bloom_info(f)).representation, pg_column_size(f) > 65536 AS large FROM cs_named;
SELECT count(*) FILTER (WHERE bloom_count(f, ARRAY[x]) = 1 + x % 3) AS counted, count(*) FILTER (WHERE f @> ARRAY[-x]) AS others FROM cs_named, generate_series(1, 20000) AS x;
RESET bloomfilter.stored_filter_memory;
RESET work_mem;
DROP TABLE cs_named;
-- compared by parts
SELECT a.name, count(*) FILTER (WHERE a.f = b.f) AS equal, count(*) FILTER (WHERE a.f <> b.f) AS other FROM cs AS a, cs_extended AS b GROUP BY a.name ORDER BY a.name;

-- UPDATE changes what it says, and nothing else.
CREATE TABLE cs_before AS SELECT name, f::bytea FROM cs;
SELECT name, bloom_add(f, -1) @> -1 AS added, bloom_cardinality(f + f) >= bloom_cardinality(f) AS sum, (f - f) @> 1 AS difference, f::bloomfilter @> 1 AS cast FROM cs ORDER BY name;
SELECT count(*) AS changed FROM cs JOIN cs_before AS b USING (name) WHERE cs.f::bytea <> b.f;
UPDATE cs SET f = bloom_add(f, -1) WHERE name <> 'empty';
SELECT name, bloom_count(f, -1) > 0 AS added FROM cs ORDER BY name;
UPDATE cs SET f = bloom_remove(f, -1) WHERE name <> 'empty';
SELECT count(*) AS changed FROM cs JOIN cs_before AS b USING (name) WHERE cs.f::bytea <> b.f;
SELECT bloom_remove(f, 1) @> 1 AS once, bloom_remove(bloom_remove(f, 1), 1) @> 1 AS twice, bloom_count(f, 1) AS f FROM cs WHERE name = 'short list';
SELECT bloom_count(bloom_add(f, 1), 1) AS added, bloom_count(f, 1) AS f, bloom_count(bloom_remove(f, 1), 1) AS removed, bloom_count(f, 1) AS f
FROM (SELECT bloom_add_all(counting_bloom_create(1000), ARRAY[1, 1]) AS f OFFSET 0) AS s;

-- In PL/pgSQL: each variable has its own.
CREATE FUNCTION filter_contexts() RETURNS bigint LANGUAGE sql AS
'SELECT count(*) FROM pg_backend_memory_contexts WHERE name IN (''bloomfilter'', ''bloomfilter body'', ''bloomfilter states'')';
CREATE FUNCTION object_bytes() RETURNS numeric LANGUAGE sql AS
'SELECT sum(used_bytes) FROM pg_backend_memory_contexts WHERE name = ''bloomfilter objects''';
SELECT object_bytes() AS bytes_before \gset
DO $$
DECLARE
	f counting_bloomfilter := counting_bloom_create(20000, 0.0001);
	g counting_bloomfilter;
	wrong int := 0;
BEGIN
	FOR i IN 1 .. 3000 LOOP
		f := bloom_add(f, i);
		f := bloom_add(f, NULL::int);
		f := f + NULL;
		f := bloom_remove(bloom_add_all(f, ARRAY[-i, -i, NULL]), -i);
		IF i % 500 = 0 THEN
			g := f;
			g := bloom_remove(g, i);
			g := g + g - f;
			-- twice all but i, less all and i
			wrong := wrong + (SELECT count(*) FROM generate_series(1, i - 1) AS x WHERE NOT g @> x)::int;
		END IF;
	END LOOP;
	RAISE NOTICE 'not reached';
EXCEPTION WHEN invalid_parameter_value THEN
	RAISE NOTICE '%', SQLERRM;
END $$;
DO $$
DECLARE
	f counting_bloomfilter := counting_bloom_create(20000, 0.0001);
	g counting_bloomfilter;
	wrong int := 0;
BEGIN
	FOR i IN 1 .. 3000 LOOP
		f := bloom_add(f, i);
		f := bloom_add(f, NULL::int);
		f := f + NULL;
		f := bloom_remove(bloom_add_all(f, ARRAY[-i, -i, NULL]), -i);
		IF i % 500 = 0 THEN
			g := f;
			g := bloom_remove(g, i);
			g := f + f - g;
			wrong := wrong + (bloom_count(g, i) < 2)::int + (bloom_count(f, i) < 1)::int + (SELECT count(*) FROM generate_series(1, i) AS x WHERE NOT g @> x)::int;
		END IF;
	END LOOP;
	RAISE NOTICE 'wrong %, missed %, other %, few contexts %', wrong, (SELECT count(*) FROM generate_series(1, 3000) AS x WHERE NOT f @> x OR NOT f @> -x),
		(SELECT count(*) FROM generate_series(3001, 9000) AS x WHERE f @> x), filter_contexts() <= 6;
	f := bloom_remove_all(f, ARRAY(SELECT generate_series(1, 3000)));
	f := bloom_remove_all(f, ARRAY(SELECT generate_series(-3000, -1)));
	RAISE NOTICE 'left %', bloom_cardinality(f);
END $$;
-- many changes of a filter that others hold, too: they wait, and are then applied
DO $$
DECLARE
	f counting_bloomfilter := counting_bloom_agg(x, 5000) FROM generate_series(1, 5000) AS x;
	before counting_bloomfilter := f;
	g counting_bloomfilter;
BEGIN
	f := bloom_add(f, 0);
	g := bloom_remove_all(bloom_add_all(bloom_remove_all(f, ARRAY(SELECT generate_series(1, 100))), ARRAY(SELECT generate_series(1, 200))), ARRAY(SELECT generate_series(101, 200)));
	RAISE NOTICE 'same %, f same %', g = f, bloom_remove(f, 0) = before;
	g := bloom_remove(bloom_remove(bloom_add(bloom_add(f, -1), -1), -1), -1);
	RAISE NOTICE 'same %', g = f;
END $$;
-- in every row of a query there are that row's filters only
SELECT count(*), count(*) FILTER (WHERE bloom_count(f, 7) = 2 AND f @> 0 AND f @> -7) AS found, max(contexts) <= 15 AS few_contexts
FROM (SELECT x, f, CASE WHEN x % 100 = 0 THEN filter_contexts() END AS contexts
	FROM (SELECT x, bloom_add(bloom_add(f, 7) + bloom_remove(bloom_add_all(f, ARRAY[0, 7, x + 10]), x + 10), -7) AS f, generate_series(1, 2)
		FROM counting_bloom_create(1000) AS f, generate_series(1, 1000) AS x) AS s) AS t;
SELECT filter_contexts(), object_bytes() - :bytes_before < 500 AS no_objects;

-- The planner: rows by what the filter holds, as for a bloomfilter.
CREATE TABLE cs_rows AS SELECT x FROM generate_series(1, 10000) AS x;
ANALYZE cs_rows;
CREATE FUNCTION estimated_rows(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN (plan->0->'Plan'->>'Plan Rows')::int;
END $$;
SELECT bloom_add_all(counting_bloom_create(5000), ARRAY(SELECT generate_series(1, 3000)))::text AS dense, bloom_add_all(counting_bloom_create(50000), ARRAY[1, 2, 3])::text AS sparse \gset
SELECT estimated_rows(format('SELECT * FROM cs_rows WHERE %L::counting_bloomfilter @> x', :'dense')) BETWEEN 2800 AND 3200 AS dense,
	estimated_rows(format('SELECT * FROM cs_rows WHERE x <@ %L::counting_bloomfilter', :'sparse')) AS sparse,
	estimated_rows(format('SELECT * FROM cs_rows WHERE bloom_contains(%L::counting_bloomfilter, x)', :'sparse')) AS function,
	estimated_rows(format('SELECT * FROM cs_rows WHERE %L::counting_bloomfilter::bloomfilter @> x', :'sparse')) AS cast,
	estimated_rows('SELECT * FROM cs_rows WHERE (SELECT counting_bloom_agg(x, 100) FROM cs_rows WHERE x <= 100) @> x') BETWEEN 150 AND 250 AS init_plan,
	estimated_rows('SELECT * FROM cs_rows WHERE (SELECT counting_bloom_agg(x, 100)::bloomfilter FROM cs_rows WHERE x <= 100) @> x') BETWEEN 150 AND 250 AS init_plan_cast;

DROP TABLE cs, cs_main, cs_extended, cs_before, cs_rows;
DROP FUNCTION filter_contexts(), object_bytes(), estimated_rows(text);
