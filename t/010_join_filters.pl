# Join filters in the life of a server: cached plans that outlive the extension,
# standbys, other libraries with hooks of their own, workers that come late or
# not at all, statements that end half-way.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use SharedSession;
use Test::More;

my $off = 'SET bloomfilter.join_filters = off;';
my $force = 'SET bloomfilter.join_filters = force; SET bloomfilter.join_filter_min_rows = 0;';
my $hash_joins = 'SET enable_nestloop = off; SET enable_mergejoin = off;';
my $serial = 'SET max_parallel_workers_per_gather = 0;';
my $parallel = 'SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;';
my $join = 'SELECT count(*), sum(b.id) FROM big b JOIN keys k ON b.k = k.k';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "jit = off\nmax_worker_processes = 16\nsynchronize_seqscans = off\n");
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE big AS SELECT i AS id, i % 5000 AS k, i % 100 AS g, 't' || i % 5000 AS t FROM generate_series(1, 50000) AS i;
	CREATE TABLE many AS SELECT i AS id, i % 5000 AS k FROM generate_series(1, 150000) AS i;
	CREATE TABLE keys AS SELECT i * 25 AS k, 't' || i * 25 AS t, i % 3 AS x FROM generate_series(1, 200) AS i;
	CREATE TABLE days AS SELECT '2000-01-01'::date + i % 50 AS d, i AS n FROM generate_series(1, 500) AS i;
	CREATE TABLE times AS SELECT '2000-01-01'::timestamp + i % 60 * '1 day'::interval AS t, i % 5000 AS k FROM generate_series(1, 20000) AS i;
	ANALYZE;
	CREATE ROLE somebody;
	GRANT SELECT ON ALL TABLES IN SCHEMA public TO somebody;
});
my $load = "LOAD 'bloomfilter';";

my $main = SharedSession->new($node);

# sql STATEMENTS: in a session with the library
sub sql
{
	my ($statements, $server) = @_;
	return ($server // $main)->run($load . $statements);
}

sub plan_of
{
	my ($settings, $query, $options) = @_;
	$options //= 'COSTS OFF';
	return sql("$settings EXPLAIN ($options) $query");
}

sub sorted
{
	return join("\n", sort(split(/\n/, $_[0])));
}

# is_same NAME SETTINGS QUERY [PATTERN]: the same rows as without filters, and a
# plan like that
sub is_same
{
	my ($name, $settings, $query, $pattern) = @_;

	is(sorted(sql("$settings $force $query")), sorted(sql("$settings $off $query")), "$name: the same rows");
	like(plan_of("$settings $force", $query), $pattern // qr/bloomfilter build/, "$name: a filter");
	return;
}

#
# Off, and without the library
#

my $without = $node->safe_psql('postgres', "$serial EXPLAIN (VERBOSE) $join");
is(sql("$serial EXPLAIN (VERBOSE) $join"), $without, 'loaded, and off by default: the plan is what it was');
is($node->safe_psql('postgres', "$serial SET bloomfilter.join_filters = force; EXPLAIN (VERBOSE) $join"),
	$without, 'set, and not loaded: likewise');
like($node->safe_psql('postgres', "$serial $force LOAD 'bloomfilter'; EXPLAIN $join"),
	qr/bloomfilter build/, 'what was set before loading counts after it');
is(sql('SHOW bloomfilter.join_filters'), 'off', 'default of join_filters');
is(sql('SHOW bloomfilter.join_filter_min_rows'), '100000', 'default of join_filter_min_rows');
is(sql('SHOW bloomfilter.join_filter_memory'), '64MB', 'default of join_filter_memory');
unlike(plan_of("$serial SET bloomfilter.join_filters = on;", $join), qr/Bloom/, 'on: not for a table as small as this');
foreach my $setting ('join_filters = maybe', 'join_filter_min_rows = -1', 'join_filter_memory = 0')
{
	my ($outcome) = (Session::run($node->connstr('postgres'), "LOAD 'bloomfilter'", "SET bloomfilter.$setting"))[1];
	is($outcome->{sqlstate}, '22023', "$setting is refused");
}

#
# Kinds of joins and of execution
#

is_same('serial', "$serial $hash_joins", $join);
is_same('text', "$serial $hash_joins", 'SELECT b.id FROM big b JOIN keys k ON b.t = k.t');
is_same('below GROUP BY', "$serial $hash_joins",
	'SELECT * FROM (SELECT k, count(*) AS n FROM big GROUP BY k) b JOIN keys k USING (k)',
	qr/HashAggregate\n.*\n *->  Custom Scan \(bloomfilter probe\)/);
is_same('spilling', "$serial $hash_joins SET work_mem = '64kB'; SET hash_mem_multiplier = 1;",
	'SELECT b.id, c.id FROM big b JOIN (SELECT * FROM big WHERE g < 30) c ON b.id = c.k');
is_same('below a merge join that goes back', "$serial SET enable_nestloop = off;",
	'SELECT d.n, count(*) FROM days d JOIN (SELECT t.* FROM times t JOIN keys k ON t.k = k.k) t ON d.d = t.t GROUP BY 1',
	qr/Merge Join.*bloomfilter build/s);
is_same('cursors', "$serial $hash_joins", $join);
foreach my $cursor ('SCROLL CURSOR', 'SCROLL CURSOR WITH HOLD')
{
	my $fetch = "BEGIN; DECLARE c $cursor FOR SELECT b.id FROM big b JOIN keys k ON b.k = k.k; FETCH 7 FROM c; FETCH BACKWARD 3 FROM c;
		FETCH ALL FROM c; FETCH PRIOR FROM c; MOVE ABSOLUTE 5 IN c; FETCH RELATIVE 2 FROM c; FETCH FIRST FROM c; FETCH LAST FROM c; COMMIT;"
	  . ($cursor =~ /HOLD/ ? 'FETCH BACKWARD 5 FROM c;' : '');
	is(sql("$serial $hash_joins $force $fetch"), sql("$serial $hash_joins $off $fetch"), $cursor);
}
my $current = "BEGIN; DECLARE c CURSOR FOR SELECT b.id FROM big b JOIN keys k ON b.k = k.k WHERE k.k = 100 FOR UPDATE OF b;
	FETCH 2 FROM c; UPDATE big SET g = -1 WHERE CURRENT OF c; SELECT count(*) FROM big WHERE g = -1; ROLLBACK;";
is(sql("$serial $hash_joins $force $current"), sql("$serial $hash_joins $off $current"), 'WHERE CURRENT OF');
foreach my $writing (
	"CREATE TEMP TABLE t AS $join; TABLE t",
	"CREATE TEMP TABLE t (a bigint, b bigint); INSERT INTO t $join; TABLE t",
	"COPY ($join) TO STDOUT",
	"CREATE MATERIALIZED VIEW v AS $join; REFRESH MATERIALIZED VIEW v; TABLE v; DROP MATERIALIZED VIEW v",
	"BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY; $join; COMMIT",
	"DO \$\$ DECLARE r record; BEGIN FOR i IN 1..8 LOOP $join INTO r; END LOOP; PERFORM set_config('test.r', r::text, false); END \$\$;
		SELECT current_setting('test.r')")
{
	is(sql("$serial $hash_joins $force $writing"), sql("$serial $hash_joins $off $writing"), $writing);
}

SKIP:
{
	skip 'no JIT', 2 unless $node->safe_psql('postgres', 'SET jit = on; SELECT pg_jit_available()') eq 't';
	is_same('JIT', "$serial $hash_joins SET jit = on; SET jit_above_cost = 0; SET jit_inline_above_cost = 0;
		SET jit_optimize_above_cost = 0;",
		'SELECT b.t, count(*), sum(b.id + k.k) FROM big b JOIN keys k ON b.k = k.k AND b.t = k.t WHERE b.g < 90 GROUP BY 1');
}

foreach my $format ('json', 'xml', 'yaml')
{
	foreach my $more ('', ', ANALYZE', ', VERBOSE')
	{
		my $plan = plan_of("$serial $hash_joins $force", $join, "FORMAT $format$more");
		like($plan, qr/bloomfilter build/, "EXPLAIN (FORMAT $format$more)");
		next unless $format eq 'json';
		is($node->safe_psql('postgres', "SELECT json_typeof(\$plan\$$plan\$plan\$::json)"), 'array', '  which is JSON');
	}
}

#
# Plans that outlive what they were made with
#

is(sql("$serial $hash_joins $force SET plan_cache_mode = force_generic_plan; PREPARE p AS $join; EXECUTE p;
		$off EXECUTE p; DEALLOCATE p; PREPARE p AS $join; EXECUTE p"),
	join("\n", (sql("$serial $join")) x 3), 'a cached plan is right after SET ... off, and so is a new one');
like(sql("$serial $hash_joins $force SET plan_cache_mode = force_generic_plan; PREPARE p AS $join; EXECUTE p;
		$off EXPLAIN EXECUTE p"), qr/Bloom/, 'the cached one keeps its filter');
unlike(sql("$serial $hash_joins $force SET plan_cache_mode = force_generic_plan; PREPARE p AS $join; EXECUTE p;
		$off DISCARD PLANS; EXPLAIN EXECUTE p"), qr/Bloom/, 'the next planning has none');
is(sql("$serial $hash_joins $force SET plan_cache_mode = force_generic_plan; PREPARE p AS $join; EXECUTE p;
		REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC; SET ROLE somebody; EXECUTE p; $join; RESET ROLE;
		DROP EXTENSION bloomfilter; EXECUTE p; $join"),
	join("\n", (sql("$serial $join")) x 5), 'REVOKE and DROP EXTENSION do no harm');
like(plan_of("$serial $hash_joins $force", $join), qr/Bloom/, 'nor does it need the extension in this database');
$node->safe_psql('postgres', 'CREATE EXTENSION bloomfilter');
is(sql("$serial $hash_joins $force SET plan_cache_mode = force_generic_plan;
		PREPARE p (int) AS SELECT count(*) FROM big b JOIN keys k ON b.k = k.k AND k.x = \$1;
		EXECUTE p (0); EXECUTE p (1); EXECUTE p (0); ALTER TABLE keys ADD COLUMN y int; EXECUTE p (0); ALTER TABLE keys DROP COLUMN y;
		ANALYZE keys; EXECUTE p (1)"),
	sql("$serial $off PREPARE p (int) AS SELECT count(*) FROM big b JOIN keys k ON b.k = k.k AND k.x = \$1;
		EXECUTE p (0); EXECUTE p (1); EXECUTE p (0); EXECUTE p (0); EXECUTE p (1)"),
	'a generic plan, for one parameter after the other and after DDL');

#
# Parallel query
#

my $shared = qr/Gather.*Parallel Hash.*bloomfilter build/s;
is_same('Parallel Hash', "$parallel $hash_joins", $join, $shared);
is_same('Parallel Hash in many batches', "$parallel $hash_joins SET work_mem = '64kB'; SET hash_mem_multiplier = 1;",
	'SELECT count(*), sum(b.id) FROM big b JOIN (SELECT * FROM big WHERE g < 30) c ON b.id = c.k', $shared);
is_same('each worker its own hash table', "$parallel $hash_joins SET enable_parallel_hash = off;", $join, qr/Gather.*bloomfilter build/s);
is_same('no worker to be had', "$parallel $hash_joins SET max_parallel_workers = 0;", $join, $shared);
is_same('fewer workers than planned', "$parallel $hash_joins SET max_parallel_workers = 1; SET max_parallel_workers_per_gather = 4;", $join, $shared);
is_same('the leader does not help', "$parallel $hash_joins SET parallel_leader_participation = off;", $join, $shared);
is_same('no worker, and the leader would not help',
	"$parallel $hash_joins SET parallel_leader_participation = off; SET max_parallel_workers = 0;", $join, $shared);
is_same('Gather is scanned again', "$parallel SET enable_mergejoin = off; SET enable_material = off; SET enable_memoize = off;",
	'SELECT x, n FROM generate_series(1, 5) AS x
		LEFT JOIN LATERAL (SELECT count(*) AS n FROM big b JOIN keys k ON b.k = k.k AND b.g < 50 OFFSET 0) n ON x <> n',
	qr/Gather.*bloomfilter build/s);
is_same('two Gathers', "$parallel $hash_joins",
	"SELECT (SELECT count(*) FROM big b JOIN keys k ON b.k = k.k), (SELECT count(*) FROM big b JOIN keys k ON b.t = k.t)", $shared);
is_same('Gather Merge', "$parallel $hash_joins SET enable_hashagg = off;",
	'SELECT b.g, count(*) FROM big b JOIN keys k ON b.k = k.k GROUP BY b.g ORDER BY b.g', qr/bloomfilter build/);
is_same('above Gather', "$parallel $hash_joins",
	'SELECT b.id FROM (SELECT * FROM big WHERE g < 50 OFFSET 0) b JOIN (SELECT k FROM keys ORDER BY k LIMIT 50) k ON b.k = k.k', qr/bloomfilter build/);
is_same('Parallel Append', "$parallel $hash_joins",
	'SELECT count(*), sum(b.id) FROM (SELECT * FROM big UNION ALL SELECT * FROM big WHERE g = 1) b JOIN keys k ON b.k = k.k', qr/bloomfilter build/);
# 16 gave the setting another name
my $debug = $node->safe_psql('postgres', "SELECT name FROM pg_settings WHERE name IN ('debug_parallel_query', 'force_parallel_mode')");
is_same("$debug = $_", "$serial SET max_parallel_workers_per_gather = 2; $hash_joins SET $debug = $_;", $join) foreach ('on', 'regress');
# Three conditions that say the same: 25,000 keys where 60 are expected.  There is
# room for them, and for many more; but not for 150,000 in 64 kB, of which those that
# match come last.
my $too_low = 'SELECT count(*), sum(b.id) FROM big b JOIN (SELECT id AS k FROM big WHERE id % 2 = 0 AND g % 2 = 0 AND k % 2 = 0 AND length(t) > 1) k ON b.id = k.k';
my $too_many = 'SELECT count(*), sum(b.id) FROM big b JOIN (SELECT 150001 - id AS k FROM many WHERE id % 1 = 0 AND k % 1 = 0) k ON b.id = k.k';
my $little = "SET bloomfilter.join_filter_memory = '64kB';";
is_same('the estimate is far too low', "$parallel $hash_joins", $too_low, $shared);
is_same('too many keys for the memory', "$parallel $hash_joins $little", $too_many, $shared);
my $analyze = 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF';
unlike(plan_of("$parallel $hash_joins $force", $too_low, $analyze), qr/Too Many Keys/, 'all keys are in the filter');
like(plan_of("$parallel $hash_joins $force $little", $too_many, $analyze), qr/Too Many Keys: true/, 'there is no filter of too many');
is_same('nothing is hashed', "$parallel $hash_joins", 'SELECT b.id FROM big b JOIN keys k ON b.k = k.k AND k.x = 77 AND k.t > k.x::text', qr/Bloom/);

# What is dropped is dropped in the workers.
SKIP:
{
	my $plan = plan_of("$parallel $hash_joins $force", $join, 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF');
	skip 'no workers at the moment', 1 unless $plan =~ /Workers Launched: 2/;
	like($plan, qr/Rows Removed by Bloom Filter: [1-9]/, 'rows are dropped below Gather');
}

#
# Half-way
#

# The session's memory for filters, after an error in the middle.
my $memory = "SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'join filter'";
my %endings = (
	'a timeout while keys are gathered' =>
	  [ '57014', 'SELECT count(*) FROM big b JOIN (SELECT g FROM generate_series(1, 1000000000) g) k ON b.k = k.g' ],
	'a timeout while rows are dropped' =>
	  [ '57014', 'SELECT count(*) FROM (SELECT -a AS k FROM generate_series(1, 100000) a, generate_series(1, 100000) b OFFSET 0) b JOIN keys k ON b.k = k.k' ],
	'an error on the side that is hashed' =>
	  [ '22012', 'SELECT count(*) FROM big b JOIN (SELECT id + 1 / (id - 30000) AS k FROM big OFFSET 0) k ON b.k = k.k' ],
	'an error in a key' =>
	  [ '22012', 'SELECT count(*) FROM big b JOIN big k ON b.k = k.id / (k.g - 99)' ],
	'an error on the other side' =>
	  [ '22012', 'SELECT count(*) FROM (SELECT id + 1 / (id - 30000) AS k FROM big OFFSET 0) b JOIN keys k ON b.k = k.k' ]);
foreach my $how (sort keys %endings)
{
	foreach my $where ($serial, $parallel)
	{
		my ($sqlstate, $query) = @{ $endings{$how} };
		my $name = $how . ($where eq $parallel ? ', parallel' : '');
		my @outcomes = Session::run($node->connstr('postgres'), "LOAD 'bloomfilter'", "$where $hash_joins $force SET work_mem = '64MB'",
			'SET statement_timeout = 1000', $query, 'SET statement_timeout = 0', $memory, $join);
		is($outcomes[3]->{sqlstate}, $sqlstate, $name);
		cmp_ok($outcomes[3]->{ms}, '<', 15000, "$name: soon");
		is($outcomes[5]->{output}, '0', "$name: no memory is kept");
		is($outcomes[6]->{output}, sql("$serial $join"), "$name: the session goes on");
	}
}
is(sql("$serial $hash_joins $force DO \$\$
		DECLARE n bigint; BEGIN
		FOR i IN 1..3 LOOP
			BEGIN
				SELECT count(*) INTO n FROM big b JOIN (SELECT id + 1 / (id - 30000) AS k FROM big OFFSET 0) k ON b.k = k.k;
			EXCEPTION WHEN division_by_zero THEN
				SELECT count(*) INTO n FROM big b JOIN keys k ON b.k = k.k;
			END;
		END LOOP;
		PERFORM set_config('test.n', n::text, false);
	END \$\$; SELECT current_setting('test.n')"), '1990', 'an error that is caught');

# More keys than there may be memory for: no filter, and no error.
my $many = 'SELECT count(*), sum(b.id) FROM big b JOIN (SELECT id, k FROM big WHERE g < 90) c ON b.id = c.id';
foreach my $mode ($serial, $parallel)
{
	foreach my $cap ("SET bloomfilter.join_filter_memory = '64kB';", "SET work_mem = '64kB'; SET hash_mem_multiplier = 1;")
	{
		my $name = "$cap " . ($mode eq $parallel ? 'parallel' : 'serial');
		is(sql("$mode $hash_joins $force $cap $many"), sql("$serial $off $many"), "more keys than memory: $name");
	}
}
unlike(plan_of("$serial $hash_joins $force SET bloomfilter.join_filter_memory = '64kB';", $many, 'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF'),
	qr/Rows Removed by Bloom Filter: [1-9]/, 'nothing is dropped by a filter that is none');

#
# Other libraries with hooks, before and after
#

sub log_of
{
	my ($statements) = @_;
	my $start = -s $node->logfile;

	$node->safe_psql('postgres', $statements);
	return substr(slurp_file($node->logfile), $start);
}

foreach my $libraries ('bloomfilter, pg_stat_statements, auto_explain', 'auto_explain, pg_stat_statements, bloomfilter')
{
	$node->append_conf('postgresql.conf', "shared_preload_libraries = '$libraries'
pg_stat_statements.track_planning = on\ncompute_query_id = on\n");
	$node->restart;
	$node->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements; SELECT pg_stat_statements_reset()');
	my $log = log_of("$serial $hash_joins $force SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; $join");
	like($log, qr/Custom Scan \(bloomfilter build\)/, "$libraries: auto_explain shows filters");
	is($node->safe_psql('postgres', "SELECT plans, calls, rows FROM pg_stat_statements WHERE query LIKE 'SELECT count(*), sum(b.id)%'"),
		'1|1|1', "$libraries: pg_stat_statements counts as before");
	is($node->safe_psql('postgres', "$parallel $hash_joins $force $join"), $node->safe_psql('postgres', $join), "$libraries: with workers");
}
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''\nsession_preload_libraries = 'bloomfilter'\n");
$node->restart;
like($node->safe_psql('postgres', "$serial $hash_joins $force EXPLAIN $join"), qr/Bloom/, 'session_preload_libraries');
$node->safe_psql('postgres', 'ALTER ROLE somebody LOGIN; ALTER ROLE somebody SET bloomfilter.join_filters = force;
	ALTER ROLE somebody SET bloomfilter.join_filter_min_rows = 0');
like($node->safe_psql('postgres', "$serial $hash_joins EXPLAIN $join", connstr => $node->connstr('postgres') . ' user=somebody'),
	qr/Bloom/, 'ALTER ROLE ... SET');

#
# A standby
#

$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
my $on_standby = SharedSession->new($standby);
$main = SharedSession->new($node);
foreach my $mode ($serial, $parallel)
{
	is(sql("$mode $hash_joins $force $join", $on_standby), sql("$serial $join"), 'the same rows on a standby');
	like(sql("$mode $hash_joins $force EXPLAIN $join", $on_standby), qr/Bloom/, 'by a filter');
}

unlike(slurp_file($_->logfile), qr/TRAP:|PANIC:|terminated by signal/, $_->name . ': nothing crashed') foreach ($node, $standby);

done_testing();
