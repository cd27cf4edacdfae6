// size.js: Size, held against bloom_size and bloom_info of the server.
import { openPage, textOf } from './browser.js';
import { check, match, same, truth } from './checks.js';
import { message, query } from './server.js';

const ITEMS = ['1', '2', '7', '50', '399', '400', '1000', '12345', '1e5', '999999', '1000000', '2.5e7', '123456789', '4e8'];
const RATES = ['0.9', '0.5', '0.1', '0.03', '0.01', '0.007', '0.001', '0.0001', '0.00001', '0.000001'];

export async function testSize(browser, file) {
    const { page, complaints } = await openPage(browser, file);

    await page.click('nav a[href="#size"]');
    await testTable(page);
    await testSpellings(page);
    await testErrors(page);
    await testViews(page);
    await check('nothing went wrong in Size', () => same(complaints, []));
    await page.context().close();
}

async function enter(page, items, rate) {
    await page.fill('#size-items', items);
    await page.fill('#size-rate', rate);
}

// Bytes, blocks and k as shown.
async function facts(page) {
    return page.evaluate(() => ['size-bytes', 'size-blocks', 'size-k'].map((id) =>
        document.getElementById(id).textContent.replace(/\D/g, '')));
}

// Those of many, and the headlines, without coming and going for each.
async function factsOfAll(page, entries) {
    return page.evaluate((entries) => entries.map(([items, rate]) => {
        for (const [id, value] of [['size-items', items], ['size-rate', rate]]) {
            document.getElementById(id).value = value;
            document.getElementById(id).dispatchEvent(new Event('input', { bubbles: true }));
        }
        return [items, rate, ...['size-bytes', 'size-blocks', 'size-k'].map((id) => document.getElementById(id).textContent.replace(/\D/g, '')),
            document.getElementById('size-headline').innerText.replace(/\s+/g, ' ').trim()];
    }), entries);
}

async function testTable(page) {
    // where the filter would be too large the server raises an error
    const fitting = ITEMS.flatMap((n) => RATES.map((p) => [n, p])).filter(([n, p]) => n * -Math.log2(p) < 2.4e9);
    const sizes = query(`SELECT n, p, bloom_size(n, p), i.bits / 512, i.hashes, pg_size_pretty(bloom_size(n, p))
        FROM (VALUES ${fitting.map(([n, p], i) => `(${i}, ${n}::float8, ${p}::float8)`).join(', ')}) v (at, n, p),
            bloom_info(bloom_create(n, p)) i ORDER BY at`);

    await check(`bytes, blocks and k of ${fitting.length} filters are the server’s`, async () =>
        same(await factsOfAll(page, fitting), fitting.map((entry, i) => [...entry, ...sizes[i].slice(2)])));
}

async function testSpellings(page) {
    for (const [items, rate, plain] of [['1,000,000', '1 %', 'SELECT 1000000, 0.01'], ['1_000_000', '1%', 'SELECT 1000000, 0.01'],
        ['1e6', '1e-2', 'SELECT 1000000, 0.01'], [' 2.5e3 ', '0.1 %', 'SELECT 2500, 0.001'],
        ['1M', '1 %', 'SELECT 1000000, 0.01'], ['2.5 k', '1 %', 'SELECT 2500, 0.01'], ['0.1B', '1 %', 'SELECT 100000000, 0.01'],
        ['1000.2', '.05', 'SELECT 1000.2, 0.05'], ['300', '0.7 %', 'SELECT 300, 0.007']])
        await check(`"${items}" at "${rate}" is read as meant`, async () => {
            await enter(page, items, rate);
            same(await facts(page), query(`SELECT bloom_size(n, p), i.bits / 512, i.hashes
                FROM (${plain}) v (n, p), bloom_info(bloom_create(n, p)) i`)[0]);
        });
}

async function testErrors(page) {
    for (const [items, rate] of [['0', '0.01'], ['1e12', '0.01'], ['1000', '0'], ['1000', '1'], ['1000', '1e-7'],
        ['-5', '0.01'], ['500000000', '0.001']])
        await check(`${items} values at ${rate}: the server’s error`, async () => {
            await enter(page, items, rate);
            const error = await textOf(page, '#size-error');
            same(error.startsWith(message(`SELECT bloom_create(${items}, ${rate})`)), true, error);
            truth(!/too large/.test(error) || /A filter takes at most .* Give fewer items/.test(error), error);
            await staysDimmed(page);
            same(await page.locator('#size-form [aria-invalid=true]').count(), 1);
        });
    for (const [items, rate] of [['', '0.01'], ['many', '0.01'], ['M', '0.01'], ['1e3M', '0.01'], ['1000', ''], ['1000', 'small'], ['1,0,0', '1 %'],
        ['1,5 %', '1 %'], ['1000', '2.000.000']])
        await check(`"${items}" at "${rate}" is not understood`, async () => {
            await enter(page, items, rate);
            match(await textOf(page, '#size-error'), /^Give [^?]*$/);
            await staysDimmed(page);
        });
    for (const [items, rate, meant] of [['2.000.000', '1 %', '2,000,000'], ["1'000'000", '1 %', '1,000,000'],
        ['2,5 M', '1 %', '2.5 M'], ['1000', '0,01', '0.01'], ['1000', '0,5 %', '0.5 %'], ['1000', ',01', '.01']])
        await check(`"${items}" at "${rate}" was probably meant to be ${meant}`, async () => {
            await enter(page, items, rate);
            const error = await textOf(page, '#size-error');
            same(error.slice(error.indexOf('Did')), `Did you mean ${meant}?`);
            await enter(page, items === '1000' ? items : meant, items === '1000' ? meant : rate);
            truth(await page.locator('#size-error').isHidden());
        });
    await check('the border of a wrong entry moves nothing', async () => {
        const places = () => page.locator('#size-form p.quiet, #size-form input').evaluateAll((elements) =>
            elements.map((element) => JSON.stringify(element.getBoundingClientRect())));
        await enter(page, '1000', '1 %');
        const before = await places();
        for (const [items, rate] of [['many', '1 %'], ['1000', 'small']]) {
            await enter(page, items, rate);
            same(await page.locator('#size-form [aria-invalid=true]').count(), 1);
            same(await places(), before);
        }
    });
    await check('a rate of 1 was probably meant in percent', async () => {
        await enter(page, '1000', '1');
        match(await textOf(page, '#size-error'), /Did you mean 1 %\?$/);
    });
    await check('and the error goes away', async () => {
        await enter(page, '1000', '1 %');
        truth(await page.locator('#size-error').isHidden());
        same(await page.locator('#size-form [aria-invalid=true]').count(), 0);
        same(await inkOfFigures(page), await page.evaluate(() => getComputedStyle(document.body).color));
    });
}

async function inkOfFigures(page) {
    return page.locator('#size-headline').evaluate((element) => getComputedStyle(element).color);
}

// What was shown for another entry is there still, in the grey of what matters less.
async function staysDimmed(page) {
    truth(await page.locator('#size-result').isVisible(), 'what was shown stays');
    same(await inkOfFigures(page), await page.locator('#size-rate-hint').evaluate((element) => getComputedStyle(element).color));
}

async function testViews(page) {
    await enter(page, '1000000', '0.2 %');
    await check('the table has the rate asked for among others, with the server’s sizes', async () => {
        same(await page.locator('#size-table tr.here th').innerText(), '0.2\u00a0%');
        const rows = await page.locator('#size-table tbody tr').evaluateAll((trs) => trs.map((tr) =>
            [...tr.children].map((cell) => cell.textContent)));
        same(rows.length, 8);
        for (const [rate, , , blocks, k] of rows)
            same([blocks.replaceAll(',', ''), k], query(`SELECT bits / 512, hashes
                FROM bloom_info(bloom_create(1000000, ${parseFloat(rate)}e-2::float8))`)[0]);
    });
    await check('the curve goes through the rate asked for', async () => {
        same(await page.locator('#curve svg .plot').count(), 1);
        const at = await page.locator('#curve-table tbody tr').evaluateAll((trs) => trs.map((tr) =>
            [...tr.children].map((cell) => cell.textContent)));
        same(at.length, 12);
        const here = at.find(([values]) => values === '1,000,000');
        truth(Math.abs(parseFloat(here[1]) - 0.2) < 0.002, here[1]);
    });
    await check('the curve runs on at its lowest line, down to no value', async () => {
        const path = await page.locator('#curve svg .plot').getAttribute('d');
        const floor = (await page.locator('#curve svg .axis').getAttribute('d')).match(/M(\S+) (\S+)H/);
        const [[, x, y], [, , second]] = path.matchAll(/[ML](\S+) ([\d.]+)/g);
        same([Number(x), Number(y), Number(second)], [Number(floor[1]), Number(floor[2]), Number(floor[2])]);
        match(await textOf(page, '#curve'), /≤ /);
    });
    await check('labels of the curve are not cut off', async () => {
        const before = page.viewportSize();
        for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 844 });
            await enter(page, '50000000', '1 %');
            const outside = await page.locator('#curve svg').evaluate((svg) => [...svg.querySelectorAll('text')].filter((text) =>
                text.getBoundingClientRect().right > svg.getBoundingClientRect().right).map((text) => text.textContent));
            same(outside, []);
        }
        await page.setViewportSize(before);
        await enter(page, '1000000', '0.2 %');
    });
    await check('the whole table is seen on a phone', async () => {
        const before = page.viewportSize();
        await page.setViewportSize({ width: 390, height: 844 });
        // measured in one step: the page draws the table anew when it is resized
        const [end, scroll] = await page.locator('#size-table').evaluate((table) => [
            table.querySelector('tr.here td:last-child').getBoundingClientRect().right,
            table.parentElement.scrollWidth - table.parentElement.clientWidth]);
        truth(end <= 390 && scroll <= 0, `${end}, ${scroll}`);
        await page.setViewportSize(before);
    });
    await check('the SQL runs, and says the size', async () => {
        const sql = await page.locator('#size-sql').textContent();
        const [size, create] = sql.split('\n');
        same(query(size)[0][0], /-- (\d+)$/.exec(size)[1]);
        match(query(create)[0][0], /^bloomfilter\(1, none, n=1000000, p=0.002, /);
        query(`CREATE TEMP TABLE my_table AS SELECT 1 AS my_column; ${sql}`);
    });
    await check('it is copied', async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.click('#size-copy');
        await page.locator('#size-copy:text-is("Copied")').waitFor();
        same(await page.evaluate(() => navigator.clipboard.readText()), await page.locator('#size-sql').textContent());
    });
}
