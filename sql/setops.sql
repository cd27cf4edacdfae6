-- Union, intersection, inclusion and equality, for all mixes of
-- representations.
CREATE TABLE so (name text, "values" int[], f bloomfilter);
-- for 200 values at 1 %: 4 blocks, so up to 4 values are sparse
INSERT INTO so
	SELECT name, x, bloom_add_all(bloom_create(200), x)
	FROM (VALUES
		('empty', ARRAY[]::int[]),
		('one', ARRAY[1]),
		('two', ARRAY[1, 2]),
		('other two', ARRAY[101, 102]),
		('four', ARRAY[1, 2, 101, 102]),
		('other four', ARRAY[1, 2, 3, 4]),
		('five', ARRAY[1, 2, 3, 4, 5]),
		('other five', ARRAY[101, 102, 103, 104, 105]),
		('many', ARRAY(SELECT generate_series(1, 200))),
		('more', ARRAY(SELECT generate_series(101, 400))),
		('most', ARRAY(SELECT generate_series(1, 2000)))) AS v (name, x);
ANALYZE so;
SELECT name, representation, bits / 512 AS blocks, hashes, estimated_items IN (cardinality("values"), 0) AS exact
FROM so, bloom_info(f) ORDER BY cardinality("values"), name;

-- union: the filter of both sets, to the last byte
SELECT count(*) AS pairs,
	bool_and(bloom_union(a.f, b.f) = built) AS built,
	bool_and(bloom_union(a.f, b.f)::bytea = built::bytea) AS bytes,
	bool_and((a.f | b.f) = (b.f | a.f)) AS commutative,
	bool_and((a.f | a.f) = a.f) AS idempotent,
	bool_and((a.f | b.f | b.f) = (a.f | b.f)) AS absorbs,
	count(*) FILTER (WHERE (bloom_info(built)).representation = 'sparse') AS sparse,
	bool_and(((bloom_info(a.f | b.f)).representation = 'sparse') =
		(cardinality(ARRAY(SELECT unnest(a."values") UNION SELECT unnest(b."values"))) <= 4)) AS sparse_while_few,
	bool_or((bloom_info(a.f)).representation = 'sparse' AND (bloom_info(b.f)).representation = 'sparse'
		AND (bloom_info(built)).representation = 'dense') AS overflows
FROM so AS a, so AS b, LATERAL bloom_add_all(bloom_create(200), a."values" || b."values") AS built;
SELECT count(*) AS triples, bool_and((a.f | (b.f | c.f)) = ((a.f | b.f) | c.f)) AS associative
FROM so AS a, so AS b, so AS c;

-- intersection: at least the common values; sparse if one of both is
SELECT count(*) AS pairs,
	bool_and(bloom_contains_all(a.f & b.f, common)) AS contains_common,
	bool_and((a.f & b.f) = (b.f & a.f)) AS commutative,
	bool_and((a.f & a.f) = a.f) AS idempotent,
	bool_and((a.f & b.f & b.f) = (a.f & b.f)) AS absorbs,
	bool_and((bloom_info(a.f & b.f)).representation =
		CASE WHEN 'sparse' IN ((bloom_info(a.f)).representation, (bloom_info(b.f)).representation)
			THEN 'sparse' ELSE 'dense' END) AS representation,
	bool_and((a.f & b.f) = bloom_add_all(bloom_create(200), common) OR common = '{}' OR
		'dense' IN ((bloom_info(a.f)).representation, (bloom_info(b.f)).representation)) AS exact_if_sparse,
	bool_and(bloom_is_superset(a.f & b.f, bloom_add_all(bloom_create(200), common))) AS no_less
FROM so AS a, so AS b,
	LATERAL (SELECT ARRAY(SELECT unnest(a."values") INTERSECT SELECT unnest(b."values")) AS common) AS c;
SELECT count(*) AS triples, bool_and((a.f & (b.f & c.f)) = ((a.f & b.f) & c.f)) AS associative
FROM so AS a, so AS b, so AS c;
-- of a list and blocks: those of the list that the blocks contain, false
-- positives among them
SELECT bloom_contains_all(l.f & d.f, ARRAY[1, 2]) AS common, bloom_cardinality(l.f & d.f) AS items,
	(SELECT count(*) FROM unnest(l."values") AS x WHERE d.f @> x) AS contained,
	bloom_contains_any(l.f & d.f, ARRAY[101, 102]) = bloom_contains_any(d.f, ARRAY[101, 102]) AS false_positives
FROM so AS l, so AS d WHERE l.name = 'four' AND d.name = 'five';
SELECT (bloom_info(l.f & d.f)).representation, l.f & d.f = l.f AS whole_list
FROM so AS l, so AS d WHERE l.name = 'other two' AND d.name = 'most';
-- what is dense stays so, however little is left
SELECT (bloom_info(a.f & b.f)).representation, bloom_cardinality(a.f & b.f) < 3 AS hardly_any
FROM so AS a, so AS b WHERE a.name = 'five' AND b.name = 'other five';

-- n of the result is the larger, p the smaller one
SELECT a.n AS n_a, a.p AS p_a, b.n AS n_b, b.p AS p_b, i.expected_items AS n, i.target_false_positive_rate AS p,
	a.f | b.f = bloom_add_all(bloom_create(greatest(a.n, b.n), least(a.p, b.p)), ARRAY[1, 2, 3]) AS "union",
	(a.f & b.f) = bloom_add(bloom_create(greatest(a.n, b.n), least(a.p, b.p)), 2) AS intersection
FROM (SELECT n, p, bloom_add_all(bloom_create(n, p), ARRAY[1, 2]) FROM (VALUES (1980, 0.01), (1985, 0.01), (1980, 0.0101)) AS v (n, p)) AS a (n, p, f),
	(SELECT n, p, bloom_add_all(bloom_create(n, p), ARRAY[2, 3]) FROM (VALUES (1985, 0.01), (1980, 0.0101)) AS v (n, p)) AS b (n, p, f),
	bloom_info(a.f | b.f) AS i
ORDER BY 1, 2, 3, 4;

-- a filter that holds nothing takes the other's element type, and the result
-- holds on to it
SELECT (bloom_info(e | t)).element_type AS "union", (bloom_info(t | e)).element_type AS swapped,
	(bloom_info(e & t)).element_type AS intersection, (bloom_info(t & e)).element_type AS swapped,
	(bloom_info(e | e)).element_type AS none, bloom_add(e & t, 'x'::text) @> 'x'::text AS accepts,
	bloom_is_superset(t, e) AS superset, bloom_is_superset(e, t) AS no_superset, e & t = e AS equal
FROM bloom_create(10) AS e, bloom_add(e, 'a'::text) AS t;
SELECT bloom_add(e & t, 1) FROM bloom_create(10) AS e, bloom_add(e, 'a'::text) AS t;

-- inclusion: of a set in a set always; otherwise only by chance
SELECT count(*) AS pairs, count(*) FILTER (WHERE a."values" @> b."values") AS supersets,
	bool_and(bloom_is_superset(a.f, b.f)) FILTER (WHERE a."values" @> b."values") AS true_of_all,
	bool_and(bloom_is_superset(a.f | b.f, a.f) AND bloom_is_superset(a.f | b.f, b.f)) AS "union",
	bool_and(bloom_is_superset(a.f, a.f & b.f)) AS intersection,
	count(*) FILTER (WHERE bloom_is_superset(a.f, b.f) AND NOT a."values" @> b."values" AND a.name <> 'most') AS by_chance,
	bool_and(bloom_is_superset(a.f, b.f) = ((a.f | b.f)::bytea = a.f::bytea)) FILTER (WHERE (bloom_info(a.f)).representation = 'dense') AS union_is_whole
FROM so AS a, so AS b;
SELECT a.name AS a, b.name AS b
FROM so AS a, so AS b WHERE bloom_is_superset(a.f, b.f) AND a.name <> 'most' ORDER BY cardinality(a."values"), 1, cardinality(b."values"), 2;

-- large filters: many blocks, in steps of a list and of blocks
CREATE TEMP TABLE large AS
	SELECT n, step, bloom_add_all(bloom_create(1e6, 0.05), ARRAY(SELECT generate_series(0, (n - 1) * step, step))) AS f
	FROM (VALUES (5000, 2), (5000, 3), (20000, 2), (20000, 3)) AS v (n, step);
SELECT a.n, a.step, b.n, b.step, (bloom_info(a.f)).representation AS a, (bloom_info(b.f)).representation AS b,
	(bloom_info(a.f | b.f)).representation AS "union", (bloom_info(a.f & b.f)).representation AS intersection,
	a.f | b.f = bloom_add_all(a.f, ARRAY(SELECT generate_series(0, (b.n - 1) * b.step, b.step))) AS built,
	bloom_contains_all(a.f & b.f, ARRAY(SELECT generate_series(0, (a.n - 1) * a.step, a.step)
		INTERSECT SELECT generate_series(0, (b.n - 1) * b.step, b.step))) AS common,
	bloom_is_superset(a.f | b.f, b.f) AS superset, bloom_is_superset(a.f, b.f) AS included
FROM large AS a, large AS b WHERE (a.step, a.n) < (b.step, b.n) ORDER BY 2, 1, 4, 3;

-- equality
SELECT count(*) AS pairs, bool_and((a.f = b.f) = (a.name = b.name)) AS "=", bool_and((a.f <> b.f) = (a.name <> b.name)) AS "<>",
	bool_and(bloomfilter_hash(a.f) = bloomfilter_hash(bloom_add_all(bloom_create(200), a."values"))) AS hash,
	count(DISTINCT bloomfilter_hash(a.f)) AS hashes
FROM so AS a, so AS b;
-- it never raises: other sizes, rates, seeds, types; whatever is not the same
-- is not equal, even where all bits are
SELECT x = y AS "=", x <> y AS "<>", x IS NOT DISTINCT FROM y AS same
FROM (VALUES
	(bloom_create(10), bloom_create(10)),
	(bloom_create(10), bloom_create(1000)),
	(bloom_create(10), bloom_create(11)),
	(bloom_create(10), bloom_create(10, 0.0100001)),
	(bloom_create(10), bloom_create(10, 0.01, 1)),
	(bloom_add(bloom_create(10), 1), bloom_create(10)),
	(bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10), 1::bigint)),
	(bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10), '1'::text)),
	(bloom_add(bloom_create(10), 1), bloom_add(bloom_create(10), 1::numeric)),
	(bloom_add(bloom_create(10), 'a'::text), bloom_add(bloom_create(10), 'a'::char(3)))) AS v (x, y);

-- in what the executor does with "="
INSERT INTO so SELECT 'again ' || name, "values", bloom_add_all(bloom_create(200), "values") FROM so;
SELECT count(*), count(*) FILTER (WHERE f IS NULL) AS nulls FROM (SELECT DISTINCT f FROM so) AS s;
SELECT count(*), min(n), max(n) FROM (SELECT count(*) AS n FROM so GROUP BY f) AS s;
SELECT count(*) FROM (SELECT f FROM so UNION SELECT bloom_create(200) UNION SELECT bloom_create(201)) AS s;
SELECT count(*) FROM (SELECT f FROM so EXCEPT SELECT f FROM so WHERE name LIKE '%two') AS s;
SELECT name FROM so WHERE f IN (bloom_create(200), bloom_add(bloom_create(200), 1)) ORDER BY 1;
SELECT name FROM so WHERE f NOT IN (SELECT f FROM so WHERE name <> 'again four' AND name <> 'four') ORDER BY 1;
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM so AS a JOIN so AS b ON a.f = b.f;
SELECT count(*) FROM so AS a JOIN so AS b ON a.f = b.f;
SELECT count(*) FROM so AS a LEFT JOIN so AS b ON a.f = b.f AND b.name LIKE 'again f%' WHERE b.f IS NULL;
RESET enable_nestloop;
RESET enable_mergejoin;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT f, count(*) FROM so GROUP BY f;
RESET enable_sort;

-- a hash index
CREATE INDEX so_f ON so USING hash (f);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT name FROM so WHERE f = bloom_create(200);
SELECT name FROM so WHERE f = bloom_create(200) ORDER BY 1;
SELECT name FROM so WHERE f = bloom_create(201) ORDER BY 1;
SELECT name FROM so WHERE f = (SELECT f FROM so WHERE name = 'most') ORDER BY 1;
RESET enable_seqscan;

-- hash partitions
CREATE TABLE so_parts (name text, f bloomfilter) PARTITION BY HASH (f);
CREATE TABLE so_parts0 PARTITION OF so_parts FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE so_parts1 PARTITION OF so_parts FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE so_parts2 PARTITION OF so_parts FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO so_parts SELECT name, f FROM so;
SELECT count(*), count(DISTINCT tableoid) AS parts,
	(SELECT count(*) FROM so_parts AS a JOIN so_parts AS b ON a.f = b.f AND a.tableoid <> b.tableoid) AS torn
FROM so_parts;
SELECT count(*) AS found, bool_and((SELECT count(*) FROM so_parts AS p WHERE p.f = so.f) = 2) AS both FROM so;
SELECT name FROM so_parts WHERE f = bloom_create(200) ORDER BY 1;

-- ANALYZE, and a key of a replica
ANALYZE so;
SELECT null_frac, n_distinct FROM pg_stats WHERE tablename = 'so' AND attname = 'f';
ALTER TABLE so REPLICA IDENTITY FULL;
DELETE FROM so WHERE f = bloom_create(200);
SELECT count(*) FROM so;

DROP TABLE so, so_parts;
