-- The planner sees what the filters of an index are like by now.  Rows that were
-- replaced leave their bits, until VACUUM.

LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET client_min_messages = warning;

-- The costs of a scan
CREATE FUNCTION pg_temp.cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN plan->0->'Plan'->>'Total Cost';
END $$;
CREATE FUNCTION pg_temp.nodes(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN (SELECT string_agg(node #>> '{}', ', ') FROM jsonb_path_query(plan::jsonb, 'strict $.**."Node Type"') AS node
			 WHERE node #>> '{}' ~ 'Join|Loop|Bitmap Index');
END $$;
-- By what a hash join skips pages
CREATE FUNCTION pg_temp.skips(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	result text := 'nothing';
BEGIN
	SET LOCAL bloomfilter.join_filters = on;
	SET LOCAL bloomfilter.join_filter_min_rows = 0;
	SET LOCAL enable_nestloop = off;
	SET LOCAL enable_mergejoin = off;
	FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || query LOOP
		IF line ~ 'Skip By' THEN
			result := trim(line);
		END IF;
	END LOOP;
	SET LOCAL enable_nestloop = on;
	SET LOCAL enable_mergejoin = on;
	RETURN result;
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

-- All values of v are replaced four times, and the new versions find room in their pages.
CREATE TABLE worn (id int, v uuid, stays uuid, pad text) WITH (autovacuum_enabled = off, fillfactor = 20);
INSERT INTO worn SELECT i, md5(i::text)::uuid, md5('stays ' || i)::uuid, repeat('x', 60) FROM generate_series(1, 40000) i;
CREATE INDEX worn_bf ON worn USING bloomfilter (v, stays);
CREATE TABLE absent AS SELECT md5('absent ' || i)::uuid AS v FROM generate_series(1, 50) i;
VACUUM ANALYZE worn, absent;
SELECT pg_temp.nodes('SELECT count(pad) FROM absent JOIN worn USING (v)');
SELECT pg_temp.skips('SELECT count(pad) FROM absent JOIN worn USING (v)');
SET enable_seqscan = off;
CREATE TEMP TABLE new AS SELECT pg_temp.cost(format('SELECT FROM worn WHERE v = %L', md5('x'))) AS v,
	pg_temp.cost(format('SELECT FROM worn WHERE stays = %L', md5('x'))) AS stays, pg_relation_size('worn') AS bytes;
DO $$
BEGIN
	FOR r IN 1 .. 4 LOOP
		UPDATE worn SET v = md5(id || ' ' || r)::uuid;
	END LOOP;
END $$;
SELECT pg_relation_size('worn') = bytes AS in_place FROM new;
ANALYZE worn;
-- the other column's bits are there already, where rows stay in their ranges
SELECT pg_temp.cost(format('SELECT FROM worn WHERE v = %L', md5('x'))) > 4 * v AS is_dear,
	pg_temp.cost(format('SELECT FROM worn WHERE stays = %L', md5('x'))) < 3 * stays AS as_before FROM new;
RESET enable_seqscan;
SELECT pg_temp.nodes('SELECT count(pad) FROM absent JOIN worn USING (v)');
SELECT pg_temp.skips('SELECT count(pad) FROM absent JOIN worn USING (v)');
-- after VACUUM as before
CALL pg_temp.settle();
VACUUM ANALYZE worn;
SELECT pg_temp.nodes('SELECT count(pad) FROM absent JOIN worn USING (v)');
SELECT pg_temp.cost(format('SELECT FROM worn WHERE v = %L', md5('x'))) < 2 * v AS as_before FROM new;
DROP TABLE worn, absent;

-- The filter of a table that had far more values than it was made for
CREATE TABLE kinds WITH (autovacuum_enabled = off) AS SELECT i % 5 AS kind, repeat('x', 100) AS pad FROM generate_series(1, 20000) i;
CREATE INDEX kinds_kind ON kinds USING bloomfilter (kind) WITH (scope = 'table', expected_items = 1000);
VACUUM ANALYZE kinds;
SELECT pg_temp.nodes('SELECT FROM kinds WHERE kind = 6');
INSERT INTO kinds SELECT i FROM generate_series(10, 30000) i;
DELETE FROM kinds WHERE kind >= 10;
CALL pg_temp.settle();
VACUUM ANALYZE kinds;
SELECT pg_temp.nodes('SELECT FROM kinds WHERE kind = 6') IS NULL AS reads_the_table;
DROP TABLE kinds;

-- An array that is a parameter: plans for its values stay, because only their recheck
-- hashes the array.
CREATE TABLE listed AS SELECT md5(i::text) AS v, md5(i::text)::varchar AS w FROM generate_series(1, 30000) i;
CREATE INDEX listed_bf ON listed USING bloomfilter (v, w);
VACUUM ANALYZE listed;
SET plan_cache_mode = auto;
PREPARE of_text(text[]) AS SELECT count(*) FROM listed WHERE v = ANY ($1);
PREPARE of_varchar(varchar[]) AS SELECT count(*) FROM listed WHERE w = ANY ($1);
DO $$
DECLARE
	size int;
	statement text;
	found int;
BEGIN
	FOREACH statement IN ARRAY ARRAY['of_text', 'of_varchar'] LOOP
		FOR i IN 1 .. 9 LOOP
			size := (ARRAY[1, 20, 3000])[1 + i % 3];
			EXECUTE format('EXECUTE %s(%L)', statement, ARRAY(SELECT md5(g::text) FROM generate_series(1, size) g)) INTO found;
			IF found <> size THEN
				RAISE EXCEPTION '% of % values found', found, size;
			END IF;
		END LOOP;
	END LOOP;
END $$;
SELECT name, generic_plans, custom_plans FROM pg_prepared_statements ORDER BY name;
-- one plan for all uses the index
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS off) EXECUTE of_text('{x}');
-- also where others would end at the first row, if there is one
CREATE INDEX listed_w ON listed (w);
PREPARE is_one(text[]) AS SELECT EXISTS (SELECT FROM listed WHERE v = ANY ($1));
SELECT pg_temp.nodes('EXECUTE is_one(''{x}'')');
PREPARE the_first(text[]) AS SELECT w FROM listed WHERE v = ANY ($1) ORDER BY w LIMIT 1;
SELECT pg_temp.nodes('EXECUTE the_first(''{x}'')');
PREPARE the_least(text[]) AS SELECT min(w::text) FROM listed WHERE v = ANY ($1);
SELECT pg_temp.nodes('EXECUTE the_least(''{x}'')');
-- a function in SQL has only such plans, and finds the same
CREATE FUNCTION pg_temp.listed(text[]) RETURNS bigint STABLE STRICT LANGUAGE sql AS 'SELECT count(*) FROM listed WHERE v = ANY ($1)';
SELECT pg_temp.listed(ARRAY(SELECT md5(g::text) FROM generate_series(29999, 30005) g));
DEALLOCATE ALL;
RESET plan_cache_mode;
DROP TABLE listed;
