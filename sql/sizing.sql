-- Sizes: as many bits per item as the analysis says, and no more.
CREATE TEMP TABLE sizes AS
	SELECT n, p, bloom_size(n, p) AS size, i.bits, i.hashes, i.bits / n AS bits_per_item
	FROM unnest(ARRAY[1, 2, 10, 100, 1000, 10000, 100000, 1e6, 1e7, 1e8]::float8[]) AS n,
		unnest(ARRAY[0.5, 0.1, 0.03, 0.01, 0.001, 0.0001, 0.000001]::float8[]) AS p,
		bloom_info(bloom_create(n, p)) AS i;

-- bloom_size is what the full filter takes when stored
SELECT count(*), bool_and(size = 4 + 64 + bits / 8) AS "all" FROM sizes;
SELECT n, bloom_size(n) = pg_column_size(bloom_add_all(bloom_create(n), ARRAY(SELECT generate_series(1, n)))) AS size
FROM unnest(ARRAY[2, 100, 10000]) AS n ORDER BY n;

-- one default rate for all
SELECT bloom_size(12345) = bloom_size(12345, 0.01) AS size, bloom_create(12345) = bloom_create(12345, 0.01) AS "create",
	bits / 8 + 68 = bloom_size(12345) AS info
FROM bloom_info(bloom_create(12345));

-- bits per item from 10,000 items up, within half a percent of the analysis
SELECT p, bool_and(bits_per_item BETWEEN expected * 0.995 AND expected * 1.005) AS as_expected,
	round(min(bits_per_item)::numeric, 1) AS bits_per_item, min(hashes) AS hashes, max(hashes) AS max_hashes
FROM sizes JOIN (VALUES (0.1, 4.86), (0.03, 7.44), (0.01, 9.93), (0.001, 15.7), (0.0001, 22.1)) AS e (p, expected) USING (p)
WHERE n >= 10000 GROUP BY p ORDER BY p DESC;

-- at 1 % at most 10 from 10,000 items up to the maximum, 432,375,125
SELECT count(*), bool_and((bloom_size(n) - 68) * 8 <= 10 * n) AS at_most_10
FROM (SELECT round(10000 * exp(i * ln(43237.5125) / 500)) AS n FROM generate_series(0, 500) AS i) AS s;
SELECT count(*), bool_and((bloom_size(n) - 68) * 8 <= 10 * n) AS at_most_10 FROM generate_series(10000, 10500) AS n;

-- in whole blocks: what is small is rounded up
SELECT n, string_agg((bits / 512)::text, ' ' ORDER BY p DESC) AS blocks, string_agg(hashes::text, ' ' ORDER BY p DESC) AS hashes
FROM sizes WHERE n <= 10000 GROUP BY n ORDER BY n;

-- more items or a lower rate never make a smaller filter, but for the 1 % that
-- eight hashes may cost
SELECT bool_and(bloom_size(n) <= bloom_size(n + 1)) AS items FROM generate_series(1, 3000) AS n;
SELECT bool_and(bloom_size(n, p) <= bloom_size(n, p * 0.97) * 1.01) AS rate
FROM unnest(ARRAY[50, 5000, 500000]) AS n, (SELECT 0.9 * exp(-i * 0.03) AS p FROM generate_series(0, 440) AS i) AS s;

-- the number of hashes never leaves 1 to 16
SELECT min(hashes), max(hashes) FROM sizes;
SELECT (bloom_info(bloom_create(1000, 0.999999))).hashes AS least, (bloom_info(bloom_create(1000, 0.000001))).hashes AS most;

-- a filter for a million that holds five is as small as five are
CREATE TABLE sizing_small AS
	SELECT 5 AS held, bloom_add_all(bloom_create(1e6), ARRAY[1, 2, 3, 4, 5]) AS f
	UNION ALL SELECT 5, bloom_agg(i, 1e6) FROM generate_series(1, 5) AS i
	UNION ALL SELECT 5, bloom_add_all(bloom_create(1e6, 0.000001), ARRAY['a', 'b', 'c', 'd', 'e'])
	UNION ALL SELECT 0, bloom_create(1e6);
SELECT held, pg_column_size(f) AS bytes, pg_column_size(f) < 128 AS under_128, f::bytea::bloomfilter = f AS ok FROM sizing_small;
-- and grows by 8 bytes per value, until it is an eighth of the full size
SELECT held, i.bytes - 68 AS data, round((i.bytes - 68) / (bloom_size(10000) - 68)::numeric, 3) AS of_full, i.representation
FROM unnest(ARRAY[0, 1, 5, 100, 194, 195, 10000]) AS held,
	bloom_info(bloom_add_all(bloom_create(10000), ARRAY(SELECT generate_series(1, held)))) AS i
ORDER BY held;
DROP TABLE sizing_small;
