"""How a web process ends: whoever has connected before is answered, and told that the connection ends."""

import asyncio
import http.client
import socket
import threading
import time

import kills
import pytest
import uvicorn

from nomopoly.site import server as servers

ASKED = b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"


async def hello(scope, receive, send):
    """The whole application."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


class Late(servers.Server):
    """A server to which somebody connects in the moment in which it stops listening."""

    late = None

    async def shutdown(self, sockets=None):
        self.late = connected(self.config.port)
        await super().shutdown(sockets)


def connected(port):
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def is_refused(port):
    """Whether nobody listens there any more."""
    try:
        connected(port).close()
    except ConnectionRefusedError:
        return True
    return False


def answer_of(connection):
    connection.sendall(ASKED)
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    with connection:
        return answer.status, answer.headers["Connection"], answer.read()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(servers, "LAST_WORD", 60)
    made = Late(uvicorn.Config(hello, host="127.0.0.1", port=kills.free_port(), log_config=None, lifespan="off"))
    thread = threading.Thread(target=lambda: asyncio.run(made.serve()))
    thread.start()
    while not made.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield made
    made.force_exit = True
    thread.join()


def test_who_has_connected_before_the_end_is_answered(server):
    early = connected(server.config.port)
    kept = http.client.HTTPConnection("127.0.0.1", server.config.port, timeout=60)
    kept.request("GET", "/")
    answer = kept.getresponse()
    assert (answer.read(), answer.headers["Connection"]) == (b"hello", None)
    server.handle_exit(2, None)
    until = time.monotonic() + 60
    while server.late is None or not is_refused(server.config.port):  # whoever has still been let in goes again
        assert time.monotonic() < until
        time.sleep(0.01)
    assert answer_of(early) == (200, "close", b"hello")
    assert answer_of(server.late) == (200, "close", b"hello")
    kept.request("GET", "/")
    assert (answer := kept.getresponse()).read() == b"hello"
    assert answer.headers["Connection"] == "close"
