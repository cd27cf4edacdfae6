"""A scratch database, and reports of checks, for the check_* scripts beside.

The server is found by psql, through the usual PG* environment variables.
"""
import contextlib
import os
import subprocess
import tempfile

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


# How psql prints rows for a program, and ends at the first failure.
ROWS = ('-A', '-t', '-F', '\x1f', '-v', 'ON_ERROR_STOP=1')


def query(script, database=NAME):
    """The rows of a script that must not fail, as lists of strings."""
    if session and database == NAME:
        output = session.run(script)
    else:
        done = psql(script, *ROWS, database=database)
        if done.returncode != 0:
            raise RuntimeError(f'{done.stdout}in: {script[:1000]}')
        output = done.stdout
    return [line.split('\x1f') for line in output.splitlines()]


class Session:
    """One psql for many scripts."""
    END = '-- the end of this script --'

    def __init__(self):
        self.script = tempfile.NamedTemporaryFile('w', encoding='utf-8')
        self.process = subprocess.Popen(['psql', '-X', '-q', *ROWS, '-d', NAME], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')

    def run(self, script):
        """What it prints.  Nothing that a session has stays from the one before."""
        lines = []
        # from a file: else each of the two may wait for the other to read what it writes
        self.script.seek(0)
        self.script.truncate()
        self.script.write(f'DISCARD ALL;\n{script}\n;\n')
        self.script.flush()
        self.process.stdin.write(f'\\i {self.script.name}\n\\echo {self.END}\n')
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line == f'{self.END}\n':
                return ''.join(lines)
            lines.append(line)
        raise RuntimeError(f'{"".join(lines)}in: {script[:1000]}')

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.script.close()


@contextlib.contextmanager
def one_session():
    """Run queries by one psql: to start one, and a server process, takes longer than most of them."""
    global session
    session = Session()
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
