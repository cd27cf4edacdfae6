"""One set of values under many seeds: rates vary as they should, and a value
that errs under one seed errs under another no more often than any."""

import numpy as np

import theory
from judge import Check, chi_square_p, count_p, figure, rate_row
from patterns import FAMILIES, PATTERNS
from server import keys

N = 10_000


def random_seed(number):
    """SQL for 64 bits that have nothing to do with another number's."""
    return f"('x' || substr(md5('seed ' || {number}), 1, 16))::bit(64)::bigint"


# Seeds that people choose, and those that a machine does.  (Those that differ
# in their upper half only are related, see adversaries.py.)
KINDS = {"0, 1, 2, ...": "w", "random": random_seed("w")}

CHOSEN = {name: {**FAMILIES, **PATTERNS}[name] for name in (
    "integer: 1, 2, 3, ...", "text: words", "uuid: counting", "numeric: 0.01, 0.02, ...")}


def measure(session, expression, seed, p, seeds, probes):
    """False positives by seed, and the number of seeds under which each
    absent value errs, and neighbouring seeds under which one errs."""
    session.rows(f"""CREATE TEMP TABLE seeded AS
        WITH a AS (SELECT array_agg(x) AS x FROM {keys(expression, 1, N)})
        SELECT w, bloom_add_all(bloom_create({N}, {p}, {seed}), a.x) AS f
        FROM a, (SELECT generate_series(0::bigint, {seeds - 1}) AS w) AS s""")
    session.rows(f"""CREATE TEMP TABLE errs AS
        SELECT w, i FROM {keys(expression, N + 1, N + probes)}, seeded WHERE f @> x""")
    found = int(session.value(
        f"SELECT count(*) FROM {keys(expression, 1, N)}, seeded WHERE f @> x"))
    by_seed = [int(e) for (e,) in session.rows("SELECT count(*) FROM errs GROUP BY w ORDER BY w")]
    by_value = [int(e) for (e,) in session.rows("SELECT count(*) FROM errs GROUP BY i")]
    neighbours = int(session.value(
        "SELECT count(*) FROM errs a, errs b WHERE a.i = b.i AND b.w = a.w + 1"))
    k, blocks = session.rows("SELECT hashes, bits / 512 FROM seeded, bloom_info(f) LIMIT 1")[0]
    session.rows("DROP TABLE seeded, errs")
    by_value += [0] * (probes - len(by_value))
    return found, np.array(by_seed), np.array(by_value), neighbours, int(k), int(blocks)


def spread_p(by_seed, probes, predicted, deviation):
    """The rates' variance: chance in the probes, and that of the filters."""
    variance = probes * predicted * (1 - predicted) + (probes * predicted * deviation) ** 2
    return chi_square_p(((by_seed - by_seed.mean()) ** 2).sum() / variance, len(by_seed) - 1)


def many_seeds(server, judge, sizes):
    cases = [(name, kind, p) for name in CHOSEN for kind in KINDS for p in (0.1, 0.01)]

    def one(session, name, kind, p):
        return name, kind, p, measure(session, CHOSEN[name], KINDS[kind], p, sizes.seeds, sizes.seed_probes)
    for name, kind, p, (found, by_seed, by_value, neighbours, k, blocks) in server.each(one, cases):
        probes, number = sizes.seed_probes, len(by_seed)
        rates = by_seed / probes
        predicted = theory.expected_rate(N, blocks, k)
        deviation = theory.relative_deviation(N, blocks, k)
        # under how many seeds a value errs: a sum of independent events
        variance = (rates * (1 - rates)).sum()
        joint = by_value @ (by_value - 1) / (number * (number - 1) * probes)
        squared = (rates.sum() ** 2 - (rates ** 2).sum()) / (number * (number - 1))
        expected_neighbours = probes * (rates[1:] * rates[:-1]).sum()
        relative = rates.std(ddof=1) / rates.mean()
        case, figures = f"{name}; {kind}", {"n": N, "asked": p, "k": k}
        judge.check(Check(
            f"{name}, seeds {kind}, {p:g}", {"all members found": found == N * number},
            [count_p(int(by_seed.sum()), predicted * probes * number, deviation / np.sqrt(number)),
             spread_p(by_seed, probes, predicted, deviation),
             chi_square_p(((by_value - by_value.mean()) ** 2).sum() / variance, probes - 1),
             count_p(neighbours, expected_neighbours)],
            [rate_row("seeds", case, int(by_seed.sum()), probes * number, expected=predicted, **figures),
             {"group": "seeds", "case": f"{case}: deviation", "measured": relative,
              "expected": np.sqrt(1 / (predicted * probes) + deviation ** 2), **figures},
             {"group": "seeds", "case": f"{case}: both of two seeds", "measured": joint,
              "expected": squared, **figures}],
            f"rate {figure(rates.mean())}, predicted {figure(predicted)}; deviation over {number} seeds "
            f"{100 * relative:.1f} %; both of two seeds {figure(joint)}, rate squared {figure(squared)}; "
            f"neighbouring seeds {neighbours} of {expected_neighbours:.0f}"))


#
# What filters differ from one another, by their bits, without probes
#

def filled(session, p, number):
    return [[float(field) for field in row] for row in session.rows(f"""
        WITH a AS (SELECT array_agg(i) AS x FROM generate_series(1, {N}) AS i)
        SELECT estimated_false_positive_rate, hashes, bits / 512
        FROM a, generate_series(1, {number}) AS w,
            bloom_info(bloom_add_all(bloom_create({N}, {p}, {random_seed("w")}), a.x))""")]


def deviations(server, judge, sizes):
    def one(session, p):
        return p, np.array(filled(session, p, sizes.seeds))
    for p, rows in server.each(one, [(p,) for p in (0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6)]):
        rates, k, blocks = rows[:, 0], int(rows[0, 1]), int(rows[0, 2])
        relative = rates.std(ddof=1) / rates.mean()
        deviation = theory.relative_deviation(N, blocks, k)
        judge.check(Check(
            f"rates as filled of {N:,} values at {p:g} under {len(rates)} seeds", {},
            [chi_square_p((len(rates) - 1) * (relative / deviation) ** 2, len(rates) - 1)],
            [{"group": "deviations", "case": "integers", "n": N, "asked": p, "k": k, "trials": len(rates),
              "measured": relative, "expected": deviation}],
            f"deviation {100 * relative:.2f} %, simulated {100 * deviation:.2f} %"))


def seeds(server, judge, sizes):
    many_seeds(server, judge, sizes)
    deviations(server, judge, sizes)
