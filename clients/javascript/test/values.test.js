// Values that must not be taken for others, and filters that are no more.

import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';

import { BloomFilter, BloomFilterError } from 'pg-bloomfilter';

import { vectors } from './vectors.js';

const SAMPLES = {
    integer: [1, 1n],
    float: [1, 1.5],
    text: ['1'],
    bpchar: ['1'],
    boolean: [true],
    date: ['2024-02-29', Infinity],
    time: ['12:34:56'],
    timestamp: ['2024-02-29 12:34:56', -Infinity],
    timestamptz: ['2024-02-29 12:34:56+00', new Date(0), Infinity],
    uuid: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', new Uint8Array(16)],
    bytea: [new Uint8Array(3), Buffer.from('abc'), new ArrayBuffer(2), new DataView(new ArrayBuffer(2))],
    oid: [1, 1n],
    '"char"': ['x', new Uint8Array(1)],
};

function filterOf(type, ...values) {
    return BloomFilter.create(100, 0.01, 0n, { type }).addAll(values);
}

// Actions that must all fail alike, and leave the filter as it is.
function refuses(filter, value, expected) {
    const before = filter.toText();
    for (const action of ['has', 'add', 'hash'])
        assert.throws(() => filter[action](value), expected, `${action} ${String(value)}`);
    for (const action of ['hasEach', 'hasAll', 'hasAny', 'addAll'])
        assert.throws(() => filter[action]([value]), expected, `${action} ${String(value)}`);
    assert.equal(filter.toText(), before);
}

test('each type takes its values', () => {
    for (const [type, values] of Object.entries(SAMPLES))
        for (const value of values)
            for (const filter of [filterOf(type), filterOf(type, values[0])]) {
                assert.equal(filter.has(value), filter.elementType !== null && value === values[0] ||
                    filter.hasHash(filter.hash(value)));
                assert.equal(filter.add(value).has(value), true);
                assert.equal(filter.elementType, type);
            }
});

test('values of other types are refused, never answered', () => {
    const strings = ['text', 'bpchar', 'date', 'time', 'timestamp', 'timestamptz', 'uuid', '"char"'];
    for (const type of Object.keys(SAMPLES))
        for (const [other, values] of Object.entries(SAMPLES))
            for (const value of values) {
                // what a string holds is seen only when it is read
                const same = type === other || SAMPLES[type].some((own) => Object.is(own, value));
                const infinite = typeof value === 'number' && !Number.isFinite(value) &&
                    ['date', 'timestamp', 'timestamptz'].includes(type);
                if (same || infinite || (type === 'timestamp' && other === 'date') ||
                    (type === '"char"' && value.length === 1) || (typeof value === 'number' && ['integer', 'float', 'oid'].includes(type)) ||
                    (typeof value === 'bigint' && ['integer', 'oid'].includes(type)) ||
                    (typeof value === 'string' && ['text', 'bpchar'].includes(type)) ||
                    (typeof value === 'object' && !(value instanceof Date) && type === 'bytea'))
                    continue;
                const code = typeof value === 'string' && strings.includes(type) ? /^(22007|22P02|22001)$/ :
                    value instanceof Date || typeof value !== 'object' ? /^42804$/ : /^(42804|22P03|22001)$/;
                refuses(filterOf(type, SAMPLES[type][0]), value, { name: 'BloomFilterError', code });
            }
});

test('integers', () => {
    const filter = filterOf('integer', 42, -1n, 0);
    assert.equal(filter.has(42n), true);
    assert.equal(filter.has(-1), true);
    assert.equal(filter.has(-0), true);
    for (const value of [1.5, NaN, Infinity])
        refuses(filter, value, { code: '42804', detail: 'The filter holds values of type integer, the value is of type double precision.', hint: 'Cast the value to bigint.' });
    for (const value of [2 ** 53, -(2 ** 53), 1e300])
        refuses(filter, value, { code: '22003', hint: 'Give it as a BigInt.' });
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n + 42n])
        refuses(filter, value, { code: '22003', message: `value "${value}" is out of range for type bigint` });
    refuses(filter, '42', { code: '42804', hint: 'Give it as a BigInt: BigInt(value).' });
    const hash = filter.hash(42);
    assert.deepEqual([hash, BigInt.asUintN(64, hash), BigInt.asIntN(64, hash)].map((h) => filter.hasHash(h)), [true, true, true]);
    for (const other of [hash + 2n ** 64n, hash - 2n ** 64n, hash + 2n ** 70n].filter((h) => h < -(2n ** 63n) || h >= 2n ** 64n))
        assert.throws(() => filter.hasHash(other), { code: '22003', message: `value "${other}" is out of range for type bigint` });
    // what cannot be added leaves no type
    const empty = filterOf(undefined);
    assert.throws(() => empty.addAll(BigUint64Array.of(2n ** 64n - 1n)), { code: '22003' });
    assert.equal(empty.elementType, null);
    assert.throws(() => filter.hasEach(Float64Array.of(42, 1.5)), { code: '42804', hint: 'Cast the value to bigint.' });
    assert.deepEqual([...filter.hasEach(Float64Array.of(42, 77))], [1, 0]);
    assert.deepEqual([...filter.hasEach(Uint8Array.of(42, 77))], [1, 0]);
    assert.throws(() => filter.hasEach(BigUint64Array.of(2n ** 63n)), { code: '22003' });
    for (const constructor of [Int8Array, Int16Array, Int32Array, Float32Array, BigInt64Array]) {
        const values = constructor === BigInt64Array ? constructor.of(-1n, 5n) : constructor.of(-1, 5);
        assert.deepEqual([...filter.hasEach(values)], [1, 0]);
        assert.equal(filterOf('integer').addAll(values).toText(), filterOf('integer', -1, 5).toText());
    }
});

test('floats', () => {
    const filter = filterOf('float', 0.1, 42, NaN, 0);
    for (const value of [0.1, 42, NaN, -0])
        assert.equal(filter.has(value), true);
    assert.equal(filter.has(Math.fround(0.1)), false);
    refuses(filter, 42n, { code: '42804', detail: 'The filter holds values of type float, the value is of type bigint.' });
    refuses(filter, '42', { code: '42804' });
    assert.deepEqual([...filter.hasEach(Float64Array.of(0.1, 0.2, NaN))], [1, 0, 1]);
    assert.throws(() => filter.hasEach(BigInt64Array.of(42n)), { code: '42804' });
    // also of whole numbers, in arrays of another realm
    assert.equal(BloomFilter.create(10).addAll(runInNewContext('Float64Array.of(1, 2)')).elementType, 'float');
    assert.equal(BloomFilter.create(10).addAll(Float32Array.of(1, 2)).elementType, 'float');
    assert.equal(BloomFilter.create(10).addAll(runInNewContext('Int8Array.of(1, 2)')).elementType, 'integer');
});

test('text', () => {
    const strings = ['', 'plain', 'Zoë', '🐘', 'x'.repeat(47), 'x'.repeat(48), 'x'.repeat(49), 'ü'.repeat(30000), 'y'.repeat(100000)];
    const filter = filterOf('text', ...strings);
    assert.equal(filter.hasAll(strings), true);
    assert.deepEqual([...BloomFilter.parse(filter.toText()).hasEach(strings)], strings.map(() => 1));
    assert.equal(filter.has('plain '), false);
    // characters of every length, encoded here and by the encoder
    const encoder = new TextEncoder();
    for (const character of ['\x01', '\x7f', '\x80', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'])
        for (const length of [1, 3, 16, 24, 25, 48, 49, 100]) {
            const value = character.repeat(length);
            assert.equal(filter.hash(value), filterOf('bytea').hash(encoder.encode(value)), `${length} of ${JSON.stringify(character)}`);
        }
    for (const [value, bytes] of [['\ud83d', '0xed 0xa0 0xbd'], ['a\udc18', '0xed 0xb0 0x98'],
        [`${'x'.repeat(60)}\ud83d\ud83d\udc18`, '0xed 0xa0 0xbd'], ['nul\0', '0x00'], [`${'é'.repeat(60)}\0`, '0x00']])
        refuses(filter, value, { code: '22021', message: `invalid byte sequence for encoding "UTF8": ${bytes}` });
    refuses(filter, 42, { code: '42804', detail: 'The filter holds values of type text, the value is of type integer.',
        hint: 'Give it as a string: String(value).' });
    assert.equal(filterOf('bpchar', 'ab').has('ab  '), true);
    // also before there is a value
    assert.equal(filterOf('bpchar').hash('ab  '), filterOf('bpchar', 'ab').hash('ab'));
    assert.deepEqual(filterOf('bpchar').locate('ab  '), filterOf('bpchar', 'ab').locate('ab'));
    assert.equal(filterOf('text', 'ab').has('ab  '), false);
});

test('char(n) given to a filter of text', () => {
    const text = filterOf('text', 'ab');
    const opened = BloomFilter.parse(text.toText(), { type: 'bpchar' });
    const created = BloomFilter.create(100, 0.01, 0n, { type: 'bpchar' });
    for (const filter of [opened, opened.copy(), opened.shrink(1), opened.union(text), created.union(text),
        BloomFilter.create(100).union(opened)]) {
        assert.equal(filter.has('ab  '), true);
        assert.equal(filter.hasAll(['ab', 'ab ']), true);
        assert.deepEqual([...filter.hasEach(['ab  ', 'cd  '])], [1, 0]);
        assert.equal(filter.hash('ab  '), text.hash('ab'));
        filter.add('cd  ');
        assert.equal(filter.elementType, 'text');
        assert.equal(BloomFilter.parse(filter.toText()).has('cd'), true);
        assert.equal(filter.has('cd  '), true);
    }
    // the other way round the filter knows
    const padded = BloomFilter.parse(filterOf('bpchar', 'ab').toText(), { type: 'text' });
    assert.deepEqual([...padded.hasEach(['ab', 'ab  ', 'abc'])], [1, 1, 0]);
});

test('dates and times', () => {
    const same = (type, a, b) => assert.equal(filterOf(type, a).hash(a), filterOf(type, a).hash(b), `${a} ${b}`);
    same('timestamp', '2024-02-29 00:00:00', '2024-02-29');
    same('timestamp', '2024-02-29T12:34:56.700000', '2024-02-29 12:34:56.7');
    same('timestamp', '2024-02-29 24:00', '2024-03-01 00:00');
    same('timestamptz', '2024-02-29 12:34:56+02', '2024-02-29T10:34:56Z');
    same('timestamptz', '2024-02-29 12:34:56.789-05:30', new Date('2024-02-29T18:04:56.789Z'));
    same('timestamptz', 'infinity', Infinity);
    same('date', '-infinity', -Infinity);
    for (const value of ['2023-02-29', '2024-13-01', '2024-00-10', '2024-01-00', '2024-04-31', '0000-01-01', '1900-02-29',
        '4714-11-23 BC', '5874898-01-01'])
        refuses(filterOf('date', '2024-02-29'), value, { code: '22008' });
    for (const value of ['29.02.2024', '2024-2-29', '02/29/2024', 'today', '', '2024-02-29 00:00:00', ' 2024-02-29'])
        refuses(filterOf('date', '2024-02-29'), value, { code: '22007' });
    for (const value of ['24:00:00.000001', '25:00:00', '12:60:00', '12:00:60'])
        refuses(filterOf('time', '12:00:00'), value, { code: '22008' });
    for (const value of ['12', '12:00:00.1234567', '12:00 PM', '12:00:00+00'])
        refuses(filterOf('time', '12:00:00'), value, { code: '22007' });
    refuses(filterOf('timestamp', '2024-02-29'), '2024-02-29 12:34:56Z', { code: '22007' });
    refuses(filterOf('timestamp', '2024-02-29'), '294277-01-01', { code: '22008' });
    refuses(filterOf('timestamptz', new Date()), '2024-02-29 12:34:56', { code: '22007' });
    refuses(filterOf('timestamptz', new Date()), new Date(NaN), { code: '22008' });
    refuses(filterOf('timestamptz', new Date()), new Date(-8.64e15), { code: '22008' });
    for (const type of ['date', 'timestamp'])
        refuses(filterOf(type, '2024-02-29'), new Date(), { code: '42804', hint: /depends on the time zone/ });
});

test('uuids, bytes, characters, oids', () => {
    const uuid = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
    for (const spelling of [uuid.toUpperCase(), uuid.replaceAll('-', ''), `{${uuid}}`, 'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11',
        Buffer.from(uuid.replaceAll('-', ''), 'hex')])
        assert.equal(filterOf('uuid', uuid).has(spelling), true);
    for (const value of ['', 'a0eebc99', `{${uuid}`, `${uuid}-`, uuid.replace('a', 'g')])
        refuses(filterOf('uuid', uuid), value, { code: '22P02' });
    refuses(filterOf('uuid', uuid), new Uint8Array(15), { code: '22P03' });
    // in every place every digit counts, and nothing but a digit or a dash fits
    const filter = filterOf('uuid', uuid);
    for (let i = 0; i < uuid.length; i++) {
        for (const digit of uuid[i] === '-' ? [] : '0123456789abcdefABCDEF') {
            const changed = uuid.slice(0, i) + digit + uuid.slice(i + 1);
            assert.equal(filter.hash(changed), filter.hash(Buffer.from(changed.replaceAll('-', ''), 'hex')), changed);
        }
        for (const character of ['g', 'G', '/', ':', '@', '`', ' ', '\0', '\u0080', '\u0130', '\u0661', '\uff11', uuid[i] === '-' ? '0' : '-'])
            refuses(filter, uuid.slice(0, i) + character + uuid.slice(i + 1), { code: '22P02' });
    }
    const large = new Uint8Array(50000).fill(7);
    assert.equal(filterOf('bytea', large).has(Buffer.from(large)), true);
    refuses(filterOf('bytea', large), '\\x0707', { code: '42804', hint: /Uint8Array/ });
    for (const value of [2 ** 32, -1, 2n ** 32n])
        refuses(filterOf('oid', 1), value, { code: '22003' });
    for (const value of ['', 'ab', 'ü'])
        refuses(filterOf('"char"', 'x'), value, { code: '22001' });
});

test('nulls are as in SQL, other things are errors', () => {
    for (const filter of [filterOf('integer', 1), filterOf('text', 'a'), filterOf(undefined)]) {
        const before = filter.toText();
        assert.equal(filter.has(null), null);
        assert.equal(filter.add(null).toText(), before);
        assert.deepEqual([...filter.hasEach([null])], [0]);
        assert.equal(filter.hasAll([null]), true);
        assert.equal(filter.hasAny([null]), false);
        assert.equal(filter.hasAll([]), true);
        assert.equal(filter.hasAny([]), false);
        for (const value of [undefined, {}, [], Symbol('s'), () => 1, new Map()])
            refuses(filter, value, { code: '0A000',
                message: `values of type ${typeof value} cannot be in a bloomfilter` });
        for (const values of [1, null, undefined, {}, 'abc', new DataView(new ArrayBuffer(8))])
            assert.throws(() => filter.hasEach(values), TypeError);
    }
    assert.equal(filterOf('integer', 1, 2).hasAll(new Set([1, 2])), true);
});

test('the first value tells the type', () => {
    for (const [value, type] of [[1, 'integer'], [1n, 'integer'], [1.5, 'float'], ['a', 'text'], [true, 'boolean'],
        [new Date(), 'timestamptz'], [new Uint8Array(1), 'bytea']]) {
        const filter = BloomFilter.create(10);
        assert.equal(filter.elementType, null);
        assert.equal(filter.has(value), false);
        assert.equal(filter.elementType, null);
        assert.equal(filter.add(value).elementType, type);
    }
    assert.equal(BloomFilter.create(10).addAll(Float64Array.of(1, 2)).elementType, 'float');
    assert.equal(BloomFilter.create(10).addAll([1, 2]).elementType, 'integer');
    assert.equal(BloomFilter.create(10).addAll([]).elementType, null);
    const wanted = BloomFilter.create(10, 0.01, 0n, { type: 'uuid' });
    assert.throws(() => wanted.copy().add('no uuid'), { code: '22P02' });
    assert.throws(() => wanted.union(filterOf('text', 'a')), { code: '42804' });
    assert.throws(() => BloomFilter.create(10, 0.01, 0n, { type: 'numeric' }), { code: '42704' });
});

test('an array is no value', () => {
    for (const action of ['add', 'has'])
        assert.throws(() => filterOf('integer', 1)[action]([1, 2]), { code: '0A000',
            hint: 'For its elements, call addAll, hasAll, hasAny or hasEach.' });
});

test('parameters', () => {
    assert.equal(BloomFilter.create(10, 0.01, 5).info().seed, 5n);
    assert.throws(() => BloomFilter.create(0), { code: '22023', message: 'expected number of items must be at least 1, not 0' });
    assert.throws(() => BloomFilter.create(NaN), { code: '22023', message: 'expected number of items must be at least 1, not NaN' });
    assert.throws(() => BloomFilter.create(0.01, 1000), { code: '22023',
        message: 'expected number of items must be at least 1, not 0.01',
        hint: 'The number of values comes first, then the false positive rate: (1000, 0.01).' });
    assert.throws(() => BloomFilter.create(10, 1), { code: '22023',
        message: 'false positive rate must be at least 1e-06 and less than 1, not 1', hint: 'A rate of 1 % is 0.01.' });
    assert.throws(() => BloomFilter.create(Infinity), { code: '54000', message: 'bloomfilter for Infinity items at a false positive rate of 0.01 is too large' });
    assert.throws(() => BloomFilter.create(10, 0.01, 2n ** 63n), { code: '22003' });
    assert.throws(() => BloomFilter.create(10, 0.01, 1.5), { code: '22003' });
    assert.throws(() => BloomFilter.create('10'), TypeError);
    assert.throws(() => new BloomFilter(), TypeError);
    assert.throws(() => BloomFilter.parse(42), TypeError);
    assert.throws(() => BloomFilter.create(10).union({}), TypeError);
    assert.throws(() => BloomFilter.create(10).blocks(1, 5), RangeError);
});

test('values that are no longer there', () => {
    const values = BigInt64Array.of(1n);
    structuredClone(values, { transfer: [values.buffer] });
    const filter = BloomFilter.create(10);
    for (const use of ['addAll', 'hasAll', 'hasAny', 'hasEach'])
        assert.throws(() => filter[use](values), { name: 'TypeError', message: 'the buffer of the values was detached' });
    const bytes = Uint8Array.of(1);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    assert.throws(() => filterOf('bytea').has(bytes), TypeError);
    assert.throws(() => filterOf('bytea').add(bytes), TypeError);
    // nor does a Date get to free the filter while it is asked
    class Freeing extends Date {
        getTime() {
            times.free();
            return super.getTime();
        }
    }
    const times = filterOf('timestamptz', new Date(0));
    assert.equal(times.has(new Freeing(0)), true);
});

test('a filter that was freed', () => {
    const filter = filterOf('integer', 1);
    const other = filterOf('integer', 1);
    filter.free();
    filter.free();
    for (const action of [() => filter.has(1), () => filter.has('1'), () => filter.add(1), () => filter.hasEach([]),
        () => filter.hasAll([]), () => filter.addAll([]), () => filter.toText(), () => filter.toBytes(), () => filter.info(),
        () => filter.copy(), () => filter.union(other), () => other.union(filter), () => other.equals(filter),
        () => filter.elementType, () => filter.hash(1), () => filter.hasHash(1n), () => filter.blocks()])
        assert.throws(action, { code: '55000', message: 'bloomfilter was freed' });
});

test('memory that grows meanwhile', () => {
    // each of these makes the module's memory another one
    const filter = filterOf('text', 'here');
    const kept = [];
    for (let i = 0; i < 6; i++) {
        kept.push(BloomFilter.create(10 ** i * 100, 0.01).addAll(['a', 'b']));
        kept.push(BloomFilter.parse(BloomFilter.create(10 ** i).add(1).toBytes()));
        assert.equal(filter.has('here'), true);
        assert.equal(filter.has(`${'ü'.repeat(20000 * i)}`), false);
    }
    const many = Array.from({ length: 300000 }, (_, i) => `value ${i}`);
    const large = BloomFilter.create(3000000).addAll(many);
    assert.equal(large.hasAll(many), true);
    assert.equal(large.info().estimatedItems > 295000, true);
});

test('errors are errors', () => {
    const error = new BloomFilterError('42804', 'message', 'detail', 'hint');
    assert.ok(error instanceof Error);
    assert.equal(String(error), 'BloomFilterError: message');
});

test('every hash of a list, in any order', () => {
    // through the tree of lists that are added to, and from there to blocks
    const values = Array.from({ length: 50000 }, (_, i) => (i * 7919) % 1000003);
    const filter = BloomFilter.create(3000000, 0.01);
    const { blocks } = filter.info();
    assert.ok(blocks > 50000);
    for (const value of values)
        filter.add(value);
    assert.equal(filter.representation, 'sparse');
    assert.equal(filter.hasAll(values), true);
    assert.equal(filter.info().estimatedItems, 50000);
    assert.equal(BloomFilter.parse(filter.toBytes()).hasAll(Int32Array.from(values)), true);
    assert.equal(BloomFilter.parse(filter.toText()).addAll(values).toText(), filter.toText());
    assert.equal(filter.hasAny(values.map((value) => value + 2000000)), false);
    filter.addAll(Array.from({ length: blocks - 50000 }, (_, i) => 10000000 + i));
    assert.equal(filter.representation, 'sparse');
    filter.add(-1);
    assert.equal(filter.representation, 'dense');
    assert.equal(filter.hasAll(values) && filter.has(-1), true);
});

// ---------- filters as values of other code ----------

test('a filter is its text where it becomes a string or JSON', () => {
    const filter = filterOf('integer', 1);

    assert.equal(JSON.stringify({ filter }), JSON.stringify({ filter: filter.toText() }));
    assert.equal(`${filter}`, filter.toText());
    assert.equal(BloomFilter.parse(JSON.parse(JSON.stringify(filter))).has(1), true);
    filter.free();
    assert.throws(() => JSON.stringify(filter), { code: '55000' });
});

test('node shows what a filter is', () => {
    const filter = filterOf('integer', 1);

    assert.equal(inspect(filter), "BloomFilter { elementType: 'integer', representation: 'sparse' }");
    filter.free();
    assert.equal(inspect([filter]), '[ BloomFilter { freed } ]');
});

test('a filter is not cloned to an object without values', () => {
    const [a, b] = [filterOf('integer', 1), filterOf('integer', 2)];

    assert.throws(() => structuredClone(a), { name: 'DataCloneError', message: /send toBytes\(\)/ });
    assert.throws(() => new MessageChannel().port1.postMessage({ a }), { name: 'DataCloneError' });
    // nor are two taken for the same because nothing of them shows
    assert.notDeepEqual(a, b);
});

test('what elementType gives can be given as the type', () => {
    const [other] = vectors.own;

    for (const filter of [BloomFilter.create(10), filterOf('uuid', new Uint8Array(16)), BloomFilter.parse(other.text)])
        assert.equal(BloomFilter.parse(filter.toText(), { type: filter.elementType }).elementType, filter.elementType);
    assert.throws(() => BloomFilter.parse(other.text, { type: 'numeric' }), { code: '42704' });
    assert.throws(() => BloomFilter.create(10, 0.01, 0, { type: 'pg_catalog.numeric' }), { code: '42704' });
});

test('a text longer than the engine’s strings is an error of the client', () => {
    const { decode } = TextDecoder.prototype;
    const filter = filterOf('integer', 1);

    TextDecoder.prototype.decode = () => { throw new RangeError('Invalid string length'); };
    try {
        assert.throws(() => filter.toText(), { name: 'BloomFilterError', code: '54000', hint: 'Use toBytes().' });
    } finally {
        TextDecoder.prototype.decode = decode;
    }
});

test('"using" frees a filter', () => {
    const filter = filterOf('integer', 1);

    filter[Symbol.dispose]();
    assert.throws(() => filter.has(1), { code: '55000' });
});
