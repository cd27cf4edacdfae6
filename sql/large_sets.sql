-- Right-sized aggregation of so many distinct values that the set of their
-- hashes is no table any more, but a log that is sorted when it has grown.
SET max_parallel_workers_per_gather = 0;
CREATE AGGREGATE ls_state ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter);
CREATE AGGREGATE ls_finish (bloomfilter) (
	SFUNC = bloomfilter_union_transfn, STYPE = bloomfilter, FINALFUNC = bloomfilter_agg_finalfn);

-- Bit for bit the filter of a size given beforehand, however often the values
-- come: once, in turn, in a row, some of them nearly always.
SELECT v.name, count(*), count(DISTINCT i), bloom_agg(i) = bloom_agg(i, v.n) AS same
FROM (VALUES ('once', 300000, 300000), ('in turn', 600000, 60000), ('in a row', 600000, 120000),
		('one most often', 400000, 100001)) AS v (name, repetitions, n),
	LATERAL (SELECT CASE v.name WHEN 'once' THEN g WHEN 'in turn' THEN g % 60000 WHEN 'in a row' THEN g / 5
			ELSE CASE WHEN g % 4 = 0 THEN g ELSE -1 END END AS i
		FROM generate_series(0, v.repetitions - 1) AS g) AS s
GROUP BY v.name ORDER BY v.name;

-- of other types, and in several groups at once
SELECT g % 3 AS part, bloom_agg(g::text) = bloom_agg(g::text, 60000) AS texts,
	bloom_agg(g::numeric) = bloom_agg(g::numeric, 60000) AS numbers
FROM generate_series(1, 180000) AS g GROUP BY part ORDER BY part;

-- Memory: 14 bytes per distinct value, in allocations a quarter larger, and
-- what every log has at first; whatever repeats.
CREATE VIEW ls_memory AS
	SELECT sum(total_bytes) AS bytes FROM pg_backend_memory_contexts WHERE name = 'bloomfilter states';
CREATE FUNCTION ls_memory() RETURNS numeric LANGUAGE sql VOLATILE AS 'SELECT bytes FROM ls_memory';
SELECT name, bloom_agg(i) IS NOT NULL AS built,
	max(ls_memory()) FILTER (WHERE g % 10000 = 0) < 4e6 + 1.25 * 14 * count(DISTINCT i) AS in_bounds
FROM (SELECT 'once' AS name, g, g AS i FROM generate_series(1, 500000) AS g
	UNION ALL SELECT 'in turn', g, g % 100000 FROM generate_series(1, 1000000) AS g
	UNION ALL SELECT 'one most often', g, CASE WHEN g % 10 = 0 THEN g ELSE -1 END FROM generate_series(1, 1000000) AS g) AS s
GROUP BY name ORDER BY name;

-- Hashes that are not uniform: of one in 32 ranges only, and with repetitions.
CREATE TABLE ls_narrow AS
	SELECT g AS i FROM generate_series(1, 2000000) AS g WHERE bloom_hash(g) >> 59 = 5;
SELECT count(*) > 55000 AS many, bloom_agg(i) = bloom_agg(i, n) AS same
FROM (SELECT i, count(*) OVER ()::float8 / 4 AS n FROM ls_narrow, generate_series(1, 4)) AS s;

-- the limit counts distinct values, and is the same whenever it is noticed
SET bloomfilter.max_exact_hashes = 60000;
SELECT bloom_agg(g % 60000) IS NOT NULL AS at_the_limit FROM generate_series(1, 400000) AS g;
SELECT bloom_agg(g % 60001) FROM generate_series(1, 400000) AS g;
SELECT bloom_agg(g) FROM generate_series(1, 2000000) AS g;
RESET bloomfilter.max_exact_hashes;

-- States: tested while they are logs, copied, combined, and on their way.
SELECT count(*) AS values, count(*) FILTER (WHERE state @> i) AS present, count(*) FILTER (WHERE state @> -i) AS absent
FROM (SELECT ls_state(g) AS state FROM generate_series(1, 200000) AS g) AS s, generate_series(1, 200000, 997) AS i;
SELECT bloom_contains_all(ls_state(g), ARRAY(SELECT generate_series(1, 200000, 97))) AS present,
	bloom_contains_any(ls_state(g), ARRAY(SELECT -generate_series(1, 200000, 97))) AS absent
FROM generate_series(1, 200000) AS g;
-- A final function is passed the log itself: what is tested is found in each
-- page of a partition, and a copy has all of them.
CREATE FUNCTION ls_tests(state bloomfilter) RETURNS text LANGUAGE sql AS $$
	SELECT format('%s present, %s absent', count(*) FILTER (WHERE state @> g), count(*) FILTER (WHERE NOT state @> -g))
	FROM generate_series(1, 200000, 97) AS g
$$;
CREATE AGGREGATE ls_tests ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, FINALFUNC = ls_tests);
CREATE FUNCTION ls_copy(state bloomfilter) RETURNS bloomfilter LANGUAGE sql AS 'SELECT ls_finish(state)';
CREATE AGGREGATE ls_copy ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, FINALFUNC = ls_copy);
SELECT ls_tests(g), ls_copy(g) = bloom_agg(g, 200000) AS copied FROM generate_series(1, 200000) AS g;
SELECT ls_finish(state) = min(f::text)::bloomfilter AS combined,
	ls_finish(state::text::bloomfilter) = min(f::text)::bloomfilter AS as_text
FROM (SELECT ls_state(g) AS state FROM generate_series(1, 90000) AS g
	UNION ALL SELECT ls_state(g) FROM generate_series(80000, 150000) AS g
	UNION ALL SELECT ls_state(g) FROM generate_series(10, 20) AS g) AS s,
	(SELECT bloom_agg(g, 150000) AS f FROM generate_series(1, 150000) AS g) AS expected;

-- a part in each process, and all in one
CREATE TABLE ls_values AS SELECT g % 140000 AS i FROM generate_series(1, 300000) AS g;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT bloom_agg(i) = bloom_agg(i, 140000) AS same FROM ls_values;
SELECT bloom_agg(i) = bloom_agg(i, 140000) AS same FROM ls_values;
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
SET max_parallel_workers_per_gather = 0;

-- every row's result of a window aggregate, from a state that goes on growing
SELECT count(*), bool_and(f @> g) AS has_it, count(DISTINCT bloom_cardinality(f)) AS sizes
FROM (SELECT g, bloom_agg(g) OVER (ORDER BY g / 20000) AS f FROM generate_series(0, 119999) AS g) AS s WHERE g % 20000 = 0;

-- A filter in memory that is so large, and tested so often, that the pages
-- it is in are moved meanwhile.
SELECT count(*) FILTER (WHERE f @> g) AS present, count(*) FILTER (WHERE f @> -g) AS absent
FROM generate_series(1, 200000) AS g,
	LATERAL (SELECT (SELECT bloom_agg(i, 8e6) FROM generate_series(1, 200000) AS i) AS f) AS filter;

-- Blocks of more than 4 MB are combined piece by piece.
SELECT (bloom_info(a)).bits / 8 > 4 * 1024 * 1024 AS large, (bloom_info(a)).representation AS a, (bloom_info(b)).representation AS b,
	"union" = (SELECT bloom_agg(g, 4e6) FROM generate_series(1, 250000) AS g) AS "union",
	(SELECT count(*) FROM generate_series(100001, 150000) AS g WHERE common @> g) AS common,
	bloom_cardinality(common) BETWEEN 50000 AND 60000 AS few
FROM (SELECT a, b, a | b AS "union", a & b AS common
	FROM (SELECT bloom_agg(g, 4e6) FILTER (WHERE g <= 150000) AS a, bloom_agg(g, 4e6) FILTER (WHERE g > 100000) AS b
		FROM generate_series(1, 250000) AS g) AS parts OFFSET 0) AS s;

RESET max_parallel_workers_per_gather;
DROP FUNCTION ls_memory();
DROP VIEW ls_memory;
DROP TABLE ls_narrow;
DROP TABLE ls_values;
DROP AGGREGATE ls_tests ("any");
DROP AGGREGATE ls_copy ("any");
DROP FUNCTION ls_tests(bloomfilter);
DROP FUNCTION ls_copy(bloomfilter);
DROP AGGREGATE ls_state ("any");
DROP AGGREGATE ls_finish (bloomfilter);
