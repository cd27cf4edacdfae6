-- What tests of what is not read share.
LOAD 'bloomfilter';
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SET bloomfilter.join_filters = on;
SET bloomfilter.join_filter_min_rows = 0;

-- A number of EXPLAIN, summed over the nodes of a plan.
CREATE FUNCTION total(node jsonb, label text) RETURNS numeric LANGUAGE sql AS $$
	SELECT coalesce((node->>label)::numeric, 0) +
		coalesce((SELECT sum(total(child, label)) FROM jsonb_array_elements(node->'Plans') AS child), 0)
$$;
-- The number of rows of a query, if they are those without filters.
CREATE FUNCTION result_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	setting text := current_setting('bloomfilter.join_filters');
	digest text := format('SELECT count(*) || '' rows '' || coalesce(sum(hashtext(q::text)), 0) FROM (%s) AS q', query);
	with_filters text;
	without text;
BEGIN
	EXECUTE digest INTO with_filters;
	SET LOCAL bloomfilter.join_filters = off;
	EXECUTE digest INTO without;
	PERFORM set_config('bloomfilter.join_filters', setting, true);
	RETURN CASE WHEN with_filters = without THEN split_part(without, ' ', 1) || ' rows'
				ELSE 'WRONG: ' || with_filters || ' instead of ' || without END;
END
$$;
-- The plan, with what was skipped; how many rows are tested depends on the machine.
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
		IF line !~ '(Rows Removed|Rows Tested|Memory Usage|Switched Off)' THEN
			RETURN NEXT regexp_replace(line, ' \(actual.*', '');
		END IF;
	END LOOP;
END
$$;
