-- Orders of parts from suppliers, and queries that join them as those of TPC-H do, by their numbers.
CREATE TABLE regions AS SELECT n AS r_id, (ARRAY['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'])[1 + n] AS r_name FROM generate_series(0, 4) AS n;
CREATE TABLE nations AS SELECT n AS n_id, 'NATION ' || n AS n_name, n % 5 AS n_region FROM generate_series(0, 24) AS n;
CREATE TABLE suppliers AS
SELECT i * 5 AS s_id, 'Supplier ' || i * 5 AS s_name, scattered(i, 1, 25) AS s_nation, scattered(i, 2, 1100000) - 100000 AS s_balance,
       CASE scattered(i, 3, 1000) WHEN 1 THEN 'complaints' ELSE '' END || rpad('', 90, 'of a supplier ') AS s_note
  FROM generate_series(1, 2000) AS i;
CREATE TABLE customers AS
SELECT i * 25 AS c_id, 'Customer ' || i * 25 AS c_name, scattered(i, 4, 25) AS c_nation, 'SEGMENT ' || scattered(i, 5, 5) AS c_segment,
       scattered(i, 6, 1100000) - 100000 AS c_balance, 10 + scattered(i, 4, 25) || '-' || i AS c_phone, rpad('', 100, 'of a customer ') AS c_note
  FROM generate_series(1, 6000) AS i;
CREATE TABLE parts AS
SELECT i * 25 AS p_id, 'colour ' || scattered(i, 7, 92) || ' part ' || i AS p_name, 'Brand ' || 10 * (1 + scattered(i, 8, 5)) + 1 + scattered(i, 9, 5) AS p_brand,
       'FINISH ' || scattered(i, 10, 6) || ' METAL ' || scattered(i, 11, 25) AS p_type, 1 + scattered(i, 12, 50) AS p_size,
       'BOX ' || scattered(i, 13, 40) AS p_box, 90000 + scattered(i, 14, 120000) AS p_price, rpad('', 60, 'of a part ') AS p_note
  FROM generate_series(1, 8000) AS i;
CREATE TABLE offers AS
SELECT i * 25 AS f_part, 1 + scattered(i, 15, 10000) AS f_supplier, 1 + scattered(i, 16, 9999) AS f_stock, 100 + scattered(i, 17, 99900) AS f_cost,
       rpad('', 110, 'of an offer ') AS f_note
  FROM generate_series(1, 8000) AS i;
CREATE TABLE orders AS
SELECT i * 150 AS o_id, 1 + scattered(i, 18, 150000) AS o_customer, (ARRAY['F', 'O', 'P'])[1 + scattered(i, 19, 100) * 2 / 98] AS o_status,
       90000 + scattered(i, 20, 40000000) AS o_price, date '1992-01-01' + scattered(i, 21, 2406) AS o_day, 1 + scattered(i, 22, 5) || '-URGENCY' AS o_urgency,
       CASE scattered(i, 23, 90) WHEN 1 THEN 'special requests' ELSE '' END || rpad('', 50, 'of an order ') AS o_note
  FROM generate_series(1, 10000) AS i;
CREATE TABLE items AS
SELECT i * 125 AS i_order, 1 + i % 7 AS i_line, 1 + scattered(i, 24, 200000) AS i_part, 1 + scattered(i, 25, 10000) AS i_supplier,
       1 + scattered(i, 26, 50) AS i_quantity, 90000 + scattered(i, 27, 10000000) AS i_price, scattered(i, 28, 11) AS i_discount,
       (ARRAY['R', 'A', 'N', 'N'])[1 + scattered(i, 29, 4)] AS i_returned, day AS i_shipped, day + scattered(i, 31, 90) - 30 AS i_promised,
       day + 1 + scattered(i, 32, 30) AS i_received, 'MODE ' || scattered(i, 33, 7) AS i_mode, 'HOW ' || scattered(i, 34, 4) AS i_how, rpad('', 30, 'of an item ') AS i_note
  FROM generate_series(1, 12000) AS i, LATERAL (SELECT date '1992-01-02' + scattered(i, 30, 2526) AS day) AS shipped;
ALTER TABLE regions ADD PRIMARY KEY (r_id);
ALTER TABLE nations ADD PRIMARY KEY (n_id);
ALTER TABLE suppliers ADD PRIMARY KEY (s_id);
ALTER TABLE customers ADD PRIMARY KEY (c_id);
ALTER TABLE parts ADD PRIMARY KEY (p_id);
ALTER TABLE offers ADD PRIMARY KEY (f_part, f_supplier);
ALTER TABLE orders ADD PRIMARY KEY (o_id);
ALTER TABLE items ADD PRIMARY KEY (i_order, i_line);
CREATE INDEX ON suppliers (s_nation);
CREATE INDEX ON customers (c_nation);
CREATE INDEX ON offers (f_supplier);
CREATE INDEX ON orders (o_customer);
CREATE INDEX ON items (i_part, i_supplier);
ALTER TABLE offers ALTER f_part SET (n_distinct = -0.25), ALTER f_supplier SET (n_distinct = 10000);
ALTER TABLE orders ALTER o_customer SET (n_distinct = 100000), ALTER o_day SET (n_distinct = 2406);
ALTER TABLE items ALTER i_order SET (n_distinct = -0.25), ALTER i_part SET (n_distinct = 200000), ALTER i_supplier SET (n_distinct = 10000),
	ALTER i_shipped SET (n_distinct = 2526), ALTER i_promised SET (n_distinct = 2600), ALTER i_received SET (n_distinct = 2560);
CREATE TABLE tpch_by_time.orders (LIKE orders);
INSERT INTO tpch_by_time.orders SELECT * FROM orders ORDER BY o_day;
CREATE TABLE tpch_by_time.items (LIKE items);
INSERT INTO tpch_by_time.items SELECT * FROM items ORDER BY i_shipped;
ALTER TABLE tpch_by_time.orders ADD PRIMARY KEY (o_id), ALTER o_customer SET (n_distinct = 100000), ALTER o_day SET (n_distinct = 2406);
ALTER TABLE tpch_by_time.items ADD PRIMARY KEY (i_order, i_line), ALTER i_order SET (n_distinct = -0.25), ALTER i_part SET (n_distinct = 200000),
	ALTER i_supplier SET (n_distinct = 10000), ALTER i_shipped SET (n_distinct = 2526), ALTER i_promised SET (n_distinct = 2600), ALTER i_received SET (n_distinct = 2560);
CREATE INDEX ON tpch_by_time.orders (o_customer);
CREATE INDEX ON tpch_by_time.items (i_part, i_supplier);
CREATE INDEX orders_day ON tpch_by_time.orders USING brin (o_day) WITH (pages_per_range = 16);
CREATE INDEX items_shipped ON tpch_by_time.items USING brin (i_shipped) WITH (pages_per_range = 16);
INSERT INTO sizes VALUES ('suppliers', 10000), ('customers', 150000), ('parts', 200000), ('offers', 800000), ('orders', 1500000), ('items', 6001215),
	('tpch_by_time.orders', 1500000), ('tpch_by_time.items', 6001215);

-- query 2
SELECT s_balance, s_name, n_name, p_id FROM parts JOIN offers ON f_part = p_id JOIN suppliers ON s_id = f_supplier JOIN nations ON n_id = s_nation
  JOIN regions ON r_id = n_region
 WHERE p_size = 15 AND p_type LIKE '%METAL 7' AND r_name = 'EUROPE'
   AND f_cost = (SELECT min(least.f_cost) FROM offers AS least JOIN suppliers AS of ON of.s_id = least.f_supplier JOIN nations AS lands ON lands.n_id = of.s_nation
       JOIN regions AS parts_of ON parts_of.r_id = lands.n_region WHERE least.f_part = p_id AND parts_of.r_name = 'EUROPE')
 ORDER BY s_balance DESC, n_name LIMIT 100
-- query 3
SELECT i_order, sum(i_price * (100 - i_discount)) AS revenue, o_day FROM customers JOIN orders ON o_customer = c_id JOIN items ON i_order = o_id
 WHERE c_segment = 'SEGMENT 1' AND o_day < date '1995-03-15' AND i_shipped > date '1995-03-15' GROUP BY i_order, o_day ORDER BY revenue DESC, o_day LIMIT 10
-- query 4
SELECT o_urgency, count(*) FROM orders WHERE o_day >= date '1993-07-01' AND o_day < date '1993-10-01'
   AND EXISTS (SELECT FROM items WHERE i_order = o_id AND i_promised < i_received) GROUP BY o_urgency ORDER BY o_urgency
-- query 5
SELECT n_name, sum(i_price * (100 - i_discount)) AS revenue FROM customers JOIN orders ON o_customer = c_id JOIN items ON i_order = o_id
  JOIN suppliers ON s_id = i_supplier AND s_nation = c_nation JOIN nations ON n_id = s_nation JOIN regions ON r_id = n_region
 WHERE r_name = 'ASIA' AND o_day >= date '1994-01-01' AND o_day < date '1995-01-01' GROUP BY n_name ORDER BY revenue DESC
-- query 7
SELECT seller, buyer, year, sum(volume) FROM (SELECT a.n_name AS seller, b.n_name AS buyer, extract(year FROM i_shipped) AS year, i_price * (100 - i_discount) AS volume
  FROM suppliers JOIN items ON i_supplier = s_id JOIN orders ON o_id = i_order JOIN customers ON c_id = o_customer JOIN nations AS a ON a.n_id = s_nation
  JOIN nations AS b ON b.n_id = c_nation
 WHERE (a.n_name = 'NATION 6' AND b.n_name = 'NATION 7' OR a.n_name = 'NATION 7' AND b.n_name = 'NATION 6')
   AND i_shipped BETWEEN date '1995-01-01' AND date '1996-12-31') AS shipping GROUP BY seller, buyer, year ORDER BY seller, buyer, year
-- query 8
SELECT year, sum(CASE WHEN seller = 'NATION 2' THEN volume ELSE 0 END) / sum(volume) FROM (SELECT extract(year FROM o_day) AS year, i_price * (100 - i_discount) AS volume,
  b.n_name AS seller FROM parts JOIN items ON i_part = p_id JOIN suppliers ON s_id = i_supplier JOIN orders ON o_id = i_order JOIN customers ON c_id = o_customer
  JOIN nations AS a ON a.n_id = c_nation JOIN regions ON r_id = a.n_region JOIN nations AS b ON b.n_id = s_nation
 WHERE r_name = 'AMERICA' AND o_day BETWEEN date '1995-01-01' AND date '1996-12-31' AND p_type = 'FINISH 3 METAL 4') AS shares GROUP BY year ORDER BY year
-- query 9
SELECT n_name, extract(year FROM o_day) AS year, sum(i_price * (100 - i_discount) - f_cost * i_quantity) FROM parts JOIN items ON i_part = p_id
  JOIN suppliers ON s_id = i_supplier JOIN offers ON f_supplier = i_supplier AND f_part = i_part JOIN orders ON o_id = i_order JOIN nations ON n_id = s_nation
 WHERE p_name LIKE '%colour 31%' GROUP BY n_name, year ORDER BY n_name, year DESC
-- query 10
SELECT c_id, c_name, sum(i_price * (100 - i_discount)) AS revenue, c_balance, n_name FROM customers JOIN orders ON o_customer = c_id JOIN items ON i_order = o_id
  JOIN nations ON n_id = c_nation WHERE o_day >= date '1993-10-01' AND o_day < date '1994-01-01' AND i_returned = 'R'
 GROUP BY c_id, c_name, c_balance, n_name ORDER BY revenue DESC LIMIT 20
-- query 11
SELECT f_part, sum(f_cost * f_stock) AS worth FROM offers JOIN suppliers ON s_id = f_supplier JOIN nations ON n_id = s_nation WHERE n_name = 'NATION 7' GROUP BY f_part
HAVING sum(f_cost * f_stock) > (SELECT sum(f_cost * f_stock) * 0.0001 FROM offers JOIN suppliers ON s_id = f_supplier JOIN nations ON n_id = s_nation WHERE n_name = 'NATION 7')
 ORDER BY worth DESC
-- query 12
SELECT i_mode, count(*) FILTER (WHERE o_urgency = '1-URGENCY'), count(*) FROM orders JOIN items ON i_order = o_id
 WHERE i_mode IN ('MODE 1', 'MODE 2') AND i_promised < i_received AND i_shipped < i_promised AND i_received >= date '1994-01-01' AND i_received < date '1995-01-01'
 GROUP BY i_mode ORDER BY i_mode
-- query 13
SELECT number, count(*) FROM (SELECT c_id, count(o_id) AS number FROM customers LEFT JOIN orders ON o_customer = c_id AND o_note NOT LIKE '%special%requests%' GROUP BY c_id) AS c
 GROUP BY number ORDER BY count(*) DESC, number DESC
-- query 14
SELECT sum(i_price * (100 - i_discount)) FILTER (WHERE p_type LIKE 'FINISH 3%') * 100.0 / sum(i_price * (100 - i_discount)) FROM items JOIN parts ON p_id = i_part
 WHERE i_shipped >= date '1995-09-01' AND i_shipped < date '1995-10-01'
-- query 15
WITH revenue AS (SELECT i_supplier, sum(i_price * (100 - i_discount)) AS total FROM items WHERE i_shipped >= date '1996-01-01' AND i_shipped < date '1996-04-01' GROUP BY i_supplier)
SELECT s_id, s_name, total FROM suppliers JOIN revenue ON i_supplier = s_id WHERE total = (SELECT max(total) FROM revenue) ORDER BY s_id
-- query 16
SELECT p_brand, p_type, p_size, count(DISTINCT f_supplier) AS number FROM offers JOIN parts ON p_id = f_part
 WHERE p_brand <> 'Brand 45' AND p_type NOT LIKE 'FINISH 2%' AND p_size IN (3, 9, 14, 19, 23, 36, 45, 49)
   AND f_supplier NOT IN (SELECT s_id FROM suppliers WHERE s_note LIKE '%complaints%') GROUP BY p_brand, p_type, p_size ORDER BY number DESC, p_brand, p_type, p_size
-- query 17
SELECT sum(i_price) / 7.0 FROM items JOIN parts ON p_id = i_part WHERE p_brand = 'Brand 23' AND p_box = 'BOX 17'
   AND i_quantity < (SELECT 0.2 * avg(of.i_quantity) FROM items AS of WHERE of.i_part = p_id)
-- query 17, the averages joined
SELECT sum(i_price) / 7.0 FROM items JOIN parts ON p_id = i_part JOIN (SELECT i_part, 0.2 * avg(i_quantity) AS few FROM items GROUP BY i_part) AS usual ON usual.i_part = p_id
 WHERE p_brand = 'Brand 23' AND p_box = 'BOX 17' AND i_quantity < few
-- query 18
SELECT c_name, c_id, o_id, o_day, o_price, sum(i_quantity) FROM customers JOIN orders ON o_customer = c_id JOIN items ON i_order = o_id
 WHERE o_id IN (SELECT i_order FROM items GROUP BY i_order HAVING sum(i_quantity) > 300) GROUP BY c_name, c_id, o_id, o_day, o_price ORDER BY o_price DESC, o_day LIMIT 100
-- query 19
SELECT sum(i_price * (100 - i_discount)) FROM items JOIN parts ON p_id = i_part WHERE i_how = 'HOW 1' AND i_mode IN ('MODE 1', 'MODE 2')
   AND (p_brand = 'Brand 12' AND p_box IN ('BOX 1', 'BOX 2') AND i_quantity BETWEEN 1 AND 11 AND p_size BETWEEN 1 AND 5
     OR p_brand = 'Brand 23' AND p_box IN ('BOX 3', 'BOX 4') AND i_quantity BETWEEN 10 AND 20 AND p_size BETWEEN 1 AND 10)
-- query 20
SELECT s_name FROM suppliers JOIN nations ON n_id = s_nation WHERE n_name = 'NATION 3' AND s_id IN (SELECT f_supplier FROM offers
 WHERE f_part IN (SELECT p_id FROM parts WHERE p_name LIKE 'colour 4%') AND f_stock > (SELECT 0.5 * sum(i_quantity) FROM items
 WHERE i_part = f_part AND i_supplier = f_supplier AND i_shipped >= date '1994-01-01' AND i_shipped < date '1995-01-01')) ORDER BY s_name
-- query 21
SELECT s_name, count(*) AS late FROM suppliers JOIN items AS a ON i_supplier = s_id JOIN orders ON o_id = i_order JOIN nations ON n_id = s_nation
 WHERE o_status = 'F' AND i_received > i_promised AND n_name = 'NATION 20' AND EXISTS (SELECT FROM items AS b WHERE b.i_order = a.i_order AND b.i_supplier <> a.i_supplier)
   AND NOT EXISTS (SELECT FROM items AS c WHERE c.i_order = a.i_order AND c.i_supplier <> a.i_supplier AND c.i_received > c.i_promised)
 GROUP BY s_name ORDER BY late DESC, s_name LIMIT 100
-- query 22
SELECT substr(c_phone, 1, 2) AS code, count(*), sum(c_balance) FROM customers WHERE substr(c_phone, 1, 2) IN ('13', '31', '23', '29', '30', '18', '17')
   AND c_balance > (SELECT avg(c_balance) FROM customers WHERE c_balance > 0) AND NOT EXISTS (SELECT FROM orders WHERE o_customer = c_id) GROUP BY code ORDER BY code
