# What ends a statement half-way: a cancel, a timeout, want of memory.  It ends
# soon, with the right SQLSTATE, and the session goes on as if nothing had been.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

# How long an answer to a cancel may take on a busy machine.
my $soon = 10_000;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
# Compiled expressions would want memory of their own, and fail without it.
$node->append_conf('postgresql.conf', "jit = off\n");
$node->start;
my $connstr = $node->connstr('postgres');

$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE AGGREGATE unsized_agg ("any") (
		SFUNC = bloomfilter_agg_transfn, STYPE = bloomfilter, COMBINEFUNC = bloomfilter_union_transfn);

	-- small enough for the work to take no time
	CREATE TABLE small AS
		SELECT bloom_agg(g, 10000) AS dense,
			bloom_agg(g, 10000) FILTER (WHERE g <= 100) AS sparse,
			unsized_agg(g) AS unsized,
			array_agg(g) AS "values"
		FROM generate_series(1, 10000) g;

	-- 50 MB, and 66 million characters
	CREATE TABLE big AS
		SELECT bloom_agg(g, 4e7) AS f FROM generate_series(1, 800000) g;
	CREATE TABLE twin AS SELECT f | f AS f FROM big;
	CREATE TABLE forms (text text, bytea bytea);
	ALTER TABLE forms ALTER text SET STORAGE EXTERNAL, ALTER bytea SET STORAGE EXTERNAL;
	INSERT INTO forms SELECT f::text, f::bytea FROM big;

	-- the session's memory, and what of it is filters
	CREATE FUNCTION session_memory() RETURNS bigint LANGUAGE sql AS
		'SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts';
	-- two stay: of all objects, empty, and of the table of aggregates
	CREATE FUNCTION filter_contexts() RETURNS bigint LANGUAGE sql AS
		$$SELECT count(*) FROM pg_backend_memory_contexts
		WHERE name LIKE 'bloomfilter%' AND NOT (name = 'bloomfilter objects' AND used_bytes < 1000)
			AND NOT (name = 'bloomfilter aggregates' AND used_bytes < 10000)$$;
});
is($node->safe_psql('postgres', "SELECT bloom_size(4e7), length(text) FROM forms"),
	'49667268|66223030', 'the big filter is big');

# Does a new session, or what is left of one, still work?
my $works = 'SELECT f @> 1 AND f @> 1000 AND NOT f @> 1001, bloom_cardinality(f)
	FROM (SELECT bloom_agg(g, 1e6) AS f FROM generate_series(1, 1000) g) _';
my $worked = 't|1000';

#
# Functions that look for interrupts
#
# The first argument of AND asks for a cancel, so that the call that is the
# second one finds it; nothing between the two looks for interrupts.  A call
# that does not look either has its result assigned before it is noticed.
#

sub looks_for_interrupts
{
	my ($call) = @_;
	my ($noticed) = Session::run($connstr, qq{
		DO \$\$
		DECLARE
			dense bloomfilter; sparse bloomfilter; unsized bloomfilter; "values" int[];
			text_form text;
			result boolean;
		BEGIN
			-- in memory: the server looks for interrupts when it reads
			SELECT s.dense::bytea::bloomfilter, s.sparse::bytea::bloomfilter,
				s.unsized::bytea::bloomfilter, s."values"
				INTO dense, sparse, unsized, "values" FROM small s;
			text_form := dense::text;
			BEGIN
				result := pg_cancel_backend(pg_backend_pid()) AND ($call) IS NOT NULL;
				PERFORM pg_sleep(60);
			EXCEPTION WHEN query_canceled THEN
				NULL;
			END;
			PERFORM set_config('test.result', coalesce(result::text, 'cancelled'), false);
		END \$\$;
		SELECT current_setting('test.result')});
	is($noticed->{output}, 'cancelled', "$call looks for interrupts");
	return;
}

looks_for_interrupts($_) foreach (
	'bloom_union(dense, dense)',
	'bloom_union(dense, sparse)',
	'bloom_union(sparse, dense)',
	'bloom_union(sparse, sparse)',
	'bloom_intersection(dense, dense)',
	'bloom_intersection(dense, sparse)',
	'bloom_intersection(sparse, dense)',
	'bloom_intersection(sparse, sparse)',
	'bloom_is_superset(dense, dense)',
	'bloom_is_superset(dense, sparse)',
	'bloom_union_cardinality(dense, dense)',
	'bloom_intersection_cardinality(sparse, sparse)',
	'bloom_jaccard(dense, sparse)',
	'bloom_info(sparse)',
	'bloom_shrink(dense, 2)',
	'bloom_shrink(sparse, 97)',
	'bloom_add_all(dense, "values")',
	'bloom_add_new(dense, "values")',
	'bloom_contains_any(dense, ARRAY[-1, -2])',
	'bloom_contains_all(dense, "values")',
	'dense::text',
	'text_form::bloomfilter',
	'bloomfilter_agg_finalfn(unsized)');

#
# Cancels and timeouts
#

# A process of the shell's cancels the session's statement soon after it began.
my @cancel_soon = (
	'SELECT pg_backend_pid() AS pid \gset',
	'\setenv BACKEND :pid',
	'\! (sleep 0.5; kill -INT $BACKEND) >/dev/null 2>&1 &');

my $endless = '(SELECT generate_series(1, 1e15::bigint) AS g) AS endless';
my $often = 'generate_series(1, 100000)';
my %long = (
	'bloom_agg, sized' => "SELECT bloom_agg(g, 1e7) FROM $endless",
	'bloom_agg, right-sized' => "SELECT bloom_agg(g) FROM $endless",
	'bloom_agg of many groups' => "SELECT bloom_agg(g) FROM $endless GROUP BY g % 10000",
	'bloom_agg as a window function' => "SELECT bloom_agg(g) OVER (ORDER BY g) FROM $often g",
	'bloom_union_agg of many filters' =>
	  "SELECT bloom_union_agg(bloom_add(bloom_create(1e6), g)) FROM $endless",
	'bloom_union_agg of large filters' => "SELECT bloom_union_agg(f) FROM big, $often",
	'bloom_intersection_agg of large filters' => "SELECT bloom_intersection_agg(f) FROM big, $often",
	'bloom_add in a loop' => 'DO $$ DECLARE f bloomfilter := bloom_create(1e6);
		BEGIN FOR i IN 1 .. 1000000000 LOOP f := bloom_add(f, i); END LOOP; END $$',
	'text input' => "SELECT count(text::bloomfilter) FROM forms, $often",
	'text output' => "SELECT count(f::text) FROM big, $often",
	'bytea input' => "SELECT count(bytea::bloomfilter) FROM forms, $often",
	'bytea output' => "SELECT count(f::bytea) FROM big, $often",
	'bloom_is_superset' => "SELECT count(bloom_is_superset(a.f, b.f)) FROM big a, big b, $often",
	'intersection' => "SELECT count(a.f & b.f) FROM big a, big b, $often",
	'cardinality' => "SELECT sum(bloom_cardinality(f)) FROM big, $often",
	'jaccard' => "SELECT sum(bloom_jaccard(a.f, b.f)) FROM big a, big b, $often",
	'equality' => "SELECT count(a.f = b.f) FROM big a, twin b, $often",
	'a search of a stored filter' => "SELECT count(*) FROM big, $endless WHERE f \@> g");

# All in one session, and each but the first after the ruins of another.
my @names = sort keys %long;
my @outcomes = Session::run(
	$connstr,
	'SET bloomfilter.max_exact_hashes = 67108864',
	"SET statement_timeout = '300ms'",
	map { ($long{$_}, $works) } @names);
splice @outcomes, 0, 2;
foreach my $name (@names)
{
	my ($ended, $next) = splice @outcomes, 0, 2;
	is("$ended->{sqlstate} $ended->{output}", '57014 ', "$name: a timeout ends it");
	cmp_ok($ended->{ms}, '<', $soon, "$name: soon");
	is($next->{output}, $worked, "$name: the session goes on");
}

foreach my $name ('bloom_agg, right-sized', 'bloom_union_agg of large filters', 'text input')
{
	my (undef, undef, undef, undef, $ended, $next) =
	  Session::run($connstr, 'SET bloomfilter.max_exact_hashes = 67108864', @cancel_soon, $long{$name}, $works);
	is("$ended->{sqlstate} $ended->{output}", '57014 ', "$name: a cancel ends it");
	cmp_ok($ended->{ms}, '<', $soon, "$name: soon");
	is($next->{output}, $worked, "$name: the session goes on");
}

# COPY FROM, where the whole input is one call of the input function.
my $directory = PostgreSQL::Test::Utils::tempdir_short;
foreach my $format ('text', 'binary')
{
	my $file = "$directory/big.$format";
	my (undef, undef, undef, $ended, $next, $rows) = Session::run(
		$connstr,
		"COPY big TO '$file' (FORMAT $format)",
		'CREATE TEMP TABLE copy (LIKE big)',
		"SET statement_timeout = '100ms'",
		"COPY copy FROM '$file' (FORMAT $format)",
		$works,
		'SELECT count(*) FROM copy');
	is($ended->{sqlstate}, '57014', "COPY FROM, $format: a timeout ends it");
	cmp_ok($ended->{ms}, '<', $soon, "COPY FROM, $format: soon");
	is("$next->{output} $rows->{output}", "$worked 0", "COPY FROM, $format: the session goes on");
	unlink $file;
}

# Half-way through an aggregate, and then the same one to its end.
my $aggregate = q{
	SELECT md5(bloom_agg(g)::text) AS right_sized, md5(bloom_agg(g, 100000)::text) AS sized,
		md5(bloom_union_agg(f)::text) AS "union"
	FROM (SELECT g, bloom_add(bloom_create(1000), g) AS f,
			CASE WHEN g = 5000 THEN pg_sleep(current_setting('test.seconds')::int) END
		FROM generate_series(1, 10000) g OFFSET 0) _};
$node->safe_psql('postgres', "SET test.seconds = 0; CREATE TABLE expected AS $aggregate");
@outcomes = Session::run(
	$connstr,
	"SET statement_timeout = '1s'",
	"SET test.seconds = 60",
	$aggregate,
	"RESET statement_timeout",
	"SET test.seconds = 0",
	$aggregate);
is($outcomes[2]->{sqlstate}, '57014', 'a timeout in the middle of an aggregate');
is($outcomes[5]->{output}, $node->safe_psql('postgres', 'TABLE expected'),
	'the same aggregate then gives the right answer');

#
# Parallel workers
#

$node->safe_psql(
	'postgres', q{
	CREATE TABLE spread AS SELECT g AS id FROM generate_series(1, 100000) g;
	ANALYZE spread;
});
my @parallel = map { "SET $_" } (
	'parallel_setup_cost = 0',
	'parallel_tuple_cost = 0',
	'min_parallel_table_scan_size = 0',
	'max_parallel_workers_per_gather = 2');
my $workers = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker'";
my $session = Session::start(
	$connstr,
	"SET application_name = 'leader'",
	@parallel,
	'SELECT bloom_agg(id * 100000::bigint + g, 1e6) FROM spread, LATERAL generate_series(1, 100000) g',
	'SELECT bloom_agg(id) = (SELECT bloom_agg(g) FROM generate_series(1, 100000) g) FROM spread');
ok($node->poll_query_until('postgres', "$workers AND state = 'active'", '2'), 'two workers aggregate');
$node->safe_psql('postgres',
	"SELECT pg_cancel_backend(pid) FROM pg_stat_activity
	  WHERE application_name = 'leader' AND backend_type = 'client backend'");
@outcomes = Session::finish($session);
is($outcomes[-2]->{sqlstate}, '57014', 'a cancel ends their leader');
ok($node->poll_query_until('postgres', $workers, '0'), 'and them');
is($outcomes[-1]->{output}, 't', 'the next parallel aggregate is right');

#
# Subtransactions
#
# What fails fifty times over leaves nothing behind, neither while the
# transaction lasts nor afterwards.  The failures come when some 100 to 370 kB
# have been taken: fifty times that would show.  (A failing subtransaction
# leaves up to 8 kB of the server's own.)
#

$node->safe_psql(
	'postgres', q{
	CREATE FUNCTION fail_at(g int, last int) RETURNS int LANGUAGE plpgsql AS $$
	BEGIN
		IF g = last THEN
			RAISE EXCEPTION 'enough';
		END IF;
		RETURN g;
	END $$;
	CREATE FUNCTION cancel_at(g int, last int) RETURNS int LANGUAGE plpgsql AS $$
	BEGIN
		IF g = last THEN
			PERFORM pg_cancel_backend(pg_backend_pid());
			PERFORM pg_sleep(60);
		END IF;
		RETURN g;
	END $$;
	CREATE TABLE kept AS SELECT bloom_agg(g, 300000) AS f, bloom_agg(g::text, 300000) AS other,
			replace(bloom_agg(g, 300000)::text, ', crc=', ', crc=1') AS bad_text
		FROM generate_series(1, 10000) g;
});

my $tolerated = 1500;

# The growth of the session, in kB, over statements that fail, each run under
# an exception handler in one transaction.
sub growth
{
	my ($failing) = @_;
	return (
		qq{DO \$\$
		DECLARE
			f bloomfilter; g bloomfilter; before bigint; states text[] := '{}';
		BEGIN
			SELECT k.f, k.other INTO f, g FROM kept k;
			FOR i IN 1 .. 60 LOOP
				IF i = 10 THEN
					before := session_memory();
				END IF;
				BEGIN
					$failing;
					states := states || 'none';
				EXCEPTION WHEN OTHERS OR query_canceled THEN
					states := states || SQLSTATE::text;
				END;
			END LOOP;
			PERFORM set_config('test.growth', ((session_memory() - before) / 1024)::text, false);
			PERFORM set_config('test.states',
				(SELECT string_agg(DISTINCT s, ',') FROM unnest(states) s), false);
		END \$\$},
		"SELECT current_setting('test.states'), filter_contexts()",
		"SELECT current_setting('test.growth')");
}

my $rows = 'generate_series(1, 10000) x';
my %failing = (
	'bloom_agg, right-sized' => [ 'P0001', "PERFORM bloom_agg(x + fail_at(x, 10000)) FROM $rows" ],
	'bloom_agg, sized' => [ 'P0001', "PERFORM bloom_agg(fail_at(x, 10000), 300000) FROM $rows" ],
	'bloom_agg, cancelled' => [ '57014', "PERFORM bloom_agg(cancel_at(x, 10000), 300000) FROM $rows" ],
	'bloom_agg of groups' => [ 'P0001', "PERFORM bloom_agg(fail_at(x, 10000)) FROM $rows GROUP BY x % 100" ],
	'bloom_agg over a window' =>
	  [ 'P0001', "PERFORM bloom_agg(fail_at(x, 10000), 300000) OVER () FROM $rows" ],
	'bloom_agg, too many' => [ '54000', "PERFORM set_config('bloomfilter.max_exact_hashes', '9999', true);
		PERFORM bloom_agg(x) FROM $rows" ],
	'bloom_union_agg' => [ '42804', 'PERFORM bloom_union_agg(u) FROM (VALUES (1, f), (2, f), (3, g)) v (n, u)' ],
	'union' => [ '42804', 'f := bloom_union(bloom_add(f, i), g)' ],
	'adding what does not belong' => [ '42804', "f := bloom_add(bloom_add(f, i), 'text')" ],
	'a variable of the block' => [ '22012', "DECLARE h bloomfilter := bloom_add(f, i);
		BEGIN h := bloom_add(h, i + 1); h := bloom_add(h, 1 / (i - i)); END" ],
	'a search of a stored filter' => [ '22012', 'PERFORM count(*) FROM kept k, generate_series(-100, 0) x WHERE k.f @> (1 / x)' ],
	'text input' => [ '22P02', 'PERFORM bad_text::bloomfilter FROM kept' ],
	'bytea input' => [ '22P03', "PERFORM (f::bytea || '0')::bloomfilter" ]);
foreach my $name (sort keys %failing)
{
	my ($sqlstate, $statement) = @{ $failing{$name} };
	my (undef, $left, $growth) = Session::run($connstr, growth($statement));
	is($left->{output}, "$sqlstate|0", "$name: fails, and leaves no filter");
	cmp_ok($growth->{output}, '<', $tolerated, "$name: the session does not grow");
}

# The same where the client rolls back to a savepoint.
my @savepoint = (
	'SAVEPOINT s',
	'SELECT bloom_agg(fail_at(g, 10000), 300000) FROM generate_series(1, 10000) g',
	'ROLLBACK TO s');
@outcomes = Session::run(
	$connstr, 'BEGIN', (@savepoint) x 10,
	'SELECT session_memory() AS before \gset',
	(@savepoint) x 50,
	"SELECT (session_memory() - :before) / 1024 < $tolerated, filter_contexts()");
is(scalar(grep { $_->{sqlstate} eq 'P0001' } @outcomes), 60, 'an aggregate fails under savepoints');
is($outcomes[-1]->{output}, 't|0', 'and the session does not grow');

#
# Want of memory
#

# Gives the backend so much more address space than it has; a limit on the
# backend only, and one that can be lifted.
sub limit
{
	my ($kilobytes) = @_;
	return ('\! prlimit --pid $BACKEND --as=$((1024 *'
		  . ' ($(sed -n "s/^VmSize:\\s*\\([0-9]*\\) kB/\\1/p" /proc/$BACKEND/status)'
		  . " + $kilobytes))):unlimited");
}
my $no_limit = '\! prlimit --pid $BACKEND --as=unlimited:unlimited';
my @limited = (
	'SET bloomfilter.max_exact_hashes = 67108864',
	'SET max_parallel_workers_per_gather = 0',
	'SELECT pg_backend_pid() AS pid \gset',
	'\setenv BACKEND :pid');

my %hungry = (
	'bloom_agg, right-sized' => "SELECT bloom_agg(g) FROM $endless",
	'bloom_agg, sized' => "SELECT bloom_agg(g, 4e7) FROM $endless",
	'bloom_union_agg' => "SELECT bloom_union_agg(f) FROM big",
	'union' => "SELECT f | f FROM big",
	'text input' => "SELECT text::bloomfilter IS NOT NULL FROM forms",
	'text output' => "SELECT length(f::text) FROM big",
	'bytea input' => "SELECT bytea::bloomfilter IS NOT NULL FROM forms",
	'bytea output' => "SELECT length(f::bytea) FROM big",
	'creation of an expanded object' => "SELECT bloom_add(f, 0) IS NOT NULL FROM big",
	'a search of a stored filter' => "SELECT count(*) FROM big, $often g WHERE f \@> g");

# Under the same limit, one after the other: none takes memory from the next.
my $started = $node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()');
@names = sort keys %hungry;
@outcomes = Session::run($connstr, @limited, $works, limit(40 * 1024),
	(map { ($hungry{$_}, $works) } @names), $no_limit,
	'SELECT bloom_agg(g, 4e7) = (SELECT f FROM big) FROM generate_series(1, 800000) g');
splice @outcomes, 0, @limited + 2;
foreach my $name (@names)
{
	my ($ended, $next) = splice @outcomes, 0, 2;
	is("$ended->{sqlstate} $ended->{output}", '53200 ', "$name: out of memory");
	is($next->{output}, $worked, "$name: the session goes on");
}
is($outcomes[1]->{output}, 't', 'with memory the same session builds the same filter');

# A variable that cannot grow any more holds what it held.
@outcomes = Session::run(
	$connstr, @limited, $works, limit(40 * 1024),
	q{DO $$
	DECLARE
		f bloomfilter := bloom_create(4e7);
		last int := 0;
	BEGIN
		BEGIN
			FOR i IN 1 .. 100000000 LOOP
				f := bloom_add(f, i);
				last := i;
			END LOOP;
		EXCEPTION WHEN out_of_memory THEN
			PERFORM set_config('test.state', SQLSTATE, false);
		END;
		-- reading applies what is pending, which takes the memory
		EXECUTE format('COPY (SELECT) TO PROGRAM %L',
			'cat >/dev/null; prlimit --pid ' || pg_backend_pid() || ' --as=unlimited:unlimited');
		PERFORM set_config('test.held', format('%s, lost %s, counted %s', last > 100000,
			(SELECT count(*) FROM generate_series(1, last) g WHERE NOT f @> g),
			abs(bloom_cardinality(f) - last) < 0.01 * last), false);
	END $$},
	"SELECT current_setting('test.state'), current_setting('test.held')");
is($outcomes[-1]->{output}, '53200|t, lost 0, counted t', 'a variable that cannot grow holds what it held');

# Every allocation is the one that fails, for some limit.
$node->safe_psql(
	'postgres', q{
	CREATE TABLE middling AS SELECT f, f::text AS text, f::bytea AS bytea
		FROM (SELECT bloom_agg(g, 1e6) AS f FROM generate_series(1, 30000) g) _;
});
my @battery = (
	'SELECT bloom_agg(g) = bloom_agg(g, 30000) FROM generate_series(1, 30000) g',
	'SELECT bloom_cardinality(f & f | f) = bloom_cardinality(f) FROM middling',
	'SELECT text::bloomfilter = f AND f::text = text FROM middling',
	'SELECT bytea::bloomfilter = f AND f::bytea = bytea FROM middling',
	'SELECT count(*) FILTER (WHERE f @> g) = 30000 FROM middling, generate_series(1, 30000) g');
my @limits = map { 192 * $_ } 0 .. 40;
@outcomes = Session::run($connstr, @limited, @battery, map { ("$no_limit", limit($_), @battery) } @limits);
my %seen;
$seen{"$_->{sqlstate} $_->{output}"}++ foreach @outcomes[@limited .. $#outcomes];
is(join(', ', sort keys %seen), '00000 , 00000 t, 53200 ',
	'under any limit an answer is right or the memory is out');

is($node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()'), $started,
	'the server went on through all of this');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC|TRAP|XX000/, 'and no process crashed');

done_testing();
