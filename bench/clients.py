#!/usr/bin/python3
"""Measures the client for Python: values tested and added per second, by one thread.

    bench/clients.py [--seconds SECONDS] [--large]

with the package installed from clients/python.  Each figure is the best of five runs, of so many seconds
together: filters of a size within the processor's caches and beyond them, half of the values being members.
--large instead takes a filter of 100 million values from the server that PG* environment variables name, and
tests all of them: about a minute, and 2 GB of memory.
"""
import argparse
import time

import numpy as np
from pg_bloomfilter import Filter

RUNS = 5

# Values that are tested in turn: enough that their lines of the filter are not just a few.
VALUES = 1 << 18

LARGE = 10**8


def measure(test, count, seconds):
    """The most values per second that test(), which takes so many, achieves."""
    best = 0
    test()
    for _ in range(RUNS):
        start, done, elapsed = time.perf_counter(), 0, 0
        while elapsed < seconds / RUNS:
            test()
            done += count
            elapsed = time.perf_counter() - start
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


def measure_values(seconds):
    f = Filter(100000)
    f.update(range(100000))
    numbers = list(range(50000, 150000))
    report('value in f, int', measure(lambda: [number in f for number in numbers], len(numbers), seconds))
    report('f.add(value), int', measure(lambda: [f.add(number) for number in numbers[:50000]], 50000, seconds))
    report('contains(list), int', measure(lambda: f.contains(numbers), len(numbers), seconds))
    texts = [f'key {number}' for number in numbers]
    f = Filter(100000)
    f.update(texts[:50000])
    report('value in f, str', measure(lambda: [text in f for text in texts], len(texts), seconds))
    for what, array in (('object array of str', np.array(texts, dtype=object)), ('U array', np.array(texts))):
        report(f'contains({what})', measure(lambda: f.contains(array), len(texts), seconds))
    dates = np.arange(len(numbers)).astype('M8[s]')
    f = Filter(100000)
    f.update(dates[:50000])
    report('contains(datetime64 array)', measure(lambda: f.contains(dates), len(dates), seconds))


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
        measure_values(arguments.seconds)


main()
