// The golden vectors, which all clients share, with their values as JavaScript's.

import { readFileSync } from 'node:fs';

export const vectors = JSON.parse(readFileSync(new URL('../../vectors.json', import.meta.url), 'utf8'));

export function fromHex(digits) {
    return Uint8Array.from(Buffer.from(digits, 'hex'));
}

export function toHex(bytes) {
    return Buffer.from(bytes).toString('hex');
}

/** A value as PostgreSQL writes it. */
export function native(type, value) {
    switch (type) {
        case 'integer':
            return BigInt(value);
        case 'float':
        case 'oid':
            return Number(value);
        case 'boolean':
            return value === 'true';
        case 'bytea':
            return fromHex(value.slice(2));
        default:
            return value;
    }
}
