#!/bin/bash
#
# The cuckoo filter of npm's bloom-filters 3.0.4, made for 1,000 elements and given as many, takes them all and says
# of 378 that it never had them.  A filter must not do that; a Bloom filter of the same package finds all.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-audit --no-fund --ignore-scripts bloom-filters@3.0.4 >/dev/null
node - <<'END'
const { BloomFilter, CuckooFilter } = require('bloom-filters');

const keys = Array.from({ length: 1000 }, (_, i) => `key ${i}`);
const cuckoo = CuckooFilter.create(keys.length, 0.001);
const refused = keys.filter((key) => !cuckoo.add(key)).length;
const bloom = BloomFilter.from(keys, 0.001);
const missed = [cuckoo, bloom].map((filter) => keys.filter((key) => !filter.has(key)).length);

console.log('bloom-filters 3.0.4: of 1000 keys the cuckoo filter refused %d and misses %d, the Bloom filter misses %d',
    refused, ...missed);
if ([refused, ...missed].join() !== '0,378,0') {
    console.error('expected 0, 378 and 0: this has changed');
    process.exitCode = 1;
}
END
