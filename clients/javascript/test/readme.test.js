// Do the examples of README.md give what it shows?
//
// Every block is a module of its own, run from the package's directory.  Those
// with pg need a server.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { skip, withDatabase } from './server.js';

const root = new URL('..', import.meta.url);
const text = readFileSync(new URL('README.md', root), 'utf8');
const example = /(<!-- not run: .* -->\n)?```js\n([^]*?)^```\n(?:\n*```text\n([^]*?)^```$)?/gm;

test('every example is read', () => {
    assert.equal([...text.matchAll(example)].length, text.match(/^```js$/gm).length);
});

function check(code, shown, environment) {
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code],
        { cwd: fileURLToPath(root), encoding: 'utf8', env: { ...process.env, ...environment } });

    assert.equal(printed, shown);
}

for (const [, notRun, code, shown] of text.matchAll(example)) {
    const needsServer = code.includes("from 'pg'");
    const name = code.split('\n').filter((line) => line !== '' && !line.startsWith('import'))[0] ?? code;
    test(name, { skip: notRun !== undefined || (needsServer && skip) }, async () => {
        if (needsServer)
            await withDatabase(({ database }) => check(code, shown, { PGDATABASE: database }));
        else
            check(code, shown, {});
    });
}
