# StopAtFailure.pm: ends a TAP test at its first failure, and the servers that
# it has started.  For script/mutate, to which one failure says all.
package StopAtFailure;

use strict;
use warnings;

use Test2::API qw(test2_add_callback_context_release);

test2_add_callback_context_release(
	sub {
		my ($context) = @_;

		die "stopped at the first failure\n" unless $context->hub->is_passing;
	});

1;
