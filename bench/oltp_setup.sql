--
-- What the random queries of an application are about: a shop of four years.
-- Keys are skewed, columns depend on one another, facts lie in order of time,
-- and the calendar is far longer than they are.  psql variable: rows (items;
-- a third as many orders, a sixth as many customers, a thirtieth as many
-- products).  The data is the same in every run; what ANALYZE samples is not.
--
CREATE EXTENSION pg_prewarm;

-- A number from 0 to below 1 that looks random; others with another salt.
CREATE FUNCTION uniform(i bigint, salt bigint) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (hashint8extended(i, salt) & 2147483647) / 2147483648.0::float8;

BEGIN;                              -- tables made in this transaction need no WAL
-- Days 0 to 1460 have orders: 2020 to 2023.
CREATE TABLE calendar AS
SELECT id, day, extract(year FROM day)::int AS year, extract(quarter FROM day)::int AS quarter, extract(month FROM day)::int AS month,
       extract(isodow FROM day)::int AS weekday, to_char(day, 'MM-DD') IN ('01-01', '05-01', '12-24', '12-25', '12-31') AS holiday,
       to_char(day, 'FMDay, FMDD FMMonth YYYY') AS label
  FROM generate_series(-50000, 49999) AS id, LATERAL (SELECT date '2020-01-01' + id AS day) AS d;
CREATE UNIQUE INDEX ON calendar (day);

-- In order of their signup, of which a city belongs to one region, and the kind decides the segment.
CREATE TABLE customer AS
SELECT id, date '2018-06-01' + (id::bigint * 2000 / (:rows / 6))::int AS signup, region, region * 10 + (uniform(id, 2) * 10)::int AS city,
       kind, CASE WHEN kind < 80 THEN 'consumer' WHEN kind < 95 THEN 'company' ELSE 'partner' END AS segment,
       md5(id::text) || '@example.' || (ARRAY['com', 'org', 'net'])[1 + id % 3] AS email, repeat(md5((-id)::text), 2) AS address
  FROM generate_series(1, :rows / 6) AS id, LATERAL (SELECT 1 + (50 * uniform(id, 1) ^ 2)::int AS region, (100 * uniform(id, 3))::int AS kind) AS r;
ALTER TABLE customer ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX ON customer (email);
CREATE INDEX ON customer (signup);
CREATE INDEX ON customer (region, city);

-- A category belongs to one department, and has its own range of prices.
CREATE TABLE product AS
SELECT id, category, 1 + category / 10 AS department, 'Brand ' || (500 * uniform(id, 5) ^ 3)::int AS brand,
       (100 * (1 + category % 20) * (1 + 9 * uniform(id, 6)))::int AS price, md5(id::text) || ' ' || md5((-id)::text) AS name
  FROM generate_series(1, :rows / 30) AS id, LATERAL (SELECT (200 * uniform(id, 4) ^ 2)::int AS category) AS c;
ALTER TABLE product ADD PRIMARY KEY (id);
CREATE INDEX ON product (category);
CREATE INDEX ON product (brand);

-- The first customers order most.  What is open is of the last days, and returned is what was ordered on the web.
CREATE TABLE orders AS
SELECT id, day_id, 1 + ((:rows / 6 - 1) * uniform(id, 7) ^ 3)::int AS customer_id,
       CASE WHEN day_id > 1460 - 30 * uniform(id, 8) THEN 'open' WHEN channel = 'web' AND luck < 0.04 THEN 'returned' ELSE 'done' END AS status,
       channel, (100 + 100000 * luck ^ 4)::int AS total, 'Order ' || md5(id::text) AS note
  FROM generate_series(1, :rows / 3) AS id, LATERAL (SELECT ((id - 1)::bigint * 1461 / (:rows / 3))::int AS day_id, uniform(id, 9) AS luck,
       (ARRAY['web', 'web', 'web', 'web', 'shop', 'shop', 'phone'])[1 + id % 7] AS channel) AS d;
ALTER TABLE orders ADD PRIMARY KEY (id);
CREATE INDEX ON orders (customer_id);

-- Three of each order.  Few products are sold most, of any age.
CREATE TABLE item AS
SELECT 1 + (i - 1) / 3 AS order_id, 1 + (i - 1) % 3 AS line, ((i - 1) / 3 * 1461::bigint / (:rows / 3))::int AS day_id,
       1 + ((:rows / 30)::float8 ^ uniform(i, 10))::bigint * 7919 % (:rows / 30) AS product_id,
       1 + (10 * uniform(i, 11) ^ 3)::int AS quantity, (100 + 30000 * uniform(i, 12) ^ 2)::int AS cents, md5(i::text) AS note
  FROM generate_series(1, :rows) AS i;
ALTER TABLE item ADD PRIMARY KEY (order_id, line);
CREATE INDEX ON item (product_id);
CREATE INDEX ON item USING brin (day_id);

-- The orders again, sixteen partitions of 92 days.
CREATE TABLE orders_by_quarter (LIKE orders) PARTITION BY RANGE (day_id);
SELECT format('CREATE TABLE orders_%s PARTITION OF orders_by_quarter FOR VALUES FROM (%s) TO (%s)', n, 92 * n, 92 * (n + 1))
  FROM generate_series(0, 15) AS n
\gexec
INSERT INTO orders_by_quarter SELECT * FROM orders;
CREATE INDEX ON orders_by_quarter (id);
CREATE INDEX ON orders_by_quarter (customer_id);
CREATE INDEX ON orders_by_quarter (day_id);
COMMIT;
VACUUM (FREEZE, ANALYZE);
SELECT sum(pg_prewarm(oid)) FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace;
