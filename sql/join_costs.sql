-- Join filters: which of them are expected to pay, and how soon those are tried
-- again that did not.  Statistics are exact here: ANALYZE reads all rows of tables
-- as small as most of these, and a histogram has room for each value.
LOAD 'bloomfilter';
CREATE SCHEMA join_costs;
SET search_path = join_costs, public;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET join_collapse_limit = 1;
SET default_statistics_target = 1000;
SET bloomfilter.join_filter_min_rows = 0;
-- what a filter drops, not what is not read: that is in sql/join_skip.sql
SET bloomfilter.join_skip = off;

-- The columns that are tested, with the number of the filter, one line per place.
CREATE FUNCTION tested(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found_one bool := false;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ 'Bloom Filter Key: .*\(filter' THEN
			found_one := true;
			RETURN NEXT ltrim(line);
		END IF;
	END LOOP;
	IF NOT found_one THEN
		RETURN NEXT '(no filter)';
	END IF;
END $$;

--
-- Several filters at one place
--
CREATE TABLE star (c1 int, c2 int, c3 int, c4 int, c5 int, c6 int, c7 int, c8 int, c9 int, c10 int, c11 int, c12 int) WITH (autovacuum_enabled = off);
INSERT INTO star SELECT k, k, k, k, k, k, k, k, k, k, k, k FROM (SELECT i % 500 AS k FROM generate_series(1, 5000) AS i) AS g;
CREATE TABLE few WITH (autovacuum_enabled = off) AS SELECT i AS k FROM generate_series(1, 5) AS i;
CREATE TABLE many WITH (autovacuum_enabled = off) AS SELECT i AS k FROM generate_series(1, 60) AS i;
ANALYZE star, few, many;

-- at most ten of each scan, however many scans there are
SELECT 'SELECT 1 FROM star ' || string_agg(format('JOIN few AS f%s ON f%s.k = star.c%s', n, n, n), ' ') AS twelve
	FROM generate_series(1, 12) AS n \gset
SET bloomfilter.join_filters = force;
SELECT cardinality(string_to_array(t, 'filter')) - 1 AS filters FROM tested(:'twelve' || ' UNION ALL ' || :'twelve') AS t;
SET bloomfilter.join_filters = on;

-- a filter pays, but not where another one leaves fewer rows than it hashes
SELECT tested('SELECT 1 FROM star JOIN many ON many.k = star.c2');
SELECT tested('SELECT 1 FROM star JOIN few ON few.k = star.c1 JOIN few AS other ON other.k = star.c2');
SELECT tested('SELECT 1 FROM star JOIN many ON many.k = star.c1 JOIN few ON few.k = star.c2');

--
-- How many rows pass
--
CREATE TABLE supplier WITH (autovacuum_enabled = off) AS
	SELECT i AS id, i % 25 AS nation, i * 7 % 100 AS score FROM generate_series(0, 999) AS i;
CREATE TABLE customer WITH (autovacuum_enabled = off) AS
	SELECT i AS id, i % 25 AS nation, CASE WHEN i % 10 = 0 THEN i % 25 END AS partner FROM generate_series(0, 9999) AS i;
CREATE TABLE sale WITH (autovacuum_enabled = off) AS
	SELECT i % 1000 AS supplier_id, i * 7 % 10000 AS customer_id, i % 100 AS score, 36500 + i % 1826 AS day_id
	FROM generate_series(1, 25000) AS i;
ANALYZE supplier, customer, sale;
-- of keys that are tested apart, each for itself: here all nations have suppliers
SELECT tested('SELECT 1 FROM sale JOIN customer ON customer.id = sale.customer_id
	JOIN supplier ON supplier.id = sale.supplier_id AND supplier.nation = customer.nation WHERE supplier.id < 300');
SELECT tested('SELECT 1 FROM sale JOIN customer ON customer.id = sale.customer_id
	JOIN supplier ON supplier.id = sale.supplier_id AND supplier.nation = customer.nation WHERE supplier.id < 5');
-- NULL never passes
SELECT tested('SELECT 1 FROM sale JOIN customer ON customer.id = sale.customer_id
	JOIN supplier ON supplier.id = sale.supplier_id AND supplier.nation = customer.partner WHERE supplier.id < 300');
-- without statistics, the join's estimate is shared among its keys
CREATE TABLE unknown WITH (autovacuum_enabled = off) AS SELECT * FROM supplier;
SELECT tested('SELECT 1 FROM sale JOIN customer ON customer.id = sale.customer_id
	JOIN unknown ON unknown.id = sale.supplier_id AND unknown.nation = customer.nation WHERE unknown.score = 7');
-- no filter knows of conditions that are none of equality
SELECT tested('SELECT 1 FROM sale JOIN supplier ON supplier.id = sale.supplier_id AND supplier.score + 1 > sale.score');
SELECT tested('SELECT 1 FROM sale JOIN supplier ON supplier.id = sale.supplier_id AND supplier.score + 1 > sale.score WHERE supplier.id < 300');

SELECT tested('SELECT 1 FROM supplier LEFT JOIN sale ON supplier.id = sale.supplier_id WHERE coalesce(sale.score, 0) + 0 < 10');
-- 200 years, of which there are sales in five.  Years lie together, months do not;
-- where the table is in no order, nothing is known of years.
CREATE TABLE day WITH (autovacuum_enabled = off) AS
	SELECT i AS id, 1900 + i / 365 AS year, i % 365 / 31 AS month FROM generate_series(0, 72999) AS i;
ANALYZE day;
SELECT tested('SELECT 1 FROM sale JOIN day ON day.id = sale.day_id WHERE year BETWEEN 2000 AND 2003');
SELECT tested('SELECT 1 FROM sale JOIN day ON day.id = sale.day_id WHERE year = 2001');
SELECT tested('SELECT 1 FROM sale JOIN day ON day.id = sale.day_id WHERE day.id BETWEEN 36500 AND 38000');
SELECT tested('SELECT 1 FROM sale JOIN day ON day.id = sale.day_id WHERE month = 10');
-- the days may be chosen in an index alone
CREATE INDEX ON day (id);
VACUUM day;
EXPLAIN (COSTS OFF) SELECT 1 FROM day WHERE id BETWEEN 36500 AND 38000;
SELECT tested('SELECT 1 FROM sale JOIN day ON day.id = sale.day_id WHERE day.id BETWEEN 36500 AND 38000');
DROP INDEX day_id_idx;
-- of each week there is one day: a year has more days than there are weeks, and
-- still a fifth of the rows
CREATE TABLE stock WITH (autovacuum_enabled = off) AS SELECT 36500 + i % 261 * 7 AS day_id FROM generate_series(1, 26100) AS i;
ANALYZE stock;
SELECT tested('SELECT 1 FROM stock JOIN day ON day.id = stock.day_id WHERE year = 2001');
SELECT tested('SELECT 1 FROM stock JOIN day ON day.id = stock.day_id WHERE year BETWEEN 2000 AND 2003');
-- of a partitioned table, all partitions together count
CREATE TABLE parted (day_id int) PARTITION BY RANGE (day_id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (37500) WITH (autovacuum_enabled = off);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (37500) TO (100000) WITH (autovacuum_enabled = off);
INSERT INTO parted SELECT day_id FROM sale;
ANALYZE parted;
SELECT tested('SELECT 1 FROM parted JOIN day ON day.id = parted.day_id WHERE year BETWEEN 2000 AND 2003');
SELECT tested('SELECT 1 FROM parted JOIN day ON day.id = parted.day_id WHERE year = 2001');
CREATE TABLE shuffled WITH (autovacuum_enabled = off) AS
	SELECT i * 7919 % 73000 AS id, 1900 + i * 7919 % 73000 / 365 AS year FROM generate_series(0, 72999) AS i;
ANALYZE shuffled;
SELECT tested('SELECT 1 FROM sale JOIN shuffled ON shuffled.id = sale.day_id WHERE shuffled.id BETWEEN 36500 AND 38000');
SELECT tested('SELECT 1 FROM sale JOIN shuffled ON shuffled.id = sale.day_id WHERE shuffled.year BETWEEN 2000 AND 2003');
SELECT tested('SELECT 1 FROM sale JOIN day ON day.id = sale.day_id WHERE year BETWEEN 2000 AND 2003 AND month = 10');

--
-- Clustered data
--
CREATE FUNCTION rows_tested(query text, OUT tested int, OUT removed int) LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		tested := coalesce(substring(line FROM 'Rows Tested by Bloom Filter: (\d+)')::int, tested);
		removed := coalesce(substring(line FROM 'Rows Removed by Bloom Filter: (\d+)')::int, removed);
	END LOOP;
END $$;
CREATE TABLE ordered WITH (autovacuum_enabled = off) AS SELECT i / 1000 AS day FROM generate_series(0, 529999) AS i;
CREATE TABLE days WITH (autovacuum_enabled = off) AS SELECT i AS day FROM generate_series(0, 529) AS i;
ANALYZE ordered, days;
-- while all rows match, each rest is longer than the one before
SELECT * FROM rows_tested('SELECT 1 FROM ordered JOIN days USING (day) WHERE days.day + 0 = days.day');
-- how many rows pass by chance depends on the machine
SELECT removed > 490000 AS most FROM rows_tested('SELECT 1 FROM ordered JOIN days USING (day) WHERE days.day + 0 < 20 AND days.day + 0 = days.day');
SELECT removed > 380000 AS most FROM rows_tested('SELECT 1 FROM ordered JOIN days USING (day) WHERE (days.day + 0) % 100 < 20 AND days.day + 0 = days.day');

--
-- Large hash tables: half of the rows pass, which pays only where the table is larger
-- than what is taken to be in the cache.  It stays in use then.
--
CREATE TABLE visit WITH (autovacuum_enabled = off) AS SELECT i * 7919 % 10000 AS page FROM generate_series(1, 50000) AS i;
CREATE TABLE page WITH (autovacuum_enabled = off) AS SELECT i * 2 AS id, repeat('text', 100) AS contents FROM generate_series(0, 4999) AS i;
ANALYZE visit, page;
SELECT tested('SELECT 1 FROM visit JOIN page ON page.id = visit.page');
SELECT tested('SELECT contents FROM visit JOIN page ON page.id = visit.page');
SELECT tested, removed BETWEEN 24000 AND 25000 AS half FROM rows_tested('SELECT contents FROM visit JOIN page ON page.id = visit.page');

--
-- The filter itself: pairs of small numbers are told apart.
--
CREATE TABLE pair WITH (autovacuum_enabled = off) AS SELECT i / 200 AS a, i % 200 AS b FROM generate_series(0, 39999) AS i;
CREATE TABLE some_pair WITH (autovacuum_enabled = off) AS SELECT a, b FROM pair WHERE (a + b) % 20 = 0;
ANALYZE pair, some_pair;
SELECT tested, removed BETWEEN 37000 AND 38000 AS nearly_all FROM rows_tested('SELECT 1 FROM pair JOIN some_pair USING (a, b)');

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA join_costs CASCADE;
