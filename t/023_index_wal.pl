# Filter indexes write the records that the server's generic WAL would write for
# the same changes.  Where this fails, src/compat.h must not say that generic WAL
# is known.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $library = Module::build('index_wal');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "full_page_writes = off\nautovacuum = off\ncheckpoint_timeout = 1h\nbgwriter_lru_maxpages = 0\n");
$node->start;
$node->safe_psql('postgres', qq{
	CREATE EXTENSION bloomfilter;
	CREATE FUNCTION index_wal_differs(regclass, int) RETURNS text LANGUAGE c STRICT AS '$library', 'index_wal_differs';
	CREATE TABLE t (n int);
	INSERT INTO t SELECT generate_series(1, 100000);
	CREATE INDEX t_bf ON t USING bloomfilter (n);
	CREATE INDEX t_young_bf ON t USING bloomfilter (n) WHERE n < 10;
});
foreach my $index ('t_bf', 't_young_bf')
{
	# in bits, so that pages fill up; from pages that hold nothing
	is($node->safe_psql('postgres', "SELECT coalesce(index_wal_differs('$index', 3000), 'the same')"),
		'the same', "$index: the same records");
}

done_testing();
