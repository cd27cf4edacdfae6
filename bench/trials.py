"""Measures whether trials tell what a measurement by hand tells, in the server that libpq's environment names.

Called by script/bench trials, which prepares that server.  Clients ask the queries of a star and of an application for
some time, with a trial of one planning in ten.  Afterwards each query is executed with filters and without in turn, alone;
and a short prepared statement with a trial and without.
"""

import math
import os
import random
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import outputs
import trials_report
from document import write_facts, write_tsv
from run import describe_machine
from session import Session
from usage import transactions

HERE = Path(__file__).resolve().parent

ROWS, MINUTES, ROUNDS, TURNS = 1_000_000, 60, 60, 20
QUICK_ROWS, QUICK_MINUTES, QUICK_ROUNDS, QUICK_TURNS = 200_000, 2, 20, 6
# parameters that are tried until there are filters
DRAWS = 20
FRACTION = 0.1
# what many share asks, and what those ask who force filters
CLIENTS, FORCING = 6, 2
COLUMNS = ("query", "mode", "with", "without", "ratio", "low", "high", "verdict", "guarded", "by_hand", "hand_low", "hand_high")


@dataclass
class Query:
    """weight: how often it is asked; most: its parameter :n is from 1 to that."""
    sql: str
    weight: int
    most: int = 1
    mode: str = "on"


QUERIES = {
    "sales of a segment": Query(
        "SELECT count(*), sum(cents) FROM sale JOIN customer c ON c.id = customer_id WHERE segment = :n", 10, 100),
    "sales of a category": Query(
        "SELECT count(*), sum(cents) FROM sale JOIN product p ON p.id = product_id WHERE category_id = :n", 10, 200),
    "segment and region": Query(
        "SELECT region, sum(cents) FROM sale JOIN customer c ON c.id = customer_id JOIN shop s ON s.id = shop_id "
        "WHERE segment IN (:n, :n + 1) AND region < 6 GROUP BY region", 10, 99),
    "sales of regions": Query(
        "SELECT count(*), sum(cents) FROM sale JOIN shop s ON s.id = shop_id WHERE region <= :n", 10, 9),
    "returned for a reason": Query(
        "SELECT count(*), sum(cents) FROM sale s JOIN returned r ON r.sale_id = s.id WHERE reason = :n", 10, 49),
    "partitions of a week": Query("SELECT count(*), sum(cents) FROM daily JOIN day ON day.id = day WHERE week = :n", 10, 19),
    "estimated badly, nothing dropped": Query(
        "SELECT count(*), sum(cents) FROM sale JOIN customer c ON c.id = customer_id WHERE segment + 0 * :n = segment", 5),
    "sales of a customer": Query(
        "SELECT s.id, price FROM sale s JOIN product p ON p.id = product_id WHERE customer_id = :n", 300, 40_000),
    "the latest of a shop": Query(
        "SELECT s.id, name FROM sale s JOIN customer c ON c.id = customer_id WHERE shop_id = :n ORDER BY s.id DESC LIMIT 5", 100, 500),
    "receipts, nothing dropped": Query(
        "SELECT count(*) FROM paid JOIN receipt USING (receipt) WHERE cents > :n", 10, 100, "force"),
    "shops, nothing dropped": Query(
        "SELECT count(*), max(receipt) FROM (SELECT * FROM sale WHERE id <= 20000) s JOIN shop ON shop.id = shop_id WHERE region >= -:n",
        10, 9, "force"),
    "partitions, nothing dropped": Query("SELECT count(*), sum(cents) FROM daily JOIN day ON day.id = day WHERE week < 19 + :n", 10, 9, "force"),
    "products, half dropped": Query(
        "SELECT count(*) FROM (SELECT * FROM sale WHERE id <= 50000) s JOIN product p ON p.id = product_id WHERE price < 500 + :n", 10, 9, "force"),
}


# What the clock of a trial is measured on, for so many seconds a turn.
PREPARED, PREPARED_SECONDS = "SELECT count(*) FROM shop a JOIN shop b USING (id) WHERE b.region = :n", 3


def tagged(name, query):
    """The name is in the text that the view shows."""
    return query.sql.replace("SELECT", f"SELECT /* {name} */", 1)


def interval(logarithms):
    """The geometric mean, and its 95 % interval."""
    mean = statistics.fmean(logarithms)
    half = 1.96 * statistics.stdev(logarithms) / math.sqrt(len(logarithms))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


class Measures:
    def __init__(self, chosen):
        self.rows, self.minutes, self.rounds, self.turns = (QUICK_ROWS, QUICK_MINUTES, QUICK_ROUNDS, QUICK_TURNS) if chosen.quick else (
            ROWS, MINUTES, ROUNDS, TURNS)
        self.session = Session()
        self.session.rows("CREATE EXTENSION IF NOT EXISTS bloomfilter")
        self.session.run_file(HERE / "trials_setup.sql", rows=self.rows)

    def start_load(self, directory, mode, clients):
        """pgbench, which asks in simple statements: each is planned."""
        files = []
        for number, (name, query) in enumerate(QUERIES.items()):
            if query.mode == mode:
                path = Path(directory) / f"{mode}{number}.sql"
                path.write_text(f"\\set n random(1, {query.most})\n{tagged(name, query)};\n", encoding="utf-8")
                files += ["-f", f"{path}@{query.weight}"]
        options = f"-c bloomfilter.join_filters={mode} -c bloomfilter.join_filter_trial={FRACTION}"
        return subprocess.Popen(["pgbench", "-n", "-c", str(clients), "-j", "1", "-T", str(self.minutes * 60), *files],
                                env={**os.environ, "PGOPTIONS": options}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")

    def load(self):
        """The transactions of all clients."""
        self.session.rows("SELECT bloom_stat_reset()")
        done = 0
        with tempfile.TemporaryDirectory() as directory:
            for load in [self.start_load(directory, "on", CLIENTS), self.start_load(directory, "force", FORCING)]:
                output, errors = load.communicate()
                if load.returncode != 0:
                    raise SystemExit(errors)
                done += transactions(output)
        return done

    def draw(self, query, numbers):
        """The query with a parameter for which it has filters: only those take part in trials.  If there is none, with any."""
        self.session.rows(f"SET bloomfilter.join_filters = {query.mode}")
        for _ in range(DRAWS):
            sql = query.sql.replace(":n", str(numbers.randint(1, query.most)))
            if "bloomfilter" in self.session.text(f"EXPLAIN {sql}"):
                break
        return sql

    def by_hand(self, query):
        """How many times as long with filters as without, alone, the same parameter in both."""
        numbers = random.Random(1)
        logarithms = []
        for turn in range(self.rounds):
            sql = self.draw(query, numbers)
            taken = {}
            for mode in (query.mode, "off")[::1 if turn % 2 else -1]:
                self.session.rows(f"SET bloomfilter.join_filters = {mode}")
                taken[mode], _ = self.session.time(sql)
            logarithms.append(math.log(taken[query.mode] / taken["off"]))
        return interval(logarithms)

    def prepared(self, trial):
        """The transactions of a client that executes a prepared statement, whose plan has filters and is kept."""
        options = f"-c bloomfilter.join_filters=force -c bloomfilter.join_filter_trial={trial} -c bloomfilter.join_filter_guard=off"
        done = subprocess.run(["pgbench", "-n", "-M", "prepared", "-T", str(PREPARED_SECONDS), "-f", "-"], check=True,
                              input=f"\\set n random(1, 10)\n{PREPARED};\n", env={**os.environ, "PGOPTIONS": options},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        return transactions(done.stdout)

    def overhead(self):
        """The time of a prepared statement in milliseconds, and how many times as long it takes while there are trials."""
        done, ratios = [], []
        for turn in range(self.turns):
            of = {trial: self.prepared(trial) for trial in ("0", "1e-300")[::1 if turn % 2 else -1]}
            done.append(of["0"])
            ratios.append(of["0"] / of["1e-300"])
        return 1000 * PREPARED_SECONDS / statistics.median(done), interval([math.log(ratio) for ratio in ratios])

    def trial(self, name):
        """What the view tells of a query, if anything."""
        found = self.session.rows(f"""SELECT executions_with, executions_without, ratio::real, ratio_low::real, ratio_high::real, verdict,
                                             guarded_since IS NOT NULL
                                        FROM bloom_join_filter_trials WHERE query LIKE '%/* {name} */%'""")
        return dict(zip(COLUMNS[2:9], found[0])) if found else {}

    def run(self):
        rows = []
        for name, query in QUERIES.items():
            row = {"query": name, "mode": query.mode, **self.trial(name)}
            row["by_hand"], row["hand_low"], row["hand_high"] = self.by_hand(query)
            rows.append(row)
            print("  " + "  ".join(f"{value:.3g}" if isinstance(value, float) else str(value) for value in row.values()), flush=True)
        return rows


def main():
    chosen = outputs.arguments("trials", "Measures whether trials tell what a measurement by hand tells.", ["all"], "two minutes, a fifth of the rows")
    if chosen.check_options:
        return
    output, root = outputs.targets("trials", chosen, ["all"])
    if not chosen.report:
        started = time.monotonic()
        measures = Measures(chosen)
        machine = describe_machine(measures.session, chosen.commit)
        machine.update({"Rows": f"{measures.rows:,}", "Minutes of load": str(measures.minutes), "Fraction of the trial": str(FRACTION),
                        "Clients": str(CLIENTS + FORCING)})
        machine["Transactions"] = f"{measures.load():,}"
        rows = measures.run()
        prepared_ms, (ratio, low, high) = measures.overhead()
        machine["Prepared statement, ms"] = f"{prepared_ms:.3f}"
        machine["With a trial, times as long"] = f"{ratio:.3f} ({low:.3f} – {high:.3f})"
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "queries.tsv", COLUMNS, rows)
        write_facts(output / "machine.tsv", machine)
        measures.session.close()
    trials_report.write(output, root)


if __name__ == "__main__":
    main()
