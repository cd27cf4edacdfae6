-- Estimated numbers of values: exact for lists, within their error for blocks.

-- The probability that a value sets a given bit, and the standard deviation of
-- the estimate for n values that follows (Whang and others 1990).
CREATE FUNCTION pg_temp.bit_probability(f bloomfilter) RETURNS float8 LANGUAGE sql AS $$
	SELECT CASE WHEN hashes <= 8 THEN hashes / bits::float8
		ELSE (1 - 63 / 64.0 * (1 - (hashes - 8) / 512.0)) / (bits / 512) END
	FROM bloom_info(f)
$$;
CREATE FUNCTION pg_temp.deviation(f bloomfilter, n float8) RETURNS float8 LANGUAGE sql AS $$
	SELECT sqrt(bits * (exp(n * p) - n * p - 1)) / (bits * p)
	FROM bloom_info(f), pg_temp.bit_probability(f) AS p
$$;

-- Filters for 10,000 values that hold between a tenth and three times as many,
-- for numbers of hashes on both sides of 8.
CREATE TEMP TABLE filled AS
	SELECT p, (bloom_info(f)).hashes AS k, n, f
	FROM unnest(ARRAY[0.5, 0.1, 0.01, 0.001, 0.0001, 0.000001]) AS p,
		unnest(ARRAY[1000, 2500, 5000, 7500, 10000, 15000, 20000, 30000]) AS n,
		bloom_add_all(bloom_create(10000, p), ARRAY(SELECT generate_series(1, n))) AS f;
SELECT p, k, min((bloom_info(f)).representation) AS representation,
	bool_and(abs(bloom_cardinality(f) - n) <= 4 * pg_temp.deviation(f, n)) AS within_error,
	bool_and(bloom_cardinality(f) = (bloom_info(f)).estimated_items) AS info
FROM filled GROUP BY p, k ORDER BY p DESC;
-- at 1 % the error of a filter that holds what it is meant for is 0.25 / sqrt(n)
SELECT n, round((pg_temp.deviation(bloom_create(n), n) / sqrt(n))::numeric, 2) AS deviation,
	abs(bloom_cardinality(bloom_agg(i, n)) - n) <= 3 * 0.25 * sqrt(n) AS within_error
FROM unnest(ARRAY[1000, 10000, 100000]) AS n, generate_series(1, n) AS i GROUP BY n ORDER BY n;
-- the mean over many filters is off by less: there is no bias
SELECT p, k, fill, abs(avg(estimate) / (1000 * fill) - 1) < 0.002 AS unbiased
FROM (SELECT p, (bloom_info(f)).hashes AS k, fill, bloom_cardinality(f)::float8 AS estimate
	FROM unnest(ARRAY[0.1, 0.001, 0.0001, 0.000001]) AS p, unnest(ARRAY[0.3, 1, 3]) AS fill, generate_series(1, 100) AS i,
		bloom_add_all(bloom_create(1000, p, i), ARRAY(SELECT generate_series(i * 100000, i * 100000 + (1000 * fill)::int - 1))) AS f) AS s
GROUP BY p, k, fill ORDER BY p DESC, fill;

-- what the estimate inverts: the number of bits set
SELECT k, bool_and(abs(i.bits_set / (i.bits * (1 - (1 - pg_temp.bit_probability(f)) ^ n)) - 1) < 0.01) AS bits
FROM filled, bloom_info(f) AS i GROUP BY k ORDER BY k;

-- lists are exact, repeated values count once
SELECT n, bloom_cardinality(f) AS items, (bloom_info(f)).representation
FROM unnest(ARRAY[0, 1, 2, 97, 9700]) AS n,
	bloom_add_all(bloom_add_all(bloom_create(500000), ARRAY(SELECT generate_series(1, n))), ARRAY(SELECT generate_series(1, n))) AS f
ORDER BY n;
SELECT bloom_cardinality(bloom_create(1)) AS one_block_empty, bloom_cardinality(bloom_add(bloom_create(1), 1)) AS one_block_one;

-- Full filters: every bit is set.  The estimate is finite, and larger than
-- that of any filter with a bit left.
CREATE TEMP TABLE full_filters AS
	SELECT p, n, bloom_add_all(bloom_create(1, p), ARRAY(SELECT generate_series(1, n))) AS f
	FROM unnest(ARRAY[0.5, 0.01, 0.001, 0.000001]) AS p, unnest(ARRAY[50, 20000]) AS n;
SELECT p, n, hashes, bits_set = bits AS "full", bloom_cardinality(f) AS items, estimated_items = bloom_cardinality(f) AS info,
	bloom_false_positive_rate(f) = 1 AS rate_is_1, estimated_false_positive_rate = bloom_false_positive_rate(f) AS info_rate,
	fill = bits_set::float8 / bits AS fill
FROM full_filters, bloom_info(f) ORDER BY p DESC, n;
SELECT bloom_union_cardinality(a.f, b.f) >= bloom_cardinality(a.f) AS "union", bloom_intersection_cardinality(a.f, b.f) >= 0 AS intersection,
	bloom_jaccard(a.f, b.f) BETWEEN 0 AND 1 AS jaccard, bloom_jaccard(a.f, a.f) AS itself
FROM full_filters AS a JOIN full_filters AS b USING (p) WHERE a.n = 20000 ORDER BY p DESC, b.n;

-- union, intersection and Jaccard index of sets that share a part, from
-- disjoint to equal
CREATE TEMP TABLE shared AS
	SELECT p, size, common, a, b
	FROM unnest(ARRAY[0.1, 0.01, 0.0001]) AS p,
		(VALUES (10, 0), (10, 5), (10, 10), (20000, 0), (20000, 2000), (20000, 10000), (20000, 18000), (20000, 20000)) AS v (size, common),
		bloom_add_all(bloom_create(20000, p), ARRAY(SELECT generate_series(1, size))) AS a,
		bloom_add_all(bloom_create(20000, p), ARRAY(SELECT generate_series(size - common + 1, 2 * size - common))) AS b;
SELECT size, common, p, bloom_union_cardinality(a, b) AS "union", bloom_intersection_cardinality(a, b) AS intersection,
	bloom_jaccard(a, b) AS jaccard
FROM shared WHERE size = 10 ORDER BY common, p;
SELECT size, common, count(*),
	bool_and(abs(bloom_union_cardinality(a, b) - (2 * size - common)) <= 4 * pg_temp.deviation(a, 2 * size - common)) AS union_within_error,
	bool_and(abs(bloom_intersection_cardinality(a, b) - common) <= 8 * pg_temp.deviation(a, 2 * size - common)) AS intersection_within_error,
	bool_and(abs(bloom_jaccard(a, b) - common / (2.0 * size - common)) < 0.01) AS jaccard,
	bool_and(bloom_union_cardinality(a, b) >= greatest(bloom_cardinality(a), bloom_cardinality(b))) AS union_no_less,
	bool_and(bloom_intersection_cardinality(a, b) BETWEEN 0 AND least(bloom_cardinality(a), bloom_cardinality(b))) AS intersection_no_more,
	bool_and(bloom_union_cardinality(a, b) = bloom_union_cardinality(b, a)
		AND bloom_intersection_cardinality(a, b) = bloom_intersection_cardinality(b, a)
		AND bloom_jaccard(a, b) = bloom_jaccard(b, a)) AS commutative,
	bool_and(bloom_union_cardinality(a, b) = bloom_cardinality(a | b) OR common = size) AS same_as_of_union
FROM shared WHERE size > 10 GROUP BY size, common ORDER BY common;
SELECT bool_and(bloom_union_cardinality(a, a) = bloom_cardinality(a)) AS "union", bool_and(bloom_intersection_cardinality(a, a) = bloom_cardinality(a)) AS intersection,
	bool_and(bloom_jaccard(a, a) = 1) AS jaccard
FROM shared;

-- a list and blocks
SELECT abs(bloom_union_cardinality(l, d) - 20050) < 150 AS "union", abs(bloom_intersection_cardinality(l, d) - 50) < 150 AS intersection,
	bloom_union_cardinality(l, d) = bloom_union_cardinality(d, l) AS commutative
FROM bloom_add_all(bloom_create(20000), ARRAY(SELECT generate_series(19951, 20050))) AS l,
	bloom_add_all(bloom_create(20000), ARRAY(SELECT generate_series(1, 20000))) AS d;

-- empty ones
SELECT bloom_union_cardinality(e, e) AS "union", bloom_intersection_cardinality(e, e) AS intersection, bloom_jaccard(e, e) AS jaccard,
	bloom_union_cardinality(e, f) AS union_f, bloom_intersection_cardinality(e, f) AS intersection_f, bloom_jaccard(e, f) AS jaccard_f,
	bloom_intersection_cardinality(d, e) AS intersection_d, bloom_jaccard(d, e) AS jaccard_d,
	bloom_union_cardinality(d, e) = bloom_cardinality(d) AS union_d
FROM bloom_create(1000) AS e, bloom_add(e, 1) AS f, bloom_add_all(e, ARRAY(SELECT generate_series(1, 1000))) AS d;
-- the intersection of blocks that have nothing in common but by chance: about
-- 12,000 * 12,000 / 1,000,000 bits, those of 24 values
SELECT (bloom_info(i)).representation, bloom_cardinality(i) BETWEEN 10 AND 40 AS items
FROM bloom_create(100000) AS e, LATERAL (SELECT bloom_add_all(e, ARRAY(SELECT generate_series(1, 2000)))
	& bloom_add_all(e, ARRAY(SELECT generate_series(-2000, -1))) AS i) AS s;

-- never negative, of disjoint sets of many sizes
SELECT count(*), bool_and(bloom_intersection_cardinality(a, b) >= 0) AS not_negative, bool_and(bloom_jaccard(a, b) >= 0) AS jaccard,
	bool_or(bloom_intersection_cardinality(a, b) = 0) AS zero_at_times
FROM generate_series(1, 40) AS i,
	bloom_add_all(bloom_create(1000), ARRAY(SELECT generate_series(1, i * 50))) AS a,
	bloom_add_all(bloom_create(1000), ARRAY(SELECT generate_series(-2000, i * -20))) AS b;
