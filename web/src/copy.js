// copy.js: buttons that copy a text, and say on themselves whether it worked.
import { byId, onClick } from './dom.js';

// How long a button says what it did, in milliseconds.
const SAID_FOR = 2000;

/** Let the button copy the text that the element shows. */
export function copyOnClick(buttonId, sourceId) {
    const button = byId(buttonId);
    const label = button.textContent;

    button.setAttribute('aria-live', 'polite');
    onClick(buttonId, async () => {
        button.textContent = await copy(byId(sourceId)) ? 'Copied' : 'Selected: press Ctrl+C';
        setTimeout(() => { button.textContent = label; }, SAID_FOR);
    });
}

// Where the browser does not let it, select the text at least.
async function copy(source) {
    try {
        await navigator.clipboard.writeText(source.textContent);
        return true;
    } catch {
        getSelection().selectAllChildren(source);
        return document.execCommand('copy');
    }
}
