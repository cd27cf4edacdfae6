// play.js: the part Play: a small filter that values are added to and checked
// against, with all that happens in it on display.
//
// The page remembers what was added, which a filter does not, to tell a right
// MAYBE from a false positive.
import { BloomFilter } from './client.js';
import { showBlock } from './block-view.js';
import { copyOnClick } from './copy.js';
import { byId, onClick, onSubmit, say } from './dom.js';
import { groupFills } from './fills.js';
import { showHash, showNoHash } from './hash-view.js';
import { HeatMap, MAX_GROUPS } from './heat-map.js';
import { log, startLog } from './log.js';
import { count, counted, percent, readCount, readRate, readSeed } from './numbers.js';
import { WORDS } from './words.js';

// Larger filters are for Size: in one of so many blocks a word more is not seen.
const MAX_BLOCKS = 1024;

const ABSENT_VALUES = 10000;

const BLOCK_CELLS = 512;

const state = {
    filter: null,
    added: new Set(),
    value: null,  // added or checked last; its cells are shown
    block: 0,  // the one that is shown
    justSet: new Set(),  // cells of it that were set just now
    measured: null,  // of ABSENT_VALUES, how many got MAYBE
};

let heat;

/** Start the part; inspect(text) shows a filter's text form in Inspect. */
export function startPlay(inspect) {
    heat = new HeatMap(byId('play-heat'), showOtherBlock);
    startLog();
    onSubmit('make-form', make);
    onSubmit('add-form', () => add(byId('add-value').value));
    onSubmit('check-form', () => check(byId('check-value').value));
    for (const button of document.querySelectorAll('[data-words]'))
        button.addEventListener('click', () => addWords(Number(button.dataset.words)));
    onClick('measure', measureAndSay);
    onClick('shrink', shrink);
    onClick('play-inspect', () => inspect(state.filter.toText()));
    copyOnClick('play-copy', 'play-sql');
    make();
}

// ---- what the buttons do ----

function make() {
    let made;

    try {
        made = BloomFilter.create(readCount(byId('make-items').value), readRate(byId('make-rate').value),
            readSeed(byId('make-seed').value));
        if (blocksOf(made) > MAX_BLOCKS)
            throw new RangeError(`That takes ${count(blocksOf(made))} blocks; this part shows at most ` +
                `${count(MAX_BLOCKS)}. Give fewer values, or look it up in Size.`);
    } catch (error) {
        made?.free();
        say('make-error', error.message);
        return;
    }
    say('make-error', '');
    state.filter?.free();
    Object.assign(state, { filter: made, added: new Set(), value: null, block: 0, justSet: new Set(), measured: null });

    const { expectedItems, hashes } = made.info();
    const text = `${counted(blocksOf(made), 'block')} of ${BLOCK_CELLS} cells, made for ` +
        `${counted(expectedItems, 'value')}; each sets ${counted(hashes, 'cell')}.`;
    answer('', 'A new filter', text);
    log(`new filter: ${text}`);
    show();
}

function add(value) {
    const cells = state.filter.locate(value);
    const before = state.filter.blocks(cells.block, 1);
    const isNew = !state.added.has(value);

    state.filter.add(value);
    state.added.add(value);
    state.justSet = new Set(cells.bits.filter((bit) => !(before[bit >> 3] >> (bit & 7) & 1)));
    state.measured = null;
    select(value, cells);

    const text = isNew ? `It set ${counted(state.justSet.size, 'empty cell')} in block ${cells.block}` +
        `${state.justSet.size < cells.bits.length ? '; the others were set already' : ''}.` :
        'It was there already: nothing changed.';
    answer('', `“${value}” added.`, text);
    log(`add ${value}: ${isNew ? counted(state.justSet.size, 'cell') + ' set' : 'was there already'}`);
    show();
}

function addWords(number) {
    const words = WORDS.filter((word) => !state.added.has(word)).slice(0, number);

    if (words.length === 0) {
        answer('', 'The list is at its end.', 'All of its words are in the filter.');
        return;
    }
    for (const word of words) {
        state.filter.add(word);
        state.added.add(word);
    }
    state.justSet = new Set();
    state.measured = null;
    answer('', `${counted(words.length, 'word')} added,`, `from “${words[0]}” to “${words.at(-1)}”.`);
    log(`add ${counted(words.length, 'word')}: ${words[0]} to ${words.at(-1)}`);
    show();
}

function check(value) {
    const cells = state.filter.locate(value);
    const isThere = state.filter.has(value);
    const isMember = state.added.has(value);
    const empty = countEmpty(cells);

    state.justSet = new Set();
    select(value, cells);
    if (!isThere) {
        answer('not', 'NOT', `“${value}” was never added: ${empty === 0 ? 'its hash is not in the list.' :
            `${empty} of its ${cells.bits.length} cells ${empty === 1 ? 'is' : 'are'} empty.`}`);
        log(`check ${value}: NOT`);
    } else if (isMember) {
        answer('maybe', 'MAYBE', `All cells of “${value}” are set. And it was added.`);
        log(`check ${value}: MAYBE, and it was added`);
    } else {
        answer('maybe', 'MAYBE', `All cells of “${value}” are set, by other values. It was never added: ` +
            `a false positive.`);
        log(`check ${value}: MAYBE, a false positive`);
    }
    show();
}

function measureAndSay() {
    state.measured = measure();
    answer('', `${count(state.measured)} of ${count(ABSENT_VALUES)}`,
        `absent values got MAYBE: ${percent(state.measured / ABSENT_VALUES)}. ` +
        `The filter’s cells promise ${percent(rateNow())}.`);
    log(`check ${count(ABSENT_VALUES)} absent values: ${count(state.measured)} MAYBE, ` +
        `${percent(state.measured / ABSENT_VALUES)}`);
    showFacts();
}

function shrink() {
    const blocks = blocksOf(state.filter);
    const smaller = state.filter.shrink(smallestFactor(blocks));

    state.filter.free();
    state.filter = smaller;
    state.justSet = new Set();
    state.block = 0;
    if (state.value !== null)
        select(state.value, smaller.locate(state.value));
    state.measured = measure();

    const text = `${counted(blocks, 'block')} became ${counted(blocksOf(smaller), 'block')}: ` +
        `${count(state.measured)} of ${count(ABSENT_VALUES)} absent values get MAYBE now.`;
    answer('', 'Shrunk.', text);
    log(`shrink: ${text}`);
    show();
}

// ---- what the filter says ----

function blocksOf(filter) {
    return filter.info().blocks;
}

function rateNow() {
    return state.filter.info().estimatedFalsePositiveRate;
}

function measure() {
    let maybes = 0;

    for (let i = 1, tested = 0; tested < ABSENT_VALUES; i++) {
        const value = `absent ${i}`;
        if (state.added.has(value))
            continue;
        maybes += state.filter.has(value);
        tested++;
    }
    return maybes;
}

function countEmpty(cells) {
    const bytes = state.filter.blocks(cells.block, 1);

    return cells.bits.filter((bit) => !(bytes[bit >> 3] >> (bit & 7) & 1)).length;
}

function smallestFactor(n) {
    for (let factor = 2; factor * factor <= n; factor++) {
        if (n % factor === 0)
            return factor;
    }
    return n;
}

// ---- what is shown ----

function answer(kind, head, text) {
    const box = byId('answer');

    box.className = `answer ${kind}`;
    box.querySelector('strong').textContent = head;
    box.querySelector('span').textContent = text;
}

function select(value, cells) {
    state.value = value;
    state.block = cells.block;
}

function showOtherBlock(block) {
    state.block = block;
    state.justSet = new Set();
    showBlockNow();
}

function show() {
    const fills = state.filter.blockFills();

    if (state.value === null)
        showNoHash();
    else
        showHash(state.value, state.filter.locate(state.value), fills.length);
    heat.show(groupFills(fills, MAX_GROUPS), fills.length);
    heat.select(state.block);
    showBlockNow();
    showFacts();
    showShrink(fills.length);
    byId('play-sql').textContent = `SELECT '${state.filter.toText()}'::bloomfilter` +
        ` @> ${quoted(state.value ?? 'apple')};`;
}

function quoted(text) {
    return `'${text.replaceAll("'", "''")}'`;
}

function showBlockNow() {
    const cells = state.value === null ? null : state.filter.locate(state.value);
    const isItsBlock = cells !== null && cells.block === state.block;

    byId('block-title').textContent = isItsBlock ? `Block ${state.block}, with the cells of “${state.value}”` :
        `Block ${state.block}`;
    byId('block-text').textContent = state.filter.info().representation === 'sparse' ?
        `So far the filter is a list of hashes, which is smaller and exact. Drawn here are the cells that they ` +
        `set in it as soon as it holds more than ${counted(blocksOf(state.filter), 'value')}.` : '';
    showBlock(byId('block-rows'), state.filter.blocks(state.block, 1), isItsBlock ? cells : null, state.justSet);
}

function showFacts() {
    const info = state.filter.info();
    const expected = BloomFilter.expectedRate(state.added.size, info.blocks, info.hashes);
    const measured = state.measured === null ? 'not yet' :
        `${percent(state.measured / ABSENT_VALUES)}: ${count(state.measured)} of ${count(ABSENT_VALUES)}`;

    byId('fact-added').textContent = `${count(state.added.size)} of ${count(info.expectedItems)}`;
    byId('fact-set').textContent = `${count(info.bitsSet)} of ${count(info.bits)}, ${percent(info.fill)}`;
    byId('fact-rate').textContent = percent(info.estimatedFalsePositiveRate);
    byId('fact-expected').textContent = percent(expected);
    byId('fact-measured').textContent = measured;
    showFormula(info);
}

function showFormula({ representation, fill, hashes, estimatedFalsePositiveRate: rate }) {
    byId('rate-text').textContent = representation === 'sparse' ?
        'A list of hashes errs only if two values have the same 64 bits.' :
        `An absent value gets MAYBE only if its ${counted(hashes, 'cell')} are all set by chance. ` +
        `With ${percent(fill)} of all cells set that is about ${percent(fill)} to the power of ${hashes}, ` +
        `${percent(fill ** hashes)}. But no two blocks are equally full, and the fullest err most: ` +
        `block by block it is ${percent(rate)}.`;
    byId('formula').textContent = hashes <= 8 ?
        `⅛ · Σ f(s) · f(s+1) · … · f(s+k−1)  for s = 0 … 7, here with k = ${hashes}` :
        `f(0) · … · f(7) · ⅛ · Σ f(s) · … · f(s+k−9)  for s = 0 … 7, here with k = ${hashes}: ` +
        `every row once, and k − 8 of them a second time`;
}

function showShrink(blocks) {
    const factor = smallestFactor(blocks);

    byId('shrink').disabled = blocks === 1;
    byId('shrink').textContent = blocks === 1 ? 'Shrink' : `Shrink to ${counted(blocks / factor, 'block')}`;
    byId('shrink-text').textContent = blocks === 1 ?
        'One block is left. Add words until it answers MAYBE to everything.' :
        `Lays ${factor === 2 ? 'two' : factor} neighbouring blocks over each other. No value is lost, but the ` +
        `cells are more crowded and there are more mistakes.`;
}
