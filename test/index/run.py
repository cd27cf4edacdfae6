"""Do filter indexes lose rows?  Random tables are made, changed and asked.

Each table lives by life.py, every second one by keys.py, some by groups.py.  After some changes the rows of random conditions
are compared: found with the indexes, and by reading the whole table.  And the
indexes are checked by bloom_index_check().

The server is found by the PG* environment variables.
"""
import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / 'test'), str(ROOT / 'script' / 'python')]
import scratch
from groups import GroupLife
from keys import KeyLife
from life import Life
from session import Failure, Session

SETUP = ('SET jit = off', 'SET enable_indexscan = off', "SET plan_cache_mode = force_custom_plan",
         "SET maintenance_work_mem = '1MB'")
WITH = ('SET enable_seqscan = off', 'SET enable_bitmapscan = on')
WITHOUT = ('SET enable_seqscan = on', 'SET enable_bitmapscan = off')
MISSING = """SELECT coalesce(sum(bloom_index_check(indexrelid)), 0) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
 WHERE relkind = 'i' AND relname LIKE '%{}\\_%' AND relam = (SELECT oid FROM pg_am WHERE amname = 'bloomfilter')"""
# How many groups the covers of its indexes have, and how many covers there are
COVERS = """SELECT coalesce(sum(i.covered_groups), 0), coalesce(sum(i.covers), 0) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
 CROSS JOIN bloom_index_info(indexrelid::regclass) i WHERE indrelid = '{}'::regclass AND indisvalid AND i.scope = 'ranges'"""

# Of so many tables, one has many groups.
MANY_GROUPS = 30
# Conditions that no index is used for: those that compare other expressions.
LEAST_USED = 0.4


class Lost(Exception):
    pass


class Counts:
    def __init__(self):
        self.queries = 0
        self.used = 0
        self.rows = 0
        self.statements = 0
        self.covers = 0


def settings(session, statements):
    for statement in statements:
        session.rows(statement)


def compare(session, life, counts):
    condition = life.condition()
    query = f'SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)), 0) FROM {life.name} t WHERE {condition}'
    settings(session, WITH)
    counts.used += 'Bitmap Index Scan' in session.text(f'EXPLAIN {query}')
    found = session.rows(query)
    settings(session, WITHOUT)
    there = session.rows(query)
    counts.queries += 1
    counts.rows += int(there[0][0])
    if found != there:
        raise Lost(f'{found[0][0]} rows instead of {there[0][0]}: {condition}')


def check(session, life):
    missing = session.value(MISSING.format(life.name))
    if missing != '0':
        raise Lost(f'{missing} rows are missing in the indexes')


def make_life(seed):
    if seed % MANY_GROUPS == 21:
        return GroupLife(seed)
    return KeyLife(seed) if seed % 2 == 0 else Life(seed)


def live(session, seed, counts):
    """Returns the statements so far, and what went wrong."""
    life = make_life(seed)
    done = []
    covers = []
    try:
        for statement in life.create():
            done.append(statement)
            session.rows(statement)
        for _ in range(life.random.randint(2, 8)):
            settings(session, WITH if life.random.random() < 0.5 else WITHOUT)
            for statement in life.changes():
                done.append(statement)
                session.rows(statement)
                counts.statements += 1
                if life.random.random() < 0.2 and not statement.startswith('ROLLBACK'):
                    compare(session, life, counts)
            check(session, life)
            if isinstance(life, GroupLife):
                covers.append(session.rows(COVERS.format(life.name)))
            for _ in range(4):
                compare(session, life, counts)
        counts.covers += sum(old != new for old, new in zip(covers, covers[1:]))
        session.rows(f'DROP TABLE {life.name}')
    except (Lost, Failure) as error:
        return done, error
    return done, None


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--tables', type=int, default=60)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args(arguments)
    counts = Counts()
    start = time.time()
    wrong = 0
    with scratch.database():
        scratch.query("CREATE EXTENSION bloomfilter; CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')")
        for seed in range(options.seed, options.seed + options.tables):
            with Session(scratch.NAME) as session:
                settings(session, SETUP)
                done, error = live(session, seed, counts)
            if error is not None:
                wrong += 1
                scratch.report(False, f'the table of seed {seed}', ';\n'.join(done) + f';\n{error}')
    print(f'# {options.tables} tables, {counts.statements} changes, {counts.queries} queries, {counts.used} by index, '
          f'{counts.rows} rows; covers changed {counts.covers} times; {time.time() - start:.0f} s')
    scratch.report(wrong == 0, 'every row was found')
    scratch.report(counts.used >= LEAST_USED * counts.queries, 'the indexes were used')
    if options.tables >= 2 * MANY_GROUPS:
        scratch.report(counts.covers > 0, 'indexes had other covers after a change')
    return scratch.exit_code()
