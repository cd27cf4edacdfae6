// size.js: the part Size: from the number of values and the rate to the size
// of the filter, as bloom_size computes it.
import { BloomFilter } from './client.js';
import { byId, element, say } from './dom.js';
import { bytes, count, counted, digits, percent, readCount, readRate, withRateHint } from './numbers.js';
import { copyOnClick } from './copy.js';
import { drawCurve } from './curve.js';

// What a block of 512 cells takes.
const BLOCK_BYTES = 64;

// Rates of the table, besides the one asked for.
const RATES = [0.1, 0.03, 0.01, 0.001, 0.0001, 0.00001, 0.000001];

// The curve goes to so many times the capacity, in so many steps.
const CURVE_TIMES = 3;
const CURVE_STEPS = 120;

// Every so many steps of it one is in the table.
const CURVE_TABLE_STEP = 10;

export function startSize() {
    for (const id of ['size-items', 'size-rate'])
        byId(id).addEventListener('input', update);
    byId('size-form').addEventListener('submit', (event) => event.preventDefault());
    copyOnClick('size-copy', 'size-sql');
    addEventListener('resize', update);
    addEventListener('part', update);
    update();
}

function update() {
    const inputs = read();

    // while a field is being changed, what was shown stays, but dimmed: it says for what it is
    byId('size-result').classList.toggle('old', inputs === null);
    if (inputs === null)
        return;
    const { items, rate } = inputs;
    const chosen = BloomFilter.size(items, rate);

    showFacts(items, rate, chosen);
    showTable(items, rate);
    showCurve(items, rate, chosen);
    showSql(items, rate, chosen);
}

// What the fields say, or null and a message.
function read() {
    let field = 'size-items';
    try {
        const items = Math.ceil(readCount(byId(field).value));
        field = 'size-rate';
        const rate = readRate(byId(field).value);
        field = 'size-items';
        BloomFilter.size(items, rate);
        say('size-error', '');
        mark(null);
        return { items, rate };
    } catch (error) {
        say('size-error', withRateHint([error.message, error.detail, error.hint].filter(Boolean).join('\n'),
            byId('size-rate').value));
        mark(/rate/.test(error.message) && !/too large/.test(error.message) ? 'size-rate' : field);
        return null;
    }
}

function mark(wrong) {
    for (const id of ['size-items', 'size-rate'])
        byId(id).setAttribute('aria-invalid', id === wrong);
}

function bitsPerValue(items, { blocks }) {
    return blocks * BLOCK_BYTES * 8 / items;
}

function showFacts(items, rate, chosen) {
    byId('size-headline').textContent = bytes(chosen.bytes);
    byId('size-for').textContent = `for ${counted(items, 'value')} at ${percent(rate)}`;
    byId('size-bytes').textContent = count(chosen.bytes);
    byId('size-bits').textContent = digits(bitsPerValue(items, chosen));
    byId('size-blocks').textContent = count(chosen.blocks);
    byId('size-k').textContent = chosen.hashes;
    byId('size-text').textContent = `The blocks and a header. ` +
        `While a filter holds at most ${counted(chosen.blocks, 'value')}, it is a list of their hashes, ` +
        `8 bytes each, and smaller.`;
}

function showTable(items, rate) {
    const rates = [...new Set([...RATES, rate])].sort((a, b) => b - a);

    byId('size-table').tBodies[0].replaceChildren(...rates.map((p) => tableRow(items, p, p === rate)));
}

function tableRow(items, rate, here) {
    const name = element('th', '', percent(rate));
    const row = element('tr', here ? 'here' : '', name);

    name.scope = 'row';
    if (here)
        row.setAttribute('aria-current', 'true');
    try {
        const chosen = BloomFilter.size(items, rate);
        row.append(...[bytes(chosen.bytes), digits(bitsPerValue(items, chosen)), count(chosen.blocks), chosen.hashes]
            .map((text) => element('td', '', String(text))));
    } catch {
        const cell = element('td', '', 'too large');
        cell.colSpan = 4;
        row.append(cell);
    }
    return row;
}

function showCurve(items, rate, { blocks, hashes }) {
    const points = [];

    for (let i = 1; i <= CURVE_STEPS; i++) {
        const values = items * CURVE_TIMES * i / CURVE_STEPS;
        points.push({ values, rate: BloomFilter.expectedRate(values, blocks, hashes) });
    }
    drawCurve(points, items, rate);
    byId('curve-text').textContent = `This filter never refuses a value. With ${counted(items, 'value')} it errs as ` +
        `rarely as asked; with twice as many it answers “maybe” to ` +
        `${percent(BloomFilter.expectedRate(2 * items, blocks, hashes))} of the values that it does not hold, with half ` +
        `as many to ${percent(BloomFilter.expectedRate(items / 2, blocks, hashes))}.`;
    byId('curve-table').tBodies[0].replaceChildren(...points
        .filter((_, i) => (i + 1) % CURVE_TABLE_STEP === 0)
        .map((point) => element('tr', '', element('td', '', count(point.values)), element('td', '', percent(point.rate)))));
}

function showSql(items, rate, chosen) {
    byId('size-sql').textContent =
        `SELECT bloom_size(${items}, ${rate});  -- ${chosen.bytes}\n` +
        `SELECT bloom_create(${items}, ${rate});  -- an empty filter\n` +
        `SELECT bloom_agg(my_column, ${items}, ${rate}) FROM my_table;\n`;
}
