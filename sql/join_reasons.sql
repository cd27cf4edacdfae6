--
-- Join filters: why a join has one or none, rule by rule.  The rules are those
-- of join_rules, where a statement for each goes wrong without it.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET enable_memoize = off;
SET bloomfilter.join_filter_min_rows = 0;
CREATE SCHEMA join_reasons;
SET search_path = join_reasons, public;

-- What is told of a query where filters are put in whatever they cost: a
-- verdict, and the rule alone.
CREATE FUNCTION why(rule text, query text, OUT tested_above text, OUT why text)
RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL bloomfilter.join_filters = force;
	RETURN QUERY SELECT f.tested_above,
		CASE WHEN f.verdict = 'filter' THEN substring(f.reason FROM 'Rows are not tested below.*')
			 ELSE concat_ws(' ', f.join_type || ':', f.reason) END
	  FROM bloom_join_filters(query) AS f;
END $$;

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

--
-- Joins
--
SELECT * FROM why('inner', 'SELECT b.id FROM big b JOIN small s ON b.k = s.k');
SELECT * FROM why('semi', 'SELECT b.id FROM big b WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k)');
SELECT * FROM why('right', 'SELECT b.id, s.k FROM small s LEFT JOIN big b ON b.k = s.k');
SELECT * FROM why('left', 'SELECT b.id, s.x FROM big b LEFT JOIN small s ON b.k = s.k');
SELECT * FROM why('full', 'SELECT b.id, s.x FROM big b FULL JOIN small s ON b.k = s.k');
SELECT * FROM why('anti', 'SELECT b.id FROM big b WHERE NOT EXISTS (SELECT 1 FROM small s WHERE s.k = b.k)');
SELECT * FROM why('what is hashed depends on an outer row',
	'SELECT x, (SELECT count(*) FROM big b JOIN small s ON b.k = s.k AND s.x = f.x) FROM generate_series(0, 6) AS f (x)');
SELECT * FROM why('rows that others may change meanwhile', 'SELECT b.id FROM big b JOIN small s ON b.k = s.k FOR UPDATE');
SELECT * FROM why('also of UPDATE', 'UPDATE big SET x = s.x FROM small s WHERE big.k = s.k');
SELECT * FROM why('of DELETE', 'DELETE FROM big USING small s WHERE big.k = s.k');
SELECT * FROM why('of MERGE', 'MERGE INTO big USING small s ON big.k = s.k WHEN MATCHED THEN DO NOTHING');
SELECT * FROM why('and on an outer row, too', 'SELECT x, q.* FROM generate_series(0, 6) AS f (x), LATERAL (
	SELECT b.id FROM big b JOIN small s ON b.k = s.k AND s.x = f.x FOR SHARE) q');
SELECT * FROM why('not of INSERT', 'INSERT INTO few SELECT b.g FROM big b JOIN small s ON b.k = s.k');
SELECT * FROM why('another key is volatile',
	'SELECT g.k FROM (SELECT k, max(x) AS x FROM big GROUP BY k) g JOIN small s ON g.k = s.k - 1000 AND g.x + (SELECT nextval(''calls'')) = s.x');
SELECT * FROM why('what is hashed is volatile',
	'SELECT b.id FROM big b JOIN (SELECT k, nextval(''calls'') AS n FROM small OFFSET 0) s ON b.k = s.k');

--
-- Keys
--
SELECT * FROM why('an expression', 'SELECT b.id FROM big b JOIN small s ON b.k + 1 = s.k');
SELECT * FROM why('an expression behind a key that is not tested',
	'SELECT b.id FROM big b JOIN small s ON b.id + 0 = s.k AND b.k = 1000 / s.x');
SELECT * FROM why('two keys', 'SELECT b.id FROM big b JOIN small s ON b.k = s.k AND b.t = s.t');
CREATE FUNCTION lenient_equal(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN RETURN $1 IS NOT DISTINCT FROM $2; END';
CREATE FUNCTION lenient_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN hashint4($1); END';
CREATE OPERATOR =?= (FUNCTION = lenient_equal, LEFTARG = int, RIGHTARG = int, COMMUTATOR = =?=, HASHES);
CREATE OPERATOR CLASS lenient_ops FOR TYPE int USING hash AS OPERATOR 1 =?=, FUNCTION 1 lenient_hash(int);
SELECT * FROM why('an operator that is not strict', 'SELECT b.id FROM big b JOIN small s ON b.k =?= s.k');
CREATE TABLE text_c (t text COLLATE "C");
INSERT INTO text_c SELECT 't' || i FROM generate_series(1, 1000) AS i;
CREATE TABLE text_posix (t text COLLATE "POSIX");
INSERT INTO text_posix SELECT 't' || i FROM generate_series(1, 10) AS i;
ANALYZE text_c, text_posix;
SELECT * FROM why('collations', 'SELECT c.t FROM text_c c JOIN text_posix p ON c.t = p.t');
-- own hash functions
CREATE FUNCTION own_equal(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1 = $2; END';
CREATE FUNCTION own_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN hashint4($1); END';
CREATE OPERATOR ==== (FUNCTION = own_equal, LEFTARG = int, RIGHTARG = int, COMMUTATOR = ====, HASHES);
CREATE OPERATOR CLASS own_ops FOR TYPE int USING hash AS OPERATOR 1 ====, FUNCTION 1 own_hash(int);
SELECT * FROM why('a hash function that may tell', 'SELECT b.k FROM (SELECT DISTINCT k FROM big) b WHERE EXISTS (SELECT 1 FROM small s WHERE b.k ==== s.k)');
CREATE VIEW barrier WITH (security_barrier) AS SELECT x::numeric AS n, k FROM big;
SELECT * FROM why('hidden rows', 'SELECT b.k FROM (SELECT DISTINCT n, k FROM barrier) b JOIN (SELECT k::numeric AS k FROM small) s ON b.n = s.k');

--
-- Places
--
SELECT * FROM why('computed below', 'SELECT q.y FROM (SELECT b.k + 0 AS y FROM big b OFFSET 0) q JOIN small s ON q.y = s.k');
SELECT * FROM why('GROUP BY', 'SELECT g.* FROM (SELECT k, count(*) FROM big GROUP BY k) g JOIN small s ON g.k = s.k');
SELECT * FROM why('not by what is not grouped by',
	'SELECT g.* FROM (SELECT id, k, count(*) FROM big GROUP BY id) g JOIN small s ON g.k = s.k');
SELECT * FROM why('not by an aggregate', 'SELECT g.* FROM (SELECT g, min(k) AS k FROM big GROUP BY g) g JOIN small s ON g.k = s.k');
SELECT * FROM why('not below grouping sets',
	'SELECT g.* FROM (SELECT k, g, count(*) FROM big GROUP BY ROLLUP (k, g)) g JOIN small s ON g.k = s.k');
SELECT * FROM why('not by another column of DISTINCT ON',
	'SELECT g.* FROM (SELECT DISTINCT ON (g) g, k, id FROM big ORDER BY g, id) g JOIN small s ON g.k = s.k');
SELECT * FROM why('nor of PARTITION BY',
	'SELECT w.* FROM (SELECT k, row_number() OVER (PARTITION BY g ORDER BY id) FROM big) w JOIN small s ON w.k = s.k');
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE words (w text COLLATE no_case);
INSERT INTO words SELECT 'word' || i % 300 FROM generate_series(0, 2999) AS i;
ANALYZE words;
SELECT * FROM why('nor by a coarser equality',
	'SELECT g.* FROM (SELECT w, count(*) FROM words GROUP BY w OFFSET 0) g JOIN small s ON g.w = s.t COLLATE "C"');
SELECT * FROM why('the inner side of another join',
	'SELECT b.id FROM (SELECT b.id, o.k FROM big b LEFT JOIN other o ON b.id = o.y OFFSET 0) b JOIN small s ON b.k = s.k');
SELECT * FROM why('the inner side of a nested loop',
	'SELECT q.k FROM (SELECT o.k FROM few f LEFT JOIN other o ON o.y < f.g OFFSET 0) q JOIN small s ON q.k = s.k');
SELECT * FROM why('the outer side of a full join',
	'SELECT b.bk FROM (SELECT b.k AS bk, o.k AS ok FROM big b FULL JOIN other o ON b.id = o.y OFFSET 0) b JOIN small s ON b.bk = s.k');
SELECT * FROM why('effects on the other side', 'SELECT b.id FROM (SELECT b.* FROM big b
	JOIN (SELECT y, nextval(''calls'') AS n FROM other OFFSET 0) o ON b.k = o.y OFFSET 0) b JOIN small s ON b.k = s.k AND s.k < 0');
SELECT * FROM why('LIMIT', 'SELECT l.* FROM (SELECT * FROM big ORDER BY id LIMIT 500) l JOIN small s ON l.k = s.k');
SELECT * FROM why('FOR SHARE', 'SELECT l.* FROM (SELECT * FROM big FOR SHARE) l JOIN small s ON l.k = s.k');
SELECT * FROM why('EXCEPT', 'SELECT e.* FROM (SELECT k, g FROM big EXCEPT ALL SELECT k, y FROM other) e JOIN small s ON e.k = s.k');
SELECT * FROM why('a set', 'SELECT p.* FROM (SELECT k, generate_series(1, 2) FROM big) p JOIN small s ON p.k = s.k');
SELECT * FROM why('a CTE', 'WITH c AS MATERIALIZED (SELECT * FROM big) SELECT 1 FROM c JOIN small s ON c.k = s.k');
CREATE EXTENSION file_fdw SCHEMA public;
CREATE SERVER program FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE made (k int, x int) SERVER program OPTIONS (program 'true', format 'csv');
SELECT * FROM why('a foreign table', 'SELECT m.x FROM made m JOIN small s ON m.k = s.k');
DROP EXTENSION file_fdw CASCADE;
SELECT * FROM why('in a recursive query', 'WITH RECURSIVE r (k, n) AS (
	SELECT k, 1 FROM big WHERE id = 1 UNION ALL SELECT b.k, n + 1 FROM r JOIN big b ON b.id = r.k + 9 AND n < 60)
	SELECT r.* FROM r JOIN small s ON r.k = s.k');
SELECT * FROM why('a volatile function', 'SELECT g.* FROM (SELECT k, count(nextval(''calls'')) AS n FROM big GROUP BY k) g JOIN small s ON g.k = s.k');
SELECT * FROM why('what may be read on is volatile', 'SELECT x.k FROM (SELECT b.k FROM (SELECT k, nextval(''calls'') AS n FROM big) b
	JOIN (SELECT id FROM big WHERE id < 0) e ON e.id = b.k OFFSET 0) x JOIN small s ON x.k = s.k');
SELECT * FROM why('what may be read on has no end', 'WITH RECURSIVE r (k) AS MATERIALIZED (SELECT id FROM big UNION ALL SELECT k * 2 FROM r)
	SELECT x.k FROM (SELECT r.k FROM r JOIN (SELECT id FROM big WHERE id < 0) e ON e.id = r.k OFFSET 0) x JOIN small s ON x.k = -1 - s.k');
SELECT * FROM why('a group of which one row was read',
	'SELECT g.* FROM (SELECT k, count(*) FROM big GROUP BY k) g JOIN (SELECT k, count(*) FROM (SELECT generate_series(1, 100000) AS k) q GROUP BY k) s ON g.k = s.k');
CREATE TABLE parted (id int, k int) PARTITION BY LIST (k);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1, 2, 3, 10);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (4, 5);
CREATE TABLE parted_3 PARTITION OF parted FOR VALUES IN (6);
CREATE TABLE parted_rest PARTITION OF parted DEFAULT;
INSERT INTO parted SELECT i, i % 40 FROM generate_series(1, 3000) AS i;
ANALYZE parted;
SELECT * FROM why('many places', 'SELECT p.id FROM parted p JOIN small s ON p.k = s.k');


-- scans that come again
CREATE TABLE long AS SELECT i AS k, i % 10 AS x FROM generate_series(1, 200000) AS i;
CREATE TABLE tens AS SELECT i * 10 AS k, i % 10 AS x FROM generate_series(1, 20000) AS i;
ANALYZE long, tens;
SELECT * FROM why('another scan may hash other rows', 'SELECT x, (SELECT count(*) FROM (SELECT k, count(*) FROM big GROUP BY k) b
	JOIN (SELECT k FROM small TABLESAMPLE bernoulli (50)) s ON b.k = s.k WHERE x >= 0) FROM generate_series(1, 3) AS f (x)');
SET enable_sort = off;
SET enable_material = off;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT * FROM why('groups that are kept', 'SELECT f.x, (SELECT sum(c) + 0 * f.x FROM (SELECT k, count(*) AS c
	FROM (SELECT k FROM long WHERE nextval(''calls'') > 0) v GROUP BY k) g JOIN few s ON g.k = s.g WHERE f.x > 0) FROM generate_series(1, 3) AS f (x)');
RESET enable_sort;
RESET enable_material;
RESET work_mem;
RESET hash_mem_multiplier;
SELECT * FROM why('a join that stops anew', 'SELECT sum(n) FROM few CROSS JOIN LATERAL (SELECT count(*) AS n FROM other o JOIN big b ON b.x = o.y
	JOIN small s ON s.k = b.k WHERE o.k = few.g) l');

-- several processes
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TEMP TABLE own AS SELECT * FROM small;
ANALYZE own;
SELECT * FROM why('workers that start before the join hashes', 'SELECT l.x FROM (SELECT * FROM long WHERE clock_timestamp() > ''2000-01-01'') l JOIN own s ON l.k = s.k');
SELECT * FROM why('workers that have the filter', 'SELECT l.x FROM long l JOIN own s ON l.k = s.k');
ALTER TABLE small SET (parallel_workers = 0);
SET join_collapse_limit = 1;
SELECT * FROM why('workers share what another join hashes', 'SELECT count(*) FROM (long a JOIN long b USING (k))
	JOIN (SELECT k, sum(x) AS x FROM small TABLESAMPLE bernoulli (50) GROUP BY k) s ON s.k = b.k AND s.x = b.x');
RESET parallel_tuple_cost;
SELECT why FROM why('workers share what may be hashed again', 'SELECT x, (SELECT n + x FROM (SELECT count(*) AS n FROM long a
	JOIN (tens t JOIN small s TABLESAMPLE bernoulli (50) ON t.x = s.x) ON a.k = t.k) q) FROM generate_series(1, 3) AS f (x)') WHERE why IS NOT NULL;
RESET join_collapse_limit;
RESET parallel_setup_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

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
	SELECT 1 FROM low l WHERE l.price = p.price AND l.x >= p.x) OFFSET 0) p JOIN small s ON s.k = p.k') WHERE why !~ 'merge join hashes nothing';
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
SET enable_nestloop = off;
SET enable_mergejoin = on;
SELECT join_type, join_key, tested_above, verdict, reason FROM bloom_join_filters('SELECT * FROM small s JOIN big b ON b.k = s.k AND b.t = s.t');
SET enable_mergejoin = off;
SET enable_hashjoin = on;

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
GRANT USAGE ON SCHEMA join_reasons TO regress_join_asker;
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
DROP SCHEMA join_reasons CASCADE;
