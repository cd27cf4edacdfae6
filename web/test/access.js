// access.js: the page for everybody: by keyboard, with a screen reader (as far
// as axe can tell), in light and dark, on a phone; and nothing leaves it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { DESKTOP, PHONE, openPage, textOf } from './browser.js';
import { check, match, same, truth } from './checks.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const PARTS = ['play', 'size', 'inspect'];

export async function testAccess(browser, file) {
    await testKeyboard(browser, file);
    for (const colorScheme of ['light', 'dark'])
        await testViews(browser, file, colorScheme);
    await testForcedColours(browser, file);
    await testNetwork(browser, file);
    await check('the licences of what is inside are there to be read', async () => {
        const { page } = await openPage(browser, file);
        await page.click('footer summary');
        const text = await page.locator('footer pre').innerText();
        for (const owner of ['the bloomfilter authors', 'Yann Collet', 'Rich Felker', 'Arm Limited', 'Sun Microsystems', 'Nuxi'])
            truth(text.includes(owner), owner);
        await page.context().close();
    });
}

/** Use each part once, so that all that it can show is there. */
export async function useEverything(page) {
    await page.click('button:text-is("Add 100 words")');
    await page.click('button:text-is("Add 100 words")');
    await page.fill('#value', 'apple');
    await page.click('#add');
    await page.click('#measure');
    await page.click('#shrink');
    await page.fill('#value', 'pear'.repeat(100));
    await page.click('#check');
    for (const summary of await page.locator('#play summary, footer summary').all())
        await summary.click();
    await page.click('nav a[href="#size"]');
    await page.click('#size summary');
    await page.click('nav a[href="#inspect"]');
    await page.click('#inspect-example');
    await page.locator('#inspect-verdict:has-text("20,")').waitFor();
    await page.fill('#test-values', '1\n20001\nmany');
    await page.click('#test-form button');
    await page.locator('#test-table tbody tr').first().waitFor();
}

async function testKeyboard(browser, file) {
    const { page, complaints } = await openPage(browser, file);
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());

    // tab until the element has the focus, which must show
    async function tabTo(name) {
        for (let i = 0; i < 80; i++) {
            await page.keyboard.press('Tab');
            if (await focused() === name) {
                truth(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== 'none'), 'a focus that shows');
                return;
            }
        }
        throw new Error(`no way to ${name} with the Tab key`);
    }

    await check('Play, with the keyboard only', async () => {
        await page.keyboard.press('Tab');
        same(await focused(), 'Skip to the content');
        await tabTo('guide');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#answer'), /^Added “apple”/);
        await tabTo('value');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('cherry');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#answer'), /^Added “cherry” was there already/);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        same(await focused(), 'check');
        await page.keyboard.press('Space');
        match(await textOf(page, '#answer'), /^Maybe .* And it was added\.$/);
        await tabTo('Add 100 words');
        await page.keyboard.press('Space');
        await tabTo('measure');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#fact-measured'), /of 10,000$/);
        await tabTo('make-items');
        await page.keyboard.press('Enter');
        await tabTo('shrink');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#shrink-result'), /^8 blocks became 4 blocks/);
    });
    await check('the map, with the keyboard only', async () => {
        for (let i = 0; i < 20 && await page.evaluate(() => document.activeElement.getAttribute('role')) !== 'slider'; i++)
            await page.keyboard.press('Tab');
        await page.keyboard.press('Home');
        const first = await page.locator('#play-heat .heat').getAttribute('aria-valuetext');
        await page.keyboard.press('ArrowRight');
        const second = await page.locator('#play-heat .heat').getAttribute('aria-valuetext');
        match(first, /^Block 0 of \d+ blocks: .* of the cells are set\.$/);
        match(second, /^Block 1 /);
    });
    await check('Size and Inspect, with the keyboard only', async () => {
        await page.evaluate(() => document.body.focus());
        await page.goto(page.url().split('#')[0]);
        for (let i = 0; i < 3; i++)
            await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.locator('#size:visible').waitFor();
        same(await focused(), 'size-title');
        await tabTo('size-items');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('1000');
        same(await page.locator('#size-blocks').textContent(), '20');
        await page.goBack();
        await page.locator('#play:visible').waitFor();
        await page.evaluate(() => { location.hash = 'inspect'; });
        await tabTo('inspect-example');
        await page.keyboard.press('Enter');
        await page.locator('#inspect-verdict:has-text("20,")').waitFor();
        await tabTo('test-values');
        await page.keyboard.type('17');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.locator('#test-table td.maybe').waitFor();
    });
    await check('nothing went wrong with the keyboard', () => same(complaints, []));
    await page.context().close();
}

// Every part, when all of it is shown, on a desktop and on a phone.  What is dark
// differs from what is light in its colours only.
async function testViews(browser, file, colorScheme) {
    const { page, complaints } = await openPage(browser, file, { colorScheme, reducedMotion: 'reduce' });
    const rules = colorScheme === 'light' ? { type: 'tag', values: RULES } : { type: 'rule', values: ['color-contrast'] };

    await useEverything(page);
    for (const part of PARTS) {
        await page.evaluate((part) => { location.hash = part; }, part);
        await page.locator(`#${part}:visible`).waitFor();
        for (const [name, viewport] of [['a desktop', DESKTOP], ['a phone', PHONE]]) {
            await page.setViewportSize(viewport);
            await check(`${part}, ${colorScheme}, on ${name}: nothing that axe objects to`, async () =>
                same(await objections(page, rules), []));
            await check(`${part}, ${colorScheme}, on ${name}: no scrolling to the side`, async () =>
                same(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true));
        }
    }
    await check(`size, ${colorScheme}, dimmed after a wrong entry: nothing that axe objects to`, async () => {
        await page.evaluate(() => { location.hash = 'size'; });
        await page.fill('#size-rate', 'small');
        await page.locator('#size-result.old:visible').waitFor();
        same(await objections(page, rules), []);
    });
    await check(`${colorScheme} it is`, async () => {
        const [r, g, b] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g);
        same(Number(r) + Number(g) + Number(b) > 384, colorScheme === 'light');
    });
    await check(`nothing went wrong in ${colorScheme}`, () => same(complaints, []));
    await page.context().close();
}

async function objections(page, rules) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate((rules) => axe.run(document, { runOnly: rules }), rules);

    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`));
}

// Where the system has colours of its own, what the cells say is still told apart.
async function testForcedColours(browser, file) {
    const { page, complaints } = await openPage(browser, file, { forcedColors: 'active' });

    await check('forced colours: empty and set cells, a value’s and others’, differ', async () => {
        await page.click('button:text-is("Add 100 words")');
        await page.fill('#value', 'pear');
        await page.click('#check');
        const looks = await page.evaluate(() => ['.cell:not(.set):not(.chosen)', '.cell.set:not(.chosen)', '.cell.chosen:not(.set)', '.cell.chosen.set']
            .map((selector) => {
                const { backgroundColor, outlineStyle } = getComputedStyle(document.querySelector(`.key ${selector}`));
                return `${backgroundColor} ${outlineStyle}`;
            }));
        same(new Set(looks).size, 4, looks.join());
        same(await page.locator('.key .cell').evaluateAll((cells) => cells.every((cell) => getComputedStyle(cell).borderStyle === 'solid')), true);
    });
    await check('forced colours: the part that is shown is marked among the others', async () => {
        const colours = await page.locator('nav a').evaluateAll((links) => links.map((link) => getComputedStyle(link).borderTopColor));
        truth(colours[0] !== colours[1] && colours[1] === colours[2], colours.join());
    });
    await check('nothing went wrong in forced colours', () => same(complaints, []));
    await page.context().close();
}

// The tests' browser is offline; the page's own policy must hold without that.
async function testNetwork(browser, file) {
    let requests = 0;
    const server = createServer((request, response) => { requests++; response.end(); });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${server.address().port}/`;
    const { page } = await openPage(browser, file, { offline: false });

    await check('the policy lets nothing out', async () => {
        same(await page.evaluate(async (url) => {
            const refused = await fetch(url).then(() => 'sent', () => 'refused');
            new Image().src = url;
            navigator.sendBeacon(url, 'x');
            const form = document.createElement('form');
            form.action = url;
            document.body.append(form);
            form.submit();
            await new Promise((resolve) => setTimeout(resolve, 300));
            return refused;
        }, url), 'refused');
        same(requests, 0);
    });
    await page.context().close();
    server.close();
}
