-- Lookups by filter indexes.
CREATE TABLE events AS
SELECT i * 500 AS id, md5(i::text)::uuid AS trace, 1 + scattered(i, 1, 1000000) AS customer, 'user' || scattered(i, 2, 2000000) || '@example.com' AS mail,
       ARRAY['tag' || scattered(i, 3, 50000), 'tag' || scattered(i, 4, 50000)] AS tags, timestamptz '2026-01-01 00:00+00' + i * interval '1 hour' AS at, rpad('', 60, 'of an event ') AS message
  FROM generate_series(1, 10000) AS i;
CREATE TABLE parts (id int, day date, visitor int, path text) PARTITION BY RANGE (day);
SELECT format('CREATE TABLE parts_%s PARTITION OF parts FOR VALUES FROM (%L) TO (%L)', n, date '2026-01-01' + n * 30, date '2026-01-01' + (n + 1) * 30) FROM generate_series(0, 5) AS n
\gexec
INSERT INTO parts SELECT i, date '2026-01-01' + i * 180 / 12001, 1 + scattered(i, 5, 500000), rpad('/path/' || scattered(i, 6, 1000), 60, '/') FROM generate_series(1, 12000) AS i;
CREATE TABLE customers AS SELECT i * 100 AS id, scattered(i, 7, 5000) AS region, CASE WHEN i % 100 = 0 THEN 'some' ELSE 'others' END AS kind FROM generate_series(1, 10000) AS i;
ALTER TABLE customers ADD PRIMARY KEY (id);
CREATE INDEX events_trace ON events USING bloomfilter (trace);
CREATE INDEX events_both ON events USING bloomfilter (customer, mail);
CREATE INDEX events_tags ON events USING bloomfilter (tags array_key_ops);
CREATE INDEX parts_visitor ON parts USING bloomfilter (visitor);
ALTER TABLE events ALTER customer SET (n_distinct = 990000), ALTER mail SET (n_distinct = 1800000);
ALTER TABLE parts ALTER visitor SET (n_distinct_inherited = 490000);
SELECT format('ALTER TABLE %s ALTER visitor SET (n_distinct = -0.5)', inhrelid::regclass) FROM pg_inherits WHERE inhparent = 'parts'::regclass
\gexec
INSERT INTO sizes VALUES ('events', 5000000), ('customers', 1000000);
INSERT INTO sizes SELECT inhrelid, 600000 FROM pg_inherits WHERE inhparent = 'parts'::regclass;

-- query one
SELECT * FROM events WHERE trace = '202cb962-ac59-075b-964b-07152d234b70'
-- query some
SELECT * FROM events WHERE customer IN (7, 77, 777)
-- query two columns
SELECT * FROM events WHERE customer = 7 AND mail = 'user7@example.com'
-- query second column
SELECT * FROM events WHERE mail = 'user7@example.com'
-- query two indexes
SELECT * FROM events WHERE customer = 7 OR trace = '202cb962-ac59-075b-964b-07152d234b70'
-- query element
SELECT * FROM events WHERE tags @> '{tag7}'
-- query elements
SELECT * FROM events WHERE tags && '{tag7,tag77}'
-- query newest
SELECT * FROM events WHERE customer = 7 ORDER BY at DESC LIMIT 10
-- query partitions
SELECT * FROM parts WHERE visitor = 7
-- query partitions of some days
SELECT count(*) FROM parts WHERE visitor = ANY ('{7,77,777}') AND day >= date '2026-05-01'
-- query join of one
SELECT * FROM customers JOIN events ON customer = customers.id WHERE customers.id = 700
-- query join of few
SELECT count(*) FROM customers JOIN events ON customer = customers.id WHERE region = 42 AND kind = 'some'
-- query join of some
SELECT count(*) FROM customers JOIN events ON customer = customers.id WHERE region < 5
-- query join of many
SELECT count(*) FROM customers JOIN events ON customer = customers.id WHERE region < 15
-- query join of partitions
SELECT count(*) FROM customers JOIN parts ON visitor = customers.id WHERE region = 42
-- query array of a sub-select
SELECT count(*) FROM events WHERE customer = ANY (ARRAY(SELECT id FROM customers WHERE region = 42 AND kind = 'some'))
