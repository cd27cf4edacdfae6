// client.js: the JavaScript client, for a program that is no module and so
// cannot wait for it before it starts.
//
// It is none because browsers start no worker of modules for a page from disk.
import encoded from '../../clients/javascript/dist/bloomfilter.js';
import { useInstance } from '../../clients/javascript/src/wasm.js';

export { BloomFilter, CountingBloomFilter } from '../../clients/javascript/src/module.js';

/** To be called, and waited for, before anything else. */
export async function loadClient() {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    // some browsers do not let the main thread do either synchronously
    useInstance((await WebAssembly.instantiate(bytes, {})).instance);
}
