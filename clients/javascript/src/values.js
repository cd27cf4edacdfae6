// From JavaScript's values to those of PostgreSQL's types.
//
// A value that is taken for another one than was meant would be a false "no".
// So what is not certainly of the filter's type is an error: strings for
// numbers, numbers that stand for more than one integer, Dates for times without
// a zone.

import { BloomFilterError } from './error.js';
import { check, wasm, writeBytes, writeText, writeUuid, written } from './wasm.js';

// Families, by their numbers in a filter's header (docs/format.md).
export const NONE = 0;
export const INTEGER = 1;
export const TEXT = 2;
export const BPCHAR = 3;
export const FLOAT = 4;
export const BOOLEAN = 5;
export const DATE = 6;
export const TIME = 7;
export const TIMESTAMP = 8;
export const TIMESTAMPTZ = 9;
export const UUID = 10;
export const BYTEA = 11;
export const OID = 12;
export const CHAR = 13;
export const OWN = 14;

const NAMES = ['none', 'integer', 'text', 'bpchar', 'float', 'boolean', 'date', 'time', 'timestamp',
    'timestamptz', 'uuid', 'bytea', 'oid', '"char"'];

const MIN_INT8 = -(2n ** 63n);
const MAX_INT8 = 2n ** 63n - 1n;

/** Is this BigInt a bigint of PostgreSQL's? */
export function isInt8(value) {
    return value >= MIN_INT8 && value <= MAX_INT8;
}

/** The family of that name, as bloom_info gives it. */
export function familyByName(name) {
    const family = NAMES.indexOf(name);

    if (family <= NONE)
        throw new BloomFilterError('42704', `type "${name}" does not exist`, undefined,
            `Types are ${NAMES.slice(1).join(', ')}.`);
    return family;
}

/** The name of a family that values can be of; undefined if they cannot. */
export function familyName(family) {
    return family === NONE ? undefined : NAMES[family];
}

// What the server calls a value's type.
function typeOf(value) {
    switch (typeof value) {
        case 'number':
            return Number.isInteger(value) ? 'integer' : 'double precision';
        case 'bigint':
            return 'bigint';
        case 'boolean':
            return 'boolean';
        case 'string':
            return 'text';
        default:
            return value instanceof Date ? 'timestamp with time zone' :
                asBytes(value) !== undefined ? 'bytea' : undefined;
    }
}

/** The family of a value that is given to a filter of none. */
export function familyOf(value) {
    switch (typeof value) {
        case 'number':
            return Number.isInteger(value) ? INTEGER : FLOAT;
        case 'bigint':
            return INTEGER;
        case 'boolean':
            return BOOLEAN;
        case 'string':
            return TEXT;
        default:
            if (value instanceof Date)
                return TIMESTAMPTZ;
            if (asBytes(value) !== undefined)
                return BYTEA;
            return refuse(value);
    }
}

function refuse(value) {
    throw new BloomFilterError('0A000',
        `values of type ${value === undefined ? 'undefined' : typeof value} cannot be in a bloomfilter`,
        undefined, Array.isArray(value) ? 'For its elements, call addAll, hasAll, hasAny or hasEach.' :
            'Give a number, a BigInt, a string, a boolean, a Uint8Array or a Date.');
}

/** Raise the error for a value of another type than the filter's. */
function mismatch(filterFamily, value, hint) {
    const type = typeOf(value);
    const name = NAMES[filterFamily];

    if (type === undefined)
        refuse(value);
    throw new BloomFilterError('42804', 'bloomfilter and value are of different types',
        `The filter holds values of type ${name}, the value is of type ${type}.`,
        hint ?? `Cast the value to ${filterFamily === INTEGER ? 'bigint' : name}.`);
}

/** Can values of the family be tested and added?  Of filters with a hash of their own they cannot. */
export function requireAccepts(pointer, family) {
    check(wasm.accepts(pointer, family, 0));
}

// ---------- numbers ----------

/** A number that is no safe integer, given to a filter of integers. */
function refuseNumber(filterFamily, value) {
    if (!Number.isInteger(value))
        mismatch(filterFamily, value);
    throw new BloomFilterError('22003', `number ${value} may stand for several integers`,
        'Beyond 2^53 numbers are not exact.', 'Give it as a BigInt.');
}

function outOfRange(value, type) {
    throw new BloomFilterError('22003', `value "${value}" is out of range for type ${type}`);
}

function toInteger(value) {
    if (typeof value === 'bigint')
        return isInt8(value) ? value : outOfRange(value, 'bigint');
    if (typeof value !== 'number')
        mismatch(INTEGER, value, typeof value === 'string' ? 'Give it as a BigInt: BigInt(value).' : undefined);
    return Number.isSafeInteger(value) ? BigInt(value) : refuseNumber(INTEGER, value);
}

function toOid(value) {
    if (typeof value !== 'number' && typeof value !== 'bigint')
        mismatch(OID, value);
    if (typeof value === 'number' && !Number.isInteger(value))
        mismatch(OID, value);
    return value >= 0 && value < 2 ** 32 ? Number(value) : outOfRange(value, 'oid');
}

// ---------- dates and times ----------

const DAY = 86400000000n;                       // microseconds
const MIN_DATE = -2451545;                      // 4714-11-24 BC, in days since 2000-01-01
const END_DATE = 2145031949;                    // the day after 5874897-12-31
const MIN_TIMESTAMP = -211813488000000000n;     // 4714-11-24 BC, in microseconds
const END_TIMESTAMP = 9223371331200000000n;     // 294277-01-01
const MAX_TIME = 86400000000n;                  // 24:00:00
const EPOCH = Date.UTC(2000, 0, 1);

const DATE_PATTERN = String.raw`(?<year>\d{4,7})-(?<month>\d\d)-(?<day>\d\d)`;
const TIME_PATTERN = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,6}))?)?`;
const ZONE_PATTERN = String.raw` ?(?:(?<utc>[Zz])|(?<sign>[+-])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d)(?::(?<zoneSecond>\d\d))?)?)`;
const ERA_PATTERN = '(?<era> BC)?';

const DATE_FORM = new RegExp(`^${DATE_PATTERN}${ERA_PATTERN}$`);
const TIME_FORM = new RegExp(`^${TIME_PATTERN}$`);
const TIMESTAMP_FORM = new RegExp(`^${DATE_PATTERN}(?:[ T]${TIME_PATTERN})?${ERA_PATTERN}$`);
const TIMESTAMPTZ_FORM = new RegExp(`^${DATE_PATTERN}[ T]${TIME_PATTERN}${ZONE_PATTERN}${ERA_PATTERN}$`);

function isLeap(year) {
    return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysIn(month, year) {
    return month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function fieldOutOfRange(text) {
    throw new BloomFilterError('22008', `date/time field value out of range: "${text}"`);
}

/** Days since 2000-01-01 in the Gregorian calendar, also before it was one. */
function toDays(fields, text) {
    const [month, day] = [Number(fields.month), Number(fields.day)];
    // there is no year 0: 1 BC is the year before 1
    const year = fields.era ? 1 - Number(fields.year) : Number(fields.year);

    if (Number(fields.year) === 0 || month < 1 || month > 12 || day < 1 || day > daysIn(month, year))
        fieldOutOfRange(text);
    // years from March on, so that the day of a leap year comes last
    const y = month > 2 ? year : year - 1;
    const m = month > 2 ? month - 3 : month + 9;
    return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) +
        Math.floor((153 * m + 2) / 5) + day - 730426;
}

/** Microseconds since midnight; a day may end at 24:00:00. */
function toMicroseconds(fields, text) {
    const [hour, minute] = [Number(fields.hour ?? 0), Number(fields.minute ?? 0)];
    const second = Number(fields.second ?? 0);
    const microseconds = ((hour * 60 + minute) * 60 + second) * 1000000 +
        Number((fields.fraction ?? '').padEnd(6, '0'));

    if (minute > 59 || second > 59 || BigInt(microseconds) > MAX_TIME)
        fieldOutOfRange(text);
    return BigInt(microseconds);
}

function toZone(fields, text) {
    const [hour, minute] = [Number(fields.zoneHour ?? 0), Number(fields.zoneMinute ?? 0)];
    const second = Number(fields.zoneSecond ?? 0);

    // as far as PostgreSQL goes
    if (hour > 15 || minute > 59 || second > 59)
        throw new BloomFilterError('22009', `time zone displacement out of range: "${text}"`);
    return BigInt(((hour * 60 + minute) * 60 + second) * (fields.sign === '-' ? -1 : 1)) * 1000000n;
}

/** The fields of a string, which must have this form. */
function parse(form, value, type) {
    const match = form.exec(value);

    if (match === null)
        throw new BloomFilterError('22007', `invalid input syntax for type ${type}: "${value}"`, undefined,
            'Give it as PostgreSQL writes it with DateStyle ISO.');
    return match.groups;
}

/** The sign of an infinite date or time, in either spelling; 0 if it is finite. */
function infinity(value) {
    return value === Infinity || value === 'infinity' ? 1 : value === -Infinity || value === '-infinity' ? -1 : 0;
}

const DATE_HINT = "Give a string, as in '2024-02-29': the day of a Date depends on the time zone.";
const TIMESTAMP_HINT = "Give a string, as in '2024-02-29 12:34:56': the time of a Date depends on the time zone.";

function toDate(value) {
    const sign = infinity(value);

    if (sign !== 0)
        return sign < 0 ? -(2 ** 31) : 2 ** 31 - 1;
    if (typeof value !== 'string')
        mismatch(DATE, value, value instanceof Date ? DATE_HINT : undefined);
    const days = toDays(parse(DATE_FORM, value, 'date'), value);
    if (days < MIN_DATE || days >= END_DATE)
        throw new BloomFilterError('22008', `date out of range: "${value}"`);
    return days;
}

function toTime(value) {
    if (typeof value !== 'string')
        mismatch(TIME, value);
    return toMicroseconds(parse(TIME_FORM, value, 'time'), value);
}

function checkTimestamp(microseconds, value) {
    if (microseconds < MIN_TIMESTAMP || microseconds >= END_TIMESTAMP)
        throw new BloomFilterError('22008', `timestamp out of range: "${value}"`);
    return microseconds;
}

function toTimestamp(value, family) {
    const sign = infinity(value);

    if (sign !== 0)
        return sign < 0 ? MIN_INT8 : MAX_INT8;
    if (family === TIMESTAMPTZ && value instanceof Date) {
        const milliseconds = Date.prototype.getTime.call(value) - EPOCH;
        if (Number.isNaN(milliseconds))
            throw new BloomFilterError('22008', 'timestamp out of range: "Invalid Date"');
        return checkTimestamp(BigInt(milliseconds) * 1000n, value);
    }
    if (typeof value !== 'string')
        mismatch(family, value, value instanceof Date ? TIMESTAMP_HINT : undefined);
    const fields = family === TIMESTAMPTZ ?
        parse(TIMESTAMPTZ_FORM, value, 'timestamp with time zone') :
        parse(TIMESTAMP_FORM, value, 'timestamp');
    return checkTimestamp(BigInt(toDays(fields, value)) * DAY + toMicroseconds(fields, value) -
        toZone(fields, value), value);
}

// ---------- bytes ----------

/** What holds bytes, as a Uint8Array. */
export function asBytes(value) {
    if (value instanceof Uint8Array)
        return value;
    if (value instanceof ArrayBuffer)
        return new Uint8Array(value);
    return value instanceof DataView ?
        new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

function toBytea(value) {
    return asBytes(value) ?? mismatch(BYTEA, value,
        typeof value === 'string' ? 'Give a Uint8Array: whether a string is text or digits is not known.' : undefined);
}

export const UUID_BYTES = 16;

// Of uuids in another form than the usual one.
const UUID_FORM = /^(?:(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}|\{(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}\})$/i;

function toUuid(value) {
    if (typeof value === 'string') {
        if (!UUID_FORM.test(value))
            throw new BloomFilterError('22P02', `invalid input syntax for type uuid: "${value}"`);
        const digits = value.replace(/[-{}]/g, '');
        return Uint8Array.from({ length: 16 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
    }
    const bytes = asBytes(value) ?? mismatch(UUID, value);
    if (bytes.length !== UUID_BYTES)
        throw new BloomFilterError('22P03', `a uuid has ${UUID_BYTES} bytes, not ${bytes.length}`);
    return bytes;
}

/** The type of one byte. */
function toChar(value) {
    const bytes = typeof value === 'string' ? Uint8Array.from(value, (c) => c.charCodeAt(0)) :
        asBytes(value) ?? mismatch(CHAR, value);

    // the server takes the first byte of a string, which is not all of it
    if (bytes.length !== 1 || (typeof value === 'string' && value.charCodeAt(0) >= 0x80))
        throw new BloomFilterError('22001', 'value of type "char" must be one byte');
    return bytes;
}

// ---------- to the module ----------

function toText(value, family) {
    if (typeof value !== 'string')
        mismatch(family, value, typeof value === 'number' || typeof value === 'bigint' ?
            'Give it as a string: String(value).' : undefined);
    return value;
}

// The module does so where the filter is one of bpchar: not in one of text, nor
// before the first value tells.
function withoutBlanks(text) {
    let { length } = text;

    while (length > 0 && text[length - 1] === ' ')
        length--;
    return text.slice(0, length);
}

/** Test, add or hash a value, which must be of that family: what is one of `has`, `add` and `hash`. */
export function callWithValue(what, pointer, family, value) {
    switch (family) {
        case INTEGER:
            return what.word8(pointer, toInteger(value));
        case FLOAT:
            return what.float8(pointer, typeof value === 'number' ? value : mismatch(FLOAT, value));
        case TEXT:
        case BPCHAR: {
            const text = toText(value, family);
            const length = writeText(family === BPCHAR ? withoutBlanks(text) : text);
            return what.text(pointer, written, length);
        }
        case BOOLEAN: {
            const length = writeBytes([typeof value === 'boolean' ? Number(value) : mismatch(BOOLEAN, value)]);
            return what.bytes(pointer, written, length);
        }
        case DATE:
            return what.word4(pointer, toDate(value));
        case OID:
            return what.word4(pointer, toOid(value));
        case TIME:
            return what.word8(pointer, toTime(value));
        case TIMESTAMP:
        case TIMESTAMPTZ:
            return what.word8(pointer, toTimestamp(value, family));
        case UUID:
            if (typeof value !== 'string' || !writeUuid(value))
                writeBytes(toUuid(value));
            return what.bytes(pointer, written, UUID_BYTES);
        case BYTEA:
        case CHAR: {
            const length = writeBytes(family === BYTEA ? toBytea(value) : toChar(value));
            return what.bytes(pointer, written, length);
        }
        default:
            // with a hash of its own: the module says why not
            return requireAccepts(pointer, TEXT);
    }
}
