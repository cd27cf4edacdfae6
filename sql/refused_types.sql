-- Types without a stable hash are refused, in every function and at any depth
-- of nesting; none of them ever gives a "no".
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
CREATE SCHEMA refused_types;
SET search_path = refused_types, public;

CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE DOMAIN good_mood AS mood CHECK (VALUE = 'happy');
CREATE DOMAIN best_mood AS good_mood;
CREATE TYPE mood_range AS RANGE (subtype = mood);
CREATE TYPE good_mood_range AS RANGE (subtype = good_mood);
CREATE TYPE mood_range_range AS RANGE (subtype = mood_range);
CREATE TYPE mood_array_range AS RANGE (subtype = mood[]);
CREATE DOMAIN mood_range_domain AS mood_range;
CREATE DOMAIN moods AS mood[];
CREATE TYPE pair AS (a int, b text);
CREATE TYPE pair_of_pairs AS (a pair, b pair);
CREATE DOMAIN pair_domain AS pair;
CREATE TYPE pair_range AS RANGE (subtype = pair);
CREATE TABLE tab (a int, b text);
INSERT INTO tab VALUES (1, 'x');
CREATE TYPE regclass_range AS RANGE (subtype = regclass);
CREATE DOMAIN regclass_domain AS regclass;
CREATE DOMAIN filter_domain AS bloomfilter;

CREATE TABLE types (id serial, type text COLLATE "C", value text);
INSERT INTO types (type, value) VALUES
-- enums
('mood', '''sad''::mood'),
('mood[]', '''{sad}''::mood[]'),
('mood[][]', '''{{sad},{happy}}''::mood[]'),
('good_mood', '''happy''::good_mood'),
('best_mood', '''happy''::best_mood'),
('good_mood[]', '''{happy}''::good_mood[]'),
('moods', '''{sad}''::moods'),
('mood_range', '''[sad,happy]''::mood_range'),
('mood_range, empty', '''empty''::mood_range'),
('mood_range[]', '''{"[sad,happy]"}''::mood_range[]'),
('mood_multirange', '''{[sad,happy]}''::mood_multirange'),
('mood_multirange, empty', '''{}''::mood_multirange'),
('mood_multirange[]', 'ARRAY[''{}''::mood_multirange]'),
('good_mood_range', '''[happy,happy]''::good_mood_range'),
('mood_range_range', '''empty''::mood_range_range'),
('mood_array_range', '''["{sad}","{happy}"]''::mood_array_range'),
('mood_range_domain', '''[sad,happy]''::mood_range_domain'),
-- composites and records
('pair', '''(1,x)''::pair'),
('pair[]', '''{"(1,x)"}''::pair[]'),
('pair_of_pairs', '''("(1,x)","(2,y)")''::pair_of_pairs'),
('pair_domain', '''(1,x)''::pair_domain'),
('pair_domain[]', '''{"(1,x)"}''::pair_domain[]'),
('pair_range', '''empty''::pair_range'),
('pair_multirange', '''{}''::pair_multirange'),
('tab, a row', '(SELECT t FROM tab t)'),
('tab[]', 'ARRAY(SELECT t FROM tab t)'),
('pg_class, a row', '(SELECT c FROM pg_class c WHERE oid = ''pg_class''::regclass)'),
('record', 'ROW(1, ''x''::text)'),
('record, of int', 'ROW(1)'),
('record, empty', 'ROW()'),
('record[]', 'ARRAY[ROW(1, 2)]'),
-- catalog references
('regproc', '''now''::regproc'),
('regprocedure', '''now()''::regprocedure'),
('regoper', '''||/''::regoper'),
('regoperator', '''+(int4,int4)''::regoperator'),
('regclass', '''pg_class''::regclass'),
('regcollation', '''"C"''::regcollation'),
('regtype', '''int4''::regtype'),
('regconfig', '''simple''::regconfig'),
('regdictionary', '''simple''::regdictionary'),
('regnamespace', '''pg_catalog''::regnamespace'),
('regrole', '''0''::oid::regrole'),
('regclass[]', '''{pg_class}''::regclass[]'),
('regclass_domain', '''pg_class''::regclass_domain'),
('regclass_range', '''empty''::regclass_range'),
('regclass_multirange', '''{}''::regclass_multirange'),
('aclitem', '(aclexplode_item())'),
('aclitem[]', 'ARRAY[aclexplode_item()]'),
-- filters
('bloomfilter', 'bloom_create(10)'),
('bloomfilter[]', 'ARRAY[bloom_create(10)]'),
('filter_domain', 'bloom_create(10)::filter_domain'),
('filter_domain[]', 'ARRAY[bloom_create(10)::filter_domain]'),
-- not of a type that values are stored in
('cstring', '''a''::cstring');
CREATE FUNCTION aclexplode_item() RETURNS aclitem LANGUAGE sql STABLE AS $$
	SELECT makeaclitem(0, (SELECT oid FROM pg_roles WHERE rolname = current_user), 'SELECT', false)
$$;

-- v is a value, f a filter of integers, g one that has no family yet.
CREATE TABLE operations (operation text COLLATE "C");
INSERT INTO operations VALUES
('bloom_add(f, v)'),
('bloom_add(g, v)'),
('bloom_contains(f, v)'),
('bloom_contains(g, v)'),
('bloom_contained_by(v, g)'),
('f @> v'),
('g @> v'),
('v <@ g'),
('(SELECT bloom_agg(x) FROM (VALUES (v)) s (x))'),
('(SELECT bloom_agg(x, 10) FROM (VALUES (v)) s (x))'),
('(SELECT bloom_agg(x, 10, 0.1) FROM (VALUES (v)) s (x))'),
('bloom_hash(v)'),
('bloom_hash(v, 7)'),
('bloom_shard(v, 4)'),
('bloom_add_all(f, ARRAY[v])'),
('bloom_add_all(g, ARRAY[v])'),
('bloom_contains_any(f, ARRAY[v])'),
('bloom_contains_any(g, ARRAY[v])'),
('bloom_contains_all(f, ARRAY[v])'),
('bloom_contains_all(g, ARRAY[v])'),
('f @> ANY (ARRAY[v])'),
('g @> ALL (ARRAY[v])');

CREATE FUNCTION caught(value text, operation text, OUT state text, OUT message text, OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT (%s) FROM (SELECT %s AS v, bloom_add(bloom_create(10), 1) AS f, bloom_create(10) AS g OFFSET 0) s',
		operation, value) INTO message;
	state := '00000';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;

-- Every operation on every type: 0A000 with a detail and a hint, nothing else.
CREATE TABLE results AS
SELECT id, type, operation, c.* FROM types CROSS JOIN operations CROSS JOIN LATERAL caught(value, operation) c;
SELECT count(DISTINCT type) AS types, count(DISTINCT operation) AS operations, count(*) AS calls,
       count(*) FILTER (WHERE state = '0A000' AND detail <> '' AND hint <> '') AS refused
  FROM results;
SELECT type, operation, state, message FROM results
 WHERE (state = '0A000' AND detail <> '' AND hint <> '') IS NOT TRUE ORDER BY id, operation;

-- What they say: the same in all operations.
SELECT type, string_agg(DISTINCT message, '; ') AS message
  FROM results GROUP BY id, type ORDER BY id;
SELECT detail, hint, count(DISTINCT type) AS types FROM results GROUP BY detail, hint ORDER BY detail COLLATE "C", hint COLLATE "C";

-- No reg* type of this server is forgotten.
SELECT typname FROM pg_type, LATERAL caught(format('''0''::%s', typname), 'bloom_hash(v)')
 WHERE typname LIKE 'reg%' AND typnamespace = 'pg_catalog'::regnamespace AND state <> '0A000'
 ORDER BY 1;

-- A column, in full.
SELECT bloom_agg(m) FROM unnest(enum_range(NULL::mood)) AS m;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(tab) FROM tab;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(prorettype::regtype) FROM pg_proc;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_agg(bloom_create(10));
\echo :LAST_ERROR_SQLSTATE
CREATE TABLE analyzed AS SELECT 1 AS a FROM generate_series(1, 10);
ANALYZE analyzed;
SELECT bloom_agg(most_common_vals) FROM pg_stats WHERE schemaname = 'refused_types' AND tablename = 'analyzed';
\echo :LAST_ERROR_SQLSTATE
-- as the hints say
SELECT bloom_agg(m::text) @> 'sad' AS enum_as_text, bloom_agg(m::text) @> 'angry' AS other
  FROM unnest(enum_range(NULL::mood)) AS m;
SELECT bloom_agg(a) @> 1 AS "column", bloom_agg(tab::text) @> '(1,x)' AS row_as_text, bloom_agg(to_jsonb(tab)) @> '{"a": 1, "b": "x"}'::jsonb AS row_as_jsonb
  FROM tab;
SELECT bloom_agg(r::text) @> 'pg_class' AS regclass_as_text, bloom_agg(r::oid) @> 'pg_class'::regclass::oid AS as_oid
  FROM (VALUES ('pg_class'::regclass)) s (r);
-- no value, no error
SELECT bloom_hash(NULL::mood) IS NULL AS hash, bloom_contains(bloom_create(10), NULL::mood) IS NULL AS contains, bloom_agg(NULL::mood) IS NULL AS agg,
       bloom_add(bloom_create(10), NULL::mood) = bloom_create(10) AS added;

--
-- Nondeterministic collations call strings equal whose hashes differ.
--
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE COLLATION icu_root (provider = icu, locale = 'und');
CREATE DOMAIN word AS text COLLATE ignore_case;
CREATE DOMAIN short_word AS word;
CREATE TYPE word_range AS RANGE (subtype = text, collation = ignore_case);
CREATE TYPE words_range AS RANGE (subtype = text[], collation = ignore_case);
CREATE TYPE domain_word_range AS RANGE (subtype = word);
CREATE TYPE plain_range AS RANGE (subtype = text, collation = "C");
CREATE DOMAIN words AS word[];
CREATE TABLE columns (
	"text" text COLLATE ignore_case,
	"varchar" varchar(10) COLLATE ignore_case,
	"char(n)" char(10) COLLATE ignore_case,
	"name" name COLLATE ignore_case,
	"citext" citext COLLATE ignore_case,
	"text[]" text[] COLLATE ignore_case,
	"varchar[]" varchar[] COLLATE ignore_case,
	"citext[]" citext[] COLLATE ignore_case,
	"word" word,
	"short_word" short_word,
	"word[]" word[],
	"words" words,
	"word_range" word_range,
	"word_range[]" word_range[],
	"word_multirange" word_multirange,
	"words_range" words_range,
	"domain_word_range" domain_word_range
);
INSERT INTO columns VALUES ('a', 'a', 'a', 'a', 'a', '{a}', '{a}', '{a}', 'a', 'a', '{a}', '{a}', '[a,b]', '{"[a,b]"}', '{[a,b]}', '["{a}","{b}"]', '[a,b]');
-- an indication that the collation does what it says
SELECT "text" = 'A' AS text_equal, "word" = 'A' AS domain_equal, "word_range" = '[A,B]' AS range_equal FROM columns;
TRUNCATE results;
INSERT INTO results
SELECT attnum, attname, operation, c.*
  FROM pg_attribute CROSS JOIN operations CROSS JOIN LATERAL caught(format('(SELECT %I FROM columns)', attname), operation) c
 WHERE attrelid = 'columns'::regclass AND attnum > 0;
INSERT INTO results
SELECT 100, value, operation, c.*
  FROM (VALUES ('''a'' COLLATE ignore_case'), ('''a''::text || ''b'' COLLATE ignore_case'), ('''{a}''::text[] COLLATE ignore_case')) s (value),
       operations, LATERAL caught(value, operation) c;
-- a literal that stays without a type
SELECT bloom_agg('a' COLLATE ignore_case);
\echo :LAST_ERROR_SQLSTATE
SELECT count(DISTINCT type) AS expressions, count(DISTINCT operation) AS operations, count(*) AS calls,
       count(*) FILTER (WHERE state = '0A000' AND detail LIKE '%"ignore_case"%' AND hint <> '') AS refused
  FROM results;
SELECT type, operation, state, message FROM results
 WHERE (state = '0A000' AND detail LIKE '%"ignore_case"%' AND hint <> '') IS NOT TRUE ORDER BY id, operation;
SELECT DISTINCT message, detail, hint FROM results;

SELECT bloom_agg("text") FROM columns;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_create(10) @> "citext" FROM columns;
\echo :LAST_ERROR_SQLSTATE
-- which collation counts is the usual matter of the expression
SELECT bloom_agg("text" COLLATE "C") @> 'a' AS "text", bloom_agg("char(n)" COLLATE "C") @> 'a' AS "char(n)",
       bloom_agg("text[]" COLLATE icu_root) @> '{a}'::text[] AS "text[]", bloom_agg("short_word" COLLATE icu_root) @> 'a' AS domain,
       bloom_agg("text"::bytea) @> '\x61'::bytea AS "bytea", bloom_agg(lower("text") COLLATE "C") @> 'a' AS lower
  FROM columns;
SELECT bloom_hash(plain_range('a', 'b')) IS NOT NULL AS range_of_deterministic;
SELECT bloom_hash('a'::text COLLATE "C") = bloom_hash('a'::text COLLATE icu_root) AS same_hash;
-- types that are not collatable do not care
SELECT bloom_agg(length("text")) @> 1 AS "integer", bloom_agg(to_jsonb("text" COLLATE "C")) @> '"a"'::jsonb AS "jsonb" FROM columns;
-- conflicting collations are the error that = raises
SELECT bloom_hash(a || b) FROM (SELECT 'a' COLLATE "C" AS a, 'b' COLLATE icu_root AS b OFFSET 0) s;
\echo :LAST_ERROR_SQLSTATE

--
-- Types without an extended hash function.
--
CREATE DOMAIN json_domain AS json;
CREATE TYPE money_range AS RANGE (subtype = money);
-- one that has a hash function, but no extended one
CREATE TYPE old_hash;
CREATE FUNCTION old_hash_in(cstring) RETURNS old_hash LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION old_hash_out(old_hash) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE TYPE old_hash (INPUT = old_hash_in, OUTPUT = old_hash_out, LIKE = int4);
CREATE FUNCTION old_hash_eq(old_hash, old_hash) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4eq';
CREATE FUNCTION old_hash_hash(old_hash) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashint4';
CREATE OPERATOR = (LEFTARG = old_hash, RIGHTARG = old_hash, FUNCTION = old_hash_eq, COMMUTATOR = =, HASHES);
CREATE OPERATOR CLASS old_hash_ops DEFAULT FOR TYPE old_hash USING hash AS OPERATOR 1 =, FUNCTION 1 old_hash_hash(old_hash);

TRUNCATE types;
INSERT INTO types (type, value)
SELECT type, format('%L::%s', literal, type)
  FROM (VALUES ('point', '(1,2)'), ('line', '{1,2,3}'), ('lseg', '[(1,2),(3,4)]'), ('box', '(1,2),(3,4)'), ('path', '((1,2),(3,4))'),
               ('polygon', '((1,2),(3,4))'), ('circle', '<(1,2),3>'), ('json', '1'), ('json_domain', '1'), ('jsonpath', '$.a'),
               ('tsvector', 'a'), ('tsquery', 'a'), ('money', '1'), ('bit(3)', '101'), ('bit varying', '101'), ('pg_snapshot', '1:2:'),
               ('refcursor', 'a'), ('money_range', 'empty'), ('old_hash', '1'),
               ('point[]', '{"(1,2)"}'), ('json[]', '{1}'), ('bit(3)[]', '{101}'), ('old_hash[]', '{1}')) s (type, literal);
-- a server may be built without what reads XML
CREATE FUNCTION as_xml(text, text) RETURNS xml LANGUAGE internal IMMUTABLE STRICT AS 'textcat';
INSERT INTO types (type, value) VALUES ('xml', $$as_xml('<a/>', '')$$);
TRUNCATE results;
INSERT INTO results
SELECT id, type, operation, c.* FROM types CROSS JOIN operations CROSS JOIN LATERAL caught(value, operation) c;
SELECT count(DISTINCT type) AS types, count(DISTINCT operation) AS operations, count(*) AS calls,
       count(*) FILTER (WHERE state = '42883' AND hint <> '') AS undefined
  FROM results;
SELECT type, operation, state, message FROM results WHERE (state = '42883' AND hint <> '') IS NOT TRUE ORDER BY id, operation;
SELECT message, hint, count(DISTINCT operation) AS operations FROM results GROUP BY message, hint ORDER BY message COLLATE "C";
SELECT bloom_agg('(1,2)'::point);
\echo :LAST_ERROR_SQLSTATE

-- With one it is a type like others, known by its name.
CREATE TYPE new_hash;
CREATE FUNCTION new_hash_in(cstring) RETURNS new_hash LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION new_hash_out(new_hash) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE TYPE new_hash (INPUT = new_hash_in, OUTPUT = new_hash_out, LIKE = int4);
CREATE FUNCTION new_hash_eq(new_hash, new_hash) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4eq';
CREATE FUNCTION new_hash_hash(new_hash) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashint4';
CREATE FUNCTION new_hash_hash_extended(new_hash, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashint4extended';
CREATE OPERATOR = (LEFTARG = new_hash, RIGHTARG = new_hash, FUNCTION = new_hash_eq, COMMUTATOR = =, HASHES);
CREATE OPERATOR CLASS new_hash_ops DEFAULT FOR TYPE new_hash USING hash AS
	OPERATOR 1 =, FUNCTION 1 new_hash_hash(new_hash), FUNCTION 2 new_hash_hash_extended(new_hash, bigint);
CREATE DOMAIN new_hash_domain AS new_hash;
SELECT f @> '1'::new_hash AS found, f @> '1'::new_hash_domain AS as_domain, f @> '2'::new_hash AS absent, (bloom_info(f)).element_type
  FROM (SELECT bloom_agg('1'::new_hash) AS f) s;
SELECT f @> '{1,2}'::new_hash[] AS found, f @> '{1,2}'::new_hash_domain[] AS as_domain, f @> '{2}'::new_hash[] AS absent, (bloom_info(f)).element_type
  FROM (SELECT bloom_agg('{1,2}'::new_hash[]) AS f) s;

-- Not if its hash is made for another operator than the "=" of its default order.
CREATE FUNCTION new_hash_lt(new_hash, new_hash) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4lt';
CREATE FUNCTION new_hash_cmp(new_hash, new_hash) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'btint4cmp';
CREATE OPERATOR < (LEFTARG = new_hash, RIGHTARG = new_hash, FUNCTION = new_hash_lt);
CREATE OPERATOR == (LEFTARG = new_hash, RIGHTARG = new_hash, FUNCTION = new_hash_eq);
CREATE OPERATOR CLASS new_hash_order DEFAULT FOR TYPE new_hash USING btree AS
	OPERATOR 1 <, OPERATOR 3 ==, FUNCTION 1 new_hash_cmp(new_hash, new_hash);
CREATE TYPE new_hash_range AS RANGE (subtype = new_hash);
-- the server's cache of types knows the operator when it was asked for it
\c
SET client_min_messages = warning;
SET search_path = refused_types, public;
SELECT bloom_add(bloom_create(10), new_hash_range('1', NULL));
SELECT bloom_add(bloom_create(10), '1'::new_hash);
SELECT '1'::new_hash = ANY (ARRAY['1'::new_hash]) AS equal, ARRAY['1'::new_hash] = ARRAY['1'::new_hash] AS equal_in_array;
SELECT bloom_add(bloom_create(10), '1'::new_hash);

DROP SCHEMA refused_types CASCADE;
DROP EXTENSION citext;

-- The forms that hints name: equal values give one text.
SELECT bloom_add(bloom_create(10), trim_scale(1.50)::text) @> trim_scale(1.5)::text AS "numeric",
	bloom_add(bloom_create(10), lower('A'::text)) @> lower('a'::text) AS lower,
	bloom_add(bloom_create(10), 1.50::money::numeric) @> 1.5::money::numeric AS money,
	bloom_add(bloom_create(10), '{"a": 1.50}'::json::jsonb) @> '{"a": 1.5}'::jsonb AS json;
