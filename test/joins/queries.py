"""Random queries whose results do not depend on how they are executed.

A query is a function of a list of small numbers: each decision takes the next
one, and 0 is always the simplest way to go on.  So a query is repeated by its
numbers, and made smaller by taking numbers away or making them smaller.

Results may not depend on the order in which rows are met.  Values that = calls
equal and text tells apart (1 and 1.0) are shown in one form; LIMIT, DISTINCT
ON and row_number() come with an order that is total; sums are of integers.
"""
import random
from dataclasses import dataclass, field

from tables import FAMILIES, OFTEN, SMALL, TABLES, TWICE


# Small tables leave little to join: rarely.
USED = [name for name, rows, _ in reversed(TABLES) for _ in range(1 if rows < 100 else 4)]


class Choices:
    """Decisions: new ones from a seed, or those of a list, and then always 0."""

    def __init__(self, seed=None, given=None):
        self.random = random.Random(seed) if given is None else None
        self.given = given or []
        self.made = []

    def below(self, count):
        if self.random:
            number = self.random.randrange(count)
        else:
            place = len(self.made)
            number = min(self.given[place], count - 1) if place < len(self.given) else 0
        self.made.append(number)
        return number

    def chance(self, percent):
        return self.below(100) >= 100 - percent

    def pick(self, choices):
        return choices[self.below(len(choices))]


@dataclass
class Column:
    """raw: a column of a table that no grouping has touched"""
    sql: str
    family: str
    raw: bool = True

    @property
    def shown(self):
        return FAMILIES[self.family].shown.format(self.sql)


@dataclass
class Relation:
    """Something that may stand in FROM."""
    sql: str
    columns: list
    joined: bool = False

    @property
    def enclosed(self):
        return f'({self.sql})' if self.joined else self.sql


@dataclass
class Query:
    """text: the query, with $1 where mode is prepared; mode: how to run it;
    settings: those that shape the plan; volatile: it calls nextval();
    sampled: it has samples, other ones each time."""
    text: str
    mode: str
    settings: dict
    volatile: bool
    sampled: bool
    choices: list = field(default_factory=list)


class Limits(Exception):
    """The query would have become too large."""


class Maker:
    """Makes one query."""

    def __init__(self, choices, columns):
        self.choose = choices
        self.tables = columns
        self.names = 0
        self.sources = 1 + 1 + self.choose.below(7)     # tables that may still be used
        self.with_queries = []
        self.shared = []
        self.volatile = False
        self.sampled = False
        self.mode = 'plain'

    def name(self, prefix='r'):
        self.names += 1
        return f'{prefix}{self.names}'

    #
    # Conditions
    #

    def number(self, most):
        """A small constant, or the parameter of a prepared statement."""
        if self.mode == 'prepared' and self.choose.chance(60):
            return '$1'
        return str(self.choose.below(most))

    def restriction(self, columns):
        """A condition on one relation."""
        column = self.choose.pick(columns)
        numbers = [c for c in columns if c.family == 'int']
        kind = self.choose.pick((0, 0, 0, 3, 3, 5, 1, 2, 4))
        if kind == 1:
            return f'{column.sql} IS NOT NULL'
        if kind == 2:
            return f'{column.sql} IS NULL'
        if not numbers:
            return f'{column.sql} IS NOT NULL'
        number = self.choose.pick(numbers).sql
        if kind == 3:
            return f'{number} < {self.choose.pick((500, 100, 10, 1000))}'
        if kind == 4:
            listed = ', '.join(str(self.choose.below(300)) for _ in range(1 + self.choose.below(5)))
            return f'{number} IN ({listed})'
        if kind == 5:
            return f'({number} % 4 = {self.number(4)} OR {column.sql} IS NULL)'
        return f'{number} % {self.choose.pick((2, 3, 2, 10))} = {self.number(2)}'

    def pairs(self, left, right):
        """Columns that can be compared, those of few values last."""
        found = [(a, b) for a in left for b in right if a.family == b.family]
        return (sorted((p for p in found if p[0].family not in SMALL), key=lambda p: p[0].family != 'int'),
                [p for p in found if p[0].family in SMALL])

    def equality(self, pair):
        a, b = pair
        if a.family == 'int' and self.choose.chance(10):
            return f'{a.sql} + {self.choose.below(3)} = {b.sql}'
        if self.choose.chance(10):
            a, b = b, a
        return f'{a.sql} = {b.sql}'

    def unlike(self, left, right):
        """An equality of two families, or nothing."""
        for one, other, form in (('num', 'int', '{} = {}'), ('int', 'num', '{} = {}'), ('flt', 'int', '{} = {}'),
                                 ('day', 'tsp', '{} = {}'), ('dom', 'int', '{} = {}'), ('int', 'dom', '{} = {}'),
                                 ('txt', 'nci', '{} = {} COLLATE "C"'), ('nci', 'txt', '{} = {} COLLATE "C"')):
            found = [(a, b) for a in left for b in right if (a.family, b.family) == (one, other)
                     and ('nci' not in (one, other) or a.raw and b.raw)]
            if found and self.choose.chance(30):
                return form.format(*(column.sql for column in self.choose.pick(found)))
        return None

    def join_condition(self, left, right, plain=False):
        """plain: nothing but equalities, as a full join wants it"""
        large, small = self.pairs(left, right)
        conditions = []
        if not plain and self.choose.chance(5):
            other = self.unlike(left, right)
            if other:
                conditions.append(other)
        if not conditions:
            if not large:
                raise Limits
            conditions.append(self.equality(self.choose.pick(large)))
        if self.choose.chance(25):
            conditions.append(self.equality(self.choose.pick(large + small)) if large + small else 'true')
        if self.choose.chance(8) and small:
            conditions.append(self.equality(self.choose.pick(small)))
        if not plain and self.choose.chance(15):
            ordered = [p for p in large if FAMILIES[p[0].family].orderable]
            if ordered:
                a, b = self.choose.pick(ordered)
                conditions.append(f'{a.sql} {self.choose.pick(("<=", "<>", ">"))} {b.sql}')
        if not plain and self.choose.chance(10):
            conditions.append(self.restriction(self.choose.pick((left, right))))
        if not plain and self.choose.chance(1):
            conditions.append(self.call())
        return ' AND '.join(conditions)

    def call(self):
        self.volatile = True
        return "nextval('calls') > 0"

    #
    # Relations
    #

    def next_table(self):
        if self.sources <= 0:
            raise Limits
        self.sources -= 1
        return self.choose.pick(USED)

    def table(self):
        name = self.next_table()
        alias = self.name()
        columns = [Column(f'{alias}.{c.name}', c.family) for c in self.tables[name]]
        if self.choose.chance(45):
            inner = [Column(c.name, c.family) for c in self.tables[name]]
            return Relation(f'(SELECT * FROM {name} WHERE {self.restriction(inner)}) AS {alias}', columns)
        return Relation(f'{name} AS {alias}', columns)

    def whole(self):
        """The groups of a table; one of which a part is missing raises an error."""
        name = self.next_table()
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

    def some(self, columns, most):
        """Some different columns; never none."""
        left = list(columns)
        taken = []
        for _ in range(1 + self.choose.below(most)):
            if left:
                taken.append(left.pop(self.choose.below(len(left))))
        return taken

    def derived(self, body, columns, extra=(), lateral=''):
        """A sub-select whose columns are these, and then the extra ones, which are integers."""
        alias = self.name('s')
        names = [f'c{n}' for n in range(1, len(columns) + len(extra) + 1)]
        families = [(c.family, c.raw) for c in columns] + [('int', False)] * len(extra)
        return Relation(f'{lateral}({body}) AS {alias} ({", ".join(names)})',
                        [Column(f'{alias}.{n}', *f) for n, f in zip(names, families)])

    def spoiled(self, columns):
        return [Column(c.sql, c.family, False) for c in columns]

    def source(self, depth, outer=()):
        """FROM and WHERE of a select, and the columns that it sees."""
        relation = self.tree(depth, outer)
        conditions = []
        if outer:
            conditions.append(self.join_condition(outer, relation.columns))
        if self.choose.chance(25):
            conditions.append(self.restriction(relation.columns))
        while self.choose.chance(18) and self.sources > 0 and depth < 3:
            conditions.append(self.sublink(relation.columns, depth))
        if self.choose.chance(1):
            conditions.append(self.call())
        where = f' WHERE {" AND ".join(conditions)}' if conditions else ''
        return f' FROM {relation.sql}{where}', relation.columns

    def total(self, columns):
        return ', '.join(c.shown for c in columns)

    def subquery(self, depth, outer=()):
        """A relation that is a select of its own; outer makes it LATERAL."""
        kind = self.choose.pick(('group', 'distinct', 'on', 'window', 'limit', 'plain', 'sets') + (('volatile',) if self.choose.chance(25) else ())
                                + (() if outer else ('setop', 'setop', 'shared', 'whole', 'either')))
        if kind == 'setop':
            return self.set_operation(depth)
        if kind == 'shared':
            return self.with_query(depth)
        if kind == 'whole':
            return self.whole()
        if kind == 'either':
            return self.either()
        source, columns = self.source(depth + 1, outer)
        lateral = 'LATERAL ' if outer else ''
        keys = self.some(columns, 3)
        listed = ', '.join(c.sql for c in keys)
        if kind in ('group', 'sets'):
            extra = ['count(*)']
            numbers = [c for c in columns if c.family == 'int']
            if numbers:
                extra.append(f'sum({self.choose.pick(numbers).sql})::int8')
            grouped = listed
            if kind == 'sets' and len(keys) > 1:
                grouped = self.choose.pick((f'ROLLUP ({listed})', f'GROUPING SETS (({listed}), ({keys[0].sql}))'))
            having = f' HAVING count(*) > {self.choose.below(3)}' if self.choose.chance(20) else ''
            return self.derived(f'SELECT {listed}, {", ".join(extra)}{source} GROUP BY {grouped}{having}',
                                self.spoiled(keys), extra, lateral)
        if kind == 'distinct':
            return self.derived(f'SELECT DISTINCT {listed}{source}', self.spoiled(keys), (), lateral)
        more = self.some(columns, 3)
        both = ', '.join(c.sql for c in keys + more)
        if kind == 'on':
            ordered = [c for c in keys if FAMILIES[c.family].orderable] or keys
            on = ordered[0].sql
            return self.derived(f'SELECT DISTINCT ON ({on}) {both}{source} ORDER BY {on}, {self.total(keys + more)}',
                                self.spoiled(keys + more), (), lateral)
        if kind == 'window':
            function = self.choose.pick(('count(*)', 'row_number()', 'rank()'))
            part = f'PARTITION BY {listed}' if self.choose.chance(75) else ''
            order = '' if function == 'count(*)' else f' ORDER BY {self.total(keys + more)}'
            return self.derived(f'SELECT {both}, {function} OVER ({part}{order}){source}', keys + more, (function,), lateral)
        if kind == 'limit':
            return self.derived(f'SELECT {both}{source} ORDER BY {self.total(keys + more)} LIMIT {self.choose.pick((100, 5, 1))}'
                                f' OFFSET {self.choose.pick((0, 0, 3))}', self.spoiled(keys + more), (), lateral)
        if kind == 'volatile':
            self.volatile = True
            return self.derived(f"SELECT {both}, (nextval('calls') > 0)::int{source}", keys + more, ('volatile',), lateral)
        return self.derived(f'SELECT {both}{source} OFFSET 0', keys + more, (), lateral)

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
        source, seen = self.source(depth + 1, columns)
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

    #
    # The whole
    #

    def query(self):
        self.mode = self.choose.pick(('plain',) * 9 + ('rows', 'cursor', 'hold', 'prepared', 'prepared', 'table',
                                                       'exists', 'first', 'delete', 'update', 'lock'))
        settings = self.settings()
        if self.mode in ('delete', 'update'):
            text = self.change()
        else:
            text = self.select()
        if self.with_queries:
            text = f'WITH {", ".join(self.with_queries)} {text}'
        if self.sampled:
            settings.update(join_collapse_limit='1', from_collapse_limit='1')
        return Query(text, self.mode, settings, self.volatile, self.sampled, self.choose.made)

    def outputs(self, columns):
        listed = [c.shown for c in self.some(columns, 5)]
        if self.choose.chance(10) and self.mode != 'lock' and self.sources > 0:
            source, seen = self.source(2, columns)
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
            numbers = [c for c in columns if c.family == 'int']
            ordered = [c for c in columns if FAMILIES[c.family].orderable and c.family in ('int', 'num', 'day', 'chr', 'flt')]
            listed = [c.shown for c in keys] + ['count(*)']
            if numbers:
                listed.append(f'sum({self.choose.pick(numbers).sql})')
            if ordered:
                column = self.choose.pick(ordered)
                listed.append(FAMILIES[column.family].shown.format(f'min({column.sql})'))
            grouped = ', '.join(c.sql for c in keys)
            if self.choose.chance(10):
                grouped = f'CUBE ({grouped})'
            text = ', '.join(f'{sql} AS o{n}' for n, sql in enumerate(listed))
            return f'SELECT {text}{source} GROUP BY {grouped}'
        outputs = self.outputs(columns)
        plain = [c for c in outputs if 'nextval' not in c]
        if kind == 'distinct':
            return f'SELECT DISTINCT {", ".join(outputs)}{source}'
        if kind == 'window':
            order = ', '.join(sql.rsplit(' AS ', 1)[0] for sql in plain)
            part = self.choose.pick(columns).sql
            return (f'SELECT {", ".join(outputs)}, row_number() OVER (PARTITION BY {part} ORDER BY {order}) AS o_w{source}')
        if kind == 'order' and self.mode != 'first':
            order = ', '.join(sql.rsplit(' AS ', 1)[1] for sql in outputs)
            limit = self.choose.pick(('', ' LIMIT 10', ' LIMIT 1', ' OFFSET 5', ' LIMIT 100 OFFSET 2'))
            return f'SELECT {", ".join(outputs)}{source} ORDER BY {order}{limit}'
        return f'SELECT {", ".join(outputs)}{source}'

    def change(self):
        """A DELETE or UPDATE with joins; it is rolled back."""
        name = self.choose.pick(USED)
        self.sources -= 1
        alias = self.name()
        columns = [Column(f'{alias}.{c.name}', c.family) for c in self.tables[name]]
        source, _ = self.source(1, columns)
        if self.mode == 'delete' and self.choose.chance(60) and source.startswith(' FROM '):
            return f'DELETE FROM {name} AS {alias} USING {source[6:]} RETURNING {alias}.id'
        condition = f'EXISTS (SELECT 1{source})'
        if self.mode == 'delete':
            return f'DELETE FROM {name} AS {alias} WHERE {condition} RETURNING {alias}.id'
        return f'UPDATE {name} AS {alias} SET c_int = c_int WHERE {condition} RETURNING {alias}.id'

    def settings(self):
        """Most queries get no other joins than hash joins."""
        settings = {}
        if not self.choose.chance(20):
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
                                     ('enable_gathermerge', 'off', 20), ('from_collapse_limit', '1', 10)):
            if self.choose.chance(percent):
                settings[name] = value
        return settings


def make(columns, seed=None, given=None):
    """The query of a seed or of a list of choices, or None where that leads nowhere."""
    choices = Choices(seed, given)
    try:
        return Maker(choices, columns).query()
    except Limits:
        return None
