// main.js: the whole program.  In the page it starts the page's three parts;
// in the worker, which the page starts with the same program, the examiner.
import { loadClient } from './client.js';
import { startPage } from './page.js';
import { answerQuestions } from './worker.js';

async function main() {
    await loadClient();
    if (typeof document === 'undefined')
        answerQuestions();
    else
        startPage();
}

main();
