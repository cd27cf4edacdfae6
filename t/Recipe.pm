# The recipes of docs/cookbook, so that tests run what users copy.
#
#	my $sql = Recipe::definitions('A filter that grows');
#
# That is what the examples below that heading create: those that begin with
# CREATE, in their order.  Only one page has the heading.

package Recipe;

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Utils;

sub definitions
{
	my ($title) = @_;
	my @pages = map { slurp_file($_) } glob("'$FindBin::RealBin/../docs/cookbook/*.md'");
	my @recipes = map { /^## \Q$title\E\n(.*?)(?=^## |\z)/msg } @pages;
	die scalar(@recipes) . " recipes '$title'" unless @recipes == 1;
	my @definitions = grep { /^CREATE / } $recipes[0] =~ /^```sql\n(.*?)^```$/msg;

	die "the recipe '$title' creates nothing" unless @definitions;
	return join "\n", @definitions;
}

1;
