# Filters reach other servers unchanged: by physical and logical replication,
# by dump and restore, by COPY.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 'logical');
$primary->start;

# Every representation and some element types, in line and out of line.
$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE filters (id int PRIMARY KEY, f bloomfilter, note text, c counting_bloomfilter);
	INSERT INTO filters VALUES (1, bloom_create(1000));
	INSERT INTO filters SELECT 2, bloom_agg(g, 1e6) FROM generate_series(1, 5) g;
	INSERT INTO filters SELECT 3, bloom_agg(g) FROM generate_series(1, 100000) g;
	INSERT INTO filters SELECT 4, bloom_agg(md5(g::text)) FROM generate_series(1, 1000) g;
	INSERT INTO filters SELECT 5, bloom_agg(g * 0.5) FROM generate_series(1, 1000) g;
	UPDATE filters SET c = CASE id
		WHEN 1 THEN counting_bloom_create(1000)
		WHEN 2 THEN (SELECT counting_bloom_agg(g, 1e6) FROM generate_series(1, 5) g)
		WHEN 3 THEN (SELECT counting_bloom_agg(g, 100000) FROM generate_series(1, 100000) g)
		WHEN 4 THEN (SELECT counting_bloom_agg(md5(g::text), 1000) FROM generate_series(1, 1000) g, generate_series(1, g / 50))
			+ (SELECT counting_bloom_agg(md5(g::text), 1000) FROM generate_series(1, 1000) g)
		WHEN 5 THEN (SELECT counting_bloom_agg(g * 0.5, 1000) FROM generate_series(1, 1000) g)
	END;
});

# What a server says of the filters: a checksum of each, and of its answers.
my $answers = q{
	SELECT id, note, md5(f::text), (SELECT count(*) FROM generate_series(1, 1000) g
		WHERE CASE WHEN id IN (1, 2, 3, 6) THEN f @> g WHEN id = 4 THEN f @> md5(g::text) ELSE f @> (g * 0.5) END),
		md5(c::text), (SELECT count(*) FROM generate_series(1, 1000) g
		WHERE CASE WHEN id IN (1, 2, 3, 6) THEN c @> g WHEN id = 4 THEN c @> md5(g::text) ELSE c @> (g * 0.5) END)
	FROM filters ORDER BY id};
my $expected = $primary->safe_psql('postgres', $answers);
my $both = qr/\w+\|1000\|\w+\|1000/;
like($expected, qr/^1\|\|\w+\|0\|\w+\|0\n2\|\|\w+\|5\|\w+\|5\n3\|\|$both\n4\|\|$both\n5\|\|$both$/,
	'the filters answer as they should');

# A physical standby.
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;
$primary->safe_psql('postgres', 'INSERT INTO filters (id, f, c) SELECT 6, f, c FROM filters WHERE id = 3');
$expected = $primary->safe_psql('postgres', $answers);
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $answers), $expected, 'a standby answers the same');

# Logical replication, as text and as binary.
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init(allows_streaming => 'logical');
$subscriber->start;
my $connection = $primary->connstr . ' dbname=postgres';
$primary->safe_psql('postgres', 'CREATE PUBLICATION filters FOR TABLE filters');
foreach my $binary ('false', 'true')
{
	$subscriber->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS bloomfilter;
		DROP TABLE IF EXISTS filters; CREATE TABLE filters (id int PRIMARY KEY, f bloomfilter, note text, c counting_bloomfilter)');
	$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION sub_$binary CONNECTION '$connection'
		PUBLICATION filters WITH (binary = $binary)");
	$subscriber->wait_for_subscription_sync($primary, "sub_$binary");
	# filters that change, and one out of line that does not and is not sent
	$primary->safe_psql('postgres', "UPDATE filters SET f = bloom_add(f, 42), c = bloom_remove(bloom_add_all(c, ARRAY[42, -1]), 42) WHERE id = 6;
		UPDATE filters SET note = '$binary' WHERE id = 3;
		INSERT INTO filters SELECT 7, bloom_agg(g, 1e6) FROM generate_series(1, 2000) g;
		DELETE FROM filters WHERE id = 7");
	$primary->wait_for_catchup("sub_$binary");
	is($subscriber->safe_psql('postgres', $answers), $primary->safe_psql('postgres', $answers),
		"a subscriber answers the same, binary = $binary");
	$subscriber->safe_psql('postgres', "DROP SUBSCRIPTION sub_$binary");
}

# Filters that triggers on the subscriber keep fresh: which of these see replicated rows?
$primary->safe_psql('postgres', 'CREATE TABLE members AS SELECT generate_series(1, 100) AS id; CREATE PUBLICATION members FOR TABLE members');
$subscriber->safe_psql(
	'postgres', q{
	CREATE TABLE members (id int);
	CREATE TABLE kept (by text, ids bloomfilter);
	INSERT INTO kept VALUES ('row', bloom_create(100000)), ('statement', bloom_create(100000));
	CREATE FUNCTION row_added() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS
		$$BEGIN UPDATE kept SET ids = bloom_add(ids, NEW.id) WHERE by = 'row'; RETURN NULL; END$$;
	CREATE FUNCTION rows_added() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS
		$$BEGIN UPDATE kept SET ids = bloom_add_all(ids, ARRAY(SELECT id FROM added)) WHERE by = 'statement'; RETURN NULL; END$$;
	CREATE TRIGGER by_row AFTER INSERT ON members FOR EACH ROW EXECUTE FUNCTION row_added();
	CREATE TRIGGER by_statement AFTER INSERT ON members REFERENCING NEW TABLE AS added
		FOR EACH STATEMENT EXECUTE FUNCTION rows_added();
	ALTER TABLE members ENABLE ALWAYS TRIGGER by_row;
	ALTER TABLE members ENABLE ALWAYS TRIGGER by_statement;
});
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION members CONNECTION '$connection' PUBLICATION members");
$subscriber->wait_for_subscription_sync($primary, 'members');
my $kept = 'SELECT by, count(*) FILTER (WHERE ids @> id), count(*) FROM kept, members GROUP BY by ORDER BY by';
is($subscriber->safe_psql('postgres', $kept), "row|100|100\nstatement|100|100", 'all triggers see the initial copy');
$primary->safe_psql('postgres', 'INSERT INTO members SELECT generate_series(101, 300)');
$primary->wait_for_catchup('members');
is($subscriber->safe_psql('postgres', $kept), "row|300|300\nstatement|100|300", 'those for each row see what follows');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION members');

# A set, which is made on both sides and emptied on one, for the first copy.
$primary->safe_psql('postgres', q{
	SELECT bloom_set_create('seen', 1000);
	SELECT bloom_set_add('seen', 5);
	CREATE PUBLICATION seen FOR TABLE seen;
});
$subscriber->safe_psql('postgres', q{SELECT bloom_set_create('seen', 1000); TRUNCATE seen});
like(($subscriber->psql('postgres', q{SELECT bloom_set_contains('seen', 5)}))[2],
	qr/set "seen" has no first row/, 'a set that has not been copied yet is not called damaged');
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION seen CONNECTION '$connection' PUBLICATION seen");
$subscriber->wait_for_subscription_sync($primary, 'seen');
$primary->safe_psql('postgres', q{SELECT bloom_set_add_all('seen', ARRAY[6, 7])});
$primary->wait_for_catchup('seen');
is($subscriber->safe_psql('postgres', q{SELECT bloom_set_contains('seen', i) FROM generate_series(5, 8) i}),
	"t\nt\nt\nf", 'a set has what was added before the copy and after it');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION seen');

# A table whose whole rows identify them: "=" finds the row to change.
$primary->safe_psql('postgres', q{
	CREATE TABLE bag (f bloomfilter, c counting_bloomfilter);
	ALTER TABLE bag REPLICA IDENTITY FULL;
	INSERT INTO bag SELECT f, c FROM filters;
});
$primary->safe_psql('postgres', 'CREATE PUBLICATION bag FOR TABLE bag');
$subscriber->safe_psql('postgres', 'CREATE TABLE bag (f bloomfilter, c counting_bloomfilter)');
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION sub CONNECTION '$connection' PUBLICATION bag");
$subscriber->wait_for_subscription_sync($primary, 'sub');
$primary->safe_psql('postgres', 'DELETE FROM bag WHERE f = (SELECT f FROM filters WHERE id = 3)');
$primary->safe_psql('postgres', 'DELETE FROM bag WHERE c = (SELECT c FROM filters WHERE id = 4)');
$primary->wait_for_catchup('sub');
my $bag = 'SELECT string_agg(md5(f::text || c::text), $$,$$ ORDER BY md5(f::text)) FROM bag';
is($subscriber->safe_psql('postgres', $bag), $primary->safe_psql('postgres', $bag),
	'replica identity full');

# Dump and restore.
my $directory = PostgreSQL::Test::Utils::tempdir_short;
my $dump = "$directory/dump";
foreach my $format ('plain', 'custom', 'directory')
{
	command_ok(['pg_dump', '-F', $format, '-f', "$dump.$format", '-t', 'filters',
		'-e', 'bloomfilter', '-d', $primary->connstr('postgres')], "pg_dump, $format");
	$subscriber->safe_psql('postgres', "CREATE DATABASE $format");
	my @restore = $format eq 'plain'
	  ? ('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dump.plain", '-d', $subscriber->connstr('plain'))
	  : ('pg_restore', '--exit-on-error', '-d', $subscriber->connstr($format), "$dump.$format");
	command_ok(\@restore, "restore, $format");
	is($subscriber->safe_psql($format, $answers), $primary->safe_psql('postgres', $answers),
		"a restored database answers the same, $format");
}

# COPY in all its formats.
foreach my $format ('text', 'csv', 'binary')
{
	my $file = "$directory/copy.$format";
	$primary->safe_psql('postgres', "COPY filters TO '$file' (FORMAT $format);
		CREATE TABLE copied (LIKE filters); COPY copied FROM '$file' (FORMAT $format)");
	is($primary->safe_psql('postgres',
			'SELECT count(*), bool_and(a.f IS NOT DISTINCT FROM b.f AND a.c IS NOT DISTINCT FROM b.c) FROM filters a FULL JOIN copied b USING (id)'),
		'6|t', "COPY as $format");
	$primary->safe_psql('postgres', 'DROP TABLE copied');
}

done_testing();
