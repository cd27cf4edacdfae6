"""Tables of script/bench ssb, tpch and tpcds.

	PYTHONPATH=script/python python3 bench/workloads_report.py SET

writes those of bench/results/SET/ into docs/benchmarks.md and README.md again.
"""

import sys
from pathlib import Path

from document import facts, fill, read_facts, read_tsv, table
from report import number, reached

COLUMNS = ("query", "mode", "work_mem", "filters", "same_plan", "timeout", "pairs", "off_ms", "on_ms", "ratio", "off_cpu_ms",
           "on_cpu_ms", "cpu_ratio", "off_pages", "on_pages", "off_temp_mb", "on_temp_mb", "removed", "off_planning_ms",
           "on_planning_ms", "off_all_ms", "on_all_ms", "off_all_cpu_ms", "on_all_cpu_ms", "commit")
# Most of the processor time without filters, in all and for any query.
IN_ALL = {"ssb": 0.75, "tpch": 1.0, "tpcds": 0.92}
WORST, PLANNING = 1.05, 1.05
TITLES = {"ssb": "Star Schema Benchmark", "tpch": "TPC-H", "tpcds": "TPC-DS"}


def setting_name(mode, memory):
    unit = memory.lstrip("0123456789")
    return f"{'serial' if mode == 'serial' else 'two workers'}, {memory[:-len(unit)]} {unit}"


def by_setting(rows):
    found = {}
    for row in rows:
        found.setdefault(setting_name(row["mode"], row["work_mem"]), []).append(row)
    return found


def measured(rows):
    return [row for row in rows if row["cpu_ratio"] and not row["timeout"]]


def filtered(rows):
    return [row for row in measured(rows) if row["same_plan"] == "no"]


def total(rows, column):
    return sum(float(row[column]) for row in rows)


def names(rows):
    return ", ".join(row["query"] for row in rows)


def gate(text, limit, value, note=""):
    return text, f"≤ {limit}" if limit else "", f"{value:.3f}{note}", reached(value <= limit) if limit else ""


def totals_table(name, rows):
    """In all and the worst, of every setting."""
    lines = []
    for setting, all_rows in by_setting(rows).items():
        done, with_filter = measured(all_rows), filtered(all_rows)
        if not done:
            continue
        lines.append(gate(f"{setting}: processor time of all {len(done)} queries", IN_ALL[name] if setting.startswith("serial") else None,
                          total(done, "on_cpu_ms") / total(done, "off_cpu_ms")))
        lines.append(gate(f"{setting}: time of all", None, total(done, "on_ms") / total(done, "off_ms")))
        if with_filter:
            worst = max(with_filter, key=lambda row: float(row["cpu_ratio"]))
            lines.append(gate(f"{setting}: processor time of the {len(with_filter)} with a filter", None,
                              total(with_filter, "on_cpu_ms") / total(with_filter, "off_cpu_ms")))
            lines.append(gate(f"{setting}: the worst of them", WORST, float(worst["cpu_ratio"]), f" (query {worst['query']})"))
        off, on = total(all_rows, "off_planning_ms"), total(all_rows, "on_planning_ms")
        lines.append(gate(f"{setting}: planning, all", PLANNING, on / off, f" ({number(off)} → {number(on)} ms)"))
    return table(("with filters, × without", "target", "measured", "reached"), lines)


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


def sections(directory, name):
    rows = read_tsv(directory / "times.tsv")
    return {f"{name}-machine": facts(read_facts(directory / "machine.tsv").items()), f"{name}-totals": totals_table(name, rows),
            f"{name}-queries": f"{queries_table(rows)}\n\n{notes(rows)}"}


def front(directory, name):
    """All of it in a line, for the README."""
    setting, rows = next(iter(by_setting(read_tsv(directory / "times.tsv")).items()))
    done, with_filter = measured(rows), filtered(rows)
    scale = read_facts(directory / "machine.tsv")["Scale"].split(",")[0]
    best, worst = (f"{choose(float(row['cpu_ratio']) for row in with_filter):.2f}" for choose in (min, max))
    return (f"- {TITLES[name]}, scale {scale} ({setting}): {len(with_filter)} of {len(done)} queries get a filter; with filters all queries take "
            f"{total(done, 'on_cpu_ms') / total(done, 'off_cpu_ms'):.2f} of the processor time without (best query {best}, worst {worst}).")


def write(directory, name, title, document):
    texts = sections(directory, name)
    (directory / "results.md").write_text(f"# {title}\n\nGenerated by `script/bench {name}`.\n" + "".join(
        f"\n{text}\n" for text in texts.values()), encoding="utf-8")
    print(f"\n{texts[f'{name}-totals']}\n\nResults: {directory}")
    if document:
        fill(document, texts)
        fill(document.parent.parent / "README.md", {f"{name}-front": front(directory, name)})
        print(f"Updated: {document}, README.md")


def main():
    (name,) = sys.argv[1:]
    root = Path(__file__).resolve().parent.parent
    write(root / "bench" / "results" / name, name, TITLES[name], root / "docs" / "benchmarks.md")


if __name__ == "__main__":
    main()
