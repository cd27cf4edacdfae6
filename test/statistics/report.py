"""Writes the tables of docs/statistics.md from the figures of a run.

	PYTHONPATH=script/python python3 test/statistics/report.py

They go between the markers <!-- begin NAME --> and <!-- end NAME -->.
"""

import math
from pathlib import Path

from document import facts, fill, read_facts, read_tsv, table


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


def deviations(rows):
    return table(("values", "n", "asked", "k", "seeds", "deviation", "simulated", "0.42 ln(1/p) / √n"),
                 [(row["case"], number(row["n"]), f"{float(row['asked']):g}", row["k"], row["trials"],
                   percent(row["measured"], 2) + flag(row), percent(row["expected"], 2),
                   percent(0.42 * math.log(1 / float(row["asked"])) / math.sqrt(float(row["n"])), 2))
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


SECTIONS = {
    "families": rates, "small": by_rate, "large": rates, "patterns": by_rate, "powers": by_rate,
    "balance": balance, "cardinality": cardinality, "seeds": seeds,
    "deviations": deviations, "attacks": attacks,
    "same_hash": same_hash, "seed_pairs": pairs, "every_seed": every_seed, "folded": rates,
}


def write(directory, path):
    rows = read_tsv(directory / "results.tsv")
    texts = {"run": facts(read_facts(directory / "run.tsv").items()), "summary": summary(rows)}
    for name, section in SECTIONS.items():
        texts[name] = section([row for row in rows if row["group"] == name])
    fill(path, texts)
    print(f"\nUpdated: {path}")


if __name__ == "__main__":
    HERE = Path(__file__).resolve().parent
    write(HERE / "results", HERE.parents[1] / "docs" / "statistics.md")
