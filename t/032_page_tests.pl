# Rows that join filters test on their pages: a test that is cancelled half-way, scans
# that begin where others are, and reads of many pages at once.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

# So few buffers that the tables are large to the server, which then synchronizes their
# scans.
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf(
	'postgresql.conf', q{
	shared_buffers = '16MB'
	max_connections = 20
	autovacuum = off
	jit = off
	synchronize_seqscans = off
	enable_nestloop = off
	enable_mergejoin = off
	max_parallel_workers_per_gather = 0
	session_preload_libraries = 'bloomfilter'
	bloomfilter.join_filters = on
	bloomfilter.join_filter_min_rows = 0
});
$node->start;
my $connstr = $node->connstr('postgres');
my $major = int($node->safe_psql('postgres', 'SHOW server_version_num') / 10000);

# Of f, 60 rows of 60,000 have a partner in d.
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE d AS SELECT i * 1000 AS k FROM generate_series(1, 60) AS i;
	CREATE TABLE f AS SELECT i AS k, i % 7 AS v, repeat('.', 150) AS filler FROM generate_series(1, 60000) AS i;
	ANALYZE d, f;
});
my $join = 'SELECT f.k, (f.ctid::text::point)[0]::int AS page FROM f JOIN d USING (k)';

# The operators of a type whose hash function does what test.effect says with the value
# 30500, which has no partner, in the middle of a page.  The scan's condition does not
# let its row pass: so only a test on the page hashes it.
$node->safe_psql(
	'postgres', q{
	CREATE TYPE slow;
	CREATE FUNCTION slow_in(cstring) RETURNS slow LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'int4in';
	CREATE FUNCTION slow_out(slow) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'int4out';
	CREATE TYPE slow (INPUT = slow_in, OUTPUT = slow_out, LIKE = int);
	CREATE CAST (int AS slow) WITHOUT FUNCTION;
	CREATE CAST (slow AS int) WITHOUT FUNCTION;
	CREATE FUNCTION slow_eq(slow, slow) RETURNS bool LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'int4eq';
	CREATE OPERATOR = (FUNCTION = slow_eq, LEFTARG = slow, RIGHTARG = slow, COMMUTATOR = =, HASHES, RESTRICT = eqsel, JOIN = eqjoinsel);
	CREATE FUNCTION slow_hash(value slow) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS $$
	DECLARE
		what text := current_setting('test.effect', true);
	BEGIN
		IF value::int = 30500 AND what = 'wait' THEN
			RAISE LOG 'slow_hash waits';
			LOOP
				PERFORM pg_sleep(0.02);
			END LOOP;
		ELSIF value::int = 30500 AND what = 'fail' THEN
			RAISE EXCEPTION 'the hash function fails' USING ERRCODE = '22000';
		END IF;
		RETURN hashint4(value::int);
	END $$;
	CREATE OPERATOR CLASS slow_ops DEFAULT FOR TYPE slow USING hash AS OPERATOR 1 =, FUNCTION 1 slow_hash(slow);
	CREATE TABLE slow_d AS SELECT k::slow FROM d;
	CREATE TABLE slow_f AS SELECT k::slow, v, filler FROM f;
	ANALYZE slow_d, slow_f;
});
my $slow = 'SELECT count(*), sum(k::int) FROM slow_f JOIN slow_d USING (k) WHERE k::int <> 30500';
my $answer = '60|1830000';
my @parallel = ('SET max_parallel_workers_per_gather = 2', 'SET min_parallel_table_scan_size = 0', 'SET parallel_setup_cost = 0', 'SET parallel_tuple_cost = 0');

foreach my $how (['serial'], [ 'parallel', @parallel ])
{
	my ($name, @settings) = @$how;
	my $offset = -s $node->logfile;
	my $session = Session::start($connstr, @settings, q{SET test.effect = 'wait'}, $slow, q{SET test.effect = ''}, $slow);

	$node->wait_for_log(qr/slow_hash waits/, $offset);
	$node->safe_psql('postgres', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'active' AND pid <> pg_backend_pid()");
	my @outcomes = Session::finish($session);
	is($outcomes[-3]->{sqlstate}, '57014', "$name: a test on a page is cancelled");
	is($outcomes[-1]->{output}, $answer, "$name: the next scan returns all rows");

	@outcomes = Session::run($connstr, @settings, q{SET test.effect = 'wait'}, q{SET statement_timeout = '500ms'}, $slow, 'RESET statement_timeout', q{SET test.effect = ''}, $slow);
	is($outcomes[-4]->{sqlstate}, '57014', "$name: it ends at a timeout");
	is($outcomes[-1]->{output}, $answer, "$name: and the next scan returns all rows");
}

# Another scan of the table goes on behind one that failed.
my @outcomes = Session::run($connstr, 'BEGIN', "DECLARE c CURSOR FOR SELECT k::int FROM slow_f JOIN slow_d USING (k) WHERE k::int <> 30500", 'FETCH 20 FROM c',
	'SAVEPOINT a', q{SET test.effect = 'fail'}, $slow, 'ROLLBACK TO a', 'MOVE ALL FROM c', $slow, 'COMMIT');
is($outcomes[5]->{sqlstate}, '22000', 'a test on a page fails');
is($outcomes[2]->{output}, join("\n", map { 1000 * $_ } 1 .. 20), 'a cursor before it');
is($outcomes[8]->{output}, $answer, 'the scan after it');

# A scan begins where another one is, and returns what is before that at the end.
my $synchronized = 'SET synchronize_seqscans = on';
@outcomes = Session::run($connstr, $synchronized, 'BEGIN', 'DECLARE c CURSOR FOR SELECT FROM f', 'MOVE 40000 FROM c', $join, 'COMMIT');
my @rows = map { [ split /\|/ ] } split /\n/, $outcomes[4]->{output};
my @pages = map { $_->[1] } @rows;
my @turns = grep { $pages[$_] < $pages[ $_ - 1 ] } 1 .. $#pages;
is(scalar(@rows), 60, 'a synchronized scan returns all rows');
is_deeply([ sort { $a <=> $b } map { $_->[0] } @rows ], [ map { 1000 * $_ } 1 .. 60 ], 'each once');
cmp_ok($pages[0], '>', 500, 'it begins where the other one is');
is(scalar(@turns), 1, 'and goes on at the beginning of the table');
is($node->safe_psql('postgres', "$synchronized; SELECT count(*) FROM ($join LIMIT 7) AS few"), 7, 'a synchronized scan that ends early');

# What is not in memory: as many pages are read as without filters, and as many at once:
# so reading ahead is left to the server.  It counts that from 18 on.
my $counts_reads = $major >= 18;

sub reads
{
	my ($filters) = @_;
	my %found;

	$node->restart;
	$node->safe_psql('postgres', q{SELECT pg_stat_reset_single_table_counters('f'::regclass)});
	$node->safe_psql('postgres', q{SELECT pg_stat_reset_shared('io')}) if $counts_reads;
	$found{rows} = $node->safe_psql('postgres', "SET bloomfilter.join_filters = $filters; SELECT count(*) FROM f JOIN d USING (k)");
	$found{pages} = $node->safe_psql('postgres', q{SELECT heap_blks_read FROM pg_statio_user_tables WHERE relname = 'f'});
	$found{reads} = $node->safe_psql('postgres', q{SELECT sum(reads) FROM pg_stat_io WHERE backend_type = 'client backend' AND context = 'bulkread'}) if $counts_reads;
	return \%found;
}

my ($off, $on) = map { reads($_) } qw(off on);
my $pages = $node->safe_psql('postgres', "SELECT pg_relation_size('f') / 8192");
foreach my $found ($off, $on)
{
	is("$found->{rows} rows, $found->{pages} pages", "60 rows, $pages pages", 'every page is read once');
	cmp_ok(2 * $found->{reads}, '<', $pages, 'several pages at once') if $counts_reads;
}
cmp_ok($on->{reads}, '<=', 1.1 * $off->{reads}, 'as many as without filters') if $counts_reads;

$node->stop;
done_testing();
