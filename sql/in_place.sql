-- Filters in variables: adding does not copy the filter each time, and no
-- copy, shared or not, ever sees what was added to another one.
CREATE FUNCTION lost(f bloomfilter, low int, high int) RETURNS bigint LANGUAGE sql AS
'SELECT count(*) FROM generate_series(low, high) x WHERE NOT f @> x';
CREATE FUNCTION found(f bloomfilter, low int, high int) RETURNS bigint LANGUAGE sql AS
'SELECT count(*) FROM generate_series(low, high) x WHERE f @> x';
CREATE FUNCTION filter_contexts() RETURNS bigint LANGUAGE sql AS
'SELECT count(*) FROM pg_backend_memory_contexts WHERE name IN (''bloomfilter'', ''bloomfilter body'', ''bloomfilter states'')';
-- Bytes of what lies between them.
CREATE FUNCTION object_bytes() RETURNS numeric LANGUAGE sql AS
'SELECT sum(used_bytes) FROM pg_backend_memory_contexts WHERE name = ''bloomfilter objects''';
LOAD 'bloomfilter';
SELECT object_bytes() AS bytes_before \gset

-- One owner, through sparse and dense, with what leaves it unchanged between.
DO $$
DECLARE
	f bloomfilter := bloom_create(20000, 0.0001);
BEGIN
	FOR i IN 1 .. 3000 LOOP
		f := bloom_add(f, i);
		f := bloom_add(f, NULL::int);
		f := f | NULL;
		f := bloom_add_all(f, ARRAY[-i, NULL]);
	END LOOP;
	RAISE NOTICE 'lost %, other %, few contexts %', lost(f, 1, 3000) + lost(f, -3000, -1),
		found(f, 3001, 9000), filter_contexts() <= 4;
END $$;

-- A function that adds to its argument, while the caller's variable lives on.
CREATE FUNCTION add_many(f bloomfilter, low int, high int) RETURNS bloomfilter LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN low .. high LOOP
		f := bloom_add(f, i);
	END LOOP;
	RETURN f;
END $$;
DO $$
DECLARE
	f bloomfilter := bloom_add_all(bloom_create(20000, 0.0001), ARRAY(SELECT generate_series(1, 2000)));
	g bloomfilter;
	h bloomfilter;
BEGIN
	f := bloom_add(f, 0);
	g := add_many(f, 10001, 13000);
	h := add_many(g, 20001, 20010);
	f := add_many(f, 30001, 30040);
	RAISE NOTICE 'f: lost %, other %', lost(f, 0, 2000) + lost(f, 30001, 30040), found(f, 10001, 20010);
	RAISE NOTICE 'g: lost %, other %', lost(g, 0, 2000) + lost(g, 10001, 13000), found(g, 20001, 30040);
	RAISE NOTICE 'h: lost %, other %', lost(h, 0, 2000) + lost(h, 10001, 13000) + lost(h, 20001, 20010),
		found(h, 30001, 30040);
END $$;

-- What was added to a filter that shares its blocks, or its list, with another
-- one is in all that is made of it, and not in the other one.
DO $$
DECLARE
	capacity int;
	f bloomfilter;
	g bloomfilter;
	other bloomfilter;
BEGIN
	FOREACH capacity IN ARRAY ARRAY[20000, 1000000] LOOP
		f := bloom_add_all(bloom_create(capacity, 0.0001), ARRAY(SELECT generate_series(1, 2000)));
		-- what a subquery is part of is written down, and shares nothing
		f := bloom_add(f, 0);
		other := bloom_add_all(bloom_create(capacity, 0.0001), ARRAY(SELECT generate_series(1000, 9000)));
		g := bloom_add_all(f, ARRAY[5000, 5001, -1]);
		RAISE NOTICE '%: union %, intersection %, swapped % %, superset %, shrunk %, new %, text %, bytes %, f: other %',
			(bloom_info(f)).representation,
			-- others than the first two apply what is pending to g
			lost(g | other, -1, 9000), lost(g & other, 1000, 2000) + lost(g & other, 5000, 5001), lost(other | g, -1, 9000),
			lost(other & g, 1000, 2000) + lost(other & g, 5000, 5001), bloom_is_superset(g, f) AND NOT bloom_is_superset(f, g),
			lost(bloom_shrink(g, 1), 0, 2000) + lost(bloom_shrink(g, 1), 5000, 5001),
			(bloom_add_new(g, ARRAY[5000, 5001, 5002])).new_values, lost(g::text::bloomfilter, 5000, 5001),
			(bloom_info(g)).bytes = octet_length(g::bytea) - 4, found(f, 5000, 5001);
	END LOOP;
END $$;

-- The largest hashes of a list may lie behind the last place of its table; a
-- copy has them, too.
DO $$
DECLARE
	largest int[] := ARRAY(SELECT x FROM generate_series(1, 150) AS x WHERE bloom_hash(x)::bit(64)::bit(4) = B'1111');
	f bloomfilter := bloom_add_all(bloom_create(1000), largest);
	g bloomfilter := bloom_add(f, 0);
BEGIN
	RAISE NOTICE '% of the largest, all in both: %', cardinality(largest),
		bloom_contains_all(g, largest) AND bloom_contains_all(f, largest);
END $$;

-- What a function took over, and let go of, is freed before its caller ends.
DO $$
DECLARE
	f bloomfilter := bloom_create(20000, 0.0001);
	before numeric;
BEGIN
	f := add_many(f, 1, 1);
	before := object_bytes();
	FOR i IN 2 .. 1000 LOOP
		f := add_many(f, i, i + 1);
	END LOOP;
	RAISE NOTICE 'lost %, few bytes %', lost(f, 1, 1001), object_bytes() - before < 100000;
END $$;

-- Copies in arrays and records, and exceptions that undo nothing by halves.
DO $$
DECLARE
	f bloomfilter := bloom_add(bloom_create(20000, 0.0001), 0);
	copies bloomfilter[] := '{}';
	wrong int := 0;
BEGIN
	FOR i IN 1 .. 20 LOOP
		BEGIN
			f := bloom_add_all(f, ARRAY(SELECT generate_series(i * 100, i * 100 + 99)));
			copies := copies || f;
			IF i % 3 = 0 THEN
				f := bloom_add(f, 'text');
			END IF;
		EXCEPTION WHEN datatype_mismatch THEN
			NULL;
		END;
	END LOOP;
	FOR i IN 1 .. 20 LOOP
		wrong := wrong + lost(copies[i], 100, i * 100 + 99) + found(copies[i], i * 100 + 100, 4000);
	END LOOP;
	RAISE NOTICE '% copies, % wrong, f: lost %', cardinality(copies), wrong, lost(f, 100, 2099);
END $$;

-- An unsized filter beyond its limit says so where it grows, and can be read.
CREATE AGGREGATE unsized_agg("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter);
DO $$
DECLARE
	f bloomfilter := (SELECT unsized_agg(x) FROM generate_series(1, 95) x);
BEGIN
	SET bloomfilter.max_exact_hashes = 100;
	FOR i IN 96 .. 300 LOOP
		f := bloom_add(f, i);
	END LOOP;
	RAISE NOTICE 'not reached';
EXCEPTION WHEN program_limit_exceeded THEN
	RAISE NOTICE '%', SQLERRM;
END $$;
RESET bloomfilter.max_exact_hashes;

-- In every row of a query there are that row's filters only.
SELECT count(*), count(*) FILTER (WHERE f @> x AND f @> -x) AS found, max(contexts) <= 10 AS few_contexts
FROM (SELECT x, f, CASE WHEN x % 100 = 0 THEN filter_contexts() END AS contexts
	FROM (SELECT x, bloom_add(bloom_add(f, x) | bloom_add(f, 0), -x) AS f, generate_series(1, 2)
		FROM bloom_create(1000) AS f, generate_series(1, 2000) AS x) AS s) AS t;

-- Nothing is left behind.
SELECT filter_contexts(), object_bytes() - :bytes_before < 500 AS no_objects;

-- The states of all groups share a context, so that many groups are no
-- burden: hash aggregation looks at every context whenever it adds a group.
CREATE TABLE many AS SELECT g % 3000 AS k, g AS v FROM generate_series(1, 9000) g;
ANALYZE many;
SET enable_sort = off;
SET work_mem = '64MB';
EXPLAIN (COSTS OFF) SELECT k, bloom_agg(v) FROM many GROUP BY k;
SELECT filter_contexts() < 10 AS few FROM (SELECT k, bloom_agg(v, 100) FROM many GROUP BY k) s LIMIT 1;
SELECT count(*), sum(bloom_cardinality(f)) FROM (SELECT k, bloom_agg(v) AS f FROM many GROUP BY k) s;
SELECT count(*), sum(bloom_cardinality(f)) BETWEEN 26900 AND 27100
  FROM (SELECT k, v % 3 AS m, bloom_agg(v) AS f FROM many GROUP BY GROUPING SETS ((k), (v % 3), (k, v % 3))) s;
SELECT count(*) FROM (SELECT k, bloom_union_agg(f) AS f, array_agg(v) AS vs
		FROM (SELECT k, v, bloom_add(bloom_create(100), v) AS f FROM many) s GROUP BY k) t
 WHERE bloom_contains_all(f, vs);
RESET enable_sort;
RESET work_mem;

DROP TABLE many;
DROP AGGREGATE unsized_agg("any");
DROP FUNCTION lost(bloomfilter, int, int), found(bloomfilter, int, int), filter_contexts(), object_bytes(),
	add_many(bloomfilter, int, int);
