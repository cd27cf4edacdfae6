-- Join filters: what is not read because no hashed key can lie there.
CREATE SCHEMA join_skip;
SET search_path = join_skip, public;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/join_skip.sql'
\i :helpers

-- What of a query is skipped, and whether its result is that without filters.
CREATE FUNCTION skipped(query text, OUT pages numeric, OUT partitions numeric, OUT result text)
LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, FORMAT JSON) ' || query INTO plan;
	pages := total((plan->0->'Plan')::jsonb, 'Pages Skipped');
	partitions := total((plan->0->'Plan')::jsonb, 'Partitions Skipped');
	result := result_of(query);
END
$$;

-- What is said of filters by which rows are no longer tested, and whether pages are skipped.
CREATE FUNCTION switched_off(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
		IF line ~ '(Switched Off|Pages Skipped|Skip By)' THEN
			RETURN NEXT ltrim(line);
		END IF;
	END LOOP;
END
$$;

-- 500 days of 200 rows each, in order: 100,000 rows on 935 pages.
CREATE TABLE sale (day int, id int, place int, wide char(32)) WITH (autovacuum_enabled = off);
INSERT INTO sale SELECT i / 200, i, i % 50, '' FROM generate_series(0, 99999) AS i;
CREATE INDEX sale_day ON sale USING brin (day) WITH (pages_per_range = 4);
CREATE TABLE day (id int, month int, day8 bigint, day2 smallint, txt text);
INSERT INTO day SELECT i, i / 30, i, i, lpad(i::text, 4, '0') FROM generate_series(0, 499) AS i;
CREATE TABLE place (id int, country int);
INSERT INTO place SELECT i, i / 10 FROM generate_series(0, 49) AS i;
ANALYZE sale, day, place;
SELECT relpages FROM pg_class WHERE oid = 'sale'::regclass;

-- a month
SELECT plan_of('SELECT 1 FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
-- every row that is read has a match: no more rows are tested, but pages are skipped
PREPARE months AS SELECT 1 FROM sale JOIN day ON day.id = sale.day WHERE month < 6;
SELECT switched_off('EXECUTE months');
SET bloomfilter.join_skip = off;
SELECT switched_off('EXECUTE months');
RESET bloomfilter.join_skip;
DEALLOCATE months;
-- days here and there; those that are near each other are read together
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id IN (0, 250, 499)');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id % 100 < 2');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id % 8 = 0');
-- nothing is hashed; NULL is no key
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 99');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN (SELECT nullif(id, id) AS id FROM day) AS day ON day.id = sale.day');
-- every day is there
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE place < 3');
-- the scan's own condition and output
SELECT * FROM skipped('SELECT sale.id * 2 AS x FROM sale JOIN day ON day.id = sale.day WHERE month = 3 AND sale.place = 7');
-- few rows fulfil the scan's own condition, but many are skipped
SET bloomfilter.join_filter_min_rows = 10000;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 3 AND sale.id % 100 = 7');
SET bloomfilter.join_filter_min_rows = 100000000;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 3 AND sale.id % 100 = 7');
SET bloomfilter.join_filter_min_rows = 0;
-- all joins that drop rows
SELECT * FROM skipped('SELECT sale.* FROM sale WHERE sale.day IN (SELECT id FROM day WHERE month = 10)');
SELECT * FROM skipped('SELECT day.id, sale.id AS s FROM sale RIGHT JOIN day ON day.id = sale.day WHERE day.month = 10');
SELECT * FROM skipped('SELECT day.id, sale.id AS s FROM sale LEFT JOIN day ON day.id = sale.day AND day.month = 10');
SELECT * FROM skipped('SELECT sale.* FROM sale WHERE NOT EXISTS (SELECT FROM day WHERE day.id = sale.day AND month = 10)');

-- Filters of other joins, which hash first, too: of the days, and of the places.
EXPLAIN (COSTS OFF)
SELECT 1 FROM sale JOIN day ON day.id = sale.day JOIN place ON place.id = sale.place
WHERE month = 10 AND country = 2;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day JOIN place ON place.id = sale.place WHERE month = 10 AND country = 2');
-- two indexes: only what both leave is read
CREATE INDEX sale_id ON sale USING brin (id) WITH (pages_per_range = 2);
CREATE TABLE wanted AS SELECT i AS id FROM generate_series(65000, 69000) AS i;
ANALYZE wanted;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day JOIN wanted ON wanted.id = sale.id WHERE month = 10');
DROP INDEX sale_id;

-- The setting, which is asked again when a plan that was kept is run.
PREPARE kept AS SELECT count(*) FROM sale JOIN day ON day.id = sale.day WHERE month = 10;
CREATE FUNCTION kept_pages() RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE kept' INTO plan;
	RETURN total((plan->0->'Plan')::jsonb, 'Pages Skipped');
END
$$;
SET plan_cache_mode = force_generic_plan;
SELECT kept_pages();
SET bloomfilter.join_skip = off;
SELECT kept_pages();
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
RESET bloomfilter.join_skip;
SELECT kept_pages();
-- a query that is open does not keep its session from dropping the index
BEGIN;
DECLARE months CURSOR FOR SELECT sale.day FROM sale JOIN day ON day.id = sale.day WHERE month = 10;
FETCH months;
DROP INDEX sale_day;
FETCH months;
ROLLBACK;
-- an index that is gone
DROP INDEX sale_day;
SELECT kept_pages();
EXECUTE kept;
CREATE INDEX sale_day ON sale USING brin (day) WITH (pages_per_range = 4);
SELECT kept_pages();
EXECUTE kept;

-- What changed since the index was made.
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id * 2 = 6');
BEGIN;
-- a row in a range that was skipped, and rows in ranges that have no summary
UPDATE sale SET day = 3 WHERE id IN (50000, 99999);
INSERT INTO sale SELECT 3, i, 0, '' FROM generate_series(1, 2000) AS i;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id * 2 = 6');
SELECT brin_desummarize_range('sale_day', 400);
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id * 2 = 6');
-- ranges of nothing but NULL have no match
UPDATE sale SET day = NULL WHERE day BETWEEN 100 AND 150;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE day.id BETWEEN 120 AND 130');
ROLLBACK;
-- without the pages that the transaction left
TRUNCATE sale;
INSERT INTO sale SELECT i / 200, i, i % 50, '' FROM generate_series(0, 99999) AS i;

-- ranges of nothing but NULL, since the index was made
CREATE TABLE partly AS SELECT CASE WHEN i >= 50000 THEN i / 200 END AS day, i AS id, repeat('x', 30) AS wide FROM generate_series(0, 99999) AS i;
CREATE INDEX partly_day ON partly USING brin (day) WITH (pages_per_range = 4);
ANALYZE partly;
SELECT pages > 500 AS most, result FROM skipped('SELECT partly.* FROM partly JOIN day ON day.id = partly.day WHERE month IN (9, 16)');

-- Other indexes tell nothing, or not of all rows.
DROP INDEX sale_day;
CREATE INDEX sale_multi ON sale USING brin (day int4_minmax_multi_ops) WITH (pages_per_range = 4);
CREATE INDEX sale_bloom ON sale USING brin (day int4_bloom_ops) WITH (pages_per_range = 4);
CREATE INDEX sale_part ON sale USING brin (day) WITH (pages_per_range = 4) WHERE place > 0;
CREATE INDEX sale_expr ON sale USING brin ((day + 0)) WITH (pages_per_range = 4);
CREATE INDEX sale_btree ON sale (day);
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
DROP INDEX sale_multi, sale_bloom, sale_part, sale_expr, sale_btree;
-- the second column of an index
CREATE INDEX sale_two ON sale USING brin (place, day) WITH (pages_per_range = 4);
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
DROP INDEX sale_two;
CREATE INDEX sale_day ON sale USING brin (day) WITH (pages_per_range = 4);

-- Keys of other types of the same family, and what is not in the index's order.
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.day8 = sale.day WHERE month = 10');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.day2 = sale.day WHERE month = 10');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.day8 * 4294967296 = sale.day WHERE month < 2');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN (SELECT oid FROM generate_series(1, 9) AS oid) AS o ON o.oid = sale.day::bigint');
CREATE TABLE typed (n numeric, t text, c text COLLATE "C", ts timestamp, d date, f float8, u uuid, o oid, b char(8))
	WITH (autovacuum_enabled = off);
INSERT INTO typed SELECT i, lpad(i::text, 4, '0'), lpad(i::text, 4, '0'), timestamp '2024-01-01' + i * interval '1 day',
	date '2024-01-01' + i, CASE WHEN i = 0 THEN '-0' ELSE i END, lpad(i::text, 32, '0')::uuid, i, lpad(i::text, 4, '0')
FROM (SELECT i / 20 AS i FROM generate_series(0, 9999) AS i) AS i;
CREATE INDEX ON typed USING brin (n, t, c, ts, d, f, u, o, b) WITH (pages_per_range = 2);
ANALYZE typed;
SELECT column_, s.* FROM (VALUES ('n', 'i::numeric'), ('t', 'lpad(i::text, 4, ''0'')'), ('c', 'lpad(i::text, 4, ''0'')'),
	('ts', 'timestamp ''2024-01-01'' + i * interval ''1 day'''), ('d', 'date ''2024-01-01'' + i'),
	('f', 'i::float8'), ('f', 'i::float4'), ('u', 'lpad(i::text, 32, ''0'')::uuid'), ('o', 'i::oid'), ('b', 'lpad(i::text, 4, ''0'')::bpchar'))
	AS v (column_, key),
LATERAL skipped(format('SELECT typed.n FROM typed JOIN (SELECT %s AS key FROM generate_series(100, 104) AS i UNION ALL SELECT %s FROM generate_series(0, 0) AS i) AS k ON typed.%s = key', key, key, column_)) AS s;
-- by another collation nothing is known of the order
SELECT * FROM skipped('SELECT typed.n FROM typed JOIN (SELECT lpad(i::text, 4, ''0'') COLLATE "POSIX" AS key FROM generate_series(100, 104) AS i) AS k ON typed.t COLLATE "POSIX" = key');

-- Many keys: up to 4,096 are kept one by one, of more a bit stands for several.
CREATE INDEX sale_id ON sale USING brin (id) WITH (pages_per_range = 4);
CREATE FUNCTION of_keys(query text, OUT pages numeric, OUT result text) LANGUAGE plpgsql AS $$
BEGIN
	DROP TABLE IF EXISTS key;
	EXECUTE 'CREATE TABLE key AS ' || query;
	ANALYZE key;
	SELECT s.pages, s.result INTO pages, result
	FROM skipped('SELECT sale.* FROM sale JOIN key ON key.id = sale.id') AS s;
END
$$;
SET client_min_messages = warning;
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 54095) AS i');
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 54096) AS i');
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 79999) AS i');
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(0, 99999, 1000) AS i');
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(0, 99999, 1000) AS f, LATERAL generate_series(f, f + 99) AS i');
-- keys that are far away do no harm, wherever they come; nor do some dozens of them
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 53000) AS i UNION ALL VALUES (2147483647)');
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 59999) AS i UNION ALL VALUES (2147483647)');
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 59999) AS i UNION ALL VALUES (-2147483648), (2147483647)');
SELECT * FROM of_keys('SELECT i::bigint AS id FROM generate_series(50000, 53000) AS i UNION ALL VALUES (-9223372036854775808), (9223372036854775807)');
SELECT * FROM of_keys('SELECT i::bigint AS id FROM generate_series(50000, 59999) AS i UNION ALL VALUES (-9223372036854775808), (9223372036854775807)');
SELECT * FROM of_keys('SELECT i AS id FROM (VALUES (-2147483648), (2147483647)) AS v (i) UNION ALL SELECT i FROM generate_series(50000, 59999) AS i');
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 59999) AS i UNION ALL SELECT (i - 60) * 20000000 FROM generate_series(1, 120) AS i WHERE i <> 60');
SELECT * FROM of_keys('SELECT i::bigint AS id FROM generate_series(1, 60) AS f, LATERAL (SELECT f * 1000000000000 UNION ALL SELECT 50000 + (f - 1) * 167 + n FROM generate_series(0, 166) AS n) AS v (i)');
-- hundreds make bits coarse, but those that are farthest are apart
SELECT * FROM of_keys('SELECT i AS id FROM generate_series(50000, 59999) AS i UNION ALL SELECT i * 2000000 FROM generate_series(1, 1000) AS i');
SELECT * FROM of_keys('SELECT i::bigint AS id FROM generate_series(50000, 59999) AS i UNION ALL SELECT i * 1000000 FROM generate_series(1, 300) AS i UNION ALL SELECT (1000000 + i) * 1000000000::bigint FROM generate_series(1, 100) AS i');
-- in any order
SELECT * FROM of_keys('SELECT 50000 + i * 7919 % 10000 AS id FROM generate_series(0, 9999) AS i');
SELECT * FROM of_keys('SELECT 59999 - i AS id FROM generate_series(0, 9999) AS i');
-- too many for the filter, whose keys are known nevertheless
CREATE TABLE many AS SELECT i AS id FROM generate_series(30000, 31000) AS i;
ANALYZE many;
INSERT INTO many SELECT i FROM generate_series(31001, 59999) AS i;
UPDATE pg_class SET reltuples = 1000, relpages = 133 WHERE oid = 'many'::regclass;
SET bloomfilter.join_filter_memory = '64kB';
SELECT plan_of('SELECT 1 FROM sale JOIN many ON many.id = sale.id');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN many ON many.id = sale.id');
RESET bloomfilter.join_filter_memory;
-- keys that are compared by call: after 8,192 rows with too many different ones nothing is known
CREATE TABLE number (n) AS SELECT i::numeric FROM generate_series(100, 120) AS i;
ANALYZE number;
SELECT * FROM skipped('SELECT typed.n FROM typed JOIN number ON number.n = typed.n');
UPDATE pg_class SET reltuples = 21, relpages = 1 WHERE oid = 'number'::regclass;
INSERT INTO number SELECT i FROM generate_series(121, 4190) AS i;
SELECT * FROM skipped('SELECT typed.n FROM typed JOIN number ON number.n = typed.n WHERE number.n < 400');
INSERT INTO number SELECT i FROM generate_series(4191, 66000) AS i;
UPDATE pg_class SET reltuples = 21, relpages = 300 WHERE oid = 'number'::regclass;
SELECT * FROM skipped('SELECT typed.n FROM typed JOIN number ON number.n = typed.n');
-- after 4,096 their hashes are not known
CREATE TABLE half (n numeric) PARTITION BY HASH (n);
CREATE TABLE half_0 PARTITION OF half FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE half_1 PARTITION OF half FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO half SELECT i FROM generate_series(1, 20000) AS i;
CREATE TABLE known AS SELECT n FROM half_0 ORDER BY n LIMIT 4096;
ANALYZE half, known;
SELECT * FROM skipped('SELECT half.n FROM half JOIN known ON known.n = half.n');
INSERT INTO known SELECT max(n) FROM half_0;
SELECT * FROM skipped('SELECT half.n FROM half JOIN known ON known.n = half.n');
DROP INDEX sale_id;

-- Nothing is skipped where rows would be missed.
CREATE FUNCTION noisy(int) RETURNS bool LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN true; END $$;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10 AND noisy(sale.id)');
SELECT * FROM skipped('SELECT s.* FROM (SELECT *, random() < 2 AS r FROM sale) AS s JOIN day ON day.id = s.day WHERE month = 10');
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10 AND sale.place = (SELECT min(p.id) FROM place AS p WHERE p.id >= sale.place)');
-- below groups, other rows of a group might pass
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM sale GROUP BY day) AS s JOIN day ON day.id = s.day WHERE month = 10');
-- what a join reads first, if it is volatile, is left to it: the calls are counted
CREATE SEQUENCE calls;
CREATE FUNCTION counted(int) RETURNS bool LANGUAGE plpgsql VOLATILE COST 1 AS $$ BEGIN PERFORM nextval('join_skip.calls'); RETURN true; END $$;
SET bloomfilter.join_filters = off;
SELECT count(*) FROM (SELECT id AS day FROM place WHERE counted(id) UNION ALL SELECT day FROM sale) AS s JOIN day ON day.id = s.day WHERE month = 99;
SELECT is_called, setval('calls', 1, false) FROM calls;
SET bloomfilter.join_filters = on;
EXPLAIN (COSTS OFF)
SELECT count(*) FROM (SELECT id AS day FROM place WHERE counted(id) UNION ALL SELECT day FROM sale) AS s JOIN day ON day.id = s.day WHERE month = 99;
SELECT count(*) FROM (SELECT id AS day FROM place WHERE counted(id) UNION ALL SELECT day FROM sale) AS s JOIN day ON day.id = s.day WHERE month = 99;
SELECT is_called FROM calls;
-- rows that a policy hides: only what is leakproof may tell of them
CREATE TABLE secret (n numeric, day int, owner text);
INSERT INTO secret SELECT i / 20, i / 20, 'regress_skip_reader' FROM generate_series(0, 99999) AS i;
CREATE INDEX ON secret USING brin (n, day) WITH (pages_per_range = 2);
ANALYZE secret;
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secret USING (owner = current_user);
CREATE ROLE regress_skip_reader;
GRANT USAGE ON SCHEMA join_skip TO regress_skip_reader;
GRANT SELECT ON secret, number, day TO regress_skip_reader;
SET ROLE regress_skip_reader;
SELECT * FROM skipped('SELECT secret.n FROM secret JOIN day ON day.id = secret.day WHERE month = 10');
SELECT * FROM skipped('SELECT secret.n FROM secret JOIN number ON number.n = secret.n WHERE number.n < 110');
-- the same for everybody: a plan is not made anew for another role
RESET ROLE;
SELECT * FROM skipped('SELECT secret.n FROM secret JOIN number ON number.n = secret.n WHERE number.n < 110');

-- Again and again: by the keys of each time.
SELECT * FROM skipped('SELECT p.id, l.* FROM place AS p CROSS JOIN LATERAL (SELECT count(*) AS n, sum(sale.id) AS s FROM sale JOIN day ON day.id = sale.day WHERE month = 3 AND sale.place = p.id) AS l WHERE p.id < 3');
SELECT * FROM skipped('SELECT p.id, l.* FROM place AS p CROSS JOIN LATERAL (SELECT count(*) AS n, sum(sale.id) AS s FROM sale JOIN day ON day.id = sale.day WHERE month = p.id) AS l WHERE p.id < 3');
-- only a few rows are wanted
SELECT * FROM skipped('(SELECT sale.id FROM sale JOIN day ON day.id = sale.day WHERE month = 10 ORDER BY 1 LIMIT 5)');

-- Partitions of a range: a month each, and what else there is.
CREATE TABLE ranged (day int, id int) PARTITION BY RANGE (day);
SELECT format('CREATE TABLE ranged_%s PARTITION OF ranged FOR VALUES FROM (%s) TO (%s)', m, m * 100, m * 100 + 100)
FROM generate_series(0, 3) AS m \gexec
CREATE TABLE ranged_rest PARTITION OF ranged DEFAULT;
INSERT INTO ranged SELECT nullif(day, 499), id FROM sale WHERE id % 10 = 0;
ANALYZE ranged;
SELECT plan_of('SELECT 1 FROM ranged JOIN day ON day.id = ranged.day WHERE month = 10');
SELECT * FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.id = ranged.day WHERE month = 4');
SELECT * FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.id = ranged.day WHERE day.id IN (100, 399)');
SELECT * FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.id = ranged.day WHERE day.id IN (99, 400)');
SELECT * FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.day8 = ranged.day WHERE month = 15');
SELECT * FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.id = ranged.day WHERE month = 99');
-- not a partition that is named alone: the tables above it are not locked
SELECT * FROM skipped('SELECT ranged_3.* FROM ranged_3 JOIN day ON day.id = ranged_3.day WHERE month = 4');
-- read by an index
CREATE INDEX ON ranged (id);
SET enable_indexscan = on;
SET enable_seqscan = off;
SELECT * FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.id = ranged.day WHERE month = 4 AND ranged.id < 90000');
SET enable_indexscan = off;
SET enable_bitmapscan = on;
SELECT * FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.id = ranged.day WHERE month = 4 AND ranged.id < 90000');
RESET enable_seqscan;
SET enable_bitmapscan = off;

-- Partitions of times, with those before and after all others, by more keys than are kept one by one.
CREATE TABLE span (at timestamp, n int) PARTITION BY RANGE (at);
CREATE TABLE span_0 PARTITION OF span FOR VALUES FROM (MINVALUE) TO ('2024-01-01');
SELECT format('CREATE TABLE span_%s PARTITION OF span FOR VALUES FROM (%L) TO (%L)', m, make_date(2024, m, 1), make_date(2024 + m / 12, m % 12 + 1, 1))
FROM generate_series(1, 12) AS m \gexec
CREATE TABLE span_13 PARTITION OF span FOR VALUES FROM ('2025-01-01') TO ('infinity');
CREATE TABLE span_14 PARTITION OF span FOR VALUES FROM ('infinity') TO (MAXVALUE);
INSERT INTO span SELECT timestamp '2024-01-01' + i * interval '1 hour', i FROM generate_series(0, 8783) AS i;
INSERT INTO span VALUES ('infinity', 1), ('-infinity', 2), ('2999-01-01', 3);
CREATE TABLE minute AS SELECT timestamp '2024-05-03' + i * interval '1 minute' AS at FROM generate_series(1, 5000) AS i;
ANALYZE span, minute;
SELECT * FROM skipped('SELECT span.* FROM span JOIN minute USING (at)');
INSERT INTO minute VALUES ('infinity');
SELECT * FROM skipped('SELECT span.* FROM span JOIN minute USING (at)');
INSERT INTO minute VALUES ('-infinity');
SELECT * FROM skipped('SELECT span.* FROM span JOIN minute USING (at)');

-- Of a list, with NULL; of texts.
CREATE TABLE listed (kind text, id int) PARTITION BY LIST (kind);
CREATE TABLE listed_ab PARTITION OF listed FOR VALUES IN ('a', 'b');
CREATE TABLE listed_c PARTITION OF listed FOR VALUES IN ('c', NULL);
CREATE TABLE listed_d PARTITION OF listed FOR VALUES IN ('d');
CREATE TABLE listed_rest PARTITION OF listed DEFAULT;
INSERT INTO listed SELECT (ARRAY['a', 'b', 'c', 'd', 'e', NULL])[i % 6 + 1], i FROM generate_series(1, 6000) AS i;
CREATE TABLE kind (name text, v varchar, c char(3));
INSERT INTO kind VALUES ('a', 'a', 'a'), ('c', 'c', 'c'), ('x', 'x', 'x');
ANALYZE listed, kind;
SELECT * FROM skipped('SELECT listed.* FROM listed JOIN kind ON kind.name = listed.kind WHERE lower(name) = ''c''');
SELECT * FROM skipped('SELECT listed.* FROM listed JOIN kind ON kind.name = listed.kind WHERE lower(name) <> ''c''');
SELECT * FROM skipped('SELECT listed.* FROM listed JOIN kind ON kind.v = listed.kind WHERE lower(name) = ''a''');
SELECT * FROM skipped('SELECT listed.* FROM listed JOIN kind ON kind.c = listed.kind WHERE lower(name) = ''a''');
SELECT * FROM skipped('SELECT listed.* FROM listed JOIN kind ON kind.name = listed.kind WHERE lower(name) = ''x''');

-- Of a hash: the keys are hashed as rows are.
CREATE TABLE hashed (id bigint, v int) PARTITION BY HASH (id);
SELECT format('CREATE TABLE hashed_%s PARTITION OF hashed FOR VALUES WITH (MODULUS 8, REMAINDER %s)', r, r)
FROM generate_series(0, 7) AS r \gexec
INSERT INTO hashed SELECT i, i FROM generate_series(1, 8000) AS i;
ANALYZE hashed;
SELECT * FROM skipped('SELECT hashed.* FROM hashed JOIN day ON day.day8 = hashed.id WHERE day.id IN (7, 8)');
SELECT * FROM skipped('SELECT hashed.* FROM hashed JOIN day ON day.id = hashed.id WHERE day.id IN (7, 8)');
-- not so those of an interval of several
CREATE TABLE thousands AS SELECT i AS id FROM generate_series(1, 5000) AS i;
ANALYZE thousands;
SELECT * FROM skipped('SELECT hashed.* FROM hashed JOIN thousands ON thousands.id = hashed.id');
SET bloomfilter.join_filters = force;
SELECT count(*) FROM hashed JOIN thousands ON thousands.id = hashed.id;
SET bloomfilter.join_filters = on;

-- On two levels, by the bounds of both, and by an index as well.
CREATE TABLE deep (day int, kind text, id int) PARTITION BY RANGE (day);
CREATE TABLE deep_0 PARTITION OF deep FOR VALUES FROM (MINVALUE) TO (250) PARTITION BY LIST (kind);
CREATE TABLE deep_0_a PARTITION OF deep_0 FOR VALUES IN ('a');
CREATE TABLE deep_0_b PARTITION OF deep_0 FOR VALUES IN ('b');
CREATE TABLE deep_1 PARTITION OF deep FOR VALUES FROM (250) TO (MAXVALUE) PARTITION BY RANGE (day);
CREATE TABLE deep_1_0 PARTITION OF deep_1 FOR VALUES FROM (250) TO (300);
CREATE TABLE deep_1_1 PARTITION OF deep_1 FOR VALUES FROM (300) TO (1000);
INSERT INTO deep SELECT day, chr(97 + id % 2), id FROM sale;
CREATE INDEX deep_day ON deep USING brin (day) WITH (pages_per_range = 4);
ANALYZE deep;
SELECT * FROM skipped('SELECT deep.* FROM deep JOIN day ON day.id = deep.day WHERE month = 4');
SELECT * FROM skipped('SELECT deep.* FROM deep JOIN day ON day.id = deep.day JOIN kind ON kind.name = deep.kind WHERE month = 4');
SELECT * FROM skipped('SELECT deep.* FROM deep JOIN day ON day.id = deep.day WHERE month = 12');
-- a bound that no longer holds, although the table's own are as they were
PREPARE kept_deep AS SELECT count(*) FROM deep_1_1 JOIN day ON day.id = deep_1_1.day WHERE day.id BETWEEN 0 AND 10;
EXECUTE kept_deep;
ALTER TABLE deep_1 DETACH PARTITION deep_1_1;
INSERT INTO deep_1_1 SELECT 5, 'a', 0;
EXECUTE kept_deep;
PREPARE kept_leaf AS SELECT count(*) FROM deep_0_a JOIN day ON day.id = deep_0_a.day WHERE day.id BETWEEN 480 AND 490;
EXECUTE kept_leaf;
ALTER TABLE deep DETACH PARTITION deep_0;
INSERT INTO deep_0 SELECT 485, 'a', 0;
EXECUTE kept_leaf;

-- Key columns of several: each by itself.
CREATE TABLE pair (a int, b int) PARTITION BY RANGE (a, b);
CREATE TABLE pair_0 PARTITION OF pair FOR VALUES FROM (0, 0) TO (10, 10);
CREATE TABLE pair_1 PARTITION OF pair FOR VALUES FROM (10, 10) TO (20, 0);
CREATE TABLE pair_2 PARTITION OF pair FOR VALUES FROM (20, 0) TO (30, 0);
INSERT INTO pair SELECT i % 30, i % 17 FROM generate_series(0, 5099) AS i;
ANALYZE pair;
SELECT * FROM skipped('SELECT pair.* FROM pair JOIN day ON day.id = pair.a WHERE day.id * 1 = 10');
SELECT * FROM skipped('SELECT pair.* FROM pair JOIN day ON day.id = pair.a WHERE day.id IN (11, 12)');
SELECT * FROM skipped('SELECT pair.* FROM pair JOIN day ON day.id = pair.a AND day.day8 = pair.b WHERE day.id IN (5, 6)');

-- By several processes: each page is read or skipped by one of them.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
-- of the keys of workers alone
SET parallel_leader_participation = off;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
RESET parallel_leader_participation;
SET enable_parallel_hash = off;
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month = 10');
RESET enable_parallel_hash;
SET bloomfilter.join_filter_memory = '64kB';
CREATE INDEX sale_id ON sale USING brin (id) WITH (pages_per_range = 4);
SELECT * FROM skipped('SELECT sale.* FROM sale JOIN many ON many.id = sale.id WHERE many.id < 40000');
RESET bloomfilter.join_filter_memory;
-- two processes that come to a partition at the same time both count it
SELECT pages, partitions >= 2 AS skipped, result FROM skipped('SELECT listed.* FROM listed JOIN kind ON kind.name = listed.kind WHERE lower(name) = ''c''');
SELECT pages, partitions >= 3 AS skipped, result FROM skipped('SELECT ranged.* FROM ranged JOIN day ON day.id = ranged.day WHERE month = 4');
SELECT pages, partitions >= 12 AS skipped, result FROM skipped('SELECT span.* FROM span JOIN minute USING (at)');
-- too many for a slot, with the ends of their order
CREATE TABLE measured (n numeric) PARTITION BY RANGE (n);
SELECT format('CREATE TABLE measured_%s PARTITION OF measured FOR VALUES FROM (%s) TO (%s)', m, m * 2000, m * 2000 + 2000)
FROM generate_series(0, 4) AS m \gexec
CREATE TABLE measured_rest PARTITION OF measured DEFAULT;
INSERT INTO measured SELECT i FROM generate_series(0, 9999) AS i;
INSERT INTO measured VALUES ('NaN'), ('Infinity'), ('-Infinity');
CREATE TABLE value WITH (parallel_workers = 2) AS SELECT i::numeric AS n FROM generate_series(2000, 3999) AS i;
INSERT INTO value VALUES ('NaN'), ('Infinity'), ('-Infinity');
ANALYZE measured, value;
SELECT pages, partitions >= 4 AS skipped, result FROM skipped('SELECT measured.* FROM measured JOIN value USING (n)');
DROP SCHEMA join_skip CASCADE;
DROP ROLE regress_skip_reader;
