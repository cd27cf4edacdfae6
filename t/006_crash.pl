# Crashes while filters are written: every commit that a client was told of is
# there afterwards, on the crashed server and on a standby that takes over, and
# nothing is there by halves.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;
use Time::HiRes qw(usleep);

my $directory = PostgreSQL::Test::Utils::tempdir_short;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', "fsync = on\nrestart_after_crash = on\n");
$primary->start;
$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;

	-- the n-th filter: in turn small, in line; sparse, out of line; dense, out of line
	CREATE FUNCTION filter(n int) RETURNS bloomfilter LANGUAGE plpgsql IMMUTABLE AS $$
	BEGIN
		RETURN CASE n % 3
			WHEN 0 THEN (SELECT bloom_agg(n * 1000 + g, 50) FROM generate_series(0, 49) g)
			WHEN 1 THEN (SELECT bloom_agg(n * 1000 + g, 100000) FROM generate_series(0, 299) g)
			ELSE (SELECT bloom_agg(n * 1000 + g, 3000, 1e-6) FROM generate_series(0, 299) g) END;
	END $$;

	CREATE TABLE inserted (n int PRIMARY KEY, f bloomfilter);
	CREATE TABLE loaded (batch int, n int, f bloomfilter);
	CREATE TABLE pairs (n int PRIMARY KEY, f bloomfilter, f_again bloomfilter);
	CREATE TABLE growing (id text PRIMARY KEY, f bloomfilter);
	INSERT INTO growing VALUES ('sparse', bloom_create(100000)), ('dense', bloom_create(2000));
	CREATE TABLE deleted (n int PRIMARY KEY, f bloomfilter);
	INSERT INTO deleted SELECT n, filter(n) FROM generate_series(1, 2000) n;
});

# Commits wait for the standby, so that it knows of all that clients know of.
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;
$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'\n");
$primary->reload;
$primary->poll_query_until('postgres', "SELECT sync_state FROM pg_stat_replication", 'sync')
  or die 'the standby does not follow';

#
# Writers
#

# Each writes until its server is gone, one commit after the other.  What psql
# has reported of a statement, it was told of.
my $many = 2000;
my $load = "$directory/load";
my %write = (
	inserted => sub { "INSERT INTO inserted VALUES ($_[0], filter($_[0]))" },
	loaded => sub { "COPY loaded FROM '$load." . $_[0] % 10 . "' (FORMAT " . ($_[0] % 2 ? 'binary' : 'text') . ')' },
	pairs => sub {
		"DO \$\$ BEGIN
			INSERT INTO pairs VALUES ($_[0], filter($_[0]));
			UPDATE pairs SET f_again = filter($_[0]) WHERE n = $_[0];
			IF $_[0] % 5 = 0 THEN
				DELETE FROM pairs WHERE n = $_[0] - 4;
			END IF;
		END \$\$"
	},
	growing => sub { "UPDATE growing SET f = bloom_add(f, $_[0])" },
	deleted => sub { "DELETE FROM deleted WHERE n = $_[0]" },
	checkpoint => sub { $_[0] % 3 == 0 ? 'CHECKPOINT' : 'VACUUM growing' });
$primary->safe_psql('postgres', qq{
	COPY (SELECT $_, n, filter(n) FROM generate_series($_ * 5, $_ * 5 + 4) n)
		TO '$load.$_' (FORMAT @{[ $_ % 2 ? 'binary' : 'text' ]})}) foreach (0 .. 9);

my %writer = map {
	my $name = $_;
	$name => Session::start($primary->connstr('postgres'), map { $write{$name}->($_) } (1 .. $many))
} keys %write;
foreach ('inserted', 'loaded', 'pairs')
{
	$primary->poll_query_until('postgres', "SELECT count(*) >= 60 FROM $_") or die "nothing is $_";
}
$primary->stop('immediate');

# How many statements each writer was told of; all went well.
my %told;
foreach my $name (sort keys %writer)
{
	my @outcomes = grep { $_->{sqlstate} ne '57P02' } Session::abandon($writer{$name});
	$told{$name} = @outcomes;
	cmp_ok($told{$name}, '>', 0, "$name: the writer was told of some commits");
	is(scalar(grep { $_->{sqlstate} ne '00000' } @outcomes), 0, "$name: and of no failure");
	cmp_ok($told{$name}, '<', $many, "$name: and it was not yet done");
}

#
# What is there
#

# is_whole SERVER NAME: at most the statement that was on its way is there, too.
sub is_whole
{
	my ($server, $name) = @_;

	# every filter can be read, and is what was written
	foreach my $column ('inserted.f', 'loaded.f', 'pairs.f', 'pairs.f_again', 'deleted.f')
	{
		my ($table, $f) = split /\./, $column;
		is($server->safe_psql('postgres', "SELECT count(*) FROM $table
				WHERE $f IS NULL OR $f <> filter(n) OR ${f}::text::bloomfilter <> $f OR ${f}::bytea::bloomfilter <> $f
					OR NOT bloom_contains_all($f, ARRAY(SELECT n * 1000 + g FROM generate_series(0, 49) g))"),
			'0', "$name: every filter in $column is whole");
	}
	is($server->safe_psql('postgres', "SELECT count(*) = max(n) AND max(n) - $told{inserted} IN (0, 1) FROM inserted"),
		't', "$name: what was inserted");
	is($server->safe_psql('postgres', "SELECT sum(copies) - $told{loaded} IN (0, 1), bool_and(whole)
			FROM (SELECT count(*) / 5 AS copies, count(*) % 5 = 0 AND count(DISTINCT n) = 5 AS whole
				FROM loaded GROUP BY batch) b"),
		't|t', "$name: what was loaded");
	is($server->safe_psql('postgres', "SELECT max(n) - $told{pairs} IN (0, 1) AND count(*) = max(n) - max(n) / 5
			FROM pairs"), 't', "$name: what was inserted, changed and deleted at once");
	is($server->safe_psql('postgres', "SELECT min(n) - 1 - $told{deleted} IN (0, 1), max(n) - min(n) + 1 = count(*)
			FROM deleted"), 't|t', "$name: what was deleted");
	is($server->safe_psql('postgres', "SELECT string_agg(id, ',' ORDER BY id) FROM growing, (VALUES (0), (1)) v (more)
			WHERE f = (SELECT bloom_add_all(bloom_create(CASE id WHEN 'sparse' THEN 100000 ELSE 2000 END), array_agg(g))
				FROM generate_series(1, $told{growing} + more) g)"),
		'dense,sparse', "$name: what was added to filters");
	return;
}

$standby->promote;
is_whole($standby, 'standby');

# The primary goes on alone.
$primary->append_conf('postgresql.conf', "synchronous_standby_names = ''\n");
$primary->start;
is_whole($primary, 'primary');
is($primary->safe_psql('postgres', "INSERT INTO inserted SELECT n, filter(n) FROM generate_series(5001, 5010) n;
		UPDATE growing SET f = bloom_add(f, -1);
		SELECT count(*) FILTER (WHERE f \@> -1), bool_and(f \@> 1) FROM growing"), '2|t', 'and writes again');

#
# A process that dies
#

# Killed in the middle of an aggregate, while others write: the server starts
# anew by itself.
my $victim = Session::start(
	$primary->connstr('postgres'),
	"SET application_name = 'victim'",
	'SELECT bloom_agg(g) FROM (SELECT generate_series(1, 1e15::bigint) AS g) endless');
my $writer = Session::start($primary->connstr('postgres'),
	map { "INSERT INTO inserted VALUES ($_, filter($_))" } (6001 .. 6000 + $many));
$primary->poll_query_until('postgres', 'SELECT count(*) >= 20 FROM inserted WHERE n > 6000') or die;
my $pid = $primary->safe_psql('postgres',
	"SELECT pid FROM pg_stat_activity WHERE application_name = 'victim' AND query LIKE '%bloom_agg%'");
is(kill('KILL', $pid), 1, 'a process is killed in the middle of an aggregate');
my $told = grep { $_->{sqlstate} eq '00000' } Session::abandon($writer);
Session::abandon($victim);
# (poll_query_until would write its query to a psql that was refused already)
my $tries = 10 * $PostgreSQL::Test::Utils::timeout_default;
while (!run_log([ 'pg_isready', '-d', $primary->connstr('postgres') ]))
{
	die 'the server does not come back' if $tries-- == 0;
	usleep(100_000);
}
is($primary->safe_psql('postgres', "SELECT max(n) - 6000 - $told IN (0, 1) AND count(*) = max(n) - 6000,
		bool_and(f = filter(n)) FROM inserted WHERE n > 6000"), 't|t', 'every commit outlives it');
is($primary->safe_psql('postgres', 'SELECT bloom_agg(g, 1e6) @> 1000 FROM generate_series(1, 1000) g'),
	't', 'and the server works');

done_testing();
