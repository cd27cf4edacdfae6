// pasted.js: finds a filter in what was pasted or in a file: with psql's lines
// around it, in quotes, or alone.

// What the binary forms of bloomfilter and counting_bloomfilter begin with.
const MAGICS = ['PGBF', 'PGCB'];
const HEX_START = /\\x(50474246|50474342)/;

const TEXT_START = /(?<!\w)(counting_)?bloomfilter\s*\(\s*\d/;

/**
 * What the client can parse, out of a file's bytes: themselves, or the part of
 * the text in them that is a filter.
 */
export function findFilterInBytes(bytes) {
    if (MAGICS.includes(String.fromCharCode(...bytes.subarray(0, MAGICS[0].length))))
        return bytes;
    return findFilter(new TextDecoder().decode(bytes));
}

/** The same out of a text. */
export function findFilter(text) {
    const hex = text.search(HEX_START);

    if (hex >= 0)
        return text.slice(hex, endOfHex(text, hex + '\\x'.length));

    const start = text.search(TEXT_START);
    if (start >= 0) {
        // base64 has no parenthesis: the next one behind the checksum ends it
        const checksum = text.indexOf('crc', start);
        const end = text.indexOf(')', checksum);
        if (checksum >= 0 && end >= 0)
            return text.slice(start, end + 1);
    }
    return text.trim();
}

function endOfHex(text, from) {
    const other = /[^0-9a-fA-F]/g;

    other.lastIndex = from;
    return other.exec(text)?.index ?? text.length;
}
