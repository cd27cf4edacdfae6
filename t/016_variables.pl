# How the server names the memory context of a PL/pgSQL function's variables,
# from which src/type/memory/lifetime.c learns that a filter is only in a
# variable.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $library = Module::build('variables');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

$node->safe_psql('postgres', "
	CREATE EXTENSION bloomfilter;
	CREATE FUNCTION is_in_variable(bloomfilter) RETURNS boolean AS '$library' LANGUAGE C STRICT;
	CREATE FUNCTION of_function() RETURNS boolean LANGUAGE plpgsql AS \$\$
	DECLARE
		f bloomfilter := bloom_add(bloom_create(1000), 1);
	BEGIN
		f := bloom_add(f, 2);
		RETURN is_in_variable(f);
	END \$\$;
	CREATE PROCEDURE of_procedure(INOUT answer boolean) LANGUAGE plpgsql AS \$\$
	DECLARE
		f bloomfilter := bloom_create(1000);
	BEGIN
		BEGIN
			f := bloom_add(f, 1);
			RAISE EXCEPTION 'undone';
		EXCEPTION WHEN raise_exception THEN
			answer := is_in_variable(f);
		END;
	END \$\$;
	CREATE FUNCTION of_expression() RETURNS boolean LANGUAGE plpgsql AS \$\$
	DECLARE
		f bloomfilter := bloom_create(1000);
	BEGIN
		RETURN is_in_variable(bloom_add(f, 1));
	END \$\$;
");

# is_query NAME, QUERY, RESULT
sub is_query
{
	my ($name, $query, $expected) = @_;

	is($node->safe_psql('postgres', $query), $expected, $name);
	return;
}

is_query('the variable of a function', 'SELECT of_function()', 't');
is_query('that of a function within a query', 'SELECT bool_and(of_function()) FROM generate_series(1, 3)', 't');
is_query('that of a procedure, behind an exception', 'CALL of_procedure(NULL)', 't');
is_query('what an expression of a function makes', 'SELECT of_expression()', 'f');
is_query('what a query makes', 'SELECT bool_or(is_in_variable(bloom_add(bloom_create(1000), x))) FROM generate_series(1, 3) x', 'f');

done_testing();
