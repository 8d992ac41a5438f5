"""The futures of a work on a Dask cluster, which somebody has started: its workers need this version of the program, no
more.

A task is a few seeds. Dask plays those of a worker that has gone on another one; what a task has done does not hang on
where.
"""

from __future__ import annotations

import asyncio
import importlib
import threading
import uuid
from collections.abc import Callable
from typing import Any

from nomopoly import __version__
from nomopoly.errors import CommandError
from nomopoly.lab.futures import HARDENED, Data, Work, Worker

MOST_SEEDS = 10  # of a task
TASKS = 4  # for each thread of the cluster, at least
SECONDS = 20  # to find the scheduler
COMING = 60  # seconds for a first worker to come

_alone = threading.Lock()
_workers: dict[tuple[str, int], Worker] = {}  # of this process, by request and thread


def need_dask() -> Any:
    """The library that drives a cluster. Raises CommandError where it is not installed."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise CommandError("a cluster needs the extra 'dask': pip install nomopoly[dask]") from None


def play_on(
    address: str, work: Work, runtime: str = HARDENED, progress: Callable[[int], bool] | None = None
) -> list[Data]:
    """Play all futures of a work on the cluster of a scheduler ("tcp://host:8786"), as `futures.play_all` does here.

    Raises CommandError where there is no such scheduler, it has no workers, these have not this version of the program,
    or a task fails on three of them in a row.
    """
    dask = need_dask()
    try:
        asyncio.run(knock(dask, address))
        client = dask.Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CommandError(f"there is no Dask scheduler at {address}: {error}") from error
    with client:
        need_workers(client)
        token = uuid.uuid4().hex
        many = max(1, sum(client.nthreads().values()))
        size = max(1, min(MOST_SEEDS, len(work.seeds) // (TASKS * many)))
        held = client.submit(as_it_is, work, pure=False)  # a task, so that it comes again where it was lost
        parts = [work.seeds[at : at + size] for at in range(0, len(work.seeds), size)]
        tasks = [client.submit(play_some, held, part, runtime, token, pure=False) for part in parts]
        found: dict[str, Data] = {}
        try:
            for _, played in dask.as_completed(tasks, with_results=True, loop=client.loop):
                found.update({each["seed"]: each for each in played})
                if progress is not None and not progress(len(found)):
                    break
        except dask.scheduler.KilledWorker as error:
            raise CommandError(f"the workers of the cluster are killed again and again: {error}") from error
        finally:
            client.cancel([*tasks, held])
            client.run(forget, token)
    return [found[seed] for seed in work.seeds if seed in found]


async def knock(dask: Any, address: str) -> None:
    """See whether a scheduler answers at an address. Raises OSError or ValueError if none does.

    A Client that cannot reach one hangs for minutes where something else answers, and ends with tracebacks.
    """
    try:
        communication = await asyncio.wait_for(dask.comm.connect(address, timeout=SECONDS), SECONDS + 1)
    except TimeoutError as error:
        raise OSError(str(error) or "something else answers there") from error
    communication.abort()


def need_workers(client: Any) -> None:
    """Wait for a worker: clusters may start them when there is something to do. Raises CommandError if none comes, or
    one has not this version of the program: it would end at the first task, and its cluster would wait for another."""
    something = client.submit(int, pure=False)
    try:
        client.wait_for_workers(1, timeout=COMING)
    except TimeoutError:
        raise CommandError(f"the cluster has no worker: none has come in {COMING} seconds") from None
    something.release()
    found = client.run(eval, "__import__('nomopoly').__version__", on_error="return")
    for worker, version in found.items():
        if version != __version__:
            raise CommandError(f"the worker {worker} needs Nomopoly {__version__}: it has {version}")


# ---- on the cluster


def as_it_is(work: Work) -> Work:
    """What the seeds are of."""
    return work


def play_some(work: Work, seeds: list[str], runtime: str, token: str) -> list[Data]:
    """Play some seeds, in the interpreter that this thread has for this request."""
    key = (token, threading.get_ident())
    with _alone:
        worker = _workers.setdefault(key, Worker(work, runtime))
    return [worker.play(seed) for seed in seeds]


def forget(token: str) -> None:
    """A request is over: end its interpreters."""
    with _alone:
        for key in [each for each in _workers if each[0] == token]:
            _workers.pop(key).close()
