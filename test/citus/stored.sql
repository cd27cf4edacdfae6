-- Columns of filters in distributed, reference and columnar tables.

-- both: tables
CREATE TABLE users (id bigint PRIMARY KEY, country int NOT NULL, visits int[]);
CREATE TABLE profiles (id bigint PRIMARY KEY, country int NOT NULL, f bloomfilter NOT NULL, changed int NOT NULL DEFAULT 0);
CREATE TABLE by_country (country int PRIMARY KEY, f bloomfilter);
CREATE TABLE large (id int PRIMARY KEY, f bloomfilter);
\if :cluster
CREATE EXTENSION citus_columnar;
SET default_table_access_method = columnar;
\endif
CREATE TABLE archive (id bigint, f bloomfilter);
\if :cluster
SELECT create_distributed_table('users', 'id'), create_distributed_table('profiles', 'id'),
	create_distributed_table('by_country', 'country'), create_distributed_table('large', 'id'),
	create_distributed_table('archive', 'id');
\endif
INSERT INTO users SELECT i, i % 7, ARRAY(SELECT (i * j * 31) % 2000 FROM generate_series(1, 20) AS j) FROM generate_series(1, 2000) AS i;
SELECT count(*) FROM users;

-- both: INSERT ... SELECT, from shard to shard
INSERT INTO profiles (id, country, f) SELECT id, country, bloom_add_all(bloom_create(100), visits) FROM users;
SELECT count(*), md5(string_agg(f::text, ',' ORDER BY id)) FROM profiles;
SELECT count(*) FROM profiles p JOIN users u USING (id) WHERE NOT bloom_contains_all(p.f, u.visits);
SELECT id FROM profiles WHERE f @> 1984 ORDER BY id LIMIT 5;

-- both: INSERT ... SELECT, by way of other nodes
\if :cluster
INSERT INTO by_country
	SELECT country, bloom_union_agg(bloom_add_all(bloom_create(2000), visits)) FROM users GROUP BY country;
\else
INSERT INTO by_country SELECT country, bloom_agg(v, 2000) FROM users, unnest(visits) AS v GROUP BY country;
\endif
SELECT country, md5(f::text) FROM by_country ORDER BY country;
INSERT INTO large SELECT 100 + country, f FROM by_country;
SELECT id, md5(f::text) FROM large ORDER BY id;

-- both: filters larger than a page
INSERT INTO large SELECT i, bloom_add_all(bloom_create(100000, 0.01, i), ARRAY(SELECT generate_series(1, 20000))) FROM generate_series(1, 3) AS i;
SELECT id, md5(f::text), f @> 20000, f @> 20000000, (bloom_info(f)).representation FROM large WHERE id < 10 ORDER BY id;
SELECT count(*) FROM users WHERE NOT (SELECT f FROM large WHERE id = 2) @> id;

-- both: UPDATE, of all rows, of one, and with the value of another table
UPDATE profiles SET f = bloom_add(f, 5000), changed = changed + 1;
UPDATE profiles SET f = bloom_add_all(f, ARRAY[6000, 6001]), changed = changed + 1 WHERE id = 42;
UPDATE profiles p SET f = p.f | bloom_add_all(bloom_create(100), u.visits[1:3]), changed = changed + 1 FROM users u WHERE u.id = p.id AND u.country = 3;
SELECT count(*), sum(changed), bool_and(f @> 5000), count(*) FILTER (WHERE f @> 6001 AND id = 42), md5(string_agg(f::text, ',' ORDER BY id)) FROM profiles;

-- both: INSERT ... ON CONFLICT
INSERT INTO profiles (id, country, f) VALUES (42, 0, bloom_add(bloom_create(100), 7000)), (2001, 1, bloom_add(bloom_create(100), 7000))
	ON CONFLICT (id) DO UPDATE SET f = profiles.f | excluded.f, changed = profiles.changed + 1;
INSERT INTO profiles (id, country, f) SELECT id, country, bloom_add(bloom_create(100), 8000) FROM users WHERE id <= 100
	ON CONFLICT (id) DO UPDATE SET f = profiles.f | excluded.f, changed = profiles.changed + 1;
SELECT count(*), sum(changed), count(*) FILTER (WHERE f @> 8000 AND id <= 100), md5(string_agg(f::text, ',' ORDER BY id)) FROM profiles;
SELECT f @> 7000, f @> 6001, f @> 5000, changed FROM profiles WHERE id = 42;

-- both: DELETE ... RETURNING, by what a filter holds
WITH gone AS (DELETE FROM profiles WHERE f @> 7000 AND country = 1 RETURNING id, f) SELECT id, md5(f::text) FROM gone ORDER BY id;
SELECT count(*) FROM profiles;

-- both: COPY, as text and as binary
\copy (SELECT id, country, f FROM profiles ORDER BY id) TO 'filters.text'
\copy (SELECT id, country, f FROM profiles ORDER BY id) TO 'filters.binary' (FORMAT binary)
CREATE TABLE copied (id bigint, country int, f bloomfilter);
\if :cluster
SELECT create_distributed_table('copied', 'id');
\endif
\copy copied FROM 'filters.text'
\copy copied FROM 'filters.binary' (FORMAT binary)
SELECT count(*), count(*) FILTER (WHERE c.f = p.f) FROM copied c JOIN profiles p USING (id);
SELECT md5(string_agg(f::text, ',' ORDER BY id)) FROM copied;

-- fails: 22P02: .*bloomfilter
COPY copied FROM PROGRAM 'printf "1\t1\tbloomfilter(1, integer\n"';

-- fails: 22023: bloomfilters of different parameters cannot be combined
BEGIN;
UPDATE profiles SET f = bloom_add(f, 9000);
UPDATE profiles SET f = f | bloom_create(7777);

-- both: transactions that fail or end leave nothing
BEGIN;
UPDATE profiles SET f = bloom_add(f, 9000);
ROLLBACK;
SELECT count(*), md5(string_agg(f::text, ',' ORDER BY id)) FROM profiles;

-- both: joins of tables with filters, by their distribution column and otherwise
\if :cluster
SET citus.enable_repartition_joins = on;
\endif
SELECT count(*), sum(bloom_intersection_cardinality(p.f, bloom_add_all(bloom_create_like(p.f), u.visits)))
FROM profiles p JOIN users u USING (id);
SELECT u.country, count(*) FROM users u JOIN by_country c USING (country) WHERE c.f @> u.visits[1] GROUP BY u.country ORDER BY u.country;

-- both: in columns
INSERT INTO archive SELECT id, f FROM profiles;
SELECT count(*), md5(string_agg(f::text, ',' ORDER BY id)) FROM archive;
SELECT count(*) FROM archive WHERE f @> 5000 AND (SELECT bloom_agg(id, NULL, 1e-6) FROM profiles WHERE id = 42) @> id;

-- both: GROUP BY and DISTINCT by the filter itself
SELECT count(*), sum(n) FROM (SELECT f, count(*) AS n FROM copied GROUP BY f) AS s;
SELECT count(*) FROM (SELECT DISTINCT f FROM copied) AS s;
