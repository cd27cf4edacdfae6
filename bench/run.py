"""Measures the extension in the server that libpq's environment names.

Called by script/bench, which prepares that server.
"""

import datetime
import os
import platform
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import options
import page
import report
from groups import GROUPS
from measure import Bench

HERE = Path(__file__).resolve().parent


@dataclass
class Sizes:
    programs: Path                      # where the compiled C programs are
    rounds: int = 5
    rows: int = 5_000_000               # of the table t
    filters: int = 10_000               # stored ones of 12 kB
    larger_filters: int = 300           # and of 124 kB
    hashes: int = 100_000_000           # at most so many into a set
    calls: int = 100_000                # in PL/pgSQL loops
    large_items: int = 80_000_000       # two filters of 100 MB
    parameter_items: int = 10_000_000   # a filter of 12 MB
    scaling_rows: int = 2_000_000       # at least as many are added each time
    memory_values: int = 16_000_000
    seeds_divisor: int = 1
    headline_items: int = 100_000_000


QUICK = {"rounds": 3, "rows": 1_000_000, "filters": 1_000, "larger_filters": 100, "hashes": 5_000_000,
         "calls": 20_000, "large_items": 8_000_000, "parameter_items": 1_000_000, "scaling_rows": 200_000,
         "memory_values": 4_000_000, "seeds_divisor": 10, "headline_items": 1_000_000}


def command(*words):
    """The output of a command, or nothing."""
    try:
        return subprocess.run(words, check=True, capture_output=True,
                              encoding="utf-8", env={**os.environ, "LC_ALL": "C"}).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def fields(text):
    """Lines of "name: value"."""
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}


def describe_machine(session, commit):
    cpu = fields(command("lscpu"))
    system = {}
    for line in Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition("=")
        system[name] = value.strip('"')
    memory = int(fields(Path("/proc/meminfo").read_text(encoding="ascii"))["MemTotal"].split()[0])
    return {
        "Processor": cpu.get("Model name", platform.machine()) +
                     (f" ({cpu['Hypervisor vendor']} guest)" if "Hypervisor vendor" in cpu else ""),
        "Cores": os.cpu_count(),
        "Caches": ", ".join(f"{level} {cpu[level + ' cache']}" for level in ("L1d", "L2", "L3")
                            if level + " cache" in cpu),
        "AVX2": "yes" if "avx2" in cpu.get("Flags", "").split() else "no",
        "Memory": f"{memory / 1024 / 1024:.1f} GiB",
        "System": f"{system.get('PRETTY_NAME', 'unknown')}, Linux {platform.release()}",
        "Server": session.value("SELECT version()"),
        "Compiler": command("gcc", "--version").partition("\n")[0],
        "Commit": commit,
        "Date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }


def arguments():
    parser = options.parser("script/bench", "Measures the extension.", GROUPS)
    parser.add_argument("--quick", action="store_true",
                        help="about two minutes: fewer rows and rounds; not for comparisons")
    parser.add_argument("--output", metavar="DIRECTORY",
                        help="where results go instead of bench/results/ (bench/results/partial/ "
                             "with --quick or --only); docs/benchmarks.md stays as it is then")
    parser.add_argument("--report", action="store_true", help=options.REPORT)
    # by script/bench
    parser.add_argument("--check-options", action="store_true", help=options.HIDDEN)
    parser.add_argument("--programs", type=Path, help=options.HIDDEN)
    return options.parse(parser, GROUPS)


def measure(chosen, output):
    bench = Bench(Sizes(chosen.programs, **(QUICK if chosen.quick else {})), output)
    machine = describe_machine(bench.session, chosen.commit)
    machine["Run"] = ("quick" if chosen.quick else "full") + (
        "" if set(chosen.only) == set(GROUPS) else f", only {', '.join(chosen.only)}")
    machine["Rows"] = bench.sizes.rows
    machine["Rounds"] = bench.sizes.rounds
    machine["Load before"] = f"{os.getloadavg()[0]:.2f}"

    bench.save(machine)                 # fails now rather than at the end
    started = time.monotonic()
    bench.say(f"\n== A table of {bench.sizes.rows:,} rows ==")
    bench.session.run_file(HERE / "setup.sql", rows=bench.sizes.rows)
    bench.session.run_file(HERE / "functions.sql")
    machine["Size of t"] = bench.session.value("SELECT pg_size_pretty(pg_table_size('t'))")
    for name, (title, measure_group) in GROUPS.items():
        if name in chosen.only:
            bench.say(f"\n== {title} ==")
            measure_group(bench)
            machine["Minutes"] = f"{(time.monotonic() - started) / 60:.1f}"
            bench.save(machine)
    bench.session.close()


def main():
    chosen = arguments()
    if chosen.check_options:
        return
    complete = not chosen.quick and set(chosen.only) == set(GROUPS)
    results = chosen.root / "bench" / "results"
    output = Path(chosen.output) if chosen.output else results if complete else results / "partial"
    if not chosen.report:
        measure(chosen, output)
    report.write(output)
    if complete and not chosen.output:
        page.write(output, chosen.root / "docs" / "benchmarks.md")


if __name__ == "__main__":
    main()
