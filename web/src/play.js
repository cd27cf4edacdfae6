// play.js: the part Play: a small filter that values are added to and checked
// against, with all that happens in it on display.
//
// The page remembers what was added, which a filter does not, to tell a right
// "maybe" from a false positive.
import { BloomFilter } from './client.js';
import { showBlock } from './block-view.js';
import { copyOnClick } from './copy.js';
import { byId, onClick, onSubmit, say } from './dom.js';
import { groupFills } from './fills.js';
import { showHash, showNoHash } from './hash-view.js';
import { startGuide } from './guide.js';
import { HeatMap, MAX_GROUPS } from './heat-map.js';
import { log, startLog } from './log.js';
import { count, counted, percent, readCount, readRate, readSeed, shown, withRateHint } from './numbers.js';
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
    lit: new Set(),  // cells of it that were set or checked just now
    measured: null,  // of ABSENT_VALUES, how many got "maybe"
};

let heat;

/** Start the part; inspect(text) shows a filter's text form in Inspect. */
export function startPlay(inspect) {
    heat = new HeatMap(byId('play-heat'), showOtherBlock);
    startLog();
    onSubmit('make-form', make);
    onSubmit('value-form', () => withValue(add));
    onClick('check', () => withValue(check));
    for (const button of document.querySelectorAll('[data-words]'))
        button.addEventListener('click', () => addWords(Number(button.dataset.words)));
    onClick('measure', measureAndSay);
    onClick('shrink', shrink);
    onClick('play-inspect', () => inspect(state.filter.toText()));
    copyOnClick('play-copy', 'play-sql');
    startGuide({ use, addAll, check, make });
    make();
}

// ---- what the buttons do ----

// Call the function with the value that was typed, if there is one.
function withValue(call) {
    const { value } = byId('value');

    if (value !== '') {
        call(value);
        return;
    }
    answer('', '', '');
    say('value-error', 'Type a value first.');
}

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
        say('make-error', withRateHint(error.message, byId('make-rate').value));
        return;
    }
    say('make-error', '');
    use(made);
}

// Go on with this filter, which is empty.
function use(filter) {
    state.filter?.free();
    Object.assign(state, { filter, added: new Set(), value: null, block: 0, lit: new Set() });
    forgetCounts();

    const { expectedItems, hashes } = filter.info();
    const text = `${counted(blocksOf(filter), 'block')} of ${BLOCK_CELLS} cells, made for ` +
        `${counted(expectedItems, 'value')}; each sets ${counted(hashes, 'cell')}.`;
    answer('', 'Nothing in it', text);
    log(`new filter: ${text}`);
    show();
}

// What was counted is of the filter as it was.
function forgetCounts() {
    state.measured = null;
    byId('measure-result').textContent = '';
    byId('shrink-result').textContent = '';
}

function add(value) {
    const cells = state.filter.locate(value);
    const before = state.filter.blocks(cells.block, 1);
    const isNew = !state.added.has(value);

    state.filter.add(value);
    state.added.add(value);
    const set = cells.bits.filter((bit) => !(before[bit >> 3] >> (bit & 7) & 1)).length;
    forgetCounts();
    select(value, cells);

    const text = isNew ? `“${shown(value)}” set ${counted(set, 'empty cell')} in block ${cells.block}` +
        `${set < cells.bits.length ? '; the others were set already' : ''}.` :
        `“${shown(value)}” was there already: nothing changed.`;
    answer('', 'Added', text);
    log(`add ${shown(value)}: ${isNew ? counted(set, 'cell') + ' set' : 'was there already'}`);
    show();
}

function addWords(number) {
    const words = WORDS.filter((word) => !state.added.has(word)).slice(0, number);

    if (words.length === 0) {
        answer('', 'The list is at its end.', 'All of its words are in the filter.');
        return;
    }
    addAll(words, `${counted(words.length, 'word')}, from “${words[0]}” to “${words.at(-1)}”.`);
}

// Add words at once; the text names them.
function addAll(words, text) {
    for (const word of words) {
        state.filter.add(word);
        state.added.add(word);
    }
    // the last one is shown, and what the others set in its block lights up, too
    select(words.at(-1), state.filter.locate(words.at(-1)));
    for (const { block, bits } of words.map((word) => state.filter.locate(word))) {
        if (block === state.block)
            bits.forEach((bit) => state.lit.add(bit));
    }
    forgetCounts();
    answer('', 'Added', text);
    log(`add ${text}`);
    show();
}

function check(value) {
    const cells = state.filter.locate(value);
    const isThere = state.filter.has(value);
    const isMember = state.added.has(value);
    const empty = countEmpty(cells);

    select(value, cells);
    if (!isThere) {
        answer('not', 'No, certainly', `“${shown(value)}” was never added: ${empty === 0 ?
            'other values set its cells, but with so few of them the filter knows each.' :
            `${empty} of its ${counted(cells.bits.length, 'cell')} ${empty === 1 ? 'is' : 'are'} empty.`}`);
        log(`check ${shown(value)}: no`);
    } else if (isMember) {
        answer('maybe', 'Maybe', `All cells of “${shown(value)}” are set. And it was added.`);
        log(`check ${shown(value)}: maybe, and it was added`);
    } else {
        answer('maybe', 'Maybe', `All cells of “${shown(value)}” are set, by other values. It was never added: ` +
            `a false positive.`);
        log(`check ${shown(value)}: maybe, a false positive`);
    }
    show();
}

function measureAndSay() {
    state.measured = measure();
    byId('measure-result').textContent = `${count(state.measured)} of ${count(ABSENT_VALUES)} absent values got ` +
        `“maybe”: ${percent(state.measured / ABSENT_VALUES)}. The cells promise ${percent(rateNow())}.`;
    log(`check ${count(ABSENT_VALUES)} absent values: ${count(state.measured)} maybe, ` +
        `${percent(state.measured / ABSENT_VALUES)}`);
    showFacts();
}

function shrink() {
    const blocks = blocksOf(state.filter);
    const smaller = state.filter.shrink(smallestFactor(blocks));

    state.filter.free();
    state.filter = smaller;
    forgetCounts();
    state.lit = new Set();
    state.block = 0;
    if (state.value !== null)
        select(state.value, smaller.locate(state.value));
    state.measured = measure();

    const text = `${counted(blocks, 'block')} became ${counted(blocksOf(smaller), 'block')}: ` +
        `${count(state.measured)} of ${count(ABSENT_VALUES)} absent values get “maybe” now.`;
    byId('shrink-result').textContent = text;
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

    say('value-error', '');
    box.className = `answer ${kind}`;
    box.querySelector('strong').textContent = head;
    box.querySelector('span').textContent = text;
}

function select(value, cells) {
    state.value = value;
    state.block = cells.block;
    state.lit = new Set(cells.bits);
}

function showOtherBlock(block) {
    state.block = block;
    state.lit = new Set();
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

    byId('block-title').textContent = `Block ${state.block} of ${counted(blocksOf(state.filter), 'block')}`;
    byId('block-text').textContent = blockText(cells, isItsBlock);
    showBlock(byId('block-rows'), state.filter.blocks(state.block, 1), isItsBlock ? cells : null, state.lit);
}

function blockText(cells, isItsBlock) {
    if (cells === null)
        return 'The cells of a value light up when it is added or checked.';
    if (!isItsBlock)
        return `The cells of “${shown(state.value)}” are in block ${cells.block}.`;
    const empty = countEmpty(cells);
    return `“${shown(state.value)}” has ${counted(cells.bits.length, 'cell')} here: ` +
        `${count(cells.bits.length - empty)} set, ${count(empty)} empty.`;
}

function showFacts() {
    const info = state.filter.info();
    const expected = BloomFilter.expectedRate(state.added.size, info.blocks, info.hashes);
    const measured = state.measured === null ? 'not yet' :
        `${percent(state.measured / ABSENT_VALUES)}: ${count(state.measured)} of ${count(ABSENT_VALUES)}`;

    byId('fact-added').textContent = `holds ${count(state.added.size)} of the ${count(info.expectedItems)} it was made for`;
    byId('fact-set').textContent = `${count(info.bitsSet)} of ${count(info.bits)}, ${percent(info.fill)}`;
    byId('fact-rate').textContent = percent(info.estimatedFalsePositiveRate);
    byId('fact-expected').textContent = percent(expected);
    byId('fact-measured').textContent = measured;
    showFormula(info);
}

function showFormula({ representation, blocks, fill, hashes, estimatedFalsePositiveRate: rate }) {
    byId('rate-text').textContent = representation === 'sparse' ?
        'With so few values a mistake is practically impossible.' :
        `An absent value gets “maybe” only if its ${counted(hashes, 'cell')} are all set by chance. ` +
        `With ${percent(fill)} of all cells set that is about ${percent(fill)} to the power of ${hashes}, ` +
        `${percent(fill ** hashes)}. But ${blocks === 1 ? 'its rows are not equally full: row by row' :
            'some blocks are fuller than others, and the fullest err most: block by block'} it is ${percent(rate)}.`;
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
        'One block is left. Add words until it answers “maybe” to everything.' :
        `Lays ${factor === 2 ? 'two' : factor} neighbouring blocks over each other. No value is lost, but the ` +
        `cells are more crowded and there are more mistakes.`;
}
