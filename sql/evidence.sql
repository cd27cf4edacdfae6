--
-- Statistics of join filters and filter indexes: what is counted is what EXPLAIN
-- ANALYZE shows.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET bloomfilter.join_filters = force;
SET bloomfilter.join_filter_min_rows = 0;
CREATE SCHEMA evidence;
SET search_path = evidence, public;
CREATE TABLE fact (id int, k int, day int) WITH (autovacuum_enabled = off);
CREATE TABLE keys (k int, x int) WITH (autovacuum_enabled = off);
INSERT INTO fact SELECT i, i % 5000, i / 1000 FROM generate_series(0, 29999) AS i;
INSERT INTO keys SELECT i * 250, i FROM generate_series(0, 19) AS i;
CREATE INDEX ON fact USING brin (day) WITH (pages_per_range = 2);
CREATE TABLE days (day int);
INSERT INTO days VALUES (3), (17);
CREATE TABLE parts (k int, x int) PARTITION BY RANGE (k);
CREATE TABLE parts1 PARTITION OF parts FOR VALUES FROM (0) TO (1000);
CREATE TABLE parts2 PARTITION OF parts FOR VALUES FROM (1000) TO (9000);
INSERT INTO parts SELECT i % 5000, i FROM generate_series(0, 9999) AS i;
ANALYZE fact, keys, days, parts;

SELECT bloom_stat_reset();
SELECT count(*) FROM bloom_stat_join_filters;
-- What EXPLAIN ANALYZE shows, and what is counted meanwhile; EXPLAIN counts
-- nothing.
CREATE FUNCTION compared(query text, OUT what text, OUT shown numeric, OUT counted numeric) RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
	before jsonb;
	label text;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	SELECT jsonb_object_agg(relid::oid, to_jsonb(s)) INTO before FROM bloom_stat_join_filters AS s WHERE relid IS NOT NULL;
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ' || query INTO plan;
	FOR what, label IN VALUES ('rows_tested', 'Rows Tested by Bloom Filter'), ('rows_removed', 'Rows Removed by Bloom Filter'),
		('blocks_skipped', 'Pages Skipped'), ('partitions_skipped', 'Partitions Skipped'), ('switched_off', 'Times Testing Switched Off')
	LOOP
		SELECT coalesce(sum(v::numeric), 0) INTO shown FROM jsonb_path_query(plan, format('strict $.**."%s"', label)::jsonpath) AS v;
		SELECT sum((to_jsonb(s)->>what)::numeric - coalesce((before->s.relid::text->>what)::numeric, 0)) INTO counted
			FROM bloom_stat_join_filters AS s;
		RETURN NEXT;
	END LOOP;
END $$;
CREATE VIEW counted AS
	SELECT relname, executions, filters, rows_tested, rows_removed > 0 AS removed, blocks_skipped > 0 AS skipped, partitions_skipped,
		switched_off, too_many_keys
	FROM bloom_stat_join_filters ORDER BY relname COLLATE "C";

-- how many rows pass by chance, and lie in a block, depends on the machine
SELECT what, shown > 0 AS any, shown - counted AS difference FROM compared('SELECT count(*) FROM fact JOIN days USING (day) JOIN keys USING (k)');
SELECT executions, filters, skipped FROM counted;
SELECT bloom_stat_reset();
\set by_key 'SELECT count(*) FROM fact JOIN keys USING (k)'
SELECT what, shown > 0 AS any, shown - counted AS difference FROM compared(:'by_key');
SELECT * FROM counted;
SELECT what, shown > 0 AS any, shown - counted AS difference FROM compared('SELECT count(*) FROM parts JOIN keys USING (k) WHERE keys.x < 4');
SELECT * FROM counted;
-- Who does not look counts, too; a row for all that does not come from one table.
:by_key;
SELECT count(*) FROM (SELECT a.k, a.id + b.x AS s FROM fact a CROSS JOIN LATERAL (SELECT a.id + 1 AS x OFFSET 0) b OFFSET 0) f JOIN keys ON f.s = keys.x;
-- whether the first row is tested depends on the version
SELECT relname, executions, filters, rows_tested > 0 AS tested FROM counted;
SELECT relid = 'fact'::regclass AS relid, schemaname, relname, since BETWEEN now() - interval '1 hour' AND now() AS since, evicted
	FROM bloom_stat_join_filters WHERE relname = 'fact';

-- What a query had done when it failed, and what is read through a cursor.
SELECT bloom_stat_reset();
SELECT count(1 / (fact.id - 5000)) FROM fact JOIN keys USING (k);
SELECT executions, filters, rows_tested > 0 AND rows_tested < 29999 AS tested_a_part FROM counted;
SELECT bloom_stat_reset();
BEGIN;
DECLARE c CURSOR FOR SELECT fact.id FROM fact JOIN keys USING (k);
FETCH 5 FROM c;
SELECT count(*) FROM counted;
CLOSE c;
SELECT executions, filters, rows_tested > 0 AND rows_tested < 29999 AS tested_a_part FROM counted;
ROLLBACK;
-- A function's statements.
SELECT bloom_stat_reset();
CREATE FUNCTION count_all() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM evidence.fact JOIN evidence.keys USING (k)';
SELECT count_all() FROM generate_series(1, 3);
SELECT executions, rows_tested FROM counted;

-- Filters that are of no use.
SELECT bloom_stat_reset();
SET bloomfilter.join_filters = on;
CREATE TABLE narrow WITH (autovacuum_enabled = off) AS SELECT i AS k FROM generate_series(0, 4999) AS i;
ANALYZE narrow;
SELECT what, shown, counted FROM compared('SELECT * FROM fact JOIN narrow USING (k) WHERE narrow.k + 0 = narrow.k');
SELECT * FROM counted;
SET bloomfilter.join_filters = force;
SET bloomfilter.join_filter_memory = '64kB';
SELECT count(*) FROM fact JOIN (SELECT k * 20 + g AS l FROM narrow, generate_series(0, 19) AS g OFFSET 0) AS b ON fact.id = b.l;
SELECT * FROM counted;
RESET bloomfilter.join_filter_memory;

-- A table that is dropped has no row.
SELECT bloom_stat_reset();
CREATE TABLE passing WITH (autovacuum_enabled = off) AS SELECT * FROM fact;
ANALYZE passing;
SELECT count(*) FROM passing JOIN keys USING (k);
SELECT relname FROM counted;
DROP TABLE passing;
SELECT relname FROM counted;

--
-- Indexes
--
SET enable_seqscan = off;
CREATE TABLE traces WITH (autovacuum_enabled = off) AS SELECT i AS id, md5(i::text)::uuid AS trace FROM generate_series(1, 20000) AS i;
CREATE INDEX traces_bf ON traces USING bloomfilter (trace);
SELECT count(*) FROM bloom_stat_indexes;
SELECT id FROM traces WHERE trace = md5('77')::uuid;
SELECT id FROM traces WHERE trace = ANY (ARRAY[md5('99999'), md5('33')]::uuid[]);
SELECT relid = 'traces'::regclass AS relid, indexrelid = 'traces_bf'::regclass AS indexrelid, schemaname, relname, indexrelname, lookups,
	ranges_tested = 2 * i.ranges AS all_ranges_tested, ranges_matched >= 2 AND ranges_matched < 6 AS few_matched,
	pages_returned >= 2 AND pages_returned < 10 AS few_returned, pages_rebuilt, evicted
	FROM bloom_stat_indexes, bloom_index_info('traces_bf') AS i;
SELECT bloom_stat_reset();
-- for each row of a nested loop, and until it fails
SET enable_nestloop = on;
SET enable_hashjoin = off;
SELECT count(traces.id) FROM generate_series(1, 5) AS g LEFT JOIN traces ON trace = md5(g::text)::uuid;
SELECT lookups FROM bloom_stat_indexes;
SELECT count(1 / (traces.id - 3)) FROM (SELECT g FROM generate_series(1, 5) AS g OFFSET 0) AS s LEFT JOIN traces ON trace = md5(g::text)::uuid;
SELECT lookups FROM bloom_stat_indexes;
RESET enable_seqscan;
RESET enable_nestloop;
RESET enable_hashjoin;

-- Everybody may read the statistics, few may reset them.
CREATE ROLE regress_reader;
SET ROLE regress_reader;
SELECT count(*) FROM public.bloom_stat_indexes;
SELECT count(*) > 0 AS any FROM public.bloom_stat_join_filters;
SELECT public.bloom_stat_reset();
RESET ROLE;
DROP ROLE regress_reader;
SELECT bloom_stat_reset();
SELECT count(*) FROM bloom_stat_indexes;
-- as many partitions as a table has, in a session's own memory as well
CREATE TABLE many (k int, day int) PARTITION BY LIST (day);
DO $$ BEGIN FOR i IN 1 .. 150 LOOP EXECUTE format('CREATE TABLE many_%s PARTITION OF many FOR VALUES IN (%s)', i, i); END LOOP; END $$;
INSERT INTO many SELECT i, i FROM generate_series(1, 150) AS i;
SELECT bloom_stat_reset();
SELECT count(*) FROM many JOIN keys USING (k);
SELECT count(*) FROM many JOIN keys USING (k);
SELECT count(*), sum(executions) AS executions FROM bloom_stat_join_filters WHERE relname ~ '^many_';
DROP SCHEMA evidence CASCADE;
