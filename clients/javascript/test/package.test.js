// The package as it is installed, its types, and the ways in other than index.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(directory, program, ...options) {
    return execFileSync(program, options, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

test('installed into an empty directory it works', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bloomfilter-'));
    try {
        const [archive] = run(root, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', directory).trim().split('\n');
        writeFileSync(join(directory, 'package.json'), '{ "private": true }');
        run(directory, 'npm', 'install', '--offline', '--no-audit', '--no-fund', `./${archive}`);
        const installed = readdirSync(join(directory, 'node_modules'));
        assert.deepEqual(installed.filter((name) => !name.startsWith('.')), ['pg-bloomfilter']);
        assert.equal(run(directory, process.execPath, '--input-type=module', '--eval', `
            import { BloomFilter } from 'pg-bloomfilter';
            console.log(BloomFilter.create(10).add('a').has('a'));`), 'true\n');
    } finally {
        rmSync(directory, { recursive: true });
    }
});

test('as edge workers load it', () => {
    const code = `
        import { readFileSync } from 'node:fs';
        import { BloomFilter, init } from 'pg-bloomfilter/module';
        init(new WebAssembly.Module(readFileSync('dist/bloomfilter.wasm')));
        console.log(BloomFilter.create(10).add('a').has('a'));`;
    assert.equal(run(root, process.execPath, '--input-type=module', '--eval', code), 'true\n');
});

test('the types fit what there is', { skip: !existsSync(join(root, 'node_modules/typescript')) && 'npm ci was not run' }, () => {
    run(root, 'node_modules/.bin/tsc', '--project', 'test/types.json');
});

test('no other registry than the public one is in the lock file', () => {
    assert.doesNotMatch(readFileSync(join(root, 'package-lock.json'), 'utf8'), /"resolved": "(?!https:\/\/registry\.npmjs\.org\/)/);
});

test('memory is given back', () => {
    // filters that are freed, and others that are only forgotten
    const code = `
        import { BloomFilter } from 'pg-bloomfilter';
        const original = BloomFilter.create(1000000).addAll(Int32Array.from({ length: 100000 }, (_, i) => i));
        const memory = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
        for (let i = 0; i < 20; i++)
            original.copy().free();
        const before = memory();
        for (let i = 0; i < 2000; i++)
            original.copy().free();
        for (let i = 0; i < 200; i++) {
            for (let j = 0; j < 5; j++)
                original.copy();
            global.gc();
            await new Promise((resolve) => setTimeout(resolve, 1));
        }
        // 3,000 copies of 1.2 MB
        console.log(memory() - before < 200e6);`;
    assert.equal(run(root, process.execPath, '--expose-gc', '--input-type=module', '--eval', code), 'true\n');
});
