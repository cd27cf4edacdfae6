-- The pages of filter indexes of fixed tables: pg_upgrade keeps the files, so
-- that they must never change without a new version in the metapage.

-- Each page without its LSN and checksum, and the metapage without the horizon
-- of snapshots of a standby, or the builder, which is where the transactions of the server are
CREATE FUNCTION pg_temp.digests(index regclass, horizon int DEFAULT 57) RETURNS TABLE (page bigint, kind int, slab int, digest text) LANGUAGE plpgsql AS $$
DECLARE
	contents bytea;
	bytes bytea;
BEGIN
	contents := pg_read_binary_file(pg_relation_filepath(index));
	FOR i IN 0 .. length(contents) / 8192 - 1 LOOP
		bytes := substr(contents, i * 8192 + 1, 8192);
		IF i = 0 THEN
			bytes := overlay(bytes PLACING '\x0000000000000000' FROM horizon);
		END IF;
		page := i;
		slab := get_byte(bytes, 8180);
		kind := get_byte(bytes, 8184);
		digest := md5(overlay(bytes PLACING '\x00000000000000000000' FROM 1));
		RETURN NEXT;
	END LOOP;
END $$;

CREATE TABLE fixed (n int, v text, u uuid) WITH (autovacuum_enabled = off);
INSERT INTO fixed SELECT g, CASE WHEN g % 3 > 0 THEN 'value ' || g % 700 END, md5(g::text)::uuid FROM generate_series(1, 5000) g;
CREATE INDEX fixed_bf ON fixed USING bloomfilter (n, v, u);
CHECKPOINT;
SELECT * FROM pg_temp.digests('fixed_bf');

-- Keys, by each of their operator classes; NULLs among them, and values without any
CREATE TABLE keyed (a text[], d tsvector, j jsonb) WITH (autovacuum_enabled = off);
INSERT INTO keyed SELECT ARRAY['all', 'key ' || g, CASE WHEN g % 3 > 0 THEN 'third' END], to_tsvector('simple', 'word ' || g % 70), jsonb_build_object('n', g, 'a', jsonb_build_array('x' || g % 9, NULL)) FROM generate_series(1, 500) g;
INSERT INTO keyed VALUES ('{}', '', '{}'), (NULL, NULL, NULL);
CREATE INDEX keyed_bf ON keyed USING bloomfilter (a array_key_ops, d tsvector_key_ops, j jsonb_key_ops, j jsonb_path_key_ops);
INSERT INTO keyed SELECT ARRAY['key ' || g], to_tsvector('simple', 'later ' || g % 70), jsonb_build_object('m', g) FROM generate_series(501, 600) g;
CHECKPOINT;
SELECT * FROM pg_temp.digests('keyed_bf');
SELECT bloom_index_check('keyed_bf');
DROP TABLE keyed;

-- Bits that are set later, a slab that takes the place of another, and a page
-- that becomes free
CREATE TABLE changed (n int, pad text) WITH (autovacuum_enabled = off, fillfactor = 30);
INSERT INTO changed SELECT g, repeat('x', 90) FROM generate_series(1, 2000) g;
CREATE INDEX changed_bf ON changed USING bloomfilter (n) WITH (false_positive_rate = 0.01);
-- rolled back, which no snapshot of another session sees
BEGIN;
UPDATE changed SET n = -n;
ROLLBACK;
CHECKPOINT;
SELECT * FROM pg_temp.digests('changed_bf');
VACUUM changed;
CHECKPOINT;
SELECT * FROM pg_temp.digests('changed_bf');
SELECT bloom_index_check('fixed_bf'), bloom_index_check('changed_bf');

-- The filter of a table, and a larger one that takes its place
CREATE TABLE whole (n int) WITH (autovacuum_enabled = off);
INSERT INTO whole SELECT g FROM generate_series(1, 2500) g;
CREATE INDEX whole_bf ON whole USING bloomfilter (n) WITH (scope = 'table', expected_items = 10000);
INSERT INTO whole SELECT g FROM generate_series(2501, 15000) g;
CHECKPOINT;
SELECT * FROM pg_temp.digests('whole_bf', 73);
ALTER INDEX whole_bf RESET (expected_items);
VACUUM whole;
CHECKPOINT;
SELECT * FROM pg_temp.digests('whole_bf', 73);
SELECT bloom_index_check('whole_bf');
DROP TABLE whole;
DROP TABLE fixed, changed;
