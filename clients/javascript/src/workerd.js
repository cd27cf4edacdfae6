// For Cloudflare's Workers, whose bundler makes a WebAssembly.Module of this import.

import module from '../dist/bloomfilter.wasm';
import { useModule } from './wasm.js';

useModule(module);

/** There is nothing left to be done. */
export async function init() {
}

export { BloomFilter } from './filter.js';
export { CountingBloomFilter } from './counting.js';
export { BloomFilterError } from './error.js';
