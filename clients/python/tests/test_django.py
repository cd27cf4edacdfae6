"""Django, with the driver that it finds."""
import copy
import datetime as dt
import decimal
import os
import pickle
import unittest
import uuid

import server
from pg_bloomfilter import Filter

try:
    import django
    # not "settings" itself, which the loader of tests would ask for its type
    from django import conf, db
    from django.core.exceptions import FieldError
    from django.db import DataError, models
    from django.test.utils import override_settings
    from pg_bloomfilter.django import BloomAdd, BloomAddAll, BloomfilterField, begin_process, next_moment
except ImportError:
    raise unittest.SkipTest('Django is not there') from None

VALUES = (42, 'Zoë', 0.5, True, b'\x00ab', uuid.UUID(int=5), dt.date(2024, 2, 29), dt.time(12, 34, 56, 789),
          dt.datetime(2024, 2, 29, 12, 34, 56, 789), dt.datetime(2024, 2, 29, 12, tzinfo=dt.timezone.utc), -2 ** 63)


def setUpModule():
    server.setUpModule()
    database = {'ENGINE': 'django.db.backends.postgresql', 'NAME': server.DATABASE}
    # two ways to one database
    conf.settings.configure(DATABASES={'default': database, 'other': dict(database)}, INSTALLED_APPS=[__name__], USE_TZ=True)
    django.setup()

    global Base, Child, Proxy, Row

    class Base(models.Model):
        name = models.TextField(default='')
        f = BloomfilterField(null=True)

        class Meta:
            app_label = 'test_django'
            abstract = True

    class Row(Base):
        g = BloomfilterField(null=True)

        class Meta:
            app_label = 'test_django'

    class Proxy(Row):
        class Meta:
            app_label = 'test_django'
            proxy = True

    class Child(Row):
        more = models.TextField(default='')

        class Meta:
            app_label = 'test_django'

    with db.connection.schema_editor() as editor:
        editor.create_model(Row)
        editor.create_model(Child)


def tearDownModule():
    db.connections.close_all()
    # so that the examples of the documents can be configured
    conf.settings._wrapped = conf.empty
    for name in db.connections:
        del db.connections[name]
    db.connections._settings = None
    for name in 'settings', 'databases':
        db.connections.__dict__.pop(name, None)
    server.tearDownModule()


class Replica:
    """Reads from one database and writes to another one."""

    def db_for_read(self, model, **hints):
        return 'other'

    def db_for_write(self, model, **hints):
        return 'default'


def filter_of(*members):
    result = Filter(1000)
    result.update(members)
    return result


class Django(unittest.TestCase):
    def setUp(self):
        Row.objects.all().delete()

    def found(self, **conditions):
        return sorted(Row.objects.filter(**conditions).values_list('pk', flat=True))

    def test_contains(self):
        for i, value in enumerate(VALUES):
            Row.objects.create(pk=i, f=filter_of(value))
        Row.objects.create(pk=100, f=None)
        for i, value in enumerate(VALUES):
            self.assertEqual(self.found(pk=i, f__contains=value), [i], value)
            self.assertEqual(Row.objects.get(pk=i).f, filter_of(value))
        self.assertEqual(self.found(f__isnull=True), [100])
        self.assertEqual(self.found(f=filter_of(42)), [0])
        self.assertEqual(self.found(f__in=[filter_of(42), filter_of('Zoë')]), [0, 1])
        # a Decimal is numeric: another type than integer, and an error, not a "no"
        with self.assertRaises(db.ProgrammingError):
            self.found(pk=0, f__contains=decimal.Decimal(42))
        with self.assertRaises(TypeError):
            self.found(f__contains=object())

    def test_contains_is_not_of_the_text(self):
        """Base64 of many filters has "42" in it; none of these has the value."""
        Row.objects.bulk_create(Row(pk=i, f=filter_of(*range(1000 * i, 1000 * i + 900))) for i in range(1, 20))
        text = [row.pk for row in Row.objects.all() if '42' in row.f.to_text()]
        self.assertTrue(text)
        self.assertLess(len(self.found(f__contains=42)), 3)
        self.assertEqual(self.found(f__contains=7042, pk=7), [7])
        for lookup in 'icontains', 'startswith', 'endswith', 'regex', 'iexact', 'gt', 'range':
            with self.assertRaises(FieldError):
                self.found(**{f'f__{lookup}': 42})

    def test_expressions(self):
        Row.objects.create(pk=1, name='a', f=filter_of(1, 2))
        Row.objects.create(pk=2, name='b', f=filter_of(5))
        Row.objects.create(pk=3, name='b', f=filter_of(3))
        self.assertEqual(self.found(f__contains=models.F('pk')), [1, 3])
        self.assertEqual(self.found(f__contains=models.F('pk') + 1), [1])
        self.assertEqual(self.found(f__contains=Row.objects.filter(name='a').values('pk')), [1])
        self.assertEqual(Row.objects.exclude(f__contains=5).count(), 2)
        Row.objects.filter(pk=3).update(f=filter_of('a', 'b'))
        self.assertEqual(self.found(f__contains=models.F('name'), pk=3), [3])

    def test_add(self):
        for i, value in enumerate(VALUES):
            Row.objects.create(pk=i, f=Filter(1000))
            Row.objects.filter(pk=i).update(f=BloomAdd('f', value))
            self.assertEqual(Row.objects.get(pk=i).f, filter_of(value))
            Row.objects.filter(pk=i).update(f=BloomAddAll('f', [value, value]))
            self.assertEqual(Row.objects.get(pk=i).f, filter_of(value))
        for mixed in [1, 2.5], [True, 5], [dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 12)]:
            with self.assertRaisesRegex(TypeError, 'values of several types'):
                BloomAddAll('f', mixed)
        Row.objects.filter(pk=0).update(f=BloomAddAll('f', []))
        Row.objects.filter(pk=0).update(f=BloomAddAll('f', [None, VALUES[0], None]))
        Row.objects.filter(pk=0).update(f=BloomAddAll('f', [None]))
        Row.objects.filter(pk=0).update(f=BloomAdd('f', models.F('pk')))
        self.assertEqual(Row.objects.get(pk=0).f, filter_of(42, 0))
        Row.objects.filter(pk=1).update(f=BloomAdd('f', models.F('name')))
        self.assertEqual(Row.objects.get(pk=1).f, filter_of('Zoë', ''))
        # another type than time
        Row.objects.filter(pk=0).update(f=filter_of(dt.time(7)))
        with self.assertRaisesRegex(db.Error, 'different types|cannot be in'):
            self.found(f__contains=dt.time(12, tzinfo=dt.timezone(dt.timedelta(hours=5))))
        Row.objects.filter(pk=0).update(f=filter_of(42, 0))
        row = Row.objects.get(pk=0)
        row.f = BloomAdd('f', 43)
        row.save()
        self.assertEqual(self.found(f__contains=43, pk=0), [0])
        Row.objects.create(pk=100, f=None)
        with self.assertRaises(DataError):
            Row.objects.filter(pk=100).update(f=BloomAdd('f', 1))

    def test_loaded_is_not_changed_in_place(self):
        Row.objects.create(pk=1, f=filter_of(1))
        row = Row.objects.get()
        with self.assertRaisesRegex(TypeError, 'BloomAdd'):
            row.f.add(2)
        with self.assertRaises(TypeError):
            row.f.update([2])
        with self.assertRaises(TypeError):
            row.f |= filter_of(2)
        with self.assertRaises(TypeError):
            row.f &= filter_of(2)
        changed = row.f.copy()
        changed.add(2)
        self.assertEqual((changed, row.f | filter_of(2), row.f), (filter_of(1, 2), filter_of(1, 2), filter_of(1)))

    def test_save_keeps_what_others_added(self):
        Row.objects.create(pk=1, f=filter_of(1))
        row = Row.objects.get()
        deferred = Row.objects.defer('f').get()
        refreshed = Row.objects.get()
        refreshed.refresh_from_db()
        self.assertIn(1, deferred.f)
        proxy = Proxy.objects.get()
        unpickled = pickle.loads(pickle.dumps(Row.objects.get()))
        copied, deeply = copy.copy(Row.objects.get()), copy.deepcopy(Row.objects.get())
        for i, mine in enumerate((row, deferred, refreshed, proxy, unpickled, copied, deeply)):
            with self.subTest(i):
                Row.objects.update(f=BloomAdd('f', 10 + i))
                mine.name = 'changed'
                mine.save()
                self.assertEqual(Row.objects.get().f, filter_of(1, *range(10, 11 + i)))

    def test_save_of_a_child_keeps_what_others_added(self):
        Child.objects.create(pk=1, f=filter_of(1))
        child = Child.objects.get()
        Row.objects.update(f=BloomAdd('f', 2))
        child.more = 'changed'
        child.save()
        self.assertEqual(Child.objects.get().f, filter_of(1, 2))

    def test_save_keeps_what_others_added_since_a_replica_was_read(self):
        Row.objects.create(pk=1, f=filter_of(1))
        with override_settings(DATABASE_ROUTERS=[Replica()]):
            row = Row.objects.get()
            self.assertEqual(row._state.db, 'other')
            Row.objects.update(f=BloomAdd('f', 2))
            row.save()
            self.assertEqual(Row.objects.get().f, filter_of(1, 2))

    def test_save_beyond_a_router_loses_nothing(self):
        """What was loaded from an archive, a row of the same key elsewhere, or nothing there, gets all the values."""
        Row.objects.create(pk=1, f=filter_of(1))
        with override_settings(DATABASE_ROUTERS=[Replica()]):
            for elsewhere, result in ((filter_of(5), filter_of(1, 5)), (None, filter_of(1))):
                Row.objects.filter(pk=1).update(f=filter_of(1))
                row = Row.objects.using('other').get()
                Row.objects.filter(pk=1).update(f=elsewhere)
                row.save(using='default')
                self.assertEqual(Row.objects.get().f, result)
            row = Row.objects.using('other').get()
            Row.objects.filter(pk=1).update(f=Filter(7))
            with self.assertRaises(DataError):
                row.save(using='default')

    def test_save_of_an_instance_made_by_hand_writes(self):
        Row.objects.create(pk=1, f=filter_of(1))
        old = Row.objects.values_list('f', flat=True).get()
        Row.objects.update(f=filter_of(2))
        Row(pk=1, f=old).save()
        self.assertEqual(Row.objects.get().f, filter_of(1))

    def test_save_writes_what_was_assigned_before_a_copy(self):
        Row.objects.create(pk=1, f=filter_of(1))
        for copied in copy.copy, copy.deepcopy, lambda row: pickle.loads(pickle.dumps(row)):
            row = Row.objects.get()
            before, row.f = row.f, None
            row.save()
            row.f = before
            copied(row).save()
            self.assertEqual(Row.objects.get().f, filter_of(1))

    def test_save_writes_what_was_kept_elsewhere(self):
        Row.objects.create(pk=1, f=filter_of(1))
        kept = pickle.dumps(Row.objects.get().f)
        Row.objects.update(f=None)
        row = Row.objects.get()
        row.f = pickle.loads(kept)
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1))

    def test_save_loses_nothing_of_another_process(self):
        """Which of both was first is not known: what is assigned is there afterwards, and what others added."""
        Row.objects.create(pk=1, f=filter_of(1))
        kept = pickle.dumps(Row.objects.get().f)
        loaded = pickle.dumps(Row.objects.get())
        begin_process()
        for elsewhere, result in (None, filter_of(1)), (filter_of(2), filter_of(1, 2)):
            Row.objects.update(f=elsewhere)
            row = Row.objects.get()
            row.f = pickle.loads(kept)
            row.save()
            self.assertEqual(Row.objects.get().f, result)
        # an instance has loaded its filters where it was
        row = pickle.loads(loaded)
        Row.objects.update(f=BloomAdd('f', 3))
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1, 2, 3))
        row = pickle.loads(loaded)
        before, row.f = row.f, None
        row.save()
        row.f = before
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1))

    def test_a_fork_is_another_process(self):
        read, write = os.pipe()
        mine = next_moment()
        child = os.fork()
        if child == 0:
            os.write(write, next_moment()[0].encode())
            os._exit(0)
        os.waitpid(child, 0)
        theirs = os.read(read, 100).decode()
        os.close(read)
        os.close(write)
        self.assertEqual(len(theirs), 32)
        self.assertNotEqual(theirs, mine[0])
        self.assertEqual(next_moment()[0], mine[0])

    def test_save_writes_what_was_loaded_before(self):
        Row.objects.create(pk=1, f=filter_of(1), g=filter_of(2))
        row = Row.objects.get()
        # of another field
        row.g = row.f
        row.save()
        self.assertEqual(Row.objects.get().g, filter_of(1))
        # something else was written since
        before, row.f = row.f, None
        row.save()
        row.f = before
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1))
        # the row was loaded since
        Row.objects.update(f=filter_of(3))
        row = Row.objects.get()
        row.f = before
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1))
        # and is loaded again
        row.refresh_from_db()
        Row.objects.update(f=BloomAdd('f', 4))
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1, 4))

    def test_save_unites_what_it_has_written(self):
        row = Row.objects.create(pk=1, f=filter_of(1))
        Row.objects.update(f=BloomAdd('f', 2))
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1, 2))
        # changed since
        row.f.add(3)
        Row.objects.update(f=BloomAdd('f', 4))
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(1, 2, 3, 4))
        # another one is written instead, once
        row.f = filter_of(5)
        row.save()
        self.assertEqual(Row.objects.get().f, filter_of(5))
        Row.objects.update(f=BloomAdd('f', 6))
        for copied in copy.copy(row), copy.deepcopy(row), pickle.loads(pickle.dumps(row)), row:
            copied.save()
            self.assertEqual(Row.objects.get().f, filter_of(5, 6))
        row, _ = Row.objects.get_or_create(pk=2, defaults={'f': filter_of(1)})
        Row.objects.filter(pk=2).update(f=BloomAdd('f', 7))
        row.save()
        self.assertEqual(Row.objects.get(pk=2).f, filter_of(1, 7))
        # of another row, which is there
        row.pk = 1
        row.save()
        self.assertEqual(Row.objects.get(pk=1).f, filter_of(1))
        # under keys that the database gives
        Row.objects.all().delete()
        with db.connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), 100)", [Row._meta.db_table])
        for row in Row.objects.create(f=filter_of(1)), *Row.objects.bulk_create([Row(f=filter_of(1))]):
            Row.objects.filter(pk=row.pk).update(f=BloomAdd('f', 2))
            row.save()
            self.assertEqual(Row.objects.get(pk=row.pk).f, filter_of(1, 2))
        # an expression is not kept, and what was added by it is not written again
        row.f = BloomAdd('f', 3)
        row.save()
        row.refresh_from_db()
        Row.objects.update(f=filter_of(5))
        row.save()
        self.assertEqual(Row.objects.get(pk=row.pk).f, filter_of(5))
        self.assertNotIn(b'BloomAdd', pickle.dumps(row))

    def test_save_writes_what_was_assigned(self):
        Row.objects.create(pk=1, f=filter_of(1))
        Row.objects.create(pk=2, f=filter_of(2))
        one, two = Row.objects.get(pk=1), Row.objects.get(pk=2)
        # from another row
        one.f = two.f
        one.save()
        self.assertEqual(Row.objects.get(pk=1).f, filter_of(2))
        # a new one
        one.f = filter_of(3)
        one.save()
        self.assertEqual(Row.objects.get(pk=1).f, filter_of(3))
        one.f = None
        one.save()
        self.assertIsNone(Row.objects.get(pk=1).f)
        # the row under another key, which is there or is not
        for pk in 1, 3:
            two = Row.objects.get(pk=2)
            two.pk = pk
            two.save()
            self.assertEqual(Row.objects.get(pk=pk).f, filter_of(2))
        # in another database
        two = Row.objects.get(pk=2)
        Row.objects.filter(pk=2).update(f=BloomAdd('f', 7))
        two.save(using='other')
        self.assertEqual(Row.objects.get(pk=2).f, filter_of(2))
        two = Row.objects.get(pk=2)
        two.f = filter_of(9)
        Row.objects.bulk_update([two], ['f'])
        self.assertEqual(Row.objects.get(pk=2).f, filter_of(9))

    def test_as_a_field(self):
        field = Row._meta.get_field('f')
        self.assertFalse(field.editable)
        self.assertEqual(field.deconstruct()[1:], ('pg_bloomfilter.django.BloomfilterField', [],
                                                   {'null': True, 'editable': False}))
        # as dumpdata and loaddata do it
        self.assertEqual(field.to_python(field.value_to_string(Row(f=filter_of('a')))), filter_of('a'))
