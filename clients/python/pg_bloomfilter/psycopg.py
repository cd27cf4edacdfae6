"""Filters as values of psycopg 3: parameters and columns, in text and in binary.

    register(connection)

and from then on that connection takes a Filter wherever a bloomfilter is expected, and returns one for
each bloomfilter; bloomfilter[] is a list.
"""
from __future__ import annotations

from typing import Any

import psycopg
from psycopg import AsyncConnection, Connection, ProgrammingError, adapt, pq
from psycopg.abc import AdaptContext
from psycopg.types import TypeInfo

from .filter import Filter

__all__ = ['register', 'register_async', 'register_info']


class FilterLoader(adapt.Loader):
    format = pq.Format.TEXT

    def load(self, data: Any) -> Filter:
        return Filter.from_text(data)


class FilterBinaryLoader(adapt.Loader):
    format = pq.Format.BINARY

    def load(self, data: Any) -> Filter:
        return Filter.from_bytes(data)


class FilterDumper(adapt.Dumper):
    format = pq.Format.TEXT

    def dump(self, obj: Filter) -> bytes:
        return obj.to_text().encode('ascii')


class FilterBinaryDumper(adapt.Dumper):
    format = pq.Format.BINARY

    def dump(self, obj: Filter) -> bytes:
        return obj.to_bytes()


def register_info(info: TypeInfo | None, context: AdaptContext | None = None) -> None:
    """Register what TypeInfo.fetch(connection, 'bloomfilter') gave; without a context, for all connections."""
    if info is None:
        raise ProgrammingError('no type bloomfilter: CREATE EXTENSION bloomfilter, in a schema of the search_path')
    info.register(context)
    adapters = (context or psycopg).adapters
    # a Filter is sent as this type, which has another OID in every database; binary is half as long, and so
    # the last to be registered, which is the one to be preferred
    for base in FilterDumper, FilterBinaryDumper:
        adapters.register_dumper(Filter, type(base.__name__, (base,), {'oid': info.oid}))
    adapters.register_loader(info.oid, FilterLoader)
    adapters.register_loader(info.oid, FilterBinaryLoader)


def register(connection: Connection[Any], name: str = 'bloomfilter') -> None:
    """Register the type on a connection; by its qualified name if its schema is not on the search_path."""
    register_info(TypeInfo.fetch(connection, name), connection)


async def register_async(connection: AsyncConnection[Any], name: str = 'bloomfilter') -> None:
    """The same on an asynchronous connection."""
    register_info(await TypeInfo.fetch(connection, name), connection)
