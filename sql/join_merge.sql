--
-- Join filters of merge joins: which side is hashed, when it is sorted, and where
-- there is no filter.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_hashjoin = off;
SET bloomfilter.join_filter_min_rows = 0;
CREATE SCHEMA join_merge;
SET search_path = join_merge, public;

-- The merge joins and the nodes of filters in a plan, what the filters dropped, and
-- whether the rows are those without filters.  Of inner joins, whose sides differ
-- between servers, no more than what was dropped.
CREATE FUNCTION merged(query text, part text DEFAULT 'Merge .*Join|Custom Scan|Sort \(|Scan (using|on)') RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		IF line ~ (part || '|Removed by Bloom Filter') THEN
			RETURN NEXT regexp_replace(line, ' \(actual.*' || CASE part WHEN 'dropped' THEN '|^ +' ELSE '' END, '');
		END IF;
	END LOOP;
	EXECUTE 'CREATE TEMP TABLE filtered ON COMMIT DROP AS ' || query;
	SET LOCAL bloomfilter.join_filters = off;
	EXECUTE 'CREATE TEMP TABLE plain ON COMMIT DROP AS ' || query;
	RETURN QUERY SELECT concat_ws(' ', count(*), 'rows,',
			(SELECT count(*) FROM (SELECT p::text FROM plain p EXCEPT ALL SELECT f::text FROM filtered f) AS m), 'missing,',
			(SELECT count(*) FROM (SELECT f::text FROM filtered f EXCEPT ALL SELECT p::text FROM plain p) AS m), 'added')
		FROM plain;
	DROP TABLE plain, filtered;
END $$;
CREATE FUNCTION why(query text, OUT join_type text, OUT tested_above text, OUT reason text) RETURNS SETOF record LANGUAGE sql AS $$
	SELECT join_type, tested_above, regexp_replace(reason, 'The filter costs.*units\)\. ?', '') FROM bloom_join_filters(query)
$$;

CREATE TABLE big (id int, k int, l bigint, t text, n name, b bit(16), a int[]);
INSERT INTO big SELECT i, i % 1000, i % 1000, 't' || i % 1000, 't' || i % 1000, (i % 1000)::bit(16), ARRAY[i % 1000] FROM generate_series(1, 5000) AS i;
INSERT INTO big (id) SELECT i FROM generate_series(5001, 5100) AS i;
-- with duplicates, so that the join goes back on its inner side
CREATE TABLE small (k int, t text, b bit(16), a int[], x int);
INSERT INTO small SELECT i / 2 * 10, 't' || i / 2 * 10, (i / 2 * 10)::bit(16), ARRAY[i / 2 * 10], i FROM generate_series(1, 40) AS i;
INSERT INTO small VALUES (NULL), (-1);
CREATE TABLE single (k int PRIMARY KEY);
INSERT INTO single SELECT i * 10 FROM generate_series(1, 20) AS i;
CREATE TABLE empty (k int);
ANALYZE big, small, single, empty;
SET bloomfilter.join_filters = on;

--
-- The side with fewer rows is hashed, where it is sorted and rows of the other
-- side without a match are dropped.
--
SELECT * FROM merged('SELECT b.id, s.x FROM big b JOIN small s ON b.k = s.k', 'dropped');
SELECT * FROM merged('SELECT b.id FROM big b WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k AND s.x < b.id)');
-- the first row, which is fetched before it is asked for, has a match
SELECT * FROM merged('SELECT b.id FROM big b WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k AND s.x < b.id AND s.k >= 0)', 'dropped');
-- the outer side, which the join reads first
SELECT * FROM merged('SELECT s.x, b.id FROM small s LEFT JOIN big b ON b.k = s.k AND b.id > s.x');
SELECT * FROM merged('SELECT s.x FROM small s WHERE NOT EXISTS (SELECT 1 FROM big b WHERE b.k = s.k AND b.id > 3000)');
SELECT * FROM merged('SELECT s.x FROM small s WHERE EXISTS (SELECT 1 FROM big b WHERE b.k = s.k AND b.id > s.x)');
-- neither
SELECT * FROM merged('SELECT b.id, s.x FROM big b FULL JOIN small s ON b.k = s.k');
SELECT * FROM why('SELECT b.id, s.x FROM big b FULL JOIN small s ON b.k = s.k');
-- not the side that is kept
SELECT * FROM merged('SELECT b.id FROM big b LEFT JOIN small s ON b.k = s.k');
SELECT * FROM merged('SELECT b.id FROM big b WHERE NOT EXISTS (SELECT 1 FROM small s WHERE b.k = s.k)');
-- nothing is sorted
SET bloomfilter.join_filters = force;
SELECT * FROM merged('SELECT b.id FROM big b JOIN empty s ON b.k = s.k', 'dropped');
SELECT * FROM merged('SELECT s.k, b.id FROM empty s LEFT JOIN big b ON b.k = s.k');
SET bloomfilter.join_filters = on;

--
-- Below what the planner sorts, groups and numbers
--
SELECT * FROM merged('SELECT g.* FROM (SELECT k, count(*), sum(id) FROM big GROUP BY k) g JOIN small s USING (k)', 'dropped');
SELECT * FROM merged('SELECT g.* FROM (SELECT DISTINCT ON (k) k, id FROM big ORDER BY k, id) g JOIN small s USING (k)', 'dropped');
SELECT * FROM merged('SELECT g.* FROM (SELECT k, id, row_number() OVER (PARTITION BY k ORDER BY id) FROM big) g JOIN small s USING (k)', 'dropped');
SELECT * FROM merged('SELECT s.x, g.n FROM small s LEFT JOIN (SELECT k, count(*) AS n FROM big GROUP BY k) g USING (k)');
-- a join with two filters sorts its inner side first, once
SELECT * FROM merged('SELECT b.id FROM (SELECT b.id, b.k, c.t FROM big b JOIN big c ON b.id = c.id OFFSET 0) b
	WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k AND s.t = b.t AND s.x < b.id)', 'Semi|bloomfilter|Removed');

--
-- Values that are equal must have one hash, by a function that cannot fail.
--
SELECT * FROM merged('SELECT s.x, b.id FROM small s LEFT JOIN big b ON b.l = s.k');
SELECT * FROM merged('SELECT s.x, b.id FROM small s LEFT JOIN big b ON b.n = s.t');
SELECT * FROM merged('SELECT s.x, b.id FROM big b JOIN small s ON b.n = s.t', 'dropped');
SELECT * FROM why('SELECT b.id FROM big b JOIN small s ON b.b = s.b');
SELECT * FROM why('SELECT b.id FROM big b JOIN small s ON b.a = s.a');
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE names (n name COLLATE ignore_case, x int);
INSERT INTO names SELECT 'T' || i, i FROM generate_series(1, 20) AS i;
ANALYZE names;
SELECT * FROM merged('SELECT b.id FROM big b JOIN names s ON b.n COLLATE ignore_case = s.n', 'dropped');
SELECT * FROM why('SELECT b.id FROM (SELECT id, n COLLATE ignore_case AS n FROM big OFFSET 0) b JOIN names s ON b.n = s.n');

--
-- A merge join stops where its other side ends.  Above what stores no rows, it would
-- read on until a row passes.
--
CREATE INDEX big_k ON big (k);
CREATE INDEX small_x ON small (x);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT * FROM why('SELECT s.x, b.id FROM small s LEFT JOIN big b ON b.k = s.k WHERE s.x < 10');
SET bloomfilter.join_filters = force;
-- the join marks and restores positions above and below filters
SELECT * FROM merged('SELECT b.id FROM big b WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k AND s.x < b.id)');
SELECT * FROM merged('SELECT s.x, b.id FROM small s LEFT JOIN big b ON b.k = s.k');
-- not more calls of volatile functions
CREATE SEQUENCE calls;
SELECT count(*) FROM (SELECT k, nextval('calls') FROM big ORDER BY k OFFSET 0) b JOIN small s ON b.k = s.k WHERE s.x < 4;
SELECT nextval('calls') < 1000;
SELECT tested_above, reason FROM why('SELECT count(*) FROM (SELECT k, nextval(''calls'') FROM big ORDER BY k OFFSET 0) b JOIN small s ON b.k = s.k WHERE s.x < 4');
-- nor above Materialize, which reads no more than it is asked for
SELECT setval('calls', 1, false);
SELECT s.x FROM small s WHERE s.x < 4 AND NOT EXISTS (SELECT FROM (SELECT k, nextval('calls') AS n FROM big ORDER BY k OFFSET 0) b WHERE b.k = s.k AND b.n < s.x - 1000000);
SELECT nextval('calls') < 1000;
RESET enable_seqscan;
RESET enable_bitmapscan;
DROP INDEX big_k, small_x;
-- Nor is the inner side sorted first if the outer side is volatile, and may be empty ...
SELECT * FROM merged('SELECT b.id FROM (SELECT id, k, random() FROM big OFFSET 0) b WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k AND s.x < b.id)');
-- ... or sorting might never end.
SELECT * FROM merged('SELECT b.id FROM big b WHERE EXISTS (SELECT 1 FROM (SELECT generate_series(0, 99) AS k) s WHERE s.k = b.k AND s.k < b.id)');

--
-- Sides that run again
--
SELECT * FROM merged('SELECT i, l.* FROM generate_series(1, 3) AS i CROSS JOIN LATERAL
	(SELECT b.id, i AS j FROM big b JOIN small s ON b.k = s.k OFFSET 0) AS l', 'dropped');
SELECT * FROM merged('SELECT i, l.* FROM generate_series(1, 3) AS i CROSS JOIN LATERAL
	(SELECT b.id, s.x, i AS j FROM small s LEFT JOIN big b ON b.k = s.k OFFSET 0) AS l');
SELECT * FROM merged('SELECT i, l.* FROM generate_series(1, 3) AS i CROSS JOIN LATERAL
	(SELECT b.id, i AS j FROM big b JOIN (SELECT k FROM small WHERE x > i * 10) s ON b.k = s.k OFFSET 0) AS l', 'dropped');
SELECT * FROM merged('SELECT i, l.* FROM generate_series(1, 3) AS i CROSS JOIN LATERAL
	(SELECT b.id, i AS j FROM big b JOIN (SELECT k FROM small LIMIT 10) s ON b.k = s.k OFFSET 0) AS l', 'dropped');
-- a side that is sorted again in each scan, because the join does not go back on it
SELECT * FROM merged('SELECT i, l.* FROM generate_series(1, 3) AS i CROSS JOIN LATERAL
	(SELECT b.id, i AS j FROM big b JOIN single s ON b.k = s.k OFFSET 0) AS l', 'dropped');
-- the first row was fetched, and not asked for, because the first scan has no rows of the other side
SELECT * FROM merged('SELECT i, l.* FROM generate_series(1, 3) AS i CROSS JOIN LATERAL
	(SELECT b.id, i AS j FROM (SELECT * FROM big WHERE id < (i - 1) * 1000) b WHERE EXISTS (SELECT 1 FROM small s WHERE s.k = b.k AND s.x < b.id) OFFSET 0) AS l', 'dropped');

--
-- Workers: a filter of the leader is handed to them; below Gather, each has a filter of
-- its part of the outer side.
--
SET bloomfilter.join_filters = on;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT regexp_replace(line, '^ +(-> +)?', '') AS line FROM merged('SELECT g.* FROM (SELECT k, count(*), sum(id) FROM big GROUP BY k) g JOIN small s USING (k)', 'Custom') AS line
	WHERE line !~ 'Removed|wait|first' ORDER BY line;
SELECT regexp_replace(line, '^ +(-> +)?', '') AS line FROM merged('SELECT g.n FROM small s LEFT JOIN (SELECT k, count(*) AS n FROM big GROUP BY k) g USING (k) WHERE s.x < 10', 'Custom') AS line
	WHERE line !~ 'Removed';
SET bloomfilter.join_filters = force;
SELECT regexp_replace(line, '^ +(-> +)?', '') AS line FROM merged('SELECT b.id, s.x FROM small s LEFT JOIN big b ON b.k = s.k', 'Custom') AS line
	WHERE line !~ 'Removed';
-- not if the join may run again: the leader may keep rows for which its part had keys
SET enable_material = off;
ALTER TABLE big SET (parallel_workers = 0);
ALTER TABLE small SET (parallel_workers = 2);
SELECT * FROM merged('SELECT i, l.* FROM generate_series(1, 3) AS i LEFT JOIN (SELECT b.id, s.x FROM small s LEFT JOIN big b ON b.k = s.k OFFSET 0) AS l ON true', 'Merge|Custom|Gather');
SELECT * FROM why('SELECT i, l.* FROM generate_series(1, 3) AS i LEFT JOIN (SELECT b.id, s.x FROM small s LEFT JOIN big b ON b.k = s.k OFFSET 0) AS l ON true');

SET client_min_messages = warning;
DROP SCHEMA join_merge CASCADE;
