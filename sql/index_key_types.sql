-- Filter indexes of the keys of documents, and of types of extensions and users.
SET jit = off;
SET enable_indexscan = off;
SET enable_seqscan = off;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/by_index.sql'
\i :helpers

--
-- Documents: words with positions and weights, and without any
--
CREATE TABLE documents (id int, words tsvector) WITH (autovacuum_enabled = off);
CREATE FUNCTION add_documents(first int, last int) RETURNS void LANGUAGE sql AS $$
	INSERT INTO documents SELECT g, setweight(to_tsvector('simple', 'title ' || g), 'A') || to_tsvector('simple', 'the quick fox number ' || g % 500 || ' jumps over dog' || g % 3) FROM generate_series(first, last) g
$$;
SELECT add_documents(1, 5000);
INSERT INTO documents VALUES (0, ''), (0, NULL), (0, 'lonely'), (0, 'both:1A,5B');
CREATE INDEX documents_bf ON documents USING bloomfilter (words tsvector_key_ops);
SELECT add_documents(5001, 10000);
INSERT INTO documents VALUES (1, ''), (1, NULL), (1, 'lonely');
SELECT bloom_index_check('documents_bf');
SELECT condition, by_index('documents', condition)
  FROM (VALUES ('words @@ ''4711'''), ('words @@ ''9999'''), ('words @@ ''nothing'''), ('words @@ ''fox & 4711'''), ('words @@ ''4711 & !fox'''), ('words @@ ''4711 & !cat'''),
	('words @@ ''!fox'''), ('words @@ ''!fox & !lonely'''), ('words @@ ''4711 | 9999'''), ('words @@ ''lonely | nothing'''), ('words @@ ''!nothing'''),
	('words @@ ''(4711 | 9999) & (dog0 | dog1)'''), ('words @@ ''title:A & 4711:A'''), ('words @@ ''4711:B'''), ('words @@ ''title <-> 4711'''), ('words @@ ''4711 <-> title'''),
	('words @@ ''fox <2> 77'''), ('words @@ ''!fox <-> number'''), ('words @@ ''lone:*'''), ('words @@ ''lone:* & 4711'''), ('words @@ ''471:* & fox'''), ('words @@ ''both:B'''),
	('words @@ ANY (ARRAY[''nothing'', NULL, ''9999'', ''lonely'']::tsquery[])'), ('words @@ ANY (ARRAY[''nothing'', ''fox:*'']::tsquery[])'), ('words @@ ANY (''{}''::tsquery[])'),
	('words @@ plainto_tsquery(''simple'', ''quick 4711'')')) AS c (condition);
SELECT pages_read('SELECT * FROM documents WHERE words @@ ''4711''') < 5 AS few, pages_read('SELECT * FROM documents WHERE words @@ ''4711 & !cat & fox''') < 5 AS few_of_all;
DROP TABLE documents;

--
-- jsonb: objects, arrays, scalars, nested, NULL; numbers written differently
--
CREATE TABLE logs (id int, doc jsonb) WITH (autovacuum_enabled = off);
CREATE FUNCTION add_logs(first int, last int) RETURNS void LANGUAGE sql AS $$
	INSERT INTO logs SELECT g, jsonb_build_object('level', 'level ' || g % 4, 'user', jsonb_build_object('id', g, 'tags', jsonb_build_array('tag ' || g % 900, 'all')), 'rare ' || g % 700, NULL) FROM generate_series(first, last) g
$$;
SELECT add_logs(1, 5000);
CREATE INDEX logs_keys ON logs USING bloomfilter (doc jsonb_key_ops);
CREATE INDEX logs_paths ON logs USING bloomfilter (doc jsonb_path_key_ops);
INSERT INTO logs SELECT 0, d::jsonb FROM unnest(ARRAY['{}', '[]', 'null', '"foo"', '5', 'true', '["foo", "bar"]', '[[["deep"]]]', '{"a": {}}', '{"a": []}', '{"n": 10.50}', '{"n": [1e2, -0.0]}', '{"": ""}', '[null]', '{"a": "b", "c": {"a": "d"}}', NULL]) d;
SELECT add_logs(5001, 9000);
SELECT bloom_index_check('logs_keys'), bloom_index_check('logs_paths');
CREATE TEMPORARY TABLE conditions AS
SELECT * FROM (VALUES (1, 'doc @> ''{"user": {"id": 4711}}'''), (2, 'doc @> ''{"user": {"id": 4711.0}, "level": "level 3"}'''), (3, 'doc @> ''{"user": {"tags": ["tag 77"]}}'''), (4, 'doc @> ''{}'''), (5, 'doc @> ''[]'''),
	(6, 'doc @> ''"foo"'''), (7, 'doc @> ''["foo"]'''), (8, 'doc @> ''null'''), (9, 'doc @> ''5'''), (10, 'doc @> ''[[["deep"]]]'''), (11, 'doc @> ''{"a": {}}'''), (12, 'doc @> ''{"a": []}'''), (13, 'doc @> ''{"n": 10.5}'''),
	(14, 'doc @> ''{"n": [100, 0]}'''), (15, 'doc @> ''{"": ""}'''), (16, 'doc @> ''[null]'''), (17, 'doc @> ''{"rare 77": null}'''), (18, 'doc @> ANY (ARRAY[''{"user": {"id": 4711}}'', ''{"user": {"id": 8000}}'', NULL]::jsonb[])'),
	(19, 'doc @? ''$.user.id ? (@ == 4711)'''), (20, 'doc @? ''$.** ? (@ == "deep")'''), (21, 'doc @? ''$.user.tags[*] ? (@ == "tag 77")'''), (22, 'doc @? ''$.user.id ? (@ > 8990)'''), (23, 'doc @? ''$.a'''),
	(24, 'doc @@ ''$.user.id == 4711'''), (25, 'doc @@ ''$.user.id == 4711 || $.user.id == 8000'''), (26, 'doc @@ ''$.user.id == 4711 && !($.level == "level 3")'''), (27, 'doc @@ ''!($.user.id == 4711)'''), (28, 'doc @@ ''exists($.a.b) || $.c.a == "d"'''),
	(29, 'doc @@ ''strict $.n == 10.50'''), (30, 'doc @? ''lax $[*] ? (@ == "bar")'''),
	(31, 'doc ? ''rare 77'''), (32, 'doc ? ''foo'''), (33, 'doc ? '''''), (34, 'doc ? ''deep'''), (35, 'doc ? ANY (''{a,foo,NULL}'')'), (36, 'doc ?| ''{rare 77,foo,NULL}'''), (37, 'doc ?| ''{}'''), (38, 'doc ?& ''{level,rare 77}'''), (39, 'doc ?& ''{foo,bar}'''),
	(40, 'doc ?& ''{}'''), (41, 'doc ?& ''{foo,NULL}''')) AS c (n, condition);
SELECT n, condition, by_index('logs', condition) FROM conditions ORDER BY n;
DROP INDEX logs_keys;
SELECT n, by_index('logs', condition) FROM conditions WHERE n <= 30 ORDER BY n;
SELECT pages_read('SELECT * FROM logs WHERE doc @> ''{"user": {"id": 4711}}''') < 5 AS few, pages_read('SELECT * FROM logs WHERE doc @@ ''$.user.id == 4711 || $.user.id == 8000''') < 9 AS few_of_two;
DROP TABLE logs, conditions;

--
-- Types of extensions, by the functions of their GIN operator classes
--
CREATE EXTENSION pg_trgm;
CREATE OPERATOR CLASS trgm_key_ops FOR TYPE text USING bloomfilter AS
	OPERATOR 1 % (text, text), OPERATOR 3 ~~ (text, text), OPERATOR 4 ~~* (text, text), OPERATOR 5 ~ (text, text), OPERATOR 6 ~* (text, text),
	FUNCTION 1 hashint4extended(int, bigint), FUNCTION 2 gin_extract_value_trgm(text, internal),
	FUNCTION 3 gin_extract_query_trgm(text, internal, int2, internal, internal, internal, internal),
	FUNCTION 4 gin_trgm_triconsistent(internal, int2, text, int4, internal, internal, internal), STORAGE int4;
CREATE TABLE names (id int, name text) WITH (autovacuum_enabled = off);
CREATE INDEX names_bf ON names USING bloomfilter (name trgm_key_ops);
INSERT INTO names SELECT g, 'customer ' || md5(g::text) || ' of 100%' || repeat(' padding', 20) FROM generate_series(1, 3000) g;
INSERT INTO names VALUES (0, ''), (0, 'a'), (0, 'ab'), (0, NULL), (0, 'x_y'), (0, 'back\slash');
SELECT bloom_index_check('names_bf');
SELECT condition, by_index('names', condition)
  FROM (VALUES ('name LIKE ''%c4ca4238%'''), ('name LIKE ''%nosuchname%'''), ('name ILIKE ''%C4CA4238%'''), ('name LIKE ''a'''), ('name LIKE ''%a%'''), ('name LIKE ''%x\_y%'''), ('name LIKE ''%k\\s%'''), ('name LIKE ''%100\%%'''),
	('name LIKE ''%'''), ('name LIKE '''''), ('name ~ ''c4ca42[0-9]8'''), ('name ~ ''c4ca4238|eccbc87e'''), ('name ~ ''^a.?$'''), ('name ~* ''C4CA4238A'''), ('name ~ ''(nothing)?c4ca4238'''),
	('name LIKE ANY (''{%c4ca4238%,NULL,%eccbc87e%}'')'), ('name % ''ab''')) AS c (condition);
SELECT pages_read('SELECT * FROM names WHERE name LIKE ''%c4ca4238%''') < 10 AS few;
DROP TABLE names;
-- trigrams do not know what a collation calls equal
CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
CREATE TABLE loose (name text COLLATE loose, names text[] COLLATE loose);
CREATE INDEX ON loose USING bloomfilter (name trgm_key_ops);
-- elements do
CREATE INDEX ON loose USING bloomfilter (names array_key_ops);
DROP TABLE loose;
DROP COLLATION loose;
DROP OPERATOR FAMILY trgm_key_ops USING bloomfilter;
DROP EXTENSION pg_trgm;

-- A column whose type changes without another table: keys are of the class's type, not of the column's.
CREATE EXTENSION citext;
CREATE EXTENSION btree_gin;
CREATE OPERATOR CLASS own_key_ops FOR TYPE text USING bloomfilter AS
	OPERATOR 3 = (text, text), FUNCTION 2 gin_extract_value_text(text, internal),
	FUNCTION 3 gin_extract_query_text(text, internal, int2, internal, internal),
	FUNCTION 4 gin_btree_consistent(internal, int2, anyelement, int4, internal, internal);
CREATE TABLE folded (id int, c text) WITH (autovacuum_enabled = off);
INSERT INTO folded SELECT g, 'Value ' || g FROM generate_series(1, 1000) g;
CREATE INDEX folded_bf ON folded USING bloomfilter (c own_key_ops);
SELECT pg_relation_filenode('folded_bf') AS node \gset
ALTER TABLE folded ALTER c TYPE citext;
SELECT pg_relation_filenode('folded_bf') = :node AS same_file;
INSERT INTO folded VALUES (1001, 'Value 1001');
SELECT bloom_index_check('folded_bf'), by_index('folded', 'c::text = ''Value 77'''), by_index('folded', 'c::text = ''Value 1001''');
DROP TABLE folded;
DROP OPERATOR FAMILY own_key_ops USING bloomfilter;
DROP EXTENSION btree_gin, citext;

-- A type of elements that loses its hash function
SET client_min_messages = warning;
CREATE TYPE plain_text;
CREATE FUNCTION plain_in(cstring) RETURNS plain_text LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION plain_out(plain_text) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE plain_text (INPUT = plain_in, OUTPUT = plain_out, LIKE = text);
CREATE FUNCTION plain_eq(plain_text, plain_text) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'byteaeq';
CREATE FUNCTION plain_cmp(plain_text, plain_text) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'byteacmp';
CREATE FUNCTION plain_lt(plain_text, plain_text) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'bytealt';
CREATE OPERATOR = (LEFTARG = plain_text, RIGHTARG = plain_text, FUNCTION = plain_eq, COMMUTATOR = =, HASHES, MERGES);
CREATE OPERATOR < (LEFTARG = plain_text, RIGHTARG = plain_text, FUNCTION = plain_lt);
CREATE FUNCTION plain_hash(plain_text) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlena';
CREATE FUNCTION plain_hash(plain_text, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
CREATE OPERATOR CLASS plain_ops DEFAULT FOR TYPE plain_text USING hash AS
	OPERATOR 1 =, FUNCTION 1 plain_hash(plain_text), FUNCTION 2 plain_hash(plain_text, bigint);
CREATE OPERATOR CLASS plain_ops DEFAULT FOR TYPE plain_text USING btree AS
	OPERATOR 1 <, OPERATOR 3 =, FUNCTION 1 plain_cmp(plain_text, plain_text);
RESET client_min_messages;
CREATE TABLE lost (a plain_text[]) WITH (autovacuum_enabled = off);
INSERT INTO lost VALUES ('{x,y}'), ('{z}');
CREATE INDEX lost_bf ON lost USING bloomfilter (a array_key_ops);
SELECT count(*) FROM lost WHERE a @> '{x}';
DROP OPERATOR FAMILY plain_ops USING hash;
-- a session that did not know the function
\c -
\set VERBOSITY sqlstate
SET jit = off;
SET enable_indexscan = off;
SET enable_seqscan = off;
INSERT INTO lost VALUES ('{x}');
SELECT count(*) FROM lost WHERE a @> '{x}';
SELECT bloom_index_check('lost_bf');
CREATE INDEX ON lost USING bloomfilter (a array_key_ops);
\set VERBOSITY default
SET client_min_messages = warning;
DROP TABLE lost;
DROP TYPE plain_text CASCADE;
RESET client_min_messages;

CREATE EXTENSION hstore;
CREATE OPERATOR CLASS hstore_key_ops FOR TYPE hstore USING bloomfilter AS
	OPERATOR 7 @> (hstore, hstore), OPERATOR 9 ? (hstore, text), OPERATOR 10 ?| (hstore, text[]), OPERATOR 11 ?& (hstore, text[]),
	FUNCTION 1 hashtextextended(text, bigint), FUNCTION 2 gin_extract_hstore(hstore, internal),
	FUNCTION 3 gin_extract_hstore_query(hstore, internal, int2, internal, internal),
	FUNCTION 4 gin_consistent_hstore(internal, int2, hstore, int4, internal, internal), STORAGE text;
CREATE TABLE pairs (id int, p hstore) WITH (autovacuum_enabled = off);
CREATE INDEX pairs_bf ON pairs USING bloomfilter (p hstore_key_ops);
INSERT INTO pairs SELECT g, hstore(ARRAY['id', g::text, 'k' || g % 300, NULL, 'all', 'yes']) FROM generate_series(1, 5000) g;
INSERT INTO pairs VALUES (0, ''), (0, NULL), (0, 'a=>NULL'), (0, 'a=>1,b=>2,c=>3,d=>4,e=>5,f=>6');
SELECT bloom_index_check('pairs_bf');
SELECT condition, by_index('pairs', condition)
  FROM (VALUES ('p @> ''id=>77'''), ('p @> ''id=>77,all=>yes'''), ('p @> ''k77=>NULL'''), ('p @> ''77=>id'''), ('p @> '''''), ('p ? ''k77'''), ('p ? ''none'''), ('p ?| ''{none,a}'''), ('p ?| ''{}'''),
	('p ?& ''{k77,id}'''), ('p ?& ''{}'''), ('p @> ''a=>1,b=>2,c=>3,d=>4,e=>5,f=>6'''), ('p @> ''a=>1,b=>2,c=>3,d=>4,e=>6''')) AS c (condition);
SELECT pages_read('SELECT * FROM pairs WHERE p @> ''id=>77''') < 5 AS few;
DROP TABLE pairs;
DROP OPERATOR FAMILY hstore_key_ops USING bloomfilter;
DROP EXTENSION hstore;

CREATE EXTENSION intarray;
CREATE OPERATOR CLASS intarray_key_ops FOR TYPE int[] USING bloomfilter AS
	OPERATOR 3 && (int[], int[]), OPERATOR 6 = (anyarray, anyarray), OPERATOR 7 @> (int[], int[]), OPERATOR 8 <@ (int[], int[]), OPERATOR 20 @@ (int[], query_int),
	FUNCTION 1 hashint4extended(int, bigint), FUNCTION 2 ginarrayextract(anyarray, internal, internal),
	FUNCTION 3 ginint4_queryextract(int[], internal, int2, internal, internal, internal, internal),
	FUNCTION 4 ginint4_consistent(internal, int2, int[], int4, internal, internal, internal, internal), STORAGE int4;
CREATE TABLE sets (id int, s int[]) WITH (autovacuum_enabled = off);
CREATE INDEX sets_bf ON sets USING bloomfilter (s intarray_key_ops);
INSERT INTO sets SELECT g, ARRAY[g, g % 10 - 10, g % 100 - 200] FROM generate_series(1, 5000) g;
INSERT INTO sets VALUES (0, '{}'), (0, NULL), (0, '{1,2,3}'), (0, '{-5,-5}');
SELECT bloom_index_check('sets_bf');
SELECT condition, by_index('sets', condition)
  FROM (VALUES ('s @> ''{77}'''), ('s @> ''{77,-3}'''), ('s @> ''{}'''), ('s && ''{77,78}'''), ('s <@ ''{1,2,3,4,5}'''), ('s = ''{1,2,3}'''), ('s = ''{}'''), ('s @@ ''77&!-3'''), ('s @@ ''77&!5'''), ('s @@ ''!-1&!-2&!-3&!-4&!-5'''),
	('s @@ ''77|78|(5&!6)'''), ('s @@ ''!77'''), ('s @@ ''(-1|-2|-3|-4|-5|-6|-7|-8)&!-9'''), ('s @@ ''!-9&(-1|-2|-3|-4|-5|-6|-7|-8)'''), ('s @@ ''(-1|-2|-3|-4|-5|-6|-7|-8|-9|-10)&!77&77''')) AS c (condition);
SELECT pages_read('SELECT * FROM sets WHERE s @> ''{77}''') < 5 AS few, pages_read('SELECT * FROM sets WHERE s @@ ''77&!5''') < 5 AS few_without;
DROP TABLE sets;
DROP OPERATOR FAMILY intarray_key_ops USING bloomfilter;
DROP EXTENSION intarray;
--
-- Classes of users: a hash function that runs SQL and raises errors; what makes no sense
--
CREATE TABLE forbidden (key text);
INSERT INTO forbidden VALUES ('bad');
CREATE FUNCTION picky_hash(key text, seed bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF EXISTS (SELECT FROM public.forbidden f WHERE f.key = picky_hash.key) THEN
		RAISE EXCEPTION 'key % is forbidden', key;
	END IF;
	RETURN hashtextextended(key, seed);
END $$;
CREATE OPERATOR CLASS picky_key_ops FOR TYPE text[] USING bloomfilter AS
	OPERATOR 1 && (anyarray, anyarray), OPERATOR 2 @> (anyarray, anyarray),
	FUNCTION 1 picky_hash(text, bigint), FUNCTION 2 ginarrayextract(anyarray, internal, internal),
	FUNCTION 3 ginqueryarrayextract(anyarray, internal, int2, internal, internal, internal, internal),
	FUNCTION 4 ginarrayconsistent(internal, int2, anyarray, int4, internal, internal, internal, internal), STORAGE text;
CREATE TABLE picky (tags text[]) WITH (autovacuum_enabled = off);
INSERT INTO picky SELECT ARRAY['a' || g, 'b'] FROM generate_series(1, 1000) g;
\set VERBOSITY terse
CREATE INDEX picky_bf ON picky USING bloomfilter (tags picky_key_ops);
INSERT INTO picky VALUES ('{good,bad}');
INSERT INTO picky VALUES ('{good,fine}');
SELECT by_index('picky', 'tags @> ''{good,fine}'''), by_index('picky', 'tags @> ''{a7,b}'''), by_index('picky', 'tags && ''{a7,a8,good}'''), bloom_index_check('picky_bf');
SELECT count(*) FROM picky WHERE tags @> '{bad}';
BEGIN;
UPDATE picky SET tags = tags || ('n' || ctid::text);
UPDATE picky SET tags = tags || ('m' || ctid::text);
ROLLBACK;
UPDATE picky SET tags = tags || '{new}';
TRUNCATE forbidden;
INSERT INTO picky VALUES ('{bad}');
INSERT INTO forbidden VALUES ('bad');
-- VACUUM keeps the filters that there are
VACUUM picky;
SELECT by_index('picky', 'tags @> ''{a7,new}''');
TRUNCATE forbidden;
SELECT by_index('picky', 'tags @> ''{bad}'''), bloom_index_check('picky_bf');
\set VERBOSITY default
DROP TABLE picky;
SELECT opcname FROM pg_opclass WHERE opcname LIKE '%key_ops' AND NOT amvalidate(oid);

CREATE OPERATOR CLASS no_query FOR TYPE text[] USING bloomfilter AS OPERATOR 1 && (anyarray, anyarray), FUNCTION 2 ginarrayextract(anyarray, internal, internal), STORAGE text;
CREATE OPERATOR CLASS no_operator FOR TYPE text[] USING bloomfilter AS FUNCTION 2 ginarrayextract(anyarray, internal, internal),
	FUNCTION 3 ginqueryarrayextract(anyarray, internal, int2, internal, internal, internal, internal), FUNCTION 4 ginarraytriconsistent(internal, int2, anyarray, int4, internal, internal, internal), STORAGE text;
CREATE OPERATOR CLASS no_hash FOR TYPE point[] USING bloomfilter AS OPERATOR 1 && (anyarray, anyarray), FUNCTION 2 ginarrayextract(anyarray, internal, internal),
	FUNCTION 3 ginqueryarrayextract(anyarray, internal, int2, internal, internal, internal, internal), FUNCTION 4 ginarraytriconsistent(internal, int2, anyarray, int4, internal, internal, internal), STORAGE point;
CREATE OPERATOR CLASS wrong_functions FOR TYPE text[] USING bloomfilter AS OPERATOR 1 && (anyarray, anyarray), FUNCTION 1 hashint4extended(int, bigint), FUNCTION 2 hashtext(text), FUNCTION 3 hashtext(text), FUNCTION 4 hashtext(text), STORAGE text;
CREATE OPERATOR CLASS no_value FOR TYPE text[] USING bloomfilter AS OPERATOR 1 = (anyarray, anyarray), FUNCTION 1 hash_array_extended(anyarray, bigint), FUNCTION 4 hashtext(text);
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname IN ('no_query', 'no_operator', 'no_hash', 'wrong_functions', 'no_value') ORDER BY 1;
CREATE TABLE t (a text[], p point[]);
CREATE INDEX ON t USING bloomfilter (a no_query);
CREATE INDEX ON t USING bloomfilter (p no_hash);
DROP TABLE t, forbidden;
DROP OPERATOR FAMILY picky_key_ops USING bloomfilter;
DROP OPERATOR FAMILY no_query USING bloomfilter;
DROP OPERATOR FAMILY no_operator USING bloomfilter;
DROP OPERATOR FAMILY no_hash USING bloomfilter;
DROP OPERATOR FAMILY wrong_functions USING bloomfilter;
DROP OPERATOR FAMILY no_value USING bloomfilter;
DROP FUNCTION picky_hash;
DROP FUNCTION by_index, pages_read, add_documents, add_logs;
