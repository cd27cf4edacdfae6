-- What EXPLAIN says of join filters, in all formats.
LOAD 'bloomfilter';
CREATE SCHEMA join_explain;
SET search_path = join_explain, public;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET enable_nestloop = off;
SET enable_mergejoin = off;
CREATE TABLE customer (id int, name text, region int);
INSERT INTO customer SELECT i * 20, 'customer ' || i * 20, i % 10 FROM generate_series(0, 99) AS i;
CREATE TABLE orders (id int, customer_id int, customer_name text);
INSERT INTO orders SELECT i, i * 7 % 2000, 'customer ' || i * 7 % 2000 FROM generate_series(1, 10000) AS i;
ANALYZE customer, orders;

-- What is said of the nodes themselves; the server adds to that as it likes.
-- How many rows remain by chance depends on the machine.
CREATE FUNCTION lines(options text, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	plan text;
	line text;
BEGIN
	IF options ~ 'FORMAT (JSON|XML|YAML)' THEN
		EXECUTE format('EXPLAIN (COSTS OFF, %s) %s', options, query) INTO plan;
		RETURN QUERY SELECT regexp_replace(l, '94\d\d', '94xx') FROM regexp_split_to_table(plan, E'\n') AS l
			WHERE l ~ '(Custom|Keys|Bloom[ -]Filter|filter|Memory.Usage|Too.Many|Switched|Item|- ")'
			AND l !~ '(Peak|Node.Type)';
	ELSE
		FOR line IN EXECUTE format('EXPLAIN (COSTS OFF, %s) %s', options, query) LOOP
			CONTINUE WHEN line ~ '^Query Identifier';
			RETURN NEXT regexp_replace(regexp_replace(line, ' \(actual.*', ''), '94\d\d', '94xx');
		END LOOP;
	END IF;
END $$;
CREATE FUNCTION analyzed(format text, query text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT lines('ANALYZE, BUFFERS OFF, TIMING OFF, SUMMARY OFF, FORMAT ' || format, query) $$;
\set grouped 'SELECT * FROM (SELECT customer_id, count(*) FROM orders GROUP BY 1) AS o JOIN customer c ON o.customer_id = c.id'
\set two_keys 'SELECT * FROM orders o JOIN customer c ON o.customer_id = c.id + 0 AND o.customer_name = c.name'

-- a plan without filters is what it is without the library
SET bloomfilter.join_filters = on;
CREATE TABLE plans AS SELECT 'on' AS setting, string_agg(l, E'\n') AS plan FROM lines('VERBOSE', :'two_keys') AS l;
SET bloomfilter.join_filters = off;
SELECT plan = (SELECT string_agg(l, E'\n') FROM lines('VERBOSE', :'two_keys') AS l) AS same FROM plans;

SET bloomfilter.join_filters = force;
SELECT lines('FORMAT TEXT', :'grouped');
SELECT lines('VERBOSE', :'two_keys');
SELECT lines('FORMAT JSON', :'two_keys');
SELECT lines('FORMAT XML', :'two_keys');
SELECT lines('FORMAT YAML', :'two_keys');

-- ANALYZE: how many rows were removed by how many tests, and the memory of the filter
SELECT l FROM analyzed('TEXT', :'grouped') AS l WHERE l ~ '(Custom|Keys|Bloom Filter|Memory Usage: . kB)';
SELECT analyzed('JSON', :'two_keys');
SELECT analyzed('XML', :'two_keys');
SELECT analyzed('YAML', :'two_keys');

-- switched off: when
SET bloomfilter.join_filters = on;
SET bloomfilter.join_filter_min_rows = 0;
CREATE TABLE wide AS SELECT i % 1000 AS k FROM generate_series(1, 300000) AS i;
CREATE TABLE narrow AS SELECT i AS k FROM generate_series(0, 999) AS i;
ANALYZE wide, narrow;
\set no_use 'SELECT * FROM wide JOIN narrow USING (k) WHERE narrow.k + 0 = narrow.k'
SELECT l FROM analyzed('TEXT', :'no_use') AS l WHERE l ~ '(bloomfilter|Switched|Bloom Filter)';
SELECT analyzed('JSON', :'no_use');

-- two at one place: one comes to rest while the other, which was switched off
-- before, is about to be looked at again
CREATE TABLE turning AS
	SELECT CASE WHEN g <= 100000 AND g % 10 > 2 THEN 9 ELSE 1 END AS a, CASE WHEN g <= 300000 THEN 1 ELSE 9 END AS b
	FROM generate_series(1, 600000) AS g;
CREATE TABLE one AS SELECT 1 AS x;
ANALYZE turning, one;
SET bloomfilter.join_filters = force;
SET join_collapse_limit = 1;
SET plan_cache_mode = force_generic_plan;
PREPARE turns AS SELECT count(*) FROM turning JOIN one AS b ON b.x = turning.b JOIN one AS a ON a.x = turning.a;
EXPLAIN (COSTS OFF) EXECUTE turns;
SET bloomfilter.join_filters = on;
SELECT l FROM analyzed('TEXT', 'EXECUTE turns') AS l WHERE l ~ '(Switched|Rows Removed)';
DEALLOCATE turns;
RESET plan_cache_mode;
RESET join_collapse_limit;

-- too many keys
SET bloomfilter.join_filters = force;
SET bloomfilter.join_filter_memory = '64kB';
SET enable_nestloop = on;
SELECT l FROM analyzed('TEXT', 'SELECT * FROM wide a JOIN (SELECT k, k * 20 + g AS l FROM narrow, generate_series(0, 19) AS g OFFSET 0) AS b ON a.k = b.l') AS l
	WHERE l ~ '(bloomfilter|Too Many|Bloom Filter)';

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA join_explain CASCADE;
