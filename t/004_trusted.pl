# The extension in the hands of a user who is no superuser: whoever may create
# objects in the database may install it, and gains nothing by it but filters.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');

# Ann may create objects in the database, Bob may not, Carl owns secrets.
$node->safe_psql(
	'postgres', q{
	CREATE ROLE ann LOGIN;
	CREATE ROLE bob LOGIN;
	CREATE ROLE carl LOGIN;
	CREATE DATABASE shared;
	GRANT CREATE ON DATABASE shared TO ann;
	CREATE DATABASE restored OWNER ann;
});

sub as_user
{
	my ($user, @statements) = @_;
	return Session::run($node->connstr('shared') . " user=$user", @statements);
}

# is_refused USER STATEMENT SQLSTATE NAME
sub is_refused
{
	my ($user, $statement, $sqlstate, $name) = @_;
	my ($outcome) = as_user($user, $statement);
	is($outcome->{sqlstate}, $sqlstate, $name);
	return;
}

#
# Who may install it, and what belongs to whom
#

is_refused('bob', 'CREATE EXTENSION bloomfilter', '42501', 'not without CREATE on the database');
is($node->safe_psql('shared', "SELECT count(*) FROM pg_proc WHERE proname LIKE 'bloom%'"),
	'0', 'and nothing of it is left');
is((as_user('ann', 'CREATE EXTENSION bloomfilter SCHEMA public'))[0]->{sqlstate},
	'00000', 'with it, an ordinary user installs the extension');
is($node->safe_psql('shared', "SELECT extowner::regrole FROM pg_extension WHERE extname = 'bloomfilter'"),
	'ann', 'who owns the extension');

# The members by their owner, as pg_depend lists them.
my $members = q{
	FROM pg_depend d WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'bloomfilter')};
is( $node->safe_psql('shared',
		"SELECT string_agg(DISTINCT owner::regrole::text, ',') FROM (
			SELECT proowner FROM pg_proc WHERE oid IN (SELECT objid $members)
			UNION ALL SELECT typowner FROM pg_type WHERE oid IN (SELECT objid $members)
			UNION ALL SELECT oprowner FROM pg_operator WHERE oid IN (SELECT objid $members)
			UNION ALL SELECT opcowner FROM pg_opclass WHERE oid IN (SELECT objid $members)
			UNION ALL SELECT opfowner FROM pg_opfamily WHERE oid IN (SELECT objid $members)
		) owners (owner)"),
	$superuser, 'what is in it belongs to the superuser');
is( $node->safe_psql('shared',
		"SELECT string_agg(DISTINCT classid::regclass::text, ',' ORDER BY classid::regclass::text) $members"),
	'pg_am,pg_cast,pg_class,pg_opclass,pg_operator,pg_opfamily,pg_proc,pg_type',
	'there are no schemas, languages or triggers in it');
is( $node->safe_psql('shared',
		"SELECT string_agg(relname || ' ' || relkind::text || ' ' || relowner::regrole, ',' ORDER BY relname)
		FROM pg_class WHERE oid IN (SELECT objid $members)"),
	"bloom_indexes v $superuser,bloom_join_filter_trials v $superuser,bloom_stat_indexes v $superuser,bloom_stat_join_filters v $superuser",
	'no tables, only views, which belong to the superuser');
is( $node->safe_psql('shared',
		"SELECT count(*) > 40, bool_or(prosecdef), bool_or(proleakproof), string_agg(proname, ',') FILTER (WHERE proacl IS NOT NULL),
			bool_or(proconfig IS NOT NULL), string_agg(DISTINCT lanname, ',' ORDER BY lanname)
		FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE p.oid IN (SELECT objid $members)"),
	't|f|f|bloom_stat_reset|f|c,internal',
	'no function runs as its owner, claims to leak nothing, or has privileges of its own, but for one that not all may call');
is_refused('ann', 'SELECT public.bloom_stat_reset()', '42501', 'nor may the owner');
is( $node->safe_psql('shared',
		"SELECT count(*) FROM pg_proc p JOIN pg_language l ON l.oid = prolang
		WHERE p.oid IN (SELECT objid $members) AND lanname = 'internal' AND prokind <> 'a'"),
	'0', 'only aggregates are internal');

# Its owner cannot change the superuser's code, and nobody else the extension.
is_refused('ann', $_->[0], $_->[1], "the owner cannot: " . ($_->[0] =~ s{\s+}{ }gr)) foreach (
	[ q{CREATE OR REPLACE FUNCTION public.bloom_size(expected_items float8, false_positive_rate float8 DEFAULT 0.01)
		RETURNS bigint LANGUAGE sql AS 'SELECT 1'}, '42501' ],
	[ 'ALTER FUNCTION public.bloom_size(float8, float8) OWNER TO ann', '42501' ],
	[ 'CREATE OR REPLACE VIEW public.bloom_join_filter_trials AS SELECT 1', '42501' ],
	[ 'DROP VIEW public.bloom_stat_indexes', '42501' ],
	[ 'ALTER FUNCTION public.bloom_size(float8, float8) SECURITY DEFINER', '42501' ],
	[ 'ALTER FUNCTION public.bloom_contains(public.bloomfilter, anycompatible) LEAKPROOF', '42501' ],
	[ 'ALTER TYPE public.bloomfilter OWNER TO ann', '42501' ],
	[ 'ALTER OPERATOR public.|(public.bloomfilter, public.bloomfilter) OWNER TO ann', '42501' ],
	[ 'ALTER EXTENSION bloomfilter DROP FUNCTION public.bloom_size(float8, float8)', '42501' ],
	[ 'DROP FUNCTION public.bloom_size(float8, float8)', '42501' ],
	[ "CREATE FUNCTION pg_temp.f(internal) RETURNS public.bloomfilter LANGUAGE c AS '\$libdir/bloomfilter', 'bloomfilter_recv'", '42501' ],
	[ 'LOAD $$$libdir/bloomfilter$$', '42501' ],
	[ 'CREATE ACCESS METHOD mine TYPE INDEX HANDLER public.bloomfilter_index_handler', '42501' ],
	[ 'CREATE OPERATOR CLASS pg_temp.mine FOR TYPE int4 USING bloomfilter AS OPERATOR 1 =, FUNCTION 1 hashint4extended(int4, int8)',
		'42501' ],
	[ 'ALTER OPERATOR FAMILY public.integer_ops USING bloomfilter ADD FUNCTION 1 (oid, oid) hashoidextended(oid, int8)',
		'42501' ],
	[ 'ALTER EXTENSION bloomfilter DROP ACCESS METHOD bloomfilter', '42501' ],
	[ 'DROP ACCESS METHOD bloomfilter', '42501' ]);
is_refused('bob', $_, '42501', "another user cannot: $_") foreach (
	'DROP EXTENSION bloomfilter',
	'ALTER EXTENSION bloomfilter SET SCHEMA pg_temp',
	'ALTER EXTENSION bloomfilter UPDATE');

# Functions that take "internal" are for the server to call.  Which check it is
# that refuses depends on the minor version.
like((as_user('bob', "SELECT $_"))[0]->{sqlstate}, qr/^(42883|0A000)$/, "nobody can call $_") foreach (
	"public.bloomfilter_recv('x')",
	"public.bloomfilter_contains_support('x')",
	"public.bloomfilter_index_handler('x')",
	"public.bloomfilter_contains_sel('x', 0::oid, 'x', 0)");
is_refused('bob', 'SELECT public.bloomfilter_agg_transfn(public.bloom_create(10), 1)', '0A000',
	'nor an aggregate\'s part outside of one');

#
# What everybody may do
#

my @use = (
	'CREATE TEMP TABLE t AS SELECT g AS id, public.bloom_agg(g) OVER () AS f FROM generate_series(1, 100) g',
	'SELECT count(*) FROM t WHERE f OPERATOR(public.@>) id AND id OPERATOR(public.<@) f
		AND f::text::public.bloomfilter OPERATOR(public.=) f AND f::bytea::public.bloomfilter OPERATOR(public.=) f',
	'SELECT public.bloom_union_agg(f) OPERATOR(public.=) (SELECT f FROM t LIMIT 1),
		(SELECT count(*) FROM (SELECT DISTINCT f FROM t) d) FROM t',
	'SET bloomfilter.max_exact_hashes = 99',
	'SELECT public.bloom_agg(g) FROM generate_series(1, 100) g',
	'RESET bloomfilter.max_exact_hashes',
	'ALTER ROLE CURRENT_USER SET bloomfilter.max_exact_hashes = 98',
	'SET bloomfilter.no_such_setting = 1',
	"SELECT context, setting, min_val, max_val FROM pg_settings WHERE name = 'bloomfilter.max_exact_hashes'");
foreach my $user ('ann', 'bob')
{
	my @outcomes = as_user($user, @use);
	is(join(' ', map { $_->{sqlstate} } @outcomes),
		'00000 00000 00000 00000 54000 00000 00000 42602 00000', "$user uses all of it");
	is($outcomes[1]->{output}, '100', "$user gets the right answers");
	is($outcomes[2]->{output}, 't|1', "$user combines filters");
	is($outcomes[8]->{output}, 'user|16000000|1|67108864', "$user may change the setting");
	is((as_user($user, $use[4]))[0]->{sqlstate}, '54000', "$user keeps it for later sessions");
}

# Indexes of one's own tables
@use = (
	'CREATE TEMP TABLE t AS SELECT g AS id, g::text AS name FROM generate_series(1, 10000) g',
	'CREATE INDEX t_bf ON t USING bloomfilter (id, name)',
	"SET enable_seqscan = off",
	"SELECT count(*) FROM t WHERE name = '77'",
	"SELECT public.bloom_index_check('t_bf'), (public.bloom_index_info('t_bf')).groups",
	'REINDEX INDEX t_bf');
foreach my $user ('ann', 'bob')
{
	my @outcomes = as_user($user, @use);
	is(join(' ', map { $_->{sqlstate} } @outcomes), '00000 00000 00000 00000 00000 00000', "$user uses indexes");
	is("$outcomes[3]->{output} $outcomes[4]->{output}", '1 0|1', "$user finds rows by them");
}

#
# What nobody learns
#

# Carl's rows, of which others see some, through views and policies.  The
# column has one value in nine rows of ten.
$node->safe_psql(
	'shared', q{
	CREATE SCHEMA bob AUTHORIZATION bob;
	CREATE SCHEMA carl AUTHORIZATION carl;
	GRANT USAGE ON SCHEMA carl TO PUBLIC;
	SET ROLE carl;
	CREATE FUNCTION carl.costly(name) RETURNS boolean STABLE COST 100000 LANGUAGE sql
		AS $$SELECT count(*) > 0 FROM pg_class WHERE $1 = current_user$$;
	CREATE TABLE carl.guarded AS
		SELECT g AS id, CASE WHEN g % 10 = 0 THEN g ELSE 777777 END AS secret,
			CASE WHEN g % 20 < 10 THEN 'bob' ELSE 'carl' END::name AS reader
		FROM generate_series(1, 10000) g;
	CREATE TABLE carl.filters AS
		SELECT 'bob'::name AS reader, public.bloom_agg(g) AS f FROM generate_series(1, 10) g
		UNION ALL
		SELECT 'carl'::name AS reader, public.bloom_agg(g::text) AS f FROM generate_series(1, 10) g;
	ANALYZE carl.guarded, carl.filters;
	CREATE VIEW carl.barrier WITH (security_barrier) AS
		SELECT id, secret FROM carl.guarded WHERE reader = current_user;
	CREATE VIEW carl.own_filters WITH (security_barrier) AS
		SELECT f FROM carl.filters WHERE carl.costly(reader);
	CREATE TABLE carl.policed AS SELECT * FROM carl.guarded;
	CREATE TABLE carl.half_open AS SELECT * FROM carl.guarded;
	ANALYZE carl.policed, carl.half_open;
	ALTER TABLE carl.policed ENABLE ROW LEVEL SECURITY;
	CREATE POLICY own ON carl.policed USING (reader = current_user);
	GRANT SELECT ON carl.barrier, carl.own_filters, carl.policed TO PUBLIC;
	GRANT SELECT (id) ON carl.half_open TO PUBLIC;
});

# Estimates of how many rows the filters of two values let through.
sub estimates
{
	my ($user, $table, $test) = @_;
	my @rows;

	foreach my $value (777777, 5)
	{
		my $filter = $node->safe_psql('shared', "SELECT public.bloom_agg($value)::text");
		(my $condition = $test) =~ s/FILTER/'$filter'::public.bloomfilter/;
		my ($plan) = as_user($user, "EXPLAIN SELECT id FROM $table WHERE $condition");
		is($plan->{sqlstate}, '00000', "$user can ask for a plan on $table") or return ();
		push @rows, $plan->{output} =~ /rows=(\d+)/;
	}
	return @rows;
}

my $by_function = 'public.bloom_contains(FILTER, secret)';
my $by_operator = 'FILTER OPERATOR(public.@>) secret';
foreach my $test ($by_function, $by_operator)
{
	my ($common, $absent) = estimates('carl', 'carl.guarded', $test);
	cmp_ok($common, '>', 8900, "who may read a column sees its common value in the estimate: $test");
	cmp_ok($absent, '<', 100, "and that another is rare: $test");
	foreach my $table ('carl.barrier', 'carl.policed')
	{
		($common, $absent) = estimates('bob', $table, $test);
		is($common, $absent, "who may not, sees nothing of it in $table: $test");
	}
}
is_refused('bob', "EXPLAIN SELECT id FROM carl.half_open WHERE public.bloom_contains(public.bloom_create(10), secret)",
	'42501', 'no plan with a column that may not be read');
is_refused('bob', "SELECT public.bloom_agg(secret) FROM carl.half_open", '42501', 'no filter of it');

# A test that would fail on a hidden row is not run on it.
my $probe = 'SELECT count(*) FROM carl.own_filters WHERE f OPERATOR(public.@>) 5';
my ($probed) = as_user('bob', $probe);
is("$probed->{sqlstate} $probed->{output}", '00000 1', 'hidden rows cause no errors');
$node->safe_psql('shared', 'ALTER FUNCTION public.bloom_contains(public.bloomfilter, anycompatible) LEAKPROOF');
is_refused('bob', $probe, '42804', 'as they would, were the function taken to be leakproof');
$node->safe_psql('shared', 'ALTER FUNCTION public.bloom_contains(public.bloomfilter, anycompatible) NOT LEAKPROOF');

# Another operator with the extension's estimators tells no more.
my ($before) = estimates('bob', 'carl.policed', $by_operator);
$node->safe_psql(
	'shared', q{
	CREATE FUNCTION bob.loose(public.bloomfilter, int) RETURNS boolean IMMUTABLE COST 0.0001
		LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
	ALTER FUNCTION bob.loose(public.bloomfilter, int) OWNER TO bob;
	CREATE OPERATOR bob.@@> (FUNCTION = bob.loose, LEFTARG = public.bloomfilter, RIGHTARG = int,
		RESTRICT = public.bloomfilter_contains_sel, JOIN = public.bloomfilter_contains_joinsel);
});
my ($common) = estimates('bob', 'carl.policed', 'FILTER OPERATOR(bob.@@>) secret');
is($common, $before, 'an operator of one\'s own with these estimators tells no more');

#
# Dump, restore, drop
#

my $directory = PostgreSQL::Test::Utils::tempdir_short;
my (undef, $kept) = as_user('ann', 'CREATE SCHEMA ann',
	'CREATE TABLE ann.filters AS
		SELECT g AS id, public.bloom_agg(g) OVER (ORDER BY g) AS f FROM generate_series(1, 90) g');
is($kept->{sqlstate}, '00000', 'the owner has a table of filters');
command_ok([ 'pg_dump', '-Fc', '-f', "$directory/dump", '-n', 'ann', '-e', 'bloomfilter',
		'-d', $node->connstr('shared') . ' user=ann' ], 'the owner dumps it');
command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('restored') . ' user=ann', "$directory/dump" ],
	'and restores it, without a superuser');
my $content = 'SELECT count(*), sum(public.bloom_cardinality(f)), md5(string_agg(f::text, chr(10) ORDER BY id)) FROM ann.filters';
is($node->safe_psql('restored', $content), $node->safe_psql('shared', $content), 'as it was');
is($node->safe_psql('restored', "SELECT extowner::regrole FROM pg_extension WHERE extname = 'bloomfilter'"),
	'ann', 'and owns the extension there');

is_refused('ann', 'DROP EXTENSION bloomfilter', '2BP01', 'the extension cannot be dropped while it is used');
my ($dropped) = as_user('ann', 'DROP EXTENSION bloomfilter CASCADE');
is($dropped->{sqlstate}, '00000', 'its owner drops it with all that depends on it');
is($node->safe_psql('shared', "SELECT count(*) FROM pg_proc WHERE proname LIKE 'bloom%'"), '0', 'wholly');

done_testing();
