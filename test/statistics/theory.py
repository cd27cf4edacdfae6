"""What the design promises: rates, and the variance of bit counts.

Written from docs/format.md, independently of the C code.  A value sets bits
only in its own block, so a given set of bits stays unset by n values in B
blocks with probability (1 - miss/B)^n, where miss is the probability that a
value of that block sets at least one of them.
"""

import math
from collections import Counter
from functools import lru_cache

import numpy as np
from scipy import stats

WORDS = 8
WORD_BITS = 64
BLOCK_BITS = WORDS * WORD_BITS

# Blocks that are simulated at a time
CHUNK = 20_000


def uses(word, start, k):
    """How many bits a value that starts at a word sets in another."""
    place = (word - start) % WORDS
    return int(place < k) + int(place < k - WORDS)


@lru_cache(None)
def miss(k, *bits_in_words):
    """That a value of the block sets one of so many bits in each of the words."""
    unset = sum(math.prod((1 - bits / WORD_BITS) ** uses(word, start, k)
                          for word, bits in enumerate(bits_in_words))
                for start in range(WORDS)) / WORDS
    return 1 - unset


def unset(n, blocks, probability):
    return math.exp(n * math.log1p(-probability / blocks))


#
# False positives
#

@lru_cache(None)
def rate_terms(k):
    terms = Counter()
    for subset in range(1 << k):
        words = [subset >> word & 1 for word in range(WORDS)]
        terms[round(miss(k, *words), 15)] += (-1) ** sum(words)
    return terms


def loaded_block_rate(load, k):
    """The rate of blocks that hold so many values, for k > 8."""
    second = k - WORDS
    one_unset = (63 / 64 * (1 - second / 512)) ** load
    two_unset = (62 / 64 * (1 - second / 256)) ** load
    both = (1 - one_unset) / 64 + 63 / 64 * (1 - 2 * one_unset + two_unset)
    return (1 - one_unset) ** (WORDS - second) * both ** second


@lru_cache(None)
def expected_rate(n, blocks, k):
    if k <= WORDS:
        return max(0.0, sum(count * unset(n, blocks, probability)
                            for probability, count in rate_terms(k).items()))
    reach = 12 * math.sqrt(n / blocks) + 50
    loads = np.arange(max(0, int(n / blocks - reach)), min(n, int(n / blocks + reach)) + 1)
    return float(np.sum(stats.binom.pmf(loads, n, 1 / blocks) * loaded_block_rate(loads, k)))


#
# Bits
#

def bit_unset(n, blocks, k):
    return unset(n, blocks, miss(k, 1))


def two_unset_in_word(n, blocks, k):
    return unset(n, blocks, miss(k, 2))


def two_unset_in_words(n, blocks, k, distance):
    words = [0] * WORDS
    words[0] = words[distance] = 1
    return unset(n, blocks, miss(k, *words))


def bits_set_variance(n, blocks, k):
    one = bit_unset(n, blocks, k)
    block = one + (WORD_BITS - 1) * two_unset_in_word(n, blocks, k) + sum(
        WORD_BITS * two_unset_in_words(n, blocks, k, distance) for distance in range(1, WORDS))
    others = BLOCK_BITS * (blocks - 1) * unset(n, blocks, 2 * miss(k, 1))
    bits = BLOCK_BITS * blocks
    return bits * (block + others - bits * one * one)


def cardinality_deviation(n, blocks, k):
    """Of the estimate, by how steeply the number of set bits grows with n."""
    probability = miss(k, 1)
    slope = BLOCK_BITS * blocks * bit_unset(n, blocks, k) * -math.log1p(-probability / blocks)
    return math.sqrt(bits_set_variance(n, blocks, k)) / slope


def word_totals_covariance(n, blocks, k):
    """Of the numbers of set bits in words 0 to 7, over all blocks, but for a
    part that is the same for all pairs of words."""
    one = bit_unset(n, blocks, k)
    row = [WORD_BITS * (one + (WORD_BITS - 1) * two_unset_in_word(n, blocks, k))]
    row += [WORD_BITS ** 2 * two_unset_in_words(n, blocks, k, distance)
            for distance in range(1, WORDS)]
    matrix = [[row[(a - b) % WORDS] - (WORD_BITS * one) ** 2 for a in range(WORDS)]
              for b in range(WORDS)]
    return blocks * np.array(matrix)


#
# Blocks made of random numbers
#

def simulated_blocks(rng, n, blocks, k, count):
    """Loads and bits of so many blocks, some at a time."""
    for size in [CHUNK] * (count // CHUNK):
        loads = rng.binomial(n, 1 / blocks, size)
        value_block = np.repeat(np.arange(size), loads)
        start = rng.integers(WORDS, size=len(value_block))
        bits = np.zeros((size, BLOCK_BITS), dtype=bool)
        for i in range(k):
            word = (start + i) % WORDS
            bits[value_block, word * WORD_BITS +
                 rng.integers(WORD_BITS, size=len(value_block))] = True
        yield loads, bits


def simulated_popcounts(rng, n, blocks, k, count):
    return np.concatenate([bits.sum(axis=1, dtype=np.int64)
                           for _, bits in simulated_blocks(rng, n, blocks, k, count)])


def rates_as_filled(bits, k):
    """Of each of the blocks, from how full its words are."""
    fill = bits.reshape(-1, WORDS, WORD_BITS).mean(axis=2)
    return sum(math.prod(fill[:, word] ** uses(word, start, k) for word in range(WORDS))
               for start in range(WORDS)) / WORDS


@lru_cache(None)
def relative_deviation(n, blocks, k):
    """Of the rates of filters that differ in seed or values: the mean over
    blocks that vary, but hold n values together."""
    loads, bits = next(simulated_blocks(np.random.default_rng(n), n, blocks, k, CHUNK))
    rates = rates_as_filled(bits, k)
    spread = loads.var()
    explained = np.mean((rates - rates.mean()) * (loads - loads.mean())) ** 2 / spread if spread else 0
    return math.sqrt((rates.var() - explained) / blocks) / rates.mean()
