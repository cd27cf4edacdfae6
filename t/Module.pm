# The modules of test/modules/ that tests load into a server.
#
#	my $library = Module::build('short_calls');
#
# That builds one in a directory of its own, which is a test of its own, and
# tells what to write after AS in CREATE FUNCTION ... LANGUAGE C.

package Module;

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

sub build
{
	my ($name) = @_;
	my $directory = PostgreSQL::Test::Utils::tempdir();
	my $sources = "$FindBin::RealBin/../test/modules/$name";

	# what make was told that runs this test is not for the module
	delete local @ENV{ 'MAKEFLAGS', 'MFLAGS', 'MAKELEVEL' };
	is(system('make', '-s', '-C', $directory, '-f', "$sources/Makefile", "VPATH=$sources", 'with_llvm=no'),
		0, 'the module is built');
	return "$directory/$name";
}

1;
