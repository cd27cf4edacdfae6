# Joins of local with foreign tables: the other server tests a filter of the local
# keys, and nobody can tell from the result.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use SharedSession;
use Test::More;

my $remote = PostgreSQL::Test::Cluster->new('remote');
$remote->init(extra => ['--encoding=UTF8', '--locale=C']);
$remote->append_conf('postgresql.conf', "autovacuum = off\n");
$remote->start;
my $local = PostgreSQL::Test::Cluster->new('local');
$local->init(extra => ['--encoding=UTF8', '--locale=C']);
$local->append_conf('postgresql.conf', "session_preload_libraries = 'bloomfilter'
	autovacuum = off\nmax_parallel_workers_per_gather = 0\njit = off\n");
$local->start;
my $session = SharedSession->new($local);
my ($host, $port) = ($remote->host, $remote->port);

#
# Tables
#

$remote->safe_psql('postgres', q{
	CREATE EXTENSION bloomfilter;
	CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
	CREATE TABLE fact AS SELECT i AS id, i % 1000 AS k, i % 7 AS grp, (i % 1000)::bigint AS big,
			'key ' || i % 1000 AS t, ('k' || i % 1000)::char(8) AS c, (i % 1000)::numeric AS n,
			date '2026-01-01' + i % 1000 AS d, (i % 1000) / 8::float8 AS x
		FROM generate_series(1, 20000) AS i;
	INSERT INTO fact (id, x) VALUES (20001, '-0'), (20002, 'NaN');
	-- what is declared here as another type
	CREATE TABLE misfit (id int, blanks char(5), small float4, long varchar(9), feeling mood, number numeric, stamp timestamptz);
	INSERT INTO misfit SELECT i, 'ab', 0.1, 'abc  ', 'happy', 7, '2026-01-01' FROM generate_series(1, 10) AS i;
	ANALYZE;
});
$remote->safe_psql('postgres', "CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'");
$remote->safe_psql('bytes', q{
	CREATE EXTENSION bloomfilter;
	CREATE TABLE words (w text);
	INSERT INTO words SELECT convert_from('\xe9', 'SQL_ASCII') FROM generate_series(1, 5);
});

sub definitions
{
	my ($database) = @_;
	return "CREATE EXTENSION bloomfilter;
		CREATE EXTENSION postgres_fdw;
		CREATE SERVER remote FOREIGN DATA WRAPPER postgres_fdw
			OPTIONS (host '$host', port '$port', dbname '$database', extensions 'bloomfilter');
		CREATE USER MAPPING FOR PUBLIC SERVER remote
			OPTIONS (user '" . $local->safe_psql('postgres', 'SELECT current_user') . "', password_required 'false');"
}

$local->safe_psql('postgres', definitions('postgres') . q{
	CREATE FOREIGN TABLE f (id int, k int, grp int, big bigint, t text, c char(8), n numeric, d date, x float8)
		SERVER remote OPTIONS (table_name 'fact');
	CREATE FOREIGN TABLE misfit (id int, blanks text, small float8, long varchar(3), feeling text, number int, stamp timestamp)
		SERVER remote;
	CREATE TABLE l AS SELECT i AS id, i % 100 AS grp, 'key ' || i AS t, ('k' || i)::char(8) AS c, i::numeric AS n,
			date '2026-01-01' + i AS d, i::float4 / 8 AS x, i::bigint AS big
		FROM generate_series(0, 999) AS i;
	INSERT INTO l (id, grp, x) VALUES (NULL, 3, 'NaN'), (NULL, 3, '0');
	CREATE TABLE e AS SELECT i AS id, i % 5 AS grp FROM generate_series(0, 1999) AS i;
	CREATE TABLE blanks AS SELECT 'ab   ' AS t;
	CREATE SEQUENCE calls;
	CREATE FUNCTION called(int) RETURNS int LANGUAGE sql VOLATILE AS 'SELECT nextval($$calls$$)::int * 0 + $1';
	ANALYZE f, l, e;
});

my $force = 'SET bloomfilter.join_filters = force; SET bloomfilter.join_filter_min_rows = 0';
my $on = 'SET bloomfilter.join_filters = on; SET bloomfilter.join_filter_min_rows = 1000';

sub query
{
	my ($sql, $settings) = @_;
	return $session->run(($settings // '') . ';' . $sql);
}

sub plan_of
{
	my ($sql, $settings) = @_;
	return query("EXPLAIN (VERBOSE, COSTS OFF) $sql", $settings);
}

# How many scans at the other server have a filter in a plan?
sub sent
{
	my ($sql, $settings) = @_;
	my @sent = plan_of($sql, $settings // $force) =~ /Remote SQL: [^\n]*bloomfilter_may_match\(\$\d+::public\.bloomfilter/g;
	return scalar(@sent);
}

# The result is that with no filters; so many scans send one.
sub same
{
	my ($name, $number, $sql) = @_;
	is(sent($sql), $number, "$name: $number filters are sent");
	my $plain = query($sql);
	is(query($sql, $force), $plain, "$name: the same result");
	return $plain;
}

my $counts = 'count(*), count(DISTINCT f.id), sum(f.id)';

#
# Joins that have a filter
#

my $plain = same('inner join', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = 3");
is($plain, '200|200|1990600', 'the expected result');
same('USING', 1, "SELECT $counts FROM f JOIN l USING (grp)");
same('USING, with an outer join', 1, "SELECT $counts FROM (f JOIN l USING (grp)) LEFT JOIN e USING (grp) WHERE grp = 3 AND e.id IS NULL");
same('a column of a full join that an outer join may leave out', 1, "SELECT $counts
	FROM (f JOIN l ON l.id = f.k) LEFT JOIN (e FULL JOIN (SELECT id + 1 AS id FROM e) x USING (id)) ON f.id = x.id WHERE l.grp = 3 AND coalesce(e.id, 1) > 0");
same('in WHERE, turned round', 1, "SELECT $counts FROM l, f WHERE f.k = l.id AND l.grp = 3 AND f.grp = 2");
same('IN', 1, "SELECT $counts FROM f WHERE k IN (SELECT id FROM l WHERE grp = 3)");
same('EXISTS', 1, "SELECT $counts FROM f WHERE EXISTS (SELECT FROM l WHERE l.id = f.k AND grp = 3)");
same('IN, of the foreign table', 1, "SELECT count(*), sum(id) FROM l WHERE grp = 3 AND id IN (SELECT k FROM f WHERE grp = 2)");
same('EXISTS, of the foreign table', 1, "SELECT count(*), sum(id) FROM l WHERE grp = 3 AND EXISTS (SELECT FROM f WHERE f.k = l.id)");
same('IN, of a joined table', 1, "SELECT $counts FROM f WHERE k IN (SELECT l.id FROM l JOIN e ON e.id = l.id WHERE e.grp = 3)");
same('two local tables', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k JOIN e ON e.id = f.id WHERE l.grp = 3 AND e.grp = 2");
is(() = plan_of("SELECT 1 FROM f JOIN l ON l.id = f.k JOIN e ON e.id = f.id WHERE l.grp = 3 AND e.grp = 2", $force) =~ /\$\d+::public\.bloomfilter/g,
	2, 'have a filter each');
same('two foreign tables', 2, "SELECT $counts FROM f JOIN l ON l.id = f.k JOIN misfit m ON m.id = l.id WHERE l.grp = 3");
same('below GROUP BY', 1, "SELECT k, count(*) FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 GROUP BY k ORDER BY k");
same('below LIMIT', 1, "SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 ORDER BY f.id LIMIT 7");
same('in a sub-select', 1, "SELECT sum(n) FROM (SELECT count(*) AS n FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 GROUP BY k) s");
same('in a CTE', 1, "WITH c AS MATERIALIZED (SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3) SELECT count(*), sum(id) FROM c");
same('in UNION', 2, "SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 UNION SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 4 ORDER BY id");
same('left of an outer join', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k LEFT JOIN e ON e.id = f.k AND e.grp = 2 WHERE l.grp = 3");
same('no keys', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = -1");
same('no keys but NULL', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.id IS NULL");
same('of another width', 1, "SELECT $counts FROM f JOIN l ON l.id = f.big WHERE l.grp = 3");
query(q{CREATE TABLE copied AS SELECT * FROM f WHERE id % 10 = 3; ANALYZE copied});
same('beside a whole row, which has no name', 1, "SELECT count(*), sum(f.id) FROM f JOIN l ON l.id = f.k JOIN copied ON copied.id = f.id AND f = copied WHERE l.grp = 3");
like(query("SELECT string_agg(verdict, '; ') FROM bloom_join_filters('SELECT 1 FROM f JOIN copied ON f = copied JOIN l ON l.id = f.k')"), qr/./,
	'nor is it told of');
same($_, 1, "SELECT $counts FROM f JOIN l ON $_ WHERE l.grp = 3")
	foreach ('l.t = f.t', 'l.c = f.c', 'l.d = f.d', 'l.x = f.x');
my $values = "(i % 100)::smallint AS s, ('key ' || i % 100)::varchar AS v, ('key ' || i % 100)::bytea AS bytes, md5((i % 100)::text)::uuid AS u";
$remote->safe_psql('postgres', "CREATE TABLE kinds AS SELECT i AS id, $values, i % 100 AS dom FROM generate_series(1, 1000) AS i");
query("CREATE DOMAIN positive AS int CHECK (value >= 0);
	CREATE FOREIGN TABLE kinds (id int, s smallint, v varchar, bytes bytea, u uuid, dom positive) SERVER remote;
	CREATE TABLE some_kinds AS SELECT i AS k, $values, (i % 100)::positive AS dom FROM generate_series(1, 7) AS i");
is(same($_->[0], $_->[1], "SELECT count(*) FROM kinds f JOIN some_kinds l ON $_->[0]"), '70', "$_->[0]: the expected result")
	foreach ([ 'l.s = f.s', 1 ], [ 'l.v = f.v', 1 ], [ 'l.bytes = f.bytes', 1 ], [ 'l.u = f.u', 1 ], [ 'l.dom = f.s', 1 ], [ 'l.k = f.dom', 0 ]);
same('zero of either sign, and NaN', 1, "SELECT count(*) FROM f JOIN l ON l.x = f.x WHERE l.id IS NULL");
same('INSERT', 1, "SELECT 1 FROM f JOIN l ON l.id = f.k LIMIT 0");
query('CREATE TABLE taken (id int)');
is(sent('INSERT INTO taken SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3'), 1, 'INSERT of a join');
query('INSERT INTO taken SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3', $force);
is(query('SELECT count(*), count(DISTINCT id), sum(id) FROM taken'), '200|200|1990600', 'takes the same rows');

# the filter is made of the keys that the local conditions leave
like(plan_of("SELECT 1 FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 AND (f.grp = 1 OR l.t = 'key 3')", $force),
	qr/InitPlan.*bloom_agg\(l_1\.id, .*Filter: \(l_1\.grp = 3\)\n/s, 'with the conditions of its table alone');

#
# Joins that have none
#

same('LEFT JOIN', 0, "SELECT $counts FROM f LEFT JOIN l ON l.id = f.k AND l.grp = 3");
same('RIGHT JOIN', 0, "SELECT $counts, count(l.grp) FROM f RIGHT JOIN l ON l.id = f.k AND l.grp = 3");
same('FULL JOIN', 0, "SELECT $counts FROM f FULL JOIN l ON l.id = f.k");
same('below the nullable side', 0, "SELECT $counts, count(e.id) FROM e LEFT JOIN (f JOIN l ON l.id = f.k) ON e.id = f.id");
same('NOT IN', 0, "SELECT $counts FROM f WHERE k NOT IN (SELECT id FROM l WHERE grp = 3 AND id IS NOT NULL)");
same('NOT EXISTS', 0, "SELECT $counts FROM f WHERE NOT EXISTS (SELECT FROM l WHERE l.id = f.k AND grp = 3)");
same('OR', 0, "SELECT $counts FROM f JOIN l ON l.id = f.k OR l.id = f.id WHERE l.grp = 3");
same('OR EXISTS', 0, "SELECT $counts FROM f WHERE f.grp = 2 OR EXISTS (SELECT FROM l WHERE l.id = f.k AND grp = 3)");
same('another comparison', 0, "SELECT $counts FROM f JOIN l ON l.id < f.k WHERE l.id < 3 AND f.id < 100");
same('an expression', 0, "SELECT $counts FROM f JOIN l ON l.id = f.k + 1 WHERE l.grp = 3");
same('numeric', 0, "SELECT $counts FROM f JOIN l ON l.n = f.n WHERE l.grp = 3");
same('a date and a timestamp', 0, "SELECT $counts FROM f JOIN (SELECT d::timestamp AS d, grp FROM l) s ON s.d = f.d WHERE s.grp = 3");
query("CREATE TABLE stamps AS SELECT d::timestamp AS d FROM l WHERE grp = 3");
same('a timestamp and a date', 0, "SELECT $counts FROM f JOIN stamps s ON s.d = f.d");
query("CREATE TABLE oids AS SELECT id::oid AS o FROM l WHERE grp = 3 AND id IS NOT NULL");
same('a cast of the type alone', 0, "SELECT $counts FROM f JOIN oids ON o = f.k::oid");
same('a sample', 0, "SELECT $counts FROM f JOIN l TABLESAMPLE bernoulli (100) ON l.id = f.k WHERE l.grp = 3");
same('LIMIT where the foreign table is', 0, "SELECT count(*) FROM l WHERE grp <> 1 AND id IN (SELECT k FROM f ORDER BY id LIMIT 5)");
same('DISTINCT ON where the foreign table is', 0,
	"SELECT count(*), sum(id) FROM l WHERE grp = 3 AND id IN (SELECT DISTINCT ON (f.grp) k FROM f ORDER BY f.grp, k DESC)");
same('an aggregate where the foreign table is', 0,
	"SELECT count(*) FROM l WHERE grp = 3 AND EXISTS (SELECT count(*) FROM f WHERE f.k = l.id AND f.id < 0)");
same('FOR UPDATE', 0, "SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 ORDER BY 1 FOR UPDATE OF l");
same('FOR UPDATE in a sub-select', 0,
	"SELECT count(*) FROM f JOIN l ON l.id = f.k, (SELECT * FROM e WHERE id = 1 FOR SHARE) s WHERE l.grp = 3");
same('a statement in WITH that changes rows', 0,
	"WITH w AS (UPDATE taken SET id = id RETURNING id) SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = 3");
is(sent('UPDATE taken SET id = f.id FROM f JOIN l ON l.id = f.k WHERE taken.id = f.id AND l.grp = 3'), 0, 'UPDATE has none');
is(sent('UPDATE taken SET id = s.id FROM (SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3) s WHERE taken.id = s.id'),
	0, 'nor has a sub-select in it');
is(sent('DELETE FROM taken USING f, l WHERE l.id = f.k AND taken.id = f.id AND l.grp = 3'), 0, 'DELETE has none');
is(sent('INSERT INTO f SELECT f.* FROM f JOIN l ON l.id = f.k WHERE l.grp = 3'), 0, 'nor INSERT there');

# conditions of an outer join are none of the query's
same('ON of an outer join', 1, "SELECT $counts FROM (l LEFT JOIN e ON e.id = l.id AND l.grp = 3) JOIN f ON f.k = l.id");

# as many calls
sub calls
{
	my ($sql, $settings) = @_;
	return query("SELECT setval('calls', 1, false); SELECT count(*) FROM ($sql) s; SELECT last_value FROM calls", $settings);
}
foreach my $sql (
	'SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 AND called(f.grp) = 2',
	'SELECT s.id FROM (SELECT f.id, f.grp FROM f JOIN l ON l.id = f.k WHERE l.grp = 3) s WHERE called(s.grp) = 2')
{
	is(sent($sql), 0, 'a volatile condition');
	is(calls($sql, $force), calls($sql), 'is evaluated as often');
}
is(sent('SELECT nextval($$calls$$), f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3'), 1, 'what is returned may be volatile');
my $stable = "f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 AND l.d < now()";
like(plan_of("SELECT $stable", $force), qr/InitPlan.*Filter: \(l_1\.grp = 3\)\n.*Foreign Scan/s,
	'a stable condition is none: something may change what it returns');

# The keys are read while the wrapper has its settings for the text that it sends:
# conditions that would see these are left out there.
query(q{CREATE TABLE groups AS SELECT 3 AS grp;
	CREATE FUNCTION is_group(int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 IN (SELECT grp FROM groups)';
	CREATE TABLE named AS SELECT i AS id, i % 100 AS grp, (CASE WHEN i % 100 = 3 THEN 'groups' ELSE 'l' END)::regclass::oid AS relation
		FROM generate_series(0, 999) AS i;
	ANALYZE named});
foreach (
	[ "SET DateStyle = 'SQL, DMY'", "l.d::text LIKE '04/01/%'", 'DateStyle' ],
	[ 'SET extra_float_digits = 0', "l.id < 10 AND (l.x * 8 / 3)::text = '1.33333333333333'", 'extra_float_digits, by a cast' ],
	[ '', 'is_group(l.grp)', "search_path, in a function" ])
{
	my ($settings, $condition, $name) = @$_;
	my $query = "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.id IS NOT NULL AND $condition";
	my $rows = query($query, $settings);
	isnt($rows, '0|0|', "$name: there are rows");
	is(query($query, "$settings; $force"), $rows, "$name: and with a filter");
	is(sent($query, "$settings; $force"), 1, "$name: which was sent");
}
# A condition that is left out may have kept another one from an error.
query("CREATE FUNCTION not_zero(int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT \$1 <> 0'");
same('a condition before another one', 1, "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE not_zero(l.grp) AND 10 / l.grp > 1");
is(query('SELECT count(*) FROM f JOIN named n ON n.id = f.k WHERE n.grp = 3 AND pg_table_is_visible(n.relation)', $force), '200',
	'search_path, asked for by a function of the server');

#
# Columns that are declared as another type
#

foreach my $join (
	"misfit f JOIN blanks b ON b.t = f.blanks",
	"misfit f JOIN (VALUES (1)) v (i) ON true JOIN l ON l.t = f.long")
{
	same($join, 1, "SELECT count(*) FROM $join");
}
query("CREATE TABLE keys AS SELECT 'ab   '::text AS blanks, 0.1::float8 AS small, 'abc'::varchar AS long, 'happy'::text AS feeling,
	7 AS number, timestamp '2026-01-01' AS stamp");
foreach my $column ('blanks', 'small', 'long', 'feeling', 'number', 'stamp')
{
	is(same("declared otherwise: $column", 1, "SELECT count(*) FROM misfit f JOIN keys k ON k.$column = f.$column"),
		'10', "$column: all rows are there");
}
is($remote->safe_psql('postgres', q{
	SELECT string_agg(concat_ws(' ', bloomfilter_may_match(f, 1, 'integer'), bloomfilter_may_match(f, 2, 'integer'),
			bloomfilter_may_match(f, 2::smallint, 'bigint'), bloomfilter_may_match(f, 2::bigint, 'integer'),
			bloomfilter_may_match(f, 2, name), bloomfilter_may_match(f, NULL::int, 'integer') IS NULL), ', ' ORDER BY name)
	  FROM (SELECT bloom_add(bloom_create(10, 1e-6), 1) AS f) filters, (VALUES ('integer'), ('text')) names (name)}),
	't f f t f t, t f f t t t', 'what is declared decides');
$remote->safe_psql('postgres', q{
	CREATE FUNCTION in_turn(names text[]) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		f bloomfilter := bloom_add(bloom_create(10, 1e-6), 'a  '::text);
		blanks char(3) := 'a';
		declared text;
		passes boolean;
		result text := '';
	BEGIN
		FOREACH declared IN ARRAY names LOOP
			passes := bloomfilter_may_match(f, blanks, declared);
			result := result || passes;
		END LOOP;
		RETURN result;
	END $$});
is($remote->safe_psql('postgres', q{SELECT in_turn('{text,character(3),text}')}), 'truefalsetrue',
	'a variable of PL/pgSQL decides each time');

#
# Collations and encodings
#

query(q{CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
	CREATE TABLE upper AS SELECT 'KEY 3'::text COLLATE loose AS t});
query("CREATE FOREIGN TABLE loosely (id int, t text COLLATE loose) SERVER remote OPTIONS (table_name 'fact')");
is(same('a collation that is not deterministic', 0, "SELECT count(*) FROM loosely f JOIN upper u ON u.t = f.t"), '20', 'its rows');
query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
$local->safe_psql('latin', definitions('bytes') . q{
	CREATE FOREIGN TABLE words (w text) SERVER remote;
	CREATE TABLE own AS SELECT chr(233) AS w;
});
my $words = 'SELECT count(*) FROM words JOIN own USING (w)';
is($local->safe_psql('latin', "$force; $words"), '5', 'text in no encoding there');
is($local->safe_psql('latin', "$force; $words"), $local->safe_psql('latin', $words), 'the same result');
my ($rc, undef, $stderr) = $local->psql('latin', 'SELECT count(*) FROM words WHERE (SELECT bloom_agg(w) FROM own) @> w');
isnt($rc, 0, 'a filter of text is not tested there');
like($stderr, qr/text that is not ASCII cannot be in a bloomfilter of a SQL_ASCII database/, 'but refused');

#
# Who may see what
#

query(q{CREATE TABLE secret AS TABLE l; ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
	CREATE POLICY p ON secret USING (grp = 3);
	CREATE VIEW barrier WITH (security_barrier) AS SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3;
	CREATE VIEW open AS SELECT f.id, f.k, l.grp FROM f JOIN l ON l.id = f.k WHERE l.grp = 3;
	CREATE ROLE reader; GRANT SELECT ON f, secret, barrier, open TO reader; GRANT SELECT (id, grp) ON l TO reader});
my $reader = "SET ROLE reader; $force";
is(sent("SELECT 1 FROM f JOIN secret s ON s.id = f.k", $reader), 0, 'a policy: no filter');
is(query("SELECT $counts FROM f JOIN secret s ON s.id = f.k", $reader), '200|200|1990600', 'and its rows');
is(sent("SELECT 1 FROM f JOIN secret s ON s.id = f.k", $force), 1, 'a filter for those whom it does not concern');
is(sent("SELECT 1 FROM barrier", $reader), 0, 'a security barrier view: no filter');
is(sent("SELECT 1 FROM open", $reader), 1, 'another view: a filter');
is(query("SELECT count(*) FROM open", $reader), '200', 'with the privileges of its owner');
is(query("SELECT count(*) FROM f JOIN l ON l.id = f.k WHERE l.grp = 3", $reader), '200', 'privileges on columns are enough');
query('REVOKE EXECUTE ON FUNCTION bloom_agg("any", float8) FROM PUBLIC; GRANT EXECUTE ON FUNCTION bloom_agg("any", float8) TO reader');
is(sent("SELECT 1 FROM open", $reader), 0, 'a function that not everybody may call: no filter');
query('GRANT EXECUTE ON FUNCTION bloom_agg("any", float8) TO PUBLIC');

#
# Tables of tables
#

query(q{CREATE TABLE parent AS TABLE l; CREATE TABLE child () INHERITS (parent); INSERT INTO child SELECT * FROM l WHERE grp = 4;
	CREATE TABLE parts (id int, grp int) PARTITION BY RANGE (grp);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (3);
	CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (3) TO (200);
	INSERT INTO parts SELECT id, grp FROM l WHERE id IS NOT NULL; ANALYZE parts;
	CREATE TABLE mixed (id int, grp int) PARTITION BY LIST (grp);
	CREATE TABLE mixed_1 PARTITION OF mixed FOR VALUES IN (3);
	INSERT INTO mixed_1 SELECT id, 3 FROM l WHERE grp = 3;
	CREATE FOREIGN TABLE mixed_2 PARTITION OF mixed FOR VALUES IN (4) SERVER remote OPTIONS (table_name 'fact')});
same('partitions', 1, "SELECT $counts FROM f JOIN parts l ON l.id = f.k WHERE l.grp IN (2, 3)");
same('children', 0, "SELECT $counts FROM f JOIN parent l ON l.id = f.k WHERE l.grp = 4");
same('without its children', 1, "SELECT $counts FROM f JOIN ONLY parent l ON l.id = f.k WHERE l.grp = 4");
same('foreign partitions', 0, "SELECT count(*) FROM f JOIN mixed m ON m.id = f.k WHERE m.id < 5");

# several servers at the same time, one of which does not know of filters
query("CREATE TABLE facts (id int, k int, grp int) PARTITION BY LIST (grp)");
foreach my $grp (0 .. 3)
{
	my $extensions = $grp == 3 ? '' : ", extensions 'bloomfilter'";
	$remote->safe_psql('postgres', "CREATE TABLE fact_$grp AS SELECT id, k, grp FROM fact WHERE grp = $grp; ANALYZE fact_$grp");
	query("CREATE SERVER remote_$grp FOREIGN DATA WRAPPER postgres_fdw
			OPTIONS (host '$host', port '$port', dbname 'postgres', async_capable 'true' $extensions);
		CREATE USER MAPPING FOR PUBLIC SERVER remote_$grp OPTIONS (user '" . query('SELECT current_user') . "', password_required 'false');
		CREATE FOREIGN TABLE facts_$grp PARTITION OF facts FOR VALUES IN ($grp) SERVER remote_$grp OPTIONS (table_name 'fact_$grp')");
}
query("CREATE TABLE facts_4 PARTITION OF facts FOR VALUES IN (4, 5, 6); INSERT INTO facts_4 SELECT id, k, grp FROM f WHERE grp > 3; ANALYZE facts");
my $parts = "SELECT $counts FROM facts f JOIN l ON l.id = f.k WHERE l.grp = 3";
is(same('foreign partitions of the other side', 3, $parts), '200|200|1990600', 'the rows of all');
my @async = plan_of($parts, $force) =~ /Async Foreign Scan[^\n]*\n[^\n]*\n\s*Remote SQL: [^\n]*may_match/g;
is(scalar(@async), 3, 'which are asked at the same time');
is(query("SELECT substring(reason FROM 'Rows are not.*') FROM bloom_join_filters('$parts') WHERE join_type = 'Hash Join'", $force),
	'Rows are not tested below Append: No rows can be tested above the node below.', 'and whose rows are tested here together');
is(query("SET enable_partitionwise_join = on; $parts", $force), '200|200|1990600', 'joined one by one');

#
# Costs
#

my $one = "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = 3";
my $all = "SELECT $counts FROM f JOIN l ON l.id = f.k";
is(sent($one, $on), 1, 'a filter of few keys pays');
is(sent($all, $on), 0, 'one of all does not');
my $three = "SELECT $counts FROM f JOIN l ON l.id = f.k JOIN l AS m ON m.id = f.id JOIN l AS n ON n.id = m.id WHERE l.grp = 3 AND m.grp < 3";
# a merge join is expected to end long before all rows are fetched, at little cost
my $all_rows = "$on; SET enable_mergejoin = off";
query("ALTER SERVER remote OPTIONS (ADD fdw_tuple_cost '1')");
my @too_long = map {
	query("ALTER SERVER remote OPTIONS (SET fdw_tuple_cost '$_')");
	query("SELECT count(*) FROM bloom_join_filters('$three') WHERE reason LIKE 'Planning the query once more takes too long%'", $all_rows)
} (0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4);
query("ALTER SERVER remote OPTIONS (DROP fdw_tuple_cost)");
like(join('', @too_long), qr/^2+1+0+$/, 'the longer a query takes, the more often it is planned: neither, one or both of two filters are tried');
is(sent($one, 'SET bloomfilter.join_filters = on'), 0, 'fewer rows than join_filter_min_rows');
is(sent($one, 'SET bloomfilter.join_filters = force'), 1, 'force asks for no number of rows');
is(sent($one, 'SET bloomfilter.join_filters = off'), 0, 'off is off');
is(plan_of($one, 'SET bloomfilter.join_filters = off'), plan_of($one, "SET LOCAL session_preload_libraries = ''"), 'with the same plan');
query("CREATE TABLE many AS SELECT i AS id FROM generate_series(1, 100000) AS i; ANALYZE many");
is(sent("SELECT $counts FROM f JOIN many m ON m.id = f.k", "$force; SET bloomfilter.join_filter_memory = '64kB'"), 0, 'too many keys');
my $fifty = "SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp < 5";
is(query($fifty, "$force; SET bloomfilter.max_exact_hashes = 10"), query($fifty), 'more keys than are kept exactly');
query("CREATE TABLE wrong AS SELECT i AS id FROM generate_series(1, 5) AS i; ANALYZE wrong;
	ALTER TABLE wrong SET (autovacuum_enabled = off); INSERT INTO wrong SELECT i FROM generate_series(1, 50000) AS i WHERE i % 2 = 0");
same('far more keys than expected', 1, "SELECT $counts FROM f JOIN wrong w ON w.id = f.k");

# the planner expects as many rows of the join as without the filter
sub expects_the_same
{
	my ($when, @joins) = @_;
	foreach my $join (@joins)
	{
		my ($with, $without) = map { query("EXPLAIN $join", $_) =~ /Join .*rows=(\d+)/ } ($on, '');
		ok(abs($with - $without) <= 0.02 * $without, "$when: $with rows are expected, and $without without a filter");
	}
}
my @same = ($one, "SELECT $counts FROM f WHERE k IN (SELECT id FROM l WHERE grp = 3)");
query("CREATE TABLE shared (k int, grp int) PARTITION BY LIST (grp);
	CREATE TABLE shared_here PARTITION OF shared FOR VALUES IN (7);
	CREATE FOREIGN TABLE shared_there PARTITION OF shared FOR VALUES IN (0, 1, 2, 3, 4, 5, 6) SERVER remote OPTIONS (table_name 'fact');
	INSERT INTO shared SELECT i % 1000, 7 FROM generate_series(1, 50000) AS i;
	ANALYZE shared");
expects_the_same('estimated here', @same);
query("ALTER SERVER remote OPTIONS (ADD use_remote_estimate 'true')");
my $shared = "SELECT count(*) FROM shared JOIN l ON l.id = shared.k WHERE l.grp = 3";
like(query("EXPLAIN $shared", $on), qr/Foreign Scan on shared_there.*bloomfilter_may_match/s, 'a filter is used for a part of a table');
expects_the_same('estimated there', @same, $shared);

# what the user wrote looks like a filter of ours
query('CREATE TABLE single AS SELECT 1 AS x; ANALYZE single');
my $hash_joins = "$force; SET enable_nestloop = off";
my $given = "SET plan_cache_mode = force_generic_plan; PREPARE given(bloomfilter) AS SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = 3
	AND EXISTS (SELECT FROM single) AND EXISTS (SELECT FROM single WHERE x = 1) AND bloomfilter_may_match(\$1, l.id, 'integer');
	EXECUTE given(bloom_add_all(bloom_create(1000), ARRAY[3, 103, 203]))";
is(query($given, $hash_joins), '60|60|576180', 'a filter as a parameter');
my $outer = "SELECT $counts FROM f JOIN l ON l.id = f.k AND l.grp = 3,
	single LEFT JOIN (SELECT coalesce(id, 0) AS other, grp FROM l) s ON single.x + 2 = s.grp WHERE f.id = s.other";
is(query($outer, $hash_joins), '10|10|4530', 'the local table once more, below an outer join');
like(query("SELECT reason FROM bloom_join_filters(\$q\$$all\$q\$) WHERE join_type = 'Foreign Table'", $on),
	qr/^The plan with the filter is expected to cost more/, 'nor is a filter sent then that no row fails');
query("ALTER SERVER remote OPTIONS (DROP use_remote_estimate); ALTER FOREIGN TABLE f OPTIONS (ADD use_remote_estimate 'true')");
expects_the_same('estimated there, by the option of the table', @same);
query('ALTER FOREIGN TABLE f OPTIONS (DROP use_remote_estimate)');

sub why
{
	my ($sql, $settings) = @_;
	return query("SELECT concat_ws(' | ', join_key, tested_above, verdict, regexp_replace(reason, '[0-9]+', 'N', 'g'))
		FROM bloom_join_filters(\$q\$$sql\$q\$) WHERE join_type = 'Foreign Table'", $settings // $on);
}
is(why($one), 'f.k = l.id | Foreign Scan on f, there | filter | The plan costs N with the filter and N without (planner cost units).', 'why there is one');
is(why($one, 'SET bloomfilter.join_filter_min_rows = 1000'),
	'f.k = l.id | Foreign Scan on f, there | filter if on | bloomfilter.join_filters is off. The plan costs N with the filter and N without (planner cost units).',
	'why there would be one');
# of a query with a filter for a local table, too: what this saves is no cost of the plan, unless few rows are wanted
query('CREATE TABLE here AS SELECT i AS id, i % 1000 AS k FROM generate_series(1, 100000) AS i; ANALYZE here');
my $both = 'SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 3 UNION ALL SELECT h.id FROM here h JOIN l ON l.id = h.k WHERE l.grp = 3';
foreach my $limit ('', ' LIMIT 100000')
{
	my ($planned) = query("EXPLAIN $both$limit") =~ /cost=[0-9.]+\.\.([0-9.]+)/;
	my ($expected) = query("SELECT substring(reason FROM 'and ([0-9.]+) without') FROM bloom_join_filters('$both$limit') WHERE join_type = 'Foreign Table'", $on);
	cmp_ok($expected, $limit ? '>' : '<', 0.99 * $planned, "expected to cost $expected, and planned to cost $planned$limit");
}

# what the planner runs meanwhile is planned again with the first plan of the query alone: the number does not double with each level
query(q{CREATE SEQUENCE plannings;
	CREATE FUNCTION lowest() RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM nextval($$plannings$$); RETURN 3; END';
	CREATE FUNCTION explain() RETURNS void LANGUAGE plpgsql AS
		'BEGIN EXECUTE $$EXPLAIN SELECT 1 FROM f JOIN l ON l.id = f.k WHERE l.grp = lowest()$$; END';
	CREATE FUNCTION middle() RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM explain(); RETURN 3; END'});
my ($alone, $within) = map {
	query("ALTER SEQUENCE plannings RESTART; EXPLAIN SELECT 1 FROM f JOIN l ON l.id = f.k WHERE l.grp = $_()", $force);
	query('SELECT last_value FROM plannings')
} ('lowest', 'middle');
cmp_ok($within, '<', 2 * $alone, "a condition is computed $alone times for a query, and $within times for one that plans it");
query('DROP FUNCTION lowest, middle, explain');

query("CREATE FOREIGN TABLE unknown (id int, k int) SERVER remote OPTIONS (table_name 'fact');
	CREATE TABLE parted_unknown (id int, k int) PARTITION BY RANGE (id); CREATE TABLE parted_local PARTITION OF parted_unknown DEFAULT;
	CREATE FOREIGN TABLE \"Far part\" PARTITION OF parted_unknown FOR VALUES FROM (1) TO (100000) SERVER remote OPTIONS (table_name 'fact')");
foreach my $case ([ 'unknown', 'unknown' ], [ 'parted_unknown', '"Far part"' ])
{
	my ($table, $name) = @$case;
	my $join = "SELECT 1 FROM $table f JOIN l ON l.id = f.k WHERE l.grp = 3";
	like(why($join, 'SET bloomfilter.join_filters = on'), qr/no filter \| Fewer rows .* Foreign table $name has no statistics: run ANALYZE\.$/,
		"$table: why there is none, and what to do");
	query("ANALYZE $table");
	unlike(why($join, 'SET bloomfilter.join_filters = on'), qr/ANALYZE/, "$table: no longer after ANALYZE");
}
foreach my $case (
	[ $all, 'The plan with the filter is expected to cost more. The plan costs N with the filter and N without (planner cost units).' ],
	[ 'SELECT 1 FROM f JOIN l ON l.n = f.n', "The key's types or its operator do not have the same hashes on every server." ],
	[ 'SELECT 1 FROM f JOIN parent p ON p.id = f.k', 'The other side is not a local table that can be read twice: it is sampled, or others inherit from it, or some of its partitions are foreign.' ],
	[ 'SELECT 1 FROM f JOIN l ON l.id = f.k WHERE called(f.id) = 1', 'The query calls a volatile function, which might be called less often.' ],
	[ 'SELECT 1 FROM f JOIN l ON l.id = f.k FOR UPDATE OF l', 'The statement locks rows, or changes rows other than by inserting them into a local table.' ])
{
	is(why($case->[0]) =~ s/.*no filter \| //r, $case->[1], "why there is none: $case->[1]");
}
foreach my $case (
	[ 'SELECT 1 FROM f JOIN secret s ON s.id = f.k', "SET ROLE reader; $on", 'A policy or a security barrier view hides rows of one of the two tables.' ],
	[ 'SELECT 1 FROM loosely f JOIN upper u ON u.t = f.t', $on, 'A collation of the key is not deterministic.' ],
	[ $one, 'REVOKE EXECUTE ON FUNCTION bloom_agg("any", float8) FROM PUBLIC',
		'The extension is not in this database, or not everybody may call the functions that are needed.' ])
{
	is(why($case->[0], "BEGIN; $case->[1]") =~ s/.*no filter \| //r, $case->[2], "why there is none: $case->[2]");
}
is($local->safe_psql('latin', "SELECT reason FROM bloom_join_filters('$words') WHERE join_type = 'Foreign Table'"),
	"The key is text, and the database's encoding is not UTF8.", "why there is none in another encoding");
is(why('SELECT 1 FROM f LEFT JOIN l ON l.id = f.k'),
	'Foreign Scan on f, there | no filter | No inner or semi join of the same query compares one of its columns with a column of a local table.',
	'why there can be none');

#
# What changes meanwhile
#

my $prepared = "PREPARE q (int) AS SELECT $counts FROM f JOIN l ON l.id = f.k WHERE l.grp = \$1";
foreach my $mode ('force_generic_plan', 'force_custom_plan')
{
	is(query("SET plan_cache_mode = $mode; $prepared; EXECUTE q(4); EXECUTE q(3)", $force),
		query("$prepared; EXECUTE q(4); EXECUTE q(3)"), "a parameter in a local condition: $mode");
}
my $explain = 'EXPLAIN (VERBOSE, COSTS OFF) EXECUTE q(3)';
my $kept = query("SET plan_cache_mode = force_generic_plan; $prepared; $explain;
	ALTER SERVER remote OPTIONS (DROP extensions); $explain; EXECUTE q(3);
	ALTER SERVER remote OPTIONS (ADD extensions 'bloomfilter'); $explain;
	BEGIN; DROP EXTENSION bloomfilter; $explain; EXECUTE q(3); ROLLBACK; $explain", $force);
is(scalar(() = $kept =~ /may_match/g), 3, 'a plan that is kept follows the server and the extension');
is(scalar(() = $kept =~ /^200\|200\|1990600$/mg), 2, 'and goes on to work without them');
is(query("BEGIN; DECLARE c CURSOR FOR SELECT f.id FROM f JOIN l ON l.id = f.k WHERE l.grp = 777;
		INSERT INTO l (id, grp) VALUES (5, 777); FETCH ALL FROM c; ROLLBACK", $force), '', 'a cursor does not see what came later');
is(query("BEGIN; INSERT INTO l (id, grp) VALUES (5, 777); SELECT count(*) FROM f JOIN l ON l.id = f.k WHERE l.grp = 777; ROLLBACK", $force),
	'20', 'a statement sees what came before');
query("ALTER SERVER remote OPTIONS (DROP extensions)");
is(sent($one), 0, 'a server without the extension');
is(why($one) =~ s/.*no filter \| //r, 'The option extensions of the foreign server does not list bloomfilter.', 'and why');
query("DROP EXTENSION bloomfilter");
is(sent($one), 0, 'no extension here');
is(query($one, $force), '200|200|1990600', 'the same result');

done_testing();
