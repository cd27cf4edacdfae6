-- The routes by which one filter gets to several readers: whatever one of them
-- makes of it, the others see what it was.  The server shows some of them even
-- a read-write pointer to the same object in memory.

-- The cases that went wrong once.
SELECT bloom_cardinality(f & bloom_create(1000)) AS common, f @> x AS there
FROM (SELECT x, bloom_add(bloom_create(1000), x) AS f, generate_series(1, 1) FROM generate_series(1, 2) AS x) AS s;
CREATE TABLE routes_stored (i bloomfilter, f bloomfilter);
INSERT INTO routes_stored
	SELECT f & bloom_create(1000), f
	FROM (SELECT bloom_add(bloom_create(1000), x) AS f, generate_series(1, 1) FROM generate_series(7, 7) AS x) AS s;
SELECT bloom_cardinality(i) AS i, f @> 7 AS f FROM routes_stored;
SET plan_cache_mode = force_generic_plan;
PREPARE routes_parameters (bloomfilter, bloomfilter) AS SELECT bloom_cardinality($1 & $2) AS common, $1 @> 1 AS there;
EXECUTE routes_parameters (bloom_add_all(bloom_create(1000), ARRAY[1, floor(random())::int + 2]), bloom_create(1000));
-- the slots of a ProjectSet, with a parameter
PREPARE routes_slots (int) AS
	SELECT bloom_cardinality(f & bloom_create(1000)) AS common, f @> $1 AS there
	FROM (SELECT bloom_add(bloom_create(1000), $1) AS f, generate_series(1, 1)) AS s;
EXECUTE routes_slots (1);
-- from 16 on, what a lone window function returns is not copied either
PREPARE routes_window (int) AS
	SELECT bloom_cardinality(lag(bloom_add(bloom_create(1000), x)) OVER w & bloom_create(1000)) AS common,
		lag(bloom_add(bloom_create(1000), x)) OVER w @> $1 AS there
	FROM generate_series($1, $1 + 1) AS x WINDOW w AS (ORDER BY x) OFFSET 1;
EXECUTE routes_window (1);
-- PL/pgSQL takes over what it is given by such a pointer, and frees it when the
-- function returns; another filter then comes to the same place in memory
CREATE FUNCTION pg_temp.cardinality_of(f bloomfilter) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN bloom_cardinality(f);
END $$;
SELECT pg_temp.cardinality_of(f), bloom_add(bloom_create(1000), x + 100) IS NULL AS other, f @> x AS there, f @> x + 100 AS other_there
FROM (SELECT x, bloom_add(bloom_create(1000), x) AS f, generate_series(1, 2) FROM generate_series(1, 2) AS x) AS s;
PREPARE routes_taken (bloomfilter) AS
	SELECT pg_temp.cardinality_of($1), bloom_add(bloom_create(1000), x + 100) IS NULL AS other, $1 @> 1 AS there, $1 @> x + 100 AS other_there
	FROM generate_series(1, 2) AS x;
EXECUTE routes_taken (bloom_add_all(bloom_create(1000), ARRAY[1, floor(random())::int + 2]));
-- what PL/pgSQL returns outlives the function that made it, and also another
-- one that is given it and returns it to where it is needed for less long
CREATE FUNCTION pg_temp.made(n int, x int) RETURNS bloomfilter LANGUAGE plpgsql AS $$
BEGIN
	RETURN bloom_add(bloom_create(n), x);
END $$;
CREATE FUNCTION pg_temp.assigned(n int, x int) RETURNS bloomfilter LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter := bloom_create(n);
BEGIN
	f := bloom_add(f, x);
	RETURN f;
END $$;
CREATE FUNCTION pg_temp.same(f bloomfilter) RETURNS bloomfilter LANGUAGE plpgsql AS $$
BEGIN
	RETURN f;
END $$;
SELECT pg_temp.cardinality_of(f), bloom_add(bloom_create(1000), x + 100) IS NULL AS other, f @> x AS there, f @> x + 100 AS other_there
FROM (SELECT x, pg_temp.made(1000, x) AS f, generate_series(1, 2) FROM generate_series(1, 2) AS x) AS s;
PREPARE routes_returned (bloomfilter) AS
	SELECT pg_temp.same($1) @> 1 AS there, bloom_add(bloom_create(1000), x + 100) IS NULL AS other, $1 @> 1 AS there, $1 @> x + 100 AS other_there
	FROM generate_series(1, 4) AS x;
EXECUTE routes_returned (pg_temp.made(1000, floor(random())::int + 1));
EXECUTE routes_returned (pg_temp.assigned(1000, floor(random())::int + 1));
SET enable_material = off;
SELECT CASE i WHEN 1 THEN pg_temp.same(f) @> x END AS first, bloom_add(bloom_create(1000), x + 100) IS NULL AS other, f @> x AS there, f @> x + 100 AS other_there
FROM (SELECT x, pg_temp.same(pg_temp.made(1000, x)) AS f, generate_series(1, 1) FROM generate_series(1, 2) AS x) AS s,
	LATERAL (SELECT i FROM generate_series(1, 3) AS i ORDER BY i) AS t;
RESET enable_material;

--
-- All routes, with all functions that change a filter, on filters of all kinds
--
-- A route is a query for three columns: what a call makes of a filter, the
-- filter, and what the call makes of it once more.  There <source> stands for
-- an expression that gives the filter, and <op:X> for the call on X.  Before
-- the query something may have to be made; <route> is a name of its own.

CREATE FUNCTION pg_temp.numbers(low int, high int) RETURNS int[] LANGUAGE sql AS
'SELECT array_agg(i) FROM generate_series(low, high) AS i';

CREATE TABLE routes_sources (s serial, source text);
INSERT INTO routes_sources (source) VALUES
	('bloom_create(<n> * <one>)'),
	('bloom_add(bloom_create(<n>), <one>)'),
	('bloom_add_all(bloom_create(<n>), ARRAY[<one>, 2, 3])'),
	('bloom_add(bloom_add_all(bloom_create(<n>), ARRAY[<one>, 2, 3]), <one> + 10)'),
	('bloom_add_all(bloom_create(<n>), pg_temp.numbers(<one>, 500))'),
	('bloom_add(bloom_add_all(bloom_create(<n>), pg_temp.numbers(<one>, 500)), <one> - 10)'),
	('bloom_add_all(bloom_add(bloom_add_all(bloom_create(<n>), pg_temp.numbers(<one>, 500)), <one> - 10), pg_temp.numbers(<one> + 600, 700))'),
	('(bloom_add(bloom_create(<n>), <one>) | bloom_add(bloom_create(<n>), 2))'),
	('(bloom_add_all(bloom_create(<n>), ARRAY[<one>, 2]) & bloom_add_all(bloom_create(<n>), ARRAY[<one>, 3]))'),
	('pg_temp.made(<n>, <one>)'),
	('pg_temp.same(pg_temp.assigned(<n>, <one>))');

CREATE TABLE routes_calls (c serial, call text);
INSERT INTO routes_calls (call) VALUES
	('bloom_add(@, -1)'),
	('bloom_add(@, NULL::int)'),
	('bloom_add_all(@, ARRAY[-1, -2, NULL])'),
	('bloom_add_all(@, pg_temp.numbers(-500, -1))'),
	('bloom_add_all(@, NULL::int[])'),
	('(@ | bloom_add(bloom_create(<n>), -1))'),
	('(bloom_add(bloom_create(<n>), -1) | @)'),
	('(@ | bloom_add_all(bloom_create(<n>), pg_temp.numbers(-500, -1)))'),
	('bloom_union(@, NULL)'),
	('bloom_union(NULL, @)'),
	('(@ | @)'),
	('(bloom_add(@, -1) | @)'),
	('(@ & bloom_create(<n>))'),
	('(bloom_create(<n>) & @)'),
	('(@ & bloom_add_all(bloom_create(<n>), pg_temp.numbers(1, 400)))'),
	('bloom_intersection(@, @)'),
	('(bloom_add(@, -1) & @)'),
	('bloom_add((bloom_add(@, -1) | @), -2)');

CREATE TYPE routes_pair AS (f bloomfilter, g bloomfilter);
CREATE TABLE routes_one (f bloomfilter);
CREATE TABLE routes (id int, route text, query text, before text);
INSERT INTO routes VALUES
	(1, 'ProjectSet', $$SELECT <op:f>, f, <op:f> FROM (SELECT <source> AS f, generate_series(1, 2)) AS s$$, NULL),
	(2, 'ProjectSet, from right to left', $$SELECT a, b, c FROM (SELECT (<op:f>)::text AS a, f::text AS b, (<op:f>)::text AS c
		FROM (SELECT <source> AS f, generate_series(1, 2)) AS s OFFSET 0) AS t$$, NULL),
	(3, 'ProjectSet, to a table', $$WITH i AS (INSERT INTO routes_pairs SELECT <op:f>, f FROM (SELECT <source> AS f, generate_series(1, 2)) AS s
		RETURNING *) SELECT f, g, f FROM i$$, 'CREATE TEMP TABLE IF NOT EXISTS routes_pairs OF routes_pair'),
	(4, 'EXECUTE', $$EXECUTE routes_of (<source>)$$,
		'PREPARE routes_of (bloomfilter) AS SELECT <op:$1>, $1, <op:$1> FROM generate_series(1, 2)'),
	(5, 'window function', $$SELECT <op:lag(<source>, 1, bloom_create(<n>)) OVER w>, lag(<source>, 1, bloom_create(<n>)) OVER w, <op:lag(<source>, 1, bloom_create(<n>)) OVER w>
		FROM generate_series(1, 2) AS i WINDOW w AS (ORDER BY i) OFFSET 1$$, NULL),
	(6, 'window functions', $$SELECT <op:first_value(<source>) OVER w>, first_value(<source>) OVER w, <op:lead(<source>, 0) OVER w>
		FROM generate_series(1, 2) AS i WINDOW w AS (ORDER BY i)$$, NULL),
	(7, 'aggregate as a window function', $$SELECT <op:u>, u, <op:u> FROM (SELECT bloom_union_agg(f) OVER (ORDER BY i) AS u
		FROM (SELECT <source> AS f, i FROM generate_series(1, 2) AS i) AS s) AS t$$, NULL),
	(8, 'aggregate', $$SELECT <op:bloom_union_agg(f)>, bloom_union_agg(f), <op:bloom_intersection_agg(f)>
		FROM (SELECT <source> AS f FROM generate_series(1, 2)) AS s$$, NULL),
	(9, 'aggregate of groups', $$SELECT <op:u>, u, <op:u> FROM (SELECT bloom_union_agg(f) AS u
		FROM (SELECT <source> AS f, i FROM generate_series(1, 4) AS i) AS s GROUP BY i % 2 OFFSET 0) AS t$$, NULL),
	(10, 'CTE, materialized', $$WITH c AS MATERIALIZED (SELECT <source> AS f)
		SELECT <op:a.f>, b.f, (SELECT <op:c.f> FROM c) FROM c AS a, c AS b$$, NULL),
	(11, 'CTE, inlined', $$WITH c AS NOT MATERIALIZED (SELECT <source> AS f)
		SELECT <op:a.f>, b.f, (SELECT <op:c.f> FROM c) FROM c AS a, c AS b$$, NULL),
	(12, 'CTE, recursive', $$WITH RECURSIVE c AS (SELECT <source> AS f, 1 AS n
		UNION ALL SELECT CASE n WHEN 1 THEN <op:f> ELSE f END, n + 1 FROM c WHERE n < 3)
		SELECT (SELECT f FROM c WHERE n = 2), (SELECT f FROM c WHERE n = 1), (SELECT f FROM c WHERE n = 3)$$, NULL),
	(13, 'subquery', $$SELECT <op:f>, f, <op:f> FROM (SELECT <source> AS f OFFSET 0) AS s$$, NULL),
	(14, 'sub-select of the call', $$SELECT (SELECT <op:f>), f, (SELECT <op:f> OFFSET 0) FROM (SELECT <source> AS f, generate_series(1, 2)) AS s$$, NULL),
	(15, 'sub-select of the filter', $$SELECT <op:(SELECT f)>, f, <op:(SELECT f OFFSET 0)> FROM (SELECT <source> AS f, generate_series(1, 2)) AS s$$, NULL),
	(16, 'LATERAL', $$SELECT <op:g>, f, h FROM (SELECT <source> AS f, generate_series(1, 2)) AS s,
		LATERAL (SELECT f AS g OFFSET 0) AS t, LATERAL (SELECT <op:f> AS h OFFSET 0) AS u$$, NULL),
	(17, 'join', $$SELECT <op:f>, f, <op:f> FROM (SELECT <source> AS f, generate_series(1, 2)) AS s, generate_series(1, 2)$$, NULL),
	(18, 'CASE', $$SELECT CASE WHEN <op:f> IS NULL THEN f ELSE <op:f> END, f, CASE f WHEN <op:f> THEN f ELSE <op:f> END
		FROM (SELECT <source> AS f, generate_series(1, 2)) AS s$$, NULL),
	(19, 'COALESCE', $$SELECT coalesce(NULL, <op:f>, f), coalesce(NULL, f, <op:f>), <op:coalesce(f, bloom_create(<n>))>
		FROM (SELECT <source> AS f, generate_series(1, 2)) AS s$$, NULL),
	(20, 'arrays', $$SELECT <op:a[1]>, a[2], <op:(ARRAY[f, f])[2]>
		FROM (SELECT f, ARRAY[f, f] AS a, generate_series(1, 2) FROM (SELECT <source> AS f OFFSET 0) AS s) AS t$$, NULL),
	(21, 'composites', $$SELECT <op:(r).f>, (r).g, <op:(ROW(f, f)::routes_pair).f>
		FROM (SELECT f, ROW(f, f)::routes_pair AS r, generate_series(1, 2) FROM (SELECT <source> AS f OFFSET 0) AS s) AS t$$, NULL),
	(22, 'function in FROM', $$SELECT <op:f>, f, <op:f> FROM coalesce(<source>) AS f, generate_series(1, 2)$$, NULL),
	(23, 'VALUES', $$SELECT <op:f>, f, <op:f> FROM (VALUES (<source>, 1), (<source>, 2)) AS v (f, i)$$, NULL),
	(24, 'Append and Sort', $$SELECT <op:f>, f, <op:f> FROM (SELECT f, 1 AS i FROM (SELECT <source> AS f, generate_series(1, 2)) AS s
		UNION ALL SELECT f, 0 FROM (SELECT <source> AS f, generate_series(1, 2)) AS s ORDER BY i OFFSET 0) AS t$$, NULL),
	(25, 'UPDATE', $$WITH u AS (UPDATE routes_one SET f = s.f FROM (SELECT <source> AS f, generate_series(1, 1)) AS s
		RETURNING <op:s.f> AS a, routes_one.f AS b, <op:routes_one.f> AS c) SELECT a, b, c FROM u$$, 'DELETE FROM routes_one; INSERT INTO routes_one VALUES (NULL)'),
	(26, 'SQL function that is inlined', $$SELECT <route>(f), f, <route>(f) FROM (SELECT <source> AS f, generate_series(1, 2)) AS s$$,
		$$CREATE OR REPLACE FUNCTION <route>(f bloomfilter) RETURNS bloomfilter LANGUAGE sql VOLATILE AS 'SELECT <op:f>'$$),
	(27, 'SQL function', $$SELECT a, b, c FROM (SELECT <source> AS f, generate_series(1, 2)) AS s, <route>(f)$$,
		$$CREATE OR REPLACE FUNCTION <route>(f bloomfilter, OUT a bloomfilter, OUT b bloomfilter, OUT c bloomfilter) LANGUAGE sql VOLATILE
			AS 'SELECT <op:f>; SELECT <op:f>, f, <op:f>'$$),
	(28, 'PL/pgSQL, parameter', $$SELECT <route>(f), f, <route>(f) FROM (SELECT <source> AS f, generate_series(1, 2)) AS s$$,
		$$CREATE OR REPLACE FUNCTION <route>(f bloomfilter) RETURNS bloomfilter LANGUAGE plpgsql AS 'BEGIN f := <op:f>; RETURN f; END'$$),
	(29, 'PL/pgSQL, INOUT', $$SELECT (r).f, (r).g, (r).h FROM (SELECT <route>(f, f) AS r FROM (SELECT <source> AS f, generate_series(1, 2)) AS s OFFSET 0) AS t$$,
		$$CREATE OR REPLACE FUNCTION <route>(INOUT f bloomfilter, INOUT g bloomfilter, OUT h bloomfilter) LANGUAGE plpgsql
			AS 'BEGIN f := <op:f>; h := <op:g>; END'$$),
	(30, 'PL/pgSQL, RETURN NEXT', $$SELECT fs[2], fs[1], fs[3] FROM (SELECT ARRAY(SELECT <route>(f)) AS fs FROM (SELECT <source> AS f, generate_series(1, 2)) AS s) AS t$$,
		$$CREATE OR REPLACE FUNCTION <route>(f bloomfilter) RETURNS SETOF bloomfilter LANGUAGE plpgsql
			AS 'BEGIN RETURN NEXT f; f := <op:f>; RETURN NEXT f; RETURN QUERY SELECT f; END'$$),
	(31, 'PL/pgSQL, variables', 'SELECT * FROM <route>(1)', $$CREATE OR REPLACE FUNCTION <route>(one int, OUT a bloomfilter, OUT b bloomfilter, OUT c bloomfilter) LANGUAGE plpgsql AS '
		DECLARE f bloomfilter := <inside>; g bloomfilter := f;
		BEGIN a := <op:f>; b := f; c := <op:g>; f := <op:f>; b := g; END'$$),
	(32, 'PL/pgSQL, one variable', 'SELECT * FROM <route>(1)', $$CREATE OR REPLACE FUNCTION <route>(one int, OUT a text, OUT b text, OUT c text) LANGUAGE plpgsql AS '
		DECLARE f bloomfilter := <inside>;
		BEGIN b := f; f := <op:f>; a := f; f := b; f := bloom_union(f, NULL); f := <op:f>; c := f; END'$$),
	(33, 'PL/pgSQL, records and arrays', 'SELECT * FROM <route>(1)', $$CREATE OR REPLACE FUNCTION <route>(one int, OUT a bloomfilter, OUT b bloomfilter, OUT c bloomfilter) LANGUAGE plpgsql AS '
		DECLARE r routes_pair; fs bloomfilter[];
		BEGIN r.f := <inside>; r.g := r.f; fs := ARRAY[r.f, r.f]; r.f := <op:r.f>; fs[1] := <op:fs[1]>;
			a := r.f; b := fs[2]; c := fs[1]; IF r.g <> fs[2] THEN b := NULL; END IF; END'$$),
	(34, 'PL/pgSQL, exceptions', 'SELECT * FROM <route>(1)', $$CREATE OR REPLACE FUNCTION <route>(one int, OUT a bloomfilter, OUT b bloomfilter, OUT c bloomfilter) LANGUAGE plpgsql AS '
		DECLARE f bloomfilter := <inside>;
		BEGIN
			BEGIN f := <op:f> | bloom_create(77); EXCEPTION WHEN invalid_parameter_value THEN NULL; END;
			BEGIN f := bloom_add(<op:f>, 1 / (one - 1)); EXCEPTION WHEN division_by_zero THEN NULL; END;
			BEGIN f := bloom_add_all(<op:f>, ARRAY[row(1)]); EXCEPTION WHEN feature_not_supported THEN NULL; END;
			b := f; f := <op:f>; a := f;
			BEGIN f := bloom_add(f, row(1)); EXCEPTION WHEN feature_not_supported THEN NULL; END;
			c := f; END'$$),
	(35, 'PL/pgSQL, rows of a query', 'SELECT * FROM <route>(1)', $$CREATE OR REPLACE FUNCTION <route>(one int, OUT a bloomfilter, OUT b bloomfilter, OUT c bloomfilter) LANGUAGE plpgsql AS '
		DECLARE r record;
		BEGIN FOR r IN SELECT f, f AS g, i FROM (SELECT <inside> AS f, generate_series(1, 3) AS i) AS s LOOP
			r.f := <op:r.f>; a := r.f; b := r.g; c := <op:r.g>; END LOOP; END'$$),
	(36, 'cursor', 'SELECT * FROM <route>(1)', $$CREATE OR REPLACE FUNCTION <route>(one int, OUT a bloomfilter, OUT b bloomfilter, OUT c bloomfilter) LANGUAGE plpgsql AS '
		DECLARE q SCROLL CURSOR FOR SELECT <op:f> AS o, f, <op:f> AS p FROM (SELECT <inside> AS f, generate_series(1, 2)) AS s; r record;
		BEGIN OPEN q; FETCH q INTO r; a := r.o; FETCH q INTO r; FETCH PRIOR FROM q INTO r; b := r.f; c := r.p; CLOSE q; END'$$),
	(37, 'PL/pgSQL, returned', $$SELECT <op:pg_temp.same(f)>, f, <op:pg_temp.same(f)> FROM (SELECT <source> AS f, generate_series(1, 1)) AS s,
		LATERAL (SELECT i FROM generate_series(1, 3) AS i ORDER BY i) AS t$$, NULL),
	(38, 'constant', $$SELECT <op:f>, f, <op:f> FROM (SELECT (<constant>) AS f, generate_series(1, 2)) AS s$$, NULL),
	(39, 'PL/pgSQL, two parameters', $$SELECT (r).f, (r).h, (r).g FROM (SELECT <route>(f, f) AS r FROM (SELECT <source> AS f, generate_series(1, 2)) AS s OFFSET 0) AS t$$,
		$$CREATE OR REPLACE FUNCTION <route>(INOUT f bloomfilter, INOUT g bloomfilter, OUT h bloomfilter) LANGUAGE plpgsql
			AS 'BEGIN h := f; f := <op:f>; g := <op:g>; END'$$),
	(40, 'PL/pgSQL, three parameters', $$SELECT (r).a, f, (r).b FROM (SELECT <route>(f, f, f) AS r, f FROM (SELECT <source> AS f, generate_series(1, 2)) AS s OFFSET 0) AS t$$,
		$$CREATE OR REPLACE FUNCTION <route>(f bloomfilter, g bloomfilter, h bloomfilter, OUT a bloomfilter, OUT b bloomfilter) LANGUAGE plpgsql
			AS 'BEGIN f := <op:f>; g := NULL; h := <op:h>; a := f; b := h; END'$$),
	(41, 'PL/pgSQL, EXECUTE', $$EXECUTE routes_of (<source>)$$,
		$$CREATE OR REPLACE FUNCTION <route>(f bloomfilter, g bloomfilter, OUT a bloomfilter, OUT b bloomfilter) LANGUAGE plpgsql
			AS 'BEGIN f := <op:f>; g := <op:g>; a := f; b := g; END';
			PREPARE routes_of (bloomfilter) AS SELECT (r).a, $1, (r).b FROM (SELECT <route>($1, $1) AS r FROM generate_series(1, 2) OFFSET 0) AS t$$);

-- <one> is a parameter, so that PL/pgSQL could take the filter over; or it is
-- not known before the query is executed; or it is a constant.
CREATE FUNCTION pg_temp.one() RETURNS int LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN 1; END';

CREATE FUNCTION pg_temp.expand(template text, route text, source text, one text, call text, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := template;
	place text;
BEGIN
	result := replace(result, '<route>', route);
	result := replace(result, '<source>', replace(source, '<one>', one));
	result := replace(result, '<inside>', replace(source, '<one>', 'one'));
	result := replace(result, '<constant>', replace(source, '<one>', '1'));
	result := replace(result, '<n>', n::text);
	LOOP
		place := substring(result FROM '<op:.*?>');
		EXIT WHEN place IS NULL;
		result := replace(result, place, replace(call, '@', substring(place FROM '<op:(.*)>')));
	END LOOP;
	RETURN replace(result, '<n>', n::text);
END $$;

-- How many filters were read by a route, and how many of them were not what
-- they are if all come from text, where nothing shares anything.
CREATE FUNCTION pg_temp.try_route(r routes, source text, one text, call text, n int, OUT seen int, OUT wrong int)
LANGUAGE plpgsql AS $$
DECLARE
	filter text;
	changed text;
	name text := 'pg_temp.route_' || r.id;
	query text := pg_temp.expand(r.query, name, source, one, call, n);
	row record;
	columns text[];
BEGIN
	EXECUTE pg_temp.expand('SELECT <constant>', '', source, one, call, n) INTO filter;
	EXECUTE pg_temp.expand('SELECT <op:$1>', '', source, one, call, n) USING filter::bloomfilter INTO changed;
	seen := 0;
	wrong := 0;
	DEALLOCATE ALL;
	IF r.before IS NOT NULL THEN
		EXECUTE pg_temp.expand(r.before, name, source, one, call, n);
	END IF;
	IF query NOT LIKE 'EXECUTE%' THEN
		EXECUTE 'PREPARE routes_query (int) AS ' || query;
		query := 'EXECUTE routes_query (1)';
	END IF;
	FOR row IN EXECUTE query LOOP
		columns := ARRAY(SELECT value FROM json_each_text(row_to_json(row)));
		seen := seen + 3;
		wrong := wrong + (columns IS DISTINCT FROM ARRAY[changed, filter, changed])::int;
	END LOOP;
END $$;

-- Every call of every source takes every route, in one of three ways.  Routes
-- are transactions of their own, for the catalogs' sake.
CREATE TABLE routes_results (id int, route text, calls int, seen int, wrong int, wrong_calls text);
SET plan_cache_mode = force_generic_plan;
SET client_min_messages = warning;
\set ECHO errors
SELECT format($$
	INSERT INTO routes_results
	SELECT id, route, count(*), sum(seen), sum(wrong), string_agg(call || ' of ' || source, ', ') FILTER (WHERE wrong > 0)
	FROM routes AS r, routes_sources, routes_calls,
		(VALUES (0, '$1', 500), (1, 'pg_temp.one()', 500), (2, '$1', 5000)) AS v (way, variable, n),
		LATERAL pg_temp.try_route(r, source, CASE WHEN query LIKE 'EXECUTE%%' THEN 'pg_temp.one()' ELSE variable END, call, n)
	WHERE (id + s + c) %% 3 = way AND id = %s
	GROUP BY id, route$$, id)
FROM routes ORDER BY id
\gexec
\set ECHO all
SELECT * FROM routes_results ORDER BY id;

-- nothing is left behind
SELECT count(*) FROM pg_backend_memory_contexts WHERE name IN ('bloomfilter', 'bloomfilter body', 'bloomfilter states');

DROP TABLE routes CASCADE;
DROP TABLE routes_results, routes_sources, routes_calls, routes_one, routes_stored;
DROP TYPE routes_pair CASCADE;
RESET client_min_messages;
RESET plan_cache_mode;
