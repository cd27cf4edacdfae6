-- Many tests make plans that are costly on paper alone: to compile them would take
-- longer than the tests.  What is about that turns it on.
ALTER DATABASE :"DBNAME" SET jit = off;
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
-- What nobody calls by hand stays out of \df bloom_*.
SELECT oid::regprocedure
  FROM pg_proc p
 WHERE EXISTS (SELECT FROM pg_depend
		WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
		  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'bloomfilter'))
   AND (prorettype IN ('internal'::regtype, 'cstring'::regtype)
		OR proargtypes::oid[] && ARRAY['internal', 'cstring']::regtype[]::oid[]
		OR EXISTS (SELECT FROM pg_aggregate WHERE p.oid IN (aggtransfn, aggfinalfn, aggcombinefn))
		OR EXISTS (SELECT FROM pg_amproc WHERE amproc = p.oid)
		OR EXISTS (SELECT FROM pg_cast WHERE castfunc = p.oid))
   AND proname LIKE 'bloom\_%';
