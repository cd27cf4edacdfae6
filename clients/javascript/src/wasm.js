// The WebAssembly module: its functions, its memory, and what is passed through
// that.

import { BloomFilterError } from './error.js';

export const encoder = new TextEncoder();
const decoder = new TextDecoder();

// How to get the WebAssembly.Module, where init() need not be given one.
let loadModule;

/** The module's functions.  The first use of one loads the module, if that can be done at once. */
export let wasm = new Proxy({}, {
    get(_, name) {
        load();
        return wasm[name];
    },
});

/** Of these, for each kind of canonical bytes, those that test, add and hash a value. */
export let has;
export let add;
export let hash;

const KINDS = ['word8', 'word4', 'float8', 'bytes', 'text', 'hash'];

let heap;
let scratch;
let scratchBytes;

// Where long texts are written: grows with the longest one.
let room = 0;
let roomBytes = 0;

/** Is there a module? */
export function isLoaded() {
    return heap !== undefined;
}

/** Get the module from this function, when it is first needed. */
export function loadWith(compile) {
    loadModule = compile;
}

function load() {
    if (loadModule === undefined)
        throw new BloomFilterError('55000', 'the WebAssembly module is missing', undefined,
            'Call init(module) first, with the WebAssembly.Module of pg-bloomfilter/bloomfilter.wasm.');
    let module;
    try {
        module = loadModule();
    } catch (error) {
        throw new BloomFilterError('55000', 'WebAssembly cannot be compiled synchronously here', error.message,
            'In a page, call "await init()" first. Where WebAssembly is not compiled at run time, ' +
            'use pg-bloomfilter/module.');
    }
    useModule(module);
}

/** Use this WebAssembly.Module; the first one stays. */
export function useModule(module) {
    if (!isLoaded())
        useInstance(new WebAssembly.Instance(module, {}));
}

/** Use this WebAssembly.Instance of it; the first one stays. */
export function useInstance({ exports }) {
    if (isLoaded())
        return;
    exports._initialize();
    exports.init();
    scratch = exports.scratch();
    scratchBytes = exports.scratch_bytes();
    heap = new Uint8Array(exports.memory.buffer);
    [has, add, hash] = ['has', 'add', 'hash'].map((what) =>
        Object.fromEntries(KINDS.map((kind) => [kind, exports[`${what}_${kind}`]])));
    wasm = exports;
}

/** Its memory, as bytes: another array, the old one being empty, whenever it has grown. */
export function memory() {
    if (heap.length === 0)
        heap = new Uint8Array(wasm.memory.buffer);
    return heap;
}

function terminated(address) {
    const bytes = memory();

    return decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
}

/** The error that the last call reported. */
export function lastError() {
    const [code, message, detail, hint] = [0, 1, 2, 3].map((part) => terminated(wasm.error_part(part)));
    return new BloomFilterError(code, message, detail || undefined, hint || undefined);
}

/** Raise it, if the call failed. */
export function check(succeeded) {
    if (!succeeded)
        throw lastError();
    return succeeded;
}

/** So many bytes of memory, to be released. */
export function allocate(bytes) {
    // a size is 32 bits
    const address = bytes < 2 ** 32 ? wasm.allocate(bytes) >>> 0 : 0;

    if (address === 0)
        throw new BloomFilterError('53200', 'out of memory');
    return address;
}

/** Call the function with an address of so many bytes, which are released afterwards. */
export function withMemory(bytes, call) {
    const address = allocate(bytes);

    try {
        return call(address);
    } finally {
        wasm.release(address);
    }
}

/** The same with a copy of these bytes. */
export function withBytes(bytes, call) {
    return withMemory(bytes.length, (address) => {
        memory().set(bytes, address);
        return call(address, bytes.length);
    });
}

// Text up to this length, in characters, is encoded here: a call of the encoder
// costs as much as forty.
const SHORT = 48;

/** Where the text or bytes of the last writeText() or writeBytes() are. */
export let written;

function reserve(bytes) {
    if (bytes <= scratchBytes)
        return scratch;
    if (bytes > roomBytes) {
        const larger = allocate(bytes);

        wasm.release(room);
        room = larger;
        roomBytes = bytes;
    }
    return room;
}

function hex(bytes) {
    return Array.from(bytes, (byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(' ');
}

function refuseCharacter(text, at) {
    const unit = text.charCodeAt(at);
    // a surrogate as the three bytes that are no UTF-8
    const bytes = unit === 0 ? [0] : [0xE0 | unit >> 12, 0x80 | (unit >> 6 & 63), 0x80 | (unit & 63)];

    throw new BloomFilterError('22021', `invalid byte sequence for encoding "UTF8": ${hex(bytes)}`,
        unit === 0 ? 'Text of PostgreSQL has no zero bytes.' :
            `The string has half a surrogate pair at index ${at}.`);
}

const half = /\p{Surrogate}/u;

function writeLongText(text) {
    written = reserve(3 * text.length);
    const { written: bytes } = encoder.encodeInto(text, memory().subarray(written, written + 3 * text.length));
    if (bytes !== text.length) {
        const at = text.search(half);
        if (at >= 0)
            refuseCharacter(text, at);
    }
    const zero = text.indexOf('\0');
    if (zero >= 0)
        refuseCharacter(text, zero);
    return bytes;
}

/** Write the character of more than one byte that starts at index i; the address behind it. */
function writeCharacter(bytes, address, text, i) {
    const code = text.codePointAt(i);

    if (code === 0 || (code >= 0xD800 && code <= 0xDFFF))
        refuseCharacter(text, i);
    if (code < 0x800)
        bytes[address++] = 0xC0 | code >> 6;
    else {
        if (code < 0x10000)
            bytes[address++] = 0xE0 | code >> 12;
        else {
            bytes[address++] = 0xF0 | code >> 18;
            bytes[address++] = 0x80 | (code >> 12 & 63);
        }
        bytes[address++] = 0x80 | (code >> 6 & 63);
    }
    bytes[address++] = 0x80 | (code & 63);
    return address;
}

/** Write a string in UTF-8 at the address `written`; its length in bytes. */
export function writeText(text) {
    const { length } = text;

    if (length > SHORT)
        return writeLongText(text);
    const bytes = memory();
    let address = scratch;
    for (let i = 0; i < length; i++) {
        const unit = text.charCodeAt(i);
        if (unit < 0x80 && unit !== 0)
            bytes[address++] = unit;
        else {
            address = writeCharacter(bytes, address, text, i);
            // both halves of a pair are one character
            if (unit >= 0xD800 && unit <= 0xDBFF)
                i++;
        }
    }
    written = scratch;
    return address - scratch;
}

const DASH = '-'.charCodeAt(0);
const NO_DIGIT = 0x80;
const digits = new Uint8Array(128).fill(NO_DIGIT);
for (let digit = 0; digit < 16; digit++)
    for (const character of digit.toString(16) + digit.toString(16).toUpperCase())
        digits[character.charCodeAt(0)] = digit;

function digitAt(text, i) {
    const unit = text.charCodeAt(i);
    return unit < digits.length ? digits[unit] : NO_DIGIT;
}

// Where the pairs of digits start in a uuid of 36 characters, and its dashes.
const PAIRS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const DASHES = [8, 13, 18, 23];
const UUID_LENGTH = 36;

/** Write the 16 bytes of a uuid in its usual form at the address `written`; false if the text is something else. */
export function writeUuid(text) {
    if (text.length !== UUID_LENGTH)
        return false;
    for (let i = 0; i < DASHES.length; i++)
        if (text.charCodeAt(DASHES[i]) !== DASH)
            return false;
    const bytes = memory();
    let seen = 0;
    for (let i = 0; i < PAIRS.length; i++) {
        const high = digitAt(text, PAIRS[i]);
        const low = digitAt(text, PAIRS[i] + 1);
        seen |= high | low;
        bytes[scratch + i] = high << 4 | low;
    }
    written = scratch;
    return seen < NO_DIGIT;
}

const nothing = { register() {}, unregister() {} };

/** What frees the filters that were collected.  Where there is no such thing, free() alone frees them. */
export function registryOf(free) {
    return typeof FinalizationRegistry === 'undefined' ? nothing : new FinalizationRegistry(free);
}

/** Write bytes at the address `written`. */
export function writeBytes(bytes) {
    written = reserve(bytes.length);
    memory().set(bytes, written);
    return bytes.length;
}

/** A string from so many bytes. */
export function readText(address, length) {
    const bytes = memory().subarray(address, address + length);

    try {
        return decoder.decode(bytes);
    } catch {
        // the bytes are valid: the engine's longest string is shorter
        throw new BloomFilterError('54000', `the text form of ${length} bytes is too long for a string`, undefined,
            'Use toBytes().');
    }
}

/** A copy of so many bytes. */
export function readBytes(address, length) {
    return memory().slice(address, address + length);
}
