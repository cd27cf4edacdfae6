#!/bin/bash
#
# PostgreSQL 17.5 (in PGlite 0.3.7) has immutable functions that follow settings: quote_ident() follows
# quote_all_identifiers, timezone() of an abbreviation timezone_abbreviations.  So they may be in an index, which then
# misses rows: the same query gives one row by a sequential scan, and none by the index that was made under the defaults.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.3.7 >/dev/null
cat >main.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';

const db = new PGlite();
await db.exec(`CREATE TABLE t AS SELECT 'name' || i AS name, timestamp '2000-01-01' + i * interval '1 hour' AS at
        FROM generate_series(0, 9) i;
    CREATE INDEX quoted ON t (quote_ident(name));
    CREATE INDEX zoned ON t ((at AT TIME ZONE 'EST'))`);
const count = async (condition, method) => {
    await db.exec(`SET enable_seqscan = ${method === 'scan'}; SET enable_indexscan = ${method === 'index'};
        SET enable_indexonlyscan = off; SET enable_bitmapscan = off`);
    const plan = (await db.query(`EXPLAIN SELECT FROM t WHERE ${condition}`)).rows[0]['QUERY PLAN'];
    if (!plan.startsWith(method === 'scan' ? 'Seq Scan' : 'Index Scan'))
        throw new Error(plan);
    return (await db.query(`SELECT count(*)::int AS n FROM t WHERE ${condition}`)).rows[0].n;
};
const seen = [(await db.query("SELECT current_setting('server_version') AS version")).rows[0].version];
for (const [setting, condition] of [['quote_all_identifiers = on', `quote_ident(name) = '"name3"'`],
    ["timezone_abbreviations = 'Australia'", `at AT TIME ZONE 'EST' = timestamptz '1999-12-31 17:00+00'`]]) {
    await db.exec(`SET ${setting}`);
    seen.push(await count(condition, 'scan'), await count(condition, 'index'));
}
console.log('PostgreSQL %s: rows of quote_ident(name): %d by a scan, %d by the index; of a time zone: %d and %d', ...seen);
if (seen.join(' ') !== '17.5 1 0 1 0') {
    console.error('expected 17.5 1 0 1 0: this has changed');
    process.exitCode = 1;
}
END
node main.mjs
