-- Partial states of aggregates are filters: they can be stored, travel as text
-- and as binary, be combined and finished later.  Without expected_items they
-- are of a kind of their own, "unsized".
CREATE AGGREGATE ps_state ("any") (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE);
CREATE AGGREGATE ps_state ("any", float8) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE);
CREATE AGGREGATE ps_state ("any", float8, float8) (
	SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, COMBINEFUNC = bloomfilter_agg_combinefn, PARALLEL = SAFE);
CREATE AGGREGATE ps_finish (bloomfilter) (
	SFUNC = bloomfilter_union_transfn, STYPE = bloomfilter, FINALFUNC = bloomfilter_agg_finalfn);

-- what the states are, and what finishing one makes of it
SELECT representation, expected_items, element_type, target_false_positive_rate AS p, estimated_items AS items,
	bloomfilter_agg_finalfn(state) = agg AS finished, bloomfilter_agg_finalfn(state) = state AS as_it_was
FROM (SELECT ps_state(i), bloom_agg(i) FROM generate_series(1, 100) AS i
	UNION ALL SELECT ps_state(i, NULL), bloom_agg(i) FROM generate_series(1, 100) AS i
	UNION ALL SELECT ps_state(i, NULL, 0.1), bloom_agg(i, NULL, 0.1) FROM generate_series(1, 100) AS i
	UNION ALL SELECT ps_state(i, 100), bloom_agg(i, 100) FROM generate_series(1, 100) AS i
	UNION ALL SELECT ps_state(i, 10000, 0.1), bloom_agg(i, 10000, 0.1) FROM generate_series(1, 10) AS i) AS s (state, agg),
	bloom_info(state);

-- no values, no state
SELECT ps_state(NULL::int) IS NULL AS nulls, ps_state(1) FILTER (WHERE false) IS NULL AS no_rows;

-- Three ways from one place to another.
CREATE FUNCTION pg_temp.travel(f bloomfilter, way int) RETURNS bloomfilter LANGUAGE sql AS $$
	SELECT CASE way % 3 WHEN 0 THEN f WHEN 1 THEN f::text::bloomfilter ELSE f::bytea::bloomfilter END
$$;

-- parts of different sizes, one without any value, by any mix of ways
CREATE TABLE ps_values (part int, i int, t text, n numeric);
INSERT INTO ps_values
	SELECT part, i, 'value ' || i, i / 10.0
	FROM (VALUES (1, 1, 2), (2, 2, 400), (3, 300, 320), (4, 1, 1000), (5, 5000, 5001)) AS v (part, "from", "to"),
		generate_series("from", "to") AS i;
INSERT INTO ps_values (part) VALUES (6);
CREATE TABLE ps_states AS
	SELECT part, ps_state(i) AS i, ps_state(t) AS t, ps_state(n, NULL, 0.001) AS n,
		ps_state(i, 1000) AS i_sized, ps_state(t, 1000, 0.001) AS t_sized, ps_state(n, 100000) AS n_sparse
	FROM ps_values GROUP BY part;
SELECT part, (bloom_info(i)).representation AS i, (bloom_info(t)).representation AS t, (bloom_info(n)).representation AS n,
	(bloom_info(i_sized)).representation AS i_sized, (bloom_info(n_sparse)).representation AS n_sparse,
	(bloom_info(i)).estimated_items AS items
FROM ps_states ORDER BY part;
SELECT count(*) AS ways, bool_and(s.i = v.i) AS i, bool_and(s.t = v.t) AS t, bool_and(s.n = v.n) AS n,
	bool_and(s.i_sized = v.i_sized) AS i_sized, bool_and(s.t_sized = v.t_sized) AS t_sized,
	bool_and(s.n_sparse = v.n_sparse) AS n_sparse
FROM generate_series(0, 8) AS way,
	LATERAL (SELECT ps_finish(pg_temp.travel(i, way / 3 + part)) AS i, ps_finish(pg_temp.travel(t, way + part)) AS t,
			ps_finish(pg_temp.travel(n, way + part * part)) AS n,
			ps_finish(pg_temp.travel(i_sized, way + part)) AS i_sized,
			ps_finish(pg_temp.travel(t_sized, way)) AS t_sized, ps_finish(pg_temp.travel(n_sparse, way + part)) AS n_sparse
		FROM ps_states) AS s,
	(SELECT bloom_agg(i) AS i, bloom_agg(t) AS t, bloom_agg(n, NULL, 0.001) AS n, bloom_agg(i, 1000) AS i_sized,
			bloom_agg(t, 1000, 0.001) AS t_sized, bloom_agg(n, 100000) AS n_sparse
		FROM ps_values) AS v;

-- two by two, in both orders
SELECT count(*) AS pairs, bool_and(ps.f = v.f) AS right_sized, bool_and(ps.s = v.s) AS sized
FROM generate_series(1, 6) AS a, generate_series(1, 6) AS b, generate_series(0, 2) AS way,
	LATERAL (SELECT ps_finish(pg_temp.travel(i, way) ORDER BY part = a) AS f,
			ps_finish(pg_temp.travel(i_sized, way) ORDER BY part = a) AS s
		FROM ps_states WHERE part IN (a, b)) AS ps,
	LATERAL (SELECT bloom_agg(i) AS f, bloom_agg(i, 1000) AS s FROM ps_values WHERE part IN (a, b)) AS v
WHERE a < 6 OR b < 6;

-- a combination goes on as a state
SELECT bloomfilter_agg_finalfn(pg_temp.travel(two.u, 1) | three.u) = bloom_agg(i) AS in_two_steps
FROM (SELECT bloom_union_agg(i) AS u FROM ps_states WHERE part <= 2) AS two,
	(SELECT bloom_union_agg(i) AS u FROM ps_states WHERE part > 2) AS three, ps_values AS v
GROUP BY two.u, three.u;

-- rates that differ: the lower one is kept
SELECT ps_finish(s) = bloomfilter_agg_finalfn(x.u) AS union_agrees, (bloom_info(ps_finish(s))).target_false_positive_rate AS p
FROM (SELECT ps_state(i, NULL, 0.1) AS a FROM ps_values WHERE part = 1) AS a,
	(SELECT ps_state(i, NULL, 0.01) AS b FROM ps_values WHERE part = 2) AS b,
	LATERAL (SELECT a | b AS u) AS x,
	LATERAL (VALUES (a), (b)) AS v (s)
GROUP BY x.u;

-- through the binary protocol
CREATE TABLE ps_copied (LIKE ps_states);
\copy ps_states TO 'results/partial_state.data' (FORMAT binary)
\copy ps_copied FROM 'results/partial_state.data' (FORMAT binary)
SELECT count(*), bool_and(c IS NOT DISTINCT FROM s) AS same
FROM ps_states AS s JOIN ps_copied AS c USING (part);

-- What functions make of an unsized filter: it is a set like any other ...
CREATE FUNCTION pg_temp.outcome(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	detail text;
BEGIN
	EXECUTE format('SELECT (%s)::text FROM
			(SELECT ps_state(i) AS u FROM generate_series(1, 100) AS i) AS u,
			(SELECT ps_state(i) AS v FROM generate_series(51, 150) AS i) AS v,
			(SELECT ps_state(i) AS w FROM generate_series(201, 210) AS i) AS w,
			(SELECT bloom_agg(i) AS f FROM generate_series(1, 100) AS i) AS f', expression) INTO result;
	RETURN coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN SQLSTATE || ' ' || SQLERRM || E'\n' || detail;
END $$;
SELECT expression, pg_temp.outcome(expression)
FROM unnest(ARRAY[
	'u @> 1',
	'u @> 101',
	'bloom_contains_any(u, ARRAY[0, 100])',
	'bloom_contains_all(u, ARRAY[0, 100])',
	'bloom_contains(u, ''1''::text)',
	'bloom_add(u, 101) @> 101',
	'bloom_add_all(u, ARRAY[101, 102]) @> 102',
	'bloomfilter_agg_finalfn(bloom_add(u, 101)) @> 101',
	'bloom_cardinality(u)',
	'bloom_cardinality(bloom_add(u, 101))',
	'bloom_false_positive_rate(u) < 1e-15',
	'(bloom_info(u | v)).representation',
	'bloom_cardinality(u | v)',
	'bloomfilter_agg_finalfn(u | v) = (SELECT bloom_agg(i) FROM generate_series(1, 150) AS i)',
	'(bloom_info(u & v)).representation',
	'bloom_cardinality(u & v)',
	'bloomfilter_agg_finalfn(u & v) = (SELECT bloom_agg(i) FROM generate_series(51, 100) AS i)',
	'(bloom_info(u & w)).representation',
	'bloom_cardinality(u & w)',
	'bloomfilter_agg_finalfn(u & w) = (bloom_add(bloom_create(1), 1) & bloom_add(bloom_create(1), 2))',
	'bloom_is_superset(u, v)',
	'bloom_is_superset(u | v, v)',
	'bloom_union_cardinality(u, v)',
	'bloom_intersection_cardinality(u, v)',
	'bloom_jaccard(u, v)',
	'u = u::text::bloomfilter',
	'u = u::bytea::bloomfilter',
	'u = v',
	'u = f',
	'u <> f',
	'bloom_add(u, 1) = u'
]) WITH ORDINALITY AS s (expression, i) ORDER BY i;
-- ... but has no size, so that it does not go with a filter that has one
SELECT expression, pg_temp.outcome(expression)
FROM unnest(ARRAY[
	'u | f',
	'f | u',
	'u & f',
	'f & u',
	'bloom_is_superset(u, f)',
	'bloom_is_superset(f, u)',
	'bloom_union_cardinality(u, f)',
	'bloom_intersection_cardinality(f, u)',
	'bloom_jaccard(u, f)'
]) WITH ORDINALITY AS s (expression, i) ORDER BY i;
-- its values are limited in number like an aggregate's
SET bloomfilter.max_exact_hashes = 120;
SELECT expression, pg_temp.outcome(expression)
FROM unnest(ARRAY['u @> 1', 'bloom_cardinality(u)', 'bloom_add(u, 0) @> 0', 'u | v', 'bloom_cardinality(u & v)',
		'bloom_add_all(u, ARRAY(SELECT generate_series(101, 120))) @> 120',
		'bloom_add_all(u, ARRAY(SELECT generate_series(101, 121))) @> 121']) WITH ORDINALITY AS s (expression, i)
ORDER BY i;
RESET bloomfilter.max_exact_hashes;
SELECT * FROM bloom_info((SELECT ps_state(i) FROM generate_series(1, 100) AS i)) \gx

-- states so large that their hashes are only gathered until somebody looks
SET max_parallel_workers_per_gather = 0;
CREATE TABLE ps_large AS SELECT ps_state(i) AS state FROM generate_series(1, 300000) AS i;
SELECT ps_state(i) = (SELECT state FROM ps_large) AS equal,
	ps_state(i) | ps_state(i) = (SELECT state FROM ps_large) AS "union",
	bloom_cardinality(ps_state(i)) AS items
FROM generate_series(1, 300000) AS i;
SELECT bloomfilter_agg_finalfn((SELECT state FROM ps_large)) = bloom_agg(i) AS finished FROM generate_series(1, 300000) AS i;
SET bloomfilter.max_exact_hashes = 299999;
SELECT bloomfilter_agg_finalfn(state) FROM ps_large;
RESET bloomfilter.max_exact_hashes;
RESET max_parallel_workers_per_gather;

DROP TABLE ps_values, ps_states, ps_copied, ps_large;
DROP AGGREGATE ps_state ("any"), ps_state ("any", float8), ps_state ("any", float8, float8), ps_finish (bloomfilter);
