"""Tables of script/bench trials, from the TSV files of a run."""

import outputs
from document import facts, read_facts, read_tsv, table
from report import number, where

# By hand, a difference is none if it is within this.
SMALL = 0.05


def by_hand(row):
    """What a measurement by hand would be called."""
    ratio, low, high = (float(row[name]) for name in ("by_hand", "hand_low", "hand_high"))
    if low <= 1 <= high or abs(ratio - 1) <= SMALL:
        return "no difference seen"
    return "faster" if ratio < 1 else "slower"


def agrees(row):
    """Do both say faster, or both slower?  What is small may be seen by one alone."""
    verdicts = {row["verdict"], by_hand(row)}
    if not row["verdict"]:
        return "–"
    return "**no**" if verdicts == {"faster", "slower"} or "too few" in verdicts else "yes" if len(verdicts) == 1 else "one sees none"


def ratio(row, *names):
    mean, low, high = (row[name] for name in names)
    return f"{number(float(mean))} ({number(float(low))} – {number(float(high))})" if mean else "–"


def queries_table(rows):
    return table(("query", "`join_filters`", "executions with, without", "ratio in the view", "verdict", "guarded", "ratio by hand", "agrees"), [
        (row["query"], row["mode"], f"{int(row['with']):,}, {int(row['without']):,}" if row["with"] else "no filter",
         ratio(row, "ratio", "low", "high"), row["verdict"] or "–", {"t": "yes", "f": "no"}.get(row["guarded"], "–"),
         ratio(row, "by_hand", "hand_low", "hand_high"), agrees(row)) for row in rows])


def write(directory, root):
    """Into the directory, and if there is a root, into its page."""
    queries, machine = queries_table(read_tsv(directory / "queries.tsv")), read_facts(directory / "machine.tsv")
    texts = {"trials-machine": facts(machine.items()), "trials-queries": queries}

    def page(_):
        load = f"{machine['Transactions']} transactions of {machine['Clients']} clients in {machine['Minutes of load']} minutes"
        prepared = (f"While there are trials, a prepared statement of {machine['Prepared statement, ms']} ms takes "
                    f"{machine['With a trial, times as long']} times as long.")
        return {"trials-machine": f"{where(machine)[:-1]}; {load}. {prepared}", "trials-queries": queries}

    outputs.write("trials", "What trials tell, beside a measurement by hand", directory, root, texts, ["trials-queries"], page)
