# What the standby is to have replayed.

package Standby;

use strict;
use warnings;

# catch_up($primary, $standby): all that was done.  wait_for_catchup() alone waits
# for what has been written to disk, which the WAL of a VACUUM has not been when
# VACUUM ends: its transaction has no number.
sub catch_up
{
	my ($primary, $standby) = @_;

	return $primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
}

1;
