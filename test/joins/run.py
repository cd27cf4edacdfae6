"""Do join filters change results?  Random queries with and without them.

Every query runs without filters first.  Then in several ways with them, some
parallel, some with little memory; results are compared as multisets, and how
often a volatile function was called as well.  A query that differs is made
smaller, and told with its settings.

The server is found by the PG* environment variables.
"""
import argparse
import os
import random
import re
import sys
import time
from collections import Counter

import foreign
import queries
import skips
import tables
from modes import PORTAL, explained, statements
from wire import Connection, ConnectionLost, ServerError

PARALLEL = {'min_parallel_table_scan_size': '0', 'min_parallel_index_scan_size': '0', 'parallel_setup_cost': '0',
            'parallel_tuple_cost': '0', 'max_parallel_workers_per_gather': '2', 'parallel_leader_participation': 'on'}
SERIAL = {'max_parallel_workers_per_gather': '0'}
LITTLE = {'work_mem': '64kB'}
MUCH = {'work_mem': '64MB'}
NAME = f'bloomfilter_joins_{os.getpid()}'

# Queries that say nothing, because their result depends on chance: hardly any.
MAX_UNSTABLE = 0.02

# Slower queries than that would keep many others from being tried.
SLOW_SECONDS = 0.1

# By which a plan is known that sends a filter to another server.
SENT = 'bloomfilter_may_match('

# One of a merge join, of its outer or of its inner side.
MERGED = re.compile(r'->  Sort\n(?: +Output: .*\n)? +Sort Key: .*\n +->  (?:Parallel )?Custom Scan \(bloomfilter build\)')

MERGED_SHARE = 0.25

# One whose inner side is sorted first.
SORTED_FIRST = 'bloomfilter first'

SORTED_FIRST_SHARE = 0.08

# A merge join of any kind.
MERGE_JOIN = re.compile(r'Merge (?:\w+ )*Join')

# And one that hands filters over to workers.
HANDED = 'bloomfilter copy'

TIMEOUT = '57014'

# How much longer than others a query may take that takes too long with filters.  Those that are forced may be made anew for
# each row of a nested loop: one took 13 seconds, where script/joins allows one (PostgreSQL 15, two cores).
PATIENCE = 60


class Way:
    """A way to execute a query."""

    def __init__(self, name, filters, *settings):
        self.name = name
        self.filters = filters
        self.settings = {}
        for more in settings:
            self.settings.update(more)


# Neighbours differ in as much as they can.
WAYS = (
    Way('serial, force, 64 kB', 'force', SERIAL, LITTLE),
    Way('parallel, force, 64 MB', 'force', PARALLEL, MUCH),
    Way('serial, on, 64 kB', 'on', SERIAL, LITTLE),
    Way('parallel, force, 64 kB', 'force', PARALLEL, LITTLE),
    Way('serial, force, 64 MB', 'force', SERIAL, MUCH),
    Way('parallel, on, 64 MB', 'on', PARALLEL, MUCH),
    Way('serial, on, 64 MB', 'on', SERIAL, MUCH),
)


def ways(seed, options):
    """So many of them for each query, in turn."""
    chosen = [WAYS[(seed * options.ways + n) % len(WAYS)] for n in range(options.ways)]
    return [way for way in chosen if options.only in way.name]


class Difference(Exception):
    """Two ways to execute a query disagree."""

    def __init__(self, query, way, what):
        super().__init__(what)
        self.query = query
        self.way = way
        self.what = what


class Unstable(Exception):
    """A query whose result depends on the plan even without filters."""


class Tester:
    def __init__(self, options, columns):
        self.options = options
        self.columns = columns
        self.empty = False          # had the last query no rows?
        self.connection = None
        self.connect()

    def connect(self):
        self.connection = Connection(NAME)
        if self.options.load:
            self.connection.run(f"LOAD '{self.options.load}'")

    def filters(self, what):
        return {'off': self.options.off, 'on': self.options.on, 'force': self.options.force}[what]

    def script(self, query, filters, settings, patience=1):
        chosen = ''.join(f"SET {name} = '{value}';" for name, value in {**settings, **query.settings}.items())
        return f'RESET ROLE; RESET ALL; SET statement_timeout = {patience * self.options.timeout}; {self.filters(filters)} {chosen}'

    def execute(self, query, filters, settings, patience):
        """Multisets of rows, one for each result, and how often nextval() was called."""
        text, read = statements(query)
        start = f"{self.script(query, filters, settings, patience)} SELECT setval('calls', 1, false); "
        if query.mode == PORTAL:
            self.connection.run(start)
            results = [self.connection.few_at_a_time(text)] + self.connection.run('SELECT last_value FROM calls')
        else:
            results = self.connection.run(f'{start} {text}; SELECT last_value FROM calls')[1:]
        calls = results.pop()[0][0] if query.volatile else None
        if not query.volatile:
            results.pop()
        return [Counter(rows) for rows in read(results)], calls

    def recover(self):
        self.connection.run('ROLLBACK')
        self.connection.run('DEALLOCATE ALL')
        self.connection.run('CLOSE ALL')

    def vacuum(self, table):
        """Or else it grows by what is rolled back."""
        self.connection.run('RESET ROLE; RESET ALL')
        self.connection.run(f'VACUUM {table}')
        if 'b_moved' in table:
            self.connection.run(skips.UNSUMMARIZED)

    def attempt(self, query, filters, settings, patience=1):
        """Like execute(), with an error in the place of what it raised."""
        try:
            return self.execute(query, filters, settings, patience)
        except ServerError as error:
            self.recover()
            return error

    def plan(self, query, settings):
        """The plan with filters, or nothing where it cannot be had."""
        try:
            rows = self.connection.run(f'{self.script(query, "force", settings)} EXPLAIN (VERBOSE, COSTS OFF) {explained(query)}')[-1]
        except ServerError:
            self.recover()
            return ''
        return '\n'.join(row[0] for row in rows)

    def skipped(self, query, settings):
        """How many partitions and pages are skipped in one execution."""
        try:
            rows = self.connection.run(f'{self.script(query, "force", settings)} BEGIN; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, '
                                       f'SUMMARY OFF) {explained(query)}; ROLLBACK')[-1]
        except ServerError:
            self.recover()
            return Counter()
        found = Counter()
        for kind, number in re.findall(r'(Partitions|Pages) Skipped: (\d+)', '\n'.join(row[0] for row in rows)):
            found[kind] += int(number)
        return found

    def compare(self, query, chosen):
        """Raises Difference; returns false if the query cannot be executed at all."""
        started = time.monotonic()
        expected = self.attempt(query, 'off', {**SERIAL, **MUCH})
        if isinstance(expected, ServerError):
            if self.options.refused:
                print(f'# refused: {expected}\n{query.text}')
            return False
        if time.monotonic() - started > SLOW_SECONDS:
            chosen = [way for way in chosen if way.filters == 'force'][:1]
        for way in chosen:
            self.compare_way(query, way, expected)
        self.empty = not any(expected[0])
        return True

    def compare_way(self, query, way, expected):
        got = self.attempt(query, way.filters, way.settings)
        if query.sampled and not isinstance(got, ServerError) and got[0] == expected[0]:
            got = self.attempt(query, way.filters, way.settings)        # with other samples
        plain = expected
        if query.volatile or isinstance(got, ServerError) or got[0] != expected[0]:
            plain = self.attempt(query, 'off', way.settings)
        if isinstance(plain, ServerError):
            if isinstance(got, ServerError) and plain.sqlstate == got.sqlstate:
                return
            if plain.sqlstate == TIMEOUT:
                return
            raise Unstable(f'{way.name}: without filters: {plain}')
        if isinstance(got, ServerError) and got.sqlstate == TIMEOUT:
            got = self.attempt(query, way.filters, way.settings, PATIENCE)
        if isinstance(got, ServerError):
            raise Difference(query, way, str(got))
        if got == plain:
            return
        # by chance, since the planner looks at how large tables are, or since samples differ?
        if not self.repeats(query, 'off', way, plain):
            raise Unstable(f'{way.name}: differs from one time to the next without filters')
        if plain[0] != expected[0]:
            raise Unstable(f'{way.name}: without filters {difference(expected[0], plain[0])}')
        if got[0] != plain[0]:                  # if only now and then
            raise Difference(query, way, difference(plain[0], got[0]))
        if not query.sampled and not self.repeats(query, way.filters, way, got):
            raise Unstable(f'{way.name}: calls differ from one time to the next')
        raise Difference(query, way, f'{plain[1]} calls of a volatile function without filters, {got[1]} with')

    def repeats(self, query, filters, way, result):
        """Is this the result again, several times?"""
        return all(self.attempt(query, filters, way.settings) == result for _ in range(5))

    def fails(self, given, way):
        """The query of these choices and its difference, or nothing."""
        query = queries.make(self.columns, given=given)
        if query is None:
            return None
        try:
            self.compare(query, [way])
        except Difference as found:
            return found
        except Unstable:
            pass
        except ConnectionLost:
            self.connect_again()
            return Difference(query, way, 'the server crashed')
        return None

    def connect_again(self):
        for _ in range(120):
            time.sleep(0.5)
            try:
                self.connect()
                return
            except (OSError, ConnectionLost, ServerError):
                pass
        raise SystemExit('the server does not come back')

    def shrink(self, found):
        """The same difference with fewer or smaller choices."""
        deadline = time.monotonic() + self.options.shrink
        best = found
        progress = True
        while progress and time.monotonic() < deadline:
            progress = False
            for candidate in smaller(best.query.choices):
                if time.monotonic() > deadline:
                    break
                again = self.fails(candidate, best.way)
                if again and weight(again) < weight(best):
                    best = again
                    progress = True
                    break
        return best


def weight(found):
    return len(found.query.text) + 20 * len(found.query.settings), found.query.choices


def smaller(choices):
    """Lists of choices that are shorter or have smaller numbers."""
    size = len(choices)
    while size:
        for start in range(0, len(choices), size):
            yield choices[:start] + choices[start + size:]
            if any(choices[start:start + size]):
                yield choices[:start] + [0] * min(size, len(choices) - start) + choices[start + size:]
        size //= 2
    for place, number in enumerate(choices):
        if number > 1:
            yield choices[:place] + [number // 2] + choices[place + 1:]


def difference(expected, got):
    parts = []
    for one, other in zip(expected, got):
        missing, more = one - other, other - one
        if missing or more:
            parts.append(f'{sum(one.values())} rows, then {sum(other.values())}; '
                         f'missing {list(missing)[:3]}, too many {list(more)[:3]}')
    return '; '.join(parts) or 'other results'


def show(found, seed, tester):
    if isinstance(found.query, queries.Query):
        settings = {**found.way.settings, **found.query.settings}
        print(f'# seed {seed}, {found.way.name}, mode {found.query.mode}: {found.what}')
        print('; '.join(f"SET {name} = '{value}'" for name, value in settings.items()) + ';')
        print(statements(found.query)[0] + ';')
        print(tester.plan(found.query, found.way.settings), flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--queries', type=int, default=240)
    parser.add_argument('--seed', type=int, default=1, help='of the first query; the next has the next')
    parser.add_argument('--failures', type=int, default=5, help='stop after so many')
    parser.add_argument('--shrink', type=int, default=30, help='seconds for making a failing query smaller')
    parser.add_argument('--timeout', type=int, default=400, help='for one execution, in ms')
    parser.add_argument('--ways', type=int, default=2, help='to execute a query with filters, of seven')
    parser.add_argument('--only', default='', help='ways whose names have this in them')
    parser.add_argument('--share', type=float, default=0.5, help='of the plans that must have filters')
    parser.add_argument('--sent', type=float, default=0.005, help='of the plans that must send one to another server')
    parser.add_argument('--refused', action='store_true', help='say why queries are refused')
    parser.add_argument('--keep', action='store_true', help='keep the database')
    parser.add_argument('--prepare', default='', help='SQL for the new database')
    parser.add_argument('--load', default='bloomfilter', help='library')
    parser.add_argument('--off', default='SET bloomfilter.join_filters = off;')
    parser.add_argument('--on', default='SET bloomfilter.join_filters = on; SET bloomfilter.join_filter_min_rows = 0;')
    parser.add_argument('--force', default='SET bloomfilter.join_filters = force; SET bloomfilter.join_filter_min_rows = 0;')
    parser.add_argument('--marker', default='(bloomfilter build)', help='by which a plan with filters is known')
    return parser.parse_args()


class Counts:
    def __init__(self):
        self.tried = self.filtered = self.sent = self.handed = self.merged = self.sorted_first = self.merge_joins = self.plans = self.unstable = self.refused = self.empty = 0
        self.skipping = 0           # plans whose scans may skip
        self.skipped = Counter()
        self.skipped_by = Counter()
        self.merge_kinds = Counter()
        self.modes = Counter()
        self.kinds = Counter()


def listed(counter):
    return ', '.join(f'{name} {count}' for name, count in counter.most_common())


def try_queries(options, tester, counts):
    failures = 0
    for seed in range(options.seed, options.seed + options.queries):
        query = queries.make(tester.columns, seed=seed)
        while query is None:                    # another one in its place, always the same
            seed += 1_000_000_000
            query = queries.make(tester.columns, seed=seed)
        try:
            usable = tester.compare(query, ways(seed, options))
            if query.target:
                tester.vacuum(query.target)
            if not usable:
                counts.refused += 1
                continue
            counts.tried += 1
            counts.empty += tester.empty
            counts.modes[query.mode] += 1
            counts.kinds.update(queries.kinds(query))
            if counts.tried % 5000 == 0:
                print(f'# {counts.tried} queries, {failures} differ, {counts.filtered} of {counts.plans} plans have filters', flush=True)
            for settings in ({**SERIAL, **LITTLE}, {**PARALLEL, **MUCH}):
                plan = tester.plan(query, settings)
                if plan:
                    counts.plans += 1
                    counts.filtered += options.marker in plan
                    counts.sent += SENT in plan
                    counts.handed += HANDED in plan
                    counts.merged += MERGED.search(plan) is not None
                    counts.sorted_first += SORTED_FIRST in plan
                    counts.merge_joins += MERGE_JOIN.search(plan) is not None
                    counts.merge_kinds.update(MERGE_JOIN.findall(plan))
                    if 'Skip By' in plan:
                        found = tester.skipped(query, settings)
                        counts.skipping += 1
                        counts.skipped.update(found)
                        counts.skipped_by.update(found.keys())
        except Unstable as unstable:
            counts.unstable += 1
            print(f'# seed {seed}: unstable: {unstable}', flush=True)
        except (Difference, ConnectionLost) as found:
            failures += 1
            if isinstance(found, ConnectionLost):
                tester.connect_again()
                found = next((f for f in (tester.fails(query.choices, way) for way in ways(seed, options)) if f),
                             Difference(query, WAYS[0], 'the server crashed, once'))
            print(f'not ok - query {seed} gives the same with filters', flush=True)
            show(tester.shrink(found), seed, tester)
            if failures == options.failures:
                break
    return failures


def main():
    options = arguments()
    script, columns = tables.definition()
    maintenance = Connection()
    maintenance.run(f"DROP DATABASE IF EXISTS {NAME}")
    maintenance.run(f"CREATE DATABASE {NAME} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
    failures = 1
    counts = Counts()
    started = time.monotonic()
    try:
        making = Connection(NAME)
        making.run(script)
        making.run(foreign.definition(making, columns))
        making.run(skips.FILTER_INDEXES)
        making.run(f'VACUUM {", ".join(tables.VACUUMED)}')
        for change in skips.MOVED:
            making.run(change)
        making.run(foreign.ANALYZE + options.prepare)
        making.close()
        maintenance.run(f"ALTER DATABASE {NAME} SET jit = off")
        tester = Tester(options, columns)
        failures = try_queries(options, tester, counts)
        tester.connection.close()
    finally:
        if not options.keep:
            Connection().run(f'DROP DATABASE {NAME} WITH (FORCE)')      # the server may be another one by now
    share = counts.filtered / max(counts.plans, 1)
    if failures == 0:
        print(f'ok - {counts.tried} random queries give the same with filters')
    enough = share > options.share
    print(f'{"ok" if enough else "not ok"} - more than {options.share:.0%} of the plans have filters')
    sends = counts.sent > options.sent * counts.plans
    print(f'{"ok" if sends else "not ok"} - more than {options.sent:.1%} of the plans send a filter to another server')
    merges = counts.merged > MERGED_SHARE * counts.plans
    print(f'{"ok" if merges else "not ok"} - more than {MERGED_SHARE:.0%} of the plans have filters of merge joins')
    firsts = counts.sorted_first > SORTED_FIRST_SHARE * counts.plans
    print(f'{"ok" if firsts else "not ok"} - more than {SORTED_FIRST_SHARE:.0%} of the plans sort the inner side of a merge join first')
    usable = counts.tried > 0.8 * options.queries
    print(f'{"ok" if usable or failures else "not ok"} - more than 80% of the queries can be executed')
    stable = counts.unstable <= MAX_UNSTABLE * options.queries
    print(f'{"ok" if stable else "not ok"} - no more than {MAX_UNSTABLE:.0%} of them differ without filters')
    skipping = counts.skipped['Partitions'] > 0 and counts.skipped['Pages'] > 0
    print(f'{"ok" if skipping else "not ok"} - joins skip partitions and pages')
    print(f'# {counts.skipping} plans may skip; {counts.skipped["Partitions"]} partitions were skipped by {counts.skipped_by["Partitions"]} '
          f'of them, {counts.skipped["Pages"]} pages by {counts.skipped_by["Pages"]}')
    print(f'# {counts.tried} queries in {time.monotonic() - started:.0f} s, seeds from {options.seed}; {counts.filtered} of '
          f'{counts.plans} plans have filters ({share:.1%}), {counts.sent} send one to another server, {counts.handed} hand one over to workers, {counts.merge_joins} have merge joins, {counts.merged} filters of these, {counts.sorted_first} sort an inner side first ({listed(counts.merge_kinds)}); {counts.refused} refused, {counts.unstable} unstable, '
          f'{counts.empty} without rows; '
          f'{listed(counts.modes)}; {listed(counts.kinds)}')
    sys.exit(0 if failures == 0 and enough and sends and merges and firsts and usable and stable and skipping else 1)


if __name__ == '__main__':
    sys.dont_write_bytecode = True
    random.seed(0)
    main()
