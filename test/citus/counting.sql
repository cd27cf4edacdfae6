-- Counting filters: over distributed tables, and in their columns.

-- both: tables
CREATE TABLE stock (id bigint NOT NULL, shop int, item int, label text);
CREATE TABLE shelves (id bigint PRIMARY KEY, shop int, c counting_bloomfilter NOT NULL);
\if :cluster
SELECT create_distributed_table('stock', 'id'), create_distributed_table('shelves', 'id');
\endif
INSERT INTO stock SELECT i, i % 5, CASE WHEN i % 9 > 0 THEN i * 7919 % 3000 END, 'label ' || i % 400 FROM generate_series(1, 20000) AS i;
INSERT INTO shelves SELECT i, i % 5, bloom_add_all(counting_bloom_create(500), ARRAY[i, i, i * 2, -1]) FROM generate_series(1, 600) AS i;
SELECT count(*), md5(string_agg(c::text, ',' ORDER BY id)) FROM shelves;

-- both: counting_bloom_sum_agg(bloom_add(counting_bloom_create(n), x)) is counting_bloom_agg(x, n)
\if :cluster
SELECT md5(counting_bloom_sum_agg(bloom_add(counting_bloom_create(3000), item))::text),
	md5(counting_bloom_sum_agg(bloom_add(counting_bloom_create(400, 0.001, 5), label))::text) FROM stock;
SELECT shop, md5(counting_bloom_sum_agg(bloom_add(counting_bloom_create(3000), item))::text) FROM stock GROUP BY shop ORDER BY shop;
\else
SELECT md5(counting_bloom_agg(item, 3000)::text), md5(counting_bloom_agg(label, 400, 0.001, 5)::text) FROM stock;
SELECT shop, md5(counting_bloom_agg(item, 3000)::text) FROM stock GROUP BY shop ORDER BY shop;
\endif

-- both: grouped by the distribution column
SELECT md5(string_agg(c::text, ',' ORDER BY id)) FROM (SELECT id, counting_bloom_agg(item, 10) AS c FROM stock GROUP BY id) AS s;

-- fails: worker_partial_agg_sfunc could not confirm type correctness
SELECT counting_bloom_agg(item, 3000) FROM stock;

-- both: sums of a column
SELECT md5(counting_bloom_sum_agg(c)::text), bloom_count(counting_bloom_sum_agg(c), -1) FROM shelves;
SELECT shop, md5(counting_bloom_sum_agg(c)::text) FROM shelves GROUP BY shop ORDER BY shop;
SELECT md5(counting_bloom_sum_agg(c)::bloomfilter::text) FROM shelves;

-- both: values come and go
UPDATE shelves SET c = bloom_remove(c, id);
SELECT bool_and(bloom_count(c, id) >= 1), bool_and(c @> id), md5(string_agg(c::text, ',' ORDER BY id)) FROM shelves;
UPDATE shelves SET c = bloom_remove_all(c, ARRAY[id, -1]) WHERE id % 2 = 0;
SELECT count(*), count(*) FILTER (WHERE c @> id), md5(string_agg(c::text, ',' ORDER BY id)) FROM shelves;

-- fails: 22023: .*
UPDATE shelves SET c = bloom_remove(c, 123456789);

-- both: nothing has changed by that
SELECT count(*), md5(string_agg(c::bloomfilter::text, ',' ORDER BY id)) FROM shelves;
