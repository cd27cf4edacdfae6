"""The short tables of docs/benchmarks.md, from the TSV files of a run.

The complete ones are made by report.py.  Those of join filters are made by
joins.py and skip.py, those of known sets by workloads_report.py.
"""

import os
from pathlib import Path

from document import fill, table
from report import Figures, image, noise, number, parameters_section, value_text, where

# Of the complete tables.
BUILD = ("sized_id", "sized_s", "exact_id", "exact_s", "exact_1000", "array_agg", "count_distinct", "hll_id", "tdigest_id")
BASELINES = ("modulo", "max_id")
MEMORY = ("exact.1000", "exact.1000000", "exact.16000000", "repeated_large", "sized.16000000", "array.16000000")
STORED = (("10k", "10,000 values"), ("1m", "1,000,000 values"), ("10m", "10,000,000 values"))
LOOPS = (("1k", "1 kB"), ("1m", "1 MB"), ("10m", "10 MB"))
WORKERS = (("1", "1 worker and the leader"), ("2", "2 workers and the leader"))


def machine_section(figures):
    return f"{where(figures.machine)} {noise(figures)}"


def values_section(figures):
    """What building and testing takes for each value, by their number."""
    rows = [(int(row["key"].partition(".")[2]), *(figures.value("scaling", row["key"].replace("sized", key))
                                                  for key in ("sized", "exact", "test")))
            for row in figures.value_group("scaling") if row["key"].startswith("sized.")]
    rows.append((int(figures.value("headline", "items")), figures.value("headline", "build_ns"), None,
                 figures.value("headline", "test_ns")))
    return image("RESULTS/scaling", "Time per value against the number of values") + "\n\n" + \
        table(("values", "filter, MB", "build with `expected_items`, ns", "build right-sized, ns", "test, ns"),
              [(f"{items:,}", number(figures.value("sizes", f"bits.{items}") * items / 8e6),
                *("" if value is None else number(value) for value in values)) for items, *values in rows])


def build_section(figures):
    rows = [figures.row(group, key) for group, keys in (("baselines", BASELINES), ("build", BUILD)) for key in keys
            if figures.has(group, key)]
    return table(("statement", "ms", "× `count(*)`"),
                 [(row["label"], number(row["median_ms"]), f"{float(row['ratio']):.2f}") for row in rows])


def stored_section(figures):
    every = table(["every row, × the same filter in memory"] + [title for _, title in STORED],
                  [[label] + [f"{figures.ratio(f'stored.{size}', key):.2f}" for size, _ in STORED]
                   for key, label in (("subselect", "`WHERE bloom_contains((SELECT f …), id)`"),
                                      ("join", "`FROM t JOIN filters ON bloom_contains(f, id)`"))])
    one = table(("one filter of 10,000,000 values (12 MB)", "µs", "buffers"),
                [(label, number(figures.value("lookup", f"{key}_us")), f"{figures.value('lookup', buffers):,.0f}")
                 for key, buffers, label in (("explain", "buffers", "one value tested"),
                                             ("few", "few_buffers", "nine values, `bloom_contains_any`"),
                                             ("whole", "whole_buffers", "for comparison: the whole filter read"))])
    many = table(("one value against each of many filters", "times as fast as reading them whole", "buffers per filter", "read whole"),
                 [(title, number(figures.ratio(f"many.{size}", "detoast")),
                   *(number(figures.value(f"many.{size}", f"{key}_buffers")) for key in ("contains", "detoast")))
                  for size, title in (("12k", "10,000 values (12 kB)"), ("124k", "100,000 values (124 kB)"))])
    return "\n\n".join((every, one, many))


def loops_section(figures):
    def cells(key):
        return [number(figures.ms("loops", f"{key}_{size}") * 1e3) for size, _ in LOOPS]

    alone = number(figures.ms("loops", "hash") * 1e3)
    return table(["µs per turn of the loop"] + [title for _, title in LOOPS], [
        ["the loop alone, `h := bloom_hash(x)`"] + [alone] * len(LOOPS),
        ["`f := bloom_add(f, x)`"] + cells("add"),
        ["`f := bloom_add_all(f, array)`, 100 values"] + cells("add_all"),
        ["`f := f | g`, g of one value"] + cells("union"),
        ["a row of an aggregate made of `bloom_add`"] + cells("aggregate")])


def parallel_section(figures):
    rows = []
    for row in figures.group("parallel"):
        key, workers = row["key"].split(".")
        if workers == "0":
            rows.append([row["label"].rsplit(",", 1)[0]] + [
                f"{figures.ms('parallel', row['key']) / figures.ms('parallel', f'{key}.{more}'):.2f}" for more, _ in WORKERS])
    return table(["times as fast as one process"] + [title for _, title in WORKERS], rows)


def memory_section(figures):
    measured = {row["key"]: row for row in figures.value_group("memory")}
    return table(("aggregate", "peak memory"), [(measured[key]["label"], value_text(measured[key])) for key in MEMORY])


SECTIONS = {
    "machine": machine_section,
    "values": values_section,
    "build": build_section,
    "stored": stored_section,
    "loops": loops_section,
    "parameters": parameters_section,
    "parallel": parallel_section,
    "memory": memory_section,
}


def sections(directory, document):
    """Of a complete run."""
    figures = Figures(directory)
    results = Path(os.path.relpath(directory, document.parent)).as_posix()
    return {name: make(figures).replace("RESULTS", results) for name, make in SECTIONS.items()}


def write(directory, document):
    fill(document, sections(directory, document))
    print(f"Updated: {document}")
