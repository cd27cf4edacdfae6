"""Estimated numbers of values: bias, and spread against the theory."""

import math

import numpy as np

import theory
from judge import Check, chi_square_p, normal_p
from server import series

FILLS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


def shape(session, capacity, p):
    ((k, blocks),) = session.rows(
        f"SELECT hashes, bits / 512 FROM bloom_info(bloom_create({capacity}, {p}))")
    return int(k), int(blocks)


def estimates(session, capacity, p, items, filters):
    return np.array([float(count) for (count,) in session.rows(f"""
        SELECT bloom_cardinality(bloom_agg(i, {capacity}, {p}))
        FROM {series(0, items * filters - 1)} GROUP BY i / {items}""")])


def deviation_of_estimate(items, blocks, k):
    """The estimate is rounded to an integer, which has a variance of 1/12."""
    return math.hypot(theory.cardinality_deviation(items, blocks, k), math.sqrt(1 / 12))


def bias_p(values, truth, deviation):
    return normal_p((values.mean() - truth) / (deviation / math.sqrt(len(values))))


def spread_p(values, deviation):
    return chi_square_p((len(values) - 1) * values.var(ddof=1) / deviation ** 2, len(values) - 1)


def spread(values, truth):
    return (f"mean error {100 * (values.mean() / truth - 1):+.3f} %, "
            f"deviation {100 * values.std(ddof=1) / truth:.3f} %")


def row(case, capacity, p, k, values, truth, deviation):
    return {"group": "cardinality", "case": case, "n": capacity, "asked": p, "k": k,
            "trials": len(values), "events": truth, "measured": values.mean() / truth - 1,
            "low": values.std(ddof=1) / truth,
            "expected": deviation / truth if deviation else ""}


def single(server, judge, sizes):
    cases = [(capacity, p, round(capacity * fill), filters)
             for capacity, filters, rates in ((1_000, 10 * sizes.card_filters, (0.01,)),
                                              (10_000, sizes.card_filters, (0.1, 0.01, 0.001, 1e-4)))
             for p in rates for fill in FILLS]

    def one(session, capacity, p, items, filters):
        return (capacity, p, items, shape(session, capacity, p),
                estimates(session, capacity, p, items, filters))
    for capacity, p, items, (k, blocks), values in server.each(one, cases):
        deviation = deviation_of_estimate(items, blocks, k)
        judge.check(Check(f"{items:,} values in {len(values)} filters for {capacity:,} at {p:g}", {},
                    [bias_p(values, items, deviation), spread_p(values, deviation)],
                    [row("one filter", capacity, p, k, values, items, deviation)],
                    f"{spread(values, items)}, in theory {100 * deviation / items:.3f} %"))


#
# Of two filters
#

def pair_estimates(session, capacity, p, common, pairs):
    """Sets of as many values as the capacity, of which so many are common."""
    step = 2 * capacity - common
    rows = session.rows(f"""
        SELECT bloom_union_cardinality(a, b), bloom_intersection_cardinality(a, b)
        FROM (SELECT i / {step},
                     bloom_agg(i, {capacity}, {p}) FILTER (WHERE i % {step} < {capacity}) AS a,
                     bloom_agg(i, {capacity}, {p}) FILTER (WHERE i % {step} >= {capacity - common}) AS b
              FROM {series(0, step * pairs - 1)} GROUP BY 1) AS t""")
    return np.array(rows, dtype=float).T


def pairs(server, judge, sizes):
    capacity = 10_000
    cases = [(capacity, p, round(capacity * part), sizes.card_filters)
             for p in (0.01, 0.001, 1e-4) for part in (0.1, 0.5, 0.9)]

    def one(session, capacity, p, common, number):
        return p, common, shape(session, capacity, p), pair_estimates(session, capacity, p, common, number)
    for p, common, (k, blocks), (union, intersection) in server.each(one, cases):
        truth = 2 * capacity - common
        deviation = deviation_of_estimate(truth, blocks, k)
        judge.check(Check(f"two sets of {capacity:,} at {p:g}, {common:,} in common", {},
                    [bias_p(union, truth, deviation), spread_p(union, deviation),
                     bias_p(intersection, common, intersection.std(ddof=1))],
                    [row("union", capacity, p, k, union, truth, deviation),
                     row("intersection", capacity, p, k, intersection, common, None)],
                    f"union {spread(union, truth)}; intersection {spread(intersection, common)}"))


def cardinality(server, judge, sizes):
    single(server, judge, sizes)
    pairs(server, judge, sizes)
