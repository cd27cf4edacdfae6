-- bloom_agg, bloom_union_agg and bloom_intersection_agg: that all ways to the
-- same filter give the same filter, in every kind of grouping.
CREATE TABLE agg_values (g int, x int, t text);
-- groups 1 to 10 of different sizes, values in no order and repeated, NULLs
INSERT INTO agg_values
	SELECT i % 10 + 1, CASE WHEN i % 7 > 0 THEN i * 7919 % (300 * (i % 10 + 1)) END,
		CASE WHEN i % 11 > 0 THEN 'value ' || i * 7919 % (300 * (i % 10 + 1)) END
	FROM generate_series(1, 10000) AS i;
ANALYZE agg_values;

-- the forms
SELECT bloom_agg(x) = bloom_agg(x, NULL) AS "null",
	bloom_agg(x) = bloom_agg(x, NULL, 0.01) AS null_rate,
	bloom_agg(x) = bloom_agg(x, count_x) AS sized,
	bloom_agg(x, 5000) = bloom_agg(x, 5000, 0.01) AS rate,
	bloom_agg(x, 5000) = bloom_agg(x, 4999.5) AS rounded,
	bloom_agg(x, 5000) = bloom_agg(x, 5000, 0.01, 0) AS seed,
	bloom_agg(x, 5000, 0.01, 7) = bloom_agg(x, 4999.5, 0.01, 7::smallint) AS same_seed,
	bloom_agg(x, 5000, 0.01, 7) = bloom_agg(x, 5000, 0.01, 8) AS other_seed,
	bloom_agg(x) = bloom_agg(x, NULL, 0.02) AS other_rate,
	bloom_agg(x, 5000) = bloom_agg(x, 5001) AS other_size,
	bloom_agg(x) = bloom_agg(x::bigint) AS same_family,
	bloom_agg(x) = bloom_agg(x::text) AS other_family
FROM agg_values, (SELECT count(DISTINCT x) AS count_x FROM agg_values) AS c;

-- a sized filter is that of bloom_create and bloom_add, a right-sized one that
-- for the number of distinct values; sparse and dense
CREATE FUNCTION pg_temp.add_one_by_one(f bloomfilter, x int[]) RETURNS bloomfilter LANGUAGE plpgsql AS $$
DECLARE
	e int;
BEGIN
	FOREACH e IN ARRAY x LOOP
		f := bloom_add(f, e);
	END LOOP;
	RETURN f;
END $$;
SELECT n, p, (bloom_info(agg)).representation,
	agg = bloom_add_all(bloom_create(n, p), x) AS add_all,
	agg = pg_temp.add_one_by_one(bloom_create(n, p), x) AS add_chain,
	agg = "union" AS union_of_parts
FROM (VALUES (10, 0.01), (5000, 0.01), (5000, 0.0001), (1000000, 0.1)) AS v (n, p),
	LATERAL (SELECT bloom_agg(x, n, p) AS agg, array_agg(x) AS x FROM agg_values) AS a,
	LATERAL (SELECT bloom_union_agg(part) AS "union"
		FROM (SELECT bloom_agg(x, n, p) AS part FROM agg_values GROUP BY g) AS s) AS u;
SELECT p, (bloom_info(agg)).expected_items = count_x AS exact_size,
	agg = bloom_add_all(bloom_create(count_x, p), x) AS add_all
FROM unnest(ARRAY[0.5, 0.01, 0.0001]) AS p,
	LATERAL (SELECT bloom_agg(x, NULL, p) AS agg, array_agg(x) AS x, count(DISTINCT x) AS count_x
		FROM agg_values) AS a;

-- with a seed, sized or not
SELECT (bloom_info(sized)).seed AS sized, sized = bloom_add_all(bloom_create(5000, 0.001, -7), x) AS add_all,
	(bloom_info(exact)).seed AS exact, exact = bloom_add_all(bloom_create(count_x, 0.001, 9223372036854775807), x) AS add_all
FROM (SELECT bloom_agg(x, 5000, 0.001, -7) AS sized, bloom_agg(x, NULL, 0.001, 9223372036854775807) AS exact,
		array_agg(x) AS x, count(DISTINCT x) AS count_x FROM agg_values) AS a;

-- each row's value is in the filter of its group
CREATE TABLE agg_groups AS
	SELECT g, count(DISTINCT x) AS n, bloom_agg(x) AS f, bloom_agg(x, 1000) AS s, bloom_agg(t) AS t
	FROM agg_values GROUP BY g;
SELECT bool_and(f @> x) AS int, bool_and(s @> x) AS sized, bool_and(a.t @> v.t) AS text
FROM agg_values AS v JOIN agg_groups AS a USING (g);
SELECT g, n, (bloom_info(f)).expected_items, (bloom_info(t)).element_type,
	(bloom_info(t)).expected_items AS texts
FROM agg_groups ORDER BY g;

-- FILTER, DISTINCT, ORDER BY
SELECT bloom_agg(x) FILTER (WHERE g = 3) = (SELECT f FROM agg_groups WHERE g = 3) AS filter,
	bloom_agg(x) FILTER (WHERE false) IS NULL AS filter_nothing,
	bloom_agg(DISTINCT x) = bloom_agg(x) AS "distinct",
	bloom_agg(DISTINCT x, 1000) = bloom_agg(x, 1000) AS distinct_sized,
	bloom_agg(x ORDER BY x) = bloom_agg(x) AS ascending,
	bloom_agg(x, 1000 ORDER BY t DESC) = bloom_agg(x, 1000) AS descending,
	bloom_agg(DISTINCT t ORDER BY t) FILTER (WHERE g <= 2) =
		(SELECT bloom_agg(t) FROM agg_values WHERE g <= 2) AS all_three
FROM agg_values;

-- grouping, sorted and hashed
SET enable_hashagg = off;
EXPLAIN (COSTS OFF) SELECT g, bloom_agg(x) FROM agg_values GROUP BY g;
SELECT count(*), bool_and(v.f = a.f AND v.s = a.s AND v.t = a.t)
FROM (SELECT g, bloom_agg(x) AS f, bloom_agg(x, 1000) AS s, bloom_agg(t) AS t FROM agg_values GROUP BY g) AS v
	JOIN agg_groups AS a USING (g);
RESET enable_hashagg;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT g, bloom_agg(x) FROM agg_values GROUP BY g;
SELECT count(*), bool_and(v.f = a.f AND v.s = a.s AND v.t = a.t)
FROM (SELECT g, bloom_agg(x) AS f, bloom_agg(x, 1000) AS s, bloom_agg(t) AS t FROM agg_values GROUP BY g) AS v
	JOIN agg_groups AS a USING (g);
RESET enable_sort;

-- HAVING
SELECT array_agg(g ORDER BY g) = (SELECT array_agg(DISTINCT g ORDER BY g) FROM agg_values WHERE x = 298)
FROM (SELECT g FROM agg_values GROUP BY g HAVING bloom_agg(x, NULL, 0.000001) @> 298) AS s;

-- grouping sets: the same as the groupings one by one
SELECT count(*) AS sets, count(*) FILTER (WHERE grouping_g = 1) AS totals, bool_and(f = one.agg AND s = one.sized)
FROM (SELECT g, x % 2 AS odd, grouping(g) AS grouping_g, grouping(x % 2) AS grouping_odd,
			bloom_agg(x) AS f, bloom_agg(x, 700) AS s
		FROM agg_values WHERE x IS NOT NULL
		GROUP BY GROUPING SETS ((g, x % 2), (g), (x % 2), ())) AS gs,
	LATERAL (SELECT bloom_agg(x) AS agg, bloom_agg(x, 700) AS sized FROM agg_values AS v
		WHERE (grouping_g = 1 OR v.g = gs.g) AND (grouping_odd = 1 OR v.x % 2 = odd)) AS one;

-- correlated subqueries, as one of outer values and within LATERAL
SELECT count(*), bool_and((SELECT bloom_agg(v.x) FROM agg_values AS v WHERE v.g = a.g) = a.f),
	bool_and((SELECT bloom_agg(v.x, a.n) FROM agg_values AS v WHERE v.g = a.g) = a.f) AS sized,
	bool_or((SELECT bloom_agg(v.x, a.n + 2) FROM agg_values AS v WHERE v.g = a.g) = a.f) AS wrong_size
FROM agg_groups AS a;
SELECT (SELECT bloom_agg(a.g) FROM (SELECT) AS one) = bloom_agg(g) AS outer_values FROM agg_groups AS a;

-- thousands of groups, hashed, with so little memory that it spills
CREATE TABLE agg_many AS
	SELECT i % 5000 AS g, i / 5000 * 31 + i % 5000 AS x FROM generate_series(0, 49999) AS i;
ANALYZE agg_many;
CREATE TABLE agg_many_sorted AS
	SELECT g, bloom_add_all(bloom_create(10), array_agg(x)) AS f, bloom_add_all(bloom_create(400), array_agg(x)) AS s
	FROM agg_many GROUP BY g;
SET enable_sort = off;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
EXPLAIN (COSTS OFF) SELECT g, bloom_agg(x), bloom_agg(x, 400) FROM agg_many GROUP BY g;
CREATE FUNCTION pg_temp.spills(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON, COSTS OFF, TIMING OFF) ' || query INTO plan;
	RETURN (plan->0->'Plan'->>'HashAgg Batches')::int > 1;
END $$;
SELECT pg_temp.spills('SELECT g, bloom_agg(x), bloom_agg(x, 400) FROM agg_many GROUP BY g');
SELECT count(*), bool_and(h.f = s.f) AS right_sized, bool_and(h.s = s.s) AS sized
FROM (SELECT g, bloom_agg(x) AS f, bloom_agg(x, 400) AS s FROM agg_many GROUP BY g) AS h
	JOIN agg_many_sorted AS s USING (g);
-- the filters' memory is seen: a few groups of many values spill too, which
-- without filters they do not
CREATE TABLE agg_few AS SELECT i / 10000 AS g, i AS x FROM generate_series(0, 39999) AS i;
ANALYZE agg_few;
SELECT pg_temp.spills('SELECT g, bloom_agg(x) FROM agg_few GROUP BY g') AS right_sized,
	pg_temp.spills('SELECT g, bloom_agg(x, 100000) FROM agg_few GROUP BY g') AS sized,
	pg_temp.spills('SELECT g, count(x) FROM agg_few GROUP BY g') AS count;
SELECT g, (bloom_info(f)).expected_items, f = bloom_agg(i) AS right
FROM (SELECT g, bloom_agg(x) AS f FROM agg_few GROUP BY g) AS s, generate_series(g * 10000, g * 10000 + 9999) AS i
GROUP BY g, f ORDER BY g;
RESET work_mem;
RESET hash_mem_multiplier;
RESET enable_sort;

-- values repeated a thousand times count once
SELECT (bloom_info(f)).expected_items, f = bloom_add_all(bloom_create(5), ARRAY[0, 1, 2, 3, 4])
FROM (SELECT bloom_agg(i % 5) AS f FROM generate_series(1, 5000) AS i) AS s;

-- parameters that change within a group
\set VERBOSITY default
SELECT bloom_agg(i, 100 * i) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, 100, 0.1 * i) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, nullif(100, 50 * i)) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, nullif(100, 100 * i)) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, NULL, 0.1 * i) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, CASE WHEN i < 100 THEN 50 ELSE 'NaN'::float8 END) FROM generate_series(1, 200) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, 100, 0.01, i) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, NULL, 0.01, -i) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
-- rates are told apart however close they are
SELECT bloom_agg(i, 100, CASE i WHEN 1 THEN 0.1::float8 + 0.2 ELSE 0.3 END) FROM generate_series(1, 3) AS i;
-- and the rate and the seed are never NULL
SELECT bloom_agg(i, 100, NULL) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, 100, 0.01, NULL) FROM generate_series(1, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(i, 100, 0.01, nullif(i, 2)) FROM generate_series(2, 3) AS i;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY terse
-- between groups they may, and where there is no value they do not matter
SELECT i % 2 AS g, (bloom_info(bloom_agg(i, 100 * (i % 2 + 1)))).expected_items
FROM generate_series(1, 10) AS i GROUP BY i % 2 ORDER BY 1;
SELECT (bloom_info(bloom_agg(CASE WHEN i > 3 THEN i END, CASE WHEN i > 3 THEN 7 ELSE -i END))).expected_items
FROM generate_series(1, 10) AS i;

-- bloom_union_agg and bloom_intersection_agg: the same as | and & one by one
CREATE TABLE agg_filters AS
	SELECT i AS g, bloom_add_all(bloom_create(500), ARRAY(SELECT generate_series(i * 10, i * 10 + len))) AS f,
		bloom_add_all(bloom_create(500), ARRAY(SELECT generate_series(1, len))) AS nested
	FROM generate_series(1, 20) AS i, LATERAL (SELECT CASE i % 3 WHEN 0 THEN 2 WHEN 1 THEN 8 ELSE 150 END AS len) AS l;
INSERT INTO agg_filters VALUES (21, NULL, NULL), (22, NULL, NULL);
CREATE AGGREGATE agg_or (bloomfilter) (SFUNC = bloom_union, STYPE = bloomfilter);
CREATE AGGREGATE agg_and (bloomfilter) (SFUNC = bloom_intersection, STYPE = bloomfilter);
SELECT DISTINCT (bloom_info(f)).representation FROM agg_filters WHERE f IS NOT NULL ORDER BY 1;
SELECT (bloom_info(bloom_union_agg(f))).representation,
	bloom_union_agg(f) = agg_or(f) AS or_one_by_one,
	bloom_union_agg(f) = bloom_union_agg(f ORDER BY g DESC) AS any_order,
	bloom_union_agg(f) = (SELECT bloom_agg(e, 500) FROM agg_filters AS s,
		LATERAL (SELECT CASE g % 3 WHEN 0 THEN 2 WHEN 1 THEN 8 ELSE 150 END AS len) AS l,
		generate_series(g * 10, g * 10 + len) AS e WHERE g <= 20) AS of_all_values,
	bloom_union_agg(f) FILTER (WHERE g % 3 = 0) = (SELECT agg_or(f) FROM agg_filters WHERE g % 3 = 0) AS filter,
	(bloom_info(bloom_union_agg(f) FILTER (WHERE g = 3 OR g >= 21))).representation AS stays_sparse
FROM agg_filters;
SELECT bloom_intersection_agg(nested) = agg_and(nested) AS and_one_by_one,
	bloom_intersection_agg(nested) = bloom_intersection_agg(nested ORDER BY g DESC) AS any_order,
	bloom_intersection_agg(nested) @> 1 AND bloom_intersection_agg(nested) @> 2 AS contains_common,
	bloom_cardinality(bloom_intersection_agg(nested)) AS common,
	(bloom_info(bloom_intersection_agg(nested))).representation,
	(bloom_info(bloom_intersection_agg(nested) FILTER (WHERE g % 3 = 2))).representation AS of_dense,
	bloom_cardinality(bloom_intersection_agg(f)) AS of_disjoint
FROM agg_filters;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT g % 4, bloom_union_agg(f), bloom_intersection_agg(nested) FROM agg_filters GROUP BY g % 4;
SELECT count(*), bool_and(u = agg_or), bool_and(i = agg_and)
FROM (SELECT g % 4 AS g4, bloom_union_agg(f) AS u, bloom_intersection_agg(nested) AS i,
		agg_or(f) AS agg_or, agg_and(nested) AS agg_and
	FROM agg_filters GROUP BY g % 4) AS s;
RESET enable_sort;
SELECT count(*), bool_and(u = one.agg_or)
FROM (SELECT g % 2 AS g2, g % 3 AS g3, grouping(g % 2) AS grouping2, grouping(g % 3) AS grouping3,
			bloom_union_agg(f) AS u
		FROM agg_filters GROUP BY CUBE (g % 2, g % 3)) AS gs,
	LATERAL (SELECT agg_or(f) FROM agg_filters AS v
		WHERE (grouping2 = 1 OR v.g % 2 = g2) AND (grouping3 = 1 OR v.g % 3 = g3)) AS one;
SELECT bool_and((SELECT bloom_union_agg(f) FROM agg_filters AS i WHERE i.g <= o.g) @> o.g * 10) AS correlated
FROM agg_filters AS o WHERE g <= 20;
-- filters that do not go together
SELECT bloom_union_agg(f) FROM (VALUES (bloom_create(10)), (bloom_create(1000))) AS v (f);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_intersection_agg(f) FROM (VALUES (bloom_add(bloom_create(10), 1)), (bloom_add(bloom_create(10), 'a'))) AS v (f);
\echo :LAST_ERROR_SQLSTATE

-- what the aggregates give is a value of its own: it goes on being added to
-- without any other reference to the same aggregate seeing that
SELECT bloom_add(bloom_union_agg(f), 77777) @> 77777 AS added, bloom_union_agg(f) @> 77777 AS "union",
	bloom_add(bloom_agg(g, 500), 77777) @> 77777 AS agg_added, bloom_agg(g, 500) @> 77777 AS agg
FROM agg_filters WHERE g <= 20;

-- the support functions are for aggregates only
SELECT bloomfilter_agg_transfn(NULL, 1);
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_agg_transfn(bloom_create(10), 1, 10);
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_agg_transfn(bloom_create(10), 1, 10, 0.01);
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_agg_transfn(bloom_create(10), 1, 10, 0.01, 0);
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_agg_transfn(bloom_create(10), NULL::int);
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_agg_transfn(f, 1) FROM (SELECT bloom_add(bloom_create(10), x) AS f, generate_series(1, 1) FROM generate_series(1, 1) AS x) AS s;
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_agg_combinefn(bloom_create(10), bloom_create(10));
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_union_transfn(bloom_create(10), bloom_create(10));
\echo :LAST_ERROR_SQLSTATE
SELECT bloomfilter_intersection_transfn(NULL, NULL);
\echo :LAST_ERROR_SQLSTATE

DROP AGGREGATE agg_or (bloomfilter), agg_and (bloomfilter);
DROP TABLE agg_values, agg_groups, agg_many, agg_many_sorted, agg_few, agg_filters;
