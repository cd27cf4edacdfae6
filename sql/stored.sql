-- Filters stored out of line are read in parts and kept while a query runs:
-- the answers must be those of the value that the row holds at that moment.
SET max_parallel_workers_per_gather = 0;
-- With the server's caches, what is kept goes as well.
SET debug_discard_caches = 0;

CREATE TABLE filters (id int PRIMARY KEY, f bloomfilter);
INSERT INTO filters
	SELECT g, bloom_agg(x, 20000) FROM generate_series(1, 5) g,
		LATERAL generate_series(g * 10000, g * 10000 + 9999) x GROUP BY g;
SELECT id, pg_column_size(f), (bloom_info(f)).representation FROM filters ORDER BY id;

-- What the whole values say, and what tests against the rows say.
CREATE TABLE probes AS SELECT x FROM generate_series(1, 70000) x;
CREATE FUNCTION hits() RETURNS TABLE (id int, hits bigint, members bigint) LANGUAGE sql STABLE AS $$
	SELECT id, count(*) FILTER (WHERE f @> x),
		count(*) FILTER (WHERE f @> x AND x / 10000 = id)
	FROM filters, probes GROUP BY id ORDER BY id
$$;
SELECT * FROM hits();
SELECT id, (SELECT count(*) FROM probes WHERE bloom_union(filters.f, bloom_create(20000)) @> x)
  FROM filters ORDER BY id;
-- every filter in turn for each value, and each value in turn for every filter
SELECT count(*) FROM (SELECT x FROM probes WHERE x % 700 = 0) p, filters WHERE f @> x;
SELECT count(*) FROM filters, LATERAL (SELECT x FROM probes WHERE x % 700 = 0 OFFSET 0) p WHERE f @> x;

-- One value asks each filter once: header and one block are read, here in
-- chunks of 2 kB, so that far fewer buffers are touched than the filters have.
SELECT id FROM filters WHERE f @> 30001 ORDER BY id;
SELECT bool_or(f @> 30001), bool_and(NOT f @> -1) FROM filters;

-- The same row with another filter, in one transaction.
BEGIN;
PREPARE members (int) AS SELECT count(*) FROM filters, probes WHERE id = $1 AND f @> x;
EXECUTE members(1);
UPDATE filters SET f = (SELECT f FROM filters WHERE id = 2) WHERE id = 1;
SELECT count(*) FROM filters, probes WHERE id = 1 AND f @> x AND x / 10000 = 2;
EXECUTE members(1);
SAVEPOINT a;
UPDATE filters SET f = (SELECT f FROM filters WHERE id = 3) WHERE id = 1;
SELECT count(*) FROM filters, probes WHERE id = 1 AND f @> x AND x / 10000 = 3;
ROLLBACK TO a;
SELECT count(*) FROM filters, probes WHERE id = 1 AND f @> x AND x / 10000 = 2;
ROLLBACK;
EXECUTE members(1);
DEALLOCATE members;

-- A function whose expressions live for a whole transaction, over rows that
-- come and go in subtransactions.
CREATE FUNCTION in_subtransactions() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := '';
	stored bloomfilter;
BEGIN
	FOR i IN 1 .. 5 LOOP
		BEGIN
			UPDATE filters SET f = (SELECT bloom_agg(x, 20000)
									  FROM generate_series(i * 100000, i * 100000 + 9999) x)
			 WHERE id = 1;
			SELECT f INTO stored FROM filters WHERE id = 1;
			FOR j IN 1 .. 5 LOOP
				result := result || CASE WHEN (SELECT bool_and(f @> j * 100000) FROM filters WHERE id = 1) THEN 't' ELSE 'f' END;
				result := result || CASE WHEN stored @> j * 100000 THEN 't' ELSE 'f' END;
			END LOOP;
			RAISE EXCEPTION 'back';
		EXCEPTION WHEN raise_exception THEN
			result := result || ' ';
		END;
	END LOOP;
	RETURN result;
END $$;
SELECT in_subtransactions();

-- A cursor sees the filters of its snapshot.
BEGIN;
DECLARE c CURSOR FOR SELECT id, f @> 10000 AS old, f @> 900000 AS new
	FROM filters, generate_series(1, 2) WHERE id = 1;
FETCH c;
UPDATE filters SET f = (SELECT bloom_agg(x, 20000) FROM generate_series(900000, 909999) x) WHERE id = 1;
FETCH c;
SELECT f @> 10000 AS old, f @> 900000 AS new FROM filters WHERE id = 1;
ROLLBACK;

-- The same pointer in another row version: an update of another column.
ALTER TABLE filters ADD COLUMN note text;
UPDATE filters SET note = 'x';
SELECT * FROM hits();

-- All ways to store a value: compressed, in line, compressed out of line.
CREATE TABLE storages (storage text, f bloomfilter);
ALTER TABLE storages ALTER COLUMN f SET STORAGE MAIN;
INSERT INTO storages SELECT 'main', bloom_agg(x, 8000) FROM generate_series(1, 700) x;
ALTER TABLE storages ALTER COLUMN f SET STORAGE EXTENDED;
INSERT INTO storages SELECT 'extended', bloom_agg(x, 100000) FROM generate_series(1, 7000) x;
ALTER TABLE storages ALTER COLUMN f SET STORAGE PLAIN;
INSERT INTO storages SELECT 'plain', bloom_agg(x, 4000) FROM generate_series(1, 700) x;
ALTER TABLE storages ALTER COLUMN f SET STORAGE EXTERNAL;
INSERT INTO storages SELECT 'external', bloom_agg(x, 100000) FROM generate_series(1, 7000) x;
INSERT INTO storages SELECT 'external list', bloom_agg(x, 100000) FROM generate_series(1, 1000) x;
INSERT INTO storages SELECT 'short', bloom_agg(x, 100000) FROM generate_series(1, 2) x;
SELECT storage, (bloom_info(f)).representation, pg_column_size(f) < 0.9 * (bloom_info(f)).bytes AS compressed,
	bloom_cardinality(f)
  FROM storages ORDER BY storage COLLATE "C";
SELECT storage, count(*) FILTER (WHERE f @> x AND x <= 7000) AS present,
	count(*) FILTER (WHERE f @> x AND x > 7000) AS false_positives,
	bool_and(f @> x) FILTER (WHERE x <= 2) AS members
  FROM storages, generate_series(1, 14000) x GROUP BY storage ORDER BY storage COLLATE "C";
SELECT storage, bloom_contains_any(f, ARRAY[-1, 2]) AS "any", bloom_contains_all(f, ARRAY[1, 2]) AS "all",
	bloom_contains_all(f, array_agg(x)) AS many
  FROM storages, generate_series(1, 2) x GROUP BY storage, f ORDER BY storage COLLATE "C";
-- and if none is kept, of the compressed ones neither
SET work_mem = '64kB';
SET bloomfilter.stored_filter_memory = 0;
SELECT storage, count(*) FILTER (WHERE f @> x AND x <= 7000) AS present,
	count(*) FILTER (WHERE f @> x AND x > 7000) AS false_positives,
	bool_and(f @> x) FILTER (WHERE x <= 2) AS members
  FROM storages, generate_series(1, 14000, 13) x GROUP BY storage ORDER BY storage COLLATE "C";
RESET bloomfilter.stored_filter_memory;
RESET work_mem;

-- One that is read in several pieces when it is loaded.
CREATE TABLE large AS SELECT bloom_agg(x, 600000) AS f FROM generate_series(1, 100000) x;
SELECT (bloom_info(f)).representation, pg_column_size(f) > 512 * 1024 AS large FROM large;
SELECT count(*) AS members FROM large, generate_series(1, 100000) x WHERE f @> x;
SELECT bloom_cardinality(f) BETWEEN 99000 AND 101000 AS items FROM large;
DROP TABLE large;

-- Lists that are too large to be kept: each hash is looked for in windows of
-- the list, and is found wherever it lies in them, and behind a type's name.
-- The middle of the range has most hashes, so that the windows come to lie on
-- either side of them.
CREATE TABLE members AS
	SELECT x FROM generate_series(1, 35000) x WHERE x <= 5000 OR bloom_hash(x) >> 62 IN (1, -2);
CREATE TABLE lists AS SELECT bloom_agg(x, 3e6) AS f, bloom_agg(ARRAY[x], 3e6) AS named FROM members;
SET work_mem = '64kB';
SET bloomfilter.stored_filter_memory = 0;
SELECT (bloom_info(f)).representation, (bloom_info(named)).representation AS named, pg_column_size(f) > 65536 AS large FROM lists;
SELECT count(*) > 19000 AS many, count(*) FILTER (WHERE NOT f @> x) AS missed, count(*) FILTER (WHERE f @> -x) AS others,
	count(*) FILTER (WHERE NOT named @> ARRAY[x]) AS named_missed, count(*) FILTER (WHERE named @> ARRAY[-x]) AS named_others
  FROM lists, members;
RESET bloomfilter.stored_filter_memory;
RESET work_mem;
DROP TABLE lists, members;

-- Filters that differ in a single value, in whatever part of them that is: of
-- 30 ranges of hashes, each has one.
CREATE TABLE nearly (range int, f bloomfilter);
INSERT INTO nearly
	SELECT range, bloom_add(f, x)
	FROM (SELECT bloom_agg(g, n) FROM unnest(ARRAY[20000, 2000000]) AS n, generate_series(1, 10000) AS g GROUP BY n) AS s (f),
		(SELECT ((bloom_hash(x) >> 32) + 2147483648) * 30 >> 32 AS range, min(x) AS x FROM generate_series(20001, 21000) AS x GROUP BY range) AS r;
SELECT (bloom_info(a.f)).representation, count(*), count(*) FILTER (WHERE a.f = b.f) AS equal, count(*) FILTER (WHERE a.f <> b.f) AS different,
	bool_and((a.f = b.f) = (a.f::bytea = b.f::bytea)) AS as_bytes
  FROM nearly AS a JOIN nearly AS b ON (bloom_info(a.f)).expected_items = (bloom_info(b.f)).expected_items AND a.range <= b.range
 GROUP BY 1 ORDER BY 1;
DROP TABLE nearly;

-- Filters of several element types and sizes through one call site.
CREATE TABLE mixed (id int, f bloomfilter);
INSERT INTO mixed SELECT g, bloom_agg(x, 10000 * g, 0.1 ^ g) FROM generate_series(1, 4) g, generate_series(1, 8000) x GROUP BY g;
INSERT INTO mixed SELECT 5, bloom_create(1000000);
SELECT id, count(*) FILTER (WHERE f @> x AND x <= 8000) AS members
  FROM mixed, generate_series(1, 9000) x GROUP BY id ORDER BY id;
INSERT INTO mixed SELECT 6, bloom_agg(x::text, 10000) FROM generate_series(1, 8000) x;
SELECT count(*) FROM mixed WHERE f @> 1;
\echo :LAST_ERROR_SQLSTATE
CREATE TABLE numerics AS SELECT bloom_agg(x::numeric, 10000) AS f FROM generate_series(1, 8000) x;
SELECT count(*) FROM numerics, generate_series(1, 8000) x WHERE f @> (x || '.0')::numeric;
SELECT count(*) FROM numerics WHERE f @> 1;
\echo :LAST_ERROR_SQLSTATE

-- Types whose names begin alike are told apart wherever they come from, in
-- line or not, and in whatever order.
CREATE TABLE alike AS
	SELECT 1 AS id, bloom_agg(x::numeric, 100) AS f FROM generate_series(1, 50) x
	UNION ALL SELECT 2, bloom_agg(ARRAY[x::numeric], 100) FROM generate_series(1, 50) x;
SELECT f @> 7::numeric FROM alike WHERE id = 1;
SELECT id, f @> 7::numeric FROM alike ORDER BY id;
\echo :LAST_ERROR_SQLSTATE
SELECT id, bloom_contains_any(f, ARRAY[7::numeric]) FROM alike ORDER BY id;
\echo :LAST_ERROR_SQLSTATE
DROP TABLE alike;
CREATE TABLE alike AS
	SELECT 1 AS id, bloom_agg(x * interval '1 s', 5000) AS f FROM generate_series(1, 5000) x
	UNION ALL SELECT 2, bloom_agg(ARRAY[x * interval '1 s'], 5000) FROM generate_series(1, 5000) x;
SELECT id, f @> interval '7 s' FROM alike ORDER BY id;
\echo :LAST_ERROR_SQLSTATE
DROP TABLE alike;

-- A type whose hash function reads filters itself, and has subtransactions
-- rolled back, after the filter to be tested was found and before it is read.
SET client_min_messages = warning;
CREATE TYPE nosy;
CREATE FUNCTION nosy_in(cstring) RETURNS nosy LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION nosy_out(nosy) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE TYPE nosy (INPUT = nosy_in, OUTPUT = nosy_out, LIKE = int4);
RESET client_min_messages;
CREATE FUNCTION nosy_eq(nosy, nosy) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4eq';
CREATE OPERATOR = (FUNCTION = nosy_eq, LEFTARG = nosy, RIGHTARG = nosy);
CREATE FUNCTION nosy_hash(nosy) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashint4';
CREATE FUNCTION nosy_hash_extended(nosy, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	x int := $1::text;
BEGIN
	PERFORM count(*) FROM filters WHERE x % 3 = 0 AND f @> x;
	IF x % 5 = 0 THEN
		BEGIN
			RAISE EXCEPTION 'back';
		EXCEPTION WHEN raise_exception THEN
			-- what was freed comes to hold something else
			PERFORM sum(length(repeat(' ', n))) FROM generate_series(12000, 28000, 2000) n;
		END;
	END IF;
	RETURN hashint4extended(x, $2);
END $$;
CREATE OPERATOR CLASS nosy_ops DEFAULT FOR TYPE nosy USING hash AS
	OPERATOR 1 =, FUNCTION 1 nosy_hash(nosy), FUNCTION 2 nosy_hash_extended(nosy, bigint);
CREATE TABLE nosy_filters AS
	SELECT id, bloom_agg(x::text::nosy, n) AS f
	  FROM (VALUES (1, 10000), (2, 20000)) v (id, n), generate_series(1, 400) x GROUP BY id;
SET work_mem = '64kB';
SELECT id, (bloom_info(f)).representation, count(*) FILTER (WHERE f @> x::text::nosy) AS members
  FROM nosy_filters, generate_series(1, 400) x GROUP BY id, f ORDER BY id;
SELECT id, bloom_contains_all(f, array_agg(x::text::nosy)) FROM nosy_filters, generate_series(1, 400) x GROUP BY id, f ORDER BY id;
RESET work_mem;

-- The table's storage is replaced, and with it the filter, within a statement.
CREATE FUNCTION replaced() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := '';
	command text;
BEGIN
	FOREACH command IN ARRAY ARRAY['TRUNCATE replacing; INSERT INTO replacing SELECT f FROM filters WHERE id = 3',
		'ALTER TABLE replacing ALTER f TYPE bloomfilter USING filter_4()',
		'ALTER TABLE replacing ADD g float DEFAULT random()',
		'DELETE FROM replacing; INSERT INTO replacing SELECT f FROM filters WHERE id = 5',
		'DROP TABLE replacing; CREATE TABLE replacing AS SELECT f FROM filters WHERE id = 2'] LOOP
		result := result || (SELECT string_agg(format('%s,%s', p, hits), ' ')
			FROM (SELECT x / 10000 AS p, count(*) AS hits FROM replacing, probes WHERE f @> x GROUP BY 1 HAVING count(*) > 5000) _) || '; ';
		EXECUTE command;
	END LOOP;
	RETURN result || (SELECT string_agg(format('%s,%s', p, hits), ' ')
		FROM (SELECT x / 10000 AS p, count(*) AS hits FROM replacing, probes WHERE f @> x GROUP BY 1 HAVING count(*) > 5000) _);
END $$;
CREATE FUNCTION filter_4() RETURNS bloomfilter LANGUAGE sql AS 'SELECT f FROM filters WHERE id = 4';
CREATE TABLE replacing AS SELECT f FROM filters WHERE id = 1;
SELECT replaced();
SELECT bool_and(f @> x), bool_and(f::bytea::bloomfilter @> x) FROM replacing, generate_series(20000, 29999, 500) x;

-- More large filters in turn than work_mem holds.
SET work_mem = '64kB';
SELECT * FROM hits();
SELECT count(*) FROM (SELECT x FROM probes WHERE x % 700 = 0) p, filters WHERE f @> x;
RESET work_mem;

-- The same answers when the server's caches may go at any time.
RESET debug_discard_caches;
SELECT id, count(*) FILTER (WHERE f @> x) AS hits FROM filters, generate_series(10000, 59999, 1000) x GROUP BY id ORDER BY id;
SELECT id, bloom_contains_all(f, array_agg(x)) FROM filters, generate_series(0, 9999, 500) x GROUP BY id, f ORDER BY id;
SELECT id, bloom_contains_all(f, array_agg(id * 10000 + x)) FROM filters, generate_series(0, 9999, 500) x GROUP BY id, f ORDER BY id;

DROP TABLE filters, probes, storages, mixed, numerics, nosy_filters, replacing CASCADE;
SET client_min_messages = warning;
DROP TYPE nosy CASCADE;
DROP FUNCTION hits(), in_subtransactions(), filter_4(), replaced();

-- A stored list takes a few values by merging, and more by a table.
CREATE TABLE lists AS SELECT bloom_agg(i, 100000) AS f FROM generate_series(1, 500) AS i;
SELECT n, bloom_add_all(f, ARRAY(SELECT generate_series(400, 500 + n))) = (SELECT bloom_agg(i, 100000) FROM generate_series(1, 500 + n) AS i) AS same,
       f | (SELECT bloom_agg(i, 100000) FROM generate_series(400, 500 + n) AS i) = (SELECT bloom_agg(i, 100000) FROM generate_series(1, 500 + n) AS i) AS united
  FROM lists, unnest(ARRAY[0, 1, 10, 32, 33, 200, 2000]) AS n;
DO $$
DECLARE
	g bloomfilter := (SELECT f FROM lists);
BEGIN
	FOR i IN 501 .. 600 LOOP
		g := bloom_add(g, i);
		ASSERT g @> i AND g @> 1 AND g @> 500, 'a value was lost';
	END LOOP;
	ASSERT g = (SELECT bloom_agg(i, 100000) FROM generate_series(1, 600) AS i), 'another filter';
END $$;
DROP TABLE lists;
