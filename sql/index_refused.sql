-- What a filter index cannot be is refused as for the server's own indexes.
\set SHOW_CONTEXT never
CREATE TABLE t (a int, b text, p point);
-- Shows the SQLSTATE and the message of what fails
CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(E'\n', SQLSTATE || ' ' || SQLERRM, nullif(detail, ''), nullif(hint, ''));
END $$;
\pset format unaligned
\pset tuples_only on
SELECT statement || E'\n' || pg_temp.refused(statement) || E'\n'
  FROM (VALUES
	('CREATE UNIQUE INDEX ON t USING bloomfilter (a)'),
	('CREATE INDEX ON t USING bloomfilter (a) INCLUDE (b)'),
	('CREATE INDEX ON t USING bloomfilter (a ASC)'),
	('CREATE INDEX ON t USING bloomfilter (a DESC)'),
	('CREATE INDEX ON t USING bloomfilter (a NULLS FIRST)'),
	('CREATE INDEX ON t USING bloomfilter (p)'),
	('CREATE INDEX ON t USING bloomfilter ((ARRAY[p]))'),
	('CREATE INDEX ON t USING bloomfilter (a no_such_ops)'),
	('CREATE INDEX ON t USING bloomfilter (b int4_ops)'),
	('ALTER TABLE t ADD EXCLUDE USING bloomfilter (a WITH =)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (false_positive_rate = 0)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (false_positive_rate = 0.0000009)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (false_positive_rate = 0.51)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (false_positive_rate = nan)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (false_positive_rate = often)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (fillfactor = 70)'),
	('CREATE INDEX t_bf ON t USING bloomfilter (a, b) WITH (false_positive_rate = 0.5)'),
	('ALTER INDEX t_bf SET (false_positive_rate = 0.000001)'),
	('ALTER INDEX t_bf SET (false_positive_rate = 1)'),
	('ALTER INDEX t_bf RESET (false_positive_rate)'),
	('CLUSTER t USING t_bf'),
	('ALTER TABLE t REPLICA IDENTITY USING INDEX t_bf')) AS s (statement);

-- Nothing but = and = ANY
SET enable_seqscan = off;
SET jit = off;
CREATE FUNCTION pg_temp.plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS 'BEGIN RETURN QUERY EXECUTE ''EXPLAIN (COSTS OFF) '' || query; END';
SELECT condition || ': ' || CASE WHEN EXISTS (SELECT FROM pg_temp.plan('SELECT a FROM t WHERE ' || condition) AS line
		WHERE line LIKE '%Index Cond%') THEN 'the index' ELSE 'not the index' END
  FROM (VALUES ('a = 1'), ('a IN (1, 2)'), ('a <> 1'), ('a < 1'), ('a IS NULL'), ('a IS NOT NULL'), ('b = ''x'''), ('b LIKE ''x'''),
	('b LIKE ''x%'''), ('a = b::int'), ('a = random()'), ('a <> ALL (''{1,2}'')'), ('a IS NOT DISTINCT FROM 1')) AS c (condition);
SELECT line FROM pg_temp.plan('SELECT a FROM t WHERE a = 1 ORDER BY a') AS line;

-- Operator classes that make no sense
CREATE FUNCTION text_hash(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
CREATE OPERATOR CLASS without_hash FOR TYPE int4 USING bloomfilter AS OPERATOR 1 =;
CREATE OPERATOR CLASS without_operator FOR TYPE int4 USING bloomfilter AS FUNCTION 1 hashint4extended(int4, int8);
CREATE OPERATOR CLASS other_hash FOR TYPE text USING bloomfilter AS OPERATOR 1 =, FUNCTION 1 (text, text) text_hash(text);
CREATE OPERATOR CLASS two_types FOR TYPE int4 USING bloomfilter AS OPERATOR 1 =, FUNCTION 1 hashint4extended(int4, int8),
	FUNCTION 1 (int4, int8) hashint8extended(int8, int8);
CREATE OPERATOR CLASS other_operator FOR TYPE int4 USING bloomfilter AS OPERATOR 1 +, FUNCTION 1 hashint4extended(int4, int8);
CREATE OPERATOR CLASS other_types FOR TYPE int4 USING bloomfilter AS OPERATOR 1 =, OPERATOR 1 = (int4, int8), FUNCTION 1 hashint4extended(int4, int8);
CREATE OPERATOR CLASS stored FOR TYPE int4 USING bloomfilter AS OPERATOR 1 =, FUNCTION 1 hashint4extended(int4, int8), STORAGE int8;
CREATE OPERATOR CLASS second_strategy FOR TYPE int4 USING bloomfilter AS OPERATOR 2 <, FUNCTION 1 hashint4extended(int4, int8);
ALTER OPERATOR FAMILY other_types USING bloomfilter ADD OPERATOR 3 < (int4, int4);
\pset tuples_only off
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname IN ('without_hash', 'without_operator', 'other_hash', 'other_types', 'two_types', 'stored') ORDER BY 1;
-- A condition of a type for which the family has no hash function
INSERT INTO t SELECT g FROM generate_series(1, 1000) g;
CREATE INDEX other_bf ON t USING bloomfilter (a other_types);
DROP INDEX t_bf;
SELECT a FROM t WHERE a = 7;
SELECT pg_temp.refused('SELECT a FROM t WHERE a = 7::int8');

-- A range is compared by its collation, and citext is hashed by another
CREATE EXTENSION citext SCHEMA public;
CREATE COLLATION no_accent (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
CREATE TYPE cited_range AS RANGE (subtype = citext, collation = no_accent);
CREATE TABLE ranged (r cited_range);
SELECT replace(pg_temp.refused('CREATE INDEX ON ranged USING bloomfilter (' || r || ')'), 'public.', '') FROM (VALUES ('r'), ('(ARRAY[r])')) AS ranges (r);
DROP TABLE ranged;
DROP TYPE cited_range;
DROP COLLATION no_accent;
DROP EXTENSION citext;

-- Functions about indexes
CREATE INDEX t_bf ON t USING bloomfilter (a);
CREATE INDEX t_btree ON t (a);
CREATE TABLE parts (a int) PARTITION BY LIST (a);
CREATE INDEX parts_bf ON parts USING bloomfilter (a);
CREATE VIEW v AS SELECT 1;
SELECT relation, pg_temp.refused(format('SELECT bloom_index_info(%L)', relation)), pg_temp.refused(format('SELECT bloom_index_check(%L)', relation))
  FROM (VALUES ('t_bf'), ('t'), ('t_btree'), ('parts_bf'), ('parts'), ('v'), ('nowhere')) AS r (relation);
SELECT bloom_index_info(NULL), bloom_index_check(NULL), pg_temp.refused('SELECT bloom_index_check(4294967295::oid)');
-- One that CREATE INDEX CONCURRENTLY has left may have no page.
CREATE FUNCTION fail(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1 / ($1 - $1); END';
CREATE INDEX CONCURRENTLY t_left ON t USING bloomfilter (fail(a));
CREATE INDEX CONCURRENTLY t_left_all ON t USING bloomfilter (fail(a)) WITH (scope = 'table');
SELECT relation, pg_temp.refused(format(call, relation))
  FROM (VALUES ('t_left'), ('t_left_all')) AS r (relation),
	(VALUES ('SELECT bloom_index_info(%L)'), ('SELECT bloom_index_check(%L)'), ('SELECT bloom_index_contains(%L, 5)'), ('SELECT bloom_index_filter(%L)')) AS c (call);
-- One of a partitioned table waits for the indexes of partitions.
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE INDEX parts_only ON ONLY parts USING bloomfilter (a);
SELECT pg_temp.refused('SELECT bloom_index_contains(''parts_only'', 5)');
-- They are for who may read the table.
CREATE ROLE regress_bloom_reader;
CREATE INDEX t_b_bf ON t USING bloomfilter (b);
SET ROLE regress_bloom_reader;
SELECT pg_temp.refused('SELECT bloom_index_check(''t_b_bf'')');
RESET ROLE;
GRANT SELECT ON t TO regress_bloom_reader;
SET ROLE regress_bloom_reader;
SELECT pg_temp.refused('SELECT bloom_index_check(''t_b_bf'')'), pg_temp.refused('SELECT bloom_index_info(''t_b_bf'')');
RESET ROLE;
-- An expression is evaluated as the table's owner does it, not as the caller.
CREATE FUNCTION who(int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE NOTICE ''called by %'', current_user; RETURN ''x''; END';
CREATE TABLE owned (a int);
ALTER TABLE owned OWNER TO regress_bloom_reader;
INSERT INTO owned VALUES (1);
CREATE INDEX owned_bf ON owned USING bloomfilter (who(a));
SELECT bloom_index_check('owned_bf');
DROP TABLE t, parts, owned;
DROP VIEW v;
DROP ROLE regress_bloom_reader;
DROP FUNCTION who, fail;
\set VERBOSITY terse
DROP FUNCTION text_hash CASCADE;
DROP OPERATOR FAMILY without_hash USING bloomfilter;
DROP OPERATOR FAMILY without_operator USING bloomfilter;
DROP OPERATOR FAMILY other_types USING bloomfilter;
DROP OPERATOR FAMILY two_types USING bloomfilter;
DROP OPERATOR FAMILY stored USING bloomfilter;
