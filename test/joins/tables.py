"""The tables that random queries are about.

Each has a column of every family of types whose values an equality operator
can compare, so that any two tables can be joined by any of them.  A column is
the image of integers under a function of its type: duplicates, NULLs and the
share of values that another table has, too, differ from column to column.
"""
import random
from dataclasses import dataclass

import skips


@dataclass(frozen=True)
class Type:
    """A type and how to make its value of an integer k."""
    name: str
    value: str


@dataclass(frozen=True)
class Family:
    """Types that = compares with each other.

    shown: a value's form that equal values share ({} is the value);
    orderable: it has < and min();
    common: what types of the family are cast to where they have to be one.
    """
    types: tuple
    shown: str = '{}'
    orderable: bool = True
    common: str = ''


# Some are so long that they, and others of their row, are compressed or stored apart, see STORED.
LONG_KEY = "CASE WHEN k % 3 = 0 THEN 'KEY-' ELSE 'key-' END || k || CASE WHEN k % 10 = 7 THEN repeat('-long', 500) ELSE '' END"

FAMILIES = {
    'int': Family((Type('int4', 'k'), Type('int8', 'k'), Type('int2', 'k')), common='int8'),
    'txt': Family((Type('text', "'key-' || k"), Type('varchar(20)', "'key-' || k"), Type('name', "('key-' || k)::name")),
                  shown='{}::text', common='text'),
    'num': Family((Type('numeric', "(k || repeat('0', k % 3))::numeric / (10 ^ (k % 3))::numeric"),
                   Type('numeric', '(k::text || CASE k % 4 WHEN 0 THEN \'.0\' WHEN 1 THEN \'.000\' ELSE \'\' END)::numeric')),
                  shown='trim_scale({})', common='numeric'),
    'flt': Family((Type('float8', "CASE WHEN k % 7 = 0 THEN CASE WHEN k % 2 = 0 THEN 'NaN' ELSE '-0' END::float8 "
                        "ELSE CASE WHEN k % 11 = 0 THEN 0 ELSE k END END"), Type('float4', 'k')),
                  shown='({} + 0)', common='float8'),
    'uid': Family((Type('uuid', 'md5(k::text)::uuid'),)),
    'day': Family((Type('date', "'2000-01-01'::date + k"),)),
    'tsp': Family((Type('timestamp', "'2000-01-01'::timestamp + k * '1 hour'::interval"),)),
    'tsz': Family((Type('timestamptz', "'2000-01-01 00:00+00'::timestamptz + k * '1 hour'::interval"),)),
    'itv': Family((Type('interval', "CASE k % 3 WHEN 0 THEN k * '1 day'::interval WHEN 1 THEN k * '24 hours'::interval "
                        "ELSE (k * 86400) * '1 second'::interval END"),), shown='extract(epoch FROM {})'),
    'enm': Family((Type('tone', "(enum_range(NULL::tone))[1 + k % 12]"),)),
    'cmp': Family((Type('pair', "(k, 'p' || k % 5)::pair"),), shown='{}::text'),
    'nci': Family((Type('text COLLATE no_case', "CASE WHEN k % 2 = 0 THEN 'Word ' || k / 2 ELSE 'wORD ' || k / 2 END"),
                   Type('varchar COLLATE no_case', "'WORD ' || k / 2")), shown='lower(({})::text COLLATE "C")', common='text'),
    'chr': Family((Type('char(12)', "('c' || k)::char(12)"), Type('char(16)', "('c' || k)::char(16)")),
                  shown='rtrim({}::text)', common='bpchar'),
    'byt': Family((Type('bytea', "decode(md5(k::text), 'hex')"),)),
    'rng': Family((Type('int4range', 'int4range(k, k + 1 + k % 4)'),), orderable=False),
    'arr': Family((Type('int[]', 'ARRAY[k, k % 3, NULL]'),)),
    'jsb': Family((Type('jsonb', "jsonb_build_object('k', k)"),), orderable=False),
    'net': Family((Type('inet', "('10.0.' || k / 256 % 256 || '.' || k % 256)::inet"),)),
    'dom': Family((Type('counted', 'k'),), shown='{}::int4'),
    'boo': Family((Type('bool', 'k % 2 = 0'),), orderable=False),
    'loc': Family((Type('text COLLATE "und-x-icu"', LONG_KEY), Type('varchar COLLATE "und-x-icu"', LONG_KEY)), common='text'),
    'oid': Family((Type('oid', 'k'),)),
    'tim': Family((Type('time', "'00:00'::time + k * '1 minute'::interval"),)),
}

SMALL = ('enm', 'boo')              # families of few values: joins by them alone are large

TYPES = """
CREATE TYPE tone AS ENUM ('c', 'cis', 'd', 'dis', 'e', 'f', 'fis', 'g', 'gis', 'a', 'ais', 'h');
CREATE TYPE pair AS (first int, second text);
CREATE DOMAIN counted AS int4 CHECK (VALUE >= 0);
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE SEQUENCE calls;
CREATE FUNCTION whole(rows int8, expected int8) RETURNS int LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
	ASSERT rows = expected, 'a part of a group is missing';
	RETURN 1;
END $$;
CREATE FUNCTION visible(key int8) RETURNS bool LANGUAGE plpgsql STABLE PARALLEL SAFE AS 'BEGIN RETURN key % 4 < 3; END';
"""

# how many rows have the same c_int
COUNT = '''
ALTER TABLE {0} ADD of_int int8;
UPDATE {0} SET of_int = g.n FROM (SELECT c_int, count(*) AS n FROM {0} GROUP BY c_int) AS g
 WHERE g.c_int IS NOT DISTINCT FROM {0}.c_int;
'''

# Tables that had another column behind the first: in the rows it takes space, or is NULL.
WORN = ('t_many', 't_most')

# How rows are stored: arrays, documents, long keys apart from their rows; versions of a row on the same page.
STORED = {'t_more': 'WITH (fillfactor = 60)', 't_most': 'WITH (toast_tuple_target = 128)', 'b_order': 'WITH (toast_tuple_target = 128)',
          'b_moved': 'WITH (fillfactor = 80, toast_tuple_target = 128)'}

# Columns that were added when there were rows, of which most were written since.
LATE = {'t_many': ('oid', 'day'), 't_more': ('tim', 'flt'), 'b_order': ('oid', 'flt')}
LATER = '''
ALTER TABLE {0} DROP COLUMN c_{1};
ALTER TABLE {0} ADD COLUMN c_{1} {2} {3};
UPDATE {0} SET c_{1} = (SELECT {4} FROM (SELECT id AS i) AS later) WHERE id % 10 > 0;
'''

# Tables whose pages are all visible, until they are written to.  Others are never vacuumed.
VACUUMED = ('t_many', 'b_order', 'e_often')

# A table on another server, or in a file: test/joins/foreign.py makes it.
FOREIGN = 'FOREIGN'

# name, rows, how it is stored
TABLES = (
    ('t_none', 0, ''), ('t_one', 1, ''), ('t_few', 12, ''), ('t_some', 120, ''),
    ('t_many', 700, ''), ('t_more', 1500, ''), ('t_most', 3000, ''),
    ('h_left', 900, 'PARTITION BY HASH (c_int)'), ('h_right', 600, 'PARTITION BY HASH (c_int)'),
    ('l_left', 700, 'PARTITION BY LIST (c_enm)'), ('l_right', 300, 'PARTITION BY LIST (c_enm)'),
    ('p_left', 900, 'PARTITION BY RANGE (c_int)'), ('p_right', 600, 'PARTITION BY RANGE (c_int)'),
    ('x_mixed', 400, 'PARTITION BY HASH (c_int)'),
    *skips.TABLES,
    ('f_many', 700, FOREIGN), ('f_more', 1500, FOREIGN), ('f_most', 3000, FOREIGN), ('f_some', 120, FOREIGN),
)

# Tables that have partitions on another server.
FAR = ('x_mixed',)

# Partitions of partitions, and a default that has none.
RANGES = '''
CREATE TABLE {0}_1 PARTITION OF {0} FOR VALUES FROM (MINVALUE) TO (200) PARTITION BY LIST (c_boo);
CREATE TABLE {0}_1_1 PARTITION OF {0}_1 FOR VALUES IN (true);
CREATE TABLE {0}_1_2 PARTITION OF {0}_1 DEFAULT;
CREATE TABLE {0}_2 PARTITION OF {0} FOR VALUES FROM (200) TO (600) PARTITION BY HASH (c_txt);
CREATE TABLE {0}_2_1 PARTITION OF {0}_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE {0}_2_2 PARTITION OF {0}_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE {0}_3 PARTITION OF {0} DEFAULT;
'''

# An ordinary role that every server has, so that nothing outlives the database.
READER = 'pg_monitor'

# What it sees depends on c_int, so that groups by c_int stay whole.
POLICIES = ('c_int % 3 <> 1 OR c_int IS NULL', 'EXISTS (SELECT FROM t_some AS s WHERE s.c_int = {0}.c_int)',
            'c_int IN (SELECT c_int FROM t_some)', 'visible(c_int)')
POLICY = '''
ALTER TABLE {0} ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON {0} USING ({1}) WITH CHECK (true);
'''
GRANTS = f'''
GRANT ALL ON ALL TABLES IN SCHEMA public TO {READER};
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {READER};
'''

# Some rows of t_most twice, among so many others that a join hashes its other
# side first; and so often that a sample has some of each, not read in parallel,
# so that each process hashes them for itself.
TWICE = 'e_twice'
OFTEN = 'e_often'
REPEATED = f'''
CREATE TABLE {TWICE} AS SELECT id, c_int, v FROM t_most, generate_series(0, 1) AS v WHERE id <= 20
 UNION ALL SELECT -id, c_int, 0 FROM t_most WHERE id <= 1200;
CREATE TABLE {OFTEN} AS SELECT id, v FROM t_most, generate_series(1, 25) AS v WHERE id <= 20;
ALTER TABLE {OFTEN} SET (parallel_workers = 0);
'''

INDEXES = ('id', 'c_int', 'c_txt', 'c_uid')


class Column:
    """A column of a table, or of what queries make of tables."""

    def __init__(self, name, family, type_name):
        self.name = name
        self.family = family
        self.type = type_name


def definition(tables=TABLES, seed=4711):
    """SQL that makes the tables, and their columns by table."""
    chance = random.Random(seed)
    script = [TYPES]
    columns = {}
    for place, (name, rows, stored) in enumerate(tables):
        if stored == FOREIGN:
            columns[name] = columns[name.replace('f_', 't_')]
            continue
        columns[name] = [Column('id', 'int', 'int4')]
        values = ['i']
        for family, described in FAMILIES.items():
            chosen = chance.choice(described.types)
            if stored.startswith('PARTITION'):
                chosen = described.types[0]         # the same for partitionwise joins
            columns[name].append(Column(f'c_{family}', family, chosen.name))
            values.append(value(chance, chosen, family, name, rows))
        listed = [f'{column.name} {column.type}' for column in columns[name]]
        if name in WORN:
            listed.insert(1, 'gone text')
            values.insert(1, "repeat('x', i % 40)")
        listed = ', '.join(listed)
        script.append(f'CREATE TABLE {name} ({listed}) {STORED.get(name, "") if stored in ("", skips.BRIN) else stored};')
        if name in skips.PARTITIONS:
            script.append(skips.partitions(name, columns[name]))
        elif 'HASH' in stored:
            script += [f'CREATE TABLE {name}_{part} PARTITION OF {name} '
                       f'FOR VALUES WITH (MODULUS 3, REMAINDER {part});' for part in range(3)]
        elif 'LIST' in stored:
            script += [f"CREATE TABLE {name}_1 PARTITION OF {name} FOR VALUES IN ('c', 'd', 'e', 'f', 'g');",
                       f"CREATE TABLE {name}_2 PARTITION OF {name} FOR VALUES IN ('a', 'h', NULL);",
                       f'CREATE TABLE {name}_3 PARTITION OF {name} DEFAULT;']
        elif 'RANGE' in stored:
            script.append(RANGES.format(name))
        script.append(f'INSERT INTO {name} SELECT {", ".join(values)} FROM generate_series(1, {rows}) AS i;')
        script.append(COUNT.format(name))
        if name in WORN:
            script.append(f'ALTER TABLE {name} DROP COLUMN gone; UPDATE {name} SET id = id WHERE id % 3 = 0;')
        script += added_later(name, columns[name], values[-len(FAMILIES):])
        script += [f'CREATE INDEX ON {name} ({column});' for column in INDEXES]
        # t_some is in policies itself, so none of these may be its own
        policy = POLICIES[0] if rows <= 120 else POLICIES[place % len(POLICIES)]
        if name not in skips.NAMES or name in skips.HIDDEN:
            script.append(POLICY.format(name, policy.format(name)))
    columns[skips.MIDDLE] = columns[skips.MIDDLE.rsplit('_', 1)[0]]
    script += [REPEATED, skips.INDEXES, 'ANALYZE;', GRANTS]
    return '\n'.join(script), columns


def added_later(name, columns, values):
    """SQL that adds columns of a table again, the first with a default, which rows do not have either."""
    families = list(FAMILIES)
    for place, family in enumerate(LATE.get(name, ())):
        column, made = columns[1 + families.index(family)], values[families.index(family)]
        of_seven = next(t.value for t in FAMILIES[family].types if t.name == column.type)
        default = f'DEFAULT {of_seven.replace("k", "7", 1)}' if place == 0 else ''
        yield LATER.format(name, family, column.type, default, made)


def value(chance, chosen, family, table, rows):
    """An expression of i for a column: how many values, how many NULLs, which range.

    Few enough ways to scatter i that columns of a row, and the same rows of two
    tables, often go together: else a join by two columns would find nothing.  Of
    tables for skipping most columns are in the order of i, the others nearly.
    """
    distinct = chance.choice((1000, 1000, 500, 300))
    if family in ('chr', 'nci'):
        distinct *= 2
    first = chance.choice((0, 0, 0, 0, 200))
    nulls = chance.choice((0, 0, 10, 3))
    salt = chance.choice((7, 7, 7, 99))
    distinct = skips.DISTINCT.get(table, distinct)
    k = f'({first} + (i::int8 * 2654435761 + {salt}) % 2147483647 % {distinct})::int4'
    if table in skips.NAMES:
        noise = chance.choice(('', '', f' + i * {salt} % 20', f' + CASE WHEN i % 97 = {salt} THEN 300 ELSE 0 END'))
        k = f'({first} + (i::int8 * {distinct} / {rows}{noise}) % {distinct})::int4'
    made = f'(SELECT ({chosen.value})::{chosen.name} FROM (SELECT {k} AS k) AS of)'
    far = skips.FAR_AWAY.get(chosen.name, ())
    if table in skips.NAMES and far and chance.randrange(2):
        listed = ' '.join(f'WHEN {n} THEN {far_value}::{chosen.name}' for n, far_value in enumerate(far))
        made = f'CASE (i * 31 + {salt}) % 400 {listed} ELSE {made} END'
    if table in skips.NAMES and nulls == 3:
        made = f'CASE WHEN i % {rows // 2} < {rows // 8} THEN NULL ELSE {made} END'
    elif nulls:
        made = f'CASE WHEN (i * 31 + {salt}) % {nulls} = 0 THEN NULL ELSE {made} END'
    return made
