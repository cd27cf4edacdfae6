// client.js: the JavaScript client, for a program that is no module and so
// cannot wait for it before it starts.
//
// It is none because browsers start no worker of modules for a page from disk.

/** loadClient() is to be called, and waited for, before anything else. */
export { BloomFilter, CountingBloomFilter, init as loadClient } from '../../clients/javascript/src/index.js';
