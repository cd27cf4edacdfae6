// run.js PAGE: all tests of the page, against the server that libpq's
// environment points to, in a database of their own.  Reports as TAP does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { testAccess } from './access.js';
import { launch } from './browser.js';
import { finish } from './checks.js';
import { testInspect } from './inspect.js';
import { testPlay } from './play.js';
import { enterDatabase, query } from './server.js';
import { testSize } from './size.js';

const page = resolve(process.argv[2]);
const scratch = mkdtempSync(join(tmpdir(), 'page-'));
const browser = await launch();

const leaveDatabase = enterDatabase();

try {
    query('CREATE EXTENSION bloomfilter');
    await testPlay(browser, page);
    await testSize(browser, page);
    await testInspect(browser, page, scratch);
    await testAccess(browser, page);
} finally {
    await browser.close();
    leaveDatabase();
    rmSync(scratch, { recursive: true });
}
finish();
