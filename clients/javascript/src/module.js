// For edge workers, which compile WebAssembly when they are deployed and import
// it as a module.

import { useModule } from './wasm.js';

/** To be called before anything else, with the WebAssembly.Module of bloomfilter.wasm. */
export function init(module) {
    useModule(module);
}

export { BloomFilter } from './filter.js';
export { CountingBloomFilter } from './counting.js';
export { BloomFilterError } from './error.js';
