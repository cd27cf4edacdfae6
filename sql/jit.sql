-- Compiled expressions: the same answers, with what can be inlined inlined.
-- (Where the server has no compiler, this is just a test of some queries.)
SET jit = on;
SET jit_above_cost = 0;
SET jit_inline_above_cost = 0;
SET jit_optimize_above_cost = 0;
SET max_parallel_workers_per_gather = 0;

CREATE TABLE compiled AS
SELECT i, i::text AS s, i / 10.0 AS n, i % 3 AS g FROM generate_series(1, 1000) AS i;

CREATE TABLE compiled_filters AS
SELECT g, bloom_agg(i) AS ints, bloom_agg(s, 1000) AS texts, bloom_agg(n, 1000, 0.001) AS numerics
FROM compiled GROUP BY g;

SELECT g, count(*) FILTER (WHERE ints @> i) AS ints, count(*) FILTER (WHERE s <@ texts) AS texts,
	count(*) FILTER (WHERE bloom_contains(numerics, n)) AS numerics,
	count(*) FILTER (WHERE bloom_contains_any(ints, ARRAY[i, -i])) AS "any"
FROM compiled JOIN compiled_filters USING (g) GROUP BY g ORDER BY g;

-- a filter by its pointer, and one that does not fit the type
SELECT count(*) FROM compiled WHERE (SELECT bloom_agg(i) FROM compiled WHERE g = 1) @> i AND g = 1;
SELECT count(*) FROM compiled WHERE (SELECT ints FROM compiled_filters WHERE g = 1) @> n;

SELECT bool_and(bloom_add(texts, 'new'::text) @> 'new') AS added FROM compiled_filters;
SELECT count(*) FROM compiled, (SELECT bloom_union_agg(texts) AS united FROM compiled_filters) AS filter
WHERE united @> s;
