// For bundlers and browsers: with the WebAssembly inside.

export { init } from './embedded.js';
export { BloomFilter } from './filter.js';
export { CountingBloomFilter } from './counting.js';
export { BloomFilterError } from './error.js';
