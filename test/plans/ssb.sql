-- A star as that of the Star Schema Benchmark, whose queries are in bench/generators.py.
-- Its dates are all there, of the others a part.
CREATE TABLE date AS
SELECT to_char(day, 'YYYYMMDD')::int AS d_datekey, extract(year FROM day)::int AS d_year, to_char(day, 'YYYYMM')::int AS d_yearmonthnum,
       to_char(day, 'MonYYYY') AS d_yearmonth, extract(week FROM day)::int AS d_weeknuminyear, rpad('', 60, 'of a date ') AS d_others
  FROM generate_series(date '1992-01-01', date '1998-12-30', '1 day') AS day;
CREATE TABLE regions AS
SELECT n, (ARRAY['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'])[1 + n % 5] AS region,
       CASE n WHEN 1 THEN 'UNITED STATES' WHEN 3 THEN 'UNITED KINGDOM' ELSE 'NATION ' || n END AS nation
  FROM generate_series(0, 24) AS n;
CREATE TABLE supplier AS
SELECT i AS s_suppkey, rpad(upper(nation), 9) || scattered(i, 1, 10) AS s_city, nation AS s_nation, region AS s_region, rpad('', 60, 'of a supplier ') AS s_others
  FROM generate_series(1, 2000) AS i JOIN regions ON n = scattered(i, 2, 25);
CREATE TABLE customer AS
SELECT i * 5 AS c_custkey, rpad(upper(nation), 9) || scattered(i, 3, 10) AS c_city, nation AS c_nation, region AS c_region, rpad('', 70, 'of a customer ') AS c_others
  FROM generate_series(1, 6000) AS i JOIN regions ON n = scattered(i, 4, 25);
CREATE TABLE part AS
SELECT i * 20 AS p_partkey, 'MFGR#' || m AS p_mfgr, 'MFGR#' || m || c AS p_category, 'MFGR#' || m || c || 1 + scattered(i, 7, 40) AS p_brand1,
       rpad('', 60, 'of a part ') AS p_others
  FROM generate_series(1, 10000) AS i, LATERAL (SELECT 1 + scattered(i, 5, 5) AS m, 1 + scattered(i, 6, 5) AS c) AS made;
CREATE TABLE lineorder AS
SELECT i * 500 AS lo_orderkey, 1 + i % 7 AS lo_linenumber, 1 + scattered(i, 8, 30000) AS lo_custkey, 1 + scattered(i, 9, 200000) AS lo_partkey,
       1 + scattered(i, 10, 2000) AS lo_suppkey, to_char(date '1992-01-01' + scattered(i, 11, 2406), 'YYYYMMDD')::int AS lo_orderdate,
       1 + scattered(i, 12, 50) AS lo_quantity, 90000 + scattered(i, 13, 10000000) AS lo_extendedprice, scattered(i, 14, 11) AS lo_discount,
       80000 + scattered(i, 15, 10000000) AS lo_revenue, 50000 + scattered(i, 16, 70000) AS lo_supplycost, rpad('', 32, 'of a line ') AS lo_others
  FROM generate_series(1, 12000) AS i;
ALTER TABLE date ADD PRIMARY KEY (d_datekey);
ALTER TABLE supplier ADD PRIMARY KEY (s_suppkey);
ALTER TABLE customer ADD PRIMARY KEY (c_custkey);
ALTER TABLE part ADD PRIMARY KEY (p_partkey);
ALTER TABLE lineorder ADD PRIMARY KEY (lo_orderkey, lo_linenumber);
CREATE INDEX ON lineorder (lo_custkey);
CREATE INDEX ON lineorder (lo_partkey);
CREATE INDEX ON lineorder (lo_suppkey);
CREATE INDEX ON lineorder (lo_orderdate);
CREATE TABLE ssb_by_time.lineorder (LIKE lineorder);
INSERT INTO ssb_by_time.lineorder SELECT * FROM lineorder ORDER BY lo_orderdate;
CREATE INDEX ON ssb_by_time.lineorder (lo_custkey);
CREATE INDEX ON ssb_by_time.lineorder (lo_partkey);
CREATE INDEX ON ssb_by_time.lineorder (lo_suppkey);
CREATE INDEX lineorder_orderdate ON ssb_by_time.lineorder USING brin (lo_orderdate) WITH (pages_per_range = 16);
\set distinct 'ALTER lo_orderkey SET (n_distinct = -0.25), ALTER lo_custkey SET (n_distinct = 20000), ALTER lo_partkey SET (n_distinct = 200000), ALTER lo_suppkey SET (n_distinct = 2000), ALTER lo_orderdate SET (n_distinct = 2406)'
ALTER TABLE lineorder :distinct;
ALTER TABLE ssb_by_time.lineorder :distinct;
INSERT INTO sizes VALUES ('customer', 30000), ('part', 200000), ('lineorder', 6001215), ('ssb_by_time.lineorder', 6001215);
