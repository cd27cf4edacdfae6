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
	~ ', pg_catalog\.int4range, env=00000000[0-9a-f]{6}0[12],' AS no_tag;

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
