// What filters are read from and written to, and lists of values.

import { asBytes } from './values.js';
import { check, encoder, memory, readBytes, readText, wasm, withBytes, withMemory } from './wasm.js';

/** Call the function with the bytes of a string in the memory. */
function withString(string, call) {
    // what is no ASCII is no filter, but to be told so in the right words
    for (const room of [string.length, 3 * string.length]) {
        const result = withMemory(room, (address) => {
            const { read, written: length } = encoder.encodeInto(string, memory().subarray(address, address + room));
            return read < string.length ? undefined : call(address, length);
        });
        if (result !== undefined)
            return result;
    }
    return undefined;
}

/** Call the function with the address and the length of what a filter is read from. */
export function withInput(input, call) {
    if (typeof input === 'string')
        return withString(input, call);
    const bytes = asBytes(input);
    if (bytes === undefined)
        throw new TypeError('a filter is read from a string, a Uint8Array or an ArrayBuffer');
    return withBytes(bytes, call);
}

/** The binary form of the filter at that address. */
export function bytesOf(pointer) {
    const length = wasm.bytes_length(pointer) >>> 0;

    return withMemory(length, (address) => {
        wasm.write_bytes(pointer, address);
        return readBytes(address, length);
    });
}

/** The text form of it. */
export function textOf(pointer) {
    return withMemory(wasm.text_room(pointer) >>> 0, (address) =>
        readText(address, check(wasm.write_text(pointer, address)) >>> 0));
}

/** Is it one of numbers? */
export function isTypedArray(values) {
    return ArrayBuffer.isView(values) && !(values instanceof DataView);
}

// The array of a buffer that was transferred to another owner looks empty.
function requireAttached(buffer) {
    try {
        new Uint8Array(buffer, 0, 0);
    } catch {
        throw new TypeError('the buffer of the values was detached');
    }
}

/** What an array or other iterable gives, unless it has an index itself. */
export function toList(values) {
    if (Array.isArray(values))
        return values;
    if (isTypedArray(values)) {
        requireAttached(values.buffer);
        return values;
    }
    if (values === null || typeof values !== 'object' || !(Symbol.iterator in values))
        throw new TypeError('values must be an array, a typed array or another iterable');
    return Array.from(values);
}
