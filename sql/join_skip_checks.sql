-- Join filters: tables that are not read because of their CHECK constraints.
CREATE SCHEMA join_skip_checks;
SET search_path = join_skip_checks, public;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/join_skip.sql'
\i :helpers

SET client_min_messages = warning;
-- How many tables a query skips, and whether its result is that without filters.
CREATE FUNCTION skipped(query text, OUT tables numeric, OUT result text) LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, FORMAT JSON) ' || query INTO plan;
	tables := total((plan->0->'Plan')::jsonb, 'Partitions Skipped');
	result := result_of(query);
END
$$;

-- Children of a table, as before there were partitions: a quarter each, and what else there is.
CREATE TABLE event (day date, kind int, note text);
CREATE TABLE event_1 (CHECK (day >= DATE '2024-01-01' AND day < DATE '2024-04-01')) INHERITS (event);
CREATE TABLE event_2 (CHECK (day >= DATE '2024-04-01' AND day < DATE '2024-07-01')) INHERITS (event);
CREATE TABLE event_3 (CHECK (day >= DATE '2024-07-01'), CHECK (day < DATE '2024-10-01')) INHERITS (event);
CREATE TABLE event_4 (CHECK (day BETWEEN '2024-10-01' AND '2024-12-31') NO INHERIT) INHERITS (event);
-- columns in another order, behind one that was dropped
CREATE TABLE event_old (gone int, note text, day date, kind int, CHECK ('2024-01-01' > day));
ALTER TABLE event_old DROP gone;
ALTER TABLE event_old INHERIT event;
-- a child of a child, for which NO INHERIT does not hold
CREATE TABLE event_late () INHERITS (event_4);
INSERT INTO event_1 SELECT date '2024-01-01' + i / 100, i % 10, 'x' FROM generate_series(0, 9099) AS i;
INSERT INTO event_2 SELECT date '2024-04-01' + i / 100, i % 10, 'x' FROM generate_series(0, 9099) AS i;
INSERT INTO event_3 SELECT date '2024-07-01' + i / 100, i % 10, 'x' FROM generate_series(0, 9199) AS i;
INSERT INTO event_4 SELECT date '2024-10-01' + i / 100, i % 10, 'x' FROM generate_series(0, 9199) AS i;
INSERT INTO event_old (day, kind, note) SELECT date '2023-01-01' + i / 100, i % 10, 'x' FROM generate_series(0, 9099) AS i;
INSERT INTO event_late SELECT date '2024-05-01' + i / 100, i % 10, 'x' FROM generate_series(0, 999) AS i;
-- NULL fulfils a constraint, and matches nothing
INSERT INTO event_2 SELECT NULL, i, 'x' FROM generate_series(0, 99) AS i;
CREATE TABLE day (day date, month int);
INSERT INTO day SELECT date '2023-01-01' + i, i / 31 FROM generate_series(0, 730) AS i;
ANALYZE;

SELECT plan_of('SELECT 1 FROM event JOIN day USING (day) WHERE month = 12');
SELECT * FROM skipped('SELECT event.* FROM event JOIN day USING (day) WHERE month = 12');
SELECT * FROM skipped('SELECT event.* FROM event JOIN day USING (day) WHERE month = 16');
SELECT * FROM skipped('SELECT event.* FROM event JOIN day USING (day) WHERE month = 3');
SELECT * FROM skipped('SELECT event.* FROM event JOIN day USING (day) WHERE day.day IN (''2024-03-31'', ''2024-07-01'')');
SELECT * FROM skipped('SELECT event.* FROM event JOIN day USING (day) WHERE day.day IN (''2024-04-01'', ''2024-12-31'')');
SELECT * FROM skipped('SELECT event.* FROM event WHERE day IN (SELECT day FROM day WHERE month = 12)');
-- a child of its own, with its children and without
SELECT * FROM skipped('SELECT event_4.* FROM event_4 JOIN day USING (day) WHERE month = 16');
SELECT * FROM skipped('SELECT event_4.* FROM ONLY event_4 JOIN day USING (day) WHERE month = 16');
-- rows of a group may lie in several partitions that differ in their constraints
CREATE TABLE parted (day date, kind int, n int) PARTITION BY LIST (kind);
CREATE TABLE parted_0 PARTITION OF parted (CHECK (day < DATE '2024-04-01')) FOR VALUES IN (0);
CREATE TABLE parted_1 PARTITION OF parted (CHECK (day < DATE '2024-07-01')) FOR VALUES IN (1);
INSERT INTO parted SELECT day, i % 2, i % 20 FROM event_1, generate_series(0, 1) AS i UNION ALL SELECT day, 1, kind FROM event_2;
ANALYZE parted;
SELECT * FROM skipped('SELECT parted.* FROM parted JOIN day USING (day) WHERE month = 16');
SELECT * FROM skipped('SELECT * FROM (SELECT day, n, count(*) FROM parted GROUP BY day, n) AS p JOIN day USING (day) WHERE month = 16');
-- read by an index
CREATE INDEX ON event_2 (kind);
CREATE INDEX ON event_3 (kind);
SET enable_seqscan = off;
SELECT * FROM skipped('SELECT event.* FROM event JOIN day USING (day) WHERE month = 12 AND event.kind = 3');
RESET enable_seqscan;
-- by several processes
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT tables > 0 AS any, result FROM skipped('SELECT event.* FROM event JOIN day USING (day) WHERE month = 12');
SET max_parallel_workers_per_gather = 0;

-- A kept plan is made anew when a constraint comes or goes.
SET plan_cache_mode = force_generic_plan;
PREPARE kept AS SELECT count(*) FROM event JOIN day USING (day) WHERE month = 12;
CREATE FUNCTION kept_tables() RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE kept' INTO plan;
	RETURN total((plan->0->'Plan')::jsonb, 'Partitions Skipped');
END
$$;
EXECUTE kept;
SELECT kept_tables();
ALTER TABLE event_3 DROP CONSTRAINT event_3_day_check;
INSERT INTO event_3 VALUES ('2024-01-20', 1, 'y');
EXECUTE kept;
SELECT kept_tables();
ALTER TABLE event_3 ADD CONSTRAINT low CHECK (day >= DATE '2024-07-01') NOT VALID;
EXECUTE kept;
SELECT kept_tables();
DELETE FROM event_3 WHERE note = 'y';
ALTER TABLE event_3 VALIDATE CONSTRAINT low;
EXECUTE kept;
SELECT kept_tables();
-- what this transaction made is not used by it, since it may see older rows
BEGIN;
ALTER TABLE event_2 ADD CONSTRAINT new_low CHECK (day >= DATE '2024-04-01');
SELECT kept_tables();
COMMIT;
SELECT kept_tables();
DEALLOCATE kept;
RESET plan_cache_mode;

-- What is read of constraints: each table has 1,000 rows that fulfil its constraint, and rows of NULL.
CREATE DOMAIN small AS int;
CREATE FUNCTION own(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION first(point) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1[0]; END';
CREATE CAST (point AS int) WITH FUNCTION first(point);
CREATE TABLE form (id int GENERATED ALWAYS AS IDENTITY, type text, value text, constraints text, keys text);
INSERT INTO form (type, value, constraints, keys) VALUES
	('int', 'i', 'CHECK (x > 0)', '-i'),
	('int', 'i', 'CHECK (0 < x)', '-i'),
	('int', 'i', 'CHECK (1000 >= x)', '1000 + i'),
	('int', 'i', 'CHECK (x BETWEEN 1 AND 1000)', '1000 + i'),
	('int', 'i', 'CHECK ((x > 0 AND x < 2000) AND (y > 0 AND y < 2000))', '-i'),
	('int', 'i', 'CHECK (x > 0), ADD CHECK (x < 1001)', '2000 * (i - 3)'),
	('int', 'i', 'CHECK (x > 0) NO INHERIT', '-i'),
	('int', 'i', 'CHECK (x IS NULL OR x > 0)', '-i'),
	('int', '3', 'CHECK (x = 3)', '3 + i'),
	('int', 'i % 3', 'CHECK (x IN (0, 1, 2))', '3 + i'),
	('int', 'i % 3', 'CHECK (x = ANY (ARRAY[0, 1, 2]))', '3 + i'),
	('int', 'i', 'CHECK (x > 0::bigint)', '-i'),
	('int', 'i', 'CHECK (x > 0)', '(-i)::bigint'),
	('bigint', 'i', 'CHECK (x > 0)', '(-i)::smallint'),
	('small', 'i', 'CHECK (x > 0)', '-i'),
	('numeric', 'i', 'CHECK (x > 0)', '-i::numeric'),
	('float8', 'i', 'CHECK (x > 0.5)', '-i::float8'),
	('text', '''b'' || i', 'CHECK (x >= ''b'')', '''a'' || i'),
	('varchar(9)', '''b'' || i', 'CHECK (x >= ''b'')', '''a'' || i'),
	('varchar(9)', '''b'' || i % 2', 'CHECK (x IN (''b0'', ''b1''))', '''a'' || i'),
	('char(9)', '''b'' || i', 'CHECK (x >= ''b'')', '(''a'' || i)::char(9)'),
	('timestamptz', 'timestamptz ''2024-01-01 UTC'' + i * interval ''1 s''', 'CHECK (x >= ''2024-01-01 00:00+00'')', 'timestamptz ''2023-01-01 UTC'' + i * interval ''1 s'''),
	-- not valid, not a comparison of the column to a constant, not the join's order
	('int', 'i', 'CHECK (x > 0) NOT VALID', '-i'),
	('int', 'i', 'CHECK (x <> -1)', '-1'),
	('int', 'i', 'CHECK (x > 0 OR y > 0)', '-i'),
	('int', 'i', 'CHECK (NOT (x <= 0))', '-i'),
	('int', 'i', 'CHECK (y > 0)', '-i'),
	('int', 'i', 'CHECK (x >= y)', '-i'),
	('int', 'i', 'CHECK (x + 0 > 0)', '-i'),
	('int', 'i', 'CHECK (x > NULL)', '-i'),
	('int', 'i', 'CHECK (x > own(0))', '-i'),
	('int', 'i', 'CHECK (x > ''(0,0)''::point::int)', '-i'),
	('int', 'i', 'CHECK (x > abs(0))', '-i'),
	('text', '''b'' || i', 'CHECK (x >= ''b'' COLLATE "POSIX")', '''a'' || i'),
	('text', '''b'' || i', 'CHECK (x ~>=~ ''b'')', '''a'' || i'),
	-- the time zone may have been another one when the rows were written
	('timestamptz', 'timestamptz ''2024-01-02 UTC'' + i * interval ''1 s''', 'CHECK (x >= DATE ''2024-01-01'')', 'timestamptz ''2023-01-01 UTC'' + i * interval ''1 s''');
DO $$
DECLARE
	f form;
BEGIN
	FOR f IN TABLE form LOOP
		EXECUTE format('CREATE TABLE form_%s (x %s, y int)', f.id, f.type);
		EXECUTE format('INSERT INTO form_%s SELECT %s, i FROM generate_series(1, 1000) AS i', f.id, f.value);
		EXECUTE format('INSERT INTO form_%s SELECT NULL, 1 FROM generate_series(1, 9) AS i', f.id);
		EXECUTE format('ALTER TABLE form_%s ADD %s', f.id, f.constraints);
		EXECUTE format('CREATE TABLE key_%s AS SELECT %s AS x FROM generate_series(1, 5) AS i', f.id, f.keys);
		EXECUTE format('ANALYZE form_%s, key_%1$s', f.id);
	END LOOP;
END
$$;
SET bloomfilter.join_filters = force;
SELECT type, constraints, keys, tables, result
FROM form, LATERAL skipped(format('SELECT f.* FROM form_%s AS f JOIN key_%1$s AS k ON k.x = f.x', id))
ORDER BY id;
-- not enforced, from 18 on; a row breaks it
ALTER TABLE form_1 DROP CONSTRAINT form_1_x_check;
INSERT INTO form_1 VALUES (-1, 1);
DO $$
BEGIN
	EXECUTE 'ALTER TABLE form_1 ADD CHECK (x > 0) ' ||
		CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'NOT ENFORCED' ELSE 'NOT VALID' END;
END
$$;
SELECT * FROM skipped('SELECT f.* FROM form_1 AS f JOIN key_1 AS k USING (x)');
SET bloomfilter.join_filters = on;

-- A partition that was detached has kept its constraint, which names a table that is gone.
CREATE TABLE hashed (x int) PARTITION BY HASH (x);
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
INSERT INTO hashed_0 SELECT i FROM generate_series(1, 1000) AS i
	WHERE satisfies_hash_partition('hashed'::regclass, 2, 0, i);
SELECT format('ALTER TABLE hashed_0 ADD CHECK (satisfies_hash_partition(%L::oid, 2, 0, x))', 'hashed'::regclass::oid) AS statement \gset
ALTER TABLE hashed DETACH PARTITION hashed_0;
:statement;
DROP TABLE hashed;
ANALYZE hashed_0;
SELECT * FROM skipped('SELECT h.* FROM hashed_0 AS h JOIN key_3 AS k USING (x)');
-- nor is it looked for where the partition is one of another table
CREATE TABLE hashed_again (x int) PARTITION BY RANGE (x);
ALTER TABLE hashed_again ATTACH PARTITION hashed_0 DEFAULT;
SELECT * FROM skipped('SELECT h.* FROM hashed_again AS h JOIN key_3 AS k USING (x)');

-- A table without rows may have any constraint: this one's function is called for no
-- row, and neither for a key.
CREATE TABLE ranged (x int8) PARTITION BY RANGE (x);
CREATE TABLE ranged_1 PARTITION OF ranged FOR VALUES FROM (0) TO (100000);
CREATE TABLE ranged_rest PARTITION OF ranged DEFAULT;
CREATE TABLE by_hash (x int8) PARTITION BY HASH (x);
CREATE TABLE by_hash_0 PARTITION OF by_hash FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_hash_1 PARTITION OF by_hash FOR VALUES WITH (MODULUS 2, REMAINDER 1);
DO $$
BEGIN
	EXECUTE format('ALTER TABLE ranged_rest ADD CHECK (satisfies_hash_partition(%L, 4, 0, x))', 'ranged'::regclass::oid);
	EXECUTE format('ALTER TABLE by_hash_1 ADD CHECK (satisfies_hash_partition(%L, 0, 0, x))', 'by_hash'::regclass::oid);
END $$;
INSERT INTO ranged SELECT generate_series(0, 99999);
INSERT INTO by_hash_0 SELECT x FROM ranged WHERE satisfies_hash_partition('by_hash'::regclass, 2, 0, x);
CREATE TABLE far AS SELECT 4242424242::int8 AS x;
ANALYZE ranged, by_hash, far;
SELECT * FROM skipped('SELECT x FROM ranged JOIN far USING (x)');
SELECT * FROM skipped('SELECT x FROM by_hash JOIN far USING (x)');

-- Nor is a constant cast that would raise an error.
CREATE TABLE log (x int);
CREATE TABLE log_1 (CHECK (x >= 0)) INHERITS (log);
CREATE TABLE log_none (CHECK (x < 3000000000::int4), CHECK (true OR x < 100000::smallint)) INHERITS (log);
CREATE TABLE tiny (x float8, CHECK (x < 1e400::float8), CHECK (x < 1e-400::float8));
INSERT INTO log_1 SELECT generate_series(0, 99999);
CREATE TABLE negative AS SELECT -5 AS x, -5::float8 AS y;
ANALYZE log, log_1, log_none, tiny, negative;
SELECT * FROM skipped('SELECT x FROM log JOIN negative USING (x)');
SET bloomfilter.join_filters = force;
SELECT * FROM skipped('SELECT tiny.x FROM tiny JOIN negative ON tiny.x = y');
SET bloomfilter.join_filters = on;

-- A constraint that all tables have is not expected to let any of them be skipped: there is
-- no filter, since most rows match.
CREATE TABLE plain (x int, CHECK (x >= 0));
CREATE TABLE plain_1 () INHERITS (plain);
INSERT INTO plain SELECT i % 1000 FROM generate_series(1, 100000) AS i;
INSERT INTO plain_1 SELECT i % 1000 FROM generate_series(1, 100000) AS i;
CREATE TABLE most AS SELECT i AS x FROM generate_series(0, 899) AS i;
ANALYZE plain, plain_1, most;
SELECT plan_of('SELECT 1 FROM ONLY plain JOIN most USING (x)');
SELECT plan_of('SELECT 1 FROM plain JOIN most USING (x)');
-- with their own constraints, there is one
ALTER TABLE plain_1 ADD CHECK (x < 1000);
SELECT plan_of('SELECT 1 FROM plain JOIN most USING (x)');

-- A constraint may name a wrong column: the server does not give it the columns' numbers
-- when a partitioned table is detached concurrently, whose partitions inherit it.
CREATE TABLE whole (k int, v int) PARTITION BY RANGE (k);
CREATE TABLE middle (k int, v int) PARTITION BY RANGE (k);
CREATE TABLE turned (v int, k int);
ALTER TABLE middle ATTACH PARTITION turned FOR VALUES FROM (1) TO (101);
ALTER TABLE whole ATTACH PARTITION middle FOR VALUES FROM (1) TO (101);
INSERT INTO whole SELECT 1 + i % 100, i FROM generate_series(1, 100000) AS i;
ALTER TABLE whole DETACH PARTITION middle CONCURRENTLY;
CREATE TABLE two AS SELECT unnest(ARRAY[501, 520]) AS v;
ANALYZE middle, two;
SELECT count(*) FROM middle JOIN two USING (v);
SELECT plan_of('SELECT 1 FROM middle JOIN two USING (v)');
ALTER TABLE middle DETACH PARTITION turned;
SELECT count(*) FROM turned JOIN two USING (v);

DROP SCHEMA join_skip_checks CASCADE;
