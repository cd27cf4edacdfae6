-- What tests of the rules of join filters share.
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET enable_memoize = off;
SET bloomfilter.join_filter_min_rows = 0;

-- What is told of a query's joins where filters are put in whatever they cost: where rows are tested, and the rule alone.
CREATE FUNCTION why(rule text, query text, OUT tested_above text, OUT why text)
RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL bloomfilter.join_filters = force;
	RETURN QUERY SELECT f.tested_above,
		CASE WHEN f.verdict = 'filter' THEN substring(f.reason FROM 'Rows are not tested below.*')
			 ELSE concat_ws(' ', f.join_type || ':', f.reason) END
	  FROM bloom_join_filters(query) AS f;
END $$;
-- What comes of a query without and with filters, above which nodes rows are
-- tested, and what is told of its joins.
CREATE FUNCTION tested(plan jsonb) RETURNS SETOF text LANGUAGE sql AS $$
	WITH RECURSIVE node (node) AS (
		SELECT plan
		UNION ALL
		SELECT child FROM node, jsonb_array_elements(node -> 'Plans') AS child
	)
	SELECT concat_ws(' ', child ->> 'Node Type', child ->> 'Join Type', child ->> 'Alias')
	  FROM node, jsonb_array_elements(node -> 'Plans') AS child
	 WHERE node ->> 'Custom Plan Provider' = 'bloomfilter probe'
$$;
CREATE FUNCTION try(rule text, query text, OUT rows bigint, OUT missing bigint, OUT added bigint, OUT tested_above text, OUT why text)
LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	SET LOCAL bloomfilter.join_filters = off;
	EXECUTE 'CREATE TEMP TABLE plain ON COMMIT DROP AS ' || query;
	SET LOCAL bloomfilter.join_filters = force;
	EXECUTE 'CREATE TEMP TABLE filtered ON COMMIT DROP AS ' || query;
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	SELECT count(*) FROM plain INTO rows;
	SELECT count(*) FROM (SELECT p::text FROM plain p EXCEPT ALL SELECT f::text FROM filtered f) AS m INTO missing;
	SELECT count(*) FROM (SELECT f::text FROM filtered f EXCEPT ALL SELECT p::text FROM plain p) AS m INTO added;
	SELECT string_agg(t, ', ' ORDER BY t) FROM tested(plan -> 0 -> 'Plan') AS t INTO tested_above;
	SELECT string_agg(concat_ws(': ', w.tested_above, w.why), E'\n') FROM why(rule, query) AS w INTO why;
	DROP TABLE plain, filtered;
END $$;

CREATE TABLE big (id int PRIMARY KEY, k int, g int, t text, x int);
INSERT INTO big SELECT i, i % 1000, i % 50, 't' || i % 1000, i % 7 FROM generate_series(1, 5000) AS i;
INSERT INTO big SELECT i, NULL, NULL, NULL, NULL FROM generate_series(5001, 5100) AS i;
CREATE TABLE twin AS SELECT id FROM big;
CREATE TABLE small (k int, t text, x int);
INSERT INTO small SELECT i * 10, 't' || i * 10, i % 7 FROM generate_series(1, 20) AS i;
INSERT INTO small VALUES (NULL, NULL, NULL), (-1, 'none', -1);
CREATE TABLE other (k int, y int);
INSERT INTO other SELECT i % 700, i FROM generate_series(1, 2000) AS i;
CREATE TABLE few (g int);
INSERT INTO few VALUES (3), (4), (NULL);
ANALYZE big, twin, small, other, few;
