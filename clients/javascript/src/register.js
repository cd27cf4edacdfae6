// For node-postgres: the WebAssembly is loaded by whoever imports this.

import { CountingBloomFilter } from './counting.js';
import { BloomFilter } from './filter.js';

// The types are the extension's, in whatever schema that is.
const OIDS = `
    SELECT t.oid, t.typname
      FROM pg_catalog.pg_type t
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = t.oid
      JOIN pg_catalog.pg_extension e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
                                    AND d.refobjid = e.oid
     WHERE d.deptype = 'e' AND e.extname = 'bloomfilter' AND t.typname IN ('bloomfilter', 'counting_bloomfilter')`;

/**
 * Let a client of node-postgres give filters as BloomFilter and
 * CountingBloomFilter.  With `types`, that of the module pg or of a pool, all its
 * clients do.
 */
export async function registerBloomFilter(client, types = client) {
    if (typeof types.setTypeParser !== 'function')
        throw new TypeError('give a client, or a pool and the types that its clients use, as in pg.types');
    const { rows } = await client.query(OIDS);
    if (rows.length === 0)
        throw new Error('the extension bloomfilter is not installed in this database');
    for (const { oid, typname } of rows) {
        const type = typname === 'bloomfilter' ? BloomFilter : CountingBloomFilter;
        types.setTypeParser(Number(oid), 'text', (text) => type.fromText(text));
        types.setTypeParser(Number(oid), 'binary', (bytes) => type.fromBytes(bytes));
    }
}
