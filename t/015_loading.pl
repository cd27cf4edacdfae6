# Ways to load the library, for users who are no superusers: what is told of
# them, that two names of one file load it once, and what happens if there is
# no such file.

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
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE ROLE ann LOGIN;
	CREATE ROLE bob LOGIN;
	CREATE TABLE big AS SELECT i AS id, i % 5000 AS k FROM generate_series(1, 20000) AS i;
	CREATE TABLE keys AS SELECT i * 25 AS k FROM generate_series(1, 20) AS i;
	ANALYZE;
	GRANT SELECT ON big, keys TO PUBLIC;
});
my $status = 'SELECT join_filters, source, preloaded_by, rejected_value FROM bloom_join_filter_status()';
my $plan = 'EXPLAIN (COSTS OFF) SELECT count(*) FROM big JOIN keys USING (k)';
my @hash_joins = ('SET max_parallel_workers_per_gather = 0', 'SET enable_nestloop = off', 'SET enable_mergejoin = off');
my $force = "SET bloomfilter.join_filters = 'force'";

sub as_user
{
	my ($user, @statements) = @_;
	return Session::run($node->connstr('postgres') . " user=$user", @statements);
}

sub filters
{
	my ($outcome) = @_;
	return scalar(() = $outcome->{output} =~ /bloomfilter build/g);
}

# What a new session of the user is told, without loading the library by hand.
sub status_of
{
	my ($user) = @_;
	return (as_user($user, $status))[0]->{output};
}

#
# Not loaded
#

is(status_of('ann'), 'off|default||', 'by default new sessions do not have it');
is(filters((as_user('ann', @hash_joins, $force, $plan))[-1]), 0, 'and make no filters, whatever the setting');
is((as_user('ann', "LOAD 'bloomfilter'"))[0]->{sqlstate}, '42501', 'LOAD by its name is for superusers');
is((as_user('ann', "SET session_preload_libraries = 'bloomfilter'"))[0]->{sqlstate}, '42501',
	'session_preload_libraries is not for everybody');

# A value that nobody could check before.
my ($set, $told, $later, $after) = as_user('ann', "SET bloomfilter.join_filters = 'bananas'", $status,
	'SET bloomfilter.join_filters = on', $status);
is($set->{sqlstate}, '00000', 'before the library is loaded the setting takes any value');
is($told->{output}, 'off|default||bananas', 'and the status tells of one that is none');
is($after->{output}, 'on|session||bananas', 'also when another has been set');
is((as_user('ann', "SET bloomfilter.join_filters = 'TRUE'", $status))[1]->{output}, 'on|session||', 'one may be spelt in several ways');
my ($result, $stdout, $stderr) =
	$node->psql('postgres', "SET bloomfilter.join_filters = 'bananas'; LOAD 'bloomfilter'; SHOW bloomfilter.join_filters");
like($stderr, qr/WARNING: .*invalid value for parameter "bloomfilter.join_filters": "bananas"/,
	'loading the library warns of it');
is($stdout, 'off', 'and it is ignored');

#
# session_preload_libraries, with a privilege
#

$node->safe_psql('postgres', 'GRANT SET ON PARAMETER session_preload_libraries TO ann');
is((as_user('ann', "ALTER ROLE ann SET session_preload_libraries = 'bloomfilter'"))[0]->{sqlstate}, '00000',
	'whoever is granted SET may have it preloaded');
is((as_user('bob', "ALTER ROLE bob SET session_preload_libraries = 'bloomfilter'"))[0]->{sqlstate}, '42501',
	'nobody else');
is(status_of('ann'), 'off|default|session_preload_libraries|', 'and is told that it is');
is((as_user('ann', 'ALTER ROLE ann SET bloomfilter.join_filters = force'))[0]->{sqlstate}, '00000',
	'having the library, a user sets it for later sessions');
is(status_of('ann'), 'force|user|session_preload_libraries|', 'which have it');
is(filters((as_user('ann', @hash_joins, $plan))[-1]), 1, 'and filters');
is(status_of('bob'), 'off|default||', 'other users have neither');
is((as_user('ann', "ALTER ROLE ann SET session_preload_libraries = 'auto_explain'", $status))[1]->{output},
	'force|user||', 'the status is of new sessions, not of this one');
$node->safe_psql('postgres', 'ALTER ROLE ann RESET session_preload_libraries');

# what is given for a database counts less than what is for a role in it
$node->safe_psql(
	'postgres', q{
	ALTER DATABASE postgres SET session_preload_libraries = 'bloomfilter';
	ALTER ROLE ann IN DATABASE postgres SET session_preload_libraries = 'auto_explain';
});
is(status_of('bob'), 'off|default|session_preload_libraries|', 'a database has it preloaded');
is(status_of('ann'), 'force|user||', 'but for a role in it');
$node->safe_psql(
	'postgres', q{
	ALTER DATABASE postgres RESET session_preload_libraries;
	ALTER ROLE ann IN DATABASE postgres RESET session_preload_libraries;
	ALTER ROLE ann RESET bloomfilter.join_filters;
});

# by an unknown value that is kept for a role
$node->safe_psql('postgres', "ALTER ROLE bob SET bloomfilter.join_filters = 'bananas'");
is(status_of('bob'), 'off|default||bananas', 'an unknown value of ALTER ROLE is told, too');
$node->safe_psql('postgres', 'ALTER ROLE bob RESET bloomfilter.join_filters');

#
# The plugins, for everybody
#

SKIP:
{
	# from 18 on a server can find an extension elsewhere than where its plugins are
	skip 'the extension is not in the directories of the server', 11
	  unless $node->psql('postgres', q{LOAD '$libdir/plugins/bloomfilter'}) == 0;

	my $load = q{LOAD '$libdir/plugins/bloomfilter'};
	my @outcomes = as_user('bob', $load, @hash_joins, $force, $plan, $status);
	is($outcomes[0]->{sqlstate}, '00000', 'everybody may load a plugin');
	is(filters($outcomes[-2]), 1, 'and has filters');
	is($outcomes[-1]->{output}, 'force|session||', 'in this session, new ones do not');

	# one file, two names
	@outcomes = as_user('bob', $load, $status, @hash_joins, $force, $plan);
	is($outcomes[1]->{sqlstate}, '00000', 'a function uses the library that is loaded as a plugin');
	is(filters($outcomes[-1]), 1, 'which is loaded once');
	@outcomes = as_user('bob', $status, $force, $load, @hash_joins, $plan);
	is($outcomes[2]->{sqlstate}, '00000', 'a plugin that a function has loaded can be loaded');
	is(filters($outcomes[-1]), 1, 'and is not loaded again');

	is((as_user('bob', "ALTER ROLE bob SET local_preload_libraries = 'bloomfilter'"))[0]->{sqlstate}, '00000',
		'everybody may preload a plugin');
	is(status_of('bob'), 'off|default|local_preload_libraries|', 'and is told that it is');
	@outcomes = as_user('bob', 'ALTER ROLE bob SET bloomfilter.join_filters = on', $status);
	is($outcomes[0]->{sqlstate}, '00000', 'and sets it for later sessions');
	is(status_of('bob'), 'on|user|local_preload_libraries|', 'which have it');
	$node->safe_psql('postgres', 'ALTER ROLE bob RESET ALL');
}

#
# A library that is not there
#

foreach my $setting ('local_preload_libraries', 'session_preload_libraries')
{
	$node->safe_psql('postgres', "ALTER ROLE bob SET $setting = 'no_such_library'");
	my ($status_code, undef, $error) = $node->psql('postgres', 'SELECT 1',
		extra_params => [ '-U', 'bob' ]);
	isnt($status_code, 0, "$setting: without the file there are no sessions");
	like($error, qr/FATAL: .*could not access file ".*no_such_library"/, "$setting: which is told");
	is((as_user('ann', 'SELECT 1'))[0]->{output}, '1', "$setting: others have sessions");
	$node->safe_psql('postgres', "ALTER ROLE bob RESET $setting");
}
# local_preload_libraries can be overruled by whoever connects
$node->safe_psql('postgres', "ALTER ROLE bob SET local_preload_libraries = 'no_such_library'");
is( (Session::run($node->connstr('postgres') . " user=bob options='-c local_preload_libraries='",
			'ALTER ROLE bob RESET local_preload_libraries'))[0]->{sqlstate},
	'00000', 'options of the connection go before');
is((as_user('bob', 'SELECT 1'))[0]->{output}, '1', 'so that a user can take it back');

#
# Settings for the server, in a session without the library
#
my $loaded_first = "LOAD 'bloomfilter'";
foreach my $command ('ALTER SYSTEM SET bloomfilter.join_filters = on', 'ALTER SYSTEM RESET bloomfilter.join_filters')
{
	my ($status_code, undef, $message) = $node->psql('postgres', $command);
	if ($node->safe_psql('postgres', 'SHOW server_version_num') < 170000)
	{
		like($message, qr/unrecognized configuration parameter/, "$command: up to 16 the server does not know it");
	}
	else
	{
		is($status_code, 0, "$command: from 17 on the server takes it");
	}
	is($node->psql('postgres', "$loaded_first; $command"), 0, "$command: known when the library is loaded");
}
foreach my $command ('ALTER DATABASE postgres SET bloomfilter.join_filters = on', 'ALTER DATABASE postgres RESET bloomfilter.join_filters')
{
	is($node->psql('postgres', $command), 0, "$command: superusers need no library");
}

done_testing();
