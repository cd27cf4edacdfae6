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
    await testNetwork(browser, file);
}

/** Use each part once, so that all that it can show is there. */
export async function useEverything(page) {
    await page.click('button:text-is("100 words")');
    await page.click('button:text-is("100 words")');
    await page.fill('#add-value', 'apple');
    await page.click('#add-form button:text-is("Add")');
    await page.click('#measure');
    await page.click('#check-form button');
    for (const summary of await page.locator('#play summary').all())
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
        await tabTo('add-value');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('cherry');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#answer'), /^“cherry” added/);
        await tabTo('100 words');
        await page.keyboard.press('Space');
        await tabTo('check-value');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('cherry');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#answer'), /^MAYBE/);
        await tabTo('measure');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#fact-measured'), /of 10,000$/);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        match(await textOf(page, '#answer'), /^Shrunk/);
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

// Every part, when all of it is shown, on a desktop and on a phone.
async function testViews(browser, file, colorScheme) {
    const { page, complaints } = await openPage(browser, file, { colorScheme, reducedMotion: 'reduce' });

    await useEverything(page);
    for (const part of PARTS) {
        await page.evaluate((part) => { location.hash = part; }, part);
        await page.locator(`#${part}:visible`).waitFor();
        for (const [name, viewport] of [['a desktop', DESKTOP], ['a phone', PHONE]]) {
            await page.setViewportSize(viewport);
            await check(`${part}, ${colorScheme}, on ${name}: nothing that axe objects to`, async () =>
                same(await objections(page), []));
            await check(`${part}, ${colorScheme}, on ${name}: no scrolling to the side`, async () =>
                same(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true));
        }
    }
    await check(`${colorScheme} it is`, async () => {
        const [r, g, b] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g);
        same(Number(r) + Number(g) + Number(b) > 384, colorScheme === 'light');
    });
    await check(`nothing went wrong in ${colorScheme}`, () => same(complaints, []));
    await page.context().close();
}

async function objections(page) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate((rules) => axe.run(document, { runOnly: rules }), RULES);

    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`));
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
