-- Sales of three channels, with what came back and what is in stock, and queries in the shape of TPC-DS' (the numbers
-- name its queries that are alike).  In order of time, the facts have BRIN indexes of their days; in parts, partitions.
CREATE TABLE days AS
SELECT i AS d_id, date '1900-01-02' + i AS d_day, extract(year FROM day)::int AS d_year, extract(month FROM day)::int AS d_month,
       ((extract(year FROM day) - 1900) * 12 + extract(month FROM day))::int AS d_months, i / 7 AS d_weeks, extract(quarter FROM day)::int AS d_quarter,
       extract(day FROM day)::int AS d_of_month, to_char(day, 'FMDay') AS d_name, rpad('', 60, 'of a day ') AS d_others
  FROM (SELECT n * 10 AS i, date '1900-01-02' + n * 10 AS day FROM generate_series(0, 7304) AS n) AS made;
CREATE TABLE goods AS
SELECT i * 3 AS g_id, 'GOOD' || lpad(i::text, 12, '0') AS g_code, 'Category ' || scattered(i, 1, 10) AS g_category, 'Class ' || scattered(i, 2, 100) AS g_class,
       'Brand ' || scattered(i, 3, 700) AS g_brand, 'Maker ' || scattered(i, 4, 1000) AS g_maker, 1 + scattered(i, 5, 100) AS g_manager, scattered(i, 6, 10000) AS g_price,
       'Colour ' || scattered(i, 7, 92) AS g_colour, rpad('', 150, 'of goods ') AS g_others
  FROM generate_series(1, 6000) AS i;
CREATE TABLE homes AS
SELECT i * 10 AS h_id, 'City ' || scattered(i, 8, 700) AS h_city, 'County ' || scattered(i, 9, 1800) AS h_county, 'S' || scattered(i, 10, 51) AS h_state,
       10000 + scattered(i, 11, 8000) AS h_zip, -scattered(i, 12, 5) - 5 AS h_hours, rpad('', 60, 'of a home ') AS h_others
  FROM generate_series(1, 5000) AS i;
CREATE TABLE people AS
SELECT i * 10 AS p_id, 'PERSON' || i AS p_code, 1 + scattered(i, 13, 1920800) AS p_kind, 1 + scattered(i, 14, 7200) AS p_household, 1 + scattered(i, 15, 50000) AS p_home,
       'Name ' || scattered(i, 16, 5000) AS p_name, 1924 + scattered(i, 17, 69) AS p_born, rpad('', 70, 'of a person ') AS p_others
  FROM generate_series(1, 10000) AS i;
CREATE TABLE kinds AS
SELECT i * 192 AS k_id, (ARRAY['F', 'M'])[1 + scattered(i, 18, 2)] AS k_sex, (ARRAY['S', 'M', 'D', 'W', 'U'])[1 + scattered(i, 19, 5)] AS k_married,
       'Education ' || scattered(i, 20, 7) AS k_education, scattered(i, 21, 7) AS k_children
  FROM generate_series(1, 10000) AS i;
CREATE TABLE households AS
SELECT i AS hh_id, 1 + scattered(i, 22, 20) AS hh_income, 'Buys ' || scattered(i, 23, 6) AS hh_buys, scattered(i, 24, 10) AS hh_children, scattered(i, 25, 6) - 1 AS hh_cars
  FROM generate_series(1, 7200) AS i;
CREATE TABLE hours AS SELECT i * 10 AS t_id, i / 360 AS t_hour, i / 6 % 60 AS t_minute, rpad('', 40, 'of a time ') AS t_others FROM generate_series(0, 8639) AS i;
CREATE TABLE shops AS SELECT i AS s_id, 'Shop ' || i / 2 AS s_name, 'S' || i % 3 AS s_state, 'County ' || i % 4 AS s_county, rpad('', 200, 'of a shop ') AS s_others FROM generate_series(1, 12) AS i;
CREATE TABLE offers AS SELECT i AS o_id, (ARRAY['N', 'N', 'Y'])[1 + i % 3] AS o_email, (ARRAY['N', 'Y'])[1 + i % 2] AS o_event, rpad('', 90, 'of an offer ') AS o_others FROM generate_series(1, 300) AS i;
CREATE TABLE depots AS SELECT i AS w_id, 'Depot ' || i AS w_name, 'S' || i AS w_state FROM generate_series(1, 5) AS i;
CREATE FUNCTION a_day(i int, salt int) RETURNS int LANGUAGE sql IMMUTABLE RETURN CASE WHEN scattered(i, salt, 22) > 0 THEN 35794 + scattered(i, salt + 1, 1823) END;
CREATE TABLE shop_sales AS
SELECT a_day(i, 30) AS ss_day, 28800 + scattered(i, 32, 46000) AS ss_hour, 1 + scattered(i, 33, 18000) AS ss_good, 1 + scattered(i, 34, 100000) AS ss_person,
       1 + scattered(i, 35, 1920800) AS ss_kind, 1 + scattered(i, 36, 7200) AS ss_household, 1 + scattered(i, 37, 50000) AS ss_home, 1 + scattered(i, 38, 12) AS ss_shop,
       1 + scattered(i, 39, 300) AS ss_offer, i * 20 AS ss_ticket, 1 + scattered(i, 40, 100) AS ss_quantity, scattered(i, 41, 20000)::numeric(7, 2) AS ss_price,
       scattered(i, 42, 10000)::numeric(7, 2) AS ss_cost, scattered(i, 43, 20000)::numeric(7, 2) AS ss_paid, scattered(i, 44, 20000)::numeric(7, 2) AS ss_profit, rpad('', 40, 'of a sale ') AS ss_others
  FROM generate_series(1, 12000) AS i;
CREATE TABLE shop_returns AS
SELECT a_day(i, 50) AS sr_day, 1 + scattered(i, 52, 18000) AS sr_good, 1 + scattered(i, 53, 100000) AS sr_person, i * 48 AS sr_ticket, 1 + scattered(i, 54, 12) AS sr_shop,
       1 + scattered(i, 55, 100) AS sr_quantity, scattered(i, 56, 20000)::numeric(7, 2) AS sr_amount, scattered(i, 57, 20000)::numeric(7, 2) AS sr_loss, rpad('', 60, 'of a return ') AS sr_others
  FROM generate_series(1, 5000) AS i;
CREATE TABLE post_sales AS
SELECT a_day(i, 60) AS ps_day, 1 + scattered(i, 62, 18000) AS ps_good, 1 + scattered(i, 63, 100000) AS ps_person, 1 + scattered(i, 64, 1920800) AS ps_kind,
       1 + scattered(i, 65, 50000) AS ps_home, 1 + scattered(i, 66, 5) AS ps_depot, 1 + scattered(i, 67, 300) AS ps_offer, i * 16 AS ps_order, 1 + scattered(i, 68, 100) AS ps_quantity,
       scattered(i, 69, 20000)::numeric(7, 2) AS ps_price, scattered(i, 70, 20000)::numeric(7, 2) AS ps_profit, 35800 + scattered(i, 71, 1900) AS ps_shipped, rpad('', 120, 'of a sale ') AS ps_others
  FROM generate_series(1, 10000) AS i;
CREATE TABLE net_sales AS
SELECT a_day(i, 80) AS ns_day, scattered(i, 82, 86400) AS ns_hour, 1 + scattered(i, 83, 18000) AS ns_good, 1 + scattered(i, 84, 100000) AS ns_person,
       1 + scattered(i, 85, 50000) AS ns_home, 1 + scattered(i, 86, 5) AS ns_depot, i * 6 AS ns_order, 1 + scattered(i, 87, 100) AS ns_quantity,
       scattered(i, 88, 20000)::numeric(7, 2) AS ns_price, scattered(i, 89, 20000)::numeric(7, 2) AS ns_profit, rpad('', 130, 'of a sale ') AS ns_others
  FROM generate_series(1, 10000) AS i;
CREATE TABLE net_returns AS
SELECT a_day(i, 90) AS nr_day, 1 + scattered(i, 92, 18000) AS nr_good, 1 + scattered(i, 93, 100000) AS nr_person, i * 12 AS nr_order, scattered(i, 94, 20000)::numeric(7, 2) AS nr_amount,
       rpad('', 70, 'of a return ') AS nr_others
  FROM generate_series(1, 5000) AS i;
CREATE TABLE stock AS
SELECT 35794 + i / 46 * 7 AS st_day, 1 + scattered(i, 100, 18000) AS st_good, 1 + scattered(i, 101, 5) AS st_depot, scattered(i, 102, 1000) AS st_quantity
  FROM generate_series(0, 11999) AS i;

-- the same facts in order of time, and the largest in parts
CREATE TABLE tpcds_by_time.shop_sales (LIKE shop_sales);
CREATE TABLE tpcds_by_time.post_sales (LIKE post_sales);
CREATE TABLE tpcds_by_time.net_sales (LIKE net_sales);
CREATE TABLE tpcds_by_time.shop_returns (LIKE shop_returns);
INSERT INTO tpcds_by_time.shop_sales SELECT * FROM shop_sales ORDER BY ss_day;
INSERT INTO tpcds_by_time.post_sales SELECT * FROM post_sales ORDER BY ps_day;
INSERT INTO tpcds_by_time.net_sales SELECT * FROM net_sales ORDER BY ns_day;
INSERT INTO tpcds_by_time.shop_returns SELECT * FROM shop_returns ORDER BY sr_day;
CREATE TABLE tpcds_in_parts.shop_sales (LIKE shop_sales) PARTITION BY RANGE (ss_day);
SELECT format('CREATE TABLE tpcds_in_parts.shop_sales_%s PARTITION OF tpcds_in_parts.shop_sales FOR VALUES FROM (%s) TO (%s)', n, 35794 + 183 * n, 35794 + 183 * (n + 1))
  FROM generate_series(0, 9) AS n
\gexec
CREATE TABLE tpcds_in_parts.shop_sales_others PARTITION OF tpcds_in_parts.shop_sales DEFAULT;
INSERT INTO tpcds_in_parts.shop_sales SELECT * FROM shop_sales;

SELECT format('ALTER TABLE %s.%s ADD PRIMARY KEY (%s)', schema, of, key)
  FROM (VALUES ('days', 'd_id'), ('goods', 'g_id'), ('homes', 'h_id'), ('people', 'p_id'), ('kinds', 'k_id'), ('households', 'hh_id'), ('hours', 't_id'), ('shops', 's_id'),
	('offers', 'o_id'), ('depots', 'w_id'), ('stock', 'st_day, st_good, st_depot'), ('shop_sales', 'ss_good, ss_ticket'), ('post_sales', 'ps_good, ps_order'),
	('net_sales', 'ns_good, ns_order'), ('shop_returns', 'sr_good, sr_ticket'), ('net_returns', 'nr_good, nr_order')) AS keys (of, key), (VALUES ('tpcds'), ('tpcds_by_time')) AS s (schema)
 WHERE to_regclass(schema || '.' || of) IS NOT NULL
\gexec
SELECT format('CREATE INDEX ON %s.%s (%s)', schema, of, key)
  FROM (VALUES ('shop_sales', 'ss_day'), ('shop_sales', 'ss_person'), ('shop_sales', 'ss_home'), ('shop_sales', 'ss_kind'), ('shop_sales', 'ss_household'), ('shop_sales', 'ss_hour'),
	('shop_sales', 'ss_shop'), ('post_sales', 'ps_day'), ('post_sales', 'ps_person'), ('post_sales', 'ps_home'), ('net_sales', 'ns_day'), ('net_sales', 'ns_person'), ('net_sales', 'ns_home'),
	('shop_returns', 'sr_day'), ('shop_returns', 'sr_person'), ('people', 'p_home'), ('people', 'p_kind'), ('people', 'p_household')) AS keys (of, key),
	(VALUES ('tpcds'), ('tpcds_by_time'), ('tpcds_in_parts')) AS s (schema)
 WHERE to_regclass(schema || '.' || of) IS NOT NULL AND NOT (schema = 'tpcds_by_time' AND key LIKE '%_day')
\gexec
CREATE INDEX shop_sales_days ON tpcds_by_time.shop_sales USING brin (ss_day) WITH (pages_per_range = 16);
CREATE INDEX post_sales_days ON tpcds_by_time.post_sales USING brin (ps_day) WITH (pages_per_range = 16);
CREATE INDEX net_sales_days ON tpcds_by_time.net_sales USING brin (ns_day) WITH (pages_per_range = 16);
CREATE INDEX shop_returns_days ON tpcds_by_time.shop_returns USING brin (sr_day) WITH (pages_per_range = 16);

-- how many distinct values there are in the columns of facts, of which there is a part
SELECT format('ALTER TABLE %s ALTER %I SET (n_distinct = %s)', attrelid::regclass, attname, number)
  FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid AND relkind = 'r' JOIN
	(VALUES ('s_day', 1823), ('r_day', 1823), ('s_good', 18000), ('r_good', 18000), ('s_person', 95000), ('r_person', 80000), ('s_kind', 1000000), ('s_household', 7200), ('s_home', 50000),
	('s_hour', 46000), ('s_ticket', 240000), ('r_ticket', 170000), ('s_order', -0.1), ('r_order', -0.7), ('t_day', 261), ('t_good', 18000), ('p_home', 43000), ('p_kind', 95000)) AS d (column_name, number)
	ON attname LIKE '%' || column_name
 WHERE relnamespace::regnamespace::text LIKE 'tpcds%' AND attnum > 0
\gexec
INSERT INTO sizes SELECT c.oid, d.rows FROM pg_class AS c JOIN
	(VALUES ('days', 73049), ('goods', 18000), ('homes', 50000), ('people', 100000), ('kinds', 1920800), ('hours', 86400), ('shop_sales', 2880404), ('shop_returns', 287514), ('post_sales', 1441548),
	('net_sales', 719384), ('net_returns', 71763), ('stock', 11745000)) AS d (name, rows) ON relname = name
 WHERE relnamespace::regnamespace::text LIKE 'tpcds%' AND relkind = 'r';
INSERT INTO sizes SELECT inhrelid, 2880404 / 10 FROM pg_inherits WHERE inhparent = 'tpcds_in_parts.shop_sales'::regclass;

-- query 3
SELECT d_year, g_brand, sum(ss_price) FROM days JOIN shop_sales ON ss_day = d_id JOIN goods ON g_id = ss_good WHERE g_maker = 'Maker 128' AND d_month = 11
 GROUP BY d_year, g_brand ORDER BY d_year, 3 DESC LIMIT 100
-- query 7
SELECT g_code, avg(ss_quantity), avg(ss_price), avg(ss_profit) FROM shop_sales JOIN kinds ON k_id = ss_kind JOIN days ON d_id = ss_day JOIN goods ON g_id = ss_good JOIN offers ON o_id = ss_offer
 WHERE k_sex = 'M' AND k_married = 'S' AND k_education = 'Education 3' AND (o_email = 'N' OR o_event = 'N') AND d_year = 2000 GROUP BY g_code ORDER BY g_code LIMIT 100
-- query 42
SELECT d_year, g_category, sum(ss_price) FROM days JOIN shop_sales ON ss_day = d_id JOIN goods ON g_id = ss_good WHERE g_manager = 1 AND d_month = 11 AND d_year = 2000
 GROUP BY d_year, g_category ORDER BY 3 DESC LIMIT 100
-- query 46
SELECT p_name, h_city, bought, ss_ticket, amount FROM (SELECT ss_ticket, ss_person, h_city AS bought, sum(ss_paid) AS amount FROM shop_sales JOIN days ON d_id = ss_day
  JOIN shops ON s_id = ss_shop JOIN households ON hh_id = ss_household JOIN homes ON h_id = ss_home WHERE (hh_children = 4 OR hh_cars = 3) AND d_name IN ('Saturday', 'Sunday')
   AND d_year IN (1999, 2000, 2001) AND s_state = 'S1' GROUP BY ss_ticket, ss_person, ss_home, h_city) AS visits JOIN people ON p_id = ss_person JOIN homes ON h_id = p_home
 WHERE h_city <> bought ORDER BY p_name LIMIT 100
-- query 96
SELECT count(*) FROM shop_sales JOIN households ON hh_id = ss_household JOIN hours ON t_id = ss_hour JOIN shops ON s_id = ss_shop
 WHERE t_hour = 20 AND t_minute >= 30 AND hh_children = 7 AND s_name = 'Shop 3'
-- query 1
WITH returned AS (SELECT sr_person, sr_shop, sum(sr_amount) AS total FROM shop_returns JOIN days ON d_id = sr_day WHERE d_year = 2000 GROUP BY sr_person, sr_shop)
SELECT p_code FROM returned AS a JOIN shops ON s_id = sr_shop JOIN people ON p_id = sr_person WHERE total > (SELECT avg(total) * 1.2 FROM returned AS b WHERE b.sr_shop = a.sr_shop)
   AND s_state = 'S1' ORDER BY p_code LIMIT 100
-- query 2
WITH sales AS (SELECT ps_day AS day, ps_price AS price FROM post_sales UNION ALL SELECT ns_day, ns_price FROM net_sales),
  weeks AS (SELECT d_weeks, sum(price) FILTER (WHERE d_name = 'Monday') AS mondays, sum(price) FILTER (WHERE d_name = 'Sunday') AS sundays FROM sales JOIN days ON d_id = day GROUP BY d_weeks)
SELECT a.d_weeks, a.mondays / b.mondays, a.sundays / b.sundays FROM weeks AS a JOIN (SELECT DISTINCT d_weeks FROM days WHERE d_year = 2001) AS y ON y.d_weeks = a.d_weeks JOIN weeks AS b ON b.d_weeks = a.d_weeks + 53
 ORDER BY a.d_weeks
-- query 6
SELECT h_state, count(*) FROM homes JOIN people ON p_home = h_id JOIN shop_sales ON ss_person = p_id JOIN days ON d_id = ss_day JOIN goods AS g ON g.g_id = ss_good
 WHERE d_months = (SELECT DISTINCT d_months FROM days WHERE d_year = 2001 AND d_month = 1) AND g.g_price > (SELECT 1.2 * avg(h.g_price) FROM goods AS h WHERE h.g_category = g.g_category)
 GROUP BY h_state HAVING count(*) >= 10 ORDER BY count(*) LIMIT 100
-- query 10
SELECT k_sex, k_married, k_education, count(*) FROM people JOIN homes ON h_id = p_home JOIN kinds ON k_id = p_kind WHERE h_county IN ('County 1', 'County 200', 'County 500')
   AND EXISTS (SELECT FROM shop_sales JOIN days ON d_id = ss_day WHERE ss_person = p_id AND d_year = 2002 AND d_month BETWEEN 1 AND 4)
   AND (EXISTS (SELECT FROM net_sales JOIN days ON d_id = ns_day WHERE ns_person = p_id AND d_year = 2002 AND d_month BETWEEN 1 AND 4)
     OR EXISTS (SELECT FROM post_sales JOIN days ON d_id = ps_day WHERE ps_person = p_id AND d_year = 2002 AND d_month BETWEEN 1 AND 4))
 GROUP BY k_sex, k_married, k_education ORDER BY k_sex, k_married, k_education LIMIT 100
-- query 14
SELECT count(*), sum(ss_price) FROM shop_sales JOIN goods ON g_id = ss_good JOIN days ON d_id = ss_day WHERE d_year = 2001 AND d_month = 11 AND g_id IN (
  SELECT ss_good FROM shop_sales JOIN days ON d_id = ss_day WHERE d_year BETWEEN 1999 AND 2001 INTERSECT SELECT ns_good FROM net_sales JOIN days ON d_id = ns_day WHERE d_year BETWEEN 1999 AND 2001)
-- query 17
SELECT g_code, count(ss_quantity), avg(sr_quantity), avg(ps_quantity) FROM shop_sales JOIN shop_returns ON sr_person = ss_person AND sr_good = ss_good AND sr_ticket = ss_ticket
  JOIN post_sales ON ps_person = sr_person AND ps_good = sr_good JOIN days AS a ON a.d_id = ss_day JOIN days AS b ON b.d_id = sr_day JOIN days AS c ON c.d_id = ps_day JOIN goods ON g_id = ss_good
 WHERE a.d_year = 2001 AND a.d_quarter = 1 AND b.d_year = 2001 AND c.d_year = 2001 GROUP BY g_code ORDER BY g_code LIMIT 100
-- query 21
SELECT w_name, g_code, sum(st_quantity) FILTER (WHERE d_day < date '2000-03-11'), sum(st_quantity) FILTER (WHERE d_day >= date '2000-03-11') FROM stock JOIN depots ON w_id = st_depot
  JOIN goods ON g_id = st_good JOIN days ON d_id = st_day WHERE g_price BETWEEN 99 AND 149 AND d_day BETWEEN date '2000-02-10' AND date '2000-04-10' GROUP BY w_name, g_code ORDER BY w_name, g_code LIMIT 100
-- query 23
WITH frequent AS (SELECT ss_good AS good FROM shop_sales JOIN days ON d_id = ss_day WHERE d_year IN (2000, 2001, 2002, 2003) GROUP BY ss_good, d_day HAVING count(*) > 4)
SELECT sum(ps_quantity * ps_price) FROM post_sales JOIN days ON d_id = ps_day WHERE d_year = 2000 AND d_month = 2 AND ps_good IN (SELECT good FROM frequent)
-- query 37
SELECT g_code, g_price FROM goods JOIN stock ON st_good = g_id JOIN days ON d_id = st_day JOIN post_sales ON ps_good = g_id WHERE g_price BETWEEN 6800 AND 9800
   AND d_day BETWEEN date '2000-02-01' AND date '2000-04-01' AND g_maker IN ('Maker 67', 'Maker 94', 'Maker 69', 'Maker 80') AND st_quantity BETWEEN 100 AND 500 GROUP BY g_code, g_price LIMIT 100
-- query 47
SELECT * FROM (SELECT g_category, g_brand, s_name, d_year, d_month, sum(ss_price) AS total, avg(sum(ss_price)) OVER (PARTITION BY g_category, g_brand, s_name, d_year) AS usual
  FROM goods JOIN shop_sales ON ss_good = g_id JOIN days ON d_id = ss_day JOIN shops ON s_id = ss_shop WHERE d_year = 1999 GROUP BY g_category, g_brand, s_name, d_year, d_month) AS m
 WHERE usual > 0 AND abs(total - usual) > usual / 10 ORDER BY total - usual LIMIT 100
-- query 67
SELECT g_category, g_class, d_year, s_name, sum(ss_price * ss_quantity) FROM shop_sales JOIN days ON d_id = ss_day JOIN shops ON s_id = ss_shop JOIN goods ON g_id = ss_good
 WHERE d_months BETWEEN 1200 AND 1211 GROUP BY ROLLUP (g_category, g_class, d_year, s_name) LIMIT 100
-- query 69, sums of persons
SELECT p_name, bought.total FROM people JOIN (SELECT ss_person, sum(ss_paid) AS total, count(*) AS number FROM shop_sales GROUP BY ss_person) AS bought ON ss_person = p_id
 WHERE p_born = 1970 AND p_name = 'Name 77'
-- query 78
SELECT a.ss_person, a.quantity, b.quantity FROM (SELECT d_year, ss_good, ss_person, sum(ss_quantity) AS quantity FROM shop_sales LEFT JOIN shop_returns ON sr_ticket = ss_ticket AND sr_good = ss_good
  JOIN days ON d_id = ss_day WHERE sr_ticket IS NULL GROUP BY d_year, ss_good, ss_person) AS a LEFT JOIN (SELECT d_year, ns_good, ns_person, sum(ns_quantity) AS quantity FROM net_sales
  LEFT JOIN net_returns ON nr_order = ns_order AND nr_good = ns_good JOIN days ON d_id = ns_day WHERE nr_order IS NULL GROUP BY d_year, ns_good, ns_person) AS b
    ON b.d_year = a.d_year AND ns_good = ss_good AND ns_person = ss_person WHERE b.quantity > 0 AND a.d_year = 2000 LIMIT 100
-- query 87
SELECT count(*) FROM (SELECT DISTINCT p_name, d_day FROM shop_sales JOIN days ON d_id = ss_day JOIN people ON p_id = ss_person WHERE d_months BETWEEN 1200 AND 1211
 EXCEPT SELECT DISTINCT p_name, d_day FROM post_sales JOIN days ON d_id = ps_day JOIN people ON p_id = ps_person WHERE d_months BETWEEN 1200 AND 1211) AS cool
-- query 93
SELECT ss_person, sum(ss_price) FROM shop_sales LEFT JOIN shop_returns ON sr_good = ss_good AND sr_ticket = ss_ticket JOIN offers ON o_id = ss_offer WHERE o_event = 'Y' AND sr_quantity > 90
 GROUP BY ss_person ORDER BY 2 LIMIT 100
-- query 97
WITH shop AS (SELECT ss_person AS person, ss_good AS good FROM shop_sales JOIN days ON d_id = ss_day WHERE d_months BETWEEN 1200 AND 1211 GROUP BY ss_person, ss_good),
  post AS (SELECT ps_person AS person, ps_good AS good FROM post_sales JOIN days ON d_id = ps_day WHERE d_months BETWEEN 1200 AND 1211 GROUP BY ps_person, ps_good)
SELECT count(shop.good), count(post.good) FROM shop FULL JOIN post USING (person, good)
-- query 99
SELECT w_name, count(*) FILTER (WHERE ps_shipped - ps_day <= 30), count(*) FROM post_sales JOIN depots ON w_id = ps_depot JOIN days ON d_id = ps_shipped WHERE d_months BETWEEN 1200 AND 1211 GROUP BY w_name
