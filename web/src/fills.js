// fills.js: from the number of set cells of each block to what is shown of
// large filters: means of groups of blocks, and how many blocks are how full.

const BLOCK_CELLS = 512;

// Ranges of fill that are told apart, in cells: the first with few enough.
const WIDTHS = [8, 16, 32, 64];
const MAX_RANGES = 12;

/** Mean fill, 0 to 1, of at most so many groups of equally many blocks. */
export function groupFills(cellsSet, maxGroups) {
    const perGroup = Math.ceil(cellsSet.length / maxGroups);
    const fills = new Float64Array(Math.ceil(cellsSet.length / perGroup));

    for (let group = 0; group < fills.length; group++) {
        const first = group * perGroup;
        const end = Math.min(first + perGroup, cellsSet.length);
        let sum = 0;
        for (let block = first; block < end; block++)
            sum += cellsSet[block];
        fills[group] = sum / (end - first) / BLOCK_CELLS;
    }
    return fills;
}

/** Ranges of set cells, [{from, to, blocks}], that all blocks are in. */
export function countFills(cellsSet) {
    const counts = new Array(BLOCK_CELLS + 1).fill(0);

    for (const cells of cellsSet)
        counts[cells]++;
    const least = counts.findIndex((n) => n > 0);
    const most = counts.findLastIndex((n) => n > 0);
    const width = WIDTHS.find((w) => Math.floor(most / w) - Math.floor(least / w) < MAX_RANGES);
    const ranges = [];

    for (let from = least - least % width; from <= most; from += width) {
        const to = Math.min(from + width - 1, BLOCK_CELLS);
        ranges.push({ from, to, blocks: counts.slice(from, to + 1).reduce((a, b) => a + b) });
    }
    return ranges;
}
