--
-- What most groups of measurements use: the table of facts, keys of three
-- sizes, and filters of these keys.  psql variable: rows.
--
CREATE EXTENSION bloomfilter;
CREATE EXTENSION pg_prewarm;

CREATE TABLE t AS
SELECT id, md5(id::text) AS s, md5('u' || id)::uuid AS u
  FROM (SELECT generate_series(1, :rows::bigint) AS id) AS series;

-- Spread evenly over five million ids.
CREATE TABLE keys_10k AS
SELECT id, md5(id::text) AS s FROM generate_series(500, 5000000::bigint, 500) AS id;
CREATE TABLE keys_100k AS
SELECT id, md5(id::text) AS s FROM generate_series(50, 5000000::bigint, 50) AS id;
CREATE TABLE keys_1m AS
SELECT id, md5(id::text) AS s FROM generate_series(5, 5000000::bigint, 5) AS id;

CREATE TABLE filters (name text PRIMARY KEY, f bloomfilter);
INSERT INTO filters SELECT 'id_10k', bloom_agg(id, 10000) FROM keys_10k;
INSERT INTO filters SELECT 'id_100k', bloom_agg(id, 100000) FROM keys_100k;
INSERT INTO filters SELECT 'id_1m', bloom_agg(id, 1000000) FROM keys_1m;
INSERT INTO filters SELECT 's_10k', bloom_agg(s, 10000) FROM keys_10k;
INSERT INTO filters SELECT 's_100k', bloom_agg(s, 100000) FROM keys_100k;
INSERT INTO filters SELECT 's_1m', bloom_agg(s, 1000000) FROM keys_1m;

VACUUM (FREEZE, ANALYZE) t, keys_10k, keys_100k, keys_1m, filters;
SELECT pg_prewarm('t') > 0 AS warm;
