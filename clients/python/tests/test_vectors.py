"""The golden vectors of clients/vectors.json, which come from the server; clients/vectors.py describes them."""
import base64
import datetime as dt
import json
import math
import os
import unittest
import uuid

import installed  # noqa: F401
from pg_bloomfilter import BloomfilterError, Filter

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'vectors.json')
if not os.path.exists(PATH):
    raise unittest.SkipTest('no clients/vectors.json: this is not the repository')
with open(PATH, encoding='utf-8') as file:
    VECTORS = json.load(file)

READERS = {'integer': int, 'text': str, 'bpchar': str, 'float': float, 'boolean': {'true': True, 'false': False}.get,
           'date': dt.date.fromisoformat, 'time': dt.time.fromisoformat, 'timestamp': dt.datetime.fromisoformat,
           'timestamptz': dt.datetime.fromisoformat, 'uuid': uuid.UUID, 'bytea': lambda s: bytes.fromhex(s[2:]),
           'oid': int, '"char"': str}

# those that Python's type of the value does not tell
NAMED = {'bpchar', 'oid', '"char"'}


def native(family, value):
    """The value for Python, or None if it has none for it: infinite dates, those before Christ, 24 o'clock."""
    try:
        return READERS[family](value)
    except ValueError:
        return None


def natives(family, values):
    return [value for value in (native(family, value) for value in values) if value is not None]


def named(family):
    return family if family in NAMED else None


class Vectors(unittest.TestCase):
    def test_hashes(self):
        tested = set()
        for vector in VECTORS['hashes']:
            family, f = vector['type'], Filter(1000, 0.01, int(vector['seed']))
            for value, expected in vector['values']:
                value = native(family, value)
                if value is not None:
                    self.assertEqual(f.hash(value, named(family)), int(expected), (family, value))
                    tested.add((family, value))
        self.assertEqual({family for family, _ in tested}, set(READERS))
        self.assertGreater(len(tested), 80)

    def test_sizes(self):
        for n, p, blocks, hashes, _ in VECTORS['sizes']:
            info = Filter(n, p).info()
            self.assertEqual((info.bits, info.hashes), (512 * blocks, hashes), (n, p))

    def test_forms(self):
        for name, vector in VECTORS['filters'].items():
            text, wire = vector['text'], bytes.fromhex(vector['bytes'])
            encoded = base64.b64encode(wire).decode()
            for form in (text, f' \n{text}\t', text.encode(), wire, bytearray(wire), memoryview(wire),
                         '\\x' + wire.hex(), '\\x' + wire.hex().upper() + '\n', encoded, base64.encodebytes(wire)):
                f = Filter.parse(form)
                self.assertEqual((f.to_text(), f.to_bytes()), (text, wire), name)

    def test_info(self):
        for vector in [*VECTORS['filters'].values(), *VECTORS['own'], *VECTORS['unsized']]:
            ours, theirs = Filter.from_text(vector['text']).info()._asdict(), vector['info']
            self.assertEqual(list(ours), [key for key in ours if key in theirs])
            for key, value in theirs.items():
                value = int(value) if key == 'seed' else value
                if isinstance(value, float):
                    self.assertTrue(math.isclose(ours[key], value, rel_tol=1e-9), key)
                else:
                    self.assertEqual(ours[key], value, key)

    def test_members(self):
        for name, vector in VECTORS['filters'].items():
            family, f = vector['type'], Filter.from_text(vector['text'])
            members = natives(family, vector['members'])
            self.assertTrue(all(f.contains(members, named(family))), name)
            for value, expected in vector['others']:
                value = native(family, value)
                if value is not None:
                    self.assertIs(f.has(value, named(family)), expected, (name, value))

    def test_building(self):
        built = 0
        for name, vector in VECTORS['filters'].items():
            family, info = vector['type'], vector['info']
            members = natives(family, vector['members'])
            # sizes that no one asks for, and values that Python has not
            if name.startswith('integer, k=') or len(members) < len(vector['members']):
                continue
            for values in members, members[::-1] * 2:
                f = Filter(info['expected_items'], info['target_false_positive_rate'], int(info['seed']))
                f.update(values, named(family))
                self.assertEqual(f.to_text(), vector['text'], name)
            built += 1
        self.assertGreater(built, 20)

    def test_every_k(self):
        """What members of a list turn into when more are added."""
        for k in range(1, 17):
            sparse, dense = (VECTORS['filters'][f'integer, k={k}, {form}'] for form in ('sparse', 'dense'))
            f = Filter.from_text(sparse['text'])
            f.update(natives('integer', dense['members']))
            self.assertEqual(f.to_text(), dense['text'])

    def test_sets(self):
        for vector in VECTORS['combined']:
            a, b = (Filter.from_text(VECTORS['filters'][vector[name]]['text']) for name in 'ab')
            for combine, expected in ((lambda: a | b, vector['union']), (lambda: a & b, vector['intersection'])):
                if 'error' in expected:
                    with self.assertRaises(BloomfilterError) as caught:
                        combine()
                    self.assert_error(caught.exception, expected['error'])
                else:
                    self.assertEqual(combine().to_text(), expected['text'], (vector['a'], vector['b']))

    def assert_error(self, error, expected):
        self.assertEqual((error.sqlstate, error.message, error.detail or '', error.hint or ''),
                         tuple(expected[key] for key in ('code', 'message', 'detail', 'hint')))

    def test_which_values_filters_take(self):
        values = {vector['type']: natives(vector['type'], [value for value, _ in vector['values']])[0]
                  for vector in VECTORS['hashes']}
        for family, taken in VECTORS['takes'].items():
            f = Filter(10)
            f.add(values[family], named(family))
            for other, value in values.items():
                if other in taken:
                    f.has(value, named(other))
                else:
                    with self.assertRaises(BloomfilterError, msg=(family, other)) as caught:
                        f.has(value, named(other))
                    self.assertEqual(caught.exception.sqlstate, '42804')

    def test_own_hash(self):
        for vector in VECTORS['own']:
            f = Filter.from_text(vector['text'])
            self.assertEqual((f.to_text(), f.to_bytes().hex()), (vector['text'], vector['bytes']))
            self.assertEqual(f | f, f)
            self.assertIs(type(f.has_hash(-1)), bool)
            for operation in (lambda: f.has(1), lambda: f.add('1'), lambda: f.contains([1.5]), lambda: f.hash(1)):
                with self.assertRaises(BloomfilterError) as caught:
                    operation()
                self.assertEqual(caught.exception.sqlstate, '0A000')
                self.assertEqual(caught.exception.message, f'values of type {vector["info"]["element_type"]} '
                                 'cannot be hashed outside of the server')

    def test_partial_states(self):
        for vector in VECTORS['unsized']:
            f = Filter.from_bytes(bytes.fromhex(vector['bytes']))
            self.assertEqual((f.to_text(), (f | f).to_text()), (vector['text'], vector['text']))
            self.assertTrue(all(f.contains(natives('integer', vector['members']))))
            self.assertNotIn(77, f)
            count = len(f)
            f.add(78)
            self.assertEqual(len(f), count + 1)

    def test_malformed(self):
        for vector in VECTORS['malformed']:
            def read():
                if vector['form'] == 'text':
                    return Filter.from_text(vector['input'])
                return Filter.from_bytes(bytes.fromhex(vector['input']))
            if 'error' in vector:
                with self.assertRaises(BloomfilterError, msg=vector['input']) as caught:
                    read()
                self.assert_error(caught.exception, vector['error'])
            else:
                self.assertEqual(read().to_text(), vector['text'])
