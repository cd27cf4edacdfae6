#!/bin/bash
#
# DuckDB 1.5.6 hashes the bytes of a DOUBLE into the Bloom filter of a Parquet file, though −0.0 and 0.0 are equal and
# have other bytes.  So `= 0.0` finds 200 rows of −0.0 in the table, and none in the file that COPY makes of it.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1 >/dev/null
node - <<'END'
const { DuckDBInstance } = require('@duckdb/node-api');

async function main() {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const one = async (sql) => String((await connection.runAndReadAll(sql)).getRows()[0][0]);

    await connection.run(`CREATE TABLE t AS
        SELECT CASE WHEN i % 100 = 50 THEN '-0.0'::DOUBLE ELSE (i % 100 - 50)::DOUBLE END AS d FROM range(20000) r (i)`);
    await connection.run("COPY t TO 'filtered.parquet'");
    await connection.run("COPY t TO 'plain.parquet' (WRITE_BLOOM_FILTER false)");
    const seen = [await one('SELECT version()')];
    for (const source of ['t', "'plain.parquet'", "'filtered.parquet'"])
        seen.push(await one(`SELECT count(*) FROM ${source} WHERE d = 0.0`));
    seen.push(await one("SELECT bloom_filter_excludes FROM parquet_bloom_probe('filtered.parquet', 'd', 0.0)"));

    console.log('DuckDB %s: d = 0.0 in the table %s, in a file without a filter %s, with one %s; the filter excludes 0.0: %s', ...seen);
    if (seen.join() !== 'v1.5.6,200,200,0,true')
        throw new Error('expected v1.5.6, 200, 200, 0, true: this has changed');
}

main().catch(({ message }) => { console.error(message); process.exitCode = 1; });
END
