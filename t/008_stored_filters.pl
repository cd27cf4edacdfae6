# Filters stored out of line are found again by the OID of their chunks.  A
# counter that has come around to the same OID for another filter, of the same
# size in the same table, must not lead to the one that is kept.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

# The counter is set by a function in C.
my $module = PostgreSQL::Test::Utils::tempdir_short . '/next_oid.so';
my ($includes, $compiler) = map { my $o = `pg_config $_`; chomp $o; $o } '--includedir-server', '--cc';
plan skip_all => 'this needs a C compiler'
  if system("$compiler -shared -fPIC -I'$includes' -o '$module' '$FindBin::RealBin/next_oid.c' 2>/dev/null") != 0;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;
my $connstr = $node->connstr('postgres');

$node->safe_psql(
	'postgres', qq{
	CREATE EXTENSION bloomfilter;
	CREATE FUNCTION set_next_oid(oid) RETURNS void LANGUAGE c AS '$module';
	} . q{
	-- two filters of one size; 300 members of each are asked for
	CREATE TABLE sources AS SELECT name, bloom_agg(x, 20000) AS f
		FROM (VALUES ('first', 0), ('old', 0), ('new', 100000)) v (name, first), generate_series(first + 1, first + 2000) x
		GROUP BY name;
	CREATE TABLE filters (f bloomfilter);
	CREATE TABLE others (f bloomfilter);
	CREATE TABLE outcomes (name text, value text);

	CREATE FUNCTION answers() RETURNS text LANGUAGE sql AS $$
		SELECT format('old %s, new %s', count(*) FILTER (WHERE f @> x), count(*) FILTER (WHERE f @> x + 100000))
		FROM filters, generate_series(1, 300) x
	$$;

	-- the same, by a call site that lives as long as the transaction
	CREATE FUNCTION members(first int) RETURNS int LANGUAGE plpgsql STABLE AS $$
	DECLARE
		f bloomfilter;
		result int := 0;
	BEGIN
		SELECT filters.f INTO f FROM filters;
		FOR x IN first + 1 .. first + 300 LOOP
			IF f @> x THEN
				result := result + 1;
			END IF;
		END LOOP;
		RETURN result;
	END $$;

	-- the OID of the filter's chunks
	CREATE FUNCTION chunk_oid() RETURNS oid LANGUAGE plpgsql AS $$
	DECLARE
		result oid;
	BEGIN
		EXECUTE format('SELECT max(chunk_id) FROM pg_toast.pg_toast_%s', 'filters'::regclass::oid) INTO result;
		RETURN result;
	END $$;

	-- stores a filter, with chunks of this OID if it is free
	CREATE PROCEDURE store(name text, chunks oid DEFAULT NULL) LANGUAGE plpgsql AS $$
	BEGIN
		IF chunks IS NOT NULL THEN
			PERFORM set_next_oid(chunks);
		END IF;
		INSERT INTO filters SELECT f FROM sources WHERE sources.name = store.name;
	END $$;

	-- lets the test do its part
	CREATE TABLE steps (name text);
	CREATE PROCEDURE wait_for(step text) LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM set_config('application_name', step, false);
		WHILE NOT EXISTS (SELECT FROM steps WHERE name = step) LOOP
			PERFORM pg_sleep(0.01);
		END LOOP;
	END $$;
});

# The statement in a session of its own; it waits for steps, which others take
# meanwhile.
sub interleave
{
	my ($statement, @steps) = @_;

	$node->safe_psql('postgres',
		q{TRUNCATE filters, steps; INSERT INTO filters SELECT f FROM sources WHERE name = 'old'});
	my $session = Session::start($connstr, $statement, 'TABLE outcomes', 'TRUNCATE outcomes');
	while (my ($step, $work) = splice @steps, 0, 2)
	{
		$node->poll_query_until('postgres',
			"SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = '$step'")
		  or die "nobody waits for $step";
		$node->safe_psql('postgres', $_) foreach split /;\s*/, $work;
		$node->safe_psql('postgres', "INSERT INTO steps VALUES ('$step')");
	}
	my ($statement_outcome, $outcomes) = Session::finish($session);
	is($statement_outcome->{sqlstate}, '00000', 'the statement ends well');
	return $outcomes->{output};
}

my $vacuum = 'VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) filters';

# Two tables: their filters are told apart though the OID is the same.
is($node->safe_psql(
		'postgres', q{
	INSERT INTO filters SELECT f FROM sources WHERE name = 'old';
	SELECT set_next_oid(chunk_oid());
	INSERT INTO others SELECT f FROM sources WHERE name = 'new';
	SELECT name, count(*) FILTER (WHERE f @> x), count(*) FILTER (WHERE f @> x + 100000)
		FROM (SELECT 'filters', f FROM filters UNION ALL SELECT 'others', f FROM others) s (name, f), generate_series(1, 300) x
		GROUP BY name ORDER BY name;
	SELECT format('SELECT max(chunk_id) = chunk_oid() FROM pg_toast.pg_toast_%s', 'others'::regclass::oid) \gexec
	}),
	"\nfilters|300|0\nothers|0|300\nt",
	'filters of two tables');

# The transaction truncates the table itself.
is(interleave(q{
	DO $$
	DECLARE
		chunks oid := chunk_oid();
	BEGIN
		INSERT INTO outcomes VALUES ('before', answers());
		TRUNCATE filters;
		CALL store('new', chunks);
		INSERT INTO outcomes VALUES ('after', answers()), ('same OID', chunks = chunk_oid());
	END $$}),
	"before|old 300, new 0\nafter|old 0, new 300\nsame OID|true",
	'a table truncated by the transaction itself');

# All filters are stored by subtransactions that are rolled back; in between,
# their chunks are removed.  After the second one VACUUM finds what it found
# after the first, so it changes no statistics, and the relation cache, which
# would make the extension forget all filters, is not notified.
is(interleave(q{
	DO $$
	DECLARE
		name text;
		answers text;
		chunks oid;
		same boolean;
	BEGIN
		DELETE FROM filters;
		FOREACH name IN ARRAY ARRAY['first', 'old', 'new'] LOOP
			BEGIN
				CALL store(name, chunks);
				answers := answers();
				same := chunks = chunk_oid();
				chunks := chunk_oid();
				RAISE EXCEPTION 'back';
			EXCEPTION WHEN raise_exception THEN
				INSERT INTO outcomes VALUES (name, answers);
			END;
			CALL wait_for(name || ' rolled back');
		END LOOP;
		INSERT INTO outcomes VALUES ('same OID', same);
	END $$},
	'first rolled back' => $vacuum, 'old rolled back' => $vacuum, 'new rolled back' => ''),
	"first|old 300, new 0\nold|old 300, new 0\nnew|old 0, new 300\nsame OID|true",
	'filters of subtransactions that are rolled back');

# A procedure commits, and so lets the chunks go.
is(interleave(q{
	DO $$
	DECLARE
		chunks oid := chunk_oid();
		before text := answers();
	BEGIN
		CALL wait_for('delete');
		COMMIT;
		CALL wait_for('vacuum');
		CALL store('new', chunks);
		INSERT INTO outcomes VALUES ('before', before), ('after', answers()), ('same OID', chunks = chunk_oid());
	END $$},
	'delete' => 'DELETE FROM filters', 'vacuum' => $vacuum),
	"before|old 300, new 0\nafter|old 0, new 300\nsame OID|true",
	'a filter deleted between two transactions of a procedure');

# Between two statements of a transaction the chunks go, too: what the planner
# has kept to estimate the first must not be there for the second.  Here they go
# by pruning, of which the relation cache is not notified.
my $planned = q{SELECT members(0) AS old, members(100000) AS new
	FROM generate_series(1, 1) x WHERE x <= members(0) + members(100000) \gset};
is(interleave(qq{
	BEGIN;
	SELECT chunk_oid() AS chunks \\gset
	$planned before_
	CALL wait_for('delete');
	CALL wait_for('prune');
	CALL store('new', :chunks);
	$planned after_
	INSERT INTO outcomes VALUES ('before', format('old %s, new %s', :before_old, :before_new)), ('after', format('old %s, new %s', :after_old, :after_new)),
		('same OID', chunk_oid() = :chunks);
	COMMIT;},
	'delete' => 'DELETE FROM filters', 'prune' => 'SELECT chunk_oid()'),
	"before|old 300, new 0\nafter|old 0, new 300\nsame OID|true",
	'a filter deleted between two statements of a transaction');

# While a snapshot is held the chunks stay, and so their OID is not free.
is(interleave(q{
	DO $$
	DECLARE
		chunks oid := chunk_oid();
		before text := answers();
	BEGIN
		INSERT INTO outcomes VALUES ('before', before);
		CALL wait_for('replace');
		INSERT INTO outcomes VALUES ('after', answers()), ('same OID', chunks = chunk_oid());
	END $$},
	'replace' => "DELETE FROM filters; $vacuum; CALL store('new', chunk_oid())"),
	"before|old 300, new 0\nafter|old 0, new 300\nsame OID|false",
	'a filter deleted while a snapshot is held');

# Another transaction truncates the table after this one has let go of it: the
# subtransaction that had locked it is rolled back.
is(interleave(q{
	DO $$
	DECLARE
		chunks oid;
		before text;
	BEGIN
		BEGIN
			chunks := chunk_oid();
			before := answers();
			RAISE EXCEPTION 'back';
		EXCEPTION WHEN raise_exception THEN
			NULL;
		END;
		CALL wait_for('truncate');
		CALL store('new', chunks);
		INSERT INTO outcomes VALUES ('before', before), ('after', answers()), ('same OID', chunks = chunk_oid());
	END $$},
	'truncate' => 'TRUNCATE filters'),
	"before|old 300, new 0\nafter|old 0, new 300\nsame OID|true",
	'a table truncated by another transaction');

# Up to 16, snapshots could expire.  Then a filter is read anew for each row.
sub buffers_per_row
{
	my $plan = $node->safe_psql('postgres',
		'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) SELECT count(*) FROM filters, generate_series(1, 1000) x WHERE f @> x');
	my $buffers = 0;

	$buffers = $buffers > $1 ? $buffers : $1 while $plan =~ /(?:hit|read)=(\d+)/g;
	return $buffers / 1000;
}
cmp_ok(buffers_per_row(), '<', 1, 'a filter is kept for a query');
SKIP:
{
	skip 'snapshots do not expire', 1
	  if $node->safe_psql('postgres', q{SELECT count(*) FROM pg_settings WHERE name = 'old_snapshot_threshold'}) == 0;

	$node->append_conf('postgresql.conf', "old_snapshot_threshold = 10min\n");
	$node->restart;
	cmp_ok(buffers_per_row(), '>', 2, 'a filter is not kept where a snapshot does not hold it');
}

done_testing();
