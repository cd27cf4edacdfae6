-- No function changes its argument: not one that lies in a table, in whatever
-- form, nor a variable, parameter or subquery's result.

-- Filters of all representations in columns of all kinds of storage.  "light"
-- is dense, but next to empty: it compresses.
-- the default up to 18; 19's, lz4, makes a little of half-full blocks, too
SET default_toast_compression = pglz;
CREATE TABLE ia (
	name text,
	external bloomfilter,
	plain bloomfilter,
	main bloomfilter,
	extended bloomfilter);
ALTER TABLE ia ALTER COLUMN plain SET STORAGE PLAIN;
ALTER TABLE ia ALTER COLUMN main SET STORAGE MAIN;
ALTER TABLE ia ALTER COLUMN extended SET STORAGE EXTENDED;
INSERT INTO ia
	SELECT name, f, f, f, f
	FROM (VALUES
		('empty', bloom_create(2000)),
		('short', bloom_add_all(bloom_create(2000), ARRAY[1, 2, 3])),
		('list', bloom_add_all(bloom_create(2000), ARRAY(SELECT generate_series(1, 30)))),
		('dense', bloom_add_all(bloom_create(1500), ARRAY(SELECT generate_series(1, 1500)))),
		('light', bloom_add_all(bloom_create(2000), ARRAY(SELECT generate_series(1, 300)))
			& bloom_add_all(bloom_create(2000), ARRAY(SELECT generate_series(290, 600))))) AS v (name, f);
-- large ones need a toast table even compressed
INSERT INTO ia (name, external, main, extended)
	SELECT 'large', f, f, f FROM bloom_add_all(bloom_create(20000), ARRAY(SELECT generate_series(1, 20000))) AS f;
-- headers: 1 byte for short values, 4 for others in line, none out of line
SELECT name, (bloom_info(external)).representation,
	pg_column_size(external) - payload AS external_header,
	pg_column_compression(external) IS NOT NULL AS external_compressed,
	pg_column_compression(main) IS NOT NULL AS main_compressed,
	pg_column_compression(extended) IS NOT NULL AS extended_compressed
FROM ia, LATERAL (SELECT octet_length(external::bytea) - 8 AS payload) AS p ORDER BY payload, name;
SELECT pg_relation_size(reltoastrelid) > 24000 AS toasted FROM pg_class WHERE oid = 'ia'::regclass;
CREATE TEMP TABLE ia_before AS
	SELECT name, external::bytea, plain::bytea, main::bytea, extended::bytea FROM ia;
CREATE FUNCTION pg_temp.changed() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT name FROM ia LEFT JOIN ia_before AS b USING (name)
	WHERE (ia.external::bytea, ia.plain::bytea, ia.main::bytea, ia.extended::bytea)
		IS DISTINCT FROM (b.external, b.plain, b.main, b.extended)
$$;
SELECT count(*) FROM pg_temp.changed();
-- what is added below is in none of them so far
SELECT bool_or(external @> -1 OR external @> -2 OR external @> -3) AS there_by_chance FROM ia;

-- each function, in the same row as tests of its argument before and after
SELECT name, external @> -1 AS before, bloom_add(external, -1) @> -1 AS external, CASE WHEN plain IS NOT NULL THEN bloom_add(plain, -1) END @> -1 AS plain,
	bloom_add(main, -1) @> -1 AS main, bloom_add(extended, -1) @> -1 AS extended,
	external @> -1 OR plain @> -1 OR main @> -1 OR extended @> -1 AS after
FROM ia ORDER BY name;
SELECT name, bloom_add_all(external, ARRAY[-1, -2]) @> -2 AS external, CASE WHEN plain IS NOT NULL THEN bloom_add_all(plain, ARRAY[-1, -2]) END @> -2 AS plain,
	bloom_add_all(main, ARRAY[-1, -2]) @> -2 AS main, bloom_add_all(extended, ARRAY[-1, -2]) @> -2 AS extended,
	external @> -1 OR plain @> -1 OR main @> -1 OR extended @> -1 AS after
FROM ia ORDER BY name;
SELECT name, (external | other) @> -1 AS external, (other | plain) @> -1 AS plain, (main | other) @> -1 AS main,
	bloom_union(other, extended) @> -1 AS extended, other @> -2 AS other_before,
	bloom_add(other | external, -2) @> -2 AS "or", other @> -2 AS other_after,
	external @> -1 OR plain @> -1 OR main @> -1 OR extended @> -1 AS after
FROM ia, LATERAL (SELECT bloom_add(bloom_create(b.expected_items), -1) AS other FROM bloom_info(external) AS b) AS o ORDER BY name;
SELECT name, bloom_cardinality(external & other) <= 1 AS external, bloom_cardinality(other & plain) <= 1 AS plain,
	bloom_cardinality(main & other) <= 1 AS main, bloom_cardinality(bloom_intersection(other, extended)) <= 1 AS extended,
	bloom_cardinality(other) AS other, other @> -1 AS other_after
FROM ia, LATERAL (SELECT bloom_add(bloom_create(b.expected_items), -1) AS other FROM bloom_info(external) AS b) AS o ORDER BY name;
SELECT name, external | external = external AS "union", (main & main) = main AS intersection,
	bloom_add(external, -1) | external = bloom_add(external, -1) AS union_with_itself,
	(bloom_add(extended, -1) & bloom_add(extended, -2)) @> 1 = (extended @> 1) AS intersection_of_two
FROM ia ORDER BY name;
SELECT count(bloom_union_agg(external)) OVER () > 0 AS ran FROM ia GROUP BY name LIMIT 1;
SELECT bloom_union_agg(plain) @> 1500 AS "union", bloom_cardinality(bloom_intersection_agg(main)) AS intersection
FROM ia WHERE name <> 'dense' AND name <> 'large';
SELECT count(*) AS changed FROM pg_temp.changed();

-- UPDATE changes what it says, and RETURNING shows it; twice the same value in
-- a row are two values
CREATE TABLE ia_updated AS SELECT name, external AS f, external AS g FROM ia;
UPDATE ia_updated SET f = bloom_add(f, -1) WHERE f @> 3 RETURNING name, f @> -1 AS f, g @> -1 AS g;
UPDATE ia_updated AS u SET f = bloom_add(i.external, -2), g = i.external FROM ia AS i WHERE i.name = u.name AND i.name = 'dense'
RETURNING u.name, u.f @> -2 AS f, u.g @> -2 AS g, u.f @> -1 AS f_old, i.external @> -2 AS source;
UPDATE ia_updated SET f = bloom_add(g, -3), g = bloom_add_all(g, ARRAY[-4, -5])
WHERE name = 'dense' RETURNING f @> -3 AS f3, f @> -4 AS f4, g @> -3 AS g3, g @> -4 AS g4, bloom_add(f, -6) @> -6 AS added, f @> -6 AS f6;
SELECT u.name, u.f @> -1 AS f1, u.f @> -2 AS f2, u.f @> -3 AS f3, u.g @> -4 AS g4, u.g = i.external AS g
FROM ia_updated AS u JOIN ia AS i USING (name) ORDER BY 1;
INSERT INTO ia_updated SELECT 'new', f, bloom_add(f, -7) FROM bloom_add(bloom_create(100), 1) AS f
RETURNING f @> -7 AS f, g @> -7 AS g;
INSERT INTO ia_updated SELECT 'same', f, f FROM (SELECT bloom_add(bloom_create(100), 1) AS f OFFSET 0) AS s;
UPDATE ia_updated SET f = bloom_add(f, -8) WHERE name = 'same' RETURNING f @> -8 AS f, g @> -8 AS g;

-- a subquery's or CTE's result that is used twice is computed once
SELECT bloom_add(f, -1) @> -1 AS added, f @> -1 AS f, bloom_add(f, -2) @> -1 AS second, bloom_cardinality(f) AS items
FROM (SELECT bloom_add(bloom_create(1000), 1) AS f OFFSET 0) AS s;
WITH c AS MATERIALIZED (SELECT bloom_add_all(bloom_create(10), ARRAY[1, 2, 3]) AS f)
SELECT bloom_add(a.f, -1) @> -1 AS added, a.f @> -1 AS a, b.f @> -1 AS b,
	(SELECT bloom_add(f, -2) @> -2 FROM c) AS added, (SELECT f @> -1 OR f @> -2 FROM c) AS c
FROM c AS a, c AS b;
SELECT bloom_add(u, -1) @> -1 AS added, u @> -1 AS u, bloom_add(i, -1) @> -1 AS added, i @> -1 AS i
FROM (SELECT e | f AS u, e & f AS i FROM bloom_add(bloom_create(100), 1) AS e, bloom_add(bloom_create(100), 2) AS f OFFSET 0) AS s;
SELECT bloom_add(a, -1) @> -1 AS added, a @> -1 AS a, bloom_add(u, -1) @> -1 AS added, u @> -1 AS u
FROM (SELECT bloom_agg(x, 100) AS a, bloom_union_agg(bloom_add(bloom_create(100), x)) AS u FROM generate_series(1, 3) AS x) AS s;
SELECT CASE WHEN f @> 1 THEN bloom_add(f, -1) ELSE f END @> -1 AS added, coalesce(bloom_add(f, -2), f) @> -2 AS added, f @> -1 OR f @> -2 AS f
FROM (SELECT bloom_add(bloom_create(1000), 1) AS f OFFSET 0) AS s;
SELECT bloom_add((ARRAY[f, f])[1], -1) @> -1 AS added, (ARRAY[f, f])[2] @> -1 AS f, bloom_add((r).f, -2) @> -2 AS added, (r).f @> -2 AS row
FROM (SELECT v.f, r FROM bloom_add(bloom_create(1000), 1) AS v (f), LATERAL (SELECT v.f AS f) AS r OFFSET 0) AS s;

-- PL/pgSQL: the variable that is assigned to changes, and no other
DO $$
DECLARE
	f bloomfilter := bloom_create(100);
	g bloomfilter;
	h bloomfilter;
	list bloomfilter[];
	before bytea;
BEGIN
	f := bloom_add(f, 1);
	g := bloom_add(f, 2);
	h := f;
	RAISE NOTICE 'f % %, g % %, h % %', f @> 1, f @> 2, g @> 1, g @> 2, h @> 1, h @> 2;
	f := bloom_add(f, 3);
	f := bloom_add_all(f, ARRAY[4, 5]);
	RAISE NOTICE 'f %, g %, h %', bloom_cardinality(f), bloom_cardinality(g), bloom_cardinality(h);
	-- a dense one
	FOR i IN 1 .. 50 LOOP
		f := bloom_add(f, i);
	END LOOP;
	g := f;
	FOR i IN 51 .. 100 LOOP
		g := bloom_add(g, i);
		f := f;
	END LOOP;
	RAISE NOTICE 'f %, g %', f = bloom_agg(i, 100) FROM generate_series(1, 50) AS i, g = bloom_agg(i, 100) FROM generate_series(1, 100) AS i;
	before := f::bytea;
	-- results that are thrown away
	PERFORM bloom_add(f, -1), bloom_add_all(f, ARRAY[-2]), f | bloom_add(bloom_create(100), -3), f & bloom_create(100);
	IF bloom_add(f, -1) @> -1 AND NOT f @> -1 THEN
		RAISE NOTICE 'added to a copy';
	END IF;
	g := f | bloom_add(bloom_create(100), -4);
	g := f & bloom_add(bloom_create(100), -4);
	g := bloom_add(bloom_add(f, -5), -6);
	RAISE NOTICE 'f unchanged: %, g: % %', before = f::bytea, g @> -5, g @> -6;
	-- in a list
	list := ARRAY[f, f];
	list[1] := bloom_add(list[1], -7);
	RAISE NOTICE 'list % %, f %', list[1] @> -7, list[2] @> -7, f @> -7;
	list[2] := bloom_add(f, -8);
	RAISE NOTICE 'list % %, f %', list[1] @> -8, list[2] @> -8, f @> -8;
	-- f is on both sides
	f := f | f;
	f := f & f;
	f := bloom_add(f, 1) | f;
	f := f | bloom_add(f, 1);
	RAISE NOTICE 'f unchanged: %', before = f::bytea;
	f := bloom_add(f, -9) & f;
	RAISE NOTICE 'f without -9: %', NOT f @> -9;
	f := f | bloom_add(f, -10);
	RAISE NOTICE 'f with -10: %', f @> -10;
END $$;

-- exceptions: what was assigned before stays, what failed does nothing
DO $$
DECLARE
	f bloomfilter := bloom_add(bloom_create(100), 1);
	before bloomfilter := f;
BEGIN
	BEGIN
		f := bloom_add(f, 'text'::text);
	EXCEPTION WHEN datatype_mismatch THEN
		RAISE NOTICE 'failed to add: %', f = before;
	END;
	BEGIN
		f := f | bloom_create(10000);
	EXCEPTION WHEN invalid_parameter_value THEN
		RAISE NOTICE 'failed to unite: %', f = before;
	END;
	BEGIN
		f := f & bloom_add(bloom_create(100), 'text'::text);
	EXCEPTION WHEN datatype_mismatch THEN
		RAISE NOTICE 'failed to intersect: %', f = before;
	END;
	BEGIN
		f := bloom_add(f, 1 / (bloom_cardinality(bloom_add(f, 3)) - 2));
	EXCEPTION WHEN division_by_zero THEN
		RAISE NOTICE 'failed before it was called: %', f = before;
	END;
	BEGIN
		f := bloom_add(f, 2);
		PERFORM 1 / 0;
	EXCEPTION WHEN division_by_zero THEN
		RAISE NOTICE 'added before the error: % %', f @> 1, f @> 2;
	END;
	f := bloom_add(f, 3);
	RAISE NOTICE 'goes on: %', bloom_cardinality(f);
END $$;
-- an empty filter that failed to take a value takes one of any type
DO $$
DECLARE
	f bloomfilter := bloom_create(100);
BEGIN
	BEGIN
		f := bloom_add(f, '(1,2)'::point);
	EXCEPTION WHEN undefined_function THEN
		RAISE NOTICE 'element type %', (bloom_info(f)).element_type;
	END;
	f := bloom_add(f, 1);
	RAISE NOTICE 'element type %', (bloom_info(f)).element_type;
END $$;

-- parameters of functions, by value in PL/pgSQL and SQL; INOUT
CREATE FUNCTION pg_temp.add_inside(f bloomfilter, x int) RETURNS bloomfilter LANGUAGE plpgsql AS $$
BEGIN
	f := bloom_add(f, x);
	RETURN f;
END $$;
CREATE FUNCTION pg_temp.add_inout(INOUT f bloomfilter, INOUT g bloomfilter, x int) LANGUAGE plpgsql AS $$
BEGIN
	f := bloom_add(f, x);
END $$;
CREATE FUNCTION pg_temp.add_sql(f bloomfilter, x int, OUT added boolean, OUT argument boolean) LANGUAGE sql VOLATILE AS $$
	SELECT bloom_add(f, x) @> x, f @> x;
$$;
CREATE FUNCTION pg_temp.add_sql_twice(f bloomfilter, x int) RETURNS SETOF boolean LANGUAGE sql VOLATILE ROWS 2 AS $$
	SELECT bloom_add(f, x) @> x; SELECT f @> x UNION ALL SELECT bloom_add(f, x) @> x;
$$;
SELECT pg_temp.add_inside(f, -1) @> -1 AS added, f @> -1 AS f, (pg_temp.add_inout(f, f, -2)).f @> -2 AS added,
	(pg_temp.add_inout(f, f, -2)).g @> -2 AS g, f @> -2 AS f
FROM (SELECT bloom_add(bloom_create(1000), 1) AS f OFFSET 0) AS s;
SELECT i.added, i.argument, f @> -1 AS f FROM (SELECT bloom_add(bloom_create(1000), 1) AS f OFFSET 0) AS s, pg_temp.add_sql(f, -1) AS i;
SELECT * FROM pg_temp.add_sql(bloom_add(bloom_create(1000), 1), -1);
SELECT * FROM pg_temp.add_sql_twice(bloom_add(bloom_create(1000), 1), -1);
DO $$
DECLARE
	f bloomfilter := bloom_add(bloom_create(100), 1);
	g bloomfilter;
BEGIN
	g := pg_temp.add_inside(f, 2);
	RAISE NOTICE 'f %, g %', f @> 2, g @> 2;
	f := pg_temp.add_inside(f, 3);
	RAISE NOTICE 'f % %', f @> 1, f @> 3;
	SELECT * INTO f, g FROM pg_temp.add_inout(f, f, 4);
	RAISE NOTICE 'f %, g %', f @> 4, g @> 4;
END $$;

-- loops over rows, and cursors: a row's filter is as stored each time
DO $$
DECLARE
	r record;
	c CURSOR FOR SELECT name, external AS f FROM ia ORDER BY name;
	seen int := 0;
	changed int := 0;
BEGIN
	FOR r IN SELECT name, external AS f, main AS g FROM ia LOOP
		r.f := bloom_add(r.f, -1);
		seen := seen + (r.f @> -1)::int;
		changed := changed + (r.g @> -1)::int;
	END LOOP;
	FOR r IN c LOOP
		seen := seen + (bloom_add(r.f, -1) @> -1)::int;
		changed := changed + (r.f @> -1)::int;
	END LOOP;
	RAISE NOTICE 'added %, changed %', seen, changed;
END $$;
BEGIN;
DECLARE twice SCROLL CURSOR FOR SELECT bloom_add(f, -1) @> -1 AS added, f @> -1 AS f
	FROM (SELECT external AS f FROM ia WHERE name = 'dense' OFFSET 0) AS s;
FETCH FIRST FROM twice;
FETCH FIRST FROM twice;
COMMIT;
PREPARE add_to (bloomfilter) AS SELECT bloom_add($1, -1) @> -1 AS added, $1 @> -1 AS parameter;
SELECT format('EXECUTE add_to(%L)', external) AS execute_dense FROM ia WHERE name = 'dense' \gset
:execute_dense;
:execute_dense;

-- a default, a generated column, a trigger
CREATE TABLE ia_trigger (x int, f bloomfilter DEFAULT bloom_create(100), old_f bloomfilter,
	items bigint GENERATED ALWAYS AS (bloom_cardinality(bloom_add(f, -1))) STORED);
CREATE FUNCTION ia_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.old_f := OLD.f;
	NEW.f := bloom_add(OLD.f, NEW.x);
	RETURN NEW;
END $$;
CREATE TRIGGER ia_trigger BEFORE UPDATE ON ia_trigger FOR EACH ROW EXECUTE FUNCTION ia_trigger();
INSERT INTO ia_trigger VALUES (1);
UPDATE ia_trigger SET x = 2;
UPDATE ia_trigger SET x = 3;
SELECT f @> 2 AND f @> 3 AS f, old_f @> 2 AS old2, old_f @> 3 AS old3, items FROM ia_trigger;

-- nothing of all this has reached the table
SELECT count(*) AS changed FROM pg_temp.changed();
DROP TABLE ia, ia_updated, ia_trigger;
DROP FUNCTION ia_trigger();
