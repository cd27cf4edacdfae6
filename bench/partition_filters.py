"""What docs/cookbook/partition_filters.sql costs: the same statements with and
without its triggers, in the same run.

	PYTHONPATH=script/python /usr/bin/python3 bench/partition_filters.py

On a server with the extension, in a database without it, found by libpq's
environment variables.  Each statement is run in turn on both tables, in
transactions of its own.
"""

import re
import statistics
from pathlib import Path

from document import table
from session import Session

RECIPE = Path(__file__).resolve().parent.parent / "docs/cookbook/partition_filters.sql"

STATEMENTS = (
    # what, statement of {t} and a number {n} that is new each time, how often
    ("INSERT of 1 row", "INSERT INTO {t} VALUES ({n}, '2026-01-05')", 101),
    ("INSERT of 1 row into the partition", "INSERT INTO {t}_jan VALUES ({n}, '2026-01-06')", 101),
    ("INSERT of 100 rows into 2 partitions",
     "INSERT INTO {t} SELECT {n} + i, date '2026-01-01' + i % 59 FROM generate_series(1, 100) i", 25),
    ("INSERT of 10,000 rows into 2 partitions",
     "INSERT INTO {t} SELECT {n} + i, date '2026-01-01' + i % 59 FROM generate_series(1, 10000) i", 5),
    ("UPDATE of 100 rows, another column", "UPDATE {t} SET note = 'n{n}' WHERE id BETWEEN 101 AND 200", 25),
    ("UPDATE of 100 rows, the key", "UPDATE {t} SET id = -id WHERE abs(id) BETWEEN 301 AND 400", 25),
    ("DELETE of 100 rows", "DELETE FROM {t} WHERE id IN (SELECT id FROM {t} WHERE id > 10000 LIMIT 100)", 25),
)


def main():
    with Session() as session:
        session.rows("CREATE EXTENSION IF NOT EXISTS bloomfilter")
        for table_definition in re.findall(r"^CREATE TABLE parcels.*;$", RECIPE.read_text(encoding="utf-8"), re.MULTILINE):
            session.rows(table_definition.rstrip(";").replace("parcels", "plain"))
        session.run_file(RECIPE)
        for name in ("plain", "parcels"):
            session.rows(f"INSERT INTO {name} SELECT i, date '2026-01-01' + i % 59 FROM generate_series(1, 10000) i")
            session.rows(f"CREATE INDEX ON {name} (abs(id))")
        session.rows("VACUUM ANALYZE plain, parcels")
        print(session.text("SELECT part, pg_column_size(ids) FROM parcel_filters"))
        rows = []
        number = 0
        for what, statement, times in STATEMENTS:
            taken = {"plain": [], "parcels": []}
            written = {"plain": [], "parcels": []}
            for _ in range(times):
                number += 20000
                for name in taken:
                    before = session.value("SELECT pg_current_wal_insert_lsn()")
                    taken[name].append(session.time(statement.format(t=name, n=number))[0])
                    written[name].append(float(session.value(
                        f"SELECT pg_current_wal_insert_lsn() - '{before}'")))
            rows.append([what] + [f"{statistics.median(taken[name]):.2f} ms" for name in taken] +
                        [f"{statistics.median(written[name]) / 1000:.1f} kB" for name in written])
            print(*rows[-1], sep="\t", flush=True)
    print(table(("medians", "without", "with the filters", "WAL without", "with"), rows))


main()
