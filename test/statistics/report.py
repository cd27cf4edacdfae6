"""Writes the tables of a run from its kept figures; measures nothing.

	PYTHONPATH=script/python python3 test/statistics/report.py

Every figure goes to results.md beside results.tsv.  docs/statistics-measured.md
gets condensed tables between its markers <!-- begin NAME --> and
<!-- end NAME -->.
"""

import math
import statistics
from pathlib import Path

from document import facts, fill, read_facts, read_tsv, table

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "statistics-measured.md"


def number(text):
    value = float(text)
    if value == int(value) and value >= 10:
        return f"{int(value):,}"
    return f"{value:.3g}"


def percent(text, digits=3):
    return f"{100 * float(text):.{digits}f} %"


def between(row):
    return f"{number(row['low'])} – {number(row['high'])}"


def flag(row):
    return "" if row["passed"] == "yes" else " **not ok**"


def flags(rows):
    """The flag of several figures in one cell."""
    return next(filter(None, map(flag, rows)), "")


def grouped(rows, *columns):
    """Rows by the values of some columns, in their order."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return groups


#
# Every figure, for results.md
#

def rates(rows):
    return table(("values", "n", "asked", "k", "false positives of tests", "rate", "99.9 % interval",
                  "predicted"),
                 [(row["case"], number(row["n"]), f"{float(row['asked']):g}", row["k"],
                   f"{int(row['events']):,} of {int(row['trials']):,}",
                   number(row["measured"]) + flag(row), between(row), number(row["expected"])) for row in rows])


def by_rate(rows):
    """One line per case, one column per rate: measured, in brackets predicted."""
    asked = sorted({float(row["asked"]) for row in rows}, reverse=True)
    cases = {}
    for row in rows:
        cases.setdefault((row["case"], row["n"]), {})[float(row["asked"])] = (
            f"{number(row['measured'])} ({number(row['expected'])})" + flag(row))
    return table(("values", "n", *(f"{rate:g}" for rate in asked)),
                 [(case, number(n), *(cells.get(rate, "") for rate in asked))
                  for (case, n), cells in cases.items()])


def balance(rows):
    tests = {}
    for row in rows:
        name, test = row["case"].rsplit(": ", 1)
        tests.setdefault((name, row["asked"]), {})[test] = row
    names = list(next(iter(tests.values())))
    return table(("values", "rate", *names),
                 [(name, f"{float(rate):g}",
                   *(f"{float(row['measured']):,.0f} / {row['expected']} ({float(row['p_value']):.2g})" +
                     flag(row) for row in cells.values())) for (name, rate), cells in tests.items()])


def cardinality(rows):
    return table(("of", "made for", "rate", "values", "filters", "mean error", "deviation", "in theory"),
                 [(row["case"], number(row["n"]), f"{float(row['asked']):g}", number(row["events"]),
                   row["trials"], percent(row["measured"]), percent(row["low"]),
                   percent(row["expected"]) if row["expected"] else "") for row in rows])


def seeds(rows):
    lines = {}
    for row in rows:
        name, _, part = row["case"].partition("; ")
        kind, _, quantity = part.partition(": ")
        lines.setdefault((name, kind, row["asked"]), {})[quantity or "rate"] = row

    def cell(row, shown=number):
        return f"{shown(row['measured'])} ({shown(row['expected'])})" + flag(row)
    return table(("values", "seeds", "asked", "rate (predicted)", "deviation over seeds (predicted)",
                  "both of two seeds (rate squared)"),
                 [(name, kind, f"{float(asked):g}", cell(line["rate"]),
                   cell(line["deviation"], lambda text: percent(text, 1)), cell(line["both of two seeds"]))
                  for (name, kind, asked), line in lines.items()])


def rule_of_thumb(row):
    """By how much the rates of small filters differ."""
    return percent(0.42 * math.log(1 / float(row["asked"])) / math.sqrt(float(row["n"])), 2)


def deviations(rows):
    return table(("values", "n", "asked", "k", "seeds", "deviation", "simulated", "0.42 ln(1/p) / √n"),
                 [(row["case"], number(row["n"]), f"{float(row['asked']):g}", row["k"], row["trials"],
                   percent(row["measured"], 2) + flag(row), percent(row["expected"], 2), rule_of_thumb(row))
                  for row in rows])


def attacks(rows):
    return table(("values", "false positives of tests", "rate", "99.9 % interval", "predicted"),
                 [(row["case"], f"{int(row['events']):,} of {int(row['trials']):,}",
                   number(row["measured"]) + flag(row), between(row), number(row["expected"])) for row in rows])


def same_hash(rows):
    return table(("values", "number", "hashes under seed 0", "hashes under each of 20 secret seeds"),
                 [(row["case"], number(row["trials"]), row["events"], number(row["measured"]) + flag(row))
                  for row in rows])


def every_seed(rows):
    lines = [(*row["case"].split("\x1f"), row) for row in rows]
    return table(("type", "value", "another", "why", "one hash under"),
                 [(f"`{sql_type}`", f"`{one}`", f"`{other}`", why,
                   f"{row['events']} of {row['trials']} seeds" + flag(row))
                  for sql_type, one, other, why, row in lines])


def pairs(rows):
    return table(("pair", "one hash under", "share of seeds", "99.9 % interval", "expected"),
                 [(row["case"], f"{int(row['events']):,} of {int(row['trials']):,} seeds",
                   number(row["measured"]) + flag(row), between(row), number(row["expected"])) for row in rows])


def summary(rows):
    lines = {}
    for row in rows:
        line = lines.setdefault(row["group"], {"figures": 0, "failed": 0, "smallest": 1.0})
        line["figures"] += 1
        line["failed"] += row["passed"] != "yes"
        if row["p_value"]:
            line["smallest"] = min(line["smallest"], float(row["p_value"]))
    return table(("group", "figures", "of failed checks", "smallest p-value"),
                 [(group, line["figures"], line["failed"], f"{line['smallest']:.2g}")
                  for group, line in lines.items()])


#
# Condensed, for the page
#

def span(rows, column, shown):
    """From the smallest figure to the largest one."""
    figures = sorted((row[column] for row in rows), key=float)
    return f"{shown(figures[0])} – {shown(figures[-1])}{flags(rows)}"


def matrix(rows):
    """One line per group of cases and size, one column per rate."""
    asked = sorted({float(row["asked"]) for row in rows}, reverse=True)
    lines = []
    for (_, n), cases in grouped(rows, "group", "n").items():
        by_asked = {}
        for row in cases:
            by_asked.setdefault(float(row["asked"]), []).append(row)
        kinds = sorted({len(of_rate) for of_rate in by_asked.values()})
        lines.append((number(n), " – ".join(map(str, kinds[::max(1, len(kinds) - 1)])), *(worst(by_asked[rate]) if rate in by_asked else "" for rate in asked)))
    return table(("n", "kinds", *(f"{rate:g}" for rate in asked)), lines)


def worst(rows):
    """Median and highest rate, and the predicted one."""
    measured = [float(row["measured"]) for row in rows]
    return (f"{number(statistics.median(measured))}, {number(max(measured))} "
            f"({number(rows[0]['expected'])}){flags(rows)}")


def rates_by_size(rows):
    return matrix([row for row in rows if int(row["n"]) >= 10])


def balance_by_test(rows):
    tests = {}
    for row in rows:
        tests.setdefault(row["case"].rsplit(": ", 1)[1], []).append(row)
    lines = []
    for test, cases in tests.items():
        ratios = [float(row["measured"]) / float(row["expected"]) for row in cases]
        lines.append((test, len(cases), f"{statistics.median(ratios):.2f} ({min(ratios):.2f} – {max(ratios):.2f})",
                      span(cases, "p_value", lambda text: f"{float(text):.2g}")))
    return table(("test", "cases", "chi-square / degrees of freedom", "p-values"), lines)


def cardinality_of_one(rows):
    lines = []
    for (n, asked), fills in grouped([row for row in rows if row["case"] == "one filter"], "n", "asked").items():
        worst = max((row["measured"] for row in fills), key=lambda text: abs(float(text)))
        lines.append((number(n), f"{float(asked):g}", percent(worst), span(fills, "low", percent),
                      span(fills, "expected", percent)))
    return table(("made for", "rate", "largest mean error", "deviation", "in theory"), lines)


def cardinality_of_pairs(rows):
    rows = [row for row in rows if row["case"] != "one filter"]
    shared = sorted({int(row["events"]) for row in rows if row["case"] == "intersection"})
    lines = []
    for (asked,), pairs_of_rate in grouped(rows, "asked").items():
        unions = [row for row in pairs_of_rate if row["case"] == "union"]
        lines.append((f"{float(asked):g}", span(unions, "low", percent),
                      *(percent(row["low"]) + flag(row) for count in shared for row in pairs_of_rate
                        if row["case"] == "intersection" and int(row["events"]) == count)))
    return table(("rate", "unions", *(f"{count:,} in common" for count in shared)), lines)


def seeds_by_rate(rows):
    lines = []
    for (asked,), cases in grouped(rows, "asked").items():
        parts = {"rate": [], "deviation": [], "both of two seeds": []}
        for row in cases:
            parts[row["case"].partition("; ")[2].partition(": ")[2] or "rate"].append(row)
        both = [float(row["measured"]) / float(row["expected"]) for row in parts["both of two seeds"]]
        lines.append((f"{float(asked):g}", f"{span(parts['rate'], 'measured', number)}",
                      number(parts["rate"][0]["expected"]),
                      span(parts["deviation"], "measured", lambda text: percent(text, 1)),
                      percent(parts["deviation"][0]["expected"], 1),
                      f"{min(both):.3f} – {max(both):.3f}{flags(parts['both of two seeds'])}"))
    return table(("asked", "rates", "predicted", "deviation over seeds", "predicted", "both, over rate squared"),
                 lines)


def deviations_by_rate(rows):
    return table(("asked", "k", "deviation", "simulated", "0.42 ln(1/p) / √n"),
                 [(f"{float(row['asked']):g}", row["k"], percent(row["measured"], 2) + flag(row),
                   percent(row["expected"], 2), rule_of_thumb(row)) for row in rows])


def attacks_by_seed(rows):
    secret = {row["case"].removesuffix(", secret seed"): row for row in rows if row["case"].endswith("secret seed")}
    return table(("values", "false positives, seed 0", "20 secret seeds", "predicted"),
                 [(row["case"], f"{int(row['events']):,} of {int(row['trials']):,}{flag(row)}",
                   f"{number(secret[row['case']]['measured'])}{flag(secret[row['case']])}",
                   number(secret[row["case"]]["expected"])) for row in rows if row["case"] in secret])


def pairs_in_short(rows):
    return table(("pair", "one hash under", "expected"),
                 [(row["case"], f"{int(row['events']):,} of {int(row['trials']):,} seeds{flag(row)}",
                   number(float(row["expected"]) * float(row["trials"]))) for row in rows])


def every_seed_by_reason(rows):
    reasons = {}
    for row in rows:
        sql_type, _, _, why = row["case"].split("\x1f")
        reasons.setdefault(why, []).append((sql_type, row))
    return table(("what one hash is due to", "types", "one hash under"),
                 [(why, ", ".join(dict.fromkeys(f"`{sql_type}`" for sql_type, _ in cases)),
                   f"{min(int(row['events']) for _, row in cases)} of {cases[0][1]['trials']} seeds" +
                   flags([row for _, row in cases])) for why, cases in reasons.items()])


def folded_in_short(rows):
    return table(("values", "false positives of tests", "rate", "predicted"),
                 [(row["case"], f"{int(row['events']):,} of {int(row['trials']):,}", number(row["measured"]) + flag(row),
                   number(row["expected"])) for row in rows])


# By group: its title in results.md, and the table of every figure.
SECTIONS = {
    "families": ("Filters of all families", rates),
    "small": ("Many small filters", by_rate),
    "large": ("Large filters and rare events", rates),
    "patterns": ("Patterns of keys", by_rate),
    "powers": ("Multiples of powers of two", by_rate),
    "balance": ("Balance", balance),
    "cardinality": ("Estimates", cardinality),
    "seeds": ("Seeds", seeds),
    "deviations": ("What filters of different seeds differ by", deviations),
    "attacks": ("Attacks on a known seed", attacks),
    "same_hash": ("Values of one hash", same_hash),
    "seed_pairs": ("Pairs of one hash under some seeds", pairs),
    "every_seed": ("Pairs of one hash under every seed", every_seed),
    "folded": ("Types that fold", rates),
}

# By marker of the page: the groups, and their condensed table.
CONDENSED = {
    "rates": (("small", "families", "large"), rates_by_size),
    "patterns": (("patterns", "powers"), matrix),
    "balance": (("balance",), balance_by_test),
    "one filter": (("cardinality",), cardinality_of_one),
    "two filters": (("cardinality",), cardinality_of_pairs),
    "seeds": (("seeds",), seeds_by_rate),
    "deviations": (("deviations",), deviations_by_rate),
    "attacks": (("attacks",), attacks_by_seed),
    "same_hash": (("same_hash",), same_hash),
    "seed_pairs": (("seed_pairs",), pairs_in_short),
    "every_seed": (("every_seed",), every_seed_by_reason),
    "folded": (("folded",), folded_in_short),
}


def full_text(rows, run):
    """results.md, with every figure that was measured."""
    parts = ["# Results", "Generated by `script/statistics`.", "## The run", facts(run.items()), "## Groups",
             summary(rows)]
    for (group,), figures in grouped(rows, "group").items():
        title, full = SECTIONS[group]
        parts += [f"## {title}", full(figures)]
    return "\n\n".join(parts) + "\n"


def page_texts(rows, run):
    """What stands between the markers of the page."""
    smallest = min(float(row["p_value"]) for row in rows if row["p_value"])
    texts = {"run": facts([*run.items(), ("Smallest p-value", f"{smallest:.2g}")])}
    for name, (groups, condensed) in CONDENSED.items():
        texts[name] = condensed([row for group in groups for row in rows if row["group"] == group])
    return texts


def write(directory, page=None):
    """results.md of the directory and, if it is a run of everything, the page."""
    rows, run = read_tsv(directory / "results.tsv"), read_facts(directory / "run.tsv")
    (directory / "results.md").write_text(full_text(rows, run), encoding="utf-8")
    if page:
        fill(page, page_texts(rows, run))
        print(f"\nUpdated: {page}")


if __name__ == "__main__":
    write(HERE / "results", PAGE)
