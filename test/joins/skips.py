"""Tables of which joins read only a part: BRIN indexes, partitions of many kinds.

Their rows are mostly in the order of their columns, with a few values that are far
from all others, and long runs of NULL.  Some partitions have their columns in
another order than their table, behind one that was dropped.
"""

# name, rows, how it is stored
BRIN = 'BRIN'
TABLES = (
    ('b_order', 1200, BRIN), ('b_moved', 1500, BRIN), ('b_other', 800, BRIN), ('b_wide', 5000, BRIN),
    ('g_day', 900, 'PARTITION BY RANGE (c_day)'), ('g_loc', 700, 'PARTITION BY RANGE (c_loc)'),
    ('g_two', 700, 'PARTITION BY RANGE (c_int, c_txt)'), ('g_list', 700, 'PARTITION BY LIST (c_int)'),
    ('g_nci', 600, 'PARTITION BY LIST (c_nci)'), ('g_num', 700, 'PARTITION BY HASH (c_num)'),
    ('g_ci', 600, 'PARTITION BY HASH (c_nci)'), ('g_both', 600, 'PARTITION BY HASH (c_int, c_uid)'),
    ('g_flt', 700, 'PARTITION BY RANGE (c_flt)'), ('g_txt', 700, "PARTITION BY RANGE (c_txt text_pattern_ops)"),
)
NAMES = tuple(name for name, _, _ in TABLES)

# Types of columns by which much can be skipped.
FAMILIES = ('int', 'day', 'txt', 'num', 'loc', 'nci', 'flt')

# The largest, with more keys than are kept one by one; it is used less often.
LARGE = 'b_wide'
# Tables with policies: of these, and of what is joined to them, less can be told.
HIDDEN = ('b_other', 'g_both', 'g_nci')

# A partition that is queried by itself, too: its constraint is that of all levels.
MIDDLE = 'g_day_1'

# The range of a table's values, where others have up to 1000.
DISTINCT = {'b_wide': 12000}

# Values that are far away: of a sample of types, which compare to them as to any other.
FAR_AWAY = {
    'int4': ('2000000000', '-2000000000', '2147483647', "'-2147483648'"), 'int2': ('32767', "'-32768'"),
    'int8': ('1000000000000000', '-1000000000000000', '9223372036854775807', "'-9223372036854775808'"),
    'date': ("'infinity'", "'-infinity'", "'9999-12-31'", "'0001-01-01 BC'"), 'oid': ('4294967295', '2147483648'),
    'timestamp': ("'infinity'", "'-infinity'", "'9999-12-31'"), 'timestamptz': ("'infinity'", "'-infinity'", "'9999-12-31'"),
    'numeric': ("'NaN'", "'Infinity'", "'-Infinity'", "'1e300'"), 'float8': ("'NaN'", "'infinity'", "'-infinity'", "'-0'"),
    'float4': ("'NaN'", "'infinity'", "'-infinity'"), 'text': ("''", "'zzz'"), 'time': ("'24:00'", "'00:00'"),
}

# {0}: a partition; {1}: its columns in another order; {2}: its table; {3}: its bounds
ATTACHED = '''
CREATE TABLE {0} (gone int, {1});
ALTER TABLE {0} DROP gone;
ALTER TABLE {2} ATTACH PARTITION {0} {3};
'''

# Partitions: their bounds, and how they are parted themselves; each second one is attached.
PARTITIONS = {
    'g_day': (("FOR VALUES FROM (MINVALUE) TO ('2000-10-01')", 'PARTITION BY RANGE (c_day, c_int)'),
              ("FOR VALUES FROM ('2000-10-01') TO ('2001-06-01')", ''),
              ("FOR VALUES FROM ('2001-06-01') TO ('2002-01-01')", 'PARTITION BY HASH (c_uid)'), ('DEFAULT', '')),
    'g_day_1': (("FOR VALUES FROM (MINVALUE, MINVALUE) TO ('2000-03-01', MINVALUE)", ''),
                ("FOR VALUES FROM ('2000-03-01', MINVALUE) TO ('2000-03-01', 500)", ''),
                ("FOR VALUES FROM ('2000-03-01', 500) TO ('2010-01-01', MAXVALUE)", 'PARTITION BY LIST (c_boo)'), ('DEFAULT', '')),
    'g_day_1_3': (('FOR VALUES IN (true)', ''), ('FOR VALUES IN (NULL, false)', '')),
    'g_day_3': (('FOR VALUES WITH (MODULUS 2, REMAINDER 0)', ''), ('FOR VALUES WITH (MODULUS 4, REMAINDER 1)', ''),
                ('FOR VALUES WITH (MODULUS 4, REMAINDER 3)', '')),
    'g_loc': (("FOR VALUES FROM (MINVALUE) TO ('key-3')", ''), ("FOR VALUES FROM ('key-3') TO ('KEY-45')", ''),
              ("FOR VALUES FROM ('KEY-45') TO ('key-7')", ''), ('DEFAULT', 'PARTITION BY LIST (c_int)')),
    'g_loc_4': (('FOR VALUES IN (NULL, 1, 2, 3)', ''), ('DEFAULT', '')),
    'g_two': (("FOR VALUES FROM (MINVALUE, MINVALUE) TO (100, MINVALUE)", ''), ("FOR VALUES FROM (100, MINVALUE) TO (250, 'key-2')", ''),
              ("FOR VALUES FROM (250, 'key-2') TO (250, 'key-3')", ''), ("FOR VALUES FROM (300, MINVALUE) TO (MAXVALUE, MAXVALUE)", ''),
              ('DEFAULT', '')),
    'g_list': ((f"FOR VALUES IN ({', '.join(map(str, range(0, 100)))})", ''),
               (f"FOR VALUES IN (NULL, {', '.join(map(str, range(100, 200, 3)))})", ''), ('FOR VALUES IN (400)', ''), ('DEFAULT', '')),
    'g_nci': ((f'''FOR VALUES IN ({', '.join(f"'word {n}'" for n in range(0, 60))})''', ''),
              (f'''FOR VALUES IN ({', '.join(f"'WORD {n}'" for n in range(60, 200, 2))})''', ''), ('FOR VALUES IN (NULL)', ''), ('DEFAULT', '')),
    'g_flt': (("FOR VALUES FROM (MINVALUE) TO ('-0')", ''), ("FOR VALUES FROM (0) TO (200)", ''),
              ("FOR VALUES FROM (200) TO ('infinity')", ''), ("FOR VALUES FROM ('NaN') TO (MAXVALUE)", ''), ('DEFAULT', '')),
    'g_txt': (("FOR VALUES FROM ('key-1') TO ('key-4')", ''), ("FOR VALUES FROM ('key-4') TO ('key-7')", ''), ('DEFAULT', '')),
}
for _name in ('g_num', 'g_ci', 'g_both'):
    PARTITIONS[_name] = tuple((f'FOR VALUES WITH (MODULUS 4, REMAINDER {part})', '') for part in range(4))

# What the server has besides minmax tells nothing to joins, and other orders neither.
INDEXES = '''
CREATE INDEX b_order_brin ON b_order USING brin
	(c_int, c_day, c_tsp, c_tsz, c_txt, c_num, c_flt, c_uid, c_loc, c_chr, c_byt, c_net, c_oid, c_itv, c_dom, c_tim)
	WITH (pages_per_range = 1);
CREATE INDEX b_order_id ON b_order USING brin (id) WITH (pages_per_range = 5);
CREATE INDEX b_moved_brin ON b_moved USING brin (id, c_int, c_day, c_txt, c_num, c_loc, c_uid, c_oid) WITH (pages_per_range = 2);
CREATE INDEX b_moved_flt ON b_moved USING brin (c_flt) WITH (pages_per_range = 1);
CREATE INDEX b_moved_tsp ON b_moved USING brin (c_tsp, c_tsz, c_nci) WITH (pages_per_range = 3);
CREATE INDEX b_wide_brin ON b_wide USING brin (c_int, c_day, c_tsp, c_txt, c_num, c_uid, c_oid, c_flt) WITH (pages_per_range = 4);
CREATE INDEX b_wide_id ON b_wide USING brin (id, c_loc) WITH (pages_per_range = 128);
CREATE INDEX b_other_multi ON b_other USING brin
	(c_day date_minmax_multi_ops, c_uid uuid_minmax_multi_ops) WITH (pages_per_range = 1);
CREATE INDEX b_other_bloom ON b_other USING brin (c_num numeric_bloom_ops, c_tsp timestamp_bloom_ops) WITH (pages_per_range = 1);
CREATE INDEX b_other_inclusion ON b_other USING brin (c_rng, c_net inet_inclusion_ops) WITH (pages_per_range = 1);
CREATE INDEX b_other_partial ON b_other USING brin (c_int, c_day) WITH (pages_per_range = 1) WHERE id % 2 = 0;
CREATE INDEX b_other_expression ON b_other USING brin ((c_int + 0), (c_day + 1)) WITH (pages_per_range = 1);
CREATE INDEX b_other_locale ON b_other USING brin (c_txt COLLATE "und-x-icu", c_loc COLLATE "C") WITH (pages_per_range = 1);
CREATE INDEX ON g_day USING brin (c_day, c_int, c_txt, c_num) WITH (pages_per_range = 1);
CREATE INDEX ON g_num USING brin (c_int, c_tsp, c_loc) WITH (pages_per_range = 2);
CREATE INDEX ON g_list USING brin (c_txt, id, c_oid, c_day) WITH (pages_per_range = 1);
CREATE INDEX ON g_two USING brin (c_int, c_uid) WITH (pages_per_range = 1);
CREATE INDEX ON g_loc USING brin (id, c_int, c_tim) WITH (pages_per_range = 1);
'''

# Filter indexes, which need the extension: of columns in any order.
FILTER_INDEXES = '''
CREATE INDEX b_wide_filter ON b_wide USING bloomfilter (c_int, c_txt, c_num, c_day, c_uid, c_loc) WITH (false_positive_rate = 0.02);
CREATE INDEX b_moved_filter ON b_moved USING bloomfilter (c_int, c_txt, c_nci, c_flt, c_tsz, c_chr, c_itv, c_enm, c_rng, c_arr, c_jsb, c_dom);
CREATE INDEX b_moved_filter_id ON b_moved USING bloomfilter (id, c_byt);
CREATE INDEX b_order_filter ON b_order USING bloomfilter (c_int, c_num) WHERE id % 2 = 0;
CREATE INDEX ON g_num USING bloomfilter (c_int, c_txt, c_uid);
CREATE INDEX ON g_list USING bloomfilter (c_txt, c_oid, c_int);
'''

# Ranges without a summary, which VACUUM would make.
UNSUMMARIZED = '''
DO $$ BEGIN
	PERFORM brin_desummarize_range(i, n) FROM unnest(ARRAY['b_moved_brin', 'b_moved_flt', 'b_moved_tsp']::regclass[]) AS i,
		unnest(ARRAY[6, 7, 30, 60]) AS n;
END $$;
'''

# What happens to tables after their indexes were made: rows move, are gone, come later.
MOVED = (
    '''
UPDATE b_moved SET id = id WHERE id % 10 = 0;
UPDATE b_moved SET c_int = 999 - c_int, c_day = c_day + 100 WHERE id % 90 = 0 AND c_int BETWEEN 0 AND 999;
DELETE FROM b_moved WHERE id BETWEEN 300 AND 500;
UPDATE b_moved SET c_int = NULL, c_day = NULL, c_txt = NULL, c_num = NULL, c_flt = NULL WHERE id BETWEEN 700 AND 900;
''',
    'VACUUM b_moved',
    '''
INSERT INTO b_moved SELECT * FROM b_moved WHERE id % 13 = 0;
UPDATE b_moved SET of_int = g.n FROM (SELECT c_int, count(*) AS n FROM b_moved GROUP BY c_int) AS g
 WHERE g.c_int IS NOT DISTINCT FROM b_moved.c_int AND of_int <> g.n;
''',
    "BEGIN; UPDATE b_moved SET c_int = 5, c_day = '2000-01-06' WHERE id BETWEEN 1200 AND 1250; ROLLBACK",
    UNSUMMARIZED,
)

# Between the executions of a prepared statement, and rolled back.
CHANGES = (
    'DROP INDEX b_order_brin',
    'DROP INDEX b_order_brin, b_moved_brin; UPDATE b_order SET c_int = 999 - c_int WHERE id % 40 = 0 AND c_int BETWEEN 0 AND 999; '
    'CREATE INDEX b_order_brin ON b_order USING brin (c_day, c_int) WITH (pages_per_range = 2)',
    'REINDEX INDEX b_order_brin; REINDEX TABLE b_moved',
    'DROP INDEX b_moved_filter; UPDATE b_moved SET c_int = 999 - c_int WHERE id % 6 = 0 AND c_int BETWEEN 0 AND 999; '
    'CREATE INDEX b_moved_filter ON b_moved USING bloomfilter (c_int, c_num)',
    'INSERT INTO b_moved SELECT * FROM b_moved WHERE id % 11 = 0; REINDEX INDEX b_moved_filter_id',
    "DO $$ BEGIN PERFORM brin_desummarize_range('b_order_brin', 3); END $$; "
    'INSERT INTO b_order SELECT * FROM b_order WHERE id % 11 = 0',
    "UPDATE b_moved SET c_int = 999 - c_int WHERE id % 7 = 0 AND c_int BETWEEN 0 AND 999; DO $$ BEGIN PERFORM brin_summarize_new_values('b_moved_brin'); END $$",
    'CREATE TEMP TABLE kept AS TABLE b_order; TRUNCATE b_order; INSERT INTO b_order SELECT * FROM kept WHERE id % 3 = 0; DROP TABLE kept',
    'ALTER TABLE g_day DETACH PARTITION g_day_2',
    "ALTER TABLE g_day DETACH PARTITION g_day_1; UPDATE g_day_1 SET c_day = c_day + 200 WHERE id % 5 = 0",
    'ALTER TABLE g_num DETACH PARTITION g_num_1; UPDATE g_num_1 SET c_num = c_num + 1',
    'ALTER TABLE g_list DETACH PARTITION g_list_4; CREATE TABLE g_list_5 PARTITION OF g_list FOR VALUES IN (500, 501); '
    'ALTER TABLE g_list ATTACH PARTITION g_list_4 DEFAULT',
    'ALTER TABLE g_list DETACH PARTITION g_list_1; CREATE TABLE g_list_6 (LIKE g_list_1); '
    'INSERT INTO g_list_6 SELECT * FROM g_list_1 WHERE c_int < 20; ALTER TABLE g_list ATTACH PARTITION g_list_6 FOR VALUES IN (0, '
    f'{", ".join(map(str, range(1, 20)))})',
    'UPDATE g_day SET c_day = c_day + 300 WHERE id % 9 = 0',
    'SET bloomfilter.join_skip = off', "SET bloomfilter.join_filter_memory = '1MB'",
)
CHANGED = ('b_order', 'b_moved', 'g_day', 'g_num', 'g_list')


def partitions(name, columns):
    """SQL that makes the partitions of a table, and theirs."""
    script = []
    for number, (bounds, parted) in enumerate(PARTITIONS[name], 1):
        part = f'{name}_{number}'
        if number % 2 == 0 and not parted:
            script.append(ATTACHED.format(part, ', '.join(f'{c.name} {c.type}' for c in reversed(columns)), name, bounds))
        else:
            script.append(f'CREATE TABLE {part} PARTITION OF {name} {bounds} {parted};')
        if parted:
            script.append(partitions(part, columns))
    return '\n'.join(script)
