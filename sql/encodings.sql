-- The database's encoding: text hashes the same in all of them, filters travel
-- between them as text and as bytea, whatever their types are called, and what
-- a type's own function hashes otherwise in another encoding is an error, never
-- a "no".  So is text that is not ASCII in SQL_ASCII.
\set main_database :DBNAME
SET client_min_messages = warning;
SET client_encoding = 'UTF8';
DROP DATABASE IF EXISTS regress_bloom_utf8;
DROP DATABASE IF EXISTS regress_bloom_latin1;
DROP DATABASE IF EXISTS regress_bloom_win1252;
DROP DATABASE IF EXISTS regress_bloom_euc_jp;
DROP DATABASE IF EXISTS regress_bloom_ascii;
DROP DATABASE IF EXISTS regress_bloom_icu;
CREATE DATABASE regress_bloom_utf8 TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C';
CREATE DATABASE regress_bloom_latin1 TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C';
CREATE DATABASE regress_bloom_win1252 TEMPLATE template0 ENCODING 'WIN1252' LOCALE_PROVIDER libc LOCALE 'C';
CREATE DATABASE regress_bloom_euc_jp TEMPLATE template0 ENCODING 'EUC_JP' LOCALE_PROVIDER libc LOCALE 'C';
CREATE DATABASE regress_bloom_ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C';
CREATE DATABASE regress_bloom_icu TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu LOCALE 'C' ICU_LOCALE 'und';

-- What every database is set up with.
SELECT $setup$
	SET client_min_messages = warning;
	SET client_encoding = 'UTF8';
	CREATE EXTENSION bloomfilter;
	CREATE EXTENSION citext;
	CREATE TYPE numbers AS RANGE (subtype = int4);
	CREATE TYPE phrases AS RANGE (subtype = text);
	CREATE TYPE bytewise AS RANGE (subtype = text, collation = "C");

	-- Words that Latin-1 has, and some that EUC-JP has, given as UTF-8: nothing,
	-- a, cafe with an acute accent, y with a diaeresis, n with a tilde and a
	-- blank, an accented e behind a blank; three of ideographs.
	CREATE FUNCTION words(range text) RETURNS TABLE (n bigint, w text) LANGUAGE sql AS $$
		SELECT n, convert_from(w, 'UTF8')
		  FROM unnest(CASE range WHEN 'latin' THEN ARRAY['\x', '\x61', '\x636166c3a9', '\xc3bf', '\xc3b16120', '\x20c3a9']::bytea[]
								 WHEN 'japanese' THEN ARRAY['\xe697a5e69cac', '\xe697a5', '\x61e69cac20']::bytea[] END)
		  WITH ORDINALITY AS a (w, n)
	$$;
	-- hashes and shards of these words in all types of text
	CREATE FUNCTION hashes(range text) RETURNS text LANGUAGE sql AS $$
		SELECT string_agg(format('%s %s %s %s %s %s', bloom_hash(w), bloom_hash(w::varchar), bloom_hash(w::name),
								 bloom_hash(w::char(9)), bloom_hash(w, 42), bloom_shard(w, 1000000)), ', ' ORDER BY n)
		  FROM words(range)
	$$;
	-- a filter of one value
	CREATE FUNCTION built(type text, value text) RETURNS bloomfilter LANGUAGE plpgsql AS $$
	DECLARE
		filter bloomfilter;
	BEGIN
		EXECUTE format('SELECT bloom_add(bloom_create(100), %L::%s)', value, type) INTO filter;
		RETURN filter;
	END $$;
	-- hashes of a value of each family that is not text
	CREATE FUNCTION other_hashes() RETURNS text LANGUAGE sql AS $$
		SELECT format('%s %s %s %s %s %s %s %s %s %s %s', bloom_hash(42), bloom_hash(0.5::float8), bloom_hash(true), bloom_hash(date '2020-02-29'),
			bloom_hash(time '12:34:56'), bloom_hash(timestamp '2020-02-29 12:34:56'), bloom_hash(timestamptz '2020-02-29 12:34:56+00'),
			bloom_hash('00112233-4455-6677-8899-aabbccddeeff'::uuid), bloom_hash('\x00e9ff'::bytea), bloom_hash(42::oid), bloom_hash((-23)::"char"))
	$$;
	-- What a filter's hashes are recorded to depend on.
	CREATE FUNCTION recorded(filter bloomfilter) RETURNS text LANGUAGE sql AS $$
		SELECT concat_ws(', ', CASE WHEN env & 3 > 0 THEN 'byte order' END, CASE WHEN env & 12 > 0 THEN 'char' END,
				CASE WHEN env & 65280 > 0 THEN pg_encoding_to_char((env >> 8 & 255)::int - 1) END, CASE WHEN env >> 16 <> 0 THEN 'tag' END)
		  FROM (SELECT ('x' || substring(filter::text from ', env=([0-9a-f]{16}), '))::bit(64)::bigint AS env) e
	$$;
	-- Run a query whose $1 is the filter.  Tags are left out of the detail.
	CREATE FUNCTION caught(query text, filter bloomfilter, OUT state text, OUT message text, OUT detail text, OUT has_hint boolean)
	LANGUAGE plpgsql AS $$
	DECLARE
		hint text;
	BEGIN
		EXECUTE query INTO message USING filter;
		state := '00000';
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
		has_hint := hint <> '';
		detail := regexp_replace(detail, 'tag [0-9a-f]{12}', 'TAG', 'g');
	END $$;
$setup$ AS setup \gset

--
-- UTF8
--
\c regress_bloom_utf8
:setup
SHOW server_encoding;
SELECT hashes('latin') AS latin_hashes, hashes('japanese') AS japanese_hashes, other_hashes() \gset
-- different words have different hashes, the empty one too
SELECT count(*) AS words, count(DISTINCT bloom_hash(w)) AS hashes, sum(octet_length(w)) AS bytes, sum(length(w)) AS characters
  FROM (SELECT w FROM words('latin') UNION ALL SELECT w FROM words('japanese')) s;

-- Filters to take along: of text and of char(n), sparse, and dense with all
-- words of two letters from U+00C0 to U+00FF.
SELECT bloom_agg(w, 1000) AS latin_filter, bloom_agg(w::char(9), 1000) AS latin_bpchar_filter FROM words('latin') \gset
SELECT bloom_agg(w, 1000) AS japanese_filter FROM words('japanese') \gset
SELECT bloom_agg(chr(192 + i % 64) || chr(192 + i / 64), 4096) AS dense_filter FROM generate_series(0, 4095) i \gset
SELECT (bloom_info(:'latin_filter')).representation AS latin, (bloom_info(:'dense_filter')).representation AS dense;

-- Filters of types that are hashed by their own functions, each of one value.
CREATE TABLE own (n int, type text, value text, filter bloomfilter);
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT * FROM (VALUES (1, 'numeric', '1.5'), (2, 'citext', 'Abc'), (3, 'jsonb', '{"a": 1}'), (4, 'inet', '10.0.0.1'), (5, 'interval', '1 month'),
								   (6, 'timetz', '12:00+00'), (7, 'int4[]', '{1,2}'), (8, 'text[]', '{a,b}'), (9, 'citext[]', '{a,b}'), (10, 'int4range', '[1,5)'),
								   (11, 'int4multirange', '{[1,5)}'), (12, 'macaddr', '08:00:2b:01:02:03'), (13, '"char"[]', '{a}'), (14, 'name[]', '{a}'),
								   (15, 'numbers', '[1,5)'), (16, 'phrases', '[a,b)'), (17, 'bytewise', '[a,b)'), (18, 'numrange', '[1,5)'), (19, 'float8[]', '{0.5}'),
								   (20, 'xid8', '7'), (21, 'tid', '(1,2)')) s (n, type, value)
	LOOP
		EXECUTE format('INSERT INTO own SELECT %s, %L, %L, bloom_add(bloom_create(100), %3$L::%2$s)', t.n, t.type, t.value);
	END LOOP;
END $$;
SELECT array_agg(type ORDER BY n) AS own_types, array_agg(value ORDER BY n) AS own_values, array_agg(filter ORDER BY n) AS own_filters,
       md5(string_agg(filter::bytea, '' ORDER BY n)) AS own_md5
  FROM own \gset
SELECT type, recorded(filter) FROM own ORDER BY n;

-- A type whose name is not ASCII, U+00E9 in it; one that Latin-1 has no name
-- for, U+0142; and one that Windows has a name for, U+20AC.
CREATE SCHEMA U&"sch\00e9ma";
CREATE TYPE U&"sch\00e9ma".U&"dur\00e9e" AS RANGE (subtype = int4);
CREATE TYPE U&"d\0142ugo" AS RANGE (subtype = int4);
CREATE TYPE U&"\20ac" AS RANGE (subtype = int4);
SELECT bloom_add(bloom_create(100), U&"sch\00e9ma".U&"dur\00e9e"(1, 5)) AS named_filter,
       bloom_add(bloom_create(100), U&"d\0142ugo"(1, 5)) AS polish_filter, bloom_add(bloom_create(100), U&"\20ac"(1, 5)) AS euro_filter \gset
-- their text is ASCII
SELECT :'named_filter', :'polish_filter', :'euro_filter' \gx
SELECT md5(:'named_filter'::bloomfilter::bytea) AS named_md5, :'polish_filter'::bloomfilter::bytea AS polish_bytea \gset
SELECT (bloom_info(:'named_filter')).element_type = U&'"sch\00e9ma"."dur\00e9e"' AS name, (bloom_info(:'polish_filter')).element_type = U&'public."d\0142ugo"' AS other_name,
       :'named_filter'::bloomfilter::text = :'named_filter' AS round_trip, :'named_filter'::bloomfilter @> U&"sch\00e9ma".U&"dur\00e9e"(1, 5) AS found,
       :'named_filter'::bloomfilter @> U&"sch\00e9ma".U&"dur\00e9e"(1, 6) AS absent;
-- one brought through a client of another encoding is the same
SET client_encoding = 'LATIN1';
SELECT bloom_add(bloom_create(100), U&"sch\00e9ma".U&"dur\00e9e"(1, 5)) AS latin1_client_filter \gset
SELECT md5(:'latin1_client_filter'::bloomfilter::bytea) = :'named_md5' AS same_value;
SET client_encoding = 'UTF8';

--
-- LATIN1
--
\c regress_bloom_latin1
:setup
SHOW server_encoding;
-- other bytes, the same hashes
SELECT count(*) AS words, sum(octet_length(w)) AS bytes, sum(length(w)) AS characters FROM words('latin');
SELECT hashes('latin') = :'latin_hashes' AS text_hashes, other_hashes() = :'other_hashes' AS other_hashes;
-- the filters are the same ones, and they answer right
SELECT bloom_agg(w, 1000) = :'latin_filter' AS same_filter, bloom_agg(w, 1000)::text = :'latin_filter' AS same_text,
       bloom_agg(w::char(9), 1000) = :'latin_bpchar_filter' AS same_bpchar_filter,
       bool_and(:'latin_filter'::bloomfilter @> w) AS all_found, bool_or(:'latin_filter'::bloomfilter @> (w || U&'\00e9')) AS absent_found
  FROM words('latin');
SELECT bool_and(:'latin_bpchar_filter'::bloomfilter @> w) AS all_found, bool_and(:'latin_bpchar_filter'::bloomfilter @> w::char(30)) AS as_char,
       bool_or(:'latin_bpchar_filter'::bloomfilter @> (w || U&'\00e9')) AS absent_found
  FROM words('latin');
SELECT :'latin_filter'::bloomfilter @> U&'caf\00e9' AS literal, :'latin_filter'::bloomfilter @> U&'caf\00e8' AS other_literal,
       bloom_agg(U&'caf\00e9') = bloom_agg(U&'caf\00e9'::text) AS agg_of_literal, bloom_agg(U&'caf\00e9') @> U&'caf\00e9'::name AS as_name,
       bloom_contains_any(:'latin_filter', ARRAY['x', U&'caf\00e9']) AS any_of, bloom_contains_all(:'latin_filter', ARRAY['x', U&'caf\00e9']) AS all_of
  FROM generate_series(1, 2);
SELECT bloom_agg(w, 4096) = :'dense_filter' AS same_filter, count(*) FILTER (WHERE :'dense_filter'::bloomfilter @> w) AS found,
       count(*) FILTER (WHERE :'dense_filter'::bloomfilter @> (w || 'x')) < 82 AS below_2_percent
  FROM (SELECT chr(192 + i % 64) || chr(192 + i / 64) AS w FROM generate_series(0, 4095) i) s;
-- combined with filters that were built here
SELECT (f | g) @> U&'\00fc' AS added, (f | g) @> U&'caf\00e9' AS kept, (f & g) @> U&'caf\00e9' AS common, (f & g) @> U&'\00ff' AS not_common
  FROM (SELECT :'latin_filter'::bloomfilter AS f, bloom_add_all(bloom_create(1000), ARRAY[U&'\00fc', U&'caf\00e9']) AS g) s;
SELECT bloom_agg(w || U&'\00df', 100) AS back_filter FROM words('latin') \gset

-- What a type's own function hashed in another encoding keeps its value, and
-- is as good here if the hash does not depend on that.  Else it can be looked
-- at and compared with =, and nothing else.
CREATE TABLE own AS
SELECT n, type, value, filter
  FROM unnest(:'own_types'::text[], :'own_values'::text[], :'own_filters'::bloomfilter[]) WITH ORDINALITY AS o (type, value, filter, n);
SELECT md5(string_agg(filter::bytea, '' ORDER BY n)) = :'own_md5' AS same_values, array_agg(filter::text ORDER BY n)::text = :'own_filters' AS same_text,
       sum(bloom_cardinality(filter)) AS cardinality, string_agg((bloom_info(filter)).element_type, ', ' ORDER BY n) AS types
  FROM own;
SELECT type, recorded(filter) AS there, recorded(l) AS here, filter = l AS same, state, message, detail, has_hint
  FROM own, LATERAL caught(format('SELECT $1 @> %L::%s', value, type), filter), LATERAL built(type, value) AS l ORDER BY n;
-- x: the value, l: a filter of it that was built here
SELECT operation, state, count(*) AS types, count(*) FILTER (WHERE detail LIKE '%encoding UTF8%' AND detail LIKE '%encoding LATIN1%' AND has_hint) AS with_detail
  FROM own, (VALUES ('bloom_contains($1, x)'), ('x <@ $1'), ('bloom_add($1, x)'), ('$1 | l'), ('l | $1'), ('$1 & l'), ('bloom_is_superset($1, l)'), ('bloom_jaccard(l, $1)'),
                    ('bloom_union_cardinality($1, l)'), ('(SELECT bloom_union_agg(u) FROM unnest(ARRAY[$1, l]) u)'), ('(SELECT bloom_intersection_agg(u) FROM unnest(ARRAY[$1, l]) u)')) o (operation),
       LATERAL caught(format('SELECT %s FROM (SELECT %L::%s AS x, bloom_add(bloom_create(100), %2$L::%3$s) AS l) s', operation, value, type), filter)
 GROUP BY operation, state ORDER BY operation COLLATE "C", state;
SELECT detail FROM own, caught('SELECT $1 | bloom_add(bloom_create(100), ''{"a": 1}''::jsonb)', filter) WHERE type = 'jsonb';
SELECT message AS equal, state, count(*) AS types
  FROM own, LATERAL caught(format('SELECT $1 = bloom_add(bloom_create(100), %L::%s)', value, type), filter) GROUP BY 1, 2 ORDER BY 1, 2;
-- not so what has no value of them: it takes any
SELECT state, message = filter::text AS same, count(*) FROM own, LATERAL caught('SELECT $1 | bloom_create(100)', filter) GROUP BY 1, 2;

-- A type's name that is not ASCII
SELECT md5(:'named_filter'::bloomfilter::bytea) = :'named_md5' AS same_value, :'named_filter'::bloomfilter::text = :'named_filter' AS round_trip,
       (bloom_info(:'named_filter')).element_type = U&'"sch\00e9ma"."dur\00e9e"' AS name, octet_length((bloom_info(:'named_filter')).element_type) AS bytes_in_name;
CREATE SCHEMA U&"sch\00e9ma";
CREATE TYPE U&"sch\00e9ma".U&"dur\00e9e" AS RANGE (subtype = int4);
SELECT bloom_add(bloom_create(100), U&"sch\00e9ma".U&"dur\00e9e"(1, 5)) = :'named_filter' AS same_here,
       :'named_filter'::bloomfilter @> U&"sch\00e9ma".U&"dur\00e9e"(1, 5) AS found, :'named_filter'::bloomfilter @> U&"sch\00e9ma".U&"dur\00e9e"(1, 6) AS absent;
SELECT state, detail = U&'The filter holds values of type "sch\00e9ma"."dur\00e9e", the value is of type integer.' AS detail
  FROM caught('SELECT $1 @> 1', :'named_filter');
DROP TYPE U&"sch\00e9ma".U&"dur\00e9e";
CREATE TYPE U&"sch\00e9ma".U&"dur\00e9e" AS RANGE (subtype = int8);
SELECT state, message = U&'bloomfilter of type "sch\00e9ma"."dur\00e9e" was built in another environment' AS message, detail
  FROM caught('SELECT $1 @> U&"sch\00e9ma".U&"dur\00e9e"(1, 5)', :'named_filter');
-- One that cannot be written here is shown as its text has it, and goes through
-- every form.  It is of another type than any that there can be here, and that
-- is what errors say.
SELECT (:'polish_bytea'::bytea)::bloomfilter::bytea = :'polish_bytea' AS bytea, :'polish_filter'::bloomfilter::bytea = :'polish_bytea' AS text,
       (:'polish_bytea'::bytea)::bloomfilter::text = :'polish_filter' AS as_text, (bloom_info(:'polish_filter'::bloomfilter)).element_type,
       bloom_cardinality(:'polish_filter'::bloomfilter) AS cardinality;
CREATE TABLE polish (f bloomfilter);
INSERT INTO polish VALUES (:'polish_filter');
\copy polish TO 'results/encodings.data'
\copy polish FROM 'results/encodings.data'
SELECT count(*), count(DISTINCT f::text) FROM polish;
SELECT state, message, detail, has_hint
  FROM (VALUES ('$1 @> 1'), ('$1 @> ''x''::text'), ('$1 @> ''[1,5)''::numbers'), ('bloom_add($1, 1)'), ('$1 | bloom_add(bloom_create(100), 1)'), ('bloom_is_superset(bloom_add(bloom_create(100), 1), $1)')) o (operation),
       LATERAL caught('SELECT ' || operation, :'polish_filter') ORDER BY operation COLLATE "C";

--
-- WIN1252, which has a character that Latin-1 has not, and bytes that are none
--
\c regress_bloom_win1252
:setup
SHOW server_encoding;
SELECT hashes('latin') = :'latin_hashes' AS text_hashes;
CREATE TYPE U&"\20ac" AS RANGE (subtype = int4);
SELECT bloom_add(bloom_create(100), U&"\20ac"(1, 5)) = :'euro_filter' AS same_filter, (bloom_info(:'euro_filter')).element_type = U&'public."\20ac"' AS name,
       octet_length((bloom_info(:'euro_filter')).element_type) AS bytes, :'euro_filter'::bloomfilter @> U&"\20ac"(1, 5) AS found;
-- text that is none cannot be hashed, and a type's name that is none cannot be
-- recorded
DO $$ BEGIN EXECUTE E'CREATE TYPE "na\201me" AS RANGE (subtype = int4)'; END $$;
SELECT operation, state, CASE WHEN state = '0A000' THEN detail END AS detail
  FROM (VALUES ('text', E'bloom_add($1, E''a\\201''::text)'), ('contains', E'bloom_contains($1, E''a\\201''::text)'), ('type', E'bloom_add($1, "na\201me"(1, 5))'),
               ('array', E'$1 @> ARRAY["na\201me"(1, 5)]'), ('multirange', E'bloom_hash(multirange("na\201me"(1, 5)))')) o (operation, call),
       LATERAL caught('SELECT ' || call, bloom_create(10)) ORDER BY operation;

--
-- EUC_JP, of up to three bytes a character
--
\c regress_bloom_euc_jp
:setup
SHOW server_encoding;
SELECT count(*) AS words, sum(octet_length(w)) AS bytes, sum(length(w)) AS characters FROM words('japanese');
SELECT hashes('japanese') = :'japanese_hashes' AS text_hashes, other_hashes() = :'other_hashes' AS other_hashes;
SELECT bloom_agg(w, 1000) = :'japanese_filter' AS same_filter, bloom_agg(w, 1000)::text = :'japanese_filter' AS same_text,
       bool_and(:'japanese_filter'::bloomfilter @> w) AS all_found, bool_or(:'japanese_filter'::bloomfilter @> (w || 'x')) AS absent_found,
       bool_and(:'japanese_filter'::bloomfilter @> w::char(9)) FILTER (WHERE w NOT LIKE '% ') AS found_as_char,
       bool_and(bloom_add(bloom_create(10), w::char(9)) @> w) AS all_found_in_bpchar
  FROM words('japanese');
SELECT :'latin_filter'::bloomfilter @> 'a' AS found, :'latin_filter'::bloomfilter @> 'b' AS absent;

--
-- SQL_ASCII: ASCII only
--
\c regress_bloom_ascii
:setup
SHOW server_encoding;
-- filters of ASCII text travel, and those of the rest are not asked what they cannot know
SELECT other_hashes() = :'other_hashes' AS other_hashes, :'latin_filter'::bloomfilter @> 'a' AS found, :'latin_filter'::bloomfilter @> 'b' AS absent,
       :'latin_bpchar_filter'::bloomfilter @> 'a'::char(9) AS found_in_bpchar,
       bloom_is_superset(:'latin_filter', bloom_add(bloom_create_like(:'latin_filter'), 'a')) AS same_hash;
SELECT query, c.*
  FROM unnest(ARRAY['$1 @> E''caf\303\251''', '$1 @> E''caf\303\251''::name', '$1 @> E''caf\303\251''::varchar', '$1 @> E''caf\303\251''::char(9)',
					'$1 @> E''caf\351''', 'bloom_contains_any($1, ARRAY[E''caf\351''])', 'bloom_contains_all($1, ARRAY[E''caf\351''])',
					'bloom_add($1, E''caf\351'')', 'bloom_add_all($1, ARRAY[E''caf\351''])', '(bloom_add_new($1, ARRAY[E''caf\351''])).filter',
					'bloom_agg(E''caf\351''::text)', 'bloom_agg(E''caf\351''::char(9))', 'counting_bloom_agg(E''caf\351''::text, 10)',
					'bloom_remove(counting_bloom_agg(''a''::text, 10), E''caf\351'')', 'bloom_count(counting_bloom_agg(''a''::text, 10), E''caf\351'')',
					'bloom_hash(E''caf\351'')', 'bloom_shard(E''caf\351'', 10)']) WITH ORDINALITY AS q (query, n),
       LATERAL caught('SELECT ' || query, :'latin_filter') c
 ORDER BY n;
-- nor do sets take them
SELECT bloom_set_create('words_seen', 1000);
SELECT bloom_set_add('words_seen', 'a');
SELECT bloom_set_contains('words_seen', 'a');
SELECT state, message FROM unnest(ARRAY['add', 'contains']) f, LATERAL caught(format('SELECT bloom_set_%s(''words_seen'', E''caf\351'')', f), NULL);
-- as bytea they are what they are
SELECT bloom_add(bloom_create(10), convert_to(E'\377\376', 'SQL_ASCII')) @> convert_to(E'\377\376', 'SQL_ASCII') AS bytes_of_no_encoding;
-- another server's test of what it has in SQL_ASCII lets everything pass
SELECT bloomfilter_may_match(:'latin_filter', w, 'text') AS passes, count(*) FROM unnest(ARRAY['b', E'caf\351']) w GROUP BY 1;
-- an index takes every text, but does not tell its filter
CREATE TABLE indexed AS SELECT w, w::char(9) AS c FROM unnest(ARRAY['a', E'caf\351']) w;
CREATE INDEX indexed_w ON indexed USING bloomfilter (w) WITH (scope = 'table');
CREATE INDEX indexed_c ON indexed USING bloomfilter (c) WITH (scope = 'table');
INSERT INTO indexed VALUES (E'\377', E'\377');
SET enable_seqscan = off;
SELECT count(*) FROM indexed WHERE w = E'caf\351' UNION ALL SELECT count(*) FROM indexed WHERE w = E'\377' UNION ALL SELECT count(*) FROM indexed WHERE c = E'\377';
SELECT bloom_index_contains('indexed_w', w) AS found, count(*) FROM indexed GROUP BY 1;
SELECT bloom_index_contains('indexed_w', E'absent\351') AS found;
SELECT c.* FROM unnest(ARRAY['indexed_w', 'indexed_c']) i, LATERAL caught(format('SELECT bloom_index_filter(%L)', i), NULL) c;
CREATE INDEX indexed_n ON indexed USING bloomfilter (length(w)) WITH (scope = 'table');
SELECT bloom_index_filter('indexed_n') @> 1 AS filter_of_numbers;
SELECT state, message, detail
  FROM unnest(:'own_types'::text[], :'own_values'::text[], :'own_filters'::bloomfilter[]) WITH ORDINALITY AS o (type, value, filter, n),
       LATERAL caught(format('SELECT $1 @> %L::%s', value, type), filter) WHERE type IN ('citext', 'numeric', 'text[]') ORDER BY n;
-- the non-ASCII name, too
SELECT md5(:'named_filter'::bloomfilter::bytea) = :'named_md5' AS same_value, :'named_filter'::bloomfilter::text = :'named_filter' AS round_trip,
       (bloom_info(:'named_filter')).element_type = E'"sch\303\251ma"."dur\303\251e"' AS name;
SELECT md5(:'polish_filter'::bloomfilter::bytea) = md5(:'polish_bytea'::bytea) AS same_value;
-- a name that is not UTF-8 cannot be recorded
DO $$ BEGIN EXECUTE E'CREATE TYPE "dur\351e" AS RANGE (subtype = int4)'; END $$;
SELECT state, detail FROM caught(E'SELECT bloom_hash("dur\351e"(1, 5))', NULL);
SELECT state, detail FROM caught(E'SELECT bloom_contains(bloom_create(10), "dur\351e"(1, 5))', NULL);
-- one that is, is the same as elsewhere
DO $$ BEGIN EXECUTE E'CREATE SCHEMA "sch\303\251ma"'; EXECUTE E'CREATE TYPE "sch\303\251ma"."dur\303\251e" AS RANGE (subtype = int4)'; END $$;
SELECT message AS found FROM caught(E'SELECT $1 @> "sch\303\251ma"."dur\303\251e"(1, 5)', :'named_filter');

--
-- UTF8 with another locale: that matters to ranges that are ordered by it, and
-- to types of which nothing is known
--
\c regress_bloom_icu
:setup
SHOW server_encoding;
SELECT hashes('latin') = :'latin_hashes' AS latin, hashes('japanese') = :'japanese_hashes' AS japanese, other_hashes() = :'other_hashes' AS other_hashes;
SELECT type, state, message AS found_or_error, detail
  FROM unnest(:'own_types'::text[], :'own_values'::text[], :'own_filters'::bloomfilter[]) WITH ORDINALITY AS o (type, value, filter, n),
       LATERAL caught(format('SELECT $1 @> %L::%s', value, type), filter)
 ORDER BY n;

--
-- Back in UTF8
--
\c regress_bloom_utf8
SET client_encoding = 'UTF8';
SELECT bloom_agg(w || U&'\00df', 100) = :'back_filter' AS same_filter, bool_and(:'back_filter'::bloomfilter @> (w || U&'\00df')) AS all_found FROM words('latin');
SELECT count(*) AS types, count(*) FILTER (WHERE o.filter = own.filter) AS equal, count(*) FILTER (WHERE message = 'true') AS found
  FROM unnest(:'own_types'::text[], :'own_values'::text[], :'own_filters'::bloomfilter[]) o (type, value, filter) JOIN own USING (type),
       LATERAL caught(format('SELECT $1 @> %L::%s', o.value, type), o.filter);

\c :main_database
DROP DATABASE regress_bloom_utf8;
DROP DATABASE regress_bloom_latin1;
DROP DATABASE regress_bloom_win1252;
DROP DATABASE regress_bloom_euc_jp;
DROP DATABASE regress_bloom_ascii;
DROP DATABASE regress_bloom_icu;
