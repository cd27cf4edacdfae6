-- Join filters: where rows are tested, where they must not be, and that the
-- results are those without filters.
LOAD 'bloomfilter';
CREATE SCHEMA join_results;
SET search_path = join_results, public;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET enable_nestloop = off;
SET enable_mergejoin = off;

-- fact: keys 0 .. 1999, of which customer has 100 and product 50.
CREATE TABLE customer (id int, name text, region int);
INSERT INTO customer SELECT i * 20, 'customer ' || i * 20, i % 10 FROM generate_series(0, 99) AS i;
CREATE TABLE product (id int, name text, kind int, bits bit(12));
INSERT INTO product SELECT i * 40, 'product ' || i * 40, i % 5, (i * 40)::bit(12) FROM generate_series(0, 49) AS i;
CREATE TABLE fact (id int, customer_id int, product_id int, customer_name text, n int, bits bit(12));
INSERT INTO fact SELECT i, i * 7 % 2000, i * 11 % 2000, 'customer ' || i * 7 % 2000, i / 2000, (i * 11 % 2000)::bit(12)
	FROM generate_series(1, 10000) AS i;
-- keys of two columns: each column has all values of fact, but not together
CREATE TABLE pair (customer_id int, n int);
INSERT INTO pair SELECT i, 1 FROM generate_series(0, 1999, 20) AS i;
INSERT INTO pair SELECT i, -1 FROM generate_series(0, 1999) AS i;
INSERT INTO pair SELECT -1, i FROM generate_series(0, 5) AS i;
ANALYZE;

-- Where a plan tests rows, one line per place: columns and filter, the node
-- that is tested, the nodes above it up to the top.
CREATE FUNCTION places(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN QUERY
		WITH RECURSIVE node (node, parent, path, position) AS (
			SELECT plan->0->'Plan', NULL::json, '', ARRAY[0]
			UNION ALL
			SELECT child.value, node.node,
				CASE WHEN node.node->>'Node Type' = 'Custom Scan' THEN path ELSE concat(
					CASE WHEN path <> '' THEN path || ' > ' END,
					CASE WHEN (node.node->>'Parallel Aware')::bool THEN 'Parallel ' END,
					(node.node->>'Strategy') || ' ', (node.node->>'Join Type') || ' ',
					node.node->>'Node Type') END,
				position || child.ordinality::int
			FROM node, json_array_elements(node.node->'Plans') WITH ORDINALITY AS child)
		SELECT format('%s: %s > [%s]',
			(SELECT string_agg(f, '; ') FROM json_array_elements_text(parent->'Bloom Filter Key') AS f),
			path, concat_ws(' ', CASE WHEN (node->>'Parallel Aware')::bool THEN 'Parallel' END, node->>'Strategy', node->>'Join Type', node->>'Node Type',
				node->>'Alias', node->>'CTE Name'))
		FROM node
		WHERE parent->>'Custom Plan Provider' = 'bloomfilter probe'
		ORDER BY position;
	IF NOT FOUND THEN
		RETURN NEXT '(no filter)';
	END IF;
END $$;

-- The rows of a query, in any order: their number and a digest.
CREATE FUNCTION rows_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT count(*) || '' rows, '' || coalesce(md5(string_agg(q::text, '','' ORDER BY q::text)), ''none'') FROM (%s) AS q', query)
		INTO result;
	RETURN result;
END $$;

-- The places; and the result, compared with that without filters.
CREATE FUNCTION check_join(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	expected text;
	result text;
BEGIN
	SET LOCAL bloomfilter.join_filters = off;
	expected := rows_of(query);
	SET LOCAL bloomfilter.join_filters = force;
	RETURN QUERY SELECT places(query);
	result := rows_of(query);
	RETURN NEXT CASE WHEN result = expected THEN split_part(result, ',', 1) || ', the same'
		ELSE 'DIFFERENT: ' || coalesce(result, 'none') || ' instead of ' || coalesce(expected, 'none') END;
END $$;

-- Off by default.
SELECT boot_val FROM pg_settings WHERE name = 'bloomfilter.join_filters';
SET bloomfilter.join_filters = maybe;
SET bloomfilter.join_filter_min_rows = -1;
SELECT places($$ SELECT * FROM fact JOIN customer ON fact.customer_id = customer.id $$);

--
-- Join types
--
-- those that drop rows of the outer side which have no match
SELECT check_join($$ SELECT * FROM fact JOIN customer ON fact.customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM fact WHERE customer_id IN (SELECT id FROM customer) $$);
SELECT check_join($$ SELECT * FROM customer LEFT JOIN fact ON fact.customer_id = customer.id AND fact.n > 2 $$);
-- those that return them: LEFT, FULL, ANTI
SELECT check_join($$ SELECT * FROM fact LEFT JOIN customer ON fact.customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM fact FULL JOIN customer ON fact.customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM fact WHERE NOT EXISTS (SELECT FROM customer WHERE fact.customer_id = customer.id) $$);
-- from 16 and 18 on the smaller side may be hashed here
SELECT line FROM check_join($$ SELECT * FROM customer WHERE NOT EXISTS (SELECT FROM fact WHERE fact.customer_id = customer.id AND n > 2) $$) AS line
	WHERE line LIKE '% rows%';
SELECT line FROM check_join($$ SELECT * FROM customer WHERE EXISTS (SELECT FROM fact WHERE fact.customer_id = customer.id AND n > 4) $$) AS line
	WHERE line LIKE '% rows%';

--
-- Keys
--
-- an expression may be a key on both sides
SELECT check_join($$ SELECT * FROM fact JOIN customer ON fact.customer_id + 1 = customer.id $$);
SELECT check_join($$ SELECT * FROM fact JOIN customer ON fact.customer_id = customer.id + 1 $$);
-- columns that reach the same place are tested together
SELECT check_join($$ SELECT * FROM fact JOIN pair ON fact.customer_id = pair.customer_id AND fact.n = pair.n $$);
SET bloomfilter.join_filters = force;
CREATE FUNCTION rows_tested(query text, OUT tested bigint, OUT removed bigint) LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	tested := 0;
	removed := 0;
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF, COSTS OFF) ' || query LOOP
		tested := tested + coalesce(substring(line from 'Rows Tested by Bloom Filter: (\d+)')::bigint, 0);
		removed := removed + coalesce(substring(line from 'Rows Removed by Bloom Filter: (\d+)')::bigint, 0);
	END LOOP;
END $$;
-- (all but 100 of the 2106 could be removed)
SELECT tested, removed > 1950 AS removed
	FROM rows_tested($$ SELECT * FROM fact JOIN pair ON fact.customer_id = pair.customer_id AND fact.n = pair.n $$);
-- those that reach different ones, each for itself
SELECT check_join($$
	SELECT * FROM (SELECT f.id, f.customer_id, p.kind FROM fact f JOIN product p ON f.product_id = p.id) AS fp
	JOIN (SELECT id, region % 5 AS kind FROM customer OFFSET 0) AS c ON fp.customer_id = c.id AND fp.kind = c.kind $$);
-- NULL matches nothing
CREATE TABLE with_nulls AS SELECT nullif(i % 7, 3) AS a, nullif(i % 5, 2) AS b FROM generate_series(1, 700) AS i;
ANALYZE with_nulls;
SELECT check_join($$ SELECT * FROM with_nulls x JOIN (SELECT * FROM with_nulls LIMIT 50) AS y ON x.a = y.a AND x.b = y.b $$);
SELECT check_join($$ SELECT * FROM (SELECT * FROM with_nulls LIMIT 50) AS y LEFT JOIN with_nulls x ON x.a = y.a AND x.b = y.b $$);
-- an operator that is not strict may say that it does: no filter
CREATE FUNCTION same_or_null(int, int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT $1 IS NOT DISTINCT FROM $2';
CREATE FUNCTION hash_or_null(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT coalesce($1, 0) % 1000';
CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = same_or_null, COMMUTATOR = ===, HASHES);
CREATE OPERATOR CLASS null_ops FOR TYPE int USING hash AS OPERATOR 1 ===, FUNCTION 1 hash_or_null(int);
SELECT check_join($$ SELECT * FROM with_nulls x JOIN (SELECT * FROM with_nulls LIMIT 5) AS y ON x.a === y.a $$);

-- one that compares no more than hashes: of these two numbers they are equal
CREATE FUNCTION same_hash(int, int) RETURNS bool IMMUTABLE STRICT LANGUAGE plpgsql AS 'BEGIN RETURN hashint4($1) = hashint4($2); END';
CREATE OPERATOR ==== (LEFTARG = int, RIGHTARG = int, FUNCTION = same_hash, COMMUTATOR = ====, HASHES);
CREATE OPERATOR CLASS same_hash_ops FOR TYPE int USING hash AS OPERATOR 1 ====, FUNCTION 1 hashint4(int);
SELECT check_join($$ SELECT x.v, y.v AS other FROM generate_series(131900, 131999) AS x (v)
	JOIN (SELECT v FROM generate_series(2770, 2779) AS v OFFSET 0) AS y ON x.v ==== y.v $$);

-- types: what "=" calls equal across types, and hash functions of all kinds
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy', 'proud');
CREATE TYPE point3 AS (x int, y text);
CREATE TABLE many AS SELECT i::int2 AS i2, i AS i4, i::int8 AS i8, i::numeric AS num, i::float8 AS f8, i::float4 AS f4,
		'text ' || i AS t, ('text ' || i)::varchar AS v, ('text ' || i)::char(12) AS c, ('text ' || i)::name AS nm,
		md5(i::text)::uuid AS u, date '2000-01-01' + i AS d, timestamp '2000-01-01' + i * interval '1 day' AS ts,
		(enum_range(NULL::mood))[1 + i % 4] AS e, ROW(i, 'p')::point3 AS r, ARRAY[i, i + 1] AS a,
		int4range(i, i + 3) AS rg, jsonb_build_object('i', i) AS j, i % 2 = 0 AS b, i::oid AS o
	FROM generate_series(-200, 800) AS i WHERE i >= 0 OR i % 2 = 0;
ANALYZE many;
CREATE FUNCTION check_columns(outer_column text, inner_column text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT x.i4, y.i4 AS other FROM many x JOIN (SELECT * FROM many WHERE i4 %% 17 = 3 OR e = ''sad'' AND i4 < 9) AS y ON x.%s = y.%s',
		outer_column, inner_column);
BEGIN
	RETURN (SELECT string_agg(regexp_replace(line, ':.*', ''), ', ') FROM check_join(query) AS line);
END $$;
SELECT x, y, check_columns(x, y) FROM (VALUES
	('i2', 'i4'), ('i2', 'i8'), ('i4', 'i2'), ('i4', 'i8'), ('i8', 'i4'), ('i8', 'i2'), ('i4', 'i4'), ('i8', 'i8'),
	('num', 'num'), ('f4', 'f8'), ('f8', 'f4'), ('t', 't'), ('t', 'v'), ('v', 'v'), ('v', 't'), ('c', 'c'), ('nm', 't'),
	('t', 'nm'), ('nm', 'nm'), ('u', 'u'), ('d', 'd'), ('ts', 'ts'), ('e', 'e'), ('r', 'r'), ('a', 'a'), ('rg', 'rg'),
	('j', 'j'), ('b', 'b'), ('o', 'o')) AS pairs (x, y);
-- columns that are read alone: at the same offset in all rows, behind NULL, behind
-- one whose length varies, read already, behind one that was dropped, younger than rows
CREATE TABLE offsets (gone int, a int, b int, t text, c int);
INSERT INTO offsets SELECT i, nullif(i % 2, 0), i, repeat('t', i % 7), i FROM generate_series(0, 300) AS i;
INSERT INTO offsets SELECT i, i, i, NULL, i FROM generate_series(300, 900) AS i;
ANALYZE offsets;
SELECT x, check_join(format('SELECT * FROM offsets JOIN (SELECT id FROM customer LIMIT 50) AS y ON y.id = offsets.%s', x))
	FROM unnest(ARRAY['gone', 'a', 'b', 'c']) AS x;
SELECT check_join('SELECT * FROM offsets JOIN (SELECT id FROM customer LIMIT 50) AS y ON y.id = offsets.b WHERE offsets.c <> 3');
SELECT check_join('SELECT * FROM offsets JOIN (SELECT id, id * 1 AS c FROM customer LIMIT 50) AS y ON y.id = offsets.b AND y.c = offsets.c');
ALTER TABLE offsets DROP gone;
SELECT check_join('SELECT * FROM offsets JOIN (SELECT id FROM customer LIMIT 50) AS y ON y.id = offsets.b');
CREATE TABLE younger AS SELECT i AS a FROM generate_series(0, 300) AS i;
ALTER TABLE younger ADD d int DEFAULT 80, ADD e int;
INSERT INTO younger SELECT i, i, i FROM generate_series(300, 900) AS i;
ANALYZE younger;
SELECT x, check_join(format('SELECT * FROM younger JOIN (SELECT id FROM customer LIMIT 50) AS y ON y.id = younger.%s', x))
	FROM unnest(ARRAY['d', 'e']) AS x;
-- floats that are equal and look different; blanks at the end of char(n)
SELECT check_join($$ SELECT * FROM (VALUES ('-0'::float8), ('0'), ('nan'), ('1'), ('2'), ('3')) AS x (v)
	JOIN (VALUES ('0'::float8), ('NaN')) AS y (v) ON x.v = y.v $$);
-- a collation that ignores case
CREATE COLLATION ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE words AS SELECT CASE i % 3 WHEN 0 THEN 'word ' || i / 3 WHEN 1 THEN 'WORD ' || i / 3 ELSE 'Word ' || i / 3 END AS w
	FROM generate_series(0, 299) AS i;
CREATE TABLE some_words AS SELECT 'word ' || i AS w FROM generate_series(0, 99, 10) AS i;
ANALYZE words, some_words;
SELECT check_join($$ SELECT * FROM words JOIN some_words ON words.w = some_words.w COLLATE ignore_case $$);

--
-- What is hashed must not change
--
-- a parameter in what is hashed, or in the keys of the Hash only: no filter
SELECT check_join($$
	SELECT c.id, (SELECT count(*) FROM fact f JOIN product p ON f.product_id = p.id AND p.kind = c.region % 5)
	FROM customer c WHERE c.id < 200 $$);
SELECT check_join($$
	SELECT c.id, (SELECT count(*) FROM fact f JOIN product p ON f.product_id = p.id + c.region)
	FROM customer c WHERE c.id < 200 $$);
-- a parameter on the other side: the filter stays
SELECT check_join($$
	SELECT c.id, (SELECT count(*) FROM fact f JOIN product p ON f.product_id = p.id WHERE f.customer_id = c.id)
	FROM customer c WHERE c.id < 200 $$);
-- in several batches, which are hashed anew for each scan
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT check_join($$
	SELECT c.id, (SELECT count(g.customer_name) FROM fact f JOIN (SELECT * FROM fact WHERE id <= 2500) AS g ON f.product_id = g.id
		WHERE f.n >= c.region - 2)
	FROM customer c WHERE c.id < 100 $$);
SELECT check_join($$
	SELECT * FROM (SELECT product_id, count(*) FROM fact GROUP BY 1 HAVING count(*) > 0) AS f
	JOIN (SELECT * FROM fact WHERE id <= 6000) AS g ON f.product_id = g.id $$);
RESET work_mem;
RESET hash_mem_multiplier;
-- groups of which the first is fetched before anything is hashed
CREATE TABLE ordered AS SELECT * FROM fact;
CREATE INDEX ON ordered (customer_id);
ANALYZE ordered;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_sort = off;
SET enable_hashagg = off;
SELECT check_join($$ SELECT * FROM (SELECT customer_id, count(*) FROM ordered GROUP BY customer_id) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, count(*) FROM ordered GROUP BY customer_id) AS f
	JOIN customer ON customer_id = customer.id + 7 $$);
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET enable_sort;
RESET enable_hashagg;
-- results of sub-selects that run once, and CTEs, do not change
SELECT check_join($$ SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = (SELECT max(kind) FROM product) $$);
SELECT check_join($$ SELECT * FROM fact JOIN customer ON customer_id = customer.id
	AND region = (SELECT max(kind) FROM product WHERE id < (SELECT avg(id) FROM customer)) $$);
SELECT check_join($$ WITH c AS MATERIALIZED (SELECT * FROM customer WHERE region = 3)
	SELECT * FROM fact JOIN c ON customer_id = c.id $$);
-- volatile functions
SELECT check_join($$ SELECT * FROM fact JOIN (SELECT id FROM customer WHERE random() >= 0) AS c ON customer_id = c.id $$);
SELECT check_join($$ SELECT * FROM fact JOIN (SELECT id FROM customer WHERE id >= (SELECT min(random())::int - 1)) AS c ON customer_id = c.id $$);
SELECT check_join($$ WITH c AS MATERIALIZED (SELECT id FROM customer WHERE random() >= 0) SELECT * FROM fact JOIN c ON customer_id = c.id $$);
-- rows that may be others next time, as with LIMIT: if there is one, not below what keeps rows
SELECT check_join($$ SELECT * FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f
	JOIN (SELECT * FROM customer LIMIT 1000) AS c ON customer_id = c.id $$);
SET enable_nestloop = on;
SET enable_material = off;
SELECT check_join($$ SELECT * FROM (VALUES (1), (2)) AS v (n) LEFT JOIN (SELECT f.* FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f
	JOIN (SELECT * FROM customer LIMIT 1000) AS c ON customer_id = c.id OFFSET 0) AS f ON v.n > f.count $$);
-- of equal values that differ, DISTINCT has the first that it meets
SELECT check_join($$ SELECT * FROM (VALUES (1), (2)) AS v (n) LEFT JOIN (SELECT f.* FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f
	JOIN (SELECT DISTINCT id, name FROM customer) AS c ON customer_id = c.id OFFSET 0) AS f ON v.n > f.count $$);
RESET enable_material;
SET enable_nestloop = off;
-- a sub-select that no row of others changes runs once
SELECT places('SELECT ARRAY(SELECT f.count FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f
	JOIN (SELECT * FROM customer LIMIT 1000) AS c ON customer_id = c.id)');
SELECT places('SELECT ARRAY(SELECT f.count FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f
	JOIN (SELECT * FROM customer LIMIT 1000) AS c ON customer_id = c.id WHERE f.count > n) FROM generate_series(1, 2) AS n');

--
-- Through nodes that hand rows on
--
SELECT check_join($$ SELECT * FROM (SELECT customer_id, count(*), sum(n) FROM fact GROUP BY customer_id) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n, count(*) FROM fact GROUP BY customer_id, n HAVING count(*) > 0) AS f
	JOIN pair USING (customer_id, n) $$);
-- not by what is aggregated, nor with grouping sets
SELECT check_join($$ SELECT * FROM (SELECT id % 1000 AS m, max(customer_id) AS customer_id FROM fact GROUP BY 1) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n, count(*) FROM fact GROUP BY GROUPING SETS ((customer_id), (n), ())) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n, count(*) FROM fact GROUP BY ROLLUP (customer_id, n)) AS f
	JOIN customer ON customer_id = customer.id $$);
-- sorted: Group, GroupAggregate, Unique
SET enable_hashagg = off;
SELECT check_join($$ SELECT * FROM (SELECT customer_id FROM fact GROUP BY customer_id OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n FROM fact GROUP BY customer_id, n) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, count(*) FROM fact GROUP BY customer_id) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT DISTINCT customer_id, n FROM fact) AS f
	JOIN customer ON customer_id = customer.id $$);
RESET enable_hashagg;
SELECT check_join($$ SELECT * FROM (SELECT DISTINCT ON (customer_id) customer_id, product_id, n FROM fact ORDER BY customer_id, id) AS f
	JOIN customer ON customer_id = customer.id $$);
-- DISTINCT ON by another column: another row would become the first
SELECT check_join($$ SELECT * FROM (SELECT DISTINCT ON (n) n, customer_id FROM fact ORDER BY n, id) AS f
	JOIN customer ON customer_id = customer.id $$);
-- windows: by a column of PARTITION BY, not by others, not by one of two windows' only
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n, row_number() OVER (PARTITION BY customer_id ORDER BY id) AS r FROM fact) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n, row_number() OVER (PARTITION BY n ORDER BY id) AS r FROM fact) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n, count(*) OVER (PARTITION BY customer_id, n) AS a,
		count(*) OVER (PARTITION BY n) AS b FROM fact) AS f
	JOIN customer ON customer_id = customer.id $$);
-- grouped more coarsely than joined: 'word 1' and 'WORD 1' are one group, and
-- which of them stands for it, so that it is joined, depends on the version
CREATE TABLE ci_words (w text COLLATE ignore_case);
INSERT INTO ci_words SELECT w FROM words;
ANALYZE ci_words;
SELECT regexp_replace(check_join($$ SELECT * FROM (SELECT w, count(*) FROM ci_words GROUP BY w) AS g
	JOIN some_words s ON g.w = s.w COLLATE "C" $$), '^\d+ ', '');
SELECT regexp_replace(check_join($$ SELECT * FROM (SELECT w, count(*) OVER (PARTITION BY w) FROM ci_words) AS g
	JOIN some_words s ON g.w = s.w COLLATE "C" $$), '^\d+ ', '');
SELECT regexp_replace(check_join($$ SELECT * FROM (SELECT w FROM ci_words UNION SELECT 'other') AS g
	JOIN some_words s ON g.w = s.w COLLATE "C" $$), '^\d+ ', '');
SET enable_hashagg = off;
SELECT regexp_replace(check_join($$ SELECT * FROM (SELECT DISTINCT w FROM ci_words) AS g
	JOIN some_words s ON g.w = s.w COLLATE "C" $$), '^\d+ ', '');
SELECT regexp_replace(check_join($$ SELECT * FROM (SELECT w FROM ci_words GROUP BY w) AS g
	JOIN some_words s ON g.w = s.w COLLATE "C" $$), '^\d+ ', '');
RESET enable_hashagg;
-- as finely as joined
SELECT check_join($$ SELECT * FROM (SELECT w, count(*) FROM ci_words GROUP BY w) AS g
	JOIN some_words s ON g.w = s.w COLLATE ignore_case $$);
SELECT check_join($$ SELECT * FROM (SELECT w COLLATE "C" AS w, count(*) FROM words GROUP BY 1) AS g
	JOIN some_words s ON g.w = s.w COLLATE "POSIX" $$);
-- an operator of another family: one group for equal v, joined by both v and w
CREATE TYPE two AS (v int, w int);
CREATE FUNCTION same_v(two, two) RETURNS bool STRICT IMMUTABLE COST 1 LANGUAGE plpgsql AS 'BEGIN RETURN ($1).v = ($2).v; END';
CREATE FUNCTION same_v_w(two, two) RETURNS bool STRICT IMMUTABLE COST 1 LANGUAGE plpgsql AS 'BEGIN RETURN ($1).v = ($2).v AND ($1).w = ($2).w; END';
CREATE FUNCTION hash_v(two) RETURNS int STRICT IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS 'BEGIN RETURN ($1).v * 7919; END';
CREATE FUNCTION hash_v_w(two) RETURNS int STRICT IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS 'BEGIN RETURN ($1).v * 7919 + ($1).w; END';
CREATE FUNCTION less_v(two, two) RETURNS bool STRICT IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN ($1).v < ($2).v; END';
CREATE FUNCTION compare_v(two, two) RETURNS int STRICT IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN sign(($1).v - ($2).v); END';
CREATE OPERATOR <~ (LEFTARG = two, RIGHTARG = two, FUNCTION = less_v);
CREATE OPERATOR =~ (LEFTARG = two, RIGHTARG = two, FUNCTION = same_v, COMMUTATOR = =~, HASHES);
CREATE OPERATOR =~~ (LEFTARG = two, RIGHTARG = two, FUNCTION = same_v_w, COMMUTATOR = =~~, HASHES);
CREATE OPERATOR CLASS two_ops DEFAULT FOR TYPE two USING hash AS OPERATOR 1 =~, FUNCTION 1 hash_v(two);
CREATE OPERATOR CLASS two_ops DEFAULT FOR TYPE two USING btree AS OPERATOR 1 <~, OPERATOR 3 =~, FUNCTION 1 compare_v(two, two);
CREATE OPERATOR CLASS two_fine_ops FOR TYPE two USING hash AS OPERATOR 1 =~~, FUNCTION 1 hash_v_w(two);
CREATE TABLE twos AS SELECT ROW(i / 10, i % 10)::two AS t FROM generate_series(0, 19999) AS i;
CREATE TABLE some_twos AS SELECT ROW(i, 0)::two AS t FROM generate_series(0, 30) AS i;
ANALYZE twos, some_twos;
SELECT check_join($$ SELECT * FROM (SELECT t, count(*) FROM twos GROUP BY t) AS g JOIN some_twos s ON g.t =~~ s.t $$);
SELECT check_join($$ SELECT * FROM (SELECT t, count(*) FROM twos GROUP BY t) AS g JOIN some_twos s ON g.t =~ s.t $$);

-- joins: the outer side of INNER, LEFT, SEMI and ANTI
SELECT check_join($$ SELECT * FROM fact JOIN customer ON customer_id = customer.id JOIN product ON product_id = product.id $$);
SELECT check_join($$ SELECT * FROM (SELECT f.*, p.kind FROM fact f LEFT JOIN product p ON product_id = p.id) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT * FROM fact WHERE product_id IN (SELECT id FROM product) OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT * FROM fact f WHERE NOT EXISTS (SELECT FROM product p WHERE p.id = f.product_id) OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);
-- a column of the side that is hashed below: below that Hash
SELECT check_join($$ SELECT * FROM (SELECT f.id, c.region FROM fact f JOIN customer c ON f.customer_id = c.id OFFSET 0) AS f
	JOIN product ON f.region = product.id $$);
-- not into the other side of LEFT, nor either side of FULL
SELECT check_join($$ SELECT * FROM (SELECT f.id, c.region FROM fact f LEFT JOIN customer c ON f.customer_id = c.id OFFSET 0) AS f
	JOIN product ON f.region = product.id $$);
SELECT check_join($$ SELECT * FROM (SELECT f.id, f.customer_id, c.region FROM fact f FULL JOIN customer c ON f.customer_id = c.id + 1 OFFSET 0) AS f
	JOIN product ON f.customer_id = product.id $$);
-- merge joins and nested loops: their outer side, not the inner one (bit strings cannot be hashed)
SET enable_mergejoin = on;
SELECT check_join($$ SELECT * FROM (SELECT f.customer_id FROM fact f WHERE EXISTS (SELECT FROM product p WHERE f.bits = p.bits) OFFSET 0) AS f
	JOIN (SELECT * FROM customer WHERE region < 5) AS c ON f.customer_id = c.id $$);
SELECT check_join($$ SELECT * FROM (SELECT f.customer_id, p.kind FROM fact f JOIN product p ON f.bits = p.bits OFFSET 0) AS f
	JOIN (SELECT c.id, v.kind FROM customer c CROSS JOIN (VALUES (3), (4)) AS v (kind)) AS c ON f.kind = c.kind AND f.customer_id = c.id $$);
SELECT check_join($$ SELECT * FROM (SELECT f.customer_id, p.kind FROM fact f FULL JOIN product p ON f.bits = p.bits OFFSET 0) AS f
	JOIN customer c ON f.customer_id = c.id $$);
SET enable_mergejoin = off;
SET enable_nestloop = on;
SELECT check_join($$ SELECT * FROM (SELECT f.customer_id, p.kind FROM fact f LEFT JOIN product p ON f.product_id > p.id AND p.id > 1900 OFFSET 0) AS f
	JOIN customer c ON f.customer_id = c.id $$);
SELECT check_join($$ SELECT * FROM (SELECT f.customer_id, p.kind FROM fact f LEFT JOIN product p ON f.product_id > p.id AND p.id > 1900 OFFSET 0) AS f
	JOIN (SELECT * FROM customer WHERE region IN (3, 7)) AS c ON f.kind = c.region $$);
SET enable_nestloop = off;

-- Append, MergeAppend, partitions, UNION ALL; above those children where it cannot be lower
CREATE TABLE parts (id int, customer_id int, n int) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (5000);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (5000) TO (20000);
INSERT INTO parts SELECT id, customer_id, n FROM fact;
CREATE INDEX ON parts (customer_id);
ANALYZE parts;
SELECT check_join($$ SELECT * FROM parts JOIN customer ON customer_id = customer.id $$);
PREPARE pruned (int) AS SELECT count(*) FROM parts p JOIN customer ON customer_id = customer.id WHERE p.id < $1;
SET plan_cache_mode = force_generic_plan;
SET bloomfilter.join_filters = force;
SELECT places('EXECUTE pruned(1000)');
EXECUTE pruned(1000);
EXECUTE pruned(6000);
RESET plan_cache_mode;
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n FROM fact UNION ALL SELECT product_id, n + 1 FROM fact
		UNION ALL (SELECT customer_id, n FROM fact ORDER BY id LIMIT 3000)) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, n FROM fact UNION SELECT product_id, n FROM fact) AS f
	JOIN customer ON customer_id = customer.id $$);
SET enable_incremental_sort = off;
SELECT check_join($$ SELECT * FROM (SELECT DISTINCT ON (customer_id) * FROM parts ORDER BY customer_id, id) AS f
	JOIN customer ON customer_id = customer.id $$);
RESET enable_incremental_sort;

--
-- Not through
--
SELECT check_join($$ SELECT * FROM (SELECT * FROM fact ORDER BY id LIMIT 500) AS f JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT * FROM fact ORDER BY id OFFSET 500) AS f JOIN customer ON customer_id = customer.id $$);
SELECT substring(line from '\[.*SetOp|.* rows.*') FROM check_join($$ SELECT * FROM (SELECT customer_id FROM fact EXCEPT ALL SELECT product_id FROM fact WHERE id < 5000) AS f
	JOIN customer ON customer_id = customer.id $$) AS line;
SELECT check_join($$ SELECT * FROM (SELECT customer_id, generate_series(1, 2) AS g FROM fact) AS f JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ WITH RECURSIVE r (id, depth) AS (SELECT 20, 0 UNION SELECT id * 3 % 2000, depth + 1 FROM r WHERE depth < 500)
	SELECT * FROM r JOIN (SELECT * FROM customer WHERE region = 3) AS c USING (id) $$);
SELECT check_join($$ WITH RECURSIVE r (id) AS (SELECT 1 UNION SELECT f.product_id FROM r JOIN fact f ON f.id = r.id)
	SELECT * FROM r $$);
-- one CTE for two: what is dropped for the one would be missing to the other
SELECT check_join($$ WITH f AS MATERIALIZED (SELECT * FROM fact)
	SELECT (SELECT count(*) FROM f), f.* FROM f JOIN customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM generate_series(0, 3000) AS g (id) JOIN customer USING (id) $$);
-- volatile functions and sub-selects run for every row
CREATE SEQUENCE calls;
CREATE FUNCTION calls(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	before bigint := nextval('calls');
BEGIN
	PERFORM rows_of(query);
	RETURN nextval('calls') - before - 1;
END $$;
CREATE FUNCTION check_calls(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	expected bigint;
	result bigint;
BEGIN
	SET LOCAL bloomfilter.join_filters = off;
	expected := calls(query);
	SET LOCAL bloomfilter.join_filters = force;
	RETURN QUERY SELECT places(query);
	result := calls(query);
	RETURN NEXT CASE WHEN result = expected THEN 'as many calls' ELSE format('%s calls instead of %s', result, expected) END;
END $$;
SELECT check_calls($$ SELECT * FROM (SELECT customer_id, nextval('calls') AS s FROM fact OFFSET 0) AS f JOIN customer ON customer_id = customer.id $$);
SELECT check_calls($$ SELECT * FROM (SELECT customer_id, nextval('calls') AS s FROM (SELECT * FROM fact ORDER BY id OFFSET 0) AS f0 OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);
SELECT check_calls($$ SELECT * FROM (SELECT customer_id, count(*) FROM fact GROUP BY customer_id HAVING nextval('calls') > 0) AS f
	JOIN customer ON customer_id = customer.id $$);
-- of the other side of a join below, which runs for every row, or only if there are any
SET enable_nestloop = on;
SELECT check_calls($$ SELECT * FROM (SELECT f.customer_id, s.s FROM fact f LEFT JOIN LATERAL (SELECT nextval('calls') + 0 * f.id AS s) AS s ON true OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);
SET bloomfilter.join_filters = force;
-- and locks
SELECT places($$ SELECT * FROM (SELECT f.customer_id FROM fact f LEFT JOIN LATERAL (SELECT p.kind FROM product p WHERE p.id = f.product_id FOR UPDATE) AS p ON true OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);
SET enable_nestloop = off;
SELECT check_calls($$ SELECT * FROM (SELECT f.customer_id, p.s FROM fact f JOIN (SELECT id, nextval('calls') AS s FROM product OFFSET 0) AS p ON f.product_id = p.id OFFSET 0) AS f
	JOIN (SELECT * FROM customer WHERE region = 99) AS customer ON customer_id = customer.id $$);
SELECT check_join($$ SELECT * FROM (SELECT customer_id, (SELECT count(*) FROM product p WHERE p.id = f.product_id) AS c FROM fact f OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);

SELECT check_join($$ SELECT * FROM (SELECT customer_id, (SELECT count(*) FROM product p WHERE p.id = f.product_id) AS c
		FROM (SELECT * FROM fact ORDER BY id OFFSET 0) AS f OFFSET 0) AS f
	JOIN customer ON customer_id = customer.id $$);

-- FOR UPDATE and UPDATE run plans anew for rows that others changed
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id FOR UPDATE OF fact');
SELECT places('UPDATE fact SET n = n + 1 FROM customer WHERE customer_id = customer.id');
SELECT places('DELETE FROM fact USING customer WHERE customer_id = customer.id');
SELECT check_join($$ SELECT * FROM (SELECT * FROM fact FOR UPDATE) AS f JOIN customer ON customer_id = customer.id $$);
-- INSERT does not
CREATE TABLE copy (LIKE fact);
SELECT places('INSERT INTO copy SELECT fact.* FROM fact JOIN customer ON customer_id = customer.id');
SELECT places('CREATE TABLE copy2 AS SELECT fact.* FROM fact JOIN customer ON customer_id = customer.id');
INSERT INTO copy SELECT fact.* FROM fact JOIN customer ON customer_id = customer.id;
SELECT count(*) FROM copy;

--
-- Nothing of a row is told to who may not see it
--
-- a hash function that tells is called for the join's own rows only
CREATE TYPE loud AS (v int);
CREATE FUNCTION loud_equal(loud, loud) RETURNS bool STRICT IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN ($1).v = ($2).v; END';
CREATE FUNCTION loud_hash(loud) RETURNS int STRICT IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF ($1).v = 7 THEN
		RAISE NOTICE 'hashed %', ($1).v;
	END IF;
	RETURN ($1).v;
END $$;
CREATE OPERATOR ==== (LEFTARG = loud, RIGHTARG = loud, FUNCTION = loud_equal, COMMUTATOR = ====, HASHES, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR CLASS loud_ops DEFAULT FOR TYPE loud USING hash AS OPERATOR 1 ====, FUNCTION 1 loud_hash(loud);
CREATE TABLE secrets AS SELECT ROW(i)::loud AS l, i FROM generate_series(1, 5000) AS i;
CREATE TABLE permitted AS SELECT i FROM generate_series(10, 4000) AS i;
CREATE TABLE asked AS SELECT ROW(i)::loud AS l FROM generate_series(20, 30) AS i;
ANALYZE secrets, permitted, asked;
CREATE VIEW visible WITH (security_barrier) AS SELECT l, i FROM secrets JOIN permitted USING (i);
SELECT check_join($$ SELECT * FROM visible JOIN asked ON visible.l ==== asked.l $$);
SELECT check_join($$ SELECT * FROM secrets JOIN asked ON secrets.l ==== asked.l $$);
-- the server's own functions tell nothing
SELECT check_join($$ SELECT * FROM visible JOIN customer ON visible.i = customer.id $$);

--
-- Whether one is added
--
RESET bloomfilter.join_filters;
SET bloomfilter.join_filters = on;
SHOW bloomfilter.join_filter_min_rows;
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = 3');
SET bloomfilter.join_filter_min_rows = 10001;
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = 3');
SET bloomfilter.join_filter_min_rows = 10000;
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = 3');
-- nothing to gain: every row has a match
SELECT places('SELECT * FROM fact JOIN (SELECT i AS id FROM generate_series(0, 1999) AS i) AS c ON customer_id = c.id');
SELECT places('SELECT * FROM fact a JOIN (SELECT DISTINCT customer_id FROM fact) AS b USING (customer_id)');
SET bloomfilter.join_filter_min_rows = 100;
-- tested by hand, by a function or an operator; another column does not matter
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = 3
	WHERE bloom_contains((SELECT bloom_agg(id) FROM customer WHERE region = 3), customer_id)');
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = 3
	WHERE customer_id <@ (SELECT bloom_agg(id) FROM customer WHERE region = 3)');
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = 3
	WHERE (SELECT counting_bloom_agg(id, 100) FROM customer WHERE region = 3) @> customer_id');
SELECT places('SELECT * FROM fact JOIN customer ON customer_id = customer.id AND region = 3
	WHERE bloom_contains((SELECT bloom_agg(n) FROM fact), n)');
SET bloomfilter.join_filter_min_rows = 10000;
-- no memory for the keys
SET bloomfilter.join_filter_memory = '64kB';
SELECT places('SELECT * FROM fact a JOIN fact b ON a.customer_id = b.id AND b.n < 3');
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
RESET bloomfilter.join_filter_memory;
CREATE TABLE long_keys AS SELECT i AS id FROM generate_series(0, 39999) AS i;
CREATE TABLE long_fact AS SELECT i * 8 % 320000 AS id FROM generate_series(0, 39999) AS i;
ANALYZE long_keys, long_fact;
SELECT places('SELECT * FROM long_fact a JOIN (SELECT * FROM long_keys WHERE id >= 0) AS b USING (id)');
-- known too late: none then, and the result is right
SET bloomfilter.join_filters = force;
SELECT * FROM rows_tested('SELECT * FROM long_fact a JOIN long_keys b USING (id)');
SELECT count(*) FROM long_fact a JOIN long_keys b USING (id);
RESET work_mem;
RESET hash_mem_multiplier;
SELECT tested >= 39999 AS tested, removed > 34000 AS removed FROM rows_tested('SELECT * FROM long_fact a JOIN long_keys b USING (id)');
SET bloomfilter.join_filters = on;
-- few rows wanted: not below what reads on before it returns one
SET enable_hashagg = off;
SET cursor_tuple_fraction = 1;
SELECT places('SELECT * FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f JOIN customer ON customer_id = customer.id AND region = 3');
SELECT places('SELECT * FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f JOIN customer ON customer_id = customer.id AND region = 3 LIMIT 3');
\set grouped 'SELECT f.count FROM (SELECT customer_id, count(*) FROM fact GROUP BY 1) AS f JOIN customer ON customer_id = customer.id AND region = 3'
SELECT places('SELECT EXISTS (' || :'grouped' || ')');
SELECT places('SELECT ARRAY(' || :'grouped' || ')');
SELECT places('WITH c AS MATERIALIZED (' || :'grouped' || ') SELECT * FROM c');
SELECT places('WITH c AS MATERIALIZED (' || :'grouped' || ') SELECT sum(count) FROM c UNION ALL (SELECT count FROM c LIMIT 1)');
SELECT places('SELECT n IN (' || :'grouped' || ' WHERE f.count > n) FROM generate_series(1, 2) AS n');
RESET enable_hashagg;
-- at most ten at one place
SET join_collapse_limit = 1;
SELECT count(*) FROM places((SELECT 'SELECT count(*) FROM fact f ' ||
	string_agg(format('JOIN customer c%1$s ON f.customer_id = c%1$s.id AND c%1$s.region = %1$s', i), ' ') FROM generate_series(0, 9) AS i)) AS p;
SET bloomfilter.join_filters = force;
SELECT (SELECT count(*) FROM regexp_matches(p, 'filter', 'g')) FROM places((SELECT 'SELECT count(*) FROM fact f ' ||
	string_agg(format('JOIN customer c%1$s ON f.customer_id = c%1$s.id', i), ' ') FROM generate_series(1, 12) AS i)) AS p;
RESET join_collapse_limit;

--
-- Run time
--
-- switched off where rows pass that were not expected to; force never does
SET bloomfilter.join_filter_min_rows = 0;
CREATE TABLE wide AS SELECT i % 1000 AS k FROM generate_series(1, 300000) AS i;
CREATE TABLE narrow AS SELECT i AS k FROM generate_series(0, 999) AS i;
ANALYZE wide, narrow;
SET bloomfilter.join_filters = on;
SELECT places('SELECT * FROM wide JOIN narrow USING (k) WHERE narrow.k + 0 = narrow.k');
-- a window of 8192 rows, and seven of 1024 after rests of 2048, 4096, ... rows
SELECT * FROM rows_tested('SELECT * FROM wide JOIN narrow USING (k) WHERE narrow.k + 0 = narrow.k');
SELECT count(*) FROM wide JOIN narrow USING (k) WHERE narrow.k + 0 = narrow.k;
SET bloomfilter.join_filters = force;
SELECT * FROM rows_tested('SELECT * FROM wide JOIN narrow USING (k) WHERE narrow.k + 0 = narrow.k');
-- an empty side, one row
SELECT check_join($$ SELECT * FROM wide JOIN (SELECT * FROM narrow WHERE k < 0) AS n USING (k) $$);
SELECT check_join($$ SELECT * FROM (SELECT * FROM wide WHERE k < 0) AS w JOIN narrow USING (k) $$);
SELECT check_join($$ SELECT * FROM wide JOIN (SELECT 17 AS k) AS n USING (k) $$);

-- cursors
BEGIN;
DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT fact.id FROM fact JOIN customer ON customer_id = customer.id ORDER BY fact.id;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
COMMIT;
FETCH LAST FROM c;
FETCH ABSOLUTE 3 FROM c;
CLOSE c;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT fact.id FROM fact JOIN customer ON customer_id = customer.id;
MOVE ALL FROM c;
MOVE BACKWARD ALL FROM c;
MOVE ALL FROM c;
COMMIT;

-- a plan that was kept runs on when the setting is off, the extension gone
PREPARE kept AS SELECT count(*) FROM fact JOIN customer ON customer_id = customer.id;
SET plan_cache_mode = force_generic_plan;
EXECUTE kept;
SET bloomfilter.join_filters = off;
SELECT places('EXECUTE kept');
EXECUTE kept;
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION bloomfilter CASCADE;
SELECT places('EXECUTE kept');
EXECUTE kept;
ROLLBACK;
RESET plan_cache_mode;
DEALLOCATE kept;

--
-- Parallel query
--
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- a hash table that is shared, and its filter with it
\set shared 'SELECT * FROM fact JOIN customer ON customer_id = customer.id'
SELECT check_join(:'shared');
SET parallel_leader_participation = off;
SELECT check_join(:'shared');
-- no worker can be had
SET max_parallel_workers = 0;
SELECT check_join(:'shared');
SET parallel_leader_participation = on;
SELECT check_join(:'shared');
RESET max_parallel_workers;
-- fetched by parts, a parallel plan runs without workers and shared memory
CREATE FUNCTION fetch_rows() RETURNS SETOF int LANGUAGE sql AS 'SELECT fact.id FROM fact JOIN customer ON customer_id = customer.id';
SET bloomfilter.join_filters = force;
SELECT count(*) FROM (SELECT fetch_rows()) AS s;
-- scanned again, with other rows each time
SELECT check_join($$ SELECT c.id, (SELECT count(*) FROM fact f JOIN product p ON f.product_id = p.id WHERE f.n = c.region)
	FROM customer c WHERE c.id < 300 $$);
SET enable_material = off;
SET enable_nestloop = on;
SELECT check_join($$ SELECT * FROM (VALUES (1), (2), (3)) AS v (n)
	JOIN (SELECT f.n, p.kind FROM fact f JOIN product p ON f.product_id = p.id OFFSET 0) AS f ON f.n < v.n $$);
RESET enable_material;
SET enable_nestloop = off;
-- one for each worker
SET enable_parallel_hash = off;
SELECT check_join(:'shared');
RESET enable_parallel_hash;
-- what all processes did is counted; here on average of three
SET bloomfilter.join_filters = force;
SELECT tested BETWEEN 3333 AND 10000 AS tested, removed BETWEEN 3000 AND 9500 AS removed FROM rows_tested(:'shared');
-- many more keys than the planner thinks: there is room for them
SELECT check_join($$ SELECT * FROM fact JOIN (SELECT id + 0 AS id FROM ordered WHERE id + 0 = id) AS o ON fact.customer_id = o.id $$);
SELECT tested BETWEEN 3333 AND 10000 AS tested FROM rows_tested('SELECT * FROM fact JOIN (SELECT id + 0 AS id FROM ordered WHERE id + 0 = id) AS o ON fact.customer_id = o.id');

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA join_results CASCADE;
