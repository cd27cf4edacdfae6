// screenshots.js PAGE DIRECTORY: pictures of all parts, to be looked at; and
// play.png, the one that docs/ has.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PARTS, useEverything } from './access.js';
import { launch, openPage } from './browser.js';

const [file, directory] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch();

mkdirSync(directory, { recursive: true });
for (const colorScheme of ['light', 'dark']) {
    const { page } = await openPage(browser, file, { colorScheme, reducedMotion: 'reduce' });
    await useEverything(page);
    for (const [device, viewport] of [['desktop', { width: 1280, height: 900 }], ['phone', { width: 390, height: 844 }]]) {
        await page.setViewportSize(viewport);
        for (const part of PARTS) {
            await page.evaluate((part) => { location.hash = part; }, part);
            await page.locator(`#${part}:visible`).waitFor();
            await page.waitForTimeout(100);
            await page.screenshot({ path: join(directory, `${part}-${colorScheme}-${device}.png`), fullPage: true });
        }
    }
    await page.context().close();
}

// What the README shows: a value that was never added, and what is above its block.
const { page } = await openPage(browser, file, { colorScheme: 'light', reducedMotion: 'reduce',
    viewport: { width: 1100, height: 900 } });
await page.click('button:text-is("Add 100 words")');
await page.click('button:text-is("Add 100 words")');
await page.fill('#value', 'pear');
await page.click('#check');
const { x, y, width, height } = await page.locator('.stage').boundingBox();
await page.screenshot({ path: join(directory, 'play.png'), fullPage: true,
    clip: { x: x - 10, y: y - 10, width: width + 20, height: height + 20 } });
await browser.close();
