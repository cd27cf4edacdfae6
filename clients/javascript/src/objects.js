// Filters as objects of JavaScript: shown, not cloned, freed at the end of a block.

/** What node's util.inspect() shows of a filter; free() left no filter behind. */
export function inspected(name, filter, options, inspect) {
    let facts;

    try {
        const { elementType, representation } = filter;
        facts = { elementType, representation };
    } catch {
        return `${name} { freed }`;
    }
    return `${name} ${inspect(facts, options)}`;
}

/** Own property of every filter: what copies an object's properties has nothing to copy of one. */
export function refusesClone() {
    return Symbol('a filter is not cloned: send toBytes()');
}

// The engine's symbol, or one of nobody's.
export const DISPOSE = Symbol.dispose ?? Symbol('Symbol.dispose');
export const INSPECT = Symbol.for('nodejs.util.inspect.custom');
