// A filter of 100 million values, from the server and back: takes a minute or
// two and a gigabyte of memory, so it is no part of npm test.
//
//	PGHOST=... node test/large.js [VALUES]

import assert from 'node:assert/strict';

import { BloomFilter } from 'pg-bloomfilter';

import { withDatabase } from './server.js';

const values = Number(process.argv[2] ?? 1e8);
const SAMPLE = 1000000;

function time(name, action) {
    const start = performance.now();
    const result = action();
    console.log(`${name}: ${(performance.now() - start).toFixed(0)} ms`);
    return result;
}

function check(filter) {
    const step = Math.floor(values / SAMPLE) || 1;
    const members = Int32Array.from({ length: Math.floor(values / step) }, (_, i) => 1 + i * step);
    const absent = Int32Array.from({ length: SAMPLE }, (_, i) => -1 - i);

    assert.equal(time(`hasAll of ${members.length} members`, () => filter.hasAll(members)), true);
    const found = time(`hasEach of ${SAMPLE} others`, () => filter.hasEach(absent)).reduce((sum, hit) => sum + hit);
    console.log(`false positives: ${(100 * found / SAMPLE).toFixed(3)} %`);
    assert.ok(found / SAMPLE < 0.0105);
}

await withDatabase(async (client) => {
    await client.query(`CREATE TABLE f AS SELECT bloom_agg(i, ${values}) AS f
                          FROM (SELECT generate_series(1, ${values}) AS i) s`);
    const { rows: [{ bytes }] } = await client.query('SELECT f::bytea AS bytes FROM f');
    console.log(`${bytes.length} bytes`);
    const filter = time('fromBytes', () => BloomFilter.fromBytes(bytes));
    const info = time('info', () => filter.info());
    console.log(info);
    check(filter);
    assert.equal(Buffer.compare(Buffer.from(time('toBytes', () => filter.toBytes())), bytes), 0);

    const text = time('toText', () => filter.toText());
    const again = time('fromText', () => BloomFilter.fromText(text));
    assert.ok(time('equals', () => filter.equals(again)));
    check(again);
    const { rows: [{ same }] } = await client.query('SELECT $1::bytea::bloomfilter = f AS same FROM f',
        [Buffer.from(again.toBytes())]);
    assert.equal(same, true);
});
