"""XXH3 backwards: what someone who knows a seed can work out.

For values of 4 and 8 bytes XXH3 is one-to-one, and easily inverted.  For
longer ones it multiplies parts of the value, after an exclusive or with a
constant plus or minus the seed: where one factor is 0 the other does not
matter, and where it is 1 the product is the other factor.  The constants are
read from the header that the extension is compiled with.
"""

import re
from pathlib import Path

MASK = 2 ** 64 - 1
MULTIPLIER = 0x9FB21C651E98DF25
INVERSE = pow(MULTIPLIER, -1, 2 ** 64)
STRIPE = 64


def read_secret(path=Path("/usr/include/xxhash.h")):
    text = re.search(r"kSecret\[XXH_SECRET_DEFAULT_SIZE\]\s*=\s*\{([^}]*)\}", path.read_text(encoding="utf-8"))
    return bytes(int(byte, 16) for byte in re.findall(r"0x([0-9a-f]{2})", text[1]))


SECRET = read_secret()


def secret_word(number):
    return int.from_bytes(SECRET[8 * number:8 * number + 8], "little")


def rotate(x, bits):
    return (x << bits | x >> 64 - bits) & MASK


#
# Values of 4 and 8 bytes
#

def seed_mask(seed):
    """What a value is combined with by exclusive or; all that the seed does."""
    seed &= MASK
    swapped = int.from_bytes((seed & 0xFFFFFFFF).to_bytes(4, "little"), "big")
    return ((secret_word(1) ^ secret_word(2)) - (seed ^ swapped << 32)) & MASK


def seed_of_mask(mask):
    seed = ((secret_word(1) ^ secret_word(2)) - mask) & MASK
    swapped = int.from_bytes((seed & 0xFFFFFFFF).to_bytes(4, "little"), "big")
    return seed ^ swapped << 32


def spread(x):
    return x ^ rotate(x, 49) ^ rotate(x, 24)


def gather(x):
    """The inverse of spread(), whose 64th power is the identity."""
    for _ in range(63):
        x = spread(x)
    return x


def unmix(h, length):
    h = (h ^ h >> 28 ^ h >> 56) * INVERSE & MASK
    h = (h ^ (h >> 35) + length) * INVERSE & MASK
    return gather(h)


def integer_of_hash(h, seed):
    """The integer (a signed one) that has this hash."""
    value = rotate(unmix(h, 8) ^ seed_mask(seed), 32)
    return value - (value >> 63 << 64)


def oid_of_hash(h, seed):
    """The same for 4 bytes, or None: not every hash has one."""
    value = unmix(h, 4) ^ seed_mask(seed)
    return value >> 32 if value >> 32 == value & 0xFFFFFFFF else None


def seed_of_pair(value, h):
    """The seed under which the integer has the hash."""
    return seed_of_mask(unmix(h, 8) ^ rotate(value & MASK, 32))


def displaced_seed(seed, bit):
    """Another seed, which moves all hashes by one of few distances."""
    return seed_of_mask(seed_mask(seed) ^ gather(1 << bit))


#
# Longer values, for a seed that is known
#

def words_of_16(seed):
    """What the halves of a value of 9 to 16 bytes are combined with."""
    return ((secret_word(3) ^ secret_word(4)) + seed) & MASK, ((secret_word(5) ^ secret_word(6)) - seed) & MASK


def colliding_uuids(seed, count):
    """The second factor is 1, so the hash sees the first one only in its sum
    with its own mirror image: byte i + byte 7 - i is 255 in all of them."""
    first, second = words_of_16(seed)
    for number in range(count):
        low = number.to_bytes(4, "little")
        factor = int.from_bytes(low + bytes(255 - byte for byte in reversed(low)), "little")
        yield (factor ^ first).to_bytes(8, "little") + (1 ^ second).to_bytes(8, "little")


def colliding_strings(seed, count):
    """32 bytes: the first factor is 0, so the next eight bytes do not matter."""
    first = (secret_word(0) + seed) & MASK
    for number in range(count):
        yield first.to_bytes(8, "little") + number.to_bytes(8, "little") + bytes(16)


#
# Longer values, whatever the seed
#

# Published by T. D. Ahle, https://github.com/Cyan4973/xxHash/issues/1127: they
# collide for one of 2^10.47 seeds.
PAIR_OF_32 = (bytes.fromhex("0000000000000000000000000000000051151210404400000000008204000105"),
              bytes.fromhex("00000000000000000000000000000000aeeaedefbfbbffffffffff7dfbfffefa"))

# Above 240 bytes, the first eight of stripe n (64 bytes) are combined with word
# n of the secret plus the seed (n even), and the product of the two halves is
# summed up.  Words 0 and 12 differ in few bits, so their sums with a seed
# often differ in just these: in LOW_DIFFERENCE, and in the highest bit.
STRIPES = (0, 12)
LOW_DIFFERENCE = 0x0A0A0410


def pair_of_long():
    """Two values of 1,100 bytes.  Flipping the highest bit of both factors that
    are equal otherwise adds to one product what it takes from the other."""
    value = bytearray(1100)
    one, other = (STRIPE * stripe for stripe in STRIPES)
    value[other:other + 4] = LOW_DIFFERENCE.to_bytes(4, "little")
    flipped = bytearray(value)
    flipped[one + 7] ^= 0x80
    flipped[other + 7] ^= 0x80
    return bytes(value), bytes(flipped)


def long_pair_collides(seed):
    """By the argument above."""
    a, b = ((secret_word(stripe) + seed) & MASK for stripe in STRIPES)
    return (a ^ b) & 0xFFFFFFFF == LOW_DIFFERENCE and (a ^ b) >> 63 == 1
