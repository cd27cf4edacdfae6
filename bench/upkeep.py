"""Measures what keeps a filter in step with what is inserted, in the server that libpq's environment names.

Called by script/bench upkeep, which prepares that server.  Each way has a table of its own that clients insert into, one
row a transaction, then many rows a statement.  A set has no table but its own.
"""

import json
import os
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import outputs
import upkeep_report
from document import write_facts, write_tsv
from run import describe_machine
from session import Session
from usage import transactions

HERE = Path(__file__).resolve().parent

GROUPS = ("ways", "set")
QUICK_PART = 50
# The rows of the table before, and what the filters are made for.
ROWS, EXPECTED = 5_000_000, 10_000_000
CLIENTS, SECONDS, QUICK_SECONDS, ROUNDS = 4, 8, 1, 3
BATCH = 100
# What is added to a set: values by calls of BATCH, and calls of more clients, which change a tenth of all rows each.
ADDED, CROWD, CROWD_CALLS, CROWD_EXPECTED = 10_000_000, 8, 10_000, 500_000
# Executions whose median is taken, and tests in each.
TIMED, TESTS = 5, 100_000
# Seconds between two merges of the queue.
MERGED_EVERY = 5

ROW = "gen_random_uuid(), 'some forty bytes of a note on this item'"
INSERT = "INSERT INTO item SELECT {row} FROM generate_series(1, {rows}){conflict};\n"
TRIGGER = """
    CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body}; RETURN NULL; END $$;
    CREATE TRIGGER keep AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION keep()"""
SEGMENTS = """
    CREATE TABLE kept (segment int PRIMARY KEY, f bloomfilter NOT NULL) WITH (fillfactor = {fillfactor});
    INSERT INTO kept SELECT bloom_shard(id, {segments}), bloom_agg(id, {expected} / {segments}.0 * 1.15) FROM item GROUP BY 1"""


@dataclass
class Way:
    """setup makes what is kept, from the rows that the table has; size is what it takes in bytes.  With many=False,
    statements of several rows are not measured: they would deadlock, or take minutes."""
    setup: str = ""
    size: str = "pg_total_relation_size('kept')"
    conflict: str = ""              # of the INSERT
    merge: str = ""                 # is done now and then
    many: bool = True

    def of(self, rows):
        """A transaction that adds so many."""
        return INSERT.format(row=ROW, rows=rows, conflict=self.conflict)


def segments(number, fillfactor=100):
    return Way(SEGMENTS.replace("{segments}", str(number)).replace("{fillfactor}", str(fillfactor)) + ";" +
               TRIGGER.format(body=f"UPDATE kept SET f = bloom_add(f, NEW.id) WHERE segment = bloom_shard(NEW.id, {number})"), many=False)


class Set(Way):
    def of(self, rows):
        if rows == 1:
            return "SELECT bloom_set_add('kept', gen_random_uuid());\n"
        return f"SELECT cardinality(bloom_set_add_all('kept', ARRAY(SELECT gen_random_uuid() FROM generate_series(1, {rows}))));\n"


# Another way is one more entry here and one in upkeep_report.NAMES.
WAYS = {
    "none": Way(size="0"),
    "unique": Way("CREATE UNIQUE INDEX kept ON item (id)", "pg_relation_size('kept')", " ON CONFLICT DO NOTHING"),
    "trigger": Way("CREATE TABLE kept AS SELECT bloom_agg(id, {expected}) AS f FROM item;" +
                   TRIGGER.format(body="UPDATE kept SET f = bloom_add(f, NEW.id)"), many=False),
    "segments64": segments(64),
    "segments1024": segments(1024),
    "segments8192": segments(8192),
    "segments8192hot": segments(8192, 45),
    "queue": Way("CREATE TABLE kept AS SELECT bloom_agg(id, {expected}) AS f FROM item; CREATE TABLE waiting (id uuid NOT NULL);" +
                 TRIGGER.format(body="INSERT INTO waiting VALUES (NEW.id)"),
                 "pg_total_relation_size('kept') + pg_total_relation_size('waiting')",
                 merge="""WITH taken AS (DELETE FROM waiting RETURNING id)
                          UPDATE kept SET f = bloom_add_all(f, (SELECT array_agg(id) FROM taken))"""),
    "index": Way("CREATE INDEX kept ON item USING bloomfilter (id) WITH (scope = 'table', expected_items = {expected})",
                 "pg_relation_size('kept')"),
    "set": Set("SELECT bloom_set_create('kept', {expected}); SELECT cardinality(bloom_set_add_all('kept', array_agg(id))) FROM item"),
}


class Measures:
    def __init__(self, chosen):
        self.session = Session()
        self.part = QUICK_PART if chosen.quick else 1
        self.seconds = QUICK_SECONDS if chosen.quick else SECONDS
        self.rows, self.expected, self.added = ROWS // self.part, EXPECTED // self.part, ADDED // self.part
        self.values = []

    def add(self, way, what, value):
        self.values.append({"way": way, "what": what, "value": value})
        print(f"  {way:<16} {what:<14} {value:>14,.6g}", flush=True)

    def run(self, groups):
        self.session.rows("CREATE EXTENSION IF NOT EXISTS bloomfilter")
        if "ways" in groups:
            for name, way in WAYS.items():
                self.measure_way(name, way)
        if "set" in groups:
            self.measure_set()

    def number(self, sql):
        return float(self.session.value(sql))

    def wal(self):
        return self.number("SELECT pg_current_wal_insert_lsn() - '0/0'")

    def pgbench(self, script, clients, *limit):
        """Transactions, and the seconds they took."""
        started = time.monotonic()
        done = subprocess.run(["pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", "1", *map(str, limit), "-f", "-"], input=script,
                              capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        seconds = time.monotonic() - started
        return transactions(done.stdout), seconds

    def merging(self, sql, stop):
        """Merges until it is stopped, in a thread of its own."""
        session = Session()
        while not stop.wait(MERGED_EVERY):
            session.rows(sql)
        session.close()

    def prepare_way(self, way):
        self.session.rows(f"CREATE TABLE item AS SELECT {ROW.replace(', ', ' AS id, ', 1)} AS note FROM generate_series(1, {self.rows})")
        for statement in split(way.setup.replace("{expected}", str(self.expected))):
            self.session.rows(statement)
        self.session.rows("VACUUM ANALYZE")

    def measure_way(self, name, way):
        self.prepare_way(way)
        self.add(name, "bytes_before", self.number(f"SELECT {way.size}"))
        stop = threading.Event()
        merger = threading.Thread(target=self.merging, args=(way.merge, stop))
        if way.merge:
            merger.start()
        self.measure_rate(name, way, 1, "rows_s")
        if way.many:
            self.measure_rate(name, way, BATCH, "batched_s")
        stop.set()
        if way.merge:
            merger.join()
        self.add(name, "bytes_after", self.number(f"SELECT {way.size}"))
        if name == "index":
            self.measure_index()
        self.session.rows("DROP TABLE IF EXISTS item, waiting CASCADE")
        self.session.rows("DROP TABLE IF EXISTS kept")
        self.session.rows("DROP FUNCTION IF EXISTS keep")

    def measure_rate(self, name, way, rows, what):
        """The median of some rounds, each after a checkpoint; and WAL of all."""
        rates, wal, total = [], 0, 0
        for _ in range(ROUNDS):
            self.session.rows("CHECKPOINT")
            before = self.wal()
            done, seconds = self.pgbench(way.of(rows), CLIENTS, "-T", self.seconds)
            rates.append(done * rows / seconds)
            wal += self.wal() - before
            total += done * rows
        self.add(name, what, statistics.median(rates))
        self.add(name, what.replace("_s", "_wal"), wal / total)

    def milliseconds(self, sql):
        """The median of some executions."""
        times = []
        for _ in range(TIMED):
            started = time.monotonic()
            self.session.rows(sql)
            times.append((time.monotonic() - started) * 1000)
        return statistics.median(times)

    def measure_index(self):
        """The filter that the index keeps: to get it, and to test a value by it."""
        self.add("index", "filter_ms", self.milliseconds("SELECT bloom_index_filter('kept') IS NULL"))
        tests = f"SELECT count(*) FROM generate_series(1, {TESTS}) WHERE {{}}"
        test = self.milliseconds(tests.format("bloom_index_contains('kept', gen_random_uuid())"))
        base = self.milliseconds(tests.format("gen_random_uuid() IS NOT NULL"))
        self.add("index", "contains_us", (test - base) * 1000 / TESTS)
        lines = self.session.rows("EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT json) SELECT bloom_index_contains('kept', gen_random_uuid())")
        plan = json.loads("".join(line for line, in lines))
        self.add("index", "contains_pages", plan[0]["Plan"]["Shared Hit Blocks"] + plan[0]["Plan"]["Shared Read Blocks"])
        self.add("index", "missing", self.number("SELECT bloom_index_check('kept')"))

    def measure_set(self):
        """Its size while it is filled, and the deadlocks of many clients."""
        self.session.rows(f"SELECT bloom_set_create('kept', {self.expected})")
        self.add("filled", "bytes_before", self.number("SELECT pg_total_relation_size('kept')"))
        script = WAYS["set"].of(BATCH)
        done, seconds = self.pgbench(script, CLIENTS, "-t", self.added // BATCH // CLIENTS)
        self.add("filled", "batched_s", done * BATCH / seconds)
        self.add("filled", "bytes_after", self.number("SELECT pg_total_relation_size('kept')"))
        self.session.rows("DROP TABLE kept")
        self.session.rows(f"SELECT bloom_set_create('kept', {CROWD_EXPECTED})")
        self.pgbench(script, CROWD, "-t", CROWD_CALLS // CROWD // self.part)
        self.session.rows("SELECT pg_stat_force_next_flush()")
        self.add("crowd", "deadlocks", self.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
        self.session.rows("DROP TABLE kept")


def split(sql):
    """The statements of a setup: none has a semicolon but in a function's body."""
    statements, quoted = [""], False
    for piece in sql.split(";"):
        statements[-1] += piece
        quoted ^= piece.count("$$") % 2 == 1
        if quoted:
            statements[-1] += ";"
        else:
            statements.append("")
    return [statement for statement in statements if statement.strip()]


def main():
    chosen = outputs.arguments("upkeep", "Measures what keeps a filter in step with what is inserted.", GROUPS, "a fiftieth of the rows")
    if chosen.check_options:
        return
    output, root = outputs.targets("upkeep", chosen, list(GROUPS))
    if not chosen.report:
        started = time.monotonic()
        measures = Measures(chosen)
        machine = describe_machine(measures.session, chosen.commit)
        machine.update({"Rows": f"{measures.rows:,}", "Load before": f"{os.getloadavg()[0]:.2f}"})
        measures.run(chosen.only)
        measures.session.close()
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "values.tsv", ("way", "what", "value"), measures.values)
        write_facts(output / "machine.tsv", machine)
    upkeep_report.write(output, root)


if __name__ == "__main__":
    main()
