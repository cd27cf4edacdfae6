-- What docs/filter-index.md says of indexes that wear, for psql: each round by its number r.
CREATE TABLE wear (id int, v uuid, pad text) WITH (autovacuum_enabled = off);
INSERT INTO wear SELECT g, md5(g::text)::uuid, repeat('x', 48) FROM generate_series(1, 1000000) g;
CREATE INDEX wear_v ON wear USING bloomfilter (v);
VACUUM ANALYZE wear;

-- a random fifth of the rows, for the rounds r = 1 to 10
UPDATE wear SET v = md5('round ' || r || id)::uuid WHERE abs(hashint4(id * 31 + r)) % 5 = 0;
VACUUM wear;

-- all rows, for the rounds r = 1 to 10
UPDATE wear SET v = md5('round ' || r || id)::uuid;
VACUUM wear;

-- a queue of a million rows, for the rounds r = 1 to 250: fifty million rows go through it
INSERT INTO wear SELECT g, md5(g::text)::uuid, repeat('x', 48)
  FROM generate_series(1000001 + 200000 * (r - 1), 1000000 + 200000 * r) g;
DELETE FROM wear WHERE id <= 200000 * r;
VACUUM wear;

-- the pages of a lookup: mean of 500 absent values
EXPLAIN (ANALYZE, BUFFERS) SELECT FROM wear WHERE v = md5('absent ' || 1)::uuid;
