-- How large filter indexes are, and at which rates they find what is not there.

-- Is the rate of ranges as asked, to a tenth?  Are rows missing?
CREATE FUNCTION pg_temp.describe(index regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	info record;
BEGIN
	info := bloom_index_info(index);
	RETURN format('groups %s, ranges %s, rate %s, missing %s', info.groups, info.ranges,
		CASE WHEN info.range_false_positive_rate < 0.9 * info.target_false_positive_rate THEN 'lower'
			WHEN info.range_false_positive_rate > 1.1 * info.target_false_positive_rate THEN 'higher' ELSE 'as asked' END,
		bloom_index_check(index));
END $$;

-- Some 8,000 rows a range: built after the rows came, before, and in between
CREATE TABLE filled (u uuid, n int, pad text) WITH (autovacuum_enabled = off);
CREATE TABLE built (LIKE filled) WITH (autovacuum_enabled = off);
CREATE TABLE halves (LIKE filled) WITH (autovacuum_enabled = off);
CREATE INDEX filled_bf ON filled USING bloomfilter (u);
INSERT INTO filled SELECT md5(g::text)::uuid, g, repeat('x', 60) FROM generate_series(1, 180000) g;
INSERT INTO built SELECT * FROM filled;
CREATE INDEX built_bf ON built USING bloomfilter (u);
INSERT INTO halves SELECT * FROM filled LIMIT 90000;
CREATE INDEX halves_bf ON halves USING bloomfilter (u);
INSERT INTO halves SELECT * FROM filled OFFSET 90000;
SELECT index, pg_temp.describe(index) FROM (VALUES ('filled_bf'::regclass), ('built_bf'), ('halves_bf')) AS i (index);
-- the rates differ by less than a tenth
SELECT abs(1 - (bloom_index_info('filled_bf')).range_false_positive_rate / (bloom_index_info('built_bf')).range_false_positive_rate) < 0.1 AS ranges,
	abs(1 - (bloom_index_info('filled_bf')).page_false_positive_rate / (bloom_index_info('built_bf')).page_false_positive_rate) < 0.1 AS pages;
-- some 27 bits a row at the default rate of 0.003
SELECT round((8 * pg_relation_size('built_bf') / 180000.0) / 5) * 5 AS bits_a_row;

-- What the bits promise is what happens: how many of 3,000 absent values are
-- found in a range, and pages that are read in vain.
CREATE FUNCTION pg_temp.read_in_vain(tab text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	pages bigint := 0;
BEGIN
	FOR i IN 1 .. 3000 LOOP
		EXECUTE format('EXPLAIN (ANALYZE, FORMAT json, TIMING off) SELECT FROM %I WHERE u = %L', tab, md5('absent ' || i)) INTO plan;
		pages := pages + (plan->0->'Plan'->>'Lossy Heap Blocks')::int;
	END LOOP;
	RETURN pages / 3000.0;
END $$;
SET enable_seqscan = off;
SET jit = off;
SELECT pg_temp.read_in_vain('built') BETWEEN 0.5 * expected AND 1.5 * expected AS as_promised
  FROM (SELECT (pg_relation_size('built') / 8192.0) * (bloom_index_info('built_bf')).range_false_positive_rate
		* (bloom_index_info('built_bf')).page_false_positive_rate AS expected) e;

-- Other rates
CREATE INDEX built_1_bf ON built USING bloomfilter (u) WITH (false_positive_rate = 0.1);
CREATE INDEX built_2_bf ON built USING bloomfilter (u) WITH (false_positive_rate = 0.0001);
SELECT pg_temp.describe('built_1_bf'), pg_temp.describe('built_2_bf'),
	pg_relation_size('built_1_bf') < pg_relation_size('built_bf') AND pg_relation_size('built_bf') < pg_relation_size('built_2_bf') AS larger;
-- A new rate is for what is built from then on.
ALTER INDEX built_1_bf SET (false_positive_rate = 0.001);
SELECT (bloom_index_info('built_1_bf')).target_false_positive_rate, (bloom_index_info('built_1_bf')).range_false_positive_rate > 0.09 AS old;
INSERT INTO built SELECT * FROM filled;
SELECT (bloom_index_info('built_1_bf')).range_false_positive_rate BETWEEN 0.001 AND 0.09 AS old_and_new;
REINDEX INDEX built_1_bf;
SELECT pg_temp.describe('built_1_bf');
DROP INDEX built_1_bf, built_2_bf;

-- Values that are repeated take no space.
CREATE TABLE repeated (u uuid, n int, pad text) WITH (autovacuum_enabled = off);
INSERT INTO repeated SELECT md5((g / 30)::text)::uuid, g, pad FROM filled, LATERAL (SELECT n) n (g) ORDER BY g;
CREATE INDEX repeated_bf ON repeated USING bloomfilter (u);
SELECT pg_temp.describe('repeated_bf'), pg_relation_size('repeated_bf') < pg_relation_size('built_bf') / 4 AS small;

-- Groups grow with a table that grows: 1, 1, 2, 4, 8, 18, … ranges.
CREATE TABLE growing (u uuid, pad text) WITH (autovacuum_enabled = off);
ALTER TABLE growing ALTER pad SET STORAGE PLAIN;
CREATE INDEX growing_bf ON growing USING bloomfilter (u);
CREATE FUNCTION pg_temp.grow(rows int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO growing SELECT md5(random()::text)::uuid, repeat('x', 300) FROM generate_series(1, rows);
	RETURN format('pages %s, groups %s, ranges %s, missing %s', pg_relation_size('growing') / 8192,
		(bloom_index_info('growing_bf')).groups, (bloom_index_info('growing_bf')).ranges, bloom_index_check('growing_bf'));
END $$;
SELECT pg_temp.grow(24 * 100);
SELECT pg_temp.grow(24 * 100);
SELECT pg_temp.grow(24 * 200);
SELECT pg_temp.grow(24 * 400);
SELECT pg_temp.grow(24 * 800);
-- and are made at once for a table that is there
REINDEX INDEX growing_bf;
SELECT pg_temp.grow(0), pg_relation_size('growing_bf') / 8192 AS pages;

-- Few rows in a page: several pages share filters.
CREATE TABLE wide (n int, pad text) WITH (autovacuum_enabled = off);
ALTER TABLE wide ALTER pad SET STORAGE PLAIN;
INSERT INTO wide SELECT g, repeat('x', 7000) FROM generate_series(1, 2000) g;
CREATE INDEX wide_bf ON wide USING bloomfilter (n);
SELECT pg_temp.describe('wide_bf'), pg_relation_size('wide_bf') / 8192 AS pages;
SELECT count(*) FROM wide WHERE n = 1234;
TRUNCATE wide;
ANALYZE wide;
INSERT INTO wide SELECT g, repeat('x', 7000) FROM generate_series(1, 10) g;
INSERT INTO wide SELECT g, repeat('x', 7000) FROM generate_series(11, 2000) g;
SELECT pg_temp.describe('wide_bf'), pg_relation_size('wide_bf') / 8192 < 100 AS small;

-- Few rows at all
CREATE TABLE ten (n int) WITH (autovacuum_enabled = off);
INSERT INTO ten SELECT generate_series(1, 10);
CREATE INDEX ten_bf ON ten USING bloomfilter (n);
SELECT pg_temp.describe('ten_bf'), pg_relation_size('ten_bf') / 8192 AS pages;

-- A large table with little memory: more and smaller groups
SET maintenance_work_mem = '1MB';
CREATE INDEX built_3_bf ON built USING bloomfilter (u, n);
-- also where the first pages of every range are without rows
CREATE TABLE gaps WITH (autovacuum_enabled = off) AS SELECT g AS n, repeat('x', 60) AS pad FROM generate_series(0, 150000) g;
SELECT count(*) AS page_rows FROM gaps WHERE ctid < '(1,0)' \gset
CREATE INDEX gaps_bf ON gaps USING bloomfilter (n, (n + 1), (n + 2)) WHERE n / :page_rows % 126 >= 30;
RESET maintenance_work_mem;
SELECT pg_temp.describe('built_3_bf');
SELECT (bloom_index_info('gaps_bf')).groups > 3 AS many_groups, bloom_index_check('gaps_bf');
SELECT count(*) FROM built WHERE u = md5('77')::uuid AND n = 77;

-- Sparse in front, dense behind, and the other way round
CREATE TABLE sparse (n int, pad text) WITH (autovacuum_enabled = off);
ALTER TABLE sparse ALTER pad SET STORAGE PLAIN;
INSERT INTO sparse SELECT CASE WHEN g % 40 = 0 THEN g END, repeat('x', 800) FROM generate_series(1, 9000) g;
INSERT INTO sparse SELECT g, NULL FROM generate_series(10001, 60000) g;
INSERT INTO sparse SELECT CASE WHEN g % 40 = 0 THEN g END, repeat('x', 800) FROM generate_series(70001, 79000) g;
CREATE INDEX sparse_bf ON sparse USING bloomfilter (n);
SELECT bloom_index_check('sparse_bf');
SELECT count(*) FROM sparse WHERE n IN (40, 10001, 60000, 70040, 99);

-- Whole groups of pages without values have no pages in the index, until a row
-- comes; of two columns either can be without.
CREATE TABLE holes (id int, n int, m int, pad text) WITH (fillfactor = 45, autovacuum_enabled = off);
ALTER TABLE holes ALTER pad SET STORAGE PLAIN;
CREATE INDEX holes_bf ON holes USING bloomfilter (n, m);
INSERT INTO holes SELECT g, NULL, NULL, repeat('x', 3500) FROM generate_series(1, 700) g;
SELECT pg_relation_size('holes_bf') / 8192 AS pages;
INSERT INTO holes VALUES (701, 1);
SELECT (bloom_index_info('holes_bf')).groups, (bloom_index_info('holes_bf')).ranges;
-- new versions of rows in the middle, in the pages that these are in
UPDATE holes SET n = id + 1000 WHERE id BETWEEN 1 AND 100;
UPDATE holes SET m = id + 1000 WHERE id BETWEEN 201 AND 300;
SELECT min(ctid), max(ctid) FROM holes WHERE n > 1000 OR m > 1000;
SELECT (bloom_index_info('holes_bf')).groups, (bloom_index_info('holes_bf')).ranges, bloom_index_check('holes_bf');
SELECT n FROM holes WHERE n IN (1, 1001, 1100, 1101) ORDER BY n;
SELECT m FROM holes WHERE m IN (1, 1201, 1300, 1301) ORDER BY m;
REINDEX INDEX holes_bf;
SELECT (bloom_index_info('holes_bf')).groups, (bloom_index_info('holes_bf')).ranges, bloom_index_check('holes_bf');

-- Statistics that cannot be true make no index larger than full pages of the table
-- need.
CREATE TABLE untrue (id int, v text) WITH (autovacuum_enabled = off);
CREATE INDEX untrue_bf ON untrue USING bloomfilter (v);
UPDATE pg_class SET relpages = 10, reltuples = 1e10 WHERE relname = 'untrue';
INSERT INTO untrue VALUES (1, 'a');
CREATE INDEX untrue_table_bf ON untrue USING bloomfilter (v) WITH (scope = 'table');
SELECT pg_relation_size('untrue_bf') < 200000 AS small, (SELECT expected_items FROM bloom_index_info('untrue_table_bf'));
UPDATE pg_class SET reltuples = 'infinity' WHERE relname = 'untrue';
REINDEX TABLE untrue;
TRUNCATE untrue;
UPDATE pg_class SET relpages = 10, reltuples = 'NaN' WHERE relname = 'untrue';
INSERT INTO untrue VALUES (1, 'a');
SELECT pg_relation_size('untrue_bf') < 200000 AS small, bloom_index_check('untrue_bf'), bloom_index_check('untrue_table_bf');
DROP TABLE filled, built, gaps, halves, repeated, growing, wide, ten, sparse, holes, untrue;
