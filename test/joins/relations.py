"""Random relations: tables, what sub-selects make of them, and joins."""
from choices import Column, Limits, Relation
from groups import Groups
import skips
from tables import FAMILIES, FAR, FOREIGN, OFTEN, TABLES, TWICE


# Small tables leave little to join, and those elsewhere are slow: rarely, and not for each outer row again.
USED = [name for name, rows, stored in reversed(TABLES) if name not in skips.NAMES
        for _ in range(1 if rows < 100 else 3 if stored == FOREIGN else 4)]
NEAR = [name for name in USED if name not in FAR and (name, FOREIGN) not in [table[::2] for table in TABLES]]
# Those of which joins skip a part; and of these such as have no policies.
SKIPPED = [name for name in skips.NAMES + (skips.MIDDLE,) for _ in range(1 if name == skips.LARGE else 4)]
OPEN = [name for name in SKIPPED if name not in skips.HIDDEN]


class Relations(Groups):
    """Makes relations of tables and choices."""

    def next_table(self):
        if self.sources <= 0:
            raise Limits
        self.sources -= 1
        if self.skips and self.choose.chance(60 if self.skips == 'some' else 100):
            return self.choose.pick(SKIPPED if self.skips == 'some' else OPEN)
        return self.choose.pick(NEAR if self.correlated else USED)

    def table(self, condition=''):
        name = self.next_table()
        alias = self.name()
        columns = [Column(f'{alias}.{c.name}', c.family) for c in self.tables[name]]
        if not condition and self.choose.chance(45):
            condition = self.restriction([Column(c.name, c.family) for c in self.tables[name]])
        if condition:
            return Relation(f'(SELECT * FROM {name} WHERE {condition}) AS {alias}', columns)
        return Relation(f'{name} AS {alias}', columns)

    def whole(self):
        """The groups of a table; one of which a part is missing raises an error."""
        name = self.next_table()
        if name == skips.MIDDLE:                # groups of which a part is in others
            name = skips.MIDDLE.rsplit('_', 1)[0]
        key = Column('c_int', 'int')
        body = self.choose.pick((f'SELECT c_int, whole(count(*), max(of_int)) FROM {name} GROUP BY c_int',
                                 f'SELECT c_int, whole(count(*) OVER (PARTITION BY c_int), of_int) FROM {name}'))
        return self.derived(body, [key], ('whole',))

    def either(self):
        """Of two rows one has a partner, whichever: each process may hash other rows.

        The same process has to meet both, or else results differ without filters,
        too: so they come from one row of a table, if joins are left in this order.
        """
        self.sampled = True
        self.next_table()
        table, two, one = self.name(), self.name('e'), self.name('e')
        parity = f'(SELECT sum(v) % 2 FROM {OFTEN} TABLESAMPLE bernoulli (50))'
        sample = self.choose.pick((
            f'SELECT id, sum(v) % 2 FROM {OFTEN} TABLESAMPLE bernoulli (50) GROUP BY id',
            f'SELECT DISTINCT ON (id) id, v % 2 FROM {OFTEN} TABLESAMPLE bernoulli (50)',
            f'SELECT id, v FROM {TWICE} WHERE v = {parity} OFFSET 0',
            f'SELECT id, v FROM {TWICE} WHERE v = (SELECT {parity} + 0) OFFSET 0'))
        return Relation(f'(t_most AS {table} JOIN {TWICE} AS {two} ON {two}.id = {table}.id '
                        f'JOIN ({sample}) AS {one} (id, v) ON {one}.id = {two}.id AND {one}.v = {two}.v)',
                        [Column(f'{table}.{c.name}', c.family) for c in self.tables['t_most']]
                        + [Column(f'{two}.c_int', 'int'), Column(f'{one}.id', 'int', False)])

    def series(self):
        alias = self.name()
        return Relation(f'generate_series(0, {self.choose.pick((300, 3, 0))}) AS {alias} (n)',
                        [Column(f'{alias}.n', 'int')])

    def nothing(self):
        """A table of which nothing is left, as the planner may know or not."""
        return self.table(self.choose.pick(('id % 7 = 9', 'id < 0', 'c_int % 10 = 3 AND c_int % 10 = 4')))

    def source(self, depth, outer=(), nothing=0):
        """FROM and WHERE of a select, and the columns that it sees.

        nothing: how often, in percent, one of its joins finds nothing
        """
        self.correlated += bool(outer)
        relation = self.tree(depth, outer)
        if self.sources > 0 and self.choose.chance(nothing):
            empty = self.nothing()
            relation = Relation(f'{relation.sql} {self.choose.pick(("JOIN", "JOIN", "LEFT JOIN"))} {empty.sql} '
                                f'ON {self.join_condition(relation.columns, empty.columns)}',
                                relation.columns + empty.columns, True)
        conditions = []
        if outer:
            conditions.append(self.join_condition(outer, relation.columns))
        if self.choose.chance(25):
            conditions.append(self.restriction(relation.columns))
        while self.choose.chance(18) and self.sources > 0 and depth < 3:
            conditions.append(self.sublink(relation.columns, depth))
        if self.choose.chance(1):
            conditions.append(self.call())
        self.correlated -= bool(outer)
        where = f' WHERE {" AND ".join(conditions)}' if conditions else ''
        return f' FROM {relation.sql}{where}', relation.columns

    def subquery(self, depth, outer=()):
        """A relation that is a select of its own; outer makes it LATERAL."""
        kind = self.choose.pick(('group', 'group', 'distinct', 'on', 'window', 'window', 'limit', 'plain', 'sets', 'recursive', 'recursive')
                                + (('volatile',) if self.choose.chance(25) else ())
                                + (('one', 'one') if outer else ('setop', 'setop', 'shared', 'whole', 'either', 'one')))
        if kind == 'setop':
            return self.set_operation(depth)
        if kind == 'shared':
            return self.with_query(depth)
        if kind == 'whole':
            return self.whole()
        if kind == 'either':
            return self.either()
        lateral = 'LATERAL ' if outer else ''
        source, columns = self.source(depth + 1, outer, 25 if kind == 'one' else 0)
        if kind == 'recursive':
            return self.recursive(source, columns, depth, lateral)
        if kind in ('group', 'sets'):
            return self.grouped(source, columns, lateral, kind == 'sets')
        if kind == 'one':
            return self.one_group(source, columns, lateral)
        if kind == 'window':
            return self.windowed(source, columns, lateral)
        keys = self.some(columns, 3)
        listed = ', '.join(c.sql for c in keys)
        if kind == 'distinct':
            return self.derived(f'SELECT DISTINCT {listed}{source}', self.spoiled(keys), (), lateral)
        more = self.some(columns, 3)
        both = ', '.join(c.sql for c in keys + more)
        if kind == 'on':
            ordered = [c for c in keys if FAMILIES[c.family].orderable] or keys
            on = ordered[0].sql
            return self.derived(f'SELECT DISTINCT ON ({on}) {both}{source} ORDER BY {on}, {self.total(keys + more)}',
                                self.spoiled(keys + more), (), lateral)
        if kind == 'limit':
            return self.derived(f'SELECT {both}{source} ORDER BY {self.total(keys + more)} LIMIT {self.choose.pick((100, 5, 1))}'
                                f' OFFSET {self.choose.pick((0, 0, 3))}', self.spoiled(keys + more), (), lateral)
        if kind == 'volatile':
            self.volatile = True
            return self.derived(f"SELECT {both}, (nextval('calls') > 0)::int{source}", keys + more, ('volatile',), lateral)
        return self.derived(f'SELECT {both}{source} OFFSET 0', keys + more, (), lateral)

    def recursive(self, source, columns, depth, lateral):
        """What these rows lead to in a few steps, each of which joins anew."""
        numbers = [c.sql for c in columns if c.family == 'int']
        following = self.tree(depth + 2)
        there = [c.sql for c in following.columns if c.family == 'int']
        if not numbers or not there:
            raise Limits
        name = self.name('w')
        word, steps = self.choose.pick((('UNION', 2), ('UNION', 3), ('UNION ALL', 1)))
        sides = self.choose.pick(((following.sql, name), (name, following.enclosed)))
        body = (f'WITH RECURSIVE {name} (k, n) AS (SELECT {self.choose.pick(numbers)}::int8, 0{source} {word} '
                f'SELECT {self.choose.pick(there)}::int8, {name}.n + 1 FROM {sides[0]} JOIN {sides[1]} '
                f'ON {self.choose.pick(there)} = {name}.k WHERE {name}.n < {steps}) SELECT k, n FROM {name}')
        return self.derived(body, [], ('k', 'n'), lateral)

    def set_operation(self, depth):
        word = self.choose.pick(('UNION ALL', 'UNION', 'INTERSECT', 'EXCEPT', 'INTERSECT ALL', 'EXCEPT ALL'))
        first, columns = self.source(depth + 1)
        if self.choose.chance(20):
            second, others = self.source(depth + 1)
        else:
            relation = self.table()
            second, others = f' FROM {relation.sql}', relation.columns
        families = sorted({c.family for c in columns} & {c.family for c in others})
        if not families:
            raise Limits
        chosen = [families[self.choose.below(len(families))] for _ in range(1 + self.choose.below(3))]
        sides = []
        for side in (columns, others):
            of_side = [self.choose.pick([c for c in side if c.family == family]) for family in chosen]
            common = [FAMILIES[family].common for family in chosen]
            sides.append(', '.join(f'{c.sql}::{cast}' if cast else c.sql for c, cast in zip(of_side, common)))
        body = f'SELECT {sides[0]}{first} {word} SELECT {sides[1]}{second}'
        if word == 'UNION ALL' and self.choose.chance(25):
            body += f' {word} SELECT {sides[1]}{second}'
        return self.derived(body, [Column(family, family, word == 'UNION ALL') for family in chosen])

    def with_query(self, depth):
        """A CTE, an old one or a new one."""
        if self.shared and self.choose.chance(60):
            name, columns = self.choose.pick(self.shared)
        else:
            source, seen = self.source(depth + 1)
            columns = self.some(seen, 5)
            name = self.name('w')
            listed = ', '.join(f'{c.sql} AS c{n}' for n, c in enumerate(columns))
            form = self.choose.pick(('MATERIALIZED ', 'MATERIALIZED ', '', 'NOT MATERIALIZED '))
            self.with_queries.append(f'{name} AS {form}(SELECT {listed}{source})')
            self.shared.append((name, columns))
        alias = self.name()
        return Relation(f'{name} AS {alias}', [Column(f'{alias}.c{n}', c.family, c.raw) for n, c in enumerate(columns)])

    def relation(self, depth):
        kind = self.choose.below(100)
        if kind < 62 or depth >= 3 or self.sources <= 1:
            return self.table()
        if kind < 96:
            return self.subquery(depth)
        return self.series()

    def tree(self, depth, outer=()):
        """Joins."""
        left = self.relation(depth)
        if depth == 0 or self.choose.chance(60):
            left = self.join(left, depth)
        while self.sources > 0 and self.choose.chance(65 if depth == 0 else 35):
            left = self.join(left, depth)
        return left

    def join(self, left, depth):
        if self.sources <= 0:
            return left
        kind = self.choose.pick(('JOIN',) * 8 + ('LEFT JOIN', 'RIGHT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'LATERAL', 'REVERSE', 'BUSHY', 'BUSHY'))
        if kind == 'LATERAL' and depth < 2:
            right = self.subquery(depth + 1, left.columns)
            word = self.choose.pick(('JOIN', 'LEFT JOIN'))
            return Relation(f'{left.sql} {word} {right.sql} ON true', left.columns + right.columns, True)
        if kind == 'BUSHY':
            right = self.join(self.relation(depth), depth + 1)
            right = Relation(right.enclosed, right.columns)
            kind = 'JOIN'
        else:
            right = self.relation(depth)
        if kind == 'REVERSE':
            left, right, kind = right, Relation(left.enclosed, left.columns), 'LEFT JOIN'
        elif kind == 'LATERAL':
            kind = 'JOIN'
        condition = self.join_condition(left.columns, right.columns, kind == 'FULL JOIN')
        return Relation(f'{left.sql} {kind} {right.sql} ON {condition}', left.columns + right.columns, True)

    def sublink(self, columns, depth):
        """A condition with a sub-select."""
        kind = self.choose.pick(('EXISTS', 'EXISTS', 'NOT EXISTS', 'IN', 'IN', 'NOT IN', 'scalar', 'count', 'OR'))
        if kind in ('IN', 'NOT IN'):
            source, seen = self.source(depth + 1, columns if self.choose.chance(15) else ())
            large, _ = self.pairs(columns, seen)
            if not large:
                raise Limits
            a, b = self.choose.pick(large)
            return f'{a.sql} {kind} (SELECT {b.sql}{source})'
        source, seen = self.source(depth + 1, columns, 25 if kind in ('count', 'scalar') else 0)
        numbers = [c for c in seen if c.family == 'int']
        if kind == 'count':
            return f'(SELECT count(*){source}) {self.choose.pick(("> 0", "= 0", "= 1"))}'
        if kind == 'scalar' and numbers:
            mine = [c for c in columns if c.family == 'int']
            if mine:
                return f'{self.choose.pick(mine).sql} >= (SELECT min({self.choose.pick(numbers).sql}){source})'
        if kind == 'OR':
            return f'({self.restriction(columns)} OR EXISTS (SELECT 1{source}))'
        return f'{"NOT " if kind == "NOT EXISTS" else ""}EXISTS (SELECT 1{source})'
