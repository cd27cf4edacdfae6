"""Are all bits of a filter, all words of a block and all blocks used alike?

The filters are read in their binary form, see docs/format.md.
"""

import base64

import numpy as np
from scipy import stats

import theory
from judge import Check, chi_square_p, figure
from patterns import FAMILIES, PATTERNS
from server import keys

MAGIC_BYTES = 4
CHECKSUM_BYTES = 4
HEADER_LENGTH_AT = 2

CHOSEN = {name: {**FAMILIES, **PATTERNS}[name] for name in (
    "integer: 1, 2, 3, ...", "integer: every 2^20-th plus one", "text: words",
    "text: 300 alike but for the middle", "uuid: version 7, ten to a millisecond",
    "timestamp: every second", "float8: integers", "numeric: 0.01, 0.02, ...",
    "inet: IPv4 addresses")}

LEAST_EXPECTED = 10


def dense_blocks(wire):
    """The bits of a dense filter, one row of 512 per block."""
    payload = wire[MAGIC_BYTES:-CHECKSUM_BYTES]
    start = int.from_bytes(payload[HEADER_LENGTH_AT:HEADER_LENGTH_AT + 2], "little")
    data = np.frombuffer(payload, dtype=np.uint8, offset=start)
    return np.unpackbits(data, bitorder="little").reshape(-1, theory.BLOCK_BITS)


def fetch(session, filter_sql):
    """The number of hashes, and the bits, of a dense filter."""
    ((k, text),) = session.rows(
        f"SELECT (bloom_info(f)).hashes, translate(encode(f::bytea, 'base64'), E'\\n', '') FROM {filter_sql}")
    return int(k), dense_blocks(base64.b64decode(text))


def positions_chi_square(bits, n, k):
    """Of the 64 positions of each word, how often each is set.  All pairs of
    positions of a word being alike, the centred counts are uncorrelated."""
    blocks = len(bits)
    counts = bits.sum(axis=0, dtype=np.int64).reshape(theory.WORDS, theory.WORD_BITS)
    variance = blocks * (theory.bit_unset(n, blocks, k) - theory.two_unset_in_word(n, blocks, k))
    centred = counts - counts.mean(axis=1, keepdims=True)
    return float((centred ** 2).sum() / variance), theory.WORDS * (theory.WORD_BITS - 1)


def words_chi_square(bits, n, k):
    """Of the eight words, how many bits are set in each."""
    totals = bits.sum(axis=0, dtype=np.int64).reshape(theory.WORDS, theory.WORD_BITS).sum(axis=1)
    centre = np.eye(theory.WORDS) - 1 / theory.WORDS
    covariance = centre @ theory.word_totals_covariance(n, len(bits), k) @ centre
    contrast = centre @ totals
    return float(contrast @ np.linalg.pinv(covariance, rcond=1e-9) @ contrast), theory.WORDS - 1


def classes(expected):
    """Where to cut a histogram so that no class expects too little."""
    cuts, total = [0], 0.0
    for value, count in enumerate(expected):
        total += count
        if total >= LEAST_EXPECTED:
            cuts.append(value + 1)
            total = 0.0
    return cuts[:-1]


def homogeneity(seen, sample):
    """The homogeneity statistic of two samples of different size."""
    total_seen, total_sample = seen.sum(), sample.sum()
    difference = seen * np.sqrt(total_sample / total_seen) - sample * np.sqrt(total_seen / total_sample)
    return float((difference ** 2 / (seen + sample)).sum())


def popcounts_chi_square(bits, n, k, rng, simulated):
    """Of the blocks, how many bits each has set, against simulated blocks."""
    seen = np.bincount(bits.sum(axis=1, dtype=np.int64), minlength=theory.BLOCK_BITS + 1)
    sample = np.bincount(theory.simulated_popcounts(rng, n, len(bits), k, simulated),
                         minlength=theory.BLOCK_BITS + 1)
    cuts = classes(np.minimum(seen, sample))
    seen, sample = np.add.reduceat(seen, cuts), np.add.reduceat(sample, cuts)
    return homogeneity(seen, sample), len(cuts) - 1


def loads(session, expression, n, blocks):
    """How many blocks hold 0, 1, 2, ... values, by bloom_hash."""
    rows = session.rows(f"""SELECT load, count(*) FROM
        (SELECT count(*) AS load FROM {keys(expression, 1, n)}
         GROUP BY (bloom_hash(x) >> 32 & 4294967295) * {blocks} >> 32) AS b GROUP BY 1""")
    histogram = np.zeros(n + 1)
    for load, count in rows:
        histogram[int(load)] = int(count)
    histogram[0] = blocks - histogram.sum()
    return histogram


def loads_chi_squares(histogram, n, blocks):
    """Of the blocks, how many values each has: their variance, and the whole
    distribution against the binomial one."""
    values, mean = np.arange(n + 1), n / blocks
    dispersion = float((histogram * (values - mean) ** 2).sum() / mean)
    expected = blocks * stats.binom.pmf(values, n, 1 / blocks)
    cuts = classes(expected)
    seen, expected = np.add.reduceat(histogram, cuts), np.add.reduceat(expected, cuts)
    return (dispersion, blocks - 1), (float(((seen - expected) ** 2 / expected).sum()), len(cuts) - 1)


def balance(server, judge, sizes):
    n = sizes.balance_items
    cases = [(name, expression, p) for name, expression in CHOSEN.items() for p in (0.01, 0.001, 1e-4)]

    def one(session, name, expression, p):
        k, bits = fetch(session, f"(SELECT bloom_agg(x, {n}, {p}) AS f FROM {keys(expression, 1, n)}) AS b")
        rng = np.random.default_rng(len(name) + round(1 / p))
        dispersion, distribution = loads_chi_squares(loads(session, expression, n, len(bits)), n, len(bits))
        return name, p, k, len(bits), {
            "positions": positions_chi_square(bits, n, k), "words": words_chi_square(bits, n, k),
            "set bits per block": popcounts_chi_square(bits, n, k, rng, sizes.simulated_blocks),
            "variance of loads": dispersion, "loads": distribution}

    for name, p, k, blocks, tests in server.each(one, cases):
        p_values = {test: chi_square_p(*result) for test, result in tests.items()}
        judge.check(Check(f"{name}, {n:,} at {p:g}: {blocks:,} blocks", {}, p_values.values(),
                    [{"group": "balance", "case": f"{name}: {test}", "n": n, "asked": p, "k": k,
                      "measured": statistic, "expected": freedom, "p_value": p_values[test]}
                     for test, (statistic, freedom) in tests.items()],
                    ", ".join(f"{test} {figure(statistic)}/{freedom}"
                              for test, (statistic, freedom) in tests.items())))
