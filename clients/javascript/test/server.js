// A live server, found through the usual PG* environment variables; without
// PGHOST the tests that need one are skipped.

import pg from 'pg';

export const skip = process.env.PGHOST === undefined && 'no server: PGHOST is not set';

/** Call the function with a client of a new database that has the extension. */
export async function withDatabase(call) {
    const name = `bloomfilter_javascript_${process.pid}`;
    const maintenance = new pg.Client();

    await maintenance.connect();
    try {
        await maintenance.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`);
        const client = new pg.Client({ database: name });
        await client.connect();
        try {
            await client.query('CREATE EXTENSION bloomfilter');
            await call(client);
        } finally {
            await client.end();
        }
        await maintenance.query(`DROP DATABASE ${name}`);
    } finally {
        await maintenance.end();
    }
}
