// pasted.js: finds a filter in what was pasted or in a file: with psql's lines
// around it, in quotes, or alone.

const MAGIC = 'PGBF';
const HEX_START = '\\x50474246';

/**
 * What the client can parse, out of a file's bytes: themselves, or the part of
 * the text in them that is a filter.
 */
export function findFilterInBytes(bytes) {
    if (String.fromCharCode(...bytes.subarray(0, MAGIC.length)) === MAGIC)
        return bytes;
    return findFilter(new TextDecoder().decode(bytes));
}

/** The same out of a text. */
export function findFilter(text) {
    const hex = text.indexOf(HEX_START);

    if (hex >= 0)
        return text.slice(hex, endOfHex(text, hex + HEX_START.length));

    const start = text.search(/(?<!\w)bloomfilter\s*\(\s*\d/);
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
