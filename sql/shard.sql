-- bloom_shard: an even split that equal values agree on and that tells nothing
-- about any filter's hash.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
CREATE SCHEMA shard;
SET search_path = shard, public;

-- 0 .. shards - 1, each of them used
SELECT shards, min(s), max(s), count(DISTINCT s) AS used, count(*) FILTER (WHERE s IS NULL) AS nulls
  FROM (VALUES (1), (2), (3), (7), (8), (64), (100), (1000)) n (shards),
       LATERAL (SELECT bloom_shard(i, shards) AS s FROM generate_series(1, 20000) i) v
 GROUP BY shards ORDER BY shards;
SELECT min(s) >= 0 AS "from", max(s) < 2147483647 AS "to", min(s) < 2147483647 / 100 AS low, max(s) > 2147483647 / 100 * 99 AS high, count(DISTINCT s) > 990 AS spread
  FROM (SELECT bloom_shard(i, 2147483647) AS s FROM generate_series(1, 1000) i) v;
SELECT pg_typeof(bloom_shard(1, 4)), bloom_shard('x', 1) AS only_one;

-- Fewer than one shard is an error, NULL in gives NULL.
SELECT bloom_shard(1, 0);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_shard(1, -1);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_shard('x', -2147483648);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_shard(i, i - 2) FROM generate_series(3, 1, -1) i;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_shard(NULL::int, 4) AS value, bloom_shard(NULL, 4) AS unknown_value, bloom_shard(1, NULL) AS shards, bloom_shard(NULL::text, 0) AS both_wrong;
SELECT bloom_shard('(1,2)'::point, 4);
\echo :LAST_ERROR_SQLSTATE

-- What = calls equal is in the same shard; so it is whatever the type.
SELECT count(*) AS values,
       count(*) FILTER (WHERE bloom_shard(i::int2, 1000) = s AND bloom_shard(i::int8, 1000) = s) AS integers,
       count(*) FILTER (WHERE bloom_shard(i::float4, 1000) = bloom_shard(i::float8, 1000)) AS floats,
       count(*) FILTER (WHERE bloom_shard(i::text, 1000) = bloom_shard(i::text::varchar, 1000)
                          AND bloom_shard(i::text, 1000) = bloom_shard(i::text::name, 1000)
                          AND bloom_shard(i::text, 1000) = bloom_shard(i::text::char(10), 1000)) AS texts,
       count(*) FILTER (WHERE bloom_shard(i::numeric, 1000) = bloom_shard(i::numeric(10, 3), 1000)) AS numerics,
       count(*) FILTER (WHERE bloom_shard(('x' || i)::citext, 1000) = bloom_shard(('X' || i)::citext, 1000)) AS citexts,
       count(*) FILTER (WHERE bloom_shard(to_jsonb(i::numeric), 1000) = bloom_shard(to_jsonb(i::numeric(10, 3)), 1000)) AS jsonbs,
       count(*) FILTER (WHERE bloom_shard(make_interval(months => i), 1000) = bloom_shard(make_interval(days => 30 * i), 1000)) AS intervals,
       count(*) FILTER (WHERE bloom_shard(int4range(i, i + 5), 1000) = bloom_shard(int4range(i, i + 4, '[]'), 1000)) AS ranges,
       count(*) FILTER (WHERE bloom_shard(ARRAY[i::text], 1000) = bloom_shard(ARRAY[i::text::varchar], 1000)) AS arrays
  FROM (SELECT i, bloom_shard(i, 1000) AS s FROM generate_series(1, 1000) i) v;
SELECT bloom_shard('-0'::float8, 1000000) = bloom_shard('0'::float4, 1000000) AS zero,
       bloom_shard('NaN'::float8, 1000000) = bloom_shard(-'NaN'::float4, 1000000) AS nan,
       bloom_shard('a  '::char(3), 1000000) = bloom_shard('a'::char(9), 1000000) AS blanks,
       bloom_shard('2020-06-01 12:00+00'::timestamptz, 1000000) = bloom_shard('2020-06-01 14:00+02'::timestamptz, 1000000) AS zones,
       bloom_shard('x', 1000000) = bloom_shard('x'::text, 1000000) AS literal;
-- The split of the byte-hashed families is the same everywhere and for ever.
SELECT bloom_shard(42, 1000000) AS "integer", bloom_shard('bloom'::text, 1000000) AS "text", bloom_shard('bloom '::char(9), 1000000) AS "bpchar", bloom_shard(0.5::float8, 1000000) AS "float",
       bloom_shard(true, 1000000) AS "boolean", bloom_shard(date '2020-02-29', 1000000) AS "date", bloom_shard(time '12:34:56', 1000000) AS "time",
       bloom_shard(timestamp '2020-02-29 12:34:56', 1000000) AS "timestamp", bloom_shard(timestamptz '2020-02-29 12:34:56+00', 1000000) AS "timestamptz",
       bloom_shard('00112233-4455-6677-8899-aabbccddeeff'::uuid, 1000000) AS "uuid", bloom_shard('\x00ff'::bytea, 1000000) AS "bytea", bloom_shard(42::oid, 1000000) AS "oid",
       bloom_shard('x'::"char", 1000000) AS "char" \gx

-- Even: the sum of squared deviations over the expectation is chi-square with
-- shards - 1 degrees of freedom, whose mean is shards - 1 and whose standard
-- deviation is sqrt(2 (shards - 1)).  Five of these are allowed either way.
CREATE FUNCTION deviation(expression text, shards int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	chi_square float8;
BEGIN
	EXECUTE format(
		'SELECT sum((n - 20000.0 / $1) ^ 2 / (20000.0 / $1))
		   FROM (SELECT s, count(v) AS n FROM generate_series(0, $1 - 1) s
				 LEFT JOIN (SELECT bloom_shard(%s, $1) AS v FROM generate_series(1, 20000) i) x ON v = s GROUP BY s) c',
		expression) INTO chi_square USING shards;
	RETURN (chi_square - (shards - 1)) / sqrt(2 * (shards - 1));
END $$;
SELECT type, shards, abs(deviation(expression, shards)) < 5 AS even
  FROM (VALUES ('sequence', 'i'), ('multiples of 2^32', 'i * 4294967296'), ('multiples of 1000', 'i * 1000'), ('texts', '''customer '' || i'), ('uuids', 'md5(i::text)::uuid'),
               ('timestamps', 'timestamptz ''2020-01-01 00:00+00'' + i * interval ''1 min'''), ('dates', 'date ''1900-01-01'' + i'), ('numerics', 'i / 100.0'),
               ('inets', '''10.0.0.0''::inet + i'), ('oids', 'i::oid')) t (type, expression),
       (VALUES (2), (3), (8), (100)) n (shards)
 ORDER BY type COLLATE "C", shards;

--
-- Independent of the filters: in a filter of the values of one shard of eight
-- the values of that shard, and those of others, are false positives as often
-- as in a filter of any other values.
--
CREATE TABLE shard_filters AS
SELECT s, f, n, (bloom_info(f)).expected_items
  FROM (SELECT bloom_shard(i, 8) AS s, bloom_agg(i) AS f, count(*) AS n FROM generate_series(1, 80000) i GROUP BY 1) g;
SELECT s, expected_items = n AS sized, n BETWEEN 9500 AND 10500 AS an_eighth, bloom_false_positive_rate(f) BETWEEN 0.009 AND 0.0105 AS fill,
       abs(bloom_cardinality(f) - n) < 150 AS cardinality
  FROM shard_filters ORDER BY s;
-- every value is in the filter of its shard
SELECT count(*) AS lost FROM generate_series(1, 80000) i WHERE (i <@ (SELECT f FROM shard_filters WHERE s = 0)) IS NOT TRUE AND bloom_shard(i, 8) = 0;
SELECT same_shard, count(*) > 9000 AS enough, count(*) FILTER (WHERE found)::float8 / count(*) BETWEEN 0.007 AND 0.013 AS about_1_percent
  FROM (SELECT bloom_shard(i, 8) = 5 AS same_shard, i <@ (SELECT f FROM shard_filters WHERE s = 5) AS found
          FROM generate_series(100001, 180000) i) t
 GROUP BY 1 ORDER BY 1;
-- at a lower rate, for any seed
SELECT seed, count(*) FILTER (WHERE found)::float8 / count(*) BETWEEN 0.0005 AND 0.0015 AS about_0_1_percent
  FROM (VALUES (0), (1), (-1), (5)) n (seed),
       LATERAL (SELECT bloom_add_all(bloom_create(5000, 0.001, seed), array_agg(i)) AS f FROM generate_series(1, 40000) i WHERE bloom_shard(i, 8) = 3) b,
       LATERAL (SELECT i <@ f AS found FROM generate_series(100001, 400000) i WHERE bloom_shard(i, 8) = 3) t
 GROUP BY seed ORDER BY seed;
-- and types that are hashed by their own function
SELECT count(*) > 4500 AS enough, count(*) FILTER (WHERE found)::float8 / count(*) BETWEEN 0.006 AND 0.014 AS about_1_percent
  FROM (SELECT bloom_agg(i::numeric) AS f FROM generate_series(1, 40000) i WHERE bloom_shard(i::numeric, 8) = 3) b,
       LATERAL (SELECT i::numeric <@ f AS found FROM generate_series(100001, 180000) i WHERE bloom_shard(i::numeric, 8) = 3) t;
-- no bit of a filter's hash is known from the shard: each is set in about half
SELECT max(abs(ones::float8 / n - 0.5)) < 0.03 AS every_bit
  FROM (SELECT bit, count(*) AS n, count(*) FILTER (WHERE (bloom_hash(i) >> bit) & 1 = 1) AS ones
          FROM generate_series(1, 40000) i, generate_series(0, 63) bit WHERE bloom_shard(i, 8) = 0 GROUP BY bit) c;
-- nor does the shard stand in any eighth of the hash's range
SELECT count(*) AS cells, min(n) > 500 AND max(n) < 750 AS even
  FROM (SELECT bloom_shard(i, 8) AS s, (bloom_hash(i) >> 61) & 7 AS top, count(*) AS n FROM generate_series(1, 40000) i GROUP BY 1, 2) c;

DROP SCHEMA shard CASCADE;
DROP EXTENSION citext;
