/// <reference lib="esnext.disposable" />

/**
 * Types of values that have canonical bytes of their own, by the names that
 * `bloom_info` gives. All others (numeric, jsonb, inet, arrays, ...) are hashed by
 * the server's own functions: their filters can be read, combined and written,
 * but not tested here.
 */
export type ElementType = 'integer' | 'text' | 'bpchar' | 'float' | 'boolean' | 'date' | 'time' |
    'timestamp' | 'timestamptz' | 'uuid' | 'bytea' | 'oid' | '"char"';

declare const otherType: unique symbol;

/** The name of a type whose values only the server can hash, as a filter of them gives it. */
export type OtherType = string & { readonly [otherType]: true };

/**
 * What can be tested and added. Which of these a filter takes, its element type
 * decides; anything else is an error and never a "no":
 *
 * | element type | values |
 * |---|---|
 * | integer | numbers that are safe integers, BigInts |
 * | float | numbers |
 * | text, bpchar | strings |
 * | boolean | booleans |
 * | date | strings such as `2024-02-29`; `infinity`, `-infinity` |
 * | time | strings such as `12:34:56.789` |
 * | timestamp | strings such as `2024-02-29 12:34:56.789` |
 * | timestamptz | Dates, strings with a time zone such as `2024-02-29 12:34:56.789+00` |
 * | uuid | strings, 16 bytes |
 * | bytea | bytes |
 * | oid | numbers and BigInts from 0 to 2^32 - 1 |
 * | "char" | a character of ASCII, one byte |
 */
export type Value = number | bigint | string | boolean | Date | Uint8Array | ArrayBuffer | DataView;

export type TypedArray = Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array |
    Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Float32Array | Float64Array;

export type Values = Iterable<Value | null> | TypedArray;

export interface Options {
    /**
     * The type of the values. A filter that has no value yet is told by the first
     * one otherwise (an integral number: integer; a string: text; a Date:
     * timestamptz; bytes: bytea), so give it for all other types, and where numbers
     * are floats. A filter that holds values of another type is refused. What
     * `elementType` gives is taken, too.
     */
    type?: ElementType | OtherType | null | undefined;
}

/** What `bloom_info` gives; null where an unsized filter (a partial state) has nothing. */
export interface Info {
    elementType: ElementType | OtherType | null;
    representation: 'sparse' | 'dense' | 'unsized';
    expectedItems: number | null;
    targetFalsePositiveRate: number;
    seed: bigint;
    /** Of 512 bits. */
    blocks: number | null;
    bits: number | null;
    /** Bits per value. */
    hashes: number | null;
    bitsSet: number | null;
    fill: number | null;
    /** Distinct values: exact in sparse filters, estimated from the bits in dense ones. */
    estimatedItems: number;
    /** The rate of the filter as it is filled now. */
    estimatedFalsePositiveRate: number;
    /** Of the value in a table. */
    bytes: number;
}

/** An error that the server would raise, too, in its words. */
export class BloomFilterError extends Error {
    /** The SQLSTATE, such as 42804. */
    code: string;
    detail?: string;
    hint?: string;
}

/** A WebAssembly.Module, which not every environment declares. */
export type WebAssemblyModule = object;

/**
 * Compile the WebAssembly beside the main thread, or use this module. Needed in
 * pages only; elsewhere it is compiled when the first filter is made.
 */
export function init(module?: WebAssemblyModule): Promise<void>;

/** A value of the PostgreSQL type `bloomfilter`. */
export class BloomFilter {
    private constructor();

    /** An empty filter: the bits of `bloom_create(expectedItems, falsePositiveRate, seed)`. */
    static create(expectedItems: number, falsePositiveRate?: number, seed?: bigint | number,
        options?: Options): BloomFilter;

    /**
     * From any form: the text that `SELECT filter` gives; `filter::bytea` as bytes,
     * as the server writes it (`\x5047...`) or in base64.
     */
    static parse(input: string | Uint8Array | ArrayBuffer | DataView, options?: Options): BloomFilter;

    /** From the text form only. */
    static fromText(text: string | Uint8Array | ArrayBuffer | DataView, options?: Options): BloomFilter;

    /** From the binary form only. */
    static fromBytes(bytes: Uint8Array | ArrayBuffer | DataView, options?: Options): BloomFilter;

    /**
     * False: certainly not a member. True: probably one. Null for null, as in SQL.
     * A value of another type than the filter's is an error.
     */
    has(value: Value): boolean;
    has(value: null): null;
    has(value: Value | null): boolean | null;

    /** Does it have every value? Nulls do not count: `bloom_contains_all`. */
    hasAll(values: Values): boolean;

    /** Does it have one of the values? Nulls do not count: `bloom_contains_any`. */
    hasAny(values: Values): boolean;

    /** The answer for each value: 1, or 0 if it is not a member or null. */
    hasEach(values: Values): Uint8Array;

    /** Add a value; null changes nothing. */
    add(value: Value | null): this;

    /** Add values. If one of them is refused, those before it have been added. */
    addAll(values: Values): this;

    /** The values of both: `a | b`. */
    union(other: BloomFilter): BloomFilter;

    /** What both have: `a & b`. */
    intersect(other: BloomFilter): BloomFilter;

    /** The filter of 1/factor of the blocks, a number that the factor divides: `bloom_shrink(filter, factor)`. */
    shrink(factor: number): BloomFilter;

    /** Are they the same to the bit? */
    equals(other: BloomFilter): boolean;

    copy(): BloomFilter;

    /** The name of the values' type; null before the first one. */
    readonly elementType: ElementType | OtherType | null;
    readonly representation: 'sparse' | 'dense' | 'unsized';

    info(): Info;

    /** The binary form: give it to PostgreSQL as bytea, or in binary as a bloomfilter. */
    toBytes(): Uint8Array;

    /** The text form. */
    toText(): string;

    /** The text form, which node-postgres asks for when a filter is a parameter. */
    toPostgres(): string;

    /** The text form, which parse() reads. */
    toJSON(): string;

    /** The text form. */
    toString(): string;

    /** The hash of a value in filters of this seed: `bloom_hash(value, seed)`. */
    hash(value: Value): bigint;

    /** Is a value of this hash a member? With `bloom_hash` this works for every type. */
    hasHash(hash: bigint): boolean;

    /**
     * The block that a value belongs to, the bits, 0 to 511, that it sets there, and
     * the word, 0 to 7, of the first one.
     */
    locate(value: Value): { hash: bigint, block: number, firstWord: number, bits: number[] };

    /** Some blocks or all of them, 64 bytes each; of a sparse filter as they would be. */
    blocks(first?: number, count?: number): Uint8Array;

    /** How many of its 512 bits are set, of each block; of a sparse filter as it would be. */
    blockFills(): Uint16Array;

    /** Give the memory back. The filter cannot be used any more. */
    free(): void;

    /** free(), at the end of the block that has the filter with `using`. */
    [Symbol.dispose](): void;

    /** The size that `create` chooses; bytes as `bloom_size` gives them. */
    static size(expectedItems: number, falsePositiveRate?: number):
        { blocks: number, hashes: number, bits: number, bytes: number };

    /** The expected false positive rate of so many blocks with so many values in them. */
    static expectedRate(items: number, blocks: number, hashes: number): number;
}

/**
 * A value of the PostgreSQL type `counting_bloomfilter`: to be tested and counted.
 * Values are added and removed in the server only.
 */
export class CountingBloomFilter {
    private constructor();

    static parse(input: string | Uint8Array | ArrayBuffer | DataView, options?: Options): CountingBloomFilter;
    static fromText(text: string | Uint8Array | ArrayBuffer | DataView, options?: Options): CountingBloomFilter;
    static fromBytes(bytes: Uint8Array | ArrayBuffer | DataView, options?: Options): CountingBloomFilter;

    has(value: Value): boolean;
    has(value: null): null;
    has(value: Value | null): boolean | null;
    hasAll(values: Values): boolean;
    hasAny(values: Values): boolean;
    hasEach(values: Values): Uint8Array;
    hash(value: Value): bigint;
    hasHash(hash: bigint): boolean;

    /** How often it was added, at most: `bloom_count`. 15 stands for 15 or more. */
    count(value: Value): number;
    count(value: null): null;
    count(value: Value | null): number | null;

    /** The filter of its values, to the bit: `filter::bloomfilter`. */
    toBloomFilter(): BloomFilter;

    readonly elementType: ElementType | OtherType | null;
    readonly representation: 'sparse' | 'dense' | 'unsized';
    info(): Info;
    toBytes(): Uint8Array;
    toText(): string;
    toPostgres(): string;
    toJSON(): string;
    toString(): string;
    free(): void;
    [Symbol.dispose](): void;
}
