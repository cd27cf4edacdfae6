-- counting_bloomfilter: values go in and come out again.
SET client_encoding = 'UTF8';

-- Adding, removing, counting.
SELECT f @> 1 AS one, f @> 2 AS two, f @> 3 AS three, 2 <@ f AS left, bloom_count(f, 1) AS count1, bloom_count(f, 2) AS count2,
	bloom_count(f, 3) AS count3, bloom_cardinality(f) AS items
FROM bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2, 2]) AS f;
SELECT removed @> 1 AS one, removed @> 2 AS two, bloom_count(removed, 2) AS count2, gone @> 2 AS gone, bloom_cardinality(gone) AS items,
	f @> 2 AND bloom_count(f, 2) = 2 AS argument_unchanged
FROM bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2, 2]) AS f, bloom_remove(f, 2) AS removed, bloom_remove(removed, 2) AS gone;
SELECT f::text, bloom_remove_all(f, ARRAY[2, 1, 2])::text AS emptied FROM bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2, 2]) AS f;
SELECT bloom_contains_any(f, ARRAY[7, 1]) AS some, bloom_contains_any(f, ARRAY[7, 8]) AS none, bloom_contains_all(f, ARRAY[1, 2]) AS "all",
	bloom_contains_all(f, ARRAY[1, 7]) AS not_all, bloom_contains_any(f, '{}'::int[]) AS any_of_nothing, bloom_contains_all(f, '{}'::int[]) AS all_of_nothing,
	bloom_contains_any(f, ARRAY[NULL, 1]) AS any_null, bloom_contains_all(f, ARRAY[[1, NULL], [2, 1]]) AS all_null
FROM bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2, 2]) AS f;

-- The same values, sparse and dense; k below, at and above 8.
CREATE TABLE cnt (k int, f counting_bloomfilter, members int[]);
INSERT INTO cnt
	SELECT (bloom_info(f)).hashes, f, members
	FROM unnest(ARRAY[0.5, 0.01, 0.001, 0.000001]) AS p, unnest(ARRAY[400, 40000]) AS n,
		LATERAL (SELECT ARRAY(SELECT generate_series(1, 400)) AS members) AS m,
		LATERAL (SELECT bloom_add_all(counting_bloom_create(n, p), members) AS f) AS b;
SELECT k, (bloom_info(f)).representation, (bloom_info(f)).expected_items AS n, bloom_contains_all(f, members) AS contains,
	f::bloomfilter = bloom_agg(x, (bloom_info(f)).expected_items, (bloom_info(f)).target_false_positive_rate) AS cast_is_exact,
	f = counting_bloom_agg(x, (bloom_info(f)).expected_items, (bloom_info(f)).target_false_positive_rate) AS aggregate,
	bloom_cardinality(f) = bloom_cardinality(f::bloomfilter) AS cardinality,
	bloom_false_positive_rate(f) = bloom_false_positive_rate(f::bloomfilter) AS rate
FROM cnt, unnest(members) AS x GROUP BY k, f, members ORDER BY k, n;
-- half of them leave: the rest stays, and the cast is the filter of the rest
SELECT k, (bloom_info(half)).representation, bloom_contains_all(half, members[201:]) AS rest,
	CASE (bloom_info(half)).representation WHEN 'sparse' THEN half::bloomfilter = anew
		ELSE bloom_is_superset(half::bloomfilter, anew) AND bloom_is_superset(anew, half::bloomfilter) END AS cast_is_exact,
	bloom_remove_all(half, members[201:])::bloomfilter @> ANY (members) AS nothing_left
FROM cnt, LATERAL (SELECT bloom_remove_all(f, members[:200]) AS half) AS h,
	LATERAL (SELECT bloom_add_all(bloom_create(expected_items, target_false_positive_rate), members[201:]) AS anew FROM bloom_info(f)) AS a
ORDER BY k, (bloom_info(f)).expected_items;
-- in another order, in pieces, by sums and differences: the same
SELECT k, (bloom_info(f)).representation,
	bloom_add_all(bloom_create_like(f), ARRAY(SELECT m FROM unnest(members) AS m ORDER BY -m)) = f AS backwards,
	a + b = f AS sum, b + a = f AS sum_backwards, f - b = a OR (bloom_info(a)).representation = 'sparse' AS difference, f - b + b = f AS back,
	(f - f)::bloomfilter @> ANY (members) AS nothing_left, f + bloom_create_like(f) = f AND f - bloom_create_like(f) = f AS nothing_changes
FROM cnt, LATERAL (SELECT bloom_add_all(bloom_create_like(f), members[:150]) AS a, bloom_add_all(bloom_create_like(f), members[151:]) AS b) AS parts
ORDER BY k, (bloom_info(f)).expected_items;
-- a list out of counters, counters out of a list
SELECT k, (bloom_info(f - small)).representation, f - small = bloom_remove_all(f, members[:3]) AS list, f - small + small = f AS back,
	bloom_contains_all(f - small, members[4:]) AS rest
FROM cnt, LATERAL (SELECT bloom_add_all(bloom_create_like(f), members[:3]) AS small) AS s ORDER BY k, (bloom_info(f)).expected_items;
SELECT (bloom_info(dense)).representation AS dense, (bloom_info(sparse)).representation AS sparse, (bloom_info(sparse - dense)).representation AS difference,
	(sparse - dense) @> 1 AS one, (sparse - dense) @> 2 AS two, bloom_count(sparse - dense, 2) AS count2
FROM bloom_remove_all(bloom_add_all(counting_bloom_create(100), ARRAY(SELECT generate_series(1, 50))), ARRAY(SELECT generate_series(2, 50))) AS dense,
	bloom_add_all(counting_bloom_create(100), ARRAY[1, 2]) AS sparse;

-- Sums count.
SELECT bloom_count(f + f, 1) AS twice, bloom_count(f + f + f, 2) AS six, bloom_count(f + f - f, 2) AS two FROM bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2, 2]) AS f;
SELECT bool_and(bloom_count(f + f, 1) >= 2) AS twice, bool_and(f + f - f = f OR (bloom_info(f + f)).stuck_counters > 0) AS back, bool_and(f + f <> f) AS other,
	bool_and((f + f)::bloomfilter = f::bloomfilter) AS same_cast
FROM cnt;

-- What a value leaves behind: the type, and a list or counters.
SELECT emptied = counting_bloom_create(1000) AS equal, (bloom_info(emptied)).element_type, bloom_create_like(emptied) = counting_bloom_create(1000) AS like
FROM bloom_remove(bloom_add(counting_bloom_create(1000), 1), 1) AS emptied;

-- A count stops at 15, and stays there.
SELECT n, bloom_count(f, 1) AS count, bloom_count(removed, 1) AS after_removing_20, (bloom_info(f)).stuck_counters AS stuck,
	(bloom_info(removed)).stuck_counters AS still_stuck, (bloom_info(f)).representation
FROM unnest(ARRAY[1, 100]) AS n, unnest(ARRAY[14, 15, 16, 1000]) AS times,
	LATERAL (SELECT bloom_add_all(bloom_add_all(counting_bloom_create(n), ARRAY(SELECT 1 FROM generate_series(1, times))), CASE n WHEN 1 THEN ARRAY[2, 2] END) AS f) AS f,
	LATERAL (SELECT bloom_remove_all(f, ARRAY(SELECT 1 FROM generate_series(1, CASE WHEN times < 15 THEN times ELSE 20 END))) AS removed) AS r
ORDER BY n, times;
SELECT bloom_count(f, 1) AS stuck, bloom_count(f - f, 1) AS still, bloom_count(f - one, 1) AS minus_one, f + one = f AS plus_one, f::bloomfilter = bloom_add(bloom_create(100), 1) AS cast
FROM bloom_add_all(counting_bloom_create(100), ARRAY(SELECT 1 FROM generate_series(1, 15))) AS f, bloom_add(counting_bloom_create(100), 1) AS one;
-- two values at a counter of one block, together beyond 15
SELECT (bloom_info(f)).representation, bloom_count(f, 1) AS one, bloom_count(f, 2) AS two, (bloom_info(f)).stuck_counters > 0 AS stuck,
	bloom_remove_all(f, ARRAY(SELECT 1 FROM generate_series(1, 10))) @> 2 AS two_stays
FROM bloom_add_all(counting_bloom_create(1, 0.000001), ARRAY(SELECT generate_series(1, 2) FROM generate_series(1, 10)) || ARRAY(SELECT generate_series(3, 200))) AS f;

--
-- Refused
--
\set VERBOSITY default
SELECT bloom_remove(counting_bloom_create(1000), 1);
SELECT bloom_remove(bloom_add(counting_bloom_create(1000), 1), 2);
SELECT bloom_remove_all(bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2]), ARRAY[1, 2, 1]);
SELECT bloom_add(counting_bloom_create(1000), 1) - bloom_add(counting_bloom_create(1000), 2);
SELECT bloom_add(counting_bloom_create(1000), 1) - bloom_add_all(counting_bloom_create(1000), ARRAY[1, 1]);
SELECT counting_bloom_create(1000) - bloom_add(counting_bloom_create(1000), 1);
-- from one that never held a value: nothing, of whatever type it was, or an error
CREATE TEMP TABLE emptied AS SELECT counting_bloom_create(20) - f AS result, f
  FROM (SELECT bloom_remove_all(bloom_add_all(counting_bloom_create(20), members), members) AS f FROM (SELECT array_agg(i) AS members FROM generate_series(1, 20) AS i) AS m) AS s;
SELECT (bloom_info(f)).representation, (bloom_info(f)).element_type, result = counting_bloom_create(20) AS unchanged, bloom_info(result) = bloom_info(counting_bloom_create(20)) AS info,
	result::text::counting_bloomfilter = result AS text, result @> 1 AS found, bloom_add(result, 'x'::text) @> 'x'::text AS added FROM emptied;
SELECT counting_bloom_create(20) - bloom_add(f, 1) FROM emptied;
DROP TABLE emptied;
SELECT bloom_add(counting_bloom_create(1000), 1) + bloom_add(counting_bloom_create(2000), 1);
SELECT bloom_add(counting_bloom_create(1000), 1) - bloom_add(counting_bloom_create(1000, 0.01, 1), 1);
SELECT bloom_add(counting_bloom_create(1000), 1) + bloom_add(counting_bloom_create(1000), 'x');
SELECT bloom_add(bloom_add(counting_bloom_create(1000), 1), 'x');
SELECT bloom_remove(bloom_add(counting_bloom_create(1000), 1), 'x');
SELECT bloom_count(bloom_add(counting_bloom_create(1000), 1), 'x');
SELECT bloom_add(counting_bloom_create(1000), 1) @> 'x';
SELECT bloom_add(counting_bloom_create(1000), counting_bloom_create(1000));
SELECT bloom_agg(counting_bloom_create(1000));
SELECT counting_bloom_create(0);
SELECT counting_bloom_create(1000, 2);
SELECT counting_bloom_create(1e9);
\set VERBOSITY terse
-- the largest number of items is no more than is promised, and fits
CREATE FUNCTION cnt_state(statement text, OUT state text, OUT fits bigint) LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	EXECUTE statement;
	state := 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	state := SQLSTATE;
	fits := substring(detail FROM 'enough for (\d+) items');
END $$;
SELECT p, state, (SELECT (bloom_info(counting_bloom_create(fits, p))).bits = 2^30) AS full_size,
	(SELECT c.state FROM cnt_state(format('SELECT counting_bloom_create(%s, %s)', fits + 1, p)) AS c) AS one_more
FROM unnest(ARRAY[0.5, 0.01, 0.000001]) AS p, cnt_state(format('SELECT counting_bloom_create(1e9, %s)', p));
-- What a sum or difference is made of stays as it is, also where it shares its counters.
DO $$
DECLARE
	f counting_bloomfilter := counting_bloom_agg(x, 1000) FROM generate_series(1, 100) AS x;
	before text;
	small counting_bloomfilter;
BEGIN
	f := bloom_add(f, 1);
	before := f::text;
	small := bloom_add_all(bloom_create_like(f), ARRAY[1, 2, 3]);
	RAISE NOTICE '% %', (bloom_info(f)).representation, (bloom_info(small)).representation;
	RAISE NOTICE 'smaller %, larger %, unchanged %', f - small = bloom_remove_all(f, ARRAY[1, 2, 3]), f + small = bloom_add_all(f, ARRAY[1, 2, 3]),
		f::text = before;
END $$;
-- Whether a value may be removed, or another filter subtracted, does not depend on
-- what is pending: false positives of a list that is about to become counters, and
-- of values of the same counter.  A filter of one counter a value has many.
-- OFFSET keeps f from being a constant: whatever the planner computes with it is
-- written down, and nothing is pending.
CREATE FUNCTION cnt_works(expression text, f counting_bloomfilter, x int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT %s FROM (SELECT $1 AS f, $2 AS x OFFSET 0) AS s', expression) USING f, x;
	RETURN true;
EXCEPTION WHEN invalid_parameter_value THEN
	RETURN false;
END $$;
DO $$
DECLARE
	empty counting_bloomfilter := counting_bloom_create(1, 0.5);
	stored_two counting_bloomfilter := bloom_add_all(empty, ARRAY[1, 2])::text;
	stored_other counting_bloomfilter := bloom_remove(bloom_add_all(empty, ARRAY[0, 2, 3]), 0)::text;
	removed int := 0;
	subtracted int := 0;
	wrong int := 0;
BEGIN
	FOR x IN 4 .. 2000 LOOP
		removed := removed + cnt_works('bloom_remove(f, x)', stored_two, x)::int + cnt_works('bloom_remove(f, x)', stored_other, x)::int;
		wrong := wrong + (cnt_works('bloom_remove(bloom_add(bloom_add(f, 1), 2), x)', empty, x) <> stored_two @> x)::int
			+ (cnt_works('bloom_remove(bloom_remove(bloom_add_all(f, ARRAY[0, 2, 3]), 0), x)', empty, x) <> stored_other @> x)::int;
		subtracted := subtracted + cnt_works('f - bloom_add_all(bloom_create_like(f), ARRAY[2, x])', stored_other, x)::int;
		wrong := wrong + (cnt_works('f - bloom_add_all(bloom_create_like(f), ARRAY[2, x])', stored_other, x) <> stored_other @> x
			AND bloom_count(bloom_add_all(empty, ARRAY[2, x]), x) = 1)::int;
	END LOOP;
	RAISE NOTICE 'false positives: % removed, % subtracted; % wrong', removed, subtracted, wrong;
END $$;
-- by the filter's seed
SELECT bloom_cardinality(bloom_remove(bloom_add_all(counting_bloom_create(1000, 0.01, 42), ARRAY[1, 2]), 2)) AS left;
-- what fails changes nothing
DO $$
DECLARE
	f counting_bloomfilter := bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2]);
	before counting_bloomfilter := f;
	d counting_bloomfilter := counting_bloom_agg(x, 100) FROM generate_series(1, 100) AS x;
	d_before counting_bloomfilter := d;
	statement text;
	failed int := 0;
BEGIN
	FOREACH statement IN ARRAY ARRAY['bloom_remove($1, 3)', 'bloom_remove_all($1, ARRAY[1, 2, 3])', '$1 - bloom_add_all(bloom_create_like($1), ARRAY[1, 1])',
		'bloom_remove_all($2, ARRAY[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])', '$2 - bloom_add_all(bloom_create_like($2), ARRAY[1, 2, -3, -4, -5])',
		'$2 - $2 - $2', 'bloom_create_like($2) - $2', 'bloom_remove($2, ''x''::text)'] LOOP
		BEGIN
			EXECUTE 'SELECT ' || statement INTO f USING f, d;
			RAISE 'worked: %', statement;
		EXCEPTION WHEN invalid_parameter_value OR datatype_mismatch THEN
			failed := failed + 1;
		END;
	END LOOP;
	RAISE NOTICE 'failed %, unchanged % %', failed, f = before, d = d_before;
END $$;

--
-- NULLs
--
SELECT bloom_add(f, NULL::int) = f AS add_null, bloom_remove(f, NULL::int) = f AS remove_null, bloom_add_all(f, NULL::int[]) = f AS add_null_array,
	bloom_remove_all(f, NULL::int[]) = f AS remove_null_array, bloom_add_all(f, ARRAY[NULL]::int[]) = f AS add_nulls, bloom_remove_all(f, ARRAY[NULL, NULL]::text[]) = f AS remove_nulls
FROM bloom_add(counting_bloom_create(100), 1) AS f;
SELECT (f + NULL) = f AS plus_null, (NULL + f) = f AS null_plus, (NULL::counting_bloomfilter + NULL) IS NULL AS nulls, (f - NULL) = f AS minus_null,
	(NULL::counting_bloomfilter - NULL) IS NULL AS null_minus_null
FROM bloom_add(counting_bloom_create(100), 1) AS f;
SELECT bloom_contains(f, NULL::int) IS NULL AS a, (NULL::counting_bloomfilter @> 1) IS NULL AS b, bloom_count(f, NULL::int) IS NULL AS c, bloom_count(NULL::counting_bloomfilter, 1) IS NULL AS d,
	bloom_contains_any(f, NULL::int[]) IS NULL AS e, bloom_contains_all(f, NULL::int[]) IS NULL AS f, bloom_cardinality(NULL::counting_bloomfilter) IS NULL AS g,
	bloom_compatible(f, NULL) IS NULL AS h, bloom_create_like(NULL::counting_bloomfilter) IS NULL AS i, counting_bloom_create(NULL) IS NULL AS j,
	NULL::counting_bloomfilter::bloomfilter IS NULL AS k
FROM bloom_add(counting_bloom_create(100), 1) AS f;

--
-- What a filter tells of itself
--
SELECT (bloom_info(f)).*, bloom_create_like(f)::text AS like FROM bloom_add_all(counting_bloom_create(1000, 0.02, 7), ARRAY['a', 'a', 'b']) AS f;
SELECT (bloom_info(counting_bloom_create(50))).*;
SELECT i.element_type, i.representation, i.expected_items, i.bits, i.hashes, i.bytes, i.stuck_counters, i.bits_set = p.bits_set AS bits_set, i.fill = p.fill AS fill,
	i.estimated_items = p.estimated_items AS items, i.estimated_false_positive_rate = p.estimated_false_positive_rate AS rate, i.bytes - 68 = 4 * (p.bytes - 68) AS four_times
FROM (SELECT counting_bloom_agg(x, 5000) AS f FROM generate_series(1, 5000) AS x) AS s, bloom_info(f) AS i, bloom_info(f::bloomfilter) AS p;
SELECT bloom_compatible(f, counting_bloom_create(1000)) AS same, bloom_compatible(f, counting_bloom_create(2000)) AS other_size, bloom_compatible(f, bloom_add(counting_bloom_create(1000), 'x')) AS other_type
FROM bloom_add(counting_bloom_create(1000), 1) AS f;

--
-- Equality and hashing
--
SELECT count(*) FROM (
	SELECT bloom_add_all(counting_bloom_create(100), ARRAY[1, 2]) AS f UNION SELECT bloom_add_all(counting_bloom_create(100), ARRAY[2, 1])
	UNION SELECT bloom_add_all(counting_bloom_create(100), ARRAY[2, 1, 1]) UNION SELECT bloom_remove(bloom_add_all(counting_bloom_create(100), ARRAY[2, 1, 1]), 1)
	UNION SELECT NULL) AS s;
SET enable_sort = off;
SELECT n, count(*) FROM (SELECT f, count(*) AS n FROM (SELECT f FROM cnt UNION ALL SELECT f FROM cnt) AS s GROUP BY f) AS g GROUP BY n;
RESET enable_sort;
CREATE INDEX cnt_f ON cnt USING hash (f);
SET enable_seqscan = off;
SELECT count(*) FROM cnt AS a WHERE f = (SELECT f FROM cnt AS b WHERE b.k = a.k AND (bloom_info(b.f)).expected_items = (bloom_info(a.f)).expected_items);
RESET enable_seqscan;
SELECT bool_and((f = other) = (f::text = other::text) AND (f <> other) = (f::text <> other::text)
	AND (f <> other OR counting_bloomfilter_hash(f) = counting_bloomfilter_hash(other) AND counting_bloomfilter_hash_extended(f, 5) = counting_bloomfilter_hash_extended(other, 5)))
FROM (SELECT f FROM cnt) AS a, (SELECT f FROM cnt UNION ALL SELECT bloom_add(f, 1) FROM cnt) AS b (other);

-- Elements of every kind, by the same hashes.
SET client_min_messages = warning;
CREATE EXTENSION citext;
RESET client_min_messages;
SELECT bloom_add(counting_bloom_create(100), 'a'::citext)::bloomfilter = bloom_add(bloom_create(100), 'A'::citext) AS citext,
	bloom_add(counting_bloom_create(100), 1.50)::bloomfilter = bloom_add(bloom_create(100), 1.5) AS numeric,
	bloom_remove(bloom_add(counting_bloom_create(100), 'a'::char(9)), 'a'::text)::bloomfilter @> 'a'::char(9) AS bpchar,
	bloom_remove(bloom_add(counting_bloom_create(100), ARRAY['a']), ARRAY['a'::varchar])::bloomfilter @> ARRAY['a'] AS arrays,
	bloom_add(counting_bloom_create(100), date '2024-02-29')::bloomfilter = bloom_add(bloom_create(100), date '2024-02-29') AS date;
DROP EXTENSION citext;

DROP TABLE cnt;
DROP FUNCTION cnt_state(text);
