// build.js OUT: makes the page, one HTML file with everything inside.
//
// The program is bundled with the JavaScript client and its WebAssembly.  The
// policy in the page names the hashes of the program and the style sheet, and
// forbids everything else: other programs, and the network altogether.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url).pathname;

// What the page may do: run this program and use this style sheet, compile
// WebAssembly, start the worker that it makes of its own program.
function policy(program, style) {
    return [
        "default-src 'none'",
        `script-src ${hash(program)} 'wasm-unsafe-eval'`,
        `style-src ${hash(style)}`,
        'worker-src blob:',
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
    ].join('; ');
}

function hash(text) {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

async function bundle(file) {
    const result = await build({
        entryPoints: [here + file],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2022',
        charset: 'utf8',
        loader: { '.wasm': 'binary' },
        legalComments: 'none',
    });
    const text = result.outputFiles[0].text.trim();

    if (/<\/(script|style)|<!--/i.test(text))
        throw new Error(`${file} would end the element that it stands in`);
    return text;
}

function version() {
    const control = readFileSync(here + '../bloomfilter.control', 'utf8');

    return /^default_version = '(.*)'$/m.exec(control)[1];
}

// What must stand in every copy: the licences of this and of what is compiled in.
function notices() {
    return ['LICENSE', 'clients/javascript/NOTICE'].map((name) => readFileSync(here + '../' + name, 'utf8')).join('\n')
        .replace('dist/bloomfilter.wasm, and the files beside it that have it inside, contain', 'The WebAssembly of this page contains');
}

function escaped(text) {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

// The template with its %NAMES% filled in.
function fillIn(template, values) {
    return template.replace(/%([A-Z]+)%/g, (_, name) => values[name]);
}

const program = await bundle('src/main.js');
const style = await bundle('src/style.css');

writeFileSync(process.argv[2] ?? here + 'bloomfilter.html', fillIn(readFileSync(here + 'src/page.html', 'utf8'), {
    POLICY: policy(program, style),
    STYLE: style,
    PROGRAM: program,
    VERSION: version(),
    NOTICES: escaped(notices()),
}));
