// server.js: asks the server that libpq's environment points to.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** Go on in a new database; returns the way out, which drops it. */
export function enterDatabase() {
    const before = process.env.PGDATABASE;
    const name = `bloomfilter_page_${process.pid}`;

    query(`CREATE DATABASE ${name}`);
    process.env.PGDATABASE = name;
    return () => {
        if (before === undefined)
            delete process.env.PGDATABASE;
        else
            process.env.PGDATABASE = before;
        query(`DROP DATABASE ${name}`);
    };
}

/** What the statements give: rows of columns, as text. */
export function query(sql) {
    const result = psql(sql, '-At', '-F', '\x01', '-R', '\x02');

    if (result.status !== 0)
        throw new Error(result.stderr);
    return result.stdout === '' ? [] : result.stdout.replace(/\n$/, '').split('\x02').map((row) => row.split('\x01'));
}

/** The one value of the only row. */
export function value(sql) {
    return query(sql)[0][0];
}

/** What psql shows for the statement. */
export function shown(sql) {
    return psql(sql).stdout;
}

/** The message of the error that the statement must raise. */
export function message(sql) {
    return /^(?:psql:[^:]*:\d+: )?ERROR: {2}(.*)$/m.exec(psql(sql).stderr)?.[1];
}

/** Write the one value of the only row to a file. */
export function writeOut(sql, path) {
    const file = openSync(path, 'w');
    const { status, stderr } = spawnSync('psql', ['-XqAt', '-c', sql], { stdio: ['ignore', file, 'pipe'] });

    closeSync(file);
    if (status !== 0)
        throw new Error(String(stderr));
}

/** A string constant. */
export function literal(text) {
    return `'${text.replaceAll("'", "''")}'`;
}

function psql(sql, ...options) {
    return spawnSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...options],
        { input: sql, encoding: 'utf8', maxBuffer: 1 << 30 });
}
