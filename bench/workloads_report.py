"""Tables of script/bench ssb, tpch and tpcds.

	PYTHONPATH=script/python python3 bench/workloads_report.py SET [by-time]

writes those of bench/results/SET/ or SET-by-time/ into docs/benchmarks.md and
README.md again.  The pages have the sums; every query is in results.md there.
"""

import sys
from pathlib import Path

from document import facts, fill, read_facts, read_tsv, table
from report import number, reached

COLUMNS = ("query", "apart", "mode", "work_mem", "filters", "same_plan", "timeout", "pairs", "off_ms", "on_ms", "ratio", "off_cpu_ms",
           "on_cpu_ms", "cpu_ratio", "off_pages", "on_pages", "off_temp_mb", "on_temp_mb", "removed", "off_planning_ms",
           "on_planning_ms", "off_all_ms", "on_all_ms", "off_all_cpu_ms", "on_all_cpu_ms", "commit")
# Most of the processor time without filters, in all and for any query.
IN_ALL = {"ssb": 0.5, "tpch": 0.95, "tpcds": 0.94}
# The same where facts lie in order of time; and for the query of a year.
IN_ALL_BY_TIME, YEAR = {"ssb": 0.35, "tpcds": 0.7}, 0.4
# The worst query, and the time that planning takes longer, of the time of all queries.
WORST, PLANNING = 1.05, 0.01
# What the page names: so many of the best, and any that is slower than this.
BEST, SLOWER = 5, 1.02
TITLES = {"ssb": "Star Schema Benchmark", "tpch": "TPC-H", "tpcds": "TPC-DS"}
BY_TIME = "by-time"


def directory_name(name, by_time):
    return f"{name}-{BY_TIME}" if by_time else name


def setting_name(mode, memory):
    unit = memory.lstrip("0123456789")
    return f"{'serial' if mode == 'serial' else 'two workers'}, {memory[:-len(unit)]} {unit}"


def by_setting(rows):
    """One process first, with the least memory."""
    found = {}
    for row in sorted(rows, key=lambda row: (row["mode"] != "serial", len(row["work_mem"]), row["work_mem"])):
        found.setdefault(setting_name(row["mode"], row["work_mem"]), []).append(row)
    return found


def of_set(rows):
    return [row for row in rows if not row["apart"]]


def measured(rows):
    return [row for row in of_set(rows) if row["cpu_ratio"] and not row["timeout"]]


def filtered(rows):
    return [row for row in measured(rows) if row["same_plan"] == "no"]


def total(rows, column):
    return sum(float(row[column]) for row in rows)


def names(rows):
    return ", ".join(row["query"] for row in rows)


def named_ratios(rows):
    return ", ".join(f"{row['query']} ({float(row['cpu_ratio']):.2f})" for row in rows)


def limit_of(name, by_time, setting):
    """The targets are for one process."""
    return (IN_ALL_BY_TIME if by_time else IN_ALL).get(name) if setting.startswith("serial") else None


def gate(text, limit, value, note=""):
    return text, f"≤ {limit}" if limit else "", f"{value:.3f}{note}", reached(value <= limit) if limit else ""


def totals_table(name, rows, by_time=False):
    """In all and the worst, of every setting."""
    lines = []
    for setting, all_rows in by_setting(rows).items():
        done, with_filter = measured(all_rows), filtered(all_rows)
        if not done:
            continue
        lines.append(gate(f"{setting}: processor time of all {len(done)} queries", limit_of(name, by_time, setting),
                          total(done, "on_cpu_ms") / total(done, "off_cpu_ms")))
        lines.append(gate(f"{setting}: time of all", None, total(done, "on_ms") / total(done, "off_ms")))
        lines.append(gate(f"{setting}: pages of all", None, total(done, "on_pages") / total(done, "off_pages"),
                          f" ({total(done, 'off_pages'):,.0f} → {total(done, 'on_pages'):,.0f})"))
        if with_filter:
            worst = max(with_filter, key=lambda row: float(row["cpu_ratio"]))
            lines.append(gate(f"{setting}: processor time of the {len(with_filter)} with a filter", None,
                              total(with_filter, "on_cpu_ms") / total(with_filter, "off_cpu_ms")))
            lines.append(gate(f"{setting}: the worst of them", WORST, float(worst["cpu_ratio"]), f" (query {worst['query']})"))
        off, on = total(of_set(all_rows), "off_planning_ms"), total(of_set(all_rows), "on_planning_ms")
        lines.append(gate(f"{setting}: what planning takes longer, of the time of all", PLANNING, (on - off) / total(done, "off_ms"),
                          f" ({number(off)} → {number(on)} ms)"))
        lines += [gate(f"{setting}: processor time of query {row['query']}", YEAR, float(row["cpu_ratio"]), f" ({pages(row)})")
                  for row in all_rows if row["apart"] and row["cpu_ratio"]]
    return table(("with filters, × without", "target", "measured", "reached"), lines)


def pages(row):
    return f"{int(row['off_pages']):,} → {int(row['on_pages']):,} pages"


def notes(rows):
    """What the tables leave out, in sentences."""
    text = []
    for setting, all_rows in by_setting(rows).items():
        given_up = [row for row in all_rows if row["timeout"]]
        losers = [row for row in filtered(all_rows) if float(row["cpu_ratio"]) > WORST]
        same = [row for row in all_rows if row["same_plan"] == "yes" and not row["timeout"]]
        sentences = []
        if losers:
            sentences.append(f"slower by more than 5 %: {names(losers)}")
        if same:
            sentences.append(f"without a filter, the same plan: {names(same)}")
        if given_up:
            sentences.append(f"timed out: {names(given_up)}")
        text.append(f"{setting[0].upper()}{setting[1:]}: {'; '.join(sentences) or 'every query has a filter'}.")
    return "\n\n".join(text)


def cells(row):
    """Filters and × CPU of a query in one setting."""
    if row is None:
        return ["", ""]
    if row["timeout"]:
        return [row["filters"], "timed out"]
    return [row["filters"], f"{float(row['cpu_ratio']):.2f}" if row["same_plan"] == "no" else "same plan"]


def pages_ratio(row):
    if not row["off_pages"] or float(row["off_pages"]) == 0:
        return ""
    return f"{float(row['on_pages']) / float(row['off_pages']):.2f}"


def queries_table(rows):
    """A line for every query that has a filter in some setting: the first setting in full, of the others the ratio."""
    settings = by_setting(rows)
    first, *others = settings
    of = {setting: {row["query"]: row for row in setting_rows} for setting, setting_rows in settings.items()}
    shown = {row["query"] for row in rows if row["same_plan"] == "no"}
    lines = []
    for row in settings[first]:
        if row["query"] not in shown:
            continue
        line = [row["query"], *cells(row)]
        if row["cpu_ratio"] and not row["timeout"]:
            line += [number(row["off_cpu_ms"]), number(row["on_cpu_ms"]), number(row["off_ms"]), number(row["on_ms"]), f"{float(row['ratio']):.2f}",
                     pages_ratio(row), f"{int(row['removed']):,}" if row["removed"] else ""]
        else:
            line += [""] * 7
        for setting in others:
            line += cells(of[setting].get(row["query"]))
        lines.append(line)
    header = [f"query: {first}", "filters", "× CPU", "CPU off, ms", "CPU on, ms", "off, ms", "on, ms", "× time", "× pages", "rows removed"]
    for setting in others:
        header += [f"{setting}: filters", "× CPU"]
    return table(header, lines)


#
# What the page has of it
#

def short_table(name, rows, by_time=False):
    """A line for every setting."""
    lines = []
    for setting, all_rows in by_setting(rows).items():
        done, with_filter = measured(all_rows), filtered(all_rows)
        if not done:
            continue
        limit, in_all = limit_of(name, by_time, setting), total(done, "on_cpu_ms") / total(done, "off_cpu_ms")
        read = f"{total(done, 'on_pages') / total(done, 'off_pages'):.2f}"
        ratios = sorted(float(row["cpu_ratio"]) for row in with_filter)
        planning = total(of_set(all_rows), "on_planning_ms") / total(of_set(all_rows), "off_planning_ms")
        target = f" (≤ {limit}: {reached(in_all <= limit)})" if limit else ""
        lines.append((f"{TITLES[name]}, {setting}" if by_time else setting, f"{len(with_filter)}/{len(done)}", f"{in_all:.3f}{target}",
                      f"{total(done, 'on_ms') / total(done, 'off_ms'):.3f}", *(f"{choose(ratios):.2f}" if ratios else "" for choose in (min, max)),
                      read if by_time else f"{planning:.3f}"))
    return lines


def short_header(by_time=False):
    return "setting", "filter in", "× CPU (target)", "× time", "best", "worst", "× pages" if by_time else "× planning"


def best_and_slower(rows):
    """In sentences."""
    settings = by_setting(rows)
    first = next(iter(settings))
    best = sorted(filtered(settings[first]), key=lambda row: float(row["cpu_ratio"]))[:BEST]
    slower = [f"{setting}: {named_ratios(losers)}" for setting, all_rows in settings.items()
              if (losers := [row for row in filtered(all_rows) if float(row["cpu_ratio"]) > SLOWER])]
    given_up = [f"{setting}: {names(late)}" for setting, all_rows in settings.items()
                if (late := [row for row in of_set(all_rows) if row["timeout"]])]
    text = [f"Best ({first}): {named_ratios(best)}."]
    if slower:
        text.append(f"Above {SLOWER}: {'; '.join(slower)}.")
    if given_up:
        text.append(f"Timed out: {'; '.join(given_up)}.")
    return " ".join(text)


def every_query(directory):
    return f"[every query](../bench/results/{directory.name}/results.md)"


def about(directory):
    """The run in a sentence."""
    known = read_facts(directory / "machine.tsv")
    return (f"Scale {known['Scale']}; {known['Processor']}, {' '.join(known['Server'].split()[:2])}, commit {known['Commit']}; "
            f"timeout {known['Timeout']}; {every_query(directory)}.")


def apart(rows):
    """Queries that are no part of the set, in sentences."""
    return " ".join(f"Query {row['query']} ({setting}): {float(row['cpu_ratio']):.3f} (target ≤ {YEAR}: "
                    f"{reached(float(row['cpu_ratio']) <= YEAR)}), {pages(row)}." for setting, all_rows in by_setting(rows).items()
                    for row in all_rows if row["apart"] and row["cpu_ratio"])


def by_time_section(root):
    """Of all sets that were measured so."""
    lines, texts = [], []
    for name, title in TITLES.items():
        directory = root / "bench" / "results" / directory_name(name, True)
        if not directory.exists():
            continue
        rows = read_tsv(directory / "times.tsv")
        lines += short_table(name, rows, True)
        texts.append(" ".join(filter(None, (f"**{title}** ({every_query(directory)}).", best_and_slower(rows), apart(rows)))))
    return "\n\n".join([table(short_header(True), lines), *texts])


def page_sections(root, name, by_time):
    if by_time:
        return {BY_TIME: by_time_section(root)}
    directory = root / "bench" / "results" / name
    rows = read_tsv(directory / "times.tsv")
    return {f"{name}-totals": "\n\n".join([table(short_header(), short_table(name, rows)), best_and_slower(rows), about(directory)])}


def in_all(rows):
    """The first setting, its rows, and the sum of the processor times."""
    setting, rows = next(iter(by_setting(rows).items()))
    done = measured(rows)
    return setting, rows, f"{total(done, 'on_cpu_ms') / total(done, 'off_cpu_ms'):.2f}"


def front(results):
    """All sets in a line, for the README: what all queries take, the best and the worst of them."""
    sets, every = [], {}
    for name, title in TITLES.items():
        if (results / name).exists():
            all_rows = read_tsv(results / name / "times.tsv")
            first, rows, ratio = in_all(all_rows)
            sets.append(f"{title} {ratio} ({len(measured(rows))} of {len(of_set(rows))})")
            for setting, its_rows in by_setting(all_rows).items():
                every.setdefault(setting, []).extend((float(row["cpu_ratio"]), f"{title} {row['query']}") for row in filtered(its_rows))
    best, best_query = min(every[first])
    worst, worst_query = max(every.pop(first))
    others = "".join("; {}: {:.2f}, {}".format(setting, *max(rows)) for setting, rows in every.items() if rows)
    return (f"Processor time of the queries that ended in time, with join filters divided by without ({first}): {', '.join(sets)}; "
            f"the best {best:.2f} ({best_query}), the worst {worst:.2f} ({worst_query}{others}).")


#
# Files
#

def sections(directory, name, by_time):
    rows = read_tsv(directory / "times.tsv")
    return {"machine": facts(read_facts(directory / "machine.tsv").items()), "totals": totals_table(name, rows, by_time),
            "queries": f"{queries_table(rows)}\n\n{notes(rows)}"}


def write(directory, name, by_time, root):
    """Into the directory, and if there is a root, into its pages."""
    title = f"{TITLES[name]}, facts in order of time" if by_time else TITLES[name]
    command = f"script/bench {name} SOURCE{' --by-time' if by_time else ''}"
    texts = sections(directory, name, by_time)
    (directory / "results.md").write_text(f"# {title}\n\nGenerated by `{command}`.\n" + "".join(
        f"\n{text}\n" for text in texts.values()), encoding="utf-8")
    print(f"\n{texts['totals']}\n\nResults: {directory}")
    if root:
        fill(root / "docs" / "benchmarks.md", page_sections(root, name, by_time))
        fill(root / "README.md", {"known-front": front(root / "bench" / "results")})
        print("Updated: docs/benchmarks.md, README.md")


def main():
    name, *by_time = sys.argv[1:]
    root = Path(__file__).resolve().parent.parent
    write(root / "bench" / "results" / directory_name(name, by_time), name, bool(by_time), root)


if __name__ == "__main__":
    main()
