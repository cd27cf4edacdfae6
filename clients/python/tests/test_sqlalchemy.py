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
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.orm import Session, declarative_base
    from sqlalchemy.orm.exc import StaleDataError
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

    def test_arrays(self):
        """No driver knows the type, so what comes is the array's text, which others have changed as well."""
        table = sa.Table('arrays', self.metadata, sa.Column('i', sa.Integer, primary_key=True),
                         sa.Column('f', postgresql.ARRAY(Bloomfilter)), sa.Column('g', sa.ARRAY(Bloomfilter)))
        one, two = filter_of('a'), filter_of('b', 'c')
        rows = [(1, [one, None, two], [[one, two], [two, None]]), (2, [], None), (3, [None], [one])]
        for engine in self.engines():
            with self.subTest(engine.driver):
                with engine.begin() as connection:
                    self.metadata.create_all(connection)
                    for i, f, g in rows:
                        connection.execute(table.insert().values(i=i, f=f, g=g))
                    found = connection.execute(sa.select(table).order_by(table.c.i)).fetchall()
                    self.assertEqual([tuple(row) for row in found], rows)
                    with self.assertRaises(TypeError):
                        found[0].f[0].add('d')
                    bounds, = connection.execute(sa.select(sa.cast(sa.literal_column(
                        f"'[0:1]={{NULL,\"{one.to_text()}\"}}'"), postgresql.ARRAY(Bloomfilter)))).fetchone()
                    self.assertEqual(bounds, [None, one])
                    others = connection.execute(sa.select(sa.cast(['{"}', 'NULL'], postgresql.ARRAY(sa.Text)))).fetchone()
                    self.assertEqual(tuple(others), (['{"}', 'NULL'],))
                    # braces and quotes in the name of a type
                    connection.execute(sa.text(r'''CREATE TYPE "t,{\""b}" AS RANGE (SUBTYPE = integer)'''))
                    strange = sa.text(r'''SELECT ARRAY[bloom_agg('[1,2]'::"t,{\""b}")] AS f''').columns(
                        f=postgresql.ARRAY(Bloomfilter))
                    self.assertEqual(connection.execute(strange).scalar()[0].info().element_type, r'public."t,{\""b}"')
                    connection.execute(sa.text(r'''DROP TYPE "t,{\""b}"'''))
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

    def mapped(self, **options):
        base = declarative_base(metadata=self.metadata)
        return type('Row', (base,), {'__table__': self.table, **options})

    def test_added_in_the_database(self):
        row_class = self.mapped()
        for engine in self.engines():
            with self.subTest(engine.driver):
                self.metadata.create_all(engine)
                with Session(engine) as session:
                    for i, value in enumerate(VALUES):
                        session.add(row_class(i=i, f=Filter(1000)))
                        session.flush()
                        row = session.get(row_class, i)
                        row.f = row_class.f.add(value)
                        session.commit()
                        self.assertEqual(row.f, filter_of(value))
                        row.f = row_class.f.add_all([value, value])
                        session.commit()
                        self.assertEqual(row.f, filter_of(value))
                    for mixed in [1, 2.5], [True, 5], [dt.datetime(2024, 2, 29), dt.datetime(2024, 2, 29, tzinfo=dt.timezone.utc)]:
                        with self.assertRaisesRegex(TypeError, 'values of several types'):
                            row_class.f.add_all(mixed)
                    row.f = row_class.f.add_all([None, VALUES[-1], None])
                    session.commit()
                    row.f = row_class.f.add_all([])
                    session.commit()
                    self.assertEqual(row.f, filter_of(value))
                    session.execute(self.table.update().where(self.table.c.i == 0).values(
                        f=self.table.c.f.add(self.table.c.i)))
                    session.execute(self.table.update().where(self.table.c.i == 0).values(
                        f=self.table.c.f.add_all(postgresql.array([8, 9]))))
                    session.expire_all()
                    self.assertEqual(session.get(row_class, 0).f, filter_of(7, 0, 8, 9))
                    # to a NULL filter nothing is added without an error
                    session.add(row_class(i=100))
                    session.flush()
                    with self.assertRaisesRegex(sa.exc.DBAPIError, 'null filter'):
                        session.execute(self.table.update().values(f=self.table.c.f.add(7)).where(self.table.c.i == 100))
                self.metadata.drop_all(engine)

    def test_changes_in_place_are_refused(self):
        """Whatever the session would not save."""
        row_class = self.mapped()
        for engine in self.engines():
            with self.subTest(engine.driver):
                self.metadata.create_all(engine)
                with Session(engine) as session:
                    given = filter_of(1)
                    row = row_class(i=1, f=given)
                    for state in 'assigned', 'flushed', 'loaded':
                        for change in (lambda: row.f.add(2), lambda: row.f.update([2]), lambda: row.f.__ior__(filter_of(2)),
                                       lambda: row.f.__iand__(filter_of(2)), lambda: given.add(2)):
                            with self.assertRaisesRegex(TypeError, r'row\.column = Class\.column\.add\(value\)'):
                                change()
                        with self.assertRaises(TypeError):
                            row.f |= filter_of(2)
                        session.add(row)
                        (session.commit if state == 'flushed' else session.flush)()
                    self.assertEqual(row.f, filter_of(1))
                    changed = row.f.copy()
                    changed.add(2)
                    self.assertEqual((row.f | filter_of(2), row.f.shrink(1)), (changed, row.f))
                    row.f = changed
                    session.commit()
                    self.assertEqual(row.f, filter_of(1, 2))
                self.metadata.drop_all(engine)

    def test_what_is_there_without_an_assignment(self):
        """A default, and what update() gives to a row that is loaded."""
        table = sa.Table('defaults', self.metadata, sa.Column('i', sa.Integer, primary_key=True),
                         sa.Column('f', Bloomfilter, default=Filter(1000)),
                         sa.Column('g', Bloomfilter, default=lambda: Filter(1000)))
        row_class = type('Row', (declarative_base(metadata=self.metadata),), {'__table__': table})
        for engine in self.engines():
            with self.subTest(engine.driver):
                self.metadata.create_all(engine)
                with Session(engine) as session:
                    row = row_class(i=1)
                    session.add(row)
                    session.flush()
                    for filter in row.f, row.g:
                        with self.assertRaisesRegex(TypeError, r'row\.column = Class\.column\.add\(value\)'):
                            filter.add(1)
                    given = filter_of(2)
                    session.execute(sa.update(row_class).where(row_class.i == 1).values(f=given),
                                    execution_options={'synchronize_session': 'evaluate'})
                    with self.assertRaises(TypeError):
                        row.f.add(1)
                    given.add(3)
                    self.assertEqual(row.f, filter_of(2))
                    session.commit()
                    self.assertEqual((row.f, row.g), (filter_of(2), Filter(1000)))
                self.metadata.drop_all(engine)

    def test_a_time_with_a_zone_is_no_time(self):
        zoned = dt.time(12, tzinfo=dt.timezone(dt.timedelta(hours=5)))
        for engine in self.engines():
            with self.subTest(engine.driver):
                with engine.begin() as connection:
                    self.metadata.create_all(connection)
                    connection.execute(self.table.insert().values(i=1, f=filter_of(dt.time(7))))
                with engine.connect() as connection, self.assertRaisesRegex(sa.exc.DBAPIError, 'different types|cannot be in'):
                    connection.execute(sa.select(self.table.c.f.contains(zoned))).fetchall()
                self.metadata.drop_all(engine)

    def test_read_change_save(self):
        """Two sessions that read the same filter: what one has added is there, or the other one fails."""
        self.table.append_column(sa.Column('version', sa.Integer, nullable=False))
        row_class = self.mapped(__mapper_args__={'version_id_col': self.table.c.version})
        for engine in self.engines():
            with self.subTest(engine.driver):
                self.metadata.create_all(engine)
                with Session(engine) as one, Session(engine) as two:
                    one.add(row_class(i=1, f=filter_of(1)))
                    one.commit()
                    rows = one.get(row_class, 1), two.get(row_class, 1)
                    changed = [row.f.copy() for row in rows]
                    for i, (row, mine) in enumerate(zip(rows, changed)):
                        mine.add(10 + i)
                        row.f = mine
                    one.commit()
                    with self.assertRaises(StaleDataError):
                        two.commit()
                    two.rollback()
                    rows[1].f = row_class.f.add(11)
                    two.commit()
                    self.assertEqual(rows[1].f, filter_of(1, 10, 11))
                self.metadata.drop_all(engine)
