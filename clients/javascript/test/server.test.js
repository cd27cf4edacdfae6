// Do client and server agree?

import assert from 'node:assert/strict';
import test from 'node:test';

import pg from 'pg';
import { BloomFilter, CountingBloomFilter } from 'pg-bloomfilter';
import { registerBloomFilter } from 'pg-bloomfilter/pg';

import { randomFrom } from './random.js';
import { skip, withDatabase } from './server.js';
import { fromHex, native, toHex, vectors } from './vectors.js';

// SQL types by the names that bloom_info gives.
const SQL_TYPES = { integer: 'bigint', float: 'float8' };

// Which forms a mutated value is given in, and what is done to it.
const MUTATIONS = 10000;

// What the server makes of an input: its text form again, or the error.
const ATTEMPT = `
    CREATE FUNCTION attempt(form text, input bytea) RETURNS text[] LANGUAGE plpgsql AS $$
    DECLARE
        code text;
        message text;
        detail text;
        hint text;
    BEGIN
        IF form = 'text' THEN
            RETURN ARRAY['ok', convert_from(input, 'UTF8')::bloomfilter::text];
        END IF;
        RETURN ARRAY['ok', input::bloomfilter::text];
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
        RETURN ARRAY[code, message, detail, hint];
    END $$`;

function attempt(form, input) {
    try {
        const filter = form === 'text' ? BloomFilter.fromText(input) : BloomFilter.fromBytes(input);
        const text = filter.toText();
        filter.free();
        return ['ok', text];
    } catch (error) {
        return [error.code, error.message, error.detail ?? '', error.hint ?? ''];
    }
}

function crc32c(bytes) {
    let crc = 0xFFFFFFFF;
    for (const byte of bytes) {
        crc ^= byte;
        for (let i = 0; i < 8; i++)
            crc = crc >>> 1 ^ (crc & 1 ? 0x82F63B78 : 0);
    }
    return ~crc >>> 0;
}

/** Change some bytes; in the binary form mostly so that the checksum is right again. */
function mutate(random, form, original) {
    let bytes = Uint8Array.from(original);

    for (let changes = 1 + random(3); changes > 0; changes--) {
        const at = random(3) === 0 ? random(bytes.length) : random(Math.min(bytes.length, 90));
        const what = random(10);
        // in the text, ASCII: the server would not take other bytes for text at all
        const byte = form === 'text' ? ' ,=()0123456789abcdefnpk+/AZ"._-'.charCodeAt(random(32)) : random(256);
        if (what === 0)
            bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1)]);
        else if (what === 1)
            bytes = Uint8Array.from([...bytes.subarray(0, at), byte, ...bytes.subarray(at)]);
        else if (what === 2 && form === 'bytes')
            bytes[at] ^= 1 << random(8);
        else
            bytes[at] = byte;
        if (bytes.length === 0)
            break;
    }
    if (form === 'bytes' && bytes.length > 8 && random(4) > 0)
        new DataView(bytes.buffer).setUint32(bytes.length - 4, crc32c(bytes.subarray(4, -4)), true);
    return bytes;
}

async function checkMutations(client) {
    const random = randomFrom(20241123);
    const small = [...Object.values(vectors.filters), ...vectors.own, ...vectors.unsized]
        .filter(({ text }) => text.length < 600);
    let accepted = 0;

    await client.query(ATTEMPT);
    for (let done = 0; done < MUTATIONS; done += 1000) {
        const cases = Array.from({ length: 1000 }, (_, i) => {
            const form = i % 2 === 0 ? 'text' : 'bytes';
            const { text, bytes } = small[random(small.length)];
            return { form, input: mutate(random, form, form === 'text' ? Buffer.from(text) : fromHex(bytes)) };
        });
        const { rows } = await client.query({
            text: 'SELECT attempt(form, input) FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY u (form, input, i) ORDER BY i',
            values: [cases.map(({ form }) => form), cases.map(({ input }) => Buffer.from(input))],
            rowMode: 'array',
        });
        rows.forEach(([theirs], i) => {
            const { form, input } = cases[i];
            assert.deepEqual(attempt(form, input), theirs,
                `${form}: ${form === 'text' ? Buffer.from(input) : toHex(input)}`);
            accepted += theirs[0] === 'ok';
        });
    }
    return accepted;
}

test('with a server', { skip }, async (t) => withDatabase(async (client) => {
    await t.test('a client reads filters once they are registered', async () => {
        await registerBloomFilter(client);
        const { rows: [{ f }] } = await client.query('SELECT bloom_add(bloom_create(1000), 42) AS f');
        assert.ok(f instanceof BloomFilter);
        assert.equal(f.has(42), true);
        assert.equal(f.has(43), false);
        const { rows: [{ n }] } = await client.query('SELECT NULL::bloomfilter AS n');
        assert.equal(n, null);
    });

    await t.test('in binary, too', async () => {
        const { rows: [[f]] } = await client.query({
            text: "SELECT bloom_agg(i, 1000, 0.01, 7) FROM generate_series(1, 1000) i", rowMode: 'array', binary: true });
        assert.equal(f.hasAll(Array.from({ length: 1000 }, (_, i) => i + 1)), true);
        assert.equal(f.info().seed, 7n);
    });

    await t.test('arrays of filters come and go', async () => {
        const text = `SELECT ARRAY[bloom_add(bloom_create(10), 'a,"{'::text), NULL] AS f,
            ARRAY[[bloom_create(10)], [bloom_create(20)]] AS g, ARRAY[counting_bloom_create(10)] AS c, '{}'::bloomfilter[] AS e`;
        const { rows: [{ f, g, c, e }] } = await client.query(text);
        assert.deepEqual([f[0].has('a,"{'), f[1], f.length], [true, null, 2]);
        assert.deepEqual(g.map(([filter]) => filter.info().expectedItems), [10, 20]);
        assert.ok(c[0] instanceof CountingBloomFilter);
        assert.deepEqual(e, []);
        const { rows: [{ same }] } = await client.query(
            `SELECT f = $1::bloomfilter[] AND g = $2::bloomfilter[] AS same FROM (${text}) s`, [f, g]);
        assert.equal(same, true);
    });

    await t.test('counting filters, too', async () => {
        for (const binary of [false, true]) {
            const { rows: [{ f, plain }] } = await client.query({
                text: 'SELECT bloom_add_all(f, ARRAY[1, 2, 2]) AS f, bloom_add_all(f, ARRAY[1, 2, 2])::bloomfilter AS plain ' +
                    'FROM counting_bloom_create(100) f', binary });
            assert.ok(f instanceof CountingBloomFilter);
            assert.deepEqual([1, 2, 3].map((value) => f.count(value)), [1, 2, 0]);
            assert.ok(f.toBloomFilter().equals(plain));
            const { rows: [{ same }] } = await client.query(
                'SELECT $1::counting_bloomfilter = bloom_add_all(counting_bloom_create(100), ARRAY[1, 2, 2]) AS same', [f]);
            assert.equal(same, true);
        }
    });

    await t.test('filters are parameters', async () => {
        const filter = BloomFilter.create(1000).addAll([1, 2, 3]);
        for (const parameter of [filter, Buffer.from(filter.toBytes())]) {
            const { rows: [row] } = await client.query(
                'SELECT $1::bloomfilter @> 2 AS yes, $1::bloomfilter @> 77 AS no, $1::bloomfilter AS same', [parameter]);
            assert.deepEqual([row.yes, row.no, row.same.toText()], [true, false, filter.toText()]);
        }
    });

    await t.test('a pool reads them, too', async () => {
        const pool = new pg.Pool({ database: client.database, max: 2 });
        try {
            await registerBloomFilter(pool, pg.types);
            const { rows: [{ f }] } = await pool.query('SELECT bloom_create(10) AS f');
            assert.ok(f instanceof BloomFilter);
            await assert.rejects(registerBloomFilter(pool), TypeError);
        } finally {
            await pool.end();
        }
    });

    await t.test('without the extension that is an error', async () => {
        const other = new pg.Client({ database: 'postgres' });
        await other.connect();
        try {
            await assert.rejects(registerBloomFilter(other), /not installed/);
        } finally {
            await other.end();
        }
    });

    await t.test('filters are the same to the bit, whoever makes them', async () => {
        for (const { type, seed, values } of vectors.hashes) {
            const members = values.map(([value]) => value);
            for (const [n, rate] of [[1, 0.01], [5, 0.5], [1000, 1e-6], [100000, 0.01]]) {
                const { rows: [{ text, bytes }] } = await client.query(
                    `SELECT f::text AS text, f::bytea AS bytes
                       FROM (SELECT bloom_add_all(bloom_create($1, $2, $3), $4::${SQL_TYPES[type] ?? type}[]) AS f) s`,
                    [n, rate, seed, members]);
                const filter = BloomFilter.create(n, rate, BigInt(seed), { type })
                    .addAll(members.map((value) => native(type, value)));
                assert.equal(filter.toText(), text, `${type}, ${n}`);
                assert.equal(toHex(filter.toBytes()), toHex(bytes), `${type}, ${n}`);
            }
        }
    });

    await t.test('large ones as well', async () => {
        const values = Int32Array.from({ length: 200000 }, (_, i) => i);
        const { rows: [{ f, g }] } = await client.query(
            `SELECT bloom_agg(i, 200000, 0.001) AS f, bloom_agg(i::text, 200000, 0.001) AS g
               FROM generate_series(0, 199999) i`);
        const ours = BloomFilter.create(200000, 0.001).addAll(values);
        assert.ok(ours.equals(f));
        assert.equal(ours.hasAll(values) && f.hasAll(values), true);
        assert.ok(BloomFilter.create(200000, 0.001).addAll(Array.from(values, String)).equals(g));
        const { rows: [{ same }] } = await client.query(
            'SELECT $1::bloomfilter = bloom_agg(i, 200000, 0.001) AS same FROM generate_series(0, 199999) i', [ours]);
        assert.equal(same, true);
    });

    await t.test('sets of random filters', async () => {
        const random = randomFrom(7);
        for (let i = 0; i < 60; i++) {
            const n = 1 + random(200);
            const [a, b] = [0, 1].map(() => BloomFilter.create(n, [0.3, 0.01, 1e-5][i % 3], i)
                .addAll(Array.from({ length: random(2 * n) }, () => random(n))));
            const { rows: [row] } = await client.query(
                `SELECT (a | b)::text AS union, (a & b)::text AS intersection, (bloom_info(a)).estimated_items AS items,
                        (bloom_info(a)).estimated_false_positive_rate AS rate, (bloom_info(a)).bits_set AS bits
                   FROM (SELECT $1::bloomfilter AS a, $2::bloomfilter AS b) s`, [a, b]);
            const info = a.info();
            assert.equal(a.union(b).toText(), row.union);
            assert.equal(a.intersect(b).toText(), row.intersection);
            assert.equal(info.estimatedItems, Number(row.items));
            assert.equal(info.bitsSet, Number(row.bits));
            assert.ok(Math.abs(info.estimatedFalsePositiveRate - row.rate) <= 1e-9 * row.rate);
        }
    });

    await t.test('errors are worded alike', async () => {
        const cases = [
            ['bloom_create(0)', () => BloomFilter.create(0)],
            ['bloom_create(0.01, 1000)', () => BloomFilter.create(0.01, 1000)],
            ['bloom_create(1000, 0.000001::real)', () => BloomFilter.create(1000, Math.fround(0.000001))],
            ['bloom_create(-1.5)', () => BloomFilter.create(-1.5)],
            ["bloom_create('NaN')", () => BloomFilter.create(NaN)],
            ["bloom_create('Infinity')", () => BloomFilter.create(Infinity)],
            ['bloom_create(1e9)', () => BloomFilter.create(1e9)],
            ['bloom_create(123456789012, 0.003)', () => BloomFilter.create(123456789012, 0.003)],
            ['bloom_create(1e300, 0.5)', () => BloomFilter.create(1e300, 0.5)],
            ['bloom_create(10, 0)', () => BloomFilter.create(10, 0)],
            ['bloom_create(10, 1)', () => BloomFilter.create(10, 1)],
            ["bloom_create(10, 'NaN')", () => BloomFilter.create(10, NaN)],
            ["bloom_create(10, '-Infinity')", () => BloomFilter.create(10, -Infinity)],
            ["bloom_add(bloom_create(10), 1) @> 'x'::text", () => BloomFilter.create(10).add(1).has('x')],
            ["bloom_add(bloom_create(10), 'x'::text) @> true", () => BloomFilter.create(10).add('x').has(true)],
            ["bloom_add(bloom_create(10), true) @> '\\x00'::bytea", () => BloomFilter.create(10).add(true).has(new Uint8Array(1))],
            ["bloom_add(bloom_create(10), 1.5::float8) @> 1::bigint",
                () => BloomFilter.create(10).add(1.5).has(1n)],
            ["bloom_add(bloom_create(10), now()) | bloom_add(bloom_create(10), 1)",
                () => BloomFilter.create(10).add(new Date()).union(BloomFilter.create(10).add(1))],
            ["bloom_create(10, 0.02, -5) & bloom_create(1000)",
                () => BloomFilter.create(10, 0.02, -5).intersect(BloomFilter.create(1000))],
            ["'2024-02-30'::date", () => BloomFilter.create(10, 0.01, 0, { type: 'date' }).has('2024-02-30')],
            ["'5874898-01-01'::date", () => BloomFilter.create(10, 0.01, 0, { type: 'date' }).has('5874898-01-01')],
            ["'abc'::time", () => BloomFilter.create(10, 0.01, 0, { type: 'time' }).has('abc')],
            ["'25:00:00'::time", () => BloomFilter.create(10, 0.01, 0, { type: 'time' }).has('25:00:00')],
            ["'294277-01-01'::timestamp", () => BloomFilter.create(10, 0.01, 0, { type: 'timestamp' }).has('294277-01-01')],
            ["'abc'::uuid", () => BloomFilter.create(10, 0.01, 0, { type: 'uuid' }).has('abc')],
            ["'9223372036854775808'::bigint", () => BloomFilter.create(10).add(1).has(2n ** 63n)],
            ["'4294967296'::oid", () => BloomFilter.create(10, 0.01, 0, { type: 'oid' }).has(2 ** 32)],
        ];
        for (const [sql, action] of cases) {
            const theirs = await client.query(`SELECT ${sql}`).then(() => undefined, (error) => error);
            assert.ok(theirs, sql);
            assert.throws(action, (error) => {
                assert.equal(error.code, theirs.code, sql);
                assert.equal(error.message, theirs.message, sql);
                // how to give it in JavaScript may stand there instead of a cast
                if (theirs.detail || error.code === '42804')
                    assert.equal(error.detail, theirs.detail, sql);
                if (theirs.hint && !error.hint.startsWith('Give it as'))
                    assert.equal(error.hint, theirs.hint, sql);
                return true;
            });
        }
    });

    await t.test(`${MUTATIONS} mutated values are accepted or refused as by the server`, async () => {
        const accepted = await checkMutations(client);
        assert.ok(accepted > MUTATIONS / 50 && accepted < MUTATIONS / 2, `${accepted} accepted`);
    });
}));
