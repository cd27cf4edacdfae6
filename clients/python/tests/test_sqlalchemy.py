"""SQLAlchemy, with the driver psycopg2 and, from 2.0 on, psycopg."""
import datetime as dt
import unittest
import uuid

import server
from pg_bloomfilter import Filter
from server import setUpModule, tearDownModule  # noqa: F401

try:
    import sqlalchemy as sa
    from pg_bloomfilter.sqlalchemy import Bloomfilter
    from sqlalchemy.orm import Session, declarative_base
except ImportError:
    raise unittest.SkipTest('SQLAlchemy is not there') from None

VALUES = (7, 'Zoë', 0.5, True, b'\x00ab', uuid.UUID(int=5), dt.date(2024, 2, 29), dt.time(12, 34, 56, 789),
          dt.datetime(2024, 2, 29, 12, 34, 56, 789), dt.datetime(2024, 2, 29, 12, tzinfo=dt.timezone.utc))


def drivers():
    for driver in 'psycopg2', 'psycopg':
        try:
            sa.create_engine(f'postgresql+{driver}://')
        except (ImportError, sa.exc.NoSuchModuleError):
            continue
        yield driver


def filter_of(*members):
    result = Filter(1000)
    result.update(members)
    return result


class SqlAlchemy(unittest.TestCase):
    def engines(self):
        for driver in drivers():
            engine = sa.create_engine(f'postgresql+{driver}:///{server.DATABASE}')
            yield engine
            engine.dispose()

    def setUp(self):
        if not list(drivers()):
            self.skipTest('no driver')
        self.metadata = sa.MetaData()
        self.table = sa.Table('filters', self.metadata, sa.Column('i', sa.Integer, primary_key=True),
                              sa.Column('f', Bloomfilter))

    def test_values(self):
        for engine in self.engines():
            with self.subTest(engine.driver):
                with engine.begin() as connection:
                    self.metadata.create_all(connection)
                    for i, value in enumerate(VALUES):
                        connection.execute(self.table.insert().values(i=i, f=filter_of(value)))
                    connection.execute(self.table.insert().values(i=100, f=None))
                    rows = dict(connection.execute(sa.select(self.table.c.i, self.table.c.f)).fetchall())
                    self.assertEqual(rows, {**{i: filter_of(value) for i, value in enumerate(VALUES)}, 100: None})
                    for i, value in enumerate(VALUES):
                        found, = connection.execute(sa.select(self.table.c.f.contains(value)).where(
                            self.table.c.i == i)).fetchone()
                        self.assertIs(found, True)
                    self.metadata.drop_all(connection)

    def test_expressions(self):
        for engine in self.engines():
            with self.subTest(engine.driver):
                with engine.begin() as connection:
                    self.metadata.create_all(connection)
                    connection.execute(self.table.insert(), [{'i': 1, 'f': filter_of(1, 2)}, {'i': 2, 'f': filter_of(2, 3)}])
                    f = self.table.c.f
                    for value, found in ((1, [1]), (2, [1, 2]), (4, [])):
                        self.assertEqual(connection.execute(sa.select(self.table.c.i).where(f.contains(value)).order_by(
                            self.table.c.i)).scalars().all(), found)
                    self.assertEqual(connection.execute(sa.select(self.table.c.i).where(f.contains(
                        self.table.c.i))).scalars().all(), [1, 2])
                    self.assertEqual(connection.execute(sa.select(f.union(filter_of(9))).where(
                        self.table.c.i == 1)).scalar(), filter_of(1, 2, 9))
                    self.assertEqual(connection.execute(sa.select(f.intersection(filter_of(2, 9))).where(
                        self.table.c.i == 1)).scalar(), filter_of(2))
                    self.assertEqual(connection.execute(sa.select(self.table.c.i).where(
                        f == filter_of(2, 3))).scalars().all(), [2])
                    with self.assertRaises(TypeError):
                        f.contains(object())
                    self.metadata.drop_all(connection)

    def test_orm_and_reflection(self):
        base = declarative_base(metadata=self.metadata)

        class Row(base):
            __table__ = self.table

        for engine in self.engines():
            with self.subTest(engine.driver):
                self.metadata.create_all(engine)
                with Session(engine) as session:
                    session.add(Row(i=1, f=filter_of('a')))
                    session.commit()
                    row = session.execute(sa.select(Row).where(Row.f.contains('a'))).scalar_one()
                    self.assertEqual(row.f, filter_of('a'))
                    self.assertEqual(session.execute(sa.select(Row).where(Row.f.contains('b'))).all(), [])
                reflected = sa.Table('filters', sa.MetaData(), autoload_with=engine)
                self.assertIsInstance(reflected.c.f.type, Bloomfilter)
                self.metadata.drop_all(engine)
