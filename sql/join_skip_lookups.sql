-- Join filters: pages that are not read because a filter index does not name them for a key.
CREATE SCHEMA join_skip_lookups;
SET search_path = join_skip_lookups, public;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/join_skip.sql'
\i :helpers

SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET client_min_messages = warning;
-- Which part of the pages of a table a query skips, in tenths; how many it reads of all tables and
-- indexes, as tenths of this table's; and whether its result is that without filters.
CREATE FUNCTION skipped(name text, query text, OUT skipped numeric, OUT read numeric, OUT result text)
LANGUAGE plpgsql AS $$
DECLARE
	pages int := pg_relation_size(name::regclass) / current_setting('block_size')::int;
	plan jsonb;
BEGIN
	-- the first run reads catalogs, too
	FOR i IN 1 .. 2 LOOP
		EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF, FORMAT JSON) ' || query INTO plan;
	END LOOP;
	skipped := round(floor(10 * total(plan->0->'Plan', 'Pages Skipped') / pages) / 10, 1);
	read := round(ceil(10 * ((plan->0->'Plan'->>'Shared Hit Blocks')::numeric + (plan->0->'Plan'->>'Shared Read Blocks')::numeric) / pages) / 10, 1);
	result := result_of(query);
END
$$;
-- What of the plan says that rows are tested, and that pages are skipped.
CREATE FUNCTION skips_by(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ '(Bloom Filter Key|Skip By)' THEN
			RETURN NEXT ltrim(line);
		END IF;
	END LOOP;
END
$$;

-- 100,000 rows of 20,000 customers, in no order.
CREATE TABLE fact (id int, customer int, status int, wide char(120)) WITH (autovacuum_enabled = off);
INSERT INTO fact SELECT i, i * 7919 % 20000, i % 5, '' FROM generate_series(1, 100000) AS i;
CREATE INDEX fact_customer ON fact USING bloomfilter (status, customer);
CREATE TABLE customer (id int, id8 bigint, id2 smallint, region int);
INSERT INTO customer SELECT i, i, i, i % 2000 FROM generate_series(0, 19999) AS i;
ANALYZE fact, customer;

EXPLAIN (COSTS OFF) SELECT 1 FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42;
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42');
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact WHERE customer IN (SELECT id FROM customer WHERE region = 42)');
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id8 = fact.customer WHERE region = 42');
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id2 = fact.customer WHERE region = 42');
BEGIN;
DECLARE rows CURSOR FOR SELECT fact.customer FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42 AND c.id < 2000;
FETCH rows;
DROP INDEX fact_customer;
FETCH rows;
ROLLBACK;
-- the scan's own condition and output
SELECT * FROM skipped('fact', 'SELECT fact.id * 2 AS x FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42 AND status = 3');
-- no key is there; NULL is no key
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN (SELECT -id AS id FROM customer WHERE region = 42) AS c ON c.id = fact.customer');
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN (SELECT nullif(id, id) AS id FROM customer WHERE region = 42) AS c ON c.id = fact.customer');
-- keys that have many rows are not looked up, and neither are many keys
CREATE TABLE status AS SELECT 3 AS id;
ANALYZE status;
SELECT skips_by('SELECT 1 FROM fact JOIN status AS s ON s.id = fact.status');
SELECT skips_by('SELECT 1 FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region < 100');
-- more than were expected, in an index that is large beside its table
CREATE TABLE narrow AS SELECT customer FROM fact;
CREATE INDEX narrow_customer ON narrow USING bloomfilter (customer);
CREATE TABLE more AS SELECT 42 AS id;
ANALYZE narrow, more;
INSERT INTO more SELECT -i FROM generate_series(1, 4) AS i;
SELECT skips_by('SELECT narrow.* FROM narrow JOIN more ON more.id = narrow.customer');
SELECT skipped, result FROM skipped('narrow', 'SELECT narrow.* FROM narrow JOIN more ON more.id = narrow.customer');
INSERT INTO more SELECT -i FROM generate_series(5, 3000) AS i;
SELECT skipped, result FROM skipped('narrow', 'SELECT narrow.* FROM narrow JOIN more ON more.id = narrow.customer');
-- more than are remembered one by one
INSERT INTO more SELECT i FROM generate_series(1, 5000) AS i;
SELECT skips_by('SELECT fact.* FROM fact JOIN more ON more.id = fact.customer');
SELECT skipped, result FROM skipped('fact', 'SELECT fact.* FROM fact JOIN more ON more.id = fact.customer');
-- a part of a group would be missing
SELECT skips_by('SELECT 1 FROM (SELECT customer, count(*) FROM fact GROUP BY customer) AS f JOIN customer AS c ON c.id = f.customer WHERE region = 42');
-- again and again, by the keys of each time
SELECT * FROM skipped('fact', 'SELECT r.*, l.* FROM generate_series(1, 3) AS r CROSS JOIN LATERAL (SELECT count(*), sum(fact.id) FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42 AND status < r) AS l');
-- beside a BRIN index
CREATE INDEX fact_id ON fact USING brin (id) WITH (pages_per_range = 4);
CREATE TABLE wanted AS SELECT id, customer FROM fact WHERE id BETWEEN 500 AND 509;
ANALYZE wanted;
SELECT skips_by('SELECT 1 FROM fact JOIN wanted USING (id, customer)');
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN wanted USING (id, customer)');
DROP INDEX fact_id;

-- Rows that came, went and moved since the index was made.
BEGIN;
INSERT INTO fact SELECT i, 42, 0, '' FROM generate_series(1, 10) AS i;
UPDATE fact SET customer = 2042 WHERE id IN (5, 50000);
UPDATE fact SET status = -1 WHERE customer = 4042;
DELETE FROM fact WHERE customer = 6042;
SAVEPOINT s;
UPDATE fact SET customer = 8042 WHERE id % 1000 = 7;
ROLLBACK TO s;
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42');
ROLLBACK;
SELECT * FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42');
BEGIN;
TRUNCATE fact;
INSERT INTO fact SELECT i, i * 7919 % 20000, i % 5, '' FROM generate_series(1, 20000) AS i;
SELECT result FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42');
ROLLBACK;

-- A kept plan: an index that is gone, or another one; the setting.
PREPARE kept AS SELECT fact.* FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42;
SET plan_cache_mode = force_generic_plan;
SELECT skips_by('EXECUTE kept');
CREATE FUNCTION kept_pages() RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE kept' INTO plan;
	RETURN total((plan->0->'Plan')::jsonb, 'Pages Skipped') > 1000;
END
$$;
SELECT kept_pages();
SET bloomfilter.join_skip = off;
SELECT kept_pages();
RESET bloomfilter.join_skip;
DROP INDEX fact_customer;
SELECT skips_by('EXECUTE kept'), kept_pages();
-- other indexes: partial, of an expression, by a function of a user
CREATE INDEX fact_part ON fact USING bloomfilter (customer) WHERE status > 1;
CREATE INDEX fact_expression ON fact USING bloomfilter ((customer + 0));
CREATE FUNCTION own_hash(int, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN hashint4extended($1, $2); END';
CREATE OPERATOR CLASS own_ops FOR TYPE int USING bloomfilter AS OPERATOR 1 =, FUNCTION 1 own_hash(int, bigint);
CREATE INDEX fact_own ON fact USING bloomfilter (customer own_ops);
SELECT skips_by('EXECUTE kept'), kept_pages();
DROP INDEX fact_part, fact_expression, fact_own;
CREATE INDEX fact_customer ON fact USING bloomfilter (customer);
SELECT skips_by('EXECUTE kept'), kept_pages();
DEALLOCATE kept;

-- By several processes, each of which looks the keys up.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT skipped > 0.8 AS most, result FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42');
SET enable_parallel_hash = off;
SELECT skipped > 0.8 AS most, result FROM skipped('fact', 'SELECT fact.* FROM fact JOIN customer AS c ON c.id = fact.customer WHERE region = 42');
SET max_parallel_workers_per_gather = 0;

-- Partitions by another column.
CREATE TABLE parted (LIKE fact) PARTITION BY LIST (status);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0, 1);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (2, 3, 4);
INSERT INTO parted SELECT * FROM fact;
CREATE INDEX parted_customer ON parted USING bloomfilter (customer);
ANALYZE parted;
SELECT skips_by('SELECT 1 FROM parted JOIN customer AS c ON c.id = parted.customer WHERE region = 42');
SELECT result FROM skipped('fact', 'SELECT parted.* FROM parted JOIN customer AS c ON c.id = parted.customer WHERE region = 42');

-- Types: 4,000 values in no order.
CREATE TABLE typed (n numeric, t text, v varchar(9), c char(9), ts timestamptz, d date, f float8, u uuid, o oid, b bytea, wide text)
	WITH (autovacuum_enabled = off);
INSERT INTO typed SELECT i, 'value ' || i, 'v' || i, 'c' || i, timestamptz '2024-01-01 UTC' + i * interval '1 day',
	date '2024-01-01' + i, CASE WHEN i = 0 THEN '-0' ELSE i END, md5(i::text)::uuid, i, decode(md5(i::text), 'hex'), repeat('x', 200)
FROM (SELECT (i * 7919 % 4000)::int AS i FROM generate_series(1, 20000) AS i) AS i;
CREATE INDEX typed_all ON typed USING bloomfilter (n, t, v, c, ts, d, f, u, o, b);
ANALYZE typed;
SELECT column_, key, s.skipped, s.result FROM (VALUES ('n', 'i::numeric(9, 2)'), ('t', '''value '' || i'), ('t', '(''value '' || i)::varchar'),
	('v', '''v'' || i'), ('c', '(''c'' || i)::char(20)'), ('ts', 'timestamptz ''2024-01-01 UTC'' + i * interval ''1 day'''),
	('d', 'date ''2024-01-01'' + i'), ('f', 'i::float8'), ('f', 'i::float4'), ('u', 'md5(i::text)::uuid'), ('o', 'i::oid'),
	('b', 'decode(md5(i::text), ''hex'')')) AS v (column_, key),
LATERAL skipped('typed', format('SELECT typed.n FROM typed JOIN (SELECT %s AS key FROM generate_series(0, 9) AS i) AS k ON typed.%s = key', key, column_)) AS s;
-- another collation compares and hashes otherwise, as far as is known
SELECT skips_by('SELECT 1 FROM typed JOIN (SELECT (''value '' || i) COLLATE "POSIX" AS key FROM generate_series(0, 9) AS i) AS k ON typed.t COLLATE "POSIX" = key');

DROP SCHEMA join_skip_lookups CASCADE;
