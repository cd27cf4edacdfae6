// dom.js: short names for what every part of the page does with its elements.

/** The element of that id. */
export function byId(id) {
    return document.getElementById(id);
}

/** A new element with a class, or '', and children: elements, or strings. */
export function element(name, className, ...children) {
    const result = document.createElement(name);
    if (className)
        result.className = className;
    result.append(...children);
    return result;
}

/** Show a message in the element, or hide it if there is none. */
export function say(id, message) {
    const target = byId(id);
    target.textContent = message ?? '';
    target.hidden = !message;
}

/** Call the handler instead of sending the form. */
export function onSubmit(id, handler) {
    byId(id).addEventListener('submit', (event) => {
        event.preventDefault();
        handler();
    });
}

export function onClick(id, handler) {
    byId(id).addEventListener('click', handler);
}

/** The colour that a variable of the style sheet has now. */
export function colour(variable) {
    return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
