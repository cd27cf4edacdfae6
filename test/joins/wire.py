"""A connection that sends text and counts nothing but what comes back.

PostgreSQL's simple query protocol, over a socket, for a server that trusts its
clients: no driver has to be installed, values arrive as the server wrote them,
and a string of several statements is one round trip.
"""
import os
import socket
import struct


class ServerError(Exception):
    """What the server says is wrong."""

    def __init__(self, fields):
        self.sqlstate = fields.get('C', '')
        super().__init__(f"{fields.get('S')}: {fields.get('M')} ({self.sqlstate})"
                         + (f"\n{fields['D']}" if 'D' in fields else ''))


class ConnectionLost(Exception):
    """The server went away in the middle of a statement."""


class Connection:
    """One session."""

    def __init__(self, database=None):
        host = os.environ.get('PGHOST', '/var/run/postgresql')
        port = os.environ.get('PGPORT', '5432')
        if host.startswith('/'):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(f'{host}/.s.PGSQL.{port}')
        else:
            self.socket = socket.create_connection((host, int(port)))
        self.input = self.socket.makefile('rb')
        self.address = {'host': host, 'port': port, 'user': os.environ.get('PGUSER', 'postgres'),
                        'database': database or os.environ.get('PGDATABASE', 'postgres')}
        start = {'user': self.address['user'], 'database': self.address['database'],
                 'client_encoding': 'UTF8', 'application_name': 'joins'}
        body = struct.pack('!I', 196608)
        body += b''.join(f'{name}\0{value}\0'.encode() for name, value in start.items()) + b'\0'
        self.socket.sendall(struct.pack('!I', len(body) + 4) + body)
        self._answer()

    def _message(self):
        head = self.input.read(5)
        if len(head) < 5:
            raise ConnectionLost('the server closed the connection')
        kind, length = struct.unpack('!cI', head)
        return kind, self.input.read(length - 4)

    def _send(self, kind, body=b''):
        self.socket.sendall(kind + struct.pack('!I', len(body) + 4) + body)

    def _answer(self):
        """The rows of every statement that has some; raises the first error."""
        results = []
        rows = None
        error = None
        while True:
            kind, body = self._message()
            if kind == b'D':
                rows.append(fields_of(body))
            elif kind == b'T':
                rows = []
                results.append(rows)
            elif kind == b'E':
                error = error or server_error(body)
            elif kind == b'R' and struct.unpack('!I', body[:4])[0] != 0:
                raise ConnectionLost('the server asks for a password')
            elif kind == b'Z':
                if error:
                    raise error
                return results

    def run(self, sql):
        """Runs statements; the rows of each that returns some, as tuples of str or None."""
        self._send(b'Q', sql.encode() + b'\0')
        return self._answer()

    def rows(self, sql):
        """The rows of the last statement."""
        return self.run(sql)[-1]

    def few_at_a_time(self, sql):
        """The rows of a statement, fetched one, two, four ... at a time."""
        self._send(b'P', b'\0' + sql.encode() + b'\0' + struct.pack('!H', 0))
        self._send(b'B', b'\0\0' + struct.pack('!HHH', 0, 0, 0))
        rows = []
        most = 1
        kind = b's'
        while kind == b's':                 # there may be more
            self._send(b'E', b'\0' + struct.pack('!I', most))
            self._send(b'H')
            most *= 2
            kind, body = self._message()
            while kind not in (b's', b'C', b'I', b'E'):
                if kind == b'D':
                    rows.append(fields_of(body))
                kind, body = self._message()
        self._send(b'S')
        self._answer()
        if kind == b'E':
            raise server_error(body)
        return rows

    def close(self):
        self.socket.close()


def server_error(body):
    return ServerError({part[:1]: part[1:] for part in body.decode().split('\0') if part})


def fields_of(body):
    count, = struct.unpack_from('!H', body)
    place = 2
    fields = []
    for _ in range(count):
        length, = struct.unpack_from('!i', body, place)
        place += 4
        if length < 0:
            fields.append(None)
        else:
            fields.append(body[place:place + length].decode())
            place += length
    return tuple(fields)
