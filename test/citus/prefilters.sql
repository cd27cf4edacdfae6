-- A filter in front of a distributed table, from each place where it may come
-- from.

-- both: tables
CREATE TABLE facts (id bigint NOT NULL, dim_id int, small smallint, name text, amount int);
CREATE TABLE visits (id bigint NOT NULL, dim_id int, minutes int);
CREATE TABLE dims (id int PRIMARY KEY, small smallint, name text, grp int);
CREATE TABLE dims_everywhere (LIKE dims);
CREATE TABLE dims_spread (LIKE dims);
CREATE TABLE keys (name text PRIMARY KEY, f bloomfilter);
\if :cluster
SELECT create_distributed_table('facts', 'id'), create_distributed_table('visits', 'id'),
	create_distributed_table('dims_spread', 'grp'), create_reference_table('dims_everywhere'), create_reference_table('keys');
\endif
INSERT INTO facts SELECT i, i * 7919 % 10000, i % 1000, 'name ' || i * 7919 % 10000, i % 97 FROM generate_series(1, 50000) AS i;
INSERT INTO visits SELECT i, i * 104729::bigint % 10000, i % 60 FROM generate_series(1, 30000) AS i;
INSERT INTO dims SELECT i, i % 1000, 'name ' || i, i % 100 FROM generate_series(0, 9999) AS i;
INSERT INTO dims_everywhere SELECT * FROM dims;
INSERT INTO dims_spread SELECT * FROM dims;
INSERT INTO keys
	SELECT 'ids', bloom_agg(id, NULL, 1e-6) FROM dims WHERE grp = 7
	UNION ALL SELECT 'names', bloom_agg(name, NULL, 1e-6) FROM dims WHERE grp = 7
	UNION ALL SELECT 'large', bloom_agg(id, 1e6) FROM dims WHERE grp = 7;
SELECT count(*), sum(f.amount) FROM facts f, keys k WHERE k.name = 'ids' AND k.f @> f.dim_id;

-- both: from a local table
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(id, NULL, 1e-6) FROM dims WHERE grp = 7) @> dim_id;
SELECT count(*), sum(amount) FROM facts WHERE bloom_contains((SELECT bloom_agg(name, 1000, 1e-6) FROM dims WHERE grp = 7), name);
SELECT count(*), sum(amount) FROM facts WHERE dim_id <@ (SELECT bloom_agg(id, NULL, 1e-6) FROM dims WHERE grp = 7);
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(small, NULL, 1e-6) FROM dims WHERE grp = 7) @> small;
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(id) FROM dims WHERE grp = 107) @> dim_id;

-- both: with the join, for which one is exact
SELECT count(*), sum(amount) FROM facts f JOIN dims_everywhere d ON d.id = f.dim_id
WHERE d.grp = 7 AND (SELECT bloom_agg(id) FROM dims WHERE grp = 7) @> f.dim_id;
SELECT count(*), sum(amount) FROM facts f JOIN dims_everywhere d ON d.id = f.dim_id WHERE d.grp = 7;

-- both: from a reference table
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(id, NULL, 1e-6) FROM dims_everywhere WHERE grp = 7) @> dim_id;
SELECT count(*), sum(amount) FROM facts WHERE (SELECT f FROM keys WHERE name = 'ids') @> dim_id;
SELECT count(*), sum(amount) FROM facts f, keys k WHERE k.name = 'names' AND k.f @> f.name;
SELECT count(*), sum(amount) FROM facts f JOIN keys k ON k.f @> f.dim_id WHERE k.name = 'ids';

-- both: from a distributed table
\if :cluster
SELECT count(*), sum(amount) FROM facts
WHERE (SELECT bloom_union_agg(bloom_add(bloom_create(1000, 1e-6), id)) FROM dims_spread WHERE grp = 7) @> dim_id;
\else
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(id, 1000, 1e-6) FROM dims_spread WHERE grp = 7) @> dim_id;
\endif
-- where one shard has them all, bloom_agg will do
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(id, NULL, 1e-6) FROM dims_spread WHERE grp = 7) @> dim_id;

-- fails: worker_partial_agg_sfunc could not confirm type correctness
SELECT count(*) FROM facts WHERE (SELECT bloom_agg(id) FROM dims_spread WHERE small < 70) @> dim_id;

-- cluster: the filter is tested on the workers, and travels once to each
SELECT analyzed('SELECT id FROM facts WHERE (SELECT bloom_agg(id) FROM dims WHERE grp = 7) @> dim_id') LIKE '%Send to 2 nodes%';
SELECT received('SELECT * FROM facts WHERE (SELECT bloom_agg(id) FROM dims WHERE grp = 7) @> dim_id')
	< received('SELECT * FROM facts') / 20;

-- both: as a literal and as a parameter
SELECT count(*), sum(amount) FROM facts
WHERE bloom_add_all(bloom_create(3, 1e-6), ARRAY[7, 107, 9907]) @> dim_id;
SELECT bloom_agg(id, NULL, 1e-6) AS f FROM dims WHERE grp = 7 \gset
SELECT count(*), sum(amount) FROM facts WHERE :'f'::bloomfilter @> dim_id;
PREPARE p (bloomfilter) AS SELECT count(*), sum(amount) FROM facts WHERE $1 @> dim_id;
EXECUTE p(:'f');
EXECUTE p(:'f');
EXECUTE p(:'f');
EXECUTE p(:'f');
EXECUTE p(:'f');
EXECUTE p(:'f');
EXECUTE p(:'f');
PREPARE q (bloomfilter) AS SELECT count(*), sum(amount) FROM facts WHERE (SELECT $1) @> dim_id;
EXECUTE q(:'f');
EXECUTE q(:'f');
EXECUTE q(:'f');
EXECUTE q(:'f');
EXECUTE q(:'f');
EXECUTE q(:'f');
EXECUTE q(:'f');

-- fails: 0A000: could not create distributed plan
SET plan_cache_mode = force_generic_plan;
PREPARE p (bloomfilter) AS SELECT count(*), sum(amount) FROM facts WHERE $1 @> dim_id;
EXECUTE p(bloom_add(bloom_create(3), 7));

-- both: of more than a megabyte
SELECT bloom_size(1e6) > 1024 * 1024;
SELECT count(*), sum(amount) FROM facts f, keys k WHERE k.name = 'large' AND k.f @> f.dim_id;
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(id, 1e6) FROM dims WHERE grp = 7) @> dim_id;
SELECT bloom_agg(id, 1e6) | bloom_agg(i + 100000, 1e6) AS f FROM dims, generate_series(1, 130000) AS i WHERE id = 7 \gset
SELECT length(:'f') > 1024 * 1024;
SELECT count(*), sum(amount) FROM facts WHERE :'f'::bloomfilter @> dim_id;

-- both: in front of a join of tables that are distributed otherwise
\if :cluster
SET citus.enable_repartition_joins = on;
\endif
SELECT count(*), sum(f.amount), sum(v.minutes) FROM facts f JOIN visits v USING (dim_id) WHERE v.minutes = 59 AND v.id % 100 = 19;
WITH few AS MATERIALIZED (
	SELECT dim_id, amount FROM facts
	WHERE (SELECT f FROM keys WHERE name = 'ids') @> dim_id)
SELECT count(*), sum(few.amount), sum(v.minutes) FROM few JOIN visits v USING (dim_id);
SELECT count(*), sum(f.amount), sum(v.minutes)
FROM facts f JOIN visits v USING (dim_id) JOIN dims_everywhere d ON d.id = f.dim_id WHERE d.grp = 7;
\if :cluster
WITH few AS MATERIALIZED (
	SELECT dim_id, amount FROM facts
	WHERE (SELECT bloom_union_agg(bloom_add(bloom_create(1000, 1e-6), dim_id)) FROM visits WHERE id % 100 = 19) @> dim_id)
SELECT count(*), sum(few.amount), sum(v.minutes) FROM few JOIN visits v USING (dim_id) WHERE v.id % 100 = 19;
\else
SELECT count(*), sum(f.amount), sum(v.minutes) FROM facts f JOIN visits v USING (dim_id) WHERE v.id % 100 = 19;
\endif

-- both: certainly new
SELECT count(*), sum(amount) FROM facts WHERE NOT (SELECT bloom_agg(id, NULL, 1e-6) FROM dims WHERE grp < 90) @> dim_id;

-- both: from another node than the coordinator
\if :cluster
SELECT nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeport LIMIT 1 \gset
\c - - - :port
\endif
SELECT count(*), sum(amount) FROM facts WHERE (SELECT bloom_agg(id, NULL, 1e-6) FROM dims_everywhere WHERE grp = 7) @> dim_id;
SELECT count(*), sum(amount) FROM facts WHERE (SELECT f FROM keys WHERE name = 'ids') @> dim_id;
SELECT md5(bloom_union_agg(bloom_add(bloom_create(10000), dim_id))::text), bloom_union_agg(bloom_add(bloom_create(10000), dim_id)) @> 7 FROM facts;

-- fails: 42804: bloomfilter and value are of different types
SELECT count(*) FROM facts WHERE (SELECT f FROM keys WHERE name = 'ids') @> name;
