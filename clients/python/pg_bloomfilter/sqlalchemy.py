"""Filters as a column type of SQLAlchemy, 1.4 and 2.

    users = Table('users', metadata, Column('ids', Bloomfilter))
    select(users).where(users.c.ids.contains(42))
    update(users).values(ids=users.c.ids.add(42))

A filter that is loaded, or assigned to an attribute of a mapped class, cannot be changed in place any more:
SQLAlchemy would not save the change.
"""
from __future__ import annotations

import datetime
import re
import uuid
from importlib import import_module
from typing import Any

from sqlalchemy import event, types
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import base as postgresql_base
from sqlalchemy.orm import Mapper
from sqlalchemy.sql import cast, func, literal
from sqlalchemy.sql.elements import ClauseElement

from .filter import Filter
from .stored import StoredFilter

__all__ = ['Bloomfilter']

# What a value is sent as.  In this order: a bool is an int to Python, and a datetime a date.
SQL_TYPES: tuple[tuple[type, Any], ...] = (
    (bool, types.Boolean()), (int, types.BigInteger()), (str, types.Text()), (float, postgresql.DOUBLE_PRECISION()),
    (bytes, types.LargeBinary()), (uuid.UUID, postgresql.UUID(as_uuid=True)),
    (datetime.datetime, types.DateTime()), (datetime.date, types.Date()), (datetime.time, types.Time()))


def sql_type_of(value: Any) -> Any:
    for python_type, sql_type in SQL_TYPES:
        if isinstance(value, python_type):
            # only moments and times have a zone
            return sql_type if getattr(value, 'tzinfo', None) is None else type(sql_type)(timezone=True)
    raise TypeError(f'cannot tell which type of SQL a {type(value).__name__} is: cast() it')


def sql_type_of_all(values: list[Any]) -> Any:
    """The type of an array's elements; of one without values it does not matter."""
    found = {repr(sql_type_of(value)): sql_type_of(value) for value in values if value is not None}
    if len(found) > 1:
        raise TypeError(f'values of several types of SQL, {" and ".join(sorted(found))}: one would change the others')
    return next(iter(found.values()), types.Text())


def expression(value: Any) -> ClauseElement | None:
    """A column or another expression as it is, or None if it is a value."""
    if hasattr(value, '__clause_element__'):
        value = value.__clause_element__()
    return value if isinstance(value, ClauseElement) else None


def element(value: Any) -> ClauseElement:
    """A value with a cast to the type that it is an element as; columns and other expressions as they are."""
    found = expression(value)
    return cast(value, sql_type_of(value)) if found is None else found


def elements(values: Any) -> ClauseElement:
    """The same of several values: an array."""
    found = expression(values)
    if found is not None:
        return found
    values = list(values)
    return cast(values, postgresql.ARRAY(sql_type_of_all(values)))


class LoadedFilter(StoredFilter):
    """A filter that SQLAlchemy loaded, or will save."""
    __slots__ = ()
    hint = ('Add in the database: row.column = Class.column.add(value), or an UPDATE with it.'
            ' Or change a copy() and assign that, which replaces the whole filter.')


class Bloomfilter(types.UserDefinedType):
    """The type bloomfilter, whose values are pg_bloomfilter.Filter; those that are loaded cannot be changed in place."""
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
        return lambda value: (LoadedFilter.from_text(value) if isinstance(value, (str, bytes)) else
                              LoadedFilter.adopt(value) if isinstance(value, Filter) else value)

    class comparator_factory(types.UserDefinedType.Comparator):
        def contains(self, other: Any, **kw: Any) -> Any:
            """filter @> value"""
            return self.expr.op('@>', is_comparison=True, return_type=types.Boolean())(element(other))

        def add(self, value: Any) -> Any:
            """bloom_add(filter, value)"""
            return func.bloom_add(self.expr, element(value), type_=self.type)

        def add_all(self, values: Any) -> Any:
            """bloom_add_all(filter, array)"""
            return func.bloom_add_all(self.expr, elements(values), type_=self.type)

        def union(self, other: Any) -> Any:
            """filter | filter"""
            return func.bloom_union(self.expr, self._filter(other), type_=self.type)

        def intersection(self, other: Any) -> Any:
            """filter & filter"""
            return func.bloom_intersection(self.expr, self._filter(other), type_=self.type)

        def _filter(self, other: Any) -> Any:
            return literal(other, self.type) if isinstance(other, Filter) else other


@event.listens_for(Mapper, 'mapper_configured')
def adopt_what_is_assigned(mapper: Any, class_: type) -> None:
    """A filter that is assigned is saved with the next flush: a change of it after that would be lost.

    One that a column has by default, or that update() gives to a row that is loaded, is there without an assignment.
    """
    keys = [attribute.key for attribute in mapper.column_attrs if isinstance(attribute.columns[0].type, Bloomfilter)]

    def adopt(target: Any, value: Any, old: Any, initiator: Any) -> Any:
        return LoadedFilter.adopt(value) if type(value) is Filter else value

    def adopt_all(target: Any, context: Any, attributes: Any) -> None:
        for key in keys:
            if type(target.__dict__.get(key)) is Filter:
                # the caller's own stays its own
                target.__dict__[key] = LoadedFilter.adopt(target.__dict__[key].copy())

    for key in keys:
        event.listen(getattr(class_, key), 'set', adopt, retval=True)
    if keys:
        event.listen(class_, 'refresh_flush', adopt_all)
        event.listen(class_, 'refresh', adopt_all)


# so that reflected tables have it
postgresql_base.ischema_names['bloomfilter'] = Bloomfilter


# An array's text, apart from the bounds that may be before it: braces, quoted elements with escapes, and NULL.
ARRAY_TOKEN = re.compile(r'([{}])|"((?:[^"\\]|\\.)*)"|NULL', re.DOTALL)


def split_array(text: str) -> list[Any]:
    """The elements of an array of filters, whose texts are always quoted: it has a list for each dimension."""
    open_lists: list[list[Any]] = [[]]
    for brace, quoted in ((token[1], token[2]) for token in ARRAY_TOKEN.finditer(text)):
        if brace == '{':
            open_lists.append([])
        elif brace:
            complete = open_lists.pop()
            open_lists[-1].append(complete)
        else:
            open_lists[-1].append(quoted and re.sub(r'\\(.)', r'\1', quoted))
    return open_lists[0][0]


def read_arrays(driver: str) -> None:
    """Have the driver's dialect read ARRAY(Bloomfilter): a driver gives an array of a type unknown to it as text."""
    try:
        dialect = import_module(f'sqlalchemy.dialects.postgresql.{driver}').dialect
    except ImportError:
        # psycopg is new in SQLAlchemy 2
        return
    array = dialect.colspecs[types.ARRAY]

    def result_processor(self: Any, dialect: Any, coltype: Any) -> Any:
        process = array.result_processor(self, dialect, coltype)
        if not isinstance(self.item_type, Bloomfilter):
            return process
        return lambda value: process(split_array(value) if isinstance(value, str) else value)

    dialect.colspecs = {**dialect.colspecs,
                        types.ARRAY: type(array.__name__, (array,), {'result_processor': result_processor})}


read_arrays('psycopg2')
read_arrays('psycopg')
