--
-- Join filters of joins above Gather, which are handed over to the processes
-- below it.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET jit = off;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET bloomfilter.join_filter_min_rows = 0;
-- 19 may aggregate rows before it joins them
SELECT count(set_config(name, 'off', false)) < 2 AS off FROM pg_settings WHERE name = 'enable_eager_aggregate';
CREATE SCHEMA join_gather;
SET search_path = join_gather, public;

-- Where a plan tests rows: the filter, and the nodes from the top of the plan down
-- to the one that is tested.  A node that hands filters over shows their numbers.
CREATE FUNCTION places(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN QUERY
		WITH RECURSIVE node (node, parent, path, position) AS (
			SELECT plan->0->'Plan', NULL::json, NULL, ARRAY[0]
			UNION ALL
			SELECT child.value, node.node, concat_ws(' > ', path, CASE
					WHEN node.node->>'Custom Plan Provider' = 'bloomfilter copy'
					THEN format('(filters %s)', (SELECT replace(string_agg(f, ', '), 'filter ', '') FROM json_array_elements_text(node.node->'Bloom Filter Copy to Workers') AS f))
					WHEN node.node->>'Node Type' <> 'Custom Scan'
					THEN concat_ws(' ', nullif(node.node->>'Partial Mode', 'Simple'), node.node->>'Strategy', node.node->>'Node Type') END),
				position || child.ordinality::int
			FROM node, json_array_elements(node.node->'Plans') WITH ORDINALITY AS child)
		-- from 16 on, workers make rows of DISTINCT unique, too
		SELECT format('%s: %s > [%s]', (SELECT string_agg(f, '; ') FROM json_array_elements_text(parent->'Bloom Filter Key') AS f),
			regexp_replace(path, '(\(filters \d+\) > )Unique > ', '\1'), concat_ws(' ', CASE WHEN (node->>'Parallel Aware')::bool THEN 'Parallel' END, node->>'Node Type', node->>'Relation Name'))
		FROM node WHERE parent->>'Custom Plan Provider' = 'bloomfilter probe' ORDER BY position;
	IF NOT FOUND THEN
		RETURN NEXT '(no filter)';
	END IF;
END $$;

-- What was done by all processes, per process: rows removed, pages and partitions skipped.
CREATE FUNCTION done(query text, OUT removes bool, OUT pages bool, OUT partitions bool, OUT switched_off bool) LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	WITH RECURSIVE node (node) AS (
		SELECT plan->0->'Plan'
		UNION ALL
		SELECT child FROM node, jsonb_array_elements(node->'Plans') AS child
	)
	SELECT sum((node->>'Rows Removed by Bloom Filter')::float8) > 0, sum((node->>'Pages Skipped')::float8) > 0,
		   sum((node->>'Partitions Skipped')::float8) > 0, sum((node->>'Times Testing Switched Off')::float8) > 0
	  INTO removes, pages, partitions, switched_off FROM node;
END $$;

-- The rows of a query, in any order, without filters and with them.
CREATE FUNCTION rows_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT count(*) || '' rows '' || coalesce(sum(hashtextextended(q::text, 0)), 0) FROM (%s) AS q', query) INTO result;
	RETURN result;
EXCEPTION WHEN division_by_zero THEN
	RETURN sqlerrm;
END $$;
CREATE FUNCTION compare(query text, setting text DEFAULT 'on') RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	plain text;
	filtered text;
BEGIN
	SET LOCAL bloomfilter.join_filters = off;
	plain := rows_of(query);
	PERFORM set_config('bloomfilter.join_filters', setting, true);
	filtered := rows_of(query);
	RETURN QUERY SELECT places(query);
	RETURN NEXT CASE WHEN plain = filtered THEN regexp_replace(plain, 'rows .*', 'rows, the same')
					 ELSE 'WRONG: ' || filtered || ' instead of ' || plain END;
END $$;

-- fact: keys 0 .. 999, of which dim has twenty in each of fifty kinds.
CREATE TABLE fact (id int, k int, v int, t text);
INSERT INTO fact SELECT i, i * 7 % 1000, i % 13, 't' || i * 7 % 1000 FROM generate_series(1, 20000) AS i;
CREATE TABLE dim (k int, kind int, t text);
INSERT INTO dim SELECT i, i % 50, 't' || i FROM generate_series(0, 999) AS i;
CREATE TABLE other (v int, name text);
INSERT INTO other SELECT i, 'other ' || i FROM generate_series(0, 12) AS i;
CREATE VIEW totals AS SELECT k, count(*) AS n, sum(v) AS s FROM fact GROUP BY k;
-- other sessions cannot see it, so that the join stays in the leader
CREATE TEMP TABLE chosen AS SELECT k, 'name ' || k AS name FROM dim WHERE kind = 3;
ANALYZE;

--
-- Where rows are tested
--
\set view 'SELECT d.t, totals.* FROM totals JOIN dim d USING (k) WHERE d.kind = 3'
\set plain 'SELECT f.*, c.name FROM fact f JOIN chosen c USING (k)'
SELECT compare(:'view');
SELECT compare(:'plain');
SET enable_hashagg = off;
SELECT compare(:'view');
SELECT compare('SELECT c.name, f.k FROM (SELECT DISTINCT k FROM fact) f JOIN chosen c USING (k)');
RESET enable_hashagg;
SELECT compare('SELECT c.name, f.k FROM (SELECT DISTINCT k FROM fact) f JOIN chosen c USING (k)');
SELECT compare('SELECT c.name, f.* FROM (SELECT k, v, count(*) FROM fact GROUP BY k, v) f JOIN chosen c USING (k)');
-- not by what is no column of the groups
SELECT compare('SELECT o.name, t.* FROM totals t JOIN other o ON o.v = t.n - 10 WHERE o.v > 11');
SELECT compare('SELECT o.name, t.k FROM totals t JOIN other o ON o.v = t.n WHERE o.v > 11');
-- two filters, one of them through another join
SELECT compare('SELECT * FROM fact f JOIN chosen c USING (k) JOIN (SELECT v FROM pg_temp.chosen JOIN other ON v = k % 13 WHERE v > 9) o ON o.v = f.v', 'force');
-- two Gathers
SELECT compare('SELECT * FROM (SELECT k, count(*) FROM fact GROUP BY k UNION ALL SELECT k, sum(v) FROM fact GROUP BY k) u JOIN chosen c USING (k)');
SELECT compare('SELECT f.k, count(*) FROM (SELECT k FROM fact UNION ALL SELECT v FROM fact WHERE id < 9000) f JOIN chosen c USING (k) GROUP BY 1');

--
-- Who has the filter
--
SET bloomfilter.join_filters = on;
SELECT removes FROM done(:'view');
-- only workers
SET parallel_leader_participation = off;
SELECT compare(:'view');
SELECT removes FROM done(:'view');
SELECT removes FROM done(:'plain');
-- only the leader, with and without memory for workers
SET parallel_leader_participation = on;
SET max_parallel_workers = 0;
SELECT compare(:'view');
SELECT removes FROM done(:'view');
RESET max_parallel_workers;
CREATE FUNCTION one_by_one() RETURNS SETOF bigint LANGUAGE sql AS 'SELECT totals.s FROM totals JOIN dim d USING (k) WHERE d.kind = 3';
SELECT count(*), sum(s) FROM (SELECT one_by_one() AS s) AS l;
BEGIN;
DECLARE c CURSOR FOR SELECT totals.k FROM totals JOIN dim d USING (k) WHERE d.kind = 3 AND d.k < 200 ORDER BY 1;
FETCH 2 FROM c;
FETCH ALL FROM c;
COMMIT;
-- a plan that was kept
PREPARE kept (int) AS SELECT count(*), sum(n), sum(s) FROM totals JOIN dim d USING (k) WHERE d.kind = $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE kept (3);
EXECUTE kept (-1);
EXECUTE kept (4);
RESET plan_cache_mode;
DEALLOCATE kept;
-- what EXPLAIN says
EXPLAIN (COSTS OFF) :view;
CREATE FUNCTION handover(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, COSTS OFF) ' || query LOOP
		IF line ~ 'bloomfilter copy|to Workers:' OR line ~ 'Memory Usage: \d+ kB' THEN
			RETURN NEXT regexp_replace(trim(line), 'rows=.*', '...)');
		END IF;
	END LOOP;
END $$;
SELECT handover(:'view');

--
-- All of a group, or nothing
--
-- The price of a group without a match can only be computed while its first and
-- its last row, which lie far apart, are together.
CREATE TABLE sales (k int, quantity int, price int);
INSERT INTO sales SELECT nullif(100000 + i, 100500), 5, 9 FROM generate_series(1, 500) AS i;
INSERT INTO sales SELECT i % 10000, 5, 1 FROM generate_series(1, 100000) AS i;
INSERT INTO sales SELECT nullif(100000 + i, 100500), 0, -5 FROM generate_series(1, 500) AS i;
CREATE TEMP TABLE keys AS SELECT i AS k FROM generate_series(0, 99999) AS i WHERE i < 10000 OR i > 95000;
ANALYZE sales, keys;
SET parallel_leader_participation = off;
\set prices 'SELECT p.* FROM (SELECT k, sum(price) / sum(quantity) AS p FROM sales GROUP BY k) p JOIN (SELECT k FROM keys WHERE k + 0 = k) d USING (k)'
SELECT compare(:'prices');
SET bloomfilter.join_filters = on;
SELECT removes, switched_off FROM done(:'prices');
SET enable_hashagg = off;
SELECT compare(:'prices');
RESET enable_hashagg;
RESET parallel_leader_participation;
SELECT compare(:'prices');
-- rows that meet in no group: each process switches off for itself
\set rows 'SELECT s.* FROM sales s JOIN (SELECT k FROM keys WHERE k + 0 = k) d USING (k)'
SELECT compare(:'rows');
SET bloomfilter.join_filters = on;
SELECT removes, switched_off FROM done(:'rows');

-- too many keys for a filter: no process has one
CREATE TEMP TABLE many AS SELECT i AS k FROM generate_series(-40000, 99999) AS i;
ANALYZE many;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
\set too_many 'SELECT p.* FROM (SELECT k, sum(price) / sum(quantity) AS p FROM sales GROUP BY k) p JOIN (SELECT k FROM many WHERE k + 0 = k) d USING (k)'
SELECT compare(:'too_many');
SET bloomfilter.join_filters = on;
SELECT removes FROM done(:'too_many');
-- but their keys are known: no block has any
CREATE INDEX ON sales USING brin (k) WITH (pages_per_range = 1);
\set negative 'SELECT s.* FROM sales s JOIN (SELECT k FROM many WHERE k + 0 = k AND k < -1) d USING (k)'
SELECT compare(:'negative');
SET bloomfilter.join_filters = on;
SELECT pages FROM done(:'negative');
RESET work_mem;
RESET hash_mem_multiplier;
RESET bloomfilter.join_filters;

--
-- When it must not be
--
-- the join asks for a first row before it hashes, as something on the outer side is volatile
CREATE FUNCTION shaken(int) RETURNS int LANGUAGE plpgsql VOLATILE PARALLEL SAFE COST 1 AS 'BEGIN RETURN $1; END';
SELECT compare('SELECT f.id, c.name FROM (SELECT * FROM fact WHERE shaken(v) = 3) f JOIN chosen c USING (k)', 'force');
-- otherwise it is made to hash first
\set dear 'SELECT f.id, s.k FROM fact f JOIN (SELECT c.k, count(*) FROM chosen c, generate_series(1, 50) GROUP BY c.k) s USING (k)'
SELECT compare(:'dear');
SET bloomfilter.join_filters = on;
SET parallel_leader_participation = off;
SELECT removes FROM done(:'dear');
RESET parallel_leader_participation;
-- but not if that might never end
SET statement_timeout = '20s';
SELECT compare('WITH RECURSIVE endless (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
	SELECT f.* FROM fact f JOIN endless ON f.k = endless.n WHERE f.id < 0', 'force');
RESET statement_timeout;
-- a few rows are asked for: workers would look for the next one that passes
SELECT compare('SELECT count(*) FROM (SELECT f.k FROM fact f JOIN chosen c USING (k) LIMIT 3) AS l');
SELECT compare('SELECT EXISTS (SELECT FROM fact f JOIN chosen c USING (k))');
SELECT compare('SELECT count(*) FROM (SELECT f.k FROM fact f JOIN chosen c USING (k) LIMIT 3) AS l', 'force');

-- functions that workers must not call
CREATE FUNCTION own_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE LEAKPROOF PARALLEL RESTRICTED AS 'BEGIN RETURN hashint4($1); END';
CREATE FUNCTION own_hash(int, int8) RETURNS int8 LANGUAGE plpgsql IMMUTABLE LEAKPROOF PARALLEL RESTRICTED AS 'BEGIN RETURN hashint4extended($1, $2); END';
CREATE FUNCTION own_cmp(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE LEAKPROOF PARALLEL RESTRICTED AS 'BEGIN RETURN btint4cmp($1, $2); END';
CREATE OPERATOR <<< (FUNCTION = int4lt, LEFTARG = int, RIGHTARG = int, COMMUTATOR = >>>);
CREATE OPERATOR <<= (FUNCTION = int4le, LEFTARG = int, RIGHTARG = int, COMMUTATOR = >>=);
CREATE OPERATOR === (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int, COMMUTATOR = ===, HASHES, MERGES, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR >>= (FUNCTION = int4ge, LEFTARG = int, RIGHTARG = int, COMMUTATOR = <<=);
CREATE OPERATOR >>> (FUNCTION = int4gt, LEFTARG = int, RIGHTARG = int, COMMUTATOR = <<<);
CREATE OPERATOR CLASS own_order FOR TYPE int USING btree AS
	OPERATOR 1 <<<, OPERATOR 2 <<=, OPERATOR 3 ===, OPERATOR 4 >>=, OPERATOR 5 >>>, FUNCTION 1 own_cmp(int, int);
CREATE OPERATOR CLASS own_equality FOR TYPE int USING hash AS OPERATOR 1 ===, FUNCTION 1 own_hash(int), FUNCTION 2 own_hash(int, int8);
\set own 'SELECT f.id, c.name FROM fact f JOIN chosen c ON f.k === c.k'
SELECT compare(:'own', 'force');
ALTER FUNCTION own_hash(int) PARALLEL SAFE;
SELECT compare(:'own', 'force');
-- and of scans that skip
CREATE TABLE own_ranges (k int, id int) PARTITION BY RANGE (k own_order);
CREATE TABLE own_ranges_1 PARTITION OF own_ranges FOR VALUES FROM (0) TO (500);
CREATE TABLE own_ranges_2 PARTITION OF own_ranges FOR VALUES FROM (500) TO (1000);
INSERT INTO own_ranges SELECT k, id FROM fact;
CREATE TABLE own_hashes (k int, id int) PARTITION BY HASH (k own_equality);
CREATE TABLE own_hashes_1 PARTITION OF own_hashes FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE own_hashes_2 PARTITION OF own_hashes FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO own_hashes SELECT k, id FROM fact;
CREATE TABLE single AS SELECT 3 AS k;
ANALYZE own_ranges, own_hashes, single;
SET bloomfilter.join_filters = force;
\set own_ranges 'SELECT f.id FROM own_ranges f JOIN single s ON f.k === s.k'
\set own_hashes 'SELECT f.id FROM own_hashes f JOIN single s ON f.k === s.k'
SELECT partitions FROM done(:'own_ranges');
SELECT partitions FROM done(:'own_hashes');
ALTER FUNCTION own_cmp(int, int) PARALLEL SAFE;
SELECT partitions FROM done(:'own_ranges');
SELECT partitions FROM done(:'own_hashes');
ALTER FUNCTION own_hash(int, int8) PARALLEL SAFE;
SELECT partitions FROM done(:'own_hashes');
-- also in a plan that was kept
SET plan_cache_mode = force_generic_plan;
PREPARE kept AS :own_ranges;
SELECT partitions FROM done('EXECUTE kept');
ALTER FUNCTION own_cmp(int, int) PARALLEL RESTRICTED;
SELECT partitions FROM done('EXECUTE kept');
ALTER FUNCTION own_cmp(int, int) PARALLEL SAFE;
SELECT partitions FROM done('EXECUTE kept');
DEALLOCATE kept;
RESET plan_cache_mode;
RESET bloomfilter.join_filters;
-- what it takes to start workers is not saved
CREATE FUNCTION dear(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100000 AS 'BEGIN RETURN true; END';
SET parallel_setup_cost = 100000;
SELECT tested_above, substring(reason FROM 'saves (\d+)')::int < 10000 AS saves_little
	FROM public.bloom_join_filters('SELECT f.id FROM (SELECT * FROM fact WHERE dear(v)) f JOIN chosen c USING (k)');
SET parallel_setup_cost = 0;

--
-- Gather starts anew
--
SET enable_material = off;
SET enable_nestloop = on;
\set again 'SELECT * FROM (VALUES (1), (2), (3)) AS o (n) JOIN (SELECT f.v, c.name FROM fact f JOIN chosen c USING (k) OFFSET 0) AS f ON f.v < o.n'
\set again_view 'SELECT * FROM (VALUES (1), (2), (3)) AS o (n) JOIN (SELECT t.*, d.t FROM totals t JOIN dim d USING (k) WHERE d.kind = 3 OFFSET 0) AS f ON f.s % 5 < o.n'
SELECT compare(:'again', 'force');
SELECT compare(:'again_view', 'force');
SET enable_hashagg = off;
SELECT compare(:'again_view', 'force');
SET parallel_leader_participation = off;
SELECT compare(:'again_view', 'force');
RESET parallel_leader_participation;
RESET enable_hashagg;
-- the join hashes anew, as its table did not fit into memory
CREATE TEMP TABLE wide (k int, w text);
ALTER TABLE wide ALTER w SET STORAGE EXTERNAL;
INSERT INTO wide SELECT k, repeat(t, 300) FROM dim WHERE k < 600;
ANALYZE wide;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT compare('SELECT o.n, f.* FROM (VALUES (1), (2), (3)) AS o (n) JOIN (SELECT f.v, f.id, w.* FROM fact f
	JOIN wide w USING (k) OFFSET 0) AS f ON f.v < o.n', 'force');
-- and the keys are others each time, as many as before, more or fewer: all of them are found
CREATE FUNCTION turn(int) RETURNS int LANGUAGE plpgsql VOLATILE PARALLEL RESTRICTED AS 'BEGIN PERFORM pg_advisory_lock(24, $1); RETURN $1; END';
CREATE FUNCTION turns() RETURNS bigint LANGUAGE sql STABLE PARALLEL RESTRICTED AS
	$$ SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 24 AND pid = pg_backend_pid() $$;
CREATE FUNCTION missing(condition text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT count(*) || '' rows, '' || count(*) FILTER (WHERE l.id IS NULL) || '' missing of '' || count(l.w) FROM (SELECT turn(n) AS n FROM generate_series(1, 5) AS n OFFSET 0) o
		CROSS JOIN LATERAL (SELECT o.n, f.id, d.w FROM (SELECT * FROM wide WHERE %s) d LEFT JOIN fact f USING (k) OFFSET 0) l', condition);
BEGIN
	RETURN QUERY SELECT places(query);
	RETURN QUERY EXECUTE query;
	PERFORM pg_advisory_unlock_all();
END $$;
SET bloomfilter.join_filters = force;
-- a leader might read the small table before there is a worker
SET parallel_leader_participation = off;
SELECT missing('k / 100 = turns()');
SELECT missing('k < 100 * turns()');
SELECT missing('k > 100 * turns()');
-- nor do groups lose rows of which only some come through Gather
CREATE TABLE once AS SELECT DISTINCT k FROM fact;
CREATE TEMP TABLE half AS SELECT k FROM once;
ANALYZE once, half;
SET enable_hashagg = off;
SET enable_nestloop = off;
\set divided 'SELECT count(*) FROM (SELECT turn(n) AS n FROM generate_series(1, 5) AS n OFFSET 0) o CROSS JOIN LATERAL (SELECT o.n, g.r FROM (SELECT k, 100 / (count(*) - 1) AS r FROM (SELECT * FROM (SELECT k FROM once OFFSET 0) a UNION ALL SELECT k FROM half) u GROUP BY k) g WHERE EXISTS (SELECT FROM (SELECT * FROM wide WHERE k < 100 * turns() OFFSET 0) d WHERE d.k = g.k AND d.w <> g.r::text) OFFSET 0) l'
:divided;
SELECT pg_advisory_unlock_all();
-- from 18 on, the other side is hashed
SELECT bool_and(tested_above = 'Gather, Seq Scan on half') OR current_setting('server_version_num')::int >= 180000 AS above_gather
  FROM bloom_join_filters(replace(:'divided', 'k < 100 * turns()', 'k < 600')) WHERE verdict = 'filter';
RESET enable_nestloop;
RESET enable_hashagg;
RESET parallel_leader_participation;
RESET work_mem;
RESET hash_mem_multiplier;
RESET bloomfilter.join_filters;
RESET enable_material;
SET enable_nestloop = off;

--
-- What the scans below Gather skip
--
CREATE TABLE days (day date, id int, t text);
INSERT INTO days SELECT date '2024-01-01' + i / 100, i, 't' || to_char(i / 100, 'FM0000') FROM generate_series(0, 36499) AS i;
CREATE INDEX ON days USING brin (day) WITH (pages_per_range = 1);
CREATE TABLE by_month (day date, id int, t text) PARTITION BY RANGE (t);
CREATE TABLE by_month_1 PARTITION OF by_month FOR VALUES FROM (MINVALUE) TO ('t0100');
CREATE TABLE by_month_2 PARTITION OF by_month FOR VALUES FROM ('t0100') TO ('t0200');
CREATE TABLE by_month_3 PARTITION OF by_month FOR VALUES FROM ('t0200') TO (MAXVALUE);
INSERT INTO by_month SELECT * FROM days;
CREATE TEMP TABLE calendar AS SELECT date '2024-01-01' + i AS day, i / 30 AS month, 't' || to_char(i, 'FM0000') AS t FROM generate_series(0, 364) AS i;
ANALYZE days, by_month, calendar;
VACUUM days;
\set month 'SELECT s.* FROM days s JOIN calendar c USING (day) WHERE c.month = 4'
\set month_of_texts 'SELECT s.* FROM by_month s JOIN calendar c ON s.t = c.t COLLATE "default" WHERE c.month = 4'
SELECT compare(:'month');
SELECT compare(:'month_of_texts');
SET bloomfilter.join_filters = on;
SELECT removes, pages FROM done(:'month');
SELECT partitions FROM done(:'month_of_texts');
SET parallel_leader_participation = off;
SELECT compare(:'month');
SELECT removes, pages FROM done(:'month');
SELECT partitions FROM done(:'month_of_texts');
SET max_parallel_workers = 0;
SELECT compare(:'month');
SELECT pages FROM done(:'month');
RESET max_parallel_workers;
RESET parallel_leader_participation;
-- not where rows get into groups
SELECT pages FROM done('SELECT s.* FROM (SELECT day, count(*) FROM days GROUP BY day) s JOIN calendar c USING (day) WHERE c.month = 4');
\set groups_of_texts 'SELECT s.* FROM (SELECT t, count(*) FROM by_month GROUP BY t) s JOIN calendar c ON s.t = c.t WHERE c.month = 4'
SELECT compare(:'groups_of_texts');
SET bloomfilter.join_filters = on;
SELECT partitions FROM done(:'groups_of_texts');
-- more keys than a worker is told of one by one
CREATE TEMP TABLE even AS SELECT i AS id FROM generate_series(0, 29999, 2) AS i;
CREATE INDEX ON days USING brin (id) WITH (pages_per_range = 1);
ANALYZE even;
VACUUM days;
SELECT compare('SELECT s.* FROM days s JOIN even e USING (id)');
SET bloomfilter.join_filters = on;
SELECT pages FROM done('SELECT s.* FROM days s JOIN even e USING (id)');

--
-- What goes wrong in a worker
--
SET parallel_leader_participation = off;
SELECT compare('SELECT f.* FROM (SELECT k, sum(1 / (k - 3)) AS s FROM fact GROUP BY k) f JOIN dim d USING (k) WHERE d.kind = 3');
RESET parallel_leader_participation;

RESET search_path;
DROP SCHEMA join_gather CASCADE;
