# Join filters where another extension puts nodes of its own into plans.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $library = Module::build('other_nodes');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "max_parallel_workers_per_gather = 0\njit = off\n");
$node->start;
$node->safe_psql('postgres', "
	CREATE EXTENSION bloomfilter;
	CREATE TABLE big AS SELECT i AS id, i % 1000 AS k FROM generate_series(1, 5000) AS i;
	CREATE TABLE small AS SELECT i * 10 AS k FROM generate_series(1, 20) AS i;
	ANALYZE big, small;
");

sub query
{
	my ($sql, $filters) = @_;
	return $node->safe_psql('postgres', "LOAD '$library'; LOAD 'bloomfilter'; SET enable_mergejoin = off; SET enable_nestloop = off;
		SET bloomfilter.join_filters = $filters; SET bloomfilter.join_filter_min_rows = 0; $sql");
}

my $join = 'SELECT count(*), sum(b.id) FROM big b JOIN small s ON s.k = b.k';
is(query("SELECT concat_ws(' | ', tested_above, verdict, substring(reason FROM 'Rows are not.*')) FROM bloom_join_filters('$join')", 'force'),
	'Custom Scan | filter | Rows are not tested below Custom Scan: Another extension makes the rows.', 'rows are tested above the node');
like(query("EXPLAIN (COSTS OFF) $join", 'force'),
	qr/Custom Scan \(bloomfilter probe\)\n[^\n]*Bloom Filter Key: [^\n]*\n\s+-> +Custom Scan \(Other Node\)\n/, 'as the plan has it');
is(query($join, 'force'), query($join, 'off'), 'the same result');

done_testing();
