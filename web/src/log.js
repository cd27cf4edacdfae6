// log.js: the list of what was tried in Play, the latest first.
import { byId, element, onClick } from './dom.js';

// Older lines are dropped.
const MAX_LINES = 500;

export function startLog() {
    onClick('log-clear', () => byId('log').replaceChildren());
}

export function log(line) {
    const list = byId('log');

    list.prepend(element('li', '', line));
    if (list.children.length > MAX_LINES)
        list.lastChild.remove();
}
