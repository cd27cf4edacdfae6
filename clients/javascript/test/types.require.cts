// Compiled, never run: what callers of require() may write.

import filters = require('pg-bloomfilter');
import edge = require('pg-bloomfilter/module');
import pg = require('pg-bloomfilter/pg');

const filter: filters.BloomFilter = filters.BloomFilter.create(1000);
const init: (module: WebAssembly.Module) => void = edge.init;

export { filter, init, pg };
