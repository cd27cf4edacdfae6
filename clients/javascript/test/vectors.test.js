// Is the client what the golden vectors say of the server?

import assert from 'node:assert/strict';
import test from 'node:test';

import { BloomFilter, CountingBloomFilter } from 'pg-bloomfilter';

import { fromHex, native, toHex, vectors } from './vectors.js';

function thrownBy(action) {
    try {
        action();
    } catch (error) {
        return { code: error.code, message: error.message, detail: error.detail ?? '', hint: error.hint ?? '' };
    }
    return undefined;
}

function isClose(a, b) {
    return a === b || Math.abs(a - b) <= 1e-9 * Math.abs(b);
}

test('hashes', () => {
    for (const { type, seed, values } of vectors.hashes) {
        const filter = BloomFilter.create(1000, 0.01, BigInt(seed), { type });
        for (const [value, hash] of values)
            assert.equal(filter.hash(native(type, value)), BigInt(hash), `${type} ${value}, seed ${seed}`);
    }
});

test('sizes', () => {
    for (const [n, p, blocks, hashes, bytes] of vectors.sizes)
        assert.deepEqual(BloomFilter.size(n, p), { blocks, hashes, bits: 512 * blocks, bytes }, `${n}, ${p}`);
});

test('filters are read from all forms, and written as they were', () => {
    for (const [name, { text, bytes }] of Object.entries(vectors.filters)) {
        const binary = fromHex(bytes);
        const encoded = Buffer.from(binary).toString('base64');
        for (const input of [text, ` \n${text}\t`, Buffer.from(text), binary, Buffer.from(binary), binary.buffer,
            `\\x${bytes}`, `\\x${bytes.toUpperCase()}\n`, encoded, encoded.replace(/(.{76})/g, '$1\n')]) {
            const filter = BloomFilter.parse(input);
            assert.equal(filter.toText(), text, name);
            assert.equal(toHex(filter.toBytes()), bytes, name);
        }
    }
});

test('what filters tell about themselves', () => {
    for (const [name, { text, info }] of Object.entries(vectors.filters)) {
        const ours = BloomFilter.parse(text).info();
        assert.equal(ours.elementType, info.element_type, name);
        assert.equal(ours.representation, info.representation, name);
        assert.equal(ours.expectedItems, info.expected_items, name);
        assert.equal(ours.targetFalsePositiveRate, info.target_false_positive_rate, name);
        assert.equal(ours.seed, BigInt(info.seed), name);
        assert.equal(ours.bits, info.bits, name);
        assert.equal(ours.hashes, info.hashes, name);
        assert.equal(ours.bitsSet, info.bits_set, name);
        assert.equal(ours.estimatedItems, info.estimated_items, name);
        assert.equal(ours.bytes, info.bytes, name);
        assert.ok(isClose(ours.fill, info.fill), name);
        assert.ok(isClose(ours.estimatedFalsePositiveRate, info.estimated_false_positive_rate), name);
    }
});

test('members are found, others answered as the server does', () => {
    for (const [name, { type, text, members, others }] of Object.entries(vectors.filters)) {
        const filter = BloomFilter.parse(text, { type });
        for (const value of members)
            assert.equal(filter.has(native(type, value)), true, `${name}: ${value}`);
        for (const [value, answer] of others)
            assert.equal(filter.has(native(type, value)), answer, `${name}: ${value}`);
        const values = others.map(([value]) => native(type, value));
        const answers = others.map(([, answer]) => answer);
        assert.deepEqual([...filter.hasEach(values)], answers.map(Number), name);
        assert.equal(filter.hasAll(values), answers.every(Boolean), name);
        assert.equal(filter.hasAny(values), answers.some(Boolean), name);
        if (type === 'integer')
            assert.deepEqual([...filter.hasEach(BigInt64Array.from(values))], answers.map(Number), name);
    }
});

test('filters built here are the same to the bit', () => {
    for (const [name, { type, text, bytes, members, info }] of Object.entries(vectors.filters)) {
        if (name.startsWith('integer, k='))
            continue;           // of a size that no one asks for
        const empty = () => BloomFilter.create(info.expected_items, info.target_false_positive_rate,
            BigInt(info.seed), { type: members.length > 0 ? type : undefined });
        const values = members.map((value) => native(type, value));
        const filter = empty();
        for (const value of values)
            filter.add(value);
        assert.equal(filter.toText(), text, name);
        assert.equal(toHex(filter.toBytes()), bytes, name);
        assert.equal(empty().addAll(values.reverse()).addAll(values).toText(), text, name);
        assert.ok(filter.equals(BloomFilter.fromText(text)), name);
    }
});

test('any size, any k: adding what is in there changes nothing, adding to nothing gives it', () => {
    for (const [name, { text, members, info }] of Object.entries(vectors.filters)) {
        if (!name.startsWith('integer, k='))
            continue;
        const filter = BloomFilter.parse(text);
        assert.equal(filter.copy().addAll(members.map(BigInt)).toText(), text, name);
        const empty = BloomFilter.parse(vectors.filters[`integer, k=${info.hashes}, sparse`].text);
        assert.equal(empty.addAll(members.map(BigInt)).has(BigInt(members[0])), true);
        if (info.representation === 'dense')
            assert.equal(empty.toText(), text, name);
    }
});

test('bits are where the format says', () => {
    for (const [name, { type, text, members, info }] of Object.entries(vectors.filters)) {
        const filter = BloomFilter.parse(text);
        const blocks = filter.blocks();
        const expected = new Uint8Array(blocks.length);
        for (const value of members) {
            const { block, bits } = filter.locate(native(type, value));
            for (const bit of bits)
                expected[64 * block + (bit >> 3)] |= 1 << (bit & 7);
        }
        assert.deepEqual(blocks, expected, name);
        assert.deepEqual(filter.blocks(info.bits / 512 - 1, 1), expected.subarray(-64), name);
    }
});

test('unions and intersections', () => {
    for (const { a, b, union, intersection } of vectors.combined) {
        for (const [what, expected] of [['union', union], ['intersect', intersection]]) {
            const [left, right] = [a, b].map((name) => BloomFilter.parse(vectors.filters[name].text));
            const name = `${a} ${what} ${b}`;
            if (expected.error)
                assert.deepEqual(thrownBy(() => left[what](right)), expected.error, name);
            else
                assert.equal(left[what](right).toText(), expected.text, name);
            assert.equal(left.toText(), vectors.filters[a].text, name);
            assert.equal(right.toText(), vectors.filters[b].text, name);
        }
    }
});

test('filters of one type take values of that type only', () => {
    const values = Object.fromEntries(vectors.hashes.map(({ type, values: [[value]] }) => [type, native(type, value)]));
    for (const [type, taken] of Object.entries(vectors.takes)) {
        const filter = BloomFilter.create(10, 0.01, 0n, { type }).add(values[type]);
        for (const other of Object.keys(vectors.takes)) {
            const read = () => BloomFilter.parse(filter.toText(), { type: other });
            if (taken.includes(other))
                read();
            else
                assert.equal(thrownBy(read).code, '42804', `${type} as ${other}`);
        }
    }
});

test('own-hash filters are read and written, combined and tested by hash, but not by value', () => {
    for (const { text, bytes, info } of vectors.own) {
        const filter = BloomFilter.parse(text);
        assert.equal(filter.toText(), text);
        assert.equal(toHex(filter.toBytes()), bytes);
        assert.equal(filter.elementType, info.element_type);
        assert.equal(filter.info().estimatedItems, info.estimated_items);
        assert.equal(filter.union(BloomFilter.parse(text)).toText(), text);
        for (const action of [() => filter.has(1), () => filter.has('1'), () => filter.add(1n), () => filter.hash(1),
            () => filter.hasEach([1]), () => BloomFilter.parse(text, { type: 'text' })]) {
            const error = thrownBy(action);
            assert.equal(error.code, '0A000');
            assert.equal(error.message, `values of type ${info.element_type} cannot be hashed outside of the server`);
        }
        assert.equal(typeof filter.hasHash(-1n), 'boolean');
    }
});

test('partial states of aggregates', () => {
    for (const { text, bytes, members, info } of vectors.unsized) {
        const filter = BloomFilter.parse(fromHex(bytes));
        assert.equal(filter.toText(), text);
        for (const value of members)
            assert.equal(filter.has(BigInt(value)), true);
        assert.equal(filter.has(77), false);
        assert.equal(filter.info().estimatedItems, info.estimated_items);
        assert.equal(filter.info().bits, null);
        assert.equal(filter.copy().add(78).info().estimatedItems, info.estimated_items + 1);
        assert.equal(filter.union(filter).toText(), text);
        assert.throws(() => filter.blocks(), { code: '22023' });
    }
});

test('counting filters are read, tested, counted, converted and written', () => {
    for (const [name, { type, text, bytes, plain, counts }] of Object.entries(vectors.counting)) {
        for (const input of [text, fromHex(bytes), `\\x${bytes}`, Buffer.from(fromHex(bytes)).toString('base64')]) {
            const filter = CountingBloomFilter.parse(input);
            assert.equal(filter.toText(), text, name);
            assert.equal(toHex(filter.toBytes()), bytes, name);
            assert.equal(filter.toBloomFilter().toText(), plain, name);
            assert.throws(() => BloomFilter.parse(input), { code: '42804', message: 'this is a counting_bloomfilter, not a bloomfilter' });
        }
        const filter = CountingBloomFilter.fromText(text, { type });
        for (const [value, count] of counts) {
            assert.equal(filter.count(native(type, value)), count, `${name}: ${value}`);
            assert.equal(filter.has(native(type, value)), count > 0, `${name}: ${value}`);
        }
        assert.equal(filter.count(null), null);
        assert.equal(filter.info().bytes, bytes.length / 2 - 4, name);
        assert.throws(() => filter.count(new Map()), { code: '0A000' });
        filter.free();
        for (const action of [() => filter.has(1), () => filter.count(1), () => filter.toText(), () => filter.toBytes(),
            () => filter.info(), () => filter.toBloomFilter()])
            assert.throws(action, { code: '55000' });
    }
    for (const { text } of Object.values(vectors.filters))
        assert.throws(() => CountingBloomFilter.parse(text), { code: '22P02' });
    assert.throws(() => new CountingBloomFilter(), TypeError);
});

test('what is no filter is refused, for the same reason', () => {
    for (const { form, input, error, text } of vectors.malformed) {
        const read = () => form === 'text' ? BloomFilter.fromText(input) : BloomFilter.fromBytes(fromHex(input));
        if (error)
            assert.deepEqual(thrownBy(read), error, input);
        else
            assert.equal(read().toText(), text, input);
    }
});
