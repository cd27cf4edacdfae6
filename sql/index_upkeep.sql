-- VACUUM keeps filter indexes healthy: lookups read at most twice as many pages
-- as with a new index, however often rows are changed.

SET enable_seqscan = off;
SET jit = off;

-- Pages of the index and the table that 300 lookups of absent values read
CREATE FUNCTION pg_temp.pages(tab text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	pages bigint := 0;
BEGIN
	FOR i IN 1 .. 300 LOOP
		EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, FORMAT json, TIMING off) SELECT FROM %I WHERE v = %L', tab, md5('absent ' || i)::uuid) INTO plan;
		pages := pages + (plan->0->'Plan'->>'Shared Hit Blocks')::int + (plan->0->'Plan'->>'Shared Read Blocks')::int;
	END LOOP;
	RETURN pages;
END $$;
-- The same with a new index in the place of the old one
CREATE FUNCTION pg_temp.pages_of_new(tab text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	pages bigint;
BEGIN
	EXECUTE format('DROP INDEX %I; CREATE INDEX %I ON %I USING bloomfilter (v)', tab || '_bf', tab || '_new_bf', tab);
	pages := pg_temp.pages(tab);
	RAISE EXCEPTION '%', pages;
EXCEPTION
	WHEN raise_exception THEN
		RETURN SQLERRM;
END $$;
-- Is the index as good as it should be?
CREATE FUNCTION pg_temp.describe(tab text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	pages float8 := pg_temp.pages(tab);
	pages_of_new float8 := pg_temp.pages_of_new(tab);
BEGIN
	RETURN format('missing %s, %s', bloom_index_check((tab || '_bf')::regclass),
		CASE WHEN pages <= 2 * pages_of_new THEN 'as if new' ELSE format('%s pages, %s if it were new', pages, pages_of_new) END);
END $$;
-- VACUUM keeps rows that another session's snapshot may see, also that of an
-- ANALYZE in the background: wait until all are newer than this.
CREATE PROCEDURE pg_temp.settle() LANGUAGE plpgsql AS $$
DECLARE
	now xid := pg_current_xact_id()::xid;
BEGIN
	LOOP
		PERFORM pg_stat_clear_snapshot();
		EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity
			WHERE pid <> pg_backend_pid() AND datname = current_database() AND age(backend_xmin) > age(now));
		PERFORM pg_sleep(0.01);
	END LOOP;
END $$;

-- Random fifths of the rows get new values.
CREATE TABLE fifths (id int, v uuid, pad text) WITH (autovacuum_enabled = off);
INSERT INTO fifths SELECT g, md5(g::text)::uuid, repeat('x', 200) FROM generate_series(1, 40000) g;
CREATE INDEX fifths_bf ON fifths USING bloomfilter (v);
VACUUM ANALYZE fifths;
SELECT pg_temp.describe('fifths');
SELECT unnest(ARRAY[
	format('UPDATE fifths SET v = md5(%L || id)::uuid WHERE abs(hashint4(id * 31 + %s)) %% 5 = 0', 'round ' || r, r),
	'CALL pg_temp.settle()',
	'VACUUM fifths',
	format('SELECT %s AS round, pg_temp.describe(''fifths'')', r)])
  FROM generate_series(1, 10) r \gexec
-- without VACUUM, it would be worn
SELECT unnest(ARRAY[
	format('UPDATE fifths SET v = md5(%L || id)::uuid WHERE id %% 2 = %s', 'worn ' || r, r % 2),
	'VACUUM (INDEX_CLEANUP off) fifths'])
  FROM generate_series(1, 6) r \gexec
SELECT pg_temp.describe('fifths') ~ 'missing 0, \d+ pages' AS worn, range_false_positive_rate > 2 * target_false_positive_rate AS told
  FROM bloom_index_info('fifths_bf');
CALL pg_temp.settle();
VACUUM fifths;
SELECT pg_temp.describe('fifths');

-- Up to 16, nothing is computed beside workers, where some functions must not run,
-- and no error can be caught: what is worn stays so until a VACUUM without them.
CREATE FUNCTION checked(v uuid) RETURNS uuid IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN v;
EXCEPTION WHEN division_by_zero THEN
	RETURN NULL;
END $$;
CREATE DOMAIN checked_uuid AS uuid CHECK (checked(VALUE) IS NOT NULL);
CREATE TABLE beside (id int, v uuid, pad text) WITH (autovacuum_enabled = off);
INSERT INTO beside SELECT g, md5(g::text)::uuid, repeat('x', 200) FROM generate_series(1, 4000) g;
CREATE INDEX beside_bf ON beside USING bloomfilter (checked(v));
CREATE INDEX beside_domain_bf ON beside USING bloomfilter ((v::checked_uuid));
CREATE INDEX beside_text_bf ON beside USING bloomfilter ((v::text));
CREATE INDEX ON beside (id);
CREATE INDEX ON beside (pad);
SELECT unnest(ARRAY[
	format('UPDATE beside SET v = md5(%L || id)::uuid', 'worn ' || r),
	'VACUUM (INDEX_CLEANUP off) beside'])
  FROM generate_series(1, 4) r \gexec
CALL pg_temp.settle();
SET min_parallel_index_scan_size = 0;
VACUUM (PARALLEL 2) beside;
SELECT (range_false_positive_rate > 2 * target_false_positive_rate) = (current_setting('server_version_num')::int < 170000) AS as_expected
  FROM unnest('{beside_bf,beside_domain_bf,beside_text_bf}'::regclass[]) i, bloom_index_info(i);
VACUUM (PARALLEL 0) beside;
SELECT range_false_positive_rate > 2 * target_false_positive_rate AS worn
  FROM unnest('{beside_bf,beside_domain_bf,beside_text_bf}'::regclass[]) i, bloom_index_info(i);
RESET min_parallel_index_scan_size;

-- All rows get new values.
CREATE TABLE everything (id int, v uuid, pad text) WITH (autovacuum_enabled = off);
INSERT INTO everything SELECT g, md5(g::text)::uuid, repeat('x', 200) FROM generate_series(1, 20000) g;
CREATE INDEX everything_bf ON everything USING bloomfilter (v);
VACUUM ANALYZE everything;
SELECT unnest(ARRAY[
	format('UPDATE everything SET v = md5(%L || id)::uuid', 'round ' || r),
	'CALL pg_temp.settle()',
	'VACUUM everything',
	format('SELECT %s AS round, pg_temp.describe(''everything'')', r)])
  FROM generate_series(1, 10) r \gexec
-- The old filters' pages are used again.
SELECT pg_relation_size('everything_bf') AS size \gset
REINDEX INDEX everything_bf;
SELECT :size <= 3 * pg_relation_size('everything_bf') AS not_larger;

-- At a rate that cannot double: what is not found in vain must have become half.
CREATE TABLE loose (id int, v uuid, pad text) WITH (autovacuum_enabled = off, fillfactor = 10);
INSERT INTO loose SELECT g, md5(g::text)::uuid, repeat('x', 200) FROM generate_series(1, 1000) g;
CREATE INDEX loose_bf ON loose USING bloomfilter (v) WITH (false_positive_rate = 0.5);
SELECT format('UPDATE loose SET v = md5(%L || id)::uuid', 'worn ' || r) FROM generate_series(1, 8) r \gexec
SELECT range_false_positive_rate > 0.75 AS worn FROM bloom_index_info('loose_bf');
CALL pg_temp.settle();
VACUUM loose;
SELECT range_false_positive_rate > 0.75 AS worn FROM bloom_index_info('loose_bf');

-- A queue: new rows at the end, old ones are deleted.  The rows go through the
-- table five times.
CREATE TABLE queue (id int, v uuid, pad text) WITH (autovacuum_enabled = off);
INSERT INTO queue SELECT g, md5(g::text)::uuid, repeat('x', 200) FROM generate_series(1, 20000) g;
CREATE INDEX queue_bf ON queue USING bloomfilter (v);
VACUUM ANALYZE queue;
SELECT unnest(ARRAY[
	format('INSERT INTO queue SELECT g, md5(g::text)::uuid, repeat(''x'', 200) FROM generate_series(20001 + 5000 * (%s - 1), 20000 + 5000 * %s) g', r, r),
	format('DELETE FROM queue WHERE id <= 5000 * %s', r),
	'CALL pg_temp.settle()',
	'VACUUM queue',
	CASE WHEN r % 5 = 0 THEN format('SELECT %s AS round, count(*) AS newest FROM queue WHERE v IN (md5(''10000'')::uuid, md5((20000 + 5000 * %s)::text)::uuid)', r, r) END,
	CASE WHEN r % 5 = 0 THEN 'SELECT pg_temp.describe(''queue'')' END])
  FROM generate_series(1, 20) r \gexec
SELECT pg_relation_size('queue_bf') AS size \gset
REINDEX INDEX queue_bf;
SELECT :size <= 3 * pg_relation_size('queue_bf') AS not_larger;

-- A table that is only appended to, and values that are unevenly spread, leave
-- nothing to be rebuilt.
CREATE TABLE uneven (id int, v uuid, pad text) WITH (autovacuum_enabled = off);
ALTER TABLE uneven ALTER pad SET STORAGE PLAIN;
CREATE INDEX uneven_bf ON uneven USING bloomfilter (v);
INSERT INTO uneven SELECT g, md5((g / CASE WHEN g / 3000 % 2 = 0 THEN 20 ELSE 1 END)::text)::uuid, repeat('x', 200) FROM generate_series(1, 20000) g;
CREATE INDEX uneven_built_bf ON uneven USING bloomfilter (v);
VACUUM uneven;
VACUUM uneven;
CREATE TEMP TABLE before AS SELECT i AS index, (bloom_index_info(i)).* FROM unnest('{uneven_bf,uneven_built_bf}'::regclass[]) i;
VACUUM uneven;
SELECT index, before = (SELECT r FROM (SELECT index, (bloom_index_info(index)).*) r) AS same FROM before;

-- Several columns, of which one is updated; expressions, partial indexes, values
-- that are stored elsewhere, NULLs
CREATE TABLE several (id int, v uuid, w text, pad text) WITH (autovacuum_enabled = off, fillfactor = 60);
ALTER TABLE several ALTER w SET STORAGE EXTERNAL;
INSERT INTO several SELECT g, md5(g::text)::uuid, CASE WHEN g % 100 = 0 THEN repeat(g::text, 1000) WHEN g % 3 = 0 THEN 'w' || g END, repeat('x', 100) FROM generate_series(1, 8000) g;
CREATE INDEX several_bf ON several USING bloomfilter (v, w, id);
CREATE INDEX several_expression_bf ON several USING bloomfilter (upper(w), (id + 1)) WHERE id % 2 = 0;
UPDATE several SET w = CASE WHEN id % 50 = 0 THEN repeat(id::text, 2000) ELSE 'new ' || id END WHERE id % 4 > 0;
UPDATE several SET w = w || '!', id = id + 100000 WHERE id % 4 > 1;
VACUUM several;
SELECT bloom_index_check('several_bf'), bloom_index_check('several_expression_bf');
SELECT id FROM several WHERE w IN (repeat('50', 2000) || '!', repeat('100', 1000), 'new 1', 'new 7!') ORDER BY id;
SELECT id FROM several WHERE upper(w) = 'NEW 6!' AND id % 2 = 0;

-- With little memory, the table is read several times.
CREATE TABLE narrow WITH (autovacuum_enabled = off) AS SELECT g AS id FROM generate_series(1, 40000) g;
CREATE INDEX narrow_bf ON narrow USING bloomfilter (id, (id + 1), (id + 2), (id + 3));
ALTER INDEX narrow_bf SET (false_positive_rate = 0.000001);
SET maintenance_work_mem = '1MB';
VACUUM narrow;
RESET maintenance_work_mem;
-- Also, VACUUM has made the index for the new rate.
SELECT groups, pages * 8192 > 1024 * 1024 AS more_than_memory, worst_group_false_positive_rate < 0.000002 AS new_rate, bloom_index_check('narrow_bf')
  FROM bloom_index_info('narrow_bf');

-- An index that is not valid is not rebuilt, so what it evaluates does not fail.
CREATE FUNCTION pg_temp.picky(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF current_setting('test.picky', true) = 'on' THEN
		RAISE EXCEPTION 'it does not like %', $1;
	END IF;
	RETURN $1;
END $$;
CREATE TABLE invalid (n int, pad text) WITH (autovacuum_enabled = off, fillfactor = 30);
INSERT INTO invalid SELECT g, repeat('x', 90) FROM generate_series(1, 2000) g;
CREATE INDEX invalid_bf ON invalid USING bloomfilter (pg_temp.picky(n));
BEGIN;
UPDATE invalid SET n = -n;
ROLLBACK;
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'invalid_bf'::regclass;
SET test.picky = on;
\set VERBOSITY terse
VACUUM invalid;
-- Of one that is valid, the filters stay as they are, and VACUUM goes on.
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'invalid_bf'::regclass;
VACUUM invalid;
\set VERBOSITY default
SELECT range_false_positive_rate AS rate FROM bloom_index_info('invalid_bf') \gset worn_
RESET test.picky;
SELECT bloom_index_check('invalid_bf');
VACUUM invalid;
SELECT bloom_index_check('invalid_bf'), range_false_positive_rate < :worn_rate / 2 AS rebuilt FROM bloom_index_info('invalid_bf');

-- What is not in a table: temporary tables, pages beyond the end, no rows
CREATE TEMP TABLE temporary (id int, v uuid);
INSERT INTO temporary SELECT g, md5(g::text)::uuid FROM generate_series(1, 25000) g;
CREATE INDEX temporary_bf ON temporary USING bloomfilter (v);
UPDATE temporary SET v = md5('a' || id)::uuid;
VACUUM temporary;
UPDATE temporary SET v = md5('b' || id)::uuid;
VACUUM temporary;
SELECT bloom_index_check('temporary_bf');
DELETE FROM queue;
CALL pg_temp.settle();
VACUUM queue;
SELECT pg_relation_size('queue'), bloom_index_check('queue_bf');
INSERT INTO queue SELECT g, md5('a' || g)::uuid, repeat('x', 200) FROM generate_series(1, 20000) g;
DELETE FROM queue;
CALL pg_temp.settle();
VACUUM queue;
INSERT INTO queue SELECT g, md5('b' || g)::uuid, repeat('x', 200) FROM generate_series(1, 20000) g;
CALL pg_temp.settle();
VACUUM queue;
SELECT pg_temp.describe('queue');
-- Statistics have the pages that were made anew.
SELECT indexrelname, pages_rebuilt > 0 AS rebuilt FROM bloom_stat_indexes WHERE relname IN ('fifths', 'temporary') ORDER BY indexrelname COLLATE "C";
DROP TABLE fifths, everything, loose, queue, uneven, several, narrow, invalid;
