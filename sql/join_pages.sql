--
-- Join filters: rows that are tested on the pages of a table, before the scan's
-- conditions.
--
SET client_min_messages = warning;
CREATE SCHEMA join_pages;
SET search_path = join_pages, public;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/join_skip.sql'
\i :helpers

-- The result without filters, and what is wrong with that with filters; then what
-- EXPLAIN ANALYZE says: rows that the scan returned, those that its conditions and
-- the filters dropped, those that were tested, and those that are left.
CREATE FUNCTION compared(query text, scanned text DEFAULT 'f', OUT result text, OUT returned numeric,
						 OUT by_conditions numeric, OUT by_filters numeric, OUT tested numeric, OUT remain numeric)
LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	probe jsonb;
BEGIN
	result := result_of(query);
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, FORMAT JSON) ' || query INTO plan;
	probe := jsonb_path_query_first(plan::jsonb, '$.** ? (@."Custom Plan Provider" == "bloomfilter probe" &&
		exists (@.Plans[*] ? (@.Alias == $scanned)))', jsonb_build_object('scanned', scanned));
	returned := round((probe->'Plans'->0->>'Actual Rows')::numeric);
	by_conditions := probe->'Plans'->0->>'Rows Removed by Filter';
	by_filters := probe->>'Rows Removed by Bloom Filter';
	tested := probe->>'Rows Tested by Bloom Filter';
	remain := round((probe->>'Actual Rows')::numeric);
END
$$;

-- rows that are dead, of other versions, deleted, not yet vacuumed, all visible
CREATE TABLE d AS SELECT i * 100 AS k, i AS v FROM generate_series(1, 10) AS i;
CREATE TABLE f (k int, v int) WITH (fillfactor = 50);
CREATE INDEX ON f (k);
INSERT INTO f SELECT i % 2000, i FROM generate_series(1, 10000) AS i;
ANALYZE d, f;
\set join 'SELECT f.*, d.v AS w FROM f JOIN d USING (k)'
SELECT * FROM compared(:'join');
UPDATE f SET v = v + 1 WHERE v % 3 = 0;
DELETE FROM f WHERE v % 7 = 0;
SELECT * FROM compared(:'join');
BEGIN;
UPDATE f SET k = k + 100 WHERE v % 5 = 0;
SAVEPOINT a;
DELETE FROM f WHERE k = 200;
SELECT * FROM compared(:'join');
ROLLBACK TO a;
SELECT * FROM compared(:'join');
ROLLBACK;
SELECT * FROM compared(:'join');
VACUUM (FREEZE, ANALYZE) f;
SELECT * FROM compared(:'join');
-- each row is counted once
SELECT *, returned + by_conditions = (SELECT count(*) FROM f) AS read_once,
	returned - by_filters = remain AS dropped_once
	FROM compared('SELECT f.* FROM f JOIN d USING (k) WHERE f.v % 2 = 0');
SELECT * FROM compared('SELECT f.v / 2, f.ctid, f.tableoid::regclass, f FROM f JOIN d USING (k) WHERE f.v > 5000');
SELECT * FROM compared('SELECT k + 1, q.v FROM (SELECT v, k FROM f WHERE v < 5000) AS q JOIN d USING (k)');

-- columns that were dropped, or that rows do not have
ALTER TABLE f DROP COLUMN v;
SELECT * FROM compared('SELECT f.* FROM f JOIN d USING (k)');
ALTER TABLE f ADD COLUMN late int DEFAULT 300, ADD COLUMN t text DEFAULT 'none', ADD COLUMN nothing int;
INSERT INTO f SELECT i % 2000, i % 1000, 'some' FROM generate_series(1, 1000) AS i;
INSERT INTO f SELECT i % 2000, NULL, NULL, i FROM generate_series(1, 1000) AS i;
ANALYZE f;
SELECT * FROM compared('SELECT f.* FROM f JOIN d ON f.late = d.k AND d.v <> 3');
SELECT * FROM compared('SELECT f.* FROM f JOIN d ON f.late = d.k');
SELECT * FROM compared('SELECT f.* FROM f JOIN d ON f.nothing = d.k');
SELECT * FROM compared('SELECT f.* FROM f JOIN d ON f.k = d.k AND f.late = d.v * 100');

-- NULL in the key and before it; keys of all lengths, in line, compressed and not
CREATE TABLE wide (a int, name text, b bigint, long text, n numeric, c "char", i2 smallint, ts timestamp, fixed char(5));
ALTER TABLE wide ALTER COLUMN long SET STORAGE EXTERNAL;
INSERT INTO wide SELECT CASE WHEN i % 5 > 0 THEN i END, CASE WHEN i % 3 > 0 THEN repeat('x', i % 200) || i END,
	CASE WHEN i % 11 > 0 THEN i % 500 END, CASE WHEN i % 4 > 0 THEN repeat('long ', i % 1000) || i END,
	CASE WHEN i % 13 > 0 THEN i END, chr(65 + i % 26)::"char", i % 300, timestamp '2024-01-01' + i * interval '1 hour',
	CASE WHEN i % 17 > 0 THEN i::text END
	FROM generate_series(1, 3000) AS i;
INSERT INTO wide (a, name, n) SELECT 9000 + i, repeat(i::text, 5000), i FROM generate_series(1, 20) AS i;
CREATE TABLE few AS SELECT * FROM wide WHERE a % 100 = 1 OR a > 9010;
ANALYZE wide, few;
SET bloomfilter.join_filters = force;
SELECT column_name AS column, c.*
	FROM information_schema.columns,
		LATERAL compared(format('SELECT f.a, f.name, f.n FROM wide AS f JOIN (SELECT DISTINCT %1$I FROM few) AS few USING (%1$I)', column_name)) AS c
	WHERE table_schema = 'join_pages' AND table_name = 'wide' ORDER BY ordinal_position;
SELECT * FROM compared('SELECT f.* FROM wide AS f JOIN few USING (b, name)');
-- short values are not aligned, long ones are
CREATE TABLE short (c "char", t text);
INSERT INTO short SELECT 'c', CASE WHEN i % 10 > 0 THEN 'text ' || i ELSE repeat('text ' || i, 20) END FROM generate_series(1, 1000) AS i;
ANALYZE short;
SELECT * FROM compared('SELECT f.* FROM short AS f JOIN (SELECT DISTINCT t FROM short WHERE md5(t) < ''2'') AS q USING (t)');
SELECT * FROM compared('SELECT f.* FROM wide AS f JOIN few ON f.a + 1 = few.a');

SET bloomfilter.join_filters = on;

-- several filters at one place: which of them comes first, the time that they take decides
CREATE TABLE e AS SELECT i AS k, i AS v FROM generate_series(0, 499) AS i;
CREATE TABLE star AS SELECT i % 500 AS a, i * 7 % 500 AS b, i * 11 % 500 AS c, i AS v FROM generate_series(1, 60000) AS i;
ANALYZE e, star;
SELECT result, by_filters > 30000 AS dropped, by_filters + remain = returned AS counted_once
	FROM compared('SELECT f.* FROM star AS f JOIN e AS x ON f.a = x.k JOIN e AS y ON f.b = y.k JOIN e AS z ON f.c = z.k
	WHERE x.v % 2 = 0 AND y.v % 3 = 0 AND z.v % 50 = 0');
-- a filter that is switched off and tried again, beside one that drops
SELECT result, by_filters > 50000 AS dropped, by_filters + remain = returned AS counted_once
	FROM compared('SELECT f.* FROM star AS f JOIN e AS x ON f.a = x.k JOIN e AS y ON f.b = y.k
	WHERE x.v < 400 AND y.v < 50');
-- all rows pass
SET bloomfilter.join_filters = force;
SELECT count(*) FROM star AS f JOIN e AS x ON f.a = x.k;
SET bloomfilter.join_filters = on;

-- groups are whole
SELECT * FROM compared('SELECT * FROM (SELECT a, count(*), sum(v) FROM star AS f WHERE v % 3 = 0 GROUP BY a) AS g JOIN e ON a = k
	WHERE e.v % 10 = 0');

-- the scan's conditions come first if they call something volatile, or have a
-- sub-select
CREATE SEQUENCE calls;
SELECT result, by_filters, tested, remain FROM compared('SELECT f.* FROM star AS f JOIN e ON a = k
	WHERE e.v = 5 AND nextval(''calls'') > f.v * 0');
SELECT last_value FROM calls;
SELECT * FROM compared('SELECT f.* FROM star AS f JOIN e ON a = k
	WHERE e.v = 5 AND CASE WHEN f.v % 20 = 5 THEN f.v > (SELECT sum(y.v) FROM e AS y WHERE y.k = f.a) END');

-- and if they hide rows from an operator that may tell
CREATE TABLE accounts AS SELECT i::numeric AS n, i % 500 AS k, i % 2 AS hidden FROM generate_series(1, 2000) AS i;
CREATE VIEW shown WITH (security_barrier) AS SELECT * FROM accounts WHERE hidden = 0;
CREATE TABLE amounts AS SELECT i::numeric AS n, i AS k FROM generate_series(1, 20) AS i;
ANALYZE accounts, amounts;
SELECT * FROM compared('SELECT * FROM shown JOIN amounts USING (n)', 'accounts');
SELECT * FROM compared('SELECT * FROM shown JOIN amounts USING (k)', 'accounts');
SELECT * FROM compared('SELECT * FROM accounts JOIN amounts USING (n) WHERE hidden = 0', 'accounts');

-- few rows are asked for; cursors; scans again, by other parameters
SELECT * FROM compared('SELECT count(*) FROM (SELECT f.v FROM star AS f JOIN e ON a = k WHERE e.v % 50 = 0 LIMIT 10) AS l');
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT f.v FROM star AS f JOIN e ON a = k WHERE e.v = 5;
FETCH 3 FROM c;
FETCH BACKWARD 2 FROM c;
MOVE 50 FROM c;
FETCH 2 FROM c;
ROLLBACK;
SELECT * FROM compared('SELECT o.k, l.* FROM (VALUES (1), (2), (3)) AS o(k),
	LATERAL (SELECT count(*), sum(f.v) FROM star AS f JOIN e ON a = e.k WHERE e.v % 50 = 0 AND f.v % 3 = o.k - 1) AS l');
-- and scans again that were not read to the end of a page
SELECT result, by_filters > 0 AS dropped FROM compared('SELECT o.k, (SELECT f.v FROM star AS f JOIN e ON a = e.k WHERE e.v % 50 = 0 AND f.v % 3 = o.k - 1 LIMIT 1)
	FROM (VALUES (1), (2), (3)) AS o(k)');

-- the table's statistics
CREATE TABLE counted AS SELECT i AS k FROM generate_series(1, 5000) AS i;
ANALYZE counted;
CREATE FUNCTION reads(query text, OUT scans bigint, OUT rows bigint) LANGUAGE plpgsql AS $$
DECLARE
	before record;
BEGIN
	SELECT pg_stat_get_xact_numscans('counted'::regclass) AS scans,
		pg_stat_get_xact_tuples_returned('counted'::regclass) AS rows INTO before;
	EXECUTE query;
	scans := pg_stat_get_xact_numscans('counted'::regclass) - before.scans;
	rows := pg_stat_get_xact_tuples_returned('counted'::regclass) - before.rows;
END
$$;
\set counted 'SELECT * FROM counted AS f JOIN d USING (k) WHERE f.k > 200'
SELECT * FROM compared(:'counted');
SELECT * FROM reads(:'counted');
SET bloomfilter.join_filters = off;
SELECT * FROM reads(:'counted');
SET bloomfilter.join_filters = on;

DROP SCHEMA join_pages CASCADE;
