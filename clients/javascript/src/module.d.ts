export * from './index.js';

/** To be called before anything else, with the WebAssembly.Module of bloomfilter.wasm. */
export function init(module: WebAssembly.Module): void;
