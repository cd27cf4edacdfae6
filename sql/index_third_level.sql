-- Where an index has several groups, covers above them, the third level, tell which of
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
-- Groups, those that are covered, and by how many covers
CREATE FUNCTION pg_temp.covers(index regclass) RETURNS text LANGUAGE sql AS $$
	SELECT format('%s of %s groups, by %s', covered_groups, groups, covers) FROM bloom_index_info(index)
$$;
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

-- CREATE INDEX makes it, from its one scan, of all groups.  Of n, the first group has no
-- value, and of the expression, all but one.
CREATE TABLE built (k int, n int) WITH (autovacuum_enabled = off, fillfactor = 99);
INSERT INTO built SELECT g, CASE WHEN g > 60000 THEN g END FROM generate_series(1, 600000) g;
ANALYZE built;
CREATE INDEX built_bf ON built USING bloomfilter (k, n, (CASE WHEN k = 70000 THEN k END));
SELECT pg_temp.covers('built_bf'), round(cover_false_positive_rate::numeric, 1) AS rate FROM bloom_index_info('built_bf');
SELECT pg_temp.pages('built', 'k') < 6 AS few, pg_temp.pages('built', 'n') < 6 AS few_of_n;
-- less than a page for each group
SELECT pg_temp.cost('SELECT FROM built WHERE k = 7') < 20 * 4 AS cheap;
SELECT pg_temp.found('built', 'k', 1000, 600000, 1000), pg_temp.found('built', 'n', 61000, 600000, 1000);
SELECT count(*) FROM built WHERE k = 500000 AND n = 500000;
SELECT count(*) FROM built WHERE k = 500000 AND n = 500001;
SELECT count(*) FROM built WHERE k = 500000 AND k = ANY ('{1,500000}') AND n = 500000;
SELECT count(*) FROM built WHERE CASE WHEN k = 70000 THEN k END = 70000;
-- where there is no memory for the results of all values
SET work_mem = '64kB';
SELECT pg_temp.found('built', 'k', 500, 600000, 500);
RESET work_mem;
-- the last group leaves it when a row is appended
INSERT INTO built VALUES (600001, 600001);
SELECT pg_temp.covers('built_bf');
SELECT count(*) FROM built WHERE k = 600001 AND n = 600001;
-- there are too few others
VACUUM built;
SELECT pg_temp.covers('built_bf');
-- rows that come into covered groups afterwards
DELETE FROM built WHERE k % 2 = 0;
CALL pg_temp.settle();
VACUUM built;
INSERT INTO built SELECT g, g FROM generate_series(1000001, 1250000) g;
SELECT max(split_part(trim('()' FROM ctid::text), ',', 1)::int) < pg_relation_size('built') / 8192 / 2 AS among_the_others
  FROM built WHERE k BETWEEN 1000001 AND 1000100;
SELECT pg_temp.found('built', 'k', 1000500, 1250000, 500);
UPDATE built SET n = -n - 1000000 WHERE k BETWEEN 100001 AND 100101;
SELECT pg_temp.found('built', 'n', -1100101, -1100001, 2);
SELECT bloom_index_check('built_bf');
-- worn, and made anew
DELETE FROM built WHERE k % 2 = 1;
CALL pg_temp.settle();
VACUUM built;
INSERT INTO built SELECT -g, -g FROM generate_series(1000001, 1450000) g;
CALL pg_temp.settle();
SELECT cover_false_positive_rate > 0.2 AS worn FROM bloom_index_info('built_bf');
VACUUM built;
SELECT cover_false_positive_rate < 0.1 AS as_new FROM bloom_index_info('built_bf');
SELECT bloom_index_check('built_bf'), pg_temp.found('built', 'n', -1440000, -1001000, 1000);
DROP TABLE built;

-- VACUUM covers groups that are not the last, when there are eight of them.
CREATE UNLOGGED TABLE grown (k int, n int, pad text) WITH (autovacuum_enabled = off);
CREATE INDEX grown_bf ON grown USING bloomfilter (k, n);
INSERT INTO grown SELECT g, NULL, repeat('x', 1800) FROM generate_series(1, 6400) g;
INSERT INTO grown SELECT g, g, repeat('x', 1800) FROM generate_series(6401, 16000) g;
VACUUM grown;
SELECT pg_temp.covers('grown_bf');
INSERT INTO grown SELECT g, g, repeat('x', 1800) FROM generate_series(16001, 36000) g;
VACUUM grown;
SELECT pg_temp.covers('grown_bf');
INSERT INTO grown SELECT g, g, repeat('x', 1800) FROM generate_series(36001, 72000) g;
VACUUM grown;
SELECT pg_temp.covers('grown_bf');
SELECT pg_temp.found('grown', 'k', 100, 72000, 100), pg_temp.found('grown', 'n', 100, 72000, 100);
-- a column without cover gets one
UPDATE grown SET n = -1 WHERE k = 1;
SELECT pg_temp.found('grown', 'n', -1, -1, 1);
VACUUM grown;
SELECT pg_temp.found('grown', 'n', -1, -1, 1), bloom_index_check('grown_bf');
DROP TABLE grown;
