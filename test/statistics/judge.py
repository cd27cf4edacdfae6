"""Decides, prints and keeps: checks, their p-values, and the figures.

Every test gives a p-value, and a check fails if one of its tests is below
LIMIT.  A run makes fewer than MOST_TESTS of them, so that a sound extension
fails a run with a probability below LIMIT * MOST_TESTS = 0.2 %.  Data and
seeds are fixed, so a run that passed passes again.
"""

import math
from dataclasses import dataclass, field

from scipy import stats

from document import write_facts, write_tsv

LIMIT = 1e-6
MOST_TESTS = 2000
CONFIDENCE = 0.999

COLUMNS = ("group", "case", "n", "asked", "k", "trials", "events", "measured", "low", "high",
           "expected", "p_value", "passed")


def two_sided(below, above):
    """Of the probabilities of at most, and of at least, what was seen."""
    return min(1.0, 2 * min(below, above))


def overdispersed(mean, relative_deviation):
    """Counts whose mean varies itself, as the rates of filters do."""
    if mean * relative_deviation ** 2 < 1e-9:
        return stats.poisson(mean)
    shape = 1 / relative_deviation ** 2
    return stats.nbinom(shape, shape / (shape + mean))


def count_p(events, mean, relative_deviation=0.0):
    counts = overdispersed(mean, relative_deviation)
    return two_sided(counts.cdf(events), counts.sf(events - 1))


def not_above_p(events, mean, relative_deviation=0.0):
    return float(overdispersed(mean, relative_deviation).sf(events - 1))


def not_below_p(events, mean, relative_deviation=0.0):
    return float(overdispersed(mean, relative_deviation).cdf(events))


def binomial_p(events, trials, probability):
    counts = stats.binom(trials, probability)
    return two_sided(counts.cdf(events), counts.sf(events - 1))


def normal_p(z):
    return float(2 * stats.norm.sf(abs(z)))


def chi_square_p(statistic, freedom):
    law = stats.chi2(freedom)
    return two_sided(law.cdf(statistic), law.sf(statistic))


def interval(events, trials):
    """Clopper and Pearson's, at CONFIDENCE."""
    tail = (1 - CONFIDENCE) / 2
    low = stats.beta.ppf(tail, events, trials - events + 1) if events else 0.0
    high = stats.beta.ppf(1 - tail, events + 1, trials - events) if events < trials else 1.0
    return float(low), float(high)


def figure(value, digits=4):
    return f"{float(value):.{digits}g}"


def rate_row(group, case, events, trials, **figures):
    """A row for events of trials, with its confidence interval."""
    low, high = interval(events, trials)
    return {"group": group, "case": case, "trials": trials, "events": events,
            "measured": events / trials, "low": low, "high": high, **figures}


@dataclass
class Check:
    name: str
    conditions: dict = field(default_factory=dict)  # exact: what must hold, and whether it does
    p_values: list = field(default_factory=list)
    rows: list = field(default_factory=list)        # for results.tsv
    shown: str = ""


class Judge:
    def __init__(self, directory):
        self.directory = directory
        self.rows = []
        self.passed = 0
        self.failed = 0
        self.tests = 0

    def check(self, check):
        p_values = [0.0 if math.isnan(p) else float(p) for p in check.p_values]
        broken = [condition for condition, holds in check.conditions.items() if not holds]
        smallest = min(p_values, default=1.0)
        passed = not broken and smallest >= LIMIT
        self.tests += len(p_values)
        self.passed += passed
        self.failed += not passed
        for row in check.rows:
            if p_values:
                row = {"p_value": smallest, **row}
            self.rows.append({**row, "passed": "yes" if passed else "no"})
        figures = [check.shown] if check.shown else []
        if p_values:
            figures.append(f"smallest p-value {figure(smallest, 2)}")
        print(f"{'ok' if passed else 'not ok'} - {check.name}: {'; '.join(figures)}", flush=True)
        for condition in broken:
            print(f"#   not so: {condition}", flush=True)

    def save(self):
        self.directory.mkdir(parents=True, exist_ok=True)
        write_tsv(self.directory / "results.tsv", COLUMNS, self.rows, digits=7)

    def save_run(self, run):
        self.save()
        write_facts(self.directory / "run.tsv", run)
