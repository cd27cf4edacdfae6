# Functions that are called anew for each row, by memory that does not outlive
# the row: as extensions call them that aggregate on several servers.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

#
# The module that calls them so
#

my $library = Module::build('short_calls');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "max_parallel_workers_per_gather = 0\njit = off\n");
$node->start;

my $functions = join '', map {
	my ($name, $arguments, $result, $symbol) = @$_;
	"CREATE FUNCTION $name($arguments) RETURNS $result AS '$library', '$symbol' LANGUAGE C;\n"
} (
	[ 'call_for_filter', 'regprocedure, VARIADIC "any"', 'bloomfilter', 'short_call' ],
	[ 'call_for_boolean', 'regprocedure, VARIADIC "any"', 'boolean', 'short_call' ],
	[ 'call_for_bigint', 'regprocedure, VARIADIC "any"', 'bigint', 'short_call' ],
	[ 'call_for_integer', 'regprocedure, VARIADIC "any"', 'integer', 'short_call' ],
	[ 'transition', 'internal, regprocedure, VARIADIC "any"', 'internal', 'driven_transition' ],
	[ 'typed_transition', 'internal, regprocedure, VARIADIC "any"', 'internal', 'driven_typed_transition' ],
	[ 'final', 'internal', 'bloomfilter', 'driven_final' ],
	[ 'counting_final', 'internal', 'counting_bloomfilter', 'driven_final' ],
	[ 'contexts', '', 'bigint', 'driven_contexts' ],
	[ 'bytes', '', 'bigint', 'driven_bytes' ]);
$node->safe_psql('postgres', "
	CREATE EXTENSION bloomfilter;
	$functions
	CREATE AGGREGATE driven(regprocedure, VARIADIC \"any\") (SFUNC = transition, STYPE = internal, FINALFUNC = final);
	CREATE AGGREGATE driven_typed(regprocedure, VARIADIC \"any\") (SFUNC = typed_transition, STYPE = internal, FINALFUNC = final);
	CREATE AGGREGATE driven_counting(regprocedure, VARIADIC \"any\") (SFUNC = transition, STYPE = internal, FINALFUNC = counting_final);
	CREATE AGGREGATE driven_typed_counting(regprocedure, VARIADIC \"any\") (SFUNC = typed_transition, STYPE = internal, FINALFUNC = counting_final);
	CREATE TABLE t AS SELECT i, i % 7 AS g, i / 3 AS n, 'value ' || i % 1000 AS s FROM generate_series(1, 20000) i;
	CREATE TABLE filters AS SELECT i, i % 7 AS g,
		bloom_add_all(bloom_create(30000), ARRAY[-1, -2, -3]) | bloom_add(bloom_create(30000), i) AS f FROM generate_series(1, 20000) i;
	ANALYZE t, filters;
");

# is_query NAME, QUERY, RESULT
sub is_query
{
	my ($name, $query, $expected) = @_;

	is($node->safe_psql('postgres', $query), $expected, $name);
	return;
}

# fails NAME, QUERY, SQLSTATE, MESSAGE
sub fails
{
	my ($name, $query, $sqlstate, $message) = @_;
	my ($status, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\n$query");

	like($err, qr/ERROR:  $sqlstate: .*$message/s, $name);
	return;
}

#
# Transition functions
#

my $union = "'bloomfilter_union_transfn(bloomfilter, bloomfilter)'::regprocedure";
my $intersection = "'bloomfilter_intersection_transfn(bloomfilter, bloomfilter)'::regprocedure";

is_query('union', "SELECT driven($union, f) = bloom_union_agg(f) FROM filters", 't');
is_query('intersection',
	"SELECT driven($intersection, f) = bloom_intersection_agg(f), bloom_cardinality(driven($intersection, f)) FROM filters",
	't|3');
is_query('union by bloom_union',
	"SELECT driven('bloom_union(bloomfilter, bloomfilter)'::regprocedure, f) = bloom_union_agg(f) FROM filters", 't');

foreach my $plan ('enable_sort', 'enable_hashagg')
{
	is_query("union of groups, without $plan",
		"SET $plan = off;
		SELECT count(*), bool_and(d = u) FROM (SELECT g, driven($union, f) AS d, bloom_union_agg(f) AS u FROM filters GROUP BY g) s",
		'7|t');
	is_query("thousands of groups, without $plan",
		"SET $plan = off; SET work_mem = '64MB';
		SELECT count(*), bool_and(d = a), bool_and(u \@> -1) FROM (
			SELECT n, driven_typed('bloomfilter_agg_transfn(bloomfilter, \"any\", float8)'::regprocedure, i, 10::float8) AS d, bloom_agg(i, 10) AS a,
				driven($union, bloom_add(bloom_create(10), -1)) AS u
			FROM t GROUP BY n) s",
		'6667|t|t');
}
is_query('union of grouping sets',
	"SELECT count(*), bool_and(d = u) FROM (SELECT driven($union, f) AS d, bloom_union_agg(f) AS u
		FROM filters WHERE i < 1000 GROUP BY GROUPING SETS ((g), (g, i % 3), ())) s",
	'29|t');
is_query('union in a window',
	"SELECT count(*), bool_and(d = u) FROM (SELECT driven($union, f) OVER w AS d, bloom_union_agg(f) OVER w AS u
		FROM filters WHERE i < 300 WINDOW w AS (PARTITION BY g ORDER BY i ROWS BETWEEN 5 PRECEDING AND CURRENT ROW)) s",
	'299|t');

#
# Their memory: a context for all states, and nothing for each row
#

foreach my $aggregate ("driven($union, f)", "driven($intersection, f)",
	"driven('bloom_union(bloomfilter, bloomfilter)'::regprocedure, f)",
	"driven_typed('bloomfilter_agg_transfn(bloomfilter, \"any\", float8)'::regprocedure, i, 30000::float8)")
{
	is_query("memory of $aggregate",
		"SELECT bloom_cardinality($aggregate) > 0 FROM filters; SELECT contexts(), bytes() < 500000", "t\n1|t");
}
is_query('memory of groups',
	"SET enable_sort = off; SET work_mem = '64MB';
	SELECT count(d) FROM (SELECT driven($union, bloom_add(bloom_create(10), i)) AS d FROM t GROUP BY n) s; SELECT contexts()", "6667\n1");

#
# bloom_agg needs to know the type of its values
#

my $agg = "'bloomfilter_agg_transfn(bloomfilter, \"any\")'::regprocedure";

is_query('bloom_agg', "SELECT (SELECT bloomfilter_agg_finalfn(driven_typed($agg, s)) FROM t) = (SELECT bloom_agg(s) FROM t)", 't');
fails('bloom_agg of an unknown type', "SELECT driven($agg, s) FROM t", '0A000', 'HINT:.*bloom_union_agg');
fails('bloom_agg with parameters that change',
	"SELECT driven_typed('bloomfilter_agg_transfn(bloomfilter, \"any\", float8)'::regprocedure, i, 1000::float8 + i) FROM t",
	'22023', 'DETAIL:.*1001.*1002');
is_query('the way out', "SELECT driven($union, bloom_add(bloom_create(20000), i)) = bloom_agg(i, 20000) FROM t", 't');

# the same of counting filters
my $counting_sum = "'counting_bloomfilter_sum_transfn(counting_bloomfilter, counting_bloomfilter)'::regprocedure";
my $counting_agg = "'counting_bloomfilter_agg_transfn(counting_bloomfilter, \"any\", float8)'::regprocedure";

is_query('counting_bloom_agg',
	"SELECT driven_typed_counting($counting_agg, s, 900::float8) = counting_bloom_agg(s, 900) FROM t", 't');
fails('counting_bloom_agg of an unknown type', "SELECT driven_counting($counting_agg, s, 900::float8) FROM t",
	'0A000', 'HINT:.*counting_bloom_sum_agg');
is_query('its way out',
	"SELECT driven_counting($counting_sum, bloom_add(counting_bloom_create(900), s)) = counting_bloom_agg(s, 900) FROM t", 't');

# outside of an aggregate, even if the context says nothing
fails('a transition function outside of an aggregate', "SELECT call_for_filter($union, bloom_create(10), bloom_create(10))",
	'0A000', 'outside of an aggregate');

#
# All other functions that remember something from call to call
#

$node->safe_psql('postgres', "
	CREATE TABLE stored AS SELECT bloom_agg(i, 200000) AS f, bloom_agg(i::numeric, 1000) AS own, bloom_agg(s) AS texts FROM t;
	ALTER TABLE stored ALTER COLUMN own SET STORAGE plain;
");
is_query('bloom_add', "SELECT bool_and(call_for_filter('bloom_add(bloomfilter, anycompatible)'::regprocedure, f, i) = bloom_add(f, i))
	FROM (SELECT bloom_create(1000) AS f) c, t", 't');
is_query('bloom_add of a type hashed by its own function',
	"SELECT bool_and(call_for_filter('bloom_add(bloomfilter, anycompatible)'::regprocedure, f, i::numeric) = bloom_add(f, i::numeric))
	FROM (SELECT bloom_create(1000) AS f) c, t", 't');
is_query('bloom_add_all', "SELECT bool_and(call_for_filter('bloom_add_all(bloomfilter, anycompatiblearray)'::regprocedure, f, ARRAY[i, n]) = bloom_add_all(f, ARRAY[i, n]))
	FROM (SELECT bloom_create(1000) AS f) c, t", 't');
foreach my $column ('f', 'own', 'texts')
{
	my $value = { f => 'i', own => 'i::numeric', texts => 's' }->{$column};

	is_query("bloom_contains, $column", "SELECT count(*), bool_and(call_for_boolean('bloom_contains(bloomfilter, anycompatible)'::regprocedure, $column, $value))
		FROM stored, t WHERE i < 2000", '1999|t');
	is_query("bloom_contained_by, $column", "SELECT bool_and(call_for_boolean('bloom_contained_by(anycompatible, bloomfilter)'::regprocedure, $value, $column))
		FROM stored, t WHERE i < 2000", 't');
	foreach my $function ('any', 'all')
	{
		is_query("bloom_contains_$function, $column",
			"SELECT bool_and(call_for_boolean('bloom_contains_$function(bloomfilter, anycompatiblearray)'::regprocedure, $column, ARRAY[$value, $value]))
			FROM stored, t WHERE i < 2000", 't');
	}
}
is_query('bloom_hash', "SELECT bool_and(call_for_bigint('bloom_hash(anycompatible, bigint)'::regprocedure, s, 1::bigint) = bloom_hash(s, 1)) FROM t", 't');
is_query('bloom_shard', "SELECT bool_and(call_for_integer('bloom_shard(anycompatible, int)'::regprocedure, s, 7) = bloom_shard(s, 7)) FROM t", 't');

is_query('nothing of all this has ended a session', "SELECT count(*) FROM t", '20000');
unlike(slurp_file($node->logfile), qr/terminated by signal/, 'and nothing has crashed');

done_testing();
