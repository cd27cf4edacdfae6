// format.js: block and bits of a hash, as docs/format.md has them: for the
// tests to know them from another place than the code they test.
const M64 = (1n << 64n) - 1n;

/** The block of the hash, and its bits there in ascending order. */
export function blockAndBits(h, blocks, k) {
    const start = (h >> 29n) & 7n;
    const bits = [];
    let g = (h * 0x9E3779B97F4A7C15n) & M64;

    for (let i = 0n; i < k; i++) {
        if (i === 8n)
            g = ((h ^ (h >> 32n)) * 0xD6E8FEB86659FD93n) & M64;
        const word = (start + i) & 7n;
        bits.push(Number(64n * word + ((g >> (58n - 8n * word)) & 63n)));
    }
    return { block: Number(((h >> 32n) * BigInt(blocks)) >> 32n), bits: [...new Set(bits)].sort((a, b) => a - b) };
}
