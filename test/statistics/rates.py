"""False positive rates that filters deliver, held against the rate asked for
and the one predicted; and that no member is ever missed."""

import math

import numpy as np

import theory
from judge import Check, binomial_p, count_p, figure, normal_p, not_above_p, not_below_p, rate_row
from patterns import FAMILIES, PATTERNS, POWERS
from server import keys

# The formula for k > 8 treats words as independent, which errs to the safe
# side: "measured 0.95-1.0 of the formula".
LEAST_OF_FORMULA = 0.9

# bloom_info looks at all blocks up to here, and beyond at so many; they give
# the rate to about 0.4 %.
BLOCKS_LOOKED_AT = 65536
SAMPLE_DEVIATION = 0.004


def measure(session, expression, cases, probes):
    """Filters of the first n values each, and all tests of them, in one
    statement.  Per case: members found, false positives, k, blocks, rate as
    filled."""
    most = max(n for n, _ in cases)
    filters = ", ".join(f"bloom_agg(x, {n}, {p}) FILTER (WHERE i <= {n}) AS f{c}"
                        for c, (n, p) in enumerate(cases))
    counts = ", ".join(f"count(*) FILTER (WHERE i <= {n} AND (SELECT f{c} FROM f) @> x) AS m{c}, "
                       f"count(*) FILTER (WHERE i > {n} AND (SELECT f{c} FROM f) @> x) AS h{c}"
                       for c, (n, _) in enumerate(cases))
    shown = ", ".join(f"m{c}, h{c}, i{c}.hashes, i{c}.bits / 512, i{c}.estimated_false_positive_rate"
                      for c in range(len(cases)))
    infos = ", ".join(f"bloom_info(f.f{c}) AS i{c}" for c in range(len(cases)))
    ((*fields,),) = session.rows(f"""
        WITH f AS MATERIALIZED (SELECT {filters} FROM {keys(expression, 1, most)}),
             c AS (SELECT {counts} FROM {keys(expression, 1, most + probes)})
        SELECT {shown} FROM c, f, {infos}""")
    for c, (n, p) in enumerate(cases):
        members, events, k, blocks = (int(field) for field in fields[5 * c:5 * c + 4])
        yield n, p, most + probes - n, members, events, k, blocks, float(fields[5 * c + 4])


def formula_p(events, trials, n, blocks, k):
    """Against the formula; filters vary around it."""
    predicted = theory.expected_rate(n, blocks, k)
    deviation = theory.relative_deviation(n, blocks, k)
    if k <= theory.WORDS:
        return [count_p(events, predicted * trials, deviation)]
    return [not_above_p(events, predicted * trials, deviation),
            not_below_p(events, LEAST_OF_FORMULA * predicted * trials, deviation)]


def filled_p(events, trials, blocks, as_filled):
    """Against the rate that the set bits of this very filter give."""
    if blocks <= BLOCKS_LOOKED_AT:
        return binomial_p(events, trials, as_filled)
    return count_p(events, as_filled * trials, SAMPLE_DEVIATION)


def judge_pattern(judge, group, name, results):
    conditions, p_values, rows, shown = {}, [], [], []
    for n, p, trials, members, events, k, blocks, as_filled in results:
        conditions[f"all {n:,} members found at {p} (were {members:,})"] = members == n
        p_values += formula_p(events, trials, n, blocks, k)
        p_values.append(not_above_p(events, p * trials, theory.relative_deviation(n, blocks, k)))
        p_values.append(filled_p(events, trials, blocks, as_filled))
        rows.append(rate_row(group, name, events, trials, n=n, asked=p, k=k,
                                   expected=theory.expected_rate(n, blocks, k)))
        shown.append(f"{figure(events / trials)} of {p:g}" + (f" at {n:,}" if group != "patterns" else ""))
    judge.check(Check(name, conditions, p_values, rows, ", ".join(shown)))


def run_group(server, judge, group, patterns, cases, probes):
    def one(session, name, expression):
        return name, list(measure(session, expression, cases, probes))
    for name, results in server.each(one, patterns.items()):
        judge_pattern(judge, group, name, results)


def families(server, judge, sizes):
    cases = [(n, p) for n, rates in ((1_000, (0.1, 0.01, 0.001)), (10_000, (0.01, 0.001, 1e-4)),
                                     (100_000, (0.1, 0.01, 0.001, 1e-4)),
                                     (1_000_000, (0.01, 0.001, 1e-5, 1e-6)))
             for p in rates if n <= sizes.family_items]
    run_group(server, judge, "families", FAMILIES, cases, sizes.probes)


def patterns(server, judge, sizes):
    n = sizes.pattern_items
    run_group(server, judge, "patterns", PATTERNS, [(n, p) for p in (0.1, 0.01, 0.001, 1e-4)],
              sizes.pattern_probes)


def powers(server, judge, sizes):
    run_group(server, judge, "powers", POWERS, [(sizes.power_items, p) for p in (0.01, 0.001)],
              sizes.power_probes)


def large(server, judge, sizes):
    chosen = [("integer: 1, 2, 3, ...", [(sizes.huge, 0.1), (sizes.huge, 0.01)], 2 * sizes.probes),
              ("text: 'user1', 'user2', ...", [(sizes.huge, 0.01)], 2 * sizes.probes),
              ("uuid: random", [(sizes.large, 0.01), (sizes.large, 0.001)], sizes.probes),
              ("numeric: 0.01, 0.02, ...", [(sizes.large, 0.01), (sizes.large, 0.001)], sizes.probes),
              ("timestamp: every second", [(sizes.large, 0.01), (sizes.large, 1e-4)], sizes.probes),
              ("integer: 1, 2, 3, ...", [(1_000_000, 1e-5), (1_000_000, 1e-6)], sizes.deep_probes)]

    def one(session, name, cases, probes):
        return name, list(measure(session, FAMILIES[name], cases, probes))
    for name, results in server.each(one, chosen):
        judge_pattern(judge, "large", name, results)


#
# Small filters: each differs much from the mean, so many are measured
#

def measure_many(session, expression, n, p, filters, probes):
    """Filters of n values each, tested with the same absent values."""
    session.rows(f"""CREATE TEMP TABLE many AS SELECT (i - 1) / {n} AS w, bloom_agg(x, {n}, {p}) AS f
                     FROM {keys(expression, 1, n * filters)} GROUP BY 1""")
    found = int(session.value(f"""SELECT count(*) FROM many, {keys(expression, 1, n * filters)}
                                  WHERE w = (i - 1) / {n} AND f @> x"""))
    counts = [int(events) for (events,) in session.rows(f"""
        SELECT count(*) FILTER (WHERE f @> x)
        FROM {keys(expression, n * filters + 1, n * filters + probes)}, many GROUP BY w ORDER BY w""")]
    k, blocks = (int(field) for field in session.rows(
        f"SELECT hashes, bits / 512 FROM bloom_info(bloom_create({n}, {p}))")[0])
    session.rows("DROP TABLE many")
    return found, np.array(counts), k, blocks


def mean_p(counts, probes, n, blocks, k):
    """Against the formula, by the variance that the filters themselves show."""
    mean = counts.mean() / probes
    error = max(counts.std(ddof=1), 1) / probes / math.sqrt(len(counts))
    predicted = theory.expected_rate(n, blocks, k)
    if k <= theory.WORDS or mean > predicted:
        return normal_p((mean - predicted) / error)
    return normal_p(min(0, mean - LEAST_OF_FORMULA * predicted) / error)


def small(server, judge, sizes):
    cases = [(name, n, p) for name in FAMILIES for n in (10, 100) for p in (0.1, 0.01, 0.001)]
    cases += [("integer: 1, 2, 3, ...", n, p) for n in (2, 3, 5, 1000) for p in (0.1, 0.01, 1e-4)]

    def one(session, name, n, p):
        return name, n, p, measure_many(session, FAMILIES[name], n, p, sizes.small_filters,
                                        sizes.small_probes)
    for name, n, p, (found, counts, k, blocks) in server.each(one, cases):
        events, trials = int(counts.sum()), sizes.small_probes * len(counts)
        predicted = theory.expected_rate(n, blocks, k)
        judge.check(Check(f"{name}, {len(counts)} filters of {n:,} at {p:g}",
                    {f"all members found (were {found:,} of {n * len(counts):,})":
                         found == n * len(counts),
                     f"{sizes.small_filters} filters": len(counts) == sizes.small_filters},
                    [mean_p(counts, sizes.small_probes, n, blocks, k)],
                    [rate_row("small", name, events, trials, n=n, asked=p, k=k, expected=predicted)],
                    f"{figure(events / trials)}, predicted {figure(predicted)}"))
