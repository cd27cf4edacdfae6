"""A psql process that takes statements one by one and says how long each took."""

import re
import subprocess

SEPARATOR = "\x1f"
END = "-- end of statement --"
TIME = re.compile(r"^Time: ([0-9.]+) ms")


class Failure(Exception):
    """A statement failed; the message is psql's."""


class Session:
    """One connection, that is one server process.

    psql finds the server by libpq's environment variables.  Times are those
    of psql's \\timing: from sending a statement to having its whole result,
    over a local socket, parsing and planning included.
    """

    def __init__(self, database=None):
        """In the database of the variables, or another one."""
        self.psql = subprocess.Popen(
            ["psql", "-X", "-q", "-A", "-t", "-F", SEPARATOR, "-v", "ON_ERROR_STOP=1",
             *(["-d", database] if database else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8")
        self.rows("SET client_min_messages = warning")

    def _send(self, text):
        """Runs psql input; returns the lines it printed."""
        try:
            self.psql.stdin.write(f"{text}\n\\echo {END}\n")
            self.psql.stdin.flush()
        except BrokenPipeError:
            pass
        lines = []
        for line in self.psql.stdout:
            line = line.rstrip("\n")
            if line == END:
                return lines
            lines.append(line)
        raise Failure("\n".join(lines) or "psql ended")

    def rows(self, sql):
        """Runs a statement; returns its rows as lists of strings."""
        return [line.split(SEPARATOR) for line in self._send(sql + ";")]

    def value(self, sql):
        """Runs a statement; returns the only field of its only row."""
        ((field,),) = self.rows(sql)
        return field

    def text(self, sql):
        """Runs a statement; returns all it printed."""
        return "\n".join(self._send(sql + ";"))

    def time(self, sql):
        """Runs a statement; returns the milliseconds it took and its output."""
        lines = self._send(f"\\timing on\n{sql};\n\\timing off")
        match = TIME.match(lines[-1])
        if match is None:
            raise Failure("\n".join(lines))
        return float(match.group(1)), lines[:-1]

    def command(self, line):
        """Runs one of psql's own commands."""
        self._send(line)

    def run_file(self, path, **variables):
        """Runs a file of statements with psql variables."""
        for name, value in variables.items():
            self._send(f"\\set {name} {value}")
        self._send(f"\\i '{path}'")

    def close(self):
        self.psql.stdin.close()
        self.psql.wait()
        self.psql.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
