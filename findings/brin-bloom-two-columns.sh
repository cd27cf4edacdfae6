#!/bin/bash
#
# PostgreSQL 17.5 (in PGlite 0.3.7) makes a BRIN index with the default bloom operator classes on two columns of an
# empty table, and then refuses the 473rd row: both filters together are longer than a page, once they are no lists
# of hashes any more.  With one column indexed all 2,000 rows go in.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.3.7 >/dev/null
cat >main.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';

const db = new PGlite();

// How many rows a table with that index takes, and the error after them.
async function fill(columns) {
    await db.exec(`DROP TABLE IF EXISTS t; CREATE TABLE t (a int, b int); CREATE INDEX ON t USING brin (${columns})`);
    for (let i = 1; i <= 2000; i++) {
        const error = await db.query('INSERT INTO t VALUES ($1, $2)', [i * 7919, i * 104729]).then(() => null, ({ message }) => message);
        if (error !== null)
            return `${i - 1}, then ${error}`;
    }
    return '2000';
}

const seen = [(await db.query("SELECT current_setting('server_version') AS version")).rows[0].version,
    await fill('a int4_bloom_ops'), await fill('a int4_bloom_ops, b int4_bloom_ops')];
console.log('PostgreSQL %s: rows with one column indexed: %s; with two: %s', ...seen);
if (seen.join() !== '17.5,2000,472, then index row size 8968 exceeds maximum 8152 for index "t_a_b_idx"') {
    console.error('expected 17.5, 2000 and 472 rows: this has changed');
    process.exitCode = 1;
}
END
node main.mjs
