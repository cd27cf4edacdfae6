-- What every function, operator and aggregate makes of NULL.
CREATE TEMP TABLE t AS
	SELECT bloom_add_all(bloom_create(100), ARRAY[1, 2, 3]) AS f,
		bloom_create(100) AS e,
		NULL::bloomfilter AS n;

-- An expression over this table's row, and its value.
CREATE FUNCTION pg_temp.value(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT (%s)::text FROM t', expression) INTO result;
	RETURN coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END $$;

-- building: a NULL value or array adds nothing and gives no element type
SELECT expression, pg_temp.value(expression)
FROM unnest(ARRAY[
	'bloom_create(NULL)',
	'bloom_create(NULL, 0.01)',
	'bloom_create(100, NULL)',
	'bloom_create(100, 0.01, NULL)',
	'bloom_add(n, 1)',
	'bloom_add(n, NULL::int)',
	'bloom_add(f, NULL::int) = f',
	'bloom_add(f, NULL) = f',
	'bloom_add(f, NULL::text) = f',
	'bloom_add(e, NULL::int) = e',
	'(bloom_info(bloom_add(e, NULL::int))).element_type',
	'bloom_add(bloom_add(e, NULL::int), ''a''::text) = bloom_add(e, ''a''::text)',
	'bloom_add(bloom_add(bloom_add(e, 1), NULL::int), 2) = bloom_add_all(e, ARRAY[1, 2])',
	'bloom_add_all(n, ARRAY[1])',
	'bloom_add_all(n, NULL::int[])',
	'bloom_add_all(f, NULL::int[]) = f',
	'bloom_add_all(f, ARRAY[NULL, NULL]::int[]) = f',
	'bloom_add_all(f, ARRAY[NULL]::text[]) = f',
	'bloom_add_all(f, ''{}''::text[]) = f',
	'bloom_add_all(f, ARRAY[]::int[]) = f',
	'bloom_add_all(f, ARRAY[NULL, 4, NULL, 5]) = bloom_add(bloom_add(f, 4), 5)',
	'bloom_add_all(e, ARRAY[NULL, 4]) = bloom_add(e, 4)',
	'bloom_add_all(f, ARRAY[NULL, ''a''])',
	'bloom_add_all(f, ARRAY[[4, NULL], [NULL, 5]]) = bloom_add(bloom_add(f, 4), 5)',
	'(bloom_info(bloom_add_all(e, ARRAY[NULL]::int[]))).element_type'
]) WITH ORDINALITY AS u (expression, i) ORDER BY i;

-- a null filter: nothing that was to be added or removed is lost without an
-- error, and where there is nothing it stays NULL
CREATE TEMP TABLE c AS SELECT NULL::bloomfilter AS f, NULL::counting_bloomfilter AS c;
UPDATE c SET f = bloom_add(f, 1);
UPDATE c SET f = bloom_add_all(f, ARRAY[NULL, 1]);
UPDATE c SET f = n.filter FROM c AS o, bloom_add_new(o.f, ARRAY[NULL, 1]) AS n;
UPDATE c SET c = bloom_add(c, 1);
UPDATE c SET c = bloom_add_all(c, ARRAY[NULL, 1]);
UPDATE c SET c = bloom_remove(c, 1);
UPDATE c SET c = bloom_remove_all(c, ARRAY[NULL, 1]);
UPDATE c SET c = c - bloom_add(counting_bloom_create(10), 1);
UPDATE c SET f = bloom_add(f, NULL::int), c = bloom_add(c, NULL::int);
UPDATE c SET f = bloom_add_all(f, NULL::int[]), c = bloom_add_all(c, NULL::int[]);
UPDATE c SET f = bloom_add_all(f, '{NULL}'::int[]), c = bloom_add_all(c, '{}'::int[]);
UPDATE c SET c = bloom_remove(c, NULL::int);
UPDATE c SET c = bloom_remove_all(c, '{NULL}'::text[]) - NULL;
SELECT f, c, filter, new_values FROM c, bloom_add_new(f, '{NULL}'::int[]);
-- what the hint says
UPDATE c SET f = bloom_add(coalesce(f, bloom_create(100)), 1), c = bloom_add(coalesce(c, counting_bloom_create(100)), 1);
SELECT f @> 1 AS f, c @> 1 AS c FROM c;
-- as the transition function of an aggregate that has no first state
CREATE AGGREGATE pg_temp.lost (anycompatible) (SFUNC = bloom_add, STYPE = bloomfilter);
SELECT pg_temp.lost(i) FROM generate_series(1, 3) AS i;

-- testing: NULL elements of arrays do not count
SELECT expression, pg_temp.value(expression)
FROM unnest(ARRAY[
	'bloom_contains(n, 1)',
	'bloom_contains(f, NULL::int)',
	'bloom_contains(f, NULL)',
	'bloom_contains(n, NULL::int)',
	'bloom_contained_by(1, n)',
	'bloom_contained_by(NULL::int, f)',
	'n @> 1',
	'f @> NULL::int',
	'1 <@ n',
	'NULL::int <@ f',
	'bloom_contains_any(n, ARRAY[1])',
	'bloom_contains_any(f, NULL::int[])',
	'bloom_contains_any(f, ARRAY[]::int[])',
	'bloom_contains_any(f, ARRAY[NULL]::int[])',
	'bloom_contains_any(f, ARRAY[NULL]::text[])',
	'bloom_contains_any(f, ''{}''::text[])',
	'bloom_contains_any(f, ARRAY[NULL, ''a''])',
	'bloom_contains_any(f, ARRAY[NULL, 1])',
	'bloom_contains_any(e, ARRAY[NULL, 1])',
	'bloom_contains_all(n, ARRAY[1])',
	'bloom_contains_all(f, NULL::int[])',
	'bloom_contains_all(f, ARRAY[]::int[])',
	'bloom_contains_all(f, ARRAY[NULL]::int[])',
	'bloom_contains_all(f, ARRAY[NULL]::text[])',
	'bloom_contains_all(f, ''{}''::text[])',
	'bloom_contains_all(f, ARRAY[NULL, ''a''])',
	'bloom_contains_all(f, ARRAY[NULL, 1])',
	'bloom_contains_all(e, ARRAY[NULL, 1])'
]) WITH ORDINALITY AS u (expression, i) ORDER BY i;

-- combining: to a union NULL is the empty set, to all else unknown
SELECT expression, pg_temp.value(expression)
FROM unnest(ARRAY[
	'bloom_union(n, n)',
	'bloom_union(n, f) = f',
	'bloom_union(f, n) = f',
	'n | n',
	'n | f = f',
	'f | n = f',
	'bloom_intersection(n, n)',
	'bloom_intersection(n, f)',
	'bloom_intersection(f, n)',
	'n & f',
	'f & n',
	'bloom_is_superset(n, f)',
	'bloom_is_superset(f, n)',
	'bloom_is_superset(n, n)',
	'f = n',
	'n = n',
	'f <> n',
	'n <> n',
	'f IS DISTINCT FROM n',
	'n IS DISTINCT FROM n'
]) WITH ORDINALITY AS u (expression, i) ORDER BY i;

-- inspection, hashing, casts
SELECT expression, pg_temp.value(expression)
FROM unnest(ARRAY[
	'bloom_cardinality(n)',
	'bloom_false_positive_rate(n)',
	'bloom_union_cardinality(n, f)',
	'bloom_union_cardinality(f, n)',
	'bloom_intersection_cardinality(n, f)',
	'bloom_intersection_cardinality(f, n)',
	'bloom_jaccard(n, f)',
	'bloom_jaccard(f, n)',
	'bloom_info(n)',
	'bloom_size(NULL)',
	'bloom_size(NULL, 0.01)',
	'bloom_size(100, NULL)',
	'bloom_hash(NULL::int)',
	'bloom_hash(NULL)',
	'bloom_hash(1, NULL)',
	'bloom_shard(NULL::int, 4)',
	'bloom_shard(1, NULL)',
	'n::bytea',
	'NULL::bytea::bloomfilter',
	'n::text',
	'NULL::text::bloomfilter',
	'bloomfilter_agg_finalfn(n)'
]) WITH ORDINALITY AS u (expression, i) ORDER BY i;

-- as a function in FROM, bloom_info of NULL is one row without values
SELECT count(*), count(i.representation) FROM bloom_info(NULL) AS i;

-- the element type of an empty filter is the only NULL in bloom_info
SELECT element_type, representation, expected_items, target_false_positive_rate, seed, bits,
	hashes, bits_set, fill, estimated_items, estimated_false_positive_rate, bytes
FROM t, bloom_info(e);

-- aggregates: no rows, only NULLs, some NULLs
CREATE TEMP TABLE v (i int, f bloomfilter);
SELECT bloom_agg(i) IS NULL AS agg, bloom_agg(i, 100) IS NULL AS sized,
	bloom_agg(i, NULL) IS NULL AS unsized, bloom_agg(i, 100, 0.1) IS NULL AS sized_rate,
	bloom_agg(i, NULL, 0.1) IS NULL AS unsized_rate,
	bloom_union_agg(f) IS NULL AS "union", bloom_intersection_agg(f) IS NULL AS intersection
FROM v;
INSERT INTO v VALUES (NULL, NULL), (NULL, NULL);
SELECT bloom_agg(i) IS NULL AS agg, bloom_agg(i, 100) IS NULL AS sized,
	bloom_agg(i, NULL) IS NULL AS unsized, bloom_agg(i, 100, 0.1) IS NULL AS sized_rate,
	bloom_agg(i, NULL, 0.1) IS NULL AS unsized_rate,
	bloom_union_agg(f) IS NULL AS "union", bloom_intersection_agg(f) IS NULL AS intersection
FROM v;
INSERT INTO v SELECT i, bloom_add(e, i) FROM t, unnest(ARRAY[7, 8, NULL, 7]) AS i;
SELECT bloom_agg(i) = bloom_add_all(bloom_create(2), ARRAY[7, 8]) AS agg,
	bloom_agg(i, 100) = bloom_add_all(bloom_create(100), ARRAY[7, 8]) AS sized,
	bloom_agg(i, NULL) = bloom_agg(i) AS unsized,
	bloom_agg(i, 100, 0.1) = bloom_add_all(bloom_create(100, 0.1), ARRAY[7, 8]) AS sized_rate,
	bloom_agg(i, NULL, 0.1) = bloom_add_all(bloom_create(2, 0.1), ARRAY[7, 8]) AS unsized_rate,
	bloom_union_agg(f) = bloom_add_all(bloom_create(100), ARRAY[7, 8]) AS "union",
	bloom_cardinality(bloom_intersection_agg(f)) AS intersection
FROM v;

-- a rate has to be given, be the filter sized or not; where every value is
-- NULL there is no filter to have parameters
SELECT pg_temp.value('(SELECT bloom_agg(i, 100, NULL) FROM v)') AS sized,
	pg_temp.value('(SELECT bloom_agg(i, NULL, NULL) FROM v)') AS unsized,
	pg_temp.value('(SELECT bloom_agg(i, 100, NULL) FROM v WHERE i IS NULL)') AS no_values;

-- an array without values, of whatever type: nothing is to be hashed
CREATE TYPE mood AS ENUM ('sad', 'happy');
SELECT bloom_add_all(e, '{}'::point[]) = e AS nothing, bloom_add_all(e, '{NULL, NULL}'::mood[]) = e AS nulls,
	bloom_contains_any(e, '{}'::json[]) AS any, bloom_contains_all(e, '{NULL}'::point[]) AS all,
	(bloom_add_new(e, '{}'::point[])).new_values AS add_new_nothing,
	(bloom_add_new(e, '{NULL}'::mood[])).new_values AS add_new_nulls
FROM t;
SELECT bloom_add_all(c, '{}'::point[]) = c AS add_all, bloom_remove_all(c, '{NULL}'::mood[]) = c AS remove_all,
	bloom_contains_any(c, '{NULL}'::mood[]) AS any, bloom_contains_all(c, '{}'::json[]) AS all
FROM counting_bloom_create(10) AS c;
-- but of a value it does
SELECT bloom_add_all(e, '{NULL, sad}'::mood[]) FROM t;
SELECT bloom_contains_any(e, '{"(1,2)"}'::point[]) FROM t;
DROP TYPE mood;
