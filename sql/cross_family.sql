-- Testing, adding or combining across element families is an error, never a
-- silent "no"; it names both sides.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
CREATE SCHEMA cross_family;
SET search_path = cross_family, public;
SET TimeZone = 'UTC';

-- A value of every family whose bytes are hashed, and of some types that are
-- hashed by their own function; what a filter of it and what a value is called.
CREATE TABLE elements (family text COLLATE "C", value_type text, value text);
INSERT INTO elements (family, value_type, value) VALUES
('integer', 'integer', '1'),
('text', 'text', '''1''::text'),
('bpchar', 'character', '''1''::char(1)'),
('float', 'double precision', '1::float8'),
('boolean', 'boolean', 'true'),
('date', 'date', '''2000-01-01''::date'),
('time', 'time without time zone', '''00:00''::time'),
('timestamp', 'timestamp without time zone', '''2000-01-01''::timestamp'),
('timestamptz', 'timestamp with time zone', '''2000-01-01''::timestamptz'),
('uuid', 'uuid', '''00000000-0000-0000-0000-000000000001''::uuid'),
('bytea', 'bytea', '''\x31''::bytea'),
('oid', 'oid', '1::oid'),
('"char"', '"char"', '''1''::"char"'),
('pg_catalog.numeric', 'numeric', '1::numeric'),
('public.citext', 'citext', '''1''::citext'),
('pg_catalog.jsonb', 'jsonb', '''1''::jsonb'),
('pg_catalog.inet', 'inet', '''0.0.0.1''::inet'),
('pg_catalog.cidr', 'cidr', '''0.0.0.1''::cidr'),
('pg_catalog.interval', 'interval', '''1 s''::interval'),
('pg_catalog.timetz', 'time with time zone', '''00:00''::timetz'),
('pg_catalog.int4range', 'int4range', '''[1,2)''::int4range'),
('pg_catalog.int8range', 'int8range', '''[1,2)''::int8range'),
('pg_catalog.xid8', 'xid8', '''1''::xid8');
-- Arrays are families, too, each of its element type's.
CREATE TABLE array_elements (LIKE elements INCLUDING ALL);
INSERT INTO array_elements (family, value_type, value) VALUES
('pg_catalog.int4[]', 'integer[]', 'ARRAY[1]'),
('pg_catalog.int8[]', 'bigint[]', 'ARRAY[1::int8]'),
('pg_catalog.text[]', 'text[]', 'ARRAY[''1''::text]'),
('pg_catalog.name[]', 'name[]', 'ARRAY[''1''::name]'),
('pg_catalog.bpchar[]', 'character[]', 'ARRAY[''1''::char(1)]'),
('public.citext[]', 'citext[]', 'ARRAY[''1''::citext]');

-- Filters of each, of one size in every representation: at 1000 blocks a list
-- of one hash, at one block a list of one hash, and one block.
CREATE TABLE filters (family text COLLATE "C" PRIMARY KEY, sparse bloomfilter, small_sparse bloomfilter, small_dense bloomfilter);
DO $$
DECLARE
	e record;
BEGIN
	FOR e IN SELECT * FROM elements UNION ALL SELECT * FROM array_elements LOOP
		EXECUTE format(
			'INSERT INTO filters SELECT %L, f, g, g FROM (
				SELECT bloom_add(bloom_create(50000), %s) AS f, bloom_add(bloom_create(1), %2$s) AS g) s',
			e.family, e.value);
	END LOOP;
	-- a second value of the same family makes the small one dense
	UPDATE filters SET small_dense = bloom_add(small_dense, 2) WHERE family = 'integer';
	UPDATE filters SET small_dense = bloom_add(small_dense, '2'::text) WHERE family = 'text';
	UPDATE filters SET small_dense = bloom_add(small_dense, '2'::char(1)) WHERE family = 'bpchar';
	UPDATE filters SET small_dense = bloom_add(small_dense, 2::float8) WHERE family = 'float';
	UPDATE filters SET small_dense = bloom_add(small_dense, false) WHERE family = 'boolean';
	UPDATE filters SET small_dense = bloom_add(small_dense, date '2000-01-02') WHERE family = 'date';
	UPDATE filters SET small_dense = bloom_add(small_dense, time '00:01') WHERE family = 'time';
	UPDATE filters SET small_dense = bloom_add(small_dense, timestamp '2000-01-02') WHERE family = 'timestamp';
	UPDATE filters SET small_dense = bloom_add(small_dense, timestamptz '2000-01-02') WHERE family = 'timestamptz';
	UPDATE filters SET small_dense = bloom_add(small_dense, md5('2')::uuid) WHERE family = 'uuid';
	UPDATE filters SET small_dense = bloom_add(small_dense, '\x32'::bytea) WHERE family = 'bytea';
	UPDATE filters SET small_dense = bloom_add(small_dense, 2::oid) WHERE family = 'oid';
	UPDATE filters SET small_dense = bloom_add(small_dense, '2'::"char") WHERE family = '"char"';
	UPDATE filters SET small_dense = bloom_add(small_dense, 2.5) WHERE family = 'pg_catalog.numeric';
	UPDATE filters SET small_dense = bloom_add(small_dense, '2'::citext) WHERE family = 'public.citext';
	UPDATE filters SET small_dense = bloom_add(small_dense, '2'::jsonb) WHERE family = 'pg_catalog.jsonb';
	UPDATE filters SET small_dense = bloom_add(small_dense, '0.0.0.2'::inet) WHERE family = 'pg_catalog.inet';
END $$;
SELECT (bloom_info(sparse)).representation AS sparse, (bloom_info(small_sparse)).representation AS small_sparse,
       (bloom_info(small_dense)).representation AS small_dense, count(*)
  FROM filters GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
SELECT family, (bloom_info(sparse)).element_type, (bloom_info(small_sparse)).element_type AS small, (bloom_info(small_dense)).element_type AS dense
  FROM filters
 WHERE (bloom_info(sparse)).element_type IS DISTINCT FROM family OR (bloom_info(small_dense)).element_type IS DISTINCT FROM family;

-- The operations; in them f is a filter of the one family, g of the other, and
-- v a value of the other.
CREATE TABLE operations (operation text COLLATE "C", takes text, for_arrays boolean);
INSERT INTO operations VALUES
('bloom_contains(f, v)', 'value', true),
('f @> v', 'value', true),
('bloom_contained_by(v, f)', 'value', true),
('v <@ f', 'value', true),
('f @> ANY (ARRAY[v])', 'value', false),
('bloom_contains_any(f, ARRAY[v])', 'value', false),
('bloom_contains_all(f, ARRAY[v])', 'value', false),
('bloom_add(f, v)', 'value', true),
('bloom_add_all(f, ARRAY[v])', 'value', false),
('bloom_add_new(f, ARRAY[v])', 'value', false),
('bloom_union(f, g)', 'filter', true),
('f | g', 'filter', true),
('bloom_intersection(f, g)', 'filter', true),
('f & g', 'filter', true),
('bloom_is_superset(f, g)', 'filter', true),
('bloom_union_cardinality(f, g)', 'filter', true),
('bloom_intersection_cardinality(f, g)', 'filter', true),
('bloom_jaccard(f, g)', 'filter', true),
('(SELECT bloom_union_agg(x) FROM (VALUES (f), (g)) s (x))', 'filter', true),
('(SELECT bloom_intersection_agg(x) FROM (VALUES (f), (g)) s (x))', 'filter', true);

CREATE FUNCTION caught(query text, f bloomfilter, g bloomfilter, OUT state text, OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query USING f, g;
	state := '00000';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;

-- The filter comes from a table, or is the result of a function in the same
-- expression.
CREATE TABLE matrix AS
SELECT operation, takes, a.family AS family_a, b.family AS family_b, form, c.state, c.hint <> '' AS has_hint,
       c.detail = CASE takes
           WHEN 'value' THEN format('The filter holds values of type %s, the value is of type %s.', a.family, b.value_type)
           ELSE format('One holds values of type %s, the other of type %s.', a.family, b.family)
       END AS names_both
  FROM (SELECT *, false AS is_array FROM elements UNION ALL SELECT *, true FROM array_elements) a
 CROSS JOIN (SELECT *, false AS is_array FROM elements UNION ALL SELECT *, true FROM array_elements) b
  JOIN operations ON NOT b.is_array OR for_arrays
  JOIN filters fa ON fa.family = a.family
  JOIN filters fb ON fb.family = b.family
 CROSS JOIN LATERAL (VALUES ('sparse', fa.sparse, fb.sparse), ('dense', fa.small_dense, fb.small_sparse),
                            ('expanded', fa.sparse, fb.sparse)) forms (form, f, g)
 CROSS JOIN LATERAL caught(
	format('SELECT %s FROM (SELECT %s AS f, $2 AS g, %s AS v OFFSET 0) s', operation,
		   CASE form WHEN 'expanded' THEN 'bloom_add($1, ' || a.value || ')' ELSE '$1' END, b.value),
	f, g) c
 WHERE a.family <> b.family;

-- Everything is refused, with both names, but for char(n) and text.
SELECT takes, form, state, names_both, has_hint, count(*), count(DISTINCT (family_a, family_b)) AS family_pairs
  FROM matrix GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;
SELECT DISTINCT family_a AS filter, family_b AS value, operation, state
  FROM matrix WHERE state <> '42804' ORDER BY 1, 2, 3;
SELECT family_a, family_b, operation, form FROM matrix
 WHERE state = '42804' AND (names_both AND has_hint) IS NOT TRUE ORDER BY 1, 2, 3, 4;

-- In the allowed direction the answer is right, too.
SELECT bp.f @> '1'::text AS "text in bpchar", bp.f @> '1  '::text AS "blanks", bp.f @> '2'::text AS "absent",
       t.f @> '1'::char(3) AS "char(n) in text", t.f @> '2'::char(3) AS "absent"
  FROM (SELECT sparse AS f FROM filters WHERE family = 'bpchar') bp,
       (SELECT sparse AS f FROM filters WHERE family = 'text') t;
-- Adding the other keeps the filter's family.
SELECT (bloom_info(bloom_add(f, '7'::text))).element_type, bloom_add(f, '7 '::text) @> '7'::char(3) AS found
  FROM (SELECT sparse AS f FROM filters WHERE family = 'bpchar') s;
SELECT (bloom_info(bloom_add(f, '7'::char(3)))).element_type, bloom_add(f, '7'::char(3)) @> '7'::text AS found
  FROM (SELECT sparse AS f FROM filters WHERE family = 'text') s;

-- Equality never raises; filters of different families are not equal.
SELECT count(*) AS pairs, count(*) FILTER (WHERE a.sparse = b.sparse) AS equal, count(*) FILTER (WHERE a.sparse <> b.sparse) AS different
  FROM filters a JOIN filters b ON a.family <> b.family;
SELECT count(*) AS pairs, count(*) FILTER (WHERE a.sparse = b.sparse) AS equal FROM filters a JOIN filters b ON a.family = b.family;

-- No value, no mismatch: NULL as ever, and the filter stays as it was.
SELECT f @> NULL::text AS contains, NULL::text <@ f AS contained, bloom_add(f, NULL::text) = f AS added,
       bloom_add_all(f, NULL::text[]) = f AS all_added, (f | NULL) = f AS united, (f & NULL) IS NULL AS common
  FROM (SELECT sparse AS f FROM filters WHERE family = 'integer') s;

-- A filter that never held a value has no family: it accepts any, takes the
-- one of the first value or filter, and keeps it.
SELECT (bloom_info(f)).element_type AS none, f @> 1 AS "int", f @> 'x' AS "text", f @> 1.5 AS "numeric", f @> ARRAY[1] AS "array",
       (bloom_info(bloom_add(f, NULL::int))).element_type AS added_null,
       (bloom_info(bloom_add_all(f, '{}'::text[]))).element_type AS added_nothing,
       (bloom_info(bloom_add_all(f, '{NULL}'::text[]))).element_type AS added_nulls
  FROM (SELECT bloom_create(50000) AS f) s;
SELECT count(*) AS filters,
       count(*) FILTER (WHERE (bloom_info(e | sparse)).element_type = family) AS empty_first,
       count(*) FILTER (WHERE (bloom_info(sparse | e)).element_type = family) AS empty_second,
       count(*) FILTER (WHERE (e | sparse) = sparse AND (sparse | e) = sparse) AS same,
       count(*) FILTER (WHERE (bloom_info(e & sparse)).estimated_items = 0 AND (bloom_info(sparse & e)).estimated_items = 0) AS nothing_in_common,
       count(*) FILTER (WHERE bloom_is_superset(sparse, e) AND NOT bloom_is_superset(e, sparse)) AS superset
  FROM filters, (SELECT bloom_create(50000) AS e) s;
SELECT (bloom_info(f)).element_type, f @> 1 AS contains
  FROM (SELECT bloom_intersection(bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10), 2)) AS f) s;

--
-- A few in full.
--
\set VERBOSITY default
SELECT bloom_add(bloom_create(10), 1) @> 'one';
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), 'one') @> 1;
\echo :LAST_ERROR_SQLSTATE
SELECT 1.5 <@ bloom_add(bloom_create(10), 1);
\echo :LAST_ERROR_SQLSTATE
-- a cast that rounds is advised only where it changes nothing
SELECT bloom_add(bloom_create(10), 2) @> 1.5::float8;
SELECT bloom_add(bloom_create(10), date '2020-01-01') @> timestamp '2020-01-01 12:00';
SELECT bloom_add(bloom_create(10), date '2020-01-01') @> timestamptz '2020-01-01 12:00';
-- nor one that keeps 6 or 15 digits: these are equal
SELECT 1234567::real = 1234567::numeric AS equal, 1234567::real::numeric;
SELECT bloom_add(bloom_create(10), 1234567::numeric) @> 1234567::real;
SELECT bloom_add(bloom_create(10), ARRAY[1234567::numeric]) @> ARRAY[0.1::float8];
SELECT v, CASE WHEN v = v::bigint THEN bloom_add(bloom_create(10), 2) @> v::bigint ELSE false END AS found
  FROM unnest(ARRAY[1.5, 2, 2.0, 2.5]) AS v;
SELECT bloom_contains(bloom_add(bloom_create(10), timestamp '2020-01-01'), timestamptz '2020-01-01');
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_contains(bloom_add(bloom_create(10), 'a'::citext), 'a'::text);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_contains(bloom_add(bloom_create(10), 'a'::text), 'a'::citext);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_contains_any(bloom_add(bloom_create(10), 1), ARRAY['a', 'b']);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_contains(bloom_add(bloom_create(10), ARRAY[1]), ARRAY[1::int8]);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_add(bloom_create(10), 1.5), 1);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add_all(bloom_add(bloom_create(10), 1), ARRAY[1.5, 2.5]);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_union(bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10), 'one'));
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), 'a'::char(3)) | bloom_add(bloom_create(10), 'a'::text);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), true) & bloom_add(bloom_create(10), 1::numeric);
\echo :LAST_ERROR_SQLSTATE
-- an array is one value, as which a filter of its elements does not take it; nor the other way round
SELECT bloom_add(bloom_create(10), 1) @> ARRAY[1, 2];
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_add(bloom_create(10), 'a'::text), ARRAY['a', 'b']);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), ARRAY[1, 2]) @> 1;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_contains_any(bloom_add(bloom_create(10), ARRAY[1, 2]), ARRAY[1, 2]);
\echo :LAST_ERROR_SQLSTATE
-- a domain is named as the value's type
CREATE DOMAIN positive AS numeric CHECK (VALUE > 0);
SELECT bloom_add(bloom_create(10), 1) @> 1::positive;
\echo :LAST_ERROR_SQLSTATE
-- types of the same name in different schemas are different types
CREATE SCHEMA cross_family_other;
CREATE TYPE cross_family.span AS RANGE (subtype = int4);
CREATE TYPE cross_family_other.span AS RANGE (subtype = int4);
SELECT bloom_add(bloom_create(10), cross_family.span(1, 2)) @> cross_family_other.span(1, 2);
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), cross_family.span(1, 2)) | bloom_add(bloom_create(10), cross_family_other.span(1, 2));
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), cross_family.span(1, 2)) @> cross_family.span(1, 2) AS same_schema;
-- in the midst of a scan: no row is answered
SELECT f @> 1 FROM (VALUES (1, bloom_add(bloom_create(10), 1)), (2, bloom_add(bloom_create(10), 1::float8))) s (n, f) ORDER BY n;
\echo :LAST_ERROR_SQLSTATE

DROP SCHEMA cross_family CASCADE;
DROP SCHEMA cross_family_other CASCADE;
DROP EXTENSION citext;
