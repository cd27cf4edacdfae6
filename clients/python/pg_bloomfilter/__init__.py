"""Filters of the PostgreSQL extension bloomfilter outside of the server.

    >>> from pg_bloomfilter import Filter
    >>> f = Filter(1000)
    >>> f.update(range(500))
    >>> 42 in f
    True
"""
from .errors import BloomfilterError, BloomfilterTypeError, BloomfilterValueError
from .filter import Filter, Info

__version__ = '1.0.0'

__all__ = ['BloomfilterError', 'BloomfilterTypeError', 'BloomfilterValueError', 'Filter', 'Info']
