-- Values that PostgreSQL's = calls equal are the same element, whatever their
-- types within one family: a filter built with one contains the other.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
CREATE SCHEMA equal_types;
SET search_path = equal_types, public;
SET client_encoding = 'UTF8';
SET TimeZone = 'UTC';

-- Each type also as a domain and as a domain over that: d_TYPE, dd_TYPE.
DO $$
DECLARE
	t text;
BEGIN
	FOREACH t IN ARRAY ARRAY[
		'int2', 'int4', 'int8', 'text', 'varchar', 'name', 'bpchar', 'float4',
		'float8', 'bool', 'date', 'time', 'timestamp', 'timestamptz', 'uuid',
		'bytea', 'oid', 'numeric', 'interval', 'timetz', 'inet', 'cidr',
		'macaddr', 'macaddr8', 'citext', 'jsonb', 'pg_lsn', 'int4range',
		'numrange', 'tstzrange', 'int4multirange']
	LOOP
		EXECUTE format('CREATE DOMAIN %I AS %s', 'd_' || t, t);
		EXECUTE format('CREATE DOMAIN %I AS %I', 'dd_' || t, 'd_' || t);
	END LOOP;
END $$;
CREATE DOMAIN d_char1 AS "char";
CREATE DOMAIN dd_char1 AS d_char1;
CREATE DOMAIN d_text_array AS text[];
CREATE DOMAIN dd_text_array AS d_text_array;
CREATE DOMAIN d_int4_array AS int4[];

-- A case is an expression; those of one family are compared with each other.
-- exact: the unequal values hash differently, too.  (The server's own hash
-- functions let some pairs share a hash: numerics that differ in sign, LSNs
-- with their halves exchanged, arrays that differ in bounds, a jsonb number and
-- the array of it.  For those "maybe" is right.)
CREATE TABLE families (family text COLLATE "C" PRIMARY KEY, exact boolean, types text[], literals text[]);
INSERT INTO families VALUES
('integer', true, '{int2,int4,int8,d_int2,d_int4,d_int8,dd_int2,dd_int4,dd_int8}',
	'{0,1,-1,127,128,-128,255,256,32767,-32768,32768,-32769,65535,2147483647,-2147483648,2147483648,4294967295,9223372036854775807,-9223372036854775808}'),
('text', true, '{text,varchar,varchar(70),name,d_text,d_varchar,d_name,dd_text,dd_varchar,dd_name}',
	ARRAY['', ' ', 'a', 'A', 'a ', ' a', '1', U&'\00e9', U&'e\0301', U&'\20ac\+01f600', repeat('x', 62), repeat('x', 63)]),
('bpchar', true, '{char(4),char(6),bpchar,d_bpchar,dd_bpchar}',
	ARRAY['', ' ', 'a', 'A', 'a ', ' a', 'a  ', E'a\t', U&'\00e9', U&'\00e9 ']),
('float', true, '{float4,float8,d_float4,d_float8,dd_float4,dd_float8}',
	'{0,-0,1,-1,0.5,0.1,16777217,NaN,Infinity,-Infinity,1e-45,1.401298464324817e-45,1.1754944e-38,3.4028235e38,3.4028234663852886e38,-3.4028234663852886e38,4.9406564584124654e-324,-4.9406564584124654e-324,2.2250738585072014e-308,1.7976931348623157e308}'),
('boolean', true, '{bool,d_bool,dd_bool}', '{true,t,yes,on,1,false,f,no,off,0}'),
('date', true, '{date,d_date,dd_date}',
	'{2000-01-01,20000101,"January 1, 2000",J2451545,2000-001,2000-01-02,1999-12-31,1970-01-01,infinity,-infinity,4714-11-24 BC,5874897-12-31,0001-01-01 BC,0001-01-01}'),
('time', true, '{time,time(0),d_time,dd_time}',
	'{00:00,00:00:00,12:00 AM,12:00,12:00 PM,24:00,23:59:59.999999,00:00:00.000001,040506,04:05:06}'),
('timestamp', true, '{timestamp,timestamp(0),d_timestamp,dd_timestamp}',
	'{2000-01-01,2000-01-01 00:00:00,"Jan 1, 2000 12:00 AM",2000-01-01T00:00,2000-01-01 00:00:00.000001,1999-12-31 24:00,1999-12-31 23:59:59.999999,infinity,-infinity,4714-11-24 00:00 BC,294276-12-31 23:59:59}'),
('timestamptz', true, '{timestamptz,timestamptz(0),d_timestamptz,dd_timestamptz}',
	'{2020-06-01 12:00+00,2020-06-01 14:00+02,2020-06-01 08:00 America/New_York,2020-06-01 17:30:00+05:30,2020-06-01 12:00,2020-06-01 12:00+01,2020-06-01 12:00:00.000001+00,infinity,-infinity,4714-11-24 00:00+00 BC,294276-12-31 23:59:59+00}'),
('uuid', true, '{uuid,d_uuid,dd_uuid}',
	'{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11,"{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",a0eebc999c0b4ef8bb6d6bb9bd380a11,a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11,a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12,00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}'),
('bytea', true, '{bytea,d_bytea,dd_bytea}',
	ARRAY['', '\x', 'a', '\x61', '\141', '\x00', '\x0000', '\000', '\x6100', '\xff', '\377', '\x20', ' ', 'a ']),
('oid', true, '{oid,d_oid,dd_oid}', '{0,1,-1,4294967295,2147483648,-2147483648,2147483647,16384}'),
('"char"', true, '{"\"char\"",d_char1,dd_char1}', ARRAY['', 'a', 'A', 'ab', ' ', '~']),
('numeric', false, '{numeric,"numeric(12,4)",d_numeric,dd_numeric}',
	'{0,-0,0.0,0.0000,1,1.0,1.00,1e0,10e-1,0.1e1,-1,0.5,0.50,10000,1e4,100000000,1e8,1e30,1000000000000000000000000000000.000,0.0001,1e-4,1e-30,NaN,Infinity,-Infinity}'),
('interval', true, '{interval,d_interval,dd_interval}',
	'{1 month,30 days,720 hours,1 mon -1 day 24:00,1 year,12 months,360 days,1 day,24 hours,86400 seconds,1 day -24 hours,0,1 week,7 days,-1 month,-30 days,30 days 0.000001 s}'),
('timetz', true, '{timetz,d_timetz,dd_timetz}',
	'{12:00+00,12:00:00.000+00,12:00 PM UTC,13:00+01,12:00+01,24:00+00,00:00+00}'),
('inet', true, '{inet,d_inet,dd_inet}',
	'{10.0.0.1,10.0.0.1/32,10.0.0.1/24,10.0.0.0/24,0.0.0.0,0.0.0.0/0,::1,0:0:0:0:0:0:0:1,::1/128,::ffff:10.0.0.1,::ffff:a00:1,::,::/0}'),
('cidr', true, '{cidr,d_cidr,dd_cidr}',
	'{10,10.0.0.0/8,10/8,10.0.0.0/24,10.0.0.0/32,::1,::1/128,::/0,0.0.0.0/0}'),
('macaddr', true, '{macaddr,d_macaddr,dd_macaddr}',
	'{08:00:2b:01:02:03,08-00-2B-01-02-03,08002b:010203,0800.2b01.0203,08002b010203,08:00:2b:01:02:04}'),
('macaddr8', true, '{macaddr8,d_macaddr8,dd_macaddr8}',
	'{08:00:2b:01:02:03:04:05,08-00-2b-01-02-03-04-05,08002b0102030405,08:00:2b:ff:fe:01:02:03,08:00:2b:01:02:03}'),
('citext', true, '{citext,d_citext,dd_citext}',
	ARRAY['abc', 'ABC', 'aBc', 'abc ', '', 'abd', U&'\00e9', '1']),
('jsonb', false, '{jsonb,d_jsonb,dd_jsonb}',
	ARRAY['1', '1.0', '1.00', '1e0', '"1"', 'null', 'true', '[]', '{}', '[1]', '[1.0]', ' [ 1.00 ] ',
		'{"a": 1, "b": 2}', '{"b":2.0,"a":1}', '{"a": 0, "a": 1, "b": 2}', '{"a": 1}', '[1, 2]', '[2, 1]', '"\u0041"', '"A"']),
('pg_lsn', false, '{pg_lsn,d_pg_lsn,dd_pg_lsn}', '{0/0,00/00,0/A,0/a,A/0,FFFFFFFF/FFFFFFFF}'),
('int4range', true, '{int4range,d_int4range,dd_int4range}',
	'{"[1,3)","[1,2]","(0,3)","(0,2]","[1,4)",empty,"[1,1)","(1,2)","[1,)","(0,)","(,)","(,1]","(,2)"}'),
('numrange', true, '{numrange,d_numrange,dd_numrange}',
	'{"[1,2]","[1.0,2.00]","[1,2)","(1,2)","(1,2]",empty,"[1,1)","[1.0,1.00]"}'),
('tstzrange', true, '{tstzrange,d_tstzrange,dd_tstzrange}',
	'{"[2020-06-01 12:00+00,2020-06-01 13:00+00)","[2020-06-01 14:00+02,2020-06-01 15:00+02)","[2020-06-01 12:00+00,2020-06-01 13:00+00]",empty}'),
('int4multirange', true, '{int4multirange,d_int4multirange,dd_int4multirange}',
	'{"{[1,2),[2,3)}","{[1,3)}","{[1,2]}","{[2,2],[1,1]}","{[1,2),[3,4)}","{}","{empty}"}'),
('int4[]', false, '{int4[],d_int4_array,d_int4[],dd_int4[]}',
	'{"{1,2}","[0:1]={1,2}","{{1,2}}","{2,1}","{}","{NULL}","{1,2,NULL}"}'),
('text[]', false, '{text[],varchar[],varchar(9)[],d_text[],dd_varchar[],d_text_array,dd_text_array}',
	'{"{a,b}","{\"a\", \"b\"}","{a,b }","{b,a}","{}","{NULL}","{\"NULL\"}"}'),
('numeric[]', false, '{numeric[],d_numeric[]}', '{"{1,2}","{1.0,2.00}","{1e0,20e-1}","{1,2.5}"}'),
('citext[]', false, '{citext[],d_citext[]}', '{"{a,b}","{A,B}","{a,c}"}');

-- A literal that its type has no value for (40000 for int2) is no case.
CREATE FUNCTION value_of(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT (' || expression || ')::text' INTO result;
	RETURN result;
EXCEPTION WHEN numeric_value_out_of_range THEN
	RETURN NULL;
END $$;

CREATE TABLE cases (
	id serial, family text COLLATE "C", exact boolean, type text,
	expression text COLLATE "C", value text COLLATE "C");
INSERT INTO cases (family, exact, type, expression, value)
SELECT family, exact, type, expression, value_of(expression)
  FROM families,
       unnest(types) WITH ORDINALITY AS t (type, type_no),
       unnest(literals) WITH ORDINALITY AS l (literal, literal_no),
       LATERAL (SELECT format('%L::%s', literal, type) AS expression) e
 ORDER BY family, type_no, literal_no;
DELETE FROM cases WHERE value IS NULL;
-- NaNs of other bits than the literal's, bytes that are no characters
INSERT INTO cases (family, exact, type, expression, value) VALUES
('"char"', true, '"char"', '(-128)::"char"', 'byte 128'),
('"char"', true, 'dd_char1', '(-128)::"char"::dd_char1', 'byte 128'),
('"char"', true, '"char"', '(-1)::"char"', 'byte 255'),
('"char"', true, 'd_char1', '(-1)::"char"::d_char1', 'byte 255'),
('"char"', true, 'dd_char1', '127::"char"::dd_char1', 'byte 127'),
('float', true, 'float8', $$('Infinity'::float8 - 'Infinity'::float8)$$, 'NaN'),
('float', true, 'float8', $$(-'NaN'::float8)$$, 'NaN'),
('float', true, 'float4', $$(-'NaN'::float4)$$, 'NaN'),
('float', true, 'float8', $$(-0.0::float8)$$, '-0'),
('float', true, 'float4', $$(-0.0::float4)$$, '-0');

-- Compare all cases of two types in every way that a value gets into a filter,
-- and in every way that it is looked up.
CREATE FUNCTION case_values(of_family text, of_type text) RETURNS text LANGUAGE sql AS $$
	SELECT 'VALUES ' || string_agg(format('(%s, %s)', id, expression), ', ' ORDER BY id)
	  FROM cases WHERE family = of_family AND type = of_type
$$;

CREATE FUNCTION compare(family text, type_a text, type_b text)
RETURNS TABLE (a int, b int, equal boolean, answers boolean[], same_hash boolean)
LANGUAGE plpgsql AS $$
DECLARE
	is_array boolean := family LIKE '%[]';
	-- there is no operator between arrays of different types
	equality text := CASE WHEN is_array THEN format('a.v::%s = b.v::%1$s', family) ELSE 'a.v = b.v' END;
BEGIN
	RETURN QUERY EXECUTE format(
		'SELECT a.id, b.id, %s, ARRAY[bloom_contains(f, b.v), f @> b.v, b.v <@ f, bloom_contained_by(b.v, f),
				(SELECT bloom_agg(v) FROM (VALUES (a.v)) w (v)) @> b.v,
				(SELECT bloom_agg(v, 10) FROM (VALUES (a.v)) w (v)) @> b.v,
				(SELECT bloom_agg(v, 10, 0.1) FROM (VALUES (a.v)) w (v)) @> b.v %s],
				(bloom_hash(a.v), bloom_hash(a.v, 42), bloom_shard(a.v, 1000000)) =
				(bloom_hash(b.v), bloom_hash(b.v, 42), bloom_shard(b.v, 1000000))
		   FROM (%s) a (id, v), (%s) b (id, v),
				LATERAL (SELECT bloom_add(bloom_create(10), a.v) AS f OFFSET 0) f',
		equality,
		-- not for arrays: ARRAY[v] is one of v's elements then
		CASE WHEN NOT is_array THEN ', bloom_contains_any(f, ARRAY[b.v]), bloom_contains_all(f, ARRAY[b.v]),
				f @> ANY (ARRAY[b.v]), bloom_add_all(bloom_create(10), ARRAY[a.v]) @> b.v' END,
		case_values(family, type_a), case_values(family, type_b));
END $$;

CREATE TABLE compared AS
SELECT f.family, f.exact, type_a, type_b, a.expression AS a, b.expression AS b, a.id AS id_a, b.id AS id_b,
       equal, answers, same_hash
  FROM families f, unnest(types) type_a, unnest(types) type_b,
       LATERAL compare(f.family, type_a, type_b) c
  JOIN cases a ON a.id = c.a JOIN cases b ON b.id = c.b;

-- How much was compared, and how many of the pairs are equal.
SELECT family, count(DISTINCT type_a) AS types, count(DISTINCT a) AS cases, count(*) AS pairs,
       count(*) FILTER (WHERE equal) AS equal_pairs,
       count(*) FILTER (WHERE equal AND type_a <> type_b) AS of_different_types
  FROM compared GROUP BY family ORDER BY family;

-- Equal, and yet somewhere a "no" or a different hash: none.
SELECT family, a, b, answers, same_hash FROM compared
 WHERE equal AND (false = ANY (answers) OR NOT same_hash OR array_position(answers, NULL) IS NOT NULL)
 ORDER BY family, a, b;

-- Not equal, and yet somewhere a "yes" or the same hash: none.
SELECT family, a, b, answers, same_hash FROM compared
 WHERE NOT equal AND exact AND (true = ANY (answers) OR same_hash)
 ORDER BY family, a, b;

-- Neither is NULL.
SELECT count(*) FROM compared WHERE equal IS NULL OR same_hash IS NULL;

-- The classes of equal values that have more than one text form.
SELECT family, string_agg(DISTINCT value, ' = ' ORDER BY value) AS one_element
  FROM (SELECT a.family, a.value, min(id_b) AS class
          FROM compared JOIN cases a ON a.id = id_a
         WHERE equal
         GROUP BY a.family, a.id, a.value) classes
 GROUP BY family, class
HAVING count(DISTINCT value) > 1
 ORDER BY family, 2;

--
-- char(n) against text.  A filter of char(n) takes text without its trailing
-- blanks; a filter of text takes char(n) without them, as the cast to text
-- does.
--
CREATE TABLE blanks (text_value text);
INSERT INTO blanks VALUES (''), (' '), ('a'), ('a '), ('a   '), (' a'), ('A'), (U&'\00e9'), (U&'\00e9 ');

SELECT count(*) AS pairs,
       count(*) FILTER (WHERE c = t) AS equal,
       count(*) FILTER (WHERE bloom_add(bloom_create(10), c) @> t) AS in_filter_of_char,
       count(*) FILTER (WHERE (bloom_add(bloom_create(10), c) @> t) <> (rtrim(c) = rtrim(t))) AS wrong,
       count(*) FILTER (WHERE (bloom_add(bloom_create(10), c) @> t::varchar) <> (rtrim(c) = rtrim(t))) AS wrong_varchar,
       count(*) FILTER (WHERE (bloom_add(bloom_create(10), c) @> t::name) <> (rtrim(c) = rtrim(t))) AS wrong_name,
       count(*) FILTER (WHERE (bloom_add(bloom_create(10), t) @> c) <> (t = c::text)) AS wrong_in_filter_of_text,
       count(*) FILTER (WHERE (bloom_add(bloom_create(10), t::varchar) @> c) <> (t = c::text)) AS wrong_in_filter_of_varchar,
       count(*) FILTER (WHERE (bloom_add(bloom_create(10), t::name) @> c) <> (t = c::text)) AS wrong_in_filter_of_name,
       count(*) FILTER (WHERE (bloom_hash(t) = bloom_hash(c)) <> (t = c::text)) AS wrong_hash
  FROM (SELECT a.text_value::char(6) AS c, b.text_value AS t FROM blanks a, blanks b) v;

-- Both ways to fill a filter of char(n), and both ways to ask.
SELECT f @> 'ab'::char(4) AS "char", f @> 'ab'::text AS "text", f @> 'ab   '::text AS "text, blanks",
       f @> 'ab  '::varchar AS "varchar, blanks", f @> 'ab' AS literal,
       bloom_contains_any(f, ARRAY['ab  '::text, 'x']) AS "any of text[]",
       bloom_contains_all(f, ARRAY['ab  '::varchar]) AS "all of varchar[]",
       f @> 'a'::char(4) AS absent, f @> ' ab'::text AS "leading blank"
  FROM (SELECT bloom_add(bloom_create(10), 'ab'::char(4)) AS f
        UNION ALL SELECT bloom_agg('ab'::char(9))
        UNION ALL SELECT bloom_add(bloom_add(bloom_create(10), 'x'::char(4)), 'ab   '::text)
        UNION ALL SELECT bloom_add_all(bloom_add(bloom_create(10), 'x'::char(4)), ARRAY['ab  ']::varchar[])) s;

-- A filter of text or varchar with blanks in its value holds that value and
-- not the one without.  (varchar = char(n) ignores the blanks, text = char(n)
-- and text = varchar do not; no hash can follow all three.)
SELECT 'ab '::varchar = 'ab'::char(4) AS varchar_equal_char, 'ab '::text = 'ab'::char(4) AS text_equal_char,
       'ab '::varchar = 'ab '::text AS varchar_equal_text, 'ab'::text = 'ab '::varchar AS without_blanks;
SELECT f @> 'ab '::text AS with_blanks, f @> 'ab'::text AS without, f @> 'ab'::char(4) AS "char", f @> 'ab '::char(4) AS char_blanks
  FROM (SELECT bloom_add(bloom_create(10), 'ab '::varchar) AS f) s;

--
-- cidr is not inet, though = compares them: an error, and with a cast the
-- answer.
--
SELECT '10.0.0.0/8'::cidr = '10.0.0.0/8'::inet AS equal;
SELECT bloom_add(bloom_create(10), '10.0.0.0/8'::cidr) @> '10.0.0.0/8'::inet;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), '10.0.0.0/8'::inet) @> '10.0.0.0/8'::cidr;
\echo :LAST_ERROR_SQLSTATE
SELECT bloom_add(bloom_create(10), '10.0.0.0/8'::cidr::inet) @> '10.0.0.0/8'::inet AS "cidr as inet",
       bloom_add(bloom_create(10), '10.0.0.0/8'::inet) @> '10/8'::cidr::inet AS "inet, cidr as inet";

--
-- Settings have no part in it.
--
CREATE TABLE stored AS
SELECT bloom_add(bloom_create(10), '2020-06-01 12:00+00'::timestamptz) AS tz,
       bloom_add(bloom_create(10), tstzrange('2020-06-01 12:00+00', '2020-06-01 13:00+00')) AS tzr,
       bloom_add(bloom_create(10), '1 month 2 days'::interval) AS i,
       bloom_add(bloom_create(10), 0.1::float4 + 0.2::float8) AS f,
       bloom_add(bloom_create(10), '\x0001ff'::bytea) AS b;
SET TimeZone = 'Asia/Kathmandu';
SET IntervalStyle = 'iso_8601';
SET extra_float_digits = -10;
SET bytea_output = 'escape';
SET DateStyle = 'German, DMY';
SELECT tz @> '2020-06-01 17:45'::timestamptz AS tz, tz @> '2020-06-01 12:00'::timestamptz AS other_instant,
       tzr @> tstzrange('2020-06-01 17:45', '2020-06-01 18:45') AS tzr,
       i @> 'P32D'::interval AS i, f @> 0.1::float4 + 0.2::float8 AS f, b @> '\000\001\377'::bytea AS b
  FROM stored;
RESET TimeZone;
RESET IntervalStyle;
RESET extra_float_digits;
RESET bytea_output;
RESET DateStyle;

--
-- Nor has how a value is stored: in line, compressed, out of line, or both.
--
CREATE VIEW long AS
SELECT t, t::bytea AS b, t::char(9000) AS c, to_jsonb(t) AS j, ARRAY[t, NULL, t] AS a
  FROM (SELECT repeat(string_agg(md5(i::text), ''), 6) AS t FROM generate_series(1, 40) AS i) AS repeated;
DO $$
DECLARE
	storage text;
	name text;
BEGIN
	FOREACH storage IN ARRAY '{main,external,extended}'::text[] LOOP
		EXECUTE format('CREATE TABLE kept_%s (LIKE long)', storage);
		FOREACH name IN ARRAY '{t,b,c,j,a}'::text[] LOOP
			EXECUTE format('ALTER TABLE kept_%s ALTER %I SET STORAGE %s', storage, name, storage);
		END LOOP;
		EXECUTE format('INSERT INTO kept_%s SELECT * FROM long', storage);
	END LOOP;
END $$;
SELECT way, pg_column_size(t) < octet_length(t) AS compressed, size > 0 AS out_of_line
  FROM (SELECT 'main' AS way, t, pg_relation_size(reltoastrelid) AS size FROM kept_main, pg_class WHERE oid = 'kept_main'::regclass
		UNION ALL SELECT 'external', t, pg_relation_size(reltoastrelid) FROM kept_external, pg_class WHERE oid = 'kept_external'::regclass
		UNION ALL SELECT 'extended', t, pg_relation_size(reltoastrelid) FROM kept_extended, pg_class WHERE oid = 'kept_extended'::regclass) s;
SELECT way, bloom_hash(t) = bloom_hash(t || '') AS text, bloom_hash(b) = bloom_hash(b || ''::bytea) AS bytea,
       bloom_hash(c) = bloom_hash(t || '') AS bpchar, bloom_hash(j) = bloom_hash(to_jsonb(t || '')) AS jsonb,
       bloom_hash(a) = bloom_hash(ARRAY[t || '', NULL, t || '']) AS "text[]",
       bloom_add(bloom_create(10), t) @> (t || '') AS added, bloom_add(bloom_create(10), t || '') @> t AS found
  FROM (SELECT 'main' AS way, * FROM kept_main
		UNION ALL SELECT 'external', * FROM kept_external
		UNION ALL SELECT 'extended', * FROM kept_extended) s;

--
-- An element type is its base type: the families' names, as bloom_info and
-- the text form have them.
--
CREATE FUNCTION family_of(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT (bloom_info(bloom_add(bloom_create(10), %s))).element_type', expression) INTO result;
	RETURN result;
END $$;
SELECT family, string_agg(DISTINCT element_type, ', ' ORDER BY element_type) AS element_types
  FROM (SELECT family, family_of(min(expression)) AS element_type FROM cases GROUP BY family, type) s
 GROUP BY family ORDER BY family;

DROP SCHEMA equal_types CASCADE;
DROP EXTENSION citext;
