"""Measures what scans below join filters do not read, in the server that libpq's environment names.

Called by script/bench skip, which prepares that server.
"""

import os
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

import outputs
import sales
from document import facts, read_facts, read_tsv, table, write_facts, write_tsv
from joins import MODES as MODE_NAMES, PARALLEL, ROOMY, SERIAL
from report import number, reached, where
from run import describe_machine
from session import Session
from usage import Backend, is_filter, nodes

HERE = Path(__file__).resolve().parent

# bloomfilter.join_filters and bloomfilter.join_skip
WAYS = {"off": ("off", "off"), "filters": ("on", "off"), "skip": ("on", "on")}
COLUMNS = ("key", "mode", "label", "filters", "same_plan", "pages_skipped", "partitions_skipped") + tuple(
    f"{way}_{what}" for what in ("ms", "cpu_ms", "pages", "all_ms", "all_cpu_ms") for way in WAYS) + ("sql",)
# The planner takes other joins where it expects them to be cheaper.
HASH_JOINS = {"enable_nestloop": "off", "enable_mergejoin": "off"}
MODES = {"serial": {**HASH_JOINS, **SERIAL}, "parallel": {**HASH_JOINS, **PARALLEL}}


@dataclass
class Query:
    key: str
    label: str
    sql: str
    cpu: tuple                          # most that skipping may take, × the base: processor time, serial and parallel
    pages: float = 0                    # and pages
    base: str = "off"
    settings: dict = field(default_factory=dict)
    before: str = ""
    after: str = ""


def of_days(condition, sales="sale", more=""):
    return f"SELECT count(*), sum(s.cents) FROM {sales} s JOIN day d ON d.day = s.day {more}WHERE {condition}"


MONTH, EVERY_MONTH = "d.month = '2023-03'", "d.month_of_year + d.year > 0"
A_REGION = {"condition": MONTH + " AND h.region = 4", "more": "JOIN shop h ON h.id = s.shop_id "}

QUERIES = (
    Query("month", "BRIN: a month of 30", of_days(MONTH), (0.15, 0.2), 0.05),
    Query("month_region", "BRIN: the same and a region", of_days(**A_REGION), (0.15, 0.2), 0.05),
    Query("decembers", "BRIN: two Decembers", of_days("d.month_of_year = 12"), (0.2, 0.25), 0.1),
    Query("year", "BRIN: a year of 2.5", of_days("d.year = 2023"), (0.7, 0.7), 0.45),
    Query("partition", "monthly partitions: a month of 30", of_days(MONTH, "sale_by_month"), (0.15, 0.2), 0.05),
    Query("partition_region", "monthly partitions: the same and a region", of_days(sales="sale_by_month", **A_REGION), (0.15, 0.2), 0.05),
    # the planner expects a third of the days
    Query("all", "BRIN: every month, nothing to skip", of_days(EVERY_MONTH), (1.01, 1.01), base="filters"),
    Query("partition_all", "monthly partitions: every month, nothing to skip", of_days(EVERY_MONTH, "sale_by_month"), (1.01, 1.01),
          base="filters"),
    Query("keys", "BRIN: three rows of ten, some of every page, nothing to skip",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN returned r ON r.sale_id = s.id", (1.03, 1.03), base="filters", settings=ROOMY),
    Query("plain", "no index, no partitions: a month of 30", of_days(MONTH), (1.01, 1.01), base="filters",
          before="DROP INDEX sale_day", after="CREATE INDEX sale_day ON sale USING brin (day)"),
)


class Skip:
    def __init__(self, chosen, rounds):
        self.backend = Backend(Session())
        self.session = self.backend.session
        self.rounds = rounds
        self.only = chosen
        self.measured = []

    def choose(self, way):
        filters, skip = WAYS[way]
        self.backend.filters(filters)
        self.session.rows(f"SET bloomfilter.join_skip = {skip}")

    def round(self, turn, sql, taken, used):
        """All ways, in turn, each round in the contrary order; the answers."""
        answers = {}
        for way in WAYS if turn % 2 else reversed(WAYS):
            self.choose(way)
            elapsed, processor, answers[way] = self.backend.time(sql)
            taken[way].append(elapsed)
            used[way].append(processor)
        return answers

    def plan(self, query, row):
        plans = {}
        for way in WAYS:
            self.choose(way)
            plans[way] = self.backend.plan(query.sql)
        row.update(filters=sum(map(is_filter, nodes(plans["skip"]))),
                   same_plan="yes" if plans["skip"] == plans["filters"] else "no")

    def count_pages(self, query, row):
        for way in WAYS:
            self.choose(way)
            done = self.backend.analyze(query.sql)
            row[f"{way}_pages"] = done["Shared Hit Blocks"] + done["Shared Read Blocks"]
        for what in ("Pages", "Partitions"):
            row[f"{what.lower()}_skipped"] = sum(node.get(f"{what} Skipped", 0) for node in nodes(done))

    def measure(self, query, mode):
        self.backend.set({**MODES[mode], **query.settings})
        row = {"key": query.key, "mode": mode, "label": query.label, "sql": query.sql}
        self.plan(query, row)
        taken, used = {way: [] for way in WAYS}, {way: [] for way in WAYS}
        answers = self.round(0, query.sql, {way: [] for way in WAYS}, {way: [] for way in WAYS})      # warms up
        if len(set(map(tuple, answers.values()))) > 1:
            raise SystemExit(f"{query.key}, {mode}: other results: {answers}")
        for turn in range(1, self.rounds + 1):
            self.round(turn, query.sql, taken, used)
        # what seems to be too slow runs more often before that is believed
        if row["same_plan"] != "yes" and min(used["skip"]) > query.cpu[mode == "parallel"] * min(used[query.base]):
            for turn in range(2 * self.rounds):
                self.round(turn, query.sql, taken, used)
        self.count_pages(query, row)
        for way in WAYS:
            row.update({f"{way}_ms": statistics.median(taken[way]), f"{way}_cpu_ms": min(used[way]),
                        f"{way}_all_ms": " ".join(f"{ms:.6g}" for ms in taken[way]),
                        f"{way}_all_cpu_ms": " ".join(f"{ms:.6g}" for ms in used[way])})
        self.measured.append(row)
        print(f"  {row['key']:<18} {row['mode']:<8} {row['filters']:>2} filters  processor " +
              " / ".join(f"{row[f'{way}_cpu_ms']:.1f}" for way in WAYS) + " ms  time " +
              " / ".join(f"{row[f'{way}_ms']:.1f}" for way in WAYS) + " ms  pages " +
              " / ".join(f"{row[f'{way}_pages']}" for way in WAYS), flush=True)

    def run(self):
        for query in QUERIES:
            if query.key not in self.only:
                continue
            if query.before:
                self.session.rows(query.before)
            for mode in MODES:
                self.measure(query, mode)
            if query.after:
                self.session.rows(query.after)


#
# The report
#

def ratio(row, what, base="off", way="skip"):
    """Of times, the median of the rounds' ratios; of others, of the figures in the table."""
    if what != "ms":
        return float(row[f"{way}_{what}"]) / float(row[f"{base}_{what}"])
    ways = (map(float, row[f"{each}_all_ms"].split()) for each in (way, base))
    return statistics.median(ms / base_ms for ms, base_ms in zip(*ways))


def targets_table(rows):
    lines = []
    for query in QUERIES:
        for row in (row for row in rows if row["key"] == query.key):
            base = "without filters" if query.base == "off" else "with filters that do not skip"
            label = f"{row['label']}, {row['mode']}"
            if query.pages:
                pages = ratio(row, "pages", query.base)
                lines.append((f"{label}: pages, × {base}", f"≤ {query.pages}", f"{pages:.3f}", reached(pages <= query.pages)))
            limit = query.cpu[row["mode"] == "parallel"]
            cpu = ratio(row, "cpu_ms", query.base)
            same = row["same_plan"] == "yes"
            measured = "the same plan" if same else f"{cpu:.3f} (time {ratio(row, 'ms', query.base):.3f})"
            lines.append((f"{label}: processor time, × {base}", f"≤ {limit}", measured, reached(same or cpu <= limit)))
    return table(("", "target", "measured", "reached"), lines)


def queries_table(rows):
    lines = []
    for row in rows:
        skipped = f"{int(row['partitions_skipped']):,} partitions" if int(row["partitions_skipped"]) else \
            f"{int(row['pages_skipped']):,} pages" if int(row["pages_skipped"]) else ""
        lines.append((row["label"], row["mode"], *(number(row[f"{way}_cpu_ms"]) for way in WAYS),
                      *(number(row[f"{way}_ms"]) for way in WAYS), *(f"{int(row[f'{way}_pages']):,}" for way in ("off", "skip")), skipped))
    return table(("query", "mode", "CPU, ms: off", "filters", "skipping", "time, ms: off", "filters", "skipping",
                  "pages read: off", "skipping", "skipped"), lines)


def sections(directory):
    rows = read_tsv(directory / "times.tsv")
    return {"skip-machine": facts(read_facts(directory / "machine.tsv").items()), "skip-targets": targets_table(rows),
            "skip-queries": queries_table(rows)}


def short_ratio(row, base):
    return "" if row is None else "same plan" if row["same_plan"] == "yes" else f"{ratio(row, 'cpu_ms', base):.2f}"


def page(directory):
    """The short table of docs/benchmarks.md."""
    rows = {(row["key"], row["mode"]): row for row in read_tsv(directory / "times.tsv")}
    lines = []
    for query in QUERIES:
        if (query.key, "serial") in rows:
            serial = rows[query.key, "serial"]
            lines.append((serial["label"], f"{int(serial['off_pages']):,}", f"{int(serial['skip_pages']):,}",
                          *(short_ratio(rows.get((query.key, mode)), query.base) for mode in MODES),
                          "no filter" if query.base == "off" else "a filter that does not skip"))
    return {"skip-machine": where(read_facts(directory / "machine.tsv")),
            "skip-short": table(("", "pages without", "with", *(f"× CPU, {MODE_NAMES[mode]}" for mode in MODES), "compared with"), lines)}


def main():
    keys = [query.key for query in QUERIES]
    chosen = outputs.arguments("skip", "Measures what scans below join filters do not read.", keys, sales.QUICK)
    if chosen.check_options:
        return
    output, root = outputs.targets("skip", chosen, keys)
    if not chosen.report:
        rows, rounds = sales.extent(chosen, 7)
        started = time.monotonic()
        skip = Skip(chosen.only, rounds)
        machine = describe_machine(skip.session, chosen.commit)
        machine.update({"Rows": f"{rows:,}", "Rounds": rounds, "Load before": f"{os.getloadavg()[0]:.2f}"})
        print(f"== {rows:,} sales ==", flush=True)
        skip.session.run_file(HERE / "skip_setup.sql", rows=rows)
        machine["Minutes to load"] = f"{(time.monotonic() - started) / 60:.1f}"
        skip.run()
        skip.session.close()
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "times.tsv", COLUMNS, skip.measured)
        write_facts(output / "machine.tsv", machine)
    outputs.write("skip", "Read less", output, root, sections(output), ("skip-targets",), page)


if __name__ == "__main__":
    main()
