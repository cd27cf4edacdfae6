-- Calls that are natural mistakes: the error says what to call instead.
CREATE TABLE m AS SELECT bloom_agg(i) AS f, counting_bloom_agg(i, 10) AS c FROM generate_series(1, 3) i;

-- A bloomfilter where a counting filter is required.
SELECT bloom_remove(f, 1) FROM m;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY terse
SELECT bloom_remove_all(f, ARRAY[1]) FROM m;
SELECT bloom_count(f, 1) FROM m;
SELECT bloom_sum(f, f) FROM m;
SELECT f + f FROM m;
SELECT bloom_difference(c, f) FROM m;
SELECT c - f FROM m;
SELECT c = f FROM m;
SELECT bloom_union(c, f) FROM m;
SELECT f | c FROM m;
SELECT counting_bloom_sum_agg(f) FROM m;
INSERT INTO m (c) SELECT f FROM m;
UPDATE m SET c = f;
-- The statement fails even where no row needs the cast.
SELECT coalesce(c, f) FROM m;
SELECT CASE WHEN c IS NULL THEN f ELSE c END FROM m WHERE false;
-- A cast that is written is the same.
SELECT f::counting_bloomfilter FROM m;
\set VERBOSITY default

-- A counting filter without its size, whether there are rows or not.
SELECT counting_bloom_agg(i) FROM generate_series(1, 3) i;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY terse
SELECT counting_bloom_agg(i) FROM generate_series(1, 0) i;
SELECT i % 2, counting_bloom_agg(i ORDER BY i) FROM generate_series(1, 3) i GROUP BY 1;
\set VERBOSITY default

-- Counting filters where bloomfilters are required.
SELECT bloom_union(c, c) FROM m;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY terse
SELECT c | c FROM m;
SELECT bloom_intersection(c, c) FROM m;
SELECT c & c FROM m;
SELECT bloom_union_agg(c) FROM m;

-- Nothing is captured that another function answers: what has no type is a
-- bloomfilter, or the counting filter that the other argument is.
SELECT pg_typeof(bloom_union(NULL, NULL)) AS a, pg_typeof(bloom_intersection(NULL, NULL)) AS b, pg_typeof((SELECT bloom_union_agg(NULL))) AS c,
       pg_typeof(f | NULL) AS d, pg_typeof(NULL & f) AS e, pg_typeof(bloom_union(f, NULL)) AS f, pg_typeof(bloom_sum(NULL, NULL)) AS g
  FROM m;
PREPARE untyped AS SELECT bloom_union($1, $2) = f AS united, bloom_contains($1, 1) AS contains FROM m;
SELECT f AS filter, c AS counting FROM m \gset
EXECUTE untyped(:'filter', :'filter');
PREPARE removal AS SELECT bloom_remove($1, 1) @> 1 AS found, bloom_count($1, 2) AS count;
EXECUTE removal(:'counting');
DEALLOCATE ALL;
-- These are refused without a hint of ours: a function that took an integer
-- here would also be a candidate for a literal or a parameter without a type.
SELECT bloom_add_all(f, 5) FROM m;
SELECT bloom_contains_any(f, 5) FROM m;
SELECT bloom_contains(7, f) FROM m;
SELECT (bloom_info(bloom_add_all(bloom_create(10), '{a,b}'))).estimated_items, bloom_contains(:'filter'::bloomfilter, 1);
\set VERBOSITY default

-- An array added as one value.
SELECT bloom_add(bloom_create(10), ARRAY[1, 2, 3]) @> 1;
SELECT bloom_add_all(bloom_create(10), ARRAY[1, 2, 3]) @> ARRAY[1];

-- Numbers in messages are the ones that were given.
SELECT bloom_create(1000, 0.000001::real);
SELECT bloom_create(1000, 0.99999999999999999);
SELECT bloom_create(0.9999999999);
SELECT bloom_create(-16000000);
SELECT bloom_create('NaN');
SELECT bloom_create(0.01, 1000);
SELECT bloom_create(1e15::float8 / 3, 0.1 + 0.2::float8);
SELECT bloom_union(bloom_create(1000, 0.01), bloom_create(1000, 0.0100000001, 1));
-- A set that may be empty.
SELECT bloom_create(count(*)) FROM m WHERE false;
SELECT (bloom_info(bloom_create(greatest(count(*), 1)))).expected_items FROM m WHERE false;
-- Filters that sized themselves.
SELECT bloom_agg(i) | (SELECT bloom_agg(j) FROM generate_series(1, 1000) j) FROM generate_series(1, 10) i;
-- Too many values to be kept until their number is known.
SET bloomfilter.max_exact_hashes = 1000;
SELECT bloom_agg(i) FROM generate_series(1, 1001) i;
RESET bloomfilter.max_exact_hashes;
DROP TABLE m;
