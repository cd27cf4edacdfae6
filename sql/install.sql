-- The extension installs, and every object of it is documented.
SELECT extname, extversion FROM pg_extension WHERE extname = 'bloomfilter';
SELECT pg_describe_object(classid, objid, objsubid)
  FROM pg_depend d
 WHERE refclassid = 'pg_extension'::regclass
   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'bloomfilter')
   AND deptype = 'e'
   AND classid <> 'pg_type'::regclass
   AND obj_description(objid, classid::regclass::name) IS NULL
 ORDER BY 1;
