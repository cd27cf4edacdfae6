--
-- What the measurements of join filters are about: sales with their
-- dimensions (a star, and a snowflake where these have more), visits that are
-- skewed, and what the archive has of Debian's packages.  psql variables: rows
-- (of the table of facts); environment: BENCH_PACKAGES, a directory.
--
SELECT setseed(0.5);
CREATE TABLE department (id int, name text);
INSERT INTO department SELECT i, 'Department ' || i FROM generate_series(1, 10) AS i;
CREATE TABLE category (id int, department_id int, name text);
INSERT INTO category SELECT i, 1 + i % 10, 'Category ' || i FROM generate_series(1, 200) AS i;
CREATE TABLE product (id int, category_id int, price int);
INSERT INTO product SELECT i, 1 + i % 200, 1 + i % 997 FROM generate_series(1, 10000) AS i;
CREATE TABLE day (id int, quarter int, weekday int);
INSERT INTO day SELECT i, 1 + i / 91, i % 7 FROM generate_series(0, 727) AS i;
CREATE TABLE shop (id int, region int);
INSERT INTO shop SELECT i, 1 + i % 10 FROM generate_series(1, 500) AS i;

-- The region of a customer is the last digit of his number, and so is that of
-- the shop where he buys: columns of different tables that say the same.
CREATE TABLE customer (id int, region int, segment int, name text);
INSERT INTO customer
SELECT i, 1 + i % 10, 1 + floor(random() * 100)::int, 'Customer ' || i FROM generate_series(1, :rows / 5) AS i;
CREATE TABLE sale (id int, customer_id int, product_id int, day_id int, shop_id int, cents int, receipt text);
INSERT INTO sale
SELECT id, customer, 1 + floor(random() * 10000)::int, floor(random() * 728)::int,
       customer % 10 + 10 * (1 + floor(random() * 49)::int), 1 + floor(random() * 20000)::int, 'R-' || (100000000 + id)
  FROM (SELECT id, 1 + floor(random() * (:rows / 5))::int AS customer FROM generate_series(1, :rows) AS id OFFSET 0) AS bought;

-- Every tenth sale was returned; every twentieth had a coupon.  The remarks
-- make the hash table large.
CREATE TABLE returned AS
SELECT id AS sale_id, receipt, CASE WHEN random() < 0.5 THEN 'damaged' ELSE 'unloved' END AS reason,
       md5(receipt) || md5(id::text) AS remark
  FROM sale WHERE random() < 0.1;
CREATE TABLE coupon AS SELECT receipt, 1 + id % 50 AS campaign FROM sale WHERE random() < 0.05;
-- Each sale once, with something about it: nothing is ever dropped by a join.
CREATE TABLE delivery AS SELECT id AS sale_id, md5(id::text) AS address FROM sale;
CREATE TABLE promotion AS
SELECT DISTINCT product_id, day_id FROM (
	SELECT 1 + floor(random() * 10000)::int AS product_id, floor(random() * 728)::int AS day_id
	  FROM generate_series(1, 50000)) AS pairs;

-- A few visitors come all the time, most of them once (about Zipf's law).
CREATE TABLE visitor (id int, vip bool);
INSERT INTO visitor SELECT i, i <= 100 FROM generate_series(1, :rows / 5) AS i;
CREATE TABLE visit AS
SELECT id, floor(exp(random() * ln(:rows / 5)))::int AS visitor_id, md5(id::text) AS page
  FROM generate_series(1, :rows) AS id;

-- In order of time, as logs are.
CREATE TABLE event AS SELECT id, id / 100 AS session_id, id % 1000 AS kind FROM generate_series(1, :rows) AS id;
CREATE TABLE session (id int, started int);
INSERT INTO session SELECT i, i FROM generate_series(0, :rows / 100) AS i;

CREATE TABLE sale_by_year (id int, year int, customer_id int, cents int) PARTITION BY LIST (year);
CREATE TABLE sale_by_year_1 PARTITION OF sale_by_year FOR VALUES IN (1);
CREATE TABLE sale_by_year_2 PARTITION OF sale_by_year FOR VALUES IN (2);
INSERT INTO sale_by_year SELECT id, 1 + day_id / 365, customer_id, cents FROM sale;

-- Debian's packages: each with its relations to others and the files that are
-- installed on this machine.
CREATE TABLE package (name text, version text, section text, maintainer text, priority text, size bigint);
CREATE TABLE relation (package text, kind text, target text);
CREATE TABLE file (package text, path text);
\copy package FROM PROGRAM 'cat "$BENCH_PACKAGES"/package'
\copy relation FROM PROGRAM 'cat "$BENCH_PACKAGES"/relation'
\copy file FROM PROGRAM 'cat "$BENCH_PACKAGES"/file'
-- What each package needs, and what that needs.
CREATE TABLE needs AS
SELECT a.package, a.target, b.target AS further
  FROM relation a JOIN relation b ON b.package = a.target AND b.kind = 'Depends' WHERE a.kind IN ('Depends', 'Recommends');

CREATE TABLE tiny_a AS SELECT i AS id, i % 10 AS k FROM generate_series(1, 100) AS i;
CREATE TABLE tiny_b AS SELECT i AS id, i % 10 AS k FROM generate_series(1, 100) AS i;
CREATE TABLE tiny_c AS SELECT i AS id, i % 10 AS k FROM generate_series(1, 100) AS i;
VACUUM (FREEZE, ANALYZE);
CREATE FUNCTION tiny_joins(n int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found bigint;
	total bigint := 0;
BEGIN
	FOR i IN 1..n LOOP
		EXECUTE format('SELECT count(*) FROM tiny_a a JOIN tiny_b b ON a.id = b.id JOIN tiny_c c ON b.id = c.id WHERE a.k <> %s', i % 10)
			INTO found;
		total := total + found;
	END LOOP;
	RETURN total;
END $$;
