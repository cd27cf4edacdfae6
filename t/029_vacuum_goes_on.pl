# VACUUM goes on where a filter index cannot be rebuilt: for lack of disk space, or
# because pages are damaged.  It warns, and the index keeps its old filters.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use Module;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $library = Module::build('full_disk');
my $full = PostgreSQL::Test::Utils::tempdir_short() . '/full';
$ENV{FULL_DISK} = $full;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
{
	local $ENV{LD_PRELOAD} = join(' ', "$library.so", grep { defined } $ENV{LD_PRELOAD});
	$node->start;
}
$node->safe_psql('postgres', 'CREATE EXTENSION bloomfilter');

sub sql
{
	my ($statement) = @_;
	return $node->safe_psql('postgres', $statement);
}

# A table of several groups with worn filters, and with pages at its end that VACUUM
# can give back.
sub make_worn
{
	my ($table) = @_;

	sql($_) foreach (
		"CREATE TABLE $table (n int, v text, pad text)",
		# before the rows, so that there are several groups
		"CREATE INDEX ${table}_bf ON $table USING bloomfilter (v)",
		"CREATE INDEX ${table}_twin ON $table USING bloomfilter (v)",
		"INSERT INTO $table SELECT g, 'v' || g, repeat('x', 400) FROM generate_series(1, 6000) g",
		(map { ("UPDATE $table SET v = 'worn $_ ' || n", "VACUUM (INDEX_CLEANUP off, TRUNCATE off) $table") } 1 .. 4),
		"INSERT INTO $table SELECT -1, 'last', repeat('x', 400) FROM generate_series(1, 12000)",
		"DELETE FROM $table WHERE n = -1");
	is(is_worn("${table}_bf"), 't', "$table: the index is worn");
	return;
}

sub is_worn
{
	my ($index) = @_;
	return sql("SELECT worst_group_false_positive_rate > 2 * target_false_positive_rate FROM bloom_index_info('$index')");
}

sub path_of
{
	my ($relation) = @_;
	return $node->data_dir . '/' . sql("SELECT pg_relation_filepath('$relation')");
}

sub size_of
{
	my ($relation) = @_;
	return sql("SELECT pg_relation_size('$relation')");
}

sub frozen
{
	my ($table) = @_;
	return sql("SELECT relfrozenxid FROM pg_class WHERE relname = '$table'");
}

# VACUUM, which must not fail, and what it says.
sub vacuum
{
	my ($name, $table) = @_;
	my $said;

	is($node->psql('postgres', "\\set VERBOSITY verbose\nSET client_min_messages = debug2;\nVACUUM (FREEZE, PARALLEL 0) $table", stderr => \$said), 0, "$name: VACUUM succeeds");
	return $said;
}

# The first VACUUM of a worn table.
sub vacuum_worn
{
	my ($name, $table) = @_;
	my $size = size_of($table);
	my $frozen = frozen($table);
	my $said = vacuum($name, $table);

	isnt(frozen($table), $frozen, "$name: relfrozenxid advances");
	cmp_ok(size_of($table), '<', $size, "$name: the table is truncated");
	return $said;
}

#
# No space
#

make_worn('t');
my $limit = size_of('t_bf') + 3 * 8192;
append_to_file($full, "$limit " . path_of('t_bf'));
my $said = vacuum_worn('a full disk', 't');
like($said, qr/WARNING:  53100: could not rebuild filters of index "t_bf": could not extend file/, 'a full disk: it says so');
like($said, qr/HINT:  Check free disk space/, 'a full disk: with the hint of the server');
is(size_of('t_bf'), $limit, 'the disk was full');
is(is_worn('t_bf'), 't', 'the old filters stay');
is(is_worn('t_twin'), 'f', 'another index is rebuilt');
sql("INSERT INTO t VALUES (7000, 'later')");
is(sql("SET enable_seqscan = off; SET enable_bitmapscan = on; SELECT n FROM t WHERE v IN ('later', 'worn 4 77') ORDER BY n"), "77\n7000", 'rows are found');
like(vacuum('a full disk, again', 't'), qr/WARNING:  53100/, 'a full disk, again: it says so');
is(size_of('t_bf'), $limit, 'nothing more was taken');
is(sql("SELECT bloom_index_check('t_bf')"), '0', 'nothing is missing');
unlink($full);
unlike(vacuum('space again', 't'), qr/WARNING/, 'space again: no warning');
is(is_worn('t_bf'), 'f', 'the filters are rebuilt');
is(size_of('t_bf'), size_of('t_twin'), 'in the pages that were added in vain, and in others');
is(sql("SELECT bloom_index_check('t_bf')"), '0', 'nothing is missing then');

# Groups that have no cover yet
sql("CREATE TABLE c (n int, pad text); CREATE INDEX c_bf ON c USING bloomfilter (n);
	INSERT INTO c SELECT g, repeat('x', 1800) FROM generate_series(1, 70000) g; DELETE FROM c WHERE n > 65000");
$limit = size_of('c_bf');
append_to_file($full, "$limit " . path_of('c_bf'));
like(vacuum_worn('a full disk for covers', 'c'), qr/WARNING:  53100: could not rebuild filters of index "c_bf"/, 'a full disk for covers: it says so');
is(sql("SELECT covers, bloom_index_check('c_bf') FROM bloom_index_info('c_bf')"), '0|0', 'there are none');
sql("INSERT INTO c VALUES (80000, 'later')");
is(sql('SET enable_seqscan = off; SELECT count(*) FROM c WHERE n IN (7, 80000)'), '2', 'rows are found without them');
unlink($full);
unlike(vacuum('space again, covers', 'c'), qr/WARNING/, 'space again, covers: no warning');
is(sql("SELECT covers, covered_groups, bloom_index_check('c_bf') FROM bloom_index_info('c_bf')"), '1|7|0', 'covers are made');

# The filter of a table, which is much too small
sub make_small
{
	my ($table) = @_;

	sql($_) foreach (
		"CREATE TABLE $table (n int, pad text)",
		"CREATE INDEX ${table}_bf ON $table USING bloomfilter (n) WITH (scope = 'table', expected_items = 1000)",
		"ALTER INDEX ${table}_bf RESET (expected_items)",
		"INSERT INTO $table SELECT g, repeat('x', 400) FROM generate_series(1, 6000) g",
		"DELETE FROM $table WHERE n > 3000");
	is(is_small("${table}_bf"), 't', "$table: the filter is worn");
	return;
}

sub is_small
{
	my ($index) = @_;
	return sql("SELECT worn FROM bloom_index_info('$index')");
}

make_small('f');
$limit = size_of('f_bf') + 3 * 8192;
append_to_file($full, "$limit " . path_of('f_bf'));
$said = vacuum_worn('a full disk, one filter', 'f');
like($said, qr/WARNING:  53100: could not rebuild filters of index "f_bf": could not extend file/, 'a full disk, one filter: it says so');
is(is_small('f_bf'), 't', 'the old filter stays');
is(sql("INSERT INTO f VALUES (7000); SELECT bloom_index_check('f_bf'), bloom_index_contains('f_bf', 7000)"), '0|t', 'rows are found');
unlink($full);
unlike(vacuum('space again, one filter', 'f'), qr/WARNING/, 'space again, one filter: no warning');
is(is_small('f_bf'), 'f', 'the filter is made anew');
is(size_of('f_bf'), 18 * 8192, 'in the pages that were added in vain, and in others');

#
# Damaged pages
#

# Write zeros over a page of an index.
sub damage
{
	my ($index, $find) = @_;
	my $path = path_of($index);

	$node->stop;
	open(my $file, '+<:raw', $path) or die "$path: $!";
	seek($file, 8192 * $find->($file), 0);
	print $file "\0" x 8192;
	close($file) or die "$path: $!";
	$node->start;
	return;
}

sub read_number
{
	my ($file, $page, $offset) = @_;
	my $bytes;
	seek($file, $page * 8192 + $offset, 0);
	read($file, $bytes, 4);
	return unpack('L', $bytes);
}

# first_page of the second group in the directory, whose page the metapage has: see
# t/022_index_damage.pl
sub second_group
{
	my ($file) = @_;
	return read_number($file, read_number($file, 0, 1696), 52);
}

make_worn('d');
damage('d_bf', \&second_group);
$said = vacuum_worn('a damaged slab', 'd');
like($said, qr/WARNING:  XX00[12]: could not rebuild filters of index "d_bf": .*page/, 'a damaged slab: it says so');
my %rebuilt = $said =~ /index "(d_\w+)": rebuilt (\d+) of/g;
is($rebuilt{d_bf}, $rebuilt{d_twin} - 1, 'the other groups are rebuilt');
sql('REINDEX INDEX d_bf');
unlike(vacuum('after REINDEX', 'd'), qr/WARNING/, 'after REINDEX: no warning');

make_small('g');
damage('g_bf', sub { return 1; });
$said = vacuum_worn('a damaged filter', 'g');
like($said, qr/WARNING:  XX00[12]: could not rebuild filters of index "g_bf": .*page/, 'a damaged filter: it says so');

make_worn('m');
damage('m_bf', sub { return 0; });
$said = vacuum_worn('a damaged metapage', 'm');
like($said, qr/WARNING:  XX00[12]: could not rebuild filters of index "m_bf": .*page/, 'a damaged metapage: it says so');
is(is_worn('m_twin'), 'f', 'another index is rebuilt all the same');

done_testing();
