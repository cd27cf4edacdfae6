-- Random programs over counting filters, against multisets: no member is ever
-- missing, counts are never too low, and as long as no counter is stuck, the
-- cast is the filter that bloom_add_all builds of what is left.

-- The bits of a filter: equal, whether a list or blocks.
CREATE FUNCTION same_bits(a bloomfilter, b bloomfilter) RETURNS boolean LANGUAGE sql AS
'SELECT bloom_is_superset(a, b) AND bloom_is_superset(b, a)';
-- How often is each value in the multiset?
CREATE FUNCTION counts(vs int[]) RETURNS TABLE (v int, n bigint) LANGUAGE sql AS
'SELECT v, count(*) FROM unnest(vs) AS v GROUP BY v';
-- Take the values out of the multiset, each as often as it is there.
CREATE FUNCTION minus(vs int[], others int[]) RETURNS int[] LANGUAGE sql AS $$
	SELECT coalesce(array_agg(v ORDER BY v), '{}')
	FROM (SELECT v FROM unnest(vs) AS v EXCEPT ALL SELECT v FROM unnest(others) AS v) AS s
$$;
-- What is wrong with a filter that should hold these values?
CREATE FUNCTION wrong(f counting_bloomfilter, vs int[], capacity float8, rate float8) RETURNS int LANGUAGE sql AS $$
	SELECT (NOT bloom_contains_all(f, vs))::int
		+ (SELECT count(*) FILTER (WHERE bloom_count(f, v) < least(n, 15)) FROM counts(vs))::int
		+ (SELECT count(*) FILTER (WHERE NOT f::bloomfilter @> v) FROM counts(vs))::int
		+ CASE WHEN (bloom_info(f)).stuck_counters > 0 THEN (NOT bloom_is_superset(f::bloomfilter, bloom_add_all(bloom_create(capacity, rate), vs)))::int
			ELSE (NOT same_bits(f::bloomfilter, bloom_add_all(bloom_create(capacity, rate), vs)))::int END
		+ CASE (bloom_info(f)).representation WHEN 'sparse' THEN (f::bloomfilter <> bloom_add_all(bloom_create(capacity, rate), vs) AND vs <> '{}')::int
			+ (bloom_cardinality(f) <> (SELECT count(*) FROM counts(vs)))::int ELSE 0 END
		+ (f <> f::text::counting_bloomfilter)::int + (f <> f::bytea::counting_bloomfilter)::int
$$;

CREATE FUNCTION run_program(seed float8, capacity float8, rate float8, steps int, largest int, OUT wrong int, OUT refused int) LANGUAGE plpgsql AS $$
DECLARE
	a counting_bloomfilter := counting_bloom_create(capacity, rate);
	b counting_bloomfilter := a;
	f counting_bloomfilter;
	in_a int[] := '{}';
	in_b int[] := '{}';
	in_f int[];
	fs counting_bloomfilter[];
	r record;
	v int;
	vs int[];
BEGIN
	wrong := 0;
	refused := 0;
	PERFORM setseed(seed);
	FOR step IN 1..steps LOOP
		v := floor(random() * largest);
		CASE floor(random() * 16)::int
		WHEN 0, 1 THEN
			a := bloom_add(a, v); in_a := in_a || v;
		WHEN 2 THEN
			b := bloom_add(b, v); in_b := in_b || v;
		WHEN 3 THEN
			vs := ARRAY(SELECT floor(random() * largest)::int FROM generate_series(1, (random() * 40)::int));
			a := bloom_add_all(a, vs); in_a := in_a || vs;
		WHEN 4, 5 THEN
			-- one that is there
			v := in_a[1 + floor(random() * cardinality(in_a))];
			a := bloom_remove(a, v);
			in_a := minus(in_a, ARRAY[v]);
		WHEN 6 THEN
			vs := ARRAY(SELECT u FROM unnest(in_a) AS u WHERE random() < 0.3) || NULL::int;
			a := bloom_remove_all(a, vs); in_a := minus(in_a, vs);
		WHEN 7 THEN
			-- some and one that is not there, unless by mistake: then nothing is removed
			BEGIN
				vs := in_a[1:3];
				f := bloom_remove_all(a, vs || -v - 1);
			EXCEPTION WHEN invalid_parameter_value THEN
				refused := refused + 1;
			END;
		WHEN 8 THEN
			f := a; a := b; b := f;
			in_f := in_a; in_a := in_b; in_b := in_f;
		WHEN 9 THEN
			a := a + b; in_a := in_a || in_b;
		WHEN 10 THEN
			-- out it goes again
			f := a + b; f := f - a;
			IF (bloom_info(a + b)).stuck_counters = 0 THEN
				wrong := wrong + (NOT same_bits(f::bloomfilter, b::bloomfilter))::int;
			END IF;
			b := f;
		WHEN 11 THEN
			-- a part of it goes
			vs := ARRAY(SELECT u FROM unnest(in_b) AS u WHERE random() < 0.3);
			b := b - bloom_add_all(bloom_create_like(b), vs); in_b := minus(in_b, vs);
		WHEN 12 THEN
			-- adding and removing in one expression, of one filter in two ways
			b := bloom_remove(bloom_add(bloom_add(a, v), v + 1), v); in_b := in_a || (v + 1);
		WHEN 13 THEN
			fs := ARRAY[a, b]; a := fs[1]; b := fs[2];
		WHEN 14 THEN
			SELECT bloom_add(a, v) AS a, bloom_add(bloom_add(a, v), v) AS b INTO r;
			a := r.a; b := r.b; in_b := in_a || v || v; in_a := in_a || v;
		WHEN 15 THEN
			-- a variable keeps its value when the block is rolled back
			BEGIN
				a := bloom_add_all(a, ARRAY[v, v]); in_a := in_a || v || v;
				a := bloom_remove(a, 'text'::text);
			EXCEPTION WHEN datatype_mismatch THEN
				NULL;
			END;
		END CASE;
		-- in a small filter everything would be stuck soon
		IF cardinality(in_a) > 300 THEN
			a := bloom_create_like(a); in_a := '{}';
		END IF;
		IF cardinality(in_b) > 300 THEN
			b := bloom_create_like(b); in_b := '{}';
		END IF;
		wrong := wrong + wrong(a, in_a, capacity, rate) + wrong(b, in_b, capacity, rate);
	END LOOP;
END $$;

-- of one block, of a list that becomes counters, of a list; few values many
-- times and many values once; of one round and two
SELECT capacity, rate, largest, count(*) AS programs, sum(p.wrong) AS wrong, sum(p.refused) > 0 AS refused
FROM generate_series(1, 3) AS seed, unnest(ARRAY[1, 200, 10000]) AS capacity, unnest(ARRAY[0.01, 0.000001]) AS rate, unnest(ARRAY[20, 1000000]) AS largest,
	run_program(seed / 10.0, capacity, rate, 120, largest) AS p
GROUP BY capacity, rate, largest ORDER BY capacity, rate, largest;

-- A table and its filter, kept in step statement by statement.
CREATE TABLE kept (id int, f counting_bloomfilter);
CREATE TABLE rows (v int);
INSERT INTO kept VALUES (1, counting_bloom_create(500));
CREATE FUNCTION run_changes(seed float8, steps int, OUT wrong int, OUT rows bigint) LANGUAGE plpgsql AS $$
BEGIN
	wrong := 0;
	PERFORM setseed(seed);
	FOR step IN 1..steps LOOP
		WITH new AS (INSERT INTO rows SELECT floor(random() * 400) FROM generate_series(1, 30) RETURNING v)
		UPDATE kept SET f = bloom_add_all(f, ARRAY(SELECT v FROM new));
		WITH old AS (DELETE FROM rows WHERE random() < 0.2 RETURNING v)
		UPDATE kept SET f = bloom_remove_all(f, ARRAY(SELECT v FROM old));
		wrong := wrong + (SELECT count(*) FILTER (WHERE NOT f @> v OR bloom_count(f, v) < 1) FROM rows, kept)::int
			+ (SELECT (NOT same_bits(f::bloomfilter, (SELECT bloom_agg(v, 500) FROM rows)))::int FROM kept);
	END LOOP;
	rows := (SELECT count(*) FROM rows);
END $$;
SELECT wrong, rows > 50 AS rows FROM run_changes(0.5, 60);
SELECT (bloom_info(f)).representation, (bloom_info(f)).stuck_counters FROM kept;
SELECT f - (SELECT counting_bloom_agg(v, 500) FROM rows) = bloom_remove_all(f, ARRAY(SELECT v FROM rows)) AS difference,
	bloom_cardinality(f - (SELECT counting_bloom_agg(v, 500) FROM rows)) AS left FROM kept;

DROP TABLE kept, rows;
DROP FUNCTION run_changes(float8, int), run_program(float8, float8, float8, int, int), wrong(counting_bloomfilter, int[], float8, float8),
	minus(int[], int[]), counts(int[]), same_bits(bloomfilter, bloomfilter);
