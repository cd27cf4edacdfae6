"""The server: a few sessions, each busy with one measurement at a time."""

import queue
from concurrent.futures import ThreadPoolExecutor

from session import Session

PROCESSES = 2


class Server:
    def __init__(self):
        self.sessions = queue.Queue()
        for _ in range(PROCESSES):
            session = Session()
            session.rows("SET max_parallel_workers_per_gather = 0")
            session.rows("SET jit = off")
            self.sessions.put(session)
        self.pool = ThreadPoolExecutor(PROCESSES)

    def _run(self, measure, arguments):
        session = self.sessions.get()
        try:
            return measure(session, *arguments)
        finally:
            self.sessions.put(session)

    def each(self, measure, cases):
        """measure(session, *case) for every case; results in the order of the cases."""
        return self.pool.map(lambda case: self._run(measure, case), cases)

    def rows(self, sql):
        return self._run(lambda session: session.rows(sql), ())

    def close(self):
        self.pool.shutdown()
        while not self.sessions.empty():
            self.sessions.get().close()


def series(first, last):
    """Numbers i that are not kept anywhere, however many."""
    return f"(SELECT generate_series({first}::bigint, {last}) AS i) AS g"


def keys(expression, first, last):
    """Rows of i and x; the expression is evaluated once for each."""
    return f"(SELECT i, {expression} AS x FROM {series(first, last)} OFFSET 0) AS s"
