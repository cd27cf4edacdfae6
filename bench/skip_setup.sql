--
-- What the measurements of reading less are about: sales in order of time, as
-- one table with BRIN indexes and as monthly partitions, with a calendar and
-- shops.  psql variable: rows (of each table of sales).
--
BEGIN;                              -- tables made in this transaction need no WAL
-- 30 months, which have 912 days.
CREATE TABLE day AS
SELECT day::date, to_char(day, 'YYYY-MM') AS month, extract(month FROM day)::int AS month_of_year, extract(year FROM day)::int AS year
  FROM generate_series(timestamp '2022-01-01', '2024-06-30', '1 day') AS day;
CREATE TABLE shop AS SELECT i AS id, 1 + i % 10 AS region FROM generate_series(1, 500) AS i;

CREATE TABLE sale AS
SELECT id, date '2022-01-01' + ((id - 1)::bigint * 912 / :rows)::int AS day, 1 + id::bigint * 7919 % 500 AS shop_id,
       id % 19997 AS cents, 'Receipt ' || (1000000000000000000 + id) AS receipt
  FROM generate_series(1, :rows) AS id;
CREATE INDEX sale_day ON sale USING brin (day);
CREATE INDEX sale_id ON sale USING brin (id);

CREATE TABLE sale_by_month (LIKE sale) PARTITION BY RANGE (day);
SELECT format('CREATE TABLE %I PARTITION OF sale_by_month FOR VALUES FROM (%L) TO (%L)', 'sale_' || month, min(day), max(day) + 1)
  FROM day GROUP BY month ORDER BY month
\gexec
INSERT INTO sale_by_month SELECT * FROM sale;

-- Three sales of ten, in no order: some of every page.
CREATE TABLE returned AS SELECT id AS sale_id, id % 7 AS reason FROM sale WHERE id % 10 < 3 ORDER BY hashint4(id);
COMMIT;
VACUUM (FREEZE, ANALYZE);
