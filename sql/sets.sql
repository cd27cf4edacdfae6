-- Sets: filters in the rows of a table.  specs/set_adds.spec has several
-- sessions, t/027_sets.pl dumps and crashes.
\set VERBOSITY terse
SET client_min_messages = warning;

SELECT bloom_set_create('seen', 10000);
SELECT bloom_set_add('seen', 'a'::text), bloom_set_add('seen', 'a'::text), bloom_set_add('seen', 'b');
SELECT bloom_set_contains('seen', 'a'::text), bloom_set_contains('seen', 'c'), bloom_set_contains('seen', NULL::text);
SELECT bloom_set_add_all('seen', ARRAY['c', 'a', NULL, 'd', 'c']);
SELECT bloom_set_add_all('seen', ARRAY['c', 'a', NULL, 'd', 'c']), bloom_set_add_all('seen', '{}'::text[]),
	bloom_set_add_all('seen', ARRAY[NULL]::text[]), bloom_set_add_all('seen', NULL::text[]), bloom_set_add('seen', NULL::text);

-- the table: an ordinary one, whose rows are never compressed and have room for updates
SELECT relkind, relpersistence, reloptions, relowner = current_user::regrole AS mine FROM pg_class WHERE oid = 'seen'::regclass;
SELECT attname, atttypid::regtype, attnotnull, attstorage FROM pg_attribute
 WHERE attrelid = 'seen'::regclass AND attnum > 0 ORDER BY attnum;
SELECT count(*), min(segment), max(segment), max(octet_length(filter)) FROM seen;
SELECT element_type, expected_items, target_false_positive_rate, seed, estimated_items
  FROM seen, bloom_info(filter::bloomfilter) WHERE segment = 0;
CREATE FUNCTION rows_on_a_page(regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format('SELECT max(n) FROM (SELECT count(*) AS n FROM %s WHERE segment > 0 GROUP BY (ctid::text::point)[0]) x', $1) INTO n;
	RETURN n;
END $$;
SELECT rows_on_a_page('seen');
-- 400 updates leave the size as it is: 480 bytes each would be 192 kB
DO $$ BEGIN FOR i IN 1 .. 400 LOOP PERFORM bloom_set_add('seen', 'x' || i); COMMIT; END LOOP; END $$;
SELECT pg_relation_size('seen') < 50000 AS small, pg_relation_size('seen_pkey') AS index_bytes;

--
-- The set is the filter of its values, bit for bit, at all sizes
--
CREATE FUNCTION same_as_agg(items float8, rate float8, seed bigint, n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	set regclass := bloom_set_create('compared', items, rate, seed);
	fresh int[] := bloom_set_add_all(set, ARRAY(SELECT i FROM generate_series(1, n) i));
	agg bloomfilter := (SELECT bloom_agg(i, items, rate, seed) FROM generate_series(1, n) i);
	missed int := (SELECT count(*) FROM generate_series(1, n) i WHERE NOT bloom_set_contains(set, i));
	filter bloomfilter := bloom_set_filter(set);
	result text := format('%s segments, same: %s, missed: %s, new: %s', (SELECT max(segment) FROM compared),
		filter::bytea = agg::bytea, missed, cardinality(fresh) BETWEEN n * (1 - 2 * rate) AND n);
BEGIN
	DROP TABLE compared;
	RETURN result;
END $$;
SELECT same_as_agg(1, 0.01, 0, 2);
SELECT same_as_agg(100, 0.01, 0, 100);
SELECT same_as_agg(1500, 0.01, 7, 1500);
SELECT same_as_agg(1700, 0.01, 0, 1700);
SELECT same_as_agg(20000, 0.001, -1, 5000);
SELECT same_as_agg(3000000, 0.01, 0, 200000);
-- with few values bloom_agg makes a list, but the values are the same
SELECT bloom_set_create('few', 10000);
SELECT bloom_set_filter('few') = bloom_create(10000) AS same_when_empty;
SELECT bloom_set_add_all('few', ARRAY[1, 2, 3]::bigint[]);
SELECT f @> 1, f @> 2::smallint, f @> 3, f @> 4, bloom_is_superset(f, agg) AND bloom_is_superset(agg, f) AS same
  FROM bloom_set_filter('few') f, LATERAL (SELECT bloom_agg(i, 10000) AS agg FROM generate_series(1, 3) i) a;
DROP TABLE few;

--
-- Types: the first value decides, as for filters
--
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	detail text;
	hint text;
BEGIN
	EXECUTE statement INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(E'\n', SQLSTATE || ': ' || SQLERRM, NULLIF(detail, ''), NULLIF(hint, ''));
END $$;
SELECT bloom_set_create('typed', 3000);
-- nothing is in a set without values, whatever is asked
SELECT bloom_set_contains('typed', 1), bloom_set_contains('typed', 'a'::text), bloom_set_contains('typed', 1.5);
SELECT bloom_set_add('typed', 1::smallint), bloom_set_add('typed', 1::bigint);
SELECT bloom_set_contains('typed', 1), bloom_set_contains('typed', 2);
SELECT try($$SELECT bloom_set_add('typed', 'a'::text)$$);
SELECT try($$SELECT bloom_set_add_all('typed', ARRAY[1.5])$$);
SELECT try($$SELECT bloom_set_contains('typed', now())$$);
SELECT try($$SELECT bloom_set_add('typed', NULL::text)$$) IS NULL AS nothing_to_add;
DROP TABLE typed;
-- values that are equal are the same, whatever type of the family
SELECT bloom_set_create('padded', 30000);
SELECT bloom_set_add('padded', 'a'::char(5)), bloom_set_add('padded', 'a'::text);
SELECT bloom_set_contains('padded', 'a   '::text), bloom_set_contains('padded', 'a  '::char(9));
SELECT bloom_set_add('padded', 'b  '::text);
SELECT bloom_set_contains('padded', 'b'::text), bloom_set_contains('padded', 'b'::char(7)), bloom_set_filter('padded') @> 'b'::text AS in_filter;
DROP TABLE padded;
SELECT bloom_set_create('numbers', 30000);
SELECT bloom_set_add('numbers', 1.50), bloom_set_add('numbers', 1.5);
SELECT bloom_set_contains('numbers', 1.500), bloom_set_contains('numbers', 2.0);
SELECT bloom_set_add_all('numbers', ARRAY[1.5, 2.5, 2.50]);
SELECT try($$SELECT bloom_set_contains('numbers', 1)$$);
SELECT element_type FROM bloom_info(bloom_set_filter('numbers'));
DROP TABLE numbers;
SELECT bloom_set_create('uuids', 30000);
SELECT bloom_set_add('uuids', '00000000-0000-0000-0000-000000000001'::uuid);
SELECT bloom_set_contains('uuids', '00000000000000000000000000000001'::uuid);
DROP TABLE uuids;
SELECT bloom_set_create('arrays', 30000);
SELECT bloom_set_add('arrays', ARRAY[1, 2]);
SELECT bloom_set_contains('arrays', ARRAY[1, 2]), bloom_set_contains('arrays', ARRAY[2, 1]);
DROP TABLE arrays;
SELECT bloom_set_create('refused', 30000);
SELECT try($$SELECT bloom_set_add('refused', '{}'::json)$$);
DROP TABLE refused;

--
-- Transactions
--
SELECT bloom_set_create('undone', 30000);
BEGIN;
SELECT bloom_set_add('undone', 'a'::text);
ROLLBACK;
-- neither the value nor the type
SELECT bloom_set_contains('undone', 'a'::text), bloom_set_add('undone', 1);
SELECT bloom_set_create('undone_text', 30000);
BEGIN;
SELECT bloom_set_add('undone_text', 'a'::text);
ROLLBACK;
SELECT bloom_set_add('undone_text', 'a'::text), bloom_set_add('undone_text', 'b'::text);
SELECT element_type FROM bloom_info(bloom_set_filter('undone_text'));
DROP TABLE undone_text;
BEGIN;
SAVEPOINT s;
SELECT bloom_set_add_all('undone', ARRAY[2, 3]);
ROLLBACK TO s;
SELECT bloom_set_add('undone', 2), bloom_set_contains('undone', 3);
COMMIT;
SELECT bloom_set_contains('undone', 2), bloom_set_contains('undone', 3);
BEGIN READ ONLY;
SELECT bloom_set_contains('undone', 2);
-- what is known needs no write
SELECT bloom_set_add('undone', 2);
SELECT try('SELECT bloom_set_add(''undone'', 4)');
COMMIT;
-- a query tests the set as it was when the query began
SELECT count(*) FROM generate_series(100, 102) i WHERE bloom_set_add('undone', i) AND NOT bloom_set_contains('undone', i);
DROP TABLE undone;

--
-- Names
--
CREATE SCHEMA "My Sets";
SELECT bloom_set_create('"My Sets"."a ""set"""', 100);
SELECT bloom_set_add('"My Sets"."a ""set"""', 1);
SELECT bloom_set_contains('"My Sets"."a ""set"""', 1);
-- a name that a relation of the system has
SELECT bloom_set_create('pg_class', 100)::oid <> 'pg_catalog.pg_class'::regclass AS another;
SELECT bloom_set_add('public.pg_class', 1);
SELECT bloom_set_contains('public.pg_class', 1);
DROP TABLE public.pg_class;
SELECT bloom_set_create('pg_temp.mine', 100)::text ~ '^(pg_temp_\d+\.)?mine$' AS temporary;
SELECT bloom_set_add('mine', 1);
SELECT bloom_set_contains('mine', 1), bloom_cardinality(bloom_set_filter('mine'));
SELECT relpersistence FROM pg_class WHERE oid = 'mine'::regclass;
-- the schema is the first of search_path, and objects there are not used
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.eq(int, int) RETURNS bool LANGUAGE sql RETURN false;
CREATE OPERATOR hostile.= (LEFTARG = int, RIGHTARG = int, FUNCTION = hostile.eq);
CREATE FUNCTION hostile.generate_series(int, int) RETURNS SETOF int LANGUAGE sql RETURN 1;
CREATE FUNCTION hostile.unnest(int[]) RETURNS SETOF int LANGUAGE sql RETURN 1;
CREATE DOMAIN hostile.int4 AS text;
SET search_path = hostile, pg_catalog, public;
SELECT public.bloom_set_create('here', 10000);
SELECT public.bloom_set_add_all('here', ARRAY(SELECT pg_catalog.generate_series(1, 1000))) IS NOT NULL AS added;
SELECT public.bloom_set_contains('here', 500), public.bloom_set_add('here', 500);
SELECT pg_catalog.count(*) OPERATOR(pg_catalog.>) 5 AS many FROM hostile.here;
RESET search_path;
-- a renamed set is the same set, and a new one of the old name is another
SELECT bloom_set_create('first_name', 100);
SELECT bloom_set_add('first_name', 1);
ALTER TABLE first_name RENAME TO second_name;
SELECT bloom_set_create('first_name', 100);
SELECT bloom_set_contains('second_name', 1), bloom_set_contains('first_name', 1), bloom_set_add('second_name', 2),
	bloom_set_add('first_name', 'text'::text);
ALTER SCHEMA "My Sets" RENAME TO moved;
ALTER TABLE second_name SET SCHEMA moved;
SELECT bloom_set_contains('moved.second_name', 2), bloom_set_contains('moved."a ""set"""', 1);
ALTER TABLE first_name RENAME TO third_name;
SELECT bloom_set_contains('third_name', 'text'::text);
-- schemas change places while a value is added: no trigger of the other set runs
CREATE SCHEMA live;
CREATE SCHEMA next;
SELECT bloom_set_create('live.seen', 10), bloom_set_create('next.seen', 10);
CREATE SEQUENCE other_set_changed;
CREATE FUNCTION swap_schemas() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	ALTER SCHEMA live RENAME TO other;
	ALTER SCHEMA next RENAME TO live;
	ALTER SCHEMA other RENAME TO next;
	RETURN NEW;
END
$$;
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM nextval('other_set_changed');
	RETURN NEW;
END
$$;
CREATE TRIGGER swap BEFORE UPDATE ON live.seen FOR EACH ROW WHEN (OLD.segment = 0) EXECUTE FUNCTION swap_schemas();
CREATE TRIGGER note BEFORE UPDATE ON next.seen FOR EACH ROW EXECUTE FUNCTION note_change();
SELECT bloom_set_add('live.seen', 1);
SELECT is_called FROM other_set_changed;
SELECT bloom_set_contains('live.seen', 1), bloom_set_contains('next.seen', 1);
SET client_min_messages = warning;
DROP SCHEMA live, next CASCADE;
RESET client_min_messages;
DROP FUNCTION swap_schemas, note_change;
DROP SEQUENCE other_set_changed;
-- more sets than are kept; statements are prepared only where they are needed, and kept for 16
SELECT count(bloom_set_create('many_' || i, 100)) FROM generate_series(1, 140) i;
SELECT count(*) FROM generate_series(1, 140) i WHERE bloom_set_add('many_' || i, 0);
DISCARD PLANS;
SELECT count(*) FROM generate_series(1, 140) i WHERE bloom_set_add('many_' || i, i);
SELECT count(*) FROM generate_series(1, 140) i WHERE bloom_set_contains('many_' || i, i);
CREATE FUNCTION statements_of_many() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(DISTINCT substring(ident, 'many_[0-9]+')) FROM pg_backend_memory_contexts
	 WHERE name = 'CachedPlanSource' AND ident LIKE '%ONLY public.many\_%'
$$;
SELECT statements_of_many();
SELECT count(*) FROM generate_series(1, 140) i WHERE bloom_set_filter('many_' || i) @> i;
SELECT statements_of_many();
DROP FUNCTION statements_of_many;
DO $$ BEGIN FOR i IN 1 .. 140 LOOP EXECUTE 'DROP TABLE many_' || i; END LOOP; END $$;

--
-- Errors
--
SELECT try('SELECT bloom_set_create(''bad'', 0)');
SELECT try('SELECT bloom_set_create(''bad'', 100, 1)');
SELECT try('SELECT bloom_set_create(''bad'', 1e12)');
SELECT try('SELECT bloom_set_create(''seen'', 100)');
SELECT try('SELECT bloom_set_create(''nowhere.bad'', 100)');
SELECT try('SELECT bloom_set_create(''a.b.c.d'', 100)');
SELECT try('SELECT bloom_set_create(''pg_catalog.bad'', 100)');
SELECT try('SELECT bloom_set_add(''missing'', 1)');
SELECT try('SELECT bloom_set_add(1, 1)');
SELECT try('SELECT bloom_set_filter(1)');
SELECT try('SELECT bloom_set_contains(1, ''seen'')');
SELECT try('SELECT bloom_set_add(NULL, 1)');
SELECT try('SELECT bloom_set_add_all(NULL, ARRAY[1])');
SELECT try('SELECT bloom_set_contains(NULL, 1)') IS NULL AS null_set;
SELECT try('SELECT bloom_set_add(''pg_catalog.pg_class'', 1)');
CREATE VIEW no_set AS SELECT * FROM seen;
SELECT try('SELECT bloom_set_contains(''no_set'', 1)');
DROP VIEW no_set;
CREATE TABLE no_set (segment int PRIMARY KEY, filter bytea);
SELECT try('SELECT bloom_set_contains(''no_set'', 1)');
INSERT INTO no_set VALUES (0, NULL);
SELECT try('SELECT bloom_set_contains(''no_set'', 1)');
UPDATE no_set SET filter = 'abc';
SELECT try('SELECT bloom_set_contains(''no_set'', 1)');
UPDATE no_set SET filter = bloom_add(bloom_create(10), 1)::bytea;
SELECT try('SELECT bloom_set_contains(''no_set'', 1)');
DROP TABLE no_set;

-- rows that were removed or changed by hand are never a "no"
SELECT bloom_set_create('damaged', 3000);
SELECT cardinality(bloom_set_add_all('damaged', ARRAY(SELECT generate_series(1, 1000)))) > 990 AS added;
CREATE TABLE sound AS SELECT * FROM damaged;
DELETE FROM damaged WHERE segment = 1;
SELECT count(*) > 100 AS errors, count(DISTINCT answer) FROM (SELECT try(format('SELECT bloom_set_contains(''damaged'', %s)', i)) AS answer FROM generate_series(1, 1000) i) x WHERE answer <> 'true';
SELECT try('SELECT bloom_set_add_all(''damaged'', ARRAY(SELECT generate_series(1, 1000)))');
SELECT try('SELECT bloom_set_filter(''damaged'')');
INSERT INTO damaged SELECT segment, substr(filter, 65) FROM sound WHERE segment = 1;
SELECT try('SELECT bloom_set_filter(''damaged'')');
SELECT try('SELECT bloom_set_add_all(''damaged'', ARRAY(SELECT generate_series(1, 1000)))');
UPDATE damaged SET filter = sound.filter FROM sound WHERE sound.segment = damaged.segment;
SELECT try('SELECT bloom_set_add_all(''damaged'', ARRAY(SELECT generate_series(1, 1000)))');
INSERT INTO damaged VALUES (99, '');
SELECT try('SELECT bloom_set_filter(''damaged'')');
DELETE FROM damaged WHERE segment = 99;
ALTER TABLE damaged DROP CONSTRAINT damaged_pkey;
INSERT INTO damaged SELECT * FROM damaged WHERE segment = 1;
SELECT try('SELECT bloom_set_filter(''damaged'')');
SELECT try('SELECT bloom_set_add_all(''damaged'', ARRAY(SELECT generate_series(1001, 1100)))');
TRUNCATE damaged;
SELECT try('SELECT bloom_set_contains(''damaged'', 1)');
-- the head of another set: what was known of the old one is forgotten
INSERT INTO damaged SELECT segment, CASE segment WHEN 0 THEN bloom_create(3000)::bytea ELSE decode(repeat('00', octet_length(filter)), 'hex') END FROM sound;
SELECT bloom_set_contains('damaged', 'text'::text), bloom_set_add('damaged', 'text'::text);
SELECT bloom_set_contains('damaged', 'text'::text);
UPDATE damaged SET filter = bloom_create(3000)::bytea WHERE segment = 0;
SELECT try('SELECT bloom_set_filter(''damaged'')');
SELECT bloom_set_create('larger', 100000);
SELECT cardinality(bloom_set_add_all('larger', ARRAY(SELECT 'v' || i FROM generate_series(1, 100) i))) > 90 AS added;
SELECT bloom_set_contains('damaged', 'v1'::text);
DELETE FROM damaged;
INSERT INTO damaged SELECT * FROM larger;
SELECT count(*) FROM generate_series(1, 100) i WHERE bloom_set_contains('damaged', 'v' || i);
TRUNCATE damaged;
INSERT INTO damaged SELECT segment, CASE segment WHEN 0 THEN filter ELSE decode(repeat('00', octet_length(filter)), 'hex') END FROM sound;
-- a head of the same type, but of another size
UPDATE damaged SET filter = bloom_create(3000)::bytea WHERE segment = 0;
SELECT bloom_set_add('damaged', 'v'::text);
DELETE FROM damaged;
INSERT INTO damaged SELECT * FROM larger;
SELECT cardinality(bloom_set_add_all('damaged', ARRAY(SELECT 'v' || i FROM generate_series(50, 150) i))) BETWEEN 45 AND 50 AS added;
SELECT count(*) FROM generate_series(1, 150) i WHERE bloom_set_contains('damaged', 'v' || i);
DROP TABLE larger;
SELECT try('SELECT bloom_set_clear(''damaged'')') AS cleared;
DELETE FROM damaged WHERE segment = 2;
SELECT try('SELECT bloom_set_clear(''damaged'')');
DROP TABLE damaged, sound;

--
-- Clearing
--
SELECT obj_description('seen'::regclass, 'pg_class');
-- more rows than are written at a time, with another number in the last; the type and the parameters stay
SELECT bloom_set_create('cleared', 900000, 0.01, 7);
SELECT cardinality(bloom_set_add_all('cleared', ARRAY(SELECT generate_series(1, 100000)))) > 99000 AS added, max(segment) FROM cleared;
BEGIN;
SELECT bloom_set_clear('cleared');
SELECT count(*) FROM generate_series(1, 100000) i WHERE bloom_set_contains('cleared', i);
SELECT count(*), bool_and(filter = decode(repeat('00', octet_length(filter)), 'hex')) FROM cleared WHERE segment > 0;
SELECT element_type, estimated_items, expected_items, seed FROM bloom_info(bloom_set_filter('cleared'));
ROLLBACK;
SELECT count(*) FROM generate_series(1, 100000) i WHERE bloom_set_contains('cleared', i);
SELECT bloom_set_clear('cleared');
SELECT try('SELECT bloom_set_add(''cleared'', ''five'')');
SELECT cardinality(bloom_set_add_all('cleared', ARRAY[1, 2, 3]));
SELECT bloom_set_filter('cleared') & bloom_set_filter('cleared') @> 2 AS two;
-- rows that are empty are not written
SELECT bloom_set_clear('cleared');
SELECT md5(string_agg(xmin::text, ' ' ORDER BY segment)) AS written FROM cleared \gset
SELECT bloom_set_clear('cleared');
SELECT md5(string_agg(xmin::text, ' ' ORDER BY segment)) = :'written' AS not_written FROM cleared;
SELECT bloom_set_clear(NULL) IS NULL AS null_set;
SELECT try('SELECT bloom_set_clear(''pg_catalog.pg_class'')');
BEGIN READ ONLY;
SELECT try('SELECT bloom_set_clear(''cleared'')');
COMMIT;
DROP TABLE cleared;
SELECT bloom_set_clear('seen');
SELECT bloom_set_contains('seen', 'a'::text), bloom_cardinality(bloom_set_filter('seen')), bloom_set_add('seen', 'a'::text);

--
-- Rights are those of statements of the caller
--
CREATE ROLE regress_sets;
GRANT SELECT ON seen TO regress_sets;
SET ROLE regress_sets;
SELECT bloom_set_contains('seen', 'a'::text), bloom_set_add('seen', 'a'::text);
SELECT try('SELECT bloom_set_add(''seen'', ''b''::text)');
SELECT try('SELECT bloom_set_clear(''seen'')');
SELECT try('SELECT bloom_set_contains(''third_name'', ''b''::text)');
SELECT try('SELECT bloom_set_filter(''third_name'')');
SELECT try('SELECT bloom_set_create(''moved.theirs'', 100)');
RESET ROLE;
-- rows that a policy hides are missing
GRANT SELECT, UPDATE ON seen TO regress_sets;
ALTER TABLE seen ENABLE ROW LEVEL SECURITY;
SET ROLE regress_sets;
SELECT try('SELECT bloom_set_contains(''seen'', ''b''::text)');
SELECT try('SELECT bloom_set_filter(''seen'')');
RESET ROLE;
CREATE POLICY readable ON seen FOR SELECT USING (true);
SET ROLE regress_sets;
SELECT bloom_set_contains('seen', 'a'::text);
-- what must not be written is an error, not a loss
SELECT try('SELECT bloom_set_add(''seen'', ''b''::text)');
SELECT try('SELECT bloom_set_clear(''seen'')');
SELECT try('SELECT bloom_set_add_all(''seen'', ARRAY[''b'', ''c'', ''d''])');
RESET ROLE;
ALTER TABLE seen DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON seen FROM regress_sets;
-- the schema as well, whoever used the set before
CREATE SCHEMA hidden;
SELECT bloom_set_create('hidden.keys', 100) \gset
GRANT SELECT, UPDATE ON hidden.keys TO regress_sets;
SELECT 'hidden.keys'::regclass::oid AS keys \gset
SELECT bloom_set_add('hidden.keys', 1);
SELECT bloom_set_contains('hidden.keys', 1), bloom_set_filter('hidden.keys') IS NOT NULL AS filter;
SET ROLE regress_sets;
SELECT try(format('SELECT bloom_set_contains(%s, 1)', :keys));
SELECT try(format('SELECT bloom_set_add(%s, 2)', :keys));
SELECT try(format('SELECT bloom_set_filter(%s)', :keys));
RESET ROLE;
GRANT USAGE ON SCHEMA hidden TO regress_sets;
SET ROLE regress_sets;
SELECT bloom_set_contains(:keys, 1), bloom_set_add(:keys, 2);
RESET ROLE;
DROP SCHEMA hidden CASCADE;
DROP ROLE regress_sets;
-- triggers fire, also one that prevents the update, and one that uses the set
CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('my.suppress', true) = 'on' THEN
		RETURN NULL;
	END IF;
	RAISE WARNING 'segment %', NEW.segment;
	RETURN NEW;
END $$;
CREATE TRIGGER watch BEFORE UPDATE ON seen FOR EACH ROW EXECUTE FUNCTION watch();
SELECT bloom_set_add('seen', 'watched'::text), bloom_set_add('seen', 'watched'::text);
SET my.suppress = on;
SELECT try('SELECT bloom_set_add(''seen'', ''lost''::text)');
SELECT try('SELECT bloom_set_add_all(''seen'', ARRAY[''lost'', ''too''])');
RESET my.suppress;
DROP TRIGGER watch ON seen;
SELECT bloom_set_create('first_value', 100);
CREATE TRIGGER watch BEFORE UPDATE ON first_value FOR EACH ROW EXECUTE FUNCTION watch();
SET my.suppress = on;
SELECT try('SELECT bloom_set_add(''first_value'', 1)');
RESET my.suppress;
DROP TRIGGER watch ON first_value;
CREATE OR REPLACE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	other regclass;
BEGIN
	IF pg_trigger_depth() = 1 THEN
		PERFORM bloom_set_add('seen', 'from a trigger'::text);
		-- forgets what the caller uses
		FOR i IN 1 .. 20 LOOP
			other := bloom_set_create('pg_temp.other_' || i, 10);
			PERFORM bloom_set_contains(other, 1);
		END LOOP;
		COMMENT ON TABLE seen IS 'changed';
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER watch AFTER UPDATE ON seen FOR EACH STATEMENT EXECUTE FUNCTION watch();
SELECT bloom_set_add_all('seen', ARRAY['r', 's', 't', 'u']);
SELECT bloom_set_contains('seen', 'from a trigger'::text), bloom_set_contains('seen', 's'::text), bloom_set_contains('seen', 'u'::text);

--
-- What else an UPDATE does is done when one value is added, too
--
SELECT bloom_set_create('watched', 10000);
SELECT bloom_set_add('watched', 0);
CREATE FUNCTION add_some(first int) RETURNS bigint LANGUAGE sql AS
	$$ SELECT count(*) FROM generate_series(first, first + 9) i WHERE bloom_set_add('watched', i) $$;
-- an entry in the index for a version that lies on another page
ALTER TABLE watched SET (fillfactor = 100);
VACUUM FULL watched;
BEGIN;
SELECT add_some(10);
SELECT pg_stat_get_xact_tuples_updated(oid) - pg_stat_get_xact_tuples_hot_updated(oid) > 3 AS on_other_pages
  FROM pg_class WHERE oid = 'watched'::regclass;
SELECT count(*) FROM generate_series(10, 19) i WHERE bloom_set_contains('watched', i);
COMMIT;
-- a generated column
ALTER TABLE watched ADD COLUMN sum text GENERATED ALWAYS AS (md5(filter)) STORED;
SELECT add_some(20);
SELECT count(*) FROM watched WHERE sum IS DISTINCT FROM md5(filter);
ALTER TABLE watched DROP COLUMN sum;
-- another index
CREATE INDEX others ON watched (md5(filter));
SELECT add_some(30);
SET enable_seqscan = off;
SELECT count(*) FROM watched w WHERE EXISTS (SELECT FROM watched WHERE md5(filter) = md5(w.filter) OFFSET 0);
RESET enable_seqscan;
DROP INDEX others;
-- a constraint
ALTER TABLE watched ADD CONSTRAINT frozen CHECK (false) NOT VALID;
SELECT split_part(try('SELECT add_some(40)'), E'\n', 1);
ALTER TABLE watched DROP CONSTRAINT frozen;
-- a rule
CREATE RULE instead AS ON UPDATE TO watched DO INSTEAD NOTHING;
SELECT try('SELECT add_some(40)');
DROP RULE instead ON watched;
-- a partition, whose bounds are a constraint
CREATE TABLE parts (LIKE watched) PARTITION BY RANGE (bit_count(filter));
ALTER TABLE watched RENAME TO one_part;
ALTER TABLE parts ATTACH PARTITION one_part DEFAULT;
SELECT count(*) FROM generate_series(40, 49) i WHERE bloom_set_add('one_part', i);
ALTER TABLE parts DETACH PARTITION one_part;
SELECT max(bit_count(filter)) + 1 AS full FROM one_part \gset
ALTER TABLE parts ATTACH PARTITION one_part FOR VALUES FROM (MINVALUE) TO (:full);
SELECT split_part(try('SELECT count(*) FROM generate_series(1000, 1999) i WHERE bloom_set_add(''one_part'', i)'), E'\n', 1);
ALTER TABLE parts DETACH PARTITION one_part;
ALTER TABLE one_part RENAME TO watched;
DROP TABLE parts;
-- a publication of updates: replicas find a row by its identity
SET client_min_messages = error;
CREATE PUBLICATION of_sets FOR TABLE watched;
RESET client_min_messages;
ALTER TABLE watched REPLICA IDENTITY NOTHING;
SELECT split_part(try('SELECT add_some(50)'), E'\n', 1);
ALTER TABLE watched REPLICA IDENTITY DEFAULT;
SELECT add_some(50);
DROP PUBLICATION of_sets;
-- rights on columns
CREATE ROLE regress_sets;
GRANT SELECT, UPDATE (filter) ON watched TO regress_sets;
SET ROLE regress_sets;
SELECT add_some(60);
RESET ROLE;
REVOKE SELECT ON watched FROM regress_sets;
GRANT UPDATE ON watched TO regress_sets;
SET ROLE regress_sets;
SELECT try('SELECT add_some(70)');
RESET ROLE;
REVOKE ALL ON watched FROM regress_sets;
DROP ROLE regress_sets;
-- columns of the user's own
ALTER TABLE watched ADD COLUMN note text DEFAULT 'lost', ADD COLUMN remark text DEFAULT 'kept';
ALTER TABLE watched DROP COLUMN note;
SELECT add_some(80);
SELECT DISTINCT remark FROM watched;
-- all but those that errors undid
SELECT count(*) FILTER (WHERE i / 10 <> 7), count(*) FILTER (WHERE i / 10 = 7) < 10 AS undone
  FROM generate_series(10, 89) i WHERE bloom_set_contains('watched', i);
DROP TABLE watched;
DROP FUNCTION add_some;

DROP TABLE seen, first_value, third_name, mine;
DROP SCHEMA moved CASCADE;
DROP SCHEMA hostile CASCADE;
DROP FUNCTION rows_on_a_page, same_as_agg, try, watch;
