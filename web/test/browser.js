// browser.js: the page in headless Chromium, as a person would have it open:
// from disk and without a network.
//
// What must never happen while it is open is collected: requests, errors and
// warnings in the console, violations of the page's policy.
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 320, height: 640 };

export async function launch() {
    return chromium.launch({
        executablePath: CHROMIUM,
        // containers have neither what its sandbox needs nor a large /dev/shm
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
}

/** Open the page.  Options are those of a browser's context. */
export async function openPage(browser, file, options = {}) {
    const context = await browser.newContext({ viewport: DESKTOP, offline: true, ...options });
    const page = await context.newPage();
    const url = pathToFileURL(file).href;
    const complaints = [];

    page.on('request', (request) => {
        if (request.url().split('#')[0] !== url && !/^(data|blob):/.test(request.url()))
            complaints.push(`request of ${request.url()}`);
    });
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
            complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    return { page, complaints };
}

/** The text that the element shows, blanks and all white space alike. */
export async function textOf(page, selector) {
    return (await page.locator(selector).innerText()).replace(/\s+/g, ' ').trim();
}
