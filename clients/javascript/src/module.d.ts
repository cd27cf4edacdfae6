import type { WebAssemblyModule } from './index.js';

export { BloomFilter, BloomFilterError, CountingBloomFilter } from './index.js';
export type { ElementType, Info, Options, OtherType, TypedArray, Value, Values, WebAssemblyModule } from './index.js';

/** To be called before anything else, with the WebAssembly.Module of bloomfilter.wasm. */
export function init(module: WebAssemblyModule): void;
