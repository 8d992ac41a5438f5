"""The HTTP server, and how it ends: whoever has connected by then is answered, and told to connect elsewhere."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Iterator
from types import FrameType

import uvicorn

from nomopoly.site import news
from nomopoly.site.tables import homes

LAST_SECONDS = 30  # for requests under way when the site is stopped; pages that wait for news are told to ask again
IDLE_SECONDS = (
    75  # of a connection: longer than the 60 of nginx, which would send a request into one that is being closed
)
LEAVE_SECONDS = 1.0  # from saying that a process ends until it does not listen any more
LAST_WORD = 0.5  # seconds for the request of somebody who has connected just before
CLOSING = (b"connection", b"close")


def server_at(host: str, port: int) -> Server:
    """The server of this process."""
    return Server(
        uvicorn.Config(
            "nomopoly.site.asgi:application",
            host=host,
            port=port,
            log_config=None,  # ours, see watch/logs.py
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=LAST_SECONDS,
            timeout_keep_alive=IDLE_SECONDS,
        )
    )


class Server(uvicorn.Server):
    """Told to end, it says so to the other processes, and to open pages, before it stops listening."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See uvicorn. A second signal ends it at once."""
        if not homes.is_kept() or self.should_exit:
            self._end(sig, frame)
            return
        threading.Thread(target=self._take_leave, args=(sig, frame), daemon=True).start()

    def _take_leave(self, sig: int, frame: FrameType | None) -> None:
        homes.end()
        time.sleep(LEAVE_SECONDS)
        self._end(sig, frame)

    def _end(self, sig: int, frame: FrameType | None) -> None:
        news.leave()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn, which would close connections whose request has not come yet without an answer."""
        self.server_state.default_headers = [*self.server_state.default_headers, CLOSING]
        loop = asyncio.get_running_loop()
        for accepted in self._accepted_last():
            await loop.connect_accepted_socket(self._protocol, accepted)
        until = time.monotonic() + LAST_WORD
        while self.server_state.connections and not self.force_exit and time.monotonic() < until:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)

    def _protocol(self) -> asyncio.Protocol:
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg, assignment]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    def _accepted_last(self) -> Iterator[socket.socket]:
        """Stop listening. Yields those who wait to be let in, whom closing would turn away."""
        for server in self.servers:
            with_copies = [socket.socket(fileno=os.dup(each.fileno())) for each in server.sockets]
            server.close()
            for listening in with_copies:
                with listening:
                    listening.setblocking(False)
                    while True:
                        try:
                            accepted, _ = listening.accept()
                        except BlockingIOError:
                            break
                        accepted.setblocking(False)
                        yield accepted
