-- Random PL/pgSQL programs: three variables with filters are added to, united,
-- intersected, assigned to each other, sent through arrays and records, and
-- changed where an error follows, while three arrays hold what must be in them.

CREATE FUNCTION run_program(seed float8, capacity float8, steps int, largest int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
	a bloomfilter := bloom_create(capacity);
	b bloomfilter := a;
	c bloomfilter := a;
	in_a int[] := '{}';
	in_b int[] := '{}';
	in_c int[] := '{}';
	f bloomfilter;
	in_f int[];
	fs bloomfilter[];
	r record;
	v int;
	vs int[];
	lost int := 0;
BEGIN
	PERFORM setseed(seed);
	FOR step IN 1..steps LOOP
		v := floor(random() * largest);
		CASE floor(random() * 15)::int
		WHEN 0, 1 THEN
			a := bloom_add(a, v); in_a := in_a || v;
		WHEN 2 THEN
			b := bloom_add(b, v); in_b := in_b || v;
		WHEN 3 THEN
			vs := ARRAY(SELECT floor(random() * largest)::int FROM generate_series(1, (random() * 40)::int));
			a := bloom_add_all(a, vs); in_a := in_a || vs;
		WHEN 4 THEN
			b := a; in_b := in_a;
		WHEN 5 THEN
			f := a; a := b; b := f;
			in_f := in_a; in_a := in_b; in_b := in_f;
		WHEN 6 THEN
			c := bloom_union(a, b); in_c := in_a || in_b;
		WHEN 7 THEN
			c := bloom_intersection(a, b);
			in_c := ARRAY(SELECT unnest(in_a) INTERSECT SELECT unnest(in_b));
		WHEN 8 THEN
			a := bloom_union(a, a);
		WHEN 9 THEN
			a := bloom_add(a, NULL::int); b := bloom_union(NULL, b); c := bloom_union(c, NULL);
		WHEN 10 THEN
			-- the first change stays, the second fails
			BEGIN
				a := bloom_add(a, v); in_a := in_a || v;
				a := bloom_add(a, 'text'::text);
				RAISE 'text was added to integers';
			EXCEPTION WHEN datatype_mismatch THEN
				NULL;
			END;
		WHEN 11 THEN
			-- a variable keeps its value when the block is rolled back
			BEGIN
				a := bloom_add(bloom_add(b, v), v + 1); in_a := in_b || v || (v + 1);
				PERFORM 1 / 0;
			EXCEPTION WHEN division_by_zero THEN
				NULL;
			END;
		WHEN 12 THEN
			fs := ARRAY[a, b, c]; a := fs[1]; b := fs[2]; c := fs[3];
		WHEN 13 THEN
			SELECT bloom_add(a, v) AS a, bloom_add(b, v) AS b INTO r;
			a := r.a; b := r.b; in_a := in_a || v; in_b := in_b || v;
		WHEN 14 THEN
			a := CASE WHEN v % 2 = 0 THEN bloom_add(bloom_add(a, v), v + 2) ELSE bloom_add(b, v) END;
			in_a := CASE WHEN v % 2 = 0 THEN in_a || v || (v + 2) ELSE in_b || v END;
		END CASE;

		lost := lost + (NOT bloom_contains_all(a, in_a))::int + (NOT bloom_contains_all(b, in_b))::int
			+ (NOT bloom_contains_all(c, in_c))::int
			+ (NOT bloom_is_superset(a, bloom_add_all(bloom_create(capacity), in_a)))::int
			+ (a <> a::text::bloomfilter)::int + (b <> b::bytea::bloomfilter)::int;
	END LOOP;
	RETURN lost;
END $$;

-- whichever element of an array it is: the only one that is a member, the only
-- one that is not
SELECT representation, kind, bool_and(bloom_contains_any(f, one)) AS "any", bool_or(bloom_contains_any(f, none)) AS none,
	bool_and(bloom_contains_all(f, "all")) AS "all", bool_or(bloom_contains_all(f, but_one)) AS but_one
FROM generate_series(1, 40) AS i,
	LATERAL (SELECT array_agg(CASE WHEN j = i THEN j ELSE -j END ORDER BY j) AS one, array_agg(-j ORDER BY j) AS none,
			array_agg(j ORDER BY j) AS "all", array_agg(CASE WHEN j = i THEN -j ELSE j END ORDER BY j) AS but_one
		FROM generate_series(1, 40) AS j) AS arrays,
	(SELECT (bloom_info(f)).representation, kind, f
		FROM unnest(ARRAY[20, 10000]) AS n, LATERAL (SELECT bloom_add_all(bloom_create(n, 0.000001), ARRAY(SELECT generate_series(1, 40))) AS g) AS g,
			LATERAL (VALUES ('in memory', g), ('as stored', g::bytea::bloomfilter)) AS v (kind, f)) AS filters
GROUP BY representation, kind ORDER BY representation, kind;

-- of one block, of a list that becomes dense, of a list
SELECT capacity, largest, count(*) AS programs, sum(run_program(seed / 10.0, capacity, 200, largest)) AS lost
FROM generate_series(1, 5) AS seed, unnest(ARRAY[1, 100, 10000]) AS capacity, unnest(ARRAY[20, 1000000]) AS largest
GROUP BY capacity, largest ORDER BY capacity, largest;
