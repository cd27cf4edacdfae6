# Evidence: where statistics are kept, what of them parallel workers, sessions
# that end and crashes leave, what goes when there is no room; how EXPLAIN tells
# of trials, and what the guard does.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my @hash_joins = ("LOAD 'bloomfilter'", 'SET enable_nestloop = off', 'SET enable_mergejoin = off', 'SET bloomfilter.join_filters = force',
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
	$node->append_conf('postgresql.conf', join("\n", 'jit = off', 'restart_after_crash = on', 'max_worker_processes = 8', @settings, ''));
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

	# that of a process; on a busy machine, not all workers have begun before all is read
	$sum += $1 * $2 while $plan =~ /"Actual Loops": (\d+)(?:(?!"Node Type").)*?"Rows Tested by Bloom Filter": (\d+)/gs;
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
is( $shared->safe_psql('other', 'CREATE EXTENSION bloomfilter; SELECT count(*) FROM bloomfilter_stat_tables()'),
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
	cmp_ok(abs(rows_tested($told[-2]) - counted_rows($told[-1])), '<', 3, $node->name . ': what they tested is counted');
	like($told[-1], qr/^1\|/, $node->name . ': and the execution once');
}

# queries of a function that workers call, not of the worker's part of the plan
$shared->safe_psql(
	'postgres', q{
	CREATE TABLE small AS SELECT i AS k FROM generate_series(1, 100) AS i;
	ANALYZE small;
	CREATE FUNCTION ask(int) RETURNS bigint LANGUAGE plpgsql PARALLEL SAFE AS 'BEGIN RETURN (SELECT count(*) FROM small JOIN keys USING (k)); END';
});
is( last_in_session($shared, 'SELECT bloom_stat_reset()', @parallel, 'SET parallel_leader_participation = off',
		'SELECT sum(ask(id)) FROM big WHERE id <= 40', "SELECT executions, filters, rows_tested FROM bloom_stat_join_filters WHERE relname = 'small'"),
	'40|40|3960', 'each query of a function in workers is an execution');

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
# Trials and the guard
#

# An own operator whose hash function takes time: a filter that drops no row
# calls it twice as often.  It sleeps, so that times differ likewise on a busy
# machine.
$shared->safe_psql(
	'postgres', q{
	CREATE FUNCTION slow_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
	BEGIN
		PERFORM pg_sleep(0.001);
		RETURN hashint4($1);
	END $$;
	CREATE FUNCTION slow_equal(int, int) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'int4eq';
	CREATE OPERATOR === (FUNCTION = slow_equal, LEFTARG = int, RIGHTARG = int, COMMUTATOR = ===, HASHES,
		RESTRICT = eqsel, JOIN = eqjoinsel);
	CREATE OPERATOR CLASS slow_ops FOR TYPE int USING hash AS OPERATOR 1 === (int, int), FUNCTION 1 slow_hash(int);
	CREATE TABLE few AS SELECT i % 10 AS k, i % 2 AS part FROM generate_series(1, 20) AS i;
	CREATE TABLE one AS SELECT i AS k FROM generate_series(0, 9) AS i;
	ANALYZE few, one;
});
my $with = 'SET bloomfilter.join_filter_trial = 1e-300';
my $without = 'SET bloomfilter.join_filter_trial = 1';
my $slow_join = 'SELECT count(*) FROM few JOIN one ON few.k === one.k';
my $trial = "SELECT executions_with, executions_without, verdict, guarded_since IS NOT NULL FROM bloom_join_filter_trials WHERE query LIKE '%===%'";
my @reset = ($serial, 'SELECT bloom_stat_reset()');

sub explained
{
	my ($node, @statements) = @_;
	my $script = join(";\n", @hash_joins, @statements) . ';';
	my ($code, $stdout, $stderr) = $node->psql('postgres', $script);

	return "$stdout\n$stderr";
}

like(explained($shared, $without, "EXPLAIN $slow_join"), qr/planned without join filters \(trial\)/, 'EXPLAIN tells of a trial');
like(explained($shared, $without, "EXPLAIN ANALYZE $slow_join"), qr/planned without join filters \(trial\)/, 'EXPLAIN ANALYZE, too');
like(explained($shared, $without, "PREPARE p AS $slow_join", 'EXPLAIN (FORMAT JSON) EXECUTE p'),
	qr/planned without join filters \(trial\)/, 'and of a prepared statement');
unlike(explained($shared, $with, "EXPLAIN $slow_join"), qr/planned without/, 'not where there are filters');

my @told = in_session($shared, @reset, $with, ($slow_join) x 16, $without, ($slow_join) x 15, $trial, $slow_join, $trial,
	$with, "EXPLAIN (COSTS OFF) $slow_join", $slow_join, $trial);
is((grep { /\|/ } @told)[0], '16|15|too few|f', 'before there are enough executions, nothing is decided');
is((grep { /\|/ } @told)[1], '16|16|slower|t', 'then the guard knows that filters make the query slower');
unlike($told[-3], qr/bloomfilter/, 'and plans it without');
is($told[-1], '16|16|slower|t', 'which is not counted');
like(explained($shared, $serial, $with, "EXPLAIN $slow_join"), qr/planned without join filters \(guard\)/, 'in all sessions, and EXPLAIN tells');
unlike(explained($shared, $serial, $with, 'SET bloomfilter.join_filter_guard = off', "EXPLAIN $slow_join"),
	qr/planned without/, 'unless it is switched off');
unlike(explained($shared, $serial, "EXPLAIN $slow_join"), qr/planned without/, 'or there are no trials');

is($shared->safe_psql('other', 'SELECT count(*) FROM bloom_join_filter_trials'), '0', 'another database has none of these trials');

# a plan that is kept: with filters until the guard knows, then without, then
# tried again
@told = in_session($shared, @reset, 'SET plan_cache_mode = force_generic_plan', "PREPARE p AS $slow_join",
	$without, ('DISCARD PLANS', 'EXECUTE p') x 16, $with, ('DISCARD PLANS', 'EXECUTE p') x 15,
	'EXPLAIN (COSTS OFF) EXECUTE p', 'DISCARD PLANS', 'EXECUTE p', 'EXPLAIN (COSTS OFF) EXECUTE p',
	'SET bloomfilter.join_filter_guard_time = 1', 'SELECT pg_sleep(1.1)', 'EXECUTE p', 'EXPLAIN (COSTS OFF) EXECUTE p', $trial);
like((grep { /Hash Join/ } @told)[0], qr/bloomfilter/, 'a plan that is kept has filters');
unlike((grep { /Hash Join/ } @told)[1], qr/bloomfilter/, 'until the guard replaces it');
like((grep { /Hash Join/ } @told)[2], qr/bloomfilter/, 'for some time, after which it is tried again');
is($told[-1], '0|0|too few|f', 'and counted anew');

# within one long statement, which has had plans replaced when the guard acted
@told = in_session($shared, @reset, 'SET plan_cache_mode = force_generic_plan',
	(map { "CREATE FUNCTION arm_$_() RETURNS bigint LANGUAGE plpgsql AS \$\$ DECLARE n bigint; BEGIN $slow_join INTO n; RETURN n; END \$\$" } qw(with without)),
	q{CREATE PROCEDURE long() LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM set_config('bloomfilter.join_filter_trial', '1', false);
		FOR i IN 1 .. 16 LOOP DISCARD PLANS; PERFORM arm_without(); END LOOP;
		PERFORM set_config('bloomfilter.join_filter_trial', '1e-300', false);
		FOR i IN 1 .. 16 LOOP DISCARD PLANS; PERFORM arm_with(); END LOOP;
		PERFORM arm_with();
		PERFORM set_config('bloomfilter.join_filter_guard_time', '1', false), pg_sleep(1.1);
		FOR i IN 1 .. 3 LOOP PERFORM arm_with(); END LOOP;
	END $$},
	'CALL long()', $trial);
is($told[-1], '2|0|too few|f', 'its end is acted on');

# All plans of the session are made anew when the guard acts, once and not in each
# call of a function whose plan lives as long as the query.  Another function's
# plan is counted by what is folded in planning.
@told = in_session($shared, @reset, 'SET plan_cache_mode = force_generic_plan', 'CREATE SEQUENCE plannings',
	q{CREATE FUNCTION planned() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT nextval('plannings') $$},
	q{CREATE FUNCTION other() RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE n bigint; BEGIN SELECT count(*) INTO n FROM one WHERE k = planned(); RETURN n; END $$},
	# from 18 on the plan of such a function is kept, too
	(map { "CREATE FUNCTION slow_$_() RETURNS bigint LANGUAGE sql VOLATILE AS \$\$ $slow_join \$\$" } qw(before join)),
	$without, ('DISCARD PLANS', 'SELECT slow_before()') x 16, $with, ('DISCARD PLANS', 'SELECT slow_before()') x 15, 'SELECT other()', "SELECT setval('plannings', 1, false)",
	'SELECT count(slow_join() + other()) FROM generate_series(1, 40)', $trial, "SELECT last_value || ' plannings' FROM plannings");
is((grep { /\|/ } @told)[0], '16|16|slower|t', 'the guard acts while a query calls a function again and again');
cmp_ok((split(' ', $told[-1]))[0], '<=', 4, 'and has the plans of the session made anew once');

# slower for one of two parameters, and not for most executions
@told = in_session($shared, @reset, (map { ($_, ("SELECT count(*) FROM few JOIN one ON few.k === one.k WHERE few.part < 0") x 12,
	("SELECT count(*) FROM few JOIN one ON few.k === one.k WHERE few.part < 2") x 5) } $with, $without), $trial);
is($told[-1], '17|17|no difference seen|f', 'a query that is slower for some parameters is judged as a whole');

# executions of one plan resemble each other: all of them are one plan
@told = in_session($shared, @reset, 'SET plan_cache_mode = force_generic_plan',
	(map { ($_->[1], "PREPARE $_->[0] AS $slow_join", ("EXECUTE $_->[0]") x 17) } [ 'p', $with ], [ 'q', $without ]), $trial,
	'SELECT plans_with, plans_without, mean_ms_with > 1.2 * mean_ms_without FROM bloom_join_filter_trials');
is($told[-2], '17|17|too few|f', 'a plan that is kept decides nothing alone');
is($told[-1], '1|1|t', 'and counts once, by the mean of its executions');

# a plan that is kept and that another role executes
@told = in_session($shared, @reset, 'CREATE ROLE other_role', 'GRANT SELECT ON few, one TO other_role', 'SET plan_cache_mode = force_generic_plan',
	$with, "PREPARE p AS $slow_join", 'EXECUTE p', 'SET ROLE other_role', 'EXECUTE p', 'RESET ROLE',
	"SELECT string_agg((pg_get_userbyid(userid) = current_user) || ' ' || executions_with, ', ') FROM bloom_join_filter_trials");
is($told[-1], 'true 2', 'counts for the role that it was made for');

# The guard looks when there are 16 further plans of both kinds.  First half of
# the executions of both kinds are quick, then most with filters are slow.
my ($quick, $full) = map { "SELECT count(*) FROM few JOIN one ON few.k === one.k WHERE few.part < $_ AND one.k < 5 * $_" } 0, 2;
@told = grep { /\|/ } in_session($shared, @reset, (map { ($_, ($quick, $full) x 8) } $with, $without), $trial,
	$with, ($full) x 60, $trial, $without, ($quick, $full) x 7, $quick, $trial, $full, $trial);
is($told[0], '16|16|no difference seen|f', 'at first there is no difference');
is($told[1], '76|16|slower|f', 'the guard does not look at each execution');
is($told[2], '76|31|slower|f', 'not while there are fewer than 16 plans more');
is($told[3], '76|32|slower|t', 'but then');

# What is older than two periods is forgotten.
my @next_period = ('SET bloomfilter.join_filter_guard_time = 1', 'SELECT pg_sleep(1.1)', $with, $full, 'RESET bloomfilter.join_filter_guard_time');
@told = grep { /\|/ } in_session($shared, @reset, 'SET bloomfilter.join_filter_guard = off', (map { ($_, ($quick) x 20) } $with, $without),
	@next_period, $trial, ($full) x 15, $without, ($full) x 16, $trial, @next_period, @next_period, $trial,
	'RESET bloomfilter.join_filter_guard', ($full) x 14, $without, ($full) x 16, $trial);
like($told[0], qr/^21\|20\|/, 'a period that ends leaves its counts');
is($told[1], '36|36|no difference seen|f', 'while they count, they hide that filters make the query slower now');
is($told[2], '18|16|slower|f', 'when the next ends, they are forgotten; that after it has too few to end');
is($told[3], '32|32|slower|t', 'so that the guard acts');

# who has no shared memory has trials of the session
is( last_in_session($plain, $serial, $without, $query, "SELECT executions_without, scope FROM bloom_join_filter_trials"),
	$has_segments ? '1|shared' : '1|session', 'a session counts its own trials');

#
# Shared memory that cannot be had
#

# what workers need is there, what statistics need is more
my $poor = make_node('poor', 'min_dynamic_shared_memory = 4MB', 'bloomfilter.stat_entries = 100000');
my $segments = $poor->data_dir . '/pg_dynshmem';
$poor->append_conf('postgresql.conf', 'dynamic_shared_memory_type = mmap');
$poor->restart;
chmod(0500, $segments) or die "chmod $segments: $!";
my $offset = -s $poor->logfile;
is(last_in_session($poor, $serial, $query, $query, $counts), '2|399998|session', 'without it no query fails');
is( scalar(() = slurp_file($poor->logfile, $offset) =~ /statistics of bloomfilter are of this session alone/g),
	$has_segments ? 1 : 0, 'and the log tells, once in a session');
is( last_in_session($poor, $serial, 'BEGIN', $query, 'SAVEPOINT s', $query, 'ROLLBACK TO s', $counts),
	'2|399998|session', 'a transaction goes on');
@told = in_session($poor, @parallel, "EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) $query", $query);
like($told[-2], qr/"Workers Launched": 2/, 'there are workers');
is($told[-1], '800', 'nor does a query with workers');
chmod(0700, $segments) or die "chmod $segments: $!";
$poor->stop;

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

# Of all kinds: join filters, filter indexes and trials.
sub crash
{
	my ($node, $round) = @_;
	my $name = $node->name . ", crash $round";
	my $load = join(';', @hash_joins, $serial, 'SET bloomfilter.join_filter_trial = 0.5', 'SET enable_seqscan = off',
		("SELECT count(*) FROM crashed JOIN keys USING (k); SELECT count(*) FROM crashed WHERE k = 77") x 20000);
	my @sessions = map { Session::start($node->connstr('postgres'), $load) } 1 .. 3;
	my $victim = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%FROM crashed%' AND pid <> pg_backend_pid() LIMIT 1";

	$node->poll_query_until('postgres', q{
		SELECT EXISTS (SELECT FROM bloom_stat_join_filters WHERE relname = 'crashed') AND
			EXISTS (SELECT FROM bloom_stat_indexes WHERE indexrelname = 'crashed_bf' AND lookups > 0) AND
			EXISTS (SELECT FROM bloom_join_filter_trials WHERE query LIKE '%crashed%')})
	  or die 'nothing is counted';
	kill 'KILL', $node->safe_psql('postgres', $victim);
	Session::abandon($_) foreach @sessions;
	connect_again($node);
	my $before = $node->safe_psql('postgres', q{
		SELECT (SELECT count(*) FROM bloom_stat_join_filters), (SELECT count(*) FROM bloom_stat_indexes WHERE lookups > 0),
			(SELECT count(*) FROM bloom_join_filter_trials)});
	is($before, '0|0|0', "$name: statistics begin anew");
	in_session($node, $serial, $query);
	is($node->safe_psql('postgres', $counts), '1|199999|shared', "$name: and count");
}

foreach my $node ($shared, $has_segments ? $plain : ())
{
	$node->safe_psql(
		'postgres', q{
		CREATE TABLE crashed AS SELECT i AS id, i % 100 AS k FROM generate_series(1, 1000) AS i;
		CREATE INDEX crashed_bf ON crashed USING bloomfilter (k);
		ANALYZE crashed;
	});
	crash($node, $_) foreach 1 .. 3;
}
$shared->restart;
is($shared->safe_psql('postgres', 'SELECT count(*) FROM bloom_stat_join_filters'), '0', 'a restart does the same');

done_testing();
