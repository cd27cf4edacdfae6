"""Tables of script/bench index --keys, from the TSV files of a run."""

from dataclasses import dataclass

import index_report
import outputs
from document import facts, read_facts, table
from report import number, reached, where

NAMES = {"none": "no index", "bloomfilter": "filter index", "gin": "GIN", "pending": "GIN, `fastupdate`"}


class Figures(index_report.Figures):
    def above(self, kind, what):
        """What a row that is inserted takes above the table alone."""
        return self.value("inserts", kind, what) - self.value("inserts", "none", what)

    def cell(self, group, kind, what, unit=1):
        return number(self.value(group, kind, what) / unit) if self.has(group, kind, what) else "–"

    def inserted(self, kind, what):
        return number(self.above(kind, what)) if self.has("inserts", kind, what) else "–"


@dataclass
class Target:
    """A row of the table: what it is, the most that a filter index may take of it, as a part of what GIN takes or as pages."""
    group: str
    label: str
    what: str
    most: float
    pages: bool = False

    def measured(self, figures):
        kinds = ("bloomfilter", "gin")
        if self.group == "inserts":
            return [figures.above(kind, self.what) for kind in kinds]
        return [figures.value(self.group, kind, self.what) for kind in kinds]

    def row(self, figures):
        own, gin = self.measured(figures)
        judged = own if self.pages else own / gin
        return (self.label, f"≤ {self.most}" if self.pages else f"≤ {self.most} ×", number(own), number(gin),
                "–" if self.pages else f"{judged:.3f} ×", reached(judged <= self.most))


TARGETS = (
    Target("lines", "lines: size, bits a row", "bits_a_row", 0.10),
    Target("packages", "packages: size, bits a row", "bits_a_row", 0.10),
    Target("lines", "lines: build, ms of the processor", "build_cpu_ms", 0.10),
    Target("inserts", "lines inserted: processor time of a row, µs above the table alone", "cpu_us", 0.15),
    Target("inserts", "lines inserted: WAL of a row, bytes above the table alone", "wal", 0.13),
    Target("lines", "lookup of an absent word, pages", "absent_pages", 12, pages=True),
    Target("lines", "lookup of a word of one row, pages", "one_pages", 30, pages=True),
)
# Of a sequential scan's processor time, where three frequent words are looked up.
MOST_OF_SCAN = 0.1
LOOKUPS = (
    ("lines", "absent", "a trace id that is in no line"), ("lines", "one", "a trace id"), ("lines", "user", "a user"),
    ("lines", "level", "a user and a level"), ("lines", "either", "one of two users"),
    ("lines", "frequent", "a service, a host and a status"),
    ("packages", "absent", "packages: a word that none has"), ("packages", "one", "packages: a word of one"),
    ("packages", "ten", "packages: a word of ten"), ("packages", "together", "packages: two words of 300 to 1,000 each"),
    ("short", "one", "2,000 lines: a trace id"),
    ("trigrams", "absent", "trigrams of lines: 12 digits of a digest, in none"), ("trigrams", "one", "trigrams of lines: 12 digits of a trace id"),
    ("trigrams_packages", "absent", "trigrams of packages: letters that none has"), ("trigrams_packages", "one", "trigrams of packages: letters of a word of one"),
)
TABLES = (("lines", "lines"), ("packages", "packages"), ("short", "2,000 lines"), ("trigrams", "trigrams of 200,000 lines"),
          ("trigrams_packages", "trigrams of packages"))


def scan_row(figures):
    """Three frequent words beside a sequential scan."""
    own, gin, scan = (figures.value("lines", kind, "frequent_cpu_ms") for kind in ("bloomfilter", "gin", "none"))
    return ("lookup of three frequent words, ms of the processor, × a sequential scan", f"≤ {MOST_OF_SCAN} ×", number(own), number(gin),
            f"{own / scan:.3f} ×", reached(own / scan <= MOST_OF_SCAN))


def targets_table(figures):
    rows = [target.row(figures) for target in TARGETS if figures.has(target.group, "gin", target.what)]
    if figures.has("lines", "gin", "frequent_cpu_ms"):
        rows.append(scan_row(figures))
    return table(("", "target", "filter index", "GIN", "measured", "reached"), rows)


def sizes_table(figures):
    return table(("", "table, MB", "filter index, MB", "GIN, MB", "filter index, s of the processor to build", "GIN"), [
        (label, figures.cell(group, "none", "bytes", 1e6), *(figures.cell(group, kind, "bytes", 1e6) for kind in ("bloomfilter", "gin")),
         *(figures.cell(group, kind, "build_cpu_ms", 1e3) for kind in ("bloomfilter", "gin")))
        for group, label in TABLES if figures.has(group, "gin", "bytes")])


def inserts_table(figures):
    return table(("a line inserted, above the table alone", "µs of the processor", "bytes of WAL"), [
        (NAMES[kind], figures.inserted(kind, "cpu_us"), figures.inserted(kind, "wal")) for kind in ("bloomfilter", "gin", "pending")])


def lookups_table(figures):
    """Pages and milliseconds."""
    def chosen(group, kind, what):
        return "" if figures.values[group, kind, f"{what}_chosen"] == "True" else " (not chosen)"

    return table(("lookup", "rows", "filter index, pages", "GIN, pages", "filter index, ms", "GIN, ms"), [
        (label, figures.cell(group, "gin", f"{what}_rows"),
         *(figures.cell(group, kind, f"{what}_pages") + chosen(group, kind, what) for kind in ("bloomfilter", "gin")),
         *(figures.cell(group, kind, f"{what}_ms") for kind in ("bloomfilter", "gin")))
        for group, what, label in LOOKUPS if figures.has(group, "gin", f"{what}_pages")])


def better_table(figures):
    """Where GIN is better, in processor time."""
    rows = (("three frequent words of lines, 5 lookups, ms", "lines", "frequent_cpu_ms"),
            ("ten packages by `ts_rank`, of 300 to 1,000, 10 lookups, ms", "packages", "ranked_cpu_ms"),
            ("a trace id, one lookup after another, µs each", "lines", "many_cpu_us"),
            ("a trace id of 2,000 lines, likewise, µs each", "short", "many_cpu_us"))
    return table(("processor time", "filter index", "GIN"), [
        (label, *(figures.cell(group, kind, what) for kind in ("bloomfilter", "gin")))
        for label, group, what in rows if figures.has(group, "gin", what)])


def sections(directory):
    figures = Figures(directory)
    return {"keys-machine": facts(read_facts(directory / "machine.tsv").items()), "keys-targets": targets_table(figures),
            "keys-sizes": sizes_table(figures), "keys-inserts": inserts_table(figures), "keys-lookups": lookups_table(figures),
            "keys-better": better_table(figures)}


def page(directory):
    figures = Figures(directory)
    return {"keys-machine": where(read_facts(directory / "machine.tsv")), "keys-targets": targets_table(figures),
            "keys-sizes": sizes_table(figures), "keys-inserts": inserts_table(figures), "keys-lookups": lookups_table(figures),
            "keys-better": better_table(figures)}


def write(directory, root):
    """Into the directory, and if there is a root, into its page."""
    texts = sections(directory)
    outputs.write("index --keys", "Filter indexes of keys", directory, root, texts, list(texts)[1:], page)
