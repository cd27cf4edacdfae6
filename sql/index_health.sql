-- What bloom_index_info and bloom_index_check tell of a partitioned table, and
-- the view bloom_indexes of all indexes.
CREATE SCHEMA index_health;
SET search_path = index_health, public;
CREATE FUNCTION pg_temp.error_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text; detail text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(E'\n', SQLSTATE || ' ' || SQLERRM, nullif(detail, ''), nullif(hint, ''));
END $$;

--
-- Partitions
--
CREATE TABLE p (k int, v int) PARTITION BY RANGE (k);
CREATE INDEX p_v ON p USING bloomfilter (v);
CREATE INDEX p_k ON p USING bloomfilter (k) WITH (scope = 'table', expected_items = 1000);
-- none
SELECT * FROM bloom_index_info('p_v');
SELECT bloom_index_check('p_v') AS missing;
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10000);
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10000) TO (40000) PARTITION BY RANGE (k);
CREATE TABLE p2a PARTITION OF p2 FOR VALUES FROM (10000) TO (20000);
CREATE TABLE p2b PARTITION OF p2 FOR VALUES FROM (20000) TO (40000);
INSERT INTO p SELECT i, i FROM generate_series(0, 29999) i;
VACUUM p1, p2a, p2b;
-- the sums, and means between the lowest and the highest
CREATE VIEW told AS
	SELECT a.index, i.* FROM (VALUES ('p_v'), ('p_k')) AS a (index), bloom_index_info(a.index::regclass) AS i;
CREATE VIEW summed AS
	SELECT a.index, sum(i.groups) AS groups, sum(i.ranges) AS ranges, sum(i.pages) AS pages, sum(i.bytes) AS bytes,
			min(i.range_false_positive_rate) AS low, max(i.range_false_positive_rate) AS high,
			min(i.page_false_positive_rate) AS page_low, max(i.page_false_positive_rate) AS page_high,
			max(i.worst_group_false_positive_rate) AS worst, sum(i.expected_items) AS expected, sum(i.estimated_items) AS estimated
	  FROM (VALUES ('p_v'), ('p_k')) AS a (index), pg_partition_tree(a.index::regclass) AS t, bloom_index_info(t.relid) AS i WHERE t.isleaf GROUP BY 1;
SELECT index, t.groups IS NOT DISTINCT FROM s.groups AS groups, t.ranges IS NOT DISTINCT FROM s.ranges AS ranges, t.pages = s.pages AS pages, t.bytes = s.bytes AS bytes,
		round(t.bits_per_row * 30000 / 8) = s.bytes AS bits, t.target_false_positive_rate AS target, t.range_false_positive_rate BETWEEN low AND high AS rate,
		t.page_false_positive_rate BETWEEN page_low AND page_high AS page_rate, t.worst_group_false_positive_rate = worst AS worst,
		t.scope, t.expected_items, t.expected_items = expected AS expected, abs(t.estimated_items - s.estimated) <= 1 AS estimated
  FROM told t JOIN summed s USING (index) ORDER BY 1;
SELECT bloom_index_check('p_v') AS v, bloom_index_check('p_k') AS k, bloom_index_check('p2_v_idx') AS p2;
-- rows that are not found are those of all partitions
CREATE FUNCTION twice(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 2 * $1; END';
CREATE INDEX p_twice ON p USING bloomfilter (twice(k));
CREATE OR REPLACE FUNCTION twice(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN -2 * $1 - 1; END';
SELECT bloom_index_check('p_twice') = sum(bloom_index_check(relid)) AS same, count(*) AS indexes, min(bloom_index_check(relid)) > 9000 AS each
  FROM pg_partition_tree('p_twice') WHERE isleaf;
DROP INDEX p_twice;
-- foreign tables have no index, and their rows need none
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE p3 PARTITION OF p FOR VALUES FROM (40000) TO (50000) SERVER nowhere;
SELECT t.groups, bloom_index_check('p_v') AS missing FROM told t WHERE index = 'p_v';
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
-- others of another scope and rate
CREATE TABLE p4 (k int, v int);
CREATE INDEX p4_v ON p4 USING bloomfilter (v) WITH (scope = 'table', expected_items = 500);
ALTER TABLE p ATTACH PARTITION p4 FOR VALUES FROM (50000) TO (60000);
SELECT groups, target_false_positive_rate AS target, scope, expected_items, estimated_items, bloom_index_check('p_v') AS missing FROM bloom_index_info('p_v');
-- one that waits for indexes of partitions
CREATE INDEX p_only ON ONLY p USING bloomfilter (v);
SELECT pg_temp.error_of($$SELECT bloom_index_info('p_only')$$) AS info, pg_temp.error_of($$SELECT bloom_index_check('p_only')$$) AS check;

-- For who may read the table; expressions of a partition, for its owner.
CREATE ROLE regress_health_owner;
CREATE ROLE regress_health_reader;
GRANT USAGE ON SCHEMA index_health TO regress_health_owner, regress_health_reader;
CREATE INDEX p_sum ON p USING bloomfilter ((k + v));
ALTER TABLE p OWNER TO regress_health_owner;
SET ROLE regress_health_reader;
SELECT pg_temp.error_of($$SELECT bloom_index_info('p_v')$$) AS info, pg_temp.error_of($$SELECT bloom_index_check('p_v')$$) AS check;
RESET ROLE;
GRANT SELECT ON p TO regress_health_reader;
SET ROLE regress_health_reader;
SELECT pg_temp.error_of($$SELECT bloom_index_info('p_v')$$) AS info, pg_temp.error_of($$SELECT bloom_index_check('p_v')$$) AS check;
RESET ROLE;
SET ROLE regress_health_owner;
SELECT pg_temp.error_of($$SELECT bloom_index_check('p_sum')$$) AS of_partition;
RESET ROLE;

--
-- The view
--
CREATE VIEW health AS
	SELECT indexrelname AS index, valid, scope, bytes = pg_relation_size(indexrelid) AS bytes, groups > 0 AS groups, worn_groups > 0 AS worn,
			target_false_positive_rate AS target, range_false_positive_rate > 2 * target_false_positive_rate AS range_high,
			page_false_positive_rate > 2 * target_false_positive_rate AS page_high, last_rebuild IS NOT NULL AS rebuilt
	  FROM bloom_indexes WHERE schemaname = 'index_health' AND relname IN ('t', 'p1', 'p4') AND indexrelname NOT LIKE 'p1_e%';
GRANT SELECT ON health TO PUBLIC;
CREATE TABLE t (a int, b text) WITH (autovacuum_enabled = off);
CREATE INDEX t_empty ON t USING bloomfilter (a);
SELECT * FROM health WHERE index = 't_empty';
DROP INDEX t_empty;
INSERT INTO t SELECT i, i FROM generate_series(1, 20000) i;
CREATE INDEX t_a ON t USING bloomfilter (a, b) WITH (false_positive_rate = 0.01);
CREATE INDEX t_all ON t USING bloomfilter (a) WITH (scope = 'table', expected_items = 20000);
CREATE INDEX t_btree ON t (a);
CREATE FUNCTION fail(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1 / ($1 - $1); END';
CREATE INDEX CONCURRENTLY t_invalid ON t USING bloomfilter (fail(a));
SELECT * FROM health ORDER BY index COLLATE "C";
-- a sample that is all of it tells the same
SELECT indexrelname, i.range_false_positive_rate = v.range_false_positive_rate AS same
  FROM bloom_indexes v, bloom_index_info(v.indexrelid) AS i WHERE v.relname = 't' AND v.valid AND v.scope = 'ranges';
-- worn, and made anew
UPDATE t SET a = a + 20000;
VACUUM (INDEX_CLEANUP off) t;
UPDATE t SET a = a + 20000;
VACUUM (INDEX_CLEANUP off) t;
UPDATE t SET a = a + 20000;
SELECT * FROM health WHERE index IN ('t_a', 't_all') ORDER BY index;
VACUUM t;
SELECT * FROM health WHERE index IN ('t_a', 't_all') ORDER BY index;
-- for who may read the table, and who may read statistics
SET ROLE regress_health_reader;
SELECT index, scope, bytes, groups, worn, target FROM health WHERE index = 't_a';
RESET ROLE;
GRANT SELECT ON t TO regress_health_reader;
SET ROLE regress_health_reader;
SELECT index, scope, groups, worn, target FROM health WHERE index = 't_a';
SELECT index, scope FROM health WHERE index = 'p1_v_idx';
RESET ROLE;
GRANT pg_stat_scan_tables TO regress_health_reader;
SET ROLE regress_health_reader;
SELECT indexrelname, scope FROM bloom_indexes WHERE indexrelname = 'p1_v_idx';
RESET ROLE;
-- the function behind it, of what is no index
SELECT h.* FROM (VALUES ('t'::regclass::oid), ('t_btree'::regclass), ('p_v'::regclass), (4294967295)) AS r (oid), bloomfilter_index_health(r.oid) AS h;
-- what an aborted subtransaction has made is gone, and the view goes on in one
BEGIN;
SAVEPOINT s;
SELECT count(*) FROM bloom_indexes WHERE relname = 't' AND scope IS NOT NULL;
ROLLBACK TO s;
SELECT count(*) FROM bloom_indexes WHERE relname = 't' AND scope IS NOT NULL;
COMMIT;
SET client_min_messages = warning;
DROP SCHEMA index_health CASCADE;
DROP ROLE regress_health_owner, regress_health_reader;
