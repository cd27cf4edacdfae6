# What the planner may ask the extension for before it has set up much of itself.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $library = Module::build('support_requests');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', "
	CREATE EXTENSION bloomfilter;
	CREATE FUNCTION cost_of_test(function regprocedure, tab regclass, filter name, value name, levels int)
		RETURNS float8 AS '$library', 'cost_of_test' LANGUAGE C;
	CREATE TABLE stored AS SELECT g AS i, (SELECT bloom_agg(i) FROM generate_series(1, 20000) i) AS f FROM generate_series(1, 3) g;
	ANALYZE stored;
");

# what a row costs, in units of twice cpu_operator_cost
sub cost
{
	my ($value, $levels) = @_;
	my ($status, $printed, $errors) = $node->psql('postgres', "SELECT round((cost_of_test(
		'bloom_contains(bloomfilter, anycompatible)', 'stored', 'f', '$value', $levels) / (2 * current_setting('cpu_operator_cost')::float8))::numeric, 2)");
	return $status == 0 ? $printed : $errors;
}

cmp_ok(cost('i', 0), '>', 100, 'a filter for each row has to be fetched');
is(cost('i', 1), '1.00', 'values of the outer query are tested against one that is kept');

done_testing();
