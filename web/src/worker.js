// worker.js: the examiner, asked from the page and working beside it.
//
// The page is one file without a network, so the worker's program is the
// page's own: main.js starts the one or the other.  The worker says when it is
// ready; messages that come before are lost, since its program waits for the
// client to load.  A question is {id, name, values}, the answer {id, result} or
// {id, error}.
import * as examiner from './examiner.js';

const READY = 'ready';

/** In the worker: answer questions. */
export function answerQuestions() {
    addEventListener('message', async ({ data: { id, name, values } }) => {
        try {
            postMessage({ id, result: await examiner[name](...values) });
        } catch (error) {
            postMessage({ id, error: { message: error.message, detail: error.detail, hint: error.hint } });
        }
    });
    postMessage(READY);
}

/** In the page: start the worker.  Returns ask(name, ...values), a promise. */
export function startWorker() {
    const program = new Blob([document.getElementById('program').textContent], { type: 'text/javascript' });
    const worker = new Worker(URL.createObjectURL(program));
    const waiting = new Map();
    let last = 0;

    const ready = new Promise((resolve, reject) => {
        worker.addEventListener('error', () => reject(new Error('This browser does not let the page start its worker.')));
        worker.addEventListener('message', ({ data }) => {
            if (data === READY)
                resolve();
            else
                settle(waiting, data);
        });
    });
    ready.catch(() => {});  // whoever asks is told

    return async (name, ...values) => {
        await ready;
        return new Promise((resolve, reject) => {
            waiting.set(++last, { resolve, reject });
            worker.postMessage({ id: last, name, values });
        });
    };
}

function settle(waiting, { id, result, error }) {
    const { resolve, reject } = waiting.get(id);

    waiting.delete(id);
    if (error)
        reject(Object.assign(new Error(error.message), error));
    else
        resolve(result);
}
