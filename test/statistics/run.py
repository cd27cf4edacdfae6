"""Measures what filters do, in the server that libpq's environment names, and
judges it.  Called by script/statistics, which prepares that server."""

import datetime
import platform
import sys
import time
from dataclasses import dataclass

import options
import report
from adversaries import adversaries
from balance import balance
from cardinality import cardinality
from judge import MOST_TESTS, Check, Judge
from rates import families, large, patterns, powers, small
from seeds import seeds
from server import Server

GROUPS = {
    "families": ("Families of types, filters of 1,000 to 1,000,000 values", families),
    "small": ("Many small filters", small),
    "large": ("Large filters and rare events", large),
    "patterns": ("Patterns of keys", patterns),
    "powers": ("Multiples of powers of two", powers),
    "balance": ("Balance of bits, words and blocks", balance),
    "cardinality": ("Estimated numbers of values", cardinality),
    "seeds": ("Seeds", seeds),
    "adversaries": ("Adversaries", adversaries),
}


@dataclass
class Sizes:
    family_items: int = 1_000_000       # the largest filters of all families
    probes: int = 10_000_000
    large: int = 10_000_000
    huge: int = 100_000_000
    deep_probes: int = 100_000_000
    small_filters: int = 200
    small_probes: int = 10_000
    pattern_items: int = 100_000
    pattern_probes: int = 2_000_000
    power_items: int = 10_000
    power_probes: int = 1_000_000
    balance_items: int = 1_000_000
    simulated_blocks: int = 200_000
    card_filters: int = 200
    seeds: int = 400
    seed_probes: int = 20_000
    attack_candidates: int = 2_000_000
    colliding: int = 65_536
    inverted: int = 100_000
    pair_seeds: int = 1_000_000
    folded_items: int = 1_000_000
    folded_probes: int = 2_000_000


QUICK = {"family_items": 10_000, "probes": 300_000, "large": 100_000,
         "huge": 1_000_000, "deep_probes": 2_000_000,
         "small_filters": 20, "small_probes": 3_000, "pattern_items": 5_000, "pattern_probes": 50_000,
         "power_items": 1_000, "power_probes": 20_000, "balance_items": 30_000, "simulated_blocks": 20_000,
         "card_filters": 20, "seeds": 60, "seed_probes": 2_000, "attack_candidates": 100_000,
         "colliding": 4_096, "inverted": 5_000, "pair_seeds": 50_000, "folded_items": 200_000,
         "folded_probes": 200_000}


def arguments():
    parser = options.parser("script/statistics", "Tests the statistics of filters.", GROUPS)
    parser.add_argument("extent", nargs="?", choices=("full", "quick"), default="full",
                        help="quick: about two minutes, for development; leaves docs/statistics-measured.md as it is")
    return options.parse(parser, GROUPS)


def main():
    chosen = arguments()
    complete = chosen.extent == "full" and set(chosen.only) == set(GROUPS)
    output = chosen.root / "test" / "statistics" / "results"
    judge = Judge(output if complete else output / "partial")
    started = time.monotonic()
    server = Server()
    server.rows("CREATE EXTENSION bloomfilter")
    server.rows("CREATE EXTENSION citext")
    for name, (title, measure) in GROUPS.items():
        if name in chosen.only:
            print(f"\n== {title} ==", flush=True)
            measure(server, judge, Sizes(**(QUICK if chosen.extent == "quick" else {})))
            judge.save()
    ((version,),) = server.rows("SELECT version()")
    server.close()

    judge.check(Check(f"fewer than {MOST_TESTS:,} tests with a p-value", {"fewer": judge.tests < MOST_TESTS},
                shown=str(judge.tests)))
    run = {"Server": version, "Machine": platform.machine(), "Commit": chosen.commit,
           "Date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
           "Run": chosen.extent, "Minutes": f"{(time.monotonic() - started) / 60:.0f}",
           "Checks passed": judge.passed, "Checks failed": judge.failed,
           "Tests with a p-value": judge.tests}
    judge.save_run(run)
    report.write(judge.directory, report.PAGE if complete else None)
    print(f"\nFigures: {judge.directory}")
    sys.exit(1 if judge.failed else 0)


if __name__ == "__main__":
    main()
