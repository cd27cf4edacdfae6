-- Functions and operators of both types of filters have the same names: what
-- has no type is taken for a bloomfilter, and what has one for what it is.
SET client_encoding = 'UTF8';
SELECT bloom_add_all(bloom_create(100), ARRAY['a', 'b']) AS plain, bloom_add_all(counting_bloom_create(100), ARRAY['a', 'b']) AS counting,
	bloom_add_all(counting_bloom_create(100), ARRAY[1, 2]) AS counting_int \gset

-- NULL and literals as the filter
SELECT pg_typeof(bloom_add(NULL, NULL::int)), pg_typeof(bloom_add_all(NULL, ARRAY[NULL]::int[])), pg_typeof(bloom_create_like(NULL)), bloom_contains(NULL, 1) AS contains, bloom_contains(NULL, NULL) AS nulls,
	bloom_contained_by(1, NULL) AS contained, bloom_contains_any(NULL, ARRAY[1]) AS "any", bloom_contains_all(NULL, '{a}') AS "all", bloom_cardinality(NULL) AS cardinality,
	bloom_false_positive_rate(NULL) AS rate, bloom_compatible(NULL, NULL) AS compatible, (bloom_info(NULL)).bits AS info;
SELECT bloom_contains(:'plain', 'a') AS literal, bloom_contains(filter => :'plain', value => 'b'::text) AS named, bloom_contained_by('a', :'plain') AS contained, bloom_cardinality(:'plain') AS cardinality,
	bloom_contains_all(:'plain', '{a,b}') AS "all", bloom_compatible(:'plain', :'plain') AS compatible, (bloom_info(:'plain')).representation, pg_typeof(bloom_add(:'plain', 'c'));
\set VERBOSITY sqlstate
SELECT bloom_contains(:'counting', 'a');
-- with a type
SELECT bloom_contains(:'counting'::counting_bloomfilter, 'a') AS literal, :'counting'::counting_bloomfilter @> 'b' AS operator, 'c' <@ :'counting'::counting_bloomfilter AS commuted,
	counting_bloomfilter :'counting_int' @> 1 AS number, bloom_cardinality(:'counting'::counting_bloomfilter) AS cardinality, pg_typeof(bloom_add(:'counting'::counting_bloomfilter, 'c')),
	:'plain'::bloomfilter @> 'a' AS plain;
-- where one of two is known
SELECT bloom_compatible(:'counting'::counting_bloomfilter, :'counting') AS a, bloom_compatible(:'plain', :'plain'::bloomfilter) AS b, :'counting'::counting_bloomfilter + :'counting' = :'counting' AS c,
	:'counting' = :'counting'::counting_bloomfilter AS d, :'plain' | :'plain'::bloomfilter = :'plain' AS e, pg_typeof(:'counting' - :'counting'::counting_bloomfilter);
-- functions of one type only take any literal
SELECT bloom_remove(:'counting', 'a') @> 'a' AS removed, bloom_count(:'counting', 'b') AS count, bloom_sum(:'counting', :'counting') @> 'a' AS sum, bloom_union(:'plain', NULL) @> 'a' AS "union";

-- elements: literals are text, numbers are numbers
CREATE TABLE cl (f counting_bloomfilter, g bloomfilter);
INSERT INTO cl VALUES (:'counting', :'plain');
SELECT f @> 'a' AS f, 'b' <@ f AS left, g @> 'a' AS g, bloom_contains(f, 'a') AS func, f @> CASE WHEN true THEN 'b' END AS computed, f @> NULL AS null_value FROM cl;
SELECT f @> 1 FROM cl;
UPDATE cl SET f = bloom_add(f, 'c');
UPDATE cl SET f = bloom_remove(f, 'a'), g = f::bloomfilter;
SELECT f @> 'a' AS a, f @> 'c' AS c, g @> 'a' AS old FROM cl;

-- parameters without a type, as drivers send them
PREPARE undeclared_contains AS SELECT bloom_contains($1, $2);
PREPARE undeclared_column AS SELECT f @> $1, $1 <@ f, bloom_count(f, $1) FROM cl;
PREPARE undeclared_remove AS SELECT bloom_remove($1, $2);
PREPARE cast_parameter AS SELECT $1::counting_bloomfilter @> $2;
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY name;
EXECUTE undeclared_contains(:'plain', 'a');
EXECUTE undeclared_column('b');
EXECUTE cast_parameter(:'counting', 'b');
DEALLOCATE ALL;

-- domains over the types
CREATE DOMAIN counted AS counting_bloomfilter CHECK (bloom_cardinality(VALUE) < 10);
CREATE DOMAIN plainly AS bloomfilter;
SELECT :'counting'::counted @> 'a' AS counted, bloom_contains(:'plain'::plainly, 'a') AS plainly, bloom_cardinality(:'counting'::counted) AS cardinality, pg_typeof(:'counting'::counted + :'counting');

-- a counting filter is not cast unasked, and there is no way back
SELECT :'counting'::counting_bloomfilter | :'plain'::bloomfilter;
INSERT INTO cl (g) SELECT f FROM cl;
SELECT :'plain'::bloomfilter::counting_bloomfilter;
SELECT :'plain'::counting_bloomfilter;
SELECT :'counting'::bloomfilter;
SELECT coalesce(NULL, f) = f AS coalesced, CASE WHEN true THEN NULL ELSE g END IS NULL AS "case", nullif(f, f) IS NULL AS "null" FROM cl;
SELECT coalesce(f, g) FROM cl;

DROP TABLE cl;
DROP DOMAIN counted, plainly;
