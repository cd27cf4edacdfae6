--
-- Third act: filters kept in a table.
--
\echo
\echo :b'3. Filters kept in a table':p
\echo '=========================='
\echo
\echo 'One filter for the customers of each month. Say that the sales themselves go to'
\echo 'an archive: the filters stay, and tell which months are worth fetching for a'
\echo 'customer. All are made for the same number of customers, so that they can be'
\echo 'combined: that of a quarter, which has nearly 500,000 of them.'
\echo

\set ECHO queries
CREATE TABLE month AS
SELECT date_trunc('month', sold_on)::date AS month,
       bloom_agg(customer_id, 500000) AS customers
  FROM sale
 GROUP BY 1;
\set ECHO none
VACUUM ANALYZE month;

\echo
\echo 'When may customer 4711 have bought something?'
\echo
\set ECHO queries
\timing on
SELECT month
  FROM month
 WHERE bloom_contains(customers, 4711)
 ORDER BY month;
\set ECHO none
\echo
\echo 'The truth, from all the sales:'
\echo
\set ECHO queries
SELECT DISTINCT date_trunc('month', sold_on)::date AS month
  FROM sale
 WHERE customer_id = 4711
 ORDER BY month;
\timing off
\set ECHO none

\echo
CREATE INDEX sale_customer ON sale (customer_id, sold_on);
\echo 'An index on the sales would answer as well, and exactly, at the price of its size:'
\echo
SELECT pg_size_pretty(pg_table_size('sale')) AS "all sales",
       pg_size_pretty(pg_table_size('sale_customer')) AS "an index on customer_id, sold_on",
       pg_size_pretty(sum(pg_column_size(customers))) AS "24 filters"
  FROM month;

\echo 'The first question again, for a thousand customers. A month missed would be an'
\echo 'error of the filter, a month in vain is one of its false positives:'
\echo
CREATE TABLE verdict AS
SELECT bloom_contains(customers, id) AS guess,
       (month, id) IN (SELECT date_trunc('month', sold_on)::date, customer_id
                         FROM sale WHERE customer_id <= 1000) AS truth
  FROM month, generate_series(1, 1000) id;
SELECT pretty(count(*)) AS "months asked",
       pretty(count(*) FILTER (WHERE truth)) AS "with sales",
       pretty(count(*) FILTER (WHERE guess)) AS "named",
       count(*) FILTER (WHERE truth AND NOT guess) AS "missed",
       count(*) FILTER (WHERE guess AND NOT truth) AS "in vain"
  FROM verdict;

\echo 'The customers of a quarter are the union of three months. How many they are can be'
\echo 'told from the filter alone, nearly:'
\echo
\set ECHO queries
SELECT date_trunc('quarter', month)::date AS quarter,
       bloom_union_agg(customers) AS customers
  INTO quarter
  FROM month
 GROUP BY 1;
\echo
SELECT quarter, pretty(bloom_cardinality(customers)) AS estimated, pretty(counted) AS counted,
       round(100 * (bloom_cardinality(customers) / counted::numeric - 1), 2) || ' %' AS error
  FROM quarter
  JOIN (SELECT date_trunc('quarter', sold_on)::date AS quarter,
               count(DISTINCT customer_id) AS counted
          FROM sale
         GROUP BY 1) truth USING (quarter)
 WHERE quarter >= '2025-01-01'
 ORDER BY quarter;
\set ECHO none

\echo 'A union is bit for bit the filter that the values of all three months would have'
\echo 'made:'
\echo
\set ECHO queries
SELECT customers = (SELECT bloom_agg(customer_id, 500000)
                      FROM sale
                     WHERE sold_on BETWEEN '2025-01-01' AND '2025-03-31') AS "the same"
  FROM quarter
 WHERE quarter = '2025-01-01';
\set ECHO none

\echo 'And what it has to say about itself:'
\echo
\set ECHO queries
\x on
SELECT (bloom_info(customers)).*
  FROM quarter
 WHERE quarter = '2025-01-01';
\x off
\set ECHO none

-- For the summary.
SELECT pretty(count(*) FILTER (WHERE truth)) AS sold,
       pretty(count(*) FILTER (WHERE truth AND guess)) AS found,
       count(*) FILTER (WHERE truth AND NOT guess) AS missed,
       count(*) FILTER (WHERE guess AND NOT truth) AS in_vain,
       (SELECT pg_size_pretty(sum(pg_column_size(customers))) FROM month) AS months_size
  FROM verdict \gset
