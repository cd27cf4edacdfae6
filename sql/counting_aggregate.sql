-- counting_bloom_agg and counting_bloom_sum_agg: alone, in groups, in parallel,
-- in parts, as window functions.
CREATE TABLE ca (g int, i4 int, i8 bigint, t text, n numeric);
INSERT INTO ca SELECT i % 7, x, x * 10000000000, 'value ' || x, x / 100.0
	FROM generate_series(1, 9000) AS i, LATERAL (SELECT i * 7919 % 3000 AS x) AS s;
INSERT INTO ca (g) SELECT i % 8 FROM generate_series(1, 100) AS i;
ANALYZE ca;

-- The same as adding one after the other.
SELECT counting_bloom_agg(i4, 3000) = bloom_add_all(counting_bloom_create(3000), array_agg(i4)) AS two, counting_bloom_agg(t, 1e6, 0.001) = bloom_add_all(counting_bloom_create(1e6, 0.001), array_agg(t)) AS three,
	counting_bloom_agg(n, 1e6, 0.2, -5) = bloom_add_all(counting_bloom_create(1e6, 0.2, -5), array_agg(n)) AS four, counting_bloom_agg(i4, 3000)::bloomfilter = bloom_agg(i4, 3000) AS cast,
	bloom_count(counting_bloom_agg(i4, 3000), 17) >= 3 AS counts, bloom_count(counting_bloom_agg(DISTINCT i4, 1e5), 17) AS distinct_counts, counting_bloom_agg(i4, 3000 ORDER BY -i4) = counting_bloom_agg(i8 / 10000000000, 3000) AS ordered,
	counting_bloom_agg(i4, 3000) FILTER (WHERE i4 < 0) IS NULL AS filtered, counting_bloom_agg(NULL::int, 3000) IS NULL AS nulls
FROM ca;
SELECT counting_bloom_agg('a', 10)::text AS literal, counting_bloom_agg(x, 9.5)::text AS fraction FROM (VALUES (1), (1), (NULL)) AS v (x);
SELECT g, (bloom_count(counting_bloom_agg(i4, 2000), 17) > 0) = bool_or(i4 = 17) AS seventeen, counting_bloom_agg(i4, 2000) IS NULL AS "null", counting_bloom_agg(i4, 2000)::bloomfilter = bloom_agg(i4, 2000) AS cast
FROM ca GROUP BY g HAVING count(i4) = 0 OR bool_or(i4 = 17) ORDER BY g;
SELECT counting_bloom_sum_agg(f) = (SELECT counting_bloom_agg(i4, 3000) FROM ca) AS sum, count(f) AS filters, count(*) AS rows
FROM (SELECT g, counting_bloom_agg(i4, 3000) AS f FROM ca GROUP BY g) AS s;
SELECT counting_bloom_sum_agg(NULL::counting_bloomfilter) IS NULL AS nulls, counting_bloom_sum_agg(bloom_add(counting_bloom_create(10), x)) = counting_bloom_agg(x, 10) AS by_row FROM generate_series(1, 5) AS x;

-- What is refused.
\set VERBOSITY default
SELECT counting_bloom_agg(i4, NULL) FROM ca;
SELECT counting_bloom_agg(i4, 100, NULL) FROM ca;
SELECT counting_bloom_agg(i4, 100, 0.01, NULL) FROM ca;
SELECT counting_bloom_agg(i4, 100 + g) FROM (SELECT * FROM ca WHERE i4 IN (1, 2) ORDER BY i4, g LIMIT 3) AS s;
SELECT counting_bloom_sum_agg(f) FROM (VALUES (bloom_add(counting_bloom_create(10), 1)), (counting_bloom_create(1000))) AS v (f);
SELECT counting_bloom_agg(ROW(i4), 10) FROM ca;
SELECT counting_bloom_agg(i4, 1e9) FROM ca;
SELECT counting_bloomfilter_sum_transfn(NULL, counting_bloom_create(1));
SELECT counting_bloomfilter_agg_transfn(NULL, 1, 10);
\set VERBOSITY sqlstate
SELECT counting_bloom_agg(i4) FROM ca;
SELECT bloom_union_agg(f) FROM (SELECT counting_bloom_create(10) AS f) AS s WHERE false;
\set VERBOSITY terse

-- In parallel, all by workers.
CREATE TABLE ca_serial AS SELECT counting_bloom_agg(i4, 3000) AS dense, counting_bloom_agg(i8, 1e6) AS sparse, counting_bloom_agg(t, 500, 0.1) AS stuck, counting_bloom_agg(n, 3000, 1e-6, 3) AS two_rounds FROM ca;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET parallel_leader_participation = off;
EXPLAIN (COSTS OFF) SELECT counting_bloom_agg(i4, 3000), counting_bloom_agg(i8, 1e6) FROM ca;
SELECT p.dense = s.dense AS dense, p.sparse = s.sparse AS sparse, p.stuck = s.stuck AS stuck, p.two_rounds = s.two_rounds AS two_rounds
FROM (SELECT counting_bloom_agg(i4, 3000) AS dense, counting_bloom_agg(i8, 1e6) AS sparse, counting_bloom_agg(t, 500, 0.1) AS stuck, counting_bloom_agg(n, 3000, 1e-6, 3) AS two_rounds FROM ca) AS p, ca_serial AS s;
SELECT (bloom_info(dense)).representation AS dense, (bloom_info(sparse)).representation AS sparse, (bloom_info(stuck)).stuck_counters > 0 AS stuck FROM ca_serial;
SELECT counting_bloom_sum_agg(f) = dense AS groups FROM (SELECT g, counting_bloom_agg(i4, 3000) AS f FROM ca GROUP BY g) AS s, ca_serial GROUP BY dense;
CREATE TABLE ca_filters AS SELECT g, counting_bloom_agg(i4, 3000) AS f FROM ca GROUP BY g, i4 % 50;
ANALYZE ca_filters;
EXPLAIN (COSTS OFF) SELECT counting_bloom_sum_agg(f) FROM ca_filters;
SELECT counting_bloom_sum_agg(f) = (SELECT dense FROM ca_serial) AS sum FROM ca_filters;
SELECT count(*) = (SELECT count(*) FROM ca WHERE i4 < 500) AS all_found FROM ca WHERE (SELECT dense FROM ca_serial) @> i4 AND i4 < 500;
\set VERBOSITY sqlstate
SELECT counting_bloom_agg(i4, 1000 * (g + 1)) FROM ca;
\set VERBOSITY terse

-- In parts, one by each partition.
CREATE TABLE ca_parts (g int, i4 int) PARTITION BY LIST (g);
CREATE TABLE ca_parts1 PARTITION OF ca_parts FOR VALUES IN (0, 1, 2);
CREATE TABLE ca_parts2 PARTITION OF ca_parts FOR VALUES IN (3, 4, 5, 6, 7);
INSERT INTO ca_parts SELECT g, i4 FROM ca;
ANALYZE ca_parts;
SET enable_partitionwise_aggregate = on;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT counting_bloom_agg(i4, 3000) FROM ca_parts;
SELECT counting_bloom_agg(i4, 3000) = (SELECT dense FROM ca_serial) AS same FROM ca_parts;
SELECT counting_bloom_agg(i4, CASE WHEN g < 3 THEN 1000 ELSE 1001 END) FROM ca_parts;
\echo :LAST_ERROR_SQLSTATE
RESET enable_partitionwise_aggregate;

-- Partial states that travel as text and as bytes.
CREATE FUNCTION ca_text_sum(f counting_bloomfilter, part text) RETURNS counting_bloomfilter LANGUAGE sql AS 'SELECT f + part::counting_bloomfilter';
CREATE AGGREGATE ca_text (text) (SFUNC = ca_text_sum, STYPE = counting_bloomfilter);
SELECT ca_text(part) = dense AS text FROM (SELECT counting_bloom_agg(i4, 3000)::text AS part FROM ca GROUP BY g) AS s, ca_serial GROUP BY dense;
SELECT counting_bloom_sum_agg(part::counting_bloomfilter) = dense AS bytea FROM (SELECT counting_bloom_agg(i4, 3000)::bytea AS part FROM ca GROUP BY g) AS s, ca_serial GROUP BY dense;

-- The functions as transition functions of others: in place, and the start is
-- not changed.
SELECT counting_bloom_create(3000)::text AS start, bloom_add_all(counting_bloom_create(3000), ARRAY(SELECT generate_series(1, 100)))::text AS full \gset
CREATE AGGREGATE ca_add (anycompatible) (SFUNC = bloom_add, STYPE = counting_bloomfilter, INITCOND = :'start');
CREATE AGGREGATE ca_remove (anycompatible) (SFUNC = bloom_remove, STYPE = counting_bloomfilter, INITCOND = :'full');
SELECT ca_add(i4) = dense AS added FROM ca, ca_serial GROUP BY dense;
SELECT ca_remove(x) = bloom_add_all(counting_bloom_create(3000), ARRAY(SELECT generate_series(1, 100)))
		- bloom_add_all(counting_bloom_create(3000), ARRAY(SELECT generate_series(1, 90))) AS removed FROM generate_series(1, 90) AS x;
SELECT ca_remove(x) FROM generate_series(1, 101) AS x;
\echo :LAST_ERROR_SQLSTATE
SELECT bool_and(f = again) AS groups FROM (SELECT g, ca_add(i4) AS f, counting_bloom_agg(i4, 3000) AS again FROM ca WHERE i4 IS NOT NULL GROUP BY g) AS s;

-- As window functions.
CREATE TABLE ca_win AS SELECT i, i % 3 AS g, CASE WHEN i % 5 > 0 THEN i * 17 % 40 END AS x, bloom_add_all(counting_bloom_create(20), ARRAY[i, i + 1]) AS f FROM generate_series(1, 40) AS i;
SELECT frame, count(*), count(*) FILTER (WHERE agg IS DISTINCT FROM again) AS agg, count(*) FILTER (WHERE sum IS DISTINCT FROM sum_again) AS sum FROM (
	SELECT 'running' AS frame, counting_bloom_agg(x, 20) OVER w AS agg, counting_bloom_sum_agg(f) OVER w AS sum,
		(SELECT counting_bloom_agg(x, 20) FROM ca_win AS b WHERE b.i <= a.i) AS again, (SELECT counting_bloom_sum_agg(f) FROM ca_win AS b WHERE b.i <= a.i) AS sum_again
	FROM ca_win AS a WINDOW w AS (ORDER BY i)
	UNION ALL SELECT 'partition', counting_bloom_agg(x, 20) OVER w, counting_bloom_sum_agg(f) OVER w,
		(SELECT counting_bloom_agg(x, 20) FROM ca_win AS b WHERE b.g = a.g), (SELECT counting_bloom_sum_agg(f) FROM ca_win AS b WHERE b.g = a.g)
	FROM ca_win AS a WINDOW w AS (PARTITION BY g)
	UNION ALL SELECT 'sliding', counting_bloom_agg(x, 20) OVER w, counting_bloom_sum_agg(f) OVER w,
		(SELECT counting_bloom_agg(x, 20) FROM ca_win AS b WHERE b.i BETWEEN a.i - 3 AND a.i + 2), (SELECT counting_bloom_sum_agg(f) FROM ca_win AS b WHERE b.i BETWEEN a.i - 3 AND a.i + 2)
	FROM ca_win AS a WINDOW w AS (ORDER BY i ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING)) AS s
GROUP BY frame ORDER BY frame;
SELECT bool_and(bloom_remove(sum, i) IS NOT NULL) AS removed, bool_or(bloom_count(sum, i) <> least(count, 15)) AS changed
FROM (SELECT i, counting_bloom_sum_agg(f) OVER w AS sum, 1 AS count FROM ca_win WINDOW w AS (PARTITION BY i)) AS s;

-- Many groups share a context.
SET enable_sort = off;
SELECT count(*), sum(bloom_cardinality(f)) FROM (SELECT x % 2000 AS k, counting_bloom_agg(x, 100) AS f FROM generate_series(1, 6000) AS x GROUP BY 1) AS s;

RESET ALL;
DROP AGGREGATE ca_add (anycompatible), ca_remove (anycompatible), ca_text (text);
DROP FUNCTION ca_text_sum(counting_bloomfilter, text);
DROP TABLE ca, ca_serial, ca_filters, ca_parts, ca_win;
