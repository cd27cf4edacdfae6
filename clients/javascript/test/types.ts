// Compiled, never run: what callers may write, and what they may not.

import { BloomFilter, BloomFilterError, type ElementType, type Info } from 'pg-bloomfilter';
import * as edge from 'pg-bloomfilter/module';
import { registerBloomFilter } from 'pg-bloomfilter/pg';

const type: ElementType = 'uuid';
const filter: BloomFilter = BloomFilter.create(1000, 0.01, 5n, { type });
const yes: boolean = filter.has(1) && filter.has(1n) && filter.has('a') && filter.has(new Date()) && filter.has(new Uint8Array(2));
const maybe: boolean | null = filter.has(Math.random() > 0.5 ? 'a' : null);
const nothing: null = filter.has(null);
const all: boolean = filter.hasAll([1, 2]) || filter.hasAny(new Set(['a'])) || filter.hasAll(BigInt64Array.of(1n));
const each: Uint8Array = filter.hasEach(['a', null]);
const chained: BloomFilter = filter.add(1).addAll([2, 3]).union(BloomFilter.parse('')).intersect(BloomFilter.fromBytes(each));
const info: Info = chained.info();
const size: number | null = info.bits;
const text: string = filter.toText();
const bytes: Uint8Array = filter.toBytes();
const block: number = filter.locate(1).block;
const module: (module: WebAssembly.Module) => void = edge.init;
const json: string = filter.toJSON();
const again: BloomFilter = BloomFilter.create(10, 0.01, 0, { type: filter.elementType });
const known: boolean = info.elementType === 'uuid';
const error: Error = new BloomFilterError();

// @ts-expect-error: no such type
BloomFilter.create(1000, 0.01, 0, { type: 'numeric' });
// @ts-expect-error: not made that way
new BloomFilter();
// @ts-expect-error: an object is no value
filter.has({});
// @ts-expect-error: undefined is no null
filter.has(undefined);
// @ts-expect-error: the rate is a number
BloomFilter.create(1000, '0.01');
// @ts-expect-error: no client
await registerBloomFilter({});

export { again, all, block, bytes, error, json, known, maybe, module, nothing, size, text, yes };
