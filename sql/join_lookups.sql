-- Join filters: hash joins instead of index lookups by nested loops.
LOAD 'bloomfilter';
CREATE SCHEMA join_lookups;
SET search_path = join_lookups, public;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET bloomfilter.join_filters = on;
SET bloomfilter.join_filter_min_rows = 50000;
-- Small tables, as expensive as large ones: otherwise planning again would take too long.
SET seq_page_cost = 20;
SET random_page_cost = 80;
SET cpu_tuple_cost = 0.2;
SET cpu_index_tuple_cost = 0.1;
SET cpu_operator_cost = 0.05;
-- off by default
SHOW bloomfilter.join_replan;
SET bloomfilter.join_replan = on;

-- What a plan does with the tables, and what its filters skip by.
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ '(Join|Loop|Scan (using|on)|Skip By|SubPlan)' AND line !~ '(Join Filter:|Bitmap Index)' THEN
			RETURN NEXT regexp_replace(line, 'SubPlan .*', 'SubPlan');
		END IF;
	END LOOP;
END
$$;
-- The plans of a query with filters and without, and whether its result is the same.
CREATE FUNCTION plans_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	with_filters text;
	without text;
	plan text;
	plan_without text;
BEGIN
	SELECT string_agg(line, E'\n') INTO plan FROM plan_of(query) AS line;
	EXECUTE format('SELECT count(*) || '' rows '' || coalesce(sum(hashtext(q::text)), 0) FROM (%s) AS q', query)
		INTO with_filters;
	SET LOCAL bloomfilter.join_filters = off;
	SELECT string_agg(line, E'\n') INTO plan_without FROM plan_of(query) AS line;
	EXECUTE format('SELECT count(*) || '' rows '' || coalesce(sum(hashtext(q::text)), 0) FROM (%s) AS q', query)
		INTO without;
	SET LOCAL bloomfilter.join_filters = on;
	RETURN NEXT 'off: ' || plan_without;
	RETURN NEXT 'on: ' || CASE WHEN plan = plan_without THEN 'the same' ELSE plan END;
	RETURN NEXT CASE WHEN with_filters = without THEN split_part(without, ' ', 1) || ' rows'
					 ELSE 'WRONG: ' || with_filters || ' instead of ' || without END;
END
$$;

-- 500 days of 200 rows each, in order: 100,000 rows on 935 pages.
CREATE TABLE sale (day int, id int, place int, wide char(32)) WITH (autovacuum_enabled = off);
INSERT INTO sale SELECT i / 200, i, i % 50, '' FROM generate_series(0, 99999) AS i;
CREATE INDEX sale_brin ON sale USING brin (day) WITH (pages_per_range = 4);
CREATE TABLE day (id int PRIMARY KEY, month int, dow int);
INSERT INTO day SELECT i, i / 30, i % 7 FROM generate_series(0, 499) AS i;
CREATE TABLE calendar (id int PRIMARY KEY, month int);
INSERT INTO calendar SELECT i, i / 30 FROM generate_series(-10000, 10000) AS i;
CREATE TABLE place (id int PRIMARY KEY, country int);
INSERT INTO place SELECT i, i / 10 FROM generate_series(0, 49) AS i;
ANALYZE sale, day, calendar, place;

-- Lookups in other tables stay: these have neither partitions nor a BRIN index.
SELECT plans_of('SELECT sale.*, country FROM sale JOIN calendar ON calendar.id = sale.day JOIN place ON place.id = sale.place
	WHERE country = 2 AND month = 10 AND sale.id % 100 = 21');
CREATE INDEX sale_btree ON sale (day);

-- Two months: the planner looks the rows up; a scan that skips reads as much, in order.
SELECT plans_of('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)');
-- In a trial the query has the planner's own plan, and what is counted as with
-- filters is the other one.
SET client_min_messages = warning;
SELECT bloom_stat_reset();
SET bloomfilter.join_filter_trial = 1;
SELECT line FROM plan_of('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)') AS line WHERE line !~ 'Join Filters';
SELECT count(sale.id) FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11);
SET bloomfilter.join_filter_trial = 1e-300;
SELECT line FROM plan_of('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)') AS line;
SELECT count(sale.id) FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11);
SELECT executions_with, executions_without FROM bloom_join_filter_trials;
RESET bloomfilter.join_filter_trial;
RESET client_min_messages;
-- A day: looked up.
SELECT plans_of('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id = 300');
-- Here a scan skips beside such lookups.
CREATE TABLE customer AS SELECT i AS id, i % 100 AS kind FROM generate_series(0, 99999) AS i;
ALTER TABLE customer ADD PRIMARY KEY (id);
ANALYZE customer;
SELECT plans_of('SELECT sale.* FROM sale JOIN calendar ON calendar.id = sale.day JOIN customer ON customer.id = sale.id
	WHERE calendar.id BETWEEN 0 AND 365 AND kind = 3');
-- The number of pages that a query reads, without filters and with them.
CREATE FUNCTION pages_of(query text) RETURNS TABLE (filters text, pages bigint) LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	FOREACH filters IN ARRAY '{off,on}'::text[] LOOP
		PERFORM set_config('bloomfilter.join_filters', filters, true);
		EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
		pages := (plan #>> '{0,Plan,Shared Hit Blocks}')::bigint + (plan #>> '{0,Plan,Shared Read Blocks}')::bigint;
		RETURN NEXT;
	END LOOP;
END
$$;
-- A few rows are wanted of a join that returns more than is expected: no table is read as a whole for them.
CREATE TABLE visit AS SELECT i / 200 AS day, i AS id, abs(hashint4(i)) % 100000 AS customer, repeat('w', 32) AS wide FROM generate_series(0, 99999) AS i;
VACUUM ANALYZE visit;
\set some 'SELECT visit.id, kind FROM visit JOIN calendar ON calendar.id = visit.day JOIN customer ON customer.id = visit.customer WHERE calendar.id BETWEEN 0 AND 99'
SELECT max(pages) < 300 AS few FROM pages_of(:'some' || ' LIMIT 20');
BEGIN;
EXPLAIN (COSTS OFF) DECLARE first_rows CURSOR FOR :some;
ROLLBACK;
-- A day is expected, 152 come: the other table is not read again for each, although the pages of a third can be skipped.
CREATE TABLE dated AS SELECT i AS id, date '2020-01-01' + i AS day FROM generate_series(0, 1460) AS i;
CREATE INDEX ON dated (day);
CREATE TABLE signup AS SELECT date '2015-01-01' + i / 15 AS day FROM generate_series(1, 30000) AS i;
CREATE INDEX ON signup (day);
CREATE INDEX ON signup USING brin (day);
CREATE INDEX ON visit USING brin (day) WITH (pages_per_range = 4);
VACUUM ANALYZE dated, signup;
SELECT max(pages) < 600 AS few FROM pages_of('SELECT count(*) FROM dated JOIN visit ON visit.day = dated.id
	WHERE dated.day < ''2020-06-01'' AND extract(year FROM dated.day) = 2020
	AND NOT EXISTS (SELECT FROM signup WHERE signup.day = dated.day)');
-- One row is expected, some 200 come: a table that is not looked up would be read for each of them.
CREATE TABLE shop AS SELECT i AS id FROM generate_series(1, 2000) AS i;
CREATE INDEX ON shop (id);
CREATE INDEX ON shop USING brin (id);
ANALYZE shop;
SELECT plans_of('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)
	AND place + dow = 5 AND (place + dow) % 50 = 5 AND NOT EXISTS (SELECT FROM shop WHERE shop.id = sale.place + 10000)');
-- Chosen days lie anywhere, in all of a coarse index's ranges: little is skipped.
CREATE TABLE coarse (LIKE sale) WITH (autovacuum_enabled = off);
INSERT INTO coarse SELECT * FROM sale;
CREATE INDEX coarse_brin ON coarse USING brin (day);
CREATE INDEX coarse_btree ON coarse (day);
ANALYZE coarse;
SELECT plans_of('SELECT coarse.* FROM coarse JOIN day ON day.id = coarse.day WHERE dow = 3');
SELECT plans_of('SELECT coarse.* FROM coarse JOIN day ON day.id = coarse.day WHERE month IN (10, 11)');
-- the days may be chosen in an index alone
SELECT plans_of('SELECT coarse.* FROM coarse JOIN calendar ON calendar.id = coarse.day WHERE calendar.id BETWEEN 300 AND 359');
SELECT plans_of('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE dow = 3');
-- Sub-selects in FROM, and the other joins.
SELECT plans_of('SELECT * FROM (SELECT sale.day FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11) OFFSET 0) AS s');
SELECT plans_of('SELECT sale.* FROM sale WHERE day IN (SELECT id FROM day WHERE month IN (10, 11))');
SELECT plans_of('SELECT day.id, sale.id AS sale FROM day LEFT JOIN sale ON day.id = sale.day WHERE month IN (10, 11)');

-- The settings, and what is not asked for all its rows.
\set months 'SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)'
SET bloomfilter.join_replan = off;
SELECT plan_of(:'months');
-- what tells of filters tells of this plan
SELECT join_type, join_key, verdict FROM bloom_join_filters(:'months');
SET bloomfilter.join_replan = on;
-- a scan that reads everything costs more than the lookups
SET bloomfilter.join_skip = off;
SELECT plan_of(:'months');
RESET bloomfilter.join_skip;
SET enable_seqscan = off;
SELECT plan_of(:'months');
RESET enable_seqscan;
-- planning again would take longer than a twentieth of such a query
SET seq_page_cost = 2;
SET random_page_cost = 8;
SET cpu_tuple_cost = 0.02;
SET cpu_index_tuple_cost = 0.01;
SET cpu_operator_cost = 0.005;
SELECT plan_of(:'months');
SET seq_page_cost = 20;
SET random_page_cost = 80;
SET cpu_tuple_cost = 0.2;
SET cpu_index_tuple_cost = 0.1;
SET cpu_operator_cost = 0.05;
SET bloomfilter.join_filters = force;
SELECT plan_of(:'months');
SET bloomfilter.join_filters = on;
SET bloomfilter.join_filter_min_rows = 200000;
SELECT plan_of(:'months');
SET bloomfilter.join_filter_min_rows = 50000;
SELECT plan_of(:'months' || ' LIMIT 9000');
-- A volatile function is called as often as without filters: for what is looked up, or for the result.
CREATE FUNCTION any_place(int) RETURNS boolean VOLATILE COST 1 LANGUAGE plpgsql AS 'BEGIN RETURN $1 IS NOT NULL; END';
SELECT plan_of(:'months' || ' AND any_place(place)');
SELECT plan_of('SELECT any_place(place), (SELECT 1) FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)');
SELECT plan_of('SELECT any_place(place) FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)');
BEGIN;
EXPLAIN (COSTS OFF) DECLARE first_rows CURSOR FOR :months;
COMMIT;
-- with filters off, bloom_join_filters tells of the plan with filters on
SET bloomfilter.join_filters = off;
SELECT join_type, join_key, tested_above, verdict FROM bloom_join_filters(:'months');
SELECT plan_of(:'months');
SET bloomfilter.join_filters = on;

-- What runs again for each row looks its rows up, and the rest of the query does not.
SELECT plans_of('SELECT n, (SELECT count(*) FROM sale JOIN day ON day.id = sale.day WHERE day.id BETWEEN months.month AND months.month + 1)
	FROM (SELECT max(month) AS month, count(*) AS n FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)) AS months');
SELECT plans_of('SELECT n, s.max FROM (SELECT max(month) AS month, count(*) AS n FROM sale JOIN day ON day.id = sale.day
										WHERE month IN (10, 11)) AS months
	CROSS JOIN LATERAL (SELECT max(sale.id) FROM sale JOIN day ON day.id = sale.day WHERE day.id BETWEEN months.month AND months.month + 1) AS s');
-- So does the recursive part of a query.
CREATE TABLE tree AS SELECT i AS id, CASE WHEN i <= 100 THEN i - 1 ELSE -i END AS parent FROM generate_series(1, 20000) AS i;
CREATE INDEX ON tree (parent);
CREATE INDEX ON tree USING brin (parent);
ANALYZE tree;
SELECT plans_of('WITH RECURSIVE up AS (SELECT id FROM tree WHERE id = 1
									   UNION SELECT tree.id FROM up JOIN tree ON tree.parent = up.id)
	SELECT (SELECT count(*) FROM up), sale.* FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)');
-- Of the two plans of EXISTS below OR one is not used.
SELECT count(*) > 0 AS planned FROM plan_of(:'months' ||
	' AND (EXISTS (SELECT FROM place WHERE place.id = sale.place) OR sale.id = 5)');
-- Columns that LATERAL refers to are needed by all ways to read a table.
SELECT plans_of('SELECT count(*) FROM place CROSS JOIN LATERAL
	(SELECT id FROM sale TABLESAMPLE system (place.id / 100.0 + 99) REPEATABLE (1)) AS s WHERE place.id IN (7, 8)');

-- Queries that the planner itself runs are planned as they are.
CREATE FUNCTION nested_plan() RETURNS text IMMUTABLE LANGUAGE plpgsql SET bloomfilter.join_filters = off AS $$
BEGIN
	RETURN (SELECT string_agg(line, E'\n') FROM plan_of('SELECT 1 FROM sale JOIN day ON day.id = sale.day WHERE day.month IN (10, 11)') AS line);
END
$$;
SELECT nested_plan();
SELECT nested_plan(), count(*) FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11);
-- They are planned once if the query is planned again: their number does not double with each level.
CREATE FUNCTION lowest() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE 'lowest';
	RETURN 40;
END
$$;
CREATE FUNCTION middle() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT count(*) FROM plan_of('SELECT sale.* FROM sale JOIN day ON day.id = sale.day
		WHERE month IN (10, 11) AND place < lowest()'));
END
$$;
SELECT plan_of(:'months' || ' AND place < middle() * 10');

-- A hash join finds names by their bytes, an index lookup by the collation: no hash join is planned for it.
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE named (day name COLLATE no_case, id int, wide char(32)) WITH (autovacuum_enabled = off);
INSERT INTO named SELECT (CASE i % 2 WHEN 0 THEN 'd' ELSE 'D' END || to_char(i / 200, 'FM0000'))::name, i, '' FROM generate_series(0, 99999) AS i;
CREATE INDEX ON named USING brin (day) WITH (pages_per_range = 4);
CREATE INDEX ON named (day);
CREATE TABLE name (id name COLLATE no_case PRIMARY KEY, month int);
INSERT INTO name SELECT ('d' || to_char(i, 'FM0000'))::name, i / 30 FROM generate_series(0, 499) AS i;
ANALYZE named, name;
SELECT plans_of('SELECT named.* FROM named JOIN name ON name.id = named.day WHERE month IN (10, 11)');

-- Partitions.
CREATE TABLE part (day int, id int, place int, wide char(32)) PARTITION BY RANGE (day);
SELECT format('CREATE TABLE part_%s PARTITION OF part FOR VALUES FROM (%s) TO (%s) WITH (autovacuum_enabled = off)',
			  i, i * 100, i * 100 + 100) FROM generate_series(0, 4) AS i \gexec
INSERT INTO part SELECT * FROM sale;
CREATE INDEX part_btree ON part (day);
ANALYZE part;
SELECT plans_of('SELECT part.* FROM part JOIN day ON day.id = part.day WHERE day.id BETWEEN 190 AND 209');
-- branches of UNION ALL are tables of their own
SELECT plans_of('SELECT s.* FROM (SELECT day, id FROM sale UNION ALL SELECT day, id FROM part) AS s
	JOIN day ON day.id = s.day WHERE day.id BETWEEN 180 AND 219');

-- A cached plan knows when the index by which it skips is dropped.
SET plan_cache_mode = force_generic_plan;
PREPARE months AS :months;
SELECT plan_of('EXECUTE months');
DROP INDEX sale_brin;
SELECT plan_of('EXECUTE months');
DEALLOCATE months;
RESET plan_cache_mode;

SET client_min_messages = warning;
DROP SCHEMA join_lookups CASCADE;
