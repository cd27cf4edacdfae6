-- A database with filters of every kind, wherever a database can hold them:
-- what test/matrix/upgrade carries from one major to another.
--
-- Takes the variable "schema", into which the extension goes, and which is on
-- the search_path.

\set ON_ERROR_STOP on
SET client_encoding = 'UTF8';
SET default_toast_compression = pglz;

SET client_min_messages = warning;
CREATE SCHEMA IF NOT EXISTS :schema;
RESET client_min_messages;
CREATE EXTENSION bloomfilter SCHEMA :schema;
CREATE EXTENSION citext SCHEMA :schema;

--
-- Recipes: by them a filter can be built again on the new server
--

CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
CREATE TYPE floats AS RANGE (subtype = float8);
CREATE TYPE mood AS ENUM ('sad', 'happy');
-- a label whose OID is not in the order of the labels
ALTER TYPE mood ADD VALUE 'so so' BEFORE 'happy';

CREATE TABLE recipes (
	id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	expression text,		-- of i
	members int,			-- i goes from 1 to this
	items float8,
	rate float8);

INSERT INTO recipes (expression, members, items, rate)
	SELECT expression, members, items, rate
	FROM unnest(ARRAY[
			'i', 'i::smallint', 'i * 10000000000', 'i::positive',
			$$'välue ' || i$$, $$('välue ' || i)::name$$, $$('c ' || i)::char(12)$$,
			$$(ARRAY['sad', 'so so', 'happy'])[i % 3 + 1]::mood::text$$,
			'i / 4.0::real', 'i / 3.0::float8',
			'i % 3 = 5', $$chr(i % 120 + 1)::"char"$$, 'i::oid',
			$$date '2000-01-01' + i$$, $$time '00:00' + i * interval '1 s'$$,
			$$timestamp '2000-01-01' + i * interval '1 h'$$,
			$$timestamptz '2000-01-01 UTC' + i * interval '1 h'$$,
			'md5(i::text)::uuid', $$decode(md5(i::text), 'hex')$$,
			'i / 100.0', $$i * interval '1 min'$$, $$timetz '00:00 UTC' + i * interval '1 s'$$,
			$$inet '10.0.0.0' + i$$, $$jsonb_build_object('k', i)$$, $$('Välue ' || i)::citext$$,
			$$ARRAY['a', i::text]$$, 'ARRAY[i, -i]', 'int4range(i, i + 2)', 'numrange(i, i + 0.5)',
			'floats(i, i + 1)']) WITH ORDINALITY AS e (expression, number),
		(VALUES
			(1, 3, 5000, 0.01),			-- a short list
			(2, 100, 5000, 0.01),		-- a long one
			(3, 1000, 1000, 0.01),		-- a bitmap
			(4, 1000, 1000, 0.5),		-- of 1 bit per value
			(5, 1000, 1000, 0.004),		-- of 8
			(6, 1000, 1000, 0.000001),	-- of 16
			(7, 1500, 150, 0.01),		-- overfull
			(8, 1200, NULL, 0.01),		-- right-sized
			(9, 12000, 12000, 0.01))	-- toasted
		AS s (number, members, items, rate)
	ORDER BY e.number, s.number;

CREATE FUNCTION build(recipe recipes) RETURNS bloomfilter LANGUAGE plpgsql STABLE AS $$
DECLARE
	filter bloomfilter;
BEGIN
	EXECUTE format('SELECT bloom_agg(%s, %L::float8, %L::float8) FROM generate_series(1, %s) AS i',
		(recipe).expression, (recipe).items, (recipe).rate, (recipe).members) INTO filter;
	RETURN filter;
END $$;

-- As 0 and 1, what a filter says to the recipe's values and as many others.
CREATE FUNCTION answers(filter bloomfilter, expression text, members int) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
	answers text;
BEGIN
	EXECUTE format('SELECT string_agg(($1 @> (%s))::int::text, '''' ORDER BY i) FROM generate_series(1, %s) AS i',
		expression, 2 * members) USING filter INTO answers;
	RETURN answers;
END $$;

CREATE TABLE built (id int PRIMARY KEY REFERENCES recipes, f bloomfilter NOT NULL);
INSERT INTO built SELECT id, build(recipes) FROM recipes;

-- counting filters of some of them, with the first half of the values twice
CREATE FUNCTION count_up(recipe recipes) RETURNS counting_bloomfilter LANGUAGE plpgsql STABLE AS $$
DECLARE
	filter counting_bloomfilter;
BEGIN
	EXECUTE format('SELECT counting_bloom_agg(%s, %L::float8, %L::float8) FROM generate_series(1, %s) AS i, generate_series(1, 1 + (i * 2 <= %s)::int)',
		(recipe).expression, coalesce((recipe).items, (recipe).members), (recipe).rate, (recipe).members, (recipe).members) INTO filter;
	RETURN filter;
END $$;
CREATE TABLE counted (id int PRIMARY KEY, f counting_bloomfilter NOT NULL);
INSERT INTO counted SELECT id, count_up(recipes) FROM recipes WHERE id % 9 IN (1, 2, 3, 6);
INSERT INTO counted SELECT -id, f - count_up(recipes) + bloom_create_like(f) FROM counted JOIN recipes USING (id) WHERE id % 9 = 3;
CREATE INDEX counted_f ON counted USING hash (f);
CREATE VIEW counted_plain AS SELECT id, f::bloomfilter AS f, bloom_cardinality(f + f) AS items FROM counted WHERE id > 0;

-- seeds and filters that never held a value
CREATE TABLE created (id int PRIMARY KEY, f bloomfilter DEFAULT bloom_create(500));
INSERT INTO created VALUES (1, DEFAULT), (2, bloom_create(1e6, 0.0001, 42)), (3, NULL),
	(4, bloom_add_all(bloom_create(1000, 0.01, -1), ARRAY(SELECT generate_series(1, 900)))),
	(5, bloom_add_all(bloom_create(1000, 0.01, 9223372036854775807), ARRAY(SELECT generate_series(1, 9))));

-- partial states of aggregates, sized and not
CREATE AGGREGATE state_of ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, COMBINEFUNC = bloomfilter_union_transfn);
CREATE AGGREGATE state_of ("any", float8) (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, COMBINEFUNC = bloomfilter_union_transfn);
CREATE AGGREGATE finish (bloomfilter) (SFUNC = bloomfilter_union_transfn, STYPE = bloomfilter, FINALFUNC = bloomfilter_agg_finalfn);
CREATE TABLE states AS
	SELECT part AS id, state_of(i) AS unsized, state_of(i, 4000) AS sized
	FROM generate_series(1, 4000) AS i, LATERAL (SELECT i % 4 AS part) AS p GROUP BY part;

--
-- Storage
--

CREATE TABLE storage (
	name text PRIMARY KEY,
	plain bloomfilter,
	external bloomfilter,
	main bloomfilter COMPRESSION pglz,
	main_lz4 bloomfilter COMPRESSION lz4,
	extended bloomfilter COMPRESSION pglz);
ALTER TABLE storage ALTER COLUMN plain SET STORAGE PLAIN, ALTER COLUMN main SET STORAGE MAIN,
	ALTER COLUMN main_lz4 SET STORAGE MAIN, ALTER COLUMN extended SET STORAGE EXTENDED;

-- "light" ones are bitmaps next to empty: they compress
CREATE FUNCTION light(items int) RETURNS bloomfilter LANGUAGE sql IMMUTABLE
	RETURN bloom_add_all(bloom_create(items), ARRAY(SELECT generate_series(1, items / 5)))
		& bloom_add_all(bloom_create(items), ARRAY(SELECT generate_series(items / 6, items / 2)));

INSERT INTO storage
	SELECT name, CASE WHEN pg_column_size(f) < 4000 THEN f END, f, f, f, f
	FROM (VALUES
		('short', bloom_add_all(bloom_create(2000), ARRAY[1, 2, 3])),
		('list', bloom_add_all(bloom_create(2000), ARRAY(SELECT generate_series(1, 30)))),
		('dense', bloom_add_all(bloom_create(1500), ARRAY(SELECT generate_series(1, 1500)))),
		('large', bloom_add_all(bloom_create(100000), ARRAY(SELECT generate_series(1, 100000)))),
		('light', light(4000))) AS v (name, f);
CREATE TABLE compressed_far (f bloomfilter COMPRESSION pglz);
ALTER TABLE compressed_far ALTER COLUMN f SET STORAGE EXTENDED;
INSERT INTO compressed_far SELECT light(100000);

-- How many values of a table lie out of line?
CREATE FUNCTION toasted(tab regclass) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format('SELECT count(DISTINCT chunk_id) FROM %s',
		(SELECT reltoastrelid::regclass FROM pg_class WHERE oid = tab)) INTO n;
	RETURN n;
END $$;

-- They are what they claim to be.
DO $$
BEGIN
	ASSERT (SELECT pg_column_size(external) FROM storage WHERE name = 'short') < 127, 'a header of one byte';
	ASSERT (SELECT pg_column_size(plain) FROM storage WHERE name = 'dense') > 1500, 'an uncompressed bitmap in line';
	ASSERT (SELECT pg_column_compression(main) = 'pglz' AND pg_column_size(main) < 4000 FROM storage
		WHERE name = 'light'), 'compressed in line by pglz';
	ASSERT (SELECT pg_column_compression(main_lz4) = 'lz4' AND pg_column_size(main_lz4) < 4000 FROM storage
		WHERE name = 'light'), 'compressed in line by lz4';
	ASSERT (SELECT pg_column_compression(external) IS NULL AND pg_column_size(external) > 100000 FROM storage
		WHERE name = 'large'), 'uncompressed out of line';
	ASSERT toasted('storage') > 3, 'some out of line';
	ASSERT (SELECT pg_column_compression(f) = 'pglz' FROM compressed_far) AND toasted('compressed_far') = 1,
		'compressed out of line';
END $$;

--
-- Within other types
--

CREATE TYPE pair AS (name text, f bloomfilter);
CREATE DOMAIN filled AS bloomfilter CHECK (bloom_cardinality(VALUE) > 0);
CREATE TABLE nested (id int PRIMARY KEY, p pair, ps pair[], fs bloomfilter[], d filled, ds filled[]);
INSERT INTO nested
	SELECT g, ROW('p', f)::pair, ARRAY[ROW('a', f), ROW('b', NULL), ROW('c', bloom_create(g))]::pair[],
		ARRAY[f, NULL, bloom_create(10)], f, ARRAY[f, f]
	FROM generate_series(10, 5000, 499) AS g,
		LATERAL (SELECT bloom_agg(x, 2000) AS f FROM generate_series(1, g) AS x) AS s;

--
-- Expressions
--

CREATE TABLE documents (
	id int PRIMARY KEY,
	tags text[],
	f bloomfilter GENERATED ALWAYS AS (bloom_add_all(bloom_create(100), tags)) STORED,
	seven boolean GENERATED ALWAYS AS (bloom_contains(bloom_add_all(bloom_create(100), tags), 'tag 7'::text)) STORED,
	CHECK (f @> tags[1]),
	EXCLUDE USING hash (f WITH =));
INSERT INTO documents SELECT g, ARRAY(SELECT 'tag ' || x FROM generate_series(g, g + g % 150) AS x) FROM generate_series(1, 300) AS g;
CREATE INDEX documents_seven ON documents (id) WHERE f @> 'tag 7'::text;
CREATE INDEX documents_cardinality ON documents (bloom_cardinality(f));
CREATE INDEX built_f ON built USING hash (f);
CREATE STATISTICS documents_shard ON bloom_shard(id, 16), bloom_cardinality(f) FROM documents;

CREATE TABLE by_filter (id int, f bloomfilter) PARTITION BY HASH (f);
CREATE TABLE by_filter_0 PARTITION OF by_filter FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_filter_1 PARTITION OF by_filter FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO by_filter SELECT id, f FROM built;
CREATE TABLE by_shard (name text) PARTITION BY LIST (bloom_shard(name, 2));
CREATE TABLE by_shard_0 PARTITION OF by_shard FOR VALUES IN (0);
CREATE TABLE by_shard_1 PARTITION OF by_shard FOR VALUES IN (1);
INSERT INTO by_shard SELECT 'name ' || g FROM generate_series(1, 1000) AS g;

CREATE TABLE feelings (id int, m mood);
INSERT INTO feelings SELECT g, (ARRAY['sad', 'so so'])[g % 2 + 1]::mood FROM generate_series(1, 20) AS g;
CREATE TABLE felt AS SELECT bloom_agg(m::text) AS f FROM feelings;

CREATE VIEW documents_by_tag AS
	SELECT t, count(*) FILTER (WHERE f @> t) AS maybe, count(*) FILTER (WHERE t <@ f AND t = ANY (tags)) AS really
	FROM documents, (SELECT 'tag ' || g FROM generate_series(1, 500, 7) AS g) AS p (t) GROUP BY t;
CREATE VIEW sized AS
	SELECT id % 3 AS part, bloom_agg(id, 500, 0.001) AS f, bloom_union_agg(f) AS united FROM documents GROUP BY id % 3;
CREATE MATERIALIZED VIEW kept AS
	SELECT part AS id, f, f | bloom_create(500, 0.001) AS more FROM sized;
CREATE FUNCTION known(t text) RETURNS bigint LANGUAGE sql STABLE
	BEGIN ATOMIC SELECT count(*) FROM documents WHERE f @> t OR bloom_contains_any(f, ARRAY[t, 'tag 1']); END;

ALTER TABLE by_shard ENABLE ROW LEVEL SECURITY;
CREATE POLICY known_only ON by_shard USING ((SELECT bloom_add(bloom_create(10), 'name 1'::text)) @> name);

--
-- Filter indexes: of every kind of column, of parts and of expressions
--

CREATE TABLE indexed AS
	SELECT i AS id, i * 7919::bigint AS big, 'text ' || i % 9000 AS t, md5(i::text)::uuid AS u, i / 8.0 AS n,
		(ARRAY['sad', 'so so'])[i % 2 + 1]::mood AS m, ARRAY[i, i + 1] AS a, ('x' || i)::char(8) AS c
	FROM generate_series(1, 20000) AS i;
CREATE INDEX indexed_all ON indexed USING bloomfilter (id, big, t, u, n, m, a, c);
CREATE INDEX indexed_exact ON indexed USING bloomfilter (u) WITH (false_positive_rate = 0.0001);
CREATE INDEX indexed_part ON indexed USING bloomfilter (big) WHERE id % 3 = 0;
CREATE INDEX indexed_upper ON indexed USING bloomfilter (upper(t));
CREATE INDEX indexed_table ON indexed USING bloomfilter (u) WITH (scope = 'table', expected_items = 20000);
CREATE INDEX indexed_table_n ON indexed USING bloomfilter (n) WITH (scope = 'table');
CREATE TABLE indexed_parts (day int, key bigint) PARTITION BY RANGE (day);
CREATE TABLE indexed_parts_1 PARTITION OF indexed_parts FOR VALUES FROM (0) TO (10);
CREATE TABLE indexed_parts_2 PARTITION OF indexed_parts FOR VALUES FROM (10) TO (20);
CREATE INDEX indexed_key ON indexed_parts USING bloomfilter (key);
-- rows for which the index grows
INSERT INTO indexed_parts SELECT i % 20, i FROM generate_series(1, 10000) AS i;
CREATE VIEW filter_indexes AS
	SELECT i.indexrelid::regclass AS index FROM pg_index AS i JOIN pg_class AS c ON c.oid = indexrelid
	WHERE relam = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter') AND relkind = 'i';

-- Every filter, by where it is.
CREATE VIEW filters AS
	SELECT 'built' AS place, id::text, f FROM built
	UNION ALL SELECT 'created', id::text, f FROM created
	UNION ALL SELECT 'unsized', id::text, unsized FROM states
	UNION ALL SELECT 'sized', id::text, sized FROM states
	UNION ALL SELECT 'plain', name, plain FROM storage
	UNION ALL SELECT 'external', name, external FROM storage
	UNION ALL SELECT 'main', name, main FROM storage
	UNION ALL SELECT 'main_lz4', name, main_lz4 FROM storage
	UNION ALL SELECT 'extended', name, extended FROM storage
	UNION ALL SELECT 'compressed_far', '', f FROM compressed_far
	UNION ALL SELECT 'p', id::text, (p).f FROM nested
	UNION ALL SELECT 'ps', id || ' ' || n, u.f FROM nested, unnest(ps) WITH ORDINALITY AS u (name, f, n)
	UNION ALL SELECT 'fs', id || ' ' || n, u.f FROM nested, unnest(fs) WITH ORDINALITY AS u (f, n)
	UNION ALL SELECT 'd', id::text, d FROM nested
	UNION ALL SELECT 'ds', id || ' ' || n, u.f FROM nested, unnest(ds) WITH ORDINALITY AS u (f, n)
	UNION ALL SELECT 'documents', id::text, f FROM documents
	UNION ALL SELECT 'by_filter', id::text, f FROM by_filter
	UNION ALL SELECT 'felt', '', f FROM felt
	UNION ALL SELECT 'kept', id::text, f FROM kept
	UNION ALL SELECT 'kept more', id::text, more FROM kept;

-- What a query fails with.
CREATE FUNCTION failure(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN 'none';
EXCEPTION WHEN others THEN
	RETURN sqlstate;
END $$;
