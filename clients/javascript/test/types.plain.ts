// Compiled, never run: without the declarations of node or of browsers.

import module from 'pg-bloomfilter/bloomfilter.wasm';
import { BloomFilter, CountingBloomFilter, init } from 'pg-bloomfilter';
import * as edge from 'pg-bloomfilter/module';
import 'pg-bloomfilter/pg';

await init();
await init(module);
edge.init(module);

export function sizes(text: string): number[] {
    using filter = BloomFilter.parse(text);
    using counting = CountingBloomFilter.parse(text);
    using again = BloomFilter.create(10, 0.01, 0, { type: filter.elementType });
    return [filter, counting, again].map((each) => each.info().bytes);
}
