-- Filters and bloom_shard in what the server builds on immutable functions
-- and on types with equality: partitions, views, generated columns, indexes.

-- Hash-like partitioning by bloom_shard, and by the filter itself.
CREATE TABLE sharded (id bigint, note text) PARTITION BY LIST (bloom_shard(id, 3));
CREATE TABLE sharded_0 PARTITION OF sharded FOR VALUES IN (0);
CREATE TABLE sharded_1 PARTITION OF sharded FOR VALUES IN (1);
CREATE TABLE sharded_2 PARTITION OF sharded FOR VALUES IN (2);
INSERT INTO sharded SELECT g, 'note ' || g FROM generate_series(1, 3000) g;
SELECT bool_and(bloom_shard(id, 3) = right(tableoid::regclass::text, 1)::int), count(*) FROM sharded;
EXPLAIN (COSTS OFF) SELECT * FROM sharded WHERE bloom_shard(id, 3) = bloom_shard(42, 3);

CREATE TABLE by_filter (f bloomfilter, note text) PARTITION BY HASH (f);
CREATE TABLE by_filter_0 PARTITION OF by_filter FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_filter_1 PARTITION OF by_filter FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO by_filter SELECT bloom_add(bloom_create(10), g), g FROM generate_series(1, 50) g;
SELECT count(*) FROM by_filter WHERE f = bloom_add(bloom_create(10), 7);
SELECT count(DISTINCT tableoid) FROM by_filter;

-- One filter per partition, kept in a materialized view.
CREATE MATERIALIZED VIEW shard_filters AS
	SELECT c.relname AS part, bloom_agg(id, 2000) AS ids
	  FROM sharded JOIN pg_class c ON c.oid = sharded.tableoid GROUP BY 1;
CREATE UNIQUE INDEX ON shard_filters (part);
SELECT part FROM shard_filters WHERE ids @> 42::bigint;
INSERT INTO sharded SELECT g, 'note ' || g FROM generate_series(3001, 3100) g;
REFRESH MATERIALIZED VIEW CONCURRENTLY shard_filters;
SELECT count(*) FROM sharded s JOIN shard_filters f ON f.part = s.tableoid::regclass::text WHERE NOT ids @> id;

-- Aggregation partition by partition.
SET enable_partitionwise_aggregate = on;
SET max_parallel_workers_per_gather = 0;
SELECT bloom_agg(id, 5000) = (SELECT bloom_agg(g::bigint, 5000) FROM generate_series(1, 3100) g) FROM sharded;
RESET enable_partitionwise_aggregate;
RESET max_parallel_workers_per_gather;

-- Generated columns and check constraints.
CREATE TABLE documents (
	id int PRIMARY KEY,
	words text[] NOT NULL,
	shard int GENERATED ALWAYS AS (bloom_shard(id, 4)) STORED,
	filter bloomfilter GENERATED ALWAYS AS (bloom_add_all(bloom_create(100), words)) STORED,
	CHECK (bloom_cardinality(filter) <= 100)
);
INSERT INTO documents VALUES (1, '{a,b,c}'), (2, '{c,d}'), (3, '{}');
UPDATE documents SET words = words || '{e}' WHERE id = 2;
SELECT id FROM documents WHERE filter @> 'c' ORDER BY id;
SELECT id FROM documents WHERE bloom_contains_any(filter, '{a,e}') ORDER BY id;
SELECT id, shard = bloom_shard(id, 4) AS shard, bloom_cardinality(filter) FROM documents ORDER BY id;
\set VERBOSITY terse
INSERT INTO documents SELECT 4, array_agg(g::text) FROM generate_series(1, 200) g;
\set VERBOSITY default

-- Indexes: hash on the filter, b-tree on expressions.
-- (After an UPDATE, a new one is not used as long as there is an older
-- transaction anywhere: so the table is rewritten first.)
VACUUM FULL documents;
CREATE INDEX ON documents USING hash (filter);
CREATE INDEX ON documents (bloom_shard(id, 4));
CREATE INDEX ON documents (id) WHERE filter @> 'c';
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM documents WHERE filter = bloom_add_all(bloom_create(100), '{a,b,c}'::text[]);
SELECT id FROM documents WHERE filter = bloom_add_all(bloom_create(100), '{a,b,c}'::text[]);
EXPLAIN (COSTS OFF) SELECT id FROM documents WHERE bloom_shard(id, 4) = 2;
EXPLAIN (COSTS OFF) SELECT id FROM documents WHERE filter @> 'c' AND id > 0;
RESET enable_seqscan;

-- ALTER TABLE rewrites carry filters along.
ALTER TABLE documents DROP COLUMN filter;
ALTER TABLE documents ADD COLUMN bytes bytea;
UPDATE documents SET bytes = bloom_add_all(bloom_create(100), words)::bytea;
ALTER TABLE documents ALTER COLUMN bytes TYPE bloomfilter USING bytes::bloomfilter;
SELECT id FROM documents WHERE bytes @> 'c' ORDER BY id;

DROP MATERIALIZED VIEW shard_filters;
DROP TABLE sharded, by_filter, documents;
