-- What of filters.sql pg_upgrade, which copies files, must not change, but a
-- dump and its restoration may: how values are stored, and OIDs.

\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on

SELECT 'storage', name, pg_column_size(plain), pg_column_size(external), pg_column_size(main), pg_column_size(main_lz4),
	pg_column_size(extended), pg_column_compression(external), pg_column_compression(main),
	pg_column_compression(main_lz4), pg_column_compression(extended)
FROM storage ORDER BY name COLLATE "C";
SELECT 'storage', pg_column_size(f), pg_column_compression(f), toasted('compressed_far') FROM compressed_far;
SELECT 'storage', toasted('storage'), toasted('nested'), toasted('built');
SELECT 'place', ctid, id, pg_column_size(f) FROM built ORDER BY id;
SELECT 'enum', oid, enumlabel FROM pg_enum ORDER BY oid;
SELECT 'type', oid, typname FROM pg_type WHERE typname IN ('bloomfilter', '_bloomfilter', 'pair', 'filled') ORDER BY typname;
SELECT 'filter index', index, oid, (bloom_index_info(index)).groups, (bloom_index_info(index)).pages FROM filter_indexes JOIN pg_class ON oid = index ORDER BY index::text COLLATE "C";
