-- What docs/filter-index.md says of joins that look up their keys in a filter index.  A region has
-- 100 customers.
CREATE TABLE fact AS
  SELECT i AS id, (hashint4extended(i, 1) & 2147483647) % 1000000 + 1 AS customer, i % 1000 AS amount, repeat('x', 60) AS note
    FROM generate_series(1, 5000000) i;
CREATE TABLE customer AS
  SELECT i::bigint AS id, i % 10000 AS region, 'customer ' || i AS name FROM generate_series(1, 1000000) i;
VACUUM ANALYZE fact, customer;
CREATE INDEX fact_customer ON fact USING bloomfilter (customer);
LOAD 'bloomfilter';
SET bloomfilter.join_filters = on;
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;   -- for 100 customers, the planner would look up each by itself
EXPLAIN (ANALYZE, BUFFERS)
  SELECT sum(amount) FROM fact JOIN customer c ON c.id = fact.customer WHERE region = 42;
