// For import in node: see index.node.js.

import package_ from './pg.cjs';

export const { registerBloomFilter } = package_;
