"""psycopg 3: parameters and columns."""
import asyncio
import unittest

import server  # first: it skips where there is no psycopg
import psycopg
from pg_bloomfilter import Filter
from pg_bloomfilter.psycopg import register, register_async, register_info
from psycopg.types import TypeInfo
from server import connect, setUpModule, tearDownModule  # noqa: F401


def filter_of(members):
    result = Filter(1000)
    result.update(members)
    return result


FILTERS = [Filter(1000), filter_of(range(5)), filter_of(range(500))]


class Psycopg(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.connection = connect()

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()

    def test_all_formats(self):
        for placeholder in '%s', '%b', '%t':
            for binary in False, True:
                for f in FILTERS:
                    back, text, nothing = self.connection.execute(
                        f'SELECT {placeholder}, ({placeholder})::text, NULL::bloomfilter', [f, f],
                        binary=binary).fetchone()
                    self.assertEqual((back, text, nothing), (f, f.to_text(), None))
                    self.assertIs(type(back), Filter)

    def test_the_type_is_known(self):
        """Without a cast, as an argument of an operator or a function."""
        self.assertEqual(self.connection.execute('SELECT %s @> 3, %s @> 7, bloom_cardinality(%s), pg_typeof(%s)::text',
                                                 [FILTERS[1]] * 4).fetchone(), (True, False, 5, 'bloomfilter'))

    def test_client_cursors(self):
        cursor = psycopg.ClientCursor(self.connection)
        self.assertEqual(cursor.execute('SELECT %s, %s @> 3', [FILTERS[1], FILTERS[1]]).fetchone(), (FILTERS[1], True))
        self.assertIn(FILTERS[1].to_text(), cursor.mogrify('SELECT %s', [FILTERS[1]]))

    def test_arrays(self):
        for binary in False, True:
            self.assertEqual(self.connection.execute('SELECT %s::bloomfilter[], %s', [FILTERS, FILTERS],
                                                     binary=binary).fetchone(), (FILTERS, FILTERS))

    def test_copy(self):
        self.connection.execute('CREATE TEMP TABLE copied (i int, f bloomfilter)')
        for form in '', ' (FORMAT BINARY)':
            with self.connection.cursor().copy('COPY copied FROM STDIN' + form) as copy:
                if form:
                    copy.set_types(['int4', 'bloomfilter'])
                for i, f in enumerate(FILTERS):
                    copy.write_row((i, f))
            self.assertEqual(self.connection.execute('SELECT f FROM copied ORDER BY i').fetchall(),
                             [(f,) for f in FILTERS])
            with self.connection.cursor().copy(f'COPY (SELECT i, f FROM copied ORDER BY i) TO STDOUT{form}') as copy:
                copy.set_types(['int4', 'bloomfilter'])
                self.assertEqual([row[1] for row in copy.rows()], FILTERS)
            self.connection.execute('TRUNCATE copied')

    def test_subclass(self):
        class Users(Filter):
            pass

        users = Users.from_bytes(FILTERS[1].to_bytes())
        self.assertEqual(self.connection.execute('SELECT %s', [users]).fetchone(), (FILTERS[1],))

    def test_another_schema(self):
        with connect(registered=False) as connection:
            connection.execute('CREATE SCHEMA ext')
            connection.execute('ALTER EXTENSION bloomfilter SET SCHEMA ext')
            try:
                with self.assertRaises(psycopg.ProgrammingError):
                    register(connection)
                register(connection, 'ext.bloomfilter')
                self.assertEqual(connection.execute('SELECT %s', [FILTERS[2]]).fetchone(), (FILTERS[2],))
            finally:
                connection.execute('ALTER EXTENSION bloomfilter SET SCHEMA public')

    def test_async(self):
        async def main():
            async with await psycopg.AsyncConnection.connect(dbname=server.DATABASE) as connection:
                await register_async(connection)
                cursor = await connection.execute('SELECT %s', [FILTERS[2]])
                self.assertEqual(await cursor.fetchone(), (FILTERS[2],))
        asyncio.run(main())

    def test_for_all_connections(self):
        register_info(TypeInfo.fetch(self.connection, 'bloomfilter'))
        with connect(registered=False) as connection:
            self.assertEqual(connection.execute('SELECT %s', [FILTERS[2]]).fetchone(), (FILTERS[2],))

    def test_unregistered(self):
        """As text, and as bytes."""
        with connect(registered=False) as connection:
            for f in FILTERS:
                text, wire = connection.execute('SELECT %s::bloomfilter::text, %s::bytea::bloomfilter::bytea',
                                                [f.to_text(), f.to_bytes()]).fetchone()
                self.assertEqual((Filter.parse(text), Filter.parse(wire)), (f, f))
