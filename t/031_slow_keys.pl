# Functions of an operator class that are slow, cancelled, fail or run SQL, in the
# middle of an insert, a build and a scan of keys.  Others go on meanwhile, and
# afterwards every row is found.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\n");
$node->start;
my $connstr = $node->connstr('postgres');

# Functions that extract keys are in C.  The hash function is called where they are,
# key by key, and can be in any language.  It does what test.effect says with the key
# 'stop', which is neither the first nor the last of its row.
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE other (tags text[]);
	INSERT INTO other SELECT ARRAY['o' || g] FROM generate_series(1, 1000) g;
	CREATE INDEX other_bf ON other USING bloomfilter (tags array_key_ops);
	-- from 17 on, the server builds indexes by a search_path of its own
	CREATE FUNCTION hash_key(key text, seed bigint) RETURNS bigint LANGUAGE plpgsql SET search_path = public AS $$
	DECLARE
		what text := current_setting('test.effect', true);
	BEGIN
		IF key = 'stop' AND what = 'wait' THEN
			RAISE LOG 'hash_key waits';
			LOOP
				PERFORM pg_sleep(0.02);
			END LOOP;
		ELSIF key = 'stop' AND what = 'fail' THEN
			RAISE EXCEPTION 'the hash function fails' USING ERRCODE = '22000';
		ELSIF key = 'stop' AND what = 'query' THEN
			SET LOCAL enable_seqscan = off;
			INSERT INTO other VALUES (ARRAY['inserted', 'o1']);
			IF (SELECT count(*) FROM other WHERE tags @> '{inserted}') = 0 OR bloom_index_check('other_bf') > 0 THEN
				RAISE EXCEPTION 'lost';
			END IF;
		END IF;
		RETURN hashtextextended(key, seed);
	END $$;
	CREATE OPERATOR CLASS stop_key_ops FOR TYPE text[] USING bloomfilter AS
		OPERATOR 1 && (anyarray, anyarray), OPERATOR 2 @> (anyarray, anyarray),
		FUNCTION 1 hash_key(text, bigint),
		FUNCTION 2 ginarrayextract(anyarray, internal, internal),
		FUNCTION 3 ginqueryarrayextract(anyarray, internal, int2, internal, internal, internal, internal),
		FUNCTION 4 ginarraytriconsistent(internal, int2, anyarray, int4, internal, internal, internal),
		STORAGE text;
	CREATE TABLE t (n int, tags text[]);
	CREATE FUNCTION tags(n int) RETURNS text[] LANGUAGE sql AS $$
		SELECT CASE WHEN n % 500 = 0 THEN ARRAY['a' || n, 'all', 'stop', 'z' || n] ELSE ARRAY['a' || n, 'all', 'z' || n] END $$;
	INSERT INTO t SELECT g, tags(g) FROM generate_series(1, 2000) g;
	CREATE INDEX t_bf ON t USING bloomfilter (tags stop_key_ops);
	-- wrong rows: that the index does not have, or that a scan does not find
	CREATE FUNCTION wrong() RETURNS bigint LANGUAGE plpgsql AS $$
	BEGIN
		SET LOCAL enable_seqscan = off;
		RETURN bloom_index_check('t_bf') + (SELECT count(*) FROM (SELECT DISTINCT n FROM t) AS one
			WHERE n NOT IN (SELECT n FROM t WHERE tags @> ARRAY['a' || one.n]));
	END $$;
});

my %work = (
	insert => 'INSERT INTO t SELECT g, tags(g) FROM generate_series(10001, 11000) g',
	scan => q{SELECT count(*) FROM t WHERE tags @> '{all,stop}'},
	build => 'CREATE INDEX other_of_t ON t USING bloomfilter (tags stop_key_ops)',
	concurrently => 'CREATE INDEX CONCURRENTLY other_of_t ON t USING bloomfilter (tags stop_key_ops)');
my $no_scan = 'SET enable_seqscan = off';
my $later = 20000;

# Is every row found, also those that come next, in this session and another?
sub is_right
{
	my ($name, @statements) = @_;
	my $first = $later + 1;
	my @outcomes;

	$later += 20;
	my $rows = "INSERT INTO t SELECT g, tags(g) FROM generate_series($first, $later) g";
	@outcomes = Session::run($connstr, @statements, q{SET test.effect = ''}, $no_scan, $rows,
		"SELECT n FROM t WHERE tags @> '{all,a$later}'", 'SELECT wrong()');
	is($outcomes[-2]->{output}, $later, "$name: the next row is found");
	is($outcomes[-1]->{output}, 0, "$name: every row is found");
	is($node->safe_psql('postgres', "$no_scan; SELECT n FROM t WHERE tags @> '{a$later}'"), $later, "$name: also by others");
	$node->safe_psql('postgres', 'DROP INDEX IF EXISTS other_of_t');
	return @outcomes;
}

foreach my $what (sort keys %work)
{
	# What is slow holds up nobody, and ends when it is cancelled.
	my $offset = -s $node->logfile;
	my $session = Session::start($connstr, $no_scan, q{SET test.effect = 'wait'}, $work{$what}, q{SET test.effect = ''}, 'SELECT wrong()');
	$node->wait_for_log(qr/hash_key waits/, $offset);
	my $meanwhile = $what eq 'build' ? 'SELECT 1' : "INSERT INTO t VALUES (-1, '{meanwhile,all,a-1}')";
	is($node->safe_psql('postgres', "SET lock_timeout = '60s'; $meanwhile; $no_scan; SELECT count(*) > 0 FROM t WHERE tags @> '{a77}'") =~ /t$/, 1,
		"$what: others write and read while the function is slow");
	$node->safe_psql('postgres', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
	my @outcomes = Session::finish($session);
	is($outcomes[2]->{sqlstate}, '57014', "$what: is cancelled");
	is($outcomes[4]->{output}, 0, "$what: the session goes on");
	is_right("$what, cancelled");

	@outcomes = is_right("$what, timeout", $no_scan, q{SET test.effect = 'wait'}, q{SET statement_timeout = '100ms'}, $work{$what}, 'RESET statement_timeout');
	is($outcomes[3]->{sqlstate}, '57014', "$what: ends at its timeout");

	@outcomes = is_right("$what, failed", $no_scan, q{SET test.effect = 'fail'}, $work{$what});
	is($outcomes[2]->{sqlstate}, '22000', "$what: fails as the function does");

	@outcomes = is_right("$what, with queries", $no_scan, q{SET test.effect = 'query'}, 'TRUNCATE other', $work{$what},
		q{SELECT count(*) > 0 FROM other WHERE tags @> '{inserted}'});
	is("$outcomes[3]->{sqlstate} $outcomes[4]->{output}", '00000 t', "$what: the function runs statements");
	$node->safe_psql('postgres', 'DELETE FROM t WHERE n BETWEEN 10001 AND 11000');
}

# Within a transaction that goes on
my @outcomes = is_right(
	'subtransactions', $no_scan, q{SET test.effect = 'fail'},
	q{DO $$
	BEGIN
		FOR i IN 30001..30020 LOOP
			BEGIN
				INSERT INTO t VALUES (i, ARRAY['a' || i, CASE i % 2 WHEN 0 THEN 'stop' ELSE 'go' END, 'z' || i]);
				PERFORM 1 FROM t WHERE tags @> ARRAY['all', CASE i % 3 WHEN 0 THEN 'stop' ELSE 'go' END];
			EXCEPTION WHEN data_exception THEN
				NULL;
			END;
		END LOOP;
	END $$},
	q{SELECT count(*) FROM t WHERE n BETWEEN 30001 AND 30020});
is($outcomes[3]->{output}, 7, 'subtransactions: rows of those that ended well');

done_testing();
