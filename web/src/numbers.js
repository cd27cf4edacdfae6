// numbers.js: how numbers are written on the page, and read from its fields.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const percentage = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 3 });

// Smaller rates are only said to be smaller.
const TINY_RATE = 1e-7;

/** 1234567 as "1,234,567" */
export function count(n) {
    return whole.format(n);
}

/** "1 value", "2 values" */
export function counted(n, singular, plural = singular + 's') {
    return `${count(n)} ${Number(n) === 1 ? singular : plural}`;
}

/** With three digits that count: 9.936 as "9.94" */
export function digits(x) {
    return short.format(x);
}

/** 0.00987 as "0.987 %" */
export function percent(x) {
    return x > 0 && x < TINY_RATE ? `less than ${exactPercent(TINY_RATE)}` : exactPercent(x);
}

/** The same, however small it is. */
export function exactPercent(x) {
    return percentage.format(x).replace('%', '\u00a0%');
}

// What pg_size_pretty goes over to the next unit at.
const MOST_BYTES = 10 * 1024;
const MOST_OF_UNIT = 20 * 1024 - 1;

/** 1241924 as "1213 kB": as the server's pg_size_pretty */
export function bytes(n) {
    if (n < MOST_BYTES)
        return `${n} bytes`;
    let halves = Math.floor(Number(n) / 512);
    const units = ['kB', 'MB', 'GB'];
    while (halves >= MOST_OF_UNIT && units.length > 1) {
        halves = Math.floor(halves / 1024);
        units.shift();
    }
    return `${Math.floor((halves + 1) / 2)} ${units[0]}`;
}

// A value longer than this is shortened where it is part of a sentence.
const MAX_SHOWN = 40;

/** A value as it is shown within a text. */
export function shown(value) {
    const characters = Array.from(value);
    return characters.length <= MAX_SHOWN ? value : `${characters.slice(0, MAX_SHOWN).join('')}…`;
}

// Powers of ten that letters behind a number stand for, as the curve's axis has them.
const LETTERS = { k: 3, m: 6, b: 9, t: 12 };

/** What stands in a field for a number of values: 1000, 1,000, 1_000, 1e3, 1K */
export function readCount(text) {
    const [, figures, letter] = /^(.*?)\s*([kmbt]?)\s*$/i.exec(text.replace(/(?<=\d)[,_\s](?=\d{3}(?!\d))/g, '')) ?? [];
    const number = figures === undefined ? null :
        readDecimal(letter && !/e/i.test(figures) ? `${figures}e${LETTERS[letter.toLowerCase()]}` : `${figures}${letter}`);
    if (number === null)
        throw new RangeError(`Give the number of values, for example 50000, 2M or 1e6.${didYouMean(meantCount(text.trim()))}`);
    return number;
}

/** And for a rate: 1 % or 0.01 */
export function readRate(text) {
    const [, rate, sign] = /^([^%]*?)\s*(%?)$/.exec(text.trim()) ?? [];
    // two powers of ten less, in the decimals: dividing would round twice
    const number = rate === undefined ? null :
        readDecimal(sign && !/e/i.test(rate) ? `${rate}e-2` : rate);
    if (number === null)
        throw new RangeError(`Give the rate as 1 % or 0.01.${didYouMean(meantRate(text.trim()))}`);
    return number;
}

/** The message about a rate, and what was probably meant by a rate of 1 and more. */
export function withRateHint(message, text) {
    const meant = /^\s*(\d+(?:\.\d+)?)\s*$/.exec(text)?.[1];
    return meant >= 1 && meant < 100 && /rate/.test(message) ? `${message}${didYouMean(`${meant} %`)}` : message;
}

// A line to put behind a message; undefined: nobody knows what was meant.
function didYouMean(meant) {
    return meant === undefined ? '' : `\nDid you mean ${meant}?`;
}

// What is meant where points or apostrophes stand between thousands, and a comma before decimals.
function meantCount(text) {
    if (/^\d{1,3}([.'’]\d{3})+$/.test(text))
        return text.replace(/[.'’]/g, ',');
    return /^\d*,\d+\s*[kmbt]$/i.test(text) ? text.replace(',', '.') : undefined;
}

function meantRate(text) {
    return /^\d*,\d+\s*%?$/.test(text) ? text.replace(',', '.') : undefined;
}

/** And for a seed: a whole number of 64 bits */
export function readSeed(text) {
    const digitsOnly = /^[+-]?\d{1,20}$/.exec(text.trim());
    const seed = digitsOnly && BigInt(text.trim().replace('+', ''));
    if (seed === null || BigInt.asIntN(64, seed) !== seed)
        throw new RangeError('Give the seed as a whole number between −2⁶³ and 2⁶³ − 1.');
    return seed;
}

function readDecimal(text) {
    return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?\s*$/i.test(text) ? Number(text) : null;
}
