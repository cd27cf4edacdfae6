--
-- Join filters below what other joins hash, which is hashed first where that is
-- needed; and what other joins' filters gain from it.
--
SET client_min_messages = warning;
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET join_collapse_limit = 1;
SET bloomfilter.join_filters = on;
SET bloomfilter.join_filter_min_rows = 20000;
CREATE SCHEMA join_hash_first;
SET search_path = join_hash_first, public;

CREATE TABLE sale AS SELECT i AS id, (i * 7) % 10000 AS product_id, i % 500 AS shop_id FROM generate_series(1, 100000) AS i;
CREATE TABLE product AS SELECT i AS id, i % 200 AS category_id, i % 1000 AS maker_id FROM generate_series(0, 9999) AS i;
CREATE TABLE category AS SELECT i AS id, i % 10 AS department FROM generate_series(0, 199) AS i;
-- takes longer to hash than it takes until the first product comes
CREATE TABLE maker AS SELECT i AS id, i % 10 AS country, repeat('x', 1000) AS address FROM generate_series(0, 9999) AS i;
ANALYZE sale, product, category, maker;

-- The plan's filters and what they dropped, and whether a row is lost.
CREATE FUNCTION dropped(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plain text;
	filtered text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		IF line ~ 'Bloom Filter Key: |Builds Bloom Filter: |Removed by Bloom Filter|Scan on|Keys:' THEN
			RETURN NEXT regexp_replace(line, ' \(actual.*|^ +(-> +)?', '', 'g');
		END IF;
	END LOOP;
	EXECUTE 'SELECT row(q.*)::text FROM (' || query || ') AS q' INTO filtered;
	SET LOCAL bloomfilter.join_filters = off;
	EXECUTE 'SELECT row(q.*)::text FROM (' || query || ') AS q' INTO plain;
	RETURN NEXT CASE WHEN plain = filtered THEN 'same: ' ELSE 'NOT THE SAME: ' || plain || ' ' END || filtered;
END $$;

-- The filter on the categories leaves fewer products to be hashed, and so the
-- filter on the products gains.
SELECT * FROM dropped('SELECT count(*), sum(s.id) FROM (sale s JOIN product p ON p.id = s.product_id)
	JOIN category c ON c.id = p.category_id WHERE c.department = 3');
-- that gains nothing by itself
SELECT * FROM dropped('SELECT count(*), sum(s.id) FROM sale s JOIN product p ON p.id = s.product_id');
-- Products are few, but many rows come to the join: if these are few, too, there
-- is no filter.
SET bloomfilter.join_filter_min_rows = 100001;
SELECT * FROM dropped('SELECT count(*), sum(s.id) FROM (sale s JOIN product p ON p.id = s.product_id)
	JOIN category c ON c.id = p.category_id WHERE c.department = 3');
RESET bloomfilter.join_filter_min_rows;
SET bloomfilter.join_filter_min_rows = 20000;
-- Several joins hash what is filtered.
SELECT * FROM dropped('SELECT count(*), sum(s.id) FROM ((sale s JOIN product p ON p.id = s.product_id)
	JOIN category c ON c.id = p.category_id AND c.department < 5) JOIN maker m ON m.id = p.maker_id WHERE m.country = 3');

-- Makers are hashed before the first sale is read: or else all products would be
-- hashed by then, and no row would be dropped.
SELECT * FROM dropped('SELECT count(*), sum(s.id) FROM (sale s JOIN product p ON p.id = s.product_id)
	JOIN maker m ON m.id = p.maker_id WHERE m.country = 3');
-- likewise below a sort
SELECT * FROM dropped('SELECT count(*), sum(s.id) FROM (SELECT * FROM sale ORDER BY product_id OFFSET 0) s
	JOIN maker m ON m.id = s.shop_id WHERE m.country = 3');
-- also where rows come again: hashed once
SELECT * FROM dropped('SELECT count(*), sum(n) FROM generate_series(1, 3) AS x, LATERAL (SELECT count(*) + x AS n FROM
	(sale s JOIN product p ON p.id = s.product_id) JOIN maker m ON m.id = p.maker_id WHERE m.country = 3 OFFSET 0) AS l');

-- Not where the outer side is volatile: where nothing is hashed, the join asks it for
-- one row, and the sort for all.
CREATE SEQUENCE calls;
SET bloomfilter.join_filter_min_rows = 0;
SELECT count(*) FROM (SELECT q.*, nextval('calls') AS n FROM product q ORDER BY n OFFSET 0) p JOIN maker m ON m.id = p.maker_id WHERE m.country = 30;
SELECT nextval('calls');
SELECT verdict, tested_above FROM bloom_join_filters('SELECT count(*) FROM (SELECT q.*, nextval(''calls'') AS n FROM product q ORDER BY n OFFSET 0) p
	JOIN maker m ON m.id = p.maker_id WHERE m.country = 30');
SELECT verdict, tested_above FROM bloom_join_filters('SELECT count(*) FROM (SELECT q.*, q.id * 7 AS n FROM product q ORDER BY n OFFSET 0) p
	JOIN maker m ON m.id = p.maker_id WHERE m.country = 30');
-- Not where hashing might never end: then the products are not tested.
CREATE FUNCTION dear(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT COST 10000 AS 'BEGIN RETURN $1; END';
SELECT join_key, tested_above FROM bloom_join_filters('SELECT count(*) FROM (sale s JOIN product p ON p.id = s.product_id)
	JOIN (SELECT dear(id) AS id FROM (SELECT generate_series(0, 99) AS id OFFSET 0) u OFFSET 0) m ON m.id = p.maker_id') WHERE join_key ~ 'p.maker_id';
SELECT join_key, tested_above FROM bloom_join_filters('SELECT count(*) FROM (sale s JOIN product p ON p.id = s.product_id)
	JOIN (SELECT dear(id) AS id FROM (SELECT id FROM generate_series(0, 99) AS id OFFSET 0) u OFFSET 0) m ON m.id = p.maker_id') WHERE join_key ~ 'p.maker_id';
-- Nor if a sub-select of it might never end: the query ends, since nothing was sold.
CREATE TABLE unsold (LIKE sale) WITH (autovacuum_enabled = off);
INSERT INTO unsold TABLE sale;
ANALYZE unsold;
DELETE FROM unsold;
SET statement_timeout = '60s';
SELECT count(*) FROM (unsold s JOIN product p ON p.id = s.product_id) JOIN maker m ON m.id = p.maker_id
	WHERE m.country = (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT n FROM r WHERE n > 1);
SELECT count(*) FROM (unsold s JOIN product p ON p.id = s.product_id) JOIN maker m ON m.id = p.maker_id
	WHERE EXISTS (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT FROM r WHERE n > m.country + 1);
RESET statement_timeout;

SET client_min_messages = warning;
DROP SCHEMA join_hash_first CASCADE;
