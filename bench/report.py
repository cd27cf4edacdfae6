"""Complete tables and plots from the TSV files of a run.

They go to results.md beside these files.  What runs on other machines reached,
whose files are in elsewhere/ there, stands beside the targets.  The short
tables of docs/benchmarks.md are made by page.py.
"""

import math
import re

import plots
from document import facts, read_facts, read_tsv, table

SETS = (("10k", "10,000"), ("100k", "100,000"), ("1m", "1,000,000"))


class Figures:
    """The figures of a run."""

    def __init__(self, directory):
        self.times = read_tsv(directory / "times.tsv")
        self.values = read_tsv(directory / "values.tsv")
        self.machine = read_facts(directory / "machine.tsv")
        self._times = {(row["group"], row["key"]): row for row in self.times}
        self._values = {(row["group"], row["key"]): row for row in self.values}
        self.elsewhere = [Figures(other) for other in sorted(directory.glob("elsewhere/*/"))]

    def group(self, name):
        return [row for row in self.times if row["group"] == name]

    def value_group(self, name):
        return [row for row in self.values if row["group"] == name]

    def has(self, group, key):
        return (group, key) in self._times

    def row(self, group, key):
        return self._times[group, key]

    def ratio(self, group, key):
        return float(self.row(group, key)["ratio"])

    def ms(self, group, key):
        return float(self.row(group, key)["median_ms"])

    def value(self, group, key):
        return float(self._values[group, key]["value"])


#
# Text
#

def number(value, digits=3):
    """A figure with that many significant digits, or all before the point."""
    value = float(value)
    if value == 0 or abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    if abs(value) < 1e-4:
        return f"{value:.2g}"
    decimals = digits - 1
    size = abs(value)
    while size >= 10:
        size, decimals = size / 10, decimals - 1
    while size < 1:
        size, decimals = size * 10, decimals + 1
    return f"{value:.{decimals}f}"


def ratio_text(row):
    if not row["ratio"]:
        return ""
    return (f"{float(row['ratio']):.2f} "
            f"({float(row['ratio_min']):.2f} – {float(row['ratio_max']):.2f})")


def times_table(rows, base="`count(*)`", what="statement"):
    return table((what, "ms", f"× {base} (lowest – highest)"),
                 [(row["label"], number(row["median_ms"]), ratio_text(row)) for row in rows])


def value_text(row):
    value = row["value"]
    text = f"{int(value):,}" if value.isdecimal() else number(value)
    return f"{text} {row['unit'].replace('us', 'µs')}".strip()


def values_table(rows, what=""):
    return table((what, "measured"), [(row["label"], value_text(row)) for row in rows])


def image(name, description):
    return f"![{description}]({name}.svg)"


#
# Sections
#

def noise(figures):
    """How the time of one statement varied, if it was measured."""
    counts = [float(ms) for row in figures.times if row["sql"] == "SELECT count(*) FROM t"
              and not row["key"].endswith((".1", ".2")) for ms in row["all_ms"].split()]
    if not counts:
        return ""
    return (f"`SELECT count(*) FROM t` ran {len(counts)} times over the whole run and took "
            f"{number(min(counts))} to {number(max(counts))} ms, "
            f"{number(sorted(counts)[len(counts) // 2])} ms in the median.")


def machine_section(figures):
    text = facts((key, f"{int(value):,}" if value.isdecimal() else value)
                 for key, value in figures.machine.items())
    varied = noise(figures)
    if varied:
        text += f"\n\nThe noise: {varied}"
    if not figures.machine["Run"].startswith("full"):
        text = "**A quick run, for a first impression and not for comparisons.**\n\n" + text
    return text


def where(machine):
    """The machine of a run in a sentence."""
    rows = machine["Rows"] if "," in machine["Rows"] else f"{int(machine['Rows']):,}"
    return (f"{machine['Processor']}, {machine['Cores']} cores, {machine['Memory']}, {machine['Server'].partition(' (')[0]}; "
            f"{rows} rows; {machine['Date'].partition(' ')[0]}, commit {machine['Commit']}.")


def reached(condition):
    return "yes" if condition else "**no**"


def at_most(figures, work, limit, group, key):
    value = figures.ratio(group, key)
    row = figures.row(group, key)
    return (work, f"≤ {limit} ×", f"{value:.2f} × ({float(row['ratio_min']):.2f} – "
            f"{float(row['ratio_max']):.2f})", reached(value <= limit))


def targets(figures):
    """Of each target: the work, what was asked for, what was measured, whether that will do.

    Where the limits come from:
    - One value against many stored filters of 12 kB need not be faster than
      reading each whole.  Such a filter has seven pieces in its TOAST table;
      two descents of the index for the header and one block cost about as much
      as one descent and all seven pieces in a row.  A filter of 124 kB has 63.
    - Every row against a stored filter of 12 kB may take 1.4 of the same in
      memory.  A test in the first cache takes a few nanoseconds, so what
      recognizes the filter for every row, the four fields of its TOAST
      pointer, may show: runs gave 1.0 to 1.4.
    - bloom_add in a loop may take half as much again with a filter of a
      megabyte, because that does not fit in the first caches.
    - A measured rate scatters around its expectation, and filters are sized so
      that the expectation is hardly below what was asked for.  So a rate is too
      high if it exceeds that by more than twice its standard error.
    - A test against 10 or 100 million values costs an access to memory.  The
      section "Where blocks lie" tells what the best place for blocks would
      reach on the machine.
    """
    rows = [at_most(figures, "build with `expected_items`, int8", 1.9, "build", "sized_id"),
            at_most(figures, "build with `expected_items`, text", 2.4, "build", "sized_s"),
            at_most(figures, "build right-sized, int8", 2.6, "build", "exact_id")]
    for column, name, limits in (("id", "int8", (1.7, 1.8, 2.2)), ("s", "text", (2.5, 2.6, 3.0))):
        for (size, items), limit in zip(SETS, limits):
            rows.append(at_most(figures, f"test against {items} items in memory, {name}", limit,
                                f"test.{column}.{size}", "memory"))
    for items, measured, limit in (
            ("10,000,000", figures.value("scaling", "test.10000000"), 100),
            ("100,000,000", figures.value("headline", "test_ns"), 120)):
        rows.append((f"test against {items} items in memory, int8, net per row", f"≤ {limit} ns",
                     f"{number(measured)} ns", reached(measured <= limit)))
    for form, label in (("subselect", "sub-select"), ("join", "join")):
        for what, sizes, most in (("of 12 kB", ("10k",), 1.4),
                                  ("of 1 or 12 MB, the worse", ("1m", "10m"), 1.2)):
            worst = max(sizes, key=lambda size: figures.ratio(f"stored.{size}", form))
            work, limit, measured, verdict = at_most(
                figures, f"test every row against a stored filter {what}, {label}", most,
                f"stored.{worst}", form)
            rows.append((work, limit + " in memory", measured, verdict))
    lookup, buffers = figures.value("lookup", "explain_us"), figures.value("lookup", "buffers")
    rows.append(("one value against a stored 12 MB filter: time", "≤ 100 µs",
                 f"{number(lookup)} µs", reached(lookup <= 100)))
    rows.append(("one value against a stored 12 MB filter: buffers", "≤ 20",
                 f"{buffers:.0f}", reached(buffers <= 20)))
    for size, least in (("12k", 1), ("124k", 4)):
        faster = figures.ratio(f"many.{size}", "detoast")
        rows.append((f"one value against many stored filters of {size[:-1]} kB, compared with "
                     "reading each whole", f"≥ {least} × as fast", f"{faster:.2f} × as fast",
                     reached(faster >= least)))
    slower = figures.ms("loops", "add_1m") / figures.ms("loops", "add_1k")
    rows.append(("`f := bloom_add(f, x)`, per call: 1 MB filter against 1 kB",
                 "≤ 1.5 × (independent of the size)", f"{slower:.2f} ×", reached(slower <= 1.5)))
    bits = max(float(row["value"]) for row in figures.value_group("sizes")
               if row["key"].startswith("bits."))
    rows.append(("bits per item at 1 %, from 10,000 items up: the most", "≤ 10",
                 f"{bits:.3f}", reached(bits <= 10)))
    rates = delivered_rates(figures)
    worst = max(rates, key=lambda rate: rate["excess"])
    rows.append(("delivered false positive rate, mean over seeds, never above the requested one "
                 "(by more than twice the mean's standard error): the worst case",
                 f"≤ {worst['rate']:g}", f"{worst['mean']:.6f} ± {worst['error']:.6f}",
                 reached(all(rate["excess"] <= 2 for rate in rates))))
    if figures.value("headline", "items") == 100_000_000:
        size, rate, lost = (figures.value("headline", key) for key in ("bytes", "rate", "lost"))
        rows.append(("100 million values at 1 % in one filter", "≤ 125 MB",
                     f"{size / 1e6:.1f} MB", reached(size <= 125e6)))
        error = math.sqrt(rate * (1 - rate) / figures.value("headline", "probes"))
        rows.append(("its false positive rate, likewise", "≤ 0.01", f"{rate:.6f} ± {error:.6f}",
                     reached(rate <= 0.01 + 2 * error)))
        rows.append(("present values that it lost", "0", number(lost), reached(lost == 0)))
    return rows


def targets_section(figures):
    header = ["work", "target", "measured", "reached"]
    rows = targets(figures)
    notes = ""
    for other in figures.elsewhere:
        machine = other.machine
        there = {work: (measured, verdict) for work, _, measured, verdict in targets(other)}
        header += [machine["Processor"], "reached"]
        rows = [(*row, *there.get(row[0], ("", ""))) for row in rows]
        notes += (f"\n\n{machine['Processor']}: commit {machine['Commit']}, {machine['Date']}, "
                  f"{machine['System']}, {machine['Server'].partition(' (')[0]}. {noise(other)}")
    return table(header, rows) + notes


def delivered_rates(figures):
    rates = []
    for row in figures.value_group("sizes"):
        if row["key"].startswith("rate."):
            _, items, rate = row["key"].split(".", 2)
            mean = float(row["value"])
            error = figures.value("sizes", f"error.{items}.{rate}")
            rates.append({"items": int(items), "rate": float(rate), "mean": mean, "error": error,
                          "seeds": re.search(r"(\d+) seeds", row["label"]).group(1),
                          "excess": (mean - float(rate)) / error})
    return rates


def baselines_section(figures):
    return times_table(figures.group("baselines"))


def build_section(figures):
    return image("building", "Building, against other aggregates") + "\n\n" + \
        times_table(figures.group("build"))


def sets_section(figures):
    """Whole pages tell little about the memory of a small set."""
    rows = []
    for row in figures.value_group("sets"):
        name, distinct, repetitions, kind = row["key"].split(".")
        if name != "ns" or kind != "table":
            continue
        cells = [f"{int(distinct):,}", f"{int(repetitions):,}"]
        for name in ("ns", "bytes"):
            for kind in ("table", "gathering"):
                value = figures.value("sets", f"{name}.{distinct}.{repetitions}.{kind}")
                cells.append(number(value) if name == "ns" or int(distinct) >= 100_000 else "")
        rows.append(cells)
    return table(("distinct hashes", "each inserted so often", "table, ns", "as gathered, ns",
                  "table, peak bytes each", "as gathered, peak bytes each"), rows)


def test_section(figures):
    return image("testing", "Testing every row against a set") + "\n\n" + test_tables(figures)


def test_tables(figures):
    parts = []
    for column, title in (("id", "`id`, bigint"), ("s", "`s`, text of 32 characters")):
        groups = [f"test.{column}.{size}" for size, _ in SETS]
        rows = []
        for row in figures.group(groups[-1]):
            key = row["key"]
            if key != "count":
                rows.append([row["label"]] +
                            [ratio_text(figures.row(group, key)) if figures.has(group, key) else ""
                             for group in groups])
        parts.append(table([title + ": × `count(*)`"] + [f"{items} keys" for _, items in SETS],
                           rows))
    return "\n\n".join(parts)


def stored_section(figures):
    sizes = (("10k", "10,000 values"), ("1m", "1,000,000 values"), ("10m", "10,000,000 values"))
    rows = [[row["label"]] + [
        f"{number(figures.ms(f'stored.{size}', row['key']))} ms, "
        f"{figures.ratio(f'stored.{size}', row['key']):.2f} ×" for size, _ in sizes]
        for row in figures.group("stored.10k")]
    many, buffers = [], []
    for size, title in (("12k", "12 kB"), ("124k", "124 kB")):
        many += [(f"{title}: {row['label']}", number(row["median_ms"]), ratio_text(row))
                 for row in figures.group(f"many.{size}")]
        buffers += [(f"{title}: {row['label']}", number(row["value"]))
                    for row in figures.value_group(f"many.{size}")]
    return "\n\n".join([
        image("stored", "Stored filters"),
        "Every row of `t`; × the filter in memory:",
        table(["statement"] + [title for _, title in sizes], rows),
        "One value against one stored filter of 10,000,000 values:",
        values_table(figures.value_group("lookup")),
        "One value against each of many stored filters, of 10,000 values (12 kB) and of 100,000 "
        "(124 kB):",
        table(("statement", "ms", "× `bloom_contains` (lowest – highest)"), many),
        table(("from `EXPLAIN (ANALYZE, BUFFERS)`", "measured"), buffers)])


def prefilter_section(figures):
    return times_table(figures.group("prefilter"), "`count(*)` of the fact table", "query") + \
        "\n\n" + values_table(figures.value_group("prefilter"), "from `EXPLAIN (ANALYZE, BUFFERS)`")


def foreign_section(figures):
    return times_table(figures.group("foreign"), "`count(*)` there", "query") + \
        "\n\n" + values_table(figures.value_group("foreign"), "from `EXPLAIN (ANALYZE)`")


def loops_section(figures):
    return table(("per turn of the loop", "µs"),
                 [(row["label"], number(float(row["median_ms"]) * 1e3))
                  for row in figures.group("loops")])


def parameters_section(figures):
    size = figures.value("parameters", "bytes")
    rows = [(row["label"].rsplit(",", 1)[0], number(row["median_ms"]),
             number(figures.ms("parameters", row["key"].replace("custom", "generic"))))
            for row in figures.group("parameters") if row["key"].endswith(".custom")]
    return f"A filter of {size / 1e6:.1f} MB.\n\n" + table(
        ("statement in PL/pgSQL", "planned for the value, ms", "planned once, ms"), rows)


def setops_section(figures):
    size = figures.value("setops", "bytes")
    return f"Two filters of {size / 1e6:.1f} MB each.\n\n" + \
        times_table(figures.group("setops"), "`memcpy`", "operation")


def scaling_section(figures):
    rows = []
    for row in figures.value_group("scaling"):
        kind, items = row["key"].split(".")
        if kind == "sized":
            rows.append([f"{int(items):,}"] + [number(figures.value("scaling", f"{key}.{items}"))
                                               for key in ("sized", "exact", "test")])
    rows.append([f"{int(figures.value('headline', 'items')):,} (the headline, one run)",
                 number(figures.value("headline", "build_ns")), "",
                 number(figures.value("headline", "test_ns"))])
    return image("scaling", "Time per value against the number of values") + "\n\n" + \
        table(("values", "build with `expected_items`, ns", "build right-sized, ns", "test, ns"),
              rows)


def places_section(figures):
    rows = {}
    for row in figures.value_group("places"):
        key, items = row["key"].split(".")
        rows.setdefault(items, {})[key] = number(row["value"])
    return table(("values", "4 kB, as in a datum, ns", "4 kB, on cache lines, ns",
                  "huge pages, as in a datum, ns", "huge pages, on cache lines, ns"),
                 [(f"{int(items):,}", row["small"], row["small_line"], row["huge"],
                   row["huge_line"]) for items, row in rows.items()])


def parallel_section(figures):
    rows = []
    for row in figures.group("parallel"):
        key, workers = row["key"].split(".")
        if workers == "0":
            alone = figures.ms("parallel", f"{key}.0")
            cells = [row["label"].rsplit(",", 1)[0], f"{number(alone)} ms"]
            for more in (1, 2):
                helped = figures.ms("parallel", f"{key}.{more}")
                cells.append(f"{number(helped)} ms ({alone / helped:.2f})")
            rows.append(cells)
    return table(("statement (in brackets: times as fast as without workers)", "no workers",
                  "1 worker and the leader", "2 workers and the leader"), rows)


def memory_section(figures):
    return image("memory", "Peak memory of right-sized aggregation") + "\n\n" + \
        values_table(figures.value_group("memory"), "aggregate")


def sizes_section(figures):
    bits = [row for row in figures.value_group("sizes") if row["key"].startswith("bits.")]
    rates = [(f"{rate['items']:,}", f"{rate['rate']:g}", rate["seeds"], f"{rate['mean']:.6f}",
              f"{rate['error']:.6f}") for rate in delivered_rates(figures)]
    return values_table(bits) + "\n\n" + \
        table(("items", "requested", "seeds", "delivered, mean", "standard error"), rates)


def headline_section(figures):
    return values_table(figures.value_group("headline"))


# name, title, what it needs
SECTIONS = {
    "machine": ("The machine and the run", machine_section, ()),
    "targets": ("Targets", targets_section,
                ("build", "test.s.1m", "stored.10m", "many.124k", "loops", "lookup", "scaling",
                 "sizes", "headline")),
    "baselines": ("Baselines", baselines_section, ("baselines",)),
    "build": ("Building", build_section, ("build",)),
    "sets": ("Sets of hashes", sets_section, ("sets",)),
    "test": ("Testing", test_section, ("test.s.1m",)),
    "stored": ("Stored filters", stored_section, ("stored.10m", "lookup", "many.124k")),
    "prefilter": ("In front of joins", prefilter_section, ("prefilter",)),
    "foreign": ("Another server", foreign_section, ("foreign",)),
    "loops": ("PL/pgSQL loops", loops_section, ("loops",)),
    "parameters": ("Large filters as parameters", parameters_section, ("parameters",)),
    "setops": ("Whole filters", setops_section, ("setops",)),
    "scaling": ("Number of values", scaling_section, ("scaling", "headline")),
    "places": ("Where blocks lie", places_section, ("places",)),
    "parallel": ("Parallel workers", parallel_section, ("parallel",)),
    "memory": ("Memory", memory_section, ("memory",)),
    "sizes": ("Sizes and rates", sizes_section, ("sizes",)),
    "headline": ("The headline", headline_section, ("headline",)),
}


def sections(figures):
    """The texts of those sections that were measured, by name."""
    measured = {row["group"] for row in figures.times} | {row["group"] for row in figures.values}
    return {name: make(figures) for name, (_, make, needs) in SECTIONS.items()
            if measured.issuperset(needs)}


def write(directory):
    figures = Figures(directory)
    texts = sections(figures)
    plots.draw(figures, directory)
    (directory / "results.md").write_text("# Results\n\nGenerated by `script/bench`.\n" + "".join(
        f"\n## {SECTIONS[name][0]}\n\n{text}\n" for name, text in texts.items()), encoding="utf-8")
    print(f"\nResults: {directory}")
    if "targets" in texts:
        print("\n" + texts["targets"])
