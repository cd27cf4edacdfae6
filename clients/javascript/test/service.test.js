// Is docs/cookbook/blocklist.mjs, the recipe of a service, right?
//
// It runs as a copy in here, where node finds the package and pg.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { skip, withDatabase } from './server.js';

const recipe = new URL('../../../docs/cookbook/blocklist.mjs', import.meta.url);
const copy = new URL('blocklist.copy.mjs', import.meta.url);

async function start(database) {
    const service = spawn(process.execPath, [fileURLToPath(copy)],
        { env: { ...process.env, PGDATABASE: database, PORT: '0', REFRESH_MS: '20' }, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(service.stdout))
        return { service, port: /^listening on (\d+)$/.exec(line)[1] };
    throw new Error('the service has ended');
}

async function ask(port, url) {
    const response = await fetch(`http://localhost:${port}/?url=${encodeURIComponent(url)}`);
    return (await response.json()).blocked;
}

test('the service of the recipe', { skip }, () => withDatabase(async (client) => {
    await client.query(`CREATE TABLE blocked (url text PRIMARY KEY);
        INSERT INTO blocked SELECT 'evil' || i FROM generate_series(1, 50) i;
        CREATE INDEX blocked_filter ON blocked USING bloomfilter (url) WITH (scope = 'table')`);
    copyFileSync(recipe, copy);
    const { service, port } = await start(client.database);
    try {
        assert.equal(await ask(port, 'Evil7'), true);
        assert.equal(await ask(port, 'good'), false);
        // a new address is in the filter that is fetched next
        await client.query("INSERT INTO blocked VALUES ('new')");
        const end = Date.now() + 10000;
        while (!await ask(port, 'new') && Date.now() < end)
            await new Promise((resolve) => setTimeout(resolve, 20));
        assert.equal(await ask(port, 'new'), true);
        // the filter alone says no
        await client.query('ALTER TABLE blocked RENAME TO elsewhere');
        assert.equal(await ask(port, 'good'), false);
        assert.equal(await ask(port, 'evil7'), undefined);
    } finally {
        const ended = new Promise((resolve) => service.on('exit', resolve));
        service.kill('SIGTERM');
        assert.equal(await ended, 0);
        rmSync(copy);
    }
}));
