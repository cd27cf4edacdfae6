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

// Pack it, and call the function with the archive's path and a directory.
function withArchive(call) {
    const directory = mkdtempSync(join(tmpdir(), 'bloomfilter-'));

    try {
        const [archive] = run(root, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', directory).trim().split('\n');
        call(join(directory, archive), directory);
    } finally {
        rmSync(directory, { recursive: true });
    }
}

test('installed into an empty directory it works', () => {
    withArchive((archive, directory) => {
        writeFileSync(join(directory, 'package.json'), '{ "private": true }');
        run(directory, 'npm', 'install', '--offline', '--no-audit', '--no-fund', archive);
        const installed = readdirSync(join(directory, 'node_modules'));
        assert.deepEqual(installed.filter((name) => !name.startsWith('.')), ['pg-bloomfilter']);
        const use = "console.log(BloomFilter.create(10).add('a').has('a'));";
        assert.equal(run(directory, process.execPath, '--input-type=module', '--eval',
            `import { BloomFilter } from 'pg-bloomfilter'; ${use}`), 'true\n');
        assert.equal(run(directory, process.execPath, '--eval',
            `require('pg-bloomfilter/pg'); const { BloomFilter } = require('pg-bloomfilter'); ${use}`), 'true\n');
    });
});

test('the archive has the licences, all files that package.json names, and nothing that is not needed', () => {
    withArchive((archive, directory) => {
        run(directory, 'tar', '-xzf', archive);
        const packed = join(directory, 'package');
        const read = (name) => readFileSync(join(packed, name), 'utf8');

        assert.equal(read('LICENSE'), readFileSync(join(root, '../../LICENSE'), 'utf8'));
        for (const owner of ['Yann Collet', 'Rich Felker', 'Arm Limited', 'Sun Microsystems', 'Nuxi'])
            assert.ok(read('NOTICE').includes(owner), owner);
        const named = JSON.stringify(JSON.parse(read('package.json'))).match(/(?<=")\.\/(?:src|dist)\/[\w.]+(?=")/g);
        assert.ok(named.length > 20);
        for (const name of named)
            assert.ok(existsSync(join(packed, name)), name);
        assert.deepEqual(readdirSync(packed).sort(), ['LICENSE', 'NOTICE', 'README.md', 'dist', 'package.json', 'src']);
        assert.deepEqual(readdirSync(join(packed, 'src')).filter((name) => !/\.(c?js|d\.ts)$/.test(name)), []);
    });
});

test('the README has no link that leads nowhere from a registry', () => {
    const links = readFileSync(join(root, 'README.md'), 'utf8').match(/\]\((?!https:|#)[^)]*\)/g);
    assert.equal(links, null);
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
    for (const project of ['types', 'types.plain'])
        run(root, 'node_modules/.bin/tsc', '--project', `test/${project}.json`);
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
