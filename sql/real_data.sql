-- Nothing that was added is ever missed, and absent values are rarely taken
-- for present ones: whole columns of many types, right-sized and sized.
SET client_min_messages = warning;
CREATE SCHEMA real_data;
SET search_path = real_data, public;
SET TimeZone = 'UTC';

-- Columns of present values, and as many absent ones.
CREATE TABLE uuids AS
SELECT i, md5(i::text)::uuid AS uuid, md5((i + 100000)::text)::uuid AS uuid_absent FROM generate_series(1, 100000) AS i;
CREATE TABLE data AS
SELECT i,
       i * 3 AS int4, i * 3 + 1 AS int4_absent,
       i * 4294967296 - 50000 AS int8, i * 4294967296 - 49999 AS int8_absent,
       md5(i::text) AS word, md5(i::text || 'x') AS word_absent,
       timestamp '2020-01-01' + i * interval '37 s' AS timestamp, timestamp '2020-01-01' + i * interval '37 s' + interval '1 s' AS timestamp_absent,
       timestamptz '2020-01-01' + i * interval '0.25 s' AS timestamptz, timestamptz '2020-01-01' + i * interval '0.25 s' + interval '1 us' AS timestamptz_absent,
       date '1900-01-01' + i AS date, date '1900-01-01' + i + 20000 AS date_absent,
       (i::numeric / 7)::numeric(20, 6) AS numeric, (i::numeric / 7)::numeric(20, 6) + 20000 AS numeric_absent,
       i::float8 / 7 AS float8, i::float8 / 7 + 20000 AS float8_absent,
       decode(md5(i::text), 'hex') AS bytea, decode(md5(i::text) || '00', 'hex') AS bytea_absent,
       '10.0.0.0'::inet + i AS inet, '11.0.0.0'::inet + i AS inet_absent,
       ('customer ' || i)::char(20) AS bpchar, ('Customer ' || i)::char(20) AS bpchar_absent,
       jsonb_build_object('id', i, 'name', 'n' || i) AS jsonb, jsonb_build_object('id', i, 'name', 'm' || i) AS jsonb_absent,
       ARRAY[i, i + 1] AS ints, ARRAY[i, i + 2] AS ints_absent
  FROM generate_series(1, 20000) AS i;

-- For one column: a filter of its values, right-sized or sized for them; how
-- many of them it loses, and how many absent ones it takes for present.
CREATE TABLE filters (column_name text COLLATE "C", sized boolean, filter bloomfilter);
CREATE FUNCTION check_column(source text, present text, absent text, sized boolean,
	OUT distinct_values bigint, OUT lost bigint, OUT lost_from_table bigint, OUT false_positives bigint)
LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter;
BEGIN
	EXECUTE format('SELECT count(DISTINCT %s) FROM %s', present, source) INTO distinct_values;
	IF sized THEN
		EXECUTE format('SELECT bloom_agg(%s, $1) FROM %s', present, source) INTO f USING distinct_values;
	ELSE
		EXECUTE format('SELECT bloom_agg(%s) FROM %s', present, source) INTO f;
	END IF;
	INSERT INTO filters VALUES (present, sized, f);
	EXECUTE format('SELECT count(*) FROM %s WHERE ($1 @> %s) IS NOT TRUE', source, present) INTO lost USING f;
	EXECUTE format('SELECT count(*) FROM %s WHERE (%s <@ $1) IS NOT FALSE', source, absent) INTO false_positives USING f;
	-- as stored, for some of the rows
	EXECUTE format('SELECT count(*) FROM (SELECT * FROM %s LIMIT 200) s, filters x WHERE column_name = %L AND x.sized = %L AND (filter @> %s) IS NOT TRUE',
		source, present, sized, present) INTO lost_from_table;
END $$;

SELECT name, sized, distinct_values, lost, lost_from_table,
       false_positives < 0.02 * distinct_values AS below_2_percent, false_positives > 0 AS some_false_positives
  FROM (VALUES ('uuids', 'uuid'), ('data', 'int4'), ('data', 'int8'), ('data', 'word'), ('data', 'timestamp'), ('data', 'timestamptz'), ('data', 'date'),
               ('data', 'numeric'), ('data', 'float8'), ('data', 'bytea'), ('data', 'inet'), ('data', 'bpchar'), ('data', 'jsonb'), ('data', 'ints')) c (source, name),
       (VALUES (false), (true)) s (sized),
       LATERAL check_column(source, name, name || '_absent', sized)
 ORDER BY name COLLATE "C", sized;

-- The catalog's own names, as name and as text, and longer texts; how many
-- there are depends on the server.
SELECT name, sized, distinct_values > 2000 AS many, lost, lost_from_table, false_positives < 0.02 * (SELECT count(*) FROM pg_proc) AS below_2_percent
  FROM (VALUES ('proname', 'upper(proname)::name'), ('proname::text', 'proname || ''!'''), ('prosrc', 'prosrc || ''!''')) c (name, absent),
       (VALUES (false), (true)) s (sized),
       LATERAL check_column('pg_proc', name, absent, sized)
 ORDER BY name COLLATE "C", sized;
-- name and text build the same filter
SELECT bloom_agg(proname) = bloom_agg(proname::text) AS right_sized, bloom_agg(proname, 5000) = bloom_agg(proname::text, 5000) AS sized FROM pg_proc;

-- A right-sized filter is the one sized for the exact number.
SELECT count(*) AS columns, count(*) FILTER (WHERE a.filter = b.filter) AS equal
  FROM filters a JOIN filters b USING (column_name) WHERE a.sized AND NOT b.sized;
-- They hold what they were built for.
SELECT column_name, (bloom_info(filter)).representation, (bloom_info(filter)).expected_items,
       abs(bloom_cardinality(filter) / (bloom_info(filter)).expected_items::float8 - 1) < 0.02 AS estimate,
       bloom_false_positive_rate(filter) BETWEEN 0.008 AND 0.0105 AS rate
  FROM filters WHERE column_name NOT LIKE 'pro%' AND NOT sized ORDER BY column_name;

-- Other types of the same family find the values, too.
SELECT column_name, count(*) AS rows,
       count(*) FILTER (WHERE CASE column_name
                                  WHEN 'int4' THEN filter @> int4::int8
                                  WHEN 'word' THEN filter @> word::varchar(40) AND filter @> word::name AND filter @> word::char(40)
                                  WHEN 'bpchar' THEN filter @> bpchar::text AND filter @> bpchar::varchar
                              END) AS found
  FROM data, filters WHERE i <= 1000 AND column_name IN ('int4', 'word', 'bpchar') AND sized
 GROUP BY 1 ORDER BY 1;

-- A union of the halves, all in an array, and one value at a time give the
-- filter of all.
SELECT bloom_union(bloom_agg(uuid, 100000) FILTER (WHERE i % 2 = 0), bloom_agg(uuid, 100000) FILTER (WHERE i % 2 = 1)) = bloom_agg(uuid, 100000) AS halves,
       bloom_add_all(bloom_create(100000), array_agg(uuid)) = bloom_agg(uuid, 100000) AS array
  FROM uuids;
CREATE FUNCTION one_by_one() RETURNS bloomfilter LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter := bloom_create(20000);
	v numeric;
BEGIN
	FOR v IN SELECT numeric FROM data WHERE i <= 5000 LOOP
		f := bloom_add(f, v);
	END LOOP;
	RETURN f;
END $$;
SELECT one_by_one() = bloom_agg(numeric, 20000) AS one_by_one FROM data WHERE i <= 5000;

DROP SCHEMA real_data CASCADE;
