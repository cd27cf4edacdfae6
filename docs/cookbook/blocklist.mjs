// blocklist.mjs: a service that says whether an address is on the list of the table "blocked", of which it keeps the
// filter of an index.  GET /?url=... answers {"blocked": ...}; only for a "yes" of the filter is the database asked.
//
//	npm install pg pg-bloomfilter && PGDATABASE=shop PORT=8080 node blocklist.mjs
import { createServer } from 'node:http';
import { once } from 'node:events';
import pg from 'pg';
import { BloomFilter } from 'pg-bloomfilter';

const REFRESH_MS = Number(process.env.REFRESH_MS ?? 10000);
const pool = new pg.Pool();
let version = null;
let filter = null;

// The version is a digest: what has not changed is not sent.
async function refresh() {
    const { rows: [newer] } = await pool.query(
        `SELECT md5(bytes) AS version, bytes FROM (SELECT bloom_index_filter('blocked_filter')::bytea AS bytes OFFSET 0) f
          WHERE md5(bytes) IS DISTINCT FROM $1`, [version]);
    if (newer === undefined)
        return;
    const old = filter;
    filter = BloomFilter.parse(newer.bytes);
    version = newer.version;
    old?.free();
}

async function isBlocked(url) {
    if (!filter.has(url))
        return false;               // certainly not on the list
    const { rowCount } = await pool.query('SELECT FROM blocked WHERE url = $1', [url]);
    return rowCount > 0;
}

await refresh();
const timer = setInterval(() => refresh().catch((error) => console.error(error.message)), REFRESH_MS);
const server = createServer(async (request, response) => {
    try {
        const url = new URL(request.url, 'http://localhost').searchParams.get('url') ?? '';
        response.end(JSON.stringify({ blocked: await isBlocked(url.toLowerCase()) }));
    } catch (error) {
        response.writeHead(503).end(JSON.stringify({ error: error.message }));
    }
}).listen(process.env.PORT ?? 0);
await once(server, 'listening');
console.log(`listening on ${server.address().port}`);
process.on('SIGTERM', () => { clearInterval(timer); server.close(() => pool.end()); server.closeAllConnections(); });
