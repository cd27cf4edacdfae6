--
-- Join filters: where rows may be tested, rule by rule, and what is told of it.
-- Each rule is a statement that goes wrong, or at least is planned otherwise,
-- without it; test/mutations holds the rules against the source.  Those about
-- what runs again, or in several processes, are in join_repeats.
--
CREATE SCHEMA join_rules;
SET search_path = join_rules, public;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/join_rules.sql'
\i :helpers

--
-- Join types
--
SELECT * FROM try('inner', 'SELECT b.id FROM big b JOIN small s ON b.k = s.k');
SELECT * FROM try('semi', 'SELECT b.id FROM big b WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k)');
SELECT * FROM try('right', 'SELECT b.id, s.k FROM small s LEFT JOIN big b ON b.k = s.k');
SELECT * FROM try('left', 'SELECT b.id, s.x FROM big b LEFT JOIN small s ON b.k = s.k');
SELECT * FROM try('full', 'SELECT b.id, s.x FROM big b FULL JOIN small s ON b.k = s.k');
SELECT * FROM try('anti', 'SELECT b.id FROM big b WHERE NOT EXISTS (SELECT 1 FROM small s WHERE s.k = b.k)');
SELECT rows, missing, added FROM try('right anti, from 16 on', 'SELECT s.k FROM small s WHERE NOT EXISTS (SELECT 1 FROM big b WHERE s.k = b.k)');
SELECT * FROM try('rows that others may change meanwhile', 'SELECT b.id FROM big b JOIN small s ON b.k = s.k FOR UPDATE');
SELECT * FROM try('and on an outer row, too', 'SELECT x, q.* FROM generate_series(0, 6) AS f (x), LATERAL (
	SELECT b.id FROM big b JOIN small s ON b.k = s.k AND s.x = f.x FOR SHARE) q');
SELECT * FROM why('of UPDATE', 'UPDATE big SET x = s.x FROM small s WHERE big.k = s.k');
SELECT * FROM why('of DELETE', 'DELETE FROM big USING small s WHERE big.k = s.k');
SELECT * FROM why('of MERGE', 'MERGE INTO big USING small s ON big.k = s.k WHEN MATCHED THEN DO NOTHING');
SELECT * FROM why('not of INSERT', 'INSERT INTO few SELECT b.g FROM big b JOIN small s ON b.k = s.k');

--
-- Keys
--
-- the join evaluates those of a hashed row up to the first that is NULL
CREATE TABLE gaps AS SELECT CASE WHEN i % 10 <> 0 THEN i END AS a, i % 10 AS b FROM generate_series(1, 100) AS i;
ANALYZE gaps;
SELECT * FROM why('an expression that may fail behind a key that is not tested',
	'SELECT b.id FROM big b JOIN small s ON b.id + (SELECT 0) = s.k AND b.k = 1000 / s.x');
SELECT * FROM try('an expression behind a key that is not tested', 'SELECT b.id FROM big b JOIN gaps g ON b.id + (SELECT 0) = g.a AND b.k = 1000 / g.b');
SELECT * FROM try('an expression behind a key in the same filter', 'SELECT b.id FROM big b JOIN gaps g ON b.id = g.a AND b.k = 1000 / g.b');
-- nor does it hash those behind: what hash functions of one's own are called for
CREATE TYPE numbered AS (n int);
CREATE FUNCTION numbered_equal(numbered, numbered) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN ($1).n = ($2).n; END';
CREATE FUNCTION numbered_hash(numbered) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
	$$BEGIN ASSERT ($1).n <> 7, 'not 7'; RETURN ($1).n; END$$;
CREATE OPERATOR ==== (FUNCTION = numbered_equal, LEFTARG = numbered, RIGHTARG = numbered, COMMUTATOR = ====, HASHES);
CREATE OPERATOR CLASS numbered_ops FOR TYPE numbered USING hash AS OPERATOR 1 ====, FUNCTION 1 numbered_hash(numbered);
CREATE FUNCTION same(numbered, int) RETURNS numbered LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1; END';
CREATE TABLE numbers AS SELECT i AS id, ROW(i % 7)::numbered AS a, ROW(i % 7)::numbered AS n FROM generate_series(1, 2000) AS i;
CREATE TABLE seven AS SELECT CASE WHEN i < 7 THEN ROW(i)::numbered END AS a, ROW(i)::numbered AS n FROM generate_series(1, 7) AS i;
ANALYZE numbers, seven;
SELECT * FROM try('a hash function behind a key that is not tested',
	'SELECT b.id FROM numbers b WHERE EXISTS (SELECT 1 FROM seven s WHERE same(b.a, (SELECT 0)) ==== s.a AND b.n ==== s.n)');
SELECT * FROM try('a hash function behind a key in the same filter',
	'SELECT b.id FROM numbers b WHERE EXISTS (SELECT 1 FROM seven s WHERE b.a ==== s.a AND b.n ==== s.n)');
-- the hash function of the other side, too
CREATE FUNCTION numbered_equals_int(numbered, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN ($1).n = $2; END';
CREATE FUNCTION int_equals_numbered(int, numbered) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1 = ($2).n; END';
CREATE FUNCTION numbered_hash_as_int(numbered) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
	$$BEGIN ASSERT ($1).n <> 7, 'not 7'; RETURN hashint4(($1).n); END$$;
CREATE OPERATOR ==== (FUNCTION = int_equals_numbered, LEFTARG = int, RIGHTARG = numbered, COMMUTATOR = ====, HASHES);
CREATE OPERATOR ==== (FUNCTION = numbered_equals_int, LEFTARG = numbered, RIGHTARG = int, COMMUTATOR = ====, HASHES);
CREATE OPERATOR FAMILY numbered_or_int USING hash;
ALTER OPERATOR FAMILY numbered_or_int USING hash ADD OPERATOR 1 ==== (int, numbered), OPERATOR 1 ==== (numbered, int),
	OPERATOR 1 = (int, int), OPERATOR 1 ==== (numbered, numbered), FUNCTION 1 (numbered, numbered) numbered_hash_as_int(numbered), FUNCTION 1 (int, int) hashint4(int);
CREATE TABLE ints AS SELECT i AS id, i % 7 AS k FROM generate_series(1, 2000) AS i;
ANALYZE ints;
SELECT * FROM try('a hash function of the hashed side behind a key that is not tested',
	'SELECT b.id FROM ints b WHERE EXISTS (SELECT 1 FROM seven s WHERE b.id + (SELECT 0) ==== s.a AND b.k ==== s.n)');
-- nor any where collations differ, which may be for no row at all
CREATE TABLE text_c (id int, t text COLLATE "C", ts text[] COLLATE "C") WITH (autovacuum_enabled = off);
INSERT INTO text_c SELECT i, 't' || i, ARRAY['t' || i] FROM generate_series(1, 1000) AS i;
CREATE TABLE text_posix (k int, t text COLLATE "POSIX", ts text[] COLLATE "POSIX", empty text COLLATE "POSIX") WITH (autovacuum_enabled = off);
INSERT INTO text_posix SELECT NULL, 't' || i, ARRAY['t' || i], NULL FROM generate_series(1, 10) AS i;
CREATE TABLE absent WITH (autovacuum_enabled = off) AS SELECT i + 5000 AS id FROM generate_series(1, 10) AS i;
VACUUM text_c, text_posix, absent;
SELECT * FROM why('columns with two collations', 'SELECT c.t FROM text_c c JOIN text_posix p ON c.t = p.t');
SET join_collapse_limit = 1;
SELECT * FROM try('no collation, behind a key that is NULL',
	'SELECT c.id FROM (text_c c JOIN big b USING (id)) JOIN text_posix p ON b.k = p.k AND c.t = p.t');
SELECT * FROM try('no collation for what is in arrays',
	'SELECT c.id FROM (text_c c JOIN big b USING (id)) JOIN text_posix p ON b.k = p.k AND c.ts = p.ts');
SELECT * FROM try('no collation, for rows that another join drops before',
	'SELECT c.id FROM (text_c c JOIN absent a USING (id)) RIGHT JOIN text_posix p ON c.t = p.empty');
RESET join_collapse_limit;
-- nor those of rows that another join drops before
CREATE TABLE eight AS SELECT i AS id, ROW(i % 8)::numbered AS n, ARRAY[ROW(i % 8)::numbered] AS ns FROM generate_series(1, 2000) AS i;
CREATE TABLE not_seven AS SELECT i AS id FROM generate_series(1, 2000) AS i WHERE i % 8 <> 7;
ANALYZE eight, not_seven;
SELECT * FROM try('a hash function that may fail, below another join', 'SELECT b.id FROM
	(SELECT b.* FROM eight b JOIN not_seven t ON t.id = b.id OFFSET 0) b WHERE EXISTS (SELECT 1 FROM seven s WHERE b.n ==== s.n AND s.a IS NOT NULL)');
SELECT * FROM try('that of an array of such values', 'SELECT b.id FROM
	(SELECT b.* FROM eight b JOIN not_seven t ON t.id = b.id OFFSET 0) b WHERE EXISTS (SELECT 1 FROM seven s WHERE b.ns = ARRAY[s.n] AND s.a IS NOT NULL)');
SELECT * FROM try('an expression first', 'SELECT b.id FROM big b JOIN gaps g ON b.k = g.b + 0 AND b.id + 0 = g.a');
SELECT * FROM try('an expression is tested', 'SELECT b.id FROM big b JOIN small s ON b.k + 1 = s.k');
-- from 18 on, columns are virtual by default; the planner replaces them by their expressions
SELECT format('CREATE TABLE generated (id int, k int, next int GENERATED ALWAYS AS (k + 1) %s)',
	CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'VIRTUAL' ELSE 'STORED' END) AS create_generated \gset
:create_generated;
INSERT INTO generated SELECT id, k FROM big;
ANALYZE generated;
SELECT * FROM try('a virtual column', 'SELECT g.id FROM generated g JOIN small s ON g.next = s.k');
-- an expression may fail for a row for which the join does not evaluate it
SELECT * FROM try('an expression, for rows that another join drops before', 'SELECT b.id FROM
	(SELECT b.* FROM big b JOIN (SELECT id FROM big WHERE x <> 0 OFFSET 0) n USING (id) OFFSET 0) b JOIN small s ON 6 / b.x = s.x');
SELECT * FROM try('behind a key that is NULL', 'SELECT g.b FROM gaps g JOIN small s ON g.a = s.k AND 6 / g.b = s.x');
SELECT * FROM try('behind a key that is tested elsewhere',
	'SELECT b.id FROM (SELECT b.* FROM big b JOIN twin t USING (id) OFFSET 0) b JOIN small s ON b.k = s.k AND b.x + 1 = s.x');
SELECT * FROM try('of what is grouped', 'SELECT b.k FROM (SELECT k, count(*) FROM big GROUP BY k) b JOIN small s ON b.k + 1 = s.k');
SELECT * FROM try('of partitions', 'SELECT b.id FROM (SELECT id, k FROM big UNION ALL SELECT id, id FROM twin) b JOIN small s ON b.k + 1 = s.k');
SELECT * FROM try('two columns of one node are tested together', 'SELECT b.id FROM big b JOIN small s ON b.k = s.k AND b.t = s.t');
SELECT * FROM try('those of two nodes apart',
	'SELECT b.id FROM (big b JOIN other o ON b.id = o.y) JOIN small s ON b.k = s.k AND o.k = s.k');
SELECT * FROM try('types that one operator family compares', 'SELECT b.id FROM big b JOIN (SELECT k::bigint AS k FROM small OFFSET 0) s ON b.k = s.k');
SELECT * FROM try('text and varchar, by way of a cast that changes nothing',
	'SELECT b.id FROM (SELECT id, t::varchar AS t FROM big OFFSET 0) b JOIN small s ON b.t = s.t');

-- An operator that takes NULL for equal to NULL: its NULLs must pass.
CREATE FUNCTION lenient_equal(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN RETURN $1 IS NOT DISTINCT FROM $2; END';
CREATE FUNCTION lenient_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN hashint4($1); END';
CREATE OPERATOR =?= (FUNCTION = lenient_equal, LEFTARG = int, RIGHTARG = int, COMMUTATOR = =?=, HASHES);
CREATE OPERATOR CLASS lenient_ops FOR TYPE int USING hash AS OPERATOR 1 =?=, FUNCTION 1 lenient_hash(int);
SELECT * FROM try('NULL passes where the operator is not strict', 'SELECT b.id FROM big b JOIN small s ON b.k =?= s.k');
-- hash functions of others, and rows that are hidden
CREATE FUNCTION own_equal(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1 = $2; END';
CREATE FUNCTION own_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN hashint4($1); END';
CREATE OPERATOR ==== (FUNCTION = own_equal, LEFTARG = int, RIGHTARG = int, COMMUTATOR = ====, HASHES);
CREATE OPERATOR CLASS own_ops FOR TYPE int USING hash AS OPERATOR 1 ====, FUNCTION 1 own_hash(int);
SELECT * FROM try('a hash function that may tell', 'SELECT b.k FROM (SELECT DISTINCT k FROM big) b WHERE EXISTS (SELECT 1 FROM small s WHERE b.k ==== s.k)');
CREATE VIEW barrier WITH (security_barrier) AS SELECT x::numeric AS n, k FROM big;
SELECT * FROM try('hidden rows', 'SELECT b.k FROM (SELECT DISTINCT n, k FROM barrier) b JOIN (SELECT k::numeric AS k FROM small) s ON b.n = s.k');

--
-- Through joins
--
SELECT * FROM try('below another join, whatever its outer side',
	'SELECT b.id FROM (SELECT b.*, o.y FROM big b LEFT JOIN other o ON b.id = o.y OFFSET 0) b JOIN small s ON b.k = s.k');
SELECT * FROM try('below an inner join, in what it hashes',
	'SELECT o.y FROM (SELECT o.y, b.k FROM twin o_b, other o, big b WHERE o_b.id = o.y AND b.id = o_b.id AND b.x = 1 OFFSET 0) o JOIN small s ON o.k = s.k');
SELECT * FROM try('not below a full join',
	'SELECT b.bk FROM (SELECT b.k AS bk, o.k AS ok FROM big b FULL JOIN other o ON b.id = o.y OFFSET 0) b JOIN small s ON b.ok = s.k');
SELECT * FROM try('on neither side',
	'SELECT b.bk FROM (SELECT b.k AS bk, o.k AS ok FROM big b FULL JOIN other o ON b.id = o.y OFFSET 0) b JOIN small s ON b.bk = s.k');
SELECT * FROM try('not on the outer side of a right join',
	'SELECT b.id FROM (SELECT b.id, o.k FROM other o RIGHT JOIN big b ON b.id = o.y OFFSET 0) b JOIN small s ON b.k = s.k');
SELECT * FROM try('not in what a left join hashes',
	'SELECT b.id FROM (SELECT b.id, o.k FROM big b LEFT JOIN other o ON b.id = o.y OFFSET 0) b JOIN small s ON b.k = s.k');
SELECT * FROM try('not in what a nested loop scans again',
	'SELECT q.k FROM (SELECT o.k FROM few f LEFT JOIN other o ON o.y < f.g OFFSET 0) q JOIN small s ON q.k = s.k');

--
-- Through groups
--
SELECT * FROM try('below GROUP BY', 'SELECT g.* FROM (SELECT k, count(*), sum(id) FROM big GROUP BY k) g JOIN small s ON g.k = s.k');
SELECT * FROM try('below GROUP BY, without a sum', 'SELECT g.* FROM (SELECT k, count(*) FROM big GROUP BY k) g JOIN small s ON g.k = s.k');
SELECT * FROM try('not by what is not grouped by',
	'SELECT g.* FROM (SELECT id, k, count(*) FROM big GROUP BY id) g JOIN small s ON g.k = s.k');
SELECT * FROM try('not below an aggregate',
	'SELECT g.* FROM (SELECT g, min(k) AS k FROM big GROUP BY g) g JOIN small s ON g.k = s.k');
SELECT * FROM try('below grouping sets that all have the key',
	'SELECT g.* FROM (SELECT k, g, id % 3, count(*) FROM big GROUP BY k, CUBE (g, id % 3)) g JOIN small s ON g.k = s.k');
SELECT * FROM try('not below those of which one is shorter',
	'SELECT g.* FROM (SELECT k, g, count(*) FROM big GROUP BY ROLLUP (k, g)) g JOIN small s ON g.k = s.k');
SELECT * FROM try('nor below those of which one is by another column',
	'SELECT g.* FROM (SELECT k, g, count(*) FROM big GROUP BY GROUPING SETS ((k, g), (g))) g JOIN small s ON g.k = s.k');
SELECT * FROM try('below UNION', 'SELECT u.k FROM (SELECT k FROM big UNION SELECT k FROM other) u JOIN small s ON u.k = s.k');
SET enable_hashagg = off;
SELECT * FROM try('below GROUP BY, sorted', 'SELECT g.* FROM (SELECT k, count(*), sum(id) FROM big GROUP BY k) g JOIN small s ON g.k = s.k');
SELECT * FROM try('below grouping sets, sorted several times',
	'SELECT g.* FROM (SELECT k, g, id % 3, count(*) FROM big GROUP BY GROUPING SETS ((g, k), (k, g, id % 3), (k))) g JOIN small s ON g.k = s.k');
SELECT * FROM try('not below those of which one is shorter, sorted',
	'SELECT g.* FROM (SELECT k, g, count(*) FROM big GROUP BY ROLLUP (k, g)) g JOIN small s ON g.k = s.k');
SELECT * FROM try('not by another column, sorted',
	'SELECT g.* FROM (SELECT k, g, id % 3, count(*) FROM big GROUP BY GROUPING SETS ((k, g), (g, id % 3))) g JOIN small s ON g.k = s.k');
SELECT * FROM try('below Group', 'SELECT g.* FROM (SELECT k, g FROM big GROUP BY k, g) g JOIN small s ON g.k = s.k');
SELECT * FROM try('below DISTINCT', 'SELECT g.* FROM (SELECT DISTINCT k, g FROM big) g JOIN small s ON g.k = s.k');
RESET enable_hashagg;
SELECT * FROM try('below DISTINCT ON', 'SELECT g.* FROM (SELECT DISTINCT ON (k) k, id FROM big ORDER BY k, id) g JOIN small s ON g.k = s.k');
SELECT * FROM try('not by another column of it',
	'SELECT g.* FROM (SELECT DISTINCT ON (g) g, k, id FROM big ORDER BY g, id) g JOIN small s ON g.k = s.k');
SELECT * FROM try('below PARTITION BY',
	'SELECT w.* FROM (SELECT k, row_number() OVER (PARTITION BY k ORDER BY id) FROM big) w JOIN small s ON w.k = s.k');
SELECT * FROM try('not by another column of a window',
	'SELECT w.* FROM (SELECT k, row_number() OVER (PARTITION BY g ORDER BY id) FROM big) w JOIN small s ON w.k = s.k');
SELECT * FROM try('not below a window without it',
	'SELECT w.* FROM (SELECT k, row_number() OVER (ORDER BY id) FROM big) w JOIN small s ON w.k = s.k');

-- A grouping that takes more for one than the join does.
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE words (w text COLLATE no_case, id int);
INSERT INTO words SELECT CASE WHEN i % 2 = 0 THEN 'word' || i % 300 / 2 ELSE 'WORD' || i % 300 / 2 END, i FROM generate_series(0, 2999) AS i;
CREATE TABLE lower_words AS SELECT ('word' || i)::text AS w FROM generate_series(1, 20) AS i;
CREATE TABLE same_words (w text COLLATE no_case);
INSERT INTO same_words SELECT w FROM lower_words;
ANALYZE words, lower_words, same_words;
SELECT * FROM try('a coarser collation groups',
	'SELECT g.* FROM (SELECT w, count(*) FROM words GROUP BY w OFFSET 0) g JOIN lower_words l ON g.w = l.w COLLATE "C"');
SELECT * FROM try('a coarser collation groups, and its column has another',
	'SELECT g.* FROM (SELECT w COLLATE "C" AS w, count(*) FROM words GROUP BY words.w OFFSET 0) g JOIN lower_words l ON g.w = l.w');
SELECT * FROM try('a coarser collation groups other values',
	'SELECT g.* FROM (SELECT w, count(*) FROM words GROUP BY w OFFSET 0) g JOIN small s ON g.w = s.t COLLATE "C"');
SELECT * FROM try('the same collation groups',
	'SELECT g.* FROM (SELECT w, count(*) FROM words GROUP BY w OFFSET 0) g JOIN same_words l ON g.w = l.w');
SELECT * FROM try('other deterministic collations do not matter',
	'SELECT g.* FROM (SELECT t COLLATE "C" AS t, count(*) FROM big GROUP BY 1 OFFSET 0) g JOIN small s ON g.t = s.t COLLATE "POSIX"');
CREATE EXTENSION citext SCHEMA public;
CREATE TABLE cited (w citext);
INSERT INTO cited SELECT w::citext FROM words;
ANALYZE cited;
SELECT * FROM try('a coarser operator groups',
	'SELECT g.* FROM (SELECT w::text AS w, count(*) FROM cited GROUP BY cited.w OFFSET 0) g JOIN lower_words l ON g.w = l.w');

--
-- What is not gone through
--
SELECT * FROM try('LIMIT', 'SELECT l.* FROM (SELECT * FROM big ORDER BY id LIMIT 500) l JOIN small s ON l.k = s.k');
SELECT * FROM try('EXCEPT', 'SELECT e.* FROM (SELECT k, g FROM big EXCEPT ALL SELECT k, y FROM other) e JOIN small s ON e.k = s.k');
SELECT * FROM try('a recursive query', 'WITH RECURSIVE r (k, n) AS (
	SELECT 1, 1 UNION ALL SELECT k + 1, n + 1 FROM r WHERE n < 100) SELECT r.* FROM r JOIN small s ON r.k = s.k');
SELECT * FROM try('in a recursive query', 'WITH RECURSIVE r (k, n) AS (
	SELECT k, 1 FROM big WHERE id = 1 UNION ALL SELECT b.k, n + 1 FROM r JOIN big b ON b.id = r.k + 9 AND n < 60)
	SELECT r.* FROM r JOIN small s ON r.k = s.k');
SELECT * FROM try('a CTE that others read, too',
	'WITH c AS MATERIALIZED (SELECT * FROM big) SELECT 1 FROM c JOIN small s ON c.k = s.k UNION ALL SELECT count(*) FROM c');
SELECT * FROM try('set-returning functions',
	'SELECT p.* FROM (SELECT k, generate_series(1, 2) FROM big) p JOIN small s ON p.k = s.k');
SELECT * FROM try('row locks', 'SELECT l.* FROM (SELECT * FROM big FOR SHARE) l JOIN small s ON l.k = s.k');
SELECT * FROM try('a sub-select in the target list',
	'SELECT q.* FROM (SELECT k, (SELECT max(g) FROM few WHERE few.g = big.g) AS m FROM big OFFSET 0) q JOIN small s ON q.k = s.k');
SELECT * FROM try('a column that is computed below', 'SELECT q.y FROM (SELECT b.k + 0 AS y FROM big b OFFSET 0) q JOIN small s ON q.y = s.k');
SELECT * FROM try('a CTE that nothing else reads', 'WITH c AS MATERIALIZED (SELECT * FROM big) SELECT 1 FROM c JOIN small s ON c.k = s.k');
CREATE EXTENSION file_fdw SCHEMA public;
CREATE SERVER program FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE made (k int, x int) SERVER program OPTIONS (program 'true', format 'csv');
SELECT * FROM try('a foreign table', 'SELECT m.x FROM made m JOIN small s ON m.k = s.k');
DROP EXTENSION file_fdw CASCADE;
SET enable_nestloop = on;
SET enable_hashjoin = off;
SELECT * FROM try('the inner side of a nested loop',
	'SELECT count(*) FROM few LEFT JOIN LATERAL (SELECT * FROM big b WHERE b.g = few.g OFFSET 0) b ON true WHERE b.k IN (10, 20)');
SET enable_hashjoin = on;
SET enable_nestloop = off;

--
-- Partitions
--
CREATE TABLE parted (id int, k int) PARTITION BY LIST (k);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1, 2, 3, 10);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (4, 5);
CREATE TABLE parted_3 PARTITION OF parted FOR VALUES IN (6);
CREATE TABLE parted_rest PARTITION OF parted DEFAULT;
INSERT INTO parted SELECT i, i % 40 FROM generate_series(1, 3000) AS i;
ANALYZE parted;
SELECT * FROM try('each partition', 'SELECT p.id FROM parted p JOIN small s ON p.k = s.k');
SELECT * FROM try('each branch of UNION ALL where the column is plain',
	'SELECT u.k FROM (SELECT k FROM big UNION ALL SELECT k + 0 FROM other UNION ALL SELECT k FROM other LIMIT 50000) u JOIN small s ON u.k = s.k');
SELECT * FROM try('each branch of UNION ALL',
	'SELECT u.k FROM (SELECT k FROM big UNION ALL SELECT k + 0 FROM other UNION ALL (SELECT k FROM other ORDER BY y LIMIT 50)) u
	JOIN small s ON u.k = s.k');
-- a group that is in two partitions, of which the first is read from before
-- there is a filter: a Parallel Hash is filled later where rows are asked for
-- one by one, as by a function in a target list
CREATE TABLE split (k int, b int) PARTITION BY RANGE (k, b);
CREATE TABLE split_low PARTITION OF split FOR VALUES FROM (MINVALUE, MINVALUE) TO (50, 10);
CREATE TABLE split_high PARTITION OF split FOR VALUES FROM (50, 10) TO (MAXVALUE, MAXVALUE);
INSERT INTO split SELECT k, b FROM generate_series(1, 100) AS k, generate_series(0, 19) AS b;
CREATE INDEX ON split (k, b);
CREATE TABLE others AS SELECT 1000 + i % 5000 AS k, i::bigint AS n FROM generate_series(1, 20000) AS i;
CREATE TABLE most AS SELECT i AS k, repeat('x', 20) AS pad FROM generate_series(60, 20000) AS i;
VACUUM ANALYZE split;
ANALYZE others, most;
CREATE FUNCTION by_rows() RETURNS SETOF bigint LANGUAGE sql AS '
	SELECT s.n FROM (SELECT k, 100 / (count(*) - 10) AS n FROM split GROUP BY k UNION ALL SELECT k, n FROM others) AS s JOIN most ON most.k = s.k';
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET enable_hashagg = off;
SET enable_sort = off;
SET enable_bitmapscan = off;
SELECT rows, missing, added FROM try('groups in partitions, by rows', 'SELECT count(*), sum(n) FROM (SELECT by_rows() AS n) AS s');
RESET enable_hashagg;
RESET enable_sort;
RESET enable_bitmapscan;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET min_parallel_index_scan_size;
SET max_parallel_workers_per_gather = 0;

--
-- No more than ten at one place
--
CREATE TABLE wide AS
	SELECT i AS c1, i AS c2, i AS c3, i AS c4, i AS c5, i AS c6, i AS c7, i AS c8, i AS c9, i AS c10, i AS c11, i AS c12
	FROM generate_series(1, 1000) AS i;
ANALYZE wide;
CREATE FUNCTION filters(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found bigint := 0;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		found := found + (line ~ 'bloomfilter build')::int;
	END LOOP;
	RETURN found;
END $$;
SELECT 'SELECT count(*) FROM wide ' || string_agg(format('JOIN small AS s%s ON s%s.k = wide.c%s', n, n, n), ' ') AS star
	FROM generate_series(1, 12) AS n \gset
SET bloomfilter.join_filters = force;
SET join_collapse_limit = 1;
SELECT filters(:'star');
SELECT rows, missing, added FROM try('twelve joins, ten filters', :'star');
RESET join_collapse_limit;

DROP EXTENSION citext CASCADE;
DROP SCHEMA join_rules CASCADE;
