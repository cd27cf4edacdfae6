-- bloom_shrink: adjacent blocks merge into the filter that the same values
-- would have built with fewer blocks.

-- An empty filter of any parameters: the binary form of one that bloom_create
-- makes, with k and the number of blocks changed (docs/format.md).
CREATE FUNCTION filter_checksum(bytes bytea) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	crc bigint := x'ffffffff'::bigint;
BEGIN
	FOR i IN 0 .. octet_length(bytes) - 1 LOOP
		crc := crc # get_byte(bytes, i);
		FOR j IN 1 .. 8 LOOP
			crc := (crc >> 1) # CASE WHEN crc & 1 = 1 THEN x'82f63b78'::bigint ELSE 0 END;
		END LOOP;
	END LOOP;
	RETURN crc # x'ffffffff'::bigint;
END $$;
CREATE FUNCTION little_endian(value bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg(substr(int4send(value::bit(32)::int), 4 - i, 1), '' ORDER BY i) FROM generate_series(0, 3) i
$$;
CREATE FUNCTION empty(n float8, blocks int, k int, seed bigint DEFAULT 0) RETURNS bloomfilter LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	payload bytea := substr(bloom_create(n, 0.01, seed)::bytea, 5, 64);
BEGIN
	payload := set_byte(overlay(payload PLACING little_endian(blocks) FROM 13), 4, k);
	RETURN ('PGBF' || payload || little_endian(filter_checksum(payload)))::bloomfilter;
END $$;
SELECT empty(1000, 20, 7) = bloom_create(1000) AS as_the_server_does;

-- Every number of bits per value, numbers of blocks with many divisors and
-- with few, every divisor; as many values as a list holds afterwards, one
-- more, as many as it held before, one more, many more, none.
CREATE TABLE empties AS
SELECT blocks, k, empty(1000, blocks, k, k) AS f
  FROM generate_series(1, 16) k, unnest(ARRAY[1, 2, 7, 12, 60, 97, 128]) blocks;
CREATE TABLE cases AS
SELECT blocks, k, factor, n, bloom_add_all(f, ARRAY(SELECT i * 1000003 FROM generate_series(1, n) i)) AS f
  FROM empties, generate_series(1, blocks) factor,
	LATERAL (SELECT DISTINCT unnest(ARRAY[0, 1, blocks / factor, blocks / factor + 1, blocks, blocks + 1, 5 * blocks])) _ (n)
 WHERE blocks % factor = 0;
CREATE TABLE expected AS
SELECT blocks, k, factor, n,
	bloom_add_all(empty(1000 / factor, blocks / factor, k, k), ARRAY(SELECT i * 1000003 FROM generate_series(1, n) i)) AS f
  FROM cases;
SELECT count(*) AS filters,
	count(*) FILTER (WHERE bloom_shrink(c.f, factor) = e.f) AS as_built,
	count(*) FILTER (WHERE bloom_shrink(c.f, factor)::text = e.f::text) AS text_as_built,
	count(DISTINCT (bloom_info(e.f)).representation) AS representations
  FROM cases c JOIN expected e USING (blocks, k, factor, n);
-- from memory, and with values still waiting to be put in
SELECT count(*) AS filters, count(*) FILTER (WHERE bloom_shrink(bloom_add_all(s.f, ARRAY(SELECT i * 1000003 FROM generate_series(1, n) i)), factor) = e.f) AS as_built
  FROM empties s JOIN expected e USING (blocks, k);

-- Stored out of line, compressed; families with a name of their own.
CREATE TABLE stored (name text, f bloomfilter, shrunk bloomfilter);
INSERT INTO stored
SELECT 'dense', bloom_add_all(empty(50000, 960, 6), a), bloom_add_all(empty(5000, 96, 6), a)
  FROM (SELECT array_agg(i) AS a FROM generate_series(1, 5000) i) s
UNION ALL
SELECT 'list', bloom_add_all(empty(50000, 960, 6), a), bloom_add_all(empty(5000, 96, 6), a)
  FROM (SELECT array_agg(i) AS a FROM generate_series(1, 900) i) s
UNION ALL
SELECT 'short list', bloom_add_all(empty(50000, 960, 6), a), bloom_add_all(empty(5000, 96, 6), a)
  FROM (SELECT array_agg(i) AS a FROM generate_series(1, 96) i) s
UNION ALL
SELECT 'numeric', bloom_add_all(empty(50000, 960, 6), a), bloom_add_all(empty(5000, 96, 6), a)
  FROM (SELECT array_agg(i::numeric) AS a FROM generate_series(1, 5000) i) s
UNION ALL
SELECT 'char(n)', bloom_add_all(empty(50000, 960, 6), a), bloom_add_all(empty(5000, 96, 6), a)
  FROM (SELECT array_agg(i::text::char(8)) AS a FROM generate_series(1, 500) i) s;
CREATE TABLE compressed (LIKE stored);
ALTER TABLE compressed ALTER f SET STORAGE EXTENDED, ALTER f SET COMPRESSION pglz;
INSERT INTO compressed SELECT * FROM stored;
SELECT name, pg_column_compression(f) IS NOT NULL AS compressed FROM compressed ORDER BY name;
SELECT name, bloom_shrink(f, 10) = shrunk AS as_built, (bloom_info(shrunk)).representation FROM stored ORDER BY name;
SELECT name, bloom_shrink(f, 10) = shrunk AS as_built FROM compressed ORDER BY name;

-- What it means: 1/factor of the blocks and of expected_items, all else as it
-- was.  In steps or at once, before a union or after.
SELECT element_type, representation, expected_items, target_false_positive_rate, seed, bits, hashes, bits_set,
	estimated_items, round(estimated_false_positive_rate::numeric, 4) AS rate, bytes
  FROM stored, unnest(ARRAY[1, 10]) factor, bloom_info(bloom_shrink(f, factor)) WHERE name = 'dense' ORDER BY factor \gx
SELECT bloom_shrink(bloom_shrink(f, 3), 4) = bloom_shrink(f, 12) AS in_steps, bloom_shrink(f, 1) = f AS by_one,
	bloom_compatible(bloom_shrink(f, 4), f) AS with_itself FROM stored ORDER BY name;
SELECT bloom_shrink(a.f | b.f, factor) = (bloom_shrink(a.f, factor) | bloom_shrink(b.f, factor)) AS united
  FROM stored a, stored b, unnest(ARRAY[2, 960]) factor WHERE a.name = 'dense' AND b.name = 'list';
SELECT bool_and(bloom_shrink(f, 96) @> i) AS members FROM stored, generate_series(1, 5000) i WHERE name = 'dense';
-- at least one item
SELECT (bloom_info(bloom_shrink(empty(3, 8, 6), 8))).expected_items;

-- Made for about 100,000, with a number of blocks that 16 divides, and holding
-- 6,200: at a sixteenth of the size the target rate is still kept, by the fill
-- and by test.
SELECT min(n) AS n, min((bloom_size(n) - 68) / 64) AS blocks
  FROM generate_series(100000, 101000, 10) n WHERE (bloom_size(n) - 68) / 64 % 16 = 0 \gset
SELECT bloom_agg(i, :n) AS f FROM generate_series(1, 6200) i \gset
SELECT :blocks % 16 AS rest, bits / 512 = :blocks AS blocks FROM bloom_info(:'f');
SELECT bloom_shrink(:'f', 16) AS small \gset
SELECT expected_items = :n / 16 AS capacity, bits = :blocks * 32 AS size, estimated_false_positive_rate < 0.0105 AS rate_kept
  FROM bloom_info(:'small');
SELECT count(*) < 1100 AS rate_delivered FROM generate_series(1000001, 1100000) i WHERE :'small'::bloomfilter @> i;

-- The argument stays as it is.
DO $$
DECLARE
	f bloomfilter := empty(1000, 12, 6);
	small bloomfilter;
	before text;
BEGIN
	FOR i IN 1 .. 40 LOOP
		f := bloom_add(f, i);
		before := f::text;
		small := bloom_shrink(f, 4);
		ASSERT f::text = before AND small @> i;
	END LOOP;
END $$;

-- Errors: the factors that are possible.
SELECT bloom_shrink(bloom_create(1000), 3);
SELECT bloom_shrink(bloom_create(1000), 0);
SELECT bloom_shrink(bloom_create(1000), -2);
SELECT bloom_shrink(bloom_create(1000), 40);
SELECT bloom_shrink(bloom_create(1000), 2147483647);
SELECT bloom_shrink(empty(1000, 97, 6), 2);
SELECT bloom_shrink(empty(1000, 720720, 6), 17);
SELECT bloom_shrink(bloom_create(10), 2);
CREATE AGGREGATE shrink_state ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter);
SELECT bloom_shrink(shrink_state(i), 1) FROM generate_series(1, 3) i;
SELECT bloom_shrink(NULL, 2), bloom_shrink(bloom_create(1000), NULL);

DROP TABLE empties, cases, expected, stored, compressed;
DROP AGGREGATE shrink_state ("any");
DROP FUNCTION filter_checksum(bytea), little_endian(bigint), empty(float8, int, int, bigint);
