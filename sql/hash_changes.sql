-- Hash functions that become others while a session knows them.  Arrays, ranges
-- and multiranges are hashed by the server, and what they consist of by what its
-- cache of types has, which does not see that.
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
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT count(*) FROM many WHERE (SELECT bloom_agg(ARRAY[v], 3000) FROM many) @> ARRAY[v];
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE internal IMMUTABLE STRICT AS 'hashvarlenaextended';
SELECT count(*) FROM many WHERE (SELECT bloom_agg(ARRAY[v], 3000) FROM many) @> ARRAY[v];
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
:blanks_count;

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

-- It returns NULL.
CREATE OR REPLACE FUNCTION padded_hash(padded, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT NULL::bigint';
\set VERBOSITY default
SELECT bloom_hash('A'::padded);

DROP SCHEMA hash_changes CASCADE;
