# Evidence: where statistics are kept, what of them parallel workers, sessions
# that end and crashes leave, and what goes when there is no room.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my @hash_joins = ('SET enable_nestloop = off', 'SET enable_mergejoin = off', 'SET bloomfilter.join_filters = force',
	'SET bloomfilter.join_filter_min_rows = 0');
my @parallel = ('SET max_parallel_workers_per_gather = 2', 'SET min_parallel_table_scan_size = 0',
	'SET parallel_setup_cost = 0', 'SET parallel_tuple_cost = 0');
my $serial = 'SET max_parallel_workers_per_gather = 0';
my $query = 'SELECT count(*) FROM big JOIN keys USING (k)';
my $counts = "SELECT executions, rows_tested, scope FROM bloom_stat_join_filters WHERE relname = 'big'";

sub make_node
{
	my ($name, @settings) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', join("\n", 'restart_after_crash = on', 'max_worker_processes = 8', @settings, ''));
	$node->start;
	$node->safe_psql(
		'postgres', q{
		CREATE EXTENSION bloomfilter;
		CREATE TABLE big AS SELECT i AS id, i % 5000 AS k FROM generate_series(1, 200000) AS i;
		CREATE TABLE keys AS SELECT i * 25 AS k FROM generate_series(1, 20) AS i;
		ANALYZE;
	});
	return $node;
}

# What each of the statements printed, in a session with hash joins.
sub in_session
{
	my ($node, @statements) = @_;
	my @outcomes = Session::run($node->connstr('postgres'), @hash_joins, @statements);

	return map { $_->{output} } @outcomes[ scalar(@hash_joins) .. $#outcomes ];
}

sub last_in_session
{
	return (in_session(@_))[-1];
}

# What EXPLAIN ANALYZE says of the rows tested, by all processes.
sub rows_tested
{
	my ($plan) = @_;
	my $sum = 0;

	$sum += $1 while $plan =~ /"Rows Tested by Bloom Filter": (\d+)/g;
	return $sum;
}

sub counted_rows
{
	return (split(/\|/, shift))[1];
}

my $shared = make_node('shared', "shared_preload_libraries = 'bloomfilter'", 'bloomfilter.stat_entries = 10');
my $plain = make_node('plain');
my $has_segments = $plain->pg_version >= 17;

#
# What all see
#

in_session($shared, $serial, $query);
is($shared->safe_psql('postgres', $counts), '1|199999|shared', 'a session sees what another did');
is($shared->safe_psql('postgres', 'SHOW bloomfilter.stat_entries'), '10', 'the setting is that of the server');
$shared->safe_psql('postgres', 'CREATE DATABASE other');
is( $shared->safe_psql('other', 'CREATE EXTENSION bloomfilter; SELECT count(*) FROM bloom_stat_join_filters'),
	'0', 'a database has statistics of its own');
$shared->safe_psql('other', 'SELECT bloom_stat_reset()');
is($shared->safe_psql('postgres', $counts), '1|199999|shared', 'which are reset alone');

in_session($plain, $serial, $query);
is( $plain->safe_psql('postgres', $counts),
	$has_segments ? '1|199999|shared' : '',
	'without shared_preload_libraries that depends on the version');
is( last_in_session($plain, 'SELECT bloom_stat_reset()', $serial, $query, $counts),
	$has_segments ? '1|199999|shared' : '1|199999|session',
	'but a session sees what itself did');

#
# Workers
#

foreach my $node ($shared, $has_segments ? $plain : ())
{
	my (@told) = in_session($node, 'SELECT bloom_stat_reset()', @parallel,
		"EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) $query", $counts);

	like($told[-2], qr/"Workers Launched": 2/, $node->name . ': there are workers');
	# EXPLAIN rounds what it shows per process
	cmp_ok(abs(rows_tested($told[-2]) * 3 - counted_rows($told[-1])), '<', 3, $node->name . ': what they tested is counted');
	like($told[-1], qr/^1\|/, $node->name . ': and the execution once');
}

#
# Sessions that end
#

$shared->safe_psql('postgres', 'SELECT bloom_stat_reset()');
my $slow = 'SELECT count(pg_sleep(CASE WHEN big.id = 125025 THEN 600 ELSE 0 END)) FROM big JOIN keys USING (k)';
my $session = Session::start($shared->connstr('postgres'), @hash_joins, $serial, "/* slow */ $slow");
$shared->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
  or die 'the query does not sleep';
is($shared->safe_psql('postgres', $counts), '', 'what is running is not counted yet');
$shared->safe_psql('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
Session::abandon($session);
$shared->poll_query_until('postgres', "SELECT count(*) = 1 FROM bloom_stat_join_filters WHERE relname = 'big'")
  or die 'nothing was counted';
like($shared->safe_psql('postgres', $counts), qr/^1\|1[0-9]{5}\|shared$/, 'a session that is ended leaves its counts');

#
# No room
#

$shared->safe_psql('postgres', 'SELECT bloom_stat_reset()');
$shared->safe_psql('postgres', join(';', map { "CREATE TABLE t$_ AS SELECT * FROM big LIMIT 1000; ANALYZE t$_" } 0 .. 11));
in_session($shared, $serial, map { "SELECT count(*) FROM t$_ JOIN keys USING (k)" } 0 .. 8, 0, 9 .. 11);
is( $shared->safe_psql('postgres',
		"SELECT string_agg(relname, ' ' ORDER BY substr(relname, 2)::int), min(evicted), max(evicted) FROM bloom_stat_join_filters"),
	't0 t3 t4 t5 t6 t7 t8 t9 t10 t11|2|2', 'the tables used the longest ago go');
is( $shared->safe_psql('postgres', "SELECT executions FROM bloom_stat_join_filters WHERE relname = 't0'"),
	'2', 'the others keep their counts');

#
# Crashes, while sessions count and read
#

sub connect_again
{
	my ($node) = @_;
	my $patience = 10 * $PostgreSQL::Test::Utils::timeout_default;

	while ($patience-- > 0)
	{
		return if $node->psql('postgres', 'SELECT 1') == 0;
		select(undef, undef, undef, 0.1);
	}
	die 'the server does not come back';
}

foreach my $round (1 .. 5)
{
	my $load = join(';', @hash_joins, $serial, ("SELECT count(*) FROM t$round JOIN keys USING (k)") x 20000);
	my @sessions = map { Session::start($shared->connstr('postgres'), $load) } 1 .. 3;
	my $victim = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%JOIN keys%' AND pid <> pg_backend_pid() LIMIT 1";

	$shared->poll_query_until('postgres', "SELECT count(*) > 0 FROM bloom_stat_join_filters WHERE relname = 't$round'")
	  or die 'nothing is counted';
	kill 'KILL', $shared->safe_psql('postgres', $victim);
	Session::abandon($_) foreach @sessions;
	connect_again($shared);
	my $before = $shared->safe_psql('postgres', 'SELECT count(*), coalesce(sum(evicted), 0) FROM bloom_stat_join_filters');
	is($before, '0|0', "crash $round: statistics begin anew");
	in_session($shared, $serial, $query);
	is($shared->safe_psql('postgres', $counts), '1|199999|shared', "crash $round: and count");
}
$shared->restart;
is($shared->safe_psql('postgres', 'SELECT count(*) FROM bloom_stat_join_filters'), '0', 'a restart does the same');

done_testing();
