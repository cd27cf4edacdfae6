-- What reading filters out of line costs: buffers, and memory while a query
-- runs and after it.  A block of a TOAST table has 4 chunks of 2 kB.
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET debug_discard_caches = 0;
SET work_mem = '4MB';

-- 12 MB, 1,600 buffers; the same with other values, of another size and seed
CREATE TABLE large (name text PRIMARY KEY, f bloomfilter);
INSERT INTO large VALUES
	('even', (SELECT bloom_agg(2 * g, 1e7) FROM generate_series(1, 250000) g)),
	('odd', (SELECT bloom_agg(2 * g + 1, 1e7) FROM generate_series(1, 250000) g)),
	('another size', (SELECT bloom_agg(2 * g, 1.1e7) FROM generate_series(1, 250000) g)),
	('another seed', bloom_add_all(bloom_create(1e7, 0.01, 7), ARRAY(SELECT 2 * g FROM generate_series(1, 250000) g))),
	('list', (SELECT bloom_agg(2 * g, 1e8) FROM generate_series(1, 250000) g));
-- a copy that is stored apart
INSERT INTO large SELECT 'copy', (f::bytea)::bloomfilter FROM large WHERE name = 'even';
-- Values chosen so that their hashes are not spread evenly: all but some
-- thousands of them are in the last quarter of the range.
INSERT INTO large SELECT 'uneven list', bloom_agg(g, 1e8)
  FROM generate_series(1, 1000000) g WHERE bloom_hash(g) BETWEEN -4611686018427387904 AND -1 OR g < 5000;
VACUUM (ANALYZE) large;
SELECT name, pg_column_size(f) / 1000 AS kb, (bloom_info(f)).representation FROM large ORDER BY name;

CREATE TABLE probes AS SELECT x FROM generate_series(1, 20000) x;
VACUUM (ANALYZE) probes;

CREATE FUNCTION buffers(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
	RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::int + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::int;
END $$;
CREATE FUNCTION is_parallel(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan text;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan LIKE '%"Gather"%';
END $$;
-- some are spent on catalogs, when a session does something for the first time
CREATE FUNCTION few(query text) RETURNS text LANGUAGE sql AS
	$$SELECT CASE WHEN n < 150 THEN 'few' ELSE n::text END FROM buffers(query) n$$;
-- whether that is about as many as this number of filters of 12 MB have
CREATE FUNCTION filters_read(query text) RETURNS numeric LANGUAGE sql AS
	$$SELECT round(buffers(query) / 1650.0, 1)$$;

-- One value, and some: header and a block for each.
SELECT few('SELECT f @> 2 FROM large WHERE name = ''even''');
SELECT few('SELECT bloom_contains_any(f, ARRAY[-1, -2, -3, -4, -5, -6, -7, -8, -9]) FROM large WHERE name = ''even''');
SELECT few('SELECT bloom_contains_all(f, ARRAY[2, 4, 6, 8, 10, 12, 14, 16, 18, 20]) FROM large WHERE name = ''even''');
SELECT few('SELECT count(*) FROM large, (VALUES (2), (4)) v (x) WHERE name = ''even'' AND f @> x');
SELECT few('SELECT count(*) FROM large WHERE f @> 2');
-- a list of 250,000 hashes: two or three looks
SELECT few('SELECT bloom_contains_any(f, ARRAY[-1, -2, -3, -4, -5]) FROM large WHERE name = ''list''');
SELECT few('SELECT bloom_cardinality(f) FROM large WHERE name = ''list''');

-- Many: parts are read for as much as the whole costs, then that; so it costs
-- twice as much, and no more with eight tests, or with a hundred tables.
SELECT filters_read('SELECT count(*) FROM probes WHERE (SELECT f FROM large WHERE name = ''even'') @> x') BETWEEN 1.5 AND 2.5 AS twice;
SELECT filters_read('SELECT count(*) FROM probes, large WHERE name = ''even'' AND f @> x') BETWEEN 1.5 AND 2.5 AS twice;
SELECT filters_read('SELECT bloom_contains_all(f, ARRAY(SELECT 2 * x FROM probes)) FROM large WHERE name = ''even''') BETWEEN 1.5 AND 2.5 AS twice;
CREATE FUNCTION eight_tests(first text, last text) RETURNS text LANGUAGE sql AS $$
	SELECT 'SELECT count(*) FROM probes WHERE ' || string_agg(format(
		'bloom_contains((SELECT f FROM large WHERE name = %L), -x * %s)', CASE WHEN i = 1 THEN first ELSE last END, i), ' OR ')
	FROM generate_series(1, 8) i $$;
SELECT filters_read(eight_tests('even', 'even')) BETWEEN 1.5 AND 2.5 AS twice;
CREATE TABLE parted (x int) PARTITION BY HASH (x);
SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES WITH (MODULUS 100, REMAINDER %s)', i, i) FROM generate_series(0, 99) i \gexec
INSERT INTO parted SELECT x FROM generate_series(1, 20000) x;
VACUUM (ANALYZE) parted;
SELECT filters_read('SELECT count(*) FROM parted WHERE (SELECT f FROM large WHERE name = ''even'') @> x') BETWEEN 1.5 AND 3 AS twice;
-- A compressed one cannot be read in parts: it is loaded for the first test.
CREATE TABLE compressed (f bloomfilter);
ALTER TABLE compressed ALTER f SET STORAGE EXTENDED, ALTER f SET COMPRESSION pglz;
INSERT INTO compressed SELECT bloom_agg(g, 1e6) FROM generate_series(1, 70000) g;
SELECT pg_column_size(f) BETWEEN 300000 AND 900000 AS compressed, (bloom_info(f)).bytes > 1000000 AS large FROM compressed;
SELECT buffers('SELECT count(*) FROM compressed, generate_series(1, 30) x WHERE f @> x') <
	3 * buffers('SELECT bloom_cardinality(f) FROM compressed') AS once;
DROP TABLE compressed;
-- A list with hashes as someone may choose them is loaded when it should be.
SELECT count(*) FROM large, generate_series(1, 4999) x WHERE name = 'uneven list' AND f @> x;
SELECT count(*) FROM large, LATERAL (SELECT g FROM generate_series(990000, 1000000) g WHERE bloom_hash(g) BETWEEN -4611686018427387904 AND -1) m
 WHERE name = 'uneven list' AND NOT f @> g;

-- Comparing: nothing is read of the same value, or of values of other sizes;
-- of others as much as it takes to see the difference.
CREATE FUNCTION comparing(a text, b text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT a.f = b.f FROM large a, large b WHERE a.name = %L AND b.name = %L', a, b) $$;
SELECT few(comparing('even', 'even'));
SELECT few(comparing('even', 'another size'));
SELECT few(comparing('even', 'another seed'));
SELECT few(comparing('even', 'odd'));
SELECT few(comparing('even', 'list'));
SELECT filters_read(comparing('even', 'copy')) BETWEEN 1.9 AND 2.3 AS both;
SELECT a.name, b.name FROM large a, large b WHERE a.f = b.f ORDER BY 1, 2;

-- Memory, of the whole session.
CREATE FUNCTION session_memory() RETURNS bigint LANGUAGE sql PARALLEL SAFE AS
	'SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts';
CREATE FUNCTION megabytes_more(than bigint) RETURNS numeric LANGUAGE sql PARALLEL SAFE AS
	'SELECT round((session_memory() - than) / 1e6)';
-- what the following do for the first time, and keep
SELECT session_memory() > 0, megabytes_more(0) > 0;
SELECT count(*) FROM large WHERE f @> 2;
SELECT session_memory() AS before \gset
-- Asked at a value that all the filters must have come to.
SELECT max(CASE WHEN x > 19000 THEN megabytes_more(:before) END) BETWEEN 11 AND 18 AS one
  FROM probes WHERE (SELECT f FROM large WHERE name = 'even') @> x AND x % 500 = 0;
SELECT megabytes_more(:before) < 5 AS freed;
-- a hundred tables
SELECT max(megabytes_more(:before)) BETWEEN 12 AND 30 AS one
  FROM parted WHERE (SELECT f FROM large WHERE name = 'even') @> x AND x % 1000 = 0;
SELECT megabytes_more(:before) < 5 AS freed;
-- Two filters that do not fit into work_mem, in turn with one that does: one
-- of them is kept, and the small one.
CREATE TABLE small AS SELECT bloom_agg(g, 20000) AS f FROM generate_series(1, 10000) g;
SELECT max(CASE WHEN x % 500 = 0 THEN megabytes_more(:before) END) BETWEEN 11 AND 18 AS one
  FROM probes
 WHERE NOT (SELECT f FROM large WHERE name = 'even') @> -x AND NOT (SELECT f FROM large WHERE name = 'odd') @> -x
   AND NOT (SELECT f FROM small) @> -x;
SELECT megabytes_more(:before) < 5 AS freed;
-- there is room for all
SET work_mem = '64MB';
SELECT max(CASE WHEN x % 500 = 0 THEN megabytes_more(:before) END) BETWEEN 24 AND 32 AS two
  FROM probes
 WHERE NOT (SELECT f FROM large WHERE name = 'even') @> -x AND NOT (SELECT f FROM large WHERE name = 'odd') @> -x;
RESET work_mem;
SET work_mem = '4MB';

-- What work_mem has no room for is kept only up to the setting: else parts are
-- read for every test, and the answers are the same.
CREATE FUNCTION hits(filter text) RETURNS bigint LANGUAGE sql AS
	'SELECT count(*) FROM probes, large WHERE name = filter AND f @> x';
SELECT hits('even'), hits('list') AS list \gset
SET bloomfilter.stored_filter_memory = '11MB';
SELECT max(CASE WHEN x % 500 = 0 THEN megabytes_more(:before) END) < 5 AS not_kept
  FROM probes WHERE (SELECT f FROM large WHERE name = 'even') @> x;
SELECT filters_read('SELECT hits(''even'')') > 10 AS for_every_test;
SELECT hits('even') = :hits AS same;
SET bloomfilter.stored_filter_memory = '13MB';
SELECT filters_read('SELECT hits(''even'')') BETWEEN 1.5 AND 2.5 AS twice;
SELECT max(CASE WHEN x > 19000 THEN megabytes_more(:before) END) BETWEEN 11 AND 18 AS kept
  FROM probes WHERE (SELECT f FROM large WHERE name = 'even') @> x AND x % 500 = 0;
-- it does not take from work_mem
SET bloomfilter.stored_filter_memory = 0;
SELECT filters_read('SELECT hits(''even'')') > 10 AS for_every_test;
SELECT hits('list') = :list AS same;
SELECT buffers('SELECT count(*) FROM probes, small WHERE f @> x') < 1000 AS small_is_kept;
SET work_mem = '64MB';
SELECT filters_read('SELECT hits(''even'')') BETWEEN 1.5 AND 2.5 AS twice;
SET work_mem = '4MB';
RESET bloomfilter.stored_filter_memory;
SHOW bloomfilter.stored_filter_memory;
DROP FUNCTION hits(text);

-- In functions: one filter for all of a function's tests, and nothing is left
-- after the statement, though the transaction goes on.
CREATE FUNCTION five_tests(before bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter;
	hits int := 0;
	most numeric := 0;
BEGIN
	SELECT large.f INTO f FROM large WHERE name = 'even';
	FOR x IN 1 .. 2000 LOOP
		IF f @> x THEN hits := hits + 1; END IF;
		IF f @> 2 * x THEN hits := hits + 1; END IF;
		IF x <@ f THEN hits := hits + 1; END IF;
		IF bloom_contains_any(f, ARRAY[-x, x]) THEN hits := hits + 1; END IF;
		IF bloom_contains_all(f, ARRAY[2 * x, x]) THEN hits := hits + 1; END IF;
	END LOOP;
	most := megabytes_more(before);
	RETURN hits >= 6000 AND most BETWEEN 11 AND 18;
END $$;
BEGIN;
SELECT five_tests(:before);
SELECT megabytes_more(:before) < 5 AS freed;
DO 'BEGIN PERFORM five_tests(0); END';
SELECT megabytes_more(:before) < 5 AS freed;
SAVEPOINT a;
SELECT five_tests(:before), 1 / 0;
ROLLBACK TO a;
SELECT megabytes_more(:before) < 5 AS freed;
COMMIT;
-- Within one statement, what one query has loaded serves the next, also if
-- that query is a cursor's.
CREATE FUNCTION again_and_again(cursors boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	hits bigint := 0;
	r record;
BEGIN
	FOR i IN 1 .. 5 LOOP
		IF cursors THEN
			FOR r IN SELECT x FROM probes, large WHERE name = 'even' AND f @> x LOOP
				hits := hits + 1;
			END LOOP;
		ELSE
			hits := hits + (SELECT count(*) FROM probes, large WHERE name = 'even' AND f @> x);
		END IF;
	END LOOP;
	RETURN hits;
END $$;
SELECT filters_read('SELECT again_and_again(false)') < 3 AS twice;
SELECT filters_read('SELECT again_and_again(true)') < 3 AS twice;
-- In a procedure, up to a COMMIT.
CREATE PROCEDURE in_pieces(before bigint) LANGUAGE plpgsql AS $$
DECLARE
	hits bigint;
BEGIN
	FOR i IN 1 .. 3 LOOP
		SELECT count(*) INTO hits FROM probes, large WHERE name = 'even' AND f @> x;
		RAISE NOTICE 'loaded: %', megabytes_more(before) BETWEEN 11 AND 18;
		COMMIT;
		RAISE NOTICE 'freed: %', megabytes_more(before) < 5;
	END LOOP;
END $$;
CALL in_pieces(:before);

-- A cursor keeps what it loads until it is closed; other statements do not.
SET work_mem = '64MB';
BEGIN;
DECLARE c CURSOR FOR SELECT x FROM probes, large WHERE name = 'even' AND f @> x;
MOVE 2000 IN c;
SELECT megabytes_more(:before) BETWEEN 11 AND 18 AS kept;
SELECT count(*) > 0 FROM probes, large WHERE name = 'odd' AND f @> x;
SELECT megabytes_more(:before) BETWEEN 11 AND 18 AS kept;
FETCH 3 FROM c;
CLOSE c;
SELECT megabytes_more(:before) < 5 AS freed;
DECLARE c CURSOR WITH HOLD FOR SELECT x FROM probes, large WHERE name = 'even' AND f @> x;
COMMIT;
SELECT megabytes_more(:before) < 5 AS freed;
FETCH 3 FROM c;
CLOSE c;
SET work_mem = '4MB';

-- In parallel workers, each with a cache of its own.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET parallel_leader_participation = off;
SELECT is_parallel('SELECT max(session_memory()) FROM probes WHERE (SELECT f FROM large WHERE name = ''even'') @> x');
SELECT max(session_memory()) / 1e6 BETWEEN 12 AND 40 AS one
  FROM probes WHERE (SELECT f FROM large WHERE name = 'even') @> x AND x % 1000 = 0;
SELECT max(session_memory()) / 1e6 BETWEEN 12 AND 40 AS one
  FROM parted WHERE (SELECT f FROM large WHERE name = 'even') @> x AND x % 1000 = 0;
SELECT count(*) FROM parted WHERE (SELECT f FROM large WHERE name = 'even') @> x AND x % 2 = 0;

DROP TABLE large, small, probes, parted CASCADE;
DROP FUNCTION buffers(text), is_parallel(text), few(text), filters_read(text), eight_tests(text, text), comparing(text, text),
	session_memory(), megabytes_more(bigint), five_tests(bigint), again_and_again(boolean);
DROP PROCEDURE in_pieces(bigint);
