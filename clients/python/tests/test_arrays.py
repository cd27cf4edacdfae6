"""Arrays of numpy's: as their values one by one."""
import datetime as dt
import math
import os
import signal
import statistics
import threading
import time
import unittest
import uuid

import installed  # noqa: F401
from pg_bloomfilter import BloomfilterError, BloomfilterTypeError, BloomfilterValueError, Filter

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest('numpy is not there') from None


# what an aggregate without a size has so far
UNSIZED = 'bloomfilter(1, integer, n=0, p=0.01, blocks=0, k=0, seed=0, unsized, crc=daaf41aa, LnnbZDVZvC8=)'


def filter_of(members, family=None, n=1000):
    result = Filter(n)
    for member in members:
        result.add(member, family)
    return result


class Arrays(unittest.TestCase):
    def check(self, array, members=None, family=None):
        """The same answers, and the same filters, as value by value."""
        objects = array.ravel().tolist() if members is None else members
        for count in 0, 1, len(objects) // 2, len(objects):
            one_by_one = filter_of(objects[:count], family)
            at_once = Filter(1000)
            at_once.update(array.ravel()[:count], family)
            self.assertEqual(at_once, one_by_one, array.dtype)
            found = at_once.contains(array, family)
            self.assertEqual((found.dtype, found.shape), (np.bool_, array.shape))
            self.assertEqual(found.ravel().tolist(), [one_by_one.has(value, family) for value in objects])
            self.assertTrue(found.ravel()[:count].all())

    def test_integers(self):
        for kind in 'iu':
            for size in 1, 2, 4, 8:
                info = np.iinfo(f'{kind}{size}')
                top = min(info.max, 2**63 - 1)
                numbers = [info.min, info.min + 1, 0, 1, 2, top - 1, top, 42]
                for order in '<>':
                    self.check(np.array(numbers * 3, dtype=f'{order}{kind}{size}'))

    def test_integers_out_of_range(self):
        array = np.arange(3000, dtype='u8')
        array[2500] = 2**63
        f = filter_of(range(10))
        for operation in f.contains, f.update:
            with self.assertRaises(BloomfilterValueError) as caught:
                operation(array)
            self.assertEqual((caught.exception.sqlstate, caught.exception.detail),
                             ('22003', 'It is the value at position 2500.'))

    def test_oids(self):
        self.check(np.array([0, 1, 2**32 - 1], dtype='i8'), family='oid')
        self.check(np.array([0, 1, 2**32 - 1], dtype='u4'), family='oid')
        with self.assertRaises(BloomfilterValueError):
            Filter(1000).update(np.array([-1]), family='oid')

    def test_floats(self):
        for dtype in 'f2', 'f4', 'f8':
            numbers = [0, -0.0, 0.5, 1 / 3, -2.75, np.inf, -np.inf, np.nan, np.finfo(dtype).max, np.finfo(dtype).tiny,
                       np.finfo(dtype).smallest_subnormal, 1000]
            for order in '<>':
                self.check(np.array(numbers, dtype=order + dtype))
        every_half = np.arange(65536, dtype='u2').view('f2')
        expected = filter_of([float(value) for value in every_half], n=65536)
        f = Filter(65536)
        f.update(every_half)
        self.assertEqual(f, expected)
        with self.assertRaises(BloomfilterTypeError):
            Filter(1000).update(np.array([1], dtype='longdouble'))

    def test_booleans(self):
        self.check(np.array([True, False, True]))

    def test_bytes(self):
        self.check(np.array([b'', b'a', b'abc', b'a\0b', b'\xff\xfe']))
        numbers = [uuid.UUID(int=i << 8) for i in range(10)]
        array = np.array([number.bytes for number in numbers], dtype='S16')
        f = filter_of(numbers)
        # whose last byte is zero, which is no padding here
        self.assertTrue(f.contains(array, family='uuid').all())
        with self.assertRaises(BloomfilterValueError):
            f.contains(np.array([b'abc']), family='uuid')

    def test_texts(self):
        texts = ['', 'a', 'abc ', 'Zoë', 'ß' * 7, '\u20ac', '\uffff', '\U00010000', '\U0001F40D x', '\U0010ffff']
        self.check(np.array(texts))
        self.check(np.array(texts).astype('>U9'), members=[text[:9] for text in texts])
        self.check(np.array(texts), family='bpchar')
        f = filter_of(['ab  '], 'bpchar')
        self.assertEqual(f.contains(np.array(['ab', 'ab ', ' ab'])).tolist(), [True, True, False])
        for bad in '\ud800', 'a\0b':
            with self.assertRaises(BloomfilterValueError, msg=ascii(bad)) as caught:
                Filter(1000).update(np.array(['good', bad]))
            self.assertEqual((caught.exception.sqlstate, caught.exception.detail),
                             ('22021', 'It is the value at position 1.'))

    def test_dates_and_times(self):
        days = np.array(['0001-01-01', '1969-12-31', '2000-01-01', '2024-02-29', '9999-12-31'], dtype='M8[D]')
        self.check(days)
        self.check(days.astype('>M8[D]'))
        moments = np.array(['0001-01-01T00', '1969-12-31T23', '2000-01-01T00', '2024-02-29T12', '9999-12-31T23'])
        for unit in 'h', 'm', 's', 'ms', 'us':
            array = moments.astype(f'M8[{unit}]')
            self.check(array)
            self.check(array.astype(f'>M8[{unit}]'))
        near = np.array(['1969-12-31T23:59:59.999999', '2024-02-29T12:34:56.789012'], dtype='M8[us]')
        self.check(near)
        for unit in 'ns', '10ns':
            self.check(near.astype(f'M8[{unit}]'), members=near.tolist())
        self.check(np.array(['2000-01-01T00:00:00.000025'], dtype='M8[25us]'))
        f = filter_of([value.replace(tzinfo=dt.timezone.utc) for value in near.tolist()])
        self.assertTrue(f.contains(near, family='timestamptz').all())
        for value in days, near[0], days[1]:
            with self.assertRaises(BloomfilterTypeError):
                f.contains(value)
        for scalar in near[1], days[2], near.astype('M8[ns]')[0]:
            self.assertIn(scalar, filter_of([scalar]))
            self.assertIn(scalar, filter_of([scalar.astype('M8[us]' if scalar.dtype != 'M8[D]' else 'M8[D]').item()]))

    def test_no_times(self):
        for array, sqlstate in ((np.array(['NaT'], dtype='M8[us]'), '22004'), (np.array(['NaT'], dtype='M8[D]'), '22004'),
                                (np.array(['2024-01-01T00:00:00.000000001'], dtype='M8[ns]'), '22008'),
                                (np.array([2**62], dtype='M8[s]'), '22008'), (np.array([2**62], dtype='M8[D]'), '22008'),
                                (np.array([1 - 2**63], dtype='M8[us]'), '22008'),
                                (np.array([2**31 - 1 + 10957], dtype='M8[D]'), '22008'),
                                (np.array([1], dtype='M8[M]'), '0A000'), (np.array([1], dtype='M8[Y]'), '0A000'),
                                (np.array([1], dtype='M8[W]'), '0A000'), (np.array(['NaT'], dtype='M8'), '0A000'),
                                (np.array([1], dtype='m8[us]'), '0A000')):
            for value in array, array[0]:
                with self.assertRaises(BloomfilterError, msg=repr(value)) as caught:
                    Filter(1000).update(value) if value is array else Filter(1000).add(value)
                self.assertEqual(caught.exception.sqlstate, sqlstate, repr(value))

    def test_scalars(self):
        for scalar, member in ((np.int8(-5), -5), (np.uint64(7), 7), (np.float32(0.1), float(np.float32(0.1))),
                               (np.float16(2), 2.0), (np.float64(0.5), 0.5), (np.bool_(True), True),
                               (np.str_('Zoë'), 'Zoë'), (np.bytes_(b'ab'), b'ab'),
                               (np.array(5), 5), (np.datetime64('2024-02-29'), dt.date(2024, 2, 29))):
            self.assertIn(scalar, filter_of([member]))
            self.assertEqual(filter_of([scalar]), filter_of([member]))
        for scalar in (np.bool_(True), np.float64(1), np.str_('1')):
            with self.assertRaises(BloomfilterTypeError):
                scalar in filter_of([1])
        for scalar in (np.longdouble(1), np.complex128(1), np.timedelta64(1, 'us'), np.array([5]), np.void(b'x' * 16)):
            with self.assertRaises(BloomfilterTypeError, msg=repr(scalar)):
                scalar in filter_of([5])

    def test_objects(self):
        self.check(np.array([1, 2**62, -3], dtype=object))
        self.check(np.array([['a', 'Zoë'], ['', 'x']], dtype=object))
        self.check(np.array([uuid.UUID(int=i) for i in range(5)]))
        with self.assertRaises(BloomfilterTypeError):
            Filter(1000).update(np.array([1, 'a'], dtype=object))
        with self.assertRaises(BloomfilterValueError):
            Filter(1000).contains(np.empty(3, dtype=object))

    def test_shapes_and_strides(self):
        whole = np.arange(5 * 6 * 7 * 8, dtype='i8').reshape(5, 6, 7, 8)
        for array in (whole, whole[::2], whole[..., ::3], whole[::-1, :, ::-2], whole.T, whole[1], whole[2, 3, 4],
                      whole[2, 3, 4, 5], whole[:0], whole[:, :0], np.broadcast_to(whole[0, 0, 0], (3, 8)),
                      whole.transpose(2, 0, 3, 1)[1:, ::2], np.asfortranarray(whole)):
            self.check(array)
        long = np.arange(100000)
        f = Filter(100000)
        f.update(long[::2])
        self.assertEqual(f, filter_of(range(0, 100000, 2), n=100000))
        self.assertTrue(f.contains(long[::2]).all())

    def test_an_empty_array_has_no_type(self):
        f = filter_of([1])
        self.assertEqual(f.contains(np.array([])).tolist(), [])
        f.update(np.array([]))
        self.assertEqual(f, filter_of([1]))

    def test_no_arrays_of_values(self):
        for array in (np.zeros(2, 'V16'), np.zeros(2, 'i4,f8'), np.zeros(2, 'c16'), np.zeros(2, 'm8[us]')):
            for operation in Filter(1000).contains, Filter(1000).update:
                with self.assertRaises(TypeError, msg=array.dtype):
                    operation(array)

    def test_masked(self):
        masked = np.ma.masked_array([1, 2, 3], mask=[False, True, False])
        with self.assertRaises(BloomfilterValueError):
            Filter(1000).update(masked)
        for missing in list(masked), np.array([np.ma.masked], dtype=object):
            with self.assertRaisesRegex(BloomfilterValueError, 'masked is no value'):
                Filter(1000).update(missing)
        with self.assertRaisesRegex(BloomfilterValueError, 'masked is no value'):
            Filter(1000).add(np.ma.masked)
        self.check(np.ma.masked_array([1, 2, 3]))

    def test_failures_leave_no_family(self):
        f = Filter(1000)
        for bad in np.array([2**63], dtype='u8'), np.array(['\ud800']), np.array(['NaT'], dtype='M8[us]'):
            with self.assertRaises(BloomfilterValueError):
                f.update(bad)
        self.assertEqual(f, Filter(1000))


class Pandas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import pandas
        except ImportError:
            raise unittest.SkipTest('pandas is not there') from None
        cls.pandas = pandas

    def test_columns(self):
        pd = self.pandas
        frame = pd.DataFrame({'id': [1, 2, 3], 'name': ['a', 'Zoë', ''], 'at': pd.to_datetime(['2024-02-29'] * 3),
                              'zoned': pd.to_datetime(['2024-02-29'] * 3, utc=True)})
        for column, member in (('id', 3), ('name', 'Zoë'), ('at', dt.datetime(2024, 2, 29)),
                               ('zoned', dt.datetime(2024, 2, 29, tzinfo=dt.timezone.utc))):
            f = Filter(1000)
            f.update(frame[column])
            self.assertIn(member, f)
            self.assertIn(frame[column][2], f)
            self.assertTrue(f.contains(frame[column]).all())
            f.update(frame[column].array)
        nullable = pd.Series([1, 2], dtype='Int64')
        self.assertTrue(filter_of([1, 2]).contains(nullable).all())

    def test_missing_values(self):
        pd = self.pandas
        for series in (pd.Series([1, None], dtype='Int64'), pd.Series(['a', None]), pd.Series(['a', np.nan]),
                       pd.Series([pd.NaT, pd.Timestamp('2024-01-01')]), pd.Series([pd.NA, 'a'], dtype='string'),
                       pd.Series([pd.NaT], dtype=object), pd.Series([pd.Timestamp(1)])):
            for operation in Filter(1000).update, filter_of(['a']).contains:
                with self.assertRaises(BloomfilterError, msg=series):
                    operation(series)
        for scalar in pd.NaT, pd.NA, pd.Timestamp(1):
            with self.assertRaises(BloomfilterError):
                Filter(1000).add(scalar)
        for missing, series in (('NA', pd.Series([1, None], dtype='Int64')), ('NA', pd.Series(['a', pd.NA])),
                                ('NaT', pd.Series([pd.NaT], dtype=object)), ('None', pd.Series(['a', None])),
                                ('NaT', pd.Series([pd.NaT, pd.Timestamp('2024-01-01')]))):
            f = filter_of(series.dropna())
            with self.assertRaises(BloomfilterValueError) as caught:
                f.contains(series)
            self.assertEqual((caught.exception.sqlstate, caught.exception.message, caught.exception.hint),
                             ('22004', f'{missing} is no value',
                              'Leave missing values out. A column of pandas has dropna() for that.'))
            self.assertTrue(f.contains(series.dropna()).all())
        with self.assertRaises(BloomfilterValueError) as caught:
            Filter(10).add(pd.NaT)
        self.assertEqual(caught.exception.message, 'NaT is no value')

    def test_integers_that_numpy_gets_as_floats(self):
        """As pandas gives them from 2.2 on, if some are missing."""
        class Column:
            dtype = np.dtype(np.int64)

            def __array__(self, *arguments, **options):
                return np.array([1, np.nan])

        for operation in Filter(1000).update, filter_of([1.0]).contains:
            with self.assertRaisesRegex(BloomfilterValueError, 'NA is no value'):
                operation(Column())

    def test_missing_values_that_numpy_gets_as_nan(self):
        """As pandas gives those of Float64 from 2.2 on; its own NaN is one of numpy's float64."""
        class Type:
            kind = 'f'

        class Column:
            dtype = Type()

            def __init__(self, *missing):
                self.missing = np.array(missing)

            def isna(self):
                return self.missing

            def __array__(self, *arguments, **options):
                return np.array([1, np.nan])

        for operation in Filter(1000).update, filter_of([1.0]).contains:
            with self.assertRaisesRegex(BloomfilterValueError, 'NA is no value'):
                operation(Column(False, True))
            with self.assertRaises(BloomfilterError):
                operation(self.pandas.array([1.5, None], dtype='Float64'))
        self.assertTrue(filter_of([1.0, math.nan]).contains(Column(False, False)).all())
        self.assertTrue(filter_of([1.0, math.nan]).contains(self.pandas.Series([1, math.nan])).all())

    def test_integers_that_became_floats(self):
        """As pandas reads a column of integers with NULLs; what the hint says helps."""
        pd = self.pandas
        f = filter_of([1, 2])
        series = pd.Series([1, None, 3])
        self.assertEqual(series.dtype, np.float64)
        for test in (lambda: f.contains(series), lambda: f.update(series), lambda: series[1] in f,
                     lambda: f.contains(series, family='integer'), lambda: f.has(1.0, family='integer')):
            with self.assertRaises(BloomfilterTypeError) as caught:
                test()
            self.assertIn("dropna().astype('Int64')", caught.exception.hint)
        self.assertEqual(f.contains(series.dropna().astype('Int64')).tolist(), [True, False])


class Lists(unittest.TestCase):
    """Many values at a time for a filter that is a list of hashes."""

    def check(self, filters, array, n):
        """The filter that is got with the array at once, and value by value."""
        at_once, one_by_one = filters
        at_once.update(array)
        for value in array.tolist():
            one_by_one.add(value)
        self.assertEqual(at_once, one_by_one)
        self.assertEqual(at_once.to_bytes(), one_by_one.to_bytes())
        self.assertEqual(len(at_once), n)
        self.assertTrue(at_once.contains(array).all())

    def test_lists(self):
        """Sizes around those at which hashes are added together, and repeated values."""
        for size in 1, 1023, 1024, 1025, 3000:
            for array in np.arange(size), np.arange(size)[::-1], np.repeat(np.arange(size), 3), np.zeros(size, 'i8'):
                filters = Filter(10**7), Filter(10**7)
                members = set()
                # the second and third to a list that is larger, and that was added to one by one
                for part in array, np.arange(size, size + 2000), np.arange(1500), np.arange(-100, 0):
                    members.update(part.tolist())
                    self.check(filters, part, len(members))
                self.assertTrue(filters[0].contains(np.array(list(members))).all())

    def test_list_becomes_blocks(self):
        """With one value more than there are blocks."""
        blocks = Filter(10**5).info().bits // 512
        for n in blocks - 1, blocks, blocks + 1, 3 * blocks:
            filters = Filter(10**5), Filter(10**5)
            for part in np.arange(n)[:100], np.arange(n):
                for f, values in zip(filters, (part, part.tolist())):
                    f.update(values)
            self.assertEqual(filters[0].to_bytes(), filters[1].to_bytes())
            self.assertEqual(filters[0].info().representation, 'sparse' if n <= blocks else 'dense')

    def test_other_types(self):
        texts = np.array([f'välue {i % 2000}' for i in range(5000)])
        f = Filter(10**6)
        f.update(texts)
        self.assertEqual(f.to_bytes(), filter_of(texts.tolist(), n=10**6).to_bytes())
        blanks = np.array([f'{i}'.ljust(i % 9) for i in range(2000)])
        f = Filter(10**6)
        f.update(blanks, family='bpchar')
        f.update(blanks)
        self.assertEqual(f.to_bytes(), filter_of(blanks.tolist(), 'bpchar', 10**6).to_bytes())

    def test_unsized(self):
        f = Filter.from_text(UNSIZED)
        expected = f.copy()
        for value in range(3000):
            expected.add(value)
        f.update(np.arange(3000))
        self.assertEqual((f.info().representation, f.to_bytes()), ('unsized', expected.to_bytes()))

    def test_up_to_a_problem(self):
        """The values before it are added, none after it."""
        for position in 0, 1, 1023, 1024, 2999:
            array = np.arange(3000, dtype='u8')
            array[position] = 2**63
            f = Filter(10**6)
            with self.assertRaises(BloomfilterValueError) as caught:
                f.update(array)
            self.assertEqual(caught.exception.detail, f'It is the value at position {position}.')
            self.assertEqual(f, filter_of(range(position), n=10**6))

    def test_wrong_type(self):
        f = filter_of(['a'], n=10**6)
        with self.assertRaises(BloomfilterTypeError):
            f.update(np.arange(3000))
        self.assertEqual(f, filter_of(['a'], n=10**6))


class Threads(unittest.TestCase):
    def test_objects_give_way(self):
        """While objects or a list are tested, other threads run."""
        f = filter_of(range(100))
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(1)
                time.sleep(0)

        def ticks_within(values):
            before = len(ticks)
            f.contains(values)
            return len(ticks) - before

        thread = threading.Thread(target=tick)
        thread.start()
        try:
            for values in np.arange(2 * 10**6).astype(object), list(range(2 * 10**6)):
                # one may fall between two statements, and a busy machine leave the thread no time in some calls
                self.assertGreater(statistics.median(ticks_within(values) for _ in range(21)), 1)
        finally:
            done.set()
            thread.join()

    def test_the_interpreter_goes_on(self):
        """While a batch runs, other threads do."""
        f = Filter(10**6)
        array = np.arange(5 * 10**6)
        f.update(array[:10**6])
        lasted = []

        def batch():
            start = time.perf_counter()
            while time.perf_counter() - start < 0.3:
                begin = time.perf_counter()
                f.contains(array)
                lasted.append((begin, time.perf_counter()))

        thread = threading.Thread(target=batch)
        thread.start()
        ticks = []
        while thread.is_alive():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)
        thread.join()
        within = sum(any(begin < tick < end for tick in ticks) for begin, end in lasted)
        self.assertGreater(within, 0)

    def test_fork(self):
        """A child waits for no batch of a thread that it does not have; one may leave a filter half changed."""
        read, written, array, done = Filter(10**6), Filter(10**6), np.arange(10**6), threading.Event()
        read.update(array)

        def batches(batch):
            while not done.is_set():
                batch(array)

        def is_right():
            read.update([-1])
            if not read.contains(array).all() or -1 not in read or len(read.to_bytes()) < 10**6:
                return False
            try:
                written.update(array[:10000])
                return written.contains(array[:10000]).all()
            except RuntimeError as error:
                return str(error) == 'another thread was changing the filter when this process was forked'

        threads = [threading.Thread(target=batches, args=(batch,)) for batch in (read.contains, read.contains, written.update)]
        for thread in threads:
            thread.start()
        for i in range(20):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(0 if is_right() else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        done.set()
        for thread in threads:
            thread.join()
        self.assertTrue(written.contains(array).all())

    def test_many_threads(self):
        """Nobody sees a filter half changed, and nothing is lost."""
        f = Filter(400000)
        parts = [np.arange(i * 50000, (i + 1) * 50000) for i in range(8)]
        seen = np.arange(-1000, 0)
        f.update(seen)
        errors = []

        def work(part):
            try:
                for piece in np.array_split(part, 20):
                    f.update(piece)
                    assert f.contains(piece).all() and f.contains(seen).all()
                    assert int(piece[0]) in f
                    f.add(int(piece[0]))
                    assert Filter.from_bytes(f.to_bytes()).contains(piece).all()
                    assert (f | f).contains(piece).all()
                    f.__ior__(f.copy())
                    f.to_text(), f.info(), f == f
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(part,)) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        expected = Filter(400000)
        expected.update(seen)
        expected.update(np.arange(400000))
        self.assertEqual(f, expected)
