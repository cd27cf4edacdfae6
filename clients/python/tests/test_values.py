"""What a value is, without a server."""
import array
import copy
import ctypes
import datetime as dt
import decimal
import enum
import fractions
import gc
import itertools
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import uuid
import weakref

import installed  # noqa: F401
from pg_bloomfilter import BloomfilterError, BloomfilterTypeError, BloomfilterValueError, Filter
from values import FAMILIES, values

UTC = dt.timezone.utc


FLOAT_HINT = ("Give it as an int: int(value). pandas makes floats of a column of integers with missing values: "
              "dropna().astype('Int64') has the integers.")

# what an aggregate without a size has so far
UNSIZED = 'bloomfilter(1, integer, n=0, p=0.01, blocks=0, k=0, seed=0, unsized, crc=daaf41aa, LnnbZDVZvC8=)'


def filter_of(*members, family=None):
    result = Filter(1000)
    result.update(list(members), family)
    return result


class Families(unittest.TestCase):
    def test_type_tells_family(self):
        for value, family in ((True, 'boolean'), (1, 'integer'), ('1', 'text'), (1.0, 'float'), (b'1', 'bytea'),
                              (bytearray(b'1'), 'bytea'), (memoryview(b'1'), 'bytea'), (uuid.UUID(int=1), 'uuid'),
                              (dt.date(2024, 1, 1), 'date'), (dt.time(1), 'time'),
                              (dt.datetime(2024, 1, 1), 'timestamp'),
                              (dt.datetime(2024, 1, 1, tzinfo=UTC), 'timestamptz')):
            f = filter_of(value)
            self.assertEqual(f.info().element_type, family)
            self.assertIn(value, f)

    def test_no_family_takes_another(self):
        """Every pair of families: an error, but for text and bpchar."""
        for family, (_, value, wanted) in FAMILIES.items():
            f = filter_of(*values(family, 5, 15), family=wanted)
            for other, (_, other_value, other_wanted) in FAMILIES.items():
                if {family, other} <= {'text', 'bpchar'}:
                    other = family
                if other == family:
                    self.assertTrue(f.has(value(7), wanted))
                    continue
                for test in (lambda: f.has(other_value(7), other_wanted), lambda: f.add(other_value(7), other_wanted),
                             lambda: f.contains([other_value(7)], other_wanted)):
                    with self.assertRaises(BloomfilterTypeError, msg=(family, other)) as caught:
                        test()
                    self.assertEqual(caught.exception.sqlstate, '42804')

    def test_children_of_classes(self):
        class Number(int):
            pass

        class Text(str):
            pass

        class Colour(enum.IntEnum):
            RED = 7

        class Moment(dt.datetime):
            pass

        self.assertIn(Number(7), filter_of(7))
        self.assertIn(Colour.RED, filter_of(7))
        self.assertIn(Text('a'), filter_of('a'))
        self.assertIn(Moment(2024, 1, 1), filter_of(dt.datetime(2024, 1, 1)))
        for f, value in ((filter_of(1), True), (filter_of(True), 1), (filter_of(True), 0), (filter_of(0), False),
                         (filter_of(dt.date(2024, 1, 1)), dt.datetime(2024, 1, 1)),
                         (filter_of(dt.datetime(2024, 1, 1)), dt.date(2024, 1, 1)),
                         (filter_of(dt.datetime(2024, 1, 1)), dt.datetime(2024, 1, 1, tzinfo=UTC)),
                         (filter_of(1), 1.0), (filter_of(1.0), 1), (filter_of('1'), 1), (filter_of('1'), b'1')):
            with self.assertRaises(BloomfilterTypeError, msg=value):
                value in f

    def test_equal_values(self):
        self.assertIn(0.0, filter_of(-0.0))
        self.assertIn(float('nan'), filter_of(-float('nan')))
        east = dt.timezone(dt.timedelta(hours=5, minutes=45))
        self.assertIn(dt.datetime(2024, 2, 29, 5, 45, tzinfo=east), filter_of(dt.datetime(2024, 2, 29, tzinfo=UTC)))
        self.assertIn(memoryview(bytearray(b'ab')), filter_of(b'ab'))
        for view in memoryview(b'a-b-')[::2], memoryview(b'ba')[::-1], memoryview(b'ab')[:]:
            self.assertIn(view, filter_of(b'ab'))
            self.assertEqual(filter_of(view), filter_of(b'ab'))

    def test_blanks(self):
        padded = filter_of('ab  ', family='bpchar')
        for value in ('ab', 'ab ', 'ab    '):
            self.assertIn(value, padded)
            self.assertTrue(padded.has(value, family='bpchar'))
        text = filter_of('ab', 'cd ')
        self.assertNotIn('ab ', text)
        self.assertNotIn('cd', text)
        self.assertTrue(text.has('ab   ', family='bpchar'))

    def test_named_families(self):
        self.assertTrue(filter_of(2**32 - 1, family='oid').has(2**32 - 1, family='oid'))
        self.assertTrue(filter_of(uuid.UUID(int=5)).has(uuid.UUID(int=5).bytes, family='uuid'))
        self.assertTrue(filter_of('x', family='"char"').has(b'x', family='"char"'))
        for value, family, sqlstate in (
                (1, 'text', '42804'), ('1', 'integer', '42804'), (1.0, 'integer', '42804'), (True, 'integer', '42804'),
                (1, 'boolean', '42804'), (1, 'float', '42804'), (dt.date(2024, 1, 1), 'timestamp', '42804'),
                (dt.datetime(2024, 1, 1), 'date', '42804'), (dt.datetime(2024, 1, 1), 'timestamptz', '42804'),
                (dt.datetime(2024, 1, 1, tzinfo=UTC), 'timestamp', '42804'), ('a', 'bytea', '42804'),
                (b'a', 'text', '42804'), (-1, 'oid', '22003'), (2**32, 'oid', '22003'), (2**64, 'oid', '22003'),
                (b'short', 'uuid', '22P02'), ('ab', '"char"', '22P02'), ('', '"char"', '22P02'),
                ('ü', '"char"', '22P02'), (1, 'numeric', '22023'), (1, 'none', '22023'), (1, '', '22023')):
            with self.assertRaises(BloomfilterError, msg=(value, family)) as caught:
                Filter(1000).add(value, family=family)
            self.assertEqual(caught.exception.sqlstate, sqlstate, (value, family))

    def test_out_of_range(self):
        f = filter_of(1)
        for value in (2**63, -2**63 - 1, 2**100):
            with self.assertRaises(BloomfilterValueError) as caught:
                value in f
            self.assertEqual(caught.exception.sqlstate, '22003')

    def test_no_text(self):
        f = filter_of('a')
        for value in ('\ud800', 'a\udfff', 'a\0', '\0'):
            with self.assertRaises(BloomfilterValueError, msg=ascii(value)) as caught:
                value in f
            self.assertEqual(caught.exception.sqlstate, '22021')
        for action in (lambda: '\ud800' in f, lambda: Filter.from_text('\ud800'), lambda: Filter.parse('a\udcff')):
            with self.assertRaises(BloomfilterValueError) as caught:
                action()
            self.assertEqual((caught.exception.sqlstate, caught.exception.hint),
                             ('22021', "They stand for bytes that were not UTF-8 (errors='surrogateescape')."))
        with self.assertRaises(BloomfilterValueError) as caught:
            f.has('a', family='\ud800')
        self.assertEqual(caught.exception.message, 'there is no family of that name')

    def test_no_element(self):
        class Strange:
            pass

        for value in (decimal.Decimal(1), fractions.Fraction(1), 1j, [1], (1,), {1}, {}, Strange(), object, range(3),
                      dt.timedelta(1), dt.time(1, tzinfo=UTC), memoryview(array.array('i', [1])), array.array('i', [1]),
                      ctypes.c_longdouble(1)):
            for f in Filter(1000), filter_of(1):
                with self.assertRaises(BloomfilterTypeError, msg=repr(value)) as caught:
                    value in f
                self.assertEqual(caught.exception.sqlstate, '0A000')

    def test_none_is_no_value(self):
        f = filter_of(1)
        for test in (lambda: None in f, lambda: f.add(None), lambda: f.contains([1, None]), lambda: f.update([None])):
            with self.assertRaises(BloomfilterValueError) as caught:
                test()
            self.assertEqual((caught.exception.sqlstate, caught.exception.hint),
                             ('22004', 'Leave missing values out. A column of pandas has dropna() for that.'))

    def test_moments(self):
        """Fast for Python's own classes, and the same as by the attributes."""
        class Moment(dt.datetime):
            def __sub__(self, other):
                raise AssertionError('somebody else may subtract otherwise')

        class Day(dt.date):
            def __sub__(self, other):
                raise AssertionError('somebody else may subtract otherwise')

        class Summer(dt.tzinfo):
            """An hour that comes twice, as fold tells."""
            def utcoffset(self, when):
                return dt.timedelta(hours=1 if when.fold else 2, seconds=-7, microseconds=5)

            def dst(self, when):
                return None

        zones = [None, UTC, dt.timezone(dt.timedelta(hours=-23, microseconds=1)), Summer()]
        for zone in zones:
            for moment in (dt.datetime(1, 1, 2), dt.datetime(1999, 12, 31, 23, 59, 59, 999999),
                           dt.datetime(2000, 1, 1), dt.datetime(2024, 2, 29, 12, 34, 56, 789012),
                           dt.datetime(9999, 12, 30, 23, 59, 59, 999999), dt.datetime(2024, 10, 27, 2, 30, fold=1)):
                moment = moment.replace(tzinfo=zone)
                slow = Moment(*moment.timetuple()[:6], moment.microsecond, zone, fold=moment.fold)
                self.assertEqual(filter_of(moment).to_bytes(), filter_of(slow).to_bytes(), moment)
                day = moment.date()
                self.assertEqual(filter_of(day).to_bytes(), filter_of(Day(day.year, day.month, day.day)).to_bytes())
        self.assertNotEqual(filter_of(dt.datetime(2024, 10, 27, 2, 30, tzinfo=Summer())),
                            filter_of(dt.datetime(2024, 10, 27, 2, 30, tzinfo=Summer(), fold=1)))

    def test_uuids(self):
        """By "int" where it is Python's own class, else by "bytes"."""
        class Number(uuid.UUID):
            @property
            def bytes(self):
                return b'0123456789abcdef'

        for number in 0, 1, 2**63, 2**64 - 1, 2**64, 2**127, 2**128 - 1, 0x0123456789abcdef0fedcba987654321:
            self.assertEqual(filter_of(uuid.UUID(int=number)),
                             filter_of(number.to_bytes(16, 'big'), family='uuid'), hex(number))
        self.assertIn(Number(int=5), filter_of(b'0123456789abcdef', family='uuid'))
        for number, error in (2**128, OverflowError), (-1, OverflowError), ('5', AttributeError), (None, AttributeError):
            broken = uuid.UUID(int=5)
            object.__setattr__(broken, 'int', number)
            with self.assertRaises(error, msg=number):
                Filter(10).add(broken)

    def test_zone_without_offset(self):
        class Nowhere(dt.tzinfo):
            def utcoffset(self, when):
                return None

        with self.assertRaises(BloomfilterValueError):
            Filter(1000).add(dt.datetime(2024, 1, 1, tzinfo=Nowhere()))

    def test_scalars_of_c(self):
        self.assertIn(ctypes.c_int16(-5), filter_of(-5))
        self.assertIn(ctypes.c_double(0.5), filter_of(0.5))
        with self.assertRaises(BloomfilterValueError):
            ctypes.c_uint64(2**63) in filter_of(1)

    def test_datetime64_of_another_size(self):
        class Moment:
            dtype = 'datetime64[us]'

            def view(self, dtype):
                return memoryview(b'a').cast('B', shape=[])

        for operation in Filter(10).add, Filter(10).has:
            with self.assertRaises(BloomfilterTypeError):
                operation(Moment())

    def test_errors_of_values_pass(self):
        class Broken(dt.tzinfo):
            def utcoffset(self, when):
                raise KeyError('mine')

        with self.assertRaises(KeyError):
            Filter(1000).add(dt.datetime(2024, 1, 1, tzinfo=Broken()))


class Filters(unittest.TestCase):
    def test_create(self):
        self.assertEqual(Filter(n=10, p=0.5, seed=-7).info()[2:5], (10, 0.5, -7))
        self.assertEqual(Filter(10.2).info().expected_items, 11)
        for arguments, sqlstate in (((0,), '22023'), ((-1,), '22023'), ((float('nan'),), '22023'), ((10, 0), '22023'),
                                    ((10, 1), '22023'), ((10, 10**400), '22023'), ((10, float('nan')), '22023'),
                                    ((1e12,), '54000'), ((float('inf'),), '54000'), ((10**400,), '54000'),
                                    ((10, 0.01, 2**63), '22003')):
            with self.assertRaises(BloomfilterValueError, msg=arguments) as caught:
                Filter(*arguments)
            self.assertEqual(caught.exception.sqlstate, sqlstate, arguments)
        with self.assertRaises(BloomfilterValueError) as caught:
            Filter(0.01, 1000)
        self.assertEqual(caught.exception.hint,
                         'The number of values comes first, then the false positive rate: (1000, 0.01).')
        for arguments, message in ((('10',), 'n must be a number, not str'),
                                   ((None,), 'n must be a number, not NoneType'),
                                   ((10, '0.01'), 'p must be a number, not str'),
                                   ((10, 0.01, 1.5), 'seed must be an int, not float')):
            with self.assertRaises(TypeError, msg=arguments) as caught:
                Filter(*arguments)
            self.assertEqual(str(caught.exception), message)
        for arguments in (), (10, 0.01, 1, 2):
            with self.assertRaises(TypeError, msg=arguments):
                Filter(*arguments)

    def test_a_failure_leaves_it_as_it_was(self):
        f = Filter(1000)
        for values in ([None], [2**70], ['\ud800']):
            with self.assertRaises(BloomfilterValueError):
                f.update(values)
        self.assertEqual(f, Filter(1000))

    def test_forms(self):
        for n in 0, 5, 500:
            f = Filter(1000)
            f.update(range(n))
            wire, text = f.to_bytes(), f.to_text()
            self.assertEqual(bytes(f), wire)
            apart = bytearray(2 * len(wire))
            apart[::2] = wire
            for back in (Filter.from_bytes(wire), Filter.from_bytes(memoryview(wire)), Filter.from_text(text),
                         Filter.from_bytes(memoryview(apart)[::2]), Filter.parse(memoryview(apart)[::2]),
                         Filter.from_text(text.encode()), Filter.from_text(bytearray(text, 'ascii')), Filter.parse(wire),
                         Filter.parse(text), Filter.parse('\\x' + wire.hex()), copy.copy(f), copy.deepcopy(f), f.copy(),
                         *(pickle.loads(pickle.dumps(f, protocol)) for protocol in range(2, 6))):
                self.assertEqual(back, f)
                self.assertIs(type(back), Filter)
                self.assertEqual(back.to_bytes(), wire)
        for form in 1, None, [1]:
            with self.assertRaises(TypeError):
                Filter.parse(form)
        with self.assertRaises(TypeError) as caught:
            Filter.from_bytes(Filter(10).to_text())
        self.assertEqual(str(caught.exception),
                         'data must be bytes, not str: from_text() reads the text form, parse() any')
        for form in '', b'', 'bloomfilter', b'PGBF', '\ud800':
            with self.assertRaises(ValueError):
                Filter.parse(form)
        with self.assertRaises(BloomfilterValueError) as caught:
            Filter.from_bytes(b'x' * 100)
        self.assertEqual(caught.exception.sqlstate, '22P03')

    def test_errors_about_what_is_no_utf8(self):
        for form in b'\xff\xfe', b'bloomfilter(\xe9', b'x' * 63 + '\u20ac'.encode():
            for read in Filter.parse, Filter.from_text:
                with self.assertRaises(BloomfilterValueError) as caught:
                    read(form)
                self.assertEqual(caught.exception.sqlstate, '22P02')
        with self.assertRaises(BloomfilterTypeError):
            Filter(10).add(type('xx' + '\u20ac' * 1000, (), {})())

    def test_nobody_sees_one_without_a_filter(self):
        class Users(Filter):
            pass

        seen = []

        def look(frame, event, argument):
            seen.extend(o for o in gc.get_objects() if type(o) is Users)

        wire = Filter(10).to_bytes()
        for make in (lambda: Users(0), lambda: Users(10, seed=2**70), lambda: Users.parse('x'),
                     lambda: Users.from_bytes(wire[:-1])):
            sys.setprofile(look)
            try:
                with self.assertRaises(BloomfilterValueError):
                    make()
            finally:
                sys.setprofile(None)
        self.assertEqual(len(seen), 0)

    def test_shrunk_it_keeps_its_values(self):
        for count in 0, 5, 15, 900:
            f = Filter(1000)
            f.update(range(count))
            wire = f.to_bytes()
            for factor in 1, 2, 4, 5, 10, 20:
                small = f.shrink(factor)
                self.assertEqual((small.info().bits, small.info().expected_items), (10240 // factor, 1000 // factor))
                self.assertTrue(all(small.contains(list(range(count)))))
                small.add(-1)
            self.assertEqual(f.to_bytes(), wire)
            self.assertEqual(f.shrink(1), f)

    def test_what_cannot_be_shrunk(self):
        f = filter_of(1)
        for factor, sqlstate in (0, '22023'), (-1, '22023'), (3, '22023'), (2**31, '22003'), (-2**70, '22003'):
            with self.assertRaises(BloomfilterValueError, msg=factor) as caught:
                f.shrink(factor)
            self.assertEqual(caught.exception.sqlstate, sqlstate, factor)
        for factor in '2', 2.0, None:
            with self.assertRaisesRegex(TypeError, '^factor must be an int, not '):
                f.shrink(factor)

    def test_a_copy_is_independent(self):
        f = filter_of(1)
        for other in f.copy(), copy.deepcopy(f), f | f:
            other.add(2)
            self.assertNotEqual(f, other)
            self.assertEqual(len(f), 1)

    def test_sets(self):
        a, b = filter_of(*range(0, 100)), filter_of(*range(50, 150))
        self.assertEqual(a | b, filter_of(*range(0, 150)))
        self.assertEqual(a | Filter(1000), a)
        self.assertEqual(a | a, a)
        self.assertEqual(a & a, a)
        for i in range(50, 100):
            self.assertIn(i, a & b)
        c = same = a.copy()
        c |= b
        self.assertIs(c, same)
        self.assertEqual(c, a | b)
        c |= c
        self.assertEqual(c, a | b)
        c &= a
        self.assertIs(c, same)
        self.assertEqual(c, (a | b) & a)
        for other in (1, 'a', {1}, None):
            for operation in (lambda: a | other, lambda: a & other):
                with self.assertRaises(TypeError):
                    operation()
            self.assertFalse(a == other)
            self.assertTrue(a != other)

    def test_mismatches(self):
        a = filter_of(1)
        for other, sqlstate in ((filter_of('1'), '42804'), (Filter(1001000), '22023'), (Filter(1000, 0.5), '22023'),
                                (Filter(1000, seed=1), '22023')):
            for operation in (lambda: a | other, lambda: a & other):
                with self.assertRaises(BloomfilterError) as caught:
                    operation()
                self.assertEqual(caught.exception.sqlstate, sqlstate)
                self.assertIn('One ', caught.exception.detail)
            self.assertNotEqual(a, other)

    def test_no_hash(self):
        with self.assertRaises(TypeError):
            hash(Filter(1000))

    def test_length_and_truth(self):
        f = Filter(1000)
        self.assertEqual((len(f), bool(f)), (0, False))
        f.update(range(5))
        self.assertEqual((len(f), bool(f)), (5, True))
        f.update(range(500))
        self.assertEqual((len(f), bool(f)), (f.info().estimated_items, True))
        # dense, and without a bit: values of one filter have hashes, and so blocks, in the lower half only
        halves = [[i for i in range(500) if (f.hash(i) < 0) == upper] for upper in (False, True)]
        nothing = filter_of(*halves[0]) & filter_of(*halves[1])
        self.assertEqual((nothing.info().representation, len(nothing), bool(nothing)), ('dense', 0, False))
        nothing.add(1)
        self.assertTrue(nothing)

    def test_descriptions(self):
        """Short, and as fast as the filter is small."""
        f = Filter(1000)
        f.update(range(5))
        self.assertEqual(repr(f), '<Filter of integer, sparse, n=1000, p=0.01, seed=0, 5 values>')
        self.assertEqual(repr(Filter(10)), '<Filter of no type yet, sparse, n=10, p=0.01, seed=0, 0 values>')
        f.update(range(500))
        self.assertEqual(repr(f), '<Filter of integer, dense, n=1000, p=0.01, seed=0>')
        unsized = Filter.from_text(UNSIZED)
        self.assertEqual(repr(unsized), '<Filter of integer, unsized, p=0.01, seed=0, 1 values>')
        for described in f, unsized:
            self.assertEqual((str(described), f'{described}'), (repr(described), repr(described)))

    def test_memory(self):
        """What sys.getsizeof() tells grows with the filter."""
        small, large = Filter(1000), Filter(10**6)
        numbers = range(10**6 // 5)
        large.update(numbers)
        self.assertLess(sys.getsizeof(small), 1000)
        self.assertGreater(sys.getsizeof(large), large.info().bytes)
        self.assertLess(sys.getsizeof(large), large.info().bytes + 1000)
        tree = Filter(10**8)
        for number in numbers:
            tree.add(number)
        self.assertGreater(sys.getsizeof(tree), 8 * len(numbers))
        self.assertLess(sys.getsizeof(tree), 20 * len(numbers))

    def test_weak_references(self):
        f = Filter(10)
        reference = weakref.ref(f)
        self.assertIs(reference(), f)
        del f
        gc.collect()
        self.assertIsNone(reference())

    def test_subclass(self):
        class Users(Filter):
            pass

        users = Users(1000)
        users.add(1)
        users.note = 'mine'
        for other in users.copy(), users | users, users & users, Users.from_bytes(users.to_bytes()), users.__copy__():
            self.assertIs(type(other), Users)
            self.assertIn(1, other)
        self.assertEqual(users, filter_of(1))

    def test_errors_can_be_pickled(self):
        with self.assertRaises(BloomfilterTypeError) as caught:
            'a' in filter_of(1)
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(error), str(error), error.sqlstate, error.detail, error.hint),
                         (BloomfilterTypeError, str(caught.exception), caught.exception.sqlstate,
                          caught.exception.detail, caught.exception.hint))

    def test_hints_of_a_cast(self):
        """Of what the server says, or what Python has for it."""
        for value, hint in (('1', 'Give it as an int: int(value).'), (1.5, FLOAT_HINT), (True, 'Cast the value to bigint.')):
            f = filter_of(1)
            for action in f.__contains__, f.add, lambda value: f.contains([value]), lambda value: f.update([value]):
                with self.assertRaises(BloomfilterTypeError) as caught:
                    action(value)
                self.assertEqual(caught.exception.hint, hint)
        with self.assertRaises(BloomfilterTypeError) as caught:
            1 in filter_of('1')
        self.assertEqual(caught.exception.hint, 'Cast the value to text.')
        with self.assertRaises(BloomfilterTypeError) as caught:
            str(uuid.UUID(int=1)) in filter_of(uuid.UUID(int=1))
        self.assertEqual(caught.exception.hint, 'Give it as a UUID: uuid.UUID(value).')

    def test_hints_at_several_values(self):
        for values in [1, 2], (1, 2):
            with self.assertRaises(BloomfilterTypeError) as caught:
                filter_of(1).add(values)
            self.assertEqual(caught.exception.hint, 'For its elements, call update() or contains().')
        with self.assertRaisesRegex(TypeError, 'several values go to update'):
            filter_of(1).add(2, 3)

    def test_one_value_is_no_iterable(self):
        f = Filter(1000)
        for value in 'abc', b'abc', bytearray(b'abc'), memoryview(b'abc'):
            for operation in f.update, f.contains:
                with self.assertRaises(BloomfilterTypeError, msg=value):
                    operation(value)
        for operation in f.update, f.contains:
            with self.assertRaises(TypeError):
                operation(5)

    def test_any_iterable(self):
        f = Filter(1000)
        for iterable in ({1: 'a'}, {2}, (i for i in [3]), iter([4]), array.array('q', [5]), range(6, 7)):
            f.update(iterable)
        self.assertEqual(f.contains(i for i in range(1, 7)), [True] * 6)
        self.assertEqual(f.contains([]), [])
        self.assertEqual(len(f), 6)

    def test_errors_of_iterables_pass(self):
        def numbers():
            yield 7
            raise KeyError('mine')

        f = Filter(1000)
        for operation in f.update, f.contains:
            with self.assertRaises(KeyError):
                operation(numbers())
        self.assertEqual(f.contains([7, 8]), [True, False])
        for values in [8, None, 9], [8, 'a', 9]:
            with self.assertRaises(BloomfilterError):
                f.update(values)
            self.assertEqual(f.contains([7, 8, 9]), [True, True, False])
            with self.assertRaises(BloomfilterError):
                f.contains(values)

    def test_keywords(self):
        f = filter_of(7)
        self.assertTrue(f.has(7, 'integer') and f.has(7, family='integer') and f.has(7, family=None))
        for method in f.has, f.add, f.hash:
            for arguments, keywords in (((), {}), ((7, None, None), {}), ((7, None), {'family': None}),
                                        ((), {'family': None}), ((7,), {'families': None}), ((7,), {'family': 5}),
                                        ((7,), {'family': None, 'more': 5})):
                with self.assertRaises(TypeError, msg=(arguments, keywords)):
                    method(*arguments, **keywords)

    def test_signals_between_values(self):
        """A long list can be interrupted, and lets other threads run."""
        class Interrupted(Exception):
            pass

        def interrupt(number, frame):
            raise Interrupted

        before = signal.signal(signal.SIGUSR1, interrupt)
        try:
            for operation in Filter(10**6).update, Filter(10**6).contains:
                thread = threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGUSR1))
                with self.assertRaises(Interrupted):
                    thread.start()
                    operation(itertools.repeat(7))
                thread.join()
        finally:
            signal.signal(signal.SIGUSR1, before)

    @unittest.skipUnless(os.path.exists('/usr/share/i18n/locales/de_DE'), 'there is no locale with a decimal comma')
    def test_a_union_without_memory_changes_nothing(self):
        script = """
import resource
from pg_bloomfilter import Filter
a, b = Filter(2e7), Filter(2e7)
half = a.info().bits // 512 * 3 // 5
a.update(range(half))
b.update(range(half, 2 * half))
before = a.to_bytes()
b.to_bytes()
with open('/proc/self/statm') as file:
    pages = int(file.read().split()[0])
limits = resource.getrlimit(resource.RLIMIT_AS)
# enough for both lists in one, and not for blocks
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 2**24, limits[1]))
try:
    a |= b
    print('enough memory')
except MemoryError:
    pass
resource.setrlimit(resource.RLIMIT_AS, limits)
print(a.to_bytes() == before, (a | b).info().representation)
"""
        done = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ('True dense\n', ''))

    def test_decimal_comma(self):
        """A program's locale does not matter: p=0.01 is not written p=0,01, and read all the same."""
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', os.path.join(directory, 'de_DE.UTF-8')],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            done = subprocess.run([sys.executable, '-c', """
import locale
locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')
from pg_bloomfilter import Filter
f = Filter(10, 0.25)
assert locale.str(0.5) == '0,5'
assert 'p=0.25,' in f.to_text() and Filter.parse(f.to_text()) == f
try:
    Filter(10, 1.5)
except ValueError as error:
    assert '1.5' in str(error)
assert locale.str(0.5) == '0,5'
"""], env={**os.environ, 'LOCPATH': directory}, stderr=subprocess.PIPE, encoding='utf-8')
        self.assertEqual((done.returncode, done.stderr), (0, ''))

    def test_leaks(self):
        """A thousand rounds of everything that allocates: memory stays what it was."""
        def everything():
            f = filter_of(*range(500))
            g = f.copy() | f
            g &= f
            Filter.parse(f.to_text()), Filter.parse(f.to_bytes()), f.info(), f == g, 5 in f
            for broken in (lambda: 'a' in f, lambda: f | Filter(5), lambda: Filter.parse('x'), lambda: Filter(0)):
                try:
                    broken()
                except BloomfilterError:
                    pass

        def resident():
            with open('/proc/self/statm') as file:
                return int(file.read().split()[1]) * 4096

        for _ in range(200):
            everything()
        before = resident()
        for _ in range(1000):
            everything()
        # a filter is 1.3 kB: one forgotten in each round would be more
        self.assertLess(resident() - before, 1000000)
