# docs/cookbook/partition_filters.sql: whatever any number of sessions do to a
# partitioned table, each filter is what its partition would give if it were read
# anew.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my $directory = PostgreSQL::Test::Utils::tempdir_short;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "deadlock_timeout = 50ms\n");
$node->start;
$node->safe_psql('postgres', join "\n", 'CREATE EXTENSION bloomfilter;',
	slurp_file("$FindBin::RealBin/../docs/cookbook/partition_filters.sql"), q{
	-- one that has partitions, whose columns are in another order
	CREATE TABLE parcels_apr (note text, day date NOT NULL, gone int, id bigint NOT NULL) PARTITION BY HASH (id);
	ALTER TABLE parcels_apr DROP gone;
	CREATE TABLE parcels_apr_0 PARTITION OF parcels_apr FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE parcels_apr_1 (day date NOT NULL, id bigint NOT NULL, note text);
	ALTER TABLE parcels_apr ATTACH PARTITION parcels_apr_1 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	ALTER TABLE parcels ATTACH PARTITION parcels_apr FOR VALUES FROM ('2026-04-01') TO ('2026-05-01');
	CREATE TABLE parcels_may (LIKE parcels INCLUDING ALL);

	-- what is wrong: partitions without a filter and the other way round,
	-- members that are missing, filters that are not as if built anew
	CREATE FUNCTION wrong() RETURNS text LANGUAGE sql AS $$
		SELECT coalesce(string_agg(format('%s: %s missed, %s', part, missed, as_built_anew), '; ' ORDER BY part), '')
		  FROM (SELECT coalesce(part, relid)::text AS part, missed,
				bloom_is_superset(ids::bloomfilter, anew) AND bloom_is_superset(anew, ids::bloomfilter) AS as_built_anew
			  FROM (SELECT relid FROM pg_partition_tree('parcels') WHERE isleaf) t FULL JOIN parcel_filters ON part = relid,
				LATERAL (SELECT count(*) FILTER (WHERE NOT ids @> id) AS missed,
						coalesce(bloom_agg(id, 10000), bloom_create(10000)) AS anew
					FROM parcels WHERE parcels.tableoid = relid) p) s
		 WHERE missed IS DISTINCT FROM 0 OR as_built_anew IS NOT TRUE
	$$;
});

sub query
{
	my ($sql) = @_;
	return $node->safe_psql('postgres', $sql);
}

is(query('SELECT string_agg(part::text, $$,$$ ORDER BY part::text), wrong() FROM parcel_filters'),
	'parcels_apr_0,parcels_apr_1,parcels_feb,parcels_jan,parcels_rest|', 'there is a filter for every partition');

#
# Random statements
#

srand(20260418);

# Rows to write: ids from a small range, so that they meet; at times many.
my $note = 0;

sub rows
{
	my ($where) = @_;
	my ($low, $days) = @{ { jan => [ '2026-01-01', 31 ], feb => [ '2026-02-01', 28 ], apr => [ '2026-04-01', 30 ],
		may => [ '2026-05-01', 31 ], rest => [ '2026-07-01', 90 ], any => [ '2025-12-15', 200 ] }->{$where} };
	my $first = int(rand(400));
	my $count = rand() < 0.05 ? 300 : 1 + int(rand(8));

	$note++;
	return "SELECT $first + i * 3 AS id, date '$low' + (i * 7 + $first) % $days AS day, 'n$note' AS note FROM generate_series(1, $count) i";
}

sub some { my @of = @_; return $of[ rand @of ]; }
sub ids { my $first = int(rand(1000)); return "id BETWEEN $first AND $first + " . int(rand(60)); }

my $may = 0;
my %parts = (jan => 'parcels_jan', feb => 'parcels_feb', rest => 'parcels_rest', apr => 'parcels_apr');
my $unless = 'ON CONFLICT DO NOTHING';

# New ids are such as no row has yet.  ON CONFLICT cannot move rows between
# partitions, and those of April are chosen by the id.
my %kinds = (
	'INSERT' => sub { 'INSERT INTO parcels (id, day, note) ' . rows('any') . " $unless" },
	'INSERT into a partition' => sub { my $p = some(sort keys %parts); "INSERT INTO $parts{$p} (id, day, note) " . rows($p) . " $unless" },
	'INSERT of several' => sub { 'INSERT INTO parcels SELECT id, day + 1, note FROM parcels WHERE ' . ids() . " $unless" },
	'ON CONFLICT' => sub {
		'INSERT INTO parcels (id, day, note) ' . rows('any') .
		  ' ON CONFLICT (id, day) DO UPDATE SET id = excluded.id + ' . some(0, 10000 * $note) .
		  ", note = excluded.note WHERE parcels.day NOT BETWEEN '2026-04-01' AND '2026-04-30'" },
	'ON CONFLICT in a partition' => sub {
		'INSERT INTO parcels_jan ' . rows('jan') . ' ON CONFLICT (id, day) DO UPDATE SET id = excluded.id + ' . (1 * 10000000 + 10000 * $note) },
	'COPY' => sub {
		my $file = "$directory/copy";
		"CREATE TEMP TABLE loaded AS SELECT * FROM (" . rows('any') . ") r WHERE (id, day) NOT IN (SELECT id, day FROM parcels);
		COPY loaded TO '$file'; COPY parcels (id, day, note) FROM '$file'; DROP TABLE loaded" },
	'COPY into a partition' => sub {
		my $file = "$directory/copy";
		"CREATE TEMP TABLE loaded AS SELECT * FROM (" . rows('feb') . ") r WHERE (id, day) NOT IN (SELECT id, day FROM parcels);
		COPY loaded TO '$file'; COPY parcels_feb (id, day, note) FROM '$file'; DROP TABLE loaded" },
	'UPDATE that moves' => sub { 'UPDATE parcels SET day = day + ' . some(30, -30, 60, 200) . ', id = id + ' . (2 * 10000000 + 10000 * ++$note) . ' WHERE ' . ids() },
	'UPDATE of other columns' => sub { "UPDATE parcels SET note = 'changed' WHERE " . ids() },
	'UPDATE of a partition' => sub { 'UPDATE ' . some(map { $parts{$_} } sort keys %parts) . ' SET id = id + ' . (3 * 10000000 + 10000 * ++$note) . ' WHERE ' . ids() },
	'DELETE' => sub { 'DELETE FROM parcels WHERE ' . ids() },
	'DELETE from a partition' => sub { 'DELETE FROM ' . some(map { $parts{$_} } sort keys %parts) . ' WHERE ' . ids() },
	'DELETE of high ids' => sub { 'DELETE FROM parcels WHERE id > 10000 AND id % 5 = ' . int(rand(5)) },
	'MERGE' => sub {
		'MERGE INTO parcels p USING (' . rows('any') . ') r ON p.id = r.id AND p.day = r.day
			WHEN MATCHED AND p.id % 3 = 0 THEN DELETE
			WHEN MATCHED THEN UPDATE SET id = p.id + ' . (4 * 10000000 + 10000 * $note) . ", day = p.day + 40
			WHEN NOT MATCHED AND r.id % 7 > 0 THEN INSERT (id, day, note) VALUES (r.id, r.day, 'merged')" },
	'MERGE into a partition' => sub {
		'MERGE INTO parcels_jan p USING (' . rows('jan') . ') r ON p.id = r.id AND p.day = r.day
			WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, day) VALUES (r.id, r.day)' },
	'CTE' => sub {
		'WITH gone AS (DELETE FROM parcels WHERE ' . ids() . ' RETURNING *), moved AS (UPDATE parcels_feb SET id = id + '
		  . (5 * 10000000 + 10000 * ++$note) . ' WHERE id % 11 = 0 RETURNING *)
			INSERT INTO parcels SELECT id + ' . (6 * 10000000 + 10000 * ++$note) . ', day, note FROM gone' },
	'TRUNCATE' => sub { 'TRUNCATE ' . (rand() < 0.2 ? 'parcels' : some('parcels_jan', 'parcels_rest', 'parcels_apr', 'parcels_apr_1')) },
	'ROLLBACK' => sub {
		'BEGIN; INSERT INTO parcels (id, day, note) ' . rows('any') . " $unless; SAVEPOINT a; DELETE FROM parcels WHERE " . ids() .
		  '; ROLLBACK TO a; DELETE FROM parcels_feb WHERE ' . ids() . '; ' . some('COMMIT', 'ROLLBACK') },
	'ATTACH or DETACH' => sub {
		$may = !$may;
		if ($may) { $parts{may} = 'parcels_may'; } else { delete $parts{may}; }
		return $may
		  ? "DELETE FROM parcels_rest WHERE day BETWEEN '2026-05-01' AND '2026-05-31';
			ALTER TABLE parcels ATTACH PARTITION parcels_may FOR VALUES FROM ('2026-05-01') TO ('2026-06-01')"
		  : 'ALTER TABLE parcels DETACH PARTITION parcels_may' },
	'write while detached' => sub { 'INSERT INTO parcels_may (id, day, note) ' . rows('may') . " $unless; DELETE FROM parcels_may WHERE " . ids() },
	'CREATE and DROP' => sub {
		"BEGIN; CREATE TABLE parcels_aug PARTITION OF parcels FOR VALUES FROM ('2040-08-01') TO ('2040-09-01');
		INSERT INTO parcels SELECT i, '2040-08-05' FROM generate_series(1, 20) i; SELECT wrong(); COMMIT;
		SELECT wrong(); UPDATE parcels SET day = '2026-01-01' WHERE day = '2040-08-05' AND id NOT IN (SELECT id FROM parcels_jan);
		SELECT wrong(); DROP TABLE parcels_aug" });

# The first of each kind for certain, then as they come.
my @kinds = sort keys %kinds;
my @steps = (@kinds, map { some(@kinds) } (1 .. 180));
my @statements = map { $kinds{$_}->() } @steps;
my $script = join '', map { "\\echo step $_\n$statements[$_];\nSELECT 'wrong: ' || wrong();\n" } (0 .. $#steps);
my ($status, $out, $err) = $node->psql('postgres', $script);
my %count;
my %failed;
my @parts_of_out = split /^step (\d+)\n/m, $out;
shift @parts_of_out;
while (my ($step, $result) = splice @parts_of_out, 0, 2)
{
	$count{ $steps[$step] }++;
	push @{ $failed{ $steps[$step] } }, "step $step, $statements[$step]: $result"
	  if $result =~ /wrong: ./ || $result !~ /wrong: $/m || $result =~ /missed/;
}
foreach my $kind (@kinds)
{
	ok($count{$kind} && !$failed{$kind}, "$kind: the filters are exact after each of " . ($count{$kind} // 0))
	  or diag($failed{$kind} ? $failed{$kind}[0] : 'there was none');
}
is("$status $err", '0 ', 'no statement failed');
cmp_ok(query('SELECT count(*) FROM parcels'), '>', 200, 'and there are rows left');

#
# Several sessions
#

# Of transactions that meet, one may have to be tried again; nothing else may
# happen.
query('DELETE FROM parcels');
my @sessions = map {
	my $session = $_;
	my $begin = $session == 4 ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN';
	Session::start(
		$node->connstr('postgres'),
		map {
			my $n = 1_000_000 * $session + 100 * $_;
			my @work = (
				"INSERT INTO parcels SELECT $n + i, date '2026-01-01' + i * 13 % 120 FROM generate_series(1, 20) i",
				"INSERT INTO parcels_" . ($_ % 2 ? 'jan' : 'feb') . " SELECT $n + i, '2026-0" . ($_ % 2 ? 1 : 2) . "-07' FROM generate_series(21, 25) i",
				"UPDATE parcels SET day = day + 31 WHERE id BETWEEN $n + 5 AND $n + 9",
				"DELETE FROM parcels WHERE id BETWEEN $n + 15 AND $n + 18");
			@work = reverse @work if $_ % 3 == 0;
			($begin, @work, $_ % 7 == 0 ? 'ROLLBACK' : 'COMMIT')
		} (1 .. 30))
} (1 .. 4);
query('BEGIN; ALTER TABLE parcels DETACH PARTITION parcels_apr; ALTER TABLE parcels ATTACH PARTITION parcels_apr
	FOR VALUES FROM ($$2026-04-01$$) TO ($$2026-05-01$$); COMMIT') foreach (1 .. 3);
my %states;
$states{ $_->{sqlstate} }++ foreach map { Session::finish($_) } @sessions;
# 25P02: what comes in a transaction that has already failed
is(join(',', grep { !/^(00000|40001|40P01|25P02)$/ } sort keys %states), '', 'sessions fail as they may');
cmp_ok($states{'00000'}, '>', 200, 'and mostly do not');
is(query('SELECT wrong()'), '', 'what they leave behind is exact');
is(query('SELECT count(*) > 100 FROM parcels'), 't', 'and not nothing');

# A transaction whose snapshot is older than a partition must not write into it
# behind its filter's back, nor make one.
my $old = Session::start(
	$node->connstr('postgres'),
	'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT count(*) FROM parcel_filters',
	Session::wait_for("$directory/go"),
	'SAVEPOINT a', "INSERT INTO parcels VALUES (77, '2041-01-01')", 'ROLLBACK TO a', 'TRUNCATE parcels_2041', 'ROLLBACK',
	'BEGIN ISOLATION LEVEL REPEATABLE READ',
	"CREATE TABLE parcels_2042 PARTITION OF parcels FOR VALUES FROM ('2042-01-01') TO ('2043-01-01')", 'ROLLBACK');
$node->poll_query_until('postgres',
	"SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%parcel_filters%'")
  or die 'the transaction does not begin';
query("CREATE TABLE parcels_2041 PARTITION OF parcels FOR VALUES FROM ('2041-01-01') TO ('2042-01-01')");
append_to_file("$directory/go", '');
my @outcomes = Session::finish($old);
is($outcomes[4]{sqlstate}, '40001', 'a transaction that does not see the filter does not write');
is($outcomes[6]{sqlstate}, '40001', 'nor empty the partition without the filter');
is($outcomes[9]{sqlstate}, '0A000', 'a transaction that may not see all rows makes no partition');
is(query("INSERT INTO parcels VALUES (77, '2041-01-01'); SELECT wrong()"), '', 'a new one may');

is(query('DROP TABLE parcels; SELECT count(*) FROM parcel_filters'), '0', 'no filters are left without the table');

done_testing();
