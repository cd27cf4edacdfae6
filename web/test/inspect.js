// inspect.js: Inspect, with filters from the server in every form in which
// they come, and values tested against the server's own answers.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage, textOf } from './browser.js';
import { check, match, same, truth } from './checks.js';
import { literal, message, query, shown, value, writeOut } from './server.js';

// A type's name, a filter of it, and values to test, as the server reads them.
const FAMILIES = [
    ['integer', 'bigint', 'SELECT bloom_agg(i) FROM generate_series(1, 3000) i',
        ['1', '3000', '3001', '-5', '9223372036854775807', '-9223372036854775808']],
    ['text', 'text', "SELECT bloom_agg('v' || i) FROM generate_series(1, 3000) i", ['v1', 'v3000', 'v3001', ' v1', '', 'Zoë']],
    ['bpchar', 'char(9)', "SELECT bloom_agg(('v' || i)::char(9)) FROM generate_series(1, 3000) i", ['v1', 'v1  ', 'w1']],
    ['float', 'float8', 'SELECT bloom_agg(i / 8.0::float8) FROM generate_series(0, 3000) i',
        ['0', '-0', '0.125', '1e2', '0.1', 'NaN', 'Infinity']],
    ['boolean', 'boolean', 'SELECT bloom_agg(true)', ['true', 'false']],
    ['date', 'date', "SELECT bloom_agg(date '2020-01-01' + i) FROM generate_series(0, 999) i",
        ['2020-01-01', '2022-09-26', '2022-09-27', '1999-12-31']],
    ['time', 'time', "SELECT bloom_agg(time '00:00' + i * interval '1 second') FROM generate_series(0, 999) i",
        ['00:00:00', '00:16:39', '00:16:40', '12:34:56.789']],
    ['timestamp', 'timestamp', "SELECT bloom_agg(timestamp '2020-01-01' + i * interval '1 minute') FROM generate_series(0, 999) i",
        ['2020-01-01 00:00:00', '2020-01-01 16:39:00', '2020-01-01 16:40:00']],
    ['timestamptz', 'timestamptz', "SELECT bloom_agg(timestamptz '2020-01-01 00:00+00' + i * interval '1 minute') FROM generate_series(0, 999) i",
        ['2020-01-01 00:00:00+00', '2020-01-01 02:00:00+02', '2020-01-01 00:00:30+00']],
    ['uuid', 'uuid', "SELECT bloom_agg(md5(i::text)::uuid) FROM generate_series(1, 1000) i",
        ['c4ca4238-a0b9-2382-0dcc-509a6f75849b', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
    ['bytea', 'bytea', "SELECT bloom_agg(decode(md5(i::text), 'hex')) FROM generate_series(1, 1000) i",
        ['\\xc4ca4238a0b923820dcc509a6f75849b', '\\xdeadbeef', '\\x']],
];

const INTEGERS = 'SELECT bloom_agg(i, 5000) FROM generate_series(1, 4000) i';

// A filter made for so many values takes 100 MB at 1 %, in text 133.
const LARGE = 80e6;

// The page must go on drawing, with no pause longer than this, in milliseconds:
// some times what a loaded machine needs.
const LONGEST_PAUSE = 1000;

export async function testInspect(browser, file, scratch) {
    const { page, complaints } = await openPage(browser, file);

    await page.click('nav a[href="#inspect"]');
    await testForms(page, scratch);
    await testNoValue(page);
    await testFamilies(page);
    await testRefused(page);
    await testOddFilters(page);
    await testLarge(page, scratch);
    await testExample(page);
    await check('nothing went wrong in Inspect', () => same(complaints, []));
    await page.context().close();
}

async function settled(page) {
    await page.waitForFunction(() => !document.getElementById('inspect-error').hidden ||
        document.getElementById('inspect-state').textContent.startsWith('Opened'));
}

async function open(page, text) {
    await page.fill('#inspect-text', text);
    await page.click('#inspect-form button:text-is("Open")');
    await settled(page);
}

async function openFile(page, path) {
    await page.setInputFiles('#inspect-file', path);
    await settled(page);
}

// What is shown, by its name.
async function facts(page) {
    return Object.fromEntries(await page.locator('#inspect-facts div').evaluateAll((divs) => divs.map((div) =>
        [div.querySelector('dt').textContent, div.querySelector('dd').textContent])));
}

// The answers, in the order of the values.
async function answers(page, lines) {
    // as if typed: many lines at once take Chromium's own typing half a minute
    await page.evaluate((text) => {
        document.querySelector('#test-table tbody').replaceChildren();
        document.getElementById('test-values').value = text;
    }, lines.join('\n'));
    await page.click('#test-form button');
    await page.waitForFunction((n) => document.querySelectorAll('#test-table tbody tr').length === n, lines.length);
    return page.locator('#test-table tbody td:last-child').allTextContents();
}

async function testNoValue(page) {
    await check('no value: the answers about others go', async () => {
        await open(page, value(INTEGERS));
        await answers(page, ['1', '2']);
        await page.fill('#test-values', '\n');
        await page.click('#test-form button');
        await page.locator('#test-error:text-is("Type a value first.")').waitFor();
        same(await textOf(page, '#test-state'), '');
        truth(await page.locator('#test-scroll').isHidden());
        same(await answers(page, ['1']), ['maybe']);
        truth(await page.locator('#test-error').isHidden() && await page.locator('#test-scroll').isVisible());
    });
}

async function testForms(page, scratch) {
    const text = value(INTEGERS);
    const hex = value(`SELECT (${INTEGERS})::bytea`);
    const bytes = Buffer.from(hex.slice(2), 'hex');
    const [[items, bits, bitsSet, size]] = query(`SELECT estimated_items, bits, bits_set, bytes FROM bloom_info((${INTEGERS}))`);
    const expected = { 'Type of the values': 'integer', 'Representation': 'dense', 'Seed': '0',
        'Made for': '5,000 values', 'Values, estimated': Number(items).toLocaleString('en'),
        'Size in a table': `${Number(size).toLocaleString('en')} bytes`,
        'Blocks of 512 cells': String(bits / 512) };
    const path = join(scratch, 'filter');

    async function sameFacts() {
        const all = await facts(page);
        for (const [name, text] of Object.entries(expected))
            same(all[name], text, name);
        same(all['Cells set'].replaceAll(',', '').split(' of ')[0], bitsSet);
        same(await answers(page, ['1', '4000', '-1']), ['maybe', 'maybe', value(`SELECT CASE WHEN (${INTEGERS}) @> -1 THEN 'maybe' ELSE 'no' END`)]);
    }
    for (const [name, pasted] of [['text', text], ['bytea in hex', hex], ['base64', bytes.toString('base64')],
        ['what psql shows', shown(`SELECT (${INTEGERS}) AS f`)],
        ['what psql shows of a bytea', shown(`SELECT (${INTEGERS})::bytea`)],
        ['SQL with a literal', `SELECT ${literal(text)}::bloomfilter;`]])
        await check(`pasted: ${name}`, async () => {
            await open(page, pasted);
            await sameFacts();
        });
    for (const [name, content] of [['text', `${text}\n`], ['bytea in hex', `${hex}\n`], ['bytes', bytes]])
        await check(`a file: ${name}`, async () => {
            writeFileSync(path, content);
            await openFile(page, path);
            await sameFacts();
        });
    await check('a file dropped on the page', async () => {
        await open(page, 'nothing');
        const transfer = await page.evaluateHandle((base64) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], 'f'));
            return transfer;
        }, bytes.toString('base64'));
        await page.evaluate(() => { document.getElementById('inspect-state').textContent = ''; });
        await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
        await page.waitForFunction(() => document.getElementById('inspect-state').textContent.startsWith('Opened'));
        await sameFacts();
    });
    await check('a file does not leave another filter in the field', async () => {
        await page.fill('#inspect-text', value('SELECT bloom_create(77)'));
        await openFile(page, path);
        same(await page.inputValue('#inspect-text'), '');
        match(await textOf(page, '#inspect-source'), /^From the file filter, \d+ (bytes|kB)\.$/);
    });
    await check('what is pasted with the keyboard is opened, and scrolled to', async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.evaluate((text) => navigator.clipboard.writeText(text), text);
        await page.fill('#inspect-text', '');
        await page.evaluate(() => { document.getElementById('inspect-state').textContent = ''; });
        await page.focus('#inspect-text');
        await page.keyboard.press('Control+V');
        await page.waitForFunction(() => document.getElementById('inspect-state').textContent.startsWith('Opened'));
        match(await textOf(page, '#inspect-source'), /^From what was pasted, \d+ (bytes|kB)\.$/);
        await page.waitForFunction(() => Math.abs(document.getElementById('inspect-result').getBoundingClientRect().top) < 2);
        same(await page.inputValue('#inspect-text'), text);
    });
    await check('a long text pasted with the keyboard is not laid out', async () => {
        const long = value('SELECT bloom_agg(i) FROM generate_series(1, 100000) i');
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.evaluate((text) => navigator.clipboard.writeText(text), long);
        await page.fill('#inspect-text', '');
        await page.evaluate(() => { document.getElementById('inspect-state').textContent = ''; });
        await page.focus('#inspect-text');
        await page.keyboard.press('Control+V');
        await page.waitForFunction(() => document.getElementById('inspect-state').textContent.startsWith('Opened'));
        match(await page.inputValue('#inspect-text'), /^\(\d+ kB were pasted\)$/);
        same((await facts(page))['Made for'], '100,000 values');
    });
}

async function testFamilies(page) {
    for (const [name, type, filter, values] of FAMILIES)
        await check(`values of type ${name} are answered as by the server`, async () => {
            await open(page, value(filter));
            same((await facts(page))['Type of the values'], name);
            const expected = query(`SELECT CASE WHEN f @> v::${type} THEN 'maybe' ELSE 'no' END FROM (${filter}) f (f),
                unnest(ARRAY[${values.map(literal).join(', ')}]) WITH ORDINALITY v (v, at) ORDER BY at`).flat();
            same(await answers(page, values), expected);
            truth(expected.includes('maybe'));
        });
    await check('a thousand integers are answered as by the server', async () => {
        await open(page, value(INTEGERS));
        const lines = Array.from({ length: 1000 }, (_, i) => String(3500 + i));
        same(await answers(page, lines), query(`SELECT CASE WHEN f @> i THEN 'maybe' ELSE 'no' END
            FROM (${INTEGERS}) f (f), generate_series(3500, 4499) i ORDER BY i`).flat());
    });
    await check('lines may end as in files from Windows', async () => {
        await open(page, value("SELECT bloom_agg(v) FROM unnest(ARRAY['a', 'b c']) v"));
        same(await answers(page, ['a\r', 'b c\r', 'd\r']), ['maybe', 'maybe', 'no']);
        await open(page, value(INTEGERS));
    });
    await check('what is no value of the type is said to be none', async () => {
        const given = await answers(page, ['42', 'many', '9223372036854775808']);
        same(given[0], 'maybe');
        truth(given.slice(1).every((text) => !/^(maybe|no)$/.test(text)), given.join());
        match(await textOf(page, '#test-state'), /2 not understood/);
    });
}

async function testRefused(page) {
    for (const [name, text] of [['nothing of the kind', 'select 1'], ['cut off', value(INTEGERS).slice(0, 300) + ')'],
        ['a changed letter', value(INTEGERS).replace('seed=0', 'seed=1')],
        ['a version to come', value('SELECT bloom_create(10)').replace('(1,', '(2,')]])
        await check(`refused with the reason: ${name}`, async () => {
            await open(page, text);
            match(await textOf(page, '#inspect-error'), /\w+/);
            truth(await page.locator('#inspect-result').isHidden());
        });
    await check('what is no filter is said to be none', async () => {
        await open(page, 'select 1');
        match(await textOf(page, '#inspect-error'), /^There is no filter in it\. Paste what SELECT f /);
    });
    for (const [name, text, cut] of [['a text', value(INTEGERS).slice(0, 300), true], ['a text before its checksum', value(INTEGERS).slice(0, 50), true],
        ['hex', value(`SELECT (${INTEGERS})::bytea`).slice(0, 500), true],
        ['base64', Buffer.from(value(`SELECT (${INTEGERS})::bytea`).slice(2), 'hex').toString('base64').slice(0, 301), true], ['a text of another kind', 'select 1', false],
        ['a changed letter', value(INTEGERS).replace('seed=0', 'seed=1'), false]])
        await check(`cut off or not: ${name}`, async () => {
            await open(page, text);
            same(/It looks cut off/.test(await textOf(page, '#inspect-error')), cut);
        });
    await check('a wrong checksum is called as by the server', async () => {
        const wrong = value(INTEGERS).replace('seed=0', 'seed=1');
        await open(page, wrong);
        truth((await textOf(page, '#inspect-error')).startsWith(message(`SELECT ${literal(wrong)}::bloomfilter`)
            .slice(0, 40)), await textOf(page, '#inspect-error'));
    });
}

async function testOddFilters(page) {
    await check('a list of hashes is shown as one', async () => {
        await open(page, value('SELECT bloom_add_all(bloom_create(1000), ARRAY[1, 2, 3])'));
        same((await facts(page))['Values, estimated'], '3');
        match(await textOf(page, '#inspect-verdict'), /holds 3 values, and is made for 1,000.*list of hashes/);
        same(await answers(page, ['3', '4']), ['maybe', 'no']);
    });
    await check('an empty filter says no', async () => {
        await open(page, value('SELECT bloom_create(1000)'));
        same((await facts(page))['Type of the values'], 'none yet');
        same(await answers(page, ['x']), ['no']);
    });
    for (const [name, filter] of [['Overfull', 'SELECT bloom_agg(i, 1000) FROM generate_series(1, 5000) i'],
        ['Much larger than needed', 'SELECT bloom_agg(i, 100000) FROM generate_series(1, 10000) i'],
        ['In good order', 'SELECT bloom_agg(i, 10000) FROM generate_series(1, 9000) i'],
        // of no value, but no list
        ['Much larger than needed', `SELECT bloom_intersection(a, b) FROM (SELECT bloom_agg(i, 4000, 0.5) FROM generate_series(1, 20) i) a (a),
            (SELECT bloom_agg(i, 4000, 0.5) FROM generate_series(21, 40) i) b (b)`],
        ['Empty', 'SELECT bloom_create(1000)'], ['Nearly empty', 'SELECT bloom_agg(1, 1000)']])
        await check(`${name}, if it is`, async () => {
            await open(page, value(filter));
            same(await textOf(page, '#inspect-headline'), name);
        });
    await check('two rows: the first is shown, and the other one is told of', async () => {
        const rows = shown(`SELECT bloom_agg(i, 1000) FROM generate_series(1, 900) i UNION ALL SELECT bloom_create(77)`);
        await open(page, rows);
        match(await textOf(page, '#inspect-state'), /^Opened\..* There is one more filter in the text: this is the first one\.$/);
        same((await facts(page))['Made for'], /n=77,[^]*n=1000,/.test(rows) ? '77 values' : '1,000 values');
        await open(page, value(INTEGERS));
        same(await textOf(page, '#inspect-state'), 'Opened. It is shown below.');
    });
    await check('a filter of its type’s own hash is shown, and tests are refused with the reason', async () => {
        await open(page, value('SELECT bloom_agg(i::numeric) FROM generate_series(1, 1000) i'));
        same((await facts(page))['Type of the values'], 'pg_catalog.numeric');
        match(await textOf(page, '#test-hint'), /Only the server can hash/);
        truth(await page.locator('#test-form button').isDisabled());
    });
    for (const [name, cast] of [['text', ''], ['bytea', '::bytea']])
        await check(`a filter that counts is shown as its cast: ${name}`, async () => {
            await open(page, value(`SELECT bloom_add_all(counting_bloom_create(1000), ARRAY[1, 2, 3])${cast}`));
            same((await facts(page))['Values, estimated'], '3');
            same(await answers(page, ['3', '4']), ['maybe', 'no']);
        });
    await check('how many blocks are how full: all of them', async () => {
        await open(page, value(INTEGERS));
        const blocks = Number((await facts(page))['Blocks of 512 cells']);
        const counts = await page.locator('#fills-table tbody td:nth-child(2)').allTextContents();
        same(counts.map((text) => parseInt(text.replaceAll(',', ''))).reduce((a, b) => a + b), blocks);
    });
    await check('the colours span the fills that there are', async () => {
        const counts = (await page.locator('#fills-table tbody th').allTextContents()).map((text) => text.split(' to ').map(Number));
        const [least, most] = (await page.locator('#inspect-heat .heat-scale span').allTextContents()).map((text) => parseFloat(text) * 5.12);
        truth(least >= counts[0][0] - 1 && least <= counts[0][1] + 1, `${least} of ${counts[0]}`);
        truth(most >= counts.at(-1)[0] - 1 && most <= counts.at(-1)[1] + 1, `${most} of ${counts.at(-1)}`);
        // the emptiest block is as the scale starts, the fullest as it ends
        const [drawn, ends] = await page.locator('#inspect-heat').evaluate((heat) => {
            const pixels = (canvas) => {
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4).join());
            };
            const [map, scale] = [...heat.querySelectorAll('canvas')].map(pixels);
            return [map, [scale[0], scale.at(-1)]];
        });
        truth(ends.every((colour) => drawn.includes(colour)), ends.join(' and '));
    });
    await check('the map is walked with the keys', async () => {
        await page.locator('#inspect-heat .heat').press('End');
        match(await textOf(page, '#inspect-heat .heat-text'), /^Block \d+ of \d+ blocks: [\d.]+ % of the cells are set\.$/);
    });
}

async function testLarge(page, scratch) {
    const path = join(scratch, 'large');

    // more values than a list of hashes holds
    writeOut(`SELECT bloom_agg(i, ${LARGE}) FROM generate_series(1, 2000000) i`, path);
    await check(`a file of ${(statSync(path).size / 1e6).toFixed(0)} MB does not freeze the page`, async () => {
        await page.evaluate(() => {
            document.getElementById('inspect-state').textContent = '';
            window.longest = 0;
            let last = performance.now();
            (function tick() {
                const now = performance.now();
                window.longest = Math.max(window.longest, now - last);
                last = now;
                window.frame = requestAnimationFrame(tick);
            })();
        });
        const started = Date.now();
        await openFile(page, path);
        const took = Date.now() - started;
        const longest = await page.evaluate(() => { cancelAnimationFrame(window.frame); return window.longest; });
        console.log(`# opened in ${took} ms, longest pause ${Math.round(longest)} ms`);
        same((await facts(page))['Made for'], '80,000,000 values');
        truth(longest < LONGEST_PAUSE, `${longest} ms`);
    });
    await check('and is drawn by groups of blocks', async () => {
        await page.locator('#inspect-heat .heat').press('Home');
        match(await textOf(page, '#inspect-heat .heat-text'), /^Blocks 0 to \d+ of [\d,]+ blocks: /);
        same(await answers(page, ['1', '2000000']), ['maybe', 'maybe']);
    });
}

async function testExample(page) {
    await check('the example', async () => {
        await page.click('#inspect-example');
        await page.waitForFunction(() => /20,/.test(document.getElementById('inspect-verdict').textContent));
        match(await textOf(page, '#inspect-verdict'), /made for 25,000/);
    });
    await check('a filter of Play', async () => {
        await page.click('nav a[href="#play"]');
        await page.click('summary:text-is("This filter in PostgreSQL")');
        await page.click('#play-inspect');
        await page.waitForFunction(() => /made for 400/.test(document.getElementById('inspect-verdict').textContent));
    });
}
