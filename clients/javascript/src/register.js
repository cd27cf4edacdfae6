// For node-postgres: the WebAssembly is loaded by whoever imports this.

import { CountingBloomFilter } from './counting.js';
import { BloomFilter } from './filter.js';

// The types are the extension's, in whatever schema that is.
const OIDS = `
    SELECT t.oid, t.typarray, t.typname
      FROM pg_catalog.pg_type t
      JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = t.oid
      JOIN pg_catalog.pg_extension e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
                                    AND d.refobjid = e.oid
     WHERE d.deptype = 'e' AND e.extname = 'bloomfilter' AND t.typname IN ('bloomfilter', 'counting_bloomfilter')`;

// pg_catalog.text[], whose elements are found as those of all arrays are.
const TEXT_ARRAY = 1009;

// Strings in lists, of any depth, as filters.
function fromTexts(type, texts) {
    return texts.map((text) => Array.isArray(text) ? fromTexts(type, text) : text === null ? null : type.fromText(text));
}

/**
 * Let a client of node-postgres give filters as BloomFilter and
 * CountingBloomFilter, and arrays, unless they come in binary, as arrays of these.
 * With `types`, that of the module pg or of a pool, all its clients do.
 */
export async function registerBloomFilter(client, types = client) {
    if (typeof types.setTypeParser !== 'function')
        throw new TypeError('give a client, or a pool and the types that its clients use, as in pg.types');
    const { rows } = await client.query(OIDS);
    if (rows.length === 0)
        throw new Error('the extension bloomfilter is not installed in this database');
    const split = types.getTypeParser(TEXT_ARRAY, 'text');
    for (const { oid, typarray, typname } of rows) {
        const type = typname === 'bloomfilter' ? BloomFilter : CountingBloomFilter;
        types.setTypeParser(Number(oid), 'text', (text) => type.fromText(text));
        types.setTypeParser(Number(oid), 'binary', (bytes) => type.fromBytes(bytes));
        types.setTypeParser(Number(typarray), 'text', (text) => fromTexts(type, split(text)));
    }
}
