// For require() with node-postgres.

'use strict';

const { registerBloomFilter } = require('../dist/package.cjs');

module.exports = { registerBloomFilter };
