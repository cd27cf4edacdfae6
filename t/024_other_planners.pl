# Join filters beside other extensions that hook into the planner, in both orders.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $library = Module::build('hints');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "max_parallel_workers_per_gather = 0\njit = off\ncompute_query_id = on\n");
$node->start;
my ($host, $port) = ($node->host, $node->port);
$node->safe_psql('postgres', "
	CREATE EXTENSION bloomfilter;
	CREATE EXTENSION postgres_fdw;
	CREATE SERVER remote FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host '$host', port '$port', dbname 'postgres', extensions 'bloomfilter');
	CREATE USER MAPPING FOR PUBLIC SERVER remote OPTIONS (password_required 'false');
	CREATE TABLE sale AS SELECT i / 200 AS day, i AS id, repeat('w', 32) AS wide FROM generate_series(0, 99999) AS i;
	CREATE FOREIGN TABLE far (day int, id int, wide text) SERVER remote OPTIONS (table_name 'sale');
	CREATE TABLE day AS SELECT i AS id, i / 30 AS month FROM generate_series(0, 499) AS i;
	ANALYZE sale, far, day;
");

my %order = (
	'the other hook inside' => "LOAD '$library'; LOAD 'bloomfilter';",
	'the other hook outside' => "LOAD 'bloomfilter'; SET bloomfilter.join_filters = on; LOAD '$library';");
my $costs = 'SET seq_page_cost = 20; SET random_page_cost = 80; SET cpu_tuple_cost = 0.2; SET cpu_index_tuple_cost = 0.1; SET cpu_operator_cost = 0.05;';
my $sql = 'SELECT sale.* FROM sale JOIN day ON day.id = sale.day WHERE month IN (10, 11)';

foreach my $name (sort keys %order)
{
	my $run = sub { $node->safe_psql('postgres', "$order{$name} $costs SET bloomfilter.join_filter_min_rows = 50000; $_[0]") };
	my $explain = "SET enable_nestloop = off; EXPLAIN (COSTS OFF) $sql";

	like($run->("SET bloomfilter.join_filters = on; $explain"), qr/Bloom Filter Key/, "$name: on");
	unlike($run->("SET bloomfilter.join_filters = on; SET hints.join_filters = off; $explain"), qr/Bloom Filter Key/, 'a hint turns it off');
	like($run->("SET bloomfilter.join_filters = on; SET bloomfilter.join_filters = off; SET hints.join_filters = on; $explain"),
		qr/Bloom Filter Key/, 'a hint turns it on');

	# the plan with a filter for the other server is the one that was made last; the keys are planned aside
	my $remote = $sql =~ s/sale/far/gr;
	my $on = 'SET bloomfilter.join_filters = on';
	my $counts = "SELECT current_setting('hints.identified'), current_setting('hints.unidentified')";
	like($run->("$on; EXPLAIN (VERBOSE, COSTS OFF) $remote"), qr/Remote SQL: .*bloomfilter_may_match/, 'a query that is planned again');
	is($run->("$on; SET hints.identified = 0; SET hints.unidentified = 0; PREPARE q AS $remote; EXPLAIN (COSTS OFF) EXECUTE q; $counts")
		=~ s/.*\n//sr, $name =~ /inside/ ? '2|2' : '2|0', 'counts as one, beside the query that counts');
	is($run->("$on; EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) $remote") =~ /"Query Identifier": (-?\d+)/ && $1 != 0, 1,
		'whose plan has its identifier');

	# what the other hook runs meanwhile is not what is asked about
	foreach my $statement ('SELECT count(*) FROM day a JOIN day b USING (id)', "SELECT count(*) FROM bloom_join_filters('SELECT 1')")
	{
		is($run->("$on; SET enable_nestloop = off; SET hints.statement = \$\$$statement\$\$;
			SELECT join_type, verdict FROM bloom_join_filters('$_->[0]')"), $_->[1], "$statement, first")
			foreach ([ $sql, 'Hash Join|filter' ], [ $remote, "Hash Join|no filter\nForeign Table|filter" ]);
	}
}

# a hook that plans another query in its place
foreach my $name (sort keys %order)
{
	my ($status, $output, $error) = $node->psql('postgres',
		"$order{$name} SET bloomfilter.join_filters = on; SET hints.copies = on; SELECT verdict FROM bloom_join_filters('$sql')");
	is($name =~ /inside/ ? $output : $error =~ /ERROR:  (.*)/ && $1,
		$name =~ /inside/ ? 'filter' : 'another extension planned the query without bloomfilter', "$name: a copy of the query is planned");
}

# The hooks are there once join filters were first asked for.
$node->safe_psql('postgres', "CREATE FUNCTION outermost() RETURNS boolean LANGUAGE c AS '$library', 'hints_outermost'");
my $outermost = 'SELECT outermost()';
is($node->safe_psql('postgres', "LOAD '$library'; LOAD 'bloomfilter'; SELECT bloom_cardinality(bloom_agg(i)) FROM generate_series(1, 10) AS i; $outermost"),
	"10\nt", 'who uses the type has no hook');
is($node->safe_psql('postgres', "LOAD '$library'; LOAD 'bloomfilter'; SET bloomfilter.join_filters = off; $outermost"), 't', 'nor who turns filters off');
is($node->safe_psql('postgres', "LOAD '$library'; LOAD 'bloomfilter'; SET bloomfilter.join_filters = on; $outermost"), 'f', 'who turns them on has one');
is($node->safe_psql('postgres', "LOAD '$library'; SET bloomfilter.join_filters = on; LOAD 'bloomfilter'; $outermost"), 'f', 'also by a setting before the library is loaded');
is($node->safe_psql('postgres', "LOAD '$library'; LOAD 'bloomfilter'; SELECT count(*) FROM bloom_join_filters('SELECT 1'); $outermost"), "1\nf",
	'and who asks why there is no filter');

done_testing();
