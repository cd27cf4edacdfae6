// Compiles src/core and clients/core of the extension, and src/binding.c, to
// WebAssembly: dist/bloomfilter.wasm, and the same as a module of JavaScript,
// dist/bloomfilter.js, which needs nothing else to be loaded.  For require() it
// makes dist/package.cjs of src.
//
// On Debian: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32
// libxxhash-dev.  CLANG, WASI_SYSROOT and XXHASH_H say where they are elsewhere.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync,
    writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const here = dirname(fileURLToPath(import.meta.url));
const clang = process.env.CLANG ?? 'clang';
const sysroot = process.env.WASI_SYSROOT ?? '/usr';
const xxhash = process.env.XXHASH_H ?? '/usr/include/xxhash.h';

function sources(directory) {
    return readdirSync(directory).filter((name) => name.endsWith('.c')).sort()
        .map((name) => join(directory, name));
}

// What runs once a filter, not once a value, is compiled to be small.
const RARE = ['combine', 'counting', 'error', 'format', 'forms', 'name', 'shrink', 'sizing', 'text', 'wire'];

const TARGET = ['--target=wasm32-wasi', `--sysroot=${sysroot}`];

function run(...options) {
    execFileSync(clang, [...TARGET, ...options], { stdio: 'inherit' });
}

function compile(output) {
    const scratch = mkdtempSync(join(tmpdir(), 'bloomfilter-'));

    try {
        // the rest of /usr/include is another machine's
        copyFileSync(xxhash, join(scratch, 'xxhash.h'));
        const objects = [join(here, 'src/binding.c'), ...sources(join(here, '../core')),
            ...sources(join(here, '../../src/core'))].map((source, i) => {
            const object = join(scratch, `${i}.o`);
            run('-std=gnu11', RARE.includes(basename(source, '.c')) ? '-Oz' : '-O3', '-msimd128', '-mbulk-memory',
                '-Wall', '-Wextra', '-Werror', '-I', scratch, '-I', join(here, '../../src'), '-I', join(here, '../core'),
                '-c', '-o', object, source);
            return object;
        });
        run('-mexec-model=reactor', '-Wl,--strip-all', '-Wl,-z,stack-size=262144', '-o', output, ...objects);
    } finally {
        rmSync(scratch, { recursive: true });
    }
}

// The modules of src in the order in which they need each other.
const MODULES = ['error', 'wasm', 'values', 'passing', 'objects', 'filter', 'counting', 'embedded', 'register'];

const EXPORTS = ['BloomFilter', 'CountingBloomFilter', 'BloomFilterError', 'init', 'useModule', 'registerBloomFilter'];

/**
 * The modules as one for CommonJS: without their imports and exports they share
 * a scope.  So no two may declare the same name at their top, which would be a
 * syntax error.
 */
function commonJs(encoded) {
    const bodies = MODULES.map((name) => readFileSync(join(here, 'src', `${name}.js`), 'utf8')
        .replace(/^import (?:[^;']+ from )?'[^']+';\n/gm, '').replace(/^export /gm, ''));
    const text = `// made by build.js\n'use strict';\nconst encoded = '${encoded}';\n${bodies.join('\n')}\n` +
        `module.exports = { ${EXPORTS.join(', ')} };\n`;

    new Script(text, { filename: 'dist/package.cjs' });
    return text;
}

/** Declarations, for those who use require(). */
function declarations(name) {
    return readFileSync(join(here, 'src', `${name}.d.ts`), 'utf8').replace(/'\.\/(\w+)\.js'/g, "'./$1.cjs'");
}

function build(dist) {
    const wasm = join(dist, 'bloomfilter.wasm');

    mkdirSync(dist, { recursive: true });
    // npm packs it from here only
    copyFileSync(join(here, '../../LICENSE'), join(here, 'LICENSE'));
    compile(wasm);
    const bytes = readFileSync(wasm);
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    if (imports.length > 0)
        throw new Error(`the module must not import anything: ${JSON.stringify(imports)}`);
    const encoded = bytes.toString('base64');
    writeFileSync(join(dist, 'bloomfilter.js'), `// made by build.js\nexport default '${encoded}';\n`);
    writeFileSync(join(dist, 'package.cjs'), commonJs(encoded));
    for (const name of ['index', 'module', 'pg'])
        writeFileSync(join(dist, `${name}.d.cts`), declarations(name));
    console.log(`dist/bloomfilter.wasm: ${bytes.length} bytes`);
}

if (existsSync(join(here, '../../src/core')))
    build(join(here, 'dist'));
else
    // an installed package has been built, and has no sources
    console.log('no sources to compile: nothing to do');
