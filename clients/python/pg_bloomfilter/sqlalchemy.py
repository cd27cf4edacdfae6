"""Filters as a column type of SQLAlchemy, 1.4 and 2.

    users = Table('users', metadata, Column('ids', Bloomfilter))
    select(users).where(users.c.ids.contains(42))
"""
from __future__ import annotations

import datetime
import uuid
from typing import Any

from sqlalchemy import types
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import base as postgresql_base
from sqlalchemy.sql import cast, func, literal
from sqlalchemy.sql.elements import ClauseElement

from .filter import Filter

__all__ = ['Bloomfilter']

# What a value is sent as.  In this order: a bool is an int to Python, and a datetime a date.
SQL_TYPES: tuple[tuple[type, Any], ...] = (
    (bool, types.Boolean()), (int, types.BigInteger()), (str, types.Text()), (float, postgresql.DOUBLE_PRECISION()),
    (bytes, types.LargeBinary()), (uuid.UUID, postgresql.UUID(as_uuid=True)),
    (datetime.datetime, types.DateTime()), (datetime.date, types.Date()), (datetime.time, types.Time()))


def element(value: Any) -> ClauseElement:
    """A value with a cast to the type that it is an element as; columns and other expressions as they are."""
    if hasattr(value, '__clause_element__'):
        value = value.__clause_element__()
    if isinstance(value, ClauseElement):
        return value
    for python_type, sql_type in SQL_TYPES:
        if isinstance(value, python_type):
            if isinstance(value, datetime.datetime) and value.tzinfo is not None:
                sql_type = types.DateTime(timezone=True)
            return cast(value, sql_type)
    raise TypeError(f'cannot tell which type of SQL a {type(value).__name__} is: cast() it')


class Bloomfilter(types.UserDefinedType):
    """The type bloomfilter, whose values are pg_bloomfilter.Filter."""
    cache_ok = True

    def get_col_spec(self, **kw: Any) -> str:
        return 'bloomfilter'

    @property
    def python_type(self) -> type:
        return Filter

    def bind_processor(self, dialect: Any) -> Any:
        return lambda value: value.to_text() if isinstance(value, Filter) else value

    def bind_expression(self, bindvalue: Any) -> Any:
        # without it, drivers leave the type of the text to be guessed
        return cast(bindvalue, self)

    def result_processor(self, dialect: Any, coltype: Any) -> Any:
        # psycopg 3 may have been told of the type
        return lambda value: Filter.from_text(value) if isinstance(value, (str, bytes)) else value

    class comparator_factory(types.UserDefinedType.Comparator):
        def contains(self, other: Any, **kw: Any) -> Any:
            """filter @> value"""
            return self.expr.op('@>', is_comparison=True, return_type=types.Boolean())(element(other))

        def union(self, other: Any) -> Any:
            """filter | filter"""
            return func.bloom_union(self.expr, self._filter(other), type_=self.type)

        def intersection(self, other: Any) -> Any:
            """filter & filter"""
            return func.bloom_intersection(self.expr, self._filter(other), type_=self.type)

        def _filter(self, other: Any) -> Any:
            return literal(other, self.type) if isinstance(other, Filter) else other


# so that reflected tables have it
postgresql_base.ischema_names['bloomfilter'] = Bloomfilter
