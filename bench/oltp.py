"""Measures random queries as an application asks them, in the server that libpq's environment names.

Called by script/bench oltp, which prepares that server.  Each query is planned
without filters and with filters.  Only where there is a filter, it is executed, too.
"""

import os
import re
import sys
import time
from pathlib import Path

import oltp_queries
import oltp_report
import options
from document import write_facts, write_tsv
from joins import SERIAL
from oltp_report import COLUMNS, PLANNED, SETTINGS, WAYS
from run import describe_machine
from session import Failure, Session
from usage import Backend, TimedOut, nodes

HERE = Path(__file__).resolve().parent

QUERIES, LIMIT, SEED = 10_000, 200, 1
QUICK_QUERIES, QUICK_LIMIT, QUICK_PART = 1_000, 30, 10
# A round executes all ways of a query.  There are as many as fit into this time, within bounds, and more for a query that seems to lose.
MOST_MS, LEAST_ROUNDS, MOST_ROUNDS, MORE_ROUNDS = 1500, 2, 7, 3
# Of all tables and indexes, but for catalogs, in this transaction.
PAGES = "SELECT sum(pg_stat_get_xact_blocks_fetched(oid)) FROM pg_class WHERE relnamespace = 'public'::regnamespace"


def is_of_filter(node):
    """Makes or tests a filter.  The name is all that is known of such a node."""
    return bool(re.search("bloom ?filter", node.get("Custom Plan Provider", ""), re.IGNORECASE))


def planned_text(query):
    return f"DECLARE c CURSOR FOR {query.sql}" if query.fetched else query.sql


def executed_text(query):
    """One round trip to the server."""
    return f"DECLARE c CURSOR FOR {query.sql}\\; FETCH {query.fetched} FROM c\\; CLOSE c" if query.fetched else query.sql


def sure_part(query, answer):
    """What of the answer does not depend on the plan."""
    return sorted(line.split("\x1f")[:query.sure] for line in answer)


def of_query(query, work, *arguments):
    """Calls it; an error names the query."""
    try:
        return work(*arguments)
    except Failure as failure:
        raise SystemExit(f"seed {query.seed}: {failure}\n{query.sql}") from None


class Oltp:
    def __init__(self, chosen, rows):
        self.backend = Backend(Session())
        self.chosen = chosen
        self.rows = rows
        self.planned, self.measured, self.different = [], [], []

    #
    # Planning
    #

    def plan(self, query, totals):
        """Is there a filter?  Adds the least planning times to the totals."""
        found, taken = {}, {}
        for ways in (WAYS, reversed(WAYS)):
            for way in ways:
                self.backend.filters(WAYS[way])
                found[way] = self.backend.planned(planned_text(query))
                taken[way] = min(found[way]["Planning Time"], taken.get(way, float("inf")))
        for way, ms in taken.items():
            totals[f"{way}_planning_ms"] += ms
        return any(map(is_of_filter, nodes(found["filters"]["Plan"])))

    def plan_all(self, setting):
        """The queries that are to be executed: the first of those found, since all are random."""
        totals = {"setting": setting, **{f"{way}_planning_ms": 0.0 for way in WAYS}}
        made = (oltp_queries.make(seed, self.rows) for seed in range(self.chosen.seed, self.chosen.seed + self.chosen.queries))
        found = [query for query in made if of_query(query, self.plan, query, totals)]
        totals.update(queries=self.chosen.queries, filters=len(found))
        self.planned.append(totals)
        print(f"  {totals['queries']} queries planned: {totals['filters']} have a filter", flush=True)
        return found[:self.chosen.limit]

    #
    # Execution
    #

    def execute(self, query):
        """Milliseconds of the processor, pages and the answer; in a transaction, which keeps the counts of pages."""
        text = executed_text(query)
        self.backend.session.rows("BEGIN")
        before = int(self.backend.session.value(PAGES))
        _, processor, answer = self.backend.time(text)
        pages = int(self.backend.session.value(PAGES)) - before
        self.backend.session.rows("COMMIT")
        return processor, pages, answer

    def round(self, turn, query, row, used):
        """All ways but those that timed out, every other round in the contrary order; the answers."""
        answers = {}
        for way in list(used) if turn % 2 else reversed(list(used)):
            self.backend.filters(WAYS[way])
            try:
                processor, row[f"{way}_pages"], answers[way] = self.backend.attempt(self.execute, query)
                used[way].append(processor)
            except TimedOut:
                if not used[way]:       # else the machine was busier than before
                    row[f"{way}_timeout"] = self.chosen.timeout
                    del used[way]
        return answers

    def measure(self, setting, query):
        row = {"setting": setting, "seed": query.seed, "form": query.form, "tables": query.tables}
        used = {way: [] for way in WAYS}
        answers = {way: sure_part(query, answer) for way, answer in self.round(1, query, row, used).items()}
        differs = any(answer != answers.get("off", answer) for answer in answers.values())
        if differs:
            self.different.append(f"seed {query.seed}, {setting}")
        if "off" in used and len(used) > 1:
            self.repeat(query, row, used)
        for way, taken in used.items():
            row.update({f"{way}_cpu_ms": min(taken), f"{way}_all_cpu_ms": " ".join(f"{ms:.6g}" for ms in taken)})
        self.measured.append(row)
        shown = "  ".join(f"{way} " + (f"{row[f'{way}_cpu_ms']:.2f} ms" if way in used else "timed out") for way in WAYS)
        print(f"  seed {query.seed:<8} {query.form:<8} {query.tables} tables  {shown}{'  OTHER RESULTS' * differs}", flush=True)

    def repeat(self, query, row, used):
        """Short queries more often."""
        lasted = sum(map(sum, used.values()))
        for turn in range(2, max(LEAST_ROUNDS, min(MOST_ROUNDS, int(MOST_MS / max(lasted, 1)))) + 1):
            self.round(turn, query, row, used)
        # what seems to be too slow runs more often before that is believed
        if any(oltp_report.is_slower(min(used["off"]), min(taken)) for taken in used.values()):
            for turn in range(MORE_ROUNDS):
                self.round(turn, query, row, used)

    def run(self, save):
        for setting in self.chosen.only:
            print(f"== {oltp_report.setting_name(setting)} ==", flush=True)
            self.backend.set({**SETTINGS[setting], **SERIAL, "statement_timeout": f"{self.chosen.timeout}s"})
            for query in self.plan_all(setting):
                of_query(query, self.measure, setting, query)
            save(self)                  # an interrupted run leaves what it has
        self.backend.session.close()


#
# The command
#

def arguments():
    parser = options.parser("script/bench oltp", "Measures random queries as an application asks them.", SETTINGS)
    parser.add_argument("--queries", type=int, help=f"so many are planned in each setting (default: {QUERIES:,})")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first query; the next has the next")
    parser.add_argument("--limit", type=int, help=f"executed are at most so many that have a filter (default: {LIMIT})")
    parser.add_argument("--timeout", type=int, default=60, help="seconds after which an execution is given up")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows and of the queries; not for comparisons")
    parser.add_argument("--show", type=int, metavar="SEED", help="measures nothing: prints a query, as a script for psql "
                        "(with the first of the settings)")
    parser.add_argument("--output", metavar="DIRECTORY", help="where results go instead of bench/results/oltp/ (bench/results/partial/oltp/ "
                        "with --quick, --only, other seeds or another limit); docs/benchmarks.md stays as it is then")
    parser.add_argument("--report", action="store_true", help=options.REPORT)
    parser.add_argument("--check-options", action="store_true", help=options.HIDDEN)
    chosen = options.parse(parser, SETTINGS)
    usual = (QUICK_QUERIES, QUICK_LIMIT) if chosen.quick else (QUERIES, LIMIT)
    chosen.queries = chosen.queries or usual[0]
    chosen.limit = chosen.limit or usual[1]
    chosen.complete = chosen.only == list(SETTINGS) and (chosen.queries, chosen.seed, chosen.limit) == (QUERIES, SEED, LIMIT) and not chosen.output
    return chosen


def show(seed, rows, setting):
    """How it is planned and executed in each way, in a database with the tables."""
    query = oltp_queries.make(seed, rows)
    print(f"-- seed {seed}; the tables: psql -v rows={rows} -f bench/oltp_setup.sql\n"
          "LOAD 'bloomfilter';\n\\timing on\nSET jit = off;")
    for name, value in {**SETTINGS[setting], **SERIAL}.items():
        print(f"SET {name} = '{value}';")
    for way, filters in WAYS.items():
        print(f"\n\\echo == {way}\nSET bloomfilter.join_filters = {filters};")
        if query.fetched:
            print(f"EXPLAIN {planned_text(query)};\nBEGIN\\; {executed_text(query)}\\; COMMIT;")
        else:
            print(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) {query.sql};")


def measure(chosen, output, rows):
    started = time.monotonic()
    load = os.getloadavg()[0]
    oltp = Oltp(chosen, rows)
    session = oltp.backend.session
    machine = describe_machine(session, chosen.commit)
    print(f"== {rows:,} rows in the largest table ==", flush=True)
    session.run_file(HERE / "oltp_setup.sql", rows=rows)
    machine.update({"Rows": f"{rows:,}", "Size": session.value("SELECT pg_size_pretty(pg_database_size(current_database()))"),
                    "First seed": chosen.seed, "Executed at most": chosen.limit, "Timeout": f"{chosen.timeout} s", "Load before": f"{load:.2f}",
                    "Minutes to load": f"{(time.monotonic() - started) / 60:.1f}"})

    def save(done):
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "planned.tsv", PLANNED, done.planned)
        write_tsv(output / "times.tsv", COLUMNS, done.measured)
        write_facts(output / "machine.tsv", machine)

    oltp.run(save)
    return oltp.different


def main():
    chosen = arguments()
    if chosen.check_options:
        return
    rows = oltp_queries.ROWS // (QUICK_PART if chosen.quick else 1)
    if chosen.show is not None:
        show(chosen.show, rows, chosen.only[0])
        return
    output = Path(chosen.output) if chosen.output else chosen.root / "bench" / "results" / ("oltp" if chosen.complete else "partial/oltp")
    output.mkdir(parents=True, exist_ok=True)
    different = [] if chosen.report else measure(chosen, output, rows)
    oltp_report.write(output, chosen.root if chosen.complete else None)
    if different:
        sys.exit(f"Other results with filters: {'; '.join(different)}")


if __name__ == "__main__":
    main()
