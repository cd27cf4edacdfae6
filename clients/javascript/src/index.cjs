// For require().

'use strict';

const { BloomFilter, CountingBloomFilter, BloomFilterError, init } = require('../dist/package.cjs');

module.exports = { BloomFilter, CountingBloomFilter, BloomFilterError, init };
