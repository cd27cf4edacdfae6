# VACUUM rebuilds groups of filter indexes all the time, while rows change and
# long scans go on: on the primary, through crashes, and on a standby.  No row
# is missing in any scan.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use StaleScan;
use Standby;
use Test::More;
use Time::HiRes qw(usleep);

my $directory = PostgreSQL::Test::Utils::tempdir_short;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1, extra => ['--data-checksums']);
$primary->append_conf('postgresql.conf', q{
	wal_consistency_checking = all
	autovacuum = off
	max_wal_senders = 4
	max_replication_slots = 1
	wal_level = logical
	wal_keep_size = 8GB
	jit = off
});
$primary->start;

# Rows up to 1,000 are stable, but for their places; the others get new values.
# find() looks for the stable rows, among many values that are absent, so that
# it reads each group for a while.
$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE t (id int, u uuid, n bigint, pad text) WITH (fillfactor = 70);
	ALTER TABLE t ALTER pad SET STORAGE PLAIN;
	-- before the rows, so that there are several groups
	CREATE INDEX t_bf ON t USING bloomfilter (u, n);
	INSERT INTO t SELECT g, md5(g::text)::uuid, g, repeat('x', 400) FROM (SELECT generate_series(1, 16000) g ORDER BY 1 DESC) s;
	CREATE INDEX t_id ON t (id);

	CREATE PROCEDURE work(start bigint) LANGUAGE plpgsql AS $$
	DECLARE
		ids int[] := ARRAY(SELECT 1001 + (start * 7919 + g * 104729) % 15000 FROM generate_series(1, 500) g);
		found bigint;
	BEGIN
		SET LOCAL enable_seqscan = off;
		UPDATE t SET u = md5(start::text || id)::uuid, n = start * 100000 + id WHERE id = ANY (ids);
		UPDATE t SET pad = pad WHERE id <= 1000 AND id % 50 = start % 50;
		COMMIT;
		SET LOCAL enable_seqscan = off;
		SET LOCAL enable_indexscan = off;
		SELECT count(*) INTO found FROM t WHERE u = ANY (ARRAY(SELECT md5(id::text)::uuid FROM unnest('{1,50,99,1000}'::int[]) id));
		IF found <> 4 THEN
			RAISE EXCEPTION 'lost: % of 4 are there', found;
		END IF;
	END $$;
	CREATE FUNCTION find() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		found bigint;
	BEGIN
		SET LOCAL enable_seqscan = off;
		SELECT count(*) INTO found FROM t WHERE u = ANY (ARRAY(SELECT md5(g::text)::uuid FROM generate_series(1, 1000) g) ||
			ARRAY(SELECT md5('absent ' || g)::uuid FROM generate_series(1, 200000) g));
		IF found <> 1000 THEN
			RAISE EXCEPTION 'lost: % of 1000 are there', found;
		END IF;
		RETURN 'all';
	END $$;

	-- the filter of a table, which wear.sql makes too small each time
	CREATE TABLE s (n bigint);
	INSERT INTO s SELECT generate_series(1, 3000);
	CREATE INDEX s_bf ON s USING bloomfilter (n) WITH (scope = 'table');
	CREATE FUNCTION see() RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		lost bigint;
	BEGIN
		SELECT count(*) INTO lost FROM s WHERE NOT bloom_index_contains('s_bf', n);
		IF lost > 0 THEN
			RAISE EXCEPTION 'lost: % are not there', lost;
		END IF;
		RETURN 'all';
	END $$;
	CREATE PROCEDURE add(value bigint) LANGUAGE plpgsql AS $$
	DECLARE
		found bigint;
	BEGIN
		INSERT INTO s VALUES (value);
		COMMIT;
		SET LOCAL enable_seqscan = off;
		SELECT count(*) INTO found FROM s WHERE n = value;
		IF found = 0 OR NOT bloom_index_contains('s_bf', value) THEN
			RAISE EXCEPTION 'lost: % is not there', value;
		END IF;
	END $$;
});
append_to_file("$directory/work.sql", "\\set start random(1, 1000000)\nCALL work(:start);\n");
append_to_file("$directory/find.sql", "SELECT find();\n");
append_to_file("$directory/vacuum.sql", "VACUUM t;\n");
append_to_file("$directory/add.sql", "\\set start random(1, 1000000000)\nCALL add(:start);\n");
append_to_file("$directory/see.sql", "SELECT see();\n");
append_to_file("$directory/wear.sql", "ALTER INDEX s_bf SET (expected_items = 1000);\nREINDEX INDEX s_bf;\nALTER INDEX s_bf RESET (expected_items);\nVACUUM s;\n");

# Each kind of client is a pgbench of its own, which tells what went wrong.
sub start_load
{
	my ($node, $seconds, %clients) = @_;
	my @loads;
	foreach my $script (sort keys %clients)
	{
		my %load = (output => '');
		$load{harness} = IPC::Run::start(
			[ 'pgbench', '-n', '-c', $clients{$script}, '-T', $seconds, '-f', "$directory/$script.sql", $node->connstr('postgres') ],
			'<', '/dev/null', '>&', \$load{output});
		push @loads, \%load;
	}
	return @loads;
}

# The number of transactions; an error counts as none.
sub end_load
{
	my ($name, @loads) = @_;
	my @transactions;
	foreach my $load (@loads)
	{
		$load->{harness}->finish;
		unlike($load->{output}, qr/lost|ERROR/, "$name: no error");
		push @transactions, $load->{output} =~ /transactions actually processed: (\d+)/ ? $1 : 0;
	}
	return @transactions;
}

sub rebuilt
{
	my ($node) = @_;
	return $node->safe_psql('postgres', "SELECT bloom_index_check('t_bf'), worst_group_false_positive_rate < 0.01 FROM bloom_index_info('t_bf')") . ' ' .
	  $node->safe_psql('postgres', "SELECT bloom_index_check('s_bf'), worn FROM bloom_index_info('s_bf')");
}

#
# Scans beside rebuilds
#

my @transactions = end_load('scans', start_load($primary, 3, work => 2, find => 2, vacuum => 1, add => 1, see => 1, wear => 1));
cmp_ok($_, '>', 0, 'each kind of client did something') foreach @transactions;
diag("rows added, finds, looks, vacuums, wears, changes: @transactions");
$primary->safe_psql('postgres', 'VACUUM t, s');
is(rebuilt($primary), '0|t 0|f', 'nothing is missing, and the index is as if new');

#
# Crashes
#

my $wrong = 0;
foreach my $round (1 .. 4)
{
	my @loads = start_load($primary, 60, work => 2, find => 1, vacuum => 1, add => 1, wear => 1);
	usleep(600_000 + 110_000 * $round);
	$primary->stop('immediate');
	$_->{harness}->finish foreach @loads;
	$wrong++ if grep { $_->{output} =~ /lost|damaged/ } @loads;
	$primary->start;
	my $missing = $primary->safe_psql('postgres', "SELECT bloom_index_check('t_bf'), find(), bloom_index_check('s_bf'), see()");
	diag("round $round: $missing") if $missing ne '0|all|0|all';
	$wrong++ if $missing ne '0|all|0|all';
}
is($wrong, 0, 'crashes: every row is found');
$primary->safe_psql('postgres', $_) foreach ('ALTER INDEX s_bf RESET (expected_items)', 'VACUUM t, s');
is(rebuilt($primary), '0|t 0|f', 'the next VACUUM completes what the crashes ended');

#
# VACUUM that is cancelled
#

# hold() waits in the rows with n = -1, in the first page, when VACUUM counts
# the values, and again when it fills the new filters
my $go = "$directory/go";
$primary->safe_psql(
	'postgres', qq{
	CREATE FUNCTION hold(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS \$\$
	DECLARE
		pass text := coalesce(current_setting('test.pass', true), '') || '+';
		go text := coalesce(current_setting('test.go', true), '$go');
	BEGIN
		IF n = -1 AND current_setting('test.hold', true) = 'on' THEN
			RAISE LOG 'pass %', pass;
			PERFORM set_config('test.pass', pass, false);
			WHILE pass = '++' AND pg_stat_file(go, true) IS NULL LOOP
				PERFORM pg_sleep(0.02);
			END LOOP;
		END IF;
		RETURN n;
	END \$\$;
	CREATE TABLE held (n int, v text, pad text) WITH (fillfactor = 40);
	INSERT INTO held VALUES (-1, 'first');
	INSERT INTO held SELECT g, 'v' || g, repeat('x', 90) FROM generate_series(1, 2600) g;
	CREATE INDEX held_bf ON held USING bloomfilter (v, hold(n));
	UPDATE held SET v = 'worn ' || n;
});

# Returns when it waits.
sub start_held
{
	my ($pass, $statement) = @_;
	my $offset = -s $primary->logfile;
	my $held = Session::start($primary->connstr('postgres'), "SET test.hold = 'on'", "SET test.pass = '$pass'", $statement);
	$primary->wait_for_log(qr/pass \+\+/, $offset);
	return $held;
}

sub end_held
{
	my ($held) = @_;
	append_to_file($go, 'go');
	my @outcomes = Session::finish($held);
	unlink($go);
	return $outcomes[2]->{sqlstate};
}

sub start_vacuum
{
	my ($table) = @_;
	return start_held('', "VACUUM $table");
}

my $vacuum = start_vacuum('held');
$primary->safe_psql('postgres', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'VACUUM held;'");
is(end_held($vacuum), '57014', 'VACUUM is cancelled while it fills');
is($primary->safe_psql('postgres', "INSERT INTO held VALUES (4000, 'later');
	SET enable_seqscan = off; SELECT n FROM held WHERE v = 'later'"), '4000', 'a row that comes then is found');
is($primary->safe_psql('postgres', "VACUUM held; SELECT bloom_index_check('held_bf'), worst_group_false_positive_rate < 0.006 FROM bloom_index_info('held_bf')"),
	'0|t', 'the next VACUUM does it');

#
# A row that is deleted before it is hashed, and whose value is gone
#

$primary->safe_psql('postgres', $_) foreach (
	'CREATE TABLE stored (n int, v text, pad text) WITH (fillfactor = 40)',
	'ALTER TABLE stored ALTER v SET STORAGE EXTERNAL',
	# all in the first page, with the row that VACUUM waits in
	q{INSERT INTO stored VALUES (-1, 'first')},
	q{INSERT INTO stored SELECT g, repeat(g || ' ', 3000) FROM generate_series(1, 20) g},
	q{INSERT INTO stored SELECT g, 'v' || g, repeat('x', 90) FROM generate_series(21, 2600) g},
	'CREATE INDEX stored_bf ON stored USING bloomfilter (v, hold(n))',
	q{UPDATE stored SET v = 'worn ' || n WHERE n > 20});
my $state = "SELECT range_false_positive_rate > 2 * target_false_positive_rate, bloom_index_check('stored_bf') FROM bloom_index_info('stored_bf')";
is($primary->safe_psql('postgres', $state), 't|0', 'an index is worn');
my $stored = $primary->safe_psql('postgres', "SELECT reltoastrelid::regclass FROM pg_class WHERE relname = 'stored'");
my $logged = -s $primary->logfile;
$vacuum = start_vacuum('stored');
$primary->safe_psql('postgres', $_) foreach ('DELETE FROM stored WHERE n = 20', "VACUUM $stored");
is(end_held($vacuum), '00000', 'VACUUM goes on');
like(slurp_file($primary->logfile, $logged), qr/WARNING:  could not rebuild filters of index "stored_bf": missing chunk/, 'and tells');
is($primary->safe_psql('postgres', $state), 't|0', 'the index is as it was');
is($primary->safe_psql('postgres', "VACUUM stored; $state"), 'f|0', 'the next VACUUM does it');

#
# A hash function that fails for VACUUM, as where that has another search_path
#

$primary->safe_psql('postgres', $_) foreach (
	'CREATE FUNCTION unhashed(v int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RETURN v; END$$',
	'CREATE FUNCTION own_hash(v int, seed bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE SET search_path = public
		AS $$BEGIN RETURN hashint4extended(unhashed(v), seed); END$$',
	'CREATE OPERATOR CLASS own_ops FOR TYPE int USING bloomfilter AS OPERATOR 1 =, FUNCTION 1 own_hash(int, bigint)',
	'CREATE TABLE hashed (v int) WITH (fillfactor = 40)',
	'INSERT INTO hashed SELECT g FROM generate_series(1, 2600) g',
	'CREATE INDEX hashed_bf ON hashed USING bloomfilter (v own_ops)',
	'UPDATE hashed SET v = v + 10000');
$state = "SELECT page_false_positive_rate > 0.01, bloom_index_check('hashed_bf') FROM bloom_index_info('hashed_bf')";
is($primary->safe_psql('postgres', $state), 't|0', 'an index by a function of its own is worn');
$logged = -s $primary->logfile;
$primary->safe_psql('postgres', $_) foreach (
	'ALTER FUNCTION own_hash SET search_path = pg_catalog', 'VACUUM hashed', 'ALTER FUNCTION own_hash SET search_path = public');
like(slurp_file($primary->logfile, $logged), qr/WARNING:  could not rebuild filters of index "hashed_bf": function unhashed/, 'VACUUM goes on');
is($primary->safe_psql('postgres', $state), 't|0', 'the index is as it was');
is($primary->safe_psql('postgres', "VACUUM hashed; $state"), 'f|0', 'VACUUM does it when the function can');

#
# A scan that read the directory before
#

# Meanwhile the slab that it is going to read is replaced, and its pages become
# another group's.
StaleScan::create($primary);
$primary->safe_psql(
	'postgres', qq{
	CREATE TABLE scanned (n int, pad text) WITH (fillfactor = 40);
	INSERT INTO scanned SELECT g, repeat('x', 90) FROM generate_series(1, 2800) g;
	CREATE INDEX scanned_bf ON scanned USING bloomfilter (n);
});
my $scan = StaleScan::start($primary, 'scanned_bf', 1500);
my $pages = "SELECT pages FROM bloom_index_info('scanned_bf')";
$primary->safe_psql('postgres', $_) foreach ('BEGIN; UPDATE scanned SET n = -n; ROLLBACK', 'VACUUM scanned');
my $before = $primary->safe_psql('postgres', $pages);
$primary->safe_psql('postgres', "INSERT INTO scanned SELECT g, repeat('x', 90) FROM generate_series(3001, 5900) g");
cmp_ok($primary->safe_psql('postgres', $pages), '<=', $before, 'the pages are given to another group');
is(StaleScan::finish($scan)->{output}, '1', 'the scan finds the page of the row');

# The same of the filter of a table, by what a newer one of the same size has in its place
$primary->safe_psql('postgres', $_) foreach (
	'CREATE UNLOGGED TABLE whole AS SELECT g AS n FROM generate_series(1, 3000) g',
	q{CREATE INDEX whole_bf ON whole USING bloomfilter (n) WITH (scope = 'table')});
$pages = "SELECT pages, expected_items FROM bloom_index_info('whole_bf')";
$scan = StaleScan::start($primary, 'whole_bf', $primary->safe_psql('postgres', 'SELECT bloom_hash(1500, 0)'), 'stale_contains');
foreach my $round (1, 2)
{
	$primary->safe_psql('postgres', $_)
	  foreach ("BEGIN; INSERT INTO whole SELECT generate_series($round * 1000000, $round * 1000000 + 150000); ROLLBACK", 'VACUUM whole');
	is($primary->safe_psql('postgres', $pages), '33|100000', 'the filter is made anew beside the old one');
}
is(StaleScan::finish($scan)->{output}, 't', 'the filter has the value');

#
# A standby
#

my $wait = "$directory/wait";
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = -1\nhot_standby_feedback = off\n");
$standby->start;

# Returns when a transaction there has its snapshot.
sub start_old
{
	my ($first, $query) = @_;
	Standby::catch_up($primary, $standby);
	my $old = Session::start($standby->connstr('postgres'), 'SET enable_seqscan = off', 'BEGIN ISOLATION LEVEL REPEATABLE READ',
		$first, Session::wait_for($wait), $query, 'COMMIT', $query);
	$standby->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'idle in transaction'");
	return $old;
}

# What it says first, what then, and what the next transaction says.
sub end_old
{
	my ($old) = @_;
	Standby::catch_up($primary, $standby);
	append_to_file($wait, 'go');
	my @outcomes = Session::finish($old);
	unlink($wait);
	return join(' ', map { $_->{output} } @outcomes[ 2, 4, 6 ]);
}

# A row that is deleted while VACUUM reads the table is left out of the new
# filters, because nobody on the primary can see it; a snapshot of the standby can.
$primary->safe_psql('postgres', "UPDATE held SET v = 'more ' || n WHERE n > 0");
my $old = start_old(("SELECT count(*) FROM held WHERE v = 'more 2500'") x 2);
$vacuum = start_vacuum('held');
$primary->safe_psql('postgres', 'DELETE FROM held WHERE n = 2500');
is(end_held($vacuum), '00000', 'VACUUM beside a deletion');
is(end_old($old), '1 1 0', 'an old snapshot of the standby finds the row');

# bloom_index_check there, which waits in the first page, does not count such
# rows.  It begins when VACUUM has pruned that page, which it pins.
$primary->safe_psql('postgres', "UPDATE held SET v = 'checked ' || n WHERE n > 0");
$vacuum = start_vacuum('held');
Standby::catch_up($primary, $standby);
my $check = Session::start($standby->connstr('postgres'), "SET test.hold = 'on'", "SET test.pass = '+'", "SET test.go = '$wait'",
	"SELECT bloom_index_check('held_bf')");
$standby->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
$primary->safe_psql('postgres', 'DELETE FROM held WHERE n BETWEEN 2000 AND 2400');
is(end_held($vacuum), '00000', 'VACUUM beside a deletion and a check of the standby');
Standby::catch_up($primary, $standby);
append_to_file($wait, 'go');
is((Session::finish($check))[3]->{output}, '0', 'the check misses no row');
unlink($wait);

# The same of the filter of a table.
sub make_small
{
	my ($index) = @_;
	$primary->safe_psql('postgres', $_)
	  foreach ("ALTER INDEX $index SET (expected_items = 1000)", "REINDEX INDEX $index", "ALTER INDEX $index RESET (expected_items)");
	return;
}
$primary->safe_psql('postgres', $_) foreach (
	'CREATE TABLE whole_held AS SELECT -1 AS n UNION ALL SELECT g FROM generate_series(1, 2600) g',
	q{CREATE INDEX whole_held_bf ON whole_held USING bloomfilter (hold(n)) WITH (scope = 'table')});
make_small('whole_held_bf');
$old = start_old(('SELECT (SELECT count(*) FROM whole_held WHERE hold(n) = 2500), bloom_index_contains(\'whole_held_bf\', 2500)') x 2);
$vacuum = start_vacuum('whole_held');
$primary->safe_psql('postgres', 'DELETE FROM whole_held WHERE n = 2500');
is(end_held($vacuum), '00000', 'VACUUM of the filter of a table beside a deletion');
is(end_old($old), '1|t 1|t 0|f', 'an old snapshot of the standby finds the row');
make_small('whole_held_bf');
$vacuum = start_vacuum('whole_held');
Standby::catch_up($primary, $standby);
$check = Session::start($standby->connstr('postgres'), "SET test.hold = 'on'", "SET test.pass = '+'", "SET test.go = '$wait'",
	"SELECT bloom_index_check('whole_held_bf')");
$standby->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
$primary->safe_psql('postgres', 'DELETE FROM whole_held WHERE n BETWEEN 2000 AND 2400');
is(end_held($vacuum), '00000', 'VACUUM of it beside a deletion and a check of the standby');
Standby::catch_up($primary, $standby);
append_to_file($wait, 'go');
is((Session::finish($check))[3]->{output}, '0', 'the check misses no row');
unlink($wait);

# A build leaves such rows out, too.  The slot keeps versions of rows in catalogs:
# if these were removed, the standby would wait for its old snapshots.
$primary->safe_psql(
	'postgres', q{
	SELECT pg_create_logical_replication_slot('catalogs', 'pgoutput');
	CREATE TABLE made (n int);
	CREATE TABLE made_table (n int);
	CREATE TABLE remade (n int);
	CREATE TABLE remade_table (n int);
	CREATE INDEX remade_bf ON remade USING bloomfilter (n);
	CREATE INDEX remade_table_bf ON remade_table USING bloomfilter (n) WITH (scope = 'table');
	INSERT INTO made VALUES (1), (77);
	INSERT INTO made_table TABLE made;
	INSERT INTO remade TABLE made;
	INSERT INTO remade_table TABLE made;
});
$old = start_old('SELECT 1', q{
	SELECT (SELECT count(*) FROM made WHERE n = 77), (SELECT count(*) FROM made_table WHERE n = 77),
		(SELECT count(*) FROM remade WHERE n = 77), (SELECT count(*) FROM remade_table WHERE n = 77),
		bloom_index_contains('made_table_bf', 77)});
$primary->safe_psql('postgres', $_)
  foreach ('DELETE FROM made WHERE n = 77; DELETE FROM made_table WHERE n = 77; DELETE FROM remade WHERE n = 77; DELETE FROM remade_table WHERE n = 77',
	'CREATE INDEX made_bf ON made USING bloomfilter (n)',
	q{CREATE INDEX made_table_bf ON made_table USING bloomfilter (n) WITH (scope = 'table')},
	'REINDEX TABLE remade',
	'REINDEX TABLE remade_table');
is(end_old($old), '1 1|1|1|1|t 0|0|0|0|f', 'old snapshots of the standby find rows that a build left out');

# CREATE INDEX CONCURRENTLY, with a row that comes during its first scan, and goes
# before the second, for whose beginning the lock lets it wait.
my $unlock = "$directory/unlock";
foreach my $scope ('ranges', 'table')
{
	my $table = "beside_$scope";
	$primary->safe_psql('postgres', "CREATE TABLE $table (n int); INSERT INTO $table VALUES (-1), (1)");
	my $build = start_held('+', "CREATE INDEX CONCURRENTLY ${table}_bf ON $table USING bloomfilter (hold(n)) WITH (scope = '$scope')");
	$primary->safe_psql('postgres', "INSERT INTO $table VALUES (77), (78)");
	my $locker = Session::start($primary->connstr('postgres'), 'BEGIN', "LOCK TABLE $table IN ROW EXCLUSIVE MODE",
		Session::wait_for($unlock), 'COMMIT');
	$primary->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE relation = '$table'::regclass AND mode = 'RowExclusiveLock'");
	append_to_file($go, 'go');
	$primary->poll_query_until('postgres', "SELECT indisready FROM pg_index WHERE indexrelid = '${table}_bf'::regclass");
	$old = start_old('SELECT 1', "SELECT count(*) FROM $table WHERE hold(n) = 77");
	$primary->safe_psql('postgres', "DELETE FROM $table WHERE n = 77");
	append_to_file($unlock, 'go');
	Session::finish($locker);
	unlink($unlock);
	is(end_held($build), '00000', "CREATE INDEX CONCURRENTLY, scope '$scope'");
	is($primary->safe_psql('postgres', "SELECT bloom_index_check('${table}_bf')"), '0', 'its second scan inserts what has come since');
	is(end_old($old), '1 1 0', 'an old snapshot of the standby finds what its second scan left out');
}
$primary->safe_psql('postgres', q{SELECT pg_drop_replication_slot('catalogs')});

# The same for a scan there that took its copy of the directory before, and finds
# the pages of the old filter given to another group.
$primary->safe_psql(
	'postgres', q{
	CREATE TABLE kept (n int, pad text) WITH (fillfactor = 40);
	INSERT INTO kept VALUES (-1, 'first');
	INSERT INTO kept SELECT g, repeat('x', 90) FROM generate_series(1, 2800) g;
	CREATE INDEX kept_bf ON kept USING bloomfilter (n, hold(n));
	UPDATE kept SET n = n + 10000 WHERE n > 0;
});
$primary->safe_psql('postgres', 'VACUUM kept; UPDATE kept SET n = n + 10000 WHERE n > 0');
Standby::catch_up($primary, $standby);
my $heap_pages = $standby->safe_psql('postgres', "SELECT pg_relation_size('kept') / current_setting('block_size')::int");
$scan = StaleScan::start($standby, 'kept_bf', 22500);
$vacuum = start_vacuum('kept');
$primary->safe_psql('postgres', 'DELETE FROM kept WHERE n = 22500');
is(end_held($vacuum), '00000', 'VACUUM beside a deletion and a scan of the standby');
$pages = "SELECT pages FROM bloom_index_info('kept_bf')";
$before = $primary->safe_psql('postgres', $pages);
$primary->safe_psql('postgres', "INSERT INTO kept SELECT g, repeat('x', 90) FROM generate_series(30001, 32900) g");
cmp_ok($primary->safe_psql('postgres', $pages), '<=', $before, 'the pages are given to another group');
Standby::catch_up($primary, $standby);
is(StaleScan::finish($scan)->{output}, $heap_pages, 'the scan reads the whole table');

# Scans there, while rebuilds are replayed; slowly, because consistency checking
# writes an image of every page
my @loads = start_load($primary, 7, work => 1, vacuum => 1, add => 1, wear => 1);
my @scans = end_load('scans on the standby', start_load($standby, 5, find => 2, see => 1));
end_load('changes with a standby', @loads);
cmp_ok($scans[0], '>', 0, "there were scans on the standby");
diag("scans on the standby: @scans");
Standby::catch_up($primary, $standby);
is($standby->safe_psql('postgres', "SELECT bloom_index_check('t_bf'), find(), bloom_index_check('s_bf'), see()"), '0|all|0|all', 'nothing is missing on the standby');
$standby->promote;
is($standby->safe_psql('postgres', "CALL work(77); CALL add(77); SELECT bloom_index_check('t_bf'), find(), bloom_index_check('s_bf'), see()"), '0|all|0|all', 'nor when it has taken over');
$standby->safe_psql('postgres', $_) foreach ('ALTER INDEX s_bf RESET (expected_items)', 'VACUUM t, s');
is(rebuilt($standby), '0|t 0|f', 'it rebuilds, too');
unlike(slurp_file($_->logfile), qr/inconsistent page found|invalid page|PANIC|TRAP|damaged/, $_->name . ': no damage') foreach ($primary, $standby);
$primary->stop;
$standby->stop;
command_ok([ 'pg_checksums', '--check', '-D', $_->data_dir ], 'checksums of the ' . $_->name) foreach ($primary, $standby);

#
# Rows that VACUUM removes although an old snapshot sees them
#

$primary->start;
if ($primary->safe_psql('postgres', q{SELECT count(*) FROM pg_settings WHERE name = 'old_snapshot_threshold'}) > 0)
{
	$primary->append_conf('postgresql.conf', 'old_snapshot_threshold = 0');
	$primary->restart;
	$primary->safe_psql('postgres', q{CREATE TABLE early AS SELECT g AS v, repeat('x', 90) AS pad FROM generate_series(1, 2000) g;
		CREATE INDEX early_bf ON early USING bloomfilter (v) WITH (scope = 'table');
		CREATE TABLE soon AS TABLE early;
		CREATE INDEX soon_bf ON soon USING bloomfilter (v) WITH (scope = 'table', expected_items = 1000);
		ALTER INDEX soon_bf RESET (expected_items)});
	my %old = map {
		$_ => Session::start($primary->connstr('postgres'), 'SET enable_seqscan = off', 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1',
			Session::wait_for($wait), $_, 'COMMIT')
	} (map { ("SELECT count(*) FROM $_ WHERE v = 77", "SELECT bloom_index_contains('${_}_bf', 77)", "SELECT bloom_index_filter('${_}_bf') @> 77") } 'early', 'soon');
	$primary->poll_query_until('postgres', "SELECT count(*) = 6 FROM pg_stat_activity WHERE state = 'idle in transaction'");
	$primary->safe_psql('postgres', 'DELETE FROM early WHERE v = 77; DELETE FROM soon WHERE v = 77');
	# what expires at once does so five seconds later
	sleep(6);
	$primary->safe_psql('postgres', $_) foreach ('SELECT pg_current_xact_id()', 'VACUUM early, soon', 'REINDEX INDEX early_bf');
	append_to_file($wait, 'go');
	is((Session::finish($old{$_}))[4]->{sqlstate}, '72000', "too old: $_") foreach sort keys %old;
}
$primary->stop;

done_testing();
