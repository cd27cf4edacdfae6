#!/usr/bin/python3
"""Golden vectors for clients: what the server says of values and filters.

`clients/vectors.json` is what every client's tests are held against.  It is
written by this program from a server, found through the usual PG* environment
variables, and test/check_vectors sees to it that it is what a server says:

    clients/vectors.py > clients/vectors.json

All values are strings as PostgreSQL writes them, and so are hashes and seeds,
which are signed 64-bit numbers.  Binary forms are hexadecimal.

    hashes      per type and seed: values and their bloom_hash()
    sizes       [n, p, blocks, hashes, bytes] of bloom_create() and bloom_size()
    filters     filters by name, in both forms: what bloom_info() says, values
                that were added, and others with the server's answer
    combined    pairs of these, their union and intersection, or the error
    takes       per type of filter: the types of values that it takes
    own         filters of types with a hash of their own: a client can read
                them, but not test values
    unsized     partial states of aggregates
    counting    counting filters, how often values are in there, and the filter
                that a cast to bloomfilter gives
    malformed   what is no filter, with the server's error
"""
import json
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'test'))
import scratch

SEEDS = [0, 1, -1, 42, 2**63 - 1, -2**63]

# Per type, as bloom_info() calls it: the SQL type, and values.  The lengths of
# strings are those at which XXH3 changes what it does.
STRINGS = ['', 'a', 'abc', 'abcd', 'twelve bytes', 'Zoë', '\u00df', '\U0001F418', ' leading', 'inner blank',
           'sixteen bytes ok', 'seventeen bytes k', 'x' * 128, 'x' * 129, 'x' * 240, 'x' * 241, 'Größe ' * 200 + '.']
TYPES = {
    'integer': ('bigint', ['0', '1', '-1', '42', '2147483648', '9007199254740991', '9007199254740993',
                           '9223372036854775807', '-9223372036854775808']),
    'text': ('text', STRINGS + ['trailing  ', ' ', "it's", 'a\tb']),
    'bpchar': ('bpchar', STRINGS),
    'float': ('float8', ['0', '-0', '1', '0.1', '-2.5', '5e-324', '1.7976931348623157e+308', '42',
                         'Infinity', '-Infinity', 'NaN']),
    'boolean': ('boolean', ['true', 'false']),
    'date': ('date', ['2000-01-01', '1999-12-31', '2024-02-29', '1970-01-01', '0001-01-01', '4714-11-24 BC',
                      '0044-03-15 BC', '10000-01-01', '5874897-12-31', 'infinity', '-infinity']),
    'time': ('time', ['00:00:00', '12:34:56', '12:34:56.789', '23:59:59.999999', '24:00:00', '00:00:00.000001']),
    'timestamp': ('timestamp', ['2000-01-01 00:00:00', '2024-02-29 12:34:56.789', '1969-07-20 20:17:40',
                                '1999-12-31 23:59:59.999999', '4714-11-24 00:00:00 BC',
                                '294276-12-31 23:59:59.999999', 'infinity', '-infinity']),
    'timestamptz': ('timestamptz', ['2000-01-01 00:00:00+00', '2024-02-29 10:34:56.789+00',
                                    '2024-02-29 10:34:56.789123+00', '1969-07-20 20:17:40+00',
                                    '0044-03-15 12:00:00+00 BC', 'infinity', '-infinity']),
    'uuid': ('uuid', ['00000000-0000-0000-0000-000000000000', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
                      'ffffffff-ffff-ffff-ffff-ffffffffffff']),
    'bytea': ('bytea', ['\\x', '\\x00', '\\xdeadbeef', '\\x' + '5a' * 17, '\\x' + 'c3' * 300]),
    'oid': ('oid', ['0', '1', '1259', '4294967295']),
    '"char"': ('"char"', ['x', 'A', '0', '~']),
}

# Types with a hash of their own, which depends on nothing but the byte order.
OWN = {
    'numeric': ['1.5', '-3'],
    'integer[]': ['{1,2,3}', '{}'],
    'interval': ['1 day'],
}

N, RATE = 30, 0.01
BLOCKS = 3
MEMBERS = 40


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def wire(payload):
    return b'PGBF' + payload + struct.pack('<I', crc32c(payload))


HEADER = struct.Struct('<BBHBBHHHIQqQdQQ')
FIELDS = ['version', 'representation', 'length', 'k', 'hash', 'flags', 'family', 'reserved1', 'blocks',
          'environment', 'seed', 'n', 'p', 'count', 'reserved2']


def header(**fields):
    """A sparse filter of integers without a value, but for these fields."""
    default = dict(version=1, representation=1, length=64, k=7, hash=1, flags=0, family=1, reserved1=0,
                   blocks=BLOCKS, environment=0, seed=0, n=N, p=RATE, count=0, reserved2=0)
    return HEADER.pack(*({**default, **fields}[name] for name in FIELDS))


def literal(text):
    return 'NULL' if text is None else "'" + text.replace("'", "''") + "'"


def rows(sql):
    """The rows of a query, as objects."""
    (line,), = scratch.query(f"SELECT coalesce(json_agg(q), '[]'::json)::jsonb::text FROM ({sql}) q")
    return json.loads(line)


def rounded(rate):
    """A rate: the last digits may be the machine's."""
    return float(f'{rate:.12g}')


# What the server makes of an expression: its text form, or the error.
PREPARE = """
CREATE EXTENSION bloomfilter;
CREATE FUNCTION attempt(expression text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    result text;
    code text;
    message text;
    detail text;
    hint text;
BEGIN
    EXECUTE 'SELECT (' || expression || ')::text' INTO result;
    RETURN jsonb_build_object('text', result);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
        detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN jsonb_build_object('error', jsonb_build_object(
        'code', code, 'message', message, 'detail', detail, 'hint', hint));
END $$;
"""


def attempts(expressions):
    values = ', '.join(f'({i}, {literal(expression)})' for i, expression in enumerate(expressions))
    return [row['r'] for row in rows(f'SELECT attempt(e) AS r FROM (VALUES {values}) v (i, e) ORDER BY i')]


def values_of(sql_type, values):
    return f'ARRAY[{", ".join(map(literal, values))}]::{sql_type}[]'


def describe(expression):
    """A filter in all its forms."""
    row, = rows(f"""SELECT f::text AS text, encode(f::bytea, 'hex') AS wire, (bloom_info(f)).*
                      FROM (SELECT {expression} AS f) s""")
    result = {'text': row.pop('text'), 'bytes': row.pop('wire')}
    row['seed'] = str(row['seed'])
    for name in 'fill', 'estimated_false_positive_rate':
        row[name] = None if row[name] is None else rounded(row[name])
    return {**result, 'info': row}


def make_filter(type_name, expression, members, others):
    sql_type = TYPES[type_name][0]
    result = {'type': type_name, **describe(expression), 'members': members}
    answers = rows(f"""SELECT {literal(result['text'])}::bloomfilter @> v AS yes
                         FROM unnest({values_of(sql_type, members + others)}) WITH ORDINALITY u (v, i) ORDER BY i""")
    answers = [row['yes'] for row in answers]
    assert all(answers[:len(members)]), 'a false negative'
    result['others'] = [[value, answer] for value, answer in zip(others, answers[len(members):])]
    return result


def make_filters():
    filters = {}
    integers = [str(i * 7919 - 20) for i in range(2 * MEMBERS)]
    for k in range(1, 17):
        seed = SEEDS[k % len(SEEDS)]
        empty = wire(header(family=0, k=k, seed=seed)).hex()
        for form, members in ('sparse', BLOCKS), ('dense', MEMBERS):
            filters[f'integer, k={k}, {form}'] = make_filter(
                'integer', f"bloom_add_all('\\x{empty}'::bytea::bloomfilter, "
                f"{values_of('bigint', integers[:members])})", integers[:members], integers[-MEMBERS:])
    for type_name, (sql_type, values) in TYPES.items():
        for form, n, seed in ('sparse', 1000, 0), ('dense', 1, -7):
            members = values[:-1] if len(values) > 2 else values[:2 if form == 'dense' else 1]
            filters[f'{type_name}, {form}'] = make_filter(
                type_name, f'bloom_add_all(bloom_create({n}, 0.01, {seed}), {values_of(sql_type, members)})',
                members, [value for value in values if value not in members])
    # for the sets: the other half of k = 7, another type, another size, nothing
    base = "bloom_create(30, 0.01, 5)"
    for name, expression, members in [
            ('left', f"bloom_add_all({base}, {values_of('bigint', integers[:30])})", integers[:30]),
            ('right', f"bloom_add_all({base}, {values_of('bigint', integers[20:50])})", integers[20:50]),
            ('few', f"bloom_add_all({base}, {values_of('bigint', integers[29:30])})", integers[29:30]),
            ('fewer', f"bloom_add_all({base}, {values_of('bigint', integers[30:31])})", integers[30:31]),
            ('empty', base, []),
            ('larger', f"bloom_add_all(bloom_create(3000, 0.01, 5), {values_of('bigint', integers[:30])})",
             integers[:30]),
            ('other seed', f"bloom_add_all(bloom_create(30, 0.01, 6), {values_of('bigint', integers[:30])})",
             integers[:30])]:
        filters[name] = make_filter('integer', expression, members, integers[-MEMBERS:])
    filters['words'] = make_filter('text', f"bloom_add_all({base}, {values_of('text', STRINGS)})", STRINGS, ['no'])
    return filters


def make_combined(filters):
    pairs = [('left', 'right'), ('right', 'left'), ('left', 'few'), ('few', 'left'), ('few', 'fewer'),
             ('few', 'few'), ('left', 'empty'), ('empty', 'left'), ('few', 'empty'), ('empty', 'empty'),
             ('left', 'larger'), ('left', 'other seed'), ('left', 'words'), ('words', 'empty')]
    expressions = [f'{literal(filters[a]["text"])}::bloomfilter {operator} {literal(filters[b]["text"])}::bloomfilter'
                   for a, b in pairs for operator in '|&']
    results = attempts(expressions)
    return [{'a': a, 'b': b, 'union': results[2 * i], 'intersection': results[2 * i + 1]}
            for i, (a, b) in enumerate(pairs)]


def make_takes():
    names = list(TYPES)
    expressions = []
    for filter_type in names:
        for value_type in names:
            (filter_sql, filter_values), (value_sql, value_values) = TYPES[filter_type], TYPES[value_type]
            expressions.append(f'bloom_add(bloom_create(10), {literal(filter_values[0])}::{filter_sql}) '
                               f'@> {literal(value_values[0])}::{value_sql}')
    results = attempts(expressions)
    assert all(result.get('text') or result['error']['code'] == '42804' for result in results)
    takes = [('text' in result) for result in results]
    return {name: [value for j, value in enumerate(names) if takes[i * len(names) + j]]
            for i, name in enumerate(names)}


def make_own():
    return [describe(f'bloom_add_all(bloom_create({n}), {values_of(sql_type, values)})')
            for sql_type, values in OWN.items() if not sql_type.endswith('[]') for n in (1, 1000)] + \
           [describe(f"bloom_add(bloom_add(bloom_create({n}), {literal(values[0])}::{sql_type}), "
                     f"{literal(values[1])}::{sql_type})")
            for sql_type, values in OWN.items() if sql_type.endswith('[]') for n in (1, 1000)]


def unsized(values):
    """The partial state of an aggregate of bigints, which no function gives."""
    hashes = rows(f"SELECT DISTINCT bloom_hash(v)::text AS h FROM unnest({values_of('bigint', values)}) v")
    hashes = sorted(int(row['h']) % 2**64 for row in hashes)
    return wire(header(representation=3, k=0, blocks=0, n=0, count=len(hashes)) + struct.pack(f'<{len(hashes)}Q', *hashes))


def make_unsized():
    return [make_filter('integer', f"'\\x{unsized(values).hex()}'::bytea::bloomfilter", values, ['77'])
            for values in ([], ['1'], ['1', '2', '3'])]


def make_counting():
    values = [str(i * 7919 - 20) for i in range(40)]
    added = {'nothing': [], 'one': values[:1], 'sparse': values[:3] + values[1:3] + values[2:3] * 20,
             'dense': values[:30] + values[:20] + values[:10] * 14, 'k 12': values[:30] * 2}
    vectors = {}
    for name, members in added.items():
        rate = 1e-4 if name == 'k 12' else 0.01
        expression = (f"bloom_add_all(counting_bloom_create(30, {rate!r}, 9), "
                      f"{values_of('bigint', members)})")
        row, = rows(f"""SELECT f::text AS text, encode(f::bytea, 'hex') AS bytes, f::bloomfilter::text AS plain,
                               (SELECT json_agg(json_build_array(v::text, bloom_count(f, v)) ORDER BY i)
                                  FROM unnest({values_of('bigint', values)}) WITH ORDINALITY u (v, i)) AS counts
                          FROM (SELECT {expression} AS f) s""")
        vectors[name] = {'type': 'integer', **{key: row[key] for key in ('text', 'bytes', 'plain', 'counts')}}
    row, = rows("""SELECT f::text AS text, encode(f::bytea, 'hex') AS bytes, f::bloomfilter::text AS plain,
                          json_build_array(json_build_array('wren', bloom_count(f, 'wren'))) AS counts
                     FROM (SELECT bloom_add_all(counting_bloom_create(30), ARRAY['lark', 'wren', 'wren']) AS f) s""")
    vectors['text'] = {'type': 'text', **{key: row[key] for key in ('text', 'bytes', 'plain', 'counts')}}
    return vectors


def make_malformed(filters):
    one = struct.pack('<Q', 5)
    two = struct.pack('<2Q', 5, 6)
    block = bytes(range(64))
    binary = [b'', b'PGBF', b'PGBE' + header() + b'\0\0\0\0', wire(b''), wire(header()[:63]), wire(header())[:-1],
              wire(header()) + b'\0', wire(header())[:-4] + b'\0\0\0\0', wire(header(), )[1:],
              wire(header(count=2) + two[8:] + two[:8]), wire(header(count=2) + one + one),
              wire(header(count=1)), wire(header(count=1) + two), wire(header(count=1, family=0) + one),
              wire(header(count=4) + struct.pack('<4Q', 1, 2, 3, 4)), wire(header(representation=2)),
              wire(header(representation=2, count=1, blocks=1) + block),
              wire(header(representation=2, family=0, blocks=1) + block),
              wire(header(representation=3)), wire(header(representation=3, blocks=0, k=0, n=0, count=2**26 + 1)),
              wire(header(family=14)), wire(header(family=14, length=72) + b'a.b\0\0\0\0\1'),
              wire(header(family=14, length=72, environment=3) + b'a.b\0\0\0\0\0'),
              wire(header(family=14, length=72) + b'abc\0\0\0\0\0'), wire(header(length=72) + bytes(8))]
    binary += [wire(header(**{field: value})) for field, value in [
        ('version', 0), ('version', 2), ('representation', 0), ('representation', 4), ('representation', 5),
        ('length', 0), ('length', 63), ('length', 65535), ('k', 0), ('k', 17), ('hash', 0), ('hash', 2), ('flags', 1),
        ('flags', 0x8000), ('family', 15), ('reserved1', 1), ('blocks', 0), ('blocks', 2**23 + 1),
        ('environment', 1), ('n', 0), ('n', 2**53 + 1), ('p', 0.0), ('p', 9e-7), ('p', 1.0), ('p', float('nan')),
        ('p', float('-inf')), ('count', 2**63), ('reserved2', 1)]]

    text = filters['few']['text']
    texts = ['', 'bloom', '{}', 'bloomfilter', 'counting_' + text, text[:-1], text + ')', text + ' x', text.replace('(1', '(2'),
             text.replace('bloomfilter', 'Bloomfilter'), text.replace('integer', 'numeric'),
             text.replace('integer', 'bigint'), text.replace('n=30', 'n=0'), text.replace('n=30', 'n=-1'),
             text.replace('n=30', 'n=30.0'), text.replace('n=30', 'm=30'), text.replace('n=30', 'n=18446744073709551616'),
             text.replace('p=0.01', 'p=NaN'), text.replace('p=0.01', 'p=1'), text.replace('p=0.01', 'p=0,01'),
             text.replace('p=0.01', 'p=1e'), text.replace('p=0.01', 'p=0x1p-4'), text.replace('seed=5', 'seed=- 5'),
             text.replace('seed=5', 'seed=9223372036854775808'), text.replace('sparse', 'thick'),
             text.replace('sparse', 'dense'), text.replace('sparse', 'unsized'), text.replace('k=', 'k=1'),
             text.replace('crc=', 'crc=x'), text.replace('crc=', 'crc=00'), text.replace('=)', ')'),
             text.replace('=)', '*)'), text[:text.rindex(',')] + ')', text.replace('integer', 'public."A b"'),
             text.replace('integer', 'a.b, env=0000000000000000'), 'Größe ' * 30]
    results = attempts([f"'\\x{input.hex()}'::bytea::bloomfilter" for input in binary] +
                       [f'{literal(input)}::bloomfilter' for input in texts])
    vectors = [{'form': 'bytes', 'input': input.hex(), **result} for input, result in zip(binary, results)] + \
              [{'form': 'text', 'input': input, **result} for input, result in zip(texts, results[len(binary):])]
    assert sum('error' in vector for vector in vectors) > len(vectors) - 4, 'most of these are no filters'
    return vectors


def make_hashes():
    hashes = []
    for type_name, (sql_type, values) in TYPES.items():
        for seed in SEEDS:
            found = rows(f"SELECT bloom_hash(v, '{seed}')::text AS h "
                         f'FROM unnest({values_of(sql_type, values)}) WITH ORDINALITY u (v, i) ORDER BY i')
            hashes.append({'type': type_name, 'seed': str(seed),
                           'values': [[value, row['h']] for value, row in zip(values, found)]})
    return hashes


def make_sizes():
    return [[n, p, row['blocks'], row['hashes'], row['bytes']]
            for n in (1, 2, 10, 100, 1000, 12345.6, 1000000, 50000000)
            for p in (0.9, 0.5, 0.25, 0.1, 0.03, 0.01, 0.001, 0.0001, 1e-6)
            for row in rows(f'SELECT bits / 512 AS blocks, hashes, bloom_size({n}, {p!r}) AS bytes '
                            f'FROM bloom_info(bloom_create({n}, {p!r}))')]


def make_vectors():
    """In a scratch database."""
    scratch.query(PREPARE)
    filters = make_filters()
    ks = {vector['info']['hashes'] for vector in filters.values()}
    assert ks == set(range(1, 17))
    return {
        'hashes': make_hashes(),
        'sizes': make_sizes(),
        'filters': filters,
        'combined': make_combined(filters),
        'takes': make_takes(),
        'own': make_own(),
        'unsized': make_unsized(),
        'counting': make_counting(),
        'malformed': make_malformed(filters),
    }


def write(vectors, file):
    """A line for each vector."""
    def lines(section):
        if isinstance(section, dict):
            return [f'{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}' for key, value in section.items()]
        return [json.dumps(value, ensure_ascii=False) for value in section]
    parts = [f'{json.dumps(name)}: {"{}"[0] if isinstance(section, dict) else "["}\n' +
             ',\n'.join(lines(section)) + f'\n{"{}"[1] if isinstance(section, dict) else "]"}'
             for name, section in vectors.items()]
    file.write('{\n' + ',\n'.join(parts) + '\n}\n')


if __name__ == '__main__':
    with scratch.database(), scratch.one_session():
        write(make_vectors(), sys.stdout)
