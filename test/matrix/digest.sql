-- What of filters.sql must be the same on every server that the database comes
-- to: the bytes of the filters, what they say of themselves, what they answer
-- and what is derived from them.

\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on
SET client_encoding = 'UTF8';
SET TimeZone = 'UTC';

-- the filters, byte for byte, and what they tell of themselves
SELECT 'filter', place, id, md5(bloomfilter_send(f)), octet_length(bloomfilter_send(f)), bloom_info(f)
FROM filters ORDER BY place COLLATE "C", id COLLATE "C";
SELECT 'filters of each place', place, count(*), count(f) FROM filters GROUP BY place ORDER BY place COLLATE "C";

-- what they answer: every member is found, others rarely
SELECT 'answers', id, expression, members, length(a), md5(a),
	CASE WHEN left(a, members) = repeat('1', members) THEN 'all members' ELSE 'MEMBERS MISSED' END,
	length(replace(a, '0', '')) - members AS others
FROM recipes JOIN built USING (id), answers(f, expression, members) AS a ORDER BY id;
SELECT 'small integers', place, id, string_agg((f @> x)::int::text, '' ORDER BY x)
FROM (SELECT place, id, f FROM filters
	WHERE place NOT IN ('built', 'by_filter', 'documents', 'felt')) AS other, generate_series(-5, 25) AS x
GROUP BY place, id ORDER BY place COLLATE "C", id COLLATE "C";

-- built again from the same values, they are the same, and combine
SELECT 'built again', count(*), count(*) FILTER (WHERE f = again), count(*) FILTER (WHERE (f | again) = f),
	count(*) FILTER (WHERE bloomfilter_hash_extended(f, 0) = bloomfilter_hash_extended(again, 0)),
	count(*) FILTER (WHERE bloom_is_superset(f, again) AND bloom_jaccard(f, again) = 1)
FROM recipes JOIN built USING (id), LATERAL (SELECT build(recipes) AS again OFFSET 0) AS b;
SELECT 'states finished', finish(unsized) = bloom_agg_right_sized, finish(sized) = bloom_agg_sized
FROM states, (SELECT bloom_agg(i), bloom_agg(i, 4000) FROM generate_series(1, 4000) AS i)
	AS whole (bloom_agg_right_sized, bloom_agg_sized)
GROUP BY bloom_agg_right_sized, bloom_agg_sized;

-- counting filters
SELECT 'counting', id, md5(counting_bloomfilter_send(f)), octet_length(counting_bloomfilter_send(f)), bloom_info(f) FROM counted ORDER BY id;
SELECT 'counting as plain', id, md5(bloomfilter_send(f)), items FROM counted_plain ORDER BY id;
SELECT 'counted again', count(*), count(*) FILTER (WHERE counted.f = again), count(*) FILTER (WHERE counted.f + again - again = counted.f OR (bloom_info(counted.f + again)).stuck_counters > 0),
	count(*) FILTER (WHERE counting_bloomfilter_hash_extended(counted.f, 0) = counting_bloomfilter_hash_extended(again, 0)),
	count(*) FILTER (WHERE counted.f::bloomfilter = built.f OR items IS NULL)
FROM recipes JOIN counted USING (id), LATERAL (SELECT count_up(recipes) AS again OFFSET 0) AS a, LATERAL (SELECT built.f FROM built WHERE built.id = recipes.id) AS built;

-- generated columns, for old rows and new ones
BEGIN;
ALTER TABLE documents DROP CONSTRAINT documents_f_excl;
INSERT INTO documents (id, tags) SELECT -id, tags FROM documents;
SELECT 'generated', count(*), count(*) FILTER (WHERE old.f = new.f AND old.seven = new.seven), count(*) FILTER (WHERE new.seven)
FROM documents AS old JOIN documents AS new ON new.id = -old.id WHERE old.id > 0;
ROLLBACK;
SELECT 'excluded', failure('INSERT INTO documents (id, tags) SELECT 1000, tags FROM documents WHERE id = 1');
SELECT 'checked', failure('INSERT INTO nested (id, d) VALUES (0, bloom_create(1))');

-- indexes and partitions
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT 'by hash index', count(*) FROM built AS a WHERE f = (SELECT f FROM built AS b WHERE b.id = a.id);
SELECT 'by expression index', count(*), min(id), max(id) FROM documents WHERE bloom_cardinality(f) BETWEEN 20 AND 30;
SELECT 'by partial index', array_agg(id ORDER BY id) FROM documents WHERE f @> 'tag 7'::text;
RESET enable_seqscan;
RESET enable_bitmapscan;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SELECT 'without index', count(*), min(id), max(id) FROM documents WHERE bloom_cardinality(f) BETWEEN 20 AND 30;
SELECT 'without index', array_agg(id ORDER BY id) FROM documents WHERE f @> 'tag 7'::text;
RESET enable_indexscan;
RESET enable_indexonlyscan;
SELECT 'partition', tableoid::regclass, count(*), md5(string_agg(id::text, ',' ORDER BY id)) FROM by_filter GROUP BY 1, 2 ORDER BY 2;
SELECT 'found in its partition', count(*) FROM built AS a, LATERAL (SELECT FROM by_filter AS b WHERE b.f = a.f AND b.id = a.id) AS b;
SELECT 'partition', tableoid::regclass, count(*), md5(string_agg(name, ',' ORDER BY name COLLATE "C")) FROM by_shard GROUP BY 1, 2 ORDER BY 2;
SELECT 'misplaced', count(*) FROM by_shard WHERE tableoid::regclass::text <> 'by_shard_' || bloom_shard(name, 2);

-- filter indexes find what is there, also new rows
SET enable_seqscan = off;
BEGIN;
INSERT INTO indexed (id, big, t, u) VALUES (-1, -1, 'new', '00000000-0000-0000-0000-000000000001');
INSERT INTO indexed_parts VALUES (1, -1), (11, -1);
SELECT 'filter index', index, bloom_index_check(index) FROM filter_indexes ORDER BY index::text COLLATE "C";
SELECT 'by filter index', (SELECT count(*) FROM indexed WHERE id IN (7, 8, -1)), (SELECT count(*) FROM indexed WHERE big = 7919::int),
	(SELECT count(*) FROM indexed WHERE t = 'text 77'), (SELECT count(*) FROM indexed WHERE u = md5('77')::uuid),
	(SELECT count(*) FROM indexed WHERE n = 77 / 8.0), (SELECT count(*) FROM indexed WHERE m = 'so so' AND id = 77),
	(SELECT count(*) FROM indexed WHERE a = ARRAY[77, 78]), (SELECT count(*) FROM indexed WHERE c = 'x77'),
	(SELECT count(*) FROM indexed WHERE big = 7919 * 3 AND id % 3 = 0), (SELECT count(*) FROM indexed WHERE upper(t) = 'NEW'),
	(SELECT count(*) FROM indexed_parts WHERE key = -1);
ROLLBACK;
RESET enable_seqscan;

-- enums: the labels, filters of them, and no filter of the type itself
SELECT 'enum', array_agg(e ORDER BY e) FROM unnest(enum_range(NULL::mood)) AS e;
SELECT 'enum', e, f @> e::text, (SELECT count(*) FROM feelings WHERE m = e) FROM felt, unnest(enum_range(NULL::mood)) AS e ORDER BY e;
SELECT 'enum', failure('SELECT bloom_agg(m) FROM feelings');

-- views and functions
SELECT 'view', v.* FROM documents_by_tag AS v ORDER BY t COLLATE "C";
SELECT 'view', part, md5(bloomfilter_send(f)), md5(bloomfilter_send(united)) FROM sized ORDER BY part;
REFRESH MATERIALIZED VIEW kept;
SELECT 'materialized view', id, md5(bloomfilter_send(f)), md5(bloomfilter_send(more)) FROM kept ORDER BY id;
SELECT 'function', known('tag 1'), known('tag 77'), known('none');
SELECT 'policy', count(*) FROM pg_policy WHERE polrelid = 'by_shard'::regclass AND pg_get_expr(polqual, polrelid) LIKE '%@>%';
SELECT 'statistics', count(*) FROM pg_statistic_ext WHERE stxname = 'documents_shard';

-- the extension
SELECT 'extension', extversion, extnamespace::regnamespace FROM pg_extension WHERE extname = 'bloomfilter';
