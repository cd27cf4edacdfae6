# Join filters where another extension puts nodes of its own into plans, or follows
# columns from node to node.

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
	'Custom Scan | filter | Rows are not tested below Custom Scan: Another extension reads the tables below, so none of them is skipped.', 'rows are tested above the node');
like(query("EXPLAIN (COSTS OFF) $join", 'force'),
	qr/Custom Scan \(bloomfilter probe\)\n[^\n]*Bloom Filter Key: [^\n]*\n\s+-> +Custom Scan \(Other Node\)\n/, 'as the plan has it');
is(query($join, 'force'), query($join, 'off'), 'the same result');

# A partition of another access method is left out, whoever scans it.  A heap is not if another
# extension scans it, which may have rows for it that its bounds do not hold for.
$node->safe_psql('postgres', "
	CREATE FUNCTION other_table_handler(internal) RETURNS table_am_handler LANGUAGE c AS '$library';
	CREATE ACCESS METHOD other TYPE TABLE HANDLER other_table_handler;
	CREATE TABLE parts (k int, id int) PARTITION BY RANGE (k);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (500) USING other;
	CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (500) TO (1000) USING other;
	CREATE TABLE heaps (k int, id int) PARTITION BY RANGE (k);
	CREATE TABLE heaps_1 PARTITION OF heaps FOR VALUES FROM (0) TO (500);
	CREATE TABLE heaps_2 PARTITION OF heaps FOR VALUES FROM (500) TO (1000);
	INSERT INTO parts SELECT k, id FROM big;
	INSERT INTO heaps SELECT k, id FROM big;
	ANALYZE parts, heaps;
");
foreach my $case (['parts', 'never executed'], ['heaps', 'actual rows'])
{
	my ($table, $second) = @$case;
	my $sql = "SELECT count(*), sum(b.id) FROM $table b JOIN small s ON s.k = b.k";
	my $plan = query("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) $sql", 'force');

	like($plan, qr/Other Reader\) on ${table}_1 \w+ \(actual rows/, "$table: the scan of the first is run");
	like($plan, qr/Other Reader\) on ${table}_2 \w+ \($second/, "$table: that of the second: $second");
	is(scalar(() = $plan =~ /Partitions Skipped: 1/g), $second eq 'never executed' ? 1 : 0, "$table: and the plan tells");
	is(query($sql, 'force'), query($sql, 'off'), "$table: the same result");
}

# How far a column is from what it is computed from is what it is without filters, or less.
my $references = Module::build('references');

sub explained
{
	my ($sql, $filters) = @_;
	my ($out, $messages);
	$node->psql('postgres', "LOAD '$references'; LOAD 'bloomfilter'; SET enable_mergejoin = off; SET enable_nestloop = off; SET join_collapse_limit = 1;
		SET bloomfilter.join_filters = $filters; SET bloomfilter.join_filter_min_rows = 0; EXPLAIN (VERBOSE, COSTS OFF) $sql",
		stdout => \$out, stderr => \$messages, on_error_die => 1);
	return ($out, $messages =~ /NOTICE:  (\d+) references/);
}

# The conditions that a plan shows, and what the nodes return that are not ours.
sub expressions
{
	my ($plan) = @_;
	$plan =~ s/^ *->  Custom Scan.*\n.*\n.*\n(?: *Keys: .*\n)?//mg;
	return join("\n", map { s/^ *//r } grep { /(Output|Cond|Filter|Key): / } split(/\n/, $plan));
}

foreach my $case (
	[ 'expressions', 'SELECT k + 1 AS a, k + 2 AS b, k * 2 AS c FROM small OFFSET 0' ],
	[ 'aggregates', 'SELECT sum(k) FILTER (WHERE k > 0) AS a, count(*) AS b, k AS c FROM small GROUP BY k' ],
	[ 'expressions of columns of two tables', 'SELECT s.k + t.k AS a, CASE s.k WHEN 10 THEN t.k ELSE 0 END AS b, coalesce(s.k, t.k) AS c FROM small s JOIN small t ON s.k = t.k OFFSET 0' ],
	[ 'what is computed again', 'SELECT a + 1 AS a, b, c FROM (SELECT k + 1 AS a, k + 2 AS b, k * 2 AS c FROM small OFFSET 0) s OFFSET 0' ],
	[ 'window functions', 'SELECT rank() OVER (ORDER BY k) AS a, sum(k) OVER () AS b, k AS c FROM small' ],
	[ 'sub-selects', 'SELECT (SELECT max(k) FROM big WHERE k < s.k) AS a, k AS b, k AS c FROM small s OFFSET 0' ],
	[ 'several tables', 'SELECT k + 1 AS a, k AS b, k AS c FROM (SELECT k FROM small UNION ALL SELECT k + 1 FROM small) s' ])
{
	my ($name, $sql) = @$case;
	my $star = "SELECT x.id FROM big x JOIN (big y JOIN (big z JOIN ($sql) s ON z.id = s.a) ON y.id = s.b) ON x.id = s.c";
	my ($plain, $plain_references) = explained($star, 'off');
	my ($plan, $references) = explained($star, 'force');
	like($plan, qr/bloomfilter build.*bloomfilter build.*bloomfilter build/s, "$name: three filters");
	is(expressions($plan), expressions($plain), "$name: the plan shows the same of other nodes");
	cmp_ok($references, '<=', $plain_references, "$name: no more references") if $name =~ /expressions|aggregates/;
}

done_testing();
