// For edge workers that import WebAssembly as a module, compiled when they are
// deployed: without the WebAssembly.

import { useModule } from './wasm.js';

/** To be called before anything else, with the WebAssembly.Module of bloomfilter.wasm. */
export function init(module) {
    useModule(module);
}

export { BloomFilter } from './filter.js';
export { CountingBloomFilter } from './counting.js';
export { BloomFilterError } from './error.js';
