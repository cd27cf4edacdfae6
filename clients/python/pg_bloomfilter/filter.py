"""The class Filter."""
from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any, NamedTuple, Self

try:
    from . import _core
except ImportError:
    if find_spec('pg_bloomfilter._core') is not None:
        raise
    raise ImportError(f'{os.path.dirname(__file__)} is not compiled. If it is the source: install it with pip, and '
                      'start Python elsewhere, or with -P') from None
from .errors import BloomfilterTypeError, BloomfilterValueError

__all__ = ['Filter', 'Info']


class Info(NamedTuple):
    """What bloom_info() tells about a filter, in the server's words.

    A filter that has no size yet, the partial state of an aggregate, has None for expected_items, bits,
    hashes, bits_set and fill; one that never held a value has None for element_type.
    """
    element_type: str | None
    representation: str
    expected_items: int | None
    target_false_positive_rate: float
    seed: int
    bits: int | None
    hashes: int | None
    bits_set: int | None
    fill: float | None
    estimated_items: int
    estimated_false_positive_rate: float
    bytes: int


class Filter(_core.Filter):
    """A set of values of one type that may err: "value in f" is False only if it is certainly not in it.

    Filter(n, p=0.01, seed=0) is empty and made for n distinct values, of other values p are taken to be in
    it when it holds so many.  It is bit for bit what bloom_create() makes and bloom_add() fills.

    len(f) is the number of distinct values: exact while the filter is sparse, else estimated, which takes time in
    proportion to its size.  bool(f) is False only if the filter certainly holds nothing.  str(f) is short, like
    repr(f): to_text() gives the text form.
    """
    __slots__ = ('__weakref__',)

    def contains(self, values: Iterable[Any], /, family: str | None = None) -> Any:
        """Which of the values are in the filter?

        An array of numpy's, or what makes one, gives an array of bool of the same shape, at the speed of
        C; anything else that can be iterated over a list.
        """
        array = _array(values)
        if array is None:
            return self._test_each(values, family)
        import numpy
        found = numpy.empty(array.shape, dtype=numpy.bool_)
        self._test_array(array, found, family)
        return found

    def update(self, values: Iterable[Any], /, family: str | None = None) -> None:
        """Add all values.  After an error, those before the one that is to blame may have been added."""
        array = _array(values)
        if array is not None:
            self._add_array(array, family)
        else:
            self._add_each(values, family)

    def info(self) -> Info:
        """Everything about the filter.  Takes time in proportion to its size."""
        return Info._make(self._info())

    def __or__(self, other: Filter, /) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        result = self.copy()
        result._unite(other)
        return result

    def __and__(self, other: Filter, /) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        result = self.copy()
        result._intersect(other)
        return result

    def __ior__(self, other: Filter, /) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        self._unite(other)
        return self

    def __iand__(self, other: Filter, /) -> Self:
        if not isinstance(other, Filter):
            return NotImplemented
        self._intersect(other)
        return self

    def __eq__(self, other: object, /) -> bool:
        """Are both the same, bit for bit?"""
        if not isinstance(other, Filter):
            return NotImplemented
        return self._equal(other)

    # it can be added to, and so cannot be a key
    __hash__ = None  # type: ignore[assignment]

    def __bytes__(self) -> bytes:
        return self.to_bytes()

    def __repr__(self) -> str:
        """A short description, which takes the same time whatever the filter's size."""
        element_type, representation, n, p, seed = self._summary()
        size = '' if representation == 'unsized' else f'n={n}, '
        values = '' if representation == 'dense' else f', {len(self)} values'
        return (f'<{type(self).__name__} of {element_type or "no type yet"}, {representation}, {size}'
                f'p={p:g}, seed={seed}{values}>')

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any], /) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)


def _array(values: Any) -> Any:
    """The numpy array that an object is, or makes, or None."""
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise BloomfilterTypeError(f'a {type(values).__name__} is one value', '42804',
                                   hint='Put it into a list, or use add() or "in".')
    if not hasattr(values, '__array__'):
        return None
    import numpy
    if isinstance(values, numpy.ma.MaskedArray) and numpy.any(values.mask):
        raise BloomfilterValueError('masked is no value', '22004', hint='Leave missing values out.')
    result = numpy.asarray(values)
    # some versions of pandas make a NaN of a missing value, and floats of a column of integers that has some
    dtype = getattr(values, 'dtype', None)
    of_pandas = dtype is not None and not isinstance(dtype, numpy.dtype) and hasattr(values, 'isna')
    if result.dtype.kind == 'f' and (getattr(dtype, 'kind', 'f') in 'iub' or (of_pandas and values.isna().any())):
        raise BloomfilterValueError('NA is no value', '22004',
                                    hint='Leave missing values out. A column of pandas has dropna() for that.')
    return result
