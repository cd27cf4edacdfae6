-- Types that are not what they were, or not the same to everyone: what was
-- stored under a name must not be silently tested as something else.
\set VERBOSITY terse
-- versions differ in what they notice about types
SET client_min_messages = warning;

CREATE TABLE stored (id int, f bloomfilter);

-- A range type dropped and made again, of something else
CREATE TYPE span AS RANGE (subtype = int4);
INSERT INTO stored SELECT 1, bloom_agg(span(i, i + 1)) FROM generate_series(1, 50) AS i;
INSERT INTO stored SELECT 2, bloom_agg(span_multirange(span(i, i + 1))) FROM generate_series(1, 50) AS i;
INSERT INTO stored SELECT 3, bloom_agg(ARRAY[span(i, i + 1)]) FROM generate_series(1, 50) AS i;
DROP TYPE span;
CREATE TYPE span AS RANGE (subtype = numeric);
SELECT f @> span(5, 6) FROM stored WHERE id = 1;
SELECT f @> span_multirange(span(5, 6)) FROM stored WHERE id = 2;
SELECT f @> ARRAY[span(5, 6)] FROM stored WHERE id = 3;
SELECT f | bloom_agg(span(5, 6)) FROM stored WHERE id = 1 GROUP BY f;

-- made again of the same, its filters are good again
DROP TYPE span;
CREATE TYPE span AS RANGE (subtype = int4);
SELECT count(*) AS found FROM generate_series(1, 50) AS i
WHERE (SELECT f FROM stored WHERE id = 1) @> span(i, i + 1)
	AND (SELECT f FROM stored WHERE id = 2) @> span_multirange(span(i, i + 1))
	AND (SELECT f FROM stored WHERE id = 3) @> ARRAY[span(i, i + 1)];

-- A range of ranges, and of a domain
CREATE DOMAIN number AS int4;
CREATE TYPE inner_span AS RANGE (subtype = number);
CREATE TYPE outer_span AS RANGE (subtype = inner_span);
INSERT INTO stored SELECT 4, bloom_agg(outer_span(inner_span(i, i + 1), NULL)) FROM generate_series(1, 50) AS i;
DROP TYPE outer_span, inner_span, number;
CREATE DOMAIN number AS int8;
CREATE TYPE inner_span AS RANGE (subtype = number);
CREATE TYPE outer_span AS RANGE (subtype = inner_span);
SELECT f @> outer_span(inner_span(5, 6), NULL) FROM stored WHERE id = 4;

-- Two types that swap their names
CREATE TYPE other AS RANGE (subtype = int8);
INSERT INTO stored SELECT 5, bloom_agg(other(i, i + 1)) FROM generate_series(1, 50) AS i;
ALTER TYPE span RENAME TO third;
ALTER TYPE other RENAME TO span;
ALTER TYPE third RENAME TO other;
SELECT f @> '[5,6)'::other FROM stored WHERE id = 5;
SELECT f @> '[5,6)'::span FROM stored WHERE id = 1;

-- A range type of the server's own has nothing to record
SELECT bloom_add(bloom_create(10), int4range(1, 2))::text
	~ ', pg_catalog\.int4range, env=0000000000000000,' AS nothing;

-- A range in another collation orders its bounds otherwise
CREATE COLLATION here (LOCALE = 'C');
CREATE TYPE phrase AS RANGE (subtype = text, collation = here);
INSERT INTO stored SELECT 6, bloom_agg(phrase('a', 'b'));
SELECT f @> phrase('a', 'b') AS found FROM stored WHERE id = 6;
ALTER COLLATION here RENAME TO there;
SELECT f @> phrase('a', 'b') FROM stored WHERE id = 6;
ALTER COLLATION there RENAME TO here;
SELECT f @> phrase('a', 'b') AS found FROM stored WHERE id = 6;
DROP TYPE phrase;
CREATE TYPE phrase AS RANGE (subtype = text, collation = "C");
SELECT f @> phrase('a', 'b') FROM stored WHERE id = 6;
DROP TYPE phrase;
CREATE TYPE phrase AS RANGE (subtype = text);
SELECT f @> phrase('a', 'b') FROM stored WHERE id = 6;
DROP TYPE phrase;
DROP COLLATION here;
CREATE COLLATION here (LOCALE = 'POSIX');
CREATE TYPE phrase AS RANGE (subtype = text, collation = here);
SELECT f @> phrase('a', 'b') FROM stored WHERE id = 6;
DROP TYPE phrase;
DROP COLLATION here;

-- The canonical function is called otherwise
CREATE TYPE whole;
CREATE FUNCTION whole_canonical(whole) RETURNS whole LANGUAGE internal IMMUTABLE STRICT AS 'int4range_canonical';
CREATE TYPE whole AS RANGE (subtype = int4, canonical = whole_canonical);
INSERT INTO stored SELECT 7, bloom_agg('[1,2]'::whole);
SELECT f @> '[1,3)'::whole AS found FROM stored WHERE id = 7;
ALTER FUNCTION whole_canonical(whole) RENAME TO otherwise;
SELECT f @> '[1,3)'::whole FROM stored WHERE id = 7;
ALTER FUNCTION otherwise(whole) RENAME TO whole_canonical;

-- What is recorded is what the type is when the value is added, however long ago
-- the statement began or was planned.
CREATE SCHEMA far;
CREATE TYPE moving AS RANGE (subtype = int4);
CREATE TABLE recorded (id int GENERATED ALWAYS AS IDENTITY, what text, f bloomfilter);
CREATE FUNCTION pg_temp.show() RETURNS TABLE (what text, element_type text) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT r.what, (bloom_info(r.f)).element_type FROM recorded AS r ORDER BY id;
	TRUNCATE recorded;
END $$;
CREATE FUNCTION pg_temp.move(command text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE command; RETURN 1; END $$;

-- in a prepared statement, which may hold the finished filter as a constant
SET plan_cache_mode = force_generic_plan;
PREPARE constant(text) AS INSERT INTO recorded (what, f) VALUES ($1, bloom_add(bloom_create(10), moving(1, 2)));
PREPARE parameter(text, int) AS INSERT INTO recorded (what, f) VALUES
	($1, bloom_add(bloom_create($2), moving(1, 2))), ($1, bloom_add_all(bloom_create($2), ARRAY[moving(1, 2)]));
PREPARE aggregated(text) AS INSERT INTO recorded (what, f) SELECT $1, bloom_agg(moving(1, 2)) FROM generate_series(1, 2);
PREPARE tested AS SELECT
	'bloomfilter(1, public.moving, env=9a6265e9c8ca0000, n=10, p=0.01, blocks=1, k=7, seed=0, sparse, crc=8880f3b8, UX2BIXnkyhQ=)'::bloomfilter @> moving(1, 2) AS found;
EXECUTE constant('created');
EXECUTE parameter('created', 10);
EXECUTE aggregated('created');
EXECUTE tested;
ALTER TYPE moving RENAME TO moved;
EXECUTE constant('renamed');
EXECUTE parameter('renamed', 10);
EXECUTE aggregated('renamed');
EXECUTE tested;
BEGIN;
ALTER TYPE moved RENAME TO "mov\ed";
EXECUTE constant('renamed again');
ROLLBACK;
EXECUTE constant('rolled back');
ALTER TYPE moved RENAME TO moving;
EXECUTE constant('named back');
EXECUTE tested;
ALTER TYPE moving SET SCHEMA far;
EXECUTE constant('elsewhere');
EXECUTE parameter('elsewhere', 10);
EXECUTE aggregated('elsewhere');
EXECUTE tested;
ALTER SCHEMA far RENAME TO near;
EXECUTE constant('in a renamed schema');
EXECUTE parameter('in a renamed schema', 10);
EXECUTE aggregated('in a renamed schema');
SELECT * FROM pg_temp.show();
ALTER TYPE near.moving SET SCHEMA public;
ALTER SCHEMA near RENAME TO far;
EXECUTE tested;
DROP TYPE moving;
CREATE TYPE moving AS RANGE (subtype = int8);
EXECUTE tested;
EXECUTE constant('made anew');
SELECT f @> moving(1, 2) AS found FROM recorded;
DROP TYPE moving;
CREATE TYPE moving AS RANGE (subtype = int4);
SELECT f @> moving(1, 2) AS found FROM recorded;
EXECUTE tested;
TRUNCATE recorded;
DEALLOCATE ALL;
RESET plan_cache_mode;

-- in a cursor
BEGIN;
DECLARE rows CURSOR FOR SELECT i, (bloom_info(bloom_add(bloom_create(10), moving(i, i + 1)))).element_type AS added,
	(bloom_info(bloom_add_all(bloom_create(10), ARRAY[moving(i, i + 1)]))).element_type AS all_added FROM generate_series(1, 9) AS i;
FETCH 2 FROM rows;
ALTER TYPE moving RENAME TO moved;
FETCH 2 FROM rows;
SAVEPOINT here;
ALTER TYPE moved SET SCHEMA far;
FETCH 2 FROM rows;
ALTER SCHEMA far RENAME TO near;
FETCH 1 FROM rows;
ROLLBACK TO here;
FETCH 2 FROM rows;
ROLLBACK;

-- and tests do not go on with what they found before
BEGIN;
DECLARE rows CURSOR FOR SELECT i, f @> moving(i, i + 1) AS operator, bloom_contains_any(f, ARRAY[moving(i, i + 1)]) AS "any"
	FROM generate_series(1, 9) AS i, (SELECT bloom_agg(moving(i, i + 1)) AS f FROM generate_series(1, 9) AS i OFFSET 0) AS s;
FETCH 2 FROM rows;
ALTER TYPE moving RENAME TO moved;
FETCH 2 FROM rows;
ROLLBACK;

-- also of a filter out of line
CREATE TABLE far_away (f bloomfilter);
INSERT INTO far_away SELECT bloom_agg(moving(i, i + 1)) FROM generate_series(1, 10000) AS i;
SELECT pg_relation_size(reltoastrelid) > 10000 AS out_of_line FROM pg_class WHERE oid = 'far_away'::regclass;
BEGIN;
DECLARE rows CURSOR FOR SELECT i, f @> moving(i, i + 1) AS operator, bloom_contains_all(f, ARRAY[moving(i, i + 1)]) AS "all"
	FROM far_away, generate_series(1, 9) AS i;
FETCH 2 FROM rows;
ALTER TYPE moving RENAME TO moved;
FETCH 2 FROM rows;
ROLLBACK;

-- in PL/pgSQL
DO $$
DECLARE
	v moving;
BEGIN
	FOR i IN 1 .. 4 LOOP
		v := moving(i, 9);
		INSERT INTO recorded (what, f) VALUES ('PL/pgSQL', bloom_add(bloom_create(10), v));
		EXECUTE format('ALTER TYPE %s RENAME TO %s', CASE i % 2 WHEN 1 THEN 'moving' ELSE 'moved' END, CASE i % 2 WHEN 1 THEN 'moved' ELSE 'moving' END);
	END LOOP;
END $$;
DO $$
DECLARE
	v moving;
	f bloomfilter := bloom_create(10);
BEGIN
	FOR i IN 1 .. 4 LOOP
		v := moving(i, 9);
		f := bloom_add(f, v);
		IF i = 3 THEN
			ALTER TYPE moving RENAME TO moved;
		END IF;
	END LOOP;
END $$;
SELECT * FROM pg_temp.show();

-- Within one aggregation, or one filter, there is no mixture.
SELECT bloom_agg(moving(i, i + 1)) FROM (SELECT i, CASE i WHEN 3 THEN pg_temp.move('ALTER TYPE moving RENAME TO moved') END FROM generate_series(1, 5) AS i OFFSET 0) AS s;
SELECT bloom_agg(moving(i, i + 1), 100) FROM (SELECT i, CASE i WHEN 3 THEN pg_temp.move('ALTER TYPE moving SET SCHEMA far') END FROM generate_series(1, 5) AS i OFFSET 0) AS s;
SELECT bloom_cardinality(bloom_agg(moving(i, i + 1))) AS moved_and_back
FROM (SELECT i, CASE i WHEN 3 THEN pg_temp.move('ALTER TYPE moving RENAME TO moved') + pg_temp.move('ALTER TYPE moved RENAME TO moving') END FROM generate_series(1, 5) AS i OFFSET 0) AS s;
SELECT bloom_union_agg(f) FROM (SELECT bloom_add(bloom_create(10), moving(i, i + 1)) AS f, CASE i WHEN 3 THEN pg_temp.move('ALTER TYPE moving RENAME TO moved') END FROM generate_series(1, 5) AS i OFFSET 0) AS s;

-- A temporary type is another one in every session
\set VERBOSITY default
CREATE TYPE pg_temp.span AS RANGE (subtype = int4);
SELECT bloom_agg(pg_temp.span(1, 2));
\set VERBOSITY terse
SELECT bloom_agg(ARRAY[pg_temp.span(1, 2)]);
SELECT bloom_create(10) @> pg_temp.span_multirange(pg_temp.span(1, 2));
CREATE TYPE around AS RANGE (subtype = pg_temp.span);
SELECT bloom_create(10) @> around(NULL, NULL);
SELECT bloom_hash(pg_temp.span(1, 2));

-- Ranges that are equal by an operator class that knows nothing of the hash
CREATE FUNCTION folded_cmp(text, text) RETURNS int LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT bttextcmp(lower($1), lower($2)) $$;
CREATE FUNCTION folded_eq(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT lower($1) = lower($2) $$;
CREATE FUNCTION folded_lt(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT folded_cmp($1, $2) < 0 $$;
CREATE OPERATOR =# (LEFTARG = text, RIGHTARG = text, FUNCTION = folded_eq);
CREATE OPERATOR <# (LEFTARG = text, RIGHTARG = text, FUNCTION = folded_lt);
CREATE OPERATOR CLASS folded_ops FOR TYPE text USING btree AS
	OPERATOR 1 <#, OPERATOR 3 =#, FUNCTION 1 folded_cmp(text, text);
CREATE TYPE folded_range AS RANGE (subtype = text, subtype_opclass = folded_ops);
SELECT folded_range('a', 'b') = folded_range('A', 'B') AS equal;
\set VERBOSITY default
SELECT bloom_add(bloom_create(10), folded_range('a', 'b')) @> folded_range('A', 'B');
\set VERBOSITY terse
SELECT bloom_agg(folded_multirange(folded_range('a', 'b')));
SELECT bloom_agg(ARRAY[folded_range('a', 'b')]);

-- A type whose "=" and hash look at the collation: under that of the database
-- the case does not count, under "C" it does
CREATE TYPE folded;
CREATE FUNCTION folded_in(cstring) RETURNS folded LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION folded_out(folded) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE folded (INPUT = folded_in, OUTPUT = folded_out, LIKE = text, COLLATABLE = true);
CREATE CAST (folded AS text) WITHOUT FUNCTION;
CREATE CAST (text AS folded) WITHOUT FUNCTION;
CREATE FUNCTION fold(folded) RETURNS text LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT CASE pg_collation_for($1::text) WHEN '"C"' THEN $1::text ELSE lower($1::text) END $$;
CREATE FUNCTION folded_eq(folded, folded) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT fold($1) = fold($2) $$;
CREATE FUNCTION folded_hash(folded) RETURNS int LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT hashtext(fold($1)) $$;
CREATE FUNCTION folded_hash(folded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT hashtextextended(fold($1), $2) $$;
CREATE OPERATOR = (LEFTARG = folded, RIGHTARG = folded, FUNCTION = folded_eq, COMMUTATOR = =, HASHES);
CREATE OPERATOR CLASS folded_hash_ops DEFAULT FOR TYPE folded USING hash AS
	OPERATOR 1 =, FUNCTION 1 folded_hash(folded), FUNCTION 2 folded_hash(folded, bigint);
SELECT a = b AS equal, a COLLATE "C" = b AS equal_in_c,
	bloom_add(bloom_create(10), a) @> b AS contained,
	bloom_add(bloom_create(10), ARRAY[a]) @> ARRAY[b] AS contained_in_array
FROM (SELECT 'A'::folded AS a, 'a'::folded AS b OFFSET 0) AS s;
\set VERBOSITY default
SELECT bloom_add(bloom_create(10), 'A'::folded COLLATE "C");
\set VERBOSITY terse
SELECT bloom_agg(ARRAY['A'::folded] COLLATE "C");
SELECT bloom_agg('A'::folded COLLATE "default") @> 'a'::folded AS found;
-- all text is equal by its bytes, in arrays too
SELECT bloom_agg(ARRAY['A'] COLLATE "C") @> ARRAY['A'] AS found, bloom_agg(ARRAY['A'] COLLATE "C") @> ARRAY['a'] AS not_found;

-- The function that such a type is hashed by is recorded, too: it may be
-- replaced by another one, or by another text.
INSERT INTO stored SELECT 8, bloom_agg('A'::folded);
INSERT INTO stored SELECT 9, bloom_agg(ARRAY['A'::folded]);
SELECT id, CASE id WHEN 8 THEN f @> 'a'::folded ELSE f @> ARRAY['a'::folded] END AS found FROM stored WHERE id IN (8, 9) ORDER BY id;
PREPARE tested(int) AS SELECT f @> 'a'::folded AS found FROM stored WHERE id = $1;
EXECUTE tested(8);
CREATE OR REPLACE FUNCTION folded_hash(folded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT hashtextextended(fold($1), $2) + 1 $$;
EXECUTE tested(8);
SELECT f @> ARRAY['a'::folded] AS found FROM stored WHERE id = 9;
SELECT bloom_agg('A'::folded) @> 'a'::folded AS found, bloom_agg(ARRAY['A'::folded]) @> ARRAY['a'::folded] AS found_in_array;
CREATE OR REPLACE FUNCTION folded_hash(folded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT hashtextextended(fold($1), $2) $$;
EXECUTE tested(8);
DROP OPERATOR FAMILY folded_hash_ops USING hash CASCADE;
EXECUTE tested(8);
CREATE FUNCTION bytes_hash(folded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashtextextended';
CREATE OPERATOR CLASS folded_hash_ops DEFAULT FOR TYPE folded USING hash AS
	OPERATOR 1 =, FUNCTION 1 folded_hash(folded), FUNCTION 2 bytes_hash(folded, bigint);
EXECUTE tested(8);
INSERT INTO stored SELECT 10, bloom_agg('A'::folded);
EXECUTE tested(10);
SELECT f @> 'A'::folded AS found FROM stored WHERE id = 10;
ALTER FUNCTION bytes_hash(folded, bigint) RENAME TO hash_of_bytes;
EXECUTE tested(10);
ALTER FUNCTION hash_of_bytes(folded, bigint) RENAME TO bytes_hash;
EXECUTE tested(10);

-- A body that is no string cannot be recorded: refused, also where it replaces
-- one that was.
CREATE OR REPLACE FUNCTION bytes_hash(folded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
RETURN hashtextextended($1::text, $2);
\set VERBOSITY default
EXECUTE tested(10);
SELECT bloom_agg('A'::folded);
\set VERBOSITY terse
CREATE OR REPLACE FUNCTION bytes_hash(folded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
BEGIN ATOMIC SELECT hashtextextended($1::text, $2); END;
SELECT bloom_agg(ARRAY['A'::folded]);
