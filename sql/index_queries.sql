-- Filter indexes give the rows that a sequential scan gives.
SET enable_seqscan = off;
SET jit = off;
SET enable_indexscan = off;

-- Runs a query with the index, and without, and compares the rows: their number.
CREATE FUNCTION pg_temp.by_index(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	used boolean := false;
	with_index text;
	without text;
BEGIN
	PERFORM set_config('enable_bitmapscan', 'on', true);
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		used := used OR line LIKE '%Bitmap Index Scan on %_bf%' OR line LIKE '%Bitmap Index Scan on years%';
	END LOOP;
	EXECUTE format('SELECT string_agg(q::text, '';'' ORDER BY q::text) FROM (%s) q', query) INTO with_index;
	PERFORM set_config('enable_bitmapscan', 'off', true);
	EXECUTE format('SELECT string_agg(q::text, '';'' ORDER BY q::text) FROM (%s) q', query) INTO without;
	PERFORM set_config('enable_bitmapscan', 'on', true);
	RETURN CASE WHEN NOT used THEN 'the index is not used' WHEN with_index IS DISTINCT FROM without THEN 'other rows'
		ELSE coalesce(array_length(string_to_array(without, ';'), 1), 0) || ' rows' END;
END $$;

-- Rows in 1,250 pages, a third of them there before the index
CREATE TABLE events (id int, trace uuid, name text, n int) WITH (autovacuum_enabled = off);
ALTER TABLE events ALTER name SET STORAGE PLAIN;
INSERT INTO events SELECT g, md5(g::text)::uuid, rpad('name ' || g % 7000, 300, '.'), nullif(g % 5, 0) * g FROM generate_series(1, 10000) g;
CREATE INDEX events_bf ON events USING bloomfilter (trace, name, n);
INSERT INTO events SELECT g, md5(g::text)::uuid, rpad('name ' || g % 7000, 300, '.'), nullif(g % 5, 0) * g FROM generate_series(10001, 30000) g;
SELECT pg_relation_size('events') / current_setting('block_size')::int > 1000 AS large, bloom_index_check('events_bf');

-- Columns, alone and together, the first of them or not; values that are not there
SELECT condition, pg_temp.by_index('SELECT id FROM events WHERE ' || condition)
  FROM (VALUES
	($$trace = md5('5')::uuid$$), ($$trace = md5('20000')::uuid$$), ($$trace = md5('0')::uuid$$),
	($$name = rpad('name 5', 300, '.')$$), ($$name = 'name 5'$$), ('n = 4'), ('n = 5'), ('n = 60000'),
	($$name = rpad('name 5', 300, '.') AND n = 14010$$), ($$trace = md5('7')::uuid AND name = rpad('name 7', 300, '.') AND n = 14$$),
	($$trace = md5('7')::uuid AND n = 15$$), ('n = 14 AND n = 14'),
	($$trace = md5('7')::uuid AND id > 0$$), ($$trace = md5('7')::uuid OR n = 28$$)) AS c (condition);

-- Arrays: repeated, NULL, empty, long, several of them, with other conditions
SELECT condition, pg_temp.by_index('SELECT id FROM events WHERE ' || condition)
  FROM (VALUES
	('n IN (14, 28, 42)'), ('n = ANY (''{14,14,NULL,14}'')'), ('n = ANY (''{NULL}'')'), ('n = ANY (''{}'')'), ('n = ANY (NULL::int[])'),
	('n = ANY (''{{14,28},{42,56}}'')'), ('n = ANY (ARRAY(SELECT g FROM generate_series(1, 100000, 97) g))'),
	('n = ANY (ARRAY(SELECT g FROM generate_series(1, 1000) g)) AND n = ANY (ARRAY(SELECT g FROM generate_series(500, 900) g))'),
	('n = ANY (ARRAY(SELECT g FROM generate_series(1, 1000) g)) AND trace = ANY (ARRAY(SELECT md5(g::text)::uuid FROM generate_series(100, 600) g))'),
	('name = ANY (ARRAY(SELECT rpad(''name '' || g, 300, ''.'') FROM generate_series(1, 20) g)) AND n > 0')) AS c (condition);

-- NULL is equal to nothing, and its column is not needed
SELECT pg_temp.by_index('SELECT id FROM events WHERE n = NULL::int + id'), pg_temp.by_index('SELECT id FROM events WHERE n = (SELECT NULL::int)'),
	pg_temp.by_index('SELECT id FROM events WHERE trace = md5(''10'')::uuid AND n IS NULL'), pg_temp.by_index('SELECT id FROM events WHERE n IS NULL');

-- Parameters, plans that stay, joins, cursors that go back
SET plan_cache_mode = force_generic_plan;
PREPARE by_trace (uuid) AS SELECT id FROM events WHERE trace = $1;
EXECUTE by_trace (md5('12345')::uuid);
EXECUTE by_trace (md5('23456')::uuid);
EXECUTE by_trace (NULL);
PREPARE by_traces (uuid[]) AS SELECT id FROM events WHERE trace = ANY ($1) ORDER BY 1;
EXECUTE by_traces (ARRAY[md5('12345')::uuid, md5('23456')::uuid, NULL]);
EXECUTE by_traces (NULL);
RESET plan_cache_mode;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT pg_temp.by_index('SELECT id, g FROM generate_series(1, 60, 3) g JOIN events ON trace = md5(g::text)::uuid'),
	pg_temp.by_index('SELECT id, g FROM generate_series(1, 60, 3) g LEFT JOIN events ON n = g AND name = rpad(''name '' || g, 300, ''.'')');
RESET enable_hashjoin;
RESET enable_mergejoin;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM events WHERE name = rpad('name 77', 300, '.');
FETCH ALL FROM c;
FETCH BACKWARD ALL FROM c;
FETCH ALL FROM c;
COMMIT;

-- In parallel, with few bits for the bitmap, with other indexes
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM events WHERE n IN (14, 28, 42, 56);
SELECT pg_temp.by_index('SELECT count(*), sum(id) FROM events WHERE n IN (14, 28, 42, 56)');
SELECT pg_temp.by_index(format('SELECT count(*), sum(id) FROM events WHERE n = ANY (%L)', (SELECT array_agg(g) FROM generate_series(1, 20000, 3) g)));
SET max_parallel_workers_per_gather = 0;
SET work_mem = '64kB';
SELECT pg_temp.by_index('SELECT id FROM events WHERE name = ANY (ARRAY(SELECT rpad(''name '' || g, 300, ''.'') FROM generate_series(1, 200) g))');
RESET work_mem;
CREATE INDEX events_btree ON events (id);
SELECT pg_temp.by_index('SELECT id FROM events WHERE name = rpad(''name 77'', 300, ''.'') AND id < 15000');

-- Partial indexes: only for what their predicate implies, and for that alone
CREATE TABLE parts (id int, v text, kind text) WITH (autovacuum_enabled = off);
INSERT INTO parts SELECT g, 'v' || g, CASE WHEN g % 100 = 0 THEN 'rare' END FROM generate_series(1, 5000) g;
CREATE INDEX parts_bf ON parts USING bloomfilter (v) WHERE kind = 'rare';
INSERT INTO parts SELECT g, 'v' || g, CASE WHEN g % 100 = 0 THEN 'rare' END FROM generate_series(5001, 10000) g;
UPDATE parts SET kind = 'rare' WHERE id = 7;
UPDATE parts SET kind = NULL WHERE id = 100;
SELECT condition, pg_temp.by_index('SELECT id FROM parts WHERE ' || condition)
  FROM (VALUES ('v = ''v7'' AND kind = ''rare'''), ('v = ''v100'' AND kind = ''rare'''), ('v = ''v9900'' AND kind = ''rare'''),
	('v = ''v9900'''), ('kind = ''rare''')) AS c (condition);
SELECT bloom_index_check('parts_bf');

-- Expressions
CREATE INDEX parts_lower_bf ON parts USING bloomfilter (upper(v), (id % 1000));
SELECT condition, pg_temp.by_index('SELECT id FROM parts WHERE ' || condition)
  FROM (VALUES ('upper(v) = ''V55'''), ('id % 1000 = 55'), ('id % 1000 = 55 AND upper(v) = ''V2055'''), ('upper(v) = ''v55''')) AS c (condition);

-- Partitions, by another key than theirs
CREATE TABLE years (day date, v int) PARTITION BY RANGE (day);
CREATE TABLE years_1 PARTITION OF years FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
INSERT INTO years SELECT '2020-01-01'::date + g % 366, g FROM generate_series(1, 3000) g;
CREATE INDEX years_bf ON years USING bloomfilter (v);
CREATE TABLE years_2 PARTITION OF years FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
CREATE TABLE years_3 (LIKE years);
INSERT INTO years_3 SELECT '2022-01-01'::date + g % 365, g FROM generate_series(1, 3000) g;
ALTER TABLE years ATTACH PARTITION years_3 FOR VALUES FROM ('2022-01-01') TO ('2023-01-01');
INSERT INTO years SELECT '2021-01-01'::date + g % 365, g FROM generate_series(1, 3000) g;
EXPLAIN (COSTS OFF) SELECT * FROM years WHERE v = 7;
SELECT pg_temp.by_index('SELECT * FROM years WHERE v = 7');
SELECT relname, bloom_index_check(oid) FROM pg_class WHERE relname LIKE 'years%v\_%' AND relkind = 'i' ORDER BY 1;

-- Tables without rows, and with only NULLs
CREATE TABLE nothing (a int, b int);
CREATE INDEX nothing_bf ON nothing USING bloomfilter (a, b);
SELECT pg_temp.by_index('SELECT * FROM nothing WHERE a = 1'), pg_relation_size('nothing_bf') / current_setting('block_size')::int AS pages;
INSERT INTO nothing SELECT NULL, NULL FROM generate_series(1, 3000);
SELECT pg_temp.by_index('SELECT * FROM nothing WHERE a = 1'), pg_relation_size('nothing_bf') / current_setting('block_size')::int AS pages;
INSERT INTO nothing VALUES (1, NULL);
SELECT pg_temp.by_index('SELECT * FROM nothing WHERE a = 1'), pg_temp.by_index('SELECT * FROM nothing WHERE b = 1'),
	pg_temp.by_index('SELECT * FROM nothing WHERE a = 1 AND b = 1');
INSERT INTO nothing VALUES (NULL, 1), (1, 1);
SELECT pg_temp.by_index('SELECT * FROM nothing WHERE a = 1'), pg_temp.by_index('SELECT * FROM nothing WHERE b = 1'),
	pg_temp.by_index('SELECT * FROM nothing WHERE a = 1 AND b = 1'), bloom_index_check('nothing_bf');
REINDEX INDEX nothing_bf;
SELECT pg_temp.by_index('SELECT * FROM nothing WHERE a = 1'), pg_temp.by_index('SELECT * FROM nothing WHERE b = 1'),
	pg_temp.by_index('SELECT * FROM nothing WHERE a = 1 AND b = 1'), bloom_index_check('nothing_bf');

-- As many columns as an index can have
SELECT format('CREATE TABLE wide (%s)', string_agg(format('c%s int', g), ', ' ORDER BY g)) AS make,
	format('CREATE INDEX wide_bf ON wide USING bloomfilter (%s)', string_agg('c' || g, ', ' ORDER BY g)) AS make_index,
	format('INSERT INTO wide SELECT %s FROM generate_series(1, 500) i', string_agg(format('i * %s', g), ', ' ORDER BY g)) AS fill
  FROM generate_series(1, 32) g \gset
:make;
:fill;
:make_index;
:fill;
SELECT pg_temp.by_index('SELECT c1 FROM wide WHERE c32 = 64'), pg_temp.by_index('SELECT c1 FROM wide WHERE c7 = 7 AND c32 = 32 AND c20 = 20'),
	bloom_index_check('wide_bf');

-- Where the server can do so, it discards what is cached whenever that may happen.
CREATE FUNCTION pg_temp.discarding(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
	discards boolean := (SELECT max_val::int > 0 FROM pg_settings WHERE name = 'debug_discard_caches');
BEGIN
	IF discards THEN
		SET LOCAL debug_discard_caches = 1;
	END IF;
	EXECUTE query INTO result;
	IF discards THEN
		SET LOCAL debug_discard_caches = 0;
	END IF;
	RETURN result;
END $$;
SELECT pg_temp.discarding('SELECT count(*) FROM events WHERE n IN (14, 28, 42) AND trace IS NOT NULL'),
	pg_temp.discarding('SELECT count(*) FROM events WHERE trace = md5(''20000'')::uuid');
DROP TABLE events, parts, years, nothing, wide;
