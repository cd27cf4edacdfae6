--
-- Join filters: nobody learns anything about rows that he may not see.
--
-- A hash function is code, and may tell what it is called for.  One that is
-- not the server's own is called for no row that the join would not meet
-- without a filter.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET bloomfilter.join_filter_min_rows = 0;
CREATE SCHEMA join_hidden_rows;
SET search_path = join_hidden_rows, public;
CREATE ROLE regress_join_reader;
GRANT USAGE, CREATE ON SCHEMA join_hidden_rows TO regress_join_reader;

CREATE TABLE secrets (id int, owner name, k int);
INSERT INTO secrets VALUES (1, 'regress_join_reader', 10), (2, 'somebody', 20), (3, 'regress_join_reader', 30),
	(4, 'somebody', 666), (5, 'somebody', 10);
CREATE TABLE allowed (id int, reader name);
INSERT INTO allowed VALUES (1, 'regress_join_reader'), (3, 'regress_join_reader');
ANALYZE secrets, allowed;
CREATE TABLE guarded AS SELECT * FROM secrets;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON guarded USING (owner = current_user);
CREATE TABLE guarded_by_join AS SELECT * FROM secrets;
ALTER TABLE guarded_by_join ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON guarded_by_join USING (id IN (SELECT id FROM allowed WHERE reader = current_user));
ANALYZE guarded, guarded_by_join;
CREATE VIEW barrier WITH (security_barrier) AS SELECT id, k FROM secrets WHERE owner = current_user;
-- + 0, so that no other filter drops hidden rows first
CREATE VIEW barrier_join WITH (security_barrier) AS
	SELECT s.id, s.k FROM secrets s JOIN allowed a ON a.id + 0 = s.id + 0 WHERE a.reader = current_user;
CREATE VIEW barrier_group WITH (security_barrier) AS
	SELECT k, count(*) AS n FROM secrets WHERE owner = current_user GROUP BY k;
GRANT SELECT ON barrier, barrier_join, barrier_group, guarded, guarded_by_join, allowed TO regress_join_reader;

-- What spies have been called for since they were last asked.
CREATE FUNCTION seen() RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE
	result int[] := ARRAY(SELECT DISTINCT v::int FROM string_to_table(trim(current_setting('spy.seen', true)), ' ') AS v ORDER BY 1);
BEGIN
	PERFORM set_config('spy.seen', '', false);
	RETURN result;
END $$;

-- An operator of the reader's, whose hash function tells.
CREATE FUNCTION spying_equal(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN $1 = $2; END';
CREATE FUNCTION spying_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
	$$BEGIN PERFORM set_config('spy.seen', concat(current_setting('spy.seen', true), ' ', $1), false); RETURN hashint4($1); END$$;
CREATE OPERATOR === (FUNCTION = spying_equal, LEFTARG = int, RIGHTARG = int, COMMUTATOR = ===, HASHES);
CREATE OPERATOR CLASS spying_ops FOR TYPE int USING hash AS OPERATOR 1 ===, FUNCTION 1 spying_hash(int);

-- The reader's keys; one of them is a secret.
CREATE TABLE keys (k int);
INSERT INTO keys VALUES (10), (666);
ANALYZE keys;
GRANT SELECT ON keys TO regress_join_reader;

SET bloomfilter.join_filters = force;
SET SESSION AUTHORIZATION regress_join_reader;

-- Rows with 20 and 666 are not the reader's to see.
SELECT b.* FROM barrier b JOIN keys ON b.k === keys.k AND keys.k < 600;
SELECT seen();
SELECT b.* FROM barrier_join b JOIN keys ON b.k === keys.k AND keys.k < 600;
SELECT seen();
SELECT b.* FROM barrier_group b JOIN keys ON b.k === keys.k AND keys.k < 600;
SELECT seen();
SELECT g.id FROM guarded g JOIN keys ON g.k === keys.k AND keys.k < 600;
SELECT seen();
SELECT g.id FROM guarded_by_join g JOIN keys ON g.k === keys.k AND keys.k < 600;
SELECT seen();

-- The same of a type whose hash is that of another: an array of it, a row.
RESET SESSION AUTHORIZATION;
CREATE TYPE spied;
CREATE FUNCTION spied_in(cstring) RETURNS spied LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION spied_out(spied) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE TYPE spied (INPUT = spied_in, OUTPUT = spied_out, LIKE = int4);
CREATE CAST (spied AS int) WITHOUT FUNCTION;
CREATE CAST (int AS spied) WITHOUT FUNCTION;
CREATE FUNCTION spied_equal(spied, spied) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4eq';
CREATE FUNCTION spied_less(spied, spied) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int4lt';
CREATE FUNCTION spied_compare(spied, spied) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'btint4cmp';
CREATE FUNCTION spied_hash(spied) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
	$$BEGIN PERFORM set_config('spy.seen', concat(current_setting('spy.seen', true), ' ', $1), false); RETURN hashint4($1::int); END$$;
CREATE OPERATOR = (FUNCTION = spied_equal, LEFTARG = spied, RIGHTARG = spied, COMMUTATOR = =, HASHES, MERGES);
CREATE OPERATOR < (FUNCTION = spied_less, LEFTARG = spied, RIGHTARG = spied);
CREATE OPERATOR CLASS spied_btree DEFAULT FOR TYPE spied USING btree AS OPERATOR 1 <, OPERATOR 3 =,
	FUNCTION 1 spied_compare(spied, spied);
CREATE OPERATOR CLASS spied_hash DEFAULT FOR TYPE spied USING hash AS OPERATOR 1 =, FUNCTION 1 spied_hash(spied);
CREATE TABLE spied_secrets AS SELECT id, owner, k::spied AS k, ARRAY[k::spied] AS a FROM secrets;
CREATE TABLE spied_keys AS SELECT k::spied AS k, ARRAY[k::spied] AS a FROM keys;
ANALYZE spied_secrets, spied_keys;
CREATE VIEW spied_barrier WITH (security_barrier) AS
	SELECT s.id, s.k, s.a FROM spied_secrets s JOIN allowed a ON a.id + 0 = s.id + 0 WHERE a.reader = current_user;
GRANT SELECT ON spied_barrier, spied_keys TO regress_join_reader;
SELECT seen() IS NOT NULL AS forgotten;
SET SESSION AUTHORIZATION regress_join_reader;
SELECT b.id FROM spied_barrier b JOIN spied_keys s ON b.k = s.k AND s.k::int < 600;
SELECT seen();
SELECT b.id FROM spied_barrier b JOIN spied_keys s ON b.a = s.a AND s.k::int < 600;
SELECT seen();

-- The server's own types may be tested below what hides rows: the reader gets
-- the same rows.
SELECT b.* FROM barrier b JOIN keys ON b.k = keys.k;
SELECT b.* FROM barrier_join b JOIN keys ON b.k = keys.k;
SELECT b.* FROM barrier_group b JOIN keys ON b.k = keys.k;
SELECT g.id FROM guarded g JOIN keys ON g.k = keys.k;
SELECT g.id FROM guarded_by_join g JOIN keys ON g.k = keys.k;

-- EXPLAIN ANALYZE would tell whether a hidden row has a value: so nothing is
-- tested below where the server itself would not, by an operator that is not
-- leakproof.
RESET SESSION AUTHORIZATION;
CREATE TABLE amounts AS SELECT id, owner, k, k::numeric AS amount FROM secrets;
ANALYZE amounts;
CREATE VIEW barrier_amount WITH (security_barrier) AS
	SELECT s.k, s.amount FROM amounts s JOIN allowed a ON a.id + 0 = s.id + 0 WHERE a.reader = current_user;
CREATE VIEW no_barrier_amount AS
	SELECT s.k, s.amount FROM amounts s JOIN allowed a ON a.id + 0 = s.id + 0 WHERE a.reader = current_user;
CREATE TABLE guarded_amounts AS SELECT * FROM amounts;
ALTER TABLE guarded_amounts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON guarded_amounts USING (id IN (SELECT a.id FROM allowed a WHERE reader = current_user));
ANALYZE guarded_amounts;
CREATE FUNCTION tested_above(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	filter_seen boolean := false;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF filter_seen THEN
			RETURN NEXT ltrim(line, ' ->');
		END IF;
		filter_seen := line ~ 'Bloom Filter Key:';
	END LOOP;
END $$;
GRANT SELECT ON allowed, barrier_amount, no_barrier_amount, guarded_amounts TO regress_join_reader;
SET SESSION AUTHORIZATION regress_join_reader;
SELECT tested_above('SELECT * FROM barrier_amount b JOIN (VALUES (20::numeric), (7)) v (x) ON b.amount = x');
SELECT tested_above('SELECT * FROM barrier_amount b JOIN (VALUES (20), (7)) v (x) ON b.k = x');
SELECT tested_above('SELECT * FROM no_barrier_amount b JOIN (VALUES (20::numeric), (7)) v (x) ON b.amount = x');
-- a policy hides rows in the scan itself
SELECT tested_above('SELECT * FROM (SELECT b.* FROM guarded_amounts b JOIN allowed a ON b.id + 0 = a.id + 0 OFFSET 0) b JOIN (VALUES (20::numeric), (7)) v (x) ON b.amount = x');

-- A plan that was kept for one role is another's, too, if no policy is in it.
RESET SESSION AUTHORIZATION;
SET plan_cache_mode = force_generic_plan;
PREPARE shared AS SELECT g.id FROM guarded g JOIN keys ON g.k = keys.k ORDER BY 1;
EXECUTE shared;
SET SESSION AUTHORIZATION regress_join_reader;
EXECUTE shared;
RESET SESSION AUTHORIZATION;
EXECUTE shared;

DROP SCHEMA join_hidden_rows CASCADE;
DROP ROLE regress_join_reader;
