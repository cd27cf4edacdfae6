// pasted.js: finds a filter in what was pasted or in a file: with psql's lines
// around it, in quotes, or alone.

// What the binary forms of bloomfilter and counting_bloomfilter begin with.
const MAGICS = ['PGBF', 'PGCB'];
const HEX_START = /\\x(50474246|50474342)/;

const TEXT_START = /(?<!\w)(counting_)?bloomfilter\s*\(\s*\d/;

// Either of them.
const STARTS = new RegExp(`${HEX_START.source}|${TEXT_START.source}`, 'g');

/**
 * Out of a file's bytes, {found, others}: what the client can parse, the bytes
 * themselves or the part of the text in them that is a filter; and how many more
 * filters there are.
 */
export function findFilterInBytes(bytes) {
    if (MAGICS.includes(String.fromCharCode(...bytes.subarray(0, MAGICS[0].length))))
        return { found: bytes, others: 0 };
    return findFilter(new TextDecoder().decode(bytes));
}

/** The same out of a text. */
export function findFilter(text) {
    const start = text.search(STARTS);
    const end = start < 0 ? -1 : endOfFilter(text, start);

    if (end < 0)
        return { found: text.trim(), others: 0 };
    return { found: text.slice(start, end), others: count(text.slice(end)) };
}

// What the client says of a filter that ends too early.
const TOO_SHORT = /length does not match|shorter than|malformed (base64|hexadecimal)/;

/** Does a filter start here that does not end, as far as one can tell from it and from the reason why it was refused? */
export function looksCutOff(found, reason) {
    const isOpen = typeof found === 'string' && TEXT_START.test(found) && !found.includes(')');
    return isOpen || TOO_SHORT.test(reason);
}

/** Is there anything in a text that a filter begins with, or base64 of some length? */
export function looksLikeFilter(found) {
    return typeof found !== 'string' || found.search(STARTS) >= 0 || /^[\w+/\s]{40,}=*$/.test(found);
}

function count(text) {
    let n = 0;
    for (const _ of text.matchAll(STARTS))
        n++;
    return n;
}

// -1 if there is no end.
function endOfFilter(text, start) {
    if (text[start] === '\\')
        return endOfHex(text, start + '\\x'.length);
    // base64 has no parenthesis: the next one behind the checksum ends it
    const checksum = text.indexOf('crc', start);
    return checksum < 0 ? -1 : text.indexOf(')', checksum) + 1 || -1;
}

function endOfHex(text, from) {
    const other = /[^0-9a-fA-F]/g;

    other.lastIndex = from;
    return other.exec(text)?.index ?? text.length;
}
