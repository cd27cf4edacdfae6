-- Hash functions that become others while a session knows them.  The server's
-- cache of types does not see that, by which it hashes what arrays, ranges and
-- multiranges consist of.
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE SCHEMA hash_changes;
SET search_path = hash_changes, public;

-- Strings; by one hash function trailing blanks count, by the other they do not.
CREATE TYPE padded;
CREATE FUNCTION padded_in(cstring) RETURNS padded LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION padded_out(padded) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE padded (INPUT = padded_in, OUTPUT = padded_out, LIKE = text);
CREATE CAST (padded AS text) WITHOUT FUNCTION;
CREATE CAST (text AS padded) WITHOUT FUNCTION;
CREATE FUNCTION padded_lt(padded, padded) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'bytealt';
CREATE FUNCTION padded_le(padded, padded) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'byteale';
CREATE FUNCTION padded_eq(padded, padded) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'byteaeq';
CREATE FUNCTION padded_ge(padded, padded) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'byteage';
CREATE FUNCTION padded_gt(padded, padded) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'byteagt';
CREATE FUNCTION padded_cmp(padded, padded) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'byteacmp';
CREATE OPERATOR < (LEFTARG = padded, RIGHTARG = padded, FUNCTION = padded_lt);
CREATE OPERATOR <= (LEFTARG = padded, RIGHTARG = padded, FUNCTION = padded_le);
CREATE OPERATOR = (LEFTARG = padded, RIGHTARG = padded, FUNCTION = padded_eq, COMMUTATOR = =, HASHES);
CREATE OPERATOR >= (LEFTARG = padded, RIGHTARG = padded, FUNCTION = padded_ge);
CREATE OPERATOR > (LEFTARG = padded, RIGHTARG = padded, FUNCTION = padded_gt);
CREATE OPERATOR CLASS padded_ops DEFAULT FOR TYPE padded USING btree AS
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 padded_cmp(padded, padded);
CREATE FUNCTION padded_hash(padded) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlena';
CREATE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
CREATE OPERATOR CLASS padded_hash_ops DEFAULT FOR TYPE padded USING hash AS
	OPERATOR 1 =, FUNCTION 1 padded_hash(padded), FUNCTION 2 padded_hash(padded, bigint);
CREATE DOMAIN word AS padded;
CREATE TYPE padded_range AS RANGE (subtype = padded);
CREATE TYPE word_range AS RANGE (subtype = word);

CREATE TABLE pairs AS SELECT 'A '::padded AS a, 'A'::padded AS b;
\set blanks_count 'SELECT bloom_hash(a) <> bloom_hash(b) AS plain, bloom_hash(ARRAY[a]) <> bloom_hash(ARRAY[b]) AS array, bloom_hash(ARRAY[a::word]) <> bloom_hash(ARRAY[b::word]) AS "array of domain", bloom_hash(padded_range(a, NULL)) <> bloom_hash(padded_range(b, NULL)) AS range, bloom_hash(word_range(a, NULL)) <> bloom_hash(word_range(b, NULL)) AS "range of domain", bloom_hash(padded_multirange(padded_range(a, NULL))) <> bloom_hash(padded_multirange(padded_range(b, NULL))) AS multirange, bloom_hash(ARRAY[padded_range(a, NULL)]) <> bloom_hash(ARRAY[padded_range(b, NULL)]) AS "array of ranges" FROM pairs'
:blanks_count;

-- by another function of the library
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashbpcharextended';
:blanks_count;

-- Parallel workers begin without such a cache.
CREATE TABLE many AS SELECT (i || ' ')::padded AS v FROM generate_series(1, 3000) AS i;
ANALYZE many;
CREATE TABLE by_leader AS SELECT bloom_agg(ARRAY[v], 3000) AS f FROM many;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET parallel_leader_participation = off;
SELECT count(*) FROM many WHERE (SELECT f FROM by_leader) @> ARRAY[v];
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
UPDATE by_leader SET f = (SELECT bloom_agg(ARRAY[v], 3000) FROM many);
SELECT count(*) FROM many WHERE (SELECT f FROM by_leader) @> ARRAY[v];
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET parallel_leader_participation;
:blanks_count;

-- What a function in SQL keeps for its calls goes with it, also while a query runs.
CREATE FUNCTION replaced(i int) RETURNS padded LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS %L',
		'SELECT hashtextextended($1::text, $2) -- ' || i);
	RETURN i::text::padded;
END $$;
CREATE FUNCTION sql_contexts() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT count(*) FROM pg_backend_memory_contexts WHERE name LIKE 'SQL function%' OR name = 'bloomfilter hasher');
END $$;
-- One call to a query: from 18 on, the server itself keeps a replaced body for which another call has asked.
SELECT count(DISTINCT bloom_hash(replaced(i))) AS hashes, max(sql_contexts()) < 20 AS few_contexts
FROM generate_series(1, 100) AS i;
SELECT count(DISTINCT bloom_hash(ARRAY[replaced(i)])) AS of_arrays, max(sql_contexts()) < 20 AS few_contexts
FROM generate_series(1, 100) AS i;

-- by a text that is another one within the transaction
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtextextended($1::text, $2)';
BEGIN;
:blanks_count;
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtextextended(rtrim($1::text), $2)';
:blanks_count;
SAVEPOINT here;
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtextextended($1::text, $2)';
:blanks_count;
ROLLBACK TO here;
:blanks_count;
COMMIT;

-- while a statement runs
BEGIN;
DECLARE rows CURSOR FOR SELECT bloom_hash(ARRAY[a]) <> bloom_hash(ARRAY[b]) AS array, bloom_hash(padded_range(a, NULL)) <> bloom_hash(padded_range(b, NULL)) AS range
	FROM pairs, generate_series(1, 4);
FETCH 2 FROM rows;
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
FETCH 2 FROM rows;
COMMIT;

-- What was stored before is refused.
CREATE TABLE stored AS SELECT bloom_agg(ARRAY['A '::padded]) AS f, bloom_agg(word_range('A ', NULL)) AS g;
SELECT f @> ARRAY['A '::padded] AS found, f @> ARRAY['A '::word] AS found_as_domain, g @> word_range('A ', NULL) AS found_in_range FROM stored;
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashbpcharextended';
SELECT f @> ARRAY['A '::padded] FROM stored;
SELECT f @> ARRAY['A '::word] FROM stored;
SELECT g @> word_range('A ', NULL) FROM stored;

-- The operator family has another function, or none.
CREATE FUNCTION other_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
\set VERBOSITY default
SELECT bloom_hash('A '::padded);
SELECT bloom_hash(ARRAY['A '::padded]);
\set VERBOSITY terse
SELECT bloom_hash(word_range('A ', NULL));
-- so also to a session that begins there
\c
\set VERBOSITY terse
SET client_min_messages = warning;
SET search_path = hash_changes, public;
SELECT bloom_hash('A '::padded);
SELECT bloom_hash(ARRAY['A '::padded]);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) other_hash(padded, bigint);
:blanks_count;
SELECT f @> ARRAY['A '::padded] FROM stored;
SELECT f @> ARRAY['A '::word] FROM stored;
DROP FUNCTION padded_hash(padded, bigint);
:blanks_count;
CREATE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) padded_hash(padded, bigint);
SELECT f @> ARRAY['A '::padded] AS found, f @> ARRAY['A '::word] AS found_as_domain, g @> word_range('A ', NULL) AS found_in_range FROM stored;
-- while a statement runs
BEGIN;
DECLARE rows CURSOR FOR SELECT f @> ARRAY['A '::padded] AS found FROM stored, generate_series(1, 4);
FETCH 2 FROM rows;
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) other_hash(padded, bigint);
FETCH 2 FROM rows;
ROLLBACK;

-- Another operator class, while a statement runs; both families stay as they are.
BEGIN;
DROP OPERATOR CLASS padded_hash_ops USING hash;
CREATE OPERATOR FAMILY first_family USING hash;
ALTER OPERATOR FAMILY first_family USING hash ADD
	OPERATOR 1 = (padded, padded), FUNCTION 1 (padded, padded) padded_hash(padded), FUNCTION 2 (padded, padded) padded_hash(padded, bigint);
CREATE OPERATOR FAMILY second_family USING hash;
ALTER OPERATOR FAMILY second_family USING hash ADD
	OPERATOR 1 = (padded, padded), FUNCTION 1 (padded, padded) padded_hash(padded), FUNCTION 2 (padded, padded) other_hash(padded, bigint);
CREATE OPERATOR CLASS first_ops DEFAULT FOR TYPE padded USING hash FAMILY first_family AS STORAGE padded;
DECLARE rows CURSOR FOR SELECT f @> ARRAY['A '::padded] AS found FROM stored, generate_series(1, 4);
FETCH 2 FROM rows;
DROP OPERATOR CLASS first_ops USING hash;
CREATE OPERATOR CLASS second_ops DEFAULT FOR TYPE padded USING hash FAMILY second_family AS STORAGE padded;
FETCH 2 FROM rows;
ROLLBACK;

-- What is rolled back leaves nothing behind for the server.
\c
SET client_min_messages = warning;
SET search_path = hash_changes, public;
CREATE TABLE by_hash (k padded[]) PARTITION BY HASH (k);
CREATE TABLE by_hash_0 PARTITION OF by_hash FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_hash_1 PARTITION OF by_hash FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO by_hash VALUES (ARRAY['A '::padded]);
BEGIN;
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashbpcharextended';
SELECT bloom_hash(ARRAY[a]) = bloom_hash(ARRAY[b]) AS blanks_do_not_count FROM pairs;
ROLLBACK;
INSERT INTO by_hash SELECT ARRAY[(i || ' ')::padded] FROM generate_series(1, 100) AS i;
\c
SET client_min_messages = warning;
SET search_path = hash_changes, public;
SELECT count(*) AS rows, count(*) FILTER (WHERE satisfies_hash_partition('by_hash'::regclass, 2, right(tableoid::regclass::text, 1)::int, k)) AS where_they_belong
	FROM by_hash;
SELECT bloom_hash(ARRAY[a]) = bloom_hash(ARRAY[b]) AS blanks_do_not_count FROM pairs;

-- The hash is made as the server makes it.  A type whose values are hashed to
-- themselves shows what the server's functions return.
CREATE TYPE plain;
CREATE FUNCTION plain_in(cstring) RETURNS plain LANGUAGE internal IMMUTABLE STRICT AS 'int8in';
CREATE FUNCTION plain_out(plain) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int8out';
CREATE TYPE plain (INPUT = plain_in, OUTPUT = plain_out, LIKE = int8);
CREATE CAST (bigint AS plain) WITHOUT FUNCTION;
CREATE CAST (plain AS bigint) WITHOUT FUNCTION;
CREATE FUNCTION plain_eq(plain, plain) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS 'int8eq';
CREATE FUNCTION plain_hash(plain) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashint8';
CREATE FUNCTION plain_hash(plain, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1::bigint';
CREATE OPERATOR = (LEFTARG = plain, RIGHTARG = plain, FUNCTION = plain_eq, COMMUTATOR = =, HASHES);
CREATE OPERATOR CLASS plain_ops DEFAULT FOR TYPE plain USING hash AS
	OPERATOR 1 =, FUNCTION 1 plain_hash(plain), FUNCTION 2 plain_hash(plain, bigint);
SELECT count(*) AS values, bool_and(bloom_hash(a, s) = bloom_hash(hash_array_extended(a, s)::plain, s)) AS arrays
	FROM (VALUES (ARRAY[1.5, NULL, -2]), ('{}'), ('{{1,2},{3,4}}'), ('[0:1]={7,8}')) AS v (a), (VALUES (0), (42)) AS w (s);
SELECT count(*) AS values, bool_and(bloom_hash(a, s) = bloom_hash(hash_array_extended(a, s)::plain, s)) AS "arrays of ranges"
	FROM (VALUES (ARRAY[int4range(1, 5), NULL, 'empty']), (ARRAY[int4range(NULL, 5, '()'), int4range(NULL, NULL)])) AS v (a), (VALUES (0), (42)) AS w (s);
SELECT count(*) AS values, bool_and(bloom_hash(r, s) = bloom_hash(hash_range_extended(r, s)::plain, s)) AS ranges
	FROM (VALUES (numrange(1, 5)), ('(1,5]'), ('(,5]'), ('[1,)'), ('(,)'), ('empty')) AS v (r), (VALUES (0), (42)) AS w (s);
SELECT count(*) AS values, bool_and(bloom_hash(m, s) = bloom_hash(hash_multirange_extended(m, s)::plain, s)) AS multiranges
	FROM (VALUES (nummultirange(numrange(1, 5), numrange(7, NULL))), ('{(,5],(6,7)}'), ('{}')) AS v (m), (VALUES (0), (42)) AS w (s);

-- It is changed while it runs: PL/pgSQL goes on with the new one.
CREATE FUNCTION replace_hash(plus int) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS %L',
		format('BEGIN IF $1::text = ''replace'' THEN PERFORM replace_hash(%s); END IF; RETURN hashtextextended($1::text, $2) + %s; END', plus + 1, plus));
END $$;
SELECT replace_hash(0);
SELECT bloom_hash('A'::padded) IS NOT NULL AS hashed;
\set VERBOSITY default
SELECT bloom_add(bloom_create(10), ARRAY['A'::padded, 'replace', 'A']);
\set VERBOSITY terse
SELECT bloom_hash('replace'::padded);
SELECT bloom_agg('A'::padded) @> 'A'::padded AS found;

-- Its settings change, and nothing else.
CREATE SCHEMA lower_case;
CREATE SCHEMA upper_case;
CREATE FUNCTION lower_case.folded(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT lower($1)';
CREATE FUNCTION upper_case.folded(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT upper($1)';
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
	SET search_path = pg_catalog, lower_case, hash_changes AS 'SELECT hashtextextended(folded($1::text), $2)';
UPDATE stored SET f = bloom_add(bloom_create(10), 'A'::padded), g = bloom_add(bloom_create(10), padded_range('A', NULL));
SELECT f @> 'A'::padded AS found, g @> padded_range('A', NULL) AS found_in_range FROM stored;
ALTER FUNCTION padded_hash(padded, bigint) SET search_path = pg_catalog, upper_case, hash_changes;
SELECT f @> 'A'::padded FROM stored;
SELECT g @> padded_range('A', NULL) FROM stored;
ALTER FUNCTION padded_hash(padded, bigint) SET search_path = pg_catalog, lower_case, hash_changes;
ALTER FUNCTION padded_hash(padded, bigint) SET extra_float_digits = 0;
SELECT f @> 'A'::padded FROM stored;
ALTER FUNCTION padded_hash(padded, bigint) RESET extra_float_digits;
SELECT f @> 'A'::padded AS found, g @> padded_range('A', NULL) AS found_in_range FROM stored;

-- It is another one of the same name and text, for another type or in another language.
CREATE FUNCTION folded(padded) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT upper($1::text)';
CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS 'SELECT lower($1)';
CREATE FUNCTION fold_hash(padded, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN hashtextextended(folded($1), $2); END';
CREATE FUNCTION fold_hash(text, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN hashtextextended(folded($1), $2); END';
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) fold_hash(padded, bigint);
UPDATE stored SET f = bloom_add(bloom_create(10), 'A'::padded);
SELECT f @> 'A'::padded AS found FROM stored;
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) fold_hash(text, bigint);
SELECT f @> 'A'::padded FROM stored;
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) fold_hash(padded, bigint);
SELECT f @> 'A'::padded AS found FROM stored;
BEGIN;
ALTER LANGUAGE plpgsql RENAME TO plpgsql_as_it_was;
SELECT f @> 'A'::padded FROM stored;
ROLLBACK;
SELECT f @> 'A'::padded AS found FROM stored;
-- or for a type of another name, while a statement runs
CREATE FUNCTION fold_hash(word, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN hashtextextended(folded($1), $2); END';
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) fold_hash(word, bigint);
UPDATE stored SET f = bloom_add(bloom_create(10), 'A'::padded);
BEGIN;
DECLARE rows CURSOR FOR SELECT f @> 'A'::padded AS found FROM stored, generate_series(1, 4);
FETCH 2 FROM rows;
ALTER DOMAIN word RENAME TO term;
FETCH 2 FROM rows;
ROLLBACK;
ALTER OPERATOR FAMILY padded_hash_ops USING hash DROP FUNCTION 2 (padded, padded);
ALTER OPERATOR FAMILY padded_hash_ops USING hash ADD FUNCTION 2 (padded, padded) padded_hash(padded, bigint);

-- It returns NULL.
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT NULL::bigint';
\set VERBOSITY default
SELECT bloom_hash('A'::padded);
\set VERBOSITY terse
SELECT bloom_hash(ARRAY['A'::padded]);
SELECT bloom_hash(padded_range('A', NULL));

-- Even a type of the server's can be given another function, in the catalogs.
BEGIN;
CREATE FUNCTION interval_hash_spelled(interval, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtextextended($1::text, $2)';
UPDATE stored SET f = bloom_add(bloom_create(10), interval '1 day');
SELECT f @> interval '24 hours' AS found FROM stored;
UPDATE pg_amproc SET amproc = 'interval_hash_spelled' WHERE amproc = 'interval_hash_extended'::regproc;
SELECT f @> interval '24 hours' FROM stored;
ROLLBACK;

DROP SCHEMA hash_changes CASCADE;
