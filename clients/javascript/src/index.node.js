// For import in node: what require() gives, so that a program has one module and
// one class of filters however its parts load the package.

import package_ from './index.cjs';

export const { BloomFilter, CountingBloomFilter, BloomFilterError, init } = package_;
