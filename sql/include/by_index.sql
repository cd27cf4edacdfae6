-- The number of rows that a condition finds by an index, or what is wrong.
CREATE FUNCTION by_index(relation text, condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT count(*) || '' rows '' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM %s t WHERE %s', relation, condition);
	line text;
	used boolean := false;
	found text;
	there text;
BEGIN
	PERFORM set_config('enable_bitmapscan', 'on', true);
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		used := used OR line LIKE '%Bitmap Index Scan%';
	END LOOP;
	EXECUTE query INTO found;
	PERFORM set_config('enable_bitmapscan', 'off', true);
	EXECUTE query INTO there;
	PERFORM set_config('enable_bitmapscan', 'on', true);
	RETURN CASE WHEN NOT used THEN 'the index is not used' WHEN found <> there THEN 'other rows: ' || found || ' instead of ' || there
		ELSE split_part(there, ' ', 1) END;
END $$;

-- Part of the table's pages that a scan reads
CREATE FUNCTION pages_read(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ' || query LOOP
		IF line LIKE '%Heap Blocks%' THEN
			RETURN substring(line FROM 'lossy=(\d+)');
		END IF;
	END LOOP;
	RETURN 0;
END $$;
