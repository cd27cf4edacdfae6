"""A connection to the server that PG* environment variables name, for the tests beside."""
import os
import unittest

import installed  # noqa: F401

try:
    import psycopg
    from pg_bloomfilter.psycopg import register
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

DATABASE = f'bloomfilter_python_{os.getpid()}'


def available():
    return 'PGHOST' in os.environ or 'PGDATABASE' in os.environ


def setUpModule():
    """A database of its own for each module of tests, which must import this."""
    if not available():
        raise unittest.SkipTest('PGHOST is not set: no server')
    with psycopg.connect(autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' "
                           "LOCALE_PROVIDER libc LOCALE 'C'")
    with connect(registered=False) as connection:
        connection.execute('CREATE EXTENSION bloomfilter')


def tearDownModule():
    with psycopg.connect(autocommit=True) as connection:
        connection.execute(f'DROP DATABASE {DATABASE} WITH (FORCE)')


def connect(registered=True):
    connection = psycopg.connect(dbname=DATABASE, autocommit=True, options='-c TimeZone=UTC -c lc_messages=C')
    if registered:
        register(connection)
    return connection
