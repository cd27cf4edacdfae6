--
-- Second act: filters in front of joins, by a setting and by hand.
--
\echo
\echo :b'2. Joins with filters, without touching a query':p
\echo '==============================================='
\echo
\echo 'A shop''s star schema, made up: a million customers in fifty regions, ten'
\echo 'thousand products, five million sales in two years, of which 4 % came back.'
\echo 'All settings are the server''s defaults.'
\echo

SELECT setseed(0.1970) \g /dev/null
CREATE TABLE customer AS
SELECT id,
       'Customer ' || id AS name,
       floor(random() * 10000) || ' Long Street, Town ' || floor(random() * 1000) AS address,
       1 + floor(random() * 50)::int AS region
  FROM generate_series(1, 1000000) id;
ALTER TABLE customer ADD PRIMARY KEY (id);

CREATE TABLE product AS
SELECT id, 'Product ' || id AS name, 1 + floor(random() * 20)::int AS category
  FROM generate_series(1, 10000) id;
ALTER TABLE product ADD PRIMARY KEY (id);

CREATE TABLE sale AS
SELECT id,
       (timestamp '2024-01-01' + id * (interval '731 days' / 5000001))::date AS sold_on,
       1 + floor(random() * 1000000)::int AS customer_id,
       1 + floor(random() * 10000)::int AS product_id,
       (1 + floor(random() * 20000))::int AS cents,
       'R-' || (100000000 + id) AS receipt
  FROM generate_series(1, 5000000) id;

CREATE TABLE returned AS
SELECT receipt,
       (ARRAY['arrived damaged', 'does not fit', 'cheaper elsewhere', 'changed my mind'])
       [1 + floor(random() * 4)::int] AS reason
  FROM sale
 WHERE random() < 0.04;

VACUUM ANALYZE customer, product, sale, returned;

SELECT name AS "table", pretty(rows) AS rows, pg_size_pretty(pg_table_size(name)) AS size
  FROM (VALUES ('sale'::regclass, (SELECT count(*) FROM sale)),
               ('customer', (SELECT count(*) FROM customer)),
               ('returned', (SELECT count(*) FROM returned)),
               ('product', (SELECT count(*) FROM product))) AS tables (name, rows);

\echo :b'2a. A join with a grouped subquery':p
\echo
\echo 'The best customers of one region. The planner cannot move the join below the'
\echo 'GROUP BY, so the sales of all fifty regions are summed up first:'
\echo
SELECT $$SELECT c.name, s.sales, round(s.cents / 100.0, 2) AS spent
  FROM customer c
  JOIN (SELECT customer_id, count(*) AS sales, sum(cents) AS cents
          FROM sale
         GROUP BY customer_id) s ON s.customer_id = c.id
 WHERE c.region = 7
 ORDER BY s.cents DESC, c.id
 LIMIT 3$$ AS plain \gset
\set ECHO queries
:plain;
\set ECHO none
\echo 'How it was done:'
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) :plain;

\echo 'Now the same query with one setting. The join makes a filter of the customers'
\echo 'that it hashes, and the sales are tested against it below the GROUP BY:'
\echo
\set ECHO queries
SET bloomfilter.join_filters = on;
:plain;
\set ECHO none
\echo 'How it was done:'
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) :plain;
SET bloomfilter.join_filters = off;

\echo 'The same by hand, which works where the setting cannot reach, as on a foreign'
\echo 'server: a filter of the region''s customers, built by a subquery that runs once:'
\echo
SELECT $$SELECT c.name, s.sales, round(s.cents / 100.0, 2) AS spent
  FROM customer c
  JOIN (SELECT customer_id, count(*) AS sales, sum(cents) AS cents
          FROM sale
         WHERE bloom_contains((SELECT bloom_agg(id) FROM customer WHERE region = 7),
                              customer_id)
         GROUP BY customer_id) s ON s.customer_id = c.id
 WHERE c.region = 7
 ORDER BY s.cents DESC, c.id
 LIMIT 3$$ AS filtered \gset
\set ECHO queries
:filtered;
\set ECHO none
\echo 'How it was done:'
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) :filtered;

\echo 'The customers of other regions that the filter let through by mistake find no'
\echo 'partner in the join, so the answer is exact. Here are all of them without'
\echo 'EXPLAIN, and what one would write without the extension, WHERE customer_id IN'
\echo '(SELECT id FROM customer WHERE region = 7). They ran three times in turn; the'
\echo 'shortest time counts:'
\echo
SELECT $$SELECT c.name, s.sales, round(s.cents / 100.0, 2) AS spent
  FROM customer c
  JOIN (SELECT customer_id, count(*) AS sales, sum(cents) AS cents
          FROM sale
         WHERE customer_id IN (SELECT id FROM customer WHERE region = 7)
         GROUP BY customer_id) s ON s.customer_id = c.id
 WHERE c.region = 7
 ORDER BY s.cents DESC, c.id
 LIMIT 3$$ AS semijoined \gset
CALL measure('grouped', '{as it was,join filters on,with a filter by hand,with IN}',
             :'plain', :'plain', :'filtered', :'semijoined');
SELECT * FROM compare('grouped');
SELECT pg_size_pretty(pg_column_size(bloom_agg(id))::bigint) AS region_filter
  FROM customer WHERE region = 7 \gset
\echo 'IN drops rows early too, by a hash table of a megabyte. The filter by hand took' :region_filter'.'
\echo

\echo :b'2b. A hash join with a large hash table':p
\echo
\echo 'Returned goods are known by their receipts: 200,000 of them, and each of five million'
\echo 'receipts is looked up in a hash table of megabytes:'
\echo
SELECT $$SELECT r.reason, count(*) AS sales, round(sum(s.cents) / 100.0, 2) AS refund
  FROM returned r
  JOIN sale s ON s.receipt = r.receipt
 GROUP BY r.reason
 ORDER BY refund DESC$$ AS plain \gset
\set ECHO queries
:plain;
\set ECHO none
\echo 'How it was done:'
\echo
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) :plain;

\echo 'With the setting, the receipts are tested on the page where they are read, and few'
\echo 'of those that nobody returned become rows at all:'
\echo
SET bloomfilter.join_filters = on;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) :plain;
SET bloomfilter.join_filters = off;
SELECT $$SELECT r.reason, count(*) AS sales, round(sum(s.cents) / 100.0, 2) AS refund
  FROM returned r
  JOIN sale s ON s.receipt = r.receipt
 WHERE bloom_contains((SELECT bloom_agg(receipt) FROM returned), s.receipt)
 GROUP BY r.reason
 ORDER BY refund DESC$$ AS filtered \gset
CALL measure('receipts', '{as it was,join filters on,with a filter by hand}',
             :'plain', :'plain', :'filtered');
SELECT * FROM compare('receipts');

\echo :b'2c. A star':p
\echo
\echo 'Sales of a fifth of the products to ten of the fifty regions:'
\echo
SELECT $$SELECT c.region, round(sum(s.cents) / 100.0, 2) AS revenue
  FROM sale s
  JOIN customer c ON c.id = s.customer_id
  JOIN product p ON p.id = s.product_id
 WHERE c.region <= 10 AND p.category <= 4
 GROUP BY c.region
 ORDER BY c.region$$ AS plain \gset
\set ECHO queries
SET bloomfilter.join_filters = on;
\set ECHO none
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) :plain;
SET bloomfilter.join_filters = off;
CALL measure('star', '{as it was,join filters on}', :'plain', :'plain');
SELECT * FROM compare('star');

\echo :b'2d. What is not read':p
\echo
\echo 'Sales lie in the order of their days, and a BRIN index knows the first and the last'
\echo 'day of each 128 pages. The join hashes the days of one month first; pages in which'
\echo 'none of these days can be are not read:'
\echo
CREATE TABLE calendar AS
SELECT date '2024-01-01' + i AS day, to_char(date '2024-01-01' + i, 'YYYY-MM') AS month
  FROM generate_series(0, 730) i;
CREATE INDEX sale_sold_on ON sale USING brin (sold_on);
ANALYZE calendar;
SELECT $$SELECT count(*) AS sales, round(sum(s.cents) / 100.0, 2) AS revenue
  FROM sale s
  JOIN calendar c ON c.day = s.sold_on
 WHERE c.month = '2025-03'$$ AS plain \gset
\set ECHO queries
SET bloomfilter.join_filters = on;
\set ECHO none
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) :plain;
SET bloomfilter.join_filters = off;
CALL measure('month', '{as it was,join filters on}', :'plain', :'plain');
SELECT * FROM compare('month');
DROP INDEX sale_sold_on;

\echo :b'2e. Where it does not pay':p
\echo
\echo 'A filter helps by dropping rows before something expensive. It only adds work'
\echo 'where most rows pass, or where a small hash table would have rejected them just'
\echo 'as fast. Both are so for fifteen of twenty product categories. The setting knows,'
\echo 'and plans no filter; by hand there is one:'
\echo
SELECT $$SELECT round(sum(s.cents) / 100.0, 2) AS revenue
  FROM sale s
  JOIN product p ON p.id = s.product_id
 WHERE p.category <= 15$$ AS plain \gset
SELECT $$SELECT round(sum(s.cents) / 100.0, 2) AS revenue
  FROM sale s
  JOIN product p ON p.id = s.product_id
 WHERE p.category <= 15
   AND bloom_contains((SELECT bloom_agg(id) FROM product WHERE category <= 15), s.product_id)$$ AS filtered \gset
\set ECHO queries
:filtered;
\set ECHO none
CALL measure('small', '{as it was,join filters on,with a filter by hand}',
             :'plain', :'plain', :'filtered');
SELECT * FROM compare('small');
