// Counting filters: read, not changed.

import { BloomFilterError } from './error.js';
import { filterAt } from './filter.js';
import { DISPOSE, INSPECT, inspected, refusesClone } from './objects.js';
import { bytesOf, textOf, withInput } from './passing.js';
import { lastError, registryOf, wasm } from './wasm.js';

// Only what is in this file makes counting filters.
const COUNTING_KEY = Symbol('counting filter');

// What the server's length word takes in a table, less what is around a payload
// in binary form.
const AROUND_IN_TABLE = 4 - 8;

const countingRegistry = registryOf((pointer) => wasm.counting_free(pointer));

export class CountingBloomFilter {
    #pointer;
    #filter;            // of the bits: whoever only tests values wants that
    structuredClone = refusesClone();

    /** Not to be called: see parse(). */
    constructor(key, pointer, type) {
        if (key !== COUNTING_KEY)
            throw new TypeError('use CountingBloomFilter.parse()');
        if (pointer === 0)
            throw lastError();
        try {
            this.#filter = filterAt(wasm.counting_take_bits(pointer), type);
        } catch (error) {
            wasm.counting_free(pointer);
            throw error;
        }
        this.#pointer = pointer;
        countingRegistry.register(this, pointer, this);
    }

    static parse(input, { type } = {}) {
        return new CountingBloomFilter(COUNTING_KEY, withInput(input, wasm.counting_parse), type);
    }

    static fromText(text, { type } = {}) {
        return new CountingBloomFilter(COUNTING_KEY, withInput(text, wasm.counting_from_text), type);
    }

    static fromBytes(bytes, { type } = {}) {
        return new CountingBloomFilter(COUNTING_KEY, withInput(bytes, wasm.counting_from_bytes), type);
    }

    #requireOpen() {
        if (this.#pointer === 0)
            throw new BloomFilterError('55000', 'counting_bloomfilter was freed');
    }

    free() {
        if (this.#pointer === 0)
            return;
        countingRegistry.unregister(this);
        wasm.counting_free(this.#pointer);
        this.#pointer = 0;
        this.#filter.free();
    }

    has(value) {
        return this.#filter.has(value);
    }

    hasAll(values) {
        return this.#filter.hasAll(values);
    }

    hasAny(values) {
        return this.#filter.hasAny(values);
    }

    hasEach(values) {
        return this.#filter.hasEach(values);
    }

    hash(value) {
        return this.#filter.hash(value);
    }

    hasHash(hash) {
        return this.#filter.hasHash(hash);
    }

    count(value) {
        this.#requireOpen();
        return value === null ? null : wasm.counting_count(this.#pointer, this.#filter.hash(value));
    }

    toBloomFilter() {
        return this.#filter.copy();
    }

    get elementType() {
        return this.#filter.elementType;
    }

    get representation() {
        return this.#filter.representation;
    }

    info() {
        this.#requireOpen();
        const bytes = wasm.bytes_length(wasm.counting_counters(this.#pointer)) >>> 0;
        return { ...this.#filter.info(), bytes: bytes + AROUND_IN_TABLE };
    }

    toBytes() {
        this.#requireOpen();
        return bytesOf(wasm.counting_counters(this.#pointer));
    }

    toText() {
        this.#requireOpen();
        return textOf(wasm.counting_counters(this.#pointer));
    }

    toPostgres() {
        return this.toText();
    }

    toJSON() {
        return this.toText();
    }

    toString() {
        return this.toText();
    }

    [INSPECT](depth, options, inspect) {
        return inspected('CountingBloomFilter', this, options, inspect);
    }

    [DISPOSE]() {
        this.free();
    }
}
