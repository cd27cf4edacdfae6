// inspect.js: the part Inspect: a filter that was pasted or dropped, its
// parameters and fill, and tests against it.
import { showBlock } from './block-view.js';
import { BloomFilter } from './client.js';
import { byId, element, onClick, onSubmit, say } from './dom.js';
import { HeatMap, MAX_GROUPS } from './heat-map.js';
import { goTo } from './navigation.js';
import { bytes, count, counted, digits, percent, shown } from './numbers.js';
import { hintFor } from './values.js';

// Longer pasted texts are not put into the field: browsers take minutes to lay them out.
const MAX_FIELD = 100000;

// Of more answers only the number is shown.
const MAX_ANSWERS = 1000;

// How much above the target the rate may be for the filter to be in order: a
// single filter varies around what was expected of it.
const RATE_MARGIN = 1.5;

// How many times the size that its values need is called too large.
const MUCH_LARGER = 4;

let ask;
let heat;
let pasted = null;  // a text too long for the field

/** Start the part; ask(name, ...values) asks the examiner, example() makes a filter's text. */
export function startInspect(examiner, example) {
    ask = examiner;
    heat = new HeatMap(byId('inspect-heat'), showBlockAt);
    onSubmit('inspect-form', () => open(pasted ?? byId('inspect-text').value, 'the field'));
    onClick('inspect-choose', () => byId('inspect-file').click());
    onClick('inspect-example', () => showFilter(example(), 'the example'));
    byId('inspect-file').addEventListener('change', chosen);
    byId('inspect-text').addEventListener('paste', paste);
    byId('inspect-text').addEventListener('input', () => { pasted = null; });
    onSubmit('test-form', test);
    acceptDrops();
}

/** Open a filter's text form, named so, and go to this part. */
export function showFilter(text, name) {
    goTo('inspect');
    pasted = null;
    byId('inspect-text').value = text.length > MAX_FIELD ? '' : text;
    open(text, name);
}

// ---- ways in ----

function chosen() {
    const [file] = byId('inspect-file').files;

    if (file)
        openFile(file);
    byId('inspect-file').value = '';  // so that the same one can be chosen again
}

function paste(event) {
    const text = event.clipboardData.getData('text/plain');

    if (text.length <= MAX_FIELD) {
        // once it is in the field
        setTimeout(() => {
            byId('inspect-text').scrollTop = 0;
            open(byId('inspect-text').value, 'what was pasted');
        });
        return;
    }
    event.preventDefault();
    byId('inspect-text').value = `(${bytes(text.length)} were pasted)`;
    pasted = text;
    open(text, 'what was pasted');
}

// The field belongs to another filter then.
function openFile(file) {
    pasted = null;
    byId('inspect-text').value = '';
    open(file, `the file ${shown(file.name)}`);
}

function acceptDrops() {
    addEventListener('dragover', (event) => {
        event.preventDefault();
        document.body.classList.add('dropping');
    });
    addEventListener('dragleave', (event) => {
        if (event.relatedTarget === null)
            document.body.classList.remove('dropping');
    });
    addEventListener('drop', (event) => {
        event.preventDefault();
        document.body.classList.remove('dropping');
        const [file] = event.dataTransfer.files;
        const text = event.dataTransfer.getData('text/plain');
        if (!file && !text)
            return;
        goTo('inspect');
        if (file)
            openFile(file);
        else
            showFilter(text, 'what was dropped');
    });
}

async function open(source, name) {
    const size = typeof source === 'string' ? source.length : source.size;

    say('inspect-error', '');
    byId('inspect-result').hidden = true;
    if (size === 0) {
        say('inspect-error', 'Paste a filter first, or choose a file.');
        return;
    }
    byId('inspect-state').textContent = `Opening ${bytes(size)} …`;
    try {
        const opened = await ask('open', source, MAX_GROUPS);
        show(opened);
        byId('inspect-source').textContent = `From ${name}, ${bytes(size)}.`;
        byId('inspect-state').textContent = `Opened. It is shown below.${opened.others === 0 ? '' :
            ` There ${opened.others === 1 ? 'is one more filter' : `are ${count(opened.others)} more filters`} in the text: ` +
            `this is the first one.`}`;
        byId('inspect-result').scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    } catch (error) {
        byId('inspect-state').textContent = '';
        say('inspect-error', [error.message, error.detail, error.hint].filter(Boolean).join('\n'));
    }
}

// ---- the filter ----

function show({ info, map }) {
    byId('inspect-result').hidden = false;
    const [headline, sentence] = verdict(info);
    byId('inspect-headline').textContent = headline;
    byId('inspect-verdict').textContent = sentence;
    byId('inspect-facts').replaceChildren(...facts(info).map(([name, text]) =>
        element('div', '', element('dt', '', name), element('dd', '', text))));
    byId('inspect-map').hidden = map === null;
    if (map !== null) {
        heat.show(map.fills, map.blocks);
        heat.select(0);
        showBlockAt(0);
        showRanges(map.ranges, map.blocks);
    }
    startTests(info);
}

function verdict(info) {
    if (info.representation === 'unsized')
        return ['A partial state', 'A filter of bloom_agg that has no size yet: a list of hashes.'];

    const holds = `It holds ${info.representation === 'sparse' ? '' : 'about '}` +
        `${counted(info.estimatedItems, 'value')}, and is made for ${count(info.expectedItems)}. `;
    if (info.representation === 'sparse')
        return [info.estimatedItems === 0 ? 'Empty' : 'Nearly empty',
            `${holds}It is a list of hashes still, which makes practically no mistakes.`];
    if (info.estimatedFalsePositiveRate > info.targetFalsePositiveRate * RATE_MARGIN)
        return ['Overfull', `${holds}It errs ` +
            `${digits(info.estimatedFalsePositiveRate / info.targetFalsePositiveRate)} times as often as it should.`];
    // an intersection can be of no value, and not a list
    const enough = BloomFilter.size(Math.max(1, info.estimatedItems), info.targetFalsePositiveRate).bytes;
    if (enough * MUCH_LARGER <= info.bytes)
        return ['Much larger than needed', `${holds}For so many values ${bytes(enough)} are enough; it takes ${bytes(info.bytes)}.`];
    return ['In good order', `${holds}It errs as rarely as it should.`];
}

function facts(info) {
    const result = [
        ['Type of the values', info.elementType ?? 'none yet'],
        ['Representation', info.representation],
        ['Seed', String(info.seed)],
        ['Size in a table', `${count(info.bytes)} bytes`],
        ['Values, estimated', count(info.estimatedItems)],
        ['False positive rate now', percent(info.estimatedFalsePositiveRate)],
        ['False positive rate asked for', percent(info.targetFalsePositiveRate)],
    ];
    if (info.representation !== 'unsized')
        result.push(
            ['Made for', counted(info.expectedItems, 'value')],
            ['Blocks of 512 cells', count(info.blocks)],
            ['Cells per value (k)', String(info.hashes)],
            ['Cells set', `${count(info.bitsSet)} of ${count(info.bits)}, ${percent(info.fill)}`]);
    return result;
}

// The cells of one block; of a group of blocks, its first.
async function showBlockAt(index) {
    byId('inspect-block-title').textContent = `Block ${count(index)}`;
    showBlock(byId('inspect-block-rows'), await ask('block', index));
}

function showRanges(ranges, blocks) {
    const most = Math.max(...ranges.map((range) => range.blocks));

    byId('fills-table').tBodies[0].replaceChildren(...ranges.map((range) => {
        const bar = element('div', 'bar');
        bar.style.width = `${range.blocks / most * 100}%`;
        const drawing = element('td', '', range.blocks > 0 ? bar : '');
        drawing.setAttribute('aria-hidden', 'true');
        const name = element('th', '', `${range.from} to ${range.to}`);
        name.scope = 'row';
        return element('tr', '', name,
            element('td', '', `${count(range.blocks)} (${percent(range.blocks / blocks)})`), drawing);
    }));
}

// ---- tests ----

function startTests({ elementType }) {
    const hint = hintFor(elementType);

    byId('test-hint').textContent = hint ??
        `Only the server can hash values of type ${elementType}, so they cannot be tested here.`;
    byId('test-values').disabled = hint === null;
    byId('test-form').querySelector('button').disabled = hint === null;
    hideAnswers();
    say('test-error', '');
}

async function test() {
    const lines = byId('test-values').value.split('\n');

    while (lines.at(-1) === '')
        lines.pop();
    try {
        if (lines.length === 0)
            throw new RangeError('Type a value first.');
        showAnswers(lines, await ask('test', lines));
        say('test-error', '');
    } catch (error) {
        hideAnswers();
        say('test-error', error.message);
    }
}

function hideAnswers() {
    byId('test-state').textContent = '';
    byId('test-scroll').hidden = true;
}

function showAnswers(lines, answers) {
    const maybe = answers.filter((answer) => answer.maybe === true).length;
    const not = answers.filter((answer) => answer.maybe === false).length;
    const refused = answers.length - maybe - not;

    byId('test-state').textContent = `${counted(lines.length, 'value')}: ${count(maybe)} maybe, ${count(not)} no` +
        `${refused > 0 ? `, ${count(refused)} not understood` : ''}` +
        `${lines.length > MAX_ANSWERS ? `; the first ${count(MAX_ANSWERS)} are shown` : ''}.`;
    byId('test-scroll').hidden = false;
    byId('test-table').tBodies[0].replaceChildren(...lines.slice(0, MAX_ANSWERS).map((line, i) =>
        element('tr', '', element('td', '', line), answerCell(answers[i]))));
}

function answerCell({ maybe, error }) {
    if (error !== undefined)
        return element('td', 'refused', error);
    return maybe ? element('td', 'maybe', 'maybe') : element('td', 'not', 'no');
}
