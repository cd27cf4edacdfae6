// checks.js: counts checks and reports them, as TAP does.
import assert from 'node:assert/strict';

let number = 0;
let failed = 0;

/** One check: passes unless it throws. */
export async function check(name, body) {
    number++;
    try {
        await body();
        console.log(`ok ${number} - ${name}`);
    } catch (error) {
        failed++;
        console.log(`not ok ${number} - ${name}`);
        console.log(String(error.stack ?? error).replace(/^/gm, '# '));
    }
}

/** Values that must be the same. */
export const same = assert.deepEqual;

export const match = assert.match;

export function truth(value, message) {
    assert.ok(value, message);
}

/** To be called at the end: the exit status of the process. */
export function finish() {
    console.log(`1..${number}`);
    process.exitCode = failed > 0 || number === 0 ? 1 : 0;
}
