-- An index with scope = 'table' is the filter that the type makes of the same
-- values, for each family of types; what it says of a value is right.
\pset null NULL
SET jit = off;
CREATE SCHEMA index_table;
SET search_path = index_table, public;
CREATE FUNCTION pg_temp.error_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	-- from 17 on CREATE INDEX has a search_path of its own
	RETURN replace(concat_ws(E'\n', SQLSTATE || ' ' || SQLERRM, nullif(detail, ''), nullif(hint, '')), 'index_table.', '');
END $$;

--
-- The filter
--
CREATE TABLE members (id int, name text) WITH (autovacuum_enabled = off);
INSERT INTO members SELECT i, 'member ' || i FROM generate_series(1, 20000) i;
INSERT INTO members VALUES (NULL, NULL);
CREATE INDEX members_ids ON members USING bloomfilter (id) WITH (scope = 'table', expected_items = 30000);
SELECT bloom_index_filter('members_ids') = bloom_agg(id, 30000) AS same FROM members;
-- rows that come later
INSERT INTO members SELECT i, 'member ' || i FROM generate_series(20001, 30000) i;
UPDATE members SET id = id + 100000 WHERE id > 29000;
SELECT bloom_index_filter('members_ids') = (SELECT bloom_agg(id, 30000) FROM members) |
	(SELECT bloom_agg(i, 30000) FROM generate_series(29001, 30000) i) AS same;
SELECT bloom_index_check('members_ids') AS missing;
SELECT bloom_index_contains('members_ids', 5) AS five, bloom_index_contains('members_ids', 130000::bigint) AS new,
	bloom_index_contains('members_ids', -5::smallint) AS absent, bloom_index_contains('members_ids', NULL::int) AS nothing;
SELECT count(*) BETWEEN 900 AND 1300 AS as_asked FROM generate_series(200001, 300000) i WHERE bloom_index_contains('members_ids', i);
-- half of what is there, by the seed and the functions of the type
SELECT bloom_cardinality(bloom_index_filter('members_ids') & bloom_agg(i, 30000)) BETWEEN 14800 AND 15300 AS half FROM generate_series(1, 15000) i;
-- what it is like
SELECT scope, pages, target_false_positive_rate AS asked, range_false_positive_rate < 0.02 AS rate, expected_items, estimated_items BETWEEN 30700 AND 31300 AS items,
	groups, ranges, page_false_positive_rate AS page, worst_group_false_positive_rate AS worst
  FROM bloom_index_info('members_ids');
-- an aborted row may stay, a row of a savepoint too
BEGIN; INSERT INTO members VALUES (777777777); ROLLBACK;
SELECT bloom_index_contains('members_ids', 777777777) AS aborted, bloom_index_check('members_ids') AS missing;
-- REINDEX forgets what was deleted
DELETE FROM members WHERE id > 10000;
VACUUM members;
SELECT bloom_index_contains('members_ids', 15000) AS deleted;
REINDEX INDEX members_ids;
SELECT bloom_index_contains('members_ids', 15000) AS deleted, bloom_index_filter('members_ids') = bloom_agg(id, 30000) AS same FROM members;
REINDEX INDEX CONCURRENTLY members_ids;
SELECT bloom_index_filter('members_ids') = bloom_agg(id, 30000) AS same FROM members;

--
-- Its size
--
-- by default for twice the rows, and for no fewer than 100,000
CREATE INDEX members_default ON members USING bloomfilter (id) WITH (scope = 'table');
SELECT expected_items, target_false_positive_rate AS asked FROM bloom_index_info('members_default');
CREATE TABLE large WITH (autovacuum_enabled = off) AS SELECT i FROM generate_series(1, 120000) i;
ANALYZE large;
CREATE INDEX large_i ON large USING bloomfilter (i) WITH (scope = 'table', false_positive_rate = 0.1);
SELECT expected_items, target_false_positive_rate AS asked FROM bloom_index_info('large_i');
-- the parameters hold from the next build on
ALTER INDEX large_i SET (expected_items = 200000.5, false_positive_rate = 0.02);
SELECT expected_items, target_false_positive_rate AS asked FROM bloom_index_info('large_i');
REINDEX INDEX large_i;
SELECT expected_items, target_false_positive_rate AS asked, bloom_index_filter('large_i') = (SELECT bloom_agg(i, 200001, 0.02) FROM large) AS same
  FROM bloom_index_info('large_i');
-- so does the scope: rows stay in the index that is there
ALTER INDEX large_i RESET (scope, expected_items);
INSERT INTO large VALUES (-1);
SELECT bloom_index_contains('large_i', -1) AS there, bloom_index_check('large_i') AS missing, (bloom_index_info('large_i')).scope;
REINDEX INDEX large_i;
INSERT INTO large VALUES (-2);
SELECT bloom_index_check('large_i') AS missing, (bloom_index_info('large_i')).scope, (bloom_index_info('large_i')).expected_items;
ALTER INDEX large_i SET (scope = 'table');
INSERT INTO large VALUES (-3);
SELECT bloom_index_check('large_i') AS missing, (bloom_index_info('large_i')).scope;
SELECT pg_temp.error_of($$SELECT bloom_index_filter('large_i')$$);
TRUNCATE large;
SELECT (bloom_index_info('large_i')).scope, bloom_cardinality(bloom_index_filter('large_i')) AS items;
-- overfull, it says yes more often and misses nothing
CREATE TABLE overfull WITH (autovacuum_enabled = off) AS SELECT i FROM generate_series(1, 20000) i;
CREATE INDEX overfull_i ON overfull USING bloomfilter (i) WITH (scope = 'table', expected_items = 1000);
SELECT bloom_index_check('overfull_i') AS missing, range_false_positive_rate > 0.9 AS rate FROM bloom_index_info('overfull_i');

--
-- VACUUM makes it anew when its rate has doubled
--
CREATE VIEW sizes AS
SELECT index, expected_items, abs(estimated_items - rows) <= rows / 100 AS items, round(range_false_positive_rate::numeric, 2) AS rate, worn
  FROM (VALUES ('loaded_i', 200000), ('liked_i_idx', 300000), ('kept_i', 130000)) AS s (index, rows), bloom_index_info(index);
CREATE TABLE loaded (i int) WITH (autovacuum_enabled = off);
CREATE INDEX loaded_i ON loaded USING bloomfilter (i) WITH (scope = 'table');
CREATE TABLE liked (LIKE loaded INCLUDING ALL) WITH (autovacuum_enabled = off);
CREATE TABLE kept (i int) WITH (autovacuum_enabled = off);
CREATE INDEX kept_i ON kept USING bloomfilter (i) WITH (scope = 'table', expected_items = 10000);
INSERT INTO loaded SELECT generate_series(1, 10);
TRUNCATE loaded;
INSERT INTO loaded SELECT generate_series(1, 200000);
INSERT INTO liked SELECT generate_series(1, 300000);
INSERT INTO kept SELECT generate_series(1, 130000);
SELECT * FROM sizes;
VACUUM (INDEX_CLEANUP off) loaded;
SELECT worn FROM sizes WHERE index = 'loaded_i';
VACUUM loaded, liked, kept;
-- for twice the values, within what counting them tells; not if expected_items is given
SELECT index, expected_items BETWEEN 398000 AND 402000 AS for_400000, expected_items BETWEEN 597000 AND 603000 AS for_600000, items, rate < 0.01 AS rate, worn FROM sizes;
SELECT bloom_index_check('loaded_i') AS loaded, bloom_index_check('liked_i_idx') AS liked, bloom_index_check('kept_i') AS kept;
SELECT count(*) < 30 AS as_asked FROM generate_series(1, 1000) i WHERE bloom_index_contains('loaded_i', -i);
SELECT bloom_index_filter('loaded_i') = (SELECT bloom_agg(i, (SELECT expected_items FROM sizes WHERE index = 'loaded_i')) FROM loaded) AS same;
-- the planner sees it
CREATE FUNCTION cost(statement text) RETURNS float LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || statement INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Total Cost';
END $$;
ANALYZE loaded, kept;
SELECT cost('SELECT FROM kept WHERE i = ANY (''{-1}'') AND i = ANY (''{-2}'')') > 2 * cost('SELECT FROM loaded WHERE i = ANY (''{-1}'') AND i = ANY (''{-2}'')') AS cheaper;
-- what was deleted is forgotten, and the filter does not get smaller
DELETE FROM loaded WHERE i > 1000;
VACUUM loaded;
-- rolled back, which no snapshot of another session sees
BEGIN;
INSERT INTO loaded SELECT generate_series(1000001, 1300000);
ROLLBACK;
SELECT worn FROM sizes WHERE index = 'loaded_i';
SELECT pages AS pages_before FROM bloom_index_info('loaded_i') \gset
VACUUM loaded;
SELECT expected_items BETWEEN 398000 AND 402000 AS for_400000, estimated_items BETWEEN 990 AND 1010 AS items, worn, bloom_index_check('loaded_i') AS missing FROM bloom_index_info('loaded_i');
-- the next one uses the pages of the one before
SELECT pages AS pages_after FROM bloom_index_info('loaded_i') \gset
BEGIN;
INSERT INTO loaded SELECT generate_series(2000001, 2500000);
ROLLBACK;
VACUUM loaded;
SELECT :pages_after > :pages_before AS beside, pages = :pages_after AS again, worn FROM bloom_index_info('loaded_i');
DROP VIEW sizes;
DROP TABLE loaded, liked, kept;

--
-- Conditions: nothing, or the whole table
--
SET enable_seqscan = off;
SELECT id FROM members WHERE id = 5;
SELECT id FROM members WHERE id = -5;
SELECT id FROM members WHERE id = 5::bigint;
SELECT id FROM members WHERE id = ANY ('{-1,NULL,7,9,-3}') ORDER BY id;
SELECT id FROM members WHERE id = ANY ('{-1,-2,NULL}');
SELECT id FROM members WHERE id = ANY ('{}');
SELECT id FROM members WHERE id = NULL;
SELECT id FROM members WHERE id = 5 AND id = ANY ('{5,-6}');
SELECT id FROM members WHERE id = 5 AND id = ANY ('{-5,-6}');
DROP INDEX members_default;
EXPLAIN (COSTS off) SELECT id FROM members WHERE id = -5;
-- the planner takes it where hardly a row is expected
RESET enable_seqscan;
VACUUM ANALYZE members;
EXPLAIN (COSTS off) SELECT id FROM members WHERE id = 5;
CREATE TABLE kinds WITH (autovacuum_enabled = off) AS SELECT i % 5 AS kind, repeat('x', 100) AS pad FROM generate_series(1, 20000) i;
CREATE INDEX kinds_kind ON kinds USING bloomfilter (kind) WITH (scope = 'table');
VACUUM ANALYZE kinds;
EXPLAIN (COSTS off) SELECT * FROM kinds WHERE kind = 6;
EXPLAIN (COSTS off) SELECT * FROM kinds WHERE kind = 3;

--
-- Every family of types
--
CREATE TABLE v AS
SELECT i AS int4, i::bigint * 7919 AS int8, (i % 30000)::int2 AS int2, i::float4 / 3 AS float4, i::float8 / 3 AS float8, i::numeric / 7 AS num,
	'x' || i AS str, ('y' || i)::varchar(20) AS vc, ('z' || i)::char(12) AS bp, ('n' || i)::name AS nm, md5(i::text)::uuid AS id,
	decode(md5(i::text), 'hex') AS bytes, date '2020-01-01' + i AS d, timestamp '2020-01-01' + i * interval '1 hour' AS ts,
	timestamptz '2020-01-01 00:00+00' + i * interval '1 hour' AS tz, time '00:00' + i * interval '1 s' AS tm, i * interval '1 day' AS span,
	ARRAY[i, i + 1] AS arr, int4range(i, i + 5) AS rng, ('10.0.' || i / 250 || '.' || i % 250)::inet AS ip, to_jsonb(i) AS j, i::oid AS o
  FROM generate_series(1, 5000) i;
-- ones with several forms
UPDATE v SET float4 = '-0', float8 = '-0', num = 1.50, bp = 'z ' WHERE int4 = 1;
CREATE TABLE found (name text, same bool, missing bigint, unseen bigint, by_index bigint, by_table bigint);
DO $$
DECLARE
	f found;
	filter text;
BEGIN
	FOR f.name IN SELECT attname FROM pg_attribute WHERE attrelid = 'v'::regclass AND attnum > 0 ORDER BY attnum LOOP
		EXECUTE format('CREATE INDEX v_%1$s ON v USING bloomfilter (%1$I) WITH (scope = table, expected_items = 5000)', f.name);
		filter := quote_literal('v_' || f.name);
		EXECUTE format('SELECT bloom_index_filter(%1$s) = bloom_agg(%2$I, 5000), bloom_index_check(%1$s), count(*) FILTER (WHERE NOT bloom_index_contains(%1$s, %2$I)) FROM v', filter, f.name)
		   INTO f.same, f.missing, f.unseen;
		SET LOCAL enable_seqscan = off;
		SET LOCAL enable_bitmapscan = on;
		EXECUTE format('SELECT count(*) FROM v WHERE %1$I = (SELECT %1$I FROM v WHERE int4 = 1)', f.name) INTO f.by_index;
		SET LOCAL enable_seqscan = on;
		SET LOCAL enable_bitmapscan = off;
		EXECUTE format('SELECT count(*) FROM v WHERE %1$I = (SELECT %1$I FROM v WHERE int4 = 1)', f.name) INTO f.by_table;
		INSERT INTO found VALUES (f.*);
	END LOOP;
END $$;
SELECT * FROM found;
SELECT bloom_index_contains('v_float8', 0.0::float8) AS zero, bloom_index_contains('v_float4', 0.0::float8) AS as_float8,
	bloom_index_contains('v_num', 1.5) AS num, bloom_index_contains('v_bp', 'z'::char(5)) AS bp, bloom_index_contains('v_bp', 'z   '::text) AS bp_as_text,
	bloom_index_contains('v_str', 'x7') AS literal, bloom_index_contains('v_nm', 'n7'::text) AS name_as_text;
-- other widths in conditions
SET enable_seqscan = off;
SELECT count(*) FROM v WHERE int2 = 7::bigint;
SELECT count(*) FROM v WHERE int8 = 7919::smallint;
SELECT count(*) FROM v WHERE float4 = 0::float8;
SELECT count(*) FROM v WHERE float8 = (2::float4 / 2)::float4;
SELECT count(*) FROM v WHERE nm = 'n7'::text;
SELECT count(*) FROM v WHERE bp = 'z';
RESET enable_seqscan;

--
-- Parts, expressions, wide and unlogged and temporary rows
--
CREATE TABLE wide AS SELECT i, repeat(md5(i::text), 200) AS t FROM generate_series(1, 1000) i;
CREATE INDEX wide_t ON wide USING bloomfilter (t) WITH (scope = table);
CREATE INDEX wide_part ON wide USING bloomfilter ((i % 10)) WITH (scope = table) WHERE i > 500;
CREATE INDEX wide_upper ON wide USING bloomfilter (upper(t)) WITH (scope = table);
INSERT INTO wide SELECT i, repeat(md5(i::text), 200) FROM generate_series(1001, 1200) i;
SELECT bloom_index_check('wide_t') AS t, bloom_index_check('wide_part') AS part, bloom_index_check('wide_upper') AS upper,
	bloom_cardinality(bloom_index_filter('wide_part')) AS part_items;
CREATE UNLOGGED TABLE unlogged (i int);
CREATE INDEX unlogged_i ON unlogged USING bloomfilter (i) WITH (scope = table);
CREATE TEMP TABLE temporary (i int);
CREATE INDEX temporary_i ON temporary USING bloomfilter (i) WITH (scope = table);
INSERT INTO unlogged SELECT generate_series(1, 1000);
INSERT INTO temporary SELECT generate_series(1, 1000);
SELECT bloom_index_check('unlogged_i') AS unlogged, bloom_index_check('temporary_i') AS temporary, bloom_index_contains('temporary_i', 5) AS five;

--
-- Partitions
--
CREATE TABLE p (k int, day date) PARTITION BY RANGE (day);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM ('2026-02-01') TO ('2026-03-01') PARTITION BY LIST (k);
CREATE INDEX p_k ON p USING bloomfilter (k) WITH (scope = 'table', expected_items = 5000);
CREATE TABLE p2a PARTITION OF p2 DEFAULT;
INSERT INTO p SELECT i, '2026-01-01'::date + i % 59 FROM generate_series(1, 5000) i;
SELECT bloom_index_filter('p_k') = bloom_agg(k, 5000) AS same FROM p;
SELECT bloom_index_filter('p1_k_idx') = bloom_agg(k, 5000) AS same FROM p1;
SELECT bloom_index_contains('p_k', 5) AS five, bloom_index_contains('p_k', 58) AS of_p2, bloom_index_contains('p_k', -5) AS absent;
SELECT pg_temp.error_of($$SELECT bloom_index_contains('p_k', 'five')$$);
-- without partitions there is nothing
CREATE TABLE q (k int) PARTITION BY RANGE (k);
CREATE INDEX q_k ON q USING bloomfilter (k) WITH (scope = 'table');
SELECT bloom_index_contains('q_k', 5) AS five, bloom_index_filter('q_k') AS filter;
-- of different sizes
CREATE TABLE p3 (k int, day date);
CREATE INDEX p3_k ON p3 USING bloomfilter (k) WITH (scope = 'table', expected_items = 7000);
ALTER TABLE p ATTACH PARTITION p3 FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');
SELECT pg_temp.error_of($$SELECT bloom_index_filter('p_k')$$);
SELECT bloom_index_contains('p_k', 5) AS five;
-- of sizes that are the same in blocks: as for bloom_union, the larger one
DROP TABLE p3;
CREATE TABLE p3 (k int, day date);
CREATE INDEX p3_k ON p3 USING bloomfilter (k) WITH (scope = 'table', expected_items = 5001);
ALTER TABLE p ATTACH PARTITION p3 FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');
SELECT (bloom_info(bloom_index_filter('p_k'))).expected_items;
-- of another scope
DROP TABLE p3;
CREATE TABLE p3 (k int, day date);
CREATE INDEX p3_k ON p3 USING bloomfilter (k);
ALTER TABLE p ATTACH PARTITION p3 FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');
SELECT pg_temp.error_of($$SELECT bloom_index_contains('p_k', 5)$$);
DROP TABLE p3;
-- a partition of another server has no index
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE p4 PARTITION OF p FOR VALUES FROM ('2026-04-01') TO ('2026-05-01') SERVER nowhere;
SELECT pg_temp.error_of($$SELECT bloom_index_contains('p_k', 5)$$);
SELECT pg_temp.error_of($$SELECT bloom_index_filter('p_k')$$);
DROP FOREIGN TABLE p4;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;

--
-- Who may know
--
CREATE ROLE regress_index_reader;
GRANT USAGE ON SCHEMA index_table TO regress_index_reader;
GRANT SELECT (day) ON p TO regress_index_reader;
SET ROLE regress_index_reader;
SELECT pg_temp.error_of($$SELECT bloom_index_contains('p_k', 5)$$);
RESET ROLE;
GRANT SELECT (k) ON p TO regress_index_reader;
GRANT SELECT (i) ON wide TO regress_index_reader;
GRANT SELECT ON v TO regress_index_reader;
CREATE INDEX v_odd ON v USING bloomfilter (int8) WHERE int8 % 2 = 1;
CREATE INDEX v_sum ON v USING bloomfilter ((int2 + int8));
SET ROLE regress_index_reader;
-- who may not act for the owner is not given the owner's expressions to run
SELECT sum(bloom_index_check(indexrelid)) AS plain FROM pg_index
	WHERE indrelid = 'v'::regclass AND indpred IS NULL AND indexprs IS NULL;
SELECT pg_temp.error_of($$SELECT bloom_index_check('v_odd')$$);
SELECT pg_temp.error_of($$SELECT bloom_index_check('v_sum')$$);
SELECT bloom_index_contains('p_k', 5) AS five, bloom_cardinality(bloom_index_filter('p_k')) > 4900 AS items;
-- of a partition by itself, of an expression, of a part
SELECT pg_temp.error_of($$SELECT bloom_index_contains('p1_k_idx', 5)$$);
SELECT pg_temp.error_of($$SELECT bloom_index_filter('wide_part')$$);
RESET ROLE;
ALTER TABLE p ENABLE ROW LEVEL SECURITY;
SET ROLE regress_index_reader;
SELECT pg_temp.error_of($$SELECT bloom_index_contains('p_k', 5)$$);
SELECT pg_temp.error_of($$SELECT bloom_index_filter('p_k')$$);
RESET ROLE;
SELECT bloom_index_contains('p_k', 5) AS owner;
DROP OWNED BY regress_index_reader;
DROP ROLE regress_index_reader;

--
-- Other hash functions, and another =
--
SET client_min_messages = warning;
CREATE TYPE padded;
CREATE FUNCTION padded_in(cstring) RETURNS padded LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION padded_out(padded) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE padded (INPUT = padded_in, OUTPUT = padded_out, LIKE = text);
RESET client_min_messages;
CREATE FUNCTION padded_eq(padded, padded) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'byteaeq';
CREATE OPERATOR = (LEFTARG = padded, RIGHTARG = padded, FUNCTION = padded_eq, COMMUTATOR = =, HASHES);
CREATE FUNCTION padded_hash(padded) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlena';
CREATE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
CREATE OPERATOR CLASS padded_ops DEFAULT FOR TYPE padded USING hash AS
	OPERATOR 1 =, FUNCTION 1 padded_hash(padded), FUNCTION 2 padded_hash(padded, bigint);
CREATE OPERATOR CLASS padded_ops DEFAULT FOR TYPE padded USING bloomfilter AS
	OPERATOR 1 =, FUNCTION 1 padded_hash(padded, bigint);
CREATE TABLE strings (s padded);
CREATE INDEX strings_s ON strings USING bloomfilter (s) WITH (scope = 'table');
INSERT INTO strings VALUES ('a'), ('b ');
SELECT bloom_index_check('strings_s') AS missing, bloom_index_contains('strings_s', 'b '::padded) AS b;
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashbpcharextended';
SELECT pg_temp.error_of($$INSERT INTO strings VALUES ('c')$$);
SELECT pg_temp.error_of($$SELECT bloom_index_contains('strings_s', 'a'::padded)$$);
SELECT pg_temp.error_of($$SELECT bloom_index_filter('strings_s')$$);
SELECT pg_temp.error_of($$SELECT bloom_index_check('strings_s')$$);
REINDEX INDEX strings_s;
INSERT INTO strings VALUES ('c');
SELECT bloom_index_check('strings_s') AS missing, bloom_index_contains('strings_s', 'c'::padded) AS c;
-- another name changes nothing
ALTER TYPE padded RENAME TO named;
INSERT INTO strings VALUES ('d');
SELECT bloom_index_check('strings_s') AS missing, bloom_index_contains('strings_s', 'd'::named) AS d,
	(bloom_info(bloom_index_filter('strings_s'))).element_type;
CREATE FUNCTION same_size(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS 'SELECT abs($1) = abs($2)';
CREATE FUNCTION hash_size(int, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashint4extended(abs($1), $2)';
CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = same_size, COMMUTATOR = ===);
CREATE OPERATOR CLASS size_ops FOR TYPE int USING bloomfilter AS OPERATOR 1 ===, FUNCTION 1 hash_size(int, bigint);
SELECT pg_temp.error_of($$CREATE INDEX ON members USING bloomfilter (id size_ops) WITH (scope = 'table')$$);

--
-- A transaction that builds it: an older snapshot of its own sees the old version
-- of a row, which the build has left out from 16 on, where the update is HOT.
--
CREATE TABLE own (v text) WITH (fillfactor = 50);
INSERT INTO own VALUES ('old');
CREATE INDEX own_v ON own USING bloomfilter (v) WITH (scope = 'table');
CREATE FUNCTION seen() RETURNS text STABLE LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	RETURN (SELECT count(*) FROM own WHERE v = 'old') || ' ' || bloom_index_contains('own_v', 'old'::text);
END $$;
BEGIN;
-- the snapshot is of after the transaction's number
SELECT pg_current_xact_id() IS NOT NULL AS has_number;
SAVEPOINT s;
CREATE TABLE later ();
ROLLBACK TO s;
DECLARE c CURSOR FOR SELECT seen() FROM generate_series(1, 2);
FETCH c;
UPDATE own SET v = 'new';
REINDEX INDEX own_v;
FETCH c;
SELECT seen() LIKE '0 %' AS gone;
COMMIT;
SELECT seen() LIKE '0 %' AS gone;

--
-- One that is not valid, as CREATE INDEX CONCURRENTLY may leave it
--
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'members_ids'::regclass;
SELECT pg_temp.error_of($$SELECT bloom_index_contains('members_ids', 5)$$);
SELECT pg_temp.error_of($$SELECT bloom_index_filter('members_ids')$$);
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'members_ids'::regclass;

--
-- What it cannot be
--
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE t (a int, b text, m mood, r members);
\pset format unaligned
\pset tuples_only on
SELECT statement || E'\n' || pg_temp.error_of(statement) || E'\n'
  FROM (VALUES
	('CREATE INDEX ON t USING bloomfilter (a, b) WITH (scope = table)'),
	('CREATE INDEX ON t USING bloomfilter (m) WITH (scope = table)'),
	('CREATE INDEX ON t USING bloomfilter (r) WITH (scope = table)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (scope = partition)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (expected_items = 5)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (scope = table, expected_items = 0)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (scope = table, expected_items = nan)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (scope = table, expected_items = 1e10)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (scope = table, false_positive_rate = 0.6)'),
	('CREATE INDEX ON t USING bloomfilter (a) WITH (scope = table, seed = 5)'),
	('SELECT bloom_index_filter(''members'')'),
	('SELECT bloom_index_filter(4294967295::regclass)'),
	('SELECT bloom_index_contains(''members'', 5)'),
	('SELECT bloom_index_contains(''members_ids'', ''5'')'),
	('SELECT bloom_index_contains(''members_ids'', 5.0)'),
	('SELECT bloom_index_contains(''v_num'', 5)'),
	('SELECT bloom_index_contains(''v_arr'', 5)')) AS s (statement);
-- Types that ALTER TABLE changes, and keeps the index: values are hashed as before.
CREATE TABLE changed (o oid);
CREATE INDEX changed_bf ON changed USING bloomfilter (o) WITH (scope = 'table');
INSERT INTO changed VALUES ('pg_class'::regclass);
SELECT pg_relation_filepath('changed_bf') AS path \gset
ALTER TABLE changed ALTER o TYPE regclass;
SELECT pg_relation_filepath('changed_bf') = :'path' AS kept;
INSERT INTO changed VALUES ('pg_type');
SELECT bloom_index_check('changed_bf'), bloom_index_contains('changed_bf', 'pg_type'::regclass::oid), bloom_index_contains('changed_bf', 'pg_class'::regclass::oid);
SELECT count(*) FROM changed WHERE o = 'pg_type'::regclass;
EXPLAIN (COSTS OFF) SELECT count(*) FROM changed WHERE o = 'pg_type'::regclass;
-- and when it is built again
REINDEX INDEX changed_bf;
SELECT bloom_index_check('changed_bf'), bloom_index_contains('changed_bf', 'pg_type'::regclass::oid), bloom_index_contains('changed_bf', 'pg_proc'::regclass::oid);
SELECT count(*) FROM changed WHERE o = 'pg_type'::regclass;
TRUNCATE changed;
INSERT INTO changed VALUES ('pg_proc');
SELECT bloom_index_check('changed_bf'), bloom_index_contains('changed_bf', 'pg_proc'::regclass::oid), bloom_index_contains('changed_bf', 'pg_type'::regclass::oid);
CREATE INDEX changed_new ON changed USING bloomfilter (o) WITH (scope = 'table');
SELECT bloom_index_filter('changed_new') = bloom_index_filter('changed_bf') AS same, bloom_contains(bloom_index_filter('changed_new'), 'pg_proc'::regclass::oid);
SET client_min_messages = warning;
DROP SCHEMA index_table CASCADE;
