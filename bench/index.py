"""Measures filter indexes beside other indexes, in the server that libpq's environment names.

Called by script/bench index, which prepares that server.  Tables have one index at a time.
"""

import os
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import index_report
import outputs
from document import write_facts, write_tsv
from joins import SERIAL
from run import describe_machine
from session import Session
from usage import Backend, nodes

HERE = Path(__file__).resolve().parent

GROUPS = ("table", "growing", "partitions", "large")
QUICK_PART = 20
# Of a table that grows, in a step, a gigabyte: 25 rows on each page.
ROWS = {"table": 20_000_000, "growing": 25 * 2**17, "partitions": 20_000_000, "large": 300_000_000}
STEPS, SEEN_STEPS = 10, (1, 5, 10)
# Characters that make it 25.
GROWING_NOTE = 258
PARTITIONS = 365
# contrib/bloom has no operator class for uuid.  BRIN's best of those tried: small ranges with a low rate.
INDEXES = {
    "bloomfilter": "USING bloomfilter (id)",
    "btree": "USING btree (id)",
    "hash": "USING hash (id)",
    "brin": "USING brin (id uuid_bloom_ops (n_distinct_per_range = 2000, false_positive_rate = 0.001)) WITH (pages_per_range = 24)",
    "contrib": "USING bloom (token)",
}
LOOKUPS, ARRAY, ABSENT = 20, 100, 2_000
GROWING_LOOKUPS, LARGE_LOOKUPS = 200, 100
# Characters that make a row of 101 bytes.
LARGE_NOTE = 56
# Rows that are copied, in two halves; what one client inserts, twice, and its number; of inserts of many rows, likewise.
COPIED, CLIENTS, SINGLE, SINGLE_CLIENTS, BATCHES, BATCH, ROUNDS = 1_000_000, 8, 10_000, 4, 500, 200, 3
# So many rows has the value that is looked up as one that repeats.
REPEATED = 74


@dataclass
class Key:
    """What a lookup searches: the column, and the expression of the i-th row's value."""
    column: str
    value: str

    def of(self, i):
        return self.value.format(i)

    def equals(self, i):
        return f"{self.column} = {self.of(i)}"

    def any_of(self, numbers):
        return f"{self.column} = ANY (ARRAY[{', '.join(map(self.of, numbers))}])"


KEYS = {"id": Key("id", "md5('{}')::uuid"), "token": Key("token", "substr(md5('token {}'), 1, 16)")}


def key_of(kind):
    return KEYS["token" if kind == "contrib" else "id"]


class Measures:
    def __init__(self, chosen):
        self.backend = Backend(Session())
        self.session = self.backend.session
        self.part = QUICK_PART if chosen.quick else 1
        self.rows = {group: rows // self.part for group, rows in ROWS.items()}
        self.kinds = list(INDEXES)
        self.values = []

    def add(self, group, kind, what, value):
        self.values.append({"group": group, "index": kind, "what": what, "value": value})
        print(f"  {group:<10} {kind:<12} {what:<22} {value:>14,.6g}", flush=True)

    def persons(self, group):
        return self.rows[group] / 4

    def number(self, sql):
        return float(self.session.value(sql))

    def wal(self):
        return self.number("SELECT pg_current_wal_insert_lsn() - '0/0'")

    def run(self, groups):
        self.backend.set({**SERIAL, "maintenance_work_mem": "1GB", "max_parallel_maintenance_workers": "0"})
        for extension in ("bloomfilter", "bloom"):
            self.session.rows(f"CREATE EXTENSION IF NOT EXISTS {extension}")
        self.session.run_file(HERE / "index_setup.sql")
        for group in groups:
            getattr(self, f"measure_{group}")()

    #
    # Building and looking up
    #

    def build(self, group, kind, table, definition):
        """Milliseconds of the processor, and the size, also per row."""
        _, processor, _ = self.backend.time(f"CREATE INDEX measured ON {table} {definition}")
        size = self.number("""SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE oid = 'measured'::regclass OR
                              oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'measured'::regclass)""")
        self.add(group, kind, "build_cpu_ms", processor)
        self.add(group, kind, "bytes", size)
        self.add(group, kind, "bits_a_row", 8 * size / self.rows[group])

    def look_up(self, group, kind, what, table, conditions):
        """The mean of pages and of those of the heap, and the median of milliseconds; is it the planner's choice?"""
        queries = [f"SELECT * FROM {table} WHERE {condition}" for condition in conditions]
        self.session.rows("RESET enable_seqscan")
        unforced = self.backend.plan(queries[0])
        self.session.rows("SET enable_seqscan = off")
        plans = [self.backend.analyze(query) for query in queries]
        self.add(group, kind, f"{what}_pages", statistics.mean(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] for plan in plans))
        self.add(group, kind, f"{what}_ms", statistics.median(self.session.time(query)[0] for query in queries))
        self.add(group, kind, f"{what}_chosen", not any(node["Node Type"] == "Seq Scan" for node in nodes(unforced)))

    def look_up_keys(self, group, kind, table, lookups):
        """Absent ones and such as one row has, and an array of these."""
        key, rows = key_of(kind), self.rows[group]
        present = [1 + i * 7919 * 7919 % rows for i in range(max(lookups, ARRAY))]
        self.look_up(group, kind, "absent", table, [key.equals(rows * 2 + i) for i in range(lookups)])
        self.look_up(group, kind, "one", table, [key.equals(i) for i in present[:lookups]])
        if kind != "contrib":
            self.look_up(group, kind, "any", table, [key.any_of(present[:ARRAY])])

    def look_up_repeated(self, kind):
        """A value that several rows have, anywhere in the table."""
        self.session.rows(f"CREATE INDEX measured ON event USING {kind} (person)")
        self.add("table", kind, "repeated_bits_a_row", 8 * self.number("SELECT pg_relation_size('measured')") / self.rows["table"])
        values = [row[0] for row in self.session.rows(
            f"SELECT person FROM event GROUP BY 1 HAVING count(*) = {REPEATED} ORDER BY 1 LIMIT 5")]
        self.look_up("table", kind, "repeated", "event", [f"person = {value}" for value in values])
        self.session.rows("DROP INDEX measured")

    def delivered_rate(self):
        """Of the ranges of a table, those that absent values are found in; all pages of the index but one of each
        group are read because of them.  The first lookup of a session reads the directory, too.  Rows of nothing but an
        id make so few groups that they have no cover, which would keep most groups from being read."""
        self.session.rows("CREATE UNLOGGED TABLE rated AS SELECT id FROM event")
        self.session.rows("VACUUM (FREEZE, ANALYZE) rated")
        self.session.rows("CREATE INDEX rated_id ON rated USING bloomfilter (id)")
        groups, ranges, asked, covers = map(float, self.session.rows(
            "SELECT groups, ranges, target_false_positive_rate, covers FROM bloom_index_info('rated_id')")[0])
        assert covers == 0
        found = 0
        for i in range(ABSENT + 1):
            plan = self.backend.analyze(f"SELECT * FROM rated WHERE {KEYS['id'].equals(self.rows['table'] * 3 + i)}")
            scan, = (node for node in nodes(plan) if node["Node Type"] == "Bitmap Index Scan")
            pages = scan["Shared Hit Blocks"] + scan["Shared Read Blocks"]
            found += (pages - groups - index_report.CHECKED_PAGES) if i > 0 else 0
        self.add("table", "bloomfilter", "rate_of_asked", found / ABSENT / ranges / asked)
        self.session.rows("DROP TABLE rated")

    #
    # Writing
    #

    def rows_from(self, first, last):
        return f"SELECT * FROM events({first}, {last}, {self.persons('table')})"

    def copy(self, kind, files):
        """Two halves, each after a checkpoint: WAL, and processor time, for each row."""
        wal, processor = 0, 0
        for file in files:
            self.session.rows("CHECKPOINT")
            before = self.wal()
            processor += self.backend.time(f"COPY event FROM '{file}'")[1]
            wal += self.wal() - before
        self.add("table", kind, "copy_wal", wal / (COPIED // self.part))
        self.add("table", kind, "copy_cpu_us", 1000 * processor / (COPIED // self.part))

    def clients(self, script, clients, transactions):
        """Seconds that pgbench takes."""
        started = time.monotonic()
        done = subprocess.run(["pgbench", "-n", "-c", str(clients), "-j", str(clients), "-t", str(transactions), "-f", "-"], input=script,
                              capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return time.monotonic() - started

    def insert(self, kind):
        start = f"\\set i random({self.rows['table'] * 4}, {2**62})\nINSERT INTO event "
        single, batch = (start + self.rows_from(":i", f":i + {count - 1}") + ";\n" for count in (1, BATCH))
        wal, transactions = 0, SINGLE // self.part
        for _ in range(2):
            self.session.rows("CHECKPOINT")
            before = self.wal()
            self.clients(single, SINGLE_CLIENTS, transactions)
            wal += self.wal() - before
        self.add("table", kind, "insert_wal", wal / (2 * SINGLE_CLIENTS * transactions))
        self.add("table", kind, "batches_s", min(self.clients(batch, CLIENTS, BATCHES // self.part) for _ in range(ROUNDS)))

    def forget_inserts(self, kept):
        """Makes the table what it was before."""
        self.session.rows("DROP INDEX IF EXISTS measured")
        self.session.rows(f"DELETE FROM event WHERE ctid >= '({kept},0)'")
        self.session.rows("VACUUM event")

    #
    # The groups
    #

    def measure_table(self):
        rows = self.rows["table"]
        self.session.rows(f"CREATE TABLE event AS {self.rows_from(1, rows)}")
        self.session.rows("VACUUM (FREEZE, ANALYZE) event")
        kept = int(self.number("SELECT relpages FROM pg_class WHERE relname = 'event'"))
        self.add("table", "none", "pages", kept)
        half = COPIED // self.part // 2
        files = [f"{self.session.value('SHOW data_directory')}/copied_{i}" for i in range(2)]
        for i, file in enumerate(files):
            self.session.rows(f"COPY ({self.rows_from(rows * 3 + i * half, rows * 3 + (i + 1) * half - 1)}) TO '{file}'")
        for kind in ("none", *self.kinds):
            if kind != "none":
                self.build("table", kind, "event", INDEXES[kind])
                self.look_up_keys("table", kind, "event", LOOKUPS)
            self.copy(kind, files)
            self.insert(kind)
            self.forget_inserts(kept)
        self.delivered_rate()
        for kind in ("bloomfilter", "btree"):
            self.look_up_repeated(kind)
        self.session.rows("DROP TABLE event")

    def measure_partitions(self):
        rows, count = self.rows["partitions"], PARTITIONS
        self.session.rows("CREATE TABLE daily (day int, id uuid, person int, token text, note text) PARTITION BY LIST (day)")
        for day in range(count):
            self.session.rows(f"CREATE TABLE daily_{day} PARTITION OF daily FOR VALUES IN ({day})")
        self.session.rows(f"""INSERT INTO daily SELECT (i - 1) * {count} / {rows}, e.* FROM generate_series(1::bigint, {rows}) AS i,
                              events(i, i, {self.persons('partitions')}) AS e""")
        self.session.rows("VACUUM (FREEZE, ANALYZE)")
        for kind in ("bloomfilter", "btree", "brin"):
            self.build("partitions", kind, "daily", INDEXES[kind])
            self.look_up("partitions", kind, "absent", "daily", [KEYS["id"].equals(rows * 2 + i) for i in range(LOOKUPS // 4)])
            self.session.rows("DROP INDEX measured")
        self.session.rows("DROP TABLE daily")

    def measure_growing(self):
        """A table with an index that is there from the start, and at some sizes, one that is built of its second column.
        VACUUM follows each step."""
        rows = self.rows["growing"]
        self.session.rows("CREATE UNLOGGED TABLE growing (id uuid, twin uuid, note text) WITH (autovacuum_enabled = off)")
        self.session.rows("CREATE INDEX grown ON growing USING bloomfilter (id)")
        for step in range(1, STEPS + 1):
            first = (step - 1) * rows
            self.session.rows(f"""INSERT INTO growing SELECT event_id(i), event_id(i), repeat('x', {GROWING_NOTE})
                                  FROM generate_series({first + 1}, {first + rows}) AS i""")
            self.session.rows("VACUUM growing")
            if step in SEEN_STEPS:
                self.session.rows("ANALYZE growing")
                self.absent_in(step, "grown", "id")
                self.session.rows("CREATE INDEX measured ON growing USING bloomfilter (twin)")
                self.absent_in(step, "built", "twin")
                self.session.rows("DROP INDEX measured")
        self.session.rows("DROP TABLE growing")

    def absent_in(self, step, what, column):
        key = Key(column, KEYS["id"].value)
        self.look_up(f"growing {step}", "bloomfilter", what, "growing",
                     [key.equals(self.rows["growing"] * STEPS * 2 + i) for i in range(GROWING_LOOKUPS)])

    def measure_large(self):
        """Only ids, and rows as wide as elsewhere, so that they are made in minutes."""
        self.session.rows(f"""CREATE UNLOGGED TABLE large AS SELECT event_id(i) AS id, repeat('x', {LARGE_NOTE}) AS note
                              FROM generate_series(1::bigint, {self.rows['large']}) AS i""")
        self.session.rows("VACUUM (FREEZE, ANALYZE) large")
        self.build("large", "bloomfilter", "large", INDEXES["bloomfilter"])
        self.look_up_keys("large", "bloomfilter", "large", LARGE_LOOKUPS)
        self.session.rows("DROP TABLE large")


def main():
    chosen = outputs.arguments("index", "Measures filter indexes beside other indexes.", GROUPS, "a twentieth of the rows")
    if chosen.check_options:
        return
    output, root = outputs.targets("index", chosen, list(GROUPS))
    if not chosen.report:
        started = time.monotonic()
        measures = Measures(chosen)
        machine = describe_machine(measures.session, chosen.commit)
        machine.update({"Rows": f"{measures.rows['table']:,}", "Load before": f"{os.getloadavg()[0]:.2f}"})
        measures.run(chosen.only)
        measures.session.close()
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "values.tsv", ("group", "index", "what", "value"), measures.values)
        write_facts(output / "machine.tsv", machine)
    index_report.write(output, root)


if __name__ == "__main__":
    main()
