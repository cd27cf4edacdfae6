"""A scratch database, and reports of checks, for the check_* scripts beside.

The server is found by psql, through the usual PG* environment variables.
"""
import contextlib
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'script', 'python'))
from session import Session

# What values and messages look like must not depend on who runs the checks.
os.environ.update(LC_ALL='C', PGCLIENTENCODING='UTF8', PGTZ='UTC', PGDATESTYLE='ISO',
                  PGOPTIONS=os.environ.get('PGOPTIONS', '') + ' -c lc_messages=C')

MAINTENANCE = os.environ.get('PGDATABASE', 'postgres')
NAME = f'bloomfilter_check_{os.getpid()}'

checks = 0
failures = 0
session = None              # what query() runs in, if not in a psql for each


def psql(script, *options, database=NAME, directory=None):
    """Run a script; its output, with the errors where a user would see them."""
    return subprocess.run(['psql', '-X', '-q', *options, '-d', database], input=script, cwd=directory,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')


def query(script, database=NAME):
    """The rows of a script that must not fail, as lists of strings."""
    if session and database == NAME:
        return query_in_session(script)
    done = psql(script, '-A', '-t', '-F', '\x1f', '-v', 'ON_ERROR_STOP=1', database=database)
    if done.returncode != 0:
        raise RuntimeError(f'{done.stdout}in: {script[:1000]}')
    return [line.split('\x1f') for line in done.stdout.splitlines()]


def query_in_session(script):
    """The same in the one session, in which nothing stays from the script before."""
    # from a file: else each of the two may wait for the other to read what it writes
    with tempfile.NamedTemporaryFile('w', encoding='utf-8') as file:
        file.write(f'DISCARD ALL;\n{script}\n;\n')
        file.flush()
        return session.rows(f'\\i {file.name}')


@contextlib.contextmanager
def one_session():
    """Run queries by one psql: to start one, and a server process, takes longer than most of them."""
    global session
    session = Session(NAME)
    try:
        yield
    finally:
        session.close()
        session = None


@contextlib.contextmanager
def database(locale="LOCALE_PROVIDER libc LOCALE 'C'"):
    # the locale is a part of what the documents show
    try:
        query(f"CREATE DATABASE {NAME} TEMPLATE template0 ENCODING 'UTF8' {locale}", database=MAINTENANCE)
    except RuntimeError as error:
        raise SystemExit(f'cannot create a scratch database: {error}') from None
    try:
        yield
    finally:
        query(f'DROP DATABASE {NAME}', database=MAINTENANCE)


def report(passed, name, why=''):
    global checks, failures
    checks += 1
    failures += not passed
    print(('ok - ' if passed else 'not ok - ') + name, flush=True)
    if not passed:
        for line in str(why).splitlines():
            print('#   ' + line, flush=True)


def exit_code():
    print(f'# {checks} checks, {failures} failed')
    return 1 if failures or not checks else 0
