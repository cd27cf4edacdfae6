// For node, browsers and bundlers: with the WebAssembly inside.

import encoded from '../dist/bloomfilter.js';
import { useModule } from './wasm.js';

const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));

// not at once, which browsers refuse of larger modules
useModule(await WebAssembly.compile(bytes));

export { BloomFilter } from './filter.js';
export { CountingBloomFilter } from './counting.js';
export { BloomFilterError } from './error.js';
