--
-- Join filters below groups: all rows of a group are dropped, or none.  The join
-- drops a group without a match whatever is in it, but what is left of a group
-- may make HAVING, or an expression above, fail.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET bloomfilter.join_filter_min_rows = 0;
CREATE SCHEMA join_groups;
SET search_path = join_groups;

-- The one row that a query returns, without and with filters; nodes above which
-- rows are tested, whether any was removed, and how often a filter was switched off.
CREATE FUNCTION probes(plan jsonb) RETURNS SETOF jsonb LANGUAGE sql AS $$
	WITH RECURSIVE node (node) AS (
		SELECT plan
		UNION ALL
		SELECT child FROM node, jsonb_array_elements(node -> 'Plans') AS child
	)
	SELECT node FROM node WHERE node ->> 'Custom Plan Provider' = 'bloomfilter probe'
$$;
CREATE FUNCTION compare(query text, setting text DEFAULT 'on',
	OUT plain text, OUT filtered text, OUT tested_above text, OUT removes boolean, OUT switched_off bigint)
LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	SET LOCAL bloomfilter.join_filters = off;
	EXECUTE 'SELECT q::text FROM (' || query || ') AS q' INTO plain;
	PERFORM set_config('bloomfilter.join_filters', setting, true);
	EXECUTE 'SELECT q::text FROM (' || query || ') AS q' INTO filtered;
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) ' || query INTO plan;
	SELECT string_agg(p #>> '{Plans,0,Node Type}', ', '), sum((p ->> 'Rows Removed by Bloom Filter')::bigint) > 0,
	       sum((p ->> 'Times Testing Switched Off')::bigint)
	  INTO tested_above, removes, switched_off FROM probes(plan -> 0 -> 'Plan') AS p;
END $$;

--
-- A filter of which most rows pass
--
-- Keys above 100,000 have no match, nor has NULL.  The first row of each is dropped,
-- the second, with which nothing can be done alone, comes after many rows that
-- pass, for which a filter elsewhere is switched off.
CREATE TABLE sales (k int, quantity int, price int);
INSERT INTO sales SELECT nullif(100000 + i, 100500), 5, 9 FROM generate_series(1, 500) AS i;
INSERT INTO sales SELECT i % 1000, 5, 1 FROM generate_series(1, 30000) AS i;
INSERT INTO sales SELECT nullif(100000 + i, 100500), 0, -5 FROM generate_series(1, 500) AS i;
CREATE TABLE dim AS SELECT i AS k FROM generate_series(0, 99999) AS i WHERE i < 1000 OR i > 95000;
ANALYZE sales, dim;
\set dim '(SELECT k FROM dim WHERE k + 0 = k) AS d USING (k)'
\set sums '(SELECT k, sum(price) / sum(quantity) AS r FROM sales GROUP BY k) AS s'
SELECT * FROM compare('SELECT count(*), sum(r) FROM ' || :'sums' || ' JOIN ' || :'dim');
\set sets '(SELECT k, sum(price) / sum(quantity) AS r FROM sales GROUP BY GROUPING SETS ((k), (quantity * 0, k), (k, quantity * 0, k * 0))) AS s'
SELECT * FROM compare('SELECT count(*), sum(r) FROM ' || :'sets' || ' JOIN ' || :'dim');
SET enable_hashagg = off;
SELECT * FROM compare('SELECT count(*), sum(r) FROM ' || :'sets' || ' JOIN ' || :'dim');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, sqrt(sum(price)) AS r FROM sales GROUP BY k) AS s JOIN ' || :'dim');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, sqrt(sum(price) OVER (PARTITION BY k)) AS r FROM sales) AS s JOIN ' || :'dim');
RESET enable_hashagg;
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 1 / quantity AS r
	FROM (SELECT DISTINCT ON (k) k, quantity FROM sales ORDER BY k, quantity DESC OFFSET 0) AS s OFFSET 0) AS s JOIN ' || :'dim');

-- equal values may differ: of DISTINCT, the first is returned
CREATE TABLE scales (k int, x numeric);
INSERT INTO scales SELECT 100000 + i, 2.00 FROM generate_series(1, 500) AS i;
INSERT INTO scales SELECT i % 1000, 2.00 FROM generate_series(1, 30000) AS i;
INSERT INTO scales SELECT 100000 + i, 2.0 FROM generate_series(1, 500) AS i;
ANALYZE scales;
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 10 / (scale(x) - 1) AS r FROM scales GROUP BY k, x) AS s JOIN ' || :'dim');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 10 / (scale(x) - 1) AS r FROM (SELECT DISTINCT k, x FROM scales OFFSET 0) AS d OFFSET 0) AS s JOIN ' || :'dim');

-- several tables, one group: in the first all rows are dropped, in the second nearly
-- all pass
CREATE TABLE parted (part int, k int, quantity int) PARTITION BY LIST (part);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT 1, 100000 + i, 5 FROM generate_series(1, 500) AS i;
INSERT INTO parted SELECT 2, i % 1000, 5 FROM generate_series(1, 30000) AS i;
INSERT INTO parted SELECT 2, 100000 + i, 0 FROM generate_series(1, 500) AS i;
ANALYZE parted;
\set parted_sums '(SELECT k, 1 / sum(quantity) AS r FROM parted GROUP BY k) AS s'
SELECT * FROM compare('SELECT count(*), sum(r) FROM ' || :'parted_sums' || ' JOIN ' || :'dim');
-- and the other way
TRUNCATE parted;
INSERT INTO parted SELECT 1, i % 1000, 5 FROM generate_series(1, 30000) AS i;
INSERT INTO parted SELECT 1, 100000 + i, 0 FROM generate_series(1, 500) AS i;
INSERT INTO parted SELECT 2, 100000 + i, 5 FROM generate_series(1, 500) AS i;
ANALYZE parted;
SELECT * FROM compare('SELECT count(*), sum(r) FROM ' || :'parted_sums' || ' JOIN ' || :'dim');

--
-- Rows that the join reads before there is a filter
--
-- Ten rows of each key, in order.  A join that does not hash first reads the first
-- group then, and the first row of the second, which has no match.
CREATE TABLE ordered AS SELECT i / 10 AS k, i AS id FROM generate_series(0, 99999) AS i;
CREATE INDEX ordered_k ON ordered (k);
CREATE TABLE tens AS SELECT i * 5 AS k, 1 AS one FROM generate_series(1, 1000) AS i;
VACUUM ANALYZE ordered;
ANALYZE tens;
\set tens '(SELECT k FROM tens WHERE one + 0 = one) AS t USING (k)'
-- what might never end, such as a set-returning function, is not hashed before a first row was asked for
\set series '(SELECT k, generate_series(1, 1) FROM tens WHERE one + 0 = one) AS t USING (k)'
SET enable_hashagg = off;
SET enable_sort = off;
SET enable_seqscan = off;
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 100 / (count(*) - 1) AS r FROM ordered GROUP BY k) AS s JOIN ' || :'series');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 100 / (count(*) - 1) AS r FROM ordered GROUP BY k) AS s JOIN ' || :'tens');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 100 / (count(*) OVER (PARTITION BY k) - 1) AS r FROM ordered) AS s JOIN ' || :'tens');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 100 / (id - k * 10 - 1) AS r
	FROM (SELECT DISTINCT ON (k) k, id FROM ordered ORDER BY k OFFSET 0) AS s OFFSET 0) AS s JOIN ' || :'tens');
-- a group may be one of NULL
CREATE TABLE nulls AS SELECT CASE WHEN i < 10 THEN 0 END AS k FROM generate_series(0, 4999) AS i;
INSERT INTO nulls SELECT 5 FROM generate_series(1, 10);
CREATE INDEX nulls_k ON nulls (k);
VACUUM ANALYZE nulls;
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 100 / (count(*) OVER (PARTITION BY k) - 1) AS r FROM nulls) AS s JOIN ' || :'tens');
-- or of two columns, of which the filter has the second
CREATE INDEX ordered_id_k ON ordered ((id / 20), k);
VACUUM ANALYZE ordered;
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT id / 20 AS h, k, 100 / (count(*) - 1) AS r FROM ordered GROUP BY id / 20, k) AS s JOIN ' || :'tens');
DROP INDEX ordered_id_k;
-- or of several tables, whose first rows are all read before
CREATE TABLE halves (part int, k int) PARTITION BY LIST (part);
CREATE TABLE halves_1 PARTITION OF halves FOR VALUES IN (1);
CREATE TABLE halves_2 PARTITION OF halves FOR VALUES IN (2);
INSERT INTO halves SELECT 1, 1 + i / 10 FROM generate_series(0, 49999) AS i;
INSERT INTO halves SELECT 2, 3 + i FROM generate_series(0, 4999) AS i;
CREATE INDEX halves_k ON halves (k);
VACUUM ANALYZE halves;
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 100 / (count(*) - 1) AS r FROM halves GROUP BY k) AS s JOIN ' || :'series' || ' WHERE k < 5000');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT k, 100 / (count(*) - 1) AS r FROM halves GROUP BY k) AS s JOIN ' || :'tens' || ' WHERE k < 5000');
-- or below a sort
RESET enable_sort;
CREATE INDEX ordered_id ON ordered ((id / 20));
VACUUM ANALYZE ordered;
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT id / 20 AS h, k, 100 / (count(*) - 1) AS r FROM ordered GROUP BY id / 20, k) AS s JOIN ' || :'series');
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT id / 20 AS h, k, 100 / (count(*) - 1) AS r FROM ordered GROUP BY id / 20, k) AS s JOIN ' || :'tens');
RESET enable_seqscan;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_incremental_sort = off;
-- and below a store only if it is known to be read later
SELECT * FROM compare('SELECT count(*), sum(r) FROM (SELECT id % 7 AS h, k, 100 / (count(*) + 1) AS r FROM ordered GROUP BY id % 7, k) AS s JOIN
	(SELECT k FROM tens WHERE one + 0 = one ORDER BY k OFFSET 0) AS t USING (k)', 'force');
RESET enable_indexscan;
RESET enable_indexonlyscan;
RESET enable_incremental_sort;
RESET enable_hashagg;

-- scan after scan
SELECT * FROM compare('SELECT count(*), sum(r) FROM generate_series(1, 3) AS x, LATERAL (
	SELECT sum(r) AS r FROM (SELECT k, 100 / (count(*) - 1) AS r FROM ordered WHERE id > x GROUP BY k) AS s JOIN ' || :'tens' || ') AS y', 'force');

RESET search_path;
DROP SCHEMA join_groups CASCADE;
