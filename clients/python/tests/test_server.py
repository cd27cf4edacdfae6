"""The same as the server, bit for bit and word for word."""
import math
import random
import re
import unittest

from server import connect, setUpModule, tearDownModule  # noqa: F401, first: it skips where there is no psycopg
import psycopg
from pg_bloomfilter import BloomfilterError, Filter
from values import FAMILIES, values

# that give k = 1, 4, 7, 8, 12 and 16
RATES = 0.5, 0.1, 0.01, 0.003, 1e-4, 1e-6

MUTATED = 10000


CRC_TABLE = []
for _crc in range(256):
    for _ in range(8):
        _crc = _crc >> 1 ^ (0x82F63B78 if _crc & 1 else 0)
    CRC_TABLE.append(_crc)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.connection = connect()

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()

    def ask(self, query, *parameters, binary=True):
        return self.connection.execute(query, parameters, binary=binary).fetchone()

    def error(self, query, *parameters):
        """The error that it raises, as ours are compared with it."""
        with self.assertRaises(psycopg.Error) as caught:
            self.ask(query, *parameters)
        diagnosis = caught.exception.diag
        return diagnosis.sqlstate, diagnosis.message_primary, diagnosis.message_detail, diagnosis.message_hint

    def same_error(self, action, query, *parameters):
        with self.assertRaises(BloomfilterError) as caught:
            action()
        error = caught.exception
        self.assertEqual((error.sqlstate, error.message, error.detail, error.hint), self.error(query, *parameters))

    def test_families(self):
        """For each family, filters of both sides: equal, in all forms, and with the same answers."""
        for family, (sql_type, _, wanted) in FAMILIES.items():
            members, others = values(family, 0, 600), values(family, 600, 1600)
            # psycopg knows no "char" of its own, and sends an int as the smallest type that holds it
            array = 'text[]' if family == '"char"' else f'{sql_type}[]'
            for p in RATES:
                for n in 600, 100000:
                    with self.subTest(family=family, p=p, n=n):
                        mine = Filter(n, p, seed=n)
                        mine.update(members, wanted)
                        theirs, wire, text, answers = self.ask(
                            f'''WITH f AS (SELECT bloom_add_all(bloom_create(%s, %s, %s), %s::{array}::{sql_type}[]) AS f)
                                SELECT f, f::bytea, f::text,
                                       (SELECT string_agg((%s @> v)::int::text, '' ORDER BY i)
                                          FROM unnest(%s::{array}::{sql_type}[]) WITH ORDINALITY u (v, i))
                                  FROM f''', n, p, n, members, mine, members + others)
                        self.assertEqual(theirs, mine)
                        self.assertEqual(wire, mine.to_bytes())
                        self.assertEqual(text, mine.to_text())
                        self.assertEqual(theirs.contains(members, wanted), [True] * len(members))
                        self.assertEqual(''.join(str(int(found)) for found in
                                                 theirs.contains(members + others, wanted)), answers)

    def test_seeds(self):
        for seed in 1, -1, 2**63 - 1, -2**63:
            mine = Filter(100, 0.01, seed)
            mine.update(range(50))
            self.assertEqual(mine, self.ask('''SELECT bloom_add_all(bloom_create(100, 0.01, %s),
                                                 (SELECT array_agg(i) FROM generate_series(0, 49) i))''', seed)[0])

    def test_sizes(self):
        random.seed(1)
        for _ in range(300):
            n, p = math.exp(random.uniform(0, 19)), math.exp(random.uniform(math.log(1e-6), math.log(0.99)))
            self.assertEqual(Filter(n, p), self.ask('SELECT bloom_create(%s, %s)', n, p)[0])

    def test_sets(self):
        for p in 0.01, 1e-5:
            for a in 0, 5, 500:
                for b in 0, 5, 500:
                    left, right = Filter(500, p), Filter(500, p)
                    left.update(range(a))
                    right.update(range(a // 2, a // 2 + b))
                    self.assertEqual((left | right, left & right),
                                     self.ask('SELECT %s | %s, %s & %s', left, right, left, right))

    def test_shrinking(self):
        for p in RATES:
            for count in 0, 5, 15, 900:
                mine = Filter(1000, p)
                mine.update(range(count))
                blocks = mine.info().bits // 512
                for factor in 0, -1, *range(1, blocks + 2):
                    with self.subTest(p=p, count=count, factor=factor):
                        if factor > 0 and blocks % factor == 0:
                            self.assertEqual(mine.shrink(factor),
                                             self.ask('SELECT bloom_shrink(%s, %s)', mine, factor)[0])
                        else:
                            self.same_error(lambda: mine.shrink(factor), 'SELECT bloom_shrink(%s, %s)', mine, factor)

    def test_own_hash_filters_are_kept(self):
        for values_of in ('i::numeric', 'ARRAY[i::text]', "('10.0.' || i / 256 || '.' || (i & 255))::inet", "jsonb_build_object('a', i)"):
            for n in 5, 500:
                theirs, wire, text = self.ask(f'''SELECT f, f::bytea, f::text FROM (
                    SELECT bloom_agg({values_of}, 500) AS f FROM generate_series(1, {n}) i) s''')
                self.assertEqual((theirs.to_bytes(), theirs.to_text()), (wire, text))
                self.assertEqual(self.ask('SELECT %s | %s, %s = %s', theirs, theirs, theirs, theirs), (theirs, True))
                self.assertEqual(self.ask('SELECT bloom_shrink(%s, 2)', theirs)[0], theirs.shrink(2))
                for operation in (lambda: 1 in theirs, lambda: theirs.add('a'), lambda: theirs.contains([1.5])):
                    with self.assertRaises(BloomfilterError) as caught:
                        operation()
                    self.assertEqual(caught.exception.sqlstate, '0A000')

    def test_partial_states(self):
        """Filters without a size, as they travel between servers."""
        mine = Filter.parse('bloomfilter(1, none, n=0, p=0.01, blocks=0, k=0, seed=0, unsized, crc=' +
                            self.crc_of_empty_state() + ')')
        mine.update(range(1000))
        self.assertEqual(self.ask('SELECT bloom_cardinality(%s)', mine), (1000,))
        self.assertEqual(len(mine), 1000)
        self.assertEqual(tuple(mine.info()), self.ask('SELECT (bloom_info(%s)).*', mine))
        self.assertEqual(self.ask('SELECT %s', mine)[0], mine)
        self.same_error(lambda: mine.shrink(1), 'SELECT bloom_shrink(%s, 1)', mine)

    def crc_of_empty_state(self):
        """What the server would have: it refuses others."""
        payload = bytearray(Filter(1).to_bytes()[4:-4])
        payload[1] = 3
        payload[4] = 0
        payload[12:16] = bytes(4)
        payload[32:40] = bytes(8)
        return f'{crc32c(payload):08x}'

    def test_info(self):
        for n, p, count in ((1000, 0.01, 0), (1000, 0.01, 7), (1000, 0.01, 900), (1000, 1e-6, 900), (10, 0.5, 10000),
                            (10**6, 0.01, 800000), (10**7, 0.9, 100000)):
            f = Filter(n, p)
            f.update(range(count))
            mine, theirs = tuple(f.info()), self.ask('SELECT (bloom_info(%s)).*', f)
            self.assertEqual((len(mine), len(f)), (len(theirs), self.ask('SELECT bloom_cardinality(%s)', f)[0]))
            for ours, others in zip(mine, theirs):
                # both sum the same numbers, but compilers may round the sums otherwise
                if isinstance(others, float):
                    self.assertTrue(math.isclose(ours, others, rel_tol=1e-12), (ours, others))
                else:
                    self.assertEqual(ours, others)

    def test_errors(self):
        for n, p in ((0, 0.01), (-5, 0.01), (math.nan, 0.01), (10, 0), (10, 1), (10, 1.5), (10, -1), (10, math.nan),
                     (10, math.inf), (math.inf, 0.01), (1e15, 0.01), (1e9, 1e-6), (1e300, 0.5)):
            self.same_error(lambda: Filter(n, p), 'SELECT bloom_create(%s::float8, %s::float8)', n, p)
        numbers, texts, large = Filter(1000), Filter(1000), Filter(5000, 0.5, -3)
        numbers.add(1)
        texts.add('a')
        for operator, combine in (('|', lambda a, b: a | b), ('&', lambda a, b: a & b)):
            for a, b in ((numbers, texts), (texts, numbers), (numbers, large), (large, texts)):
                self.same_error(lambda: combine(a, b), f'SELECT %s {operator} %s', a, b)
        self.same_error(lambda: True in numbers, 'SELECT %s @> true', numbers)
        self.same_error(lambda: 1 in texts, 'SELECT %s @> 1', texts)
        for text in ('', 'counting_bloomfilter(1', 'x' * 100, 'bloomfilter(2', 'bloomfilter(1, integer)', 'ü' * 100):
            self.same_error(lambda: Filter.from_text(text), 'SELECT %s::text::bloomfilter', text)
        for wire in (b'', b'PGBF', b'PGBF' + bytes(100)):
            self.same_error(lambda: Filter.from_bytes(wire), 'SELECT %s::bytea::bloomfilter', wire)

    # ---------- mutations ----------

    def seeds(self):
        """Filters of all kinds."""
        for p in 0.5, 0.01, 1e-6:
            for count in 0, 3, 60:
                f = Filter(50, p, seed=count)
                f.update(range(count))
                yield f
        f = Filter(1000)
        f.update(['Zoë', 'a'])
        yield f
        for aggregate in ("bloom_agg(i::numeric, 100)", "bloom_agg(ARRAY[i::text], 100)", "bloom_agg(i, 4)"):
            yield self.ask(f'SELECT {aggregate} FROM generate_series(1, 5) i')[0]

    def outcome(self, reader, form):
        try:
            return 'ok ' + reader(form).to_bytes().hex()
        except BloomfilterError as error:
            return f'{error.sqlstate} {error.detail}'

    def check_mutated(self, reader, forms, sql_type):
        """Each is accepted, as the same filter, or refused, for the same reason, on both sides."""
        self.connection.execute(f'''
            CREATE OR REPLACE FUNCTION outcome(form {sql_type}) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE reason text;
            BEGIN
                RETURN 'ok ' || encode(form::bloomfilter::bytea, 'hex');
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS reason = PG_EXCEPTION_DETAIL;
                RETURN SQLSTATE || ' ' || reason;
            END $$''')
        theirs = [outcome for outcome, in self.connection.execute(
            f'SELECT outcome(form) FROM unnest(%s::{sql_type}[]) WITH ORDINALITY u (form, i) ORDER BY i', [forms])]
        self.connection.execute(f'DROP FUNCTION outcome({sql_type})')
        self.assertEqual(len(theirs), len(forms))
        for form, expected in zip(forms, theirs):
            self.assertEqual(self.outcome(reader, form), expected, form)
        accepted = sum(outcome.startswith('ok') for outcome in theirs)
        reasons = {re.sub(r'\d+', '', outcome) for outcome in theirs if not outcome.startswith('ok')}
        # neither side of it is empty
        self.assertGreater(accepted, MUTATED // 100)
        self.assertGreater(len(reasons), 8)

    def test_mutated_bytes(self):
        random.seed(2)
        seeds = [f.to_bytes() for f in self.seeds()]
        forms = []
        while len(forms) < MUTATED:
            wire = bytearray(random.choice(seeds))
            for _ in range(random.choice((0, 1, 1, 1, 2, 4))):
                at = random.randrange(min(len(wire), 140))
                wire[at] = random.choice((0, 1, 2, 3, 255, wire[at] ^ 1 << random.randrange(8), random.randrange(256)))
            if random.random() < 0.1:
                wire = wire[:random.randrange(len(wire) + 1)]
            if random.random() < 0.1:
                wire += bytes(random.randrange(1, 70))
            if random.random() < 0.8 and len(wire) > 8:
                # as the checksum would betray all others
                wire[-4:] = crc32c(wire[4:-4]).to_bytes(4, 'little')
            forms.append(bytes(wire))
        self.check_mutated(Filter.from_bytes, forms, 'bytea')

    def test_mutated_text(self):
        random.seed(3)
        seeds = [f.to_text() for f in self.seeds()]
        pieces = (' ', '\n', '\t', ',', '(', ')', '=', '-', '+', '0', '1', '16', '17', '4294967296', '18446744073709551616',
                  'e', '.', '1e-6', 'nan', 'none', 'text', 'dense', 'sparse', 'unsized', 'integer', '"char"', 'A', '/',
                  'ü', '"', '.x', '[]', 'U&"\\00fc"')
        forms = []
        while len(forms) < MUTATED:
            text = random.choice(seeds)
            for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
                at = random.randrange(len(text) + 1)
                text = text[:at] + random.choice(('', random.choice(pieces))) + text[at + random.choice((0, 0, 1, 5)):]
            if random.random() < 0.3:
                # another number in a field, or another word
                fields = re.findall(r'[^,(]+', text)
                if fields:
                    text = text.replace(random.choice(fields), random.choice(fields + list(pieces)), 1)
            if random.random() < 0.2:
                text = text.replace(',', ' ,\n')
            forms.append(text)
        self.check_mutated(Filter.from_text, forms, 'text')
