"""Measures join filters on known sets, in the server that libpq's environment names.

Called by script/bench ssb, tpch or tpcds, which prepares that server.
"""

import os
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

import options
import workloads_report
from document import read_tsv, write_facts, write_tsv
from generators import PAGES_PER_RANGE, SETS, Query
from run import describe_machine
from session import Session
from usage import Backend, TimedOut
from workloads_report import COLUMNS, setting_name

MODES = {"serial": "0", "parallel": "2"}
MEMORY = ("4MB", "64MB")
# A pair shorter than this is too short for a figure, and runs more often.
SHORT_MS, MOST_SHORT = 2000, 20
# A query that seems to lose is run so many times as often before that is believed.
SUSPECT, MORE = 1.03, 3
LOADED, ORDERED = "loaded", "ordered"


def settings_of(mode, memory, timeout):
    return {"max_parallel_workers_per_gather": MODES[mode], "work_mem": memory, "statement_timeout": f"{timeout}s"}


def without_limit(sql):
    return re.sub(r"\blimit\s+\d+\s*\Z", "", sql, flags=re.IGNORECASE)


class Workload:
    def __init__(self, chosen, queries):
        self.chosen = chosen
        self.queries = queries
        self.measured = []
        self.different = []
        self.given_up = set(chosen.given_up)
        self.backend = Backend(Session())

    def close(self):
        self.backend.session.close()

    def run_query(self, how, sql):
        self.backend.filters(how)
        return self.backend.attempt(self.backend.time, sql)

    def explain(self, how, sql):
        self.backend.filters(how)
        return self.backend.attempt(self.backend.explain, sql)

    def same(self, query, answers):
        """Do all ways return the same rows?  Which of equal rows a LIMIT leaves is open, so it is taken away then."""
        def equal(of):
            return all(sorted(answer) == sorted(of["off"]) for answer in of.values())

        if equal(answers):
            return True
        sql = without_limit(query.sql)
        if sql == query.sql:
            return False
        return equal({how: self.run_query(how, sql)[2] for how in answers})

    def compare(self, query, mode, memory, answers):
        if not self.same(query, answers):
            self.different.append(f"{query.key}, {setting_name(mode, memory)}")
            print(f"  {query.key}: OTHER RESULTS", flush=True)

    def check(self, query, mode, memory):
        answers = {how: self.run_query(how, query.sql)[2] for how in ("off", "on", "force")}
        self.compare(query, mode, memory, answers)
        print(f"  {query.key:<5} {len(answers['off'])} rows", flush=True)

    def pair(self, turn, query, taken, used, answers):
        for how in ("off", "on") if turn % 2 else ("on", "off"):
            elapsed, processor, answers[how] = self.run_query(how, query.sql)
            taken[how].append(elapsed)
            used[how].append(processor)

    def measure(self, query, mode, memory):
        row = {"query": query.key, "apart": "yes" if query.apart else "", "mode": mode, "work_mem": memory, "commit": self.chosen.commit}
        self.measured.append(row)
        filters, same_plan = self.backend.plans(query.sql)
        off_planning, on_planning = self.backend.planning(query.sql, self.chosen.planning)
        row.update(filters=filters, same_plan="yes" if same_plan else "no", off_planning_ms=off_planning, on_planning_ms=on_planning)
        taken, used, answers = {"off": [], "on": []}, {"off": [], "on": []}, {}
        try:
            self.count_pages(query, row, same_plan)
            self.pair(1, query, taken, used, answers)
            self.compare(query, mode, memory, answers)
            for turn in range(2, self.more_pairs(same_plan, sum(map(sum, used.values()))) + 1):
                self.pair(turn, query, taken, used, answers)
            if not same_plan and min(used["on"]) > SUSPECT * min(used["off"]):
                for turn in range((MORE - 1) * len(used["on"])):
                    self.pair(turn, query, taken, used, answers)
        except TimedOut:
            row["timeout"] = self.chosen.timeout
            self.given_up.add(query.key)
        if len(taken["off"]) == len(taken["on"]) > 0:
            self.add_times(row, same_plan, taken, used)
        self.tell(row)

    def count_pages(self, query, row, same_plan):
        """This also warms up.  The same plan reads the same pages."""
        for how in ("off",) if same_plan else ("off", "on"):
            pages, removed, temp = self.explain(how, query.sql)
            row.update({f"{how}_pages": pages, f"{how}_temp_mb": temp, "removed": removed})
        if same_plan:
            row.update({"on_pages": pages, "on_temp_mb": temp, "removed": ""})

    def more_pairs(self, same_plan, lasted):
        """The same plan is as fast as itself: one pair, to compare results."""
        if same_plan:
            return 1
        return max(self.chosen.pairs, min(MOST_SHORT, int(SHORT_MS / max(lasted, 1))))

    def add_times(self, row, same_plan, taken, used):
        """Of the same plan the better run counts for both ways: it is one thing measured twice."""
        least = {how: min(values) for how, values in used.items()}
        median = {how: statistics.median(values) for how, values in taken.items()}
        ratio = statistics.median(on / off for on, off in zip(taken["on"], taken["off"]))
        if same_plan:
            least = dict.fromkeys(least, min(least.values()))
            median = dict.fromkeys(median, min(median.values()))
            ratio = 1
        row.update({"pairs": len(taken["off"]), "off_ms": median["off"], "on_ms": median["on"], "ratio": ratio,
                    "off_cpu_ms": least["off"], "on_cpu_ms": least["on"], "cpu_ratio": least["on"] / least["off"]})
        for how in ("off", "on"):
            row[f"{how}_all_ms"] = " ".join(f"{ms:.6g}" for ms in taken[how])
            row[f"{how}_all_cpu_ms"] = " ".join(f"{ms:.6g}" for ms in used[how])

    def tell(self, row):
        if "cpu_ratio" in row:
            text = (f"{row['off_cpu_ms']:>9.1f} ms {row['on_cpu_ms']:>9.1f} ms of the processor {row['cpu_ratio']:>6.3f} x   "
                    f"time {row['ratio']:>6.3f} x   {row['pairs']} pairs")
        else:
            text = ""
        if "timeout" in row:
            text += "  timed out"
        print(f"  {row['query']:<5} {row['filters']:>2} filters {text}  planning {row['on_planning_ms'] / row['off_planning_ms']:.2f} x", flush=True)

    def run(self):
        """A query that timed out with one setting is not tried with the next."""
        for mode, memory in self.chosen.settings:
            print(f"== {setting_name(mode, memory)} ==", flush=True)
            settings = settings_of(mode, memory, self.chosen.timeout)
            for query in self.queries:
                if query.key in self.given_up or (self.chosen.only and query.key not in self.chosen.only):
                    continue
                self.backend.set(settings)
                for statement in query.before:
                    self.backend.session.rows(statement)
                try:
                    (self.check if self.chosen.check_results else self.measure)(query, mode, memory)
                except TimedOut:
                    self.given_up.add(query.key)
                    print(f"  {query.key:<5} timed out", flush=True)
                for statement in query.after:
                    self.backend.session.rows(statement)
                if not self.chosen.check_results and self.chosen.save:
                    self.chosen.save(self)      # an interrupted run leaves what it has
        return self


#
# The command
#

def parse_settings(text):
    """serial:4MB,parallel:64MB"""
    found = []
    for word in text.split(","):
        mode, _, memory = word.partition(":")
        if mode not in MODES or not re.fullmatch(r"\d+(kB|MB|GB)", memory):
            raise SystemExit(f"no such setting: {word}; for example serial:4MB,parallel:64MB")
        found.append((mode, memory))
    return found


def arguments():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in SETS:
        raise SystemExit(f"which set?  One of {', '.join(SETS)}")
    generator = SETS[name]
    parser = options.parser(f"script/bench {name}", f"Measures join filters on the {generator.title}." if name == "ssb" else
                            f"Measures join filters on {generator.title}.", ())
    parser.add_argument("set", help=options.HIDDEN)
    parser.add_argument("source", metavar="SOURCE", help=f"a checkout of its generator, such as {generator.like}")
    parser.add_argument("--scale", type=float, default=1, help="1 is about a gigabyte")
    parser.add_argument("--settings", metavar="MODE:WORK_MEM[,...]", type=parse_settings,
                        default=[(mode, memory) for memory in MEMORY for mode in MODES],
                        help="by default serial:4MB,parallel:4MB,serial:64MB,parallel:64MB; others measured before "
                        "of the same commit stay in the tables")
    parser.add_argument("--by-time", action="store_true", help="facts in order of their dates, with BRIN indexes on them instead of B-trees")
    parser.add_argument("--keep-indexes", action="store_true", help="with --by-time: B-trees, too; results go below bench/results/partial/")
    parser.add_argument("--pairs", type=int, default=5, help="runs of each query with filters off and on in turn")
    parser.add_argument("--planning", type=int, default=5, help="and how often it is planned so")
    parser.add_argument("--timeout", type=int, default=60, help="seconds after which a query is given up, with other settings, too")
    parser.add_argument("--check", dest="check_results", action="store_true", help="compares results of off, on and force only")
    parser.add_argument("--output", metavar="DIRECTORY", help="where results go instead of bench/results/SET/, SET-by-time/ "
                        "(below bench/results/partial/ with --only or another scale); docs/benchmarks.md stays as it is then")
    # by script/bench, and for a server that keeps the data: where the compiled generator stays meanwhile
    parser.add_argument("--check-options", action="store_true", help=options.HIDDEN)
    parser.add_argument("--directory", help=options.HIDDEN)
    chosen = parser.parse_args()
    chosen.only = [word for word in chosen.only.split(",") if word]
    return chosen


def kept_rows(path, chosen):
    """Of other settings, if they were measured at the same commit."""
    if not path.exists():
        return []
    return [row for row in read_tsv(path) if row["commit"] == chosen.commit
            and (row["mode"], row["work_mem"]) not in chosen.settings]


def prepare(chosen, session):
    """The queries, once there are tables."""
    directory = Path(chosen.directory or tempfile.mkdtemp(prefix="generator."))
    generator = SETS[chosen.set](chosen.source, directory, f"{chosen.scale:g}")
    if not (directory / LOADED).exists():
        print(f"== {generator.title}, scale {chosen.scale:g} ==\n  compiling", flush=True)
        generator.compile()
        generator.load(session)
        (directory / LOADED).touch()
    if chosen.by_time and not (directory / ORDERED).exists():
        generator.order_by_time(session, chosen.keep_indexes)
        (directory / ORDERED).touch()
    return generator


def queries_of(generator, chosen):
    more = [Query(key, sql, apart=True) for key, sql in generator.by_time] if chosen.by_time else []
    queries = generator.queries() + more
    unknown = set(chosen.only) - {query.key for query in queries}
    if unknown:
        raise SystemExit(f"no such query: {', '.join(sorted(unknown))}")
    return queries


def main():
    chosen = arguments()
    if chosen.check_options:
        return
    complete = not chosen.only and chosen.scale == 1 and not chosen.output and not chosen.keep_indexes
    name = workloads_report.directory_name(chosen.set, chosen.by_time)
    output = Path(chosen.output) if chosen.output else \
        chosen.root / "bench" / "results" / (name if complete else f"partial/{name}")
    started = time.monotonic()
    load = os.getloadavg()[0]
    with Session() as session:
        generator = prepare(chosen, session)
        machine = describe_machine(session, chosen.commit)
        size = session.value("SELECT pg_size_pretty(sum(pg_table_size(oid))) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
        if chosen.by_time:
            machine["Layout"] = f"facts in order of time, BRIN with {PAGES_PER_RANGE} pages a range{', B-trees' if chosen.keep_indexes else ''}"
        machine.update({"Scale": f"{chosen.scale:g}, {size} without indexes", "Pairs": chosen.pairs,
                        "Timeout": f"{chosen.timeout} s", "Load before": f"{load:.2f}"})
    output.mkdir(parents=True, exist_ok=True)
    kept = kept_rows(output / "times.tsv", chosen)
    chosen.given_up = set() if chosen.only else {row["query"] for row in kept if row["timeout"]}

    def save(workload):
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "times.tsv", COLUMNS, kept + workload.measured)
        write_facts(output / "machine.tsv", machine)

    chosen.save = save
    workload = Workload(chosen, queries_of(generator, chosen)).run()
    workload.close()
    if not chosen.check_results and workload.measured:
        workloads_report.write(output, chosen.set, chosen.by_time, chosen.root if complete else None)
    if workload.different:
        raise SystemExit(f"Other results with filters: {'; '.join(workload.different)}")
    print("Every result that was compared is the same with filters and without", flush=True)


if __name__ == "__main__":
    main()
