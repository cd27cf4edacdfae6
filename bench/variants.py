"""Bits per value of approximate sets and of sets of integers, and what a stable
filter forgets: builds each in memory, and writes the tables of docs/variants.md.

	/usr/bin/python3 bench/variants.py [sets] [integers] [forgetting]

Takes Debian's python3-numpy and python3-scipy, no server, and about two
minutes.  Values stand for hashes: random numbers of 64 bits, from a fixed seed,
so that every run gives the same.  A structure is sized by its authors' rules,
built from a million values, must find all of them, and is then asked for a
million others.
"""

import math
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "script/python"), str(ROOT / "test/statistics")]
sys.dont_write_bytecode = True

import theory
from document import fill, table

N = 1_000_000
RATES = (0.01, 0.001)
MASK = (1 << 64) - 1


def draw(seed, n):
    return np.random.default_rng(seed).integers(0, 1 << 64, n, dtype=np.uint64)


def mixed(hashes, number):
    """Another hash of the same value: the finalizer of SplitMix64."""
    x = hashes + np.uint64(0x9E3779B97F4A7C15 * number & MASK)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def reduced(hashes, size):
    """From 64 bits to 0 .. size - 1, by the upper 32 bits."""
    return ((hashes >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32)


def measured(bits, contains, members, strangers):
    """Bits per value and rate, of something that must find all its members."""
    if not contains(members).all():
        raise SystemExit("a member is not found")
    return bits / len(members), float(contains(strangers).mean())


#
# Sets that are never wrong about members
#

def classic(members, strangers, p):
    """Bloom 1970, with the number of hashes that takes the least space."""
    sizes = {k: math.ceil(-k * len(members) / math.log1p(-p ** (1 / k))) for k in range(1, 20)}
    k = min(sizes, key=sizes.get)
    bits = np.zeros(sizes[k], dtype=bool)
    for i in range(k):
        bits[reduced(mixed(members, i), sizes[k])] = True

    def contains(hashes):
        return np.logical_and.reduce([bits[reduced(mixed(hashes, i), sizes[k])] for i in range(k)])
    return measured(sizes[k], contains, members, strangers)


def ours_size(n, p):
    """Blocks and hashes, as docs/format.md sizes filters, for k up to 8."""
    def blocks(k):
        low, high = 1, n
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if theory.expected_rate(n, middle, k) <= p else (middle + 1, high)
        return low
    sizes = {k: blocks(k) for k in range(math.ceil(0.6 * math.log2(1 / p)), 9)}
    k = min(sizes, key=sizes.get)
    return (sizes[8], 8) if sizes[8] <= 1.01 * sizes[k] else (sizes[k], k)


def ours(members, strangers, p):
    blocks, k = ours_size(len(members), p)
    bits = np.zeros(512 * blocks, dtype=bool)

    def places(hashes):
        block = reduced(hashes, blocks)
        g = hashes * np.uint64(0x9E3779B97F4A7C15)
        start = (hashes >> np.uint64(29)) & np.uint64(7)
        for i in range(k):
            word = (start + np.uint64(i)) & np.uint64(7)
            yield block * np.uint64(512) + word * np.uint64(64) + (
                (g >> (np.uint64(58) - np.uint64(8) * word)) & np.uint64(63))
    for place in places(members):
        bits[place] = True
    return measured(512 * blocks, lambda hashes: np.logical_and.reduce([bits[place] for place in places(hashes)]),
                    members, strangers)


def golomb(members, strangers, p):
    """Putze, Sanders and Singler 2007: sorted hashes, and Golomb's code for the
    gaps.  The lengths of the codes are added up, the bits not laid out."""
    universe = round(len(members) / p)
    values = np.sort(reduced(members, universe))
    gaps = np.diff(values, prepend=np.uint64(0)).astype(np.int64)
    m = math.ceil(-1 / math.log2(1 - p))
    width = math.ceil(math.log2(m))
    short = (1 << width) - m
    bits = int((gaps // m + 1 + width - (gaps % m < short)).sum())

    def contains(hashes):
        wanted = reduced(hashes, universe)
        place = np.searchsorted(values, wanted)
        return values[np.minimum(place, len(values) - 1)] == wanted
    return measured(bits, contains, members, strangers)


#
# Fingerprints in a table of exclusive ors: values are peeled off where they are
# alone in a cell, all that are alone at a time, and written in reverse.
#

def peel(cells, size):
    """For rows of cells, rounds of (rows, the cell that each is alone in)."""
    count = np.bincount(cells.ravel(), minlength=size)
    alone = np.zeros(size, dtype=np.int64)          # exclusive or of the rows in a cell
    for column in cells.T:
        np.bitwise_xor.at(alone, column, np.arange(len(cells)))
    rounds = []
    done = 0
    free = np.flatnonzero(count == 1)
    while len(free):
        rows, first = np.unique(alone[free], return_index=True)
        rounds.append((rows, free[first]))
        done += len(rows)
        for column in cells[rows].T:
            np.subtract.at(count, column, 1)
            np.bitwise_xor.at(alone, column, rows)
        touched = np.unique(cells[rows])
        free = touched[count[touched] == 1]
    return rounds if done == len(cells) else None


def fingerprints(members, strangers, p, size, cells_of):
    width = math.ceil(math.log2(1 / p))
    for seed in range(1, 100):
        cells = cells_of(mixed(members, seed))
        rounds = peel(cells, size)
        if rounds is not None:
            break
    else:
        raise SystemExit("cannot be built")

    def fingerprint(hashes):
        return mixed(hashes, seed + 100) & np.uint64((1 << width) - 1)
    content = np.zeros(size, dtype=np.uint64)
    for rows, own in reversed(rounds):
        content[own] = fingerprint(members[rows]) ^ np.bitwise_xor.reduce(content[cells[rows]], axis=1)

    def contains(hashes):
        return np.bitwise_xor.reduce(content[cells_of(mixed(hashes, seed))], axis=1) == fingerprint(hashes)
    return measured(size * width, contains, members, strangers)


def xor(members, strangers, p):
    """Graf and Lemire 2020."""
    third = math.ceil((1.23 * len(members) + 32) / 3)

    def cells_of(hashes):
        return np.stack([reduced(mixed(hashes, 7 + i), third).astype(np.int64) + i * third
                         for i in range(3)], axis=1)
    return fingerprints(members, strangers, p, 3 * third, cells_of)


def binary_fuse(arity):
    """Graf and Lemire 2022, with the sizes of their implementation."""
    def build(members, strangers, p):
        n = len(members)
        if arity == 3:
            segment = 1 << int(math.log(n) / math.log(3.33) + 2.25)
            factor = max(1.125, 0.875 + 0.25 * math.log(1e6) / math.log(n))
        else:
            segment = 1 << int(math.log(n) / math.log(2.91) - 0.5)
            factor = max(1.075, 0.77 + 0.305 * math.log(6e5) / math.log(n))
        segments = math.ceil(round(n * factor) / segment) - (arity - 1)
        size = (segments + arity - 1) * segment

        def cells_of(hashes):
            first = reduced(hashes, segments * segment).astype(np.int64)
            rest = [(first // segment + i) * segment +
                    (mixed(hashes, i) & np.uint64(segment - 1)).astype(np.int64) for i in range(1, arity)]
            return np.stack([first, *rest], axis=1)
        return fingerprints(members, strangers, p, size, cells_of)
    return build


def cuckoo(members, strangers, p):
    """Fan, Andersen, Kaminsky and Mitzenmacher 2014: buckets of four, 95 % full.
    The other bucket is found by a difference, so that any number will do."""
    buckets = math.ceil(len(members) / 0.95 / 4)
    width = math.ceil(math.log2(2 * 4 / p))
    step = np.array(reduced(mixed(np.arange(1 << width, dtype=np.uint64), 3), buckets)).astype(np.int64)

    def fingerprint(hashes):                        # never zero, which is a free place
        return (reduced(mixed(hashes, 1), (1 << width) - 1) + np.uint64(1)).astype(np.int64)

    def bucket(hashes):
        return reduced(mixed(hashes, 2), buckets).astype(np.int64)
    steps = step.tolist()
    places = [0] * (4 * buckets)
    rng = np.random.default_rng(5)
    victims = rng.integers(0, 4, 1 << 22).tolist()
    kicks = 0
    for f, b in zip(fingerprint(members).tolist(), bucket(members).tolist()):
        if 0 not in places[4 * b:4 * b + 4]:
            b = (steps[f] - b) % buckets
        while 0 not in (four := places[4 * b:4 * b + 4]):
            kicks += 1
            if kicks == len(victims):
                raise SystemExit("cannot be built")
            place = 4 * b + victims[kicks]
            f, places[place] = places[place], f
            b = (steps[f] - b) % buckets
        places[4 * b + four.index(0)] = f
    content = np.array(places).reshape(buckets, 4)

    def contains(hashes):
        f = fingerprint(hashes)
        b = bucket(hashes)
        other = (step[f] - b) % buckets
        return ((content[b] == f[:, None]) | (content[other] == f[:, None])).any(axis=1)
    return measured(content.size * width, contains, members, strangers)


def ribbon(members, strangers, p):
    """Dillinger and Walzer 2021, the standard one, with ribbons of 128 bits."""
    width = math.ceil(math.log2(1 / p))
    size = math.ceil(1.05 * len(members))

    def equations(hashes):
        starts = reduced(mixed(hashes, 1), size - 127).tolist()
        low = mixed(hashes, 2).tolist()
        high = mixed(hashes, 3).tolist()
        results = (mixed(hashes, 4) & np.uint64((1 << width) - 1)).tolist()
        for start, upper, lower, result in zip(starts, high, low, results):
            yield start, upper << 64 | lower | 1, result
    rows = [0] * size
    results = [0] * size
    for start, row, result in equations(members):
        while row:
            shift = (row & -row).bit_length() - 1
            start += shift
            row >>= shift
            if rows[start] == 0:
                rows[start], results[start] = row, result
                break
            row ^= rows[start]
            result ^= results[start]
        else:
            if result:
                raise SystemExit("cannot be built")
    solution = [0] * (size + 128)
    columns = [0] * width                           # the next 128 bits of each column
    for i in reversed(range(size)):
        value = 0
        for c in range(width):
            columns[c] = columns[c] << 1 & (1 << 128) - 1
            bit = ((columns[c] & rows[i]).bit_count() if hasattr(int, "bit_count")
                   else bin(columns[c] & rows[i]).count("1")) & 1 ^ results[i] >> c & 1 if rows[i] else 0
            columns[c] |= bit
            value |= bit << c
        solution[i] = value
    table_of = np.array(solution, dtype=np.uint64)

    def contains(hashes):
        start = reduced(mixed(hashes, 1), size - 127).astype(np.int64)
        low, high = mixed(hashes, 2) | np.uint64(1), mixed(hashes, 3)
        value = np.zeros(len(hashes), dtype=np.uint64)
        for j in range(128):
            bit = ((low if j < 64 else high) >> np.uint64(j % 64)) & np.uint64(1)
            value ^= table_of[start + j] * bit
        return value == mixed(hashes, 4) & np.uint64((1 << width) - 1)
    return measured(size * width, contains, members, strangers)


def approximate_sets():
    members, strangers = draw(1, N), draw(2, N)
    structures = (("`bloomfilter`", ours), ("classic Bloom filter", classic),
                  ("Golomb-coded set", golomb), ("cuckoo, buckets of 4, 95 % full", cuckoo),
                  ("xor, 3 cells", xor), ("binary fuse, 3 cells", binary_fuse(3)),
                  ("binary fuse, 4 cells", binary_fuse(4)), ("ribbon of 128 bits, 95 % full", ribbon))
    rows = [["no set can do with less", *(cell for p in RATES for cell in (f"{math.log2(1 / p):.2f}", ""))]]
    for name, build in structures:
        row = [name]
        for p in RATES:
            bits, rate = build(members, strangers, p)
            row += [f"{bits:.2f}", f"{100 * rate:.3g} %"]
        print(*row, sep="\t", flush=True)
        rows.append(row)
    return table(("", "bits per value at 1 %", "rate", "bits per value at 0.1 %", "rate"), rows)


#
# Sets of integers
#

def roaring_bits(values):
    """Chambi, Lemire, Kaser and Godin 2016, as the public format specifies the
    file: for 2^16 numbers at a time an array, a bitmap or runs."""
    bits = 8 * 8
    for chunk in np.split(values, np.flatnonzero(np.diff(values >> 16)) + 1):
        runs = 1 + int((np.diff(chunk) != 1).sum())
        bits += 8 * 8 + min(16 * len(chunk), 1 << 16, 16 + 32 * runs)
    return bits


def integers():
    rows = []
    for n, each in ((10_000_000, 1), (10_000_000, 2), (10_000_000, 10), (10_000_000, 16),
                    (10_000_000, 100), (100_000_000, 1000)):
        values = np.flatnonzero(np.random.default_rng(3).random(n) < 1 / each)
        rows.append([f"every one of {n:,}" if each == 1 else f"one in {each} of {n:,}",
                     f"{n / len(values):.2f}", f"{roaring_bits(values) / len(values):.2f}"])
    return table(("numbers, at random", "bit string", "roaring bitmap"), rows)


#
# Forgetting
#

AGES = (10, 100, 1000, 3000, 7000, 9000)


def forgetting():
    """Stable filters (Deng and Rafiei 2006) in the memory of the ring of
    filters in docs/cookbook/sets-over-time.md, for each width of cells the number of hashes that remembers most:
    each value first counts down P cells, neighbours from a random one on, and
    then sets K cells to the highest count."""
    slots, capacity, p = 8, 1000, 0.01
    bits = slots * 512 * ours_size(capacity, p / slots)[0]
    rows = []
    for width in (1, 2, 3):
        runs = []
        for k in range(1, 9):
            highest, m = (1 << width) - 1, bits // width
            # P for which the share of zeros that it comes to gives the rate: their theorem 2
            root = (1 - p ** (1 / k)) ** (1 / highest)
            count_down = round(1 / ((1 / root - 1) * (1 / k - 1 / m)))
            found, rate = stable_run(m, k, count_down, highest, slots * capacity)
            print(width, k, count_down, rate, *found, sep="\t", flush=True)
            if rate <= 1.1 * p:
                runs.append((sum(found[:4]), found, rate, k, count_down))
        _, found, rate, k, count_down = max(runs)
        rows.append([f"stable, {width} bit{'s' * (width > 1)} for a cell, K = {k}, P = {count_down}",
                     f"{100 * rate:.3g} %", *(f"{100 * share:.1f} %" for share in found)])
    return table(("", "rate", *(f"{age:,} ago" for age in AGES)), rows)


def stable_run(m, k, count_down, highest, horizon):
    total = 5 * horizon
    keys = draw(9, total)
    places = np.stack([reduced(mixed(keys, i), m).astype(np.int64) for i in range(k)], axis=1)
    starts = np.random.default_rng(10).integers(0, m, total)
    cells = np.zeros(m + count_down, dtype=np.int8)     # the end wraps around
    for place, start in zip(places, starts):
        part = cells[start:start + count_down]
        np.subtract(part, 1, out=part, where=part > 0)
        if start + count_down > m:
            over = cells[:start + count_down - m]
            np.subtract(over, 1, out=over, where=over > 0)
        cells[place] = highest
    width = 1000
    found = []
    for age in AGES:
        group = places[total - age - width:total - age]
        found.append(float((cells[group] > 0).all(axis=1).mean()))
    others = draw(11, 100_000)
    probe = np.stack([reduced(mixed(others, i), m).astype(np.int64) for i in range(k)], axis=1)
    return found, float((cells[probe] > 0).all(axis=1).mean())


if __name__ == "__main__":
    document = ROOT / "docs/variants.md"
    makers = {"sets": approximate_sets, "integers": integers, "forgetting": forgetting}
    texts = {name: makers[name]() for name in sys.argv[1:] or makers}
    print(*texts.values(), sep="\n\n")
    fill(document, texts)
