#!/usr/bin/python3
"""clients/vectors.json as lines for programs that read no JSON.

    vectors.py VECTORS.JSON

A line has a word that says what it is, and fields, with tabs between.  Strings and bytes are hexadecimal digits, no
digits being the empty string.  A value is three fields: the number of its family; n, f or b, as it is passed as a
number, a float or bytes; and itself, a number in decimal.

    hash        seed, value, hash
    size        expected_items, rate, blocks, hashes
    filter      name, text, bytes, info (12 fields, as in pgbf_info, NULLs being 0), 1 if it can be built of its
                members; lines "member" with a value and "other" with a value and the answer follow
    grow        text of a filter, text of what it becomes when the values of the lines "member" that follow are added
    unite       text, text, result
    intersect   likewise
    takes       value in the filter, other value, 1 if the filter takes that
    own         text, bytes, info, message of the error that a test of a value is
    counting    text, bytes, text of the cast to bloomfilter; lines "count" with a value and its count follow
    malformed   text or bytes, input, result

A result is "ok" and the text of a filter, or "error", SQLSTATE, message, detail, hint.
"""
import json
import re
import sys
import uuid

FAMILIES = ['none', 'integer', 'text', 'bpchar', 'float', 'boolean', 'date', 'time', 'timestamp', 'timestamptz',
            'uuid', 'bytea', 'oid', '"char"', 'own']
REPRESENTATIONS = {'sparse': 1, 'dense': 2, 'unsized': 3}
INFO = ['expected_items', 'target_false_positive_rate', 'seed', 'bits', 'bits_set', 'fill', 'estimated_items',
        'estimated_false_positive_rate', 'bytes', 'hashes', 'representation', 'element_type']

MICROSECONDS_PER_DAY = 86400 * 10**6


def string(text):
    return text.encode().hex()


def days(text):
    """Since 2000-01-01, in the Gregorian calendar of all times, from 4714 BC on."""
    year, month, day = (int(part) for part in re.match(r'(\d+)-(\d\d)-(\d\d)', text).groups())
    if text.endswith(' BC'):
        year = 1 - year
    # of a year that begins in March, so that the leap day is its last
    year, month = (year - 1, month + 9) if month < 3 else (year, month - 3)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 730426


def microseconds(text):
    hours, minutes, seconds, fraction = re.search(r'(\d\d):(\d\d):(\d\d)(?:\.(\d+))?', text).groups()
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 10**6 + int((fraction or '').ljust(6, '0'))


def infinite(text, bits):
    return {'infinity': 2**(bits - 1) - 1, '-infinity': -2**(bits - 1)}.get(text)


def date(text):
    return infinite(text, 32) if 'infinity' in text else days(text)


def timestamp(text):
    return infinite(text, 64) if 'infinity' in text else days(text) * MICROSECONDS_PER_DAY + microseconds(text)


# How a value is passed, and what it is then.
PASSED = {
    'integer': ('n', int), 'oid': ('n', int), 'boolean': ('n', lambda text: int(text == 'true')), '"char"': ('n', ord),
    'date': ('n', date), 'time': ('n', microseconds), 'timestamp': ('n', timestamp), 'timestamptz': ('n', timestamp),
    'float': ('f', lambda text: repr(float(text))),
    'text': ('b', string), 'bpchar': ('b', string), 'bytea': ('b', lambda text: text[2:]),
    'uuid': ('b', lambda text: uuid.UUID(text).hex)}


def value(family, text):
    passed, convert = PASSED[family]
    return FAMILIES.index(family), passed, convert(text)


def line(*fields):
    print(*fields, sep='\t')


def info(described):
    fields = [described[name] or 0 for name in INFO[:-2]]
    return [repr(field) if isinstance(field, float) else field for field in fields] + \
           [REPRESENTATIONS[described['representation']], string(described['element_type'] or '')]


def result(outcome):
    if 'error' in outcome:
        return ['error', *(string(outcome['error'][part]) for part in ('code', 'message', 'detail', 'hint'))]
    return ['ok', string(outcome['text'])]


def members(vector):
    for member in vector['members']:
        line('member', *value(vector['type'], member))


def filters(name, vector, buildable):
    line('filter', string(name), string(vector['text']), vector['bytes'], *info(vector['info']), int(buildable))
    members(vector)
    for other, answer in vector['others']:
        line('other', *value(vector['type'], other), int(answer))


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        vectors = json.load(file)
    for vector in vectors['hashes']:
        for text, expected in vector['values']:
            line('hash', vector['seed'], *value(vector['type'], text), expected)
    for n, p, blocks, hashes, _ in vectors['sizes']:
        line('size', n, p, blocks, hashes)
    for name, vector in vectors['filters'].items():
        # of sizes that nobody gets by asking
        filters(name, vector, not name.startswith('integer, k='))
    for vector in vectors['unsized']:
        filters('unsized', vector, False)
    for k in range(1, 17):
        sparse, dense = (vectors['filters'][f'integer, k={k}, {form}'] for form in ('sparse', 'dense'))
        line('grow', string(sparse['text']), string(dense['text']))
        members(dense)
    for vector in vectors['combined']:
        a, b = (string(vectors['filters'][vector[name]]['text']) for name in 'ab')
        line('unite', a, b, *result(vector['union']))
        line('intersect', a, b, *result(vector['intersection']))
    first = {vector['type']: vector['values'][0][0] for vector in vectors['hashes']}
    for held, taken in vectors['takes'].items():
        for other, text in first.items():
            line('takes', *value(held, first[held]), *value(other, text), int(other in taken))
    for vector in vectors['own']:
        line('own', string(vector['text']), vector['bytes'], *info(vector['info']),
             string(f'values of type {vector["info"]["element_type"]} cannot be hashed outside of the server'))
    for vector in vectors['counting'].values():
        line('counting', string(vector['text']), vector['bytes'], string(vector['plain']))
        for text, count in vector['counts']:
            line('count', *value(vector['type'], text), count)
    for vector in vectors['malformed']:
        given = vector['input'] if vector['form'] == 'bytes' else string(vector['input'])
        line('malformed', vector['form'], given, *result(vector))


if __name__ == '__main__':
    main()
