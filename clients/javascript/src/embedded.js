// The WebAssembly inside of the JavaScript, compiled when it is first needed:
// synchronously, unless init() has done it before.

import encoded from '../dist/bloomfilter.js';
import { isLoaded, loadWith, useInstance } from './wasm.js';

function decode() {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}

loadWith(() => new WebAssembly.Module(decode()));

/**
 * Compile beside the page's main thread, which some browsers do not let compile
 * or instantiate synchronously; or use this module, compiled elsewhere.
 */
export async function init(module) {
    if (!isLoaded())
        useInstance(await WebAssembly.instantiate(module ?? await WebAssembly.compile(decode()), {}));
}
