// The ways into the package: import, require(), a page's init(), and environments
// that lack what others have.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a program of this package's prints; its first argument is the type of its text. */
function printed(type, code, ...options) {
    return execFileSync(process.execPath, [...options, `--input-type=${type}`, '--eval', code],
        { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const USE = "console.log(BloomFilter.create(10).add('a').has('a'), BloomFilter.create(10).has('a'));";

// Entries, by what they are made of: all of CommonJS, or all of modules.
const PACKAGE = './src/index.cjs';
const MODULES = './src/index.js';

test('require() gives what import gives', () => {
    assert.equal(printed('commonjs', `const { BloomFilter } = require('pg-bloomfilter'); ${USE}`), 'true false\n');
    for (const entry of ['pg-bloomfilter', 'pg-bloomfilter/module', 'pg-bloomfilter/pg'])
        assert.equal(printed('module', `
            import { createRequire } from 'node:module';
            import * as imported from '${entry}';
            const required = createRequire(process.cwd() + '/x')('${entry}');
            for (const name in required)
                console.log(name, required[name] === imported[name]);
            console.log(Object.keys(imported).length === Object.keys(required).length);`).includes('false'), false);
});

test('all entries have one class of filters', () => {
    assert.equal(printed('module', `
        import { BloomFilter } from 'pg-bloomfilter';
        import { BloomFilter as other } from 'pg-bloomfilter/module';
        console.log(BloomFilter === other);`), 'true\n');
});

test('package.json is exported', () => {
    assert.equal(printed('commonjs', "console.log(require('pg-bloomfilter/package.json').name)"), 'pg-bloomfilter\n');
});

for (const entry of [PACKAGE, MODULES]) {
    test(`${entry} works where nothing tells of collected objects`, () => {
        assert.equal(printed('module', `
            delete globalThis.FinalizationRegistry;
            const { BloomFilter, CountingBloomFilter } = await import('${entry}');
            ${USE}
            BloomFilter.create(10).free();`), 'true false\n');
    });

    test(`${entry} compiles nothing before the first filter`, () => {
        for (const also of [entry, entry.replace('index', 'pg')])
            assert.equal(printed('module', `
                import { readFileSync } from 'node:fs';
                const { Module, compile } = WebAssembly;
                const ours = readFileSync('dist/bloomfilter.wasm');
                let compiled = 0;
                // node 18 compiles a module of its own when it imports CommonJS
                const note = (bytes) => { compiled += ours.equals(bytes); };
                WebAssembly.Module = function (bytes) { note(bytes); return new Module(bytes); };
                WebAssembly.compile = (bytes) => { note(bytes); return compile(bytes); };
                await import('${also}');
                console.log(compiled);
                const { BloomFilter } = await import('${entry}');
                BloomFilter.create(10);
                BloomFilter.create(10);
                console.log(compiled);`), '0\n1\n');
    });

    test(`${entry} says what to do where nothing is compiled synchronously`, () => {
        assert.equal(printed('module', `
            WebAssembly.Module = WebAssembly.Instance = function () {
                throw new RangeError('disallowed on the main thread');
            };
            const { BloomFilter, BloomFilterError, init } = await import('${entry}');
            for (const make of [() => BloomFilter.create(10), () => BloomFilter.parse('x'), () => BloomFilter.size(10)])
                try {
                    make();
                } catch (error) {
                    console.log(error instanceof BloomFilterError, error.code, error.detail, error.hint.slice(0, 35));
                }
            await init();
            await init();
            ${USE}`),
        '55000 disallowed on the main thread In a page, call "await init()" firs\n'.replace(/^/, 'true ').repeat(3) + 'true false\n');
    });
}

test('module.js says what is missing before init()', () => {
    assert.equal(printed('module', `
        import { readFileSync } from 'node:fs';
        import { BloomFilter, BloomFilterError, CountingBloomFilter, init } from './src/module.js';
        for (const make of [() => BloomFilter.create(10), () => BloomFilter.parse('x'), () => CountingBloomFilter.parse('x'),
            () => BloomFilter.expectedRate(1, 1, 1)])
            try {
                make();
            } catch (error) {
                console.log(error instanceof BloomFilterError, error.code, error.message, error.hint.slice(0, 23));
            }
        init(new WebAssembly.Module(readFileSync('dist/bloomfilter.wasm')));
        ${USE}`),
    'true 55000 the WebAssembly module is missing Call init(module) first\n'.repeat(4) + 'true false\n');
});

// In node the tests import what is made for require().  This is what bundlers and browsers get.
test('the condition "browser" chooses the modules', () => {
    assert.equal(printed('module', `
        import { BloomFilter } from 'pg-bloomfilter';
        import { BloomFilter as modules } from '${MODULES}';
        console.log(BloomFilter === modules);`, '--conditions=browser'), 'true\n');
});

for (const name of ['values', 'vectors', 'inside'])
    test(`${name}.test.js, of the modules`, () => {
        const output = execFileSync(process.execPath, ['--conditions=browser', '--test-reporter=tap', `test/${name}.test.js`],
            // or else it reports to this test's runner
            { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } });
        assert.match(output, /^# pass [1-9]\d*$/m);
        assert.match(output, /^# fail 0$/m);
    });
