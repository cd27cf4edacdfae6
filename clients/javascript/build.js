// Compiles src/core and clients/core of the extension, and src/binding.c, to
// WebAssembly: dist/bloomfilter.wasm, and the same as a module of JavaScript,
// dist/bloomfilter.js, which needs nothing else to be loaded.
//
// On Debian: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32
// libxxhash-dev.  CLANG, WASI_SYSROOT and XXHASH_H say where they are elsewhere.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync,
    writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const clang = process.env.CLANG ?? 'clang';
const sysroot = process.env.WASI_SYSROOT ?? '/usr';
const xxhash = process.env.XXHASH_H ?? '/usr/include/xxhash.h';

function sources(directory) {
    return readdirSync(directory).filter((name) => name.endsWith('.c')).sort()
        .map((name) => join(directory, name));
}

function compile(output) {
    // the rest of /usr/include is another machine's
    const include = mkdtempSync(join(tmpdir(), 'bloomfilter-'));

    try {
        copyFileSync(xxhash, join(include, 'xxhash.h'));
        execFileSync(clang, [
            '--target=wasm32-wasi', `--sysroot=${sysroot}`, '-std=gnu11', '-O3', '-msimd128',
            '-mbulk-memory', '-Wall', '-Wextra', '-Werror', '-mexec-model=reactor',
            '-Wl,--strip-all', '-Wl,-z,stack-size=262144',
            '-I', include, '-I', join(here, '../../src'), '-I', join(here, '../core'),
            '-o', output, join(here, 'src/binding.c'), ...sources(join(here, '../core')), ...sources(join(here, '../../src/core')),
        ], { stdio: 'inherit' });
    } finally {
        rmSync(include, { recursive: true });
    }
}

if (!existsSync(join(here, '../../src/core'))) {
    // an installed package has been built, and has no sources
    console.log('no sources to compile: nothing to do');
} else {
    const dist = join(here, 'dist');
    const wasm = join(dist, 'bloomfilter.wasm');

    mkdirSync(dist, { recursive: true });
    compile(wasm);
    const bytes = readFileSync(wasm);
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    if (imports.length > 0)
        throw new Error(`the module must not import anything: ${JSON.stringify(imports)}`);
    writeFileSync(join(dist, 'bloomfilter.js'),
        `// made by build.js\nexport default '${bytes.toString('base64')}';\n`);
    console.log(`dist/bloomfilter.wasm: ${bytes.length} bytes`);
}
