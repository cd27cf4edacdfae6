// values.js: reads the values that are typed to be tested, as the type of the
// filter's values is written in PostgreSQL.

// For each type, what to type, and how that becomes a value of the client's.
const TYPES = {
    integer: ['Whole numbers, for example 42.', readInteger],
    text: ['Text; blanks count.', (text) => text],
    bpchar: ['Text; blanks at the end do not count.', (text) => text],
    float: ['Numbers, for example 0.1 or 1e-3; also NaN and Infinity.', readFloat],
    boolean: ['true or false.', readBoolean],
    date: ['Dates, for example 2026-01-31.', trim],
    time: ['Times of day, for example 12:34:56.789.', trim],
    timestamp: ['Timestamps, for example 2026-01-31 12:34:56.', trim],
    timestamptz: ['Timestamps with their offset from UTC, for example 2026-01-31 12:34:56+02.', trim],
    uuid: ['UUIDs, for example a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11.', trim],
    bytea: ['Bytes in hex, for example \\xdeadbeef.', readBytes],
    oid: ['Whole numbers from 0 to 4294967295.', readInteger],
    '"char"': ['One ASCII character.', (text) => text],
};

/** What to type for a filter of this type, null if its values cannot be tested here. */
export function hintFor(elementType) {
    if (elementType === null)
        return 'The filter is empty: its answer is always “no”.';
    return TYPES[elementType]?.[0] ?? null;
}

/** The value that the text stands for; any will do for a filter without a type. */
export function readValue(text, elementType) {
    return elementType === null ? text : TYPES[elementType][1](text);
}

function trim(text) {
    return text.trim();
}

function notOf(type, text) {
    throw new RangeError(`invalid input syntax for type ${type}: "${text}"`);
}

function readInteger(text) {
    return /^\s*[+-]?\d+\s*$/.test(text) ? BigInt(text.trim().replace(/^\+/, '')) : notOf('bigint', text);
}

function readFloat(text) {
    if (/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text))
        return Number(text);
    const word = /^\s*([+-]?)(?:(nan)|inf(?:inity)?)\s*$/i.exec(text) ?? notOf('double precision', text);
    return word[2] ? NaN : word[1] === '-' ? -Infinity : Infinity;
}

function readBoolean(text) {
    const word = text.trim().toLowerCase();

    if (['t', 'true', 'yes', 'on', '1'].includes(word))
        return true;
    return ['f', 'false', 'no', 'off', '0'].includes(word) ? false : notOf('boolean', text);
}

function readBytes(text) {
    const digits = /^\s*\\?x((?:[0-9a-f]{2})*)\s*$/i.exec(text)?.[1] ?? notOf('bytea', text);

    return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
