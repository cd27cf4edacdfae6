// navigation.js: shows one part of the page at a time, the one that the
// address names (#play, #size, #inspect), so that links and the browser's
// "back" work.
import { byId } from './dom.js';

const PARTS = ['play', 'size', 'inspect'];

/** Show the part that the address names, now and whenever that changes. */
export function startNavigation() {
    show(false);
    addEventListener('hashchange', () => show(true));
}

/** Go to a part. */
export function goTo(part) {
    location.hash = part;
}

function show(moved) {
    const named = location.hash.slice(1);
    const part = PARTS.includes(named) ? named : PARTS[0];

    if (moved && named !== '' && part !== named)
        return;  // another anchor of the page: "skip to the content"
    for (const other of PARTS)
        byId(other).hidden = other !== part;
    for (const link of document.querySelectorAll('nav a')) {
        if (link.hash === `#${part}`)
            link.setAttribute('aria-current', 'page');
        else
            link.removeAttribute('aria-current');
    }
    if (moved)
        byId(`${part}-title`).focus();
    dispatchEvent(new CustomEvent('part', { detail: part }));
}
