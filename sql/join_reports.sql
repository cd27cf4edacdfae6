--
-- Join filters: what bloom_join_filters and bloom_join_filter_status report.
-- The reasons of the rules are in join_rules and join_repeats.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET enable_memoize = off;
SET bloomfilter.join_filter_min_rows = 0;
CREATE SCHEMA join_reports;
SET search_path = join_reports, public;

CREATE TABLE big (id int PRIMARY KEY, k int, g int, t text, x int);
INSERT INTO big SELECT i, i % 1000, i % 50, 't' || i % 1000, i % 7 FROM generate_series(1, 5000) AS i;
CREATE TABLE small (k int, t text, x int);
INSERT INTO small SELECT i * 10, 't' || i * 10, i % 7 FROM generate_series(1, 20) AS i;
CREATE TABLE other (k int, y int);
INSERT INTO other SELECT i % 700, i FROM generate_series(1, 2000) AS i;
CREATE TABLE few (g int);
INSERT INTO few VALUES (3), (4), (NULL);
CREATE SEQUENCE calls;
ANALYZE big, small, other, few;
CREATE TABLE long AS SELECT i AS k, i % 10 AS x FROM generate_series(1, 200000) AS i;
CREATE TABLE tens AS SELECT i * 10 AS k, i % 10 AS x FROM generate_series(1, 20000) AS i;
ANALYZE long, tens;

-- without force
SET bloomfilter.join_filters = on;
CREATE FUNCTION why_on(query text, OUT verdict text, OUT why text) RETURNS SETOF record LANGUAGE sql AS $$
	SELECT verdict, regexp_replace(reason, 'costs \d+ and saves \d+', 'costs n and saves n') FROM bloom_join_filters(query)
$$;
SET enable_hashagg = off;
SELECT * FROM why_on('SELECT g.* FROM (SELECT k, count(*) FROM big GROUP BY k) g JOIN small s ON g.k = s.k LIMIT 1');
RESET enable_hashagg;
CREATE TABLE prices AS SELECT k, x, id::money AS price FROM big;
CREATE INDEX ON prices (price);
CREATE TABLE low AS SELECT i::money AS price, i AS x FROM generate_series(1, 20) AS i;
CREATE INDEX ON low (price);
ANALYZE prices, low;
SET enable_mergejoin = on;
SET enable_sort = off;
SET enable_seqscan = off;
SELECT substring(why FROM 'Rows are not tested below.*') AS why FROM why_on('SELECT p.k FROM (SELECT k FROM prices p WHERE EXISTS (
	SELECT 1 FROM low l WHERE l.price = p.price AND l.x >= p.x) OFFSET 0) p JOIN small s ON s.k = p.k') WHERE why !~ 'The merge join sorts neither side';
RESET enable_sort;
RESET enable_seqscan;
SET enable_mergejoin = off;

--
-- Gain
--
CREATE TABLE most AS SELECT i AS k FROM generate_series(0, 999) AS i;
ANALYZE most;
SELECT * FROM why_on('SELECT b.id FROM big b JOIN most m ON b.k = m.k');
SELECT * FROM why_on('SELECT b.id FROM (SELECT k AS id, count(*) FROM big GROUP BY k) b JOIN small s ON b.id = s.k');
SET bloomfilter.join_filter_min_rows = 10000;
SELECT * FROM why_on('SELECT b.id FROM (SELECT k AS id, count(*) FROM big GROUP BY k) b JOIN small s ON b.id = s.k');
SET bloomfilter.join_filters = force;
SELECT * FROM why_on('SELECT b.id FROM (SELECT k AS id, count(*) FROM big GROUP BY k) b JOIN small s ON b.id = s.k');
SET bloomfilter.join_filters = on;
-- the frequent value makes the small table dear to hash
CREATE TABLE frequent AS SELECT 1 AS k, i AS x FROM generate_series(1, 5000) AS i;
ANALYZE frequent;
SELECT * FROM why_on('SELECT l.x FROM long l JOIN frequent f ON l.k = f.k');
SELECT * FROM why_on('SELECT l.x FROM long l WHERE l.k IN (SELECT k FROM frequent)');
SET bloomfilter.join_filters = off;
SET bloomfilter.join_filter_min_rows = 0;
SELECT * FROM why_on('SELECT b.id FROM (SELECT k AS id, count(*) FROM big GROUP BY k) b JOIN small s ON b.id = s.k');
SET bloomfilter.join_filters = on;
SET bloomfilter.join_filter_memory = '64kB';
SELECT * FROM why_on('SELECT l.x FROM long l JOIN tens t ON l.k = t.k');
RESET bloomfilter.join_filter_memory;
SELECT * FROM why_on('SELECT l.x FROM long l JOIN tens t ON l.k = t.k');
SELECT * FROM why_on('SELECT l.x FROM long l JOIN tens t ON l.k = t.k AND t.x = 3
	WHERE bloom_contains((SELECT bloom_agg(k) FROM tens), l.k)');
-- more than are added to one scan
SELECT 'SELECT count(*) FROM wide ' || string_agg(format('JOIN small AS s%s ON s%s.k = wide.c%s', n, n, n), ' ') AS star
	FROM generate_series(1, 12) AS n \gset
CREATE TABLE wide AS
	SELECT i AS c1, i AS c2, i AS c3, i AS c4, i AS c5, i AS c6, i AS c7, i AS c8, i AS c9, i AS c10, i AS c11, i AS c12
	FROM generate_series(1, 1000) AS i;
ANALYZE wide;
SET bloomfilter.join_filters = force;
SET join_collapse_limit = 1;
SELECT verdict, count(*), substring(reason FROM 'Other.*?\.') AS others FROM bloom_join_filters(:'star') GROUP BY 1, 3 ORDER BY 1;
RESET join_collapse_limit;
SET bloomfilter.join_filters = on;

--
-- Joins that are no hash joins
--
SET enable_nestloop = on;
SET enable_hashjoin = off;
SELECT join_type, join_key, tested_above, verdict, reason FROM bloom_join_filters('SELECT * FROM small s JOIN big b ON b.id = s.k');
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT join_type, join_key, tested_above, verdict, reason FROM bloom_join_filters('SELECT * FROM small s LEFT JOIN big b ON b.id > s.k');
RESET enable_indexscan;
RESET enable_bitmapscan;
CREATE FUNCTION loops(query text) RETURNS TABLE (join_type text, reason text) LANGUAGE sql AS
	'SELECT join_type, reason FROM bloom_join_filters(query)';
-- partitions are reached by index, too; and what another loop reads
CREATE TABLE parted (id int) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10000);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (10000) TO (20000);
INSERT INTO parted SELECT generate_series(1, 19999);
CREATE INDEX ON parted (id);
ANALYZE parted;
SELECT * FROM loops('SELECT * FROM small s JOIN parted p ON p.id = s.k');
SELECT * FROM loops('SELECT * FROM small s, LATERAL (SELECT b.id FROM big b JOIN big c ON c.id = b.id + 1 WHERE b.id = s.k OFFSET 0) AS q');
SELECT * FROM loops('SELECT * FROM small s JOIN big b ON b.ctid = (''(0,'' || s.k || '')'')::tid');
-- an index that is not asked for a column of the other side
SELECT * FROM loops('SELECT * FROM small s JOIN big b ON b.k > s.k WHERE b.id = 7');
-- the inner side is computed anew
SELECT * FROM loops('SELECT * FROM small s, LATERAL (SELECT count(*) FROM few WHERE few.g < s.k) AS q');
-- an equality, but one side has only one row; and equality of a type that has no hash
SELECT * FROM loops('SELECT * FROM (SELECT count(*) AS g FROM small) AS v JOIN few USING (g)');
SELECT * FROM loops('SELECT * FROM small s JOIN small b ON s.k::text::bit(8) = b.k::text::bit(8)');
SELECT * FROM loops('SELECT * FROM few FULL JOIN small ON true');
SET enable_nestloop = off;
SET enable_mergejoin = on;
SELECT join_type, join_key, tested_above, verdict, reason FROM bloom_join_filters('SELECT * FROM small s JOIN big b ON b.k = s.k AND b.t = s.t');
SET enable_mergejoin = off;
SET enable_hashjoin = on;
-- nor a join at all
SELECT * FROM bloom_join_filters('SELECT 1');
SELECT join_type, verdict, reason FROM bloom_join_filters('INSERT INTO few VALUES (1)');

--
-- The query is not run
--
SELECT setval('calls', 1, false);
SELECT count(*) FROM bloom_join_filters('SELECT b.id / 0, nextval(''calls'') FROM big b JOIN small s ON b.k = s.k');
SELECT nextval('calls');
BEGIN READ ONLY;
SELECT count(*) FROM bloom_join_filters('INSERT INTO few SELECT b.g FROM big b JOIN small s ON b.k = s.k');
COMMIT;
SELECT count(*) FROM few;
-- what a rule makes of it is planned
CREATE RULE also AS ON INSERT TO few DO ALSO SELECT b.id FROM big b JOIN other o ON b.id = o.y;
SELECT join_key FROM bloom_join_filters('INSERT INTO few SELECT b.g FROM big b JOIN small s ON b.k = s.k');
CREATE RULE nothing AS ON DELETE TO few DO INSTEAD NOTHING;
SELECT count(*) FROM bloom_join_filters('DELETE FROM few');
-- the setting is as it was
SHOW bloomfilter.join_filters;
SELECT count(*) FROM bloom_join_filters('SELECT 1 FROM big WHERE 1 / 0 = 1');
SHOW bloomfilter.join_filters;
-- in sub-selects and recursive queries
SELECT join_key FROM bloom_join_filters('SELECT (SELECT count(*) FROM big b JOIN small s ON b.k = s.k AND b.x = f.g) FROM few f');
SELECT join_key FROM bloom_join_filters('WITH RECURSIVE r (k, n) AS (
	SELECT k, 1 FROM big WHERE id = 1
	UNION ALL SELECT b.k, n + 1 FROM r JOIN big b ON b.id = r.k + 9 AND n < (SELECT count(*) FROM other o JOIN few f ON o.k = f.g AND o.y > r.k))
	SELECT r.* FROM r');
-- a key may depend on a row of the outer side of a join above
SELECT join_type, join_key FROM bloom_join_filters('SELECT * FROM few f, LATERAL (SELECT count(*) FROM big b JOIN small s ON b.k = s.k + f.g) l');

--
-- What is refused
--
SELECT * FROM bloom_join_filters(NULL);
SELECT * FROM bloom_join_filters('EXPLAIN SELECT 1');
SELECT * FROM bloom_join_filters('CREATE TABLE b AS SELECT 1');
SELECT * FROM bloom_join_filters('');
SELECT * FROM bloom_join_filters('SELECT 1; SELECT 2');
SELECT * FROM bloom_join_filters('SELECT absent FROM big');
SELECT * FROM bloom_join_filters('SELECT FROM WHERE');
SELECT * FROM bloom_join_filters('SELECT id FROM big WHERE id = $1');

-- Whoever may not EXPLAIN a query is told nothing of its joins.
CREATE ROLE regress_join_asker;
GRANT USAGE ON SCHEMA join_reports TO regress_join_asker;
GRANT SELECT ON big TO regress_join_asker;
CREATE VIEW allowed AS SELECT b.id, b.k FROM big b JOIN small s ON b.k = s.k;
GRANT SELECT ON allowed TO regress_join_asker;
SET ROLE regress_join_asker;
EXPLAIN SELECT b.id FROM big b JOIN small s ON b.k = s.k;
SELECT * FROM bloom_join_filters('SELECT b.id FROM big b JOIN small s ON b.k = s.k');
SELECT * FROM bloom_join_filters('DELETE FROM big');
SELECT join_key FROM bloom_join_filters('SELECT id FROM allowed');
RESET ROLE;

--
-- The status: t/015_loading.pl has what depends on how the library is loaded
--
SELECT join_filters, source, rejected_value FROM bloom_join_filter_status();
\c -
SET bloomfilter.join_filters = 'TRUE';
SELECT join_filters, source, rejected_value FROM bloom_join_filter_status();

SET client_min_messages = warning;
DROP OWNED BY regress_join_asker;
DROP ROLE regress_join_asker;
DROP SCHEMA join_reports CASCADE;
