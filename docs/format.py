"""Filters of the PostgreSQL extension bloomfilter, without the server.

The reference program for format.md: it reads, tests, fills, writes and sizes
filters.  It is written to be read, not to be fast: a block is one Python
integer of 512 bits.  It needs Python 3.8 or newer and the module xxhash
(python3-xxhash on Debian, xxhash on PyPI).

>>> f = Filter(n=1000, p=0.01, blocks=20, k=7)      # like bloom_create(1000, 0.01)
>>> for i in 1, 2, 3: f.add('integer', i)
>>> f.contains('integer', 2), f.contains('integer', 4)
(True, False)
>>> f.to_text()
'bloomfilter(1, integer, n=1000, p=0.01, blocks=20, k=7, seed=0, sparse, crc=0e7e805e, Q+LukVzGhiAuedtkNVm8L30u9MEpIJJN)'
>>> from_text(f.to_text()) == from_bytes(f.to_bytes()) == f
True
"""
import base64
import collections
import dataclasses
import functools
import math
import re
import struct
from datetime import datetime, timedelta, timezone

import xxhash

FAMILIES = ['none', 'integer', 'text', 'bpchar', 'float', 'boolean', 'date', 'time',
            'timestamp', 'timestamptz', 'uuid', 'bytea', 'oid', '"char"']
OWN_HASH = 14
HEADER = struct.Struct('<BBHBBHHHIQqQdQQ')
M64 = 2**64 - 1

EPOCH, EPOCH_UTC = datetime(2000, 1, 1), datetime(2000, 1, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)
CANONICAL = {
    'integer': lambda v: struct.pack('<q', v),
    'text': lambda v: v.encode(),
    'bpchar': lambda v: v.rstrip(' ').encode(),
    'float': lambda v: struct.pack('<d', v or 0.0) if v == v else struct.pack('<Q', 0x7FF8 << 48),
    'boolean': lambda v: bytes([v]),
    'date': lambda v: struct.pack('<i', (v - EPOCH.date()).days),
    'time': lambda v: struct.pack('<q', (datetime.combine(EPOCH, v) - EPOCH) // MICROSECOND),
    'timestamp': lambda v: struct.pack('<q', (v - EPOCH) // MICROSECOND),
    'timestamptz': lambda v: struct.pack('<q', (v - EPOCH_UTC) // MICROSECOND),
    'uuid': lambda v: v.bytes,
    'bytea': bytes,
    'oid': lambda v: struct.pack('<I', v),
    '"char"': bytes,                        # one byte
}


def shard(family, value, shards):
    """Like bloom_shard(value, shards)."""
    canonical = CANONICAL['bpchar' if family == 'text' else family](value)
    return ((xxhash.xxh64_intdigest(canonical, 0) >> 32) * shards) >> 32


def block_and_bits(h, blocks, k):
    """The block that a hash belongs to, and its bits there as a 512-bit integer."""
    start, g, bits = (h >> 29) & 7, (h * 0x9E3779B97F4A7C15) & M64, 0
    for i in range(k):
        if i == 8:                          # round 2
            g = ((h ^ (h >> 32)) * 0xD6E8FEB86659FD93) & M64
        word = (start + i) & 7
        bits |= 1 << (64 * word + ((g >> (58 - 8 * word)) & 63))
    return ((h >> 32) * blocks) >> 32, bits


@dataclasses.dataclass
class Filter:
    TYPE, MAGIC, FORMS = 'bloomfilter', b'PGBF', {'sparse': 1, 'dense': 2, 'unsized': 3}
    LISTED, BLOCK, MOST_BLOCKS = 8, 64, 2**23   # bytes of a hash in a list, and of a block

    n: int
    p: float
    blocks: int
    k: int
    seed: int = 0
    representation: str = 'sparse'
    family: str = 'none'                    # or the name of an own-hash type
    environment: int = 0
    data: object = dataclasses.field(default_factory=set)   # hashes; if dense: blocks

    def hash(self, family, value):
        if self.family not in ('none', family) and {self.family, family} != {'text', 'bpchar'}:
            raise TypeError(f'the filter holds {self.family}, the value is {family}')
        if self.family == 'bpchar':
            family = 'bpchar'               # text without its trailing blanks
        return xxhash.xxh3_64_intdigest(CANONICAL[family](value), self.seed & M64)

    def contains(self, family, value):
        return self.contains_hash(self.hash(family, value))

    def contains_hash(self, h):
        if self.representation != 'dense':
            return h in self.data
        block, bits = block_and_bits(h, self.blocks, self.k)
        return self.data[block] & bits == bits

    def add(self, family, value):
        h = self.hash(family, value)
        self.family = family if self.family == 'none' else self.family
        self.add_hash(h)

    def add_hash(self, h):
        hashes = [h]
        if self.representation != 'dense':
            self.data.add(h)
            if self.representation == 'unsized' or len(self.data) <= self.blocks:
                return
            self.representation, hashes, self.data = 'dense', self.data, [0] * self.blocks
        for h in hashes:
            block, bits = block_and_bits(h, self.blocks, self.k)
            self.data[block] |= bits

    def data_bytes(self):
        if self.representation == 'dense':
            return b''.join(block.to_bytes(64, 'little') for block in self.data)
        return b''.join(h.to_bytes(8, 'little') for h in sorted(self.data))

    def payload(self):
        count = 0 if self.representation == 'dense' else len(self.data)
        return header_bytes(self.FORMS[self.representation], self.k, self.family, self.blocks, self.environment,
                            self.seed, self.n, self.p, count) + self.data_bytes()

    def to_bytes(self):
        payload = self.payload()
        return self.MAGIC + payload + struct.pack('<I', crc32c(payload))

    def to_text(self):
        env = '' if self.family in FAMILIES else f', env={self.environment:016x}'
        data = base64.b64encode(self.data_bytes()).decode()
        return (f'{self.TYPE}(1, {self.family}{env}, n={self.n}, p={self.p!r}, blocks={self.blocks}, '
                f'k={self.k}, seed={self.seed}, {self.representation}, '
                f'crc={crc32c(self.payload()):08x}{", " if data else ""}{data})')

    @classmethod
    def read_data(cls, data, dense):
        """The data of a filter, of a length that is right."""
        size = 64 if dense else 8
        values = [int.from_bytes(data[i:i + size], 'little') for i in range(0, len(data), size)]
        check(dense or values == sorted(set(values)), 'hashes not in ascending order')
        return values if dense else set(values)


def counters(bits):
    """The numbers of the bits that are set in a block."""
    return [i for i in range(512) if bits >> i & 1]


@dataclasses.dataclass
class CountingFilter(Filter):
    TYPE, MAGIC, FORMS = 'counting_bloomfilter', b'PGCB', {'sparse': 4, 'dense': 5}
    LISTED, BLOCK, MOST_BLOCKS = 9, 256, 2**21

    data: object = dataclasses.field(default_factory=dict)  # counts by hash; if dense: lists of counters

    def count(self, family, value):
        return self.count_hash(self.hash(family, value))

    def count_hash(self, h):
        if self.representation == 'sparse':
            return self.data.get(h, 0)
        block, bits = block_and_bits(h, self.blocks, self.k)
        return min(self.data[block][i] for i in counters(bits))

    def contains_hash(self, h):
        return self.count_hash(h) > 0

    def add_hash(self, h, times=1):
        if self.representation == 'sparse':
            self.data[h] = min(self.data.get(h, 0) + times, 15)
            if len(self.data) > self.blocks:
                listed, self.data = self.data, [[0] * 512 for _ in range(self.blocks)]
                self.representation = 'dense'
                for h, times in listed.items():
                    self.add_hash(h, times)
            return
        block, bits = block_and_bits(h, self.blocks, self.k)
        for i in counters(bits):
            self.data[block][i] = min(self.data[block][i] + times, 15)

    def remove(self, family, value):
        self.remove_hash(self.hash(family, value))

    def remove_hash(self, h):
        if self.count_hash(h) == 0:
            raise KeyError('the filter does not contain the value')
        counts, places = self.data, [h]
        if self.representation == 'dense':
            block, bits = block_and_bits(h, self.blocks, self.k)
            counts, places = self.data[block], counters(bits)
        for place in places:
            if counts[place] < 15:
                counts[place] -= 1
        if self.representation == 'sparse' and self.data[h] == 0:
            del self.data[h]

    def cast(self):
        """The bloomfilter of what is left."""
        data = set(self.data) if self.representation == 'sparse' else [
            sum(1 << i for i, count in enumerate(block) if count) for block in self.data]
        return Filter(self.n, self.p, self.blocks, self.k, self.seed, self.representation, self.family,
                      self.environment, data)

    def data_bytes(self):
        if self.representation == 'dense':
            return bytes(block[i] | block[i + 1] << 4 for block in self.data for i in range(0, 512, 2))
        hashes = sorted(self.data)
        return b''.join(h.to_bytes(8, 'little') for h in hashes) + bytes(self.data[h] for h in hashes)

    @classmethod
    def read_data(cls, data, dense):
        if dense:
            return [[byte >> half & 15 for byte in data[i:i + 256] for half in (0, 4)]
                    for i in range(0, len(data), 256)]
        n = len(data) // 9
        hashes, counts = Filter.read_data(data[:8 * n], False), data[8 * n:]
        check(all(1 <= count <= 15 for count in counts), 'count of a hash out of range')
        return dict(zip(sorted(hashes), counts))


def header_bytes(representation, k, family, blocks, environment, seed, n, p, count):
    own_hash = family not in FAMILIES
    name = family.encode('ascii') if own_hash else b''
    name += bytes(-len(name) % 8)
    return HEADER.pack(1, representation, 64 + len(name), k, 1, 0,
                       OWN_HASH if own_hash else FAMILIES.index(family), 0,
                       blocks, environment, seed, n, p, count, 0) + name


CRC_TABLE = list(range(256))
for _ in range(8):
    CRC_TABLE = [c >> 1 ^ (0x82F63B78 if c & 1 else 0) for c in CRC_TABLE]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def check(condition, reason):
    if not condition:
        raise ValueError('no bloomfilter: ' + reason)


IDENTIFIER = r'(?:[a-z_][a-z0-9_$]*|(?:U&)?"(?:[\x20!#-~]|"")*")'
TYPE_NAME = rf'(?:{IDENTIFIER}\.{IDENTIFIER}(?:\[\])*)'
TEXT = re.compile(r' (?P<type>bloomfilter|counting_bloomfilter) \( 0*1 , '
                  rf'(?:(?P<own>{TYPE_NAME}) , env = (?P<env>[0-9a-f]{{1,40}})|(?P<family>[a-z]+|"char")) , '
                  r'n = (?P<n>[0-9]{1,40}) , p = (?P<p>[0-9.e+-]{1,40}) , blocks = (?P<blocks>[0-9]{1,40}) , '
                  r'k = (?P<k>[0-9]{1,40}) , seed = (?P<seed>-?[0-9]{1,40}) , (?P<form>sparse|dense|unsized) , '
                  r'crc = (?P<crc>[0-9a-f]{1,40}) (?:,(?P<data>[^)]*))?\) '.replace(' ', r'[ \t\n\r\f\v]*'))


def quoted(identifier):
    """An identifier as it stands in the names of types."""
    if re.fullmatch(r'[a-z_][a-z0-9_$]*', identifier):
        return identifier
    result = identifier.replace('"', '""')
    if re.fullmatch(r'[ -~]+', identifier):
        return f'"{result}"'
    def escape(match):
        return f'\\{ord(match[0]):04x}' if match[0] <= '\uffff' else f'\\+{ord(match[0]):06x}'
    return 'U&"' + re.sub(r'[^ -~]', escape, result.replace('\\', '\\\\')) + '"'


def unquoted(identifier):
    """What an identifier stands for, as long as it is spelled at all."""
    if identifier[-1:] != '"':
        return identifier
    def character(match):
        return '\\' if match[0] == '\\\\' else chr(int(match[0].lstrip('\\+'), 16))
    text = identifier[identifier.index('"') + 1:-1].replace('""', '"')
    if identifier.startswith('U&'):
        text = re.sub(r'\\(?:\\|[0-9a-f]{4}|\+[0-9a-f]{6})', character, text)
    return text


def is_identifier(spelling):
    try:
        identifier = unquoted(spelling)
        return identifier.encode() != b'' and '\0' not in identifier and quoted(identifier) == spelling
    except ValueError:                      # no character, or half a surrogate pair
        return False


def is_type_name(name):
    identifiers = re.fullmatch(rf'({IDENTIFIER})\.({IDENTIFIER})(?:\[\])*', name)
    return len(name) <= 1024 and identifiers is not None and all(map(is_identifier, identifiers.groups()))


def tag(*strings):
    """The tag in an environment."""
    return xxhash.xxh3_64_intdigest(b''.join(string.encode() + b'\0' for string in strings), 0) >> 16 or 1


def from_text(text, kind=Filter):
    m = TEXT.fullmatch(text)
    check(m and m['type'] == kind.TYPE and m['form'] in kind.FORMS, 'malformed text')
    check(m['own'] or m['family'] in FAMILIES, 'unknown element type')
    packed = re.sub('[ \t\n\r\f\v]', '', m['data'] or '')
    try:
        data = base64.b64decode(packed, validate=True)
    except ValueError as error:
        raise ValueError('no bloomfilter: malformed base64') from error
    check(base64.b64encode(data).decode() == packed, 'base64 of another spelling')
    try:
        header = header_bytes(kind.FORMS[m['form']], int(m['k']), m['own'] or m['family'], int(m['blocks']),
                              int(m['env'] or '0', 16), int(m['seed']), int(m['n']), float(m['p']),
                              0 if m['form'] == 'dense' else len(data) // kind.LISTED)
    except struct.error as error:
        raise ValueError('no bloomfilter: number out of range') from error
    return from_payload(header + data, int(m['crc'], 16), kind)


def from_bytes(wire, kind=Filter):
    check(len(wire) >= 8 and wire[:4] == kind.MAGIC, 'wrong magic')
    return from_payload(wire[4:-4], int.from_bytes(wire[-4:], 'little'), kind)


def from_payload(payload, crc, kind=Filter):
    check(len(payload) >= 64, 'too short')
    (version, representation, length, k, hash_id, flags, family, reserved1, blocks, environment,
     seed, n, p, count, reserved2) = HEADER.unpack_from(payload)
    check((version, hash_id, flags, reserved1, reserved2) == (1, 1, 0, 0, 0), 'unknown version')
    check(representation in kind.FORMS.values() and family <= OWN_HASH and 1e-6 <= p < 1, 'field out of range')
    representation = {number: form for form, number in kind.FORMS.items()}[representation]
    dense = representation == 'dense'
    if representation == 'unsized':
        check(n == blocks == k == 0 and count <= 2**26, 'malformed unsized filter')
    else:
        check(1 <= n <= 2**53 and 1 <= blocks <= kind.MOST_BLOCKS and 1 <= k <= 16, 'size out of range')
        check(count <= (0 if dense else blocks), 'too many hashes')
    check(family != 0 or not (dense or count), 'values without an element type')

    name = payload[64:length].rstrip(b'\0')
    check(length == 64 + (len(name) + 7) // 8 * 8, 'wrong header length')
    name = name.decode('latin-1')
    if family == OWN_HASH:
        check(is_type_name(name), 'malformed type name')
        check(environment & 3 != 3 and environment & 12 != 12 and environment & 0xF0 == 0,
              'malformed environment')
    else:
        check(not name and not environment, 'name or environment where none belongs')

    data = payload[length:]
    check(len(data) == (kind.BLOCK * blocks if dense else kind.LISTED * count), 'wrong length')
    values = kind.read_data(data, dense)
    check(crc32c(payload) == crc, 'wrong checksum')
    return kind(n, p, blocks, k, seed, representation, name or FAMILIES[family], environment, values)


#
# The size of a new filter, as the server chooses it
#


def create(n, p=0.01, seed=0):
    """Like bloom_create(n, p, seed)."""
    n = math.ceil(n)
    return Filter(n, p, *choose_size(n, p), seed)


def choose_size(n, p):
    """Blocks and k of a filter for n values at the rate p."""
    sizes, bits = {}, -math.log2(p)
    for k in range(max(1, math.ceil(0.6 * bits)), min(16, max(1, math.ceil(bits))) + 1):
        too_few, enough = 0, 2**23 + 1
        while enough - too_few > 1:
            middle = (too_few + enough) // 2
            if expected_rate(n, middle, k) > p:
                too_few = middle
            else:
                enough = middle
        if enough <= 2**23:
            sizes[k] = enough
    check(sizes, 'more than 2^23 blocks')
    best = min(sizes, key=lambda k: (sizes[k], expected_rate(n, sizes[k], k)))
    if 8 in sizes and sizes[8] <= 1.01 * sizes[best]:
        best = 8
    return sizes[best], best


def expected_rate(n, blocks, k):
    """Expected false positive rate of a filter that holds n values.

    For k <= 8, with r(T) the probability that a value of the same block sets at
    least one of the bits that an absent value probes in the set T of words:

    rate = sum over T, subset of {0 .. k-1}, of  (-1)^|T| * (1 - r(T) / blocks)^n
    r(T) = 1 - 1/8 * sum over s = 0 .. 7 of (63/64)^|T and W(s)|
    W(s) = {s .. s+k-1} modulo 8

    For k > 8, the mean of loaded_block_rate over the number of values in a
    block, which is binomial: n values, with the probability 1/blocks each.
    """
    if k <= 8:
        rate = sum(c * math.exp(n * math.log1p(-x / blocks)) for x, c in rate_terms(k).items())
        return min(max(rate, 0), 1)         # the sum may round to a little below 0
    if n / blocks > 2048:
        return 1
    if blocks == 1:
        return loaded_block_rate(n, k)
    weights = {(n + 1) // blocks: 1.0}      # of a block's loads, relative to the likeliest
    for step in 1, -1:
        load = (n + 1) // blocks
        while weights[load] > 1e-18 and 0 <= load + step <= n:
            up = (n - load) / (load + 1) / (blocks - 1)
            down = load / (n - load + 1) * (blocks - 1)
            weights[load + step] = weights[load] * (up if step == 1 else down)
            load += step
    return sum(w * loaded_block_rate(load, k) for load, w in weights.items()) / sum(weights.values())


@functools.lru_cache(None)
def rate_terms(k):
    """How often, by sign, each r(T) occurs in the sum."""
    window, terms = (1 << k) - 1, collections.Counter()
    for subset in range(1 << k):
        overlaps = [bin(subset & (window << s | window << s >> 8) & 255).count('1') for s in range(8)]
        x = 1 - sum((63 / 64) ** overlap for overlap in sorted(overlaps)) / 8
        terms[x] += (-1) ** bin(subset).count('1')
    return terms


def loaded_block_rate(load, k):
    """For k > 8: about the rate of a block that holds so many values."""
    r = k - 8
    # that a probed bit is unset; that two different bits of a word are
    unset1, unset2 = (63 / 64 * (1 - r / 512)) ** load, (62 / 64 * (1 - r / 256)) ** load
    both = (1 - unset1) / 64 + 63 / 64 * (1 - 2 * unset1 + unset2)
    return (1 - unset1) ** (8 - r) * both ** r
