-- Where an index has more than 42 groups, a third level above them tells which of
-- them may have a value.

SET enable_seqscan = off;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
-- groups end early, so that there are many of them
SET maintenance_work_mem = '1MB';

-- Pages of the index that a lookup of an absent value reads, mean of 50
CREATE FUNCTION pg_temp.pages(tab text, col text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	pages float8 := 0;
BEGIN
	FOR i IN 1 .. 50 LOOP
		EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, FORMAT json, TIMING off) SELECT FROM %I WHERE %I = %s', tab, col, -i) INTO plan;
		plan := plan->0->'Plan'->'Plans'->0;
		pages := pages + (plan->>'Shared Hit Blocks')::int + (plan->>'Shared Read Blocks')::int;
	END LOOP;
	RETURN pages / 50;
END $$;
-- How many of the values from the first to the last does the index find?
CREATE FUNCTION pg_temp.found(tab text, col text, first int, last int, step int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found bigint;
BEGIN
	EXECUTE format('SELECT count(DISTINCT %2$I) FROM %1$I WHERE %2$I = ANY (%3$L)',
		tab, col, ARRAY(SELECT generate_series(first, last, step))) INTO found;
	RETURN found;
END $$;
CREATE FUNCTION pg_temp.cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN plan->0->'Plan'->'Plans'->0->>'Total Cost';
END $$;
-- VACUUM keeps rows that another session's snapshot may see, also that of an
-- ANALYZE in the background: wait until all are newer than this.
CREATE PROCEDURE pg_temp.settle() LANGUAGE plpgsql AS $$
DECLARE
	now xid := pg_current_xact_id()::xid;
BEGIN
	LOOP
		PERFORM pg_stat_clear_snapshot();
		EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity
			WHERE pid <> pg_backend_pid() AND datname = current_database() AND age(backend_xmin) > age(now));
		PERFORM pg_sleep(0.01);
	END LOOP;
END $$;

-- CREATE INDEX makes it, from its one scan.  Of n, the first group has no value.
CREATE TABLE built (k int, n int) WITH (autovacuum_enabled = off);
INSERT INTO built SELECT g, CASE WHEN g > 60000 THEN g END FROM generate_series(1, 2600000) g;
CREATE INDEX built_bf ON built USING bloomfilter (k, n, (CASE WHEN k = 70000 THEN k END));
SELECT groups > 84 AS has_two_covers FROM bloom_index_info('built_bf');
SELECT pg_temp.pages('built', 'k') < 30 AS few, pg_temp.pages('built', 'n') > 42 AS not_of_n;
SELECT pg_temp.found('built', 'k', 1000, 2600000, 1000);
SELECT count(*) FROM built WHERE k = 2000000 AND n = 2000000;
SELECT count(*) FROM built WHERE k = 2000000 AND n = 2000001;
SELECT count(*) FROM built WHERE k = 2000000 AND k = ANY ('{1,2000000}') AND n = 2000000;
-- cover by cover, where there is no memory for the results of all
SET work_mem = '64kB';
SELECT pg_temp.found('built', 'k', 500, 2600000, 500);
RESET work_mem;
-- what the build could not make of n, VACUUM makes; and of what has one value
VACUUM built;
SELECT count(*) FROM built WHERE CASE WHEN k = 70000 THEN k END = 70000;
SELECT pg_temp.pages('built', 'k') < 30 AS few, pg_temp.pages('built', 'n') < 30 AS few_of_n;
SELECT bloom_index_check('built_bf');
SELECT pg_temp.found('built', 'n', 61000, 2600000, 1000);
DROP TABLE built;

-- VACUUM makes it when there are enough groups.  Where the first rows are wide, a
-- build does not foresee that.
CREATE TABLE grown (k int, n int, pad text) WITH (autovacuum_enabled = off);
ALTER TABLE grown ALTER pad SET STORAGE PLAIN;
INSERT INTO grown SELECT g, g, repeat('x', 780) FROM generate_series(1, 22000) g;
INSERT INTO grown SELECT g, g, '' FROM generate_series(22001, 1100000) g;
ANALYZE grown;
CREATE INDEX grown_bf ON grown USING bloomfilter (k, n);
SELECT groups > 42 AS enough FROM bloom_index_info('grown_bf');
CREATE TEMP TABLE before AS SELECT pg_temp.pages('grown', 'k') AS pages, pg_temp.cost('SELECT FROM grown WHERE k = 7') AS cost;
VACUUM ANALYZE grown;
SELECT pages > 42 AS all_groups, pg_temp.pages('grown', 'k') < 20 AS few, pg_temp.pages('grown', 'n') < 20 AS few_of_n,
	pg_temp.cost('SELECT FROM grown WHERE k = 7') < cost / 3 AS cheaper
  FROM before;
SELECT bloom_index_check('grown_bf'), pg_temp.found('grown', 'k', 1000, 1100000, 1000);
-- rows that come into these groups afterwards
DELETE FROM grown WHERE k % 2 = 0;
CALL pg_temp.settle();
VACUUM grown;
INSERT INTO grown SELECT g, g, '' FROM generate_series(1100001, 1600000) g;
SELECT max(split_part(trim('()' FROM ctid::text), ',', 1)::int) < pg_relation_size('grown') / 8192 / 2 AS among_the_others
  FROM grown WHERE k BETWEEN 1100001 AND 1100100;
SELECT pg_temp.found('grown', 'k', 1100500, 1600000, 500);
SELECT bloom_index_check('grown_bf');
UPDATE grown SET n = -n - 1000000 WHERE k BETWEEN 22001 AND 22101;
SELECT pg_temp.found('grown', 'n', -1022101, -1022001, 2);
-- worn, and made anew
DELETE FROM grown WHERE k % 2 = 1;
CALL pg_temp.settle();
VACUUM grown;
INSERT INTO grown SELECT -g, -g, '' FROM generate_series(1000001, 1700000) g;
CALL pg_temp.settle();
UPDATE before SET pages = pg_temp.pages('grown', 'k');
VACUUM grown;
SELECT pages > 15 AS worn, pg_temp.pages('grown', 'k') < 8 AS as_new, pg_temp.pages('grown', 'n') < 8 AS as_new_of_n FROM before;
SELECT bloom_index_check('grown_bf'), pg_temp.found('grown', 'n', -1550000, -1001000, 1000);
DROP TABLE grown;
