-- What uses a filter index is counted as scans of it by the server, and queries by
-- bloom_stat_indexes, too; after REINDEX CONCURRENTLY this begins anew.
CREATE SCHEMA index_counts;
SET search_path = index_counts, public;
CREATE TABLE t (a int, b int) WITH (autovacuum_enabled = off);
INSERT INTO t SELECT i, i FROM generate_series(1, 5000) i;
CREATE INDEX t_all ON t USING bloomfilter (a) WITH (scope = 'table');
CREATE INDEX t_ranges ON t USING bloomfilter (b);
CREATE TABLE parts (k int) PARTITION BY RANGE (k);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
CREATE INDEX parts_k ON parts USING bloomfilter (k) WITH (scope = 'table');
CREATE VIEW counted AS
	SELECT c.relname AS index, s.idx_scan AS scans, b.lookups
	  FROM pg_class c LEFT JOIN pg_stat_user_indexes s ON s.indexrelid = c.oid LEFT JOIN bloom_stat_indexes b ON b.indexrelid = c.oid
	 WHERE c.relnamespace = 'index_counts'::regnamespace AND c.relkind = 'i';
SELECT bloom_index_contains('t_all', 5) AS five, bloom_index_filter('t_all') @> 7 AS seven;
SELECT count(*) FROM generate_series(1, 100) i WHERE bloom_index_contains('t_all', i);
SELECT count(*) FROM generate_series(1, 10) i WHERE bloom_index_contains('parts_k', i);
-- one call of two indexes
SELECT bloom_index_contains(c.oid, 6) AS six FROM pg_class c WHERE c.relname IN ('t_all', 'parts_k') ORDER BY c.relname;
SET enable_seqscan = off;
SELECT a FROM t WHERE b = 5;
SELECT pg_stat_force_next_flush();
SELECT * FROM counted ORDER BY index COLLATE "C";

--
-- REINDEX CONCURRENTLY
--
UPDATE t SET b = b + 10000;
VACUUM t;
UPDATE t SET b = b + 10000;
VACUUM t;
UPDATE t SET b = b + 10000;
VACUUM t;
SELECT last_rebuild IS NOT NULL AS rebuilt, pages_rebuilt > 0 AS pages FROM bloom_stat_indexes WHERE indexrelname = 't_ranges';
SELECT since AS since FROM bloom_stat_indexes WHERE indexrelname = 't_ranges' \gset
REINDEX TABLE CONCURRENTLY t;
SELECT index, lookups FROM counted WHERE index LIKE 't\_%' ORDER BY index COLLATE "C";
SELECT a FROM t WHERE b = 5;
SELECT lookups, last_rebuild, pages_rebuilt, since > :'since' AS anew FROM bloom_stat_indexes WHERE indexrelname = 't_ranges';
SET client_min_messages = warning;
DROP SCHEMA index_counts CASCADE;
