"""Takes times and other figures, and keeps them in TSV files."""

import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path

from document import write_facts, write_tsv
from session import Session

TIMES = ("group", "key", "label", "median_ms", "min_ms", "max_ms",
         "ratio", "ratio_min", "ratio_max", "all_ms", "sql")
VALUES = ("group", "key", "label", "value", "unit")


@dataclass
class Statement:
    key: str
    label: str
    sql: str
    settings: dict = field(default_factory=dict)
    shown: str = ""             # in place of sql, where that is a megabyte
    answer: str = ""            # statements with the same must agree


class Bench:
    """A run: its sizes, its session with the server and its figures."""

    def __init__(self, sizes, output):
        self.sizes = sizes
        self.output = Path(output)
        self.session = Session()
        self.times = []
        self.values = []

    #
    # Progress, on the terminal
    #

    def say(self, text=""):
        print(text, flush=True)

    def note(self, text):
        """What is being done, on a line that the next one replaces."""
        if sys.stdout.isatty():
            print(f"\r\x1b[K  {text}", end="", flush=True)

    def done(self):
        if sys.stdout.isatty():
            print("\r\x1b[K", end="", flush=True)

    #
    # Times
    #

    def time_once(self, statement):
        for name, value in statement.settings.items():
            self.session.rows(f"SET {name} = '{value}'")
        elapsed, output = self.session.time(statement.sql)
        for name in statement.settings:
            self.session.rows(f"RESET {name}")
        return elapsed, output

    def interleave(self, group, statements, base=None, rounds=None):
        """Times statements in turn, several rounds, so that noise hits all
        alike.  Each is compared with the base of its own round."""
        rounds = rounds or self.sizes.rounds
        taken = {statement.key: [] for statement in statements}
        answers = {}
        for number in range(1, rounds + 1):
            for statement in statements:
                self.note(f"round {number} of {rounds}: {statement.label}")
                elapsed, output = self.time_once(statement)
                taken[statement.key].append(elapsed)
                if statement.answer:
                    first = answers.setdefault(statement.answer, (statement.label, output))
                    if first[1] != output:
                        raise SystemExit(f"{first[0]} and {statement.label} give different "
                                         f"answers: {first[1]} and {output}")
        self.done()
        for statement in statements:
            self.add_times(group, statement.key, statement.label, taken[statement.key],
                           taken[base] if base else None, statement.shown or statement.sql)

    def add_times(self, group, key, label, taken, base=None, sql=""):
        """Records the times of some rounds, in milliseconds."""
        row = {"group": group, "key": key, "label": label,
               "median_ms": statistics.median(taken),
               "min_ms": min(taken), "max_ms": max(taken),
               "all_ms": " ".join(f"{ms:.6g}" for ms in taken),
               "sql": " ".join(sql.split())}
        shown = (f"{row['median_ms']:>11.3f} ms" if row["median_ms"] >= 0.1 else
                 f"{row['median_ms'] * 1e3:>11.3f} us")
        text = f"  {label:<66} {shown}"
        if base:
            ratios = [ms / base_ms for ms, base_ms in zip(taken, base)]
            row.update(ratio=statistics.median(ratios),
                       ratio_min=min(ratios), ratio_max=max(ratios))
            text += f" {row['ratio']:>8.2f} x"
        self.times.append(row)
        self.say(text)

    def median(self, group, key):
        for row in self.times:
            if (row["group"], row["key"]) == (group, key):
                return row["median_ms"]
        raise KeyError((group, key))

    #
    # Other figures
    #

    def add_value(self, group, key, label, value, unit=""):
        self.values.append({"group": group, "key": key, "label": label,
                            "value": value, "unit": unit})
        shown = f"{value:>11.6g}" if isinstance(value, float) else f"{value:>11}"
        self.say(f"  {label:<66} {shown} {unit}")

    #
    # Files
    #

    def save(self, machine):
        self.output.mkdir(parents=True, exist_ok=True)
        write_tsv(self.output / "times.tsv", TIMES, self.times)
        write_tsv(self.output / "values.tsv", VALUES, self.values)
        write_facts(self.output / "machine.tsv", machine)
