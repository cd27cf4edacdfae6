// Random numbers that are the same every time.

/** A function that gives integers from 0 to n - 1: xorshift32 (Marsaglia 2003). */
export function randomFrom(seed) {
    let state = seed;

    return (n) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % n;
    };
}
