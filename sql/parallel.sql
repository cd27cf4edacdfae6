-- Parallel and partial aggregation give what serial aggregation gives.
CREATE TABLE par (
	g int, i4 int, i8 bigint, t text, n numeric, f float8, u uuid, d date, ts timestamptz,
	b bytea, c char(12), j jsonb, a text[]);
INSERT INTO par
	SELECT i % 7, x, x * 10000000000, 'value ' || x, x / 100.0, x / 3.0::float8,
		md5(x::text)::uuid, date '2000-01-01' + x, timestamptz '2000-01-01 UTC' + x * interval '1 minute',
		decode(md5(x::text), 'hex'), x::text, jsonb_build_object('x', x), ARRAY['a', x::text]
	FROM generate_series(1, 20000) AS i, LATERAL (SELECT i * 7919 % 6000 AS x) AS s;
INSERT INTO par (g) SELECT i % 8 FROM generate_series(1, 100) AS i;
ANALYZE par;

SET max_parallel_workers_per_gather = 0;
CREATE TABLE par_serial AS
	SELECT bloom_agg(i4) AS i4, bloom_agg(i8, 6000) AS i8, bloom_agg(t, NULL, 0.001) AS t, bloom_agg(n) AS n,
		bloom_agg(f, 100, 0.1) AS f, bloom_agg(u, 1e6) AS u, bloom_agg(d, 1e6, 0.0001) AS d, bloom_agg(ts) AS ts,
		bloom_agg(b, NULL) AS b, bloom_agg(c) AS c, bloom_agg(j) AS j, bloom_agg(a, 6000) AS a,
		bloom_agg(t, 6000) AS text_sized, bloom_agg(n, 6000, 0.00001) AS numeric_sized
	FROM par;
CREATE TABLE par_serial_groups AS
	SELECT g, bloom_agg(i4) AS i4, bloom_agg(t, 100) AS t, bloom_agg(n, 3000, 0.001) AS n, bloom_agg(u, NULL, 0.2) AS u
	FROM par GROUP BY g;

-- workers do all the work
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET parallel_leader_participation = off;
EXPLAIN (COSTS OFF) SELECT bloom_agg(i4), bloom_agg(i8, 6000), bloom_agg(t, NULL, 0.001) FROM par;
CREATE TABLE par_parallel AS
	SELECT bloom_agg(i4) AS i4, bloom_agg(i8, 6000) AS i8, bloom_agg(t, NULL, 0.001) AS t, bloom_agg(n) AS n,
		bloom_agg(f, 100, 0.1) AS f, bloom_agg(u, 1e6) AS u, bloom_agg(d, 1e6, 0.0001) AS d, bloom_agg(ts) AS ts,
		bloom_agg(b, NULL) AS b, bloom_agg(c) AS c, bloom_agg(j) AS j, bloom_agg(a, 6000) AS a,
		bloom_agg(t, 6000) AS text_sized, bloom_agg(n, 6000, 0.00001) AS numeric_sized
	FROM par;
SELECT DISTINCT (bloom_info(filter::bloomfilter)).element_type
FROM par_serial, json_each_text(row_to_json(par_serial)) AS e (name, filter) ORDER BY 1;
SELECT s.i4 = p.i4 AS i4, s.i8 = p.i8 AS i8, s.t = p.t AS t, s.n = p.n AS n, s.f = p.f AS f, s.u = p.u AS u,
	s.d = p.d AS d, s.ts = p.ts AS ts, s.b = p.b AS b, s.c = p.c AS c, s.j = p.j AS j, s.a = p.a AS a,
	s.text_sized = p.text_sized AS text_sized, s.numeric_sized = p.numeric_sized AS numeric_sized
FROM par_serial AS s, par_parallel AS p;
SELECT (bloom_info(i4)).expected_items, (bloom_info(i4)).representation AS i4, (bloom_info(u)).representation AS u
FROM par_parallel;

-- groups: partial states of all of them travel
EXPLAIN (COSTS OFF) SELECT g, bloom_agg(i4), bloom_agg(t, 100) FROM par GROUP BY g;
SELECT count(*), bool_and(s.i4 = p.i4) AS i4, bool_and(s.t = p.t) AS t, bool_and(s.n = p.n) AS n, bool_and(s.u = p.u) AS u
FROM par_serial_groups AS s JOIN
	(SELECT g, bloom_agg(i4) AS i4, bloom_agg(t, 100) AS t, bloom_agg(n, 3000, 0.001) AS n, bloom_agg(u, NULL, 0.2) AS u
	 FROM par GROUP BY g) AS p USING (g);
-- the group of NULLs only
SELECT g, i4 IS NULL AS i4, t IS NULL AS t FROM par_serial_groups WHERE i4 IS NULL OR t IS NULL;

-- filters, in a table: unions and intersections of them
CREATE TABLE par_filters AS
	SELECT g, bloom_agg(i4, 6000) AS f, bloom_add_all(bloom_create(100), array_agg(i4 % 5)) AS common
	FROM par GROUP BY g, i4 % 100;
ANALYZE par_filters;
EXPLAIN (COSTS OFF) SELECT bloom_union_agg(f), bloom_intersection_agg(common) FROM par_filters;
SELECT bloom_union_agg(f) = (SELECT bloom_agg(i4, 6000) FROM par) AS "union" FROM par_filters;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE par_combined AS
	SELECT bloom_union_agg(f) AS u, bloom_intersection_agg(common) AS i FROM par_filters WHERE common @> 3;
SET max_parallel_workers_per_gather = 2;
SELECT bloom_union_agg(f) = u AS "union", bloom_intersection_agg(common) = i AS intersection, i @> 3 AS contains,
	bloom_cardinality(i) AS common
FROM par_filters, par_combined WHERE common @> 3 GROUP BY u, i;

-- tests in workers, of a filter from outside
SELECT count(*) = (SELECT count(*) FROM par WHERE i4 < 1000) AS all_found
FROM par WHERE (SELECT u FROM par_serial) @> u AND i4 < 1000;

-- parameters that change are found out, whether within the rows of one worker
-- or between workers, and so is a number of values beyond the limit
\set VERBOSITY sqlstate
SELECT bloom_agg(i4, 1000 * (g + 1)) FROM par;
SET bloomfilter.max_exact_hashes = 5999;
SELECT bloom_agg(i4) FROM par;
SET bloomfilter.max_exact_hashes = 6000;
SELECT bloom_agg(i4) = (SELECT i4 FROM par_serial) AS within_the_limit FROM par;
RESET bloomfilter.max_exact_hashes;
\set VERBOSITY default

-- append and partitions: each part has its own partial aggregate
CREATE TABLE par_parts (g int, i4 int, t text, n numeric) PARTITION BY LIST (g);
CREATE TABLE par_parts1 PARTITION OF par_parts FOR VALUES IN (0, 1);
CREATE TABLE par_parts2 PARTITION OF par_parts FOR VALUES IN (2, 3);
CREATE TABLE par_parts3 PARTITION OF par_parts FOR VALUES IN (4, 5);
CREATE TABLE par_parts4 PARTITION OF par_parts FOR VALUES IN (6, 7, 8);
INSERT INTO par_parts SELECT g, i4, t, n FROM par;
ANALYZE par_parts;
SET enable_partitionwise_aggregate = on;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT bloom_agg(i4), bloom_agg(t, 6000), bloom_agg(n, 6000, 0.00001) FROM par_parts;
CREATE TABLE par_partitionwise AS
	SELECT bloom_agg(i4) AS i4, bloom_agg(t, 6000) AS text_sized, bloom_agg(n, 6000, 0.00001) AS numeric_sized,
		bloom_agg(t, NULL, 0.001) AS t
	FROM par_parts;
SELECT p.i4 = s.i4 AS i4, p.text_sized = s.text_sized AS text_sized, p.numeric_sized = s.numeric_sized AS numeric_sized,
	p.t = s.t AS text_right_sized
FROM par_partitionwise AS p, par_serial AS s;
-- parameters that change from part to part are found out, too, and those that
-- mean the same are not
\set VERBOSITY default
EXPLAIN (COSTS OFF) SELECT bloom_agg(i4, CASE WHEN g < 2 THEN 1000 ELSE 1001 END) FROM par_parts;
SELECT bloom_agg(i4, CASE WHEN g < 2 THEN 1000 ELSE 1001 END) FROM par_parts;
SELECT bloom_agg(i4, CASE WHEN g < 2 THEN 1000 END) FROM par_parts;
SELECT bloom_agg(i4, CASE WHEN g > 5 THEN 1000 END) FROM par_parts;
SELECT bloom_agg(i4, 1000, CASE WHEN g > 5 THEN 0.01 ELSE 0.02 END) FROM par_parts;
SELECT bloom_agg(i4, NULL, CASE WHEN g > 5 THEN 0.01 ELSE 0.02 END) FROM par_parts;
SELECT bloom_agg(i4, 1000, 0.01, CASE WHEN g > 5 THEN 1 ELSE -1 END) FROM par_parts;
SELECT bloom_agg(CASE WHEN g < 2 THEN NULL ELSE i4 END, CASE WHEN g > 5 THEN 1000 ELSE 999.5 END, 0.01, 1)
		= (SELECT bloom_agg(i4, 1000, 0.01, 1) FROM par WHERE g >= 2) AS same
FROM par_parts;
\set VERBOSITY terse
-- full partitionwise aggregation, by the partition key
EXPLAIN (COSTS OFF) SELECT g, bloom_agg(i4), bloom_agg(t, 100) FROM par_parts GROUP BY g;
SELECT count(*), bool_and(s.i4 = p.i4) AS i4, bool_and(s.t = p.t) AS t
FROM par_serial_groups AS s
	JOIN (SELECT g, bloom_agg(i4) AS i4, bloom_agg(t, 100) AS t FROM par_parts GROUP BY g) AS p USING (g);
-- both at once
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;
EXPLAIN (COSTS OFF) SELECT bloom_agg(i4), bloom_agg(t, 6000) FROM par_parts;
DROP TABLE par_partitionwise;
CREATE TABLE par_partitionwise AS
	SELECT bloom_agg(i4) AS i4, bloom_agg(t, 6000) AS text_sized, bloom_agg(n, 6000, 0.00001) AS numeric_sized,
		bloom_agg(t, NULL, 0.001) AS t
	FROM par_parts;
SELECT p.i4 = s.i4 AS i4, p.text_sized = s.text_sized AS text_sized, p.numeric_sized = s.numeric_sized AS numeric_sized,
	p.t = s.t AS text_right_sized
FROM par_partitionwise AS p, par_serial AS s;

RESET ALL;
DROP TABLE par, par_serial, par_serial_groups, par_parallel, par_filters, par_combined, par_parts, par_partitionwise;
