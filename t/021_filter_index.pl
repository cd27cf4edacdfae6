# Filter indexes beside writers: crashes, a standby, indexes that are made and
# rebuilt.  No row that was committed is missing in any of them.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Standby;
use Test::More;
use Time::HiRes qw(usleep);

my $directory = PostgreSQL::Test::Utils::tempdir_short;
my $clients = 6;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1, extra => ['--data-checksums']);
$primary->append_conf('postgresql.conf', q{
	wal_consistency_checking = all
	autovacuum_naptime = 1s
	max_wal_senders = 4
	wal_keep_size = 8GB
	jit = off
});
$primary->start;

# work() commits rows, looks for each of them, and changes older ones.  It fails
# if a row is not found.
$primary->safe_psql(
	'postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE t (n bigint, u uuid, kind text, pad text) WITH (fillfactor = 90);
	ALTER TABLE t ALTER pad SET STORAGE PLAIN;
	CREATE INDEX t_u_bf ON t USING bloomfilter (u);
	CREATE INDEX t_both_bf ON t USING bloomfilter (n, kind) WITH (false_positive_rate = 0.01);
	CREATE INDEX t_part_bf ON t USING bloomfilter (upper(kind)) WHERE n % 5 = 0;
	CREATE INDEX t_keys_bf ON t USING bloomfilter (string_to_array(kind || ' no ' || n, ' ') array_key_ops);
	CREATE INDEX t_all_bf ON t USING bloomfilter (kind) WITH (scope = 'table', expected_items = 50000);
	CREATE UNLOGGED TABLE unlogged (n bigint);
	CREATE INDEX unlogged_bf ON unlogged USING bloomfilter (n);
	CREATE INDEX unlogged_all_bf ON unlogged USING bloomfilter (n) WITH (scope = 'table');

	CREATE FUNCTION hash(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS 'SELECT md5(n::text)::uuid';
	CREATE PROCEDURE work(start bigint) LANGUAGE plpgsql AS $$
	DECLARE
		found bigint;
	BEGIN
		SET LOCAL enable_seqscan = off;
		-- before an index is locked, as REINDEX does it: no deadlocks
		LOCK TABLE t IN ROW EXCLUSIVE MODE;
		INSERT INTO t SELECT g, hash(g), CASE WHEN g % 3 > 0 THEN 'kind ' || g % 1000 END, repeat('x', 400)
		  FROM generate_series(start, start + 19) g;
		INSERT INTO unlogged SELECT start;
		UPDATE t SET kind = 'changed ' || n WHERE u = hash(start + 7);
		SELECT count(DISTINCT n) INTO found FROM t WHERE u = ANY (ARRAY(SELECT hash(g) FROM generate_series(start, start + 19) g));
		IF found <> 20 THEN
			RAISE EXCEPTION 'lost: % of 20 are there', found;
		END IF;
		SELECT count(DISTINCT n) INTO found FROM t WHERE string_to_array(kind || ' no ' || n, ' ') @> ARRAY['changed', (start + 7)::text];
		IF found <> 1 THEN
			RAISE EXCEPTION 'lost: % rows by their keys instead of one', found;
		END IF;
		IF NOT bloom_index_contains('t_all_bf', 'changed ' || start + 7) THEN
			RAISE EXCEPTION 'lost: a change in the filter';
		END IF;
		COMMIT;
		SET LOCAL enable_seqscan = off;
		LOCK TABLE t IN ROW EXCLUSIVE MODE;
		SELECT count(*) INTO found FROM t WHERE n = start + 7 AND kind = 'changed ' || n;
		IF found = 0 THEN
			RAISE EXCEPTION 'lost: a change';
		END IF;
		IF start % 7 = 0 THEN
			DELETE FROM t WHERE n = start + 3;
			ROLLBACK;
		ELSIF start % 7 = 1 THEN
			DELETE FROM t WHERE n BETWEEN start + 10 AND start + 15;
		END IF;
	END $$;

	-- the rows that an index would not find
	CREATE FUNCTION missing() RETURNS bigint LANGUAGE sql AS $$
		SELECT sum(bloom_index_check(indexrelid)) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
		 WHERE relam = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter') AND indisvalid
		   AND (relpersistence = 'p' OR NOT pg_is_in_recovery())
	$$;
	-- reads all pages of all indexes
	CREATE FUNCTION pages() RETURNS bigint LANGUAGE sql AS $$
		SELECT sum((bloom_index_info(indexrelid)).pages) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
		 WHERE relam = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter')
		   AND (relpersistence = 'p' OR NOT pg_is_in_recovery())
	$$;
});
append_to_file("$directory/work.sql", "\\set start random(1, 1000000000)\nCALL work(:start);\n");

my %load;

# start_load SECONDS [ARGUMENT...]
sub start_load
{
	my ($seconds, @arguments) = @_;
	$load{output} = '';
	$load{harness} = IPC::Run::start(
		[ 'pgbench', '-n', '-c', $clients, '-j', 2, '-T', $seconds, '-f', "$directory/work.sql",
			@arguments, $primary->connstr('postgres') ],
		'<', '/dev/null', '>&', \$load{output});
	return;
}

sub end_load
{
	my ($name) = @_;
	$load{harness}->finish;
	unlike($load{output}, qr/lost/, "$name: every row is found at once");
	my ($transactions) = $load{output} =~ /transactions actually processed: (\d+)/;
	return $transactions // 0;
}

#
# Crashes
#

# Directly after indexes were made: empty, of a table with rows, and with groups
# that hardly have rows.  No page has been written to disk by a checkpoint.
$primary->safe_psql('postgres', q{
	CHECKPOINT;
	CREATE TABLE fresh AS SELECT g AS n, g % 100 AS m FROM generate_series(1, 60000) g;
	CREATE INDEX fresh_bf ON fresh USING bloomfilter (n, m);
	CREATE TABLE started (n bigint);
	CREATE INDEX started_bf ON started USING bloomfilter (n);
	INSERT INTO started VALUES (1);
	CREATE TABLE empty (n bigint);
	CREATE INDEX empty_bf ON empty USING bloomfilter (n);
	CREATE INDEX fresh_all_bf ON fresh USING bloomfilter (n) WITH (scope = 'table', expected_items = 3000);
	CREATE INDEX empty_all_bf ON empty USING bloomfilter (n) WITH (scope = 'table', expected_items = 3000);
});
my $pages = $primary->safe_psql('postgres', "SELECT sum((bloom_index_info(i)).pages)
	FROM unnest('{fresh_bf,started_bf,empty_bf,fresh_all_bf,empty_all_bf}'::regclass[]) i");
# last, because there are few buffers: other work may have pages written
$primary->safe_psql('postgres', q{
	CREATE UNLOGGED TABLE unlogged_fresh AS SELECT g AS n FROM generate_series(1, 1000) g;
	CREATE INDEX unlogged_fresh_bf ON unlogged_fresh USING bloomfilter (n);
	CREATE INDEX unlogged_fresh_all_bf ON unlogged_fresh USING bloomfilter (n) WITH (scope = 'table', expected_items = 1000);
});
$primary->stop('immediate');
$primary->start;
is($primary->safe_psql('postgres', "SELECT sum((bloom_index_info(i)).pages), sum(bloom_index_check(i))
	FROM unnest('{fresh_bf,started_bf,empty_bf,fresh_all_bf,empty_all_bf}'::regclass[]) i"), "$pages|0", 'new indexes are whole after a crash');
is($primary->safe_psql('postgres', "SELECT (bloom_index_info('unlogged_fresh_bf')).pages, (bloom_index_info('unlogged_fresh_all_bf')).estimated_items;
	INSERT INTO unlogged_fresh VALUES (1); SELECT bloom_index_check('unlogged_fresh_bf'), bloom_index_check('unlogged_fresh_all_bf')"),
	"1|0\n0|0", 'unlogged indexes are empty, and take rows');

# By itself, because reading the larger ones writes pages of others to disk.
$primary->safe_psql('postgres', q{
	CHECKPOINT;
	CREATE TABLE alone AS SELECT g AS n FROM generate_series(1, 1000) g;
	CREATE INDEX alone_all_bf ON alone USING bloomfilter (n) WITH (scope = 'table', expected_items = 1000);
});
$primary->stop('immediate');
$primary->start;
is($primary->safe_psql('postgres', "SELECT bloom_index_check('alone_all_bf')"), '0', 'the filter of a table is whole after a crash');

my $rounds = 4;
my $transactions = 0;
my $wrong = 0;
foreach my $round (1 .. $rounds)
{
	start_load(60);
	usleep(300_000 + 80_000 * $round);
	$primary->stop('immediate');
	$load{harness}->finish;
	$wrong++ if $load{output} =~ /lost/;
	$primary->start;
	my $missing = $primary->safe_psql('postgres', 'SELECT missing() FROM pages()');
	diag("round $round: $missing rows are missing") if $missing ne '0';
	$wrong++ if $missing ne '0';
	# the index grows from nothing again
	$primary->safe_psql('postgres', 'TRUNCATE t') if $round % 2 == 0;
}
is($wrong, 0, "$rounds crashes: every row is found");
cmp_ok($primary->safe_psql('postgres', "SELECT count(*) FROM t"), '>=', 0, 'the table can be read');
is($primary->safe_psql('postgres', "SELECT count(*) FROM unlogged"), '0', 'an unlogged table is empty after a crash');
is($primary->safe_psql('postgres', "INSERT INTO unlogged SELECT generate_series(1, 20000);
		SELECT bloom_index_check('unlogged_bf')"), '0', 'and its index takes rows again');

#
# Indexes that are made and rebuilt beside writers
#

start_load(15);
usleep(500_000);
my @changes = (
	'CREATE INDEX CONCURRENTLY t_new_bf ON t USING bloomfilter (u, n)',
	'REINDEX INDEX CONCURRENTLY t_u_bf',
	'VACUUM t',
	'REINDEX INDEX t_both_bf',
	'CREATE INDEX CONCURRENTLY t_more_bf ON t USING bloomfilter (kind) WHERE n % 2 = 0',
	'REINDEX TABLE CONCURRENTLY t',
	'CREATE INDEX CONCURRENTLY t_ids_bf ON t USING bloomfilter (u) WITH (scope = table)',
	'REINDEX INDEX CONCURRENTLY t_all_bf',
	'DROP INDEX CONCURRENTLY t_new_bf',
	'VACUUM FULL t',
	'REINDEX INDEX CONCURRENTLY t_part_bf');
foreach (@changes)
{
	$primary->safe_psql('postgres', $_);
	is($primary->safe_psql('postgres', 'SELECT missing()'), '0', "beside writers: $_");
}
cmp_ok(end_load('indexes made and rebuilt'), '>', 0, 'there were writers');
is($primary->safe_psql('postgres', 'SELECT missing()'), '0', 'afterwards, too');
is($primary->safe_psql('postgres', 'SELECT count(*) FROM pg_index WHERE NOT indisvalid'), '0', 'all indexes are valid');

#
# A standby
#

$primary->safe_psql('postgres', 'TRUNCATE t');
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;
# slowly, because consistency checking writes an image of every page
start_load(10, '-R', 30);
my ($checks, $found) = (0, 0);
foreach (1 .. 8)
{
	usleep(500_000);
	$wrong++ if $standby->safe_psql('postgres', 'SELECT missing()') ne '0';
	# rows that are there are found, by each of the indexes
	my ($rows, $hits) = split /\|/, $standby->safe_psql('postgres', q{
		SET enable_seqscan = off;
		BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT FROM t x WHERE x.u = t.u AND x.n = t.n OFFSET 0)
				AND EXISTS (SELECT FROM t x WHERE x.n = t.n OFFSET 0)
				AND (kind IS NULL OR n % 5 > 0 OR EXISTS (SELECT FROM t x WHERE upper(x.kind) = upper(t.kind) AND x.n % 5 = 0 AND x.n = t.n OFFSET 0)))
		  FROM (SELECT * FROM t TABLESAMPLE bernoulli (20) LIMIT 300) t;
		COMMIT});
	$wrong++ if $rows != $hits;
	$found += $hits;
}
is($wrong, 0, "a standby finds all rows while it replays");
cmp_ok($found, '>', 0, 'there were rows to be found');
end_load('with a standby');
$primary->safe_psql('postgres', q{
	CREATE INDEX t_late_bf ON t USING bloomfilter (n, u);
	CREATE TABLE late (n bigint);
	CREATE INDEX late_bf ON late USING bloomfilter (n);
	INSERT INTO late VALUES (1);
});
Standby::catch_up($primary, $standby);
is($standby->safe_psql('postgres', 'SELECT pages()'),
	$primary->safe_psql('postgres', "SELECT pages() - sum((bloom_index_info(oid)).pages) FROM pg_class WHERE relname LIKE 'unlogged%bf'"),
	'a standby has all pages');
is($standby->safe_psql('postgres', 'SELECT missing()'), '0', 'all rows are found when it has caught up');
is($standby->safe_psql('postgres', "SELECT count(*) FROM t"), $primary->safe_psql('postgres', "SELECT count(*) FROM t"),
	'the same rows as on the primary');
my ($code, $out, $err) = $standby->psql('postgres', "SELECT bloom_index_check('unlogged_bf')");
like($err, qr/cannot read an unlogged index during recovery/, 'an unlogged index cannot be read on a standby');
($code, $out, $err) = $standby->psql('postgres', "SELECT bloom_index_contains('unlogged_all_bf', 5)");
like($err, qr/cannot read an unlogged index during recovery/, 'nor an unlogged filter');
is($standby->safe_psql('postgres', "SELECT bloom_cardinality(bloom_index_filter('t_all_bf')) > 0, (SELECT count(*) FROM t WHERE NOT bloom_index_contains('t_all_bf', kind))"), 't|0', 'a standby has the filter of a table');
$standby->promote;
is($standby->safe_psql('postgres', 'SELECT missing()'), '0', 'all rows are found after it has taken over');
is($standby->safe_psql('postgres', "CALL work(7000000000); CALL work(8000000000);
		SELECT missing(), (SELECT count(*) > 30 FROM t WHERE n >= 7000000000)"), '0|t', 'and new ones');
unlike(slurp_file($standby->logfile), qr/inconsistent page found/, 'the pages are those of the primary');
unlike(slurp_file($primary->logfile), qr/inconsistent page found|invalid page/, 'recovery made the pages that were there');
$primary->stop;
$standby->stop;
command_ok([ 'pg_checksums', '--check', '-D', $_->data_dir ], 'checksums of the ' . $_->name) foreach ($primary, $standby);

done_testing();
