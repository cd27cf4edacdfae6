"""Tables of script/bench oltp."""

import math

from document import facts, fill, read_facts, read_tsv, table
from report import number, reached, where

# Where random pages cost what the server assumes of disks, or of memory; and where hash tables and sorts spill as well.
SETTINGS = {"4": {"random_page_cost": "4"}, "1.1": {"random_page_cost": "1.1"}, "2-256kB": {"random_page_cost": "2", "work_mem": "256kB"}}
# bloomfilter.join_filters
WAYS = {"off": "off", "filters": "on"}
PLANNED = ("setting", "queries", "filters", *(f"{way}_planning_ms" for way in WAYS))
COLUMNS = ("setting", "seed", "form", "tables") + tuple(f"{way}_{what}" for what in ("cpu_ms", "pages", "timeout", "all_cpu_ms") for way in WAYS)

# Most of the processor time without filters, in the geometric mean and in all.
IN_ALL = 0.95
# A query is slower if both are more; and faster below.
SLOWER, SLOWER_MS, FASTER = 1.5, 20, 0.67
# The tables name so many of the worst and of the best.
NAMED = 10
NOT_MEASURED = "Not measured yet."


def setting_name(setting):
    return ", ".join(f"{name} {value}" for name, value in SETTINGS[setting].items())


def is_slower(off_ms, on_ms):
    return on_ms > SLOWER * off_ms and on_ms - off_ms > SLOWER_MS


class Compared:
    """The queries of a setting that were measured with filters and without."""

    def __init__(self, planned, rows):
        self.planned = planned
        self.name = setting_name(planned["setting"])
        mine = [row for row in rows if row["setting"] == planned["setting"]]
        self.done = sorted((row for row in mine if row["off_cpu_ms"] and row["filters_cpu_ms"]), key=self.ratio)
        self.late = {way: [row["seed"] for row in mine if row[f"{way}_timeout"]] for way in WAYS}
        self.only_late = [seed for seed in self.late["filters"] if seed not in self.late["off"]]
        self.off = sum(float(row["off_cpu_ms"]) for row in self.done)
        self.on = sum(float(row["filters_cpu_ms"]) for row in self.done)

    def times(self, row):
        return float(row["off_cpu_ms"]), float(row["filters_cpu_ms"])

    def ratio(self, row):
        off, on = self.times(row)
        return on / off

    def mean(self):
        return math.exp(sum(math.log(self.ratio(row)) for row in self.done) / len(self.done))

    def slower(self):
        return sum(is_slower(*self.times(row)) for row in self.done)

    def slower_at_all(self):
        return sum(self.ratio(row) > SLOWER for row in self.done)

    def faster(self):
        return sum(self.ratio(row) < FASTER for row in self.done)

    def is_reached(self):
        return self.mean() <= IN_ALL and self.on <= IN_ALL * self.off and not self.slower() and not self.only_late

    def planning(self):
        return float(self.planned["off_planning_ms"]), float(self.planned["filters_planning_ms"])


def compared(directory):
    """All that have something to compare."""
    rows = read_tsv(directory / "times.tsv")
    found = [Compared(planned, rows) for planned in read_tsv(directory / "planned.tsv")]
    return [each for each in found if each.done]


def named(each, row):
    off, on = each.times(row)
    return f"{each.ratio(row):.3g} ({number(off)} → {number(on)} ms, seed {row['seed']})"


def targets_table(found):
    lines = []
    for each in found:
        seeds = f" (seeds {', '.join(each.only_late)})" if each.only_late else ""
        lines += [(f"{each.name}: geometric mean", f"≤ {IN_ALL}", f"{each.mean():.3f}", reached(each.mean() <= IN_ALL)),
                  (f"{each.name}: all {len(each.done)}", f"≤ {IN_ALL}", f"{each.on / each.off:.3f}", reached(each.on <= IN_ALL * each.off)),
                  (f"{each.name}: slower by {SLOWER} × and {SLOWER_MS} ms", "0", each.slower(), reached(not each.slower())),
                  (f"{each.name}: timed out with filters only", "0", f"{len(each.only_late)}{seeds}", reached(not each.only_late))]
    return table(("processor time with filters, × without", "target", "measured", "reached"), lines)


def totals_table(found):
    lines = []
    for each in found:
        off, on = each.planning()
        lines.append((each.name, f"{int(each.planned['filters']):,} of {int(each.planned['queries']):,}", len(each.done), f"{each.mean():.2f}",
                      f"{each.on / each.off:.2f} ({each.off / 1000:.1f} → {each.on / 1000:.1f} s)", f"{each.slower_at_all()} ({each.slower()})",
                      each.faster(), named(each, each.done[-1]), named(each, each.done[0]), f"{on / off:.2f} ({off / 1000:.1f} → {on / 1000:.1f} s)",
                      "reached" if each.is_reached() else "**missed**"))
    return table(("setting", "found", "measured", "× CPU, geometric mean", "× CPU, all", f"above {SLOWER} (and {SLOWER_MS} ms)",
                  f"below {FASTER}", "worst", "best", "× planning of all", "targets"), lines)


def named_table(each):
    """The worst, then the best."""
    worst = each.done[:-NAMED - 1:-1]
    best = [row for row in each.done[:NAMED] if row not in worst]
    lines = [(row["seed"], row["form"], row["tables"], *map(number, each.times(row)), f"{each.ratio(row):.3g}",
              *(f"{int(row[f'{way}_pages']):,}" for way in WAYS)) for row in worst + best]
    return f"{each.name}, the worst and the best:\n\n" + table(
        ("seed", "form", "tables", "CPU off, ms", "on, ms", "× CPU", "pages off", "on"), lines)


def late_text(each):
    return "\n\n".join(f"{each.name}: timed out {'without filters' if way == 'off' else 'with filters'}: {', '.join(seeds)}."
                       for way, seeds in each.late.items() if seeds)


def sections(directory):
    found = compared(directory)
    return list(filter(None, (facts(read_facts(directory / "machine.tsv").items()), targets_table(found), totals_table(found),
                              *map(named_table, found), *map(late_text, found))))


def page(directory):
    """The sections of docs/benchmarks.md."""
    if not directory.exists():
        return dict.fromkeys(("oltp-machine", "oltp-totals"), NOT_MEASURED)
    return {"oltp-machine": where(read_facts(directory / "machine.tsv")),
            "oltp-totals": f"{totals_table(compared(directory))}\n\n[The worst and the best queries](../bench/results/oltp/results.md)."}


def write(directory, root):
    """Into the directory, and if there is a root, into its page."""
    texts = sections(directory)
    (directory / "results.md").write_text("# Random queries of an application\n\nGenerated by `script/bench oltp`.\n" + "".join(
        f"\n{text}\n" for text in texts), encoding="utf-8")
    print("\n" + "\n\n".join(texts[1:3]) + f"\n\nResults: {directory}")
    if root:
        fill(root / "docs" / "benchmarks.md", page(directory))
        print("Updated: docs/benchmarks.md")
