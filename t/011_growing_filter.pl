# The sets of docs/cookbook/sets-over-time.md that grow and that forget, and the
# batches of docs/cookbook/ingest.md, under sessions that add to them at the same
# time: no key is lost, and none is called new twice.

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

my (undef, undef, $error) = $node->psql('postgres', "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT seen_add(ARRAY['f'])");
like($error, qr/use READ COMMITTED/, 'not with an older snapshot');

# A set that is made where a set is full, and nowhere else.  The snapshot of who
# waits for it would add to the old one.
my $sets = 'SELECT count(*), max(generation) FROM generations';
query('SELECT seen_grow()');
is(query($sets), '1|0', 'a set that has room is the last one');
query(q{SELECT seen_add(ARRAY(SELECT 'x' || i FROM generate_series(1, 950) i))});
($first, $second) = two_sessions('READ COMMITTED', 'SELECT seen_grow()', q{SELECT seen_add(ARRAY['x1', 'h', 'b'])});
is("$second->{sqlstate} $second->{output}", '00000 {h}', 'who adds waits for a set that is being made');
is(query(q{SELECT string_agg(bloom_set_contains(keys, 'h'::text)::text, ' ' ORDER BY generation) FROM generations}), 'false true', 'and adds to it');
query(q{SELECT seen_add(ARRAY(SELECT 'y' || i FROM generate_series(1, 1900) i))});
($first, $second) = two_sessions('READ COMMITTED', 'SELECT seen_grow()', 'SELECT seen_grow()');
is($second->{sqlstate} . query($sets), '000003|2', 'of two that find a set full, one makes another');
($first, $second) = two_sessions('READ COMMITTED', q{SELECT seen_add(ARRAY['late'])}, 'SELECT seen_grow()');
is($second->{sqlstate}, '00000', 'who makes a set waits for those who add');

query(q{SELECT recent_add(ARRAY['a'] || ARRAY(SELECT 'x' || i FROM generate_series(1, 1050) i))});
($first, $second) = two_sessions('READ COMMITTED', 'SELECT recent_turn()', q{SELECT recent_add(ARRAY['a', 'x1', 'h'])});
is("$second->{sqlstate} $second->{output}", '00000 {h}', 'the ring turns, and the second session sees it');
is(query(q{SELECT string_agg(bloom_set_contains(keys, 'h'::text)::text, ' ' ORDER BY turn) FROM recent WHERE turn > 6}), 'false true', 'and adds to the newest');
is(query('SELECT count(*), min(turn), max(turn) FROM recent'), '8|1|8', 'which was the oldest');
($first, $second) = two_sessions('READ COMMITTED', q{SELECT recent_add(ARRAY['late'])}, 'SELECT recent_turn()');
is($second->{sqlstate}, '00000', 'who turns waits for those who add');
(undef, undef, $error) = $node->psql('postgres', "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT recent_add(ARRAY['f'])");
like($error, qr/use READ COMMITTED/, 'not with an older snapshot');

#
# Four at a time
#

# Every session adds all keys, in an order of its own, in batches, some of
# which it takes back.
query(q{DROP TABLE seen_0, seen_1, seen_2; TRUNCATE generations;
	INSERT INTO generations SELECT 0, bloom_set_create('seen_0', 1000, 0.005)});
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
			 $_ % 5 == $session ? 'ROLLBACK' : 'COMMIT',
			 'SELECT seen_grow()')
		} (1 .. $batches))
} (1 .. 4);
my @outcomes = map { Session::finish($_) } @sessions;
is(scalar(grep { $_->{sqlstate} ne '00000' } @outcomes), 0, 'sessions that add at the same time wait, and do not fail');
is(query('SELECT count(*) - count(DISTINCT key) FROM fresh'), '0', 'no key is new twice');
is(query("SELECT count(*) FROM generate_series(1, $keys) i WHERE NOT is_seen('key ' || i)"), '0', 'no key is missing');
cmp_ok(query("SELECT $keys - count(*) FROM fresh"), '<', 2 * 0.01 * $keys, 'few were taken for old ones by mistake');
# full to nine tenths when somebody looks, and then what all add before the next look
is( query("SELECT count(*) FROM generations, bloom_info(bloom_set_filter(keys))
		WHERE expected_items <> 1000 * 2 ^ generation OR estimated_items > 0.9 * expected_items + 5 * $keys / $batches"),
	'0', 'and no set holds more than what was added before somebody looked');
is(query('SELECT max(generation) FROM generations'), '2', 'there are as many as are needed');

#
# Transactions that fill a batch and take it in: they wait for each other in one order
#
query(Recipe::definitions('Deduplicate on ingest'));
$node->pgbench('-n -c 4 -j 2 -t 60', 0, [qr{processed: 240/240}], [qr{^(?!.*deadlock)}s],
	'four sessions fill and take in batches, and none fails',
	{ '011_ingest' => q{
		\set first random(1, 2000)
		BEGIN;
		INSERT INTO batch SELECT md5(i::text)::uuid, 'event ' || i FROM generate_series(:first, :first + 20) i;
		INSERT INTO fresh VALUES (0, :first);
		SELECT * FROM ingest();
		COMMIT;
	}});
is(query(q{SELECT count(*) - count(DISTINCT id) FROM events}), '0', 'no event is taken in twice');
is(query(q{
		SELECT count(*) FROM fresh, generate_series(key::int, key::int + 20) i
		 WHERE by_session = 0 AND NOT EXISTS (SELECT FROM events WHERE id = md5(i::text)::uuid)}), '0', 'none is lost');
is(query('SELECT count(*) FROM batch'), '0', 'and the batch is empty');

done_testing();
