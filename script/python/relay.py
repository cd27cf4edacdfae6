"""Sockets in front of those of servers, which count the bytes that pass."""

import os
import socket
import threading


class Relay:
    """Listens in one directory and connects to the same names in another.

    A server that listens on /tmp/a/.s.PGSQL.5432 is reached by the host
    /tmp/b, too, if this relays from there.
    """

    def __init__(self, directory, servers):
        self.directory = directory
        self.bytes = 0
        self.lock = threading.Lock()
        os.mkdir(directory)
        for name in os.listdir(servers):
            if name.startswith(".s.PGSQL.") and not name.endswith(".lock"):
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(os.path.join(directory, name))
                listener.listen(64)
                self._start(self._accept, listener, os.path.join(servers, name))

    @staticmethod
    def _start(function, *arguments):
        threading.Thread(target=function, args=arguments, daemon=True).start()

    def _accept(self, listener, server):
        while True:
            client, _ = listener.accept()
            to_server = socket.socket(socket.AF_UNIX)
            to_server.connect(server)
            self._start(self._forward, client, to_server)
            self._start(self._forward, to_server, client)

    def _forward(self, source, target):
        try:
            while data := source.recv(1 << 18):
                with self.lock:
                    self.bytes += len(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:         # the other end is gone
            source.close()
            target.close()

    def count(self, function, *arguments):
        """Calls the function; the bytes that passed meanwhile."""
        before = self.bytes
        function(*arguments)
        return self.bytes - before
