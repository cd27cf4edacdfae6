// hash-view.js: shows the bits of a value's hash, and which of them choose
// what: the upper half the block, three bits the first row, and in the product
// of the hash with a constant six bits of each byte a cell of each row.
import { byId, element } from './dom.js';
import { count, shown } from './numbers.js';

// The bits of the hash, counted from the highest, that choose the first row.
const FIRST_ROW_BITS = [32, 35];

/** Show the hash of the value, whose cells the client has found. */
export function showHash(value, cells, blocks) {
    byId('hash-text').textContent = `From “${shown(value)}” and the seed come 64 bits that look random, always the same ones:`;
    byId('hash-bits').replaceChildren(...bytesOf(cells.hash, classOfHashBit));
    byId('hash-legend').replaceChildren(
        item('for-block', 'The first 32 bits', ` choose the block. Read as a fraction of 1 and multiplied by ` +
            `${count(blocks)} they are ${fractionTimes(cells.hash, blocks)}: block ${cells.block}.`),
        item('for-row', 'The next 3', ` choose the first row: ${cells.firstWord}.`),
        item('for-cell', `All 64, multiplied by a constant`, `, choose the cells: of the product, 6 bits for each ` +
            `row.`));
}

/** Nothing was added or checked yet. */
export function showNoHash() {
    byId('hash-text').textContent = 'Add or check a value to see its hash.';
    byId('hash-bits').replaceChildren();
    byId('hash-legend').replaceChildren();
}

// The block's number before it is rounded down, cut after two decimals: rounded
// it could be the next block's.
function fractionTimes(hash, blocks) {
    const hundredths = (hash >> 32n) * BigInt(blocks) * 100n >> 32n;
    return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
}

function classOfHashBit(bit) {
    if (bit < FIRST_ROW_BITS[0])
        return 'for-block';
    return bit < FIRST_ROW_BITS[1] ? 'for-row' : '';
}

// Bits in groups of eight, those of one meaning together.
function bytesOf(word, classOfBit) {
    const bits = word.toString(2).padStart(64, '0');
    const result = [];

    for (let byte = 0; byte < 64; byte += 8) {
        const group = element('span', '');
        let start = byte;
        for (let bit = byte; bit < byte + 8; bit++) {
            if (bit + 1 < byte + 8 && classOfBit(bit + 1) === classOfBit(start))
                continue;
            const meaning = classOfBit(start);
            group.append(meaning ? element('b', meaning, bits.slice(start, bit + 1)) : bits.slice(start, bit + 1));
            start = bit + 1;
        }
        result.push(group);
    }
    return result;
}

function item(className, name, text) {
    return element('li', '', element('b', className, name), text);
}
