-- Whatever is not wholly a filter is refused, with a reason: damaged values,
-- and malicious ones whose checksum is right.
SET client_encoding = 'UTF8';
CREATE AGGREGATE corrupt_state ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter);
CREATE SCHEMA "corrupt, (1)";
CREATE TYPE "corrupt, (1)"."x ""y" AS RANGE (SUBTYPE = int4);
CREATE TYPE "corrupt, (1)".U&"\\\00fc" AS RANGE (SUBTYPE = int4);
CREATE TEMP TABLE intact (name text, f bloomfilter);
INSERT INTO intact VALUES
	('empty', bloom_create(100)),
	('sparse', bloom_add_all(bloom_create(1000, 0.0123, -5), ARRAY[1, 2, 3])),
	('dense', bloom_add_all(bloom_create(1), ARRAY[1, 2])),
	('dense, two blocks', bloom_add_all(bloom_create(20, 0.0001), ARRAY(SELECT generate_series(1, 20)))),
	('text', bloom_add_all(bloom_create(1000), ARRAY['a', 'b'])),
	('own hash', bloom_add_all(bloom_create(1000), '{1, 2}'::numeric[])),
	('own hash, dense', bloom_add_all(bloom_create(1), '{1, 2}'::numeric[])),
	('own hash, quoted name', bloom_add(bloom_create(1000), '[1,2]'::"corrupt, (1)"."x ""y")),
	('own hash, escaped name', bloom_add(bloom_create(1000), '[1,2]'::"corrupt, (1)".U&"\\\00fc"));
INSERT INTO intact SELECT 'unsized', corrupt_state(i) FROM generate_series(1, 3) AS i;
INSERT INTO intact SELECT 'unsized, own hash', corrupt_state(i::numeric) FROM generate_series(1, 2) AS i;

-- What becomes of a text or bytea as a filter: a value, or an error.
CREATE FUNCTION pg_temp.read(INOUT input text, OUT f bloomfilter, OUT state text, OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
	f := input::bloomfilter;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	state := SQLSTATE;
END $$;
CREATE FUNCTION pg_temp.read(INOUT input bytea, OUT f bloomfilter, OUT state text, OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
	f := input::bloomfilter;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	state := SQLSTATE;
END $$;

-- bytea: each byte changed in several ways, each length cut off, and more
-- bytes than there should be
SELECT name, count(*) > octet_length(i.f::bytea) * 9 AS "all", count(*) FILTER (WHERE r.state = '22P03') = count(*) AS refused,
	count(r.f) AS accepted
FROM intact AS i, LATERAL (
	SELECT set_byte(i.f::bytea, byte, get_byte(i.f::bytea, byte) # mask)
	FROM generate_series(0, octet_length(i.f::bytea) - 1) AS byte, unnest(ARRAY[1, 2, 4, 8, 16, 32, 64, 128, 255]) AS mask
	UNION ALL SELECT substr(i.f::bytea, 1, length) FROM generate_series(0, octet_length(i.f::bytea) - 1) AS length
	UNION ALL SELECT substr(i.f::bytea, start) FROM generate_series(2, octet_length(i.f::bytea)) AS start
	UNION ALL SELECT i.f::bytea || decode(repeat('00', n), 'hex') FROM generate_series(1, 16) AS n
	UNION ALL SELECT i.f::bytea || i.f::bytea) AS changed (input), pg_temp.read(changed.input) AS r
GROUP BY name, i.f::bytea ORDER BY name COLLATE "C";

-- text: the same; a change either makes no filter of it or is another way to
-- write the same one
SELECT name, count(*) > length(i.f::text) * 6 AS "all", count(*) FILTER (WHERE r.state = '22P02' OR r.f = i.f) = count(*) AS refused_or_same,
	count(*) FILTER (WHERE r.f <> i.f) AS other_filter
FROM intact AS i, LATERAL (
	SELECT overlay(i.f::text PLACING chr(ascii(substr(i.f::text, c, 1)) # mask) FROM c FOR 1)
	FROM generate_series(1, length(i.f::text)) AS c, unnest(ARRAY[1, 2, 4, 8, 16, 32, 64]) AS mask
	WHERE ascii(substr(i.f::text, c, 1)) <> mask
	UNION ALL SELECT left(i.f::text, length) FROM generate_series(0, length(i.f::text) - 1) AS length
	UNION ALL SELECT substr(i.f::text, start) FROM generate_series(2, length(i.f::text)) AS start
	UNION ALL SELECT overlay(i.f::text PLACING '' FROM c FOR 1) FROM generate_series(1, length(i.f::text)) AS c
	UNION ALL SELECT i.f::text || junk FROM unnest(ARRAY['x', ')', ',', '0', i.f::text]) AS junk) AS changed (input), pg_temp.read(changed.input) AS r
GROUP BY name, i.f, i.f::text ORDER BY name COLLATE "C";

-- Garbage, and what the messages say of it.
SELECT 'garbage'::bloomfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT repeat('0123456789', 1000)::bloomfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT counting_bloom_create(10)::text::bloomfilter;
SELECT ' counting_bloomfilter ( '::bloomfilter;
SELECT 'counting_bloomfilter'::bloomfilter;
SELECT '\x50474246'::bytea::bloomfilter;
\echo :LAST_ERROR_SQLSTATE
SELECT input, state, detail
FROM unnest(ARRAY[
	'',
	' ',
	'null',
	'0',
	'{}',
	'\x50474246',
	'bloomfilter',
	'bloomfilter()',
	'bloomfilterx(1',
	'BLOOMFILTER(1, none',
	'bloomfilter(0, none',
	'bloomfilter(2, none',
	'bloomfilter(-1, none',
	'bloomfilter(1)',
	'bloomfilter(1,',
	'bloomfilter(1, nothing, n=1',
	'bloomfilter(1, , n=1',
	'bloomfilter(1, int4, n=1',
	'bloomfilter(1, numeric, n=1',
	'bloomfilter(1, pg_catalog.numeric, n=1',
	'bloomfilter(1, pg_catalog.numeric, env=, n=1',
	'bloomfilter(1, pg_catalog.numeric, env=0x601, n=1',
	'bloomfilter(1, pg_catalog.numeric, env=10000000000000000, n=1',
	'bloomfilter(1, "unterminated.name, env=0000000000000001, n=1',
	'bloomfilter(1, "numeric"."quoted for nothing", env=0000000000000001, n=1',
	U&'bloomfilter(1, public."\00fc", env=0000000000000001, n=1',
	'bloomfilter(1, public.U&"\00FC", env=0000000000000001, n=1',
	'bloomfilter(1, none',
	'bloomfilter(1, none, m=1',
	'bloomfilter(1, none, n=',
	'bloomfilter(1, none, n=-1',
	'bloomfilter(1, none, n=1.5',
	'bloomfilter(1, none, n=18446744073709551616',
	'bloomfilter(1, none, n=1, p=',
	'bloomfilter(1, none, n=1, p=0,01',
	'bloomfilter(1, none, n=1, p=nan',
	'bloomfilter(1, none, n=1, p=0x1p-3',
	'bloomfilter(1, none, n=1, p=1e-5e',
	'bloomfilter(1, none, n=1, p=0.00000000000000000000000000000000000000000000001',
	'bloomfilter(1, none, n=1, p=0.01, blocks=4294967296',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=256',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=9223372036854775808',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=-9223372036854775809',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=--1',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, scarce',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=ABCDEF01)',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=100000000)',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000,',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000)x',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000, !)',
	U&'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000, AAAA\00a0)',
	U&'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0,\0085sparse, crc=00000000)',
	'bloomfilter(1, pg_catalog.numeric, env=0000000000000003, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, pg_catalog.numeric, env=000000000000000c, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, pg_catalog.numeric, env=0000000000000010, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, pg_catalog.numeric, env=ffffffffffffff0a, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, integer, n=1, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000, AAAA)',
	'bloomfilter(1, integer, n=1, p=0.01, blocks=1, k=7, seed=0, dense, crc=00000000, AAAAAAAAAAA=)',
	'bloomfilter(1, integer, n=1, p=0.01, blocks=8388608, k=7, seed=0, dense, crc=00000000, AAAAAAAAAAA=)',
	'bloomfilter(1, none, n=0, p=0.01, blocks=1, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, none, n=1, p=1.0, blocks=1, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, none, n=1, p=0.01, blocks=0, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, none, n=1, p=0.01, blocks=8388609, k=7, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=0, seed=0, sparse, crc=00000000)',
	'bloomfilter(1, none, n=1, p=0.01, blocks=1, k=17, seed=0, sparse, crc=00000000)'
]) WITH ORDINALITY AS u (garbage, i), pg_temp.read(garbage) ORDER BY i;

-- Base64: of each bytes there is one spelling, but for white space.
CREATE TEMP TABLE packed AS
	SELECT f, f::text AS whole, substring(f::text from ', ([^,]*)\)$') AS base64
	FROM (SELECT bloom_add_all(bloom_create(1000), ARRAY(SELECT generate_series(1, n))) FROM generate_series(1, 3) AS n) AS s (f);
SELECT length(base64), padding, what, count(*) AS spellings,
	count(*) FILTER (WHERE read.f = packed.f) AS same, count(*) FILTER (WHERE state = '22P02' AND detail = 'It cannot be read: malformed base64.') AS refused
FROM packed, LATERAL (SELECT length(base64) - length(rtrim(base64, '='))) AS p (padding), LATERAL (
	SELECT 'as written', base64
	UNION ALL SELECT 'white space', regexp_replace(base64, '(.)', E'\\1' || space, 'g') FROM unnest(ARRAY[' ', E'\t', E'\n', E'\r', E'\f', E'\x0b', E' \r\n']) AS space
	UNION ALL SELECT 'other padding', rtrim(base64, '=') || other FROM unnest(ARRAY['', '=', '==', '===', '====']) AS other WHERE rtrim(base64, '=') || other <> base64
	UNION ALL SELECT 'goes on', base64 || more FROM unnest(ARRAY['A', 'AA==', 'AAAA', '=', '====', '-', '!']) AS more WHERE base64 LIKE '%='
	UNION ALL SELECT 'padding inside', overlay(base64 PLACING '=' FROM i FOR 1) FROM generate_series(1, length(base64)) AS i WHERE substr(base64, i, 1) <> '='
	UNION ALL SELECT 'letter behind padding', rtrim(base64, '=') || '=A' WHERE base64 LIKE '%=='
	UNION ALL SELECT 'padding between', overlay(base64 PLACING '====' FROM i FOR 0) FROM generate_series(1, length(base64)) AS i
	-- the server's own decoder takes these for the same bytes
	UNION ALL SELECT 'other bits', other
	FROM generate_series(ascii('+'), ascii('z')) AS c, overlay(base64 PLACING chr(c) FROM length(rtrim(base64, '=')) FOR 1) AS other
	WHERE chr(c) ~ '[A-Za-z0-9+/]' AND base64 LIKE '%=' AND other <> base64 AND decode(other, 'base64') = decode(base64, 'base64')
	UNION ALL SELECT 'URL alphabet', translate(base64, '+/', '-_') WHERE base64 ~ '[+/]') AS v (what, other),
	pg_temp.read(replace(whole, base64, other)) AS read
GROUP BY 1, 2, what ORDER BY 1, 2, what COLLATE "C";

-- Values with the right checksum (CRC-32C), made by hand.
CREATE FUNCTION pg_temp.crc32c(bytes bytea) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	steps bigint[];
	crc bigint;
BEGIN
	FOR i IN 0 .. 255 LOOP
		crc := i;
		FOR j IN 1 .. 8 LOOP
			crc := (crc >> 1) # CASE WHEN crc & 1 = 1 THEN x'82f63b78'::bigint ELSE 0 END;
		END LOOP;
		steps[i] := crc;
	END LOOP;
	crc := x'ffffffff'::bigint;
	FOR i IN 0 .. octet_length(bytes) - 1 LOOP
		crc := steps[(crc # get_byte(bytes, i)) & 255] # (crc >> 8);
	END LOOP;
	RETURN crc # x'ffffffff'::bigint;
END $$;
SELECT to_hex(pg_temp.crc32c('123456789')) AS check_value;
CREATE FUNCTION pg_temp.little_endian(value numeric, bytes int) RETURNS bytea LANGUAGE sql AS $$
	SELECT string_agg(decode(lpad(to_hex((trunc(value / 256::numeric ^ i) % 256)::int), 2, '0'), 'hex'), '' ORDER BY i)
	FROM generate_series(0, bytes - 1) AS i
$$;
CREATE FUNCTION pg_temp.binary(payload bytea) RETURNS bytea LANGUAGE sql AS $$
	SELECT 'PGBF' || payload || pg_temp.little_endian(pg_temp.crc32c(payload), 4)
$$;
CREATE TEMP TABLE payload AS SELECT name, substr(f::bytea, 5, octet_length(f::bytea) - 8) AS bytes FROM intact;
SELECT bool_and(pg_temp.binary(bytes) = f::bytea) AS as_the_server_does FROM intact JOIN payload USING (name);

-- one field changed at a time: at this offset, these bytes
CREATE TEMP TABLE forged (id int GENERATED ALWAYS AS IDENTITY, name text, what text, at int, bytes bytea);
INSERT INTO forged (name, what, at, bytes) VALUES
	('sparse', 'version 0', 0, '\x00'),
	('sparse', 'version 2', 0, '\x02'),
	('sparse', 'representation 0', 1, '\x00'),
	('sparse', 'representation 4', 1, '\x04'),
	('sparse', 'representation dense', 1, '\x02'),
	('sparse', 'representation unsized', 1, '\x03'),
	('sparse', 'header length 0', 2, '\x0000'),
	('sparse', 'header length 63', 2, '\x3f00'),
	('sparse', 'header length 72', 2, '\x4800'),
	('sparse', 'header length 65535', 2, '\xffff'),
	('sparse', 'k 0', 4, '\x00'),
	('sparse', 'k 17', 4, '\x11'),
	('sparse', 'k 255', 4, '\xff'),
	('sparse', 'hash function 0', 5, '\x00'),
	('sparse', 'hash function 2', 5, '\x02'),
	('sparse', 'flags 1', 6, '\x0100'),
	('sparse', 'flags 32768', 6, '\x0080'),
	('sparse', 'element type 0', 8, '\x0000'),
	('sparse', 'element type 14', 8, '\x0e00'),
	('sparse', 'element type 15', 8, '\x0f00'),
	('sparse', 'element type 65535', 8, '\xffff'),
	('sparse', 'reserved 1', 10, '\x0100'),
	('sparse', 'blocks 0', 12, '\x00000000'),
	('sparse', 'blocks 2', 12, '\x02000000'),
	('sparse', 'blocks 2^23 + 1', 12, '\x01008000'),
	('sparse', 'blocks 2^32 - 1', 12, '\xffffffff'),
	('sparse', 'environment', 16, '\x0106000000000000'),
	('sparse', 'capacity 0', 32, '\x0000000000000000'),
	('sparse', 'capacity 2^53 + 1', 32, '\x0100000000002000'),
	('sparse', 'capacity 2^64 - 1', 32, '\xffffffffffffffff'),
	('sparse', 'rate 0', 40, '\x0000000000000000'),
	('sparse', 'rate -0.01', 40, '\x7b14ae47e17a84bf'),
	('sparse', 'rate 1', 40, '\x000000000000f03f'),
	('sparse', 'rate just below the least', 40, '\x8cedb5a0f7c6b03e'),
	('sparse', 'rate denormal', 40, '\x0100000000000000'),
	('sparse', 'rate infinity', 40, '\x000000000000f07f'),
	('sparse', 'rate NaN', 40, '\x000000000000f87f'),
	('sparse', 'rate signaling NaN', 40, '\x010000000000f07f'),
	('sparse', 'count 0', 48, '\x0000000000000000'),
	('sparse', 'count 2', 48, '\x0200000000000000'),
	('sparse', 'count 4', 48, '\x0400000000000000'),
	('sparse', 'count 21', 48, '\x1500000000000000'),
	('sparse', 'count 2^61 + 3', 48, '\x0300000000000020'),
	('sparse', 'count 2^64 - 1', 48, '\xffffffffffffffff'),
	('sparse', 'reserved 2', 56, '\x0000000000000080'),
	('sparse', 'first hash above the second', 64, '\xffffffffffffffff'),
	('sparse', 'last hash 0', 80, '\x0000000000000000'),
	('empty', 'element type 1', 8, '\x0100'),
	('empty', 'count 1', 48, '\x0100000000000000'),
	('dense', 'element type 0', 8, '\x0000'),
	('dense', 'representation sparse', 1, '\x01'),
	('dense', 'representation unsized', 1, '\x03'),
	('dense', 'blocks 0', 12, '\x00000000'),
	('dense', 'blocks 2', 12, '\x02000000'),
	('dense', 'blocks 2^23', 12, '\x00008000'),
	('dense', 'blocks 2^26 + 1', 12, '\x01000004'),
	('dense', 'count 1', 48, '\x0100000000000000'),
	('unsized', 'k 1', 4, '\x01'),
	('unsized', 'blocks 1', 12, '\x01000000'),
	('unsized', 'capacity 1', 32, '\x0100000000000000'),
	('unsized', 'element type 0', 8, '\x0000'),
	('unsized', 'representation sparse', 1, '\x01'),
	('unsized', 'count 4', 48, '\x0400000000000000'),
	('unsized', 'count 2^26', 48, '\x0000000400000000'),
	('unsized', 'count 2^26 + 1', 48, '\x0100000400000000'),
	('unsized', 'count 2^27', 48, '\x0000000800000000'),
	('unsized', 'count 2^61 + 3', 48, '\x0300000000000020'),
	('unsized', 'rate 1', 40, '\x000000000000f03f'),
	('own hash', 'element type 1', 8, '\x0100'),
	('own hash', 'element type 0', 8, '\x0000'),
	('own hash', 'header length 64', 2, '\x4000'),
	('own hash', 'header length 80', 2, '\x5000'),
	('own hash', 'header length 96', 2, '\x6000'),
	('own hash', 'byte order 3', 16, '\x03'),
	('own hash', 'char 3', 16, '\x0c'),
	('own hash', 'environment, reserved', 16, '\x10'),
	('own hash', 'environment, reserved', 16, '\x80');
SELECT forged.name, what, state, detail
FROM forged JOIN payload USING (name), pg_temp.read(pg_temp.binary(overlay(payload.bytes PLACING forged.bytes FROM at + 1)))
ORDER BY id;
-- and with more or fewer bytes behind the header
SELECT name, count(*), count(f) AS accepted, string_agg(DISTINCT state, ', ') AS state, string_agg(DISTINCT detail, ', ' ORDER BY detail) AS detail
FROM payload, LATERAL (
	SELECT substr(bytes, 1, octet_length(bytes) - n) FROM unnest(ARRAY[1, 4, 8, 16, 64]) AS n
	UNION ALL SELECT bytes || decode(repeat('ff', n), 'hex') FROM unnest(ARRAY[1, 4, 8, 16, 64]) AS n) AS changed (bytes_changed),
	pg_temp.read(pg_temp.binary(bytes_changed))
GROUP BY name ORDER BY name COLLATE "C";
-- the order of hashes
SELECT name, what, state, detail
FROM payload, (VALUES
	('descending', '\x030000000000000002000000000000000100000000000000'::bytea),
	('equal', '\x010000000000000002000000000000000200000000000000'),
	('as if signed', '\xffffffffffffffff00000000000000000100000000000000'),
	('as if big-endian', '\x010000000000000202000000000000010300000000000000'),
	('ascending', '\x00000000000000000100000000000000ffffffffffffffff')) AS v (what, hashes),
	pg_temp.read(pg_temp.binary(substr(bytes, 1, 64) || hashes))
WHERE name IN ('sparse', 'unsized') ORDER BY name, what;

-- names of types: what is one, and what is not
CREATE FUNCTION pg_temp.named(type_name bytea, padding int) RETURNS bytea LANGUAGE sql AS $$
	SELECT pg_temp.binary(overlay(substr(bytes, 1, 64) PLACING pg_temp.little_endian(64 + octet_length(type_name) + padding, 2) FROM 3)
		|| type_name || decode(repeat('00', padding), 'hex') || substr(bytes, octet_length(bytes) - 15))
	FROM payload WHERE name = 'own hash'
$$;
SELECT type_name, state, detail, regexp_replace((bloom_info(f)).element_type, '[^ -~]', '?', 'g') AS shown, starts_with(f::text, 'bloomfilter(1, ' || type_name || ', env=') AS text
FROM unnest(ARRAY['', 'numeric', '.', 'pg_catalog.', '.numeric', 'pg_catalog.numeric', 'pg_catalog.numeric[]', 'pg_catalog.numeric[][]',
	'pg_catalog.numeric[', 'pg_catalog.numeric[1]', 'pg_catalog.numeric ', ' pg_catalog.numeric', 'pg_catalog .numeric', 'a.b.c', 'PG_catalog.numeric', '1a.b', 'a1.b$_', '$a.b',
	'a.b-c', '"a".b', 'a."b1$"', '"a', '"a.b', 'a."b', '"".b', 'a.""', '"A"".b', '"A""".b', '""".b"', '"a""b"."c d"[]', '"A b".é', '"A b"."é"', 'a.b,c', '"a,(b".")"',
	'"1".b', '"$a".b', '"a-b".c', '"a\b".c', '"a\\b".c', '"\00fc".c', 'U&"\00fc".c', 'c.U&"\00fc\\ ""x"" \+01f418"[]',
	'U&"fc".c', 'U&"".c', 'U&.c', 'u&"\00fc".c', 'U& "\00fc".c', 'U&"\00FC".c', 'U&"\fc".c', 'U&"\+0000fc".c', 'U&"\0041\00fc".c', 'U&"\\".c', 'U&"\00fc\".c', 'U&"\00fc"".c',
	'U&"\0000\00fc".c', 'U&"\000a".c', 'U&"\007e\00fc".c', 'U&"\007f".c', 'U&"\d7ff\e000\ffff".c', 'U&"\d800".c', 'U&"\d83d\dc18".c', 'U&"\+00ffff".c', 'U&"\+010000\+10ffff".c', 'U&"\+110000".c'])
		WITH ORDINALITY AS u (type_name, i),
	LATERAL (SELECT convert_to(type_name, 'UTF8') AS bytes) AS b,
	pg_temp.read(pg_temp.named(bytes, -octet_length(bytes) & 7))
ORDER BY i;
-- not ASCII, zero bytes, padding, length
SELECT what, state, detail, f IS NOT NULL AS accepted
FROM (VALUES
	(1, 'good', 'abc.defg'::bytea, 0),
	(2, 'padded too far', 'abc.defg', 8),
	(3, 'not padded', 'abc.def', 0),
	(4, 'padded with blanks', 'abc.def ', 0),
	(5, 'a zero byte inside', 'a."B\000c"', 0),
	(6, 'bytes behind the end', 'abc.d\000\000e', 0),
	(7, 'UTF-8', 'a."b\303\274c"', 0),
	(8, 'a byte of no encoding', 'a."b\377c"', 1),
	(9, 'a newline', 'a."b\012c"', 1),
	(10, 'the last of ASCII', 'a."b\177c"', 1),
	(11, '1024 bytes', ('s.' || repeat('x', 1022))::bytea, 0),
	(12, '1025 bytes', ('s.' || repeat('x', 1023))::bytea, 7),
	(13, '1024 bytes, brackets', ('s.x' || repeat('[]', 510))::bytea, 1),
	(14, '1025 bytes, brackets', ('s.x' || repeat('[]', 511))::bytea, 7)) AS v (i, what, type_name, padding),
	pg_temp.read(pg_temp.named(type_name, padding))
ORDER BY i;

-- Forged values that are valid: nothing ties n, p, blocks and k to one another,
-- and hashes need not be such as a hash function gives.
SELECT what, state, (bloom_info(f)).expected_items AS n, (bloom_info(f)).hashes AS k, (bloom_info(f)).seed,
	bloom_cardinality(bloom_add(f, 0)) AS items, f::text::bloomfilter = f AS text
FROM payload, (VALUES
	('k', 4, '\x05'::bytea), ('largest k', 4, '\x10'), ('blocks 3', 12, '\x03000000'), ('blocks 2^23', 12, '\x00008000'), ('seed', 24, '\xffffffffffffffff'),
	('capacity 2^53', 32, '\x0000000000002000'), ('rate', 40, '\xffffffffffffef3f'), ('first hash 0', 64, '\x0000000000000000'),
	('last hash', 80, '\xffffffffffffffff')) AS v (what, at, changed),
	pg_temp.read(pg_temp.binary(overlay(bytes PLACING changed FROM at + 1)))
WHERE name = 'sparse' ORDER BY at, what;

-- Lists of neighbouring hashes, at the start, in the middle and at the end of
-- their range: valid, and no reason to be slow or to need much memory.
\set n 20000
CREATE FUNCTION pg_temp.neighbours(representation text, first int, last int, upper_bytes text) RETURNS bloomfilter LANGUAGE sql AS $$
	SELECT pg_temp.binary(overlay(overlay(substr(bytes, 1, 64)
			PLACING CASE representation WHEN 'sparse' THEN '\x400d0300'::bytea ELSE '\x00000000' END FROM 13)
			PLACING pg_temp.little_endian(last - first + 1, 8) FROM 49)
		|| (SELECT string_agg(decode(lpad(to_hex(i & 255), 2, '0') || lpad(to_hex((i >> 8) & 255), 2, '0')
				|| lpad(to_hex(i >> 16), 2, '0') || upper_bytes, 'hex'), '' ORDER BY i) FROM generate_series(first, last) AS i))::bloomfilter
	FROM payload WHERE name = representation
$$;
CREATE TEMP TABLE neighbours AS
	SELECT representation, upper_bytes, first, pg_temp.neighbours(representation, first, first + :n - 1, upper_bytes) AS f
	FROM unnest(ARRAY['sparse', 'unsized']) AS representation, unnest(ARRAY['0000000000', '0000000080', 'ffffffffff']) AS upper_bytes,
		unnest(ARRAY[0, :n / 2]) AS first;
SELECT representation, upper_bytes, first, bloom_cardinality(f) AS items, bloom_cardinality(bloom_add(f, 0)) AS added,
	f @> 0 AS contains, bloom_is_superset(bloom_add(f, 0), f) AS superset, f::text::bloomfilter = f AS text,
	(f | f) = f AS "union", (f & f) = f AS intersection
FROM neighbours ORDER BY 1, 2, 3;
SELECT a.representation, a.upper_bytes AS a, b.upper_bytes AS b, bloom_cardinality(a.f | b.f) AS "union", bloom_cardinality(a.f & b.f) AS intersection,
	bloom_is_superset(a.f | b.f, b.f) AS superset, bloom_union_cardinality(a.f, b.f) AS union_cardinality,
	bloom_intersection_cardinality(a.f, b.f) AS intersection_cardinality
FROM neighbours AS a JOIN neighbours AS b USING (representation) WHERE a.first = 0 AND b.first > 0 ORDER BY 1, 2, 3;
SELECT representation, upper_bytes, bloom_cardinality(bloom_union_agg(f)) AS "union", bloom_cardinality(bloom_intersection_agg(f)) AS intersection
FROM neighbours GROUP BY representation, upper_bytes ORDER BY 1, 2;
SELECT representation, bloom_cardinality(bloom_union_agg(f)) AS "union" FROM neighbours WHERE first = 0 GROUP BY representation ORDER BY 1;
SELECT bool_and((bloom_info(bloomfilter_agg_finalfn(f))).expected_items = :n) AS sized FROM neighbours WHERE representation = 'unsized';
-- together with hashes of values, and becoming dense
SELECT upper_bytes, bloom_cardinality(added) AS items, bloom_contains_all(added, ARRAY(SELECT generate_series(1, 1000))) AS contains,
	bloom_is_superset(added, f) AS superset, (bloom_info(bloom_add_all(f, ARRAY(SELECT generate_series(1, 200000))))).representation
FROM neighbours, LATERAL bloom_add_all(f, ARRAY(SELECT generate_series(1, 1000))) AS added
WHERE representation = 'sparse' AND first = 0 ORDER BY 1;

-- A stored filter is not what it was: damaged on its page, as bytes that are
-- taken for a filter unread.
CREATE FUNCTION pg_temp.as_stored(bytea, bytea) RETURNS bloomfilter LANGUAGE internal IMMUTABLE STRICT AS 'byteacat';
CREATE FUNCTION pg_temp.as_stored_counting(bytea, bytea) RETURNS counting_bloomfilter LANGUAGE internal IMMUTABLE STRICT AS 'byteacat';
CREATE TEMP TABLE damaged (kind text, what text, f bloomfilter, c counting_bloomfilter);
ALTER TABLE damaged ALTER COLUMN f SET STORAGE external, ALTER COLUMN c SET STORAGE external;
INSERT INTO damaged (kind, what, f)
SELECT name, what, pg_temp.as_stored(substr(bytes, 1, 64), hashes)
FROM payload, (VALUES
	('intact', '\x010000000000000002000000000000000300000000000000'::bytea),
	('descending', '\x030000000000000002000000000000000100000000000000'),
	('equal', '\x010000000000000002000000000000000200000000000000')) AS v (what, hashes)
WHERE name IN ('sparse', 'unsized');
INSERT INTO damaged (kind, what, c)
SELECT 'counting', what, pg_temp.as_stored_counting(substr(bytes, 1, 64), list)
FROM (SELECT substr(c::bytea, 5) FROM bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2, 3]) AS c) AS s (bytes), (VALUES
	('intact', '\x010000000000000002000000000000000300000000000000010203'::bytea),
	('descending', '\x030000000000000002000000000000000100000000000000010203'),
	('count 0', '\x010000000000000002000000000000000300000000000000010003'),
	('count 16', '\x010000000000000002000000000000000300000000000000010210')) AS v (what, list);
-- long enough to be stored out of line, with two neighbours exchanged
INSERT INTO damaged (kind, what, f)
SELECT 'out of line', what, pg_temp.as_stored(substr(bytes, 1, 64 + 8 * 500),
	CASE what WHEN 'intact' THEN substr(bytes, 65 + 8 * 500) ELSE
		substr(bytes, 65 + 8 * 501, 8) || substr(bytes, 65 + 8 * 500, 8) || substr(bytes, 65 + 8 * 502) END)
FROM unnest(ARRAY['intact', 'descending']) AS what,
	(SELECT substr(f::bytea, 5, octet_length(f::bytea) - 8) FROM bloom_add_all(bloom_create(100000), ARRAY(SELECT generate_series(1, 1000))) AS f) AS s (bytes);
-- Whoever reads the list from end to end sees it.
CREATE FUNCTION pg_temp.outcome(call text, row_id tid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text;
	detail text;
BEGIN
	EXECUTE format('SELECT %s FROM damaged WHERE ctid = %L', call, row_id) INTO message;
	RETURN 'fine';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN SQLSTATE || ' ' || message || ': ' || detail;
END $$;
SELECT kind, what, outcome, string_agg(call, '; ' ORDER BY i) AS calls
FROM damaged, unnest(CASE kind
	WHEN 'counting' THEN ARRAY['c::text', 'c::bytea', 'bloom_info(c)', 'bloom_add(c, 1)', 'c + c', 'c - c', 'c::bloomfilter']
	WHEN 'unsized' THEN ARRAY['f::text', 'f::bytea', 'bloom_info(f)', 'f | f', 'f & f', 'bloomfilter_hash(f)']
	ELSE ARRAY['f::text', 'f::bytea', 'bloom_info(f)', 'f | f', 'f & f', 'bloomfilter_hash(f)', 'bloom_is_superset(f, f)',
		'bloom_union_cardinality(f, f)', 'bloom_shrink(f, 1)', 'bloom_union_agg(f)', 'bloom_add(f, 1)'] END) WITH ORDINALITY AS u (call, i),
	pg_temp.outcome(call, damaged.ctid) AS outcome
GROUP BY kind, what, outcome ORDER BY kind COLLATE "C", what COLLATE "C", outcome COLLATE "C";
-- the planner takes no estimate from such a list, and raises no error (a constant
-- in a condition would be printed by whatever shows plans)
SELECT format('SELECT count(*) AS members FROM generate_series(1, 3) x WHERE (SELECT pg_temp.as_stored(%L, %L)) @> x', substr(bytes, 1, 64),
	'\x030000000000000002000000000000000100000000000000'::bytea)
FROM payload WHERE name = 'sparse' \gexec
DROP TABLE damaged;

-- A compressed value whose header claims 4096 bytes (with the lowest byte first), and
-- which has 7; from a function that the planner does not call
CREATE FUNCTION pg_temp.compressed(cstring) RETURNS bloomfilter LANGUAGE internal STRICT AS 'uuid_in';
SELECT bloom_create_like(pg_temp.compressed('42000000-0010-0000-0001-014000070100'));
SELECT bloom_compatible(pg_temp.compressed('42000000-0010-0000-0001-014000070100'), bloom_create(1));

DROP AGGREGATE corrupt_state ("any");
SET client_min_messages = warning;
DROP SCHEMA "corrupt, (1)" CASCADE;
