# One filter for many servers: a partitioned table whose partitions are
# elsewhere.  Each gets the filter, all work at the same time, and rows that
# cannot match stay where they are.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# To postgres_fdw each database is a server of its own, with its own connection.
my @shards = map { "shard_$_" } (0 .. 3);
my $remote = PostgreSQL::Test::Cluster->new('remote');
$remote->init;
$remote->start;
my $local = PostgreSQL::Test::Cluster->new('local');
$local->init;
$local->append_conf('postgresql.conf', "max_parallel_workers_per_gather = 0\njit = off\n");
$local->start;

my ($host, $port) = ($remote->host, $remote->port);
$local->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE EXTENSION postgres_fdw;
	CREATE TABLE orders (id bigint, region int, customer int, note text) PARTITION BY LIST (region);
	CREATE TABLE customers AS SELECT i AS id, i % 100 AS grp FROM generate_series(0, 9999) i;
	ANALYZE customers;
});
foreach my $region (0 .. $#shards)
{
	my $shard = $shards[$region];
	$remote->safe_psql('postgres', "CREATE DATABASE $shard");
	$remote->safe_psql(
		$shard, "
		CREATE EXTENSION bloomfilter;
		CREATE TABLE orders (id bigint, region int, customer int, note text);
		INSERT INTO orders SELECT i, $region, i % 10000, 'note ' || i
			FROM generate_series(1, 40000) i WHERE i / 10 % 4 = $region;
		ANALYZE orders;
	");
	$local->safe_psql(
		'postgres', "
		CREATE SERVER $shard FOREIGN DATA WRAPPER postgres_fdw
			OPTIONS (host '$host', port '$port', dbname '$shard', extensions 'bloomfilter', async_capable 'true');
		CREATE USER MAPPING FOR CURRENT_USER SERVER $shard;
		CREATE FOREIGN TABLE orders_$region PARTITION OF orders FOR VALUES IN ($region)
			SERVER $shard OPTIONS (table_name 'orders');
	");
}
# what there is to compare with
$local->safe_psql('postgres', 'CREATE TABLE copied AS SELECT * FROM orders; ANALYZE copied');

sub answer
{
	my ($query) = @_;
	return $local->safe_psql('postgres', $query);
}

# The plan of a query that was executed; its foreign scans as lists of kind, rows
# and SQL; how often a filter was made for them.
sub foreign_scans
{
	my ($query, $settings) = @_;
	my $plan = $local->safe_psql('postgres', ($settings // '')
		. "SET plan_cache_mode = force_generic_plan;
		EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) $query");
	my @scans;
	while ($plan =~ /((?:Async )?Foreign Scan).*?rows=(\d+).*?Remote SQL: ([^\n]*)/gs)
	{
		push @scans, { kind => $1, rows => $2, sql => $3 };
	}
	return ($plan, @scans);
}

sub sum_of_rows
{
	my $sum = 0;
	$sum += $_->{rows} foreach (@_);
	return $sum;
}

#
# A filter that the query makes
#

my $members = 400;    # 100 of the 10,000 customers, with 4 orders each
my $filter = '(SELECT bloom_agg(id, NULL, 0.001) FROM customers WHERE grp = 3)';
my ($plan, @scans) = foreign_scans("SELECT * FROM orders WHERE $filter \@> customer");

is(scalar(@scans), 4, 'every shard is asked');
is(scalar(grep { $_->{kind} eq 'Async Foreign Scan' } @scans), 4, 'at the same time');
is(scalar(grep { $_->{sql} =~ /WHERE \(\(\$1::public\.bloomfilter OPERATOR\(public\.\@>\) customer\)\)/ } @scans),
	4, 'every shard gets the filter');
my @made = $plan =~ /Aggregate \(actual rows=\S+ loops=(\d+)\)/g;
is("@made", '1', 'which is made once');
cmp_ok(sum_of_rows(@scans), '>=', $members, 'all members come');
cmp_ok(sum_of_rows(@scans), '<=', $members + 0.005 * 40000, 'and few others of 40,000 rows');

my $plain = "FROM %s o JOIN customers c ON c.id = o.customer WHERE c.grp = 3";
my $sums = 'count(*), sum(o.id), min(o.note)';
my $expected = answer("SELECT $sums " . sprintf($plain, 'copied'));
like($expected, qr/^$members\|/, 'the answer that is expected');
is(answer("SELECT $sums " . sprintf($plain, 'orders') . " AND $filter \@> o.customer"),
	$expected, 'the join with the filter gives what one table gives');
is(answer("SELECT count(*) FROM copied o JOIN customers c ON c.id = o.customer WHERE c.grp = 3
		AND NOT EXISTS (SELECT FROM orders r WHERE $filter \@> r.customer AND r.id = o.id)"), '0', 'no member is missing');
is(answer("SELECT region, count(*) FROM orders WHERE $filter \@> customer GROUP BY region ORDER BY region"),
	answer("SELECT region, count(*) FROM copied WHERE $filter \@> customer GROUP BY region ORDER BY region"),
	'false positives are the same here and there');

#
# Other filters
#

answer("CREATE TABLE keys (name text PRIMARY KEY, f bloomfilter);
	INSERT INTO keys SELECT 'few', bloom_agg(id, NULL, 0.0001) FROM customers WHERE grp = 4
		UNION ALL SELECT 'none', bloom_create(10)
		UNION ALL SELECT 'large', bloom_agg(i, 1e6) FROM generate_series(1, 200000) i");
($plan, @scans) = foreign_scans("SELECT id FROM orders WHERE (SELECT f FROM keys WHERE name = 'few') \@> customer");
is(scalar(grep { $_->{sql} =~ /\$1::public\.bloomfilter/ } @scans), 4, 'a stored filter goes to every shard');
cmp_ok(sum_of_rows(@scans), '<=', $members + 100, 'and keeps rows there');
($plan, @scans) = foreign_scans("SELECT id FROM orders WHERE (SELECT f FROM keys WHERE name = 'none') \@> customer");
is(sum_of_rows(@scans), 0, 'nothing comes for an empty one');
is(answer("SELECT count(*), sum(id) FROM orders WHERE (SELECT f FROM keys WHERE name = 'large') \@> customer"),
	answer("SELECT count(*), sum(id) FROM copied WHERE (SELECT f FROM keys WHERE name = 'large') \@> customer"),
	'one of a megabyte');
is(answer("SELECT count(*) FROM orders WHERE (SELECT f FROM keys WHERE name = 'absent') \@> customer"), '0', 'no filter, no rows');
is(answer("SELECT count(*), sum(id) FROM orders WHERE NOT (SELECT f FROM keys WHERE name = 'few') \@> customer"),
	answer("SELECT count(*), sum(id) FROM copied WHERE NOT (SELECT f FROM keys WHERE name = 'few') \@> customer"),
	'what is certainly new');
foreach my $mode ('force_custom_plan', 'force_generic_plan')
{
	is(answer("SET plan_cache_mode = $mode;
			PREPARE p (bloomfilter) AS SELECT count(*), sum(id) FROM orders WHERE \$1 \@> customer;
			EXECUTE p(bloom_add_all(bloom_create(3, 1e-6), ARRAY[7, 107, 9907]))"),
		answer('SELECT count(*), sum(id) FROM copied WHERE customer IN (7, 107, 9907)'),
		"a parameter, $mode");
}

#
# One shard does not know of the extension
#

answer("ALTER SERVER shard_2 OPTIONS (DROP extensions)");
($plan, @scans) = foreign_scans("SELECT * FROM orders WHERE $filter \@> customer");
is(scalar(grep { $_->{sql} =~ /\$1::public\.bloomfilter/ } @scans), 3, 'the others get the filter');
is(answer("SELECT $sums " . sprintf($plain, 'orders') . " AND $filter \@> o.customer"),
	$expected, 'of the one, rows are tested here');
answer("ALTER SERVER shard_2 OPTIONS (ADD extensions 'bloomfilter')");

#
# Filters that the shards make
#

my $parts = join ' UNION ALL ', map { "SELECT bloom_agg(customer, 10000) AS f FROM orders_$_" } (0 .. 3);
($plan, @scans) = foreign_scans("SELECT bloom_union_agg(f) FROM ($parts) parts");
is(scalar(grep { $_->{sql} =~ /SELECT public\.bloom_agg\(customer, / && $_->{rows} == 1 } @scans),
	4, 'each shard sends one filter');
is(answer("SELECT bloom_union_agg(f) = (SELECT bloom_agg(customer, 10000) FROM copied) FROM ($parts) parts"),
	't', 'their union is the filter of all');

my $grouped = 'SELECT region, bloom_agg(customer, 10000) AS f FROM orders GROUP BY region';
($plan, @scans) = foreign_scans($grouped, 'SET enable_partitionwise_aggregate = on;');
is(scalar(grep { $_->{sql} =~ /SELECT .*public\.bloom_agg\(customer, / } @scans),
	4, 'so do partitions in an aggregate by partition');
is(answer("SET enable_partitionwise_aggregate = on;
		SELECT bool_and(o.f = c.f), count(*) FROM ($grouped) o
		JOIN (SELECT region, bloom_agg(customer, 10000) AS f FROM copied GROUP BY region) c USING (region)"),
	't|4', 'which are the same as here');

#
# Changes
#

my $few = "(SELECT f FROM keys WHERE name = 'few')";
my $changed = 'SELECT count(*), sum(id), min(note), max(note) FROM %s';
answer(sprintf("UPDATE %s SET note = 'changed' WHERE $few \@> customer", $_)) foreach ('orders', 'copied');
is(answer(sprintf($changed, 'orders')), answer(sprintf($changed, 'copied')), 'UPDATE of what a filter holds');
answer(sprintf("DELETE FROM %s WHERE $few \@> customer", $_)) foreach ('orders', 'copied');
is(answer(sprintf($changed, 'orders')), answer(sprintf($changed, 'copied')), 'DELETE of what a filter holds');

done_testing();
