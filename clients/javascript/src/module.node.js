// For import in node: see index.node.js.

import package_ from './module.cjs';

export const { BloomFilter, CountingBloomFilter, BloomFilterError, init } = package_;
