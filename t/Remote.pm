# Queries with and without what is sent to another server.
#
#	Remote::begin($node, 'filters', \&sent);
#	query($sql, $settings);
#	plan_of($sql, $settings);
#	same($name, $number, $sql);
#
# The node has the local tables.  sent($sql) counts the scans in a query's plan that
# send what is being tested, which has that name.

package Remote;

use strict;
use warnings;

use Exporter 'import';
use SharedSession;
use Test::More;

our @EXPORT = qw($force $on query plan_of same);

our $force = 'SET bloomfilter.join_filters = force; SET bloomfilter.join_filter_min_rows = 0';
our $on = 'SET bloomfilter.join_filters = on; SET bloomfilter.join_filter_min_rows = 1000';

my ($session, $what, $sent);

sub begin
{
	(my $local, $what, $sent) = @_;
	$session = SharedSession->new($local);
	return;
}

sub query
{
	my ($sql, $settings) = @_;
	return $session->run(($settings // '') . ';' . $sql);
}

sub plan_of
{
	my ($sql, $settings) = @_;
	return query("EXPLAIN (VERBOSE, COSTS OFF) $sql", $settings);
}

# The result is that with nothing sent; so many scans send something.
sub same
{
	my ($name, $number, $sql) = @_;
	is($sent->($sql), $number, "$name: $number $what are sent");
	my $plain = query($sql);
	is(query($sql, $force), $plain, "$name: the same result");
	return $plain;
}

1;
