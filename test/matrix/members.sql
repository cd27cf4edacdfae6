-- What belongs to the extension.

\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on

SELECT pg_describe_object(classid, objid, objsubid) FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'bloomfilter')
ORDER BY pg_describe_object(classid, objid, objsubid) COLLATE "C";
