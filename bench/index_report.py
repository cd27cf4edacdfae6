"""Tables of script/bench index, from the TSV files of a run."""

from dataclasses import dataclass

import outputs
from document import facts, read_facts, read_tsv, table
from report import number, reached, where

NAMES = {"none": "no index", "bloomfilter": "filter index", "btree": "B-tree", "hash": "hash", "brin": "BRIN bloom", "contrib": "contrib/bloom"}
COLUMNS = ("bloomfilter", "btree", "hash", "brin", "contrib")
# A lookup reads the first page of the index, to see whether the directory is as it was.
CHECKED_PAGES = 1


class Figures:
    def __init__(self, directory):
        self.values = {(row["group"], row["index"], row["what"]): row["value"] for row in read_tsv(directory / "values.tsv")}

    def has(self, group, kind, what):
        return (group, kind, what) in self.values

    def value(self, group, kind, what):
        return float(self.values[group, kind, what])

    def more(self, kind, what):
        """What rows take above the table alone."""
        return self.value("table", kind, what) - self.value("table", "none", what)

    def times(self, kind, what, base):
        return self.value("table", kind, what) / self.value("table", base, what)


@dataclass
class Figure:
    """A row of the table: what it is, its figure for an index, the bounds for a filter index, and what else is measured of it."""
    group: str
    label: str
    what: str
    most: float
    least: float = 0
    of: str = ""                    # "none": above the table alone; "times none", "times btree": × that

    def measured(self, figures, kind):
        if not figures.has(self.group, kind, self.what):
            return None
        if self.of.startswith("times "):
            return figures.times(kind, self.what, self.of.removeprefix("times "))
        return figures.more(kind, self.what) if self.of else figures.value(self.group, kind, self.what)

    def row(self, figures):
        measured = {kind: self.measured(figures, kind) for kind in COLUMNS}
        own = measured["bloomfilter"]
        target = f"{self.least} to {self.most}" if self.least else f"≤ {self.most:,}"
        return (self.label, target, *("–" if value is None else number(value) for value in measured.values()),
                reached(self.least <= own <= self.most))


GIGABYTES = {1: 3, 5: 14, 10: 20}
TARGETS = (
    Figure("table", "bits a row", "bits_a_row", 33),
    Figure("table", "build: processor time, × B-tree", "build_cpu_ms", 0.2, of="times btree"),
    Figure("table", "lookup of an absent key, pages", "absent_pages", 6),
    Figure("table", "lookup of one row, pages", "one_pages", 8),
    Figure("table", "lookup of 74 rows, pages", "repeated_pages", 200),
    Figure("table", "`= ANY` of 100 rows' keys, pages", "any_pages", 1200),
    Figure("table", "COPY: WAL of a row, bytes above the table alone", "copy_wal", 120, of="none"),
    Figure("table", "COPY: processor time of a row, µs above the table alone", "copy_cpu_us", 1.2, of="none"),
    Figure("table", "single INSERTs: WAL of a row, bytes above the table alone", "insert_wal", 150, of="none"),
    Figure("table", "8 clients that insert: time, × the table alone", "batches_s", 1.4, of="times none"),
    *(Figure(f"growing {size}", f"{size} GB: lookup of an absent key, pages, {label}", f"{what}_pages", most)
      for size, most in GIGABYTES.items() for label, what in (("after CREATE INDEX", "built"), ("grown, after VACUUM", "grown"))),
    Figure("large", "300 million rows: bits a row", "bits_a_row", 33),
    Figure("large", "300 million rows: lookup of an absent key, pages", "absent_pages", 20),
    Figure("partitions", "365 partitions: lookup of an absent key, pages", "absent_pages", 760),
    Figure("table", "false positive rate delivered, × asked", "rate_of_asked", 1.1, 0.9),
)
TIMES = (("absent", "an absent key"), ("one", "one row"), ("repeated", "74 rows"), ("any", "`= ANY` of 100"))


def targets_table(figures):
    return table(("", "target", *(NAMES[kind] for kind in COLUMNS), "reached"),
                 [figure.row(figures) for figure in TARGETS if figure.measured(figures, "bloomfilter") is not None])


def sizes_table(figures):
    return table(("", "MB", "build, s of the processor"), [
        (f"{NAMES[kind]}, {label}", number(figures.value(group, kind, "bytes") / 1e6), number(figures.value(group, kind, "build_cpu_ms") / 1e3))
        for group, label in (("table", "one table"), ("partitions", "365 partitions"), ("large", "300 million rows"))
        for kind in COLUMNS if figures.has(group, kind, "bytes")])


def times_table(figures):
    """A lookup's milliseconds, with the planner's own choice where that is another plan."""
    def cell(group, kind, what):
        if not figures.has(group, kind, f"{what}_ms"):
            return "–"
        chosen = figures.values[group, kind, f"{what}_chosen"] == "True"
        return number(figures.value(group, kind, f"{what}_ms")) + ("" if chosen else " (not chosen)")

    return table(("lookup, ms", *(NAMES[kind] for kind in COLUMNS)), [
        (label if group == "table" else f"{name}: {label}", *(cell(group, kind, what) for kind in COLUMNS))
        for group, name in (("table", ""), ("partitions", "365 partitions"), ("large", "300 million rows"))
        for what, label in TIMES if figures.has(group, "bloomfilter", f"{what}_ms")])


def sections(directory):
    figures = Figures(directory)
    return {"index-machine": facts(read_facts(directory / "machine.tsv").items()), "index-targets": targets_table(figures),
            "index-times": times_table(figures), "index-sizes": sizes_table(figures)}


def page(directory):
    return {"index-targets": targets_table(Figures(directory)), "index-machine": where(read_facts(directory / "machine.tsv"))}


def write(directory, root):
    """Into the directory, and if there is a root, into its page."""
    texts = sections(directory)
    outputs.write("index", "Filter indexes", directory, root, texts, list(texts)[1:], page)
