# Hostile schemas: whatever lies in the search path, the extension installs and
# works as in a clean database, adopts nothing that it finds, and comes back
# from a dump.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

# Objects that stand before the real ones if the schema stands before theirs.
# The functions write down that they were called.
my $trap = q{
	CREATE SCHEMA evil;
	CREATE TABLE public.calls (name text);
	GRANT ALL ON public.calls TO PUBLIC;
	CREATE FUNCTION evil.called(name text) RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO public.calls VALUES (name);
		RAISE NOTICE 'trapped: %', name;
		RETURN true;
	END $$;
	CREATE DOMAIN evil.int8 AS pg_catalog.text;
	CREATE DOMAIN evil.bool AS pg_catalog.text;
	CREATE DOMAIN evil.float8 AS pg_catalog.text;
	CREATE DOMAIN evil.bytea AS pg_catalog.text;
	CREATE DOMAIN evil.cstring AS pg_catalog.text;
	CREATE DOMAIN evil.internal AS pg_catalog.text;
	CREATE DOMAIN evil.anycompatible AS pg_catalog.text;
	CREATE DOMAIN evil.anycompatiblearray AS pg_catalog.text;
	CREATE FUNCTION evil.eqsel(internal, oid, internal, integer) RETURNS double precision
		LANGUAGE internal STABLE AS 'neqsel';
	CREATE FUNCTION evil.eqjoinsel(internal, oid, internal, smallint, internal) RETURNS double precision
		LANGUAGE internal STABLE AS 'neqjoinsel';
	CREATE FUNCTION evil.neqsel(internal, oid, internal, integer) RETURNS double precision
		LANGUAGE internal STABLE AS 'eqsel';
	CREATE FUNCTION evil.neqjoinsel(internal, oid, internal, smallint, internal) RETURNS double precision
		LANGUAGE internal STABLE AS 'eqjoinsel';
	-- what hashing and comparing could stumble over
	CREATE FUNCTION evil.hashint8(bigint) RETURNS int LANGUAGE sql AS $$SELECT evil.called('hashint8')::int$$;
	CREATE FUNCTION evil.hashint8extended(bigint, bigint) RETURNS bigint LANGUAGE sql
		AS $$SELECT evil.called('hashint8extended')::int::bigint$$;
	CREATE FUNCTION evil.hash_numeric_extended(numeric, bigint) RETURNS bigint LANGUAGE sql
		AS $$SELECT evil.called('hash_numeric_extended')::int::bigint$$;
	CREATE FUNCTION evil.jsonb_hash_extended(jsonb, bigint) RETURNS bigint LANGUAGE sql
		AS $$SELECT evil.called('jsonb_hash_extended')::int::bigint$$;
	CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE sql AS $$SELECT evil.called('lower')::text$$;
	CREATE FUNCTION evil.format(text, VARIADIC "any") RETURNS text LANGUAGE internal AS 'text_format';
	CREATE FUNCTION evil.eq(numeric, numeric) RETURNS boolean LANGUAGE sql AS $$SELECT evil.called('= numeric')$$;
	CREATE OPERATOR evil.= (FUNCTION = evil.eq, LEFTARG = numeric, RIGHTARG = numeric, COMMUTATOR = OPERATOR(evil.=));
	CREATE FUNCTION evil.eq(jsonb, jsonb) RETURNS boolean LANGUAGE sql AS $$SELECT evil.called('= jsonb')$$;
	CREATE OPERATOR evil.= (FUNCTION = evil.eq, LEFTARG = jsonb, RIGHTARG = jsonb);
	CREATE FUNCTION evil.eq(int, int) RETURNS boolean LANGUAGE sql AS $$SELECT evil.called('= int')$$;
	CREATE OPERATOR evil.= (FUNCTION = evil.eq, LEFTARG = int, RIGHTARG = int);
	-- which fit what a view compares better than the operators of one type do
	CREATE FUNCTION evil.eq(oid, int) RETURNS boolean LANGUAGE sql AS $$SELECT evil.called('= oid')$$;
	CREATE OPERATOR evil.= (FUNCTION = evil.eq, LEFTARG = oid, RIGHTARG = int);
	CREATE FUNCTION evil.ne(oid, int) RETURNS boolean LANGUAGE sql AS $$SELECT evil.called('<> oid')$$;
	CREATE OPERATOR evil.<> (FUNCTION = evil.ne, LEFTARG = oid, RIGHTARG = int);
};

# More that needs the type to be there: as they would be called by name.
my $trap_for_filters = q{
	CREATE FUNCTION evil.bloom_contains(NAME.bloomfilter, int) RETURNS boolean LANGUAGE sql
		AS $$SELECT evil.called('bloom_contains')$$;
	CREATE FUNCTION evil.bloom_contained_by(int, NAME.bloomfilter) RETURNS boolean LANGUAGE sql
		AS $$SELECT evil.called('bloom_contained_by')$$;
	CREATE FUNCTION evil.bloom_union(NAME.bloomfilter, NAME.bloomfilter) RETURNS NAME.bloomfilter LANGUAGE sql
		AS $$SELECT $1 WHERE evil.called('bloom_union')$$;
	CREATE FUNCTION evil.bloomfilter_eq(NAME.bloomfilter, NAME.bloomfilter) RETURNS boolean LANGUAGE sql
		AS $$SELECT evil.called('bloomfilter_eq')$$;
	CREATE FUNCTION evil.bloomfilter_agg_transfn(NAME.bloomfilter, "any") RETURNS NAME.bloomfilter LANGUAGE internal AS 'textin';
	CREATE OPERATOR evil.@> (FUNCTION = evil.bloom_contains, LEFTARG = NAME.bloomfilter, RIGHTARG = int);
	CREATE OPERATOR evil.<@ (FUNCTION = evil.bloom_contained_by, LEFTARG = int, RIGHTARG = NAME.bloomfilter);
	CREATE OPERATOR evil.| (FUNCTION = evil.bloom_union, LEFTARG = NAME.bloomfilter, RIGHTARG = NAME.bloomfilter);
	CREATE OPERATOR evil.= (FUNCTION = evil.bloomfilter_eq, LEFTARG = NAME.bloomfilter, RIGHTARG = NAME.bloomfilter);
	CREATE TYPE evil.bloomfilter AS ENUM ('trapped');
};

# All that an installation consists of, in words; its own schema is called HOME.
my $members = q{
	SET search_path = '';
	SELECT line FROM (
	SELECT d.classid::regclass || ': ' || pg_describe_object(d.classid, d.objid, 0)
		FROM pg_depend d WHERE refclassid = 'pg_extension'::regclass
			AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'bloomfilter')
	UNION ALL
	SELECT 'function ' || concat_ws(' ', oid::regprocedure, prorettype::regtype, prosupport,
			pg_get_function_arguments(oid), to_jsonb(p) - '{oid,proname,pronamespace,proowner,prorettype,
				proargtypes,proallargtypes,prosupport,proargdefaults}'::text[])
		FROM pg_proc p WHERE proname LIKE 'bloom%' AND pronamespace <> 'evil'::regnamespace
	UNION ALL
	SELECT 'aggregate ' || aggfnoid::regprocedure || concat_ws(' ', aggtransfn::regprocedure, aggfinalfn::regprocedure,
			aggcombinefn::regprocedure, aggserialfn::regprocedure, aggtranstype::regtype, aggkind, aggfinalmodify)
		FROM pg_aggregate WHERE aggfnoid::text LIKE '%bloom%' AND aggfnoid::text NOT LIKE 'evil%'
	UNION ALL
	SELECT 'operator ' || concat_ws(' ', oid::regoperator, oprcode::regprocedure, oprrest::regprocedure,
			oprjoin::regprocedure, oprcom::regoperator, oprnegate::regoperator, oprcanhash, oprcanmerge, oprresult::regtype)
		FROM pg_operator WHERE oprcode::text LIKE '%bloom%' AND oprnamespace <> 'evil'::regnamespace
	UNION ALL
	SELECT 'opclass ' || concat_ws(' ', pg_describe_object('pg_opclass'::regclass, oid, 0),
			opcintype::regtype, opckeytype::regtype, opcdefault)
		FROM pg_opclass WHERE opcname LIKE 'bloom%'
	UNION ALL
	SELECT 'amop ' || concat_ws(' ', amopstrategy, amopopr::regoperator)
		FROM pg_amop WHERE amopfamily IN (SELECT oid FROM pg_opfamily WHERE opfname LIKE 'bloom%')
	UNION ALL
	SELECT 'amproc ' || concat_ws(' ', amprocnum, amproc::regprocedure)
		FROM pg_amproc WHERE amprocfamily IN (SELECT oid FROM pg_opfamily WHERE opfname LIKE 'bloom%')
	UNION ALL
	SELECT 'type ' || concat_ws(' ', oid::regtype, typinput::regprocedure, typoutput::regprocedure,
			typreceive::regprocedure, typsend::regprocedure, typlen, typbyval, typalign, typstorage, typtype, typcategory)
		FROM pg_type WHERE typname ~ '^_?bloomfilter' AND typnamespace <> 'evil'::regnamespace
	UNION ALL
	SELECT 'view ' || oid::regclass || ' ' || pg_get_viewdef(oid)
		FROM pg_class WHERE relname LIKE 'bloom%' AND relkind = 'v' AND relnamespace <> 'evil'::regnamespace
	UNION ALL
	SELECT 'cast ' || concat_ws(' ', castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext)
		FROM pg_cast WHERE castfunc::regprocedure::text LIKE '%bloom%'
	) lines (line) ORDER BY line COLLATE "C"};

sub installation
{
	my ($database, $schema) = @_;
	my $text = $node->safe_psql($database, $members);
	$text =~ s/\b\Q$schema\E\./HOME./g;
	$text =~ s/\bin schema \Q$schema\E\b/in schema HOME/g;
	return $text;
}

sub calls
{
	my ($database) = @_;
	return $node->safe_psql($database,
		"SELECT coalesce(string_agg(DISTINCT name, ', '), 'none') FROM public.calls");
}

#
# Installation
#

sub new_database
{
	my ($database, @preparation) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, $_) foreach (@preparation);
	return;
}

new_database('clean', 'CREATE SCHEMA evil', 'CREATE EXTENSION bloomfilter');
my $clean = installation('clean', 'public');
my $lines = () = $clean =~ /^/mg;
cmp_ok($lines, '>', 100, 'an installation has many parts');
unlike($clean, qr/evil/, 'of its own');

new_database('first', $trap,
	'SET search_path = evil, pg_catalog, public; CREATE EXTENSION bloomfilter SCHEMA public');
is(installation('first', 'public'), $clean, 'a hostile schema before pg_catalog changes nothing of it');
is(calls('first'), 'none', 'and no function there is called');

new_database('target', $trap, 'CREATE EXTENSION bloomfilter SCHEMA evil');
(my $moved = $members) =~ s/ AND \w+namespace <> 'evil'::regnamespace//g;
$moved =~ s/ AND aggfnoid::text NOT LIKE 'evil%'//;
my $in_evil = $node->safe_psql('target', $moved);
$in_evil =~ s/\bevil\./HOME./g;
$in_evil =~ s/\bin schema evil\b/in schema HOME/g;
is($in_evil, $clean, 'nor does one that it is installed into');
is(calls('target'), 'none', 'and no function there is called either');

#
# Nothing is adopted
#

# What could be there before the type is, and be replaced or taken over.
my @in_the_way = (
	[ 'CREATE TYPE bloomfilter', '42710' ],
	[ 'CREATE TYPE bloomfilter AS (a int)', '42710' ],
	[ "CREATE TYPE bloomfilter AS ENUM ('a')", '42710' ],
	[ 'CREATE DOMAIN bloomfilter AS text', '42710' ],
	[ 'CREATE TABLE bloomfilter (a int)', '42710' ],
	[ 'CREATE FUNCTION bloomfilter_in(cstring) RETURNS int LANGUAGE internal AS $$int4in$$', '42723' ],
	[ 'CREATE FUNCTION bloomfilter_recv(internal) RETURNS int LANGUAGE internal AS $$int4recv$$', '42723' ],
	[ 'CREATE FUNCTION bloomfilter_from_bytea(bytea) RETURNS int LANGUAGE sql AS $$SELECT 1$$', '42723' ],
	[ 'CREATE FUNCTION bloom_create(float8, float8, bigint) RETURNS int LANGUAGE sql AS $$SELECT 1$$', '42723' ],
	[ 'CREATE FUNCTION bloom_size(float8, float8) RETURNS bigint LANGUAGE sql AS $$SELECT 1::bigint$$', '42723' ],
	[ 'CREATE FUNCTION bloom_hash(anycompatible, bigint) RETURNS bigint LANGUAGE sql AS $$SELECT 1::bigint$$', '42723' ],
	[ 'CREATE FUNCTION bloom_shard(anycompatible, int) RETURNS int LANGUAGE sql AS $$SELECT 1$$', '42723' ],
	[ 'CREATE FUNCTION bloomfilter_contains_support(internal) RETURNS internal LANGUAGE internal AS $$array_unnest_support$$', '42723' ],
	[ 'CREATE FUNCTION bloomfilter_contains_sel(internal, oid, internal, int) RETURNS float8 LANGUAGE internal AS $$eqsel$$', '42723' ],
	[ 'CREATE FUNCTION bloomfilter_contains_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
		LANGUAGE internal AS $$eqjoinsel$$', '42723' ]);
foreach (@in_the_way)
{
	my ($object, $sqlstate) = @$_;
	my $name = $object =~ s/\s+/ /gr;
	my ($made, $refused, $left) = (Session::run(
		$node->connstr('postgres'),
		'BEGIN',
		'CREATE SCHEMA target',
		'SET search_path = target',
		$object,
		'SAVEPOINT s',
		'CREATE EXTENSION bloomfilter',
		'ROLLBACK TO s',
		"SELECT count(*) FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND refobjid =
			(SELECT oid FROM pg_extension WHERE extname = 'bloomfilter')",
		'ROLLBACK'))[ 3, 5, 7 ];
	is("$made->{sqlstate} $refused->{sqlstate} $left->{output}", "00000 $sqlstate 0", "refused: $name");
}

#
# Use
#

# Answers of functions and operators named in full, of types that hash by
# functions of their own, of support functions and plans.
sub use_of
{
	my ($schema) = @_;
	my $use = q{
		SELECT md5(NAME.bloom_agg(g)::pg_catalog.text), md5(NAME.bloom_agg(g::pg_catalog.numeric)::pg_catalog.text),
			md5(NAME.bloom_agg(to_jsonb(g))::pg_catalog.text), md5(NAME.bloom_agg(ARRAY[g], 1000)::pg_catalog.text),
			md5(NAME.bloom_agg(int4range(g, g + 1), 1000)::pg_catalog.text)
			FROM generate_series(1, 1000) g;
		SELECT f OPERATOR(NAME.@>) 5, 5 OPERATOR(NAME.<@) f, NAME.bloom_contains(f, 5), f OPERATOR(NAME.=) f,
			NAME.bloom_contains_any(f, ARRAY[5]), NAME.bloom_cardinality(f OPERATOR(NAME.|) f OPERATOR(NAME.&) f),
			NAME.bloom_info(f), f::pg_catalog.text::NAME.bloomfilter OPERATOR(NAME.=) f, NAME.bloom_hash(5), NAME.bloom_shard(5, 7)
			FROM (SELECT NAME.bloom_agg(g) AS f FROM generate_series(1, 100) g) _;
		SELECT NAME.bloom_contains(f, 5::pg_catalog.numeric), NAME.bloom_contains(NAME.bloom_add(f, 5::pg_catalog.numeric), 5.0)
			FROM (SELECT NAME.bloom_agg(g::pg_catalog.numeric, 100) AS f FROM generate_series(6, 50) g) _;
		-- a row of statistics, which the views compare
		SET bloomfilter.join_filters = force;
		SET bloomfilter.join_filter_min_rows = 0;
		SET enable_nestloop = off;
		SET enable_mergejoin = off;
		CREATE TABLE public.joined AS SELECT g FROM generate_series(1, 1000) g;
		SELECT count(*) FROM public.joined a JOIN public.joined b ON a.g OPERATOR(pg_catalog.=) b.g WHERE b.g OPERATOR(pg_catalog.<) 10;
		SELECT count(*) > 0 FROM NAME.bloom_stat_join_filters WHERE relid IS NULL OR relid > 0;
		SELECT count(*) FROM NAME.bloom_stat_indexes;
		SELECT count(scope) FROM NAME.bloom_indexes;
		SELECT count(*) FROM NAME.bloom_join_filter_trials;
		SELECT count(*) FROM (SELECT DISTINCT NAME.bloom_add(NAME.bloom_create(10), g % 5) FROM generate_series(1, 100) g) _;
		EXPLAIN (COSTS OFF) SELECT 1 FROM generate_series(1, 10) g WHERE g OPERATOR(NAME.<@) NAME.bloom_create(10);
		DO $$
		DECLARE f NAME.bloomfilter := NAME.bloom_create(1000);
		BEGIN
			FOR i IN 1 .. 100 LOOP
				f := NAME.bloom_add(f, i);
			END LOOP;
			RAISE NOTICE '%', NAME.bloom_cardinality(f);
		END $$;
	};
	$use =~ s/NAME\./$schema./g;
	return $use;
}

# Plans name what is in the search path without its schema.
sub unqualified
{
	my ($text, $schema) = @_;
	$text =~ s/\b\Q$schema\E\.//g;
	$text =~ s/OPERATOR\((\S+?)\)/$1/g;
	return $text;
}

my ($status, $out, $err) = $node->psql('clean', use_of('public'));
my $expected = unqualified($out, 'public');
is($status, 0, 'the extension works in a clean database');
foreach my $database ('first', 'target')
{
	my $schema = $database eq 'first' ? 'public' : 'evil';
	(my $more = $trap_for_filters) =~ s/NAME/$schema/g;
	$node->safe_psql('first', $more) if $database eq 'first';
	($status, $out, $err) = $node->psql($database,
		'SET search_path = evil, pg_catalog, public;' . use_of($schema));
	is(unqualified($out, $schema), $expected, "it gives the same answers among hostile objects: $database");
	unlike($err, qr/trapped/, "calls none of them: $database");
	is(calls($database), 'none', "none wrote anything: $database");
}
# The traps are set: who calls them by name falls into them.
like(($node->psql('first', 'SET search_path = evil, pg_catalog, public;
		SELECT public.bloom_create(10) @> 5, 1::pg_catalog.numeric = 2'))[2],
	qr/trapped: bloom_contains.*trapped: = numeric/s, 'the hostile objects are what plain names mean');

#
# The conversion of text to UTF-8, by which it is hashed
#

my $library = Module::build('conversion');
$node->safe_psql('postgres', q{CREATE DATABASE latin1 TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'});
$node->safe_psql('latin1', qq{
	CREATE EXTENSION bloomfilter;
	CREATE SCHEMA evil;
	CREATE FUNCTION evil.swapped(int, int, cstring, internal, int, bool) RETURNS int
		LANGUAGE C STRICT AS '$library', 'swapped_latin1_to_utf8';
	CREATE DEFAULT CONVERSION evil.swapped FOR 'LATIN1' TO 'UTF8' FROM evil.swapped;
	CREATE TABLE word AS SELECT convert_from('\\x63616665e9', 'LATIN1') AS w;
	CREATE TABLE filter AS SELECT bloom_agg(w) AS f FROM word;
});
is($node->safe_psql('latin1', q{
		SET search_path = evil, pg_catalog, public;
		SELECT convert(w::bytea, 'LATIN1', 'UTF8'), f @> w FROM word, filter}),
	'\x63616665c3a8|t', 'text is hashed by the conversion of the server, whichever is the default');
# of which there is none for the encoding that 19 has no more
foreach my $encoding ($node->safe_psql('postgres', 'SHOW server_version_num') < 190000 ? 'MULE_INTERNAL' : ())
{
	$node->safe_psql('postgres', "CREATE DATABASE mule TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
	$node->safe_psql('mule', 'CREATE EXTENSION bloomfilter');
	like(($node->psql('mule', "SELECT bloom_hash('a'), bloom_hash(convert_from('\\x6381e9', '$encoding'))"))[2],
		qr/ERROR:  text that is not ASCII cannot be in a bloomfilter of a MULE_INTERNAL database/, "$encoding");
}

#
# Dump and restore, in a schema of its own
#

# Filters in whatever a dump evaluates with an empty search path.
new_database('source', 'CREATE SCHEMA ext; CREATE EXTENSION bloomfilter SCHEMA ext;', q{
	CREATE SCHEMA app;
	SET search_path = app, ext;
	CREATE TABLE filters (
		id int PRIMARY KEY,
		f bloomfilter DEFAULT bloom_create(10) CHECK (f @> id) CHECK (bloom_cardinality(f) < 100000),
		items bigint GENERATED ALWAYS AS (bloom_cardinality(f)) STORED,
		EXCLUDE USING hash (f WITH =));
	INSERT INTO filters SELECT n, bloom_agg(g) FROM generate_series(1, 20) n, generate_series(n, n * 100) g GROUP BY n;
	CREATE INDEX by_filter ON filters USING hash (f);
	CREATE INDEX by_test ON filters (bloom_contains(f, 7)) WHERE f @> 3;
	CREATE TABLE parts (id int, note text)
		PARTITION BY LIST ((bloom_contains(bloom_add_all(bloom_create(100), ARRAY[1, 2, 3]), id)));
	CREATE TABLE members PARTITION OF parts FOR VALUES IN (true);
	CREATE TABLE others PARTITION OF parts FOR VALUES IN (false);
	INSERT INTO parts SELECT g, 'note ' || g FROM generate_series(1, 50) g;
	CREATE TABLE hashed (f bloomfilter) PARTITION BY HASH (f);
	CREATE TABLE hashed0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE hashed1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	INSERT INTO hashed SELECT f FROM filters;
	CREATE DOMAIN small_filter AS bloomfilter CHECK (bloom_cardinality(VALUE) <= 10);
	CREATE TABLE small (f small_filter);
	INSERT INTO small SELECT bloom_agg(g) FROM generate_series(1, 10) g;
	CREATE VIEW found AS SELECT id, f @> 7 AS seven, f | bloom_create(10) IS NULL AS none FROM filters WHERE id < 1;
	CREATE MATERIALIZED VIEW united AS
		SELECT bloom_agg(p.id, 100) AS f, (SELECT count(*) FROM filters WHERE 50 <@ filters.f) AS with_50 FROM parts p;
	CREATE FUNCTION has_seven(f bloomfilter) RETURNS boolean IMMUTABLE LANGUAGE sql RETURN f @> 7;
	CREATE STATISTICS filter_statistics ON (bloom_cardinality(f)) FROM filters;
});
my $content = q{
	SET search_path = app, ext;
	SELECT id, items, md5(f::text) FROM filters ORDER BY id;
	SELECT tableoid::regclass, count(*) FROM parts GROUP BY 1 ORDER BY 1;
	SELECT tableoid::regclass, count(*), md5(string_agg(f::text, ',' ORDER BY f::text)) FROM hashed GROUP BY 1 ORDER BY 1;
	SELECT count(*) FROM filters WHERE has_seven(f);
	SELECT with_50, md5(f::text), (SELECT md5(small.f::text) FROM small) FROM united;
	SELECT conrelid::regclass, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'app'::regnamespace ORDER BY 1, 2;
	SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'filters'::regclass ORDER BY 1};
my $source = $node->safe_psql('source', $content);
my $directory = PostgreSQL::Test::Utils::tempdir_short;
command_ok([ 'pg_dump', '-f', "$directory/dump.sql", '-d', $node->connstr('source') ], 'dump');
command_ok([ 'pg_dump', '-Fd', '-f', "$directory/dump", '-d', $node->connstr('source') ], 'dump as a directory');

# Into a database where hostile objects lie in the way of plain names.
new_database($_, $trap) foreach ('plain', 'directory');
$node->safe_psql('postgres', "ALTER DATABASE $_ SET search_path = evil, pg_catalog, public") foreach ('plain', 'directory');
command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$directory/dump.sql", '-d', $node->connstr('plain') ],
	'restore');
command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('directory'), "$directory/dump" ],
	'restore of a directory');
foreach my $database ('plain', 'directory')
{
	is($node->safe_psql($database, $content), $source, "restored as it was: $database");
	is(calls($database), 'none', "without a call of what was there: $database");
	is(installation($database, 'ext'), $clean, "and with the same extension: $database");
}

#
# Relocation
#

$node->safe_psql('source', 'CREATE SCHEMA elsewhere; ALTER EXTENSION bloomfilter SET SCHEMA elsewhere; CREATE SCHEMA evil');
is(installation('source', 'elsewhere'), $clean, 'the extension moves wholly');
(my $content_there = $content) =~ s/app, ext/app, elsewhere/;
(my $source_there = $source) =~ s/\bext\./elsewhere./g;
is($node->safe_psql('source', $content_there), $source_there, 'what was made with it goes along');
($status, $out) = $node->psql('source', use_of('elsewhere'));
is(unqualified($out, 'elsewhere'), $expected, 'and it works there');
is($node->safe_psql('source', q{
		SET search_path = app, elsewhere;
		INSERT INTO filters SELECT 21, bloom_agg(g) FROM generate_series(21, 30) g;
		INSERT INTO hashed SELECT f FROM filters WHERE id = 21;
		REFRESH MATERIALIZED VIEW united;
		SELECT items, has_seven(f), (SELECT count(*) FROM hashed) FROM filters WHERE id = 21}),
	'10|f|21', 'for what is made anew, too');

done_testing();
