# What the standby is to have replayed.

package Standby;

use strict;
use warnings;

# catch_up($primary, $standby): all that was done.  What VACUUM writes without a
# transaction's number is not on disk when it ends, so wait_for_catchup() alone
# does not wait for it; a commit with a number has all of it written.
sub catch_up
{
	my ($primary, $standby) = @_;

	$primary->safe_psql('postgres', 'SELECT pg_current_xact_id()');
	return $primary->wait_for_catchup($standby);
}

1;
