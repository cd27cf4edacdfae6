"""Measures what else tells whether a value is in a set, beside filters.

Called by script/bench others, which prepares the server.  Of other extensions
those are measured that the server can create.
"""

import os
import re
import time
from pathlib import Path

import options
import plots
from document import facts, fill, table
from groups import KEY_SETS, foreign, has_extension, prefilter, stored, test_statements, thousands
from measure import Bench, Statement
from report import Figures, foreign_section, number, prefilter_section, test_tables, where
from run import Sizes, describe_machine

HERE = Path(__file__).resolve().parent
PICTURE = "![Every row against a set](../bench/results/others/others.svg)"
FEW = 10_000                        # rows that are tested against a set in a table


class Roaring:
    """Exact sets of integers; the values of t fit into 32 bits."""
    extension, column = "roaringbitmap", "id"
    forms = {"roaring32": ("roaringbitmap", "(SELECT rb_or(b32, b32) FROM roaring WHERE name = '{0}') @> id::int",
                           "(SELECT b32 FROM roaring WHERE name = '{0}') @> id::int"),
             "roaring64": ("roaringbitmap64", "(SELECT rb64_or(b64, b64) FROM roaring WHERE name = '{0}') @> id",
                           "(SELECT b64 FROM roaring WHERE name = '{0}') @> id")}
    exact = True

    @staticmethod
    def prepare(session):
        session.rows("CREATE TABLE roaring (name text, b32 roaringbitmap, b64 roaringbitmap64)")
        for size in KEY_SETS:
            session.rows(f"INSERT INTO roaring SELECT '{size}', rb_build_agg(id::int), rb64_build_agg(id) "
                         f"FROM keys_{size}")
        session.rows("VACUUM (FREEZE, ANALYZE) roaring")


class Pgbloomfun:
    """A filter of text as a bytea.  Its function that adds changes its
    argument, so that it can be the transition function of an aggregate."""
    extension, column = "pgbloomfun", "s"
    forms = {"pgbloomfun": ("pgbloomfun", "bloom_check((SELECT b || ''::bytea FROM others WHERE name = '{0}'), s)",
                            "bloom_check((SELECT b FROM others WHERE name = '{0}'), s)")}
    exact = False

    @staticmethod
    def prepare(session):
        session.rows("CREATE TABLE others (name text, b bytea)")
        session.rows("ALTER TABLE others ALTER b SET STORAGE EXTERNAL")
        for size, items in KEY_SETS.items():
            initial = session.value(f"SELECT bloom_init({items}, 2, 0.01)")
            session.rows(f"CREATE AGGREGATE add_{size} (text) "
                         f"(SFUNC = bloom_add, STYPE = bytea, INITCOND = '{initial}')")
            session.rows(f"INSERT INTO others SELECT '{size}', add_{size}(s) FROM keys_{size}")
        session.rows("VACUUM (FREEZE, ANALYZE) others")


def measure(bench):
    """Ours, what the server has, and the other extensions; then each from a
    table, where most read the set anew for every row."""
    others = [other for other in (Roaring, Pgbloomfun) if has_extension(bench, other.extension)]
    for other in others:
        other.prepare(bench.session)
    bench.session.rows(f"CREATE TABLE few AS SELECT * FROM t WHERE id <= {FEW}")
    bench.session.rows("VACUUM (FREEZE, ANALYZE) few")
    for column in ("id", "s"):
        here = [other for other in others if other.column == column]
        for size, items in KEY_SETS.items():
            bench.say(f"  -- {column}, {thousands(items)} keys")
            name = f"{column}_{size}"
            bench.interleave(f"test.{column}.{size}", test_statements(column, size) + [
                Statement(key, f"{label}, in memory", f"SELECT count(*) FROM t WHERE {memory.format(size)}",
                          answer=f"{name}_exact" if other.exact else "")
                for other in here for key, (label, memory, _) in other.forms.items()], "count")
            bench.say("  -- from a table")
            bench.interleave(f"anew.{column}.{size}", [
                Statement("bloomfilter", "bloomfilter",
                          f"SELECT count(*) FROM few WHERE bloom_contains({stored(name)}, {column})")] + [
                Statement(key, label, f"SELECT count(*) FROM few WHERE {table_form.format(size)}")
                for other in here for key, (label, _, table_form) in other.forms.items()])
    bench.say("  -- in front of joins")
    prefilter(bench)
    bench.say("  -- another server")
    foreign(bench)
    return {other.extension: bench.session.value(
        f"SELECT extversion FROM pg_extension WHERE extname = '{other.extension}'") for other in others}


#
# Report
#

def anew_table(figures):
    rows = []
    for column in ("id", "s"):
        for row in figures.group(f"anew.{column}.1m"):
            rows.append([f"{row['label']}, `{column}`"] + [
                number(figures.ms(f"anew.{column}.{size}", row["key"]) * 1e3 / FEW) for size in KEY_SETS])
    return table([f"{FEW:,} rows against a set in a table, µs a row"] +
                 [f"{items:,} keys" for items in KEY_SETS.values()], rows)


def medians(text):
    """For docs/comparison.md: without the lowest and the highest ratios, which results.md has."""
    return re.sub(r" \((?:[\d.]+ – [\d.]+|lowest – highest)\)", "", text)


def complete_tables(figures):
    return "\n\n".join([test_tables(figures), anew_table(figures), prefilter_section(figures), foreign_section(figures)])


def page(figures):
    """The section of docs/comparison.md."""
    return f"{PICTURE}\n\n{medians(complete_tables(figures))}\n\n{where(figures.machine)}"


def write(output, root=None):
    figures = Figures(output)
    plots.draw(figures, output, ("others",))
    machine = {name: figures.machine[name] for name in figures.machine
               if name not in ("Caches", "AVX2", "Memory", "Load before")}
    (output / "results.md").write_text(f"# Results\n\nGenerated by `script/bench others`.\n\n{complete_tables(figures)}\n\n"
                                       f"{facts(machine.items())}\n", encoding="utf-8")
    print(f"\nResults: {output}")
    if root:
        document = root / "docs" / "comparison.md"
        fill(document, {"others": page(figures)})
        print(f"Updated: {document}")


def arguments():
    parser = options.parser("script/bench others", "Measures filters beside what else tells whether a value is in "
                            "a set.", ("others",))
    parser.add_argument("--quick", action="store_true", help="fewer rows and rounds; not for comparisons")
    parser.add_argument("--output", metavar="DIRECTORY",
                        help="where results go instead of bench/results/others/ (bench/results/partial/others/ with "
                             "--quick); docs/comparison.md stays as it is then")
    parser.add_argument("--report", action="store_true", help=options.REPORT)
    parser.add_argument("--check-options", action="store_true", help=options.HIDDEN)
    return options.parse(parser, ("others",))


def run(chosen, output):
    rows, rounds = (1_000_000, 3) if chosen.quick else (5_000_000, 5)
    bench = Bench(Sizes(None, rounds=rounds, rows=rows), output)
    machine = describe_machine(bench.session, chosen.commit)
    machine.update({"Rows": f"{rows:,}", "Rounds": rounds, "Load before": f"{os.getloadavg()[0]:.2f}"})
    started = time.monotonic()
    bench.say(f"\n== A table of {rows:,} rows ==")
    bench.session.run_file(HERE / "setup.sql", rows=rows)
    machine.update({name: f"version {version}" for name, version in measure(bench).items()})
    machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
    bench.save(machine)
    bench.session.close()


def main():
    chosen = arguments()
    if chosen.check_options:
        return
    complete = not chosen.quick and not chosen.output
    results = chosen.root / "bench" / "results"
    output = Path(chosen.output) if chosen.output else results / ("others" if complete else "partial/others")
    if not chosen.report:
        run(chosen, output)
    write(output, chosen.root if complete else None)


if __name__ == "__main__":
    main()
