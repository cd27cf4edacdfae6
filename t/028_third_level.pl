# The third level of filter indexes: made and merged by VACUUM beside writers and scans,
# through crashes, on a standby, and damaged.  No row is missing in any scan.

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
my $go = "$directory/go";
my $wait = "$directory/wait";

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1, extra => ['--data-checksums']);
$primary->append_conf('postgresql.conf', q{
	wal_consistency_checking = all
	autovacuum = off
	wal_keep_size = 8GB
	shared_buffers = 64MB
	maintenance_work_mem = 1MB
	max_parallel_workers_per_gather = 0
	jit = off
	enable_seqscan = off
});
$primary->start;

# For many rows, each of which writes its page's image otherwise.
my $unchecked = "SET wal_consistency_checking = ''";

# Groups end early, so that there are many of them.  CREATE INDEX covers them all;
# cut_covers() takes them out again, so that VACUUM makes the third level.  It waits in
# the row with n = -1, in the first page, which has room for other rows, or, if that is
# in a cover that is merged, in the one with n = -2.
$primary->safe_psql(
	'postgres', qq{
	CREATE EXTENSION bloomfilter;
	CREATE FUNCTION hold(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS \$\$
	DECLARE
		go text := coalesce(current_setting('test.go', true), '$go');
	BEGIN
		IF current_setting('test.hold', true) = 'on' THEN
			RAISE LOG 'it holds';
			WHILE pg_stat_file(go, true) IS NULL LOOP
				PERFORM pg_sleep(0.02);
			END LOOP;
		END IF;
		RETURN n;
	END \$\$;
	CREATE TABLE t (n int, k int, pad text) WITH (fillfactor = 40);
	ALTER TABLE t ALTER pad SET STORAGE PLAIN;
	$unchecked;
	INSERT INTO t VALUES (-1, -1, '');
	INSERT INTO t SELECT g, g, repeat('x', 780) FROM generate_series(1, 17000) g;
	ALTER TABLE t SET (fillfactor = 90);
	INSERT INTO t SELECT g, g, '' FROM generate_series(17001, 500000) g;
	INSERT INTO t VALUES (-2, -2, '');
	INSERT INTO t SELECT g, g, '' FROM generate_series(500001, 1000000) g;
	RESET wal_consistency_checking;
	CREATE INDEX t_bf ON t USING bloomfilter (k, (CASE WHEN n < 0 THEN hold(n) ELSE n END));
	-- Pages of the index that lookups of absent values read, mean of 20
	CREATE FUNCTION pages() RETURNS float8 LANGUAGE plpgsql AS \$\$
	DECLARE
		plan json;
		pages float8 := 0;
	BEGIN
		FOR i IN 1 .. 20 LOOP
			EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json, TIMING off) SELECT FROM t WHERE k = ' || -100 - i INTO plan;
			plan := plan->0->'Plan'->'Plans'->0;
			pages := pages + (plan->>'Shared Hit Blocks')::int + (plan->>'Shared Read Blocks')::int;
		END LOOP;
		RETURN pages / 20;
	END \$\$;
});

StaleScan::create($primary);

sub sql
{
	my ($statement) = @_;
	return $primary->safe_psql('postgres', $statement);
}

# Returns when it waits.
sub start_vacuum
{
	my ($table) = @_;
	my $offset = -s $primary->logfile;
	my $vacuum = Session::start($primary->connstr('postgres'), "SET test.hold = 'on'", 'VACUUM ' . ($table // 't'));
	$primary->wait_for_log(qr/it holds/, $offset);
	return $vacuum;
}

sub let_go
{
	my ($session) = @_;
	append_to_file($go, 'go');
	my @outcomes = Session::finish($session);
	unlink($go);
	return $outcomes[1]->{sqlstate};
}

sub count
{
	my ($k) = @_;
	return sql("SELECT count(*) FROM t WHERE k = $k");
}

# Only so many groups have covers.
sub cut
{
	my ($index, $groups) = @_;
	sql("SELECT cut_covers('$index', $groups)");
	return;
}

# Covers, and whether they are of all groups but the last
sub covers
{
	my ($index) = @_;
	return sql("SELECT covers, covered_groups = groups - 1 FROM bloom_index_info('$index')");
}

#
# Crashes
#

is(sql('SELECT groups > 30, covered_groups = groups, covers, pages() < 12 FROM bloom_index_info(\'t_bf\')'),
	't|t|1|t', 'there are many groups, and CREATE INDEX covers them');
cut('t_bf', 0);
is(sql('SELECT pages() > 30'), 't', 'not any more');
my $vacuum = start_vacuum();
sql('UPDATE t SET k = 2000001 WHERE k = 1');
$primary->stop('immediate');
Session::abandon($vacuum);
$primary->start;
is(sql("SELECT pages() > 30, bloom_index_check('t_bf')"), 't|0', 'a crash ended VACUUM');
is(count(2000001), 1, 'a row that came meanwhile is found');
sql('UPDATE t SET k = 2000007 WHERE k = 2000001');
is(count(2000007), 1, 'and one that comes before the next VACUUM');

#
# Rows that come while VACUUM reads the table
#

# by who has a copy of the directory from before
my $writer = Session::start($primary->connstr('postgres'), 'UPDATE t SET k = 2000006 WHERE n = 6',
	Session::wait_for($wait), 'UPDATE t SET k = 2000004 WHERE n = 3');
$primary->poll_query_until('postgres', 'SELECT count(*) = 1 FROM t WHERE k = 2000006');
$vacuum = start_vacuum();
append_to_file($wait, 'go');
is((Session::finish($writer))[2]->{sqlstate}, '00000', 'a writer goes on beside VACUUM');
unlink($wait);
is(sql('SELECT ctid::text LIKE \'(0,%\' FROM t WHERE n = 3'), 't', 'its row comes into a page that has been read');
sql('UPDATE t SET k = 2000002 WHERE k = 2');
is(sql('SELECT ctid::text LIKE \'(0,%\' FROM t WHERE k = 2000002'), 't', 'a row comes into a page that has been read');
is(let_go($vacuum), '00000', 'VACUUM goes on');
is(sql('SELECT pages() < 12'), 't', 'the next VACUUM makes the third level');
is(covers('t_bf'), '1|t', 'of all groups but the last');
is(count(2000002), 1, 'the row is found');
is(count(2000004), 1, 'and that of the writer who had another directory');
sql('UPDATE t SET k = 2000003 WHERE k = 2000002');
is(sql('SELECT ctid::text LIKE \'(0,%\' FROM t WHERE k = 2000003'), 't', 'another row comes afterwards');
is(count(2000003), 1, 'it is found, too');
is(sql("SELECT bloom_index_check('t_bf')"), '0', 'nothing is missing');

#
# Rows that come while VACUUM merges covers
#

cut('t_bf', 8);
$writer = Session::start($primary->connstr('postgres'), 'UPDATE t SET k = 2000011 WHERE n = 11',
	Session::wait_for($wait), 'UPDATE t SET k = 2000012 WHERE n = 12');
$primary->poll_query_until('postgres', 'SELECT count(*) = 1 FROM t WHERE k = 2000011');
$vacuum = start_vacuum();
sql('UPDATE t SET k = 2000013 WHERE n = 13');
append_to_file($wait, 'go');
is((Session::finish($writer))[2]->{sqlstate}, '00000', 'a writer goes on beside a merge');
unlink($wait);
is(sql('SELECT count(*) FROM t WHERE n IN (12, 13) AND ctid < \'(100,0)\''), '2', 'rows come into a group that has been copied');
# a scan that knows the cover that is merged, beside one that does not wait; where rows
# are both wide and narrow, they find pages in vain, too
my $pages = StaleScan::finish(StaleScan::start($primary, 't_bf', 100000))->{output};
my $merged = StaleScan::start($primary, 't_bf', 100000);
is(let_go($vacuum), '00000', 'VACUUM goes on');
is(covers('t_bf'), '1|t', 'one cover takes the place of the old one');
is(StaleScan::finish($merged)->{output}, $pages, 'a scan that knows the old cover finds its row');
is(join(' ', map { count($_) } (2000011, 2000012, 2000013, 2000004)), '1 1 1 1', 'all rows are found');
is(sql("SELECT pages() < 12, bloom_index_check('t_bf')"), 't|0', 'nothing is missing after the merge');

# A crash while covers are merged
cut('t_bf', 8);
$vacuum = start_vacuum();
sql('UPDATE t SET k = 2000014 WHERE n = 14');
$primary->stop('immediate');
Session::abandon($vacuum);
$primary->start;
is(sql("SELECT covered_groups FROM bloom_index_info('t_bf')"), '8', 'a crash ended the merge');
sql('UPDATE t SET k = 2000015 WHERE n = 15');
is(join(' ', map { count($_) } (2000014, 2000015)), '1 1', 'rows of then and later are found');
sql('VACUUM t');
is(covers('t_bf'), '1|t', 'the next VACUUM merges them');
is(join(' ', map { count($_) } (2000014, 2000015)), '1 1', 'they are found then');
is(sql("SELECT bloom_index_check('t_bf')"), '0', 'nothing is missing after the crash');

# and a merge that is cancelled
cut('t_bf', 8);
$vacuum = start_vacuum();
sql('UPDATE t SET k = 2000018 WHERE n = 18');
sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'VACUUM t;'");
is((Session::finish($vacuum))[1]->{sqlstate}, '57014', 'a merge is cancelled');
sql('UPDATE t SET k = 2000019 WHERE n = 19');
is(covers('t_bf'), '1|f', 'the covers are the old ones');
is(join(' ', map { count($_) } (2000018, 2000019)), '1 1', 'rows of then and later are found');
sql('VACUUM t');
is(covers('t_bf'), '1|t', 'the next VACUUM merges them');
is(sql("SELECT count(*), bloom_index_check('t_bf') FROM t WHERE k IN (2000018, 2000019)"), '2|0', 'nothing is missing after the merge that was cancelled');

#
# Beside clients
#

append_to_file("$directory/work.sql", q{
\set n 10 + 4 * random(0, 4000) + :client_id
\set k random(3000000, 2000000000)
UPDATE t SET k = :k WHERE n = :n;
SELECT 1 / count(*) FROM t WHERE k = :k;
SELECT 1 / count(*) FROM t WHERE k = 900000 AND CASE WHEN n < 0 THEN hold(n) ELSE n END = 900000;
});
sql('CREATE INDEX t_n ON t (n)');
foreach my $round (1 .. 2)
{
	sql('REINDEX INDEX t_bf');
	cut('t_bf', 0);
	# the first round makes covers, the second merges them: with one that is sized for all
	# groups, not for the first, as CREATE INDEX does
	if ($round == 2)
	{
		sql('VACUUM t');
		cut('t_bf', 8);
	}
	my $output = '';
	my $load = IPC::Run::start([ 'pgbench', '-n', '-c', 4, '-T', 60, '-f', "$directory/work.sql", $primary->connstr('postgres') ],
		'<', '/dev/null', '>&', \$output);
	my $before = sql('SELECT count(*) FROM t WHERE k > 2999999');
	usleep(300_000);
	sql('VACUUM t');
	usleep(300_000);
	$primary->stop('immediate');
	$load->finish;
	unlike($output, qr/division|damaged/, "round $round: clients find their rows");
	$primary->start;
	isnt(sql('SELECT count(*) FROM t WHERE k > 2999999'), $before, "round $round: they changed rows");
	is(covers('t_bf'), '1|t', "round $round: VACUUM made one cover");
	is(sql("SELECT pages() < 12, bloom_index_check('t_bf')"), 't|0', "round $round: nothing is missing after a crash");
}
sql('DROP INDEX t_n');

#
# A scan that read the directory before
#

# The build knows few values of m in the first group, and so makes a bad cover.
# VACUUM makes a better one, and the next gives its page to the cover of n.
sql(qq{
	CREATE TABLE s (m int, n int, k int) WITH (autovacuum_enabled = off, fillfactor = 90);
	$unchecked;
	INSERT INTO s SELECT CASE WHEN g > 60000 OR g % 10000 = 0 THEN g END, NULL, g FROM generate_series(1, 600000) g;
	RESET wal_consistency_checking;
	CREATE INDEX s_bf ON s USING bloomfilter (m, n, (CASE WHEN k = 1 THEN hold(k) ELSE k END));
});
my $scan = StaleScan::start($primary, 's_bf', 30000);
# meanwhile, a row is appended: its group, the last, leaves the cover that is made anew
$vacuum = start_vacuum('s');
sql('INSERT INTO s VALUES (700001, NULL, 700001)');
is(let_go($vacuum), '00000', 'VACUUM makes a cover anew');
is(covers('s_bf'), '1|t', 'without the last group, which left it meanwhile');
is(sql("SELECT count(*), bloom_index_check('s_bf') FROM s WHERE m = 700001"), '1|0', 'its new row is found');
sql('UPDATE s SET n = 7 WHERE m = 30000');
$pages = sql("SELECT pages FROM bloom_index_info('s_bf')");
sql('VACUUM s');
is(sql("SELECT pages FROM bloom_index_info('s_bf')"), $pages, 'the page of an old cover is given to another');
is(StaleScan::finish($scan)->{output}, '1', 'a scan that knows an old cover finds the row');
is(sql("SELECT bloom_index_check('s_bf'), count(*) FROM s WHERE n = 7"), '0|1', 'nothing is missing there');
sql('DROP TABLE s');

#
# More groups than a cover has room for
#

sql(qq{
	CREATE TABLE r (a int[], pad text);
	$unchecked;
	INSERT INTO r SELECT ARRAY(SELECT g + i * 1000000 FROM generate_series(1, 16) i), repeat('x', 240) FROM generate_series(1, 370000) g;
	RESET wal_consistency_checking;
	CREATE INDEX r_bf ON r USING bloomfilter (a array_key_ops);
});

# Of a sample of rows, those that are found by one of their keys
sub found
{
	my ($first, $last, $step) = @_;
	return sql("SELECT sum(n) FROM (SELECT (SELECT count(*) FROM r WHERE a @> ARRAY[g]) AS n FROM generate_series($first, $last, $step) g) f");
}

is(sql("SELECT groups > 130, covers, covered_groups = groups FROM bloom_index_info('r_bf')"), 't|2|t', 'two covers, for more than 126 groups');
is(found(3001000, 3370000, 1000), 370, 'rows are found by them');
foreach my $cut ([ 100, 'the first is completed' ], [ 4, 'the first is made' ], [ 126, 'the second is made' ])
{
	my ($groups, $what) = @$cut;
	cut('r_bf', $groups);
	sql('VACUUM r');
	is(covers('r_bf'), '2|t', "from $groups groups: $what");
	is(found(3001000, 3370000, 1000), 370, "from $groups groups: rows are found");
}

# The table loses its end, where later other rows come, in groups that are covered.
my $size = sql("SELECT pg_relation_size('r')");
sql('DELETE FROM r WHERE a[1] > 1190000');
sql('VACUUM r');
cmp_ok(sql("SELECT pg_relation_size('r')"), '<', 0.6 * $size, 'the table is truncated');
sql("$unchecked; INSERT INTO r SELECT ARRAY(SELECT g + i * 1000000 FROM generate_series(20, 35) i), '' FROM generate_series(1, 60000) g");
is(found(22000100, 22060000, 100), 600, 'rows that come there are found');
sql('VACUUM r');
is(found(22000100, 22060000, 100), 600, 'after VACUUM, too');
is(sql("SELECT bloom_index_check('r_bf')"), '0', 'and none is missing');
sql('DROP TABLE r');

#
# A standby
#

$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = -1\nhot_standby_feedback = off\n");
$standby->start;

# A row that is deleted while VACUUM reads the table is left out of the third
# level, because nobody on the primary can see it; a snapshot of the standby can.
sql('REINDEX INDEX t_bf');
cut('t_bf', 0);
Standby::catch_up($primary, $standby);
my $query = 'SELECT count(*) FROM t WHERE k = 700000';
my $old = Session::start($standby->connstr('postgres'), 'BEGIN ISOLATION LEVEL REPEATABLE READ', $query,
	Session::wait_for($wait), $query, 'COMMIT', $query);
$standby->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND backend_xmin IS NOT NULL");
$vacuum = start_vacuum();
sql('DELETE FROM t WHERE k = 700000');
is(let_go($vacuum), '00000', 'VACUUM beside a deletion');
Standby::catch_up($primary, $standby);
append_to_file($wait, 'go');
is(join(' ', map { $_->{output} } (Session::finish($old))[ 1, 3, 5 ]), '1 1 0', 'an old snapshot of the standby finds the row');
unlink($wait);
is($standby->safe_psql('postgres', "SELECT pages() < 12, bloom_index_check('t_bf')"), 't|0', 'the standby has the third level');
# covers that are merged
cut('t_bf', 12);
sql('UPDATE t SET k = 2000016 WHERE n = 16');
sql('VACUUM t');
sql('UPDATE t SET k = 2000017 WHERE n = 17');
Standby::catch_up($primary, $standby);
is($standby->safe_psql('postgres', "SELECT count(*), bloom_index_check('t_bf') FROM t WHERE k IN (2000016, 2000017)"), '2|0', 'the standby has the merged cover');
$standby->promote;
$standby->safe_psql('postgres', 'UPDATE t SET k = 2000005 WHERE n = 800000');
is($standby->safe_psql('postgres', "SELECT count(*), bloom_index_check('t_bf') FROM t WHERE k = 2000005"), '1|0', 'and keeps it up after promotion');
$standby->stop;

#
# Damage
#

# In the directory's page of covers, after the page header; see t/022.
my $path = $primary->data_dir . '/' . sql("SELECT pg_relation_filepath('t_bf')");
$primary->stop;
system_or_bail('pg_checksums', '--disable', '-D', $primary->data_dir);
open(my $file, '+<:raw', $path) or die "$path: $!";
my ($covers, $page, $first, $contents);

sub read_at
{
	my ($place, $bytes) = @_;
	seek($file, $place, 0);
	read($file, my $result, $bytes) == $bytes or die "$path: $!";
	return $result;
}

sub write_at
{
	my ($place, $bytes) = @_;
	seek($file, $place, 0);
	print $file $bytes;
	$file->flush;
	return;
}

($covers, undef, $page) = unpack('L3', read_at(1608, 12));
$page *= 8192;
$first = unpack('L', read_at($page + 28, 4)) * 8192;
is($covers, 1, 'there is a row of covers');
foreach my $damage (
	[ 'a page of covers beyond the end', 1616, pack('L', 1000000) ],
	[ 'a page of covers at a slab', 1616, pack('L', 1) ],
	[ 'a cover more than there is', 1608, pack('L', 2) ],
	[ 'covered groups without a cover', 1608, pack('L', 0) ],
	[ 'more covered groups than groups', 1612, pack('L', 1000) ],
	[ 'more covers than covered groups', 1612, pack('L', 0) ],
	[ 'a cover of other groups', $page + 24, pack('L', 5) ],
	[ 'a cover beyond the end', $page + 28, pack('L', 1000000) ],
	[ 'a cover without blocks', $page + 36, pack('L', 0) ],
	[ 'a cover of more groups than there can be', $page + 40, pack('S', 127) ],
	[ 'a cover of fewer groups', $page + 40, pack('S', 3) ],
	[ 'a cover with a second level', $page + 42, "\1" ],
	[ 'a cover without bits', $page + 44, "\0" ],
	[ 'a new cover of a row that is too far', 836, pack('L', 2) ],
	[ 'a new cover of no row', 840, pack('L6', 0, 1, 7, 0, 0, 0), 'nobody looks at it' ],
	[ 'a new cover without blocks', 836, pack('L7', 0, 0, 1, 7, 0, 0, 0), 'VACUUM takes it out' ],
	[ 'a cover of another number', $page + 32, pack('L', 9999) ])
{
	my ($name, $place, $bytes, $mended) = @$damage;
	my $kept = read_at($place, length($bytes));
	write_at($place, $bytes);
	$primary->start;
	my $logged = -s $primary->logfile;
	my @outcomes = Session::run($primary->connstr('postgres'), "SET statement_timeout = '60s'",
		'SELECT count(*) FROM t WHERE k = 900000', "SELECT bloom_index_check('t_bf')", 'VACUUM t');
	my $expected = $mended && $mended =~ /nobody/ ? '00000' : 'XX002';
	is($outcomes[1]->{sqlstate}, $expected, "$name: a lookup raises an error, or needs not");
	is($outcomes[2]->{sqlstate}, $expected, "$name: so does the check");
	is($outcomes[3]->{sqlstate}, '00000', "$name: VACUUM goes on");
	my $warns = slurp_file($primary->logfile, $logged) =~ /WARNING:  could not rebuild filters of index "t_bf"/;
	is($warns, $mended ? '' : 1, "$name: and warns, or needs not");
	$primary->stop;
	write_at($place, $kept);
}
my $kept = read_at($first, 8192);
write_at($first + 64, "\0" x 8112);
$primary->start;
isnt(sql("SELECT bloom_index_check('t_bf')"), '0', 'a cover that has lost bits: the check tells');
$primary->stop;
write_at($first, $kept);
close($file);
$primary->start;
is(sql("SELECT pages() < 12, bloom_index_check('t_bf')"), 't|0', 'without the damage all is well');
$primary->stop;

done_testing();
