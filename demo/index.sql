--
-- Fourth act: filters as an index.
--
\echo
\echo :b'4. Filters as an index':p
\echo '======================'
\echo
\echo 'One sale of five million, by its receipt. A filter index keeps a Bloom filter for'
\echo 'each 126 pages of the table, side by side, so that one page of it answers for some'
\echo '16,000 pages. BRIN has an operator class of Bloom filters, too, and reads all of them.'
\echo 'By default they are made for a tenth of the rows; here for all, of so many pages as'
\echo 'fit into one of the index:'
\echo
SELECT $$SELECT * FROM sale WHERE receipt = 'R-102718281'$$ AS lookup \gset
\set ECHO queries
:lookup;
\set ECHO none
CREATE TABLE looked_up (index text, build_ms float8, bytes bigint, pages bigint, ms float8);
-- Makes the index, and looks up three times: the last time the pages are in memory.
CREATE PROCEDURE look_up(of text, index text, query text) LANGUAGE plpgsql AS $$
DECLARE
    began timestamptz := clock_timestamp();
    build_ms float8;
    plan jsonb;
BEGIN
    EXECUTE format('CREATE INDEX looked_up_by ON %I %s', of, index);
    build_ms := extract(epoch FROM clock_timestamp() - began) * 1000;
    FOR run IN 1..3 LOOP
        EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ' || query INTO plan;
    END LOOP;
    INSERT INTO looked_up
    VALUES (index, build_ms, pg_relation_size('looked_up_by'),
            (plan->0->'Plan'->>'Shared Hit Blocks')::bigint + (plan->0->'Plan'->>'Shared Read Blocks')::bigint,
            (plan->0->>'Execution Time')::float8);
    DROP INDEX looked_up_by;
END $$;
CALL look_up('sale', 'USING bloomfilter (receipt)', :'lookup');
CALL look_up('sale', 'USING brin (receipt text_bloom_ops (n_distinct_per_range = -1)) WITH (pages_per_range = 16)', :'lookup');
CALL look_up('sale', 'USING btree (receipt)', :'lookup');
SELECT index AS "CREATE INDEX ON sale", round(build_ms) AS "ms to build", pg_size_pretty(bytes) AS size,
       pretty(pages) AS "pages of a lookup", round(ms::numeric, 2) AS ms
  FROM looked_up;

\echo 'A B-tree reads the fewest pages, and is worth its size where lookups are many.'
\echo

\echo 'An index of keys holds the words of a value. 100,000 lines of a log, and of these the'
\echo 'requests of a user that failed, where GIN finds rows, and is larger than the table:'
\echo
CREATE TABLE line AS
  SELECT format('%s shop-%s GET /orders/%s user-%s trace=%s took %s ms', CASE i % 50 WHEN 0 THEN 'ERROR' ELSE 'INFO' END,
                i % 20, i * 7919 % 1000003, i * 613 % 20011, md5(i::text), i % 977) AS message
    FROM generate_series(1, 100000::bigint) AS i;
ANALYZE line;
SELECT $$SELECT * FROM line WHERE string_to_array(message, ' ') @> '{ERROR,user-10639}'$$ AS lookup \gset
\set ECHO queries
:lookup;
\set ECHO none
CALL look_up('line', $$USING bloomfilter (string_to_array(message, ' ') array_key_ops)$$, :'lookup');
CALL look_up('line', $$USING gin (string_to_array(message, ' '))$$, :'lookup');
SELECT index AS "CREATE INDEX ON line", round(build_ms) AS "ms to build", pg_size_pretty(bytes) AS size,
       pretty(pages) AS "pages of a lookup", round(ms::numeric, 2) AS ms
  FROM looked_up
 WHERE index ~ 'string_to_array';
SELECT pg_size_pretty(pg_relation_size('line')) AS "the table";

-- For the summary.
SELECT pretty(pages) AS filter_pages, pg_size_pretty(bytes) AS filters_size FROM looked_up WHERE index ~ 'bloomfilter .receipt' \gset
SELECT pretty(pages) AS brin_pages FROM looked_up WHERE index ~ 'brin' \gset
SELECT pg_size_pretty(bytes) AS btree_size FROM looked_up WHERE index ~ 'btree' \gset
SELECT pg_size_pretty(bytes) AS keys_size FROM looked_up WHERE index ~ 'array_key_ops' \gset
SELECT pg_size_pretty(bytes) AS gin_size FROM looked_up WHERE index ~ 'gin' \gset
