"""Errors, worded as the server words them."""
from __future__ import annotations

__all__ = ['BloomfilterError', 'BloomfilterTypeError', 'BloomfilterValueError']


class BloomfilterError(Exception):
    """What is wrong with a filter or value.

    sqlstate is the code that the server has for it, such as 42804; message is one line; detail and
    hint are one each, or None.
    """

    def __init__(self, message: str, sqlstate: str = 'XX000',
                 detail: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, sqlstate, detail, hint)
        self.message = message
        self.sqlstate = sqlstate
        self.detail = detail
        self.hint = hint

    def __str__(self) -> str:
        return '\n'.join([self.message] + [f'{name}:  {text}' for name, text in
                                           (('DETAIL', self.detail), ('HINT', self.hint)) if text])


class BloomfilterTypeError(BloomfilterError, TypeError):
    """A value or filter of another type than is needed (SQLSTATE 42804, 0A000)."""


class BloomfilterValueError(BloomfilterError, ValueError):
    """Everything else: malformed input, parameters out of range, filters that do not combine."""


def make_error(sqlstate: str, message: str, detail: str | None, hint: str | None) -> BloomfilterError:
    """The exception of a SQLSTATE."""
    kind = BloomfilterTypeError if sqlstate in ('42804', '0A000') else BloomfilterValueError
    return kind(message, sqlstate, detail, hint)
