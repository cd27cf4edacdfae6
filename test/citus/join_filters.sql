-- Join filters in what the workers execute: they change no answer.  The
-- setting is one of all nodes, as an administrator would make it.

-- both: tables
CREATE TABLE orders (id bigint NOT NULL, customer_id int, amount int);
CREATE TABLE lines (order_id bigint NOT NULL, product int, n int);
CREATE TABLE customers (id int PRIMARY KEY, region int, name text);
\if :cluster
SELECT create_distributed_table('orders', 'id'), create_distributed_table('lines', 'order_id', colocate_with => 'orders'),
	create_reference_table('customers');
\endif
INSERT INTO orders SELECT i, i * 7919 % 3000, i % 97 FROM generate_series(1, 30000) AS i;
INSERT INTO lines SELECT i % 40000, i % 500, i % 10 FROM generate_series(1, 100000) AS i;
INSERT INTO customers SELECT i, i % 50, 'customer ' || i FROM generate_series(0, 2999) AS i;
ANALYZE orders, lines, customers;
SELECT count(*) FROM lines;

-- cluster: on for everyone
ALTER SYSTEM SET bloomfilter.join_filters = force;
SELECT pg_reload_conf();
SELECT bool_and(success) FROM run_command_on_workers('ALTER SYSTEM SET bloomfilter.join_filters = force');
SELECT bool_and(success) FROM run_command_on_workers('SELECT pg_reload_conf()');
-- until every session has read it
SELECT pg_sleep(1) IS NOT NULL;

-- cluster: tasks have them
SELECT plan('SELECT count(*) FROM lines l JOIN orders o ON o.id = l.order_id WHERE o.amount = 5') LIKE '%bloomfilter build%';

-- both: joins of shards with shards, and with a reference table
SELECT count(*), sum(l.n) FROM lines l JOIN orders o ON o.id = l.order_id WHERE o.amount = 5;
SELECT c.region, count(*), sum(o.amount) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.region < 3 GROUP BY c.region ORDER BY c.region;
SELECT count(*), sum(l.n) FROM lines l JOIN orders o ON o.id = l.order_id JOIN customers c ON c.id = o.customer_id WHERE c.region = 7;
SELECT count(*), sum(l.n) FROM orders o RIGHT JOIN lines l ON o.id = l.order_id;
SELECT count(*) FROM lines l WHERE EXISTS (SELECT FROM orders o WHERE o.id = l.order_id AND o.amount < 3);
SELECT count(*) FROM lines l WHERE NOT EXISTS (SELECT FROM orders o WHERE o.id = l.order_id AND o.amount < 3);

-- both: a join on another column
\if :cluster
SET citus.enable_repartition_joins = on;
\endif
SELECT count(*), sum(o.amount) FROM orders o JOIN lines l ON l.product = o.customer_id WHERE l.n = 3;

-- both: with a filter by hand as well
SELECT count(*), sum(l.n) FROM lines l JOIN orders o ON o.id = l.order_id
WHERE o.amount = 5 AND (SELECT bloom_agg(id) FROM customers WHERE region = 7) @> o.customer_id;

-- cluster: off again
ALTER SYSTEM RESET bloomfilter.join_filters;
SELECT pg_reload_conf();
SELECT bool_and(success) FROM run_command_on_workers('ALTER SYSTEM RESET bloomfilter.join_filters');
SELECT bool_and(success) FROM run_command_on_workers('SELECT pg_reload_conf()');
