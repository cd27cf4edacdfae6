# A hash function in C may move: the same library in another place, or of
# another version, leaves a filter good; another library does not.

use strict;
use warnings;

use File::Copy;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

chomp(my $citext = `pg_config --pkglibdir`);
my ($file) = glob "$citext/citext.*";
my ($suffix) = $file =~ /(\.\w+)$/;
my $directory = PostgreSQL::Test::Utils::tempdir;

mkdir "$directory/elsewhere" or die "mkdir: $!";
foreach my $copy ('folding', 'elsewhere/folding', 'folding-2', 'folding-2.1', 'folding-two', 'other')
{
	copy($file, "$directory/$copy$suffix") or die "copy: $!";
}

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

# hash_by LIBRARY: the statement that takes the function from there
sub hash_by
{
	my ($library) = @_;

	return "CREATE OR REPLACE FUNCTION folded_hash(folded, bigint) RETURNS bigint LANGUAGE c IMMUTABLE STRICT
		AS '$directory/$library', 'citext_hash_extended';";
}

$node->safe_psql('postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TYPE folded;
	CREATE FUNCTION folded_in(cstring) RETURNS folded LANGUAGE internal IMMUTABLE STRICT AS 'textin';
	CREATE FUNCTION folded_out(folded) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
	CREATE TYPE folded (INPUT = folded_in, OUTPUT = folded_out, LIKE = text);
	CREATE FUNCTION folded_eq(folded, folded) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT
		AS $$ SELECT lower($1::text) = lower($2::text) $$;
	CREATE OPERATOR = (LEFTARG = folded, RIGHTARG = folded, FUNCTION = folded_eq, COMMUTATOR = =, HASHES);
	CREATE FUNCTION folded_hash(folded) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT hashtext(lower($1::text)) $$;
	} . hash_by('folding') . q{
	CREATE OPERATOR CLASS folded_ops DEFAULT FOR TYPE folded USING hash AS
		OPERATOR 1 =, FUNCTION 1 folded_hash(folded), FUNCTION 2 folded_hash(folded, bigint);
	CREATE TABLE filters AS SELECT bloom_agg('Robin'::folded) AS f;
});

my $test = "SELECT f @> 'ROBIN'::folded FROM filters";

is($node->safe_psql('postgres', $test), 't', 'as it was built');
foreach my $library ('elsewhere/folding', "folding$suffix", 'folding-2', "folding-2.1$suffix")
{
	is($node->safe_psql('postgres', hash_by($library) . $test), 't', "$library is the same library");
}
foreach my $library ('other', 'folding-two')
{
	my ($status, $output, $error) = $node->psql('postgres', hash_by($library) . $test);

	is($output, '', "$library is another one");
	like($error, qr/bloomfilter of type public\.folded was built in another environment/, "$library: the error says so");
}
is($node->safe_psql('postgres', hash_by('folding') . $test), 't', 'good again');

$node->stop;
done_testing();
