-- Aggregates of users' own, made of the functions that change a filter.  Their
-- state is changed in place, which nobody may see.
CREATE TABLE oa (i int PRIMARY KEY, g int, x int, xs int[], f bloomfilter, small bloomfilter);
INSERT INTO oa
	SELECT i, i % 3, CASE WHEN i % 5 > 0 THEN i * 17 % 400 END,
		CASE WHEN i % 4 > 0 THEN ARRAY[i, i * 2, NULL, i % 10] END,
		CASE WHEN i % 6 > 0 THEN bloom_add_all(bloom_create(200), ARRAY(SELECT generate_series(i - i % 4 * 3, i + 10))) END,
		CASE WHEN i % 7 > 0 THEN bloom_add_all(bloom_create(200), ARRAY[1, 2, i]) END
	FROM generate_series(1, 300) AS i;

SELECT bloom_create(200)::text AS empty \gset
CREATE AGGREGATE oa_add (int) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'empty',
	COMBINEFUNC = bloom_union, PARALLEL = SAFE);
CREATE AGGREGATE oa_add_all (int[]) (SFUNC = bloom_add_all, STYPE = bloomfilter, INITCOND = :'empty',
	COMBINEFUNC = bloom_union, PARALLEL = SAFE);
CREATE AGGREGATE oa_or (bloomfilter) (SFUNC = bloom_union, STYPE = bloomfilter, COMBINEFUNC = bloom_union, PARALLEL = SAFE);
CREATE AGGREGATE oa_and (bloomfilter) (SFUNC = bloom_intersection, STYPE = bloomfilter, COMBINEFUNC = bloom_intersection, PARALLEL = SAFE);
-- other final functions on the same states
CREATE AGGREGATE oa_count (int) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'empty', FINALFUNC = bloom_cardinality);
CREATE FUNCTION oa_text(bloomfilter) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN bloom_add($1, 1)::text || $1::text; END';
CREATE FUNCTION oa_bodies() RETURNS bigint LANGUAGE sql AS
$$ SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'bloomfilter body' $$;
CREATE FUNCTION oa_copies(f bloomfilter) RETURNS bigint LANGUAGE plpgsql AS
'BEGIN RETURN CASE WHEN bloom_add(f, NULL::int) @> 17 THEN oa_bodies() END; END';
CREATE AGGREGATE oa_copies (int) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'empty', FINALFUNC = oa_copies);
CREATE AGGREGATE oa_text (int) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'empty', FINALFUNC = oa_text);
-- final functions that would change the state if it were theirs
CREATE AGGREGATE oa_plus (int ORDER BY int) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'empty',
	FINALFUNC = bloom_add, FINALFUNC_MODIFY = READ_ONLY);
CREATE AGGREGATE oa_common (bloomfilter ORDER BY int) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'empty',
	FINALFUNC = bloom_intersection, FINALFUNC_MODIFY = READ_ONLY);
CREATE AGGREGATE oa_with (bloomfilter ORDER BY int) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'empty',
	FINALFUNC = bloomfilter_union_transfn, FINALFUNC_MODIFY = READ_ONLY);
-- and one that does all by functions in SQL
CREATE FUNCTION oa_add_sql(bloomfilter, int) RETURNS bloomfilter LANGUAGE sql IMMUTABLE AS 'SELECT bloom_add(bloom_add($1, $2), $2)';
CREATE AGGREGATE oa_sql (int) (SFUNC = oa_add_sql, STYPE = bloomfilter, INITCOND = :'empty');
CREATE FUNCTION oa_add_plpgsql(f bloomfilter, x int) RETURNS bloomfilter LANGUAGE plpgsql IMMUTABLE AS
'BEGIN IF x > 0 THEN f := bloom_add(f, x); END IF; RETURN f; END';
CREATE AGGREGATE oa_plpgsql (int) (SFUNC = oa_add_plpgsql, STYPE = bloomfilter, INITCOND = :'empty');

-- the same as the aggregates that there are
SELECT oa_add(x) = bloom_agg(x, 200) AS add, oa_sql(x) = bloom_agg(x, 200) AS sql, oa_plpgsql(x) = bloom_agg(x, 200) AS plpgsql,
	oa_add_all(xs) = (SELECT bloom_agg(e, 200) FROM oa, unnest(xs) AS e) AS add_all,
	oa_or(f) = bloom_union_agg(f) AS "or", oa_and(f) = bloom_intersection_agg(f) AS "and",
	oa_and(small) = bloom_intersection_agg(small) AS and_of_lists, bloom_cardinality(oa_and(small)) AS common,
	oa_count(x) = bloom_cardinality(bloom_agg(x, 200)) AS final,
	oa_text(x) = bloom_add(bloom_agg(x, 200), 1)::text || bloom_agg(x, 200)::text AS final_in_plpgsql
FROM oa;
SELECT oa_plus(-1) WITHIN GROUP (ORDER BY x) = bloom_add(bloom_agg(x, 200), -1) AS plus,
	oa_plus(-2) WITHIN GROUP (ORDER BY x) = bloom_add(bloom_agg(x, 200), -2) AS plus_another,
	oa_common(bloom_create(200)) WITHIN GROUP (ORDER BY x) = bloom_agg(x, 200) & bloom_create(200) AS common,
	oa_with(bloom_add(bloom_create(200), -3)) WITHIN GROUP (ORDER BY x) = bloom_add(bloom_agg(x, 200), -3) AS "with",
	oa_with(bloom_add(bloom_create(200), -4)) WITHIN GROUP (ORDER BY x) = bloom_add(bloom_agg(x, 200), -4) AS with_another,
	oa_plus(NULL) WITHIN GROUP (ORDER BY x) = bloom_agg(x, 200) AS nothing
FROM oa;
SELECT oa_add(x) = :'empty' AS nulls, oa_or(f) IS NULL AS no_filter FROM oa WHERE i % 30 = 0;
SELECT oa_add(x) FILTER (WHERE g = 1) = bloom_agg(x, 200) FILTER (WHERE g = 1) AS filter,
	oa_add(DISTINCT x) = bloom_agg(x, 200) AS "distinct", oa_add(x ORDER BY x DESC) = bloom_agg(x, 200) AS ordered
FROM oa;
-- text, and a type without canonical bytes of its own
SELECT bloom_add(bloom_create(200), 'text')::text AS texts, bloom_add(bloom_create(200), 1.5)::text AS numbers \gset
CREATE AGGREGATE oa_texts (text) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'texts');
CREATE AGGREGATE oa_numbers (numeric) (SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = :'numbers');
SELECT oa_texts(x::text) = bloom_add(bloom_agg(x::text, 200), 'text') AS texts,
	oa_numbers(x) = bloom_add(bloom_agg(x::numeric, 200), 1.5) AS numbers
FROM oa;
-- the transition function of bloom_agg, too, goes on with the filter it is given: text without its blanks for char(n)
SELECT bloom_add(bloom_create(200, 0.01, 7), 'a'::char(3))::text AS blanks \gset
CREATE AGGREGATE oa_blanks ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, INITCOND = :'blanks');
SELECT oa_blanks(x || '  ') = bloom_add_all(:'blanks'::bloomfilter, array_agg(x::char(5))) AS blanks FROM oa;
SELECT oa_add(x) | oa_texts('text') FROM oa;
\echo :LAST_ERROR_SQLSTATE

-- in groups, sorted and hashed; in many; in grouping sets
SET enable_hashagg = off;
SELECT count(*), bool_and(a = b), bool_and(u = v), bool_and(n = m)
FROM (SELECT oa_add(x) AS a, bloom_agg(x, 200) AS b, oa_or(f) AS u, bloom_union_agg(f) AS v, oa_and(f) AS n, bloom_intersection_agg(f) AS m
	FROM oa GROUP BY g) AS s;
RESET enable_hashagg;
SET enable_sort = off;
SELECT count(*), bool_and(a = b), bool_and(u = v), bool_and(n = m)
FROM (SELECT oa_add(x) AS a, bloom_agg(x, 200) AS b, oa_or(f) AS u, bloom_union_agg(f) AS v, oa_and(f) AS n, bloom_intersection_agg(f) AS m
	FROM oa GROUP BY g) AS s;
SELECT count(*), bool_and(a = coalesce(b, :'empty')), bool_and(u IS NOT DISTINCT FROM v)
FROM (SELECT oa_add(x) AS a, bloom_agg(x, 200) AS b, oa_or(f) AS u, bloom_union_agg(f) AS v, array_agg(x) FROM oa GROUP BY i / 2) AS s;
RESET enable_sort;
SELECT count(*), bool_and(a = coalesce(b, :'empty')), bool_and(u IS NOT DISTINCT FROM v)
FROM (SELECT oa_add(x) AS a, bloom_agg(x, 200) AS b, oa_or(f) AS u, bloom_union_agg(f) AS v
	FROM oa GROUP BY GROUPING SETS ((g), (i / 7), (g, i % 10), ())) AS s;

-- partial states
CREATE TABLE oa_parts (LIKE oa) PARTITION BY LIST (g);
CREATE TABLE oa_parts0 PARTITION OF oa_parts FOR VALUES IN (0);
CREATE TABLE oa_parts1 PARTITION OF oa_parts FOR VALUES IN (1);
CREATE TABLE oa_parts2 PARTITION OF oa_parts FOR VALUES IN (2);
INSERT INTO oa_parts SELECT oa.* FROM oa, generate_series(1, 20);
ANALYZE oa_parts;
SET enable_partitionwise_aggregate = on;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT oa_add(x), oa_add_all(xs), oa_or(f), oa_and(f) FROM oa_parts;
SELECT parts.a = whole.a AS add, parts.b = whole.b AS add_all, parts.c = whole.c AS "or", parts.d = whole.d AS "and"
FROM (SELECT oa_add(x) AS a, oa_add_all(xs) AS b, oa_or(f) AS c, oa_and(f) AS d FROM oa_parts) AS parts,
	(SELECT oa_add(x) AS a, oa_add_all(xs) AS b, oa_or(f) AS c, oa_and(f) AS d FROM oa) AS whole;
RESET enable_partitionwise_aggregate;
RESET max_parallel_workers_per_gather;

-- In a window the result is read while the state goes on: it is what the same
-- rows give in a query of their own.
CREATE FUNCTION pg_temp.mismatches(call text, frame text, condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT count(*) || ''/'' || count(*) FILTER (WHERE windowed IS DISTINCT FROM (SELECT %1$s FROM oa AS w WHERE w.i <= 60 AND %3$s))
		FROM (SELECT i, g, %1$s OVER (%2$s) AS windowed FROM oa WHERE i <= 60) AS r', call, frame, condition) INTO result;
	RETURN result;
END $$;
SELECT call, pg_temp.mismatches(call, 'ORDER BY i', 'w.i <= r.i') AS running,
	pg_temp.mismatches(call, 'PARTITION BY g ORDER BY i', 'w.g = r.g AND w.i <= r.i') AS running_in_groups,
	pg_temp.mismatches(call, 'ORDER BY i ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING', 'w.i BETWEEN r.i - 3 AND r.i + 1') AS moving,
	pg_temp.mismatches(call, 'ORDER BY g', 'w.g <= r.g') AS peers
FROM unnest(ARRAY['oa_add(x)', 'oa_add_all(xs)', 'oa_or(f)', 'oa_and(f)', 'oa_and(small)', 'oa_count(x)', 'oa_text(x)', 'oa_sql(x)', 'oa_plpgsql(x)'])
	WITH ORDINALITY AS c (call, n) ORDER BY n;
-- and what is made of it leaves the state alone
SELECT count(*), bool_and(added = bloom_add(plain, -1)) AS added, bool_and(twice = plain) AS twice,
	bool_or(plain @> -1 OR bloom_cardinality(common) > 0) AS changed
FROM (SELECT bloom_add(oa_add(x) OVER w, -1) AS added, oa_add(x) OVER w | oa_add(x) OVER w AS twice,
		oa_add(x) OVER w & bloom_create(200) AS common, oa_add(x) OVER w AS plain
	FROM oa WINDOW w AS (ORDER BY i)) AS s;

-- In a moving window two functions get the state, of which one may be written in
-- something else; it may return what it was given, another filter, or NULL.
CREATE FUNCTION oa_take_sql(counting_bloomfilter, int) RETURNS counting_bloomfilter LANGUAGE sql AS 'SELECT bloom_remove($1, $2)';
CREATE FUNCTION oa_take_plpgsql(f counting_bloomfilter, i int) RETURNS counting_bloomfilter LANGUAGE plpgsql AS $$
BEGIN
	IF i % 5 = 0 THEN
		RETURN NULL;		-- to begin anew
	END IF;
	f := bloom_remove(f, i);
	RETURN f;
END $$;
CREATE FUNCTION oa_put_plpgsql(f counting_bloomfilter, i int) RETURNS counting_bloomfilter LANGUAGE plpgsql AS
	'BEGIN IF i IS NULL THEN RETURN f; END IF; RETURN bloom_add(f, i); END';
SELECT counting_bloom_create(200)::text AS empty \gset
CREATE AGGREGATE oa_moving_c (int) (SFUNC = bloom_add, STYPE = counting_bloomfilter, INITCOND = :'empty',
	MSFUNC = bloom_add, MINVFUNC = bloom_remove, MSTYPE = counting_bloomfilter, MINITCOND = :'empty');
CREATE AGGREGATE oa_moving_sql (int) (SFUNC = bloom_add, STYPE = counting_bloomfilter, INITCOND = :'empty',
	MSFUNC = bloom_add, MINVFUNC = oa_take_sql, MSTYPE = counting_bloomfilter, MINITCOND = :'empty');
CREATE AGGREGATE oa_moving_plpgsql (int) (SFUNC = bloom_add, STYPE = counting_bloomfilter, INITCOND = :'empty',
	MSFUNC = bloom_add, MINVFUNC = oa_take_plpgsql, MSTYPE = counting_bloomfilter, MINITCOND = :'empty');
CREATE AGGREGATE oa_moving_back (int) (SFUNC = bloom_add, STYPE = counting_bloomfilter, INITCOND = :'empty',
	MSFUNC = oa_put_plpgsql, MINVFUNC = bloom_remove, MSTYPE = counting_bloomfilter, MINITCOND = :'empty');
SELECT count(*), bool_and(c = s) AS "sql", bool_and(c = p) AS plpgsql, bool_and(c = b) AS back,
	bool_and(bloom_count(c, i) > 0 AND bloom_cardinality(c) = least(i, 4)) AS exact
FROM (SELECT i, oa_moving_c(i) OVER w AS c, oa_moving_sql(i) OVER w AS s, oa_moving_plpgsql(i) OVER w AS p, oa_moving_back(i) OVER w AS b
	FROM generate_series(1, 1000) AS i WINDOW w AS (ORDER BY i ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)) AS s;
CREATE FUNCTION oa_take_back(f counting_bloomfilter, i int) RETURNS counting_bloomfilter LANGUAGE plpgsql AS
	'BEGIN IF i IS NULL THEN RETURN f; END IF; RETURN bloom_remove(f, i); END';
CREATE AGGREGATE oa_moving_taken (int) (SFUNC = bloom_add, STYPE = counting_bloomfilter, INITCOND = :'empty',
	MSFUNC = bloom_add, MINVFUNC = oa_take_back, MSTYPE = counting_bloomfilter, MINITCOND = :'empty');
SELECT count(*), bool_and(c = b) AS back, bool_and(c = t) AS taken, min(bloom_cardinality(c)) AS least
FROM (SELECT oa_moving_c(v) OVER w AS c, oa_moving_back(v) OVER w AS b, oa_moving_taken(v) OVER w AS t
	FROM (SELECT i, nullif(i, i / 6 * 6) AS v FROM generate_series(1, 1000) AS i) AS s
	WINDOW w AS (ORDER BY i ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)) AS s;
DROP AGGREGATE oa_moving_c (int), oa_moving_sql (int), oa_moving_plpgsql (int), oa_moving_back (int), oa_moving_taken (int);
DROP FUNCTION oa_take_sql(counting_bloomfilter, int), oa_take_plpgsql(counting_bloomfilter, int), oa_put_plpgsql(counting_bloomfilter, int),
	oa_take_back(counting_bloomfilter, int);

-- The state is an object in the aggregate's memory, which is not copied for
-- every row, and one context holds those of all groups.
CREATE FUNCTION pg_temp.contexts(i int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	RETURN CASE WHEN i % 100 = 0 THEN (SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'bloomfilter states') END;
END $$;
CREATE FUNCTION pg_temp.contexts_while(call text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	result int;
BEGIN
	EXECUTE format('SELECT max(pg_temp.contexts(i)) + (%s IS NULL)::int FROM oa', call) INTO result;
	RETURN result;
END $$;
SELECT call, pg_temp.contexts_while(call)
FROM unnest(ARRAY['oa_add(x)', 'oa_add_all(xs)', 'oa_or(f)', 'oa_and(f)', 'oa_sql(x)']) WITH ORDINALITY AS c (call, n) ORDER BY n;
SET enable_sort = off;
SELECT max(c) AS contexts, count(a) + count(u) AS filters
FROM (SELECT max(pg_temp.contexts(i)) AS c, oa_add(x) AS a, oa_or(f) AS u FROM oa GROUP BY i % 150) AS s;
RESET enable_sort;
-- Nor is it copied where a final function changes nothing.
SELECT oa_copies(x) AS copies FROM oa;

DROP TABLE oa, oa_parts;
DROP AGGREGATE oa_add (int), oa_add_all (int[]), oa_or (bloomfilter), oa_and (bloomfilter), oa_count (int), oa_copies (int), oa_text (int),
	oa_plus (int ORDER BY int), oa_common (bloomfilter ORDER BY int), oa_with (bloomfilter ORDER BY int), oa_sql (int), oa_plpgsql (int), oa_texts (text), oa_numbers (numeric);
DROP FUNCTION oa_bodies(), oa_copies(bloomfilter), oa_text(bloomfilter), oa_add_sql(bloomfilter, int), oa_add_plpgsql(bloomfilter, int);
