"""Figures in tab-separated files, and tables of them in Markdown."""

import csv

TSV = {"dialect": "excel-tab", "lineterminator": "\n", "quoting": csv.QUOTE_NONE, "quotechar": None}


def read_tsv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, **TSV))


def write_tsv(path, columns, rows, digits=6):
    """Floats have so many significant digits."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", **TSV)
        writer.writeheader()
        for row in rows:
            writer.writerow({name: f"{value:.{digits}g}" if isinstance(value, float) else value
                             for name, value in row.items()})


def read_facts(path):
    """Names and values."""
    return {row["key"]: row["value"] for row in read_tsv(path)}


def write_facts(path, facts_by_name):
    write_tsv(path, ("key", "value"),
              ({"key": key, "value": value} for key, value in facts_by_name.items()))


def escape(text):
    return str(text).replace("|", "\\|")


def table(header, rows):
    """The first column is text, the others are figures."""
    lines = ["| " + " | ".join(header) + " |",
             "|" + "|".join("---:" if column else "---" for column in range(len(header))) + "|"]
    lines += ["| " + " | ".join(escape(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def facts(pairs):
    """A table of names and values."""
    return "\n".join(["| | |", "|---|---|"] +
                     [f"| {name} | {escape(value)} |" for name, value in pairs])


def fill(path, texts):
    """Puts every text between the document's markers of its name."""
    document = path.read_text(encoding="utf-8")
    for name, text in texts.items():
        before, begin, rest = document.partition(f"<!-- begin {name} -->\n")
        _, end, after = rest.partition(f"<!-- end {name} -->")
        if not begin or not end:
            raise SystemExit(f"{path} has no place for {name}")
        document = f"{before}{begin}{text}\n{end}{after}"
    path.write_text(document, encoding="utf-8")
