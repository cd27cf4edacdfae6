-- Aggregates over a distributed table: what is pushed down to the workers,
-- what is not, and what is refused.

-- both: tables
CREATE TABLE events (id bigint NOT NULL, grp int, k2 smallint, k4 int, k8 bigint, t text, v varchar(20), c char(8),
	q "char", n numeric, d date, u uuid, b boolean, x double precision);
CREATE TABLE nothing (id bigint NOT NULL, k4 int);
\if :cluster
SELECT create_distributed_table('events', 'id'), create_distributed_table('nothing', 'id');
\endif
INSERT INTO events
	SELECT i, i % 4, CASE WHEN i % 11 > 0 THEN i % 300 END, i * 7919 % 5000, i * 1000003::bigint % 20011, 'text ' || i % 3000,
		'varchar ' || i % 700, 'c' || i % 900, chr(65 + i % 26)::"char", i % 400 / 10.0, date '2020-01-01' + i % 1000,
		md5((i % 2000)::text)::uuid, i % 3 = 0, i % 500 / 7.0
	FROM generate_series(1, 40000) AS i;
SELECT count(*), sum(k8) FROM events;

-- both: bloom_union_agg(bloom_add(bloom_create(n), x)) is bloom_agg(x, n), for every family
\if :cluster
SELECT md5(bloom_union_agg(bloom_add(bloom_create(300), k2))::text), md5(bloom_union_agg(bloom_add(bloom_create(5000), k4))::text),
	md5(bloom_union_agg(bloom_add(bloom_create(20000), k8))::text), md5(bloom_union_agg(bloom_add(bloom_create(3000), t))::text),
	md5(bloom_union_agg(bloom_add(bloom_create(700), v))::text), md5(bloom_union_agg(bloom_add(bloom_create(900), c))::text),
	md5(bloom_union_agg(bloom_add(bloom_create(26), q))::text), md5(bloom_union_agg(bloom_add(bloom_create(400), n))::text),
	md5(bloom_union_agg(bloom_add(bloom_create(1000), d))::text), md5(bloom_union_agg(bloom_add(bloom_create(2000), u))::text),
	md5(bloom_union_agg(bloom_add(bloom_create(2), b))::text), md5(bloom_union_agg(bloom_add(bloom_create(500), x))::text)
FROM events;
\else
SELECT md5(bloom_agg(k2, 300)::text), md5(bloom_agg(k4, 5000)::text), md5(bloom_agg(k8, 20000)::text),
	md5(bloom_agg(t, 3000)::text), md5(bloom_agg(v, 700)::text), md5(bloom_agg(c, 900)::text), md5(bloom_agg(q, 26)::text),
	md5(bloom_agg(n, 400)::text), md5(bloom_agg(d, 1000)::text), md5(bloom_agg(u, 2000)::text), md5(bloom_agg(b, 2)::text),
	md5(bloom_agg(x, 500)::text)
FROM events;
\endif

-- both: the same with a rate and a seed, some rows only, distinct, beside other aggregates
\if :cluster
SELECT count(*), sum(id), md5(bloom_union_agg(bloom_add(bloom_create(5000, 0.001, 7), k4))::text),
	md5(bloom_union_agg(bloom_add(bloom_create(5000), k4)) FILTER (WHERE grp = 1)::text),
	bloom_cardinality(bloom_union_agg(bloom_add(bloom_create(5000), k4)))
FROM events WHERE b;
\else
SELECT count(*), sum(id), md5(bloom_agg(k4, 5000, 0.001, 7)::text), md5(bloom_agg(k4, 5000) FILTER (WHERE grp = 1)::text),
	bloom_cardinality(bloom_agg(k4, 5000))
FROM events WHERE b;
\endif

-- both: grouped by another column than the distribution column
\if :cluster
SELECT grp, md5(bloom_union_agg(bloom_add(bloom_create(5000), k4))::text) FROM events GROUP BY grp ORDER BY grp;
SELECT grp, count(*) FROM events GROUP BY grp HAVING bloom_union_agg(bloom_add(bloom_create(5000), k4)) @> 77 ORDER BY grp;
\else
SELECT grp, md5(bloom_agg(k4, 5000)::text) FROM events GROUP BY grp ORDER BY grp;
SELECT grp, count(*) FROM events GROUP BY grp HAVING bloom_agg(k4, 5000) @> 77 ORDER BY grp;
\endif

-- cluster: these are aggregated on the workers
SELECT plan('SELECT bloom_union_agg(bloom_add(bloom_create(5000), k4)) FROM events') LIKE '%worker_partial_agg(%';
SELECT plan('SELECT grp, bloom_union_agg(bloom_add(bloom_create(5000), k4)) FROM events GROUP BY grp') LIKE '%worker_partial_agg(%';

-- both: no rows, and no values
\if :cluster
SELECT bloom_union_agg(bloom_add(bloom_create(5), k4)), count(*) FROM nothing;
SELECT bloom_union_agg(bloom_add(bloom_create(5), k2)) FILTER (WHERE k2 IS NOT NULL) FROM events WHERE id % 11 = 0;
\else
SELECT bloom_agg(k4, 5), count(*) FROM nothing;
SELECT bloom_agg(k2, 5) FROM events WHERE id % 11 = 0;
\endif

-- cluster: of NULLs only, the union is an empty filter, where bloom_agg gives NULL
SELECT bloom_union_agg(bloom_add(bloom_create(5), k2)) = bloom_create(5) FROM events WHERE id % 11 = 0;

-- both: bloom_agg grouped by the distribution column
SELECT md5(string_agg(f::text, ',' ORDER BY id)) FROM
	(SELECT id, bloom_agg(k4) AS f FROM events GROUP BY id) AS s;
SELECT md5(string_agg(f::text, ',' ORDER BY id)), sum(bloom_cardinality(f)) FROM
	(SELECT id, bloom_agg(t, 10, 0.001, 3) AS f FROM events WHERE id < 1000 GROUP BY id) AS s;
SELECT md5(bloom_union_agg(f)::text) FROM (SELECT id, bloom_agg(k4, 5000) AS f FROM events GROUP BY id) AS s;
SELECT id, bloom_cardinality(bloom_agg(k4, 100) OVER (PARTITION BY id)) FROM events WHERE id < 5 ORDER BY id;
SELECT md5(bloom_agg(k4, 100)::text) FROM events WHERE id = 7;

-- cluster: it is evaluated there as it is
SELECT plan('SELECT id, bloom_agg(k4) FROM events GROUP BY id') LIKE '%bloom_agg(%';
SELECT plan('SELECT id, bloom_agg(k4) FROM events GROUP BY id') NOT LIKE '%worker_partial_agg(%';

-- fails: worker_partial_agg_sfunc could not confirm type correctness
SELECT bloom_agg(k4) FROM events;

-- fails: worker_partial_agg_sfunc could not confirm type correctness
SELECT bloom_agg(k4, 5000) FROM events;

-- fails: worker_partial_agg_sfunc could not confirm type correctness
SELECT grp, bloom_agg(t, 5000, 0.001, 7) FROM events GROUP BY grp;

-- both: bloom_agg over rows that come to the coordinator
SELECT md5(bloom_agg(k4 ORDER BY k4)::text), md5(bloom_agg(t, 5000 ORDER BY t)::text) FROM events;
SELECT grp, md5(bloom_agg(c, 5000, 0.001, 7 ORDER BY c)::text) FROM events GROUP BY grp ORDER BY grp;
WITH few AS MATERIALIZED (SELECT DISTINCT k4 FROM events) SELECT md5(bloom_agg(k4)::text) FROM few;
SELECT md5(bloom_agg(k4)::text) FROM (SELECT DISTINCT k4 FROM events OFFSET 0) AS few;

-- both: one filter of each shard
\if :cluster
SELECT bool_and(success), md5(bloom_union_agg(nullif(result, '')::bloomfilter)::text)
FROM run_command_on_shards('events', 'SELECT bloom_agg(t, 3000) FROM %s');
SELECT bool_and(success), count(*), bloom_union_agg(nullif(result, '')::bloomfilter)
FROM run_command_on_shards('nothing', 'SELECT bloom_agg(k4, 3000) FROM %s');
\else
SELECT true, md5(bloom_agg(t, 3000)::text) FROM events;
SELECT true, 16, bloom_agg(k4, 3000) FROM nothing;
\endif

-- both: bloom_union_agg and bloom_intersection_agg over a column of filters
CREATE TABLE parts (id bigint NOT NULL, grp int, f bloomfilter);
\if :cluster
SELECT create_distributed_table('parts', 'id');
\endif
INSERT INTO parts
	SELECT i, i % 5, CASE WHEN i % 13 > 0 THEN bloom_add_all(bloom_create(2000), ARRAY[-1, -2, i, i * 2]) END
	FROM generate_series(1, 3000) AS i;
SELECT md5(bloom_union_agg(f)::text), md5(bloom_intersection_agg(f)::text), bloom_intersection_agg(f) @> -1 FROM parts;
SELECT grp, md5(bloom_union_agg(f)::text), md5(bloom_intersection_agg(f)::text) FROM parts GROUP BY grp ORDER BY grp;
SELECT md5(string_agg(id || u::text || i::text, ',' ORDER BY id)) FROM
	(SELECT id, bloom_union_agg(f) AS u, bloom_intersection_agg(f) AS i FROM parts GROUP BY id) AS s;
SELECT bloom_union_agg(f), bloom_intersection_agg(f) FROM parts WHERE id % 13 = 0;
SELECT count(*) FROM (SELECT DISTINCT f FROM parts) AS s;

-- fails: 22023: bloomfilters of different parameters cannot be combined
SELECT bloom_union_agg(bloom_add(bloom_create(1000 * (1 + grp)), k4)) FROM events;

-- fails: 42804: bloomfilters hold values of different types
SELECT bloom_union_agg(CASE WHEN b THEN bloom_add(bloom_create(1000), k4) ELSE bloom_add(bloom_create(1000), t) END) FROM events;

-- both: errors left every worker as it was
SELECT count(*), sum(k8) FROM events;
