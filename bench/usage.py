"""What a statement costs the server: plans, time, processor time and pages.

Times of a busy machine tell little about differences of some per cent.
Processor time is counted by the kernel in nanoseconds for the process itself
(/proc/PID/schedstat) and in ticks for workers that have ended; other processes
raise it by crowding caches, but never lower it, so the least of several runs
is the figure to compare.  Page accesses and plans do not vary at all.
"""

import json
import os
from pathlib import Path

from session import Failure, Session

TICK = 1000 / os.sysconf("SC_CLK_TCK")
# The processor time of what the kernel has not yet counted, in milliseconds: figures are divided by it.
LEAST_MS = 0.001


def stat_fields(pid):
    """Those after the name of the program, which may hold anything."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()


def own_ms(pid):
    """What a process has used."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6


def workers_ms(pid):
    """What all workers have used that the parent of this server process has seen end."""
    parent = stat_fields(stat_fields(pid)[1])
    return (int(parent[13]) + int(parent[14])) * TICK


def transactions(output):
    """How many pgbench says that it has processed."""
    processed, = (line.partition(": ")[2] for line in output.splitlines() if line.startswith("number of transactions actually processed"))
    return int(processed.partition("/")[0])


def nodes(plan):
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def is_filter(node):
    return node.get("Custom Plan Provider") == "bloomfilter build"


class TimedOut(Exception):
    """A statement took longer than statement_timeout."""


class Backend:
    """A session whose use of the machine is known."""

    def __init__(self, session):
        self.use(session)
        self.has_workers = False
        self.settings = {}

    def use(self, session):
        self.session = session
        self.pid = int(session.value("SELECT pg_backend_pid()"))

    def attempt(self, work, *arguments):
        """Calls it; psql ends with a statement that is cancelled, so another with the same settings takes its place."""
        try:
            return work(*arguments)
        except Failure as failure:
            if "statement timeout" not in str(failure):
                raise
            self.use(Session())
            self.set(self.settings)
            raise TimedOut from None

    def set(self, settings):
        self.settings = settings
        self.has_workers = settings.get("max_parallel_workers_per_gather", "0") != "0"
        self.session.rows("RESET ALL")
        for name, value in {"client_min_messages": "warning", **settings}.items():
            self.session.rows(f"SET {name} = '{value}'")

    def filters(self, how):
        self.session.rows(f"SET bloomfilter.join_filters = {how}")

    def processor_ms(self):
        return own_ms(self.pid) + (workers_ms(self.pid) if self.has_workers else 0)

    def time(self, sql):
        """Milliseconds, those of processors, and the output."""
        before = self.processor_ms()
        elapsed, answer = self.session.time(sql)
        return elapsed, max(self.processor_ms() - before, LEAST_MS), answer

    def planned(self, sql):
        """What EXPLAIN shows: the plan with costs, and how long planning took."""
        return json.loads(self.session.text(f"EXPLAIN (SUMMARY, FORMAT json) {sql}"))[0]

    def plan(self, sql):
        return self.planned(sql)["Plan"]

    def plans(self, sql):
        """How many filters there are with them on, and is the plan then the same as with them off?"""
        self.filters("off")
        off = self.plan(sql)
        self.filters("on")
        on = self.plan(sql)
        return sum(map(is_filter, nodes(on))), off == on

    def planning_ms(self, sql):
        """What the server says; EXPLAIN itself has more to print where there are filters."""
        return self.planned(sql)["Planning Time"]

    def planning(self, sql, pairs):
        """Milliseconds for planning, off and on: the least of some."""
        least = {}
        for turn in range(pairs + 1):
            for how in ("off", "on") if turn % 2 else ("on", "off"):
                self.filters(how)
                taken = self.planning_ms(sql)
                if turn > 0:            # the first reads catalogs
                    least[how] = min(taken, least.get(how, taken))
        return least["off"], least["on"]

    def analyze(self, sql):
        """The plan of a run, with what it read."""
        return json.loads(self.session.text(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT json) {sql}"))[0]["Plan"]

    def explain(self, sql):
        """Of a run: pages, rows that filters removed, and MB written to temporary files."""
        plan = self.analyze(sql)
        removed = sum(node.get("Rows Removed by Bloom Filter", 0) * node.get("Actual Loops", 1) for node in nodes(plan))
        pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
        return pages, round(removed), plan["Temp Written Blocks"] / 128
