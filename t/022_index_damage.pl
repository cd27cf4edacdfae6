# Damaged pages of a filter index are told: lookups, inserts and the functions
# about indexes raise an error that names the index, and nothing crashes or runs
# for ever.  REINDEX makes the index good again.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use StaleScan;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION bloomfilter');

# Fields by their offsets in a page of 8 kB, after the header of 24 bytes; the
# tail is in the last 16 bytes.  The page numbers: 0 is the metapage; the first
# slab begins at 1; the directory is the last page.
my ($meta, $slab, $directory) = (0, 1, -1);
my %offset = (
	magic => 24, version => 28, columns => 32, groups => 36, rebuilt_group => 64, successors => 68,
	filled_cover => 836, covers => 1608, directory => 1696,
	first_heap_page => 24, first_page => 28, number => 32, blocks => 36, ranges => 40, set_blocks => 42,
	set_pages => 43, k => 44, set_k => 45,
	lower => 12, upper => 14, special => 16, tail_block => 8176, tail_slab => 8180, tail_kind => 8184, tail_id => 8186);

# name, page, offset, bytes; or undef, undef and what to do with the file's contents
my @damages = (
	[ 'an empty metapage', $meta, 0, "\0" x 8192 ],
	[ 'another magic number', $meta, $offset{magic}, pack('L', 7) ],
	[ 'another version', $meta, $offset{version}, pack('L', 4) ],
	[ 'another number of columns', $meta, $offset{columns}, pack('L', 2) ],
	[ 'no columns', $meta, $offset{columns}, pack('L', 0) ],
	[ 'more groups than there are', $meta, $offset{groups}, pack('L', 2) ],
	[ 'more groups than there can be', $meta, $offset{groups}, pack('L', 4294967295) ],
	[ 'a group is rebuilt that there is not', $meta, $offset{rebuilt_group}, pack('L', 1) ],
	[ 'a successor without blocks', $meta, $offset{rebuilt_group}, pack('L7', 0, 0, 1, 7, 0, 0, 0) ],
	[ 'a cover of too few groups', $meta, $offset{covers}, pack('L', 1) ],
	[ 'more covers than there can be', $meta, $offset{covers}, pack('L', 4294967295) ],
	[ 'a cover is filled that there is not', $meta, $offset{filled_cover}, pack('L', 1) ],
	[ 'a directory beyond the end', $meta, $offset{directory}, pack('L', 1000000) ],
	[ 'a directory at no page', $meta, $offset{directory}, pack('L', 4294967295) ],
	[ 'a directory at a slab', $meta, $offset{directory}, pack('L', 2) ],
	[ 'a directory at the metapage', $meta, $offset{directory}, pack('L', 0) ],
	[ 'an empty directory', $directory, 0, "\0" x 8192 ],
	[ 'a group in another place', $directory, $offset{first_heap_page}, pack('L', 5) ],
	[ 'a slab beyond the end', $directory, $offset{first_page}, pack('L', 1000000) ],
	[ 'a slab at the very end', $directory, $offset{first_page}, pack('L', 4294967290) ],
	[ 'a slab of another number', $directory, $offset{number}, pack('L', 9) ],
	[ 'a slab that reaches into the directory', $directory, $offset{first_page}, pack('L', 2), 'any' ],
	[ 'no blocks', $directory, $offset{blocks}, pack('L', 0) ],
	[ 'too many blocks', $directory, $offset{blocks}, pack('L', 4294967295) ],
	[ 'no ranges', $directory, $offset{ranges}, pack('S', 0) ],
	[ 'too many ranges', $directory, $offset{ranges}, pack('S', 127) ],
	[ 'no blocks in a set', $directory, $offset{set_blocks}, "\0" ],
	[ 'too many blocks in a set', $directory, $offset{set_blocks}, "\xFF" ],
	[ 'no bits', $directory, $offset{k}, "\0" ],
	[ 'too many bits', $directory, $offset{k}, "\x11" ],
	[ 'no bits in the second level', $directory, $offset{set_k}, "\0" ],
	[ 'sets of no pages', $directory, $offset{set_pages}, "\0" ],
	[ 'sets of too many pages', $directory, $offset{set_pages}, "\xFF" ],
	[ 'empty slabs', undef, undef, sub { substr($_[0], 8192, -8192) = "\0" x (length($_[0]) - 16384) } ],
	[ 'slabs of another number', undef, undef, sub { in_slabs($_[0], $offset{tail_slab}, pack('L', 77)) } ],
	[ 'slabs of another kind', undef, undef, sub { in_slabs($_[0], $offset{tail_kind}, pack('S', 2)) } ],
	[ 'slabs of something else', undef, undef, sub { in_slabs($_[0], $offset{tail_id}, pack('S', 0xFF80)) } ],
	[ 'slabs in another order', undef, undef, sub { substr($_[0], 8192, -8192) = join('', reverse(unpack('(a8192)*', substr($_[0], 8192, -8192)))) } ],
	[ 'slabs with another end', undef, undef, sub { in_slabs($_[0], $offset{special}, pack('S', 8192)) } ],
	[ 'a metapage with another end', $meta, $offset{upper}, pack('S', 8168) ],
	[ 'a directory with another end', $directory, $offset{upper}, pack('S', 8168) ],
	[ 'slabs of which WAL would take too much', undef, undef, sub { in_slabs($_[0], $offset{upper}, pack('S', 8168)) } ],
	[ 'slabs that end within a slot', undef, undef, sub { in_slabs($_[0], $offset{lower}, pack('S', 100)) } ],
	[ 'slabs that end within the header', undef, undef, sub { in_slabs($_[0], $offset{lower}, pack('S', 24)) } ],
	[ 'a file of one page', undef, undef, sub { $_[0] = substr($_[0], 0, 8192) } ],
	[ 'a file that ends early', undef, undef, sub { $_[0] = substr($_[0], 0, 3 * 8192) } ],
	[ 'another index in its place', undef, undef, sub { $_[0] = slurp_other() } ],
	[ 'nothing but ones', undef, undef, sub { in_slabs($_[0], 64, "\xFF" x 8064) }, 'no error' ]);

# Random bytes where pages say what they are: in the headers and tails of pages,
# and in all of the metapage and the directory.  Perl's generator would differ
# between machines.
my $random = 1;

sub random_number
{
	my ($below) = @_;
	$random = ($random * 1103515245 + 12345) % 2147483648;
	return int($random / 65536) % $below;
}

sub change_randomly
{
	my $pages = length($_[0]) / 8192;

	foreach (1 .. 3)
	{
		my $page = (0, $pages - 1, random_number($pages))[random_number(3)];
		my $place = ($page == 0 || $page == $pages - 1) ? random_number(100) : random_number(24);
		$place = 8176 + random_number(12) if random_number(4) == 0;
		substr($_[0], $page * 8192 + $place, 1) = chr(random_number(256));
	}
	return;
}

push(@damages, [ "random bytes, round $_", undef, undef, \&change_randomly, 'any' ]) foreach (1 .. 40);

# Write the bytes into all pages but the first; or also but the last.
sub in_all
{
	my $position;
	for ($position = 8192; $position < length($_[0]) - ($_[3] // 0); $position += 8192)
	{
		substr($_[0], $position + $_[1], length($_[2])) = $_[2];
	}
	return;
}

sub in_slabs
{
	in_all($_[0], $_[1], $_[2], 8192);
	return;
}

my $other;

sub slurp_other
{
	return $other;
}

sub slurp_binary
{
	my ($path) = @_;
	open(my $file, '<:raw', $path) or die "$path: $!";
	local $/;
	my $contents = <$file>;
	close($file);
	return $contents;
}

sub write_binary
{
	my ($path, $contents) = @_;
	open(my $file, '>:raw', $path) or die "$path: $!";
	print $file $contents;
	close($file) or die "$path: $!";
	return;
}

# The files of the indexes of so many damages, whose names begin like that.
sub paths_of
{
	my ($prefix) = @_;
	return split(/\n/, $node->safe_psql('postgres', "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('$prefix' || i || '_bf')
		FROM generate_series(0, $#damages) AS i ORDER BY i"));
}

# Do each damage to a file.
my @paths;

sub damage_files
{
	foreach my $i (0 .. $#damages)
	{
		my (undef, $page, $offset, $change) = @{ $damages[$i] };
		my $contents = slurp_binary($paths[$i]);

		if (defined $page)
		{
			my $start = $page < 0 ? length($contents) - 8192 : $page * 8192;
			substr($contents, $start + $offset, length($change)) = $change;
		}
		else
		{
			$change->($contents);
		}
		write_binary($paths[$i], $contents);
	}
	return;
}

# What comes of a list of statements for each damage, by its number.  Ten are in one
# session: to connect takes longer than what the statements do.
sub try_all
{
	my ($statements) = @_;
	my @numbers = (0 .. $#damages);
	my @tried;

	while (my @some = splice(@numbers, 0, 10))
	{
		my @lists = map { [ $statements->($_) ] } @some;
		my @outcomes = Session::run($node->connstr('postgres'), 'SET enable_seqscan = off', "SET statement_timeout = '60s'", map { @$_ } @lists);

		splice(@outcomes, 0, 2);
		push(@tried, [ splice(@outcomes, 0, scalar(@$_)) ]) foreach (@lists);
	}
	return @tried;
}

# An index for each of them, of a table of 3 ranges: a group of one slab.
my $tables = join(';', map { "CREATE TABLE t$_ AS SELECT * FROM t; CREATE INDEX t${_}_bf ON t$_ USING bloomfilter (n)" } (0 .. $#damages));
$node->safe_psql('postgres', "CREATE TABLE t (n int, pad text);
	INSERT INTO t SELECT g, repeat('x', 200) FROM generate_series(1, 10000) g;
	CREATE INDEX t_other ON t (n, pad);
	$tables");
my $data = $node->data_dir;
$other = "$data/" . $node->safe_psql('postgres', "SELECT pg_relation_filepath('t_other')");
@paths = paths_of('t');
is($node->safe_psql('postgres', "SELECT (bloom_index_info('t0_bf')).groups, (bloom_index_info('t0_bf')).ranges"),
	'1|3', 'there is a group');
my $checksums = $node->safe_psql('postgres', 'SHOW data_checksums');
$node->stop;
# from 18 on there are checksums, which would find the damage first
system_or_bail('pg_checksums', '--disable', '-D', $data) if $checksums eq 'on';
$other = slurp_binary($other);
damage_files();
$node->start;

my @tried = try_all(
	sub {
		my ($i) = @_;
		return (
			'SET enable_seqscan = on',
			'SET enable_bitmapscan = off',
			"SELECT count(*) FROM t$i WHERE n = 5000",
			'SET enable_seqscan = off',
			'RESET enable_bitmapscan',
			"SELECT bytes FROM bloom_indexes WHERE indexrelname = 't${i}_bf'",
			"SELECT count(*) FROM t$i WHERE n = 5000",
			"SELECT count(*) FROM t$i WHERE n = ANY (ARRAY(SELECT generate_series(1, 10000, 7)))",
			"INSERT INTO t$i SELECT generate_series(-1000, -1)",
			"SELECT bloom_index_info('t${i}_bf')",
			"SELECT bloom_index_check('t${i}_bf')",
			"VACUUM t$i",
			"REINDEX INDEX t${i}_bf",
			"SELECT bloom_index_check('t${i}_bf'), (SELECT count(*) FROM t$i WHERE n = 5000)");
	});
foreach my $i (0 .. $#damages)
{
	my ($name, undef, undef, undef, $no_error) = @{ $damages[$i] };
	my @outcomes = @{ $tried[$i] };
	my (undef, undef, $without, undef, undef, $listed) = splice(@outcomes, 0, 6);
	my $states = join(' ', map { $_->{sqlstate} } @outcomes[ 0 .. 4 ]);

	is($listed->{sqlstate}, '00000', "$name: the view of all indexes tells the others");
	is($without->{output}, '1', "$name: the planner does without the index") if $name =~ /slabs/ && ($no_error // '') ne 'any';
	if (($no_error // '') eq 'any')
	{
		# XX001: the server itself looks at page headers
		like($states, qr/^((00000|XX00[12]) ?)+$/, "$name: at most an error");
	}
	elsif ($no_error)
	{
		is($states, '00000 00000 00000 00000 00000', "$name: nothing to be told");
		is($outcomes[0]->{output}, '1', "$name: the row is found");
	}
	else
	{
		is($states, 'XX002 XX002 XX002 XX002 XX002', "$name: errors");
		is($listed->{output}, '', "$name: and nothing of this one");
	}
	is($outcomes[5]->{sqlstate}, '00000', "$name: VACUUM goes on");
	is($outcomes[7]->{output}, '0|1', "$name: REINDEX makes it good again");
}

#
# Of an index that is one filter of the table
#

@damages = (
	[ 'an empty metapage', $meta, 0, "\0" x 8192 ],
	[ 'another magic number', $meta, 24, pack('L', 7) ],
	[ 'another version', $meta, 28, pack('L', 4) ],
	[ 'no pages', $meta, 92, pack('L', 0) ],
	[ 'no blocks', $meta, 100, pack('L', 0) ],
	[ 'more blocks than pages', $meta, 100, pack('L', 5000) ],
	[ 'more blocks than there can be', $meta, 100, pack('L', 4294967295) ],
	[ 'two ranges', $meta, 104, pack('S', 2) ],
	[ 'a second level', $meta, 106, pack('C', 1) ],
	[ 'no bits', $meta, 108, pack('C', 0) ],
	[ 'too many bits', $meta, 108, pack('C', 17) ],
	[ 'a successor of no blocks', $meta, 116, pack('L3SC5', 1, 2, 0, 1, 0, 0, 7, 0, 0) ],
	[ 'a successor of more blocks than pages', $meta, 116, pack('L3SC5', 1, 2, 5000, 1, 0, 0, 7, 0, 0) ],
	[ 'no family', $meta, 136, pack('L', 0) ],
	[ 'an unknown family', $meta, 136, pack('L', 15) ],
	[ 'no capacity', $meta, 48, pack('Q', 0) ],
	[ 'a rate of 1', $meta, 56, pack('d', 1) ],
	[ 'a rate that is no number', $meta, 56, pack('d', 'nan') ],
	[ 'the metapage of another kind', $meta, $offset{tail_kind}, pack('S', 3) ],
	[ 'empty pages', undef, undef, sub { substr($_[0], 8192) = "\0" x (length($_[0]) - 8192) } ],
	[ 'pages of another slab', undef, undef, sub { in_all($_[0], $offset{tail_slab}, pack('L', 2)) } ],
	[ 'pages of another kind', undef, undef, sub { in_all($_[0], $offset{tail_kind}, pack('S', 2)) } ],
	[ 'pages that end too early', undef, undef, sub { in_all($_[0], $offset{lower}, pack('S', 128)) } ],
	[ 'pages of which WAL would take too much', undef, undef, sub { in_all($_[0], $offset{upper}, pack('S', 8168)) } ],
	[ 'pages in another order', undef, undef, sub { substr($_[0], 8192) = join('', reverse(unpack('(a8192)*', substr($_[0], 8192)))) } ],
	[ 'a file of one page', undef, undef, sub { $_[0] = substr($_[0], 0, 8192) } ],
	[ 'a file that ends early', undef, undef, sub { $_[0] = substr($_[0], 0, 3 * 8192) } ],
	[ 'nothing but ones', undef, undef, sub { in_all($_[0], 64, "\xFF" x 8064) }, 'no error' ]);

$node->safe_psql('postgres', join(';', map { "CREATE TABLE w$_ AS SELECT n FROM t; CREATE INDEX w${_}_bf ON w$_ USING bloomfilter (n) WITH (scope = 'table', expected_items = 50000)" } (0 .. $#damages)));
@paths = paths_of('w');
$node->stop;
damage_files();
$node->start;
@tried = try_all(
	sub {
		my ($i) = @_;
		# many values, for each page of the filter
		return (
			"SELECT bytes FROM bloom_indexes WHERE indexrelname = 'w${i}_bf'",
			"SELECT count(*) FROM w$i WHERE n = ANY (ARRAY(SELECT generate_series(-1000, -1)))",
			"SELECT bool_and(bloom_index_contains('w${i}_bf', n)) FROM generate_series(1, 1000) AS n",
			"SELECT bloom_cardinality(bloom_index_filter('w${i}_bf')) > 0",
			"INSERT INTO w$i SELECT generate_series(20000, 21000)",
			"SELECT bloom_index_info('w${i}_bf')",
			"SELECT bloom_index_check('w${i}_bf')",
			"REINDEX INDEX w${i}_bf",
			"SELECT bloom_index_check('w${i}_bf'), bloom_index_contains('w${i}_bf', 5000)");
	});
foreach my $i (0 .. $#damages)
{
	my ($name, undef, undef, undef, $no_error) = @{ $damages[$i] };
	my ($listed, @outcomes) = @{ $tried[$i] };
	my $states = join(' ', map { $_->{sqlstate} } @outcomes[ 0 .. 5 ]);

	is($listed->{sqlstate}, '00000', "one filter, $name: the view of all indexes tells the others");
	if ($no_error)
	{
		is($states, '00000 00000 00000 00000 00000 00000', "one filter, $name: nothing to be told");
		is($outcomes[1]->{output}, 't', "one filter, $name: the rows are found");
	}
	else
	{
		like($states, qr/^(XX00[12] ?){6}$/, "one filter, $name: errors");
		is($listed->{output}, '', "one filter, $name: and nothing of this one");
	}
	is($outcomes[7]->{output}, '0|t', "one filter, $name: REINDEX makes it good again");
}

#
# A slab in the place of the directory
#

# Who writes the directory locks the metapage, and then a page of the directory; a
# lookup that has locked that page, as if it were a slab's, does not wait for the
# metapage.
my $library = StaleScan::create($node);
my $files = PostgreSQL::Test::Utils::tempdir_short;
$node->safe_psql(
	'postgres', qq{
	CREATE FUNCTION hold_metapage(regclass, text) RETURNS void LANGUAGE c STRICT AS '$library', 'hold_metapage';
	CREATE TABLE swapped (n int, pad text);
	CREATE INDEX swapped_bf ON swapped USING bloomfilter (n);
	INSERT INTO swapped SELECT g, repeat('x', 200) FROM generate_series(1, 20000) g;
});
is($node->safe_psql('postgres', "SELECT groups > 1 FROM bloom_index_info('swapped_bf')"), 't', 'there are groups behind the directory');
my $path = "$data/" . $node->safe_psql('postgres', "SELECT pg_relation_filepath('swapped_bf')");
$node->stop;
my $contents = slurp_binary($path);
my $place = unpack('L', substr($contents, $offset{directory}, 4));
substr($contents, $place * 8192 + $offset{first_page}, 4) = pack('L', $place);
# in which all values have their block
substr($contents, $place * 8192 + $offset{blocks}, 4) = pack('L', 1);
write_binary($path, $contents);
$node->start;

my $scan = StaleScan::start($node, 'swapped_bf', 5);
my $logged = -s $node->logfile;
my $writer = Session::start($node->connstr('postgres'), "SELECT hold_metapage('swapped_bf', '$files/write')");
$node->wait_for_log(qr/it holds the metapage/, $logged);
is(StaleScan::finish($scan)->{sqlstate}, 'XX002', 'a lookup that takes a page of the directory for a slab does not wait');
append_to_file("$files/write", 'go');
Session::finish($writer);

my $log = slurp_file($node->logfile);
like($log, qr/ERROR:  page \d+ of index "t\d+_bf" is damaged/, 'the errors name page and index');
unlike($log, qr/PANIC|TRAP|terminated by signal|cache lookup/, 'and nothing else happens');

done_testing();
