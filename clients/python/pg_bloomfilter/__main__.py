"""Filters in pipelines of the shell.

    cut -f 1 users.tsv | python3 -m pg_bloomfilter build > users.filter
    python3 -m pg_bloomfilter test users.filter < names > probably_users

Values are lines of UTF-8, whatever the locale is, without their ends: \\n, or \\r\\n as in files from Windows; nor
is a byte order mark at the beginning part of a value.  "build" writes the text form of a filter, which COPY, \\copy
and literals take; "test" writes the lines that are probably in the filter, or with -v those that are certainly not;
"info" describes it, and reads it from standard input if FILTER is "-".

Numbers, dates and the like are written as PostgreSQL writes them, bytea as \\x and hex digits.
"""
from __future__ import annotations

import argparse
import codecs
import datetime
import math
import re
import signal
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from .errors import BloomfilterError
from .filter import Filter

PROGRAM = 'pg_bloomfilter'


def fail(reason: object) -> NoReturn:
    sys.exit(f'{PROGRAM}: {reason}')


def spelled(pattern: str, text: str) -> str:
    """The text, if all of it has this form: Python's own constructors take more than PostgreSQL does, such as 1_000."""
    if re.fullmatch(pattern, text, re.ASCII | re.IGNORECASE) is None:
        raise ValueError('not as PostgreSQL spells it')
    return text


def integer(text: str) -> int:
    return int(spelled(r'\s*[+-]?\d+\s*', text))


def number(text: str) -> float:
    value = float(spelled(r'\s*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)\s*', text))
    # to the server these are out of range
    if math.isinf(value) and 'n' not in text.lower() or value == 0 and re.search('[1-9]', re.split('[eE]', text)[0]):
        raise ValueError('out of range')
    return value


def bytea(text: str) -> bytes:
    return bytes.fromhex(spelled(r'\\x([\da-f]{2})*', text)[2:])


def read_uuid(text: str) -> uuid.UUID:
    return uuid.UUID(spelled(r'(\{)?([\da-f]{4}-?){7}[\da-f]{4}(?(1)\})', text))


def boolean(text: str) -> bool:
    return {'t': True, 'true': True, 'f': False, 'false': False}[text]


def iso(kind: Any) -> Callable[[str], Any]:
    """Reads as PostgreSQL does, or not at all.

    That rounds what is below microseconds, has a time 24:00, and midnight where another letter than T is before the time.
    """
    def read(text: str) -> Any:
        if (re.search(r'[.,]\d{7}', text) or kind is datetime.time and re.match('T?24', text)
                or kind is datetime.datetime and not re.match(r'[\d-]+[ T]', text)):
            raise ValueError('not a value of Python')
        return kind.fromisoformat(text)
    return read


def aware(text: str) -> datetime.datetime:
    value: datetime.datetime = iso(datetime.datetime)(text)
    if value.tzinfo is None:
        raise ValueError('no time zone')
    return value


# How a line is read, by the family of its value.
READERS: dict[str, Callable[[str], Any]] = {
    'text': str, 'bpchar': str, 'integer': integer, 'oid': integer, 'float': number, 'boolean': boolean,
    'uuid': read_uuid, 'bytea': bytea, 'date': datetime.date.fromisoformat, 'time': iso(datetime.time),
    'timestamp': iso(datetime.datetime), 'timestamptz': aware}


def values(family: str) -> Iterator[tuple[str, Any]]:
    """Lines of standard input without their ends, and the values that they are."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        line = line.removesuffix(b'\n').removesuffix(b'\r')
        try:
            text = line.decode()
        except UnicodeDecodeError:
            fail(f'line {number} is not UTF-8: {line!r}')
        try:
            value = READERS[family](text)
        except (ValueError, KeyError):
            fail(f'line {number} is no {family}: {text}')
        yield text, value


def read_filter(path: str) -> Filter:
    if path == '-':
        data = sys.stdin.buffer.read()
    else:
        with open(path, 'rb') as file:
            data = file.read()
    return Filter.parse(data.removeprefix(codecs.BOM_UTF8))


def build(arguments: argparse.Namespace) -> None:
    found: Iterable[Any] = (value for _, value in values(arguments.family))
    n = arguments.expected_items
    if n is None:
        # right-sized, as bloom_agg does it: for the distinct values there are
        found = set(found)
        n = max(len(found), 1)
    result = Filter(n, arguments.rate, arguments.seed)
    for value in found:
        result.add(value, arguments.family)
    print(result.to_text())


def test(arguments: argparse.Namespace) -> None:
    if arguments.filter == '-':
        fail('the values come from standard input, so the filter must be a file')
    filter = read_filter(arguments.filter)
    family = filter.info().element_type or 'text'
    if family not in READERS:
        # the error says why
        filter.has('')
    # as the lines came, not in the locale's encoding
    with open(sys.stdout.fileno(), 'w', encoding='utf-8', newline='\n', closefd=False) as output:
        for line, value in values(family):
            if filter.has(value, family) != arguments.invert:
                print(line, file=output)


def info(arguments: argparse.Namespace) -> None:
    for name, value in read_filter(arguments.filter).info()._asdict().items():
        print(f'{name:<30}{"" if value is None else value}'.rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar='COMMAND')
    command = commands.add_parser('build', help='a filter of the lines of standard input')
    command.add_argument('-n', '--expected-items', type=float,
                         help='distinct values that it is made for (default: as many as there are)')
    command.add_argument('-p', '--rate', type=float, default=0.01, help='false positive rate (default: %(default)s)')
    command.add_argument('-s', '--seed', type=int, default=0)
    command.add_argument('-f', '--family', choices=sorted(READERS), default='text',
                         help='what the lines are (default: %(default)s)')
    command.set_defaults(run=build)
    command = commands.add_parser('test', help='the lines of standard input that are probably in a filter')
    command.add_argument('-v', '--invert', action='store_true', help='instead those that are certainly not')
    command.add_argument('filter', metavar='FILTER', help='file with a filter in any form')
    command.set_defaults(run=test)
    command = commands.add_parser('info', help='what bloom_info() tells of a filter')
    command.add_argument('filter', metavar='FILTER', help='file with a filter in any form, or - for standard input')
    command.set_defaults(run=info)
    arguments = parser.parse_args()
    # as other filters of the shell end when nobody reads on
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        arguments.run(arguments)
    except OSError as error:
        fail(error if error.filename is None else f'{error.filename}: {error.strerror}')
    except BloomfilterError as error:
        fail(error)


if __name__ == '__main__':
    main()
