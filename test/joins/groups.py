"""Random sub-selects that group rows, or look at many of them at a time."""
from choices import Column, Relation
from conditions import Conditions


# How far from the current row a frame reaches.
FRAMES = ('BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW', 'BETWEEN 2 PRECEDING AND 1 FOLLOWING',
          'BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'BETWEEN 3 PRECEDING AND 1 PRECEDING',
          'BETWEEN 1 FOLLOWING AND 3 FOLLOWING')
EXCLUDED = ('', '', '', ' EXCLUDE CURRENT ROW', ' EXCLUDE GROUP', ' EXCLUDE TIES')


class Groups(Conditions):
    """Makes groups and windows of choices."""

    def some(self, columns, most):
        """Some different columns; never none."""
        left = list(columns)
        taken = []
        for _ in range(1 + self.choose.below(most)):
            if left:
                taken.append(left.pop(self.choose.below(len(left))))
        return taken

    def total(self, columns):
        return ', '.join(c.shown for c in columns)

    def spoiled(self, columns):
        return [Column(c.sql, c.family, False) for c in columns]

    def derived(self, body, columns, extra=(), lateral=''):
        """A sub-select whose columns are these, and then the extra ones, which are integers."""
        alias = self.name('s')
        names = [f'c{n}' for n in range(1, len(columns) + len(extra) + 1)]
        families = [(c.family, c.raw) for c in columns] + [('int', False)] * len(extra)
        return Relation(f'{lateral}({body}) AS {alias} ({", ".join(names)})',
                        [Column(f'{alias}.{n}', *f) for n, f in zip(names, families)])

    #
    # Aggregates
    #

    def call_of_aggregate(self, columns, distinct=True):
        """An aggregate of integers or a number of rows, so that their order does not matter."""
        kinds = ['count(*)', f'count({self.choose.pick(columns).sql})']
        numbers = [c.sql for c in columns if c.family == 'int']
        if numbers:
            number = self.choose.pick(numbers)
            kinds += [f'sum({number})', f'max({number})', f'min({number})']
            if distinct:
                kinds.append(f'count(DISTINCT {number})')
        called = self.choose.pick(kinds)
        if self.choose.chance(25):
            called += f' FILTER (WHERE {self.restriction(columns)})'
        return called

    def aggregate(self, columns):
        return f'({self.call_of_aggregate(columns)})::int8'

    def having(self, columns, keys=()):
        """A condition on groups, or on their keys, which may be tested before; mostly nothing."""
        kind = self.choose.below(100)
        if kind < 70:
            return ''
        if kind < 80 and keys:
            return f' HAVING {self.restriction(keys)}'
        if kind < 90:
            return f' HAVING count(*) > {self.choose.below(3)}'
        return f' HAVING {self.aggregate(columns)} {self.choose.pick(("> 0", "< 300", "<> 1"))}'

    def grouped(self, source, columns, lateral, sets=False):
        """sets: by more than one set of keys"""
        keys = self.some(columns, 3)
        listed = ', '.join(c.sql for c in keys)
        extra = ['count(*)'] + [self.aggregate(columns) for _ in range(self.choose.below(3))]
        by = listed
        if sets and len(keys) > 1:
            by = self.choose.pick((f'ROLLUP ({listed})', f'GROUPING SETS (({listed}), ({keys[0].sql}))'))
        return self.derived(f'SELECT {listed}, {", ".join(extra)}{source} GROUP BY {by}{self.having(columns, keys)}',
                            self.spoiled(keys), extra, lateral)

    def one_group(self, source, columns, lateral):
        """A row of aggregates, even of nothing: it stays a sub-select of its own, run again for each outer row."""
        extra = [self.aggregate(columns) for _ in range(1 + self.choose.below(3))]
        return self.derived(f'SELECT {", ".join(extra)}{source}{self.having(columns)}', [], extra, lateral)

    #
    # Windows
    #

    def window(self, columns, partition):
        """A window function.  Rows that it takes in any order have the same values in these columns."""
        part = f'PARTITION BY {partition}' if partition else ''
        order = f'{part} ORDER BY {self.total(columns)}'
        numbers = [c.sql for c in columns if c.family == 'int']
        kind = self.choose.pick(('count', 'number', 'number', 'frame', 'frame', 'range', 'value'))
        if kind == 'frame':
            frame = f'{self.choose.pick(("ROWS", "ROWS", "GROUPS"))} {self.choose.pick(FRAMES)}{self.choose.pick(EXCLUDED)}'
            return f'({self.call_of_aggregate(columns, False)} OVER ({order} {frame}))::int8'
        if kind == 'range' and numbers:
            frame = f'RANGE {self.choose.pick(FRAMES)}{self.choose.pick(EXCLUDED)}'
            order = f'{part} ORDER BY {self.choose.pick(numbers)}'
            return f'({self.call_of_aggregate(columns, False)} OVER ({order} {frame}))::int8'
        if kind == 'value' and numbers:
            number = self.choose.pick(numbers)
            function = self.choose.pick((f'first_value({number})', f'lag({number})', f'lead({number}, 2)',
                                         f'last_value({number})', f'nth_value({number}, 2)'))
            frame = f' ROWS {self.choose.pick(FRAMES)}' if self.choose.chance(50) else ''
            return f'({function} OVER ({order}{frame}))::int8'
        if kind == 'number':
            function = self.choose.pick(('row_number()', 'rank()', 'dense_rank()', 'ntile(3)'))
            return f'{function} OVER ({order})'
        return f'count(*) OVER ({part})'

    def windowed(self, source, columns, lateral):
        keys = self.some(columns, 3)
        both = keys + self.some(columns, 3)
        partition = ', '.join(c.sql for c in keys) if self.choose.chance(75) else ''
        return self.derived(f'SELECT {", ".join(c.sql for c in both)}, {self.window(both, partition)}{source}',
                            both, ('window',), lateral)
