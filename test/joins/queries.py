"""Random queries whose results do not depend on how they are executed.

A query is a function of a list of small numbers: each decision takes the next
one, and 0 is always the simplest way to go on.  So a query is repeated by its
numbers, and made smaller by taking numbers away or making them smaller.

Results may not depend on the order in which rows are met.  Values that = calls
equal and text tells apart (1 and 1.0) are shown in one form; LIMIT, DISTINCT
ON and row_number() come with an order that is total; sums are of integers.
"""
import re

import skips
from changes import Changes
from choices import Choices, Limits, Query
from tables import FAMILIES, READER

MODES = ('plain',) * 9 + ('rows', 'cursor', 'hold', 'prepared', 'prepared', 'table', 'exists', 'first', 'delete',
                          'update', 'lock', 'merge', 'merge', 'fetch', 'scroll', 'loop', 'portal', 'changing', 'changing')


# What a summary counts, and how a query's text shows it.
KINDS = {'recursive': 'WITH RECURSIVE', 'on foreign tables': r'\b(f_|x_mixed)', 'on partitions of partitions': r'\bp_(left|right)',
         'with frames': 'PRECEDING|FOLLOWING', 'with FILTER': r'FILTER \(', 'with HAVING': 'HAVING', 'with LATERAL': 'LATERAL',
         'on what can be skipped': rf'\b({"|".join(skips.NAMES)})'}


class Maker(Changes):
    """Makes one query."""

    def query(self):
        self.mode = self.choose.pick(MODES)
        self.skips = self.choose.pick(('', '', 'some', 'all'))
        settings = self.settings()
        target = between = ''
        if self.mode in ('delete', 'update'):
            text, target = self.change()
        elif self.mode == 'merge':
            text, target = self.merge()
        else:
            text = self.select()
        if self.with_queries:
            text = f'WITH {", ".join(self.with_queries)} {text}'
        if self.sampled:
            settings.update(join_collapse_limit='1', from_collapse_limit='1')
        if self.mode == 'changing':
            between = self.choose.pick(skips.CHANGES)
            target = ', '.join(name for name in skips.CHANGED if name in between)
            settings.pop('role', None)          # which may not change tables
        return Query(text, self.mode, settings, self.volatile, self.sampled, target, between, self.choose.made)

    def outputs(self, columns):
        listed = [c.shown for c in self.some(columns, 5)]
        if self.choose.chance(10) and self.mode != 'lock' and self.sources > 0:
            source, seen = self.source(2, columns, 25)
            numbers = [c for c in seen if c.family == 'int']
            what = self.choose.pick(('count(*)',) + ((f'max({numbers[0].sql})',) if numbers else ()))
            listed.append(f'(SELECT {what}{source})')
        if self.choose.chance(4):
            self.volatile = True
            listed.append("nextval('calls') > 0")
        return [f'{sql} AS o{n}' for n, sql in enumerate(listed)]

    def select(self):
        source, columns = self.source(0)
        if self.mode == 'lock':
            tables = [c.sql.split('.')[0] for c in columns if c.sql.startswith('r') and c.sql.endswith('.id')]
            return f'SELECT {", ".join(self.outputs(columns))}{source}' + (
                f' FOR SHARE OF {tables[0]}' if tables and 'FULL JOIN' not in source and f'LEFT JOIN {tables[0]}' not in source else '')
        kind = self.choose.pick(('plain', 'plain', 'plain', 'count', 'group', 'group', 'distinct', 'window', 'order'))
        if kind == 'count':
            return f'SELECT count(*) AS o0{source}'
        if kind == 'group':
            keys = self.some(columns, 3)
            ordered = [c for c in columns if FAMILIES[c.family].orderable and c.family in ('int', 'num', 'day', 'chr', 'flt')]
            listed = [c.shown for c in keys] + ['count(*)'] + [self.aggregate(columns) for _ in range(self.choose.below(3))]
            if ordered:
                column = self.choose.pick(ordered)
                listed.append(FAMILIES[column.family].shown.format(f'min({column.sql})'))
            grouped = ', '.join(c.sql for c in keys)
            if self.choose.chance(10):
                grouped = f'CUBE ({grouped})'
            text = ', '.join(f'{sql} AS o{n}' for n, sql in enumerate(listed))
            return f'SELECT {text}{source} GROUP BY {grouped}{self.having(columns, keys)}'
        if kind == 'window':
            shown = self.some(columns, 4)
            partition = self.choose.pick(columns).sql if self.choose.chance(80) else ''
            listed = [c.shown for c in shown] + [self.window(shown, partition) for _ in range(1 + self.choose.below(2))]
            text = ', '.join(f'{sql} AS o{n}' for n, sql in enumerate(listed))
            return f'SELECT {text}{source}'
        outputs = self.outputs(columns)
        if kind == 'distinct':
            return f'SELECT DISTINCT {", ".join(outputs)}{source}'
        if kind == 'order' and self.mode != 'first':
            order = ', '.join(sql.rsplit(' AS ', 1)[1] for sql in outputs)
            limit = self.choose.pick(('', ' LIMIT 10', ' LIMIT 1', ' OFFSET 5', ' LIMIT 100 OFFSET 2'))
            return f'SELECT {", ".join(outputs)}{source} ORDER BY {order}{limit}'
        return f'SELECT {", ".join(outputs)}{source}'

    def settings(self):
        """Half of the queries get merge joins where they can, most others hash joins."""
        settings = {}
        if self.choose.chance(10):
            settings['role'] = READER
        if self.choose.chance(50):
            settings.update(enable_nestloop='off', enable_hashjoin='off')
        elif not self.choose.chance(40):
            settings.update(enable_nestloop='off', enable_mergejoin='off')
        elif self.choose.chance(50):
            settings.update({self.choose.pick(('enable_nestloop', 'enable_mergejoin')): 'off'})
        for name, value, percent in (('enable_hashagg', 'off', 25), ('enable_sort', 'off', 10),
                                     ('enable_material', 'off', 10), ('enable_memoize', 'off', 20),
                                     ('enable_partitionwise_join', 'on', 40), ('enable_partitionwise_aggregate', 'on', 30),
                                     ('enable_incremental_sort', 'off', 10), ('enable_parallel_hash', 'off', 25),
                                     ('enable_parallel_append', 'off', 20), ('parallel_leader_participation', 'off', 25),
                                     ('max_parallel_workers', '0', 5), ('enable_indexscan', 'off', 20),
                                     ('enable_bitmapscan', 'off', 20), ('enable_seqscan', 'off', 5),
                                     ('join_collapse_limit', '1', 25), ('hash_mem_multiplier', '1', 30),
                                     ('enable_gathermerge', 'off', 20), ('from_collapse_limit', '1', 10),
                                     ('synchronize_seqscans', 'off', 10), ('bloomfilter.join_skip', 'off', 8),
                                     ('bloomfilter.join_filter_memory', '64kB', 10)):
            if self.choose.chance(percent):
                settings[name] = value
        return settings


def kinds(query):
    """The names of what is in a query."""
    return [name for name, shown in KINDS.items() if re.search(shown, query.text)] + ['under policies'] * ('role' in query.settings)


def make(columns, seed=None, given=None):
    """The query of a seed or of a list of choices, or None where that leads nowhere."""
    choices = Choices(seed, given)
    try:
        return Maker(choices, columns).query()
    except Limits:
        return None
