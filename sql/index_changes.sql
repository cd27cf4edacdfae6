-- Filter indexes keep all rows through what happens to tables.

-- Rows that are not found: by the index's own check, and by lookups of every
-- 17th row, which must use the index
CREATE FUNCTION pg_temp.missing(tab regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	missing bigint;
	lookups bigint;
	line text;
	used boolean := false;
	query text := format('SELECT count(*) FROM %s t WHERE n %% 17 = 0 AND NOT EXISTS (SELECT FROM %s u WHERE u.v = t.v AND u.n = t.n OFFSET 0)', tab, tab);
BEGIN
	SELECT sum(bloom_index_check(indexrelid)) INTO missing FROM pg_index JOIN pg_class c ON c.oid = indexrelid
	 WHERE indrelid = tab AND relam = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter');
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		used := used OR line LIKE '%Bitmap Index Scan on %_bf%';
	END LOOP;
	IF NOT used THEN
		RAISE EXCEPTION 'the index is not used';
	END IF;
	EXECUTE query INTO lookups;
	RETURN missing + lookups;
END $$;
SET enable_seqscan = off;
SET enable_indexscan = off;
SET jit = off;

-- Updates, deletes, VACUUM
CREATE TABLE t (n int, v text, w int) WITH (fillfactor = 80, autovacuum_enabled = off);
CREATE INDEX t_bf ON t USING bloomfilter (v);
INSERT INTO t SELECT g, 'v' || g, 0 FROM generate_series(1, 5000) g;
UPDATE t SET v = 'new ' || n WHERE n % 3 = 0;
UPDATE t SET w = 1 WHERE n % 2 = 0;
SELECT pg_temp.missing('t');
SELECT count(*) FROM t WHERE v IN ('v9', 'new 9', 'v10', 'new 10');
DELETE FROM t WHERE n BETWEEN 1000 AND 2000;
VACUUM t;
SELECT pg_temp.missing('t'), reltuples FROM pg_class WHERE relname = 't_bf';
INSERT INTO t SELECT g, 'later ' || g, 0 FROM generate_series(6001, 8000) g;
SELECT pg_temp.missing('t');
VACUUM (ANALYZE, INDEX_CLEANUP off) t;
SELECT pg_temp.missing('t');
-- the table's end goes away, and comes again
DELETE FROM t WHERE n > 500;
VACUUM t;
INSERT INTO t SELECT g, 'again ' || g, 0 FROM generate_series(10001, 18000) g;
SELECT pg_temp.missing('t');
DELETE FROM t;
VACUUM t;
SELECT pg_relation_size('t'), (SELECT count(*) FROM t WHERE v = 'again 10001');
INSERT INTO t SELECT g, 'v' || g, 0 FROM generate_series(1, 5000) g;
SELECT pg_temp.missing('t');

-- Subtransactions, rollback, a table that is emptied and comes back
BEGIN;
INSERT INTO t SELECT g, 'first ' || g, 0 FROM generate_series(20001, 21000) g;
SAVEPOINT s;
INSERT INTO t SELECT g, 'second ' || g, 0 FROM generate_series(30001, 40000) g;
SELECT pg_temp.missing('t');
ROLLBACK TO s;
SELECT pg_temp.missing('t');
INSERT INTO t SELECT g, 'third ' || g, 0 FROM generate_series(40001, 60000) g;
COMMIT;
SELECT pg_temp.missing('t'), (SELECT count(*) FROM t WHERE v = 'second 30001') AS rolled_back;
BEGIN;
TRUNCATE t;
INSERT INTO t SELECT g, 'short ' || g, 0 FROM generate_series(1, 3000) g;
SELECT pg_temp.missing('t');
ROLLBACK;
SELECT pg_temp.missing('t'), (SELECT count(*) FROM t WHERE v = 'third 50000') AS back;
BEGIN;
SAVEPOINT s;
TRUNCATE t;
INSERT INTO t SELECT g, 'short ' || g, 0 FROM generate_series(1, 3000) g;
ROLLBACK TO s;
INSERT INTO t SELECT g, 'longer ' || g, 0 FROM generate_series(70001, 73000) g;
SELECT pg_temp.missing('t');
COMMIT;
SELECT pg_temp.missing('t');
-- a table made in the same transaction is emptied in its file
BEGIN;
CREATE TABLE fresh (n int, v text);
CREATE INDEX fresh_bf ON fresh USING bloomfilter (v);
INSERT INTO fresh SELECT g, 'a' || g FROM generate_series(1, 60000) g;
TRUNCATE fresh;
INSERT INTO fresh SELECT g, 'b' || g FROM generate_series(1, 3000) g;
SELECT pg_temp.missing('fresh');
INSERT INTO fresh SELECT g, 'c' || g FROM generate_series(1, 40000) g;
SELECT pg_temp.missing('fresh'), (SELECT count(*) FROM fresh WHERE v = 'a77');
COMMIT;
SELECT pg_temp.missing('fresh');

-- Rewriting the table or the index
TRUNCATE t;
INSERT INTO t SELECT g, 'v' || g, 0 FROM generate_series(1, 5000) g;
SELECT pg_temp.missing('t');
DELETE FROM t WHERE n < 2000;
VACUUM FULL t;
SELECT pg_temp.missing('t');
CREATE INDEX t_order ON t (w, n DESC);
CLUSTER t USING t_order;
DROP INDEX t_order;
SELECT pg_temp.missing('t');
ALTER TABLE t ALTER v TYPE varchar(20), ALTER n TYPE bigint;
SELECT pg_temp.missing('t');
ALTER TABLE t ALTER w TYPE bigint USING w + 1;
SELECT pg_temp.missing('t');
REINDEX INDEX t_bf;
REINDEX TABLE t;
SELECT pg_temp.missing('t');
REINDEX INDEX CONCURRENTLY t_bf;
SELECT pg_temp.missing('t');
CREATE INDEX CONCURRENTLY t_second_bf ON t USING bloomfilter (n, v) WHERE w > 0;
SELECT bloom_index_check('t_second_bf'), indisvalid FROM pg_index WHERE indexrelid = 't_second_bf'::regclass;
DROP INDEX CONCURRENTLY t_second_bf;
ALTER TABLE t SET UNLOGGED;
INSERT INTO t SELECT g, 'unlogged ' || g, 0 FROM generate_series(9001, 9500) g;
SELECT pg_temp.missing('t');
ALTER TABLE t SET LOGGED;
SELECT pg_temp.missing('t');
ALTER INDEX t_bf RENAME TO renamed_bf;
SELECT pg_temp.missing('t');

-- An index that is made while versions of rows are there that it does not know
-- is for later transactions: the server sees to that.
CREATE TABLE hot (n int, v text) WITH (fillfactor = 50);
INSERT INTO hot SELECT g, 'old ' || g FROM generate_series(1, 1000) g;
BEGIN;
UPDATE hot SET v = 'new ' || n;
CREATE INDEX hot_bf ON hot USING bloomfilter (v);
SELECT count(*) FROM hot WHERE v = 'new 7';
COMMIT;
SELECT indcheckxmin FROM pg_index WHERE indexrelid = 'hot_bf'::regclass;
SELECT bloom_index_check('hot_bf');
UPDATE hot SET v = 'newer ' || n;
SELECT bloom_index_check('hot_bf');
UPDATE hot SET v = 'newest ' || n WHERE n % 2 = 0;
REINDEX INDEX hot_bf;
SELECT bloom_index_check('hot_bf'), (SELECT count(*) FROM hot WHERE v IN ('newer 7', 'newer 8', 'newest 7', 'newest 8'));

-- Temporary and unlogged tables
CREATE TEMP TABLE temporary (n int, v text);
CREATE INDEX temporary_bf ON temporary USING bloomfilter (v);
INSERT INTO temporary SELECT g, 'v' || g FROM generate_series(1, 40000) g;
SELECT pg_temp.missing('temporary');
CREATE TEMP TABLE emptied (n int, v text) ON COMMIT DELETE ROWS;
CREATE INDEX emptied_bf ON emptied USING bloomfilter (v);
BEGIN;
INSERT INTO emptied SELECT g, 'v' || g FROM generate_series(1, 40000) g;
SELECT pg_temp.missing('emptied');
COMMIT;
BEGIN;
INSERT INTO emptied SELECT g, 'w' || g FROM generate_series(1, 5000) g;
SELECT pg_temp.missing('emptied'), (SELECT count(*) FROM emptied WHERE v = 'v7');
COMMIT;
CREATE UNLOGGED TABLE unlogged (n int, v text);
CREATE INDEX unlogged_bf ON unlogged USING bloomfilter (v);
INSERT INTO unlogged SELECT g, 'v' || g FROM generate_series(1, 40000) g;
SELECT pg_temp.missing('unlogged');
SELECT pg_relation_size('unlogged_bf', 'init') / 8192 AS init_pages;

-- COPY, several tables at once, triggers, MERGE-like statements, generated columns
CREATE TABLE other (n int, v text, doubled int GENERATED ALWAYS AS (n * 2) STORED);
CREATE INDEX other_bf ON other USING bloomfilter (v, doubled);
COPY other (n, v) FROM stdin;
1	one
2	two
3	\N
\.
WITH moved AS (DELETE FROM t WHERE n < 2500 RETURNING n, v) INSERT INTO other (n, v) SELECT n, v FROM moved;
INSERT INTO other (n, v) SELECT n, v FROM t ON CONFLICT DO NOTHING;
SELECT pg_temp.missing('t'), pg_temp.missing('other'), (SELECT count(*) FROM other WHERE doubled = 4), (SELECT count(*) FROM other WHERE v = 'two');
ALTER TABLE other DROP COLUMN v;
ALTER TABLE other ADD COLUMN v text DEFAULT 'default';
CREATE INDEX other_v_bf ON other USING bloomfilter (v);
SELECT bloom_index_check('other_v_bf'), (SELECT count(*) > 0 FROM other WHERE v = 'default');
DROP TABLE t, fresh, hot, temporary, emptied, unlogged, other;
