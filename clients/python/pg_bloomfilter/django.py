"""Filters as a field of Django's models.

    class Mailing(models.Model):
        sent_to = BloomfilterField(null=True)

    Mailing.objects.filter(sent_to__contains=42)
    Mailing.objects.filter(pk=1).update(sent_to=BloomAdd('sent_to', 42))

save() leaves a filter alone that was loaded and not assigned since, and unites one that it has written before with
the row's: what others added meanwhile stays.  What is to replace the row's is assigned, as a filter of its own.
"""
from __future__ import annotations

import datetime
import decimal
import itertools
import os
import uuid
from typing import Any, NamedTuple, Self

from django.core.exceptions import FieldError
from django.db import models, router
from django.db.models import expressions, signals

from .filter import Filter
from .stored import StoredFilter

__all__ = ['BloomAdd', 'BloomAddAll', 'BloomfilterField']

# What a value is sent as.  In this order: a bool is an int to Python, and a datetime a date.
SQL_TYPES: tuple[tuple[type, str], ...] = (
    (bool, 'boolean'), (int, 'bigint'), (str, 'text'), (float, 'float8'), (bytes, 'bytea'), (uuid.UUID, 'uuid'),
    (decimal.Decimal, 'numeric'), (datetime.datetime, 'timestamp'), (datetime.date, 'date'), (datetime.time, 'time'))

# All others would compare the filter's text.
LOOKUPS = 'exact', 'in', 'isnull', 'contains'


def sql_type(value: Any) -> str:
    for python_type, name in SQL_TYPES:
        if isinstance(value, python_type):
            # only moments and times have a zone
            return f'{name}tz' if getattr(value, 'tzinfo', None) is not None else name
    raise TypeError(f'cannot tell which type of SQL a {type(value).__name__} is: give an expression, such as Cast()')


def sql_type_of_all(values: list[Any]) -> str:
    """The type of an array; of one without values it does not matter."""
    types = sorted({sql_type(value) for value in values if value is not None})
    if len(types) > 1:
        raise TypeError(f'values of several types of SQL, {" and ".join(types)}: one would change the others')
    return types[0] if types else 'text'


class Element(expressions.Expression):
    """A value, or a list of values, as it is, with a cast to the type that it is an element as.

    Not a Value, whose field would convert it: a datetime without a time zone is another value than with one.
    """

    def __init__(self, value: Any, cast: str) -> None:
        super().__init__(output_field=models.Field())
        self.value, self.cast = value, cast

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        # not "::", which comes before the sign that a driver may write in front of a number
        return f'CAST(%s AS {self.cast})', [self.value]


class BloomAdd(models.Func):
    """bloom_add(filter, value).  A str is a value, as all others are; for a column write F('name')."""
    function = 'bloom_add'

    def __init__(self, filter: Any, value: Any) -> None:
        if not hasattr(value, 'resolve_expression'):
            value = Element(value, sql_type(value))
        super().__init__(filter, value, output_field=BloomfilterField())


class BloomAddAll(models.Func):
    """bloom_add_all(filter, array)."""
    function = 'bloom_add_all'

    def __init__(self, filter: Any, values: Any) -> None:
        if not hasattr(values, 'resolve_expression'):
            values = list(values)
            values = Element(values, f'{sql_type_of_all(values)}[]')
        super().__init__(filter, values, output_field=BloomfilterField())


# What is loaded and written has a moment: its process, and a number.  Moments of one process have an order.
# Instances and filters also go to other processes, and through caches.
Moment = tuple[str, int]
numbers = itertools.count(1)
process = uuid.uuid4().hex


def begin_process() -> None:
    global process
    process = uuid.uuid4().hex


# where there is no fork, there is no such function
if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=begin_process)


def next_moment() -> Moment:
    return process, next(numbers)


class LoadedFilter(StoredFilter):
    """A filter that Django loaded, with the place that it belongs to, of the row and the field, and the moment."""
    __slots__ = ('place', 'loaded')
    hint = ("Add in the database: Model.objects.filter(pk=...).update(field=BloomAdd('field', value))."
            ' Or change a copy() and assign that, which replaces the whole filter.')
    place: Any
    loaded: Moment

    def note(self, place: Any) -> None:
        self.place, self.loaded = place, next_moment()

    # an instance that is copied or unpickled has loaded its filters as well
    def __deepcopy__(self, memo: dict[int, Any], /) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), (self.place, self.loaded) if hasattr(self, 'place') else None

    def __setstate__(self, state: tuple[Any, Moment]) -> None:
        self.place, self.loaded = state


class Writing(NamedTuple):
    """The moment since which what was loaded is in the database; and what was assigned and written then, and where."""
    moment: Moment
    filter: Any = None
    place: Any = None


class Written(dict[str, Writing]):
    """The last writing of each field of an instance."""


class Kept(expressions.Expression):
    """The column as it is; but the filter itself in another database than it was loaded from.

    Both united where it is not known what is meant.  They have what others added, and what is assigned or copied.
    Where the router writes what was loaded elsewhere, that is the same database if the row was read from a replica,
    and another one if it was read from an archive.
    """

    def __init__(self, field: models.Field, filter: Filter, kept: set[str | None], united: set[str | None]) -> None:
        super().__init__(output_field=field)
        self.filter, self.kept, self.united = filter, kept, united

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        column, filter = connection.ops.quote_name(self.output_field.column), self.filter.to_text()
        if connection.alias in self.kept:
            return column, []
        if connection.alias in self.united:
            return f'COALESCE(bloom_union({column}, %s::bloomfilter), %s::bloomfilter)', [filter, filter]
        return '%s', [filter]


class BloomfilterField(models.Field):
    """A column of type bloomfilter, whose values are pg_bloomfilter.Filter; those that are loaded cannot be changed."""
    description = 'Bloom filter'

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # a form would write back the whole filter
        options.setdefault('editable', False)
        super().__init__(*arguments, **options)

    def db_type(self, connection: Any) -> str:
        return 'bloomfilter'

    def contribute_to_class(self, cls: Any, name: str, **options: Any) -> None:
        super().contribute_to_class(cls, name, **options)
        if not cls._meta.abstract:
            signals.class_prepared.connect(self.note_class)

    def note_class(self, sender: Any, **_: Any) -> None:
        """Proxies, and children with tables of their own, have the field and are not told of it."""
        if issubclass(sender, self.model):
            signals.post_init.connect(self.note_instance, sender=sender)

    def place(self, instance: Any) -> Any:
        return instance._meta.concrete_model._meta.label, self.attname, instance.pk

    def note_instance(self, instance: Any, **_: Any) -> None:
        self.note_written(instance)
        filter = instance.__dict__.get(self.attname)
        if isinstance(filter, LoadedFilter) and not hasattr(filter, 'place'):
            filter.note(self.place(instance))

    def note_written(self, instance: Any, filter: Any = None) -> None:
        writing = Writing(next_moment(), filter if isinstance(filter, Filter) else None, self.place(instance))
        # a new one each time: copies of an instance share it
        instance._state.bloomfilters = Written(self.written(instance), **{self.attname: writing})

    def written(self, instance: Any) -> Written:
        return getattr(instance._state, 'bloomfilters', Written())

    def is_loaded(self, instance: Any, filter: Any) -> bool | None:
        """Is it what the row had when it was loaded last, and nothing written since?

        None: this is not known, or it is what was written last.
        """
        # an instance that was made by hand has loaded nothing
        if instance._state.adding or not isinstance(filter, Filter):
            return False
        written = self.written(instance).get(self.attname)
        place = self.place(instance)
        # the database may have given the key since
        if written is not None and written.filter is filter and written.place in (place, (*place[:2], None)):
            return None
        if not isinstance(filter, LoadedFilter) or getattr(filter, 'place', None) != place:
            return False
        if written is None:
            return True
        return filter.loaded > written.moment if filter.loaded[0] == written.moment[0] else None

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        filter = super().pre_save(model_instance, add)
        is_loaded = not add and self.is_loaded(model_instance, filter)
        if is_loaded is not False:
            own = {model_instance._state.db}
            others = {router.db_for_write(type(model_instance), instance=model_instance)}
            return Kept(self, filter, own if is_loaded else set(), own | others)
        self.note_written(model_instance, filter)
        return filter

    def get_placeholder(self, value: Any, compiler: Any, connection: Any) -> str:
        return '%s::bloomfilter'

    def get_prep_value(self, value: Any) -> Any:
        return value.to_text() if isinstance(value, Filter) else value

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return None if value is None else LoadedFilter.from_text(value)

    def to_python(self, value: Any) -> Any:
        return Filter.from_text(value) if isinstance(value, str) else value

    def value_to_string(self, obj: Any) -> str:
        return self.value_from_object(obj).to_text()

    def get_lookup(self, lookup_name: str) -> Any:
        if lookup_name not in LOOKUPS:
            raise FieldError(f"a Bloom filter has no lookup '{lookup_name}': only {', '.join(LOOKUPS)}")
        return super().get_lookup(lookup_name)


@BloomfilterField.register_lookup
class Contains(models.Lookup):
    """filter @> value"""
    lookup_name = 'contains'
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        filter, parameters = self.process_lhs(compiler, connection)
        if self.rhs_is_direct_value():
            value, more = f'CAST(%s AS {sql_type(self.rhs)})', [self.rhs]
        else:
            value, more = self.process_rhs(compiler, connection)
        return f'{filter} @> {value}', [*parameters, *more]
