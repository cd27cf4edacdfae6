"""Tables of script/bench upkeep, from the TSV files of a run."""

import outputs
from document import facts, read_facts, read_tsv, table
from report import number, reached, where

NAMES = {
    "none": "the table alone",
    "unique": "unique index, `ON CONFLICT`",
    "trigger": "trigger, one filter",
    "segments64": "trigger, 64 filters by `bloom_shard`",
    "segments1024": "the same, 1,024",
    "segments8192": "the same, 8,192",
    "segments8192hot": "the same, 8,192, fillfactor 45",
    "queue": "queue, merged every 5 s",
    "index": "index, `scope = 'table'`",
    "set": "`bloom_set_add`, `bloom_set_add_all`",
}


class Figures:
    def __init__(self, directory):
        self.values = {(row["way"], row["what"]): float(row["value"]) for row in read_tsv(directory / "values.tsv")}

    def cell(self, way, what, unit=1):
        value = self.values.get((way, what))
        return "–" if value is None else number(value / unit)

    def has(self, way):
        return any(measured == way for measured, _ in self.values)


def ways_table(figures):
    def sizes(way):
        return f"{figures.cell(way, 'bytes_before', 1e6)} → {figures.cell(way, 'bytes_after', 1e6)}"

    return table(("", "rows/s, one a transaction", "WAL of a row, bytes", "rows/s, 100 a statement", "MB before → after"), [
        (name, figures.cell(way, "rows_s"), figures.cell(way, "rows_wal"), figures.cell(way, "batched_s"), "–" if way == "none" else sizes(way))
        for way, name in NAMES.items() if figures.has(way)])


def index_targets(figures):
    """What is to be of the index, the figure, and whether it is so."""
    value = figures.values
    if not figures.has("index") or not figures.has("none"):
        return []
    figure = {what: value["index", what] for way, what in value if way == "index"}
    rows = [("index: rows/s, one a transaction, × the table alone", "≥ 0.9", figure["rows_s"] / value["none", "rows_s"]),
            ("index: rows/s, 100 a statement, × the table alone", "≥ 0.9", figure["batched_s"] / value["none", "batched_s"])]
    least = [(what, target, number(share), reached(share >= 0.9)) for what, target, share in rows]
    most = [("index: WAL of a row above the table alone, after a checkpoint, bytes", 300, figure["rows_wal"] - value["none", "rows_wal"]),
            ("index: `bloom_index_filter`, ms", 50, figure["filter_ms"]), ("index: `bloom_index_contains`, µs", 10, figure["contains_us"]),
            ("index: pages of it", 2, figure["contains_pages"]), ("index: rows that it misses", 0, figure["missing"])]
    return least + [(what, f"≤ {limit}", number(measured), reached(measured <= limit)) for what, limit, measured in most]


def targets(figures):
    """The same of all."""
    value = figures.values
    rows = index_targets(figures)
    if figures.has("set") and figures.has("none"):
        share = value["set", "rows_s"] / value["none", "rows_s"]
        rows += [("values/s, one a transaction, × the table alone", "≥ 0.9", number(share), reached(share >= 0.9)),
                 ("values/s, 100 a call", "≥ 40,000", number(value["set", "batched_s"]), reached(value["set", "batched_s"] >= 40_000)),
                 ("WAL of a value, one a transaction, bytes", "≤ 1,000", number(value["set", "rows_wal"]), reached(value["set", "rows_wal"] <= 1000))]
    if figures.has("filled"):
        growth = value["filled", "bytes_after"] / value["filled", "bytes_before"]
        rows.append(("size after it was filled, × before", "≤ 1.05", number(growth), reached(growth <= 1.05)))
    if figures.has("crowd"):
        rows.append(("deadlocks in 10,000 calls of 8 clients", "0", number(value["crowd", "deadlocks"]), reached(value["crowd", "deadlocks"] == 0)))
    return table(("", "target", "measured", "reached"), rows)


def sections(directory):
    figures = Figures(directory)
    return {"upkeep-machine": facts(read_facts(directory / "machine.tsv").items()), "upkeep-ways": ways_table(figures), "upkeep-targets": targets(figures)}


def page(directory):
    return {"upkeep-machine": where(read_facts(directory / "machine.tsv")), "upkeep-ways": ways_table(Figures(directory))}


def write(directory, root):
    """Into the directory, and if there is a root, into its page."""
    texts = sections(directory)
    outputs.write("upkeep", "What keeps a filter in step", directory, root, texts, list(texts)[1:], page)
