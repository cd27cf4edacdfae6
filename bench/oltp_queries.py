"""Random queries as an application asks them, about the tables of oltp_setup.sql.

A query depends on nothing but its seed and the number of rows.  It joins one to
five tables along their keys, a star or a chain, each in some way: inner, left,
EXISTS, IN, NOT EXISTS, or a sub-select that groups it.  Conditions have many
selectivities, and the planner can estimate some of them only.  What comes back
is rows with LIMIT, in an order or not, or of a cursor, counts, groups, and
distinct values.
"""

import random
from dataclasses import dataclass
from datetime import date as Date, timedelta

ROWS = 3_000_000                # of the table item; the others are in proportion
FIRST_DAY, DAYS = Date(2020, 1, 1), 1461        # that have orders
ORDERS, BY_QUARTER = "orders", "orders_by_quarter"
ALL = 99                        # columns

# Weights are by repetition.
# Keys of one table that are in another: table, column, the other, its column.
LINKS = (("item", "order_id", ORDERS, "id"), ("item", "product_id", "product", "id"), *(("item", "day_id", "calendar", "id"),) * 2,
         (ORDERS, "customer_id", "customer", "id"), *((ORDERS, "day_id", "calendar", "id"),) * 2, ("customer", "signup", "calendar", "day"))
ROOTS = ("item",) * 4 + (ORDERS,) * 4 + ("customer", "product", "calendar", "calendar")
SIZES = (1,) + (2,) * 4 + (3,) * 6 + (4,) * 6 + (5,) * 4
TO_ONE = ("inner",) * 10 + ("left",) * 2 + ("exists",) * 2 + ("in", "not exists", "not exists")
TO_MANY = ("inner",) * 8 + ("left",) * 2 + ("exists",) * 4 + ("in", "in", "not exists", "not exists", "not exists", "grouped")
# Where a second expansion would give every pair of rows.
SEMI = ("exists", "exists", "in", "not exists", "grouped")
FORMS = ("limit",) * 20 + ("order",) * 10 + ("cursor",) * 10 + ("count", "count", "sums", "group", "distinct", "above")
PAGES = (1, 10, 20, 50, 100, 200, 500, 1000)    # rows of a page

# What is shown, sorted, grouped by, of few values and of many, and summed.
SHOWN = {"calendar": ("id", "day", "label", "weekday"), "customer": ("id", "email", "address", "region"),
         "product": ("id", "name", "price", "brand"), ORDERS: ("id", "total", "status", "note"),
         "item": ("order_id", "line", "cents", "note")}
SORTED = {"calendar": (("day",), ("id DESC",), ("label",)), "customer": (("id",), ("signup DESC",), ("email",), ("address",)),
          "product": (("id",), ("category",), ("price DESC", "name")), ORDERS: (("id",), ("id DESC",), ("id DESC",), ("day_id DESC",), ("total DESC",)),
          "item": (("order_id DESC",), ("order_id DESC",), ("order_id", "line"), ("day_id",), ("cents DESC",))}
NEWEST = {ORDERS: "id DESC", "item": "order_id DESC, line"}
FEW = {"calendar": ("year", "month", "weekday"), "customer": ("region", "segment", "kind"), "product": ("category", "department"),
       ORDERS: ("status", "channel"), "item": ("quantity",)}
MANY = {"calendar": ("day",), "customer": ("id", "city", "signup"), "product": ("id", "brand"), ORDERS: ("customer_id", "day_id"),
        "item": ("product_id", "order_id", "day_id")}
SUMMED = {"calendar": "weekday", "customer": "kind", "product": "price", ORDERS: "total", "item": "cents"}


@dataclass
class Query:
    seed: int
    sql: str
    form: str
    tables: int
    fetched: int = 0                # so many rows, through a cursor
    sure: int = ALL                 # first columns that do not depend on the plan; the number of rows never does


@dataclass
class Source:
    table: str
    name: str                       # as it stands after FROM
    alias: str
    expands: bool                   # may each row get many of another table?
    key: str = ""                   # of a sub-select that groups: its only column beside n

    def column(self, name):
        return f"{self.alias}.{name}"


class Maker:
    def __init__(self, seed, rows):
        # Of Python's random numbers only these are the same in every version.
        self.random = random.Random(seed).random
        self.orders, self.customers, self.products = rows // 3, rows // 6, rows // 30
        # Conditions agree with one another: they are about the same time, which is often not long ago, the same place and goods.
        self.when = self.below(DAYS) if self.chance(50) else DAYS - self.magnitude(DAYS)
        self.region, self.category = self.magnitude(51) - 1, self.magnitude(201) - 1
        self.sources, self.joins, self.where = [], [], []
        self.tables = 0
        self.linked = set()

    #
    # Choices
    #

    def below(self, number):
        return int(self.random() * number)

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def chance(self, percent):
        return self.random() < percent / 100

    def magnitude(self, most):
        """From 1 to most, 1 to 10 as often as 10 to 100."""
        return int(most ** self.random())

    def around(self, middle, most):
        """A range of at most so many, with this in it."""
        return self.of_width(self.magnitude(most), middle)

    def of_width(self, width, middle):
        start = middle - self.below(width)
        return start, start + width - 1

    def some(self, make):
        return ", ".join(str(make()) for _ in range(2 + self.magnitude(20)))

    #
    # Conditions.  Of correlated columns two at a time; of expressions the planner knows nothing.
    #

    def ordered_then(self):
        """An order of that time."""
        return 1 + int((self.when + self.random()) / DAYS * (self.orders - 1))

    def of_calendar(self, a):
        # a day, a week, a month, a quarter, a year
        low, high = self.around(self.when, 400) if self.chance(30) else self.of_width(self.pick((1, 7, 30, 90, 182, 365)), self.when)
        day = FIRST_DAY + timedelta(self.when)
        year, month = day.year, day.month
        return (f"{a}.id BETWEEN {low} AND {high}", f"{a}.day BETWEEN {date(low)} AND {date(high)}",
                f"{a}.day BETWEEN {date(low)} AND {date(high)} AND extract(year FROM {a}.day) = {year}", f"{a}.day >= {date(low)} AND {a}.year = {year}",
                f"{a}.year = {year} AND {a}.month = {month}", f"{a}.year = {year} AND {a}.quarter = {(month + 2) // 3} AND {a}.month = {month}",
                f"to_char({a}.day, 'YYYY-MM') = '{year}-{month:02}'", f"date_trunc('month', {a}.day) = date '{year}-{month:02}-01'",
                f"{a}.holiday AND {a}.year = {year}", f"{a}.weekday = {day.isoweekday()} AND {a}.id BETWEEN {low} AND {high}",
                f"{a}.id = {self.when}", f"{a}.id IN ({self.some(lambda: self.below(DAYS))})", f"{a}.year = {year}",
                f"{a}.id BETWEEN {low} AND {high} AND {a}.label LIKE '%{day:%B} {year}'")

    def of_customer(self, a):
        low, high = self.around(self.magnitude(self.customers), self.customers // 10)
        first, last = self.around(self.when, 400)
        kind = self.below(101)
        return (f"{a}.id = {self.magnitude(self.customers)}", f"{a}.id BETWEEN {low} AND {high}",
                f"{a}.id IN ({self.some(lambda: self.magnitude(self.customers))})", f"{a}.signup BETWEEN {date(first)} AND {date(last)}",
                f"extract(year FROM {a}.signup) = {(FIRST_DAY + timedelta(self.when)).year}", f"{a}.region = {self.region}",
                f"{a}.region = {self.region} AND {a}.city = {self.region * 10 + self.below(11)}", f"{a}.city = {self.region * 10 + self.below(11)}",
                f"{a}.kind = {kind}", f"{a}.kind < {self.magnitude(100)}", f"{a}.segment = '{self.pick(('consumer', 'company', 'partner'))}'",
                f"{a}.segment = 'partner' AND {a}.kind > {95 + self.below(5)}", f"{a}.kind + {a}.region = {kind + self.region}",
                f"upper({a}.email) LIKE '{self.pick('0123456789ABCDEF')}{self.pick(('', '7', 'B'))}%'", f"{a}.id % {2 + self.magnitude(500)} = 1")

    def of_product(self, a):
        low, high = self.around(1 + self.below(self.products), self.products // 5)
        price = self.magnitude(20000)
        return (f"{a}.id = {self.popular()}", f"{a}.id BETWEEN {low} AND {high}", f"{a}.category = {self.category}",
                f"{a}.department = {1 + self.category // 10}", f"{a}.department = {1 + self.category // 10} AND {a}.category = {self.category}",
                f"{a}.brand = 'Brand {self.magnitude(500)}'", f"{a}.brand IN ('Brand {self.below(501)}', 'Brand {self.below(501)}')",
                f"{a}.price < {100 + price}", f"{a}.price > {price} AND {a}.category < {self.category + 10}",
                f"{a}.price % {2 + self.magnitude(100)} = 0", f"{a}.name LIKE '%{self.pick(('a', 'ab', 'abc', 'abcd'))}%'")

    def popular(self):
        return 1 + self.magnitude(self.products) * 7919 % self.products

    def of_orders(self, a):
        low, high = self.around(self.ordered_then(), self.orders // 5)
        first, last = self.around(self.when, 400)
        return (f"{a}.id = {self.ordered_then()}", f"{a}.id BETWEEN {low} AND {high}", f"{a}.day_id BETWEEN {first} AND {last}",
                f"{a}.day_id >= {DAYS - self.magnitude(400)}", f"{a}.customer_id = {self.magnitude(self.customers)}",
                f"{a}.status = '{self.pick(('open', 'returned', 'done'))}'", f"{a}.status = 'returned' AND {a}.channel = 'web'",
                f"{a}.status = 'open' AND {a}.day_id > {DAYS - self.magnitude(100)}", f"{a}.channel = '{self.pick(('web', 'shop', 'phone'))}'",
                f"{a}.total > {self.magnitude(100000)}", f"{a}.total % {2 + self.magnitude(1000)} = 0",
                f"{a}.day_id / 30 = {self.when // 30}", f"{a}.note LIKE 'Order {self.pick('0123456789abcdef')}{self.pick(('', '7', 'b'))}%'")

    def of_item(self, a):
        low, high = self.around(self.ordered_then(), self.orders // 5)
        first, last = self.around(self.when, 400)
        return (f"{a}.order_id = {self.ordered_then()}", f"{a}.order_id BETWEEN {low} AND {high}", f"{a}.day_id BETWEEN {first} AND {last}",
                f"{a}.day_id >= {DAYS - self.magnitude(400)}", f"{a}.product_id = {self.popular()}",
                f"{a}.quantity = {1 + self.below(11)}", f"{a}.quantity > {self.magnitude(10)}", f"{a}.cents > {self.magnitude(30000)}",
                f"{a}.quantity * {a}.cents > {self.magnitude(300000)}", f"{a}.note LIKE '{self.pick('0123456789abcdef')}{self.pick(('', '7', 'bc'))}%'",
                f"{a}.line = {1 + self.below(3)}")

    def conditions(self, source, numbers):
        """As many as one of these numbers."""
        make = getattr(self, f"of_{source.table}")
        return [self.pick(make(source.alias)) for _ in range(self.pick(numbers))]

    #
    # Tables
    #

    def source(self, table, expands=False):
        self.tables += 1
        name = BY_QUARTER if table == ORDERS and self.chance(20) else table
        return Source(table, name, f"{table[0]}{self.tables}", expands)

    def begin(self):
        root = self.source(self.pick(ROOTS), True)
        if root.table in NEWEST and self.chance(5):
            root.name = f"(SELECT * FROM {root.name} ORDER BY {NEWEST[root.table]} LIMIT {self.magnitude(100000)})"
        self.sources.append(root)
        self.where += self.conditions(root, (0, 1, 1, 1, 2))

    def link(self, sources):
        """A way from one of these to another table: the source, its column, the table, its column, and whether that has many rows for one."""
        ways = []
        for source in sources:
            for table, column, other, other_column in LINKS:
                if source.table == table and source.key in ("", column):
                    ways.append((source, column, other, other_column, False))
                if source.table == other and source.key in ("", other_column):
                    ways.append((source, other_column, table, column, True))
        ways = [way for way in ways if (way[0].alias, *way[1:]) not in self.linked]
        if not ways:
            return None
        way = self.pick(ways)
        self.linked.add((way[0].alias, *way[1:]))
        return way

    def join(self, size):
        """One more table, or with what a sub-select joins a few more."""
        way = self.link(self.sources)
        if way is None:
            return False
        source, column, table, other_column, many = way
        kind = self.pick(SEMI if many and not source.expands else TO_MANY if many else TO_ONE)
        if kind in ("exists", "in", "not exists"):
            self.semijoin(kind, source.column(column), table, other_column, size)
        elif kind == "grouped":
            self.join_groups(source.column(column), table, other_column)
        else:
            self.join_table(kind, way)
        return True

    def join_table(self, kind, way):
        source, column, table, other_column, many = way
        other = self.source(table, many)
        if many:
            source.expands = False
        # the way back leads to the same row
        self.linked.add((other.alias, other_column, source.table, column, not many))
        self.sources.append(other)
        on = f"{other.column(other_column)} = {source.column(column)}"
        found = self.conditions(other, (0, 0, 1, 1) if many else (0, 1, 1, 1, 2))
        if kind == "left":
            self.joins.append(f"LEFT JOIN {other.name} {other.alias} ON {' AND '.join([on, *found])}")
            if self.chance(25):
                self.where.append(f"{other.column(other_column)} IS NULL")
        else:
            self.joins.append(f"JOIN {other.name} {other.alias} ON {on}")
            self.where += found

    def semijoin(self, kind, outer, table, column, size):
        inner = self.source(table)
        text, where = f"{inner.name} {inner.alias}", self.conditions(inner, (0, 1, 1, 1, 2))
        way = self.link([inner]) if self.tables < size and self.chance(40) else None
        if way:
            other = self.source(way[2])
            text += f" JOIN {other.name} {other.alias} ON {other.column(way[3])} = {inner.column(way[1])}"
            where += self.conditions(other, (1, 1, 2))
        if kind == "in":
            self.where.append(f"{outer} IN (SELECT {inner.column(column)} FROM {text}{clause(where)})")
        else:
            self.where.append(f"{kind.upper()} (SELECT FROM {text}{clause([f'{inner.column(column)} = {outer}', *where])})")

    def join_groups(self, outer, table, column):
        inner = self.source(table)
        grouped = Source(table, "", f"g{self.tables}", False, column)
        text = (f"(SELECT {inner.column(column)}, count(*) AS n FROM {inner.name} {inner.alias}{clause(self.conditions(inner, (0, 1, 1, 2)))} "
                f"GROUP BY {inner.column(column)})")
        self.joins.append(f"JOIN {text} {grouped.alias} ON {grouped.column(column)} = {outer}")
        if self.chance(30):
            self.where.append(f"{grouped.column('n')} > {self.magnitude(20)}")
        self.sources.append(grouped)

    #
    # What comes back
    #

    def columns(self, lists, number=1):
        """Some columns of what is joined."""
        listed = []
        for _ in range(number):
            source = self.pick(self.sources)
            names = (source.key, "n") if source.key else lists[source.table]
            listed.append(source.column(self.pick(names)))
        return list(dict.fromkeys(listed))

    def sorted(self):
        source = self.pick(self.sources[:1] * 2 + self.sources)
        names = self.pick(((source.key,), ("n DESC",)) if source.key else SORTED[source.table])
        return [source.column(name) for name in names]

    def summed(self):
        source = self.pick(self.sources)
        return source.column("n" if source.key else SUMMED[source.table])

    def make_limit(self, text):
        listed = ", ".join(self.columns(SHOWN, 1 + self.below(5)))
        return f"SELECT {listed}{text} LIMIT {self.pick(PAGES)}", {"sure": 0}

    def make_order(self, text):
        order = self.sorted()
        shown = [key.split()[0] for key in order] + self.columns(SHOWN, 1 + self.below(4))
        return f"SELECT {', '.join(shown)}{text} ORDER BY {', '.join(order)} LIMIT {self.pick(PAGES)}", {"sure": len(order)}

    def make_count(self, text):
        return f"SELECT count(*){text}", {}

    def make_sums(self, text):
        return f"SELECT count(*), sum({self.summed()}), min({self.columns(SHOWN)[0]}), max({self.summed()}){text}", {}

    def make_group(self, text):
        if self.chance(50):
            keys = ", ".join(self.columns(FEW, 2))
            return f"SELECT {keys}, count(*), sum({self.summed()}){text} GROUP BY {keys} ORDER BY {keys} LIMIT 1000", {}
        key, what = self.columns(MANY)[0], self.pick(("count(*)", f"sum({self.summed()})"))
        return f"SELECT {key}, {what}{text} GROUP BY {key} ORDER BY 2 DESC, 1 LIMIT {self.magnitude(100)}", {}

    def make_distinct(self, text):
        listed = ", ".join(self.columns(self.pick((FEW, MANY)), 2))
        if self.chance(50):
            return f"SELECT DISTINCT {listed}{text} LIMIT {self.pick(PAGES)}", {"sure": 0}
        return f"SELECT count(*) FROM (SELECT DISTINCT {listed}{text}) AS d", {}

    def make_cursor(self, text):
        query, more = self.pick((self.make_limit, self.make_limit, self.make_order))(text)
        return query.rsplit(" LIMIT ", 1)[0], {**more, "fetched": self.pick(PAGES)}

    def make_above(self, text):
        key = self.columns(MANY)[0]
        return f"SELECT count(*), max(number), sum(number) FROM (SELECT {key}, count(*) AS number{text} GROUP BY {key}) AS g", {}

    def query(self, seed):
        self.begin()
        size = self.pick(SIZES)
        while self.tables < size and self.join(size):
            pass
        root = self.sources[0]
        text = f" FROM {' '.join([f'{root.name} {root.alias}', *self.joins])}{clause(self.where)}"
        form = self.pick(FORMS)
        sql, more = getattr(self, f"make_{form}")(text)
        return Query(seed, sql, form, self.tables, **more)


def date(day):
    return f"date '{FIRST_DAY + timedelta(day)}'"


def clause(conditions):
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def make(seed, rows=ROWS):
    return Maker(seed, rows).query(seed)
