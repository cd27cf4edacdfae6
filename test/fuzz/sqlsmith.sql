-- test/fuzz/sqlsmith.sql: what script/sqlsmith lets sqlsmith make queries from.
--
-- Run in a database of its own, whose search_path script/sqlsmith sets.
--
-- Filters of many element types and of every representation in one table,
-- values to look for in another, and views between the two.  So that the
-- queries are about this extension, sqlsmith is shown a pg_proc that holds its
-- functions, and few others: a view in a schema before pg_catalog.

CREATE EXTENSION bloomfilter;

CREATE TABLE items AS
SELECT x AS id,
       x::smallint AS small,
       x * 1000000007::bigint AS big,
       'item ' || x AS label,
       ('item ' || x)::char(12) AS padded,
       (x / 8.0)::float8 AS ratio,
       (x / 7.0)::numeric(9, 3) AS amount,
       x % 2 = 0 AS even,
       date '2024-02-29' + x AS day,
       timestamptz '2024-02-29 12:00+00' + x * interval '1 minute' AS moment,
       md5(x::text)::uuid AS key,
       decode(md5(x::text), 'hex') AS bytes,
       ARRAY[x, x + 1, NULL] AS numbers,
       ARRAY['item ' || x, ''] AS labels,
       int8range(x, x + 10) AS span,
       ('{"x": ' || x || '}')::jsonb AS document
  FROM generate_series(1, 40) x;
ALTER TABLE items ADD PRIMARY KEY (id);

-- One row per size: lists, full lists, blocks, full blocks.
CREATE TABLE filters AS
SELECT p.expected, p.rate,
       bloom_agg(id, p.expected, p.rate) AS ids,
       bloom_agg(big, p.expected, p.rate) AS bigs,
       bloom_agg(label, p.expected, p.rate) AS labels,
       bloom_agg(padded, p.expected, p.rate) AS paddeds,
       bloom_agg(ratio, p.expected, p.rate) AS ratios,
       bloom_agg(amount, p.expected, p.rate) AS amounts,
       bloom_agg(day, p.expected, p.rate) AS days,
       bloom_agg(moment, p.expected, p.rate) AS moments,
       bloom_agg(key, p.expected, p.rate) AS keys,
       bloom_agg(bytes, p.expected, p.rate) AS bytes,
       bloom_agg(numbers, p.expected, p.rate) AS arrays,
       bloom_agg(span, p.expected, p.rate) AS spans,
       bloom_create(p.expected, p.rate, -1) AS empty,
       bloom_agg(id, p.expected, p.rate)::bytea AS wire,
       bloom_agg(id, p.expected, p.rate)::text AS form
  FROM items, (VALUES (1e0, 0.5), (10, 0.01), (40, 0.000001), (1000, 0.01), (30000, 0.001)) p (expected, rate)
 GROUP BY p.expected, p.rate;
INSERT INTO filters (expected) VALUES (NULL);

CREATE VIEW hits AS
SELECT i.*, f.ids, f.labels AS label_filter
  FROM items i JOIN filters f ON f.ids @> i.id OR i.label <@ f.labels;
CREATE VIEW built AS
SELECT even, bloom_agg(id) AS sized_later, bloom_agg(label, 100) AS sized, bloom_union_agg(f.ids) AS ids
  FROM items, filters f GROUP BY even;
CREATE VIEW described AS
SELECT f.expected, (bloom_info(f.ids)).*, f.ids | f.empty AS joined, f.ids & f.ids AS same
  FROM filters f;
ANALYZE items, filters;

CREATE SCHEMA shown;
CREATE VIEW shown.pg_proc AS
SELECT p.*
  FROM pg_catalog.pg_proc p
 WHERE p.pronamespace = 'public'::regnamespace
    OR p.pronamespace = 'pg_catalog'::regnamespace
       AND p.proname IN ('abs', 'array_agg', 'bool_and', 'count', 'float8', 'int4', 'int8', 'length',
                         'lower', 'max', 'md5', 'min', 'numeric', 'row_number', 'text', 'upper');

-- sqlsmith takes operators from pg_catalog itself, and any type for that of a
-- multirange or an enum: such queries fail before they get anywhere.
SET allow_system_table_mods = on;
DELETE FROM pg_catalog.pg_operator
 WHERE 'anymultirange'::regtype IN (oprleft, oprright)
    OR 'anyenum'::regtype IN (oprleft, oprright);
