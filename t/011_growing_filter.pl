# The filters of docs/cookbook/sets-over-time.md that grow and that forget, under
# sessions that add to them at the same time: no key is lost, and none is called
# new twice.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recipe;
use Session;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "deadlock_timeout = 100ms\n");
$node->start;
$node->safe_psql('postgres', join "\n", 'CREATE EXTENSION bloomfilter;',
	Recipe::definitions('A filter that grows'),
	Recipe::definitions('Forget the oldest'),
	'CREATE TABLE fresh (by_session int, key text); CREATE TABLE go_on ();');

sub query
{
	my ($sql) = @_;
	return $node->safe_psql('postgres', $sql);
}

# Statements that wait for another session until they are seen to.
sub wait_for_waiting
{
	my ($what) = @_;

	$node->poll_query_until('postgres',
		"SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%$what%'
			AND pid <> pg_backend_pid()") or die "nobody waits in $what";
	return;
}

#
# Two sessions, one after the other
#

# The first holds its transaction open until it is told to end it.
sub two_sessions
{
	my ($isolation, $first, $second) = @_;

	my $one = Session::start(
		$node->connstr('postgres'), 'BEGIN', $first,
		"DO \$\$ BEGIN WHILE NOT EXISTS (SELECT FROM go_on) LOOP PERFORM pg_sleep(0.01); END LOOP; END \$\$",
		'COMMIT');
	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE 'DO%go_on%' AND pid <> pg_backend_pid()")
	  or die 'the first session does not come to wait';
	my $two = Session::start($node->connstr('postgres'), "BEGIN ISOLATION LEVEL $isolation", 'SELECT 1', $second, 'COMMIT');
	wait_for_waiting($second =~ /(\w+)\(/);
	query('INSERT INTO go_on DEFAULT VALUES');
	my @first = Session::finish($one);
	my @second = Session::finish($two);
	query('TRUNCATE go_on');
	is($first[1]{sqlstate}, '00000', "$isolation: the first session adds");
	return ($first[1], $second[2]);
}

query('SELECT seen_add(ARRAY[\'a\', \'b\'])');
my ($first, $second) = two_sessions('READ COMMITTED',
	q{SELECT seen_add(ARRAY['b', 'c', 'd'])}, q{SELECT seen_add(ARRAY['a', 'd', 'e', 'c'])});
is($first->{output}, '{c,d}', 'the first is told what is new');
is("$second->{sqlstate} $second->{output}", '00000 {e}', 'the second waits, and knows what the first one added');

($first, $second) = two_sessions('REPEATABLE READ',
	q{SELECT seen_add(ARRAY['f'])}, q{SELECT seen_add(ARRAY['f', 'g'])});
is($second->{sqlstate}, '40001', 'with an older snapshot the second fails');
is(query(q{SELECT seen_add(ARRAY['f', 'g'])}), '{g}', 'and knows when it tries again');

# The first opens generations 1 and 2 meanwhile; generation 0 is where the
# second one's snapshot would add.
($first, $second) = two_sessions('READ COMMITTED',
	q{SELECT sum(cardinality(seen_add(ARRAY(SELECT 'x' || b * 100 + i FROM generate_series(1, 100) i)))) FROM generate_series(0, 39) b},
	q{SELECT seen_add(ARRAY['x1', 'x1500', 'x4000', 'h'])});
is("$second->{sqlstate} $second->{output}", '00000 {h}', 'the second waits for generations that are opened');
is(query('SELECT max(generation) FROM generations'), '2', 'which they were');

# Full to the last place, so that nothing but the next generation is written.
query(q{DO $$
	BEGIN
		FOR i IN 1 .. 10000 LOOP
			EXIT WHEN (SELECT bloom_cardinality(keys) >= 4000 FROM generations WHERE generation = 2);
			PERFORM seen_add(ARRAY['full' || i]);
		END LOOP;
	END $$});
is(query('SELECT max(generation) FROM generations'), '2', 'generation 2 is full, and the last one');
($first, $second) = two_sessions('REPEATABLE READ',
	q{SELECT seen_add(ARRAY['i'])}, q{SELECT seen_add(ARRAY['i', 'j'])});
is($second->{sqlstate}, '40001', 'two sessions that open the same generation: the second fails');
is(query(q{SELECT seen_add(ARRAY['i', 'j'])}), '{j}', 'and knows when it tries again');
is(query('SELECT max(generation) FROM generations'), '3', 'of which there is one');

query('SELECT recent_add(ARRAY[\'a\', \'b\'])');
($first, $second) = two_sessions('READ COMMITTED',
	q{SELECT sum(cardinality(recent_add(ARRAY(SELECT 'x' || b * 50 + i FROM generate_series(1, 50) i)))) FROM generate_series(0, 39) b},
	q{SELECT recent_add(ARRAY['a', 'x1', 'x2000', 'h'])});
is("$second->{sqlstate} $second->{output}", '00000 {h}', 'the ring turns, and the second session sees it');
($first, $second) = two_sessions('REPEATABLE READ',
	q{SELECT recent_add(ARRAY['f'])}, q{SELECT recent_add(ARRAY['f', 'g'])});
is($second->{sqlstate}, '40001', 'not with an older snapshot');

#
# Four at a time
#

# Every session adds all keys, in an order of its own, in batches, some of
# which it takes back.
query('TRUNCATE generations; INSERT INTO generations VALUES (0, bloom_create(1000, 0.005))');
my $keys = 6000;
my $batches = 40;
my @sessions = map {
	my $session = $_;
	Session::start(
		$node->connstr('postgres'),
		map {
			my $batch = ($_ * 7 + $session * 11) % $batches;
			("BEGIN",
			 "INSERT INTO fresh SELECT $session, unnest(seen_add(ARRAY(SELECT 'key ' || i FROM generate_series(1, $keys) i
				WHERE i % $batches = $batch ORDER BY i * $session % 101)))",
			 $_ % 5 == $session ? 'ROLLBACK' : 'COMMIT')
		} (1 .. $batches))
} (1 .. 4);
my @outcomes = map { Session::finish($_) } @sessions;
is(scalar(grep { $_->{sqlstate} ne '00000' } @outcomes), 0, 'sessions that add at the same time wait, and do not fail');
is(query('SELECT count(*) - count(DISTINCT key) FROM fresh'), '0', 'no key is new twice');
is(query("SELECT count(*) FROM generate_series(1, $keys) i WHERE NOT is_seen('key ' || i)"), '0', 'no key is missing');
cmp_ok(query("SELECT $keys - count(*) FROM fresh"), '<', 2 * 0.01 * $keys, 'few were taken for old ones by mistake');
is(query('SELECT count(*) FROM generations, bloom_info(keys) WHERE expected_items <> 1000 * 2 ^ generation OR estimated_items > 1.02 * expected_items'),
	'0', 'and no generation holds more than it is made for');

done_testing();
