// Measures the client for JavaScript: values tested per second.
//
//	node bench/clients.mjs [SECONDS]
//
// after npm run build in clients/javascript.  Each line is the best of five
// runs, of so many seconds together: filters of a size within the processor's
// cache and beyond it, half of the values being members; as single calls of
// has() and in batches.  Seconds are those of the processor that this process
// took, all its threads together: what else runs does not count, but for the
// caches that it takes away.

import { BloomFilter } from '../clients/javascript/src/index.js';

const RUNS = 5;
const seconds = Number(process.argv[2] ?? 0.5);

// Values that are tested in turn: enough that the filter's lines are not just
// those of a few.
const VALUES = 1 << 18;

/** Milliseconds of the processor so far. */
function now() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
}

/** The most values per second that the function, which tests all of them, achieves. */
function measure(test) {
    let best = 0;

    test();
    for (let run = 0; run < RUNS; run++) {
        const start = now();
        let tested = 0;
        let elapsed;
        do {
            test();
            tested += VALUES;
            elapsed = now() - start;
        } while (elapsed < 1000 * seconds / RUNS);
        best = Math.max(best, tested / elapsed * 1000);
    }
    return best;
}

/** Single calls, whose answers are counted so that they are needed. */
function single(filter, values) {
    return () => {
        let found = 0;
        for (let i = 0; i < values.length; i++)
            found += filter.has(values[i]);
        if (found < values.length / 2)
            throw new Error('a false negative');
    };
}

function each(filter, values) {
    return () => {
        if (filter.hasEach(values)[0] !== 1)
            throw new Error('a false negative');
    };
}

function all(filter, values) {
    return () => {
        if (!filter.hasAll(values))
            throw new Error('a false negative');
    };
}

function row(name, items, perSecond) {
    console.log(`| ${name} | ${items.toLocaleString('en')} | ${(perSecond / 1e6).toFixed(1)} | ${(1e9 / perSecond).toFixed(0)} |`);
}

// Every other value is a member: they are spread over the filter's capacity.
function samples(items, make) {
    return Array.from({ length: VALUES }, (_, i) => {
        const member = Math.floor(i / 2 * items / VALUES * 2) % items;
        return make(i % 2 === 0 ? member : member + items);
    });
}

function fill(items, add) {
    const filter = BloomFilter.create(items);
    add(filter);
    return filter;
}

console.log(`node ${process.version}\n\n| test | values in the filter | million per second | ns |\n|---|---:|---:|---:|`);
for (const items of [10000, 1000000, 10000000]) {
    const integers = fill(items, (filter) => {
        for (let i = 0; i < items; i += VALUES)
            filter.addAll(Int32Array.from({ length: Math.min(VALUES, items - i) }, (_, j) => i + j));
    });
    const numbers = samples(items, (i) => i);
    const bigints = numbers.map(BigInt);
    const members = numbers.filter((i) => i < items);
    const allMembers = [...members, ...members];
    row('integer, has(number)', items, measure(single(integers, numbers)));
    row('integer, has(BigInt)', items, measure(single(integers, bigints)));
    row('integer, hasEach(array of numbers)', items, measure(each(integers, numbers)));
    row('integer, hasEach(array of BigInts)', items, measure(each(integers, bigints)));
    row('integer, hasEach(BigInt64Array)', items, measure(each(integers, BigInt64Array.from(bigints))));
    row('integer, hasEach(Int32Array)', items, measure(each(integers, Int32Array.from(numbers))));
    row('integer, hasAll(BigInt64Array)', items, measure(all(integers, BigInt64Array.from(allMembers, BigInt))));
    integers.free();
}
for (const items of [10000, 1000000]) {
    const make = (i) => `user-${i}@example.org`;
    const text = fill(items, (filter) => {
        for (let i = 0; i < items; i++)
            filter.add(make(i));
    });
    const strings = samples(items, make);
    const accented = samples(items, (i) => `Größe ${i}`);
    const words = fill(items, (filter) => {
        for (let i = 0; i < items; i++)
            filter.add(`Größe ${i}`);
    });
    row('text, has(17 to 23 ASCII characters)', items, measure(single(text, strings)));
    row('text, hasEach(array of these)', items, measure(each(text, strings)));
    row('text, has(7 to 13 characters, two not ASCII)', items, measure(single(words, accented)));
    text.free();
    words.free();
    // the digits of a product that is different for every i
    const uuid = (i) => {
        const digits = (BigInt(i + 1) * 0x9E3779B97F4A7C15F39CC0605CEDC835n % (1n << 128n)).toString(16).padStart(32, '0');
        return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    };
    const uuids = BloomFilter.create(items, 0.01, 0, { type: 'uuid' });
    for (let i = 0; i < items; i++)
        uuids.add(uuid(i));
    const spelled = samples(items, uuid);
    row('uuid, has(string)', items, measure(single(uuids, spelled)));
    row('uuid, hasEach(array of these)', items, measure(each(uuids, spelled)));
    uuids.free();
}
