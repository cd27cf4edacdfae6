"""Measures join filters in the server that libpq's environment names.

Called by script/bench joins, which prepares that server.
"""

import math
import os
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

import outputs
import sales
from document import facts, read_facts, read_tsv, table, write_facts, write_tsv
from report import number, reached, where
from run import describe_machine
from session import Session
from usage import Backend

HERE = Path(__file__).resolve().parent
COLUMNS = ("key", "kind", "mode", "label", "filters", "same_plan", "off_ms", "on_ms", "ratio", "ratio_min", "ratio_max",
           "off_cpu_ms", "on_cpu_ms", "cpu_ratio", "off_pages", "on_pages", "removed", "off_temp_mb", "on_temp_mb",
           "off_all_ms", "on_all_ms", "off_all_cpu_ms", "on_all_cpu_ms", "sql")

GAIN, NOTHING, MISLED, PLANNING = "gain", "nothing", "misled", "planning"
KINDS = {GAIN: "Queries that could benefit",
         NOTHING: "Queries that cannot benefit",
         MISLED: "Queries that cannot benefit, where the planner expects a benefit",
         PLANNING: "Planning"}

SERIAL = {"max_parallel_workers_per_gather": "0"}
PARALLEL = {"max_parallel_workers_per_gather": "2"}
# As a server plans whose settings nobody changed: without what a query sets for the others.
DEFAULTS = PARALLEL

# Most that a query may take of the processor time without filters: of the
# least of its rounds both ways, see usage.py.
GATES = {"spill": ("serial", 0.6), "group": ("serial", 0.2), "star": ("serial", 0.65), "text": ("serial", 0.7),
         "workers": ("parallel", 0.75), "view": ("parallel", 0.4)}
KIND_GATES = {NOTHING: 1.02, MISLED: 1.05, PLANNING: 1.05}
# The page names queries that are slower than this.
LOSS = KIND_GATES[NOTHING]
# docs/comparison.md has this query, beside other ways to write it.
ELSEWHERE = ("spill",)
MODES = {"serial": "serial", "parallel": "two workers", "defaults": "the server's defaults"}
SETTINGS = {"serial": SERIAL, "parallel": PARALLEL, "defaults": DEFAULTS}


@dataclass
class Query:
    key: str
    kind: str
    label: str
    sql: str
    settings: dict = field(default_factory=dict)
    planned_only: bool = False


ROOMY = {"work_mem": "64MB"}
# All orders of twelve tables are tried.
ALL_ORDERS = {"join_collapse_limit": "12", "from_collapse_limit": "12", "geqo": "off"}

QUERIES = (
    # a star
    Query("spill", GAIN, "a hash join that spills, 10 % match",
          "SELECT r.reason, count(*), sum(s.cents), max(r.remark) FROM sale s JOIN returned r ON r.receipt = s.receipt GROUP BY 1"),
    Query("spill_int", GAIN, "a hash join that spills, by an integer, 10 % match",
          "SELECT r.reason, count(*), sum(s.cents), max(r.remark) FROM sale s JOIN returned r ON r.sale_id = s.id GROUP BY 1"),
    Query("group", GAIN, "above GROUP BY, 1 % match",
          "SELECT count(*), sum(n), sum(s.cents) FROM customer c JOIN (SELECT customer_id, count(*) AS n, sum(cents) AS cents "
          "FROM sale GROUP BY customer_id) s ON s.customer_id = c.id WHERE c.segment = 7"),
    Query("view", GAIN, "above GROUP BY with few groups, 0.5 % match",
          "SELECT count(*), sum(n), sum(s.cents) FROM product p JOIN (SELECT product_id, count(*) AS n, sum(cents) AS cents "
          "FROM sale GROUP BY product_id) s ON s.product_id = p.id WHERE p.category_id = 7"),
    Query("star", GAIN, "three dimensions, 20 % of each",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id JOIN product p ON p.id = s.product_id "
          "JOIN day d ON d.id = s.day_id WHERE c.segment <= 20 AND p.category_id <= 40 AND d.weekday + d.quarter > 11"),
    Query("text", GAIN, "a text key, 5 % match",
          "SELECT c.campaign, count(*), sum(s.cents) FROM sale s JOIN coupon c ON c.receipt = s.receipt GROUP BY 1", ROOMY),
    Query("workers", GAIN, "a dimension of a fifth of the rows, 10 % match",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id WHERE c.segment <= 10", ROOMY),
    Query("memory_5", GAIN, "a hash table in memory, 5 % match",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id WHERE c.segment <= 5"),
    Query("semi", GAIN, "IN (SELECT ...), 5 % match",
          "SELECT count(*), sum(cents) FROM sale WHERE customer_id IN (SELECT id FROM customer WHERE segment <= 5)"),
    Query("right", GAIN, "few customers LEFT JOIN all sales",
          "SELECT count(*), sum(s.cents) FROM customer c LEFT JOIN sale s ON s.customer_id = c.id WHERE c.segment = 3"),
    Query("two_keys", GAIN, "two columns, 1 % match",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN promotion p ON p.product_id = s.product_id AND p.day_id = s.day_id"),
    Query("distinct", GAIN, "below DISTINCT, 2 % match",
          "SELECT count(*) FROM (SELECT DISTINCT customer_id, day_id FROM sale) s JOIN customer c ON c.id = s.customer_id "
          "WHERE c.segment <= 2"),
    Query("window", GAIN, "below a window, 1 % match",
          "SELECT count(*), sum(n) FROM (SELECT customer_id, row_number() OVER (PARTITION BY customer_id ORDER BY id) AS n FROM sale) s "
          "JOIN customer c ON c.id = s.customer_id WHERE c.segment = 7"),
    Query("partitions", GAIN, "a partitioned table, 3 % match",
          "SELECT s.year, count(*), sum(s.cents) FROM sale_by_year s JOIN customer c ON c.id = s.customer_id WHERE c.segment <= 3 "
          "GROUP BY s.year"),
    Query("union", GAIN, "UNION ALL of two tables, 2 % match",
          "SELECT count(*) FROM (SELECT customer_id FROM sale UNION ALL SELECT visitor_id FROM visit) u "
          "JOIN customer c ON c.id = u.customer_id WHERE c.segment <= 2"),
    # a snowflake
    Query("snowflake", GAIN, "product, category, department: 10 % match",
          "SELECT c.name, count(*), sum(s.cents) FROM sale s JOIN product p ON p.id = s.product_id JOIN category c ON c.id = p.category_id "
          "JOIN department d ON d.id = c.department_id WHERE d.name = 'Department 3' GROUP BY 1"),
    Query("snowflake_spill", GAIN, "product, category, department, returns: 10 % match",
          "SELECT r.reason, count(*), sum(s.cents), max(r.remark) FROM sale s JOIN returned r ON r.sale_id = s.id "
          "JOIN product p ON p.id = s.product_id JOIN category c ON c.id = p.category_id JOIN department d ON d.id = c.department_id "
          "WHERE d.name = 'Department 3' GROUP BY 1"),
    # skew
    Query("skew_rare", GAIN, "a skewed column, its rare values",
          "SELECT count(*), max(v.page) FROM visit v JOIN visitor w ON w.id = v.visitor_id WHERE NOT w.vip AND w.id % 10 = 3"),
    Query("clustered", GAIN, "a log in order of time, a part of it",
          "SELECT count(*) FROM event e JOIN session s ON s.id = e.session_id WHERE s.started % 1000 < 20 AND s.started > 1000"),
    # correlated columns
    Query("correlated", GAIN, "two correlated dimensions, 10 % match",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id JOIN shop h ON h.id = s.shop_id "
          "WHERE c.region = 4 AND h.region = 4"),
    Query("contrary", GAIN, "two dimensions that exclude each other",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id JOIN shop h ON h.id = s.shop_id "
          "WHERE c.region = 4 AND h.region = 5"),
    # Debian's packages
    Query("packages_section", GAIN, "Debian: dependencies of the packages of a section",
          "SELECT n.further, count(*) FROM needs n JOIN package p ON p.name = n.package WHERE p.section = 'games' GROUP BY 1 "
          "ORDER BY 2 DESC, 1 LIMIT 10", {"bloomfilter.join_filter_min_rows": "10000"}),
    Query("packages_both", GAIN, "Debian: dependencies between packages of two teams",
          "SELECT count(*) FROM needs n JOIN package a ON a.name = n.package JOIN package b ON b.name = n.further "
          "WHERE a.maintainer LIKE 'Debian Perl%' AND b.maintainer LIKE 'Debian Python%'", {"bloomfilter.join_filter_min_rows": "10000"}),
    Query("packages_files", GAIN, "Debian: files per package with conflicts",
          "SELECT count(*), max(n) FROM (SELECT package, count(*) AS n FROM file GROUP BY package) f "
          "JOIN (SELECT DISTINCT target FROM relation WHERE kind = 'Conflicts') r ON r.target = f.package",
          {"bloomfilter.join_filter_min_rows": "10000"}),
    # nothing to gain
    Query("all_small", NOTHING, "every row matches a small table",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN day d ON d.id = s.day_id"),
    Query("all_large", NOTHING, "every row matches a large table",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id", ROOMY),
    Query("all_spill", NOTHING, "every row matches, and the join spills",
          "SELECT count(*), max(d.address) FROM sale s JOIN delivery d ON d.sale_id = s.id"),
    Query("all_star", NOTHING, "every row matches three dimensions",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id JOIN product p ON p.id = s.product_id "
          "JOIN day d ON d.id = s.day_id", ROOMY),
    Query("half", NOTHING, "half of the rows match, in memory",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id WHERE c.segment <= 50", ROOMY),
    Query("left", NOTHING, "LEFT JOIN: all rows are wanted",
          "SELECT count(c.id), sum(s.cents) FROM sale s LEFT JOIN customer c ON c.id = s.customer_id AND c.segment = 3"),
    Query("skew_vip", NOTHING, "a skewed column, its frequent values",
          "SELECT count(*), max(v.page) FROM visit v JOIN visitor w ON w.id = v.visitor_id WHERE w.id <= :half", ROOMY),
    # the planner expects a ninth of the rows
    Query("misled_small", MISLED, "every row matches a small table",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN day d ON d.id = s.day_id WHERE d.weekday + d.quarter > 0 AND d.id + d.quarter > 0"),
    Query("misled_large", MISLED, "every row matches a large table",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id WHERE c.segment + c.region > 0 AND c.id + c.region > 0", ROOMY),
    Query("misled_spill", MISLED, "every row matches, and the join spills",
          "SELECT count(*), max(c.name) FROM sale s JOIN customer c ON c.id = s.customer_id WHERE c.segment + c.region > 0 AND c.id + c.region > 0"),
    Query("misled_star", MISLED, "every row matches three dimensions",
          "SELECT count(*), sum(s.cents) FROM sale s JOIN customer c ON c.id = s.customer_id JOIN product p ON p.id = s.product_id "
          "JOIN day d ON d.id = s.day_id WHERE c.segment + c.region > 0 AND c.id + c.region > 0 AND p.price + p.id > 0 AND p.id + p.category_id > 0 AND d.weekday + d.quarter > 0 AND d.id + d.quarter > 0", ROOMY),
    Query("misled_group", MISLED, "every group matches",
          "SELECT count(*), sum(n) FROM customer c JOIN (SELECT customer_id, count(*) AS n FROM sale GROUP BY customer_id) s "
          "ON s.customer_id = c.id WHERE c.segment + c.region > 0 AND c.id + c.region > 0", ROOMY),
    # below groups a filter that is switched off goes on to drop what it has dropped
    Query("misled_most", MISLED, "99 % of the groups match",
          "SELECT count(*), sum(n) FROM customer c JOIN (SELECT customer_id, count(*) AS n FROM sale GROUP BY customer_id) s "
          "ON s.customer_id = c.id WHERE c.segment + c.region > 0 AND c.id + c.region > 0 AND c.segment <> 7", ROOMY),
    # planning, above all
    Query("tiny", PLANNING, "two thousand joins of three tables of 100 rows, planned each time", "SELECT tiny_joins(2000)"),
    Query("twelve", PLANNING, "planning a join of twelve tables",
          "SELECT count(*) FROM sale s JOIN customer c ON c.id = s.customer_id JOIN product p ON p.id = s.product_id "
          "JOIN category g ON g.id = p.category_id JOIN department t ON t.id = g.department_id JOIN day d ON d.id = s.day_id "
          "JOIN shop h ON h.id = s.shop_id JOIN returned r ON r.sale_id = s.id JOIN coupon k ON k.receipt = s.receipt "
          "JOIN delivery y ON y.sale_id = s.id JOIN promotion o ON o.product_id = s.product_id AND o.day_id = s.day_id "
          "JOIN sale_by_year b ON b.id = s.id WHERE c.segment <= 10 AND t.name = 'Department 3' AND h.region = 4", ALL_ORDERS,
          planned_only=True),
)


class Joins:
    def __init__(self, chosen, rounds, rows):
        self.backend = Backend(Session())
        self.session = self.backend.session
        self.rounds = rounds
        self.rows = rows
        self.only = chosen
        self.measured = []

    def round(self, turn, backends, sql, taken, used):
        """Both ways, in turn; the answers."""
        answers = {}
        for how in ("off", "on") if turn % 2 else ("on", "off"):
            backends[how].filters(how)
            elapsed, processor, answers[how] = backends[how].time(sql)
            taken[how].append(elapsed)
            used[how].append(processor)
        return answers

    def plan_only(self, query, row):
        taken = {"off": [], "on": []}
        row["filters"], _ = self.backend.plans(query.sql)
        for turn in range(10 * self.rounds):
            for how in ("off", "on") if turn % 2 else ("on", "off"):
                self.backend.filters(how)
                taken[how].append(self.backend.planning_ms(query.sql))
        self.add(row, taken, taken)

    def measure(self, query, mode):
        sql = query.sql.replace(":half", str(self.rows // 10))
        self.backend.set({**SETTINGS[mode], **{name: value for name, value in query.settings.items()
                                               if mode != "defaults" or name.startswith("bloomfilter.")}})
        row = {"key": query.key, "kind": query.kind, "mode": mode, "label": query.label, "filters": 0, "sql": " ".join(sql.split())}
        if query.planned_only:
            self.plan_only(query, row)
            return
        rounds = self.rounds
        if query.kind == PLANNING:
            rounds *= 4
        else:
            row["filters"], same = self.backend.plans(sql)
            row["same_plan"] = "yes" if same else "no"
            if same:
                rounds = 1              # for the results
        both = {"off": self.backend, "on": self.backend}
        taken, used = {"off": [], "on": []}, {"off": [], "on": []}
        answers = self.round(0, both, sql, {"off": [], "on": []}, {"off": [], "on": []})      # warms up
        if sorted(answers["off"]) != sorted(answers["on"]):
            raise SystemExit(f"{query.key}, {mode}: other results with filters: {answers}")
        for turn in range(1, rounds + 1):
            self.round(turn, both, sql, taken, used)
        # what seems to be too slow runs more often before that is believed
        if row.get("same_plan") != "yes" and min(used["on"]) > min(used["off"]) * KIND_GATES.get(query.kind, 1):
            for turn in range(2 * rounds):
                self.round(turn, both, sql, taken, used)
        if query.kind != PLANNING:
            for how in ("off", "on"):
                self.backend.filters(how)
                row[f"{how}_pages"], row["removed"], row[f"{how}_temp_mb"] = self.backend.explain(sql)
        self.add(row, taken, used)

    def measure_loading(self):
        """The library loaded and off, against a session without it."""
        os.environ["PGOPTIONS"] = "-c session_preload_libraries="
        without = Backend(Session())
        del os.environ["PGOPTIONS"]
        taken, used = {"off": [], "on": []}, {"off": [], "on": []}
        self.backend.set(SERIAL)
        self.backend.filters("off")
        for turn in range(4 * self.rounds):
            for how, backend in (("off", without), ("on", self.backend)) if turn % 2 else (("on", self.backend), ("off", without)):
                elapsed, processor, _ = backend.time("SELECT tiny_joins(2000)")
                taken[how].append(elapsed)
                used[how].append(processor)
        without.session.close()
        self.add({"key": "loaded", "kind": PLANNING, "mode": "serial", "filters": 0, "sql": "SELECT tiny_joins(2000)",
                  "label": "the joins of 100 rows with the library loaded and off, against a session without it"}, taken, used)

    def add(self, row, taken, used):
        """What both ways took, in turn.  Of the same plan the better run counts for both."""
        ratios = [on / off for on, off in zip(taken["on"], taken["off"])]
        least = {how: min(values) for how, values in used.items()}
        median = {how: statistics.median(values) for how, values in taken.items()}
        if row.get("same_plan") == "yes":
            least = dict.fromkeys(least, min(least.values()))
            median = dict.fromkeys(median, min(median.values()))
            ratios = [1]
        row.update({"off_ms": median["off"], "on_ms": median["on"], "ratio": statistics.median(ratios), "ratio_min": min(ratios),
                    "ratio_max": max(ratios), "off_cpu_ms": least["off"], "on_cpu_ms": least["on"],
                    "cpu_ratio": least["on"] / least["off"]})
        for how in ("off", "on"):
            row[f"{how}_all_ms"] = " ".join(f"{ms:.6g}" for ms in taken[how])
            row[f"{how}_all_cpu_ms"] = " ".join(f"{ms:.6g}" for ms in used[how])
        self.measured.append(row)
        print(f"  {row['key']:<18} {row['mode']:<8} {row['filters']:>2} filters {row['off_ms']:>9.1f} ms {row['on_ms']:>9.1f} ms "
              f"{row['ratio']:>6.2f} x  cpu {row['cpu_ratio']:>5.2f} x  removed {row.get('removed', 0):>9}", flush=True)

    def run(self):
        if "tiny" in self.only:
            self.measure_loading()
        for query in QUERIES:
            for mode in MODES:
                if query.key in self.only and (query.kind != PLANNING or mode != "defaults"):
                    self.measure(query, mode)


#
# The report
#

def read(directory):
    """The rows of a run, with the labels that their queries have now."""
    labels = {query.key: query.label for query in QUERIES}
    return [{**row, "label": labels.get(row["key"], row["label"])} for row in read_tsv(directory / "times.tsv")]


def modes(rows):
    """Those that the run measured, with their names."""
    return {mode: name for mode, name in MODES.items() if any(row["mode"] == mode for row in rows)}


def same(row):
    return row["same_plan"] == "yes"


def cpu(row):
    """× the processor time without filters, or the time where no other was measured.  The same plan costs the same."""
    return 1.0 if same(row) else float(row["cpu_ratio"] or row["ratio"])


def how_measured(directory, rows):
    """The machine; and how, if that was before each round's processor time was kept."""
    older = " This run kept no processor time of single rounds: × CPU is the median of the rounds' ratios, in steps of 10 ms."
    return where(read_facts(directory / "machine.tsv")) + ("" if any(row["off_all_cpu_ms"] for row in rows) else older)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def gate_rows(rows):
    """Of each gate: what it is, the limit, and the row that it judges, or none where every plan is the same."""
    by_key = {(row["key"], row["mode"]): row for row in rows}
    gates = []
    for key, (mode, limit) in GATES.items():
        row = by_key.get((key, mode))
        if row:
            gates.append((f"{row['label']}, {mode}", limit, row))
    for kind, limit in KIND_GATES.items():
        for mode in MODES:
            of_kind = [row for row in rows if row["kind"] == kind and row["mode"] == mode]
            differ = [row for row in of_kind if not same(row)]
            name = f"{KINDS[kind][0].lower()}{KINDS[kind][1:]}"
            if differ:
                worst = max(differ, key=cpu)
                gates.append((f"{name}: the worst of {len(differ)}, {mode} ({worst['label']})", limit, worst))
            if len(differ) < len(of_kind):
                gates.append((f"{name}: the other {len(of_kind) - len(differ)}, {mode}", limit, None))
    return gates


def gates_table(rows):
    lines = []
    for label, limit, row in gate_rows(rows):
        ratio = cpu(row) if row else 1
        measured = f"{ratio:.2f} (time {float(row['ratio']):.2f})" if row else "the same plan"
        lines.append((label, f"≤ {limit}", measured, reached(ratio <= limit)))
    for mode in MODES:
        for kinds, name in (((GAIN, NOTHING, MISLED), "all queries"), ((GAIN,), "those that could benefit")):
            ratios = [cpu(row) for row in rows if row["mode"] == mode and row["kind"] in kinds]
            if ratios:
                lines.append((f"geometric mean of {name}, {mode} ({len(ratios)})", "", f"{geometric_mean(ratios):.2f}", ""))
    return table(("with filters, × the processor time without", "gate", "measured", "reached"), lines)


def megabytes(row):
    off, on = float(row["off_temp_mb"] or 0), float(row["on_temp_mb"] or 0)
    return f"{number(off)} → {number(on)}" if off or on else ""


def ratios(row):
    return f"{cpu(row):.2f}, {float(row['ratio']):.2f} ({float(row['ratio_min']):.2f} – {float(row['ratio_max']):.2f})"


def queries_table(rows, kind):
    lines = []
    for row in rows:
        if row["kind"] == kind:
            lines.append((row["label"], row["mode"], row["filters"], number(row["off_ms"]), number(row["on_ms"]),
                          "same plan" if same(row) else ratios(row), f"{int(row['removed']):,}" if row["removed"] else "", megabytes(row)))
    return table((KINDS[kind].lower(), "mode", "filters", "off, ms", "on, ms", "× CPU, × time (lowest – highest round)", "rows removed", "temp MB"), lines)


def sections(directory):
    rows = read(directory)
    machine = facts(read_facts(directory / "machine.tsv").items())
    return {"joins-machine": f"{how_measured(directory, rows)}\n\n{machine}", "joins-gates": gates_table(rows),
            "joins-queries": "\n\n".join(queries_table(rows, kind) for kind in KINDS if any(row["kind"] == kind for row in rows))}


#
# The short tables of docs/benchmarks.md
#

def short_ratio(row):
    return "" if row is None else "same plan" if same(row) else f"{cpu(row):.2f}"


def totals_table(rows):
    """In all, the best and the worst, of each mode."""
    lines = {}

    def add(name, text):
        lines.setdefault(name, []).append(text)

    for mode in modes(rows):
        here = [row for row in rows if row["mode"] == mode and row["kind"] != PLANNING]
        could = [row for row in here if row["kind"] == GAIN]
        add("queries", f"{len(here)}, {sum(not same(row) for row in here)} of them with a filter")
        add("all, geometric mean", f"{geometric_mean(map(cpu, here)):.2f}")
        add(f"those that could benefit ({len(could)}), geometric mean", f"{geometric_mean(map(cpu, could)):.2f}")
        for name, row in (("the best", min(here, key=cpu)), ("the worst", max(here, key=cpu))):
            add(name, f"{cpu(row):.2f} ({row['label']})")
    return table(("× CPU", *modes(rows).values()), [(name, *texts) for name, texts in lines.items()])


def gains_table(rows):
    by_key = {(row["key"], row["mode"]): row for row in rows}
    labels = {row["key"]: row["label"] for row in rows if row["kind"] == GAIN and row["key"] not in ELSEWHERE}
    return table(("× CPU", *modes(rows).values()),
                 [(label, *(short_ratio(by_key.get((key, mode))) for mode in modes(rows))) for key, label in labels.items()])


def losers_table(rows):
    losers = sorted((row for row in rows if row["kind"] != PLANNING and cpu(row) > LOSS), key=cpu, reverse=True)
    return table(("slower with filters", "", "× CPU", "× time"),
                 [(row["label"], MODES[row["mode"]], f"{cpu(row):.2f}", f"{float(row['ratio']):.2f}") for row in losers])


def page(directory):
    rows = read(directory)
    return {"joins-machine": how_measured(directory, rows), "joins-totals": totals_table(rows),
            "joins-gains": gains_table(rows), "joins-losers": losers_table(rows)}


def main():
    keys = [query.key for query in QUERIES]
    chosen = outputs.arguments("joins", "Measures join filters.", keys, sales.QUICK)
    if chosen.check_options:
        return
    output, root = outputs.targets("joins", chosen, keys)
    if not chosen.report:
        rows, rounds = sales.extent(chosen, 3)
        started = time.monotonic()
        joins = Joins(chosen.only, rounds, rows)
        machine = describe_machine(joins.session, chosen.commit)
        machine.update({"Rows": f"{rows:,}", "Rounds": rounds, "Load before": f"{os.getloadavg()[0]:.2f}"})
        print(f"== {rows:,} sales ==", flush=True)
        joins.session.run_file(HERE / "joins_setup.sql", rows=rows)
        joins.run()
        joins.session.close()
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "times.tsv", COLUMNS, joins.measured)
        write_facts(output / "machine.tsv", machine)
    outputs.write("joins", "Join filters", output, root, sections(output), ("joins-gates",), page)


if __name__ == "__main__":
    main()
