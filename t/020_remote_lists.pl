# Joins of local tables with foreign tables whose server does not have the extension:
# it compares a list of the local keys, and nobody can tell from the result.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Remote;
use Test::More;

my $remote = PostgreSQL::Test::Cluster->new('remote');
$remote->init(extra => ['--encoding=UTF8', '--locale=C']);
$remote->append_conf('postgresql.conf', "autovacuum = off\nshared_preload_libraries = 'auto_explain'\nauto_explain.log_min_duration = 0\n");
$remote->start;
my $local = PostgreSQL::Test::Cluster->new('local');
$local->init(extra => ['--encoding=UTF8', '--locale=C']);
$local->append_conf('postgresql.conf', "session_preload_libraries = 'bloomfilter'
	autovacuum = off\nmax_parallel_workers_per_gather = 0\njit = off\n");
$local->start;
Remote::begin($local, 'lists', \&sent);
my ($host, $port) = ($remote->host, $remote->port);
my $user = $local->safe_psql('postgres', 'SELECT current_user');

#
# Tables
#

$remote->safe_psql('postgres', q{
	CREATE TABLE fact AS SELECT i AS id, i % 1000 AS k, i % 7 AS grp, (i % 1000)::bigint AS big, (i % 1000)::smallint AS small,
			'key ' || i % 1000 AS t, ('k' || i % 1000)::char(8) AS c, (i % 1000) / 8::float8 AS x, ((i % 1000) / 8::float4)::float4 AS y,
			date '2026-01-01' + i % 1000 AS d, md5((i % 1000)::text)::uuid AS u, i % 1000 AS dom,
			('key ' || i % 1000)::varchar AS v, ('key ' || i % 1000)::bytea AS bytes
		FROM generate_series(1, 20000) AS i;
	INSERT INTO fact (id, k, x) VALUES (20001, NULL, '-0'), (20002, 5, 'NaN');
	CREATE TABLE misfit AS SELECT i AS id, 'ab'::char(5) AS blanks FROM generate_series(1, 10) AS i;
	CREATE TABLE indexed AS SELECT i AS id, i % 1000 AS k FROM generate_series(1, 100000) AS i;
	CREATE INDEX ON indexed (k);
	ANALYZE;
});
$remote->safe_psql('postgres', "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
$remote->safe_psql('latin', "CREATE TABLE words AS SELECT chr(233) || i AS w FROM generate_series(1, 100) AS i; ANALYZE");

sub add_server
{
	my ($name, $database, $options) = @_;
	query("CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw
			OPTIONS (host '$host', port '$port', dbname '$database', $options);
		CREATE USER MAPPING FOR PUBLIC SERVER $name OPTIONS (user '$user', password_required 'false')");
}

query('CREATE EXTENSION bloomfilter; CREATE EXTENSION postgres_fdw');
add_server('there', 'postgres', "use_remote_estimate 'true', async_capable 'true'");
add_server('latin', 'latin', "use_remote_estimate 'true'");
my $columns = 'id int, k int, grp int, big bigint, small smallint, t text, c char(8), x float8, y float4, d date, u uuid, dom positive, v varchar, bytes bytea';
query(qq{
	CREATE DOMAIN positive AS int CHECK (value >= 0);
	CREATE FOREIGN TABLE f ($columns) SERVER there OPTIONS (table_name 'fact');
	CREATE FOREIGN TABLE g ($columns) SERVER there OPTIONS (table_name 'fact');
	CREATE FOREIGN TABLE indexed (id int, k int) SERVER there;
	CREATE FOREIGN TABLE misfit (id int, blanks text) SERVER there;
	CREATE FOREIGN TABLE words (w text) SERVER latin;
	CREATE TABLE l AS SELECT i AS id, i % 100 AS grp, i::bigint AS big, i::smallint AS small, 'key ' || i AS t, ('key ' || i)::varchar AS v,
			('key ' || i) COLLATE "C" AS in_c, ('k' || i)::char(8) AS c, i / 8::float8 AS x, (i / 8::float4)::float4 AS y,
			date '2026-01-01' + i AS d, md5(i::text)::uuid AS u, i::positive AS dom, ('key ' || i)::bytea AS bytes
		FROM generate_series(0, 999) AS i;
	INSERT INTO l (id, grp, x) VALUES (NULL, 3, 'NaN'), (NULL, 3, '0');
	CREATE TABLE blanks AS SELECT 'ab   ' AS t;
	ANALYZE f, g, l, indexed, words, blanks;
});

# How many scans at the other server have a list in a plan?
sub sent
{
	my ($sql, $settings) = @_;
	my $plan = plan_of($sql, $settings // $force);
	my @sent = $plan =~ /Remote SQL: [^\n]*\$\d+::integer IS NULL\) OR \(\w+ = ANY \(\$\d+::/g;
	unlike($plan, qr/Filter:[^\n]*= ANY \((\$|\(InitPlan)/, 'no list is searched here');
	return scalar(@sent);
}

# The rows that the other server returns for a table
sub fetched
{
	my ($sql, $settings) = @_;
	my ($rows) = query("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) $sql", $settings // $force) =~
		/Foreign Scan on \w+(?: \w+)? \(actual rows=(\d+)/ or die;
	return $rows;
}

my $counts = 'count(*), count(DISTINCT f.id), sum(f.id)';
my $one = "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = 3";

#
# Places
#

is(same('inner join', 1, $one), '200|200|1990600', 'the expected result');
is(fetched($one), 200, 'only its rows are fetched');
is(fetched($one, ''), 20002, 'and all rows without');
like(plan_of($one, $force), qr/CTE keys.*Seq Scan on public\.l l_1\n[^\n]*\n\s*Filter: \(\(l_1\.id IS NOT NULL\) AND \(l_1\.grp = 3\)\)/s,
	'the list is made once, of the keys that the local conditions leave');
same('IN', 1, "SELECT $counts FROM f WHERE k IN (SELECT id FROM l WHERE grp = 3)");
same('EXISTS', 0, "SELECT $counts FROM f WHERE EXISTS (SELECT FROM l WHERE l.id = f.k AND grp = 3)");
same('IN, of the foreign table', 1, "SELECT count(*), sum(id) FROM l WHERE grp = 3 AND id IN (SELECT k FROM f WHERE grp = 2)");
same('EXISTS, of the foreign table', 0, "SELECT count(*), sum(id) FROM l WHERE grp = 3 AND EXISTS (SELECT FROM f WHERE f.k = l.id)");
same('IN, in a sub-select in a sub-select', 1, "SELECT sum(n) FROM (SELECT sum(n) AS n FROM (SELECT grp, count(*) AS n FROM l
	WHERE grp < 5 AND id IN (SELECT k FROM f WHERE f.grp = 2) GROUP BY grp) s GROUP BY grp % 2) s");
same('in a sub-select', 1, "SELECT sum(n) FROM (SELECT count(*) AS n FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 GROUP BY k) s");
same('in a sub-select that becomes part of the query', 1, "SELECT sum(s.id) FROM (SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3) s JOIN l ON l.id = s.id");
same('in a CTE', 1, "WITH c AS MATERIALIZED (SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3) SELECT count(*), sum(id) FROM c");
same('beside CTEs of its name', 1, "WITH keys AS (SELECT 7 AS grp), keys_1 AS (SELECT 3 AS grp)
	SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 AND EXISTS (SELECT FROM keys JOIN keys_1 ON keys.grp = keys_1.grp + 4)");
same('in UNION', 2, "SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 UNION SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 4 ORDER BY id");
same('with two lists for two tables', 2, "SELECT $counts FROM f JOIN l ON l.id = f.k JOIN l m ON m.grp = l.grp JOIN g ON g.k = m.id WHERE l.grp = 3 AND m.id < 10");
same('with two lists for one table', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k JOIN l m ON m.t = f.t WHERE l.grp < 10 AND m.grp > 7");
same('left of an outer join', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k LEFT JOIN l m ON m.id = f.id AND m.grp = 2 WHERE l.grp = 3");
same('on its nullable side', 0, "SELECT $counts, count(m.id) FROM l m LEFT JOIN (f JOIN l ON l.id = f.k) ON m.id = f.id");
same('NOT EXISTS', 0, "SELECT $counts FROM f WHERE NOT EXISTS (SELECT FROM l WHERE l.id = f.k AND grp = 3)");
query('CREATE TABLE taken (id int)');
is(sent('INSERT INTO taken SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3'), 1, 'INSERT of a join');
query('INSERT INTO taken SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3', $force);
is(query('SELECT count(*), count(DISTINCT id), sum(id) FROM taken'), '200|200|1990600', 'takes the same rows');
is(sent('DELETE FROM taken USING f, l WHERE l.id = f.k AND taken.id = f.id AND l.grp = 3'), 0, 'DELETE has none');

#
# Keys
#

same('no keys', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = -1");
# a merge join fetches a row of the other server first
my $merge = "$force; SET enable_hashjoin = off; SET enable_nestloop = off";
is(fetched("SELECT 1 FROM f WHERE $_ FROM l WHERE l.grp = -1)", $merge), 0, "$_: without keys no rows")
	foreach ('k IN (SELECT id', 't IN (SELECT t');
is(fetched("SELECT 1 FROM f WHERE k IN (SELECT id FROM l WHERE l.id IS NULL)", $merge), 0, 'no keys but NULL: no rows');
foreach my $key (
	[ 'l.id = f.k', 'integer' ], [ 'l.big = f.big', 'bigint' ], [ 'l.small = f.small', 'smallint' ], [ 'f.t = l.t', 'text' ],
	[ 'l.v = f.t', 'character varying' ], [ 'l.t = f.v', 'text' ], [ 'l.c = f.c', 'bpchar' ], [ 'l.y = f.y', 'real' ],
	[ 'l.x = f.x', 'double precision' ], [ 'l.d = f.d', 'date' ], [ 'l.u = f.u', 'uuid' ], [ 'l.bytes = f.bytes', 'bytea' ])
{
	my $sql = "SELECT $counts FROM f JOIN l ON $key->[0] WHERE l.grp BETWEEN 3 AND 4 AND l.id IS NOT NULL";
	is(same($key->[0], 1, $sql), '400|400|3981400', "$key->[0]: the expected result");
	like(plan_of($sql, $force), qr/ANY \(\$\d+::$key->[1]\[\]\)/, "$key->[0]: keys of type $key->[1]");
	is(fetched($sql), 400, "$key->[0]: only its rows are fetched");
}
same('zero of either sign, and NaN', 1, "SELECT count(*) FROM f JOIN l ON l.x = f.x WHERE l.id IS NULL");
# comparisons that the planner does not send, or not with keys of the column's type
same($_, 0, "SELECT $counts FROM f JOIN l ON $_ WHERE l.grp = 3")
	foreach ('l.big = f.k', 'l.id = f.big', 'l.x = f.y', 'l.y = f.x', 'l.id = f.dom', 'l.dom = f.k', 'l.in_c = f.t', 'l.t = f.t COLLATE "C"');
query("CREATE FOREIGN TABLE in_c (id int, t text COLLATE \"C\") SERVER there OPTIONS (table_name 'fact')");
same("a collation of the foreign column: $_->[0]", $_->[1], "SELECT $counts FROM in_c f JOIN l ON $_->[0] WHERE l.grp = 3")
	foreach ([ 'l.t = f.t', 0 ], [ 'l.in_c = f.t', 0 ]);
same('a correlated IN', 0, "SELECT $counts FROM f WHERE k IN (SELECT id FROM l WHERE grp = 3 AND l.small <= f.id)");
same('IN with ORDER BY', 0, "SELECT $counts FROM f WHERE k IN (SELECT id FROM l WHERE grp = 3 ORDER BY id)");
same('IN with DISTINCT', 0, "SELECT $counts FROM f WHERE k IN (SELECT DISTINCT id FROM l WHERE grp = 3)");
same('IN with a sub-select', 0, "SELECT $counts FROM f WHERE k IN (SELECT id FROM l WHERE grp = 3 AND id > (SELECT 7))");
same('EXISTS with WITH', 0, "SELECT $counts FROM f WHERE EXISTS (WITH c AS MATERIALIZED (SELECT 1) SELECT FROM l, c WHERE l.id = f.k AND grp = 3)");
same('EXISTS with ON', 0, "SELECT $counts FROM f WHERE EXISTS (SELECT FROM l JOIN l m ON m.id = l.id AND l.id = f.k WHERE l.grp = 3)");
query(q{CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
	CREATE TABLE upper AS SELECT 'KEY 3'::text COLLATE loose AS t;
	CREATE FOREIGN TABLE loosely (id int, t text COLLATE loose) SERVER there OPTIONS (table_name 'fact')});
is(same('a collation that is not deterministic', 0, "SELECT count(*) FROM loosely f JOIN upper u ON u.t = f.t"), '20', 'its rows');

# characters that the other server lacks
query(q{CREATE TABLE own AS SELECT w FROM (VALUES (chr(233) || 7), (chr(26085)), ('x')) AS v (w)});
my $words = 'SELECT count(*) FROM words JOIN own USING (w)';
is(same('keys with characters that the other encoding lacks', 1, $words), '1', 'the one that it has is found');
is(fetched($words), 100, 'among all rows');
query("UPDATE own SET w = 'y' WHERE w <> 'x'");
like(plan_of($words, $force), qr/w = ANY/, 'keys in ASCII');
is(query("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) $words", $force) =~ s/.*Foreign Scan on words \(actual (rows=\d+).*/$1/sr, 'rows=0', 'are sent');

# long keys
query(q{CREATE TABLE long AS SELECT 'key ' || i AS t, ('key ' || i)::bytea AS bytes FROM generate_series(1, 10) AS i;
	INSERT INTO long VALUES (repeat('x', 256), repeat('x', 256)::bytea)});
foreach my $key ('t', 'bytes')
{
	my $sql = "SELECT count(*), sum(f.id) FROM f JOIN long USING ($key)";
	is(same("keys of 256 bytes: $key", 1, $sql), '200|1901100', 'their rows');
	is(fetched($sql), 200, 'are fetched alone');
	query("UPDATE long SET $key = $key || 'x' WHERE length($key) = 256");
	is(query($sql, $force), '200|1901100', "a key of 257 bytes: $key");
	is(fetched($sql), 20002, 'all rows are fetched');
}

#
# The number of keys
#

query("CREATE TABLE wrong AS SELECT i AS id FROM generate_series(1, 5) AS i; ANALYZE wrong;
	ALTER TABLE wrong SET (autovacuum_enabled = off); INSERT INTO wrong SELECT i FROM generate_series(6, 8192) AS i");
my $wrong = "SELECT $counts FROM f JOIN wrong w ON w.id = f.id";
same('as many keys as are sent, not expected', 1, $wrong);
# a merge join would not fetch the rows behind the last key
my $hash = "$force; SET enable_mergejoin = off; SET enable_nestloop = off";
is(fetched($wrong, $hash), 8192, 'only their rows are fetched');
query('INSERT INTO wrong VALUES (8193)');
same('one more', 1, $wrong);
is(fetched($wrong, $hash), 20002, 'all rows are fetched');
query('INSERT INTO wrong SELECT id FROM wrong LIMIT 4000; DELETE FROM wrong WHERE id = 8193');
is(fetched($wrong, $hash), 8192, 'each key counts once');
query('CREATE TABLE expected AS SELECT i AS id FROM generate_series(1, 4096) AS i; ANALYZE expected');
is(sent("SELECT 1 FROM f JOIN expected e ON e.id = f.id"), 1, 'as many as may be expected');
query('INSERT INTO expected SELECT i AS id FROM generate_series(4097, 4200) AS i; ANALYZE expected');
is(sent("SELECT 1 FROM f JOIN expected e ON e.id = f.id"), 0, 'more than that');

#
# Costs and estimates
#

is(sent($one, $on), 1, 'a short list pays');
is(sent("SELECT $counts FROM f JOIN l ON l.id = f.k", $on), 0, 'one of all keys does not');
is(sent($one, 'SET bloomfilter.join_filters = off'), 0, 'off is off');
is(plan_of($one, 'SET bloomfilter.join_filters = off'), plan_of($one, "SET LOCAL session_preload_libraries = ''"), 'with the same plan');
foreach my $case ([ 'l.grp = 4', 200 ], [ 'l.grp < 40', 8000 ])
{
	my $join = "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE $case->[0]";
	my ($with, $without) = map { query("EXPLAIN $join", "$_; SET enable_nestloop = off; SET enable_mergejoin = off") =~ /Join .*rows=(\d+)/ } ($force, '');
	ok(abs($with - $without) <= 0.02 * $without, "$with rows are expected, and $without without a list");
	my ($rows) = query("EXPLAIN $join", $force) =~ /Foreign Scan on f .*rows=(\d+)/;
	ok(abs($rows - $case->[1]) <= 0.05 * $case->[1], "$rows rows are expected of the other server, and $case->[1] come");
}

sub why
{
	my ($sql, $settings) = @_;
	return query("SELECT concat_ws(' | ', join_key, verdict, regexp_replace(reason, '[0-9]+', 'N', 'g'), filter_bytes)
		FROM bloom_join_filters(\$q\$$sql\$q\$) WHERE join_type = 'Foreign Table'", $settings // $on);
}
my $ten = $one =~ s/grp = 3/grp = 4/r;
# 10 keys of 4 bytes, 3 characters for each byte
is(why($ten), 'f.k = l.id | filter | The plan costs N with the list of keys and N without (planner cost units). | 120', 'why there is one');
is(why($ten, 'SET bloomfilter.join_filter_min_rows = 1000'),
	'f.k = l.id | filter if on | bloomfilter.join_filters is off. The plan costs N with the list of keys and N without (planner cost units). | 120', 'why there would be one');
is(why("SELECT 1 FROM f JOIN l ON l.id = f.dom") =~ s/.*no filter \| //r,
	'The server does not list bloomfilter, and PostgreSQL itself would not send this comparison, or the types differ.', 'why there is none for a domain');
is(why("SELECT 1 FROM f JOIN l ON l.dom = f.id") =~ s/.*no filter \| //r,
	'The server does not list bloomfilter, and PostgreSQL itself would not send this comparison, or the types differ.', 'nor for a domain of the keys');
is(why("SELECT 1 FROM f JOIN expected e ON e.id = f.id") =~ s/.*no filter \| (.*) \| \d+$/$1/r,
	'More keys are expected than are sent to a server that does not list bloomfilter.', 'why there is none for many keys');

my $pushed = "SELECT count(*) FROM f JOIN g ON g.id = f.id JOIN l ON l.id = f.k WHERE l.grp = 3";
like(plan_of($pushed, ''), qr/Relations: \(public\.f\) INNER JOIN \(public\.g\)/, 'the other server joins tables');
like(why($pushed), qr/^f\.k = l\.id \| no filter \| The server does not list bloomfilter, and joins tables itself: /m, 'there is no list then');

# the other server knows the list when it plans
query('SELECT count(*) FROM indexed f JOIN l ON l.id = f.k WHERE l.grp = 3', "$force; SET enable_nestloop = off");
like(slurp_file($remote->logfile), qr/Index Cond: \(k = ANY \('\{[0-9,]*\b303\b[0-9,]*\}'::integer\[\]\)\)/, 'the other server uses an index');

#
# Tables of tables
#

query('CREATE TABLE facts (id int, k int, grp int) PARTITION BY LIST (grp)');
add_server('knows', 'postgres', "extensions 'bloomfilter'");
foreach my $grp (0 .. 2)
{
	$remote->safe_psql('postgres', "CREATE TABLE fact_$grp AS SELECT id, k, grp FROM fact WHERE grp = $grp; ANALYZE fact_$grp");
	query("CREATE FOREIGN TABLE facts_$grp PARTITION OF facts FOR VALUES IN ($grp) SERVER there OPTIONS (table_name 'fact_$grp')");
}
query('ANALYZE facts');
my $parts = "SELECT $counts FROM facts f JOIN l ON l.id = f.k WHERE l.grp = 3";
same('foreign partitions', 3, $parts);
is(() = plan_of($parts, $force) =~ /Async Foreign Scan/g, 3, 'which are asked at the same time');
my ($rows) = query("EXPLAIN $parts", "$force; SET enable_nestloop = off; SET enable_mergejoin = off") =~ /Join .*rows=(\d+)/;
my ($plain) = query("EXPLAIN $parts", 'SET enable_nestloop = off; SET enable_mergejoin = off') =~ /Join .*rows=(\d+)/;
ok(abs($rows - $plain) <= 0.05 * $plain, "$rows rows are expected, and $plain without lists");
is(query("SET enable_partitionwise_join = on; $parts", $force), query($parts), 'joined one by one');
query('CREATE TABLE facts_here PARTITION OF facts FOR VALUES IN (3); INSERT INTO facts_here SELECT id, k, grp FROM f WHERE grp = 3');
same('with a partition here', 0, $parts);
query('DROP TABLE facts_here; ALTER FOREIGN TABLE facts_1 OPTIONS (ADD use_remote_estimate $$false$$)');
same('with a partition whose table does not allow it', 0, $parts);

#
# Whose comparison it is
#

# A column that is declared as another type: the planner itself may compare it there.
query("ALTER FOREIGN TABLE misfit OPTIONS (ADD use_remote_estimate 'false')");
my $misfit = 'SELECT count(*) FROM misfit f JOIN blanks b ON b.t = f.blanks';
my $loop = 'SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off; SET enable_memoize = off';
is(same('use_remote_estimate is off', 0, $misfit), '10', 'compared here');
is(query($misfit, $loop), '10', 'by each join');
query("ALTER FOREIGN TABLE misfit OPTIONS (SET use_remote_estimate 'true')");
is(query($misfit, $loop), '0', 'use_remote_estimate is on: the planner may compare it there, without this extension');

# the same comparison: of a char(5) with varchar, which ignores blanks
query("CREATE FOREIGN TABLE misfit_v (id int, blanks varchar) SERVER there OPTIONS (table_name 'misfit'); CREATE TABLE blanks_v AS SELECT t::varchar AS t FROM blanks");
my $varchar = 'SELECT count(*) FROM misfit_v f JOIN blanks_v b ON b.t = f.blanks';
is(query($varchar, $loop), '10', 'as the planner compares varchar there');
is(same('char declared as varchar', 1, $varchar), '10', 'the list does');

query("ALTER SERVER there OPTIONS (SET use_remote_estimate 'false')");
is(sent($one), 0, 'the option of the server is off');
query("ALTER FOREIGN TABLE f OPTIONS (ADD use_remote_estimate 'true')");
is(sent($one), 1, 'the option of the table is on');
query("ALTER SERVER there OPTIONS (SET use_remote_estimate 'true'); ALTER FOREIGN TABLE f OPTIONS (SET use_remote_estimate 'false')");
is(sent($one), 0, 'the option of the table is off');
is(why($one) =~ s/.*no filter \| //r, 'The option extensions of the foreign server does not list bloomfilter, and the option use_remote_estimate is off.', 'and why');
query("ALTER FOREIGN TABLE f OPTIONS (DROP use_remote_estimate)");

my $prepared = "PREPARE q (int) AS SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = \$1";
my $kept = query("SET plan_cache_mode = force_generic_plan; $prepared; EXECUTE q(4); EXECUTE q(3); EXPLAIN (VERBOSE, COSTS OFF) EXECUTE q(3);
	ALTER FOREIGN TABLE f OPTIONS (ADD use_remote_estimate 'false'); EXPLAIN (VERBOSE, COSTS OFF) EXECUTE q(3); EXECUTE q(3);
	ALTER FOREIGN TABLE f OPTIONS (DROP use_remote_estimate)", $force);
is(scalar(() = $kept =~ /k = ANY/g), 1, 'a plan that is kept follows the option');
is(scalar(() = $kept =~ /^200\|200\|1990600$/mg), 2, 'and returns the same with another parameter');
is(query("BEGIN; INSERT INTO l (id, grp) VALUES (5, 777); SELECT count(*) FROM f JOIN l ON l.id = f.k WHERE l.grp = 777; ROLLBACK", $force),
	'21', 'a statement sees what came before');
is(query("BEGIN; DECLARE c CURSOR FOR SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 777;
		INSERT INTO l (id, grp) VALUES (5, 777); FETCH ALL FROM c; ROLLBACK", $force), '', 'a cursor does not see what came later');

foreach my $function ('array_agg(anynonarray)', 'count()', 'count("any")', 'cardinality(anyarray)', 'octet_length(text)')
{
	query("REVOKE EXECUTE ON FUNCTION $function FROM PUBLIC");
	is(sent($one), 0, "not everybody may call $function");
	query("GRANT EXECUTE ON FUNCTION $function TO PUBLIC");
}
query('CREATE ROLE reader; GRANT SELECT ON f TO reader; GRANT SELECT (id, grp) ON l TO reader');
# nor where sending costs nothing
foreach my $cost ('', 'SET cpu_operator_cost = 0; ')
{
	is(query("${cost}SET plan_cache_mode = force_generic_plan; SET ROLE reader; $prepared; EXECUTE q(3); RESET ROLE;
		REVOKE EXECUTE ON FUNCTION array_agg(anynonarray) FROM PUBLIC; SET ROLE reader; EXECUTE q(3); RESET ROLE;
		GRANT EXECUTE ON FUNCTION array_agg(anynonarray) TO PUBLIC", $force), "200|200|1990600\n200|200|1990600", "${cost}nor any more for a plan that is kept");
}
is(sent($one, "SET ROLE reader; $force"), 1, 'another role');
is(query($one, "SET ROLE reader; $force"), '200|200|1990600', 'with privileges on columns alone');

query('DROP EXTENSION bloomfilter');
is(sent($one), 1, 'the extension is not needed in this database, either');
is(query($one, $force), '200|200|1990600', 'the same result');

done_testing();
