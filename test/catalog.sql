-- What an extension consists of: one row for each object, with all that the
-- catalogs say of it, comment and privileges included, but for object
-- identifiers, which differ from one installation to the next.
SELECT identity, definition || jsonb_build_object('comment', comment)
FROM (
	SELECT
		class.relname || ' ' || object.identity AS identity,
		obj_description(depend.objid, class.relname) AS comment,
		CASE class.relname
		WHEN 'pg_proc' THEN (
			SELECT to_jsonb(p) - '{oid,pronamespace,proowner,prolang,prorettype,proargtypes,proallargtypes,proargdefaults}'::text[]
				|| jsonb_build_object(
					'language', (SELECT lanname FROM pg_language l WHERE l.oid = prolang),
					'arguments', pg_get_function_arguments(p.oid),
					'result', pg_get_function_result(p.oid))
				|| coalesce((
					SELECT to_jsonb(a) - '{aggfnoid,aggtranstype,aggmtranstype,aggsortop}'::text[]
						|| jsonb_build_object('state', aggtranstype::regtype, 'moving', aggmtranstype::regtype)
					FROM pg_aggregate a WHERE aggfnoid = p.oid), '{}')
			FROM pg_proc p WHERE p.oid = depend.objid)
		WHEN 'pg_operator' THEN (
			SELECT to_jsonb(o) - '{oid,oprnamespace,oprowner,oprleft,oprright,oprresult,oprcom,oprnegate}'::text[]
				|| jsonb_build_object(
					'left', oprleft::regtype, 'right', oprright::regtype, 'result', oprresult::regtype,
					'commutator', oprcom::regoperator, 'negator', oprnegate::regoperator)
			FROM pg_operator o WHERE o.oid = depend.objid)
		WHEN 'pg_type' THEN (
			SELECT to_jsonb(t) - '{oid,typnamespace,typowner,typrelid,typelem,typarray,typbasetype,typcollation}'::text[]
				|| jsonb_build_object('element', typelem::regtype, 'array', typarray::regtype)
			FROM pg_type t WHERE t.oid = depend.objid)
		WHEN 'pg_cast' THEN (
			SELECT jsonb_build_object(
				'context', castcontext, 'method', castmethod, 'function', castfunc::regprocedure)
			FROM pg_cast c WHERE c.oid = depend.objid)
		WHEN 'pg_opclass' THEN (
			SELECT jsonb_build_object(
				'default', opcdefault, 'type', opcintype::regtype, 'stored', opckeytype::regtype,
				'family', (SELECT opfname FROM pg_opfamily f WHERE f.oid = opcfamily),
				'operators', (SELECT jsonb_agg(jsonb_build_array(amopstrategy, amoppurpose, amopopr::regoperator)
						ORDER BY amopstrategy)
					FROM pg_amop WHERE amopfamily = opcfamily),
				'functions', (SELECT jsonb_agg(jsonb_build_array(amprocnum, amproc::regprocedure)
						ORDER BY amprocnum)
					FROM pg_amproc WHERE amprocfamily = opcfamily))
			FROM pg_opclass c WHERE c.oid = depend.objid)
		WHEN 'pg_am' THEN (
			SELECT jsonb_build_object('type', amtype, 'handler', amhandler) FROM pg_am a WHERE a.oid = depend.objid)
		WHEN 'pg_class' THEN (
			SELECT jsonb_build_object('kind', relkind, 'privileges', relacl, 'definition', pg_get_viewdef(r.oid),
				'columns', (SELECT jsonb_agg(jsonb_build_array(attname, atttypid::regtype, col_description(attrelid, attnum)) ORDER BY attnum)
					FROM pg_attribute WHERE attrelid = r.oid AND attnum > 0))
			FROM pg_class r WHERE r.oid = depend.objid)
		WHEN 'pg_opfamily' THEN (
			SELECT jsonb_build_object('name', opfname) FROM pg_opfamily f WHERE f.oid = depend.objid)
		END AS definition
	FROM pg_depend AS depend
		JOIN pg_class AS class ON class.oid = depend.classid,
		pg_identify_object(depend.classid, depend.objid, 0) AS object
	WHERE depend.refclassid = 'pg_extension'::regclass
		AND depend.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'bloomfilter')
		AND depend.deptype = 'e') AS member
ORDER BY identity COLLATE "C";
