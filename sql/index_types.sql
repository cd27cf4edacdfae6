-- Filter indexes of every type that the server can hash: each value is found, by
-- every operator of the type's hash family.
SET enable_seqscan = off;
SET jit = off;
SET enable_indexscan = off;

-- Runs a query with the index, and without, and compares the rows: their number.
CREATE FUNCTION pg_temp.by_index(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	used boolean := false;
	with_index text;
	without text;
BEGIN
	PERFORM set_config('enable_bitmapscan', 'on', true);
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		used := used OR line LIKE '%Bitmap Index Scan on %_bf%';
	END LOOP;
	EXECUTE format('SELECT string_agg(q::text, '';'' ORDER BY q::text) FROM (%s) q', query) INTO with_index;
	PERFORM set_config('enable_bitmapscan', 'off', true);
	EXECUTE format('SELECT string_agg(q::text, '';'' ORDER BY q::text) FROM (%s) q', query) INTO without;
	PERFORM set_config('enable_bitmapscan', 'on', true);
	RETURN CASE WHEN NOT used THEN 'the index is not used' WHEN with_index IS DISTINCT FROM without THEN 'other rows'
		ELSE coalesce(array_length(string_to_array(without, ';'), 1), 0) || ' rows' END;
END $$;

-- A table of values of a type, which an expression makes of the numbers 1 to
-- 300, and NULL in every tenth row: every value is looked up.
CREATE FUNCTION pg_temp.try_type(type text, expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	wrong bigint;
	used boolean := false;
	line text;
	query text := 'SELECT count(*) FROM tried t WHERE v IS NOT NULL
		AND NOT coalesce((SELECT true FROM tried u WHERE u.v = t.v AND u.n = t.n), false)';
BEGIN
	EXECUTE format('CREATE TEMP TABLE tried (n int, v %s)', type);
	EXECUTE format('INSERT INTO tried SELECT n, CASE WHEN n %% 10 <> 0 THEN (%s)::%s END FROM generate_series(1, 150) n', expression, type);
	CREATE INDEX tried_bf ON tried USING bloomfilter (v);
	EXECUTE format('INSERT INTO tried SELECT n, CASE WHEN n %% 10 <> 0 THEN (%s)::%s END FROM generate_series(151, 300) n', expression, type);
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		used := used OR line LIKE '%Bitmap Index Scan on tried_bf%';
	END LOOP;
	EXECUTE query INTO wrong;
	wrong := wrong + bloom_index_check('tried_bf');
	DROP TABLE tried;
	RETURN CASE WHEN wrong > 0 THEN wrong || ' not found' WHEN used THEN 'found' ELSE 'the index is not used' END;
END $$;

-- How an index of a column of the type is refused
CREATE FUNCTION pg_temp.refused(column_type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	EXECUTE format('CREATE TEMP TABLE tried (v %s)', column_type);
	CREATE INDEX tried_bf ON tried USING bloomfilter (v);
	DROP TABLE tried;
	RETURN 'not refused';
EXCEPTION WHEN feature_not_supported THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	-- from 17 on CREATE INDEX has a search_path of its own
	RETURN replace(SQLERRM, 'public.', '') || E'\n' || detail;
END $$;

CREATE TYPE color AS ENUM ('red', 'green', 'blue');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN short AS varchar(10);
SELECT type, pg_temp.try_type(type, expression)
  FROM (VALUES
	('int2', 'n'), ('int4', 'n * 7'), ('int8', 'n * 10000000000'), ('float4', 'n / 3.0'), ('float8', 'n / 3.0'),
	('numeric', 'n / 3.0'), ('bool', 'n % 2 = 0'), ('text', '''t'' || n'), ('varchar', '''t'' || n'),
	('varchar(5)', '''t'' || n'), ('char(10)', '''t'' || n'), ('name', '''t'' || n'), ('"char"', 'n % 90 + 33'),
	('bytea', 'int4send(n)'), ('date', 'date ''2020-01-01'' + n'), ('time', 'time ''00:00'' + n * interval ''1 s'''),
	('timetz', 'timetz ''00:00+02'' + n * interval ''1 s'''), ('timestamp', 'timestamp ''2020-01-01'' + n * interval ''1 h'''),
	('timestamptz', 'timestamptz ''2020-01-01'' + n * interval ''1 h'''), ('interval', 'n * interval ''1 h'''),
	('uuid', 'md5(n::text)'), ('oid', 'n'), ('oidvector', 'n::text'), ('xid', 'n::text'), ('xid8', 'n::text'), ('cid', 'n::text'),
	('tid', '''('' || n || '',1)'''), ('pg_lsn', '''0/'' || n'), ('inet', '''10.0.'' || n / 256 || ''.'' || n % 256'),
	('cidr', '''10.0.'' || n / 256 || ''.'' || n % 256 || ''/32'''),
	('macaddr', 'lpad(to_hex(n), 12, ''0'')'), ('macaddr8', 'lpad(to_hex(n), 16, ''0'')'), ('jsonb', 'jsonb_build_object(''n'', n)'),
	('aclitem', 'makeaclitem(10::oid, n::oid, ''SELECT'', false)'), ('int4[]', 'ARRAY[n, n + 1]'), ('text[]', 'ARRAY[n::text, NULL]'),
	('color', '(ARRAY[''red'', ''green'', ''blue''])[n % 3 + 1]'), ('color[]', 'ARRAY[(ARRAY[''red'', ''green''])[n % 2 + 1]]'),
	('short', '''t'' || n'), ('int4range', 'int4range(n, n + 5)'),
	('int4multirange', 'int4multirange(int4range(n, n + 5))')) AS types (type, expression);

-- Every operator class is valid, and there is one for every default hash
-- operator class of the server that had extended hashing in 15.
SELECT opcname FROM pg_opclass WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter') AND NOT amvalidate(oid);
SELECT opcintype::regtype
  FROM pg_opclass h
 WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'hash') AND opcdefault AND oid < 16384
   AND opcintype::regtype::text NOT IN ('oid8')		-- of 19
   AND NOT EXISTS (SELECT FROM pg_opclass b
		WHERE opcmethod = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter') AND b.opcdefault AND b.opcintype = h.opcintype);
-- The families have the same operators.
SELECT amopopr::regoperator FROM pg_amop
 WHERE amopmethod = (SELECT oid FROM pg_am WHERE amname = 'hash')
   AND amopfamily IN (SELECT opcfamily FROM pg_opclass WHERE opcdefault AND oid < 16384 AND opcintype::regtype::text <> 'oid8')
EXCEPT
SELECT amopopr::regoperator FROM pg_amop WHERE amopmethod = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter');

-- Operators between types, also with = ANY
CREATE TABLE numbers (i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, t text, n name);
INSERT INTO numbers SELECT g, g, g, g, g, g, g::text FROM generate_series(1, 2000) g;
CREATE INDEX numbers_bf ON numbers USING bloomfilter (i2, i4, i8, f4, f8, t, n);
SELECT lefts.name, rights.type, pg_temp.by_index(format('SELECT * FROM numbers WHERE %s = %L::%s', lefts.name, '77', rights.type)),
	pg_temp.by_index(format('SELECT * FROM numbers WHERE %s = ANY (%L::%s[])', lefts.name, '{77,NULL,-1,1999}', rights.type))
  FROM (VALUES ('i2'), ('i4'), ('i8')) AS lefts (name), (VALUES ('int2'), ('int4'), ('int8')) AS rights (type)
UNION ALL
SELECT lefts.name, rights.type, pg_temp.by_index(format('SELECT * FROM numbers WHERE %s = %L::%s', lefts.name, '77', rights.type)),
	pg_temp.by_index(format('SELECT * FROM numbers WHERE %s = ANY (%L::%s[])', lefts.name, '{77,NULL,-1,1999}', rights.type))
  FROM (VALUES ('f4'), ('f8')) AS lefts (name), (VALUES ('float4'), ('float8')) AS rights (type)
UNION ALL
SELECT lefts.name, rights.type, pg_temp.by_index(format('SELECT * FROM numbers WHERE %s = %L::%s', lefts.name, '77', rights.type)),
	pg_temp.by_index(format('SELECT * FROM numbers WHERE %s = ANY (%L::%s[])', lefts.name, '{77,NULL,x,1999}', rights.type))
  FROM (VALUES ('t'), ('n')) AS lefts (name), (VALUES ('text'), ('varchar'), ('name')) AS rights (type);
-- The other way round, and with other types that the server casts.
SELECT pg_temp.by_index('SELECT * FROM numbers WHERE 77::int2 = i8'), pg_temp.by_index('SELECT * FROM numbers WHERE 77 = f4'),
	pg_temp.by_index('SELECT * FROM numbers WHERE i4 = (SELECT 77::int8)');

-- Values that are equal and look different
CREATE TABLE equal_values (f float8, n numeric, c char(5), j jsonb, i interval, b text[]);
INSERT INTO equal_values VALUES ('-0', 1.10, 'a', '{"a": 1.0, "b": 2}', '1 day', '[5:6]={a,b}'), ('NaN', 'NaN', 'b ', '1', '1 mon', '{}');
CREATE INDEX equal_values_bf ON equal_values USING bloomfilter (f, n, c, j, i, b);
SELECT condition, pg_temp.by_index('SELECT * FROM equal_values WHERE ' || condition)
  FROM (VALUES ('f = 0'), ('f = ''NaN'''), ('n = 1.1000'), ('n = ''NaN'''), ('c = ''a    '''), ('c = ''b'''), ('c = ''b''::bpchar'),
	('j = ''{"b": 2.00, "a": 1}'''), ('i = ''24 hours'''), ('i = ''30 days'''), ('b = ''[5:6]={a,b}'''), ('b = ''{}''')) AS c (condition);

-- Collations that call different strings equal
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE words (w text COLLATE ignore_case, x text);
INSERT INTO words SELECT w, w FROM (VALUES ('Straße'), ('STRASSE'), ('abc'), ('ABC'), ('aBc'), ('xyz')) AS v (w);
CREATE INDEX words_bf ON words USING bloomfilter (w, x);
SELECT condition, pg_temp.by_index('SELECT w FROM words WHERE ' || condition)
  FROM (VALUES ('w = ''abC'''), ('w = ''XYZ'''), ('x = ''ABC'''), ('x = ''abC'''), ('w = ANY (ARRAY[''ABc'', ''strasse''])'),
	('x = ''abC'' COLLATE ignore_case')) AS c (condition);
-- Up to 15, the server hashes the blanks at the end of char(n), too.
CREATE TABLE padded (c char(9) COLLATE ignore_case);
INSERT INTO padded SELECT w FROM (VALUES ('abc'), ('ABC'), ('xyz'), ('Zoë')) AS v (w);
CREATE INDEX padded_bf ON padded USING bloomfilter (c);
SELECT condition, pg_temp.by_index('SELECT c FROM padded WHERE ' || condition)
  FROM (VALUES ('c = ''abC'''), ('c = ''XYZ''::char(5)'), ('c = ''zoË '''), ('c = ANY (''{ABc,xYz }''::bpchar[])')) AS c (condition);
CREATE TYPE padded_range AS RANGE (subtype = bpchar, collation = ignore_case);
SELECT column_type, pg_temp.refused(column_type) LIKE '%The collation is not deterministic%' = (current_setting('server_version_num')::int < 160000) AS as_expected
  FROM (VALUES ('char(9)[] COLLATE ignore_case'), ('padded_range')) AS types (column_type);
-- The server hashes names by their bytes, whatever their collation calls equal.
CREATE TABLE names (n name COLLATE ignore_case, w text COLLATE ignore_case, r int4range, a name[], t text[] COLLATE ignore_case);
INSERT INTO names SELECT w, w, NULL, ARRAY[w], ARRAY[w] FROM (VALUES ('abc'), ('ABC'), ('xyz')) AS v (w);
CREATE INDEX names_bf ON names USING bloomfilter (n, w, r, a, t);
SELECT condition, pg_temp.by_index('SELECT n FROM names WHERE ' || condition)
  FROM (VALUES ('n = ''abC'' COLLATE ignore_case'), ('n = ''XYZ''::text'), ('w = ''aBC''::name COLLATE ignore_case'),
	('n = ANY (ARRAY[''Xyz'', ''no'']::text[])'), ('a = ''{xyz}'''), ('t = ''{Xyz}''')) AS c (condition);

-- Types whose equal values may have different hashes are refused, wherever they
-- are: a composite type's values stay equal when it gets another column, but
-- their hashes do not.
CREATE TYPE ignoring AS RANGE (subtype = name, collation = ignore_case);
CREATE TYPE by_pattern AS RANGE (subtype = text, subtype_opclass = text_pattern_ops, multirange_type_name = by_patterns);
CREATE TYPE by_case AS RANGE (subtype = text, collation = ignore_case);
CREATE DOMAIN paired AS pair;
SELECT column_type, pg_temp.refused(column_type)
  FROM (VALUES ('pair'), ('pair[]'), ('paired'), ('paired[]'), ('names'), ('by_pattern'), ('by_patterns'), ('by_pattern[]'),
	('ignoring'), ('name[] COLLATE ignore_case'), ('name[]'), ('by_case'), ('by_case[]')) AS types (column_type);

-- A type of one's own, by the type's extended hash function
CREATE TYPE point3 AS (x float8, y float8, z float8);
CREATE FUNCTION same_height(point3, point3) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1.z = $2.z; END';
CREATE FUNCTION height_hash(point3, int8) RETURNS int8 LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN hashfloat8extended($1.z, $2); END';
CREATE OPERATOR === (LEFTARG = point3, RIGHTARG = point3, FUNCTION = same_height, RESTRICT = eqsel);
CREATE OPERATOR CLASS height_ops FOR TYPE point3 USING bloomfilter AS OPERATOR 1 ===, FUNCTION 1 height_hash(point3, int8);
CREATE TABLE points (p point3);
INSERT INTO points SELECT ROW(g, g, g % 100)::point3 FROM generate_series(1, 2000) g;
CREATE INDEX points_bf ON points USING bloomfilter (p height_ops);
SELECT amvalidate(oid), pg_temp.by_index('SELECT * FROM points WHERE p === ROW(1, 1, 5)::point3') FROM pg_opclass WHERE opcname = 'height_ops';
DROP TABLE numbers, equal_values, words, padded, names, points;
DROP TYPE ignoring, by_pattern, by_case, padded_range;
DROP OPERATOR FAMILY height_ops USING bloomfilter;
\set VERBOSITY terse
DROP TYPE point3 CASCADE;
DROP COLLATION ignore_case;
DROP DOMAIN short, paired;
DROP TYPE pair, color;
