#!/bin/bash
#
# PostgreSQL 17.5 (in PGlite 0.3.7) gives another answer to a query with less work_mem.  A sub-select joins by a hash
# table of the rows whose part is current_setting('my.part'), and set_config() changes that between its two scans.  A
# hash table that fits into work_mem is kept for the second scan, which so returns the first part again.  One that does
# not fit is made anew, and the second scan returns the second part.  A stable function is the same within one scan only.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.3.7 >/dev/null
cat >main.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';

const db = new PGlite();
await db.exec(`
    SET enable_nestloop = off; SET enable_mergejoin = off; SET hash_mem_multiplier = 1;
    CREATE TABLE part AS SELECT i AS k, repeat(md5(i::text), 40) AS w FROM generate_series(0, 199) i;
    CREATE TABLE fact AS SELECT i % 200 AS k FROM generate_series(1, 20000) i;
    ANALYZE part; ANALYZE fact`);

// The parts that two scans of the sub-select return, in this order.
async function parts(memory) {
    await db.exec(`SET work_mem = '${memory}'; SET my.part = '0'`);
    const { rows } = await db.query(`
        SELECT (SELECT min(p.k) || ' to ' || max(p.k) || left(max(w), 0) FROM fact JOIN part p USING (k)
                WHERE p.k / 100 = current_setting('my.part')::int AND x IS NOT NULL) AS keys
        FROM (SELECT x, set_config('my.part', x::text, false) FROM generate_series(0, 1) x OFFSET 0) o`);
    return rows.map(({ keys }) => keys).join(', then ');
}

const seen = [(await db.query("SELECT current_setting('server_version') AS version")).rows[0].version,
    await parts('4MB'), await parts('64kB')];
console.log('PostgreSQL %s: with 4 MB: keys %s; with 64 kB: keys %s', ...seen);
if (seen.join('; ') !== '17.5; 0 to 99, then 0 to 99; 0 to 99, then 100 to 199') {
    console.error('expected 17.5; 0 to 99, then 0 to 99; 0 to 99, then 100 to 199: this has changed');
    process.exitCode = 1;
}
END
node main.mjs
