#!/bin/bash
#
# PostgreSQL 17.5 (in PGlite 0.3.7) computes the LIMIT of a cursor anew when the cursor goes back to its start.  The
# cursor was not declared SCROLL.  Its rows were two; after SET and MOVE ABSOLUTE 0 they are four, of one query with one
# snapshot.  Below the LIMIT, the sort runs again, too, because it has to keep another number of rows.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.3.7 >/dev/null
cat >main.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';

const db = new PGlite();
await db.exec(`SET my.rows = 2; BEGIN;
    DECLARE c CURSOR FOR SELECT i FROM generate_series(1, 10) i ORDER BY i LIMIT current_setting('my.rows')::int`);
const fetch = async () => (await db.query('FETCH ALL FROM c')).rows.map(({ i }) => i).join(' ');
const first = await fetch();
await db.exec('SET my.rows = 4; MOVE ABSOLUTE 0 IN c');
const seen = [(await db.query("SELECT current_setting('server_version') AS version")).rows[0].version, first, await fetch()];
console.log('PostgreSQL %s: rows of a cursor: %s; from its start, with another setting: %s', ...seen);
if (seen.join('; ') !== '17.5; 1 2; 1 2 3 4') {
    console.error('expected 17.5; 1 2; 1 2 3 4: this has changed');
    process.exitCode = 1;
}
END
node main.mjs
