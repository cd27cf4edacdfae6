# A filter goes to another server: there the rows are thrown away, and only
# those that may match come back.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $remote = PostgreSQL::Test::Cluster->new('remote');
$remote->init;
$remote->start;
my $local = PostgreSQL::Test::Cluster->new('local');
$local->init;
$local->start;

$remote->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE fact (id bigint, dim_id bigint, note text);
	INSERT INTO fact SELECT g, g % 10000, 'note ' || g FROM generate_series(1, 50000) g;
	ANALYZE fact;
});

my ($host, $port) = ($remote->host, $remote->port);
$local->safe_psql(
	'postgres', qq{
	CREATE EXTENSION bloomfilter;
	CREATE EXTENSION postgres_fdw;
	CREATE SERVER remote FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host '$host', port '$port', dbname 'postgres', extensions 'bloomfilter');
	CREATE USER MAPPING FOR CURRENT_USER SERVER remote;
	CREATE FOREIGN TABLE fact (id bigint, dim_id bigint, note text) SERVER remote;
	CREATE TABLE dim AS SELECT g::bigint AS id, g % 100 AS grp FROM generate_series(0, 9999) g;
	ANALYZE dim;
});

# The rows that a query's foreign scan returns, and what it sends.
sub foreign_scan
{
	my ($query) = @_;
	my $plan = $local->safe_psql('postgres',
		"SET plan_cache_mode = force_generic_plan;
		 EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) $query");
	my ($rows) = $plan =~ /Foreign Scan.*?rows=(\d+)/;
	my ($sql) = $plan =~ /Remote SQL: (.*)/;
	return ($rows, $sql);
}

my $members = 500;    # 100 of the 10,000 keys, 5 rows each
my $in_subselect = "SELECT * FROM fact
	WHERE bloom_contains((SELECT bloom_agg(id) FROM dim WHERE grp = 3), dim_id)";

my ($rows, $sql) = foreign_scan($in_subselect);
like($sql, qr/WHERE \(\(?public\.bloom_contains\(\$1::public\.bloomfilter, dim_id\)/,
	'a filter made by an InitPlan is shipped');
cmp_ok($rows, '>=', $members, 'all members come back');
cmp_ok($rows, '<=', $members + 0.03 * 50000, 'and few others');

($rows, $sql) = foreign_scan("SELECT * FROM fact WHERE bloom_add_all(bloom_create(100, 0.0001), ARRAY[1, 2, 3]) \@> dim_id");
like($sql, qr/'bloomfilter\(1, integer/, 'a constant is shipped as text, with the operator');
is($rows, 15, 'and only the members come back');

$local->safe_psql('postgres', "CREATE TABLE keys (f bloomfilter);
	INSERT INTO keys SELECT bloom_agg(id, NULL, 0.0001) FROM dim WHERE grp = 4");
($rows, $sql) = foreign_scan("SELECT * FROM fact WHERE (SELECT f FROM keys) \@> dim_id");
like($sql, qr/OPERATOR\(public\.\@>\)/, 'a stored filter is shipped');
cmp_ok($rows, '>=', $members, 'all members come back');
cmp_ok($rows, '<=', $members + 100, 'and hardly any others');

my $generic = $local->safe_psql('postgres',
	"SET plan_cache_mode = force_generic_plan;
	 PREPARE p (bloomfilter) AS SELECT * FROM fact WHERE bloom_contains(\$1, dim_id);
	 EXPLAIN (VERBOSE, COSTS OFF) EXECUTE p(bloom_add(bloom_create(10), 5));");
like($generic, qr/Remote SQL: .*bloom_contains\(\$1::public\.bloomfilter, dim_id\)/,
	"a generic plan's parameter is shipped");

# The answers are those of a plain join.
is( $local->safe_psql('postgres',
		"SELECT count(*), sum(fact.id) FROM fact JOIN dim ON dim.id = fact.dim_id
		  WHERE grp = 3 AND bloom_contains((SELECT bloom_agg(id) FROM dim WHERE grp = 3), dim_id)"),
	$local->safe_psql('postgres',
		"SELECT count(*), sum(fact.id) FROM fact JOIN dim ON dim.id = fact.dim_id WHERE grp = 3"),
	'the join is the same with and without the filter');

# A filter computed over there, and combined here.
my $plan = $local->safe_psql('postgres',
	"EXPLAIN (VERBOSE, COSTS OFF) SELECT bloom_agg(dim_id, 10000) FROM fact");
like($plan, qr/Remote SQL: SELECT public\.bloom_agg\(dim_id, .*\) FROM/, 'the aggregate is pushed down');
is( $local->safe_psql('postgres',
		"SELECT bloom_union_agg(f) = (SELECT bloom_agg(g::bigint, 10000) FROM generate_series(0, 9999) g)
		   FROM (SELECT bloom_agg(dim_id, 10000) AS f FROM fact
				 UNION ALL SELECT bloom_agg(id, 10000) FROM dim) parts"),
	't',
	'partial filters from both servers make the filter of all values');

done_testing();
