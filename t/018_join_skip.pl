# Scans that skip blocks, beside others that write: summaries that are made anew
# tell of no row that only an older snapshot sees.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Standby;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf(
	'postgresql.conf', q{
	autovacuum = off
	jit = off
	session_preload_libraries = 'bloomfilter'
	bloomfilter.join_filters = force
	bloomfilter.join_filter_min_rows = 0
	enable_nestloop = off
	enable_mergejoin = off
	max_parallel_workers_per_gather = 0
});
$primary->start;

# Rows of a day lie together; there is room on each page for a new version of each.
$primary->safe_psql(
	'postgres', q{
	CREATE TABLE fact (id int, day int, wide char(100)) WITH (fillfactor = 40);
	INSERT INTO fact SELECT i, i / 100, '' FROM generate_series(0, 4999) AS i;
	CREATE INDEX fact_day ON fact USING brin (day) WITH (pages_per_range = 1);
	CREATE TABLE hashed (day int);
	INSERT INTO hashed VALUES (10), (11);
	ANALYZE;
	CREATE FUNCTION summarize() RETURNS int LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM brin_desummarize_range('fact_day', block)
			FROM generate_series(0, pg_relation_size('fact') / 8192 - 1) AS block;
		RETURN brin_summarize_new_values('fact_day');
	END $$;
	-- is anything skipped?
	CREATE FUNCTION skips(query text) RETURNS bool LANGUAGE plpgsql AS $$
	DECLARE
		line text;
		result bool := false;
	BEGIN
		FOR line IN EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) ' || query LOOP
			result := result OR line ~ 'Pages Skipped: [1-9]';
		END LOOP;
		RETURN result;
	END $$;
});
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;

my $query = 'SELECT count(*) FROM fact JOIN hashed USING (day)';
is($primary->safe_psql('postgres', "SELECT skips('$query')"), 't', 'blocks are skipped');
is($primary->safe_psql('postgres', $query), '200', 'and the others have all rows');

# A session that has a snapshot and waits, while something happens; what it sees then.
sub seen_after
{
	my ($node, $happens) = @_;
	my $go = $node->data_dir . '/go';
	my $session = Session::start(
		$node->connstr('postgres'),
		'BEGIN ISOLATION LEVEL REPEATABLE READ',
		'SELECT count(*) FROM hashed',
		"DO \$\$ BEGIN WHILE (pg_stat_file('go', true)).size IS NULL LOOP PERFORM pg_sleep(0.01); END LOOP; END \$\$",
		$query,
		'COMMIT');

	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE 'DO%' AND backend_xmin IS NOT NULL")
	  or die 'the session does not wait';
	$happens->();
	append_to_file($go, '');
	my @outcomes = Session::finish($session);
	unlink $go;
	return $outcomes[3]{output};
}

# Updates of the indexed column are HOT from PostgreSQL 16 on.
is( seen_after(
		$primary,
		sub {
			$primary->safe_psql('postgres', 'UPDATE fact SET day = 90 WHERE day IN (10, 11)');
			$primary->safe_psql('postgres', 'SELECT summarize()');
		}),
	'200',
	'rows that were updated before their range was summarized');
is($primary->safe_psql('postgres', $query), '0', 'which a new snapshot does not see');

# No snapshot of the primary sees what one of the standby does.
$primary->safe_psql('postgres', 'UPDATE fact SET day = 10 WHERE day = 90; VACUUM fact; SELECT summarize()');
Standby::catch_up($primary, $standby);
is($standby->safe_psql('postgres', "SELECT skips('$query')"),
	't', 'a standby skips blocks of which all is visible to all');
is( seen_after(
		$standby,
		sub {
			$primary->safe_psql('postgres', 'DELETE FROM fact WHERE day = 10');
			$primary->safe_psql('postgres', 'SELECT summarize()');
			Standby::catch_up($primary, $standby);
		}),
	'200',
	'rows that were deleted on the primary before their range was summarized');
is($standby->safe_psql('postgres', $query), '0', 'which a new snapshot does not see');

$standby->stop;
$primary->stop;
done_testing();
