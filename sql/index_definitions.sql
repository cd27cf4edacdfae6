-- An index that cannot be built is refused when it is defined, also of a
-- partitioned table; indexes of partitions that differ from it are told.
CREATE SCHEMA index_definitions;
SET search_path = index_definitions, public;
-- from 17 on CREATE INDEX has a search_path of its own
CREATE SCHEMA index_definitions_types;
CREATE TYPE index_definitions_types.pair AS (a int, b int);
CREATE TYPE index_definitions_types.mood AS ENUM ('sad', 'ok');
CREATE TABLE parts (k int, c index_definitions_types.pair, m index_definitions_types.mood, t text) PARTITION BY RANGE (k);
-- before there are partitions
CREATE INDEX ON parts USING bloomfilter (c);
CREATE INDEX ON parts USING bloomfilter ((ARRAY[c]));
CREATE INDEX ON parts USING bloomfilter (k, t) WITH (scope = 'table');
CREATE INDEX ON parts USING bloomfilter (m) WITH (scope = 'table');
CREATE INDEX ON parts USING bloomfilter (k) WITH (scope = 'table', expected_items = 1e10);
CREATE INDEX ON ONLY parts USING bloomfilter (c);
CREATE INDEX parts_both ON parts USING bloomfilter (k, t);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
-- what TRUNCATE or REINDEX could not build
ALTER INDEX parts_1_k_t_idx SET (scope = 'table');
ALTER INDEX parts_1_k_t_idx SET (false_positive_rate = 0.1);
ALTER INDEX parts_1_k_t_idx RENAME TO parts_1_both;
TRUNCATE parts;
CREATE INDEX parts_1_m ON parts_1 USING bloomfilter (m);
ALTER INDEX parts_1_m SET (scope = 'table');
-- a statement that fails leaves nothing
SELECT relname, reloptions FROM pg_class WHERE relnamespace = 'index_definitions'::regnamespace AND relkind IN ('i', 'I') ORDER BY relname COLLATE "C";

--
-- Indexes of partitions that become parts of a new one as they are, with parameters of their own
--
CREATE INDEX parts_1_t ON parts_1 USING bloomfilter (t);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (k);
CREATE TABLE parts_2_1 PARTITION OF parts_2 FOR VALUES FROM (10) TO (15);
CREATE INDEX parts_2_1_t ON parts_2_1 USING bloomfilter (t) WITH (scope = 'table', expected_items = 500);
CREATE INDEX parts_t ON parts USING bloomfilter (t) WITH (scope = 'table', expected_items = 1000);
-- a call for the filter of all tells of the one that is none
SELECT bloom_index_contains('parts_t', 'x');
SELECT bloom_index_filter('parts_t');
-- each way out
CREATE INDEX parts_t_again ON parts USING bloomfilter (t) WITH (scope = 'table', expected_items = 1000);
SELECT bloom_index_contains('parts_t_again', 'x'), bloom_index_filter('parts_t_again') @> 'x'::text AS filter;
ALTER INDEX parts_1_t SET (scope = 'table');
SELECT bloom_index_contains('parts_t', 'x');
REINDEX INDEX parts_1_t;
SELECT bloom_index_contains('parts_t', 'x');
-- and of those of other sizes
SELECT bloom_index_filter('parts_t');
SET client_min_messages = warning;
DROP SCHEMA index_definitions, index_definitions_types CASCADE;
