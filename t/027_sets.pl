# Sets: many writers at once, a crash, a standby, a dump, and when an UPDATE is a statement's.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 1);
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE SCHEMA app;
	SELECT bloom_set_create('app.seen', 5000, 0.000001);
	-- what was added, and what of it was called new, by transactions that committed
	CREATE TABLE asked (v int);
	CREATE TABLE told (v int);
});

# The values come in any order, and each many times.
my $arrays = q{
	WITH chosen AS MATERIALIZED (
			SELECT ARRAY(SELECT (random() * 5000)::int FROM generate_series(1, 20)) AS a),
		noted AS (INSERT INTO asked SELECT unnest(a) FROM chosen)
	INSERT INTO told SELECT unnest(bloom_set_add_all('app.seen', a)) FROM chosen;
};
my $values = q{
	\set v random(0, 5000)
	WITH noted AS (INSERT INTO asked VALUES (:v))
	INSERT INTO told SELECT :v WHERE bloom_set_add('app.seen', :v);
};

# Of each value that was asked for the set has the bits, and one call was told so.
sub is_complete
{
	my ($server, $name) = @_;

	is($server->safe_psql('postgres', q{
			SELECT count(*) FROM (SELECT DISTINCT v FROM asked) a WHERE NOT bloom_set_contains('app.seen', v)}),
		'0', "$name: every value is found");
	is($server->safe_psql('postgres', q{
			SELECT count(*) FROM (SELECT DISTINCT v FROM asked) a, bloom_set_filter('app.seen') f WHERE NOT f @> v}),
		'0', "$name: also in the filter");
	is($server->safe_psql('postgres', q{
			SELECT count(*) FILTER (WHERE copies > 1), count(*) FILTER (WHERE copies = 0) < 5
			  FROM (SELECT count(told.v) AS copies
					  FROM (SELECT DISTINCT v FROM asked) a LEFT JOIN told USING (v) GROUP BY a.v) x}),
		'0|t', "$name: one call was told that a value is new");
	return;
}

#
# Many writers
#

$node->pgbench('-n -c 8 -j 2 -t 200', 0, [qr{processed: 1600/1600}], [qr{^(?!.*deadlock)}s],
	'eight sessions add arrays and values, and none fails',
	{ '027_arrays' => $arrays, '027_values' => $values });
is_complete($node, 'after many writers');
is($node->safe_psql('postgres', "SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'"), '0',
	'there was no deadlock');

#
# A crash, and a standby
#

$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;

$node->safe_psql('postgres', "CHECKPOINT; TRUNCATE asked, told; DROP TABLE app.seen;
	SELECT bloom_set_create('app.seen', 5000, 0.000001)");
my $script = $node->basedir . '/arrays.sql';
append_to_file($script, $arrays);
my $pgbench = IPC::Run::start(['pgbench', '-n', '-c', '4', '-T', '100', '-f', $script, $node->connstr('postgres')],
	'>', \my $stdout, '2>', \my $stderr);
$node->poll_query_until('postgres', 'SELECT count(*) >= 20000 FROM asked') or die 'nothing is added';
$node->stop('immediate');
$pgbench->finish;
$node->start;
is_complete($node, 'after a crash');

$node->wait_for_catchup($standby);
is_complete($standby, 'on a standby');
my ($result, undef, $error) = $standby->psql('postgres', "SELECT bloom_set_add('app.seen', -1)");
like($error, qr/cannot execute UPDATE in a read-only transaction/, 'a standby adds nothing');

#
# A dump
#

my $dump = $node->basedir . '/dump.sql';
$node->command_ok(['pg_dump', '--file', $dump, $node->connstr('postgres')], 'a set is dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok(['psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('restored'), '-f', $dump],
	'and restored');
my $settings = q{
	SELECT reloptions, attstorage, (SELECT string_agg(pg_get_constraintdef(oid), ', ') FROM pg_constraint WHERE conrelid = c.oid),
		md5(bloom_set_filter('app.seen')::bytea)
	  FROM pg_class c JOIN pg_attribute ON attrelid = c.oid WHERE c.oid = 'app.seen'::regclass AND attname = 'filter'};
is($node->safe_psql('restored', $settings), $node->safe_psql('postgres', $settings), 'as it was');
is($node->safe_psql('restored', q{
		SELECT bool_or(bloom_set_add('app.seen', v)) FROM asked;
		SELECT bloom_set_add('app.seen', -1)}), "f\nt", 'and takes values');

#
# What an UPDATE could do besides, it does
#

# How many statements change rows when a value is added that is not the first.
sub updates
{
	my ($setup) = @_;
	my $messages;

	$node->safe_psql('postgres', "DROP TABLE IF EXISTS kept; SELECT bloom_set_create('kept', 1000); SELECT bloom_set_add('kept', 7); $setup");
	$node->psql('postgres', q{
			LOAD 'auto_explain';
			SET auto_explain.log_min_duration = 0;
			SET auto_explain.log_nested_statements = on;
			SET client_min_messages = log;
			SELECT bloom_set_add('kept', 42)},
		stderr => \$messages, on_error_die => 1);
	is($node->safe_psql('postgres', "SELECT bloom_set_contains('kept', 42)"), 't', 'the value is added');
	return scalar(() = $messages =~ /Query Text: UPDATE/g);
}

is(updates(''), 0, 'none for a plain table');
is(updates(q{
		CREATE ACCESS METHOD other TYPE TABLE HANDLER heap_tableam_handler;
		CREATE TABLE copied (LIKE kept INCLUDING ALL) USING other;
		INSERT INTO copied SELECT * FROM kept;
		DROP TABLE kept;
		ALTER TABLE copied RENAME TO kept}),
	1, 'one for a table of another access method');
if ($node->safe_psql('postgres', 'SHOW server_version_num') >= 180000)
{
	my $refused;

	$node->safe_psql('postgres', q{
		DROP TABLE kept;
		SELECT bloom_set_create('kept', 1000);
		ALTER TABLE kept ADD note text;
		ALTER TABLE kept ADD CONSTRAINT noted NOT NULL note NOT VALID});
	$node->psql('postgres', "SELECT bloom_set_add('kept', 42)", stderr => \$refused);
	like($refused, qr/null value in column "note"/, 'a column that must not be NULL, but is in older rows, is seen');
}
if ($node->safe_psql('postgres', q{SELECT count(*) FROM pg_settings WHERE name = 'old_snapshot_threshold'}) > 0)
{
	$node->append_conf('postgresql.conf', 'old_snapshot_threshold = 10min');
	$node->restart;
	is(updates(''), 1, 'one where snapshots expire');
}

done_testing();
