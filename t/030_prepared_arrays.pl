# A driver that prepares its statements: an array that is a parameter keeps plans for its
# values, also after the five executions from which the server would take one for all.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init;
$node->start;
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE listed WITH (autovacuum_enabled = off) AS SELECT i, md5(i::text) AS v FROM generate_series(1, 30000) i;
	CREATE INDEX listed_bf ON listed USING bloomfilter (v);
	VACUUM ANALYZE listed;
	CREATE TABLE found (size int, rows bigint);
	CREATE TABLE plans (statement text, generic_plans bigint, custom_plans bigint);
});

# The driver is pgbench, whose variables become the parameters of statements.
my $script = PostgreSQL::Test::Utils::tempdir . '/listed.sql';
append_to_file(
	$script, q{
	INSERT INTO found SELECT cardinality(:values::text[]), count(*) FROM listed WHERE v = ANY (:values::text[]);
	INSERT INTO plans SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements;
});
my $executions = 12;
foreach my $size (1, 20, 1000)
{
	my $values = $node->safe_psql('postgres', "SELECT array_agg(md5(i::text)) FROM generate_series(1, $size) i");

	$node->command_ok(
		[
			'pgbench', '--no-vacuum', '--protocol=prepared', "--transactions=$executions", "--define=values=$values",
			"--file=$script", '--port=' . $node->port, '--host=' . $node->host, 'postgres'
		],
		"a driver asks for $size values");
	is($node->safe_psql('postgres', q{SELECT DISTINCT size, rows, count(*) OVER () FROM found}),
		"$size|$size|$executions", 'all are found, each time');
	is( $node->safe_psql(
			'postgres', q{
			SELECT max(generic_plans), max(custom_plans) FROM plans WHERE statement LIKE '%listed%'}),
		"0|$executions", 'by plans for these values');
	$node->safe_psql('postgres', 'TRUNCATE found, plans');
}
$node->stop;

done_testing();
