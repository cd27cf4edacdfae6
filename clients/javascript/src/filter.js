// Filters.

import { BloomFilterError } from './error.js';
import { DISPOSE, INSPECT, inspected, refusesClone } from './objects.js';
import { bytesOf, isTypedArray, textOf, toList, withInput } from './passing.js';
import { INTEGER, TEXT, FLOAT, NONE, OWN, UUID, UUID_BYTES, callWithValue, familyByName, familyName, familyOf,
    isInt8, requireAccepts } from './values.js';
import { add, check, hash, has, lastError, memory, readBytes, readText, registryOf, wasm, withMemory, writeText,
    writeUuid, written } from './wasm.js';

// In the place of a family, once the filter was freed.
const FREED = -1;

const REPRESENTATIONS = [undefined, 'sparse', 'dense', 'unsized'];

// What the module calls the elements of typed arrays, if they are of the family.
const ARRAYS = [
    [BigInt64Array, INTEGER, 0],
    [Int32Array, INTEGER, 1],
    [Float64Array, FLOAT, 2],
];

// Memory of the module has the lowest byte first; typed arrays have the machine's order.
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

// Elements of typed arrays that are passed to the module at a time.
const BATCH = 8192;

const NAME_ROOM = 1025;         // of a type's name, see src/core/name.h
const BLOCK_BYTES = 64;
const HEADER_BYTES = 68;        // in a table, with PostgreSQL's length word
const MAX_INT4 = 2 ** 31 - 1;

// Only what is in this file makes filters.
const KEY = Symbol('filter');

const registry = registryOf((pointer) => wasm.free(pointer));

function toSeed(seed) {
    const value = typeof seed === 'number' && Number.isSafeInteger(seed) ? BigInt(seed) : seed;

    if (typeof value !== 'bigint' || !isInt8(value))
        throw new BloomFilterError('22003', `value "${String(seed)}" is out of range for type bigint`, undefined,
            'The seed is a BigInt, or a number that is a safe integer.');
    return value;
}

function toNumber(value, name) {
    if (typeof value !== 'number')
        throw new TypeError(`${name} must be a number`);
    return value;
}

/** The hash of a value, as the server gives it or without its sign. */
function toHash(value) {
    if (typeof value !== 'bigint')
        throw new TypeError('a hash must be a BigInt');
    if (value < -(2n ** 63n) || value >= 2n ** 64n)
        throw new BloomFilterError('22003', `value "${value}" is out of range for type bigint`);
    return BigInt.asIntN(64, value);
}

function elementTypeAt(pointer) {
    return withMemory(NAME_ROOM, (address) => readText(address, wasm.element_type(pointer, address)) || null);
}

/** The family that values of the filter are taken as, which are to be of the type of that name, if there is one. */
function familyAt(pointer, type) {
    const family = wasm.family(pointer);

    if (type === undefined || type === null || (family === OWN && type === elementTypeAt(pointer)))
        return family;
    const wanted = familyByName(type);
    if (wanted !== family)
        requireAccepts(pointer, wanted);
    return wanted;
}

export class BloomFilter {
    #pointer;
    #family;            // that values are taken as: the filter's, or what `type` asked for
    #adopted;           // has the filter itself one?
    structuredClone = refusesClone();

    /** Not to be called: see create() and parse(). */
    constructor(key, pointer, type) {
        if (key !== KEY)
            throw new TypeError('use BloomFilter.create() or BloomFilter.parse()');
        if (pointer === 0)
            throw lastError();
        try {
            this.#family = familyAt(pointer, type);
        } catch (error) {
            wasm.free(pointer);
            throw error;
        }
        this.#pointer = pointer;
        this.#adopted = wasm.family(pointer) !== NONE;
        registry.register(this, pointer, this);
    }

    // ---------- making ----------

    static create(expectedItems, falsePositiveRate = 0.01, seed = 0n, { type } = {}) {
        return new BloomFilter(KEY, wasm.create(toNumber(expectedItems, 'expectedItems'),
            toNumber(falsePositiveRate, 'falsePositiveRate'), toSeed(seed)), type);
    }

    static parse(input, { type } = {}) {
        return new BloomFilter(KEY, withInput(input, wasm.parse), type);
    }

    static fromText(text, { type } = {}) {
        return new BloomFilter(KEY, withInput(text, wasm.from_text), type);
    }

    static fromBytes(bytes, { type } = {}) {
        return new BloomFilter(KEY, withInput(bytes, wasm.from_bytes), type);
    }

    copy() {
        this.#requireOpen();
        return new BloomFilter(KEY, wasm.copy(this.#pointer), familyName(this.#family));
    }

    #requireOpen() {
        if (this.#family === FREED)
            throw new BloomFilterError('55000', 'bloomfilter was freed');
    }

    free() {
        if (this.#family === FREED)
            return;
        registry.unregister(this);
        wasm.free(this.#pointer);
        this.#pointer = 0;
        this.#family = FREED;
    }

    // ---------- values ----------

    has(value) {
        // what is tested most, first; a filter that was freed has none of these families
        switch (this.#family) {
            case INTEGER:
                if (typeof value === 'number') {
                    if (Number.isSafeInteger(value))
                        return wasm.has_integer(this.#pointer, value) === 1;
                } else if (typeof value === 'bigint' && isInt8(value))
                    return wasm.has_word8(this.#pointer, value) === 1;
                break;
            case TEXT:
                if (typeof value === 'string') {
                    const length = writeText(value);
                    return wasm.has_text(this.#pointer, written, length) === 1;
                }
                break;
            case UUID:
                if (typeof value === 'string' && writeUuid(value))
                    return wasm.has_bytes(this.#pointer, written, UUID_BYTES) === 1;
                break;
            case FLOAT:
                if (typeof value === 'number')
                    return wasm.has_float8(this.#pointer, value) === 1;
                break;
            default:
        }
        return this.#hasOther(value);
    }

    #hasOther(value) {
        this.#requireOpen();
        if (value === null)
            return null;
        return callWithValue(has, this.#pointer, this.#familyFor(value), value) === 1;
    }

    // The family that the value must be of.
    #familyFor(value) {
        return this.#family === NONE ? familyOf(value) : this.#family;
    }

    add(value) {
        this.#requireOpen();
        if (value === null)
            return this;
        if (!this.#adopted)
            this.#adopt(value);
        if (this.#family === INTEGER && typeof value === 'number' && Number.isSafeInteger(value))
            check(wasm.add_integer(this.#pointer, value));
        else
            check(callWithValue(add, this.#pointer, this.#family, value));
        return this;
    }

    // The first value tells the family, if it can be added at all.
    #adopt(value, family = this.#familyFor(value)) {
        callWithValue(hash, this.#pointer, family, value);
        this.#adoptFamily(family);
    }

    #adoptFamily(family) {
        check(wasm.adopt(this.#pointer, family));
        this.#family = family;
        this.#adopted = true;
    }

    // What the module calls the elements of a typed array; undefined if they have to be looked at.
    #arrayKind(values) {
        for (const [constructor, family, kind] of ARRAYS)
            if (IS_LITTLE_ENDIAN && values instanceof constructor && this.#family === family)
                return kind;
        return undefined;
    }

    // Call the function with the address, the number and the offset of elements, part by part.
    #forParts(values, call) {
        const size = values.BYTES_PER_ELEMENT;

        withMemory(BATCH * (size + 1), (address) => {
            for (let done = 0; done < values.length; done += BATCH) {
                const part = values.subarray(done, done + BATCH);
                memory().set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), address);
                if (call(address, part.length, done) === false)
                    break;
            }
        });
    }

    hasEach(values) {
        const list = toList(values);
        const kind = this.#arrayKind(list);
        const found = new Uint8Array(list.length);

        this.#requireOpen();
        if (kind === undefined) {
            for (let i = 0; i < list.length; i++)
                found[i] = this.has(list[i]) === true ? 1 : 0;
            return found;
        }
        this.#forParts(list, (address, count, done) => {
            const answers = address + BATCH * list.BYTES_PER_ELEMENT;
            wasm.has_array(this.#pointer, kind, address, count, answers);
            found.set(memory().subarray(answers, answers + count), done);
        });
        return found;
    }

    // Is there a value that the filter has, or has not?  Nulls do not count.
    #some(values, answer) {
        const list = toList(values);
        const kind = this.#arrayKind(list);
        let seen = false;

        this.#requireOpen();
        if (kind === undefined) {
            for (let i = 0; i < list.length; i++)
                if (this.has(list[i]) === answer)
                    return true;
            return false;
        }
        this.#forParts(list, (address, count) => {
            const hits = wasm.has_array(this.#pointer, kind, address, count,
                address + BATCH * list.BYTES_PER_ELEMENT);
            seen = answer ? hits > 0 : hits < count;
            return !seen;
        });
        return seen;
    }

    hasAll(values) {
        return !this.#some(values, false);
    }

    hasAny(values) {
        return this.#some(values, true);
    }

    addAll(values) {
        const list = toList(values);

        this.#requireOpen();
        if (!this.#adopted && list.length > 0) {
            // of a typed array every element is of one type, whatever the first one looks like
            if (this.#family === NONE && isTypedArray(list))
                this.#adopt(list[0], list[Symbol.toStringTag].startsWith('Float') ? FLOAT : INTEGER);
            this.add(list[0]);
        }
        const kind = this.#arrayKind(list);
        if (kind === undefined)
            for (let i = 0; i < list.length; i++)
                this.add(list[i]);
        else
            this.#forParts(list, (address, count) => {
                check(wasm.add_array(this.#pointer, kind, address, count));
            });
        return this;
    }

    // ---------- hashes ----------

    hash(value) {
        this.#requireOpen();
        return callWithValue(hash, this.#pointer, this.#familyFor(value), value);
    }

    hasHash(value) {
        this.#requireOpen();
        return wasm.has_hash(this.#pointer, toHash(value)) === 1;
    }

    locate(value) {
        const found = this.hash(value);

        this.#requireSized();
        return withMemory(BLOCK_BYTES, (address) => {
            wasm.hash_block(this.#pointer, found, address);
            const block = readBytes(address, BLOCK_BYTES);
            const bits = [];
            for (let bit = 0; bit < 8 * BLOCK_BYTES; bit++)
                if (block[bit >> 3] >> (bit & 7) & 1)
                    bits.push(bit);
            return { hash: BigInt.asUintN(64, found), block: wasm.block_index(this.#pointer, found) >>> 0,
                firstWord: wasm.block_start(found), bits };
        });
    }

    #requireSized() {
        if (this.representation === 'unsized')
            throw new BloomFilterError('22023', 'bloomfilter has no size yet');
    }

    blocks(first = 0, count = undefined) {
        this.#requireOpen();
        this.#requireSized();
        const all = wasm.fact(this.#pointer, 3);
        const n = count ?? all - first;
        if (!Number.isInteger(first) || !Number.isInteger(n) || first < 0 || n < 0 || first + n > all)
            throw new RangeError(`there are ${all} blocks`);
        return withMemory(n * BLOCK_BYTES, (address) => {
            check(wasm.write_blocks(this.#pointer, first, n, address));
            return readBytes(address, n * BLOCK_BYTES);
        });
    }

    blockFills() {
        this.#requireOpen();
        this.#requireSized();
        const bytes = Uint16Array.BYTES_PER_ELEMENT * wasm.fact(this.#pointer, 3);
        return withMemory(bytes, (address) => {
            check(wasm.count_blocks(this.#pointer, address));
            const counts = new DataView(readBytes(address, bytes).buffer);
            return Uint16Array.from({ length: bytes / 2 }, (_, i) => counts.getUint16(2 * i, true));
        });
    }

    // ---------- whole filters ----------

    static #require(other) {
        if (!(other instanceof BloomFilter))
            throw new TypeError('a filter combines with a filter');
        other.#requireOpen();
        return other.#pointer;
    }

    #combine(other, combine) {
        this.#requireOpen();
        const theirs = BloomFilter.#require(other);
        if (!this.#adopted && this.#family !== NONE && wasm.family(theirs) !== NONE)
            requireAccepts(theirs, this.#family);
        const result = this.copy();
        try {
            check(combine(result.#pointer, theirs));
        } catch (error) {
            result.free();
            throw error;
        }
        if (result.#family === NONE)
            result.#family = other.#family;
        result.#adopted = wasm.family(result.#pointer) !== NONE;
        return result;
    }

    union(other) {
        return this.#combine(other, wasm.unite);
    }

    intersect(other) {
        return this.#combine(other, wasm.intersect);
    }

    shrink(factor) {
        this.#requireOpen();
        if (!Number.isInteger(factor) || Math.abs(factor) > MAX_INT4)
            throw new BloomFilterError('22003', `value "${String(factor)}" is out of range for type integer`);
        return new BloomFilter(KEY, wasm.shrink(this.#pointer, factor), familyName(this.#family));
    }

    equals(other) {
        this.#requireOpen();
        const result = wasm.equal(this.#pointer, BloomFilter.#require(other));
        check(result >= 0);
        return result === 1;
    }

    get elementType() {
        this.#requireOpen();
        return elementTypeAt(this.#pointer);
    }

    get representation() {
        this.#requireOpen();
        return REPRESENTATIONS[wasm.fact(this.#pointer, 0)];
    }

    info() {
        this.#requireOpen();
        check(wasm.look(this.#pointer));
        const fact = (which) => wasm.fact(this.#pointer, which);
        const sized = this.representation !== 'unsized';
        const blocks = fact(3);
        return {
            elementType: this.elementType,
            representation: this.representation,
            expectedItems: sized ? fact(1) : null,
            targetFalsePositiveRate: fact(2),
            seed: wasm.seed(this.#pointer),
            blocks: sized ? blocks : null,
            bits: sized ? 8 * BLOCK_BYTES * blocks : null,
            hashes: sized ? fact(4) : null,
            bitsSet: sized ? fact(6) : null,
            fill: sized ? fact(6) / (8 * BLOCK_BYTES * blocks) : null,
            estimatedItems: fact(7),
            estimatedFalsePositiveRate: fact(8),
            bytes: fact(9),
        };
    }

    toBytes() {
        this.#requireOpen();
        return bytesOf(this.#pointer);
    }

    toText() {
        this.#requireOpen();
        return textOf(this.#pointer);
    }

    /** What node-postgres sends of a parameter. */
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
        return inspected('BloomFilter', this, options, inspect);
    }

    [DISPOSE]() {
        this.free();
    }

    // ---------- sizes ----------

    static size(expectedItems, falsePositiveRate = 0.01) {
        const filter = BloomFilter.create(expectedItems, falsePositiveRate);
        const blocks = wasm.fact(filter.#pointer, 3);
        const hashes = wasm.fact(filter.#pointer, 4);

        filter.free();
        return { blocks, hashes, bits: 8 * BLOCK_BYTES * blocks, bytes: HEADER_BYTES + BLOCK_BYTES * blocks };
    }

    static expectedRate(items, blocks, hashes) {
        if (!(blocks >= 1 && blocks <= 2 ** 23 && hashes >= 1 && hashes <= 16 && items >= 0))
            throw new RangeError('blocks are 1 to 2^23, hashes 1 to 16, and items not negative');
        return wasm.expected_rate(items, blocks, hashes);
    }
}

/** A filter at an address in the module's memory, which is its own from now on. */
export function filterAt(pointer, type) {
    return new BloomFilter(KEY, pointer, type);
}
