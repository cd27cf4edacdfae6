"""Measures filter indexes of keys beside GIN, in the server that libpq's environment names.

Called by script/bench index --keys, which prepares that server.  Tables have one index at a time.
"""

import os
import statistics
import time
from pathlib import Path

import index
import keys_report
import outputs
import packages
from document import write_facts, write_tsv
from joins import SERIAL
from run import describe_machine
from session import Session

HERE = Path(__file__).resolve().parent

NAME = "index --keys"
GROUPS = ("lines", "inserts", "packages", "trigrams", "short")
QUICK_PART = 20
# Lines of the log; of a table whose trigrams are indexed, or that more are inserted into; of a table that is short.
ROWS = {"lines": 2_000_000, "inserts": 200_000, "trigrams": 200_000, "short": 2_000}
INSERTED, ROUNDS = 30_000, 3
KINDS = ("bloomfilter", "gin")
# Lookups whose pages are averaged, and those whose processor time is; the first lines that no table has.
LOOKUPS, MANY, ABSENT = 20, 1_000, 10**9
TIMED = 3
# What a person reads of a package.
FIELDS = ("Package", "Source", "Description", "Homepage", "Tag", "Section", "Depends", "Recommends", "Provides")
WORDS = "string_to_array(message, ' ')"
DEFINITIONS = {
    "words": {"bloomfilter": f"USING bloomfilter ({WORDS} array_key_ops)",
              "gin": f"USING gin ({WORDS}) WITH (fastupdate = off)",
              "pending": f"USING gin ({WORDS})"},
    "lexemes": {"bloomfilter": "USING bloomfilter (words tsvector_key_ops)", "gin": "USING gin (words) WITH (fastupdate = off)"},
    "trigrams": {"bloomfilter": "USING bloomfilter ({} trgm_key_ops)", "gin": "USING gin ({} gin_trgm_ops) WITH (fastupdate = off)"},
}
FREQUENT = f"""SELECT split_part(message, ' ', 2), split_part(message, ' ', 3), split_part(message, ' ', 9)
    FROM line GROUP BY 1, 2, 3 HAVING count(*) = 3 ORDER BY 1, 2, 3 LIMIT {LOOKUPS // 4}"""
# Words of so many packages, each shorter word left out.
LEXEMES = """SELECT word FROM ts_stat('SELECT words FROM package') WHERE ndoc BETWEEN {} AND {} AND word ~ '^[a-z]{{7,}}$'
    ORDER BY hashtext(word) LIMIT {}"""


def contains(*expressions):
    return f"{WORDS} @> ARRAY[{', '.join(expressions)}]"


def like(column, text):
    return f"{column} LIKE '%{text}%'"


def quoted(words):
    return [f"'{word}'" for word in words]


class Measures(index.Measures):
    def __init__(self, chosen):
        super().__init__(chosen)
        self.part = QUICK_PART if chosen.quick else 1
        self.rows = {group: rows // self.part for group, rows in ROWS.items()}

    def run(self, groups):
        self.backend.set({**SERIAL, "maintenance_work_mem": "256MB", "max_parallel_maintenance_workers": "0"})
        for extension in ("bloomfilter", "pg_trgm"):
            self.session.rows(f"CREATE EXTENSION IF NOT EXISTS {extension}")
        self.session.run_file(HERE / "keys_setup.sql")
        for group in groups:
            getattr(self, f"measure_{group}")()

    def make_lines(self, table, rows):
        self.session.rows(f"CREATE TABLE {table} AS SELECT * FROM lines(1, {rows})")
        self.session.rows(f"VACUUM (FREEZE, ANALYZE) {table}")

    def make_packages(self):
        """Every package that can be had, as its text and the lexemes of that."""
        self.session.rows("CREATE TABLE package (text text, words tsvector)")
        texts = ["\n".join(fields[name] for name in FIELDS if name in fields) for fields in packages.stanzas()]
        for first in range(0, len(texts), 1000):
            rows = ", ".join(f"($text${text}$text$)" for text in texts[first:first + 1000])
            self.session.rows(f"INSERT INTO package SELECT t, to_tsvector('english', t) FROM (VALUES {rows}) AS v(t)")
        self.rows["packages"] = len(texts)
        self.session.rows("VACUUM (FREEZE, ANALYZE) package")

    def with_indexes(self, group, table, definitions, work):
        """Builds each in turn, and does the work with each."""
        self.add(group, "none", "bytes", self.number(f"SELECT pg_table_size('{table}')"))
        for kind in KINDS:
            self.build(group, kind, table, definitions[kind])
            self.session.rows(f"ANALYZE {table}")       # of the expression, too
            work(kind)
            self.session.rows("DROP INDEX measured")

    def look_up(self, group, kind, what, table, conditions):
        """With the mean of the rows that are found."""
        super().look_up(group, kind, what, table, conditions)
        counts = [self.number(f"SELECT count(*) FROM {table} WHERE {condition}") for condition in conditions]
        self.add(group, kind, f"{what}_rows", statistics.mean(counts))

    def processor(self, group, kind, what, queries):
        """The sum of the queries' least processor times, in milliseconds."""
        self.add(group, kind, f"{what}_cpu_ms", sum(
            min(self.backend.time(query)[1] for _ in range(TIMED)) for query in queries))

    def rate(self, group, kind, table):
        """Processor time of a lookup of one row where they follow each other, in microseconds."""
        lookups = f"""SELECT count(found)
            FROM (SELECT ARRAY[line_trace(1 + i * 7919 % {self.rows[group]})] AS wanted FROM generate_series(1, {MANY}) AS i OFFSET 0) AS k,
                 LATERAL (SELECT true AS found FROM {table} WHERE {WORDS} @> wanted OFFSET 0) AS t"""
        self.add(group, kind, "many_cpu_us", min(self.backend.time(lookups)[1] for _ in range(TIMED)) * 1000 / MANY)

    #
    # The groups
    #

    def measure_lines(self):
        rows = self.rows["lines"]
        self.make_lines("line", rows)
        present = [1 + i * 7919 * 7919 % rows for i in range(LOOKUPS)]
        frequent = [contains(*quoted(words)) for words in self.session.rows(FREQUENT)]
        queries = [f"SELECT * FROM line WHERE {condition}" for condition in frequent]
        self.processor("lines", "none", "frequent", queries)

        def look_up(kind):
            for what, conditions in (
                    ("absent", [contains(f"line_trace({ABSENT + i})") for i in range(LOOKUPS)]),
                    ("one", [contains(f"line_trace({i})") for i in present]),
                    ("user", [contains(f"line_user({i})") for i in present]),
                    ("level", [contains(f"line_user({i})", f"line_level({i})") for i in present]),
                    ("either", [f"{WORDS} && ARRAY[line_user({i}), line_user({i + 1})]" for i in present]),
                    ("frequent", frequent)):
                self.look_up("lines", kind, what, "line", conditions)
            self.processor("lines", kind, "frequent", queries)
            self.rate("lines", kind, "line")

        self.with_indexes("lines", "line", DEFINITIONS["words"], look_up)
        self.session.rows("DROP TABLE line")

    def measure_inserts(self):
        """A statement of many rows, after a checkpoint: WAL and the least processor time of a row."""
        inserted = INSERTED // self.part
        for i in range(ROUNDS):
            first = ABSENT + i * inserted
            self.session.rows(f"CREATE TABLE more_{i} AS SELECT * FROM lines({first}, {first + inserted - 1})")
        for kind, definition in {"none": "", **DEFINITIONS["words"]}.items():
            self.make_lines("line", self.rows["inserts"])
            if definition:
                self.session.rows(f"CREATE INDEX ON line {definition}")
            wal, processor = [], []
            for i in range(ROUNDS):
                self.session.rows("CHECKPOINT")
                before = self.wal()
                processor.append(self.backend.time(f"INSERT INTO line SELECT * FROM more_{i}")[1])
                wal.append(self.wal() - before)
            self.add("inserts", kind, "wal", statistics.mean(wal) / inserted)
            self.add("inserts", kind, "cpu_us", 1000 * min(processor) / inserted)
            self.session.rows("DROP TABLE line")

    def words(self, least, most, count):
        return [row[0] for row in self.session.rows(LEXEMES.format(least, most, count))]

    def measure_packages(self):
        self.make_packages()
        conditions = {
            "absent": [f"words @@ '''{word[::-1]}'''" for word in self.words(1, 1, LOOKUPS)],
            "one": [f"words @@ '''{word}'''" for word in self.words(1, 1, LOOKUPS)],
            "ten": [f"words @@ '''{word}'''" for word in self.words(8, 12, LOOKUPS)],
            "together": [f"words @@ '''{first}'' & ''{second}'''" for first, second in zip(*[iter(self.words(300, 1000, 10))] * 2)],
        }
        ranked = [f"SELECT text FROM package WHERE words @@ {word} ORDER BY ts_rank(words, {word}) DESC LIMIT 10"
                  for word in quoted(self.words(300, 1000, 10))]

        def look_up(kind):
            for what, found in conditions.items():
                self.look_up("packages", kind, what, "package", found)
            self.processor("packages", kind, "ranked", ranked)

        self.with_indexes("packages", "package", DEFINITIONS["lexemes"], look_up)
        self.session.rows("DROP TABLE package")

    def measure_trigrams(self):
        """Of lines, which have hexadecimal numbers, and of text that people wrote."""
        rows = self.rows["trigrams"]
        self.make_lines("line", rows)
        self.make_packages()
        self.rows["trigrams_packages"] = self.rows["packages"]
        digests = [self.session.value(f"SELECT substr(line_trace({1 + i * 7919 % rows}), 15, 12)") for i in range(LOOKUPS)]
        once = self.words(1, 1, LOOKUPS)
        for group, table, column, present in (("trigrams", "line", "message", digests), ("trigrams_packages", "package", "text", once)):
            definitions = {kind: text.format(column) for kind, text in DEFINITIONS["trigrams"].items()}

            def look_up(kind, group=group, table=table, column=column, present=present):
                self.look_up(group, kind, "absent", table, [like(column, text[::-1]) for text in present])
                self.look_up(group, kind, "one", table, [like(column, text) for text in present])

            self.with_indexes(group, table, definitions, look_up)
            self.session.rows(f"DROP TABLE {table}")

    def measure_short(self):
        self.make_lines("line", self.rows["short"])
        present = [1 + i * 97 % self.rows["short"] for i in range(LOOKUPS)]

        def look_up(kind):
            self.look_up("short", kind, "one", "line", [contains(f"line_trace({i})") for i in present])
            self.rate("short", kind, "line")

        self.with_indexes("short", "line", DEFINITIONS["words"], look_up)
        self.session.rows("DROP TABLE line")


def main():
    chosen = outputs.arguments(NAME, "Measures filter indexes of keys beside GIN.", GROUPS, "a twentieth of the lines")
    if chosen.check_options:
        return
    output, root = outputs.targets("index-keys", chosen, list(GROUPS))
    if not chosen.report:
        started = time.monotonic()
        measures = Measures(chosen)
        machine = describe_machine(measures.session, chosen.commit)
        machine.update({"Rows": f"{measures.rows['lines']:,}", "Load before": f"{os.getloadavg()[0]:.2f}"})
        measures.run(chosen.only)
        measures.session.close()
        machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
        write_tsv(output / "values.tsv", ("group", "index", "what", "value"), measures.values)
        write_facts(output / "machine.tsv", machine)
    keys_report.write(output, root)


if __name__ == "__main__":
    main()
