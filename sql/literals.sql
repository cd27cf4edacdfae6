-- Every way to write a value and every expression to take one from: literals
-- without a type, parameters, columns of all kinds, and expected_items as any
-- number.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
CREATE SCHEMA literals;
SET search_path = literals, public;

CREATE TABLE f (name text PRIMARY KEY, filter bloomfilter);
INSERT INTO f VALUES
('text', bloom_add_all(bloom_create(10), ARRAY['apple', 'pear'])),
('integer', bloom_add_all(bloom_create(10), ARRAY[1, 2])),
('bpchar', bloom_add_all(bloom_create(10), ARRAY['apple', 'pear']::char(8)[])),
('citext', bloom_add_all(bloom_create(10), ARRAY['apple', 'pear']::citext[])),
('numeric', bloom_add_all(bloom_create(10), ARRAY[1, 2.5]));

--
-- Literals
--
-- One without a type is text.
SELECT filter @> 'apple' AS a, 'apple' <@ filter AS b, bloom_contains(filter, 'apple') AS c, bloom_contained_by('apple', filter) AS d,
       filter @> 'plum' AS e, 'plum' <@ filter AS f, bloom_contains(filter, 'plum') AS g, bloom_contained_by('plum', filter) AS h
  FROM f WHERE name = 'text';
SELECT (bloom_info(bloom_add(bloom_create(10), 'a'))).element_type AS bloom_add, (bloom_info(bloom_add_all(bloom_create(10), '{a,b}'))).element_type AS bloom_add_all,
       (bloom_info(bloom_agg('a'))).element_type AS bloom_agg, (bloom_info(bloom_agg('a', 10))).element_type AS sized,
       (bloom_info(bloom_agg('a', 10, 0.1))).element_type AS with_rate,
       bloom_hash('a') = bloom_hash('a'::text) AS bloom_hash, bloom_hash('a', 1) = bloom_hash('a'::text, 1) AS seeded,
       bloom_shard('a', 100) = bloom_shard('a'::text, 100) AS bloom_shard;
SELECT bloom_agg('a') = bloom_agg('a'::text) AS bloom_agg, bloom_agg('a', 10) = bloom_agg('a'::text, 10) AS sized,
       (bloom_info(bloom_agg('a'))).estimated_items
  FROM generate_series(1, 3);
-- A filter may be a literal as well; an operator between two literals is anyone's.
SELECT filter::text AS text_filter FROM f WHERE name = 'text' \gset
SELECT filter::text AS integer_filter FROM f WHERE name = 'integer' \gset
\set VERBOSITY terse
SELECT 'a filter' @> 'apple';
\set VERBOSITY default
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_contains(:'text_filter', 'apple') AS a, bloom_contains(:'text_filter', 'plum') AS b, bloom_contained_by('pear', :'text_filter') AS c,
       :'text_filter'::bloomfilter @> 'pear' AS d, 'plum' <@ :'text_filter'::bloomfilter AS e,
       bloom_add(:'text_filter', 'plum') @> 'plum' AS f, bloom_contains_any(:'text_filter', '{plum,pear}') AS g,
       bloom_contains_all(:'text_filter', '{plum,pear}') AS h;
-- Numbers are integers or numerics as everywhere.
SELECT filter @> 1 AS a, filter @> 3 AS b, 2 <@ filter AS c, filter @> 2::int8 AS d, filter @> -1 AS e, filter @> 3000000000 AS f
  FROM f WHERE name = 'integer';
SELECT filter @> 2.5 AS a, filter @> 1.0 AS b, filter @> 1e0 AS c, filter @> 7.5 AS d FROM f WHERE name = 'numeric';
SELECT filter @> 1 FROM f WHERE name = 'numeric';
\echo :LAST_ERROR_SQLSTATE
-- A literal for a filter of anything else needs a cast; without, it is no "no".
SELECT filter @> '1' FROM f WHERE name = 'integer';
\echo :LAST_ERROR_SQLSTATE
SELECT filter @> 'apple' FROM f WHERE name = 'citext';
\echo :LAST_ERROR_SQLSTATE
SELECT filter @> 'APPLE'::citext AS a, filter @> 'plum'::citext AS b FROM f WHERE name = 'citext';
SELECT bloom_agg(d) @> '2020-01-01' FROM (VALUES (date '2020-01-01')) s (d);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(d) @> date '2020-01-01' AS a, bloom_agg(d) @> date '2020-01-02' AS b FROM (VALUES (date '2020-01-01')) s (d);
-- for char(n) it does not
SELECT filter @> 'apple' AS a, filter @> 'apple   ' AS b, filter @> 'plum' AS c FROM f WHERE name = 'bpchar';

-- NULLs
SELECT filter @> NULL AS a, NULL <@ filter AS b, bloom_contains(filter, NULL) AS c, bloom_contains_any(filter, NULL) AS d, bloom_contains_all(filter, NULL) AS e,
       bloom_add(filter, NULL) = filter AS f, bloom_add_all(filter, NULL) = filter AS g, bloom_hash(NULL) AS h, bloom_hash('a', NULL) AS i, bloom_shard(NULL, 4) AS j,
       filter @> NULL::text AS k, bloom_contains(NULL, 'apple') AS l, NULL::bloomfilter @> 'apple' AS m
  FROM f WHERE name = 'text';
SELECT bloom_add(NULL, 'apple');
SELECT bloom_agg(NULL) AS a, bloom_agg(NULL, 10) AS b, bloom_agg(NULL::int) AS c, bloom_agg(x) AS d FROM (VALUES (NULL), (NULL)) s (x);
-- an unknown NULL does not give the filter a type
SELECT (bloom_info(bloom_add(bloom_add(bloom_create(10), NULL), 5))).element_type;

--
-- Arrays
--
SELECT filter @> ANY (ARRAY['plum', 'pear']) AS a, filter @> ANY (ARRAY['plum']) AS b, filter @> ALL (ARRAY['apple', 'pear']) AS c,
       filter @> ALL (ARRAY['apple', 'plum']) AS d, filter @> ANY ('{plum,pear}') AS e, filter @> ALL ('{apple,plum}') AS f,
       filter @> ANY ('{}') AS g, filter @> ALL ('{}') AS h, filter @> ANY ('{plum,NULL}') AS i, filter @> ANY ('{pear,NULL}') AS j,
       filter @> ANY (ARRAY['pear']::varchar[]) AS k, filter @> ANY (ARRAY['pear']::name[]) AS l, filter @> ANY (ARRAY['pear ']::char(8)[]) AS m,
       filter @> ANY (ARRAY[['plum', 'pear'], ['fig', 'kiwi']]) AS n
  FROM f WHERE name = 'text';
SELECT bloom_contains_any(filter, ARRAY['plum', 'pear']) AS a, bloom_contains_any(filter, '{plum}') AS b, bloom_contains_all(filter, '{apple,pear}') AS c,
       bloom_contains_all(filter, ARRAY['apple', 'plum']::varchar[]) AS d, bloom_contains_any(filter, '{}') AS e, bloom_contains_all(filter, '{}') AS f,
       bloom_contains_any(filter, '{plum,NULL}') AS g, bloom_contains_all(filter, '{pear,NULL}') AS h, bloom_contains_any(filter, '{NULL}') AS i,
       bloom_contains_all(filter, '{NULL}') AS j, bloom_contains_all(filter, '{{apple,pear},{apple,pear}}') AS k
  FROM f WHERE name = 'text';
SELECT 'apple' <@ ANY (array_agg(filter)) AS any_of_filters, 'plum' <@ ANY (array_agg(filter)) AS absent, 'apple' <@ ALL (array_agg(filter)) AS all_of_filters
  FROM f WHERE name IN ('text', 'bpchar');
SELECT 2 <@ ANY (ARRAY[filter, bloom_create(10)]) AS a, 2 <@ ALL (ARRAY[filter, bloom_create(10)]) AS b, filter @> ANY (ARRAY[7, 2]) AS c,
       filter @> ANY (ARRAY[7, 2]::int8[]) AS d, filter @> ANY (SELECT generate_series(2, 9)) AS e, filter @> ALL (SELECT generate_series(1, 2)) AS f,
       filter @> ANY (SELECT generate_series(7, 9)::int2) AS g
  FROM f WHERE name = 'integer';
-- an array as the value
SELECT bloom_agg(a) @> ARRAY[1, 2] AS a, bloom_agg(a) @> ARRAY[2, 1] AS b, bloom_agg(a) @> '{1,2}'::int[] AS c, ARRAY[3] <@ bloom_agg(a) AS d
  FROM (VALUES (ARRAY[1, 2]), (ARRAY[3])) s (a);

--
-- Parameters
--
-- Declared or not, in custom and generic plans; one without a type is text,
-- and bloom_agg, which takes anything, cannot have one.
PREPARE declared_text (text) AS SELECT filter @> $1 AS a, $1 <@ filter AS b, bloom_contains(filter, $1) AS c FROM f WHERE name = 'text';
PREPARE declared_varchar (varchar) AS SELECT filter @> $1 AS a, $1 <@ filter AS b, bloom_contains(filter, $1) AS c FROM f WHERE name = 'text';
PREPARE declared_unknown (unknown) AS SELECT filter @> $1 AS a, $1 <@ filter AS b, bloom_contains(filter, $1) AS c FROM f WHERE name = 'text';
PREPARE undeclared AS SELECT filter @> $1 AS a, bloom_contains(filter, $2) AS b, bloom_contains_any(filter, $3) AS c FROM f WHERE name = 'text';
PREPARE undeclared_left AS SELECT $1 <@ filter AS a, bloom_contained_by($2, filter) AS b FROM f WHERE name = 'text';
PREPARE undeclared_any AS SELECT filter @> ANY ($1) AS a FROM f WHERE name = 'text';
PREPARE declared_int (int) AS SELECT filter @> $1 AS a, $1 <@ filter AS b FROM f WHERE name = 'integer';
PREPARE declared_int8_any (int8[]) AS SELECT filter @> ANY ($1) AS a, bloom_contains_all(filter, $1) AS b FROM f WHERE name = 'integer';
PREPARE declared_filter (bloomfilter) AS SELECT $1 @> 'pear' AS a, 'plum' <@ $1 AS b, bloom_contains($1, 'apple') AS c;
PREPARE undeclared_filter AS SELECT bloom_contains($1, 'pear') AS a, bloom_contains($1, $2) AS b;
PREPARE undeclared_build AS SELECT bloom_add(bloom_create($1), $2) @> $2 AS a, bloom_hash($2) = bloom_hash('x'::text) AS b, bloom_shard($2, $3) = bloom_shard('x'::text, 7) AS c;
PREPARE sized_agg AS SELECT bloom_agg(x, $1, $2) AS filter FROM generate_series(1, 100) x;
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY name COLLATE "C";
PREPARE no_type AS SELECT bloom_agg($1);
\echo :LAST_ERROR_SQLSTATE
PREPARE typed_agg (text) AS SELECT bloom_agg($1) @> 'x' AS a;
SET plan_cache_mode = force_custom_plan;
EXECUTE declared_text('pear');
EXECUTE declared_varchar('pear');
EXECUTE declared_unknown('pear');
EXECUTE undeclared('pear', 'plum', '{plum,apple}');
EXECUTE undeclared_left('pear', 'plum');
EXECUTE undeclared_any('{plum,apple}');
EXECUTE declared_int(2);
EXECUTE declared_int8_any('{2,3}');
EXECUTE declared_filter(:'text_filter');
EXECUTE undeclared_filter(:'text_filter', 'plum');
EXECUTE undeclared_build(1000, 'x', 7);
EXECUTE typed_agg('x');
SET plan_cache_mode = force_generic_plan;
EXECUTE declared_text('pear');
EXECUTE declared_text('plum');
EXECUTE declared_text(NULL);
EXECUTE declared_varchar('pear');
EXECUTE declared_unknown('pear');
EXECUTE undeclared('pear', 'plum', '{plum,apple}');
EXECUTE undeclared('plum', 'pear', '{plum,fig}');
EXECUTE undeclared_left('pear', 'plum');
EXECUTE undeclared_any('{plum,apple}');
EXECUTE undeclared_any('{plum}');
EXECUTE declared_int(2);
EXECUTE declared_int(3);
EXECUTE declared_int8_any('{2,3}');
EXECUTE declared_int8_any('{1,2}');
EXECUTE declared_filter(:'text_filter');
EXECUTE declared_filter(bloom_add(bloom_create(10), 'plum'));
EXECUTE undeclared_filter(:'text_filter', 'plum');
EXECUTE undeclared_filter(bloom_add(bloom_create(10), 'plum'), 'plum');
EXECUTE undeclared_build(1000, 'x', 7);
EXECUTE undeclared_build(1e6, 'x', 7);
EXECUTE typed_agg('x');
-- another filter in the same plan, of another family
EXECUTE declared_filter(:'integer_filter');
\echo :LAST_ERROR_SQLSTATE
EXECUTE declared_filter(:'text_filter');
SELECT bloom_contains(filter, 100) FROM (SELECT bloom_agg(x, 100, 0.01) AS filter FROM generate_series(1, 100) x) s;
CREATE TABLE built AS EXECUTE sized_agg(100, 0.01);
SELECT (bloom_info(filter)).expected_items, (bloom_info(filter)).target_false_positive_rate, filter @> 100 AS found FROM built;
RESET plan_cache_mode;
DEALLOCATE ALL;

--
-- Columns, views, domains, functions
--
CREATE DOMAIN fruit AS varchar(20) CHECK (VALUE <> '');
CREATE TABLE fruits (v varchar(20), c char(20), n name, ci citext, d fruit, t text, i int2);
INSERT INTO fruits VALUES ('apple', 'apple', 'apple', 'Apple', 'apple', 'apple', 1), ('plum', 'plum', 'plum', 'Plum', 'plum', 'plum', 3),
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE VIEW fruit_view AS SELECT v, c, n, ci, d, t, i, v || '' AS computed, upper(t) AS upper, 'apple' AS literal FROM fruits;
SELECT t, filter @> v AS v, filter @> c AS c, filter @> n AS n, filter @> d AS d, filter @> computed AS computed, filter @> upper AS upper,
       filter @> literal AS literal, v <@ filter AS left, bloom_contains(filter, c) AS func, filter @> lower(upper) AS lower
  FROM f, fruit_view WHERE name = 'text' ORDER BY t;
SELECT t, filter @> c AS c, filter @> v AS v, filter @> d AS d, filter @> n AS n, filter @> literal AS literal FROM f, fruit_view WHERE name = 'bpchar' ORDER BY t;
SELECT t, filter @> ci AS ci, filter @> upper(ci::text)::citext AS upper FROM f, fruit_view WHERE name = 'citext' ORDER BY t;
SELECT t, filter @> i AS i, filter @> i::int8 * 1 AS computed FROM f, fruit_view WHERE name = 'integer' ORDER BY t;
SELECT filter @> ci FROM f, fruit_view WHERE name = 'text';
\echo :LAST_ERROR_SQLSTATE
SELECT (bloom_info(bloom_agg(v))).element_type AS v, (bloom_info(bloom_agg(c))).element_type AS c, (bloom_info(bloom_agg(n))).element_type AS n,
       (bloom_info(bloom_agg(ci))).element_type AS ci, (bloom_info(bloom_agg(d))).element_type AS d, (bloom_info(bloom_agg(literal))).element_type AS literal,
       (bloom_info(bloom_agg(i))).element_type AS i, (bloom_info(bloom_agg(computed))).element_type AS computed,
       bloom_agg(v) = bloom_agg(t) AS same_v, bloom_agg(n) = bloom_agg(t) AS same_n, bloom_agg(d) = bloom_agg(t) AS same_d, bloom_agg(i) = bloom_agg(i::int8) AS same_i
  FROM fruit_view;
SELECT filter @> CASE WHEN i = 1 THEN 'apple' ELSE 'plum' END AS case_of_literals, filter @> CASE WHEN i = 1 THEN v ELSE t END AS case_of_columns,
       filter @> COALESCE(v, 'pear') AS coalesced, filter @> (SELECT max(v) FROM fruits x WHERE x.i = fruits.i) AS sub_select, filter @> greatest(v, 'a') AS greatest
  FROM f, fruits WHERE name = 'text' AND i = 1;
SELECT CASE WHEN filter @> 'plum' THEN 'maybe' ELSE 'no' END AS plum, CASE WHEN 'pear' <@ filter THEN 'maybe' ELSE 'no' END AS pear FROM f WHERE name = 'text';
SELECT bloom_agg(CASE x WHEN 1 THEN 'one' ELSE 'more' END) @> 'more' AS a, bloom_agg(CASE x WHEN 1 THEN 'one' END) @> 'more' AS b FROM generate_series(1, 2) x;
-- in WHERE, joins, indexes and constraints
SELECT v FROM fruits, f WHERE name = 'text' AND filter @> v;
SELECT v FROM fruits WHERE v <@ (SELECT filter FROM f WHERE name = 'text');
SELECT v FROM fruits JOIN f ON filter @> i AND name = 'integer';
CREATE INDEX ON fruits (bloom_hash(v), bloom_shard(t, 4));
CREATE TABLE known (v text CHECK (bloom_contains(:'text_filter', v)));
INSERT INTO known VALUES ('pear'), (NULL);
\set VERBOSITY terse
INSERT INTO known VALUES ('plum');
\set VERBOSITY default
\echo :LAST_ERROR_SQLSTATE

-- defaults and arguments of functions, in SQL and PL/pgSQL
CREATE FUNCTION is_known(filter bloomfilter, value text DEFAULT 'apple') RETURNS boolean LANGUAGE sql AS $$ SELECT filter @> value $$;
CREATE FUNCTION is_known_any(filter bloomfilter, value anyelement) RETURNS boolean LANGUAGE sql AS $$ SELECT filter @> value $$;
CREATE FUNCTION is_known_plpgsql(filter bloomfilter, value varchar DEFAULT 'plum') RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	literal CONSTANT text := 'apple';
	result boolean;
BEGIN
	result := filter @> literal AND filter @> 'pear';
	RETURN result AND filter @> value;
END $$;
SELECT is_known(filter) AS a, is_known(filter, 'plum') AS b, is_known(value => 'pear', filter => filter) AS c, is_known_any(filter, 'pear'::varchar) AS d,
       is_known_any(filter, 'plum'::char(9)) AS e, is_known_plpgsql(filter) AS f, is_known_plpgsql(filter, 'pear') AS g
  FROM f WHERE name = 'text';
SELECT is_known_any(filter, 2::int2) AS a, is_known_any(filter, 3::int8) AS b FROM f WHERE name = 'integer';
CREATE TABLE with_default (id int, filter bloomfilter DEFAULT bloom_create(1000), hash bigint GENERATED ALWAYS AS (bloom_hash(id)) STORED);
INSERT INTO with_default VALUES (1);
SELECT filter = bloom_create(1000) AS filter, hash = bloom_hash(1) AS hash FROM with_default;
-- one call site in PL/pgSQL that meets values and filters of several types
CREATE FUNCTION any_of_all(value anyelement) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r record;
	result text[];
BEGIN
	FOR r IN SELECT * FROM f ORDER BY name COLLATE "C" LOOP
		BEGIN
			result := result || format('%s: %s', r.name, r.filter @> value);
		EXCEPTION WHEN datatype_mismatch THEN
			result := result || format('%s: error', r.name);
		END;
	END LOOP;
	RETURN array_to_string(result, ', ');
END $$;
SELECT any_of_all('apple'::text);
SELECT any_of_all('apple'::char(8));
SELECT any_of_all('APPLE'::citext);
SELECT any_of_all(2);
SELECT any_of_all(2.5);
SELECT any_of_all('plum'::name);

--
-- Named arguments
--
SELECT bloom_create(expected_items => 1000) = bloom_create(1000) AS a, bloom_create(1000, seed => 3) = bloom_create(1000, 0.01, 3) AS b,
       bloom_create(false_positive_rate => 0.1, expected_items => 1000) = bloom_create(1000, 0.1) AS c,
       bloom_create(seed => 3, expected_items => 10, false_positive_rate => 0.001) = bloom_create(10, 0.001, 3) AS d,
       bloom_create(expected_items := 1000) = bloom_create(1000) AS e;
SELECT bloom_add(filter => filter, value => 'plum') = bloom_add(filter, 'plum') AS a, bloom_contains(value => 'pear', filter => filter) AS b,
       bloom_contained_by(filter => filter, value => 'pear') AS c, bloom_add_all(filter, "values" => '{plum}') = bloom_add(filter, 'plum') AS d,
       bloom_contains_any("values" => '{plum}', filter => filter) AS e, bloom_contains_all("values" => '{pear}', filter => filter) AS f,
       bloom_hash(value => 'a', seed => 5) = bloom_hash('a', 5) AS g, bloom_shard(shards => 5, value => 'a') = bloom_shard('a', 5) AS h,
       bloom_union(a => filter, b => NULL) = filter AS i, bloom_cardinality(filter => filter) AS j,
       bloom_size(expected_items => 1000) = bloom_size(1000, false_positive_rate => 0.01) AS k
  FROM f WHERE name = 'text';

--
-- expected_items as any number; a fraction is rounded up.
--
SELECT n, (bloom_info(f)).expected_items, (bloom_info(f)).target_false_positive_rate AS p, f @> 7 AS added
  FROM (SELECT 'int2' AS n, bloom_add(bloom_create(1000::int2), 7) AS f
        UNION ALL SELECT 'int4', bloom_add(bloom_create(1000), 7)
        UNION ALL SELECT 'int8', bloom_add(bloom_create(1000::int8), 7)
        UNION ALL SELECT 'numeric', bloom_add(bloom_create(1000.0), 7)
        UNION ALL SELECT 'numeric fraction', bloom_add(bloom_create(1000.2), 7)
        UNION ALL SELECT '1e6', bloom_add(bloom_create(1e6), 7)
        UNION ALL SELECT '1000*1.2', bloom_add(bloom_create(1000 * 1.2), 7)
        UNION ALL SELECT '1001*1.2', bloom_add(bloom_create(1001 * 1.2), 7)
        UNION ALL SELECT 'float4', bloom_add(bloom_create(1000::float4), 7)
        UNION ALL SELECT 'float8 fraction', bloom_add(bloom_create(999.0000001::float8), 7)
        UNION ALL SELECT 'literal', bloom_add(bloom_create('1000'), 7)
        UNION ALL SELECT 'literal 1e3', bloom_add(bloom_create('1e3'), 7)
        UNION ALL SELECT 'count(*)', bloom_add(bloom_create((SELECT count(*) FROM generate_series(1, 1000))), 7)
        UNION ALL SELECT 'count(*) * 1.5', bloom_add(bloom_create((SELECT count(*) * 1.5 FROM generate_series(1, 1000))), 7)
        UNION ALL SELECT 'one half', bloom_add(bloom_create(1.5), 7)) s;
SELECT n, (bloom_info(f)).expected_items, (bloom_info(f)).target_false_positive_rate AS p, f @> 7 AS added
  FROM (SELECT 'int4' AS n, bloom_agg(x, 1000) AS f FROM generate_series(1, 9) x
        UNION ALL SELECT 'int8', bloom_agg(x, 1000::int8) FROM generate_series(1, 9) x
        UNION ALL SELECT 'numeric', bloom_agg(x, 999.5) FROM generate_series(1, 9) x
        UNION ALL SELECT '1e6', bloom_agg(x, 1e6) FROM generate_series(1, 9) x
        UNION ALL SELECT '1000*1.2', bloom_agg(x, 1000 * 1.2) FROM generate_series(1, 9) x
        UNION ALL SELECT 'literal', bloom_agg(x, '1000') FROM generate_series(1, 9) x
        UNION ALL SELECT 'count(*)', bloom_agg(x, (SELECT count(*) FROM generate_series(1, 1000))) FROM generate_series(1, 9) x
        UNION ALL SELECT 'count(*), rate', bloom_agg(x, (SELECT count(*) FROM generate_series(1, 1000)), 1e-3) FROM generate_series(1, 9) x
        UNION ALL SELECT 'integer rate', bloom_agg(x, 1000, '0.5') FROM generate_series(1, 9) x
        UNION ALL SELECT 'NULL', bloom_agg(x, NULL) FROM generate_series(1, 9) x) s;
SELECT bloom_size(1e6) = bloom_size(1000000) AS a, bloom_size((SELECT count(*) FROM generate_series(1, 1000))) = bloom_size(1000) AS b,
       bloom_size(999.5) = bloom_size(1000) AS c, bloom_size('1000') = bloom_size(1000) AS d;

DROP SCHEMA literals CASCADE;
DROP EXTENSION citext;
