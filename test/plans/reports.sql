-- Reports over orders of customers and over a year of sales, as views, groups and windows that are joined with few rows.
CREATE TABLE customers AS SELECT i * 10 AS id, 'Customer ' || i AS name, scattered(i, 1, 1000) AS region FROM generate_series(1, 10000) AS i;
CREATE TABLE orders AS SELECT i * 200 AS id, 1 + scattered(i, 2, 100000) AS customer, scattered(i, 3, 10000) AS cents, rpad('', 40, 'of an order ') AS note FROM generate_series(1, 15000) AS i;
ALTER TABLE customers ADD PRIMARY KEY (id);
ALTER TABLE orders ADD PRIMARY KEY (id), ALTER customer SET (n_distinct = 95000);
CREATE VIEW totals AS SELECT customer, count(*) AS orders, sum(cents) AS cents FROM orders GROUP BY customer;
CREATE TABLE shops AS SELECT i AS id, 'Shop ' || i AS name, 'City ' || i % 50 AS city FROM generate_series(1, 500) AS i;
CREATE TABLE goods AS SELECT i AS id, 'Good ' || i AS name, 'Group ' || scattered(i, 4, 200) AS category FROM generate_series(1, 20000) AS i;
CREATE TABLE days AS SELECT date '2025-01-01' + i AS day, to_char(date '2025-01-01' + i, 'YYYY-MM') AS month FROM generate_series(0, 729) AS i;
ALTER TABLE shops ADD PRIMARY KEY (id);
ALTER TABLE goods ADD PRIMARY KEY (id);
ALTER TABLE days ADD PRIMARY KEY (day);
CREATE TABLE sales (day date, shop int, good int, cents int, note text) PARTITION BY RANGE (day);
SELECT format('CREATE TABLE sales_%s PARTITION OF sales FOR VALUES FROM (%L) TO (%L)', n + 1, date '2026-01-01' + n * interval '1 month', date '2026-01-01' + (n + 1) * interval '1 month')
  FROM generate_series(0, 11) AS n
\gexec
INSERT INTO sales SELECT date '2026-01-01' + i * 365 / 24001, 1 + scattered(i, 5, 500), 1 + scattered(i, 6, 20000), scattered(i, 7, 10000), rpad('', 30, 'of a sale ')
  FROM generate_series(1, 24000) AS i;
SELECT format('ALTER TABLE %s ALTER good SET (n_distinct = 20000), ALTER shop SET (n_distinct = 500)', inhrelid::regclass) FROM pg_inherits WHERE inhparent = 'sales'::regclass
\gexec
ALTER TABLE sales ALTER good SET (n_distinct_inherited = 20000), ALTER shop SET (n_distinct_inherited = 500), ALTER day SET (n_distinct_inherited = 365);
CREATE VIEW monthly AS SELECT shop, good, date_trunc('month', day) AS month, count(*) AS number, sum(cents) AS cents FROM sales GROUP BY shop, good, date_trunc('month', day);
CREATE VIEW by_good AS SELECT good, count(*) AS number, sum(cents) AS cents FROM sales GROUP BY good;
INSERT INTO sizes VALUES ('customers', 100000), ('orders', 3000000);
INSERT INTO sizes SELECT inhrelid, 2000000 / 12 FROM pg_inherits WHERE inhparent = 'sales'::regclass;

-- query join
SELECT count(*), sum(cents) FROM orders JOIN customers ON customers.id = customer WHERE region = 42
-- query groups of a view
SELECT * FROM totals JOIN customers ON id = customer WHERE region = 42
-- query groups of a view, sorted
SELECT * FROM totals JOIN customers ON id = customer WHERE region = 42 ORDER BY totals.cents DESC LIMIT 10
-- query groups of one
SELECT * FROM totals JOIN customers ON id = customer WHERE name = 'Customer 77'
-- query grouping sets
SELECT * FROM (SELECT customer, cents / 1000 AS class, count(*) FROM orders GROUP BY customer, ROLLUP (cents / 1000)) AS classes JOIN customers ON id = customer WHERE region = 42
-- query window
SELECT * FROM (SELECT customer, row_number() OVER (PARTITION BY customer ORDER BY id) AS n FROM orders) AS numbered JOIN customers ON id = customer WHERE region = 42 AND n <= 3
-- query DISTINCT ON
SELECT * FROM (SELECT DISTINCT ON (customer) customer, id AS last, cents FROM orders ORDER BY customer, id DESC) AS newest JOIN customers ON customers.id = customer WHERE region = 42
-- query IN
SELECT count(*) FROM orders WHERE customer IN (SELECT id FROM customers WHERE region < 5)
-- query EXISTS
SELECT count(*) FROM orders WHERE EXISTS (SELECT FROM customers WHERE customers.id = customer AND region < 5)
-- query outer join of few
SELECT customers.id, count(orders.id) FROM customers LEFT JOIN orders ON customer = customers.id WHERE region = 42 GROUP BY customers.id
-- query none of few
SELECT count(*) FROM customers WHERE region = 42 AND NOT EXISTS (SELECT FROM orders WHERE customer = customers.id)
-- query UNION ALL
SELECT sum(cents) FROM (SELECT customer, cents FROM orders UNION ALL SELECT customer, -cents FROM orders WHERE cents < 100) AS bookings JOIN customers ON id = customer WHERE region = 42
-- query CTE that is read twice
WITH t AS (SELECT customer, sum(cents) AS cents FROM orders GROUP BY customer) SELECT a.customer FROM t AS a JOIN customers ON id = customer WHERE region = 42 AND cents > (SELECT avg(cents) FROM t)
-- query report
SELECT goods.category, shops.name, sum(cents) FROM sales JOIN shops ON shops.id = shop JOIN goods ON goods.id = good WHERE city = 'City 7' AND category = 'Group 3' GROUP BY category, shops.name
-- query report of a month
SELECT shops.name, sum(cents) FROM sales JOIN shops ON shops.id = shop JOIN days ON days.day = sales.day WHERE month = '2026-03' AND city = 'City 7' GROUP BY shops.name
-- query report of a view
SELECT goods.name, monthly.* FROM monthly JOIN goods ON goods.id = good JOIN shops ON shops.id = shop WHERE category = 'Group 3' AND city = 'City 7'
-- query report of groups
SELECT goods.name, number, cents FROM by_good JOIN goods ON goods.id = good WHERE category = 'Group 3'
