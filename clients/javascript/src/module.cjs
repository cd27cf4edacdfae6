// For require(), with a WebAssembly.Module of the caller's.

'use strict';

const { BloomFilter, CountingBloomFilter, BloomFilterError, useModule } = require('../dist/package.cjs');

function init(compiled) {
    useModule(compiled);
}

module.exports = { BloomFilter, CountingBloomFilter, BloomFilterError, init };
