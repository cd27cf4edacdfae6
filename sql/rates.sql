-- The rate of false positives that full filters deliver.
--
-- Seeds, keys and probes are fixed, so that the counts are always the same.
-- The bounds are those of statistics all the same.  At least 1,600 events are
-- expected in each case from 100 keys up, which gives a standard deviation of
-- 2.5 % or less; and filters differ from one another by a standard deviation of
-- about 0.42 ln(1/p) / sqrt(n).  A tolerance is three times both.

-- Filters of n keys each, that differ in seed and keys: how many of the probes,
-- none of which is a key, they contain in all; their own estimate of the rate;
-- and how many bits they have set, and should have by the layout.
CREATE FUNCTION pg_temp.deliver(n int, p float8, filters int, probes int,
	OUT events bigint, OUT told float8, OUT bits float8, OUT expected_bits float8)
LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter;
	info record;
	key bigint;
	probe bigint;
	hits bigint;
	bit_probability float8;
BEGIN
	events := 0;
	told := 0;
	bits := 0;
	expected_bits := 0;
	FOR i IN 1 .. filters LOOP
		key := i::bigint * 1000000007;
		probe := -i::bigint * probes;
		f := bloom_add_all(bloom_create(n, p, i % 4), ARRAY(SELECT generate_series(key, key + n - 1)));
		SELECT count(*) INTO hits
		FROM (SELECT generate_series(probe - probes + 1, probe) AS x) AS s WHERE f @> x;
		events := events + hits;
		info := bloom_info(f);
		told := told + info.estimated_false_positive_rate / filters;
		bits := bits + info.bits_set / filters::float8;
		bit_probability := CASE WHEN info.hashes <= 8 THEN info.hashes / info.bits::float8
			ELSE (1 - 63 / 64.0 * (1 - (info.hashes - 8) / 512.0)) / (info.bits / 512) END;
		expected_bits := expected_bits + info.bits * (1 - (1 - bit_probability) ^ n) / filters;
	END LOOP;
END $$;

CREATE TEMP TABLE measured AS
	SELECT n, p, probes * filters * p AS expected, events, told * probes * filters AS told, bits, expected_bits,
		3 * sqrt(1 / (probes * filters * p) + (0.42 * ln(1 / p)) ^ 2 / (n * filters)) AS tolerance
	FROM (VALUES (1, 64), (2, 64), (10, 64), (100, 32), (1000, 16), (100000, 4), (1000000, 2)) AS v (n, filters),
		unnest(ARRAY[0.2, 0.1, 0.03, 0.01, 0.001, 0.0001]::float8[]) AS p,
		LATERAL (SELECT (CASE WHEN n < 100 THEN 800000 ELSE greatest(1000000, 1600 / p) END / filters)::int AS probes) AS a,
		LATERAL pg_temp.deliver(n, p, filters, probes) AS d;

-- in no case is the rate above the requested one by more than the tolerance;
-- all cases of so many keys taken together, it is not above it by 1 %
SELECT n, count(*) AS cases, bool_and(events <= expected * (1 + tolerance)) AS kept,
	sum(events / expected) / count(*) <= 1.01 AS kept_on_average
FROM measured GROUP BY n ORDER BY n;
SELECT p, count(*) AS cases, bool_and(events <= expected * (1 + tolerance)) AS kept,
	sum(events / expected) / count(*) <= 1.01 AS kept_on_average
FROM measured GROUP BY p ORDER BY p DESC;

-- nor is space wasted: where rounding up to whole blocks does not count, the
-- rate is not far below the requested one either
SELECT p, count(*) AS cases, bool_and(events >= expected * (1 - tolerance - 0.03)) AS not_far_below
FROM measured WHERE n >= 100000 GROUP BY p ORDER BY p DESC;

-- lists do not err at all
SELECT sum(events) AS events FROM measured WHERE n = 1;

-- the rate that filters tell is the delivered one, to 10 %, wherever there are
-- enough events to see that
SELECT p, count(*) AS cases, bool_and(told BETWEEN events * 0.9 AND events * 1.1) AS told
FROM measured WHERE events >= 1000 GROUP BY p ORDER BY p DESC;

-- and the number of bits set is what the layout says, to 1 %
SELECT p, count(*) AS cases, bool_and(bits BETWEEN expected_bits * 0.99 AND expected_bits * 1.01) AS bits
FROM measured GROUP BY p ORDER BY p DESC;

-- other types: text, and a type with its own hash function
SELECT count(*) BETWEEN 14000 AND 16500 AS text
FROM (SELECT bloom_agg('key ' || i, 10000) AS f FROM generate_series(1, 10000) AS i OFFSET 0) AS s,
	generate_series(1, 1600000) AS i
WHERE f @> ('probe ' || i);
SELECT count(*) BETWEEN 14000 AND 16500 AS "numeric"
FROM (SELECT bloom_agg(i / 100.0, 10000) AS f FROM generate_series(1, 10000) AS i OFFSET 0) AS s,
	generate_series(1, 1600000) AS i
WHERE f @> (1000 + i / 100.0);

-- overfull filters err more often, and tell that too
SELECT fill, bool_and(told BETWEEN hits * 0.9 AND hits * 1.1) AS told
FROM (SELECT fill, k, count(*) AS hits, min(told) * 400000 AS told
	FROM unnest(ARRAY[2, 3, 5, 20]) AS fill, (VALUES (0.03, 5), (0.0001, 12)) AS v (p, k),
		LATERAL bloom_add_all(bloom_create(10000, p), ARRAY(SELECT generate_series(1, 10000 * fill))) AS f,
		LATERAL bloom_false_positive_rate(f) AS told,
		generate_series(-400000, -1) AS i
	WHERE f @> i GROUP BY fill, k) AS s
GROUP BY fill ORDER BY fill;

-- Neighbours of keys are found no more often than others: 100,000 keys, and as
-- many absent values that differ from a key in the last bit or byte.  Expected
-- are 1,000; the tolerance is three standard deviations, and those of filters.
CREATE TABLE near (kind text, key bytea, neighbour bytea);
INSERT INTO near
SELECT v.* FROM generate_series(2, 200000, 2) i, LATERAL (VALUES
	('big-endian counter', int8send(i), int8send(i + 1)),
	('text with a counter', convert_to('user:' || i, 'UTF8'), convert_to('user:' || i + 1, 'UTF8')),
	('the last byte', int8send(i * 7919) || '\x00', int8send(i * 7919) || '\xff')) AS v;
SELECT kind, count(*) FILTER (WHERE NOT f @> key) AS missed,
	count(*) FILTER (WHERE f @> neighbour) BETWEEN 870 AND 1130 AS as_asked
  FROM near JOIN (SELECT kind, bloom_agg(key, 100000, 0.01) AS f FROM near GROUP BY kind) s USING (kind)
 GROUP BY kind ORDER BY kind;
DROP TABLE near;
SELECT count(*) FILTER (WHERE NOT f @> i) AS missed, count(*) FILTER (WHERE f @> i + 1) BETWEEN 870 AND 1130 AS as_asked
  FROM (SELECT bloom_agg(i, 100000, 0.01) AS f FROM generate_series(2, 200000, 2) i) s, generate_series(2, 200000, 2) i;

-- The lowest rate, of ten keys and of a million: one false positive is expected
-- among a million values, more than six with a probability of 0.0001.
SELECT n, (SELECT count(*) FROM generate_series(1, n) i WHERE NOT f @> i) AS missed,
	(SELECT count(*) FROM generate_series(-999999, 0) i WHERE f @> i) <= 6 AS as_asked
  FROM unnest(ARRAY[10, 1000000]) n, LATERAL (SELECT bloom_agg(k, n, 1e-6) AS f FROM generate_series(1, n) k) s;

-- A full filter of each form has all its values: a list of as many as fit, all
-- that were asked for, and twenty times as many.
SELECT held, (SELECT representation FROM bloom_info(f)), (SELECT representation FROM bloom_info(c)) AS counting,
	(SELECT count(*) FROM generate_series(1, held) i WHERE NOT f @> i) AS missed,
	(SELECT count(*) FROM generate_series(1, held) i WHERE NOT c @> i) AS missed_by_counting,
	(SELECT count(*) FROM generate_series(1, held) i WHERE NOT (SELECT c::bloomfilter) @> i) AS missed_by_cast
  FROM (SELECT bits / 512 AS blocks FROM bloom_info(bloom_create(2000))) b, unnest(ARRAY[blocks, blocks + 1, 2000, 40000]) AS held,
	LATERAL (SELECT bloom_agg(k, 2000) AS f, counting_bloom_agg(k, 2000) AS c FROM generate_series(1, held) k) s
 ORDER BY held;
