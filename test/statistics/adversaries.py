"""Values chosen to do harm: against a seed that is known, against one that is
secret, and whatever the seed is.

A check passes if the filter behaves as docs/statistics.md and
docs/statistics-measured.md say, for better or worse.
"""

import random

import numpy as np

import theory
import xxh3
from judge import Check, binomial_p, chi_square_p, count_p, figure, rate_row
from patterns import FAMILIES
from server import keys

SECRET_SEEDS = 20
N = 10_000
RATE = 0.01


def seeds_from(name, count):
    rng = random.Random(name)
    return [rng.getrandbits(64) - 2 ** 63 for _ in range(count)]


def array(values, sql_type):
    return "'{" + ",".join(str(value) for value in values) + f"}}'::{sql_type}[]"


def store(session, table, values, sql_type):
    """A table of the column x."""
    session.rows(f"CREATE TEMP TABLE {table} AS SELECT unnest({array(values, sql_type)}) AS x")


def positives(session, keys_table, probes_table, seeds, n):
    """Per seed: the false positives among the probes."""
    return [int(count) for (count,) in session.rows(f"""
        WITH a AS (SELECT array_agg(x) AS x FROM {keys_table}),
             f AS MATERIALIZED (SELECT s, bloom_add_all(bloom_create({n}, {RATE}, s), a.x) AS f
                                FROM a, unnest({array(seeds, 'bigint')}) AS s)
        SELECT (SELECT count(*) FROM {probes_table} WHERE f @> x) FROM f""")]


def shape(session, n):
    ((k, blocks),) = session.rows(f"SELECT hashes, bits / 512 FROM bloom_info(bloom_create({n}, {RATE}))")
    return int(k), int(blocks)


def attack(session, case, n, probes, known, secret):
    """Under the known seed the attack succeeds, under secret ones it fails:
    the rate is that of values that nobody chose."""
    k, blocks = shape(session, n)
    predicted = theory.expected_rate(n, blocks, k)
    deviation = theory.relative_deviation(n, blocks, k) / np.sqrt(len(secret))
    return Check(f"{case}: {len(secret)} secret seeds",
                 {f"all {probes:,} found under seed 0": known == probes},
                [count_p(sum(secret), predicted * probes * len(secret), deviation)],
                [rate_row("attacks", case, known, probes, n=n, asked=RATE, expected=1.0),
                 rate_row("attacks", f"{case}, secret seed", sum(secret), probes * len(secret), n=n,
                                asked=RATE, expected=predicted)],
                f"false positives under seed 0 {known / probes:.0%}, under secret seeds "
                f"{figure(sum(secret) / probes / len(secret))}, predicted {figure(predicted)}")


#
# A known seed
#

def search(session, sizes):
    """Whoever knows the filter tries values until enough err."""
    for name in ("integer: 1, 2, 3, ...", "text: 'user1', 'user2', ...", "numeric: 0.01, 0.02, ..."):
        expression = FAMILIES[name]
        session.rows(f"CREATE TEMP TABLE members AS SELECT x FROM {keys(expression, 1, N)}")
        session.rows(f"""CREATE TEMP TABLE probes AS SELECT x
            FROM {keys(expression, N + 1, N + sizes.attack_candidates)}
            WHERE (SELECT bloom_agg(x, {N}, {RATE}) FROM members) @> x""")
        count = int(session.value("SELECT count(*) FROM probes"))
        (known,) = positives(session, "members", "probes", [0], N)
        yield attack(session, f"searched values, {name.split(':')[0]}", N, count, known,
                      positives(session, "members", "probes", seeds_from(name, SECRET_SEEDS), N))
        session.rows("DROP TABLE members, probes")


def hashes_of_block(rng, block, blocks, count):
    """Hashes that belong to the block."""
    first, last = -(-(block << 32) // blocks), ((block + 1) << 32) // blocks
    return [rng.randrange(first, last) << 32 | rng.getrandbits(32) for _ in range(count)]


def block_loads(session, table, seed, blocks):
    return [int(load) for (load,) in session.rows(
        f"SELECT count(*) FROM {table} GROUP BY (bloom_hash(x, {seed}) >> 32 & 4294967295) * {blocks} >> 32")]


def one_block(session, _sizes):
    """Integers that all fall into one block, worked out without a search."""
    rng = random.Random(7)
    _, blocks = shape(session, N)
    values = [xxh3.integer_of_hash(h, 0) for h in hashes_of_block(rng, 5, blocks, 2 * N)]
    store(session, "members", values[:N], "bigint")
    store(session, "probes", values[N:], "bigint")
    known_loads = block_loads(session, "members", 0, blocks)
    seeds = seeds_from("one block", SECRET_SEEDS)
    (known,) = positives(session, "members", "probes", [0], N)
    yield attack(session, "integers for one block", N, N, known,
                  positives(session, "members", "probes", seeds, N))
    loads = [np.array(block_loads(session, "members", seed, blocks)) for seed in seeds]
    statistic = sum((load ** 2).sum() * blocks / N - N for load in loads)
    yield Check("integers for one block: blocks used", {"one under seed 0": len(known_loads) == 1},
                [chi_square_p(float(statistic), SECRET_SEEDS * (blocks - 1))], [],
                f"under seed 0 {len(known_loads)}, under secret seeds "
                f"{min(map(len, loads))} to {max(map(len, loads))} of {blocks}")

    related = xxh3.displaced_seed(0, 63)
    loads = block_loads(session, "members", related - (related >> 63 << 64), blocks)
    yield Check(f"integers for one block: seed {related}, which is related to 0",
                {"at most four blocks are used": len(loads) <= 4},
                shown=f"{len(loads)} blocks are used")
    session.rows("DROP TABLE members, probes")


def same_hash(session, sizes):
    """Values of one hash, worked out without a search."""
    for case, make, sql_type in (("uuids of one hash", xxh3.colliding_uuids, "uuid"),
                                 ("32 bytes of one hash", xxh3.colliding_strings, "bytea")):
        form = "{}" if sql_type == "uuid" else '"\\\\x{}"'
        store(session, "probes", [form.format(value.hex()) for value in make(0, sizes.colliding)], sql_type)
        seeds = seeds_from(case, SECRET_SEEDS)
        distinct = [int(count) for (count,) in session.rows(
            f"""SELECT (SELECT count(DISTINCT bloom_hash(x, s)) FROM probes)
                FROM unnest({array([0, *seeds], 'bigint')}) WITH ORDINALITY AS s (s, o) ORDER BY o""")]
        yield Check(f"{sizes.colliding:,} {case}",
                    {"one hash under seed 0": distinct[0] == 1,
                     "as many hashes as values under every secret seed":
                         set(distinct[1:]) == {sizes.colliding}},
                    rows=[{"group": "same_hash", "case": case, "trials": sizes.colliding,
                           "events": distinct[0], "measured": min(distinct[1:])}],
                    shown=f"hashes under seed 0: {distinct[0]}, under secret seeds: {min(distinct[1:]):,}")
        session.rows("DROP TABLE probes")


#
# Without knowing the seed
#

def inversion(session, sizes):
    """Values of 4 and 8 bytes: the hash is one-to-one under every seed, and
    gives both value and seed away."""
    rng = random.Random(11)
    values = [rng.getrandbits(64) - 2 ** 63 for _ in range(sizes.inverted)]
    seeds = seeds_from("inversion", len(values))
    hashes = [int(h) & xxh3.MASK for (h,) in session.rows(
        f"""SELECT bloom_hash(v, s) FROM unnest({array(values, 'bigint')}, {array(seeds, 'bigint')})
            WITH ORDINALITY AS t (v, s, o) ORDER BY o""")]
    yield Check(f"{len(values):,} integers are worked out from hash and seed", {
        "the values": [xxh3.integer_of_hash(h, s) for h, s in zip(hashes, seeds)] == values},
        shown="so no two have one hash")
    yield Check(f"{len(values):,} seeds are worked out from integer and hash", {
        "the seeds": [xxh3.seed_of_pair(v, h) for v, h in zip(values, hashes)] ==
                     [s & xxh3.MASK for s in seeds]},
        shown="so whoever sees one hash knows the seed")
    oids = [value & 0xFFFFFFFF for value in values]
    hashes = [int(h) & xxh3.MASK for (h,) in session.rows(
        f"""SELECT bloom_hash(v, s) FROM unnest({array(oids, 'oid')}, {array(seeds, 'bigint')})
            WITH ORDINALITY AS t (v, s, o) ORDER BY o""")]
    yield Check(f"{len(values):,} values of 4 bytes are worked out from hash and seed", {
        "the values": [xxh3.oid_of_hash(h, s) for h, s in zip(hashes, seeds)] == oids},
        shown="so no two have one hash")


def related_seeds(session, _sizes):
    """Seeds that differ in their upper half only permute integers within an
    aligned range: filters of the whole range have the same bits."""
    rows = session.rows("""
        WITH a AS (SELECT array_agg(i) AS x FROM generate_series(0, 65535) AS i),
             f AS (SELECT o, bloom_add_all(bloom_create(65536, 0.01, s), a.x)::bytea AS wire
                   FROM a, unnest(ARRAY[0, 1::bigint << 32, 77::bigint << 32, 1, 4711])
                        WITH ORDINALITY AS s (s, o)),
             b AS (SELECT o, substr(wire, 69, length(wire) - 72) AS bits FROM f)
        SELECT bits = (SELECT bits FROM b WHERE o = 1) FROM b ORDER BY o""")
    same = [field == "t" for (field,) in rows]
    yield Check("integers 0 to 65,535, seeds 0, 2^32, 77 * 2^32, 1 and 4711",
                {"the first three have the same bits, the others have not":
                     same == [True, True, True, False, False]},
                shown=f"same bits as with seed 0: {same}")


def pairs_for_some_seeds(session, sizes):
    """Pairs of byte strings that collide for far more seeds than one of 2^64."""
    rng = random.Random(13)
    sample = [rng.getrandbits(64) for _ in range(1_000_000)]
    of_long = sum(map(xxh3.long_pair_collides, sample)) / len(sample)
    for case, pair, expected in (("a pair of 32 bytes", xxh3.PAIR_OF_32, 2 ** -10.47),
                                 ("a pair of 1,100 bytes", xxh3.pair_of_long(), of_long)):
        one, other = (f"'\\x{value.hex()}'::bytea" for value in pair)
        events, differ = session.rows(f"""
            SELECT count(*) FILTER (WHERE bloom_hash({one}, s) = bloom_hash({other}, s)), {one} <> {other}
            FROM (SELECT ('x' || substr(md5('pair ' || i), 1, 16))::bit(64)::bigint AS s
                  FROM generate_series(1, {sizes.pair_seeds}) AS i) AS t""")[0]
        events = int(events)
        yield Check(f"{case}: seeds under which both have one hash", {"they differ": differ == "t"},
                    [binomial_p(events, sizes.pair_seeds, expected)],
                    [rate_row("seed_pairs", case, events, sizes.pair_seeds, expected=expected)],
                    f"{events:,} of {sizes.pair_seeds:,}, {figure(events / sizes.pair_seeds)}; "
                    f"expected {figure(expected)}")


def near_values(session, _sizes):
    """Byte strings that differ in one bit or two."""
    for length in (1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 32, 64, 100, 200, 300):
        last_bit = min(8 * length, 128) - 1
        values, smallest = session.rows(f"""
            WITH a AS MATERIALIZED (SELECT decode(repeat('5a', {length}), 'hex') AS x),
            b AS MATERIALIZED (
                SELECT x FROM a UNION ALL
                SELECT set_bit(x, i, 1 - get_bit(x, i)) FROM a, generate_series(0, {last_bit}) AS i),
            v AS MATERIALIZED (
                SELECT x FROM b UNION
                SELECT set_bit(x, i, 1 - get_bit(x, i)) FROM b, generate_series(0, {last_bit}) AS i)
            SELECT (SELECT count(*) FROM v), min(hashes)
            FROM (SELECT (SELECT count(DISTINCT bloom_hash(x, s)) FROM v) AS hashes
                  FROM unnest({array(seeds_from("near", 5), 'bigint')}) AS s) AS h""")[0]
        yield Check(f"bytea of {length}: values that differ in at most two bits",
                    {"no two have one hash": values == smallest},
                    shown=f"{int(values):,} values, {int(smallest):,} hashes under each of 5 seeds")


# The Thue-Morse sequence, where two values follow one another by the parity of
# the ones in the binary number of the place.
MORSE = """(SELECT array_agg(1 + (length(replace(i::bit(8)::text, '0', '')) + {}) % 2 ORDER BY i)
            FROM generate_series(0, 255) AS i)"""
SWAPPED = """(SELECT jsonb_agg(CASE i WHEN 0 THEN {0} WHEN 32 THEN 32 - {0} ELSE i END ORDER BY i)
              FROM generate_series(0, 39) AS i)"""
LONG = {
    "1, 2, 2, 1, 2, 1, 1, 2, ...": MORSE.format(0),
    "2, 1, 1, 2, 1, 2, 2, 1, ...": MORSE.format(1),
    "[0, 1, ..., 31, 32, ..., 39]": SWAPPED.format(0),
    "[32, 1, ..., 31, 0, ..., 39]": SWAPPED.format(32),
}

FOLDED_TO_32 = "64 bits are folded to 32"
SIGN = "the sign is left out"
MORSE_ORDER = "256 elements of the Thue-Morse sequence"

# Pairs of different values that have one hash under every seed, and why.
FOR_EVERY_SEED = (
    ("numeric", "5", "-5", SIGN),
    ("numeric", "'NaN'", "'Infinity'", "NaN and infinities are alike"),
    ("interval", "'1 microsecond'", "'01:11:34.967296'", FOLDED_TO_32),
    ("timetz", "'00:00:00.000001+00'", "'01:11:34.967296+00'", FOLDED_TO_32),
    ("xid8", "'1'", "'4294967296'", FOLDED_TO_32),
    ("pg_lsn", "'0/1'", "'1/0'", FOLDED_TO_32),
    ("int8[]", "'{1}'", "'{4294967296}'", FOLDED_TO_32),
    ("timestamp[]", "'{2000-01-01 00:00:00.000001}'", "'{2000-01-01 01:11:34.967296}'", FOLDED_TO_32),
    ("int8range", "'[1,)'", "'[4294967296,)'", FOLDED_TO_32),
    ("tsrange", "'[2000-01-01 00:00:00.000001,)'", "'[2000-01-01 01:11:34.967296,)'", FOLDED_TO_32),
    ("numrange", "'[-1,1]'", "'[1,1]'", SIGN),
    ("nummultirange", "'{[-1,1]}'", "'{[1,1]}'", SIGN),
    ("int4[]", "'{1,2,3,4}'", "'{{1,2},{3,4}}'", "dimensions are left out"),
    ("int4[]", "'{1,2}'", "'[0:1]={1,2}'", "lower bounds are left out"),
    ("int4[]", "1, 2, 2, 1, 2, 1, 1, 2, ...", "2, 1, 1, 2, 1, 2, 2, 1, ...", MORSE_ORDER),
    ("text[]", "1, 2, 2, 1, 2, 1, 1, 2, ...", "2, 1, 1, 2, 1, 2, 2, 1, ...", MORSE_ORDER),
    ("jsonb", "'[[1, 2]]'", "'[[1], 2]'", "where an array ends is left out"),
    ("jsonb", "'1'", "'[1]'", "a number alone counts as an array of one"),
    ("jsonb", "'{\"a\": 5}'", "'{\"a\": -5}'", SIGN),
    ("jsonb", "[0, 1, ..., 31, 32, ..., 39]", "[32, 1, ..., 31, 0, ..., 39]", "elements 0 and 32 exchanged"),
)

# Types of which we know no such pair: values that are near to one another, as
# expressions of i.
NO_PAIR_KNOWN = (
    ("inet", "inet '0.0.0.0' + i"), ("inet, IPv6", "inet '::' + (i << 32)"),
    ("cidr", "set_masklen('10.0.0.0'::cidr, (i % 32)::int + 1)"),
    ("macaddr", "lpad(to_hex(i << 8), 12, '0')::macaddr"),
    ("macaddr8", "lpad(to_hex(i << 24), 16, '0')::macaddr8"), ("citext", "('a' || i)::citext"),
    ("int4range", "int4range(i::int, (2 * i)::int)"), ("uuid", "lpad(to_hex(i << 20), 32, '0')::uuid"),
    ("int8", "i << 32 | i"), ("float8", "i::float8"),
    ("timestamptz", "timestamptz '2000-01-01' + i * interval '4294.967296 s'"))


def pairs_for_every_seed(session, _sizes):
    seeds = [0, 1, *seeds_from("every seed", 100)]
    for sql_type, one, other, why in FOR_EVERY_SEED:
        a, b = (f"({LONG.get(value, value)}::{sql_type})" for value in (one, other))
        same, equal = session.rows(f"""
            SELECT count(*) FILTER (WHERE bloom_hash(a, s) = bloom_hash(b, s)), bool_or(a = b)
            FROM (SELECT {a} AS a, {b} AS b) AS v, unnest({array(seeds, 'bigint')}) AS s""")[0]
        yield Check(f"{sql_type} {one} and {other}", {"they are different": equal == "f",
                    "they have one hash under all seeds": int(same) == len(seeds)},
                    rows=[{"group": "every_seed", "case": f"{sql_type}\x1f{one}\x1f{other}\x1f{why}",
                           "trials": len(seeds), "events": same}],
                    shown=f"one hash under {same} of {len(seeds)} seeds: {why}")
    for name, expression in NO_PAIR_KNOWN:
        values, hashes = session.rows(f"""
            WITH v AS MATERIALIZED (SELECT DISTINCT x FROM {keys(expression, 1, 20_000)})
            SELECT (SELECT count(*) FROM v), min((SELECT count(DISTINCT bloom_hash(x, s)) FROM v))
            FROM unnest({array(seeds[:3], 'bigint')}) AS s""")[0]
        yield Check(f"{name}: near values, {expression}", {"no two have one hash": values == hashes},
                    shown=f"{int(values):,} values, at least {int(hashes):,} hashes under each of 3 seeds")


#
# What folding costs without any adversary
#

FOLD = "((v # (v >> 32)) & 4294967295)"
FOLDED = {
    "xid8": "v::text::xid8",
    "pg_lsn": "'0/0'::pg_lsn + v::numeric",
    "interval": "v * interval '1 microsecond'",
    "int8[]": "ARRAY[v]",
    "int8, which is not folded": "v",
}
RANDOM_50_BITS = "(('x' || substr(md5('fold ' || i), 1, 16))::bit(64)::bigint & 1125899906842623)"


def folded(session, sizes, name, expression):
    """Random values of a type that is hashed by 32 bits of it: one value in
    2^32/n has a member's hash, at any rate that was asked for."""
    n, p, probes = sizes.folded_items, 1e-6, sizes.folded_probes
    source = f"(SELECT i, {RANDOM_50_BITS} AS v FROM generate_series(1, {n + probes}) AS i OFFSET 0) AS r"
    inherit = 0
    if not name.endswith("folded"):
        inherit = int(session.value(f"""
            SELECT count(*) FROM (SELECT {FOLD} AS h FROM {source} WHERE i > {n}) AS a
            WHERE h IN (SELECT {FOLD} FROM {source} WHERE i <= {n})"""))
    members, events, k, blocks = (int(field) for field in session.rows(f"""
        WITH f AS MATERIALIZED (SELECT bloom_agg({expression}, {n}, {p}) AS f FROM {source} WHERE i <= {n})
        SELECT c.*, hashes, bits / 512 FROM f, bloom_info(f) AS b,
            (SELECT count(*) FILTER (WHERE i <= {n}), count(*) FILTER (WHERE i > {n}) FROM {source}
             WHERE (SELECT f FROM f) @> {expression}) AS c""")[0])
    predicted = theory.expected_rate(n, blocks, k) * probes
    yield Check(f"{name}: {n:,} random values at {p:g}",
                {"all members found": members == n, "all that fold to a member found": events >= inherit},
                [count_p(events - inherit, predicted)],
                [rate_row("folded", name, events, probes, n=n, asked=p, k=k,
                                expected=n / 2 ** 32 if inherit else p)],
                f"{events} of {probes:,}, {figure(events / probes)}; {inherit} of them fold to a member; "
                f"n / 2^32 is {figure(n / 2 ** 32)}")


ATTACKS = (search, one_block, same_hash, inversion, related_seeds, pairs_for_some_seeds, near_values,
           pairs_for_every_seed)


def adversaries(server, judge, sizes):
    def one(session, measure, *arguments):
        return list(measure(session, sizes, *arguments))
    cases = [(measure,) for measure in ATTACKS] + [(folded, *case) for case in FOLDED.items()]
    for checks in server.each(one, cases):
        for check in checks:
            judge.check(check)
