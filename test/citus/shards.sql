-- Shards with filters move from node to node, and are split.  What is asked
-- before and after gives the same.

-- both: tables
CREATE TABLE sets (id bigint PRIMARY KEY, f bloomfilter, note text);
CREATE TABLE items (id bigint NOT NULL, x int);
\if :cluster
SELECT create_distributed_table('sets', 'id'), create_distributed_table('items', 'id', colocate_with => 'sets');
\endif
INSERT INTO items SELECT i % 500, i * 7919 % 100000 FROM generate_series(1, 50000) AS i;
INSERT INTO sets SELECT id, bloom_agg(x, 100), 'small' FROM items GROUP BY id;
INSERT INTO sets SELECT 1000 + i, bloom_add_all(bloom_create(20000, 0.001), ARRAY(SELECT generate_series(i, i + 5000))), 'large'
FROM generate_series(1, 40) AS i;
CREATE VIEW answers AS SELECT * FROM
	(SELECT count(*), md5(string_agg(id || f::text, ',' ORDER BY id)) FROM sets) AS filters (n, digest),
	(SELECT count(*) FROM sets s JOIN items i USING (id) WHERE NOT s.f @> i.x) AS missing (missing),
	(SELECT md5(bloom_union_agg(f)::text) FROM sets WHERE note = 'large' AND id % 2 = 0) AS united (united),
	(SELECT count(*) FROM sets WHERE note = 'small' AND f @> 5007) AS holding (holding);
SELECT * FROM answers;

-- cluster: a shard moves while its table is locked
SELECT citus_move_shard_placement(p.shardid, p.nodename, p.nodeport, other.nodename, other.nodeport, 'block_writes')
FROM pg_dist_shard_placement p JOIN pg_dist_node other ON other.groupid > 0 AND other.nodeport <> p.nodeport
WHERE p.shardid = (SELECT min(shardid) FROM pg_dist_shard WHERE logicalrelid = 'sets'::regclass);
SELECT :ROW_COUNT = 1;

-- cluster: another one moves by logical replication
SELECT citus_move_shard_placement(p.shardid, p.nodename, p.nodeport, other.nodename, other.nodeport, 'force_logical')
FROM pg_dist_shard_placement p JOIN pg_dist_node other ON other.groupid > 0 AND other.nodeport <> p.nodeport
WHERE p.shardid = (SELECT max(shardid) FROM pg_dist_shard WHERE logicalrelid = 'sets'::regclass);
SELECT :ROW_COUNT = 1;

-- both: after moving
SELECT * FROM answers;

-- cluster: a shard is split while its table is locked
SELECT citus_split_shard_by_split_points(shardid, ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text],
	ARRAY(SELECT nodeid FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid), 'block_writes')
FROM pg_dist_shard WHERE logicalrelid = 'sets'::regclass ORDER BY shardminvalue::int LIMIT 1;
SELECT :ROW_COUNT = 1;

-- cluster: another one is split by logical replication
SELECT citus_split_shard_by_split_points(shardid, ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text],
	ARRAY(SELECT nodeid FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid), 'force_logical')
FROM pg_dist_shard WHERE logicalrelid = 'sets'::regclass ORDER BY shardminvalue::int DESC LIMIT 1;
SELECT :ROW_COUNT = 1;

-- cluster: there are two more
SELECT count(*) = 18 FROM pg_dist_shard WHERE logicalrelid = 'sets'::regclass;

-- both: after splitting
SELECT * FROM answers;

-- both: filters change as before
UPDATE sets SET f = bloom_add(f, -1);
SELECT count(*) FILTER (WHERE f @> -1), md5(string_agg(f::text, ',' ORDER BY id)) FROM sets;

-- both: the table is distributed by another column, and undistributed
DROP VIEW answers;
ALTER TABLE sets DROP CONSTRAINT sets_pkey;
\if :cluster
SELECT alter_distributed_table('sets', distribution_column => 'note', colocate_with => 'none');
\endif
SELECT md5(string_agg(id || f::text, ',' ORDER BY id)) FROM sets;
\if :cluster
SELECT undistribute_table('sets');
\endif
SELECT md5(string_agg(id || f::text, ',' ORDER BY id)) FROM sets;
