-- Text, bytea and binary forms: whatever goes out comes in as it was.
SET client_encoding = 'UTF8';

-- What the text form looks like.
SELECT bloom_create(1000);
SELECT bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]);
SELECT bloom_add_all(bloom_create(1, 0.3, -42), ARRAY['a', 'b']);
SELECT bloom_create(12345678, 0.000001, 9223372036854775807);

-- types with their own hash function, under names that look like syntax
CREATE SCHEMA "io (x, ""1"") ";
CREATE TYPE "io (x, ""1"") "."crc=0, n=1)" AS RANGE (SUBTYPE = int4);
CREATE TYPE "io (x, ""1"") ".größe AS RANGE (SUBTYPE = int4, MULTIRANGE_TYPE_NAME = "io (x, ""1"") ".größen);
CREATE DOMAIN io_domain AS "io (x, ""1"") ".größe[];
CREATE TABLE io (name text, f bloomfilter);
INSERT INTO io VALUES
	('empty', bloom_create(100)),
	('empty, seed', bloom_create(1e6, 0.000001, -9223372036854775808)),
	('sparse', bloom_add_all(bloom_create(1000, 0.0123456789012345678, 7), ARRAY[1, 2, 3])),
	('sparse, no item', bloom_add(bloom_create(10), 1) & bloom_add(bloom_create(10), 2)),
	('dense, one block', bloom_add_all(bloom_create(10, 0.3), ARRAY[1, 2, 3])),
	('dense', bloom_add_all(bloom_create(1000, 0.00001, 1), ARRAY(SELECT generate_series(1, 1000)))),
	('dense, empty', bloom_add_all(bloom_create(1000), ARRAY(SELECT generate_series(1, 21)))
		& bloom_add_all(bloom_create(1000), ARRAY(SELECT generate_series(1001, 1021)))),
	('dense, full', bloom_add_all(bloom_create(1), ARRAY(SELECT generate_series(1, 3000)))),
	('text', bloom_add_all(bloom_create(100), ARRAY['a', 'ü'])),
	('char(n)', bloom_add(bloom_create(100), 'a'::char(3))),
	('"char"', bloom_add(bloom_create(100), 'a'::"char")),
	('numeric', bloom_add(bloom_create(100), 1.5)),
	('numeric, dense', bloom_add_all(bloom_create(100), ARRAY(SELECT x / 10.0 FROM generate_series(1, 100) AS x))),
	('array', bloom_add(bloom_create(100), '{a,b}'::text[])),
	('range', bloom_add(bloom_create(100), '[1,2]'::"io (x, ""1"") "."crc=0, n=1)")),
	('range, dense', bloom_add_all(bloom_create(10), ARRAY['[1,2]', '[3,4]']::"io (x, ""1"") "."crc=0, n=1)"[])),
	('range, not ASCII', bloom_add(bloom_create(100), '[1,2]'::"io (x, ""1"") ".größe)),
	('multirange', bloom_add(bloom_create(100), '{[1,2]}'::"io (x, ""1"") ".größen)),
	('array of ranges', bloom_add(bloom_create(100), '{"[1,2]"}'::io_domain)),
	('null', NULL);
SELECT name, element_type, representation FROM io, bloom_info(f) ORDER BY name COLLATE "C";

-- the state of an aggregate without expected_items is a kind of its own
CREATE AGGREGATE io_state ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter);
INSERT INTO io SELECT 'unsized', io_state(i) FROM generate_series(1, 100) AS i;
INSERT INTO io SELECT 'unsized, range', io_state(int4range(i, i + 1)::text::"io (x, ""1"") ".größe) FROM generate_series(1, 100) AS i;
INSERT INTO io SELECT 'unsized, no item', a.f & b.f FROM (SELECT io_state(1)) AS a (f), (SELECT io_state(2)) AS b (f);

-- round trips
SELECT count(*), count(f), bool_and(f::text::bloomfilter = f) AS text, bool_and(f::bytea::bloomfilter = f) AS bytea,
	bool_and(f::text::bloomfilter::bytea::bloomfilter::text = f::text) AS both,
	bool_and(bloomfilter_send(f) = f::bytea) AS send_is_bytea,
	bool_and(f::bytea::text::bytea::bloomfilter = f) AS hex,
	bool_and(length(f::text) < 350 + octet_length(f::bytea) * 1.4) AS compact
FROM io;
SELECT bool_and(f::text !~ '\n') AS one_line, bool_and(f::text COLLATE "C" ~ '^bloomfilter\(1, .*\)$') AS looks FROM io;
-- what came in works
SELECT f::text::bloomfilter @> '[1,2]'::"io (x, ""1"") "."crc=0, n=1)" AS yes, f::text::bloomfilter @> '[1,4)'::"io (x, ""1"") "."crc=0, n=1)" AS no,
	f::bytea::bloomfilter @> '[3,4]'::"io (x, ""1"") "."crc=0, n=1)" AS yes
FROM io WHERE name = 'range, dense';
SELECT bloom_contains_all(f::text::bloomfilter, ARRAY(SELECT generate_series(1, 1000))) AS text,
	bloom_contains_all(f::bytea::bloomfilter, ARRAY(SELECT generate_series(1, 1000))) AS bytea
FROM io WHERE name = 'dense';
SELECT bloom_add(f::text::bloomfilter, 4) = bloom_add(f, 4) AS text, bloom_add(f::bytea::bloomfilter, 4) = bloom_add(f, 4) AS bytea
FROM io WHERE name = 'sparse';

-- COPY
CREATE TABLE io_copied (LIKE io);
\copy io TO 'results/io.data'
\copy io_copied FROM 'results/io.data'
SELECT count(*), bool_and((i.f = c.f) IS NOT FALSE AND (i.f IS NULL) = (c.f IS NULL)) AS same FROM io AS i JOIN io_copied AS c USING (name);
TRUNCATE io_copied;
\copy io TO 'results/io.data' (FORMAT csv, FORCE_QUOTE *)
\copy io_copied FROM 'results/io.data' (FORMAT csv)
SELECT count(*), bool_and((i.f = c.f) IS NOT FALSE AND (i.f IS NULL) = (c.f IS NULL)) AS same FROM io AS i JOIN io_copied AS c USING (name);
TRUNCATE io_copied;
\copy io TO 'results/io.data' (FORMAT binary)
\copy io_copied FROM 'results/io.data' (FORMAT binary)
SELECT count(*), bool_and((i.f = c.f) IS NOT FALSE AND (i.f IS NULL) = (c.f IS NULL)) AS same FROM io AS i JOIN io_copied AS c USING (name);
-- other data are refused, as binary and as text
CREATE TABLE io_bytea AS SELECT 'garbage'::text AS name, '\x50474246'::bytea AS f;
\copy io_bytea TO 'results/io.data' (FORMAT binary)
\set VERBOSITY sqlstate
\copy io_copied FROM 'results/io.data' (FORMAT binary)
\copy io_bytea TO 'results/io.data'
\copy io_copied FROM 'results/io.data'
\set VERBOSITY default

-- a large one, 1 MB
SELECT octet_length(f::bytea) > 1e6 AS large, f::text::bloomfilter = f AS text, f::bytea::bloomfilter = f AS bytea
FROM bloom_add_all(bloom_create(850000), ARRAY(SELECT generate_series(1, 850000))) AS f;
-- the same in compressed, out of line and short forms
CREATE TABLE io_stored (f bloomfilter);
ALTER TABLE io_stored ALTER COLUMN f SET STORAGE EXTENDED;
INSERT INTO io_stored SELECT f FROM io WHERE f IS NOT NULL;
INSERT INTO io_stored SELECT bloom_add_all(bloom_create(100000), ARRAY(SELECT generate_series(1, n))) FROM unnest(ARRAY[2000, 100000]) AS n;
SELECT count(*), bool_and(f::text::bloomfilter = f) AS text, bool_and(f::bytea::bloomfilter = f) AS bytea, bool_and(bloomfilter_send(f) = f::bytea) AS send
FROM io_stored;

-- White space: anywhere between tokens and within the data, not within words.
SELECT '  bloomfilter ( 1 , integer , n = 1000 , p = 0.01 , blocks = 20 , k = 7 , seed = 0 , sparse , crc = 0e7e805e , Q+Lu kVzG
	hiAuedtkNVm8L30u9MEpIJJN ) '::bloomfilter = bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]) AS blanks,
	E'\nbloomfilter(1,integer,n=1000,p=0.01,blocks=20,k=7,seed=0,sparse,crc=0e7e805e,\r\nQ+LukVzGhiAuedtkNVm8L30u9MEpIJJN\x0b\f\t)\n'::bloomfilter
		= bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]) AS all_kinds,
	'bloomfilter(1,integer,n=1000,p=0.01,blocks=20,k=7,seed=0,sparse,crc=0e7e805e,Q+LukVzGhiAuedtkNVm8L30u9MEpIJJN)'::bloomfilter
		= bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]) AS none;
SELECT count(*), bool_and(replace(replace(f::text, ', ', E' \n,\t '), '=', ' = ')::bloomfilter = f) AS wide
FROM io WHERE name NOT LIKE '%range%';
-- other ways to write the same numbers
SELECT 'bloomfilter(1, integer, n=001000, p=1e-2, blocks=20, k=07, seed=-0, sparse, crc=00e7e805e, Q+LukVzGhiAuedtkNVm8L30u9MEpIJJN)'::bloomfilter
	= bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]) AS same;

-- rates of all lengths come back to the last bit
SELECT count(*), bool_and((bloom_info(bloom_create(10, p)::text::bloomfilter)).target_false_positive_rate = p) AS text,
	bool_and((bloom_info(bloom_create(10, p)::bytea::bloomfilter)).target_false_positive_rate = p) AS bytea
FROM (SELECT exp(-i / 7.0) AS p FROM generate_series(1, 96) AS i
	UNION ALL SELECT unnest(ARRAY[0.000001, 1/3.0::float8, 0.1 + 0.2::float8, 0.9999999999999999])) AS s;

-- casts are explicit
\set VERBOSITY sqlstate
INSERT INTO io_bytea VALUES ('assigned', bloom_create(10));
INSERT INTO io SELECT name, f FROM io_bytea;
SELECT f = '\x00'::bytea FROM io;
\set VERBOSITY default

DROP TABLE io, io_copied, io_bytea, io_stored;
DROP AGGREGATE io_state ("any");
SET client_min_messages = warning;
DROP SCHEMA "io (x, ""1"") " CASCADE;
