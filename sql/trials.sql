--
-- Trials of join filters: which executions are counted, and as which.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET bloomfilter.join_filters = force;
SET bloomfilter.join_filter_guard = off;
CREATE SCHEMA trials;
SET search_path = trials, public;
CREATE TABLE fact AS SELECT i AS id, i % 500 AS k FROM generate_series(0, 2999) AS i;
CREATE TABLE keys AS SELECT i * 25 AS k FROM generate_series(0, 19) AS i;
ANALYZE fact, keys;
SELECT bloom_stat_reset();
CREATE VIEW trials AS
	SELECT query, executions_with AS "with", executions_without AS without, verdict FROM bloom_join_filter_trials ORDER BY query COLLATE "C";

-- all plans are without filters, or as good as none
\set without 'SET bloomfilter.join_filter_trial = 1'
\set with 'SET bloomfilter.join_filter_trial = 1e-300'
\set query 'SELECT count(*) FROM fact JOIN keys USING (k)'
:without;
:query;
:query;
:query;
:with;
:query;
:query;
SELECT * FROM trials;
SELECT userid = (SELECT oid FROM pg_roles WHERE rolname = current_user) AS userid, queryid <> 0 AS queryid, mean_ms_with > 0 AS mean_with,
	mean_ms_without > 0 AS mean_without, ratio, ratio_low, ratio_high, guarded_since, since <= now() AS since, evicted FROM bloom_join_filter_trials;
-- queries that differ by constants are the same
:without;
SELECT count(*) FROM fact JOIN keys USING (k) WHERE id < 2000;
SELECT count(*) FROM fact JOIN keys USING (k) WHERE id < 1000;
SELECT * FROM trials;

-- Not counted: what has no filters, fails, is explained, is run in part, or
-- while there are no trials.
SELECT bloom_stat_reset();
SELECT count(*) FROM fact;
SELECT count(1 / (id - 500)) FROM fact JOIN keys USING (k);
DO $$ BEGIN EXECUTE 'EXPLAIN ANALYZE SELECT count(*) FROM fact JOIN keys USING (k)'; END $$;
DO $$
DECLARE
	c refcursor;
	id int;
BEGIN
	OPEN c FOR SELECT fact.id FROM fact JOIN keys USING (k);
	FETCH c INTO id;
	CLOSE c;
	OPEN c SCROLL FOR SELECT fact.id AS s FROM fact JOIN keys USING (k);
	MOVE FORWARD ALL FROM c;
	FETCH PRIOR FROM c INTO id;
	CLOSE c;
	OPEN c SCROLL FOR SELECT fact.id AS again FROM fact JOIN keys USING (k);
	MOVE FORWARD ALL FROM c;
	FETCH FIRST FROM c INTO id;
	MOVE FORWARD ALL FROM c;
	CLOSE c;
	OPEN c SCROLL FOR SELECT fact.id AS begun FROM fact JOIN keys USING (k);
	MOVE FORWARD 5 FROM c;
	FETCH FIRST FROM c INTO id;
	MOVE FORWARD ALL FROM c;
	CLOSE c;
END $$;
-- nor what is read again because it outlives its transaction
BEGIN;
DECLARE held SCROLL CURSOR WITH HOLD FOR SELECT fact.id AS held FROM fact JOIN keys USING (k);
MOVE FORWARD 5 FROM held;
COMMIT;
CLOSE held;
-- nor what changes rows after the last one is returned
CREATE TABLE changed (n bigint);
WITH added AS (INSERT INTO changed SELECT id FROM fact JOIN keys USING (k) RETURNING n) SELECT 'added' AS added;
SELECT count(*) FROM changed;
DROP TABLE changed;
SET bloomfilter.join_filter_trial = 0;
:query;
SET bloomfilter.join_filters = off;
:without;
:query;
SET bloomfilter.join_filters = force;
SET compute_query_id = off;
:query;
SET compute_query_id = auto;
SELECT verdict FROM bloom_join_filters(:'query');
SELECT * FROM trials;

-- Counted: what a function reads through a cursor to its end, and what calls
-- it.
CREATE FUNCTION nested() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint := 0;
	r record;
BEGIN
	FOR r IN SELECT fact.id FROM trials.fact JOIN trials.keys USING (k) LOOP
		result := result + 1;
	END LOOP;
	RETURN result;
END $$;
SELECT nested() AS outer, count(*) FROM fact JOIN keys USING (k);
SELECT * FROM trials;

-- Counted: what asks for one row of an aggregate, which has no more, or reads
-- the rows of a change to the end.
SELECT bloom_stat_reset();
CREATE FUNCTION in_sql() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT count(*) AS in_sql FROM trials.fact JOIN trials.keys USING (k)';
SELECT in_sql();
CREATE TABLE kept_rows (n bigint);
DO $$
DECLARE
	n bigint;
BEGIN
	SELECT count(*) AS into_variable INTO n FROM fact JOIN keys USING (k);
	SELECT fact.id AS partly INTO n FROM fact JOIN keys USING (k);
	SELECT fact.id AS nothing INTO n FROM fact JOIN keys USING (k) WHERE id < 0;
	SELECT fact.id AS strictly INTO STRICT n FROM fact JOIN keys USING (k) WHERE id = 25;
	INSERT INTO kept_rows SELECT fact.id FROM fact JOIN keys USING (k) WHERE id = 25 RETURNING kept_rows.n INTO n;
END $$;
SELECT * FROM trials;

-- A statement that a rule adds is none of the user's, but has the same identifier.
SELECT bloom_stat_reset();
CREATE TABLE ruled (n bigint);
CREATE RULE also AS ON INSERT TO ruled DO ALSO INSERT INTO kept_rows SELECT id FROM fact JOIN keys USING (k) WHERE id < 100;
INSERT INTO ruled SELECT id FROM fact JOIN keys USING (k);
SELECT * FROM trials;

-- The time begins before partitions are pruned.
CREATE TABLE parted (k int, n int) PARTITION BY LIST (n);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE FUNCTION slow() RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN 0; END $$;
SELECT bloom_stat_reset();
SELECT count(*) FROM parted JOIN keys USING (k) WHERE n = slow();
SELECT coalesce(mean_ms_with, mean_ms_without) > 50 AS slow, executions_with + executions_without AS executions FROM bloom_join_filter_trials;

-- A plan that is kept keeps its arm, and counts once.
SELECT bloom_stat_reset();
SET plan_cache_mode = force_generic_plan;
PREPARE kept AS SELECT count(*) FROM fact JOIN keys USING (k) WHERE id < $1;
EXECUTE kept(1000);
:with;
EXECUTE kept(2000);
SELECT * FROM trials;
DISCARD PLANS;
EXECUTE kept(3000);
:without;
EXECUTE kept(3000);
SELECT * FROM trials;
SELECT plans_with, plans_without FROM bloom_join_filter_trials;
DEALLOCATE kept;
RESET plan_cache_mode;

-- Without filters, the plan is that of the server alone.
CREATE FUNCTION plan() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	result text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN SELECT count(*) FROM trials.fact JOIN trials.keys USING (k)' LOOP
		IF line !~ 'Join Filters' THEN
			result := result || line || E'\n';
		END IF;
	END LOOP;
	RETURN result;
END $$;
SELECT plan() AS without \gset
:with;
SELECT plan() AS with \gset
SET bloomfilter.join_filters = off;
SELECT :'without' = plan() AS same, :'with' = plan() AS other;
SET bloomfilter.join_filters = force;

-- What is older than two periods of 256 plans of both kinds is forgotten.  A plan
-- that is kept is in the last period.
SELECT bloom_stat_reset();
SET plan_cache_mode = force_generic_plan;
DO $$
BEGIN
	FOR i IN 1 .. 600 LOOP
		PERFORM set_config('bloomfilter.join_filter_trial', '1', false);
		EXECUTE 'SELECT count(*) FROM fact JOIN keys USING (k) WHERE id < 100';
		PERFORM count(*) FROM fact JOIN keys USING (k) WHERE id < 100;
		PERFORM set_config('bloomfilter.join_filter_trial', '1e-300', false);
		EXECUTE 'SELECT count(*) FROM fact JOIN keys USING (k) WHERE id < 100';
	END LOOP;
END $$;
RESET plan_cache_mode;
SELECT plans_with, plans_without, executions_with, executions_without FROM bloom_join_filter_trials;

-- A half of the plannings, more or less: of 200, outside of 60 to 140 with a
-- chance of 10^-8.
SELECT bloom_stat_reset();
SET bloomfilter.join_filter_trial = 0.5;
DO $$ BEGIN FOR i IN 1 .. 200 LOOP EXECUTE 'SELECT count(*) FROM fact JOIN keys USING (k) WHERE id < 100'; END LOOP; END $$;
SELECT "with" + without AS executions, without BETWEEN 60 AND 140 AS half, verdict <> 'too few' AS verdict FROM trials;
SELECT ratio_low < ratio AND ratio < ratio_high AS interval, abs(ratio_low * ratio_high / ratio ^ 2 - 1) < 1e-9 AS symmetric,
	abs(ratio * mean_ms_without / mean_ms_with - 1) < 1e-9 AS of_means,
	verdict = CASE WHEN ratio_high < 1 THEN 'faster' WHEN ratio_low > 1 THEN 'slower' ELSE 'no difference seen' END AS verdict
	FROM bloom_join_filter_trials;

-- Others' queries are hidden.
CREATE ROLE regress_trier;
GRANT USAGE ON SCHEMA trials TO regress_trier;
GRANT SELECT ON fact, keys TO regress_trier;
SET ROLE regress_trier;
SELECT count(*) AS own FROM fact JOIN keys USING (k);
SELECT userid = 'regress_trier'::regrole AS own, query, queryid IS NULL AS no_id, executions_with + executions_without AS executions
	FROM public.bloom_join_filter_trials ORDER BY own;
RESET ROLE;
GRANT pg_read_all_stats TO regress_trier;
SET ROLE regress_trier;
SELECT count(*) FROM public.bloom_join_filter_trials WHERE query IS NOT NULL AND queryid IS NOT NULL;
RESET ROLE;
DROP OWNED BY regress_trier;
DROP ROLE regress_trier;

-- A long text is cut where a character ends.
SELECT bloom_stat_reset();
SELECT 'SELECT count(*) AS "n' || repeat('é', 20) || '" FROM fact JOIN keys USING (k) WHERE ''' || repeat('é', 700) || ''' <> ''''' AS long \gset
:long;
SELECT octet_length(query) AS bytes, right(query, 1) = 'é' AS whole FROM bloom_join_filter_trials;

-- Queries get identifiers as soon as compute_query_id lets them, also if it did
-- not when the trial began: the second one has one.
SELECT bloom_stat_reset();
\connect
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET bloomfilter.join_filters = force;
SET search_path = trials, public;
SET compute_query_id = off;
SET bloomfilter.join_filter_trial = 1e-300;
SET compute_query_id = auto;
:query;
:query;
SELECT * FROM trials;
SELECT bloom_stat_reset();
DROP SCHEMA trials CASCADE;
