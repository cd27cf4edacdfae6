-- What scans must not skip, and what they must not do for it.
LOAD 'bloomfilter';
CREATE SCHEMA join_skip_keys;
SET search_path = join_skip_keys, public;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET bloomfilter.join_filter_min_rows = 0;
SET client_min_messages = warning;

-- Does a query give the same with skipping as without filters, and is anything skipped?
CREATE FUNCTION compare(query text, OUT skips bool, OUT result text) LANGUAGE plpgsql AS $$
DECLARE
	line text;
	without text;
BEGIN
	SET LOCAL bloomfilter.join_filters = force;
	skips := false;
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) ' || query LOOP
		skips := skips OR line ~ '(Pages|Partitions) Skipped: [1-9]';
	END LOOP;
	query := format('SELECT count(*) || '' rows '' || coalesce(sum(hashtext(q::text)), 0) FROM (%s) AS q', query);
	EXECUTE query INTO result;
	SET LOCAL bloomfilter.join_filters = off;
	EXECUTE query INTO without;
	result := CASE WHEN result = without THEN split_part(without, ' ', 1) || ' rows'
				   ELSE 'WRONG: ' || result || ' instead of ' || without END;
END
$$;

-- A join that finds nothing on its outer side does not hash, if hashing might never end.
CREATE TABLE fact (k int, id int) PARTITION BY RANGE (k);
CREATE TABLE fact_0 PARTITION OF fact FOR VALUES FROM (0) TO (100);
CREATE TABLE fact_1 PARTITION OF fact FOR VALUES FROM (100) TO (200);
INSERT INTO fact SELECT i % 200, i FROM generate_series(0, 9999) AS i;
ANALYZE fact;
SET bloomfilter.join_filters = force;
SET statement_timeout = '20s';
WITH RECURSIVE endless (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
SELECT count(*) FROM fact JOIN endless ON fact.k = endless.n WHERE fact.id < 0;
RESET statement_timeout;
-- what ends is hashed first
SELECT * FROM compare('SELECT fact.* FROM fact JOIN generate_series(1, 9) AS n ON fact.k = n');

-- A partition whose columns have other numbers than its table's.
CREATE TABLE fact_2 (gone int, id int, gone_too text, k int);
ALTER TABLE fact_2 DROP gone, DROP gone_too;
CREATE INDEX ON fact_2 USING brin (k) WITH (pages_per_range = 1);
ALTER TABLE fact ATTACH PARTITION fact_2 FOR VALUES FROM (200) TO (300);
INSERT INTO fact SELECT 200 + i / 100, i FROM generate_series(0, 9999) AS i;
ANALYZE fact;
CREATE TABLE hashed AS SELECT i AS k FROM generate_series(150, 155) AS i UNION ALL SELECT 290;
ANALYZE hashed;
SELECT * FROM compare('SELECT fact.* FROM fact JOIN hashed USING (k)');
SELECT * FROM compare('SELECT fact.* FROM fact JOIN hashed ON hashed.k = fact.id');

-- Texts that are equal and have other bytes; orders that are not those of equality.
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE listed (t text COLLATE no_case, n int) PARTITION BY LIST (t);
CREATE TABLE listed_1 PARTITION OF listed FOR VALUES IN ('word 1', 'WORD 2');
CREATE TABLE listed_2 PARTITION OF listed FOR VALUES IN ('word 3', NULL);
CREATE TABLE listed_3 PARTITION OF listed DEFAULT;
CREATE TABLE parted (t text COLLATE no_case, n int) PARTITION BY HASH (t);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO listed SELECT CASE i % 3 WHEN 0 THEN 'Word ' WHEN 1 THEN 'word ' ELSE 'WORD ' END || i % 5, i FROM generate_series(1, 2000) AS i;
INSERT INTO listed VALUES (NULL, 0);
INSERT INTO parted SELECT * FROM listed;
ANALYZE listed, parted;
CREATE TABLE word (t text COLLATE no_case);
INSERT INTO word VALUES ('wORD 1'), ('WoRd 2');
SELECT * FROM compare('SELECT listed.* FROM listed JOIN word USING (t)');
SELECT * FROM compare('SELECT parted.* FROM parted JOIN word USING (t) WHERE word.t LIKE ''wORD%'' COLLATE "C"');
-- tested by another collation, by which fewer are equal
SELECT * FROM compare('SELECT listed.* FROM listed JOIN word ON listed.t = word.t COLLATE "C"');
-- nor are all hashes: of names and, up to 15, of char(n) they are those of the bytes
CREATE FUNCTION pg_temp.parted(kind text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE bytes (k %s COLLATE no_case, n int) PARTITION BY HASH (k)', kind);
	FOR i IN 0 .. 15 LOOP
		EXECUTE format('CREATE TABLE bytes_%s PARTITION OF bytes FOR VALUES WITH (MODULUS 16, REMAINDER %1$s)', i);
	END LOOP;
END $$;
SELECT pg_temp.parted('name');
INSERT INTO bytes SELECT name, i FROM unnest('{abc,ABC,Abc,aBc,abC,ABc}'::name[]) AS name, generate_series(1, 500) AS i;
CREATE TABLE name (k name COLLATE no_case);
INSERT INTO name VALUES ('abc'), ('ABC'), ('Abc'), ('aBc');
ANALYZE bytes, name;
SELECT * FROM compare('SELECT bytes.* FROM bytes JOIN name USING (k)');
-- a group of equal names is one to a sorted GROUP BY, and several to a hash join
SET enable_hashagg = off;
SELECT result LIKE 'WRONG%' AS wrong FROM compare('SELECT bytes.n, sum FROM (SELECT k, min(n) AS n, count(*) AS sum FROM bytes GROUP BY k) AS bytes JOIN (SELECT * FROM name WHERE k = ''abc'' COLLATE "C") AS name USING (k)');
RESET enable_hashagg;
DROP TABLE bytes;
SELECT pg_temp.parted('char(5)');
INSERT INTO bytes SELECT 'w' || i % 50, i FROM generate_series(1, 5000) AS i;
CREATE TABLE padded (k char(8) COLLATE no_case);
INSERT INTO padded VALUES ('w1'), ('w2'), ('w3');
ANALYZE bytes, padded;
SELECT skips = (current_setting('server_version_num')::int >= 160000) AS as_expected, result FROM compare('SELECT bytes.* FROM bytes JOIN padded USING (k)');
-- the order of citext is by the collation, its = and its hash are not; LEAKPROOF, so that they may be called
CREATE EXTENSION citext SCHEMA public;
CREATE COLLATION no_accent (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
DROP TABLE bytes;
CREATE TABLE bytes (k citext COLLATE no_accent, n int) PARTITION BY HASH (k);
SELECT format('CREATE TABLE bytes_%s PARTITION OF bytes FOR VALUES WITH (MODULUS 16, REMAINDER %1$s)', i) FROM generate_series(0, 15) AS i \gexec
INSERT INTO bytes SELECT v, i FROM unnest('{resume,résume,resumé,résumé,rêsume}'::citext[]) AS v, generate_series(1, 1000) AS i;
CREATE TABLE cited AS SELECT DISTINCT k FROM bytes WHERE k <> 'rêsume';
CREATE OPERATOR CLASS cited_ops FOR TYPE citext USING bloomfilter AS OPERATOR 1 = (citext, citext), FUNCTION 1 citext_hash_extended(citext, int8);
CREATE TABLE indexed (k citext COLLATE no_accent, n int, pad text);
INSERT INTO indexed SELECT k, n, repeat('x', 500) FROM bytes ORDER BY k::text COLLATE "C";
CREATE INDEX ON indexed USING bloomfilter (k cited_ops);
ANALYZE bytes, cited, indexed;
BEGIN;
ALTER FUNCTION citext_eq LEAKPROOF;
ALTER FUNCTION citext_cmp LEAKPROOF;
ALTER FUNCTION citext_hash LEAKPROOF;
ALTER FUNCTION citext_hash_extended LEAKPROOF;
SELECT * FROM compare('SELECT bytes.* FROM bytes JOIN cited USING (k)');
SELECT * FROM compare('SELECT indexed.* FROM indexed JOIN cited USING (k)');
ROLLBACK;
DROP EXTENSION citext CASCADE;

-- Numbers that are equal and differ, and the ends of their order.
CREATE TABLE floating (f float8, n int) PARTITION BY RANGE (f);
CREATE TABLE floating_0 PARTITION OF floating FOR VALUES FROM (MINVALUE) TO ('-0');
CREATE TABLE floating_1 PARTITION OF floating FOR VALUES FROM (0) TO ('infinity');
CREATE TABLE floating_2 PARTITION OF floating FOR VALUES FROM ('infinity') TO ('NaN');
CREATE TABLE floating_3 PARTITION OF floating FOR VALUES FROM ('NaN') TO (MAXVALUE);
INSERT INTO floating SELECT f, i FROM generate_series(1, 500) AS i, unnest('{-infinity,-1,-0,0,1,infinity,NaN}'::float8[]) AS f;
ANALYZE floating;
SELECT k, s.* FROM unnest('{-infinity,-0,0,infinity,NaN}'::float4[]) AS k,
	LATERAL compare(format('SELECT floating.n FROM floating JOIN (SELECT %L::float4 AS f UNION ALL SELECT %1$L) AS k ON k.f = floating.f', k)) AS s;
CREATE TABLE scaled (n numeric) PARTITION BY HASH (n);
CREATE TABLE scaled_0 PARTITION OF scaled FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE scaled_1 PARTITION OF scaled FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO scaled SELECT i FROM generate_series(1, 9) AS i, generate_series(1, 200);
ANALYZE scaled;
SELECT * FROM compare('SELECT scaled.* FROM scaled JOIN (VALUES (3.00), (3.0000)) AS k (n) USING (n)');

-- A hash table that workers share: keys that are not by value go through shared memory, and too many become few.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TABLE large (t text COLLATE "C", n numeric, d date, id int) WITH (autovacuum_enabled = off, parallel_workers = 2);
INSERT INTO large SELECT lpad((i / 2)::text, 1 + 8, 'x'), i / 2, '2000-01-01'::date + i / 2, i FROM generate_series(0, 19999) AS i;
CREATE INDEX ON large USING brin (t, n, d) WITH (pages_per_range = 1);
CREATE TABLE keys WITH (parallel_workers = 2) AS
	SELECT lpad(i::text, 9, 'x') COLLATE "C" AS t, i::numeric AS n, '2000-01-01'::date + i AS d
	FROM generate_series(2000, 3000) AS i;
INSERT INTO keys VALUES (NULL, 'NaN', 'infinity'), (NULL, NULL, NULL), (NULL, '-Infinity', '-infinity');
ANALYZE large, keys;
EXPLAIN (COSTS OFF) SELECT count(*) FROM large JOIN keys USING (t);
SELECT c, s.* FROM unnest('{t,n,d}'::text[]) AS c, LATERAL compare(format('SELECT large.* FROM large JOIN keys USING (%s)', c)) AS s;
-- again and again
SET enable_material = off;
SET enable_memoize = off;
SELECT * FROM compare('SELECT v, (SELECT count(*) FROM large JOIN keys USING (t) WHERE large.id % 3 <> v) FROM generate_series(0, 4) AS v');

DROP SCHEMA join_skip_keys CASCADE;
