--
-- What cannot be timed from outside: statements that are too short, and
-- PL/pgSQL itself.
--

-- Milliseconds per execution of a statement.
CREATE FUNCTION repeat_ms(statement text, repetitions int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz := clock_timestamp();
BEGIN
	FOR i IN 1 .. repetitions LOOP
		EXECUTE statement;
	END LOOP;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / repetitions;
END $$;

-- Milliseconds per lookup of one value in a stored filter, the statement
-- being planned once and executed for each of many values.
CREATE FUNCTION lookup_ms(filter_name text, lookups int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz := clock_timestamp();
	found_it boolean;
BEGIN
	FOR i IN 1 .. lookups LOOP
		SELECT bloom_contains(f, i * 7919::bigint) INTO found_it
		  FROM filters WHERE name = filter_name;
	END LOOP;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / lookups;
END $$;

-- Milliseconds per execution of a statement of PL/pgSQL that uses a variable f,
-- a stored filter, or bytes, the same as bytea: planned anew each time for its value
-- ('force_custom_plan'), or once ('force_generic_plan').
CREATE FUNCTION parameter_ms(statement text, mode text, repetitions int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
BEGIN
	EXECUTE format($function$
		CREATE OR REPLACE FUNCTION pg_temp.once(f bloomfilter, bytes bytea) RETURNS bigint LANGUAGE plpgsql AS
		'DECLARE result bigint; BEGIN %s; RETURN result; END' $function$, statement);
	PERFORM set_config('plan_cache_mode', mode, true);
	PERFORM pg_temp.once(f, bytes) FROM parameter;
	started := clock_timestamp();
	FOR i IN 1 .. repetitions LOOP
		PERFORM pg_temp.once(f, bytes) FROM parameter;
	END LOOP;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / repetitions;
END $$;

-- The same value, by way of a subtransaction.
CREATE FUNCTION caught(value bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN value;
EXCEPTION WHEN division_by_zero THEN
	RETURN 0;
END $$;

-- A filter for that many values that holds as many.
CREATE FUNCTION full_filter(items float8) RETURNS bloomfilter
LANGUAGE sql AS $$
	SELECT bloom_agg(-i, items) FROM (SELECT generate_series(1, items::bigint) AS i) AS series
$$;

-- Milliseconds per turn of the loop; the first one, which makes the variable's
-- own copy of the filter, does not count.
CREATE FUNCTION add_loop_ms(items float8, calls int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter := bloom_add(full_filter(items), 0);
	started timestamptz := clock_timestamp();
BEGIN
	FOR x IN 1 .. calls LOOP
		f := bloom_add(f, x);
	END LOOP;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / calls;
END $$;

-- The same with a hundred values at a time: per call.
CREATE FUNCTION add_all_loop_ms(items float8, calls int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter := bloom_add(full_filter(items), 0);
	hundreds int[] := (SELECT array_agg(hundred ORDER BY n)
						 FROM (SELECT n, array_agg(100 * n + i ORDER BY i) AS hundred
								 FROM generate_series(1, calls) AS n, generate_series(1, 100) AS i
								GROUP BY n) AS arrays);
	hundred int[];
	started timestamptz := clock_timestamp();
BEGIN
	FOREACH hundred SLICE 1 IN ARRAY hundreds LOOP
		f := bloom_add_all(f, hundred);
	END LOOP;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / calls;
END $$;

-- The same with the union with a filter of one value.
CREATE FUNCTION union_loop_ms(items float8, calls int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	f bloomfilter := bloom_add(full_filter(items), 0);
	small bloomfilter[] := ARRAY(SELECT bloom_add(bloom_create(items), x)
								   FROM generate_series(1, 100) AS x);
	started timestamptz := clock_timestamp();
BEGIN
	FOR x IN 1 .. calls LOOP
		f := f | small[x % 100 + 1];
	END LOOP;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / calls;
END $$;

-- Milliseconds per row of an aggregate of one's own, made of bloom_add.
CREATE FUNCTION own_aggregate_ms(items float8, calls int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	started timestamptz;
BEGIN
	EXECUTE format('CREATE OR REPLACE AGGREGATE own_aggregate (int)
		(SFUNC = bloom_add, STYPE = bloomfilter, INITCOND = %L)', bloom_create(items));
	started := clock_timestamp();
	PERFORM own_aggregate(x) FROM generate_series(1, calls) AS x;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / calls;
END $$;

-- What such a loop costs without a filter.
CREATE FUNCTION hash_loop_ms(calls int) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	h bigint;
	started timestamptz := clock_timestamp();
BEGIN
	FOR x IN 1 .. calls LOOP
		h := bloom_hash(x);
	END LOOP;
	RETURN extract(epoch FROM clock_timestamp() - started) * 1e3 / calls;
END $$;

-- Operations on two whole filters, which are in memory when time begins.
-- Conditions like (a | b) IS NULL evaluate them and copy nothing.
CREATE FUNCTION set_operations(items float8)
RETURNS TABLE (operation text, ms float8)
LANGUAGE plpgsql AS $$
DECLARE
	a bloomfilter := (SELECT bloom_union(f, bloom_create(items)) FROM filters WHERE name = 'large_a');
	b bloomfilter := (SELECT bloom_union(f, bloom_create(items)) FROM filters WHERE name = 'large_b');
	same bloomfilter := (SELECT bloom_union(f, bloom_create(items)) FROM filters WHERE name = 'large_a');
	as_text text;
	as_bytes bytea;
	started timestamptz;
	unused boolean;
BEGIN
	started := clock_timestamp();
	unused := (a | b) IS NULL;
	operation := 'union'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;

	started := clock_timestamp();
	unused := (a & b) IS NULL;
	operation := 'intersection'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;

	started := clock_timestamp();
	unused := bloom_cardinality(a) IS NULL;
	operation := 'cardinality'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;

	started := clock_timestamp();
	unused := bloom_intersection_cardinality(a, b) IS NULL;
	operation := 'intersection cardinality'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;

	started := clock_timestamp();
	unused := a = same;
	operation := 'equality of equal filters'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;
	IF NOT unused OR a = b THEN
		RAISE EXCEPTION 'equality is wrong';
	END IF;

	started := clock_timestamp();
	unused := bloom_is_superset(a, same);
	operation := 'is superset'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;

	started := clock_timestamp();
	as_text := a::text;
	operation := 'text out'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;

	started := clock_timestamp();
	unused := as_text::bloomfilter IS NULL;
	operation := 'text in'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;
	as_text := NULL;

	started := clock_timestamp();
	as_bytes := a::bytea;
	operation := 'bytea out'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;

	started := clock_timestamp();
	unused := as_bytes::bloomfilter IS NULL;
	operation := 'bytea in'; ms := extract(epoch FROM clock_timestamp() - started) * 1e3;
	RETURN NEXT;
END $$;

-- The rate at which absent values pass filters of several seeds, each holding
-- as many values as it was made for.
CREATE FUNCTION delivered_rate(items int, rate float8, seeds int, probes int)
RETURNS TABLE (mean float8, standard_error float8)
LANGUAGE plpgsql AS $$
DECLARE
	members bigint[] := ARRAY(SELECT generate_series(1, items::bigint));
	f bloomfilter;
	rates float8[];
BEGIN
	FOR seed IN 1 .. seeds LOOP
		f := bloom_add_all(bloom_create(items, rate, seed), members);
		rates[seed] := (SELECT count(*) FILTER (WHERE bloom_contains(f, absent))::float8 / probes
						  FROM (SELECT generate_series(-probes::bigint, -1) AS absent) AS series);
	END LOOP;
	RETURN QUERY SELECT avg(r), stddev(r) / sqrt(seeds) FROM unnest(rates) AS r;
END $$;

-- The most memory that this process has had, in kilobytes.
CREATE FUNCTION peak_memory() RETURNS bigint
LANGUAGE sql AS $$
	SELECT (regexp_match(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+)'))[1]::bigint
$$;
