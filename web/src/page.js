// page.js: starts the three parts of the page.
import { BloomFilter } from './client.js';
import { say } from './dom.js';
import { showFilter, startInspect } from './inspect.js';
import { startNavigation } from './navigation.js';
import { startPlay } from './play.js';
import { startSize } from './size.js';
import { startWorker } from './worker.js';

// Values of the example: enough for a filter that is well filled.
const EXAMPLE_VALUES = 20000;

export function startPage() {
    addEventListener('error', (event) => say('broken', `Something went wrong: ${event.message}`));
    addEventListener('unhandledrejection', (event) => say('broken', `Something went wrong: ${event.reason.message}`));
    startPlay((text) => showFilter(text, 'Play'));
    startSize();
    startInspect(startWorker(), example);
    startNavigation();
}

// Whole numbers from 1 on, in a filter made for a quarter more.
function example() {
    const filter = BloomFilter.create(EXAMPLE_VALUES * 1.25, 0.01);

    filter.addAll(Int32Array.from({ length: EXAMPLE_VALUES }, (_, i) => i + 1));
    const text = filter.toText();
    filter.free();
    return text;
}
