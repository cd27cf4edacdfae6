# Lookups that have read the directory of a filter index and wait before they
# read its pages, by test/modules/stale_scan.
#
#	my $library = StaleScan::create($node);
#	my $scan = StaleScan::start($node, 'index_bf', 5);
#	my $outcome = StaleScan::finish($scan);
#
# create() builds the module, which is a test, and makes its functions, which
# stay; cut_covers(index, groups) leaves only so many groups in covers.  start() looks for a value in an index, or for a hash in the filter of a table,
# by the function that may be named, and returns when the lookup waits; one at a time.  finish() lets it go on, and tells of it as Session does.

package StaleScan;

use strict;
use warnings;

use Module;
use PostgreSQL::Test::Utils;
use Session;

sub create
{
	my ($node) = @_;
	my $library = Module::build('stale_scan');

	$node->safe_psql('postgres',
		"CREATE FUNCTION stale_scan(regclass, int) RETURNS bigint LANGUAGE c STRICT AS '$library', 'stale_scan';
		CREATE FUNCTION stale_contains(regclass, bigint) RETURNS boolean LANGUAGE c STRICT AS '$library', 'stale_contains';
		CREATE FUNCTION cut_covers(regclass, int) RETURNS void LANGUAGE c STRICT AS '$library', 'cut_covers'");
	return $library;
}

sub start
{
	my ($node, $index, $value, $function) = @_;
	my $go = PostgreSQL::Test::Utils::tempdir_short() . '/go';
	my %scan = (go => $go);

	$scan{lock} = Session::start($node->connstr('postgres'), 'SELECT pg_advisory_lock(1)', Session::wait_for($go));
	$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND granted");
	$scan{scan} = Session::start($node->connstr('postgres'), 'SELECT ' . ($function // 'stale_scan') . "('$index', $value)");
	$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
	return \%scan;
}

sub finish
{
	my ($scan) = @_;

	append_to_file($scan->{go}, 'go');
	my ($outcome) = Session::finish($scan->{scan});
	Session::finish($scan->{lock});
	return $outcome;
}

1;
