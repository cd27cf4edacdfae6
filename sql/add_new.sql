-- bloom_add_new: the filter with all values, and those that were certainly new.
CREATE AGGREGATE new_state ("any") (SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter);

--
-- What it returns
--
CREATE TABLE f AS SELECT bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3]) AS f;
-- one row of two columns, in FROM and elsewhere
SELECT n.filter = bloom_add_all(f, ARRAY[3, 4, 5]) AS all_added, n.new_values, pg_typeof(n.new_values)
  FROM f, bloom_add_new(f, ARRAY[3, 4, 5]) n;
SELECT (bloom_add_new(f, ARRAY[3, 4])).new_values FROM f;
SELECT pg_get_function_result('bloom_add_new'::regproc), provolatile, proparallel, proisstrict
  FROM pg_proc WHERE oid = 'bloom_add_new'::regproc;
-- in the order of the array, each once, and nothing for NULL
SELECT new_values FROM f, bloom_add_new(f, ARRAY[9, 3, 7, NULL, 9, 8, 7, 1, NULL, 9, 4]);
SELECT new_values FROM bloom_create(10), bloom_add_new(bloom_create, ARRAY['b', 'a', 'b', NULL, 'c', 'a']);
-- equal values are one, whatever they look like
SELECT new_values FROM bloom_create(10) e, bloom_add_new(e, ARRAY[1.0, 1.00, 2, 1, 2.0]);
SELECT new_values FROM bloom_create(10) e, bloom_add_new(e, ARRAY['a ', 'a', 'b']::char(3)[]);
SELECT new_values FROM bloom_create(10) e, bloom_add_new(e, ARRAY['0', '-0', 'NaN', 'NaN']::float8[]);
-- text is char(n) to a filter of that
SELECT new_values, filter @> 'b'::char(3) AS added
  FROM bloom_add(bloom_create(10), 'a'::char(3)) e, bloom_add_new(e, ARRAY['a', 'a ', 'b ', 'b']::text[]);
-- one dimension, from 1, whatever the values have
SELECT new_values, array_dims(new_values) FROM f, bloom_add_new(f, ARRAY[[3, 4], [NULL, 5], [4, 6]]);
SELECT new_values, array_dims(new_values) FROM f, bloom_add_new(f, '[5:7]={3,4,5}'::int[]);
-- nothing new
SELECT filter = f AS unchanged, new_values, pg_typeof(new_values)
  FROM f, unnest(ARRAY['{1,2}', '{}', '{NULL}', '{{1,1},{NULL,3}}']) v, bloom_add_new(f, v::int[]);
-- NULL
SELECT filter = f AS unchanged, new_values FROM f, bloom_add_new(f, NULL::int[]);
SELECT * FROM bloom_add_new(NULL, NULL::int[]);
SELECT (bloom_add_new(NULL, ARRAY[NULL]::int[])).new_values IS NULL AS no_values;

--
-- Types
--
SELECT new_values FROM f, bloom_add_new(f, ARRAY[3, 4]::int2[]);
SELECT new_values FROM f, bloom_add_new(f, ARRAY[3, 4]::bigint[]);
SELECT pg_typeof(new_values) FROM f, bloom_add_new(f, ARRAY[3, 4]::bigint[]);
CREATE DOMAIN number AS int;
CREATE DOMAIN numbers AS int[];
SELECT new_values, pg_typeof(new_values) FROM f, bloom_add_new(f, ARRAY[3, 4]::number[]);
SELECT new_values, pg_typeof(new_values) FROM f, bloom_add_new(f, ARRAY[3, 4]::numbers);
SELECT new_values, pg_typeof(new_values) FROM bloom_create(10) e, bloom_add_new(e, ARRAY['a', 'b', 'a']::varchar(5)[]);
SELECT new_values, pg_typeof(new_values) FROM bloom_create(10) e, bloom_add_new(e, ARRAY['a', 'b', 'a']::varchar(5)[]::text[]);
SELECT new_values FROM bloom_create(10) e,
	bloom_add_new(e, ARRAY[md5('a'), md5('b'), md5('a')]::uuid[]);
SELECT new_values FROM bloom_create(10) e, bloom_add_new(e, ARRAY['[1,3)', '[1,2]', '[2,3)']::int4range[]);
-- literals and parameters without a type are text, as everywhere
SELECT new_values, pg_typeof(new_values) FROM bloom_create(10) e, bloom_add_new(e, '{a,b,a}');
PREPARE undeclared AS SELECT new_values FROM bloom_add_new($1, $2);
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'undeclared';
EXECUTE undeclared(bloom_add(bloom_create(10), 'a'), '{a,b}');
DEALLOCATE undeclared;
-- a family of the first value's, and none without one
SELECT (bloom_info(filter)).element_type FROM bloom_create(10) e, bloom_add_new(e, ARRAY[NULL, 1.5]);
SELECT (bloom_info(filter)).element_type FROM bloom_create(10) e, bloom_add_new(e, ARRAY[NULL, NULL]::numeric[]);
-- values of another type: an error, unless there is no value
SELECT * FROM f, bloom_add_new(f, ARRAY['3']);
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM f, bloom_add_new(f, ARRAY[NULL, 3.0]);
SELECT filter = f AS unchanged, new_values FROM f, bloom_add_new(f, ARRAY[NULL]::text[]);
CREATE TYPE mood AS ENUM ('good', 'bad');
SELECT * FROM bloom_create(10) e, bloom_add_new(e, ARRAY['good']::mood[]);
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM bloom_create(10) e, bloom_add_new(e, ARRAY[point(1, 2)]);
\echo :LAST_ERROR_SQLSTATE

--
-- As one would do it value by value
--
CREATE FUNCTION one_by_one(INOUT filter bloomfilter, vals anyarray, OUT new_values anyarray) LANGUAGE plpgsql AS $$
BEGIN
	new_values := '{}';
	FOR i IN 1 .. cardinality(vals) LOOP
		IF NOT filter @> vals[i] THEN
			new_values := new_values || vals[i];
			filter := bloom_add(filter, vals[i]);
		END IF;
	END LOOP;
END $$;
-- Lists, lists that become blocks on the way, blocks, and blocks so full that
-- many values are taken for old ones.
CREATE TABLE cases AS
	SELECT n, p, held, bloom_add_all(bloom_create(n, p, n), ARRAY(SELECT generate_series(1, held))) AS filter
	  FROM unnest(ARRAY[1, 40, 3000, 30000]) n, unnest(ARRAY[0.5, 0.01, 0.00001]) p, unnest(ARRAY[0, 10, 400, 3000]) held;
SELECT n, p, held, (bloom_info(c.filter)).representation AS before, (bloom_info(a.filter)).representation AS after,
	a.filter = o.filter AS same_filter, a.new_values = o.new_values AS same_values,
	cardinality(a.new_values) < 500 AS false_positives,
	a.filter = bloom_add_all(c.filter, vals) AS as_add_all
  FROM cases c, (SELECT array_agg(2501 + i % 1000) AS vals FROM generate_series(1, 1500) i) v,
	bloom_add_new(c.filter, vals) a, one_by_one(c.filter, vals) o
 ORDER BY n, p, held;
-- Of a full filter, about one in a hundred.
SELECT count(*) AS filters, sum(cardinality(new_values)) AS new_of_200000
  FROM generate_series(1, 20) s, bloom_add_all(bloom_create(20000, 0.01, s), ARRAY(SELECT generate_series(1, 15000))) f,
	bloom_add_new(f, ARRAY(SELECT generate_series(20001, 30000)));

--
-- Filters of every form, which stay as they are
--
CREATE TABLE forms (name text, f bloomfilter);
INSERT INTO forms
	SELECT 'in line', bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3])
	UNION ALL SELECT 'out of line, list', bloom_add_all(bloom_create(1e6), ARRAY(SELECT generate_series(1, 3000)))
	UNION ALL SELECT 'out of line, blocks', bloom_add_all(bloom_create(10000, 0.0001), ARRAY(SELECT generate_series(1, 8000)))
	UNION ALL SELECT 'unsized', new_state(i) FROM generate_series(1, 3000) i;
CREATE TABLE forms_before AS SELECT name, f::bytea AS f FROM forms;
SELECT name, n.filter = bloom_add_all(f, ARRAY[-1, 1, -2, -1, 3]) AS all_added, new_values,
	f @> -1 OR f @> -2 AS changed
  FROM forms, bloom_add_new(f, ARRAY[-1, 1, -2, -1, 3]) n ORDER BY name;
-- in memory
SELECT name, n.filter @> -5 AND n.filter @> -1 AND n.filter @> 3 AS all_added, new_values, g @> -1 OR g @> -2 AS changed
  FROM (SELECT name, bloom_add(f, -5) AS g FROM forms OFFSET 0) _, bloom_add_new(g, ARRAY[-1, 1, -5, -2, -1, 3]) n ORDER BY name;
DO $$
DECLARE
	f bloomfilter := bloom_create(3000, 0.0001);
	g bloomfilter;
	fresh int[];
	before bytea;
BEGIN
	FOR i IN 1 .. 60 LOOP
		f := bloom_add(f, -i);
		before := f::bytea;
		SELECT * INTO g, fresh FROM bloom_add_new(f, ARRAY(SELECT generate_series(i * 50, i * 50 + 99)) || -i);
		ASSERT f::bytea = before;
		ASSERT fresh = ARRAY(SELECT generate_series(CASE i WHEN 1 THEN 50 ELSE i * 50 + 50 END, i * 50 + 99)), fresh;
		ASSERT g = bloom_add_all(f, fresh);
		f := g;
	END LOOP;
END $$;
-- the state of an aggregate that still goes on
SELECT count(DISTINCT n.new_values), bool_and(n.filter @> -1 AND NOT g @> -1) AS changed_alone
  FROM (SELECT bloom_agg(i, 5000) OVER (ORDER BY i) AS g FROM generate_series(1, 2000) i) _, bloom_add_new(g, ARRAY[-1]) n;
SELECT count(*) FILTER (WHERE forms.f::bytea <> b.f) AS changed FROM forms JOIN forms_before b USING (name);
-- an UPDATE that returns what was new
UPDATE forms SET f = n.filter
  FROM forms old, bloom_add_new(old.f, ARRAY[3, -1, -2]) n
 WHERE forms.name = 'in line' AND old.name = forms.name
RETURNING n.new_values, forms.f @> -1 AS a, forms.f @> -2 AS b;
-- more than there may be without a size
SET bloomfilter.max_exact_hashes = 3001;
SELECT new_values FROM forms, bloom_add_new(f, ARRAY[1, -1]) WHERE name = 'unsized';
SELECT new_values FROM forms, bloom_add_new(f, ARRAY[-1, -2]) WHERE name = 'unsized';
\echo :LAST_ERROR_SQLSTATE
RESET bloomfilter.max_exact_hashes;

DROP TABLE f, cases, forms, forms_before;
DROP FUNCTION one_by_one(bloomfilter, anyarray);
DROP AGGREGATE new_state("any");
DROP DOMAIN number, numbers;
DROP TYPE mood;
