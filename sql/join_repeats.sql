--
-- Join filters: what is called, hashed or read again, or by several processes.
-- What a filter drops must not change how often functions are called, nor what
-- the next scan or another process gets; join_rules has the other rules.
--
CREATE SCHEMA join_repeats;
SET search_path = join_repeats, public;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/join_rules.sql'
\i :helpers

--
-- Volatile functions are called as often as before
--
CREATE SEQUENCE calls;
CREATE FUNCTION calls(query text, OUT plain bigint, OUT filtered bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM setval('calls', 1, false);
	SET LOCAL bloomfilter.join_filters = off;
	EXECUTE 'SELECT count(*) FROM (' || query || ' OFFSET 0) AS q';
	SELECT last_value FROM calls INTO plain;
	PERFORM setval('calls', 1, false);
	SET LOCAL bloomfilter.join_filters = force;
	EXECUTE 'SELECT count(*) FROM (' || query || ' OFFSET 0) AS q';
	SELECT last_value FROM calls INTO filtered;
END $$;
\set in_target 'SELECT v.* FROM (SELECT k, nextval(''calls'') FROM big) v JOIN small s ON v.k = s.k'
SELECT * FROM try('in a target list', replace(:'in_target', 'nextval(''calls'')', 'nextval(''calls'') > 0'));
SELECT * FROM calls(:'in_target');
\set in_scan 'SELECT b.id FROM (SELECT * FROM big WHERE nextval(''calls'') > 0) b JOIN small s ON b.k = s.k'
SELECT * FROM try('in a scan', :'in_scan');
SELECT * FROM calls(:'in_scan');
\set in_join 'SELECT b.id FROM (SELECT b.* FROM big b JOIN other o ON b.id = o.y AND nextval(''calls'') + b.id > o.k OFFSET 0) b JOIN small s ON b.k = s.k'
SELECT * FROM try('in a join condition', :'in_join');
SELECT * FROM calls(:'in_join');
\set in_other 'SELECT b.id FROM (SELECT b.* FROM big b JOIN (SELECT y, nextval(''calls'') AS n FROM other OFFSET 0) o ON b.k = o.y OFFSET 0) b JOIN small s ON b.k = s.k AND s.k < 0'
SELECT * FROM try('on the other side of a join', :'in_other');
SELECT * FROM calls(:'in_other');
\set in_first 'SELECT x.k FROM (SELECT b.k FROM (SELECT k, nextval(''calls'') AS n FROM big) b JOIN (SELECT id FROM twin WHERE id < 0) e ON e.id = b.k OFFSET 0) x JOIN small s ON x.k = s.k'
SELECT * FROM try('below a join that may look at the first row only', :'in_first');
SELECT * FROM calls(:'in_first');
\set in_cte 'WITH w AS MATERIALIZED (SELECT y, nextval(''calls'') AS n FROM other, generate_series(1, 4)) SELECT * FROM (SELECT b.k FROM big b JOIN w ON w.y = b.id OFFSET 0) b WHERE b.k IN (SELECT s.k FROM small s WHERE s.k < 0)'
-- nor what may have no end, although nothing is volatile there
\set without_end 'WITH RECURSIVE r (k) AS MATERIALIZED (SELECT id FROM big UNION ALL SELECT k * 2 FROM r) SELECT x.k FROM (SELECT r.k FROM r JOIN (SELECT id FROM twin WHERE id < 0) e ON e.id = r.k OFFSET 0) x JOIN small s ON x.k = -1 - s.k'
SELECT * FROM try('below such a join, a query that calls itself', :'without_end');
SELECT * FROM try('a set', 'SELECT x.k FROM (SELECT r.k FROM (SELECT generate_series(id, 2000000000) AS k FROM big OFFSET 0) r JOIN (SELECT id FROM twin WHERE id < 0) e ON e.id = r.k OFFSET 0) x JOIN small s ON x.k = -1 - s.k');
SELECT * FROM try('below a join that may look at the first row only, of another table', 'SELECT x.k FROM (SELECT b.k FROM (SELECT k, nextval(''calls'') AS n FROM big) b
	JOIN (SELECT id FROM big WHERE id < 0) e ON e.id = b.k OFFSET 0) x JOIN small s ON x.k = s.k');
SELECT * FROM try('below such a join, a query that calls itself, of another table', 'WITH RECURSIVE r (k) AS MATERIALIZED (SELECT id FROM big UNION ALL SELECT k * 2 FROM r)
	SELECT x.k FROM (SELECT r.k FROM r JOIN (SELECT id FROM big WHERE id < 0) e ON e.id = r.k OFFSET 0) x JOIN small s ON x.k = -1 - s.k');
SELECT * FROM try('in a CTE on the other side of a join', :'in_cte');
SELECT * FROM calls(:'in_cte');
\set in_nested 'SELECT x.k FROM (SELECT b.k FROM big b JOIN twin t ON t.id = b.id AND t.id > (SELECT (SELECT nextval(''calls'') + nextval(''calls'')) + 0) OFFSET 0) x JOIN small s ON x.k = s.k AND s.k < 0'
SELECT * FROM try('in a sub-select of a sub-select on the other side', :'in_nested');
SELECT * FROM calls(:'in_nested');
\set in_other_key 'SELECT b.id FROM big b JOIN small s ON b.id = s.k - 1000 AND (SELECT b.k + nextval(''calls'')) = s.x'
SELECT * FROM try('in another key of the join', :'in_other_key');
SELECT * FROM calls(:'in_other_key');
\set in_param 'SELECT g.k FROM (SELECT k, max(x) AS x FROM big GROUP BY k) g JOIN small s ON g.k = s.k - 1000 AND g.x + (SELECT nextval(''calls'')) = s.x'
SELECT * FROM try('in another key, in a sub-select that runs once', :'in_param');
SELECT * FROM calls(:'in_param');
\set in_group 'SELECT g.* FROM (SELECT k, sum(nextval(''calls'')) AS n FROM big GROUP BY k) g JOIN small s ON g.k = s.k'
SELECT * FROM try('in an aggregate', replace(:'in_group', 'sum(nextval(''calls'')) AS n', 'count(nextval(''calls'')) AS n'));
SELECT * FROM calls(:'in_group');
-- aggregates are immutable by name, whatever they call
CREATE FUNCTION count_calls(bigint, int) RETURNS bigint LANGUAGE sql VOLATILE AS $$SELECT nextval('join_repeats.calls')$$;
CREATE AGGREGATE calling(int) (SFUNC = count_calls, STYPE = bigint);
CREATE FUNCTION finish(bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$SELECT nextval('join_repeats.calls')$$;
CREATE FUNCTION one_more(bigint, int) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
CREATE AGGREGATE calling_last(int) (SFUNC = one_more, STYPE = bigint, INITCOND = 0, FINALFUNC = finish);
\set in_transition 'SELECT g.* FROM (SELECT k, calling(id) AS n FROM big GROUP BY k) g JOIN small s ON g.k = s.k WHERE g.n IS NOT NULL'
SELECT * FROM try('in the transition function of an aggregate', replace(:'in_transition', 'g.*', 'g.k'));
SELECT * FROM calls(:'in_transition');
\set in_final 'SELECT g.* FROM (SELECT k, calling_last(id) AS n FROM big GROUP BY k) g JOIN small s ON g.k = s.k WHERE g.n IS NOT NULL'
SELECT * FROM calls(:'in_final');
\set in_window 'SELECT g.* FROM (SELECT k, calling(id) OVER (PARTITION BY k) AS n FROM big) g JOIN small s ON g.k = s.k WHERE g.n IS NOT NULL'
SELECT * FROM calls(:'in_window');
\set in_hashed_aggregate 'SELECT b.id FROM big b JOIN (SELECT k, calling(x) AS n FROM small GROUP BY k) s ON b.k = s.k WHERE s.n IS NOT NULL'
SELECT * FROM try('in an aggregate on the side that is hashed', :'in_hashed_aggregate');
SELECT * FROM calls(:'in_hashed_aggregate');
-- a merge of tables in order reads on in that of which it returned a row
CREATE TABLE merged (id int, k int) PARTITION BY RANGE (id);
CREATE TABLE merged_low PARTITION OF merged FOR VALUES FROM (0) TO (1000);
CREATE TABLE merged_high PARTITION OF merged FOR VALUES FROM (1000) TO (2000);
INSERT INTO merged SELECT i, 5000 + i FROM generate_series(1, 999) AS i;
INSERT INTO merged SELECT 1000 + i, i FROM generate_series(1, 900) AS i;
INSERT INTO merged VALUES (0, -1);
CREATE INDEX ON merged (k);
ANALYZE merged;
SET enable_sort = off;
SET enable_bitmapscan = off;
\set in_merge 'SELECT m.k FROM (SELECT * FROM merged WHERE nextval(''calls'') > 0 ORDER BY k) m JOIN small s ON m.k = s.k LIMIT 2'
SELECT * FROM try('in tables that are merged', :'in_merge');
SELECT * FROM calls(:'in_merge');
RESET enable_sort;
RESET enable_bitmapscan;
\set in_hash 'SELECT b.id FROM big b JOIN (SELECT k, nextval(''calls'') AS n FROM small OFFSET 0) s ON b.k = s.k'
SELECT * FROM try('on the side that is hashed', :'in_hash');
SELECT * FROM calls(:'in_hash');

-- nor fewer times because the rows left are few enough to be kept for the next scan
CREATE TABLE tens AS SELECT i * 1000 AS k FROM generate_series(1, 5) AS i;
CREATE TABLE many AS SELECT i AS id, i % 1000 AS k FROM generate_series(1, 20000) AS i;
ANALYZE tens, many;
CREATE TABLE long AS SELECT i AS k, i % 10 AS x FROM generate_series(1, 200000) AS i;
CREATE TABLE long_tens AS SELECT i * 10 AS k, i % 10 AS x FROM generate_series(1, 20000) AS i;
ANALYZE long, long_tens;
SET enable_sort = off;
SET enable_material = off;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
\set in_kept 'SELECT f.x, (SELECT sum(c) + 0 * f.x FROM (SELECT k, count(*) AS c FROM (SELECT id AS k FROM many WHERE nextval(''calls'') > 0) v GROUP BY k) g JOIN tens s USING (k) WHERE f.x > 0) FROM generate_series(1, 3) AS f (x)'
SELECT * FROM try('below groups that are kept', :'in_kept');
SELECT * FROM calls(:'in_kept');
SELECT * FROM try('below groups that are kept, nothing volatile', replace(:'in_kept', 'nextval(''calls'')', 'id'));
SELECT * FROM try('groups of other rows that are kept', 'SELECT f.x, (SELECT sum(c) + 0 * f.x FROM (SELECT k, count(*) AS c
	FROM (SELECT k FROM long WHERE nextval(''calls'') > 0) v GROUP BY k) g JOIN few s ON g.k = s.g WHERE f.x > 0) FROM generate_series(1, 3) AS f (x)');
SET join_collapse_limit = 1;
\set in_kept_table 'SELECT f.x, (SELECT count(*) + 0 * f.x FROM (many t JOIN (SELECT id FROM many WHERE nextval(''calls'') > 0 AND id + 0 = id AND k + 0 = k OFFSET 0) v ON v.id = t.id) JOIN tens s ON v.id = s.k WHERE f.x > 0) FROM generate_series(1, 3) AS f (x)'
SELECT rows, missing, added FROM try('below a hash table that is kept', :'in_kept_table');
SELECT * FROM calls(:'in_kept_table');
RESET join_collapse_limit;
RESET enable_sort;
RESET enable_material;
RESET work_mem;
RESET hash_mem_multiplier;

--
-- Rescans
--
-- The filter of the last scan would be wrong for the next.
SELECT * FROM try('the hashed side depends on an outer row',
	'SELECT x, (SELECT count(*) FROM big b JOIN small s ON b.k = s.k AND s.x = f.x) FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('and the other side is kept, grouped',
	'SELECT x, (SELECT sum(c) FROM (SELECT k, count(*) AS c FROM big GROUP BY k) b JOIN small s ON b.k = s.k AND s.x = f.x)
	FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('and the other side is kept, sorted',
	'SELECT x, (SELECT sum(n) FROM (SELECT k, row_number() OVER (PARTITION BY k ORDER BY id) AS n FROM big) b
		JOIN small s ON b.k = s.k AND s.x = f.x) FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('a key depends on an outer row',
	'SELECT x, (SELECT sum(c) FROM (SELECT k, count(*) AS c FROM big GROUP BY k) b JOIN small s ON b.k = s.k + f.x)
	FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('both sides depend on an outer row',
	'SELECT x, (SELECT count(*) FROM (SELECT * FROM big WHERE big.x = f.x OFFSET 0) b JOIN small s ON b.k = s.k AND s.x = f.x)
	FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('the other side depends on an outer row',
	'SELECT x, (SELECT count(*) FROM (SELECT * FROM big WHERE big.x = f.x OFFSET 0) b JOIN small s ON b.k = s.k)
	FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('and is grouped',
	'SELECT x, (SELECT sum(c) FROM (SELECT k, count(*) AS c FROM big WHERE big.x = f.x GROUP BY k) b JOIN small s ON b.k = s.k)
	FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('nothing depends on it',
	'SELECT f.x, (SELECT count(*) + f.x FROM big b JOIN small s ON b.k = s.k) FROM generate_series(0, 6) AS f (x)');
SELECT * FROM try('the value of a sub-select',
	'SELECT b.id FROM big b JOIN small s ON b.k = s.k AND s.x = (SELECT min(x) FROM small WHERE x >= 0)');
SELECT * FROM why('another scan may hash other rows', 'SELECT x, (SELECT count(*) FROM (SELECT k, count(*) FROM big GROUP BY k) b
	JOIN (SELECT k FROM small TABLESAMPLE bernoulli (50)) s ON b.k = s.k WHERE x >= 0) FROM generate_series(1, 3) AS f (x)');
SELECT * FROM try('a join that stops anew', 'SELECT sum(n) FROM few CROSS JOIN LATERAL (SELECT count(*) AS n FROM other o JOIN big b ON b.x = o.y
	JOIN small s ON s.k = b.k WHERE o.k = few.g) l');

-- What is hashed differs from scan to scan, though it depends on nothing.
CREATE FUNCTION turn() RETURNS int LANGUAGE sql VOLATILE AS $$SELECT nextval('join_repeats.calls')::int$$;
CREATE FUNCTION kept(n int) RETURNS bigint LANGUAGE sql AS $$
	SELECT setval('calls', 1, false);
	SELECT sum(found) FROM (
		SELECT (SELECT count(*) FROM (SELECT k, count(*) FROM big GROUP BY k) b
			JOIN (SELECT turn() * 10 AS k OFFSET 0) s ON b.k = s.k WHERE x >= 0) AS found
		FROM generate_series(1, n) AS f (x)) AS scans
$$;
SET bloomfilter.join_filters = off;
SELECT kept(20);
SET bloomfilter.join_filters = force;
SELECT kept(20);

--
-- A row of the outer side may be read before anything is hashed
--
SET bloomfilter.join_filters = force;
SELECT * FROM try('before there is a filter',
	'SELECT g.* FROM (SELECT k, count(*) FROM big GROUP BY k) g JOIN (SELECT k FROM small ORDER BY k OFFSET 0) s ON g.k = s.k');
SELECT * FROM try('a group of which one row was read',
	'SELECT g.* FROM (SELECT k, count(*) FROM big GROUP BY k) g JOIN (SELECT k, count(*) FROM (SELECT generate_series(1, 100000) AS k) q GROUP BY k) s ON g.k = s.k');
SELECT * FROM try('nothing is hashed', 'SELECT b.id FROM big b JOIN (SELECT * FROM small WHERE x = 99) s ON b.k = s.k');

-- A hash table in parts: the filter is of all of them.
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT * FROM try('many batches', 'SELECT b.id, o.y FROM big b JOIN big c ON b.k = c.k AND c.g < 10 JOIN other o ON o.y = b.id');
RESET work_mem;
RESET hash_mem_multiplier;

--
-- Processes that hash for themselves
--
-- Each may hash other rows; what it drops of a hash table that all of them
-- share would be missing for the others.  For each id up to 500 there is exactly
-- one match, whatever the sample.
CREATE TABLE shared_ids AS SELECT i AS id, CASE WHEN i <= 500 THEN i END AS k FROM generate_series(1, 60000) AS i;
CREATE TABLE shared_rows AS SELECT * FROM (
	SELECT i AS id, i AS k, v FROM generate_series(1, 500) AS i, generate_series(0, 1) AS v
	UNION ALL SELECT i, -i, 0 FROM generate_series(100001, 120000) AS i) AS scattered ORDER BY hashint4(2 * id + v);
CREATE TABLE sampled AS SELECT k, i AS v, repeat('x', 100) AS pad FROM generate_series(1, 500) AS k, generate_series(1, 40) AS i;
CREATE TABLE sampled_one AS SELECT i AS n, repeat('x', 1000) AS pad FROM generate_series(1, 400) AS i;
CREATE TABLE sampled_all AS SELECT k, v FROM shared_rows WHERE k > 0;
CREATE TABLE sampled_not AS SELECT i AS k, i % 2 AS v FROM generate_series(1, 500) AS i;
ALTER TABLE sampled SET (parallel_workers = 0);
ALTER TABLE sampled_all SET (parallel_workers = 0);
ALTER TABLE sampled_not SET (parallel_workers = 0);
ANALYZE shared_ids, shared_rows, sampled, sampled_one, sampled_all, sampled_not;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET join_collapse_limit = 1;
SET from_collapse_limit = 1;
SELECT * FROM try('the sums of a sample, and a shared hash table', 'SELECT count(*) FROM (shared_ids t JOIN shared_rows r USING (id))
	JOIN (SELECT k, sum(v) % 2 AS v FROM sampled TABLESAMPLE bernoulli (50) GROUP BY k) s ON s.k = r.k AND s.v = r.v');
SELECT * FROM try('the same rows in each process', 'SELECT count(*) FROM (shared_ids t JOIN shared_rows r USING (id))
	JOIN sampled_not s ON s.k = r.k AND s.v = r.v');
SELECT * FROM try('the groups of a sample, and batches that are shared', 'SELECT count(*) > 0 FROM (shared_ids t JOIN shared_rows r USING (id))
	JOIN (SELECT k, sum(v) AS v FROM sampled TABLESAMPLE bernoulli (1) GROUP BY k) s ON s.k = t.k');
-- from 17 on each may have its own result of a sub-select
CREATE FUNCTION try_above_shared(label text, query text, OUT rows bigint, OUT missing bigint, OUT added bigint, OUT above_what_is_shared bool) LANGUAGE sql AS $$
	SELECT t.rows, t.missing, t.added,
	       current_setting('server_version_num')::int < 170000 OR t.tested_above = 'Hash Join Inner, Seq Scan t'
	  FROM try(label, query) AS t;
$$;
CREATE VIEW sampled_by_one WITH (security_barrier) AS
	SELECT k, v FROM sampled_all WHERE v = (SELECT sum(n) % 2 FROM sampled_one TABLESAMPLE bernoulli (50));
SET parallel_tuple_cost = 0.1;
SELECT * FROM try_above_shared('the result of a sub-select', 'SELECT count(*) FROM (shared_ids t JOIN shared_rows r USING (id)) JOIN sampled_by_one s ON s.k = r.k AND s.v = r.v');
CREATE VIEW sampled_by_another WITH (security_barrier) AS
	SELECT k, v FROM sampled_all WHERE v = (SELECT (SELECT sum(n) % 2 FROM sampled_one TABLESAMPLE bernoulli (50)) + 0);
SELECT * FROM try_above_shared('of a sub-select of that', 'SELECT count(*) FROM (shared_ids t JOIN shared_rows r USING (id)) JOIN sampled_by_another s ON s.k = r.k AND s.v = r.v');
-- and of an array, whose order each scan may have for itself
CREATE VIEW sampled_by_order WITH (security_barrier) AS
	SELECT k, v FROM sampled_all WHERE v = (ARRAY(SELECT n % 2 FROM sampled_one))[1];
SELECT * FROM try_above_shared('of an array', 'SELECT count(*) FROM (shared_ids t JOIN shared_rows r USING (id)) JOIN sampled_by_order s ON s.k = r.k AND s.v = r.v');
-- also where the key needs it, and nothing else that is hashed
CREATE VIEW keyed_by_one WITH (security_barrier) AS
	SELECT t.id FROM (shared_ids t JOIN shared_rows r USING (id)) JOIN sampled_all s
		ON s.k = r.k AND s.v + (SELECT sum(n) % 2 FROM sampled_one TABLESAMPLE bernoulli (50))::int = r.v WHERE s.v = 0;
SELECT * FROM try_above_shared('in a key', 'SELECT count(*) FROM keyed_by_one');
SET parallel_tuple_cost = 0;
RESET join_collapse_limit;
RESET from_collapse_limit;
SET enable_material = off;
SET parallel_leader_participation = off;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SET seq_page_cost = 0;
CREATE TABLE sampled_parts (k int, pad text) PARTITION BY RANGE (k);
CREATE TABLE sampled_low PARTITION OF sampled_parts FOR VALUES FROM (0) TO (150);
CREATE TABLE sampled_high PARTITION OF sampled_parts FOR VALUES FROM (150) TO (300);
INSERT INTO sampled_parts SELECT i % 300, repeat('x', 1000) FROM generate_series(0, 9999) AS i;
CREATE TABLE all_keys AS SELECT i % 300 AS k, i AS id FROM generate_series(1, 600) AS i;
ALTER TABLE all_keys SET (parallel_workers = 0);
ANALYZE sampled_parts, all_keys;
-- every row of a sample has a match, also of the next sample
SELECT * FROM try('another sample each time', 'SELECT x, (SELECT ARRAY[count(*) FILTER (WHERE g.k IS NULL), least(count(pad), 0)]::text
	FROM (SELECT k, upper(pad) AS pad FROM sampled_parts TABLESAMPLE bernoulli (2) WHERE k + 0 = k) s
	LEFT JOIN (SELECT k, count(*) AS n FROM all_keys GROUP BY k) g ON s.k = g.k WHERE x > 0) FROM generate_series(1, 5) AS x');
-- and one way or the other, also by what a sub-select reads anew for each row
CREATE TABLE either_keys AS SELECT i AS k FROM generate_series(1, 8) AS i;
CREATE TABLE either_rows AS SELECT k, v, i AS id FROM generate_series(1, 8) AS k, generate_series(0, 1) AS v, generate_series(1, 100) AS i;
CREATE TABLE either_way AS SELECT i AS id FROM generate_series(1, 20000) AS i;
ALTER TABLE either_keys SET (parallel_workers = 0);
ALTER TABLE either_rows SET (parallel_workers = 0);
ALTER TABLE either_rows ALTER k SET (n_distinct = 30000);
ANALYZE either_keys, either_rows, either_way;
SET enable_sort = off;
SELECT * FROM try('by a sub-select', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), 0)]::text
	FROM (SELECT k, repeat(k::text, 12000) AS pad, (SELECT (SELECT n FROM (SELECT (id / 57) % 2 AS n FROM either_way LIMIT 1 OFFSET 3000) AS a
		WHERE n + 0 * either_keys.k > -1)) AS v FROM either_keys WHERE k + 0 = k OFFSET 0) s
	JOIN (SELECT k, v, count(*) AS n FROM either_rows GROUP BY k, v) g USING (k, v) WHERE x > 0) FROM generate_series(1, 2) AS x');
SELECT * FROM try('by a CTE', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), 0)]::text
	FROM (SELECT k, repeat(k::text, 12000) AS pad, (WITH c AS MATERIALIZED (SELECT n FROM (SELECT (id / 57) % 2 AS n FROM either_way LIMIT 1 OFFSET 3000) AS a
		WHERE n + 0 * either_keys.k > -1) SELECT n FROM c) AS v FROM either_keys WHERE k + 0 = k OFFSET 0) s
	JOIN (SELECT k, v, count(*) AS n FROM either_rows GROUP BY k, v) g USING (k, v) WHERE x > 0) FROM generate_series(1, 2) AS x');
SELECT * FROM try('by the order of an array', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), 0)]::text
	FROM (SELECT k, repeat(k::text, 12000) AS pad, (SELECT (ARRAY(SELECT n FROM (SELECT n % 2 AS n FROM sampled_one OFFSET 0) AS a
		WHERE n + 0 * either_keys.k > -1))[200]) AS v FROM either_keys WHERE k + 0 = k OFFSET 0) s
	JOIN (SELECT k, v, count(*) AS n FROM either_rows GROUP BY k, v) g USING (k, v) WHERE x > 0) FROM generate_series(1, 2) AS x');
SET join_repeats.part = 0;
SELECT * FROM try('by a setting, through a stable function', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), x * 0)]::text
	FROM (SELECT k, repeat(k::text, 40000) AS pad FROM either_keys WHERE k % 2 = current_setting(''join_repeats.part'')::int OFFSET 0) s
	JOIN (SELECT k, count(*) AS n FROM either_rows GROUP BY k) g USING (k))
	FROM (SELECT x, set_config(''join_repeats.part'', (x % 2)::text, false) FROM generate_series(0, 3) AS x OFFSET 0) AS o');
SET extra_float_digits = 0;
SELECT * FROM try('by a setting, through a cast', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), x * 0)]::text
	FROM (SELECT k, repeat(k::text, 40000) AS pad FROM either_keys WHERE k <> 7 AND (length((k::float8 / 7)::text) > 17) = (k % 2 = 0) OFFSET 0) s
	JOIN (SELECT k, count(*) AS n FROM either_rows GROUP BY k) g USING (k))
	FROM (SELECT x, set_config(''extra_float_digits'', (x % 2)::text, false) FROM generate_series(0, 3) AS x OFFSET 0) AS o');
RESET extra_float_digits;
-- or through what only the catalog calls immutable: quoted names, time zones' abbreviations
SET quote_all_identifiers = off;
SELECT * FROM try('by a setting, through quote_ident()', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), x * 0)]::text
	FROM (SELECT k, repeat(chr(96 + k), 40000) AS pad FROM either_keys WHERE (length(quote_ident(chr(96 + k))) = 1) = (k % 2 = 0) OFFSET 0) s
	JOIN (SELECT k, count(*) AS n FROM either_rows GROUP BY k) g USING (k))
	FROM (SELECT x, set_config(''quote_all_identifiers'', (x % 2)::text, false) FROM generate_series(0, 3) AS x OFFSET 0) AS o');
RESET quote_all_identifiers;
SET timezone_abbreviations = 'Default';
SELECT * FROM try('by a setting, through AT TIME ZONE', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), x * 0)]::text
	FROM (SELECT k, repeat(chr(96 + k), 40000) AS pad FROM either_keys
		WHERE ((timestamp ''2000-01-01 12:00'' + k * interval ''0'') AT TIME ZONE ''EST'' = timestamptz ''2000-01-01 17:00+0'') = (k % 2 = 0) OFFSET 0) s
	JOIN (SELECT k, count(*) AS n FROM either_rows GROUP BY k) g USING (k))
	FROM (SELECT x, set_config(''timezone_abbreviations'', CASE x % 2 WHEN 1 THEN ''Australia'' ELSE ''Default'' END, false) FROM generate_series(0, 3) AS x OFFSET 0) AS o');
RESET timezone_abbreviations;
-- times in jsonpath follow settings from 17 on
SELECT * FROM why('by jsonpath', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), x * 0)]::text
	FROM (SELECT k, repeat(chr(96 + k), 40000) AS pad FROM either_keys WHERE (jsonb_object(ARRAY[''k'', chr(96 + k)]) @? ''$.k'') = (k > 0) OFFSET 0) s
	JOIN (SELECT k, count(*) AS n FROM either_rows GROUP BY k) g USING (k)) FROM generate_series(0, 3) AS x');
CREATE FUNCTION lock_all() RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM FROM join_repeats.either_keys FOR UPDATE; RETURN 0; END';
SELECT tested_above, why FROM why('by who locks them', 'SELECT x, (SELECT ARRAY[count(g.n), least(min(length(pad)), x * 0)]::text
	FROM (SELECT k, repeat(k::text, 40000) AS pad FROM either_keys WHERE (k % 2 = 0) = (xmax <> 0) OFFSET 0) s
	JOIN (SELECT k, count(*) AS n FROM either_rows GROUP BY k) g USING (k))
	FROM (SELECT x, CASE WHEN x = 2 THEN lock_all() END FROM generate_series(1, 2) AS x OFFSET 0) AS o');
-- also where a cursor goes back to its start, and its Sort for a number of rows needs more
\set rewound 'SELECT g.k, g.n, length(pad) FROM (SELECT k, repeat(k::text, 40000) AS pad FROM either_keys WHERE k % 2 = current_setting(''join_repeats.part'')::int OFFSET 0) s JOIN (SELECT k, count(*) AS n FROM either_rows GROUP BY k) g USING (k) ORDER BY g.k LIMIT current_setting(''join_repeats.rows'')::int'
SET bloomfilter.join_filters = force;
SET join_repeats.part = 0;
SET join_repeats.rows = 2;
RESET enable_sort;
BEGIN;
DECLARE c CURSOR FOR :rewound;
FETCH ALL FROM c;
SET join_repeats.part = 1;
SET join_repeats.rows = 3;
MOVE ABSOLUTE 0 IN c;
FETCH ALL FROM c;
ROLLBACK;
RESET bloomfilter.join_filters;
RESET enable_material;
RESET parallel_leader_participation;
RESET work_mem;
RESET hash_mem_multiplier;
RESET seq_page_cost;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TEMP TABLE own AS SELECT * FROM small;
ANALYZE own;
SELECT * FROM try('workers that start before the join hashes', 'SELECT l.x FROM (SELECT * FROM long WHERE clock_timestamp() > ''2000-01-01'') l JOIN own s ON l.k = s.k');
SELECT * FROM try('workers that have the filter', 'SELECT l.x FROM long l JOIN own s ON l.k = s.k');
ALTER TABLE small SET (parallel_workers = 0);
SET join_collapse_limit = 1;
SELECT * FROM why('workers share what another join hashes', 'SELECT count(*) FROM (long a JOIN long b USING (k))
	JOIN (SELECT k, sum(x) AS x FROM small TABLESAMPLE bernoulli (50) GROUP BY k) s ON s.k = b.k AND s.x = b.x');
RESET parallel_tuple_cost;
SELECT why FROM why('workers share what may be hashed again', 'SELECT x, (SELECT n + x FROM (SELECT count(*) AS n FROM long a
	JOIN (long_tens t JOIN small s TABLESAMPLE bernoulli (50) ON t.x = s.x) ON a.k = t.k) q) FROM generate_series(1, 3) AS f (x)') WHERE why IS NOT NULL;
RESET join_collapse_limit;
RESET parallel_setup_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

--
-- Planning looks at each CTE once
--
SELECT 'WITH c0 AS MATERIALIZED (SELECT id AS k FROM twin WHERE id < 9)' ||
	string_agg(format(', c%s AS MATERIALIZED (SELECT a.k FROM c%s a JOIN c%s b ON a.k = b.k)', n, n - 1, n - 1), '' ORDER BY n) ||
	' SELECT * FROM c30' AS ctes
	FROM generate_series(1, 30) AS n \gset
SET statement_timeout = '60s';
SELECT rows, missing, added FROM try('CTEs of CTEs', :'ctes');
RESET statement_timeout;

--
-- Rows read: a join that finds nothing on its other side takes one row of its
-- outer side in each scan, however often; it must not look for one that passes
--
CREATE TABLE runs AS SELECT i AS id, i + 1000 AS k FROM generate_series(1, 30) AS i;
CREATE TABLE looked_up AS SELECT i % 100 AS k, i AS x, i::money AS m FROM generate_series(1, 2000) AS i;
CREATE TABLE read AS SELECT i AS id, i % 2000 AS x, (i % 2000)::money AS m, i % 100 * 2 AS y FROM generate_series(1, 20000) AS i;
CREATE TABLE odd AS SELECT i * 2 - 1 AS y FROM generate_series(1, 3) AS i;
CREATE INDEX ON looked_up (k);
CREATE INDEX ON looked_up (k, m);
CREATE INDEX ON read (m);
ANALYZE runs, looked_up, read, odd;
CREATE FUNCTION rows_read(query text, tab text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	result numeric;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, COSTS OFF, TIMING OFF) ' || query INTO plan;
	WITH RECURSIVE node (node) AS (
		SELECT plan -> 0 -> 'Plan'
		UNION ALL
		SELECT child FROM node, json_array_elements(node -> 'Plans') AS child
	)
	SELECT round(sum((node ->> 'Actual Rows')::numeric * (node ->> 'Actual Loops')::numeric)) FROM node
	 WHERE node ->> 'Relation Name' = tab
	  INTO result;
	RETURN result;
END $$;
SET join_collapse_limit = 1;
SELECT $$SELECT (SELECT count(*) FROM looked_up s JOIN read b ON b.x = s.x JOIN odd d ON d.y = b.y WHERE s.k = o.k) FROM runs o$$ AS again \gset
SELECT * FROM try('nothing hashed, again and again', :'again');
SET bloomfilter.join_filters = force;
SELECT rows_read(:'again', 'read');
RESET bloomfilter.join_filters;
-- likewise of a merge join, as of all values of a type that cannot be hashed
SET enable_mergejoin = on;
SET enable_sort = off;
SET enable_seqscan = off;
SELECT $$SELECT (SELECT count(*) FROM (SELECT b.y FROM read b WHERE EXISTS (SELECT 1 FROM looked_up s WHERE b.m = s.m AND s.k = o.k)) m JOIN odd d ON d.y = m.y) FROM runs o$$ AS merged \gset
SELECT * FROM try('likewise a merge join', :'merged');
SET bloomfilter.join_filters = force;
SELECT rows_read(:'merged', 'read');
RESET bloomfilter.join_filters;
SET enable_mergejoin = off;
RESET enable_sort;
RESET enable_seqscan;
RESET join_collapse_limit;
-- nor read on where rows may have no end: a program that goes on to write
CREATE EXTENSION file_fdw SCHEMA public;
CREATE SERVER program FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE endless (x int, y int) SERVER program OPTIONS (program 'yes 1,1', format 'csv');
SET join_collapse_limit = 1;
SET statement_timeout = '60s';
SELECT * FROM try('a program without an end', 'SELECT e.x FROM endless e JOIN (SELECT x FROM looked_up WHERE k = -1) s ON s.x = e.x JOIN odd d ON d.y = e.y');
RESET statement_timeout;
RESET join_collapse_limit;
DROP EXTENSION file_fdw CASCADE;

--
-- Plans that are kept: made anew when a function is altered that nothing but an
-- aggregate or a hash join calls
--
CREATE FUNCTION plus(bigint, int) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1 + coalesce($2, 0)';
CREATE AGGREGATE total(int) (SFUNC = plus, STYPE = bigint, INITCOND = '0');
CREATE FUNCTION lines(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ '(bloomfilter probe|Bloom Filter Key|Aggregate|Join|Scan on)' THEN
			RETURN NEXT line;
		END IF;
	END LOOP;
END $$;
SET bloomfilter.join_filters = force;
PREPARE totals AS SELECT * FROM (SELECT k, total(x) FROM big GROUP BY k) b JOIN small s USING (k);
SELECT lines('EXECUTE totals');
ALTER FUNCTION plus VOLATILE;
SELECT lines('EXECUTE totals');
DEALLOCATE totals;
-- a cast to a domain calls what its constraints call
CREATE FUNCTION is_counted(int) RETURNS boolean LANGUAGE sql VOLATILE AS $$SELECT nextval('join_repeats.calls') > 0$$;
CREATE DOMAIN counted AS int CHECK (is_counted(VALUE));
CREATE DOMAIN uncounted AS int;
SELECT * FROM why('domain', 'SELECT count(*) FROM big b JOIN small s ON b.k = s.k::counted');
SELECT * FROM why('domain', 'SELECT count(*) FROM big b JOIN small s ON b.k = s.k::uncounted');
SELECT * FROM why('domain', 'SELECT sum(c) FROM (SELECT k, count(x::counted) AS c FROM big GROUP BY k) b JOIN small s USING (k)');
CREATE TYPE numbered AS (n int);
CREATE FUNCTION numbered_equal(numbered, numbered) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN ($1).n = ($2).n; END';
CREATE FUNCTION numbered_hash(numbered) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
	$$BEGIN ASSERT ($1).n <> 7, 'not 7'; RETURN ($1).n; END$$;
CREATE OPERATOR ==== (FUNCTION = numbered_equal, LEFTARG = numbered, RIGHTARG = numbered, COMMUTATOR = ====, HASHES);
CREATE OPERATOR CLASS numbered_ops FOR TYPE numbered USING hash AS OPERATOR 1 ====, FUNCTION 1 numbered_hash(numbered);
CREATE FUNCTION same(numbered) RETURNS numbered LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1; END';
CREATE TABLE numbers AS SELECT i AS id, ROW(i % 7)::numbered AS a, ROW(i % 7)::numbered AS n FROM generate_series(1, 2000) AS i;
CREATE TABLE seven AS SELECT CASE WHEN i < 7 THEN ROW(i)::numbered END AS a, ROW(i)::numbered AS n FROM generate_series(1, 7) AS i;
ANALYZE numbers, seven;
CREATE TABLE ints AS SELECT i AS id, i % 7 AS k FROM generate_series(1, 2000) AS i;
ANALYZE ints;
ALTER FUNCTION numbered_hash(numbered) LEAKPROOF;
PREPARE hashed AS SELECT * FROM (SELECT x.n FROM numbers x JOIN ints i USING (id) OFFSET 0) b WHERE EXISTS (SELECT 1 FROM seven s WHERE b.n ==== s.n);
SELECT lines('EXECUTE hashed');
ALTER FUNCTION numbered_hash(numbered) NOT LEAKPROOF;
SELECT lines('EXECUTE hashed');
DEALLOCATE hashed;
RESET bloomfilter.join_filters;

DROP SCHEMA join_repeats CASCADE;
