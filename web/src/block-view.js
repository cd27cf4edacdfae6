// block-view.js: shows one block as eight rows of 64 cells, and in it the
// cells that a value's hash chooses.
//
// The rows are the block's words.  The cells are a drawing; what they show is
// said in words at each row.
import { element } from './dom.js';

const ROWS = 8;
const CELLS = 64;

/**
 * Show a block's 64 bytes in the list.  With a value's cells (BloomFilter.locate), those are
 * marked; those among "lit", numbers within the block, light up.
 */
export function showBlock(list, bytes, cells = null, lit = new Set()) {
    const rows = [];

    for (let row = 0; row < ROWS; row++)
        rows.push(rowElement(row, bytes, cells, lit));
    list.replaceChildren(...rows);
}

function rowElement(row, bytes, cells, lit) {
    const chosen = cells === null ? [] : cells.bits.filter((bit) => Math.floor(bit / CELLS) === row);
    const drawing = element('span', 'cells');
    let cellsSet = 0;

    drawing.setAttribute('aria-hidden', 'true');
    for (let bit = row * CELLS; bit < (row + 1) * CELLS; bit++) {
        const set = isSet(bytes, bit);
        cellsSet += set;
        drawing.append(element('i', cellClass(set, chosen.includes(bit), lit.has(bit))));
    }
    const text = element('span', 'row-text');
    if (chosen.length === 0)
        text.append(`${cellsSet} set`);
    else
        text.append(...describe(chosen, row, bytes, cells));
    return element('li', '', element('span', 'row-name', element('span', '', 'row '), String(row)), drawing, text);
}

function isSet(bytes, bit) {
    return (bytes[bit >> 3] >> (bit & 7) & 1) === 1;
}

function cellClass(set, chosen, lit) {
    return `cell${set ? ' set' : ''}${chosen ? ' chosen' : ''}${lit ? ' lit' : ''}`;
}

// "010111 = cell 23, set", for the one cell of the row or the two
function describe(chosen, row, bytes, cells) {
    const parts = [];

    for (const bit of chosen) {
        const cell = bit % CELLS;
        if (parts.length > 0)
            parts.push('; ');
        parts.push(element('b', '', cell.toString(2).padStart(6, '0')), ` = cell ${cell}, `,
            isSet(bytes, bit) ? 'set' : element('strong', '', 'empty'));
    }
    return parts;
}
