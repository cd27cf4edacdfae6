// What is shown of a filter's inside, and filters made smaller.

import assert from 'node:assert/strict';
import test from 'node:test';
import { BloomFilter } from 'pg-bloomfilter';

function filled(capacity, values) {
    return BloomFilter.create(capacity, 0.01).addAll(Array.from({ length: values }, (_, i) => i));
}

function bitsSet(bytes) {
    return bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
}

for (const [name, capacity, values] of [['dense', 1000, 900], ['sparse', 1000, 15], ['empty', 1000, 0]])
    test(`block fills of a ${name} filter are those of its blocks`, () => {
        const filter = filled(capacity, values);
        const fills = filter.blockFills();

        assert.equal(fills.length, filter.info().blocks);
        assert.deepEqual(Array.from(fills), Array.from(fills, (_, i) => bitsSet(filter.blocks(i, 1))));
        assert.equal(fills.reduce((a, b) => a + b), filter.info().bitsSet);
    });

test('the first word is one of the words of the bits', () => {
    const filter = filled(1000, 100);

    for (let i = 0; i < 1000; i++) {
        const { firstWord, bits, hash } = filter.locate(i);
        assert.equal(firstWord, Number(hash >> 29n & 7n));
        assert.deepEqual(new Set(bits.map((bit) => (Math.floor(bit / 64) - firstWord + 8) % 8)),
            new Set(Array.from({ length: filter.info().hashes }, (_, at) => at)));
    }
});

for (const [name, values] of [['dense', 900], ['sparse', 8], ['sparse that becomes dense', 15]])
    test(`a ${name} filter, shrunk, is the one built with fewer blocks`, () => {
        const filter = filled(1000, values);

        for (const factor of [1, 2, 4, 5, 10, 20]) {
            const shrunk = filter.shrink(factor);
            const small = shrunk.info();
            assert.equal(small.blocks, 20 / factor);
            assert.equal(small.expectedItems, 1000 / factor);
            assert.equal(small.representation, values > small.blocks ? 'dense' : 'sparse');
            const blocks = Array.from({ length: small.blocks * 64 }, () => 0);
            for (let i = 0; i < values; i++) {
                const { block, bits } = shrunk.locate(i);
                for (const bit of bits)
                    blocks[64 * block + (bit >> 3)] |= 1 << (bit & 7);
            }
            assert.deepEqual(Array.from(shrunk.blocks()), blocks);
        }
    });

test('what cannot be shrunk is refused in the server’s words', () => {
    const filter = filled(1000, 900);

    const detail = 'The factor is how many adjacent blocks become one: it must be positive and divide the number of blocks.';

    for (const factor of [0, -1, 3, 21])
        assert.throws(() => filter.shrink(factor), {
            code: '22023',
            message: `cannot shrink a bloomfilter of 20 blocks by a factor of ${factor}`,
            detail,
            hint: 'Possible factors are 1, 2, 4, 5, 10, 20.',
        });
    assert.throws(() => filled(10, 1).shrink(2), {
        code: '22023',
        message: 'cannot shrink a bloomfilter of 1 block by a factor of 2',
        detail,
        hint: 'The only possible factor is 1.',
    });
    for (const factor of [1.5, 2 ** 31, NaN, '2'])
        assert.throws(() => filter.shrink(factor), { code: '22003' });
});
