// examiner.js: opens the filter of Inspect and answers questions about it.
//
// It runs in a worker, so that the page stays responsive however large the
// filter is; see worker.js for how the questions get here.
import { BloomFilter, CountingBloomFilter } from './client.js';
import { countFills, groupFills } from './fills.js';
import { findFilter, findFilterInBytes, looksCutOff, looksLikeFilter } from './pasted.js';
import { readValue } from './values.js';

let filter = null;
let info = null;

/** Open a filter out of a text, bytes or a file, instead of the last one. */
export async function open(source, maxGroups) {
    const { found, others } = typeof source === 'string' ? findFilter(source) :
        findFilterInBytes(new Uint8Array(await source.arrayBuffer()));
    const opened = parseOrSay(found);

    filter?.free();
    filter = opened;
    info = filter.info();
    return { info, others, map: info.representation === 'unsized' ? null : fillMap(maxGroups) };
}

/** The 64 bytes of a block. */
export function block(index) {
    return filter.blocks(index, 1);
}

/** For each line, whether the filter may hold that value, or why it cannot say. */
export function test(lines) {
    return lines.map((line) => {
        try {
            return { maybe: filter.has(readValue(line, info.elementType)) };
        } catch (error) {
            return { error: error.message };
        }
    });
}

function parseOrSay(found) {
    try {
        return parse(found);
    } catch (error) {
        if (!looksLikeFilter(found))
            throw new Error('There is no filter in it. Paste what SELECT f or SELECT f::bytea printed, or choose a file with it.');
        if (looksCutOff(found, error.detail))
            error.hint = 'It looks cut off: some programs shorten what they show. Try a file, as from psql -At -o FILE.';
        throw error;
    }
}

// A counting_bloomfilter is shown as the filter that its cast makes.
function parse(found) {
    try {
        return BloomFilter.parse(found);
    } catch (error) {
        if (!/counting_bloomfilter/.test(error.message))
            throw error;
    }
    const counting = CountingBloomFilter.parse(found);
    const bits = counting.toBloomFilter();
    counting.free();
    return bits;
}

// How full the blocks are, as it is shown.
function fillMap(maxGroups) {
    const cellsSet = filter.blockFills();

    return { fills: groupFills(cellsSet, maxGroups), ranges: countFills(cellsSet), blocks: cellsSet.length };
}
