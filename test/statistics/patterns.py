"""Keys as they occur, as SQL expressions of a bigint i from 1 up.

No two i give equal values, nor values that their type's hash cannot tell
apart (collisions.py has those).
"""

SYLLABLES = "ARRAY['" + "','".join(
    first + vowel for first in "b ch d f gr k l m n p r s st t v z".split() for vowel in "aeio") + "']"


def word(i):
    """Four of 64 syllables: 16 million words."""
    return " || ".join(f"({SYLLABLES})[{i} / {64 ** place} % 64 + 1]" for place in range(4))


def near_identical(length, place):
    """Neighbours differ in one character or few."""
    return f"overlay(repeat('a', {length}) placing lpad(i::text, 9, '0') from {place})"


# One of each way to hash, taken through all sizes.
FAMILIES = {
    "integer: 1, 2, 3, ...": "i",
    "text: 'user1', 'user2', ...": "'user' || i",
    "uuid: random": "md5(i::text)::uuid",
    "timestamp: every second": "timestamp '2024-01-01' + i * interval '1 second'",
    "float8: square roots": "sqrt(i)",
    "numeric: 0.01, 0.02, ...": "i / 100.0",
    "inet: IPv4 addresses": "inet '10.0.0.0' + i",
    "jsonb: objects": "jsonb_build_object('id', i)",
}

# The rest, at one size.
PATTERNS = {
    "integer: negative": "-i",
    "integer: from 2^62 up": "4611686018427387904 + i",
    "integer: every thousandth": "i * 1000",
    "integer: every 2^20-th plus one": "(i << 20) + 1",
    "integer: squares": "i * i",
    "integer: members strewn among the others": "i * 7919 % 16777213",
    "integer: half of the bits at either end": "(i & 4095) | ((i >> 12) << 50)",
    "text: digits": "i::text",
    "text: words": word("i"),
    "text: mail addresses": f"{word('i')} || '@example.com'",
    "text: behind a common prefix of 200": "repeat('x', 200) || i",
    "text: 100 alike but for the start": near_identical(100, 1),
    "text: 100 alike but for the middle": near_identical(100, 45),
    "text: 100 alike but for the end": near_identical(100, 92),
    "text: 300 alike but for the start": near_identical(300, 1),
    "text: 300 alike but for the middle": near_identical(300, 145),
    "text: 300 alike but for the end": near_identical(300, 292),
    "text: 2,000 alike but for the middle": near_identical(2000, 1000),
    "bpchar: digits": "i::text::char(12)",
    "bytea: 8 bytes": "int8send(i)",
    "bytea: 64 bytes, mostly zero":
        "decode(repeat('00', 28), 'hex') || int8send(i) || decode(repeat('00', 28), 'hex')",
    "uuid: counting": "lpad(to_hex(i), 32, '0')::uuid",
    "uuid: version 1, counting in its time":
        "(lpad(to_hex(i), 8, '0') || '-7a11-11ee-8c99-0242ac120002')::uuid",
    "uuid: version 7, ten to a millisecond":
        "(lpad(to_hex(1704067200000 + i / 10), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid",
    "timestamp: every microsecond": "timestamp '2024-01-01' + i * interval '1 microsecond'",
    "timestamptz: every minute": "timestamptz '2000-01-01' + i * interval '1 minute'",
    "date: every day": "date '1970-01-01' + i::int",
    "time: every 5 milliseconds": "time '00:00' + i * interval '5 milliseconds'",
    "float8: integers": "i::float8",
    "float8: reciprocals": "1 / i::float8",
    "float4: integers": "i::float4",
    "numeric: integers": "i::numeric",
    "numeric: 10^20 and up": "100000000000000000000 + i::numeric",
    "numeric: millionths": "i / 1000000.0",
    "oid: counting": "i::int::oid",
    "inet: IPv6 addresses": "inet '2001:db8::' + i",
    "macaddr: counting": "lpad(to_hex(i), 12, '0')::macaddr",
    "jsonb: numbers": "to_jsonb(i)",
    "jsonb: arrays": "jsonb_build_array(i, 'x', i + 1)",
    "int4[]: neighbours": "ARRAY[i::int, i::int + 1]",
    "text[]: words": f"ARRAY['a', {word('i')}]",
    "int4range: ten wide": "int4range(i::int, i::int + 10)",
    "citext: words": f"({word('i')})::citext",
}

# Multiples of 2^j
POWERS = {f"integer: multiples of 2^{j}": f"i << {j}" for j in range(1, 41)}
