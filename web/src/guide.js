// guide.js: an example to be clicked through: three words, and the three answers
// that there are: a right "maybe", a "no", and a false positive.
import { BloomFilter } from './client.js';
import { byId, onClick } from './dom.js';

// A small filter, with the seed by which the last value gets its cells from the words.
const ITEMS = 3;
const RATE = 0.3;
const SEED = 210;

const WORDS = ['apple', 'pear', 'cherry'];
const ABSENT = 'banana';
const FALSE_POSITIVE = 'fox';

/** Start the button; the functions are those of Play. */
export function startGuide({ use, addAll, check, make }) {
    // what a click does, and what the button promises before
    const steps = [
        ['Show me: add three words', () => {
            use(BloomFilter.create(ITEMS, RATE, SEED));
            addAll(WORDS, `“${WORDS.join('”, “')}”: each set its two cells.`);
        }],
        [`Next: check “${WORDS[1]}”, which was added`, () => check(WORDS[1])],
        [`Next: check “${ABSENT}”, which was not`, () => check(ABSENT)],
        [`Next: check “${FALSE_POSITIVE}”, which was not, either`, () => check(FALSE_POSITIVE)],
        ['Now with values of yours', () => {
            byId('make-form').reset();
            make();
            byId('value').focus();
            byId('value').select();
        }],
    ];
    let next = 0;

    byId('guide').textContent = steps[0][0];
    onClick('guide', () => {
        steps[next][1]();
        next = (next + 1) % steps.length;
        byId('guide').textContent = steps[next][0];
    });
}
