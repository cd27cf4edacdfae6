#!/usr/bin/python3
"""Measures the client for Python: values tested and added per second, by one thread.

    bench/clients.py [--seconds SECONDS] [--large]

with the package installed from clients/python.  Each figure is the best of five runs, of so many seconds of
processor time together: filters of a size within the processor's caches and beyond them, half of the values being
members; objects of Python's of all types; and filters that are lists while they grow.
--large instead takes a filter of 100 million values from the server that PG* environment variables name, and
tests all of them: about a minute, and 2 GB of memory.
"""
import argparse
import datetime as dt
import time
import uuid

import numpy as np
from pg_bloomfilter import Filter

RUNS = 5

# Values that are tested in turn: enough that their lines of the filter are not just a few.
VALUES = 1 << 18

LARGE = 10**8

# Values added to a filter for LARGE ones: it stays a list of their hashes.
SPARSE = 10**6

EPOCH = dt.datetime(2000, 1, 1)

# The i-th value of each type of Python's, 100,000 of which differ.
OBJECTS = {
    'int': int,
    'str': 'key {}'.format,
    'float': lambda i: i / 7,
    'bytes': lambda i: i.to_bytes(4, 'big'),
    'uuid.UUID': lambda i: uuid.UUID(int=i * 7919**7),
    'date': lambda i: (EPOCH + dt.timedelta(i)).date(),
    'time': lambda i: (EPOCH + dt.timedelta(microseconds=i * 79190)).time(),
    'datetime': lambda i: EPOCH + dt.timedelta(microseconds=i * 7919**2),
    'datetime, UTC': lambda i: (EPOCH + dt.timedelta(microseconds=i * 7919**2)).replace(tzinfo=dt.timezone.utc),
}


def measure(test, count, seconds):
    """The most values per second that test(), which takes so many, achieves."""
    best = 0
    test()
    for _ in range(RUNS):
        start, done, elapsed = time.process_time(), 0, 0
        while elapsed < seconds / RUNS:
            test()
            done += count
            elapsed = time.process_time() - start
        best = max(best, done / elapsed)
    return best


def report(what, rate):
    print(f'{what:<60}{rate / 1e6:>9.1f} million per second', flush=True)


def sample(members, n):
    """As many values of the members as of others, in no order."""
    values = np.concatenate([members[np.random.randint(n, size=VALUES // 2)],
                             members[np.random.randint(n, size=VALUES // 2)] + n])
    np.random.shuffle(values)
    return values


def measure_arrays(seconds):
    for n in 10**3, 10**4, 10**5, 10**6, 10**7, 10**8:
        members = np.arange(n)
        f = Filter(n)
        f.update(members)
        assert f.contains(members[:10**6]).all()
        values = sample(members, n)
        size = f'{f.info().bytes / 1024:,.0f} kB'
        report(f'contains(int64 array), {size}', measure(lambda: f.contains(values), VALUES, seconds))
        report(f'update(int64 array), {size}', measure(lambda: f.update(members[:VALUES]), min(n, VALUES), seconds))


def measure_objects(seconds):
    """Values that are objects of Python's: half of those that are tested are members."""
    for what, make in OBJECTS.items():
        values = [make(i) for i in range(100000)]
        members = values[::2]
        f = Filter(100000)
        f.update(members)
        array = np.empty(len(values), dtype=object)
        array[:] = values
        report(f'value in f, {what}', measure(lambda: [value in f for value in values], len(values), seconds))
        report(f'f.add(value), {what}', measure(lambda: [f.add(value) for value in members], len(members), seconds))
        report(f'contains(list), {what}', measure(lambda: f.contains(values), len(values), seconds))
        report(f'update(list), {what}', measure(lambda: f.update(members), len(members), seconds))
        report(f'contains(object array), {what}', measure(lambda: f.contains(array), len(values), seconds))


def measure_other_arrays(seconds):
    numbers = range(100000)
    for what, array in (('U', np.array([f'key {i}' for i in numbers])), ('datetime64', np.array(numbers).astype('M8[s]'))):
        f = Filter(100000)
        f.update(array[::2])
        report(f'contains({what} array)', measure(lambda: f.contains(array), len(array), seconds))


def measure_sparse(seconds):
    """A new filter each time: what is measured is how a list grows."""
    numbers = np.arange(SPARSE)
    np.random.shuffle(numbers)

    def at_once():
        Filter(LARGE).update(numbers)

    def piecemeal():
        f = Filter(LARGE)
        for piece in np.array_split(numbers, 1000):
            f.update(piece)

    def one_by_one(values=numbers.tolist()):
        f = Filter(LARGE)
        for value in values:
            f.add(value)

    for what, action in (('update(int64 array)', at_once), ('update(int64 array), 1000 at a time', piecemeal),
                         ('f.add(value), int', one_by_one)):
        report(f'{what}, sparse', measure(action, SPARSE, seconds))


def measure_large():
    import psycopg
    from pg_bloomfilter.psycopg import register

    def timed(what, action):
        start = time.perf_counter()
        result = action()
        print(f'{what:<60}{time.perf_counter() - start:>9.2f} s', flush=True)
        return result

    with psycopg.connect(autocommit=True) as connection:
        connection.execute('CREATE EXTENSION IF NOT EXISTS bloomfilter')
        register(connection)
        connection.execute('CREATE TEMP TABLE large AS SELECT bloom_agg(i, %s) AS f FROM generate_series(1, %s::bigint) i',
                           [LARGE, LARGE])
        f = timed('fetch and open in binary', lambda: connection.execute('SELECT f FROM large', binary=True).fetchone()[0])
        print(repr(f))
        members = np.arange(1, LARGE + 1)
        assert timed('test its 100 million values', lambda: f.contains(members)).all()
        others = timed('test 100 million others', lambda: f.contains(members + LARGE))
        print(f'{"false positives among them":<60}{others.mean():>9.4%}')
        del others
        mine = Filter(LARGE)
        timed('build the same', lambda: mine.update(members))
        assert mine == f
        text = timed('write its text form', f.to_text)
        assert timed('read that', lambda: Filter.from_text(text)) == f


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=0.5, help='for each figure (default: %(default)s)')
    parser.add_argument('--large', action='store_true')
    arguments = parser.parse_args()
    if arguments.large:
        measure_large()
    else:
        measure_arrays(arguments.seconds)
        measure_objects(arguments.seconds)
        measure_other_arrays(arguments.seconds)
        measure_sparse(arguments.seconds)


main()
