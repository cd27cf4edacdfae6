-- Filter indexes of keys give the rows that a sequential scan gives.
SET jit = off;
SET enable_indexscan = off;
SET enable_seqscan = off;

\getenv sources PG_ABS_SRCDIR
\set helpers :sources '/sql/include/by_index.sql'
\i :helpers

--
-- Arrays: half of the rows are there before the index
--
CREATE TABLE posts (id int, tags text[], numbers int[]) WITH (autovacuum_enabled = off);
CREATE FUNCTION add_posts(first int, last int) RETURNS void LANGUAGE sql AS $$
	INSERT INTO posts SELECT g, ARRAY['all', 'ten ' || g % 10, 'post ' || g, CASE WHEN g % 7 > 0 THEN 'many ' || g % 3000 END],
		CASE WHEN g % 11 > 0 THEN ARRAY[[g, g + 1], [g % 100, -1]] END FROM generate_series(first, last) g
$$;
SELECT add_posts(1, 10000);
INSERT INTO posts VALUES (0, '{}', '{}'), (0, '{NULL}', '{NULL,5}'), (0, '{NULL,NULL}', '{{7,7},{7,7}}'), (0, NULL, NULL), (0, '{dup,dup}', '[5:6]={1,2}');
CREATE INDEX posts_tags ON posts USING bloomfilter (tags array_key_ops);
CREATE INDEX posts_numbers ON posts USING bloomfilter (numbers array_key_ops);
SELECT add_posts(10001, 20000);
INSERT INTO posts VALUES (1, '{}', '{}'), (1, '{NULL}', '{NULL,5}'), (1, '{dup,dup}', '{{{3}}}'), (1, NULL, NULL);
SELECT bloom_index_check('posts_tags'), bloom_index_check('posts_numbers');
SELECT condition, by_index('posts', condition)
  FROM (VALUES ('tags @> ''{post 77}'''), ('tags @> ''{post 15000}'''), ('tags @> ''{no such}'''), ('tags @> ''{post 77,ten 7}'''), ('tags @> ''{post 77,ten 8}'''),
	('tags @> ''{}'''), ('tags @> ''{NULL}'''), ('tags @> ''{post 77,NULL}'''), ('tags @> ''{dup,dup}'''), ('tags @> ''{all,ten 1,many 11}'''),
	('tags && ''{post 77,post 15000}'''), ('tags && ''{post 77,no such}'''), ('tags && ''{NULL}'''), ('tags && ''{}'''), ('tags && ''{NULL,post 5}'''),
	('tags <@ ''{}'''), ('tags <@ ''{dup}'''), ('tags <@ ''{all,ten 7,post 77}'''), ('tags <@ ''{all,ten 7,post 77,many 77}'''), ('tags <@ ''{NULL}'''),
	('tags = ''{}'''), ('tags = ''{NULL}'''), ('tags = ''{NULL,NULL}'''), ('tags = ''{dup,dup}'''), ('tags = ''{dup}'''),
	('tags = ''{all,ten 7,post 7,NULL}'''), ('tags = ''{all,ten 8,post 8,many 8}'''),
	('tags @> ''{post 77}'' AND tags && ''{post 77,post 15000}'''), ('tags @> ''{post 77}'' OR tags @> ''{post 78}'''), ('tags @> NULL'),
	('tags @> ''{post 77}'' AND tags @> ''{}'''),
	('numbers @> ''{77,78}'''), ('numbers @> ''{{77},{99}}'''), ('numbers && ''{-1,5}'''), ('numbers && ''{15000,-7}'''), ('numbers = ''{{7,7},{7,7}}'''), ('numbers = ''{7,7,7,7}'''),
	('numbers <@ ''{1,2,3,7}'''), ('numbers @> ''{7}'' AND tags @> ''{post 7}'''), ('numbers @> ARRAY[77, id]')) AS c (condition);

-- Few pages are read, also for combinations that are rare
SELECT pages_read('SELECT * FROM posts WHERE tags @> ''{post 77}'''), pages_read('SELECT * FROM posts WHERE tags @> ''{all,ten 7,post 77}'''),
	pages_read('SELECT * FROM posts WHERE tags @> ''{post 77,post 15000}'''), pages_read('SELECT * FROM posts WHERE tags @> ''{no such}'''),
	pages_read('SELECT * FROM posts WHERE tags && ''{post 77,post 15000}''') < 6 AS few, pages_read('SELECT * FROM posts WHERE tags = ''{}''') < 6 AS few_empty;

-- Parameters, lists, joins, where the value is not known when the query is planned
SET plan_cache_mode = force_generic_plan;
PREPARE by_tags (text[]) AS SELECT id FROM posts WHERE tags @> $1;
EXPLAIN (COSTS OFF) EXECUTE by_tags ('{post 123}');
EXECUTE by_tags ('{post 123}');
EXECUTE by_tags (NULL);
EXECUTE by_tags ('{post 15000,all}');
RESET plan_cache_mode;
SELECT v, posts.id FROM (VALUES ('post 3'), ('post 4'), (NULL), ('none')) AS vs (v) LEFT JOIN posts ON tags @> ARRAY[v] ORDER BY v;

-- Joins by = of whole arrays do not use an index of their elements
SET bloomfilter.join_filters = force;
CREATE TABLE wanted AS SELECT tags FROM posts WHERE id IN (5, 500, 15000);
ANALYZE wanted;
SELECT count(*) FROM posts JOIN wanted USING (tags);
RESET bloomfilter.join_filters;

-- Costs know of frequent keys: a combination of them is not taken for a rare key
ANALYZE posts;
RESET enable_seqscan;
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tags @> '{post 77}';
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tags @> '{all,ten 7}';
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tags @> '{ten 6,ten 7,ten 8}';
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tags @> '{ten 7,post 77}';
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tags <@ '{all,ten 7}';
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tags @> '{}';
SET enable_seqscan = off;

-- Changes, rolled back and not; VACUUM, and the groups that it rebuilds
UPDATE posts SET tags = tags || ('new ' || id) WHERE id % 3 = 0;
BEGIN;
UPDATE posts SET tags = ARRAY['rolled back ' || id];
ROLLBACK;
DELETE FROM posts WHERE id % 5 = 0;
VACUUM posts;
SELECT bloom_index_check('posts_tags'), bloom_index_check('posts_numbers');
SELECT condition, by_index('posts', condition)
  FROM (VALUES ('tags @> ''{new 33}'''), ('tags @> ''{new 35}'''), ('tags && ''{rolled back 7,new 33}'''), ('tags = ''{}'''), ('tags @> ''{all,ten 3,new 33}''')) AS c (condition);
REINDEX INDEX CONCURRENTLY posts_tags;
SELECT bloom_index_check('posts_tags'), by_index('posts', 'tags @> ''{new 33}''');
DROP TABLE posts, wanted;

-- With ordinary columns; with a condition; of expressions; several columns of keys
CREATE TABLE lines (day date, host text, message text) WITH (autovacuum_enabled = off);
INSERT INTO lines SELECT '2026-01-01'::date + g / 1000, 'host' || g % 50, 'user ' || g || ' asked for page ' || g % 777 || CASE g % 9 WHEN 0 THEN ' error' ELSE '' END FROM generate_series(1, 10000) g;
CREATE INDEX lines_bf ON lines USING bloomfilter (host, string_to_array(message, ' ') array_key_ops, day);
CREATE INDEX lines_errors ON lines USING bloomfilter (string_to_array(message, ' ') array_key_ops) WHERE message LIKE '%error';
INSERT INTO lines SELECT '2026-01-01'::date + g / 1000, 'host' || g % 50, 'user ' || g || ' asked for page ' || g % 777 || CASE g % 9 WHEN 0 THEN ' error' ELSE '' END FROM generate_series(10001, 20000) g;
INSERT INTO lines VALUES (NULL, 'only host', NULL), ('2030-01-01', NULL, ''), (NULL, NULL, 'only message');
SELECT bloom_index_check('lines_bf'), bloom_index_check('lines_errors');
SELECT condition, by_index('lines', condition)
  FROM (VALUES ('string_to_array(message, '' '') @> ''{15000}'''), ('string_to_array(message, '' '') @> ''{15000}'' AND host = ''host0'''),
	('string_to_array(message, '' '') @> ''{15000}'' AND host = ''host1'''), ('string_to_array(message, '' '') @> ''{776,user}'' AND day = ''2026-01-09'''),
	('string_to_array(message, '' '') @> ''{only}'''), ('string_to_array(message, '' '') = ''{}'''), ('host = ''only host'''), ('day = ''2030-01-01'''),
	('string_to_array(message, '' '') @> ''{18}'' AND message LIKE ''%error''')) AS c (condition);
DROP TABLE lines;

-- Partitions, an index made before the rows, unlogged, CONCURRENTLY
CREATE TABLE parts (day int, tags text[]) PARTITION BY RANGE (day);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
CREATE UNLOGGED TABLE parts_2 (day int, tags text[]);
CREATE INDEX parts_bf ON parts USING bloomfilter (tags array_key_ops);
INSERT INTO parts SELECT g % 10, ARRAY['a' || g, 'b' || g % 10] FROM generate_series(1, 5000) g;
INSERT INTO parts_2 SELECT 10 + g % 10, ARRAY['a' || g, 'b' || g % 10] FROM generate_series(5001, 9000) g;
CREATE INDEX CONCURRENTLY parts_2_bf ON parts_2 USING bloomfilter (tags array_key_ops);
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM (10) TO (20);
SELECT by_index('parts', 'tags @> ''{a77}'''), by_index('parts', 'tags && ''{a77,a7777}'''), by_index('parts', 'tags @> ''{b7,a7777}''');
SELECT pages_read('SELECT * FROM parts_1 WHERE tags @> ''{a77}''') < 3 AS few;
DROP TABLE parts;

-- Large values, stored out of line: of more keys than a group is made for
CREATE TABLE large (id int, numbers int[]) WITH (autovacuum_enabled = off);
CREATE INDEX large_bf ON large USING bloomfilter (numbers array_key_ops);
INSERT INTO large SELECT i, ARRAY(SELECT g * i FROM generate_series(1, 20000) g) FROM generate_series(1, 5) i;
INSERT INTO large SELECT i, ARRAY[i, -i] FROM generate_series(100000, 103000) i;
SELECT bloom_index_check('large_bf'), by_index('large', 'numbers @> ''{20000}'''), by_index('large', 'numbers @> ''{99995,100000}'''), by_index('large', 'numbers @> ''{-100001}''');
REINDEX INDEX large_bf;
SELECT bloom_index_check('large_bf'), by_index('large', 'numbers @> ''{20000}'''), by_index('large', 'numbers @> ''{99995,100000}'''), by_index('large', 'numbers @> ''{-100001}''');
DROP TABLE large;

-- What equal elements are hashed as: numbers written differently, collations, char(n), names, domains, enums
CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE DOMAIN short AS varchar(10);
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TABLE kinds (n numeric[], f float8[], c text[] COLLATE nocase, b char(5)[], s short[], v varchar(9)[], m mood[], k name[], d date[], r int4range[]);
INSERT INTO kinds VALUES ('{1.0,2.50}', '{-0,NaN}', '{Strasse,ABC}', '{ab,c}', '{x}', '{y}', '{sad}', '{n}', '{2026-01-01}', '{"[1,5]"}');
INSERT INTO kinds SELECT ARRAY[g], ARRAY[g], ARRAY['c' || g], ARRAY['b' || g % 100], ARRAY['s' || g], ARRAY['v' || g], ARRAY['happy']::mood[], ARRAY['k' || g]::name[], ARRAY['2000-01-01'::date + g], ARRAY[int4range(g, g + 9)] FROM generate_series(10, 500) g;
CREATE INDEX kinds_bf ON kinds USING bloomfilter (n array_key_ops, f array_key_ops, c array_key_ops, b array_key_ops, s array_key_ops, v array_key_ops, m array_key_ops, k array_key_ops, d array_key_ops, r array_key_ops);
SELECT bloom_index_check('kinds_bf');
SELECT condition, by_index('kinds', condition)
  FROM (VALUES ('n @> ''{1.00,2.5}'''), ('f @> ''{0}'''), ('f && ''{NaN}'''), ('c @> ''{abc}'''), ('c @> ''{STRASSE}'' COLLATE nocase'), ('c = ''{STRASSE,abc}'''),
	('b @> ''{ab   }'''), ('s @> ''{x}'''), ('v @> ''{y}'''), ('v && ''{v77,v78}'''), ('m @> ''{sad}'''), ('k @> ''{n}'''), ('d @> ''{2026-01-01}'''), ('r @> ARRAY[''[1,6)''::int4range]')) AS c (condition);
DROP TABLE kinds;
DROP TYPE mood;
DROP DOMAIN short;
DROP COLLATION nocase;

-- What is refused
CREATE TABLE refused (p point[], x xml[], j json[], t text[], i int);
CREATE INDEX ON refused USING bloomfilter (p array_key_ops);
CREATE INDEX ON refused USING bloomfilter (j array_key_ops);
ALTER TABLE refused ADD c pg_am[];
CREATE INDEX ON refused USING bloomfilter (c array_key_ops);
CREATE INDEX ON refused USING bloomfilter (i array_key_ops);
CREATE INDEX ON refused USING bloomfilter (t array_key_ops) WITH (scope = 'table');
DROP TABLE refused;
DROP FUNCTION by_index, pages_read, add_posts;
