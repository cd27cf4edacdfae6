// play.js: Play, clicked through; what it shows is held against the server,
// which builds the same filters.
import { WORDS } from '../src/words.js';
import { PHONE, openPage, textOf } from './browser.js';
import { check, match, same, truth } from './checks.js';
import { blockAndBits } from './format.js';
import { literal, query, value } from './server.js';

export async function testPlay(browser, file) {
    const { page, complaints } = await openPage(browser, file);

    await check('the word list has no word twice', () => same(new Set(WORDS).size, WORDS.length));
    await testFirstFilter(page);
    await testAddAndCheck(page);
    await testManyWords(page);
    await testShrinking(page);
    await testOtherFilters(page);
    await testGuide(page);
    await testFraction(page);
    await testLongValue(page);
    await testFirstScreen(browser, file);
    await check('nothing went wrong in Play', () => same(complaints, []));
    await page.context().close();
}

// The filter that the page shows as SQL, without the query around it.
async function shownFilter(page) {
    const sql = await page.locator('#play-sql').textContent();

    return /^SELECT '(.*)'::bloomfilter @> /.exec(sql)[1].replaceAll("''", "'");
}

async function add(page, text) {
    await page.fill('#value', text);
    await page.click('#add');
}

async function checkValue(page, text) {
    await page.fill('#value', text);
    await page.click('#check');
    return textOf(page, '#answer');
}

async function make(page, items, rate, seed) {
    await page.fill('#make-items', items);
    await page.fill('#make-rate', rate);
    await page.fill('#make-seed', seed);
    await page.click('#make-form button');
}

async function testFirstFilter(page) {
    await check('the first filter is the server’s bloom_create(400)', async () => {
        same(await shownFilter(page), value('SELECT bloom_create(400)'));
        const [[blocks, k]] = query('SELECT i.bits / 512, i.hashes FROM bloom_info(bloom_create(400)) i');
        match(await textOf(page, '#answer'), new RegExp(`${blocks} blocks.*made for 400 values.*${k} cells`));
    });
    await check('an empty filter says no', async () =>
        match(await checkValue(page, 'pear'), /^No, certainly “pear” was never added: (\d+) of its \1 cells are empty\.$/));
    await check('an empty field is no value', async () => {
        const before = await shownFilter(page);
        await page.fill('#value', '');
        for (const button of ['#add', '#check']) {
            await page.click(button);
            same(await textOf(page, '#value-error'), 'Type a value first.');
            same([await textOf(page, '#answer'), await page.locator('#answer').getAttribute('class')], ['', 'answer ']);
        }
        same(await shownFilter(page), before);
        await checkValue(page, 'pear');
        truth(await page.locator('#value-error').isHidden());
    });
    await check('that goes away with any other answer', async () => {
        await page.fill('#value', '');
        await page.click('#check');
        await make(page, '400', '1 %', '0');
        truth(await page.locator('#value-error').isHidden());
        match(await textOf(page, '#answer'), /^Nothing in it/);
    });
}

async function testAddAndCheck(page) {
    await check('an added value gets “maybe”', async () => {
        await add(page, 'apple');
        match(await textOf(page, '#answer'), /^Added “apple” set \d+ empty cells in block \d+\.$/);
        match(await checkValue(page, 'apple'), /^Maybe .* And it was added\.$/);
        same(await page.locator('#answer').getAttribute('class'), 'answer maybe');
    });
    await check('an absent one gets “no”, with its empty cells counted', async () => {
        match(await checkValue(page, 'pear'), /^No, certainly “pear” was never added: \d+ of its \d+ cells are empty\.$/);
        const empty = Number(/: (\d+) of/.exec(await textOf(page, '#answer'))[1]);
        same(await page.locator('#block-rows .cell.chosen:not(.set)').count(), empty);
        match(await textOf(page, '#block-text'), new RegExp(`^“pear” has \\d+ cells here: \\d+ set, ${empty} empty\\.$`));
    });
    await check('the cells that were checked light up', async () => {
        await checkValue(page, 'pear');
        const lit = page.locator('#block-rows .cell.lit');
        same(await lit.count(), await page.locator('#block-rows .cell.chosen').count());
        same(await lit.first().evaluate((cell) => getComputedStyle(cell).animationName), 'light');
    });
    await check('but not where motion is unwanted', async () => {
        await page.emulateMedia({ reducedMotion: 'reduce' });
        same(await page.locator('#block-rows .cell.lit').first().evaluate((cell) => getComputedStyle(cell).animationName), 'none');
        await page.emulateMedia({ reducedMotion: null });
    });
    await check('the block and the cells are those of the server’s hash', async () => {
        await checkValue(page, 'apple');
        await sameCells(page, 'apple', 0);
    });
    await check('all of a member’s cells are set', async () =>
        same(await page.locator('#block-rows .cell.chosen:not(.set)').count(), 0));
    await check('the bits of the hash are the server’s', async () => {
        const hash = BigInt.asUintN(64, BigInt(value("SELECT bloom_hash('apple'::text)")));
        same((await textOf(page, '#hash-bits')).replaceAll(' ', ''), hash.toString(2).padStart(64, '0'));
    });
    await check('a value twice changes nothing', async () => {
        const before = await shownFilter(page);
        await add(page, 'apple');
        match(await textOf(page, '#answer'), /nothing changed/);
        same(await shownFilter(page), before);
    });
    await check('the filter is the server’s, bit for bit', async () =>
        same(await shownFilter(page), value("SELECT bloom_add(bloom_create(400), 'apple'::text)")));
    await check('quotes and other characters are no trouble', async () => {
        await add(page, "O'Neill & <b>Zoë</b>");
        same(await shownFilter(page),
            value(`SELECT bloom_add_all(bloom_create(400), ARRAY['apple', ${literal("O'Neill & <b>Zoë</b>")}])`));
        match(await textOf(page, '#log li >> nth=0'), /add O'Neill & <b>Zoë<\/b>/);
    });
}

// The cells shown as chosen are those that the format names.
async function sameCells(page, text, seed) {
    const [[hash]] = query(`SELECT bloom_hash(${literal(text)}::text, ${seed})`);
    const [[, blocks, k]] = [/blocks=(\d+), k=(\d+)/.exec(await shownFilter(page))];
    const expected = blockAndBits(BigInt.asUintN(64, BigInt(hash)), Number(blocks), Number(k));
    const chosen = await page.locator('#block-rows .cell').evaluateAll((cells) =>
        cells.flatMap((cell, i) => cell.classList.contains('chosen') ? [i] : []));

    same(chosen, expected.bits);
    match(await textOf(page, '#block-title'), new RegExp(`^Block ${expected.block} of `));
    // cut, not rounded: or else it could be the next block's number
    const hundredths = ((BigInt.asUintN(64, BigInt(hash)) >> 32n) * BigInt(blocks) * 100n) >> 32n;
    match(await textOf(page, '#hash-legend'), new RegExp(
        `they are ${hundredths / 100n}\\.${String(hundredths % 100n).padStart(2, '0')}: block ${expected.block}\\.`));
}

async function testManyWords(page) {
    await make(page, '400', '0.01', '0');
    await page.click('button:text-is("Add 100 words")');
    await page.click('button:text-is("Add 100 words")');
    await page.click('button:text-is("Add 10 words")');
    await check('the block tells of the last of the words', async () => {
        const word = /to “(.*)”/.exec(await textOf(page, '#answer'))[1];
        match(await textOf(page, '#block-text'), new RegExp(`^“${word}” has \\d+ cells here: \\d+ set, 0 empty\\.$`));
    });

    const added = WORDS.slice(0, 210);
    const filter = `bloom_add_all(bloom_create(400), ${array(added)})`;

    await check('words from the list: the server’s filter, bit for bit', async () =>
        same(await shownFilter(page), value(`SELECT ${filter}`)));
    await check('fill and rate are those of bloom_info', async () => {
        const [[bitsSet, bits, fill, rate]] = query(`SELECT bits_set, bits, round(fill::numeric * 100, 2),
            estimated_false_positive_rate FROM bloom_info(${filter})`);
        same((await textOf(page, '#fact-set')).replaceAll(',', '').split(' ').slice(0, 3), [bitsSet, 'of', bits]);
        truth(Math.abs(parseFloat((await textOf(page, '#fact-set')).split(', ').at(-1)) - fill) < 0.06);
        close(parsePercent(await textOf(page, '#fact-rate')), Number(rate));
        same(await textOf(page, '#fact-added'), 'holds 210 of the 400 it was made for');
    });
    await check('10,000 absent values get as many “maybes” as on the server', async () => {
        await page.click('#measure');
        const wrong = Number(value(`SELECT count(*) FROM generate_series(1, 10000) i, (SELECT ${filter} AS f) f
            WHERE f @> ('absent ' || i)`));
        match(await textOf(page, '#measure-result'), new RegExp(`^${wrong} of 10,000 `));
        close(parsePercent(await textOf(page, '#fact-measured')), wrong / 10000);
    });
    await check('what was counted goes when the filter changes', async () => {
        await add(page, WORDS[0]);
        same(await page.locator('#measure-result').textContent(), '');
        same(await textOf(page, '#fact-measured'), 'not yet');
    });
    await check('a false positive is called one', async () => {
        const wrong = value(`SELECT 'absent ' || i FROM generate_series(1, 100000) i, (SELECT ${filter} AS f) f
            WHERE f @> ('absent ' || i) LIMIT 1`);
        match(await checkValue(page, wrong), /^Maybe .* a false positive\.$/);
    });
    await check('another block can be looked at', async () => {
        await page.locator('#play-heat .heat').press('Home');
        match(await textOf(page, '#block-title'), /^Block 0/);
        await page.locator('#play-heat .heat').press('ArrowRight');
        match(await textOf(page, '#block-title'), /^Block 1/);
        await page.locator('#play-heat canvas').first().click({ position: { x: 3, y: 3 } });
        match(await textOf(page, '#block-title'), /^Block 0/);
    });
    await check('the log has it all, and can be cleared', async () => {
        truth(await page.locator('#log li').count() > 6);
        await page.click('#log-clear');
        same(await page.locator('#log li').count(), 0);
    });
}

async function testShrinking(page) {
    await check('shrinking gives bloom_shrink’s filters', async () => {
        await make(page, '400', '1 %', '0');
        await page.click('button:text-is("Add 100 words")');
        await page.click('button:text-is("Add 100 words")');
        let filter = `bloom_add_all(bloom_create(400), ${array(WORDS.slice(0, 200))})`;
        for (let blocks = Number(value(`SELECT bits / 512 FROM bloom_info(${filter})`)); blocks > 1;) {
            const label = await page.locator('#shrink').textContent();
            const smaller = Number(/Shrink to (\d+) block/.exec(label)[1]);
            await page.click('#shrink');
            filter = `bloom_shrink(${filter}, ${blocks / smaller})`;
            same(await shownFilter(page), value(`SELECT ${filter}`));
            blocks = smaller;
        }
        truth(await page.locator('#shrink').isDisabled());
    });
    await check('one block is not compared with others', async () =>
        match(await textOf(page, '#rate-text'), /But its rows are not equally full: row by row it is /));
    await check('in the end it says “maybe” to everything', async () => {
        for (let i = 0; i < 4; i++)
            await page.click('button:text-is("Add 100 words")');
        await page.click('#measure');
        truth(parsePercent(await textOf(page, '#fact-measured')) > 0.9);
        match(await checkValue(page, 'certainly not there'), /^(Maybe|No, certainly) /);
    });
    await check('at its end the list says so', async () => {
        await page.click('button:text-is("Add 100 words")');
        match(await textOf(page, '#answer'), /^The list is at its end/);
    });
}

// The guided example, of whose answers one is of each kind.
async function testGuide(page) {
    await check('the guided example: a right “maybe”, a “no”, a false positive', async () => {
        await page.click('#guide');
        same(await shownFilter(page), value("SELECT bloom_add_all(bloom_create(3, 0.3, 210), ARRAY['apple', 'pear', 'cherry'])"));
        same(await page.locator('#block-rows .cell.lit').count(), await page.locator('#block-rows .cell.set').count());
        for (const [button, answer] of [[/“pear”, which was added/, /^Maybe .*“pear”.* And it was added\.$/],
            [/“banana”, which was not/, /^No, certainly “banana” was never added/],
            [/“fox”, which was not/, /^Maybe .*“fox”.* a false positive\.$/]]) {
            match(await textOf(page, '#guide'), button);
            await page.click('#guide');
            match(await textOf(page, '#answer'), answer);
        }
        await page.click('#guide');
        same(await shownFilter(page), value('SELECT bloom_create(400)'));
        same(await page.evaluate(() => document.activeElement.id), 'value');
        match(await textOf(page, '#guide'), /^Show me/);
    });
}

// A product whose fraction is a hair below a whole number.
async function testFraction(page) {
    await check('the block’s number is cut, not rounded', async () => {
        await make(page, '400', '1 %', '0');
        const [[found]] = query(`SELECT i FROM generate_series(1, 20000) i, (SELECT bits / 512 AS blocks FROM bloom_info(bloom_create(400))) b
            WHERE ((bloom_hash(i::text) >> 32 & 4294967295) * blocks & 4294967295) / 4294967296.0 > 0.996
                AND (bloom_hash(i::text) >> 32 & 4294967295) * blocks >> 32 < blocks - 1 LIMIT 1`);
        await add(page, found);
        await sameCells(page, found, 0);
        match(await textOf(page, '#hash-legend'), /they are \d\.99: /);
    });
}

// Longer than any screen, and without a place to break.
async function testLongValue(page) {
    await check('a long value is shortened, and fits a phone', async () => {
        const long = 'Donaudampfschifffahrt'.repeat(60);
        const before = page.viewportSize();
        await make(page, '400', '1 %', '0');
        await page.setViewportSize(PHONE);
        await add(page, long);
        match(await checkValue(page, long), /^Maybe All cells of “Donaudampf\w+…” are set\./);
        same(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true);
        same(await shownFilter(page), value(`SELECT bloom_add(bloom_create(400), ${literal(long)})`));
        await page.setViewportSize(before);
    });
}

// Values, answer and block are seen at once, at the first look.
async function testFirstScreen(browser, file) {
    for (const [name, viewport] of [['a desktop', { width: 1280, height: 800 }], ['a phone', { width: 390, height: 844 }]])
        await check(`the block is beside its values, without scrolling, on ${name}`, async () => {
            const { page } = await openPage(browser, file, { viewport });
            await page.fill('#value', 'apple');
            await page.click('#check');
            for (const id of ['guide', 'value', 'answer', 'block-rows']) {
                const { y, height } = await page.locator(`#${id}`).boundingBox();
                truth(y >= 0 && y + height <= viewport.height, `${id} ends at ${y + height}`);
            }
            same(await page.evaluate(() => scrollY), 0);
            await page.context().close();
        });
}

async function testOtherFilters(page) {
    await check('another seed chooses other cells, as on the server', async () => {
        await make(page, '400', '1 %', '-7');
        await add(page, 'apple');
        same(await shownFilter(page), value("SELECT bloom_add(bloom_create(400, 0.01, -7), 'apple'::text)"));
        await sameCells(page, 'apple', -7);
    });
    await check('with two rounds, too', async () => {
        await make(page, '100', '0.0001 %', '1');
        await add(page, 'apple');
        same(await shownFilter(page), value("SELECT bloom_add(bloom_create(100, 0.000001, 1), 'apple'::text)"));
        await sameCells(page, 'apple', 1);
    });
    for (const [items, rate, seed, words] of [['0', '1 %', '0', /at least 1/], ['400', '2', '0', /less than 1.*Did you mean 2 %\?/],
        ['2.000', '0,01', '0', /Did you mean 0\.01\?/], ['2.000.000', '1 %', '0', /Did you mean 2,000,000\?/],
        ['400', '1 %', 'x', /whole number/], ['many', '1 %', '0', /number of values/],
        ['1000000', '1 %', '0', /at most 1,024/], ['1e18', '1 %', '0', /too large/]])
        await check(`a filter for ${items} values at ${rate}, seed ${seed}, is refused with the reason`, async () => {
            const before = await shownFilter(page);
            await make(page, items, rate, seed);
            match(await textOf(page, '#make-error'), words);
            same(await shownFilter(page), before);
        });
}

function array(words) {
    return `ARRAY[${words.map(literal).join(', ')}]`;
}

function parsePercent(text) {
    return parseFloat(text) / 100;
}

// As shown with three digits.
function close(shown, exact) {
    truth(Math.abs(shown - exact) <= 0.006 * exact, `${shown} is not ${exact}`);
}
