-- The aggregates as window functions: over every frame they give what they
-- give over the same rows in a query of their own.
CREATE TABLE win (i int PRIMARY KEY, g int, x int, f bloomfilter);
INSERT INTO win
	SELECT i, i % 3, CASE WHEN i % 5 > 0 THEN i * 17 % 40 END,
		CASE WHEN i % 4 > 0 THEN bloom_add_all(bloom_create(200), ARRAY(SELECT generate_series(i - i % 4 * 3, i))) END
	FROM generate_series(1, 60) AS i;
-- sparse and dense states come to be along the way
SELECT DISTINCT (bloom_info(bloom_union_agg(f) OVER (ORDER BY i))).representation FROM win ORDER BY 1;

-- Frames, and the condition that selects the rows w of one for the row r.
CREATE TEMP TABLE frames (id int, frame text, rows text);
INSERT INTO frames VALUES
	(1, '', 'true'),
	(2, 'PARTITION BY g', 'w.g = r.g'),
	(3, 'ORDER BY i', 'w.i <= r.i'),
	(4, 'PARTITION BY g ORDER BY i', 'w.g = r.g AND w.i <= r.i'),
	(5, 'ORDER BY i DESC', 'w.i >= r.i'),
	(6, 'ORDER BY g', 'w.g <= r.g'),
	(7, 'ORDER BY i ROWS BETWEEN 3 PRECEDING AND CURRENT ROW', 'w.i BETWEEN r.i - 3 AND r.i'),
	(8, 'ORDER BY i ROWS BETWEEN 2 PRECEDING AND 5 FOLLOWING', 'w.i BETWEEN r.i - 2 AND r.i + 5'),
	(9, 'ORDER BY i ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'w.i >= r.i'),
	(10, 'ORDER BY i ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING', 'w.i BETWEEN r.i + 2 AND r.i + 4'),
	(11, 'PARTITION BY g ORDER BY i ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING', 'w.g = r.g AND w.i BETWEEN r.i - 3 AND r.i + 3'),
	(12, 'ORDER BY i RANGE BETWEEN 7 PRECEDING AND 3 PRECEDING', 'w.i BETWEEN r.i - 7 AND r.i - 3'),
	(13, 'ORDER BY g GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING', 'w.g = r.g - 1'),
	(14, 'ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW', 'w.i <> r.i'),
	(15, 'ORDER BY i ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW', 'w.i < r.i');

CREATE FUNCTION pg_temp.mismatches(call text, frame text, condition text, OUT rows int, OUT nulls int, OUT mismatches int)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*), count(*) FILTER (WHERE windowed IS NULL),
			count(*) FILTER (WHERE windowed IS DISTINCT FROM (SELECT %1$s FROM win AS w WHERE %3$s))
		FROM (SELECT i, g, %1$s OVER (%2$s) AS windowed FROM win) AS r', call, frame, condition)
	INTO rows, nulls, mismatches;
END $$;
-- rows that differ / rows whose frame holds no value
SELECT id, frame, bloom_agg, sized, "union", intersection
FROM frames,
	LATERAL (SELECT format('%s/%s', mismatches, nulls) AS bloom_agg FROM pg_temp.mismatches('bloom_agg(x)', frame, rows)) AS a,
	LATERAL (SELECT format('%s/%s', mismatches, nulls) AS sized FROM pg_temp.mismatches('bloom_agg(x, 30, 0.05)', frame, rows)) AS b,
	LATERAL (SELECT format('%s/%s', mismatches, nulls) AS "union" FROM pg_temp.mismatches('bloom_union_agg(f)', frame, rows)) AS c,
	LATERAL (SELECT format('%s/%s', mismatches, nulls) AS intersection FROM pg_temp.mismatches('bloom_intersection_agg(f)', frame, rows)) AS d
ORDER BY id;

-- FILTER
SELECT count(*), count(*) FILTER (WHERE windowed IS DISTINCT FROM
	(SELECT bloom_agg(x) FILTER (WHERE g > 0) FROM win AS w WHERE w.i <= r.i)) AS mismatches
FROM (SELECT i, bloom_agg(x) FILTER (WHERE g > 0) OVER (ORDER BY i) AS windowed FROM win) AS r;

-- what running frames hold, seen from outside
SELECT i, x, (bloom_info(bloom_agg(x) OVER w)).expected_items AS expected,
	bloom_cardinality(bloom_agg(x, 1000) OVER w) AS running,
	bloom_cardinality(bloom_agg(x, 1000) OVER (ORDER BY i ROWS 2 PRECEDING)) AS last_three,
	bloom_agg(x, 1000) OVER w @> 34 AS has_34,
	bloom_agg(x, 1000) OVER (ORDER BY i ROWS 2 PRECEDING) @> 34 AS had_34
FROM win WHERE i <= 12 WINDOW w AS (ORDER BY i) ORDER BY i;

-- a frame that never holds a value, and one that is empty
SELECT DISTINCT bloom_agg(x) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND 2 PRECEDING) IS NULL AS empty,
	bloom_agg(NULL::int) OVER (ORDER BY i) IS NULL AS nulls
FROM win;

-- a result that is added to leaves the frames of later rows alone
SELECT count(*), bool_and(bloom_add(u, 9999) @> 9999) AS added, bool_or(u @> 9999) AS in_frame,
	bool_or(bloom_add(a, 9999) @> 9998 OR a @> 9999) AS in_agg
FROM (SELECT bloom_union_agg(f) OVER w AS u, bloom_agg(x, 500) OVER w AS a FROM win WINDOW w AS (ORDER BY i)) AS s
WHERE u IS NOT NULL;
SELECT count(*) FILTER (WHERE added @> 9999) AS added, count(*) FILTER (WHERE plain @> 9999) AS plain,
	count(*) FILTER (WHERE agg_added @> 9999) AS agg_added, count(*) FILTER (WHERE agg_plain @> 9999) AS agg_plain
FROM (SELECT bloom_add(bloom_union_agg(f) OVER w, 9999) AS added, bloom_union_agg(f) OVER w AS plain,
		bloom_add(bloom_agg(x, 500) OVER w, 9999) AS agg_added, bloom_agg(x, 500) OVER w AS agg_plain
	FROM win WINDOW w AS (ORDER BY i)) AS s;

-- over the result of an aggregate
SELECT g, bloom_cardinality(bloom_agg(x, 500)) AS own, bloom_cardinality(bloom_union_agg(bloom_agg(x, 500)) OVER (ORDER BY g)) AS running
FROM win GROUP BY g ORDER BY g;
SELECT bloom_cardinality(bloom_agg(x, 500)) AS all_groups FROM win;

-- parameters that change within a partition
SELECT bloom_agg(x, 100 + i) OVER (ORDER BY i) FROM win;
\echo :LAST_ERROR_SQLSTATE
SELECT bool_and(n = 100 + g)
FROM (SELECT g, (bloom_info(bloom_agg(x, 100 + g) OVER (PARTITION BY g))).expected_items AS n FROM win) AS s;

DROP TABLE win;
