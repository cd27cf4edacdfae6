-- The planner's row estimates for tests against filters, and the costs.
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- How far off the estimate of the topmost scan, join or other node is.
CREATE FUNCTION within_factor_3(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	estimated float8;
	actual float8;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	estimated := (plan->0->'Plan'->>'Plan Rows')::float8;
	actual := greatest((plan->0->'Plan'->>'Actual Rows')::float8, 1);
	IF estimated BETWEEN actual / 3 AND actual * 3 THEN
		RETURN 'yes';
	END IF;
	RETURN format('no: %s estimated, %s actual', estimated, actual);
END $$;

-- A plan, with what versions of the server spell differently spelt one way.
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		-- 19 tells what an empty result stands for
		CONTINUE WHEN line LIKE '%Replaces: %';
		RETURN NEXT regexp_replace(
			regexp_replace(line, '\(InitPlan (\d+|expr_\d+)\)\.col1|\$\d+', '$0', 'g'),
			'InitPlan (\d+ \(returns \$0\)|\d+|expr_\d+)', 'InitPlan 1');
	END LOOP;
END $$;

CREATE TABLE dim (id bigint PRIMARY KEY, grp int, name text);
INSERT INTO dim SELECT g, g % 100, 'name ' || g FROM generate_series(1, 10000) g;
-- each key 10 times, and a tenth of the rows with one of three common keys
CREATE TABLE fact (dim_id bigint, dim_name text, v numeric, n int);
INSERT INTO fact SELECT k, 'name ' || k, k, CASE WHEN g % 5 = 0 THEN NULL ELSE k END
  FROM (SELECT g, CASE WHEN g % 10 = 0 THEN 1 + g % 3 ELSE g % 10000 + 1 END AS k
		  FROM generate_series(1, 100000) g) s;
ANALYZE dim, fact;

-- Constants: functions and both operators, any number of members.
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_contains((bloom_add_all(bloom_create(10), ARRAY[4, 5, 6])), dim_id) $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]) @> dim_id $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE dim_name <@ bloom_add_all(bloom_create(1000), ARRAY['name 1', 'name 777']) $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE NOT bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]) @> dim_id $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_create(1000) @> dim_id $q$);
SELECT bloom_agg(id) AS ids FROM dim WHERE grp < 30 \gset
SELECT within_factor_3(format($q$ SELECT * FROM fact WHERE %L::bloomfilter @> dim_id $q$, :'ids'));
SELECT within_factor_3(format($q$ SELECT * FROM fact WHERE %L::bloomfilter @> n $q$, :'ids'));
-- more false positives than members: a filter far beyond its capacity
SELECT bloom_agg(id, 500) AS ids FROM dim WHERE grp < 50 \gset
SELECT within_factor_3(format($q$ SELECT * FROM fact WHERE %L::bloomfilter @> dim_id $q$, :'ids'));
-- a tenth of the rows has the 20 values that are not most common ones
CREATE TABLE few AS SELECT i % 100 AS x FROM generate_series(0, 8999) i UNION ALL SELECT 100 + i % 20 FROM generate_series(0, 999) i;
ANALYZE few;
SELECT bloom_agg(i, 1000) AS ids FROM generate_series(100, 119) i \gset
SELECT within_factor_3(format($q$ SELECT * FROM few WHERE %L::bloomfilter @> x $q$, :'ids'));
-- a type that is hashed by its own function
SELECT bloom_agg(id::numeric) AS ids FROM dim WHERE grp < 30 \gset
SELECT within_factor_3(format($q$ SELECT * FROM fact WHERE %L::bloomfilter @> v $q$, :'ids'));

-- A parameter with a custom plan is a constant.
SET plan_cache_mode = force_custom_plan;
PREPARE p (bloomfilter) AS SELECT * FROM fact WHERE $1 @> dim_id;
SELECT within_factor_3($q$ EXECUTE p(bloom_add_all(bloom_create(10), ARRAY[4, 5, 6])) $q$);
RESET plan_cache_mode;

-- A sub-select that runs first: what goes into its bloom_agg is estimated.
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_contains((SELECT bloom_agg(id) FROM dim WHERE grp = 7), dim_id) $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE (SELECT bloom_agg(id) FROM dim WHERE grp < 50) @> dim_id $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE dim_name <@ (SELECT bloom_agg(name, 5000, 0.2) FROM dim WHERE grp < 3) $q$);
-- values that repeat
SELECT within_factor_3($q$ SELECT * FROM dim WHERE (SELECT bloom_agg(dim_id) FROM fact) @> id $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE (SELECT bloom_agg(grp) FROM dim) @> dim_id AND dim_id > 3 $q$);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT within_factor_3($q$ SELECT * FROM fact WHERE (SELECT bloom_agg(id) FROM dim WHERE grp < 50) @> dim_id $q$);
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
SET max_parallel_workers_per_gather = 0;

-- A plan that gets better: few rows survive the filter, so the rest is looked
-- up by index and not hashed as a whole.
CREATE TABLE orders (id bigint PRIMARY KEY, customer bigint, note text);
INSERT INTO orders SELECT g, g, repeat('x', 100) FROM generate_series(1, 50000) g;
CREATE TABLE lines (order_id bigint, product bigint);
INSERT INTO lines SELECT g % 50000 + 1, g % 5000 FROM generate_series(1, 100000) g;
ANALYZE orders, lines;
SELECT plan_of($q$
SELECT * FROM lines JOIN orders ON orders.id = lines.order_id
 WHERE bloom_contains((SELECT bloom_agg(id, NULL, 0.0001) FROM dim WHERE id <= 5), product)
$q$);
SELECT plan_of($q$
SELECT * FROM lines JOIN orders ON orders.id = lines.order_id
 WHERE bloom_contains((SELECT bloom_agg(id, NULL, 0.0001) FROM dim WHERE id <= 4500), product)
$q$);
SELECT plan_of($q$
SELECT * FROM lines JOIN orders ON orders.id = lines.order_id
 WHERE bloom_contains((SELECT bloom_agg(id, NULL, 0.0001, 7) FROM dim WHERE id <= 5), product)
$q$);

-- Order of evaluation: a plain comparison first, then the filter, then what
-- is expensive.
CREATE FUNCTION expensive(bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 1000 AS
'BEGIN RETURN true; END';
SELECT plan_of($q$
SELECT * FROM fact
 WHERE expensive(dim_id) AND bloom_contains((SELECT bloom_agg(id) FROM dim), dim_id) AND dim_id > 5
$q$);

-- A filter in the row that is at hand costs no more than a comparison: a scan
-- of many is no reason for JIT, and a function in PL/pgSQL comes after it.  Of
-- one out of line parts have to be read, which costs more than that function.
-- With and without statistics, and through a domain.
CREATE FUNCTION total_cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan->0->'Plan'->>'Total Cost';
END $$;
CREATE FUNCTION in_plpgsql(bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
'BEGIN RETURN true; END';
CREATE DOMAIN a_filter AS bloomfilter CHECK (bloom_cardinality(VALUE) >= 0);
CREATE TABLE in_line (id bigint, f bloomfilter, d a_filter);
CREATE TABLE out_of_line (id bigint, f bloomfilter, d a_filter);
INSERT INTO in_line
SELECT g, f, f FROM (SELECT g, bloom_add(bloom_create(1000), g) AS f FROM generate_series(1, 20000) g) s;
INSERT INTO out_of_line
SELECT g, f, f FROM (SELECT g, bloom_agg(i * g, 10000) AS f
					   FROM generate_series(1, 50) g, generate_series(1, 10000) i GROUP BY g) s;
SELECT total_cost('SELECT * FROM in_line WHERE f @> 7')
	<= total_cost('SELECT * FROM in_line WHERE id % 10 = 7') AS cheap,
	total_cost('SELECT * FROM out_of_line WHERE f @> 7')
	>= 10 * total_cost('SELECT * FROM out_of_line WHERE id % 10 = 7') AS dear;
ANALYZE in_line, out_of_line;
SELECT total_cost('SELECT * FROM in_line WHERE f @> 7')
	<= total_cost('SELECT * FROM in_line WHERE id % 10 = 7') AS cheap,
	total_cost('SELECT * FROM out_of_line WHERE f @> 7')
	>= 10 * total_cost('SELECT * FROM out_of_line WHERE id % 10 = 7') AS dear,
	total_cost('SELECT * FROM out_of_line WHERE bloom_contains_all(f, ARRAY[1, 2, 3])')
	>= total_cost('SELECT * FROM out_of_line WHERE f @> 7') AS dearer;
SELECT plan_of('SELECT * FROM in_line WHERE in_plpgsql(id) AND f @> 7');
SELECT plan_of('SELECT * FROM in_line WHERE in_plpgsql(id) AND 7 <@ d');
SELECT plan_of('SELECT * FROM out_of_line WHERE f @> 7 AND in_plpgsql(id)');
SELECT plan_of('SELECT * FROM out_of_line WHERE 7 <@ d AND in_plpgsql(id)');
SELECT plan_of('SELECT * FROM out_of_line WHERE bloom_contains_any(f, ARRAY[1, 2]) AND in_plpgsql(id)');
-- values of the same row are tested once each; those of another table many
-- times, against a filter that is kept
SELECT plan_of('SELECT * FROM out_of_line WHERE f @> (id + 1) AND in_plpgsql(id)');
SELECT line FROM plan_of('SELECT * FROM out_of_line o JOIN fact ON o.f @> fact.dim_id AND in_plpgsql(o.id + dim_id)') line
 WHERE line LIKE '%Filter:%';
-- what is known of partitions counts for the whole
CREATE TABLE parts (id bigint, f bloomfilter) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (26);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (26) TO (MAXVALUE);
INSERT INTO parts SELECT id, f FROM out_of_line;
ANALYZE parts;
SELECT total_cost('SELECT * FROM parts WHERE f @> 7')
	>= 10 * total_cost('SELECT * FROM parts WHERE id % 10 = 7') AS dear;

-- A sub-select that fetches or unites stored filters, or that gives a
-- parameter: neither 1 % nor 10 % of the rows.
CREATE TABLE stored (day int PRIMARY KEY, label text, f bloomfilter);
INSERT INTO stored
SELECT day, 'day ' || day, bloom_agg(i, 5000) FROM generate_series(0, 3) day, generate_series(day * 100, day * 100 + 4999) i GROUP BY day;
CREATE TABLE series AS SELECT i % 10000 AS id FROM generate_series(0, 19999) i;
ANALYZE stored, series;
SELECT within_factor_3('SELECT * FROM series WHERE (SELECT f FROM stored WHERE day = 2) @> id');
SELECT within_factor_3('SELECT * FROM series WHERE bloom_contains((SELECT bloom_union_agg(f) FROM stored WHERE day > 1), id)');
SELECT within_factor_3('SELECT * FROM series WHERE (SELECT f | f FROM stored ORDER BY day LIMIT 1) @> id');
SELECT within_factor_3('SELECT * FROM series JOIN stored ON f @> id');
SET plan_cache_mode = force_custom_plan;
PREPARE q (bloomfilter) AS SELECT * FROM series WHERE (SELECT $1) @> id;
SELECT within_factor_3('EXECUTE q(bloom_add_all(bloom_create(10), ARRAY[4, 5, 6]))');
RESET plan_cache_mode;

-- A filter that combines those of sub-selects is computed once, as a sub-select.
SELECT plan_of('SELECT * FROM series WHERE ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> id');
SELECT plan_of($q$ SELECT * FROM series WHERE NOT id <@ bloom_add((SELECT f FROM stored WHERE day = 1), 7) AND id < 5 $q$);
SELECT plan_of('SELECT bloom_contains_any((SELECT f::bytea FROM stored WHERE day = 1)::bloomfilter, ARRAY[id]) FROM series');
SELECT within_factor_3('SELECT * FROM series WHERE ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> id');
CREATE FUNCTION ids(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT count(*) || '' '' || sum(id) FROM series o WHERE %s', condition) INTO result;
	RETURN result;
END $$;
-- the same rows as of a filter for each row; wherever the planner takes a sub-select to
SELECT of_all = ids(condition) AS same, condition
  FROM (SELECT ids('(SELECT bloom_union_agg(f) FROM stored WHERE day IN (1, 2)) @> id') AS of_all) s, unnest(ARRAY[
	'((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> id',
	'((SELECT f FROM stored WHERE day = 1 AND id < 1e9) | (SELECT f FROM stored WHERE day = 2)) @> id',
	'(SELECT a.f | b.f FROM stored a, stored b WHERE a.day = 1 AND b.day = 2) @> id',
	'((SELECT counting_bloom_create(5000))::bloomfilter | (SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> id',
	'EXISTS (SELECT FROM stored a WHERE a.day = 3 AND ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> o.id)',
	'EXISTS (SELECT FROM series i WHERE i.id = o.id AND ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> i.id)',
	'NOT EXISTS (SELECT FROM series i WHERE i.id = o.id AND NOT ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> i.id)',
	'(o.id < 0 OR EXISTS (SELECT FROM series i WHERE i.id = o.id AND ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> i.id))',
	'o.id IN (SELECT i.id FROM series i GROUP BY i.id HAVING ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> i.id)',
	'o.id IN (WITH s AS MATERIALIZED (SELECT * FROM stored) SELECT i.id FROM series i WHERE ((SELECT f FROM s WHERE day = 1) | (SELECT f FROM s WHERE day = 2)) @> i.id)',
	'CASE WHEN id >= 0 THEN ((SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> id END',
	'coalesce((SELECT NULL::bloomfilter), (SELECT f FROM stored WHERE day = 1) | (SELECT f FROM stored WHERE day = 2)) @> id']) condition;
-- a filter of an outer query's row, and one that uses an outer row twice
SELECT day, (SELECT count(*) FROM series WHERE ((SELECT f FROM stored i WHERE i.day = o.day) | (SELECT f FROM stored WHERE day = 0)) @> id) AS both
  FROM stored o ORDER BY day;
SELECT day, (SELECT count(*) FROM series WHERE bloom_union((SELECT f FROM stored WHERE day = 0), o.f) @> id) AS both
  FROM stored o ORDER BY day;
-- what changes from call to call, or with the rows of a group, is not kept
CREATE SEQUENCE calls;
CREATE FUNCTION counted(bloomfilter) RETURNS bloomfilter LANGUAGE sql VOLATILE AS 'SELECT nextval(''calls''); SELECT $1';
SELECT count(*) FROM series WHERE id < 10 AND counted((SELECT f FROM stored WHERE day = 0)) @> id;
SELECT currval('calls');
SELECT count(*) FROM (SELECT max(id) FROM series GROUP BY id % 3
					  HAVING bloom_union(bloom_agg(id, 10000), (SELECT bloom_create(10000))) @> max(id)) s;
SELECT count(*) FROM (SELECT bloom_union(bloom_agg(id, 10000) OVER (PARTITION BY id % 3), (SELECT bloom_create(10000))) @> id AS found
					  FROM series) s WHERE found;

-- Arrays: each element has its estimate.  A value that is in some filters of a
-- column: between one and all of them.
CREATE TABLE pairs AS SELECT i % 1000 AS a, i % 500 AS b, i % 10 AS c FROM generate_series(1, 10000) i;
ANALYZE pairs;
SELECT bloom_agg(i) AS ids FROM generate_series(1, 20) i \gset
SELECT within_factor_3(format($q$ SELECT * FROM pairs WHERE bloom_contains_any(%L::bloomfilter, ARRAY[a, b]) $q$, :'ids'));
SELECT within_factor_3(format($q$ SELECT * FROM pairs WHERE bloom_contains_all(%L::bloomfilter, ARRAY[a, c]) $q$, :'ids'));
SELECT within_factor_3(format($q$ SELECT * FROM pairs WHERE NOT bloom_contains_all(%L::bloomfilter, ARRAY[b, c]) $q$, :'ids'));
CREATE TABLE many AS SELECT k, bloom_agg(i, 100) AS f FROM generate_series(1, 3000) k, generate_series(k * 50, k * 50 + 99) i GROUP BY k;
ANALYZE many;
SELECT within_factor_3('SELECT * FROM many WHERE f @> 7007');
SELECT within_factor_3('SELECT * FROM many WHERE bloom_contains_any(f, ARRAY[7007, 8008, 9009])');
SELECT within_factor_3('SELECT * FROM many WHERE bloom_contains_all(f, ARRAY[7007, 8008])');
SELECT within_factor_3('SELECT * FROM many WHERE bloom_contains_any(f, ARRAY[]::int[])');
SELECT within_factor_3('SELECT * FROM many WHERE bloom_contains_all(f, ARRAY[]::int[])');
SELECT within_factor_3('SELECT * FROM many x JOIN many y USING (k) WHERE x.f @> 7007');

-- Nothing raises while planning, and nothing is guessed: the executor decides.
CREATE FUNCTION raises() RETURNS bloomfilter LANGUAGE plpgsql STABLE AS
$$ BEGIN RAISE 'called by the planner'; END $$;
EXPLAIN (COSTS OFF) SELECT * FROM fact WHERE raises() @> dim_id;
-- the cost is asked for before the planner has looked at the tables
SELECT count(*) > 0 AS planned FROM plan_of('SELECT * FROM out_of_line WHERE f @> ANY (SELECT id FROM series)');
SELECT count(*) > 0 AS planned FROM plan_of('SELECT * FROM out_of_line WHERE f @> ALL (SELECT id FROM series)');
SELECT count(*) > 0 AS planned FROM plan_of('SELECT (SELECT count(*) FROM series WHERE o.f @> id) FROM out_of_line o');
CREATE TABLE odd (f bloomfilter, e int, t text, b char(5), a int[], j jsonb);
EXPLAIN (COSTS OFF) SELECT * FROM odd WHERE f @> e AND e <@ f AND bloom_contains_any(f, a) AND bloom_contains_all(f, a);
SELECT plan_of($q$ SELECT * FROM odd WHERE f @> NULL::int $q$);
SELECT plan_of($q$ SELECT * FROM odd WHERE NULL::bloomfilter @> e $q$);
EXPLAIN (COSTS OFF) SELECT * FROM odd WHERE f @> 'literal' OR f @> j OR f @> b;
EXPLAIN (COSTS OFF) SELECT * FROM odd WHERE f @> ANY (a) AND f @> ALL (ARRAY[1, 2]);
EXPLAIN (COSTS OFF) SELECT * FROM odd x JOIN odd y ON x.f @> y.e AND y.e <@ x.f;
EXPLAIN (COSTS OFF) SELECT * FROM odd WHERE bloom_add(bloom_create(10), 'text') @> e;
EXPLAIN (COSTS OFF) SELECT * FROM pg_class WHERE bloom_add(bloom_create(10), 1) @> oid::regclass;
EXPLAIN (COSTS OFF) SELECT * FROM pg_type WHERE bloom_create(10) @> typacl;
PREPARE untyped AS SELECT * FROM odd WHERE f @> $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE untyped('x');
RESET plan_cache_mode;
EXPLAIN (COSTS OFF) EXECUTE untyped('x');
SELECT plan_of($q$ EXECUTE untyped(NULL) $q$);

-- The estimators behind an operator of other types, and behind functions that
-- are called in a roundabout way.
CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq,
	RESTRICT = bloomfilter_contains_sel, JOIN = bloomfilter_contains_joinsel);
EXPLAIN (COSTS OFF) SELECT * FROM fact WHERE n === 42;
EXPLAIN (COSTS OFF) SELECT * FROM odd x JOIN odd y ON x.e === y.e;
DROP OPERATOR === (int, int);
BEGIN;
ALTER FUNCTION bloom_contains(bloomfilter, anycompatible) SET work_mem = '64MB';
EXPLAIN (COSTS OFF) SELECT * FROM odd WHERE bloom_contains(f, 42);
EXPLAIN (COSTS OFF) SELECT * FROM odd WHERE bloom_contains(f, e);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_contains(bloom_add_all(bloom_create(1000), ARRAY[4, 5, 6]), dim_id) $q$);
ALTER FUNCTION bloomfilter_in(cstring) SET work_mem = '64MB';
ALTER FUNCTION bloomfilter_agg_transfn(bloomfilter, "any") SET work_mem = '64MB';
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_contains((SELECT bloom_agg(id) FROM dim WHERE grp < 5), dim_id) $q$);
SELECT bloom_create(10) @> bloom_create(10);
ROLLBACK;

-- What an aggregate orders by is not its rate.
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_contains((SELECT bloom_agg(id ORDER BY grp, (-1)::bigint) FROM dim WHERE grp < 5), dim_id) $q$);
SELECT within_factor_3($q$ SELECT * FROM fact WHERE bloom_contains((SELECT bloom_agg(id ORDER BY grp, 0.9::float8) FROM dim WHERE grp < 5), dim_id) $q$);

-- A column under a collation that the executor refuses.
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE insensitive (t text COLLATE ignore_case);
INSERT INTO insensitive SELECT 'a' FROM generate_series(1, 100);
ANALYZE insensitive;
EXPLAIN (COSTS OFF) SELECT * FROM insensitive WHERE bloom_create(10) @> t;
\set VERBOSITY terse
SELECT count(*) FROM insensitive WHERE bloom_create(10) @> t;
\set VERBOSITY default

DROP TABLE dim, fact, few, orders, lines, odd, insensitive, in_line, out_of_line, parts, stored, series, many, pairs;
DROP DOMAIN a_filter;
DROP FUNCTION within_factor_3(text), plan_of(text), total_cost(text), expensive(bigint), in_plpgsql(bigint), raises(), ids(text), counted(bloomfilter);
DROP SEQUENCE calls;
DROP COLLATION ignore_case;
