--
-- What trials are measured on: a star of sales, and what an application asks
-- of the same tables by indexes.  psql variable: rows (of the table of sales).
--
SELECT setseed(0.5);
CREATE TABLE product AS
SELECT i AS id, 1 + i % 200 AS category_id, 1 + i % 997 AS price FROM generate_series(1, 10000) AS i;
CREATE TABLE shop AS SELECT i AS id, 1 + i % 10 AS region FROM generate_series(1, 500) AS i;
CREATE TABLE customer AS
SELECT i AS id, 1 + floor(random() * 100)::int AS segment, 'Customer ' || i AS name FROM generate_series(1, :rows / 5) AS i;
CREATE TABLE sale AS
SELECT id, 1 + floor(random() * (:rows / 5))::int AS customer_id, 1 + floor(random() * 10000)::int AS product_id,
       1 + floor(random() * 500)::int AS shop_id, 1 + floor(random() * 20000)::int AS cents, 'R-' || (100000000 + id) AS receipt
  FROM generate_series(1, :rows) AS id;
CREATE TABLE returned AS SELECT id AS sale_id, id % 50 AS reason FROM sale WHERE random() < 0.1;
-- Each receipt of a hundredth of the sales once: no row is ever dropped.
CREATE TABLE receipt AS SELECT receipt, id FROM sale WHERE id <= :rows / 100;
CREATE TABLE paid AS SELECT receipt, cents FROM sale WHERE id <= :rows / 100;
-- A partition for each day, of which a week has five.
CREATE TABLE day AS SELECT i AS id, i / 5 AS week FROM generate_series(0, 99) AS i;
CREATE TABLE daily (day integer, cents integer) PARTITION BY LIST (day);
SELECT format('CREATE TABLE daily_%s PARTITION OF daily FOR VALUES IN (%s)', id, id) FROM day \gexec
INSERT INTO daily SELECT id % 100, cents FROM sale WHERE id <= :rows / 2;
ALTER TABLE product ADD PRIMARY KEY (id);
ALTER TABLE shop ADD PRIMARY KEY (id);
ALTER TABLE customer ADD PRIMARY KEY (id);
ALTER TABLE sale ADD PRIMARY KEY (id);
CREATE INDEX ON sale (customer_id);
VACUUM (FREEZE, ANALYZE);
