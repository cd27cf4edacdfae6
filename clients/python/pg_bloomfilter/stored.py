"""Filters that an object-relational mapper loaded."""
from __future__ import annotations

from typing import Any, NoReturn, Self

from .errors import BloomfilterTypeError
from .filter import Filter

__all__ = ['StoredFilter']


class StoredFilter(Filter):
    """A filter that belongs to a row, and refuses to be changed in place.

    A mapper would not notice such a change, or would write the whole filter back, over what others added
    to the row meanwhile.  copy() gives a Filter that can be changed.
    """
    __slots__ = ()
    hint = 'Add in the database, by an UPDATE with bloom_add; or change a copy().'

    def _refuse(self, *arguments: Any, **options: Any) -> NoReturn:
        raise BloomfilterTypeError('a filter that belongs to a row cannot be changed in place', '0A000',
                                   'The change would not be saved, or would undo what others added to the row.', self.hint)

    add = update = __ior__ = __iand__ = _refuse

    def copy(self) -> Filter:  # type: ignore[override]
        return Filter.from_bytes(self.to_bytes())

    def shrink(self, factor: int, /) -> Filter:  # type: ignore[override]
        return self.copy().shrink(factor)

    @classmethod
    def adopt(cls, filter: Filter) -> Self:
        """The same object, which cannot be changed from now on."""
        filter.__class__ = cls
        return filter  # type: ignore[return-value]
