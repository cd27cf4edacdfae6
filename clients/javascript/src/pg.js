// For node-postgres.

import { BloomFilter } from './index.js';

// The type is the extension's, in whatever schema that is.
const OID = `
    SELECT t.oid
      FROM pg_catalog.pg_type t
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = t.oid
      JOIN pg_catalog.pg_extension e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
                                    AND d.refobjid = e.oid
     WHERE d.deptype = 'e' AND e.extname = 'bloomfilter' AND t.typname = 'bloomfilter'`;

/**
 * Let a client of node-postgres give filters as BloomFilter.  With `types`, that
 * of the module pg or of a pool, all its clients do.
 */
export async function registerBloomFilter(client, types = client) {
    if (typeof types.setTypeParser !== 'function')
        throw new TypeError('give a client, or a pool and the types that its clients use, as in pg.types');
    const { rows } = await client.query(OID);
    if (rows.length === 0)
        throw new Error('the extension bloomfilter is not installed in this database');
    const oid = Number(rows[0].oid);
    types.setTypeParser(oid, 'text', (text) => BloomFilter.fromText(text));
    types.setTypeParser(oid, 'binary', (bytes) => BloomFilter.fromBytes(bytes));
}
