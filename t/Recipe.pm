# The recipes of docs/cookbook.md, so that tests run what users copy.
#
#	my $sql = Recipe::definitions('A filter that grows');
#
# That is what the examples below that heading create: those that begin with
# CREATE, in their order.

package Recipe;

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Utils;

sub definitions
{
	my ($title) = @_;
	my $cookbook = slurp_file("$FindBin::RealBin/../docs/cookbook.md");
	my ($recipe) = $cookbook =~ /^## \d+ \Q$title\E\n(.*?)(?=^## |\z)/ms
	  or die "there is no recipe '$title'";
	my @definitions = grep { /^CREATE / } $recipe =~ /^```sql\n(.*?)^```$/msg;

	die "the recipe '$title' creates nothing" unless @definitions;
	return join "\n", @definitions;
}

1;
