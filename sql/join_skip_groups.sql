-- Join filters: partitions that are not read below GROUP BY and windows, because all
-- rows of their groups lie in them.
CREATE SCHEMA join_skip_groups;
SET search_path = join_skip_groups, public;

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

CREATE TABLE day (id int, month int, day8 bigint);
INSERT INTO day SELECT i, i / 30, i FROM generate_series(0, 359) AS i;

-- Partitions of days; and these of shops.
CREATE TABLE sale (day int, shop int, n int) PARTITION BY RANGE (day);
SELECT format('CREATE TABLE sale_%s PARTITION OF sale FOR VALUES FROM (%s) TO (%s)', m, m * 30, m * 30 + 30)
FROM generate_series(0, 10) AS m \gexec
CREATE TABLE sale_11 PARTITION OF sale FOR VALUES FROM (330) TO (360) PARTITION BY LIST (shop);
CREATE TABLE sale_11_a PARTITION OF sale_11 FOR VALUES IN (0, 1);
CREATE TABLE sale_11_b PARTITION OF sale_11 FOR VALUES IN (2, 3);
CREATE TABLE sale_rest PARTITION OF sale DEFAULT;
INSERT INTO sale SELECT i % 360, i % 4, i FROM generate_series(0, 35999) AS i;
INSERT INTO sale VALUES (NULL, 1, 1), (400, 2, 2);
-- the other way round: a day is in partitions of several shops
CREATE TABLE shop_sale (day int, shop int, n int) PARTITION BY LIST (shop);
SELECT format('CREATE TABLE shop_%1$s PARTITION OF shop_sale FOR VALUES IN (%1$s) PARTITION BY RANGE (day)', s)
FROM generate_series(0, 3) AS s \gexec
SELECT format('CREATE TABLE shop_%s_%s PARTITION OF shop_%1$s FOR VALUES FROM (%3$s) TO (%4$s)', s, m, m * 90 + s, m * 90 + 90 + s)
FROM generate_series(0, 3) AS s, generate_series(0, 4) AS m WHERE m < 4 OR s > 0 \gexec
SELECT format('CREATE TABLE shop_%s_first PARTITION OF shop_%1$s FOR VALUES FROM (MINVALUE) TO (%1$s)', s) FROM generate_series(1, 3) AS s \gexec
INSERT INTO shop_sale SELECT day, shop, n FROM sale WHERE day < 360;
-- of hashes, and of lists
CREATE TABLE hashed (day int, n int) PARTITION BY HASH (day);
SELECT format('CREATE TABLE hashed_%1$s PARTITION OF hashed FOR VALUES WITH (MODULUS 4, REMAINDER %1$s)', r) FROM generate_series(0, 3) AS r \gexec
INSERT INTO hashed SELECT day, n FROM sale WHERE day < 360;
CREATE TABLE listed (day int, n int) PARTITION BY LIST (day);
CREATE TABLE listed_a PARTITION OF listed FOR VALUES IN (1, 3, 5);
CREATE TABLE listed_b PARTITION OF listed FOR VALUES IN (2, 4, 6);
CREATE TABLE listed_c PARTITION OF listed FOR VALUES IN (7, 8, NULL);
INSERT INTO listed SELECT 1 + i % 8, i FROM generate_series(0, 799) AS i;
-- of two columns
CREATE TABLE paired (day int, shop int, n int) PARTITION BY RANGE (day, shop);
CREATE TABLE paired_a PARTITION OF paired FOR VALUES FROM (0, 0) TO (15, 2);
CREATE TABLE paired_b PARTITION OF paired FOR VALUES FROM (15, 2) TO (360, 0);
INSERT INTO paired SELECT day, shop, n FROM sale WHERE day < 360;
ANALYZE day, sale, shop_sale, hashed, listed, paired;

-- A month: the others, one of them in two parts, are not read; the rest is.
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*), sum(n) FROM sale GROUP BY day) AS s JOIN day ON day.id = s.day WHERE month = 3');
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, shop, count(*) FROM sale GROUP BY day, shop) AS s JOIN day ON day.day8 = s.day WHERE month = 11');
SELECT * FROM skipped('SELECT s.* FROM (SELECT DISTINCT day, shop FROM sale) AS s JOIN day ON day.id = s.day WHERE month IN (3, 4)');
SELECT * FROM skipped('SELECT s.* FROM (SELECT *, count(*) OVER (PARTITION BY day) AS c FROM sale) AS s JOIN day ON day.id = s.day WHERE month = 3');
SELECT * FROM skipped('SELECT s.* FROM (SELECT *, sum(n) OVER (PARTITION BY shop, day ORDER BY n) AS c FROM sale) AS s WHERE day IN (SELECT id FROM day WHERE month = 3)');
SET enable_hashagg = off;
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*), sum(n) FROM sale GROUP BY day) AS s JOIN day ON day.id = s.day WHERE month = 3');
RESET enable_hashagg;
-- of one partition of its own
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, n, count(*) FROM sale_11 GROUP BY day, n) AS s JOIN day ON day.id = s.day WHERE month = 3 AND day.id % 10 = 0');
-- not of one that is named alone: the tables above it are not locked
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, n, count(*) FROM sale_5 GROUP BY day, n) AS s JOIN day ON day.id = s.day WHERE month = 3 AND day.id % 10 = 0');
-- by two scans of the same table
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM (SELECT day FROM sale UNION ALL SELECT day FROM sale_3) AS u GROUP BY day) AS s
	JOIN day ON day.id = s.day WHERE month = 3');
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM hashed GROUP BY day) AS s JOIN day ON day.id = s.day WHERE day.id % 1000 = 77');
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, n, count(*) FROM listed GROUP BY day, n) AS s JOIN day ON day.id = s.day WHERE day.id % 1000 IN (3, 5)');

-- Not where a group may lie in several partitions.
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM shop_sale GROUP BY day) AS s JOIN day ON day.id = s.day WHERE month = 3');
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM paired GROUP BY day) AS s JOIN day ON day.id = s.day WHERE month = 3');
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM (SELECT day FROM sale UNION ALL SELECT day FROM hashed) AS u GROUP BY day) AS s
	JOIN day ON day.id = s.day WHERE month = 3');
-- without groups these are skipped
SELECT * FROM skipped('SELECT s.* FROM shop_sale AS s JOIN day ON day.id = s.day WHERE month = 3');
SELECT * FROM skipped('SELECT s.* FROM (SELECT day FROM sale UNION ALL SELECT day FROM hashed) AS s JOIN day ON day.id = s.day WHERE month = 3');
-- of a shop the groups are in all partitions of days, and these have no bounds for it
SELECT * FROM skipped('SELECT s.* FROM (SELECT shop, count(*) FROM sale GROUP BY shop) AS s JOIN (SELECT i AS id FROM generate_series(2, 3) AS i) AS k ON k.id = s.shop');
-- Not if hashing might never end: the first partition is read before.
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM sale GROUP BY day) AS s JOIN (SELECT generate_series(1, 20000) * 17 AS id OFFSET 0) AS k ON k.id = s.day');
-- Where groups come in order, their rows are tested from the next group on; but what
-- is skipped would have to be known before the first.
CREATE FUNCTION skips(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	plan text;
BEGIN
	EXECUTE 'EXPLAIN (COSTS OFF, FORMAT JSON) ' || query INTO plan;
	RETURN plan ~ 'Bloom Filter Key' AND plan ~ 'Skip By';
END
$$;
CREATE INDEX ON sale_5 (day);
SET enable_hashagg = off;
SET enable_sort = off;
SET enable_seqscan = off;
SELECT skips('SELECT s.* FROM (SELECT day, count(n) FROM sale WHERE day BETWEEN 150 AND 179 GROUP BY day) AS s JOIN (SELECT i * 17 AS id FROM generate_series(1, 3) AS i) AS k ON k.id = s.day');
SELECT skips('SELECT s.* FROM (SELECT day, count(n) FROM sale WHERE day BETWEEN 150 AND 179 GROUP BY day) AS s JOIN (SELECT generate_series(1, 25) * 17 AS id OFFSET 0) AS k ON k.id = s.day');
RESET enable_hashagg;
RESET enable_sort;
RESET enable_seqscan;
-- A block of a table has no groups of its own.
CREATE TABLE flat (day int, n int) WITH (autovacuum_enabled = off);
INSERT INTO flat SELECT i / 100, i FROM generate_series(0, 35999) AS i;
CREATE INDEX ON flat USING brin (day) WITH (pages_per_range = 2);
ANALYZE flat;
SELECT pages > 0 AS pages, result FROM skipped('SELECT s.* FROM flat AS s JOIN day ON day.id = s.day WHERE month = 3');
SELECT * FROM skipped('SELECT s.* FROM (SELECT day, count(*) FROM flat GROUP BY day) AS s JOIN day ON day.id = s.day WHERE month = 3');

-- What is left of a group would be an error, not a wrong result: a part of it that
-- lies in a skipped partition and another one that passes as a false positive.
CREATE TABLE pair (k int, half int) PARTITION BY LIST (half);
CREATE TABLE pair_0 PARTITION OF pair FOR VALUES IN (0) PARTITION BY RANGE (k);
CREATE TABLE pair_0_low PARTITION OF pair_0 FOR VALUES FROM (0) TO (100000);
CREATE TABLE pair_0_high PARTITION OF pair_0 FOR VALUES FROM (100000) TO (200000);
CREATE TABLE pair_1 PARTITION OF pair FOR VALUES IN (1);
INSERT INTO pair SELECT i, h FROM generate_series(0, 199999) AS i, generate_series(0, 1) AS h;
CREATE TABLE key AS SELECT i * 10 AS k FROM generate_series(10000, 19999) AS i;
-- it seems to be few, so that a filter seems to help
CREATE VIEW few AS SELECT k FROM key WHERE k % 1 = 0;
ANALYZE pair, key;
SELECT * FROM skipped('SELECT count(*), sum(r) FROM (SELECT k, 1 / (count(*) - 1) AS r FROM pair GROUP BY k) AS s JOIN few USING (k)');
-- The other part may be of another column, or of a scan that skips nothing.
CREATE TABLE edge (a int, b int) PARTITION BY RANGE (a);
CREATE TABLE edge_low PARTITION OF edge FOR VALUES FROM (0) TO (100000);
CREATE TABLE edge_high PARTITION OF edge FOR VALUES FROM (100000) TO (200000);
INSERT INTO edge SELECT i, 199999 - i FROM generate_series(0, 199999) AS i;
ANALYZE edge;
SELECT arms, s.*
  FROM (VALUES ('SELECT a AS k FROM edge UNION ALL SELECT b FROM edge'),
	('SELECT a AS k FROM edge WHERE a < 100000 UNION ALL SELECT b FROM edge WHERE a >= 100000'),
	('SELECT a AS k FROM edge UNION ALL SELECT a FROM edge WHERE random() < 2')) AS v (arms),
	skipped(format('SELECT count(*), sum(r) FROM (SELECT k, 1 / (count(*) - 1) AS r FROM (%s) AS u GROUP BY k) AS s WHERE k IN (TABLE few)', arms)) AS s;

-- Its copy in an index is the same column: what is read there is never skipped.
CREATE INDEX ON edge_high (a);
VACUUM edge_high;
SET enable_seqscan = off;
SELECT * FROM skipped('SELECT s.* FROM (SELECT a AS k, count(*) FROM edge GROUP BY a) AS s JOIN few USING (k)');
RESET enable_seqscan;

-- Of two partitions that share their bounds, one was attached by this transaction,
-- so that its bounds cannot be relied on; so neither is skipped.
CREATE TABLE apart (k int, half int) PARTITION BY RANGE (k);
CREATE TABLE apart_low PARTITION OF apart FOR VALUES FROM (0) TO (100000) PARTITION BY LIST (half);
CREATE TABLE apart_low_0 PARTITION OF apart_low FOR VALUES IN (0);
CREATE TABLE apart_high PARTITION OF apart FOR VALUES FROM (100000) TO (200000);
INSERT INTO apart SELECT i, 0 FROM generate_series(0, 199999) AS i;
INSERT INTO apart_high SELECT i, 1 FROM generate_series(100000, 199999) AS i;
BEGIN;
CREATE TABLE apart_low_1 PARTITION OF apart_low FOR VALUES IN (1);
INSERT INTO apart_low_1 SELECT i, 1 FROM generate_series(0, 99999) AS i;
ANALYZE apart;
SELECT * FROM skipped('SELECT count(*), sum(r) FROM (SELECT k, 1 / (count(*) - 1) AS r FROM apart GROUP BY k) AS s JOIN few USING (k)');
-- without groups only that partition is read; also beside groups of the same table
SELECT * FROM skipped('SELECT apart.* FROM apart JOIN few USING (k)');
SELECT * FROM skipped('SELECT s.* FROM (SELECT k, count(*) FROM apart GROUP BY k UNION ALL SELECT k, half FROM apart) AS s JOIN few USING (k)');
COMMIT;
SELECT * FROM skipped('SELECT count(*), sum(r) FROM (SELECT k, 1 / (count(*) - 1) AS r FROM apart GROUP BY k) AS s JOIN few USING (k)');
-- or one of them is always read
SELECT * FROM skipped('SELECT count(*), sum(r) FROM (SELECT k, 1 / (count(*) - 1) AS r
	FROM (SELECT k FROM apart_low_0 UNION ALL SELECT k FROM apart_low_1 WHERE random() < 2) AS u GROUP BY k) AS s
	WHERE k IN (TABLE few)');

-- or is scanned by an index alone, whose scan skips nothing
CREATE TABLE parts (k int, half int) PARTITION BY LIST (k);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1) PARTITION BY LIST (half);
CREATE TABLE parts_1_0 PARTITION OF parts_1 FOR VALUES IN (0);
CREATE TABLE parts_1_1 PARTITION OF parts_1 FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2, 3, 4, 5, 6);
INSERT INTO parts SELECT 1 + i % 6, i / 6 % 2 FROM generate_series(0, 11999) AS i;
CREATE INDEX ON parts_1_1 (k);
VACUUM ANALYZE parts_1_0, parts_1_1, parts_2;
CREATE TABLE second AS SELECT 2 AS k;
ANALYZE parts, second;
SET bloomfilter.join_filters = force;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT * FROM skipped('SELECT k, c FROM (SELECT k, count(*) AS c FROM parts GROUP BY k) AS s JOIN second USING (k)');
DROP INDEX parts_1_1_k_idx;
RESET enable_seqscan;
RESET enable_bitmapscan;
SELECT * FROM skipped('SELECT k, c FROM (SELECT k, count(*) AS c FROM parts GROUP BY k) AS s JOIN second USING (k)');
SET bloomfilter.join_filters = on;

-- In a kept plan, partitions come and go.
PREPARE kept AS SELECT count(*), sum(c) FROM (SELECT day, count(*) AS c FROM sale GROUP BY day) AS s JOIN day ON day.id = s.day WHERE month = 3;
SET plan_cache_mode = force_generic_plan;
EXECUTE kept;
ALTER TABLE sale DETACH PARTITION sale_3;
EXECUTE kept;
INSERT INTO sale SELECT day, shop, n FROM sale_3;
EXECUTE kept;

SET client_min_messages = warning;
DROP SCHEMA join_skip_groups CASCADE;
