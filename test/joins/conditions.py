"""Random conditions on columns of relations."""
import skips
from choices import Limits
from tables import FAMILIES, SMALL


class Conditions:
    """Makes conditions of choices."""

    def __init__(self, choices, columns):
        self.choose = choices
        self.tables = columns
        self.names = 0
        self.sources = 1 + 1 + self.choose.below(7)     # tables that may still be used
        self.with_queries = []
        self.shared = []
        self.volatile = False
        self.sampled = False
        self.correlated = 0                             # sub-selects around what is being made that see outer columns
        self.mode = 'plain'
        self.skips = ''                                 # are there tables of which a part can be skipped?

    def name(self, prefix='r'):
        self.names += 1
        return f'{prefix}{self.names}'

    #
    # Conditions
    #

    def number(self, most):
        """A small constant, or the parameter of a prepared statement."""
        if self.mode in ('prepared', 'changing') and self.choose.chance(60):
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
        if self.skips and self.choose.chance(30):       # keys that are near each other
            first = self.choose.below(1000)
            return f'{number} BETWEEN {first} AND {first + self.choose.pick((5, 40, 100, 300))}'
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
        if a.family == 'int' and self.choose.chance(10):        # never out of range: without filters, it may not be computed
            return f'{a.sql} # {self.choose.below(3)} = {b.sql}'
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
            known = [p for p in large if p[0].family in skips.FAMILIES] if self.skips and self.choose.chance(60) else []
            conditions.append(self.equality(self.choose.pick(known or large)))
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

